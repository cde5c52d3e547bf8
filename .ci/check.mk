# make check: everything that must hold before a change lands, the quickest first. Each target says
# what it checks and can be run alone. Long scripts stand beside this file.
CHECK_SRC := $(CORE) $(TERM_SRC) $(MAIN_SRC)
CHECK_ALL := $(sort $(CHECK_SRC) $(wildcard content/*.c) $(wildcard tests/*.c tests/*/*.c tests/*.h \
	sims/*.h sims/*/*.h drills/*.h ui/*.h ui/*/*.h ui/*/*/*.h))
MAKE_QUIET = $(MAKE) --no-print-directory $(PARALLEL)

# The other build: the other compiler, its warnings as errors, sanitizers and the coverage that libFuzzer
# asks for. The tests run in it, the fuzz targets are linked from it, and codes are compared with it.
SAN_FLAGS := address,undefined
SAN_B := build-san
SANITIZED = $(MAKE_QUIET) B=$(SAN_B) CC=clang OPT=-O1 SAN=fuzzer-no-link,$(SAN_FLAGS) WERROR=1

# What takes long is done in part here, and whole by `make laws`, `make sanitized`, `make fuzz-smoke` and
# `make lint`. Under the sanitizers tests take ten times as long: those of the explorer and of the program
# are left out, for fuzz targets press keys on all screens and run all simulations there; so are laws and
# the record, which ask what the models say.
CHECK_ANSWERS := 200000
CHECK_FUZZ := 3000
CHECK_NODES := 40000
STARTERS = grep -lE '"tests/(explorer|driller|interviewer|pty|record|record_digest)[.]h"|getenv\("RIDGE"\)' tests/*.c
SUITES_OF = sed -nE 's/^[[:space:]]*Test\(([a-z_0-9]+),.*/\1/p'
CHECK_LEFT = $(sort $(shell $(STARTERS) | xargs $(SUITES_OF)) laws laws_cases laws_models laws_sims cases \
	$(SAN_LEFT))
# What confines a program has little memory to do it in, less than the sanitizers take for themselves.
SAN_LEFT := code_run code_hostile confine

check:
	@.ci/deps all
	+@$(MAKE_QUIET) layers
	+@$(MAKE_QUIET) format
	+@$(MAKE_QUIET) listings shingles
	+@$(MAKE_QUIET) globals unit-once
	@echo 'check: clang, $(SAN_FLAGS)'
	+@$(SANITIZED) $(SAN_B)/ridge $(SAN_B)/tests/run
	+@$(MAKE_QUIET) codes
	@echo 'check: fit'
	+@$(MAKE_QUIET) fit
	@echo 'check: tests of modules under $(SAN_FLAGS)'
	+@RIDGE_QUICK=1 RIDGE_LEAVE='$(CHECK_LEFT)' LAWS_ANSWERS=$(CHECK_ANSWERS) \
		$(SANITIZED) ARGS="--filter '*/*'" unit
	+@$(MAKE_QUIET) FUZZ_RUNS=$(CHECK_FUZZ) fuzz-smoke
	+@$(MAKE_QUIET) valgrind
	+@NODES=$(CHECK_NODES) $(MAKE_QUIET) lint
	@echo 'check: all of it passed'

# Every test under the sanitizers, the long ones too: over an hour on two cores.
sanitized:
	+@RIDGE_LEAVE='$(SAN_LEFT)' $(SANITIZED) $(SAN_B)/ridge $(SAN_B)/tests/run unit

# The tests, unless this very build has passed them already: neither the program nor the tests nor a
# file that tests read is newer than the mark of a run without a failure.
unit-once: $(B)/ridge $(B)/tests/run
	+@if [ -e $(PASSED) ] && [ -z "$$(find $^ README.md CHANGELOG.md Makefile docs packaging tests/data tests/fault .ci -newer $(PASSED))" ]; then \
		echo 'unit: this build has passed its tests already'; \
	else $(MAKE_QUIET) unit; fi

# ui -> drills, sims; drills -> sims; sims -> libc. Nothing points back, one file knows ncurses.
# The floors are printed; the checks are themselves fed a fault; no circle of files or folders is large.
layers: $(call obj,$(CHECK_SRC))
	@.ci/layers
	@.ci/layers-forbidden
	@.ci/headers $(CC) $(CPPFLAGS) $(filter-out -g -O% $(FORTIFY),$(CFLAGS))
	@.ci/knots $(B)
	@CC='$(CC)' .ci/parameters

