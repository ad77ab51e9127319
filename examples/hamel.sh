#!/bin/sh
# A two-wheeled carriage in quasi-velocities: each field of the frame turns one wheel while the
# other one stands. Prints the rates of the wheels; the centre of mass lies off the axle, so they
# change.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {
    "coordinates": ["psi1", "psi2", "x", "y", "theta"],
    "parameters": {"m": 3, "m0": 2, "l": 0.2, "J": 2, "J2": 0.5, "R": 1, "c": 0.5},
    "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) + m0*l*dot(theta)*(cos(theta)*dot(y) - sin(theta)*dot(x)) + J/2*dot(theta)^2 + J2/2*(dot(psi1)^2 + dot(psi2)^2)",
    "constraints": [
      {"name": "rolling_x", "equation": "dot(x) = -R/2*cos(theta)*(dot(psi1) + dot(psi2))"},
      {"name": "rolling_y", "equation": "dot(y) = -R/2*sin(theta)*(dot(psi1) + dot(psi2))"},
      {"name": "turning", "equation": "dot(theta) = R/(2*c)*(dot(psi2) - dot(psi1))"}
    ],
    "frame": [
      {"name": "left", "field": {"psi1": "1", "x": "-R/2*cos(theta)", "y": "-R/2*sin(theta)", "theta": "-R/(2*c)"}},
      {"name": "right", "field": {"psi2": "1", "x": "-R/2*cos(theta)", "y": "-R/2*sin(theta)", "theta": "R/(2*c)"}}
    ]
  },
  "formulation": "hamel",
  "initial": {"v": {"psi1": 0.75, "psi2": -0.5}},
  "time": {"end": 5, "samples": 11}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
case $job in
*'"state":"succeeded"'*) ;;
*)
    echo "not finished as expected: $job" >&2
    exit 1
    ;;
esac
curl -fsS "$url/v1/jobs/$id/result?columns=t,w(left),w(right)" -H 'Accept: text/csv'
