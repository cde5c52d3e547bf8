#include "ui/screens/drill/drill_side.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "sims/base/name_words.h"
#include "ui/practice/drill_summary.h"
#include "ui/screens/drill/drill_problem.h"
#include "ui/screens/drill/drill_result.h"
#include "ui/screens/drill/drill_session.h"
#include "ui/screens/drill/drill_solution.h"
#include "ui/term/pane.h"
#include "ui/term/textwrap.h"
#include "ui/views/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- The problems of the session -------------------------------------------------------------- */

enum { MARK = 2, NUMBER = 3, TIME = 15 }; /* columns */

/* The present one has a mark, what is over how it went; of what is to come nothing is known but its number. */
static void write_item(const struct drill_view *d, size_t i, struct sheet *s)
{
	const struct session_item *item = &d->session.items[i];
	const bool here = item == drill_view_item(d);
	const int row = sheet_rows(s, 1), from = MARK + NUMBER + 1;
	const struct pane p = pane_of(&s->cv, (struct rect){ row, 0, 1, s->cv.cols });
	const char *word = item->closed ? session_item_word(&d->session, i) : "";
	const bool timed = session_has_clock(&d->session) && item->closed;
	char spent[32], par[32];
	if (here)
		pane_text(&p, 0, 0, MARK, "▸", STYLE_ACCENT, ATTR_BOLD);
	else if (item->closed)
		pane_text(&p, 0, 0, MARK, session_item_right(item) ? "✓" : "✗",
			drill_word_style(word), 0);
	pane_printf(&p, 0, MARK, NUMBER, here ? STYLE_ACCENT : STYLE_DIM, 0, "%2zu", i + 1);
	if (!item->closed && !here) {
		pane_text(&p, 0, from, -1, "to come", STYLE_DIM, 0);
		return;
	}
	const int room = s->cv.cols - from - (timed ? TIME + 1 : 0);
	pane_words(&p, 0, from, room, item->variant.drill->title, here ? STYLE_ACCENT : STYLE_PLAIN,
		here ? ATTR_BOLD : 0);
	if (!timed)
		return;
	drill_clock_text(item->spent_ms, spent, sizeof spent);
	drill_clock_text(llround(1000 * item->variant.drill->par_s), par, sizeof par);
	char text[80];
	snprintf(text, sizeof text, "%s of %s", spent, par);
	pane_fit_right(&p, 0, s->cv.cols - TIME, TIME, text,
		(double)item->spent_ms > 1000 * item->variant.drill->par_s ? STYLE_WARN : STYLE_DIM,
		0);
}

/* Of a long session those around the present one. */
static void write_items(const struct drill_view *d, int rows, struct sheet *s)
{
	enum { LONG = 12 };
	const struct drill_session *session = &d->session;
	const int all = (int)session->n, at = (int)(d->look ? d->look - 1 : session->current);
	/* Of many that are to come there is nothing to say one by one. */
	const int n = all > LONG ? min_int(all, (int)session->current + 1) : all;
	const int shown = min_int(n, max_int(1, rows - 2 - (n < all)));
	const int first = max_int(0, min_int(at - shown / 2, n - shown));
	char text[64];
	if (shown < n)
		snprintf(text, sizeof text, "Problems %d to %d of %d", first + 1, first + shown,
			all);
	else
		snprintf(text, sizeof text, "The %d problems", all);
	sheet_text(s, 0, 0, text, STYLE_DIM, 0);
	for (int i = first; i < first + shown; i++)
		write_item(d, (size_t)i, s);
	if (n < all) {
		snprintf(text, sizeof text, "%d more to come", all - n);
		sheet_text(s, MARK + NUMBER + 1, 0, text, STYLE_DIM, 0);
	}
}

void drill_side_write(const struct app *app, enum drill_state state, int rows, struct sheet *s)
{
	const struct drill_view *d = drill_seen(app);
	const bool program = drill_view_item(d)->variant.program != NULL;
	if (state == DRILL_OPEN && !program) {
		drill_open_ways_write(app, s, true);
		sheet_gap(s);
	}
	/* One problem alone is no list, and an interview has its phases over it. */
	if (d->session.n > 1 && d->session.mode != MODE_INTERVIEW)
		write_items(d, rows - s->rows, s);
}

void drill_look_write(const struct app *app, const struct session_item *item, struct sheet *s)
{
	sheet_text(s, 0, 0, item->variant.drill->title, STYLE_ACCENT, ATTR_BOLD);
	sheet_gap(s);
	drill_problem_write(app, s, item);
	sheet_gap(s);
	drill_verdict_write(app, s, item);
	drill_solution_write(app, s, item, 0);
}

