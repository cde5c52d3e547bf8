#include "drills/case_outcome.h"

#include "sims/quantity/quantity.h"

#include <math.h>
#include <stdio.h>

enum { IN = 2, HANG = 4 };

/* What is judged at the end, each with a mark of its own. */
#define mark(out, box, ...) (case_say_box(out, box, IN, __VA_ARGS__), case_say_named(out))
#define advise(out, ...) (case_say_at(out, TONE_DEBRIEF, IN, IN, __VA_ARGS__), case_say_named(out))

/* A part that was reached in part is neither won nor lost. */
static enum case_box box_of(bool all, bool some)
{
	return all ? BOX_MET : some ? BOX_PART : BOX_MISSED;
}

struct outcome {
	size_t must, asked;       /* facts without which a design is a guess */
	size_t numbers, right;    /* to estimate, and within a factor of 1.3 */
	size_t runs, stages, met; /* designs; the beginning and each twist that was told */
	bool sees_facts;          /* what is asked aloud is not known here */
};

static struct outcome outcome_of(const struct case_sitting *s)
{
	struct outcome o = { .must = case_facts_must(s),
		.numbers = s->deal.variant.n_steps,
		.right = case_numbers_counting(s),
		.stages = s->stage + 1,
		.sees_facts = s->company == CASE_ALONE };
	o.asked = case_facts_in_time(s);
	o.runs = case_runs(s);
	for (size_t i = 0; i <= s->stage; i++)
		o.met += s->met[i];
	return o;
}

static bool is_empty(const struct case_sitting *s)
{
	return !s->asked && !case_facts_told(s) && !case_numbers_given(s) &&
	       !case_design_begun(&s->deal, &s->design) && !s->n_said;
}

static size_t answers_in(const struct case_sitting *s, enum case_phase phase)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_said; i++)
		n += s->said_in[i] == phase;
	return n;
}

/* -- The sentence -------------------------------------------------------------------------- */

/* Whether the last design of all missed goals that another one of its stage met. */
static bool missed_last(const struct case_sitting *s)
{
	return s->met[s->stage] && !s->last_met[s->stage];
}

static void name_goals(
	const struct case_sitting *s, const struct outcome *o, struct arena_buffer *b)
{
	char text[160] = "No design was run";
	if (o->met == o->stages)
		snprintf(text, sizeof text, "All goals were met%s%s",
			missed_last(s) ? " by the best design, not by the last one" : "",
			s->stage == 0   ? ""
			: s->stage == 1 ? ", before the twist and after it"
					: ", before the twists and after each");
	else if (s->met[0])
		snprintf(text, sizeof text,
			s->stage == 1 ? "All goals were met before the twist, not after it"
				      : "All goals were met before the twists and after %zu of %zu",
			o->met - 1, s->stage);
	else if (s->runs[0])
		snprintf(text, sizeof text, "%zu of %zu goals were met at best%s", s->most_met[0],
			s->goals[0], o->met ? ", all of them after a twist" : "");
	else if (o->met)
		snprintf(text, sizeof text,
			"All goals were met after a twist, and nothing was run "
			"before it");
	else if (o->runs)
		snprintf(text, sizeof text, "No design met all goals");
	arena_append_text(b, text);
}

static const char *sentence_of(
	const struct case_sitting *s, const struct outcome *o, struct arena *a)
{
	struct arena_buffer b = { .arena = a };
	char text[200];
	name_goals(s, o, &b);
	snprintf(text, sizeof text, "%s%zu of %zu numbers %s right",
		o->sees_facts ? "; " : ", and ", o->right, o->numbers,
		o->right == 1 ? "was" : "were");
	arena_append_text(&b, text);
	if (o->sees_facts && o->asked == o->must)
		snprintf(text, sizeof text, "; all that decides was asked for.");
	else if (o->sees_facts)
		snprintf(text, sizeof text, "; %zu of the %zu facts that decide %s asked for%s.",
			o->asked, o->must, o->asked == 1 ? "was" : "were",
			o->asked + case_facts_left(s) < o->must ? " in time" : "");
	else
		snprintf(text, sizeof text, ".");
	arena_append_text(&b, text);
	return arena_buffer_text(&b);
}

