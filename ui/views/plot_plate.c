#include "ui/views/plot_private.h"

#include <stdlib.h>
#include <string.h>

int plate_init(struct plate *pl, int rows, int cols)
{
	*pl = (struct plate){ 0 };
	pl->spots = calloc((size_t)rows * (size_t)cols, sizeof *pl->spots);
	if (!pl->spots)
		return -1;
	pl->rows = rows;
	pl->cols = cols;
	return 0;
}

void plate_release(struct plate *pl)
{
	free(pl->spots);
	*pl = (struct plate){ 0 };
}

void plate_clear(struct plate *pl)
{
	memset(pl->spots, 0, (size_t)pl->rows * (size_t)pl->cols * sizeof *pl->spots);
}

struct spot *plate_at(const struct plate *pl, int row, int col)
{
	if (row < 0 || col < 0 || row >= pl->rows || col >= pl->cols)
		return NULL;
	return &pl->spots[row * pl->cols + col];
}

void plate_put(struct plate *pl, int row, int col, uint32_t code, enum style s, unsigned attr,
	enum ink ink)
{
	struct spot *spot = plate_at(pl, row, col);
	if (spot)
		*spot = (struct spot){ code, (uint8_t)s, (uint8_t)attr, (uint8_t)ink, 0, 0, 0, 0 };
}

/* The next thing to write: a character of the text, or the ASCII that stands in for it. */
static int next_width(enum glyphs glyphs, uint32_t code)
{
	if (glyphs == GLYPHS_ASCII && code >= 0x80)
		return (int)strlen(glyph_ascii(code));
	return code < 0x20 || code == 0x7f ? 1 : code_width(code);
}

int plate_text_width(enum glyphs glyphs, const char *text)
{
	int width = 0;
	for (uint32_t code; (code = utf8_next(&text));)
		width += next_width(glyphs, code);
	return width;
}

static void put_code(struct plate *pl, enum glyphs glyphs, int row, int col, uint32_t code,
	enum style s, unsigned attr)
{
	if (glyphs == GLYPHS_ASCII && code >= 0x80) {
		for (const char *a = glyph_ascii(code); *a; a++)
			plate_put(pl, row, col++, (unsigned char)*a, s, attr, INK_TEXT);
		return;
	}
	if (code < 0x20 || code == 0x7f)
		code = glyphs == GLYPHS_ASCII ? '?' : 0xfffd;
	plate_put(pl, row, col, code, s, attr, INK_TEXT);
	if (code_width(code) == 2)
		plate_put(pl, row, col + 1, 0, s, attr, INK_TEXT);
}

int plate_text(struct plate *pl, enum glyphs glyphs, int row, int col, int width, const char *text,
	enum style s, unsigned attr)
{
	bool cut = plate_text_width(glyphs, text) > width;
	int used = 0, dots = cut ? next_width(glyphs, 0x2026) : 0;
	if (dots > width) { /* three ASCII points may be more than there is room for */
		cut = false;
		dots = 0;
	}
	for (uint32_t code; (code = utf8_next(&text));) {
		int w = next_width(glyphs, code);
		if (used + w > width - dots)
			break;
		if (w > 0)
			put_code(pl, glyphs, row, col + used, code, s, attr);
		used += w;
	}
	if (cut) {
		put_code(pl, glyphs, row, col + used, 0x2026, s, attr);
		used += dots;
	}
	return used;
}

void plate_show(const struct plate *pl, struct canvas *cv, int row, int col)
{
	for (int i = 0; i < pl->rows; i++)
		for (int j = 0; j < pl->cols; j++) {
			const struct spot *spot = &pl->spots[i * pl->cols + j];
			if (spot->code)
				canvas_put(
					cv, row + i, col + j, spot->code, spot->style, spot->attr);
		}
}
