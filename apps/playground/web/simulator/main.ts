/**
 * The simulator's page: puts form, pictures, charts and test run around one workbench, and keeps the address in step with the settings, so
 * that it can be passed on at any time.
 */

import { find, make, setText } from "@nearfield/kit/browser";
import { EntityField, Keys } from "@nearfield/simulation";
import { Camera } from "./camera.ts";
import { Chart } from "./charts.ts";
import { RUN_GROUP, SETTING_GROUPS } from "./fields.ts";
import { showFigures } from "./figures.ts";
import { SettingsForm } from "./form.ts";
import { describeMovement } from "./movement.ts";
import { toldBy } from "./network-trace.ts";
import { secondsOf } from "./recording.ts";
import { RunPanel } from "./run-panel.ts";
import { isAsGenre, type SimulatorSettings, withSetting } from "./settings.ts";
import { readLink, writeLink } from "./settings-link.ts";
import { readColours, Stage } from "./stage.ts";
import { type KeyName, Steering } from "./steering.ts";
import { TracePanel } from "./trace-panel.ts";
import { framesFor, Workbench } from "./workbench.ts";

/** Charts and figures are renewed this often; pictures with every frame. */
const CHART_EVERY_MS = 100;

const bench = new Workbench();
const steering = new Steering();
const camera = new Camera();
const truthStage = new Stage(find("#truth"));
const remoteStage = new Stage(find("#remote"));
let colours = readColours(document.documentElement);
let isPaused = false;
let hasFailed = false;

const errorChart = new Chart(
  find("#error-chart"),
  { xLabel: "seconds", unit: "px", height: 150, marks: false, atLeast: 5 },
  1,
);
const dataChart = new Chart(
  find("#data-chart"),
  { xLabel: "seconds", unit: "kB/s", height: 150, marks: false, atLeast: 0.2 },
  0,
);

const forms = [
  new SettingsForm(find("#settings"), SETTING_GROUPS, change),
  new SettingsForm(find("#run-settings"), [RUN_GROUP], change),
];

function change(name: keyof SimulatorSettings, value: SimulatorSettings[keyof SimulatorSettings]): void {
  use(withSetting(bench.settings, name, value));
}

/** Takes new settings into use everywhere. */
function use(settings: SimulatorSettings): void {
  const isOtherControl = settings.control !== bench.settings.control;
  bench.change(settings);
  // Otherwise an entity that comes under point and click would leave for an old target.
  if (isOtherControl) aimAtEntity();
  showSettings();
}

function showSettings(): void {
  const { settings } = bench;
  for (const form of forms) form.show(settings, toldBy(bench.network));
  document.body.dataset["control"] = settings.control;
  document.body.dataset["model"] = settings.model;
  setText(find("#genre-note"), isAsGenre(settings) ? "" : "changed");
  writeAddress();
  showState();
}

const tracePanel = new TracePanel(find("#set-network").closest(".field")!, {
  use: (open) => {
    bench.replay(open);
    if (bench.mode === "steer") aimAtEntity();
    showSettings();
    notify("");
  },
  seek: (seconds) => change("replayFromS", seconds),
});

function writeAddress(): void {
  const recording = bench.isSample ? undefined : bench.recording;
  const link = writeLink(bench.settings, recording);
  if (link !== location.hash) history.replaceState(null, "", link);
}

function readAddress(): void {
  const { settings, recording, problems } = readLink(location.hash);
  if (recording !== undefined) {
    bench.recording = recording;
    bench.isSample = false;
  }
  use(settings);
  notify(problems.length === 0 ? "" : `Not everything in the link could be used. ${problems.join(". ")}.`);
}

function notify(text: string): void {
  find("#notice").hidden = text === "";
  setText(find("#notice-text"), text);
}

function aimAtEntity(): void {
  const { truth } = bench.simulation;
  steering.aimAt(truth[EntityField.x]!, truth[EntityField.y]!);
}

/** Everything that says in words what is going on. Screen readers say `#state` aloud, so the time stands apart. */
function showState(): void {
  const { mode, recording } = bench;
  document.body.dataset["mode"] = mode;
  const seconds = recording === undefined ? 0 : secondsOf(recording);
  const name = bench.isSample ? "sample" : "recording";
  const there = `There is a ${name} of ${seconds.toFixed(1)} s.`;
  const words = {
    steer: `You steer. ${recording === undefined ? "Nothing is recorded yet." : there}`,
    record: "Recording what you steer.",
    playback: `Playing the ${name}.`,
    ended: `The ${name} is over. Change something and it plays again.`,
  };
  const times = {
    steer: "",
    record: `${bench.recordedSeconds.toFixed(1)} s`,
    playback: `${bench.playedSeconds.toFixed(1)} of ${seconds.toFixed(1)} s`,
    ended: "",
  };
  const isFromRecording = mode === "playback" || mode === "ended";
  const warning = isFromRecording && !bench.suits ? " It was made with another control, so nothing moves." : "";
  const text = isPaused ? `Paused. ${words[mode]}` : words[mode];
  setText(find("#time"), times[mode]);
  setText(find("#state"), hasFailed ? "Stopped" : text + warning);
  setText(find("#record"), mode === "record" ? "Stop recording" : "Record");
  setText(find("#pause"), isPaused ? "Go on" : "Pause");
  find("#run-network").hidden = bench.network === undefined;
  const hasNothing = recording === undefined || mode === "record";
  find<HTMLButtonElement>("#play").disabled = hasNothing;
  find<HTMLButtonElement>("#judge").disabled = hasNothing;
  find<HTMLButtonElement>("#sample").disabled = mode === "record";
}

