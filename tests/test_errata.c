/* Laws over the page of errata: each entry names the claim, where in public it is met and when, what
 * is right, how one gets there and how sure that is; arithmetic is computed in place; and it leads
 * to where one learns it. The checker is held against entries with one fault each. */
#include "tests/errata_page.h"
#include "tests/settings.h"

#include "ui/data/bank_load.h"
#include "ui/data/content.h"
#include "ui/pages/page.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>

/* The claims that people fail interviews by, and wrong reasons, have drills: up to here. */
enum { LAST_WITH_DRILL = 57, LEAST_PART = 5 };

static const char *const parts[] = { "**Goes round:**", "**Right:**", "**Derivation:**",
	"**How sure:**", "**Learn it:**" };
enum { GOES_ROUND, RIGHT, DERIVATION, HOW_SURE, LEARN, N_PARTS };

static struct tables tables;
static struct drill_bank bank;
static const char *page;
static void *owned;

static void load(void)
{
	char err[300];
	size_t bytes;
	tables = load_tables();
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
	page = content_read(ERRATA_FILE, &bytes, &owned);
	cr_assert(page != NULL);
}

static void release(void)
{
	bank_release(&bank);
	tables_release(&tables);
	free(owned);
}

/* An entry under examination; what is wrong with it, a line each. */
struct exam {
	int number;
	const char *text;
	const char *at[N_PARTS + 1]; /* where the parts begin; the end of the last */
	FILE *faults;
};

static void fault(const struct exam *e, const char *what, const char *which)
{
	fprintf(e->faults, "E%d: %s%s\n", e->number, what, which);
}

static size_t count(const char *text, const char *end, const char *what)
{
	size_t n = 0;
	for (const char *p = text; (p = strstr(p, what)) && p < end; p += strlen(what))
		n++;
	return n;
}

static void check_subject(const struct exam *e)
{
	size_t line = strcspn(e->text + 1, "\n");
	const char *first = e->text + 1, *last = first + line;
	if (e->text[0] != '\n' || line < 6 || strncmp(first, "**", 2) != 0 ||
		strncmp(last - 2, "**", 2) != 0)
		fault(e, "no line in bold that names the subject", "");
}

/* All five, once, in this order, and something in each. */
static bool find_parts(struct exam *e)
{
	const char *end = e->text + strlen(e->text), *from = e->text;
	bool whole = true;
	for (size_t i = 0; i < N_PARTS; i++) {
		e->at[i] = strstr(from, parts[i]);
		if (!e->at[i] || count(e->text, end, parts[i]) != 1) {
			fault(e, "not once, or out of order: ", parts[i]);
			return false;
		}
		from = e->at[i];
	}
	e->at[N_PARTS] = end;
	for (size_t i = 0; i < N_PARTS; i++) {
		size_t letters = 0;
		for (const char *p = e->at[i] + strlen(parts[i]); p < e->at[i + 1]; p++)
			letters += isgraph((unsigned char)*p) != 0;
		if (letters < LEAST_PART) {
			fault(e, "nothing in ", parts[i]);
			whole = false;
		}
	}
	return whole;
}

static bool says(const struct exam *e, int part, const char *word)
{
	return count(e->at[part], e->at[part + 1], word) > 0;
}

static bool has_year(const char *text, const char *end)
{
	for (const char *p = text; (p = strstr(p, " 20")) && p + 4 < end; p++)
		if (isdigit((unsigned char)p[3]) && isdigit((unsigned char)p[4]) &&
			!isdigit((unsigned char)p[5]))
			return true;
	return false;
}

/* Between what goes round and what is right: a public place, and when it said so or was read. */
static void check_place(const struct exam *e)
{
	static const char label[] = "\n\n**Met:** ";
	const char *end = e->at[RIGHT], *met = strstr(e->at[GOES_ROUND], label);
	if (count(e->text, e->at[N_PARTS], label) != 1 || !met || met > end)
		fault(e, "not once between the claim and what is right: ", "**Met:**");
	else if (end - met < (long)sizeof label + LEAST_PART)
		fault(e, "nothing in ", "**Met:**");
	else if (!has_year(met, end))
		fault(e, "met, and no year", "");
}

