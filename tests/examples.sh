#!/bin/sh
# Runs every script of examples/, and the commands of README.md and of the tutorials, against a daemon
# of its own; every path of the contract is in one of the first. The binary is $DALEMBERT_BIN or build/dalembert.
set -eu
cd "$(dirname "$0")/.."
binary=${DALEMBERT_BIN:-$PWD/build/dalembert}
folder=$(mktemp -d)
daemon=
mkfifo "$folder/said"
finish() {
    [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
    [ -z "$daemon" ] || wait "$daemon" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

printf 'whsec_%s\n' "$(openssl rand -base64 32)" >"$folder/secret"
"$binary" serve --listen 127.0.0.1:0 --data "$folder/data" --webhooks on --webhook-allow 127.0.0.1 \
    --webhook-secret-file "$folder/secret" >"$folder/said" 2>"$folder/log" &
daemon=$!
# its first line names the address; none comes when it ends before
exec 3<"$folder/said"
read -r line <&3 || line=
address=${line##*/}
if [ -z "$address" ]; then
    echo "examples: the daemon did not start:" >&2
    cat "$folder/log" >&2
    exit 1
fi

# run NAME COMMAND...: its output is shown only when it fails, or is checked by the caller
run() {
    name=$1
    shift
    if ! "$@" >"$folder/output" 2>&1; then
        echo "examples: $name failed:" >&2
        cat "$folder/output" >&2
        exit 1
    fi
}

# expect NAME TEXT [-F]: the last output must hold the text, a pattern or (-F) a string
expect() {
    if ! grep -q ${3:+"$3"} -e "$2" "$folder/output"; then
        echo "examples: $1 did not print \"$2\" but:" >&2
        cat "$folder/output" >&2
        exit 1
    fi
}

# no path of the contract without an example
grep -oE '^    "/[^"]*": \{' api/openapi.json | cut -d'"' -f2 | while read -r path; do
    asked=$(printf '%s' "$path" | sed 's/\./\\./g; s/{[a-z]*}/[^\/ "]+/g; s/^\/v1\//(\/v1\/|post )/')
    if ! grep -qE "$asked([?\" ]|\$)" examples/*.sh README.md; then
        echo "examples: none asks for $path" >&2
        exit 1
    fi
done

count=0
for script in examples/*.sh; do
    run "$script" env DALEMBERT_URL="http://$address" \
        DALEMBERT_DATA="$folder/data" DALEMBERT_BIN="$binary" \
        WEBHOOK_SECRET_FILE="$folder/secret" sh "$script"
    # what docs/how-to/README.md says that it prints
    if ! row=$(grep -F "(../../$script) | " docs/how-to/README.md); then
        echo "examples: docs/how-to/README.md does not list $script" >&2
        exit 1
    fi
    said=${row##*| \`}
    expect "$script" "${said%\` |}" -F
    count=$((count + 1))
done

run README.md python3 tests/pages.py README.md "$address"
for text in '^job [0-9a-f-]*$' '^t,u,side_force' '"name":"edge"' 'balance_max' '"reason":"' \
    'ddot(th)' 'did you mean \\"th\\"' 'did you mean \\"samples\\"' '^0.638' \
    '"formulation":"voronec","complete":true' '^10,'; do
    expect README.md "$text"
done
pages=0
for page in docs/tutorial/*.md docs/how-to/deploy.md; do
    run "$page" python3 tests/pages.py "$page" "$address"
    pages=$((pages + 1))
done
echo "examples: $count scripts, README.md and $pages pages ran"
