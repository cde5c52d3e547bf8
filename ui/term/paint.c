/* Cells that differ from what is shown are written in passes over the whole screen, one pass for
 * each look (style, attributes, ground) that some of them have: to change the colour takes ten
 * bytes, to jump to the next place of the same colour four to eight. The next pass is for the look whose
 * first cell is reached by the fewest bytes. Within a row, a pass writes
 * runs of changed cells, with the changed blanks beside them, which look the same in every colour;
 * it writes unchanged cells again where that is shorter than a jump over them, and erases many
 * blanks rather than writing them. What the last pass leaves are blanks that stand alone. */
#include "ui/term/paint.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void paint_release(struct paint_buffer *out)
{
	free(out->bytes);
	*out = (struct paint_buffer){ 0 };
}

void paint_bytes(struct paint_buffer *out, const char *bytes, size_t n)
{
	if (out->n + n > out->room && !out->failed) {
		size_t room = (out->n + n) * 2 + 1024;
		char *bigger = realloc(out->bytes, room);
		out->failed = !bigger;
		if (bigger) {
			out->bytes = bigger;
			out->room = room;
		}
	}
	if (out->failed || n == 0) /* an empty buffer has no bytes yet to copy to */
		return;
	memcpy(out->bytes + out->n, bytes, n);
	out->n += n;
}

static void put(struct paint_buffer *out, const char *text)
{
	paint_bytes(out, text, strlen(text));
}

enum { STEP_ROOM = 24, TAB = 8 };

/* ESC [ n and a letter, terminated; returns how many bytes. Dozens are written for a frame, and more are
 * compared: printf would take most of the time. n is from 0 to 9999. */
static int write_csi(char *to, int n, char letter)
{
	char digits[4];
	int count = 0, bytes = 2;
	assert(n >= 0 && n < 10000);
	do
		digits[count++] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	to[0] = '\033';
	to[1] = '[';
	while (count > 0)
		to[bytes++] = digits[--count];
	to[bytes++] = letter;
	to[bytes] = '\0';
	return bytes;
}

/* The bytes that lead along a row, terminated. */
static void write_step(char way[STEP_ROOM], int from, int to)
{
	int by = to - from;
	if (by == 0)
		*way = '\0';
	else if (to == 0)
		strcpy(way, "\r");
	else if (by < 0 && by >= -3)
		snprintf(way, STEP_ROOM, "%.*s", -by, "\b\b\b");
	else if (by == 1)
		strcpy(way, "\033[C");
	else
		write_csi(way, by < 0 ? -by : by, by < 0 ? 'D' : 'C');
	/* To one of the first nine columns from far: by its own number. */
	if (strlen(way) > 4 && to < 9)
		write_csi(way, to + 1, 'G');
}

/* The same over tab stops, which lie in so many columns, from where the cursor is or from the first
 * column, where that is shorter. */
static void write_step_over_stops(char way[STEP_ROOM], int cols, int from, int to)
{
	enum { MOST_TABS = 6 };
	for (int home = 0; home < 2; home++) {
		char tabs[MOST_TABS + 2] = "\r", rest[STEP_ROOM];
		size_t n = (size_t)home;
		for (int at = home ? 0 : from; at < to && n < MOST_TABS;) {
			at += TAB - at % TAB;
			if (at >= cols)
				break;
			tabs[n++] = '\t';
			write_step(rest, at, to);
			if (n + strlen(rest) >= strlen(way))
				continue;
			memcpy(way, tabs, n);
			strcpy(way + n, rest);
		}
	}
}

/* The way from where the cursor is: to a row below by line feeds, which keep the column in a
 * terminal that does not translate output. False: nobody knows where the cursor is. */
static bool write_relative(
	char way[48], const struct paint_caps *caps, const struct paint_state *s, int row, int col)
{
	enum { MOST_FEEDS = 4 };
	int down = row - s->row, used = 0;
	if (!s->known_position)
		return false;
	if (down == -1)
		used = (int)strlen(strcpy(way, "\033[A"));
	else if (down < 0 || down > MOST_FEEDS)
		used = write_csi(way, down < 0 ? -down : down, down < 0 ? 'A' : 'B');
	for (; used < down && down <= MOST_FEEDS; used++)
		way[used] = '\n';
	write_step(way + used, s->col, col);
	write_step_over_stops(way + used, caps->tabs, s->col, col);
	return true;
}

