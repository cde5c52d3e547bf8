#include "ui/views/table.h"

#include "sims/base/minmax.h"
#include "ui/views/parts.h"

#include <string.h>

enum {
	GAP = 2,
	MAX_TABLE_COLS = 32,
	BRANCH = 2,     /* columns of the line that leads to a branch */
	NARROW = 14,    /* columns that text wants before it wraps */
	LEAST_COLS = 2, /* of a table that leaves some out */
	CURSOR = 2      /* columns in which the cursor stands */
};

/* How a table is drawn: as it is; turned, so that what is compared stands side by side, where it is
 * too wide and its rows are few; without its last columns, where a key shows them; or as a list of
 * its rows. */
struct layout {
	bool turned;
	size_t left_out;           /* columns */
	size_t rows, cols;         /* of what is drawn, the head among the rows */
	int width[MAX_TABLE_COLS]; /* 0 in the first: as a list */
	int gap;                   /* columns between two */
	int air;                   /* blank rows between two rows */
	enum glyphs glyphs;
};

/* The columns before the first one. */
static int margin(const struct table *t)
{
	return t->n_turns > 0 ? CURSOR : 0;
}

static const char *table_text(const struct table *t, size_t row, size_t col)
{
	const char *const *cells = row == 0 ? t->head : t->rows[row - 1];
	return cells && cells[col] ? cells[col] : "";
}

/* The text in a cell of what is drawn. */
static const char *cell_text(const struct table *t, const struct layout *l, size_t row, size_t col)
{
	return l->turned ? table_text(t, col, row) : table_text(t, row, col);
}

static bool is_numeric(const struct table *t, const struct layout *l, size_t row, size_t col)
{
	size_t i = l->turned ? row : col;
	return t->numeric && i < strlen(t->numeric) && t->numeric[i] == '1' &&
	       !(l->turned && col == 0);
}

static int natural_width(const struct table *t, const struct layout *l, size_t col)
{
	int widest = 1;
	for (size_t i = 0; i < l->rows; i++)
		widest = max_int(widest, text_cols(cell_text(t, l, i, col), l->glyphs));
	return widest;
}

/* The least width of a column: its longest word, or for numbers its longest cell. */
static int least_width(const struct table *t, const struct layout *l, size_t col)
{
	int natural = natural_width(t, l, col), least = min_int(natural, NARROW);
	for (size_t i = 0; i < l->rows; i++) {
		const char *text = cell_text(t, l, i, col);
		bool whole = is_numeric(t, l, i, col);
		int w = whole && i > 0 ? text_cols(text, l->glyphs)
				       : text_longest_word(text, l->glyphs);
		least = (whole && i == 0) || w > least ? w : least;
	}
	return least;
}

/* Narrows the widest column that has room to spare, one column of text at a time, until the table
 * fits. False: it cannot. */
static bool narrow(struct layout *l, const int least[], int too_much)
{
	while (too_much > 0) {
		size_t widest = l->cols;
		for (size_t i = 0; i < l->cols; i++)
			if (l->width[i] > least[i] &&
				(widest == l->cols || l->width[i] > l->width[widest]))
				widest = i;
		if (widest == l->cols)
			return false;
		l->width[widest]--;
		too_much--;
	}
	return true;
}

/* False: it is too wide. */
static bool fit(struct layout *l, const struct table *t, int cols)
{
	int least[MAX_TABLE_COLS], sum = -GAP;
	if (l->cols == 0 || l->cols > MAX_TABLE_COLS)
		return false;
	for (size_t i = 0; i < l->cols; i++) {
		l->width[i] = natural_width(t, l, i);
		least[i] = least_width(t, l, i);
		sum += l->width[i] + GAP;
	}
	return narrow(l, least, sum - cols);
}

static struct layout layout(const struct table *t, int cols, enum glyphs glyphs, bool may_leave_out)
{
	struct layout l = { .rows = t->n_rows + 1, .cols = t->cols, .glyphs = glyphs, .gap = GAP };
	cols -= margin(t);
	if (fit(&l, t, cols))
		return l;
	struct layout turned = {
		.turned = true, .rows = t->cols, .cols = t->n_rows + 1, .glyphs = glyphs, .gap = GAP
	};
	bool chosen_from = t->n_turns > 0; /* its rows are where the cursor goes */
	if (t->n_rows > 1 && t->cols > 1 && !chosen_from && fit(&turned, t, cols))
		return turned;
	for (size_t n = t->cols; (may_leave_out || chosen_from) && n-- > LEAST_COLS;) {
		struct layout some = { .left_out = t->cols - n,
			.rows = t->n_rows + 1,
			.cols = n,
			.glyphs = glyphs,
			.gap = GAP };
		if (fit(&some, t, cols))
			return some;
	}
	l.width[0] = 0;
	return l;
}

