#include "ui/talks/tour_append.h"

#include "sims/base/arena.h"
#include "ui/files/own_file.h"
#include "ui/live/live_run.h"
#include "ui/talks/tour.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, STEP_BYTES = 4096 };

static const char id[] = "mine", name[] = "tours/mine.md", title[] = "# My talk\n";

struct text {
	char *at;
	size_t size, used;
};

static void add(struct text *t, const char *a, const char *b, const char *c)
{
	if (t->used < t->size)
		t->used += (size_t)snprintf(t->at + t->used, t->size - t->used, "%s%s%s", a, b, c);
}

/* Knobs that stand elsewhere than in the step before; where that shows another simulation, than at
 * their defaults. */
static void add_knobs(struct text *out, const struct live *s, const char *last)
{
	struct live before;
	char err[300];
	bool follows = *last && !live_open_text(&before, s->tables, last, err, sizeof err);
	bool same = follows && before.sim == s->sim;
	for (size_t i = 0; i < s->sim->n_knobs; i++) {
		const struct knob *k = &s->sim->knobs[i];
		char value[256];
		double was = same ? before.now.v[i] : knob_default(k, s->tables);
		if (s->now.v[i] == was)
			continue;
		add(out, k->id, "=", knob_write(k, s->tables, s->now.v[i], value, sizeof value));
		add(out, "\n", "", "");
	}
	if (follows)
		live_release(&before);
}

int tour_step_text(const struct live *s, const struct block *part, const char *last,
	const char *caption, char *buf, size_t size)
{
	struct text out = { buf, size, 0 };
	char word[80];
	add(&out, "## ", caption, "\n\n");
	add(&out, "```sim ", s->sim->id, "\n");
	add_knobs(&out, s, last);
	if (part && *tour_part_id(part, word, sizeof word))
		add(&out, "show: ", word, "\n");
	if (s->playhead_s > 0) {
		run_write_time(s, word, sizeof word);
		add(&out, "pause: ", word, "\n");
	}
	add(&out, "```", "", "");
	return out.used < size ? 0 : -1;
}

/* What the file has, or a title. NULL and a line: it cannot be read, or is no tour. */
static char *present_text(const char *path, char *said, size_t size)
{
	char why[100], *text = own_read(path, MOST_BYTES, NULL);
	if (!text && errno == ENOENT)
		return strdup(title);
	if (!text)
		snprintf(said, size, "%s/%s: %s", own_folder_shown(OWN_DATA), name,
			own_read_error(MOST_BYTES, why, sizeof why));
	return text;
}

/* The number of steps in the text, and the target of the last one; -1 and a line: it is no tour. */
static long steps_of(const char *text, char *last, size_t last_size, char *said, size_t size)
{
	struct arena a = { 0 };
	struct tour t;
	char err[300];
	long n = -1;
	last[0] = '\0';
	if (strcmp(text, title) == 0)
		return 0;
	if (tour_read(&t, id, text, strlen(text), &a, err, sizeof err) == 0) {
		n = (long)t.n;
		if (t.steps[t.n - 1].is_sim)
			snprintf(last, last_size, "%s", t.steps[t.n - 1].target);
	} else {
		snprintf(said, size, "%s/%s, %s: nothing was added.", own_folder_shown(OWN_DATA),
			name, err);
	}
	arena_release(&a);
	return n;
}

/* Ends without newlines: own_write adds the last one. */
static int write_with(const char *path, const char *text, const char *step)
{
	size_t n = strlen(text), room = n + strlen(step) + 3;
	char *whole = malloc(room);
	if (!whole)
		return -1;
	while (n && text[n - 1] == '\n')
		n--;
	snprintf(whole, room, "%.*s\n\n%s", (int)n, text, step);
	int rc = own_write(path, whole);
	free(whole);
	return rc;
}

int tour_append(const struct live *s, const struct block *part, const char *caption, char *said,
	size_t size)
{
	char path[OWN_PATH_SIZE], last[1200], step[STEP_BYTES];
	if (!own_path(OWN_DATA, name, path, sizeof path)) {
		snprintf(said, size, "There is no home directory to keep a tour in.");
		return -1;
	}
	char *text = present_text(path, said, size);
	long n = text ? steps_of(text, last, sizeof last, said, size) : -1;
	int rc = n < 0 ? -1 : tour_step_text(s, part, last, caption, step, sizeof step);
	if (n >= 0 && rc)
		snprintf(said, size, "The setting is too long for a step.");
	if (!rc && (rc = write_with(path, text, step)) != 0)
		snprintf(
			said, size, "%s/%s: %s", own_folder_shown(OWN_DATA), name, strerror(errno));
	else if (!rc)
		snprintf(said, size, "Step %ld of %s/%s; ridge present %s gives it.", n + 1,
			own_folder_shown(OWN_DATA), name, id);
	free(text);
	return rc;
}
