/* The case's own talk answers what was heard (drills/case_talk.h); here lines become what it takes, and its
 * paragraphs Markdown. */
#include "ui/interviewer/interviewer_case.h"

#include "drills/case_outcome.h"
#include "drills/case_plan.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "ui/data/case_list.h"
#include "ui/practice/drill_summary.h"
#include "ui/practice/plain_text.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* A line of that word and nothing else. */
static bool is_word(const char *text, const char *word)
{
	const char *rest = case_after_word(text, word);
	return rest && !*rest;
}

static bool is_next_twist(const char *text)
{
	const char *rest = case_after_word(text, "next");
	return rest && is_word(rest, "twist");
}

/* What ends or steers a candidate's own sitting; "Help me see the load" does not. */
static bool is_theirs(const char *text)
{
	static const char *const words[] = { "end", "quit", "next", "help" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (is_word(text, words[i]))
			return true;
	return is_next_twist(text) || case_after_word(text, "release") ||
	       case_after_word(text, "mark");
}

/* "#3" or "3": the fact of that number; -1: it is none. */
static int fact_of(const struct interviewer_case *k, const char *text)
{
	char *end;
	text += *text == '#';
	const long n = strtol(text, &end, 10);
	return end != text && !*end && n >= 1 && n <= (long)k->c.n_facts ? (int)n - 1 : -1;
}

static bool asks_for_help(const char *text)
{
	return strcasecmp(text, "help") == 0 || strcasecmp(text, "hint") == 0 ||
	       strcmp(text, "?") == 0;
}

/* Digits alone. */
static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

enum desk_line interviewer_case_reads(
	const struct interviewer_case *k, enum phase phase, const char *text, char *line)
{
	static const char *const ordinals[CASE_OFFERS] = { "the first", "the second" };
	char plain[CASE_LINE_SIZE];
	snprintf(plain, sizeof plain, "%s", text + strspn(text, " \t"));
	for (size_t n = strlen(plain); n && isspace((unsigned char)plain[n - 1]); n--)
		plain[n - 1] = '\0';
	snprintf(line, CASE_LINE_SIZE, "%s", plain);
	if (asks_for_help(plain))
		return DESK_HELP;
	if (phase != PHASE_CLARIFY || !is_number(plain))
		return DESK_HEARD;
	const unsigned long n = strtoul(plain, NULL, 10);
	if (n < 1 || n > k->talk.offer.n)
		return DESK_NUMBER;
	snprintf(line, CASE_LINE_SIZE, "%s", ordinals[n - 1]);
	return DESK_HEARD;
}

char *interviewer_case_help(
	const struct interviewer_case *k, enum phase phase, char *buf, size_t size)
{
	const char *knob = case_knob_id(&k->sitting.deal, &k->c.knobs[0]);
	switch (phase) {
	case PHASE_CLARIFY:
		snprintf(buf, size,
			"Press a, then the candidate's question, #3 (ticks fact 3, or unticks it; #3 #7 "
			"both), or say WORDS.");
		break;
	case PHASE_ESTIMATE:
		snprintf(buf, size,
			"Press a, then 2 26 GB (the second number), a question, or say WORDS.");
		break;
	case PHASE_DESIGN:
		snprintf(buf, size,
			"Press a, then knobs, such as %s=... (they are run), a question, or say WORDS.",
			knob);
		break;
	case PHASE_DRILL:
		snprintf(buf, size,
			"Press t once a twist is told; a, then knobs, such as %s=..., a question, or say "
			"WORDS.",
			knob);
		break;
	default:
		snprintf(buf, size,
			"Press a, then follow (asks the next question), a question, or say WORDS.");
	}
	return buf;
}

static void tell(struct interviewer_case *k, size_t fact)
{
	k->sitting.told[fact] = true;
	case_say(&k->talk.said, TONE_FACT, "%s: %s", k->c.facts[fact].name,
		case_tell(&k->sitting.deal, fact, k->sitting.stage));
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
	for (int i = 0; i < N_CASE_PHASES; i++)
		t->minutes[i] = case_plan_minutes(&p, (enum case_phase)i);
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
	const bool design = strchr(text, '=') && !case_after_word(text, "design");
	snprintf(line, CASE_LINE_SIZE, "%s%s",
		number   ? "estimate "
		: design ? "design "
			 : "",
		text);
}

static bool has_changed_design(const struct case_design *was, const struct case_design *is)
{
	bool changed = false;
	for (size_t i = 0; i < MAX_KNOBS; i++)
		changed |= was->given[i] != is->given[i] || (is->given[i] && was->v[i] != is->v[i]);
	return changed;
}

/* A design that was typed is judged as the candidate's side judges it: by the twists that were typed there, and what it
 * does not say is as it was typed before. A twist that it answers has been told. False: the line is none, and nothing was
 * done. */
static bool judge_typed(struct interviewer_case *k, const char *line, int64_t clock_ms)
{
	struct case_sitting *s = &k->sitting;
	struct candidates_side *c = &k->theirs;
	const struct case_design heard = s->design;
	const size_t told = s->stage, runs = case_runs(s), number = k->talk.number_knob;
	s->design = c->design;
	s->stage = c->stage;
	k->talk.number_knob = c->number_knob;
	const bool designs =
		!k->talk.recorded && (is_word(line, "run") || case_talk_runs(&k->talk, line));
	if (designs)
		case_talk_line(&k->talk, line, clock_ms);
	const bool ran = case_runs(s) != runs;
	if (ran || has_changed_design(&c->design, &s->design)) {
		c->design = s->design;
		c->number_knob = k->talk.number_knob;
	} else {
		s->design = heard;
		k->talk.number_knob = number;
	}
	if (ran && c->stage < told)
		case_say(&k->talk.said, TONE_HINT,
			"Judged as on the candidate's side, before twist %zu: nobody typed twist "
			"there.",
			c->stage + 1);
	s->stage = ran && c->stage > told ? c->stage : told;
	return designs;
}

/* A line of theirs may move them to another phase, and moves the desk nowhere. */
static void do_line(struct interviewer_case *k, const char *line, bool typed, int64_t clock_ms)
{
	struct case_sitting *s = &k->sitting;
	const enum case_phase here = s->phase;
	int64_t entered_ms[N_CASE_PHASES];
	memcpy(entered_ms, s->entered_ms, sizeof entered_ms);
	if (typed)
		s->phase = k->theirs.phase;
	k->talk.typed = typed;
	if (!typed || !judge_typed(k, line, clock_ms))
		case_talk_line(&k->talk, line, clock_ms);
	if (typed)
		k->theirs.phase = s->phase;
	s->phase = here;
	memcpy(s->entered_ms, entered_ms, sizeof entered_ms);
}

static void see_twist(struct interviewer_case *k)
{
	if (k->sitting.deal.n_twists == 0)
		return;
	if (k->theirs.stage < k->sitting.deal.n_twists)
		k->theirs.stage++;
	if (k->theirs.phase < CASE_TWIST)
		k->theirs.phase = CASE_TWIST;
}

/* "next" and "twist" on the candidate's side lead them on; once verdicts are released, "next" tells a twist as well. */
static void see_step(struct interviewer_case *k, const char *text)
{
	struct candidates_side *c = &k->theirs;
	const bool twists = k->sitting.deal.n_twists > 0;
	const struct dealt_case *d = &k->sitting.deal;
	char word[CASE_WORD_SIZE];
	const char *said = case_after_word(text, "release");
	c->is_released |=
		said && is_word(said, case_release_word(k->c.id, d->seed, d->level, word));
	if (is_word(text, "twist") || is_next_twist(text) ||
		(is_word(text, "next") && c->is_released && c->phase == CASE_DESIGN && twists))
		see_twist(k);
	else if (is_word(text, "next") && c->phase < CASE_WRAP_UP)
		c->phase += c->phase == CASE_DESIGN && !twists ? 2 : 1;
}

/* What a candidate typed stays, and all that was heard before it. */
static void push_before(struct interviewer_case *k, bool typed)
{
	struct interviewer_before *b = typed ? NULL : arena_alloc(&k->talk.said.arena, sizeof *b);
	if (b)
		*b = (struct interviewer_before){ .sitting = k->sitting,
			.offer = k->talk.offer,
			.asked = k->talk.asked,
			.question = k->talk.question,
			.answering = k->talk.answering,
			.before = k->before };
	k->before = b;
}

/* Begins a line of the talk, and keeps how all was before it. */
static struct interviewer_line begin_line(struct interviewer_case *k, enum phase phase,
	const char *line, bool typed, int64_t clock_ms)
{
	const struct interviewer_line begun = {
		.from = k->talk.said.n, .at_ms = clock_ms, .in = phase, .typed = typed
	};
	k->sitting_before = k->sitting;
	push_before(k, typed);
	case_talk_echo(&k->talk, line);
	return begun;
}

static size_t tries_of(const struct case_sitting *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->deal.variant.n_steps; i++)
		n += s->estimates[i].tries;
	return n;
}

