/* The record of a sitting of a case: what was typed, one JSON object a line, appended before anything is
 * done with it. Who deals the case of the first line anew and types the others at their times has the same
 * sitting again, which is how one that was cut off goes on.
 *
 *   {"schema":1,"did":"begin","at":1767225600,"case":"serve-70b","seed":"7","level":"staff","minutes":45}
 *   (with "with":"interviewer" on the side of a candidate whose verdicts are held)
 *   {"did":"line","ms":17400,"text":"What is the load at the peak?"}
 *   {"did":"read","ms":17400,"readings":[{"text":"What is ...","as":"facts","facts":["load"]}]}
 *   {"did":"clock","ms":61250}
 *   {"did":"again","ms":61250,"at":1767226300}
 *   {"did":"end","ms":2710000}
 *
 * "ms" is the sitting's clock, which stands while nobody sits there: "clock" says where it stood when it
 * was left, "end" that it was over, and "again" when a candidate whose interviewer sits on the other side
 * went on. "read" follows a line that was no command, and says how it was read (enum case_reading) and
 * which facts were told, or offered beside what was told ("offers"). So what was told stays told, however
 * questions are read later and whatever the words of the case become. Lines that cannot be read are left
 * alone and counted.
 *
 * The files are $XDG_DATA_HOME/ridge/sittings/DATE-CASE.jsonl, whose names sort by time. */
#ifndef RIDGE_UI_PRACTICE_CASE_RECORD_H
#define RIDGE_UI_PRACTICE_CASE_RECORD_H

#include "drills/case_talk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CASE_RECORD_NAME_SIZE = 256 };

/* --- Lines, with their newline; NULL: out of memory. The caller frees. --- */

char *case_begin_line(const struct case_sitting *s, int64_t now_s);
char *case_typed_line(const char *text, int64_t at_ms);
char *case_clock_line(int64_t at_ms);
char *case_again_line(int64_t at_ms, int64_t now_s);
/* How the line was read that was typed last; only where the talk heard something (t->heard). */
char *case_heard_line(const struct case_talk *t, int64_t at_ms);

/* The same as an array for a record of another kind, which the caller deletes, and back: before the line is
 * typed once more. What is no such array is not taken. */
struct cJSON;
struct cJSON *case_heard_json(const struct case_talk *t);
void case_heard_take(struct case_talk *t, const struct cJSON *lines);
char *case_end_line(int64_t at_ms);

/* --- Records --- */

/* What a record says at a glance. */
struct case_head {
	char id[CASE_RECORD_NAME_SIZE];
	uint64_t seed;
	enum case_level level;
	unsigned minutes;       /* CASE_MINUTES where the record does not say */
	int64_t at_s, clock_ms; /* Unix time of the first line, the clock at the last */
	int64_t since_s;        /* Unix time at which it was begun or last gone on with, */
	int64_t since_ms;       /* and the clock then */
	bool held;              /* as it began: the side of an interviewer's candidate */
	size_t typed;           /* lines that did more than leave */
	size_t said;            /* of those, lines that did more than go on */
	bool debriefed, ended;
};
/* Deals nothing. False: the text is no record. */
bool case_head_read(const char *text, struct case_head *h);
/* Whether there is something to go on with: a line was typed, and it is not over. */
bool case_goes_on(const struct case_head *h);

/* How a case is to be dealt: what was asked for, and in the end how it is. */
struct case_dealing {
	bool seeded, levelled, timed; /* what was asked for */
	bool held;                    /* an interviewer has the other side */
	uint64_t seed;
	enum case_level level;
	unsigned minutes;
};
/* Whether a record is of a sitting that goes on and is as it was asked for: then d says how it was dealt. */
bool case_dealing_fits(struct case_dealing *d, const char *record);

/* Types the lines of a record once more, to a talk that has just begun, with what was typed before what
 * was said to it. Returns where the clock stands. *unreadable: lines that say nothing that can be done. */
int64_t case_replay(struct case_talk *t, const char *text, size_t *unreadable);

/* The next typed line of a record, with *at behind it and the clock at which it was typed; the caller frees.
 * NULL: there are no more (or memory is out). */
char *case_record_line(const char **at, int64_t *ms);

/* Takes what the next line of a record says of how the one before it was read, if it says that. */
void case_record_reading(struct case_talk *t, const char *at);

/* --- Files --- */

/* A name that no record has yet. Returns buf, of CASE_RECORD_NAME_SIZE bytes. */
char *case_file_name(const char *id, int64_t now_s, char *buf);
/* Adds a line. 0; or -1 and one line in err that says what is not kept and why. */
int case_file_keep(const char *name, const char *line, char *err, size_t err_size);
/* The record of a case that has so many newer ones, from 0 for the newest: its text, which the caller frees ("" where
 * it cannot be read), and its name in CASE_RECORD_NAME_SIZE bytes. NULL: there are not so many. */
char *case_file_read(const char *id, size_t newer, char *name);
/* The names of all records, the newest first, and the text of one; the caller frees both. NULL: there are none, or it
 * cannot be read. */
char (*case_files_all(size_t *n))[CASE_RECORD_NAME_SIZE];
char *case_file_text(const char *name);
/* Whether the newest record of a case, or a part of it, cannot be read, and then one line in err. */
bool case_file_damaged(const char *id, char *err, size_t err_size);
/* The newest record of that side of a case, and where an interviewer has the other of that very deal; `read` is
 * case_file_read. The caller frees. NULL: there is none. */
char *case_file_find(char *(*read)(const char *id, size_t newer, char *name), const char *id,
	const struct case_dealing *d, char *name);
/* The record of a candidate whose interviewer has the other side of that very deal (d's seed, level and
 * minutes) since began_s. Who opens a code first waits for the other, so it may have been begun, or gone on with, up to
 * an hour before; but not before after_s, when the last interview of that deal ended (0: there was none), and one that
 * was over when this one began is none of it. The caller frees. NULL: nobody sits there. */
char *case_file_candidate(char *(*read)(const char *id, size_t newer, char *name), const char *id,
	struct case_dealing d, int64_t began_s, int64_t after_s, char *name);
/* Changes when a record of the case is added to. */
uint64_t case_file_stamp(const char *id);

/* The day of the last sitting of a case, -1: there was none; and how many of any case began on a day. A sitting
 * counts if a quarter of its time ran, or if it came to the debrief with at least as many lines said as there
 * are phases. Days are counted from 1970-01-01, UTC. */
int64_t case_file_day(const char *id);
size_t case_files_on(int64_t day);

#endif
