#include "ui/views/grid.h"

#include "sims/base/minmax.h"
#include "ui/views/number_lines.h"
#include "ui/views/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_KINDS = 256, MAX_LEGEND = 3, PLENTY = 1 << 20, MOST_BANDS = 16 };
enum { UPPER_HALF = 0x2580 };

/* The largest that a mark gets, in columns and rows, and a pixel of an image, in half rows. */
struct largest {
	int wide, high, zoom;
};
static const struct largest usual = { 8, 2, 3 }, grown = { 12, 6, 8 };

enum { FEWEST = 3 }; /* parts of an image that are shown, rather than smaller ones */

struct layout {
	int heading, legend, axis, names; /* rows, rows, rows, columns */
	int notes;                        /* columns behind the rows */
	int captions;                     /* rows */
	bool beside;                      /* the legend stands in the heading's last line */
	int rows, cols;                   /* marks shown */
	int per_row, per_col;             /* cells that a mark stands for */
	int width, height;                /* columns and rows of a mark */
	int zoom;     /* of an image: columns and half rows of a pixel; 0: none */
	int gap;      /* blank rows between rows, or bands of what flows */
	bool written; /* marks have their numbers in them */
};

static int divide_up(int a, int b)
{
	return b > 0 ? (a + b - 1) / b : a;
}

static int names_width(const struct grid *g, int cols, enum glyphs glyphs)
{
	int widest = 0;
	for (size_t i = 0; g->row_names && i < g->rows; i++) {
		int w = text_cols(g->row_names[i], glyphs) + 1;
		widest = w > widest ? w : widest;
	}
	return widest > cols / 3 ? cols / 3 : widest;
}

/* Notes are short; where they are not, marks go before them. */
static int notes_width(const struct grid *g, int cols, enum glyphs glyphs)
{
	int widest = 0;
	for (size_t i = 0; g->row_notes && !g->flows && i < g->rows; i++)
		widest = max_int(widest, text_cols(g->row_notes[i], glyphs) + 1);
	return widest > cols / 6 ? 0 : widest;
}

/* Where cells have numbers, where they flow, and where it is asked for, nothing stands for an empty
 * one: it is the ground itself. */
static bool is_ground(const struct grid *g, size_t kind)
{
	return g->means && kind < g->n_kinds && g->means[kind] == MEANS_EMPTY &&
	       (g->notes || g->flows || g->bare);
}

/* Whether a kind has words among its cells; with textures there is no room for any. */
static bool has_words(const struct grid *g, size_t kind, bool textured)
{
	return g->words && !textured && kind < g->n_kinds && g->words[kind] && *g->words[kind];
}

/* Which kinds a frame has. */
static void kinds_at(const struct grid *g, size_t frame, bool here[N_KINDS])
{
	const size_t cells = g->rows * g->cols;
	memset(here, 0, N_KINDS * sizeof *here);
	for (size_t i = 0; i < cells; i++)
		here[g->cells[frame * cells + i]] = true;
}

/* Kinds that no cell has are not named, nor is the ground, nor are levels where each cell has its number,
 * nor what has words in the picture. here NULL: those that some cell has at some time. */
static struct legend legend_of(
	const struct grid *g, bool written, bool textured, const bool *here, bool absent[N_KINDS])
{
	for (size_t i = 0; i < N_KINDS; i++)
		absent[i] = !g->used[i] || (here && !here[i]) || is_ground(g, i) ||
			    has_words(g, i, textured) ||
			    (g->kind_names && i < g->n_kinds && !*g->kind_names[i]) ||
			    (written && g->means && i < g->n_kinds && g->means[i] >= MEANS_LEVEL);
	return (struct legend){
		.names = g->kind_names, .n = g->n_kinds, .means = g->means, .absent = absent
	};
}

/* -- What flows ---------------------------------------------------------------------------- */

/* Rows that go on from one to the next: from a named row up to the next named one. */
struct band {
	size_t first, cells;
};

