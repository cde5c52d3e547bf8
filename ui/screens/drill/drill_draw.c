/* The parts are written first, each as long as it likes, and then placed: only then is it known
 * what has to scroll. */
#include "ui/screens/drill/drill_draw.h"

#include "sims/base/minmax.h"
#include "ui/term/paragraph.h"
#include "ui/shell/layout.h"
#include "ui/screens/drill/drill_clock.h"
#include "ui/screens/drill/drill_picture.h"
#include "ui/screens/drill/drill_problem.h"
#include "ui/screens/drill/drill_result.h"
#include "ui/screens/drill/drill_side.h"
#include "ui/screens/drill/drill_solution.h"
#include "ui/screens/drill/scratch_view.h"
#include "ui/views/clock.h"

#include <stdio.h>

/* BESIDE_FROM: from this width on (a window of 110 columns) the pad stands beside the sheet. */
enum { MEASURE = 72, BESIDE_FROM = 108, LEAST_SHEET = 4 };
/* From SIDE_FROM columns on keys and problems stand in a column of their own, or a program, whose lines are longer than
 * those of a text; so they are in a narrower window. */
enum { SIDE_FROM = 130, SIDE = 50, BETWEEN = 6, CODE = 84 };

/* The layout of the screen with its content. */
struct plan {
	struct rect head, doc, foot, pad, side, clock; /* a part with no rows is not shown */
	struct sheet sheet, line, aside;
	int newest; /* the row of the sheet that should be visible */
	bool ways;  /* what one can do is on the screen */
};

static void write_sheet(const struct app *app, enum drill_state state, int rows, struct plan *p)
{
	const struct session_item *item = drill_view_item(drill_seen(app));
	switch (state) {
	case DRILL_NOTHING:
		drill_nothing_write(app, rows - 1, &p->sheet);
		break;
	case DRILL_READY:
		drill_ready_write(app, &p->sheet);
		break;
	case DRILL_HIDDEN:
		drill_hidden_write(app, &p->sheet);
		break;
	case DRILL_TALK:
		drill_talk_write(app, &p->sheet);
		drill_note_line_write(app, &p->line);
		break;
	case DRILL_OPEN:
		drill_problem_write(app, &p->sheet, item);
		if (item->variant.program && !p->aside.rows)
			p->newest = drill_program_write(app, &p->sheet);
		drill_answer_line_write(app, &p->line);
		break;
	case DRILL_CLOSED:
		drill_problem_write(app, &p->sheet, item);
		sheet_gap(&p->sheet);
		p->newest = p->sheet.rows;
		drill_verdict_write(app, &p->sheet, item);
		const int part = drill_solution_write(
			app, &p->sheet, item, drill_seen(app)->desk.gave_up_step);
		/* What was given up is what one wants to see. */
		if (drill_seen(app)->desk.gave_up && drill_seen(app)->desk.gave_up_step)
			p->newest = part;
		drill_ways_write(app, &p->sheet, item);
		break;
	case DRILL_DONE:
		break;
	}
}

/* The verdict on an answer that can still be corrected stands under the line, or at the end of the
 * sheet when there is no room. */
static void write_verdict(const struct app *app, int rows, struct plan *p)
{
	const struct session_item *item = drill_view_item(drill_seen(app));
	struct sheet verdict;
	sheet_init(&verdict, p->sheet.cv.cols, p->sheet.cv.glyphs);
	drill_verdict_write(app, &verdict, item);
	bool fits = p->line.rows + 1 + verdict.rows + LEAST_SHEET <= rows;
	struct sheet *to = fits ? &p->line : &p->sheet;
	if (verdict.rows) {
		sheet_gap(to);
		drill_verdict_write(app, to, item);
	}
	sheet_release(&verdict);
}

/* What one can do comes last, and only where all of it has room; its heading is what goes first. */
static void write_ways(const struct app *app, int rows, struct plan *p)
{
	const int used = p->sheet.rows + 1 + p->line.rows + 1;
	if (drill_view_item(drill_seen(app))->variant.program || drill_seen(app)->desk.pad_open)
		return;
	for (int headed = 1; headed >= 0; headed--) {
		struct sheet ways;
		sheet_init(&ways, p->sheet.cv.cols, p->sheet.cv.glyphs);
		drill_open_ways_write(app, &ways, headed);
		const bool fits = used + ways.rows < rows;
		sheet_release(&ways);
		if (!fits)
			continue;
		sheet_gap(&p->line);
		drill_open_ways_write(app, &p->line, headed);
		p->ways = true;
		return;
	}
}

