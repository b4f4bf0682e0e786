// Motion models: where a client shows an object between two sends.

export { advanceBody, BODY_SIZE, BodyField, DIS_MODELS, type DisModel } from "./dis.ts";
export { fading } from "./fading.ts";
export { hold } from "./hold.ts";
export { linear } from "./linear.ts";
export { FULL_MOTION_SIZE, MOTION_SIZE, type MotionModel, PLACE_SIZE } from "./motion-model.ts";
export { pacedFading } from "./paced-fading.ts";
export { history, historyCurve, historyLine } from "./position-history.ts";
export { accelerated, quadratic } from "./quadratic.ts";

// The receiving side: from timed sends to a picture.

export { delayFor } from "./delay.ts";
export { PresentationError } from "./errors.ts";
export { fitPresentation, missingRole, type PresentedBy, type SentRoles } from "./fit.ts";
export { Presentation } from "./presentation.ts";
export { type AppliedSend, type Picture, Presenter, shownAt } from "./presenter.ts";
export { SEND_SIZE, type Send, SendField, writeSend } from "./send.ts";
export {
  type Convergence,
  DEFAULT_PRESENTER,
  MOTION_MODELS,
  type MotionModelName,
  type PresenterSettings,
  type ResolvedPresenterSettings,
  resolvePresenterSettings,
  type Turning,
} from "./settings.ts";
export { PICTURE_SIZE } from "./target.ts";

// The sending side: when to send, and courses that are sent once.

export { isOver, type MotionKind, placeOnCourse, velocityOnCourse } from "./sender/motion-kinds.ts";
export {
  type Orientation,
  type PreReckoning,
  Sender,
  type SenderOptions,
  type SendReason,
  type Thresholds,
} from "./sender/sender.ts";

// Genres: how others are shown their entities.

export {
  arcade,
  GENRES,
  type GenreName,
  type GenreNetworks,
  type GenrePreset,
  type GenreSettings,
  shooter,
  simulation,
  sport,
} from "./genres/presets.ts";
export { type MovementSample, type Recommendation, recommendPreset, settingsFor } from "./genres/recommend.ts";

// The clock: the server's time from probes, shown without ever going back.

export { ClockEstimator, type ClockSample, type SampleFate } from "./clock/clock-estimator.ts";
export { Lateness } from "./clock/lateness.ts";
export { SlewedClock } from "./clock/slewed-clock.ts";
