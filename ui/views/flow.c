#include "ui/views/flow.h"

#include "sims/base/minmax.h"
#include "ui/views/bars.h"
#include "ui/views/parts.h"

#include <stdio.h>
#include <string.h>

enum {
	LEAST_BOX = 19, /* columns: a frame, and room for a word in a part */
	LEAST_GAP = 8,  /* columns between boxes: an arrow, and words above and below it */
	MOST_GAP = 16,
	FRAME = 2,  /* rows and columns of it */
	WISHED = 3, /* the same where the map is read, and not only fits */
	WIDEST_LINK = 9,
	MAX_PARTS = 16
};

struct layout {
	int across, down; /* boxes in a row, rows of boxes */
	int box, gap;     /* columns */
	int thick, link;  /* rows: of a bar, and between boxes */
	int heading, legend, back;
};

/* A place on the pane. */
struct corner {
	int row, col;
};

static bool hands_on(const struct bar *bar)
{
	return bar->passes && *bar->passes;
}

/* Whether the way on from a box goes down to the next row, and not to the box beside it. */
static bool turns(const struct layout *l, size_t i)
{
	return (i + 1) % (size_t)l->across == 0;
}

/* What comes back from the last box to the first stands between them where they are neighbours, and
 * in a row of its own where they are not. */
static bool closes(const struct layout *l)
{
	return l->down == 2;
}

/* The columns that the words over and under an arrow take. */
static int gap_of(const struct bars *b, const struct layout *l)
{
	int gap = LEAST_GAP;
	for (size_t i = 0; i + 1 < b->n_bars; i++)
		while (!turns(l, i) && hands_on(&b->bars[i]) && gap < MOST_GAP &&
			text_lines(b->bars[i].passes, gap - 2, GLYPHS_ASCII) > 2)
			gap++;
	return gap;
}

/* The columns that the words in the frames take. */
static int box_of(const struct bars *b)
{
	int least = LEAST_BOX;
	for (size_t i = 0; i < b->n_bars; i++) {
		const struct bar *bar = &b->bars[i];
		least = max_int(least, text_cols(bar->label, GLYPHS_ASCII) + 2 + 2 * FRAME);
		if (bar->note)
			least = max_int(least, text_cols(bar->note, GLYPHS_ASCII) + 2 + FRAME);
	}
	return least;
}

/* Whether every box has room for what it gains beside its name. */
static bool gains_fit(const struct bars *b, const struct layout *l)
{
	for (size_t i = 0; i < b->n_bars; i++)
		if (b->bars[i].gains && text_cols(b->bars[i].label, GLYPHS_ASCII) +
							text_cols(b->bars[i].gains, GLYPHS_ASCII) +
							3 * FRAME >
						l->box)
			return false;
	return true;
}

static int height(const struct layout *l)
{
	return l->heading + l->legend + l->down * (l->thick + FRAME) + (l->down - 1) * l->link +
	       l->back;
}

/* As many boxes in a row as there is room for and as leave no row short. */
static bool lay_out(struct layout *l, const struct bars *b, int cols)
{
	int n = (int)b->n_bars;
	for (int across = n; across > 1; across--) {
		if (n % across)
			continue;
		*l = (struct layout){ .across = across, .down = n / across, .thick = 1, .link = 1 };
		l->gap = gap_of(b, l);
		l->box = (cols - (across - 1) * l->gap) / across;
		if (l->box < box_of(b))
			continue;
		/* What is left over goes to the gaps, so that the boxes end at the edge. */
		l->heading = heading_rows(b->title, NULL, cols, GLYPHS_LINES);
		l->legend = b->n_parts > 1;
		l->back = hands_on(&b->bars[n - 1]) && !closes(l);
		return true;
	}
	return false;
}

int flow_rows(const struct bars *b, int cols)
{
	struct layout l;
	return lay_out(&l, b, cols) ? height(&l) : 0;
}

int flow_wish(const struct bars *b, int cols)
{
	struct layout l;
	if (!lay_out(&l, b, cols))
		return 0;
	l.thick = WISHED;
	return height(&l);
}

/* Rows of a bar inside: what is nearly as high as wide is a wall. */
static int thickest(const struct layout *l)
{
	return max_int(WISHED, l->box * 2 / 7);
}

/* Bars inside grow with the room, by two rows, so that a name in one stands in its middle; then the links between
 * rows of boxes. */
static void stretch(struct layout *l, int rows)
{
	for (bool grew = true; grew;) {
		grew = false;
		struct layout larger = *l;
		larger.thick += 2;
		if (larger.thick <= thickest(l) && height(&larger) <= rows) {
			*l = larger;
			grew = true;
		}
		larger = *l;
		larger.link++;
		if (larger.link <= WIDEST_LINK && height(&larger) <= rows) {
			*l = larger;
			grew = true;
		}
	}
}

