// Motion models: where a client shows an object between two sends.

// Genres: how entities are steered and move, and how others are shown them.
export { angleBetween, cosine, directionOf, foldAngle, sine } from "./genres/angles.ts";
export { action, CONTROLS, direct, pointAndClick, thrust } from "./genres/controls.ts";
export {
  type ControlInput,
  type ControlModel,
  ENTITY_SIZE,
  EntityField,
  type EntityTraits,
  Keys,
  stepEntity,
} from "./genres/entity.ts";
export {
  arcade,
  GENRES,
  type GenreName,
  type GenrePreset,
  type PresentationSettings,
  shooter,
  simulation,
  sport,
} from "./genres/presets.ts";
export { hold } from "./hold.ts";
export { linear } from "./linear.ts";
export { MOTION_SIZE, type MotionModel, PLACE_SIZE } from "./motion-model.ts";
// The sending side: when to send, and courses that are sent once.
export { isOver, type MotionKind, placeOnCourse, velocityOnCourse } from "./sender/motion-kinds.ts";
export { type PreReckoning, Sender, type SenderOptions, type SendReason, type Thresholds } from "./sender/sender.ts";
