/* No typed number where one can be computed. Numbers with a unit in a page must be one of these:
 * computed (in a code span), a given of something that is computed in the same section (it stands
 * in a computed span or a figure's setting there), quoted (the sentence names a source, or says
 * that the figure goes round, or begins with "A common error:"), said to be an example (a symptom's headline is one), or in a block
 * or item of a list that is marked as plain text, with the reason: <!-- plain: rule of thumb
 * -->. */
#include "ui/pages/search.h"
#include "ui/data/content.h"
#include "ui/pages/page.h"
#include "ui/data/page_list.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest come first: "GB/s" must not be read as "GB". */
static const char *const units[] = { "tokens/s", "tokens a second", "requests/s", "samples/s",
	"TFLOP/s", "GFLOP/s", "PFLOP/s", "TFLOPS", "TFLOP", "GFLOP", "FLOP/B", "FLOP", "TOPS",
	"TB/s", "GB/s", "MB/s", "kB/s", "Gb/s", "Tb/s", "GiB", "MiB", "KiB", "TiB", "TB", "GB",
	"MB", "kB", "KB", "PB", "bytes", "tokens", "times", "minutes", "hours", "days", "tok/s",
	"req/s", "kHz", "MHz", "GHz", "Hz", "kW", "min", "ms", "us", "µs", "ns", "°C", "W", "h",
	"s", "x", "×", "%" };

/* Who says so, or that it is wrong, or that it is made up. */
static const char *const said[] = { "datasheet", "data sheet", "whitepaper", "paper", "docs",
	"documentation", "documents", "reports", "report", "et al", "published", "measured",
	"measurement", "mlperf", "according", "(e", "errata.md#e", "goes round", "going round",
	"go round", "common error:", "http", "guide", "manual", "specification", "spec)", "ocp",
	"ieee", "default", "repository", "blog", "survey", "notes on", "readme", "catalogue",
	"vendor", "list price", "press", "release notes", " 2015", " 2016", " 2017", " 2018",
	" 2019", " 2020", " 2021", " 2022", " 2023", " 2024", " 2025", " 2026", "say ", "say,",
	"suppose", "assum", "for example", "take ", "given ", "imagine", "if ", "**symptom:" };

enum { MOST_GIVENS = 2048, NUMBER = 32 };

struct lint {
	const char *page;
	char given[MOST_GIVENS][NUMBER]; /* numbers in what the section computes */
	size_t n_given;
	size_t n_faults;
	char first[256]; /* the first fault, for the tests of this test */
	bool tell;       /* faults are failures */
};

/* In any case, outside of code spans; a line's end is as good as a blank. */
static bool holds(const char *text, size_t n, const char *word)
{
	size_t len = strlen(word), k = 0;
	bool code = false;
	for (size_t i = 0; i + len <= n && k < len; i++) {
		code ^= text[i] == '`';
		for (k = 0; k < len && !code; k++) {
			char c = text[i + k] == '\n' ? ' ' : text[i + k];
			if (tolower((unsigned char)c) != word[k])
				break;
		}
	}
	return k == len;
}

/* The number at p without its commas; its length, 0: none. */
static size_t number_at(const char *p, char out[static NUMBER])
{
	size_t n = 0, k = 0;
	while (isdigit((unsigned char)p[n]) ||
		((p[n] == ',' || p[n] == '.') && n > 0 && isdigit((unsigned char)p[n + 1]))) {
		if (p[n] != ',' && k + 1 < NUMBER)
			out[k++] = p[n];
		n++;
	}
	out[k] = '\0';
	return n;
}

/* The unit that follows a number, or NULL. */
static const char *unit_at(const char *p)
{
	bool apart = *p == ' ';
	if (apart)
		p++;
	else if (strncmp(p, "\u00a0", 2) == 0)
		p += 2;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t n = strlen(units[i]);
		if (strncmp(p, units[i], n) != 0 || isalnum((unsigned char)p[n]) || p[n] == '/' ||
			strncmp(p + n, "²", 2) == 0)
			continue;
		/* "3 x 4" is a product, "3x" is not. */
		bool product = apart &&
			       (strcmp(units[i], "x") == 0 || strcmp(units[i], "×") == 0) &&
			       p[n] == ' ' &&
			       (isalnum((unsigned char)p[n + 1]) || strchr("(`*$", p[n + 1]));
		if (!product)
			return units[i];
	}
	return NULL;
}

