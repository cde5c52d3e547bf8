/* The case's own talk answers what was heard (drills/case_talk.h); here lines become what it takes, and its
 * paragraphs Markdown. */
#include "ui/interviewer/interviewer_case.h"

#include "drills/case_plan.h"
#include "sims/quantity/quantity.h"
#include "ui/data/case_list.h"
#include "ui/practice/case_sheet.h"
#include "ui/practice/plain_text.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The phases of a case are those of an interview, twists in place of problems. */
static_assert((int)N_CASE_PHASES == (int)N_INTERVIEW_PHASES, "one stop for each");

/* --- Beginning --- */

/* Shares of the time by the work that the case has for each phase. */
static void plan_of(const struct case_sitting *s, struct interview_phase plan[])
{
	const struct sitting_plan p = case_plan_of(s, 0);
	for (int i = 0; i < N_CASE_PHASES; i++)
		plan[i] = (struct interview_phase){ .name = case_phase_names[i],
			.share = (double)(p.to_ms[i] - p.from_ms[i]) / (double)p.limit_ms,
			.advice = "" };
}

int interviewer_case_begin(
	struct interviewer *v, const struct tables *t, char *err, size_t err_size)
{
	const struct drill_request *r = &v->request;
	struct interviewer_case *k = calloc(1, sizeof *k);
	struct interview_phase plan[N_INTERVIEW_PHASES];
	v->at_case = k;
	if (!k) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	if (case_load(&k->c, t, r->case_id, err, err_size) ||
		case_sitting_begin(&k->sitting, &k->c, t, r->options.seed, r->level, err, err_size))
		return -1;
	k->sitting.minutes = r->minutes;
	k->sitting.company = CASE_LED;
	case_talk_begin(&k->talk, &k->sitting);
	k->first = k->last = k->talk.said.n;
	plan_of(&k->sitting, plan);
	session_talk(&v->session, plan, r->options.seed, 60.0 * r->minutes);
	return 0;
}

void interviewer_case_release(struct interviewer_case *k)
{
	if (!k)
		return;
	case_talk_release(&k->talk);
	case_sitting_release(&k->sitting);
	case_release(&k->c);
	free(k);
}

/* --- What was heard --- */

static bool begins_with(const char *text, const char *word)
{
	const size_t n = strlen(word);
	return strncmp(text, word, n) == 0 && (!text[n] || isspace((unsigned char)text[n]));
}

