#!/bin/sh
# How busy the service is: jobs that wait and run, workers, the seconds that a job takes.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

queue=$(curl -fsS "$url/v1/queue")
echo "$queue"
case $queue in
'{"queued":'*',"oldest_seconds":'*',"running":'*',"workers":'*) ;;
*)
    echo "not the queue: $queue" >&2
    exit 1
    ;;
esac
