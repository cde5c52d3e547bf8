#include "ui/views/parts.h"
#include "sims/quantity.h"
#include "ui/ticks.h"

#include <math.h>
#include <string.h>

enum { N_TEXTURES = 8, N_COLOURS = 8, MIN_TICK_ROOM = 12, LEGEND_GAP = 3 };

struct fill fill_of(enum glyphs glyphs, unsigned kind)
{
	/* Full, dark, medium and light shade, then double lines: in every font since CP437. */
	static const uint32_t lines[N_TEXTURES] = { 0x2588, 0x2593, 0x2592, 0x2591, 0x2550, 0x256c,
		0x2551, 0x2261 };
	static const char ascii[] = "#=+ox%*$";
	unsigned i = kind % N_FILLS;
	enum style style = STYLE_SERIES + (i + i / N_COLOURS) % N_COLOURS;
	if (i >= N_TEXTURES)
		return (struct fill){ 'A' + (i - N_TEXTURES), style };
	return (struct fill){ glyphs == GLYPHS_ASCII ? (unsigned char)ascii[i] : lines[i], style };
}

struct fill cell_fill(enum glyphs glyphs, unsigned kind)
{
	if (kind == 0)
		return (struct fill){ glyphs == GLYPHS_ASCII ? '.' : 0xb7, STYLE_DIM };
	return fill_of(glyphs, kind - 1);
}

uint32_t glyph_limit(enum glyphs glyphs)
{
	return glyphs == GLYPHS_ASCII ? ':' : 0x250a;
}

uint32_t glyph_crossed(enum glyphs glyphs)
{
	return glyphs == GLYPHS_ASCII ? '!' : 0x2503;
}

uint32_t glyph_ghost(enum glyphs glyphs)
{
	return glyphs == GLYPHS_ASCII ? '|' : 0x2502;
}

int title_draw(const struct pane *p, int row, const char *title)
{
	if (!title || !*title)
		return 0;
	pane_fit(p, row, 0, -1, title, STYLE_PLAIN, ATTR_BOLD);
	return 1;
}

/* Where the next entry of a legend stands. */
struct flow {
	int row, col, cols;
};

static void flow_place(struct flow *f, int width)
{
	if (f->col > 0 && f->col + LEGEND_GAP + width > f->cols) {
		f->row++;
		f->col = 0;
	} else if (f->col > 0) {
		f->col += LEGEND_GAP;
	}
}

static size_t legend_entries(const struct legend *l)
{
	return (l->names ? l->n : 0) + (l->mark ? 1 : 0);
}

static const char *legend_name(const struct legend *l, size_t i)
{
	return i + 1 == legend_entries(l) && l->mark ? l->mark_name : l->names[i];
}

int legend_rows(const struct legend *l, int cols, enum glyphs glyphs)
{
	struct flow f = { 0, 0, cols };
	for (size_t i = 0; i < legend_entries(l); i++) {
		int width = 2 + text_cols(legend_name(l, i), glyphs);
		flow_place(&f, width);
		f.col += width;
	}
	return f.row + (f.col > 0);
}

int legend_draw(const struct pane *p, int row, int max_rows, const struct legend *l)
{
	enum glyphs glyphs = p->cv->glyphs;
	struct flow f = { 0, 0, p->r.cols };
	size_t n = legend_entries(l);
	for (size_t i = 0; i < n; i++) {
		bool mark = l->mark && i + 1 == n;
		const char *name = legend_name(l, i);
		struct fill fill = l->cells ? cell_fill(glyphs, (unsigned)i)
					    : fill_of(glyphs, (unsigned)i);
		struct flow last = f;
		flow_place(&f, 2 + text_cols(name, glyphs));
		if (f.row >= max_rows) {
			pane_printf(p, row + last.row, last.col + 1, -1, STYLE_DIM, 0, "+%zu",
				n - i);
			return max_rows;
		}
		pane_put(p, row + f.row, f.col, mark ? l->mark : fill.code,
			mark ? STYLE_DIM : fill.style, 0);
		f.col += 2 + pane_fit(p, row + f.row, f.col + 2, -1, name,
				     mark ? STYLE_DIM : STYLE_PLAIN, 0);
	}
	return f.row + (f.col > 0);
}

double scale_at(const struct scale *s, double value)
{
	double share = (value - s->lo) / (s->hi - s->lo);
	share = share > 0 ? share < 1 ? share : 1 : 0; /* a NAN stands at the start */
	return share * s->width;
}

int scale_col(const struct scale *s, double value)
{
	int col = (int)scale_at(s, value);
	return s->col + (col < s->width ? col : s->width - 1);
}

/* The unit in which people would write a value (0.02 s: "ms"), and how many of `unit` it is. */
struct shown_unit {
	char name[24];
	double factor;
};

static struct shown_unit pick_unit(const char *unit, double value)
{
	struct shown_unit shown = { "", 1 };
	struct unit base, picked;
	char text[64];
	snprintf(shown.name, sizeof shown.name, "%s", unit);
	quantity_format(text, sizeof text, value, unit);
	const char *space = strrchr(text, ' ');
	if (!space || !unit_parse(unit, &base) || !unit_parse(space + 1, &picked) ||
		!unit_same_dimension(&base, &picked))
		return shown;
	snprintf(shown.name, sizeof shown.name, "%s", space + 1);
	shown.factor = picked.factor / base.factor;
	return shown;
}

/* The last label carries the unit. It goes first and the others keep clear of it. */
static void label_draw(const struct pane *p, int row, const struct scale *s, int col,
	const char *text, int *left_limit)
{
	int width = text_cols(text, p->cv->glyphs), start = col - width / 2;
	if (start + width > s->col + s->width + 1)
		start = s->col + s->width + 1 - width;
	if (start + width > p->r.cols)
		start = p->r.cols - width;
	start = start < s->col - 1 ? s->col : start;
	if (start < 0 || start + width + 2 > *left_limit)
		return;
	pane_text(p, row, start, -1, text, STYLE_DIM, 0);
	*left_limit = start;
}

void scale_axis_draw(const struct pane *p, int row, const struct scale *s, const char *unit)
{
	bool ascii = p->cv->glyphs == GLYPHS_ASCII;
	double far = fabs(s->lo) > fabs(s->hi) ? fabs(s->lo) : fabs(s->hi);
	if (s->width < 2 || !(s->hi > s->lo))
		return;
	struct shown_unit shown = pick_unit(unit, far);
	int want = s->width / MIN_TICK_ROOM;
	struct ticks t = ticks_linear(s->lo / shown.factor, s->hi / shown.factor,
		want < 2 ? 2 : want);
	int left_limit = p->r.cols + 3;
	for (int i = 0; i < s->width; i++)
		pane_put(p, row, s->col + i, ascii ? '-' : 0x2500, STYLE_DIM, 0);
	for (size_t i = t.n; i-- > 0;) {
		char text[48];
		int col = scale_col(s, t.at[i] * shown.factor);
		bool last = i + 1 == t.n && *shown.name;
		snprintf(text, sizeof text, "%s%s%s", t.label[i], last ? " " : "",
			last ? shown.name : "");
		pane_put(p, row, col, ascii ? '+' : col == s->col ? 0x251c : 0x253c, STYLE_DIM, 0);
		label_draw(p, row + 1, s, col, text, &left_limit);
	}
}
