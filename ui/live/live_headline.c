/* A headline is put together from a lead (what was turned, or what differs from the pin), the values
 * that moved, and the figure's own sentence. Several ways to say it are tried, the fullest first,
 * until one fits: what is dropped is what stands on the screen anyway. */
#include "ui/live/live_headline.h"

#include "ui/views/quantity_show.h"
#include "ui/live/change_words.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MOVES = 3, MOST_NAMED = 3, MOST_SENTENCES = 8, LEAD = 320, MOVE = 160, WHY = 1024 };

struct space {
	int cols, lines;
	enum glyphs glyphs;
};

/* -- Old and new ----------------------------------------------------------------------------- */

/* A capital for the first letter of a sentence, but not for a letter that is a symbol ("k = 5"). */
static void begin_sentence(char *text)
{
	if (text[0] >= 'a' && text[0] <= 'z' && text[1] >= 'a' && text[1] <= 'z')
		text[0] = (char)(text[0] - 'a' + 'A');
}

/* "efficiency 69.2 → 52.6 %": the unit once, and not at all where the label says it. No line ends at
 * the arrow. */
static void was_is(
	char *buf, size_t size, const char *label, const char *from, const char *to, bool numbers)
{
	const char *had = strchr(from, ' '), *unit = strchr(to, ' ');
	int from_bytes = (int)strlen(from), to_bytes = (int)strlen(to);
	if (numbers && had && unit && strcmp(had, unit) == 0) {
		from_bytes = (int)(had - from);
		if (strcmp(unit + 1, label) == 0)
			to_bytes = (int)(unit - to);
	}
	snprintf(buf, size, "%s %.*s\u00a0→\u00a0%.*s", label, from_bytes, from, to_bytes, to);
}

static void knob_words(
	const struct live *s, size_t i, const struct setting *old, char *buf, size_t size)
{
	const struct knob *k = &s->sim->knobs[i];
	char from[64], to[64], called[64];
	knob_format(k, s->tables, old->v[i], from, sizeof from);
	knob_format(k, s->tables, s->now.v[i], to, sizeof to);
	was_is(buf, size, knob_said(k, called, sizeof called), from, to, k->kind == KNOB_NUMBER);
}

/* Whether a value is a yes or no: its note says what it means. */
static bool is_flag(const struct value *was, const struct value *now)
{
	return !*now->unit && (was->value == 0 || was->value == 1) &&
	       (now->value == 0 || now->value == 1);
}

/* How much a value moved, as a share of the larger of old and new. */
static double moved(const struct value *was, const struct value *now)
{
	double scale = fmax(fabs(was->value), fabs(now->value));
	return scale > 0 ? fabs(now->value - was->value) / scale : 0;
}

/* A number that is yes or no tells nothing, and under another label it is another number. */
static bool comparable(const struct value *was, const struct value *now)
{
	return was && strcmp(was->label, now->label) == 0 && isfinite(was->value) &&
	       isfinite(now->value) && !is_flag(was, now);
}

/* "step 199 → 132 ms (-34 %)". */
static void move_words(const struct value *was, const struct value *now, char *buf, size_t size)
{
	char from[48], to[48], change[32];
	quantity_show(from, sizeof from, was->value, was->unit);
	quantity_show(to, sizeof to, now->value, now->unit);
	if (strcmp(from, to) == 0) {
		snprintf(buf, size, "%s stays %s", now->label, to);
		return;
	}
	was_is(buf, size, now->label, from, to, true);
	size_t used = strlen(buf);
	if (*change_words(was, now, change, sizeof change))
		snprintf(buf + used, size - used, " (%s)", change);
}

