#include "ui/screens/case/case_side.h"

#include "drills/case_plan.h"
#include "sims/base/minmax.h"
#include "sims/base/utf8.h"
#include "ui/practice/drill_summary.h"
#include "ui/screens/case/case_desk.h"
#include "ui/term/pane.h"
#include "ui/term/textwrap.h"
#include "ui/views/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(
	struct sheet *s, int row, int col, const char *text, enum style style, unsigned attr)
{
	sheet_words(s, row, col, s->cv.cols - col, text, style, attr);
}

enum { HANG = 2 /* columns before the rows of a text but its first */ };

/* As many of its words as so many rows hold, all but the first of which hang, and an ellipsis where there are more. */
static void put_beginning(struct sheet *s, const char *text, int rows)
{
	enum { ELLIPSIS = 2 };
	const char *rest = text;
	for (int i = 0; i < rows && *rest; i++) {
		const int at = i ? HANG : 0, room = s->cv.cols - at;
		const bool cut = i + 1 == rows && text_cols(rest, s->cv.glyphs) > room;
		struct text_line line;
		char row[400];
		if (!text_wrap(&rest, room - (cut ? ELLIPSIS : 0), s->cv.glyphs, &line))
			return;
		snprintf(row, sizeof row, "%.*s%s", (int)line.bytes, line.start,
			!cut                           ? ""
			: s->cv.glyphs == GLYPHS_ASCII ? " ~"
						       : " …");
		canvas_text(&s->cv, sheet_rows(s, 1), at, room, row, STYLE_PLAIN, 0);
	}
}

static void heading(struct sheet *s, const char *text)
{
	sheet_gap(s);
	put(s, sheet_rows(s, 1), 0, text, STYLE_PLAIN, ATTR_BOLD);
}

/* --- The clock --- */

char *case_phase_text(const struct case_view *v, char *buf, size_t size)
{
	if (v->over)
		snprintf(buf, size, "Ended");
	else
		snprintf(buf, size, "%d of %d %s", (int)v->sitting.phase + 1, (int)N_CASE_PHASES,
			case_phase_names[v->sitting.phase]);
	return buf;
}

char *case_left_text(
	const struct case_view *v, int64_t now_ms, enum style *style, char *buf, size_t size)
{
	enum { MINUTE_MS = CASE_MINUTE_MS, SECOND_MS = 1000 };
	const int64_t clock_ms = case_clock_ms(v, now_ms);
	const struct sitting_plan plan = case_plan_of(&v->sitting, clock_ms);
	const int64_t left_ms = plan.to_ms[v->sitting.phase] - clock_ms;
	char time[32], all[32];
	if (v->over) {
		*style = STYLE_PLAIN;
		snprintf(buf, size, "at %s of %s", drill_clock_text(clock_ms, time, sizeof time),
			drill_clock_text(plan.limit_ms, all, sizeof all));
	} else if (v->paused) {
		*style = STYLE_WARN;
		snprintf(buf, size, "the clock stands");
	} else if (plan.over_ms >= SECOND_MS) {
		*style = STYLE_BAD;
		snprintf(
			buf, size, "over by %s", drill_clock_text(plan.over_ms, time, sizeof time));
	} else {
		*style = left_ms < MINUTE_MS ? STYLE_WARN : STYLE_GOOD;
		snprintf(buf, size, "%s left",
			drill_left_text(plan.to_ms[v->sitting.phase], clock_ms, time, sizeof time));
	}
	return buf;
}

char *case_total_text(const struct case_view *v, int64_t now_ms, char *buf, size_t size)
{
	const int64_t clock_ms = case_clock_ms(v, now_ms);
	char now[32], all[32];
	drill_clock_text(case_plan_of(&v->sitting, clock_ms).limit_ms, all, sizeof all);
	*buf = '\0';
	if (!v->over) /* then it is said already */
		snprintf(buf, size, "%s of %s", drill_clock_text(clock_ms, now, sizeof now), all);
	return buf;
}

/* Less than a second in it is none. */
static bool is_passed_over(const struct sitting_plan *p, int phase)
{
	return p->to_ms[phase] - p->from_ms[phase] < 1000;
}

/* The plan; of one that is over what was used of it, up to where its clock stands. */
static struct sitting_plan plan_of(const struct case_view *v, int64_t clock_ms)
{
	struct sitting_plan p = case_plan_of(&v->sitting, clock_ms);
	for (int i = (int)v->sitting.phase; v->over && i < N_CASE_PHASES; i++)
		p.to_ms[i] = i == (int)v->sitting.phase ? clock_ms : p.from_ms[i];
	return p;
}

