/**
 * Who owns which part of the world: a tree that cuts space in two again and again (V §3.4), with an owner at every leaf, a *slice*. Slices at the
 * edge reach on without end, so that every point lies in exactly one. A map is a value: each change makes a new one, with the next epoch.
 *
 * A slice's *fence* is the epoch in which it got its owner. A message says which slice it speaks for and with which fence; whoever knows a
 * map in which that is not so does not obey it. Epochs only rise, so a fence that was passed never comes back.
 */

import { BitReader, BitWriter } from "@nearfield/schema/internal";
import { ClusterError } from "../errors.ts";

/** Two corners of a box, by axis; ±Infinity where it does not end. */
export interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

export interface Slice {
  /** Its way from the root: "r", then 0 for the low and 1 for the high side of each cut. */
  readonly id: string;
  readonly box: Box;
  /** Server number. */
  readonly owner: number;
  readonly fence: number;
  /** The epoch since which its owner has had all that lies in it, perhaps as other slices. */
  readonly since: number;
}

interface Leaf {
  readonly owner: number;
  readonly fence: number;
  readonly since: number;
}

interface Cut {
  readonly axis: number;
  readonly at: number;
  readonly low: Node;
  readonly high: Node;
}

type Node = Leaf | Cut;

const AXES = 3;
const AXIS_BITS = 2;
/** The deepest cut. A broken map must not exhaust the stack, and `balance.ts` keeps far away from it. */
export const DEEPEST = 64;
const EVERYWHERE: Box = {
  low: new Array<number>(AXES).fill(Number.NEGATIVE_INFINITY),
  high: new Array<number>(AXES).fill(Number.POSITIVE_INFINITY),
};

export class SliceMap {
  readonly epoch: number;
  readonly slices: readonly Slice[];
  readonly #root: Node;
  readonly #byId: ReadonlyMap<string, Slice>;

  private constructor(epoch: number, root: Node) {
    this.epoch = epoch;
    this.#root = root;
    this.slices = [...leaves(root, "r", EVERYWHERE)];
    this.#byId = new Map(this.slices.map((slice) => [slice.id, slice]));
  }

  /** One slice: everything. */
  static whole(owner: number): SliceMap {
    return new SliceMap(1, { owner, fence: 1, since: 1 });
  }

  get(id: string): Slice | undefined {
    return this.#byId.get(id);
  }

  /** The slice in which a point lies. A point on a cut belongs to the high side. */
  at(x: number, y: number, z = 0): Slice {
    const point = [x, y, z];
    let node = this.#root;
    let id = "r";
    while ("axis" in node) {
      const isHigh = point[node.axis]! >= node.at;
      id += isHigh ? "1" : "0";
      node = isHigh ? node.high : node.low;
    }
    return this.#byId.get(id)!;
  }

  ofOwner(owner: number): Slice[] {
    return this.slices.filter((slice) => slice.owner === owner);
  }