/* Odd rows of boxes go back to the left. */
static bool is_back(const struct layout *l, size_t i)
{
	return i / (size_t)l->across % 2 == 1;
}

static struct corner corner_of(const struct layout *l, size_t i)
{
	int down = (int)i / l->across, along = (int)i % l->across;
	int across = is_back(l, i) ? l->across - 1 - along : along;
	return (struct corner){ l->heading + l->legend + down * (l->thick + FRAME + l->link),
		across * (l->box + l->gap) };
}

/* A frame with its name at the top and a few words at the bottom, and the bar inside. */
static void box_draw(const struct pane *p, const struct layout *l, const struct bars *b, size_t i)
{
	const struct bar *bar = &b->bars[i];
	enum glyphs g = p->cv->glyphs;
	bool chosen = b->knob && i == b->knob_at, bad = bar->role == ROLE_BAD;
	enum style style = bad ? STYLE_BAD : chosen ? STYLE_ACCENT : STYLE_DIM;
	unsigned attr = chosen ? ATTR_BOLD : 0;
	struct corner c = corner_of(l, i);
	int right = c.col + l->box - 1, bottom = c.row + l->thick + 1;
	uint32_t across = glyph_or(g, chosen ? 0x2501 : 0x2500, chosen ? '=' : '-'),
		 down = glyph_or(g, chosen ? 0x2503 : 0x2502, '|');
	for (int col = c.col; col <= right; col++) {
		pane_put(p, c.row, col, across, style, attr);
		pane_put(p, bottom, col, across, style, attr);
	}
	for (int row = c.row + 1; row < bottom; row++) {
		pane_put(p, row, c.col, down, style, attr);
		pane_put(p, row, right, down, style, attr);
	}
	pane_put(p, c.row, c.col, glyph_or(g, chosen ? 0x250f : 0x256d, '+'), style, attr);
	pane_put(p, c.row, right, glyph_or(g, chosen ? 0x2513 : 0x256e, '+'), style, attr);
	pane_put(p, bottom, c.col, glyph_or(g, chosen ? 0x2517 : 0x2570, '+'), style, attr);
	pane_put(p, bottom, right, glyph_or(g, chosen ? 0x251b : 0x256f, '+'), style, attr);
	char name[96];
	snprintf(name, sizeof name, " %s%s ", bad ? "! " : "", bar->label);
	pane_fit(p, c.row, c.col + 1, l->box - FRAME, name,
		bad      ? STYLE_BAD
		: chosen ? STYLE_ACCENT
			 : STYLE_PLAIN,
		ATTR_BOLD);
	if (bar->gains && gains_fit(b, l)) {
		snprintf(name, sizeof name, " %s ", bar->gains);
		pane_fit_right(p, c.row, c.col + 1, l->box - FRAME - 1, name,
			chosen ? STYLE_ACCENT : STYLE_PLAIN, attr);
	}
	if (bar->note) {
		const bool over = bad || strncmp(bar->note, "! ", 2) == 0;
		snprintf(name, sizeof name, " %s ", bar->note);
		pane_fit(p, bottom, c.col + 1, l->box - FRAME, name, over ? STYLE_BAD : STYLE_PLAIN,
			0);
	}
	for (int k = 0; k < l->thick; k++)
		bars_stack_draw(
			p, c.row + 1 + k, c.col + 1, l->box - FRAME, b, i, k == (l->thick - 1) / 2);
}

/* The columns at which to break words in two lines of so many, so that the longer line is as short as
 * can be and the first ends early: "16.1 GB", "of weights". */
static int words_cols(const char *words, int cols)
{
	int best = cols, least = cols + 1;
	for (int first = cols; first > 0; first--) {
		const char *rest = words;
		struct text_line line = { .cols = 0 };
		if (!text_wrap(&rest, first, GLYPHS_ASCII, &line) || line.cols > first)
			break;
		if (*rest && *rest != ' ' && rest > words && rest[-1] != ' ') /* in a word */
			break;
		rest += strspn(rest, " ");
		int longer = max_int(line.cols, text_cols(rest, GLYPHS_ASCII));
		if (*rest && longer <= least) {
			best = first;
			least = longer;
		}
	}
	return best;
}

