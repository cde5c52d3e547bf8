/* Columns are placed from the left; what has no room is said shorter, and then left out. */
#include "ui/screens/stats/stats_interviews.h"

#include "sims/base/minmax.h"
#include "ui/views/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	GAP = 2,
	NAME = 9,  /* "Estimate" */
	SHARE = 6, /* "  69 %" */
	TIME = 12, /* "11 of 13 min" */
	MARKS = 8, /* shown one by one */
	MEAN = 4,  /* " 2.8" */
	LEAST = 8, /* columns of a bar */
	MOST = 36,
	ROOMY = 104 /* columns from which there is room for whole words */
};
static const double most_plan = 2; /* a bar of times ends at twice the plan */

/* -- By phase ------------------------------------------------------------------------------ */

static const char *const phase_words[] = { "asked for", "", "goals met", "answered", "spoke" };

/* A mark as a column that is so high; a digit where there are no such glyphs. */
static void mark_put(const struct pane *p, int row, int col, unsigned mark)
{
	static const uint32_t columns[] = { ' ', 0x2582, 0x2584, 0x2586, 0x2588 };
	const bool ascii = p->cv->glyphs == GLYPHS_ASCII;
	pane_put(p, row, col, ascii ? '0' + mark : columns[mark], meaning_style(MEANS_COMPUTE), 0);
}

/* The last marks, the newest at the right, and their mean. */
static void marks_draw(
	const struct pane *p, int row, int col, const struct case_person *person, size_t phase)
{
	int at = MARKS;
	for (size_t i = person->n; i-- > 0 && at > 0;)
		if (person->results[i]->marks[phase])
			mark_put(p, row, col + --at, person->results[i]->marks[phase]);
	if (at == MARKS)
		pane_fit_right(p, row, col, MARKS, "none", STYLE_DIM, 0);
	else
		pane_printf(p, row, col + MARKS, MEAN, STYLE_PLAIN, 0, "%*.1f", MEAN,
			case_phase_mark(&person->phases[phase]));
}

static void time_draw(
	const struct pane *p, int row, int col, int cols, const struct case_phase_sum *sum)
{
	enum { MINUTE_MS = 60000 };
	char text[32];
	const double n = (double)sum->n * MINUTE_MS;
	if (!sum->n || sum->planned_ms <= 0)
		return;
	const double ratio = (double)sum->spent_ms / (double)sum->planned_ms;
	const enum style style = ratio > 1.1 ? STYLE_WARN : STYLE_PLAIN;
	snprintf(text, sizeof text, "%.0f of %.0f min", (double)sum->spent_ms / n,
		(double)sum->planned_ms / n);
	pane_fit_right(p, row, col, TIME, text, style, 0);
	if (cols < LEAST)
		return;
	meter_draw(p, row, col + TIME + 1, cols, fmin(ratio / most_plan, 1),
		meaning_style(MEANS_SECOND));
	pane_put(p, row, col + TIME + 1 + (int)(cols / most_plan),
		glyph_or(p->cv->glyphs, 0x253f, '|'), STYLE_PLAIN, 0);
}

static void done_draw(const struct pane *p, int row, int col, int cols,
	const struct case_phase_sum *sum, enum case_phase phase)
{
	char text[96];
	const bool roomy = p->r.cols >= ROOMY;
	if (!sum->of)
		snprintf(text, sizeof text, "none yet");
	else if (phase == CASE_ESTIMATE)
		snprintf(text, sizeof text, "%zu of %zu%s, %zu exact", sum->done, sum->of,
			roomy ? " within a factor of 1.3" : "", sum->better);
	else
		snprintf(text, sizeof text, "%zu of %zu %s", sum->done, sum->of,
			roomy ? case_phase_measure(phase) : phase_words[phase]);
	pane_words(p, row, col, cols, text, sum->of ? STYLE_PLAIN : STYLE_DIM, 0);
}

int interview_phase_rows(const struct pane *p, const struct case_person *person)
{
	enum { WORDS = 19, MANY_WORDS = 50 };
	const bool roomy = p->r.cols >= ROOMY;
	const int words = roomy ? MANY_WORDS : WORDS;
	int left = p->r.cols - NAME - SHARE - GAP - words - GAP - TIME - GAP - MARKS - MEAN;
	const int clock = roomy && left >= 4 * LEAST ? min_int(left / 3, MOST / 2) : 0;
	left -= clock ? clock + 1 : 0;
	const int bar = max_int(min_int(left - GAP, MOST), 0);
	const int share = NAME + bar, done = share + SHARE + GAP, time = done + words + GAP,
		  marks = time + TIME + (clock ? clock + 1 : 0) + GAP;
	pane_text(p, 0, 0, -1, "By phase", STYLE_PLAIN, ATTR_BOLD);
	pane_text(p, 1, 0, -1, "phase", STYLE_DIM, 0);
	pane_text(p, 1, done, -1, "came to", STYLE_DIM, 0);
	pane_text(p, 1, time, -1, clock ? "time each, of the plan" : "time each", STYLE_DIM, 0);
	pane_text(p, 1, marks, -1, "marks, mean", STYLE_DIM, 0);
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		const struct case_phase_sum *sum = &person->phases[i];
		const double part = case_share(sum->done, sum->of);
		const int row = INTERVIEW_HEAD + (int)i;
		pane_text(p, row, 0, -1, case_phase_names[i], STYLE_PLAIN, 0);
		if (sum->of && bar >= LEAST)
			meter_draw(p, row, NAME, bar, part, meaning_style(MEANS_COMPUTE));
		if (sum->of)
			pane_printf(p, row, share, SHARE, STYLE_PLAIN, 0, "%4.0f %%", 100 * part);
		done_draw(p, row, done, words, sum, (enum case_phase)i);
		time_draw(p, row, time, clock, sum);
		marks_draw(p, row, marks, person, i);
	}
	return INTERVIEW_HEAD + N_CASE_PHASES;
}