function onClick(selector: string, action: () => void): void {
  find(selector).addEventListener("click", () => {
    action();
    showState();
  });
}

function fromStart(action: () => void): void {
  action();
  isPaused = false;
  hasFailed = false;
  camera.reset();
  steering.aimAt(0, 0);
  // On a small screen the buttons stand below what they start.
  find(".pictures").scrollIntoView({ block: "nearest" });
}

onClick("#pause", () => {
  isPaused = !isPaused;
});
onClick("#restart", () => fromStart(() => bench.startOver()));
onClick("#record", () => {
  if (bench.mode !== "record") return fromStart(() => bench.record());
  bench.stopRecording();
  writeAddress();
});
onClick("#play", () => fromStart(() => bench.play()));
onClick("#sample", () =>
  fromStart(() => {
    bench.takeSample();
    bench.play();
  }),
);
onClick("#judge", () => {
  if (bench.recording !== undefined) notify(describeMovement(bench.settings, bench.recording));
});
onClick("#notice-close", () => notify(""));
find("#share").addEventListener("click", () => void share());

async function share(): Promise<void> {
  writeAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    const left = bench.network === undefined ? "" : ` ${bench.network.name} stays here: a link cannot carry a file.`;
    notify(`The link is copied. It carries all settings, and your recording if it is not too long.${left}`);
  } catch {
    notify("The browser does not let the page copy; the link stands in the address bar.");
  }
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-key]")) {
  steering.attach(button, button.dataset["key"] as KeyName);
}
steering.listen(document, window);
for (const stage of [truthStage, remoteStage]) {
  stage.canvas.addEventListener("pointerdown", ({ offsetX, offsetY }) => {
    if (bench.settings.control !== "point") return;
    const { x, y } = camera.toField(offsetX, offsetY, stage.view);
    steering.aimAt(x, y);
  });
}

new RunPanel(find("#run"), () => {
  if (bench.recording === undefined) bench.takeSample();
  showState();
  return { settings: bench.settings, recording: bench.recording! };
});

function draw(): void {
  const { truth } = bench.simulation;
  camera.follow(truth[EntityField.x]!, truth[EntityField.y]!, truthStage.view);
  truthStage.drawTruth(bench, camera, colours);
  remoteStage.drawRemote(bench, camera, colours);
  const { keys } = bench.mode === "playback" ? bench.input : steering;
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-key]")) {
    button.toggleAttribute("data-down", (keys & Keys[button.dataset["key"] as KeyName]) !== 0);
  }
}

function drawCharts(): void {
  const { series, simulation } = bench;
  const [errorTimes, errors] = series.columns("error");
  errorChart.show(errorTimes, [{ label: "error", values: errors }]);
  const [rateTimes, rates] = series.columns("rate");
  dataChart.show(rateTimes, [{ label: "data", values: rates }]);
  showFigures(find("#figures"), simulation);
  tracePanel.show(bench.replayMs);
  showState();
}

function fail(error: unknown): void {
  hasFailed = true;
  notify(
    `The simulation stopped: ${error instanceof Error ? error.message : String(error)}. “Start over” begins anew.`,
  );
  showState();
}

let lastMs = performance.now();
let leftMs = 0;
let chartsAtMs = 0;

function loop(nowMs: number): void {
  requestAnimationFrame(loop);
  const step = framesFor(nowMs - lastMs, leftMs);
  lastMs = nowMs;
  leftMs = step.leftMs;
  if (hasFailed) return;
  try {
    if (!isPaused) {
      for (let frame = 0; frame < step.frames; frame++) bench.tick(() => steering.input(bench.settings.control));
    }
    draw();
    if (nowMs - chartsAtMs >= CHART_EVERY_MS) {
      chartsAtMs = nowMs;
      drawCharts();
    }
  } catch (error) {
    fail(error);
  }
}

addEventListener("hashchange", readAddress);
matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => {
  colours = readColours(document.documentElement);
});
find('[data-group="entity"] legend').append(make("span", { id: "genre-note", class: "note" }));
readAddress();
requestAnimationFrame(loop);
