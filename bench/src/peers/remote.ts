/**
 * Hosts and crowds in processes of their own, so that the time of one is not the time of the other. This file is both ends: the parent's
 * handle, and, run by itself, the child. A child answers one call after another and ends when its parent lets go of it or is gone.
 */

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadColyseus } from "./colyseus.ts";
import { NearfieldCrowd, NearfieldHost } from "./nearfield-side.ts";
import type { SceneSize } from "./scene.ts";
import { noStaleness, type Staleness } from "./staleness.ts";
import type { Crowd, Host, Spent, Volume } from "./subject.ts";

/** What is compared, by name. */
export const SUBJECTS = {
  nearfield: { maker: "nearfield", form: "tiers" },
  nearfieldPlain: { maker: "nearfield", form: "plain" },
  colyseusView: { maker: "colyseus", form: "view" },
  colyseusTiers: { maker: "colyseus", form: "tiers" },
  colyseusPacked: { maker: "colyseus", form: "packed" },
} as const;
export type SubjectName = keyof typeof SUBJECTS;

export async function startHost(name: SubjectName, size: SceneSize): Promise<Host> {
  const subject = SUBJECTS[name];
  return subject.maker === "nearfield"
    ? NearfieldHost.start(size, subject.form)
    : (await loadColyseus()).startHost(size, subject.form);
}

export async function startCrowd(name: SubjectName, size: SceneSize, url: string): Promise<Crowd> {
  const subject = SUBJECTS[name];
  return subject.maker === "nearfield"
    ? new NearfieldCrowd(url, size)
    : (await loadColyseus()).startCrowd(url, size, subject.form);
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Call =
  | { readonly kind: "host"; readonly name: SubjectName; readonly size: SceneSize }
  | { readonly kind: "crowd"; readonly name: SubjectName; readonly size: SceneSize; readonly url: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "round"; readonly walks: boolean }
  | { readonly kind: "measure"; readonly collects: boolean }
  | { readonly kind: "join"; readonly count: number }
  | { readonly kind: "begin"; readonly rounds: number }
  | { readonly kind: "look"; readonly round: number; readonly counts: boolean }
  | { readonly kind: "staleness" }
  | { readonly kind: "close" };

interface Answers {
  host: string;
  crowd: undefined;
  nothing: undefined;
  round: undefined;
  measure: { readonly volume: Volume; readonly spent: Spent };
  join: undefined;
  begin: undefined;
  look: undefined;
  staleness: Staleness;
  close: undefined;
}

type Answer = { readonly answer: unknown } | { readonly failure: string };

/** The longest a call may take, ms. */
const CALL_MS = 60_000;

/** One child, as the parent sees it. */
export class Remote {
  readonly #child: ChildProcess;
  #failure: Error | undefined;
  #waiting: { resolve: (answer: unknown) => void; reject: (error: Error) => void } | undefined;

  constructor() {
    this.#child = fork(fileURLToPath(import.meta.url), [CHILD], {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child.on("message", (message) => this.#answered(message as Answer));
    this.#child.on("exit", (code) => this.#fail(new Error(`a process of the benchmark ended with code ${code}`)));
  }

  /** One at a time. */
  async call<C extends Call>(call: C): Promise<Answers[C["kind"]]> {
    if (this.#failure !== undefined) throw this.#failure;
    const timer = setTimeout(() => this.#fail(new Error(`${call.kind}: no answer within ${CALL_MS} ms`)), CALL_MS);
    try {
      return (await new Promise<unknown>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.#child.send(call);
      })) as Answers[C["kind"]];
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
    }
  }

  /** Ends the child, whatever it does. */
  end(): void {
    this.#child.kill("SIGKILL");
  }

  #answered(message: Answer): void {
    if ("failure" in message) this.#waiting?.reject(new Error(message.failure));
    else this.#waiting?.resolve(message.answer);
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#waiting?.reject(error);
  }
}

// ── the child ────────────────────────────────────────────────────────────────────────────────────────────────────

/** The argument by which a process knows that it is one. */
const CHILD = "child-of-peers";

class Child {
  #host: Host | undefined;
  #crowd: Crowd | undefined;
  #staleness: Staleness = noStaleness();

  async carryOut(call: Call): Promise<unknown> {
    switch (call.kind) {
      case "host":
        this.#host = await startHost(call.name, call.size);
        return this.#host.url;
      case "crowd":
        this.#crowd = await startCrowd(call.name, call.size, call.url);
        return undefined;
      case "nothing":
        return undefined;
      case "round":
        this.#host!.round(call.walks);
        return undefined;
      case "measure":
        if (call.collects) globalThis.gc?.();
        return { volume: this.#host!.volume(), spent: this.#host!.spent() };
      case "join":
        return this.#crowd!.join(call.count);
      case "begin":
        return this.#crowd!.begin(call.rounds);
      case "look":
        return this.#crowd!.look(call.round, call.counts ? this.#staleness : undefined);
      case "staleness":
        return this.#staleness;
      case "close":
        await (this.#host ?? this.#crowd)!.close();
        return undefined;
    }
  }
}

if (process.argv[2] === CHILD && process.send !== undefined) {
  const child = new Child();
  process.on("disconnect", () => process.exit(0));
  process.on("message", (call) => {
    child.carryOut(call as Call).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) =>
        process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