/* Arithmetic is shown; whoever is quoted is named. */
static void check_sureness(const struct exam *e)
{
	static const char *const quoted[] = { "published: ", "documentation: " };
	const char *label = e->at[HOW_SURE];
	bool arithmetic = says(e, HOW_SURE, "arithmetic"), published = says(e, HOW_SURE, quoted[0]),
	     documented = says(e, HOW_SURE, quoted[1]);
	if (!arithmetic && !published && !documented && !says(e, HOW_SURE, "judgement"))
		fault(e, "neither arithmetic, published:, documentation: nor judgement", "");
	if (arithmetic && count(e->text, label, "`=") == 0)
		fault(e, "arithmetic, and nothing is computed", "");
	if (says(e, HOW_SURE, "[") || says(e, HOW_SURE, "S2:"))
		fault(e, "a key instead of a source", "");
}

static bool covers(const struct drill *d, int number)
{
	char id[16];
	snprintf(id, sizeof id, "E%d", number);
	for (size_t i = 0; i < d->n_covers; i++)
		if (strcmp(d->covers[i], id) == 0)
			return true;
	return false;
}

/* A drill that is linked by its id asks for this very claim. */
static void check_links(const struct exam *e)
{
	size_t drills = 0;
	if (!says(e, LEARN, "]("))
		fault(e, "nothing to learn it by", "");
	for (const char *p = e->at[LEARN]; (p = strstr(p, "(drill:")) && p < e->at[N_PARTS];) {
		char id[64];
		p += strlen("(drill:");
		snprintf(id, sizeof id, "%.*s", (int)strcspn(p, ")"), p);
		const struct drill *d = bank_find(&bank, id);
		if (d && covers(d, e->number))
			drills++;
		else if (d)
			fault(e, "a drill that does not cover it: ", id);
	}
	if (e->number <= LAST_WITH_DRILL && drills == 0)
		fault(e, "no drill", "");
}

/* All that is wrong with an entry; to be freed. */
static char *faults_of(int number, const char *text)
{
	char *faults = NULL;
	size_t bytes;
	struct exam e = { .number = number, .text = text };
	e.faults = open_memstream(&faults, &bytes);
	cr_assert(e.faults != NULL);
	check_subject(&e);
	if (find_parts(&e)) {
		check_place(&e);
		check_sureness(&e);
		check_links(&e);
	}
	fclose(e.faults);
	return faults;
}

Test(errata, every_entry_has_its_parts, .init = load, .fini = release)
{
	for (size_t i = 0; i < N_ERRATA; i++) {
		int n = errata_numbers[i];
		char *text = errata_entry(page, n);
		cr_expect(text != NULL, "E%d is not there once", n);
		if (!text)
			continue;
		char *faults = faults_of(n, text);
		cr_expect(eq(str, faults, ""), "%s", faults);
		free(faults);
		free(text);
	}
}

Test(errata, the_page_says_how_many, .init = load, .fini = release)
{
	char says[32];
	snprintf(says, sizeof says, ", %d of them.", N_ERRATA);
	cr_expect(strstr(page, says) != NULL, "%s", says);
}

/* In their order, in three parts, and at the anchors that others link to. */
Test(errata, headings_lead_to_them, .init = load, .fini = release)
{
	static const int first_of_part[] = { 1, 29, 58 };
	struct page p;
	size_t n = 0, part = 0;
	cr_assert(zero(int, page_layout(&p, page, strlen(page), 80, NULL)));
	for (size_t i = 0; i < p.n_headings; i++) {
		char text[16], anchor[16];
		if (p.headings[i].level == 2) {
			cr_assert(lt(sz, part, 3));
			cr_expect(eq(int, errata_numbers[n], first_of_part[part++]));
		}
		if (p.headings[i].level != 3)
			continue;
		cr_assert(lt(sz, n, N_ERRATA));
		snprintf(text, sizeof text, "E%d", errata_numbers[n]);
		snprintf(anchor, sizeof anchor, "e%d", errata_numbers[n++]);
		cr_expect(eq(str, (char *)p.headings[i].text, text));
		cr_expect(eq(str, (char *)p.headings[i].anchor, anchor));
	}
	cr_expect(eq(sz, n, N_ERRATA));
	page_release(&p);
}