# Nothing in the core changes from one call to the next but what is passed: no variable of a file
# or of a function can be written. (Tables of pointers are in .data.rel.ro.) Signal handlers reach
# nothing else, so the file that has them is an exception.
globals: $(filter-out %/ui/term/tty.o,$(call obj,$(CORE)))
	@! for o in $^; do objdump -t $$o | sed "s|^|$$o: |"; done | grep -E ' O \.(data|bss)[[:space:]]'
	@echo 'globals: none can be written'

# Versions of clang-format differ in small things; the tree follows this one.
FORMAT_VERSION := 14
format:
	@if clang-format --version | grep -q 'version $(FORMAT_VERSION)\.'; then \
		clang-format --dry-run -Werror $(CHECK_ALL) || { echo 'make reformat mends it'; exit 1; }; \
		echo 'format: in order'; \
	else echo 'format: not checked, that takes clang-format $(FORMAT_VERSION)'; fi
reformat:
	$(call say,format,'$(words $(CHECK_ALL)) files')
	$(Q)clang-format -i $(CHECK_ALL)

# Python in the pages compiles, and what only computes prints what the page shows.
listings:
	@.ci/listings

# No sentence of the book is somebody else's: RIDGE_SOURCES names a folder of texts to hold it against.
shingles:
	@.ci/shingles "$(RIDGE_SOURCES)"

# The laws that `make test` tries, as often as the design promises: seeds of every drill, a million
# answers under the sanitizers, sessions that are killed.
LAWS_SEEDS ?= 10000
LAWS_ANSWERS ?= 1000000
LAWS_KILLS ?= 200
LAWS_RUNS ?= 100
LAWS_SETTINGS ?= 1000
LAWS_CASES ?= 25
LAWS_FIGURES ?= 20000
LAWS_PAGES ?= 20000
laws: $(B)/ridge $(B)/tests/run
	@echo 'laws: $(LAWS_SEEDS) seeds a drill, $(LAWS_KILLS) kills, $(LAWS_SETTINGS) settings a simulation'
	@RIDGE=$(B)/ridge LAWS_SEEDS=$(LAWS_SEEDS) LAWS_KILLS=$(LAWS_KILLS) LAWS_FRAMES=10 \
		LAWS_RUNS=$(LAWS_RUNS) LAWS_SETTINGS=$(LAWS_SETTINGS) LAWS_CASES=$(LAWS_CASES) \
		LAWS_FIGURES=$(LAWS_FIGURES) LAWS_PAGES=$(LAWS_PAGES) \
		$(B)/tests/run -j$(JOBS) --timeout 7200 --filter 'laws*/*'
	@echo 'laws: $(LAWS_ANSWERS) answers under $(SAN_FLAGS)'
	+@$(SANITIZED) $(SAN_B)/ridge $(SAN_B)/tests/run
	@LAWS_ANSWERS=$(LAWS_ANSWERS) .ci/sanitized $(SAN_B) $(SAN_B)/tests/run -j$(JOBS) \
		--timeout 7200 --filter 'laws_answers/*'

# A session code means the same problems whatever compiled ridge.
codes: $(B)/ridge
	+@$(SANITIZED) $(SAN_B)/ridge
	@.ci/same $(B)/ridge $(SAN_B)/ridge

# Other compilers, another C library, 32 bits and the other order of bytes: the same answers? Half an
# hour on two cores. ON='clang i386' names some of them.
portable: $(B)/ridge
	@.ci/deps portable
	+@JOBS=$(JOBS) .ci/portable $(B)/ridge $(B) $(ON)

# How many lines and branches the tests run. Asserts are compiled out: that one does not fail is no branch that
# a test could take. Fails below 97 % of lines and 92 % of branches, and for a file of which less than 70 % of
# lines run and that .ci/uncovered does not name. CONTINUE=1 ONLY='SUITE/*' adds what some suites run to the
# counts of the last time.
COV_B := build-cov
coverage:
	@.ci/deps coverage
	+@$(MAKE_QUIET) B=$(COV_B) CC=gcc OPT=-O0 LISTS= $(COV_B)/ridge $(COV_B)/tests/run $(addprefix $(COV_B)/,$(FUZZ))
	@.ci/coverage-run $(COV_B) $(JOBS)
	@.ci/coverage $(COV_B)
