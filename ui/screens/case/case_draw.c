#include "ui/screens/case/case_draw.h"

#include "sims/base/minmax.h"
#include "ui/live/live_draw.h"
#include "ui/live/live_headline.h"
#include "ui/practice/sheet.h"
#include "ui/screens/case/case_datasheet.h"
#include "ui/screens/case/case_desk.h"
#include "ui/screens/case/case_layout.h"
#include "ui/screens/case/case_side.h"
#include "ui/screens/case/case_after.h"
#include "ui/shell/layout.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/views/figure_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURE = 78, SENTENCE = 2 };

/* --- What is said --- */

static enum style tone_style(enum case_tone tone, unsigned *attr)
{
	*attr = 0;
	switch (tone) {
	case TONE_YOU:
		*attr = ATTR_BOLD;
		return STYLE_ACCENT;
	case TONE_HEADING:
	case TONE_OUTCOME:
		*attr = ATTR_BOLD;
		return STYLE_PLAIN;
	case TONE_GOOD:
		return STYLE_GOOD;
	case TONE_BAD:
		return STYLE_BAD;
	case TONE_SIMULATION:
		*attr = ATTR_ITALIC;
		return STYLE_PLAIN;
	case TONE_HINT:
		return STYLE_DIM;
	default:
		return STYLE_PLAIN;
	}
}

struct talk_sheet {
	struct sheet sheet;
	int newest; /* the row where what came last begins */
	int phase;  /* where the phase began; 0: nobody knows */
	int rows;   /* that are seen at once */
	int *starts; /* where each line that was typed begins, in their order; from malloc, NULL: memory is out */
	size_t n_starts;
};

/* What is met or missed has its colour in the mark alone, where the text says what was read. */
static bool write_marked(const struct case_paragraph *p, enum style style, struct sheet *s)
{
	enum { MARK = 2 };
	static const char *const marks[] = {
		[BOX_MISSED] = "✗", [BOX_PART] = "~", [BOX_MET] = "✓"
	};
	if (p->box == BOX_NONE)
		return false;
	const int row = s->rows;
	sheet_text(s, p->indent + MARK, 0, p->text + CASE_BOX_BYTES, STYLE_PLAIN, 0);
	canvas_text(&s->cv, row, p->indent, MARK, marks[p->box],
		p->box == BOX_PART ? STYLE_WARN : style, ATTR_BOLD);
	if (p->name > CASE_BOX_BYTES)
		canvas_restyle(&s->cv,
			(struct rect){ row, p->indent + MARK, 1, p->name - CASE_BOX_BYTES },
			STYLE_PLAIN, ATTR_BOLD);
	return true;
}

/* The candidate's own mark of a part of the rubric, beside its heading and at its rung. */
static void write_own_mark(
	const struct case_view *v, const struct case_paragraph *p, int row, struct sheet *s)
{
	const unsigned mark = v->sitting.marks[p->part - 1];
	char text[64];
	if (p->rung && (unsigned)p->rung == mark) {
		canvas_restyle(&s->cv, (struct rect){ row, 0, s->rows - row, s->cv.cols },
			STYLE_ACCENT, ATTR_BOLD);
		canvas_text(&s->cv, row, 0, 1, "▸", STYLE_ACCENT, ATTR_BOLD);
	} else if (!p->rung && v->talk.debriefed) {
		snprintf(text, sizeof text, "your mark: %u of %d", mark, CASE_MARKS);
		canvas_text_right(&s->cv, row, 0, s->cv.cols, mark ? text : "not marked yet",
			mark ? STYLE_ACCENT : STYLE_DIM, 0);
	}
}

static void write_paragraph(
	const struct case_view *v, const struct case_paragraph *p, struct sheet *s)
{
	unsigned attr;
	const enum style style = tone_style(p->tone, &attr);
	const int row = s->rows;
	if (write_marked(p, style, s))
		return;
	sheet_text(s, p->indent, p->hang, p->text, style, attr);
	if (p->name && p->name < s->cv.cols - p->indent)
		canvas_restyle(&s->cv, (struct rect){ row, p->indent, 1, p->name }, style,
			attr | ATTR_BOLD);
	if (p->part)
		write_own_mark(v, p, row, s);
}

