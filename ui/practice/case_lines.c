/* The words that do something are rows of a table; any other line is a question. */
#include "ui/practice/case_lines.h"

#include "ui/practice/case_sheet.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1000, MOST_DESIGN_WORDS = 40 };

/* --- Writing --- */

static void write_hung(FILE *out, int hang, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void write_hung(FILE *out, int hang, const char *fmt, ...)
{
	char text[6000];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	case_write(out, text, 0, hang);
}

#define say(out, ...) write_hung(out, 0, __VA_ARGS__)
/* One of a list: what does not fit its line stands further in. */
#define item(out, ...) write_hung(out, 4, __VA_ARGS__)

/* --- Facts --- */

static void ask(struct case_sitting *s, const char *question, FILE *out)
{
	const struct design_case *c = s->deal.of;
	struct case_match m = case_sitting_ask(s, question);
	if (m.kind == MATCH_NOTHING)
		say(out, "Nothing on that.");
	else if (m.kind == MATCH_FACT)
		say(out, "%s", case_tell(&s->deal, m.fact, s->stage));
	else
		say(out, "One at a time: %s, or %s?", c->facts[m.fact].name,
			c->facts[m.other].name);
}

static bool do_facts(struct case_sitting *s, const char *rest, FILE *out)
{
	bool any = false;
	if (*rest)
		return false;
	for (size_t i = 0; i < s->deal.of->n_facts; i++)
		if (s->told[i]) {
			any = true;
			item(out, "%s: %s", s->deal.of->facts[i].name,
				case_tell(&s->deal, i, s->stage));
		}
	if (!any)
		say(out, "You were told nothing yet. Ask.");
	return true;
}

/* --- Estimates --- */

static void list_anchors(const struct case_sitting *s, FILE *out)
{
	for (size_t i = 0; i < s->deal.variant.n_steps; i++)
		item(out, "%zu %s: %s (%s)", i + 1, s->deal.of->drill.steps[i].name,
			s->deal.variant.steps[i].asks, estimate_words[s->estimates[i].best]);
	say(out,
		"estimate NUMBER ANSWER answers one. Within a factor of 1.3 counts, within 5 %% is "
		"exact.");
}

static void estimate(struct case_sitting *s, size_t anchor, const char *answer, FILE *out)
{
	struct grade g;
	enum estimate e = case_sitting_estimate(s, anchor, answer, &g);
	const char *understood = *g.understood ? g.understood : answer;
	if (e == ESTIMATE_NONE)
		say(out, "%s", *g.remark ? g.remark : verdict_words[g.verdict]);
	else if (e == ESTIMATE_OFF)
		say(out, "%s: off%s%s.", understood, *g.remark ? ": " : "", g.remark);
	else
		say(out, "%s: %s. %s", understood, estimate_words[e],
			s->deal.variant.steps[anchor].working);
}

/* False: it is no estimate, but a question that begins with that word. */
static bool do_estimate(struct case_sitting *s, const char *rest, FILE *out)
{
	char word[LINE_SIZE];
	size_t n = strcspn(rest, " \t");
	if (!*rest) {
		list_anchors(s, out);
		return true;
	}
	snprintf(word, sizeof word, "%.*s", (int)n, rest);
	int anchor = case_sitting_anchor(s, word);
	rest += n + strspn(rest + n, " \t");
	if (anchor < 0)
		return false;
	if (*rest)
		estimate(s, (size_t)anchor, rest, out);
	else
		say(out, "%s", s->deal.variant.steps[anchor].asks);
	return true;
}

/* --- The design --- */

static void list_knobs(const struct case_sitting *s, FILE *out)
{
	const struct dealt_case *d = &s->deal;
	for (size_t i = 0; i < d->of->n_knobs; i++) {
		const struct case_knob *k = &d->of->knobs[i];
		const struct knob *knob = &d->of->sim->knobs[k->knob];
		char choices[300], now[64] = "";
		case_knob_choices(d, k, choices, sizeof choices);
		if (s->design.given[k->knob])
			knob_write(knob, d->tables, s->design.v[k->knob], now, sizeof now);
		item(out, "%s%s%s: %s (%s)", knob->id, *now ? "=" : "", now, k->ask, choices);
	}
	say(out, "design %s=... %s runs it; a later one need only say what changes.",
		d->of->sim->knobs[d->of->knobs[0].knob].id,
		d->of->n_knobs > 1 ? "and the others" : "");
}

static void write_verdicts(struct case_sitting *s, const struct case_run *r, FILE *out)
{
	for (size_t i = 0; i < r->n_verdicts; i++) {
		const struct case_verdict *v = &r->verdicts[i];
		const struct case_goal *g = v->goal;
		bool unasked = g->fact >= 0 && !s->told[g->fact];
		item(out, "%s %s: %s%s", v->met ? "[x]" : "[ ]", g->name, v->words,
			unasked ? " (nobody asked for it)" : "");
	}
}

static void write_run(struct case_sitting *s, const struct case_run *r, FILE *out)
{
	char cost[64];
	say(out, "%zu of %zu goals met.", r->n_met, r->n_verdicts);
	write_verdicts(s, r, out);
	if (r->figure.why)
		say(out, "What binds: %s", r->figure.why);
	if (r->met && !isnan(r->cost))
		say(out, "%s: %s.", s->deal.of->cost_name,
			quantity_brief(
				cost, sizeof cost, r->cost, r->cost_unit ? r->cost_unit : ""));
	say(out, "The interviewer asks: %s", r->ask);
}

static void run(struct case_sitting *s, FILE *out)
{
	struct case_run r;
	const struct case_knob *lacks = case_design_lacks(&s->deal, &s->design);
	if (lacks) {
		say(out, "Noted. It does not yet say %s: %s",
			s->deal.of->sim->knobs[lacks->knob].id, lacks->ask);
		return;
	}
	if (case_sitting_run(s, &r))
		say(out, "Out of memory.");
	else
		write_run(s, &r, out);
	case_run_release(&r);
}

/* Cuts a copy of the text into words. Returns how many. */
static size_t cut_words(char *text, const char *words[MOST_DESIGN_WORDS])
{
	size_t n = 0;
	char *rest = NULL;
	for (char *w = strtok_r(text, " \t,;", &rest); w && n < MOST_DESIGN_WORDS;
		w = strtok_r(NULL, " \t,;", &rest))
		words[n++] = w;
	return n;
}

static bool do_design(struct case_sitting *s, const char *rest, FILE *out)
{
	char copy[LINE_SIZE], why[500];
	const char *words[MOST_DESIGN_WORDS];
	if (!*rest) {
		list_knobs(s, out);
		return true;
	}
	if (!strchr(rest, '='))
		return false;
	snprintf(copy, sizeof copy, "%s", rest);
	size_t n = cut_words(copy, words);
	if (case_design_read(&s->deal, &s->design, words, n, why, sizeof why))
		say(out, "%s", why);
	else
		run(s, out);
	return true;
}

/* --- Twists and the rest --- */

static void tell_twist(struct case_sitting *s, const struct case_twist *w, FILE *out)
{
	say(out, "Twist %zu: %s", s->stage, case_text(&s->deal, w->say));
}

static bool do_twist(struct case_sitting *s, const char *rest, FILE *out)
{
	if (*rest)
		return false;
	const struct case_twist *w = case_sitting_twist(s, -1);
	if (w)
		tell_twist(s, w, out);
	else
		say(out, "There are no more twists.");
	return true;
}

static bool do_follow(struct case_sitting *s, const char *rest, FILE *out)
{
	if (*rest)
		return false;
	const struct case_question *q = case_sitting_follow_up(s);
	say(out, "%s", q ? case_text(&s->deal, q->ask) : "There are no more questions.");
	return true;
}

static bool do_say(struct case_sitting *s, const char *rest, FILE *out)
{
	if (!*rest)
		return false;
	case_sitting_say(s, rest);
	say(out, "Noted.");
	return true;
}

static bool do_mark(struct case_sitting *s, const char *rest, FILE *out)
{
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		size_t n = strlen(case_phase_ids[i]);
		if (strncmp(rest, case_phase_ids[i], n) != 0)
			continue;
		rest += n + strspn(rest + n, " \t");
		if (rest[0] < '1' || rest[0] > '0' + CASE_MARKS || rest[1])
			break;
		s->marks[i] = (unsigned)(rest[0] - '0');
		say(out, "%s: %u, %s", case_phase_names[i], s->marks[i],
			case_text(&s->deal, s->deal.of->rubric[i].levels[s->marks[i] - 1]));
		return true;
	}
	say(out,
		"Expected a phase and a mark from 1 to %d, such as: mark clarify 3. Phases are "
		"clarify, estimate, design, twist and wrap_up.",
		CASE_MARKS);
	return true;
}

