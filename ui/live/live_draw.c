#include "ui/live/live_draw.h"

#include "sims/base/minmax.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/views/figure_view.h"
#include "ui/views/quantity_show.h"
#include "ui/live/live_layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a value has a mark before its number: what is said by colour is said by a sign as
 * well. */
static bool is_marked(const struct value *v)
{
	return v->role == ROLE_BAD || v->role == ROLE_WARN;
}

/* The columns of the labels: what the longest needs, but not so many that a number has no room. */
static int label_cols(const struct figure *f, int cols)
{
	int widest = 0;
	for (size_t i = 0; i < f->n_values; i++) {
		int w = text_width(f->values[i].label) + is_marked(&f->values[i]);
		widest = w > widest ? w : widest;
	}
	return widest + 2 < cols - 12 ? widest + 2 : cols - 12;
}

static void draw_value(
	struct canvas *cv, struct rect r, const struct live *s, const struct value *v, bool first)
{
	char text[64], was[64], beside[128] = "";
	const struct value *pinned = s->has_pin ? figure_find(&s->pinned, v->id) : NULL;
	quantity_show(text, sizeof text, v->value, v->unit);
	if (pinned && pinned->value != v->value)
		snprintf(beside, sizeof beside, "was %s",
			quantity_show(was, sizeof was, pinned->value, pinned->unit));
	else if (v->note)
		snprintf(beside, sizeof beside, "%s", v->note);
	int at = label_cols(&s->figure, r.cols);
	canvas_text(cv, r.row, r.col, at - 2, v->label, STYLE_DIM, 0);
	enum style style = role_style(v->role);
	if (is_marked(v))
		canvas_put(cv, r.row, r.col + at - 2, '!', style, ATTR_BOLD);
	/* A number that is cut says so: its first digits alone are another number. */
	struct pane p = pane_of(cv, r);
	int used = pane_fit(
		&p, 0, at, -1, text, style, first || v->role != ROLE_PLAIN ? ATTR_BOLD : 0);
	int room = r.cols - at - used - 2;
	if (room >= text_width(beside))
		canvas_text(cv, r.row, r.col + at + used + 2, room, beside, STYLE_DIM, 0);
	else if (pinned && pinned->value != v->value) /* no room for the number: its direction */
		canvas_text(cv, r.row, r.col + at + used + 1, 1,
			v->value > pinned->value ? "▲" : "▼", STYLE_DIM, 0);
}

void live_draw_values(struct canvas *cv, struct rect r, const struct live *s)
{
	for (size_t i = 0; i < s->figure.n_values && (int)i < r.rows; i++)
		draw_value(cv, (struct rect){ r.row + (int)i, r.col, 1, r.cols }, s,
			&s->figure.values[i], i == 0);
}

static void draw_track(struct canvas *cv, int row, int col, int width, const struct live *s,
	const struct knob *k, double value, enum style style)
{
	enum glyphs glyphs = cv->glyphs;
	int last = width - 1;
	canvas_rule(cv, row, col, width, STYLE_DIM);
	int home = (int)lround(knob_position(k, s->tables, knob_default(k, s->tables)) * last);
	canvas_put(cv, row, col + home, glyph_or(glyphs, 0x253c, '|'), STYLE_DIM, 0);
	if (s->has_pin) {
		int pin = (int)lround(
			knob_position(k, s->tables, s->pin.v[k - s->sim->knobs]) * last);
		canvas_put(cv, row, col + pin, glyph_or(glyphs, 0x25cb, 'o'), STYLE_DIM, 0);
	}
	int at = (int)lround(knob_position(k, s->tables, value) * last);
	canvas_put(cv, row, col + at, glyph_or(glyphs, 0x25cf, '*'), style, 0);
}

static void draw_knob(
	struct canvas *cv, struct rect r, const struct live *s, size_t i, bool focused)
{
	const struct knob *k = &s->sim->knobs[i];
	enum style style = focused ? STYLE_ACCENT : STYLE_PLAIN;
	double value = s->now.v[i];
	bool off_default = value != knob_default(k, s->tables);
	char text[64];
	micro_sign(knob_format(k, s->tables, value, text, sizeof text), sizeof text);