static void write_address(char way[32], const struct paint_caps *caps, int row, int col)
{
	if (caps->words)
		caps->words->address(way, 32, row, col);
	else if (row == 0 && col == 0)
		strcpy(way, "\033[H");
	else if (col == 0)
		write_csi(way, row + 1, 'H');
	else {
		int n = write_csi(way, row + 1, ';');
		char column[16];
		write_csi(column, col + 1, 'H');
		strcpy(way + n, column + 2);
	}
}

/* Attributes that are seen on a blank too. */
enum { ON_BLANKS = ATTR_REVERSE | ATTR_UNDERLINE | ATTR_DOTTED };

/* A blank on the terminal's own ground shows neither foreground nor weight. */
static bool shows_style(const struct cell *c)
{
	return c->code != ' ' || (c->attr & ON_BLANKS) || c->under;
}

/* The attributes as the terminal has them: a plain underline stands in for a dotted one. */
static unsigned attrs_of(uint8_t attr, const struct paint_caps *caps)
{
	unsigned dotted = attr & ATTR_DOTTED & ~caps->attrs;
	return (attr | (dotted ? (unsigned)ATTR_UNDERLINE : 0u)) & caps->attrs;
}

static bool same_look(const struct cell *a, const struct cell *b)
{
	if (a->code != b->code)
		return false;
	if (!shows_style(a) && !shows_style(b))
		return true;
	return a->style == b->style && a->attr == b->attr && a->under == b->under;
}

enum { FAINT = 1 << 8 }; /* beside ATTR_... */

/* All attributes of a cell, with those that its style has at this depth. */
static unsigned look_of(uint8_t style, uint8_t attr, const struct paint_caps *caps)
{
	struct colour c = theme_colour((enum style)style, caps->depth, caps->background);
	return attrs_of(attr, caps) | (c.bold ? ATTR_BOLD : 0u) |
	       (c.underline ? ATTR_UNDERLINE : 0u) | (c.faint ? FAINT : 0u);
}

/* Whether the terminal stands in a look in which the cell can be written. A style may underline too. */
static bool has_style(
	const struct paint_state *s, const struct paint_caps *caps, const struct cell *c)
{
	if (!s->known_style)
		return false;
	if (!shows_style(c))
		return !(look_of(s->style, s->attr, caps) & ON_BLANKS) && !s->under;
	return s->style == c->style && s->attr == c->attr && s->under == c->under;
}

/* Everything off, then what is wanted: terminals outside ECMA-48 have no way to add. */
static void say_words(
	struct paint_buffer *out, const struct paint_caps *caps, const struct cell *want)
{
	const struct paint_words *w = caps->words;
	struct colour c = theme_colour((enum style)want->style, caps->depth, caps->background);
	unsigned attr = attrs_of(want->attr, caps);
	put(out, w->plain);
	if ((attr & ATTR_BOLD) || c.bold)
		put(out, w->bold);
	if ((attr & ATTR_UNDERLINE) || c.underline)
		put(out, w->underline);
	if (attr & ATTR_REVERSE)
		put(out, w->reverse);
	if (!c.own && c.index >= 0 && c.index < PAINT_COLOURS)
		put(out, w->colours[c.index]);
}

static bool same_colour(const struct colour *a, const struct colour *b)
{
	return a->own == b->own && a->index == b->index && a->r == b->r && a->g == b->g &&
	       a->b == b->b;
}

