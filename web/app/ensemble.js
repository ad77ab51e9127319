/**
 * The members of an ensemble: scatter, parallel coordinates, a picture of a grid, bands over time,
 * and a condition.
 */
import { html, useEffect, useState } from "../vendor/preact.js";
import { Drawing, HEIGHT, PAD, RIGHT, TOP, axes, rangeOf, scales } from "./drawing.js";
import { brief } from "./format.js";
import { Panel, room } from "./plots.js";
import { address, client, failed, refused, setQuery } from "./service.js";

const MEMBERS = 20000; // that are drawn
const ROWS = 100; // of the table
const POINT = 7; // pixels of a member in the scatter
const QUANTILES = ["0.025", "0.5", "0.975"];
const WORDS = ["state", "reason"];

const digits = (value) => Number(value.toPrecision(6));

/** The condition of a rectangle. @param {any[][]} sides name, least, greatest */
export const conditionOf = (sides) =>
  sides
    .map(
      ([name, low, high]) =>
        `column("${name}") >= ${digits(low)} and column("${name}") <= ${digits(high)}`,
    )
    .join(" and ");

/** What the ends of the colours mean. @param {number[]} range */
const shades = ([low, high]) => `from ${brief(low)} (dark) to ${brief(high)}`;

/**
 * A colour between two ends: dark blue to yellow, so that more is lighter.
 * @param {number} share
 */
function shade(share) {
  const ends = [
    [48, 18, 92],
    [32, 124, 140],
    [250, 220, 70],
  ];
  const k = share < 0.5 ? 0 : 1;
  const s = 2 * share - k;
  const mixed = ends[k].map((value, i) => Math.round(value + s * (ends[k + 1][i] - value)));
  return `rgb(${mixed.join()})`;
}

function Scatter({ series, x, y, color, onWhere }) {
  const roomy = (name) => room(...rangeOf(series[name]));
  const [across, up] = [roomy(x), roomy(y)];
  const [low, high] = color ? rangeOf(series[color]) : [0, 1];
  const draw = (pen, width, colors) => {
    const to = scales(width, across, up);
    axes(pen, width, across, up, colors, x, y);
    series[x].forEach((value, k) => {
      if (!Number.isFinite(value) || !Number.isFinite(series[y][k])) return;
      pen.fillStyle =
        color && Number.isFinite(series[color][k])
          ? shade((series[color][k] - low) / (high - low))
          : colors.columns[0];
      pen.beginPath();
      pen.arc(to.x(value), to.y(series[y][k]), POINT / 2, 0, 2 * Math.PI);
      pen.fill();
    });
  };
  const onBox = (a, b, width) => {
    const to = scales(width, across, up);
    const sorted = (p, q) => [Math.min(p, q), Math.max(p, q)];
    onWhere(
      conditionOf([
        [x, ...sorted(to.backX(a[0]), to.backX(b[0]))],
        [y, ...sorted(to.backY(a[1]), to.backY(b[1]))],
      ]),
    );
  };
  return html`<figure class="panel">
    <figcaption>${y} over ${x}${color && `; colour: ${color}, ${shades([low, high])}`};
      ${" "}drag to select members</figcaption>
    <${Drawing} label=${`Members: ${y} over ${x}`} draw=${draw} watched=${[series, x, y, color]}
      onBox=${onBox} /></figure>`;
}

