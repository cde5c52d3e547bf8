#include "ui/screens/case/case_choose.h"

#include "sims/base/array.h"
#include "sims/base/capital.h"
#include "sims/base/minmax.h"
#include "ui/practice/drill_summary.h"
#include "ui/practice/sheet.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- Reading --- */

static void count_for(const struct design_case *c, enum case_level level, struct case_choice *o)
{
	o->minutes[level] = case_level_minutes(c, level);
	for (int i = 0; i < N_CASE_PHASES; i++)
		o->in_phase[level][i] = case_level_phase_minutes(c, level, (enum case_phase)i);
	for (size_t i = 0; i < c->n_twists; i++)
		o->twists[level] += c->twists[i].level <= level;
	for (size_t i = 0; i < CASE_FOLLOW_UPS; i++)
		o->deeper[level] += c->follow_ups[i].level <= level;
}

static void read_case(const struct tables *t, const struct case_info *info, struct case_choice *o)
{
	struct design_case c;
	char unused[500];
	const bool read = case_load(&c, t, info->id, unused, sizeof unused) == 0;
	for (int i = 0; read && i < N_CASE_LEVELS; i++)
		if (info->levels >> i & 1)
			count_for(&c, (enum case_level)i, o);
	for (size_t i = 0; read && i < c.n_facts; i++)
		o->must += c.facts[i].must;
	if (read) {
		o->sim = c.sim->title;
		o->numbers = c.drill.n_steps;
		o->knobs = c.n_knobs;
		o->goals = c.n_goals;
	}
	case_release(&c);
}

static void read_left(const struct app *app, const struct case_info *info, struct case_choice *o)
{
	struct case_head head;
	char name[CASE_RECORD_NAME_SIZE];
	const struct case_dealing alone = { .held = false };
	char *record =
		app->load_case ? case_file_find(app->load_case, info->id, &alone, name) : NULL;
	o->sat = app->load_case && case_file_day(info->id) >= 0;
	o->left_ms =
		record && case_head_read(record, &head) && case_goes_on(&head) ? head.clock_ms : -1;
	free(record);
}

void case_choose_release(struct case_view *v)
{
	if (v->choices)
		case_list_release(&v->list);
	free(v->choices);
	v->choices = NULL;
}

/* What the list could not use, its first line. */
static int load_list(struct app *app, struct case_list *l)
{
	char *said = NULL;
	size_t size;
	FILE *f = open_memstream(&said, &size);
	int rc = f ? case_list_load(l, f) : -1;
	if (f)
		fclose(f);
	if (rc == 0 && said && *said)
		app_say(app, "left out: %.*s", (int)strcspn(said, "\n"), said);
	free(said);
	return rc;
}

/* By subject, and in it by title: ids are seen nowhere. */
static int by_area(const void *a, const void *b)
{
	const struct case_info *x = a, *y = b;
	const int areas = strcmp(x->area, y->area);
	return areas ? areas : strcasecmp(x->title, y->title);
}

int case_choose_load(struct app *app, char *err, size_t err_size)
{
	struct case_view *v = case_of(app);
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return -1;
	}
	case_choose_release(v);
	app_forget_cases(app); /* what is new in this list is found elsewhere, too */
	snprintf(err, err_size, "out of memory");
	if (load_list(app, &v->list))
		return -1;
	if (v->list.n)
		qsort(v->list.cases, v->list.n, sizeof *v->list.cases, by_area);
	v->choices = calloc(v->list.n + 1, sizeof *v->choices);
	if (!v->choices) {
		case_list_release(&v->list);
		return -1;
	}
	for (size_t i = 0; i < v->list.n; i++) {
		read_case(t, &v->list.cases[i], &v->choices[i]);
		read_left(app, &v->list.cases[i], &v->choices[i]);
	}
	if (v->row >= v->list.n)
		v->row = 0;
	/* Whoever left one wants it first. */
	size_t left = 0;
	while (left < v->list.n && v->choices[left].left_ms < 0)
		left++;
	if (v->row == 0 && left < v->list.n)
		v->row = left;
	return 0;
}

