/** Motions between rows, places in space and pictures of scenes, without a browser. */
import assert from "node:assert/strict";
import test from "node:test";
import { Motion, placeOf } from "../../web/app/motion.js";
import { HERE, local, place, rotation, within } from "../../web/app/pose.js";
import { linesOf, sized } from "../../web/app/shapes.js";
import { Stage } from "../../web/app/stage.js";

const near = (a, b, tolerance = 1e-12) =>
  a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) <= tolerance, `${a} is not ${b}`));

test("a place in a growing list", () => {
  const times = [0, 1, 2, 2, 3];
  assert.deepEqual(
    [-1, 0, 0.5, 1, 2, 2.5, 3, 9].map((t) => placeOf(times, t)),
    [0, 0, 0, 1, 3, 3, 4, 4],
  );
});

test("a cubic between two rows is exact with rates, and a line without", () => {
  const x = (t) => t ** 3 - 2 * t;
  const series = { t: [1, 3], s1: [x(1), x(3)], "dot(s1)": [1, 25], s2: [0, 4] };
  const motion = new Motion(series);
  for (const t of [1, 1.2, 2, 2.9, 3]) near(motion.at(t), [x(t), 2 * (t - 1)]);
});

test("no curve leads across an event that sets", () => {
  const motion = new Motion({ t: [0, 1, 2], s1: [0, 10, 20] }, [0.5]);
  near(motion.at(0.9), [0]);
  near(motion.at(1), [10]);
  near(motion.at(1.5), [15]);
});

test("times outside of the rows have the values of the ends, and one row is enough", () => {
  const motion = new Motion({ t: [0, 1], s1: [3, 4] });
  near([...motion.at(-1), ...motion.at(2)], [3, 4]);
  near(new Motion({ t: [0], s1: [7] }).at(5), [7]);
});

test("turns agree with each other", () => {
  const a = 0.3,
    b = 1.1,
    c = -2;
  const about = (axis, angle) => ({ axis, angle });
  near(
    rotation({ euler: "zxz", angles: [a, b, c] }),
    rotation([about([0, 0, 1], a), about([1, 0, 0], b), about([0, 0, 1], c)]),
  );
  near(rotation(a), rotation(about([0, 0, 2], a)));
  const axis = [1, -2, 2].map((value) => value / 3);
  const q = [Math.cos(b / 2), ...axis.map((value) => value * Math.sin(b / 2))];
  near(rotation({ quaternion: q.map((value) => 5 * value) }), rotation(about(axis, b)));
  near(
    rotation({
      matrix: [
        [0, -1, 0],
        [1, 0, 0],
        [0, 0, 1],
      ],
    }),
    rotation(Math.PI / 2),
    1e-15,
  );
});

test("a turn about the first axis moves the second axis to the third", () => {
  near(
    place({ R: rotation({ axis: [1, 0, 0], angle: Math.PI / 2 }), o: [1, 2, 3] }, [0, 1, 0]),
    [1, 2, 4],
  );
});

test("the local z goes along a vector, whatever the spin", () => {
  for (const v of [
    [0, 0, 2],
    [0, 0, -2],
    [1, 2, 3],
    [-4, 1e-9, 0],
  ])
    for (const spin of [0, 0.7]) {
      const R = rotation({ along: v, spin });
      near(
        [R[2], R[5], R[8]],
        v.map((value) => value / Math.hypot(...v)),
        1e-9,
      );
      near([R[0] * R[2] + R[3] * R[5] + R[6] * R[8]], [0]);
    }
});

test("local coordinates are the inverse of places, in frames within frames", () => {
  const outer = { R: rotation({ euler: "zxz", angles: [1, 2, 3] }), o: [1, -1, 2] };
  const inner = { R: rotation({ axis: [1, 1, 0], angle: 0.4 }), o: [0, 3, 0] };
  const p = [0.5, -2, 7];
  near(local(within(outer, inner), place(outer, place(inner, p))), p);
  assert.deepEqual(place(HERE, p), p);
});

const column = (name) => ({ column: name });

test("a trail stays in the frame on which it lies", () => {
  // a point at rest in space, seen from a table that turns, draws an arc on the table
  const n = 100;
  const t = Array.from({ length: n + 1 }, (_, k) => k / n);
  const scene = {
    space: 3,
    frames: [{ name: "table", turn: { axis: [0, 0, 1], angle: column("s1") } }],
    items: [
      { shape: "trail", at: [1, 0, 0], on: "table" },
      { shape: "trail", at: [1, 0, 0] },
    ],
  };
  const { things } = new Stage(scene, new Motion({ t, s1: t })).picture(1);
  const [arc, still] = things.map((thing) => thing.lines[0].points);
  near(arc[0], [Math.cos(1), Math.sin(1), 0]);
  near(arc.at(-1), [1, 0, 0]);
  still.forEach((point) => near(point, [1, 0, 0]));
});