/* What changes between two looks, as parameters of SGR, each with a semicolon behind it. */
static size_t write_changes(char *out, size_t size, const struct paint_caps *caps,
	const struct paint_state *s, const struct cell *want)
{
	static const struct {
		unsigned attr;
		const char *on, *off;
	} rows[] = { { ATTR_BOLD, "1;", "22;" }, { FAINT, "2;", "22;" },
		{ ATTR_ITALIC, "3;", "23;" }, { ATTR_UNDERLINE, "4;", "24;" },
		{ ATTR_DOTTED, "4:4;", "24;" }, { ATTR_REVERSE, "7;", "27;" } };
	unsigned now = look_of(s->style, s->attr, caps);
	unsigned wanted = look_of(want->style, want->attr, caps);
	/* One way to turn two off turns the other off as well. */
	enum { WEIGHT = ATTR_BOLD | FAINT, LINES = ATTR_UNDERLINE | ATTR_DOTTED };
	unsigned gone = now & ~wanted;
	unsigned lost =
		(gone & WEIGHT ? (unsigned)WEIGHT : 0u) | (gone & LINES ? (unsigned)LINES : 0u);
	size_t n = 0;
	for (int on = 0; on < 2; on++) {
		const char *said = "";
		for (size_t i = 0; i < LENGTH(rows); i++) {
			bool say =
				on ? wanted & rows[i].attr & ~(now & ~lost) : gone & rows[i].attr;
			const char *text = on ? rows[i].on : rows[i].off;
			if (say && strcmp(text, said) != 0)
				n += (size_t)snprintf(out + n, size - n, "%s", said = text);
		}
	}
	for (int ground = 0; ground < 2; ground++) {
		enum style from = (enum style)(ground ? s->under : s->style);
		enum style to = (enum style)(ground ? want->under : want->style);
		struct colour old = theme_colour(from, caps->depth, caps->background);
		struct colour new = theme_colour(to, caps->depth, caps->background);
		if (!same_colour(&old, &new))
			n += (size_t)theme_colour_sgr(
				out + n, size - n, to, ground, caps->depth, caps->background);
	}
	return n;
}

/* The shorter of two ways: all anew after a reset, or what changes. */
static void say_sgr(struct paint_buffer *out, const struct paint_caps *caps,
	const struct paint_state *s, const struct cell *want)
{
	char anew[64], changes[96] = "\033[";
	size_t n = (size_t)theme_sgr(anew, sizeof anew, (enum style)want->style,
		attrs_of(want->attr, caps), (enum style)want->under, caps->depth, caps->background);
	/* theme_sgr begins with "ESC [ 0", and a parameter that is left out is 0 as well. */
	memmove(anew + 2, anew + 3, n - 2);
	n--;
	size_t more =
		s->known_style ? write_changes(changes + 2, sizeof changes - 2, caps, s, want) : 0;
	if (s->known_style && more == 0)
		return; /* they look the same at this depth */
	if (s->known_style && more + 2 < n) {
		changes[more + 1] = 'm';
		paint_bytes(out, changes, more + 2);
	} else {
		paint_bytes(out, anew, n);
	}
}

static void set_style(struct paint_buffer *out, const struct paint_caps *caps,
	struct paint_state *s, const struct cell *c)
{
	if (has_style(s, caps, c))
		return;
	struct cell want = *c;
	if (!shows_style(c)) { /* a blank: plain will do, and everything can follow it */
		want.style = STYLE_PLAIN;
		want.attr = 0;
		want.under = STYLE_PLAIN;
	}
	if (caps->words)
		say_words(out, caps, &want);
	else
		say_sgr(out, caps, s, &want);
	s->known_style = true;
	s->style = want.style;
	s->attr = want.attr;
	s->under = want.under;
}

void paint_move(struct paint_buffer *out, const struct paint_caps *caps, struct paint_state *s,
	int row, int col)
{
	char address[32] = "", relative[48];
	assert(row >= 0 && col >= 0);
	if (s->known_position && s->row == row && s->col == col)
		return;
	if (caps->words && !caps->words->moves_in_style)
		set_style(out, caps, s, &(struct cell){ .code = ' ' });
	write_address(address, caps, row, col);
	bool shorter = !caps->words && write_relative(relative, caps, s, row, col) &&
		       strlen(relative) < strlen(address);
	put(out, shorter ? relative : address);
	s->known_position = true;
	s->row = row;
	s->col = col;
}

static void put_code(struct paint_buffer *out, struct paint_state *s, uint32_t code, int cols)
{
	char utf8[5];
	size_t n = (size_t)utf8_write(utf8, code);
	paint_bytes(out, utf8, n);
	s->col += code_width(code) == 2 ? 2 : 1;
	/* After the last column terminals differ in where the cursor stands. */
	if (s->col >= cols)
		s->known_position = false;
}

/* How many cells from `from` on look like the first of them. */
static int run_length(const struct cell *line, int from, int cols)
{
	int n = 1;
	while (from + n < cols && line[from + n].code == line[from].code &&
		same_look(&line[from + n], &line[from]))
		n++;
	return n;
}

