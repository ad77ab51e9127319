#!/bin/sh
# Prints the list of a layer's suites (tests/suite.h) in C: tests/LAYER/test_x.c has the suite x.
#
#   tools/list-suites.sh LAYER          as in core/expr
set -eu

names=$(cd "tests/$1" && ls test_*.c | sed 's/^test_\(.*\)[.]c$/\1/' | LC_ALL=C sort)

echo '#include "tests/suite.h"'
for name in $names; do
    echo "void ${name}_suite(Suite *suite);"
done
echo 'const SuiteEntry SUITES[] = {'
for name in $names; do
    echo "    {\"$1/$name\", ${name}_suite},"
done
echo '    {0}};'