/* "├ yes: ...": what follows of it stands under its words. */
static bool is_branch(const char *text)
{
	return strncmp(text, "├ ", strlen("├ ")) == 0 || strncmp(text, "└ ", strlen("└ ")) == 0;
}

/* The next line of a cell; false: there is none. What hangs has less room from its second line on. */
static bool cell_line(
	const char **text, int width, bool hangs, int k, enum glyphs glyphs, struct text_line *line)
{
	return text_wrap(text, width - (hangs && k > 0 ? BRANCH : 0), glyphs, line);
}

static int row_lines(const struct table *t, const struct layout *l, size_t row)
{
	int most = 1;
	for (size_t i = 0; i < l->cols; i++) {
		const char *text = cell_text(t, l, row, i);
		const bool hangs = is_branch(text);
		struct text_line line;
		int n = 0;
		while (cell_line(&text, l->width[i], hangs, n, l->glyphs, &line))
			n++;
		most = n > most ? n : most;
	}
	return most;
}

static bool is_chosen(const struct table *t, size_t row, const char *focus)
{
	const char *knob = row > 0 ? table_knob(t, row - 1) : NULL;
	return knob && focus && strcmp(knob, focus) == 0;
}

static enum style cell_style(
	const struct table *t, const struct layout *l, size_t row, size_t col, bool chosen)
{
	bool to_come = !l->turned && t->at_hand > 0 && row > t->at_hand;
	if (row == 0 || (l->turned && col == 0) || to_come)
		return STYLE_DIM;
	if (chosen)
		return STYLE_ACCENT;
	/* What is still to be taken can be taken: its name is not dim. */
	if (row > t->n_turns || (col == 0 && t->turns[row - 1].role == ROLE_DIM))
		return STYLE_PLAIN;
	return role_style(t->turns[row - 1].role);
}

static void row_draw(const struct pane *p, int y, const struct table *t, const struct layout *l,
	size_t row, const char *focus)
{
	bool at_hand = !l->turned && t->at_hand > 0 && row == t->at_hand;
	bool chosen = is_chosen(t, row, focus);
	unsigned attr = row == 0 || at_hand || chosen ? ATTR_BOLD : 0;
	int x = margin(t);
	if (chosen)
		pane_put(p, y, 0, glyph_or(p->cv->glyphs, 0x203a, '>'), STYLE_ACCENT, ATTR_BOLD);
	for (size_t i = 0; i < l->cols; x += l->width[i++] + l->gap) {
		const char *text = cell_text(t, l, row, i);
		struct text_line line;
		const bool hangs = is_branch(text);
		for (int k = 0; cell_line(&text, l->width[i], hangs, k, l->glyphs, &line); k++) {
			int room = l->width[i] - line.cols;
			int indent = is_numeric(t, l, row, i) ? room : hangs && k > 0 ? BRANCH : 0;
			line_draw(p, y + k, x + (indent > 0 ? indent : 0), &line,
				cell_style(t, l, row, i, chosen), attr);
		}
	}
}

static int head_width(const struct table *t, int cols, enum glyphs glyphs)
{
	int widest = 0;
	for (size_t i = 0; i < t->cols; i++) {
		int w = text_cols(table_text(t, 0, i), glyphs);
		widest = w > widest ? w : widest;
	}
	return widest + GAP > cols / 2 ? cols / 2 : widest + GAP;
}

/* The lines of one cell in a list: its head on the left, its text beside it, each wrapped. */
static int item_lines(
	const struct table *t, size_t row, size_t col, int head, int cols, enum glyphs glyphs)
{
	int heads = text_lines(table_text(t, 0, col), head - 1, glyphs);
	int texts = text_lines(table_text(t, row, col), cols - head, glyphs);
	int lines = heads > texts ? heads : texts;
	return lines > 0 ? lines : 1;
}

static int list_lines(const struct table *t, size_t row, int cols, enum glyphs glyphs)
{
	int head = head_width(t, cols, glyphs), lines = 0;
	for (size_t i = 0; i < t->cols; i++)
		lines += item_lines(t, row, i, head, cols, glyphs);
	return lines;
}

