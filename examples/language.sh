#!/bin/sh
# What documents may name: the functions, methods and analyses that this service knows, for an
# editor that completes them.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

language=$(curl -fsS "$url/v1/language")
printf '%s\n' "$language" | sed 's/.*"reserved":\[\([^]]*\)\].*/reserved: \1/'
case $language in
*'"name":"atan2","arguments":["y","x"]'*) ;;
*)
    echo "atan2(y, x) should be a function: $language" >&2
    exit 1
    ;;
esac

# who has it already is told so
tag=$(curl -fsS -D - -o /dev/null "$url/v1/language" | tr -d '\r' | sed -n 's/^[Ee][Tt]ag: //p')
status=$(curl -sS -o /dev/null -w '%{http_code}' -H "If-None-Match: $tag" "$url/v1/language")
[ "$status" = 304 ]
