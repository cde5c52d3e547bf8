# ridge: `make run` opens the explorer, `make test` runs the tests; both first install what is
# missing (NO_INSTALL=1 only tells). `make help` lists the rest. No configure step.
.DEFAULT_GOAL := all

SAN ?=
B ?= build$(if $(SAN),-san)
PREFIX ?= /usr/local
VERSION := 0.1.0
# What runs in parallel where nobody said -j.
JOBS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PARALLEL = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))

# V=1 shows whole commands. RUN is what runs a program of this build here, where it is made for another
# processor (make portable).
RUN ?=
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-6s %s\n' $(1) $(2))

# Warnings are errors where CI says so (WERROR=1), never for users with another compiler.
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes \
	-Wvla $(if $(WERROR),-Werror)
PKG = $(shell pkg-config $(1) 2>/dev/null)
OPT ?= -O2
CPPFLAGS += -I. -D_XOPEN_SOURCE=700 -DRIDGE_VERSION='"$(VERSION)"'
# A product and a sum are rounded each, by every compiler and on every machine: keys are compared to
# the bit, and a session code means the same numbers everywhere. Two processors would compute with more
# digits than the types have.
PROCESSOR := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
EXACT := $(if $(filter i%86,$(PROCESSOR)),-msse2 -mfpmath=sse) \
	$(if $(filter s390%,$(PROCESSOR)),-fexcess-precision=fast)
# Threads are for measuring this machine (ui/machine) alone.
CFLAGS += -std=c17 -pthread -ffp-contract=off $(strip $(EXACT)) $(OPT) -g $(WARN) $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer \
	-fno-sanitize-recover=all)
