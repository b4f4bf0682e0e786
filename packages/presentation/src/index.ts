// Motion models: where a client shows an object between two sends.

export { fading } from "./fading.ts";
export { hold } from "./hold.ts";
export { linear } from "./linear.ts";
export { MOTION_SIZE } from "./motion-model.ts";
export { pacedFading } from "./paced-fading.ts";
export { history, historyCurve, historyLine } from "./position-history.ts";
export { accelerated, quadratic } from "./quadratic.ts";

// The receiving side: from timed sends to a picture.

export { PresentationError } from "./errors.ts";
export { Presenter, shownAt } from "./presenter.ts";
export { MOTION_MODELS, type PresenterSettings } from "./settings.ts";

// The sending side: when to send, and courses that are sent once.

export { Sender } from "./sender/sender.ts";

// Genres: how others are shown their entities.

export { arcade, shooter, simulation, sport } from "./genres/presets.ts";
export { type MovementSample, recommendPreset, settingsFor } from "./genres/recommend.ts";
