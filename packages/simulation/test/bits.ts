/**
 * A story that runs all of the simulation, and whose every number goes into one checksum for each part: equal in every engine, or a step function
 * could not run on several machines. Touches nothing of Node or of a page, so that both can run it, and workers too.
 */

import type { ObjectId } from "@nearfield/schema";
import { Collisions, ENTITY_SIZE, EntityField, exact, GENRE_ENTITIES, Level, stepEntity } from "../src/index.ts";
import { CONTROLS } from "../src/internal/index.ts";

export interface Bits {
  readonly angles: string;
  readonly math: string;
  readonly steering: string;
  readonly collisions: string;
  readonly walls: string;
  /** Ships that are stepped, collide and slide along walls, all together. */
  readonly world: string;
}

export function simulationBits(): Bits {
  return {
    angles: bitsOf(tellAngles),
    math: bitsOf(tellMath),
    steering: bitsOf(tellSteering),
    collisions: bitsOf(tellCollisions),
    walls: bitsOf(tellWalls),
    world: bitsOf(tellWorld),
  };
}

type Tell = (value: number) => void;

const NOT_A_NUMBER = 0x7ff80000;

function bitsOf(story: (tell: Tell) => void): string {
  const view = new DataView(new ArrayBuffer(8));
  let hash = 0x811c9dc5;
  story((value) => {
    // All NaNs are one number to a program, and may differ in their bits.
    view.setFloat64(0, value);
    const isNumber = !Number.isNaN(value);
    hash = Math.imul(hash ^ (isNumber ? view.getUint32(0) : NOT_A_NUMBER), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15) ^ (isNumber ? view.getUint32(4) : 0), 0x01000193) >>> 0;
  });
  return hash.toString(16).padStart(8, "0");
}

