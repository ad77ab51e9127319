#!/bin/sh
# What the service says of itself: that it lives and is ready, its limits, its counters, its
# contract, and the meaning of a code of problems.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

curl -fsS "$url/livez"
curl -fsS "$url/readyz"
curl -fsS -H 'Accept: application/json' "$url/"
curl -fsS "$url/v1/limits" | grep -o '"max-wait":{[^}]*}'
curl -fsS "$url/problems/not_ready"
curl -fsS "$url/metrics" | grep '^dalembert_jobs' | head -3
curl -fsS "$url/openapi.json" | grep -o '"openapi": "3.1.0"'