static bool has_designed(const struct case_sitting *was, const struct case_sitting *is)
{
	return case_runs(was) != case_runs(is) || has_changed_design(&was->design, &is->design);
}

/* Whether a line did something; lists, help, and what could not be read do not. */
static bool has_changed(const struct case_sitting *was, const struct case_sitting *is)
{
	return memcmp(was->told, is->told, sizeof is->told) != 0 || was->stage != is->stage ||
	       tries_of(was) != tries_of(is) || was->follow_ups != is->follow_ups ||
	       was->n_said != is->n_said || has_designed(was, is);
}

/* A question counts, whether it found a fact or not. */
static bool has_asked(const struct case_talk *t)
{
	return t->heard && t->heard->as != READ_NUMBER && t->heard->as != READ_WHICH &&
	       t->heard->as != READ_ESTIMATE;
}

/* The number that a line answered, from 1; 0: none. */
static size_t estimated_by(const struct case_sitting *was, const struct case_sitting *is)
{
	size_t i = 0;
	while (i < is->deal.variant.n_steps && was->estimates[i].tries == is->estimates[i].tries)
		i++;
	return i < is->deal.variant.n_steps ? i + 1 : 0;
}

/* The last line whose answer to a number counts; NULL: there is none. */
static const struct interviewer_line *counting_line(const struct interviewer_case *k, size_t anchor)
{
	const struct interviewer_line *found = NULL;
	for (size_t i = 0; i < k->n_lines; i++)
		if (k->lines[i].estimated == anchor + 1 && k->lines[i].counts)
			found = &k->lines[i];
	return found;
}

