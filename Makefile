# dalembert: build, tests, lint. `make help` lists the targets.
#
# Every layer is one static library; a layer's unit tests link that library and those below it,
# so a wrong dependency does not link. Objects of a variant are in build/VARIANT/;
# build/dalembert is always the release binary. Rules name their files, so that no file is an
# intermediate one: make would pass over it if it is missing.

BUILD ?= release
O := build/$(BUILD)

CC = gcc
CXX = g++
AR = ar
PREFIX ?= /usr/local
PKGS := libmicrohttpd libcjson sqlite3 gsl nettle zlib
CFLAGS_WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wundef -Wformat=2 -Wcast-qual \
	-Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum
# An overrun array on the stack or in a call of the C library ends the process, and the tables of
# the linker are read-only before main. Not beside sanitizers, which check more; needs -O.
HARDENED := -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
CFLAGS_release := -O2 -g $(HARDENED)
CFLAGS_avx2 := -O2 -g $(HARDENED) -DWITHOUT_AVX512
CFLAGS_unhardened := -O2 -g
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
CFLAGS_tsan := -O1 -g -fsanitize=thread -fno-omit-frame-pointer
CFLAGS_cov := -O0 -g --coverage
LDFLAGS_release := -Wl,-z,relro,-z,now
LDFLAGS_avx2 := $(LDFLAGS_release)
LDFLAGS_asan := -fsanitize=address,undefined
LDFLAGS_tsan := -fsanitize=thread
LDFLAGS_cov := --coverage
VERSION := $(shell cat VERSION)
CPPFLAGS += -I. -D_POSIX_C_SOURCE=200809L -DDALEMBERT_VERSION='"$(VERSION)"'
# no path of this directory in a binary; no contraction: the same operations in the same order give
# the same bits everywhere
CFLAGS_ALL = -ffile-prefix-map=$(CURDIR)=. -ffp-contract=off -fno-common \
	-fno-math-errno -pthread $(CFLAGS_$(BUILD)) $(WERROR) $(CFLAGS)
# libsleef and FLINT ship no pkg-config file everywhere. Arb is part of FLINT 3 (Debian 13); before
# that it is a library of its own (Debian 12).
ARB := $(if $(wildcard /usr/include/flint/arb.h),,-lflint-arb)
LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null) $(ARB) -lflint -lgmp -lsleef \
	-lstdc++ -ldl -lm
TEST_LIBS := $(shell pkg-config --libs check 2>/dev/null)

# From the ground up: a layer may use those before it, never those after it.
LAYERS := core/base core/numeric core/units core/expr core/program core/exact core/model \
	core/motion core/integrate core/invariants core/linear core/analyses core/stability \
	core/prepare core/run core/simulate core/ensemble db api server
# Layers with folders of their own.
NESTED := db api server core/expr core/program core/motion core/invariants core/stability \
	core/run
sources = $(filter-out server/command/dalembert.c,\
	$(wildcard $(1)/*.c $(1)/*.cc $(if $(filter $(NESTED),$(1)),$(1)/*/*.c)))
library = $(O)/lib/$(subst /,_,$(1)).a
# A kernel is compiled once for each instruction set (core/program/kernels.h).
LEVELS := sse2 avx2 avx512
object_names = $(foreach f,$(basename $(1)),\
	$(if $(filter %_kernel,$(f)),$(addprefix $(f)_,$(LEVELS)),$(f)))
objects = $(patsubst %,$(O)/%.o,$(call object_names,$(call sources,$(1)))) \
	$(if $(filter api,$(1)),$(O)/api/catalog_data.o $(O)/api/problem_data.o $(O)/api/ui_data.o) \
	$(if $(filter server,$(1)),$(O)/server/selftest_data.o)

JOBS := $(shell nproc)

# make V=1 shows the commands
V ?= 0
say_0 = @printf '  %s %s\n' "$(1)" "$(2)" &&
say = $(say_$(V))

all: build/dalembert

LINTED = $(foreach d,core db api server tests bench,$(shell find $(d) -name '*.[ch]'))

