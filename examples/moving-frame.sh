#!/bin/sh
# A ball on a turning table, seen from the table: in that frame it rolls on a floor at rest. Prints
# the point of contact in both frames.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {"catalog": "sphere-on-rotating-plane"},
  "formulation": "moving-frame",
  "initial": {"q": {"x": -0.75, "phi": -0.625, "psi": 0.875, "theta": 1.25},
              "v": {"phi": 0.375, "psi": 0.75, "theta": 0.75}},
  "time": {"end": 8, "samples": 9},
  "observe": {"moving_energy": "energy() - W*(m*(x*dot(y) - y*dot(x)) + I0*wz)"}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac
curl -fsS "$url/v1/jobs/$id/result?columns=t,x,y,X,Y,moving_energy" -H 'Accept: text/csv'
