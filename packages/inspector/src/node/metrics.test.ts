import { describe, expect, it } from "vitest";
import { flyingLab } from "../../test/watched-lab.ts";
import { Metrics } from "./metrics.ts";

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = `${NAME}="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"`;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (NaN|[+-]Inf|-?[0-9.e+-]+)$`);

/** Reads the text format as its specification says, and refuses everything else. */
function parse(text: string): Map<string, number> {
  expect(text.endsWith("\n")).toBe(true);
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.slice(0, -1).split("\n")) {
    if (line === "") continue;
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment !== null) {
      if (comment[1] === "TYPE") expect(types.has(comment[2]!), `${comment[2]} twice`).toBe(false);
      if (comment[1] === "TYPE") types.set(comment[2]!, comment[3]!);
      continue;
    }
    const sample = SAMPLE.exec(line);
    expect(sample, line).not.toBeNull();
    const family = sample![1]!.replace(/_(bucket|sum|count)$/, "");
    expect(types.has(sample![1]!) || types.get(family) === "histogram", `${line} has no type`).toBe(true);
    if (types.get(sample![1]!) === "counter") expect(sample![1]).toMatch(/_total$/);
    const key = `${sample![1]}{${sample![2] ?? ""}}`;
    expect(samples.has(key), `${key} twice`).toBe(false);
    samples.set(key, Number(sample![3]));
  }
  return samples;
}

describe("metrics", () => {
  it("are valid, and say what the counters say", async () => {
    const lab = flyingLab();
    let nowMs = 0;
    const metrics = new Metrics(lab.server, { now: () => (nowMs += 0.6) });
    lab.server.createRoom('a "side" room\\');
    lab.join("ann");
    lab.join("bob", { latencyMs: 40, loss: 0.2 });
    lab.run(5000);
    lab.clients[0]!.leave();
    lab.run(1000);
    const samples = parse(await metrics.text());
    const { telemetry, world } = lab.server.main;
    expect(samples.get('nearfield_objects{room="main"}')).toBe(world.count);
    expect(samples.get('nearfield_rounds_total{room="main"}')).toBe(telemetry.rounds);
    expect(samples.get('nearfield_sends_total{room="main",cause="value"}')).toBe(telemetry.sends[3]);
    expect(samples.get('nearfield_players{room="main",presence="here"}')).toBe(1);
    expect(samples.get('nearfield_leaves_total{room="main"}')).toBe(1);
    expect(samples.get('nearfield_packets_lost_total{room="main"}')).toBeGreaterThan(0);
    const bytes = samples.get('nearfield_bytes_total{room="main",direction="out",channel="unsequenced"}')!;
    const [bob] = lab.server.main.players.values();
    expect(bytes).toBe(telemetry.departed.unsequenced.bytesOut + bob!.telemetry.unsequenced.bytesOut);
    expect(telemetry.departed.unsequenced.bytesOut).toBeGreaterThan(1000);
    expect(samples.get('nearfield_round_seconds_count{room="main"}')).toBe(telemetry.rounds);
    // Each look at this clock takes 0.6 ms: one in a round, eight in every 8th, whose stages are timed.
    const below = (edge: string) => samples.get(`nearfield_round_seconds_bucket{le="${edge}",room="main"}`);
    expect(below("0.001")).toBe(telemetry.rounds - Math.ceil(telemetry.rounds / 8));
    expect(below("0.005")).toBe(telemetry.rounds);
    expect(below("0.0005")).toBe(0);
    expect([...samples.keys()].some((key) => key.includes('room="a \\"side\\" room\\\\"'))).toBe(true);
  });

  it("take their stopwatch away again", async () => {
    const lab = flyingLab();
    const metrics = new Metrics(lab.server, { now: () => 0 });
    lab.step();
    metrics.dispose();
    lab.step();
    expect(parse(await metrics.text()).get('nearfield_round_seconds_count{room="main"}')).toBe(1);
  });
});
