/* The frame around every screen: title line, footer, the line that is being typed. */
#include "ui/shell/app.h"

#include "ui/term/keys.h"
#include "ui/term/octants.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"
#include "ui/views/quantity_show.h"
#include "ui/live/action.h"
#include "ui/shell/bindings.h"
#include "ui/shell/layout.h"

#include <stdio.h>
#include <string.h>

static void draw_too_small(const struct app *app, struct canvas *cv)
{
	char text[128];
	snprintf(text, sizeof text, "ridge needs %d x %d, this window is %d x %d. q quits.",
		LEAST_COLS, LEAST_ROWS, app->cols, app->rows);
	paragraph_draw(cv, (struct rect){ 0, 0, app->rows, app->cols }, text, STYLE_PLAIN, 0);
}

/* Leaves so many of the first parts ("A100 · BF16 · training") as have room; of one part all or
 * nothing. */
static void leave_parts(char *text, int room)
{
	static const char between[] = " · ";
	while (*text && text_width(text) > room) {
		char *last = text;
		for (char *p = text; (p = strstr(p, between)); p += strlen(between))
			last = p;
		*last = '\0';
	}
}

/* What stands at the end of the top row whatever is shown: a clock that runs elsewhere, and that it is recorded. */
static char *title_end(const struct app *app, char *buf, size_t size)
{
	char clock[64] = "";
	app_clock_elsewhere(app, clock, sizeof clock);
	snprintf(buf, size, "%s%s%s", clock, *clock && app->records ? "   " : "",
		app->records ? "rec ●" : "");
	return buf;
}

static void draw_title(const struct app *app, struct canvas *cv, struct rect r)
{
	enum { BETWEEN = 3 };
	char text[256], right[256] = "", end[96];
	app_screen(app)->title(app, text, sizeof text, right, sizeof right);
	title_end(app, end, sizeof end);
	leave_parts(right,
		r.cols - text_width(text) - BETWEEN - (*end ? BETWEEN + text_width(end) : 0));
	size_t told = strlen(right);
	if (*end && told + BETWEEN + strlen(end) < sizeof right)
		snprintf(right + told, sizeof right - told, "%*s%s", told ? BETWEEN : 0, "", end);
	int used = canvas_text(cv, r.row, r.col, r.cols, text, STYLE_PLAIN, 0);
	/* The last word of the trail names the present place, so it alone is bright. */
	const char *last = text;
	for (const char *p = text; (p = strstr(p, "› ")); last = p)
		p += strlen("› ");
	int from = last > text ? used - text_width(last) : 0;
	canvas_restyle(cv, (struct rect){ r.row, r.col, 1, from }, STYLE_DIM, 0);
	canvas_restyle(
		cv, (struct rect){ r.row, r.col + from, 1, used - from }, STYLE_PLAIN, ATTR_BOLD);
	if (r.cols - used > text_width(right) + 2)
		canvas_text_right(cv, r.row, r.col + used, r.cols - used, right, STYLE_DIM, 0);
}

/* While an answer is typed its letters are not commands, so the footer does not offer them. */
static bool is_typed(const struct app *app, uint32_t key)
{
	return entry_stays(app->entry.kind) && key > ' ' && key < KEY_BACKSPACE_ &&
	       app_types(app, key);
}

static bool acts_now(const struct app *app, enum action a)
{
	const struct screen *s = app_screen(app);
	return !s->acts || s->acts(app, a);
}

/* Whether a curve stands on the screen: a plot of another part would not be there to look wrong. */
static bool draws_curves(const struct canvas *cv)
{
	for (int i = 0; i < cv->rows * cv->cols; i++) {
		const uint32_t code = cv->cells[i].code;
		if (octant_of_curve(code) || (code > 0x2800 && code <= 0x28ff))
			return true;
	}
	return false;
}