/* "▸Estimate to 12:22", "Design 22:00": when a phase ends. */
static char *end_text(
	const struct case_view *v, const struct sitting_plan *plan, int i, char *buf, size_t size)
{
	const int phase = (int)v->sitting.phase;
	const bool none = is_passed_over(plan, i);
	char to[32];
	drill_clock_text(plan->to_ms[i], to, sizeof to);
	snprintf(buf, size, "%s%s%s%s", i == phase ? "▸" : "", case_phase_names[i],
		none         ? ""
		: i == phase ? " to "
			     : " ",
		none ? "" : to);
	return buf;
}

/* All of them in one row, close together where that is narrow. */
static void write_phases_in_a_row(
	const struct case_view *v, const struct sitting_plan *plan, struct sheet *s)
{
	enum { APART = 2 };
	const int phase = (int)v->sitting.phase, row = sheet_rows(s, 1);
	char text[80];
	int col = 0, all = 0;
	for (int i = 0; i < N_CASE_PHASES; i++)
		all += text_width(end_text(v, plan, i, text, sizeof text));
	const int apart = all + APART * (N_CASE_PHASES - 1) > s->cv.cols ? 1 : APART;
	for (int i = 0; i < N_CASE_PHASES; i++) {
		end_text(v, plan, i, text, sizeof text);
		put(s, row, col, text, i == phase ? STYLE_ACCENT : STYLE_DIM,
			i == phase ? ATTR_BOLD : 0);
		col += text_width(text) + apart;
	}
}

char *case_spent_text(const struct case_view *v, int64_t now_ms, char *buf, size_t size)
{
	const struct sitting_plan plan = plan_of(v, case_clock_ms(v, now_ms));
	size_t used = 0;
	for (int i = 0; i < N_CASE_PHASES && used < size; i++) {
		char time[32];
		drill_clock_text(plan.to_ms[i] - plan.from_ms[i], time, sizeof time);
		used += (size_t)snprintf(buf + used, size - used, "%s%s %s", i ? "  " : "",
			case_phase_names[i], is_passed_over(&plan, i) ? "-" : time);
	}
	return buf;
}

/* "your marks: Clarify 3, Design 2, of 4". Returns buf. */
static char *marks_text(const struct case_view *v, char *buf, size_t size)
{
	size_t used = 0;
	for (int i = 0; i < N_CASE_PHASES && used < size; i++)
		if (v->sitting.marks[i])
			used += (size_t)snprintf(buf + used, size - used, "%s%s %u",
				used ? ", " : "your marks: ", case_phase_names[i],
				v->sitting.marks[i]);
	if (used && used < size)
		snprintf(buf + used, size - used, ", of %d", CASE_MARKS);
	else if (!used)
		snprintf(buf, size, "no phase is marked yet");
	return buf;
}

/* What each phase took, and the mark that the candidate gave it. */
static void write_spent(const struct case_view *v, const struct sitting_plan *plan, struct sheet *s)
{
	enum { TIME_ENDS = 17, MARK = 20 };
	sheet_gap(s);
	for (int i = 0; i < N_CASE_PHASES; i++) {
		const unsigned mark = v->sitting.marks[i];
		const int row = sheet_rows(s, 1);
		char time[32], text[64];
		drill_clock_text(plan->to_ms[i] - plan->from_ms[i], time, sizeof time);
		put(s, row, 0, case_phase_names[i], STYLE_PLAIN, 0);
		canvas_text_right(&s->cv, row, 0, TIME_ENDS, is_passed_over(plan, i) ? "-" : time,
			STYLE_PLAIN, 0);
		snprintf(
			text, sizeof text, mark ? "mark %u of %d" : "not marked", mark, CASE_MARKS);
		put(s, row, MARK, text, mark ? STYLE_ACCENT : STYLE_DIM, 0);
	}
}

/* Where a phase lies in the whole time: heavy what is used of it, with a bead where the clock is in the phase that is on,
 * also where that runs over. */
