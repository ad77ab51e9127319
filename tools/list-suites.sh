#!/bin/sh
# Prints the list of a layer's suites (tests/suite.h) in C: tests/LAYER/test_x.c has the suite x.
#
#   tools/list-suites.sh LAYER          as in core/expr
set -eu

entries=
echo '#include "tests/suite.h"'
for file in "tests/$1"/test_*.c; do
    name=${file##*/test_}
    name=${name%.c}
    echo "void ${name}_suite(Suite *suite);"
    entries="$entries    {\"$1/$name\", ${name}_suite},
"
done
echo "const SuiteEntry SUITES[] = {
$entries    {0}};"
