#!/bin/sh
# A system of the catalog becomes a stored model, which jobs name by its id; it is listed, read and
# deleted.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

curl -fsS "$url/v1/catalog" | grep -o '"name":"[^"]*"' | head -3
curl -fsS "$url/v1/catalog" | grep -o '"tags":\[[^]]*"robot"[^]]*\]' | head -1
curl -fsS "$url/v1/catalog/rattleback" | grep -o '"title": *"[^"]*"'

stored=$(curl -fsS "$url/v1/models" -H 'Content-Type: application/json' -d '{
    "name": "a mass on a spring", "coordinates": ["x"], "parameters": {"k": 4}, "lagrangian": "dot(x)^2/2 - k*x^2/2"}')
id=$(printf '%s' "$stored" | sed 's/.*"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/models/$id" | grep -q '"document":{'
curl -fsS "$url/v1/models?limit=5" | grep -q "$id"

curl -fsS "$url/v1/jobs?wait=10" -H 'Content-Type: application/json' -d "{
    \"model\": {\"id\": \"$id\"}, \"parameters\": {\"k\": 9}, \"initial\": {\"q\": {\"x\": 1}}, \"time\": {\"end\": 1}}" |
    grep -o '"state":"succeeded"'

# accepted jobs keep it
curl -fsS -X DELETE "$url/v1/models/$id"
[ "$(curl -sS -o /dev/null -w '%{http_code}' "$url/v1/models/$id")" = 404 ]
