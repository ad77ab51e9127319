#!/bin/sh
# The web page: its libraries are those of the lock file, and its types agree. Part of `make lint`.
#
#   tools/lint-web.sh
#
# Compares web/vendor and tests/browser/vendor with their SHA256SUMS, bundles the libraries again
# in a temporary folder and compares the bundles, checks the JSDoc types of web/app by tsc, and the
# format of clients/javascript and of the tests in JavaScript by Prettier (.prettierrc.json).
# Without npm or its registry only the first is done, and the others are skipped by name.
set -eu
cd "$(dirname "$0")/.."
for folder in web/vendor tests/browser/vendor; do
    (cd "$folder" && sha256sum --quiet --strict -c SHA256SUMS)
done

skip() {
    echo "lint-web: SKIPPED bundles and types of the page, because $1"
    exit 0
}
command -v npm >/dev/null || skip "npm is missing"
npm ping --silent >/dev/null 2>&1 || skip "npm does not reach its registry"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
web/vendor/build.sh "$work/bundles"
(cd "$work/bundles" && sha256sum --quiet --strict -c) <web/vendor/SHA256SUMS

# the folders as a browser sees them, with the types of the libraries beside
cp -r web/app web/vendor web/tsconfig.json "$work"
cp -r clients/javascript "$work/client"
(cd "$work/vendor" && npm ci --silent --no-audit --no-fund)
"$work/vendor/node_modules/.bin/tsc" --project "$work"
"$work/vendor/node_modules/.bin/prettier" --log-level warn --check clients/javascript/*.js \
    clients/javascript/examples/*.js tests/clients/*.mjs tests/browser/*.mjs
echo "lint-web: bundles and types of the page are in order"
