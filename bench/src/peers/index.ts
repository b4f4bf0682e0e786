/**
 * What Colyseus' side of the comparison is written with (`bench/colyseus`): the scene, the search for who sees whom, counted sockets, and
 * the types that both sides fulfil.
 */
export type { ColyseusForm, ColyseusSide } from "./colyseus.ts";
export { Interest } from "./interest.ts";
export { COORDINATE_STEPS, HEADING_BITS, Scene, type SceneSize, TIERS } from "./scene.ts";
export { CountedServer } from "./sockets.ts";
export { History, type Staleness } from "./staleness.ts";
export { type Crowd, type Host, type IdleCrowd, type Spent, spentHere, until, type Volume } from "./subject.ts";
