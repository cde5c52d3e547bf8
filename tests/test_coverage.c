/* The drills reach every row of the field that they promise: calculators, kinds of problem, the
 * rows of the tables of symptoms and scenarios, numbers to know, and each figure or claim that goes
 * round wrong. Ids are those of the inventory; rows of a table are counted from 1. */
#include "tests/settings.h"

#include "ui/data/bank_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static struct tables tables;
static struct drill_bank bank;

static void load(void)
{
	char err[300];
	tables = load_tables();
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
}

static void release(void)
{
	bank_release(&bank);
	tables_release(&tables);
}

static bool covers(const struct drill *d, const char *id)
{
	for (size_t i = 0; i < d->n_covers; i++)
		if (strcmp(d->covers[i], id) == 0)
			return true;
	return false;
}

static size_t count(const char *id)
{
	size_t n = 0;
	for (size_t i = 0; i < bank.n; i++)
		n += covers(&bank.drills[i], id);
	return n;
}

Test(coverage, every_row_has_a_drill, .init = load, .fini = release)
{
	static const struct {
		const char *prefix;
		int n;
	} rows[] = {
		{ "R", 14 },    /* kinds of problem */
		{ "C", 16 },    /* calculators */
		{ "E", 57 },    /* wrong figures and wrong mechanisms that go round */
		{ "B3.", 5 },   /* symptom to bottleneck to fix */
		{ "B11b.", 8 }, /* scenarios of production */
		{ "B11c.", 2 }, /* lists of priorities */
		{ "B11e.", 13 } /* numbers to know */
	};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
		for (int i = 1; i <= rows[r].n; i++) {
			char id[16];
			snprintf(id, sizeof id, "%s%d", rows[r].prefix, i);
			size_t drills = count(id);
			cr_expect(lt(sz, 0, drills), "no drill covers %s", id);
		}
}

/* A drill belongs to the chapter of its page, or to the one it names. */
static bool in_chapter(const struct drill *d, int chapter)
{
	char id[8];
	const char *base = d->page ? strrchr(d->page, '/') : NULL;
	snprintf(id, sizeof id, "CH%d", chapter);
	return covers(d, id) || (base && atoi(base + 1) == chapter);
}

Test(coverage, every_chapter_has_drills, .init = load, .fini = release)
{
	for (int chapter = 0; chapter < 12; chapter++) {
		size_t n = 0;
		for (size_t i = 0; i < bank.n; i++)
			n += in_chapter(&bank.drills[i], chapter);
		cr_expect(ge(sz, n, 4), "chapter %d: %zu drills", chapter, n);
	}
}

Test(coverage, sixty_skills_and_ten_chains, .init = load, .fini = release)
{
	size_t skills = 0, estimates = 0;
	for (size_t i = 0; i < bank.n; i++) {
		bool first = true;
		for (size_t k = 0; k < i; k++)
			first &= strcmp(bank.drills[k].skill, bank.drills[i].skill) != 0;
		skills += first;
		estimates += bank.drills[i].kind == KIND_ESTIMATE;
	}
	cr_expect(ge(sz, skills, 60));
	cr_expect(ge(sz, estimates, 10));
}

/* After an answer one key leads to what explains it. */
Test(coverage, every_drill_has_a_paragraph, .init = load, .fini = release)
{
	for (size_t i = 0; i < bank.n; i++)
		cr_expect(bank.drills[i].page != NULL, "%s", bank.drills[i].id);
}
