export { render } from "katex";