static void draw_span(const struct sitting_plan *plan, int i, int phase, int64_t clock_ms,
	enum style look, struct sheet *s, int row, int col)
{
	enum { LEAST = 8 };
	const int cols = s->cv.cols - col;
	if (cols < LEAST || plan->limit_ms <= 0)
		return;
	const double cell = (double)plan->limit_ms / cols;
	const int from = min_int((int)lround((double)plan->from_ms[i] / cell), cols - 1),
		  to = min_int(max_int(from + 1, (int)lround((double)plan->to_ms[i] / cell)), cols),
		  now = min_int(max_int((int)((double)clock_ms / cell), from), to - 1);
	const bool here = i == phase;
	for (int c = from; c < to; c++)
		canvas_put(&s->cv, row, col + c,
			here && c == now                 ? glyph_or(s->cv.glyphs, 0x25cf, '*')
			: i < phase || (here && c < now) ? glyph_or(s->cv.glyphs, 0x2501, '=')
							 : glyph_or(s->cv.glyphs, 0x2500, '-'),
			look, 0);
}

/* "Estimate  7:20 to 14:40", and where that lies in the whole. */
static void write_phase(const struct case_view *v, const struct sitting_plan *plan, int i,
	int64_t clock_ms, struct sheet *s)
{
	enum { FROM = 14, TO = 22, TIME = 6, SPAN = 30 };
	const int phase = (int)v->sitting.phase;
	const enum style look = i == phase ? STYLE_ACCENT : i < phase ? STYLE_DIM : STYLE_PLAIN;
	const int row = sheet_rows(s, 1);
	char from[32], to[32], text[48];
	put(s, row, 0, i == phase ? "▸" : "", look, 0);
	put(s, row, 2, case_phase_names[i], look, i == phase ? ATTR_BOLD : 0);
	if (is_passed_over(plan, i)) {
		put(s, row, FROM, i < phase ? "passed over" : "none", STYLE_DIM, 0);
		return;
	}
	drill_clock_text(plan->from_ms[i], from, sizeof from);
	canvas_text_right(&s->cv, row, FROM - 1, TIME, from, look, 0);
	drill_clock_text(plan->to_ms[i], to, sizeof to);
	snprintf(text, sizeof text, "to %s", to);
	put(s, row, TO - 2, text, look, 0);
	draw_span(plan, i, phase, clock_ms, look, s, row, SPAN);
}

/* The clock of the phase in large type. */
static bool write_large(const char *words, enum style style, struct sheet *s)
{
	const int rows = clock_rows(s->cv.glyphs), top = s->rows;
	sheet_gap(s);
	const int row = sheet_rows(s, rows);
	if (clock_draw(&s->cv, (struct rect){ row, 0, rows, s->cv.cols }, words, style))
		return true;
	s->rows = top;
	return false;
}

void case_clock_write(const struct case_view *v, bool brief, int64_t now_ms, struct sheet *s)
{
	enum { LARGE_FROM = 60 };
	const struct sitting_plan plan = plan_of(v, case_clock_ms(v, now_ms));
	enum style style;
	char text[200];
	int row = sheet_rows(s, 1);
	put(s, row, 0, case_phase_text(v, text, sizeof text), STYLE_PLAIN, ATTR_BOLD);
	if (v->over) { /* one row says all of it */
		const int col = text_width(text) + 2;
		case_left_text(v, now_ms, &style, text, sizeof text);
		put(s, row, col, text, style, 0);
		if (brief)
			put(s, sheet_rows(s, 1), 0, case_spent_text(v, now_ms, text, sizeof text),
				STYLE_DIM, 0);
		else if (v->talk.debriefed)
			write_spent(v, &plan, s);
		if (brief && v->talk.debriefed)
			put(s, sheet_rows(s, 1), 0, marks_text(v, text, sizeof text), STYLE_DIM, 0);
		return;
	}
	case_total_text(v, now_ms, text, sizeof text);
	canvas_text_right(&s->cv, row, 0, s->cv.cols, text, STYLE_PLAIN, 0);
	case_left_text(v, now_ms, &style, text, sizeof text);
	if (!brief && s->cv.cols >= LARGE_FROM && write_large(text, style, s))
		sheet_gap(s);
	else
		put(s, sheet_rows(s, 1), 0, text, style, ATTR_BOLD);
	if (brief) {
		write_phases_in_a_row(v, &plan, s);
		return;
	}
	sheet_gap(s);
	for (int i = 0; i < N_CASE_PHASES; i++)
		write_phase(v, &plan, i, case_clock_ms(v, now_ms), s);
}

/* --- What is known --- */

const struct case_run *case_verdicts(const struct case_view *v)
{
	/* What was judged before a twist was judged by other limits. */
	if (v->desk.is_judged && v->desk.stage == v->sitting.stage)
		return &v->desk.judged;
	return v->talk.has_run && v->talk.run_stage == v->sitting.stage && !case_desk_differs(v)
		       ? &v->talk.run
		       : NULL;
}

