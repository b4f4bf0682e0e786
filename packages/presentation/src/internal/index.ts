/** @nearfield/presentation/internal: for packages of this repository. It may change with any version. */

// Motion models: where a client shows an object between two sends.

export { advanceBody, BODY_SIZE, BodyField, DIS_MODELS, type DisModel } from "../dis.ts";
export { linear } from "../linear.ts";
export { FULL_MOTION_SIZE, type MotionModel, PLACE_SIZE } from "../motion-model.ts";

// The receiving side: from timed sends to a picture.

export { delayFor } from "../delay.ts";
export { fitPresentation, missingRole, type PresentedBy, type SentRoles } from "../fit.ts";
export { Presentation } from "../presentation.ts";
export type { AppliedSend, Picture } from "../presenter.ts";
export { SEND_SIZE, type Send, SendField, writeSend } from "../send.ts";
export {
  type Convergence,
  DEFAULT_PRESENTER,
  type MotionModelName,
  type ResolvedPresenterSettings,
  resolvePresenterSettings,
  type Turning,
} from "../settings.ts";
export { PICTURE_SIZE } from "../target.ts";

// The sending side: when to send, and courses that are sent once.

export { isOver, type MotionKind, placeOnCourse, velocityOnCourse } from "../sender/motion-kinds.ts";
export type { Orientation, PreReckoning, SenderOptions, SendReason, Thresholds } from "../sender/sender.ts";

// Genres: how others are shown their entities.

export { GENRES, type GenreName, type GenreNetworks, type GenrePreset, type GenreSettings } from "../genres/presets.ts";
export type { Recommendation } from "../genres/recommend.ts";

// The clock: the server's time from probes, shown without ever going back.

export { ClockEstimator, type ClockSample, type SampleFate } from "../clock/clock-estimator.ts";
export { Lateness } from "../clock/lateness.ts";
export { SlewedClock } from "../clock/slewed-clock.ts";
