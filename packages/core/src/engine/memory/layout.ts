/**
 * The layout of an engine's memory, in bytes: the one file that the engine and its kernel both read. Records have a size (`PAIR`) and fields at
 * offsets (`PAIR_HELD`). `layout.test.ts` checks that no two fields overlap, that each is aligned, and that the kernel uses no other offset.
 * The kernel's language takes a number without a fraction for an integer, so this file holds nothing but names for such numbers.
 */

// ── an object: one cache line ────────────────────────────────────────────────────────────────────────────────────────

export const BODY = 64;
export const BODY_X = 0;
export const BODY_Y = 8;
export const BODY_Z = 16;
export const BODY_WIRE_X = 24;
export const BODY_WIRE_Y = 32;
export const BODY_WIRE_Z = 40;
export const BODY_VERSION = 48;
export const BODY_ID = 52;
export const BODY_TRAITS = 56;
/** A short real. */
export const BODY_SPEED = 60;

/**
 * Bits of the traits: rounds between its last two updates, at most 255; most updates in a round, 255 = that or more; has a place; is
 * inexact; most rounds with an update of any 32, of any 16 (15 = that or more) and of any 8, where 0 says nothing.
 */
export const GAP = 0xff;
export const UPDATES_SHIFT = 8;
export const UPDATES = 0xff;
export const SPATIAL = 0x10000;
/** The wire form is too far from the primary to be neglected beside the tightest value bound. */
export const INEXACT = 0x20000;
export const BUSY_SHIFT = 18;
export const BUSY = 0x3f;
/** The other two from the first on. */
export const HALF_SHIFT = 6;
export const MOST_OF_HALF = 15;
export const QUARTER_SHIFT = 10;
export const MOST_OF_QUARTER = 15;

/** How it moves, beside it: velocity as sent, world units per second; the most it departs from that in a round, a short real. */
export const MOTION = 32;
export const MOTION_X = 0;
export const MOTION_Y = 8;
export const MOTION_Z = 16;
export const MOTION_DRIFT = 24;
/** Last round in which its position changed in wire form. */
export const MOTION_MOVED_IN = 28;

// ── a pair ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export const PAIR = 32;
/** Slot (20 bits), index of its set (4 bits), number of the metric that took the sample (6 bits), rough, listed as resting. */
export const PAIR_TAG = 0;
/** Version the client is taken to hold; 0 = the object is not in the replica, −1 = it is, but nothing of it arrived. */
export const PAIR_HELD = 4;
/** Round of that send. */
export const PAIR_LAST_SEND = 8;
/** The last send known to have arrived: its number in `Flights`, or, where all arrive, its version. */
export const PAIR_BASE = 12;
/** The first two numbers of the sample. */
export const PAIR_SAMPLE = 16;
export const PAIR_SAMPLE_Y = 24;
/** Numbers of a sample that every pair has room for, and the others, which lie elsewhere. */
export const INLINE = 2;
export const MORE = 4;
/** The others, in bytes: third axis, and velocity as sent. */
export const FURTHER = 32;
export const FURTHER_Z = 0;
export const FURTHER_VX = 8;
export const FURTHER_VY = 16;
export const FURTHER_VZ = 24;

export const SLOT_MASK = 0xfffff;
export const SET_SHIFT = 20;
export const SET_MASK = 0xf;
export const METRIC_SHIFT = 24;
export const METRIC_MASK = 0x3f;
/** How far the object is from the sample cannot be told from its speed alone: the wire form was far from the primary, or bounds have changed since. */
export const ROUGH = 0x40000000;
/** The pair waits in its object's list of those that rest. */
export const LISTED = -2147483648;
/** The bits of a tag that do not describe the sample. */
export const UNSAMPLED = -2130706433;
/** The tag where there is no pair. */
export const FREE = -1;

export const ABSENT = 0;
export const NOTHING_HELD = -1;

