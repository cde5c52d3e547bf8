/* What is a picture in a terminal becomes shapes, one path for all of a colour, in which what lies
 * side by side is one rectangle or one stroke: then nothing has seams, and the file is small. What
 * is text stays text. Each run of it is held to its columns, whatever font shows it. */
#include "ui/term/svg.h"

#include "sims/base/utf8.h"
#include "ui/term/glyph_lines.h"
#include "ui/term/glyph_shapes.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* The baseline and the underline from the top of a row; the size at which a letter of most fonts is
 * as wide as a cell. */
enum { MARGIN = 8, BASELINE = 12, UNDERLINE = 14 };
#define FONT_SIZE "13.3"

/* What is drawn in a cell, as bits. */
enum {
	TEXT = 1,
	BLOCK = 2,
	LINE = 4, /* box drawing, outlines of marks, underlines */
	BRAILLE = 8,
	ROW_OF_DOTS = 16, /* middle dots side by side; one alone is a sign between words */
	MARK = 32,
	DASHES = 64
};

/* A cell as it is painted: of its ground only, where nothing is drawn. */
struct ink {
	uint32_t code;
	unsigned attr, drawn;
	int rgb, ground;
	bool done; /* its ground was painted */
};

/* A style has one colour, and a ground may be the colour of what is drawn in reverse. */
enum { MOST_COLOURS = N_STYLES + 2 };

struct picture {
	int rows, cols, page;
	struct ink *inks;
	struct {
		int rgb;
		unsigned drawn; /* in it, somewhere */
	} colours[MOST_COLOURS];
	size_t n_colours;
	FILE *out;
};

static const struct ink *ink_at(const struct picture *p, int row, int col)
{
	return row < 0 || col < 0 || row >= p->rows || col >= p->cols
		       ? NULL
		       : &p->inks[row * p->cols + col];
}

/* --- Colours --- */

static int rgb_of(struct colour c, int own)
{
	return c.own ? own : c.r << 16 | c.g << 8 | c.b;
}

static int mixed(int rgb, int ground, double share)
{
	int out = 0;
	for (int shift = 0; shift < 24; shift += 8) {
		int a = rgb >> shift & 0xff, b = ground >> shift & 0xff;
		out |= (int)lround(a * share + b * (1 - share)) << shift;
	}
	return out;
}

/* Neither of XML nor of a row of text: controls, surrogates and beyond Unicode. */
static bool is_writable(uint32_t code)
{
	return code >= 0x20 && (code < 0x7f || code > 0x9f) && (code < 0xd800 || code > 0xdfff) &&
	       (code & 0xfffe) != 0xfffe && code <= 0x10ffff;
}

static struct ink ink_of(const struct cell *c, enum background background, bool cursor)
{
	enum { NO_BREAK_SPACE = 0xa0, REPLACEMENT = 0xfffd };
	struct colour text = theme_colour((enum style)c->style, DEPTH_RGB, background);
	struct colour under = theme_colour((enum style)c->under, DEPTH_RGB, background);
	struct ink ink = { .code = c->code ? c->code : ' ', .attr = c->attr };
	ink.rgb = rgb_of(text, theme_own_rgb(background, false));
	ink.ground = rgb_of(under, theme_own_rgb(background, true));
	ink.attr |= (text.bold ? ATTR_BOLD : 0u) | (text.underline ? ATTR_UNDERLINE : 0u);
	if (!(ink.attr & ATTR_REVERSE) == cursor) {
		int rgb = ink.rgb;
		ink.rgb = ink.ground;
		ink.ground = rgb;
	}
	double share = shade_share(c->code);
	if (share > 0)
		ink.ground = mixed(ink.rgb, ink.ground, share);
	if (share > 0 || c->code == NO_BREAK_SPACE)
		ink.code = ' ';
	else if (!is_writable(ink.code))
		ink.code = REPLACEMENT;
	return ink;
}

static unsigned drawn_of(const struct ink *ink)
{
	struct rect rects[MOST_RECTS];
	uint32_t code = ink->code;
	unsigned line = ink->attr & (ATTR_UNDERLINE | ATTR_DOTTED) ? LINE : 0;
	if (code < 0x2500) /* nearly all cells */
		return line | (code == ' ' ? 0 : TEXT);
	if (code < 0x2580)
		return line | (line_dashes(code) ? DASHES : LINE);
	const struct mark_shape *mark = mark_shape(code);
	if (!mark && !braille_dots(code) && block_rects(code, rects))
		return BLOCK;
	return line | (mark ? mark->filled ? MARK : LINE : braille_dots(code) ? BRAILLE : TEXT);
}