ifeq ($(B),$(COV_B))
# Where counts go is an absolute path, for tests change folders.
COUNTED := --coverage -fprofile-update=single -fprofile-prefix-map=$(CURDIR)=$(CURDIR)
CFLAGS += $(COUNTED) -DNDEBUG
LDFLAGS += --coverage -Wl,--wrap=raise
$(B)/ridge $(B)/tests/run $(B)/embed $(KNOWN:%=$(B)/%): $(B)/.ci/coverage_shared.o
$(B)/.ci/%.o $(B)/tests/%.o $(B)/content.o: private COUNTED :=
# Networks are trained anew by a test, which takes minutes without it.
TRAINED := $(addprefix $(B)/sims/compression/,train.o mlp.o networks.o)
$(TRAINED): private CFLAGS += -O2
endif

# One change of a model at a time: do the tests see it? MUTANTS=200 of them, chosen by SEED=1; which
# files, which changes and which tests, says the script. Fails below SHARE=95 %.
mutants:
	@JOBS=$(JOBS) tests/mutants/mutants

# Whether text of others steers the terminal: some thousands of runs, a few minutes on two cores.
escapes: $(B)/ridge
	@JOBS=$(JOBS) tests/escapes/escapes $(B)/ridge $(ONLY)

# What happens where there is no memory: every allocation of commands and screens fails, once and for ever.
# Some minutes on two cores; STRIDE=1 leaves none of them out, and takes hours.
torture: $(B)/ridge
	@JOBS=$(JOBS) tests/torture/torture $(B)/ridge $(B) $(ONLY)

# What becomes of the user's own files when they are damaged: some thousands of runs, a quarter of an hour
# on two cores.
corrupt: $(B)/ridge
	@JOBS=$(JOBS) tests/corrupt/corrupt $(B)/ridge "$(ONLY)"

# Whether four programs that answer at once lose an answer.
writers: $(B)/ridge
	@tests/promises/writers $(B)/ridge

# What README promises, each with its figure.
promises: $(B)/ridge $(B)/tests/run
	@JOBS=$(JOBS) tests/promises/promises $^

# Whether the screen is right after every change of the window's size and every stop, the terminal whole after
# every way out, and the processor left alone where a stream is lost. Some minutes.
TERMINAL_RESIZES ?= 200
TERMINALS := terminal*/@(restored|ends_with|control_z|resizes|stops|no_stream)*
terminals: $(B)/ridge $(B)/tests/run
	@JOBS=$(JOBS) TERMINAL_RESIZES=$(TERMINAL_RESIZES) tests/promises/promises $^ '$(TERMINALS)'

# Any keys, clicks, bytes and sizes, of five seeds, into the program under the sanitizers, in a terminal: a
# crash? Half an hour on two cores.
MONKEY_KEYS ?= 50000
monkey: $(B)/tests/run
	+@$(SANITIZED) $(SAN_B)/ridge
	@JOBS=$(JOBS) MONKEY_KEYS=$(MONKEY_KEYS) tests/promises/promises $(SAN_B)/ridge $^ 'terminal_monkey/*'

# A change of the structure shows in no byte that a user reads: OLD is the `ridge` of an earlier build.
unchanged: $(B)/ridge $(B)/tests/unchanged/settings
	@JOBS=$(JOBS) tests/unchanged/unchanged $(OLD) $^
$(B)/tests/unchanged/settings: $(B)/tests/unchanged/settings.o $(call obj,$(CORE)) $(B)/content.o
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)

# What the program says, anew (tests/record.h): after a change that is meant, and that somebody has
# looked at.
record: $(B)/tests/record/record
	$(B)/tests/record/record > $(B)/record.txt
	mv $(B)/record.txt tests/data/record.txt
	@git diff --stat -- tests/data/record.txt
$(B)/tests/record/record: $(B)/tests/record/record.o $(B)/tests/record.o $(B)/tests/record_numbers.o $(call obj,$(CORE)) $(B)/content.o
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)

