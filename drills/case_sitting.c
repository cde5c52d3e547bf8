#include "drills/case_sitting.h"

#include "drills/case_number.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double exact_within = 0.05;

const char *const estimate_words[] = { [ESTIMATE_NONE] = "not estimated",
	[ESTIMATE_OFF] = "off",
	[ESTIMATE_COUNTS] = "counts: within a factor of 1.3",
	[ESTIMATE_EXACT] = "exact: within 5 %" };

int case_sitting_begin(struct case_sitting *s, const struct design_case *c, const struct tables *t,
	uint64_t seed, enum case_level level, char *err, size_t err_size)
{
	*s = (struct case_sitting){ .minutes = CASE_MINUTES };
	for (size_t i = 0; i < LENGTH(s->cost); i++)
		s->cost[i] = NAN;
	return case_deal(&s->deal, c, t, seed, level, err, err_size);
}

void case_sitting_release(struct case_sitting *s)
{
	case_deal_release(&s->deal);
	*s = (struct case_sitting){ .stage = 0 };
}

char *case_release_word(
	const char *id, uint64_t seed, enum case_level level, char buf[CASE_WORD_SIZE])
{
	static const char consonants[] = "bdfgklmnprstvz", vowels[] = "aeiou";
	struct rng r = rng_stream(seed, id, (uint64_t)level + 1);
	for (size_t i = 0; i + 1 < CASE_WORD_SIZE; i++)
		buf[i] = i % 2 ? vowels[rng_below(&r, sizeof vowels - 1)]
			       : consonants[rng_below(&r, sizeof consonants - 1)];
	buf[CASE_WORD_SIZE - 1] = '\0';
	return buf;
}

int64_t case_twist_ms(const struct case_sitting *s, size_t twist)
{
	assert(twist < s->deal.n_twists);
	return (int64_t)s->deal.of->twists[twist].at_min * CASE_MINUTE_MS * s->minutes /
	       CASE_MINUTES;
}

size_t case_runs(const struct case_sitting *s)
{
	size_t n = 0;
	for (size_t i = 0; i <= s->deal.n_twists; i++)
		n += s->runs[i];
	return n;
}

void case_sitting_tell(struct case_sitting *s, size_t fact)
{
	if (!s->told[fact])
		s->late[fact] = case_runs(s) > 0 && s->company == CASE_ALONE;
	s->told[fact] = true;
}

void case_sitting_asked(struct case_sitting *s, const struct case_match *m)
{
	s->asked++;
	s->unanswered += m->kind == MATCH_NOTHING;
	for (size_t i = 0; i < m->n && m->kind == MATCH_FACT; i++)
		case_sitting_tell(s, m->facts[i]);
}

bool case_design_is_due(const struct case_sitting *s)
{
	return s->phase == CASE_DESIGN || s->phase == CASE_TWIST;
}

/* Where a question is about one of something, "how long does a token take", what is said per token is said of it. Cuts
 * that off. False: the line does not end so. */
static bool cut_per(const char *asks, char *line)
{
	static const char *const signs[] = { " per ", "/" }, *const ones[] = { "one", "a", "an",
		"each", "per" };
	for (size_t i = 0; i < LENGTH(signs); i++) {
		char *at = strstr(line, signs[i]), one[64];
		if (!at)
			continue;
		const char *thing = at + strlen(signs[i]);
		const size_t n = strcspn(thing, " ,.;");
		for (size_t k = 0; n && k < LENGTH(ones); k++) {
			snprintf(one, sizeof one, " %s %.*s", ones[k], (int)n, thing);
			if (!strstr(asks, one))
				continue;
			*at = '\0';
			return true;
		}
	}
	return false;
}

static bool read_number(const struct case_sitting *s, size_t anchor, const char *text,
	bool unit_asked, struct grade *grade)
{
	enum { SAID_SIZE = 1000 };
	const struct variant_step *step = &s->deal.variant.steps[anchor];
	char line[SAID_SIZE];
	struct grade of_one;
	if (case_number_read(&step->question, text, unit_asked, grade))
		return true;
	snprintf(line, sizeof line, "%s", text);
	if (!cut_per(step->asks, line) ||
		!case_number_read(&step->question, line, unit_asked, &of_one))
		return false;
	*grade = of_one;
	return true;
}