bool interviewer_case_both(const struct interviewer_case *k, size_t anchor,
	const struct interviewer_line **counts, const struct interviewer_line **other)
{
	*counts = counting_line(k, anchor);
	*other = NULL;
	for (size_t i = 0; *counts && i < k->n_lines; i++)
		if (k->lines[i].estimated == anchor + 1 && k->lines[i].typed != (*counts)->typed)
			*other = &k->lines[i];
	return *other != NULL;
}

/* An answer that is no better than one of the other side changes nothing here, and on the candidate's side it does. */
static void tell_which_counts(struct interviewer_case *k, const struct interviewer_line *line)
{
	const struct interviewer_line *counts =
		line->estimated && !line->counts ? counting_line(k, line->estimated - 1) : NULL;
	if (counts && counts->typed != line->typed)
		case_say(&k->talk.said, TONE_HINT,
			"Here the better answer counts: %s, which was %s.%s",
			k->sitting.estimates[line->estimated - 1].given,
			counts->typed ? "typed" : "heard",
			line->typed ? " On the candidate's side what was typed does." : "");
}

static void end_line(struct interviewer_case *k, struct interviewer_line line)
{
	struct case_sitting *s = &k->sitting;
	struct arena *a = &k->talk.said.arena;
	char whole[CASE_LINE_SIZE];
	const size_t runs_before = case_runs(&k->sitting_before);
	line.estimated = estimated_by(&k->sitting_before, s);
	line.counts = line.estimated && k->sitting_before.estimates[line.estimated - 1].given !=
						s->estimates[line.estimated - 1].given;
	tell_which_counts(k, &line);
	line.n = k->talk.said.n - line.from;
	line.of = line.typed ? (enum phase)k->theirs.phase : line.in;
	line.told_twist = !line.typed && s->stage != k->sitting_before.stage;
	line.kept_out =
		line.kept_out || (!has_asked(&k->talk) && !has_changed(&k->sitting_before, s));
	if (has_designed(&k->sitting_before, s))
		line.design =
			arena_text(a, case_design_write(&s->deal, &s->design, whole, sizeof whole));
	line.is_early = line.of == PHASE_DRILL && s->stage == 0 && case_runs(s) != runs_before;
	ARRAY_APPEND(a, k, lines, n_lines, lines_room, line);
}