static void note_colour(struct picture *p, const struct ink *ink)
{
	size_t i = 0;
	if (!ink->drawn)
		return;
	while (i < p->n_colours && p->colours[i].rgb != ink->rgb)
		i++;
	if (i == p->n_colours) {
		assert(i < MOST_COLOURS);
		p->colours[p->n_colours++].rgb = ink->rgb;
	}
	p->colours[i].drawn |= ink->drawn;
}

static bool is_middle_dot(const struct ink *ink)
{
	return ink && ink->code == 0xb7;
}

static void find_rows_of_dots(const struct picture *p)
{
	for (int i = 0; i < p->rows * p->cols; i++) {
		struct ink *ink = &p->inks[i];
		int row = i / p->cols, col = i % p->cols;
		if (is_middle_dot(ink) && (is_middle_dot(ink_at(p, row, col - 1)) ||
						  is_middle_dot(ink_at(p, row, col + 1))))
			ink->drawn = ROW_OF_DOTS | (ink->drawn & ~(unsigned)TEXT);
	}
}

/* The inks have room for all cells. */
static void picture_init(struct picture *p, const struct canvas *cv, enum background background)
{
	for (int i = 0; i < p->rows * p->cols; i++) {
		bool cursor =
			cv->cursor_row >= 0 && i == cv->cursor_row * cv->cols + cv->cursor_col;
		p->inks[i] = ink_of(&cv->cells[i], background, cursor);
		p->inks[i].drawn = drawn_of(&p->inks[i]);
	}
	find_rows_of_dots(p);
	for (int i = 0; i < p->rows * p->cols; i++)
		note_colour(p, &p->inks[i]);
}

/* --- Paths --- */

/* A path of one colour. It begins with its first shape, so that one without any is not written. */
struct pen {
	FILE *out;
	const char *paint; /* "fill", "stroke" */
	const char *attrs; /* more of them, with a blank before each */
	int rgb;
	bool begun;
};