/* The value that the last change moved most; NULL: none moved. */
static const struct value *biggest_move(const struct live *s)
{
	double most = 0.0005;
	const struct value *best = NULL;
	for (size_t i = 0; i < s->figure.n_values; i++) {
		const struct value *now = &s->figure.values[i];
		const struct value *was = figure_find(&s->previous, now->id);
		if (!comparable(was, now))
			continue;
		double move = moved(was, now);
		/* Values come in order of importance: a later one must have moved a good deal
		 * more. */
		if (move > most) {
			most = move * 1.5;
			best = now;
		}
		if (i == 0 && move >= 0.01)
			break; /* the large one on the screen: it is what the turn is about */
	}
	return best;
}

/* -- What differs from the pinned setting ---------------------------------------------------- */

/* "Twice the GPUs (64 → 128)": of a knob whose steps multiply. False: it is no such multiple. */
static bool multiple_words(const struct live *s, size_t i, char *buf, size_t size)
{
	static const struct {
		double ratio;
		const char *words;
	} multiples[] = { { 0.25, "A quarter of the" }, { 0.5, "Half the" }, { 2, "Twice the" },
		{ 4, "4 times the" }, { 8, "8 times the" }, { 16, "16 times the" } };
	const struct knob *k = &s->sim->knobs[i];
	double was = s->pin.v[i], now = s->now.v[i];
	if (k->kind != KNOB_NUMBER || !k->geometric || was <= 0 || !*k->label || !k->label[1])
		return false;
	for (size_t m = 0; m < sizeof multiples / sizeof *multiples; m++) {
		char words[LEAD];
		char called[64];
		const size_t label = strlen(knob_said(k, called, sizeof called));
		if (now / was != multiples[m].ratio)
			continue;
		knob_words(s, i, &s->pin, words, sizeof words);
		snprintf(buf, size, "%s %s (%s)", multiples[m].words, called, words + label + 1);
		return true;
	}
	return false;
}

