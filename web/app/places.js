/** Places in a JSON text: from the pointer and offset of a mistake to the characters to mark. */
import { jsonLanguage } from "../vendor/codemirror.js";

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);
// one character of a JSON string as it is written: a pair of escapes, an escape, or itself
const CHARACTER = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|./gsu;

/** @param {any} node of the syntax tree */
export function children(node) {
  const found = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

export const isValue = (node) => VALUES.has(node.name);

/** The text that a string of the document stands for; as written if it is not whole. */
export function decoded(text, node) {
  try {
    return JSON.parse(text.slice(node.from, node.to));
  } catch {
    return text.slice(node.from + 1, node.to);
  }
}

/** The name and the value of a member of an object or a list. */
function member(node, text, name) {
  if (node.name === "Array") return { key: null, value: children(node).filter(isValue)[name] };
  const found = children(node)
    .filter((child) => child.name === "Property" && decoded(text, child.firstChild) === name)
    .at(-1);
  return found && { key: found.firstChild, value: found.lastChild };
}

/** The nodes that a pointer names; if a member is missing, those of the object that lacks it. */
function find(text, pointer) {
  let found = {
    key: null,
    value: children(jsonLanguage.parser.parse(text).topNode).find(isValue),
    exact: true,
  };
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = found.value && member(found.value, text, name);
    if (!next?.value) return { ...found, exact: false };
    found = { ...next, exact: true };
  }
  return found;
}

/** @param {string} written a character, perhaps as an escape */
const unescaped = (written) => (/^\\./.test(written) ? JSON.parse(`"${written}"`) : written);

/** The characters that a pattern finds between two positions, and the end. */
function characters(text, from, to, pattern) {
  const found = [...text.slice(from, to).matchAll(pattern)].map((match) => ({
    at: from + match.index,
    is: unescaped(match[0]),
  }));
  return [...found, { at: to, is: "" }];
}

/** From a character to the end of its name or number; behind the last one, the character there. */
function token(list, offset, end) {
  const first = Math.min(offset, list.length - 1);
  let next = first + 1;
  if (/\w/.test(list[first].is)) while (/[\w.]/.test(list[next]?.is ?? "")) next++;
  const from = Math.min(list[first].at, end - 1);
  return { from, to: list[next]?.at ?? from + 1 };
}

/**
 * The characters of a mistake.
 * @param {string} text the document
 * @param {{pointer: string, offset: number | null}} mistake the offset counts characters of the
 *   decoded text that the pointer names
 * @param {boolean} whole the document is not JSON: the offset counts characters of all of it
 */
export function placeOf(text, { pointer, offset }, whole) {
  if (whole)
    return offset === null
      ? { from: 0, to: 0 }
      : token(characters(text, 0, text.length, /./gsu), offset, text.length);
  const { key, value, exact } = find(text, pointer);
  const string = value?.name === "String" ? value : key;
  if (offset !== null && exact && string)
    return token(characters(text, string.from + 1, string.to - 1, CHARACTER), offset, text.length);
  // without an offset: the name of the member, and its value if that is one token
  const container = value?.name === "Object" || value?.name === "Array";
  const from = key?.from ?? value?.from ?? 0;
  return {
    from,
    to: container || !value ? (key?.to ?? Math.min(from + 1, text.length)) : value.to,
  };
}

/**
 * The position of a number, or null.
 * @param {string} text
 * @param {string} pointer
 */
export function numberAt(text, pointer) {
  const { value, exact } = find(text, pointer);
  return exact && value?.name === "Number" ? { from: value.from, to: value.to } : null;
}

/** The position behind the last member of the document, or null. @param {string} text */
export function behindMembers(text) {
  const { value } = find(text, "");
  const members = value ? children(value).filter((child) => child.name === "Property") : [];
  return members.at(-1)?.to ?? null;
}
