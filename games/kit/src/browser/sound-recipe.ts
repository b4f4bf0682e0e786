/** How a sound is made: noise through filters that move, and tones that glide. Nothing is loaded; a `SoundPlayer` renders each recipe once. */

/** Noise through a filter. */
export interface Burst {
  /** Filter at the start and at the end, Hz. */
  readonly from: number;
  readonly to: number;
  readonly lengthS: number;
  readonly loud: number;
  readonly filter?: BiquadFilterType;
  readonly atS?: number;
}

export interface Tone {
  /** Pitch at the start and at the end, Hz. */
  readonly from: number;
  readonly to?: number;
  readonly lengthS: number;
  readonly loud: number;
  readonly wave?: OscillatorType;
  readonly atS?: number;
}

export interface Recipe {
  readonly bursts?: readonly Burst[];
  readonly tones?: readonly Tone[];
}

/** One triangle tone after another, `stepS` apart. */
export function chime(pitches: readonly number[], stepS: number, lengthS: number, loud: number, atS = 0): Tone[] {
  return pitches.map((from, at) => ({ from, lengthS, loud, wave: "triangle", atS: atS + at * stepS }));
}

/** Sounds that pages of several games have. */
export const PAGE_RECIPES: Readonly<Record<"click" | "refused", Recipe>> = {
  click: { bursts: [{ from: 2600, to: 1900, lengthS: 0.03, loud: 0.16, filter: "bandpass" }] },
  refused: {
    tones: [
      { from: 210, to: 180, lengthS: 0.1, loud: 0.16, wave: "square" },
      { from: 160, to: 140, lengthS: 0.14, loud: 0.16, wave: "square", atS: 0.11 },
    ],
  },
};

/** Renders a recipe. */
export async function render(recipe: Recipe, sampleRate: number): Promise<AudioBuffer> {
  const parts = [...(recipe.bursts ?? []), ...(recipe.tones ?? [])];
  const lengthS = Math.max(...parts.map((part) => (part.atS ?? 0) + part.lengthS));
  const context = new OfflineAudioContext(1, Math.ceil(lengthS * sampleRate), sampleRate);
  const noise = whiteNoise(context, lengthS);
  for (const burst of recipe.bursts ?? []) addBurst(context, noise, burst);
  for (const tone of recipe.tones ?? []) addTone(context, tone);
  return await context.startRendering();
}

function addBurst(context: BaseAudioContext, noise: AudioBuffer, burst: Burst): void {
  const { from, to, lengthS, loud, filter = "lowpass", atS = 0 } = burst;
  const source = context.createBufferSource();
  source.buffer = noise;
  const shape = context.createBiquadFilter();
  shape.type = filter;
  shape.frequency.setValueAtTime(from, atS);
  shape.frequency.exponentialRampToValueAtTime(to, atS + lengthS);
  source
    .connect(shape)
    .connect(envelope(context, atS, lengthS, loud))
    .connect(context.destination);
  source.start(atS);
  source.stop(atS + lengthS);
}

function addTone(context: BaseAudioContext, { from, to, lengthS, loud, wave = "sine", atS = 0 }: Tone): void {
  const source = context.createOscillator();
  source.type = wave;
  source.frequency.setValueAtTime(from, atS);
  if (to !== undefined) source.frequency.exponentialRampToValueAtTime(to, atS + lengthS);
  source.connect(envelope(context, atS, lengthS, loud)).connect(context.destination);
  source.start(atS);
  source.stop(atS + lengthS);
}

function envelope(context: BaseAudioContext, atS: number, lengthS: number, loud: number): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, atS);
  gain.gain.linearRampToValueAtTime(loud, atS + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0008, atS + lengthS);
  return gain;
}

function whiteNoise(context: BaseAudioContext, lengthS: number): AudioBuffer {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * lengthS), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  return buffer;
}
