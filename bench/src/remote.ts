/**
 * Runs parts of a benchmark in processes of their own, so that the processor time of one part does not count for another. `Remote` is the parent's
 * handle; the child's module calls `answerCalls`. A child answers one call after another and ends when its parent releases it or has ended.
 */

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

type Answer = { readonly answer: unknown } | { readonly failure: string };

/** The longest a call may take, ms. */
const CALL_MS = 60_000;
/** The argument by which a process knows that it is a child. */
const CHILD = "child-of-a-benchmark";

/** One child, as the parent sees it: what it can be asked, and what it answers by kind of call. */
export class Remote<Call extends { readonly kind: string }, Answers extends Record<Call["kind"], unknown>> {
  readonly #child: ChildProcess;
  #failure: Error | undefined;
  #waiting: { resolve: (answer: unknown) => void; reject: (error: Error) => void } | undefined;

  /** @param module whose top level calls `answerCalls`: `import.meta.url`. */
  constructor(module: string) {
    this.#child = fork(fileURLToPath(module), [CHILD], {
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

/** In a child: answers calls from now on. Elsewhere, where the module is only imported: nothing. */
export function answerCalls<Call>(carryOut: (call: Call) => Promise<unknown>): void {
  if (process.argv[2] !== CHILD || process.send === undefined) return;
  process.on("disconnect", () => process.exit(0));
  process.on("message", (call) => {
    carryOut(call as Call).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) =>
        process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
