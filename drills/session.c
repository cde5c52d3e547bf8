/* A sitting as it goes on: its clock, its answers, what came out of it. Which drills it is made of
 * is drills/session_deal.c. */
#include "drills/session.h"

#include "drills/choose.h"
#include "drills/session_deal.h"
#include "sims/base/stats.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ATTEMPTS = 3, MOST_ITEMS = MOST_PROBLEMS + 1 };

const char *const mode_names[N_MODES + 1] = { "set", "study", "sprint", "interview", "review",
	"placement" };

const char *const timer_names[] = { "OK", "WRAP UP", "OVER" };

const struct interview_phase interview_phases[N_INTERVIEW_PHASES] = {
	[PHASE_CLARIFY] = { "clarify", 5.0 / 45,
		"Ask what is not said: the goal, the load, the hardware, the deadline. Say what "
		"you assume." },
	[PHASE_ESTIMATE] = { "estimate", 10.0 / 45,
		"Numbers before designs: the size, the rate, the bound. Think aloud, with units." },
	[PHASE_DESIGN] = { "design", 15.0 / 45,
		"One design that meets the numbers, its bottleneck, and what you would measure "
		"first." },
	[PHASE_DRILL] = { "drill", 10.0 / 45, "Short problems, one attempt each." },
	[PHASE_WRAP_UP] = { "wrap up", 5.0 / 45,
		"Sum up in three sentences; say what you left out and what you would check next." },
};

static const double SPRINT_WRAP_UP_RATIO = 0.75;
static const int64_t PHASE_WRAP_UP_MS = 60000;

unsigned session_attempts(enum drill_mode mode)
{
	return mode == MODE_SET || mode == MODE_STUDY ? ATTEMPTS : 1;
}

int session_init(struct drill_session *s, const struct drill_bank *b, const struct tables *t,
	const struct session_options *o, char *err, size_t err_size)
{
	static const double limits_s[N_MODES] = { [MODE_SPRINT] = 120, [MODE_INTERVIEW] = 2700 };
	assert(s && b && t && o && (unsigned)o->mode < N_MODES);
	*s = (struct drill_session){ .seed = o->seed,
		.mode = o->mode,
		.max_attempts = session_attempts(o->mode),
		.wrap_up_ratio = 1,
		.over_ratio = 1.5,
		.limit_s = limits_s[o->mode] > 0 && o->limit_s > 0 ? o->limit_s : limits_s[o->mode],
		.paused = true };
	memcpy(s->plan, interview_phases, sizeof s->plan);
	return session_deal(s, b, t, o, err, err_size);
}

void session_talk(
	struct drill_session *s, const struct interview_phase plan[], uint64_t seed, double limit_s)
{
	assert(s && plan && limit_s > 0);
	*s = (struct drill_session){ .seed = seed,
		.mode = MODE_INTERVIEW,
		.max_attempts = 1,
		.limit_s = limit_s,
		.paused = true };
	memcpy(s->plan, plan, sizeof s->plan);
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
	return s->mode == MODE_INTERVIEW ? s->phase == N_INTERVIEW_PHASES : s->current >= s->n;
}

struct session_item *session_current(const struct drill_session *s)
{
	if (s->current >= s->n)
		return NULL;
	struct session_item *item = &s->items[s->current];
	return s->mode != MODE_INTERVIEW || item->phase == s->phase ? item : NULL;
}

/* ---- Time: what counts, and what to say about it. */

/* How long it is since the clock was last looked at: 0 while it stands still. */
static int64_t whole_stretch_ms(const struct drill_session *s, int64_t now_ms)
{
	return s->paused || session_done(s) || now_ms < s->since_ms ? 0 : now_ms - s->since_ms;
}

/* The part of it that counts for the current problem. */
static int64_t stretch_ms(const struct drill_session *s, int64_t now_ms)
{
	if (s->current >= s->n || s->items[s->current].closed ||
		(s->mode == MODE_INTERVIEW && s->items[s->current].phase != s->phase))
		return 0;
	return whole_stretch_ms(s, now_ms);
}

