/** The types of preact.js, for `tsc` alone (tools/lint-web.sh). */
export { render, h, Fragment } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export {
  batch, computed, effect, signal, useComputed, useSignal, useSignalEffect,
} from "@preact/signals";
export type { Signal } from "@preact/signals";
export function html(strings: TemplateStringsArray, ...values: any[]): any;
