#!/bin/sh
# Units: a pendulum in centimetres, grams and degrees. Numbers are computed in the SI and shown in
# the units of their names; a sum of lengths and angles is refused, with its place.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

pendulum() { # LAGRANGIAN
    cat <<DOCUMENT
{
  "model": {
    "coordinates": [{"name": "a", "unit": "deg"}],
    "parameters": {
      "m": {"value": 200, "unit": "g"}, "l": {"value": 50, "unit": "cm"}, "g": {"value": 9.81, "unit": "m/s^2"}
    },
    "lagrangian": "$1"
  },
  "initial": {"q": {"a": 30}},
  "time": {"end": 1, "samples": 11},
  "observe": {"height": "-l*cos(a)", "E": "energy()"}
}
DOCUMENT
}

job=$(pendulum 'm/2*l^2*dot(a)^2 + m*g*l*cos(a)' |
    curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d @-)
id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)
head=$(curl -fsS "$url/v1/jobs/$id/result" -H 'Accept: text/csv' | head -n 1 | tr -d '\r')
echo "$head"
if [ "$head" != 't [s],a [deg],dot(a) [deg/s],height [m],E [J]' ]; then
    echo "other units than expected" >&2
    exit 1
fi

wrong=$(pendulum 'm/2*l^2*dot(a)^2 + m*g*(l + a)' |
    curl -sS "$url/v1/jobs" -H 'Content-Type: application/json' -d @-)
case $wrong in
*'what is a number is added to what is in m'*) echo "refused: a length and an angle" ;;
*)
    echo "not refused: $wrong" >&2
    exit 1
    ;;
esac
