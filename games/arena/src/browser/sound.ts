/**
 * Every sound of the arena, made on the spot: noise through filters, and a few tones. There is nothing to load. Places come as distance and side, so
 * that one hears where the fight is. At most `MOST_VOICES` sound at once; beyond that the far ones are left out. Silent until the first key or
 * touch, because browsers ask for that, and while muted, which is remembered.
 */

import type { ItemKind } from "../state.ts";

const MUTED_KEY = "nearfield.arena.muted";
const MOST_VOICES = 20;
const LOUD = 0.55;
/** World units at which a sound is half as loud. */
const HALF_AT = 190;

/** Where a sound comes from, seen from the ear: world units to the right and down. */
export interface Place {
  readonly dx: number;
  readonly dy: number;
}

const HERE: Place = { dx: 0, dy: 0 };

interface Burst {
  /** Filter at the start and at the end, Hz. */
  readonly from: number;
  readonly to: number;
  readonly lengthS: number;
  readonly loud: number;
  readonly filter?: BiquadFilterType;
  readonly atS?: number;
}

interface Tone {
  readonly from: number;
  readonly to?: number;
  readonly lengthS: number;
  readonly loud: number;
  readonly wave?: OscillatorType;
  readonly atS?: number;
}

export class Sound {
  readonly #storage: Storage;
  #context: AudioContext | undefined;
  #out: GainNode | undefined;
  #noise: AudioBuffer | undefined;
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

  /** Sounds begun since the page was opened. */
  get played(): number {
    return this.#played;
  }

  /** Call from a key, click or touch. */
  wake(): void {
    if (!this.#context) {
      this.#context = new AudioContext();
      this.#out = this.#context.createGain();
      this.#out.gain.value = this.#muted ? 0 : LOUD;
      const limiter = this.#context.createDynamicsCompressor();
      this.#out.connect(limiter).connect(this.#context.destination);
      this.#noise = whiteNoise(this.#context);
    }
    if (this.#context.state === "suspended") void this.#context.resume();
  }

  toggleMute(): void {
    this.#muted = !this.#muted;
    this.#storage.setItem(MUTED_KEY, this.#muted ? "1" : "0");
    if (this.#context) this.#out?.gain.setTargetAtTime(this.#muted ? 0 : LOUD, this.#context.currentTime, 0.02);
  }

  rifle(place: Place = HERE): void {
    this.#play(
      place,
      [{ from: 3400, to: 500, lengthS: 0.13, loud: 0.5, filter: "bandpass" }],
      [{ from: 190, to: 55, lengthS: 0.09, loud: 0.4, wave: "triangle" }],
    );
  }

  launch(place: Place = HERE): void {
    this.#play(
      place,
      [{ from: 500, to: 2200, lengthS: 0.5, loud: 0.34, filter: "bandpass" }],
      [{ from: 120, to: 60, lengthS: 0.2, loud: 0.4, wave: "sawtooth" }],
    );
  }

