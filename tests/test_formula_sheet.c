/* The formula sheet: every row of the table once, worked out; fences replaced and nothing else. */
#include "sims/formulas/formula.h"
#include "sims/formulas/subject.h"
#include "tests/page_heading.h"
#include "tests/settings.h"
#include "ui/data/bank_load.h"
#include "ui/data/content.h"
#include "ui/pages/formula_sheet.h"
#include "ui/pages/page_env.h"
#include "ui/term/textwrap.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <string.h>

Test(subjects, are_the_whole_table_in_order)
{
	size_t next = 0;
	for (size_t i = 0; i < n_formula_subjects; i++) {
		const struct formula_subject *s = &formula_subjects[i];
		cr_expect(eq(sz, s->first, next), "%s", s->name);
		cr_expect(lt(sz, s->first, s[1].first), "%s", s->name);
		cr_expect(formula_subject_find(s->name) == s);
		next = s[1].first;
	}
	cr_expect(eq(sz, next, n_formulas));
	cr_expect(formula_subject_find("") == NULL);
	cr_expect(formula_subject_find("memories") == NULL);
}

/* The number of a row says its subject: F2.1 is of the third. */
Test(subjects, are_what_the_numbers_say)
{
	for (size_t i = 0; i < n_formula_subjects; i++)
		for (size_t k = formula_subjects[i].first; k < formula_subjects[i + 1].first; k++) {
			char prefix[24];
			snprintf(prefix, sizeof prefix, "F%zu.", i);
			cr_expect(strncmp(formulas[k].number, prefix, strlen(prefix)) == 0, "%s",
				formulas[k].id);
		}
}

static char *expanded(const char *markdown, const struct drill_bank *bank, bool ascii)
{
	struct arena a = { 0 };
	size_t bytes = strlen(markdown);
	const char *text = formula_sheet_expand(markdown, &bytes, bank, ascii, &a);
	cr_assert(text != NULL);
	cr_expect(eq(int, formula_sheet_wanted(markdown, strlen(markdown)), text != markdown));
	char *copy = strndup(text, bytes);
	arena_release(&a);
	return copy;
}

Test(formula_sheet, replaces_fences_of_subjects_alone)
{
	static const struct {
		const char *markdown;
		const char *before, *after; /* what is left around the rows; NULL: all as it was */
	} rows[] = {
		{ "a\n\n```formulas loading\nline\n```\nb\n", "a\n\n", "b\n" },
		{ "```formulas loading\n```", "", "" },
		{ "a\n```formulas loading\n```\n~~~formulas loading\n~~~\n", "a\n",
			"\n~~~formulas loading\n~~~\n" },
		{ "```formulas loading", "", "" }, /* never closed */
		{ "~~~~  formulas   loading \nx\n```\n~~~~\nb", "", "b" },
		{ "   ```formulas loading\r\n```\r\nb", "", "b" },
		{ "    ```formulas loading\n    ```\n", NULL, NULL }, /* indented code */
		{ "````text\n```formulas loading\n```\n````\n", NULL, NULL },
		{ "```formulas nothing\n```\n", NULL, NULL },
		{ "```formulas\n```\n", NULL, NULL },
		{ "```formulasloading\n```\n", NULL, NULL },
		{ "``formulas loading\n``\n", NULL, NULL },
		{ "a ```formulas loading``` b\n", NULL, NULL },
		{ "", NULL, NULL },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got = expanded(rows[i].markdown, NULL, false);
		if (!rows[i].before) {
			cr_expect(eq(str, got, (char *)rows[i].markdown), "row %zu", i);
		} else {
			size_t n = strlen(got), after = strlen(rows[i].after);
			cr_expect(strncmp(got, rows[i].before, strlen(rows[i].before)) == 0);
			cr_expect(n > after && strcmp(got + n - after, rows[i].after) == 0,
				"row %zu", i);
			cr_expect(strstr(got, "workers_needed\n  = ") != NULL, "row %zu", i);
			cr_expect(strstr(got, "kv_cache_bytes") == NULL, "row %zu", i);
			cr_expect(strstr(got, "```formulas loading") == NULL, "row %zu", i);
		}
		free(got);
	}
}