/* Its heading says what the title of the screen says; behind it comes what the case asks, which may
 * stand above the talk for good. */
enum { TALK_HEADING, TALK_OPENING, TALK_FROM };

/* What is to be estimated stands beside the talk, or over the line, while it is due, and there
 * alone. */
static void write_talk(const struct case_view *v, const struct case_layout *l, struct talk_sheet *t)
{
	struct sheet *s = &t->sheet;
	const bool aside = (l->side.rows || l->ask.rows) && v->sitting.phase == CASE_ESTIMATE;
	t->newest = t->phase = 0;
	t->n_starts = 0;
	t->starts = calloc(v->talk.said.n + 1, sizeof *t->starts);
	for (size_t i = l->opening.rows ? TALK_FROM : TALK_OPENING; i < v->talk.said.n; i++) {
		const struct case_paragraph *p = &v->talk.said.list[i];
		if (p->apart && s->rows)
			sheet_gap(s);
		if (i == v->newest)
			t->newest = s->rows;
		if (v->begun && i == v->begun)
			t->phase = s->rows;
		if (t->starts && p->tone == TONE_YOU)
			t->starts[t->n_starts++] = s->rows;
		const int row = s->rows;
		if (!aside || v->over || !p->aside)
			write_paragraph(v, p, s);
		if (i == TALK_OPENING) /* what the case asks is what all of it is about */
			canvas_restyle(&s->cv, (struct rect){ row, 0, s->rows - row, s->cv.cols },
				STYLE_PLAIN, ATTR_BOLD);
	}
	if (v->newest >= v->talk.said.n)
		t->newest = s->rows;
}

/* A talk that does not fit has its last row for the mark that says so. */
static void set_room(struct talk_sheet *t, int rows)
{
	t->rows = t->sheet.rows > rows && rows > 3 ? rows - 1 : rows;
}

static void talk_sheet_init(const struct case_view *v, const struct case_layout *l,
	enum glyphs glyphs, struct talk_sheet *t)
{
	sheet_init(&t->sheet, min_int(l->talk.cols, MEASURE), glyphs);
	write_talk(v, l, t);
	set_room(t, l->talk.rows);
}

static void talk_sheet_release(struct talk_sheet *t)
{
	sheet_release(&t->sheet);
	free(t->starts);
}

/* The first row that is seen before anybody scrolls: where the phase began, or where a line was
 * typed, so that it begins with no end of another; but where what came last begins if that is
 * longer than the window. */
static int resting_row(const struct talk_sheet *t)
{
	const int end = max_int(0, t->sheet.rows - t->rows);
	if (t->newest <= end || end == 0)
		return min_int(t->newest, end);
	if (t->phase >= end)
		return t->phase;
	/* Less than half a window says too little of what came before. */
	for (size_t i = 0; i < t->n_starts; i++)
		if (t->starts[i] >= end && t->sheet.rows - t->starts[i] >= t->rows / 2)
			return t->starts[i];
	return end;
}

/* `up` counts from the resting place; below it, it is negative. */
static int first_row(const struct talk_sheet *t, long up)
{
	const int resting = resting_row(t);
	const int end = max_int(resting, t->sheet.rows - t->rows);
	const long first = resting - up;
	return first < 0 ? 0 : first > end ? end : (int)first;
}

/* Down to the line, so that what was said last stands over it. */
static void draw_talk(
	const struct case_view *v, struct canvas *cv, struct rect r, const struct talk_sheet *t)
{
	const int first = first_row(t, v->up), end = t->sheet.rows - t->rows;
	const int rows = min_int(t->rows, t->sheet.rows - first);
	sheet_show(&t->sheet, cv,
		(struct rect){ r.row + t->rows - rows, r.col, rows, t->sheet.cv.cols }, first);
	if (t->rows < r.rows) {
		char mark[64];
		snprintf(mark, sizeof mark, "%s%s%s", first ? "↑ PgUp" : "",
			first && first < end ? "   " : "", first < end ? "↓ more: PgDn" : "");
		canvas_text_right(
			cv, r.row + t->rows, r.col, t->sheet.cv.cols, mark, STYLE_ACCENT, 0);
	}
}

