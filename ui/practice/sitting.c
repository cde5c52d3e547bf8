/* The session is told first; the event then says what has become of the item. */
#include "ui/practice/sitting.h"

#include <assert.h>

void sitting_record(struct sitting *t, const struct session_item *item, enum history_kind kind,
	const char *given, int64_t now_ms)
{
	assert(item && given && kind < N_HISTORY_KINDS);
	int64_t at_s = t->began_s + (now_ms - t->began_ms) / 1000;
	struct history_event e =
		history_event_of(item, kind, given, mode_names[t->session->mode], at_s);
	e.set = t->set ? t->set : "";
	*t->error = '\0';
	if (t->keep && t->keep(&e, t->error, sizeof t->error) == 0)
		*t->error = '\0';
}

const struct grade *sitting_answer(struct sitting *t, const char *text, int64_t now_ms)
{
	const struct session_item *item = session_current(t->session);
	const struct grade *g = session_answer(t->session, text, now_ms);
	if (g)
		sitting_record(t, item, HISTORY_ANSWER, text, now_ms);
	return g;
}

const struct grade *sitting_grade(
	struct sitting *t, const struct grade *g, const char *given, int64_t now_ms)
{
	const struct session_item *item = session_current(t->session);
	const struct grade *taken = session_answer_graded(t->session, g, now_ms);
	if (taken)
		sitting_record(t, item, HISTORY_ANSWER, given, now_ms);
	return taken;
}

void sitting_give_up(struct sitting *t, int64_t now_ms)
{
	const struct session_item *item = session_current(t->session);
	session_give_up(t->session, now_ms);
	sitting_record(t, item, HISTORY_GAVE_UP, "", now_ms);
}