/** Bytes that say when to look again: 0 = not planned; else 1 + round mod 255. */
export const CYCLE = 255;
/**
 * Beside it, once a pair of the page has had to wait: the round since which it waits, and the one after the last in which it did; and the
 * spell of the account that goes on with that: since when, and the cell in which it began. Its row among the decisions that are not
 * recorded yet. And the cell in which it was counted last; while it waits unseen, or its view sits out, it is counted there in each round.
 */
export const WAITING = 24;
export const WAITING_SINCE = 0;
export const WAITING_UNTIL = 4;
export const WAITING_SPELL = 8;
export const WAITING_CELL = 12;
export const WAITING_ROW = 16;
export const WAITING_COUNTED = 20;
/** Stands in `WAITING_UNTIL` while nobody looks at the pair: it waits on, and is counted in every round. */
export const UNSEEN = 2147483647;

/** How far ahead a plan may lie. */
export const FARTHEST_PLAN = 254;
/** Rounds after which a speed cap sinks to what was seen in them: nobody has moved faster than its cap within so many. */
export const REMEMBERED = 256;
/** Rounds over which those with an update are counted: a bit each. */
export const WINDOW = 32;

/** Beside it, where sends are followed: its oldest flight and its newest; −1 = none. */
export const ENDS = 8;
export const ENDS_OLDEST = 0;
export const ENDS_NEWEST = 4;

// ── a send whose fate is not known ───────────────────────────────────────────────────────────────────────────────────

export const FLIGHT = 48;
export const FLIGHT_ROUND = 0;
export const FLIGHT_VERSION = 4;
/** The pair's next one, or the next that is free; −1 = none. */
export const FLIGHT_NEXT = 8;
/** First round with an update newer than the version; 0 while there is none. */
export const FLIGHT_FIRST_MISS = 12;
export const FLIGHT_ZONE = 16;
export const FLIGHT_CAUSE = 17;
export const FLIGHT_METRIC = 18;
/** 1 = it put the client's picture to rest; told only of flights that the kernel did not note. */
export const FLIGHT_SETTLED = 19;
/** 1 = before it the client had nothing of the object, and was not being told to remove it. */
export const FLIGHT_FRESH = 20;
/** The first two numbers of the sample. */
export const FLIGHT_SAMPLE = 24;
export const FLIGHT_SAMPLE_Y = 32;

// ── what a view's sets ask for ───────────────────────────────────────────────────────────────────────────────────────

/** Zones, sectors and cells that a set has room for. */
export const ZONES = 16;
export const SECTORS = 8;
export const CELLS = 128;
/** Stands for "never" where rounds and updates are counted. */
export const NEVER = 0x40000000;

/** By zone: square of the outer edge, the last one infinite. In square zones, here and below: the distance itself. */
export const SET_EDGES = 0;
/** Squares of the distances within which objects enter and stay. */
export const SET_ENTER = 128;
export const SET_STAY = 136;
/** By sector: cosine of half its angle. */
export const SET_COSINES = 144;
/** By zone: the speed up to which a value bound cannot bite before `SET_BITE` rounds are over. */
export const SET_CAREFREE = 208;
/** By zone: rounds after a send before which neither time nor one update a round can make the pair due. */
export const SET_BITE = 336;
export const SET_SECTORS = 400;
export const SET_METRIC = 404;
/** 0 = pictures stay where they were sent; else they go on, and this is how soon they slow down, in ms (`MotionModel.fadingMs`). */
export const SET_FADING = 408;
/** 1 = distances are square (Chebyshev), and edges and ranges are compared as they are; 0 = round, and they are compared as squares. */
export const SET_SHAPE = 416;
/** Which of the view's pivots count: a bit each. */
export const SET_PIVOTS = 420;
/** What a value is, where pictures stay as they were sent: the distance to the picture, the way travelled since, a change in percent. */
export const SET_MEASURE = 424;
export const DISTANCE = 0;
export const WAY = 1;
export const PERCENT = 2;
/** 1 = time runs from the first update that was not sent; 0 = from the last send. */
export const SET_CLOCK = 428;
/** 1 = the viewer's own objects are due on every change; 0 = by bounds, like those of others. */
export const SET_OWN = 432;
/** By zone and sector. */
export const SET_CELLS = 448;
export const CELL = 32;
/**
 * The value bound; its square, or, where values are no distances, the bound as it is; and nine tenths of it. An object that travelled less than nine
 * tenths since the send cannot have reached the bound.
 */
