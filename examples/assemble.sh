#!/bin/sh
# A slider crank is assembled around its crank: `initial.hold` keeps the angle, `project` finds
# where the slider is, and `initial.change` of the diagnostics tells how far that was from the
# guess. Then at every angle of a turn.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

crank='"model": {
    "coordinates": ["crank", "x"],
    "parameters": {"r": 1, "l": 3},
    "lagrangian": "dot(crank)^2/2 + dot(x)^2/2",
    "constraints": [{"name": "bar", "equation": "(x - r*cos(crank))^2 + (r*sin(crank))^2 = l^2"}]
  },
  "initial": {"q": {"crank": 0.7, "x": 3.5}, "v": {"crank": 1}, "consistency": "project", "hold": ["crank"]}'

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d "{$crank,
  \"time\": {\"end\": 1, \"samples\": 3}}")
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
diagnostics=$(curl -fsS "$url/v1/jobs/$id/diagnostics")
printf '%s\n' "$diagnostics" | sed 's/.*"initial":\({"change":{[^}]*}}\).*/\1/'
curl -fsS "$url/v1/jobs/$id/result?columns=t,crank,x" -H 'Accept: text/csv'

# members are assembled each with its own value
turn=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d "{$crank,
  \"time\": {\"end\": 0.01},
  \"vary\": {\"initial.q.crank\": {\"from\": 0, \"to\": \"2*pi\", \"count\": 9}},
  \"ensemble\": {\"reduce\": {\"start\": {\"of\": \"x\", \"take\": \"max\"}}}}")
id=$(printf '%s' "$turn" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/jobs/$id/members?columns=initial.q.crank,start,state" -H 'Accept: text/csv'

case $diagnostics in
*'"initial":{"change":{"x":'*) ;;
*)
    echo "the slider should have been moved, and the crank not" >&2
    exit 1
    ;;
esac
