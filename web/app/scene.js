/** The moving picture of a job and its time line. */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { brief } from "./format.js";
import { Flat } from "./flat.js";
import { useKey } from "./keys.js";
import { Motion } from "./motion.js";
import { cursor, palette, playing } from "./plots.js";
import { Stage } from "./stage.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10];
const SHORT = 4; // seconds that a motion takes at least at speed 1, if a power of ten can do it
const LONG = 40;

/** Units of t in a second of playing, at speed 1: a power of ten, 1 if the motion is neither short nor long. @param {number} length */
function paceOf(length) {
  if (length >= SHORT && length < LONG) return 1;
  return 10 ** Math.floor(Math.log10(length / SHORT));
}

/** A renderer of the scene, and a sentence if it is a poorer one. */
async function rendererOf(box, stage) {
  if (stage.plane) return { renderer: new Flat(box, stage), note: "" };
  try {
    const { Solid } = await import("./solid.js");
    return { renderer: new Solid(box, stage), note: "" };
  } catch {
    return { renderer: new Flat(box, stage), note: "This browser has no WebGL: solids are drawn by their outlines." };
  }
}

/** The colours of a theme; items name them by 1 to 6, or give their own. */
const inks = ({ columns, ink, grid, paper }) => ({
  ink, grid, paper,
  of: (color) => (typeof color === "number" ? columns[(color - 1) % columns.length] : /^#/.test(color) ? color : columns[1]),
});

/** The canvas. It is drawn when the cursor, the theme, the motion or its size changes. */
function Picture({ stage, label }) {
  const box = useRef(null);
  const drawn = useRef(null);
  const now = useRef(stage);
  const [note, setNote] = useState("");
  now.current = stage;
  const paint = () => drawn.current?.draw(cursor.value ?? now.current.motion.start, inks(palette.value));
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
  useEffect(() => {
    drawn.current?.take(stage);
    paint();
  }, [stage]);
  useEffect(paint, [cursor.value, palette.value]);
  return html`<div class="stage" ref=${box} role="img" aria-label=${label}></div>
    ${note && html`<p class="quiet">${note}</p>`}`;
}

/** Advances the cursor while it plays. */
function usePlayer(motion, autoplay) {
  const [player, set] = useState({ playing: autoplay, speed: 1, loop: true });
  const now = useRef(player);
  now.current = player;
  const pace = paceOf(motion.end - motion.start || 1);
  useEffect(() => {
    playing.value = player.playing;
    if (!player.playing) return;
    let last = performance.now();
    let asked = requestAnimationFrame(function step(time) {
      const { speed, loop } = now.current;
      let t = (cursor.value ?? motion.start) + ((time - last) / 1000) * speed * pace;
      last = time;
      if (t >= motion.end && !loop) set((old) => ({ ...old, playing: false }));
      if (t >= motion.end) t = loop ? motion.start : motion.end;
      cursor.value = t;
      asked = requestAnimationFrame(step);
    });
    return () => {
      cancelAnimationFrame(asked);
      playing.value = false;
    };
  }, [player.playing, motion]);
  return { ...player, pace, set };
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The scene of a job with its time line: space plays, < and > change the speed, l repeats.
 * @param {{scene: any, series: Record<string, number[]>, jumps: number[], autoplay?: boolean, label: string}} properties
 */
export function Scene({ scene, series, jumps, autoplay = false, label }) {
  const stage = useMemo(() => new Stage(scene, new Motion(series, jumps)), [series]);
  const { motion } = stage;
  const { playing: moves, speed, loop, pace, set } = usePlayer(motion, autoplay && !still.matches);
  const faster = (by) => set((old) => ({ ...old, speed: SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(old.speed) + by))] }));
  const play = () => {
    if (!moves && (cursor.value ?? motion.start) >= motion.end) cursor.value = motion.start;
    set((old) => ({ ...old, playing: !old.playing }));
  };
  useKey(" ", play);
  useKey("l", () => set((old) => ({ ...old, loop: !old.loop })));
  useKey("<", () => faster(-1));
  useKey(">", () => faster(1));
  const t = Math.min(motion.end, Math.max(motion.start, cursor.value ?? motion.start));
  return html`<section class="scene" aria-label="Scene">
    <${Picture} stage=${stage} label=${label} />
    <div class="bar timeline">
      <button class="main" aria-label=${moves ? "Pause" : "Play"} onClick=${play}>${moves ? "❚❚" : "▶"}</button>
      <button aria-label="Slower" onClick=${() => faster(-1)}>−</button>
      <span class="number" aria-live="polite">${speed}×</span>
      <button aria-label="Faster" onClick=${() => faster(1)}>+</button>
      <input type="range" aria-label="Time" min=${motion.start} max=${motion.end} step="any" value=${t}
        onInput=${(event) => (cursor.value = Number(event.target.value))} />
      <span class="number">t = ${brief(t)}</span>
      <label class="field"><input type="checkbox" checked=${loop} onChange=${(event) => set((old) => ({ ...old, loop: event.target.checked }))} /> Repeat</label>
    </div>
    <p class="quiet">${pace === 1 ? "" : `At speed 1, a second shows ${brief(pace)} of t. `}${[...stage.longest].map(([role, most]) => `Longest arrow, ${role}: ${brief(most)}. `)}${scene.drawn_by === "default rules" ? "Drawn by default rules: the model has no scene." : ""}</p>
  </section>`;
}
