/* What every simulation's screen owes to somebody who looks at it: no hole, a name for each part of a
 * figure, no word cut, all rows of a table. */
#include "sims/base/array.h"
#include "sims/registry/registry.h"
#include "tests/times_in.h"
#include "ui/live/live.h"
#include "ui/live/live_layout.h"
#include "ui/shell/layout.h"
#include "ui/views/figure_view.h"
#include "tests/explorer.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <math.h>
#include <strings.h>

/* -- A screen in hand ------------------------------------------------------------------------ */

struct screen_shot {
	struct explorer e;
	struct canvas cv;
	char *text;
};

static void shoot(struct screen_shot *s)
{
	FILE *f;
	size_t size;
	cr_assert(zero(int, canvas_init(&s->cv, s->e.app->rows, s->e.app->cols, GLYPHS_BRAILLE)));
	s->cv.fills = FILLS_TINTED;
	app_draw(s->e.app, &s->cv);
	f = open_memstream(&s->text, &size);
	canvas_write_text(&s->cv, f);
	fclose(f);
}

static void shot_release(struct screen_shot *s)
{
	canvas_release(&s->cv);
	free(s->text);
}

/* Calls `check` with every simulation as it opens, at a size. */
static void each_screen(
	int rows, int cols, void (*check)(const struct screen_shot *s, const char *id))
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_BRAILLE);
	for (size_t i = 0; i < n_sims; i++) {
		struct screen_shot s = { .e = e };
		char target[64];
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		cr_assert(explorer_open(&e, target));
		shoot(&s);
		check(&s, sims[i]->id);
		shot_release(&s);
	}
	explorer_end(&e);
}

/* -- Holes ----------------------------------------------------------------------------------- */

/* The body of a screen, where the title and the footer are not; true: something is there. */
struct ground {
	int rows, cols;
	bool full[64][240];
};

static uint32_t code_at(const struct canvas *cv, int row, int col)
{
	return row < 0 || row >= cv->rows || col < 0 || col >= cv->cols
		       ? 0
		       : cv->cells[row * cv->cols + col].code;
}

static bool is_one_of(uint32_t code, const char *glyphs)
{
	while (*glyphs)
		if (utf8_next(&glyphs) == code)
			return true;
	return false;
}

/* Where the axes of a plot meet: one goes up from there and one to the right. The corner may be the
 * end of a slider that is as wide as the plot. */
static bool is_corner(const struct canvas *cv, int row, int col)
{
	uint32_t code = code_at(cv, row, col);
	return is_one_of(code, "└├┴┼┷┿◉") ||
	       (is_one_of(code, "━") && !is_one_of(code_at(cv, row, col - 1), "━┯"));
}

/* The picture of a plot lies between its axes. What is empty there says something. */
static void fill_plot(const struct canvas *cv, struct ground *g, int row, int col)
{
	int top = row, right = col;
	while (is_one_of(code_at(cv, top - 1, col), "│┤┼├"))
		top--;
	while (is_one_of(code_at(cv, row, right + 1), "─┬┴┼┯━◉┤"))
		right++;
	if (top == row || right < col + 8)
		return;
	for (int r = top; r <= row; r++)
		for (int c = col; c <= right; c++)
			g->full[r - 2][c] = true;
}

static void ground_of(const struct canvas *cv, struct ground *g)
{
	*g = (struct ground){ .rows = cv->rows - 3, .cols = cv->cols };
	cr_assert(le(int, g->rows, 64));
	cr_assert(le(int, g->cols, 240));
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++) {
			const struct cell *c = &cv->cells[(row + 2) * cv->cols + col];
			g->full[row][col] = c->code != ' ' || c->under || c->attr & ATTR_REVERSE;
		}
	for (int row = 2; row < cv->rows - 1; row++)
		for (int col = 0; col < cv->cols; col++)
			if (is_corner(cv, row, col))
				fill_plot(cv, g, row, col);
}

struct hole {
	int row, col, rows, cols;
};

/* The largest rectangle of nothing: for each row the columns of emptiness above it, and the largest
 * rectangle under that skyline. */
