/* Sheets to be printed: Markdown of both sides, and pages of HTML. */
#include "drills/session.h"
#include "tests/printed.h"
#include "tests/times_in.h"
#include "tests/whole_bank.h"
#include "ui/practice/drill_markdown.h"
#include "ui/practice/paper.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>
#include <unistd.h>

static char *page_of(const char *markdown)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	cr_assert(zero(int, paper_html(markdown, out)));
	fclose(out);
	return text;
}

Test(paper, a_page_has_title_and_boxes_and_no_script)
{
	char *text = page_of("# A & B\n\n- [ ] one\n- two [ ] not\n\n<script>alert(1)</script>\n\n"
			     "```text\na < b [ ] c\n```\n");
	cr_expect(strstr(text, "<title>A </title>") != NULL, "up to a sign that HTML would read");
	cr_expect(strstr(text, "<h1>A &amp; B</h1>") != NULL);
	cr_expect(eq(sz, times_in(text, "&#9744;"), 1), "a box is at the beginning of an item");
	cr_expect(strstr(text, "two [ ] not") != NULL);
	cr_expect(strstr(text, "a &lt; b [ ] c") != NULL);
	cr_expect(strstr(text, "<script") == NULL);
	cr_expect(strstr(text, "</html>\n") != NULL);
	free(text);
}

/* Every drill of the bank on both sides: the candidate's side has no key, working or follow-up, and no
 * fence is left open. */
Test(paper, the_candidates_side_gives_nothing_away)
{
	static const char *const secret[] = { "**Key", "Working:", "Likely mistakes:", "Follow-up:",
		"Hints:", "A solution:", "Why not the others:" };
	char err[300];
	struct whole_bank w;
	whole_bank_load(&w);
	for (size_t i = 0; i < w.bank.n; i++) {
		const struct session_options o = {
			.topic = w.bank.drills[i].id, .count = 1, .seed = 7, .mode = MODE_SET
		};
		struct drill_session s;
		cr_assert(zero(int, session_init(&s, &w.bank, &w.tables, &o, err, sizeof err)),
			"%s", err);
		for (int side = 0; side < 2; side++) {
			char *text = NULL;
			size_t size;
			FILE *out = open_memstream(&text, &size);
			drill_markdown(&s, "", side == 1, out);
			fclose(out);
			cr_expect(strstr(text, s.items[0].variant.drill->title) != NULL);
			cr_expect(
				eq(sz, times_in(text, "\n```") % 2, 0), "%s", w.bank.drills[i].id);
			for (size_t k = 0; side == 0 && k < sizeof secret / sizeof *secret; k++)
				cr_expect(strstr(text, secret[k]) == NULL, "%s: %s",
					w.bank.drills[i].id, secret[k]);
			free(text);
		}
		session_release(&s);
	}
	whole_bank_release(&w);
}

Test(paper, commands_refuse_what_does_not_go_together)
{
	static const struct {
		const char *words, *said;
	} rows[] = { { "drill --md", "--md goes with --sheet" },
		{ "drill --html x.html", "--html goes with --sheet" },
		{ "drill --sheet --md --json", "expected one of them" },
		{ "case serve-70b --html x.html", "--html goes with --sheet" },
		{ "drill --sheet --html /nonexistent/nowhere/x.html", "No such file" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = printed("C.UTF-8", rows[i].words, "2>&1");
		cr_expect(strstr(text, rows[i].said) != NULL, "%s: %s", rows[i].words, text);
		free(text);
	}
}

Test(paper, a_case_is_a_page_for_either_side)
{
	char path[] = "/tmp/ridge-paper-XXXXXX", words[200], tail[200];
	const int fd = mkstemp(path);
	cr_assert(fd >= 0);
	close(fd);
	for (int side = 0; side < 2; side++) {
		snprintf(words, sizeof words, "case serve-70b --seed 3 --sheet%s --html %s",
			side ? "" : " --candidate", path);
		snprintf(tail, sizeof tail, "2>&1 && cat %s", path);
		char *text = printed("C.UTF-8", words, tail);
		cr_expect(strstr(text, "<!doctype html>") != NULL, "%s", text);
		cr_expect(eq(int, strstr(text, "&#9744; <strong>") != NULL, side), "facts to tick");
		free(text);
	}
	remove(path);
}