# Two analysers over the program, one file at a time: with several files in one process clang-tidy
# 14 takes every va_list after the first file's for uninitialised.
lint:
	@echo 'lint: clang-tidy'
	@printf '%s\n' $(CHECK_SRC) | xargs -P$(JOBS) -n1 .ci/tidy $(call PKG,--cflags libcmark libcjson $(CONFINES))
	@echo 'lint: cppcheck'
	@cppcheck --quiet -j$(JOBS) --std=c11 --error-exitcode=1 --inline-suppr -I. \
		-D_XOPEN_SOURCE=700 -DRIDGE_VERSION='"$(VERSION)"' \
		--enable=warning,performance,portability $(CHECK_SRC)
	@echo 'lint: clean'

# The real program in a terminal, walked through every screen under valgrind: no leak, no invalid
# access. What ncurses keeps to the end is still reachable, and no leak.
WALK := terminal/walk*
valgrind: $(B)/ridge $(B)/tests/run
	@.ci/valgrind $(B) '$(WALK)'

# Each fuzz target over its seeds and a fixed number of mutations of them.
FUZZ := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_RUNS ?= 10000
fuzz-smoke:
	@echo 'fuzz: $(FUZZ)'
	+@$(SANITIZED) $(addprefix $(SAN_B)/,$(FUZZ))
	@printf '%s\n' $(FUZZ) | xargs -P$(JOBS) -n1 .ci/fuzz $(SAN_B) runs $(FUZZ_RUNS)

# Each of them as long as there is time for, with other mutations each time: over an hour on two cores.
# Fails at a finding, and where a target is too slow to find any; all of them run before it does.
# ONLY="fuzz_page ..." are some of them.
FUZZ_SECONDS ?= 300
fuzz-hour:
	+@$(SANITIZED) $(addprefix $(SAN_B)/,$(or $(ONLY),$(FUZZ)))
	@printf '%s\n' $(or $(ONLY),$(FUZZ)) | xargs -P$(JOBS) -n1 .ci/fuzz $(SAN_B) seconds $(FUZZ_SECONDS)
# What was found since, into the tree, so that every run begins there.
FUZZ_KEPT := 14000
fuzz-keep:
	@printf '%s\n' $(or $(ONLY),$(FUZZ)) | xargs -P$(JOBS) -n1 .ci/fuzz $(SAN_B) keep $(FUZZ_KEPT)
ifeq ($(B),$(COV_B))
$(addprefix $(B)/,$(FUZZ)): $(B)/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(call obj,$(CORE)) $(B)/content.o \
		$(B)/.ci/coverage_shared.o
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)
endif
ifeq ($(B),$(SAN_B))
# Models read no text, and a search reads all there is: what they compare leads the fuzzer nowhere, and
# telling it takes two thirds of their time.
FUZZ_BLIND := communication diagnosis driving gpu memory scaling serving training
FUZZ_BLIND_TOO := $(addprefix sims/base/,events histogram match stats) sims/figure/figure ui/pages/search \
	$(addprefix sims/compression/,channels compress compression compression_study mlp prune quantise train)
$(foreach floor,$(FUZZ_BLIND),$(B)/sims/$(floor)/%.o) $(FUZZ_BLIND_TOO:%=$(B)/%.o): private CFLAGS += -fno-sanitize-coverage=trace-cmp
# What is embedded; for the explorer a thin part of it, for its palette reads all drills and searches all
# pages at a key.
FUZZ_THIN := $(filter-out content/chapters/% content/reference/% content/drills/% content/cases/% content/tours/%,$(CONTENT)) \
	$(wildcard content/chapters/07-*.md content/reference/pathologies.md content/drills/editions.json content/drills/occupancy.json \
	content/cases/fast-for-one.json content/cases/gradients-over-ethernet.json content/tours/allreduce.md \
	content/tours/33-milliseconds.md content/tours/why-is-my-gpu-idle.md)
$(B)/thin.c: $(B)/embed $(FUZZ_THIN)
	$(Q)$(B)/embed $(sort $(FUZZ_THIN)) > $@.new && mv $@.new $@