static struct hole largest_hole(const struct ground *g)
{
	int depth[240] = { 0 };
	struct hole best = { 0, 0, 0, 0 };
	for (int row = 0; row < g->rows; row++) {
		for (int col = 0; col < g->cols; col++)
			depth[col] = g->full[row][col] ? 0 : depth[col] + 1;
		for (int from = 0; from < g->cols; from++)
			for (int to = from, least = depth[from]; to < g->cols && least > 0; to++) {
				least = depth[to] < least ? depth[to] : least;
				if (least * (to - from + 1) > best.rows * best.cols)
					best = (struct hole){ row - least + 1, from, least,
						to - from + 1 };
			}
	}
	return best;
}

static void check_holes(int rows, int cols, double most)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_BRAILLE);
	for (size_t i = 0; i < n_sims; i++) {
		struct screen_shot s = { .e = e };
		struct ground g;
		char target[64];
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		cr_assert(explorer_open(&e, target));
		shoot(&s);
		ground_of(&s.cv, &g);
		struct hole h = largest_hole(&g);
		double share = (double)(h.rows * h.cols) / (g.rows * g.cols);
		cr_expect(share <= most,
			"%s at %dx%d: %d x %d of nothing (%.1f %%) at row %d, column %d\n%s",
			sims[i]->id, cols, rows, h.cols, h.rows, 100 * share, h.row + 2, h.col,
			s.text);
		shot_release(&s);
	}
	explorer_end(&e);
}

Test(composition, no_hole_at_100x32, .description = "long")
{
	check_holes(32, 100, 0.12);
}

Test(composition, no_hole_at_160x48, .description = "long")
{
	check_holes(48, 160, 0.09);
}

Test(composition, no_hole_at_200x60, .description = "long")
{
	check_holes(60, 200, 0.15);
}

/* -- Plots ----------------------------------------------------------------------------------- */

/* The rows of the picture whose axes meet there; 0: no plot does. */
static int plot_height(const struct canvas *cv, int row, int col)
{
	static const char axis[] = "│┤┼├";
	int top = row, right = col;
	/* One mark may lie on the axis. */
	while (is_one_of(code_at(cv, top - 1, col), axis) ||
		is_one_of(code_at(cv, top - 2, col), axis))
		top--;
	while (is_one_of(code_at(cv, row, right + 1), "─┬┴┼┯━◉┤"))
		right++;
	/* A tick under lanes has an axis on both sides. */
	bool corner = is_corner(cv, row, col) && !is_one_of(code_at(cv, row, col - 1), "─┬┴┼┯━├");
	return corner && right >= col + 8 ? row - top : 0;
}

/* A plot of a few rows shows no more than its tab does, and takes rows from the others. */
static void check_plots(const struct screen_shot *s, const char *id)
{
	enum { LEAST = 8, AXIS = 2 };
	int lowest = 999, n = 0;
	for (int row = 2; row < s->cv.rows - 1; row++)
		for (int col = 0; col < s->cv.cols; col++) {
			int height = plot_height(&s->cv, row, col);
			if (height < AXIS)
				continue;
			n++;
			lowest = height < lowest ? height : lowest;
		}
	cr_expect(n == 0 || lowest >= LEAST, "%s at %dx%d has a plot of %d rows\n%s", id,
		s->cv.cols, s->cv.rows, lowest, s->text);
}

Test(composition, no_plot_is_a_dwarf, .description = "long")
{
	each_screen(48, 160, check_plots);
	each_screen(60, 200, check_plots);
}

/* -- Words ----------------------------------------------------------------------------------- */

/* Text that has no room is cut with an ellipsis: on a simulation there is none behind a letter. (One that stands alone says
 * that there are more tabs.) */
static bool has_a_cut(const char *text)
{
	for (const char *p = text; (p = strstr(p, "…")); p++)
		if (p == text || p[-1] != ' ')
			return true;
	return false;
}

static void check_words(int rows, int cols)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_BRAILLE);
	for (size_t i = 0; i < n_sims; i++) {
		struct screen_shot s = { .e = e };
		char target[64];
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		cr_assert(explorer_open(&e, target));
		shoot(&s);
		cr_expect(not(has_a_cut(s.text)), "%s at %dx%d cuts a word\n%s", sims[i]->id, cols,
			rows, s.text);
		shot_release(&s);
	}
	explorer_end(&e);
}

Test(composition, no_word_is_cut, .description = "long")
{
	static const int sizes[][2] = { { 24, 80 }, { 32, 100 }, { 48, 160 }, { 60, 200 } };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		check_words(sizes[i][0], sizes[i][1]);
}

