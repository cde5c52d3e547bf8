#include "ui/views/parts.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "sims/quantity/quantity.h"
#include "ui/views/quantity_show.h"
#include "ui/views/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	N_TEXTURES = 8,
	MIN_TICK_ROOM = 10,
	LEGEND_GAP = 3,
	FEW_TICKS = 3,
	MOST_WANTED = 6,
	LEAST_FOR_MORE = 20 /* columns of an axis with three ticks */
};

/* Whether two kinds have one colour: the same meaning, or two greys where sixteen colours have but
 * one. */
static bool same_colour(enum meaning a, enum meaning b, bool one_grey)
{
	bool greys = a >= MEANS_WAITING && a <= MEANS_FREE && b >= MEANS_WAITING && b <= MEANS_FREE;
	return a == b || (one_grey && greys);
}

/* How many kinds before this one need a texture of their own: all that are not empty, or only those
 * of the same colour. */
static size_t alike_before(const enum meaning means[], size_t kind, enum fills fills)
{
	size_t n = 0;
	for (size_t i = 0; i < kind; i++)
		n += fills == FILLS_TEXTURED
			     ? means[i] != MEANS_EMPTY
			     : same_colour(means[i], means[kind], fills == FILLS_SOLID);
	return n;
}

/* A figure that ran out of memory has no meanings, and a kind beyond the named ones has none. */
static enum meaning meaning_at(const enum meaning means[], size_t n, size_t kind)
{
	return means && kind < n ? means[kind] : (enum meaning)(MEANS_KIND + kind % 8);
}

struct fill fill_of(const struct canvas *cv, const enum meaning means[], size_t n, size_t kind)
{
	/* Shades, then double lines: in every font since CP437. */
	static const uint32_t lines[N_TEXTURES] = { FULL_BLOCK, 0x2593, 0x2592, 0x2591, 0x2550,
		0x256c, 0x2551, 0x2261 };
	static const char ascii[] = "#=+ox%*$";
	static const uint32_t shades[] = { ' ', 0x2591, 0x2592, 0x2593, FULL_BLOCK };
	bool plain = cv->glyphs == GLYPHS_ASCII;
	enum style style = meaning_style(meaning_at(means, n, kind));
	if (meaning_at(means, n, kind) == MEANS_EMPTY)
		return (struct fill){ glyph_or(cv->glyphs, 0xb7, '.'), style };
	bool solid = cv->fills != FILLS_TEXTURED && !plain;
	enum meaning meaning = meaning_at(means, n, kind);
	if (meaning >= MEANS_GREY && !solid) {
		unsigned shade = (unsigned)(meaning - MEANS_GREY + 1) / 2;
		return (struct fill){
			glyph_or(cv->glyphs, shades[shade], (unsigned char)" .:+#"[shade]), style
		};
	}
	size_t i =
		(means && kind < n ? alike_before(means, kind, solid ? cv->fills : FILLS_TEXTURED)
				   : kind) %
		N_FILLS;
	if (i >= N_TEXTURES)
		return (struct fill){ (uint32_t)('A' + (i - N_TEXTURES)), style };
	return (struct fill){ glyph_or(cv->glyphs, lines[i], (unsigned char)ascii[i]), style };
}

bool fill_is_solid(struct fill fill)
{
	return fill.code == FULL_BLOCK;
}

/* half: the cell that the length ends in the middle of. */
static void stretch_draw(const struct pane *p, int row, int col, int cols, double share,
	enum style style, uint32_t half)
{
	const enum glyphs g = p->cv->glyphs;
	int halves = (int)lround(fmin(fmax(share, 0), 1) * 2 * cols);
	halves = share > 0 && cols > 0 ? max_int(halves, 1) : 0;
	for (int i = 0; 2 * i < halves; i++)
		pane_put(p, row, col + i, glyph_or(g, halves - 2 * i > 1 ? 0x2501 : half, '='),
			style, 0);
}

