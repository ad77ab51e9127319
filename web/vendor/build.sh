#!/bin/sh
# Bundles the libraries of the page into this folder as ES modules, not minified, so that they can
# be read and compared. Needs npm and the network; building the program needs neither.
#
#   web/vendor/build.sh [FOLDER]     default: this folder
#
# Writes preact.js (preact, signals, htm), three.js, uplot and katex with their styles, codemirror.js,
# the fonts of katex, LICENSES and SHA256SUMS.
# package-lock.json fixes the versions, so that two builds are the same bytes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here/package-lock.json" "$work"
cd "$work"
npm ci --silent --no-audit --no-fund

cat > preact.mjs <<'TEXT'
export { render, h, Fragment } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { h } from "preact";
import htm from "htm";
// 3: no element is kept for the next call; a kept one holds the tree that it was in
export const html = htm.bind(function (...parts) {
  this[0] = 3;
  return h(...parts);
});
TEXT
echo 'export { default } from "uplot";' > uplot.mjs
cat > three.mjs <<'TEXT'
export {
  AmbientLight, BoxGeometry, BufferAttribute, Color, ConeGeometry,
  CylinderGeometry, DirectionalLight, DoubleSide, FrontSide, Group, Mesh, MeshLambertMaterial,
  OrthographicCamera, PerspectiveCamera, Scene, SphereGeometry, TorusGeometry, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
export { LineMaterial } from "three/addons/lines/LineMaterial.js";
export { LineSegments2 } from "three/addons/lines/LineSegments2.js";
export { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
TEXT
echo 'export { render } from "katex";' > katex.mjs
cat > codemirror.mjs <<'TEXT'
export { Annotation, EditorState } from "@codemirror/state";
export { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { HighlightStyle, bracketMatching, foldGutter, foldKeymap, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { json, jsonLanguage } from "@codemirror/lang-json";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { setDiagnostics } from "@codemirror/lint";
export { tags } from "@lezer/highlight";
TEXT
for name in preact uplot three katex codemirror; do
    npx esbuild "$name.mjs" --bundle --format=esm --charset=utf8 --log-level=warning \
        --outfile="$out/$name.js"
done
cp node_modules/uplot/dist/uPlot.min.css "$out/uplot.css"

# katex: the fonts that equations of motion use, as woff2 alone, beside the style
fonts='Main-Regular|Math-Italic|Size[1-4]-Regular'
for font in node_modules/katex/dist/fonts/*.woff2; do
    echo "$font" | grep -Eq "KaTeX_($fonts)\\.woff2" && cp "$font" "$out"
done
FONTS=$fonts node > "$out/katex.css" <<'TEXT'
const style = require("fs").readFileSync("node_modules/katex/dist/katex.css", "utf8");
const kept = new RegExp(`url\\(fonts/(KaTeX_(?:${process.env.FONTS})\\.woff2)\\).*;`);
process.stdout.write(style.replace(/@font-face \{[^}]*\}\n/g, (face) =>
  kept.test(face) ? face.replace(kept, 'url($1) format("woff2");') : ""));
TEXT

# the licences of everything that is bundled
node -p 'Object.entries(require("./package-lock.json").packages).filter(([path]) =>
    path && !/esbuild|commander|typescript|prettier/.test(path)).map(([path]) => path.slice(13)).join("\n")' |
    while read -r package; do
    echo "== $package $(node -p "require('./node_modules/$package/package.json').version")"
    cat node_modules/"$package"/LICENSE*
    echo
done > "$out/LICENSES"
(cd "$out" && sha256sum ./*.js ./*.css ./*.woff2 LICENSES > SHA256SUMS)