/* Writes the cells [from, to) of a row of `now`. */
static void put_cells(const struct cell *line, int from, int to, int cols,
	const struct paint_caps *caps, struct paint_state *s, struct paint_buffer *out)
{
	for (int col = from; col < to;) {
		const struct cell *c = &line[col];
		if (c->code == 0) {
			col++;
			continue;
		}
		set_style(out, caps, s, c);
		put_code(out, s, c->code, cols);
		int more = run_length(line, col, to) - 1;
		/* A repetition takes four or five bytes. Only ASCII is repeated: of other glyphs
		 * xterm repeats none, and older tmux and the Terminal of macOS repeat wrong ones.
		 * Terminals in editors (libvterm) lose their place where a repetition comes near
		 * the end of the row. */
		if (caps->repeat && c->code < 0x80 && more > 4 &&
			(c->code != ' ' || shows_style(c)) && col + 2 + more < cols) {
			char repeat[32];
			snprintf(repeat, sizeof repeat, "\033[%db", more);
			put(out, repeat);
			s->col += more;
			col += more;
		}
		col++;
	}
}

static bool blank_from(const struct cell *line, int from, int cols)
{
	for (int col = from; col < cols; col++)
		if (line[col].code != ' ' || shows_style(&line[col]))
			return false;
	return true;
}

static int blanks_at(const struct cell *line, int from, int to)
{
	int n = 0;
	while (from + n < to && line[from + n].code == ' ' && !shows_style(&line[from + n]))
		n++;
	return n;
}

static void erase_to_end(
	struct paint_buffer *out, const struct paint_caps *caps, struct paint_state *s)
{
	/* Some terminals would fill the row with reversed or underlined blanks. */
	set_style(out, caps, s, &(struct cell){ .code = ' ' });
	put(out, caps->words ? caps->words->erase : "\033[K");
}

/* What one pass over a row looks at: it writes the changed cells that have its look. */
struct look_pass {
	const struct cell *now; /* the cells of one row */
	bool *done;             /* those that are shown: unchanged, or written by now */
	int row, cols;
	const struct cell *look; /* whose style this pass writes; NULL: every one */
};

static bool is_blank(const struct cell *c)
{
	return c->code == ' ' && !shows_style(c);
}

static bool changed(const struct look_pass *p, int col)
{
	return !p->done[col];
}

/* The first changed cell from col on; the end of the row where there is none. */
static int next_changed(const struct look_pass *p, int col)
{
	const bool *at = col < p->cols ? memchr(p->done + col, 0, (size_t)(p->cols - col)) : NULL;
	return at ? (int)(at - p->done) : p->cols;
}

/* Cells between two changes that this pass may write on its way, where that is shorter than a jump:
 * unchanged ones of its look again, and blanks over those that a later pass writes. */
static bool cheap_gap(const struct look_pass *p, int from, int to, const struct paint_caps *caps,
	const struct paint_state *s)
{
	int bytes = 0;
	char utf8[5];
	if (to - from > 5)
		return false;
	for (int col = from; col < to; col++) {
		const struct cell *c = &p->now[col];
		if (c->code == 0 || code_width(c->code) == 2)
			return false;
		if (changed(p, col))
			bytes++;
		else if (has_style(s, caps, c))
			bytes += utf8_write(utf8, c->code);
		else
			return false;
	}
	return bytes <= (to - from > 1 ? 4 : 3);
}

static void cross_gap(const struct look_pass *p, int from, int to, const struct paint_caps *caps,
	struct paint_state *s, struct paint_buffer *out)
{
	for (int col = from; col < to; col++)
		if (changed(p, col))
			put_code(out, s, ' ', p->cols);
		else
			put_cells(p->now, col, col + 1, p->cols, caps, s, out);
}

/* A cell that this pass is for. A blank has no look: it is written beside others, by whichever pass
 * comes along, and those that are left by a pass of their own. */
static bool in_pass(const struct look_pass *p, int col)
{
	const struct cell *c = &p->now[col];
	if (!changed(p, col))
		return false;
	if (!p->look)
		return true;
	const struct cell *shown = c->code == 0 && col > 0 ? c - 1 : c;
	if (is_blank(shown) || is_blank(p->look))
		return is_blank(shown) && is_blank(p->look);
	return shown->style == p->look->style && shown->attr == p->look->attr &&
	       shown->under == p->look->under;
}

