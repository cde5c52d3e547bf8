/* Any bytes are a page, and a glossary for it: it lays out at a narrow, a middling or a usual width, no line is too wide, every
 * index points at something, and drawing and searching stay inside it. */
#include "sims/base/utf8.h"
#include "ui/pages/formula_sheet.h"
#include "ui/pages/page.h"
#include "ui/pages/glossary.h"
#include "ui/pages/page_draw.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int compute(const void *context, const char *source, char *buf, size_t size)
{
	(void)context;
	if (source[0] == 'x' || size < 8)
		return -1;
	strcpy(buf, "4.29 GB");
	return 0;
}

static int figure_rows(const void *context, const char *setting, int width)
{
	(void)context;
	return setting[0] == 'x' ? -1 : width % 7 + 1;
}

static const char *expand(
	const void *context, const char *markdown, size_t *bytes, bool ascii, struct arena *a)
{
	(void)context;
	return formula_sheet_expand(markdown, bytes, NULL, ascii, a);
}

static void require(int holds)
{
	if (!holds)
		abort();
}

static int glyph_columns(const struct page_env *env, const char *text)
{
	int columns = 0;
	for (uint32_t code; (code = utf8_next(&text));)
		columns += env->ascii && code >= 0x80 ? (int)strlen(glyph_ascii(code))
						      : code_width(code);
	return columns;
}

static void check(const struct page *p, const struct page_env *env)
{
	for (size_t i = 0; i < p->n_lines; i++) {
		const struct page_line *line = &p->lines[i];
		int columns = line->indent;
		require(line->figure < (int)p->n_figures);
		for (size_t j = 0; j < line->n_spans; j++) {
			const struct page_span *s = &line->spans[j];
			require(s->link < (int)p->n_links && s->computed < (int)p->n_computed);
			require(s->term >= 0 && s->term <= (int)p->n_terms);
			require(strpbrk(s->text, "\n\r\t\x1b") == NULL);
			columns += glyph_columns(env, s->text);
		}
		require(columns <= p->width);
	}
	for (size_t i = 0; i < p->n_headings; i++)
		require(p->headings[i].line < p->n_lines && p->headings[i].anchor);
	for (size_t i = 0; i < p->n_links; i++)
		require(p->links[i].text && p->links[i].target && p->links[i].line <= p->n_lines);
	for (size_t i = 0; i < p->n_computed; i++)
		require(p->computed[i].result && p->computed[i].line <= p->n_lines);
	for (size_t i = 0; i < p->n_terms; i++)
		require(p->terms[i].entry < env->terms->n_entries &&
			p->terms[i].line <= p->n_lines);
	for (size_t i = 0; i < p->n_figures; i++)
		require(p->figures[i].line + (size_t)p->figures[i].rows <= p->n_lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* One width an input: a longer one by a byte has the next. */
	static const int widths[] = { 20, 33, 80 };
	const size_t i = size % (sizeof widths / sizeof *widths);
	struct glossary terms;
	struct page p;
	struct canvas cv;
	require(glossary_init(&terms, (const char *)data, size) == 0);
	const struct page_env env = {
		.compute = compute,
		.figure_rows = figure_rows,
		.expand = expand,
		.terms = &terms,
		.ascii = i == 1,
	};
	require(page_layout(&p, (const char *)data, size, widths[i], &env) == 0);
	check(&p, &env);
	require(page_find(&p, "a b", -1, false) < (long)p.n_lines);
	if (canvas_init(&cv, 8, 40, i == 1 ? GLYPHS_ASCII : GLYPHS_LINES) == 0)
		page_draw(&cv, (struct rect){ 0, 0, 8, 40 }, &p, p.n_lines / 2, "a", 0, 0);
	canvas_release(&cv);
	page_release(&p);
	glossary_release(&terms);
	return 0;
}
