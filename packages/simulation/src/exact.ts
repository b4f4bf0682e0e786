/**
 * Math with the same bits on every machine, in place of what `Math` has of the kind: `exact.sine(angle)` for `Math.sin(angle)`. Angles are in
 * radians. `+ − × ÷`, `Math.sqrt` and rounding need nothing of the kind.
 */

export { angleBetween, cosine, directionOf, foldAngle, sine } from "@nearfield/schema/internal";
export { cubeRoot } from "./math/cube-root.ts";
export { exponential, logarithm, power } from "./math/exponential.ts";
export { arccosine, arcsine, tangent } from "./math/tangent.ts";