static void pen_draw(struct pen *pen, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void pen_draw(struct pen *pen, const char *fmt, ...)
{
	va_list ap;
	if (!pen->begun)
		fprintf(pen->out, "<path %s=\"#%06x\"%s d=\"", pen->paint, (unsigned)pen->rgb,
			pen->attrs);
	pen->begun = true;
	va_start(ap, fmt);
	vfprintf(pen->out, fmt, ap);
	va_end(ap);
}

static void pen_end(struct pen *pen)
{
	if (pen->begun)
		fputs("\"/>\n", pen->out);
	pen->begun = false;
}

static void draw_rect(struct pen *pen, struct rect r)
{
	pen_draw(pen, "M%d %dh%dv%dh-%dz", r.col, r.row, r.cols, r.rows, r.cols);
}

/* --- Grounds --- */

static int ground_at(const struct picture *p, int row, int col)
{
	const struct ink *ink = ink_at(p, row, col);
	return ink ? ink->ground : -1;
}

/* The columns from here on that have the colour of this cell, where they begin here. */
static int ground_run(const struct picture *p, int row, int col)
{
	int rgb = ground_at(p, row, col), n = 1;
	if (rgb < 0 || ground_at(p, row, col - 1) == rgb)
		return 0;
	while (ground_at(p, row, col + n) == rgb)
		n++;
	return n;
}

static bool same_run(const struct picture *p, int row, int col, int rgb, int cols)
{
	return ground_at(p, row, col) == rgb && ground_run(p, row, col) == cols;
}

/* All rectangles of the colour of this cell: runs, and under a run the same one in the next rows. */
static void paint_ground(const struct picture *p, int rgb)
{
	struct pen pen = { p->out, "fill", "", rgb, false };
	for (int row = 0; row < p->rows; row++)
		for (int col = 0; col < p->cols; col++) {
			if (ground_at(p, row, col) != rgb)
				continue;
			p->inks[row * p->cols + col].done = true;
			int cols = ground_run(p, row, col), rows = 1;
			if (!cols || same_run(p, row - 1, col, rgb, cols))
				continue;
			while (same_run(p, row + rows, col, rgb, cols))
				rows++;
			draw_rect(&pen, (struct rect){ row * GLYPH_HEIGHT, col * GLYPH_WIDTH,
						rows * GLYPH_HEIGHT, cols * GLYPH_WIDTH });
		}
	pen_end(&pen);
}

static void paint_grounds(const struct picture *p)
{
	for (int i = 0; i < p->rows * p->cols; i++)
		if (!p->inks[i].done && p->inks[i].ground != p->page)
			paint_ground(p, p->inks[i].ground);
}

/* --- Blocks --- */

/* The rectangles of a block of this colour in a cell. One with an underline has that at its foot, where the blocks
 * beside it have theirs. */
static size_t rects_of(const struct ink *ink, int rgb, struct rect rects[2 * MOST_RECTS])
{
	enum { FOOT = 0x2581 };
	bool block = ink && ink->drawn & BLOCK && ink->rgb == rgb;
	size_t n = block ? block_rects(ink->code, rects) : 0;
	return n && ink->attr & ATTR_UNDERLINE ? n + block_rects(FOOT, rects + n) : n;
}

static bool has_rect(const struct ink *ink, int rgb, struct rect want)
{
	struct rect rects[2 * MOST_RECTS];
	size_t n = rects_of(ink, rgb, rects);
	for (size_t i = 0; i < n; i++)
		if (rects[i].row == want.row && rects[i].col == want.col &&
			rects[i].rows == want.rows && rects[i].cols == want.cols)
			return true;
	return false;
}

/* One that spans its cell goes on where the next cell has the same. */
static void paint_rect(const struct picture *p, struct pen *pen, int row, int col, struct rect r)
{
	bool wide = r.cols == GLYPH_WIDTH;
	int down = wide ? 0 : 1, right = wide ? 1 : 0, n = 1;
	if (wide || r.rows == GLYPH_HEIGHT) {
		if (has_rect(ink_at(p, row - down, col - right), pen->rgb, r))
			return;
		while (has_rect(ink_at(p, row + n * down, col + n * right), pen->rgb, r))
			n++;
	}
	draw_rect(pen, (struct rect){ row * GLYPH_HEIGHT + r.row, col * GLYPH_WIDTH + r.col,
			       wide ? r.rows : n * r.rows, wide ? n * r.cols : r.cols });
}

static void paint_blocks(const struct picture *p, int rgb)
{
	struct pen pen = { p->out, "fill", "", rgb, false };
	struct rect rects[2 * MOST_RECTS];
	for (int row = 0; row < p->rows; row++)
		for (int col = 0; col < p->cols; col++) {
			size_t n = rects_of(ink_at(p, row, col), rgb, rects);
			for (size_t i = 0; i < n; i++)
				paint_rect(p, &pen, row, col, rects[i]);
		}
	pen_end(&pen);
}

/* --- Lines --- */

/* A kind of line that runs through cells: box drawing, or an attribute. */
struct line {
	enum { BOX, MIDDLE_DOTS, UNDERLINED } from;
	unsigned what; /* an enum line_kind, or attributes */
	bool down;
	unsigned dashes;
};

static struct reach reach_at(
	const struct picture *p, int rgb, const struct line *l, int row, int col)
{
	const struct ink *ink = ink_at(p, row, col);
	const struct reach none = { 0, l->down ? GLYPH_HEIGHT : GLYPH_WIDTH },
			   through = { none.from, none.from };
	if (!ink || !(ink->drawn & (LINE | DASHES | ROW_OF_DOTS)) || ink->rgb != rgb)
		return none;
	if (l->from == UNDERLINED)
		return ink->attr & l->what ? through : none;
	if (l->from == MIDDLE_DOTS)
		return ink->drawn & ROW_OF_DOTS ? through : none;
	if (line_dashes(ink->code) != l->dashes)
		return none;
	return l->down ? line_down(ink->code, (enum line_kind)l->what)
		       : line_across(ink->code, (enum line_kind)l->what);
}

/* Along one row or column: a stroke goes on from cell to cell until one does not lead through. */
static void paint_along(const struct picture *p, struct pen *pen, const struct line *l, int at)
{
	int n = l->down ? p->rows : p->cols, size = l->down ? GLYPH_HEIGHT : GLYPH_WIDTH;
	double place = at * (l->down ? GLYPH_WIDTH : GLYPH_HEIGHT) +
		       (l->from == UNDERLINED ? UNDERLINE
					      : line_place((enum line_kind)l->what, l->down)),
	       begun = -1;
	for (int i = 0; i <= n; i++) {
		struct reach r = reach_at(p, pen->rgb, l, l->down ? i : at, l->down ? at : i);
		double here = i * size;
		if (begun < 0 && r.to > 0)
			begun = here;
		if (begun >= 0 && r.to < r.from) {
			double end = here + r.to;
			if (l->down)
				pen_draw(pen, "M%g %gV%g", place, begun, end);
			else
				pen_draw(pen, "M%g %gH%g", begun, place, end);
			begun = -1;
		}
		if (begun < 0 && r.from < size)
			begun = here + r.from;
	}
}

static void paint_line(const struct picture *p, struct pen *pen, const struct line *l)
{
	for (int i = 0; i < (l->down ? p->cols : p->rows); i++)
		paint_along(p, pen, l, i);
}

static void paint_curves(const struct picture *p, struct pen *pen)
{
	for (int i = 0; i < p->rows * p->cols; i++) {
		int x, y, left = i % p->cols * GLYPH_WIDTH, top = i / p->cols * GLYPH_HEIGHT;
		const struct ink *ink = &p->inks[i];
		if (!(ink->drawn & LINE) || ink->rgb != pen->rgb)
			continue;
		const char *path = line_curve(ink->code, &x, &y);
		const struct mark_shape *mark = mark_shape(ink->code);
		if (path)
			pen_draw(pen, "M%d %d%s", left + x, top + y, path);
		else if (mark && !mark->filled)
			pen_draw(pen, "M%g %g%s", left + mark->x, top + mark->y, mark->path);
	}
}

static void paint_dashes(const struct picture *p, int rgb, unsigned dashes)
{
	for (int i = 0; i < 4; i++) {
		const struct line line = { BOX, i % 2 ? LINE_HEAVY : LINE_LIGHT, i / 2, dashes };
		double period = (line.down ? GLYPH_HEIGHT : GLYPH_WIDTH) / (double)dashes;
		char attrs[96];
		snprintf(attrs, sizeof attrs,
			"%s stroke-dasharray=\"%.4g %.4g\" stroke-dashoffset=\"-%.4g\"",
			i % 2 ? " stroke-width=\"2\"" : "", 0.6 * period, 0.4 * period,
			0.2 * period);
		struct pen pen = { p->out, "stroke", attrs, rgb, false };
		paint_line(p, &pen, &line);
		pen_end(&pen);
	}
}

static void paint_lines(const struct picture *p, int rgb)
{
	static const struct line light[] = { { BOX, LINE_LIGHT, false, 0 },
		{ BOX, LINE_LIGHT, true, 0 }, { BOX, LINE_NEAR, false, 0 },
		{ BOX, LINE_NEAR, true, 0 }, { BOX, LINE_FAR, false, 0 },
		{ BOX, LINE_FAR, true, 0 }, { UNDERLINED, ATTR_UNDERLINE, false, 0 } };
	static const struct line heavy[] = { { BOX, LINE_HEAVY, false, 0 },
		{ BOX, LINE_HEAVY, true, 0 } };
	static const struct line dotted = { UNDERLINED, ATTR_DOTTED, false, 0 };
	struct pen pen = { p->out, "stroke", "", rgb, false };
	for (size_t i = 0; i < sizeof light / sizeof *light; i++)
		paint_line(p, &pen, &light[i]);
	paint_curves(p, &pen);
	pen_end(&pen);
	pen.attrs = " stroke-width=\"2\"";
	for (size_t i = 0; i < sizeof heavy / sizeof *heavy; i++)
		paint_line(p, &pen, &heavy[i]);
	pen_end(&pen);
	pen.attrs = " stroke-dasharray=\"1 2\"";
	paint_line(p, &pen, &dotted);
	pen_end(&pen);
}

static void paint_dashed(const struct picture *p, int rgb)
{
	for (unsigned dashes = 2; dashes <= 4; dashes++)
		paint_dashes(p, rgb, dashes);
}

/* --- Dots and marks --- */

/* A dot is a stroke of no length with round ends. */
static void paint_braille(const struct picture *p, int rgb)
{
	struct pen pen = { p->out, "stroke", "", rgb, false };
	int last_x = 0, last_y = 0;
	for (int i = 0; i < p->rows * p->cols; i++) {
		const struct ink *ink = &p->inks[i];
		unsigned dots = ink->rgb == rgb ? braille_dots(ink->code) : 0;
		for (int bit = 0; bit < 8; bit++) {
			int x = i % p->cols * GLYPH_WIDTH + 2 + bit % 2 * 4;
			int y = i / p->cols * GLYPH_HEIGHT + 2 + bit / 2 * 4;
			if (!(dots >> bit & 1))
				continue;
			int right = x - last_x, down = y - last_y;
			pen_draw(&pen,
				!pen.begun ? "M%d %dh0"
				: down < 0 ? "m%d%dh0"
					   : "m%d %dh0",
				right, down);
			last_x = x;
			last_y = y;
		}
	}
	pen_end(&pen);
}

static void paint_middle_dots(const struct picture *p, int rgb)
{
	static const struct line line = { MIDDLE_DOTS, LINE_LIGHT, false, 0 };
	struct pen pen = { p->out, "stroke",
		" stroke-width=\"2\" stroke-dasharray=\"0 8\" stroke-dashoffset=\"-4\"", rgb,
		false };
	paint_line(p, &pen, &line);
	pen_end(&pen);
}

static void paint_marks(const struct picture *p, int rgb)
{
	struct pen pen = { p->out, "fill", " fill-rule=\"evenodd\"", rgb, false };
	for (int i = 0; i < p->rows * p->cols; i++) {
		int left = i % p->cols * GLYPH_WIDTH, top = i / p->cols * GLYPH_HEIGHT;
		const struct ink *ink = &p->inks[i];
		if (!(ink->drawn & MARK) || ink->rgb != rgb)
			continue;
		const struct mark_shape *mark = mark_shape(ink->code);
		pen_draw(&pen, "M%g %g%s", left + mark->x, top + mark->y, mark->path);
	}
	pen_end(&pen);
}

/* --- Text --- */

enum { LOOKS = 4 }; /* plain, bold, italic, both */

static unsigned look_of(const struct ink *ink)
{
	return (ink->attr & ATTR_BOLD ? 1u : 0u) | (ink->attr & ATTR_ITALIC ? 2u : 0u);
}

static bool is_text_of(const struct picture *p, int row, int col, int rgb, unsigned look)
{
	const struct ink *ink = ink_at(p, row, col);
	return ink && ink->drawn & TEXT && ink->rgb == rgb && look_of(ink) == look;
}

/* Latin, Greek and Cyrillic letters are of the font's own width. Another sign may come from another
 * font, so it stands alone in the middle of its cells. */
static bool is_of_the_font(uint32_t code)
{
	return code < 0x500;
}

static void write_char(FILE *out, uint32_t code)
{
	if (code < 0x7f && code != '<' && code != '>' && code != '&')
		fputc((int)code, out);
	else
		fprintf(out, "&#%u;", (unsigned)code);
}

/* Columns of the run that begins here; a single blank does not end it. */
static int run_cols(const struct picture *p, int row, int col, int rgb, unsigned look)
{
	int end = col;
	for (int i = col; i <= end + 2; i++) {
		const struct ink *ink = ink_at(p, row, i);
		if (is_text_of(p, row, i, rgb, look) && is_of_the_font(ink->code))
			end = i;
		else if (!ink || ink->code != ' ')
			break;
	}
	return end + 1 - col;
}

/* The group of one look begins with its first text. */
static void begin_group(const struct picture *p, int rgb, unsigned look, bool *begun)
{
	if (!*begun)
		fprintf(p->out, "<g fill=\"#%06x\"%s%s>\n", (unsigned)rgb,
			look & 1 ? " font-weight=\"bold\"" : "",
			look & 2 ? " font-style=\"italic\"" : "");
	*begun = true;
}

static void write_run(const struct picture *p, int row, int col, int cols)
{
	int y = row * GLYPH_HEIGHT + BASELINE;
	fprintf(p->out, "<text x=\"%d\" y=\"%d\"", col * GLYPH_WIDTH, y);
	if (cols > 1)
		fprintf(p->out, " textLength=\"%d\"", cols * GLYPH_WIDTH);
	fputc('>', p->out);
	for (int i = 0; i < cols; i++)
		write_char(p->out, ink_at(p, row, col + i)->code);
	fputs("</text>\n", p->out);
}

static void write_sign(const struct picture *p, int row, int col)
{
	uint32_t code = ink_at(p, row, col)->code;
	fprintf(p->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
		col * GLYPH_WIDTH + code_width(code) * GLYPH_WIDTH / 2,
		row * GLYPH_HEIGHT + BASELINE);
	write_char(p->out, code);
	fputs("</text>\n", p->out);
}

static void write_look(const struct picture *p, int rgb, unsigned look)
{
	bool begun = false;
	for (int row = 0; row < p->rows; row++)
		for (int col = 0; col < p->cols; col++) {
			if (!is_text_of(p, row, col, rgb, look))
				continue;
			begin_group(p, rgb, look, &begun);
			if (!is_of_the_font(ink_at(p, row, col)->code)) {
				write_sign(p, row, col);
				continue;
			}
			int cols = run_cols(p, row, col, rgb, look);
			write_run(p, row, col, cols);
			col += cols - 1;
		}
	if (begun)
		fputs("</g>\n", p->out);
}

/* --- The whole --- */

/* In each colour in which something of the kind is drawn. */
static void paint_all(
	const struct picture *p, unsigned kind, void (*paint)(const struct picture *p, int rgb))
{
	for (size_t i = 0; i < p->n_colours; i++)
		if (p->colours[i].drawn & kind)
			paint(p, p->colours[i].rgb);
}

static void write_texts(const struct picture *p, int rgb)
{
	for (unsigned look = 0; look < LOOKS; look++)
		write_look(p, rgb, look);
}

int svg_width(int cols)
{
	return cols * GLYPH_WIDTH + 2 * MARGIN;
}

int svg_height(int rows)
{
	return rows * GLYPH_HEIGHT + 2 * MARGIN;
}

/* Text of an element; what is not ASCII as a reference, so that no locale matters. */
static void write_told(FILE *out, const char *element, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(out, "<%s>", element);
	while (*text) {
		uint32_t code = utf8_next(&text);
		bool plain =
			code >= ' ' && code < 0x7f && code != '<' && code != '>' && code != '&';
		if (plain)
			fputc((int)code, out);
		else
			fprintf(out, "&#%u;", (unsigned)(code < ' ' ? ' ' : code));
	}
	fprintf(out, "</%s>\n", element);
}

int canvas_write_svg(const struct canvas *cv, enum background background, FILE *out)
{
	return canvas_write_told_svg(cv, background, NULL, NULL, out);
}

int canvas_write_told_svg(const struct canvas *cv, enum background background, const char *title,
	const char *description, FILE *out)
{
	size_t n = (size_t)cv->rows * (size_t)cv->cols;
	struct picture p = { .rows = cv->rows, .cols = cv->cols, .out = out };
	p.page = theme_own_rgb(background, true);
	p.inks = cv->starved ? NULL : calloc(n ? n : 1, sizeof *p.inks);
	if (!p.inks)
		return -1;
	picture_init(&p, cv, background);
	int width = svg_width(p.cols), height = svg_height(p.rows);
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"-%d -%d %d %d\" font-family=\"ui-monospace,SFMono-Regular,Menlo,"
		"Consolas,'DejaVu Sans Mono','Liberation Mono',monospace\" font-size=\"%s\"%s>\n",
		width, height, MARGIN, MARGIN, width, height, FONT_SIZE,
		description && *description ? " role=\"img\"" : "");
	/* Described, it is a picture and not its hundred pieces of text: a screen reader says these
	 * two. */
	write_told(out, "title", title);
	write_told(out, "desc", description);
	fprintf(out,
		"<rect x=\"-%d\" y=\"-%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#%06x\"/>\n",
		MARGIN, MARGIN, width, height, (unsigned)p.page);
	/* Edges without a gradient: what lies side by side in two colours shows no line between. */
	fputs("<g shape-rendering=\"crispEdges\">\n", out);
	paint_grounds(&p);
	paint_all(&p, BLOCK, paint_blocks);
	fputs("</g>\n<g fill=\"none\" transform=\"translate(.5 .5)\">\n", out);
	paint_all(&p, LINE, paint_lines);
	paint_all(&p, DASHES, paint_dashed);
	fputs("</g>\n<g fill=\"none\" stroke-width=\"3\" stroke-linecap=\"round\">\n", out);
	paint_all(&p, BRAILLE, paint_braille);
	paint_all(&p, ROW_OF_DOTS, paint_middle_dots);
	fputs("</g>\n", out);
	paint_all(&p, MARK, paint_marks);
	paint_all(&p, TEXT, write_texts);
	fputs("</svg>\n", out);
	free(p.inks);
	return 0;
}
