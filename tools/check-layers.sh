#!/bin/sh
# Checks the architecture: a folder may include only itself and those before it in the list, db
# only core/base, and each foreign library only where it belongs.
#
#   tools/check-layers.sh [ROOT]        tools/check-layers.sh --self-test
set -eu

if [ "${1:-}" = --self-test ]; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    plant() { # FILE INCLUDE: must be refused
        mkdir -p "$tree/core/expr" "$tree/db" "$tree/api" "$tree/server" "$tree/$(dirname "$1")"
        echo "#include $2" >"$tree/$1"
        if "$0" "$tree" 2>/dev/null >&2; then
            echo "check-layers: self-test: $1 may not include $2, but passed" >&2
            exit 1
        fi
        echo '#include "core/base/status.h"' >"$tree/$1"
        "$0" "$tree" >/dev/null
        rm "$tree/$1"
    }
    plant core/expr/parse.c '"core/model/model.h"'
    plant core/base/text.c '"core/job.h"'
    plant core/model/model.c '<sqlite3.h>'
    plant db/store.c '"core/expr/graph/expr.h"'
    plant api/job.c '"server/http/http.h"'
    plant api/job.c '"db/sqlite/writer.h"'
    plant api/job.c '<microhttpd.h>'
    plant server/worker.c '<cjson/cJSON.h>'
    plant core/motion/motion.c '<gsl/gsl_linalg.h>'
    plant core/expr/parse.c '<sleef.h>'
    plant core/invariants/energy.c '<arb.h>'
    plant core/model/model.c '<flint/fmpq.h>'
    plant core/exact/exact.c '"core/model/model.h"'
    plant core/motion/algebra/symmetric.c '"core/motion/chart/chart.h"'
    plant core/expr/graph/build.c '"core/expr/parse/parse.h"'
    plant core/motion/hamel/hamel.c '"core/motion/voronec/voronec.h"'
    plant core/invariants/search/probe.c '"core/invariants/measure/density.h"'
    plant server/http/http.c '"server/command/commands.h"'
    plant core/linear/linearised.c '"core/analyses/local.h"'
    plant core/run/parts/collapse.c '"core/run/state/run_state.h"'
    plant core/stability/find/search.c '"core/stability/prove/proofs.h"'
    echo "check-layers: self-test passed"
    exit 0
fi

root=${1:-$(dirname "$0")/..}
cd "$root"
find core db api server \( -name '*.c' -o -name '*.h' -o -name '*.cc' \) -type f |
    LC_ALL=C sort | xargs grep -n '^ *# *include' /dev/null | awk '
    function layer(path) {
        sub("/[^/]*$", "", path)                             # the folder
        if (path ~ "^core/") { split(path, p, "/"); return "core/" p[2] }
        split(path, p, "/"); return p[1]
    }
    function room(path,    n) {                              # a folder inside a layer of core, or of the server
        n = split(path, p, "/")
        return n > 3 && p[1] == "core" ? p[3] : n > 2 && p[1] == "server" ? p[2] : ""
    }
    function fail(why) { print place ": " name ": " why; failed = 1 }
    BEGIN {
        split("core/base core/numeric core/units core/expr core/program core/exact core/model core/motion core/integrate " \
              "core/invariants core core/linear core/analyses core/stability core/prepare core/run " \
              "core/simulate core/ensemble db api server", order, " ")
        for (i in order) rank[order[i]] = i + 0
        split("graph calculus parse print interval algebra dependent chart chaplygin hamel hamiltonian voronec " \
              "search structure measure reaction_annihilator gauge_momenta moving_energy consistency discovery " \
              "find linearise flat prove parts state equations watch tell batch http work daemon command", rooms, " ")
        for (i in rooms) floor[rooms[i]] = i + 0
        home["^microhttpd[.]h"] = "^server$"; home["^sqlite3[.]h|^libpq-fe[.]h"] = "^db$"
        home["cJSON[.]h"] = "^api$";          home["^gsl/"] = "^core/(numeric|integrate|invariants)$"
        home["^flint/|^arb|^gmp[.]h|^mpfr[.]h"] = "^core/exact$"
        home["^sleef[.]h"] = "^core/program$"; home["^zlib[.]h"] = "^(api|db)$"; home["^curl/"] = "^(api|server)$"
        home["^nettle/"] = "^(core/base|db|server)$"
    }
    {
        split($0, part, ":"); file = part[1]; place = part[1] ":" part[2]
        name = $0; sub("^[^<\"]*[<\"]", "", name); sub("[>\"].*$", "", name)
        from = layer(file)
        if ($0 ~ "\"") {
            to = layer(name)
            if (!(to in rank)) fail("write includes from the root")
            else if (rank[to] > rank[from]) fail(from " may not use " to)
            else if (from == to && room(name) != "" && room(file) != "" &&
                     floor[room(name)] > floor[room(file)])
                fail(room(file) " may not use " room(name))
            else if (from == "db" && to != "db" && to != "core/base") fail("db may use core/base only")
            if (name ~ "^db/[^/]*/" && from != "db") fail("a backend is private to db")
        } else for (header in home)
            if (name ~ header && from !~ home[header]) fail("belongs in " home[header])
    }
    END { if (failed) exit 1; print "check-layers: " NR " includes in order" }'
