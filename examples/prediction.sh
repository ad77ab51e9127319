#!/bin/sh
# Is energy conserved? Two systems with the same affine constraint, a particle on a field of
# conveyor belts: in one potential the belts do no work, in the other they do. The service predicts
# it from the model and observes it on the motion.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

verdict() { # NAME EXPECTED
    job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d "{
      \"model\": {\"catalog\": \"$1\"},
      \"initial\": {\"q\": {\"x\": 0.5, \"y\": 0.75}, \"v\": {\"x\": 0.5, \"y\": -0.25}},
      \"time\": {\"end\": 10}
    }")
    id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)
    invariants=$(curl -fsS "$url/v1/jobs/$id/invariants")
    echo "$1: $invariants"
    case $invariants in
    *"\"predicted\":\"$2\""* | *"\"predicted\": \"$2\""*) ;;
    *)
        echo "expected the prediction \"$2\"" >&2
        exit 1
        ;;
    esac
}

verdict affine-particle-harmonic yes
verdict affine-particle-V-z no
