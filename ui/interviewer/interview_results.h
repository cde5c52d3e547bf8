/* What the kept interviews came to, those taken here ($XDG_DATA_HOME/ridge/sittings) and those given
 * (.../interviews): each record is done once more, and its result counted (drills/case_result.h). That takes
 * some tenths of a second for each, since its designs are run again, so a screen reads them one at a time. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEW_RESULTS_H
#define RIDGE_UI_INTERVIEWER_INTERVIEW_RESULTS_H

#include "drills/case_stats.h"

#include <stdbool.h>

/* A record in which nothing was done yet, or whose candidate never was told what it came to, has none.
 * False: it has no result, or cannot be read; *readable says which. */
bool interview_result_taken(
	const struct tables *t, const char *text, struct case_result *r, bool *readable);
bool interview_result_given(
	const struct tables *t, const char *text, struct case_result *r, bool *readable);

/* Begin with zeroes. */
struct interview_results {
	struct arena arena;
	struct interview_result {
		const char *name; /* of the record's file */
		bool given, read, is;
		struct case_result result; /* where it is one */
	} * list;
	size_t n, room, at; /* records; those before `at` have been read */
	size_t unreadable;
	struct case_offer *offers; /* the cases that there are */
	size_t n_offers, offers_room;
	bool listed;
};

/* Finds the records; those that were read before stay read. 0, or -1 when memory is out. Release it
 * either way. */
int interview_results_find(struct interview_results *r);
/* Reads the next record. False: all have been read. */
bool interview_results_next(struct interview_results *r, const struct tables *t);
/* Counts what has been read. 0, or -1 when memory is out. Release *s either way. */
int interview_results_count(const struct interview_results *r, struct case_stats *s);
/* Reads what each case has, for case_next. */
void interview_results_offer(struct interview_results *r, const struct tables *t);
void interview_results_release(struct interview_results *r);

#endif