/* Entry `text` with one thing in it replaced; to be freed. */
static char *with(const char *text, const char *what, const char *instead)
{
	char *out = NULL;
	size_t bytes;
	FILE *f = open_memstream(&out, &bytes);
	const char *at = strstr(text, what);
	cr_assert(f != NULL && at != NULL, "%s", what);
	fprintf(f, "%.*s%s%s", (int)(at - text), text, instead, at + strlen(what));
	fclose(f);
	return out;
}

Test(errata, faults_are_found, .init = load, .fini = release)
{
	static const char sound[] =
		"\n**The cache**\n\n**Goes round:** \"16 KB.\"\n\n"
		"**Met:** a forum, May 2025.\n\n**Right:** "
		"`=kv_bytes_per_token`.\n\n"
		"**Derivation:** heads.\n\n**How sure:** arithmetic.\n\n**Learn it:** "
		"[drill](drill:kv-per-token).\n";
	static const struct {
		const char *what, *instead, *says; /* NULL: nothing is wrong */
	} rows[] = {
		{ "arithmetic", "published: vLLM blog, 2023", NULL },
		{ "arithmetic", "documentation: PyTorch", NULL },
		{ "arithmetic", "judgement", NULL },
		{ "**The cache**", "The cache", "subject" },
		{ "\n**The cache**\n", "", "subject" },
		{ "**Goes round:**", "Goes round:", "**Goes round:**" },
		{ "**Met:** a forum, May 2025.\n\n", "", "**Met:**" },
		{ "a forum, May 2025.", "", "nothing in **Met:**" },
		{ "May 2025", "the other day", "no year" },
		{ "May 2025", "post 20251", "no year" },
		{ "`=kv_bytes_per_token`.", "512 KiB.\n\n**Met:** a forum, May 2025.", "**Met:**" },
		{ "**Derivation:**", "**Proof:**", "**Derivation:**" },
		{ "**Derivation:** heads.\n\n", "", "**Derivation:**" },
		{ "heads.", "", "nothing in **Derivation:**" },
		{ "heads.", "**Right:** 1", "not once" },
		{ "**Right:** `=kv_bytes_per_token`.\n\n**Derivation:** heads.",
			"**Derivation:** heads.\n\n**Right:** `=kv_bytes_per_token`.",
			"out of order" },
		{ "`=kv_bytes_per_token`", "512 KiB", "nothing is computed" },
		{ "arithmetic", "certainly", "neither" },
		{ "arithmetic", "published", "neither" },
		{ "arithmetic", "published: [VLLM]", "a key" },
		{ "[drill](drill:kv-per-token)", "a drill", "nothing to learn it by" },
		{ "[drill](drill:kv-per-token)", "[sim](sim:kvcache)", "no drill" },
		{ "kv-per-token", "capacity-gpus", "does not cover it: capacity-gpus" },
	};
	char *none = faults_of(1, sound);
	cr_expect(eq(str, none, ""));
	free(none);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = with(sound, rows[i].what, rows[i].instead);
		char *faults = faults_of(1, text);
		if (rows[i].says)
			cr_expect(strstr(faults, rows[i].says) != NULL, "row %zu: %s", i, faults);
		else
			cr_expect(eq(str, faults, ""), "row %zu", i);
		free(faults);
		free(text);
	}
}

Test(errata, entries_end_where_the_next_begins)
{
	static const char text[] =
		"# A\n\n### E1\n\none\nmore\n\n## B\n\n### E2\n\ntwo\n\n### E3\n\n### E3\n";
	char *one = errata_entry(text, 1), *two = errata_entry(text, 2);
	cr_expect(eq(str, one, "\none more\n"));
	cr_expect(eq(str, two, "\ntwo\n"));
	cr_expect(zero(ptr, errata_entry(text, 3)));
	cr_expect(zero(ptr, errata_entry(text, 4)));
	free(one);
	free(two);
}
