/* No other page and no drill repeats a figure or claim that the page of errata calls wrong, unless
 * it stands in the very sentence that begins with "A common error:", or the paragraph says that it
 * goes round. Each pattern is held against the erratum's own entry, which has the claim, so a
 * pattern that matches nothing is found. */
#include "tests/errata_page.h"
#include "tests/settings.h"

#include "drills/deal.h"
#include "ui/data/bank_load.h"
#include "ui/data/content.h"
#include "ui/pages/page.h"
#include "ui/pages/page_env.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <locale.h>
#include <regex.h>

enum { LEAST_ERRATA_WITH_PATTERN = 50, SEEDS = 3 };

static const struct {
	int erratum;
	const char *pattern;
} claims[] = {
#include "tests/errata_claims.def"
};
enum { N_CLAIMS = sizeof claims / sizeof *claims };

static regex_t compiled[N_CLAIMS];
static struct tables tables;

static void load(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < N_CLAIMS; i++)
		cr_assert(zero(int, regcomp(&compiled[i], claims[i].pattern,
					    REG_EXTENDED | REG_ICASE | REG_NOSUB)),
			"%s", claims[i].pattern);
	tables = load_tables();
}

static void release(void)
{
	for (size_t i = 0; i < N_CLAIMS; i++)
		regfree(&compiled[i]);
	tables_release(&tables);
}

/* The text in one line, to be freed: without the marks of quotes, emphasis and code, with "2,730.7"
 * as "2730.7" and a run of blanks as one. */
static char *normalise(const char *text, size_t bytes)
{
	char *out = malloc(bytes + 1), *to = out;
	cr_assert(out != NULL);
	for (size_t i = 0; i < bytes; i++) {
		char c = text[i];
		bool begins_line = i == 0 || text[i - 1] == '\n';
		if (c == '`' || c == '*' || (c == '>' && begins_line))
			continue;
		if (c == ',' && i > 0 && i + 1 < bytes && isdigit((unsigned char)text[i - 1]) &&
			isdigit((unsigned char)text[i + 1]))
			continue;
		if (isspace((unsigned char)c))
			c = ' ';
		if (c != ' ' || (to > out && to[-1] != ' '))
			*to++ = c;
	}
	*to = '\0';
	return out;
}

/* Where a sentence ends that begins at p: at its full stop, also before a closing quote. */
static char *sentence_end(char *p)
{
	for (; *p; p++)
		if (strchr(".?!", *p) &&
			strchr(" ", p[p[1] && strchr("\")", p[1]) ? 2 : 1]) != NULL)
			break;
	return p;
}

/* A sentence that begins with "A common error:" may say what is wrong; what is said before and
 * after it may not, so the rest of the paragraph is what is left to search. */
static void cut_common_errors(char *paragraph)
{
	static const char mark[] = "ommon error:";
	for (char *p = paragraph; (p = strstr(p, mark));) {
		char *end = sentence_end(p);
		memmove(p, end, strlen(end) + 1);
	}
}

/* Says itself that it is wrong: in words, or by the erratum's number. */
static bool is_marked(const char *paragraph, int erratum)
{
	static const char *const words[] = { "oes round", "oing round", "go round" };
	char id[16];
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(paragraph, words[i]))
			return true;
	int n = snprintf(id, sizeof id, "(E%d", erratum);
	for (const char *p = paragraph; (p = strstr(p, id)); p++)
		if (!isdigit((unsigned char)p[n]))
			return true;
	n = snprintf(id, sizeof id, "errata.md#e%d", erratum);
	for (const char *p = paragraph; (p = strstr(p, id)); p++)
		if (!isdigit((unsigned char)p[n]))
			return true;
	return false;
}

/* Chapters teach what is right: only other pages and drills mark an erratum by its number, or say
 * of a whole paragraph that it goes round. */
static bool is_chapter(const char *where)
{
	return strncmp(where, "chapters/", 9) == 0;
}

/* A line in faults for each claim that a paragraph makes without saying that it is wrong; the head
 * of its table, or "", may say so too. */
