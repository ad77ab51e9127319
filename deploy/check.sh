#!/bin/sh
# From a bare Debian 12 or 13 machine to a tested build: installs, builds, runs all tests of `make check`.
# WITHOUT_BROWSER=1 leaves Chromium out (400 MB), and with it the tests of the web page.
set -eu
cd "$(dirname "$0")/.."
sh deploy/install-deps.sh run check
if [ "${WITHOUT_BROWSER:-}" = 1 ]; then
    echo "check: WITHOUT_BROWSER=1, so Chromium was not installed; without it the tests of the page are left out"
else
    sh deploy/install-deps.sh browser
fi
exec make -j"$(nproc)" check