/** A line a member through an axis a column; a drag along an axis selects. */
function Parallel({ series, names, onWhere }) {
  const ranges = names.map((name) => rangeOf(series[name]));
  const place = (k, width) => PAD + ((width - 2 * PAD) * k) / Math.max(1, names.length - 1);
  const level = (value, [low, high]) =>
    HEIGHT - 40 - ((HEIGHT - 70) * (value - low)) / (high - low);
  const draw = (pen, width, colors) => {
    pen.strokeStyle = colors.columns[0];
    pen.globalAlpha = Math.max(0.03, Math.min(0.6, 60 / series[names[0]].length));
    series[names[0]].forEach((_, row) => {
      if (!names.every((name) => Number.isFinite(series[name][row]))) return;
      pen.beginPath();
      names.forEach((name, k) =>
        pen[k ? "lineTo" : "moveTo"](place(k, width), level(series[name][row], ranges[k])),
      );
      pen.stroke();
    });
    pen.globalAlpha = 1;
    names.forEach((name, k) => {
      // texts of the first and the last axis end at the edges
      const last = k > 0 && k === names.length - 1;
      pen.textAlign = k === 0 ? "left" : last ? "right" : "center";
      const at = k === 0 ? 2 : last ? width - 2 : place(k, width);
      pen.strokeStyle = colors.ink;
      pen.fillStyle = colors.ink;
      pen.beginPath();
      pen.moveTo(place(k, width), 30);
      pen.lineTo(place(k, width), HEIGHT - 40);
      pen.stroke();
      pen.fillText(brief(ranges[k][1]), at, 22);
      pen.fillText(brief(ranges[k][0]), at, HEIGHT - 26);
      pen.fillText(name, at, HEIGHT - 8, width / names.length - 8);
    });
  };
  const onBox = (a, b, width) => {
    const k = names
      .map((_, i) => Math.abs(place(i, width) - a[0]))
      .reduce((best, gap, i, all) => (gap < all[best] ? i : best), 0);
    const [low, high] = ranges[k];
    const back = (pixel) => low + ((HEIGHT - 40 - pixel) / (HEIGHT - 70)) * (high - low);
    onWhere(conditionOf([[names[k], ...[back(a[1]), back(b[1])].sort((p, q) => p - q)]]));
  };
  return html`<figure class="panel">
    <figcaption>A line a member; drag along an axis to select</figcaption>
    <${Drawing} label=${`Members by ${names.join(", ")}`} draw=${draw}
      watched=${[series, names.join()]} onBox=${onBox} /></figure>`;
}

/** A grid of two axes as a picture. */
function Grid({ id, name, done }) {
  const [grid, setGrid] = useState(null);
  useEffect(() => {
    client.transport
      .json("GET", `/v1/jobs/${id}/members`, { query: { shape: "grid", columns: name } })
      .then(setGrid, failed);
  }, [id, name, done]);
  if (!grid?.series[name]) return null;
  const [down, across] = grid.axes;
  const rows = grid.series[name];
  const range = rangeOf(rows.flat());
  const draw = (pen, width, colors) => {
    const to = {
      w: (width - PAD - RIGHT) / across.values.length,
      h: (HEIGHT - PAD - TOP) / down.values.length,
    };
    rows.forEach((row, i) =>
      row.forEach((value, j) => {
        pen.fillStyle = Number.isFinite(value)
          ? shade((value - range[0]) / (range[1] - range[0]))
          : colors.grid;
        pen.fillRect(
          PAD + j * to.w,
          HEIGHT - PAD - (i + 1) * to.h,
          Math.ceil(to.w),
          Math.ceil(to.h),
        );
      }),
    );
    axes(
      pen,
      width,
      [across.values[0], across.values.at(-1)],
      [down.values[0], down.values.at(-1)],
      colors,
      across.path,
      down.path,
    );
  };
  return html`<figure class="panel">
    <figcaption>${name} over the grid, ${shades(range)}; grey: no value</figcaption>
    <${Drawing} label=${`${name} over ${across.path} and ${down.path}`} draw=${draw}
      watched=${[grid]} /></figure>`;
}

/** Bands over time of the columns that the ensemble keeps. */
function Fans({ id, done }) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    const query = { over: "time", quantiles: QUANTILES.join() };
    client.transport
      .json("GET", `/v1/jobs/${id}/statistics`, { query })
      .then(setFound, (why) => failed(why) && undefined);
  }, [id, done]);
  if (!found) return null;
  const shown = Object.entries(found.columns).filter(([, one]) => one.quantiles);
  return shown.map(([name, one]) => {
    const [low, median, high] = QUANTILES.map((level) => one.quantiles[level]);
    const series = { t: found.t, "2.5 %": low, median, "97.5 %": high, mean: one.mean };
    return html`<${Panel} key=${name} unit=${`${name} of ${found.members} members`}
      names=${["2.5 %", "median", "97.5 %", "mean"]} series=${series} onRange=${() => {}} />`;
  });
}

