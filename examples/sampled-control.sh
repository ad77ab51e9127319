#!/bin/sh
# Events at given times: a cart is held by a controller that looks at it every 0.1 s and keeps its
# force, the coordinate u, until it looks again. Ticks are exact: 0.1 k, as many as there are.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "name": "sampled control",
    "coordinates": ["x", "u"],
    "parameters": {"m": 1, "k": 4, "d": 2},
    "lagrangian": "m/2*dot(x)^2 + dot(u)^2/2",
    "forces": {"x": "u"}
  },
  "initial": {"q": {"x": 1}},
  "time": {"end": 5, "every": 0.1},
  "events": [
    {"name": "tick", "every": 0.1, "set": {"u": "-k*x - d*dot(x)"}}
  ]
}')
id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)

ticks=$(curl -fsS -G "$url/v1/jobs/$id/result" -H 'Accept: text/csv' \
    --data-urlencode 'table=tick' --data-urlencode 'columns=t,x,u')
echo "$ticks" | tail -n 5

count=$(($(echo "$ticks" | wc -l) - 1))
if [ "$count" -ne 50 ]; then
    echo "expected 50 ticks, got $count" >&2
    exit 1
fi