/* What the footer says of a key; NULL: nothing now. */
static const char *word_of(const struct app *app, const struct key_binding *b)
{
	const struct screen *s = app_screen(app);
	if (!b->footer || !(b->screens & (1u << app->screen)) || !acts_now(app, b->action) ||
		is_typed(app, b->key))
		return NULL;
	const char *word = s->calls ? s->calls(app, b->action) : NULL;
	return !word ? b->footer : *word ? word : NULL;
}

/* What the footer says of the first key of an action that has a word now; NULL: none has. */
static const struct key_binding *told_key(const struct app *app, enum action a)
{
	for (size_t i = 0; i < n_key_bindings; i++)
		if (key_bindings[i].action == a && word_of(app, &key_bindings[i]))
			return &key_bindings[i];
	return NULL;
}

/* What leads out of here: back, or where nothing is behind it or it says otherwise, out of ridge. */
static enum action way_of(const struct app *app)
{
	return told_key(app, ACT_BACK) ? ACT_BACK : ACT_QUIT;
}

/* Whether an action is one of those that the footer always has room for: the help, which leads to all other
 * keys, and the way out. */
static bool is_kept(enum action a, enum action way)
{
	return a == ACT_HELP || a == way;
}

/* Columns of the keys that are kept for later rows, with what stands before each. */
static int kept_cols(const struct app *app, enum action way, size_t from)
{
	enum { BETWEEN = 3 };
	bool told[2] = { false, false };
	int cols = 0;
	for (size_t i = from; i < n_key_bindings; i++) {
		const struct key_binding *b = &key_bindings[i];
		const char *word = is_kept(b->action, way) ? word_of(app, b) : NULL;
		char key[16];
		bool *one = &told[b->action == way];
		if (!word || *one)
			continue;
		*one = true;
		cols += BETWEEN + text_width(key_text(b->key, key, sizeof key)) + 1 +
			text_width(word);
	}
	return cols;
}

/* The most useful keys: the first rows of the key table that have a word for the footer, and those that
 * are kept. */
static void draw_footer(const struct app *app, struct canvas *cv, struct rect r)
{
	enum { USUAL_HINTS = 5, BETWEEN = 3 };
	const enum action way = way_of(app);
	const size_t most = app_screen(app)->hints ? app_screen(app)->hints : USUAL_HINTS;
	bool curves = app->first_session && app->glyphs > GLYPHS_LINES &&
		      key_action(app->screen, 'b') == ACT_GLYPHS && draws_curves(cv);
	const char *right = curves ? "curves look wrong? b" : app->mouse ? "mouse on" : "";
	int col = r.col, end = r.col + r.cols - (*right ? text_width(right) + BETWEEN : 0);
	for (size_t i = 0, hints = 0; i < n_key_bindings; i++) {
		const struct key_binding *b = &key_bindings[i];
		const char *word = word_of(app, b);
		char key[16];
		/* The help counts as one of them. */
		if (!word || (!is_kept(b->action, way) && hints + 1 >= most))
			continue;
		key_text(b->key, key, sizeof key);
		if (b->action == ACT_LEFT)
			snprintf(key, sizeof key, "h l");
		else if (b->action == ACT_DOWN && b->key == 'j')
			snprintf(key, sizeof key, "j k");
		int width = text_width(key) + 1 + text_width(word);
		const int after = kept_cols(app, way, i + 1);
		if (col + width + after > end)
			continue;
		col += canvas_text(cv, r.row, col, -1, key, STYLE_PLAIN, ATTR_BOLD) + 1;
		col += canvas_text(cv, r.row, col, -1, word, STYLE_DIM, 0) + BETWEEN;
		hints += !is_kept(b->action, way);
	}
	if (*right)
		canvas_text_right(cv, r.row, col, r.col + r.cols - col, right, STYLE_DIM, 0);
}

