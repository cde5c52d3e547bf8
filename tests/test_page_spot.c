/* Spots in a page: found again at other widths and after the author changed something. */
#include "tests/page_shown.h"

#include "ui/pages/page_spot.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const char markdown[] =
	"before any heading\n\n# One\n\nalpha beta gamma delta epsilon zeta eta theta iota "
	"kappa\n\n"
	"## Two\n\n```sim roofline\n```\n\nlambda mu nu xi omicron pi rho sigma tau upsilon\n\n"
	"| a | b |\n|---|---|\n| phi | chi |\n\npsi omega\n";

static struct page laid_out(const char *text, int width)
{
	struct page p;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, page_layout(&p, text, strlen(text), width, &engine)));
	return p;
}

static bool has(const struct page *p, size_t line, const char *word)
{
	for (size_t i = 0; i < p->lines[line].n_spans; i++)
		if (strstr(p->lines[line].spans[i].text, word))
			return true;
	return false;
}

Test(page_spot, finds_the_same_line_at_the_same_width)
{
	for (int width = 20; width <= 100; width += 16) {
		struct page p = laid_out(markdown, width);
		for (size_t i = 0; i < p.n_lines; i++) {
			struct page_spot spot = page_spot_at(&p, i);
			bool lost = true;
			cr_expect(eq(sz, page_spot_line(&p, &spot, &lost), i), "width %d", width);
			cr_expect(not(lost));
		}
		struct page_spot end = page_spot_at(&p, p.n_lines + 9);
		cr_expect(eq(sz, page_spot_line(&p, &end, NULL), p.n_lines - 1));
		page_release(&p);
	}
}

static size_t line_of(const struct page *p, const char *word)
{
	size_t i = 0;
	while (i + 1 < p->n_lines && !has(p, i, word))
		i++;
	return i;
}

Test(page_spot, finds_the_same_words_at_another_width)
{
	/* The first words of lines at 20 columns. */
	static const char *const words[] = { "before", "One", "alpha", "Two", "lambda", "psi" };
	struct page narrow = laid_out(markdown, 20), wide = laid_out(markdown, 90);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct page_spot spot = page_spot_at(&narrow, line_of(&narrow, words[i]));
		size_t line = page_spot_line(&wide, &spot, NULL);
		cr_expect(has(&wide, line, words[i]), "%s", words[i]);
	}
	/* A line in the middle of a paragraph: the line that its words are in now. */
	struct page_spot spot = page_spot_at(&narrow, line_of(&narrow, "epsilon"));
	cr_expect(has(&wide, page_spot_line(&wide, &spot, NULL), "epsilon"));
	/* The second row of the figure. */
	for (size_t i = 0; i < narrow.n_lines; i++)
		if (narrow.lines[i].figure_row == 1)
			spot = page_spot_at(&narrow, i);
	cr_expect(eq(int, wide.lines[page_spot_line(&wide, &spot, NULL)].figure_row, 1));
	page_release(&narrow);
	page_release(&wide);
}

Test(page_spot, follows_its_heading_when_the_text_changes)
{
	struct page before = laid_out(markdown, 40);
	struct page_spot spot = page_spot_at(&before, line_of(&before, "lambda"));
	page_release(&before);
	char text[1024];
	snprintf(text, sizeof text, "# New\n\nA paragraph more, and another one.\n\n%s", markdown);
	struct page after = laid_out(text, 40);
	bool lost = true;
	cr_expect(has(&after, page_spot_line(&after, &spot, &lost), "lambda"));
	cr_expect(not(lost));
	page_release(&after);
	/* The heading is gone: the top, and it is told. */
	after = laid_out("# Another\n\nText.\n", 40);
	cr_expect(zero(sz, page_spot_line(&after, &spot, &lost)));
	cr_expect(lost);
	page_release(&after);
	/* The section has become shorter than the spot was far: the end. */
	after = laid_out("# Two\n", 40);
	cr_expect(zero(sz, page_spot_line(&after, &spot, &lost)));
	page_release(&after);
	after = laid_out("", 40);
	cr_expect(zero(sz, page_spot_line(&after, &(struct page_spot){ .letters = 4 }, NULL)));
	page_release(&after);
}

Test(page_spot, is_written_and_read)
{
	static const struct {
		const char *text;
		bool good;
		const char *id, *anchor;
		long letters, rows;
	} rows[] = {
		{ "gpu", true, "gpu", "", 0, 0 },
		{ "gpu#the-ridge", true, "gpu", "the-ridge", 0, 0 },
		{ "gpu#the-ridge@120.2", true, "gpu", "the-ridge", 120, 2 },
		{ "gpu#@7.0", true, "gpu", "", 7, 0 },
		{ "", false, "", "", 0, 0 },
		{ "#a", false, "", "", 0, 0 },
		{ "gpu#a@", false, "gpu", "a", 0, 0 },
		{ "gpu#a@1", false, "gpu", "a", 1, 0 },
		{ "gpu#a@-1.0", false, "gpu", "a", 0, 0 },
		{ "gpu#a@1.2x", false, "gpu", "a", 1, 2 },
		{ "gpu#a@99999999999999999999.0", false, "gpu", "a", 0, 0 },
		{ "an-id-that-is-longer-than-its-room", false, "", "", 0, 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char id[16], again[200];
		struct page_spot spot;
		bool good = page_spot_read(rows[i].text, id, sizeof id, &spot);
		cr_expect(eq(int, good, rows[i].good), "%s", rows[i].text);
		if (!good || !rows[i].good)
			continue;
		cr_expect(eq(str, id, (char *)rows[i].id));
		cr_expect(eq(str, spot.anchor, (char *)rows[i].anchor));
		cr_expect(spot.letters == rows[i].letters && spot.rows == rows[i].rows);
		page_spot_write(id, &spot, again, sizeof again);
		if (strchr(rows[i].text, '@'))
			cr_expect(eq(str, again, (char *)rows[i].text));
	}
}
