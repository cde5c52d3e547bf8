/* What was answered, kept for good: one JSON object a line, and lines are only ever appended.
 * Nothing derived is in it: schedule and statistics are computed from the events (drills/stats.h).
 *
 *   {"schema":1,"at":1767225600,"kind":"answer","drill":"kv-cache","skill":"kv-cache",
 *    "topic":"kvcache","seed":7,"part":0,"given":"10.7 GB","value":10700000000,
 *    "verdict":"CORRECT","used":true,"credit":1,"cause":"","hints":0,"attempt":1,"scratch":false,
 *    "took_s":42.5,"par_s":90,"mode":"study"}
 *
 * A problem of several steps says which one was answered, as in "step":0,"steps":3.
 *
 * This is the text alone; ui/data/history_file.h has the file. Lines that cannot be read are left
 * alone, counted and reported. */
#ifndef RIDGE_HISTORY_H
#define RIDGE_HISTORY_H

#include "drills/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum history_kind {
	HISTORY_ANSWER,
	HISTORY_GAVE_UP,   /* without (another) answer */
	HISTORY_TIMED_OUT, /* the clock ended the mode */
	N_HISTORY_KINDS
};
extern const char *const history_kind_names[N_HISTORY_KINDS]; /* "answer", "gave_up", ... */

/* Texts may be NULL when written (they are then ""), and never are when read. */
struct history_event {
	int64_t at_s; /* Unix time */
	enum history_kind kind;
	const char *drill, *skill, *topic;
	uint64_t seed, part;
	const char *given;    /* as typed */
	double value;         /* in the question's unit; NAN where no number was understood */
	enum verdict verdict; /* of an answer */
	bool used;            /* it cost an attempt: false of what could not be read */
	double credit;        /* 0..1, of this answer alone: before attempts and hints count */
	const char *cause;    /* the fault in a few words: "bits vs bytes" */
	unsigned hints;       /* shown until then */
	unsigned attempt;     /* at this step, used until then, with this one */
	unsigned step, steps; /* which step, from 0, of how many; steps 0 means 1 */
	bool scratch;         /* the pad was used, or the answer was an expression */
	double took_s, par_s; /* on this problem until then */
	const char *mode;     /* "study", "sprint", ... */
	const char
		*set; /* what was asked for, where it goes on if it is left: "chapter-1"; or "" */
};

/* What has just happened to an item of a session. Its texts belong to the item and to the
 * caller. */
struct history_event history_event_of(const struct session_item *item, enum history_kind kind,
	const char *given, const char *mode, int64_t at_s);

/* Whether it is about that problem, with the same numbers. */
bool history_is_of(const struct history_event *e, const struct variant *v);

/* The event as one line with its newline; an invalid byte of a text becomes U+FFFD. Its length, or
 * 0 when it does not fit. */
enum { HISTORY_LINE_SIZE = 8192 };
size_t history_line(const struct history_event *e, char *buf, size_t size);

struct history {
	struct history_event *events; /* in the order of the file */
	size_t n;
	size_t n_lines;      /* that are not blank */
	size_t n_unreadable; /* among them */
	size_t n_other;      /* kinds of event that this version does not know */
	size_t first_bad;    /* number of the first unreadable line, from 1 */
	const char *why;     /* what is wrong with it */
	char *text;          /* what the events' texts are part of */
};

/* Reads lines of text in memory from malloc, size + 1 bytes long; it is the history's from now on.
 * 0, or -1 when memory is out. Release it either way. */
int history_parse(struct history *h, char *text, size_t size);
void history_release(struct history *h);

/* "2 of 310 lines cannot be read (line 17: ...); they are kept." Returns buf, "" where all can. */
char *history_complaint(const struct history *h, char *buf, size_t size);

#endif