/* --- Where things stand --- */

enum {
	LEFT = 20,
	MEASURE = 78,
	BESIDE_FROM = 96,
	ROOMY_FROM = 140, /* columns with room for a wide detail */
	DETAIL = 44,
	ROOMY_DETAIL = 64,
	GAP = 4
};

static int title_cols(const struct case_list *l)
{
	int most = 0;
	for (size_t i = 0; i < l->n; i++)
		most = max_int(most, text_width(l->cases[i].title));
	return most;
}

/* A subject stands above its cases, and apart from those before it where there is room. */
static bool begins_subject(const struct case_list *l, size_t i)
{
	return i == 0 || strcmp(l->cases[i].area, l->cases[i - 1].area) != 0;
}

static int subjects(const struct case_list *l)
{
	int n = 0;
	for (size_t i = 0; i < l->n; i++)
		n += begins_subject(l, i);
	return n;
}

/* The line of a case among all lines of the list, from 0. */
static int line_of(const struct case_list *l, bool apart, size_t of)
{
	int line = 0;
	for (size_t i = 0; i <= of && i < l->n; i++) {
		if (begins_subject(l, i))
			line += 1 + (apart && i > 0);
		line += i < of;
	}
	return line;
}

struct places {
	struct rect list, detail; /* detail: no rows where it has no room */
	int top, lead; /* where the text above the level's row begins; its rows, 0: none */
	int level;     /* the row of the level */
	int first;     /* the line of the list that stands on top */
	bool apart, beside, more;
};

static struct places place(const struct case_view *v, struct rect body)
{
	enum { UNDER = 5, LEAST_LIST = 8 };
	const bool beside = body.cols >= BESIDE_FROM;
	const int detail = body.cols >= ROOMY_FROM ? ROOMY_DETAIL : DETAIL;
	const struct rect all = beside ? body : text_column(body, MEASURE);
	const bool roomy = all.rows >= 16;
	struct places p = { .beside = beside, .lead = roomy };
	enum { AIRY = 40 };
	p.top = all.row + (all.rows >= AIRY);
	p.level = roomy ? p.top + p.lead + 1 : all.row;
	const int top = p.level + 2, rows = max_int(1, body.row + body.rows - top);
	const int n = (int)v->list.n + subjects(&v->list);
	p.list = (struct rect){ top, all.col, rows, all.cols };
	if (beside) {
		p.list.cols = all.cols - detail - GAP;
		p.detail = (struct rect){ top, all.col + p.list.cols + GAP, rows, detail };
	} else if (rows - UNDER >= LEAST_LIST) {
		p.list.rows = rows - UNDER;
		p.detail = (struct rect){ top + p.list.rows + 1, all.col, UNDER - 1, all.cols };
	}
	p.apart = p.list.rows >= n + subjects(&v->list) - 1;
	/* What says that there are more has a row of its own: over a title it would cut it. */
	p.more = p.list.rows < n && p.list.rows > 1;
	p.list.rows -= p.more;
	/* The row in focus stays in sight, with its subject if it is the first. */
	const int at = line_of(&v->list, p.apart, v->row), last = at - p.list.rows + 1;
	p.first = max_int(0, last);
	return p;
}

/* --- Drawing --- */

static const char *subject_text(const char *area)
{
	for (size_t i = 0; case_area_names[i]; i++)
		if (strcmp(case_area_names[i], area) == 0)
			return case_area_subjects[i];
	return "";
}

static void draw_subject(const struct pane *p, int row, const char *area)
{
	char name[40];
	snprintf(name, sizeof name, "%s", area);
	const int col = pane_text(p, row, 0, -1, capital_first(name), STYLE_PLAIN, ATTR_BOLD);
	pane_clause(p, row, col + 2, p->r.cols - col - 2, subject_text(area), STYLE_DIM, 0);
}