	bool toggle = k->kind == KNOB_TOGGLE;
	if (!focused && !knob_matters(s->sim, s->now.v, i))
		style = STYLE_DIM;
	if (toggle)
		snprintf(text, sizeof text, "%s", value > 0 ? "[x]" : "[ ]");
	if (focused) {
		canvas_text(cv, r.row, r.col, 1, "‹", style, ATTR_BOLD);
		canvas_text(cv, r.row, r.col + r.cols - 1, 1, "›", style, ATTR_BOLD);
	}
	/* Name, track, value: the value is always whole, the track takes what the others leave. */
	int from = r.col + 2, room = r.cols - 4, width = text_width(text);
	width = min_int(width, room);
	int label = min_int(text_width(k->label), room - width - 1);
	/* Tracks stand in one column; a longer label or value does without. */
	int column = room < 36 ? 11 : 17, before_value = room < 36 ? 9 : 13;
	bool fits = label <= column && width <= before_value;
	int track = k->kind == KNOB_NUMBER && fits ? room - column - before_value - 2 : 0;
	canvas_text(cv, r.row, from, label, k->label, style, focused ? ATTR_BOLD : 0);
	if (track >= 5)
		draw_track(cv, r.row, from + column + 1, track, s, k, value, style);
	canvas_text(
		cv, r.row, from + room - width, width, text, style, off_default ? ATTR_BOLD : 0);
}

/* The first knob shown when `rows` fit: the focused one stays in view, with one neighbour. */
static int first_knob(const struct live *s, int rows)
{
	int n = (int)s->sim->n_knobs, first = s->focus - rows + 2;
	if (first > n - rows)
		first = n - rows;
	return first < 0 ? 0 : first;
}

void live_draw_knobs(struct canvas *cv, struct rect r, const struct live *s, bool focused)
{
	int n = (int)s->sim->n_knobs, first = first_knob(s, r.rows);
	for (int i = 0; i < r.rows && first + i < n; i++)
		draw_knob(cv, (struct rect){ r.row + i, r.col, 1, r.cols }, s,
			(size_t)first + (size_t)i, focused && first + i == s->focus);
	if (first > 0)
		canvas_text(cv, r.row, r.col, 1, "↑", STYLE_DIM, 0);
	if (first + r.rows < n)
		canvas_text(cv, r.row + r.rows - 1, r.col, 1, "↓", STYLE_DIM, 0);
}

void live_draw_figure(struct canvas *cv, struct rect r, const struct live *s, const char *more,
	const char *larger)
{
	struct figure_state state = { s->has_pin ? &s->pinned : NULL, s->playhead_s, s->first_block,
		more, larger };
	figure_draw(cv, r, &s->figure, &state);
}

static int paragraph(struct canvas *cv, struct rect r, const char *text, enum style style)
{
	char shown[2048];
	snprintf(shown, sizeof shown, "%s", text);
	return paragraph_draw(cv, r, micro_sign(shown, sizeof shown), style, 0);
}

/* The notes, drawn in a tall canvas of which the screen shows a part. */
struct notes {
	struct canvas tall;
	int row; /* the next one */
};
enum { NOTES_ROWS = 400, KNOB_ROWS_LEFT = 6 };

static void notes_head(struct notes *n, const char *text)
{
	canvas_text(&n->tall, n->row++, 0, -1, text, STYLE_ACCENT, ATTR_BOLD);
}

static void notes_item(struct notes *n, const char *text)
{
	canvas_text(&n->tall, n->row, 0, 2, "•", STYLE_DIM, 0);
	struct rect r = { n->row, 2, NOTES_ROWS - n->row, n->tall.cols - 3 };
	n->row += paragraph(&n->tall, r, text, STYLE_PLAIN);
}

static void notes_knob(struct notes *n, const struct live *s, const struct knob *k)
{
	char range[160], lo[48], hi[48], text[512];
	if (k->kind == KNOB_NUMBER)
		snprintf(range, sizeof range, "%s to %s",
			quantity_show(lo, sizeof lo, k->min, k->unit),
			quantity_show(hi, sizeof hi, k->max, k->unit));
	else
		snprintf(range, sizeof range, "%zu choices", knob_choices(k, s->tables));
	snprintf(text, sizeof text, "%s (%s, %s): %s", k->label, k->id, range,
		k->help ? k->help : "");
	notes_item(n, text);
}

/* Assumptions, what is left out, knobs with their ranges: what `s` shows over the figure. */
static void draw_notes(struct canvas *cv, struct rect r, const struct live *s)
{
	struct notes n = { .row = 0 };
	if (canvas_init_like(&n.tall, cv, NOTES_ROWS, r.cols))
		return;
	const struct figure *f = &s->figure;
	notes_head(&n, "What the model assumes");
	for (size_t i = 0; i < f->n_assumptions; i++)
		notes_item(&n, f->assumptions[i]);
	n.row++;
	notes_head(&n, "What it leaves out");
	for (size_t i = 0; i < f->n_leaves_out; i++)
		notes_item(&n, f->leaves_out[i]);
	if (f->accuracy)
		notes_item(&n, f->accuracy);
	n.row++;
	notes_head(&n, "Its knobs");
	for (size_t i = 0; i < s->sim->n_knobs && n.row < NOTES_ROWS - KNOB_ROWS_LEFT; i++)
		notes_knob(&n, s, &s->sim->knobs[i]);
	long most = n.row > r.rows ? n.row - r.rows : 0;
	long first = s->notes_scroll < most ? s->notes_scroll : most;
	int rows = n.row - (int)first < r.rows ? n.row - (int)first : r.rows - (first < most);
	canvas_copy(cv, r.row, r.col, &n.tall, (struct rect){ (int)first, 0, rows, r.cols });
	if (first < most)
		canvas_text(cv, r.row + r.rows - 1, r.col, r.cols, "↓ more: PgDn", STYLE_ACCENT, 0);
	canvas_release(&n.tall);
}

