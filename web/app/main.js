/** The page: its frame, and the view that the address behind # names. */
import { html, render } from "../vendor/preact.js";

render(html`<main><h1>dalembert</h1></main>`, document.body);
