/**
 * Between the world and the map's picture: scale and shift, pan, zoom about a point, fit.
 *
 * A picture's y grows downward, as does the world's in the games of this repository, so nothing is mirrored.
 */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle of the world. */
export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export interface Transform {
  /** Pixels per world unit. */
  readonly scale: number;
  /** Where the world's origin is in the picture, pixels. */
  readonly left: number;
  readonly top: number;
}

export function toPicture({ scale, left, top }: Transform, x: number, y: number): readonly [number, number] {
  return [x * scale + left, y * scale + top];
}

export function toWorld(
  { scale, left, top }: Transform,
  pictureX: number,
  pictureY: number,
): readonly [number, number] {
  return [(pictureX - left) / scale, (pictureY - top) / scale];
}

/** The whole box in the picture, with a margin of a share of it. */
export function fit(box: Box, { width, height }: Size, margin = 0.04): Transform {
  const [across, down] = [Math.max(box.maxX - box.minX, 1e-9), Math.max(box.maxY - box.minY, 1e-9)];
  const room = 1 - 2 * margin;
  const scale = Math.max(1e-9, Math.min((width * room) / across, (height * room) / down));
  return {
    scale,
    left: width / 2 - ((box.minX + box.maxX) / 2) * scale,
    top: height / 2 - ((box.minY + box.maxY) / 2) * scale,
  };
}

export function pan(transform: Transform, dx: number, dy: number): Transform {
  return { ...transform, left: transform.left + dx, top: transform.top + dy };
}

/**
 * Zooms so that the world's point under (pictureX, pictureY) stays there.
 *
 * @param limits least and most pixels per world unit
 */
export function zoomAbout(
  transform: Transform,
  pictureX: number,
  pictureY: number,
  factor: number,
  limits: readonly [number, number],
): Transform {
  const scale = Math.min(limits[1], Math.max(limits[0], transform.scale * factor));
  const share = scale / transform.scale;
  return {
    scale,
    left: pictureX - (pictureX - transform.left) * share,
    top: pictureY - (pictureY - transform.top) * share,
  };
}

/** Centres a point of the world in the picture. */
export function centreOn(transform: Transform, x: number, y: number, { width, height }: Size): Transform {
  return { ...transform, left: width / 2 - x * transform.scale, top: height / 2 - y * transform.scale };
}

/** The box of some points, never empty; at least `least` across. */
export function boxOf(xs: readonly number[], ys: readonly number[], least = 10): Box | undefined {
  if (xs.length === 0) return undefined;
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [index, x] of xs.entries()) {
    const y = ys[index]!;
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, y);
    maxY = Math.max(maxY, y);
  }
  const [padX, padY] = [Math.max(0, least - (maxX - minX)) / 2, Math.max(0, least - (maxY - minY)) / 2];
  return { minX: minX - padX, minY: minY - padY, maxX: maxX + padX, maxY: maxY + padY };
}

/** Which part to show: the whole world if objects fill it; if the world is far larger than the part with objects, that part with a margin. */
export function boxToShow(world: Box | undefined, filled: Box | undefined): Box {
  if (filled === undefined) return world ?? { minX: 0, minY: 0, maxX: 100, maxY: 100 };
  if (world === undefined) return filled;
  const share = Math.max(
    (filled.maxX - filled.minX) / (world.maxX - world.minX),
    (filled.maxY - filled.minY) / (world.maxY - world.minY),
  );
  if (share > FILLED_SHARE) return world;
  const room = 0.1 * Math.max(filled.maxX - filled.minX, filled.maxY - filled.minY);
  return {
    minX: Math.max(world.minX, filled.minX - room),
    minY: Math.max(world.minY, filled.minY - room),
    maxX: Math.min(world.maxX, filled.maxX + room),
    maxY: Math.min(world.maxY, filled.maxY + room),
  };
}

const FILLED_SHARE = 0.75;

/** Distance between grid lines: 1, 2 or 5 times a power of ten, at least so many pixels apart. */
export function gridStep(scale: number, leastPixels: number): number {
  const wanted = leastPixels / scale;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= wanted) ?? 10);
}