/* Whether something stands beside the sheet: keys and problems, and before a review what is due. */
static bool has_side(enum drill_state state, int cols)
{
	return cols >= SIDE_FROM &&
	       (state == DRILL_OPEN || state == DRILL_CLOSED || state == DRILL_READY);
}

/* Beside the card stand the keys, or before a review what is due, which else stands under it as far as there is room;
 * then the keys are under the card, and what becomes of what is right. */
static void write_due(const struct app *app, enum drill_state state, int rows, struct plan *p)
{
	const struct drill_view *d = drill_seen(app);
	const bool review = state == DRILL_READY && d->session.mode == MODE_REVIEW;
	if (state == DRILL_READY && p->side.rows && !review) {
		drill_keys_write(&p->aside);
	} else if (review && p->side.rows) {
		drill_due_write(&d->request, rows - 1, &p->aside);
		sheet_gap(&p->sheet);
		drill_keys_write(&p->sheet);
		sheet_gap(&p->sheet);
		drill_schedule_write(rows - p->sheet.rows - 1, &p->sheet);
	} else if (review) {
		sheet_gap(&p->sheet);
		drill_due_write(&d->request, rows - p->sheet.rows - 1, &p->sheet);
	}
}

/* A program that is open, which has one column or, if it is seen whole there, one of its own. */
static bool is_program(const struct app *app, enum drill_state state)
{
	return state == DRILL_OPEN && drill_view_item(drill_seen(app))->variant.program;
}

static void write_program_aside(const struct app *app, struct plan *p)
{
	drill_program_write(app, &p->aside);
	if (p->aside.rows <= p->side.rows)
		return;
	const int cols = p->aside.cv.cols;
	const enum glyphs glyphs = p->aside.cv.glyphs;
	sheet_release(&p->aside);
	sheet_init(&p->aside, cols, glyphs);
}

/* Whether the pad stands below the keys of a number, opened or not: a large window has room for both. */
static bool has_pad_below(const struct app *app, enum drill_state state)
{
	const struct session_item *item = drill_view_item(drill_seen(app));
	return state == DRILL_OPEN && drill_picture_has_room(app->cols, app->rows) &&
	       (drill_seen(app)->desk.pad_open ||
		       item->variant.steps[item->variant.step].step->kind == KIND_NUMBER);
}

/* In a tall window the sheet hangs lower, where one looks. */
static int air_over(int rows)
{
	enum { TALL = 40, SHARE = 8 };
	return rows >= TALL ? rows / SHARE : 0;
}

/* The pad of a small window takes rows from *rest; `beside` it, in a wide one, r's columns right of it. */
static void place_pad(
	const struct app *app, struct rect r, bool beside, struct rect *rest, struct plan *p)
{
	if (beside) {
		p->pad = (struct rect){ rest->row, rest->col + MEASURE + 3, rest->rows,
			r.col + r.cols - rest->col - MEASURE - 4 };
		return;
	}
	const int most = rest->rows - LEAST_SHEET - 2, rows = min_int(scratch_view_rows(app), most);
	p->pad = (struct rect){ rest->row + rest->rows - rows, rest->col, rows, rest->cols };
	rest->rows -= max_int(0, rows);
}

/* What was written as the document and the line below it. */
static void place_foot(
	const struct app *app, enum drill_state state, struct rect rest, struct plan *p)
{
	int foot = p->line.rows ? p->line.rows + 1 : 0;
	if (foot > rest.rows - 2)
		foot = max_int(0, rest.rows - 2);
	const int room = rest.rows - foot;
	/* What one chooses from and the line for it are to be seen at once; a program is read in pages. */
	if (state == DRILL_OPEN && !drill_view_item(drill_seen(app))->variant.program)
		sheet_squeeze(&p->sheet, room);
	p->doc = (struct rect){ rest.row, rest.col, min_int(p->sheet.rows, room), rest.cols };
	if (foot)
		p->foot = (struct rect){ p->doc.row + p->doc.rows + 1, rest.col, foot - 1,
			rest.cols };
}

/* Divides the body among head, sheet, line and pad. A sheet that does not fit scrolls, and its last
 * row then says so. */
