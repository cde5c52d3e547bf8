/* The record of an interview: what the interviewer did, one JSON object a line, appended as it
 * happens. Who begins the session of the first line anew and does what the others say has the same
 * interview again (interviewer_do), which is how one that was cut off goes on, and how one of last
 * month is printed.
 *
 *   {"schema":1,"did":"begin","at":1767225600,"code":"B20M-7K","name":"Ada"}
 *   {"did":"clock","ms":0,"n":1}
 *   {"did":"note","ms":17400,"began_ms":15100,"text":"asks for the length first"}
 *   {"did":"mark","ms":61250,"n":4}
 *   {"did":"go","ms":61250,"n":1}
 *   {"did":"untold","ms":70100,"n":3}
 *   {"did":"unheard","ms":71000}
 *   {"did":"end","ms":71000,"n":3}
 *
 * A session without a code (there are drills of one's own) has "mode", "count", "seed" and "topic" in
 * the first line. Every later line has the interview's clock as "ms". What stands behind an "end" corrects
 * what was ended, up to another "end". Lines that cannot be read are
 * left alone and counted. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_RECORD_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_RECORD_H

#include "ui/interviewer/interviewer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lines with their newline; NULL: out of memory. The caller frees. */
char *interviewer_begin_line(const struct interviewer *v);
char *interviewer_deed_line(const struct interviewer_deed *d, int64_t now_s);

/* What a record says at a glance. */
struct interviewer_head {
	int64_t at_s;     /* Unix time of its first line */
	int64_t clock_ms; /* at the last */
	char code[CODE_SIZE];
	char candidate[CANDIDATE_SIZE];
	bool ended;      /* once, whatever was corrected since */
	int64_t ended_s; /* Unix time of that; -1: not known */
	unsigned mark;   /* of the whole, where it was ended; 0: none */
};
/* Deals nothing, so that a list of many is quick. False: the text is no record. */
bool interviewer_head_read(const char *text, struct interviewer_head *h);

/* The interview of a record, with its clock stopped at the last line's. 0; or -1 and one line in err
 * (no record; drills that are gone), and then *v is empty. *unreadable: lines that say nothing that can
 * be done. Release *v with interviewer_release. */
int interviewer_replay(struct interviewer *v, const struct tables *t, const char *text,
	size_t *unreadable, char *err, size_t err_size);

#endif
