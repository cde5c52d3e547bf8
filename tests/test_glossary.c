/* The terms of the glossary: how it is read, where a text mentions one, what a page marks; and the
 * glossary itself. */
#include "ui/pages/page.h"
#include "ui/pages/page_env.h"
#include "ui/data/page_list.h"
#include "ui/pages/glossary.h"
#include "ui/pages/page_anchor.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char glossary[] = "# Glossary\n\nWords.\n\n"
			       "### KV cache\n\nKeys and *values*.\n\n"
			       "### SM\n\nAlso: streaming multiprocessor.\n\nA unit.\n\n"
			       "### ZeRO\n\nAlso: ZeRO-3, stage 3.\n\nShards.\nMore of it.\n\n"
			       "## Not a term\n\nText.\n\n"
			       "### Warp\n\nThreads.\n\n"
			       "### Tensor Core\n\nAlso: matrix unit, tensor\n\nMultiplies.\n\n"
			       "### 2:4 sparsity\n\nTwo of four.\n\n"
			       "### All-reduce\n\nSums.";
enum { KV_CACHE, SM, ZERO, WARP, TENSOR_CORE, SPARSITY, ALL_REDUCE, N_TERMS };

static struct glossary index_of(const char *markdown)
{
	struct glossary ix;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, glossary_init(&ix, markdown, strlen(markdown))));
	return ix;
}

Test(terms, glossary_is_read_by_its_headings)
{
	static const struct {
		const char *name, *also, *text;
	} rows[N_TERMS] = {
		[KV_CACHE] = { "KV cache", "", "Keys and *values*." },
		[SM] = { "SM", "streaming multiprocessor", "A unit." },
		[ZERO] = { "ZeRO", "ZeRO-3, stage 3", "Shards.\nMore of it." },
		[WARP] = { "Warp", "", "Threads." },
		[TENSOR_CORE] = { "Tensor Core", "matrix unit, tensor", "Multiplies." },
		[SPARSITY] = { "2:4 sparsity", "", "Two of four." },
		[ALL_REDUCE] = { "All-reduce", "", "Sums." },
	};
	struct glossary ix = index_of(glossary);
	cr_assert(eq(sz, ix.n_entries, N_TERMS));
	cr_expect(eq(sz, ix.n_names, N_TERMS + 5));
	for (size_t i = 0; i < N_TERMS; i++) {
		cr_expect(eq(str, (char *)ix.entries[i].name, (char *)rows[i].name));
		cr_expect(eq(str, (char *)ix.entries[i].also, (char *)rows[i].also));
		cr_expect(eq(str, (char *)ix.entries[i].text, (char *)rows[i].text));
	}
	glossary_release(&ix);
}

Test(terms, nothing_has_no_terms)
{
	static const char *const rows[] = { "", "### ", "###", "####", "### \n\nx", "## A\n\nx",
		"### -\n\nx", "text ### a" };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct glossary ix = index_of(rows[i]);
		struct glossary_hit hit = glossary_find(&ix, "a - text", 8, 0);
		cr_expect(not(hit.found), "row %zu", i);
		cr_expect(eq(sz, hit.end, 8), "row %zu", i);
		glossary_release(&ix);
	}
}

