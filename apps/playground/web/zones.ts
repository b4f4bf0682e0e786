/**
 * The landing page's illustration of consistency zones.
 *
 * Objects wander; each is drawn where a player with this pivot would see it. The drawn position jumps to the true one
 * once the two are further apart than the bound of the object's zone: 0 near, more in each zone outward. It is a
 * drawing on one machine and sends nothing.
 */

interface Zone {
  /** Outer radius as a share of the picture's height; the last zone has none. */
  readonly radius: number;
  /** Largest distance between true and drawn position, as a share of the picture's height. */
  readonly bound: number;
  readonly colour: string;
}

interface Wanderer {
  x: number;
  y: number;
  heading: number;
  drawnX: number;
  drawnY: number;
  /** 1 just after the drawn position jumped, fading to 0. */
  glow: number;
}

const zones: readonly Zone[] = [
  { radius: 0.2, bound: 0, colour: "#5cf2c2" },
  { radius: 0.42, bound: 0.035, colour: "#58b7ff" },
  { radius: Number.POSITIVE_INFINITY, bound: 0.11, colour: "#8a7dff" },
];
const wandererCount = 52;
/** Picture heights; the shape the style sheet gives. */
const widthAtStart = 3 / 2;
/** Picture heights per second. */
const speed = 0.055;

export function drawZones(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const paint = context;
  const wanderers = Array.from({ length: wandererCount }, (_, index) => scatter(index));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let pivot: readonly [number, number] | undefined;
  let lastMs = performance.now();

  canvas.addEventListener("pointermove", (event) => {
    pivot = [event.offsetX / canvas.clientHeight, event.offsetY / canvas.clientHeight];
    if (still) frame(lastMs);
  });
  canvas.addEventListener("pointerleave", () => {
    pivot = undefined;
  });

  function frame(nowMs: number): void {
    const seconds = still ? 0 : Math.min(0.1, (nowMs - lastMs) / 1000);
    lastMs = nowMs;
    const width = canvas.clientWidth / canvas.clientHeight;
    const [px, py] = pivot ?? [width / 2 + 0.16 * Math.cos(nowMs / 4100), 0.5 + 0.1 * Math.sin(nowMs / 2900)];
    for (const wanderer of wanderers) {
      wander(wanderer, seconds, width);
      look(wanderer, zoneOf(wanderer, px, py), seconds);
    }
    fit(canvas, paint);
    paintRings(paint, px, py);
    for (const wanderer of wanderers) paintWanderer(paint, wanderer, zoneOf(wanderer, px, py).colour);
    paintPivot(paint, px, py);
  }

  function loop(nowMs: number): void {
    frame(nowMs);
    requestAnimationFrame(loop);
  }
  if (still) {
    frame(lastMs);
    addEventListener("resize", () => frame(lastMs));
  } else {
    requestAnimationFrame(loop);
  }
}

/** Spreads the objects evenly (the fractional parts of multiples of two irrational numbers). */
function scatter(index: number): Wanderer {
  const x = ((index * 0.7548776662) % 1) * widthAtStart;
  const y = 0.05 + 0.9 * ((index * 0.5698402909 + 0.5) % 1);
  return { x, y, heading: index * 2.4, drawnX: x, drawnY: y, glow: 0 };
}

function zoneOf(wanderer: Wanderer, px: number, py: number): Zone {
  const distance = Math.hypot(wanderer.x - px, wanderer.y - py);
  return zones.find((zone) => distance < zone.radius)!;
}

function wander(wanderer: Wanderer, seconds: number, width: number): void {
  wanderer.heading += (Math.random() - 0.5) * 3 * seconds;
  wanderer.x += Math.cos(wanderer.heading) * speed * seconds;
  wanderer.y += Math.sin(wanderer.heading) * speed * seconds;
  const margin = 0.04;
  if (wanderer.x < margin || wanderer.x > width - margin) wanderer.heading = Math.PI - wanderer.heading;
  if (wanderer.y < margin || wanderer.y > 1 - margin) wanderer.heading = -wanderer.heading;
  wanderer.x = Math.min(Math.max(wanderer.x, margin), width - margin);
  wanderer.y = Math.min(Math.max(wanderer.y, margin), 1 - margin);
}

function look(wanderer: Wanderer, zone: Zone, seconds: number): void {
  wanderer.glow = Math.max(0, wanderer.glow - 2 * seconds);
  if (Math.hypot(wanderer.x - wanderer.drawnX, wanderer.y - wanderer.drawnY) <= zone.bound) return;
  wanderer.drawnX = wanderer.x;
  wanderer.drawnY = wanderer.y;
  if (zone.bound > 0) wanderer.glow = 1;
}

/** Matches the canvas to its size on screen; afterwards one unit is the picture's height. */
function fit(canvas: HTMLCanvasElement, paint: CanvasRenderingContext2D): void {
  const scale = devicePixelRatio;
  const width = Math.round(canvas.clientWidth * scale);
  const height = Math.round(canvas.clientHeight * scale);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  paint.setTransform(1, 0, 0, 1, 0, 0);
  paint.clearRect(0, 0, width, height);
  paint.scale(height, height);
}

function circle(paint: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  paint.beginPath();
  paint.arc(x, y, radius, 0, 2 * Math.PI);
}

function paintRings(paint: CanvasRenderingContext2D, px: number, py: number): void {
  paint.lineWidth = 0.004;
  for (const zone of zones) {
    if (zone.radius === Number.POSITIVE_INFINITY) continue;
    circle(paint, px, py, zone.radius);
    paint.globalAlpha = 0.06;
    paint.fillStyle = zone.colour;
    paint.fill();
    paint.globalAlpha = 0.45;
    paint.strokeStyle = zone.colour;
    paint.stroke();
  }
}

function paintWanderer(paint: CanvasRenderingContext2D, wanderer: Wanderer, colour: string): void {
  paint.lineWidth = 0.003;
  paint.strokeStyle = paint.fillStyle = colour;
  paint.globalAlpha = 0.35;
  circle(paint, wanderer.x, wanderer.y, 0.012);
  paint.stroke();
  if (wanderer.glow > 0) {
    paint.globalAlpha = 0.35 * wanderer.glow;
    circle(paint, wanderer.drawnX, wanderer.drawnY, 0.013 + 0.02 * (1 - wanderer.glow));
    paint.stroke();
  }
  paint.globalAlpha = 0.95;
  circle(paint, wanderer.drawnX, wanderer.drawnY, 0.012);
  paint.fill();
  paint.globalAlpha = 1;
}

function paintPivot(paint: CanvasRenderingContext2D, px: number, py: number): void {
  paint.fillStyle = "#ffffff";
  circle(paint, px, py, 0.016);
  paint.fill();
}
