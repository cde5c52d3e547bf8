#include "ui/screens/case/case_before.h"

#include "drills/case_plan.h"
#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/practice/drill_summary.h"
#include "ui/practice/sheet.h"
#include "ui/term/paragraph.h"
#include "ui/views/clock.h"

#include <stdio.h>
#include <string.h>

enum { MEASURE = 76, NAME = 10, TIME = 9 };
/* From WIDE columns on the minutes are drawn, and keys stand beside how it is played. */
enum { WIDE = 120, MOST_WIDE = 144, LINE = 46, BETWEEN = 6 };
enum { TALL = 40 }; /* rows from which the clock is large */

static bool is_wide(const struct sheet *s)
{
	return s->cv.cols >= WIDE;
}

/* A name in bold, a time where there is one, and what there is to say of it. */
static void row_of(struct sheet *s, const char *name, const char *time, int line, const char *text)
{
	const int row = s->rows, from = NAME + (time ? TIME : 0) + line;
	sheet_text(s, from, 0, text, STYLE_PLAIN, 0);
	canvas_text(&s->cv, row, 0, NAME, name, STYLE_PLAIN, ATTR_BOLD);
	if (time)
		canvas_text(&s->cv, row, NAME, TIME, time, STYLE_DIM, 0);
}

/* -- What it is about ------------------------------------------------------------------------- */

static void write_setting(const struct case_view *v, struct sheet *s)
{
	char text[400];
	sheet_text(s, 0, 0, case_first_kind(&v->sitting, text, sizeof text), STYLE_PLAIN, 0);
	sheet_gap(s);
}

static void write_earlier(const struct case_view *v, int64_t now_s, struct sheet *s)
{
	char text[240], all[300];
	if (!*case_first_earlier(&v->earlier, now_s, text, sizeof text))
		return;
	snprintf(all, sizeof all, "%s: stats has what that came to.", text);
	sheet_text(s, 0, 0, all, STYLE_PLAIN, 0);
	sheet_gap(s);
}

/* -- What will be asked ----------------------------------------------------------------------- */

/* The stretch of the clock that a phase has, on a thin line of all of it: by the minutes that stand beside it, so that
 * equal ones look so. */
static void draw_stretch(long before, long minutes, long all, int row, int col, struct sheet *s)
{
	enum { CELLS = LINE - 2 };
	const double cells = (double)CELLS / (double)all;
	const int from = (int)((double)before * cells + 0.5),
		  to = from + max_int(1, (int)((double)minutes * cells + 0.5));
	for (int i = 0; i < CELLS; i++) {
		const bool here = i >= from && i < to;
		canvas_text(&s->cv, row, col + i, 1, here ? "━" : "─",
			here ? STYLE_ACCENT : STYLE_DIM, here ? ATTR_BOLD : 0);
	}
}

static void write_phases(const struct case_view *v, struct sheet *s)
{
	const struct sitting_plan plan = case_plan_of(&v->sitting, 0);
	const int line = is_wide(s) ? LINE : 0;
	char text[200], time[32];
	long all = 0, before = 0;
	for (int i = 0; i < N_CASE_PHASES; i++)
		all += case_plan_minutes(&plan, (enum case_phase)i);
	if (line)
		sheet_gap(s);
	for (int i = 0; i < N_CASE_PHASES; i++) {
		const enum case_phase phase = (enum case_phase)i;
		const long minutes = case_plan_minutes(&plan, phase);
		const int row = s->rows;
		if (minutes <= 0)
			continue;
		snprintf(time, sizeof time, "%3ld min", minutes);
		row_of(s, case_phase_names[i], time, line,
			case_first_phase(&v->sitting, phase, text, sizeof text));
		if (line)
			draw_stretch(before, minutes, all, row, NAME + TIME, s);
		before += minutes;
		if (line)
			sheet_gap(s);
	}
	sheet_gap(s);
}

/* -- How it is played ------------------------------------------------------------------------- */

/* Alone, or with somebody who has the other screen. */
static void write_company(bool held, struct sheet *s)
{
	if (held)
		sheet_text(s, 0, 0,
			"With somebody: your interviewer has the answers on another screen, and you "
			"talk aloud.",
			STYLE_PLAIN, 0);
	else
		sheet_text(s, 0, 0,
			"Alone: you type, and the interviewer in this window answers. With somebody: "
			"they open Give an interview and read you its code.",
			STYLE_PLAIN, 0);
	sheet_gap(s);
}