/* The knobs that differ, the first ones by name. Returns how many differ. */
static int differences(const struct live *s, char *buf, size_t size)
{
	char words[MOST_NAMED][LEAD / MOST_NAMED];
	size_t first = 0, used = 0;
	int n = 0;
	for (size_t i = 0; i < s->sim->n_knobs; i++) {
		if (s->pin.v[i] == s->now.v[i])
			continue;
		if (n < MOST_NAMED)
			knob_words(s, i, &s->pin, words[n], sizeof words[n]);
		first = n == 0 ? i : first;
		n++;
	}
	buf[0] = '\0';
	if (n == 1 && multiple_words(s, first, buf, size))
		return n;
	/* Four knobs are two by name and two more. */
	int named = n <= MOST_NAMED ? n : MOST_NAMED - 1;
	for (int i = 0; i < named && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", words[i]);
	if (named < n && used < size)
		snprintf(buf + used, size - used, " and %d more", n - named);
	begin_sentence(buf);
	return n;
}

/* -- Fitting --------------------------------------------------------------------------------- */

static bool fits(const struct space *in, const char *text)
{
	return text_lines(text, in->cols, in->glyphs) <= in->lines;
}

/* Where the sentences of a text end. */
static size_t sentence_ends(const char *text, size_t ends[MOST_SENTENCES])
{
	size_t n = 0;
	for (size_t i = 0; text[i] && n < MOST_SENTENCES; i++)
		if (strchr(".?!", text[i]) && (!text[i + 1] || text[i + 1] == ' '))
			ends[n++] = i + 1;
	if (n == 0 && *text)
		ends[n++] = strlen(text);
	return n;
}

/* "lead: first, second. Why", any of which may be missing. */
static void join(char *buf, size_t size, const char *lead, char moves[][MOVE], int n_moves,
	const char *why, size_t why_bytes)
{
	size_t used = (size_t)snprintf(buf, size, "%s", lead);
	for (int i = 0; i < n_moves && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
			i      ? ", "
			: used ? ": "
			       : "",
			moves[i]);
	if (used < size)
		snprintf(buf + used, size - used, ".%s%.*s", why_bytes ? " " : "", (int)why_bytes,
			why);
	begin_sentence(buf);
}

/* The first clause of a sentence, up to a colon or semicolon, as a sentence. "": it has one only. A
 * few words before a colon ("29 GPUs: ...") say nothing by themselves. */
static void first_clause(const char *why, size_t end, char *buf, size_t size)
{
	enum { LEAST_CLAUSE = 20 };
	buf[0] = '\0';
	for (size_t i = LEAST_CLAUSE; i + 1 < end; i++)
		if (strchr(":;", why[i]) && why[i + 1] == ' ') {
			snprintf(buf, size, "%.*s.", (int)i, why);
			return;
		}
}

/* Lead and moves with as much of the figure's sentence as there is room for, one sentence at least,
 * and then with as many moves: why it is so counts for more than another number, which stands on the
 * screen. False: not even that. */
static bool told_why(const struct space *in, char *buf, size_t size, const char *lead,
	char moves[][MOVE], int n_moves, const char *why)
{
	size_t ends[MOST_SENTENCES], n = sentence_ends(why, ends);
	char clause[WHY] = "";
	if (n > 0)
		first_clause(why, ends[0], clause, sizeof clause);
	for (size_t i = n; i-- > 0;)
		for (int k = n_moves; k > 0; k--) {
			join(buf, size, lead, moves, k, why, ends[i]);
			if (fits(in, buf))
				return true;
		}
	for (int k = n_moves; k > 0 && *clause; k--) {
		join(buf, size, lead, moves, k, clause, strlen(clause));
		if (fits(in, buf))
			return true;
	}
	return false;
}

static const char *reading(const struct live *s)
{
	return s->figure.why ? s->figure.why : s->sim->summary;
}

/* The row of a table that a switch stands in; NULL: in none. */
static const char *const *row_of(const struct table *t, const char *knob)
{
	for (size_t i = 0; t && i < t->n_rows; i++)
		if (table_knob(t, i) && strcmp(table_knob(t, i), knob) == 0)
			return t->rows[i];
	return NULL;
}

/* Who takes a row of a table reads what it says then: its first and its last cell come before the
 * figure's sentence, unless that has them. False: no row was taken. */
static bool after_choice(const struct live *s, const struct space *in, char *buf, size_t size)
{
	const struct table *t = live_table_of(s, s->changed, NULL);
	const char *const *row = row_of(t, s->sim->knobs[s->changed].id);
	const char *why = reading(s);
	size_t ends[MOST_SENTENCES], n = sentence_ends(why, ends);
	if (!row || !(s->now.v[s->changed] > 0))
		return false;
	const char *says = row[t->cols - 1];
	if (strstr(why, says)) {
		snprintf(buf, size, "%s", why);
		return fits(in, buf);
	}
	for (size_t i = n + 1; i-- > 0;) {
		snprintf(buf, size, "%s: %s.%s%.*s", row[0], says, i ? " " : "",
			i ? (int)ends[i - 1] : 0, why);
		begin_sentence(buf);
		if (fits(in, buf))
			return true;
	}
	return false;
}

static void after_turn(const struct live *s, const struct space *in, char *buf, size_t size)
{
	char lead[LEAD] = "", moves[1][MOVE];
	const struct value *now = biggest_move(s);
	knob_words(s, (size_t)s->changed, &s->before, lead, sizeof lead);
	begin_sentence(lead);
	if (now)
		move_words(figure_find(&s->previous, now->id), now, moves[0], MOVE);
	else
		snprintf(moves[0], MOVE, "nothing here moves");
	if (told_why(in, buf, size, lead, moves, 1, reading(s)) ||
		(now && told_why(in, buf, size, "", moves, 1, reading(s))))
		return;
	join(buf, size, lead, moves, 1, "", 0);
	if (!fits(in, buf))
		join(buf, size, "", moves, 1, "", 0);
}

/* The first values that moved; the very first one where none did. */
static int moves_from_pin(const struct live *s, char moves[MOST_MOVES][MOVE])
{
	int n = 0;
	for (size_t i = 0; i < s->figure.n_values && n < MOST_MOVES; i++) {
		const struct value *now = &s->figure.values[i];
		const struct value *was = figure_find(&s->pinned, now->id);
		if (comparable(was, now) && moved(was, now) >= 0.01)
			move_words(was, now, moves[n++], MOVE);
	}
	const struct value *first = s->figure.n_values ? &s->figure.values[0] : NULL;
	const struct value *old = first ? figure_find(&s->pinned, first->id) : NULL;
	if (n == 0 && first && comparable(old, first))
		move_words(old, first, moves[n++], MOVE);
	return n;
}

static bool beside_pin(const struct live *s, const struct space *in, char *buf, size_t size)
{
	char lead[LEAD] = "", moves[MOST_MOVES][MOVE];
	if (differences(s, lead, sizeof lead) == 0)
		return false;
	int n = moves_from_pin(s, moves);
	if (n == 0)
		snprintf(moves[n++], MOVE, "nothing here moves");
	if (told_why(in, buf, size, lead, moves, n, reading(s)))
		return true;
	for (int i = n; i > 0; i--) {
		join(buf, size, lead, moves, i, "", 0);
		if (fits(in, buf))
			return true;
	}
	join(buf, size, "", moves, 1, "", 0);
	return true;
}

/* Whether the figure's own sentence tells of the last turn. */
static bool is_told(const struct live *s)
{
	const char *ids = s->figure.tells ? s->figure.tells : "";
	const char *turned = s->sim->knobs[s->changed].id;
	for (size_t n; *ids; ids += n + strspn(ids + n, " ")) {
		n = strcspn(ids, " ");
		if (n == strlen(turned) && strncmp(ids, turned, n) == 0)
			return true;
	}
	return false;
}

void live_headline(
	const struct live *s, int cols, int lines, enum glyphs glyphs, char *buf, size_t size)
{
	struct space in = { cols, lines, glyphs };
	const bool told = s->changed >= 0 && is_told(s);
	if (s->has_pin && !told && beside_pin(s, &in, buf, size))
		return;
	if (s->changed >= 0 && !s->has_pin && !told) {
		if (!after_choice(s, &in, buf, size))
			after_turn(s, &in, buf, size);
		return;
	}
	const char *why = reading(s);
	size_t ends[MOST_SENTENCES], n = sentence_ends(why, ends);
	snprintf(buf, size, "%s", why);
	while (n > 1 && !fits(&in, buf))
		snprintf(buf, size, "%.*s", (int)ends[--n - 1], why);
}

/* What holds words together has done its work when the lines are broken. */
void live_draw_headline(struct canvas *cv, struct rect r, const struct live *s)
{
	enum { NO_BREAK = 0xa0 };
	char text[WHY];
	live_headline(s, r.cols, r.rows, cv->glyphs, text, sizeof text);
	micro_sign(text, sizeof text);
	paragraph_draw(cv, r, text, STYLE_PLAIN, ATTR_BOLD);
	for (int row = r.row; row < r.row + r.rows && row < cv->rows; row++)
		for (int col = r.col; col < r.col + r.cols && col < cv->cols; col++)
			if (cv->cells[row * cv->cols + col].code == NO_BREAK)
				canvas_put(cv, row, col, ' ', STYLE_PLAIN, ATTR_BOLD);
}

/* Blanks in place of what holds words together. */
static void let_break(char *text)
{
	static const char no_break[] = "\u00a0";
	for (char *at = text; (at = strstr(at, no_break));) {
		*at++ = ' ';
		memmove(at, at + sizeof no_break - 2, strlen(at + sizeof no_break - 2) + 1);
	}
}

void live_sentence(const struct live *s, char *buf, size_t size)
{
	live_headline(s, 78, 2, GLYPHS_LINES, buf, size);
	let_break(buf);
}

void live_differences(const struct live *s, char *buf, size_t size)
{
	buf[0] = '\0';
	if (s->has_pin)
		differences(s, buf, size);
	let_break(buf);
}
