/**
 * What a page's own scripts take per frame, read out of a Chromium trace: the callbacks of the animation frame, and all that ran since the frame before
 * it — messages, timers, input, the collection of garbage. What the test itself runs in the page is not in it, nor are layout and painting.
 *
 * In time of the thread: what Chromium writes beside every event of a trace. It stands still while the machine does something else, so that other work
 * on the machine adds little: cold caches, and where it delays a frame, the messages that came meanwhile. `sinceMs` tells such frames apart.
 */

import type { Browser } from "playwright-core";

export interface FrameScript {
  /** Thread time of the scripts, ms. */
  readonly scriptMs: number;
  /** Ms since the frame before, by the wall; `Infinity` for the first. */
  readonly sinceMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Begin by the wall, µs. */
  readonly ts: number;
  /** Begin and length by the thread's clock, µs. */
  readonly tts: number;
  readonly tdur: number;
  readonly args: { readonly data?: { readonly url?: string } };
}

const CALLBACK = "FireAnimationFrame";
const GARBAGE: ReadonlySet<string> = new Set(["MinorGC", "MajorGC"]);
/** Callbacks of one frame follow each other at once; between two frames the thread lays out and paints for longer than this. */
const APART_US = 100;

/** The frames of the page at an address while `during` runs, in order. It is the only one in the browser. */
export async function traceFrames(
  browser: Browser,
  url: string,
  during: () => Promise<unknown>,
): Promise<FrameScript[]> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) if (isScript(event, url)) events.push(event);
  });
  await session.send("Tracing.start", { categories: "devtools.timeline", transferMode: "ReportEvents" });
  await during();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  return perFrame(outermost(ofPage(events)));
}

function isScript({ name, tdur, args }: TraceEvent, url: string): boolean {
  if (tdur === undefined) return false;
  if (name === "FunctionCall") return args.data?.url?.startsWith(url) === true;
  return name === CALLBACK || GARBAGE.has(name);
}

/** Those of the thread that runs the page's frames. */
function ofPage(events: readonly TraceEvent[]): TraceEvent[] {
  const frame = events.find(({ name }) => name === CALLBACK);
  return events.filter(({ pid, tid }) => pid === frame?.pid && tid === frame.tid);
}

/** Leaves out what ran within another, whose time counts already. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  const inOrder = [...events].sort((a, b) => a.tts - b.tts || b.tdur - a.tdur);
  let end = Number.NEGATIVE_INFINITY;
  return inOrder.filter(({ tts, tdur }) => {
    if (tts < end) return false;
    end = tts + tdur;
    return true;
  });
}

function perFrame(events: readonly TraceEvent[]): FrameScript[] {
  const frames: FrameScript[] = [];
  let sumUs = 0;
  /** When the frame before began, and this one; when this one's last callback was over. NaN: not yet. */
  let beforeUs = Number.NaN;
  let begunUs = Number.NaN;
  let overUs = Number.NaN;
  for (const { name, ts, tts, tdur } of events) {
    if (tts - overUs >= APART_US) {
      const sinceMs = Number.isNaN(beforeUs) ? Number.POSITIVE_INFINITY : (begunUs - beforeUs) / 1000;
      frames.push({ scriptMs: sumUs / 1000, sinceMs });
      beforeUs = begunUs;
      sumUs = 0;
      begunUs = overUs = Number.NaN;
    }
    sumUs += tdur;
    if (name !== CALLBACK) continue;
    if (Number.isNaN(begunUs)) begunUs = ts;
    overUs = tts + tdur;
  }
  return frames;
}
