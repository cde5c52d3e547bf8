#include "ui/pages/page_draw.h"

#include "sims/base/utf8.h"
#include "ui/pages/page_lines.h"

#include <assert.h>
#include <string.h>

/* A place in the text of a page. A search reads the page through it as if its lines were joined by
 * blanks, so that words are found across the end of a line. */
struct cursor {
	const struct page *page;
	size_t line, span;
	const char *text; /* in that span */
};

static bool is_prefix(const struct page_span *s)
{
	return s->style == STYLE_DIM && strcmp(s->text, PAGE_BAR) == 0;
}

static struct cursor cursor_at(const struct page *p, size_t line)
{
	struct cursor c = { p, line, 0, NULL };
	if (line >= p->n_lines)
		return c;
	const struct page_line *l = &p->lines[line];
	while (c.span < l->n_spans && is_prefix(&l->spans[c.span]))
		c.span++;
	c.text = c.span < l->n_spans ? l->spans[c.span].text : NULL;
	return c;
}

/* The next code point in lower case; '\n' at the end of a line, 0 at the end of the page. */
static uint32_t cursor_next(struct cursor *c)
{
	while (c->text) {
		uint32_t code = utf8_next(&c->text);
		if (code)
			return utf8_lower(code);
		const struct page_line *l = &c->page->lines[c->line];
		c->text = ++c->span < l->n_spans ? l->spans[c->span].text : NULL;
	}
	if (c->line >= c->page->n_lines)
		return 0;
	*c = cursor_at(c->page, c->line + 1);
	return '\n';
}

/* A match that begins at a cursor, in code points: on the line of the cursor, and on the line after
 * where it goes on there. */
struct text_hit {
	bool found;
	size_t here, after;
};

static struct text_hit match(struct cursor c, const char *text)
{
	struct text_hit hit = { false, 0, 0 };
	const size_t line = c.line;
	uint32_t before = 0;
	while (*text) {
		const char *rest = text;
		uint32_t want = utf8_lower(utf8_next(&rest)), got = cursor_next(&c);
		/* A line may have ended after a hyphen, without a blank. */
		bool split = got == '\n' && want != ' ' && before && before < 0x80 &&
			     strchr("-/_", (int)before);
		if (!split && want != (got == '\n' ? ' ' : got))
			return hit;
		if (got != '\n')
			*(c.line == line ? &hit.here : &hit.after) += 1;
		if (!split)
			text = rest;
		before = got;
	}
	hit.found = true;
	return hit;
}

static bool line_has(const struct page *p, size_t line, const char *text);

/* Whether the fold that a line stands for has the text; the line itself is for all of it. */
static bool hidden_has(const struct page *p, size_t line, const char *text)
{
	assert(p->folds && p->lines[line].stands_for > 0);
	const struct page_fold *f = &p->folds[p->lines[line].stands_for - 1];
	struct page inside = { .n_lines = f->n_hidden };
	if (f->line != line)
		return false;
	inside.lines = f->hidden;
	for (size_t i = 0; i < f->n_hidden; i++)
		if (line_has(&inside, i, text))
			return true;
	return false;
}

static bool line_has(const struct page *p, size_t line, const char *text)
{
	if (p->lines[line].stands_for)
		return hidden_has(p, line, text);

	struct cursor c = cursor_at(p, line);
	while (c.line == line && c.text) {
		if (match(c, text).found)
			return true;
		cursor_next(&c);
	}
	return false;
}

long page_find(const struct page *p, const char *text, long from, bool backwards)
{
	const long n = (long)p->n_lines, step = backwards ? -1 : 1;
	if (!*text)
		return -1;
	from = from < -1 ? -1 : from > n ? n : from;
	for (long line = from + step; line >= 0 && line < n; line += step)
		if (line_has(p, (size_t)line, text))
			return line;
	return -1;
}

/* How many code points at the start of a line belong to a match that began on the line before. */
static size_t carried(const struct page *p, size_t line, const char *highlight)
{
	size_t most = 0;
	if (!line)
		return 0;
	struct cursor c = cursor_at(p, line - 1);
	while (c.line == line - 1 && c.text) {
		struct text_hit hit = match(c, highlight);
		if (hit.found && hit.after > most)
			most = hit.after;
		cursor_next(&c);
	}
	return most;
}

struct pen {
	struct canvas *cv;
	int row, col, end;  /* where the next cell goes; the first column beyond */
	const char *marked; /* what is searched for, or NULL */
	size_t left;        /* code points still to be marked */
};

static void put(struct pen *pen, const char *text, enum style s, unsigned attr)
{
	if (pen->col < pen->end)
		pen->col += canvas_text(
			pen->cv, pen->row, pen->col, pen->end - pen->col, text, s, attr);
}

static void put_marked(struct pen *pen, struct cursor c, enum style s, unsigned attr)
{
	const char *text = c.text;
	while (*text) {
		char one[5];
		c.text = text;
		struct text_hit hit = match(c, pen->marked);
		if (hit.found && hit.here > pen->left)
			pen->left = hit.here;
		utf8_write(one, utf8_next(&text));
		put(pen, one, s, pen->left ? attr | ATTR_REVERSE : attr);
		pen->left -= pen->left > 0;
	}
}

/* What stands out in a page: text that is searched for (or NULL), a link and a number (or -1). */
struct page_look {
	const char *marked;
	int link, computed;
};

/* Draws a line of a page whose left edge is r's, in r's first row. */
static void draw_line(struct canvas *cv, struct rect r, const struct page *p, size_t n,
	const struct page_look *look)
{
	if (n == NO_LINE)
		return;
	const struct page_line *line = &p->lines[n];
	struct pen pen = { cv, r.row, r.col + line->col + line->indent, r.col + r.cols,
		look->marked, look->marked ? carried(p, n, look->marked) : 0 };
	for (size_t j = 0; j < line->n_spans; j++) {
		const struct page_span *s = &line->spans[j];
		bool focused = (s->link >= 0 && s->link == look->link) ||
			       (s->computed >= 0 && s->computed == look->computed);
		enum style style = focused ? STYLE_ACCENT : s->style;
		unsigned attr = focused ? s->attr | ATTR_BOLD | ATTR_REVERSE : s->attr;
		if (look->marked && !is_prefix(s))
			put_marked(&pen, (struct cursor){ p, n, j, s->text }, style, attr);
		else
			put(&pen, s->text, style, attr);
	}
}

void page_draw(struct canvas *cv, struct rect r, const struct page *p, size_t first,
	const char *highlight, int focused_link, int focused_computed)
{
	assert(cv && p);
	const struct page_look look = { highlight && *highlight ? highlight : NULL, focused_link,
		focused_computed };
	for (int i = 0; i < r.rows && first + (size_t)i < p->n_rows; i++) {
		const struct page_row *row = &p->rows[first + (size_t)i];
		const struct rect at = { r.row + i, r.col, 1, r.cols };
		draw_line(cv, at, p, row->text, &look);
		draw_line(cv, at, p, row->beside, &look);
	}
}
