#include "drills/case_debrief.h"

#include "drills/case_outcome.h"
#include "sims/quantity/quantity.h"

#include <stdio.h>
#include <string.h>

enum { DESIGN_SIZE = 600, IN = 2, DEEPER = 4 };

/* A paragraph of the debrief, and one of a list. */
#define tell(out, ...) case_say_at(out, TONE_DEBRIEF, IN, 0, __VA_ARGS__)
#define list(out, ...) case_say_at(out, TONE_DEBRIEF, IN, IN, __VA_ARGS__)
/* What a weak or a strong candidate does, further in. */
#define example(out, ...) case_say_at(out, TONE_DEBRIEF, DEEPER, 0, __VA_ARGS__)
/* The same, named by its first words. */
#define tell_of(out, ...) (tell(out, __VA_ARGS__), case_say_named(out))
#define example_of(out, ...) (example(out, __VA_ARGS__), case_say_named(out))

static void heading(struct case_said *out, const char *name, bool marked)
{
	case_say(out, TONE_HEADING, "%s%s", name, marked ? ", marked" : "");
	case_say_apart(out);
}

static void say_told(struct case_sitting *s, struct case_said *out)
{
	if (s->company != CASE_ALONE) {
		tell(out, "questions were asked aloud: your interviewer has what was asked");
		return;
	}
	char nothing[60] = "";
	if (s->unanswered)
		snprintf(
			nothing, sizeof nothing, ", %zu of them about nothing here", s->unanswered);
	const size_t must = case_facts_must(s), asked = must - case_facts_left(s),
		     late = asked - case_facts_in_time(s);
	char after[60] = "";
	if (late)
		snprintf(after, sizeof after, " (%zu only after a design was run)", late);
	tell(out,
		"asked %zu question%s%s: %zu of the %zu facts that decide%s, and %zu of %zu others",
		s->asked, s->asked == 1 ? "" : "s", nothing, asked, must, after,
		case_facts_told(s) - asked, s->deal.of->n_facts - must);
}

static void say_estimates(struct case_sitting *s, struct case_said *out)
{
	for (size_t i = 0; i < s->deal.variant.n_steps; i++) {
		const struct case_estimate *e = &s->estimates[i];
		const struct question *q = &s->deal.variant.steps[i].question;
		char key[64], name[CASE_NAME_SIZE], near[CASE_NEARNESS_SIZE];
		const bool corrected = e->given && strcmp(e->first, e->given) != 0;
		tell_of(out, "%s: %s%s%s%s%s%s; it is %s", case_anchor_name(s, i, name),
			e->given ? e->given : "", corrected ? ", first " : "",
			corrected ? e->first : "", e->given ? " (" : "",
			case_estimate_text(s, i, near), e->given ? ")" : "",
			quantity_brief(key, sizeof key, q->key, q->unit));
	}
}

static void say_stage(struct case_sitting *s, size_t stage, struct case_said *out)
{
	if (!s->runs[stage])
		list(out, "no design was run");
	else
		list(out, "%zu design%s run, %s; the last%s: %s", s->runs[stage],
			s->runs[stage] == 1 ? "" : "s",
			s->met[stage] ? "the goals were met" : "the goals were not met",
			s->met[stage] && !s->last_met[stage] ? ", which missed some" : "",
			s->last_words[stage]);
}

static void say_twists(struct case_sitting *s, struct case_said *out)
{
	if (!s->stage)
		tell(out, "no twist was told");
	for (size_t i = 1; i <= s->stage; i++) {
		tell(out, "%s", case_text(&s->deal, s->deal.of->twists[i - 1].say));
		say_stage(s, i, out);
		example(out, "%s", case_text(&s->deal, s->deal.of->twists[i - 1].good));
	}
}