static bool do_end(struct case_sitting *s, const char *rest, FILE *out)
{
	if (*rest)
		return false;
	case_sheet_end(s, out);
	return true;
}

static bool do_help(struct case_sitting *s, const char *rest, FILE *out);

static const struct {
	const char *word, *help;
	/* False: the line is a question after all. */
	bool (*act)(struct case_sitting *s, const char *rest, FILE *out);
} acts[] = {
	{ "facts", "what you were told so far", do_facts },
	{ "estimate", "lists the numbers to estimate; estimate 1 140 GB answers one", do_estimate },
	{ "design", "lists your knobs; design knob=value ... runs a design", do_design },
	{ "twist", "the next twist, before its time", do_twist },
	{ "follow", "the next question that goes deeper", do_follow },
	{ "say", "say WORDS keeps what you answer aloud, beside the rubric", do_say },
	{ "end", "debrief, and the rubric beside what you did", do_end },
	{ "mark", "mark clarify 3 sets a mark of your own, from 1 to 4", do_mark },
	{ "help", "this list", do_help },
};

static bool do_help(struct case_sitting *s, const char *rest, FILE *out)
{
	(void)s;
	if (*rest)
		return false;
	say(out, "Any other line is a question to the interviewer.");
	for (size_t i = 0; i < LENGTH(acts); i++)
		item(out, "%s: %s", acts[i].word, acts[i].help);
	say(out, "quit: leaves");
	return true;
}