const char *case_outcome_heard(const struct case_sitting *s, struct arena *a)
{
	struct outcome o = outcome_of(s);
	o.sees_facts = true;
	return is_empty(s) ? "Nothing was heard yet." : sentence_of(s, &o, a);
}

/* -- What stands behind it ----------------------------------------------------------------- */

static const char *stage_text(const struct case_sitting *s, size_t stage, char *buf, size_t size)
{
	if (!s->runs[stage])
		snprintf(buf, size, "no design was run");
	else if (s->last_n_met[stage] < s->most_met[stage])
		snprintf(buf, size, "%zu of %zu met by the best, %zu by the last one",
			s->most_met[stage], s->goals[stage], s->last_n_met[stage]);
	else
		snprintf(buf, size, "%zu of %zu met", s->most_met[stage], s->goals[stage]);
	return buf;
}

static void mark_design(const struct case_sitting *s, struct case_said *out)
{
	char stage[100];
	mark(out, box_of(s->met[0], s->most_met[0] > 0), "Design: %s.",
		stage_text(s, 0, stage, sizeof stage));
}

static void mark_twists(const struct case_sitting *s, struct case_said *out)
{
	struct arena_buffer b = { .arena = &out->arena };
	char text[160], stage[100];
	size_t met = 0, some = 0;
	if (!s->deal.n_twists)
		return;
	for (size_t i = 1; i <= s->stage; i++) {
		snprintf(text, sizeof text, "%safter twist %zu %s", i > 1 ? "; " : "", i,
			stage_text(s, i, stage, sizeof stage));
		arena_append_text(&b, text);
		met += s->met[i];
		some += s->most_met[i] > 0;
	}
	const bool all = s->stage && met == s->stage;
	mark(out, box_of(all, some > 0), "Twist: %s.", b.text ? b.text : "passed over");
}

/* Whether an answer is good is for people to judge: that there is one is known. */
static void mark_wrap_up(const struct case_sitting *s, struct case_said *out)
{
	const size_t n = answers_in(s, CASE_WRAP_UP);
	if (n)
		mark(out, BOX_NONE, "Wrap-up: %zu answer%s kept, for you to judge.", n,
			n == 1 ? "" : "s");
	else
		mark(out, BOX_MISSED, "Wrap-up: %s.",
			s->phase < CASE_WRAP_UP ? "passed over" : "nothing was said");
}

/* " Missing: cache; at once." of those whose best lies between two. */
static void name_numbers(const struct case_sitting *s, enum estimate from, enum estimate to,
	const char *title, struct arena_buffer *b)
{
	size_t n = 0;
	for (size_t i = 0; i < s->deal.variant.n_steps; i++) {
		char name[CASE_NAME_SIZE];
		if (s->estimates[i].best < from || s->estimates[i].best > to)
			continue;
		arena_append_text(b, n++ ? "; " : title);
		arena_append_text(b, case_anchor_name(s, i, name));
	}
	if (n)
		arena_append_text(b, ".");
}

static void mark_numbers(
	const struct case_sitting *s, const struct outcome *o, struct case_said *out)
{
	struct arena_buffer b = { .arena = &out->arena };
	const size_t wrong = o->numbers - o->right;
	if (!case_numbers_given(s)) {
		mark(out, BOX_MISSED, "Estimate: passed over.");
		return;
	}
	name_numbers(s, ESTIMATE_COUNTS, ESTIMATE_EXACT, " Right: ", &b);
	name_numbers(s, ESTIMATE_OFF, ESTIMATE_OFF, " Off: ", &b);
	name_numbers(s, ESTIMATE_NONE, ESTIMATE_NONE, " Missing: ", &b);
	mark(out, box_of(!wrong, o->right > 0), "Estimate: %zu of %zu right.%s", o->right,
		o->numbers, wrong ? arena_buffer_text(&b) : "");
}

