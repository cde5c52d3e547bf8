/* First readings: what of a page goes into depth, and what is left when that is left out. */
#include "tests/explorer.h"
#include "ui/data/content_facts.h"
#include "ui/data/in_depth.h"
#include "ui/pages/first_reading.h"
#include "ui/screens/page/page_view.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#define MARK "<!-- in depth -->\n"

/* What the n-th section in depth has below its mark; NULL: there is none. The caller frees. */
static char *section(const char *text, size_t n)
{
	struct in_depth s = { .end = text };
	for (size_t i = 0; i <= n; i++)
		if (!in_depth_next(s.end, &s))
			return NULL;
	return strndup(s.begin, (size_t)(s.end - s.begin));
}

static void expect_section(const char *text, size_t n, const char *expected)
{
	char *found = section(text, n);
	cr_expect(expected ? found && strcmp(found, expected) == 0 : !found,
		"section %zu of\n%s\nis\n%s", n, text, found ? found : "none");
	free(found);
}

Test(first_reading, a_section_goes_to_the_next_of_its_level_or_above)
{
	static const char text[] = "# Page\n\n## A\n\n" MARK "\none\n\n### A1\n\ntwo\n\n## B\n\n"
				   "three\n\n### B1\n" MARK "four\n#### B1a\nfive\n### B2\nsix\n";
	expect_section(text, 0, "\none\n\n### A1\n\ntwo\n\n");
	expect_section(text, 1, "four\n#### B1a\nfive\n");
	expect_section(text, 2, NULL);
}

Test(first_reading, headings_and_marks_in_code_are_none)
{
	static const char text[] = "## A\n" MARK "```\n## no heading\n```\nend\n"
				   "```\n## B\n" MARK "```\n## C\nnone\n";
	expect_section(text, 0, "```\n## no heading\n```\nend\n```\n## B\n" MARK "```\n");
	expect_section(text, 1, NULL);
}

Test(first_reading, a_mark_stands_directly_below_its_heading)
{
	expect_section("## A\n\ntext\n\n" MARK "more\n", 0, NULL);
	expect_section("## A\n<!-- in depth, I think -->\nmore\n", 0, NULL);
	expect_section("text\n" MARK "more\n", 0, NULL);
	expect_section("## A\n<!-- in depth -->", 0, "");
}

/* Of nine words (two of them are headings) five are in depth. */
Test(first_reading, words_are_counted_without_what_is_left_out)
{
	static const char text[] =
		"# One\n\ntwo three\n\n## Four\n\n" MARK "five six seven eight nine\n";
	struct content_facts f = content_facts(text);
	cr_expect(eq(sz, f.words, 9));
	cr_expect(eq(sz, f.first_words, 4));
	f = content_facts("# One\n\ntwo\n");
	cr_expect(eq(sz, f.words, f.first_words));
}

Test(first_reading, leaves_headings_and_a_line_in_place_of_sections)
{
	static const char text[] = "# P\n\na\n\n## B\n\n" MARK "\nb\n\n## C\n\nc\n";
	struct arena a = { 0 };
	size_t bytes = strlen(text);
	const char *left = first_reading(text, &bytes, ": d shows it", &a);
	cr_expect(eq(str, (char *)left,
		"# P\n\na\n\n## B\n\n*In depth, 1 min: d shows it*\n\n## C\n\nc\n"));
	cr_expect(eq(sz, bytes, strlen(left)));
	const char *same = first_reading("# P\n", &bytes, "", &a);
	cr_expect(eq(str, (char *)same, "# P\n"));
	arena_release(&a);
}

/* --- In the explorer --- */

static struct explorer reading(const char *folder)
{
	setenv("RIDGE_CONTENT", folder, 1);
	return explorer_start(24, 80, GLYPHS_LINES);
}

static void write_page(char *folder)
{
	char path[128], command[160];
	strcpy(folder, "/tmp/ridge-depth-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(command, sizeof command, "mkdir %s/chapters", folder);
	cr_assert(zero(int, system(command)));
	snprintf(path, sizeof path, "%s/chapters/01-gpu.md", folder);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fprintf(f, "# A page\n\nplain words\n\n## Deep\n\n" MARK
		   "\nhidden words\n\n### Deeper\n\nthe deepest\n\n## After\n\nlast words\n");
	fclose(f);
}

static void expect_text(struct explorer *e, const char *part, bool there)
{
	char *text = explorer_text(e);
	const bool found = strstr(text, part) != NULL;
	cr_expect(found == there, "%s \"%s\" in\n%s", there ? "no" : "a", part, text);
	free(text);
}

static void remove_page(const char *folder)
{
	char command[160];
	unsetenv("RIDGE_CONTENT");
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect(zero(int, system(command)));
}

Test(first_reading, a_key_leaves_out_what_goes_into_depth_and_brings_it_back)
{
	char folder[32];
	write_page(folder);
	struct explorer e = reading(folder);
	cr_assert(explorer_open(&e, "page:gpu"));
	expect_text(&e, "hidden words", true);
	explorer_press(&e, "d");
	expect_text(&e, "hidden words", false);
	expect_text(&e, "In depth, 1 min: d shows it", true);
	expect_text(&e, "last words", true);
	cr_expect(e.app->progress->first, "it is kept for the next page");
	cr_assert(explorer_open(&e, "page:gpu"));
	expect_text(&e, "hidden words", false);
	explorer_press(&e, "d");
	expect_text(&e, "hidden words", true);
	cr_expect(not(e.app->progress->first));
	explorer_end(&e);
	remove_page(folder);
}

/* A link to what is left out shows it, and the next page is a first reading again. */
Test(first_reading, shows_all_to_who_asks_for_a_part_in_depth)
{
	char folder[32];
	write_page(folder);
	struct explorer e = reading(folder);
	cr_assert(explorer_open(&e, "page:gpu"));
	explorer_press(&e, "d");
	cr_assert(explorer_open(&e, "page:gpu#deeper"));
	expect_text(&e, "the deepest", true);
	cr_expect(e.app->progress->first);
	cr_assert(explorer_open(&e, "page:gpu#after"));
	expect_text(&e, "hidden words", false);
	explorer_end(&e);
	remove_page(folder);
}