static const struct interviewer_line *last_line(const struct interviewer_case *k)
{
	return k->n_lines ? &k->lines[k->n_lines - 1] : NULL;
}

bool interviewer_case_has_heard(const struct interviewer_case *k)
{
	return k->n_lines > 0;
}

bool interviewer_case_last_typed(const struct interviewer_case *k)
{
	return k->n_lines && last_line(k)->typed;
}

size_t interviewer_case_facts(const struct interviewer_case *k, enum phase phase, const char *text,
	size_t facts[MOST_FACTS])
{
	static const char between[] = " \t,;";
	char copy[CASE_LINE_SIZE], *rest = NULL;
	bool named[MOST_FACTS] = { false };
	size_t n = 0;
	snprintf(copy, sizeof copy, "%s", text);
	for (char *word = strtok_r(copy, between, &rest); word;
		word = strtok_r(NULL, between, &rest)) {
		const int fact = *word == '#' ? fact_of(k, word) : -1;
		if (strcmp(word, "and") == 0)
			continue;
		if (fact < 0)
			return 0;
		if (!named[fact])
			facts[n++] = (size_t)fact + 1;
		named[fact] = true;
	}
	return phase == PHASE_CLARIFY ? n : 0;
}

/* Those that a line of the desk ticks. In a record of before, several in a line were a question. */
static size_t ticked_by(const struct interviewer_case *k, enum phase phase, const char *text,
	size_t facts[MOST_FACTS])
{
	const int alone = phase == PHASE_CLARIFY ? fact_of(k, text) : -1;
	if (alone < 0)
		return k->talk.recorded ? 0 : interviewer_case_facts(k, phase, text, facts);
	facts[0] = (size_t)alone + 1;
	return 1;
}

/* "asked for #3 #7" */
static void write_ticks(const size_t facts[], size_t n, char *line)
{
	size_t used = (size_t)snprintf(line, CASE_LINE_SIZE, "asked for");
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(line + used, CASE_LINE_SIZE - used, " #%zu", facts[i]);
}

