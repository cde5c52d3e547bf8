/* What tests that run programs share: the bank, a TMPDIR of their own, deals and runs. */
#ifndef RIDGE_TESTS_RUNS_H
#define RIDGE_TESTS_RUNS_H

#include "ui/data/bank_load.h"
#include "ui/programs/code_run.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tables tables;
static struct drill_bank bank;
static char place[] = "/tmp/ridge-code-XXXXXX"; /* TMPDIR of these tests */

static inline void load(void)
{
	char err[300] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
	cr_assert(mkdtemp(place) != NULL);
	setenv("TMPDIR", place, 1);
}

/* Nothing is left, ever. */
static inline void release(void)
{
	cr_expect(zero(int, rmdir(place)), "%s: something was left there", place);
	bank_release(&bank);
	tables_release(&tables);
}

static inline void need(const char *program)
{
	char path[1024];
	if (child_find(program, path, sizeof path))
		return;
	rmdir(place); /* what is skipped is not torn down */
	cr_skip_test("there is no %s here", program);
}

static inline struct variant deal_drill(const char *id, uint64_t seed)
{
	struct variant v;
	char err[300] = "";
	const struct drill *d = bank_find(&bank, id);
	cr_assert(d != NULL, "%s", id);
	cr_assert(zero(int, deal(d, &tables, seed, 0, &v, err, sizeof err)), "%s", err);
	return v;
}

static inline struct code_result run(const struct variant *v, const char *program)
{
	/* Generous by the clock: others use the machine too. */
	static const struct code_limits limits = { 20000, 2, (size_t)512 << 20, 256 << 10 };
	struct code_result r;
	char err[600] = "";
	cr_assert(zero(int, code_run(v, program, &limits, &r, err, sizeof err)), "%s: %s",
		v->drill->id, err);
	return r;
}

/* The solution with one text put for another. */
static inline void change(
	const struct variant *v, const char *from, const char *to, char *out, size_t size)
{
	const char *p = strstr(v->program->solution, from);
	cr_assert(p != NULL, "%s: %s", v->drill->id, from);
	snprintf(out, size, "%.*s%s%s", (int)(p - v->program->solution), v->program->solution, to,
		p + strlen(from));
}

#endif
