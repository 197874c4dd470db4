# make            install what is missing and build the program, build/frr
# make demo       build, learn from built-in data, show the rules, write the report page
# make check      build and run the fast tests, and lint the changed files
# make test       build and run all tests
# make fuzz       run each fuzzer for FUZZ_SECONDS (600)
# make torture    stress the program with unusual input for TORTURE_SECONDS (120; SEED=0)
# make lint       run clang-format (check only) and clang-tidy
# make format     format the C++ sources
# make docs       build the documentation site, build/docs/index.html
# make study      run FRR on the benchmark datasets and write docs/explanation/study.md; continues
#                 if stopped (PEERS=1: with other learners; STUDY="--only iris --jobs 1": options)
# make bench      measure time and memory, compared with other programs
#                 (BENCH="--only step": options, see python3 bench/performance --help)
# make clean      remove the build directories
# make help       show this list

FUZZ_SECONDS ?= 600
TORTURE_SECONDS ?= 120
SEED ?= 0
SOURCES = $(shell find include src cli export tests/cpp tests/fuzz tests/perf docs bench python/bindings \
            -name '*.[ch]pp')

.PHONY: all build demo check test fuzz torture lint format docs study bench clean help

all: build
	@echo "Built build/frr. Try: make demo, or build/frr --help"

build:
	@tools/setup build
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target frr_program

demo: build
	@build/frr demo --report build/demo.html

check:
	@tools/setup build test lint
	@python3 tools/test.py --quick

test:
	@tools/setup build test docs fuzz lint
	@python3 tools/test.py

fuzz:
	@tools/setup build fuzz
	@python3 tools/test.py --only fuzz --fuzz-seconds $(FUZZ_SECONDS)

torture: build
	@python3 tests/torture --seconds $(TORTURE_SECONDS) --seed $(SEED)

lint:
	@tools/setup build lint
	@python3 tools/test.py --only lint

format:
	@tools/setup lint
	@clang-format -i $(SOURCES)

docs:
	@tools/setup docs
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --strict
	@echo "Built build/docs/index.html"

study: build
	@tools/setup study $(if $(PEERS),peers)
	@.venv/bin/python bench/study $(if $(STUDY),,--output docs/explanation) $(if $(PEERS),--peers) $(STUDY)

bench:
	@tools/setup build bench
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target frr_program bench_programs
	@.venv/bin/python bench/performance $(BENCH)

clean:
	rm -rf build build-dev build-asan build-tsan build-python

help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile
