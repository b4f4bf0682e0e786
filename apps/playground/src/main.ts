/**
 * The program behind `npm start`: reads PORT, NEARFIELD_DATA and NEARFIELD_INSPECTOR_TOKEN, starts the playground, prints its address, and ends it cleanly.
 *
 * The first SIGINT or SIGTERM closes games and connections; a second one ends the process at once.
 */
import { fileURLToPath } from "node:url";
import { games } from "./games.ts";
import { startPlayground } from "./playground.ts";

const defaultPort = 3000;

function readPort(text: string | undefined): number {
  if (text === undefined || text === "") return defaultPort;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`PORT is "${text}"; it must be a whole number from 0 (any free port) to 65535`);
}

function describeFailure(error: unknown): string {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `port ${port} is taken; npm start -- --port 0 takes any free one`;
  if (code === "EACCES") return `port ${port} is not allowed for this user; npm start -- --port 0 takes any free one`;
  return message;
}

try {
  const token = process.env["NEARFIELD_INSPECTOR_TOKEN"];
  const data = process.env["NEARFIELD_DATA"] ?? "memory:";
  const playground = await startPlayground({
    port: readPort(process.env["PORT"]),
    pageFolder: fileURLToPath(new URL("page/", import.meta.url)),
    games,
    ...(data !== "memory:" && { dataFolder: data }),
    ...(token !== undefined && token !== "" && { token }),
  });
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    console.log("Stopping …");
    playground.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);

  // Last: whoever reads the address may end this process at once.
  console.log(`Nearfield playground: ${playground.address}`);
  console.log(`Inspector:            ${playground.inspector}`);
  console.log("Press Ctrl+C to stop.");
} catch (error) {
  console.error(`The playground could not start: ${describeFailure(error)}`);
  process.exitCode = 1;
}
