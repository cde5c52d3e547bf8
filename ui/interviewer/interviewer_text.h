/* The interviewer's texts: the guide to a stop, and the summary of what it all came to. They are
 * written as Markdown, in which numbers stand in the unit that the candidate was asked for, and
 * laid out as pages, for the screen and for paper. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_TEXT_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_TEXT_H

#include "ui/pages/page.h"
#include "ui/practice/case_sheet.h"
#include "ui/interviewer/interviewer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum interviewer_part {
	PART_GUIDE,      /* what to know of the present stop */
	PART_SIDE,       /* what was noted and answered there, what to listen for */
	PART_GUIDE_SIDE, /* one below the other */
	PART_SUMMARY
};

/* The part as a page of so many columns; at the stop of the summary always the summary. 0, or -1 when out of memory;
 * release the page either way. */
int interviewer_page(struct page *p, const struct interviewer *v, enum interviewer_part part,
	int64_t now_ms, struct case_room room, bool ascii);

/* The summary as plain lines of at most 78 columns. 0, or -1 when out of memory. */
int interviewer_print(const struct interviewer *v, int64_t now_ms, bool ascii, FILE *out);

/* The same as Markdown. */
void interviewer_write_summary(const struct interviewer *v, int64_t now_ms, FILE *out);

/* Parts of the problem of a stop that were answered rightly in the end. */
size_t interviewer_right_parts(const struct interviewer *v, size_t stop);

/* What to know at a stop, as Markdown. */
void interviewer_write_guide(const struct interviewer *v, size_t stop, FILE *out);

#endif