/* Facts that a person tells aloud are not known here. Of numbers the others count that were given, until
 * there are verdicts on them. */
char *case_known_text(const struct case_view *v, char *buf, size_t size)
{
	const struct case_run *r = case_verdicts(v);
	const size_t n = case_facts_told(&v->sitting), numbers = v->sitting.deal.variant.n_steps,
		     given = case_numbers_given(&v->sitting);
	int used = 0;
	if (v->sitting.company == CASE_ALONE)
		used = snprintf(buf, size, "%zu fact%s · %zu of %zu numbers", n, n == 1 ? "" : "s",
			case_numbers_counting(&v->sitting), numbers);
	else if (v->sitting.company == CASE_HELD)
		used = snprintf(buf, size, "%zu of %zu numbers noted", given, numbers);
	else
		used = snprintf(buf, size, "%zu of %zu numbers given, %zu count%s", given, numbers,
			case_numbers_counting(&v->sitting),
			case_numbers_counting(&v->sitting) == 1 ? "s" : "");
	if (r && used > 0 && (size_t)used < size)
		snprintf(buf + used, size - (size_t)used, " · %zu of %zu goals", r->n_met,
			r->n_verdicts);
	return buf;
}

/* In lists, where each name would begin with it. */
static const char *without_the(const char *name)
{
	return strncmp(name, "the ", 4) == 0 ? name + 4 : name;
}

/* One row: the value alone at its end, and as much of the name as there is room for. */
static void write_goal_in_a_row(struct sheet *s, const struct case_verdict *o)
{
	enum { NAME = 2, LEAST = 8 };
	const int row = sheet_rows(s, 1), most = s->cv.cols - NAME - LEAST;
	const int cols = min_int(text_width(o->now), most);
	const struct pane now = pane_of(&s->cv, (struct rect){ 0, 0, s->cv.rows, s->cv.cols });
	pane_fit_right(&now, row, s->cv.cols - cols, cols, o->now, STYLE_PLAIN, ATTR_BOLD);
	pane_words(&now, row, NAME, s->cv.cols - NAME - cols - 2, without_the(o->goal->name),
		STYLE_PLAIN, 0);
}

static void write_goal(struct sheet *s, const struct case_verdict *o, const char *mark,
	enum style style, bool brief)
{
	char text[400];
	const int row = s->rows;
	snprintf(text, sizeof text, "%s: %s", o->goal->name, o->words);
	if (brief)
		write_goal_in_a_row(s, o);
	else
		sheet_text(s, 2, 0, text, STYLE_PLAIN, 0);
	put(s, row, 0, mark, style, ATTR_BOLD);
}

/* Whether a design is whole and may be seen, and the simulation has not said yet what it comes to. */
static bool searches(const struct case_view *v)
{
	return v->sitting.company != CASE_HELD && case_may_run(&v->sitting) &&
	       !case_design_lacks(&v->sitting.deal, &v->desk.design) && !case_verdicts(v);
}

/* The limits as they stand by now, while nothing is known. */
static void write_limits(const struct case_view *v, bool brief, struct sheet *s)
{
	struct case_run limits;
	case_limits(&v->sitting.deal, v->sitting.stage, &limits);
	heading(s, "Goals: searching");
	for (size_t i = 0; i < limits.n_verdicts; i++)
		write_goal(s, &limits.verdicts[i], "?", STYLE_DIM, brief);
	case_run_release(&limits);
}

void case_goals_write(const struct case_view *v, bool brief, struct sheet *s)
{
	const struct case_run *r = case_verdicts(v);
	char text[400];
	if (searches(v)) {
		write_limits(v, brief, s);
		return;
	}
	if (!r && v->talk.debriefed && !v->talk.has_run)
		return; /* the debrief begins with it */
	if (!r) {
		heading(s, "Goals");
		sheet_text(s, 0, 0,
			v->sitting.company == CASE_HELD
				? "Your interviewer sees what a design comes to."
			: v->over && !v->talk.has_run ? "No design was run."
			: v->over                     ? "No design was run after the twist."
			: !case_may_run(&v->sitting)
				? "Not known yet."
				: "They are judged once every knob is decided.",
			STYLE_DIM, 0);
		return;
	}
	snprintf(text, sizeof text, "Goals: %zu of %zu met%s", r->n_met, r->n_verdicts,
		case_desk_differs(v) && v->desk.is_judged ? ", not said yet" : "");
	heading(s, text);
	for (size_t i = 0; i < r->n_verdicts; i++) {
		const struct case_verdict *o = &r->verdicts[i];
		write_goal(s, o, o->met ? "✓" : "✗", o->met ? STYLE_GOOD : STYLE_BAD, brief);
	}
}