export const CELL_VALUE = 0;
export const CELL_VALUE_SQUARE = 8;
export const CELL_SAFE = 16;
/** Rounds and missed updates at which a pair is due. */
export const CELL_ROUNDS = 24;
export const CELL_MISSED = 28;
/** By zone and sector, where bytes may run short: the time and the sequence bound, and the paces of an update and of a creation, in rounds. */
export const SET_TERMS = 4544;
export const TERM = 32;
export const TERM_TIME = 0;
export const TERM_SEQUENCE = 8;
export const TERM_PACE = 16;
export const TERM_CREATION_PACE = 24;
/**
 * Where a set has one sector and at most so many zones: by the zones in which its pivots see an object, a bit each, how far from the set's start the
 * bounds lie that are the smallest of each dimension; for no zone, those of the last one. Elsewhere 0. Then such bounds that are those of no single cell.
 */
export const MIXED_ZONES = 4;
export const MIXES = 16;
export const SET_MIXES = 8640;
export const SET_MIXED_CELLS = 8704;
/** `SET_MIXED_CELLS + MIXES * CELL`, a whole number of cache lines. */
export const SET = 9216;

// ── a view, as it is handed to the kernel ────────────────────────────────────────────────────────────────────────────

export const VIEW = 1280;
/** Its number; address of the sheet of its pivot. */
export const VIEW_NUMBER = 0;
export const VIEW_WATCH = 4;
/** Address of the list of its pivots that have a place, and how many those are; address 0 = one pivot on an object or point, round zones. */
export const VIEW_PIVOTS = 12;
export const VIEW_PIVOT_COUNT = 68;
/** The most that its direction is taken to turn in a round, as a chord of the unit circle, and that its pivot is taken to move. */
export const VIEW_TURN = 16;
export const VIEW_PACE = 176;
export const VIEW_DIR_X = 24;
export const VIEW_DIR_Y = 32;
export const VIEW_DIR_Z = 40;
/** Addresses: of its pairs and of the columns beside them, of which some are 0 where it has none. */
export const VIEW_PAIRS = 48;
export const VIEW_NEXT = 52;
export const VIEW_FIRST_MISS = 56;
export const VIEW_MORE = 60;
export const VIEW_ENDS = 64;
/** Room for a number per pair: in the end, what is left to be done. */
export const VIEW_LEFT = 72;
export const VIEW_LEFT_COUNT = 76;
/** One past the highest number in use; how many there is room for; the first that is free, or −1; how many are in use. */
export const VIEW_HIGH = 80;
export const VIEW_ROOM = 152;
export const VIEW_FREE = 156;
export const VIEW_USED = 160;
/** 1 = whoever enters its range belongs to its first set, and whoever leaves is gone, so that the kernel can do both. */
export const VIEW_ENTERS = 164;
export const VIEW_LEAVES = 168;
export const VIEW_SESSION = 84;
export const VIEW_SETS = 88;
/** 1 = sends are followed until their fate is known. */
export const VIEW_FOLLOWS = 172;
/** 1 = all pairs are to be judged, not only those that are due; 1 = more than half of them were sent in the last round. */
export const VIEW_SWEEPS = 92;
export const VIEW_WAS_BUSY = 8;
/** Flights: 0, or their address and that of their further samples; how many there is room for, were ever used; the first that is free. */
export const VIEW_FLIGHTS = 96;
export const VIEW_FLIGHTS_MORE = 100;
export const VIEW_FLIGHTS_ROOM = 104;
export const VIEW_FLIGHTS_HIGH = 108;
export const VIEW_FLIGHTS_FREE = 112;
/** Decisions: addresses of the columns, how many there are, and how many of them were withheld. */
export const VIEW_IDS = 116;
export const VIEW_KINDS = 120;
export const VIEW_CAUSES = 124;
export const VIEW_ZONES = 128;
export const VIEW_SETTLED = 132;
export const VIEW_DECIDED = 136;
export const VIEW_WITHHELD = 140;
/** The same of the columns that are filled for budgeted views only. */
export const VIEW_URGENCIES = 192;
export const VIEW_WAITED = 196;
/** 1 = bytes may run short, so urgencies are worked out. */
export const VIEW_BUDGETED = 200;
/** Address of what its sets ask for once they are loosened, laid out as the stated ones are; 0 = they are not. */
export const VIEW_LOOSENED = 204;
/** Address of how long its pairs wait; 0 = none ever had to. */
export const VIEW_WAITS = 208;
/** How many of its pairs wait unseen. */
export const VIEW_UNSEEN = 252;
/** How many rounds in a row it has sat out before this one. */
export const VIEW_OUT = 184;
/** By how much zones 1 and up are loosened. */
export const VIEW_OUTER = 216;
/**
 * 1 = what is decided is not recorded as sent yet, since much of it may be withheld; 2 = that is made up for now. Until then: how many rows
 * there are, and by row the pair, its complement where it was withheld, or `SETTLED` where nothing is left to be done.
 */
