/* One function for each block of the report, in the order in which they are read. */
#include "drills/stats_figure.h"

#include "sims/base/name_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	FEW = 3 /* fewer say nothing of the middle */,
	PLOT_DAYS = 90,
	WINDOW_DAYS = 7,
	MOST_NAMED = 5
};

const char stats_skills_title[] = "By skill, the lowest recall first";
const char stats_topics_title[] = "By topic";

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void add_values(const struct stats *s, struct figure *fig)
{
	const struct stats_group *t = &s->total;
	value_note(figure_value(fig, "problems", "Problems", (double)t->problems, "", ROLE_PLAIN),
		figure_text(fig, "%zu answer%s", t->answers, t->answers == 1 ? "" : "s"));
	value_note(
		figure_value(fig, "right", "Right",
			round(percent((double)t->correct, (double)t->problems)), "%", ROLE_PLAIN),
		figure_text(fig, "%zu of %zu", t->correct, t->problems));
	figure_value(fig, "credit", "Credit", round(100 * t->credit), "%", ROLE_PLAIN);
	/* The middle of one or two times is no middle. */
	if (t->problems >= FEW)
		value_note(figure_value(fig, "time", "Time", round(100 * t->time_ratio), "%",
				   t->time_ratio > 1 ? ROLE_WARN : ROLE_PLAIN),
			"of par, the middle problem");
	value_note(figure_value(fig, "run", "Longest run", (double)s->longest_run, "", ROLE_PLAIN),
		figure_text(fig, "right in a row; %zu now", s->run));
	if (s->n_sprints)
		value_note(figure_value(fig, "sprint", "Best sprint", (double)s->best_sprint, "",
				   ROLE_PLAIN),
			s->n_sprints == 1
				? "right in the only one"
				: figure_text(fig, "right, of %zu sprints", s->n_sprints));
	figure_value(
		fig, "due", "Skills due", (double)s->n_due, "", s->n_due ? ROLE_WARN : ROLE_PLAIN);
}

/* Right answers of the days up to and with i that are in its week. */
static double week_share(const struct stats *s, size_t i)
{
	size_t problems = 0, correct = 0;
	int64_t last = s->days[i].day;
	for (size_t k = i + 1; k-- > 0 && s->days[k].day > last - WINDOW_DAYS;) {
		problems += s->days[k].problems;
		correct += s->days[k].correct;
	}
	return percent((double)correct, (double)problems);
}

/* Day 0 is today; what is dated later (a clock that was wrong) is not shown. */
static void add_progress(const struct stats *s, struct figure *fig)
{
	int64_t today = s->now_s / CALENDAR_DAY_S;
	size_t first, end = s->n_days;
	while (end > 0 && s->days[end - 1].day > today)
		end--;
	for (first = end; first > 0 && s->days[first - 1].day > today - PLOT_DAYS; first--)
		;
	if (end - first < 2)
		return;
	struct plot *p = figure_plot(fig, "Right answers, day by day", "day (0 is today)", "",
		AXIS_LINEAR, "right", "%", AXIS_LINEAR);
	struct series *days = plot_series(fig, p, "the day", SERIES_POINTS, 0);
	struct series *weeks = plot_series(fig, p, "its last 7 days", SERIES_LINE, MEANS_COMPUTE);
	if (p) {
		p->y.min = 0;
		p->y.max = 100;
	}
	for (size_t i = first; i < end; i++) {
		const struct stats_day *d = &s->days[i];
		double x = (double)(d->day - today);
		series_point(fig, days, x, percent((double)d->correct, (double)d->problems));
		series_point(fig, weeks, x, week_share(s, i));
	}
}

static const char *seconds_text(struct figure *fig, double s)
{
	return isnan(s)  ? ""
	       : s < 1   ? "under 1 s"
	       : s > 120 ? figure_text(fig, "%.0f min", s / 60)
			 : figure_text(fig, "%.0f s", s);
}

static const char *due_text(struct figure *fig, const struct stats *s, const struct stats_group *g)
{
	char text[64];
	return g->retired ? "no drill now"
			  : figure_text(fig, "%s",
				    stats_when(g->card.due_s, s->now_s, text, sizeof text));
}

