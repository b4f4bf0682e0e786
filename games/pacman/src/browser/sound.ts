/**
 * Every sound of the game, made on the spot from oscillators: there is nothing to load. Silent until the first key or touch, because browsers ask for
 * that, and while muted; muting is remembered.
 */

const MUTED_KEY = "nearfield.pacman.muted";

interface Note {
  readonly from: number;
  readonly to?: number;
  /** Seconds after the start of the sound. */
  readonly at: number;
  readonly length: number;
  readonly loud?: number;
  readonly wave?: OscillatorType;
  /** −1 left – 1 right. */
  readonly pan?: number;
}

export class Sound {
  readonly #storage: Storage;
  #context: AudioContext | undefined;
  #out: GainNode | undefined;
  #muted: boolean;
  #odd = false;
  #siren: { oscillator: OscillatorNode; gain: GainNode } | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#muted = storage.getItem(MUTED_KEY) === "1";
  }

  get muted(): boolean {
    return this.#muted;
  }

  /** Call from a key, click or touch. */
  wake(): void {
    if (!this.#context) {
      this.#context = new AudioContext();
      this.#out = this.#context.createGain();
      this.#out.gain.value = this.#muted ? 0 : 0.5;
      this.#out.connect(this.#context.destination);
    }
    if (this.#context.state === "suspended") void this.#context.resume();
  }

  toggleMute(): boolean {
    this.#muted = !this.#muted;
    this.#storage.setItem(MUTED_KEY, this.#muted ? "1" : "0");
    if (this.#context && this.#out)
      this.#out.gain.setTargetAtTime(this.#muted ? 0 : 0.5, this.#context.currentTime, 0.02);
    return this.#muted;
  }

  /** Wa, ka. */
  chomp(): void {
    this.#odd = !this.#odd;
    const note = this.#odd ? { from: 240, to: 430 } : { from: 430, to: 240 };
    this.#play([{ ...note, at: 0, length: 0.07, loud: 0.16, wave: "triangle" }]);
  }

  power(): void {
    this.#play(
      [0, 1, 2, 3, 4].map((step) => ({
        from: 220 * 1.26 ** step,
        to: 330 * 1.26 ** step,
        at: step * 0.06,
        length: 0.09,
        loud: 0.2,
        wave: "square" as const,
      })),
    );
  }

  eatGhost(): void {
    this.#play([
      { from: 180, to: 1300, at: 0, length: 0.26, loud: 0.24, wave: "sawtooth" },
      { from: 1300, to: 1600, at: 0.26, length: 0.1, loud: 0.16, wave: "square" },
    ]);
  }

  eatPlayer(): void {
    this.#play(
      [523, 659, 784, 1047].map((from, step) => ({
        from,
        at: step * 0.07,
        length: 0.12,
        loud: 0.2,
        wave: "square" as const,
      })),
    );
  }

  cleared(): void {
    this.#play(
      [392, 523, 659, 784, 659, 1047].map((from, step) => ({
        from,
        at: step * 0.09,
        length: 0.14,
        loud: 0.18,
        wave: "triangle" as const,
      })),
    );
  }

  extraLife(): void {
    this.#play(
      [0, 1, 2, 3].map((step) => ({ from: 1320, at: step * 0.13, length: 0.09, loud: 0.16, wave: "square" as const })),
    );
  }

  death(): void {
    this.#play([
      ...[0, 1, 2, 3, 4, 5, 6].map((step) => ({
        from: 780 - step * 90,
        to: 520 - step * 70,
        at: step * 0.13,
        length: 0.13,
        loud: 0.22,
        wave: "triangle" as const,
      })),
      { from: 160, to: 60, at: 0.95, length: 0.3, loud: 0.25, wave: "sawtooth" },
    ]);
  }

  start(): void {
    this.#play(
      [262, 330, 392, 523].map((from, step) => ({
        from,
        at: step * 0.1,
        length: 0.16,
        loud: 0.16,
        wave: "triangle" as const,
      })),
    );
  }

  /** An opponent is next door; `pan` says on which side. */
  beep(pan: number): void {
    this.#play([
      { from: 988, at: 0, length: 0.075, loud: 0.2, wave: "sine", pan },
      { from: 988, at: 0.12, length: 0.075, loud: 0.14, wave: "sine", pan },
    ]);
  }

  /** A low wail while the own avatar has power. */
  siren(on: boolean): void {
    if (!this.#context || !this.#out) return;
    if (!on) {
      this.#siren?.oscillator.stop(this.#context.currentTime + 0.1);
      this.#siren?.gain.gain.setTargetAtTime(0, this.#context.currentTime, 0.03);
      this.#siren = undefined;
      return;
    }
    if (this.#siren) return;
    const oscillator = this.#context.createOscillator();
    const wobble = this.#context.createOscillator();
    const depth = this.#context.createGain();
    const gain = this.#context.createGain();
    oscillator.type = "triangle";
    oscillator.frequency.value = 150;
    wobble.frequency.value = 5.5;
    depth.gain.value = 55;
    gain.gain.value = 0.1;
    wobble.connect(depth).connect(oscillator.frequency);
    oscillator.connect(gain).connect(this.#out);
    oscillator.onended = () => wobble.stop();
    wobble.start();
    oscillator.start();
    this.#siren = { oscillator, gain };
  }

  #play(notes: readonly Note[]): void {
    if (!this.#context || !this.#out || this.#muted || this.#context.state !== "running") return;
    for (const note of notes) playNote(this.#context, this.#out, note);
  }
}

function playNote(context: AudioContext, out: AudioNode, note: Note): void {
  const start = context.currentTime + note.at;
  const end = start + note.length;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  const panner = context.createStereoPanner();
  oscillator.type = note.wave ?? "square";
  oscillator.frequency.setValueAtTime(note.from, start);
  if (note.to !== undefined) oscillator.frequency.exponentialRampToValueAtTime(note.to, end);
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(note.loud ?? 0.2, start + 0.008);
  gain.gain.setValueAtTime(note.loud ?? 0.2, Math.max(start + 0.008, end - 0.025));
  gain.gain.linearRampToValueAtTime(0, end);
  panner.pan.value = note.pan ?? 0;
  oscillator.connect(gain).connect(panner).connect(out);
  oscillator.start(start);
  oscillator.stop(end);
}
