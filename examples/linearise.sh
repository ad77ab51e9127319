#!/bin/sh
# Small deviations of a double pendulum that hangs: the analysis `linearise` finds the equilibrium
# near the given state and writes M u' + C u + K s = 0 there, with eigenvalues and eigenvectors.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "name": "double pendulum on rods",
    "coordinates": ["x1", "y1", "x2", "y2"],
    "parameters": {"m": 1, "l": 1, "g": 9.81},
    "lagrangian": "m/2*(dot(x1)^2 + dot(y1)^2 + dot(x2)^2 + dot(y2)^2) - m*g*(y1 + y2)",
    "constraints": ["x1^2 + y1^2 = l^2", "(x2 - x1)^2 + (y2 - y1)^2 = l^2"],
    "base": ["x1", "x2"]
  },
  "initial": {"q": {"x1": 1, "x2": 2}},
  "time": {"end": 1, "samples": 11},
  "analyses": [{"name": "linearise", "near": {"q": {"x1": 0.1, "y1": -0.9, "x2": 0, "y2": -2}}}]
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
answer=$(curl -fsS "$url/v1/jobs/$id/invariants")
printf '%s\n' "$answer" | sed 's/.*"linearise"/"linearise"/'

# by the displacements: M = diag(1, 1), K = g/l ((3, -1), (-1, 1)), so that omega^2 = g/l (2 -+
# sqrt(2))
case $answer in
*'"kind":"equilibrium"'*'"velocities":["x1","x2"]'*) ;;
*)
    echo "the pendulum should hang at rest" >&2
    exit 1
    ;;
esac