/* --- Lines --- */

/* What follows a word at the beginning of a line; NULL: it does not begin so. */
static const char *after_word(const char *line, const char *word)
{
	size_t n = strlen(word);
	if (strncmp(line, word, n) != 0 || (line[n] && !isspace((unsigned char)line[n])))
		return NULL;
	return line + n + strspn(line + n, " \t");
}

bool case_line(struct case_sitting *s, const char *line, int64_t now_ms, FILE *out)
{
	const struct case_twist *w;
	const char *rest;
	line += strspn(line, " \t");
	while ((w = case_sitting_twist(s, now_ms)) != NULL)
		tell_twist(s, w, out);
	if (!*line)
		return true;
	if ((rest = after_word(line, "quit")) && !*rest)
		return false;
	for (size_t i = 0; i < LENGTH(acts); i++)
		if ((rest = after_word(line, acts[i].word)) && acts[i].act(s, rest, out))
			return true;
	ask(s, line, out);
	return true;
}

void case_lines_begin(struct case_sitting *s, FILE *out)
{
	const struct dealt_case *d = &s->deal;
	fprintf(out, "%s, %s, seed %llu\n\n", d->of->title, case_level_names[d->level],
		(unsigned long long)d->seed);
	say(out, "%s", case_text(&s->deal, d->of->opening));
	fprintf(out, "\n");
	say(out,
		"Ask what you need to know: the rest comes only when asked for. help lists the words "
		"that do more.");
}

/* Cuts the end of the line off; what was longer than there is room for is dropped up to its end. */
static void end_line(char *line, FILE *in)
{
	size_t n = strcspn(line, "\r\n");
	bool whole = line[n] != '\0';
	line[n] = '\0';
	for (int c; !whole && (c = getc(in)) != EOF && c != '\n';)
		;
	/* Control characters would reach the terminal again. */
	for (char *p = line; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
}

int case_lines_run(struct case_sitting *s, const struct case_lines *l)
{
	char line[LINE_SIZE], why[300];
	int64_t began_ms = l->clock_ms();
	bool go_on = true, keeps = l->keep != NULL;
	case_lines_begin(s, l->out);
	while (go_on && fprintf(l->out, "\n> ") > 0 && fflush(l->out) == 0 &&
		fgets(line, sizeof line, l->in)) {
		int64_t at_ms = l->clock_ms() - began_ms;
		end_line(line, l->in);
		if (keeps && *line && l->keep(l->context, line, at_ms, why, sizeof why)) {
			fprintf(l->err, "ridge case: %s\n", why);
			keeps = false;
		}
		go_on = case_line(s, line, at_ms, l->out);
	}
	fprintf(l->out, "\n");
	return fflush(l->out) || ferror(l->out) ? 1 : 0;
}
