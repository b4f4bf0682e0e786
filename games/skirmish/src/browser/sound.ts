/**
 * The game's sounds. Each is rendered once, when the player first does something (browsers allow none before), and then only played, as the `Ear` hears it. At most
 * `MOST_VOICES` sound at once; beyond that only what is near is played. Muting is remembered.
 */

import type { Camera } from "./camera.ts";
import { Ear } from "./ear.ts";
import { RECIPES, render, type SoundName } from "./sound-recipes.ts";

const MUTED_KEY = "nearfield.skirmish.muted";
const MOST_VOICES = 16;
const LOUD = 0.5;
/** Louder than this is never left out. */
const NEAR = 0.8;

/** What makes a sound near or far, left or right; one after another uses it. */
interface Voice {
  readonly gain: GainNode;
  readonly panner: StereoPannerNode;
}

export class Sound {
  readonly #storage: Storage;
  readonly #buffers = new Map<SoundName, AudioBuffer>();
  readonly #ear = new Ear();
  readonly #silent: Voice[] = [];
  #context: AudioContext | undefined;
  #out: GainNode | undefined;
  #muted: boolean;
  #voices = 0;
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

  /** Sounds of the world are heard from where this camera is, wherever it goes. */
  listen(camera: Camera): void {
    this.#ear.listen(camera);
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

  /** At a place in the world, or, without one, in the ear. */
  play(name: SoundName, x?: number, y?: number): void {
    const buffer = this.#buffers.get(name);
    const context = this.#context;
    if (!context || !this.#out || !buffer || this.#muted || context.state !== "running") return;
    const { loud, side } = this.#ear.hear(name, context.currentTime * 1000, x, y);
    if (loud === 0 || (loud < NEAR && this.#voices >= MOST_VOICES)) return;
    this.#played++;
    const voice = this.#silent.pop() ?? voiceOf(context, this.#out);
    voice.gain.gain.value = loud;
    voice.panner.pan.value = side;
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
