/** What town and dungeon are played with. */

import type { Pictures } from "./art/pictures.ts";
import type { Stage } from "./art/stage.ts";
import type { Camera } from "./camera.ts";
import type { Hud } from "./hud/hud.ts";
import type { Network } from "./network.ts";
import type { Sound } from "./sound.ts";

export interface PlayParts {
  readonly network: Network;
  readonly stage: Stage;
  readonly pictures: Pictures;
  readonly camera: Camera;
  readonly sound: Sound;
  readonly hud: Hud;
  readonly name: string;
}
