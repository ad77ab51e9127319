#!/bin/sh
# A spherical pendulum starts from its conical motion and a little beside it: `initial.equilibrium`
# finds the relative equilibrium near the given state, the diagnostics say which one it is.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "coordinates": ["theta", "phi"],
    "parameters": {"g": 9.81},
    "lagrangian": "(dot(theta)^2 + sin(theta)^2*dot(phi)^2)/2 + g*cos(theta)",
    "symmetries": [{"name": "turn", "generator": {"phi": "1"}}]
  },
  "initial": {
    "equilibrium": {
      "near": {"q": {"theta": 0.8}, "v": {"phi": 3.7}},
      "offset": {"v": {"theta": 0.01}}
    }
  },
  "time": {"end": 10, "samples": 11},
  "observe": {"height": "-cos(theta)"}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
diagnostics=$(curl -fsS "$url/v1/jobs/$id/diagnostics")
printf '%s\n' "$diagnostics" | sed 's/.*"equilibrium":\({[^}]*}[^}]*}[^}]*}[^}]*}\).*/\1/'
curl -fsS "$url/v1/jobs/$id/result?columns=t,theta,height" -H 'Accept: text/csv'

# cos(theta) = g/phi^2 along the turn
case $diagnostics in
*'"kind":"relative equilibrium"'*) ;;
*)
    echo "the pendulum should turn on a cone" >&2
    exit 1
    ;;
esac
