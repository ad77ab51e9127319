/**
 * Several jobs beside each other: differing inputs, common columns in one plot, ghosts in one
 * scene.
 */
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { State, brief, title } from "./format.js";
import { Ghosts, OPACITY } from "./ghosts.js";
import { useKey } from "./keys.js";
import { agree, differences, namesOf, restsAt, together } from "./overlay.js";
import { Instant, Panel, ascending, cursor, palette } from "./plots.js";
import { Show, readScene } from "./scene.js";
import { address, client, failed, follow, setQuery } from "./service.js";
import { overTime } from "./sheet.js";
import { stageOf } from "./stage.js";

export const MOST = 10; // jobs of a comparison
const POINTS = 2000; // rows of each
const LONG = 60; // characters of an input that is shown

/** The letters by which plots and scenes name the jobs. @param {number} k */
const letter = (k) => String.fromCharCode(65 + k);
const LETTERS = Array.from({ length: MOST }, (_, k) => letter(k));

/** The scene of a job, or the reason why it has none. */
async function readMoving({ id, rows, members }, document, signal) {
  if (members) return { moving: null, unseen: "it is an ensemble" };
  try {
    const moving = rows ? await readScene(id, { signal, document }) : null;
    return { moving, unseen: moving ? "" : "it has no rows" };
  } catch (why) {
    if (signal.aborted || failed(why)) throw why;
    return { moving: null, unseen: why.detail ?? why.message };
  }
}

async function read(id, stop) {
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const get = (route, query) => client.transport.json("GET", path + route, { query, signal: stop });
  const data = await get("");
  const asked = get("/request");
  const [request, rows, seen] = await Promise.all([
    asked,
    data.rows && !data.members ? get("/result", { points: POINTS }) : null,
    readMoving(data, asked, stop),
  ]);
  return {
    data,
    request,
    series: rows ? ascending(rows.series) : { t: [] },
    columns: rows?.columns ?? [],
    units: rows?.units ?? {},
    ...seen,
  };
}

/** A job among the motions: a button that makes it the solid one. */
function Choice({ k, text, solid, drawn }) {
  const color = palette.value.columns[k % palette.value.columns.length];
  const name = letter(k);
  return html`<button aria-pressed=${solid} title=${`Draw ${name} solid (key ${name})`}
    onClick=${() => setQuery({ solid: name })}><svg width="18" height="12"
      aria-hidden="true"><rect width="18" height="12" rx="3" fill=${color} stroke=${color}
        fill-opacity=${drawn ? (solid ? 1 : OPACITY) : 0} /></svg>
    ${" "}${name}: ${text}</button>`;
}

/** The scenes of the jobs in one stage: one motion is solid, the others are ghosts. */
function Scenes({ jobs, texts, plots }) {
  const [follow, setFollow] = useState(null);
  const stages = useMemo(
    () => jobs.map(({ moving }) => (moving ? stageOf(moving, follow) : null)),
    [jobs, follow],
  );
  const wish = LETTERS.indexOf(address.value.query.get("solid") ?? "");
  const solid = stages[wish] ? wish : stages.findIndex(Boolean);
  const stage = useMemo(() => {
    const cast = stages.map((one, k) => ({ stage: one, color: k + 1, name: letter(k) }));
    const fits = (actor) => actor.stage?.plane === stages[solid].plane;
    return solid < 0 ? null : new Ghosts(cast.filter(fits), cast[solid]);
  }, [stages, solid]);
  for (const [k, name] of LETTERS.entries())
    useKey(name, () => stages[k] && setQuery({ solid: name }));
  const inSpace = (k) => (stages[k].plane ? "in the plane" : "in space");
  const told = jobs
    .map(({ data, moving, unseen }, k) => {
      if (!moving) return `not drawn, because ${unseen}`;
      if (stages[k].plane !== stage.plane)
        return `not drawn with ${letter(solid)}: its scene is ${inSpace(k)}, not ${inSpace(solid)}`;
      const rules = moving.drawnBy === "default rules" ? ["drawn by default rules"] : [];
      const rests = restsAt(data.state, moving.ends, stage.motion);
      return [...(rests ? [rests] : []), ...rules].join("; ");
    })
    .map((text, k) => text && `${letter(k)}: ${text}.`)
    .filter(Boolean);
  const names = stage?.cast.map((actor) => actor.name).join(", ");
  const ghosts = stage?.cast.length > 1 ? `, ${letter(solid)} solid, the others as ghosts` : "";
  return html`<section aria-label="Motions"><h2>Motions in one scene</h2>
    <div class="counts" role="group" aria-label="Solid motion">${jobs.map(
      ({ moving }, k) =>
        moving && html`<${Choice} key=${k} k=${k} text=${texts[k]} solid=${k === solid}
          drawn=${stages[k].plane === stage.plane} />`,
    )}</div>
    ${stage && html`<${Show} stage=${stage} label=${`Motions of ${names}${ghosts}`}
      onFollow=${setFollow} plots=${plots} />`}
    ${told.length > 0 && html`<ul class="members quiet">${told.map(
      (text) => html`<li>${text}</li>`,
    )}</ul>`}
    ${jobs.map(({ moving }, k) =>
      moving?.warnings.map((text) => html`<p class="warn">${letter(k)}: ${text}</p>`),
    )}</section>`;
}

