/** A scene at an instant: the items with numbers in all members, and their lines in space. */
import { Motion, placeOf } from "./motion.js";
import { HERE, local, place, rotate, rotation, within } from "./pose.js";
import { linesOf, sized } from "./shapes.js";

const LOOKS = 64; // instants that tell the extent of a scene
const ARROW = 0.25; // the longest arrow, as a part of the width of the view
const ROOM = 2; // about a target that the camera follows, in sizes
const COLORS = { velocity: 3, force: 2, reaction: 6, momentum: 4, torque: 5 };
const SEGMENTS = 10; // colours of a trail that tells the time

/**
 * A point with three numbers; that of a gauge in a corner is the origin.
 * @param {any} p
 * @returns {import("./pose.js").Point}
 */
const full = (p) => (Array.isArray(p) ? [p[0] ?? 0, p[1] ?? 0, p[2] ?? 0] : [0, 0, 0]);
const finite = (p) => p.every(Number.isFinite);

/**
 * A function of a sample that puts numbers in the places of {"column": NAME}.
 * @param {any} value @param {string[]} names
 * @returns {{constant: boolean, of: (sample: number[]) => any}}
 */
function compile(value, names) {
  if (value === null || typeof value !== "object") return { constant: true, of: () => value };
  if (typeof value.column === "string") {
    const place = names.indexOf(value.column);
    return { constant: false, of: (sample) => sample[place] };
  }
  const keys = Object.keys(value);
  const parts = keys.map((key) => compile(value[key], names));
  if (parts.every((part) => part.constant)) return { constant: true, of: () => value };
  if (Array.isArray(value))
    return { constant: false, of: (sample) => parts.map((part) => part.of(sample)) };
  return {
    constant: false,
    of: (sample) => Object.fromEntries(parts.map((part, k) => [keys[k], part.of(sample)])),
  };
}

/** The short form of a trail on an item, as an item of its own. */
function trailOf(item) {
  if (!item.trail) return [];
  const own = item.trail === true ? {} : item.trail;
  return [
    { shape: "trail", in: item.in, at: item.at, color: item.color, visible: item.visible, ...own },
  ];
}

/** The smallest box of points. */
class Box {
  low = [Infinity, Infinity, Infinity];
  high = [-Infinity, -Infinity, -Infinity];

  /** @param {number[]} p @param {number} reach of what stands there */
  see(p, reach) {
    if (!finite(p) || !Number.isFinite(reach)) return;
    p.forEach((value, i) => {
      this.low[i] = Math.min(this.low[i], value - reach);
      this.high[i] = Math.max(this.high[i], value + reach);
    });
  }

  get empty() {
    return this.low[0] > this.high[0];
  }

  get middle() {
    return this.empty ? [0, 0, 0] : this.low.map((value, i) => (value + this.high[i]) / 2);
  }

  get size() {
    return this.empty ? 1 : Math.max(...this.low.map((value, i) => this.high[i] - value)) || 1;
  }
}

/**
 * The points that tell where an item is, in its frame, with its reach about them.
 * @returns {[number[], number][]}
 */
function marksOf(item) {
  const pose = { R: rotation(item.turn), o: full(item.at) };
  const points = [
    item.from,
    item.to,
    ...(item.shape === "polyline" || item.shape === "curve" ? item.points : []),
  ].filter(Boolean);
  if (points.length) return points.map((p) => [place(pose, full(p)), 0]);
  const reach = Math.max(
    item.radius ?? 0,
    (item.length ?? 0) / 2,
    ...(item.size ?? []).map((value) => value / 2),
    ...(item.semiaxes ?? []),
  );
  return [[pose.o, reach]];
}

const FOLLOWED = "__followed"; // such a name is reserved: no scene of the service has it
const NO_BODY = ["arrow", "trail", "gauge", "text", "ground"];

/** The first body of a scene whose place moves. */
function bodyOf({ items, frames = [] }) {
  const moves = (one) =>
    one !== undefined &&
    (JSON.stringify(one.at ?? null).includes('"column":') ||
      moves(frames.find((frame) => frame.name === one.in)));
  return items.find((item) => !NO_BODY.includes(item.shape) && moves(item));
}

