/* Any page, put together of all that Markdown has and of what the engine adds to it, with any of what a page may
 * ask the engine for: laid out twice it is the same, no line is wider than the page (in ASCII, where a sign may become three, it may be), what links lead from and what
 * folds hide is where the page says, and what is drawn stays in its room. LAWS_PAGES of them are made. */
#include "tests/laws.h"
#include "tests/page_shown.h"

#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "ui/pages/glossary.h"
#include "ui/pages/page_draw.h"
#include "ui/pages/page_place.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { PAGES = 1200, MOST_BLOCKS = 24, WIDEST = 90 };

static const char *const blocks[] = {
	"# Title",
	"## A section\n\nIts text.",
	"## A section",
	"### Deep\n\nAlso: deeper, deepest.",
	"###### Sixth",
	"Set\n===",
	"Words that go on and on, so that they do not stay on one line, `code` and "
	"**bold** and *slanted* ones.",
	"A line  \nbroken, and\\\nbroken again<br>and<br/>once<br />more.",
	"[A link](page.md#there) and "
	"[one](http://x.example).",
	"[![alt](i.png)](target) ![](p.png) [](empty)",
	"`=cache layers=32`, `=wrong`, `= ` and `=`.",
	"The cache, KV cache and GEMM of a ring.",
	"$x^2$ and $`a_{ij}`$, $5 to US$, $\\frac{a}{b}$.",
	"- a\n- b\n  - c\n    - d\n- [ ] open\n- [x] done",
	"1. a\n\n   more\n2. b\n   > quoted\n3.",
	"7) a\n8) b",
	"> quote\n>\n> > nested\n>\n> - list\n> | a | b |\n> |---|---|\n> | c | d |",
	"| a | b | c |\n|---|:-:|--:|\n| 1 | **two** | 3 |\n| long words in a cell that wrap | `x\\|y` | |",
	"| a |\n|---|\n| b |",
	"| a | b |\n| not a table |",
	"| a | b | c | d | e | f | g | h | i | j | k | l |\n|-|-|-|-|-|-|-|-|-|-|-|-|\n| 1 | 2 |",
	"| | b |\n|:--|--:|\n|averyveryverylongwordthatnocolumnholds| 2 | 3 |",
	"```python\nx = 1 # note\n\ny = \"a line of code that is much longer than a page\"\n```",
	"```sim roofline gpu=h100\n```",
	"```sim roofline\nknobs=batch\n```",
	"```sim nothing\n```",
	"```sim\n```",
	"```text\n12\n```",
	"    indented code",
	"***",
	"<div>\nhtml\n</div>",
	"a <b>tag</b> &copy; &nosuch;",
	"<!-- fold -->",
	"<!-- fold -->\n\n**Plan.** First.",
	"<!-- fold: why -->\n\nBecause.",
	"<!-- end -->",
	"<!-- in depth -->",
	"<!-- for authors -->",
	"<!-- plain: why -->\n\nIt takes 3 ms.",
	"<!-- never closed",
	"- **What is it?**\n\n  <!-- fold -->\n\n  An answer, in\n\n  ```sim roofline\n  ```\n- next",
	"缓存 和 一二三四五六七八九十。",
	"https://example.org/a/long/path/to/some-file_name.html?x=1&y=2",
	"\\*no\\*",
	"<!-- let n = layers=32 -->",
	"`=cache {n}`",
};

static const char glossary_text[] =
	"# Glossary\n\n### GEMM\n\nA product of matrices.\n\n### KV cache\n\n"
	"Also: cache.\n\nKeys and values.\n\n### ring\n\nA circle.\n";

static char *any_page(struct rng *r)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	for (size_t n = rng_below(r, MOST_BLOCKS); n > 0; n--)
		fprintf(f, "%s%s", blocks[rng_below(r, LENGTH(blocks))],
			one_in(r, 6) ? "\n" : "\n\n");
	fclose(f);
	return text;
}