/* The choices that contain what was typed so far. */
static void matching_choices(
	const struct live *s, const struct knob *k, const char *typed, char *text, size_t size)
{
	size_t n = knob_choices(k, s->tables), used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < n && used < size; i++) {
		const char *name = knob_choice(k, s->tables, i);
		if (strstr(name, typed))
			used += (size_t)snprintf(
				text + used, size - used, "%s%s", used ? "  " : "", name);
	}
}

/* What is wrong with a line, which stays in it. The knob's id, with which a command says it, is no name here. */
static const char *entry_error(const struct app *app)
{
	const struct entry *e = &app->entry;
	const struct live *s = app_live(app);
	const char *id = e->kind == ENTRY_VALUE && s ? s->sim->knobs[s->focus].id : "";
	const size_t n = strlen(id);
	return n && strncmp(e->error, id, n) == 0 && strncmp(e->error + n, ": ", 2) == 0
		       ? e->error + n + 2
		       : e->error;
}

/* In rows over the line, where it has no room beside it. */
static void draw_error_above(const struct app *app, struct canvas *cv, struct rect r)
{
	const int rows = text_lines(entry_error(app), r.cols, cv->glyphs);
	const struct rect at = { r.row - rows, r.col, rows, r.cols };
	canvas_rule(cv, at.row - 1, 0, app->cols, STYLE_DIM);
	canvas_fill(cv, (struct rect){ at.row, 0, rows, app->cols }, ' ', STYLE_PLAIN, 0);
	paragraph_draw(cv, at, entry_error(app), STYLE_BAD, 0);
}

static void draw_entry(const struct app *app, struct canvas *cv, struct rect r)
{
	static const char *const outs[] = { "Esc cancel", "Esc" };
	enum { BETWEEN = 3, WITH_OUT = 60 };
	const struct entry *e = &app->entry;
	char prompt[256], range[512] = "", lo[48], hi[48];
	const struct live *s = app_live(app);
	snprintf(prompt, sizeof prompt, "%s",
		e->kind == ENTRY_NOTE      ? "note: "
		: e->kind == ENTRY_HEARD   ? "heard: "
		: e->kind == ENTRY_NAME    ? "the candidate's name: "
		: e->kind == ENTRY_CAPTION ? "what this shows: "
		: e->kind == ENTRY_GUESS   ? "your number: "
		: e->kind == ENTRY_DATE    ? "interview on: "
					   : "/");
	if (e->kind == ENTRY_VALUE && s) {
		const struct knob *k = &s->sim->knobs[s->focus];
		snprintf(prompt, sizeof prompt, "%s = ", knob_said(k, lo, sizeof lo));
		if (k->kind == KNOB_NUMBER)
			snprintf(range, sizeof range, "%s to %s",
				quantity_show(lo, sizeof lo, k->min, k->unit),
				quantity_show(hi, sizeof hi, k->max, k->unit));
		else
			matching_choices(s, k, e->text, range, sizeof range);
	} else if (app_screen(app)->reads) {
		app_screen(app)->reads(app, e->kind, e->text, range, sizeof range);
	}
	canvas_fill(cv, r, ' ', STYLE_PLAIN, 0);
	const char *const said = e->error[0] ? entry_error(app) : range;
	const int taken = text_width(prompt) + text_width(e->text) + 1 + BETWEEN + text_width(said);
	if (r.cols >= WITH_OUT) { /* a word of it gives way to what is said beside the line */
		const char *out = outs[taken + BETWEEN + text_width(outs[0]) > r.cols];
		canvas_text_right(cv, r.row, r.col, r.cols, out, STYLE_DIM, 0);
		r.cols -= text_width(out) + BETWEEN;
	}
	int col = r.col + canvas_text(cv, r.row, r.col, r.cols, prompt, STYLE_ACCENT, ATTR_BOLD);
	/* When the line is long, the error must still be visible beside it, or over it. */
	int room = r.col + r.cols - col,
	    wanted = e->error[0] ? text_cols(said, cv->glyphs) + BETWEEN : 0;
	const bool above = wanted > room / 2 && wanted + text_cols(e->text, cv->glyphs) + 1 > room;
	if (above)
		draw_error_above(app, cv, r);
	wanted = above ? 0 : wanted;
	int used = entry_draw(e, cv, r.row, col, room - wanted, 0);
	if (above)
		return;
	const struct rect beside = { r.row, col + used + BETWEEN, 1,
		r.col + r.cols - col - used - BETWEEN };
	const struct pane p = pane_of(cv, beside);
	if (e->kind == ENTRY_VALUE || e->error[0])
		canvas_text(cv, beside.row, beside.col, beside.cols, said,
			e->error[0] ? STYLE_BAD : STYLE_DIM, 0);
	else /* whole, or up to the end of a clause */
		pane_clause(&p, 0, 0, -1, said, STYLE_DIM, 0);
}