/* What may be typed, while nothing is. */
static const char *prompt_text(const struct case_view *v, int cols)
{
	const struct case_sitting *s = &v->sitting;
	const bool anew = case_talk_deals_anew(&v->talk);
	static const char whole[] = "again: other numbers · mark clarify 3: your mark · quit";
	if (v->over && anew)
		return text_width(whole) <= cols ? whole : "again · mark clarify 3 · quit";
	if (v->over)
		return "mark clarify 3: your mark · quit";
	if (s->company == CASE_HELD)
		return v->talk.said.n <= TALK_FROM + 1 ? "what you note, or help" : "";
	if (s->phase == CASE_CLARIFY && v->talk.said.n <= TALK_FROM + 1)
		return "a question, or help";
	if (s->phase == CASE_DESIGN && !case_may_run(s))
		return "a question, or knobs: what was not asked for is a guess";
	return "";
}

static void draw_line(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct case_view *v = case_seen(app);
	struct pane p = pane_of(cv, r);
	if (case_where(v) == CASE_READING) {
		pane_fit(&p, 0, 0, r.cols, "A record of what was said. Nothing is added to it.",
			STYLE_DIM, 0);
		return;
	}
	if (case_where(v) == CASE_STANDS) {
		pane_fit(&p, 0, 0, r.cols, "The clock stands. Enter goes on.", STYLE_WARN,
			ATTR_BOLD);
		return;
	}
	if (case_where(v) == CASE_AT_DESK) {
		pane_fit(&p, 0, 0, r.cols,
			*v->line.text ? v->line.text : "The keys go to your knobs; Tab comes back.",
			STYLE_DIM, 0);
		return;
	}
	pane_text(&p, 0, 0, 2, "> ", STYLE_ACCENT, ATTR_BOLD);
	const int error = app->entry.error[0] ? text_width(app->entry.error) + 2 : 0;
	entry_draw(&app->entry, cv, r.row, r.col + 2, max_int(8, r.cols - 2 - error), 0);
	if (error)
		canvas_text_right(cv, r.row, r.col + 2, r.cols - 2, app->entry.error, STYLE_BAD, 0);
	else if (!app->entry.bytes)
		pane_clause(&p, 0, 4, r.cols - 4, prompt_text(v, r.cols - 4), STYLE_DIM, 0);
}

/* --- Above --- */

static void draw_head(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct case_view *v = case_seen(app);
	struct pane p = pane_of(cv, r);
	enum style style;
	char text[160], total[64];
	int col = pane_text(
		&p, 0, 0, -1, case_phase_text(v, text, sizeof text), STYLE_PLAIN, ATTR_BOLD);
	case_left_text(v, app->now_ms, &style, text, sizeof text);
	col += 2 + pane_text(&p, 0, col + 2, -1, text, style, ATTR_BOLD);
	case_total_text(v, app->now_ms, total, sizeof total);
	if (col + 2 + text_width(total) <= r.cols)
		pane_fit_right(&p, 0, col, r.cols - col, total, STYLE_DIM, 0);
	if (r.rows <= 1)
		return;
	/* What is being designed matters more then than how much was told. */
	const bool designs = case_design_is_due(&v->sitting);
	char design[300] = "";
	if (designs && !v->over && !case_verdicts(v))
		case_design_text(v, design, sizeof design);
	if (v->talk.debriefed && v->over)
		pane_clause(&p, 1, 0, r.cols, case_spent_text(v, app->now_ms, text, sizeof text),
			STYLE_DIM, 0);
	else if (*design)
		pane_words(&p, 1, 0, r.cols, design, STYLE_PLAIN, 0);
	else
		pane_fit(&p, 1, 0, r.cols, case_known_text(v, text, sizeof text), STYLE_DIM, 0);
}

/* --- The side --- */

enum brevity { WHOLE, SHORTER, FACTS_IN_3, FACTS_IN_2, FACTS_IN_1, BRIEF, N_BREVITIES };

