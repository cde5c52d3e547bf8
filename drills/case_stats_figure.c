#include "drills/case_stats_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEWEST_MARKS = 3 /* interviews: fewer make no curve */, SHOWN_MARKS = 12, CASE_ROWS = 24 };

const char *case_person_name(const struct case_person *p)
{
	return *p->name ? p->name : p->given ? "A candidate without a name" : "You";
}

const char *case_phase_measure(enum case_phase phase)
{
	static const char *const measures[] = { "facts asked for, of those that must be",
		"numbers within a factor of 1.3", "goals met by the best design",
		"twists after which a design met all goals", "with a sentence said aloud" };
	return measures[phase];
}

char *case_phase_done(const struct case_phase_sum *p, enum case_phase phase, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%zu of %zu", p->done, p->of);
	if (!p->of)
		snprintf(buf, size, "none yet");
	else if (phase == CASE_ESTIMATE)
		snprintf(buf + n, size - (size_t)n, ", %zu within 5 %%", p->better);
	return buf;
}

char *case_phase_marks(
	const struct case_person *p, enum case_phase phase, size_t most, char *buf, size_t size)
{
	size_t from = p->n, n = 0, used = 0;
	while (from > 0 && n < most)
		n += p->results[--from]->marks[phase] > 0;
	buf[0] = '\0';
	for (size_t i = from; i < p->n && used + 3 < size; i++)
		if (p->results[i]->marks[phase])
			used += (size_t)snprintf(buf + used, size - used, "%s%u", used ? " " : "",
				p->results[i]->marks[phase]);
	return buf;
}

char *case_person_headline(const struct case_person *p, char *buf, size_t size)
{
	const struct case_phase_sum *facts = &p->phases[CASE_CLARIFY],
				    *numbers = &p->phases[CASE_ESTIMATE],
				    *goals = &p->phases[CASE_DESIGN];
	size_t n = (size_t)snprintf(buf, size, "%zu interview%s %s", p->n, p->n == 1 ? "" : "s",
		p->given ? "given" : "taken");
	if (p->n_over < p->n)
		n += (size_t)snprintf(buf + n, size - n, ", %zu to %s end", p->n_over,
			p->n == 1 ? "its" : "their");
	if (facts->of)
		n += (size_t)snprintf(buf + n, size - n, ": %.0f %% of the facts asked for",
			100 * case_share(facts->done, facts->of));
	if (numbers->of)
		n += (size_t)snprintf(buf + n, size - n,
			"%s %.0f %% of the numbers within a factor of 1.3", facts->of ? "," : ":",
			100 * case_share(numbers->done, numbers->of));
	if (goals->of)
		n += (size_t)snprintf(buf + n, size - n, "%s %.0f %% of the goals met",
			facts->of || numbers->of ? "," : ":",
			100 * case_share(goals->done, goals->of));
	snprintf(buf + n, size - n, ".");
	return buf;
}

char *case_person_next(const struct case_person *p, const struct case_offer offers[], size_t n,
	char *buf, size_t size)
{
	char why[CASE_SENTENCE];
	const struct case_offer *o = case_next(p, offers, n, why, sizeof why);
	*buf = '\0';
	if (o)
		snprintf(buf, size, "Next: %s (%s). %s", o->title, o->id, why);
	return buf;
}

static const char *time_text(struct figure *fig, const struct case_phase_sum *p)
{
	enum { MINUTE_MS = 60000 };
	if (!p->n || p->planned_ms <= 0)
		return "";
	return figure_text(fig, "%.0f of %.0f min", (double)p->spent_ms / MINUTE_MS / (double)p->n,
		(double)p->planned_ms / MINUTE_MS / (double)p->n);
}

static void add_phases(const struct case_person *p, struct figure *fig)
{
	static const char *const head[] = { "phase", "came to", "", "time each", "marks", "mean" };
	struct table *t = figure_table(fig, "By phase", head, 6, "011101");
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		const struct case_phase_sum *sum = &p->phases[i];
		char done[64], marks[64];
		const char *cells[] = { case_phase_names[i],
			figure_text(fig, "%s",
				case_phase_done(sum, (enum case_phase)i, done, sizeof done)),
			sum->of ? figure_text(fig, "%.0f %%", 100 * case_share(sum->done, sum->of))
				: "",
			time_text(fig, sum),
			figure_text(fig, "%s",
				case_phase_marks(
					p, (enum case_phase)i, SHOWN_MARKS, marks, sizeof marks)),
			sum->n_marks ? figure_text(fig, "%.1f", case_phase_mark(sum)) : "" };
		table_row(fig, t, cells);
	}
}

