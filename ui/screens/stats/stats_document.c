/* The statistics laid out: values, notes and the plot on the left or on top, lists of skills and
 * topics on the right or below. */
#include "ui/screens/stats/stats_document.h"

#include "sims/quantity/quantity.h"
#include "ui/views/bars.h"
#include "ui/views/note.h"
#include "ui/views/plot.h"
#include "ui/views/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDE = 132, BETWEEN = 4, LOW_PLOT = 9, HIGH_PLOT = 14 };

static bool is_table(const struct block *b, const char *title)
{
	return b->kind == BLOCK_TABLE && strcmp(b->as.table.title, title) == 0;
}

static bool is_list(const struct block *b)
{
	return is_table(b, stats_skills_title) || is_table(b, stats_topics_title);
}

static int label_cols(const struct figure *f)
{
	int widest = 0;
	for (size_t i = 0; i < f->n_values; i++) {
		int w = text_width(f->values[i].label);
		widest = w > widest ? w : widest;
	}
	return widest + 2;
}

/* Two values side by side where they fit. */
static int values_draw(struct stats_document *d, int row, int col, int cols)
{
	const struct figure *f = &d->view->figure;
	int n = (int)f->n_values, across = cols >= 70 ? 2 : 1, down = (n + across - 1) / across;
	int width = (cols - (across - 1) * BETWEEN) / across, label = label_cols(f);
	for (int i = 0; d->cv && i < n; i++) {
		const struct value *v = &f->values[i];
		int at = col + i / down * (width + BETWEEN), y = row + i % down;
		char text[64];
		quantity_format(text, sizeof text, v->value, v->unit);
		canvas_text(d->cv, y, at, label, v->label, STYLE_DIM, 0);
		int used = canvas_text(
			d->cv, y, at + label, width - label, text, (enum style)v->role, ATTR_BOLD);
		if (v->note && label + used + 2 + text_width(v->note) <= width)
			canvas_text(d->cv, y, at + label + used + 2, -1, v->note, STYLE_DIM, 0);
	}
	return down;
}

static void mark_spots(struct stats_document *d, const struct table *t, int row, int col, int cols)
{
	for (size_t i = 0; i < t->n_rows && d->n_spots < MOST_SPOTS; i++) {
		struct stats_spot s = { .col = col, .cols = cols, .name = t->rows[i][0] };
		s.row = row + table_row_place(t, cols, d->glyphs, i, &s.lines);
		if (d->cv && d->n_spots == d->view->focus) {
			canvas_text(d->cv, s.row, col - SPOT_MARK, 1, "▸", STYLE_ACCENT, ATTR_BOLD);
			canvas_restyle(d->cv, (struct rect){ s.row, col, s.lines, cols },
				STYLE_ACCENT, ATTR_BOLD);
		}
		d->spots[d->n_spots++] = s;
	}
}

/* Returns the rows that a block takes; draws it only if there is a canvas. */
static int block_draw(struct stats_document *d, const struct block *b, int row, int col, int cols)
{
	int rows = 0;
	switch (b->kind) {
	case BLOCK_PLOT:
		rows = plot_rows(&b->as.plot, cols);
		rows = rows < (d->low ? LOW_PLOT : HIGH_PLOT) ? rows
		       : d->low                               ? LOW_PLOT
							      : HIGH_PLOT;
		if (d->cv)
			plot_draw(d->cv, (struct rect){ row, col, rows, cols }, &b->as.plot, NULL,
				NAN);
		break;
	case BLOCK_TABLE:
		rows = table_rows(&b->as.table, cols, false);
		if (d->cv)
			table_draw(
				d->cv, (struct rect){ row, col, rows, cols }, &b->as.table, NULL);
		if (is_list(b))
			mark_spots(d, &b->as.table, row, col, cols);
		break;
	case BLOCK_BARS:
		rows = bars_rows(&b->as.bars, cols);
		if (d->cv)
			bars_draw(d->cv, (struct rect){ row, col, rows, cols }, &b->as.bars, NULL,
				NULL);
		break;
	case BLOCK_NOTE:
		rows = note_rows(&b->as.note, cols);
		if (d->cv)
			note_draw(d->cv, (struct rect){ row, col, rows, cols }, &b->as.note);
		break;
	default:
		break;
	}
	return rows;
}

static int assumptions_draw(struct stats_document *d, int row, int col, int cols)
{
	int rows = 0;
	char text[512];
	for (size_t i = 0; i < d->view->figure.n_assumptions; i++) {
		snprintf(text, sizeof text, "Assumes: %s.", d->view->figure.assumptions[i]);
		const struct note n = { text, ROLE_DIM };
		struct rect r = { row + rows, col, note_rows(&n, cols), cols };
		if (d->cv)
			note_draw(d->cv, r, &n);
		rows += r.rows;
	}
	return rows;
}

/* Draws the document, or only measures it. In a wide window the lists stand on the
 * right, and below them what they lead to. */
static void lay_out(struct stats_document *d, int cols)
{
	const struct figure *f = &d->view->figure;
	bool wide = cols >= WIDE;
	int width = (wide ? (cols - BETWEEN) / 2 : cols) - SPOT_MARK, right_col = SPOT_MARK;
	int left = 1, right = 1;
	bool lists_done = false; /* what comes after them goes on below them */
	if (wide)
		right_col += width + SPOT_MARK + BETWEEN;
	left += values_draw(d, left, SPOT_MARK, width) + 1;
	for (size_t i = 0; i < f->n_blocks; i++) {
		lists_done |= is_table(f->blocks[i], stats_topics_title);
		bool beside = wide && (is_list(f->blocks[i]) || lists_done);
		int *row = beside ? &right : &left;
		*row += block_draw(d, f->blocks[i], *row, beside ? right_col : SPOT_MARK, width) +
			1;
	}
	left += assumptions_draw(d, left, SPOT_MARK, width);
	d->rows = left > right ? left : right;
}

struct stats_document stats_document(const struct app *app, struct rect body)
{
	struct stats_document d = {
		.glyphs = app->glyphs, .view = stats_seen(app), .low = body.rows < 36
	};
	lay_out(&d, body.cols);
	return d;
}

void stats_document_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	struct stats_document measured = stats_document(app, r);
	struct canvas tall;
	if (canvas_init_like(&tall, cv, measured.rows, r.cols))
		return;
	struct stats_document d = { &tall, cv->glyphs, stats_seen(app), measured.low, { { 0 } }, 0,
		0 };
	lay_out(&d, r.cols);
	long last = measured.rows > r.rows ? measured.rows - r.rows : 0;
	long first = stats_seen(app)->scroll < last ? stats_seen(app)->scroll : last;
	canvas_copy(cv, r.row, r.col, &tall, (struct rect){ (int)first, 0, r.rows, r.cols });
	canvas_release(&tall);
	if (first >= last)
		return;
	/* The mark has the last row to itself: over a line it would cut a word. */
	const struct rect mark = { r.row + r.rows - 1, r.col, 1, r.cols };
	canvas_fill(cv, mark, ' ', STYLE_PLAIN, 0);
	canvas_text_right(cv, mark.row, mark.col, mark.cols, "↓ more: PgDn", STYLE_ACCENT, 0);
}