static void take_givens(struct lint *l, const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		char number[NUMBER];
		size_t len = number_at(text + i, number);
		if (len && l->n_given < MOST_GIVENS)
			memcpy(l->given[l->n_given++], number, NUMBER);
		i += len ? len : 1;
	}
}

/* "utilisation=0.9" gives 90 %. */
static bool is_given(const struct lint *l, const char *number, const char *unit)
{
	double x = strtod(number, NULL);
	for (size_t i = 0; i < l->n_given; i++) {
		double given = strtod(l->given[i], NULL);
		if (given == x || (*unit == '%' && fabs(100 * given - x) < 1e-9))
			return true;
	}
	return false;
}

static void find_fault(
	struct lint *l, const char *number, const char *unit, const char *text, size_t n)
{
	if (l->n_faults++ == 0)
		snprintf(
			l->first, sizeof l->first, "%s%s%s", number, *unit == '%' ? " " : "", unit);
	if (l->tell)
		cr_expect(0, "%s: %s %s: %.*s", l->page, number, unit, (int)n, text);
}

/* The length of the maths between dollar signs; 0 where a dollar is money or there is no maths. */
static size_t maths_length(const char *p, size_t n)
{
	if (*p != '$')
		return 0;
	const char *end = memchr(p + 1, '$', n - 1);
	size_t len = end ? (size_t)(end - p) + 1 : 0;
	return len && (memchr(p, '^', len) || memchr(p, '\\', len)) ? len : 0;
}

/* A sentence or a row of a table, code spans and maths taken out. */
static void lint_sentence(struct lint *l, const char *text, size_t n)
{
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (holds(text, n, said[i]))
			return;
	bool code = false;
	for (size_t i = 0; i < n;) {
		char number[NUMBER];
		bool starts = i == 0 || !(isalnum((unsigned char)text[i - 1]) ||
						strchr("._#/-", text[i - 1]));
		if (text[i] == '`')
			code = !code;
		i += maths_length(text + i, n - i);
		if (i == n)
			break;
		size_t len = code || !starts ? 0 : number_at(text + i, number);
		const char *unit = len ? unit_at(text + i + len) : NULL;
		if (len && i > 0 && text[i - 1] == '$')
			unit = "dollars";
		if (unit && !is_given(l, number, unit))
			find_fault(l, number, unit, text, n);
		i += len ? len : 1;
	}
}

/* "A common error:" belongs to what it says; p is the n bytes up to the colon. */
static bool names_an_error(const char *p, size_t n)
{
	static const char mark[] = "common error:";
	size_t len = sizeof mark - 1;
	return n >= len && holds(p + n - len, len, mark);
}

/* Where a sentence that begins at p ends: after . : ; ? ! and a blank, or at the end of a row. */
static size_t sentence_length(const char *p, size_t n, bool row)
{
	bool code = false;
	for (size_t i = 0; i < n; i++) {
		code ^= p[i] == '`';
		if (row && p[i] == '\n')
			return i + 1;
		if (!row && !code && strchr(".;?!", p[i]) && i + 1 < n &&
			isspace((unsigned char)p[i + 1]) && !names_an_error(p, i + 1))
			return i + 1;
	}
	return n;
}

static bool begins_item(const char *p)
{
	size_t digits = strspn(p, "0123456789");
	return strncmp(p, "- ", 2) == 0 || (digits && strncmp(p + digits, ". ", 2) == 0);
}

/* Length of the first item of a list, or of the block. */
static size_t item_length(const char *p, size_t n)
{
	if (begins_item(p))
		for (size_t i = 1; i < n; i++)
			if (p[i - 1] == '\n' && begins_item(p + i))
				return i;
	return n;
}

static void lint_block(struct lint *l, const char *text, size_t n)
{
	if (holds(text, n, "<!-- plain:"))
		return;
	/* The head of a quoted card says of all of it that it goes round. */
	if (*text == '>' && (holds(text, n, "going round") || holds(text, n, "goes round")))
		return;
	bool row = *text == '|';
	for (size_t i = 0; i < n;) {
		size_t len = sentence_length(text + i, n - i, row);
		lint_sentence(l, text + i, len);
		i += len;
	}
}