define layer_rules
$(call library,$(1)): $(call objects,$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(call say,ar,$$@) $(AR) qcs $$@ $$^
below_$(subst /,_,$(1)) := $$(foreach l,$(2),$$(call library,$$(l)))
endef
below :=
$(foreach l,$(LAYERS),$(eval below := $(l) $(below))$(eval $(call layer_rules,$(l),$(below))))
LIBRARIES := $(below_server)

# For programs that are linked by other means (tests/fuzz/run.sh): makes the libraries and prints
# them, and those of the system, in the order of linking.
libraries: $(LIBRARIES)
	@echo $^ $(LIBS)

build/dalembert: $(if $(filter release,$(BUILD)),$(O)/dalembert)
	$(if $(filter release,$(BUILD)),,$(MAKE) BUILD=release build/dalembert)
	@# replaced, not overwritten: the old one may be running
	@$(if $(filter release,$(BUILD)),cp $< $@.new && mv $@.new $@)

$(O)/dalembert: $(O)/server/command/dalembert.o $(LIBRARIES)
	$(call say,link,$@) $(CC) $(LDFLAGS_$(BUILD)) -Wl,--build-id -pthread $^ $(LIBS) $(LDFLAGS) -o $@

$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc,$<) $(CC) -std=c11 $(CPPFLAGS) $(CFLAGS_WARN) $(CFLAGS_ALL) $(CFLAGS_FILE) \
		-MMD -MP -c $< -o $@

define kernel_rules
$(O)/%_kernel_$(1).o: %_kernel.c
	@mkdir -p $$(@D)
	$$(call say,cc,$$@) $(CC) -std=c11 $$(CPPFLAGS) -DKERNEL_LEVEL=$(1) $$(CFLAGS_WARN) \
		$$(CFLAGS_ALL) $$(CFLAGS_FILE) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(LEVELS),$(eval $(call kernel_rules,$(l))))

$(O)/%.o: %.cc
	@mkdir -p $(@D)
	$(call say,c++,$<) $(CXX) -std=c++17 $(CPPFLAGS) -Wall -Wextra $(CFLAGS_ALL) -MMD -MP -c $< -o $@

