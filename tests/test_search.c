/* Search over everything: what a student types leads to what is meant. */
#include "tests/page_heading.h"
#include "tests/settings.h"

#include "drills/bank.h"
#include "ui/data/bank_load.h"
#include "ui/pages/search.h"
#include "sims/base/match.h"
#include "ui/pages/page.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* The target, or another as good, is among the first three. */
static const struct {
	const char *typed, *target, * or ;
} queries[] = {
	{ "kv cache", "sim:kvcache", NULL },
	{ "KV-cache", "sim:kvcache", NULL },
	{ "ridge point", "formula:ridge_point", "page:gpu" },
	{ "all reduce", "sim:allreduce", NULL },
	{ "p99", "sim:queueing", "drill:mm1-p99" },
	{ "nan loss", "drill:nan", "page:precision#debugging" },
	{ "loss scale", "page:precision#too-small-gradients-and-the-loss-scale", NULL },
	{ "bubble", "drill:bubble", "page:glossary#pipeline-bubble" },
	{ "flash", "sim:flashattention", NULL },
	{ "why is my gpu at 30%", "drill:util-30", NULL },
	{ "activation checkpointing", "page:pytorch#checkpointing-in-short", NULL },
	{ "gpu utilization", "page:profiling#utilisation-is-not-work",
		"page:glossary#utilisation" },
	{ "mfu", "formula:mfu", NULL },
	{ "precision", "page:precision", NULL },
	{ "roofline", "page:gpu", "sim:roofline" },
	{ "oom", "drill:oom-at-4", NULL },
	{ "kv cache size", "sim:kvcache", NULL },
	{ "how do I compute kv cache size", "sim:kvcache", NULL },
	{ "when is decode not compute bound", "page:glossary#compute-bound",
		"formula:compute_bound_tokens" },
};

struct world {
	struct page_list pages;
	struct tables t;
	struct drill_bank bank;
};

static struct world load(void)
{
	struct world w = { .t = load_tables() };
	char err[256];
	cr_assert(zero(int, page_list_init(&w.pages)));
	cr_assert(zero(int, bank_load(&w.bank, &w.t, err, sizeof err)), "%s", err);
	return w;
}

static void unload(struct world *w)
{
	bank_release(&w->bank);
	tables_release(&w->t);
	page_list_release(&w->pages);
}

static struct search_result search(const struct world *w, const char *typed)
{
	struct search_result r;
	cr_assert(zero(int, search_run(&r, &w->pages, typed, 40)));
	search_drills(&r, &w->bank, typed);
	return r;
}

Test(search_rank, what_is_meant_is_in_the_first_three)
{
	struct world w = load();
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		struct search_result r = search(&w, queries[i].typed);
		bool found = false;
		for (size_t j = 0; j < r.n && j < 3; j++)
			found = found || strcmp(r.hits[j].target, queries[i].target) == 0 ||
				(queries[i].or &&strcmp(r.hits[j].target, queries[i].or) == 0);
		cr_expect(found == true, "%s: %s first", queries[i].typed,
			r.n ? r.hits[0].target : "nothing");
		search_release(&r);
	}
	unload(&w);
}

/* Every hit in a page leads to a heading that is there, and shows one line of text without
 * marks. */
Test(search_rank, hits_lead_to_headings_and_read_as_text)
{
	static const char *const all[] = { "memory", "gpu", "bandwidth", "a", "2", "loss" };
	struct world w = load();
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct search_result r = search(&w, all[i]);
		for (size_t j = 0; j < r.n; j++) {
			const struct search_hit *h = &r.hits[j];
			cr_expect(strpbrk(h->line, "\n`|") == NULL || h->kind[0] == 'd' ||
					  h->kind[0] == 'm',
				"%s", h->line);
			const char *anchor = strchr(h->target, '#');
			if (strncmp(h->target, "page:", 5) != 0 || !anchor)
				continue;
			size_t bytes;
			void *owned;
			struct page p;
			const struct page_info *info = page_list_find(&w.pages, h->target + 5);
			cr_assert(info != NULL, "%s", h->target);
			const char *text = content_read(info->file, &bytes, &owned);
			cr_assert(zero(int, page_layout(&p, text, bytes, 80, NULL)));
			cr_expect(heading_of(&p, anchor + 1) != NULL, "%s", h->target);
			page_release(&p);
			free(owned);
			if (strcmp(h->kind, "text") != 0)
				continue;
			struct arena a = { 0 };
			const char *above = search_section(&a, info, anchor + 1);
			cr_assert(h->section && above, "%s", h->target);
			cr_expect(eq(str, (char *)h->section, (char *)above), "%s", h->target);
			arena_release(&a);
		}
		search_release(&r);
	}
	unload(&w);
}

/* The signs of code are not marks: chapter 8 writes the cache as a product. */
Test(search, code_keeps_its_signs)
{
	struct world w = load();
	struct search_result r;
	bool found = false;
	cr_assert(zero(int, search_texts(&r, &w.pages, "kv_heads head_dim tokens size", 10)));
	for (size_t i = 0; i < r.n; i++)
		found |= strstr(r.hits[i].line, "layers * kv_heads * head_dim * tokens * size") !=
			 NULL;
	cr_expect(found == true);
	search_release(&r);
	unload(&w);
}

/* The better of two texts for what was typed; the other is worse, or no match at all. */
static const struct {
	const char *typed, *better, *worse;
} pairs[] = {
	{ "ring", "A ring of GPUs", "Sharing strings" },            /* a word, not a part of one */
	{ "quant", "How to quantise", "Unquantised weights" },      /* the start of one */
	{ "loss scale", "the loss scale", "scale of the loss" },    /* one after another */
	{ "memory", "Memory", "Memory and everything else in it" }, /* little else */
	{ "30", "at 30 %", "at 300 or 0.305" },                     /* a number whole */
	{ "bubbles", "the bubble", "a babble" }, { "optimization", "Optimisation", "Optics" },
	{ "why is the loss not a number", "a loss that is no number", "the loss of weight" },
	{ "kv cache", "KV cache", "a cache" }, /* few words: all of them */
};

Test(search_rank, a_better_text_scores_higher)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const char *where;
		struct query q = query_of(pairs[i].typed);
		int better = query_match(pairs[i].better, strlen(pairs[i].better), &q, &where);
		int worse = query_match(pairs[i].worse, strlen(pairs[i].worse), &q, &where);
		cr_expect(lt(int, worse, better), "%s", pairs[i].typed);
		cr_expect(le(int, better, 301), "%s", pairs[i].typed);
	}
	cr_expect(zero(sz, query_of(" ?! %").n));
	cr_expect(eq(sz, query_of("the").n, 1), "there is no other word");
}
