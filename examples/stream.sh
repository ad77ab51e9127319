#!/bin/sh
# Follows a job by server-sent events, from its submission to its end.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -d '{
  "model": {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2"},
  "initial": {"q": {"x": 1}}, "time": {"end": 20000}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')

events=$(curl -fsSN "$url/v1/jobs/$id/stream" | cut -c 1-120)
echo "$events"
case $events in
*'event: done'*'"state":"succeeded"'*) ;;
*)
    echo "the last event should be the end" >&2
    exit 1
    ;;
esac