test("a trail ends at the instant, and `last` cuts its beginning", () => {
  const t = [0, 1, 2, 3, 4];
  const scene = { space: 2, items: [{ shape: "trail", at: [column("s1"), 0], last: 1.5 }] };
  const { things } = new Stage(scene, new Motion({ t, s1: t })).picture(2.5);
  assert.deepEqual(
    things[0].lines[0].points.map((p) => p[0]),
    [1, 2, 2.5],
  );
});

test("an item that has a value that is no number is left out", () => {
  const scene = {
    space: 2,
    items: [
      { shape: "point", at: [column("s1"), 0] },
      { shape: "rod", from: [0, 0], to: [1, 1] },
    ],
  };
  const { things } = new Stage(scene, new Motion({ t: [0, 1], s1: [null, 2] })).picture(0);
  assert.deepEqual(
    things.map((thing) => thing.shape),
    ["rod"],
  );
});

test("the longest arrow of a role has one length, and anchor head ends at the place", () => {
  const arrow = (x, more) => ({
    shape: "arrow",
    role: "force",
    at: [0, 0],
    vector: [x, 0],
    ...more,
  });
  const scene = {
    space: 2,
    camera: { span: 8 },
    items: [{ shape: "rod", from: [-4, 0], to: [4, 0] }, arrow(10), arrow(5, { anchor: "head" })],
  };
  const [, long, half] = new Stage(scene, new Motion({ t: [0] }))
    .picture(0)
    .things.map((thing) => thing.arrow);
  near(long.to, [2, 0, 0]);
  near(half.from, [-1, 0, 0]);
  near(half.to, [0, 0, 0]);
});

test("a followed body has its place in the middle", () => {
  const scene = {
    space: 2,
    camera: { follow: "body" },
    items: [{ name: "body", shape: "box", size: [1, 1], at: [column("s1"), 0] }],
  };
  const stage = new Stage(scene, new Motion({ t: [0, 1], s1: [0, 100] }));
  near(stage.picture(1).target, [100, 0, 0]);
  assert.equal(stage.size, 1);
});

test("a followed item is found behind one that has a trail", () => {
  const point = (name, x, more) => ({ name, shape: "point", at: [x, 0], ...more });
  const scene = {
    space: 2,
    camera: { follow: "second" },
    items: [point("first", 7, { trail: true }), point("second", column("s1"))],
  };
  const stage = new Stage(scene, new Motion({ t: [0, 1], s1: [0, 100] }));
  near([stage.picture(1).target[0] - stage.picture(0).target[0]], [100]);
});

test("a gauge in a corner is drawn, and sizes that are left out come from the first row", () => {
  const scene = {
    space: 2,
    items: [
      { shape: "gauge", value: column("s1"), at: "corner" },
      { shape: "spring", from: [0, 0], to: [column("s1"), 0] },
    ],
  };
  const [gauge, spring] = new Stage(scene, new Motion({ t: [0, 1], s1: [10, 20] })).picture(
    1,
  ).things;
  assert.equal(gauge.item.value, 20);
  assert.equal(spring.item.radius, 1);
});

test("every shape has lines of finite points", () => {
  const ends = { from: [0, 0], to: [1, 2] };
  const points = [
    [0, 0],
    [1, 1],
  ];
  const own = {
    rod: ends,
    line: ends,
    spring: ends,
    damper: ends,
    polyline: { points },
    curve: { points },
    surface: { points: [points, points] },
  };
  const solid = { radius: 1, length: 2, semiaxes: [1, 2, 3], size: [1, 2, 3] };
  for (const shape of [
    "sphere",
    "ellipsoid",
    "box",
    "cylinder",
    "cone",
    "disc",
    "wheel",
    "ring",
    "blade",
    "axes",
    "ground",
    ...Object.keys(own),
  ]) {
    const item = { shape, ...(own[shape] ?? solid), ...(shape === "ground" ? { size: 4 } : {}) };
    const lines = linesOf(sized(item, item, 2));
    assert.ok(lines.length > 0, shape);
    assert.ok(
      lines
        .flatMap((line) => line.points)
        .flat()
        .every(Number.isFinite),
      shape,
    );
  }
});