Test(terms, mentions_are_whole_words)
{
	static const struct {
		const char *text, *found; /* NULL: nothing */
		int entry;
	} rows[] = {
		{ "the KV cache grows", "KV cache", KV_CACHE },
		{ "the KV Cache grows", "KV Cache", KV_CACHE },
		{ "KV-cache bytes", "KV-cache", KV_CACHE },
		{ "two KV caches", "KV caches", KV_CACHE },
		{ "the kv cache", NULL, 0 }, /* capitals are kept */
		{ "KV cachexia", NULL, 0 },
		{ "KVcache", NULL, 0 },
		{ "each SM holds", "SM", SM },
		{ "108 SMs", "SMs", SM },
		{ "a cosm or a sm", NULL, 0 },
		{ "Streaming Multiprocessors", "Streaming Multiprocessors", SM },
		{ "zero gradients, Zero point", NULL, 0 },
		{ "under ZeRO.", "ZeRO", ZERO },
		{ "under ZeRO-3.", "ZeRO-3", ZERO }, /* the longest */
		{ "under ZeRO-4.", NULL, 0 },        /* another word */
		{ "in Stage 3", "Stage 3", ZERO },
		{ "WARPS", NULL, 0 },
		{ "Warps of 32", "Warps", WARP },
		{ "warp's", "warp", WARP },
		{ "sub-warp, warp-wide, warped", NULL, 0 },
		{ "(warp)", "warp", WARP },
		{ "warp", "warp", WARP },
		{ "a tensor core", "tensor core", TENSOR_CORE },
		{ "a tensor", "tensor", TENSOR_CORE },
		{ "tensors and cores", "tensors", TENSOR_CORE },
		{ "2:4 sparsity", "2:4 sparsity", SPARSITY },
		{ "12:4 sparsity", NULL, 0 },
		{ "an all reduce", "all reduce", ALL_REDUCE },
		{ "all-reduces", "all-reduces", ALL_REDUCE },
		{ "Äwarp warpä", NULL, 0 }, /* letters all the same */
		{ "“warp”", "warp", WARP },
		{ "warp×2", "warp", WARP },
		{ "", NULL, 0 },
	};
	struct glossary ix = index_of(glossary);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].text);
		struct glossary_hit hit = glossary_find(&ix, rows[i].text, n, 0);
		char *got = strndup(rows[i].text + hit.begin, hit.end - hit.begin);
		cr_expect(eq(int, hit.found, rows[i].found != NULL), "%s", rows[i].text);
		if (hit.found && rows[i].found) {
			cr_expect(eq(str, got, (char *)rows[i].found), "%s", rows[i].text);
			cr_expect(eq(int, (int)hit.entry, rows[i].entry), "%s", rows[i].text);
		}
		free(got);
	}
	glossary_release(&ix);
}

/* --- pages ------------------------------------------------------------------------------ */

static int answer(const void *context, const char *source, char *buf, size_t size)
{
	(void)context;
	(void)source;
	snprintf(buf, size, "one warp");
	return 0;
}

static int rows_of(const void *context, const char *setting, int width)
{
	(void)context;
	(void)setting;
	(void)width;
	return 2;
}

static struct page laid_out(const char *markdown, int width, const struct glossary *ix)
{
	struct page p;
	const struct page_env env = { .compute = answer, .figure_rows = rows_of, .terms = ix };
	cr_assert(zero(int, page_layout(&p, markdown, strlen(markdown), width, &env)));
	return p;
}

/* A line with its terms in brackets; to be freed. */
static char *marked(const struct page *p, size_t line)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	for (size_t j = 0; j < p->lines[line].n_spans; j++) {
		const struct page_span *s = &p->lines[line].spans[j];
		cr_expect(eq(int, s->term != 0, (s->attr & ATTR_DOTTED) != 0));
		fprintf(f, s->term ? "[%s]" : "%s", s->text);
	}
	fclose(f);
	return text;
}

Test(terms, first_mentions_in_prose_are_marked)
{
	static const struct {
		const char *markdown, *line; /* the last one */
	} rows[] = {
		{ "A warp, warps, an SM", "A [warp], warps, an [SM]" },
		{ "Streaming multiprocessors (SMs)", "[Streaming multiprocessors] (SMs)" },
		{ "**warps** here", "[warps] here" }, { "a KV *cache*", "a [KV ][cache]" },
		{ "# warp\n\nno `warp`, [warp](x), `=warp`, but warp",
			"no warp, warp, one warp, but [warp]" },
		{ "- a warp", "• a [warp]" }, { "> a warp", "│ a [warp]" },
		{ "```sim x\nwarp\n```\n\nwarp", "[warp]" },
		{ "```c\nwarp\n```\n\nwarp", "[warp]" },
		{ "| warp |\n| --- |\n| warp |", "[warp]" },
		{ "| a | b |\n| --- | --- |\n| warp | warp SM |", "[warp]  warp [SM]" },
		{ "![warp](x) warp", "[warp] [warp]" }, /* the first brackets are the image's */
	};
	struct glossary ix = index_of(glossary);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct page p = laid_out(rows[i].markdown, 60, &ix);
		char *got = marked(&p, p.n_lines - 1);
		cr_expect(eq(str, got, (char *)rows[i].line), "row %zu", i);
		free(got);
		page_release(&p);
	}
	glossary_release(&ix);
}

