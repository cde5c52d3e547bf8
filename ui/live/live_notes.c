/* They are drawn in a tall canvas, of which the screen shows a part. */
#include "ui/live/live_notes.h"

#include "ui/live/trial.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"
#include "ui/data/tour_list.h"
#include "ui/views/quantity_show.h"

#include <stdio.h>

static int paragraph(struct canvas *cv, struct rect r, const char *text, enum style style)
{
	char shown[2048];
	snprintf(shown, sizeof shown, "%s", text);
	return paragraph_draw(cv, r, micro_sign(shown, sizeof shown), style, 0);
}

/* The notes, drawn in a tall canvas of which the screen shows a part. */
struct notes {
	struct canvas tall;
	int row; /* the next one */
};
enum { NOTES_ROWS = 400, KNOB_ROWS_LEFT = 6 };

static void notes_head(struct notes *n, const char *text)
{
	canvas_text(&n->tall, n->row++, 0, -1, text, STYLE_ACCENT, ATTR_BOLD);
}

static void notes_item(struct notes *n, const char *text)
{
	canvas_text(&n->tall, n->row, 0, 2, "•", STYLE_DIM, 0);
	struct rect r = { n->row, 2, NOTES_ROWS - n->row, n->tall.cols - 3 };
	n->row += paragraph(&n->tall, r, text, STYLE_PLAIN);
}

static void notes_knob(struct notes *n, const struct live *s, const struct knob *k)
{
	char range[160], lo[48], hi[48], text[512], called[64];
	if (k->kind == KNOB_NUMBER)
		snprintf(range, sizeof range, "%s to %s",
			quantity_show(lo, sizeof lo, k->min, k->unit),
			quantity_show(hi, sizeof hi, k->max, k->unit));
	else
		snprintf(range, sizeof range, "%zu choices", knob_choices(k, s->tables));
	const bool help = k->help && *k->help;
	snprintf(text, sizeof text, "%s (%s, %s)%s%s", knob_said(k, called, sizeof called), k->id,
		range, help ? ": " : "", help ? k->help : "");
	notes_item(n, text);
}

/* How to show it to others. */
static void notes_tour(struct notes *n, const struct live *s)
{
	struct arena a = { 0 };
	struct tour_info t;
	char text[300];
	if (tour_info_read(s->sim->id, &a, &t)) {
		notes_head(n, "To show it to others");
		snprintf(text, sizeof text, ":present %s gives its tour of %d minutes: %s", t.id,
			t.minutes, t.title);
		notes_item(n, text);
		notes_item(n, "P shows what is on this screen, large");
		n->row++;
	}
	arena_release(&a);
}

void live_draw_notes(struct canvas *cv, struct rect r, const struct live *s)
{
	struct notes n = { .row = 0 };
	if (canvas_init_like(&n.tall, cv, NOTES_ROWS, r.cols))
		return;
	const struct figure *f = &s->figure;
	notes_head(&n, "What the model assumes");
	for (size_t i = 0; i < f->n_assumptions; i++)
		notes_item(&n, f->assumptions[i]);
	n.row++;
	if (*s->uses) {
		notes_head(&n, "Where it is used");
		notes_item(&n, s->uses);
		n.row++;
	}
	if (f->n_leaves_out || f->accuracy)
		notes_head(&n, "What it leaves out");
	for (size_t i = 0; i < f->n_leaves_out; i++)
		notes_item(&n, f->leaves_out[i]);
	if (f->accuracy)
		notes_item(&n, f->accuracy);
	n.row += f->n_leaves_out || f->accuracy;
	notes_tour(&n, s);
	notes_head(&n, "Its knobs");
	for (size_t i = 0; i < s->sim->n_knobs && n.row < NOTES_ROWS - KNOB_ROWS_LEFT; i++)
		notes_knob(&n, s, &s->sim->knobs[i]);
	long most = n.row > r.rows ? n.row - r.rows : 0;
	long first = s->notes_scroll < most ? s->notes_scroll : most;
	int rows = n.row - (int)first < r.rows ? n.row - (int)first : r.rows - (first < most);
	canvas_copy(cv, r.row, r.col, &n.tall, (struct rect){ (int)first, 0, rows, r.cols });
	if (first < most)
		canvas_text(cv, r.row + r.rows - 1, r.col, r.cols, "↓ more: PgDn", STYLE_ACCENT, 0);
	canvas_release(&n.tall);
}

