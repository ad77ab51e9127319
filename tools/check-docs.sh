#!/bin/sh
# Checks README.md and all pages of docs/: links lead to files that exist, anchors to headings, and
# each fenced block is well formed: JSON, Python or shell. The names of code in ARCHITECTURE.md and
# CONTRIBUTING.md occur in the sources.
#
#   tools/check-docs.sh [ROOT]        tools/check-docs.sh --self-test
exec python3 "$(dirname "$0")/check_docs.py" "$@"
