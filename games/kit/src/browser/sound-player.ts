/**
 * Plays a game's sounds. Each is rendered once, when the player first does something (browsers allow none before), and then only played, as loud and on
 * the side as the game says it is heard. At most so many sound at once; beyond that only what is near is played. Muting is remembered.
 */

import { type Recipe, render } from "./sound-recipe.ts";

export interface SoundOptions<Name extends string> {
  /** The game's folder in `games/`: muting is kept under it. */
  readonly game: string;
  readonly recipes: Readonly<Record<Name, Recipe>>;
  /** How many sound at once; more cost the machine's time. */
  readonly mostVoices: number;
  /** Of all sounds together, 0 to 1. */
  readonly loud: number;
  /** Louder than this is never left out, 0 to 1. */
  readonly near: number;
}

/** How a sound arrives at the ear: 0 is not at all, 1 is beside it; -1 is left, 1 is right. */
export interface Heard {
  readonly loud: number;
  readonly side: number;
}

/** What makes a sound near or far, left or right; one after another uses it. */
interface Voice {
  readonly gain: GainNode;
  readonly panner: StereoPannerNode;
}

export class SoundPlayer<Name extends string> {
  readonly #storage: Storage;
  readonly #options: SoundOptions<Name>;
  readonly #buffers = new Map<Name, AudioBuffer>();
  readonly #silent: Voice[] = [];
  #context: AudioContext | undefined;
  #out: GainNode | undefined;
  #muted: boolean;
  #voices = 0;
  #played = 0;

  constructor(storage: Storage, options: SoundOptions<Name>) {
    this.#storage = storage;
    this.#options = options;
    this.#muted = storage.getItem(this.#mutedKey) === "1";
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
    this.#storage.setItem(this.#mutedKey, this.#muted ? "1" : "0");
    const loud = this.#muted ? 0 : this.#options.loud;
    if (this.#context) this.#out?.gain.setTargetAtTime(loud, this.#context.currentTime, 0.02);
  }

  /** `hear` says how the sound arrives; it is asked only if sounds can be played now. */
  protected playAs(name: Name, hear: (nowMs: number) => Heard): void {
    const buffer = this.#buffers.get(name);
    const context = this.#context;
    if (!context || !this.#out || !buffer || this.#muted || context.state !== "running") return;
    const { loud, side } = hear(context.currentTime * 1000);
    if (loud === 0 || (loud < this.#options.near && this.#voices >= this.#options.mostVoices)) return;
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

  get #mutedKey(): string {
    return `nearfield.${this.#options.game}.muted`;
  }

  async #begin(): Promise<void> {
    const context = new AudioContext();
    this.#context = context;
    this.#out = context.createGain();
    this.#out.gain.value = this.#muted ? 0 : this.#options.loud;
    this.#out.connect(context.createDynamicsCompressor()).connect(context.destination);
    const { recipes } = this.#options;
    for (const name of Object.keys(recipes) as Name[])
      this.#buffers.set(name, await render(recipes[name], context.sampleRate));
  }
}

function voiceOf(context: AudioContext, out: AudioNode): Voice {
  const voice = { gain: context.createGain(), panner: context.createStereoPanner() };
  voice.gain.connect(voice.panner).connect(out);
  return voice;
}