/** A column of all jobs as a panel. */
function overlay(name, jobs, subtract) {
  const { t, columns } = together(
    jobs.map((one) => one.series),
    name,
  );
  const names = jobs.map((_, k) => letter(k));
  const base = columns[0];
  const values = subtract
    ? columns.map((column) => column.map((value, k) => (value === null ? null : value - base[k])))
    : columns;
  const series = { t, ...Object.fromEntries(names.map((one, k) => [one, values[k]])) };
  const measured = jobs[0].units[name] ? ` [${jobs[0].units[name]}]` : "";
  return { name, unit: `${name}${subtract ? " minus that of A" : ""}${measured}`, names, series };
}

/** @param {{jobs: any[], total: number}} properties total: of jobs that the address names */
function Comparison({ jobs, total }) {
  const [subtract, setSubtract] = useState(false);
  const [first, ...others] = jobs;
  const all = jobs.map((one) => one.series);
  const same = agree(all);
  const overlays = useMemo(
    () =>
      first.columns
        .filter((name) => name !== "t" && others.every((one) => one.columns.includes(name)))
        .map((name) => overlay(name, jobs, subtract && same)),
    [jobs, subtract],
  );
  const time = first.units.t ? `t [${first.units.t}]` : "t";
  const plots = () => overlays.map((panel) => overTime(panel, time));
  const instants = { t: together(all, "t").t };
  const inputs = differences(jobs.map((one) => one.request));
  const titles = jobs.map(({ data }) => title(data));
  const texts = namesOf(titles, inputs);
  const common = texts === titles ? "" : ": " + titles[0];
  return html`<main id="main" tabindex="-1"><h1>Compare ${jobs.length} jobs${common}</h1>
    ${total > MOST && html`<p class="warn">The first ${MOST} of ${total} are shown.</p>`}
    <div class="scroll" tabindex="0" role="region" aria-label="Differing inputs"><table>
      <thead><tr><th scope="col">input or result</th>${jobs.map(({ data }, k) => html`<th
        scope="col">${letter(k)}: <a href=${"#job/" + data.id}>${texts[k]}</a></th>`)}</tr>
        </thead>
      <tbody>${inputs.map(
          ({ pointer, values }) =>
            html`<tr><td><code>${pointer}</code></td>${values.map(
              (value) =>
                html`<td class="words" title=${value}>
                  ${value.length > LONG ? value.slice(0, LONG) + " .." : value}</td>`,
            )}</tr>`,
        )}
        <tr><td>state</td>${jobs.map(({ data }) => html`<td><${State} state=${data.state} />
        </td>`)}</tr>
        <tr><td>worst residual</td>${jobs.map(({ data }) => html`<td
          class="number">${brief(data.digest?.worst_residual)}</td>`)}</tr>
        <tr><td>energy balance</td>${jobs.map(({ data }) => html`<td
          class="number">${brief(data.digest?.energy_balance)}</td>`)}</tr>
        <tr><td>steps</td>${jobs.map(({ data }) => html`<td
          class="number">${brief(data.digest?.steps)}</td>`)}</tr></tbody></table></div>
    ${inputs.length === 0 && html`<p class="quiet">The requests are equal.</p>`}
    <${Scenes} jobs=${jobs} texts=${texts} plots=${overlays.length > 0 && plots} />
    <h2>Columns over t</h2>
    <div class="bar"><button aria-pressed=${subtract} disabled=${!same}
        onClick=${() => setSubtract(!subtract)}>Differences from A</button>
      ${!same && html`<span class="quiet">
        For differences run all jobs at the same instants (<code>time</code>).</span>`}
      <${Instant} series=${instants} units=${first.units} /></div>
    ${overlays.length === 0 && html`<p>These jobs have no column in common.</p>`}
    <div class="panels">${overlays.map(
      (panel) => html`<${Panel} key=${panel.name} ...${panel} onRange=${() => {}} />`,
    )}</div></main>`;
}

/** @param {{ids: string[]}} properties */
export function ComparePage({ ids }) {
  const [jobs, setJobs] = useState([]);
  const [told, setTold] = useState("");
  const some = ids.slice(0, MOST);
  useEffect(() => {
    document.title = "Compare – dalembert";
    cursor.value = null;
    return follow(async (stop) => {
      try {
        setJobs(await Promise.all(some.map((id) => read(id, stop))));
      } catch (why) {
        if (stop.aborted || failed(why)) throw why;
        setTold(why?.detail || String(why?.message ?? why));
      }
      return false;
    });
  }, [ids.join()]);
  useKey("Escape", () => (cursor.value = null));
  if (told)
    return html`<main id="main" tabindex="-1"><h1>Compare</h1><p class="warn"
      role="alert">${told}</p></main>`;
  if (!jobs.length)
    return html`<main id="main" tabindex="-1" aria-busy="true"><h1>Compare</h1>
      <p class="quiet">Loading.</p></main>`;
  return html`<${Comparison} jobs=${jobs} total=${ids.length} />`;
}
