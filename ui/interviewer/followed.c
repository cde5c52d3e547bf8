#include "ui/interviewer/followed.h"

#include "ui/programs/inflow.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An interview of 45 minutes has some hundred lines. */
static const size_t most_bytes = (size_t)16 << 20;

struct followed {
	struct inflow from;
	char *text;
	size_t n, room, whole; /* bytes: of all, that there is room for, of whole lines */
	size_t came;           /* bytes, with those of lines that were left out */
	/* Of the lines that are there: hashes in places that they lead to, 0 in the others. */
	uint64_t *seen;
	size_t n_seen, places; /* a power of two */
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
	free(f->seen);
	free(f);
}

static bool make_room(struct followed *f)
{
	enum { STEP = 1 << 16 };
	if (f->came >= most_bytes)
		return false;
	if (f->n < f->room)
		return true;
	char *more = f->room < most_bytes ? realloc(f->text, f->room + STEP) : NULL;
	if (!more)
		return false;
	f->text = more;
	f->room += STEP;
	return true;
}

/* Never 0. In 64 bits no two of some hundred lines meet by chance. */
static uint64_t hash_of(const char *line, size_t n)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)line[i]) * UINT64_C(0x100000001b3);
	return hash | 1;
}

/* The place of a hash, or the empty one where it belongs. */
static uint64_t *place_of(const struct followed *f, uint64_t hash)
{
	size_t i = (hash >> 1) & (f->places - 1);
	while (f->seen[i] && f->seen[i] != hash)
		i = (i + 1) & (f->places - 1);
	return &f->seen[i];
}

/* Half of the places stay empty. False: memory is out. */
static bool make_places(struct followed *f)
{
	enum { FEWEST = 256 };
	if (f->n_seen * 2 < f->places)
		return true;
	uint64_t *const before = f->seen;
	const size_t places = f->places;
	uint64_t *const wider = calloc(places ? places * 2 : FEWEST, sizeof *wider);
	if (!wider)
		return false;
	f->seen = wider;
	f->places = places ? places * 2 : FEWEST;
	for (size_t i = 0; i < places; i++)
		if (before[i])
			*place_of(f, before[i]) = before[i];
	free(before);
	return true;
}

/* Whether a line, with its newline, is another than those that came before. Each has its time in it: only a stream that
 * was begun once more says one again. */
static bool is_new(struct followed *f, const char *line, size_t n)
{
	if (n == 1)
		return false;
	if (!make_places(f))
		return true;
	const uint64_t hash = hash_of(line, n);
	uint64_t *place = place_of(f, hash);
	if (*place)
		return false;
	*place = hash;
	f->n_seen++;
	return true;
}

/* Keeps the lines that are new of those that are whole by now. */
static void keep_new(struct followed *f)
{
	size_t from = f->whole;
	const char *end;
	while ((end = memchr(f->text + from, '\n', f->n - from))) {
		const size_t n = (size_t)(end + 1 - (f->text + from));
		if (is_new(f, f->text + from, n)) {
			memmove(f->text + f->whole, f->text + from, n);
			f->whole += n;
		}
		from += n;
	}
	memmove(f->text + f->whole, f->text + from, f->n - from);
	f->n -= from - f->whole;
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
		f->n += got;
		f->came += got;
		keep_new(f);
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

size_t followed_came(const struct followed *f)
{
	return f->came;
}

bool followed_ended(const struct followed *f)
{
	return f->from.fd < 0;
}