/* Counts the stretch, and begins a new one. */
static void settle(struct drill_session *s, int64_t now_ms)
{
	int64_t whole_ms = whole_stretch_ms(s, now_ms);
	if (s->current < s->n)
		s->items[s->current].spent_ms += stretch_ms(s, now_ms);
	if (!s->paused && session_current(s))
		session_current(s)->shown = true;
	s->total_ms += whole_ms;
	if (s->mode == MODE_INTERVIEW && s->phase < N_INTERVIEW_PHASES)
		s->phase_ms[s->phase] += whole_ms;
	s->since_ms = now_ms;
}

void session_pause(struct drill_session *s, int64_t now_ms)
{
	session_tick(s, now_ms);
	settle(s, now_ms);
	s->paused = true;
}

void session_resume(struct drill_session *s, int64_t now_ms)
{
	settle(s, now_ms);
	s->paused = false;
}

static int64_t limit_ms(const struct drill_session *s)
{
	return llround(1000 * s->limit_s);
}

bool session_tick(struct drill_session *s, int64_t now_ms)
{
	if (s->mode != MODE_SPRINT || session_done(s))
		return session_done(s);
	int64_t over_ms = s->total_ms + whole_stretch_ms(s, now_ms) - limit_ms(s);
	if (over_ms < 0)
		return false;
	settle(s, now_ms - over_ms);
	s->current = s->n;
	return true;
}

void session_stop(struct drill_session *s, int64_t now_ms)
{
	assert(s->mode != MODE_INTERVIEW);
	settle(s, now_ms);
	s->current = s->n;
}

int64_t session_spent_ms(const struct drill_session *s, int64_t now_ms)
{
	return s->current < s->n ? s->items[s->current].spent_ms + stretch_ms(s, now_ms) : 0;
}

int64_t session_total_ms(const struct drill_session *s, int64_t now_ms)
{
	if (s->mode == MODE_SPRINT || s->mode == MODE_INTERVIEW) {
		int64_t all = s->total_ms + whole_stretch_ms(s, now_ms);
		return s->mode == MODE_SPRINT && all > limit_ms(s) ? limit_ms(s) : all;
	}
	int64_t total = stretch_ms(s, now_ms);
	for (size_t i = 0; i < s->n; i++)
		total += s->items[i].spent_ms;
	return total;
}

static enum timer_state state(int64_t spent_ms, double wrap_up_s, double over_s)
{
	double spent_s = (double)spent_ms / 1000;
	return spent_s >= over_s ? TIMER_OVER : spent_s >= wrap_up_s ? TIMER_WRAP_UP : TIMER_OK;
}

enum timer_state timer_state(int64_t spent_ms, double par_s)
{
	return state(spent_ms, par_s, 1.5 * par_s);
}

bool session_has_clock(const struct drill_session *s)
{
	return s->mode != MODE_STUDY;
}

/* What the phases from one on have of a time, by their shares. */
static void plan_phases(
	const struct drill_session *s, unsigned first, int64_t time_ms, struct pacing *p)
{
	double shares = 0;
	for (unsigned i = first; i < N_INTERVIEW_PHASES; i++)
		shares += s->plan[i].share;
	for (unsigned i = first; i < N_INTERVIEW_PHASES && shares > 0; i++)
		p->planned_ms[i] = llround((double)time_ms * s->plan[i].share / shares);
}

static int64_t positive(int64_t ms)
{
	return ms > 0 ? ms : 0;
}

/* The time of the phase itself is not what earlier ones took from it. Of one that takes longer than is planned, those
 * behind it pay. */
