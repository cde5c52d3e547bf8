/* The screen of a simulation from top to bottom: the sentence that reads the figure, the names of its
 * parts, the figure with values and knobs beside or under it, the playhead, what to try, and what the
 * model leaves out. */
#include "ui/live/live_draw.h"

#include "sims/base/minmax.h"
#include "ui/live/live_headline.h"
#include "ui/live/live_knobs.h"
#include "ui/live/live_layout.h"
#include "ui/live/live_notes.h"
#include "ui/live/live_run.h"
#include "ui/live/live_values.h"
#include "ui/live/trial.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"
#include "ui/views/figure_view.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void live_draw_figure(struct canvas *cv, struct rect r, const struct live *s, const char *more,
	const char *larger)
{
	struct figure_state state = { .ghost = s->has_pin ? &s->pinned : NULL,
		.playhead_s = s->playhead_s,
		.first_block = s->first_block,
		.more = more,
		.larger = larger };
	figure_draw(cv, r, &s->figure, &state);
}

/* The lines of the headline where it may have two; where it has two anyway, it is not put together
 * just to count them. */
static int headline_lines(const struct live *s, int cols)
{
	char text[1024];
	if (cols < ONE_LINE_FROM)
		return 2;
	live_headline(s, cols, 2, GLYPHS_BRAILLE, text, sizeof text);
	return text_lines(text, cols, GLYPHS_BRAILLE);
}

/* -- The parts ----------------------------------------------------------------------------- */

/* A name cut after as many whole words as fit. */
static void short_name(char *buf, size_t size, const char *name, int cols, enum glyphs glyphs)
{
	snprintf(buf, size, "%s", name);
	for (char *space; text_cols(buf, glyphs) > cols && (space = strrchr(buf, ' '));)
		*space = '\0';
}

/* How many of the first n parts have a name: a note has none. */
static size_t named_before(const struct figure *f, size_t n)
{
	size_t named = 0;
	for (size_t i = 0; i < n; i++)
		named += *block_name(f->blocks[i]) != '\0';
	return named;
}

/* The names of all parts; those on the screen are bright. The first one shown is never cut off: names
 * before it give way when there is no room for all. That some are left out is seen at either end. */
static void draw_tabs(struct canvas *cv, struct rect r, const struct live *s, size_t shown)
{
	enum { SEPARATOR = 3, FOR_KEY = 14, FOR_SIGN = 2 };
	struct pane p = pane_of(cv, r);
	const struct figure *f = &s->figure;
	size_t n = f->n_blocks, first = s->first_block < n ? s->first_block : 0;
	int room = r.cols - FOR_KEY, each = max_int(14, room / (int)n - SEPARATOR), col = 0;
	char name[96];
	size_t from = 0;
	for (int width = room + 1; width > room && from<first; from += width> room) {
		width = from ? FOR_SIGN : 0;
		for (size_t i = from; i <= first; i++) {
			short_name(name, sizeof name, block_name(f->blocks[i]), each, cv->glyphs);
			width += text_cols(name, cv->glyphs) + SEPARATOR;
		}
	}
	const int begin = from ? pane_text(&p, 0, 0, -1, "… ", STYLE_DIM, 0) : 0;
	col = begin;
	for (size_t i = from; i < n; i++) {
		short_name(name, sizeof name, block_name(f->blocks[i]), each, cv->glyphs);
		if (!*name)
			continue;
		if (col + text_cols(name, cv->glyphs) > room) {
			col += pane_text(&p, 0, col, -1, " …", STYLE_DIM, 0);
			break;
		}
		bool here = i >= first && i < first + shown;
		if (col > begin)
			col += pane_text(&p, 0, col, -1, " · ", STYLE_DIM, 0);
		col += pane_text(
			&p, 0, col, -1, name, here ? STYLE_PLAIN : STYLE_DIM, here ? ATTR_BOLD : 0);
	}
	char key[64] = "";
	if (shown < n) {
		const size_t one = named_before(f, first) + 1,
			     last = named_before(f, first + shown);
		int used = snprintf(key, sizeof key, "%zu", one);
		if (last > one)
			used += snprintf(key + used, sizeof key - (size_t)used, "-%zu", last);
		snprintf(key + used, sizeof key - (size_t)used, "/%zu  %s", named_before(f, n),
			first + shown < n ? "PgDn" : "PgUp");
	}
	pane_fit_right(&p, 0, col, r.cols - col, key, STYLE_DIM, 0);
}

/* -- Below --------------------------------------------------------------------------------- */

static char *trial_text(const struct live *s, bool done, char *buf, size_t size)
{
	char words[256];
	snprintf(buf, size, "%s%s",
		done ? "✓ " : "Try: ", trial_words_when(s, done, words, sizeof words));
	return buf;
}

/* On two rows where it needs them: the second half is the question. */
static void draw_trial(struct canvas *cv, struct rect r, const struct live *s, bool done)
{
	enum { TRY = 4, TICK = 1 };
	char text[300];
	paragraph_draw(cv, r, trial_text(s, done, text, sizeof text), STYLE_PLAIN, 0);
	canvas_restyle(cv, (struct rect){ r.row, r.col, 1, done ? TICK : TRY },
		done ? STYLE_GOOD : STYLE_ACCENT, 0);
}

