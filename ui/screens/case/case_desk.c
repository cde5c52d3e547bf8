#include "ui/screens/case/case_desk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct case_knob *knob_at_row(const struct case_view *v)
{
	return &v->c.knobs[v->desk.row];
}

void case_desk_turn(struct app *app, int n, bool big)
{
	struct case_view *v = case_of(app);
	const struct case_knob *k = knob_at_row(v);
	struct case_design *design = &v->desk.design;
	const struct dealt_case *d = &v->sitting.deal;
	char value[64];
	const double was = design->v[k->knob];
	if (!design->given[k->knob]) {
		design->v[k->knob] = case_knob_first(&v->sitting.deal, k);
		design->given[k->knob] = true;
		return;
	}
	design->v[k->knob] = case_knob_turn(&v->sitting.deal, k, was, n, big);
	if (design->v[k->knob] == was)
		app_say(app, "%s: %s is the last one; %s turns it the other way.",
			case_knob_id(d, k), case_knob_format(d, k, was, value, sizeof value),
			n > 0 ? "h" : "l");
}

void case_desk_follow(struct case_view *v)
{
	v->desk.design = v->sitting.design;
}

static bool differs(const struct case_view *v, size_t knob)
{
	const struct case_design *desk = &v->desk.design, *said = &v->sitting.design;
	return desk->given[knob] && (!said->given[knob] || desk->v[knob] != said->v[knob]);
}

bool case_desk_differs(const struct case_view *v)
{
	for (size_t i = 0; i < v->c.n_knobs; i++)
		if (differs(v, v->c.knobs[i].knob))
			return true;
	return false;
}

char *case_desk_line(const struct case_view *v, char *buf, size_t size)
{
	struct case_design changed = { .v = { 0 } };
	char words[CASE_LINE_SIZE];
	for (size_t i = 0; i < v->c.n_knobs; i++) {
		const size_t knob = v->c.knobs[i].knob;
		changed.v[knob] = v->desk.design.v[knob];
		changed.given[knob] = differs(v, knob);
	}
	snprintf(buf, size, "design %s",
		case_design_words(&v->sitting.deal, &changed, words, sizeof words));
	return buf;
}

/* --- The figure --- */

/* All knobs of the simulation: what was said, and the rest as the case has it by now. */
static struct setting setting_of(const struct case_view *v)
{
	struct setting s = { .v = { 0 } };
	case_knobs(&v->sitting.deal, v->sitting.stage, s.v);
	for (size_t i = 0; i < v->c.n_knobs; i++)
		s.v[v->c.knobs[i].knob] = v->desk.design.v[v->c.knobs[i].knob];
	return s;
}

static bool has_figure(const struct case_view *v)
{
	const struct case_desk *k = &v->desk;
	return k->runs && k->stage == v->sitting.stage && !k->live.stale && !k->live.unfinished;
}

bool case_desk_says(const struct case_view *v, const char *line)
{
	char own[CASE_LINE_SIZE];
	return has_figure(v) && !case_design_lacks(&v->sitting.deal, &v->desk.design) &&
	       strcmp(case_desk_line(v, own, sizeof own), line) == 0;
}

struct case_means case_desk_means(const struct case_view *v)
{
	const struct live *l = &v->desk.live;
	return has_figure(v) ? (struct case_means){ .figure = &l->figure, .v = l->now.v }
			     : (struct case_means){ .figure = NULL };
}

static void release_judged(struct case_desk *k)
{
	k->judged.figure = (struct figure){ 0 }; /* it is live's */
	case_run_release(&k->judged);
	k->is_judged = false;
}

static void judge(struct case_view *v)
{
	struct case_desk *k = &v->desk;
	release_judged(k);
	if (k->live.unfinished || k->live.figure.arena.failed)
		return;
	case_judge(&v->sitting.deal, v->sitting.stage, &k->live.figure, k->live.now.v, &k->judged);
	k->is_judged = true;
}

void case_desk_release(struct case_desk *k)
{
	release_judged(k);
	if (k->runs)
		live_release(&k->live);
	*k = (struct case_desk){ .open = false };
}

/* A figure of other facts is another figure: what moved is not the knob's doing. */
static void begin_figure(struct case_view *v)
{
	struct case_desk *k = &v->desk;
	if (k->runs)
		live_release(&k->live);
	k->live = (struct live){ .sim = v->c.sim,
		.tables = v->sitting.deal.tables,
		.now = setting_of(v),
		.changed = -1,
		.playhead_s = NAN,
		.stale = true };
	k->live.before = k->live.now;
	k->runs = true;
	k->stage = v->sitting.stage;
}

void case_desk_settle(struct app *app)
{
	struct case_view *v = case_of(app);
	struct case_desk *k = &v->desk;
	/* A figure would tell what the interviewer has not told yet. */
	if (!v->sits || v->sitting.company == CASE_HELD || !case_may_run(&v->sitting) ||
		case_design_lacks(&v->sitting.deal, &k->design))
		return;
	if (!k->runs || k->stage != v->sitting.stage)
		begin_figure(v);
	const struct setting now = setting_of(v);
	for (size_t i = 0; i < v->c.n_knobs; i++) {
		const int knob = (int)v->c.knobs[i].knob;
		live_set(&k->live, knob, now.v[knob]);
	}
	if (!k->live.stale)
		return;
	k->live.focus = (int)knob_at_row(v)->knob;
	k->live.go_on = app->go_on;
	k->live.go_on_context = app->go_on_context;
	live_update(&k->live);
	judge(v);
	app->works |= k->live.unfinished;
	app->failed = k->live.figure.arena.failed;
}

void case_desk_work(struct app *app)
{
	struct case_view *v = case_of(app);
	if (!v->desk.runs || !v->desk.live.unfinished)
		return;
	live_finish(&v->desk.live);
	judge(v);
}
