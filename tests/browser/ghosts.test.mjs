/** Several motions in one picture, without a browser. */
import assert from "node:assert/strict";
import test from "node:test";
import { Ghosts, OPACITY } from "../../web/app/ghosts.js";
import { Motion } from "../../web/app/motion.js";
import { Stage } from "../../web/app/stage.js";

const s1 = { column: "s1" };
const GROUND = { shape: "ground", size: 4 };

/** An actor whose column s1 goes from 0 to `x` between the instants 0 and `end`. */
const actor = (name, color, items, x, end = 1, more = {}) => ({
  name,
  color,
  stage: new Stage({ space: 2, items, ...more }, new Motion({ t: [0, end], s1: [0, x] })),
});
const point = { shape: "point", at: [s1, 0], label: "mass", color: 5 };

/** Shape, color and opacity of things but marks. */
const told = (things) =>
  things
    .filter(({ shape }) => shape !== "text")
    .map(({ shape, color, item }) => [shape, color, item.opacity ?? 1, item.label]);

test("one motion is solid, the others are translucent, each in its color", () => {
  const cast = [actor("A", 1, [point], 1), actor("B", 2, [point], 2)];
  const at = (solid) => told(new Ghosts(cast, cast[solid]).picture(1).things);
  assert.deepEqual(at(0), [
    ["point", 2, OPACITY, undefined],
    ["point", 1, 1, "mass"],
  ]);
  assert.deepEqual(at(1), [
    ["point", 1, OPACITY, undefined],
    ["point", 2, 1, "mass"],
  ]);
});

test("what rests in the same way is drawn once, and keeps its color", () => {
  const sloped = { frames: [{ name: "ramp", turn: 0.1 }] };
  const items = [{ ...GROUND, in: "ramp", color: 3 }, point];
  const a = actor("A", 1, items, 1, 1, sloped);
  const same = actor("B", 2, items, 2, 1, sloped);
  const steeper = actor("C", 3, items, 3, 1, { frames: [{ name: "ramp", turn: 0.2 }] });
  const grounds = (...cast) =>
    told(new Ghosts(cast, a).picture(0).things).filter(([shape]) => shape === "ground");
  assert.deepEqual(grounds(a, same), [["ground", 3, 1, undefined]]);
  assert.deepEqual(grounds(a, steeper), [
    ["ground", 3, 1, undefined],
    ["ground", 3, OPACITY, undefined],
  ]);
});

test("a short motion stops at its last row, and the time line reaches all motions", () => {
  const cast = [actor("A", 1, [point], 1), actor("B", 2, [point], 8, 4)];
  const ghosts = new Ghosts(cast, cast[0]);
  assert.deepEqual(ghosts.motion, { t: [0, 1, 4], start: 0, end: 4 });
  const { things } = ghosts.picture(3);
  assert.deepEqual(
    things.filter(({ shape }) => shape === "point").map(({ pose }) => pose.o[0]),
    [6, 1],
  );
});

test("arrows of all motions have one scale", () => {
  const arrow = (force) => ({ shape: "arrow", role: "force", at: [s1, 0], vector: [force, 0] });
  const cast = [actor("A", 1, [arrow(10)], 1), actor("B", 2, [arrow(5)], 1)];
  const { things } = new Ghosts(cast, cast[0]).picture(0);
  const [half, whole] = things.map(({ arrow: { from, to } }) => to[0] - from[0]);
  assert.ok(whole > 0);
  assert.equal(half, whole / 2);
});

test("the view holds all motions, about the body that the solid one follows", () => {
  const body = { ...point, name: "body" };
  const camera = { camera: { follow: "body" } };
  const [near, far] = [10, 30].map((x, k) => actor("AB"[k], k + 1, [body], x, 1, camera));
  const ghosts = new Ghosts([near, far], near);
  for (const t of [0, 0.5, 1]) {
    const { things, target } = ghosts.picture(t);
    for (const { pose } of things) assert.ok(Math.abs(pose.o[0] - target[0]) <= ghosts.span / 2);
    assert.equal(target[0] - near.stage.motion.at(t)[0], 10); // the middle of 0 to 20
  }
});

test("marks that would cover each other are one", () => {
  const cast = [1, 1, 9].map((x, k) => actor("ABC"[k], k + 1, [point], x));
  const marks = (t) =>
    new Ghosts(cast, cast[0])
      .picture(t)
      .things.filter(({ shape }) => shape === "text")
      .map(({ item }) => item.text);
  assert.deepEqual(marks(0), ["ABC"]);
  assert.deepEqual(marks(1), ["AB", "C"]);
});
