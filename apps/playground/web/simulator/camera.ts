/** Which part of the endless field is drawn. The camera moves only when the entity comes near an edge, so that one sees the entity move. */

export interface View {
  readonly width: number;
  readonly height: number;
}

/** px of the field across a picture. */
export const FIELD_ACROSS = 160;
/** The entity keeps this share of the picture away from its edges. */
const MARGIN = 0.22;

export class Camera {
  x = 0;
  y = 0;

  follow(x: number, y: number, { width, height }: View): void {
    const reachX = FIELD_ACROSS * (0.5 - MARGIN);
    const reachY = (FIELD_ACROSS * (0.5 - MARGIN) * height) / width;
    this.x = Math.max(x - reachX, Math.min(x + reachX, this.x));
    this.y = Math.max(y - reachY, Math.min(y + reachY, this.y));
  }

  reset(): void {
    this.x = 0;
    this.y = 0;
  }

  /** Pixels of the picture per px of the field. */
  scale({ width }: View): number {
    return width / FIELD_ACROSS;
  }

  /** Where a place of the picture is on the field. The field's y grows upward, the picture's downward. */
  toField(pictureX: number, pictureY: number, view: View): { x: number; y: number } {
    const scale = this.scale(view);
    return { x: this.x + (pictureX - view.width / 2) / scale, y: this.y - (pictureY - view.height / 2) / scale };
  }
}
