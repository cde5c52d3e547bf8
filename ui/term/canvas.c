#include "ui/term/canvas.h"

#include "sims/base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int canvas_init(struct canvas *cv, int rows, int cols, enum glyphs glyphs)
{
	*cv = (struct canvas){ .glyphs = glyphs, .cursor_row = -1 };
	if (rows <= 0 || cols <= 0)
		return 0;
	cv->cells = calloc((size_t)rows * (size_t)cols, sizeof *cv->cells);
	if (!cv->cells)
		return -1;
	cv->rows = rows;
	cv->cols = cols;
	canvas_clear(cv);
	return 0;
}

int canvas_init_like(struct canvas *cv, const struct canvas *like, int rows, int cols)
{
	enum fills fills = like->fills;
	bool grows = like->grows;
	int rc = canvas_init(cv, rows, cols, like->glyphs);
	cv->fills = fills;
	cv->grows = grows;
	return rc;
}

void canvas_release(struct canvas *cv)
{
	free(cv->cells);
	*cv = (struct canvas){ .cursor_row = -1 };
}

void canvas_clear(struct canvas *cv)
{
	size_t n = (size_t)cv->rows * (size_t)cv->cols;
	for (size_t i = 0; i < n; i++)
		cv->cells[i] = (struct cell){ .code = ' ' };
	cv->cursor_row = -1;
	cv->n_scaled = 0;
	cv->starved = false;
}

void canvas_starve(struct canvas *cv, struct rect r)
{
	cv->starved = true;
	canvas_text(cv, r.row, r.col, r.cols, "out of memory", STYLE_DIM, 0);
}

enum style role_style(enum role role)
{
	assert((unsigned)role < STYLE_SERIES);
	return (enum style)role;
}

enum style meaning_style(enum meaning meaning)
{
	assert((unsigned)meaning < N_MEANINGS);
	return (enum style)(STYLE_SERIES + meaning);
}

enum style meaning_tint(enum meaning meaning)
{
	assert((unsigned)meaning < N_MEANINGS);
	return meaning < MEANS_LEVEL ? (enum style)(STYLE_TINT + meaning) : STYLE_PLAIN;
}

static struct cell *at(const struct canvas *cv, int row, int col)
{
	if (row < 0 || col < 0 || row >= cv->rows || col >= cv->cols)
		return NULL;
	return &cv->cells[row * cv->cols + col];
}

/* Half of a wide character that is written over must not stay behind. */
static void unsplit(struct canvas *cv, int row, int col)
{
	struct cell *c = at(cv, row, col), *left = at(cv, row, col - 1),
		    *right = at(cv, row, col + 1);
	if (c->code == 0 && left)
		left->code = ' ';
	if (right && right->code == 0 && c->code != 0)
		right->code = ' ';
}

void canvas_put(struct canvas *cv, int row, int col, uint32_t code, enum style s, unsigned attr)
{
	assert((unsigned)s < N_STYLES);
	struct cell *c = at(cv, row, col);
	if (!c)
		return;
	unsplit(cv, row, col);
	if (code_width(code) == 2) {
		struct cell *right = at(cv, row, col + 1);
		if (!right) {
			code = ' ';
		} else {
			unsplit(cv, row, col + 1);
			*right = (struct cell){ 0, (uint8_t)s, (uint8_t)attr, 0 };
		}
	}
	*c = (struct cell){ code, (uint8_t)s, (uint8_t)attr, 0 };
}

void canvas_under(struct canvas *cv, int row, int col, enum style under)
{
	assert((unsigned)under < N_STYLES);
	struct cell *c = at(cv, row, col);
	if (c)
		c->under = (uint8_t)under;
}

int canvas_text(struct canvas *cv, int row, int col, int width, const char *text, enum style s,
	unsigned attr)
{
	int used = 0, room = width < 0 ? cv->cols - col : width;
	for (uint32_t code; (code = utf8_next(&text));) {
		if (cv->glyphs == GLYPHS_ASCII && code >= 0x80) {
			for (const char *a = glyph_ascii(code); *a && used < room; a++)
				canvas_put(cv, row, col + used++, (unsigned char)*a, s, attr);
			continue;
		}
		if (code < 0x20 || code == 0x7f)
			code = glyph_or(cv->glyphs, 0xfffd, '?');
		int w = code_width(code);
		if (w == 0)
			continue; /* combining marks: no cell of their own */
		if (used + w > room)
			break;
		canvas_put(cv, row, col + used, code, s, attr);
		used += w;
	}
	return used;
}

int canvas_printf(struct canvas *cv, int row, int col, int width, enum style s, unsigned attr,
	const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return canvas_text(cv, row, col, width, text, s, attr);
}