/* Length of the block at p: a heading, a whole fence, or up to an empty line. */
static size_t block_length(const char *p)
{
	if (*p == '#')
		return strcspn(p, "\n");
	if (strncmp(p, "```", 3) == 0) {
		const char *end = strstr(p + 3, "\n```");
		return end ? (size_t)(end - p) + 4 + strcspn(end + 4, "\n") : strlen(p);
	}
	const char *end = strstr(p, "\n\n");
	return end ? (size_t)(end - p) : strlen(p);
}

/* What computed spans and figures of a section are given. */
static void collect_givens(struct lint *l, const char *section, size_t n)
{
	l->n_given = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		if (section[i] == '`' && section[i + 1] == '=') {
			size_t len = strcspn(section + i + 1, "`");
			take_givens(l, section + i + 1, len);
			i += len;
		} else if (strncmp(section + i, "```sim ", 7) == 0) {
			take_givens(l, section + i, strcspn(section + i, "\n"));
		} else if (strncmp(section + i, "(<sim:", 6) == 0) {
			take_givens(l, section + i, strcspn(section + i, ">"));
		}
	}
}

/* Up to the next heading of level 1 or 2. A line that begins with # inside a fence is not a
 * heading. */
static size_t section_length(const char *p)
{
	bool fence = strncmp(p, "```", 3) == 0;
	for (const char *at = p + 1; *at; at++) {
		if (at[-1] != '\n')
			continue;
		fence ^= strncmp(at, "```", 3) == 0;
		if (!fence && (strncmp(at, "## ", 3) == 0 || strncmp(at, "# ", 2) == 0))
			return (size_t)(at - p);
	}
	return strlen(p);
}

static void lint_page(struct lint *l, const char *markdown)
{
	for (const char *section = markdown; *section;) {
		size_t n = section_length(section);
		collect_givens(l, section, n);
		for (const char *p = section; p < section + n;) {
			if (*p == '\n') {
				p++;
				continue;
			}
			size_t len = block_length(p);
			if (len > (size_t)(section + n - p))
				len = (size_t)(section + n - p);
			if (strncmp(p, "```", 3) != 0 && *p != '#')
				for (size_t at = 0, item; at < len; at += item) {
					item = item_length(p + at, len - at);
					lint_block(l, p + at, item);
				}
			p += len;
		}
		section += n;
	}
}

Test(typed_numbers, none_in_the_book)
{
	struct page_list list;
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n; i++) {
		struct lint l = { .page = list.pages[i].file, .tell = true };
		size_t bytes;
		void *owned = NULL;
		const char *markdown = content_read(list.pages[i].file, &bytes, &owned);
		cr_assert(markdown != NULL);
		lint_page(&l, markdown);
		free(owned);
	}
	page_list_release(&list);
}

Test(typed_numbers, are_found)
{
	static const struct {
		const char *page, *first;
	} cases[] = { { "It takes 5 ms here.\n", "5ms" }, { "It costs $4 here.\n", "4dollars" },
		{ "It is 30 % slow.\n", "30 %" }, { "With 1,024 tokens.\n", "1024tokens" },
		{ "| a | b |\n|---|---|\n| 3 GB | c |\n", "3GB" },
		{ "It is 2.5x faster.\n", "2.5x" },
		/* What is said in one sentence holds for that sentence. */
		{ "The datasheet says 80 GB. It takes 5 ms.\n", "5ms" },
		{ "# A\n\n`=f rate=5`\n\n## B\n\nAt 5 ms.\n", "5ms" },
		{ "It takes `5 ms` or 6 ms.\n", "6ms" }, { "`say ` 5 ms.\n", "5ms" },
		{ "# A\n5 ms\n", "5ms" },
		/* A mark holds for an item, not for its list. */
		{ "- <!-- plain: a rule -->\n  5 ms\n- 6 ms\n", "6ms" },
		/* And these are in order. */
		{ "It takes `=f a=1 in ms` here.\n", "" }, { "The datasheet says 80 GB.\n", "" },
		{ "Say 5 ms.\n", "" }, { "5 ms goes\nround.\n", "" },
		{ "At 10 ms it is `=f time=10ms`.\n", "" }, { "```text\n5 ms\n```\n", "" },
		{ "```\n\n# 5\n\n6 ms\n```\n", "" },
		{ "At 10 ms.\n\n```\n# 5\n```\n\nIt is `=f time=10ms`.\n", "" }, { "# 5 ms\n", "" },
		{ "About $10^9$ bytes and $2^{40}$ of them.\n", "" },
		{ "3 x 4 numbers, a 7B model, chapter 5, 32 layers.\n", "" },
		{ "It does 2s²d and 3 s² of work.\n", "" },
		{ "> **Symptom: it shows 5 %.** Measure.\n", "" },
		{ "<!-- plain: rule of thumb -->\nAbout 5 ms.\n", "" },
		{ "A common error: it takes 5 ms.\n", "" },
		{ "A common\nerror: it takes 5 ms.\n", "" },
		{ "> **A common error: it takes 5 ms.** It is `=f a=1`.\n", "" },
		{ "A common error: it takes 5 ms. It takes 7 ms.\n", "7ms" },
		{ "> **A common error: it takes 5 ms.** It does not. 7 ms.\n", "7ms" },
		{ "Common errors: it takes 5 ms.\n", "5ms" },
		{ "> **Going round: it takes 5 ms (E1).** It does not. 7 ms.\n", "" } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lint l = { .page = "a page" };
		lint_page(&l, cases[i].page);
		cr_expect(eq(str, l.first, (char *)cases[i].first), "%s", cases[i].page);
	}
}

