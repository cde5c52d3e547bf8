#include "ui/term/canvas.h"

#include "ui/term/textwrap.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

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

void canvas_release(struct canvas *cv)
{
	free(cv->cells);
	*cv = (struct canvas){ .cursor_row = -1 };
}

void canvas_clear(struct canvas *cv)
{
	size_t n = (size_t)cv->rows * (size_t)cv->cols;
	for (size_t i = 0; i < n; i++)
		cv->cells[i] = (struct cell){ ' ', STYLE_PLAIN, 0 };
	cv->cursor_row = -1;
}

enum style role_style(enum role role)
{
	assert((unsigned)role < STYLE_SERIES);
	return (enum style)role;
}

static struct cell *at(struct canvas *cv, int row, int col)
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
			*right = (struct cell){ 0, (uint8_t)s, (uint8_t)attr };
		}
	}
	*c = (struct cell){ code, (uint8_t)s, (uint8_t)attr };
}

uint32_t utf8_next(const char **text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)*text;
	if (!*p)
		return 0;
	int n = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
	uint32_t code = n == 1 ? *p : n ? *p & (0x7fu >> n) : 0;
	for (int i = 1; i < n; i++) {
		if (p[i] >> 6 != 2) {
			n = 0;
			break;
		}
		code = code << 6 | (p[i] & 0x3f);
	}
	if (!n || code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
		*text += 1;
		return 0xfffd;
	}
	*text += n;
	return code;
}

int utf8_write(char *buf, uint32_t code)
{
	int n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	for (int i = n - 1; i > 0; i--) {
		buf[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	buf[0] = (char)(lead[n] | code);
	buf[n] = '\0';
	return n;
}

/* Of the symbols from U+2000 to U+2E7F: those that are drawn over two columns (Unicode's Wide), and
 * those that have none (joiners, directions, combining marks). */
static int symbol_width(uint32_t code)
{
	/* clang-format off */
	static const struct {
		uint16_t first, last;
		int width;
	} rows[] = {
		{ 0x200b, 0x200f, 0 }, { 0x2028, 0x202e, 0 }, { 0x2060, 0x206f, 0 }, { 0x20d0, 0x20f0, 0 },
		{ 0x231a, 0x231b, 2 }, { 0x2329, 0x232a, 2 }, { 0x23e9, 0x23ec, 2 }, { 0x23f0, 0x23f0, 2 },
		{ 0x23f3, 0x23f3, 2 }, { 0x25fd, 0x25fe, 2 }, { 0x2614, 0x2615, 2 }, { 0x2648, 0x2653, 2 },
		{ 0x267f, 0x267f, 2 }, { 0x2693, 0x2693, 2 }, { 0x26a1, 0x26a1, 2 }, { 0x26aa, 0x26ab, 2 },
		{ 0x26bd, 0x26be, 2 }, { 0x26c4, 0x26c5, 2 }, { 0x26ce, 0x26ce, 2 }, { 0x26d4, 0x26d4, 2 },
		{ 0x26ea, 0x26ea, 2 }, { 0x26f2, 0x26f3, 2 }, { 0x26f5, 0x26f5, 2 }, { 0x26fa, 0x26fa, 2 },
		{ 0x26fd, 0x26fd, 2 }, { 0x2705, 0x2705, 2 }, { 0x270a, 0x270b, 2 }, { 0x2728, 0x2728, 2 },
		{ 0x274c, 0x274c, 2 }, { 0x274e, 0x274e, 2 }, { 0x2753, 0x2755, 2 }, { 0x2757, 0x2757, 2 },
		{ 0x2795, 0x2797, 2 }, { 0x27b0, 0x27b0, 2 }, { 0x27bf, 0x27bf, 2 }, { 0x2b1b, 0x2b1c, 2 },
		{ 0x2b50, 0x2b50, 2 }, { 0x2b55, 0x2b55, 2 }, { 0x2de0, 0x2dff, 0 },
	};
	/* clang-format on */
	if (code >= 0x2500 &&
		code < 0x25fd) /* lines, blocks and marks, which are most of a screen */
		return 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (code >= rows[i].first && code <= rows[i].last)
			return rows[i].width;
	return 1;
}

int code_width(uint32_t code)
{
	if (code < 0x300)
		return code >= 0x20 && (code < 0x7f || code >= 0xa0) ? 1 : 0;
	/* Asking wcwidth for line drawing, blocks, arrows, mathematics would make frames depend on
	 * the locale. */
	if (code >= 0x2000 && code < 0x2e80)
		return symbol_width(code);
	int w = wcwidth((wchar_t)code);
	return w < 0 ? 1 : w;
}

int text_width(const char *text)
{
	int width = 0;
	for (uint32_t code; (code = utf8_next(&text));)
		width += code_width(code);
	return width;
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
			code = cv->glyphs == GLYPHS_ASCII ? '?' : 0xfffd;
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
	for (int i = 0; i < part.rows; i++)
		for (int j = 0; j < part.cols; j++) {
			const struct cell *c =
				at((struct canvas *)from, part.row + i, part.col + j);
			if (!c || (c->code == 0 && j > 0))
				continue; /* the right half came with its left one */
			bool cut = c->code == 0 || (j + 1 == part.cols && code_width(c->code) == 2);
			canvas_put(cv, row + i, col + j, cut ? ' ' : c->code, (enum style)c->style,
				c->attr);
		}
}

void canvas_fill(struct canvas *cv, struct rect r, uint32_t code, enum style s, unsigned attr)
{
	for (int i = 0; i < r.rows; i++)
		for (int j = 0; j < r.cols; j++)
			canvas_put(cv, r.row + i, r.col + j, code, s, attr);
}

void canvas_restyle(struct canvas *cv, struct rect r, enum style s, unsigned attr)
{
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
	uint32_t code = cv->glyphs == GLYPHS_ASCII ? '-' : 0x2500;
	canvas_fill(cv, (struct rect){ row, col, 1, width }, code, s, 0);
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
				utf8_write(buf, line[col].code);
				fputs(buf, out);
			}
		}
		fputc('\n', out);
	}
}
