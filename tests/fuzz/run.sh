#!/bin/sh
# Searches for inputs that break a promise: one libFuzzer harness for each parser.
#
#   tests/fuzz/run.sh [SECONDS] [NAME...]    default: 60 s each, all harnesses, two at a time
#
# A harness starts from corpus/NAME/ and from what earlier searches kept in build/fuzz/found/NAME/.
# An input that breaks something is kept in build/fuzz/broken/NAME/: mend it, then add it to the
# corpus under a name that says what it was; `make check` replays the corpus.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60} # libFuzzer takes 0 for ever
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- expression json model job request gate keys
sanitizers=address,undefined
# NULL + 0 is what an empty array gives; it does no harm
flags="-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=undefined"
flags="$flags -fno-sanitize=pointer-overflow"

command -v clang >/dev/null || {
    echo "fuzz: clang is missing; deploy/install-deps.sh long installs it" >&2
    exit 1
}

objects="build/fuzz/tests/fuzz/fuzz.o build/fuzz/tests/fuzz/mutate.o"
for name; do
    objects="$objects build/fuzz/tests/fuzz/fuzz_$name.o"
done
build() {
    make -s -j2 BUILD=fuzz CC=clang CXX=clang++ AR=ar \
        CFLAGS_fuzz="-fsanitize=fuzzer-no-link,$sanitizers $flags" "$@"
}
# shellcheck disable=SC2086 # a list of words
build $objects >&2
libraries=$(build libraries | tail -1)
for name; do
    mutator=
    case $name in model | job) mutator=build/fuzz/tests/fuzz/mutate.o ;; esac
    # shellcheck disable=SC2086
    clang++ -pthread -fsanitize=fuzzer,$sanitizers build/fuzz/tests/fuzz/fuzz_"$name".o \
        build/fuzz/tests/fuzz/fuzz.o $mutator $libraries -o build/fuzz/"$name"
    mkdir -p build/fuzz/found/"$name" build/fuzz/broken/"$name"
done

# Runs one harness for so long; what it says goes into build/fuzz/NAME.log.
search() {
    name=$1
    dictionary=tests/fuzz/$name.dict
    [ -e "$dictionary" ] || dictionary=tests/fuzz/language.dict
    if build/fuzz/"$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
        -dict="$dictionary" -artifact_prefix=build/fuzz/broken/"$name"/ -print_final_stats=1 \
        build/fuzz/found/"$name" tests/fuzz/corpus/"$name" >build/fuzz/"$name".log 2>&1; then
        echo "fuzz: $name: $(grep -o 'number_of_executed_units: [0-9]*' build/fuzz/"$name".log |
            grep -o '[0-9]*$') inputs, nothing broke"
        return 0
    fi
    echo "fuzz: $name BROKE:"
    grep -v '^#[0-9]' build/fuzz/"$name".log | tail -40
    return 1
}

passed=0
failed=0
while [ $# -gt 0 ]; do
    search "$1" &
    first=$!
    second=
    shift
    if [ $# -gt 0 ]; then
        search "$1" &
        second=$!
        shift
    fi
    for process in $first $second; do
        if wait "$process"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
