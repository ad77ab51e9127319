#!/bin/sh
# Writes the C source that holds the tables of docs/reference/problems.md: the pages /problems/CODE.
#   tools/embed-problems.sh docs/reference/problems.md > problem_data.c
set -eu
LC_ALL=C
export LC_ALL

echo '#include "api/problem_data.h"'
echo
echo 'const ProblemMeaning PROBLEM_DATA[] = {'
# shellcheck disable=SC2016 # ` marks words of Markdown
# Rows are | `code` | status | when | what to do |; a link keeps its text alone.
sed -n 's/\[\([^]]*\)\]([^)]*)/\1/g; s/\\/\\\\/g; s/"/\\"/g
    /^## Of /p; s/^| `\([a-z_]*\)` | \([0-9]*\) | \(.*\) | \(.*\) |$/\1|\2|\3|\4/p' "$1" |
    awk -F'|' '
        /^## / { of = $0 ~ /jobs/ ? "job" : "answer"; next }
        { printf "    {\"%s\", \"%s\", %s,\n     \"%s\",\n     \"%s\"},\n", $1, of, $2, $3, $4 }'
echo '};'
echo 'const size_t PROBLEM_DATA_COUNT = sizeof PROBLEM_DATA / sizeof PROBLEM_DATA[0];'
