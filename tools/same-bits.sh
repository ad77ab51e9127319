#!/bin/sh
# Compares the results of two programs to the bit: every system of the catalog in every formulation
# with all analyses, with other methods and settings, and about 300 ensembles.
#
#   tools/same-bits.sh OLD NEW [SYSTEM...]        tools/same-bits.sh --self-test
#
# OLD and NEW are the build/dalembert of two commits; SYSTEM is a name of the catalog. Each
# difference is one line: the job, a JSON pointer into its output, the old and the new value. The
# version, the build, the host and the seconds are not compared. Exit status 1: something differs.
exec python3 "$(dirname "$0")/same_bits.py" "$@"
