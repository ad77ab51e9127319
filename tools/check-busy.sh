#!/bin/sh
# Runs suites again and again while two other processes keep two cores busy: what passes alone must
# pass on a loaded machine.
#
#   tools/check-busy.sh ROUNDS TARGET...        targets of make, as in unit-db or http
set -eu
rounds=$1
shift
logs=$(mktemp -d)
burners=
running=

burn() { # until this script ends, killed or not
    while kill -0 $$ 2>/dev/null; do
        i=0
        while [ "$i" -lt 100000 ]; do i=$((i + 1)); done
    done
}

finish() {
    for pid in $burners $running; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$logs"
}
trap finish EXIT
trap 'exit 130' INT TERM

for _ in 1 2; do
    burn &
    burners="$burners $!"
done

failed=0
round=1
while [ "$round" -le "$rounds" ]; do
    for target; do
        ${MAKE:-make} "$target" >"$logs/out" 2>&1 &
        running=$!
        if ! wait "$running"; then
            tail -n 60 "$logs/out"
            echo "check-busy: $target FAILED in round $round"
            failed=$((failed + 1))
        fi
        running=
    done
    echo "check-busy: round $round of $rounds"
    round=$((round + 1))
done
echo "check-busy: $* $rounds times under load, $failed failures"
[ "$failed" -eq 0 ]
