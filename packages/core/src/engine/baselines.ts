/**
 * The baselines to measure against, behind the same interface: they take the view's pivots and nothing else, and send every update at
 * once. `Broadcast`: every object to everyone. `Aura`: all or nothing by one radius, what engines and web frameworks do today.
 */

import type { ModelOptions } from "../model.ts";
import type { ViewSettings } from "../view.ts";
import type { World } from "../world.ts";
import { Engine } from "./engine.ts";

export class Broadcast extends Engine {
  promised(settings: ViewSettings): ViewSettings {
    return this.settingsFor(settings);
  }

  protected override settingsFor(settings: ViewSettings): ViewSettings {
    return { pivots: settings.pivots, sets: [{ match: "everything", bounds: [{ sequence: 1 }] }] };
  }
}

export interface AuraOptions extends ModelOptions {
  /** World units. */
  radius: number;
}

export class Aura extends Engine {
  readonly #radius: number;

  constructor(world: World, options: AuraOptions) {
    super(world, options);
    this.#radius = options.radius;
  }

  promised(settings: ViewSettings): ViewSettings {
    return this.settingsFor(settings);
  }

  protected override settingsFor(settings: ViewSettings): ViewSettings {
    return { pivots: settings.pivots, sets: [{ match: "everything", bounds: [{ sequence: 1 }], range: this.#radius }] };
  }
}
