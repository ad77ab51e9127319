#!/bin/sh
# Follows the changes of jobs: adds one, deletes it, and asks what has happened since.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

since=$(curl -fsS "$url/v1/jobs?limit=1" | sed 's/.*"revision":\([0-9]*\)}$/\1/')
job=$(curl -fsS "$url/v1/jobs?wait=60" -H 'Content-Type: application/json' -d '{
  "model": {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2"},
  "initial": {"q": {"x": 1}}, "time": {"end": 1}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/jobs?since=$since" | grep -q "\"id\":\"$id\""

curl -fsS -X DELETE "$url/v1/jobs/$id"
changes=$(curl -fsS "$url/v1/jobs?since=$since")
echo "$changes" | grep -o '"deleted":.*'
case $changes in
*"\"deleted\":[\"$id\"]"*) ;;
*)
    echo "the job should be told as deleted: $changes" >&2
    exit 1
    ;;
esac