/* The minutes of its work, and a tick where it was sat, or where it was left. */
static const char *state_text(const struct case_view *v, size_t row, char *buf, size_t size)
{
	const struct case_choice *o = &v->choices[row];
	const double minutes = o->minutes[case_choice_level(v, row)];
	char time[32];
	if (o->left_ms >= 0)
		snprintf(buf, size, "left at %s", drill_clock_text(o->left_ms, time, sizeof time));
	else if (!o->sim)
		snprintf(buf, size, "cannot be read");
	else
		snprintf(buf, size, "%s%.0f min", o->sat ? "✓ sat, " : "", minutes);
	return buf;
}

/* How many were sat, and the one to begin with: the first that was not. */
static char *headline_text(const struct case_view *v, char *buf, size_t size)
{
	size_t sat = 0, next = v->list.n, left = v->list.n;
	for (size_t i = v->list.n; i-- > 0;) {
		sat += v->choices[i].sat;
		if (!v->choices[i].sat && v->choices[i].sim)
			next = i;
		if (v->choices[i].left_ms >= 0)
			left = i;
	}
	int used = snprintf(buf, size, "%zu design cases, ", v->list.n);
	used += snprintf(buf + used, size - (size_t)used, sat ? "%zu sat." : "none sat yet.", sat);
	if (left < v->list.n)
		snprintf(buf + used, size - (size_t)used, " Go on with: %s",
			v->list.cases[left].title);
	else if (next < v->list.n)
		snprintf(buf + used, size - (size_t)used, " %s: %s, %.0f min",
			sat ? "Next" : "Start", v->list.cases[next].title,
			v->choices[next].minutes[case_choice_level(v, next)]);
	return buf;
}

/* Its title, and where there is room what judges it. */
static void draw_case(const struct case_view *v, const struct pane *p, int row, size_t i)
{
	enum { INDENT = 2 };
	const struct case_info *info = &v->list.cases[i];
	const struct case_choice *o = &v->choices[i];
	const bool focus = i == v->row;
	char state[64];
	state_text(v, i, state, sizeof state);
	const int titles = title_cols(&v->list), room = p->r.cols - INDENT - text_width(state) - 1;
	pane_text(p, row, 0, 1, focus ? "▸" : "", STYLE_ACCENT, ATTR_BOLD);
	pane_words(p, row, INDENT, room, info->title, focus ? STYLE_ACCENT : STYLE_PLAIN,
		focus ? ATTR_BOLD : 0);
	pane_fit_right(p, row, p->r.cols - LEFT, LEFT, state,
		o->left_ms >= 0 ? STYLE_WARN
		: o->sat        ? STYLE_GOOD
				: STYLE_DIM,
		0);
	if (o->sim && !case_hides_sim(info->area) && room - titles > LEFT)
		pane_clause(p, row, INDENT + titles + 2, room - titles - 2, o->sim, STYLE_DIM, 0);
}

static void draw_list(const struct case_view *v, const struct places *at, struct canvas *cv)
{
	struct pane p = pane_of(cv, at->list);
	int line = -at->first;
	for (size_t i = 0; i < v->list.n && line < at->list.rows; i++) {
		if (begins_subject(&v->list, i)) {
			line += at->apart && i > 0;
			/* A subject alone, with the mark under it, names nothing. */
			if (line >= 0 && line + at->more < at->list.rows)
				draw_subject(&p, line, v->list.cases[i].area);
			line++;
		}
		if (line >= 0 && line < at->list.rows)
			draw_case(v, &p, line, i);
		line++;
	}
	size_t below = 0;
	for (size_t i = 0; i < v->list.n; i++)
		below += line_of(&v->list, at->apart, i) >= at->first + at->list.rows;
	char more[40];
	snprintf(more, sizeof more, "↓ %zu more: PgDn", below);
	if (at->more && below)
		canvas_text(cv, at->list.row + at->list.rows, at->list.col + 2, at->list.cols - 2,
			more, STYLE_ACCENT, 0);
}

/* Of list and detail together. */
static int all_cols(const struct places *at)
{
	return at->list.cols + (at->beside ? GAP + at->detail.cols : 0);
}