/* The first without an answer that counts; where verdicts wait, without any; behind the last: all
 * have one. */
static size_t next_number(const struct case_view *v)
{
	const struct case_sitting *t = &v->sitting;
	size_t i = 0;
	while (i < t->deal.variant.n_steps &&
		(t->company == CASE_HELD ? t->estimates[i].given != NULL
					 : t->estimates[i].best >= ESTIMATE_COUNTS))
		i++;
	return i;
}

void case_numbers_write(const struct case_view *v, bool asks, struct sheet *s)
{
	const char *const words[] = { [ESTIMATE_NONE] = v->over ? "none" : "not yet",
		[ESTIMATE_OFF] = "off",
		[ESTIMATE_COUNTS] = "counts",
		[ESTIMATE_EXACT] = "right" };
	static const enum style styles[] = { [ESTIMATE_NONE] = STYLE_DIM,
		[ESTIMATE_OFF] = STYLE_BAD,
		[ESTIMATE_COUNTS] = STYLE_GOOD,
		[ESTIMATE_EXACT] = STYLE_GOOD };
	enum { GIVEN = 14, VERDICT = 10, ASKS_FROM = 36 };
	const size_t next = next_number(v);
	heading(s, "Numbers to estimate");
	for (size_t i = 0; i < v->sitting.deal.variant.n_steps; i++) {
		const struct case_estimate *e = &v->sitting.estimates[i];
		char text[100], name[CASE_NAME_SIZE];
		int row = sheet_rows(s, 1);
		snprintf(
			text, sizeof text, "%zu %s", i + 1, case_anchor_name(&v->sitting, i, name));
		const bool is_next = i == next && v->sitting.phase == CASE_ESTIMATE && !v->over;
		put(s, row, 0, text, is_next ? STYLE_ACCENT : STYLE_PLAIN, is_next ? ATTR_BOLD : 0);
		const struct pane now =
			pane_of(&s->cv, (struct rect){ 0, 0, s->cv.rows, s->cv.cols });
		const int from = max_int(GIVEN, text_width(text) + 2);
		pane_fit(&now, row, from, s->cv.cols - from - VERDICT - 1, e->given ? e->given : "",
			STYLE_PLAIN, 0);
		canvas_text_right(&s->cv, row, s->cv.cols - VERDICT, VERDICT,
			e->given && e->best == ESTIMATE_NONE ? "noted" : words[e->best],
			styles[e->best], 0);
		if (asks && s->cv.cols >= ASKS_FROM && !is_next && e->best < ESTIMATE_COUNTS)
			sheet_text(s, 2, 0, v->sitting.deal.variant.steps[i].asks, STYLE_DIM, 0);
	}
}

/* Once designs are made, what was estimated is one sentence. */
void case_numbers_write_brief(const struct case_view *v, struct sheet *s)
{
	const struct case_sitting *t = &v->sitting;
	const bool held = t->company == CASE_HELD;
	char text[600], name[CASE_NAME_SIZE];
	size_t n = 0;
	int used = held ? snprintf(text, sizeof text, "%zu of %zu noted", case_numbers_given(t),
				  t->deal.variant.n_steps)
			: snprintf(text, sizeof text, "%zu of %zu right", case_numbers_counting(t),
				  t->deal.variant.n_steps);
	for (size_t i = 0; i < t->deal.variant.n_steps && used < (int)sizeof text; i++)
		if (held ? !t->estimates[i].given : t->estimates[i].best < ESTIMATE_COUNTS)
			used += snprintf(text + used, sizeof text - (size_t)used, "%s%s",
				n++       ? ", "
				: v->over ? "; not right: "
					  : "; open: ",
				case_anchor_name(t, i, name));
	heading(s, "Numbers");
	sheet_text(s, 0, 0, text, STYLE_PLAIN, 0);
}

char *case_next_number(const struct case_view *v, char *buf, size_t size)
{
	const struct case_sitting *t = &v->sitting;
	const size_t i = next_number(v);
	char name[CASE_NAME_SIZE];
	*buf = '\0';
	if (i < t->deal.variant.n_steps)
		snprintf(buf, size, "%zu %s: %s", i + 1, case_anchor_name(t, i, name),
			t->deal.variant.steps[i].asks);
	return buf;
}