/* "80 %"; nothing of what was never right, whose times are those of giving up. */
static const char *ratio_text(struct figure *fig, const struct stats_group *g)
{
	return g->correct ? figure_text(fig, "%.0f %%", 100 * g->time_ratio) : "";
}

/* A bar and its share. What is still being learnt is asked again within minutes, and of that recall
 * says nothing yet. */
static const char *recall_text(struct figure *fig, const struct stats_group *g)
{
	enum { CELLS = 10 };
	static const char *const full[] = { "", "━", "━━", "━━━", "━━━━", "━━━━━", "━━━━━━",
		"━━━━━━━", "━━━━━━━━", "━━━━━━━━━", "━━━━━━━━━━" };
	static const char *const rest[] = { "──────────", "─────────", "────────", "───────",
		"──────", "─────", "────", "───", "──", "─", "" };
	const int n = (int)lround(fmin(fmax(g->recall, 0), 1) * CELLS);
	if (g->card.state != FSRS_REVIEW)
		return g->problems == 1 ? "first seen" : "learning";
	return figure_text(fig, "%s%s %3.0f %%", full[n], rest[n], 100 * g->recall);
}

static const char *right_text(struct figure *fig, const struct stats_group *g)
{
	return figure_text(fig, "%zu of %zu", g->correct, g->problems);
}

static const char *share_text(struct figure *fig, double share)
{
	return figure_text(fig, "%.0f %%", 100 * share);
}

static void add_topics(const struct stats *s, struct figure *fig)
{
	static const char *const head[] = { "topic", "right", "credit", "of par", "best" };
	struct table *t = figure_table(fig, stats_topics_title, head, 5, "01111");
	for (size_t i = 0; i < s->n_topics && i < STATS_ROWS; i++) {
		const struct stats_group *g = &s->topics[i];
		const char *cells[] = { g->name, right_text(fig, g), share_text(fig, g->credit),
			ratio_text(fig, g), seconds_text(fig, g->best_s) };
		table_row(fig, t, cells);
	}
}

/* A bar a week, as high as the share that was right; a point where there was no problem. */
static const char *curve_text(struct figure *fig, const struct stats_group *g)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▅", "▆", "▇", "█" };
	enum { LAST = sizeof bars / sizeof *bars - 1 };
	const char *text = "";
	for (size_t i = 0; i < STATS_WEEKS; i++)
		text = figure_text(fig, "%s%s", text,
			g->weeks[i] ? bars[g->weeks_right[i] * LAST / g->weeks[i]] : "·");
	return text;
}

/* Each rung asks more than the one before it, so the share of right answers falls from one to the next;
 * where it falls most is what to practise. */
static void add_rungs(const struct stats *s, struct figure *fig)
{
	const char *const head[] = { "rung", "right", "credit", "of par", "best",
		figure_text(fig, "right by week, of %d", STATS_WEEKS) };
	if (s->n_rungs == 0)
		return;
	struct table *t = figure_table(fig, "By rung, from memory to judgement", head, 6, "011110");
	for (size_t i = 0; i < s->n_rungs; i++) {
		const struct stats_group *g = &s->rungs[i];
		const char *cells[] = { g->name, right_text(fig, g), share_text(fig, g->credit),
			ratio_text(fig, g), seconds_text(fig, g->best_s), curve_text(fig, g) };
		table_row(fig, t, cells);
	}
}

static void add_skills(const struct stats *s, struct figure *fig)
{
	static const char *const head[] = { "skill", "recall", "right", "of par", "best", "due" };
	struct table *t = figure_table(fig, stats_skills_title, head, 6, "011110");
	const struct stats_group *rows[STATS_ROWS];
	size_t n = stats_rank(s, STATS_WEAKEST, rows, STATS_ROWS);
	for (size_t i = 0; i < n; i++) {
		const struct stats_group *g = rows[i];
		const char *cells[] = { g->name, recall_text(fig, g), right_text(fig, g),
			ratio_text(fig, g), seconds_text(fig, g->best_s), due_text(fig, s, g) };
		table_row(fig, t, cells);
	}
	if (s->n_skills > STATS_ROWS)
		figure_note(fig, ROLE_DIM, "%zu more skills are in the export.",
			s->n_skills - STATS_ROWS);
}

