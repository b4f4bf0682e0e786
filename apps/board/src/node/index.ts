/** The board on a web server: its rounds on the process's clock, its links as WebSockets beside the page. */

export { type Deeds, joinBots } from "./join-bots.ts";
export { type BoardOptions, type BoardStatus, pageFolder, type RunningBoard, startBoard } from "./start-board.ts";