static void draw_level(const struct case_view *v, const struct places *at, struct canvas *cv)
{
	struct pane p = pane_of(cv, (struct rect){ at->level, at->list.col, 1, all_cols(at) });
	int col = pane_text(&p, 0, 0, -1, "level  ", STYLE_DIM, 0);
	for (int i = 0; i < N_CASE_LEVELS; i++) {
		const bool is = i == (int)v->level;
		char text[40];
		snprintf(text, sizeof text, is ? "[%s]" : " %s ", case_level_names[i]);
		col += pane_text(
			&p, 0, col, -1, text, is ? STYLE_ACCENT : STYLE_DIM, is ? ATTR_BOLD : 0);
	}
	pane_clause(&p, 0, col + 2, p.r.cols - col - 2,
		"higher levels: more twists, deeper questions", STYLE_DIM, 0);
}

/* "3 numbers to estimate", in a list. */
static void count(
	char *text, size_t size, const char *between, size_t n, const char *one, const char *many)
{
	const size_t used = strlen(text);
	if (n)
		snprintf(text + used, size - used, "%s%zu %s", used ? between : "", n,
			n == 1 ? one : many);
}

/* Nothing that the interviewer says (ui/practice/case_first.h). */
static const char *kind_text(const struct case_info *info, char *buf, size_t size)
{
	snprintf(buf, size, "A case of %s: %s.", info->area, subject_text(info->area));
	return buf;
}

static const char *judge_text(
	const struct case_info *info, const struct case_choice *o, char *buf, size_t size)
{
	if (case_hides_sim(info->area))
		return "Judged by a simulation; which one, you find out.";
	snprintf(buf, size, "Judged by the simulation %s.", o->sim);
	return buf;
}

static const char *next_text(const struct case_choice *o)
{
	return o->left_ms >= 0 ? "Enter goes on with it; a begins anew."
	       : o->sat        ? "Enter begins it again, with other numbers."
			       : "The clock starts when you do.";
}

/* What is done in each phase, and how many minutes of work that is. */
static void write_phases(const struct case_choice *o, enum case_level level, struct sheet *s)
{
	enum { MINUTES_END = 16, DOES = 19 };
	static const char *const does[N_CASE_PHASES] = { [CASE_CLARIFY] =
								 "ask for what is not said",
		[CASE_ESTIMATE] = "numbers by hand",
		[CASE_DESIGN] = "set knobs, see it run",
		[CASE_TWIST] = "mend what a change breaks",
		[CASE_WRAP_UP] = "sum up, go deeper" };
	for (int i = 0; i < N_CASE_PHASES; i++) {
		const int row = sheet_rows(s, 1);
		char minutes[32];
		snprintf(minutes, sizeof minutes, "%.3g min", o->in_phase[level][i]);
		canvas_text(&s->cv, row, 0, s->cv.cols, case_phase_names[i], STYLE_PLAIN, 0);
		canvas_text_right(&s->cv, row, 0, MINUTES_END, minutes, STYLE_DIM, 0);
		canvas_text(&s->cv, row, DOES, s->cv.cols - DOES, does[i], STYLE_DIM, 0);
	}
}

/* What there is to do in it, in two columns. */
static void write_counts(const struct case_choice *o, enum case_level level, struct sheet *s)
{
	const struct {
		size_t n;
		const char *one, *many;
	} counts[] = { { o->must, "fact that decides", "facts that decide" },
		{ o->numbers, "number to estimate", "numbers to estimate" },
		{ o->knobs, "knob to set", "knobs to set" },
		{ o->goals, "goal to meet", "goals to meet" },
		{ o->twists[level], "twist", "twists" },
		{ o->deeper[level], "deeper question", "deeper questions" } };
	int row = 0, col = 0;
	for (size_t i = 0; i < LENGTH(counts); i++) {
		char text[60] = "";
		count(text, sizeof text, "", counts[i].n, counts[i].one, counts[i].many);
		if (!*text)
			continue;
		row = col ? row : sheet_rows(s, 1);
		canvas_text(&s->cv, row, col, s->cv.cols - col, text, STYLE_PLAIN, 0);
		col = col ? 0 : s->cv.cols / 2;
	}
}