void length_draw(const struct pane *p, int row, int col, int cols, double share, enum style style)
{
	stretch_draw(p, row, col, cols, share, style, 0x2578);
}

void meter_draw(const struct pane *p, int row, int col, int cols, double share, enum style style)
{
	for (int i = 0; i < cols; i++)
		pane_put(p, row, col + i, glyph_or(p->cv->glyphs, 0x2500, '-'), STYLE_DIM, 0);
	stretch_draw(p, row, col, cols, share, style, 0x257e);
}

void fill_put(const struct pane *p, int row, int col, struct fill fill)
{
	pane_put(p, row, col, fill.code, fill.style, 0);
}

void low_put(const struct pane *p, int row, int col, enum style style)
{
	pane_put(p, row, col, FOOT, style, ATTR_REVERSE);
}

bool low_is(const struct cell *c)
{
	const bool cut = c && c->code > FULL_BLOCK && c->attr & ATTR_UNDERLINE;
	return c && (c->code == FOOT || cut) && (c->attr & ATTR_REVERSE);
}

/* The colour that most of a cell has: of a block of so many eighths from the left, or of the ground
 * beside it. STYLE_PLAIN: the terminal's own ground. */
static enum style ground_of(const struct cell *c)
{
	enum { SEVEN_EIGHTHS = 0x2589, HALF = 0x258c, EIGHTH = 0x258f };
	bool reversed = c->attr & ATTR_REVERSE;
	enum style block = (enum style)(reversed ? c->under : c->style);
	enum style beside = (enum style)(reversed ? c->style : c->under);
	if (c->code == FULL_BLOCK)
		return (enum style)c->style;
	if (c->code < SEVEN_EIGHTHS || c->code > EIGHTH || low_is(c))
		return STYLE_PLAIN;
	return c->code <= HALF ? block : beside;
}

/* Across a colour a rule is a thin cut in it: no more of the part goes than it takes to see the rule. A low part gives
 * it a column: a cut cell would have all of its row, and join the part to what is below. */
void rule_put(const struct pane *p, int row, struct upright at, uint32_t code, enum style s,
	unsigned attr)
{
	enum { HEAVY = 0x2503, LIGHT = 0x2502 };
	const int col = at.col;
	const struct cell *under = pane_cell(p, row, col);
	const uint32_t light = upright_glyph(p->cv->glyphs, at, LIGHT);
	const bool heavy = code == HEAVY;
	bool filled = under && p->cv->fills != FILLS_TEXTURED;
	enum style ground = filled ? ground_of(under) : STYLE_PLAIN;
	code = upright_glyph(p->cv->glyphs, at, code);
	if (ground != STYLE_PLAIN)
		pane_put(p, row, col, heavy ? light : code, ground, ATTR_REVERSE);
	else if (filled && heavy && under->code > FULL_BLOCK && under->code < 0x2590)
		pane_put(p, row, col, light, s, attr); /* less of a part than of the ground */
	else
		pane_put(p, row, col, code, s, attr);
}

uint32_t glyph_limit(enum glyphs glyphs)
{
	return glyph_or(glyphs, 0x250a, ':');
}

uint32_t glyph_crossed(enum glyphs glyphs)
{
	return glyph_or(glyphs, 0x2503, '!');
}

uint32_t glyph_ghost(enum glyphs glyphs)
{
	return glyph_or(glyphs, 0x2502, '|');
}

/* The lines of a wrapped title, and in *last_cols the columns of the last one, which a remark may
 * share. */
static int title_lines(const char *title, int cols, enum glyphs glyphs, int *last_cols)
{
	struct text_line line = { 0 };
	int n = 0;
	while (title && text_wrap(&title, cols, glyphs, &line))
		n++;
	*last_cols = line.cols;
	return n;
}

