/* Each line has a function that adds to its text; a line that stays empty is left out. */
#include "ui/practice/drill_summary.h"

#include "sims/base/name_words.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *drill_clock_text(int64_t ms, char *buf, size_t size)
{
	int64_t s = ms < 0 ? -(ms / 1000) : ms / 1000;
	assert(size > 0);
	snprintf(buf, size, "%s%d:%02d", ms <= -1000 ? "-" : "", (int)(s / 60), (int)(s % 60));
	return buf;
}

char *drill_left_text(int64_t end_ms, int64_t clock_ms, char *buf, size_t size)
{
	enum { SECOND_MS = 1000 };
	return drill_clock_text((end_ms / SECOND_MS - clock_ms / SECOND_MS) * SECOND_MS, buf, size);
}

char *drill_time_text(double s, char *buf, size_t size)
{
	enum { IN_SECONDS = 120 };
	if (s <= IN_SECONDS)
		snprintf(buf, size, "%.0f s", s);
	else
		snprintf(buf, size, "%.0f min", s / 60);
	return buf;
}

bool drill_was_seen(const struct drill_session *s, size_t i)
{
	return *session_item_word(s, i) != '\0';
}

/* Adds to a text; what does not fit is cut. */
static void add(struct summary_line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct summary_line *l, const char *fmt, ...)
{
	size_t used = strlen(l->text);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(l->text + used, sizeof l->text - used, fmt, ap);
	va_end(ap);
}

static void add_time(struct summary_line *l, int64_t spent_ms, double planned_s)
{
	char spent[32], planned[32];
	drill_clock_text(spent_ms, spent, sizeof spent);
	drill_clock_text(llround(1000 * planned_s), planned, sizeof planned);
	add(l, "%s of %s", spent, planned);
}

static size_t seen(const struct drill_session *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++)
		n += drill_was_seen(s, i);
	return n;
}

static void say_score(const struct drill_session *s, struct summary_line *l)
{
	struct session_score score = session_score(s);
	bool sprint = s->mode == MODE_SPRINT;
	char time[32];
	drill_clock_text(s->limit_s > 0 ? s->total_ms : score.spent_ms, time, sizeof time);
	add(l, "%zu of %zu right", score.correct, sprint ? seen(s) : score.n);
	if (sprint)
		add(l, " in %s", time);
	else if (session_has_clock(s) && score.correct)
		add(l, ", %zu of them within par", score.within_par);
	add(l, "; credit %.2f of %zu", score.credit, sprint ? seen(s) : score.n);
	if (score.hints)
		add(l, "; %zu hint%s", score.hints, score.hints == 1 ? "" : "s");
	if (session_has_clock(s) && !sprint)
		add(l, "; %s", time);
}

static void say_time(const struct drill_session *s, struct summary_line *l)
{
	struct session_score score = session_score(s);
	if (!session_has_clock(s) || score.slowest >= s->n)
		return;
	const struct session_item *slowest = &s->items[score.slowest];
	/* Of one or two problems a median says nothing that the times do not. */
	if (seen(s) > 2)
		add(l, "answers took %.0f %% of par in the median; ", 100 * score.median_par_ratio);
	add(l, "slowest: %s, ", slowest->variant.drill->title);
	add_time(l, slowest->spent_ms, slowest->variant.drill->par_s);
}

static void say_phases(const struct drill_session *s, struct summary_line *l)
{
	for (size_t i = 0; s->mode == MODE_INTERVIEW && i < N_INTERVIEW_PHASES; i++) {
		const struct interview_phase *p = &s->plan[i];
		add(l, "%s%s ", i ? ", " : "", p->name);
		add_time(l, s->phase_ms[i], p->share * s->limit_s);
	}
}

