/**
 * A motion model says where a client shows an object between two sends (dead reckoning, N §2.7.1). The same model runs on both sides of the wire:
 * the client draws with it, and the server runs it to know what the player sees (the metric `predicted`). So a model is a pure function of what
 * was sent and of the time since. It knows neither latency nor convergence; the client adds these.
 *
 * A model keeps a few numbers per object, its *state*. Only a send changes the state. A model may use earlier sends: `receive` finds the state as
 * the send before left it. Nothing is allocated; numbers are read from and written to arrays.
 */

/** What a send says of an object's motion: position in world units, then velocity in world units per second. In 2D both z are 0. */
export const MOTION_SIZE = 6;

/** The same and acceleration, in world units per second squared: what models read that say so by `motionSize`. */
export const FULL_MOTION_SIZE = 9;

/** Numbers of a position. */
export const PLACE_SIZE = 3;

/** Two sends closer than this, in ms, are of one moment: nothing can be told from the step between them. */
export const SAME_MOMENT_MS = 0.001;

export interface MotionModel {
  /** What views call it: `predicted:NAME`. */
  readonly name: string;
  /** Numbers it keeps per object. */
  readonly stateSize: number;
  /**
   * Numbers it reads of what was sent: `PLACE_SIZE`, the position; `MOTION_SIZE`, the default, also the velocity; or `FULL_MOTION_SIZE`, also
   * the acceleration. A type whose schema does not name what a model reads is not shown by it.
   */
  readonly motionSize?: number;
  /**
   * Whether the model also uses sends before the last one. If one of those turns out to be lost, the server runs the model again without it. For
   * that the state must begin with what the model read of the last send, unless that send settled the object. Default false.
   */
  readonly remembers?: boolean;
  /**
   * The object was sent. Brings `state[at … at + stateSize − 1]` up to date, which is all 0 before the first send.
   *
   * @param motion what was sent, in wire form: `motionSize` numbers from `motionAt` on.
   * @param sinceMs time since the send before; 0 at the first. At 0 the newer of two sends of one moment takes the other's place.
   * @param settles the object stands still, whatever its velocity says: the model must come to rest where it was sent.
   */
  receive(
    state: Float64Array,
    at: number,
    motion: Float64Array,
    motionAt: number,
    sinceMs: number,
    settles: boolean,
  ): void;
  /** Writes where it puts the object `elapsedMs` after the last send into `out[outAt … outAt + 2]`. At 0 that is where it was sent. */
  place(state: Float64Array, at: number, elapsedMs: number, out: Float64Array, outAt: number): void;
  /** Whether it leaves the object where it was sent, however long nothing else is sent. */
  rests(state: Float64Array, at: number): boolean;
  /**
   * Writes the velocity of the picture `elapsedMs` after the last send into `out[outAt … outAt + 2]`, in world units per second. It may do so only
   * if from then on the velocity stays the same or fades evenly on all axes; otherwise it writes `Infinity` on all axes. A model for which this
   * never holds leaves the function out. Without such a velocity the server judges the pair in every round.
   */
  velocity?(state: Float64Array, at: number, elapsedMs: number, out: Float64Array, outAt: number): void;
  /**
   * For models that go straight on and whose state is what was sent, position and velocity (0 where it settles): after t they put the object
   * where its velocity brings it in t ÷ (1 + t ÷ `fadingMs`). `Infinity`: at full speed for good. The server judges their pictures fastest.
   */
  readonly fadingMs?: number;
  /**
   * How sharply the last three positions bend: the cosine of the angle at the middle one, from −1 (straight on) to 1 (straight back). Left
   * out by models that do not know them; convergence asks for it (N §2.7.2).
   */
  bend?(state: Float64Array, at: number): number;
}
