/**
 * Draws a scene on a canvas: plane scenes as they are, scenes in space by their lines, seen from
 * the camera's direction without perspective. The mouse moves and zooms; a double click undoes
 * that.
 */
import { rotate } from "./pose.js";

const MARGIN = 1.25; // the part of the width that a span takes is one over this
/** Directions to the eye, with z up. */
const VIEWS = { iso: [1, -1.4, 0.8], top: [0, -1e-3, 1], front: [0, -1, 0], side: [1, 0, 0] };
const ZOOM = 1.0015; // of a unit of the wheel

/** The axis that points up. @param {any} scene @returns {number[]} */
export const upOf = ({ up, space }) =>
  ({ x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] })[up ?? (space === 2 ? "y" : "z")];

/**
 * The direction from which a camera looks.
 * @param {any} scene
 * @param {any} camera with numbers
 * @returns {number[]}
 */
export function viewOf(scene, camera) {
  if (Array.isArray(camera.view)) return camera.view;
  const [a, b, c] = VIEWS[camera.view ?? "iso"];
  return { x: [c, a, b], y: [b, c, a], z: [a, b, c] }[scene.up ?? "z"];
}

const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a) => a.map((value) => value / (Math.hypot(...a) || 1));

/**
 * The rotation from space to the screen: right, up, to the eye.
 * @param {number[]} view
 * @param {number[]} up
 */
function toScreen(view, up) {
  const right = unit(cross(up, view));
  return [...right, ...unit(cross(view, right)), ...unit(view)];
}

/** Draws labels and gauges. @param {CanvasRenderingContext2D} pen */
export function annotate(pen, things, toPixels, { ink, paper }, width, height) {
  pen.font = "13px system-ui, sans-serif";
  pen.textBaseline = "middle";
  const corners = {};
  const write = (text, x, y) => {
    pen.lineWidth = 3;
    pen.strokeStyle = paper;
    pen.strokeText(text, x, y);
    pen.fillStyle = ink;
    pen.fillText(text, x, y);
  };
  for (const { shape, item, pose } of things) {
    const text =
      shape === "text"
        ? (item.text ?? item.label)
        : shape === "gauge"
          ? `${item.label ?? ""} ${Number(item.value).toPrecision(4)}`
          : item.label;
    if (!text || shape === "trail") continue; // trails are labelled below the picture
    if (shape !== "gauge" || Array.isArray(item.at)) {
      const [x, y] = toPixels(pose.o);
      write(String(text), x + 8, y - 10);
      continue;
    }
    const corner = item.corner ?? "top-left";
    const row = (corners[corner] = (corners[corner] ?? -1) + 1);
    pen.textAlign = corner.endsWith("right") ? "right" : "left";
    write(
      String(text),
      corner.endsWith("right") ? width - 12 : 12,
      corner.startsWith("bottom") ? height - 18 - 20 * row : 18 + 20 * row,
    );
    pen.textAlign = "left";
  }
}

export class Flat {
  /** @param {HTMLElement} box @param {import("./stage.js").Stage} stage */
  constructor(box, stage) {
    this.stage = stage;
    this.canvas = document.createElement("canvas");
    box.append(this.canvas);
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.reset();
    this.changed = () => {};
    this.#listen();
  }

  /** Another motion of the same scene. @param {import("./stage.js").Stage} stage */
  take(stage) {
    this.stage = stage;
  }

  reset() {
    this.zoom = 1;
    this.shift = [0, 0];
  }

  #listen() {
    let last = null;
    const { canvas } = this;
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom *= ZOOM ** -event.deltaY;
        this.changed();
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      last = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.shift = [
        this.shift[0] + event.clientX - last[0],
        this.shift[1] + event.clientY - last[1],
      ];
      last = [event.clientX, event.clientY];
      this.changed();
    });
    canvas.addEventListener("pointerup", () => (last = null));
    canvas.addEventListener("dblclick", () => {
      this.reset();
      this.changed();
    });
  }

  /** The map from space to pixels at this instant. */
  #projection({ camera, target }, width, height) {
    const { stage } = this;
    const R = toScreen(stage.plane ? [0, 0, 1] : viewOf(stage.scene, camera), upOf(stage.scene));
    const scale = (this.zoom * Math.min(width, height)) / (MARGIN * (camera.span ?? stage.span));
    const [cx, cy] = rotate(R, target);
    return (p) => {
      const [x, y] = rotate(R, p);
      return [
        width / 2 + this.shift[0] + scale * (x - cx),
        height / 2 + this.shift[1] - scale * (y - cy),
      ];
    };
  }

  /** @param {number} t @param {any} colors */
  draw(t, colors) {
    const ratio = devicePixelRatio || 1;
    const { canvas, pen } = this;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.paint(pen, t, colors);
  }

  /**
   * Draws the picture with any pen, in pixels of the canvas.
   * @param {any} pen @param {number} t @param {any} colors
   */
  paint(pen, t, colors) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    pen.lineJoin = pen.lineCap = "round";
    const picture = this.stage.picture(t);
    const toPixels = this.#projection(picture, width, height);
    for (const thing of picture.things) this.#draw(pen, thing, toPixels, colors);
    pen.globalAlpha = 1;
    annotate(pen, picture.things, toPixels, colors, width, height);
  }

  #draw(pen, { shape, item, lines, arrow, pose, color }, toPixels, colors) {
    const opacity = item.opacity ?? 1;
    pen.strokeStyle = pen.fillStyle = shape === "ground" ? colors.grid : colors.of(color);
    pen.lineWidth = WIDTHS[shape] ?? 1.5;
    for (const { points, closed, fill, age } of lines) {
      pen.beginPath();
      points.forEach((point, k) => pen[k ? "lineTo" : "moveTo"](...toPixels(point)));
      if (closed) pen.closePath();
      if (fill) {
        pen.globalAlpha = 0.25 * opacity;
        pen.fill();
      }
      pen.globalAlpha = age === undefined ? opacity : opacity * (0.25 + 0.75 * age);
      pen.stroke();
    }
    pen.globalAlpha = opacity;
    if (shape === "point") dot(pen, toPixels(pose.o), 6);
    if (arrow) drawArrow(pen, toPixels(arrow.from), toPixels(arrow.to));
  }

  close() {
    this.canvas.remove();
  }
}

function dot(pen, [x, y], radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function drawArrow(pen, [x, y], [u, v]) {
  const length = Math.hypot(u - x, v - y);
  if (length < 1) return;
  const head = Math.min(10, length);
  const [c, s] = [(u - x) / length, (v - y) / length];
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(u - c * head * 0.8, v - s * head * 0.8);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(u, v);
  pen.lineTo(u - head * (c + 0.45 * s), v - head * (s - 0.45 * c));
  pen.lineTo(u - head * (c - 0.45 * s), v - head * (s + 0.45 * c));
  pen.fill();
}

/** Pixels of a line by shape. */
const WIDTHS = { rod: 5, blade: 4, arrow: 2.5, spring: 2, damper: 2, trail: 1.75, ground: 1 };
