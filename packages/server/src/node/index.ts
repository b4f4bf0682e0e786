/** @nearfield/server/node: a server with a clock and sockets. */

export { type DrainOptions, drainOnSignals, type SignalOptions } from "./drain.ts";
export { answerHealth } from "./health.ts";
export { RoundClock, type RoundClockOptions } from "./round-clock.ts";
export { NodeServer, type ServeOptions, serve } from "./serve.ts";
export { loadView } from "./settings-file.ts";
export { type SignedTokensOptions, signedTokens, type TokenAlgorithm } from "./signed-tokens.ts";
export { watchSettings } from "./watch-settings.ts";
