#!/bin/sh
# Checks that no test depends on time: clocks, pauses and guards against hanging occur in
# tests/deadline.h and tests/deadline.py and nowhere else in tests/.
#
#   tools/check-clocks.sh [ROOT]        tools/check-clocks.sh --self-test
set -eu

if [ "${1:-}" = --self-test ]; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/tests/http"
    plant() { # FILE LINE: must be refused
        echo "$2" >"$tree/tests/$1"
        if "$0" "$tree" >/dev/null 2>&1; then
            echo "check-clocks: self-test: $1 with '$2' passed" >&2
            exit 1
        fi
        rm "$tree/tests/$1"
    }
    plant test_a.c '    double start = clock_seconds();'
    plant test_a.c '    return (double)clock() / CLOCKS_PER_SEC;'
    plant test_a.c '    const int64_t before = clock_unix_ms();'
    plant test_a.c '    clock_gettime(CLOCK_MONOTONIC, &now);'
    plant test_a.c '    time_t now = time(NULL);'
    plant test_a.c '#include <time.h>'
    plant test_a.c '    nanosleep(&pause, NULL);'
    plant test_a.c '    tcase_set_timeout(tc, 60);'
    plant http/test_a.py 'import time'
    plant http/test_a.py 'from time import monotonic'
    plant http/test_a.py 'timer = threading.Timer(0.3, cancel)'
    plant http/test_a.py 'subprocess.run(command, timeout=20)'
    plant http/test_a.py 'connection.settimeout(0.2)'
    plant http/test_a.py 'spent = answer["diagnostics"]["timings"]["analyse_s"]'
    plant a.sh '    sleep 0.1'
    plant a.sh 'date +%s >start'
    cat >"$tree/tests/test_a.c" <<'C'
    clock_format(951782400123, text); /* no clock: only writes */
    run->clock = clock_rates; double runtime(void); "'timeout':1.5"; /* lanes at a time (the last) */
C
    echo 'daemon.post("/v1/jobs", job(timeout=1.5)); uptime(1); data = socket.timeout' \
        >"$tree/tests/http/test_a.py"
    echo '    clock_seconds(); nanosleep(&pause, NULL);' >"$tree/tests/deadline.h"
    "$0" "$tree" >/dev/null
    echo "check-clocks: self-test passed"
    exit 0
fi

root=${1:-$(dirname "$0")/..}
cd "$root"
in_c='(^|[^A-Za-z_])(clock_seconds|clock_unix_ms|clock_gettime|timespec_get|gettimeofday|nanosleep|usleep|sleep|alarm|setitimer|tcase_set_timeout|clock\(\)|time\((NULL|0|&))|# *include <(sys/)?time\.h>'
in_python='^ *(import|from) +(time|datetime|timeit|sched)\b|Timer *\(|settimeout *\(|(run|wait|join|communicate|acquire|connect|HTTPConnection|create_connection|check_output)\(.*timeout=[0-9]|timings'
in_shell='(^|[^A-Za-z_-])(sleep|timeout) +[0-9$]|date +\+'
found=
refuse() { # PATTERN NAME: these files must not match
    found=$found$(find tests -type f -name "$2" ! -path tests/deadline.h ! -path tests/deadline.py \
        -exec grep -nE "$1" /dev/null {} + || true)
}
refuse "$in_c" '*.[ch]'
refuse "$in_python" '*.py'
refuse "$in_shell" '*.sh'
if [ -n "$found" ]; then
    echo "$found" >&2
    echo "check-clocks: tests count work and wait by tests/deadline.h or tests/deadline.py" >&2
    exit 1
fi
echo "check-clocks: no test looks at a clock"