static size_t bands_of(const struct grid *g, struct band bands[MOST_BANDS])
{
	size_t n = 0;
	for (size_t i = 0; i < g->rows; i++) {
		bool named = g->row_names && *g->row_names[i];
		if ((i == 0 || named) && n < MOST_BANDS)
			bands[n++] = (struct band){ i, 0 };
		bands[n - 1].cells += g->cols;
	}
	return n;
}

static int most_cells(const struct band bands[], size_t n)
{
	int most = 0;
	for (size_t i = 0; i < n; i++)
		most = max_int(most, (int)bands[i].cells);
	return most;
}

/* The largest marks of one cell each that there is room for, in lines of even length; where there is
 * no such room, as many marks as there are places. */
static void place_flow(struct layout *l, const struct grid *g, int rows, int cols, bool fill,
	const struct largest *most)
{
	struct band bands[MOST_BANDS];
	int n = (int)bands_of(g, bands), cells = most_cells(bands, (size_t)n);
	int room_cols = max_int(1, cols - l->names);
	int room_rows = max_int(n, rows - l->heading - l->legend), best = 0;
	l->per_row = l->per_col = 1;
	l->gap = n > 1 && room_rows >= 3 * n;
	for (int width = fill ? most->wide : 2; width >= 1; width--)
		for (int height = fill ? most->high : 1; height >= 1; height--) {
			int in_line = room_cols / width;
			int lines = in_line > 0 ? divide_up(cells, in_line) : PLENTY;
			bool fits = lines < PLENTY &&
				    n * lines * height + (n - 1) * l->gap <= room_rows;
			if (!fits || width * height <= best)
				continue;
			best = width * height;
			l->cols = divide_up(cells, lines);
			l->rows = lines;
			l->width = width;
			l->height = height;
		}
	if (best > 0)
		return;
	l->width = l->height = 1;
	l->cols = room_cols;
	l->rows = max_int(1, (room_rows - (n - 1) * l->gap) / max_int(1, n));
}

/* -- Where everything stands --------------------------------------------------------------- */

/* Its pixels are half a row high. */
bool grid_is_image(const struct grid *g)
{
	return g->means && g->n_kinds > 0 && g->means[0] == MEANS_GREY && !g->row_names;
}

/* The columns of a part that has a caption, with the blank one behind it. */
static int caption_cols(const struct grid *g)
{
	return (int)(g->cols + 1) / max_int(1, (int)g->n_captions);
}

/* The largest zoom that there is room for, if need be without the last parts; the rows are text rows
 * then. */
static bool place_image(struct layout *l, const struct grid *g, int rows, int cols, bool fill,
	const struct largest *most)
{
	int all_rows = (int)g->rows;
	int room_rows = max_int(0, rows - l->legend - l->heading - l->captions);
	int room = fill ? 2 * room_rows / max_int(1, all_rows) : 1;
	int part = max_int(1, caption_cols(g));
	int parts = max_int(1, (int)g->n_captions), shown = 0;
	for (l->zoom = min_int(room, most->zoom); l->zoom > 0; l->zoom--) {
		shown = min_int(parts, (cols / l->zoom + 1) / part);
		if (shown >= min_int(parts, FEWEST))
			break;
	}
	if (l->zoom < 1)
		return false;
	l->per_row = l->per_col = l->height = 1;
	l->width = l->zoom;
	l->rows = divide_up(all_rows * l->zoom, 2);
	l->cols = shown * part - 1;
	return true;
}

/* Rows that stand apart leave no room beside them: their cells fill a wide pane. */
static int width_of(const struct grid *g, int cols, int names, const struct largest *most)
{
	enum { WIDE = 96 };
	bool wide = g->apart && cols >= WIDE;
	int widest = wide ? max_int(most->wide, grown.wide) : most->wide;
	return max_int(1, min_int((cols - names) / max_int(1, (int)g->cols), widest));
}

