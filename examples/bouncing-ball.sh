#!/bin/sh
# Impacts: a ball thrown over a floor that returns 80 % of its speed. The event `bounce` is located
# on the floor to round-off, its `set` reverses the velocity, and its rows are a table of their own,
# with their units in its head, the momentum p and the kinetic energy T of the ball as it arrives.
# The run ends at the wall: its last row is the instant at which the ball arrives there.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "name": "bouncing ball",
    "coordinates": [{"name": "x", "unit": "m"}, {"name": "y", "unit": "m"}],
    "parameters": {
      "m": {"value": 200, "unit": "g"}, "g": {"value": 9.81, "unit": "m/s^2"}, "e": {"value": 0.8, "unit": "1"},
      "w": {"value": 1.74, "unit": "m"}
    },
    "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) - m*g*y"
  },
  "initial": {"q": {"y": 1}, "v": {"x": 0.5}},
  "time": {"end": 3.5, "samples": 351},
  "observe": {"T": "kinetic()", "p": "momentum(y)"},
  "events": [
    {"name": "bounce", "when": "y", "direction": "falling", "set": {"dot(y)": "-e*dot(y)"}},
    {"name": "wall", "when": "x - w", "terminal": true}
  ]
}')
id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)

bounces=$(curl -fsS -G "$url/v1/jobs/$id/result" -H 'Accept: text/csv' \
    --data-urlencode 'table=bounce' --data-urlencode 'columns=t,x,dot(y),p,T')
echo "$bounces"

# t = sqrt(2/g) (1 + 2 (e + e^2 + ...)): the ninth bounce comes at 3.458 s, the wall at 3.48 s,
# before the tenth
count=$(($(echo "$bounces" | wc -l) - 1))
if [ "$count" -ne 9 ]; then
    echo "expected 9 bounces, got $count" >&2
    exit 1
fi

last=$(curl -fsS "$url/v1/jobs/$id/result?tail=1&columns=t,x")
echo "$last"
case $last in
*'"t":[3.4'*'"ended_by":"wall"'*) ;;
*)
    echo "the run did not end at the wall" >&2
    exit 1
    ;;
esac