/* A changed blank that can be written on the way. */
static bool blank_on_the_way(const struct look_pass *p, int col)
{
	bool shows = p->look && ((p->look->attr & ON_BLANKS) || p->look->under);
	return !shows && is_blank(&p->now[col]) && changed(p, col);
}

static void mark(const struct look_pass *p, int from, int to)
{
	for (int col = from; col < to; col++)
		p->done[col] = true;
}

/* To erase blanks takes four or five bytes, and as many again to go on behind them. */
enum { ERASED_AT_AN_END = 5, ERASED_BETWEEN = 9 };

/* How many blanks from col on, of those up to `end`, are rather erased than written; 0: none. */
static int erased_at(const struct look_pass *p, const struct paint_caps *caps, int col, int end)
{
	const int blanks = caps->blanks ? blanks_at(p->now, col, end) : 0;
	return blanks >= (col + blanks == end ? ERASED_AT_AN_END : ERASED_BETWEEN) ? blanks : 0;
}

/* Where the run that begins at col ends: before many blanks, which are rather erased. */
static int end_of_run(const struct look_pass *p, const struct paint_caps *caps, int col)
{
	int end = col + 1;
	while (end < p->cols && (in_pass(p, end) || blank_on_the_way(p, end)))
		end++;
	for (int i = col + 1; i < end; i++)
		if (!is_blank(&p->now[i - 1]) &&
			(erased_at(p, caps, i, end) ||
				(p->cols - i > 3 && blank_from(p->now, i, p->cols))))
			end = i;
	return end;
}

static void paint_row(const struct look_pass *p, const struct paint_caps *caps,
	struct paint_state *s, struct paint_buffer *out)
{
	bool erases = !caps->words || *caps->words->erase;
	int written = 0; /* what is left of it is done with */
	for (int col = 0; (col = next_changed(p, col)) < p->cols;) {
		bool here = s->known_position && s->row == p->row;
		if (!in_pass(p, col) && !(here && s->col == col && blank_on_the_way(p, col))) {
			col++;
			continue;
		}
		if (p->now[col].code == 0 && col > 0)
			col--; /* the right half of a wide glyph is written with its left half */
		while (col > written && blank_on_the_way(p, col - 1))
			col--;
		if (here && s->col < col && cheap_gap(p, s->col, col, caps, s))
			cross_gap(p, s->col, col, caps, s, out);
		paint_move(out, caps, s, p->row, col);
		if (erases && p->cols - col > 3 && blank_from(p->now, col, p->cols)) {
			erase_to_end(out, caps, s);
			mark(p, col, p->cols);
			return;
		}
		int end = end_of_run(p, caps, col), blanks = erased_at(p, caps, col, end);
		if (blanks) {
			char erase[32];
			set_style(out, caps, s, &p->now[col]);
			snprintf(erase, sizeof erase, "\033[%dX", blanks);
			put(out, erase);
			end = col + blanks;
		} else {
			put_cells(p->now, col, end, p->cols, caps, s, out);
		}
		mark(p, col, end);
		written = col = end;
	}
}

static void paint_pass(const struct canvas *now, const struct cell *look, bool *done,
	const struct paint_caps *caps, struct paint_state *s, struct paint_buffer *out)
{
	for (int row = 0; row < now->rows; row++) {
		bool last = row == now->rows - 1 && !caps->last_cell;
		int at = row * now->cols;
		paint_row(&(struct look_pass){ now->cells + at, done + at, row, now->cols - last,
				  look },
			caps, s, out);
	}
}

/* The looks of the changed cells, and where each is first: one pass for each. */
struct looks {
	struct noted_look {
		struct cell look;
		int row, col;
	} list[256];
	size_t n;
};

/* Those on grounds come first, then those that blanks may be written in, and blanks last. */
static int look_order(const struct cell *x, const struct cell *y)
{
	int blank = is_blank(x) - is_blank(y);
	int on_blanks = (y->attr & ON_BLANKS) - (x->attr & ON_BLANKS);
	int under = y->under - x->under, style = x->style - y->style;
	return blank       ? blank
	       : under     ? under
	       : on_blanks ? on_blanks
	       : style     ? style
			   : x->attr - y->attr;
}