$(B)/thin.o: $(B)/thin.c $(B)/flags
	$(call say,cc,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-overlength-strings -c $< -o $@
FUZZ_CONTENT = $(B)/content.o
$(B)/fuzz_keys: private FUZZ_CONTENT = $(B)/thin.o
$(B)/fuzz_keys: $(B)/thin.o
$(addprefix $(B)/,$(FUZZ)): $(B)/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(call obj,$(CORE)) $(B)/content.o $(KNOWN:%=$(B)/known_%.o)
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer $(filter-out $(B)/content.o $(B)/thin.o,$^) $(FUZZ_CONTENT) -o $@ $(CORE_LIBS)
endif

# What the design promises, measured; judges nothing.
bench: $(B)/ridge $(B)/tests/bench/bench $(B)/tests/bench/minimal
	@$(B)/tests/bench/bench $(B)/ridge $(B)/tests/bench/minimal
$(B)/tests/bench/bench: $(call obj,$(wildcard tests/bench/bench*.c) tests/pty.c $(CORE)) $(B)/content.o
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS) $(TEST_LIBS) -lutil
$(B)/tests/bench/minimal: $(B)/tests/bench/minimal.o
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(TERM_LIBS)

# Every screen as pictures on one page, for eyes: at four sizes, on both grounds.
sheet: $(B)/tests/sheet/sheet
	@rm -rf $(B)/sheet && mkdir -p $(B)/sheet
	@XDG_DATA_HOME=/nonexistent $(B)/tests/sheet/sheet $(B)/sheet $(JOBS)
$(B)/tests/sheet/sheet: $(call obj,$(wildcard tests/sheet/*.c) $(CORE)) $(B)/content.o
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)

-include $(patsubst %.c,$(B)/%.d,$(wildcard tests/fuzz/*.c tests/bench/*.c \
	tests/sheet/*.c tests/unchanged/*.c tests/record/*.c))
.PHONY: sheet check sanitized unit-once unchanged record mutants escapes torture corrupt writers promises terminals monkey layers globals format reformat listings shingles laws codes coverage lint valgrind fuzz-smoke fuzz-hour fuzz-keep portable bench

# The pictures in README and docs/ are what the program draws, and a test compares them. A line
# "<!-- svg: FILE: ridge WORDS -->" says of what screen FILE is the picture.
PICTURED := README.md $(wildcard docs/*.md)
pictures: $(B)/ridge
	@sed -n 's|^<!-- svg: \(.*\): ridge \(.*\) -->$$|draw \1 \2 --svg|p' $(PICTURED) > $(B)/pictures
	@draw() { to=$$1; shift; $(B)/ridge "$$@" > $(B)/picture.svg && mv $(B)/picture.svg $$to; }; \
		set -e; export XDG_CONFIG_HOME=/nonexistent; . ./$(B)/pictures

# So are the tables in docs/, which stand between "<!-- NAME: ... -->" and "<!-- end -->".
DOCS := docs/keys.md docs/commands.md
docs: pictures
	@$(B)/ridge info --keys > $(B)/keys.txt
	@$(B)/ridge info --commands > $(B)/commands.txt
	@for f in $(DOCS); do \
		awk -v b=$(B) '/^<!-- end -->/ { skip = 0 } !skip { print } \
			/^<!-- (keys|commands):/ { skip = 1; sub(":", "", $$2); f = b "/" $$2 ".txt"; \
				while ((getline line < f) > 0) print line }' $$f > $(B)/made.md && \
		mv $(B)/made.md $$f; \
	done
.PHONY: docs pictures

# Recordings, pictures and pages of talks in the programs that play them. Not a part of check: it takes
# a browser. TALKS="ID ..." are some of them.
players: $(B)/ridge
	@.ci/deps players
	@.ci/players $(B)/ridge $(B)/players $(TALKS)
.PHONY: players

# A new edition of the drill bank, of all drills that are in none: then session codes know them.
# There can be 31 editions (drills/code.h), so once for all the drills of a change.
editions: $(B)/editions
	@$(B)/editions content/drills/editions.json $(filter content/drills/%.json,$(CONTENT)) > \
		$(B)/editions.json
	@cmp -s $(B)/editions.json content/drills/editions.json || \
		mv $(B)/editions.json content/drills/editions.json
$(B)/editions: $(call obj,content/editions.c)
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)
.PHONY: editions