bool case_sitting_reads(
	const struct case_sitting *s, size_t anchor, const char *text, struct grade *grade)
{
	assert(anchor < s->deal.variant.n_steps);
	return read_number(s, anchor, text, false, grade);
}

/* The mistake that is nearest, where grading named none because the answer is rounded. */
static void name_mistake(const struct question *q, struct grade *g)
{
	double nearest = exact_within;
	for (size_t i = 0; i < q->n_mistakes && g->verdict == VERDICT_WRONG; i++) {
		const struct mistake *m = &q->mistakes[i];
		const double off = fabs(g->value / m->value - 1);
		if (off <= nearest)
			snprintf(g->remark, sizeof g->remark, "%.300s?", m->name);
		nearest = off < nearest ? off : nearest;
	}
}

enum estimate case_sitting_estimate(
	struct case_sitting *s, size_t anchor, const char *text, struct grade *grade)
{
	assert(anchor < s->deal.variant.n_steps);
	const struct question *q = &s->deal.variant.steps[anchor].question;
	struct case_estimate *e = &s->estimates[anchor];
	const bool read = read_number(s, anchor, text, e->unit_asked, grade);
	e->unit_asked = grade->verdict == VERDICT_NEED_UNIT;
	if (!read)
		return ESTIMATE_NONE;
	name_mistake(q, grade);
	if (!e->first)
		e->first = arena_text(&s->deal.arena, text);
	enum estimate now =
		grade->verdict != VERDICT_CORRECT ? ESTIMATE_OFF
		: fabs(question_rounded(q, grade->value) - q->key) <= exact_within * fabs(q->key)
			? ESTIMATE_EXACT
			: ESTIMATE_COUNTS;
	e->tries++;
	if (now < e->best)
		return now;
	e->given = arena_text(&s->deal.arena, text);
	e->best = now;
	return now;
}

char *case_nearness(const struct case_sitting *s, size_t anchor, double value, enum estimate is,
	char buf[CASE_NEARNESS_SIZE])
{
	static const double tenth = 10;
	const struct question *q = &s->deal.variant.steps[anchor].question;
	const double percent = 100 * fabs(question_rounded(q, value) / q->key - 1);
	const char *word = is == ESTIMATE_EXACT ? "right" : "counts";
	/* No percentage is of nothing, and none is said that would read as 0. */
	if (!isfinite(percent) || percent < 0.05)
		snprintf(buf, CASE_NEARNESS_SIZE, "%s", word);
	else
		snprintf(buf, CASE_NEARNESS_SIZE, "%s, %.*f %% off", word, percent < tenth ? 1 : 0,
			percent);
	return buf;
}

char *case_estimate_text(const struct case_sitting *s, size_t anchor, char buf[CASE_NEARNESS_SIZE])
{
	const struct case_estimate *e = &s->estimates[anchor];
	struct grade g;
	if (e->best >= ESTIMATE_COUNTS && e->given && case_sitting_reads(s, anchor, e->given, &g))
		return case_nearness(s, anchor, g.value, e->best, buf);
	snprintf(buf, CASE_NEARNESS_SIZE, "%s", estimate_words[e->best]);
	return buf;
}

size_t case_facts_told(const struct case_sitting *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->deal.of->n_facts; i++)
		n += s->told[i];
	return n;
}

size_t case_facts_must(const struct case_sitting *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->deal.of->n_facts; i++)
		n += s->deal.of->facts[i].must;
	return n;
}

size_t case_facts_left(const struct case_sitting *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->deal.of->n_facts; i++)
		n += s->deal.of->facts[i].must && !s->told[i];
	return n;
}

size_t case_facts_in_time(const struct case_sitting *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->deal.of->n_facts; i++)
		n += s->deal.of->facts[i].must && s->told[i] && !s->late[i];
	return n;
}

bool case_may_run(const struct case_sitting *s)
{
	const struct design_case *c = s->deal.of;
	bool told = case_facts_left(s) == 0;
	for (size_t i = 0; i < c->n_goals; i++)
		told &= c->goals[i].fact < 0 || s->told[c->goals[i].fact];
	/* Whoever ran one has seen the goals, and a twist says itself what it changes. */
	return told || case_runs(s) > 0 || s->company != CASE_ALONE;
}