static void write_keys(bool held, struct sheet *s)
{
	static const char *const keys[][3] = {
		{ "type", "a question, an answer, or a word that does more: help lists them",
			"numbers and designs; what you ask, you ask aloud" },
		{ "Tab", "to your knobs, and back to the line", NULL },
		{ "Ctrl-N", "ends a phase before its time", NULL },
		{ "Ctrl-P", "stops the clock; Esc leaves, and the case goes on later", NULL },
		{ "end", "typed, shows the answers: then the clock stands for good", NULL },
		{ "release", NULL,
			"typed with your interviewer's word, says what everything came to" },
	};
	for (size_t i = 0; i < LENGTH(keys); i++) {
		const bool theirs =
			strcmp(keys[i][0], "end") == 0; /* with an interviewer it is theirs */
		const char *text = held && keys[i][2] ? keys[i][2] : keys[i][1];
		if (text && !(held && theirs))
			row_of(s, keys[i][0], NULL, 0, text);
	}
	sheet_gap(s);
}

/* Beside each other: how it is played, and its keys. */
static void write_beside(bool held, struct sheet *s)
{
	const int half = (s->cv.cols - BETWEEN) * 5 / 12, right = s->cv.cols - half - BETWEEN;
	struct sheet how, keys;
	sheet_init(&how, half, s->cv.glyphs);
	sheet_init(&keys, right, s->cv.glyphs);
	sheet_text(&how, 0, 0, "How it is played", STYLE_DIM, 0);
	write_company(held, &how);
	sheet_text(&keys, 0, 0, "Keys and words", STYLE_DIM, 0);
	write_keys(held, &keys);
	const int rows = max_int(how.rows, keys.rows), row = sheet_rows(s, rows);
	sheet_show(&how, &s->cv, (struct rect){ row, 0, how.rows, half }, 0);
	sheet_show(&keys, &s->cv, (struct rect){ row, half + BETWEEN, keys.rows, right }, 0);
	sheet_release(&how);
	sheet_release(&keys);
	sheet_gap(s);
}

/* The clock as it stands before it is started, with what is said of the length behind its minutes. */
static bool write_clock(unsigned minutes, const char *length, struct sheet *s)
{
	char words[400];
	const char *rest = strchr(length, ',');
	const int rows = clock_rows(s->cv.glyphs), top = s->rows, row = sheet_rows(s, rows);
	snprintf(words, sizeof words, "%u:00 %s", minutes, rest ? rest + 2 : "");
	if (clock_draw(&s->cv, (struct rect){ row, 0, rows, s->cv.cols }, words, STYLE_PLAIN))
		return true;
	s->rows = top;
	return false;
}

/* -- The whole -------------------------------------------------------------------------------- */

static void write_state(const struct case_view *v, struct sheet *s)
{
	char text[160], time[32];
	snprintf(text, sizeof text,
		"It was left at %s. Enter goes on there; until then the clock stands.",
		drill_clock_text(v->stood_ms, time, sizeof time));
	if (v->deals)
		sheet_text(s, 0, 0,
			"It is being dealt. Its designs are run first, so that all that it says is "
			"true; that takes some seconds, and the clock does not run.",
			STYLE_DIM, 0);
	else if (v->stood_ms > 0)
		sheet_text(s, 0, 0, text, STYLE_ACCENT, ATTR_BOLD);
	else
		sheet_text(s, 0, 0,
			v->wish.how.held
				? "Told to begin? Enter starts the clock, and your interviewer "
				  "theirs: at one word both run alike."
				: "Enter starts. Until then the clock stands and the interviewer is "
				  "silent.",
			STYLE_ACCENT, ATTR_BOLD);
}

void case_before_draw(const struct case_view *v, int64_t now_s, struct canvas *cv, struct rect body)
{
	char text[400];
	struct sheet s;
	struct rect r = text_column(body, body.cols >= WIDE + 4 ? MOST_WIDE : MEASURE);
	sheet_init(&s, r.cols, cv->glyphs);
	sheet_gap(&s);
	sheet_text(&s, 0, 0, v->wish.title, STYLE_ACCENT, ATTR_BOLD);
	sheet_gap(&s);
	if (v->ready)
		write_setting(v, &s);
	case_first_length(v->wish.how.minutes, text, sizeof text);
	if (!is_wide(&s) || body.rows < TALL || !write_clock(v->wish.how.minutes, text, &s))
		sheet_text(&s, 0, 0, text, STYLE_PLAIN, 0);
	if (v->ready && v->stood_ms == 0) /* later they are what is left of them */
		write_phases(v, &s);
	else
		sheet_gap(&s);
	if (is_wide(&s)) {
		write_beside(v->wish.how.held, &s);
	} else {
		write_company(v->wish.how.held, &s);
		write_keys(v->wish.how.held, &s);
	}
	if (v->ready)
		write_earlier(v, now_s, &s);
	write_state(v, &s);
	sheet_squeeze(&s, r.rows);
	/* In a tall window it stands where the eye rests, above the middle. */
	const int above = max_int(0, (r.rows - s.rows) / 3);
	r.row += above;
	r.rows -= above;
	sheet_show(&s, cv, r, 0);
	sheet_release(&s);
}