/** Whether the camera of a scene can follow something. */
export const canFollow = (scene) => Boolean(scene.camera?.follow ?? bodyOf(scene));

/**
 * The scene with a camera that follows, or rests. It follows what the scene says, else a body.
 * @param {any} scene
 * @param {boolean | null} wanted null: as the scene says
 */
function following(scene, wanted) {
  if (wanted === null) return scene;
  const { follow, ...camera } = scene.camera ?? {};
  if (!wanted) return { ...scene, camera };
  const body = bodyOf(scene);
  if (follow || !body) return scene;
  const name = body.name ?? FOLLOWED;
  return {
    ...scene,
    items: scene.items.map((item) => (item === body ? { ...item, name } : item)),
    camera: { ...camera, follow: name },
  };
}

/**
 * The stage of a motion.
 * @param {any} moving the answer of readScene()
 * @param {boolean | null} wanted whether the camera follows; null: as the scene says
 */
export const stageOf = ({ scene, series, jumps }, wanted) =>
  new Stage(following(scene, wanted), new Motion(series, jumps));

export class Stage {
  middle = [0, 0, 0];
  size = 1;
  span = 1; // the width of the view
  way = 1; // the size of the whole way
  longest = new Map(); // arrows by their roles

  /** @param {any} scene of the service @param {import("./motion.js").Motion} motion */
  constructor(scene, motion) {
    this.scene = scene;
    this.motion = motion;
    this.plane = scene.space === 2;
    const ready = (value) => compile(value, motion.names).of;
    this.frames = new Map((scene.frames ?? []).map((frame) => [frame.name, ready(frame)]));
    this.items = scene.items
      .flatMap((item) => [item, ...trailOf(item)])
      .map((item, key) => {
        const of = ready(item);
        return { key, shape: item.shape, given: item, of, first: of(motion.row(0)) };
      });
    this.camera = ready(scene.camera ?? {});
    this.followed = this.items.find(
      ({ first }) => first.name !== undefined && first.name === scene.camera?.follow,
    );
    Stage.measure([this], this);
    this.trails = new Map(
      this.items
        .filter((item) => item.shape === "trail")
        .map((item) => [item.key, this.#trail(item)]),
    );
  }

  /** A function that gives the pose of a frame for one sample. @param {number[]} sample */
  #poses(sample) {
    const known = new Map();
    const pose = (name) => {
      const frame = this.frames.get(name);
      if (!frame) return HERE;
      if (!known.has(name)) {
        const now = frame(sample);
        known.set(name, within(pose(now.in), { R: rotation(now.turn), o: full(now.at) }));
      }
      return known.get(name);
    };
    return pose;
  }

  /**
   * Where that is which the camera follows, or null.
   * @param {(name: string) => import("./pose.js").Pose} frame
   * @param {number[]} sample
   */
  #target(frame, sample) {
    const name = this.scene.camera?.follow;
    if (this.frames.has(name)) return frame(name).o;
    if (!this.followed) return null;
    const item = this.followed.of(sample);
    return place(frame(item.in), full(item.at));
  }

  /**
   * Measures stages that are drawn in one picture, and gives all of them the same numbers: the
   * middle and the size of the motions, relative to the target of `lead` if its camera follows one;
   * the size of the whole way; the longest arrow of each role.
   * @param {Stage[]} stages @param {Stage} lead the stage whose camera looks
   */
  static measure(stages, lead) {
    const near = new Box();
    const all = new Box();
    const longest = new Map();
    const start = Math.min(...stages.map((stage) => stage.motion.start));
    const end = Math.max(...stages.map((stage) => stage.motion.end));
    for (let k = 0; k < LOOKS; k++) {
      const t = start + ((end - start) * k) / (LOOKS - 1);
      const sample = lead.motion.at(t);
      const base = lead.#target(lead.#poses(sample), sample) ?? [0, 0, 0];
      for (const stage of stages) stage.#see(t, base, near, all, longest);
    }
    const { middle, size } = near.empty ? all : near;
    const way = all.size;
    const span = lead.scene.camera?.follow ? Math.min(way, ROOM * size) : size;
    for (const stage of stages) Object.assign(stage, { middle, size, way, span, longest });
  }