/* Two rows by hand: 2 x 32 x 32 x 128 x 8,192 x 2 B = 4.29 GB; 3 / 11 = 0.2727. */
Test(formula_sheet, writes_a_row_with_its_example)
{
	char *got = expanded("```formulas inference\n```\n", NULL, false);
	cr_expect(strstr(got,
			  "\n### KV cache\n\n"
			  "```text\n"
			  "kv_cache_bytes\n"
			  "  = 2 × layers × kv_heads × head_dim × tokens × bytes_per_value\n"
			  "  = 2 × 32 layers × 32 KV heads × 128 head dim × 8,192 tokens × 2 B\n"
			  "  = 4.29 GB\n"
			  "```\n\n"
			  "With `layers` (L), `kv_heads` (a\\_kv), `head_dim` (d), `tokens` (T, in "
			  "token), `bytes_per_value` (w, in B). The result is in B.  \n"
			  "Source: Touvron et al., LLaMA 2, 2023; vLLM blog, 2023 (F8.1). "
			  "[Turn its knobs](sim:formula:kv_cache_bytes).\n") != NULL,
		"%s", got);
	free(got);
	got = expanded("```formulas communication\n```\n", NULL, true);
	cr_expect(strstr(got, "pipeline_bubble\n"
			      "  = (stages - 1) / (microbatches + stages - 1)\n"
			      "  = (4 stages - 1) / (8 microbatches + 4 stages - 1)\n"
			      "  = 0.2727\n"
			      "```\n\n") != NULL,
		"%s", got);
	cr_expect(strstr(got, "The result is a plain number.  \nSource: Huang et al., GPipe, 2019 "
			      "(F5.6). ") != NULL,
		"%s", got);
	for (const char *c = got; *c; c++)
		cr_assert(lt(int, (unsigned char)*c, 0x80), "%s", c);
	free(got);
}

/* A heading before that reads as the title of a row does takes its anchor. */
Test(formula_sheet, names_its_rows_first)
{
	char *got = expanded("## KV cache\n\n```formulas inference\n```\n", NULL, false);
	cr_expect(
		strstr(got,
			"## KV cache\n\n| Formula | In words |\n| --- | --- |\n"
			"| [KV cache](#kv-cache-1) | 2 × layers × KV heads × "
			"head dim × tokens × bytes per value |\n"
			"| [KV cache per token](#kv-cache-per-token) | 2 × layers × KV heads × "
			"head dim × bytes per value |\n"
			"| [How many times grouped queries shrink the cache]("
			"#how-many-times-grouped-queries-shrink-the-cache) | heads / KV heads |\n") !=
			NULL,
		"%s", got);
	free(got);
}

/* A power of a name of two words is no power of its first word. */
Test(formula_sheet, keeps_an_exponent_one_word)
{
	char *got = expanded("```formulas scaling\n```\n", NULL, false);
	cr_expect(
		strstr(got, "floor loss + params factor / params^params\\_power + tokens factor / "
			    "tokens^tokens\\_power") != NULL,
		"%s", got);
	free(got);
}

/* A mark is replaced where it names a subject or a row; other comments stay. */
Test(formula_sheet, puts_numbers_and_rows_where_the_text_marks_them)
{
	static const char *const rows[][2] = {
		{ "a <!-- formula littles_law --> b\n", "a Little's law: arrival rate × time b\n" },
		{ "<!-- formula nothing --> <!-- formula ridge_point -->.\n",
			"<!-- formula nothing --> Ridge point: peak FLOPS / bandwidth.\n" },
		{ "<!-- formula ridge_point\n", "<!-- formula ridge_point\n" },
		{ "<!-- plain: text -->\n", "<!-- plain: text -->\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[256];
		snprintf(text, sizeof text, "%s\n```formulas memory\n```\n", rows[i][0]);
		char *got = expanded(text, NULL, false);
		cr_expect(strncmp(got, rows[i][1], strlen(rows[i][1])) == 0, "%s", got);
		free(got);
	}
	const struct formula_subject *s = formula_subject_find("memory");
	char n[32];
	snprintf(n, sizeof n, "%zu rows\n", s[1].first - s->first);
	char *got =
		expanded("<!-- formulas memory --> rows\n\n```formulas memory\n```\n", NULL, false);
	cr_expect(strncmp(got, n, strlen(n)) == 0, "%s", got);
	free(got);
}

struct sheet_world {
	struct tables tables;
	struct drill_bank bank;
	const char *markdown;
	size_t bytes;
	void *owned;
};

static struct sheet_world world(void)
{
	struct sheet_world w = { .tables = load_tables() };
	setlocale(LC_CTYPE, "C.UTF-8");
	w.markdown = content_read("reference/formulas.md", &w.bytes, &w.owned);
	cr_assert(w.markdown != NULL);
	return w;
}

static void load_bank(struct sheet_world *w)
{
	char err[256] = "";
	cr_assert(zero(int, bank_load(&w->bank, &w->tables, err, sizeof err)), "%s", err);
}

static void end(struct sheet_world *w)
{
	free(w->owned);
	bank_release(&w->bank);
	tables_release(&w->tables);
}

static struct page printed(const struct sheet_world *w, int width, bool ascii)
{
	struct page p;
	struct page_env env = page_env_printing(&w->tables);
	env.ascii = ascii;
	cr_assert(zero(int, page_layout(&p, w->markdown, w->bytes, width, &env)));
	return p;
}

static size_t links_to(const struct page *p, const char *target)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_links; i++)
		n += strcmp(p->links[i].target, target) == 0;
	return n;
}

