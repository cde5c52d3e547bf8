/* Fuzzy matching and search: what matches, and what comes first. */
#include "drills/bank.h"
#include "sims/formulas/formula.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "ui/data/bank_load.h"
#include "sims/base/match.h"
#include "ui/pages/search.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <string.h>

/* --- match_letters ------------------------------------------------------------------------ */

/* In each row the first name is what is meant, and not the second. */
static const struct {
	const char *typed, *better, *worse;
} ranked[] = {
	{ "memory", "Memory", "Training memory" },          /* the whole name */
	{ "mem", "Memory walk", "Automated remodelling" },  /* together, at the beginning */
	{ "kvc", "KV cache", "kilovectors" },               /* the beginnings of words */
	{ "kv cache", "KV cache", "Cache of key vectors" }, /* each word together */
	{ "roof", "The roofline", "Road of iron" },
	{ "roo", "Roofline", "Frame rate of a pipelined one" }, /* a beginning, not initials */
	{ "roo", "Roofline time", "Drill: roofline" },          /* of the first word */
	{ "cache", "KV cache", "KV cache of a batch of requests that wait" }, /* the shorter one */
};

Test(palette, what_is_meant_scores_higher)
{
	for (size_t i = 0; i < sizeof ranked / sizeof *ranked; i++) {
		int better = match_letters(ranked[i].typed, ranked[i].better);
		int worse = match_letters(ranked[i].typed, ranked[i].worse);
		cr_expect(lt(int, worse, better), "%s: %s, %s", ranked[i].typed, ranked[i].better,
			ranked[i].worse);
	}
}

Test(palette, nothing_typed_matches_all_and_other_letters_nothing)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const char *title = formulas[i].title;
		cr_expect(lt(int, 0, match_letters("", title)));
		cr_expect(lt(int, 0, match_letters("  ", title)));
		cr_expect(zero(int, match_letters("\x01", title)), "%s", title);
		char longer[256];
		snprintf(longer, sizeof longer, "%s!", title);
		cr_expect(zero(int, match_letters(longer, title)), "%s", title);
	}
	cr_expect(zero(int, match_letters("a", "")));
	cr_expect(zero(int, match_letters("ab", "ba")));
	cr_expect(zero(int, match_letters("cache xyz", "KV cache")), "every word must match");
}

/* Any letters of a name, in order, in any case, match it; two such words match in either order. */
Test(palette, letters_in_order_match)
{
	struct rng r = rng_stream(7, "letters", 0);
	for (int n = 0; n < 5000; n++) {
		const char *title = formulas[rng_below(&r, n_formulas)].title;
		char some[256], turned[600];
		size_t used = 0;
		for (const char *p = title; *p && used < sizeof some - 1; p++)
			if (*p != ' ' && rng_below(&r, 3) == 0)
				some[used++] =
					(char)(rng_below(&r, 2) ? toupper((unsigned char)*p) : *p);
		some[used] = '\0';
		if (used < 4)
			continue; /* so few must stand together or begin words */
		cr_assert(lt(int, 0, match_letters(some, title)), "\"%s\" in \"%s\"", some, title);
		snprintf(turned, sizeof turned, "%s %s", some, title);
		char *word = strchr(title, ' ') ? turned : some;
		cr_assert(lt(int, 0, match_letters(word, title)), "\"%s\" in \"%s\"", word, title);
	}
}

Test(palette, a_whole_name_is_found_before_every_other)
{
	for (size_t i = 0; i < n_formulas; i++) {
		int own = match_letters(formulas[i].id, formulas[i].id);
		for (size_t j = 0; j < n_formulas; j++)
			cr_assert(i == j || match_letters(formulas[i].id, formulas[j].id) < own,
				"%s, %s", formulas[i].id, formulas[j].id);
	}
}

/* --- search ----------------------------------------------------------------------------- */

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (; *text; text++) {
		size_t i = 0;
		while (i < n && tolower((unsigned char)text[i]) == tolower((unsigned char)word[i]))
			i++;
		if (i == n)
			return true;
	}
	return false;
}

static struct search_result search(const struct page_list *pages, const char *words, size_t most)
{
	struct search_result r;
	cr_assert(zero(int, search_run(&r, pages, words, most)));
	return r;
}

