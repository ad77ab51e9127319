#!/bin/sh
# Checks what comments promise: each .c file begins with what it does, files that are named exist,
# and no comment is a banner or ends in a line of its own.
#
#   tools/check-comments.sh [ROOT]        tools/check-comments.sh --self-test
set -eu

if [ "${1:-}" = --self-test ]; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/core" "$tree/db" "$tree/api" "$tree/server" "$tree/tests" "$tree/bench"
    plant() { # TEXT: must be refused
        printf '%b\n' "$1" >"$tree/core/a.c"
        if "$0" "$tree" >/dev/null 2>&1; then
            echo "check-comments: self-test: passed: $1" >&2
            exit 1
        fi
    }
    plant 'int x;'
    plant '/* Does this.\n */'
    plant '/* Does this. */\n/* Helpers --------- */'
    plant '/* Does what core/gone.c did. */'
    printf '/* Does what core/a.c does, as core/NAME.c. */\n' >"$tree/core/a.c"
    "$0" "$tree" >/dev/null
    echo "check-comments: self-test passed"
    exit 0
fi

cd "${1:-$(dirname "$0")/..}"
failed=$(mktemp)
trap 'rm -f "$failed"' EXIT
sources=$(find core db api server tests bench -name '*.[ch]' | LC_ALL=C sort)

for file in $sources; do
    case $file in *.c) ;; *) continue ;; esac
    read -r first <"$file" || first=
    case $first in
    '/*'*) ;;
    *) echo "$file:1: begin with a comment: what the file does, whose formula" ;;
    esac
done >>"$failed"

# shellcheck disable=SC2086 # a list of words
grep -nE '^[ ]*\*/$' $sources | sed 's/$/ ends a comment in a line of its own/' >>"$failed" || true
# shellcheck disable=SC2086
grep -nE '(-{5,}|={5,}|\*{5,})[ ]*\*/$' $sources >>"$failed" || true

# Names of files; NAME, LAYER and UNIT stand for any.
name='(core|db|api|server|tests|bench|tools|deploy|docs|models|examples)/[A-Za-z0-9_/.-]*\.(c|h|cc|sh|py|md|json)'
pages=$(find . -path './*' -type d ! -path './docs*' -prune -o -name '*.md' -print)
# shellcheck disable=SC2086
grep -noE "\\b$name\\b" $sources $pages /dev/null |
    while IFS=: read -r file line path; do
        case $path in *NAME* | *LAYER* | *UNIT* | *CHANGELOG*) continue ;; esac
        case $file in
            ./CHANGELOG.md | ./docs/decisions/* | ./docs/evidence/features.md) continue ;;
        esac
        [ -e "$path" ] || echo "$file:$line: there is no $path"
    done >>"$failed"

if [ -s "$failed" ]; then
    cat "$failed"
    exit 1
fi
echo "check-comments: $(echo "$sources" | wc -l) files in order"
