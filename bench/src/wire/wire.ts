/** `wire`: what an update costs in bits and in nanoseconds, on the frames that really travel, headers and acks' delay included. */

import type { Benchmark, Context } from "../benchmark.ts";
import { formatNumber, Report } from "../report.ts";
import { asteroids } from "./asteroids.ts";
import { avatars } from "./avatars.ts";
import { type Effort, measureEffort, measureVolume } from "./measure.ts";
import type { Scene } from "./scene.ts";

export const wireBenchmark: Benchmark = {
  name: "wire",
  about: "what an update costs: bits of the asteroids and avatar scenes, encode and decode time",
  run,
};

const SHARED_BY = 16;

function run({ quick, progress }: Context): Report {
  const report = new Report("wire");
  const rounds = quick ? 300 : 1800;
  const pace = quick ? { rounds: 40, blockMs: 800 } : { rounds: 200, blockMs: 6000 };
  const measured = [asteroids, avatars].map((scene) => {
    progress(`${scene.name}: ${scene.objects} objects, ${rounds} rounds`);
    const volume = measureVolume(scene, rounds);
    progress(`${scene.name}: times`);
    return { scene, volume, efforts: [1, SHARED_BY].map((clients) => measureEffort(scene, clients, pace)) };
  });
  report.tables.push(
    {
      title: "volume, one client that is sent every update",
      head: ["scene", "objects", "updates per round", "bytes per round", "packets", "bits per update"],
      rows: measured.map(({ scene, volume }) => [
        scene.name,
        ...[
          scene.objects,
          volume.updatesPerRound,
          volume.bytesPerRound,
          volume.packetsPerRound,
          volume.bitsPerUpdate,
        ].map(formatNumber),
      ]),
    },
    {
      title: "time, ns per update and client",
      head: ["scene", "clients", "encode", "decode", "found encoded"],
      rows: measured.flatMap(({ scene, efforts }) => efforts.map((effort) => effortRow(scene, effort))),
    },
  );
  const [rocks, people] = measured as [(typeof measured)[number], (typeof measured)[number]];
  const [alone, shared] = rocks.efforts as [Effort, Effort];
  report.add(
    {
      key: "bits_per_update_asteroids",
      value: rocks.volume.bitsPerUpdate,
      goal: { atMost: 10.7 },
      about:
        "250 tumbling bodies, 30 per second, position to 0.01, rotation to 0.001 of the range; tables not fitted to them",
    },
    {
      key: "bytes_per_avatar_update",
      value: people.volume.bitsPerUpdate / 8,
      paper: "17–20",
      goal: { atMost: 3 },
      about: "F tab. 5.8: 14 fields; ours with frame headers",
    },
    { key: "encode_ns", value: alone.encodeNs, about: "asteroids, one client: nothing is shared" },
    { key: "encode_shared_ns", value: shared.encodeNs, about: `asteroids, ${SHARED_BY} clients: encoded once` },
    {
      key: "encode_hit_share",
      value: shared.hitShare,
      about: `share of updates found encoded, ${SHARED_BY} clients on the same states`,
    },
    { key: "decode_ns", value: alone.decodeNs, about: "asteroids, into replicas" },
  );
  report.notes.push(
    "bits are those of whole frames, padded to bytes; acks come back after two rounds; nothing is lost",
  );
  return report;
}

function effortRow({ name }: Scene, { clients, encodeNs, decodeNs, hitShare }: Effort): string[] {
  return [
    name,
    formatNumber(clients),
    formatNumber(encodeNs),
    formatNumber(decodeNs),
    `${formatNumber(hitShare * 100)} %`,
  ];
}
