/* Runs: text with styled pieces, the form of all inline Markdown before it is broken into lines. */
#include "ui/pages/page_build.h"

#include <string.h>

void *page_room(struct arena *a, void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	size_t more = *cap ? *cap * 2 : 8;
	char *bigger = arena_array(a, more, size);
	if (!bigger)
		return NULL;
	if (array)
		memcpy(bigger, array, n * size);
	*cap = more;
	return bigger;
}

void run_clear(struct run *run)
{
	run->n = 0;
	run->n_pieces = 0;
}

static bool reserve(struct run *run, size_t bytes)
{
	bytes += 4; /* utf8_write terminates what it writes */
	if (run->cap - run->n >= bytes)
		return true;
	size_t more = run->cap ? run->cap : 256;
	while (more - run->n < bytes)
		more *= 2;
	char *bigger = arena_alloc(run->arena, more);
	if (!bigger)
		return false;
	if (run->n)
		memcpy(bigger, run->text, run->n);
	run->text = bigger;
	run->cap = more;
	return true;
}

static void begin_piece(struct run *run, struct piece look)
{
	const struct piece *last = run->n_pieces ? &run->pieces[run->n_pieces - 1] : NULL;
	if (last && last->style == look.style && last->attr == look.attr &&
		last->link == look.link && last->computed == look.computed &&
		last->term == look.term)
		return;
	look.begin = run->n;
	PAGE_PUSH(run->arena, run, pieces, n_pieces, cap_pieces, look);
}

/* One character as it may stand on a page: a terminal must never see a control character (C0 or C1)
 * that a file brought along, and what follows relies on valid UTF-8. */
static void put_character(struct run *run, const char **text)
{
	uint32_t code = (unsigned char)**text;
	if (code < 0x80)
		++*text;
	else
		code = utf8_next(text);
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		code = 0xfffd;
	if (code < 0x80)
		run->text[run->n++] = (char)code;
	else
		run->n += (size_t)utf8_write(run->text + run->n, code);
}

void run_text(struct run *run, const char *text, size_t bytes, struct piece look)
{
	if (!bytes || !reserve(run, bytes * 3))
		return;
	begin_piece(run, look);
	for (const char *end = text + bytes; text < end;) {
		if (*text != ' ' && *text != '\t' && *text != '\n' && *text != '\r') {
			put_character(run, &text);
			continue;
		}
		if (run->n && run->text[run->n - 1] != ' ' && run->text[run->n - 1] != '\n')
			run->text[run->n++] = ' ';
		text++;
	}
}

void run_code(struct run *run, const char *text, size_t bytes, struct piece look)
{
	if (!bytes || !reserve(run, bytes * 3))
		return;
	begin_piece(run, look);
	for (const char *end = text + bytes; text < end;) {
		if (*text == '\n' || *text == '\t')
			run->text[run->n++] = *text++ == '\n' ? '\n' : ' ';
		else
			put_character(run, &text);
	}
}

void run_break(struct run *run)
{
	if (reserve(run, 1))
		run->text[run->n++] = '\n';
}

size_t run_piece(const struct run *run, size_t at)
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

void run_copy(struct run *run, const struct run *from, struct range r)
{
	if (!reserve(run, r.end - r.begin))
		return;
	for (size_t i = run_piece(from, r.begin); i < from->n_pieces; i++) {
		size_t end = i + 1 < from->n_pieces ? from->pieces[i + 1].begin : from->n;
		size_t begin = from->pieces[i].begin;
		if (begin >= r.end)
			break;
		begin = begin < r.begin ? r.begin : begin;
		end = end > r.end ? r.end : end;
		struct piece look = from->pieces[i];
		begin_piece(run, look);
		memcpy(run->text + run->n, from->text + begin, end - begin);
		run->n += end - begin;
	}
}

const char *run_string(const struct run *run, struct range r, struct arena *a)
{
	size_t n = r.end - r.begin;
	char *text = arena_alloc(a, n + 1);
	if (!text)
		return "";
	if (n)
		memcpy(text, run->text + r.begin, n);
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\n')
			text[i] = ' ';
	return text;
}
