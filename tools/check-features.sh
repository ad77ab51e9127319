#!/bin/sh
# Checks docs/evidence/features.md: its rows are numbered 1 to 78, those that are there name a test,
# those that are absent none, and every test that is named exists.
#
#   tools/check-features.sh [ROOT]        tools/check-features.sh --self-test
# shellcheck disable=SC2016 # backquotes of Markdown
set -eu

if [ "${1:-}" = --self-test ]; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/docs/evidence" "$tree/tests/http" "$tree/examples"
    echo '    def test_it_works(self):' >"$tree/tests/http/test_a.py"
    echo 'START_TEST(it_works)' >"$tree/tests/test_a.c"
    touch "$tree/examples/a.sh" "$tree/tests/a.py"
    sound='`http/test_a.py::test_it_works`, `test_a.c::it_works`, `examples/a.sh`, `tests/a.py`'
    page() { # ROW: as the last of 78
        page=$tree/docs/evidence/features.md
        seq 77 | sed "s|.*|\| & \| it \| yes \| works \| $sound \||" >"$page"
        echo "$1" >>"$page"
    }
    plant() { # ROW: must be refused
        page "$1"
        if "$0" "$tree" >/dev/null 2>&1; then
            echo "check-features: self-test: '$1' passed" >&2
            exit 1
        fi
    }
    plant '| 78 | it | yes | works | `http/test_a.py::test_it` |'
    plant '| 78 | it | yes | works | `http/test_b.py::test_it_works` |'
    plant '| 78 | it | yes | works | `test_a.c::it` |'
    plant '| 78 | it | part | works | `examples/b.sh` |'
    plant '| 78 | it | part | works | |'
    plant '| 78 | it | no | | `examples/a.sh` |'
    plant '| 78 | it | perhaps | | |'
    plant '| 79 | it | no | | |'
    page '| 78 | it | no | | |'
    "$0" "$tree" >/dev/null
    echo "check-features: self-test passed"
    exit 0
fi

cd "${1:-$(dirname "$0")/..}"
failed=0
complain() {
    echo "docs/evidence/features.md: $*" >&2
    failed=1
}

rows=$(grep -E '^\| [0-9]+ \|' docs/evidence/features.md)
[ "$(echo "$rows" | cut -d' ' -f2)" = "$(seq 78)" ] || complain "the rows are not 1 to 78"
wrong=$(echo "$rows" | grep -vE '^\| [0-9]+ \|[^|]*\| ((yes|part) \|[^|]*\| `.*` \||no \|[^|]*\| \|)$' || true)
[ -z "$wrong" ] || complain "neither there with a test nor absent without: $wrong"

for named in $(echo "$rows" | sed 's/.*|\(.*\)|$/\1/' | grep -o '`[^`]*`' | tr -d '`'); do
    case $named in
    *::*) grep -qsE "(def |START_TEST\()${named##*::}(\(self|\))" "tests/${named%%::*}" ;;
    *) [ -f "$named" ] ;;
    esac || complain "there is no $named"
done
[ "$failed" -eq 0 ] || exit 1
echo "check-features: every test that docs/evidence/features.md names is there"