  /** Cuts a slice in two and gives the high side to `owner`. */
  split(id: string, axis: number, at: number, owner: number): SliceMap {
    const fence = this.epoch + 1;
    return this.#changed(id, (node) => {
      if ("axis" in node) throw new ClusterError("bad-map", `slice ${id} is cut already`);
      if (depthOf(id) >= DEEPEST) throw new ClusterError("bad-map", `slice ${id} lies behind ${DEEPEST} cuts already`);
      return { axis, at, low: { owner: node.owner, fence, since: fence }, high: { owner, fence, since: fence } };
    });
  }

  /** Makes one slice again of the two sides of a cut. */
  merge(id: string, owner: number): SliceMap {
    const fence = this.epoch + 1;
    return this.#changed(id, (node) => ({ owner, fence, since: Math.min(fence, sinceOf(node, owner)) }));
  }

  /** Takes a slice away: the slices on the other side of its cut reach over its place too. They keep their owners, and get new ids and fences. */
  without(id: string): SliceMap {
    if (!this.#byId.has(id) || depthOf(id) === 0) throw new ClusterError("bad-map", `slice ${id} cannot be taken away`);
    const fence = this.epoch + 1;
    return this.#changed(id.slice(0, -1), (node) => {
      const { low, high } = node as Cut;
      return refenced(id.endsWith("0") ? high : low, fence);
    });
  }

  /** Gives a slice to another server. */
  assign(id: string, owner: number): SliceMap {
    if (!this.#byId.has(id)) throw new ClusterError("bad-map", `there is no slice ${id}`);
    return this.merge(id, owner);
  }

  encode(): Uint8Array {
    const writer = new BitWriter();
    writer.writeVar(this.epoch);
    writeNode(writer, this.#root);
    return writer.finish();
  }

  /** Throws `ClusterError("bad-map")`. */
  static decode(bytes: Uint8Array): SliceMap {
    try {
      const reader = new BitReader(bytes);
      return new SliceMap(reader.readVar(), readNode(reader, 0));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ClusterError("bad-map", `the map of slices cannot be read: ${reason}`);
    }
  }

  #changed(id: string, change: (node: Node) => Node): SliceMap {
    return new SliceMap(this.epoch + 1, replaced(this.#root, id, 1, change));
  }
}

/** The shortest distance from a point to a box, along straight lines; 0 inside. */
/** How many cuts a slice lies behind. */
export function depthOf(id: string): number {
  return id.length - 1;
}

export function distanceToBox({ low, high }: Box, point: readonly number[]): number {
  let sum = 0;
  for (let axis = 0; axis < AXES; axis++) {
    const beyond = Math.max(low[axis]! - point[axis]!, point[axis]! - high[axis]!, 0);
    sum += beyond * beyond;
  }
  return Math.sqrt(sum);
}

function* leaves(node: Node, id: string, box: Box): Iterable<Slice> {
  if (!("axis" in node)) {
    const { owner, fence, since } = node;
    yield { id, box, owner, fence, since };
    return;
  }
  const { axis, at } = node;
  yield* leaves(node.low, `${id}0`, { low: box.low, high: box.high.with(axis, at) });
  yield* leaves(node.high, `${id}1`, { low: box.low.with(axis, at), high: box.high });
}

function replaced(node: Node, id: string, depth: number, change: (node: Node) => Node): Node {
  if (depth === id.length) return change(node);
  if (!("axis" in node)) throw new ClusterError("bad-map", `there is no slice ${id}`);
  if (id[depth] === "0") return { ...node, low: replaced(node.low, id, depth + 1, change) };
  return { ...node, high: replaced(node.high, id, depth + 1, change) };
}

function refenced(node: Node, fence: number): Node {
  if (!("axis" in node)) return { ...node, fence };
  return { ...node, low: refenced(node.low, fence), high: refenced(node.high, fence) };
}

/** The epoch since which all below a node has been this owner's; `Infinity` if it is not. */
function sinceOf(node: Node, owner: number): number {
  if ("axis" in node) return Math.max(sinceOf(node.low, owner), sinceOf(node.high, owner));
  return node.owner === owner ? node.since : Number.POSITIVE_INFINITY;
}

function writeNode(writer: BitWriter, node: Node): void {
  const isCut = "axis" in node;
  writer.writeBits(isCut ? 1 : 0, 1);
  if (!isCut) {
    writer.writeVar(node.owner);
    writer.writeVar(node.fence);
    writer.writeVar(node.since);
    return;
  }
  writer.writeBits(node.axis, AXIS_BITS);
  writer.writeFloat64(node.at);
  writeNode(writer, node.low);
  writeNode(writer, node.high);
}

function readNode(reader: BitReader, depth: number): Node {
  if (reader.readBits(1) === 0) {
    return { owner: reader.readVar(), fence: reader.readVar(), since: reader.readVar() };
  }
  const axis = reader.readBits(AXIS_BITS);
  const at = reader.readFloat64();
  if (depth === DEEPEST || axis >= AXES || !Number.isFinite(at)) throw new Error("a cut is no cut");
  return { axis, at, low: readNode(reader, depth + 1), high: readNode(reader, depth + 1) };
}