enum asked { NEVER = 1, LATE = 2 };

/* The facts that decide and were asked for late or never, by name, as many as are wanted; "" where there are none. */
static const char *unasked(const struct case_sitting *s, struct case_said *out, unsigned when,
	size_t most, const char *between)
{
	const struct design_case *c = s->deal.of;
	struct arena_buffer b = { .arena = &out->arena };
	size_t n = 0;
	for (size_t i = 0; i < c->n_facts && n < most; i++)
		if (c->facts[i].must && (!s->told[i] ? when & NEVER : s->late[i] && when & LATE)) {
			arena_append_text(&b, n++ ? between : "");
			arena_append_text(&b, c->facts[i].name);
		}
	return arena_buffer_text(&b);
}

static void mark_facts(const struct case_sitting *s, const struct outcome *o, struct case_said *out)
{
	const bool all = o->asked == o->must;
	if (!o->sees_facts)
		return;
	if (all)
		mark(out, BOX_MET, "Clarify: all %zu facts that decide were asked for.", o->must);
	else {
		const char *late = unasked(s, out, LATE, o->must, "; "),
			   *never = unasked(s, out, NEVER, o->must, "; ");
		mark(out, box_of(false, o->asked > 0),
			"Clarify: %zu of the %zu facts that decide.%s%s%s%s%s%s", o->asked, o->must,
			*late ? " Only after a design was run: " : "", late, *late ? "." : "",
			*never ? " Not asked for: " : "", never, *never ? "." : "");
	}
}

/* The last stage whose goals were met; -1: none. */
static long met_stage(const struct case_sitting *s)
{
	long stage = (long)s->stage;
	while (stage >= 0 && !s->met[stage])
		stage--;
	return stage;
}

/* What the candidate's design costs against the case's own, which meets the same goals: 1 for as much. *own is that
 * of the case. NAN: there is nothing to compare. */
static double cost_beside(struct case_sitting *s, long stage, char *theirs, char *own, size_t size)
{
	struct case_run r;
	double ratio = NAN;
	if (stage < 0 || isnan(s->cost[stage]))
		return NAN;
	if (case_run_known(&s->deal, &s->deal.reference[stage], (size_t)stage, &r) == 0 &&
		r.cost > 0) {
		const char *unit = r.cost_unit ? r.cost_unit : "";
		ratio = s->cost[stage] / r.cost;
		quantity_brief(theirs, size, s->cost[stage], unit);
		quantity_brief(own, size, r.cost, unit);
	}
	case_run_release(&r);
	return ratio;
}

/* Whoever beat the design that the case itself knows hears so. */
static const double as_much = 0.02;

static double mark_cost(struct case_sitting *s, struct case_said *out)
{
	char theirs[64] = "", own[64] = "", after[40] = "";
	const long stage = met_stage(s);
	const double ratio = cost_beside(s, stage, theirs, own, sizeof theirs);
	if (isnan(ratio))
		return ratio;
	const bool more = ratio > 1 + as_much, less = ratio < 1 - as_much;
	if (stage > 0)
		snprintf(after, sizeof after, " after twist %ld", stage);
	if (!more && !less)
		mark(out, BOX_MET, "%s%s: %s, as in the design that the case knows.",
			s->deal.of->cost_name, after, theirs);
	else
		mark(out, less ? BOX_MET : BOX_MISSED,
			"%s%s: %s, %s than the %s of the design that the case knows.",
			s->deal.of->cost_name, after, theirs, less ? "less" : "more", own);
	return ratio;
}

/* -- What was best, and what comes first the next time -------------------------------------- */