/* The first so many bytes of a text that begins in a row and hangs; where it was broken a blank is gone. */
static void dim_name(struct sheet *s, int row, const char *text, size_t bytes)
{
	int col = 0;
	for (const char *at = text, *end = text + bytes; at < end && row < s->rows;) {
		const uint32_t code = utf8_next(&at);
		const struct cell *c =
			col < s->cv.cols ? &s->cv.cells[row * s->cv.cols + col] : NULL;
		const bool last = col + 1 >= s->cv.cols;
		if (c && c->code == code && (code != ' ' || (!last && c[1].code != ' '))) {
			canvas_restyle(&s->cv, (struct rect){ row, col++, 1, 1 }, STYLE_DIM, 0);
		} else if (code == ' ') {
			row++;
			col = HANG;
		} else {
			return;
		}
	}
}

void case_facts_write(const struct case_view *v, int rows, struct sheet *s)
{
	char text[2000];
	heading(s, case_facts_told(&v->sitting)       ? "Told so far"
		   : v->sitting.company != CASE_ALONE ? "Facts: ask for them aloud."
		   : v->over                          ? "No fact was asked for."
		   : v->sitting.phase == CASE_CLARIFY ? "You know nothing yet. Ask."
						      : "No fact was asked for yet");
	if (!case_facts_told(&v->sitting) && v->sitting.company == CASE_ALONE && !v->over &&
		v->sitting.phase > CASE_CLARIFY)
		sheet_text(s, 0, 0, "A question is answered in every phase.", STYLE_DIM, 0);
	for (size_t i = 0; i < v->c.n_facts; i++) {
		if (!v->tells[i])
			continue;
		const char *name = without_the(v->c.facts[i].name);
		snprintf(text, sizeof text, "%s: %s", name, v->tells[i]);
		const int row = s->rows;
		if (rows)
			put_beginning(s, text, rows);
		else
			sheet_text(s, 0, HANG, text, STYLE_PLAIN, 0);
		dim_name(s, row, text, strlen(name) + 1);
	}
}

/* --- The knobs --- */

/* Columns of the longest label. */
static int label_cols(const struct case_view *v)
{
	int most = 0;
	for (size_t i = 0; i < v->c.n_knobs; i++)
		most = max_int(most, text_width(case_knob_name(&v->sitting.deal, &v->c.knobs[i])));
	return most;
}

/* Heavy up to the bead; a thin line without one where nothing is decided yet. */
static void draw_track(
	const struct case_view *v, size_t i, struct sheet *s, int row, int col, int cols)
{
	const struct case_knob *k = &v->c.knobs[i];
	const bool ascii = s->cv.glyphs == GLYPHS_ASCII, focus = v->desk.open && i == v->desk.row;
	const double position = case_knob_position(&v->sitting.deal, k, v->desk.design.v[k->knob]);
	const int at = v->desk.design.given[k->knob] ? (int)lround(position * (cols - 1)) : -1;
	const enum style style = focus ? STYLE_ACCENT : STYLE_PLAIN;
	for (int c = 0; c < cols; c++)
		canvas_put(&s->cv, row, col + c,
			ascii     ? (c == at         ? '*'
					    : c < at ? '='
						     : '-')
			: c == at ? 0x25cf
			: c < at  ? 0x2501
				  : 0x2500,
			c <= at ? style : STYLE_DIM, 0);
}

enum { LABEL = 2, BETWEEN = 2, VALUE = 16, TRACK = 12, LONGEST_TRACK = 24 };

int case_knobs_cols(const struct case_view *v)
{
	return LABEL + label_cols(v) + BETWEEN + VALUE + TRACK;
}

/* Columns of the longest value, so that all tracks are as long. */
static int value_cols(const struct case_view *v)
{
	enum { MARKS = 4 };
	int most = 0;
	for (size_t i = 0; i < v->c.n_knobs; i++) {
		const size_t k = v->c.knobs[i].knob;
		char value[80];
		if (v->desk.design.given[k])
			most = max_int(
				most, text_width(case_knob_format(&v->sitting.deal, &v->c.knobs[i],
					      v->desk.design.v[k], value, sizeof value)));
	}
	return most + MARKS + BETWEEN;
}

/* How choices stand in a row: each with a mark before it, or one in brackets, which takes fewer columns; so many columns
 * between two, in which brackets stand. */
struct choice_look {
	bool marked;
	int gap;
};
enum { CHOICE_MARK = 2 /* columns of it, or of two brackets */ };