/* Recall of a skill so many days from now, if nothing is reviewed until then. */
static double recall_in(const struct stats *s, const struct stats_group *g, double days)
{
	const double since = (double)(s->now_s - g->card.last_s) / CALENDAR_DAY_S;
	return fsrs_recall(fsrs_defaults.w, fmax(since, 0) + days, g->card.memory.stability_days);
}

/* Of a skill in its first minutes nothing is known yet that could fade. */
static bool fades(const struct stats_group *g)
{
	return !g->retired && g->card.state != FSRS_LEARNING;
}

/* What is forgotten without a review: the mean of the skills, and the one that fades first. */
static void add_recall(const struct stats *s, struct figure *fig)
{
	enum { AHEAD = 30, TENTH = 10 };
	size_t n = 0;
	double low = 1;
	for (size_t i = 0; i < s->n_skills; i++)
		if (fades(&s->skills[i])) {
			n++;
			low = fmin(low, recall_in(s, &s->skills[i], AHEAD));
		}
	if (n < FEW)
		return;
	struct plot *p = figure_plot(fig, "Recall, if nothing is reviewed", "days from now", "",
		AXIS_LINEAR, "recall", "%", AXIS_LINEAR);
	struct series *mean = plot_series(fig, p, "mean", SERIES_LINE, MEANS_COMPUTE);
	struct series *least = plot_series(fig, p, "lowest", SERIES_DASHED, MEANS_TRAFFIC);
	plot_rule(fig, p, true, 100 * fsrs_defaults.retention, "due", ROLE_DIM);
	if (p) {
		p->y.min = TENTH * floor(100 * low / TENTH);
		p->y.max = 100;
	}
	for (int day = 0; day <= AHEAD; day++) {
		double sum = 0, least_now = 1;
		for (size_t i = 0; i < s->n_skills; i++) {
			const struct stats_group *g = &s->skills[i];
			if (!fades(g))
				continue;
			const double recall = recall_in(s, g, day);
			sum += recall;
			least_now = fmin(least_now, recall);
		}
		series_point(fig, mean, day, 100 * sum / (double)n);
		series_point(fig, least, day, 100 * least_now);
	}
}

/* How the times of the problems lie around par. */
static void add_times(const struct stats *s, struct figure *fig)
{
	static const char *const part[] = { "problems" };
	static const struct {
		const char *label;
		double most; /* of par */
	} rows[] = { { "half of par", 0.5 }, { "within par", 1 }, { "up to twice", 2 },
		{ "longer", HUGE_VAL } };
	enum { N_ROWS = sizeof rows / sizeof *rows };
	double count[N_ROWS] = { 0 };
	size_t n = 0;
	for (size_t i = 0; i < s->n_problems; i++) {
		const struct fsrs_outcome *o = &s->problems[i].outcome;
		size_t row = 0;
		if (!o->correct || o->par_s <= 0)
			continue;
		while (o->took_s > rows[row].most * o->par_s)
			row++;
		count[row]++;
		n++;
	}
	if (n < FEW)
		return;
	struct bars *b = figure_bars(fig, "Time against par, of what was right", "", part, 1);
	bars_mean(fig, b, (const enum meaning[]){ MEANS_COMPUTE }, 1);
	for (size_t i = 0; i < N_ROWS; i++)
		bars_add(fig, b, rows[i].label, &count[i]);
}

/* A character a week: a point where it never happened, + for more than nine times. */
static const char *weeks_text(struct figure *fig, const struct stats_cause *c)
{
	char text[STATS_WEEKS + 1] = "";
	for (size_t i = 0; i < STATS_WEEKS; i++)
		text[i] = c->weeks[i] == 0  ? '.'
			  : c->weeks[i] > 9 ? '+'
					    : (char)('0' + c->weeks[i]);
	return figure_text(fig, "%s", text);
}

