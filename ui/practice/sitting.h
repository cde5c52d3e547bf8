/* A session that is being answered: what happens goes to the session, and with its time to the
 * history. Screens and line mode use it in the same way. A history that cannot be written costs a
 * message, never the session. */
#ifndef RIDGE_UI_PRACTICE_SITTING_H
#define RIDGE_UI_PRACTICE_SITTING_H

#include "drills/history.h"
#include "drills/session.h"

#include <stdint.h>

struct sitting {
	struct drill_session *session;
	/* Keeps an event: 0; or -1 and one line in err. NULL: nothing is kept. */
	int (*keep)(const struct history_event *e, char *err, size_t err_size);
	const char *
		set; /* what was asked for, if it goes on where it was left (drills/history.h); or NULL */
	int64_t began_s, began_ms; /* one moment as Unix time and on the session's clock */
	char error[300];           /* why the last event was not kept, or "" */
};

/* What session_answer and session_answer_graded do; an answer that was graded is an event. */
const struct grade *sitting_answer(struct sitting *t, const char *text, int64_t now_ms);
const struct grade *sitting_grade(
	struct sitting *t, const struct grade *g, const char *given, int64_t now_ms);

/* Closes the current problem without an answer, which is an event. */
void sitting_give_up(struct sitting *t, int64_t now_ms);

/* Keeps what has just happened to an item of the session. */
void sitting_record(struct sitting *t, const struct session_item *item, enum history_kind kind,
	const char *given, int64_t now_ms);

#endif
