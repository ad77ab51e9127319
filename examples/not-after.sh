#!/bin/sh
# A job that is of no use later: it is not begun after an instant, and an instant that has passed is
# refused.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job() {
    printf '{"model": {"coordinates": ["a"], "lagrangian": "dot(a)^2/2 + cos(a)"}, "initial": {"q": {"a": 1}},
             "time": {"end": 10}, "not_after": "%s"}' "$1"
}

found=$(job "2999-01-31T13:00:00+01:00" | curl -fsS "$url/v1/jobs?wait=60" -H 'Content-Type: application/json' -d @-)
case $found in
*'"state":"succeeded"'*'"not_after":"2999-01-31T12:00:00.000Z"'*) echo "begun in time" ;;
*)
    echo "not as it should be: $found" >&2
    exit 1
    ;;
esac
job "2001-01-31T12:00:00Z" | curl -sS "$url/v1/jobs" -H 'Content-Type: application/json' -d @- | grep -o '"pointer":"/not_after","message":"[^"]*"'