static void search_paragraph(
	FILE *faults, const char *where, const char *head, const char *text, size_t bytes)
{
	char *paragraph = normalise(text, bytes);
	bool is_error = strstr(head, "ommon error") != NULL;
	cut_common_errors(paragraph);
	for (size_t i = 0; i < N_CLAIMS && !is_error; i++)
		if (regexec(&compiled[i], paragraph, 0, NULL, 0) == 0 &&
			(is_chapter(where) || (!is_marked(paragraph, claims[i].erratum) &&
						      !is_marked(head, claims[i].erratum))))
			fprintf(faults, "%s: E%d \"%s\": %.200s\n", where, claims[i].erratum,
				claims[i].pattern, paragraph);
	free(paragraph);
}

/* A new paragraph begins at a blank line, a list item, a row of a table, a heading, a fence. */
static bool begins_paragraph(const char *line)
{
	line += strspn(line, "> ");
	size_t digits = strspn(line, "0123456789");
	return *line == '\n' || *line == '|' || *line == '#' || strncmp(line, "```", 3) == 0 ||
	       strncmp(line, "- ", 2) == 0 || (digits > 0 && strncmp(line + digits, ". ", 2) == 0);
}

static void search_text(FILE *faults, const char *where, const char *text)
{
	char head[400] = "";
	while (*text) {
		const char *end = text + strcspn(text, "\n");
		while (*end && end[1] && !begins_paragraph(end + 1))
			end += 1 + strcspn(end + 1, "\n");
		if (*text != '|')
			*head = '\0';
		search_paragraph(faults, where, head, text, (size_t)(end - text));
		if (*text == '|' && !*head)
			snprintf(head, sizeof head, "%.*s", (int)(end - text), text);
		text = *end ? end + 1 : end;
	}
}

/* The page with computed spans replaced by what they came to; to be freed. */
static char *with_results(const char *markdown)
{
	struct page p;
	struct page_env env = page_env_printing(&tables);
	char *out = NULL;
	size_t bytes, next = 0;
	FILE *f = open_memstream(&out, &bytes);
	cr_assert(f != NULL);
	env.figure_rows = NULL;
	cr_assert(zero(int, page_layout(&p, markdown, strlen(markdown), 80, &env)));
	for (const char *at = markdown; *at;) {
		const char *end = strncmp(at, "`=", 2) == 0 ? strchr(at + 2, '`') : NULL;
		if (end && next < p.n_computed) {
			fputs(p.computed[next++].result, f);
			at = end + 1;
		} else {
			fputc(*at++, f);
		}
	}
	cr_expect(eq(sz, next, p.n_computed));
	page_release(&p);
	fclose(f);
	return out;
}

/* To be freed. */
static char *repeated_in(const char *where, const char *markdown)
{
	char *faults = NULL, *text = with_results(markdown);
	size_t bytes;
	FILE *f = open_memstream(&faults, &bytes);
	cr_assert(f != NULL);
	search_text(f, where, text);
	fclose(f);
	free(text);
	return faults;
}

Test(errata_repeated, no_page_repeats_a_wrong_figure, .description = "long", .init = load,
	.fini = release)
{
	size_t pages = 0;
	for (size_t i = 0; i < n_content_files; i++) {
		const struct content_file *file = &content_files[i];
		const char *ending = strrchr(file->name, '.');
		if (!ending || strcmp(ending, ".md") != 0 || !strcmp(file->name, ERRATA_FILE))
			continue;
		char *faults = repeated_in(file->name, file->text);
		cr_expect(eq(str, faults, ""), "%s", faults);
		free(faults);
		pages++;
	}
	cr_expect(ge(sz, pages, 12));
}

/* A reader of a chapter has never met the page of errata: no numbers of its entries, nothing that
 * "goes round", and at most one link to it. To be freed. */
static char *quarrels_in(const char *markdown)
{
	static const char *const patterns[] = { "(^|[^A-Za-z0-9])E[0-9]+([^0-9M]|$)",
		"errata\\.md#e", "[Gg]oing\\s+round", "that\\s+goe?s?\\s+round",
		"errors\\s+go\\s+round", "errata\\.md.*errata\\.md" };
	char *faults = NULL;
	size_t bytes;
	FILE *f = open_memstream(&faults, &bytes);
	cr_assert(f != NULL);
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		regex_t re;
		cr_assert(zero(int, regcomp(&re, patterns[i], REG_EXTENDED | REG_NOSUB)));
		if (regexec(&re, markdown, 0, NULL, 0) == 0)
			fprintf(f, "%s\n", patterns[i]);
		regfree(&re);
	}
	fclose(f);
	return faults;
}