# The catalog is compiled into the binary; the folder counts too, for a file that is gone is not
# newer.
MODELS := $(sort $(wildcard models/*.json))
$(O)/api/catalog_data.c: tools/embed-catalog.sh models $(MODELS)
	@mkdir -p $(@D)
	$(call say,embed,$@) tools/embed-catalog.sh CATALOG_DATA $(MODELS) > $@
$(O)/api/catalog_data.o: $(O)/api/catalog_data.c
	$(call say,cc,$<) $(CC) -std=c11 $(CPPFLAGS) -O0 -c $< -o $@

# So are the jobs of `dalembert selftest`.
SELFTEST := $(sort $(wildcard models/selftest/*.json))
$(O)/server/selftest_data.c: tools/embed-catalog.sh models/selftest $(SELFTEST)
	@mkdir -p $(@D)
	$(call say,embed,$@) tools/embed-catalog.sh SELFTEST_JOBS $(SELFTEST) > $@
$(O)/server/selftest_data.o: $(O)/server/selftest_data.c
	$(call say,cc,$<) $(CC) -std=c11 $(CPPFLAGS) -O0 -c $< -o $@

# And the tables of docs/reference/problems.md.
$(O)/api/problem_data.c: tools/embed-problems.sh docs/reference/problems.md
	@mkdir -p $(@D)
	$(call say,embed,$@) tools/embed-problems.sh docs/reference/problems.md > $@
$(O)/api/problem_data.o: $(O)/api/problem_data.c
	$(call say,cc,$<) $(CC) -std=c11 $(CPPFLAGS) -O0 -c $< -o $@

# And the files of the web page; WITH_UI=no: none. The name of the stamp is the choice.
WITH_UI ?= yes
UI_FILES := $(sort $(wildcard web/index.html web/app web/app/* web/vendor/*.js web/vendor/*.css \
	web/vendor/*.woff2 web/vendor/LICENSES clients/javascript/*.js))
$(O)/with-ui-%:
	@mkdir -p $(@D)
	@rm -f $(O)/with-ui-* && touch $@
$(O)/api/ui_data.c: tools/embed-ui.sh $(UI_FILES) $(O)/with-ui-$(WITH_UI)
	@mkdir -p $(@D)
	$(call say,embed,$@) WITH_UI=$(WITH_UI) tools/embed-ui.sh $(@D)/ui.bin > $@
$(O)/api/ui_data.o: $(O)/api/ui_data.c
	$(call say,cc,$<) $(CC) -std=c11 $(CPPFLAGS) -O0 -c $< -o $@

# The contract is assembled into the binary as it stands.
$(O)/api/openapi.o: api/openapi.json
# The day of the release: no clock is before it.
RELEASED := $(shell sed -n 's/^\#\# $(VERSION) (\(.*\))$$/\1/p' CHANGELOG.md)
$(O)/server/command/doctor.o: CHANGELOG.md
$(O)/server/command/doctor.o build/lint/server/command/doctor.tidy: \
	CPPFLAGS += -DDALEMBERT_RELEASED='"$(RELEASED)T00:00:00Z"'
# What says the version.
$(patsubst %.c,$(O)/%.o,\
	$(shell grep -rl --include=*.c DALEMBERT_VERSION core api db server)): VERSION

# Flags of each instruction set. GCC 12 contracts a product and a sum
# in spite of -ffp-contract=off if it vectorises straight-line code.
$(O)/%_avx2.o: CFLAGS_FILE := -mavx2 -mfma -fno-tree-slp-vectorize
$(O)/%_avx512.o: CFLAGS_FILE := -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl \
	-mprefer-vector-width=512 -fno-tree-slp-vectorize

# A unit test that takes so many seconds hangs, whatever the machine and its load.
DEADLINE := 600

# Unit tests: tests/LAYER/*.c and tests/main.c make the binary build/VARIANT/unit/LAYER. Each file
# test_x.c there has SUITE(x) (tests/suite.h).
TEST_LAYERS := $(foreach l,$(LAYERS),$(if $(wildcard tests/$(l)/test_*.c),$(l)))
TEST_FILES := $(foreach l,$(TEST_LAYERS),$(wildcard tests/$(l)/test_*.c))
STRAY_TESTS := $(filter-out $(TEST_FILES),\
	$(shell grep -rlwE '^(SUITE|START_TEST)' --include=*.c tests))
$(if $(STRAY_TESTS),$(error not run, for tests are in tests/LAYER/test_x.c: $(STRAY_TESTS)))

$(TEST_LAYERS:%=$(O)/tests/%/suites.c): $(O)/tests/%/suites.c: tests/% tools/list-suites.sh
	@mkdir -p $(@D)
	$(call say,list,$@) tools/list-suites.sh $* > $@
$(O)/tests/%/suites.o: $(O)/tests/%/suites.c
	$(call say,cc,$<) $(CC) -std=c11 $(CPPFLAGS) $(CFLAGS_WARN) $(CFLAGS_ALL) -c $< -o $@

# main.c calls numeric_init: its library comes first, so that core/base is not linked against it
test_binary = $(O)/unit/$(subst /,_,$(1))
test_objects = $(O)/tests/main.o $(O)/tests/$(1)/suites.o \
	$(patsubst %.c,$(O)/%.o,$(wildcard tests/$(1)/*.c))
define test_rules
$(call test_binary,$(1)): $(call test_objects,$(1)) \
		$(filter-out $(below_$(subst /,_,$(1))),$(call library,core/numeric)) $(below_$(subst /,_,$(1)))
	@mkdir -p $$(@D)
	$$(call say,link,$$@) $(CC) $(LDFLAGS_$(BUILD)) -pthread $$^ $(TEST_LIBS) $(LIBS) -o $$@
# make unit-core_expr runs one layer's tests
unit-$(subst /,_,$(1)): $(call test_binary,$(1))
	@CK_DEFAULT_TIMEOUT=$(if $(RANDOM_MODELS)$(BITS)$(POINTS),3600,$(DEADLINE)) $$<
endef
$(foreach l,$(TEST_LAYERS),$(eval $(call test_rules,$(l))))
UNIT_TESTS := $(foreach l,$(TEST_LAYERS),unit-$(subst /,_,$(l)))
# Fixtures of a layer below.
$(call test_binary,core/simulate): $(O)/tests/core/motion/random_model.o
$(call test_binary,server): $(O)/tests/db/fixture.o $(O)/tests/db/killing.o

# Every input of tests/fuzz/corpus once more, without a fuzzer.
FUZZ := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
$(FUZZ:%=$(O)/fuzz/%): \
	$(O)/fuzz/%: $(O)/tests/fuzz/fuzz_%.o $(O)/tests/fuzz/fuzz.o $(O)/tests/fuzz/replay.o $(LIBRARIES)
	@mkdir -p $(@D)
	$(call say,link,$@) $(CC) $(LDFLAGS_$(BUILD)) -pthread $^ $(LIBS) -o $@

replay: $(patsubst %,$(O)/fuzz/%,$(FUZZ))
	@for name in $(FUZZ); do $(O)/fuzz/$$name tests/fuzz/corpus/$$name || exit 1; done

unit: $(UNIT_TESTS) replay

# Black-box tests speak to the built program; DALEMBERT_BIN may name another one.
DALEMBERT_BIN ?= $(CURDIR)/$(O)/dalembert
export DALEMBERT_BIN
CRASH_CYCLES ?= 10

references: $(O)/dalembert
	python3 tests/reference/check.py
	python3 tests/reference/reactions.py
	python3 tests/reference/structure.py

formulations: $(O)/dalembert
	python3 tests/reference/formulations.py

invariants: $(O)/dalembert
	python3 tests/invariants.py

# Jobs in other units against themselves, RANDOM_MODELS as many random ones; what analyses say of
# them.
scale: $(O)/dalembert
	python3 tests/scale.py --random $(or $(RANDOM_MODELS),50)
	python3 tests/scale_verdicts.py

# Jobs that failed once, with their truth.
failures: $(O)/dalembert
	python3 tests/failures/check.py

# Steps follow the motion alone: neither the length of the run nor a neighbor; RANDOM_MODELS as many
# random ones.
stepping: $(O)/dalembert
	python3 tests/stepping.py --random $(or $(RANDOM_MODELS),80)

# 550 regular random models: no warning, and the steps of a loop that looks for nothing.
regular:
	RANDOM_MODELS=10 CK_RUN_SUITE=core/simulate/regular $(MAKE) unit-core_simulate

# Verdicts on random models against an exact oracle; RANDOM_MODELS as many.
verdicts: $(O)/dalembert
	python3 tests/verdicts/check.py $(or $(RANDOM_MODELS),300)

# What five papers claim; the page is docs/evidence/claims.md (tests/claims.py --markdown).
claims: $(O)/dalembert
	python3 tests/claims.py

# Published problems; the page is docs/evidence/benchmarks.md.
benchmarks: $(O)/dalembert
	python3 tests/benchmarks/run.py --write docs/evidence/benchmarks.md

benchmarks-quick: $(O)/dalembert
	python3 tests/benchmarks/run.py --quick

http: $(O)/dalembert
	python3 tests/http/run.py --jobs $(JOBS) $(HTTP)

# The web page in a headless Chromium; skipped by name without one.
browser: $(O)/dalembert
	python3 tests/browser/run.py $(BROWSER)

crash: $(O)/dalembert
	python3 tests/http/crash.py --cycles $(CRASH_CYCLES)

# The service under the system-call filter of the systemd unit.
unit-file: $(O)/dalembert
	python3 tests/unit_file.py

# The service behind nginx with deploy/nginx.conf.
proxy: $(O)/dalembert
	python3 tests/proxy.py

# Alerts, dashboard and pages against the metrics of a daemon.
alerts: $(O)/dalembert
	python3 tests/alerts.py

# The files for Docker Compose and Kubernetes beside the program and the Dockerfile.
deploy-files: $(O)/dalembert
	python3 tests/deploy_files.py

# A Debian package for this release of Debian, build/dalembert_VERSION_ARCHITECTURE.deb.
# The bill of materials (CycloneDX) of the program as it is linked here.
sbom: build/dalembert
	tools/sbom.py $< > build/dalembert.cdx.json
	@echo build/dalembert.cdx.json

check-sbom: $(O)/dalembert
	python3 tests/sbom.py

deb: build/dalembert
	deploy/make-deb.sh build/dalembert build

check-deb: build/dalembert
	python3 tests/deb.py

# The flags HARDENED and those of the linker are in the program.
hardening: $(O)/dalembert
	python3 tests/hardening.py

# Scripts of examples/, README.md, and the models and jobs that docs/ shows.
examples: $(O)/dalembert
	sh tests/examples.sh
	python3 tests/shown.py

# The clients against a daemon, and against services that are busy or broken; their examples.
clients: $(O)/dalembert
	cd tests/clients && python3 -m unittest test_python test_broken test_examples
	node --test tests/clients/test_javascript*.mjs tests/browser/*.test.mjs

# Rules that a script can check: who includes whom, no circles of includes, columns, members and
# parameters, the page of constants, comments that hold, no clocks in tests, the tenant in SQL,
# tests that the list of features names, links and blocks of the documents.
RULES := layers circles shape constants comments clocks tenants features docs
rules:
	@for rule in $(RULES); do \
		tools/check-$$rule.sh --self-test && tools/check-$$rule.sh || exit 1; done
	@tools/same-bits.sh --self-test

# docs/reference/constants.md from the comments of core/.
constants:
	tools/check-constants.sh --write

# The expected numbers of `dalembert selftest`, from this program. tests/selftest.py compares them
# with tests/reference.
selftest-numbers: $(O)/dalembert
	$< selftest --json | tools/selftest-numbers.py > $(O)/selftest_numbers.c
	mv $(O)/selftest_numbers.c server/command/selftest_numbers.c

# The pictures on the cards of the web page, from the catalog. tests/http/test_scene.py compares.
poses: $(O)/dalembert
	python3 tools/poses.py > $(O)/poses.json
	mv $(O)/poses.json web/app/poses.json

# The self-test of the built program, and its expected numbers beside the reference motions.
selftest: $(O)/dalembert
	python3 tests/selftest.py

# The results of this program beside those of another commit's, to the bit (tools/same-bits.sh).
same-bits: $(O)/dalembert
	@test -x "$(OLD)" || { echo "usage: make same-bits OLD=PROGRAM (of another commit)"; exit 2; }
	tools/same-bits.sh $(OLD) $<

# Benchmarks print ratios taken in one run (docs/evidence/performance.md). From the root: they read
# models/.
BENCHES := $(addprefix $(O)/bench/,evaluators parse derivation load hello results)
BENCH_EVALUATORS := $(patsubst %,$(O)/bench/%.o,evaluators emit_c compiler systems)
$(O)/bench/evaluators: $(BENCH_EVALUATORS) $(LIBRARIES)
	$(call say,link,$@) $(CC) $(LDFLAGS_$(BUILD)) -pthread $^ $(LIBS) -ldl -o $@

$(addprefix $(O)/bench/,parse derivation load hello results): \
	$(O)/bench/%: $(O)/bench/%.o $(LIBRARIES)
	$(call say,link,$@) $(CC) $(LDFLAGS_$(BUILD)) -pthread $^ $(LIBS) -o $@

# Peers with the equations by hand, for this machine, and the program beside them;
# AGAINST=OLD: ratios to the build/release/bench/peers/peers of another commit.
BENCH_PEERS := $(patsubst bench/peers/%.c,$(O)/bench/peers/%.o,$(wildcard bench/peers/*.c))
SUNDIALS := $(if $(wildcard /usr/include/arkode/arkode_erkstep.h),\
	-lsundials_arkode -lsundials_cvode -lsundials_nvecserial)
# (-Wno-psabi: without AVX-512 GCC warns that others pass vectors otherwise; nobody else is passed
# any.)
$(O)/bench/peers/plain_%.o $(O)/bench/peers/problems.o: \
	CFLAGS_FILE := -O3 -march=native -fno-tree-slp-vectorize -Wno-psabi
$(O)/bench/peers/peers: $(BENCH_PEERS) $(LIBRARIES)
	$(call say,link,$@) $(CC) $(LDFLAGS_$(BUILD)) -pthread $^ $(SUNDIALS) $(LIBS) -o $@

bench-peers: $(O)/bench/peers/peers
	python3 bench/peers.py $(if $(AGAINST),--against $(AGAINST)) $<

# The web page: bytes, first paint, first plot, memory; then how fast it answers a person.
bench-web: $(O)/dalembert
	python3 bench/web.py
	python3 bench/web_answers.py

bench: $(BENCHES) $(O)/dalembert
	$(O)/bench/evaluators
	$(O)/bench/parse
	$(O)/bench/derivation
	python3 bench/catalog.py
	python3 bench/steps.py
	python3 bench/verdicts.py
	python3 bench/waiting.py
	python3 bench/serving.py
	python3 bench/keys.py
	python3 bench/backup.py
	python3 bench/results.py
	sh bench/load.sh $(O)/dalembert $(O)/bench/load

# Beside a build without the flags.
bench-hardening: $(O)/dalembert
	$(MAKE) BUILD=unhardened build/unhardened/dalembert
	python3 bench/hardening.py

# What CI runs. The sanitized build runs the unit tests once more but those that take it longest
# (what they test is run by those of the server and over HTTP, too), and of the black-box tests
# those that send what no client should, or read while others write; check-long runs all of them.
SANITIZED_LATER := unit-core_motion unit-core_invariants unit-core_simulate unit-db unit-api unit-server
SANITIZED := hostile protocol memory gzip batch stream members result plot units reuse \
	columns evidence
check: rules all $(BENCHES) $(O)/bench/peers/peers
	$(MAKE) unit
	$(MAKE) selftest references formulations invariants failures stepping scale verdicts claims benchmarks-quick
	$(MAKE) http
	$(MAKE) browser examples clients crash unit-file deploy-files check-sbom hardening alerts
	$(MAKE) BUILD=asan DALEMBERT_BIN=$(CURDIR)/build/asan/dalembert \
		HTTP="$(addprefix test_,$(SANITIZED))" \
		$(filter-out $(SANITIZED_LATER),$(UNIT_TESTS)) replay http

check-quick: rules all unit

# What was seen to depend on the load of the machine, N times while others keep it busy.
N ?= 10
BUSY := unit-core_expr unit-core_integrate unit-api unit-db references invariants http
check-busy: all
	MAKE="$(MAKE)" tools/check-busy.sh $(N) $(BUSY)

# Thread sanitizer, fuzzing, many crashes, ten times as many random models, the image: before a
# release.
check-long: check
	RANDOM_MODELS=10 $(MAKE) unit-core_motion
	python3 tests/benchmarks/run.py
	RANDOM_MODELS=2000 $(MAKE) verdicts
	RANDOM_MODELS=10 CK_RUN_SUITE=core/simulate/linkages $(MAKE) unit-core_simulate
	$(MAKE) regular check-deb
	$(MAKE) BUILD=asan DALEMBERT_BIN=$(CURDIR)/build/asan/dalembert $(SANITIZED_LATER) http
	$(MAKE) BUILD=tsan DALEMBERT_BIN=$(CURDIR)/build/tsan/dalembert unit http
	$(MAKE) crash CRASH_CYCLES=200
	MANY=10 python3 tests/http/run.py test_many
	OUT_OF_MEMORY=all CK_RUN_SUITE=server/out_of_memory $(MAKE) unit-server
	POINTS=all CK_RUN_SUITE=db/points $(MAKE) unit-db
	POINTS=all CK_RUN_SUITE=db/retention $(MAKE) unit-db
	POINTS=all CK_RUN_SUITE=db/old $(MAKE) unit-db
	POINTS=all CK_RUN_SUITE=db/tenants $(MAKE) unit-db
	POINTS=all CK_RUN_SUITE=server/backup $(MAKE) unit-server
	POINTS=all CK_RUN_SUITE=server/export $(MAKE) unit-server
	BITS=all CK_RUN_SUITE=db/bits $(MAKE) unit-db
	python3 bench/soak.py --minutes 30
	sh tests/fuzz/run.sh
	python3 tests/image.py
	python3 tests/image.py --release trixie
	$(MAKE) proxy
	RANDOM_MODELS=2000 $(MAKE) scale
	python3 tests/scale_verdicts.py --long
	$(MAKE) BUILD=avx2 build/avx2/dalembert
	python3 tests/instruction_sets.py

# The contract by Redocly's rules, too (Node.js; npm fetches it). What they ask for is checked by
# tests/http/test_contract.py.
lint-api:
	npx --yes @redocly/cli@1.25.0 lint --extends=recommended api/openapi.json

# The bundles of the page are what npm's packages make today; needs npm and the network.
lint-web:
	web/vendor/build.sh build/vendor
	cd build/vendor && sha256sum --quiet -c $(CURDIR)/web/vendor/SHA256SUMS

lint: rules
	@clang-format --dry-run --Werror $(LINTED)
	@shellcheck deploy/*.sh deploy/debian/p* tools/*.sh examples/*.sh tests/*.sh tests/fuzz/*.sh bench/*.sh
	@cppcheck --quiet -j$(JOBS) --std=c11 --error-exitcode=1 --inline-suppr -I. \
		--enable=warning,style,performance,portability --suppressions-list=tools/cppcheck.txt \
		$(filter %.c,$(LINTED))
	tools/lint-web.sh
	$(MAKE) -k -j$(JOBS) $(TIDIED)

# One file a process: clang-tidy 14 reports a false va_list error otherwise.
TIDIED = $(patsubst %.c,build/lint/%.tidy,$(filter %.c,$(LINTED)))
build/lint/%.tidy: %.c .clang-tidy tests/.clang-tidy
	@mkdir -p $(@D)
	$(call say,tidy,$<) clang-tidy --quiet $< -- -std=c11 $(CPPFLAGS) $(CFLAGS_FILE) 2>/dev/null
	@touch $@
build/lint/%_avx2.tidy: CFLAGS_FILE := -mavx2 -mfma
build/lint/%_avx512.tidy: CFLAGS_FILE := -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl

run: build/dalembert
	build/dalembert serve

install: build/dalembert
	install -D build/dalembert $(DESTDIR)$(PREFIX)/bin/dalembert

# The same bytes from any directory.
install-strip: install
	strip --strip-all $(DESTDIR)$(PREFIX)/bin/dalembert

clean:
	rm -rf build

help:
	@echo "make              build/dalembert"
	@echo "make run          start the service"
	@echo "make check        what CI runs: unit and black-box tests, sanitizers" \
		"(check-quick: one minute)"
	@echo "make check-busy   the suites that wait, N=10 times on a machine kept busy"
	@echo "make check-long   also thread sanitizer, fuzzing, 200 crashes, thousands of random models"
	@echo "make unit-LAYER   one layer's unit tests, as in unit-core_expr"
	@echo "make regular      550 random models: no warning, no more steps than a textbook's loop"
	@echo "make browser      the web page in a headless Chromium"
	@echo "make proxy        the service behind nginx"
	@echo "make same-bits    OLD=PROGRAM: every result to the bit that of another commit's program"
	@echo "make benchmarks   published problems, and docs/evidence/benchmarks.md anew"
	@echo "make constants    docs/reference/constants.md anew, from the comments of core"
	@echo "make poses        web/app/poses.json anew, from the catalog"
	@echo "make deb          a Debian package of build/dalembert"
	@echo "make lint bench bench-web bench-peers bench-hardening install install-strip clean;" \
		" BUILD=asan|tsan|cov|avx2|unhardened builds into build/VARIANT"

.PHONY: all libraries unit replay references formulations invariants scale regular verdicts claims \
	benchmarks benchmarks-quick http browser crash unit-file proxy deploy-files deb check-deb sbom check-sbom hardening alerts examples clients rules check constants poses same-bits \
	check-quick check-busy check-long lint lint-api lint-web bench bench-web bench-peers bench-hardening \
	run install install-strip clean help $(UNIT_TESTS)

-include $(shell find $(O) -name '*.d' 2>/dev/null)