void drill_keys_write(struct sheet *s)
{
	static const char *const keys[][2] = { { "Enter", "answers; then the next problem" },
		{ "Up Down", "choose an option, or change their order" },
		{ "Tab", "a hint, for a tenth of the credit" },
		{ "Ctrl-S", "a scratch pad that works sums out" },
		{ "Ctrl-P", "stops the clock and hides the problem" },
		{ "Ctrl-G", "gives up, and shows how it goes" },
		{ "Esc", "leaves; what was answered is kept" } };
	sheet_text(s, 0, 0, "Keys, once it runs", STYLE_DIM, 0);
	for (size_t i = 0; i < LENGTH(keys); i++)
		drill_way_write(s, keys[i][0], keys[i][1]);
}

/* -- Before a review -------------------------------------------------------------------------- */

static int widest_skill(const struct drill_request *r, size_t n)
{
	int cols = 0;
	char said[96];
	for (size_t i = 0; i < n; i++)
		cols = max_int(cols, text_width(name_words(r->skills[i], said, sizeof said)));
	return cols;
}

/* "KV cache  ━━━━━━───  83 %" */
static void write_faded(const struct drill_request *r, size_t i, int name, struct sheet *s)
{
	enum { SHARE = 6, BAR = 20, GAP = 2 };
	const int row = sheet_rows(s, 1);
	const struct pane p = pane_of(&s->cv, (struct rect){ row, 0, 1, s->cv.cols });
	const int bar = max_int(0, min_int(BAR, s->cv.cols - name - GAP - SHARE));
	char said[96];
	pane_text(&p, 0, 0, name, name_words(r->skills[i], said, sizeof said), STYLE_PLAIN, 0);
	meter_draw(&p, 0, name + GAP, bar, r->recall[i], meaning_style(MEANS_FIXED));
	pane_printf(&p, 0, name + GAP + bar, SHARE, STYLE_PLAIN, 0, "%4.0f %%", 100 * r->recall[i]);
}

/* A row for each skill, those that fade before those that are still to be learned. */
static void write_all_due(const struct drill_request *r, struct sheet *s)
{
	const int name = widest_skill(r, r->options.n_skills);
	sheet_text(s, 0, 0, "What is due, and how likely you know it still", STYLE_DIM, 0);
	for (int known = 1; known >= 0; known--)
		for (size_t i = 0; i < r->options.n_skills; i++)
			if (!isnan(r->recall[i]) && known) {
				write_faded(r, i, name, s);
			} else if (isnan(r->recall[i]) && !known) {
				char said[96];
				const int row = sheet_rows(s, 1);
				const struct pane p =
					pane_of(&s->cv, (struct rect){ row, 0, 1, s->cv.cols });
				pane_text(&p, 0, 0, name,
					name_words(r->skills[i], said, sizeof said), STYLE_PLAIN,
					0);
				pane_text(&p, 0, name + 2, -1, "still to be learned", STYLE_DIM, 0);
			}
}

/* "Still to be learned: units, FP8, and 3 more", as many as there are rows for. */
static void write_learning(const struct drill_request *r, int rows, struct sheet *s)
{
	static const char begin[] = "Still to be learned: ";
	char text[MOST_REVIEWED * 70], more[32], said[96];
	size_t used = 0, n = 0, named = 0;
	for (size_t i = 0; i < r->options.n_skills; i++)
		n += isnan(r->recall[i]) != 0;
	used += (size_t)snprintf(text, sizeof text, "%s", begin);
	for (size_t i = 0; i < r->options.n_skills && n; i++) {
		const size_t before = used;
		if (!isnan(r->recall[i]))
			continue;
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", named ? ", " : "",
			name_words(r->skills[i], said, sizeof said));
		named++;
		snprintf(more, sizeof more, ", and %zu more", n - named);
		const size_t whole = used;
		snprintf(text + used, sizeof text - used, "%s", n > named ? more : "");
		const bool fits = text_lines(text, s->cv.cols, s->cv.glyphs) <= rows;
		text[whole] = '\0';
		if (fits)
			continue;
		named--;
		snprintf(more, sizeof more, ", and %zu more", n - named);
		snprintf(text + before, sizeof text - before, "%s", more);
		break;
	}
	if (named)
		sheet_text(s, 0, 0, text, STYLE_PLAIN, 0);
}

void drill_due_write(const struct drill_request *r, int rows, struct sheet *s)
{
	enum { LEAST = 3 };
	const int top = s->rows;
	int known = 0;
	for (size_t i = 0; i < r->options.n_skills; i++)
		known += !isnan(r->recall[i]);
	if (rows < LEAST)
		return;
	if ((int)r->options.n_skills < rows) {
		write_all_due(r, s);
		return;
	}
	const int shown = min_int(known, rows - LEAST);
	if (shown > 0) {
		sheet_text(
			s, 0, 0, "What has faded: the chance that you still know it", STYLE_DIM, 0);
		const int name = widest_skill(r, r->options.n_skills);
		int left = shown;
		for (size_t i = 0; i < r->options.n_skills && left > 0; i++)
			if (!isnan(r->recall[i])) {
				write_faded(r, i, name, s);
				left--;
			}
		if (rows - (s->rows - top) > LEAST)
			sheet_gap(s);
	}
	write_learning(r, rows - (s->rows - top), s);
}