/* All kinds that had to be asked for, so that what is never forgotten is seen as well. */
static void add_kinds(const struct case_person *p, struct figure *fig)
{
	static const char *const parts[] = { "forgotten", "asked for" };
	enum fact_kind kinds[N_FACT_KINDS];
	const size_t n = case_forgotten(p, kinds);
	struct bars *b;
	if (!n)
		return;
	b = figure_bars(fig, "Facts that must be asked for, by kind", "", parts, 2);
	bars_mean(fig, b, (const enum meaning[]){ MEANS_TRAFFIC, MEANS_COMPUTE }, 2);
	for (size_t i = 0; i < n; i++) {
		const size_t must = p->must[kinds[i]], asked = p->asked[kinds[i]];
		struct bar *bar = bars_add(fig, b, fact_kind_names[kinds[i]],
			(const double[]){ (double)(must - asked), (double)asked });
		if (bar)
			bar->note = figure_text(fig, "%zu of %zu forgotten", must - asked, must);
	}
}

void case_stats_marks(const struct case_person *p, struct figure *fig)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		n += isnan(case_mean_mark(p->results[i])) ? 0 : 1;
	if (n < FEWEST_MARKS)
		return;
	struct plot *plot = figure_plot(fig, "Mean mark, interview by interview", "interview", "",
		AXIS_LINEAR, "", "", AXIS_LINEAR);
	struct series *mean = plot_series(fig, plot, "mean mark", SERIES_LINE, MEANS_COMPUTE);
	if (plot) {
		plot->x.min = 1;
		plot->x.max = (double)p->n;
		plot->y.min = 1;
		plot->y.max = CASE_MARKS;
	}
	for (size_t i = 0; i < p->n; i++)
		if (!isnan(case_mean_mark(p->results[i])))
			series_point(fig, mean, (double)(i + 1), case_mean_mark(p->results[i]));
}

char *case_ago(int64_t at_s, int64_t now_s, char *buf, size_t size)
{
	enum { DAY_S = 86400 };
	const long days = (long)(now_s / DAY_S - at_s / DAY_S);
	if (days <= 0)
		snprintf(buf, size, "today");
	else if (days == 1)
		snprintf(buf, size, "yesterday");
	else
		snprintf(buf, size, "%ld days ago", days);
	return buf;
}

static const char *tally_text(
	struct figure *fig, const struct case_result *r, enum case_phase phase)
{
	const struct case_tally t = case_tally_of(r, phase);
	return t.of ? figure_text(fig, "%zu of %zu", t.done, t.of) : "";
}

static void add_cases(const struct case_person *p, int64_t now_s, struct figure *fig)
{
	char ago[48];
	static const char *const head[] = { "case, the last time", "when", "facts", "numbers",
		"goals", "twists", "mark" };
	struct table *t = figure_table(fig, "Cases", head, 7, "0011111");
	for (size_t i = 0; i < p->n_last && i < CASE_ROWS; i++) {
		const struct case_result *r = p->last[i];
		const double mark = case_whole_mark(r);
		const char *cells[] = { r->id,
			figure_text(fig, "%s", case_ago(r->at_s, now_s, ago, sizeof ago)),
			tally_text(fig, r, CASE_CLARIFY), tally_text(fig, r, CASE_ESTIMATE),
			tally_text(fig, r, CASE_DESIGN), tally_text(fig, r, CASE_TWIST),
			isnan(mark) ? "" : figure_text(fig, "%.3g", mark) };
		table_row(fig, t, cells);
	}
}

void case_stats_figure(const struct case_person *p, const struct case_offer offers[], size_t n,
	int64_t now_s, struct figure *fig)
{
	char text[CASE_SENTENCE + 200];
	figure_note(fig, ROLE_PLAIN, "%s", case_person_headline(p, text, sizeof text));
	if (*case_person_next(p, offers, n, text, sizeof text))
		figure_note(fig, ROLE_PLAIN, "%s", text);
	add_phases(p, fig);
	add_kinds(p, fig);
	case_stats_marks(p, fig);
	add_cases(p, now_s, fig);
}
