#include "ui/practice/case_first.h"

#include "drills/case_plan.h"
#include "sims/base/array.h"
#include "ui/practice/drill_summary.h"
#include "ui/term/textwrap.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_WIDTH = 80, NAME = 10, TIME = 9 };

char *case_first_kind(const struct case_sitting *s, char *buf, size_t size)
{
	const struct design_case *c = s->deal.of;
	if (case_hides_sim(c->area))
		snprintf(buf, size,
			"It is a case of %s. A simulation runs your design; which one, you find out.",
			c->area);
	else
		snprintf(buf, size, "It is a case of %s. A simulation runs your design: %s.",
			c->area, c->sim->title);
	return buf;
}

char *case_first_phase(const struct case_sitting *s, enum case_phase phase, char *buf, size_t size)
{
	const struct design_case *c = s->deal.of;
	switch (phase) {
	case CASE_CLARIFY:
		snprintf(buf, size, "ask for what was left out: nothing is told unasked");
		break;
	case CASE_ESTIMATE:
		snprintf(buf, size, "%zu numbers that decide, worked out on paper",
			c->drill.n_steps);
		break;
	case CASE_DESIGN:
		snprintf(buf, size, "%zu knobs of the simulation, turned until all goals are met",
			c->n_knobs);
		break;
	case CASE_TWIST:
		snprintf(buf, size, "what holds changes, %s: mend the design",
			s->deal.n_twists == 1 ? "once" : "more than once");
		break;
	default:
		snprintf(buf, size, "say what you would build, and what you would watch");
	}
	return buf;
}

long case_first_minutes(const struct case_sitting *s, enum case_phase phase)
{
	const struct sitting_plan plan = case_plan_of(s, 0);
	return case_plan_minutes(&plan, phase);
}

char *case_first_length(unsigned minutes, char *buf, size_t size)
{
	snprintf(buf, size, "%u minutes, by phases. Have paper at hand.", minutes);
	return buf;
}

struct case_earlier case_earlier_of(
	char *(*read)(const char *id, size_t newer, char *name), const char *id)
{
	enum { MOST = 99 };
	struct case_earlier e = { .n = 0 };
	char name[CASE_RECORD_NAME_SIZE];
	for (size_t newer = 0; read && newer < MOST; newer++) {
		struct case_head head;
		char *record = read(id, newer, name);
		if (!record)
			break;
		if (case_head_read(record, &head) && head.typed) {
			e.last = e.n ? e.last : head;
			e.n++;
		}
		free(record);
	}
	return e;
}

char *case_first_earlier(const struct case_earlier *e, int64_t now_s, char *buf, size_t size)
{
	enum { DAY_S = 24 * 60 * 60 };
	const long days = (long)((now_s - e->last.at_s) / DAY_S);
	char when[48], times[32], left[48], clock[32];
	*buf = '\0';
	if (!e->n)
		return buf;
	snprintf(times, sizeof times, e->n == 1 ? "once" : "%zu times", e->n);
	snprintf(when, sizeof when,
		days > 1    ? "%ld days ago"
		: days == 1 ? "a day ago"
			    : "less than a day ago",
		days);
	snprintf(left, sizeof left, "up to %s",
		drill_clock_text(e->last.clock_ms, clock, sizeof clock));
	snprintf(buf, size, "You sat it %s, last %s, %s", times, when,
		e->last.ended ? "to its end" : left);
	return buf;
}

/* --- Line by line --- */

/* In lines of words; those after the first stand `hang` columns in. */
static void print_text(int hang, const char *text, FILE *out)
{
	struct text_line line;
	for (int indent = 0; text_wrap(&text, TEXT_WIDTH - hang, GLYPHS_BRAILLE, &line);
		indent = hang)
		fprintf(out, "%*s%.*s\n", indent, "", (int)line.bytes, line.start);
}

static void print_phases(const struct case_sitting *s, FILE *out)
{
	char text[200];
	for (int i = 0; i < N_CASE_PHASES; i++) {
		const enum case_phase phase = (enum case_phase)i;
		const long minutes = case_first_minutes(s, phase);
		if (minutes <= 0)
			continue;
		fprintf(out, "%-*s%3ld min  ", NAME, case_phase_names[i], minutes);
		print_text(NAME + TIME, case_first_phase(s, phase, text, sizeof text), out);
	}
}

static void print_words(bool held, FILE *out)
{
	static const char *const alone[] = { "next", "ends a phase before its time", "quit",
		"leaves, and the case goes on later where it was left", "end",
		"shows the answers: then the clock stands for good", "help",
		"lists all words; any other line is a question, or an answer" };
	static const char *const with[] = { "next", "ends a phase before its time", "quit",
		"leaves, and the case goes on later where it was left", "release",
		"and your interviewer's word: what everything came to", "help",
		"lists all words; what you ask, you ask aloud" };
	const char *const *words = held ? with : alone;
	for (size_t i = 0; i < LENGTH(alone); i += 2) {
		fprintf(out, "%-*s", NAME, words[i]);
		print_text(NAME, words[i + 1], out);
	}
}

void case_first_print(
	const struct case_sitting *s, const struct case_earlier *e, int64_t now_s, FILE *out)
{
	const struct dealt_case *d = &s->deal;
	const bool held = s->company == CASE_HELD;
	char text[400];
	fprintf(out, "%s, %s, seed %llu\n\n", d->of->title, case_level_names[d->level],
		(unsigned long long)d->seed);
	print_text(0, case_first_kind(s, text, sizeof text), out);
	fprintf(out, "%s\n\n", case_first_length(s->minutes, text, sizeof text));
	print_phases(s, out);
	fprintf(out, "\n");
	print_words(held, out);
	if (e->n)
		fprintf(out, "\n%s.\n", case_first_earlier(e, now_s, text, sizeof text));
	fprintf(out, held ? "\nTold to begin? Enter starts the clock.\n"
			  : "\nEnter starts the clock; until then the interviewer is silent.\n");
}