/* A number stands out from its neighbours with a blank, and with an arrow without one. */
static bool can_write(const struct grid *g, int width)
{
	return g->notes && width > 1 && width >= g->note_cols;
}

/* A mark is as wide as lets the marks fill the pane, and higher than a row where there are rows to
 * fill. */
static void place(struct layout *l, const struct grid *g, int rows, int cols, bool fill,
	const struct largest *most)
{
	int all_rows = (int)g->rows, all_cols = (int)g->cols;
	int room_cols = cols - l->names - l->notes;
	int room_rows = rows - l->heading - l->legend - l->captions;
	/* What the columns are is said where that costs no mark. */
	l->axis = g->col_title && l->width > 1 && room_rows > all_rows;
	room_rows -= l->axis;
	int most_rows = fill ? room_rows : all_rows;
	l->height = max_int(1, min_int(most_rows / max_int(1, all_rows), most->high));
	l->per_row = all_rows > room_rows ? divide_up(all_rows, room_rows) : 1;
	l->per_col = all_cols > room_cols ? divide_up(all_cols, room_cols) : 1;
	l->rows = g->row_names ? divide_up(all_rows, l->per_row) : min_int(all_rows, room_rows);
	l->cols = g->col_title ? divide_up(all_cols, l->per_col) : min_int(all_cols, room_cols);
	l->written = can_write(g, l->width) && l->per_row == 1 && l->per_col == 1;
	l->gap = g->apart && (!fill || room_rows >= 2 * all_rows - 1);
	if (l->gap) /* a blank row takes one from each */
		l->height = max_int(1, l->height - 1);
}

/* Says which moment is shown: the step where the frames are steps; else, in a picture of the whole
 * run, the share of it that is shown. Under a playhead the line of the playhead has the time. */
static const char *remark(
	char *buf, size_t size, const struct grid *g, double playhead_s, size_t frame)
{
	*buf = '\0';
	if (g->n_frames > 1 && g->frame_title) {
		/* The first frame is before the first step, the last one after the last. */
		size_t steps = g->frame_steps ? g->n_steps : g->n_frames - 1;
		size_t done = g->frame_steps ? g->frame_steps[frame] : frame;
		int n = snprintf(
			buf, size, "%s %zu of %zu", g->frame_title, done + (done < steps), steps);
		if (g->stand_for > 0)
			snprintf(buf + n, size - (size_t)n, ", for %zu", g->stand_for);
	} else if (g->n_frames > 1 && isnan(playhead_s) && g->still_s > 0) {
		snprintf(buf, size, "at %.0f %% of the run",
			100 * (double)frame / (double)g->n_frames);
	}
	return buf;
}

static int title_end(const char *title, int cols, enum glyphs glyphs)
{
	struct text_line line = { 0 };
	while (title && text_wrap(&title, cols, glyphs, &line))
		;
	return line.cols;
}

/* The cells matter most, then the legend, then the heading. cv NULL: what it takes on any. here: the
 * kinds of a picture that stands still, or NULL. */