export const VIEW_DEFERS = 212;
export const VIEW_DEFERRED = 224;
export const VIEW_ROWS = 228;
export const DEFERS = 1;
export const RECORDS = 2;
export const SETTLED = -2147483648;
/**
 * While ripe pairs are looked for: address of what its sets ask for once they are ripened, laid out as the stated ones are, else 0; how many
 * of its last rounds were silent. After that: how many pairs were not equal.
 */
export const VIEW_RIPE = 232;
export const VIEW_SILENT = 236;
export const VIEW_UNEQUAL = 240;
/** Pairs by slot, open-addressed: address, and how long it is in bytes less one entry. */
export const VIEW_INDEX = 144;
export const VIEW_INDEX_MASK = 148;

/** Address of the bits that say, by slot, which objects it may know of; 0 = of all. */
export const VIEW_SEEN = 244;
/** Whether the pictures of its objects stay as they were sent, or go on by themselves, or some do and others do not (`SET_FADING`). */
export const VIEW_PICTURES = 248;
export const STAY = 0;
export const GO_ON = 1;
export const MIXED = 2;

/** Pairs whose objects were updated while they rested, until `awaken` has them looked at: how many, and which. */
export const VIEW_WOKEN_COUNT = 264;
export const VIEW_WOKEN = 272;
export const MOST_WOKEN = 126;
/** Pair, and the slot of the object. */
export const WOKEN = 8;
export const WOKEN_PAIR = 0;
export const WOKEN_SLOT = 4;

/**
 * How far a pivot and the edges around it have come at most, together, in all rounds so far; by pair, up to which sum of that and `ENGINE_WAY` its bounds cannot be
 * stricter than when it was looked at. Address 0 = that is not kept.
 */
export const VIEW_LEEWAYS = 188;
export const VIEW_WAY = 256;

/** A bit of these that changed: slot, address of the bits. */
export const REVEALED = 8;
export const REVEALED_SLOT = 0;
export const REVEALED_SEEN = 4;

/** A pivot in the list of a view: address of its sheet, and the bit by which sets count it. */
export const PIVOT = 8;
export const PIVOT_WATCH = 0;
export const PIVOT_BIT = 4;

/** A list of who watches an object: how many entries, how many there is room for, where they lie; the last is not the kernel's. */
export const LIST = 16;
export const LIST_COUNT = 0;
export const LIST_ROOM = 4;
export const LIST_ENTRIES = 8;
export const LIST_CHUNK = 12;
/** An entry: number of the view, pair. */
export const WATCHER = 8;
export const WATCHER_VIEW = 0;
export const WATCHER_PAIR = 4;

