#!/bin/sh
# What a job will cost, before it is posted: counted operations of the run and of each analysis,
# with what the analysis does for them. Here Lyapunov exponents over a hundred times the job's own
# time.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

answer=$(curl -fsS "$url/v1/jobs?validate_only=true" -H 'Content-Type: application/json' -d '{
  "model": {
    "name": "Henon-Heiles",
    "coordinates": ["x", "y"],
    "lagrangian": "(dot(x)^2 + dot(y)^2 - x^2 - y^2)/2 - x^2*y + y^3/3"
  },
  "initial": {"q": {"y": 0.1}, "v": {"x": 0.49}},
  "time": {"end": 100},
  "analyses": ["energy", {"name": "lyapunov", "time": 10000}]
}')
printf '%s\n' "$answer" | sed 's/.*"estimate":\(.*\),"warnings".*/\1/'

case $answer in
*'"name":"lyapunov"'*'"more_than_run":true'*) ;;
*)
    echo "the exponents should cost more than the run" >&2
    exit 1
    ;;
esac