static void write_detail(const struct case_view *v, struct sheet *s)
{
	const struct case_info *info = &v->list.cases[v->row];
	const struct case_choice *o = &v->choices[v->row];
	const enum case_level level = case_choice_level(v, v->row);
	char text[400];
	sheet_text(s, 0, 0, info->title, STYLE_ACCENT, ATTR_BOLD);
	if (!o->sim)
		return;
	sheet_gap(s);
	sheet_text(s, 0, 0, kind_text(info, text, sizeof text), STYLE_PLAIN, 0);
	sheet_text(s, 0, 0, judge_text(info, o, text, sizeof text), STYLE_PLAIN, 0);
	sheet_gap(s);
	write_counts(o, level, s);
	sheet_gap(s);
	snprintf(text, sizeof text, "%.0f min of work on a clock of %d. %s", o->minutes[level],
		CASE_MINUTES, next_text(o));
	sheet_text(s, 0, 0, text, STYLE_PLAIN, 0);
	sheet_gap(s);
	write_phases(o, level, s);
}

/* The same in a few rows. */
static void write_brief(const struct case_view *v, struct sheet *s)
{
	const struct case_info *info = &v->list.cases[v->row];
	const struct case_choice *o = &v->choices[v->row];
	const enum case_level level = case_choice_level(v, v->row);
	static const char dot[] = " · ";
	char text[240];
	if (!o->sim)
		return;
	sheet_text(s, 0, 0, kind_text(info, text, sizeof text), STYLE_PLAIN, 0);
	sheet_text(s, 0, 0, judge_text(info, o, text, sizeof text), STYLE_DIM, 0);
	if (o->left_ms >= 0 || o->sat)
		sheet_text(s, 0, 0, next_text(o), STYLE_ACCENT, 0);
	*text = '\0';
	count(text, sizeof text, dot, o->must, "fact decides", "facts decide");
	count(text, sizeof text, dot, o->numbers, "number", "numbers");
	count(text, sizeof text, dot, o->knobs, "knob", "knobs");
	count(text, sizeof text, dot, o->goals, "goal", "goals");
	const size_t used = strlen(text);
	snprintf(text + used, sizeof text - used, "%s%.0f min of work", dot, o->minutes[level]);
	sheet_text(s, 0, 0, text, STYLE_DIM, 0);
}

static void draw_detail(const struct case_view *v, const struct places *at, struct canvas *cv)
{
	const struct rect r = at->detail;
	struct sheet s;
	if (r.rows <= 0 || v->row >= v->list.n)
		return;
	if (at->beside)
		canvas_bar(cv, r.row, r.col - 2, r.rows, STYLE_DIM);
	else
		canvas_rule(cv, r.row - 1, r.col, r.cols, STYLE_DIM);
	sheet_init(&s, r.cols, cv->glyphs);
	(at->beside ? write_detail : write_brief)(v, &s);
	sheet_show(&s, cv, r, 0);
	sheet_release(&s);
}

void case_choose_draw(const struct app *app, struct canvas *cv, struct rect body)
{
	const struct case_view *v = case_seen(app);
	const struct places at = place(v, body);
	const int cols = all_cols(&at);
	struct pane p = pane_of(cv, (struct rect){ at.top, at.list.col, at.lead, cols });
	char text[240];
	if (at.lead)
		pane_fit(&p, 0, 0, cols, headline_text(v, text, sizeof text), STYLE_PLAIN,
			ATTR_BOLD);
	draw_level(v, &at, cv);
	if (v->list.n)
		draw_list(v, &at, cv);
	draw_detail(v, &at, cv);
}

int case_choose_at(const struct app *app, struct rect body, int row)
{
	const struct case_view *v = case_seen(app);
	const struct places at = place(v, body);
	const int line = row - at.list.row + at.first;
	if (row < at.list.row || row >= at.list.row + at.list.rows)
		return -1;
	for (size_t i = 0; i < v->list.n; i++)
		if (line_of(&v->list, at.apart, i) == line)
			return (int)i;
	return -1;
}
