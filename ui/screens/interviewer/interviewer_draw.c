/* The interviewer's screen: a strip with the times on top, below it the guide to the problem, which
 * scrolls. In a wide window times, marks and notes stand beside the guide. */
#include "ui/screens/interviewer/interviewer_screen.h"

#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/views/clock.h"
#include "ui/pages/page_draw.h"
#include "ui/practice/drill_summary.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/interviewer/interviewer_code.h"

#include <stdio.h>
#include <string.h>

enum { WIDE = 128, SIDE = 46, GAP = 3, MEASURE = 98, STRIP = 3, MOST_TOLD = 8, TOLD_SIZE = 1200 };
enum {
	TOLD_LABEL = 7,
	TALL = 24,
	TALLER = 12
}; /* columns; rows with room for how it sounds, beside facts and above them */
enum { CODE_MEASURE = 150 }; /* columns of its first page */
enum { CLOCK_ROWS = 3 };     /* beside the guide: where it is, what is left, and how much it was */
enum { LARGE_FROM = 44 };    /* rows of the window: what is left is in large type */

static bool is_wide(struct rect body)
{
	return body.cols >= WIDE;
}

static bool is_interview(const struct interviewer *v)
{
	return v->session.mode == MODE_INTERVIEW;
}

/* At a case, the answer to what was heard last is read out where it was heard: it has rows of its own, as many as it
 * needs. Its i-th paragraph as text; NULL: there is none, or it stands whole above the guide. */
static const struct case_paragraph *told_text(
	const struct interviewer *v, size_t i, char *text, size_t size)
{
	const struct interviewer_case *k = v->at_case;
	/* Who has scrolled away from it still sees what it came to. */
	if (!k || interviewer_in_summary(v) ||
		(v->scroll == 0 && interviewer_case_shows_last(k, v->stops[v->at].phase)))
		return NULL;
	const struct case_paragraph *p = interviewer_case_answer(k, v->stops[v->at].phase, i);
	const bool typed = i == 0 && interviewer_case_last_typed(k);
	if (p)
		snprintf(text, size, "%s%s", typed ? "candidate: " : "", p->text);
	return p;
}

static int told_rows(const struct interviewer *v, int cols)
{
	char text[TOLD_SIZE];
	int rows = 0;
	for (size_t i = 0; told_text(v, i, text, sizeof text); i++)
		rows += text_lines(text, cols - TOLD_LABEL, GLYPHS_LINES);
	return rows > MOST_TOLD ? MOST_TOLD : rows;
}

static enum style told_style(const struct case_paragraph *p)
{
	return p->tone == TONE_GOOD ? STYLE_GOOD : p->tone == TONE_BAD ? STYLE_WARN : STYLE_PLAIN;
}

/* What is to be read out is told apart from what only the desk knows. */
static bool is_read_out(const struct interviewer *v, const struct case_paragraph *p)
{
	return !interviewer_case_last_typed(v->at_case) &&
	       (p->tone == TONE_FACT || p->tone == TONE_INTERVIEWER);
}

static void draw_told(const struct interviewer *v, struct canvas *cv, struct rect r)
{
	char text[TOLD_SIZE];
	const struct case_paragraph *p;
	for (size_t i = 0; r.rows > 0 && (p = told_text(v, i, text, sizeof text)); i++) {
		const bool aloud = is_read_out(v, p);
		const struct rect at = { r.row, r.col + TOLD_LABEL, r.rows, r.cols - TOLD_LABEL };
		const int rows = paragraph_draw(
			cv, at, text, told_style(p), aloud ? (unsigned)ATTR_BOLD : 0);
		if (i == 0)
			canvas_text(cv, r.row, r.col, TOLD_LABEL, aloud ? "TELL" : "HEARD",
				aloud ? STYLE_ACCENT : STYLE_PLAIN, ATTR_BOLD);
		r.row += rows;
		r.rows -= rows;
	}
}

/* Rows above the rule: where the talk is, the minutes of an interview's phases, mark and counts. The summary has the
 * minutes itself. */
static bool has_minutes(const struct interviewer *v)
{
	return is_interview(v) && !interviewer_in_summary(v);
}

