#!/bin/sh
# Checks the shape of the code: columns, members of structs, parameters, cycles of folders, layers.
#
#   tools/check-shape.sh [ROOT]    tools/check-shape.sh --self-test    tools/check-shape.sh --write
#
# tools/check_shape.py says what is allowed; tools/shape.txt lists the exceptions that are left.
exec python3 "$(dirname "$0")/check_shape.py" "$@"