bool interviewer_case_hear(struct interviewer_case *k, enum phase phase, const char *text,
	bool typed, int64_t clock_ms)
{
	char line[CASE_LINE_SIZE];
	size_t facts[MOST_FACTS];
	text += strspn(text, " \t");
	k->n_typed += typed;
	k->talk.heard = k->talk.last_heard = NULL; /* of this line nothing yet */
	if (typed)
		see_step(k, text);
	if (is_theirs(text) || (typed && is_word(text, "twist")))
		return typed; /* of a candidate it is seen, and nothing more */
	if (asks_for_help(text))
		return true; /* in a record of before */
	const size_t n = typed ? 0 : ticked_by(k, phase, text, facts);
	if (n)
		write_ticks(facts, n, line);
	else if (typed)
		snprintf(line, sizeof line, "%s", text);
	else
		complete_line(k, phase, text, line);
	struct interviewer_line begun = begin_line(k, phase, line, typed, clock_ms);
	begun.ticked = n == 1 ? facts[0] : 0;
	for (size_t i = 0; i < n; i++)
		tell(k, facts[i] - 1);
	if (!n)
		do_line(k, line, typed, clock_ms);
	end_line(k, begun);
	return true;
}

/* The last line that ticked a fact by its number alone, from 1, which a tick taken back takes out of the report with
 * itself; 0: a question told it. */
static size_t tick_of(const struct interviewer_case *k, size_t number)
{
	for (size_t i = k->n_lines; i > 0; i--)
		if (k->lines[i - 1].ticked == number && !k->lines[i - 1].kept_out)
			return i;
	return 0;
}

bool interviewer_case_untell(
	struct interviewer_case *k, enum phase phase, size_t number, int64_t clock_ms)
{
	char line[CASE_LINE_SIZE];
	if (number < 1 || number > k->c.n_facts || !k->sitting.told[number - 1])
		return false;
	snprintf(line, sizeof line, "not asked for #%zu", number);
	k->talk.heard = k->talk.last_heard = NULL;
	struct interviewer_line begun = begin_line(k, phase, line, false, clock_ms);
	begun.took_back = tick_of(k, number);
	begun.kept_out = begun.took_back > 0;
	if (begun.took_back)
		k->lines[begun.took_back - 1].kept_out = true;
	k->sitting.told[number - 1] = false;
	case_say(&k->talk.said, TONE_HINT, "%s: taken back, it is not told.",
		k->c.facts[number - 1].name);
	end_line(k, begun);
	return true;
}

/* The desk stays where it is now; what it has run since is no longer there. */
bool interviewer_case_unhear(struct interviewer_case *k)
{
	struct case_sitting *s = &k->sitting, was;
	struct case_talk *t = &k->talk;
	const struct interviewer_before *before = k->before;
	if (!k->n_lines || !before)
		return false;
	const struct interviewer_line *line = last_line(k);
	was = before->sitting;
	if (line->took_back)
		k->lines[line->took_back - 1].kept_out = false;
	if (case_runs(s) != case_runs(&was)) {
		case_run_release(&t->run);
		t->has_run = false;
	}
	was.deal = s->deal;
	was.means = s->means;
	was.phase = s->phase;
	memcpy(was.entered_ms, s->entered_ms, sizeof was.entered_ms);
	*s = was;
	t->offer = before->offer;
	t->asked = before->asked;
	t->question = before->question;
	t->answering = before->answering;
	t->heard = t->last_heard = NULL;
	t->said.n = line->from;
	k->n_lines--;
	k->before = before->before;
	return true;
}

/* --- What is shown of it --- */

bool interviewer_case_has_twist(const struct interviewer_case *k)
{
	return k->sitting.stage < k->sitting.deal.n_twists;
}

bool interviewer_case_is_early(const struct interviewer_case *k)
{
	const struct interviewer_line *line = last_line(k);
	return line && line->is_early;
}

/* A fact has its tick, and a number its verdict beside its question: a design has nothing else. */
bool interviewer_case_shows_last(const struct interviewer_case *k, enum phase phase)
{
	enum { LINE_AND_ANSWER = 2 };
	const struct interviewer_line *line = last_line(k);
	return line && line->of == phase && (phase == PHASE_DESIGN || phase == PHASE_DRILL) &&
	       line->n > LINE_AND_ANSWER;
}

