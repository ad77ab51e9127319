#!/bin/sh
# When was the motion right, and when less so? Of a pendulum with a rod that stays in place to
# round-off: at each second the worst residual since the one before, the energy balance, and the
# shortest step, while it swings ever faster.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "coordinates": ["x", "y"],
    "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - 9.81*(1 + t^2)*y",
    "constraints": [{"name": "rod", "equation": "x^2 + y^2 = 1"}]
  },
  "initial": {"q": {"x": 0.6, "y": -0.8}},
  "time": {"end": 10, "samples": 11}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/jobs/$id/result?table=@evidence" -H 'Accept: text/csv'
