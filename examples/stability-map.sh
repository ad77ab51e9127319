#!/bin/sh
# Where a pendulum whose length changes periodically leaves its lowest point: Floquet's radius over
# the amplitude and the period of the change, an ensemble of 8 x 21 members, as a picture. A row is
# an amplitude; # grows, . stays. A swing at rest takes 2 pi: the tongue opens at half of that.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=60' -d '{
  "model": {
    "name": "pendulum of variable length near its lowest point",
    "coordinates": ["d"],
    "parameters": {"l0": 1, "g": 1, "eps": 0.1, "T": 3},
    "definitions": {"l": "l0*(1 + eps*sin(2*pi/T*t))"},
    "lagrangian": "l^2*dot(d)^2/2 - g*l*d^2/2"
  },
  "initial": {"q": {"d": 1}},
  "time": {"end": 1, "samples": 2},
  "analyses": [{"name": "floquet", "period": "T"}],
  "vary": {
    "parameters.eps": {"from": 0.05, "to": 0.4, "count": 8},
    "parameters.T": {"from": 2, "to": 7, "count": 21}
  },
  "ensemble": {"reduce": {"radius": {"of": "floquet.radius", "take": "finding"}}}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac

curl -fsS "$url/v1/jobs/$id/members?shape=grid&columns=radius" |
    sed 's/.*"radius":\[\[//; s/\]\].*//; s/\],\[/\n/g' |
    awk -F, '{ for (k = 1; k <= NF; k++) { printf "%s", ($k > 1.000001 ? "#" : "."); low += ($k < 0.999999) } print "" }
             END { exit NR != 8 || low }' # the product of the multipliers is 1: no radius is below it

# at T = 3.25 even the smallest change is felt; at T = 7 the largest is not
for condition in 'parameters.T == 3.25 and radius > 1.01' 'parameters.T == 7 and radius < 1.000001'; do
    count=$(curl -fsS -G "$url/v1/jobs/$id/members" -H 'Accept: text/csv' --data-urlencode "where=$condition" | wc -l)
    if [ "$count" -ne 9 ]; then
        echo "expected 8 members with $condition, got $((count - 1))" >&2
        exit 1
    fi
done