/* -- Names ----------------------------------------------------------------------------------- */

/* Long names may go on in the next row: their first word is looked for, and a second one if that is
 * short. */
static void expect_name(const struct screen_shot *s, const char *sim, const char *name)
{
	enum { ENOUGH = 5 };
	char begin[128];
	cr_assert(name && strlen(name) < sizeof begin);
	snprintf(begin, sizeof begin, "%s", name);
	size_t n = strcspn(begin, " ");
	if (n < ENOUGH && begin[n])
		n += 1 + strcspn(begin + n + 1, " ");
	begin[n] = '\0';
	cr_expect(strstr(s->text, begin) != NULL, "%s has no \"%s\" in\n%s", sim, name, s->text);
}

static void expect_bars(const struct screen_shot *s, const char *sim, const struct bars *b)
{
	for (size_t k = 0; k < b->n_parts && b->n_parts > 1; k++) {
		bool occurs = false;
		for (size_t i = 0; i < b->n_bars; i++)
			occurs = occurs || b->bars[i].parts[k] > 0;
		if (occurs)
			expect_name(s, sim, b->part_names[k]);
	}
	for (size_t i = 0; i < b->n_bars; i++)
		expect_name(s, sim, b->bars[i].label);
}

static void expect_spans(const struct screen_shot *s, const char *sim, const struct timeline *t)
{
	for (size_t k = 0; k < t->n_kinds; k++) {
		bool occurs = false;
		for (size_t i = 0; i < t->n_spans; i++)
			occurs = occurs || t->spans[i].kind == k;
		if (occurs)
			expect_name(s, sim, t->kind_names[k]);
	}
}

static void expect_rows(const struct screen_shot *s, const char *sim, const struct table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		expect_name(s, sim, t->rows[i][0]);
}

/* What the screen calls a series of at least one point. The present setting is one point, which has
 * its name beside it. One that no legend lists has the names of its points; or it has the name of
 * the line on which its marks stand and, after a comma, what they are, which a title says; or a
 * title has its name. */
static const char *name_of(const struct series *s)
{
	const bool here = s->style == SERIES_POINTS && s->meaning == MEANS_FOCUS && s->n == 1;
	const char *mark = s->points[0].name;
	if (mark && *mark && (here || s->unlisted))
		return mark;

	const char *comma = s->unlisted ? strstr(s->name, ", ") : NULL;
	return comma ? comma + 2 : s->name;
}

/* Each part of a figure, brought to the top: what occurs in it is named, and a table has all its
 * rows. */
static void expect_names(const struct screen_shot *s, const char *sim, const struct block *b)
{
	expect_name(s, sim, block_name(b));
	switch (b->kind) {
	case BLOCK_PLOT:
		for (size_t k = 0; k < b->as.plot.n_series && b->as.plot.n_series > 1; k++) {
			const struct series *series = &b->as.plot.series[k];
			if (series->n > 0 && series->name)
				expect_name(s, sim, name_of(series));
		}
		break;
	case BLOCK_BARS:
		expect_bars(s, sim, &b->as.bars);
		break;
	case BLOCK_TIMELINE:
		expect_spans(s, sim, &b->as.timeline);
		break;
	case BLOCK_TABLE:
		expect_rows(s, sim, &b->as.table);
		break;
	case BLOCK_GRID:
		for (size_t k = 1; k < b->as.grid.n_kinds && !b->as.grid.notes; k++)
			if (b->as.grid.used[k]) /* else its cells say it */
				expect_name(s, sim, b->as.grid.kind_names[k]);
		break;
	case BLOCK_NOTE:
		break;
	}
}

static void check_names(int rows, int cols)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_BRAILLE);
	for (size_t i = 0; i < n_sims; i++) {
		char target[64];
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		cr_assert(explorer_open(&e, target));
		struct live *live = app_live(e.app);
		for (size_t b = 0; b < live->figure.n_blocks; b++) {
			struct screen_shot s = { .e = e };
			if (live->figure.blocks[b]->kind == BLOCK_NOTE)
				continue;
			live->first_block = b;
			shoot(&s);
			expect_names(&s, sims[i]->id, live->figure.blocks[b]);
			shot_release(&s);
		}
	}
	explorer_end(&e);
}

