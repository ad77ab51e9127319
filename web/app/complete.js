/** Completion: members by the schema of the service, names and functions within texts. */
import { syntaxTree } from "../vendor/codemirror.js";
import { children, decoded, isValue } from "./places.js";

const FREE = new Set(["name", "description", "unit"]); // members whose text is no expression

const BY_COORDINATE = new Set(["q", "v", "forces", "generator", "field"]); // objects
const VARIED = new Set(["vary", "ensemble.design.ranges"]); // objects by the path of a number
const WORDS = "functions derivatives quantities choices constants variables connectives".split(" ");

/** All forms of a schema, references followed. */
function forms(schema, schemas) {
  if (!schema) return [];
  if (schema.$ref) return forms(schemas[schema.$ref.split("/").at(-1)], schemas);
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...parts.flatMap((part) => forms(part, schemas))];
}

/** The forms of the schema at a path of a job. */
function formsAt(path, schemas) {
  let found = forms(schemas.JobDocument, schemas);
  for (const step of path)
    found = found.flatMap((one) => forms(partOf(one, step), schemas));
  return found;
}

/** The schema of an entry of a list, or of a member. */
function partOf(schema, step) {
  if (typeof step === "number") return schema.items;
  const others = schema.additionalProperties;
  return schema.properties?.[step] ?? (typeof others === "object" ? others : null);
}

/** The path of a node: names of members and places in lists. */
function pathOf(node, text) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (parent.name === "Property" && at.name !== "PropertyName")
      path.unshift(decoded(text, parent.firstChild));
    const values = () => children(parent).filter(isValue);
    if (parent.name === "Array") path.unshift(values().findIndex((one) => one.from === at.from));
  }
  return path;
}

/** Members of an object that it does not have yet. */
function memberOptions(object, text, { schemas, names }) {
  const path = pathOf(object, text);
  const present = new Set(
    children(object)
      .filter((one) => one.name === "Property")
      .map((one) => decoded(text, one.firstChild)),
  );
  const found = new Map();
  for (const form of formsAt(path, schemas))
    for (const [label, schema] of Object.entries(form.properties ?? {}))
      found.set(label, forms(schema, schemas).find((one) => one.description)?.description ?? "");
  // objects by coordinate or by parameter
  if (BY_COORDINATE.has(path.at(-1))) names.coordinates.forEach((label) => found.set(label, ""));
  if (path.join() === "parameters") names.parameters.forEach((label) => found.set(label, ""));
  if (VARIED.has(path.join("."))) {
    names.parameters.forEach((label) => found.set("parameters." + label, ""));
    names.coordinates.forEach((label) => found.set("initial.q." + label, ""));
  }
  return [...found]
    .filter(([label]) => !present.has(label))
    .map(([label, info]) => ({ label, info: info || undefined, type: "property" }));
}

/** Names and functions of an expression, or the values of a member that has a list of them. */
function wordOptions(string, text, { schemas, language, names }) {
  const path = pathOf(string, text);
  const choices = [...new Set(formsAt(path, schemas).flatMap((form) => form.enum ?? []))].filter(
    (one) => typeof one === "string",
  );
  if (choices.length) return choices.map((label) => ({ label, type: "enum" }));
  if (FREE.has(path.at(-1)) || path[0] === "labels") return [];
  const own = [
    ["coordinate", names.coordinates],
    ["parameter", names.parameters],
    ["definition", names.definitions],
    ["constraint", names.constraints],
  ];
  const words = WORDS.flatMap((kind) => language[kind] ?? []);
  return [
    ...own.flatMap(([detail, list]) =>
      list.map((label) => ({ label, detail, type: "variable", boost: 1 })),
    ),
    ...words.map(({ name, arguments: list, meaning }) => ({
      label: name,
      detail: list ? `(${list.join(", ")})` : undefined,
      info: meaning,
      apply: list ? name + "(" : name,
      type: "function",
    })),
  ];
}

/** Replaces all of a name, and adds its quote and colon if they are missing. */
function putMember(view, { label }, from, to) {
  const [rest] = /^[^"\n]*"? ?:? ?/.exec(view.state.sliceDoc(to, view.state.doc.lineAt(to).to));
  const insert = label + '": ';
  view.dispatch({
    changes: { from, to: to + rest.length, insert },
    selection: { anchor: from + insert.length },
    userEvent: "input.complete",
  });
}

/**
 * The completions at the cursor.
 * @param {any} context of CodeMirror
 * @param {{schemas: any, language: any, names: any}} words
 */
export function complete(context, words) {
  const text = context.state.doc.toString();
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  const within = node.from < context.pos && context.pos < node.to;
  if (!within || !["String", "PropertyName"].includes(node.name)) return null;
  if (node.name === "PropertyName") {
    const options = memberOptions(node.parent.parent, text, words);
    return {
      from: node.from + 1,
      options: options.map((one) => ({ ...one, apply: putMember })),
      validFor: /^[\w.]*$/,
    };
  }
  const word = context.matchBefore(/[A-Za-z_]\w*$/);
  const choice = context.matchBefore(/"[\w-]*$/);
  const options = wordOptions(node, text, words);
  if (options[0]?.type === "enum") return choice && { from: choice.from + 1, options };
  return word || context.explicit
    ? { from: word?.from ?? context.pos, options, validFor: /^\w*$/ }
    : null;
}
