/** What goes wrong in the simulator's lives, by dice. */

import type { ClusterLab, ClusterServer } from "./cluster-lab.ts";

/** Nothing; links are cut or slow and processes pause; servers die, too; or they leave. */
export type Trouble = "none" | "links" | "deaths" | "leaves";

/** Something goes wrong, or well again. */
export function makeTrouble(cluster: ClusterLab, trouble: Trouble): void {
  const deaths = trouble === "deaths";
  const { dice, hub } = cluster;
  const roll = dice.next();
  const some = dice.pick(cluster.living);
  if (roll < 0.04) hub.cut(some.name, dice.pick(cluster.living).name);
  else if (roll < 0.1) hub.heal();
  else if (roll < 0.14)
    hub.setDelay(
      dice.pick([
        [0.3, 3],
        [5, 120],
        [0.1, 0.2],
      ]),
    );
  else if (roll < 0.16) {
    some.bus.pause();
    cluster.clock.after(dice.range(50, 700), () => some.bus.resume());
  } else if (deaths && roll < 0.18 && cluster.living.length > 2) cluster.kill(some);
  else if (deaths && roll < 0.2) {
    hub.isolate(some.name);
    cluster.clock.after(dice.range(100, 3000), () => hub.heal());
  } else if (trouble === "leaves" && roll < 0.19 && stayingOf(cluster) > 2) some.guest.drain(() => cluster.kill(some));
  else if (roll < 0.21 && cluster.servers.length < 5) cluster.start();
}

function stayingOf(cluster: ClusterLab): number {
  return cluster.living.filter(({ guest }) => !guest.membership.isLeaving).length;
}

/** Servers that may act. */
export function acting(cluster: ClusterLab): ClusterServer[] {
  return cluster.living.filter(({ guest }) => guest.membership.isHeld);
}
