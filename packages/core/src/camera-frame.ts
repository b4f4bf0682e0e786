/**
 * A camera's own way to measure distances, and its rectangle. Zones around a camera are rectangles on the ground, turned as it is; this file says what that means
 * for a distance.
 */

import type { Pivot } from "./view.ts";

export type CameraPivot = Extract<Pivot, { camera: unknown }>;

/**
 * A camera's frame turns the way from its centre to an object into two lengths: along its width, `x · across[0] + y · across[1]`, and along its height. Both are shrunk so
 * that the rectangle becomes a square with the rectangle's shorter side. The larger of the two lengths is the object's distance. So the zones of a
 * camera are squares in its frame, and no distance changes faster than its object moves.
 */
export interface Frame {
  readonly across: readonly [number, number];
  readonly along: readonly [number, number];
}

export function frameOf({ size: [width, height], rotation = 0 }: CameraPivot): Frame {
  const least = Math.min(width, height);
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  return {
    across: [cos * (least / width), sin * (least / width)],
    along: [-sin * (least / height), cos * (least / height)],
  };
}

/** How far an object is from a camera, given the way to it. */
export function distanceInFrame({ across, along }: Frame, dx: number, dy: number): number {
  return Math.max(Math.abs(dx * across[0] + dy * across[1]), Math.abs(dx * along[0] + dy * along[1]));
}

/** How far along x and y the region reaches in which distances from a camera are at most 1. */
export function extentOf({ across, along }: Frame): [x: number, y: number] {
  const a = across[0] * across[0] + across[1] * across[1];
  const b = along[0] * along[0] + along[1] * along[1];
  return [Math.abs(across[0]) / a + Math.abs(along[0]) / b, Math.abs(across[1]) / a + Math.abs(along[1]) / b];
}

/** Whether two cameras differ in where they are at most. */
export function isSameFrame(a: CameraPivot, b: CameraPivot): boolean {
  const shapeOf = ({ size, rotation = 0, coefficients }: CameraPivot): string =>
    [...size, rotation, ...coefficients].join();
  return shapeOf(a) === shapeOf(b);
}

/** The corners of what a camera shows, one after the other. */
export function cameraCorners({ camera, size, rotation = 0, scale = 1 }: CameraPivot): [number, number][] {
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  const [width, height] = [(size[0] / 2) * scale, (size[1] / 2) * scale];
  const corner = (across: number, along: number): [number, number] => [
    camera[0] + cos * across - sin * along,
    camera[1] + sin * across + cos * along,
  ];
  return [corner(width, height), corner(-width, height), corner(-width, -height), corner(width, -height)];
}