static void say_aloud(struct case_sitting *s, enum case_phase phase, struct case_said *out)
{
	const char *question = NULL;
	for (size_t i = 0; i < s->n_said; i++) {
		if (s->said_in[i] != phase)
			continue;
		const char *to = s->said_to[i];
		if (to && (!question || strcmp(question, to) != 0))
			tell_of(out, "asked: %s", to);
		question = to;
		tell_of(out, "said: %s", s->said[i]);
	}
	if (!s->n_said && phase == CASE_WRAP_UP)
		tell(out, "nothing was said aloud");
}

static void say_done(struct case_sitting *s, enum case_phase phase, struct case_said *out)
{
	switch (phase) {
	case CASE_CLARIFY:
		say_told(s, out);
		return;
	case CASE_ESTIMATE:
		say_estimates(s, out);
		return;
	case CASE_DESIGN:
		say_stage(s, 0, out);
		if (s->guesses)
			tell(out, "%zu design%s run before all that must be known was asked",
				s->guesses, s->guesses == 1 ? "" : "s");
		return;
	case CASE_TWIST:
		say_twists(s, out);
		return;
	default:
		return;
	}
}

static void say_phase(struct case_sitting *s, enum case_phase phase, struct case_said *out)
{
	const struct case_rubric *r = &s->deal.of->rubric[phase];
	const int part = (int)phase + 1;
	heading(out, case_phase_names[phase], s->marks[phase]);
	case_say_rung(out, part, 0);
	say_done(s, phase, out);
	say_aloud(s, phase, out);
	for (size_t k = 0; k < CASE_MARKS; k++) {
		list(out, "%s%zu %s", s->marks[phase] == k + 1 ? "* " : "", k + 1,
			case_text(&s->deal, r->levels[k]));
		case_say_rung(out, part, (int)k + 1);
	}
	example_of(out, "weak: %s", case_text(&s->deal, r->weak));
	example_of(out, "strong: %s", case_text(&s->deal, r->strong));
}

/* As the facts were at the beginning, when they could have been asked for: a twist may have changed them. */
static void say_never_asked(struct case_sitting *s, struct case_said *out)
{
	const struct design_case *c = s->deal.of;
	bool any = false;
	/* What was asked aloud is not known here. */
	heading(out, s->company == CASE_ALONE ? "Never asked" : "What there was to ask for", false);
	for (size_t i = 0; i < c->n_facts; i++) {
		if (s->told[i])
			continue;
		any = true;
		list(out, "%s%s%s: %s %s", c->facts[i].name,
			s->asked_back[i] ? " (asked for so that it was not clear)" : "",
			c->facts[i].must ? " (a design without it is a guess)" : "",
			case_tell(&s->deal, i, 0), case_text(&s->deal, c->facts[i].why));
	}
	if (!any)
		tell(out, "nothing");
}

static void say_answers(struct case_sitting *s, struct case_said *out)
{
	heading(out, "Deeper", false);
	for (size_t i = 0; i < CASE_FOLLOW_UPS; i++) {
		const struct case_question *q = &s->deal.of->follow_ups[i];
		if (q->level <= s->deal.level)
			list(out, "%s A good answer: %s", case_text(&s->deal, q->ask),
				case_text(&s->deal, q->good));
	}
}

void case_debrief(struct case_sitting *s, struct case_said *out)
{
	struct case_design reference = case_known_design(&s->deal, &s->deal.reference[s->stage]);
	char text[DESIGN_SIZE];
	case_say(out, TONE_HEADING, "Debrief");
	case_outcome_say(s, out);
	tell_of(out, "What it is about: %s", case_text(&s->deal, s->deal.of->debrief));
	case_say_apart(out);
	tell_of(out, "A design that meets the goals as they stand now: %s",
		case_design_words(&s->deal, &reference, text, sizeof text));
	for (unsigned i = 0; i < N_CASE_PHASES; i++)
		say_phase(s, (enum case_phase)i, out);
	say_answers(s, out);
	say_never_asked(s, out);
	case_say(out, TONE_HINT, "mark PHASE 1 to %d sets your marks; quit ends.", CASE_MARKS);
	case_say_apart(out);
}
