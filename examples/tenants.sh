#!/bin/sh
# Starts a service of its own, makes a tenant with a key, and shows that it sees its own jobs only.
set -eu
program=${DALEMBERT_BIN:-build/dalembert}
folder=$(mktemp -d)
trap 'kill "$service" 2>/dev/null; rm -rf "$folder"' EXIT
umask 077

# the first key, with all scopes, of the tenant `default`
"$program" keys token >"$folder/admin"
"$program" serve --listen 127.0.0.1:0 --data "$folder/data" --auth keys --first-key-file "$folder/admin" \
    >"$folder/said" 2>"$folder/log" &
service=$!
while ! grep -q 'http://' "$folder/said"; do
    kill -0 "$service"
    sleep 0.1
done
url=$(sed -n 's/.* listens on \(http:.*\)/\1/p' "$folder/said")
at="--url $url --key-file $folder/admin"

# shellcheck disable=SC2086 # a list of words
{
    echo "a tenant that may have 100 jobs waiting:"
    "$program" tenants create acme --queued 100 $at
    "$program" keys create dashboard --tenant acme $at | sed -n 's/.*"token":"\([^"]*\)".*/\1/p' >"$folder/acme"
}

# a job of the tenant
"$program" catalog pendulum | curl -fsS -o "$folder/job" "$url/v1/jobs?wait=30" \
    -H "Authorization: Bearer $(cat "$folder/acme")" -H 'Content-Type: application/json' -d @-
id=$(sed -n 's/^{"id":"\([^"]*\)".*/\1/p' "$folder/job")

echo "its counts, and a quota for running jobs:"
curl -fsS "$url/v1/tenants" -H "Authorization: Bearer $(cat "$folder/admin")"
curl -fsS -X PATCH "$url/v1/tenants/acme" -H "Authorization: Bearer $(cat "$folder/admin")" \
    -H 'Content-Type: application/json' -d '{"quotas": {"running": 2}}'

echo "its finished jobs are kept for a day:"
# shellcheck disable=SC2086 # a list of words
"$program" tenants set acme --keep 86400 $at | grep '"retention":{"keep":86400,"keep_failed":null,"keep_bytes":null}'

echo "to another tenant it does not exist:"
curl -sS "$url/v1/jobs/$id" -H "Authorization: Bearer $(cat "$folder/admin")"
echo "an administrator reads it:"
curl -fsS "$url/v1/jobs/$id?tenant=acme" -H "Authorization: Bearer $(cat "$folder/admin")"
