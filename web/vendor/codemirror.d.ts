export * from "@codemirror/state";
export * from "@codemirror/view";
export * from "@codemirror/commands";
export * from "@codemirror/language";
export * from "@codemirror/lang-json";
export * from "@codemirror/autocomplete";
export * from "@codemirror/lint";
export { tags } from "@lezer/highlight";