static size_t headings(const struct page *p, const char *title)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_headings; i++)
		n += p->headings[i].level == 3 && strcmp(p->headings[i].text, title) == 0;
	return n;
}

/* A name that was misspelt would stay a comment, which nobody sees. */
Test(formula_sheet, every_mark_of_the_page_is_known)
{
	struct sheet_world w = world();
	cr_assert(strstr(w.markdown, "<!-- formula ") != NULL);
	char *got = expanded(w.markdown, NULL, false);
	cr_expect(strstr(got, "<!-- formula") == NULL);
	free(got);
	end(&w);
}

Test(formula_sheet, has_every_row_once)
{
	struct sheet_world w = world();
	struct page p = printed(&w, 80, false);
	size_t rows = 0;
	for (size_t i = 0; i < n_formulas; i++) {
		char target[96];
		snprintf(target, sizeof target, "sim:formula:%s", formulas[i].id);
		cr_expect(eq(sz, links_to(&p, target), 1), "%s", formulas[i].id);
		cr_expect(ge(sz, headings(&p, formulas[i].title), 1), "%s", formulas[i].id);
	}
	for (size_t i = 0; i < p.n_headings; i++)
		rows += p.headings[i].level == 3;
	cr_expect(eq(sz, rows, n_formulas));
	page_release(&p);
	end(&w);
}

/* The names at the top of the page and of each subject lead to headings that are there. */
Test(formula_sheet, every_name_leads_to_its_entry)
{
	struct sheet_world w = world();
	struct page p = printed(&w, 80, false);
	size_t led = 0;
	for (size_t i = 0; i < p.n_links; i++) {
		const char *target = p.links[i].target;
		if (*target != '#')
			continue;
		const struct page_heading *h = heading_of(&p, target + 1);
		cr_assert(h != NULL, "%s", target);
		cr_expect(h->level == 2 || strcmp(h->text, p.links[i].text) == 0, "%s", target);
		led++;
	}
	cr_expect(eq(sz, led, n_formulas + n_formula_subjects));
	page_release(&p);
	end(&w);
}

static bool asks(const struct drill *d, const char *formula)
{
	for (size_t i = 0; i < d->n_steps; i++)
		if (d->steps[i].key.formula && strcmp(d->steps[i].key.formula->id, formula) == 0)
			return true;
	for (size_t i = 0; d->program && i < d->program->n_expectations; i++) {
		const struct drill_expectation *x = &d->program->expectations[i];
		if (x->computed && x->step->key.formula &&
			strcmp(x->step->key.formula->id, formula) == 0)
			return true;
	}
	return false;
}

/* A drill is named as often as it asks for formulas, and its link deals it. */
Test(formula_sheet, names_the_drills_that_ask)
{
	struct sheet_world w = world();
	struct page p = printed(&w, 80, false);
	size_t linked = 0;
	load_bank(&w);
	for (size_t i = 0; i < w.bank.n; i++) {
		const struct drill *d = &w.bank.drills[i];
		char target[96];
		size_t n = 0;
		for (size_t k = 0; k < n_formulas; k++)
			n += asks(d, formulas[k].id);
		snprintf(target, sizeof target, "drill:%s", d->id);
		cr_expect(eq(sz, links_to(&p, target), n), "%s", d->id);
		linked += n;
	}
	cr_expect(ge(sz, linked, 150));
	cr_expect(eq(sz, p.n_links, 2 * n_formulas + n_formula_subjects + linked));
	page_release(&p);
	end(&w);
}

Test(formula_sheet, fits_every_width)
{
	struct sheet_world w = world();
	for (int width = 40; width <= 200; width += 16)
		for (int ascii = 0; ascii < 2; ascii++) {
			struct page p = printed(&w, width, ascii);
			for (size_t i = 0; i < p.n_lines; i++) {
				int columns = p.lines[i].indent;
				for (size_t j = 0; j < p.lines[i].n_spans; j++)
					columns += text_cols(p.lines[i].spans[j].text,
						ascii ? GLYPHS_ASCII : GLYPHS_LINES);
				cr_expect(le(int, columns, width), "line %zu at %d", i, width);
			}
			page_release(&p);
		}
	end(&w);
}

/* Without tables and bank the sheet is there all the same. */
Test(formula_sheet, needs_no_bank)
{
	struct sheet_world w = world();
	struct page p;
	struct page_env env = page_env_printing(NULL);
	cr_assert(zero(int, page_layout(&p, w.markdown, w.bytes, 80, &env)));
	/* To each row, to its knobs, and to each subject. */
	cr_expect(eq(sz, p.n_links, 2 * n_formulas + n_formula_subjects));
	page_release(&p);
	end(&w);
}
