/* The lines of the drill screen: answer, notes, scratch pad. */
#include "ui/screens/drill/drill_act.h"

#include <stdio.h>
#include <string.h>

/* A program is no line. */
enum entry_kind drill_line_kind(const struct drill_view *d)
{
	const struct session_item *item = drill_view_item(d);
	switch (drill_state(d)) {
	case DRILL_TALK:
		return ENTRY_TALK;
	case DRILL_OPEN:
		return item->variant.program && !d->program.assessing ? ENTRY_NONE : ENTRY_ANSWER;
	default:
		return ENTRY_NONE;
	}
}

/* The line that is typed is kept while the keys go elsewhere... */
void drill_put_line_away(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	if (app->entry.kind == ENTRY_SCRATCH)
		desk->pad_line = app->entry;
	else if (app->entry.kind >= ENTRY_ANSWER)
		desk->line = app->entry;
	app->entry = (struct entry){ 0 };
}

/* ...and is there again. */
void drill_take_line_up(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	enum drill_state state = drill_state(drill_of(app));
	bool pad = desk->in_pad && (state == DRILL_OPEN || state == DRILL_TALK);
	enum entry_kind kind = pad ? ENTRY_SCRATCH : drill_line_kind(drill_of(app));
	struct entry *kept = pad ? &desk->pad_line : &desk->line;
	app->entry = (struct entry){ 0 };
	if (kind == ENTRY_NONE)
		return;
	if (kept->kind != kind)
		entry_begin(kept, kind, 0);
	app->entry = *kept;
}

void drill_to_pad(struct app *app, bool in_pad)
{
	drill_put_line_away(app);
	drill_of(app)->desk.in_pad = in_pad;
	drill_take_line_up(app);
}

void drill_show_newest(struct app *app)
{
	drill_of(app)->scroll = drill_view_newest(app);
}

void drill_view_note(struct app *app, const char *text)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	if (!text[strspn(text, " ")]) {
		drill_next_phase(app);
		return;
	}
	if (desk->n_notes == MOST_NOTES) {
		snprintf(app->entry.error, sizeof app->entry.error, "at most %d notes", MOST_NOTES);
		return;
	}
	snprintf(desk->notes[desk->n_notes++], sizeof desk->notes[0], "%s", text);
	entry_begin(&app->entry, ENTRY_TALK, 0);
	drill_show_newest(app);
}

void drill_view_work(struct app *app, const char *text)
{
	struct drill_view *d = drill_of(app);
	struct entry *e = &app->entry;
	if (drill_run_out(app))
		return;
	if (!text[strspn(text, " ")]) {
		drill_to_pad(app, false);
		return;
	}
	if (scratch_add(&d->desk.pad, text, e->error, sizeof e->error))
		return;
	struct session_item *item = session_current(&d->session);
	if (item)
		item->scratch = true;
	entry_begin(e, ENTRY_SCRATCH, 0);
}

/* The line before, of the notes or of the pad, to be mended. */
bool drill_take_back(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	struct entry *e = &app->entry;
	if (e->bytes)
		return false;
	if (e->kind == ENTRY_TALK && desk->n_notes > 0)
		entry_set(e, desk->notes[--desk->n_notes]);
	else if (e->kind == ENTRY_SCRATCH && desk->pad.n > 0)
		entry_set(e, desk->pad.lines[--desk->pad.n].text);
	else
		return false;
	return true;
}

void drill_copy_result(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	char text[128];
	if (drill_line_kind(drill_of(app)) == ENTRY_NONE)
		return;
	if (desk->pad.n == 0) {
		app_say(app, "The scratch pad has no result yet; Ctrl-S opens it.");
		return;
	}
	scratch_write(
		&desk->pad.lines[desk->pad.n - 1].value, SCRATCH_ALL_DIGITS, text, sizeof text);
	drill_to_pad(app, false);
	entry_set(&app->entry, text);
}
