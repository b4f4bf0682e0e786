/**
 * Running other programs from the repository's scripts.
 *
 * Everything goes through here so that a failing program always ends in a message that names the command,
 * and so that progress (standard error) never mixes with results (standard output).
 */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The top folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** A failure whose message already says what to do; shown without a stack. */
export class ScriptError extends Error {
  /** What the process ends with. */
  exitCode = 1;
}

/** One line of progress. @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a program to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, output?: "inherit" | "stderr" | "collect", shell?: boolean }} [options]
 *   cwd: the folder it runs in, the repository's top by default;
 *   output: where its output goes. "inherit" (default) leaves both streams alone, "stderr" sends all of it to our
 *   standard error, "collect" keeps it and returns it.
 * @returns {Promise<{ code: number, output: string }>} code 1 also stands for "ended by a signal"
 */
export function run(command, args, options = {}) {
  const { env = process.env, cwd = root, output = "inherit", shell = false } = options;
  const stdio = /** @type {const} */ ({
    inherit: ["inherit", "inherit", "inherit"],
    stderr: ["ignore", 2, 2],
    collect: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    // tsc believes PWD. In a clone that is reached through a symbolic link it would find every package twice, under two paths.
    const child = spawn(command, args, { cwd, env: { ...env, PWD: cwd }, shell, stdio: [...stdio[output]] });
    let collected = "";
    child.stdout?.on("data", (chunk) => {
      collected += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      collected += chunk;
    });
    const stop = () => {
      child.kill("SIGTERM");
      process.exit(143);
    };
    process.once("SIGTERM", stop);
    child.on("error", (error) => reject(new ScriptError(`Could not run ${command}: ${error.message}`)));
    child.on("close", (code) => {
      process.off("SIGTERM", stop);
      resolve({ code: code ?? 1, output: collected });
    });
  });
}

/** Runs one of the programs that npm installed, by the path of its entry script. @type {typeof run} */
export function runTool(script, args, options) {
  return run(process.execPath, [join(root, "node_modules", script), ...args], options);
}

/**
 * Ends this process with npm. npm runs a script through a shell, and that shell dies of a SIGTERM without passing it on;
 * without this, `kill` on `npm start` would leave the server running.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 250);
  watch.unref();
}

/**
 * Runs a script's main function. The process ends with the code it returns, 1 or the error's own if it throws, 0 if it says nothing.
 *
 * @param {() => Promise<number | void>} main
 */
export async function runMain(main) {
  endWithNpm();
  try {
    const code = await main();
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    say(error instanceof ScriptError ? `\n${error.message}` : String(error instanceof Error ? error.stack : error));
    process.exitCode = error instanceof ScriptError ? error.exitCode : 1;
  }
}
