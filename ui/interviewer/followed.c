#include "ui/interviewer/followed.h"

#include "ui/programs/inflow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An interview of 45 minutes has some hundred lines. */
static const size_t most_bytes = (size_t)16 << 20;

struct followed {
	struct inflow from;
	char *text;
	size_t n, room, whole; /* bytes: of all, that there is room for, of whole lines */
};

struct followed *followed_open(const char *path, char *err, size_t err_size)
{
	struct followed *f = calloc(1, sizeof *f);
	if (!f) {
		snprintf(err, err_size, "out of memory");
		return NULL;
	}
	if (inflow_open(&f->from, "follow", path, err, err_size)) {
		free(f);
		return NULL;
	}
	return f;
}

void followed_release(struct followed *f)
{
	if (!f)
		return;
	inflow_close(&f->from);
	free(f->text);
	free(f);
}

static bool make_room(struct followed *f)
{
	enum { STEP = 1 << 16 };
	if (f->n < f->room)
		return true;
	char *more = f->room < most_bytes ? realloc(f->text, f->room + STEP) : NULL;
	if (!more)
		return false;
	f->text = more;
	f->room += STEP;
	return true;
}

bool followed_take(struct followed *f)
{
	const size_t whole = f->whole;
	size_t got;
	do {
		if (!make_room(f)) {
			inflow_close(&f->from);
			break;
		}
		got = inflow_read(&f->from, f->text + f->n, f->room - f->n);
		for (size_t i = f->n; i < f->n + got; i++)
			if (f->text[i] == '\n')
				f->whole = i + 1;
		f->n += got;
	} while (got > 0);
	return f->whole > whole;
}

char *followed_lines(const struct followed *f, size_t *bytes)
{
	char *lines = malloc(f->whole + 1);
	*bytes = lines ? f->whole : 0;
	if (!lines)
		return NULL;
	if (f->whole)
		memcpy(lines, f->text, f->whole);
	lines[f->whole] = '\0';
	return lines;
}

bool followed_ended(const struct followed *f)
{
	return f->from.fd < 0;
}