struct rect interviewer_guide_rect(const struct interviewer *v, struct rect body)
{
	int above = is_wide(body) ? 0 : STRIP - !has_minutes(v) + 1 + told_rows(v, body.cols);
	int cols = body.cols - (is_wide(body) ? SIDE + GAP : 0);
	cols = cols > MEASURE ? MEASURE : cols;
	above = above < body.rows ? above : body.rows;
	return (struct rect){ body.row + above, body.col, body.rows - above, cols };
}

/* The phase that a candidate is in, who is followed and is not where the desk is; N_INTERVIEW_PHASES: there
 * is none. */
static unsigned their_phase(const struct interviewer *v)
{
	const struct interviewer_case *k = v->at_case;
	if (!k || !k->n_typed || (unsigned)k->theirs.phase == (unsigned)v->session.phase)
		return N_INTERVIEW_PHASES;
	return (unsigned)k->theirs.phase;
}

/* Beside the guide of a case, above the rubric: the clock, where the candidate is, and the plan with its head, each
 * with a blank row under it. */
static int rows_above_rubric(const struct interviewer *v)
{
	return CLOCK_ROWS + (their_phase(v) < N_INTERVIEW_PHASES) + 1 + 1 + N_INTERVIEW_PHASES + 1;
}

struct case_room interviewer_room(const struct interviewer *v, struct rect body)
{
	const bool aside = is_wide(body);
	return (struct case_room){ .cols = interviewer_guide_rect(v, body).cols,
		.rows = body.rows,
		.tall = aside ? body.rows - rows_above_rubric(v) >= TALL
			      : body.rows >= TALL + TALLER,
		.aside = aside,
		.mark = v->subjects[v->at].mark };
}

enum interviewer_part interviewer_guide_part(struct rect body)
{
	return is_wide(body) ? PART_GUIDE : PART_GUIDE_SIDE;
}

static enum style timer_style(enum timer_state state)
{
	return state == TIMER_OK ? STYLE_GOOD : state == TIMER_OVER ? STYLE_BAD : STYLE_WARN;
}

/* A clock that was begun and stands: while a candidate talks, it must not be overlooked. */
static bool stands(const struct app *app)
{
	const struct interviewer *v = interviewer_seen(app);
	return v->session.paused && !v->ended && !interviewer_in_summary(v) &&
	       session_total_ms(&v->session, app->now_ms) > 0;
}

/* "5:16 left", "WRAP UP, 0:48 left", "OVER by 0:12", "PAUSED": the one clock of the phase. */
static enum style state_text(const struct app *app, char *text, size_t size)
{
	const struct interviewer *v = interviewer_seen(app);
	const struct interviewer_times times = interviewer_times(v, app->now_ms);
	char time[32];
	int64_t left_ms = 0, used_ms = interviewer_spent_ms(v, v->at, app->now_ms);
	if (interviewer_in_summary(v) || v->ended) {
		snprintf(text, size, v->ended ? "ended: the clock stands" : "the clock stands");
		return STYLE_DIM;
	}
	if (v->session.paused) {
		snprintf(text, size,
			stands(app) ? " PAUSED: the clock stands, Space starts it "
				    : "Space starts the clock");
		return STYLE_WARN;
	}
	if (is_interview(v)) {
		left_ms = times.left_ms;
		used_ms = interviewer_phase_ms(v, v->session.phase, app->now_ms);
	} else if (v->stops[v->at].item) {
		left_ms = (int64_t)(1000 * v->stops[v->at].item->variant.drill->par_s) - used_ms;
	}
	/* While all is well, a word for it says nothing that the time does not. */
	if (left_ms >= 0)
		snprintf(text, size, "%s%s%s left",
			times.state == TIMER_OK ? "" : timer_names[times.state],
			times.state == TIMER_OK ? "" : ", ",
			drill_left_text(used_ms + left_ms, used_ms, time, sizeof time));
	else
		snprintf(text, size, "%s by %s", timer_names[times.state],
			drill_clock_text(-left_ms, time, sizeof time));
	return timer_style(times.state);
}

