/**
 * The lines of each shape, in its local coordinates (of rods, springs and so on in those of its
 * frame).
 * A plane scene draws them as they are, without z; a closed line with `fill` is a face.
 * @typedef {{points: number[][], closed?: boolean, fill?: boolean}} Line
 */

const CIRCLE = 48; // corners of a drawn circle
const COIL = 16; // corners of a turn of a spring
const COILS = 8;

const sum = (a, b, k = 1) => a.map((value, i) => value + k * (b[i] ?? 0));
const full = (p) => [p[0], p[1], p[2] ?? 0];

/** Points of an ellipse about `center` with the half axes u and v. */
function ellipse(center, u, v, n = CIRCLE) {
  return Array.from({ length: n }, (_, k) => {
    const angle = (2 * Math.PI * k) / n;
    return sum(sum(center, u, Math.cos(angle)), v, Math.sin(angle));
  });
}

const circle = (radius, z = 0) => ellipse([0, 0, z], [radius, 0, 0], [0, radius, 0]);
const face = (points) => ({ points, closed: true, fill: true });
const line = (...points) => ({ points });

/** Spokes of a wheel, so that one sees it roll. */
function spokes(radius, z, n) {
  return Array.from({ length: n }, (_, k) => {
    const angle = (2 * Math.PI * k) / n;
    return line([0, 0, z], [radius * Math.cos(angle), radius * Math.sin(angle), z]);
  });
}

const UPRIGHT = 1e-9; // part of a unit vector across the axis: less is rounding

/** Two unit vectors at right angles to a direction, in the plane first. */
function across(d) {
  const length = Math.hypot(...d) || 1;
  const [x, y, z] = d.map((value) => value / length);
  const flat = Math.hypot(x, y);
  const u = flat > UPRIGHT ? [-y / flat, x / flat, 0] : [1, 0, 0];
  return [u, [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]]];
}

/**
 * A coil between two points, with a straight piece at each end. In the plane it is seen from the
 * side.
 */
function coil(from, to, radius, turns) {
  const d = sum(to, from, -1);
  const [u, v] = across(d);
  const n = Math.max(1, Math.round(turns)) * COIL;
  const middle = Array.from({ length: n + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / COIL;
    const at = sum(from, d, 0.1 + (0.8 * k) / n);
    return sum(sum(at, u, radius * Math.sin(angle)), v, radius * (1 - Math.cos(angle)));
  });
  return line(from, sum(from, d, 0.1), ...middle, sum(from, d, 0.9), to);
}

/** A cylinder with a piston. */
function damper(from, to, radius) {
  const d = sum(to, from, -1);
  const [u] = across(d);
  const at = (share, side) => sum(sum(from, d, share), u, side * radius);
  return [
    line(from, sum(from, d, 0.35)),
    line(at(0.7, 1), at(0.35, 1), at(0.35, -1), at(0.7, -1)),
    line(at(0.55, 0.8), at(0.55, -0.8)),
    line(sum(from, d, 0.55), to),
  ];
}

function box([x, y, z = 0]) {
  const corners = [
    [-x, -y],
    [x, -y],
    [x, y],
    [-x, y],
  ].map((corner) => corner.map((value) => value / 2));
  const at = (height) => corners.map((corner) => [...corner, height]);
  if (!z) return [face(at(0))];
  return [
    face(at(z / 2)),
    face(at(-z / 2)),
    ...corners.map((corner) => line([...corner, -z / 2], [...corner, z / 2])),
  ];
}

/** Rows and columns of a net of points as lines. @param {number[][][]} net */
function mesh(net) {
  return [
    ...net.map((points) => ({ points })),
    ...net[0].map((_, j) => ({ points: net.map((row) => row[j]) })),
  ];
}

/** A square of the ground. @param {number} side @param {string} pattern @param {number[]} slide */
function grid(side, pattern, slide) {
  const half = side / 2;
  if (pattern === "none")
    return [
      face([
        [-half, -half, 0],
        [half, -half, 0],
        [half, half, 0],
        [-half, half, 0],
      ]),
    ];
  // cells of a side; a line has as many pieces, so that none leads from far away to behind the eye
  const n = 10;
  const ends = Array.from({ length: n + 1 }, (_, k) => (k / n - 0.5) * side);
  const moved = (shift) =>
    ends
      .map((end) => end + (((shift % (side / n)) + side / n) % (side / n)))
      .filter((end) => end <= half);
  return [
    ...moved(slide[0]).map((x) => ({ points: ends.map((y) => [x, y, 0]) })),
    ...moved(slide[1]).map((y) => ({ points: ends.map((x) => [x, y, 0]) })),
  ];
}

