/**
 * What kinds of goods a game has, and how a lot of them is named. A good is stackable (gold: only the count matters) or single (a sword: each
 * one is itself, and has attributes). An item is what an account holds: `gold`, or `sword#5f1c…`, a single good with its own id.
 */
import { SocialError } from "../errors.ts";

export type GoodKind = "stack" | "single";

/** The kinds of goods by name: `{ gold: "stack", sword: "single" }`. */
export type Catalogue = Readonly<Record<string, GoodKind>>;

/** Plain data that a single good carries. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Goods that come into being: by a grant, or by the result of an action space. */
export interface NewGoods {
  readonly good: string;
  /** Default 1. */
  readonly count?: number;
  /** For single goods. */
  readonly attributes?: Attributes;
}

/** Goods that an account holds: what it spends or offers. */
export interface Lot {
  /** `gold`, or `sword#5f1c…`. */
  readonly item: string;
  /** Default 1; a single good is always one. */
  readonly count?: number;
}

/** A holding of an account. */
export interface Holding {
  readonly item: string;
  readonly count: number;
  readonly attributes?: Attributes;
}

/** The most of one lot. Sums of a million such lots are still exact. */
export const MOST_COUNT = 1_000_000_000;
/** The most lots in one movement. */
export const MOST_LOTS = 64;
/** The most of one single good that one lot makes. */
const MOST_SINGLES = 16;
/** Of a single good's attributes as JSON, so that a page of an inventory fits into an answer. */
const MOST_ATTRIBUTE_CHARACTERS = 300;
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Throws where a catalogue cannot work, so that a mistake shows at start. */
export function checkCatalogue(catalogue: Catalogue): void {
  for (const [name, kind] of Object.entries(catalogue)) {
    if (!NAME.test(name))
      throw new SocialError("unknown-good", `goods: "${name}" must be of the form ${NAME.source}, such as "gold"`);
    if (kind !== "stack" && kind !== "single")
      throw new SocialError(
        "unknown-good",
        `goods.${name} is ${JSON.stringify(kind)}, but must be "stack" or "single"`,
      );
  }
}

/** Turns new goods into holdings, each single good with an id of its own. Throws `unknown-good`, `bad-request`. */
export function mint(catalogue: Catalogue, goods: readonly NewGoods[], randomId: () => string): Holding[] {
  checkLotCount(goods.length);
  return goods.flatMap(({ good, count = 1, attributes }) => {
    checkCount(count, good);
    const kind = Object.hasOwn(catalogue, good) ? catalogue[good] : undefined;
    if (kind === undefined) throw new SocialError("unknown-good", `there is no good called ${JSON.stringify(good)}`);
    if (attributes !== undefined && JSON.stringify(attributes).length > MOST_ATTRIBUTE_CHARACTERS)
      throw new SocialError("bad-request", `${good}: attributes have at most ${MOST_ATTRIBUTE_CHARACTERS} characters`);
    if (kind === "stack") {
      if (attributes !== undefined)
        throw new SocialError("bad-request", `${good} is stackable, so it cannot have attributes`);
      return [{ item: good, count }];
    }
    if (count > MOST_SINGLES)
      throw new SocialError("bad-request", `at most ${MOST_SINGLES} of the single good ${good} at once`);
    return Array.from({ length: count }, () => ({
      item: `${good}#${randomId()}`,
      count: 1,
      ...(attributes !== undefined && { attributes }),
    }));
  });
}

/** Joins lots of the same item, in the order of items, so that equal offers are equal texts. Throws `bad-request`. */
export function joinLots(lots: readonly Lot[]): Required<Lot>[] {
  checkLotCount(lots.length);
  const counts = new Map<string, number>();
  for (const { item, count = 1 } of lots) {
    checkCount(count, item);
    counts.set(item, (counts.get(item) ?? 0) + count);
  }
  return [...counts].map(([item, count]) => ({ item, count })).sort((a, b) => (a.item < b.item ? -1 : 1));
}

function checkLotCount(count: number): void {
  if (count > MOST_LOTS) throw new SocialError("bad-request", `${count} lots, but at most ${MOST_LOTS} move at once`);
}

function checkCount(count: number, what: string): void {
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_COUNT)
    throw new SocialError("bad-request", `${what}: the count must be a whole number from 1 to ${MOST_COUNT}`);
}
