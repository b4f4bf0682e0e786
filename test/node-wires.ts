/** Wires between the nodes of NATS, one for each two nodes, so that a test can cut a node off from the others while servers still reach it. */

import { CutProxy } from "./cut-proxy.ts";

export class NodeWires {
  /** With the two nodes that each connects. */
  #wires: { readonly ends: readonly [number, number]; readonly wire: CutProxy }[] = [];

  /** For `startNats`. Called again if the nodes have to be started anew. */
  readonly wiring = async (ports: readonly number[]): Promise<number[][]> => {
    this.close();
    const reached = ports.map(() => [...ports]);
    for (const [a, portOfA] of ports.entries())
      for (const [b, portOfB] of ports.entries()) {
        if (a >= b) continue;
        const wire = await CutProxy.open([`127.0.0.1:${portOfA}`, `127.0.0.1:${portOfB}`]);
        this.#wires.push({ ends: [a, b], wire });
        [reached[b]![a], reached[a]![b]] = wire.addresses.map((address) => Number(address.split(":")[1])) as [
          number,
          number,
        ];
      }
    return reached;
  };

  /** Cuts a node off from all others. */
  cutOff(node: number): void {
    for (const wire of this.#of(node)) wire.cut();
  }

  mend(node: number): void {
    for (const wire of this.#of(node)) wire.mend();
  }

  close(): void {
    for (const { wire } of this.#wires) wire.close();
    this.#wires = [];
  }

  #of(node: number): CutProxy[] {
    return this.#wires.flatMap(({ ends, wire }) => (ends.includes(node) ? [wire] : []));
  }
}