static int noted_order(const void *a, const void *b)
{
	const struct noted_look *x = a, *y = b;
	return look_order(&x->look, &y->look);
}

/* Whether one may come before the other as well as behind it: on grounds both, or both where blanks may
 * be written, or neither. */
static bool same_turn(const struct cell *x, const struct cell *y)
{
	return is_blank(x) == is_blank(y) && !x->under == !y->under &&
	       (x->attr & ON_BLANKS) == (y->attr & ON_BLANKS);
}

/* False: there are more looks on this screen than passes are worth. */
static bool note_look(struct looks *l, struct cell look, int row, int col)
{
	for (size_t i = l->n; i-- > 0;)
		if (look_order(&l->list[i].look, &look) == 0)
			return true;
	if (l->n == LENGTH(l->list))
		return false;
	l->list[l->n++] = (struct noted_look){ look, row, col };
	return true;
}

/* The bytes from where the cursor is, in the look that is set, to the first cell of another. */
static size_t bytes_to(const struct noted_look *l, const struct paint_caps *caps,
	struct paint_state at, struct paint_buffer *out)
{
	const size_t before = out->n;
	set_style(out, caps, &at, &l->look);
	paint_move(out, caps, &at, l->row, l->col);
	const size_t bytes = out->n - before;
	out->n = before;
	return bytes;
}

/* Takes the look that is reached by the fewest bytes out of those whose turn it is. Where there are
 * many, as in a first frame, to compare all takes longer than it saves. */
static struct cell next_look(struct looks *l, const struct paint_caps *caps,
	const struct paint_state *s, struct paint_buffer *out)
{
	enum { FEW = 32 };
	size_t best = 0, fewest = SIZE_MAX;
	for (size_t i = 0; l->n <= FEW && i < l->n; i++) {
		if (!same_turn(&l->list[i].look, &l->list[0].look))
			break;
		size_t bytes = bytes_to(&l->list[i], caps, *s, out);
		if (bytes < fewest) {
			fewest = bytes;
			best = i;
		}
	}
	struct cell look = l->list[best].look;
	l->n--;
	memmove(l->list + best, l->list + best + 1, (l->n - best) * sizeof *l->list);
	return look;
}

static struct cell look_of_cell(const struct cell *c)
{
	return is_blank(c) ? (struct cell){ ' ', 0, 0, 0 }
			   : (struct cell){ 0, c->style, c->attr, c->under };
}

static void paint_all(const struct canvas *was, const struct canvas *now,
	const struct paint_caps *caps, bool *done, struct paint_state *s, struct paint_buffer *out)
{
	struct looks looks = { .n = 0 };
	size_t n = (size_t)now->rows * (size_t)now->cols;
	bool in_passes = true, had_style = s->known_style;
	for (size_t i = 0; i < n; i++) {
		done[i] = same_look(&was->cells[i], &now->cells[i]);
		if (in_passes && !done[i] && now->cells[i].code)
			in_passes = note_look(&looks, look_of_cell(&now->cells[i]),
				(int)i / now->cols, (int)i % now->cols);
	}
	if (!in_passes) {
		paint_pass(now, NULL, done, caps, s, out);
		return;
	}
	qsort(looks.list, looks.n, sizeof *looks.list, noted_order);
	/* What the terminal is set to already comes first. */
	struct cell present = { 0, s->style, s->attr, s->under };
	if (had_style)
		paint_pass(now, &present, done, caps, s, out);
	while (looks.n) {
		struct cell look = next_look(&looks, caps, s, out);
		if (!had_style || look_order(&look, &present) != 0)
			paint_pass(now, &look, done, caps, s, out);
	}
}

/* A solid block is a blank with its ground in the block's colour, which is written in one byte for
 * three, and can be repeated. */
static struct cell as_written(struct cell c, const struct paint_caps *caps)
{
	enum { FULL_BLOCK = 0x2588 };
	if (c.code != FULL_BLOCK || c.attr)
		return c;
	const struct colour colour =
		theme_colour((enum style)c.style, caps->depth, caps->background);
	if (colour.bold || colour.faint || colour.underline)
		return c;
	return (struct cell){ ' ', c.style, ATTR_REVERSE, STYLE_PLAIN };
}