static const struct case_paragraph *paragraph_of(
	const struct interviewer_case *k, const struct interviewer_line *line, size_t i)
{
	return i + 1 < line->n ? &k->talk.said.list[line->from + 1 + i] : NULL;
}

const struct case_paragraph *interviewer_case_answer(
	const struct interviewer_case *k, enum phase phase, size_t i)
{
	const struct interviewer_line *line = last_line(k);
	/* What a twist says stands on its page already. */
	if (!line || line->in != phase || (line->told_twist && phase == PHASE_DRILL))
		return NULL;
	const struct case_paragraph *p = paragraph_of(k, line, i),
				    *first = paragraph_of(k, line, 0);
	const bool is_more = p && i && first->tone == TONE_FACT &&
			     (p->tone == TONE_FACT || p->tone == TONE_HINT);
	const bool goes_on = is_more || (p && line->estimated && p->tone == TONE_HINT);
	return i == 0 || goes_on ? p : NULL;
}

bool interviewer_case_has_design(const struct interviewer_case *k)
{
	return !case_design_lacks(&k->sitting.deal, &k->sitting.design);
}

bool interviewer_case_target(const struct interviewer_case *k, char *buf, size_t size)
{
	const struct dealt_case *d = &k->sitting.deal;
	double v[MAX_KNOBS];
	size_t used = (size_t)snprintf(buf, size, "%s", k->c.sim->id);
	case_knobs(d, k->sitting.stage, v);
	for (size_t i = 0; i < k->c.n_knobs; i++)
		if (k->sitting.design.given[k->c.knobs[i].knob])
			v[k->c.knobs[i].knob] = k->sitting.design.v[k->c.knobs[i].knob];
	for (size_t i = 0; i < k->c.sim->n_knobs && used < size; i++) {
		const struct knob *knob = &k->c.sim->knobs[i];
		char value[64];
		if (v[i] != knob_default(knob, d->tables))
			used += (size_t)snprintf(buf + used, size - used, " %s=%s", knob->id,
				knob_write(knob, d->tables, v[i], value, sizeof value));
	}
	return used < size;
}

/* --- Markdown --- */

/* Without the signs that an echo begins with; of a design all of it, where a line names what changes. */
static const char *words_of(const struct interviewer_case *k, const struct interviewer_line *line)
{
	assert(k->talk.said.list != NULL); /* the line is there */
	const char *echo = k->talk.said.list[line->from].text;
	return line->design ? line->design : echo + strspn(echo, "> ");
}

static void write_answer(
	const struct interviewer_case *k, const struct interviewer_line *line, FILE *out)
{
	const struct case_paragraph *p;
	for (size_t i = 0; (p = paragraph_of(k, line, i)); i++) {
		fprintf(out, "  - ");
		markdown_escape(p->text, out);
		fprintf(out, "\n");
	}
}

static void write_line(
	const struct interviewer_case *k, const struct interviewer_line *line, FILE *out)
{
	char at[32];
	fprintf(out, "- %s %s**", drill_clock_text(line->at_ms, at, sizeof at),
		line->typed ? "typed " : "");
	markdown_escape(words_of(k, line), out);
	fprintf(out, "**\n");
	write_answer(k, line, out);
}

static void write_lines_in(const struct interviewer_case *k, enum phase phase, FILE *out)
{
	bool any = false;
	for (size_t i = 0; i < k->n_lines; i++) {
		const struct interviewer_line *line = &k->lines[i];
		if (line->in != phase || line->kept_out)
			continue;
		if (!any)
			fprintf(out, "**Heard in %s**\n\n", case_phase_names[phase]);
		write_line(k, line, out);
		any = true;
	}
	fprintf(out, "%s", any ? "\n" : "");
}

void interviewer_case_heard(const struct interviewer_case *k, FILE *out)
{
	for (int i = 0; i < N_CASE_PHASES; i++)
		write_lines_in(k, (enum phase)i, out);
}

