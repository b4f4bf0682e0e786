/**
 * Follows a room's settings file while the server runs. The folder is watched, not the file: an editor that replaces the file is noticed,
 * too. Events come in bursts and files in pieces, so the file is read once it has been quiet for `settleMs`.
 * Invariant: only a whole file without a fault changes the room. A broken one is reported, and the old settings stay in force.
 */

import { watch as watchFolder } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type Room, ServerError } from "@nearfield/server";
import { parseSettings } from "@nearfield/server/internal";
import type { RoomSeam } from "@nearfield/server/seam";

export interface WatchSettingsOptions {
  /** The file is read when it has not changed for this long, ms. Default 100. A larger value is later in force. */
  readonly settleMs?: number;
  /** Told why a file is not in force: `nearfield.jsonc:14:9 sets[1].bounds[2].time: must be 0 or more, is -5`. The server's `onError` is told, too. */
  readonly onError?: (error: Error) => void;
  /** Told that the file was read and is in force. */
  readonly onApplied?: () => void;
  /** For tests: the disk and the clock. Default: Node's. */
  readonly host?: WatchHost;
}

/** What a watch needs of its surroundings. */
export interface WatchHost {
  read(path: string): Promise<string>;
  /** Calls `onChange` when the file may have changed. Returns a function that ends this. */
  watch(path: string, onChange: () => void, onError: (error: Error) => void): () => void;
  /** Calls `run` after `ms`. Returns a function that prevents it. */
  after(ms: number, run: () => void): () => void;
}

const NODE: WatchHost = {
  read: (path) => readFile(path, "utf8"),
  watch(path, onChange, onError) {
    const name = basename(path);
    const watcher = watchFolder(dirname(path), { persistent: false }, (_event, file) => {
      if (file === null || file === name) onChange();
    });
    watcher.on("error", onError);
    return () => watcher.close();
  },
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

const SETTLE_MS = 100;

/** A watch that goes on until `close` is called or the room closes. */
export interface SettingsWatch {
  /** Why the file as it is now is not in force; undefined if it is. */
  readonly fault: string | undefined;
  close(): void;
}

/**
 * Puts a settings file in force in a room, now and whenever it changes. Throws if the file's folder cannot be watched.
 *
 *     watchSettings("nearfield.jsonc", server.main);
 */
export function watchSettings(path: string, room: Room, options: WatchSettingsOptions = {}): SettingsWatch {
  const { guest, leave } = room.invite((seam) => new Watch(path, seam, options));
  return {
    get fault() {
      return guest.fault;
    },
    close: leave,
  };
}

class Watch {
  readonly name: string;
  readonly #path: string;
  readonly #seam: RoomSeam;
  readonly #options: WatchSettingsOptions;
  readonly #host: WatchHost;
  readonly #endWatch: () => void;
  #cancel: () => void = () => {};
  /** Counts changes: what was read before the newest one is not used. */
  #changes = 0;
  #isOver = false;

  constructor(path: string, seam: RoomSeam, options: WatchSettingsOptions) {
    this.name = `settings ${basename(path)}`;
    this.#path = path;
    this.#seam = seam;
    this.#options = options;
    this.#host = options.host ?? NODE;
    seam.followSettings(path);
    this.#endWatch = this.#host.watch(
      path,
      () => this.#changed(),
      (error) => this.#refuse(new ServerError("bad-settings", `${path} is not watched any more: ${error.message}`)),
    );
    this.#changed();
  }

  get fault(): string | undefined {
    return this.#seam.settingsFile?.fault;
  }

  dismissed(): void {
    this.#isOver = true;
    this.#cancel();
    this.#endWatch();
  }

  #changed(): void {
    if (this.#isOver) return;
    this.#cancel();
    const change = ++this.#changes;
    this.#cancel = this.#host.after(this.#options.settleMs ?? SETTLE_MS, () => void this.#read(change));
  }

  async #read(change: number): Promise<void> {
    const isOld = (): boolean => this.#isOver || change !== this.#changes;
    try {
      const text = await this.#host.read(this.#path).catch((error: Error) => {
        throw new ServerError("bad-settings", `${this.#path} cannot be read: ${error.message}`);
      });
      if (isOld()) return;
      this.#seam.loadSettings(parseSettings(text, basename(this.#path), this.#seam));
    } catch (error) {
      if (!isOld()) this.#refuse(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#options.onApplied?.();
  }

  #refuse(error: Error): void {
    this.#seam.refuseSettings(error);
    this.#options.onError?.(error);
  }
}
