#!/bin/sh
# A kick of a hundredth of a second in a motion that goes on in steps of seconds. The steps end at
# the kick although they are long; "max_step" bounds them. Prints v and the longest step of both.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

run() { # INTEGRATOR -> v at the end, longest step
    job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d "{
      \"model\": {\"coordinates\": [\"x\"], \"lagrangian\": \"dot(x)^2/2\",
                  \"forces\": {\"x\": \"exp(-((t - 5.3)/0.01)^2)/(0.01*sqrt(pi))\"}},
      \"initial\": {},
      \"time\": {\"end\": 10, \"samples\": 2},
      \"integrator\": $1,
      \"analyses\": []
    }")
    id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
    curl -fsS "$url/v1/jobs/$id/result" -H 'Accept: text/csv' | tail -n 1 | cut -d, -f3
    curl -fsS "$url/v1/jobs/$id/diagnostics" | sed 's/.*"longest":\([^},]*\).*/\1/'
}

run '{}' | tr '\n' ' '
run '{"max_step": 0.02}' | tr '\n' ' ' |
    awk '{ print; exit !($1 > 0.999999 && $1 < 1.000001 && $2 <= 0.0200001) }'
