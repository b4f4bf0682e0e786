/** The manifests in `deploy/kubernetes` parse, and every flag, variable, port, probe, file and name that they use exists. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { Authority } from "../../../scripts/lib/certificates.mjs";
import { natsServer } from "../../../scripts/lib/debian.mjs";
import { HELP, readProgramOptions } from "../src/node/program-options.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "deploy/kubernetes");

interface Container {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: { readonly matchLabels?: object };
    readonly ports?: readonly { readonly targetPort?: string; readonly port: number }[];
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

const manifests = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), "utf8")).map((document) => {
      expect(document.errors, name).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );

function manifest(kind: string, name: string): Manifest {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

const workloads = ["Deployment frontier", "StatefulSet nats"].map((name) =>
  manifest(...(name.split(" ") as [string, string])),
);
const [frontier] = manifest("Deployment", "frontier").spec.template.spec.containers;

describe("the manifests", () => {
  it("start the game's program with options that it has", () => {
    const tls = mkdtempSync(join(tmpdir(), "nearfield-tls-"));
    for (const name of ["ca.crt", "tls.crt", "tls.key"]) writeFileSync(join(tls, name), name);
    const args = frontier!.args.map((arg) => arg.replace("--tls-folder=/tls", `--tls-folder=${tls}`));
    const options = readProgramOptions(args, {});
    rmSync(tls, { recursive: true });
    expect(options).toMatchObject({
      port: 3000,
      host: "0.0.0.0",
      cluster: { nats: { replicas: 3, world: "frontier" } },
    });
    for (const { name } of frontier!.env) expect(HELP, name).toContain(name);
    const nodes = manifest("StatefulSet", "nats");
    const servers = typeof options === "object" ? options.cluster!.nats.servers : [];
    expect(servers).toEqual([0, 1, 2].map((i) => `${nodes.metadata.name}-${i}.nats:4222`));
  });

  it("listen and probe where the program does", () => {
    expect(frontier!.ports).toEqual([{ name: "game", containerPort: 3000 }]);
    for (const workload of workloads) {
      for (const container of workload.spec.template.spec.containers) {
        const ports = container.ports.map(({ name }) => name);
        const probes = Object.entries(container).filter(([name]) => name.endsWith("Probe"));
        expect(probes.length).toBeGreaterThan(0);
        for (const [, probe] of probes) expect(ports).toContain((probe as Container["xProbe"]).httpGet.port);
      }
    }
    const paths = ["startupProbe", "livenessProbe", "readinessProbe"] as const;
    expect(paths.map((name) => frontier![name]!.httpGet.path)).toEqual(["/healthz", "/healthz", "/readyz"]);
    for (const path of ["/healthz", "/readyz"]) expect(HELP).toContain(path);
    const [service] = manifest("Service", "frontier").spec.ports!;
    expect(service!.targetPort).toBe("game");
    expect(manifest("Service", "nats").spec.ports!.map(({ port }) => port)).toEqual([4222, 6222]);
  });

  it("select their own pods, mount volumes that they have, and give a drain its time", () => {
    for (const { spec } of workloads) {
      const { metadata, spec: pod } = spec.template;
      expect(metadata.labels).toEqual(spec.selector.matchLabels);
      const claims = (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata.name);
      const volumes = [...pod.volumes.map(({ name }) => name), ...claims];
      for (const { volumeMounts } of pod.containers)
        for (const { name } of volumeMounts) expect(volumes).toContain(name);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
    }
  });

  it("run what the image has", () => {
    const image = readFileSync(join(folder, "Dockerfile"), "utf8");
    const [, program] = /ENTRYPOINT \["node", "(.+)"\]/.exec(image)!;
    const source = program!.replace("dist/", "src/").replace(/\.js$/, ".ts");
    expect(existsSync(join(root, source))).toBe(true);
    const page = frontier!.args.find((arg) => arg.startsWith("--inspector-page="))!.split("=")[1]!;
    expect(page.startsWith("/app/apps/inspector/")).toBe(true);
    const scripts = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object }).scripts;
    for (const [, script] of image.matchAll(/npm run ([\w-]+)/g)) expect(Object.keys(scripts)).toContain(script);
  });

  it.skipIf(natsServer.find() === undefined)("configure NATS as NATS understands it", () => {
    const place = mkdtempSync(join(tmpdir(), "nearfield-nats-"));
    const authority = new Authority("test");
    const { cert, key } = authority.identity("nats", ["nats"]);
    for (const [name, text] of [
      ["ca.crt", authority.certificate],
      ["tls.crt", cert],
      ["tls.key", key],
    ] as const)
      writeFileSync(join(place, name), text);
    const config = manifest("ConfigMap", "nats").data!["nats.conf"]!;
    const [nats] = manifest("StatefulSet", "nats").spec.template.spec.containers;
    // Every variable that it uses is one of the container's.
    const names = new Set([...config.matchAll(/\$(\w+)/g)].map(([, name]) => name!));
    expect([...names].sort()).toEqual(nats!.env.map(({ name }) => name).sort());
    writeFileSync(
      join(place, "nats.conf"),
      config.replaceAll("/tls/", `${place}/`).replace("/data", join(place, "data")),
    );
    const env = { ...process.env, POD_NAME: "nats-0", NATS_USER: "ann", NATS_PASSWORD: "secret" };
    const done = spawnSync(natsServer.find()!, ["-t", "-c", join(place, "nats.conf")], { env, encoding: "utf8" });
    rmSync(place, { recursive: true });
    expect(done.stderr).toContain("is valid");
    expect(done.status).toBe(0);
  });
});