Test(errata_repeated, no_chapter_quarrels)
{
	size_t chapters = 0;
	for (size_t i = 0; i < n_content_files; i++) {
		if (!is_chapter(content_files[i].name))
			continue;
		char *faults = quarrels_in(content_files[i].text);
		cr_expect(eq(str, faults, ""), "%s: %s", content_files[i].name, faults);
		free(faults);
		chapters++;
	}
	cr_expect(ge(sz, chapters, 12));
}

Test(errata_repeated, quarrels_are_found)
{
	static const struct {
		const char *markdown;
		bool quarrels;
	} rows[] = {
		{ "A common error: 16 KB.", false },
		{ "[Five more](../reference/errata.md).", false },
		{ "MXFP4 is E2M1, with a scale in E8M0 (E4M3 in NVFP4).", false },
		{ "The diagonal fills, then goes round.", false },
		{ "16 KB (E1).", true },
		{ "10 to 20 times (E27, Y7).", true },
		{ "Listings that do not run,\nE80):", true },
		{ "16 KB ([wrong](../reference/errata.md#e1)).", true },
		{ "Going round: 16 KB.", true },
		{ "16 KB. Going\nround: 131 MB.", true },
		{ "The 16 KB that goes round.", true },
		{ "Figures that go\nround.", true },
		{ "[One](../reference/errata.md).\n\n[Two](../reference/errata.md).", true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *faults = quarrels_in(rows[i].markdown);
		cr_expect(eq(int, *faults != '\0', rows[i].quarrels), "row %zu: %s", i, faults);
		free(faults);
	}
}

/* A chapter is not excused by what excuses other pages. */
Test(errata_repeated, chapters_repeat_an_error_only_as_one, .init = load, .fini = release)
{
	static const struct {
		const char *markdown;
		bool wrong;
	} rows[] = {
		{ "A common error: 16 KB per token.", false },
		{ "| Common error |\n| --- |\n| 16 KB per token |\n", false },
		{ "16 KB per token (E1) is what others say.", true },
		{ "It goes round that a cache takes 16 KB per token.", true },
		{ "16 KB per token is [wrong](../reference/errata.md#e1).", true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *faults = repeated_in("chapters/99-x.md", rows[i].markdown);
		cr_expect(eq(int, *faults != '\0', rows[i].wrong), "row %zu: %s", i, faults);
		free(faults);
	}
}

/* What a candidate reads of a variant. */
static void search_variant(FILE *faults, const struct variant *v)
{
	const char *id = v->drill->id;
	/* v->prompt has the options in it, of which the wrong ones are mistakes. */
	const char *prompt = v->steps[0].n_options ? v->drill->prompt : v->prompt;
	const char *const texts[] = { v->drill->title, prompt, v->scene, v->assumes, v->follow_up };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i])
			search_text(faults, id, texts[i]);
	for (size_t i = 0; i < v->n_steps; i++) {
		const struct variant_step *s = &v->steps[i];
		for (size_t k = 0; k < s->n_hints; k++)
			search_text(faults, id, s->hints[k]);
		if (s->step->prompt)
			search_text(faults, id, s->step->prompt);
		if (s->working)
			search_text(faults, id, s->working);
		for (size_t k = 0; k < s->n_options; k++)
			if (s->options[k].right) {
				search_text(faults, id, s->options[k].text);
				search_text(faults, id, s->options[k].reason);
			}
	}
}

Test(errata_repeated, no_drill_repeats_a_wrong_figure, .description = "long", .init = load,
	.fini = release)
{
	struct drill_bank bank = { 0 };
	char err[300], *faults = NULL;
	size_t bytes;
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
	FILE *f = open_memstream(&faults, &bytes);
	for (size_t i = 0; i < bank.n; i++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct variant v;
			cr_assert(zero(int, deal(&bank.drills[i], &tables, seed, 1, &v, err,
						    sizeof err)),
				"%s: %s", bank.drills[i].id, err);
			search_variant(f, &v);
			variant_release(&v);
		}
	fclose(f);
	cr_expect(eq(str, faults, ""), "%s", faults);
	free(faults);
	bank_release(&bank);
}