static void plan_from_here(const struct drill_session *s, int64_t now_ms, struct pacing *p)
{
	const int64_t here_ms = s->phase_ms[s->phase] + whole_stretch_ms(s, now_ms),
		      all_ms = p->left_ms + here_ms;
	plan_phases(s, s->phase, positive(all_ms), p);
	p->phase_left_ms = p->planned_ms[s->phase] - here_ms;
	if (p->phase_left_ms < 0)
		plan_phases(s, s->phase + 1, positive(p->left_ms), p);
}

struct pacing session_pacing(const struct drill_session *s, int64_t now_ms)
{
	int64_t total_ms = session_total_ms(s, now_ms);
	struct pacing p = { .planned = N_INTERVIEW_PHASES, .left_ms = limit_ms(s) - total_ms };
	double end_s = 0;
	plan_phases(s, 0, limit_ms(s), &p);
	for (unsigned i = 0; i < N_INTERVIEW_PHASES; i++) {
		end_s += s->plan[i].share * s->limit_s;
		if (llround(1000 * end_s) > total_ms && p.planned == N_INTERVIEW_PHASES)
			p.planned = (enum phase)i;
	}
	if (s->phase < N_INTERVIEW_PHASES)
		plan_from_here(s, now_ms, &p);
	return p;
}

enum timer_state session_timer(const struct drill_session *s, int64_t now_ms)
{
	if (s->mode == MODE_SPRINT)
		return state(
			session_total_ms(s, now_ms), SPRINT_WRAP_UP_RATIO * s->limit_s, s->limit_s);
	if (s->mode == MODE_INTERVIEW) {
		int64_t left_ms = session_pacing(s, now_ms).phase_left_ms;
		return left_ms <= 0                  ? TIMER_OVER
		       : left_ms <= PHASE_WRAP_UP_MS ? TIMER_WRAP_UP
						     : TIMER_OK;
	}
	if (s->mode == MODE_STUDY || s->current >= s->n)
		return TIMER_OK;
	double par_s = s->items[s->current].variant.drill->par_s;
	return state(session_spent_ms(s, now_ms), s->wrap_up_ratio * par_s, s->over_ratio * par_s);
}

/* ---- Answers. */

double session_credit(double credit, unsigned attempt, unsigned hints)
{
	for (unsigned i = 1; i < attempt; i++)
		credit /= 2;
	return credit * (1 - 0.1 * hints);
}

/* Follow-through, as examiners mark: whether the answer is what the formula gives from the
 * candidate's own earlier values. The key is computed again from these, and the answer graded
 * against that key without mistakes; where the two keys agree there is nothing to follow from. */
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
	item->attempts = item->step_hints = 0;
	item->unit_was_asked = item->kind_was_asked = item->digits_were_asked = false;
}

static void count_credit(struct session_item *item)
{
	const struct variant *v = &item->variant;
	double credit = session_credit(item->grade.credit, item->attempts, item->step_hints);
	if (credit <= item->step_credit[v->step])
		return;
	item->credit += (credit - item->step_credit[v->step]) / (double)v->n_steps;
	item->step_credit[v->step] = credit;
}

/* The problem that an answer can be given to now; NULL where there is none. */
static struct session_item *open_item(struct drill_session *s, int64_t now_ms)
{
	if (s->paused || session_tick(s, now_ms))
		return NULL;
	struct session_item *item = session_current(s);
	if (!item || item->closed)
		return NULL;
	settle(s, now_ms);
	return item;
}

/* A quantity of another kind is more often a slip of the pen than of the method, and a number of too few digits may be
 * right: both are asked again, once, as a missing unit is. A sprint has no time for that. */
static void ask_again(const struct drill_session *s, struct session_item *item)
{
	struct grade *g = &item->grade;
	item->unit_was_asked |= g->verdict == VERDICT_NEED_UNIT;
	if (g->verdict == VERDICT_WRONG_DIM && !item->kind_was_asked && s->mode != MODE_SPRINT) {
		item->kind_was_asked = true;
		g->attempt_used = false;
	}
	if (g->verdict == VERDICT_COARSE && !item->digits_were_asked && s->mode != MODE_SPRINT) {
		item->digits_were_asked = true;
		g->attempt_used = false;
		snprintf(g->remark, sizeof g->remark,
			"say it with a digit more: this costs nothing");
	}
}

