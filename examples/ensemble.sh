#!/bin/sh
# An ensemble: one job, a thousand throws. A ball leaves the ground with a velocity of which both
# components are uncertain; the members are a Latin hypercube over them, and each comes to one
# number: how far the ball flies, the place x at its first event `ground`.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

document='{
  "model": {
    "name": "throw",
    "coordinates": [{"name": "x", "unit": "m"}, {"name": "y", "unit": "m"}],
    "parameters": {"m": {"value": 0.2, "unit": "kg"}, "g": {"value": 9.81, "unit": "m/s^2"}},
    "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) - m*g*y"
  },
  "initial": {},
  "time": {"end": 10, "samples": 2},
  "events": [{"name": "ground", "when": "y", "direction": "falling", "terminal": true}],
  "ensemble": {
    "design": {
      "kind": "lhs", "count": 1000, "seed": 1,
      "ranges": {
        "initial.v.x": {"from": 3, "to": 5},
        "initial.v.y": {"mean": 10, "sd": 1, "from": 6, "to": 14}
      }
    },
    "reduce": {"range": {"take": "first_event", "event": "ground", "of": "x"}}
  }
}'

# how many there will be, the first and the last of them, and what they will cost: nothing is run
curl -fsS "$url/v1/jobs?validate_only=true" -H 'Content-Type: application/json' -d "$document" |
    grep -o '"members":.*"design"'

job=$(curl -fsS "$url/v1/jobs?wait=60" -H 'Content-Type: application/json' -d "$document")
id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)
printf '%s\n' "$job" | grep -o '"members":{[^}]*}'

table=$(curl -fsS "$url/v1/jobs/$id/result" -H 'Accept: text/csv')
printf '%s\n' "$table" | head -n 4

# x = 2 vx vy/g: the mean is 2*4*10/g = 8.155 m, as vx and vy are independent
mean=$(printf '%s\n' "$table" | awk -F, 'NR > 1 {sum += $4} END {printf "%.2f", sum / (NR - 1)}')
echo "mean range $mean m"
case $mean in
8.1[4-7]) ;;
*)
    echo "the mean range should be 8.155 m" >&2
    exit 1
    ;;
esac