/* The entry says the wrong thing, so its pattern is there. And at least fifty have one. */
Test(errata_repeated, each_pattern_finds_its_own_entry, .init = load, .fini = release)
{
	size_t bytes, with_pattern = 0;
	void *owned = NULL;
	char *text = with_results(content_read(ERRATA_FILE, &bytes, &owned));
	for (size_t i = 0; i < N_CLAIMS; i++) {
		char *entry = errata_entry(text, claims[i].erratum);
		cr_assert(entry != NULL, "E%d", claims[i].erratum);
		char *line = normalise(entry, strlen(entry));
		cr_expect(zero(int, regexec(&compiled[i], line, 0, NULL, 0)), "E%d \"%s\"",
			claims[i].erratum, claims[i].pattern);
		with_pattern += i == 0 || claims[i].erratum != claims[i - 1].erratum;
		free(line);
		free(entry);
	}
	cr_expect(ge(sz, with_pattern, LEAST_ERRATA_WITH_PATTERN));
	free(text);
	free(owned);
}

Test(errata_repeated, repetitions_are_found, .init = load, .fini = release)
{
	static const struct {
		const char *markdown, *says; /* NULL: nothing is wrong */
	} rows[] = {
		{ "The cache takes 512 KiB per token.", NULL },
		{ "The cache takes 16 KB per token.", "E1" },
		{ "The cache takes 16 KB\nper **token**.", "E1" },
		{ "> The cache takes 16 KB\n> per token.", "E1" },
		{ "| 7B | 131 MB |\n", "E1" },
		{ "1,131 MB of it, and 116 KB per token.", NULL },
		{ "`=kv_cache_bytes kv_heads=1 tokens=8000`", "E1" },
		{ "`=kv_cache_bytes kv_heads=32 tokens=8000`", NULL },
		{ "Going round: 16 KB per token.", NULL },
		{ "It goes round that a cache takes 16 KB per token.", NULL },
		{ "16 KB per token (E1) is what others say.", NULL },
		{ "16 KB per token (E12) is what others say.", "E1" },
		{ "16 KB per token is [wrong](../reference/errata.md#e1).", NULL },
		{ "16 KB per token is [wrong](../reference/errata.md#e10).", "E1" },
		{ "16 KB per token.\n\nGoing round: something else.", "E1" },
		{ "- 16 KB per token.\n- Going round: something else.", "E1" },
		{ "1. 16 KB per token.\n2. Going round: something else.", "E1" },
		{ "| 16 KB per token |\n| going round |\n", "E1" },
		{ "| Goes round |\n| --- |\n| 16 KB per token |\n", NULL },
		{ "| Goes round |\n| --- |\n| one |\n\n16 KB per token\n", "E1" },
		{ "A common error: a cache of 16 KB per token.", NULL },
		{ "**A common\nerror:** \"16 KB per token.\" It is 512 KiB.", NULL },
		{ "> **A common error: 16 KB per token?** It is 512 KiB.", NULL },
		{ "A common error: no heads. A cache takes 16 KB per token.", "E1" },
		{ "A common error: \"no heads.\" A cache takes 16 KB per token.", "E1" },
		{ "16 KB per token. A common error: to multiply by the heads.", "E1" },
		{ "Common errors teach. A cache takes 16 KB per token.", "E1" },
		{ "A common error: no heads.\n\n16 KB per token.", "E1" },
		{ "| Common error |\n| --- |\n| 16 KB per token |\n", NULL },
		{ "| Common error |\n| --- |\n| one |\n\n16 KB per token\n", "E1" },
		{ "An intensity of 2,730.7.", "E8" },
		{ "```python\nW[:, j+1:] += err * Hinv[j, j+1:]\n```\n", "E7" },
		{ "```python\nW[:, j+1:] -= err * Hinv[j, j+1:]\n```\n", NULL },
		{ "NVLink has 900 GB/s on an H100, an A100 has 600.", NULL },
		{ "An A100 has NVLink at 900 GB/s.", "E3" },
		{ "TF32 is off by default.", NULL },
		{ "TF32 is on by default.", "E15" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *faults = repeated_in("page", rows[i].markdown);
		char says[16];
		snprintf(says, sizeof says, "page: %s ", rows[i].says ? rows[i].says : "");
		if (rows[i].says)
			cr_expect(strstr(faults, says) != NULL, "row %zu: %s", i, faults);
		else
			cr_expect(eq(str, faults, ""), "row %zu: %s", i, faults);
		free(faults);
	}
}
