# make run    build, and run the bundled programs on the bundled tasks
# make test   all tests
# See `make help` for the rest.

VARIANT  ?= release
BUILD    ?= build
# Built for the level of x86-64 that this machine has; MARCH= builds for any.
ifeq ($(shell uname -m),x86_64)
MARCH    ?= $(if $(shell grep -m1 -o avx2 /proc/cpuinfo),x86-64-v3,x86-64-v2)
endif
WARNINGS := -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes
# A newer compiler warns of more, and shall build all the same. WERROR=1, as the tests have it, makes warnings errors.
WARNINGS += $(if $(WERROR),-Werror)
CPPFLAGS += -Iinclude -Isrc -D_GNU_SOURCE
LDLIBS   := -lyajl -lpng -lsqlite3 -lm
# The same for programs that hold them: yajl has another name there, and libpng needs zlib.
STATIC   := -lyajl_s -lpng -lz -lsqlite3 -lm

# Asserts hold the borders of the modules in every build but the release.
ifeq ($(VARIANT),release)
OBJ     := $(BUILD)/obj
CPPFLAGS += -DNDEBUG
CFLAGS  ?= -O3 -g $(addprefix -march=,$(MARCH))
else ifeq ($(VARIANT),sanitize)
OBJ     := $(BUILD)/sanitize
CFLAGS  := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all $(addprefix -march=,$(MARCH))
LDFLAGS += -fsanitize=address,undefined
else ifeq ($(VARIANT),fuzz)
CC      := clang
OBJ     := $(BUILD)/fuzz
CFLAGS  := -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
else ifeq ($(VARIANT),thread)
OBJ     := $(BUILD)/thread
CFLAGS  := -O1 -g -fsanitize=thread
LDFLAGS += -fsanitize=thread
else ifeq ($(VARIANT),coverage)
OBJ     := $(BUILD)/coverage
CFLAGS  := -O0 -g --coverage -fprofile-update=atomic
LDFLAGS += --coverage
else ifeq ($(VARIANT),playground)
# What emcc would call for each file, which takes it longer than the compiling.
override CC := clang-14 $(shell emcc --cflags)
AR      := emar
OBJ     := $(BUILD)/playground
CPPFLAGS += -DNDEBUG
CFLAGS  := -O3 -msimd128
endif
CFLAGS  += -std=c17 -fvisibility=hidden -MMD -MP $(WARNINGS)
ifneq ($(VARIANT),playground)
CFLAGS  += -fPIC -fno-semantic-interposition
endif

# Version and number of the shared library, which tessera.h says.
VERSION := $(shell sed -n 's/^\#define TS_VERSION "\(.*\)"/\1/p' include/tessera.h)
ABI     := $(shell sed -n 's/^\#define TS_ABI //p' include/tessera.h)
SHARED  := libtessera.so.$(VERSION)
SONAME  := libtessera.so.$(ABI)