/* A copy of a canvas as it is written, in memory from malloc. */
static struct canvas written_copy(const struct canvas *cv, const struct paint_caps *caps)
{
	const bool blocks =
		caps->depth != DEPTH_NONE && !caps->words && (caps->attrs & ATTR_REVERSE);
	const size_t n = (size_t)cv->rows * (size_t)cv->cols;
	struct canvas copy = *cv;
	copy.cells = malloc(n * sizeof *copy.cells);
	for (size_t i = 0; copy.cells && i < n; i++) {
		struct cell c = cv->cells[i];
		if (c.code == SCALED_CELL)
			c = (struct cell){ .code = ' ' };
		copy.cells[i] = blocks ? as_written(c, caps) : c;
	}
	return copy;
}

/* --- Text that the terminal draws larger (kitty's text sizing protocol) ---
 *
 * A character of such text is one cell of many. Writing over its first row erases all of it, but
 * what is written over a lower row is moved aside; so text that goes is erased before anything else
 * is written, text that comes is written last, over blanks, and text that stays is not touched. */

static bool same_scaled(const struct scaled_text *a, const struct scaled_text *b)
{
	return a->row == b->row && a->col == b->col && a->scale == b->scale &&
	       a->style == b->style && strcmp(a->text, b->text) == 0;
}

static bool shows(const struct canvas *cv, const struct scaled_text *t)
{
	for (int i = 0; i < cv->n_scaled; i++)
		if (same_scaled(&cv->scaled[i], t) && canvas_shows_scaled(cv, &cv->scaled[i]))
			return true;
	return false;
}

static void erase_gone(const struct canvas *was, const struct canvas *now,
	const struct paint_caps *caps, struct paint_state *s, struct paint_buffer *out)
{
	for (int i = 0; i < was->n_scaled; i++) {
		const struct scaled_text *t = &was->scaled[i];
		char erase[32];
		if (!shows(was, t) || shows(now, t))
			continue;
		set_style(out, caps, s, &(struct cell){ .code = ' ' });
		paint_move(out, caps, s, t->row, t->col);
		snprintf(erase, sizeof erase, "\033[%dX", t->scale * t->chars);
		put(out, erase);
	}
}

/* Cells that are neither written nor crossed: they look like nothing the terminal can be set to. */
static void set_apart(struct canvas *copy, const struct scaled_text *t)
{
	enum { NO_STYLE = UINT8_MAX };
	for (int i = 0; i < t->scale; i++)
		for (int j = 0; j < t->scale * t->chars; j++)
			copy->cells[(t->row + i) * copy->cols + t->col + j] =
				(struct cell){ SCALED_CELL, NO_STYLE, 0, 0 };
}

static void write_come(const struct canvas *was, const struct canvas *now,
	const struct paint_caps *caps, struct paint_state *s, struct paint_buffer *out)
{
	for (int i = 0; i < now->n_scaled; i++) {
		const struct scaled_text *t = &now->scaled[i];
		char begin[24];
		if (shows(was, t) || !shows(now, t))
			continue;
		set_style(out, caps, s,
			&(struct cell){ SCALED_CELL, (uint8_t)t->style, ATTR_BOLD, STYLE_PLAIN });
		paint_move(out, caps, s, t->row, t->col);
		snprintf(begin, sizeof begin, "\033]66;s=%d;", t->scale);
		put(out, begin);
		put(out, t->text);
		put(out, "\033\\");
		s->known_position = false;
	}
}

void paint(const struct canvas *was, const struct canvas *now, const struct paint_caps *caps,
	struct paint_state *s, struct paint_buffer *out)
{
	assert(was->rows == now->rows && was->cols == now->cols);
	size_t n = (size_t)now->rows * (size_t)now->cols;
	bool *done = malloc(n * sizeof *done);
	struct canvas old = written_copy(was, caps), new = written_copy(now, caps);
	const bool ready = done && old.cells && new.cells;
	out->failed |= !ready;
	if (ready) {
		for (int i = 0; i < now->n_scaled; i++)
			if (shows(was, &now->scaled[i]) && shows(now, &now->scaled[i])) {
				set_apart(&old, &now->scaled[i]);
				set_apart(&new, &now->scaled[i]);
			}
		erase_gone(was, now, caps, s, out);
		paint_all(&old, &new, caps, done, s, out);
		write_come(was, now, caps, s, out);
	}
	free(done);
	free(old.cells);
	free(new.cells);
}
