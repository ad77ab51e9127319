#!/bin/sh
# Submits a packed job and fetches its result packed: the same numbers in fewer bytes.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

gzip >"$folder/job.json.gz" <<'JOB'
{
  "model": {"coordinates": ["x"], "parameters": {"k": 4}, "lagrangian": "dot(x)^2/2 - k/2*x^2"},
  "initial": {"q": {"x": 1}},
  "time": {"end": 100, "samples": 10001}
}
JOB
job=$(curl -fsS "$url/v1/jobs?wait=60" -H 'Content-Type: application/json' -H 'Content-Encoding: gzip' \
    --data-binary "@$folder/job.json.gz")
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')

curl -fsS "$url/v1/jobs/$id/result" -H 'Accept: text/csv' >"$folder/plain.csv"
curl -fsS "$url/v1/jobs/$id/result" -H 'Accept: text/csv' -H 'Accept-Encoding: gzip' >"$folder/packed.csv.gz"
gzip -dc "$folder/packed.csv.gz" | cmp - "$folder/plain.csv"
echo "$(wc -c <"$folder/plain.csv") bytes, $(wc -c <"$folder/packed.csv.gz") packed"
