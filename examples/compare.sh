#!/bin/sh
# The same motion by three formulations: a rolling carriage of the catalog, and the largest
# difference of any coordinate, velocity or multiplier between the job's own motion and that of each
# of the others.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {"catalog": "two-wheeled-carriage-generic"},
  "initial": {"v": {"psi1": 0.75, "psi2": -0.5}},
  "time": {"end": 12, "samples": 121},
  "integrator": {"rtol": 1e-13, "atol": 1e-15},
  "compare": ["hamel", "voronec", "hamiltonian"]
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac
curl -fsS "$url/v1/jobs/$id/diagnostics" | tr '{' '\n' |
    sed -n 's/^"formulation":"\([^"]*\)","complete":true.*"max_relative":\([^,]*\),.*/\1 \2/p' |
    awk '{ print; n++; bad += $2 > 1e-11 } END { exit n != 3 || bad }'
