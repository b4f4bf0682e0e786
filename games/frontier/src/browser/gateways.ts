/**
 * The servers that can take this page in: the one that it came from, and in a cluster all others. The list is fetched now and then, since servers come and go, and the one
 * that knows it may be gone when it is needed.
 */

const REFRESH_MS = 10_000;
const SOCKET = "ws";

export class Gateways {
  /** Address of the own server's socket. */
  readonly own: string = socketOf(location.href);
  #others: readonly string[] = [];
  #tried = 0;

  /** @param hasOthers whether this page's server may be one of many, and can be asked for the others */
  constructor(hasOthers: boolean) {
    if (!hasOthers) return;
    void this.#refresh();
    setInterval(() => void this.#refresh(), REFRESH_MS);
  }

  /** The next one to try: the own one first, then each other in turn. */
  next(): string {
    const all = [this.own, ...this.#others];
    return all[this.#tried++ % all.length]!;
  }

  async #refresh(): Promise<void> {
    try {
      const answer = await fetch("./gateways.json");
      const list: unknown = answer.ok ? await answer.json() : [];
      if (!Array.isArray(list)) return;
      const addresses = list.filter((address) => typeof address === "string" && URL.canParse(address)) as string[];
      this.#others = addresses.map(socketOf).filter((address) => address !== this.own);
    } catch {
      // The server is gone: what was known stays.
    }
  }
}

function socketOf(page: string): string {
  const url = new URL(SOCKET, page);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
