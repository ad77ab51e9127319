#!/bin/sh
# The paths of a pendulum from 0.25 rad to 1.5 rad in six seconds: slowly up, or swinging back
# first. Prints the action of each and whether it is a minimum: only nearby paths are compared, so
# there can be two.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {"coordinates": ["th"], "parameters": {"w2": 1.5}, "lagrangian": "dot(th)^2/2 + w2*cos(th)"},
  "formulation": "least-action",
  "boundary": {"start": {"t": 0, "q": {"th": 0.25}}, "end": {"t": 6, "q": {"th": 1.5}},
               "guesses": [{"v": {"th": 2.4}}, {"v": {"th": -2.3}}, {"v": {"th": -2}}]},
  "time": {"samples": 21}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac
curl -fsS "$url/v1/jobs/$id/diagnostics" | grep -o '"action":[-0-9.e]*\|"kind":"[a-z]*"'
curl -fsS "$url/v1/jobs/$id/result?columns=t,th&stride=5" -H 'Accept: text/csv'
