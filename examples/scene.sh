#!/bin/sh
# What does a motion look like? A double pendulum of two rods: the scene with its columns, and the
# two ends with their rates at three instants, as a program that draws asks for them.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{
  "model": {"catalog": "double-pendulum"},
  "initial": {"q": {"th1": 2, "th2": 1}},
  "time": {"end": 10, "samples": 201},
  "scene": {"space": 2, "items": [
    {"shape": "rod", "from": [0, 0], "to": ["l1*sin(th1)", "-l1*cos(th1)"]},
    {"shape": "rod", "from": ["l1*sin(th1)", "-l1*cos(th1)"],
     "to": ["l1*sin(th1) + l2*sin(th2)", "-l1*cos(th1) - l2*cos(th2)"]},
    {"shape": "trail", "at": ["l1*sin(th1) + l2*sin(th2)", "-l1*cos(th1) - l2*cos(th2)"],
     "color": "time"}
  ]}
}')
id=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/jobs/$id/scene"
echo
curl -fsS "$url/v1/jobs/$id/result?table=@scene&stride=100" -H 'Accept: text/csv'
