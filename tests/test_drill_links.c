/* From a graded answer one key opens the simulation with the same numbers, and one the page. */
#include "drills/deal.h"
#include "sims/registry/registry.h"
#include "tests/page_heading.h"
#include "tests/whole_bank.h"
#include "ui/data/content.h"
#include "ui/pages/page.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens "NAME knob=value ..." as the command line would; false with a reason in err. */
static bool opens(const char *target, const struct tables *t, char *err, size_t err_size)
{
	char text[512], *rest = text;
	double v[MAX_KNOBS];
	snprintf(text, sizeof text, "%s", target);
	const struct sim *sim = sim_find(strtok_r(rest, " ", &rest));
	if (!sim) {
		snprintf(err, err_size, "no such simulation");
		return false;
	}
	sim_defaults(sim, t, v);
	for (char *word; (word = strtok_r(rest, " ", &rest));)
		if (sim_read_setting(sim, t, word, v, err, err_size))
			return false;
	return true;
}

/* "chapters/01-gpu.md#the-ridge": a page that there is, at a heading that it has. */
static bool leads(const char *link, char *err, size_t err_size)
{
	char name[200];
	size_t bytes;
	void *owned = NULL;
	const char *anchor = strchr(link, '#');
	snprintf(name, sizeof name, "%.*s", (int)strcspn(link, "#"), link);
	const char *text = content_read(name, &bytes, &owned);
	bool found = text && !anchor;
	struct page p = { 0 };
	if (text && anchor)
		cr_assert(zero(int, page_layout(&p, text, bytes, 80, NULL)));
	found |= anchor && heading_of(&p, anchor + 1);
	snprintf(err, err_size, "%s: there is no such %s", link, text ? "heading" : "page");
	page_release(&p);
	free(owned);
	return found;
}

/* The page of a drill, and that of each mistake which names a paragraph, must exist. */
static void expect_pages(const struct drill *d)
{
	char err[300];
	if (d->page)
		cr_expect(leads(d->page, err, sizeof err), "%s: %s", d->id, err);
	for (size_t k = 0; k < d->n_steps; k++)
		for (size_t i = 0; i < d->steps[k].n_mistakes; i++) {
			const struct drill_mistake *m = &d->steps[k].mistakes[i];
			if (m->link)
				cr_expect(leads(m->link, err, sizeof err), "%s: \"%s\": %s", d->id,
					m->name, err);
		}
}

Test(drill_links, resolve, .timeout = 60)
{
	struct whole_bank w;
	char err[300] = "";
	setlocale(LC_CTYPE, "C.UTF-8");
	whole_bank_load(&w);
	for (size_t i = 0; i < w.bank.n; i++) {
		expect_pages(&w.bank.drills[i]);
		for (uint64_t seed = 0; w.bank.drills[i].sim && seed < 100; seed++) {
			struct variant v;
			cr_assert(zero(int,
				deal(&w.bank.drills[i], &w.tables, seed, 0, &v, err, sizeof err)));
			bool ok = opens(v.sim, &w.tables, err, sizeof err);
			cr_assert(ok, "%s: %s: %s", w.bank.drills[i].id, v.sim, err);
			variant_release(&v);
		}
	}
	whole_bank_release(&w);
}

/* A set of a rung has only problems of it, and each rung enough for many sets. */
Test(drill_links, every_rung_has_problems)
{
	enum { LEAST = 30 };
	struct whole_bank w;
	whole_bank_load(&w);
	for (unsigned rung = 0; rung < N_RUNGS; rung++) {
		size_t n = 0;
		for (size_t k = 0; k < w.bank.n; k++) {
			const bool of = drill_is_of(&w.bank.drills[k], rung_names[rung]);
			cr_expect(eq(int, of, w.bank.drills[k].rung == rung), "%s",
				w.bank.drills[k].id);
			n += of;
		}
		cr_expect(ge(sz, n, LEAST), "%s has %zu", rung_names[rung], n);
	}
	whole_bank_release(&w);
}

/* A chapter ends with five problems on what was read, which are not always the same five. */
Test(drill_links, every_chapter_explains_enough_for_a_set)
{
	enum { CHAPTERS = 17, LEAST = 8 };
	struct whole_bank w;
	whole_bank_load(&w);
	for (int i = 0; i < CHAPTERS; i++) {
		char set[32];
		size_t n = 0;
		snprintf(set, sizeof set, "chapter-%d", i);
		for (size_t k = 0; k < w.bank.n; k++)
			n += drill_is_of(&w.bank.drills[k], set);
		cr_expect(ge(sz, n, LEAST), "%s has %zu", set, n);
	}
	whole_bank_release(&w);
}
