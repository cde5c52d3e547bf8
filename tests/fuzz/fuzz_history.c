/* Any bytes as a history: lines are read or counted, statistics come of what was read, and what was
 * read is written so that it reads as the same again. */
#include "drills/stats_figure.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void parse(struct history *h, const void *bytes, size_t size)
{
	char *text = malloc(size + 1);
	must(text != NULL);
	if (size)
		memcpy(text, bytes, size);
	must(history_parse(h, text, size) == 0);
	must(h->n + h->n_other + h->n_unreadable == h->n_lines);
}

static void check_event(const struct history_event *e)
{
	char line[HISTORY_LINE_SIZE], again[HISTORY_LINE_SIZE];
	struct history h;
	size_t n = history_line(e, line, sizeof line);
	if (n == 0)
		return;
	parse(&h, line, n);
	must(h.n == 1 && h.n_unreadable == 0);
	must(history_line(&h.events[0], again, sizeof again) == n && memcmp(line, again, n) == 0);
	history_release(&h);
}

static void check_stats(const struct history *h)
{
	struct stats s;
	struct figure fig = { 0 };
	size_t problems = 0;
	must(stats_init(&s, h, 1767225600) == 0);
	for (size_t i = 0; i < s.n_skills; i++) {
		const struct stats_group *g = &s.skills[i];
		problems += g->problems;
		must(g->credit >= 0 && g->credit <= 1 && g->time_ratio >= 0);
		must(g->card.memory.difficulty >= 1 && g->card.memory.difficulty <= 10);
		must(g->recall >= 0 && g->recall <= 1);
	}
	must(problems == s.n_problems && s.total.problems == s.n_problems);
	stats_figure(&s, &fig);
	must(!fig.arena.failed);
	figure_release(&fig);
	stats_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct history h;
	char complaint[200];
	parse(&h, data, size);
	for (size_t i = 0; i < h.n; i++)
		check_event(&h.events[i]);
	check_stats(&h);
	history_complaint(&h, complaint, sizeof complaint);
	history_release(&h);
	return 0;
}
