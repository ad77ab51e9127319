#!/bin/sh
# Runs every script of examples/, and the commands of README.md, against a daemon of its own; every
# path of the contract is in one of them. The binary is $DALEMBERT_BIN or build/dalembert.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
binary=${DALEMBERT_BIN:-$root/build/dalembert}
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

# expect NAME TEXT: the last output must hold the text
expect() {
    if ! grep -q -e "$2" "$folder/output"; then
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
        WEBHOOK_SECRET_FILE="$folder/secret" sh "$script"
    count=$((count + 1))
done

# The fenced sh blocks of README.md, one after the other, in an empty directory.
mkdir -p "$folder/tour/build"
ln -s "$binary" "$folder/tour/build/dalembert"
{
    echo "set -eu"
    awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' README.md
} | sed "s/127\.0\.0\.1:8080/$address/g" >"$folder/tour/tour.sh"
cd "$folder/tour"
run README.md sh tour.sh
for text in '^job [0-9a-f-]*$' '^t,u,side_force' '"name":"edge"' 'balance_max' '"reason":"' \
    'ddot(th)' 'did you mean \\"th\\"' 'did you mean \\"samples\\"' '^0.638' \
    '"formulation":"voronec","complete":true' '^10,'; do
    expect README.md "$text"
done
run "README.md's picture" cmp build/tour/path.svg "$root/docs/sleigh.svg"
echo "examples: $count scripts and README.md ran"
