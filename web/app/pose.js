/**
 * Places and axes in space. A pose has the origin `o` and the rotation `R` (nine numbers, row by
 * row; its columns are the axes): a local point p lies at R p + o.
 * @typedef {[number, number, number]} Point
 * @typedef {{R: number[], o: Point}} Pose
 */

export const HERE = /** @type {Pose} */ ({ R: [1, 0, 0, 0, 1, 0, 0, 0, 1], o: [0, 0, 0] });

/** @param {number[]} R @param {number[]} p @returns {Point} */
export const rotate = (R, p) => [
  R[0] * p[0] + R[1] * p[1] + R[2] * p[2],
  R[3] * p[0] + R[4] * p[1] + R[5] * p[2],
  R[6] * p[0] + R[7] * p[1] + R[8] * p[2],
];

/** @param {Pose} pose @param {number[]} p @returns {Point} */
export function place({ R, o }, p) {
  const [x, y, z] = rotate(R, p);
  return [x + o[0], y + o[1], z + o[2]];
}

/**
 * The local coordinates of a point: the inverse of `place`.
 * @param {Pose} pose
 * @param {number[]} p
 * @returns {Point}
 */
export function local({ R, o }, p) {
  const [x, y, z] = [p[0] - o[0], p[1] - o[1], p[2] - o[2]];
  return [
    R[0] * x + R[3] * y + R[6] * z,
    R[1] * x + R[4] * y + R[7] * z,
    R[2] * x + R[5] * y + R[8] * z,
  ];
}

/** The product of two rotations. @param {number[]} A @param {number[]} B */
function product(A, B) {
  const C = [];
  for (let i = 0; i < 9; i += 3)
    for (let j = 0; j < 3; j++) C.push(A[i] * B[j] + A[i + 1] * B[j + 3] + A[i + 2] * B[j + 6]);
  return C;
}

/** A pose that is given in another one. @param {Pose} outer @param {Pose} inner @returns {Pose} */
export const within = (outer, inner) => ({
  R: product(outer.R, inner.R),
  o: place(outer, inner.o),
});

/**
 * A rotation about an axis of any length (Rodrigues, 1840).
 * @param {number[]} axis
 * @param {number} angle
 */
function about(axis, angle) {
  const length = Math.hypot(...axis);
  if (!(length > 0)) return HERE.R;
  const [x, y, z] = axis.map((value) => value / length);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const d = 1 - c;
  return [
    c + x * x * d, x * y * d - z * s, x * z * d + y * s,
    y * x * d + z * s, c + y * y * d, y * z * d - x * s,
    z * x * d - y * s, z * y * d + x * s, c + z * z * d,
  ];
}

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/**
 * The shortest rotation that takes the local z along a vector, after a turn about it.
 * @param {number[]} v
 * @param {number} spin
 */
function along(v, spin) {
  const flat = Math.hypot(v[0], v[1]);
  const axis = flat > 0 ? [-v[1], v[0], 0] : [1, 0, 0];
  return product(about(axis, Math.atan2(flat, v[2])), about(AXES.z, spin));
}

/** @param {number[]} q */
function ofQuaternion(q) {
  return about(q.slice(1), 2 * Math.atan2(Math.hypot(q[1], q[2], q[3]), q[0]));
}

/**
 * The rotation that a `turn` describes; its members are numbers by now.
 * @param {any} turn @returns {number[]}
 */
export function rotation(turn) {
  if (turn === undefined || turn === null) return HERE.R;
  if (typeof turn === "number") return about(AXES.z, turn);
  if (Array.isArray(turn)) return turn.map(rotation).reduce(product, HERE.R);
  if (turn.axis) return about(turn.axis, turn.angle);
  if (turn.euler)
    return [...turn.euler]
      .map((axis, k) => about(AXES[axis], turn.angles[k]))
      .reduce(product, HERE.R);
  if (turn.along) return along([0, 0, 0].map((zero, k) => turn.along[k] ?? zero), turn.spin ?? 0);
  if (turn.matrix) return turn.matrix.flat();
  return ofQuaternion(turn.quaternion);
}