  blast(place: Place = HERE): void {
    this.#play(
      place,
      [
        { from: 1800, to: 70, lengthS: 0.9, loud: 0.9 },
        { from: 5000, to: 800, lengthS: 0.16, loud: 0.35, filter: "highpass" },
      ],
      [{ from: 95, to: 28, lengthS: 0.55, loud: 0.8, wave: "sine" }],
    );
  }

  /** A fight far away: no more than a rumble. */
  rumble(place: Place, big: boolean): void {
    this.#play({ dx: place.dx / 4, dy: place.dy / 4 }, [
      { from: big ? 260 : 700, to: big ? 50 : 300, lengthS: big ? 0.8 : 0.22, loud: big ? 0.3 : 0.12 },
    ]);
  }

  ricochet(place: Place): void {
    this.#play(place, [{ from: 6000, to: 2500, lengthS: 0.06, loud: 0.14, filter: "highpass" }]);
  }

  hit(killed: boolean): void {
    this.#play(
      HERE,
      [],
      [
        { from: 1500, to: 1100, lengthS: 0.05, loud: 0.24, wave: "square" },
        ...(killed
          ? [660, 880, 1320].map((from, at) => ({
              from,
              lengthS: 0.13,
              loud: 0.17,
              wave: "triangle" as const,
              atS: 0.06 + at * 0.07,
            }))
          : []),
      ],
    );
  }

  hurt(): void {
    this.#play(
      HERE,
      [{ from: 900, to: 180, lengthS: 0.14, loud: 0.45 }],
      [{ from: 170, to: 70, lengthS: 0.16, loud: 0.45, wave: "sawtooth" }],
    );
  }

  death(): void {
    this.#play(
      HERE,
      [{ from: 1200, to: 90, lengthS: 0.8, loud: 0.4 }],
      [{ from: 330, to: 42, lengthS: 0.9, loud: 0.4, wave: "sawtooth" }],
    );
  }

  respawn(): void {
    this.#play(
      HERE,
      [],
      [
        { from: 220, to: 880, lengthS: 0.28, loud: 0.2, wave: "triangle" },
        { from: 880, lengthS: 0.16, loud: 0.14, wave: "sine", atS: 0.24 },
      ],
    );
  }

  pickup(kind: ItemKind, place: Place = HERE): void {
    const root = { health: 523, armour: 392, ammo: 330, launcher: 262 }[kind];
    this.#play(
      place,
      [],
      [
        { from: root, lengthS: 0.08, loud: 0.17, wave: "triangle" },
        { from: root * 1.5, lengthS: 0.13, loud: 0.17, wave: "triangle", atS: 0.07 },
      ],
    );
  }

  swap(): void {
    this.#play(HERE, [
      { from: 2600, to: 1800, lengthS: 0.04, loud: 0.2, filter: "bandpass" },
      { from: 1500, to: 2400, lengthS: 0.05, loud: 0.24, filter: "bandpass", atS: 0.07 },
    ]);
  }

  empty(): void {
    this.#play(HERE, [{ from: 3000, to: 2600, lengthS: 0.03, loud: 0.2, filter: "bandpass" }]);
  }

  scope(up: boolean): void {
    this.#play(HERE, [], [{ from: up ? 420 : 640, to: up ? 640 : 420, lengthS: 0.09, loud: 0.09, wave: "sine" }]);
  }

  matchOver(): void {
    this.#play(
      HERE,
      [],
      [392, 523, 659, 784].map((from, at) => ({
        from,
        lengthS: 0.3,
        loud: 0.16,
        wave: "triangle" as const,
        atS: at * 0.14,
      })),
    );
  }

  #play(place: Place, bursts: readonly Burst[], tones: readonly Tone[] = []): void {
    const { dx, dy } = place;
    const near = 1 / (1 + (Math.hypot(dx, dy) / HALF_AT) ** 1.6);
    this.#played++;
    if (!this.#context || !this.#out || this.#muted || this.#context.state !== "running") return;
    if (near < 0.02 || (this.#voices >= MOST_VOICES && near < 0.8)) return;
    const panner = this.#context.createStereoPanner();
    panner.pan.value = Math.max(-0.85, Math.min(0.85, dx / 320));
    panner.connect(this.#out);
    for (const burst of bursts) this.#burst(burst, near, panner);
    for (const tone of tones) this.#tone(tone, near, panner);
  }

  #burst({ from, to, lengthS, loud, filter = "lowpass", atS = 0 }: Burst, near: number, out: AudioNode): void {
    const context = this.#context!;
    const start = context.currentTime + atS;
    const source = context.createBufferSource();
    source.buffer = this.#noise!;
    const shape = context.createBiquadFilter();
    shape.type = filter;
    // What is far loses its highs first.
    shape.frequency.setValueAtTime(from * (0.35 + 0.65 * near), start);
    shape.frequency.exponentialRampToValueAtTime(to, start + lengthS);
    source
      .connect(shape)
      .connect(this.#envelope(start, lengthS, loud * near))
      .connect(out);
    source.start(start, (this.#played % 7) * 0.1);
    source.stop(start + lengthS);
    this.#count(source);
  }

  #tone({ from, to, lengthS, loud, wave = "sine", atS = 0 }: Tone, near: number, out: AudioNode): void {
    const context = this.#context!;
    const start = context.currentTime + atS;
    const source = context.createOscillator();
    source.type = wave;
    source.frequency.setValueAtTime(from, start);
    if (to !== undefined) source.frequency.exponentialRampToValueAtTime(to, start + lengthS);
    source.connect(this.#envelope(start, lengthS, loud * near)).connect(out);
    source.start(start);
    source.stop(start + lengthS);
    this.#count(source);
  }

  #envelope(start: number, lengthS: number, loud: number): GainNode {
    const gain = this.#context!.createGain();
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loud, start + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0008, start + lengthS);
    return gain;
  }

  #count(source: AudioScheduledSourceNode): void {
    this.#voices++;
    source.onended = () => {
      this.#voices--;
    };
  }
}

function whiteNoise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate * 2, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  return buffer;
}
