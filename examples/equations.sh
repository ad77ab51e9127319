#!/bin/sh
# Stores a model and prints its equations of motion as text, as LaTeX and as a C function, and what
# it is made of: degrees of freedom and the kind of each constraint.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

model=$(curl -fsS "$url/v1/models" -H 'Content-Type: application/json' -d '{
  "name": "knife edge on a slope",
  "coordinates": ["x", "y", "phi"],
  "parameters": {"m": 1.5, "J": 0.5, "g": 9.81, "alpha": 0.5},
  "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) + J/2*dot(phi)^2 + m*g*sin(alpha)*x",
  "constraints": [{"name": "blade", "equation": "dot(x)*sin(phi) = dot(y)*cos(phi)"}]
}')
id=$(printf '%s' "$model" | sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' | head -n 1)

for format in text latex c; do
    curl -fsS "$url/v1/models/$id/equations?format=$format"
    echo
done
structure=$(curl -fsS "$url/v1/models/$id/structure")
echo "$structure"
case $structure in
*'"linear"'*) ;;
*)
    echo "the constraint should be linear in the velocities" >&2
    exit 1
    ;;
esac
