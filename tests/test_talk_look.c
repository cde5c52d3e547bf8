/* How a talk looks to an audience: all steps of all tours, at the sizes that rooms have. */
#include "tests/explorer.h"
#include "ui/screens/present/present_draw.h"
#include "ui/screens/present/present_screen.h"
#include "sims/base/minmax.h"
#include "ui/shell/layout.h"
#include "ui/term/big_type.h"
#include "ui/term/textwrap.h"
#include "ui/views/quantity_show.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

TestSuite(talk_look);

/* What one step looks like. */
struct look {
	const struct talk *talk;
	struct canvas cv;
	struct rect body;
	struct present_places at;
};

/* Calls `see` for each step of each tour, with the answer open where it asks. */
static void each_step(
	int rows, int cols, enum glyphs glyphs, bool large, void (*see)(struct look *l))
{
	char ids[64][TOUR_ID_BYTES], target[TOUR_ID_BYTES + 16];
	size_t n = talk_list(ids, 64);
	cr_assert(n > 20 && n <= 64);
	struct explorer e = explorer_start(rows, cols, glyphs);
	e.app->large = large;
	for (size_t i = 0; i < n; i++) {
		snprintf(target, sizeof target, "present:%.*s", TOUR_ID_BYTES, ids[i]);
		cr_assert(explorer_open(&e, target));
		const struct talk *t = present_talk(e.app);
		for (size_t k = 0; k < t->tour.n; k++) {
			present_go(e.app, k);
			app_settle(e.app);
			present_show_answer(e.app);
			struct look l = { .talk = t, .cv = explorer_draw(&e) };
			l.body = frame_layout(rows, cols).body;
			l.at = present_places(&l.cv, l.body, t, e.app->large || !t->live.sim);
			see(&l);
			canvas_release(&l.cv);
		}
	}
	explorer_end(&e);
}

static bool is_blank(const struct canvas *cv, int row, struct rect r)
{
	for (int col = r.col; col < r.col + r.cols; col++) {
		const struct cell *c = &cv->cells[row * cv->cols + col];
		if (c->code > ' ' || c->under != STYLE_PLAIN)
			return false;
	}
	return true;
}

/* The rows from the first to the last in which something stands. */
static int rows_used(const struct canvas *cv, struct rect r)
{
	int first = r.row, last = r.row + r.rows - 1;
	while (first <= last && is_blank(cv, first, r))
		first++;
	while (last >= first && is_blank(cv, last, r))
		last--;
	return last - first + 1;
}

static void fills_its_rows(struct look *l)
{
	const struct block *part = l->talk->live.sim ? talk_part(l->talk) : NULL;
	if (!part)
		return;
	int used = rows_used(&l->cv, l->at.figure), least = (6 * l->at.figure.rows + 9) / 10;
	/* One bar is not made a wall, and rows of a table are not torn further apart than three blank
	 * ones: those of few rows stay small. */
	if (part->kind == BLOCK_BARS && talk_rows_shown(l->talk, part) == 1)
		least = 12;
	if (part->kind == BLOCK_TABLE) {
		size_t lines = min_size(part->as.table.n_rows, part->as.table.cols - 1);
		least = min_int(least, 4 * (int)lines);
	}
	/* Lanes grow together, by a whole row each: all or none. Three rows are title, legend and scale. */
	if (part->kind == BLOCK_TIMELINE) {
		int lanes = (int)talk_rows_shown(l->talk, part);
		least = 2 * lanes + 3 > l->at.figure.rows ? min_int(least, lanes + 3) : least;
	}
	cr_expect(used >= least, "%s %zu: %d of %d rows, kind %d", l->talk->tour.id,
		l->talk->at + 1, used, l->at.figure.rows, (int)part->kind);
}

/* On a large screen the figure is large. */
Test(talk_look, a_figure_fills_its_rows)
{
	each_step(48, 160, GLYPHS_BRAILLE, false, fills_its_rows);
	each_step(60, 200, GLYPHS_BRAILLE, false, fills_its_rows);
}

/* --- Words --- */

/* What stands in a rectangle, runs of blanks as one. To be freed. */
static char *words_in(const struct canvas *cv, struct rect r)
{
	size_t size = (size_t)r.rows * (size_t)(r.cols + 1) * 4 + 1, n = 0;
	char *text = calloc(1, size);
	cr_assert(text != NULL);
	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col <= r.col + r.cols; col++) {
			const struct cell *c = &cv->cells[row * cv->cols + col];
			bool blank = col == r.col + r.cols || c->code <= ' ';
			if (!blank)
				n += (size_t)utf8_write(text + n, c->code);
			else if (n && text[n - 1] != ' ')
				text[n++] = ' ';
		}
	return text;
}

