# make check: everything that must hold before a change lands. Each line says what it checks.
CHECK_SRC := $(CORE) $(TERM_SRC) $(MAIN_SRC)
CHECK_ALL := $(CHECK_SRC) $(TEST) $(wildcard sims/*.h drills/*.h ui/*.h ui/*/*.h tests/*.h)
SAN_FLAGS := address,undefined

check: layers format
	@.ci/deps all
	@$(MAKE) --no-print-directory WERROR=1 unit
	@$(MAKE) --no-print-directory B=build-clang CC=clang WERROR=1 build-clang/ridge build-clang/tests/run
	@$(MAKE) --no-print-directory SAN=$(SAN_FLAGS) WERROR=1 unit
	@$(MAKE) --no-print-directory fuzz-smoke valgrind lint
	@echo 'check: all of it passed'

# ui -> drills, sims; drills -> sims; sims -> libc. Nothing points back, and one file knows ncurses.
layers:
	@! grep -rnE '#include [<"]n?curses|#include <term.h>' sims drills tests $(filter-out $(TERM_SRC),$(wildcard ui/*.c ui/*.h ui/*/*))
	@! grep -rnE '#include "(ui|drills|tests)/' sims
	@! grep -rnE '#include "(ui|tests)/' drills
	@! grep -rnE '#include "tests/' ui
	@! grep -rnlE '#include <cjson' sims | grep -v tables
	@! grep -rnE '\b(rand|srand|gets|strtok|sprintf)\(' sims drills ui --include=*.c
	@! grep -rnE '\b(time|clock|clock_gettime|gettimeofday)\(' sims drills $(filter-out ui/main.c,$(wildcard ui/*.c ui/*/*.c))
	@echo 'layers: in order'

format:
	@clang-format --dry-run -Werror $(CHECK_ALL)
	@echo 'format: in order'

lint:
	clang-tidy --quiet $(CHECK_SRC) -- $(CPPFLAGS) -std=c17 2>/dev/null
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -I. -DRIDGE_VERSION='"x"' \
		--enable=warning,performance,portability --suppress=missingIncludeSystem \
		--suppress=normalCheckLevelMaxBranches --check-level=normal $(CHECK_SRC) 2>/dev/null || \
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -I. -DRIDGE_VERSION='"x"' \
		--enable=warning,performance,portability $(CHECK_SRC)

# The real program in a terminal under valgrind: no leak, no invalid access.
valgrind: $(B)/ridge $(B)/tests/run
	@printf '%s\n' '#!/bin/sh' \
		'exec valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite $(abspath $(B)/ridge) "$$@"' \
		> $(B)/ridge-valgrind && chmod +x $(B)/ridge-valgrind
	RIDGE_SLOW=1 RIDGE=$(B)/ridge-valgrind $(B)/tests/run -j1 --quiet --filter 'terminal/walk*'

# Each fuzz target over its own seeds and a fixed number of mutations (the
# slow ones as many as a minute has room for), where clang has libFuzzer.
FUZZ := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_RUNS ?= 20000
FUZZ_SECONDS ?= 60
fuzz-smoke: $(foreach f,$(FUZZ),build-fuzz/$(f))
	@for f in $(FUZZ); do echo "$$f"; build-fuzz/$$f -runs=$(FUZZ_RUNS) -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -seed=1 \
		-verbosity=0 >build-fuzz/$$f.log 2>&1 || { tail -30 build-fuzz/$$f.log; exit 1; }; done
build-fuzz/%: tests/fuzz/%.c $(CORE)
	@$(MAKE) --no-print-directory B=build-fuzz CC=clang \
		CFLAGS='-fsanitize=fuzzer-no-link,address,undefined' fuzz-binary FUZZ_NAME=$*
fuzz-binary: $(call obj,$(CORE) tests/fuzz/$(FUZZ_NAME).c) $(B)/content.o
	$(CC) $(CFLAGS) -fsanitize=fuzzer,address,undefined $^ -o $(B)/$(FUZZ_NAME) $(CORE_LIBS)

# The picture and the key table in the README are what the program prints; a test compares them.
readme: $(B)/ridge
	@{ echo '```text'; LC_ALL=C.UTF-8 $(B)/ridge frame roofline --size 100x32; echo '```'; } > $(B)/frame.txt
	@$(B)/ridge info --keys > $(B)/keys.txt
	@awk -v b=$(B) '/^<!-- end -->/ { skip = 0 } !skip { print } \
		/^<!-- (frame|keys):/ { skip = 1; f = b "/" ($$2 == "frame:" ? "frame" : "keys") ".txt"; \
			while ((getline line < f) > 0) print line }' README.md > $(B)/README.md
	@mv $(B)/README.md README.md

bench: $(B)/ridge $(B)/tests/bench
	$(B)/tests/bench $(B)/ridge
$(B)/tests/bench: $(B)/tests/bench/bench.o $(B)/tests/pty.o $(call obj,$(CORE)) $(B)/content.o
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS) $(TEST_LIBS) -lutil

.PHONY: readme check layers format lint valgrind fuzz-smoke fuzz-binary bench
