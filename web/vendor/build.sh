#!/bin/sh
# Bundles the libraries of the page into this folder as ES modules, not minified, so that they can
# be read and compared. Needs npm and the network; building the program needs neither.
#
#   web/vendor/build.sh [FOLDER]     default: this folder
#
# Writes preact.js (preact, signals, htm), uplot.js, uplot.css, three.js, LICENSES and SHA256SUMS.
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
export const html = htm.bind(h);
TEXT
echo 'export { default } from "uplot";' > uplot.mjs
cat > three.mjs <<'TEXT'
export {
  AmbientLight, BoxGeometry, BufferAttribute, Color, ConeGeometry,
  CylinderGeometry, DirectionalLight, Group, Mesh, MeshLambertMaterial,
  OrthographicCamera, PerspectiveCamera, Scene, SphereGeometry, TorusGeometry, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
export { LineMaterial } from "three/addons/lines/LineMaterial.js";
export { LineSegments2 } from "three/addons/lines/LineSegments2.js";
export { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
TEXT
for name in preact uplot three; do
    npx esbuild "$name.mjs" --bundle --format=esm --charset=utf8 --log-level=warning \
        --outfile="$out/$name.js"
done
cp node_modules/uplot/dist/uPlot.min.css "$out/uplot.css"

# the licences of everything that is bundled
for package in preact @preact/signals @preact/signals-core htm uplot three; do
    echo "== $package $(node -p "require('./node_modules/$package/package.json').version")"
    cat node_modules/"$package"/LICENSE*
    echo
done > "$out/LICENSES"
(cd "$out" && sha256sum ./*.js ./*.css LICENSES > SHA256SUMS)