/* The question that the last design leads to, in the phases where it is asked. */
static const struct case_run *asking_run(const struct interviewer_case *k, enum phase phase)
{
	const bool asks = phase == PHASE_DESIGN || phase == PHASE_DRILL;
	return asks && k->talk.has_run && k->talk.run_stage == k->sitting.stage ? &k->talk.run
										: NULL;
}

/* Facts to be read out, as all that is. */
static void write_tells(
	const struct interviewer_case *k, const struct interviewer_line *line, FILE *out)
{
	const struct case_paragraph *p;
	fprintf(out, "# TELL\n\n");
	for (size_t i = 0; (p = paragraph_of(k, line, i)); i++) {
		const char *bold = p->tone == TONE_FACT ? "**" : "";
		fprintf(out, "%s> %s", i ? "  \n" : "", bold);
		markdown_escape(p->text, out);
		fprintf(out, "%s", bold);
	}
	fprintf(out, "\n\n");
}

/* What it came to, without the question: that stands where it is read out. */
static void write_heard(const struct interviewer_case *k, const struct interviewer_line *line,
	enum phase phase, FILE *out)
{
	const struct case_run *run = asking_run(k, phase);
	const struct case_paragraph *p;
	/* What it came to stands in the heading, and what was heard right below. */
	p = paragraph_of(k, line, 0);
	fprintf(out, "### HEARD%s", p ? ": " : "");
	markdown_escape(p ? p->text : "", out);
	fprintf(out, "\n\n- ");
	markdown_escape(words_of(k, line), out);
	fprintf(out, "\n");
	for (size_t i = 1; (p = paragraph_of(k, line, i)); i++) {
		const size_t box = p->box == BOX_NONE ? 0 : CASE_BOX_BYTES;
		if (run && p->tone == TONE_INTERVIEWER)
			continue;
		fprintf(out, "- ");
		fwrite(p->text, 1, box, out);
		markdown_escape(p->text + box, out);
		fprintf(out, "\n");
	}
	fprintf(out, "\n");
}

void interviewer_case_last(const struct interviewer_case *k, enum phase phase, FILE *out)
{
	const struct interviewer_line *line = last_line(k);
	const struct case_paragraph *first = line ? paragraph_of(k, line, 0) : NULL;
	/* What a twist says stands on its page. */
	if (!line || (line->in != phase && line->of != phase) ||
		(line->told_twist && phase == PHASE_DRILL))
		return;
	if (first && first->tone == TONE_FACT && !line->typed)
		write_tells(k, line, out);
	else
		write_heard(k, line, phase, out);
}

static struct case_room room_of(
	const struct interviewer_case *k, enum phase phase, struct case_room room)
{
	const struct case_run *run = asking_run(k, phase);
	room.ask = run ? run->ask : NULL;
	room.good = run ? run->good : NULL;
	return room;
}

void interviewer_case_guide(
	struct interviewer_case *k, enum phase phase, struct case_room room, FILE *out)
{
	case_sheet_phase(&k->sitting, (enum case_phase)phase, room_of(k, phase, room), out);
}

void interviewer_case_rubric(
	struct interviewer_case *k, enum phase phase, struct case_room room, FILE *out)
{
	case_sheet_rubric(&k->sitting, (enum case_phase)phase, room_of(k, phase, room), out);
}

/* Those of the facts that were not told which must be, or need not. */
static void write_untold(const struct interviewer_case *k, bool must, const char *title, FILE *out)
{
	bool any = false;
	for (size_t i = 0; i < k->c.n_facts; i++) {
		if (k->sitting.told[i] || k->c.facts[i].must != must)
			continue;
		fprintf(out, "%s", any ? "; " : title);
		markdown_escape(k->c.facts[i].name, out);
		any = true;
	}
	fprintf(out, "%s", any ? ".\n\n" : "");
}