/* What ends or steers a candidate's own sitting. */
static bool is_theirs(const char *text)
{
	static const char *const words[] = { "end", "quit", "next", "release", "mark", "help" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (begins_with(text, words[i]))
			return true;
	return false;
}

/* "#3" or "3": the fact of that number; -1: it is none. */
static int fact_of(const struct interviewer_case *k, const char *text)
{
	char *end;
	text += *text == '#';
	const long n = strtol(text, &end, 10);
	return end != text && !*end && n >= 1 && n <= (long)k->c.n_facts ? (int)n - 1 : -1;
}

static void tell(struct interviewer_case *k, int fact)
{
	k->sitting.told[fact] = true;
	case_say(&k->talk.said, TONE_FACT, "%s: %s", k->c.facts[fact].name,
		case_tell(&k->sitting.deal, (size_t)fact, k->sitting.stage));
}

void interviewer_case_reach(struct interviewer_case *k, enum phase phase, int64_t clock_ms)
{
	if ((int)phase < (int)k->sitting.phase)
		k->sitting.phase = (enum case_phase)phase;
	case_sitting_reach(&k->sitting, (enum case_phase)phase, clock_ms);
}

void interviewer_case_times(
	const struct interviewer_case *k, int64_t clock_ms, struct interviewer_times *t)
{
	const struct sitting_plan p = case_plan_of(&k->sitting, clock_ms);
	const int phase = (int)k->sitting.phase;
	for (int i = phase; i < N_CASE_PHASES; i++)
		t->planned_ms[i] = p.to_ms[i] - p.from_ms[i] - (i == phase ? p.over_ms : 0);
	t->left_ms = p.over_ms ? -p.over_ms : p.to_ms[phase] - clock_ms;
	t->state = t->left_ms <= 0                ? TIMER_OVER
		   : t->left_ms <= CASE_MINUTE_MS ? TIMER_WRAP_UP
						  : TIMER_OK;
}

/* The line as the talk takes it. */
static void complete_line(
	const struct interviewer_case *k, enum phase phase, const char *text, char *line)
{
	char word[64];
	snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \t"), text);
	const bool number = phase == PHASE_ESTIMATE && case_sitting_anchor(&k->sitting, word) >= 0;
	const bool design = strchr(text, '=') && !begins_with(text, "design");
	snprintf(line, CASE_LINE_SIZE, "%s%s",
		number   ? "estimate "
		: design ? "design "
			 : "",
		text);
}

/* A line of theirs may move them to another phase, and moves the desk nowhere. */
static void do_line(struct interviewer_case *k, const char *line, int64_t clock_ms)
{
	struct case_sitting *s = &k->sitting;
	const enum case_phase here = s->phase;
	int64_t entered_ms[N_CASE_PHASES];
	memcpy(entered_ms, s->entered_ms, sizeof entered_ms);
	if (k->last_typed)
		s->phase = k->theirs;
	k->talk.typed = k->last_typed;
	case_talk_line(&k->talk, line, clock_ms);
	if (k->last_typed)
		k->theirs = s->phase;
	s->phase = here;
	memcpy(s->entered_ms, entered_ms, sizeof entered_ms);
}

/* "next" and "twist" on the candidate's side lead them on. */
static void see_phase(struct interviewer_case *k, const char *text)
{
	const bool twists = k->sitting.deal.n_twists > 0;
	if (strcmp(text, "next") == 0 && k->theirs < CASE_WRAP_UP)
		k->theirs += k->theirs == CASE_DESIGN && !twists ? 2 : 1;
	else if (strcmp(text, "twist") == 0 && twists && k->theirs < CASE_TWIST)
		k->theirs = CASE_TWIST;
}

bool interviewer_case_hear(struct interviewer_case *k, enum phase phase, const char *text,
	bool typed, int64_t clock_ms)
{
	char line[CASE_LINE_SIZE];
	text += strspn(text, " \t");
	k->n_typed += typed;
	k->talk.heard = k->talk.last_heard = NULL; /* of this line nothing yet */
	if (typed)
		see_phase(k, text);
	if (is_theirs(text) || (typed && begins_with(text, "twist")))
		return typed; /* of a candidate it is seen, and nothing more */
	const int fact = !typed && phase == PHASE_CLARIFY ? fact_of(k, text) : -1;
	if (fact >= 0)
		snprintf(line, sizeof line, "asked for #%d", fact + 1);
	else if (typed)
		snprintf(line, sizeof line, "%s", text);
	else
		complete_line(k, phase, text, line);
	k->last = k->talk.said.n;
	k->last_typed = typed;
	case_talk_echo(&k->talk, line);
	if (fact >= 0)
		tell(k, fact);
	else
		do_line(k, line, clock_ms);
	return true;
}

size_t interviewer_case_unticks(
	const struct interviewer_case *k, enum phase phase, const char *text)
{
	const int fact = phase == PHASE_CLARIFY ? fact_of(k, text + strspn(text, " \t")) : -1;
	return fact >= 0 && k->sitting.told[fact] ? (size_t)fact + 1 : 0;
}

bool interviewer_case_untell(struct interviewer_case *k, size_t number)
{
	char line[CASE_LINE_SIZE];
	if (number < 1 || number > k->c.n_facts || !k->sitting.told[number - 1])
		return false;
	snprintf(line, sizeof line, "not asked for #%zu", number);
	k->last = k->talk.said.n;
	k->last_typed = false;
	case_talk_echo(&k->talk, line);
	k->sitting.told[number - 1] = false;
	case_say(&k->talk.said, TONE_HINT, "%s: taken back, it is not told.",
		k->c.facts[number - 1].name);
	return true;
}

/* A fact has its tick, and a number its verdict beside its question: a design has nothing else. */
bool interviewer_case_shows_last(const struct interviewer_case *k, enum phase phase)
{
	enum { LINE_AND_ANSWER = 2 };
	return (phase == PHASE_DESIGN || phase == PHASE_DRILL) &&
	       k->talk.said.n > k->last + LINE_AND_ANSWER;
}

const struct case_paragraph *interviewer_case_answer(const struct interviewer_case *k)
{
	const struct case_said *said = &k->talk.said;
	if (said->n == k->first)
		return NULL;
	/* The first paragraph is the line itself. */
	return &said->list[k->last + 1 < said->n ? k->last + 1 : k->last];
}

bool interviewer_case_target(const struct interviewer_case *k, char *buf, size_t size)
{
	const struct dealt_case *d = &k->sitting.deal;
	double v[MAX_KNOBS];
	size_t used = (size_t)snprintf(buf, size, "%s", k->c.sim->id);
	if (case_design_lacks(d, &k->sitting.design))
		return false;
	case_knobs(d, k->sitting.stage, v);
	for (size_t i = 0; i < k->c.n_knobs; i++)
		v[k->c.knobs[i].knob] = k->sitting.design.v[k->c.knobs[i].knob];
	for (size_t i = 0; i < k->c.sim->n_knobs && used < size; i++) {
		const struct knob *knob = &k->c.sim->knobs[i];
		char value[64];
		if (v[i] != knob->dflt)
			used += (size_t)snprintf(buf + used, size - used, " %s=%s", knob->id,
				knob_write(knob, d->tables, v[i], value, sizeof value));
	}
	return used < size;
}

/* --- Markdown --- */

static void write_said(const struct interviewer_case *k, size_t from, FILE *out)
{
	for (size_t i = from; i < k->talk.said.n; i++) {
		const struct case_paragraph *p = &k->talk.said.list[i];
		const bool heard = p->tone == TONE_YOU;
		fprintf(out, "%s", heard ? "- **" : "  - ");
		markdown_escape(heard ? p->text + strspn(p->text, "> ") : p->text, out);
		fprintf(out, "%s\n", heard ? "**" : "");
	}
	fprintf(out, "\n");
}

void interviewer_case_heard(const struct interviewer_case *k, FILE *out)
{
	write_said(k, k->first, out);
}

void interviewer_case_last(const struct interviewer_case *k, FILE *out)
{
	write_said(k, k->last, out);
}

void interviewer_case_guide(struct interviewer_case *k, enum phase phase, int cols, FILE *out)
{
	case_sheet_phase(&k->sitting, (enum case_phase)phase, cols, out);
}

/* Those of the facts that were not told which must be, or need not: each on a line of its own. */
static void write_untold(const struct interviewer_case *k, bool must, const char *title, FILE *out)
{
	bool any = false;
	for (size_t i = 0; i < k->c.n_facts; i++) {
		if (k->sitting.told[i] || k->c.facts[i].must != must)
			continue;
		fprintf(out, "%s- ", any ? "" : title);
		markdown_escape(k->c.facts[i].name, out);
		fprintf(out, "\n");
		any = true;
	}
	fprintf(out, "%s", any ? "\n" : "");
}

static void write_facts(const struct interviewer_case *k, FILE *out)
{
	fprintf(out, "Told %zu of %zu facts.\n\n", case_facts_told(&k->sitting), k->c.n_facts);
	write_untold(k, true, "Not asked, though a design without it is a guess:\n\n", out);
	write_untold(k, false, "Not asked either:\n\n", out);
}

static void write_numbers(const struct interviewer_case *k, FILE *out)
{
	fprintf(out, "| number | said | verdict | it is |\n| --- | --- | --- | --- |\n");
	for (size_t i = 0; i < k->sitting.deal.variant.n_steps; i++) {
		const struct case_estimate *e = &k->sitting.estimates[i];
		const struct question *q = &k->sitting.deal.variant.steps[i].question;
		char key[64], name[CASE_NAME_SIZE];
		fprintf(out, "| ");
		markdown_escape(case_anchor_name(&k->sitting, i, name), out);
		fprintf(out, " | ");
		markdown_escape(e->given ? e->given : "", out);
		fprintf(out, " | %s | %s |\n", estimate_words[e->best],
			quantity_brief(key, sizeof key, q->key, q->unit));
	}
	fprintf(out, "\n");
}

static void write_runs(const struct interviewer_case *k, FILE *out)
{
	const struct case_sitting *s = &k->sitting;
	fprintf(out, "| designs | run | goals | the last |\n| --- | ---: | --- | --- |\n");
	for (size_t i = 0; i <= s->stage; i++) {
		char stage[32] = "before a twist", runs[32] = "none";
		if (i)
			snprintf(stage, sizeof stage, "after twist %zu", i);
		if (s->runs[i])
			snprintf(runs, sizeof runs, "%zu", s->runs[i]);
		fprintf(out, "| %s | %s | %s | ", stage, runs,
			!s->runs[i] ? ""
			: s->met[i] ? "met"
				    : "not met");
		markdown_escape(s->last_design[i] ? s->last_design[i] : "", out);
		fprintf(out, " |\n");
	}
	fprintf(out, "\n");
	if (s->guesses)
		fprintf(out, "%zu design%s run before all that must be known was asked.\n\n",
			s->guesses, s->guesses == 1 ? "" : "s");
}

void interviewer_case_result(const struct interviewer_case *k, FILE *out)
{
	write_facts(k, out);
	write_numbers(k, out);
	write_runs(k, out);
	for (size_t i = 0; i < k->sitting.n_said; i++) {
		fprintf(out, "%s\"", i ? "" : "Said aloud: ");
		markdown_escape(k->sitting.said[i], out);
		fprintf(out, "\"%s", i + 1 < k->sitting.n_said ? ", " : "\n\n");
	}
}

char *interviewer_case_count(
	const struct interviewer_case *k, enum phase phase, char *buf, size_t size)
{
	const struct case_sitting *s = &k->sitting;
	const struct design_case *c = s->deal.of;
	const size_t numbers = s->deal.variant.n_steps, told = case_facts_told(s),
		     left = case_facts_left(s), count = case_numbers_counting(s);
	*buf = '\0';
	if (phase == PHASE_CLARIFY && left)
		snprintf(buf, size, "%zu of %zu facts told, %zu still to be asked", told,
			c->n_facts, left);
	else if (phase == PHASE_CLARIFY)
		snprintf(buf, size, "%zu of %zu facts told", told, c->n_facts);
	else if (phase == PHASE_ESTIMATE)
		snprintf(buf, size, "%zu of %zu numbers count%s", count, numbers,
			count == 1 ? "s" : "");
	else if (k->talk.has_run)
		snprintf(buf, size, "%zu of %zu goals met", k->talk.run.n_met,
			k->talk.run.n_verdicts);
	return buf;
}
