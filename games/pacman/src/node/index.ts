/** Pac-Man on a web server: the game's rounds on the process's clock, its links as WebSockets beside the page. */

export { type Deeds, joinBots } from "./join-bots.ts";
export { type PacmanOptions, type PacmanStatus, pageFolder, type RunningPacman, startPacman } from "./start-pacman.ts";
