#!/bin/sh
# More questions to a motion that is there already: the curvature of a rolling disk's track, and the
# power of the reactions, evaluated on the rows of a job that was submitted without them. The last
# three, as CSV.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {"catalog": "vertical-rolling-disk"},
  "initial": {"v": {"theta": 1.5, "phi": 0.75}},
  "time": {"end": 10, "samples": 101}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/jobs/$id/columns?tail=3" -H 'Content-Type: application/json' -H 'Accept: text/csv' -d '{
  "observe": {
    "curvature": "dot(phi)/hypot(dot(x), dot(y))",
    "power": "reaction(x)*dot(x) + reaction(y)*dot(y) + reaction(theta)*dot(theta) + reaction(phi)*dot(phi)"
  }
}'
