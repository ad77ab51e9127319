#!/bin/sh
# The same job posted again has succeeded at once: it owns the result that is there. "cache": false
# runs it.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

post() {
    printf '{"model": {"coordinates": ["a"], "lagrangian": "dot(a)^2/2 + cos(a)"}, "initial": {"q": {"a": 1.25}},
             "time": {"end": 20}%s}' "$1" |
        curl -fsS "$url/v1/jobs?wait=60" -H 'Content-Type: application/json' -d @-
}
cached() {
    case $1 in
    *"\"cached\":$2"*) echo "cached: $2" ;;
    *)
        echo "not as it should be: $1" >&2
        exit 1
        ;;
    esac
}
first=$(post ', "cache": false')
second=$(post ', "labels": {"campaign": "autumn"}')
cached "$first" false
cached "$second" true
# whose result it is: deleting that job does not take it away
id=$(echo "$first" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS -X DELETE "$url/v1/jobs/$id"
id=$(echo "$second" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/jobs/$id/result?columns=t,a&limit=1"
echo
cached "$(post ', "cache": false')" false
