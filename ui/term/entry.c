#include "ui/term/entry.h"

#include "sims/base/utf8.h"
#include "ui/term/keys.h"

#include <stdio.h>
#include <string.h>

bool entry_stays(enum entry_kind kind)
{
	return kind == ENTRY_ANSWER || kind == ENTRY_TALK || kind == ENTRY_SCRATCH;
}

void entry_begin(struct entry *e, enum entry_kind kind, uint32_t first)
{
	*e = (struct entry){ .kind = kind };
	if (first) {
		e->bytes = (size_t)utf8_write(e->text, first);
		e->cursor = e->bytes;
	}
}

void entry_set(struct entry *e, const char *text)
{
	size_t n = utf8_whole(text, sizeof e->text - 1);
	memcpy(e->text, text, n);
	e->text[n] = '\0';
	e->bytes = e->cursor = n;
}

static void delete_from(struct entry *e, size_t from)
{
	memmove(e->text + from, e->text + e->cursor, e->bytes - e->cursor + 1);
	e->bytes -= e->cursor - from;
	e->cursor = from;
}

static void delete_before(struct entry *e)
{
	size_t from = e->cursor;
	while (from > 0 && utf8_continues(e->text[--from]))
		;
	delete_from(e, from);
}

static void delete_word_before(struct entry *e)
{
	size_t from = e->cursor;
	while (from > 0 && e->text[from - 1] == ' ')
		from--;
	while (from > 0 && e->text[from - 1] != ' ')
		from--;
	delete_from(e, from);
}

static void insert(struct entry *e, uint32_t key)
{
	char utf8[5];
	size_t n = (size_t)utf8_write(utf8, key);
	if (e->bytes + n + 1 > sizeof e->text) {
		snprintf(e->error, sizeof e->error, "at most %zu bytes", sizeof e->text - 1);
		return;
	}
	memmove(e->text + e->cursor + n, e->text + e->cursor, e->bytes - e->cursor + 1);
	memcpy(e->text + e->cursor, utf8, n);
	e->cursor += n;
	e->bytes += n;
}

static void move_cursor(struct entry *e, int by)
{
	do {
		if ((by < 0 && e->cursor == 0) || (by > 0 && e->cursor >= e->bytes))
			return;
		e->cursor = by < 0 ? e->cursor - 1 : e->cursor + 1;
	} while (utf8_continues(e->text[e->cursor]));
}

static void type(struct entry *e, uint32_t key)
{
	if (e->judged)
		entry_set(e, "");
	insert(e, key);
}

static bool edit(struct entry *e, uint32_t key)
{
	switch (key) {
	case KEY_BACKSPACE_:
		if (e->cursor > 0)
			delete_before(e);
		break;
	case KEY_DELETE_:
		if (e->cursor < e->bytes) {
			move_cursor(e, 1);
			delete_before(e);
		}
		break;
	case KEY_LEFT_:
		move_cursor(e, -1);
		break;
	case KEY_RIGHT_:
		move_cursor(e, 1);
		break;
	case KEY_HOME_:
	case KEY_CTRL_A:
		e->cursor = 0;
		break;
	case KEY_END_:
	case KEY_CTRL_E:
		e->cursor = e->bytes;
		break;
	case KEY_CTRL_U:
		delete_from(e, 0);
		break;
	case KEY_CTRL_K:
		e->text[e->bytes = e->cursor] = '\0';
		break;
	case KEY_CTRL_W:
		delete_word_before(e);
		break;
	default:
		if (key < 0x20 || key >= KEY_UP_)
			return false;
		type(e, key);
	}
	return true;
}

bool entry_edit(struct entry *e, uint32_t key)
{
	bool edits = edit(e, key);
	e->judged &= !edits;
	return edits;
}

/* Columns of a text from one byte to another. */
static int cols_between(const char *from, const char *to, enum glyphs glyphs)
{
	char part[sizeof((struct entry *)0)->text];
	snprintf(part, sizeof part, "%.*s", (int)(to - from), from);
	return text_cols(part, glyphs);
}

int entry_draw(const struct entry *e, struct canvas *cv, int row, int col, int width, unsigned attr)
{
	const char *from = e->text, *cursor = e->text + e->cursor;
	while (from < cursor && cols_between(from, cursor, cv->glyphs) >= width)
		utf8_next(&from);
	cv->cursor_row = row < cv->rows ? row : -1;
	cv->cursor_col = col + cols_between(from, cursor, cv->glyphs);
	return canvas_text(cv, row, col, width, from, STYLE_PLAIN, attr);
}