static void list_draw(const struct pane *p, int y, const struct table *t, size_t row)
{
	enum glyphs glyphs = p->cv->glyphs;
	int head = head_width(t, p->r.cols, glyphs);
	for (size_t k = 0; k < t->cols; k++) {
		const char *name = table_text(t, 0, k), *text = table_text(t, row, k);
		struct text_line line;
		for (int i = 0; text_wrap(&name, head - 1, glyphs, &line); i++)
			line_draw(p, y + i, 0, &line, STYLE_DIM, 0);
		for (int i = 0; text_wrap(&text, p->r.cols - head, glyphs, &line); i++)
			line_draw(p, y + i, head, &line, STYLE_PLAIN, k == 0 ? ATTR_BOLD : 0);
		y += item_lines(t, row, k, head, p->r.cols, glyphs);
	}
}

static int table_width(const struct layout *l)
{
	int sum = -l->gap;
	for (size_t i = 0; i < l->cols; i++)
		sum += l->width[i] + l->gap;
	return sum;
}

static int head_draw(const struct pane *p, int y, const struct table *t, const struct layout *l)
{
	uint32_t rule = glyph_or(p->cv->glyphs, 0x2500, '-');
	row_draw(p, y, t, l, 0, NULL);
	y += row_lines(t, l, 0);
	for (int i = 0; i < table_width(l) + margin(t); i++)
		pane_put(p, y, i, rule, STYLE_DIM, 0);
	return y + 1;
}

/* What is left out, and the key that shows it. */
static void draw_left_out(
	const struct pane *p, int y, size_t n, const char *what, const char *larger)
{
	pane_printf(p, y, 0, -1, STYLE_DIM, 0, "+ %zu more %s%s%s%s", n, what, n == 1 ? "" : "s",
		larger ? ": " : "", larger ? larger : "");
}

/* The rows of the pane above row `end` of the table; its rows count from 1. */
static int rows_until(const struct table *t, const struct layout *l, int cols, size_t end)
{
	bool list = l->width[0] == 0;
	int rule = !list; /* under the head */
	int rows = heading_rows(t->title, NULL, cols, l->glyphs) + rule;
	for (size_t i = list ? 1 : 0; i < end; i++)
		rows += list ? list_lines(t, i, cols, l->glyphs) + (i < t->n_rows)
			     : row_lines(t, l, i);
	return rows;
}

/* Before an audience a table spreads over the room that it has. */
static void spread(struct layout *l, const struct table *t, int rows, int cols)
{
	enum { MOST_AIR = 3, WIDEST_GAP = 12 };
	int left = rows - rows_until(t, l, cols, l->rows) - (l->left_out > 0);
	if (l->rows > 2)
		l->air = max_int(0, min_int(left / (int)(l->rows - 2), MOST_AIR));
	if (l->cols > 1)
		l->gap +=
			max_int(0, min_int((cols - margin(t) - table_width(l)) / (int)(l->cols - 1),
					   WIDEST_GAP - GAP));
}

/* Where a table that is chosen from begins, so that the row in hand is in sight: the first row, or as
 * many further down as it takes. rows: below the head. */
static size_t first_in_sight(
	const struct table *t, const struct layout *l, int rows, const char *focus)
{
	size_t chosen = 0, first = 1;
	int above = 0;
	for (size_t i = 1; i < l->rows && !chosen; i++) {
		above += row_lines(t, l, i);
		chosen = is_chosen(t, i, focus) ? i : 0;
	}
	/* One line says that there is more below. */
	for (; chosen && first < chosen && above + (chosen + 1 < l->rows) > rows; first++)
		above -= row_lines(t, l, first);
	return first;
}

/* Where a row that turns a knob was drawn, for the mouse. */
static void note_row(const struct pane *p, const struct table *t, size_t row, int y, int lines)
{
	const char *knob = table_knob(t, row - 1);
	if (knob && p->cv->n_turned < MOST_TURNED)
		p->cv->turned[p->cv->n_turned++] =
			(struct turned_row){ knob, { p->r.row + y, p->r.col, lines, p->r.cols } };
}

/* A table that is chosen from, the row in hand in sight. Where rows are few, they go to the rows of the
 * table: first the title goes, then the head. */
