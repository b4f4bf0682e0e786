/**
 * Trees over the members of groups: what holds a group together. Each edge joins two members that are near each other, so a group is in one
 * piece as long as its tree is. Linked by slot, so that nothing is allocated.
 */

import { grown } from "@nearfield/schema/internal";

const NONE = -1;

export class Forest {
  parent: Int32Array = new Int32Array(0);
  firstChild: Int32Array = new Int32Array(0);
  nextSibling: Int32Array = new Int32Array(0);
  #previousSibling: Int32Array = new Int32Array(0);

  ensure(capacity: number): void {
    const before = this.parent.length;
    if (capacity <= before) return;
    this.parent = grown(this.parent, capacity).fill(NONE, before);
    this.firstChild = grown(this.firstChild, capacity).fill(NONE, before);
    this.nextSibling = grown(this.nextSibling, capacity).fill(NONE, before);
    this.#previousSibling = grown(this.#previousSibling, capacity).fill(NONE, before);
  }

  /** Hangs the root of one tree on a node of another. */
  attach(root: number, to: number): void {
    const first = this.firstChild[to]!;
    this.parent[root] = to;
    this.nextSibling[root] = first;
    this.#previousSibling[root] = NONE;
    if (first >= 0) this.#previousSibling[first] = root;
    this.firstChild[to] = root;
  }

  /** Cuts a node off from its parent; what hangs on the node stays there. */
  cut(node: number): void {
    const parent = this.parent[node]!;
    if (parent < 0) return;
    const before = this.#previousSibling[node]!;
    const after = this.nextSibling[node]!;
    if (before >= 0) this.nextSibling[before] = after;
    else this.firstChild[parent] = after;
    if (after >= 0) this.#previousSibling[after] = before;
    this.parent[node] = NONE;
    this.nextSibling[node] = NONE;
    this.#previousSibling[node] = NONE;
  }

  /** Makes a node the root of its tree. */
  reroot(node: number): void {
    let below = NONE;
    for (let at = node; at >= 0; ) {
      const above = this.parent[at]!;
      this.cut(at);
      if (below >= 0) this.attach(at, below);
      below = at;
      at = above;
    }
  }

  /** The node after `node` in a walk over the tree of `root`, parents before children; −1 at the end. */
  following(node: number, root: number): number {
    if (this.firstChild[node]! >= 0) return this.firstChild[node]!;
    for (let at = node; at !== root; at = this.parent[at]!) {
      if (this.nextSibling[at]! >= 0) return this.nextSibling[at]!;
    }
    return NONE;
  }
}
