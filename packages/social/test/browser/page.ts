/** The page of the browser test: one player in an action space, drawn on a canvas, with a line for everybody else. The test reads `window.__space`. */

import { join } from "@nearfield/client/browser";
import { Pods } from "@nearfield/netlab/internal";
import { browserPeers } from "@nearfield/rollback/browser";
import { checksumOf, TIMELINES } from "@nearfield/rollback/session";
import { enterSpace, type Invitation, onInvitation, type Space } from "../../src/peer/index.ts";
import { protocol, WORLD } from "./shared.ts";

const COLOURS = ["#ffb454", "#59c2ff", "#c2d94c", "#f07178", "#d2a6ff"];
const SCALE = 2;
const checksums: Record<number, number> = {};
let isStalled = false;
let space: Space | undefined;
let fight: Pods | undefined;
/** By seat: what it presses on the way out, and on the way back; all fire. */
const WAYS = [
  [17, 18],
  [20, 24],
  [18, 17],
  [24, 20],
] as const;

const nickname = new URLSearchParams(location.search).get("name") ?? "guest";
document.body.innerHTML = `<h1>${nickname}</h1><canvas width="400" height="400"></canvas><p id="own"></p><ul></ul>`;
const paint = document.querySelector("canvas")!.getContext("2d")!;
const own = document.querySelector("#own")!;
const others = document.querySelector("ul")!;

function enter(invitation: Invitation, client: Awaited<ReturnType<typeof join>>): void {
  fight = new Pods(invitation.slots, WORLD);
  enterSpace(client, invitation, {
    fight,
    session: { inputBytes: 1, ...TIMELINES.hybrid, stallMs: 2000 },
    peers: browserPeers,
    onSettled: (state, _checksum, saved) => {
      checksums[state] = checksumOf(saved);
    },
  }).then((entered) => {
    space = entered;
    const input = new Uint8Array(1);
    setInterval(() => {
      if (isStalled) return;
      input[0] = WAYS[entered.own % WAYS.length]![entered.head & 16 ? 0 : 1];
      entered.tick(client.clock.timeMs, input);
    }, 16);
  }, console.error);
}

function draw(): void {
  requestAnimationFrame(draw);
  if (!space || !fight) return;
  const { x, y, shotX, shotY, shotLeft } = fight.state.at as Record<string, Float64Array>;
  paint.fillStyle = "#10151c";
  paint.fillRect(0, 0, 400, 400);
  for (let pod = 0; pod < space.invitation.slots; pod++) {
    paint.fillStyle = COLOURS[pod % COLOURS.length]!;
    circle(x![pod]!, y![pod]!, 6);
    for (let shot = pod * 4; shot < pod * 4 + 4; shot++) if (shotLeft![shot]) circle(shotX![shot]!, shotY![shot]!, 3);
  }
  own.textContent = `${space.status} · head ${space.head} · final ${space.tail} · rollbacks ${space.timeline?.counts.rollbacks ?? 0}`;
  others.innerHTML = space.peers
    .map(({ address, name, state, rttMs, isWaitedFor }) => {
      const trip = Number.isNaN(rttMs) ? "" : ` · ${rttMs.toFixed(1)} ms`;
      return `<li style="color: ${COLOURS[address % COLOURS.length]}">${name || `seat ${address}`} · ${state}${trip}${isWaitedFor ? " · waited for" : ""}</li>`;
    })
    .join("");
}

function circle(x: number, y: number, radius: number): void {
  const corner = (2000 - WORLD) / 2;
  paint.beginPath();
  paint.arc((x - corner) * SCALE, (y - corner) * SCALE, radius * SCALE, 0, 2 * Math.PI);
  paint.fill();
}

Object.assign(globalThis, {
  __space: {
    report: () => ({
      status: space?.status,
      head: space?.head,
      tail: space?.tail,
      peers: space?.peers.map(({ state }) => state),
      gone: [...(space?.session?.gone.keys() ?? [])],
      desyncs: space?.session?.desyncs.length,
      link: client.linkKind,
    }),
    checksums: () => checksums,
    stall: (on: boolean) => {
      isStalled = on;
    },
  },
});

const client = await join(location.href.replace("http", "ws").replace(/\?.*/, "link"), { protocol, nickname });
onInvitation(client, (invitation) => enter(invitation, client));
draw();
