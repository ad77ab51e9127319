#!/bin/sh
# Starts a long run, watches its progress, cancels it and reads what it had computed by then.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -d '{
  "model": {"catalog": "contact-oscillators-cvt"},
  "initial": {"q": {"x": 0.75, "y": 0.25, "s": 0.5}, "v": {"x": 0.5, "s": 0.25}},
  "time": {"end": 1e7, "samples": 1000001},
  "integrator": {"max_steps": 1000000000},
  "labels": {"example": "cancel"}
}')
id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)

state=queued
while [ "$state" = queued ]; do
    sleep 0.2
    job=$(curl -fsS "$url/v1/jobs/$id")
    state=$(printf '%s' "$job" | sed -n 's/.*"state": *"\([a-z]*\)".*/\1/p' | head -n 1)
done
sleep 1
curl -fsS "$url/v1/jobs/$id"
echo
curl -fsS -X POST "$url/v1/jobs/$id/cancel" >/dev/null

job=$(curl -fsS "$url/v1/jobs/$id?wait=10")
case $job in
*'"state":"cancelled"'* | *'"state": "cancelled"'*) ;;
*)
    echo "not cancelled: $job" >&2
    exit 1
    ;;
esac
echo "cancelled; the first samples are kept:"
curl -fsS "$url/v1/jobs/$id/result?columns=t,x,y,s&limit=5" -H 'Accept: text/csv'
curl -fsS -X DELETE "$url/v1/jobs/$id"
