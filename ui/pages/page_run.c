#include "ui/pages/page_run.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"

#include <assert.h>
#include <string.h>

enum { TERMINATED = 4 }; /* bytes that utf8_write needs besides the character */

/* -- Text with pieces ---------------------------------------------------------------------- */

struct page_run run_in(struct arena *a, enum glyphs glyphs)
{
	return (struct page_run){ .text = { .arena = a }, .glyphs = glyphs };
}

struct page_range run_whole(const struct page_run *run)
{
	return (struct page_range){ 0, run->text.n };
}

void run_clear(struct page_run *run)
{
	run->text.n = 0;
	run->n_pieces = 0;
}

static void begin_piece(struct page_run *run, struct page_piece look)
{
	const struct page_piece *last = run->n_pieces ? &run->pieces[run->n_pieces - 1] : NULL;
	if (last && last->style == look.style && last->attr == look.attr &&
		last->link == look.link && last->computed == look.computed &&
		last->term == look.term)
		return;
	look.begin = run->text.n;
	assert(run->pieces || !run->cap_pieces);
	ARRAY_APPEND(run->text.arena, run, pieces, n_pieces, cap_pieces, look);
}

/* One character as it may stand on a page: a terminal must never see a control character (C0 or C1)
 * that a file brought along, and what follows relies on valid UTF-8. */
static void put_character(struct page_run *run, const char **text)
{
	uint32_t code = (unsigned char)**text;
	if (code < 0x80)
		++*text;
	else
		code = utf8_next(text);
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		code = 0xfffd;
	if (code < 0x80)
		run->text.text[run->text.n++] = (char)code;
	else
		run->text.n += (size_t)utf8_write(run->text.text + run->text.n, code);
}

void run_text(struct page_run *run, const char *text, size_t bytes, struct page_piece look)
{
	if (!bytes || !arena_reserve(&run->text, bytes * 3 + TERMINATED))
		return;
	begin_piece(run, look);
	for (const char *end = text + bytes; text < end;) {
		if (*text != ' ' && *text != '\t' && *text != '\n' && *text != '\r') {
			put_character(run, &text);
			continue;
		}
		if (run->text.n && run->text.text[run->text.n - 1] != ' ' &&
			run->text.text[run->text.n - 1] != '\n')
			run->text.text[run->text.n++] = ' ';
		text++;
	}
}

void run_code(struct page_run *run, const char *text, size_t bytes, struct page_piece look)
{
	if (!bytes || !arena_reserve(&run->text, bytes * 3 + TERMINATED))
		return;
	begin_piece(run, look);
	for (const char *end = text + bytes; text < end;) {
		if (*text == '\n' || *text == '\t')
			run->text.text[run->text.n++] = *text++ == '\n' ? '\n' : ' ';
		else
			put_character(run, &text);
	}
}

void run_break(struct page_run *run)
{
	if (arena_reserve(&run->text, 1))
		run->text.text[run->text.n++] = '\n';
}

size_t run_piece(const struct page_run *run, size_t at)
{
	size_t low = 0, high = run->n_pieces;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (run->pieces[middle].begin <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void run_copy(struct page_run *run, const struct page_run *from, struct page_range r)
{
	if (!arena_reserve(&run->text, r.end - r.begin))
		return;
	for (size_t i = run_piece(from, r.begin); i < from->n_pieces; i++) {
		size_t end = i + 1 < from->n_pieces ? from->pieces[i + 1].begin : from->text.n;
		size_t begin = from->pieces[i].begin;
		if (begin >= r.end)
			break;
		begin = begin < r.begin ? r.begin : begin;
		end = end > r.end ? r.end : end;
		struct page_piece look = from->pieces[i];
		begin_piece(run, look);
		memcpy(run->text.text + run->text.n, from->text.text + begin, end - begin);
		run->text.n += end - begin;
	}
}

const char *run_string(const struct page_run *run, struct page_range r, struct arena *a)
{
	size_t n = r.end - r.begin;
	char *text = arena_alloc(a, n + 1);
	if (!text)
		return "";
	if (n)
		memcpy(text, run->text.text + r.begin, n);
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\n')
			text[i] = ' ';
	return text;
}

/* -- Lines ---------------------------------------------------------------------------------- */

/* Blanks in a computed number ("4.29 GB") hold it together. */
static bool holds(const void *context, size_t at)
{
	const struct page_run *run = context;
	return run->n_pieces && run->pieces[run_piece(run, at)].computed >= 0;
}

static struct text_breaker breaker(const struct page_run *run, struct page_range r, int width)
{
	assert(r.begin <= r.end && r.end <= run->text.n);
	return (struct text_breaker){ .text = run->text.text ? run->text.text : "",
		.at = r.begin,
		.end = r.end,
		.width = width,
		.glyphs = run->glyphs,
		.rules = BREAK_SCRIPTS | BREAK_LONG_WORDS,
		.holds = holds,
		.context = run };
}

struct page_wrap wrap_begin(const struct page_run *run, struct page_range r, int width)
{
	return (struct page_wrap){ breaker(run, r, width) };
}

bool wrap_next(struct page_wrap *w, struct page_range *line, int *columns)
{
	struct text_line found;
	if (!text_break(&w->left, &found))
		return false;
	line->begin = (size_t)(found.start - w->left.text);
	line->end = line->begin + found.bytes;
	*columns = found.cols;
	return true;
}

bool wrap_code_next(struct page_wrap *w, struct page_range *line, int *columns)
{
	const char *text = w->left.text;
	size_t from = w->left.at, at = from, next, end;
	int cols = 0, at_blank = 0;
	size_t blank = from; /* where a line may end after a blank; from: nowhere yet */
	if (from >= w->left.end)
		return false;
	for (end = w->left.end; at < end; at = next) {
		const char *after = text + at;
		uint32_t code = utf8_next(&after);
		next = (size_t)(after - text);
		if (code == '\n')
			break;
		int wide = glyph_cols(code, w->left.glyphs);
		if (cols + wide > w->left.width && at > from) {
			next = at = blank > from ? blank : at;
			cols = blank > from ? at_blank : cols;
			break;
		}
		cols += wide;
		if (code == ' ' && cols > w->left.width / 2) {
			blank = next;
			at_blank = cols;
		}
	}
	*line = (struct page_range){ from, at };
	*columns = cols;
	w->left.at = at < end ? next : at;
	return true;
}

int range_width(const struct page_run *run, struct page_range r)
{
	const struct text_breaker b = breaker(run, r, 0);
	return text_widest(&b, false);
}

int range_word_width(const struct page_run *run, struct page_range r)
{
	const struct text_breaker b = breaker(run, r, 0);
	return text_widest(&b, true);
}
