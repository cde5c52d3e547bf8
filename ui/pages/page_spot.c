#include "ui/pages/page_spot.h"

#include "ui/pages/page_fold.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Wrapping changes blanks and adds glyphs of its own, but never letters and digits, so they say
 * where one is at any width; and since hidden ones count, whichever folds are open. */
static long letters_of(const struct page *p, size_t line)
{
	return line_letters_with_hidden(p, line);
}

/* The heading that a line stands under; NULL: none. */
static const struct page_heading *heading_before(const struct page *p, size_t line)
{
	const struct page_heading *last = NULL;
	for (size_t i = 0; i < p->n_headings && p->headings[i].line <= line; i++)
		last = &p->headings[i];
	return last;
}

struct page_spot page_spot_at(const struct page *p, size_t line)
{
	struct page_spot spot = { .anchor = "" };
	if (line >= p->n_lines)
		line = p->n_lines ? p->n_lines - 1 : 0;
	const struct page_heading *h = heading_before(p, line);
	if (h && strlen(h->anchor) < sizeof spot.anchor)
		strcpy(spot.anchor, h->anchor);
	else
		h = NULL;
	for (size_t i = h ? h->line : 0; i < line; i++) {
		long n = letters_of(p, i);
		spot.letters += n;
		spot.rows = n ? 0 : spot.rows + 1;
	}
	return spot;
}

/* The line where a spot is, from `line` on: past its letters, then past its rows without
 * letters. */
static size_t count_down(const struct page *p, size_t line, const struct page_spot *spot)
{
	long left = spot->letters;
	while (line + 1 < p->n_lines && left > 0) {
		long n = letters_of(p, line);
		if (n > left)
			return line;
		left -= n;
		line++;
	}
	for (long row = 0; row < spot->rows && line + 1 < p->n_lines; row++, line++)
		if (letters_of(p, line))
			break;
	return line;
}

size_t page_spot_line(const struct page *p, const struct page_spot *spot, bool *lost)
{
	size_t from = 0;
	bool found = !spot->anchor[0];
	for (size_t i = 0; i < p->n_headings && !found; i++) {
		found = strcmp(p->headings[i].anchor, spot->anchor) == 0;
		from = p->headings[i].line;
	}
	if (lost)
		*lost = !found;
	return found ? count_down(p, from, spot) : 0;
}

char *page_spot_write(const char *id, const struct page_spot *spot, char *buf, size_t size)
{
	snprintf(buf, size, "%s#%s@%ld.%ld", id, spot->anchor, spot->letters, spot->rows);
	return buf;
}

/* Reads a number from 0 on that is not more than any page has. */
static bool read_count(const char **text, long *n)
{
	char *end;
	if (!isdigit((unsigned char)**text))
		return false;
	*n = strtol(*text, &end, 10);
	*text = end;
	return *n <= 1000000000;
}

bool page_spot_read(const char *text, char *id, size_t id_size, struct page_spot *spot)
{
	size_t n = strcspn(text, "#");
	*spot = (struct page_spot){ .anchor = "" };
	if (!n || n >= id_size)
		return false;
	memcpy(id, text, n);
	id[n] = '\0';
	text += n + (text[n] == '#');
	n = strcspn(text, "@");
	if (n >= sizeof spot->anchor)
		return false;
	memcpy(spot->anchor, text, n);
	text += n;
	if (!*text)
		return true;
	text++;
	return read_count(&text, &spot->letters) && *text++ == '.' &&
	       read_count(&text, &spot->rows) && !*text;
}
