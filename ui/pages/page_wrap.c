/* Line breaking: at blanks, between ideographs, after dashes; a word that would leave half a line
 * empty also after hyphens and slashes; one that no line can hold, anywhere. */
#include "ui/pages/page_build.h"

#include <string.h>

enum { NO_BREAK_SPACE = 0xa0, EM_DASH = 0x2014, FIRST_WIDE = 0x1100 };

/* Where a line may end: before `end`; the next one begins at `next`. */
struct place {
	bool set;
	size_t end, next;
	int columns;
};

struct wrap wrap_begin(const struct run *run, struct range r, int width)
{
	return (struct wrap){ run, r.begin, r.end, width, run_piece(run, r.begin) };
}

static uint32_t code_at(const struct run *run, size_t *at)
{
	unsigned char c = (unsigned char)run->text[*at];
	if (c < 0x80) {
		++*at;
		return c;
	}
	const char *text = run->text + *at;
	uint32_t code = utf8_next(&text);
	*at = (size_t)(text - run->text);
	return code;
}

int glyph_width(bool ascii, uint32_t code)
{
	if (code >= 0x20 && code < 0x7f)
		return 1;
	return ascii && code >= 0x80 ? (int)strlen(glyph_ascii(code)) : code_width(code);
}

int glyphs_width(bool ascii, const char *text)
{
	int columns = 0;
	for (uint32_t code; (code = utf8_next(&text));)
		columns += glyph_width(ascii, code);
	return columns;
}

static bool alphanumeric(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c >= 0xc0;
}

static bool is_wide(uint32_t code)
{
	return code >= FIRST_WIDE && code_width(code) == 2;
}

static bool among(uint32_t code, const char *set)
{
	for (uint32_t c; (c = utf8_next(&set));)
		if (c == code)
			return true;
	return false;
}

/* Between these two a line may end though no blank is there. */
static bool parts(uint32_t before, uint32_t code)
{
	if (before < FIRST_WIDE && code < FIRST_WIDE)
		return false;
	if (before == EM_DASH)
		return alphanumeric(code);
	if (!is_wide(before) && !is_wide(code))
		return false;
	return code_width(code) > 0 &&
	       !among(code, ",.;:!?)]}%、。，．・：；？！）］｝〉》」』】〕’”…") &&
	       !among(before, "([{$（［｛〈《「『【〔‘“");
}

/* A long word may be broken here, after hyphen, slash and the like. */
static bool may_split(uint32_t earlier, uint32_t before, uint32_t code)
{
	return alphanumeric(earlier) && before < 0x80 && before && strchr("-/_,=&?", (int)before) &&
	       code != before;
}

/* Columns from `at` to the end of the word, counted no farther than to `enough`. */
static int rest_of_word(const struct wrap *w, size_t at, int enough)
{
	int columns = 0;
	while (at < w->end && columns <= enough) {
		uint32_t code = code_at(w->run, &at);
		if (code == ' ' || code == '\n')
			break;
		columns += glyph_width(w->run->ascii, code);
	}
	return columns;
}

/* Blanks in a computed number ("4.29 GB") hold it together. */
static bool holds(const struct run *run, size_t *piece, size_t at)
{
	while (*piece + 1 < run->n_pieces && run->pieces[*piece + 1].begin <= at)
		++*piece;
	return run->n_pieces && run->pieces[*piece].computed >= 0;
}

static bool finish(struct wrap *w, struct place to, struct range *line, int *columns)
{
	*line = (struct range){ w->at, to.end };
	*columns = to.columns;
	w->at = to.next;
	holds(w->run, &w->piece, w->at);
	return true;
}

static struct place choose(
	const struct wrap *w, struct place full, struct place blank, struct place split)
{
	if (!split.set)
		return blank.set ? blank : full;
	int half = w->width / 2;
	int word =
		full.columns - (blank.set ? blank.columns : 0) + rest_of_word(w, full.next, half);
	return !blank.set || word > half ? split : blank;
}

bool wrap_next(struct wrap *w, struct range *line, int *columns)
{
	while (w->at < w->end && w->run->text[w->at] == ' ')
		w->at++;
	if (w->at >= w->end)
		return false;
	struct place blank = { 0 }, split = { 0 };
	uint32_t earlier = 0, before = 0;
	size_t piece = w->piece, next;
	int col = 0;
	for (size_t at = w->at; at < w->end; at = next) {
		next = at;
		uint32_t code = code_at(w->run, &next);
		struct place here = { true, at, at, col };
		if (code == '\n') {
			if (before == ' ' && blank.set)
				here = blank;
			here.next = next;
			return finish(w, here, line, columns);
		}
		if (code == ' ' && holds(w->run, &piece, at))
			code = NO_BREAK_SPACE;
		if (code == ' ') {
			if (before != ' ' || !blank.set)
				blank = here;
			blank.next = next;
			split.set = false;
		} else if (before && before != ' ' && parts(before, code)) {
			blank = here;
			split.set = false;
		} else if (may_split(earlier, before, code)) {
			split = here;
		}
		int wide = glyph_width(w->run->ascii, code);
		if (code != ' ' && col + wide > w->width && at > w->at)
			return finish(w, choose(w, here, blank, split), line, columns);
		col += wide;
		earlier = before;
		before = code;
	}
	struct place last = { true, w->end, w->end, col };
	if (before == ' ' && blank.set)
		last = (struct place){ true, blank.end, w->end, blank.columns };
	return finish(w, last, line, columns);
}

bool wrap_code_next(struct wrap *w, struct range *line, int *columns)
{
	if (w->at >= w->end)
		return false;
	struct place blank = { 0 };
	int col = 0;
	size_t at = w->at, next;
	for (; at < w->end; at = next) {
		next = at;
		uint32_t code = code_at(w->run, &next);
		if (code == '\n')
			return finish(w, (struct place){ true, at, next, col }, line, columns);
		int wide = glyph_width(w->run->ascii, code);
		if (col + wide > w->width && at > w->at)
			return finish(w, blank.set ? blank : (struct place){ true, at, at, col },
				line, columns);
		col += wide;
		if (code == ' ' && col > w->width / 2)
			blank = (struct place){ true, next, next, col };
	}
	return finish(w, (struct place){ true, at, at, col }, line, columns);
}

static int widest(const struct run *run, struct range r, bool words)
{
	int most = 0, col = 0;
	size_t piece = run_piece(run, r.begin);
	uint32_t before = 0;
	for (size_t at = r.begin; at < r.end;) {
		size_t here = at;
		uint32_t code = code_at(run, &at);
		if (code == '\n' || (words && code == ' ' && !holds(run, &piece, here)) ||
			(words && before && parts(before, code)))
			col = 0;
		if (code != '\n' && (code != ' ' || col > 0))
			col += glyph_width(run->ascii, code);
		if (code != ' ' && col > most)
			most = col;
		before = code;
	}
	return most;
}

int range_width(const struct run *run, struct range r)
{
	return widest(run, r, false);
}

int range_word_width(const struct run *run, struct range r)
{
	return widest(run, r, true);
}
