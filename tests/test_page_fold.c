/* Folds of a page: what stands for them, what of them counts, where they end. */
#include "tests/page_shown.h"

#include "ui/pages/page_draw.h"
#include "ui/pages/page_fold.h"
#include "ui/pages/page_spot.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const char problem[] = "How long?\n\n<!-- fold -->\n**Plan.** Divide `=cache` by it.\n\n"
			      "<!-- fold -->\nSeven, see [there](#next).\n\n> ### In it\n\n"
			      "```sim roofline\n```\n\n## Next\n\nmore\n";

/* Bit n: fold n is open. */
static bool is_open(const void *context, size_t fold)
{
	return *(const unsigned *)context >> fold & 1;
}

static struct page_env reader(const unsigned *open)
{
	struct page_env env = engine;
	env.context = open;
	env.is_open = is_open;
	return env;
}

static struct page laid_out(const char *text, int width, const struct page_env *env)
{
	struct page p;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, page_layout(&p, text, strlen(text), width, env)));
	return p;
}

/* The page as lines of text, to be freed. */
static char *text_of(const char *markdown, int width, const struct page_env *env)
{
	char *text = NULL;
	size_t size;
	struct page p = laid_out(markdown, width, env);
	FILE *f = open_memstream(&text, &size);
	for (size_t i = 0; i < p.n_lines; i++) {
		fprintf(f, "%*s", p.lines[i].indent, p.lines[i].figure >= 0 ? "<fig>" : "");
		for (size_t j = 0; j < p.lines[i].n_spans; j++)
			fputs(p.lines[i].spans[j].text, f);
		fputc('\n', f);
	}
	fclose(f);
	page_release(&p);
	return text;
}

static void expect_text(const char *markdown, const struct page_env *env, const char *wanted)
{
	char *got = text_of(markdown, 40, env);
	cr_expect(eq(str, got, (char *)wanted));
	free(got);
}

Test(page_fold, is_printed_open_or_left_out)
{
	struct page_env left_out = engine;
	left_out.folded = true;
	expect_text(problem, &engine,
		"How long?\n\nPlan. Divide 4.29 GB by it.\n\nAnswer:\nSeven, see there.\n\n"
		"│ In it\n\n<fig>\n<fig>\n\nNext\n\nmore\n");
	expect_text(problem, &left_out,
		"How long?\n\n▸ Plan: left out\n▸ Answer: left out\n\nNext\n\nmore\n");
	left_out.aloud = true;
	expect_text("Q\n\n<!-- fold -->\nA\n", &left_out, "Q\n\nAnswer: left out\n");
}

Test(page_fold, opens_one_by_one_for_a_reader)
{
	unsigned open = 0;
	const struct page_env env = reader(&open);
	expect_text(
		problem, &env, "How long?\n\n▸ Plan: Enter opens it\n▸ Answer\n\nNext\n\nmore\n");
	open = 1;
	expect_text(problem, &env,
		"How long?\n\n▾ Plan. Divide 4.29 GB by it.\n\n▸ Answer\n\nNext\n\nmore\n");
	open = 3;
	expect_text(problem, &env,
		"How long?\n\n▾ Plan. Divide 4.29 GB by it.\n\n▾ Seven, see there.\n\n"
		"  │ In it\n\n<fig>\n<fig>\n\nNext\n\nmore\n");
}

Test(page_fold, ends_at_a_mark_a_heading_or_with_its_item)
{
	unsigned open = 0;
	const struct page_env env = reader(&open);
	expect_text("a\n\n<!-- fold: Why -->\nb\n\nc\n\n<!-- end -->\n\nd\n", &env,
		"a\n\n▸ Why: Enter opens it\n\nd\n");
	expect_text("- **a?**\n  <!-- fold -->\n  b\n- **c?**\n  <!-- fold -->\n  d\n\ne\n", &env,
		"• a?\n  ▸ Answer: Enter opens it\n• c?\n  ▸ Answer: Enter opens it\n\ne\n");
	expect_text("<!-- fold -->\n- a\n\n  <!-- fold -->\n  b\n\n# c\n", &env,
		"▸ Answer: Enter opens it\n\nc\n"); /* one in another is part of it */
	expect_text("<!-- folded -->\na\n\n<!-- fold up -->\nb\n\n<!-- end -->\nc\n", &env,
		"a\n\nb\n\nc\n"); /* other comments, and an end of nothing */
	expect_text("<!-- fold -->\n\n# a\n", &env, "▸ Answer: Enter opens it\n\na\n");
	open = 1;
	expect_text("<!-- fold -->\n\n# a\n", &env, "▾ \n\na\n");
}

/* What is hidden has no links, numbers and rows, but headings can be found. */
Test(page_fold, hides_what_is_in_it)
{
	unsigned open = 0;
	struct page_env env = reader(&open);
	struct page p = laid_out(problem, 40, &env);
	cr_expect(eq(sz, p.n_folds, 2));
	cr_expect(eq(sz, p.n_computed, 0));
	cr_assert(eq(sz, p.n_links, 2)); /* the two marks */
	cr_expect(eq(long, fold_of_target(p.links[1].target), 1));
	cr_expect(eq(sz, p.links[1].line, 3));
	cr_assert(eq(sz, p.n_headings, 2));
	cr_expect(eq(int, p.headings[0].fold, 2));
	cr_expect(eq(sz, p.headings[0].line, 3));
	cr_expect(zero(int, p.headings[1].fold));
	cr_assert(eq(sz, p.n_figures, 1));
	cr_expect(zero(int, p.figures[0].rows));
	/* "divide" is found at the line for it, "plan" not in the words of that line alone. */
	cr_expect(eq(long, page_find(&p, "divide", -1, false), 2));
	cr_expect(eq(long, page_find(&p, "seven, see", -1, false), 3));
	cr_expect(eq(long, page_find(&p, "opens it", -1, false), -1));
	page_release(&p);
	open = 3;
	p = laid_out(problem, 40, &env);
	cr_expect(eq(sz, p.n_computed, 1));
	cr_expect(eq(sz, p.n_links, 3));
	cr_expect(eq(int, p.figures[0].rows, 2));
	cr_expect(zero(int, p.headings[0].fold));
	page_release(&p);
}

/* 7 letters in the question, 4 in the last word: "HowlongNextmore" is 15 of all, whichever are
 * open; "PlanDivide429GBbyit" has 19 and "SevenseethereInit" has 17. */
Test(page_fold, keeps_spots_and_shares_at_every_width)
{
	for (unsigned open = 0; open < 4; open++)
		for (int width = 20; width <= 100; width += 16) {
			const struct page_env env = reader(&open);
			struct page p = laid_out(problem, width, &env);
			const struct page_spot from_top = { .anchor = "", .letters = 7 + 19 + 17 };
			const size_t line = page_spot_line(&p, &from_top, NULL);
			bool next = false;
			for (size_t i = line; i < p.n_lines && !next; i++)
				for (size_t j = 0; j < p.lines[i].n_spans; j++)
					next |= strcmp(p.lines[i].spans[j].text, "Next") == 0;
			cr_expect(next, "%u at %d", open, width);
			cr_expect(epsilon_eq(dbl, page_share_in_sight(&p), 15.0 / 51, 1e-9),
				"%u at %d", open, width);
			for (size_t i = 0; i < p.n_lines; i++) {
				int columns = p.lines[i].indent;
				for (size_t j = 0; j < p.lines[i].n_spans; j++)
					columns += text_width(p.lines[i].spans[j].text);
				cr_expect(le(int, columns, width));
			}
			page_release(&p);
		}
}
