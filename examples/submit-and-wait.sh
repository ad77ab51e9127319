#!/bin/sh
# Simulates a system of the catalog and waits for the answer: a disk rolling upright on a plane.
# Prints some samples as CSV and the largest residual of its rolling constraints.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {"catalog": "vertical-rolling-disk"},
  "initial": {"v": {"theta": 1.5, "phi": 0.75}},
  "time": {"end": 10, "samples": 101},
  "observe": {"speed": "hypot(dot(x), dot(y))"}
}')
id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)
case $job in
*'"state":"succeeded"'* | *'"state": "succeeded"'*) echo "job $id succeeded" ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac

echo "every tenth sample:"
curl -fsS "$url/v1/jobs/$id/result?columns=t,x,y,phi,speed&stride=10" -H 'Accept: text/csv'
echo "the evidence:"
curl -fsS "$url/v1/jobs/$id/diagnostics"
