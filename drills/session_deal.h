/* Which drills a sitting is made of, and in which order. */
#ifndef RIDGE_SESSION_DEAL_H
#define RIDGE_SESSION_DEAL_H

#include "drills/session.h"

/* Deals the problems of a session whose mode and arena are set, into s->items. 0; or -1 and one
 * line in err. */
int session_deal(struct drill_session *s, const struct drill_bank *b, const struct tables *t,
	const struct session_options *o, char *err, size_t err_size);

/* How often a step may be answered in a mode, unless another number is asked for. */
unsigned session_attempts(enum drill_mode mode);

#endif
