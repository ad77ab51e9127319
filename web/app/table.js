/** Rows of columns as a table that scrolls. */
import { html } from "../vendor/preact.js";
import { brief } from "./format.js";

/** @param {{name: string, columns: string[], series: Record<string, any[]>}} properties */
export function Table({ name, columns, series }) {
  const rows = Array.from(series[columns[0]] ?? [], (_, k) => k);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${name}><table>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map((k) => html`<tr>${columns.map((column) => html`
      <td class="number">${brief(series[column][k])}</td>`)}</tr>`)}</tbody></table></div>`;
}