/** Numbers from 0 to 1, the same every time. */
function makeDice(): () => number {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const ENDS = [0, -0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MIN_VALUE];

function tellAngles(tell: Tell): void {
  const dice = makeDice();
  for (let i = 0; i < 20_000; i++) {
    const [a, b] = [200 * dice() - 100, 200 * dice() - 100];
    tell(exact.sine(a));
    tell(exact.cosine(a));
    tell(exact.foldAngle(a));
    tell(exact.angleBetween(a, b));
    tell(exact.directionOf(a, b));
  }
}

function tellMath(tell: Tell): void {
  const dice = makeDice();
  const functions = [exact.tangent, exact.arcsine, exact.arccosine, exact.exponential, exact.logarithm, exact.cubeRoot];
  for (const x of ENDS) {
    for (const f of functions) tell(f(x));
    for (const y of ENDS) tell(exact.power(x, y));
  }
  for (let i = 0; i < 20_000; i++) {
    const [share, wide] = [dice(), 2000 * dice() - 1000];
    tell(exact.tangent(wide));
    tell(exact.arcsine(2 * share - 1));
    tell(exact.arccosine(2 * share - 1));
    tell(exact.exponential(wide / 1.4));
    tell(exact.logarithm(exact.exponential(wide / 1.5)));
    tell(exact.cubeRoot(wide * wide * wide * share));
    tell(exact.power(10 * share, wide / 100));
    tell(exact.power(1 + share / 100, wide));
    tell(exact.power(wide, Math.floor(share * 60) - 30));
  }
}

function tellSteering(tell: Tell): void {
  const dice = makeDice();
  for (const { traits } of Object.values(GENRE_ENTITIES)) {
    for (const control of CONTROLS) {
      const state = new Float64Array(ENTITY_SIZE);
      for (let step = 0; step < 1000; step++) {
        const input = { keys: Math.floor(64 * dice()), targetX: 500 * dice(), targetY: 500 * dice() };
        stepEntity(control, traits, state, 0, input, 0.01 + 0.03 * dice());
        state.forEach(tell);
      }
    }
  }
}

function tellCollisions(tell: Tell): void {
  const dice = makeDice();
  for (const axes of [2, 3] as const) {
    const collisions = new Collisions({ cell: 10, axes });
    for (let round = 0; round < 40; round++) {
      collisions.clear();
      for (let id = 0; id < 300; id++) {
        const place = [150 * dice(), 150 * dice(), 150 * dice()] as const;
        const shape =
          dice() < 0.5
            ? ({ kind: "circle", radius: 12 * dice() } as const)
            : ({ kind: "box", halfX: 12 * dice(), halfY: 12 * dice(), halfZ: 40 * dice() } as const);
        collisions.add(id as ObjectId, shape, ...place);
      }
      tellPairs(collisions, tell);
    }
  }
}

function tellPairs(collisions: Collisions, tell: Tell): number {
  const pairs = collisions.find();
  tell(pairs);
  const { first, second, normalX, normalY, normalZ, depth } = collisions;
  for (let i = 0; i < pairs; i++) {
    for (const column of [first, second, normalX, normalY, normalZ, depth]) tell(column[i]!);
  }
  return pairs;
}

const TILE = 16;
const COLUMNS = 24;
const ROWS = 18;

/** As Tiled writes it: pillars of tiles at random within walls all around, a crate that stands askew of the tiles, and a place to start. */
function makeLevel(): Level {
  const dice = makeDice();
  const tiles = Array.from({ length: COLUMNS * ROWS }, (_, at) => {
    const [column, row] = [at % COLUMNS, Math.floor(at / COLUMNS)];
    const isEdge = column === 0 || row === 0 || column === COLUMNS - 1 || row === ROWS - 1;
    return isEdge || dice() < 0.1 ? 1 : 2;
  });
  const solid = [{ name: "solid", type: "bool", value: true }];
  const crate = { id: 1, name: "", type: "crate", x: 101.3, y: 77.7, width: 21.1, height: 13.9, properties: solid };
  const start = { id: 2, name: "", type: "start", x: 190, y: 140, width: 0, height: 0, point: true };
  return Level.fromTiled(
    JSON.stringify({
      type: "map",
      orientation: "orthogonal",
      infinite: false,
      width: COLUMNS,
      height: ROWS,
      tilewidth: TILE,
      tileheight: TILE,
      tilesets: [{ firstgid: 1, tiles: [{ id: 0, properties: solid }] }],
      layers: [
        { type: "tilelayer", name: "ground", width: COLUMNS, height: ROWS, data: tiles },
        { type: "objectgroup", name: "things", objects: [crate, start] },
      ],
    }),
  );
}

function tellWalls(tell: Tell): void {
  const dice = makeDice();
  const level = makeLevel();
  for (let wall = 0; wall < level.walls.count; wall++) level.walls.boundsOf(wall).forEach(tell);
  for (const { x, y, width, height } of level.objects) [x, y, width, height].forEach(tell);
  for (let i = 0; i < 5000; i++) {
    const from = [level.width * dice(), level.height * dice()] as const;
    const angle = 7 * dice();
    const radius = i % 2 === 0 ? 0 : 10 * dice();
    const hit = level.castCircle(from, radius, [exact.cosine(angle), exact.sine(angle)], 300 * dice());
    tell(level.tileAt(level.layers[0]!, ...from));
    tell(hit?.wall ?? -1);
    for (const value of [hit?.distance, hit?.normalX, hit?.normalY]) tell(value ?? Number.NaN);
  }
}

const SHIPS = 40;
const BODY = { kind: "circle", radius: 5 } as const;
const STEP_MS = 16;
const { control, traits } = GENRE_ENTITIES.shooter;

function tellWorld(tell: Tell): void {
  const dice = makeDice();
  const level = makeLevel();
  const collisions = new Collisions({ cell: 12 });
  const start = level.objectsOf("start")[0]!;
  const ships = Array.from({ length: SHIPS }, (_, i) => {
    const ship = new Float64Array(ENTITY_SIZE);
    ship[EntityField.x] = start.x + (i % 7) * 0.5;
    ship[EntityField.y] = start.y + i * 0.1;
    return ship;
  });
  let heat = 0;
  for (let round = 0; round < 400; round++) {
    for (const ship of ships) stepShip(level, ship, Math.floor(64 * dice()));
    collisions.clear();
    for (const [id, ship] of ships.entries()) collisions.add(id as ObjectId, BODY, ship[0]!, ship[1]!);
    const pairs = tellPairs(collisions, tell);
    for (let i = 0; i < pairs; i++) {
      pushShip(level, ships[collisions.first[i]!]!, collisions, i, -1);
      pushShip(level, ships[collisions.second[i]!]!, collisions, i, 1);
    }
    heat = heat * exact.exponential(-STEP_MS / 700) + exact.power(pairs, 0.7);
    tell(heat);
    for (const ship of ships) ship.forEach(tell);
  }
}

/** As a game writes a step function: it goes by the keys, and where a wall is in its way it stops. */
function stepShip(level: Level, ship: Float64Array, keys: number): void {
  const [x, y] = [ship[EntityField.x]!, ship[EntityField.y]!];
  stepEntity(control, traits, ship, 0, { keys, targetX: 0, targetY: 0 }, STEP_MS / 1000);
  const isFree = moveShip(level, ship, x, y, ship[EntityField.x]! - x, ship[EntityField.y]! - y);
  if (isFree) return;
  ship[EntityField.velocityX] = 0;
  ship[EntityField.velocityY] = 0;
}

function pushShip(level: Level, ship: Float64Array, collisions: Collisions, pair: number, sign: number): void {
  const push = (sign * collisions.depth[pair]!) / 4;
  const [x, y] = [ship[EntityField.x]!, ship[EntityField.y]!];
  moveShip(level, ship, x, y, push * collisions.normalX[pair]!, push * collisions.normalY[pair]!);
}

/** Puts the ship where it gets from (x, y) along (dx, dy); whether it got all the way. */
function moveShip(level: Level, ship: Float64Array, x: number, y: number, dx: number, dy: number): boolean {
  const way = Math.sqrt(dx * dx + dy * dy);
  const hit = level.castCircle([x, y], BODY.radius, [dx, dy], way);
  const share = hit === undefined ? 1 : Math.max(0, hit.distance - 0.01) / way;
  ship[EntityField.x] = x + dx * share;
  ship[EntityField.y] = y + dy * share;
  return hit === undefined;
}