SOURCES := $(wildcard src/*/*.c)
LIBRARY := $(filter-out src/cli/%,$(SOURCES))
ifeq ($(VARIANT),playground)
# Without what a page has no use for, or no library: playground/missing.c and json.c stand in where something is called.
LIBRARY := src/device/wave.c $(filter-out src/base/sandbox.c src/show/png.c src/task/json.c \
	$(patsubst %,src/%/%,pool profile iterate judge report device),$(LIBRARY))
endif
LIB_OBJ := $(LIBRARY:src/%.c=$(OBJ)/%.o)
CLI_OBJ := $(patsubst src/%.c,$(OBJ)/%.o,$(filter src/cli/%,$(SOURCES)))

ifeq ($(VARIANT),release)
BIN := $(BUILD)
else
BIN := $(OBJ)
endif

.PHONY: all run test sanitize fuzz soak coverage analyze bench data install wheel clean help format setup
all: $(BIN)/tessera $(BIN)/libtessera.so $(BIN)/tessera.1

# The tests take warnings for errors; `make test WERROR=` does not.
test sanitize fuzz soak coverage: export WERROR ?= 1

help:
	@sed -n 's/^## //p' Makefile

## make run        set up, build, run the bundled programs and show it
run: setup
	@$(MAKE) -j$$(nproc) --no-print-directory all
	@./scripts/tour $(BUILD)/tessera

## make test       set up, build, all tests, also under the sanitizers, and a short fuzz run
test: setup-test
	@$(MAKE) -j$$(nproc) --no-print-directory all
	@./tests/run

## make sanitize   all tests under AddressSanitizer and UBSan only
sanitize: setup-test
	@./tests/run sanitize

## make fuzz       each fuzzer for FUZZ_SECONDS (60)
fuzz: setup-test
	@./tests/fuzz/run $${FUZZ_SECONDS:-60}

## make soak       fuzzers, comparisons, kills, short memory, full disks and harmful files for SOAK_SECONDS (3600), by SOAK_SEED
soak: setup-test
	@./tests/soak.py --seconds $${SOAK_SECONDS:-3600} $${SOAK_SEED:+--seed $$SOAK_SEED}

## make coverage   all tests on a build that counts lines, and how many of src/ they reach
coverage: setup-test
	@find $(BUILD)/coverage -name '*.gcda' -delete 2>/dev/null; ./tests/run coverage; ./tests/coverage.py --least 95

## make analyze    static analysis by cppcheck, clang and gcc
analyze: setup-test
	@./tests/analyze.py

## make bench      the benchmark: signature and times
bench: all
	@$(BUILD)/tessera bench

## make data       the real ARC data into data/
data:
	@./scripts/data

## make docs       docs/LANGUAGE.md from the tables, and the API reference of the Python package in build/docs/
docs: all
	@$(BUILD)/tessera ops --markdown >docs/LANGUAGE.md
	@./tests/python.sh docs

## make format     lay the sources out by .clang-format
format:
	@./tests/format.py --write

## make install    into PREFIX (/usr/local)
PREFIX ?= /usr/local
install: all
	install -D -t $(DESTDIR)$(PREFIX)/bin $(BIN)/tessera
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib $(BIN)/libtessera.a $(BIN)/$(SHARED)
	ln -sf $(SHARED) $(DESTDIR)$(PREFIX)/lib/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libtessera.so
	printf '%s\n' $(PC_LINES) | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/lib/pkgconfig/tessera.pc
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include include/tessera.h
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 $(BIN)/tessera.1
	if [ -f $(BUILD)/playground.html ]; then install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/tessera $(BUILD)/playground.html; fi
	install -D -m 644 src/cli/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/tessera
	install -D -m 644 src/cli/completion.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tessera
	install -D -m 644 src/cli/completion.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tessera.fish
# The lines of tessera.pc. It says where it was put, so it is made as it is put there.
PC_LINES = 'prefix=$(abspath $(PREFIX))' 'Name: tessera' 'Version: $(VERSION)' \
	'Description: Runs and searches programs of the arc-dsl grid language on ARC tasks' \
	'Cflags: -I$${prefix}/include' 'Libs: -L$${prefix}/lib -ltessera' 'Libs.private: $(STATIC)'

## make wheel      a wheel for any x86-64 Linux, with all that it needs but glibc, cffi and numpy, into build/wheel; needs emscripten
wheel:
	@./scripts/setup playground
	@./wheel/build

## make playground the engine inside one page for browsers, build/playground.html; needs emscripten
playground:
	@./scripts/setup playground
	@$(MAKE) -j$$(nproc) --no-print-directory VARIANT=playground $(BUILD)/playground.html
.PHONY: playground

## make mpi        build/tessera-mpi: solve and iterate on all ranks of an MPI job; needs libopenmpi-dev
mpi:
	@./scripts/setup mpi
	@$(MAKE) -j$$(nproc) --no-print-directory VARIANT=$(VARIANT) $(BIN)/tessera-mpi
.PHONY: mpi

# Only this program is linked with MPI; what MPI's own headers warn of is not ours.
MPI_OBJ := $(filter-out $(OBJ)/cli/main.o,$(CLI_OBJ))
MPI_C := $(wildcard mpi/*.c)
$(BIN)/tessera-mpi: $(MPI_C) $(wildcard mpi/*.h) $(MPI_OBJ) $(BIN)/libtessera.a
	@echo "  link $@"
	@$(CC) $(CPPFLAGS) $(filter-out -MMD -MP,$(CFLAGS)) $(patsubst -I%,-isystem %,$(shell mpicc --showme:compile)) $(LDFLAGS) \
		-o $@ $(MPI_C) $(MPI_OBJ) $(BIN)/libtessera.a $(LDLIBS) $(shell mpicc --showme:link)

# The page's engine: what a stranger's task can take of memory ends at a GB, and calls nest as deep as they do elsewhere.
PAGE_C := $(wildcard playground/*.c)
$(BUILD)/playground/tessera.wasm: $(PAGE_C) $(BUILD)/playground/libtessera.a
	@echo "  link $@"
	@emcc $(CPPFLAGS) $(filter-out -MMD -MP,$(CFLAGS)) -Wno-missing-prototypes -o $@ $^ --no-entry -s STANDALONE_WASM=1 -s FILESYSTEM=0 \
		-s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=1GB -s TOTAL_STACK=4MB
$(BUILD)/playground.html: $(BUILD)/playground/tessera.wasm $(wildcard playground/*) src/report/report.css
	@echo "  make $@"
	@./playground/build $< $@

## make compile_commands.json
##                 how each file is compiled, for clangd and the like
# Read off what make would do: a command for each file, up to its name, with quotes as JSON has them.
TESTS := $(patsubst tests/%.c,$(OBJ)/tests/%,$(filter-out tests/generate.c,$(wildcard tests/*.c)))
compile_commands.json: .FORCE
	@$(MAKE) -Bnk --no-print-directory all $(TESTS) | sed -n \
		-e '/ -c -o \| -o [^ ]* tests\//!d' -e 's/[\\"]/\\&/g' \
		-e 's|^\(.* -o [^ ]* \)\([^ ]*\.c\).*|,{"directory": "$(CURDIR)", "file": "\2", "command": "\1\2"}|p' \
		| sed -e '1s/^,/[/' -e '$$s/$$/]/' >$@

## make clean      remove what was built
clean:
	rm -rf $(BUILD) compile_commands.json

setup:
	@./scripts/setup build
setup-test:
	@./scripts/setup test
.PHONY: setup-test

$(BIN)/tessera: $(CLI_OBJ) $(BIN)/libtessera.a
	@echo "  link $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The same, but for the libraries of others, as one object: for wheel/link.
$(BIN)/command.o: $(CLI_OBJ) $(BIN)/libtessera.a
	@$(LD) -r -o $@ $^

$(BIN)/libtessera.a: $(LIB_OBJ)
	@rm -f $@
	@$(AR) rcs $@ $^

$(BIN)/$(SHARED): $(LIB_OBJ)
	@echo "  link $@"
	@$(CC) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -o $@ $^ $(LDLIBS)
# A program is linked with libtessera.so, and runs with the library that has its number.
$(BIN)/libtessera.so: $(BIN)/$(SHARED)
	@ln -sf $(SHARED) $(BIN)/$(SONAME)
	@ln -sf $(SONAME) $@

$(BIN)/tessera.1: $(BIN)/tessera
	@$< --man >$@

# A change of flags is a change of everything.
$(OBJ)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# Tests in C: tests/unit.c becomes $(OBJ)/tests/unit. In tests/memory.c allocations can be made to fail.
$(OBJ)/tests/%: tests/%.c tests/generate.c $(wildcard tests/*.h) $(BIN)/libtessera.a
	@mkdir -p $(@D)
	@echo "  link $@"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< tests/generate.c $(BIN)/libtessera.a $(LDLIBS)
$(OBJ)/tests/memory: LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

# The bundled tasks as one text {ID: task, …}, laid into the library.
$(OBJ)/bundle.json: $(wildcard tasks/*.json)
	@mkdir -p $(@D)
	@{ separator='{'; for f in $^; do id=$${f##*/}; printf '%s"%s":\n' "$$separator" "$${id%.json}"; cat "$$f"; separator=,; done; echo '}'; } >$@