static void say_best(
	const struct case_sitting *s, const struct outcome *o, double cost, struct case_said *out)
{
	const bool facts = o->sees_facts && o->asked == o->must;
	if (cost < 1 - as_much)
		advise(out, "Best: you found a design that is better than the one that the case "
			    "knows.");
	else if (o->met == o->stages && o->runs == o->stages)
		advise(out, "Best: each design met all goals at its first run.");
	else if (o->met == o->stages)
		advise(out, "Best: the designs. You went on until all goals were met.");
	else if (o->right == o->numbers)
		advise(out, "Best: the numbers. All were near enough to design by.");
	else if (facts)
		advise(out, "Best: the questions. Nothing that decides was left to guess.");
	else if (s->met[0])
		advise(out, "Best: the design before the %stwist, which met all goals.",
			s->stage > 1 ? "first " : "");
}

/* The first number that does not count. */
static size_t wrong_number(const struct case_sitting *s)
{
	size_t i = 0;
	while (s->estimates[i].best >= ESTIMATE_COUNTS)
		i++;
	return i;
}

static void advise_number(const struct case_sitting *s, struct case_said *out)
{
	const size_t i = wrong_number(s);
	const char *given = s->estimates[i].given, *working = s->deal.variant.steps[i].working;
	char name[CASE_NAME_SIZE];
	case_anchor_name(s, i, name);
	if (given)
		advise(out, "Next time: check \"%s\" once more before you design. You said %s: %s.",
			name, given, working);
	else
		advise(out, "Next time: estimate \"%s\" before you design: %s.", name, working);
}

/* The last twist that was told and after which nothing was run; 0: there is none. */
static size_t unrun_twist(const struct case_sitting *s)
{
	size_t i = s->stage;
	while (i > 0 && s->runs[i])
		i--;
	return i;
}

static void say_next(const struct case_sitting *s, const struct outcome *o, struct case_said *out)
{
	const bool asks = o->sees_facts && o->asked < o->must;
	if (asks)
		advise(out, "Next time: before you design, ask for %s.",
			unasked(s, out, NEVER | LATE, 2, " and "));
	else if (!o->runs)
		advise(out, "Next time: run a design early, even a poor one. What a goal is missed "
			    "by says what binds.");
	else if (o->right < o->numbers)
		advise_number(s, out);
	else if (unrun_twist(s))
		advise(out,
			"Next time: run a design after each twist. You ran none after twist %zu.",
			unrun_twist(s));
	else if (o->met < o->stages)
		advise(out, "Next time: turn the one knob that the missed goal depends on, and say "
			    "before each run what you expect of it.");
	else if (s->stage < s->deal.n_twists)
		advise(out, "Next time: leave time for the twists. %s.",
			s->stage ? "Not all were told" : "None was told");
	else if (!answers_in(s, CASE_WRAP_UP))
		advise(out, "Next time: say aloud at the end what binds and what you would measure "
			    "first: nothing was said then.");
	else if (s->deal.level + 1 < N_CASE_LEVELS)
		advise(out, "Next time: take a higher level, or other numbers of the same case.");
	else
		advise(out, "Next time: take other numbers of the same case, or another case. This "
			    "is the highest level.");
}

void case_outcome_say(struct case_sitting *s, struct case_said *out)
{
	const struct outcome o = outcome_of(s);
	if (is_empty(s)) {
		case_say_at(out, TONE_OUTCOME, IN, 0,
			"It was ended before anything was %sestimated or designed: there is nothing "
			"to judge.",
			o.sees_facts ? "asked, " : "");
		if (o.sees_facts)
			advise(out, "Next time: ask for what decides: %s.",
				unasked(s, out, NEVER, o.must, "; "));
		return;
	}
	case_say_at(out, TONE_OUTCOME, IN, 0, "%s", sentence_of(s, &o, &out->arena));
	mark_facts(s, &o, out);
	mark_numbers(s, &o, out);
	mark_design(s, out);
	mark_twists(s, out);
	mark_wrap_up(s, out);
	const double cost = mark_cost(s, out);
	say_best(s, &o, cost, out);
	say_next(s, &o, out);
}
