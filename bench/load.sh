#!/bin/sh
# Submissions and waited jobs a second against a daemon of its own, on the disk of DIRECTORY.
#   bench/load.sh DALEMBERT LOAD [DIRECTORY]
set -eu
dalembert=$1
load=$2
directory=$(mktemp -d "${3:-.}/load-XXXXXX")
pid=
trap 'test -z "$pid" || kill "$pid"; wait; rm -rf "$directory"' EXIT

cat > "$directory/job.json" <<'JOB'
{"model": {"name": "oscillator", "coordinates": ["x"], "parameters": {"m": 2, "k": 8},
           "lagrangian": "m/2*dot(x)^2 - k/2*x^2"},
 "initial": {"q": {"x": 1}}, "time": {"end": 1, "samples": 11}, "cache": false}
JOB
# The two-wheeled carriage, 51 samples.
python3 - > "$directory/carriage.json" <<'PYTHON'
import json
with open("models/two-wheeled-carriage-generic.json") as file:
    print(json.dumps(dict(json.load(file)["job"], time={"end": 2, "samples": 51}, cache=False)))
PYTHON

run() {
    body=$1
    shift
    : > "$directory/out"
    "$dalembert" serve --listen 127.0.0.1:0 --data "$directory/data" --log-level warning \
        > "$directory/out" &
    pid=$!
    port=
    while test -z "$port"; do
        sleep 0.05
        port=$(sed -n 's/.*listens on .*:\([0-9][0-9]*\)$/\1/p' "$directory/out")
    done
    "$load" --port "$port" --body "$directory/$body.json" --commits "$directory" "$@"
    kill "$pid"
    wait "$pid"
    pid=
    rm -rf "$directory/data"
}

run job --mode wait --clients 1
run carriage --mode wait --clients 1
run job --mode submit --clients 32
run job --mode wait --clients 32
