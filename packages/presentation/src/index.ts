// Motion models: where a client shows an object between two sends.
export { hold } from "./hold.ts";
export { linear } from "./linear.ts";
export { MOTION_SIZE, type MotionModel, PLACE_SIZE } from "./motion-model.ts";