Test(composition, every_part_is_named, .description = "long")
{
	check_names(32, 100);
	check_names(60, 200);
}

/* -- What is to be tried --------------------------------------------------------------------- */

/* Whether a text has a name as words of its own, at the beginning of a sentence too. */
static bool has_words(const char *text, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = text; *at; at++)
		if (strncasecmp(at, name, n) == 0 &&
			(at == text || !isalnum((unsigned char)at[-1])) &&
			!isalnum((unsigned char)at[n]) && at[n] != '-')
			return true;
	return false;
}

/* Whether a name that ends so stands in the rows as that of something to turn or to ask for: with no
 * further word behind it, but a track, a mark, or blanks up to what it is set to. */
static bool has_name(const char *rows, const char *label)
{
	size_t n = strlen(label);
	for (const char *at = rows; (at = strstr(at, label)) != NULL; at++)
		if (at > rows && at[-1] == ' ' && at[n] == ' ' &&
			!isalnum((unsigned char)at[n + 1]))
			return true;
	return false;
}

/* A knob that the line names stands on the screen, so that who follows it need not open a group. */
static void check_tries(int rows, int cols)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_BRAILLE);
	for (size_t i = 0; i < n_sims; i++) {
		struct screen_shot s = { .e = e };
		char target[64];
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		cr_assert(explorer_open(&e, target));
		shoot(&s);
		char *tries = strstr(s.text, "Try: ");
		if (tries) /* else it stands in a column beside the picture */
			*tries = '\0';
		for (size_t k = 0; k < sims[i]->n_knobs; k++) {
			const char *label = sims[i]->knobs[k].label;
			if (has_words(sims[i]->try, label))
				cr_expect(has_name(s.text, label), "%s at %dx%d: no knob %s\n%s",
					sims[i]->id, cols, rows, label, s.text);
		}
		shot_release(&s);
	}
	explorer_end(&e);
}

Test(composition, what_is_to_be_tried_is_on_the_screen, .description = "long")
{
	check_tries(24, 80);
	check_tries(32, 100);
}

/* -- The column at the side -------------------------------------------------------------------- */

/* The largest number of rows that follow each other in which a column is empty. */
static int longest_gap(const struct canvas *cv, struct rect column)
{
	int longest = 0, gap = 0;
	for (int row = column.row; row < column.row + column.rows; row++) {
		bool empty = true;
		for (int col = column.col; col < column.col + column.cols; col++)
			empty = empty && code_at(cv, row, col) == ' ';
		gap = empty ? gap + 1 : 0;
		longest = gap > longest ? gap : longest;
	}
	return longest;
}

/* Rows are for knobs and values before they are for nothing. */
static void check_surplus(const struct screen_shot *s, const char *id)
{
	enum { MOST_EMPTY = 3 };
	const struct rect body = frame_layout(s->cv.rows, s->cv.cols).body;
	int side = sim_side_columns(body.cols), col = body.col + body.cols - side;
	int gap = longest_gap(&s->cv, (struct rect){ body.row + 4, col, body.rows - 4, side });
	bool folded = strstr(s->text, "▸") || strstr(s->text, " more: a");
	cr_expect(gap <= MOST_EMPTY || !folded, "%s at %dx%d folds above %d empty rows\n%s", id,
		s->cv.cols, s->cv.rows, gap, s->text);
}

Test(composition, nothing_is_folded_where_rows_are_free, .description = "long")
{
	each_screen(48, 160, check_surplus);
	each_screen(60, 200, check_surplus);
}

/* -- The first number -------------------------------------------------------------------------- */

/* Whether large digits stand in the first rows of the column at the side. */
static bool has_large_digits(const struct canvas *cv)
{
	enum { TOP = 12, HALF = 0x2580, EIGHTHS_END = 0x258f, LEAST = 6 };
	const struct rect body = frame_layout(cv->rows, cv->cols).body;
	int blocks = 0;
	for (int row = body.row; row < body.row + TOP; row++)
		for (int col = body.col + body.cols - sim_side_columns(body.cols); col < cv->cols;
			col++) {
			uint32_t code = code_at(cv, row, col);
			blocks += code >= HALF && code <= EIGHTHS_END;
		}
	return blocks >= LEAST;
}

