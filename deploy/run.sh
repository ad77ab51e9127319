#!/bin/sh
# From a bare Debian 12 machine to the running service: installs, builds, starts.
set -eu
cd "$(dirname "$0")/.."
sh deploy/install-deps.sh run
make -j"$(nproc)"
cat <<'TEXT'

The service starts on http://127.0.0.1:8080 (stop it with Ctrl-C). In another terminal try:

  curl http://127.0.0.1:8080/v1/catalog
  build/dalembert catalog vertical-rolling-disk
  sh examples/submit-and-wait.sh

TEXT
exec make run
