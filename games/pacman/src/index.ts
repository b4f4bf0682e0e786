/** Pac-Man without a clock or a socket: the rules, and the game on a server. `startPacman` is in @nearfield/pacman/server. */

export { type HostOptions, PacmanHost } from "./host.ts";
export { protocol, ROUND_MS, view } from "./shared.ts";