/* One line set in a rule: it parts what is said from the screen that it lies on. False: it is too long for that. */
static bool draw_brief_message(const struct app *app, struct canvas *cv, struct rect at)
{
	enum { INDENT = 2, GAP = 1 };
	const int said = text_cols(app->message, cv->glyphs);
	if (strchr(app->message, '\n') || said + 2 * (INDENT + GAP) > at.cols)
		return false;
	canvas_rule(cv, at.row, at.col, at.cols, STYLE_DIM);
	canvas_fill(cv, (struct rect){ at.row, at.col + INDENT - GAP, 1, said + 2 * GAP }, ' ',
		STYLE_PLAIN, 0);
	canvas_text(cv, at.row, at.col + INDENT, -1, app->message, STYLE_ACCENT, 0);
	return true;
}

/* Over the end of the body, in as many rows as it takes: the keys below stay in sight. Where none are offered, it has
 * their row as well. */
static void draw_message(const struct app *app, struct canvas *cv, struct frame_layout l)
{
	const int last = app->quiet ? l.footer.row : l.footer.row - 1;
	const int most = last - l.body.row;
	const struct rect one = { last, l.footer.col, 1, l.footer.cols };
	if (draw_brief_message(app, cv, one))
		return;
	int rows = text_lines(app->message, l.footer.cols, cv->glyphs);
	rows = rows < 1 ? 1 : rows > most ? most : rows;
	const struct rect r = { last - rows + 1, l.footer.col, rows, l.footer.cols };
	canvas_rule(cv, r.row - 1, 0, app->cols, STYLE_DIM);
	canvas_fill(cv, (struct rect){ r.row, 0, rows, app->cols }, ' ', STYLE_PLAIN, 0);
	paragraph_draw(cv, r, app->message, STYLE_ACCENT, 0);
}

void app_draw(const struct app *app, struct canvas *cv)
{
	canvas_clear(cv);
	if (too_small(app->rows, app->cols)) {
		draw_too_small(app, cv);
		return;
	}
	if (app_screen(app)->blank && app_screen(app)->blank(app))
		return;
	struct frame_layout l = frame_layout(app->rows, app->cols);
	draw_title(app, cv, l.title);
	canvas_rule(cv, l.rule.row, l.rule.col, l.rule.cols, STYLE_DIM);
	app_screen(app)->draw(app, cv, l.body);
	bool line = app->entry.kind != ENTRY_NONE && !entry_stays(app->entry.kind);
	struct rect hints = l.footer;
	hints.cols -= key_caps_cols(&app->caps, hints.cols);
	if (app->palette.open)
		palette_draw_keys(&app->palette, cv, l.footer);
	else if (line)
		draw_entry(app, cv, l.footer);
	else if (!app->quiet)
		draw_footer(app, cv, hints);
	if (!app->palette.open && !line)
		key_caps_draw(&app->caps, cv, l.footer);
	if (app->palette.open)
		palette_draw(&app->palette, cv, l.body);
	if (app->message[0])
		draw_message(app, cv, l);
}
