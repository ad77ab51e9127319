#!/bin/sh
# Checks that docs/reference/constants.md, the table of the constants of core/ that decide a result
# or a verdict, is what the code says.
#
#   tools/check-constants.sh [ROOT]        tools/check-constants.sh --self-test
#   tools/check-constants.sh --write       make constants
exec python3 "$(dirname "$0")/check_constants.py" "$@"