/* Columns of all choices of a knob; 0: it has none. */
static int choices_cols(
	const struct case_view *v, const struct case_knob *k, struct choice_look look)
{
	const char *choice;
	int cols = 0;
	for (size_t i = 0; (choice = case_knob_choice(&v->sitting.deal, k, i)); i++)
		cols += text_width(choice) + (i ? look.gap : 0) +
			(look.marked || i == 0 ? CHOICE_MARK : 0);
	return cols;
}

/* The most generous look that a knob's choices have room for in so many columns. False: none has, or it has none. */
static bool choices_fit(const struct case_view *v, const struct case_knob *k, bool marked, int room,
	struct choice_look *look)
{
	for (int gap = 2; gap > 0; gap--) {
		*look = (struct choice_look){ marked, gap };
		const int cols = choices_cols(v, k, *look);
		if (cols && cols <= room)
			return true;
	}
	return false;
}

/* Whether each knob that has choices shows them with marks: all in a list look alike. */
static bool are_marked(const struct case_view *v, int room, enum glyphs glyphs)
{
	struct choice_look look;
	for (size_t i = 0; i < v->c.n_knobs; i++)
		if (case_knob_choice(&v->sitting.deal, &v->c.knobs[i], 0) &&
			!choices_fit(v, &v->c.knobs[i], true, room, &look))
			return false;
	return glyphs != GLYPHS_ASCII;
}

/* "○ bf16 ● fp8 ○ int8" or "bf16 [fp8] int8": none is chosen where nothing is decided yet. */
static void write_choices(const struct case_view *v, const struct case_knob *k,
	struct choice_look look, struct sheet *s, int row, int col)
{
	const bool focus = v->desk.open && k == &v->c.knobs[v->desk.row];
	const int is = v->desk.design.given[k->knob]
			       ? case_knob_choice_of(&v->sitting.deal, k, v->desk.design.v[k->knob])
			       : -1;
	const int before = look.marked ? CHOICE_MARK : 1;
	const char *choice;
	for (int i = 0; (choice = case_knob_choice(&v->sitting.deal, k, (size_t)i)); i++) {
		const enum style style = i != is ? STYLE_DIM : focus ? STYLE_ACCENT : STYLE_PLAIN;
		const int end = col + before + text_width(choice);
		put(s, row, col + before, choice, style, i == is ? ATTR_BOLD : 0);
		if (look.marked) {
			put(s, row, col, i == is ? "●" : "○", style, 0);
		} else if (i == is) {
			put(s, row, col, "[", style, ATTR_BOLD);
			put(s, row, end, "]", style, ATTR_BOLD);
		}
		col = end + look.gap - (look.marked ? 0 : 1);
	}
	static const char open[] = "open";
	if (is >= 0)
		return;
	col -= look.gap;
	if (col + CHOICE_MARK + text_width(open) <= s->cv.cols)
		put(s, row, col + CHOICE_MARK, open, STYLE_WARN, 0);
	else if (col < s->cv.cols)
		put(s, row, s->cv.cols - 1, "?", STYLE_WARN, 0);
}

struct case_columns case_columns(const struct case_view *v, int cols)
{
	int names = label_cols(v);
	for (size_t i = 0; i < v->sitting.deal.variant.n_steps; i++) {
		char name[CASE_NAME_SIZE];
		names = max_int(names, text_width(case_anchor_name(&v->sitting, i, name)));
	}
	const int yours = LABEL + names + BETWEEN;
	return (struct case_columns){ LABEL, yours, yours + (cols - yours) / 2 };
}

/* Of a sitting that is over: beside the candidate's value that of a design which meets the goals.
 * */
static void write_knob_beside(const struct case_view *v, size_t i, struct sheet *s)
{
	const struct dealt_case *d = &v->sitting.deal;
	const struct case_knob *k = &v->c.knobs[i];
	const double good = d->reference[v->sitting.stage].v[k->knob];
	const bool given = v->desk.design.given[k->knob];
	const struct case_columns at = case_columns(v, s->cv.cols);
	const int row = sheet_rows(s, 1);
	char value[80];
	put(s, row, LABEL, case_knob_name(&v->sitting.deal, k), STYLE_PLAIN, 0);
	/* A blank is left before the other one. */
	sheet_words(s, row, at.yours, at.other - 1 - at.yours,
		given ? case_knob_format(d, k, v->desk.design.v[k->knob], value, sizeof value)
		      : "not set",
		given ? STYLE_PLAIN : STYLE_DIM, 0);
	put(s, row, at.other, case_knob_format(d, k, good, value, sizeof value),
		given && v->desk.design.v[k->knob] == good ? STYLE_GOOD : STYLE_ACCENT, 0);
}