static struct layout layout(
	const struct grid *g, int rows, int cols, const struct canvas *cv, const bool *here)
{
	enum glyphs glyphs = cv ? cv->glyphs : GLYPHS_LINES;
	bool fill = rows < PLENTY, absent[N_KINDS], written;
	bool textured = cv && (cv->fills == FILLS_TEXTURED || glyphs == GLYPHS_ASCII);
	/* Without half rows too an image is half as high as its pixels: a cell is two columns high. */
	bool halves = !textured && grid_is_image(g);
	struct layout l = {
		.names = names_width(g, cols, glyphs), .per_row = 1, .per_col = 1, .height = 1
	};
	const struct largest *most = cv && cv->grows ? &grown : &usual;
	l.notes = notes_width(g, cols, glyphs);
	l.width = width_of(g, cols, l.names + l.notes, most);
	written = can_write(g, l.width);
	/* Whether cells have their numbers depends on the room, and the room on whether the legend
	 * names the levels instead: the second round settles both. */
	for (int i = 0; i < 2; i++) {
		struct legend legend = legend_of(g, written, textured, here, absent);
		int end = title_end(g->title, cols, glyphs);
		l.heading = heading_rows(g->title, NULL, cols, glyphs);
		l.legend = legend_rows(&legend, cols, glyphs);
		l.legend = l.legend > MAX_LEGEND ? MAX_LEGEND : l.legend;
		l.beside = l.heading > 0 && l.legend == 1 &&
			   legend_fits_beside(end, &legend, cols, glyphs);
		l.legend -= l.beside;
		if (rows - l.legend - l.heading < 1) {
			l.heading = 0;
			l.legend += l.beside;
			l.beside = false;
		}
		if (rows - l.legend < 1)
			l.legend = 0;
		l.captions = g->n_captions > 0 && caption_cols(g) > 1 && !g->flows &&
			     rows > l.legend + l.heading + (int)g->rows / 2;
		l.zoom = l.axis = 0;
		l.written = false;
		if (g->flows)
			place_flow(&l, g, rows, cols, fill, most);
		else if (!halves || !place_image(&l, g, rows, cols, fill, most))
			place(&l, g, rows, cols, fill, most);
		if (l.written == written)
			break;
		written = l.written;
	}
	return l;
}

static size_t frame_at(const struct grid *g, double playhead_s)
{
	size_t frame = g->n_frames - 1;
	while (frame > 0 && g->frame_times[frame] > playhead_s)
		frame--;
	return frame;
}

/* -- Marks --------------------------------------------------------------------------------- */

/* The kind that most cells have, but what the picture is about is seen wherever it is. If the empty
 * kind ties with another, the other wins, so that nothing vanishes; where nothing stands for it, it is seen only where
 * there is nothing else. */
static unsigned most_counted(const struct grid *g, const unsigned count[N_KINDS])
{
	unsigned best = 0;
	for (unsigned kind = 0; g->means && kind < g->n_kinds; kind++)
		if (count[kind] && g->means[kind] == MEANS_FOCUS)
			return kind;
	for (unsigned kind = 1; kind < N_KINDS; kind++)
		if (count[kind] > count[best] ||
			(best == 0 && count[kind] && (g->bare || count[kind] == count[0])))
			best = kind;
	return best;
}

/* The first of n cells in a row or column of them that the i-th of so many marks stands for: as many for
 * each where they have names, else as even as the marks go. */
static size_t first_cell(size_t n, int marks, int per, bool named, int i)
{
	size_t even = (size_t)i * n / (size_t)marks;
	return named ? min_size(n, (size_t)i * (size_t)per) : even;
}

static unsigned majority(
	const struct grid *g, size_t frame, const struct layout *l, int row, int col)
{
	unsigned count[N_KINDS] = { 0 };
	bool rows = g->row_names != NULL, cols = g->col_title != NULL;
	size_t row0 = first_cell(g->rows, l->rows, l->per_row, rows, row);
	size_t col0 = first_cell(g->cols, l->cols, l->per_col, cols, col);
	if (l->per_row == 1 && l->per_col == 1)
		return g->cells[(frame * g->rows + row0) * g->cols + col0];
	size_t row1 = first_cell(g->rows, l->rows, l->per_row, rows, row + 1);
	size_t col1 = first_cell(g->cols, l->cols, l->per_col, cols, col + 1);
	for (size_t i = row0; i < row1; i++)
		for (size_t j = col0; j < col1; j++)
			count[g->cells[(frame * g->rows + i) * g->cols + j]]++;
	return most_counted(g, count);
}

/* A mark fills all its columns, so that neighbours of a kind join, and with textures all but one
 * unless a number parts them; an empty one is a dot. */
