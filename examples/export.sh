#!/bin/sh
# Exports all data as lines of JSON while the service runs, and makes a new data directory of them.
# Run it on the machine of the service: DALEMBERT_DATA names its data directory (./dalembert-data),
# DALEMBERT_BIN the program (build/dalembert).
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}
dalembert=${DALEMBERT_BIN:-build/dalembert}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

job=$(curl -fsS "$url/v1/jobs?wait=60" -H 'Content-Type: application/json' -d '{
  "model": {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2"},
  "initial": {"q": {"x": 1}}, "time": {"end": 1}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')

# a line for each object; jq reads them, too
"$dalembert" export "$folder/store.ndjson"
grep -c '^{"kind":"job"' "$folder/store.ndjson"
grep -o "\"id\":\"$id\",\"tenant\":1,\"state\":\"[a-z]*\"" "$folder/store.ndjson"

# a new data directory, for `dalembert serve --data`
"$dalembert" import "$folder/store.ndjson" "$folder/data"
"$dalembert" verify --data "$folder/data" | tail -n 1
