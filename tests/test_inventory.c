/* The map of the field: every row of the inventory (interactive things, calculators, tables row by
 * row, listings, cards, mistakes, pathologies, tips, the case study, techniques, wrong figures) has
 * a place in the product, and the place is there. tests/data/inventory-rows.tsv names the rows;
 * tests/data/inventory/NAME.tsv say where: id, a tab, "page:FILE#ANCHOR", "sim:NAME" or "drill:ID",
 * and for a page words, apart by ';', that stand in that section, fences and formulas included. A
 * wrong figure that only one document has is told nowhere: "slip of one document" is its place. */
#include "tests/settings.h"

#include "sims/registry/registry.h"
#include "ui/data/bank_load.h"
#include "ui/data/content.h"
#include "ui/pages/page.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1024, LONGEST_LINE = 512 };

struct world {
	struct tables tables;
	struct drill_bank bank;
	char ids[MOST_ROWS][48];
	bool placed[MOST_ROWS], on_page[MOST_ROWS];
	size_t n;
};
static struct world w;

static void release(void)
{
	bank_release(&w.bank);
	tables_release(&w.tables);
}

/* Blanks and line ends are one blank, case does not count: how words are looked for. */
static void flatten(char *text)
{
	char *out = text;
	for (const char *p = text; *p; p++) {
		if (isspace((unsigned char)*p) && out > text && out[-1] == ' ')
			continue;
		*out++ = isspace((unsigned char)*p) ? ' ' : (char)tolower((unsigned char)*p);
	}
	*out = '\0';
}

/* The Markdown under a heading, up to the next heading of the same or a higher level; NULL: no such
 * heading. Freed by the caller. */
static char *section(const char *markdown, const char *anchor)
{
	struct page p;
	cr_assert(zero(int, page_layout(&p, markdown, strlen(markdown), 80, NULL)));
	char *found = NULL;
	const char *at = markdown;
	size_t h = 0;
	bool fence = false;
	/* Headings of the page in their order are the lines that begin with '#' outside of code. */
	const char *begin = NULL, *end = NULL;
	int level = 0;
	for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		if (strncmp(at, "```", 3) == 0)
			fence = !fence;
		if (fence || *at != '#' || h == p.n_headings)
			continue;
		if (begin && !end && p.headings[h].level <= level)
			end = at;
		if (!begin && strcmp(p.headings[h].anchor, anchor) == 0) {
			begin = at;
			level = p.headings[h].level;
		}
		h++;
	}
	if (begin) {
		found = strndup(begin, (size_t)((end ? end : at) - begin));
		flatten(found);
	}
	page_release(&p);
	return found;
}

/* What is wrong with a place on a page, "" when nothing. */
static void check_page(const char *place, char *words, char why[static 128])
{
	char file[160];
	void *owned = NULL;
	size_t bytes;
	const char *anchor = strchr(place, '#');
	snprintf(file, sizeof file, "%.*s.md", (int)strcspn(place, "#"), place);
	const char *markdown = content_read(file, &bytes, &owned);
	char *text = markdown && anchor ? section(markdown, anchor + 1) : NULL;
	if (!markdown)
		snprintf(why, 128, "no such page");
	else if (!anchor || !text)
		snprintf(why, 128, "no such heading");
	else
		for (char *word = strtok_r(words, ";", &words); word && !*why;
			word = strtok_r(NULL, ";", &words)) {
			flatten(word);
			if (!strstr(text, word))
				snprintf(why, 128, "not a word of \"%.80s\" there", word);
		}
	free(text);
	free(owned);
}

static bool is_slip(const char *place)
{
	return strcmp(place, "slip of one document") == 0;
}

static void check_place(const char *place, char *words, char why[static 128])
{
	*why = '\0';
	if (is_slip(place))
		return;
	if (strncmp(place, "page:", 5) == 0)
		check_page(place + 5, words, why);
	else if (strncmp(place, "sim:", 4) == 0) {
		if (!sim_find(place + 4))
			snprintf(why, 128, "no such simulation");
	} else if (strncmp(place, "drill:", 6) == 0) {
		snprintf(why, 128, "no such drill");
		for (size_t i = 0; i < w.bank.n; i++)
			if (strcmp(w.bank.drills[i].id, place + 6) == 0)
				*why = '\0';
	} else
		snprintf(why, 128, "not page:, sim: or drill:");
}