static void place(const struct app *app, enum drill_state state, struct rect r, struct plan *p)
{
	const bool review = state == DRILL_READY && drill_seen(app)->session.mode == MODE_REVIEW &&
			    has_side(state, r.cols);
	/* A picture or a list takes what the window has. */
	const int air = state == DRILL_NOTHING || review ? 0 : air_over(r.rows);
	r.row += air;
	r.rows -= air;
	const bool pads = has_pad_below(app, state);
	bool pad = !pads && drill_seen(app)->desk.pad_open &&
		   (state == DRILL_OPEN || state == DRILL_TALK);
	bool beside = pad && r.cols >= BESIDE_FROM;
	const bool side = !pad && has_side(state, r.cols);
	const bool picture = state == DRILL_NOTHING && r.cols >= SIDE_FROM;
	const bool program = is_program(app, state);
	const bool roomy = (state == DRILL_OPEN || state == DRILL_CLOSED) &&
			   drill_picture_has_room(app->cols, app->rows);
	const int aside = program || roomy ? min_int(CODE, r.cols - MEASURE - BETWEEN) : SIDE;
	struct rect column =
		beside ? (struct rect){ r.row, r.col + 2, r.rows, MEASURE }
		: side && (program || roomy)
			? (struct rect){ r.row, r.col, r.rows, MEASURE + BETWEEN + aside }
			: text_column(r, side || picture ? MEASURE + BETWEEN + aside
					 : program ? min_int(CODE, max_int(MEASURE, r.cols - 4))
						   : MEASURE);
	p->head = (struct rect){ column.row, column.col, 1, column.cols };
	bool phases = drill_seen(app)->session.mode == MODE_INTERVIEW && !drill_seen(app)->look;
	bool card = state == DRILL_READY || state == DRILL_NOTHING;
	int top = card ? 1 : phases ? 3 : 2;
	if (card)
		p->head.rows = 0;
	if (side) {
		p->side = (struct rect){ r.row + card, column.col + MEASURE + BETWEEN,
			r.rows - card, aside };
		if (roomy && !program && drill_clock_is_shown(app)) {
			p->clock = p->side;
			p->clock.rows = clock_rows(p->sheet.cv.glyphs) + 1;
			p->side.row += p->clock.rows + 1;
			p->side.rows -= p->clock.rows + 1;
		}
		column.cols = p->head.cols = MEASURE;
	}
	struct rect rest = { r.row + top, column.col, r.rows - top, column.cols };
	sheet_init(&p->sheet, column.cols, p->sheet.cv.glyphs);
	sheet_init(&p->line, column.cols, p->line.cv.glyphs);
	sheet_init(&p->aside, program ? aside : min_int(aside, SIDE), p->aside.cv.glyphs);
	if (pad)
		place_pad(app, r, beside, &rest, p);
	if (side && program)
		write_program_aside(app, p);
	write_sheet(app, state, rest.rows, p);
	write_due(app, state, rest.rows, p);
	if (state == DRILL_OPEN)
		write_verdict(app, rest.rows, p);
	if (side && state != DRILL_READY && !program) {
		drill_side_write(app, state, p->side.rows, &p->aside);
		p->ways = state == DRILL_OPEN;
	} else if (state == DRILL_OPEN) {
		write_ways(app, rest.rows, p);
	}
	if (pads && side) {
		const int from = p->aside.rows + 2,
			  rows = min_int(scratch_view_rows(app), p->side.rows - from);
		p->pad = (struct rect){ p->side.row + from, p->side.col, max_int(0, rows),
			p->side.cols };
	}
	if (p->aside.rows && program) { /* whose place the problems have left */
		sheet_gap(&p->line);
		drill_side_write(
			app, state, rest.rows - p->sheet.rows - p->line.rows - 2, &p->line);
	}
	place_foot(app, state, rest, p);
}

static void plan_init(const struct app *app, struct rect r, enum glyphs glyphs, struct plan *p)
{
	*p = (struct plan){ 0 };
	p->sheet.cv.glyphs = p->line.cv.glyphs = p->aside.cv.glyphs = glyphs;
	place(app, drill_state(drill_seen(app)), r, p);
}

static void plan_release(struct plan *p)
{
	sheet_release(&p->sheet);
	sheet_release(&p->line);
	sheet_release(&p->aside);
}

/* Rows of the sheet that are visible at once: one less when it scrolls, for the mark that says
 * so. */
static int window_rows(const struct plan *p)
{
	return p->sheet.rows > p->doc.rows && p->doc.rows > 1 ? p->doc.rows - 1 : p->doc.rows;
}

static int last_scroll(const struct plan *p)
{
	int last = p->sheet.rows - window_rows(p);
	return last > 0 ? last : 0;
}

static void draw_sheet(const struct app *app, struct canvas *cv, const struct plan *p)
{
	int last = last_scroll(p), rows = window_rows(p);
	int first = drill_seen(app)->scroll < last ? (int)drill_seen(app)->scroll : last;
	struct rect window = { p->doc.row, p->doc.col, rows, p->doc.cols };
	sheet_show(&p->sheet, cv, window, first);
	if (!last || p->doc.rows < 2)
		return;
	char mark[64];
	snprintf(mark, sizeof mark, "%s%s%s", first ? "↑ PgUp" : "",
		first && first < last ? "   " : "", first < last ? "↓ more: PgDn" : "");
	canvas_text_right(cv, p->doc.row + rows, p->doc.col, p->doc.cols, mark, STYLE_ACCENT, 0);
}

