/* The newest lines are shown, and the line that is being typed is worked out anew in each frame. */
#include "ui/screens/drill/scratch_view.h"

#include "ui/term/pane.h"
#include "ui/screens/drill/drill_state.h"

#include <stdio.h>

enum { LEAST_LINES = 2, SHOWN_LINES = 5, FRAME_ROWS = 3 }; /* rule, typed line, note */

int scratch_view_rows(const struct app *app)
{
	int n = (int)drill_seen(app)->desk.pad.n;
	return FRAME_ROWS + (n < LEAST_LINES ? LEAST_LINES : n > SHOWN_LINES ? SHOWN_LINES : n);
}

/* "── scratch pad ──────────── Ctrl-S back ──" */
static void draw_rule(const struct pane *p, bool in_pad)
{
	static const char title[] = " scratch pad ";
	const char *keys = in_pad ? " Enter works it out, Tab back " : " Ctrl-S to the pad ";
	bool ascii = p->cv->glyphs == GLYPHS_ASCII;
	for (int col = 0; col < p->r.cols; col++)
		pane_put(p, 0, col, ascii ? '-' : 0x2500, STYLE_DIM, 0);
	int used = 2 + pane_text(p, 0, 2, -1, title, in_pad ? STYLE_ACCENT : STYLE_DIM,
			       in_pad ? ATTR_BOLD : 0);
	int width = text_cols(keys, p->cv->glyphs);
	if (used + width + 3 < p->r.cols)
		pane_text(p, 0, p->r.cols - width - 2, -1, keys, STYLE_DIM, 0);
}

/* The result must stay visible, so the text before it is cut when both do not fit. */
static void draw_line(const struct pane *p, int row, const char *label, const char *text,
	const char *result, bool live)
{
	int width = text_cols(result, p->cv->glyphs);
	int room = p->r.cols - 5 - (width ? width + 1 : 0);
	pane_text(p, row, 0, 4, label, STYLE_DIM, 0);
	int used = room > 3 ? pane_fit(p, row, 5, room, text, STYLE_PLAIN, 0) : -1;
	pane_fit(p, row, 5 + used + 1, -1, result, live ? STYLE_DIM : STYLE_PLAIN,
		live ? 0 : ATTR_BOLD);
}

static void draw_lines(const struct scratch_pad *pad, const struct pane *p, int rows)
{
	size_t first = pad->n > (size_t)rows ? pad->n - (size_t)rows : 0;
	for (size_t i = first; i < pad->n; i++) {
		char label[24], value[128], result[140];
		snprintf(label, sizeof label, "#%zu", i + 1);
		scratch_write(&pad->lines[i].value, SCRATCH_DIGITS, value, sizeof value);
		snprintf(result, sizeof result, "= %s", value);
		draw_line(p, (int)(i - first), label, pad->lines[i].text, result, false);
	}
	if (pad->n == 0) {
		pane_fit(p, 0, 0, -1,
			"2 x 80 x 8 x 128 x 2 B    (600 GB - 20 GiB) / 3 GB/s    2^33 B in GiB",
			STYLE_DIM, 0);
		pane_fit(p, 1, 0, -1,
			"#1 is the first line, ans the last. Numbers and units as in answers.",
			STYLE_DIM, 0);
	}
}

/* The line that is being typed, with its value so far. */
static void draw_typed(const struct app *app, const struct pane *p, int row)
{
	const struct drill_desk *desk = &drill_seen(app)->desk;
	const struct entry *e = desk->in_pad ? &app->entry : &desk->pad_line;
	struct scratch_value v;
	char err[320] = "", value[128], result[140] = "";
	pane_text(p, row, 0, 2, "▸", desk->in_pad ? STYLE_ACCENT : STYLE_DIM, ATTR_BOLD);
	if (e->bytes && scratch_read(&desk->pad, e->text, NULL, &v, err, sizeof err) == 0) {
		scratch_write(&v, SCRATCH_DIGITS, value, sizeof value);
		snprintf(result, sizeof result, "= %s", value);
	}
	int width = *result ? text_cols(result, p->cv->glyphs) + 1 : 0;
	int room = p->r.cols - 2 - (width < p->r.cols / 2 ? width : 0), used = 0;
	if (desk->in_pad && room > 0)
		used = entry_draw(e, p->cv, p->r.row + row, p->r.col + 2, room, 0);
	else
		used = pane_fit(p, row, 2, room, e->text, STYLE_DIM, 0);
	if (room < p->r.cols - 2)
		pane_text(p, row, 2 + used + 1, -1, result, STYLE_DIM, 0);
	const char *last = desk->pad.n ? scratch_note(&desk->pad.lines[desk->pad.n - 1].value) : "";
	const char *note = *e->error ? e->error : e->bytes && *result ? scratch_note(&v) : last;
	pane_fit(p, row + 1, 2, -1, note, *e->error ? STYLE_BAD : STYLE_DIM, 0);
}

void scratch_view_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct drill_desk *desk = &drill_seen(app)->desk;
	struct pane p = pane_of(cv, r);
	int n = (int)desk->pad.n, room = p.r.rows - FRAME_ROWS;
	int lines = n < LEAST_LINES ? LEAST_LINES : n;
	lines = lines < room ? lines : room > 0 ? room : 0;
	draw_rule(&p, desk->in_pad);
	struct pane list = pane_part(&p, (struct rect){ 1, 0, lines, p.r.cols });
	draw_lines(&desk->pad, &list, lines);
	draw_typed(app, &p, 1 + lines);
}