/* The first number is large beside every figure, but where the knobs need its rows: those of timeline in eight groups
 * do at 100 columns, where some figures have the whole width and no column beside them. */
static void check_hero(const struct screen_shot *s, const char *id)
{
	const struct figure *f = &app_live(s->e.app)->figure;
	bool low = s->cv.rows < 48;
	if (low && (block_is_wide(f->blocks[0]) || strcmp(id, "timeline") == 0))
		return;
	cr_expect(has_large_digits(&s->cv), "%s at %dx%d\n%s", id, s->cv.cols, s->cv.rows, s->text);
}

Test(composition, the_first_number_is_large, .description = "long")
{
	each_screen(32, 100, check_hero);
	each_screen(48, 160, check_hero);
	each_screen(60, 200, check_hero);
}

/* -- The headline --------------------------------------------------------------------------- */

/* What a simulation opens with is read at a glance: one line, also in the smallest window. */
static void check_headline(const struct screen_shot *s, const char *id)
{
	enum { MARGINS = 2 };
	const char *why = app_live(s->e.app)->figure.why;
	cr_expect(le(int, text_width(why), s->cv.cols - MARGINS), "%s: %s", id, why);
}

Test(composition, opens_with_a_sentence_of_one_line)
{
	each_screen(24, 80, check_headline);
}

/* -- Captions -------------------------------------------------------------------------------- */

/* Bars say what they are of, in a low window as well, where they fit: plots alone are larger
 * without. */
static void check_caption(const struct screen_shot *s, const char *id)
{
	const struct block *b = app_live(s->e.app)->figure.blocks[0];
	char head[24];
	if (b->kind != BLOCK_BARS || b->as.bars.chain)
		return;
	/* A low window may begin with another part. */
	if (!strstr(s->text, b->as.bars.bars[0].label))
		return;
	snprintf(head, sizeof head, "%s", b->as.bars.title);
	cr_expect(strstr(s->text, head) != NULL, "%s: no caption\n%s", id, s->text);
}

Test(composition, bars_have_their_caption)
{
	each_screen(24, 80, check_caption);
}

/* -- The knob in hand -------------------------------------------------------------------------- */

/* Whether a text has a word of a name, of four letters or more: "GPUs" for "GPUs per node". */
static bool has_a_word(const char *text, const char *name)
{
	char words[128], *rest = NULL;
	snprintf(words, sizeof words, "%s", name);
	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		size_t n = strlen(w);
		n -= n > 4 && w[n - 1] == 's';
		for (const char *at = text; n >= 4 && *at; at++)
			if (strncasecmp(at, w, n) == 0)
				return true;
	}
	return false;
}

/* Whether a bar of the first part is called after a knob. */
static bool is_a_bar(const struct figure *f, const char *label)
{
	const struct block *b = f->blocks[0];
	for (size_t i = 0; b->kind == BLOCK_BARS && i < b->as.bars.n_bars; i++)
		if (has_a_word(b->as.bars.bars[i].label, label))
			return true;
	return false;
}

/* The knob that is in hand at first is one that the sentence or the line of what to try speaks of, or that
 * the picture has a bar for. */
static void check_first_knob(const struct screen_shot *s, const char *id)
{
	const struct live *live = app_live(s->e.app);
	const struct knob *k = &live->sim->knobs[live->focus];
	cr_expect(has_a_word(live->figure.why, k->label) || has_a_word(live->sim->try, k->label) ||
			  is_a_bar(&live->figure, k->label),
		"%s begins with %s: %s Try: %s", id, k->label, live->figure.why, live->sim->try);
}

Test(composition, the_first_knob_is_spoken_of, .description = "long")
{
	each_screen(48, 160, check_first_knob);
}

/* What a knob of the story that is left to the model comes to has a bead on its track. In a narrow column a
 * long name may leave no room for a track, but that of the knob in hand does not. */
static void check_beads(const struct screen_shot *s, const char *id)
{
	const struct live *live = app_live(s->e.app);
	for (int i = 0; i < live->sim->n_story; i++) {
		const struct knob *k = &live->sim->knobs[live->sim->story[i]];
		bool wanted = s->cv.cols >= 160 || live->focus == live->sim->story[i];
		if (!wanted || k->kind != KNOB_NUMBER ||
			isnan(live_stands_for(live, live->sim->story[i])))
			continue;
		const char *line = strstr(s->text, k->label);
		bool bead = false;
		for (; line && !bead; line = strstr(line + 1, k->label)) {
			char *row = strndup(line, strcspn(line, "\n"));
			bead = strstr(row, "○") != NULL;
			free(row);
		}
		cr_expect(bead, "%s at %dx%d: %s has no bead\n%s", id, s->cv.cols, s->cv.rows,
			k->label, s->text);
	}
}

