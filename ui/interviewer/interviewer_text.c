#include "ui/interviewer/interviewer_text.h"

#include <ctype.h>
#include <stdlib.h>

enum { PAPER_COLUMNS = 78 };

void markdown_escape(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c < 0x80 && ispunct(c))
			putc('\\', out);
		putc(c < 0x20 || c == 0x7f ? ' ' : c, out);
	}
}

static void write_part(
	const struct interviewer *v, enum interviewer_part part, int64_t now_ms, FILE *out)
{
	if (part == PART_SUMMARY || interviewer_in_summary(v)) {
		interviewer_write_summary(v, now_ms, out);
		return;
	}
	if (part != PART_SIDE)
		interviewer_write_guide(v, v->at, out);
	if (part != PART_GUIDE) {
		interviewer_write_notes(v, v->at, out);
		interviewer_write_list(v, v->at, out);
	}
}

int interviewer_page(struct page *p, const struct interviewer *v, enum interviewer_part part,
	int64_t now_ms, int width, bool ascii)
{
	char *text = NULL;
	size_t bytes = 0;
	struct page_env env = { .ascii = ascii };
	FILE *out = open_memstream(&text, &bytes);
	*p = (struct page){ 0 };
	if (!out)
		return -1;
	write_part(v, part, now_ms, out);
	int rc = fclose(out) ? -1 : page_layout(p, text, bytes, width < 20 ? 20 : width, &env);
	free(text);
	return rc;
}

int interviewer_print(const struct interviewer *v, int64_t now_ms, bool ascii, FILE *out)
{
	struct page p;
	struct canvas cv = { 0 };
	enum glyphs glyphs = ascii ? GLYPHS_ASCII : GLYPHS_LINES;
	int rc = interviewer_page(&p, v, PART_SUMMARY, now_ms, PAPER_COLUMNS, ascii);
	if (rc == 0)
		rc = canvas_init(&cv, (int)p.n_lines, PAPER_COLUMNS, glyphs);
	if (rc == 0) {
		page_draw(&cv, (struct rect){ 0, 0, cv.rows, cv.cols }, &p, 0, NULL, -1, -1);
		canvas_write_text(&cv, out);
	}
	canvas_release(&cv);
	page_release(&p);
	return rc;
}