Test(search, hits_hold_every_word_and_come_best_first)
{
	static const char *const all[] = { "memory", "gpu", "tensor", "MEMORY", "kv", "the", "e" };
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct search_result r = search(&pages, all[i], 30);
		cr_expect(r.n > 0 && r.n <= 30, "%s", all[i]);
		for (size_t j = 0; j < r.n; j++) {
			cr_expect(j == 0 || r.hits[j].score <= r.hits[j - 1].score, "%s, hit %zu",
				all[i], j);
			bool cut = strlen(r.hits[j].line) > 200;
			cr_expect(strcmp(r.hits[j].kind, "text") != 0 || cut ||
					  has_word(r.hits[j].line, all[i]),
				"%s: %s", all[i], r.hits[j].line);
		}
		search_release(&r);
	}
	page_list_release(&pages);
}

Test(search, names_come_before_text)
{
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	for (size_t i = 0; i < pages.n; i++) {
		struct search_result r = search(&pages, pages.pages[i].title, 10);
		cr_assert(lt(sz, 0, r.n), "%s", pages.pages[i].title);
		cr_expect(eq(str, (char *)r.hits[0].kind, (char *)"page"), "%s",
			pages.pages[i].title);
		search_release(&r);
	}
	for (size_t i = 0; i < n_sims; i++) {
		bool found = false;
		struct search_result r = search(&pages, sims[i]->title, 40);
		for (size_t j = 0; j < r.n; j++)
			found = found || (strncmp(r.hits[j].target, "sim:", 4) == 0 &&
						 strcmp(r.hits[j].target + 4, sims[i]->id) == 0);
		cr_expect(found == true, "%s", sims[i]->title);
		search_release(&r);
	}
	page_list_release(&pages);
}

/* Titles are worth more than text, and many: they must not take its places. */
Test(search, texts_are_found_where_many_names_match)
{
	enum { MOST = 10 };
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	struct search_result r;
	cr_assert(zero(int, search_texts(&r, &pages, "memory", MOST)));
	cr_expect(eq(sz, r.n, MOST));
	for (size_t i = 0; i < r.n; i++)
		cr_expect(strcmp(r.hits[i].kind, "text") == 0 ||
				  strcmp(r.hits[i].kind, "section") == 0,
			"%s", r.hits[i].kind);
	search_release(&r);
	page_list_release(&pages);
}

Test(search, formulas_are_found_by_id)
{
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	for (size_t i = 0; i < n_formulas; i += 5) {
		bool found = false;
		struct search_result r = search(&pages, formulas[i].id, 40);
		for (size_t j = 0; j < r.n; j++)
			found = found || strcmp(r.hits[j].name, formulas[i].id) == 0;
		cr_expect(found == true, "%s", formulas[i].id);
		search_release(&r);
	}
	page_list_release(&pages);
}

Test(search, drills_and_their_mistakes_are_found, .description = "long")
{
	struct page_list pages;
	struct tables t = load_tables();
	struct drill_bank bank = { 0 };
	char err[256];
	cr_assert(zero(int, page_list_init(&pages)));
	cr_assert(zero(int, bank_load(&bank, &t, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < bank.n; i++) {
		const struct drill *d = &bank.drills[i];
		bool drill = false, mistake = d->steps[0].n_mistakes == 0;
		struct search_result r = search(&pages, d->title, 60);
		search_drills(&r, &bank, d->title);
		for (size_t j = 0; j < r.n; j++)
			drill = drill || (strncmp(r.hits[j].target, "drill:", 6) == 0 &&
						 strcmp(r.hits[j].target + 6, d->id) == 0);
		search_release(&r);
		const char *name = d->steps[0].n_mistakes ? d->steps[0].mistakes[0].name : "";
		r = search(&pages, name, 60);
		search_drills(&r, &bank, name);
		for (size_t j = 0; j < r.n; j++)
			mistake = mistake || (strcmp(r.hits[j].kind, "mistake") == 0 &&
						     strcmp(r.hits[j].line, name) == 0);
		search_release(&r);
		cr_expect(drill && mistake, "%s", d->id);
	}
	bank_release(&bank);
	tables_release(&t);
	page_list_release(&pages);
}

Test(search, nothing_is_found_for_nothing)
{
	static const char *const none[] = { "", "   ", "qqzzqqzz", "memory qqzzqqzz" };
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		struct search_result r = search(&pages, none[i], 5);
		cr_expect(zero(sz, r.n), "\"%s\"", none[i]);
		search_release(&r);
	}
	page_list_release(&pages);
}
