#include "ui/live/live_values.h"

#include "sims/base/minmax.h"
#include "ui/term/pane.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BRIGHT = 4 }; /* values that are not dim */

/* Whether a value has a mark before its number: what is said by colour is said by a sign as
 * well. */
static bool is_marked(const struct value *v)
{
	return v->role == ROLE_BAD || v->role == ROLE_WARN;
}

/* "was 123 ms, 1.8x" where the pinned setting has another value; else the value's note. Returns
 * whether it moved. */
static bool beside(const struct live *s, const struct value *v, char *text, size_t size)
{
	const struct value *pinned = s->has_pin ? figure_find(&s->pinned, v->id) : NULL;
	char was[64], times[32];
	snprintf(text, size, "%s", v->note ? v->note : "");
	if (!pinned || pinned->value == v->value)
		return false;
	quantity_show(was, sizeof was, pinned->value, pinned->unit);
	double factor = v->value / pinned->value;
	if (pinned->value > 0 && factor > 0 && isfinite(factor) && fabs(factor - 1) >= 0.005)
		snprintf(text, size, "was %s, %sx", was,
			quantity_show(times, sizeof times, factor, ""));
	else
		snprintf(text, size, "was %s", was);
	return true;
}

/* The columns of the labels: what the longest needs, but not so many that a number has no room. */
static int label_cols(const struct figure *f, size_t from, int cols)
{
	int widest = 0;
	for (size_t i = from; i < f->n_values; i++) {
		int w = text_width(f->values[i].label) + is_marked(&f->values[i]);
		widest = max_int(widest, w);
	}
	return min_int(widest + 2, cols - 12);
}

/* The words beside a number: whole, or without what follows a comma, or only the direction. */
static void draw_beside(
	const struct pane *p, int row, int col, const struct live *s, const struct value *v)
{
	char text[160];
	bool moved = beside(s, v, text, sizeof text);
	enum glyphs glyphs = p->cv->glyphs;
	int room = p->r.cols - col;
	char *comma = moved ? strrchr(text, ',') : NULL;
	if (comma && text_cols(text, glyphs) > room)
		*comma = '\0';
	if (text_cols(text, glyphs) <= room) {
		pane_text(p, row, col, -1, text, STYLE_DIM, 0);
	} else if (moved) {
		const struct value *pinned = figure_find(&s->pinned, v->id);
		pane_text(p, row, col - 1, 1, v->value > pinned->value ? "▲" : "▼", STYLE_DIM, 0);
	}
}

static void draw_value(const struct pane *p, int row, int at, const struct live *s, size_t i)
{
	const struct value *v = &s->figure.values[i];
	char text[64];
	quantity_show(text, sizeof text, v->value, v->unit);
	bool dim = i >= BRIGHT && v->role != ROLE_BAD && v->role != ROLE_WARN;
	enum style style = dim ? STYLE_DIM : role_style(v->role);
	pane_fit(p, row, 0, at - 2, v->label, STYLE_DIM, 0);
	if (is_marked(v))
		pane_put(p, row, at - 2, '!', style, ATTR_BOLD);
	/* A number that is cut says so: its first digits alone are another number. */
	unsigned attr = !dim && v->role != ROLE_PLAIN && v->role != ROLE_DIM ? ATTR_BOLD : 0;
	int used = pane_fit(p, row, at, -1, text, style, attr);
	draw_beside(p, row, at + used + 2, s, v);
}

static void draw_hero(const struct pane *p, const struct live *s)
{
	const struct value *v = &s->figure.values[0];
	char text[64], label[96];
	quantity_show(text, sizeof text, v->value, v->unit);
	enum style style =
		v->role == ROLE_PLAIN || v->role == ROLE_DIM ? STYLE_ACCENT : role_style(v->role);
	snprintf(label, sizeof label, "%s%s", is_marked(v) ? "! " : "", v->label);
	pane_fit(p, 0, 0, -1, label, is_marked(v) ? style : STYLE_DIM, 0);
	int used = pane_fit(p, 1, 0, -1, text, style, ATTR_BOLD);
	draw_beside(p, 1, used + 3, s, v);
}

/* How many values stand there before someone asks for all: those at the end that are dim wait in the
 * fold. */
static size_t open_values(const struct live *s)
{
	size_t n = s->figure.n_values;
	while (!s->all_values && n > 1 && s->figure.values[n - 1].role == ROLE_DIM)
		n--;
	return n;
}

int live_value_lines(const struct live *s)
{
	size_t open = open_values(s);
	return (int)(open + (open < s->figure.n_values));
}

static void draw_list(const struct pane *p, int row, const struct live *s, size_t from)
{
	size_t n = s->figure.n_values, open = open_values(s);
	int room = p->r.rows - row, at = label_cols(&s->figure, from, p->r.cols);
	size_t shown = from + (size_t)max_int(0, room);
	if (shown < n && room > 0)
		shown--;
	if (shown > open)
		shown = open > from ? open : from;
	for (size_t i = from; i < n && i < shown; i++)
		draw_value(p, row++, at, s, i);
	if (shown < n && row < p->r.rows)
		pane_printf(p, row, 0, -1, STYLE_DIM, 0, "+ %zu more: a", n - shown);
}

void live_draw_values(struct canvas *cv, struct rect r, const struct live *s)
{
	struct pane p = pane_of(cv, r);
	if (s->figure.n_values == 0 || p.r.rows == 0)
		return;
	if (p.r.rows < 3) {
		draw_list(&p, 0, s, 0);
		return;
	}
	draw_hero(&p, s);
	draw_list(&p, 3, s, 1);
}

void live_draw_value_list(struct canvas *cv, struct rect r, const struct live *s)
{
	struct pane p = pane_of(cv, r);
	int at = label_cols(&s->figure, 0, p.r.cols);
	for (size_t i = 0; i < s->figure.n_values && (int)i < p.r.rows; i++)
		draw_value(&p, (int)i, at, s, i);
}

void live_draw_value_line(struct canvas *cv, struct rect r, const struct live *s)
{
	enum { BETWEEN = 3, FOR_MORE = 15 };
	struct pane p = pane_of(cv, r);
	size_t n = s->figure.n_values, open = open_values(s), i = 0;
	int col = 0;
	for (; i < open; i++) {
		const struct value *v = &s->figure.values[i];
		char text[64], words[160] = "";
		quantity_show(text, sizeof text, v->value, v->unit);
		if (!beside(s, v, words, sizeof words))
			*words = '\0';
		int width = text_cols(v->label, cv->glyphs) + 1 + text_cols(text, cv->glyphs) +
			    2 * is_marked(v);
		int more = *words ? 2 + text_cols(words, cv->glyphs) : 0;
		int room = p.r.cols - col - (i + 1 < n ? FOR_MORE : 0);
		if (width > room)
			break;
		enum style style =
			i == 0 && v->role == ROLE_PLAIN ? STYLE_ACCENT : role_style(v->role);
		col += pane_text(&p, 0, col, -1, v->label, STYLE_DIM, 0) + 1;
		if (is_marked(v))
			col += pane_text(&p, 0, col, -1, "! ", style, ATTR_BOLD);
		col += pane_text(&p, 0, col, -1, text, style, i == 0 ? ATTR_BOLD : 0);
		if (more && width + more <= room)
			col += pane_text(&p, 0, col + 2, -1, words, STYLE_DIM, 0) + 2;
		col += BETWEEN;
	}
	if (i < n)
		pane_printf(&p, 0, col, -1, STYLE_DIM, 0, "+ %zu more: a", n - i);
}
