#!/bin/sh
# Starts a service of its own that tells its metrics on a second port, without a key, and nothing else
# there.
set -eu
program=${DALEMBERT_BIN:-build/dalembert}
folder=$(mktemp -d)
trap 'kill "$service" 2>/dev/null; rm -rf "$folder"' EXIT

umask 077
"$program" keys token >"$folder/admin"
"$program" serve --listen 127.0.0.1:0 --data "$folder/data" --auth keys --first-key-file "$folder/admin" \
    --metrics-listen 127.0.0.1:0 >"$folder/said" 2>"$folder/log" &
service=$!
while ! grep -q 'event=started' "$folder/log"; do
    kill -0 "$service"
    sleep 0.1
done
address=$(sed -n 's/.*event=metrics address=//p' "$folder/log")

curl -fsS "http://$address/metrics" | grep -e '^dalembert_build_info' -e '^dalembert_store_writable' -e '^dalembert_tenant_jobs.*queued'
echo "any other path of this port:"
curl -sS "http://$address/v1/jobs"
