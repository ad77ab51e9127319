/**
 * Saves what is seen: a picture, a film, or one HTML file that plays the motion without the
 * service.
 */

const HOME = new URL(".", import.meta.url);
const PLANE = [
  "motion.js",
  "pose.js",
  "shapes.js",
  "stage.js",
  "colors.js",
  "flat.js",
  "pace.js",
  "film.js",
];
const SPACE = [...PLANE, "../vendor/three.js", "solid.js"];
const FRAMES = 30; // of a film, in a second

/** Hands a file to the browser. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/**
 * A PNG of the picture as it stands.
 * @param {HTMLCanvasElement[]} canvases one above the other
 * @param {string} paper
 */
export function picture(canvases, paper) {
  const [{ width, height }] = canvases;
  const sheet = Object.assign(document.createElement("canvas"), { width, height });
  const pen = sheet.getContext("2d");
  pen.fillStyle = paper;
  pen.fillRect(0, 0, width, height);
  for (const canvas of canvases) pen.drawImage(canvas, 0, 0, width, height);
  return new Promise((resolve) => sheet.toBlob(resolve, "image/png"));
}

/**
 * Records a canvas while `run` plays the motion once; WebM, or MP4 if the browser makes no other.
 * @param {HTMLCanvasElement} canvas @param {() => Promise<void>} run
 */
export async function record(canvas, run) {
  const type = ["video/webm", "video/mp4"].find((one) => MediaRecorder.isTypeSupported(one));
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES), { mimeType: type });
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  await run();
  recorder.stop();
  await ended;
  return new Blob(parts, { type });
}

const nameOf = (path) => "dalembert/" + path.split("/").pop();

/** A text that may stand inside a script element. @param {any} value */
const inScript = (value) => JSON.stringify(value).replace(/</g, "\\u003c");

/**
 * One HTML file: the modules are data addresses of an import map, so it opens from a disk.
 * @param {{scene: any, series: any, jumps: number[]}} moving @param {string} title
 */
export async function htmlFile(moving, title) {
  const paths = moving.scene.space === 2 ? PLANE : SPACE;
  const sources = await Promise.all(
    paths.map(async (path) => (await fetch(new URL(path, HOME))).text()),
  );
  const imports = {};
  paths.forEach((path, k) => {
    const text = sources[k].replace(
      /(from\s*)"([./]+[\w/]*\.js)"/g,
      (_, from, other) => `${from}"${nameOf(other)}"`,
    );
    imports[nameOf(path)] = "data:text/javascript;charset=utf-8," + encodeURIComponent(text);
  });
  const safe = title.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);
  const film = { scene: moving.scene, series: moving.series, jumps: moving.jumps };
  const solid = moving.scene.space === 2 ? "" : 'import * as solid from "dalembert/solid.js";';
  return new Blob(
    [
      `<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe}</title>
<style>
:root { color-scheme: light dark; font: 15px system-ui, sans-serif; }
body { margin: 0; height: 100vh; display: flex; flex-direction: column; }
body { background: light-dark(#fff, #14171c); }
h1 { font-size: 1.1rem; margin: .6rem 1rem; }
#stage { position: relative; flex: 1; overflow: hidden; touch-action: none; }
#stage canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
#stage .labels { pointer-events: none; }
form { display: flex; gap: .75rem; padding: .6rem 1rem; align-items: center; }
#time { flex: 1; }
</style>
<h1>${safe}</h1><div id="stage"></div>
<form onsubmit="return false"><button type="button" id="play" aria-label="Play"></button>
<input id="time" type="range" aria-label="Time"><output id="now"></output></form>
<script type="importmap">${inScript({ imports })}</script>
<script type="module">
import { play } from "dalembert/film.js";
${solid}
play({ ...${inScript(film)}, solid: ${solid ? "solid" : "null"} });
</script></html>
`,
    ],
    { type: "text/html" },
  );
}