/* Whether the line of what to try takes the row of what the model leaves out too. */
static bool trial_is_long(
	const struct sim_layout *l, const struct live *s, bool done, enum glyphs glyphs)
{
	char text[300];
	return l->trial.rows > 0 && l->honesty.rows > 0 && !s->has_pin &&
	       text_lines(trial_text(s, done, text, sizeof text), l->trial.cols, glyphs) > 1;
}

/* A text without what it has in brackets, up to its first semicolon: what is left is whole. */
static void without_asides(char *buf, size_t size, const char *text)
{
	size_t n = 0;
	int depth = 0;
	for (; *text && (*text != ';' || depth > 0) && n + 1 < size; text++) {
		depth += *text == '(';
		if (depth == 0)
			buf[n++] = *text;
		else if (n > 0 && buf[n - 1] == ' ') /* that before the bracket */
			n--;
		depth -= *text == ')';
	}
	buf[n] = '\0';
}

/* How wrong the model is in so many columns: all of it, or what is whole of it, or only that it is out of
 * what was measured. False: not even that. */
static bool short_accuracy(char *buf, size_t size, const char *accuracy, int cols)
{
	static const char outside[] = "outside the data",
			  none[] = ": this setting was not measured";
	snprintf(buf, size, "%s", accuracy);
	if (text_width(buf) > cols)
		without_asides(buf, size, accuracy);
	if (text_width(buf) > cols && strncmp(accuracy, outside, sizeof outside - 1) == 0)
		snprintf(buf, size, "%s%s", outside,
			text_width(outside) + text_width(none) <= cols ? none : "");
	return text_width(buf) <= cols;
}

/* The line under the sentence: how wrong the model is, and what it leaves out. Where that is too long, how
 * wrong the model is matters most. Nothing is cut inside a sentence. */
static void draw_honesty(struct canvas *cv, struct rect r, const struct live *s)
{
	static const char notes[] = " · s notes";
	const struct figure *f = &s->figure;
	const int room = r.cols - text_width(notes);
	char text[1024], more[32] = "", setting[600];
	if (s->has_pin) {
		live_pinned_setting(s, setting, sizeof setting);
		const char *turned = strchr(setting, ' ');
		snprintf(text, sizeof text, "compared with %s (c: no longer)",
			turned ? turned + 1 : "the defaults");
		canvas_text(cv, r.row, r.col, r.cols, text, STYLE_ACCENT, 0);
		return;
	}
	if (f->n_leaves_out > 1)
		snprintf(more, sizeof more, " + %zu more", f->n_leaves_out - 1);
	if (f->n_leaves_out)
		snprintf(text, sizeof text, "%s%sleaves out: %s%s", f->accuracy ? f->accuracy : "",
			f->accuracy ? " · " : "", f->leaves_out[0], more);
	else /* a formula is what it is, and says whose */
		snprintf(text, sizeof text, "%s",
			f->accuracy        ? f->accuracy
			: f->n_assumptions ? f->assumptions[0]
					   : "leaves out: nothing it knows of");
	bool fits = text_width(text) <= room;
	if (!fits && f->accuracy)
		fits = short_accuracy(text, sizeof text, f->accuracy, room);
	if (fits)
		strncat(text, notes, sizeof text - strlen(text) - 1);
	else
		snprintf(text, sizeof text, "s: what the model assumes and leaves out");
	canvas_text(cv, r.row, r.col, r.cols, text, STYLE_DIM, 0);
}

/* -- All of it ----------------------------------------------------------------------------- */

static struct sim_layout layout(const struct live *s, struct rect r)
{
	const struct knob_counts knobs = live_knob_counts(s);
	const int side = sim_side_columns(r.cols);
	const bool wide = s->figure.n_blocks > 0 && block_is_wide(s->figure.blocks[0]);
	/* What stands at the side alone is not laid out where there is none. */
	const bool aside = sim_has_side(r.cols, wide);
	return sim_layout(r,
		&(struct sim_parts){ .headline = headline_lines(s, r.cols),
			.n_values = live_value_lines(s),
			.all_values = (int)s->figure.n_values,
			.large = live_hero_fits(
				s, aside ? side : live_strip_cols(r.cols), GLYPHS_BRAILLE),
			.note_lines = aside ? live_short_note_lines(s, side, SIDE_NOTES, true) : 0,
			.note_least = aside ? live_short_note_lines(s, side, SIDE_NOTES, false) : 0,
			.knob_lines = knobs.lines,
			.all_knob_lines = knobs.all,
			.folded = knobs.folded,
			.n_folded = knobs.n_folded,
			.n_headings = knobs.headings,
			.n_blocks = (int)s->figure.n_blocks,
			.wide = wide,
			.plays = s->figure.duration_s > 0,
			.moved = run_is_told(s),
			.pinned = s->has_pin,
			.tries = s->sim->try != NULL,
			.zoomed = s->zoomed,
			.values = s->all_values });
}

