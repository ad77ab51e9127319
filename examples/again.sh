#!/bin/sh
# What was asked, what the program chose by itself, and the same once more: of a job, and of one
# member of an ensemble.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

# run DOCUMENT: the path of the job, when it is done
run() {
    curl -fsS "$url/v1/jobs?wait=10" -H 'Content-Type: application/json' -d "$1" | sed 's/.*"self":"\([^"]*\)".*/\1/'
}

# result_hash PATH: of the rows of a job
result_hash() {
    curl -fsS "$url$1" | sed 's/.*"result_hash":"\([^"]*\)".*/\1/'
}

model='{"coordinates": ["th"], "lagrangian": "dot(th)^2/2 + cos(th)"}'
first=$(run "{\"model\": $model, \"initial\": {\"q\": {\"th\": 1}}, \"time\": {\"end\": 5}}")
id=${first##*/}
curl -fsS "$url/v1/jobs/$id/request"
echo
curl -fsS "$url/v1/jobs/$id/diagnostics" | grep -o '"what":"integrator.method"[^}]*'

# bit for bit
second=$(curl -fsS -X POST "$url/v1/jobs/$id/rerun?wait=10" | sed 's/.*"self":"\([^"]*\)".*/\1/')
[ "$(result_hash "$first")" = "$(result_hash "$second")" ]
curl -fsS -X DELETE "$url/v1/jobs/$id"

ensemble=$(run "{\"model\": $model, \"initial\": {}, \"time\": {\"end\": 5}, \"vary\": {\"initial.q.th\": [0.5, 1, 1.5]},
    \"ensemble\": {\"keep\": \"trajectories\"}}")
id=${ensemble##*/}
curl -fsS "$url/v1/jobs/$id/members/1" | grep -o '"job":{.*'
curl -fsS -H 'Accept: text/csv' "$url/v1/jobs/$id/members/1/result?limit=3"