void line_draw(const struct pane *p, int row, int col, const struct text_line *line, enum style s,
	unsigned attr)
{
	char text[4096]; /* more than a window has columns, at 4 bytes each */
	snprintf(text, sizeof text, "%.*s", (int)line->bytes, line->start);
	pane_text(p, row, col, -1, micro_sign(text, sizeof text), s, attr);
}

int heading_rows(const char *title, const char *remark, int cols, enum glyphs glyphs)
{
	int last, rows = title_lines(title, cols, glyphs, &last);
	bool below = remark && *remark && last + 2 + text_cols(remark, glyphs) > cols;
	return rows + (below || (rows == 0 && remark && *remark));
}

int heading_draw(const struct pane *p, int row, const char *title, const char *remark)
{
	int rows = heading_rows(title, remark, p->r.cols, p->cv->glyphs);
	struct text_line line;
	for (int i = row; title && text_wrap(&title, p->r.cols, p->cv->glyphs, &line); i++)
		pane_line(p, i, 0, &line, STYLE_PLAIN, ATTR_BOLD);
	if (remark && *remark)
		pane_fit_right(p, row + rows - 1, 0, p->r.cols, remark, STYLE_DIM, 0);
	return rows;
}

/* Where the next entry of a legend stands. */
struct flow {
	int row, col, cols, gap;
};

static void flow_place(struct flow *f, int width)
{
	if (f->col > 0 && f->col + f->gap + width > f->cols) {
		f->row++;
		f->col = 0;
	} else if (f->col > 0) {
		f->col += f->gap;
	}
}

static size_t legend_entries(const struct legend *l)
{
	return (l->names ? l->n : 0) + (l->mark ? 1 : 0);
}

static bool legend_is_mark(const struct legend *l, size_t i)
{
	return l->mark && i + 1 == legend_entries(l);
}

static const char *legend_name(const struct legend *l, size_t i)
{
	return legend_is_mark(l, i) ? l->mark_name : l->names[i];
}

static bool legend_shows(const struct legend *l, size_t i)
{
	return legend_is_mark(l, i) || !l->absent || !l->absent[i];
}

static int rows_with_gap(const struct legend *l, int cols, enum glyphs glyphs, int gap)
{
	struct flow f = { 0, 0, cols, gap };
	for (size_t i = 0; i < legend_entries(l); i++) {
		if (!legend_shows(l, i))
			continue;
		int width = 2 + text_cols(legend_name(l, i), glyphs);
		flow_place(&f, width);
		f.col += width;
	}
	return f.row + (f.col > 0);
}

/* Names stand closer where that spares a row. */
static int gap_of(const struct legend *l, int cols, enum glyphs glyphs)
{
	const bool spares = rows_with_gap(l, cols, glyphs, LEGEND_GAP - 1) <
			    rows_with_gap(l, cols, glyphs, LEGEND_GAP);
	return LEGEND_GAP - spares;
}

int legend_rows(const struct legend *l, int cols, enum glyphs glyphs)
{
	return rows_with_gap(l, cols, glyphs, gap_of(l, cols, glyphs));
}

int legend_cols(const struct legend *l, enum glyphs glyphs)
{
	int cols = 0;
	for (size_t i = 0; i < legend_entries(l); i++)
		if (legend_shows(l, i))
			cols += 2 + text_cols(legend_name(l, i), glyphs) +
				(cols > 0 ? LEGEND_GAP : 0);
	return cols;
}