/* Captions are never cut: where they need more rows than there are for them, they take those of what
 * to try and of what the model leaves out, as long as the playhead stands somewhere. */
static void give_captions_room(struct sim_layout *l, const struct live *s, enum glyphs glyphs)
{
	int need = l->playhead.rows > 0 ? run_rows(s, l->playhead.cols, glyphs) : 0;
	struct rect *lower[] = { &l->trial, &l->honesty };
	for (int i = 0; i < 2 && l->playhead.rows < need; i++) {
		l->playhead.rows += lower[i]->rows;
		lower[i]->rows = 0;
	}
}

/* The name of the first part that moves, where none of those shown does: playing goes there. NULL:
 * one does, or it has no name. */
static const char *plays_elsewhere(const struct live *s, size_t shown)
{
	const struct figure *f = &s->figure;
	for (size_t i = s->first_block; i < s->first_block + shown && i < f->n_blocks; i++)
		if (block_moves(f->blocks[i]))
			return NULL;
	for (size_t i = 0; i < f->n_blocks; i++)
		if (block_moves(f->blocks[i]))
			return *block_name(f->blocks[i]) ? block_name(f->blocks[i]) : NULL;
	return NULL;
}

void live_draw(struct canvas *cv, struct rect r, const struct live *s)
{
	struct sim_layout l = layout(s, r);
	give_captions_room(&l, s, cv->glyphs);
	size_t shown = 0;
	struct figure_state state = { .ghost = s->has_pin ? &s->pinned : NULL,
		.playhead_s = s->playhead_s,
		.first_block = s->first_block,
		.larger = s->zoomed ? NULL : "z",
		.focus = s->sim->knobs[s->focus].id,
		.named = l.tabs.rows > 0,
		.shown = &shown };
	if (l.headline.rows > 0)
		live_draw_headline(cv, l.headline, s);
	if (s->notes)
		live_draw_notes(cv, l.figure, s);
	else
		figure_draw(cv, l.figure, &s->figure, &state);
	if (l.tabs.rows > 0 && !s->notes)
		draw_tabs(cv, l.tabs, s, shown);
	if (l.values.rows > 0 && l.aside)
		live_draw_values(cv, l.values, s, l.hero);
	else if (l.values.rows > 0 && l.hero > 0)
		live_draw_value_strip(cv, l.values, s);
	else if (l.values.rows == 1)
		live_draw_value_line(cv, l.values, s);
	else if (l.values.rows > 1)
		live_draw_value_list(cv, l.values, s);
	if (l.aside && l.values.rows > 0 && l.knobs.rows > 0)
		canvas_rule(cv, l.knobs.row - 1, l.knobs.col, l.knobs.cols, STYLE_DIM);
	if (l.knobs.rows > 0)
		live_draw_knobs(cv, l.knobs, l.knob_columns, s, true);
	if (l.notes.rows > 0)
		live_draw_short_notes(cv, l.notes, s);
	if (l.playhead.rows > 0)
		run_draw(cv, l.playhead, s, plays_elsewhere(s, s->notes ? 0 : shown));
	const bool done = l.trial.rows > 0 && trial_done(s);
	bool longer = trial_is_long(&l, s, done, cv->glyphs);
	l.trial.rows += longer;
	if (l.trial.rows > 0)
		draw_trial(cv, l.trial, s, done);
	if (l.honesty.rows > 0 && !longer)
		draw_honesty(cv, l.honesty, s);
}

void live_show_run(struct live *s, struct rect r)
{
	const struct figure *f = &s->figure;
	struct sim_layout l = layout(s, r);
	struct figure_state state = { .first_block = s->first_block,
		.larger = s->zoomed ? NULL : "z",
		.named = l.tabs.rows > 0 };
	size_t shown = figure_shown(f, l.figure.rows, l.figure.cols, &state);
	for (size_t i = s->first_block; i < s->first_block + shown && i < f->n_blocks; i++)
		if (block_moves(f->blocks[i]))
			return;
	for (size_t i = 0; i < f->n_blocks; i++)
		if (block_moves(f->blocks[i])) {
			s->first_block = i;
			return;
		}
}

void live_show_focus(struct live *s, struct rect r)
{
	size_t block;
	if (!live_table_of(s, s->focus, &block))
		return;
	struct sim_layout l = layout(s, r);
	struct figure_state state = { .first_block = s->first_block,
		.larger = s->zoomed ? NULL : "z",
		.named = l.tabs.rows > 0 };
	size_t shown = figure_shown(&s->figure, l.figure.rows, l.figure.cols, &state);
	if (block < s->first_block || block >= s->first_block + shown)
		s->first_block = block;
}

int live_knob_at(const struct live *s, struct rect r, int row, int col)
{
	struct sim_layout l = layout(s, r);
	return live_knob_in(l.knobs, l.knob_columns, s, row, col);
}

bool live_track_at(const struct live *s, struct rect r, int row, int col, struct grip *grip)
{
	struct sim_layout l = layout(s, r);
	return live_track_in(l.knobs, l.knob_columns, s, row, col, grip);
}
