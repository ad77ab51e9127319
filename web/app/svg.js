/** A pen that writes SVG: it has the part of CanvasRenderingContext2D that the drawings use. */

/** @param {any} text */
const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** @param {number} value pixels */
const short = (value) => String(Number(value.toFixed(2)));

const ANCHORS = { left: "start", center: "middle", right: "end" };

export class SvgPen {
  strokeStyle = "#000";
  fillStyle = "#000";
  globalAlpha = 1;
  lineWidth = 1;
  lineJoin = "miter";
  lineCap = "butt";
  font = "12px sans-serif"; // a size in pixels, then the families
  textAlign = "left";
  textBaseline = "alphabetic";
  #dash = [];
  #path = "";
  #halo = {}; // of the next text
  #parts = [];

  #add(name, attributes, text = "") {
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
    this.#parts.push(`<${name}${written.join("")}${text ? `>${escaped(text)}</${name}>` : "/>"}`);
  }

  get #opacity() {
    return this.globalAlpha === 1 ? {} : { opacity: short(this.globalAlpha) };
  }

  get #line() {
    return {
      fill: "none",
      stroke: this.strokeStyle,
      "stroke-width": this.lineWidth,
      "stroke-linejoin": this.lineJoin,
      "stroke-linecap": this.lineCap,
      ...(this.#dash.length ? { "stroke-dasharray": this.#dash.join(" ") } : {}),
      ...this.#opacity,
    };
  }

  setLineDash(dash) {
    this.#dash = dash;
  }

  beginPath() {
    this.#path = "";
  }

  moveTo(x, y) {
    this.#path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x, y) {
    this.#path += `L${short(x)} ${short(y)}`;
  }

  closePath() {
    this.#path += "Z";
  }

  /** A whole circle. */
  arc(x, y, radius) {
    const r = short(radius);
    this.moveTo(x - radius, y);
    for (const way of [2 * radius, -2 * radius]) this.#path += `a${r} ${r} 0 1 0 ${short(way)} 0`;
  }

  stroke() {
    this.#add("path", { d: this.#path, ...this.#line });
  }

  fill() {
    this.#add("path", { d: this.#path, fill: this.fillStyle, ...this.#opacity });
  }

  strokeRect(x, y, width, height) {
    const [w, h] = [short(width), short(height)];
    this.#add("rect", { x: short(x), y: short(y), width: w, height: h, ...this.#line });
  }

  /** The halo of the text that is written next. */
  strokeText() {
    this.#halo = {
      stroke: this.strokeStyle,
      "stroke-width": this.lineWidth,
      "paint-order": "stroke",
    };
  }

  fillText(text, x, y) {
    const [size, families] = this.font.split(/px (.*)/);
    const middle = this.textBaseline === "middle" ? 0.35 * Number(size) : 0;
    this.#add(
      "text",
      {
        x: short(x),
        y: short(y + middle),
        fill: this.fillStyle,
        "font-size": size,
        "font-family": families,
        "text-anchor": ANCHORS[this.textAlign],
        ...this.#halo,
        ...this.#opacity,
      },
      text,
    );
    this.#halo = {};
  }

  /**
   * The drawing as a file.
   * @param {number} width
   * @param {number} height
   * @param {string} title
   * @param {string} paper its color
   */
  file(width, height, title, paper) {
    const [w, h] = [short(width), short(height)];
    const size = `width="${w}" height="${h}"`;
    return new Blob(
      [
        `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${w} ${h}">\n`,
        `<title>${escaped(title)}</title>\n<rect ${size} fill="${paper}"/>\n`,
        this.#parts.join("\n"),
        "\n</svg>\n",
      ],
      { type: "image/svg+xml" },
    );
  }
}