static unsigned state_attr(const struct app *app)
{
	return stands(app) ? ATTR_BOLD | ATTR_REVERSE : ATTR_BOLD;
}

/* "5:30 of 45:00": the one clock of the whole. */
static void total_text(const struct app *app, char *text, size_t size)
{
	const struct interviewer *v = interviewer_seen(app);
	char total[32], limit[32];
	const int64_t limit_ms = (int64_t)(1000 * v->session.limit_s);
	drill_clock_text(session_total_ms(&v->session, app->now_ms), total, sizeof total);
	if (limit_ms)
		snprintf(text, size, "%s of %s", total,
			drill_clock_text(limit_ms, limit, sizeof limit));
	else
		snprintf(text, size, "%s in all", total);
}

static void where_text(const struct interviewer *v, char *text, size_t size)
{
	if (interviewer_in_summary(v)) {
		snprintf(text, size, "Summary");
		return;
	}
	const struct interviewer_stop *s = &v->stops[v->at];
	if (is_interview(v))
		snprintf(text, size, "%d of %d %s", (int)s->phase + 1, (int)N_INTERVIEW_PHASES,
			v->session.plan[s->phase].name);
	else
		snprintf(text, size, "Problem %zu of %zu", v->at + 1, v->n_stops);
}

static bool was_skipped(const struct app *app, unsigned phase)
{
	const struct interviewer *v = interviewer_seen(app);
	return phase < v->session.phase &&
	       interviewer_phase_ms(v, (enum phase)phase, app->now_ms) < 1000;
}

/* To the second where a clock runs beside it. */
static void planned_text(
	const struct interviewer_times *t, unsigned phase, bool here, char *buf, size_t size)
{
	if (here)
		drill_clock_text(t->planned_ms[phase], buf, size);
	else
		interviewer_planned_text(t->planned_ms[phase], buf, size);
}

/* At a case: "Clarify 5 min  Estimate -  ▸Design 7:20  Twist 12:46": before the phase that is on, minutes that were used
 * or a dash where it was skipped; from it on, what is planned. */
static void draw_case_strip(const struct app *app, const struct pane *p, int row)
{
	enum { MINUTE_MS = 60000 };
	const struct interviewer *v = interviewer_seen(app);
	const struct interviewer_times times = interviewer_times(v, app->now_ms);
	int col = 0;
	for (unsigned i = 0; i < N_INTERVIEW_PHASES; i++) {
		const bool here = i == v->session.phase;
		const int64_t used_ms = interviewer_phase_ms(v, (enum phase)i, app->now_ms);
		char time[32] = "-", text[96];
		if (i >= v->session.phase)
			planned_text(&times, i, here, time, sizeof time);
		else if (!was_skipped(app, i))
			snprintf(time, sizeof time, "%ld min",
				(long)((used_ms + MINUTE_MS / 2) / MINUTE_MS));
		snprintf(text, sizeof text, "%s%s %s%s", here ? "▸" : "", v->session.plan[i].name,
			time, i == their_phase(v) ? " (candidate)" : "");
		col += pane_text(p, row, col, -1, text, here ? STYLE_ACCENT : STYLE_DIM,
			       here ? ATTR_BOLD : 0) +
		       2;
	}
}

/* "minutes: Clarify 4  ▸Estimate 7  Design 8": those used of what is over, else those planned. */
static void draw_phase_strip(const struct app *app, const struct pane *p, int row)
{
	enum { MINUTE_MS = 60000 };
	const struct interviewer *v = interviewer_seen(app);
	const struct interviewer_times times = interviewer_times(v, app->now_ms);
	if (v->at_case) {
		draw_case_strip(app, p, row);
		return;
	}
	int col = pane_text(p, row, 0, -1, "minutes  ", STYLE_DIM, 0);
	for (unsigned i = 0; i < N_INTERVIEW_PHASES; i++) {
		char text[96];
		const bool here = i == v->session.phase, over = i < v->session.phase;
		const char *name = v->session.plan[i].name;
		const int64_t used_ms = interviewer_phase_ms(v, (enum phase)i, app->now_ms);
		snprintf(text, sizeof text, "%s%s %ld", here ? "▸" : "", name,
			over ? (long)(used_ms / MINUTE_MS) : times.minutes[i]);
		col += pane_text(p, row, col, -1, text, here ? STYLE_ACCENT : STYLE_DIM,
			       here ? ATTR_BOLD : 0) +
		       2;
	}
}