LDFLAGS += $(if $(SAN),-fsanitize=$(SAN))
# What is tested is what is installed: every build without sanitizers, which check more and do not go
# together with it, is hardened. The folder that it was built in leaves no trace in it.
# (_FORTIFY_SOURCE takes a compiler that optimises.)
FORTIFY := $(if $(filter -O0,$(OPT)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
STATIC :=
CFLAGS += $(if $(SAN),,$(FORTIFY) -fstack-protector-strong -fPIE -ffile-prefix-map=$(CURDIR)=.)
LDFLAGS += $(if $(SAN),,$(or $(STATIC),-pie) $(if $(filter Darwin,$(shell uname -s)),,-Wl,-z,relro,-z,now))
# Where its tables point to is written a bit each instead of 24 bytes, half a megabyte less to load, if the
# linker can do it and the C library of this machine can read it.
RELR := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ split($$2, v, "."); ok = v[1] > 2 || v[2] >= 36 } END { exit !ok }' && \
	$(CC) -Wl,--help 2>/dev/null | grep -o 'pack-relative-relocs' | head -1)
LDFLAGS += $(if $(SAN)$(STATIC),,$(RELR:%=-Wl,-z,%))
# Programs of drills are confined by it, where there is such a thing.
CONFINES := $(if $(filter Linux,$(shell uname -s)),libseccomp)
CORE_LIBS := $(call PKG,--libs libcmark libcjson $(CONFINES)) -lm
TERM_LIBS := $(call PKG,--libs ncursesw)
TEST_LIBS := $(call PKG,--libs criterion vterm)
PKG_CFLAGS := $(call PKG,--cflags libcmark libcjson $(CONFINES)) $(call PKG,--cflags criterion vterm)
CFLAGS += $(PKG_CFLAGS)

# Everything but main and the one file that knows ncurses: what the tests link.
TERM_SRC := ui/term/term.c
MAIN_SRC := ui/main.c
CORE := $(filter-out $(TERM_SRC) $(MAIN_SRC),$(wildcard sims/*/*.c drills/*.c ui/*.c ui/*/*.c ui/*/*/*.c))
TEST := $(wildcard tests/*.c)
CONTENT := $(shell find content -type f ! -name '*.c' | LC_ALL=C sort)
obj = $(patsubst %.c,$(B)/%.o,$(1))
DEPS = $(call obj,$(CORE) $(TERM_SRC) $(MAIN_SRC) $(TEST) $(wildcard tests/fit/*.c) content/editions.c content/errors.c content/tables.c content/numbers.c content/train.c)

# Where a program of the build takes long here, the numbers of the pages are left to the program.
KNOWN := errors tables $(if $(RUN)$(SAN),,numbers)
# What of it the tests are linked with, each of which would work it out anew. LISTS= leaves it out, so that
# a test reaches the models themselves (make mutants, make coverage).
LISTS ?= $(KNOWN)

all: $(B)/ridge

$(B)/ridge: $(call obj,$(MAIN_SRC) $(TERM_SRC) $(CORE)) $(B)/content.o $(KNOWN:%=$(B)/known_%.o)
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS) $(TERM_LIBS)

# The same, linked with all that it needs, by packaging/static, which says with what and how. It may
# find no terminfo: the entry of one terminal goes with it.
$(B)/ridge-static: $(call obj,$(MAIN_SRC) $(CORE)) $(B)/ui/term/term_static.o $(B)/content.o $(KNOWN:%=$(B)/known_%.o)
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS) $(TERM_LIBS)
$(B)/ui/term/term_static.o: $(TERM_SRC) $(B)/flags
	$(call say,cc,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -DRIDGE_TERMINFO='"$(TERMINFO_ENTRY)"' -MMD -MP -c $< -o $@

# No ncurses on the link line, on purpose: a module that draws in the terminal does not link.
$(B)/tests/run: $(call obj,$(TEST) $(CORE)) $(B)/content.o $(LISTS:%=$(B)/known_%.o)
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS) $(TEST_LIBS) -lutil

# Another compiler or other flags: everything anew. Warnings that become errors change no code.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(VERSION) $(filter-out -Werror,$(CFLAGS))' | cmp -s - $@ || \
		printf '%s\n' '$(CC) $(VERSION) $(filter-out -Werror,$(CFLAGS))' > $@

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# Criterion's own macros convert as they like.
$(B)/tests/%.o: private WARN += -Wno-conversion -Wno-sign-conversion -Wno-pedantic \
	-Wno-missing-field-initializers

# Pages and data travel inside the binary.
$(B)/embed: content/embed.c ui/data/content_facts.c ui/data/content_facts.h ui/data/in_depth.c \
	ui/data/in_depth.h
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(filter-out -fsanitize=%,$(CFLAGS)) $(filter %.c,$^) -o $@
$(B)/content.list: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(CONTENT) | cmp -s - $@ || printf '%s\n' $(CONTENT) > $@
$(B)/content.c: $(B)/embed $(B)/content.list $(CONTENT)
	$(Q)$(RUN) $(B)/embed $(CONTENT) > $@.new && mv $@.new $@
$(B)/content.o: $(B)/content.c $(B)/flags
	$(call say,cc,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-overlength-strings -c $< -o $@

# What takes long and is the same each time is worked out here, not at each start: how wrong the models
# are, the tables of accelerators and models, the numbers that pages quote from simulations. A screen changes
# none of them.
KNOWERS := $(filter-out ui/screens/% ui/shell/% ui/commands/% ui/interviewer/%,$(CORE))
$(KNOWN:%=$(B)/%): $(B)/%: $(B)/content/%.o $(call obj,$(KNOWERS)) $(B)/content.o
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)
$(KNOWN:%=$(B)/known_%.c): $(B)/known_%.c: $(B)/%
	$(Q)XDG_CONFIG_HOME=/nonexistent XDG_DATA_HOME=/nonexistent RIDGE_CONTENT= $(RUN) $< > $@.new && mv $@.new $@
$(KNOWN:%=$(B)/known_%.o): %.o: %.c $(B)/flags
	$(call say,cc,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# The small networks of the simulation `compression` are trained from the digits beside them.
$(B)/train: $(call obj,content/train.c $(filter sims/%,$(CORE)))
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)
train: $(B)/train
	$(B)/train < content/digits/digits.txt > $(B)/networks.txt
	mv $(B)/networks.txt content/digits/networks.txt

# The models' constants, anew from what was measured: equal to those in the tree?
FIT := $(call obj,$(wildcard tests/fit/*.c))
DATA ?= content/measured
$(B)/fit: $(FIT) $(call obj,$(CORE)) $(B)/content.o
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)
fit: $(B)/fit
	$(Q)$(B)/fit $(DATA)

run:
	@.ci/deps run
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@$(B)/ridge

test:
	@.ci/deps test
	@$(MAKE) --no-print-directory $(PARALLEL) unit

# A build that has passed leaves a mark: CI asks twice for the tests of one build (passed), an inner
# loop for those that a change can affect (quick).
PASSED = $(B)/tests/passed
unit: $(B)/ridge $(B)/tests/run
	@touch $(PASSED).new
	$(Q)RIDGE=$(B)/ridge $(if $(SAN),.ci/sanitized $(B)) .ci/tests $(B) $(B)/tests/run -j$(JOBS) \
		--timeout 240 $(ARGS)
	@$(if $(ARGS),rm $(PASSED).new,mv $(PASSED).new $(PASSED); cp -p $(PASSED) $(B)/tests/quick)
quick: $(B)/ridge $(B)/tests/run
	@.ci/quick $(B) $(JOBS)

deps:
	@.ci/deps all

help:
	@echo 'make run        open the explorer (installs what is missing first)'
	@echo 'make test       run the tests'
	@echo 'make quick      the tests that the changes can affect, without the long ones'
	@echo 'make check      what CI runs: tests, sanitizers, valgrind, linters, include rules, format,'
	@echo '                listings in pages, sentences of others (shingles: in RIDGE_SOURCES=DIR)'
	@echo 'make laws       the laws over drills, cases and simulations, at their full count'
	@echo 'make sanitized  every test under the sanitizers: over an hour'
	@echo 'make mutants    change the models one place at a time: do the tests see it? MUTANTS=200 SEED=1'
	@echo 'make coverage   how many lines and branches the tests run, by folder: 97 % and 92 %, or it fails'
	@echo 'make fuzz-hour  every fuzz target for five minutes: a finding, or one too slow? FUZZ_SECONDS=300'
	@echo 'make escapes    control characters in everything that comes from others: do any come out?'
	@echo 'make torture    no memory at every allocation of commands and screens: a crash, or less said? STRIDE=1'
	@echo 'make corrupt    damage the user'"'"'s own files in every way: told, and kept?'
	@echo 'make writers    four programs answer at once: is every answer kept?'
	@echo 'make terminals  sizes, stops, ways out, lost streams: is the terminal right? TERMINAL_RESIZES=200'
	@echo 'make monkey     any keys into the sanitized program: does it crash? MONKEY_KEYS=50000'
	@echo 'make promises   what README promises, each with its figure'
	@echo 'make portable   other compilers, musl, 32 bits, big endian: the same answers?'
	@echo 'make bench      time to first frame, knob step, bytes per cell, events per second, bandwidth'
	@echo 'make sheet      every screen as pictures on one page: build/sheet/index.html'
	@echo 'make install    to $$(DESTDIR)$(PREFIX); make uninstall takes it away'
	@echo 'make dist, make deb, make static: an archive of the sources, a package for Debian, a program'
	@echo '                for any Linux; make package-check tries them in a fresh system, as root'
	@echo 'make train      the small networks of `compression`, anew: the same bytes'
	@echo 'make fit        the constants anew from measurements (DATA=DIR), and errors held out'
	@echo 'make deps       install what building, testing and checking need'
	@echo 'make layers, globals, format, listings, shingles, codes, lint, valgrind, fuzz-smoke:'
	@echo '                one of the checks alone'
	@echo 'make unchanged OLD=RIDGE: this build prints what that one does, byte for byte'
	@echo 'make record     what the models say at many settings, anew: after a change that is meant'
	@echo 'make reformat   clang-format over the tree'
	@echo 'make editions   an edition of the drill bank more, with the drills that are in none'
	@echo 'make docs       the pictures in README and docs/, and the tables in docs/, anew'
	@echo 'make pictures   the pictures alone'
	@echo 'make players    talks in asciinema, rsvg-convert and Chromium (installs them first)'
	@echo 'make clean      remove build products'
	@echo 'Settings: CC=clang  SAN=address,undefined  WERROR=1  NO_INSTALL=1  PREFIX=DIR  V=1'

# The manual page and what completes words in shells are made from the table of options.
MAN := share/man/man1/ridge.1
BASH := share/bash-completion/completions/ridge
ZSH := share/zsh/site-functions/_ridge
FISH := share/fish/vendor_completions.d/ridge.fish
INSTALLED := $(MAN) $(BASH) $(ZSH) $(FISH)
install: all
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(B)/ridge "$(DESTDIR)$(PREFIX)/bin/ridge"
	@for f in $(INSTALLED); do install -d "$(DESTDIR)$(PREFIX)/$${f%/*}"; done
	$(B)/ridge info --man > $(B)/ridge.1
	@for shell in bash zsh fish; do $(B)/ridge info --completion $$shell > $(B)/completion.$$shell; done
	install -m 644 $(B)/ridge.1 "$(DESTDIR)$(PREFIX)/$(MAN)"
	install -m 644 $(B)/completion.bash "$(DESTDIR)$(PREFIX)/$(BASH)"
	install -m 644 $(B)/completion.zsh "$(DESTDIR)$(PREFIX)/$(ZSH)"
	install -m 644 $(B)/completion.fish "$(DESTDIR)$(PREFIX)/$(FISH)"
uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/ridge" $(INSTALLED:%="$(DESTDIR)$(PREFIX)/%")

# For others: an archive of the sources, a package for Debian and Ubuntu, one program that needs nothing.
# The same sources give the same bytes. package-check tries all of it in a fresh system (as root).
dist:
	@packaging/dist $(B)
deb:
	@.ci/deps deb
	@$(MAKE) --no-print-directory $(PARALLEL) all
	+@packaging/deb $(B)
static:
	@.ci/deps static
	+@packaging/static $(B) $(CC)
package-check:
	@.ci/deps package
	+@packaging/try $(B)

clean:
	rm -rf build build-*

FORCE:
.PHONY: all run test unit quick train fit deps help install uninstall dist deb static package-check clean FORCE
-include $(wildcard .ci/check.mk)
-include $(DEPS:.o=.d) $(B)/ui/term/term_static.d