Test(terms, know_where_they_begin)
{
	struct glossary ix = index_of(glossary);
	struct page p = laid_out("# Page\n\nAn SM runs every one of its warps on\nTensor Cores and "
				 "more.\n\nIts warps and ZeRO.",
		20, &ix);
	static const struct {
		size_t entry;
		const char *on; /* what its line has */
	} rows[] = { { SM, "[SM]" }, { WARP, "[warps]" }, { TENSOR_CORE, "[Tensor" },
		{ ZERO, "[ZeRO]" } };
	cr_assert(eq(sz, p.n_terms, sizeof rows / sizeof *rows));
	for (size_t i = 0; i < p.n_terms; i++) {
		char *line = marked(&p, p.terms[i].line);
		cr_expect(eq(sz, p.terms[i].entry, rows[i].entry), "term %zu", i);
		cr_expect(strstr(line, rows[i].on) != NULL, "term %zu: %s", i, line);
		free(line);
	}
	page_release(&p);
	glossary_release(&ix);
}

static char *page_text(const struct page *p)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	for (size_t i = 0; i < p->n_lines; i++) {
		fprintf(f, "%*s", p->lines[i].indent, "");
		for (size_t j = 0; j < p->lines[i].n_spans; j++)
			fputs(p->lines[i].spans[j].text, f);
		fputc('\n', f);
	}
	fclose(f);
	return text;
}

static struct glossary real_index(void)
{
	size_t bytes;
	void *owned;
	struct glossary ix;
	setlocale(LC_CTYPE, "C.UTF-8");
	const char *text = content_read(GLOSSARY_FILE, &bytes, &owned);
	cr_assert(text != NULL);
	cr_assert(zero(int, glossary_init(&ix, text, bytes)));
	free(owned);
	return ix;
}

/* Marks change looks alone: every page reads as it does without them, at every width. */
Test(terms, marks_move_nothing)
{
	struct glossary ix = real_index();
	struct page_list list;
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n; i++)
		for (int width = 20; width <= 200; width += 45) {
			void *owned;
			const char *markdown = content_read(list.pages[i].file, NULL, &owned);
			struct page with = laid_out(markdown, width, &ix);
			struct page without = laid_out(markdown, width, NULL);
			char *a = page_text(&with), *b = page_text(&without);
			cr_expect(eq(str, a, b), "%s at %d", list.pages[i].id, width);
			cr_expect(zero(sz, without.n_terms));
			for (size_t j = 1; j < with.n_terms; j++)
				for (size_t k = 0; k < j; k++)
					cr_expect(ne(sz, with.terms[j].entry, with.terms[k].entry));
			free(a);
			free(b);
			page_release(&with);
			page_release(&without);
			free(owned);
		}
	page_list_release(&list);
	glossary_release(&ix);
}

/* A page that is printed asks for no marks. */
Test(terms, printed_pages_have_none)
{
	struct page_env env = page_env_printing(NULL);
	cr_expect(env.terms == NULL);
}

/* --- the glossary ----------------------------------------------------------------------- */

/* Words of an entry as people count them: a computed number is one, a link its text. */
static size_t count_words(const char *markdown)
{
	struct page p = laid_out(markdown, 200, NULL);
	char *text = page_text(&p);
	size_t words = 0;
	bool inside = false;
	for (const char *c = text; *c; c++) {
		bool blank = isspace((unsigned char)*c);
		words += !blank && !inside;
		inside = !blank;
	}
	words -= p.n_computed; /* each was answered in two words */
	free(text);
	page_release(&p);
	return words;
}

Test(glossary, entries_are_short_and_lead_somewhere)
{
	struct glossary ix = real_index();
	cr_expect(ge(sz, ix.n_entries, 130));
	for (size_t i = 0; i < ix.n_entries; i++) {
		const struct glossary_entry *e = &ix.entries[i];
		struct page p = laid_out(e->text, 80, NULL);
		size_t words = count_words(e->text);
		cr_expect(words >= 20 && words <= 50, "%s: %zu words", e->name, words);
		cr_expect(eq(sz, p.n_links, 1), "%s: links", e->name);
		page_release(&p);
	}
	glossary_release(&ix);
}