static void mark_draw(const struct pane *p, int row, int col, const struct layout *l,
	const struct grid *g, unsigned kind)
{
	struct fill fill = fill_of(p->cv, g->means, g->n_kinds, kind);
	bool solid = fill_is_solid(fill) && p->cv->fills != FILLS_TEXTURED;
	bool dot = kind < g->n_kinds && g->means && g->means[kind] == MEANS_EMPTY;
	if (is_ground(g, kind))
		return;
	for (int k = 0; k < l->height; k++)
		for (int i = 0; i < (dot ? k == 0 : l->width); i++)
			if (i == 0 || solid || g->notes || i + 1 < l->width)
				fill_put(p, row + k, col + i, fill);
}

enum { NOTE_BYTES = 24 };

/* "5↓" leaves for another row, "1+5" gets 5 more, "→8" becomes 8; only the number where there is no
 * room for more. */
static int note_text(
	char text[NOTE_BYTES], const struct cell_note *note, int width, enum glyphs glyphs)
{
	bool ascii = glyphs == GLYPHS_ASCII;
	unsigned number = note->number - 1u, gets = note->gets - 1u;
	const char *down = ascii ? "v" : "↓", *up = ascii ? "^" : "↑", *turns = ascii ? ">" : "→";
	if (note->moves)
		snprintf(text, NOTE_BYTES, "%u%s", number, note->moves > 0 ? down : up);
	else if (note->gets && note->adds && note->number)
		snprintf(text, NOTE_BYTES, "%u+%u", number, gets);
	else if (note->gets)
		snprintf(text, NOTE_BYTES, "%s%u", note->adds ? "+" : turns, gets);
	else
		snprintf(text, NOTE_BYTES, "%u", number);
	if (note->gets && note->adds && text_cols(text, glyphs) >= width)
		snprintf(text, NOTE_BYTES, "+%u", gets);
	if (note->gets && note->number && text_cols(text, glyphs) >= width)
		snprintf(text, NOTE_BYTES, "%u", number);
	return text_cols(text, glyphs);
}

/* The number of a cell, in the middle of its mark, with what happens to it. The dark half of a ramp is
 * a ground for the terminal's own ink, the other half for the terminal's ground; without fills the
 * number of a level stands alone. */
static void note_draw(const struct pane *p, int row, int col, const struct layout *l,
	const struct grid *g, unsigned kind, const struct cell_note *note)
{
	enum { DARK_LEVELS = 4, DARKEST = 2 };
	char text[NOTE_BYTES];
	struct fill fill = fill_of(p->cv, g->means, g->n_kinds, kind);
	bool solid = fill_is_solid(fill) && p->cv->fills != FILLS_TEXTURED;
	bool dark = solid && fill.style >= STYLE_LEVEL && fill.style < STYLE_LEVEL + DARK_LEVELS;
	bool empty = fill.style == meaning_style(MEANS_EMPTY);
	if (!note->number && !note->gets)
		return;
	int cols = note_text(text, note, l->width, p->cv->glyphs);
	int digits = note->moves ? cols - 1 : cols;
	int at = col + (l->width - digits) / 2, middle = row + (l->height - 1) / 2;
	bool stands_out = note->gets && (!dark || fill.style < STYLE_LEVEL + DARKEST);
	enum style ink = stands_out ? STYLE_ACCENT : STYLE_PLAIN;
	if (!solid && fill.style >= STYLE_LEVEL) /* the number says what the texture would */
		for (int i = 0; i < l->width; i++)
			pane_put(p, row, col + i, ' ', STYLE_PLAIN, 0);
	pane_text(p, middle, at, -1, text, dark || !solid || empty ? ink : fill.style,
		(solid && !dark && !empty ? ATTR_REVERSE : 0u) |
			(note->moves || note->gets ? ATTR_BOLD : 0u));
	for (int i = 0; dark && i < cols; i++)
		pane_under(p, middle, at + i, fill.style);
}