/* What is left of a column under so many rows and a blank one; a blank one parts it from the keys. */
static struct rect below(struct rect column, int rows)
{
	const int used = rows + 1;
	return (struct rect){ column.row + used, column.col, max_int(0, column.rows - used - 1),
		column.cols };
}

/* The result; in a wide window what is chosen in its list stands beside it, from its question to how it goes. */
static void draw_result(const struct app *app, struct canvas *cv, struct rect r)
{
	enum { LIST = MEASURE + 4, LOOK = 72 };
	const struct session_item *chosen = drill_result_chosen(drill_seen(app));
	const bool side = chosen && chosen->closed && r.cols >= SIDE_FROM;
	struct rect column = text_column(r, side ? LIST + BETWEEN + LOOK : LIST);
	column.row += 1 + air_over(r.rows);
	column.rows -= 1 + air_over(r.rows);
	const struct rect list = { column.row, column.col, column.rows,
		min_int(column.cols, LIST) };
	drill_result_draw(app, cv, list);
	if (!side)
		return;
	const struct rect look = { column.row, column.col + LIST + BETWEEN, column.rows,
		column.cols - LIST - BETWEEN };
	struct sheet s;
	sheet_init(&s, look.cols, cv->glyphs);
	drill_look_write(app, chosen, &s);
	/* What has no room is an Enter away. */
	const bool whole = s.rows <= look.rows;
	const bool pictured = drill_picture_draw(app, cv, below(look, s.rows));
	canvas_bar(cv, look.row, look.col - BETWEEN / 2,
		pictured ? look.rows - 1 : min_int(s.rows, look.rows), STYLE_DIM);
	sheet_show(&s, cv, (struct rect){ look.row, look.col, look.rows - !whole, look.cols }, 0);
	if (!whole)
		canvas_text_right(cv, look.row + look.rows - 1, look.col, look.cols, "more: Enter",
			STYLE_ACCENT, 0);
	sheet_release(&s);
}

void drill_view_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	struct plan p;
	if (drill_state(drill_seen(app)) == DRILL_DONE) {
		draw_result(app, cv, r);
		return;
	}
	plan_init(app, r, cv->glyphs, &p);
	if (p.head.rows)
		drill_head_draw(app, !p.clock.rows, cv, p.head);
	if (p.clock.rows)
		drill_clock_draw(app, cv, p.clock);
	draw_sheet(app, cv, &p);
	if (p.foot.rows)
		sheet_show(&p.line, cv, p.foot, 0);
	if (p.side.rows) {
		const int sheet_end =
			p.foot.rows ? p.foot.row + p.foot.rows : p.doc.row + p.doc.rows;
		const bool pictured = drill_state(drill_seen(app)) == DRILL_CLOSED &&
				      drill_picture_draw(app, cv, below(p.side, p.aside.rows));
		const int end = p.pad.rows > 0 ? p.pad.row + p.pad.rows : sheet_end;
		const int used =
			pictured ? p.side.rows - 1 : max_int(p.aside.rows, end - p.side.row);
		const int over = p.clock.rows ? p.side.row - p.clock.row : 0;
		canvas_bar(cv, p.side.row - over, p.side.col - BETWEEN / 2,
			over + min_int(used, p.side.rows), STYLE_DIM);
		sheet_show(&p.aside, cv, p.side, 0);
	}
	if (p.pad.rows > 0)
		scratch_view_draw(app, cv, p.pad);
	plan_release(&p);
}

static void plan_of_window(const struct app *app, struct plan *p)
{
	plan_init(app, frame_layout(app->rows, app->cols).body, app->glyphs, p);
}

bool drill_view_has_ways(const struct app *app)
{
	struct plan p;
	plan_of_window(app, &p);
	plan_release(&p);
	return p.ways;
}

long drill_view_last_scroll(const struct app *app)
{
	struct plan p;
	plan_of_window(app, &p);
	long last = last_scroll(&p);
	plan_release(&p);
	return last;
}

long drill_view_page(const struct app *app)
{
	struct plan p;
	plan_of_window(app, &p);
	const int rows = window_rows(&p);
	plan_release(&p);
	return rows > 2 ? rows - 1 : 1;
}

long drill_view_newest(const struct app *app)
{
	struct plan p;
	plan_of_window(app, &p);
	long last = last_scroll(&p);
	long to = p.newest && p.newest < last ? p.newest : last;
	plan_release(&p);
	return to;
}