/* -- Forgotten facts ----------------------------------------------------------------------- */

int interview_kind_height(const struct case_person *person)
{
	enum fact_kind kinds[N_FACT_KINDS];
	const size_t n = case_forgotten(person, kinds);
	return n ? INTERVIEW_HEAD - 1 + (int)n : 0;
}

int interview_kind_rows(const struct pane *p, const struct case_person *person)
{
	enum { KIND = 18, COUNT = 9 };
	enum fact_kind kinds[N_FACT_KINDS];
	const size_t n = case_forgotten(person, kinds);
	const int bar = max_int(min_int(p->r.cols - KIND - COUNT - GAP, MOST), 0);
	if (!n)
		return 0;
	pane_text(
		p, 0, 0, -1, "Never asked for, of the facts that must be", STYLE_PLAIN, ATTR_BOLD);
	for (size_t i = 0; i < n; i++) {
		const size_t must = person->must[kinds[i]], missed = must - person->asked[kinds[i]];
		const int row = INTERVIEW_HEAD - 1 + (int)i;
		char count[48];
		snprintf(count, sizeof count, "%zu of %zu", missed, must);
		pane_text(p, row, 0, KIND - 1, fact_kind_names[kinds[i]], STYLE_PLAIN, 0);
		if (bar >= LEAST)
			meter_draw(p, row, KIND, bar, case_share(missed, must),
				meaning_style(MEANS_TRAFFIC));
		pane_fit_right(p, row, KIND + bar + GAP, COUNT, count, STYLE_PLAIN, 0);
	}
	return INTERVIEW_HEAD - 1 + (int)n;
}

/* -- By case ------------------------------------------------------------------------------- */

enum { N_COUNTS = 4, COUNTED = 7, WHEN = 12 };

/* "5 of 6", coloured by how much is missing; nothing where nothing is known. */
static void count_draw(const struct pane *p, int row, int col, const struct case_tally *t)
{
	char text[48];
	if (!t->of)
		return;
	snprintf(text, sizeof text, "%zu of %zu", t->done, t->of);
	pane_fit_right(p, row, col, COUNTED, text, t->done == t->of ? STYLE_GOOD : STYLE_PLAIN, 0);
}

static int name_width(const struct case_person *person, bool titles)
{
	enum { WIDEST = 44 };
	int cols = 4;
	for (size_t i = 0; i < person->n_last; i++) {
		const struct case_result *r = person->last[i];
		cols = max_int(cols, text_width(titles ? r->title : r->id));
	}
	return min_int(cols, WIDEST);
}

int interview_case_rows(const struct pane *p, const struct case_person *person, int64_t now_s)
{
	/* Of the phases, in their order, but for the last. */
	static const char *const head[N_COUNTS] = { "facts", "numbers", "goals", "twists" };
	const int rest = GAP + WHEN + N_COUNTS * (GAP - 1 + COUNTED) + GAP + MEAN;
	const bool titles = name_width(person, true) + rest <= p->r.cols;
	const int name = min_int(name_width(person, titles), max_int(p->r.cols - rest, 12));
	const int first = name + GAP + WHEN + 1, step = COUNTED + GAP - 1,
		  mark = first + N_COUNTS * step + 1;
	pane_text(p, 0, 0, -1, "By case, the last time", STYLE_PLAIN, ATTR_BOLD);
	pane_text(p, 1, 0, -1, "case", STYLE_DIM, 0);
	pane_text(p, 1, name + GAP, WHEN, "when", STYLE_DIM, 0);
	for (int i = 0; i < N_COUNTS; i++)
		pane_fit_right(p, 1, first + i * step, COUNTED, head[i], STYLE_DIM, 0);
	pane_fit_right(p, 1, mark, MEAN, "mark", STYLE_DIM, 0);
	for (size_t i = 0; i < person->n_last; i++) {
		const struct case_result *r = person->last[i];
		const int row = INTERVIEW_HEAD + (int)i;
		const double mark_of = case_whole_mark(r);
		char ago[48];
		pane_words(p, row, 0, name, titles ? r->title : r->id, STYLE_PLAIN, 0);
		pane_text(p, row, name + GAP, WHEN, case_ago(r->at_s, now_s, ago, sizeof ago),
			STYLE_DIM, 0);
		for (int k = 0; k < N_COUNTS; k++) {
			const struct case_tally counted = case_tally_of(r, (enum case_phase)k);
			count_draw(p, row, first + k * step, &counted);
		}
		if (!isnan(mark_of))
			pane_printf(p, row, mark, MEAN, STYLE_PLAIN, 0, "%*.1f", MEAN, mark_of);
	}
	return INTERVIEW_HEAD + (int)person->n_last;
}
