#!/bin/sh
# Makes a backup while the service runs, and restores it to another directory. Run it on the machine
# of the service: DALEMBERT_DATA names its data directory (./dalembert-data), DALEMBERT_BIN the
# program (build/dalembert).
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

# the service goes on meanwhile
"$dalembert" backup "$folder/monday"
grep -o '"sha256":"[0-9a-f]*"' "$folder/monday/manifest.json"

# a new data directory, for `dalembert serve --data`
"$dalembert" restore "$folder/monday" "$folder/data"
"$dalembert" verify --data "$folder/data" | tail -n 1
grep -q "$id" "$folder/data/dalembert.db"
