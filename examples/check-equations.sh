#!/bin/sh
# Checks a model and shows its equations of motion as LaTeX without storing anything; then one with
# a mistake, which is named with its place.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

check() {
    curl -sS "$url/v1/models?validate_only=true&include=equations&format=latex" -H 'Content-Type: application/json' -d "$1"
}

checked=$(check '{"coordinates": ["th"], "parameters": {"g": 9.81, "l": 2}, "lagrangian": "l^2*dot(th)^2/2 + g*l*cos(th)"}')
printf '%s\n' "$checked"
case $checked in
*'"degrees_of_freedom":1'*'\\ddot'*) ;;
*)
    echo "the pendulum should have one equation" >&2
    exit 1
    ;;
esac

case $(check '{"coordinates": ["th"], "lagrangian": "dot(th)^2/2 + cos(thta)"}') in
*'"pointer":"/lagrangian","offset":18'*) ;;
*)
    echo "the mistake should be named" >&2
    exit 1
    ;;
esac