static void say_missed(const struct drill_session *s, struct summary_line *l)
{
	enum { NAMED = 3 };
	struct session_miss missed[NAMED];
	char said[65];
	size_t n = session_missed(s, missed, NAMED);
	for (size_t i = 0; i < n && missed[i].missed == missed[0].missed; i++)
		add(l, "%s%s, %zu of %zu", i ? "; " : "",
			name_words(missed[i].skill, said, sizeof said), missed[i].missed,
			missed[i].closed);
}

/* The most frequent first; those that are equally frequent as they came. */
static void say_mistakes(const struct drill_session *s, struct summary_line *l)
{
	unsigned most = 0;
	for (size_t i = 0; i < s->n_causes; i++)
		most = s->causes[i].n > most ? s->causes[i].n : most;
	for (unsigned times = most; times > 0; times--)
		for (size_t i = 0; i < s->n_causes; i++)
			if (s->causes[i].n == times)
				add(l, "%s%s %ux", *l->text ? ", " : "", s->causes[i].text, times);
}

/* "chapters 2, 5 and 8; of those asked the others are known, by one problem each: five more would tell" */
static void say_placement(const struct drill_session *s, struct summary_line *l)
{
	const char *missed[PLACEMENT_COUNT];
	size_t n = 0;
	if (s->mode != MODE_PLACEMENT)
		return;
	for (size_t i = 0; i < s->n && n < PLACEMENT_COUNT; i++) {
		const char *chapter = s->items[i].variant.drill->chapter;
		if (chapter && !session_item_right(&s->items[i]))
			missed[n++] = chapter + strcspn(chapter, "0123456789");
	}
	if (n == 0)
		add(l, "no chapter has to be; the problems at their ends go deeper");
	for (size_t i = 0; i < n; i++)
		add(l, "%s%s",
			i == 0      ? (n == 1 ? "chapter " : "chapters ")
			: i + 1 < n ? ", "
				    : " and ",
			missed[i]);
	/* There are more chapters than problems. */
	if (n && n < s->n)
		add(l, "; of those asked the other%s known, by one problem%s: five more would tell",
			s->n - n == 1 ? " is" : "s are", s->n - n == 1 ? "" : " each");
}

static const char *between(const struct summary_line *l)
{
	return *l->text ? "; " : "";
}

static void say_bests(
	const struct drill_session *s, const struct session_bests *b, struct summary_line *l)
{
	for (size_t i = 0; i < b->n_times; i++) {
		const struct session_item *item = &s->items[b->times[i].item];
		char time[32], before[32], said[65];
		drill_clock_text(item->spent_ms, time, sizeof time);
		drill_clock_text(llround(1000 * b->times[i].before_s), before, sizeof before);
		add(l, "%s%s in %s, before %s", between(l),
			name_words(item->variant.drill->skill, said, sizeof said), time, before);
	}
	if (b->run)
		add(l, "%s%zu right in a row, before %zu", between(l), b->run, b->run_before);
	if (b->is_sprint && b->sprint > b->sprint_before && b->sprint_before)
		add(l, "%s%zu right in a sprint, before %zu", between(l), b->sprint,
			b->sprint_before);
	else if (b->is_sprint && b->sprint_before)
		add(l, "%sthe best sprint stays at %zu", between(l), b->sprint_before);
}

size_t drill_summary(const struct drill_session *s, const struct session_bests *b,
	struct summary_line out[SUMMARY_LINES])
{
	struct summary_line lines[SUMMARY_LINES] = { { "", "" }, { "time", "" }, { "phases", "" },
		{ "to be read", "" }, { "most missed", "" }, { "mistakes", "" }, { "best", "" } };
	size_t n = 0;
	say_score(s, &lines[0]);
	say_time(s, &lines[1]);
	say_phases(s, &lines[2]);
	say_placement(s, &lines[3]);
	if (s->mode != MODE_PLACEMENT)
		say_missed(s, &lines[4]);
	say_mistakes(s, &lines[5]);
	say_bests(s, b, &lines[6]);
	for (size_t i = 0; i < SUMMARY_LINES; i++)
		if (*lines[i].text)
			out[n++] = lines[i];
	return n;
}
