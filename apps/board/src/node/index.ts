/** The board on a web server: its rounds on the process's clock, its links as WebSockets beside the page. */

export { type BoardOptions, type BoardStatus, pageFolder, type RunningBoard, startBoard } from "./start-board.ts";