static void write_knobs_beside(const struct case_view *v, struct sheet *s)
{
	const struct case_columns at = case_columns(v, s->cv.cols);
	sheet_gap(s);
	const int row = sheet_rows(s, 1);
	put(s, row, at.yours, "yours", STYLE_PLAIN, ATTR_BOLD);
	static const char whole[] = "one that meets the goals";
	put(s, row, at.other, at.other + text_width(whole) <= s->cv.cols ? whole : "meets goals",
		STYLE_PLAIN, ATTR_BOLD);
	for (size_t i = 0; i < v->c.n_knobs; i++)
		write_knob_beside(v, i, s);
}

/* What people call it, its value, and where that stands among those that there are. */
static void write_knob(const struct case_view *v, size_t i, struct sheet *s)
{
	const struct case_knob *k = &v->c.knobs[i];
	const bool focus = v->desk.open && i == v->desk.row;
	const bool given = v->desk.design.given[k->knob];
	const int row = sheet_rows(s, 1);
	char value[80] = "?", text[100];
	if (given)
		case_knob_format(
			&v->sitting.deal, k, v->desk.design.v[k->knob], value, sizeof value);
	put(s, row, 0, focus ? "▸" : "", STYLE_ACCENT, ATTR_BOLD);
	put(s, row, LABEL, case_knob_name(&v->sitting.deal, k), focus ? STYLE_ACCENT : STYLE_PLAIN,
		focus ? ATTR_BOLD : 0);
	snprintf(text, sizeof text, focus ? "‹ %s ›" : "  %s", value);
	const int at = LABEL + label_cols(v) + BETWEEN;
	const int room = s->cv.cols - at - 1;
	struct choice_look look;
	if (choices_fit(v, k, are_marked(v, room, s->cv.glyphs), room, &look)) {
		write_choices(v, k, look, s, row, at + 1);
		return;
	}
	put(s, row, at, text, given ? STYLE_PLAIN : STYLE_DIM, focus ? ATTR_BOLD : 0);
	const int values = value_cols(v), track = at + max_int(values, text_width(text) + BETWEEN);
	if (track + TRACK <= s->cv.cols)
		draw_track(v, i, s, row, track, min_int(LONGEST_TRACK, s->cv.cols - at - values));
}

char *case_design_text(const struct case_view *v, char *buf, size_t size)
{
	*buf = '\0';
	if (!case_design_begun(&v->sitting.deal, &v->desk.design))
		return buf;
	case_design_words(&v->sitting.deal, &v->desk.design, buf, size);
	size_t used = strlen(buf);
	bool open = false;
	for (size_t i = 0; i < v->c.n_knobs && used < size; i++) {
		const struct case_knob *k = &v->c.knobs[i];
		if (v->desk.design.given[k->knob])
			continue;
		used += (size_t)snprintf(buf + used, size - used, "%s %s?", open ? "" : ";",
			case_knob_name(&v->sitting.deal, k));
		open = true;
	}
	return buf;
}

void case_knobs_write(const struct case_view *v, bool goals, struct sheet *s)
{
	const struct case_run *r = goals ? case_verdicts(v) : NULL;
	char text[600], choices[300];
	if (v->talk.debriefed) {
		write_knobs_beside(v, s);
		return;
	}
	snprintf(text, sizeof text,
		r                      ? "Your knobs: %zu of %zu goals met"
		: goals && searches(v) ? "Your knobs: searching"
				       : "Your knobs",
		r ? r->n_met : 0, r ? r->n_verdicts : 0);
	heading(s, text);
	if (v->desk.open && !v->desk.design.given[v->c.knobs[v->desk.row].knob])
		put(s, s->rows - 1, text_width(text) + BETWEEN, "l sets one that is open",
			STYLE_WARN, 0);
	for (size_t i = 0; i < v->c.n_knobs; i++)
		write_knob(v, i, s);
	if (!v->desk.open)
		return;
	const struct case_knob *k = &v->c.knobs[v->desk.row];
	snprintf(text, sizeof text, "%s, %s: %s", case_knob_name(&v->sitting.deal, k), k->ask,
		case_knob_choices(&v->sitting.deal, k, choices, sizeof choices));
	sheet_text(s, 2, 0, text, STYLE_DIM, 0);
}