size_t case_numbers_given(const struct case_sitting *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->deal.variant.n_steps; i++)
		n += s->estimates[i].given != NULL;
	return n;
}

size_t case_numbers_counting(const struct case_sitting *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->deal.variant.n_steps; i++)
		n += s->estimates[i].best >= ESTIMATE_COUNTS;
	return n;
}

int case_sitting_anchor(const struct case_sitting *s, const char *word)
{
	for (size_t i = 0; i < s->deal.variant.n_steps; i++)
		if (strcmp(s->deal.of->drill.steps[i].name, word) == 0 ||
			(strlen(word) == 1 && word[0] == (char)('1' + (int)i)))
			return (int)i;
	return -1;
}

char *case_anchor_name(const struct case_sitting *s, size_t anchor, char buf[CASE_NAME_SIZE])
{
	snprintf(buf, CASE_NAME_SIZE, "%s", s->deal.of->drill.steps[anchor].name);
	for (char *p = buf; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	return buf;
}

char *case_anchor_unit(const struct case_sitting *s, size_t anchor, char buf[CASE_NAME_SIZE])
{
	const char *unit = s->deal.variant.steps[anchor].question.shown_unit;
	snprintf(buf, CASE_NAME_SIZE, "%s%s", *unit ? " " : "", unit);
	return buf;
}

/* Whether a run is better than those of its stage before it. */
static bool is_best(const struct case_sitting *s, const struct case_run *r)
{
	if (!s->runs[s->stage])
		return true;
	if (s->met[s->stage])
		return r->met && r->cost < s->cost[s->stage];
	return r->n_met > s->most_met[s->stage];
}

int case_sitting_run(struct case_sitting *s, struct case_run *out)
{
	char text[400], words[600];
	if (case_run_by(&s->deal, s->stage, &s->design, &s->means, out))
		return -1;
	const bool best = is_best(s, out);
	s->guesses += case_facts_left(s) > 0;
	s->runs[s->stage]++;
	s->met[s->stage] |= out->met;
	if (out->met)
		s->cost[s->stage] = fmin(s->cost[s->stage], out->cost);
	s->last_met[s->stage] = out->met;
	s->goals[s->stage] = out->n_verdicts;
	if (s->most_met[s->stage] < out->n_met)
		s->most_met[s->stage] = out->n_met;
	s->last_design[s->stage] = arena_text(
		&s->deal.arena, case_design_write(&s->deal, &s->design, text, sizeof text));
	s->last_n_met[s->stage] = out->n_met;
	if (best)
		s->best_design[s->stage] = s->last_design[s->stage];
	s->last_words[s->stage] = arena_text(
		&s->deal.arena, case_design_words(&s->deal, &s->design, words, sizeof words));
	return 0;
}

const struct case_twist *case_sitting_twist(struct case_sitting *s, int64_t now_ms)
{
	if (s->stage == s->deal.n_twists)
		return NULL;
	const struct case_twist *w = &s->deal.of->twists[s->stage];
	if (now_ms >= 0 && (s->company != CASE_ALONE || now_ms < case_twist_ms(s, s->stage)))
		return NULL;
	s->stage++;
	return w;
}

const struct case_question *case_sitting_follow_up(struct case_sitting *s)
{
	while (s->follow_ups < CASE_FOLLOW_UPS) {
		const struct case_question *q = &s->deal.of->follow_ups[s->follow_ups++];
		if (q->level <= s->deal.level)
			return q;
	}
	return NULL;
}

void case_sitting_reach(struct case_sitting *s, enum case_phase phase, int64_t now_ms)
{
	while (s->phase < phase)
		s->entered_ms[++s->phase] = now_ms;
}

void case_sitting_say(struct case_sitting *s, const char *question, const char *text)
{
	if (s->n_said == MOST_SAID)
		return;
	s->said_in[s->n_said] = s->phase;
	s->said_to[s->n_said] = question ? arena_text(&s->deal.arena, question) : NULL;
	s->said[s->n_said++] = arena_text(&s->deal.arena, text);
}