/* What goes to a neighbour has its arrow in the blank row between the two, where there is one. Returns
 * whether it has. */
static bool arrow_draw(const struct pane *p, int row, int col, const struct layout *l,
	const struct cell_note *note)
{
	bool down = note->moves > 0, ascii = p->cv->glyphs == GLYPHS_ASCII;
	if (!l->gap || l->width < 2 || (note->moves != 1 && note->moves != -1))
		return false;
	pane_text(p, down ? row + l->height : row - 1, col + (l->width - 1) / 2, 1,
		down ? (ascii ? "v" : "↓") : (ascii ? "^" : "↑"), STYLE_ACCENT, ATTR_BOLD);
	return true;
}

/* Two pixels stand in a cell: one in its upper half, over the ground that is the other. */
static void image_draw(
	const struct pane *p, int top, const struct grid *g, const struct layout *l, size_t frame)
{
	const unsigned char *cells = g->cells + frame * g->rows * g->cols;
	for (int row = 0; row < l->rows; row++)
		for (int col = 0; col < l->cols * l->zoom; col++) {
			size_t x = (size_t)(col / l->zoom), y = (size_t)(2 * row / l->zoom);
			size_t below = (size_t)min_int((2 * row + 1) / l->zoom, (int)g->rows - 1);
			struct fill upper =
				fill_of(p->cv, g->means, g->n_kinds, cells[y * g->cols + x]);
			struct fill lower =
				fill_of(p->cv, g->means, g->n_kinds, cells[below * g->cols + x]);
			pane_put(p, top + row, col, UPPER_HALF, upper.style, 0);
			pane_under(p, top + row, col, lower.style);
		}
}

/* The longest row of marks of a kind so far: where it begins and how many they are. */
struct stretch {
	int row, col, marks;
};

/* Writes the words of each kind into its longest row of marks, or their last clause. */
static void words_draw(const struct pane *p, const struct grid *g, const struct layout *l,
	const struct stretch longest[N_KINDS])
{
	bool textured = p->cv->fills == FILLS_TEXTURED || p->cv->glyphs == GLYPHS_ASCII;
	for (size_t kind = 0; kind < g->n_kinds; kind++) {
		if (!has_words(g, kind, textured))
			continue;
		const char *words = g->words[kind], *comma = strrchr(words, ',');
		int room = longest[kind].marks * l->width;
		if (comma && text_cols(words, p->cv->glyphs) + 2 > room)
			words = comma + 2;
		int width = text_cols(words, p->cv->glyphs);
		if (width + 2 <= room)
			pane_text(p, longest[kind].row + (l->height - 1) / 2,
				longest[kind].col + (room - width) / 2, width, words,
				fill_of(p->cv, g->means, g->n_kinds, kind).style, ATTR_REVERSE);
	}
}

static void flow_draw(
	const struct pane *p, int top, const struct grid *g, const struct layout *l, size_t frame)
{
	struct stretch longest[N_KINDS] = { 0 }, here = { 0 };
	unsigned last = N_KINDS;
	struct band bands[MOST_BANDS];
	size_t n = bands_of(g, bands), places = (size_t)l->rows * (size_t)l->cols;
	for (size_t b = 0; b < n; b++, top += l->rows * l->height + l->gap) {
		const unsigned char *cells =
			g->cells + (frame * g->rows + bands[b].first) * g->cols;
		size_t all = bands[b].cells, marks = min_size(places, all);
		if (g->row_names && l->names > 1)
			pane_fit(p, top, 0, l->names - 1, g->row_names[bands[b].first], STYLE_PLAIN,
				0);
		for (size_t i = 0; i < marks; i++) {
			unsigned count[N_KINDS] = { 0 };
			for (size_t k = i * all / marks; k < (i + 1) * all / marks; k++)
				count[cells[k]]++;
			unsigned kind = most_counted(g, count);
			int row = top + (int)(i / (size_t)l->cols) * l->height;
			int col = l->names + (int)(i % (size_t)l->cols) * l->width;
			mark_draw(p, row, col, l, g, kind);
			if (kind != last || row != here.row)
				here = (struct stretch){ row, col, 0 };
			last = kind;
			here.marks++;
			if (here.marks > longest[kind].marks)
				longest[kind] = here;
		}
	}
	words_draw(p, g, l, longest);
}

