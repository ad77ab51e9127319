/** The types of uplot.js, for `tsc` alone (tools/lint-web.sh). */
export { default } from "uplot";
