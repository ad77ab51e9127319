/** Plots on a canvas of their own: a frame with numbers, and what a function draws in it. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { labelsOf } from "./format.js";
import { palette } from "./plots.js";
import { ticks } from "./sheet.js";

export const HEIGHT = 320; // pixels
export const PAD = 56; // left of a drawing and below it, for numbers
export const TOP = 26; // above it, for the name of y
export const RIGHT = 16; // half of the last number of x

/**
 * Least and greatest of the numbers of a column; a range that is never empty.
 * @param {any[]} values
 * @returns {[number, number]}
 */
export function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values)
    if (Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  if (low > high) return [0, 1];
  return low === high ? [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)] : [low, high];
}

/** A canvas that is drawn when its width, the theme or what it shows changes. */
export function Drawing({ label, draw, watched, onBox }) {
  const canvas = useRef(null);
  const start = useRef(null);
  const [box, setBox] = useState(null);
  const colors = palette.value;
  useEffect(() => {
    const sheet = canvas.current;
    const paint = () => {
      const ratio = devicePixelRatio || 1;
      const width = sheet.clientWidth;
      Object.assign(sheet, {
        width: Math.round(width * ratio),
        height: Math.round(HEIGHT * ratio),
      });
      const pen = sheet.getContext("2d");
      pen.scale(ratio, ratio);
      pen.font = "12px system-ui, sans-serif";
      draw(pen, width, colors);
      if (!box) return;
      pen.strokeStyle = colors.ink;
      pen.strokeRect(
        Math.min(box[0], box[2]),
        Math.min(box[1], box[3]),
        Math.abs(box[2] - box[0]),
        Math.abs(box[3] - box[1]),
      );
    };
    const size = new ResizeObserver(paint);
    size.observe(sheet);
    return () => size.disconnect();
  }, [...watched, colors, box]);
  const at = (event) => [event.offsetX, event.offsetY];
  const down = (event) => {
    canvas.current.setPointerCapture(event.pointerId);
    start.current = at(event);
  };
  const up = (event) => {
    if (
      start.current &&
      Math.hypot(at(event)[0] - start.current[0], at(event)[1] - start.current[1]) > 4
    )
      onBox(start.current, at(event), canvas.current.clientWidth);
    start.current = null;
    setBox(null);
  };
  return html`<canvas class="drawing" ref=${canvas} role="img" aria-label=${label}
    onPointerDown=${onBox && down}
      onPointerMove=${(event) => start.current && setBox([...start.current, ...at(event)])}
      onPointerUp=${onBox && up}></canvas>`;
}

/**
 * The frame with round numbers along both axes; the name of y stands above its axis.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} width
 * @param {[number, number]} x range
 * @param {[number, number]} y range
 * @param {{ink: string, grid: string}} colors
 */
export function axes(pen, width, x, y, { ink, grid }, nameX, nameY) {
  const to = scales(width, x, y);
  const bottom = HEIGHT - PAD;
  pen.strokeStyle = grid;
  pen.strokeRect(PAD, TOP, width - PAD - RIGHT, bottom - TOP);
  pen.fillStyle = ink;
  pen.textAlign = "left";
  pen.fillText(nameY, 2, 14, width - 4);
  pen.textAlign = "center";
  pen.fillText(nameX, (PAD + width - RIGHT) / 2, HEIGHT - 8, width - PAD);
  const line = (x0, y0, x1, y1) => {
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
  };
  const [xs, ys] = [ticks(x, width / 90), ticks(y, 6)];
  labelsOf(xs).forEach((label, k) => {
    line(to.x(xs[k]), bottom, to.x(xs[k]), bottom + 5);
    pen.fillText(label, to.x(xs[k]), bottom + 18);
  });
  pen.textAlign = "right";
  labelsOf(ys).forEach((label, k) => {
    line(PAD - 5, to.y(ys[k]), PAD, to.y(ys[k]));
    pen.fillText(label, PAD - 8, to.y(ys[k]) + 4, PAD - 8);
  });
}

/**
 * A map of numbers to pixels and back.
 * @param {number} width
 * @param {number[]} x range
 * @param {number[]} y range
 */
export function scales(width, [x0, x1], [y0, y1]) {
  const w = width - PAD - RIGHT;
  const h = HEIGHT - PAD - TOP;
  return {
    x: (value) => PAD + (w * (value - x0)) / (x1 - x0),
    y: (value) => TOP + h - (h * (value - y0)) / (y1 - y0),
    backX: (pixel) => x0 + ((pixel - PAD) / w) * (x1 - x0),
    backY: (pixel) => y0 + ((TOP + h - pixel) / h) * (y1 - y0),
  };
}
