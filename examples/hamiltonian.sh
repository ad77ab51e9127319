#!/bin/sh
# A relativistic particle in momenta: L is not quadratic in the velocities, so the Legendre
# transform is inverted by Newton steps. Prints momenta, speed, the Hamiltonian, which is constant,
# and the angular momentum, which is not.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "coordinates": ["x", "y"],
    "parameters": {"m": 1.25},
    "lagrangian": "-m*sqrt(1 - dot(x)^2 - dot(y)^2) - x^2/2 - y^2"
  },
  "formulation": "hamiltonian",
  "initial": {"q": {"x": 0.5}, "v": {"x": 0.3, "y": 0.8}},
  "time": {"end": 10, "samples": 11},
  "observe": {"speed": "hypot(dot(x), dot(y))", "H": "energy()", "spin": "x*p(y) - y*p(x)"}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac
curl -fsS "$url/v1/jobs/$id/result?columns=t,p(x),p(y),speed,H,spin" -H 'Accept: text/csv'