static size_t row_of(const char *id)
{
	size_t i = 0;
	while (i < w.n && strcmp(w.ids[i], id) != 0)
		i++;
	return i;
}

static void load(void)
{
	char line[LONGEST_LINE], err[300];
	w.tables = load_tables();
	cr_assert(zero(int, bank_load(&w.bank, &w.tables, err, sizeof err)), "%s", err);
	FILE *f = fopen("tests/data/inventory-rows.tsv", "r");
	cr_assert(f != NULL);
	while (fgets(line, sizeof line, f)) {
		cr_assert(lt(sz, w.n, MOST_ROWS));
		snprintf(w.ids[w.n], sizeof w.ids[w.n], "%.*s", (int)strcspn(line, "\t\n"), line);
		cr_assert(eq(sz, row_of(w.ids[w.n]), w.n), "%s twice", w.ids[w.n]);
		w.n++;
	}
	fclose(f);
}

/* The text before the next tab; *rest is what follows it, "" at the end. */
static char *field(char **rest)
{
	char *text = *rest;
	*rest += strcspn(text, "\t\n");
	if (**rest)
		*(*rest)++ = '\0';
	return text;
}

static void read_places(const char *file)
{
	char line[LONGEST_LINE];
	FILE *f = fopen(file, "r");
	cr_assert(f != NULL);
	while (fgets(line, sizeof line, f)) {
		char why[128], *rest = line;
		const char *id = field(&rest), *place = field(&rest);
		size_t row = row_of(id);
		cr_expect(lt(sz, row, w.n), "%s: no row %s", file, id);
		if (row == w.n)
			continue;
		check_place(place, field(&rest), why);
		cr_expect(why[0] == '\0', "%s: %s: %s: %s", file, id, place, why);
		w.placed[row] |= *why == '\0';
		w.on_page[row] |=
			*why == '\0' && (is_slip(place) || strncmp(place, "page:", 5) == 0);
	}
	fclose(f);
}

Test(inventory, every_row_has_a_place_that_is_there, .init = load, .fini = release)
{
	glob_t files;
	cr_assert(zero(int, glob("tests/data/inventory/*.tsv", 0, NULL, &files)));
	for (size_t i = 0; i < files.gl_pathc; i++)
		read_places(files.gl_pathv[i]);
	globfree(&files);
	/* Things to turn (W, X) and kinds of drill (R) need no words; everything else is
	 * explained. */
	for (size_t i = 0; i < w.n; i++) {
		cr_expect(w.placed[i], "%s has no place", w.ids[i]);
		cr_expect(w.on_page[i] || strchr("WXR", w.ids[i][0]), "%s is on no page", w.ids[i]);
	}
}

/* The checker finds what is wrong. */
Test(inventory, wrong_places_are_found, .init = load, .fini = release)
{
	static const struct {
		const char *place, *words, *why;
	} bad[] = { { "page:chapters/01-gpu#the-ridge", "roofline", "" },
		{ "page:chapters/01-gpu#the-ridge", "FLOP;giraffe",
			"not a word of \"giraffe\" there" },
		{ "page:chapters/01-gpu#the-bridge", "", "no such heading" },
		{ "page:chapters/01-gpu", "", "no such heading" },
		{ "page:chapters/77-gpu#the-ridge", "", "no such page" },
		{ "sim:roofline", "", "" }, { "sim:rooflines", "", "no such simulation" },
		{ "drill:none-such", "", "no such drill" }, { "slip of one document", "", "" },
		{ "slip of two documents", "", "not page:, sim: or drill:" },
		{ "book:x", "", "not page:, sim: or drill:" } };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char why[128], words[64];
		snprintf(words, sizeof words, "%s", bad[i].words);
		check_place(bad[i].place, words, why);
		cr_expect(eq(str, why, (char *)bad[i].why), "%s", bad[i].place);
	}
}