/* The page as text, a line each; to be freed. */
static char *shown(const char *markdown)
{
	struct page p;
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	cr_assert(f != NULL);
	cr_assert(zero(int, page_layout(&p, markdown, strlen(markdown), 60, NULL)));
	for (size_t i = 0; i < p.n_lines; i++) {
		fprintf(f, "%*s", p.lines[i].indent, "");
		for (size_t j = 0; j < p.lines[i].n_spans; j++)
			fputs(p.lines[i].spans[j].text, f);
		fputc('\n', f);
	}
	page_release(&p);
	fclose(f);
	return text;
}

Test(typed_numbers, marks_are_not_shown)
{
	static const struct {
		const char *marked, *plain;
	} cases[] = {
		{ "A.\n\n<!-- plain: x -->\nB **b**.\n", "A.\n\nB **b**.\n" },
		{ "<!-- plain: x -->\n| a | b |\n|---|---|\n| 1 | 2 |\n",
			"| a | b |\n|---|---|\n| 1 | 2 |\n" },
		{ "- A\n- <!-- plain: x -->\n  B **b**\n- C\n", "- A\n- B **b**\n- C\n" },
		{ "1. A\n2. <!-- plain: x -->\n   B\n", "1. A\n2. B\n" },
		{ "> <!-- plain: x -->\n> **A.** B\n", "> **A.** B\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *marked = shown(cases[i].marked), *plain = shown(cases[i].plain);
		cr_expect(eq(str, marked, plain), "case %zu", i);
		free(marked);
		free(plain);
	}
}

/* Whether it stands alone on its line and is not text of the block that follows it. */
static bool is_well_placed(const char *markdown, const char *mark)
{
	const char *line = mark, *end = mark + strcspn(mark, "\n");
	while (line > markdown && line[-1] != '\n')
		line--;
	while (line < mark && strchr("-> 0123456789.", *line))
		line++;
	return line == mark && strncmp(end - 3, "-->", 3) == 0 && *end && end[1] != '\n';
}

Test(typed_numbers, marks_stand_alone_and_are_not_found)
{
	struct page_list list;
	struct search_result r;
	size_t marks = 0;
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n; i++) {
		size_t bytes;
		void *owned = NULL;
		const char *markdown = content_read(list.pages[i].file, &bytes, &owned);
		cr_assert(markdown != NULL);
		for (const char *at = markdown; (at = strstr(at, "<!-- plain:")); at++, marks++)
			cr_expect(is_well_placed(markdown, at) == true, "%s: %.60s",
				list.pages[i].file, at);
		free(owned);
	}
	cr_expect(ne(sz, marks, 0));
	cr_assert(zero(int, search_run(&r, &list, "plain", 200)));
	for (size_t i = 0; i < r.n; i++)
		cr_expect(strstr(r.hits[i].line, "plain:") == NULL, "%s", r.hits[i].line);
	search_release(&r);
	page_list_release(&list);
}