static void add_causes(const struct stats *s, struct figure *fig)
{
	const char *const head[] = { "kind of mistake", "times",
		figure_text(fig, "last %d weeks", STATS_WEEKS) };
	if (s->n_causes == 0)
		return;
	struct table *t = figure_table(fig, "Mistakes", head, 3, "010");
	for (size_t i = 0; i < s->n_causes && i < STATS_ROWS; i++) {
		const struct stats_cause *c = &s->causes[i];
		const char *cells[] = { c->name, figure_text(fig, "%zux", c->n),
			weeks_text(fig, c) };
		table_row(fig, t, cells);
	}
}

/* "KV cache (3 of 5), ..."; "" where no skill belongs in the order. */
static const char *ranking_text(const struct stats *s, struct figure *fig, enum stats_order order)
{
	const struct stats_group *first[MOST_NAMED];
	size_t n = stats_rank(s, order, first, MOST_NAMED);
	const char *text = "";
	char said[65];
	for (size_t i = 0; i < n; i++) {
		const struct stats_group *g = first[i];
		const char *figures = order == STATS_MISSED
					      ? figure_text(fig, "%zu of %zu",
							g->problems - g->correct, g->problems)
					      : figure_text(fig, "%.1f times par", g->time_ratio);
		text = figure_text(fig, "%s%s%s (%s)", text, i ? ", " : "",
			name_words(g->name, said, sizeof said), figures);
	}
	return text;
}

static void add_ranking(
	const struct stats *s, struct figure *fig, enum stats_order order, const char *title)
{
	const char *text = ranking_text(s, fig, order);
	if (*text)
		figure_note(fig, ROLE_PLAIN, "%s: %s.", title, text);
}

static int by_recency(const void *a, const void *b)
{
	const struct stats_group *const *x = a, *const *y = b;
	return ((*x)->best_at_s < (*y)->best_at_s) - ((*x)->best_at_s > (*y)->best_at_s);
}

/* "KV cache 32 s, ...": the latest of the fastest times. */
static const char *best_times_text(const struct stats *s, struct figure *fig)
{
	const struct stats_group *best[STATS_ROWS] = { NULL };
	size_t n = 0;
	const char *text = "";
	char said[65];
	for (size_t i = 0; i < s->n_skills && n < STATS_ROWS; i++)
		if (!isnan(s->skills[i].best_s))
			best[n++] = &s->skills[i];
	qsort(best, n, sizeof *best, by_recency);
	for (size_t i = 0; i < n && i < MOST_NAMED; i++)
		text = figure_text(fig, "%s%s%s %s", text, i ? ", " : "",
			name_words(best[i]->name, said, sizeof said),
			seconds_text(fig, best[i]->best_s));
	return text;
}

static void add_bests(const struct stats *s, struct figure *fig)
{
	const char *times = best_times_text(s, fig);
	const char *sprint =
		s->n_sprints ? figure_text(fig, "; %zu right in a sprint", s->best_sprint) : "";
	if (s->longest_run == 0)
		return; /* nothing was right yet */
	figure_note(fig, ROLE_PLAIN, "Personal bests: %zu right in a row%s%s%s.", s->longest_run,
		sprint, *times ? "; the latest fastest times: " : "", times);
}

static void add_due(const struct stats *s, struct figure *fig)
{
	char text[512];
	figure_note(
		fig, s->n_due ? ROLE_WARN : ROLE_PLAIN, "%s", stats_due_text(s, text, sizeof text));
}

void stats_figure(const struct stats *s, struct figure *fig)
{
	if (s->n_problems == 0) {
		figure_note(fig, ROLE_PLAIN, "No answers yet.");
		return;
	}
	add_values(s, fig);
	add_due(s, fig);
	add_progress(s, fig);
	add_skills(s, fig);
	add_recall(s, fig);
	add_times(s, fig);
	add_topics(s, fig);
	add_rungs(s, fig);
	add_causes(s, fig);
	add_ranking(s, fig, STATS_MISSED, "Most missed");
	add_ranking(s, fig, STATS_SLOWEST, "Slowest");
	add_bests(s, fig);
	figure_assume(fig,
		"a day is a day of UTC; one problem is one review of its skill; recall is FSRS-6's "
		"estimate for today, and is given once a skill has left its first minutes");
}