/* What was heard last at this stop. */
static bool heard_text(const struct interviewer *v, char *text, size_t size)
{
	const struct interviewer_heard *h = interviewer_last_heard(v, v->at);
	char verdict[160], at[32], part[8] = "";
	if (!h)
		return false;
	if (v->stops[v->at].item->variant.n_steps > 1)
		snprintf(part, sizeof part, "%c) ", 'a' + (int)h->part);
	snprintf(text, size, "heard: %s%.48s  %s at %s", part, h->text,
		interviewer_heard_verdict(h, verdict, sizeof verdict),
		drill_clock_text(h->at_ms, at, sizeof at));
	return true;
}

/* What the candidate did last, on this problem or another. False when nothing is known. */
static bool candidate_text(const struct app *app, char *text, size_t size)
{
	const struct interviewer *v = interviewer_seen(app);
	if (v->at_case) /* it has rows of its own */
		return false;
	if (heard_text(v, text, size))
		return true;
	size_t latest = interviewer_candidate_at(v), stop = v->at;
	const struct history_event *e = interviewer_last_event(v, stop);
	if (!e) {
		stop = latest;
		e = interviewer_last_event(v, stop);
		if (!e)
			return false;
	}
	char verdict[160], at[32], part[8], of[48] = "", said[240] = "";
	bool answer = e->kind == HISTORY_ANSWER;
	if (stop != v->at)
		snprintf(of, sizeof of, " problem %zu",
			(size_t)(v->stops[stop].item - v->session.items) + 1);
	interviewer_verdict(e, verdict, sizeof verdict);
	if (answer)
		snprintf(said, sizeof said, ": %s%.48s  %s",
			interviewer_part(v, stop, e, part, sizeof part), e->given, verdict);
	const char *then =
		!interviewer_closed(v, stop) || stop != v->at ? ""
		: stop + 1 < v->n_stops && v->stops[stop + 1].phase == v->stops[stop].phase
			? "; n goes on"
			: "; ] goes on";
	snprintf(text, size, "candidate %s%s%s at %s%s", answer ? "answered" : verdict, of, said,
		drill_clock_text(v->subjects[stop].answered_ms, at, sizeof at), then);
	return true;
}

static enum style candidate_style(const struct interviewer *v)
{
	const struct interviewer_heard *h = interviewer_last_heard(v, v->at);
	const struct history_event *e = interviewer_last_event(v, v->at);
	if (h)
		return h->grade.verdict == VERDICT_CORRECT ? STYLE_GOOD : STYLE_WARN;
	return !e                                                           ? STYLE_DIM
	       : e->kind == HISTORY_ANSWER && e->verdict == VERDICT_CORRECT ? STYLE_GOOD
									    : STYLE_WARN;
}

static void mark_text(const struct interviewer *v, char *text, size_t size)
{
	unsigned mark = v->subjects[v->at].mark;
	if (mark)
		snprintf(text, size, "mark %u %s", mark, mark_words[mark]);
	else
		snprintf(text, size, "%s", mark_words[0]);
}

/* Behind the mark: what was heard or done last, and of a case what the phase has come to. */
static void draw_strip_end(const struct app *app, const struct pane *p, int row, int col)
{
	const struct interviewer *v = interviewer_seen(app);
	char text[400], count[80] = "";
	if (interviewer_in_summary(v)) {
		pane_fit(p, row, col, -1,
			"1 to 4 mark the whole, p goes back, q leaves and prints this",
			STYLE_ACCENT, 0);
		return;
	}
	if (v->at_case)
		interviewer_case_count(v->at_case, v->stops[v->at].phase, count, sizeof count);
	const int room = p->r.cols - col - (*count ? text_width(count) + 2 : 0);
	if (candidate_text(app, text, sizeof text))
		pane_fit(p, row, col, room, text, candidate_style(v), 0);
	else if (!v->subjects[v->at].mark)
		pane_fit(p, row, col, room, "1 to 4 mark it", STYLE_DIM, 0);
	pane_fit_right(p, row, col, p->r.cols - col, count, STYLE_DIM, 0);
}

