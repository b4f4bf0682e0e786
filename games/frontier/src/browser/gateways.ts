/**
 * The servers that can take this page in: the one that it came from, and in a cluster all others. The list is fetched now and then, since servers come and go, from
 * the first of them that answers. It may be old when it is needed: it may name servers that are gone, and lack new ones.
 */

const REFRESH_MS = 10_000;
const SOCKET = "ws";

export class Gateways {
  /** Address of the own server's socket. */
  readonly own: string = socketOf(location.href);
  /** Addresses of other servers' pages. */
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
    const all = [this.own, ...this.#others.map(socketOf)];
    return all[this.#tried++ % all.length]!;
  }

  async #refresh(): Promise<void> {
    for (const page of [location.href, ...this.#others]) {
      const list = await fetchList(new URL("gateways.json", page));
      if (list === undefined) continue;
      this.#others = list.filter((address) => socketOf(address) !== this.own);
      return;
    }
  }
}

/** Undefined if the server is gone: what was known stays. */
async function fetchList(url: URL): Promise<string[] | undefined> {
  try {
    const answer = await fetch(url);
    const list: unknown = answer.ok ? await answer.json() : undefined;
    if (!Array.isArray(list)) return undefined;
    return list.filter((address) => typeof address === "string" && URL.canParse(address)) as string[];
  } catch {
    return undefined;
  }
}

/** Address of the socket of a server whose page is there. */
export function socketOf(page: string): string {
  const url = new URL(SOCKET, page);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