/* ---- An engine, of which any part may be missing. */

static const char *described(const void *context, const char *setting, struct arena *a)
{
	(void)context;
	return strncmp(setting, "roofline", 8) == 0 ? arena_text(a, "A roof, in words.") : NULL;
}

static const char *below(
	const void *context, const char *setting, const char **target, struct arena *a)
{
	(void)context;
	if (strlen(setting) > 12)
		return NULL;
	*target = arena_text(a, "present:roofline");
	return arena_text(a, "Its tour");
}

static int drawn(const void *context, const char *setting, struct canvas *cv, struct rect r)
{
	(void)context;
	(void)setting;
	canvas_fill(cv, r, '#', STYLE_PLAIN, 0);
	return 0;
}

static const char *expanded(
	const void *context, const char *markdown, size_t *bytes, bool ascii, struct arena *a)
{
	(void)context;
	(void)ascii;
	const char *text = arena_printf(a, "%.*s\n\nOf the engine.\n", (int)*bytes, markdown);
	*bytes = strlen(text);
	return text;
}

static bool opened(const void *context, size_t fold)
{
	(void)context;
	return fold % 2 == 0;
}

static struct page_env any_env(struct rng *r, const struct glossary *terms, int width)
{
	struct page_env env = {
		.tight = (int)rng_below(r, 5), .ruled = one_in(r, 3), .ascii = one_in(r, 3)
	};
	if (one_in(r, 2))
		env.compute = answer;
	if (!one_in(r, 3))
		env.figure_rows = rows_of;
	if (one_in(r, 2))
		env.describe = described;
	if (one_in(r, 2))
		env.below_figure = below;
	if (one_in(r, 3))
		env.draw_figure = drawn;
	if (one_in(r, 4))
		env.expand = expanded;
	if (one_in(r, 2))
		env.is_open = opened;
	env.folded = one_in(r, 3);
	env.aloud = one_in(r, 4);
	env.terms = one_in(r, 2) ? terms : NULL;
	if (env.figure_rows && one_in(r, 2))
		env.beside = (struct page_beside){ width + 3, 40 };
	return env;
}

/* ---- What holds. */

static int columns_of(const struct page_line *line)
{
	int columns = line->indent;
	for (size_t i = 0; i < line->n_spans; i++)
		columns += text_width(line->spans[i].text);
	return columns;
}

static void lines_are_sound(const struct page *p, bool ascii, unsigned seed)
{
	for (size_t i = 0; i < p->n_lines; i++) {
		const struct page_line *line = &p->lines[i];
		const int most = line->col ? p->beside.cols : p->width;
		cr_assert(ascii || columns_of(line) <= most, "page %u, line %zu", seed, i);
		cr_assert(line->figure < (int)p->n_figures && line->fold <= (int)p->n_folds &&
				  line->stands_for <= (int)p->n_folds && line->row < p->n_rows,
			"page %u, line %zu", seed, i);
		for (size_t k = 0; k < line->n_spans; k++)
			cr_assert(line->spans[k].link < (int)p->n_links &&
					  line->spans[k].computed < (int)p->n_computed &&
					  line->spans[k].term <= (int)p->n_terms,
				"page %u, line %zu", seed, i);
	}
	for (size_t i = 0; i < p->n_headings; i++)
		cr_assert(p->headings[i].line < p->n_lines, "page %u", seed);
	for (size_t i = 0; i < p->n_figures; i++)
		cr_assert(p->figures[i].rows == 0 || p->figures[i].line < p->n_lines, "page %u",
			seed);
	for (size_t i = 0; i < p->n_folds; i++)
		cr_assert(p->folds[i].line + p->folds[i].n_lines <= p->n_lines, "page %u", seed);
}

