#!/bin/sh
# Appell and Hamel's machine in an elevator: its vertical speed relative to the cabin is
# proportional to its horizontal speed. Moved by Voronec's equations, with multipliers as a second
# opinion; then prints what the equations are made of.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

model='{
  "coordinates": ["x", "y", "z"],
  "parameters": {"beta": 2, "gamma": 1.5, "delta": -2.5, "alpha": 0.75, "b": 0.5, "w": 1.25},
  "lagrangian": "beta/2*(dot(x)^2 + dot(y)^2) + gamma/2*dot(z)^2 + delta*z",
  "constraints": [
    {"name": "cone", "equation": "alpha^2*(dot(x)^2 + dot(y)^2) = (dot(z) - b*sin(w*t))^2"}
  ],
  "base": ["x", "y"]
}'
job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": '"$model"',
  "formulation": "voronec",
  "compare": ["lagrange-dalembert"],
  "initial": {"v": {"x": 1.5, "y": 2, "z": 1.875}},
  "time": {"end": 3, "samples": 7}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac
curl -fsS "$url/v1/jobs/$id/diagnostics" | grep -o '"max_relative":[-0-9.e]*'
curl -fsS "$url/v1/jobs/$id/result?columns=t,dot(z),multiplier(cone)" -H 'Accept: text/csv'

stored=$(curl -fsS "$url/v1/models" -H 'Content-Type: application/json' -d "$model")
id=$(printf '%s' "$stored" | sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' | head -n 1)
curl -fsS "$url/v1/models/$id/equations?format=text&formulation=voronec" | grep -o '"text":"[^"]*"'
