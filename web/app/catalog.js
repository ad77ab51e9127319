/** The start: a motion with its sliders and its evidence, and the systems of the catalog. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { inks } from "./colors.js";
import { Copies, submitting } from "./copy.js";
import { Flat } from "./flat.js";
import { Meaning } from "./format.js";
import { Sliders, slidersOf } from "./live.js";
import { Motion } from "./motion.js";
import { palette } from "./plots.js";
import { Scene } from "./scene.js";
import { client, failed, follow, refused } from "./service.js";
import { Stage } from "./stage.js";

const SHOWN = "sphere-on-rotating-plane";
const TITLE =
  "Write down a Lagrangian and constraints; see the motion, and the evidence that it is right.";

const POSES = new URL("poses.json", import.meta.url);
const ZOOM = 0.85; // of a still picture: a box seen from a corner is wider than its sides

const VERDICTS = { yes: "is conserved", no: "is not conserved", undecided: "is undecided" };

/** The reasons of the verdicts about the motion that is shown. */
const Why = ({ verdicts }) =>
  html`<details><summary>Why is it conserved, or not?</summary><ul>${verdicts.map(
    (one) => html`<li><strong>${one.name}</strong> ${VERDICTS[one.predicted]}: ${one.reason}</li>`,
  )}</ul><${Meaning} verdicts=${verdicts} /></details>`;

/** The address of the editor with a job of a system. */
const editing = ({ parameters = {} }, { name }) =>
  `#new/${name}` + (Object.keys(parameters).length
    ? "?parameters=" + encodeURIComponent(JSON.stringify(parameters)) : "");

/** A system of the catalog that moves at once; its sliders run it again. */
function Showcase() {
  const [system, setSystem] = useState(null);
  const [sliders, setSliders] = useState(null);
  const [found, setFound] = useState(null);
  const [verdicts, setVerdicts] = useState(null);
  useEffect(
    () =>
      follow(async (stop) => {
        const shown = await client.catalogSystem(SHOWN, { signal: stop });
        setSystem(shown);
        setSliders(await slidersOf(shown.job));
        return false;
      }),
    [],
  );
  const show = (now) => {
    setFound(now);
    if (now.verdicts) setVerdicts(now.verdicts);
  };
  // the job of the motion that is shown
  const shown = found ? { ...system.job, parameters: found.document.parameters } : system?.job;
  if (!sliders) return html`<section class="showcase" aria-busy="true"></section>`;
  return html`<section class="showcase" aria-label=${system.title}>
    <div class="side"><div>${found?.moving && html`<${Scene} moving=${found.moving}
      label=${system.title} />`}</div>
      <div><h2>${system.title}</h2>
        <p>${firstSentence(system.description)}</p>
        ${!sliders.refused && html`<p>Move a slider.</p>`}
        <${Sliders} ...${sliders} begin=${true} show=${show} />
        ${verdicts && html`<${Why} verdicts=${verdicts} />`}
        <${Copies} texts=${{ curl: submitting(shown) }} />
        <div class="bar"><a class="button" href=${editing(shown, system)}>Open in the editor</a>
          </div></div></div></section>`;
}

/** @param {string} text */
const firstSentence = (text) => text.match(/^.*?[.](?= |$)/s)?.[0] ?? text;

/** A still picture of a system: of poses.json, which tools/poses.py writes. */
function Pose({ pose, title }) {
  const box = useRef(null);
  const colors = inks(palette.value);
  useEffect(() => {
    if (!pose) return undefined;
    const stage = new Stage(pose.scene, new Motion(pose.series));
    const flat = new Flat(box.current, stage);
    flat.zoom = ZOOM;
    flat.draw(stage.motion.end, colors);
    return () => flat.close();
  }, [pose, palette.value]);
  return html`<div class="pose" ref=${box} role="img" aria-label=${title}></div>`;
}

/** A system of the catalog: run it, or change it first. */
function Card({ system, pose, tell }) {
  const run = async () => {
    try {
      const { job } = await client.catalogSystem(system.name);
      location.hash = "job/" + (await client.submit(job)).id;
    } catch (why) {
      failed(why);
      tell(why?.detail || String(why?.message ?? why));
    }
  };
  return html`<article class="card"><${Pose} pose=${pose} title=${system.title} />
    <div><h2>${system.title}</h2>
      <div class="bar">${(system.tags ?? []).map((tag) => html`<span
        class="label">${tag}</span>`)}</div></div>
    <p>${firstSentence(system.description)}</p>
    <div class="bar"><button class="main" disabled=${Boolean(refused.value)}
        title=${refused.value} onClick=${run}>Run</button><a class="button"
      href=${"#new/" + system.name}>Change first</a></div></article>`;
}

/** The systems of the catalog, with a search. */
function Systems() {
  const [systems, setSystems] = useState([]);
  const [poses, setPoses] = useState({});
  const [wish, setWish] = useState("");
  const [told, setTold] = useState("");
  useEffect(() => {
    return follow(async (stop) => {
      setSystems(await client.catalog({ signal: stop }));
      setPoses(await (await fetch(POSES, { signal: stop })).json());
      return false;
    });
  }, []);
  const words = wish.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name, title, description, tags = [] }) => {
    const text = [name, title, description, ...tags].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const shown = systems.filter(fits);
  return html`<div class="bar"><label class="field">Search <input type="search" value=${wish}
      onInput=${(event) => setWish(event.target.value)} placeholder="rolling, pendulum, robot" />
      </label>
      <span class="quiet" role="status">${shown.length} of ${systems.length} systems</span><a
        class="button" href="#new">Write your own</a></div>
    ${refused.value && html`<p class="warn">${refused.value}</p>`}
    ${told && html`<p class="warn" role="alert">${told}</p>`}
    <div class="cards">${shown.map((system) => html`<${Card} key=${system.name} system=${system}
      pose=${poses[system.name]} tell=${setTold} />`)}</div>`;
}

/** A page that begins with a heading. */
function Titled({ name, heading, children }) {
  useEffect(() => {
    document.title = name + " – dalembert";
  }, []);
  return html`<main id="main" tabindex="-1"><h1>${heading}</h1>${children}</main>`;
}

export const CatalogPage = () =>
  html`<${Titled} name="Catalog" heading="Catalog"><${Systems} /><//>`;

export const StartPage = () =>
  html`<${Titled} name="Start" heading=${TITLE}><${Showcase} />
    <h2>Catalog</h2><${Systems} /><//>`;