Test(composition, what_auto_comes_to_has_a_bead, .description = "long")
{
	each_screen(30, 100, check_beads);
	each_screen(48, 160, check_beads);
}

/* -- The lines at the bottom ------------------------------------------------------------------- */

/* Between a picture and what to try there is a blank row; where values and knobs lie under the picture it
 * is above these. */
static void check_gap(const struct screen_shot *s, const char *id)
{
	const struct live *live = app_live(s->e.app);
	int tries = explorer_row_of(&s->e, "\n Try:") + 1, side = sim_side_columns(s->cv.cols);
	if (!tries || block_is_wide(live->figure.blocks[0]))
		return;
	struct rect above = { tries - 1, 1, 1, s->cv.cols - side - 4 };
	cr_expect(eq(int, longest_gap(&s->cv, above), 1), "%s at %dx%d: Try has no room\n%s", id,
		s->cv.cols, s->cv.rows, s->text);
}

Test(composition, what_to_try_is_not_glued_to_an_axis, .description = "long")
{
	each_screen(30, 100, check_gap);
	each_screen(32, 100, check_gap);
}

/* Half a sentence is of no use: the line that ends with the key of the notes has whole ones. */
static void check_whole(const struct screen_shot *s, const char *id)
{
	const char *end = strstr(s->text, "· s notes"), *begin = end;
	while (begin && begin > s->text && begin[-1] != '\n')
		begin--;
	char *line = begin ? strndup(begin, (size_t)(end - begin)) : NULL;
	cr_expect(line == NULL || strstr(line, "...") == NULL, "%s at %dx%d: %s", id, s->cv.cols,
		s->cv.rows, line);
	free(line);
}

Test(composition, notes_are_whole_sentences, .description = "long")
{
	each_screen(24, 80, check_whole);
	each_screen(30, 100, check_whole);
	each_screen(48, 120, check_whole);
}

/* -- Axes ------------------------------------------------------------------------------------- */

/* Lanes of a run that leads a screen have their rows on a larger one too, whatever else is shown there. */
Test(composition, a_larger_window_leaves_out_no_lane, .description = "long")
{
	struct explorer small = explorer_start(32, 100, GLYPHS_BRAILLE);
	struct explorer large = explorer_start(48, 160, GLYPHS_BRAILLE);
	for (size_t i = 0; i < n_sims; i++) {
		struct screen_shot s = { .e = small }, l = { .e = large };
		char target[64];
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		cr_assert(explorer_open(&small, target) && explorer_open(&large, target));
		const struct figure *fig = &app_live(small.app)->figure;
		const struct block *first = fig->n_blocks ? fig->blocks[0] : NULL;
		if (!first || first->kind != BLOCK_TIMELINE)
			continue;
		shoot(&s);
		shoot(&l);
		const struct timeline *t = &first->as.timeline;
		for (size_t k = 0; t->lane_names && k < t->n_lanes; k++)
			if (strstr(s.text, t->lane_names[k]))
				cr_expect(strstr(l.text, t->lane_names[k]) != NULL, "%s: no %s",
					sims[i]->id, t->lane_names[k]);
		shot_release(&s);
		shot_release(&l);
	}
	explorer_end(&small);
	explorer_end(&large);
}

/* Where names stand in the parts the legend has a row less, and with it the first of two charts has
 * room for its axis: 3.88 s are read off it. */
Test(composition, rows_that_a_legend_leaves_are_the_axis)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_BRAILLE);
	struct screen_shot s = { .e = e };
	cr_assert(explorer_open(&e, "sim:stacking"));
	shoot(&s);
	cr_expect(ne(ptr, strstr(s.text, "3 s "), NULL), "%s", s.text);
	cr_expect(ne(ptr, strstr(s.text, "60 % "), NULL), "%s", s.text);
	shot_release(&s);
	explorer_end(&e);
}
