#!/bin/sh
# A Poincare section of Henon and Heiles' galaxy (1964): each crossing of x = 0 upwards is a dot.
# Those of this orbit lie on five closed curves, in which it goes around. Writes orbit.svg and
# section.svg into a folder.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}
folder=${1:-$(mktemp -d)}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=60' -d '{
  "model": {
    "name": "galaxy",
    "coordinates": ["x", "y"],
    "lagrangian": "(dot(x)^2 + dot(y)^2 - x^2 - y^2)/2 - x^2*y + y^3/3"
  },
  "initial": {"q": {"y": 0.1}, "v": {"x": 0.45, "y": 0.05}},
  "time": {"end": 2000, "samples": 40001},
  "events": [{"name": "section", "when": "x", "direction": "rising"}]
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/jobs/$id/plot.svg?table=section&x=y&y=dot(y)" >"$folder/section.svg"
curl -fsS "$url/v1/jobs/$id/plot.svg?x=x&y=y&to=200" >"$folder/orbit.svg"
# a few rows that look like all: what a dashboard draws itself
curl -fsS "$url/v1/jobs/$id/result?columns=t,x&points=5" -H 'Accept: text/csv'
echo "drawings in $folder"
grep -q '</svg>' "$folder/section.svg" && grep -q '</svg>' "$folder/orbit.svg"
