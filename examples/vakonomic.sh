#!/bin/sh
# A rolling disk, moved by the vakonomic principle from three sets of initial multipliers. From the
# momenta of x and y, asked for (of the coordinates outside the base) or written out, it rolls as d'Alembert has it,
# at a constant rate; from others it does not. Prints the rate.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

for mu in '"momentum"' '{"rolling_x": "m*dot(x)", "rolling_y": "m*dot(y)"}' '{"rolling_x": 0.5, "rolling_y": -1.25}'; do
    job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
      "model": {"catalog": "vakonomic-rolling-disk-mu-equals-p"},
      "formulation": "vakonomic",
      "initial": {"q": {"phi": 0.25}, "v": {"theta": 1.5, "phi": 0.75}, "mu": '"$mu"'},
      "time": {"end": 8, "samples": 9}
    }')
    id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
    case $job in
    *'"state":"succeeded"'*) ;;
    *)
        echo "not finished as expected: $job" >&2
        exit 1
        ;;
    esac
    echo "from mu = $mu:"
    curl -fsS "$url/v1/jobs/$id/result?columns=t,dot(theta),multiplier(rolling_x),multiplier(rolling_y)" \
        -H 'Accept: text/csv'
done
