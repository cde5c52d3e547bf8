/* Both terminals of an interview in a test's hands: the interviewer's screen, the candidate's, and
 * the history that they share, in memory. */
#ifndef RIDGE_TESTS_INTERVIEWER_H
#define RIDGE_TESTS_INTERVIEWER_H

#include "tests/explorer.h"
#include "ui/screens/interviewer/interviewer_screen.h"
#include "ui/interviewer/interviewer_text.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { MINUTE_MS = 60000, START_S = 1767225600 /* 2026-01-01 */ };

static char kept[1 << 16];
static size_t kept_bytes;

static inline int keep(const struct history_event *e, char *err, size_t err_size)
{
	size_t n = history_line(e, kept + kept_bytes, sizeof kept - kept_bytes);
	snprintf(err, err_size, "full");
	kept_bytes += n;
	return n ? 0 : -1;
}

static inline int load_kept(struct history *h, char *err, size_t err_size)
{
	char *text = malloc(kept_bytes + 1);
	snprintf(err, err_size, "out of memory");
	if (!text)
		return -1;
	memcpy(text, kept, kept_bytes);
	return history_parse(h, text, kept_bytes);
}

static inline uint64_t kept_stamp(void)
{
	return kept_bytes;
}

/* The record of an interview, in memory. */
static char record[1 << 18];

static inline int keep_record(const char *name, const char *line, char *err, size_t err_size)
{
	snprintf(err, err_size, "%s is full", name);
	if (strlen(record) + strlen(line) >= sizeof record)
		return -1;
	strcat(record, line);
	return 0;
}

static inline struct explorer start(int rows, int cols, enum glyphs glyphs)
{
	struct explorer e = explorer_start(rows, cols, glyphs);
	e.app->epoch_s = START_S;
	e.app->record = keep;
	e.app->load_history = load_kept;
	e.app->history_stamp = kept_stamp;
	return e;
}

static inline struct explorer interviewer_on(
	const char *words, int rows, int cols, enum glyphs glyphs)
{
	struct explorer e = start(rows, cols, glyphs);
	char target[128];
	snprintf(target, sizeof target, "interviewer %s", words);
	cr_assert(explorer_open(&e, target), "%s", target);
	return e;
}

static inline struct explorer candidate_of(const struct explorer *interviewer)
{
	struct explorer e = start(24, 80, GLYPHS_LINES);
	char target[128];
	snprintf(target, sizeof target, "drill code=%s",
		interviewer_of(interviewer->app)->request.code);
	cr_assert(explorer_open(&e, target), "%s", target);
	return e;
}

static inline void pass(struct explorer *e, int64_t ms)
{
	e->now_ms += ms;
	app_tick(e->app, e->now_ms);
	app_settle(e->app);
}

static inline void expect_shown(const struct explorer *e, const char *text)
{
	char *screen = explorer_text(e);
	cr_expect(strstr(screen, text) != NULL, "\"%s\" is not in:\n%s", text, screen);
	free(screen);
}

/* The whole of a stop's page, unwrapped. */
static inline char *guide_of(const struct interviewer *v, size_t stop)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	interviewer_write_guide(v, stop, f);
	fclose(f);
	return text;
}

#endif