int legend_draw(const struct pane *p, int row, int max_rows, const struct legend *l)
{
	enum glyphs glyphs = p->cv->glyphs;
	struct flow f = { 0, 0, p->r.cols, gap_of(l, p->r.cols, glyphs) };
	size_t n = legend_entries(l);
	for (size_t i = 0; i < n; i++) {
		bool mark = legend_is_mark(l, i);
		const char *name = legend_name(l, i);
		if (!legend_shows(l, i))
			continue;
		struct fill fill = mark ? (struct fill){ l->mark, STYLE_DIM }
					: fill_of(p->cv, l->means, l->n, i);
		struct flow last = f;
		flow_place(&f, 2 + text_cols(name, glyphs));
		if (f.row >= max_rows) {
			pane_printf(
				p, row + last.row, last.col + 1, -1, STYLE_DIM, 0, "+%zu", n - i);
			return max_rows;
		}
		if (!mark && l->hidden && l->hidden[i]) {
			f.col += 2 + text_cols(name, glyphs);
			continue;
		}
		if (fill_is_solid(fill) && p->cv->fills != FILLS_TEXTURED)
			low_put(p, row + f.row, f.col, fill.style); /* apart from what is below */
		else
			fill_put(p, row + f.row, f.col, fill);
		f.col += 2 + pane_fit(p, row + f.row, f.col + 2, -1, name,
				     mark ? STYLE_DIM : STYLE_PLAIN, 0);
	}
	return f.row + (f.col > 0);
}

bool legend_fits_beside(int used, const struct legend *l, int cols, enum glyphs glyphs)
{
	return used + LEGEND_APART + legend_cols(l, glyphs) <= cols;
}

void legend_draw_beside(const struct pane *p, int row, int used, const struct legend *l)
{
	const int from = used + LEGEND_APART;
	struct pane rest = pane_part(p, (struct rect){ row, from, 1, p->r.cols - from });
	legend_draw(&rest, 0, 1, l);
}

double scale_at(const struct scale *s, double value)
{
	double share = s->log ? log(value / s->lo) / log(s->hi / s->lo)
			      : (value - s->lo) / (s->hi - s->lo);
	share = share > 0 ? share < 1 ? share : 1 : 0; /* a NAN stands at the start */
	return share * s->width;
}

int scale_col(const struct scale *s, double value)
{
	int col = (int)scale_at(s, value);
	return s->col + (col < s->width ? col : s->width - 1);
}

struct upright scale_upright(const struct scale *s, double value)
{
	const double at = scale_at(s, value), quarter = 0.25;
	const int edge = (int)lround(at), last = s->width - 1;
	if (fabs(at - edge) >= quarter)
		return (struct upright){ s->col + (int)at, UPRIGHT_MIDDLE };
	if (edge > last)
		return (struct upright){ s->col + last, UPRIGHT_RIGHT };
	return (struct upright){ s->col + edge, UPRIGHT_LEFT };
}

uint32_t upright_glyph(enum glyphs glyphs, struct upright at, uint32_t middle)
{
	enum { HEAVY = 0x2503, LEFT_QUARTER = 0x258e, LEFT_EIGHTH = 0x258f, RIGHT_EIGHTH = 0x2595 };
	if (glyphs == GLYPHS_ASCII || at.side == UPRIGHT_MIDDLE)
		return middle;
	if (at.side == UPRIGHT_RIGHT)
		return middle == HEAVY ? HEAVY : RIGHT_EIGHTH; /* no font has a quarter there */
	return middle == HEAVY ? LEFT_QUARTER : LEFT_EIGHTH;
}

struct shown_unit pick_unit(const char *unit, double value)
{
	struct shown_unit shown = { "", 1 };
	struct unit base, picked;
	char text[64];
	snprintf(shown.name, sizeof shown.name, "%s", unit);
	if (strcmp(unit, "s") == 0) /* of minutes and hours, as people count */
		quantity_brief(text, sizeof text, value, unit);
	else
		quantity_format(text, sizeof text, value, unit);
	const char *space = strrchr(text, ' ');
	if (!space || !unit_parse(unit, &base) || !unit_parse(space + 1, &picked) ||
		!unit_same_dimension(&base, &picked))
		return shown;
	micro_sign(text, sizeof text);
	snprintf(shown.name, sizeof shown.name, "%s", space + 1);
	shown.factor = picked.factor / base.factor;
	return shown;
}

