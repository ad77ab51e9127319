/** Server-sent events, from a stream that may be cut anywhere and is then resumed. */

/** Bytes in, messages out; `lastId` and `retry` (seconds) serve to resume. */
export class Parser {
  constructor() {
    /** @type {string | null} */
    this.lastId = null;
    this.retry = 1;
  }

  /**
   * An unfinished message at the end is dropped, as the standard says.
   * @param {AsyncIterable<Uint8Array>} chunks
   * @returns {AsyncGenerator<{name: string, data: string}>}
   */
  async *messages(chunks) {
    let name = "message";
    /** @type {string[]} */
    let data = [];
    for await (const line of lines(chunks)) {
      if (line === "") {
        if (data.length) yield { name, data: data.join("\n") };
        name = "message";
        data = [];
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "event") name = value;
      else if (field === "data") data.push(value);
      else if (field === "id" && !value.includes("\0")) this.lastId = value;
      else if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value) / 1000;
    }
  }
}

/**
 * Lines ended by LF, CRLF or CR, perhaps split between chunks.
 * @param {AsyncIterable<Uint8Array>} chunks
 */
async function* lines(chunks) {
  const decoder = new TextDecoder();
  let left = "";
  for await (const chunk of chunks) {
    left += decoder.decode(chunk, { stream: true });
    const half = left.endsWith("\r") ? "\r" : ""; // perhaps half of a CRLF
    const parts = left.slice(0, left.length - half.length).split(/\r\n|\n|\r/);
    left = parts.pop() + half;
    yield* parts;
  }
}
