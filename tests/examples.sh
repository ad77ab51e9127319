#!/bin/sh
# Runs every script of examples/ against a daemon of its own. The binary is $DALEMBERT_BIN or
# build/dalembert.
set -eu
cd "$(dirname "$0")/.."
binary=${DALEMBERT_BIN:-build/dalembert}
folder=$(mktemp -d)
daemon=
finish() {
    [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
    [ -z "$daemon" ] || wait "$daemon" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

"$binary" serve --listen 127.0.0.1:0 --data "$folder/data" >"$folder/log" 2>&1 &
daemon=$!
address=
for _ in $(seq 100); do
    address=$(sed -n 's/.*\(127\.0\.0\.1:[1-9][0-9]*\).*/\1/p' "$folder/log" | head -n 1)
    [ -z "$address" ] || break
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$address" ]; then
    echo "examples: the daemon did not start:" >&2
    cat "$folder/log" >&2
    exit 1
fi

count=0
for script in examples/*.sh; do
    if ! DALEMBERT_URL="http://$address" sh "$script" >"$folder/output" 2>&1; then
        echo "examples: $script failed:" >&2
        cat "$folder/output" >&2
        exit 1
    fi
    count=$((count + 1))
done
echo "examples: $count scripts ran"
