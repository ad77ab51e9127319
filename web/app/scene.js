/** The moving picture of a job and its time line. */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { inks } from "./colors.js";
import { Flat } from "./flat.js";
import { brief } from "./format.js";
import { STEPS, useKey } from "./keys.js";
import { MOST, Marks, marksOf } from "./marks.js";
import { paceOf } from "./pace.js";
import { ascending, cursor, moveCursor, palette, playing } from "./plots.js";
import { download, htmlFile, picture, record } from "./save.js";
import { client } from "./service.js";
import { sheetOf } from "./sheet.js";
import { canFollow, stageOf } from "./stage.js";
import { SvgPen } from "./svg.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10];

const POINTS = 2000; // rows of a scene
const DIGITS = 3; // of an instant after the first digit of the whole time
const FIGURE_SPACE = "\u2007"; // as wide as a digit

/**
 * The scene of a job with its columns at the rows, the instants at which events set the state, the
 * marks of all events, and the instants of the first and the last row; null without rows.
 * @param {string} id
 * @param {{signal?: AbortSignal, from?: any, document?: any}} [options] from: the client that asks;
 *   document: the request of the job or a promise of it, if it is known
 */
export async function readScene(id, { signal, from = client, document } = {}) {
  const get = (route, query) =>
    from.transport.json("GET", `/v1/jobs/${encodeURIComponent(id)}${route}`, { signal, query });
  const [found, rows, request] = await Promise.all([
    get("/scene"),
    get("/result", { table: "@scene", points: POINTS }),
    document ?? get("/request"),
  ]);
  // the marks need a part of the instants, the steps of the motion all of those that set
  const events = await Promise.all((request.events ?? []).map(async ({ name, set }) => {
    const query = { table: name, columns: "t", points: set ? null : MOST };
    return { name, set, t: (await get("/result", query)).series.t };
  }));
  const jumps = events.filter((event) => event.set).flatMap((event) => event.t);
  const { scene, drawn_by: drawnBy, columns, figures, warnings } = found;
  const { t } = rows.series;
  if (!t.length) return null;
  const series = ascending(rows.series);
  const ends = [t[0], t.at(-1)];
  return {
    scene, drawnBy, columns, figures, warnings, series, jumps, marks: marksOf(events), ends,
  };
}

/** A renderer of the scene, and a sentence if it is a poorer one. */
async function rendererOf(box, stage) {
  if (stage.plane) return { renderer: new Flat(box, stage), note: "" };
  try {
    const { Solid } = await import("./solid.js");
    return { renderer: new Solid(box, stage), note: "" };
  } catch {
    return {
      renderer: new Flat(box, stage),
      note: "This browser has no WebGL: solids are drawn by their outlines.",
    };
  }
}

/**
 * The canvas, drawn by `drawn`. It is drawn when the cursor, the theme, the motion or its size
 * changes.
 */
function Picture({ stage, label, drawn }) {
  const box = useRef(null);
  const now = useRef(stage);
  const [note, setNote] = useState("");
  now.current = stage;
  const paint = () =>
    drawn.current?.draw(cursor.value ?? now.current.motion.start, inks(palette.value));
  useEffect(() => {
    let gone = false;
    const size = new ResizeObserver(paint);
    rendererOf(box.current, now.current).then(({ renderer, note: said }) => {
      if (gone) return renderer.close();
      drawn.current = renderer;
      renderer.changed = paint;
      setNote(said);
      size.observe(box.current);
    });
    return () => {
      gone = true;
      size.disconnect();
      drawn.current?.close();
      drawn.current = null;
    };
  }, [stage.plane]);
  useEffect(() => drawn.current?.take(stage), [stage]);
  useEffect(() => drawn.current?.reset(), [stage.scene.camera?.follow]);
  useEffect(paint, [stage, cursor.value, palette.value]);
  return html`<div class="stage" ref=${box} role="img" aria-label=${label}></div>
    ${note && html`<p class="quiet">${note}</p>`}`;
}

