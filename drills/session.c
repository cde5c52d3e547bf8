#include "drills/session_private.h"

#include "drills/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ATTEMPTS = 3 };

const char *const mode_names[N_MODES + 1] = { "set", "study", "sprint", "interview", "review" };

int session_init(struct drill_session *s, const struct drill_bank *b, const struct tables *t,
	const struct session_options *o, char *err, size_t err_size)
{
	static const double limits_s[N_MODES] = { [MODE_SPRINT] = 120, [MODE_INTERVIEW] = 2700 };
	bool once = o->mode == MODE_SPRINT || o->mode == MODE_INTERVIEW || o->mode == MODE_REVIEW;
	*s = (struct drill_session){ .seed = o->seed,
		.mode = o->mode,
		.max_attempts = once ? 1 : ATTEMPTS,
		.wrap_up_ratio = 1,
		.over_ratio = 1.5,
		.limit_s = limits_s[o->mode] > 0 && o->limit_s > 0 ? o->limit_s : limits_s[o->mode],
		.paused = true };
	return session_deal(s, b, t, o, err, err_size);
}

void session_release(struct drill_session *s)
{
	for (size_t i = 0; i < s->n; i++)
		variant_release(&s->items[i].variant);
	arena_release(&s->arena);
	*s = (struct drill_session){ 0 };
}

bool session_done(const struct drill_session *s)
{
	return s->mode == MODE_INTERVIEW ? s->phase == N_PHASES : s->current >= s->n;
}

struct session_item *session_current(const struct drill_session *s)
{
	if (s->current >= s->n)
		return NULL;
	struct session_item *item = &s->items[s->current];
	return s->mode != MODE_INTERVIEW || item->phase == s->phase ? item : NULL;
}

double session_credit(double credit, unsigned attempt, unsigned hints)
{
	for (unsigned i = 1; i < attempt; i++)
		credit /= 2;
	return credit * (1 - 0.1 * hints);
}

/* Whether the answer is what the formula gives from the candidate's own earlier values. */
static bool follows(const struct session_item *item, const char *text, struct grade *g)
{
	const struct variant *v = &item->variant;
	struct question q = v->question;
	struct grade again;
	q.key = variant_follow(v, v->step, item->given);
	bool differs = fabs(q.key - v->question.key) > 1e-9 * fabs(v->question.key);
	if (!isfinite(q.key) || !differs)
		return false;
	q.n_mistakes = 0;
	grade_answer(&q, text, true, &again);
	if (again.verdict != VERDICT_CORRECT)
		return false;
	g->verdict = VERDICT_NAMED;
	g->follow_through = true;
	g->credit = FOLLOW_CREDIT_PERCENT / 100.0;
	snprintf(g->remark, sizeof g->remark,
		"follow-through: the method is right, from your own earlier value");
	snprintf(g->cause, sizeof g->cause, "carried on an earlier error");
	return true;
}

static void count_cause(struct drill_session *s, const char *cause)
{
	for (size_t i = 0; i < s->n_causes; i++)
		if (strcmp(s->causes[i].text, cause) == 0) {
			s->causes[i].n++;
			return;
		}
	if (!*cause || s->n_causes == MOST_CAUSES)
		return;
	snprintf(s->causes[s->n_causes].text, sizeof s->causes->text, "%s", cause);
	s->causes[s->n_causes++].n = 1;
}

static void close_step(struct session_item *item)
{
	struct variant *v = &item->variant;
	bool right = item->grade.verdict == VERDICT_CORRECT;
	item->right_steps += right;
	item->given[v->step] = right || !item->grade.has_value ? NAN : item->grade.value;
	if (v->step + 1 == v->n_steps) {
		item->closed = true;
		return;
	}
	variant_show(v, v->step + 1);
	item->attempts = 0;
	item->unit_was_asked = false;
}

static void count_credit(struct session_item *item)
{
	const struct variant *v = &item->variant;
	double credit = session_credit(item->grade.credit, item->attempts, item->hints);
	if (credit <= item->step_credit[v->step])
		return;
	item->credit += (credit - item->step_credit[v->step]) / (double)v->n_steps;
	item->step_credit[v->step] = credit;
}

/* What an answer can be given to now; NULL where there is nothing. */
static struct session_item *open_item(struct drill_session *s, int64_t now_ms)
{
	if (s->paused || session_tick(s, now_ms))
		return NULL;
	struct session_item *item = session_current(s);
	if (!item || item->closed)
		return NULL;
	session_settle(s, now_ms);
	return item;
}

/* item->grade counts. */
static const struct grade *take_grade(struct drill_session *s, struct session_item *item)
{
	const struct grade *g = &item->grade;
	item->answered = true;
	item->scratch |= g->expression;
	item->answered_step = item->variant.step;
	item->answered_attempt = item->attempts + g->attempt_used;
	if (g->verdict == VERDICT_NEED_UNIT)
		item->unit_was_asked = true;
	if (!g->attempt_used)
		return g;
	item->attempts++;
	count_credit(item);
	if (g->verdict != VERDICT_CORRECT)
		count_cause(s, g->cause);
	if (g->verdict == VERDICT_CORRECT || item->attempts >= s->max_attempts)
		close_step(item);
	return g;
}

const struct grade *session_answer(struct drill_session *s, const char *text, int64_t now_ms)
{
	struct session_item *item = open_item(s, now_ms);
	if (!item)
		return NULL;
	struct grade *g = &item->grade;
	const struct variant *v = &item->variant;
	grade_step(&v->steps[v->step], text, item->unit_was_asked, g);
	if (g->attempt_used && g->verdict != VERDICT_CORRECT && v->step > 0)
		follows(item, text, g);
	return take_grade(s, item);
}

const struct grade *session_answer_graded(
	struct drill_session *s, const struct grade *grade, int64_t now_ms)
{
	struct session_item *item = open_item(s, now_ms);
	if (!item)
		return NULL;
	item->grade = *grade;
	return take_grade(s, item);
}

const char *session_hint(struct drill_session *s)
{
	struct session_item *item = session_current(s);
	if (!item || item->closed || item->hints >= 2)
		return NULL;
	return item->variant.hints[item->hints++];
}

/* The last step shows the values of all before it. */
static void give_up(struct session_item *item)
{
	if (item->closed)
		return;
	variant_show(&item->variant, item->variant.n_steps - 1);
	item->closed = true;
}

void session_give_up(struct drill_session *s, int64_t now_ms)
{
	struct session_item *item = session_current(s);
	session_settle(s, now_ms);
	if (item)
		give_up(item);
}

bool session_next_phase(struct drill_session *s, int64_t now_ms)
{
	session_settle(s, now_ms);
	for (; s->current < s->n && s->items[s->current].phase <= s->phase; s->current++)
		give_up(&s->items[s->current]);
	if (s->phase < N_PHASES)
		s->phase = (enum phase)(s->phase + 1);
	return s->phase < N_PHASES;
}

bool session_next(struct drill_session *s, int64_t now_ms)
{
	session_settle(s, now_ms);
	bool problem = session_current(s) != NULL;
	if (s->mode != MODE_INTERVIEW) {
		s->current += problem;
		return s->current < s->n;
	}
	s->current += problem;
	return session_current(s) ? true : session_next_phase(s, now_ms);
}
