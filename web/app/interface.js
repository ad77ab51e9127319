/** The REST interface, rendered from /openapi.json. */
import { html, useEffect, useState } from "../vendor/preact.js";
import { client, failed, setQuery, address } from "./service.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
const DEEP = 3; // levels of members that are shown at once

/** What a reference stands for. @param {any} openapi @param {any} one */
function follow(openapi, one) {
  let found = one;
  while (found?.$ref)
    found = found.$ref
      .slice(2)
      .split("/")
      .reduce((at, key) => at?.[key], openapi);
  return found ?? {};
}

/** A text whose parts between backticks are code. @param {string | undefined} text */
const prose = (text) =>
  (text ?? "").split("`").map((part, k) => (k % 2 ? html`<code>${part}</code>` : part));

/** A schema in few words. @param {any} openapi @param {any} given */
function words(openapi, given) {
  const schema = follow(openapi, given);
  const name = given?.$ref?.split("/").pop();
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map((one) => words(openapi, one)).join(" or ");
  if (schema.type === "array") return `list of ${words(openapi, schema.items)}`;
  const type = [schema.type ?? "anything"].flat().join(" or ");
  return name && type === "object" ? name : type;
}

/** The members of an object, one below the other. */
function Members({ openapi, schema: given, level = 0 }) {
  const schema = follow(openapi, given);
  const inner = schema.type === "array" ? follow(openapi, schema.items) : schema;
  const parts = [inner, ...(inner.allOf ?? []).map((one) => follow(openapi, one))];
  const members = Object.assign({}, ...parts.map((one) => one.properties ?? {}));
  const required = parts.flatMap((one) => one.required ?? []);
  if (!Object.keys(members).length) return null;
  return html`<ul class="members">${Object.entries(members).map(
    ([
      name,
      one,
    ]) => html`<li><code>${name}</code> <span
      class="quiet">${words(openapi, one)}${required.includes(name) ? ", required" : ""}</span>
    ${" "}${prose(follow(openapi, one).description)}${level < DEEP && html`<${Members}
      openapi=${openapi} schema=${one} level=${level + 1} />`}</li>`,
  )}</ul>`;
}

function Parameters({ openapi, list }) {
  if (!list.length) return null;
  return html`<h4>Parameters</h4><ul class="members">${list
    .map((given) => follow(openapi, given))
    .map(
      (one) =>
        html`<li><code>${one.name}</code> <span
          class="quiet">${one.in}, ${words(openapi, one.schema)}${one.required ? ", required" : ""}
          </span> ${prose(one.description)}</li>`,
    )}</ul>`;
}

function Operation({ openapi, path, method, shared, operation }) {
  const [open, setOpen] = useState(false);
  const body = follow(openapi, operation.requestBody)?.content?.["application/json"];
  const answers = Object.entries(operation.responses ?? {}).map(([status, one]) => ({
    status,
    ...follow(openapi, one),
  }));
  const problems = answers.filter((one) => one.content?.["application/problem+json"]);
  return html`<details onToggle=${(event) => setOpen(event.target.open)}><summary><span
    class=${"method " + method}>${method.toUpperCase()}</span>
    ${" "}<code>${path}</code> ${operation.summary}</summary>
    ${
      open &&
      html`<div class="operation">${operation.description &&
        html`<p>${prose(operation.description)}</p>`}
      <${Parameters} openapi=${openapi} list=${[...shared, ...(operation.parameters ?? [])]} />
      ${body && html`<h4>Body</h4><${Members} openapi=${openapi} schema=${body.schema} />`}
      <h4>Answers</h4>${answers
        .filter((one) => !problems.includes(one))
        .map(
          (
            one,
          ) => html`<p><strong class="number">${one.status}</strong> ${prose(one.description)} <span
            class="quiet">${Object.keys(one.content ?? {}).join(", ")}</span></p>
        ${one.content?.["application/json"] && html`<${Members} openapi=${openapi}
          schema=${one.content["application/json"].schema} level=${DEEP - 1} />`}`,
        )}
      ${problems.length > 0 && html`<p><strong
        class="number">${problems.map((one) => one.status).join(", ")}</strong>
        ${" "}${prose(problems[0].description)}</p>`}</div>`
    }</details>`;
}

export function InterfacePage() {
  const [openapi, setOpenapi] = useState(null);
  const wish = (address.value.query.get("find") ?? "").toLowerCase();
  useEffect(() => {
    document.title = "REST interface – dalembert";
    client.transport.json("GET", "/openapi.json").then(setOpenapi, failed);
  }, []);
  if (!openapi)
    return html`<main id="main" tabindex="-1" aria-busy="true"><h1>REST interface</h1></main>`;
  const all = Object.entries(openapi.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      path,
      method,
      shared: item.parameters ?? [],
      operation: item[method],
    })),
  );
  const shown = all.filter(({ path, method, operation }) =>
    [method, path, operation.summary, operation.description].join(" ").toLowerCase().includes(wish),
  );
  return html`<main id="main" tabindex="-1"><h1>REST interface</h1>
    <p>${prose(openapi.info.description)} The same as a document for programs: <a
      href="/openapi.json">/openapi.json</a>.</p>
    <div class="bar"><label class="field">Search <input type="search" value=${wish}
      onInput=${(event) => setQuery({ find: event.target.value })} placeholder="result" /></label>
      <span class="quiet" role="status">${shown.length} of ${all.length} operations</span></div>
    ${shown.map((one) => html`<${Operation} key=${one.method + one.path}
      openapi=${openapi} ...${one} />`)}</main>`;
}
