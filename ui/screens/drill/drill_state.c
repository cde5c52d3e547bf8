/* The state is not kept: it follows from the session and the desk each time. */
#include "ui/screens/drill/drill_state.h"

const struct session_item *drill_view_item(const struct drill_view *d)
{
	if (d->look)
		return &d->session.items[d->look - 1];
	return d->session.items ? session_current(&d->session) : NULL;
}

enum drill_state drill_state(const struct drill_view *d)
{
	const struct drill_session *s = &d->session;
	const struct session_item *item = drill_view_item(d);
	if (d->open && d->request.nothing_due)
		return DRILL_NOTHING;
	if (d->look)
		return DRILL_CLOSED;
	if (session_done(s))
		return DRILL_DONE;
	if (d->desk.ready)
		return DRILL_READY;
	/* In modes whose clock also runs while a solution is read, a pause hides the solution
	 * too. */
	if (s->paused && (!item || !item->closed || s->limit_s > 0))
		return DRILL_HIDDEN;
	return !item ? DRILL_TALK : item->closed ? DRILL_CLOSED : DRILL_OPEN;
}

/* A program is written in an editor, not in the line. */
enum entry_kind drill_line_kind(const struct drill_view *d)
{
	const struct session_item *item = drill_view_item(d);
	switch (drill_state(d)) {
	case DRILL_TALK:
		return ENTRY_TALK;
	case DRILL_OPEN:
		return item->variant.program && !d->program.assessing && !d->program.why[0]
			       ? ENTRY_NONE
			       : ENTRY_ANSWER;
	default:
		return ENTRY_NONE;
	}
}

uint64_t drill_fresh_seed(const struct app *app)
{
	uint64_t fresh = (uint64_t)app_now_s(app) / 60 % 1000000 + 1;
	uint64_t before = drill_seen(app)->open ? drill_seen(app)->session.seed : 0;
	return before >= fresh ? before + 1 : fresh;
}

bool drill_program_open(const struct drill_view *d)
{
	const struct session_item *item = drill_view_item(d);
	return item && !item->closed && item->variant.program;
}

const char *drill_program_text(const struct drill_view *d)
{
	return d->program.text && !d->program.as_given ? d->program.text
						       : drill_view_item(d)->variant.program->stub;
}