/* Notes that are laid out in so many rows and columns: drawn, or only counted (no canvas). */
struct note_column {
	struct canvas *cv;
	int row, rows, cols;
	enum glyphs glyphs;
};

/* A paragraph that stands there only where all of it has room. */
static bool whole_paragraph(struct note_column *n, int indent, const char *text, enum style style)
{
	struct rect r = { n->row, indent, n->rows - n->row, n->cols - indent };
	int lines = text_lines(text, r.cols, n->glyphs);
	if (lines == 0 || lines > r.rows)
		return false;
	if (n->cv)
		paragraph(n->cv, r, text, style);
	n->row += lines;
	return true;
}

static void word(struct note_column *n, int row, int col, const char *text, enum style style)
{
	if (n->cv)
		canvas_text(n->cv, row, col, n->cols, text, style, 0);
}

/* What the model leaves out: a list, as far as there is room. Its head, which never stands alone,
 * counts what has none. */
static void list_left_out(struct note_column *n, const struct figure *f)
{
	const int head = n->row++;
	char text[64] = "Leaves out";
	size_t i = 0;
	for (; i < f->n_leaves_out; i++) {
		int at = n->row;
		if (!whole_paragraph(n, 2, f->leaves_out[i], STYLE_DIM))
			break;
		word(n, at, 0, "•", STYLE_DIM);
	}
	if (i == 0) {
		n->row = head;
		return;
	}
	if (i < f->n_leaves_out)
		snprintf(text, sizeof text, "Leaves out, and %zu more: s", f->n_leaves_out - i);
	word(n, head, 0, text, STYLE_DIM);
}

/* The rows that they take, from the top. */
static int short_notes(struct note_column *n, const struct live *s, bool listed)
{
	const struct figure *f = &s->figure;
	int end = 0;
	if (s->sim->try) {
		const bool done = trial_done(s);
		char words[256];
		n->row = 1;
		if (whole_paragraph(
			    n, 0, trial_words_when(s, done, words, sizeof words), STYLE_PLAIN)) {
			word(n, 0, 0, done ? "✓ Tried" : "Try", done ? STYLE_GOOD : STYLE_ACCENT);
			end = n->row;
		}
		n->row = end + (end > 0);
	}
	if (*s->uses) {
		const int head = n->row++;
		if (whole_paragraph(n, 0, s->uses, STYLE_PLAIN)) {
			word(n, head, 0, "Where it is used", STYLE_DIM);
			end = n->row;
		}
		n->row = end + (end > 0);
	}
	if (!f->accuracy && !f->n_leaves_out && f->n_assumptions &&
		whole_paragraph(n, 0, f->assumptions[0], STYLE_DIM)) {
		end = n->row;
		n->row++;
	}
	if (f->accuracy && whole_paragraph(n, 0, f->accuracy, STYLE_DIM)) {
		end = n->row;
		n->row++;
	}
	int from = n->row;
	if (listed)
		list_left_out(n, f);
	return n->row > from ? n->row : end;
}

int live_short_note_lines(const struct live *s, int cols, int most, bool listed)
{
	return short_notes(
		&(struct note_column){ .rows = most, .cols = cols, .glyphs = GLYPHS_BRAILLE }, s,
		listed);
}

/* At the bottom, where they stand on smaller screens too. */
void live_draw_short_notes(struct canvas *cv, struct rect r, const struct live *s)
{
	struct canvas notes;
	if (canvas_init_like(&notes, cv, r.rows, r.cols))
		return;
	int rows = short_notes(
		&(struct note_column){ &notes, 0, r.rows, r.cols, cv->glyphs }, s, true);
	canvas_copy(cv, r.row + r.rows - rows, r.col, &notes, (struct rect){ 0, 0, rows, r.cols });
	canvas_release(&notes);
}