/* How what is known is written: numbers with their questions, goals in a row each, facts in so many rows (0: as many
 * as they take). */
struct known_form {
	bool asks, goals;
	int fact_rows;
};

static bool has_design(const struct case_view *v)
{
	return v->sitting.phase >= CASE_DESIGN || v->desk.open;
}

/* What matters most in the phase has its words longest: while there are numbers to estimate, these are what is
 * asked; before that, what was told. */
static struct known_form form_of(const struct case_view *v, bool goals, enum brevity how)
{
	const bool estimate = v->sitting.phase == CASE_ESTIMATE;
	return (struct known_form){ .asks = how == WHOLE || estimate,
		.fact_rows = how <= SHORTER ? 0 : max_int(1, FACTS_IN_1 - (int)how + 1),
		.goals = goals && has_design(v) && how == BRIEF };
}

static bool is_same_form(struct known_form a, struct known_form b)
{
	return a.asks == b.asks && a.fact_rows == b.fact_rows && a.goals == b.goals;
}

/* Parts of what is known that stand in one column. */
enum { KNOWN_KNOBS = 1, KNOWN_GOALS = 2, KNOWN_NUMBERS = 4, KNOWN_FACTS = 8 };

/* And it stands first. Numbers that are open are asked for in a sentence once designs are made, but where there is
 * room for their questions. */
static void write_known(
	const struct case_view *v, unsigned parts, struct known_form form, struct sheet *s)
{
	enum { ROOMY = 60 };
	const bool designs = has_design(v), facts = parts & KNOWN_FACTS;
	if (parts & KNOWN_KNOBS && designs &&
		(!v->over || case_design_begun(&v->sitting.deal, &v->desk.design)))
		case_knobs_write(v, false, s);
	if (parts & KNOWN_GOALS && designs)
		case_goals_write(v, form.goals, s);
	if (v->sitting.phase == CASE_CLARIFY) {
		if (facts)
			case_facts_write(v, form.fact_rows, s);
		if (parts & KNOWN_NUMBERS)
			case_numbers_write(v, form.asks, s);
	} else {
		const bool numbers = parts & KNOWN_NUMBERS;
		if (numbers && v->talk.debriefed)
			case_numbers_write_after(v, s);
		else if (numbers && designs && !(form.asks && s->cv.cols >= ROOMY))
			case_numbers_write_brief(v, s);
		else if (numbers)
			case_numbers_write(v, form.asks, s);
		if (facts)
			case_facts_write(v, form.fact_rows, s);
	}
}

/* What there may be room for below all that is known. */
static void write_more(const struct case_view *v, struct sheet *s)
{
	if (v->talk.debriefed)
		case_untold_write(v, s);
	else if (has_design(v))
		case_datasheets_write(v, s);
}

/* Below what is known, whole or not at all. */
static void draw_more(const struct case_view *v, struct canvas *cv, struct rect r, int used)
{
	struct sheet s;
	sheet_init(&s, r.cols, cv->glyphs);
	write_more(v, &s);
	if (used + 1 + s.rows <= r.rows)
		sheet_show(&s, cv, (struct rect){ r.row + used + 1, r.col, s.rows, r.cols }, 0);
	sheet_release(&s);
}

/* Whole, or in brief where that has no room, and cut where that has none either. */
static void draw_known(const struct case_view *v, struct canvas *cv, struct rect r, unsigned parts)
{
	const bool goals = parts & KNOWN_GOALS;
	for (int how = WHOLE; how < N_BREVITIES && r.rows > 0; how++) {
		const struct known_form form = form_of(v, goals, (enum brevity)how);
		struct sheet s;
		if (how < BRIEF && is_same_form(form, form_of(v, goals, (enum brevity)(how + 1))))
			continue;
		sheet_init(&s, r.cols, cv->glyphs);
		write_known(v, parts, form, &s);
		const bool fits = s.rows <= r.rows;
		if (fits && parts & KNOWN_NUMBERS && is_same_form(form, form_of(v, goals, WHOLE)))
			draw_more(v, cv, r, s.rows);
		if (fits || how == BRIEF) {
			sheet_show(
				&s, cv, (struct rect){ r.row, r.col, r.rows - !fits, r.cols }, 0);
			if (!fits)
				canvas_text(cv, r.row + r.rows - 1, r.col, r.cols,
					"more: facts, estimate", STYLE_DIM, 0);
		}
		sheet_release(&s);
		if (fits)
			return;
	}
}

