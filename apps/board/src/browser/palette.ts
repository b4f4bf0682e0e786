/** The colours of ink and paper, and what the page is drawn in; style.css has the same for its elements. */

export const GROUND = "#0a0e1d";
export const DOTS = "#2b3566";
export const EDGE = "#2c3668";
export const ON_PAPER = "#1a1f3d";
export const ACCENT = "#5cf2c2";
/** Zones from the inside out, as on the landing page. */
export const ZONE_COLOURS = ["#5cf2c2", "#58b7ff", "#8a7dff", "#55617f"] as const;

export const COLOUR_NAMES = ["white", "yellow", "orange", "red", "violet", "blue", "mint", "green"] as const;
export const INK = ["#e8ecff", "#ffd53d", "#ff9d5c", "#ff6b81", "#b79bff", "#58b7ff", "#5cf2c2", "#a5e05a"] as const;
export const PAPER = ["#dde3f8", "#ffe795", "#ffc9a3", "#ffb7c1", "#d9ccff", "#b3dcff", "#b4f1dc", "#d5efab"] as const;

export const FONT = 'ui-sans-serif, "Inter", system-ui, "Segoe UI", "DejaVu Sans", sans-serif';

/** Width of a stroke by its size, units. */
export const PEN_WIDTHS = [3, 6, 14] as const;
/** Sides of a note by its size; and letters of plain text, units. */
export const NOTE_SIDES = [150, 200, 280] as const;
export const TEXT_SIZES = [20, 32, 48] as const;
/** Plain text is wrapped at so many times its letters' size. */
export const TEXT_WRAP = 12;