static void chosen_draw(
	const struct pane *p, const struct table *t, const struct layout *l, const char *focus)
{
	enum { HEAD_FROM = 5 };
	int all = rows_until(t, l, p->r.cols, t->n_rows + 1);
	bool whole = all <= p->r.rows;
	int y = whole ? heading_draw(p, 0, t->title, NULL) : 0;
	y = whole || p->r.rows >= HEAD_FROM ? head_draw(p, y, t, l) : y;
	size_t first = first_in_sight(t, l, p->r.rows - y, focus);
	bool ascii = p->cv->glyphs == GLYPHS_ASCII;
	if (first > 1 && y > 0)
		pane_printf(p, y - 1, margin(t), -1, STYLE_DIM, 0, " %s %zu more ",
			ascii ? "^" : "↑", first - 1);
	for (size_t i = first; i < l->rows; i++) {
		int lines = row_lines(t, l, i);
		bool more = i + 1 < l->rows;
		if (y + lines + more > p->r.rows && i > first) {
			pane_printf(p, y, margin(t), -1, STYLE_DIM, 0, "%s %zu more",
				ascii ? "v" : "↓", l->rows - i);
			return;
		}
		row_draw(p, y, t, l, i, focus);
		note_row(p, t, i, y, lines);
		y += lines + l->air;
	}
}

void table_draw(struct canvas *cv, struct rect r, const struct table *t, const char *larger,
	const char *focus)
{
	struct pane p = pane_of(cv, r);
	struct layout l = layout(t, p.r.cols, cv->glyphs, larger != NULL);
	bool list = l.width[0] == 0;
	if (cv->grows && !list)
		spread(&l, t, p.r.rows, p.r.cols);
	if (!list && t->n_turns > 0) {
		chosen_draw(&p, t, &l, focus);
		return;
	}
	int y = heading_draw(&p, 0, t->title, NULL);
	if (!list)
		y = head_draw(&p, y, t, &l);
	size_t rows = list ? t->n_rows + 1 : l.rows;
	for (size_t i = 1; i < rows; i++) {
		int lines = list ? list_lines(t, i, p.r.cols, cv->glyphs) : row_lines(t, &l, i);
		bool noted = i + 1 < rows || l.left_out > 0;
		if (y + lines + noted > p.r.rows) {
			draw_left_out(&p, y, rows - i, "row", larger);
			return;
		}
		if (list)
			list_draw(&p, y, t, i);
		else
			row_draw(&p, y, t, &l, i, NULL);
		y += lines + (list ? 1 : l.air); /* a blank row after each list */
	}
	if (l.left_out)
		draw_left_out(&p, y, l.left_out, "column", larger);
}

static int rows_with(const struct table *t, int cols, enum glyphs glyphs, bool may_leave_out)
{
	struct layout l = layout(t, cols, glyphs, may_leave_out);
	int note = l.left_out > 0;
	return rows_until(t, &l, cols, l.width[0] ? l.rows : t->n_rows + 1) + note;
}

int table_row_place(const struct table *t, int cols, enum glyphs glyphs, size_t row, int *lines)
{
	struct layout l = layout(t, cols, glyphs, false);
	if (l.turned && l.width[0]) { /* a row is a column: it stands on all lines */
		int rows = rows_until(t, &l, cols, l.rows), above = rows_until(t, &l, cols, 1);
		*lines = rows - above;
		return above;
	}
	*lines = l.width[0] == 0 ? list_lines(t, row + 1, cols, glyphs) : row_lines(t, &l, row + 1);
	return rows_until(t, &l, cols, row + 1);
}

/* Enough for either set of glyphs: some characters take several columns in ASCII. */
int table_rows(const struct table *t, int cols, bool may_leave_out)
{
	int lines = rows_with(t, cols, GLYPHS_LINES, may_leave_out);
	int ascii = rows_with(t, cols, GLYPHS_ASCII, may_leave_out);
	return lines > ascii ? lines : ascii;
}

int table_least(const struct table *t, int cols)
{
	struct layout l = layout(t, cols, GLYPHS_LINES, false);
	int rows = table_rows(t, cols, false);
	return l.width[0] ? min_int(rows, rows_until(t, &l, cols, 1) + (int)t->n_rows) : rows;
}

int table_cols(const struct table *t)
{
	struct layout l = { .rows = t->n_rows + 1, .cols = t->cols, .glyphs = GLYPHS_LINES };
	int sum = t->cols ? margin(t) - GAP : 0;
	for (size_t i = 0; i < t->cols; i++)
		sum += natural_width(t, &l, i) + GAP;
	return sum;
}