/** An entry of the index: slot + 1, pair. */
export const ENTRY = 8;
export const ENTRY_KEY = 0;
export const ENTRY_PAIR = 4;
/** Slots are often consecutive; this spreads them. */
export const HASH = -1640531535;
export const HASH_SHIFT = 10;

/** What is left to be done with a pair is told by bits above its number. */
export const LEFT_SHIFT = 24;
export const LEFT_PAIR = 0xffffff;
/** To be judged by somebody else; out of range; to rest on its object; behind for long. */
export const LEFT_OTHER = 1;
export const LEFT_LEAVE = 2;
export const LEFT_REST = 3;
export const LEFT_MISS = 4;

// ── objects in the order of the grid ─────────────────────────────────────────────────────────────────────────────────

/** A row is as high as so many cells are wide, as a power of two. */
export const SLENDER = 2;
/** A ring is made for each of so many parts of a row's height in which the pivot can lie. */
export const SUBCELLS = 4;

export const SNAPSHOT = 64;
/** By cell, `column | (row << shift)`: where its objects begin; those of the next begin where they end. */
export const SNAPSHOT_STARTS = 0;
export const SNAPSHOT_SHIFT = 4;
export const SNAPSHOT_ROW_SHIFT = 8;
export const SNAPSHOT_COUNT = 12;
/** Columns by place: slots; where the objects are and were; the same of the third axis, address 0 where there is none. */
export const SNAPSHOT_SLOTS = 16;
export const SNAPSHOT_SPOTS = 20;
export const SNAPSHOT_HEIGHTS = 24;
/** Scratch: a number for each object. */
export const SNAPSHOT_CELLS = 28;
/** Where the objects are once more, as short reals, to sift by. */
export const SNAPSHOT_SHORT_X = 32;
export const SNAPSHOT_SHORT_Y = 36;

/** Where an object is and was, on the first two axes and on the third. */
export const SPOT = 32;
export const SPOT_X = 0;
export const SPOT_Y = 8;
export const SPOT_OLD_X = 16;
export const SPOT_OLD_Y = 24;
export const HEIGHT = 16;
export const HEIGHT_NOW = 0;
export const HEIGHT_OLD = 8;

// ── pivots and the borders around them ───────────────────────────────────────────────────────────────────────────────

export const WATCH = 128;
/** Where the pivot is and was. */
export const WATCH_X = 0;
export const WATCH_Y = 8;
export const WATCH_Z = 16;
export const WATCH_OLD_X = 24;
export const WATCH_OLD_Y = 32;
export const WATCH_OLD_Z = 40;
/** Address of its borders, one after the other, and how many there are. */
export const WATCH_BORDERS = 48;
export const WATCH_BORDER_COUNT = 52;
/** The object that it lies on: slot and id. */
export const WATCH_SLOT = 56;
export const WATCH_ID = 60;
/** Where it looks. */
export const WATCH_DIR_X = 64;
export const WATCH_DIR_Y = 72;
export const WATCH_DIR_Z = 80;
/** In the list of a view: address of its edges by zone of the first set, and how far on those of the next set lie. */
export const WATCH_EDGES = 88;
export const WATCH_STRIDE = 92;
/** In the list of a view: address of the objects that are compared with its borders in this round, where these differ from pivot to pivot. */
export const WATCH_SNAPSHOT = 96;
/** Address of a camera's frame, four reals: how much of x and y goes across, and along. 0 = it is no camera. */
export const WATCH_FRAME = 100;
export const FRAME = 32;
export const FRAME_ACROSS_X = 0;
export const FRAME_ACROSS_Y = 8;
export const FRAME_ALONG_X = 16;
export const FRAME_ALONG_Y = 24;

