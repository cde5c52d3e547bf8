/* The interviewer's texts, laid out: for the screen and for paper. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_TEXT_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_TEXT_H

#include "ui/interviewer/interviewer.h"
#include "ui/pages/page.h"

enum interviewer_part {
	PART_GUIDE,      /* what to know of the present stop */
	PART_SIDE,       /* what was noted and answered there, what to listen for */
	PART_GUIDE_SIDE, /* one below the other */
	PART_SUMMARY
};

/* The part as a page; of the summary, where that is where we are, whatever is asked for. 0, or -1
 * when memory is out; release the page either way. */
int interviewer_page(struct page *p, const struct interviewer *v, enum interviewer_part part,
	int64_t now_ms, int width, bool ascii);

/* What is no Markdown into Markdown: its marks and control bytes lose their meaning. */
void markdown_escape(const char *text, FILE *out);

#endif