int canvas_text_right(struct canvas *cv, int row, int col, int width, const char *text,
	enum style s, unsigned attr)
{
	int w = text_cols(text, cv->glyphs);
	return canvas_text(cv, row, w < width ? col + width - w : col, width, text, s, attr);
}

void canvas_copy(struct canvas *cv, int row, int col, const struct canvas *from, struct rect part)
{
	cv->starved |= from->starved;
	for (int i = 0; i < part.rows; i++)
		for (int j = 0; j < part.cols; j++) {
			const struct cell *c = at(from, part.row + i, part.col + j);
			if (!c || (c->code == 0 && j > 0))
				continue; /* the right half came with its left one */
			bool cut = c->code == 0 || (j + 1 == part.cols && code_width(c->code) == 2);
			canvas_put(cv, row + i, col + j, cut ? ' ' : c->code, (enum style)c->style,
				c->attr);
			canvas_under(cv, row + i, col + j, (enum style)c->under);
		}
}

/* -1: one of them is not one column wide. */
static int columns_of_narrow(const char *text, size_t bytes)
{
	int n = 0;
	for (const char *end = text + bytes; text < end; n++) {
		uint32_t code = utf8_next(&text);
		if (code < 0x20 || code == 0x7f || code_width(code) != 1)
			return -1;
	}
	return n;
}

static struct rect scaled_rect(const struct scaled_text *t)
{
	return (struct rect){ t->row, t->col, t->scale, t->scale * t->chars };
}

bool canvas_shows_scaled(const struct canvas *cv, const struct scaled_text *t)
{
	const struct rect r = scaled_rect(t);
	for (int i = 0; i < r.rows; i++)
		for (int j = 0; j < r.cols; j++)
			if (at(cv, r.row + i, r.col + j)->code != SCALED_CELL)
				return false;
	return true;
}

bool canvas_scaled(struct canvas *cv, int row, int col, int scale, const char *text, size_t bytes,
	enum style s)
{
	assert(scale >= 1 && scale <= LARGEST_SCALE);
	int chars = columns_of_narrow(text, bytes);
	if (!cv->scales || cv->n_scaled == MOST_SCALED || bytes >= SCALED_BYTES || chars < 1 ||
		row < 0 || col < 0 || row + scale > cv->rows || col + scale * chars > cv->cols)
		return false;
	struct scaled_text t = { row, col, scale, chars, s, "" };
	const struct rect r = scaled_rect(&t);
	memcpy(t.text, text, bytes);
	/* What it is drawn over is seen to be gone: its cells are not this one's. */
	canvas_fill(cv, r, ' ', s, 0);
	int kept = 0;
	for (int i = 0; i < cv->n_scaled; i++)
		if (canvas_shows_scaled(cv, &cv->scaled[i]))
			cv->scaled[kept++] = cv->scaled[i];
	cv->scaled[kept] = t;
	cv->n_scaled = kept + 1;
	canvas_fill(cv, r, SCALED_CELL, s, 0);
	return true;
}

void canvas_fill(struct canvas *cv, struct rect r, uint32_t code, enum style s, unsigned attr)
{
	for (int i = 0; i < r.rows; i++)
		for (int j = 0; j < r.cols; j++)
			canvas_put(cv, r.row + i, r.col + j, code, s, attr);
}

void canvas_restyle(struct canvas *cv, struct rect r, enum style s, unsigned attr)
{
	assert((unsigned)s < N_STYLES);
	for (int i = 0; i < r.rows; i++)
		for (int j = 0; j < r.cols; j++) {
			struct cell *c = at(cv, r.row + i, r.col + j);
			if (c) {
				c->style = (uint8_t)s;
				c->attr |= (uint8_t)attr;
			}
		}
}

void canvas_rule(struct canvas *cv, int row, int col, int width, enum style s)
{
	canvas_fill(
		cv, (struct rect){ row, col, 1, width }, glyph_or(cv->glyphs, 0x2500, '-'), s, 0);
}

void canvas_bar(struct canvas *cv, int row, int col, int height, enum style s)
{
	canvas_fill(
		cv, (struct rect){ row, col, height, 1 }, glyph_or(cv->glyphs, 0x2502, '|'), s, 0);
}

void canvas_write_text(const struct canvas *cv, FILE *out)
{
	for (int row = 0; row < cv->rows; row++) {
		const struct cell *line = &cv->cells[row * cv->cols];
		int end = cv->cols;
		while (end > 0 && (line[end - 1].code == ' ' || line[end - 1].code == 0))
			end--;
		if (end > 0 && end < cv->cols && line[end].code == 0)
			end++;
		for (int col = 0; col < end; col++) {
			char buf[5];
			if (line[col].code) {
				utf8_write(
					buf, line[col].code == SCALED_CELL ? ' ' : line[col].code);
				fputs(buf, out);
			}
		}
		fputc('\n', out);
	}
}