static void draw_side(const struct app *app, struct canvas *cv, const struct case_layout *l)
{
	const struct case_view *v = case_seen(app);
	const struct rect r = l->side;
	struct sheet s;
	canvas_bar(cv, r.row, r.col - 2, r.rows, STYLE_DIM);
	sheet_init(&s, r.cols, cv->glyphs);
	case_clock_write(v, l->knobs.rows > 0 && l->roomy, app->now_ms, &s);
	sheet_show(&s, cv, r, 0);
	int used = s.rows + 1;
	sheet_release(&s);
	/* What stands between clock and facts is drawn by itself. */
	const bool band = l->knobs.rows > 0 && l->knobs.col >= r.col;
	if (band)
		used = l->figure.row + l->figure.rows + (l->figure.rows > 0) - r.row;
	const struct rect rest = { r.row + used, r.col, r.rows - used, r.cols };
	if (rest.rows > 0)
		draw_known(v, cv, rest,
			KNOWN_NUMBERS | (l->knobs.rows ? 0 : KNOWN_KNOBS) |
				(l->goals_aside || !band ? KNOWN_GOALS : 0) |
				(l->told.rows ? 0 : KNOWN_FACTS));
}

/* --- The knobs and the figure --- */

/* Knobs and goals, as rows for the layout and to be shown. */
struct band {
	struct sheet knobs, goals;
};

static void band_init(const struct case_view *v, int cols, bool goals_aside, bool roomy, bool brief,
	enum glyphs glyphs, struct band *b)
{
	enum { GOALS = 22, BETWEEN = 3 };
	const bool wide = case_band_is_wide(cols, roomy) && !goals_aside;
	const int knobs = !wide ? cols : min_int(case_knobs_cols(v), cols - GOALS - BETWEEN);
	sheet_init(&b->knobs, knobs, glyphs);
	sheet_init(&b->goals, wide ? cols - knobs - BETWEEN : cols, glyphs);
	case_knobs_write(v, !wide && !goals_aside && !roomy, &b->knobs);
	if (!goals_aside)
		case_goals_write(v, brief || (!wide && !roomy), &b->goals);
}

static void band_release(struct band *b)
{
	sheet_release(&b->knobs);
	sheet_release(&b->goals);
}

static void draw_band(const struct band *b, bool goals, struct canvas *cv, struct rect r)
{
	const bool wide = b->goals.cv.cols < r.cols;
	const int knobs = min_int(r.rows, b->knobs.rows);
	const int below = wide ? 0 : knobs + 1;
	sheet_show(&b->knobs, cv, (struct rect){ r.row, r.col, knobs, r.cols }, 0);
	if (!goals)
		return;
	sheet_show(&b->goals, cv,
		(struct rect){ r.row + below, r.col + r.cols - b->goals.cv.cols, r.rows - below,
			b->goals.cv.cols },
		0);
}

static const char *why_no_figure(const struct case_view *v)
{
	const bool lacks = case_design_lacks(&v->sitting.deal, &v->desk.design) != NULL;
	if (v->over)
		return "";
	if (v->sitting.company == CASE_HELD && lacks)
		return "Once every knob is decided, Enter says the design to your interviewer.";
	if (v->sitting.company == CASE_HELD)
		return case_desk_differs(v)
			       ? "Every knob is decided: Enter says the design to your interviewer."
			       : "This design is said. Your interviewer sees what it comes to, and the "
				 "simulation shows it here after their word.";
	/* At the desk nothing else says it. */
	if (!case_may_run(&v->sitting))
		return v->desk.open
			       ? "You have not asked for the facts that decide. Ask first, or run the "
				 "design and see them."
			       : "";
	return lacks ? "The simulation runs once every knob is decided."
		     : "The simulation is at work.";
}