export const BORDER = 64;
/** The distance as it is compared, squared where the shape is round: in this round and in the one before. */
export const BORDER_NOW = 0;
export const BORDER_OLD = 8;
/** Whoever crosses it inward is of interest, or outward: 0, or a bit for each of two objects. */
export const BORDER_OUTWARD = 16;
/** How the distance is measured: as the crow flies, along the axes, or in the frame of a camera. */
export const BORDER_SHAPE = 20;
export const ROUND = 0;
export const SQUARE = 1;
export const FRAMED = 2;
/** Who crosses it may come to be in the replica. */
export const BORDER_ENTRY = 24;
/** The first of a band says how many borders it has; they share its rings. */
export const BORDER_BAND = 28;
/** Rings by part of the row: address, and how many strips; no address = all objects are compared. */
export const BORDER_RINGS = 32;
export const RING = 8;
export const RING_STRIPS = 0;
export const RING_STRIP_COUNT = 4;

/** A strip of cells relative to the pivot's own: row, first and last column, as short integers. */
export const STRIP = 6;
export const STRIP_ROW = 0;
export const STRIP_FIRST = 2;
export const STRIP_LAST = 4;
/** A run of places in the snapshot: its first, and one past its last. */
export const PLACES = 8;
export const PLACES_FROM = 0;
export const PLACES_TO = 4;

// ── batches, and the threads that work on them ───────────────────────────────────────────────────────────────────────

/** A pivot to follow: address of its sheet, and what came of it. */
export const FOLLOW = 8;
export const FOLLOW_WATCH = 0;
export const FOLLOW_WAY = 4;
/** It stood still, moved, or moved farther than rings are made for. */
export const STOOD = 0;
export const MOVED = 1;
export const LEAPT = 2;

/** Whose borders to compare: addresses of the sheets of view, watch and snapshot; watch 0 = all pivots in the list of the view. */
export const CROSSING = 12;
export const CROSSING_VIEW = 0;
export const CROSSING_WATCH = 4;
export const CROSSING_SNAPSHOT = 8;
/** Instead of the address of a snapshot: each pivot in the list of the view has its own (`WATCH_SNAPSHOT`). */
export const EACH_ITS_OWN = 0;

/** A view to judge: address of its sheet, and how much is left to be done then. */
export const VERDICT = 8;
export const VERDICT_VIEW = 0;
export const VERDICT_LEFT = 4;

export const THREAD = 128;
/** Scratch: runs of places, and slots. */
export const THREAD_RUNS = 0;
export const THREAD_SLOTS = 4;
/** Address of what it found, how many there are, and how many there is room for; more than that is not written, only counted. */
export const THREAD_FOUND = 8;
export const THREAD_FOUND_COUNT = 12;
export const THREAD_FOUND_ROOM = 16;
/** How much it has done of all batches so far; pairs it has looked at in this one. */
export const THREAD_DONE = 20;
export const THREAD_LOOKS = 24;
/** Address of its tally; how often that was written since it was last told. */
export const THREAD_TALLY = 28;
export const THREAD_SHORT = 32;
/**
 * Where an object lies for a view that has a list of pivots: distance to the nearest one as edges are compared, and its square; the lowest zone;
 * address of the bounds; whether pivots differ in these, and the bounds are one cell's (1) or made of several (2); and room for such bounds.
 */