  /** Adds the items at an instant to the boxes and to the longest arrows. */
  #see(t, base, near, all, longest) {
    const sample = this.motion.at(t);
    const frame = this.#poses(sample);
    for (const { shape, of } of this.items) {
      const item = of(sample);
      if (shape === "arrow") {
        const { role = "other", vector } = item;
        const length = Math.hypot(...full(vector));
        if (Number.isFinite(length)) longest.set(role, Math.max(longest.get(role) ?? 0, length));
      }
      if (shape === "gauge" || shape === "ground") continue;
      for (const [point, reach] of marksOf(item)) {
        const at = place(frame(item.in), point);
        all.see(at, reach);
        const seen = at.map((value, i) => value - base[i]);
        if (shape !== "trail") near.see(seen, reach);
      }
    }
  }

  /** The marks of a trail at all rows, in the frame on which they stay. */
  #trail(item) {
    const points = new Array(this.motion.n);
    for (let k = 0; k < this.motion.n; k++) {
      const row = this.motion.row(k);
      const frame = this.#poses(row);
      const now = item.of(row);
      points[k] = local(frame(now.on), place(frame(now.in), full(now.at)));
    }
    return points;
  }

  /** The part of a trail that is drawn at an instant, as lines in space. */
  #trailLines(item, key, at, t) {
    const { motion } = this;
    const points = this.trails.get(key);
    const end = placeOf(motion.t, t);
    const start = item.last ? placeOf(motion.t, t - item.last) : 0;
    const marks = points.slice(start, end + 1);
    marks.push(at);
    if (item.color !== "time") return [{ points: marks }];
    const size = Math.max(1, Math.ceil(points.length / SEGMENTS));
    return Array.from({ length: Math.ceil(marks.length / size) }, (_, k) => ({
      points: marks.slice(k * size, (k + 1) * size + 1),
      age: (start + k * size) / points.length,
    }));
  }

  /**
   * The items at an instant. Lines and arrows are in space; `pose` places solids. Items with a
   * number that is not finite are left out.
   * @param {number} t
   */
  picture(t) {
    const sample = this.motion.at(t);
    const frame = this.#poses(sample);
    const things = [];
    for (const { key, shape, of, first } of this.items) {
      const item = sized(of(sample), first, this.way);
      if (item.visible === false || item.visible === 0) continue;
      const outer = frame(item.in);
      const pose = within(outer, { R: rotation(item.turn), o: full(item.at) });
      if (!finite(pose.o) || !finite(pose.R)) continue;
      const thing = {
        key,
        shape,
        item,
        pose,
        lines: [],
        arrow: null,
        color: item.color ?? COLORS[item.role] ?? (shape === "trail" ? 2 : 1),
      };
      if (shape === "trail") {
        const on = frame(item.on);
        thing.lines = this.#trailLines(item, key, local(on, pose.o), t).map((one) => ({
          ...one,
          points: one.points.filter(finite).map((p) => place(on, p)),
        }));
      } else if (shape === "arrow") {
        const vector = rotate(pose.R, full(item.vector));
        const most = this.longest.get(item.role ?? "other") || 1;
        const shown = vector.map((value) => (value / most) * ARROW * this.span);
        if (!finite(shown)) continue;
        const tip = pose.o.map((value, i) => value + shown[i]);
        thing.arrow =
          item.anchor === "head"
            ? { from: pose.o.map((value, i) => value - shown[i]), to: pose.o }
            : { from: pose.o, to: tip };
      } else {
        thing.lines = linesOf(item).map((one) => ({
          ...one,
          points: one.points.map((p) => place(pose, full(p))),
        }));
        if (thing.lines.some((one) => !one.points.every(finite))) continue;
      }
      things.push(thing);
    }
    const camera = this.camera(sample);
    const base = this.#target(frame, sample) ?? [0, 0, 0];
    const target = camera.look_at
      ? full(camera.look_at)
      : this.middle.map((value, i) => value + base[i]);
    return { things, camera, target };
  }
}
