#!/bin/sh
# Starts a service of its own that asks for keys, makes a key that may only read, uses it and revokes it.
set -eu
program=${DALEMBERT_BIN:-build/dalembert}
folder=$(mktemp -d)
trap 'kill "$service" 2>/dev/null; rm -rf "$folder"' EXIT

# the first key, with all scopes; its token goes into a file that only you can read
umask 077
"$program" keys token >"$folder/admin"
"$program" serve --listen 127.0.0.1:0 --data "$folder/data" --auth keys --first-key-file "$folder/admin" \
    >"$folder/said" 2>"$folder/log" &
service=$!
while ! grep -q 'http://' "$folder/said"; do
    kill -0 "$service"
    sleep 0.1
done
url=$(sed -n 's/.* listens on \(http:.*\)/\1/p' "$folder/said")

echo "without a key:"
curl -sS "$url/v1/jobs"

# a key for a dashboard: it may read, and ends by itself
made=$(curl -fsS "$url/v1/keys" -H "Authorization: Bearer $(cat "$folder/admin")" \
    -H 'Content-Type: application/json' \
    -d '{"name": "dashboard", "scopes": ["read"], "expires": "2099-01-31T12:00:00Z"}')
id=$(printf '%s' "$made" | sed -n 's/.*"id":"\([0-9a-f-]*\)".*/\1/p')
token=$(printf '%s' "$made" | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')

echo "with the new key:"
curl -fsS "$url/v1/jobs" -H "Authorization: Bearer $token"
echo "but it may not submit:"
curl -sS "$url/v1/jobs" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{}'

curl -fsS -X DELETE "$url/v1/keys/$id" -H "Authorization: Bearer $(cat "$folder/admin")"
echo "revoked:"
curl -sS "$url/v1/jobs" -H "Authorization: Bearer $token"