static void draw_figure(const struct case_view *v, struct canvas *cv, struct rect r)
{
	if (!v->desk.runs) {
		paragraph_draw(cv, r, why_no_figure(v), STYLE_DIM, 0);
		return;
	}
	live_draw_headline(cv, (struct rect){ r.row, r.col, SENTENCE, r.cols }, &v->desk.live);
	live_draw_figure(cv, (struct rect){ r.row + SENTENCE, r.col, r.rows - SENTENCE, r.cols },
		&v->desk.live, v->desk.open ? "PgDn" : "", NULL);
}

/* --- All of it --- */

enum { LEAST_TALK = 8 };

/* What is to be estimated next stands right over the line, where it is answered. */
static void place_ask(const struct case_view *v, enum glyphs glyphs, struct case_layout *l)
{
	char text[600];
	const int cols = min_int(l->talk.cols, MEASURE);
	if (!l->talk.rows || v->over || v->sitting.phase != CASE_ESTIMATE ||
		!*case_next_number(v, text, sizeof text))
		return;
	/* Where the line is apart from the talk, the row between them is one. */
	const int rows = text_lines(text, cols, glyphs),
		  apart = l->line.row == l->talk.row + l->talk.rows;
	if (l->talk.rows - rows - apart < LEAST_TALK)
		return;
	l->talk.rows -= rows + apart;
	l->ask = (struct rect){ l->line.row - rows, l->talk.col, rows, cols };
}

/* What the case asks stays in sight as long as it is asked. */
static void place_opening(const struct case_view *v, enum glyphs glyphs, struct case_layout *l)
{
	const int cols = min_int(l->talk.cols, MEASURE);
	if (!l->talk.rows || v->over || v->talk.said.n <= TALK_OPENING)
		return;
	const int rows = text_lines(v->talk.said.list[TALK_OPENING].text, cols, glyphs);
	if (l->talk.rows - rows - 1 < LEAST_TALK)
		return;
	l->opening = (struct rect){ l->talk.row, l->talk.col, rows, cols };
	l->talk.row += rows + 1;
	l->talk.rows -= rows + 1;
}

/* A talk of which less is seen than it has room has the line right below it, as a shell has: a hole between what is
 * asked and what is said would part them. Who scrolls in it has all the room. */
static void place_line(const struct case_view *v, struct talk_sheet *t, struct case_layout *l)
{
	if (!l->opening.rows || !l->line.rows)
		return;
	const int first = v->up ? 0 : first_row(t, 0);
	const int spare = max_int(0, l->talk.rows - (t->sheet.rows - first) - (first > 0));
	l->talk.rows -= spare;
	set_room(t, l->talk.rows);
	l->line.row -= spare;
	l->ask.row -= spare;
}

/* What was told is needed to turn the knobs. Where no figure is, it stands under them, or in a narrow window, where knobs
 * have the place of the talk, in a column beside them with goals and numbers, which the band has then no more. */
static void place_told(struct rect body, const struct band *b, enum glyphs glyphs, const char *why,
	struct case_layout *l)
{
	const int end = body.row + body.rows;
	const bool beside = !l->side.rows && b->goals.rows && b->goals.cv.cols < l->knobs.cols;
	if (beside) {
		const int cols = b->goals.cv.cols;
		l->told = (struct rect){ l->knobs.row, body.col + body.cols - cols, 0, cols };
		l->knobs.cols = b->knobs.cv.cols;
		l->knobs.rows = min_int(l->knobs.rows, b->knobs.rows);
		l->figure.row = l->knobs.row + l->knobs.rows + 1;
		l->figure.cols = l->knobs.cols;
		l->figure.rows = min_int(
			text_lines(why, l->figure.cols, glyphs), max_int(0, end - l->figure.row));
	} else {
		const int from = l->figure.row + l->figure.rows + (l->side.rows && *why);
		l->told = (struct rect){ from, l->knobs.col, 0, l->knobs.cols };
	}
	l->told.rows = max_int(0, end - l->told.row);
}

