#!/bin/sh
# From a bare Debian 12 or 13 machine to the running service: installs, builds, starts.
set -eu
cd "$(dirname "$0")/.."
sh deploy/install-deps.sh run
make -j"$(nproc)"
at=http://${DALEMBERT_LISTEN:-127.0.0.1:8080}
cat <<TEXT

The service starts on $at (stop it with Ctrl-C).
Open that address in a browser, or try in another terminal:

  curl $at/v1/catalog
  build/dalembert catalog vertical-rolling-disk
  DALEMBERT_URL=$at sh examples/submit-and-wait.sh

TEXT
exec make run
