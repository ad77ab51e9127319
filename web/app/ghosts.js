/** Motions of several jobs in one picture: one is solid, the others are ghosts. */
import { HERE, place } from "./pose.js";
import { Stage } from "./stage.js";

export const OPACITY = 0.4; // of a ghost
const LETTER = 0.03; // the width of a letter as a part of the view
const TEXTS = ["text", "gauge"];
const UNMARKED = [...TEXTS, "trail", "arrow", "ground"];

/** An item and the frames that hold it as a text, if none of them moves; else null. */
function stillText({ scene }, item) {
  const chain = [];
  for (let one = item; one; one = scene.frames?.find((frame) => frame.name === one.in))
    chain.push(one);
  const text = JSON.stringify(chain);
  return text.includes('"column":') ? null : text;
}

/** The end of an item that has two ends, else its place. */
const tipOf = ({ item: { to }, pose }) => (to ? place(pose, [to[0], to[1], to[2] ?? 0]) : pose.o);

const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

/** The thing as a ghost: translucent, without its label. */
const faint = (thing) => ({
  ...thing,
  item: { ...thing.item, opacity: OPACITY * (thing.item.opacity ?? 1), label: undefined },
});

/**
 * A motion of the picture. color: its number in the palette; name: its mark.
 * @typedef {{stage: Stage, color: number, name: string}} Actor
 */

/** Renderers draw it as they draw a stage. */
export class Ghosts {
  /** @param {Actor[]} cast motions in one space @param {Actor} solid one of them */
  constructor(cast, solid) {
    const stages = cast.map((actor) => actor.stage);
    Stage.measure(stages, solid.stage);
    this.cast = cast;
    this.solid = solid;
    this.scene = solid.stage.scene;
    this.plane = solid.stage.plane;
    this.size = solid.stage.size;
    this.span = solid.stage.span;
    this.longest = solid.stage.longest;
    const t = [...new Set(stages.flatMap(({ motion }) => [...motion.t]))].sort((a, b) => a - b);
    this.motion = { t, start: t[0], end: t.at(-1) };
    // items that rest as the same item of the solid motion does are drawn once
    const texts = stages.map((stage) => stage.items.map(({ given }) => stillText(stage, given)));
    const common = new Set(texts[cast.indexOf(solid)].filter(Boolean));
    this.resting = texts.map((own) => own.map((text) => common.has(text)));
  }

  /**
   * The picture at an instant, seen by the camera of the solid motion. Each motion has its color;
   * ghosts have no texts.
   * @param {number} t
   */
  picture(t) {
    const lead = this.cast.indexOf(this.solid);
    const pictures = this.cast.map(({ stage }) => stage.picture(t));
    const moving = pictures.map(({ things }, k) =>
      things
        .filter(({ key }) => !this.resting[k][key])
        .map((thing) => ({
          ...thing,
          key: `${k}:${thing.key}`,
          color: this.cast[k].color,
        })),
    );
    const ghosts = moving
      .toSpliced(lead, 1)
      .flat()
      .filter(({ shape }) => !TEXTS.includes(shape))
      .map(faint);
    const rest = pictures[lead].things.filter(({ key }) => this.resting[lead][key]);
    const things = [...rest, ...ghosts, ...moving[lead], ...this.#marks(moving)];
    return { ...pictures[lead], things };
  }

  /**
   * The names of the motions beside their last items; a mark that would cover another
   * one joins it.
   */
  #marks(moving) {
    const marks = [];
    moving.forEach((things, k) => {
      const last = things.findLast(({ shape }) => !UNMARKED.includes(shape));
      if (!last) return;
      const o = tipOf(last);
      const covers = ({ item: { text }, pose }) =>
        distance(pose.o, o) < LETTER * text.length * this.span;
      const near = marks.find(covers);
      if (near) near.item.text += this.cast[k].name;
      else {
        const item = { text: this.cast[k].name };
        marks.push({ key: `mark ${k}`, shape: "text", item, pose: { R: HERE.R, o }, lines: [] });
      }
    });
    return marks;
  }
}
