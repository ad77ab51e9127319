#!/bin/sh
# A bead on an upright ring whose radius breathes, by its angle alone: the chart satisfies the
# ring's equation, and the force of the ring is told all the same. Prints time, angle and force.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "coordinates": ["x", "y"],
    "parameters": {"m": 1.25, "g": 2, "R0": 1.25, "B": 0.25, "w": 1.5},
    "definitions": {"radius": "R0 + B*sin(w*t)"},
    "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) - m*g*y",
    "constraints": [{"name": "ring", "equation": "x^2 + y^2 = radius^2"}],
    "chart": {"coordinates": ["th"], "map": {"x": "radius*sin(th)", "y": "-radius*cos(th)"}}
  },
  "formulation": "intrinsic",
  "initial": {"chart": {"q": {"th": 0.64}, "v": {"th": 0.275}}},
  "time": {"end": 10, "samples": 11},
  "observe": {"force": "2*multiplier(ring)*radius"},
  "compare": ["lagrange-dalembert"]
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac
curl -fsS "$url/v1/jobs/$id/result?columns=t,th,force" -H 'Accept: text/csv'
