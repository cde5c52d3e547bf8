#include "drills/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct history_event history_event_of(const struct session_item *item, enum history_kind kind,
	const char *given, const char *mode, int64_t at_s)
{
	const struct drill *d = item->variant.drill;
	struct history_event e = {
		.at_s = at_s,
		.kind = kind,
		.drill = d->id,
		.skill = d->skill,
		.topic = d->topic,
		.seed = item->variant.seed,
		.part = item->variant.part,
		.given = given,
		.value = NAN,
		.used = kind != HISTORY_ANSWER,
		.hints = item->hints,
		.attempt = item->attempts,
		.scratch = item->scratch,
		.step = (unsigned)item->variant.step,
		.steps = (unsigned)item->variant.n_steps,
		.took_s = (double)item->spent_ms / 1000,
		.par_s = d->par_s,
		.mode = mode,
	};
	if (kind == HISTORY_ANSWER && item->answered) {
		e.attempt = item->answered_attempt;
		e.step = (unsigned)item->answered_step;
		e.value = item->grade.has_value ? item->grade.value : NAN;
		e.verdict = item->grade.verdict;
		e.used = item->grade.attempt_used;
		e.credit = item->grade.credit;
		e.cause = item->grade.cause;
	}
	return e;
}

void history_release(struct history *h)
{
	free(h->events);
	free(h->text);
	*h = (struct history){ 0 };
}

char *history_complaint(const struct history *h, char *buf, size_t size)
{
	buf[0] = '\0';
	if (h->n_unreadable > 0)
		snprintf(buf, size,
			"%zu of %zu line%s of the history cannot be read (line %zu: %s); %s kept.",
			h->n_unreadable, h->n_lines, h->n_lines == 1 ? "" : "s", h->first_bad,
			h->why, h->n_unreadable == 1 ? "it is" : "they are");
	return buf;
}
