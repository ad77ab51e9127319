#!/bin/sh
# Twenty pendulums in one request, all accepted or none; then what is left of them is found by two
# labels, cancelled and deleted.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

post() {
    curl -fsS "$url/v1/$1" -H 'Content-Type: application/json' -d "$2"
}

jobs=
for k in $(seq 20); do
    jobs="$jobs${jobs:+,}{\"model\": {\"coordinates\": [\"th\"], \"lagrangian\": \"dot(th)^2/2 + cos(th)\"},
        \"initial\": {\"q\": {\"th\": 0.1}}, \"time\": {\"end\": $k}, \"labels\": {\"set\": \"pendulums\", \"k\": \"$k\"}}"
done
accepted=$(post jobs:batch "{\"jobs\": [$jobs]}")
count=$(printf '%s' "$accepted" | grep -o '"set":"pendulums"' | wc -l)
[ "$count" -eq 20 ]

seventh=$(curl -fsS "$url/v1/jobs?label.set=pendulums&label.k=7")
case $seventh in
*'"k":"7"'*) ;;
*)
    echo "the job with both labels should be found: $seventh" >&2
    exit 1
    ;;
esac

# a mistake in one of them, and nothing is accepted
refused=$(curl -sS "$url/v1/jobs:batch" -H 'Content-Type: application/json' -d '{"jobs": [{"nonsense": 1}]}')
case $refused in
*'"pointer":"/jobs/0/nonsense"'*) ;;
*)
    echo "the mistake should be named: $refused" >&2
    exit 1
    ;;
esac

post jobs:cancel '{"filter": {"labels": {"set": "pendulums"}}}'
while curl -fsS "$url/v1/jobs?label.set=pendulums" | grep -q '"done":false'; do
    sleep 0.1
done
post jobs:delete '{"filter": {"labels": {"set": "pendulums"}}}'
