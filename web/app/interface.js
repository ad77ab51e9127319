/** The REST interface, rendered from /openapi.json. */
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { Copies, curl, word } from "./copy.js";
import { client, failed, setQuery, address } from "./service.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
const HITS = 3; // found names of a body that are shown

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

/**
 * The objects that a schema may be, each with its members: lists stand for their items, objects by
 * name for the object of any name.
 * @param {any} openapi @param {any} given @returns {any[]}
 */
function objectsOf(openapi, given) {
  if (!given || typeof given !== "object") return [];
  const schema = follow(openapi, given);
  const parts = [schema, ...(schema.allOf ?? []).map((one) => follow(openapi, one))];
  const members = Object.assign({}, ...parts.map((one) => one.properties ?? {}));
  const required = parts.flatMap((one) => one.required ?? []);
  const own = { name: given.$ref?.split("/").pop(), schema, members, required };
  const others = [schema.items, schema.additionalProperties];
  return [
    ...(Object.keys(members).length ? [own] : []),
    ...[...others, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) =>
      objectsOf(openapi, one),
    ),
  ];
}

/**
 * All objects of a schema and the names of their members, at every depth.
 * @param {any} openapi @param {any} given
 */
function namesIn(openapi, given, seen = new Set()) {
  for (const { schema, members } of objectsOf(openapi, given)) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    for (const [name, one] of Object.entries(members)) {
      seen.add(name);
      namesIn(openapi, one, seen);
    }
  }
  return seen;
}

/** The description of a schema, else of the schema that it refers to. */
const described = (openapi, given) => given.description ?? follow(openapi, given).description;

/** A member; its own members are shown when it is opened. */
function Member({ openapi, name, schema, required }) {
  const [open, setOpen] = useState(false);
  const nested = objectsOf(openapi, schema).length > 0;
  const told = html`<code>${name}</code> <span
    class="quiet">${words(openapi, schema)}${required ? ", required" : ""}</span>
    ${" "}${prose(described(openapi, schema))}`;
  if (!nested) return html`<li>${told}</li>`;
  return html`<li><details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${told}</summary>
    ${open && html`<${Members} openapi=${openapi} schema=${schema} />`}</details></li>`;
}

/** The members of an object, one below the other; of each object if there is a choice. */
function Members({ openapi, schema }) {
  const objects = objectsOf(openapi, schema);
  return objects.map(
    ({ name, schema: one, members, required }) => html`${objects.length > 1 &&
      html`<p>${name ? html`<code>${name}</code>` : "object"}${
        one.description && html`: ${prose(one.description)}`}</p>`}
      <ul class="members">${Object.entries(members).map(([key, member]) => html`<${Member}
        key=${key} openapi=${openapi} name=${key} schema=${member}
        required=${required.includes(key)} />`)}</ul>`,
  );
}

/** The body of a request: its members, and an example of it. */
function Body({ openapi, path, method, body }) {
  const example = body.example && JSON.stringify(body.example);
  const command = example && `${curl(path)} -X ${method.toUpperCase()} \\
  -H 'Content-Type: application/json' --data-binary ${word(example)}`;
  return html`<h4>Body</h4><${Members} openapi=${openapi} schema=${body.schema} />
    ${example && html`<h4>Example</h4>
      <pre tabindex="0" class="request">${JSON.stringify(body.example, null, 2)}</pre>
      <${Copies} texts=${{ curl: command }} />`}`;
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

/** The JSON body of a request, or undefined. */
const bodyOf = (openapi, operation) =>
  follow(openapi, operation.requestBody).content?.["application/json"];

function Operation({ openapi, path, method, shared, operation, hits }) {
  const [open, setOpen] = useState(false);
  const body = bodyOf(openapi, operation);
  const found = hits.slice(0, HITS).join(", ");
  const answers = Object.entries(operation.responses ?? {}).map(([status, one]) => ({
    status,
    ...follow(openapi, one),
  }));
  const problems = answers.filter((one) => one.content?.["application/problem+json"]);
  return html`<details onToggle=${(event) => setOpen(event.target.open)}><summary><span
    class=${"method " + method}>${method.toUpperCase()}</span>
    ${" "}<code>${path}</code> ${operation.summary}${
      found && html`<span class="quiet">; in its body: ${found}</span>`
    }</summary>
    ${
      open &&
      html`<div class="operation">${operation.description &&
        html`<p>${prose(operation.description)}</p>`}
      <${Parameters} openapi=${openapi} list=${[...shared, ...(operation.parameters ?? [])]} />
      ${body && html`<${Body} openapi=${openapi} path=${path} method=${method} body=${body} />`}
      <h4>Answers</h4>${answers
        .filter((one) => !problems.includes(one))
        .map(
          (
            one,
          ) => html`<p><strong class="number">${one.status}</strong> ${prose(one.description)} <span
            class="quiet">${Object.keys(one.content ?? {}).join(", ")}</span></p>
        ${one.content?.["application/json"] && html`<${Members} openapi=${openapi}
          schema=${one.content["application/json"].schema} />`}`,
        )}
      ${problems.length > 0 && html`<p><strong
        class="number">${problems.map((one) => one.status).join(", ")}</strong>
        ${" "}${prose(problems[0].description)}</p>`}</div>`
    }</details>`;
}

/** All operations, with the names in their bodies. @param {any} openapi */
const operationsOf = (openapi) =>
  Object.entries(openapi.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      path,
      method,
      shared: item.parameters ?? [],
      operation: item[method],
      names: [...namesIn(openapi, bodyOf(openapi, item[method])?.schema)].filter(
        (one) => typeof one === "string",
      ),
    })),
  );

const fits = (text, wish) => text.toLowerCase().includes(wish);

export function InterfacePage() {
  const [openapi, setOpenapi] = useState(null);
  const wish = (address.value.query.get("find") ?? "").toLowerCase();
  const all = useMemo(() => (openapi ? operationsOf(openapi) : []), [openapi]);
  useEffect(() => {
    document.title = "REST interface – dalembert";
    client.transport.json("GET", "/openapi.json").then(setOpenapi, failed);
  }, []);
  if (!openapi)
    return html`<main id="main" tabindex="-1" aria-busy="true"><h1>REST interface</h1></main>`;
  const shown = all
    .map((one) => ({ ...one, hits: wish ? one.names.filter((name) => fits(name, wish)) : [] }))
    .filter(
      ({ path, method, operation, hits }) =>
        hits.length > 0 ||
        fits([method, path, operation.summary, operation.description].join(" "), wish),
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
