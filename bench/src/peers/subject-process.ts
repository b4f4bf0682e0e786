/** Hosts and crowds in processes of their own. This file is both ends: the parent's handle, and, run by itself, the child. */

import { answerCalls, Remote } from "../remote.ts";
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
  | { readonly kind: "begin"; readonly rounds: number; readonly sent: number }
  | { readonly kind: "look"; readonly round: number; readonly counts: boolean; readonly sent: number }
  | { readonly kind: "staleness" }
  | { readonly kind: "close" };

interface Answers {
  host: string;
  crowd: undefined;
  nothing: undefined;
  /** Messages that clients were sent so far. */
  round: number;
  measure: { readonly volume: Volume; readonly spent: Spent };
  join: undefined;
  begin: undefined;
  look: undefined;
  staleness: Staleness;
  close: undefined;
}

/** One child, as the parent sees it. */
export class SubjectProcess extends Remote<Call, Answers> {
  constructor() {
    super(import.meta.url);
  }
}

// ── the child ────────────────────────────────────────────────────────────────────────────────────────────────────

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
        return this.#host!.sent();
      case "measure":
        if (call.collects) globalThis.gc?.();
        return { volume: this.#host!.volume(), spent: this.#host!.spent() };
      case "join":
        return this.#crowd!.join(call.count);
      case "begin":
        return this.#crowd!.begin(call.rounds, call.sent);
      case "look":
        return this.#crowd!.look(call.round, call.counts ? this.#staleness : undefined, call.sent);
      case "staleness":
        return this.#staleness;
      case "close":
        await (this.#host ?? this.#crowd)!.close();
        return undefined;
    }
  }
}

const child = new Child();
answerCalls<Call>((call) => child.carryOut(call));
