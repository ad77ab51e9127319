#!/bin/sh
# A pendulum of 10 nm. An absolute tolerance of 1e-12 m is a ten-thousandth of its length, and its
# energy drifts. With sizes of its own, given or found from the motion, it keeps ten digits.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

swing() { # INTEGRATOR -> energy balance, relative
    job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d "{
      \"model\": {\"coordinates\": [\"x\", \"y\"], \"parameters\": {\"l\": 1e-8},
                  \"lagrangian\": \"(dot(x)^2 + dot(y)^2)/2 - l*y\",
                  \"constraints\": [\"x^2 + y^2 = l^2\"]},
      \"initial\": {\"q\": {\"x\": 1e-8, \"y\": 0}},
      \"time\": {\"end\": 50, \"samples\": 2},
      \"integrator\": $1,
      \"analyses\": []
    }")
    id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
    curl -fsS "$url/v1/jobs/$id/diagnostics" | sed 's/.*"balance_scaled":\([^,}]*\).*/\1/'
}

swing '{"atol": 1e-12}'
swing '{}'
swing '{"nominal": {"x": 1e-8, "y": 1e-8, "dot(x)": 1e-8, "dot(y)": 1e-8}}' |
    awk '{ print; exit !($1 < 1e-8) }'