export const THREAD_NEAREST = 40;
export const THREAD_SQUARE = 48;
export const THREAD_ZONE = 36;
export const THREAD_BOUNDS = 56;
export const THREAD_MIXED = 60;
export const THREAD_CELL = 64;
/** Address of the aspects of the view that is being judged, by set; and which of them are made, a bit each. */
export const THREAD_ASPECTS = 96;
export const THREAD_ASPECTS_MADE = 100;
/** The pivots that count for a set: how many bytes of duos there are, how many cameras, and the addresses of their sheets; then the duos. */
export const ASPECT = 1728;
export const ASPECT_LENGTH = 0;
export const ASPECT_CAMERA_COUNT = 4;
export const ASPECT_CAMERAS = 8;
export const ASPECT_DUOS = 192;
/** Two pivots side by side, twice the same one where their number is odd: their places, and the edges of their first three zones. */
export const DUO = 96;
export const DUO_X = 0;
export const DUO_Y = 16;
export const DUO_Z = 32;
export const DUO_FIRST = 48;
export const DUO_SECOND = 64;
export const DUO_THIRD = 80;
/** Pivots and sets of a view, at most. */
export const MOST_PIVOTS = 32;
export const MOST_SETS = 16;
/** By cell of the account: spells that began, pair-rounds, the longest spell, and how many more pairs wait unseen than before. */
export const TALLY = 16;
export const TALLY_SPELLS = 0;
export const TALLY_ROUNDS = 4;
export const TALLY_LONGEST = 8;
export const TALLY_UNSEEN = 12;
/** A cell of the account: zone × causes + cause. */
export const CAUSES = 8;
export const TALLY_CELLS = 128;
/** Who crossed a border of a view that had no pair with it: number of the crossing in its batch, slot, and the new pair or −1. */
export const FOUND = 12;
export const FOUND_CROSSING = 0;
export const FOUND_SLOT = 4;
export const FOUND_PAIR = 8;

/** Kinds of batches. */
export const CROSS = 0;
export const JUDGE = 1;

/** The batch at hand, for all threads: its kind and address; how much of it is done. */
export const BATCH_KIND = 128;
export const BATCH_ADDRESS = 132;
export const BATCH_DONE = 192;
/** Number of the batch (24 bits), entries in it (20 bits), entries taken (20 bits). One number, so that a thread reads and changes all three in one step. */
export const BATCH_TAKEN = 256;
/** Changes with every batch: what idle threads wait for. */
export const BATCH_SIGNAL = 320;
/** A thread takes so many at once. */
export const BATCH_SHARE = 16;

// ── the engine ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Address at which columns begin. Below it lie the figures that the kernel finds at fixed addresses. */
export const GIVEN_OUT = 1024;
/** Addresses of columns by slot: bodies, owning sessions, rounds of the last update, update logs, motions. */
export const ENGINE_BODIES = 64;
export const ENGINE_OWNER = 68;
export const ENGINE_LAST_UPDATE = 72;
export const ENGINE_LOGS = 76;
export const ENGINE_ROUND = 80;
export const ENGINE_MOTIONS = 84;
/** By slot: how far objects have travelled since they were spawned. */
export const ENGINE_TRAVELLED = 48;
/** By number of a metric that compares a field: address of that field's column by slot; else 0. */
export const ENGINE_FIELDS = 52;
/** The number in the field now, the same as it would be sent, the most that it is taken to change in a round, and the last round in which it changed by more. */
export const FIELD = 32;
export const FIELD_NOW = 0;
export const FIELD_WIRE = 8;
export const FIELD_CAP = 16;
export const FIELD_BROKEN = 24;
/** Height of a row of the grid. */
export const ENGINE_ROW = 88;
/** By slot: where objects were a round ago. */
export const ENGINE_BEFORE = 96;
export const BEFORE = 24;
export const BEFORE_X = 0;
export const BEFORE_Y = 8;
export const BEFORE_Z = 16;
/** By number of a view: address of its sheet; 0 = there is no such view. */
export const ENGINE_SHEETS = 100;
/** Length of a round, ms. */
export const ENGINE_ROUND_MS = 104;
/** How far the object that moved farthest has come in this round, not counting those that leapt. */
export const ENGINE_STEP = 112;
/** The sum of that over all rounds so far, a little more. */
export const ENGINE_WAY = 40;
/** What object and pivot may each move in a round, else they have leapt. */
export const ENGINE_MARGIN = 120;
/** By slot: the lists of who watches an object, and of who rests on it. */
export const ENGINE_WATCHERS = 60;
export const ENGINE_RESTING = 56;

/** A log: address of its runs and how many there are. */
export const LOG = 8;
export const LOG_RUNS = 0;
export const LOG_COUNT = 4;
/** A run: first version, its round. */
export const RUN = 8;
export const RUN_VERSION = 0;
export const RUN_ROUND = 4;
