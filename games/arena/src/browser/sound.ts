/**
 * The arena's sounds. Each is rendered once, when the player first does something (browsers allow none before), and then only played: louder when it
 * is near, on the side it comes from. At most `MOST_VOICES` sound at once; beyond that, and where the same sound has just begun, far ones are left
 * out. Muting is remembered.
 */

import { RECIPES, render, type SoundName } from "./sound-recipes.ts";

const MUTED_KEY = "nearfield.arena.muted";
const MOST_VOICES = 14;
const LOUD = 0.55;
/** World units at which a sound is half as loud. */
const HALF_AT = 190;
/** World units to one side that sound as far to that side as can be. */
const SIDE_AT = 320;
/** Louder than this is never left out. */
const NEAR = 0.7;
/** What is quieter is not worth playing. */
const FAINT = 0.04;
/** The same sound from afar again only after this time, ms. */
const AGAIN_MS = 45;

/** Where a sound comes from, seen from the ear: world units to the right and down. */
export interface Place {
  readonly dx: number;
  readonly dy: number;
}

const HERE: Place = { dx: 0, dy: 0 };

/** What makes a sound near or far, left or right; one after another uses it. */
interface Voice {
  readonly gain: GainNode;
  readonly panner: StereoPannerNode;
}

export class Sound {
  readonly #storage: Storage;
  readonly #buffers = new Map<SoundName, AudioBuffer>();
  readonly #begunMs = new Map<SoundName, number>();
  #context: AudioContext | undefined;
  #out: GainNode | undefined;
  #muted: boolean;
  #voices = 0;
  readonly #silent: Voice[] = [];
  #played = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#muted = storage.getItem(MUTED_KEY) === "1";
  }

  get muted(): boolean {
    return this.#muted;
  }

  /** Sounds that were really played since the page was opened. */
  get played(): number {
    return this.#played;
  }

  /** Call from a key, click or touch. */
  wake(): void {
    if (!this.#context) void this.#begin();
    else if (this.#context.state === "suspended") void this.#context.resume();
  }

  toggleMute(): void {
    this.#muted = !this.#muted;
    this.#storage.setItem(MUTED_KEY, this.#muted ? "1" : "0");
    if (this.#context) this.#out?.gain.setTargetAtTime(this.#muted ? 0 : LOUD, this.#context.currentTime, 0.02);
  }

  play(name: SoundName, place: Place = HERE): void {
    const buffer = this.#buffers.get(name);
    const context = this.#context;
    if (!context || !this.#out || !buffer || this.#muted || context.state !== "running") return;
    const near = 1 / (1 + (Math.hypot(place.dx, place.dy) / HALF_AT) ** 1.6);
    const nowMs = context.currentTime * 1000;
    const again = nowMs - (this.#begunMs.get(name) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS;
    if (near < FAINT || (near < NEAR && (again || this.#voices >= MOST_VOICES))) return;
    this.#begunMs.set(name, nowMs);
    this.#played++;
    const voice = this.#silent.pop() ?? voiceOf(context, this.#out);
    voice.gain.gain.value = near;
    voice.panner.pan.value = Math.max(-0.85, Math.min(0.85, place.dx / SIDE_AT));
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(voice.gain);
    this.#voices++;
    source.onended = () => {
      source.disconnect();
      this.#silent.push(voice);
      this.#voices--;
    };
    source.start();
  }

  async #begin(): Promise<void> {
    const context = new AudioContext();
    this.#context = context;
    this.#out = context.createGain();
    this.#out.gain.value = this.#muted ? 0 : LOUD;
    this.#out.connect(context.createDynamicsCompressor()).connect(context.destination);
    for (const name of Object.keys(RECIPES) as SoundName[])
      this.#buffers.set(name, await render(RECIPES[name], context.sampleRate));
  }
}

function voiceOf(context: AudioContext, out: AudioNode): Voice {
  const voice = { gain: context.createGain(), panner: context.createStereoPanner() };
  voice.gain.connect(voice.panner).connect(out);
  return voice;
}