static const char *title_of(const struct block *b)
{
	return b->kind == BLOCK_PLOT       ? b->as.plot.title
	       : b->kind == BLOCK_BARS     ? b->as.bars.title
	       : b->kind == BLOCK_TIMELINE ? b->as.timeline.title
	       : b->kind == BLOCK_GRID     ? b->as.grid.title
	       : b->kind == BLOCK_TABLE    ? b->as.table.title
					   : "";
}

static void is_named_and_whole(struct look *l)
{
	const struct block *part = l->talk->live.sim ? talk_part(l->talk) : NULL;
	const char *id = l->talk->tour.id;
	size_t step = l->talk->at + 1;
	char *caption = words_in(&l->cv, l->at.caption);
	/* Words alone stand in large type, whole or not at all. */
	int lines = big_text_lines(l->talk->caption, l->at.caption.cols - 2);
	if (l->at.large_caption)
		cr_expect(eq(int, big_text_rows(lines), l->at.caption.rows), "%s %zu", id, step);
	for (const char *at = l->at.large_caption ? "" : l->talk->caption; *at;) {
		char word[80];
		snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
		cr_expect(strstr(caption, word) != NULL, "%s %zu: \"%s\" in \"%s\"", id, step, word,
			caption);
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	free(caption);
	if (!part)
		return;
	char *figure = words_in(&l->cv, l->at.figure);
	cr_expect(l->at.figure.rows >= 12, "%s %zu: %d rows", id, step, l->at.figure.rows);
	const char *name = *title_of(part) ? title_of(part) : block_name(part);
	cr_expect(name[0] != '\0' && strstr(figure, name) != NULL, "%s %zu: no \"%s\"", id, step,
		name);
	if (part->kind == BLOCK_PLOT) {
		cr_expect(strstr(figure, part->as.plot.x.title) != NULL, "%s %zu: no \"%s\"", id,
			step, part->as.plot.x.title);
		cr_expect(strstr(figure, part->as.plot.y.title) != NULL, "%s %zu: no \"%s\"", id,
			step, part->as.plot.y.title);
	}
	free(figure);
}

/* What stands beside the figure, or under it: each value with its number, and no word that is cut. */
static void keeps_its_numbers(struct look *l)
{
	const struct talk *t = l->talk;
	const struct tour_step *s = talk_step(t);
	if (!t->live.sim)
		return;
	char *side = words_in(&l->cv, l->at.side.rows ? l->at.side : l->at.foot);
	cr_expect(strstr(side, "\u2026") == NULL, "%s %zu: \"%s\"", t->tour.id, t->at + 1, side);
	for (size_t i = 0; i < s->n_also; i++) {
		const struct value *v = figure_find(&t->live.figure, s->also[i]);
		char number[64], text[200];
		quantity_show(number, sizeof number, v->value, v->unit);
		snprintf(text, sizeof text, "%s %s", v->label, number);
		cr_expect(strstr(side, text) != NULL, "%s %zu: no \"%s\" in \"%s\"", t->tour.id,
			t->at + 1, text, side);
	}
	free(side);
}

static void keeps_the_words(struct look *l)
{
	is_named_and_whole(l);
	keeps_its_numbers(l);
}

/* In a window of the usual sizes a caption is not cut, the figure has its name, its axes' and twelve rows,
 * and no value is left out. */
Test(talk_look, a_window_keeps_the_words)
{
	each_step(24, 80, GLYPHS_BRAILLE, false, keeps_the_words);
	each_step(30, 100, GLYPHS_BRAILLE, false, keeps_the_words);
	each_step(48, 160, GLYPHS_BRAILLE, false, keeps_the_words);
}

/* --- In large type --- */

static void is_large(struct look *l)
{
	const char *id = l->talk->tour.id;
	size_t step = l->talk->at + 1;
	struct rect caption = l->at.caption;
	cr_expect(l->at.large_caption, "%s %zu: %s", id, step, l->talk->caption);
	/* Three lines of seven rows of dots, two in a row of cells, without the gap below; four where
	 * there is no figure. */
	cr_expect(caption.rows <= (l->talk->live.sim ? 10 : 14), "%s %zu: %d rows", id, step,
		caption.rows);
	for (int row = caption.row; row < caption.row + caption.rows; row++)
		for (int col = caption.col + 1; col < caption.col + caption.cols; col++) {
			uint32_t code = l->cv.cells[row * l->cv.cols + col].code;
			cr_assert(code == ' ' || (code >= 0x2580 && code <= 0x2588), "%s %zu: %x",
				id, step, code);
		}
	cr_expect(l->at.figure.rows >= l->body.rows / 2 || !l->talk->live.sim, "%s %zu: %d rows",
		id, step, l->at.figure.rows);
	fills_its_rows(l);
}

/* Every caption that ridge has stands in large type on a large screen, and half of the rows are the
 * figure's. */
Test(talk_look, captions_in_large_type)
{
	each_step(48, 160, GLYPHS_BRAILLE, true, is_large);
}

/* Where there are no half blocks, or no rows, the caption stands as it does without. */
Test(talk_look, large_type_needs_half_blocks_and_room)
{
	static const struct {
		int rows, cols;
		enum glyphs glyphs;
	} screens_without[] = { { 48, 160, GLYPHS_ASCII }, { 24, 80, GLYPHS_BRAILLE } };
	for (size_t i = 0; i < 2; i++) {
		struct explorer e = explorer_start(screens_without[i].rows, screens_without[i].cols,
			screens_without[i].glyphs);
		cr_assert(explorer_open(&e, "present:queueing"));
		char *usual = explorer_text(&e);
		e.app->large = true;
		cr_expect(explorer_shows(&e, present_talk(e.app)->caption));
		char *large = explorer_text(&e);
		if (screens_without[i].cols < 90)
			cr_expect(eq(str, usual, large));
		free(usual);
		free(large);
		explorer_end(&e);
	}
}

/* --- Questions --- */

/* The blank rows under what stands there. */
static int rows_free(const struct canvas *cv, struct rect r)
{
	int row = r.row + r.rows;
	while (row > r.row && is_blank(cv, row - 1, r))
		row--;
	return r.row + r.rows - row;
}

/* Of a question that stands each answer can be read to its end, unless it is drawn in large type, which is
 * whole or not at all. */
static void answers_are_whole(const struct canvas *cv, const struct talk *t, struct rect body)
{
	char *shown = words_in(cv, body), text[400], err[300], begin[13];
	struct tour_scene scene = talk_scene(t);
	for (size_t i = 0; i < talk_step(t)->n_options; i++) {
		tour_caption(
			&scene, talk_step(t)->options[i].text, text, sizeof text, err, sizeof err);
		snprintf(begin, sizeof begin, "%.12s", text);
		cr_expect(strstr(shown, text) || !strstr(shown, begin), "%s %zu: no \"%s\" in %s",
			t->tour.id, t->at + 1, text, shown);
	}
	cr_expect(strstr(shown, "\u2026") == NULL, "%s %zu: %s", t->tour.id, t->at + 1, shown);
	free(shown);
}

/* What an audience reads is large where there is room: no question stands in the usual type above more
 * than ten free rows. */
static void questions_at(int rows, int cols)
{
	char ids[64][TOUR_ID_BYTES], target[TOUR_ID_BYTES + 16];
	size_t n = talk_list(ids, 64);
	struct explorer e = explorer_start(rows, cols, GLYPHS_BRAILLE);
	for (size_t i = 0; i < n; i++) {
		snprintf(target, sizeof target, "present:%.*s", TOUR_ID_BYTES, ids[i]);
		cr_assert(explorer_open(&e, target));
		const struct talk *t = present_talk(e.app);
		for (size_t k = 0; k < t->tour.n; k++) {
			if (!t->tour.steps[k].n_options)
				continue;
			present_go(e.app, k);
			app_settle(e.app);
			struct rect body = frame_layout(rows, cols).body;
			struct canvas unasked = explorer_draw(&e);
			answers_are_whole(&unasked, t, body);
			canvas_release(&unasked);
			explorer_press(&e, "a");
			struct canvas cv = explorer_draw(&e);
			struct present_places at = present_places(&cv, body, t, true);
			cr_expect(at.large_caption || rows_free(&cv, body) <= 10,
				"%s %zu at %dx%d: %d rows", ids[i], k + 1, cols, rows,
				rows_free(&cv, body));
			canvas_release(&cv);
		}
	}
	explorer_end(&e);
}

Test(talk_look, questions_are_as_large_as_they_can_be)
{
	questions_at(48, 160);
	questions_at(30, 100);
	questions_at(24, 80);
}
