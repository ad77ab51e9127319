#!/bin/sh
# A disc rolls on a circle whose radius R(t) changes with period T = 3.59...: its angle psi follows
# phi by the lift, and in the time tau the motion of phi is Hamiltonian, with the period u(T) =
# tau(T). Prints phi over t and tau.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "coordinates": ["phi", "psi"],
    "parameters": {"m": 1.5, "r": 0.5, "I0": 0.25, "g": 9.75, "R0": 1.5, "B": 0.25, "w": 1.75},
    "definitions": {"R": "R0 + B*sin(w*t)"},
    "lagrangian": "m/2*(R + r)^2*dot(phi)^2 + I0/2*dot(psi)^2 - m*g*(R + r)*sin(phi)",
    "constraints": [{"name": "rolling", "equation": "r*dot(psi) = (R + r)*dot(phi)"}]
  },
  "formulation": "chaplygin",
  "initial": {"q": {"phi": -1.25}, "v": {"phi": 0.5}},
  "time": {"end": "8*pi/7", "samples": 9}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac
curl -fsS "$url/v1/jobs/$id/result?columns=t,tau,N,phi,psi" -H 'Accept: text/csv'
