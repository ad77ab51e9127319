#!/bin/sh
# From a bare Debian 12 or 13 machine to a tested build: installs, builds, runs all tests of `make check`.
set -eu
cd "$(dirname "$0")/.."
sh deploy/install-deps.sh run check
exec make -j"$(nproc)" check