/* What the columns are, and their numbers over them, as many as leave a blank between two. */
static void axis_draw(const struct pane *p, int row, const struct grid *g, const struct layout *l)
{
	int every = 1;
	char text[16];
	while (snprintf(text, sizeof text, "%zu", g->cols - 1) >= every * l->width)
		every++;
	if (l->names > text_cols(g->col_title, p->cv->glyphs))
		pane_text(p, row, 0, l->names - 1, g->col_title, STYLE_DIM, 0);
	for (int col = 0; col < l->cols; col += every) {
		int digits = snprintf(text, sizeof text, "%d", col);
		pane_text(p, row, l->names + col * l->width + (l->width - digits) / 2, -1, text,
			STYLE_DIM, 0);
	}
}

/* Each in the middle of its part. Without half blocks the marks of all parts share the columns. */
static void captions_draw(
	const struct pane *p, int row, const struct grid *g, const struct layout *l)
{
	int n = (int)g->n_captions, part = caption_cols(g), all = (int)g->cols;
	int shown = l->zoom ? min_int(n, (l->cols + 1) / part) : n;
	for (int i = 0; i < shown; i++) {
		int from = l->zoom ? i * part * l->zoom : i * part * l->cols * l->width / all;
		int room = l->zoom ? (part - 1) * l->zoom : (part - 1) * l->cols * l->width / all;
		int width = text_cols(g->captions[i], p->cv->glyphs);
		bool last = i + 1 == shown; /* nothing stands behind it */
		if (width <= room + last)
			pane_text(p, row, l->names + from + (room - width) / 2, -1, g->captions[i],
				STYLE_PLAIN, 0);
	}
}

static void written_draw(const struct pane *p, int row, int col, const struct layout *l,
	const struct grid *g, unsigned kind, struct cell_note note)
{
	if (arrow_draw(p, row, col, l, &note))
		note.moves = 0;
	note_draw(p, row, col, l, g, kind, &note);
}

static void cells_draw(
	const struct pane *p, int top, const struct grid *g, const struct layout *l, size_t frame)
{
	struct stretch longest[N_KINDS] = { 0 };
	if (l->axis)
		axis_draw(p, top++, g, l);
	for (int row = 0; row < l->rows; row++) {
		struct stretch here = { 0 };
		unsigned last = N_KINDS;
		int at = top + row * (l->height + l->gap);
		if (g->row_names && l->names > 1)
			pane_fit(p, at + (l->height - 1) / 2, 0, l->names - 1,
				g->row_names[row * l->per_row], STYLE_PLAIN, 0);
		if (l->notes && l->per_row == 1)
			pane_fit_right(p, at + (l->height - 1) / 2, l->names + l->cols * l->width,
				l->notes, g->row_notes[row], STYLE_PLAIN, 0);
		for (int col = 0; col < l->cols; col++) {
			unsigned kind = majority(g, frame, l, row, col);
			mark_draw(p, at, l->names + col * l->width, l, g, kind);
			if (kind != last)
				here = (struct stretch){ at, l->names + col * l->width, 0 };
			last = kind;
			here.marks++;
			if (here.marks > longest[kind].marks)
				longest[kind] = here;
			if (l->written)
				written_draw(p, at, l->names + col * l->width, l, g, kind,
					g->notes[(frame * g->rows + (size_t)row) * g->cols +
						 (size_t)col]);
		}
	}
	words_draw(p, g, l, longest);
}

