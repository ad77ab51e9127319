#!/bin/sh
# Finds circles of includes in the layers: x.c and x.h together are one unit, and no unit may
# include itself by way of others.
#
#   tools/check-circles.sh [ROOT]        tools/check-circles.sh --self-test
set -eu

if [ "${1:-}" = --self-test ]; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/core/a" "$tree/core/b"
    echo '#include "core/b/y.h"' >"$tree/core/a/x.c"
    echo '#include "core/a/z.h"' >"$tree/core/b/y.h"
    touch "$tree/core/a/z.h"
    "$0" "$tree" >/dev/null ||
        { echo "check-circles: self-test: a chain is no circle" >&2; exit 1; }
    echo '#include "core/a/x.h"' >"$tree/core/b/y.c"
    if "$0" "$tree" >/dev/null 2>&1; then
        echo "check-circles: self-test: x -> y -> x passed" >&2
        exit 1
    fi
    echo "check-circles: self-test passed"
    exit 0
fi

cd "${1:-$(dirname "$0")/..}"
edges=$(mktemp)
trap 'rm -f "$edges"' EXIT
find core db api server \( -name '*.c' -o -name '*.h' \) -type f 2>/dev/null | LC_ALL=C sort |
    xargs grep -HE '^ *# *include *"(core|db|api|server)/' |
    sed 's/^\([^:]*\)\.[ch]:[^"]*"\([^"]*\)\.h".*/\1 \2/' | awk '$1 != $2' | sort -u >"$edges"
if ! circles=$(LC_ALL=C tsort "$edges" 2>&1 >/dev/null); then
    echo "$circles" | sed "s|^tsort: [^:]*: input contains a loop:|circle:|; s|^tsort: |  |"
    echo "check-circles: units that include each other" >&2
    exit 1
fi
echo "check-circles: no circles in $(cut -d' ' -f1 "$edges" | sort -u | wc -l) units"
