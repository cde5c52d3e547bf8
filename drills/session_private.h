/* What the files of a sitting share. Not for others. */
#ifndef RIDGE_SESSION_PRIVATE_H
#define RIDGE_SESSION_PRIVATE_H

#include "drills/session.h"

/* The stretch since the clock was last looked at, of the problem and of the whole. */
int64_t session_stretch_ms(const struct drill_session *s, int64_t now_ms);
int64_t session_whole_stretch_ms(const struct drill_session *s, int64_t now_ms);

/* Counts the stretch, and begins a new one. */
void session_settle(struct drill_session *s, int64_t now_ms);

/* Fills s->items (drills/session_deal.c). */
int session_deal(struct drill_session *s, const struct drill_bank *b, const struct tables *t,
	const struct session_options *o, char *err, size_t err_size);

#endif