/* The line under the sentence: how wrong the model is, and what it leaves out. */
static void draw_honesty(struct canvas *cv, struct rect r, const struct live *s)
{
	const struct figure *f = &s->figure;
	char text[1024], setting[600];
	if (s->has_pin) {
		live_pinned_setting(s, setting, sizeof setting);
		snprintf(text, sizeof text, "compared with %s%s (c: no longer)", setting,
			strchr(setting, ' ') ? "" : " at its defaults");
		canvas_text(cv, r.row, r.col, r.cols, text, STYLE_ACCENT, 0);
		return;
	}
	snprintf(text, sizeof text, "%s%sleaves out: %s%s · s notes",
		f->accuracy ? f->accuracy : "", f->accuracy ? " · " : "",
		f->n_leaves_out ? f->leaves_out[0] : "nothing it knows of",
		f->n_leaves_out > 1 ? ", ..." : "");
	/* Where that is too long, how wrong the model is matters most: what it leaves out goes
	 * first, then how the error was found. */
	if (text_width(text) > r.cols && f->accuracy)
		snprintf(text, sizeof text, "%s · s notes", f->accuracy);
	if (text_width(text) > r.cols && f->accuracy)
		snprintf(text, sizeof text, "%.*s... · s notes", (int)strcspn(f->accuracy, "(;"),
			f->accuracy);
	if (text_width(text) > r.cols)
		snprintf(text, sizeof text, "s: what the model assumes and leaves out");
	canvas_text(cv, r.row, r.col, r.cols, text, STYLE_DIM, 0);
}

static void draw_playhead(struct canvas *cv, struct rect r, const struct live *s)
{
	char at[48], of[48];
	const char *caption = "";
	quantity_show(of, sizeof of, s->figure.duration_s, "s");
	if (isnan(s->playhead_s)) {
		canvas_printf(cv, r.row, r.col, r.cols, STYLE_DIM, 0,
			"the whole run, %s    Space plays    , . step", of);
		return;
	}
	for (size_t i = 0; i < s->figure.n_moments; i++)
		if (s->figure.moments[i].at_s <= s->playhead_s)
			caption = s->figure.moments[i].text;
	quantity_show(at, sizeof at, s->playhead_s, "s");
	canvas_printf(cv, r.row, r.col, r.cols, STYLE_ACCENT, 0, "%s %s of %s  %s",
		s->playing ? "▶" : "‖", at, of, caption);
}

void live_draw(struct canvas *cv, struct rect r, const struct live *s)
{
	struct sim_layout l = sim_layout(r, (int)s->figure.n_values, (int)s->sim->n_knobs,
		s->figure.duration_s > 0, s->zoomed);
	char sentence[1024];

	if (s->notes)
		draw_notes(cv, l.figure, s);
	else
		live_draw_figure(cv, l.figure, s, "PgDn", s->zoomed ? NULL : "z");
	if (l.values.rows > 0)
		live_draw_values(cv, l.values, s);
	if (l.values.rows > 0 && l.knobs.rows > 0)
		canvas_rule(cv, l.knobs.row - 1, l.knobs.col, l.knobs.cols, STYLE_DIM);
	if (l.knobs.rows > 0)
		live_draw_knobs(cv, l.knobs, s, true);
	if (l.playhead.rows > 0)
		draw_playhead(cv, l.playhead, s);
	if (l.sentence.rows > 0) {
		canvas_rule(cv, l.sentence.row - 1, r.col, r.cols, STYLE_DIM);
		live_sentence(s, sentence, sizeof sentence);
		paragraph(cv, l.sentence, sentence, STYLE_PLAIN);
	}
	if (l.honesty.rows > 0)
		draw_honesty(cv, l.honesty, s);
}

int live_knob_at(const struct live *s, struct rect r, int row, int col)
{
	struct sim_layout l = sim_layout(r, (int)s->figure.n_values, (int)s->sim->n_knobs,
		s->figure.duration_s > 0, s->zoomed);
	if (row < l.knobs.row || row >= l.knobs.row + l.knobs.rows || col < l.knobs.col ||
		col >= l.knobs.col + l.knobs.cols)
		return -1;
	int i = first_knob(s, l.knobs.rows) + row - l.knobs.row;
	return i < (int)s->sim->n_knobs ? i : -1;
}