static void expect_same(const struct page *a, const struct page *b, unsigned seed)
{
	cr_assert(a->n_lines == b->n_lines && a->n_rows == b->n_rows && a->n_links == b->n_links,
		"page %u", seed);
	for (size_t i = 0; i < a->n_lines; i++) {
		cr_assert(a->lines[i].n_spans == b->lines[i].n_spans, "page %u, line %zu", seed, i);
		for (size_t k = 0; k < a->lines[i].n_spans; k++)
			cr_assert(strcmp(a->lines[i].spans[k].text, b->lines[i].spans[k].text) == 0,
				"page %u, line %zu", seed, i);
	}
}

static void draw_in(struct rng *r, struct page *p, const struct page_env *env, unsigned seed)
{
	enum { AROUND = 2 };
	const int width = p->beside.cols ? p->beside.col + p->beside.cols : p->width;
	const struct rect at = { AROUND, AROUND, 1 + (int)rng_below(r, 40), width };
	const size_t top = p->n_rows ? rng_below(r, p->n_rows) : 0;
	const struct page_sight sight = { .top = top,
		.end = one_in(r, 3) ? top + rng_below(r, (uint64_t)at.rows + 1) : p->n_rows,
		.rows = (size_t)at.rows,
		.figure = p->n_figures && one_in(r, 3) ? rng_below(r, p->n_figures) : NO_FIGURE };
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, at.rows + 2 * AROUND, at.cols + 2 * AROUND,
				    env && env->ascii ? GLYPHS_ASCII : GLYPHS_LINES)));
	if (p->beside.cols)
		page_place_beside(p, &sight);
	page_draw(&cv, at, p, top, one_in(r, 2) ? "a" : NULL,
		p->n_links && one_in(r, 2) ? (int)rng_below(r, p->n_links) : -1,
		p->n_computed && one_in(r, 2) ? (int)rng_below(r, p->n_computed) : -1);
	for (int row = 0; row < cv.rows; row++)
		for (int col = 0; col < cv.cols; col++) {
			const bool inside = row >= at.row && row < at.row + at.rows &&
					    col >= at.col && col < at.col + at.cols;
			cr_assert(inside || cv.cells[row * cv.cols + col].code == ' ',
				"page %u: cell %d, %d of %d x %d", seed, col, row, at.cols,
				at.rows);
		}
	canvas_release(&cv);
	static const char *const sought[] = { "a", "code", "no such words", "FOLD" };
	for (size_t i = 0; i < LENGTH(sought); i++)
		for (int backwards = 0; backwards < 2; backwards++) {
			const long found = page_find(
				p, sought[i], (long)rng_below(r, p->n_lines + 2) - 1, backwards);
			cr_assert(found >= -1 && found < (long)p->n_lines, "page %u", seed);
		}
}

static void hold(unsigned seed, const struct glossary *terms)
{
	struct rng r = rng_stream(seed, "page", 0);
	char *markdown = any_page(&r);
	const size_t bytes = strlen(markdown);
	for (int i = 0; i < 3; i++) {
		const int width = 20 + (int)rng_below(&r, WIDEST - 20);
		const struct page_env any = any_env(&r, terms, width),
				      *env = one_in(&r, 8) ? NULL : &any;
		struct page one, two;
		cr_assert(
			zero(int, page_layout(&one, markdown, bytes, width, env)), "page %u", seed);
		cr_assert(
			zero(int, page_layout(&two, markdown, bytes, width, env)), "page %u", seed);
		expect_same(&one, &two, seed);
		lines_are_sound(&one, env && env->ascii, seed);
		draw_in(&r, &one, env, seed);
		page_release(&one);
		page_release(&two);
	}
	free(markdown);
}

Test(laws_pages, are_sound_and_stay_in_their_room, .description = "long", .timeout = 7200)
{
	struct glossary terms;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, glossary_init(&terms, glossary_text, sizeof glossary_text - 1)));
	const size_t n = laws_count("LAWS_PAGES", PAGES);
	for (unsigned seed = 1; seed <= n; seed++)
		hold(seed, &terms);
	glossary_release(&terms);
}
