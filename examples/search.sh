#!/bin/sh
# Finds jobs by a part of their model's name, and counts them by state.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

curl -fsS "$url/v1/jobs?wait=60" -H 'Content-Type: application/json' -d '{
  "model": {"name": "Spring on a wall", "coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2"},
  "initial": {"q": {"x": 1}}, "time": {"end": 1}
}' >/dev/null
curl -fsS "$url/v1/jobs?name=spring&limit=1&include=counts" | grep -o '"counts":{[^}]*}'