static void draw_strip(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct interviewer *v = interviewer_seen(app);
	struct pane p = pane_of(cv, r);
	char text[400];
	where_text(v, text, sizeof text);
	int col = pane_text(&p, 0, 0, -1, text, STYLE_PLAIN, ATTR_BOLD) + 3;
	enum style state = state_text(app, text, sizeof text);
	col += pane_text(&p, 0, col, -1, text, state, state_attr(app)) + 2;
	total_text(app, text, sizeof text);
	pane_fit_right(&p, 0, col, r.cols - col, text, STYLE_DIM, 0);
	if (has_minutes(v))
		draw_phase_strip(app, &p, 1);
	int row = has_minutes(v) ? 2 : 1;
	const int told = told_rows(v, r.cols);
	draw_told(v, cv, (struct rect){ r.row + row + 1, r.col, told, r.cols });
	mark_text(v, text, sizeof text);
	col = pane_text(
		      &p, row, 0, -1, text, v->subjects[v->at].mark ? STYLE_PLAIN : STYLE_DIM, 0) +
	      3;
	draw_strip_end(app, &p, row, col);
	canvas_rule(cv, r.row + row + 1 + told, r.col, r.cols, STYLE_DIM);
}

/* The marks of a phase: that of a talk in words, those of problems as digits, such as "3 - 4". */
static void draw_marks(const struct interviewer *v, const struct pane *p, int row, enum phase phase)
{
	int col = 32;
	for (size_t i = 0; i < v->n_stops; i++) {
		unsigned mark = v->subjects[i].mark;
		char number[2] = { mark ? (char)('0' + mark) : '-', '\0' };
		const char *word = mark ? mark_words[mark] : "";
		if (v->stops[i].phase == phase)
			col += pane_fit(p, row, col, -1, v->stops[i].item ? number : word,
				       STYLE_PLAIN, 0) +
			       1;
	}
}

static int draw_plan(const struct app *app, const struct pane *p, int row)
{
	const struct interviewer *v = interviewer_seen(app);
	const struct interviewer_times times = interviewer_times(v, app->now_ms);
	pane_text(p, row++, 0, -1, "  phase       planned    used   mark", STYLE_DIM, 0);
	for (unsigned i = 0; i < N_INTERVIEW_PHASES; i++, row++) {
		const struct interview_phase *phase = &v->session.plan[i];
		bool here = i == v->session.phase;
		enum style style = here ? STYLE_ACCENT : STYLE_PLAIN;
		char time[32];
		pane_text(p, row, 0, -1, here ? "▸" : "", style, 0);
		pane_text(p, row, 2, -1, phase->name, style, here ? ATTR_BOLD : 0);
		/* What is past left its time to the others: with what was used these are the whole. */
		planned_text(&times, i, here, time, sizeof time);
		if (!v->at_case || i >= v->session.phase)
			pane_fit_right(p, row, 12, 9, time, STYLE_DIM, 0);
		drill_clock_text(
			interviewer_phase_ms(v, (enum phase)i, app->now_ms), time, sizeof time);
		pane_fit_right(p, row, 22, 7, was_skipped(app, i) ? "skipped" : time,
			was_skipped(app, i) ? STYLE_DIM : style, 0);
		draw_marks(v, p, row, (enum phase)i);
	}
	return row + 1;
}

static void draw_scale(const struct interviewer *v, const struct pane *p, int row)
{
	int col = 0;
	for (unsigned m = 1; m <= MOST_MARK; m++) {
		char text[32];
		bool is = v->subjects[v->at].mark == m;
		snprintf(text, sizeof text, is ? "[%u %s]" : "%u %s", m, mark_words[m]);
		col += pane_text(p, row, col, -1, text, is ? STYLE_ACCENT : STYLE_DIM,
			       is ? ATTR_BOLD : 0) +
		       2;
	}
}

