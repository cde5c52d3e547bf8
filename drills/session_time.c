/* Time of a sitting: what counts, and what to say about it. */
#include "drills/session_private.h"

#include <math.h>

const char *const timer_names[] = { "OK", "WRAP UP", "OVER" };

const struct interview_phase interview_phases[N_PHASES] = {
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

int64_t session_whole_stretch_ms(const struct drill_session *s, int64_t now_ms)
{
	return s->paused || session_done(s) || now_ms < s->since_ms ? 0 : now_ms - s->since_ms;
}

int64_t session_stretch_ms(const struct drill_session *s, int64_t now_ms)
{
	if (s->current >= s->n || s->items[s->current].closed ||
		(s->mode == MODE_INTERVIEW && s->items[s->current].phase != s->phase))
		return 0;
	return session_whole_stretch_ms(s, now_ms);
}

void session_settle(struct drill_session *s, int64_t now_ms)
{
	int64_t whole_ms = session_whole_stretch_ms(s, now_ms);
	if (s->current < s->n)
		s->items[s->current].spent_ms += session_stretch_ms(s, now_ms);
	s->total_ms += whole_ms;
	if (s->mode == MODE_INTERVIEW && s->phase < N_PHASES)
		s->phase_ms[s->phase] += whole_ms;
	s->since_ms = now_ms;
}

void session_pause(struct drill_session *s, int64_t now_ms)
{
	session_tick(s, now_ms);
	session_settle(s, now_ms);
	s->paused = true;
}

void session_resume(struct drill_session *s, int64_t now_ms)
{
	session_settle(s, now_ms);
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
	int64_t over_ms = s->total_ms + session_whole_stretch_ms(s, now_ms) - limit_ms(s);
	if (over_ms < 0)
		return false;
	session_settle(s, now_ms - over_ms);
	s->current = s->n;
	return true;
}

int64_t session_spent_ms(const struct drill_session *s, int64_t now_ms)
{
	return s->current < s->n ? s->items[s->current].spent_ms + session_stretch_ms(s, now_ms)
				 : 0;
}

int64_t session_total_ms(const struct drill_session *s, int64_t now_ms)
{
	if (s->mode == MODE_SPRINT || s->mode == MODE_INTERVIEW) {
		int64_t all = s->total_ms + session_whole_stretch_ms(s, now_ms);
		return s->mode == MODE_SPRINT && all > limit_ms(s) ? limit_ms(s) : all;
	}
	int64_t total = session_stretch_ms(s, now_ms);
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

struct pacing session_pacing(const struct drill_session *s, int64_t now_ms)
{
	int64_t total_ms = session_total_ms(s, now_ms);
	struct pacing p = { .planned = N_PHASES, .left_ms = limit_ms(s) - total_ms };
	double end_s = 0;
	for (unsigned i = 0; i < N_PHASES; i++) {
		end_s += interview_phases[i].share * s->limit_s;
		int64_t left_ms = llround(1000 * end_s) - total_ms;
		if (left_ms > 0 && p.planned == N_PHASES)
			p.planned = (enum phase)i;
		if (i == s->phase)
			p.phase_left_ms = left_ms;
	}
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