/* Counts item->grade as the answer to the current step. */
static const struct grade *take_grade(struct drill_session *s, struct session_item *item)
{
	const struct grade *g = &item->grade;
	ask_again(s, item);
	item->answered = true;
	item->scratch |= g->expression;
	item->answered_step = item->variant.step;
	item->answered_hints = item->step_hints;
	item->answered_attempt = item->attempts + g->attempt_used;
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

/* The same number however it is written, option or order. */
static bool is_same(const struct grade *a, const struct grade *b)
{
	if (a->has_value || b->has_value)
		return a->has_value && b->has_value && a->value == b->value;
	return *a->understood && strcmp(a->understood, b->understood) == 0;
}

/* Whether it is the wrong answer that was given to this step last. A number with more digits may be graded
 * otherwise, and is another answer. */
static bool is_repeated(const struct session_item *item, const struct grade *before)
{
	const struct grade *g = &item->grade;
	const bool wrong = g->attempt_used && g->verdict != VERDICT_CORRECT;
	return wrong && item->attempts > 0 && item->answered_step == item->variant.step &&
	       is_same(g, before) && g->verdict == before->verdict;
}

/* Who gives it once more has pressed a key too many, or hoped to have mistyped: it says nothing new. */
static void forgive_repeated(struct grade *g)
{
	char remark[sizeof g->remark];
	memcpy(remark, g->remark, sizeof remark);
	snprintf(g->remark, sizeof g->remark,
		"that was your last answer too, and costs nothing%s%.240s", *remark ? ": " : "",
		remark);
	g->attempt_used = false;
}

const struct grade *session_answer(struct drill_session *s, const char *text, int64_t now_ms)
{
	struct session_item *item = open_item(s, now_ms);
	if (!item)
		return NULL;
	struct grade *g = &item->grade;
	const struct variant *v = &item->variant;
	const struct grade before = *g;
	grade_step(&v->steps[v->step], text, item->unit_was_asked, g);
	if (g->attempt_used && g->verdict != VERDICT_CORRECT && v->step > 0)
		follows(item, text, g);
	if (is_repeated(item, &before)) {
		/* The remark of a third time is that of the second. */
		if (!before.attempt_used)
			*g = before;
		else
			forgive_repeated(g);
	}
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

bool session_has_hint(const struct session_item *item)
{
	const struct variant *v = &item->variant;
	return !item->closed && item->step_hints < v->steps[v->step].n_hints;
}

const char *session_hint(struct drill_session *s)
{
	struct session_item *item = session_current(s);
	if (!item || !session_has_hint(item))
		return NULL;
	const struct variant_step *step = &item->variant.steps[item->variant.step];
	item->hints++;
	return step->hints[item->step_hints++];
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
	settle(s, now_ms);
	if (item)
		give_up(item);
}

bool session_next_phase(struct drill_session *s, int64_t now_ms)
{
	settle(s, now_ms);
	for (; s->current < s->n && s->items[s->current].phase <= s->phase; s->current++) {
		struct session_item *item = &s->items[s->current];
		item->unasked = !item->closed && !item->answered && !item->shown;
		give_up(item);
	}
	if (s->phase < N_INTERVIEW_PHASES)
		s->phase = (enum phase)(s->phase + 1);
	return s->phase < N_INTERVIEW_PHASES;
}

bool session_next(struct drill_session *s, int64_t now_ms)
{
	settle(s, now_ms);
	bool problem = session_current(s) != NULL;
	if (s->mode != MODE_INTERVIEW) {
		s->current += problem;
		return s->current < s->n;
	}
	s->current += problem;
	return session_current(s) ? true : session_next_phase(s, now_ms);
}

/* ---- What came out. */

bool session_item_right(const struct session_item *item)
{
	return item->right_steps == item->variant.n_steps;
}

static double par_ratio(const struct session_item *item)
{
	return (double)item->spent_ms / 1000 / item->variant.drill->par_s;
}

static void score_times(const struct drill_session *s, struct session_score *score)
{
	double ratios[MOST_ITEMS], worst = -1;
	size_t n = 0;
	score->slowest = s->n;
	for (size_t i = 0; i < s->n && n < MOST_ITEMS; i++) {
		if (!s->items[i].answered)
			continue;
		ratios[n] = par_ratio(&s->items[i]);
		if (ratios[n] > worst) {
			worst = ratios[n];
			score->slowest = i;
		}
		n++;
	}
	score->median_par_ratio = quantile_select(ratios, n, 0.5);
}

static bool is_close(enum verdict v)
{
	return v == VERDICT_NEAR || v == VERDICT_COARSE;
}

const char *session_item_word(const struct drill_session *s, size_t i)
{
	static const char *const parts[MOST_STEPS][MOST_STEPS + 1] = {
		{ "" },
		{ "", "", "1 of 2", "1 of 3", "1 of 4" },
		{ "", "", "", "2 of 3", "2 of 4" },
		{ "", "", "", "", "3 of 4" },
	};
	_Static_assert(MOST_STEPS == 4, "words for as many steps as there can be");
	assert(i < s->n);
	const struct session_item *item = &s->items[i];
	if (session_item_right(item))
		return "right";
	if (item->unasked)
		return "unasked";
	if (item->right_steps)
		return parts[item->right_steps][item->variant.n_steps];
	if (item->closed && item->attempts < s->max_attempts)
		return "gave up";
	if (item->closed)
		return is_close(item->grade.verdict) ? "close" : "wrong";
	if (!item->answered && !item->shown)
		return "";
	return session_done(s) ? "no time" : "left";
}

/* The skill's place in out[], or n. */
static size_t find_miss(const struct session_miss out[], size_t n, const char *skill)
{
	size_t i = 0;
	while (i < n && strcmp(out[i].skill, skill) != 0)
		i++;
	return i;
}

/* Insertion: equals stay in the order in which they came. */
static void sort_misses(struct session_miss out[], size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct session_miss miss = out[i];
		size_t at = i;
		for (; at > 0 && out[at - 1].missed < miss.missed; at--)
			out[at] = out[at - 1];
		out[at] = miss;
	}
}

size_t session_missed(const struct drill_session *s, struct session_miss out[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct session_item *item = &s->items[i];
		if (!item->closed || item->unasked || session_item_right(item))
			continue;
		size_t at = find_miss(out, n, item->variant.drill->skill);
		if (at == n && n == most)
			continue;
		if (at == n)
			out[n++] = (struct session_miss){ .skill = item->variant.drill->skill };
		out[at].missed++;
	}
	for (size_t i = 0; i < s->n; i++) {
		size_t at = find_miss(out, n, s->items[i].variant.drill->skill);
		if (at < n)
			out[at].closed += s->items[i].closed && !s->items[i].unasked;
	}
	sort_misses(out, n);
	return n;
}

struct session_score session_score(const struct drill_session *s)
{
	struct session_score score = { .n = s->n };
	struct session_miss most[MOST_ITEMS];
	for (size_t i = 0; i < s->n; i++) {
		const struct session_item *item = &s->items[i];
		bool correct = item->closed && session_item_right(item);
		score.closed += item->closed;
		score.correct += correct;
		score.credit += item->credit;
		score.spent_ms += item->spent_ms;
		score.hints += item->hints;
		score.within_par += correct && par_ratio(item) < s->wrap_up_ratio;
	}
	score_times(s, &score);
	if (session_missed(s, most, MOST_ITEMS) > 0)
		score.missed_skill = most[0].skill;
	return score;
}