/* Writes a number centred on its tick; the last number of the axis has the unit after it. Labels
 * are written from right to left, and one that would come near the label to its right is left
 * out. Returns where the leftmost label begins. */
static int label_draw(const struct pane *p, int row, const struct scale *s, struct upright at,
	const char *number, const char *unit, int next)
{
	enum glyphs glyphs = p->cv->glyphs;
	int digits = text_cols(number, glyphs), width = digits + text_cols(unit, glyphs);
	int start = at.col + (at.side == UPRIGHT_RIGHT) - digits / 2;
	start = start + width > p->r.cols ? p->r.cols - width : start;
	start = start < s->col - 1 || start < 0 ? s->col : start;
	if (start + width + 2 > next)
		return next;
	pane_text(p, row, start, -1, number, STYLE_DIM, 0);
	pane_text(p, row, start + digits, -1, unit, STYLE_DIM, 0);
	return start;
}

/* Whether the ticks of an axis are joined by a line. */
static bool is_joined(const struct pane *p, const struct scale *s)
{
	return s->of_cells || p->cv->glyphs == GLYPHS_ASCII;
}

static struct upright tick_draw(const struct pane *p, int row, const struct scale *s, double value)
{
	struct upright at = { scale_col(s, value), UPRIGHT_MIDDLE };
	uint32_t code = glyph_or(p->cv->glyphs, at.col == s->col ? 0x251c : 0x253c, '+');
	if (!is_joined(p, s)) {
		at = scale_upright(s, value);
		code = upright_glyph(p->cv->glyphs, at, 0x2502);
	}
	pane_put(p, row, at.col, code, STYLE_DIM, 0);
	return at;
}

/* Each number has its own unit: 10 us, 1 ms. */
static void log_labels_draw(const struct pane *p, int row, const struct scale *s, const char *unit)
{
	enum { ROOM = 9 }; /* of a label with its unit, and a gap */
	struct ticks t = ticks_log(s->lo, s->hi, 10, max_int(2, s->width / ROOM), false);
	int next = p->r.cols + 2;
	for (size_t i = t.n; i-- > 0;) {
		char text[64];
		const struct upright at = tick_draw(p, row, s, t.at[i]);
		quantity_show(text, sizeof text, t.at[i], unit);
		next = label_draw(p, row + 1, s, at, text, "", next);
	}
}

void scale_axis_draw(const struct pane *p, int row, const struct scale *s, const char *unit)
{
	enum glyphs glyphs = p->cv->glyphs;
	double far = fabs(s->lo) > fabs(s->hi) ? fabs(s->lo) : fabs(s->hi);
	if (s->width < 2 || !(s->hi > s->lo))
		return;
	struct shown_unit shown = pick_unit(unit, far);
	const double lo = s->lo / shown.factor, hi = s->hi / shown.factor;
	int want = max_int(2, s->width / MIN_TICK_ROOM);
	struct ticks t = ticks_linear(lo, hi, want);
	/* Two ticks do not say how the axis counts. */
	for (int more = want + 1;
		t.n < FEW_TICKS && more <= MOST_WANTED && s->width >= LEAST_FOR_MORE; more++)
		t = ticks_linear(lo, hi, more);
	int next = p->r.cols + 2;
	char last_unit[sizeof shown.name + 1];
	snprintf(last_unit, sizeof last_unit, "%s%s", *shown.name ? " " : "", shown.name);
	for (int i = 0; i < s->width && is_joined(p, s); i++)
		pane_put(p, row, s->col + i, glyph_or(glyphs, 0x2500, '-'), STYLE_DIM, 0);
	if (s->log) {
		log_labels_draw(p, row, s, unit);
		return;
	}
	for (size_t i = t.n; i-- > 0;) {
		const struct upright at = tick_draw(p, row, s, t.at[i] * shown.factor);
		next = label_draw(
			p, row + 1, s, at, t.label[i], i + 1 == t.n ? last_unit : "", next);
	}
}