/* The band is as wide as the layout says, and that depends on how many rows the band has. Band and talk are to be
 * released. */
static struct case_layout layout_of(const struct case_view *v, struct rect body, enum glyphs glyphs,
	struct band *b, struct talk_sheet *t)
{
	const bool design = v->sitting.phase >= CASE_DESIGN, desk = v->desk.open;
	struct case_layout wished = case_layout(body, desk, design, 1, 1), l = wished;
	for (int i = 0; i < 2; i++) {
		band_init(v, l.knobs.cols ? l.knobs.cols : body.cols, l.goals_aside, l.roomy, false,
			glyphs, b);
		l = case_layout(body, desk, design, b->knobs.rows, b->goals.rows);
		if (l.knobs.cols == wished.knobs.cols && l.goals_aside == wished.goals_aside)
			break;
		wished = l;
		if (i == 0)
			band_release(b);
	}
	/* Goals in a row each rather than no figure at all. */
	if (desk && !l.side.rows && !l.figure.rows) {
		band_release(b);
		band_init(v, body.cols, l.goals_aside, l.roomy, true, glyphs, b);
		l = case_layout(body, desk, design, b->knobs.rows, b->goals.rows);
	}
	/* Beside the talk a figure takes what it needs: what is known has the rest. */
	if (v->desk.runs && l.side.rows && l.figure.rows && l.figure.col == l.side.col)
		l.figure.rows = min_int(
			l.figure.rows, SENTENCE + figure_rows(&v->desk.live.figure, l.figure.cols));
	/* A sentence in place of the figure leaves its room to what is known; what is over has none. */
	if (!v->desk.runs)
		l.figure.rows =
			min_int(l.figure.rows, text_lines(why_no_figure(v), l.figure.cols, glyphs));
	if (desk && !v->desk.runs && l.figure.cols && !l.roomy)
		place_told(body, b, glyphs, why_no_figure(v), &l);
	place_opening(v, glyphs, &l);
	place_ask(v, glyphs, &l);
	talk_sheet_init(v, &l, glyphs, t);
	place_line(v, t, &l);
	return l;
}

void case_draw(const struct app *app, struct canvas *cv, struct rect body)
{
	const struct case_view *v = case_seen(app);
	struct band band;
	struct talk_sheet talk;
	const struct case_layout l = layout_of(v, body, cv->glyphs, &band, &talk);
	if (l.head.rows)
		draw_head(app, cv, l.head);
	char ask[600];
	if (l.opening.rows)
		paragraph_draw(cv, l.opening, v->talk.said.list[TALK_OPENING].text, STYLE_PLAIN,
			ATTR_BOLD);
	if (l.ask.rows)
		paragraph_draw(
			cv, l.ask, case_next_number(v, ask, sizeof ask), STYLE_PLAIN, ATTR_BOLD);
	if (l.talk.rows)
		draw_talk(v, cv, l.talk, &talk);
	if (l.line.rows)
		draw_line(app, cv, l.line);
	if (l.side.rows)
		draw_side(app, cv, &l);
	if (l.knobs.rows)
		draw_band(&band, !l.told.rows || l.side.rows || l.told.col == l.knobs.col, cv,
			l.knobs);
	if (l.figure.rows)
		draw_figure(v, cv, l.figure);
	if (l.told.rows)
		draw_known(v, cv, l.told,
			KNOWN_FACTS | (l.side.rows ? 0 : KNOWN_NUMBERS) |
				(l.told.col > l.knobs.col ? KNOWN_GOALS : 0));
	band_release(&band);
	talk_sheet_release(&talk);
}

long case_talk_within(const struct app *app, long up)
{
	const struct case_view *v = case_seen(app);
	struct band band;
	struct talk_sheet t;
	layout_of(v, frame_layout(app->rows, app->cols).body, app->glyphs, &band, &t);
	band_release(&band);
	const long most = resting_row(&t), least = most - max_int((int)most, t.sheet.rows - t.rows);
	talk_sheet_release(&t);
	return up > most ? most : up < least ? least : up;
}