/** Advances the cursor while it plays. */
function usePlayer(motion, autoplay) {
  const [player, set] = useState({ speed: 1, loop: true });
  const now = useRef(player);
  now.current = player;
  const pace = paceOf(motion.end - motion.start);
  const moves = playing.value;
  useEffect(() => {
    playing.value = autoplay;
    return () => {
      playing.value = false;
    };
  }, []);
  useEffect(() => {
    if (!moves) return undefined;
    let last = performance.now();
    let asked = requestAnimationFrame(function step(time) {
      if (!playing.value) return; // held since the frame was asked for
      const { speed, loop } = now.current;
      let t = (cursor.value ?? motion.start) + ((time - last) / 1000) * speed * pace;
      last = time;
      if (t >= motion.end && !loop) playing.value = false;
      if (t >= motion.end) t = loop ? motion.start : motion.end;
      cursor.value = t;
      asked = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(asked);
  }, [moves, motion]);
  return { ...player, moves, pace, set };
}

/**
 * The buttons that save: a picture, a film of one run through the motion, a file that plays it, the
 * scene and the plots as SVG.
 */
function Saving({ stage, drawn, moving, plots, label, set }) {
  const { motion } = stage;
  const [busy, setBusy] = useState("");
  const [inSpace, setInSpace] = useState(false); // SVG is wanted of a scene in space
  const now = () => cursor.value ?? motion.start;
  const name = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const png = async () => {
    const { canvas, labels } = drawn.current;
    drawn.current.draw(now(), inks(palette.value)); // WebGL keeps a picture as long as this task
    const canvases = labels ? [canvas, labels] : [canvas];
    download(await picture(canvases, palette.value.paper), name + ".png");
  };
  const film = async () => {
    setBusy("Recording: the motion plays once.");
    const blob = await record(
      drawn.current.canvas,
      () =>
        new Promise((resolve) => {
          cursor.value = motion.start;
          playing.value = true;
          set((old) => ({ ...old, loop: false }));
          const end = cursor.subscribe((t) => {
            if (t < motion.end) return;
            resolve(undefined);
            setTimeout(() => end());
          });
        }),
    );
    setBusy("");
    download(blob, `${name}.${blob.type.includes("mp4") ? "mp4" : "webm"}`);
  };
  const page = async () => download(await htmlFile(moving, label), name + ".html");
  const svg = () => {
    setInSpace(!stage.plane);
    if (!stage.plane) return;
    const pen = new SvgPen();
    const { clientWidth, clientHeight } = drawn.current.canvas;
    drawn.current.paint(pen, now(), inks(palette.value));
    const title = `${label}, t = ${brief(now())}`;
    download(pen.file(clientWidth, clientHeight, title, palette.value.paper), name + ".svg");
  };
  const sheet = () => download(sheetOf(plots(), label, palette.value), name + "-plots.svg");
  /** Once there is a picture. */
  const whenDrawn = (act) => () => drawn.current && act();
  return html`<div class="bar saving"><button onClick=${whenDrawn(png)}>Save picture</button>
    ${typeof MediaRecorder !== "undefined" && html`<button disabled=${Boolean(busy)}
      onClick=${whenDrawn(film)}>Save video</button>`}
    ${moving && html`<button title="One HTML file that plays the motion, also without this service"
      onClick=${page}>Save as page</button>`}
    <button onClick=${whenDrawn(svg)}>Save as SVG</button>
    ${plots && html`<button onClick=${sheet}>Save plots as SVG</button>`}
    ${busy && html`<span class="quiet" role="status">${busy}</span>`}</div>
    ${inSpace && html`<div class="bar saving" role="status"><span class="quiet">
      SVG is for scenes in the plane; this one is in space.</span>
      <button onClick=${whenDrawn(png)}>Save picture as PNG</button></div>`}`;
}

/** An instant with as many characters as any other of the motion. */
function instantText(t, { start, end }) {
  const digits = Math.min(12, Math.max(0, DIGITS - Math.floor(Math.log10(end - start || 1))));
  const [now, ...ends] = [t, start, end].map((one) => one.toFixed(digits));
  return now.padStart(Math.max(...ends.map((one) => one.length)), FIGURE_SPACE);
}

/** The trails that have a label, with their colors. */
const Legend = ({ trails }) => html`<p class="legend">${trails.map(({ label, color }) =>
  html`<span class="key"><svg width="18" height="4" aria-hidden="true"><rect width="18" height="4"
    fill=${inks(palette.value).of(color)} /></svg>${label}</span> `)}</p>`;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A stage with its time line, which plays by itself unless the user wants less motion: space holds
 * it, < and > change the speed, l repeats, f follows, and arrows, Home and End move it.
 * @param {{stage: any, label: string, onFollow: (wanted: boolean) => void, told?: string[],
 *   trails?: any[], marks?: any[], moving?: any, plots?: () => any[]}} properties onFollow: asks for
 *   a stage whose camera follows or rests; told: sentences below; trails: items with labels; marks:
 *   those of the time line; moving: the answer of readScene(), if the stage has one motion; plots:
 *   those that can be saved with the scene
 */
export function Show(properties) {
  const { stage, label, onFollow, told = [], trails = [], marks = [], moving, plots } = properties;
  const { motion } = stage;
  const drawn = useRef(null);
  const { moves, speed, loop, pace, set } = usePlayer(motion, !still.matches);
  const faster = (by) =>
    set((old) => ({
      ...old,
      speed: SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(old.speed) + by))],
    }));
  const play = () => {
    if (!moves && (cursor.value ?? motion.start) >= motion.end) cursor.value = motion.start;
    playing.value = !moves;
  };
  useKey(" ", play);
  useKey("l", () => set((old) => ({ ...old, loop: !old.loop })));
  useKey("<", () => faster(-1));
  useKey(">", () => faster(1));
  const follows = Boolean(stage.scene.camera?.follow);
  const mayFollow = canFollow(stage.scene);
  useKey("f", () => mayFollow && onFollow(!follows));
  for (const [key, by] of Object.entries(STEPS)) useKey(key, () => moveCursor(motion.t, by));
  const t = Math.min(motion.end, Math.max(motion.start, cursor.value ?? motion.start));
  const arrows = [...stage.longest].map(
    ([role, most]) => `Longest arrow, ${role}: ${brief(most)}.`,
  );
  const pacing = pace === 1 ? [] : [`At speed 1, a second shows ${brief(pace)} of t.`];
  return html`<section class="scene" aria-label="Scene">
    <${Picture} stage=${stage} label=${label} drawn=${drawn} />
    <div class="bar timeline">
      <button class="main" aria-label=${moves ? "Pause" : "Play"}
        onClick=${play}>${moves ? "❚❚" : "▶"}</button>
      <button aria-label="Slower" onClick=${() => faster(-1)}>−</button>
      <span class="number" aria-live="polite">${speed}×</span>
      <button aria-label="Faster" onClick=${() => faster(1)}>+</button>
      <div class="line"><input type="range" aria-label="Time" min=${motion.start}
        max=${motion.end} step="any" value=${t}
        onInput=${(event) => (cursor.value = Number(event.target.value))} />
        <${Marks} marks=${marks} start=${motion.start} end=${motion.end} /></div>
      <span class="number">t = ${instantText(t, motion)}</span>
      <label class="field"><input type="checkbox" checked=${loop}
        onChange=${(event) => set((old) => ({ ...old, loop: event.target.checked }))} />
        Repeat</label>
      ${mayFollow && html`<label class="field"><input type="checkbox" checked=${follows}
        onChange=${(event) => onFollow(event.target.checked)} />
        Follow</label>`}
    </div>
    ${trails.length > 0 && html`<${Legend} trails=${trails} />`}
    <${Saving} stage=${stage} drawn=${drawn} moving=${moving} plots=${plots} label=${label}
      set=${set} />
    <p class="quiet">${[...pacing, ...arrows, ...told].join(" ")}</p>
  </section>`;
}

const BY_RULES = "Drawn by default rules: the model has no scene.";

/**
 * The scene of a job with its time line.
 * @param {{moving: any, label: string, marks?: any[], plots?: () => any[]}} properties
 *   moving: the answer of readScene(); marks: those of the time line, if there are others than the
 *   events; plots: those that can be saved with the scene
 */
export function Scene({ moving, label, marks = moving.marks, plots }) {
  const { series, drawnBy, warnings } = moving;
  const [follow, setFollow] = useState(null);
  const stage = useMemo(() => stageOf(moving, follow), [series, follow]);
  const trails = stage.items.map(({ given }) => given)
    .filter((item) => item.shape === "trail" && item.label);
  return html`<${Show} stage=${stage} label=${label} moving=${moving} trails=${trails}
      onFollow=${setFollow} marks=${marks} plots=${plots} told=${drawnBy === "default rules" ? [BY_RULES] : []} />
    ${warnings.map((one) => html`<p class="warn">${one}</p>`)}`;
}