const DRAW = {
  sphere: ({ radius: r }) => [
    face(circle(r)),
    line([0, 0, 0], [r, 0, 0]),
    ...[
      [
        [1, 0, 0],
        [0, 0, 1],
      ],
      [
        [0, 1, 0],
        [0, 0, 1],
      ],
    ].map(([u, v]) => ({
      points: ellipse(
        [0, 0, 0],
        u.map((c) => r * c),
        v.map((c) => r * c),
      ),
      closed: true,
    })),
  ],
  ellipsoid: ({ semiaxes: [a, b, c = a] }) => [
    face(ellipse([0, 0, 0], [a, 0, 0], [0, b, 0])),
    { points: ellipse([0, 0, 0], [a, 0, 0], [0, 0, c]), closed: true },
    { points: ellipse([0, 0, 0], [0, b, 0], [0, 0, c]), closed: true },
  ],
  box: ({ size }) => box(size),
  cylinder: ({ radius, length: l }) => [
    face(circle(radius, l / 2)),
    face(circle(radius, -l / 2)),
    ...[0, 1, 2, 3]
      .map((k) => [Math.cos((k * Math.PI) / 2) * radius, Math.sin((k * Math.PI) / 2) * radius])
      .map(([x, y]) => line([x, y, -l / 2], [x, y, l / 2])),
  ],
  cone: ({ radius, length: l }) => [
    face(circle(radius, 0)),
    ...[0, 1, 2, 3].map((k) =>
      line(
        [Math.cos((k * Math.PI) / 2) * radius, Math.sin((k * Math.PI) / 2) * radius, 0],
        [0, 0, l],
      ),
    ),
  ],
  disc: ({ radius, pattern }) => [
    face(circle(radius)),
    ...(pattern === "none" ? [] : spokes(radius, 0, 8)),
  ],
  wheel: ({ radius, pattern }) => [
    face(circle(radius)),
    ...(pattern === "none" ? [] : spokes(radius, 0, 5)),
  ],
  ring: ({ radius, tube }) => [
    { points: circle(radius + tube), closed: true },
    { points: circle(radius - tube), closed: true },
  ],
  blade: ({ length: l }) => [line([-l / 2, 0, 0], [l / 2, 0, 0])],
  rod: ({ from, to }) => [line(full(from), full(to))],
  line: ({ from, to }) => [line(full(from), full(to))],
  spring: ({ from, to, coils = COILS, radius }) => [coil(full(from), full(to), radius, coils)],
  damper: ({ from, to, radius }) => damper(full(from), full(to), radius),
  polyline: ({ points }) => [{ points: points.map(full) }],
  curve: ({ points }) => [{ points: points.map(full) }],
  surface: ({ points }) => mesh(points),
  axes: ({ length: l }) => [
    line([0, 0, 0], [l, 0, 0]),
    line([0, 0, 0], [0, l, 0]),
    line([0, 0, 0], [0, 0, l]),
  ],
  ground: ({ size, pattern, slide = [0, 0] }) => grid(size, pattern, slide),
};

/** @param {any} item with numbers in all members @returns {Line[]} */
export const linesOf = (item) => DRAW[item.shape]?.(item) ?? [];

/** Sizes that an item may leave out: of the item in the first row, and of the whole way. */
const SIZES = {
  disc: ({ radius }) => ({ thickness: radius / 10 }),
  wheel: ({ radius }) => ({ thickness: radius / 10 }),
  ring: ({ radius }) => ({ tube: radius / 20 }),
  spring: ({ from, to }) => ({ radius: Math.hypot(...sum(full(to), full(from), -1)) / 10 }),
  damper: ({ from, to }) => ({ radius: Math.hypot(...sum(full(to), full(from), -1)) / 10 }),
  axes: () => ({ length: 1 }),
  ground: (_, way) => ({ size: 3 * way }),
};

/**
 * @param {any} item
 * @param {any} first the item in the first row
 * @param {number} way size of the whole way
 */
export const sized = (item, first, way) => ({ ...SIZES[item.shape]?.(first, way), ...item });