static void write_facts(const struct interviewer_case *k, FILE *out)
{
	fprintf(out, "**Told %zu of %zu facts.**\n\n", case_facts_told(&k->sitting), k->c.n_facts);
	write_untold(k, true, "**Not asked, though a design without it is a guess:** ", out);
	write_untold(k, false, "Not asked either: ", out);
}

/* The answer that counts; where both sides gave one, also what the other was. */
static void write_given(const struct interviewer_case *k, size_t anchor, FILE *out)
{
	const struct case_estimate *e = &k->sitting.estimates[anchor];
	const struct interviewer_line *counts, *other;
	markdown_escape(e->given ? e->given : "", out);
	if (!interviewer_case_both(k, anchor, &counts, &other))
		return;
	fprintf(out, " (%s; %s: ", counts->typed ? "typed" : "heard",
		other->typed ? "typed" : "heard");
	markdown_escape(words_of(k, other), out);
	fprintf(out, ")");
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
		write_given(k, i, out);
		fprintf(out, " | %s | %s |\n", estimate_words[e->best],
			quantity_brief(key, sizeof key, q->key, q->unit));
	}
	fprintf(out, "\n");
}

static void write_design(size_t met, size_t goals, const char *design, FILE *out)
{
	fprintf(out, "%zu of %zu | ", met, goals);
	markdown_escape(design ? design : "", out);
	fprintf(out, " |\n");
}

/* The best of a stage, and the last where that is another one: each with what it met. */
static void write_stage(const struct case_sitting *s, size_t i, const char *name, FILE *out)
{
	const char *best = s->best_design[i], *last = s->last_design[i];
	const bool other = best && last && strcmp(best, last) != 0;
	fprintf(out, "| %s%s | %zu | ", name, other ? ": the best" : "", s->runs[i]);
	write_design(s->most_met[i], s->goals[i], best, out);
	if (!other)
		return;
	fprintf(out, "| the last |  | ");
	write_design(s->last_n_met[i], s->goals[i], last, out);
}

static void write_runs(const struct interviewer_case *k, FILE *out)
{
	const struct case_sitting *s = &k->sitting;
	fprintf(out, "| designs | run | goals met | design |\n| --- | ---: | --- | --- |\n");
	for (size_t i = 0; i <= s->stage; i++) {
		char stage[32] = "before a twist";
		if (i)
			snprintf(stage, sizeof stage, "after twist %zu", i);
		if (s->runs[i])
			write_stage(s, i, stage, out);
		else
			fprintf(out, "| %s | none |  |  |\n", stage);
	}
	fprintf(out, "\n");
	if (s->guesses)
		fprintf(out, "%zu design%s run before all that must be known was asked.\n\n",
			s->guesses, s->guesses == 1 ? "" : "s");
}

void interviewer_case_outcome(const struct interviewer_case *k, FILE *out)
{
	struct arena a = { .failed = false };
	fprintf(out, "**");
	markdown_escape(case_outcome_heard(&k->sitting, &a), out);
	fprintf(out, "**\n\n");
	arena_release(&a);
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
	const size_t numbers = s->deal.variant.n_steps, must = case_facts_must(s),
		     left = case_facts_left(s), count = case_numbers_counting(s);
	*buf = '\0';
	if (phase == PHASE_CLARIFY && left)
		snprintf(buf, size, "%zu of the %zu that decide told, %zu to go", must - left, must,
			left);
	else if (phase == PHASE_CLARIFY)
		snprintf(buf, size, "all %zu that decide told", must);
	else if (phase == PHASE_ESTIMATE)
		snprintf(buf, size, "%zu of %zu numbers count%s", count, numbers,
			count == 1 ? "s" : "");
	else if (k->talk.has_run)
		snprintf(buf, size, "%zu of %zu goals met", k->talk.run.n_met,
			k->talk.run.n_verdicts);
	return buf;
}
