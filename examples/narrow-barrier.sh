#!/bin/sh
# A barrier of width 1e-4 in a motion whose steps are longer than 1: it is met, and the ball turns
# back. The diagnostics say how many steps were taken again to see it.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "name": "a ball and a thin wall",
    "coordinates": [{"name": "x", "unit": "m"}],
    "parameters": {
      "m": {"value": 1, "unit": "kg"}, "V": {"value": 5, "unit": "J"},
      "at": {"value": 12, "unit": "m"}, "w": {"value": 1e-4, "unit": "m"}
    },
    "lagrangian": "m/2*dot(x)^2 - V*exp(-((x - at)/w)^2)"
  },
  "initial": {"v": {"x": 1}},
  "time": {"end": 20, "samples": 21},
  "accuracy": true
}')
id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)

curl -fsS "$url/v1/jobs/$id/diagnostics" | grep -o '"steps":{[^}]*}' | head -n 1
speed=$(curl -fsS -G "$url/v1/jobs/$id/result" -H 'Accept: text/csv' \
    --data-urlencode 'columns=dot(x)' | tail -n 1)
case $speed in
-0.99999* | -1 | -1.00000*) echo "back with $speed m/s" ;;
*)
    echo "expected -1 m/s, got $speed" >&2
    exit 1
    ;;
esac
