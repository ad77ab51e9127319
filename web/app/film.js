/**
 * Plays a motion in a document of its own, without the service: the script of the saved HTML file.
 * @param {{scene: any, series: Record<string, number[]>, jumps: number[], solid?: any}} film
 *   solid: the module solid.js, for scenes in space
 */
import { inks, theme } from "./colors.js";
import { Flat } from "./flat.js";
import { Motion } from "./motion.js";
import { paceOf } from "./pace.js";
import { Stage } from "./stage.js";

export function play({ scene, series, jumps, solid }) {
  const stage = new Stage(scene, new Motion(series, jumps));
  const { motion } = stage;
  const find = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const [box, button, line, told] = ["stage", "play", "time", "now"].map(find);
  let renderer;
  try {
    renderer = solid ? new solid.Solid(box, stage) : new Flat(box, stage);
  } catch {
    renderer = new Flat(box, stage); // no WebGL
  }
  let t = motion.start;
  let plays = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const draw = () => {
    renderer.draw(t, inks(theme(dark.matches)));
    line.value = t;
    told.textContent = "t = " + t.toPrecision(4);
    button.textContent = plays ? "❚❚" : "▶";
  };
  renderer.changed = draw;
  Object.assign(line, { min: motion.start, max: motion.end, step: "any" });
  line.oninput = () => {
    t = Number(line.value);
    draw();
  };
  button.onclick = () => {
    plays = !plays;
    draw();
  };
  dark.onchange = draw;
  onresize = draw;
  const pace = paceOf(motion.end - motion.start);
  let last = performance.now();
  requestAnimationFrame(function step(now) {
    if (plays) {
      t += ((now - last) / 1000) * pace;
      if (t > motion.end) t = motion.start;
      draw();
    }
    last = now;
    requestAnimationFrame(step);
  });
  draw();
}