/* An arrow to the box beside, with what it carries above and below it; or, where it carries nothing, why. */
static void arrow_draw(const struct pane *p, const struct layout *l, const struct bars *b, size_t i)
{
	enum glyphs g = p->cv->glyphs;
	bool back = is_back(l, i);
	struct corner c = corner_of(l, i);
	int from = back ? c.col - l->gap : c.col + l->box, row = c.row + 1 + (l->thick - 1) / 2;
	const bool apart = b->bars[i].parts_ways;
	for (int k = 1; k < l->gap - 1 && !apart; k++)
		pane_put(p, row, from + k, glyph_or(g, 0x2500, '-'), STYLE_DIM, 0);
	if (!apart)
		pane_put(p, row, back ? from + 1 : from + l->gap - 2,
			glyph_or(g, back ? 0x25c0 : 0x25b6, back ? '<' : '>'), STYLE_PLAIN, 0);
	const char *rest = b->bars[i].passes;
	struct text_line line;
	int room = words_cols(rest, l->gap - 2);
	for (int at = row - 1; at <= row + 1 && text_wrap(&rest, room, g, &line); at += 2) {
		line_draw(p, at, from + 1 + (l->gap - 2 - line.cols) / 2, &line,
			apart ? STYLE_DIM : STYLE_PLAIN, 0);
		room = l->gap - 2;
	}
}

/* What goes back from below the last box. It is a long way to the first, so the arrow points to its
 * name and not out of the picture. */
static void return_draw(
	const struct pane *p, const struct layout *l, const struct bars *b, size_t i, int row)
{
	enum glyphs g = p->cv->glyphs;
	struct corner c = corner_of(l, i);
	char text[160];
	snprintf(text, sizeof text, "%s %s %s", b->bars[i].passes, g == GLYPHS_ASCII ? "->" : "─▶",
		b->bars[0].label);
	int width = text_cols(text, g), col = c.col + l->box / 2;
	pane_text(p, row, max_int(0, min_int(col, p->r.cols - width)), -1, text, STYLE_PLAIN, 0);
}

/* What goes to the next row of boxes, or up from the last to the first. */
static void link_draw(const struct pane *p, const struct layout *l, const struct bars *b, size_t i,
	int top, int rows, bool up)
{
	enum glyphs g = p->cv->glyphs;
	struct corner c = corner_of(l, i);
	const char *text = b->bars[i].passes;
	int width = text_cols(text, g), col = c.col + l->box / 2;
	int head = up ? top : top + rows - 1, words = top + rows / 2;
	for (int row = top; row < top + rows; row++)
		pane_put(p, row, col, glyph_or(g, 0x2502, '|'), STYLE_DIM, 0);
	pane_put(p, head, col, glyph_or(g, up ? 0x25b2 : 0x25bc, up ? '^' : 'v'), STYLE_PLAIN, 0);
	if (col + 2 + width <= p->r.cols)
		pane_text(p, words, col + 2, -1, text, STYLE_PLAIN, 0);
	else
		pane_fit_right(p, words, 0, col - 1, text, STYLE_PLAIN, 0);
}

/* Parts that are named inside no box, and that some box has. */
static struct legend legend_of(const struct canvas *cv, const struct layout *l,
	const struct bars *b, bool absent[MAX_PARTS])
{
	for (size_t k = 0; k < b->n_parts; k++) {
		bool named = false, there = false;
		for (size_t i = 0; i < b->n_bars; i++) {
			there = there || b->bars[i].parts[k] > 0;
			named = named || bars_stack_names(cv, b, i, k, l->box - FRAME);
		}
		absent[k] = named || !there;
	}
	return (struct legend){
		.absent = absent, .names = b->part_names, .n = b->n_parts, .means = b->means
	};
}

void flow_draw(struct canvas *cv, struct rect r, const struct bars *b)
{
	struct pane p = pane_of(cv, r);
	struct layout l;
	bool absent[MAX_PARTS];
	if (b->n_parts > MAX_PARTS || !lay_out(&l, b, p.r.cols))
		return;
	struct legend legend = legend_of(cv, &l, b, absent);
	l.legend = min_int(l.legend, legend_rows(&legend, p.r.cols, cv->glyphs));
	stretch(&l, p.r.rows);
	if (l.heading)
		heading_draw(&p, 0, b->title, NULL);
	if (l.legend)
		legend_draw(&p, l.heading, l.legend, &legend);
	for (size_t i = 0; i < b->n_bars; i++) {
		int below = corner_of(&l, i).row + l.thick + FRAME;
		box_draw(&p, &l, b, i);
		if (!hands_on(&b->bars[i]))
			continue;
		if (i + 1 == b->n_bars && !closes(&l))
			return_draw(&p, &l, b, i, below);
		else if (i + 1 == b->n_bars)
			link_draw(&p, &l, b, i, below - l.thick - FRAME - l.link, l.link, true);
		else if (turns(&l, i))
			link_draw(&p, &l, b, i, below, l.link, false);
		else
			arrow_draw(&p, &l, b, i);
	}
}
