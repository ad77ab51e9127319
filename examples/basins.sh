#!/bin/sh
# A pendulum with friction over three magnets: which of them it ends at, over where it is let go. An
# ensemble over a grid of two initial values; `label` makes a number of each motion, and shape=grid
# a picture of the numbers.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=60' -d '{
  "model": {
    "name": "magnetic pendulum",
    "coordinates": ["x", "y"],
    "parameters": {"k": 0.5, "c": 0.2, "h": 0.3, "s": 0.8660254037844386},
    "definitions": {
      "V1": "-1/sqrt((x - 1)^2 + y^2 + h^2)",
      "V2": "-1/sqrt((x + 1/2)^2 + (y - s)^2 + h^2)",
      "V3": "-1/sqrt((x + 1/2)^2 + (y + s)^2 + h^2)"
    },
    "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - k/2*(x^2 + y^2) - V1 - V2 - V3",
    "forces": {"x": "-c*dot(x)", "y": "-c*dot(y)"}
  },
  "initial": {"v": {"x": 0, "y": 0}},
  "time": {"end": 60, "samples": 2},
  "integrator": {"rtol": 1e-8, "atol": 1e-10},
  "vary": {
    "initial.q.y": {"from": -1.9, "to": 1.9, "count": 20},
    "initial.q.x": {"from": -2, "to": 2, "count": 31}
  },
  "ensemble": {
    "reduce": {
      "magnet": {"take": "label", "when": [
        ["hypot(x - 1, y) < 0.5", 1],
        ["hypot(x + 1/2, y - s) < 0.5", 2],
        ["hypot(x + 1/2, y + s) < 0.5", 3]
      ], "else": 0}
    }
  }
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac

picture=$(curl -fsS "$url/v1/jobs/$id/members?shape=grid&columns=magnet" |
    sed 's/.*"magnet":\[\[//; s/\]\].*//; s/\],\[/\n/g; s/,//g')
echo "$picture"

# all have come to rest, and y -> -y exchanges the second and the third magnet
mirror=$(echo "$picture" | sed '1!G;h;$!d' | tr 23 32)
if echo "$picture" | grep -q 0 || [ "$picture" != "$mirror" ]; then
    echo "the picture is not its own mirror image" >&2
    exit 1
fi