$(OBJ)/cli/completion.o: src/cli/completion.bash src/cli/completion.zsh src/cli/completion.fish
$(OBJ)/battery/battery.o: src/battery/differs.py
$(OBJ)/report/html.o: src/report/report.css src/report/report.js

# The kernels of devices as one text, laid into the library: preprocessed, with nothing of this machine in it.
$(OBJ)/kernels.cl: $(wildcard src/device/kernel*.h) src/image/image_functions.def src/image/image_keys.def src/words/bank.def Makefile
	@mkdir -p $(@D)
	@$(CC) -E -P -undef -nostdinc -xc -DKERNEL_OPENCL -Isrc src/device/kernels.h >$@
$(OBJ)/device/kernel.o: CPPFLAGS += -DKERNEL_SOURCE='"$(OBJ)/kernels.cl"'
$(OBJ)/device/kernel.o: $(OBJ)/kernels.cl

# The programs of pool/ as one text, laid into the library. Made anew where a file comes or goes.
POOL := $(wildcard pool/*.py)
$(OBJ)/pool.list: .FORCE
	@mkdir -p $(@D)
	@echo '$(POOL)' | cmp -s - $@ || echo '$(POOL)' >$@
$(OBJ)/pool.py: $(POOL) $(OBJ)/pool.list
	@cat /dev/null $(POOL) >$@
$(OBJ)/search/bundled.o: CPPFLAGS += -DBUNDLED_POOL='"$(OBJ)/pool.py"' -DBUNDLED_TASKS='"$(OBJ)/bundle.json"'
$(OBJ)/search/bundled.o: $(OBJ)/pool.py $(OBJ)/bundle.json tasks/solvers.py

# What the sources are is part of what decides the results of a search: a journal is for one build, a slot of iterate for
# workers of one build.
$(OBJ)/sources.sum: .FORCE
	@mkdir -p $(@D)
	@sum=$$(cat $(SOURCES) $(wildcard src/*/*.h src/*/*.def include/*.h) | cksum | cut -d ' ' -f 1); \
		echo $$sum | cmp -s - $@ || echo $$sum >$@
$(OBJ)/base/build.o: CPPFLAGS += -DSOURCES_SUM='"$(shell cat $(OBJ)/sources.sum 2>/dev/null)"'
$(OBJ)/base/build.o: $(OBJ)/sources.sum
.PHONY: .FORCE

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d)