/* While it plays the names of the kinds keep their places, and come and go in them. */
static void head_draw(const struct pane *p, const struct grid *g, const struct layout *l,
	const bool here[N_KINDS], double playhead_s, size_t frame)
{
	char text[128];
	bool absent[N_KINDS], hidden[N_KINDS];
	enum glyphs glyphs = p->cv->glyphs;
	bool textured = p->cv->fills == FILLS_TEXTURED || glyphs == GLYPHS_ASCII;
	bool still = isnan(playhead_s);
	struct legend legend = legend_of(g, l->written, textured, still ? here : NULL, absent);
	for (size_t i = 0; i < N_KINDS; i++)
		hidden[i] = !here[i];
	legend.hidden = hidden;
	int used = l->heading ? title_end(g->title, p->r.cols, glyphs) : 0;
	int row = max_int(0, l->heading - 1), names = legend_cols(&legend, glyphs);
	remark(text, sizeof text, g, playhead_s, frame);
	if (l->heading)
		heading_draw(p, 0, g->title, NULL);
	if (l->legend)
		legend_draw(p, l->heading, l->legend, &legend);
	if (l->beside) {
		legend_draw_beside(p, row, used, &legend);
		used += LEGEND_APART + names;
	} else if (!l->heading) {
		used = l->legend == 1 ? names : p->r.cols;
	}
	int end = used + 2 + text_cols(text, glyphs);
	if (end > p->r.cols && l->heading && l->legend == 1) { /* beside the legend under it */
		row++;
		end = names + 2 + text_cols(text, glyphs);
	}
	if (*text && end <= p->r.cols)
		pane_fit_right(p, row, 0, p->r.cols, text, STYLE_DIM, 0);
}

void grid_draw(struct canvas *cv, struct rect r, const struct grid *g, double playhead_s)
{
	struct pane p = pane_of(cv, r);
	if (!g->cells || !g->frame_times || !g->n_frames || !g->rows || !g->cols || !p.r.rows)
		return;
	double whole_s = g->still_s > 0 ? g->still_s : INFINITY;
	size_t frame = frame_at(g, isnan(playhead_s) ? whole_s : playhead_s);
	if (g->hi > g->lo) {
		number_lines_draw(&p, g, frame);
		return;
	}
	bool here[N_KINDS];
	kinds_at(g, frame, here);
	struct layout l = layout(g, p.r.rows, p.r.cols, cv, isnan(playhead_s) ? here : NULL);
	head_draw(&p, g, &l, here, playhead_s, frame);
	(l.zoom            ? image_draw
		: g->flows ? flow_draw
			   : cells_draw)(&p, l.heading + l.legend, g, &l, frame);
	if (l.captions)
		captions_draw(&p, l.heading + l.legend + l.axis + l.rows * (l.zoom ? 1 : l.height),
			g, &l);
}

int grid_rows(const struct grid *g, int cols)
{
	struct band bands[MOST_BANDS];
	if (!g->n_frames || !g->rows || !g->cols)
		return 0;
	if (g->hi > g->lo)
		return number_lines_rows(g, cols);
	struct layout l = layout(g, PLENTY, cols, NULL, NULL);
	if (!g->flows)
		return l.heading + l.legend + l.axis + l.rows + (l.rows - 1) * l.gap + l.captions;
	int n = (int)bands_of(g, bands);
	return l.heading + l.legend + n * l.rows + (n - 1) * l.gap;
}

int grid_tight_rows(const struct grid *g, int cols)
{
	struct grid tight = *g;
	tight.apart = false;
	return grid_rows(&tight, cols);
}

int grid_cols(const struct grid *g, int cols)
{
	if (!g->n_frames || !g->rows || !g->cols)
		return 0;
	if (g->hi > g->lo)
		return cols;
	struct layout l = layout(g, PLENTY, cols, NULL, NULL);
	return l.names + l.cols * l.width + l.notes;
}