/* Digits, letters; what stands between words counts as a blank. */
static int order(const char *a, const char *b)
{
	while (*a && *b) {
		int x = isalnum((unsigned char)*a) ? tolower((unsigned char)*a) : ' ';
		int y = isalnum((unsigned char)*b) ? tolower((unsigned char)*b) : ' ';
		if (x != y)
			return x - y;
		a++;
		b++;
	}
	return *a - *b;
}

Test(glossary, terms_are_in_order_and_no_name_means_two)
{
	struct glossary ix = real_index();
	for (size_t i = 1; i < ix.n_entries; i++)
		cr_expect(order(ix.entries[i - 1].name, ix.entries[i].name) < 0, "%s, %s",
			ix.entries[i - 1].name, ix.entries[i].name);
	for (size_t i = 0; i < ix.n_names; i++)
		for (size_t j = 0; j < i; j++)
			cr_expect(strcasecmp(ix.names[i].text, ix.names[j].text) != 0, "%s",
				ix.names[i].text);
	glossary_release(&ix);
}

/* "[A](#absorption)": a letter of the page's head leads to the first of its entries, and every letter that has one
 * stands there. */
Test(glossary, every_letter_leads_to_its_first_entry)
{
	struct glossary ix = real_index();
	size_t bytes;
	void *owned;
	const char *text = content_read(GLOSSARY_FILE, &bytes, &owned);
	cr_assert(text != NULL);
	char before = 0;
	struct anchor_set anchors = { 0 };
	for (size_t i = 0; i < ix.n_entries; i++) {
		const char *anchor =
			anchor_make(&anchors, &ix.arena, &ix.arena, ix.entries[i].name);
		const char letter = (char)toupper((unsigned char)ix.entries[i].name[0]);
		char link[128];
		if (letter == before || !isalpha((unsigned char)letter))
			continue;
		before = letter;
		snprintf(link, sizeof link, "[%c](#%s)", letter, anchor);
		cr_expect(strstr(text, link) != NULL, "%s", link);
	}
	cr_expect(before == 'Z');
	free(owned);
	glossary_release(&ix);
}

/* Each name, found where it stands alone, leads to its own entry. */
Test(glossary, every_name_is_found)
{
	struct glossary ix = real_index();
	for (size_t i = 0; i < ix.n_names; i++) {
		const struct glossary_name *name = &ix.names[i];
		struct glossary_hit hit = glossary_find(&ix, name->text, name->bytes, 0);
		cr_expect(hit.found, "%s", name->text);
		cr_expect(eq(sz, hit.entry, name->entry), "%s", name->text);
	}
	glossary_release(&ix);
}

/* What people of the trade will look up. */
Test(glossary, has_the_words_of_the_trade)
{
	static const char *const words[] = { "arithmetic intensity", "ridge point", "MFU", "HFU",
		"TTFT", "ITL", "TPOT", "goodput", "all-reduce", "reduce-scatter", "ZeRO-1",
		"ZeRO-2", "ZeRO-3", "activation checkpointing", "occupancy", "wave quantisation",
		"tile", "SM", "warp", "Tensor Core", "HBM", "L2", "NVLink", "InfiniBand", "RDMA",
		"NVLS", "KV cache", "GQA", "PagedAttention", "prefix cache", "chunked prefill",
		"continuous batching", "speculative decoding", "PTQ", "QAT", "GPTQ", "AWQ",
		"SmoothQuant", "2:4 sparsity", "loss scaling", "BF16", "FP8 E4M3", "MXFP4", "ulp",
		"absorption", "Kahan", "pipeline bubble", "1F1B", "straggler", "MTBF",
		"Young's interval", "Little's law", "utilisation", "coefficient of variation",
		"P99", "BEV", "ASIL-D", "dynamo graph break", "guard", "CUDA graph",
		"launch overhead", "CUDA stream", "CUDA event", "pinned memory" };
	struct glossary ix = real_index();
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct glossary_hit hit = glossary_find(&ix, words[i], strlen(words[i]), 0);
		cr_expect(
			hit.found && hit.begin == 0 && hit.end == strlen(words[i]), "%s", words[i]);
	}
	glossary_release(&ix);
}