/* Beside the guide: clock, plan, mark, the candidate, notes. */
static void draw_side(
	const struct app *app, struct canvas *cv, struct rect r, struct case_room room)
{
	const struct interviewer *v = interviewer_seen(app);
	struct pane p = pane_of(cv, r);
	char text[400];
	int row = 0;
	where_text(v, text, sizeof text);
	pane_text(&p, row++, 0, -1, text, STYLE_PLAIN, ATTR_BOLD);
	enum style state = state_text(app, text, sizeof text);
	const struct rect large = { r.row + row + 1, r.col, clock_rows(cv->glyphs), r.cols };
	if (r.rows >= LARGE_FROM && clock_draw(cv, large, text, state))
		row += large.rows + 2;
	else
		pane_text(&p, row++, 0, -1, text, state, state_attr(app));
	total_text(app, text, sizeof text);
	pane_text(&p, row++, 0, -1, text, STYLE_PLAIN, 0);
	if (their_phase(v) < N_INTERVIEW_PHASES && !interviewer_in_summary(v)) {
		snprintf(text, sizeof text, "The candidate is in %s.",
			v->session.plan[their_phase(v)].name);
		pane_text(&p, row++, 0, -1, text, STYLE_WARN, 0);
	}
	row++;
	/* The summary has the phases itself. */
	if (is_interview(v) && !interviewer_in_summary(v))
		row = draw_plan(app, &p, row);
	/* At a case the levels themselves stand below. */
	if (!v->at_case || interviewer_in_summary(v)) {
		draw_scale(v, &p, row);
		row += 2;
	}
	if (interviewer_in_summary(v)) {
		paragraph_draw(cv, pane_part(&p, (struct rect){ row, 0, 3, r.cols }).r,
			"1 to 4 mark the whole, e notes to it. p goes back, q leaves and prints "
			"this.",
			STYLE_ACCENT, 0);
		return;
	}
	/* At a case it stands whole below. */
	if (!v->at_case && candidate_text(app, text, sizeof text))
		row += 1 + paragraph_draw(cv, pane_part(&p, (struct rect){ row, 0, 4, r.cols }).r,
				   text, candidate_style(v), 0);
	struct page notes;
	room.cols = r.cols;
	if (interviewer_page(&notes, v, PART_SIDE, app->now_ms, room, cv->glyphs == GLYPHS_ASCII) ==
		0) {
		struct rect at = pane_part(&p, (struct rect){ row, 0, r.rows - row, r.cols }).r;
		page_draw(cv, at, &notes, 0, NULL, -1, -1);
	}
	page_release(&notes);
}

static void draw_guide(const struct app *app, struct canvas *cv, struct rect body)
{
	const struct interviewer *v = interviewer_seen(app);
	struct rect r = interviewer_guide_rect(v, body);
	struct page p;
	if (interviewer_page(&p, v, interviewer_guide_part(body), app->now_ms,
		    interviewer_room(v, body), cv->glyphs == GLYPHS_ASCII) == 0) {
		/* The mark has a row of its own: over the text it would cut words. */
		const bool more = (long)p.n_lines - v->scroll > r.rows && r.rows > 0;
		page_draw(cv, (struct rect){ r.row, r.col, r.rows - more, r.cols }, &p,
			(size_t)v->scroll, NULL, -1, -1);
		if (more)
			canvas_text_right(
				cv, r.row + r.rows - 1, r.col, r.cols, " ↓ more", STYLE_ACCENT, 0);
	}
	page_release(&p);
}

void interviewer_view_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct interviewer *v = interviewer_seen(app);
	if (v->shows_code) {
		interviewer_code_draw(v, cv, text_column(r, CODE_MEASURE));
		return;
	}
	draw_guide(app, cv, r);
	if (!is_wide(r)) {
		draw_strip(app, cv, r);
		return;
	}
	int col = r.col + r.cols - SIDE;
	canvas_bar(cv, r.row, col - 2, r.rows, STYLE_DIM);
	draw_side(app, cv, (struct rect){ r.row, col, r.rows, SIDE }, interviewer_room(v, r));
}