/** A parameter of the address as a choice of a name. */
export function Choice({ name, value, names, none }) {
  return html`<label class="field">${name} <select
    onChange=${(event) => setQuery({ [name]: event.target.value })}>
    ${none && html`<option value="">none</option>`}${names.map((one) => html`<option value=${one}
      selected=${one === value}>${one}</option>`)}</select></label>`;
}

/** Members that fit; each can be run alone. */
function Members({ id, series, columns }) {
  const [told, setTold] = useState("");
  const open = async (k) => {
    try {
      const member = await client.transport.json("GET", `/v1/jobs/${id}/members/${k}`);
      location.hash = "job/" + (await client.submit(member.job)).id;
    } catch (why) {
      failed(why);
      setTold(why?.detail || String(why?.message ?? why));
    }
  };
  const n = Math.min(ROWS, series.member?.length ?? 0);
  return html`${told && html`<p class="warn" role="alert">${told}</p>`}
    ${refused.value && html`<p class="warn">${refused.value}</p>`}
    <div class="scroll" tabindex="0" role="region" aria-label="Members that fit"><table>
    <thead><tr><th scope="col">run</th>${columns.map((name) => html`<th
      scope="col">${name}</th>`)}</tr></thead>
    <tbody>${Array.from(
      { length: n },
      (_, k) => html`<tr><td><button disabled=${Boolean(refused.value)}
        onClick=${() => open(series.member[k])}>Run alone</button></td>
      ${columns.map((name) => html`<td class="number">${brief(series[name][k])}</td>`)}</tr>`,
    )}</tbody></table></div>
    ${(series.member?.length ?? 0) > n && html`<p
      class="quiet">The first ${n} of ${series.member.length} members.</p>`}`;
}

/** @param {{data: any}} properties the job */
export function Ensemble({ data }) {
  const { query } = address.value;
  const where = query.get("where") ?? "";
  const [found, setFound] = useState(null);
  const [told, setTold] = useState("");
  const { id, members, design } = data;
  useEffect(() => {
    client.transport
      .json("GET", `/v1/jobs/${id}/members`, { query: { where: where || null, limit: MEMBERS } })
      .then(
        (rows) => {
          setFound(rows);
          setTold("");
        },
        (why) => {
          failed(why);
          setTold(why?.mistakes?.[0]?.message || why?.detail || String(why?.message ?? why));
        },
      );
  }, [id, where, members.done]);
  if (!found) return told ? html`<p class="warn" role="alert">${told}</p>` : null;
  const numbers = found.columns.filter((name) => !WORDS.includes(name));
  const own = numbers.filter((name) => name !== "member");
  const x = query.get("x") ?? own[0];
  const y =
    query.get("y") ??
    own.find((name) => name !== x && !/^(parameters\.|initial\.|time\.|final\.t$)/.test(name)) ??
    own[1] ??
    own[0];
  const color = query.get("color");
  const paths = own.filter((name) => /^(parameters|initial|time)\./.test(name)).slice(0, 6);
  const select = (condition) => setQuery({ where: condition });
  return html`<section aria-label="Members"><h2>Members</h2>
    <p>${members.total} members: ${members.succeeded ?? 0} succeeded,
      ${" "}${members.failed ?? 0} failed, ${members.total - (members.done ?? 0)} to go.</p>
    <div class="bar"><${Choice} name="x" value=${x} names=${own} /><${Choice} name="y" value=${y}
      names=${own} /><${Choice} name="color" value=${color} names=${own} none=${true} />
      <label class="field wide">Condition <input type="search" value=${where}
        placeholder="final.t > 2" onChange=${(event) => select(event.target.value)} /></label>
      <span class="quiet" role="status">${found.series.member.length} fit</span></div>
    ${told && html`<p class="warn" role="alert">${told}</p>`}
    ${
      found.series.member.length > 0 &&
      html`<div class="panels"><${Scatter} series=${found.series} x=${x} y=${y} color=${color}
        onWhere=${select} />
      ${paths.length > 0 && html`<${Parallel} series=${found.series}
        names=${[...new Set([...paths, y])]} onWhere=${select} />`}
      ${design?.kind === "grid" && design.axes?.length === 2 && html`<${Grid} id=${id} name=${y}
        done=${members.done} />`}
      <${Fans} id=${id} done=${members.done} /></div>`
    }
    <${Members} id=${id} series=${found.series} columns=${found.columns} /></section>`;
}
