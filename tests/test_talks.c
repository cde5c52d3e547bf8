/* Tours: how the file is read, what its words come to, what --check finds, and how one is given. */
#include "tests/explorer.h"
#include "tests/settings.h"
#include "tests/times_in.h"
#include "ui/commands/talk_record.h"
#include "ui/data/content.h"
#include "ui/data/page_list.h"
#include "ui/screens/present/present_screen.h"
#include "ui/talks/talk_check.h"

#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables facts;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	facts = load_tables();
}

static void unload(void)
{
	tables_release(&facts);
}

TestSuite(talks, .init = load, .fini = unload);

/* --- The file --- */

static int read_text(struct tour *t, const char *text, struct arena *a, char *err, size_t size)
{
	return tour_read(t, "mine", text, strlen(text), a, err, size);
}

Test(talks, reads_a_tour)
{
	static const char text[] =
		"# Waits\n\n5 min\n\n"
		"## Three quarters: `=wait_services`\n\n"
		"```sim queueing utilisation=0.75\nshow: waits\nhero: wait_services\n"
		"also: busy_pct wait_pct\nseconds: 40\n```\n\n"
		"For paper.\n\n> One.\n>\n> Two.\n\n"
		"## And at 90 %?\n\n- [ ] as long\n- [x] longer\n\n"
		"```sim queueing\nutilisation=0.9 servers=2\nexpect: busy_pct > 80\n"
		"optional: yes\n```\n\n"
		"## Elsewhere\n\n```sim roofline gpu=h100\n```\n\n"
		"## The page\n\n[it](page:gpu)\n";
	struct arena a = { 0 };
	struct tour t;
	char err[300] = "";
	cr_assert(zero(int, read_text(&t, text, &a, err, sizeof err)), "%s", err);
	cr_assert(eq(sz, t.n, 4));
	cr_expect(eq(str, (char *)t.title, "Waits"));
	cr_expect(eq(dbl, t.seconds, 300));
	cr_expect(eq(str, (char *)t.steps[0].caption, "Three quarters: `=wait_services`"));
	cr_expect(eq(str, (char *)t.steps[0].target, "queueing utilisation=0.75"));
	cr_expect(eq(str, (char *)t.steps[0].show, "waits"));
	cr_expect(eq(sz, t.steps[0].n_also, 2));
	cr_expect(eq(str, (char *)t.steps[0].also[1], "wait_pct"));
	cr_expect(eq(dbl, t.steps[0].seconds, 40));
	cr_expect(eq(str, (char *)t.steps[0].notes, "One.\nTwo."));
	cr_expect(eq(str, (char *)t.steps[0].handout, "For paper."));
	/* Settings add up, the last of a knob wins; what moves is what the step says itself. */
	cr_expect(eq(str, (char *)t.steps[1].target, "queueing utilisation=0.9 servers=2"));
	cr_expect(eq(str, (char *)t.steps[1].moves, "utilisation=0.9 servers=2"));
	cr_expect(t.steps[1].optional && t.steps[1].n_options == 2 && t.steps[1].options[1].right);
	cr_expect(eq(dbl, t.steps[1].seconds, 30));
	/* Another simulation begins at its defaults. */
	cr_expect(eq(str, (char *)t.steps[2].target, "roofline gpu=h100"));
	cr_expect(t.steps[2].is_sim && t.steps[3].is_sim == false);
	cr_expect(eq(str, (char *)t.steps[3].target, "page:gpu"));
	arena_release(&a);
}

/* So many expectations, pauses and settings have room in a step, and one more has none. */
Test(talks, a_step_says_a_bounded_number_of_things)
{
	static const struct {
		const char *line;
		int most;
		const char *said;
	} rows[] = { { "expect: wait_services > 1", TOUR_EXPECTS, "more expectations than" },
		{ "pause: 1s", TOUR_PAUSES, "more pauses than" } };
	for (size_t i = 0; i < COUNT(rows); i++)
		for (int more = 0; more < 2; more++) {
			struct arena a = { 0 };
			struct tour t;
			char text[2000] = "# T\n\n## A\n\n```sim queueing\n", err[300] = "";
			for (int n = 0; n < rows[i].most + more; n++)
				sprintf(text + strlen(text), "%s\n", rows[i].line);
			strcat(text, "```\n");
			cr_expect(eq(int, read_text(&t, text, &a, err, sizeof err), more ? -1 : 0),
				"%s", err);
			cr_expect(strstr(err, more ? rows[i].said : "") != NULL, "%s", err);
			arena_release(&a);
		}
}

/* What stands before the first step, and blocks that say nothing to a tour, are left alone. */
Test(talks, other_blocks_are_no_part_of_it)
{
	static const char text[] =
		"> Before all.\n\nNo minutes.\n\n- a list\n\n# T\n\n# U\n\n5 min\n\n"
		"## A\n\n```python\nx = 1\n```\n\n---\n\n- not an answer\n\n"
		"[here](page:gpu)\n\n[and here](page:memory)\n\n"
		"two\nlines  \nthree `code`\n\n```sim queueing\n\n```\n";
	struct arena a = { 0 };
	struct tour t;
	char err[300] = "";
	cr_expect(eq(int, read_text(&t, text, &a, err, sizeof err), -1));
	cr_expect(strstr(err, "a step shows one thing") != NULL, "%s", err);
	arena_release(&a);
	static const char shorter[] =
		"# T\n\n# U\n\n5 min\n\n## A\n\n---\n\n- not an answer\n\n"
		"[here](page:gpu)\n\n[and here](page:memory)\n\ntwo\nlines  \nthree\n";
	cr_assert(zero(int, read_text(&t, shorter, &a, err, sizeof err)), "%s", err);
	cr_expect(eq(str, (char *)t.title, "T"));
	cr_expect(eq(dbl, t.seconds, 300));
	cr_expect(eq(str, (char *)t.steps[0].target, "page:gpu"));
	cr_expect(eq(str, (char *)t.steps[0].handout, "and here\ntwo lines three"));
	cr_expect(eq(sz, t.steps[0].n_options, 0));
	arena_release(&a);
}

Test(talks, refuses_with_line_and_nearest)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
		{ "## A\n\n```sim queueing\n```\n", "no title" },
		{ "# T\n", "no step" },
		{ "# T\n\n## A\n\n```sim queuing\n```\n",
			"line 5: no simulation \"queuing\"; did you mean \"queueing\"?" },
		{ "# T\n\n## A\n\n```sim queueing\nheor: x\n```\n",
			"line 6: no \"heor:\"; did you mean \"hero\"?" },
		{ "# T\n\n## A\n\n```sim queueing\nutilisation\n```\n",
			"line 6: no setting and no \"key: ...\": \"utilisation\"" },
		{ "# T\n\n## A\n\n```sim queueing\nseconds: soon\n```\n",
			"line 6: seconds: expected 1 to 3600, not \"soon\"" },
		{ "# T\n\n## A\n\n```sim queueing\nalso: a b c d\n```\n",
			"more than three values" },
		{ "# T\n\n## A\n\n```sim queueing\n```\n\n```sim roofline\n```\n",
			"line 8: a step shows one thing" },
		{ "# T\n\n## A?\n\n- [ ] no\n- [ ] never\n", "one [x] among them" },
		{ "# T\n\n## A?\n\n- [ ] no\n- [x] yes\n\n```sim queueing\nbelief: B 3\n```\n",
			"belief: of no wrong answer" },
		{ "# T\n\n## A?\n\n- [ ] no\n- [x] yes\n\n```sim queueing\nbelief: half\n```\n",
			"expected the letter of an answer" },
		{ "# T\n\n## A?\n\n- [x] no\n- never\n",
			"line 3: an answer without its box, \"[ ] \" or \"[x] \": \"never\"" },
		{ "# T\n\n## A\n\n```sim queueing\nexpect a > 3\n```\n",
			"line 6: expected a colon behind \"expect\"" },
		{ "# T\n\n```sim queueing\n```\n", "before the first" },
		{ "# T\n\n##\n\n```sim queueing\n```\n", "line 3: a step without a caption" },
		{ "# T\n\n## A\n\n```sim queueing\nseconds:\n```\n", "expected 1 to 3600, not" },
		{ "# T\n\n## A\n\n```sim queueing\nseconds: 3s\n```\n", "not \"3s\"" },
		{ "# T\n\n## A\n\n```sim queueing\nseconds: 0\n```\n", "not \"0\"" },
		{ "# T\n\n## A\n\n```sim queueing\nseconds: 3601\n```\n", "not \"3601\"" },
		{ "# T\n\n## A\n\n```sim queueing\noptional: maybe\n```\n",
			"optional: expected yes or no, not \"maybe\"" },
		{ "# T\n\n## A?\n\n- [ ] no\n- [x] yes\n\n```sim queueing\nbelief: a 3\n```\n",
			"expected the letter of an answer" },
		{ "# T\n\n## A?\n\n- [ ] no\n- [x] yes\n\n```sim queueing\nbelief: Z 3\n```\n",
			"expected the letter of an answer" },
		{ "# T\n\n## A?\n\n- [ ] no\n- [x] yes\n\n```sim queueing\nbelief: C 3\n```\n",
			"belief: of no wrong answer" },
		{ "# T\n\n## A\n\n```sim queueing\nbelief:\n```\n",
			"expected the letter of an answer" },
		{ "# T\n\n## A?\n\n- [x] 1\n- [ ] 2\n- [ ] 3\n- [ ] 4\n- [ ] 5\n- [ ] 6\n",
			"more than five answers to \"A?\"" },
		{ "# T\n\n## A?\n\n- [x] yes\n", "a question needs two answers" },
		{ "# T\n\n## A?\n\n- [x] yes\n- [x] also\n", "a question needs two answers" },
		{ "# T\n\n## A\n\n```sim queueing\nsweep: servers 2\n```\n",
			"sweep: expected a knob and 2 to 12 values" },
		{ "# T\n\n## A\n\n```sim queueing\nsweep: servers 1 2 3 4 5 6 7 8 9 10 11 12 13\n```\n",
			"sweep: expected a knob and 2 to 12 values" },
		{ "# T\n\n## A\n\n```sim queueing\nsweep: servers 1 2 3 4 5 6 7 8 9 10 11 12 1s each 14\n```\n",
			"more values than a sweep may have: \"14\"" },
		{ "# T\n\n## A\n\n```sim queueing\nsweep: servers 1 2 1 each\n```\n",
			"sweep: expected 0.1s to 60s each, not \"1\"" },
		{ "# T\n\n## A\n\n```sim queueing\nsweep: servers 1 2 0.05s each\n```\n",
			"not \"0.05s\"" },
		{ "# T\n\n## A\n\n```sim queueing\nsweep: servers 1 2 61s each\n```\n",
			"not \"61s\"" },
		{ "# T\n\n## A\n\n```sim queueing\nsweep: servers 1 2\npause: 1s\n```\n",
			"a step has a sweep or pauses, not both" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena a = { 0 };
		struct tour t;
		char err[300] = "";
		cr_expect(eq(int, read_text(&t, rows[i].text, &a, err, sizeof err), -1), "%s",
			rows[i].text);
		cr_expect(strstr(err, rows[i].said) != NULL, "%s: %s", rows[i].said, err);
		arena_release(&a);
	}
}

/* --- The words --- */

static struct figure made_figure(double wait_s, double busy_pct)
{
	struct figure fig = { .why = "Because." };
	figure_value(&fig, "wait_s", "wait", wait_s, "s", ROLE_PLAIN);
	figure_value(&fig, "busy_pct", "busy", busy_pct, "%", ROLE_PLAIN);
	return fig;
}

Test(talks, numbers_of_two_figures)
{
	struct figure now = made_figure(0.25, 80), before = made_figure(0.1, 50);
	const struct tour_scene s = { &facts, &now, &before };
	static const struct {
		const char *text;
		double number;
	} rows[] = { { "wait_s", 0.25 }, { "before.wait_s", 0.1 }, { "ratio(wait_s)", 2.5 },
		{ "2 * wait_s / before.wait_s", 5 }, { "(busy_pct - before.busy_pct) / 3", 10 },
		{ "1e3 * wait_s", 250 }, { "0.5", 0.5 } };
	char err[300];
	double got;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_assert(zero(int, tour_number(&s, rows[i].text, &got, err, sizeof err)), "%s: %s",
			rows[i].text, err);
		cr_expect(epsilon_eq(dbl, got, rows[i].number, 1e-9), "%s", rows[i].text);
	}
	cr_expect(eq(int, tour_number(&s, "wiat_s", &got, err, sizeof err), -1));
	cr_expect(strstr(err, "did you mean \"wait_s\"?") != NULL, "%s", err);
	const struct tour_scene first = { &facts, &now, NULL };
	cr_expect(eq(int, tour_number(&first, "ratio(wait_s)", &got, err, sizeof err), -1));
	cr_expect(strstr(err, "no figure before") != NULL, "%s", err);
	figure_release(&now);
	figure_release(&before);
}

/* A number of a thousand digits is refused, not cut: half of it would be another one. */
Test(talks, what_is_too_long_is_refused)
{
	struct figure now = made_figure(0.25, 80);
	const struct tour_scene s = { &facts, &now, NULL };
	char text[1100], err[300] = "";
	double got;
	memset(text, '1', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	cr_expect(eq(int, tour_number(&s, text, &got, err, sizeof err), -1));
	cr_expect(strstr(err, "too long") != NULL, "%s", err);
	memset(text, ' ', sizeof text - 1);
	memcpy(text + 700, "wait_s", 6);
	cr_expect(eq(int, tour_number(&s, text, &got, err, sizeof err), -1));
	cr_expect(strstr(err, "too long") != NULL, "%s", err);
	figure_release(&now);
}

/* Of several spans the first that cannot be computed is named, though later ones can. */
Test(talks, the_first_wrong_span_is_named)
{
	struct figure now = made_figure(0.25, 80);
	const struct tour_scene s = { &facts, &now, &now };
	char said[200], err[300] = "";
	cr_expect(eq(int,
		tour_caption(
			&s, "`=wiat_s` and `=ratio(busy_pct)`", said, sizeof said, err, sizeof err),
		-1));
	cr_expect(strstr(err, "wiat_s") != NULL && strstr(err, "wait_s") != NULL, "%s", err);
	cr_expect(strncmp(said, "? and 1", 7) == 0, "%s", said);
	figure_release(&now);
}

Test(talks, captions_are_computed)
{
	struct figure now = made_figure(0.25, 80), before = made_figure(0.1, 50);
	const struct tour_scene s = { &facts, &now, &before };
	static const struct {
		const char *text, *shown;
	} rows[] = { { "A wait of `=wait_s`.", "A wait of 250 ms." },
		{ "`=wait_s in ms`, `=ratio(wait_s)` times `=before.wait_s`",
			"250 ms, 2.5 times 100 ms" },
		{ "`=why` And `code`.", "Because. And code." },
		/* 312 TFLOP/s over 2.039 TB/s */
		{ "ridge `=ridge_point peak_flops=312e12 bandwidth=2.039e12`",
			"ridge 153 FLOP/B" } };
	char buf[300], err[300];
	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_expect(
			zero(int, tour_caption(&s, rows[i].text, buf, sizeof buf, err, sizeof err)),
			"%s: %s", rows[i].text, err);
		cr_expect(eq(str, buf, (char *)rows[i].shown));
	}
	cr_expect(eq(int, tour_caption(&s, "`=wait_x` s", buf, sizeof buf, err, sizeof err), -1));
	cr_expect(eq(str, buf, "? s"));
	figure_release(&now);
	figure_release(&before);
}

Test(talks, expectations)
{
	struct figure now = made_figure(0.25, 80), before = made_figure(0.1, 50);
	const struct tour_scene s = { &facts, &now, &before };
	static const struct {
		const char *text;
		bool holds;
	} rows[] = { { "wait_s < 0.3", true }, { "wait_s < 0.25", false },
		{ "ratio(wait_s) > 2.4", true }, { "ratio(wait_s) > 2.5", false },
		{ "busy_pct between 79 and 81", true }, { "busy_pct between 81 and 90", false },
		/* 5 % of 84 are 4.2, of 85 4.25 */
		{ "busy_pct about 84", true }, { "busy_pct about 85", false } };
	char err[300];
	double found;
	for (size_t i = 0; i < COUNT(rows); i++) {
		bool holds = !rows[i].holds;
		cr_assert(zero(int, tour_expect(&s, rows[i].text, &holds, &found, err, sizeof err)),
			"%s: %s", rows[i].text, err);
		cr_expect(eq(int, holds, rows[i].holds), "%s: %g", rows[i].text, found);
	}
	bool holds;
	cr_expect(eq(int, tour_expect(&s, "busy_pct", &holds, &found, err, sizeof err), -1));
	cr_expect(strstr(err, "expects nothing") != NULL);
	static const struct {
		const char *text, *said;
	} wrong[] = { { "busy_pct between 79", "between B and C" },
		{ "wiat_s > 1", "no value \"wiat_s\"" },
		{ "wait_s > wiat_s", "no value \"wiat_s\"" },
		{ "wait_s between 0 and wiat_s", "no value \"wiat_s\"" },
		{ "ratio(wait_s > 1", "no \")\"" },
		{ "before.nothing < 1", "no value \"nothing\"" } };
	for (size_t i = 0; i < COUNT(wrong); i++) {
		cr_expect(eq(
			int, tour_expect(&s, wrong[i].text, &holds, &found, err, sizeof err), -1));
		cr_expect(strstr(err, wrong[i].said) != NULL, "%s: %s", wrong[i].text, err);
	}
	figure_release(&now);
	figure_release(&before);
}

/* --- Whether it is true --- */

static void gather(void *context, const char *line)
{
	strncat(context, line, 3000 - strlen(context));
	strncat(context, "\n", 3000 - strlen(context));
}

/* Opens a tour from a file of its own. */
static size_t check_text(const char *text, char *found)
{
	char folder[] = "/tmp/ridge-tour-XXXXXX", path[64], err[400];
	struct talk talk;
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(path, sizeof path, "%s/mine.md", folder);
	FILE *f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	cr_assert(zero(int, talk_open(&talk, &facts, path, err, sizeof err)), "%s", err);
	remove(path);
	remove(folder);
	found[0] = '\0';
	size_t n = talk_check(&talk, gather, found);
	talk_release(&talk);
	return n;
}

Test(talks, spans_of_pages_are_no_trouble)
{
	char found[3001];
	cr_expect(eq(sz,
			  check_text("# T\n\n## `=queueing utilisation=0.9 : busy_pct` and "
				     "`=cluster_mtbf gpus=16384`\n\n```sim queueing\n```\n",
				  found),
			  0),
		"%s", found);
}

/* A value is written with its unit: who writes the unit too has it twice. What is wrong in two ways is told once. */
Test(talks, the_check_tells_a_doubled_unit_and_each_fault_once)
{
	char found[3001];
	cr_expect(eq(sz,
			  check_text("# T\n\n## It takes `=ttft_p50_ms` ms\n\n```sim batching\n"
				     "hero: ttft_p50_ms\n```\n",
				  found),
			  1),
		"%s", found);
	cr_expect(strstr(found, "the unit stands twice: \"ms ms\"") != NULL, "%s", found);
	cr_expect(eq(sz,
			  check_text("# T\n\n## `=nothing` waits\n\n```sim queueing\n```\n\n"
				     "## Then `=nothing`\n\n```sim queueing servers=2\n"
				     "hero: wait_services\n```\n",
				  found),
			  2),
		"%s", found);
	cr_expect(
		eq(sz, times_in(found, "no value \"nothing\""), 2), "once in each step: %s", found);
}

Test(talks, the_check_finds_what_is_not_true)
{
	char found[3001];
	/* Right: 75 % of one exponential server is three service times, and 0.75 a setting. */
	cr_expect(eq(sz,
			  check_text("# T\n\n## At 75 % people wait `=wait_services`\n\n"
				     "```sim queueing utilisation=0.75\nhero: wait_services\n"
				     "expect: wait_services about 3\n```\n",
				  found),
			  0),
		"%s", found);
	static const struct {
		const char *step, *said;
	} rows[] = {
		{ "## People wait 3 services\n\n```sim queueing\n```\n", "the number 3 typed" },
		{ "## On 8 H100\n\n```sim roofline gpu=h100\n```\n", "the number 8 typed" },
		{ "## On 13\n\n```sim queueing\nexpect: wait_services < 130.13\n```\n",
			"the number 13 typed" },
		{ "## On 99x\n\n```sim queueing\n```\n", "the number 99 typed" },
		{ "## A `=waitt`\n\n```sim queueing\n```\n", "no value \"waitt\"" },
		{ "## A\n\n```sim queueing\nshow: nothing\n```\n", "no part \"nothing\"" },
		{ "## A\n\n```sim latency\nuntil: nothing\n```\n", "no row \"nothing\"" },
		{ "## A\n\n```sim queueing\nhero: nothing\n```\n",
			"hero: the figure has no value \"nothing\"" },
		{ "## A\n\n```sim queueing\nhero: wait_service\n```\n",
			"no value \"wait_service\"; did you mean" },
		{ "## A\n\n```sim queueing\nalso: wait_service\n```\n",
			"also: the figure has no value \"wait_service\"" },
		{ "## A\n\n```sim queueing\nexpect: wait_services > 30\n```\n",
			"expected wait_services > 30, found 3" },
		{ "## A\n\n```sim queueing\n```\n\n## B\n\n```sim queueing\nseed=1\n```\n",
			"seed=1 changes nothing that is shown" },
		{ "## A\n\n```sim queueing\nutilisation=2\n```\n", "utilisation" },
		/* 3 services before, 4 then: both are more than 2. */
		{ "## A\n\n```sim queueing utilisation=0.75\n```\n\n"
		  "## It got worse\n\n```sim queueing utilisation=0.8\nhero: wait_services\n"
		  "expect: wait_services > 2\n```\n",
			"all that it expects is so in the step before, too" },
		/* 75 % busy is a wait of 3 services. */
		{ "## A?\n\n- [ ] no\n- [x] yes\n\n```sim queueing\nutilisation=0.75\nhero: "
		  "wait_services\nbelief: A 3\n```\n",
			"belief: A comes to 3, and wait_services is 3: as good as right" },
		{ "## A?\n\n- [ ] no\n- [x] yes\n\n```sim queueing\nbelief: A wiat\n```\n",
			"belief: wiat: " },
		/* The ridge is the GPU's, whatever the batch. */
		{ "## A\n\n```sim roofline\n```\n\n## Now `=ridge`\n\n```sim roofline "
		  "batch=64\nhero: layer_ms\n```\n",
			"the caption speaks of ridge, which batch=64 does not change" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[600];
		snprintf(text, sizeof text, "# T\n\n%s", rows[i].step);
		cr_expect(check_text(text, found) > 0, "%s", rows[i].step);
		cr_expect(strstr(found, rows[i].said) != NULL, "%s: %s", rows[i].said, found);
	}
	/* Text that is no number of the tour: in a name, in code, with commas, at the end of a sentence. */
	static const char *const free[] = { "## A `3` and B`\n\n```sim queueing\n```\n",
		"## Of 8,192, then 8192.\n\n```sim queueing\nexpect: wait_services < 8192\n```\n",
		"## One a-b, 0.9\n\n```sim queueing utilisation=0.9\n```\n" };
	for (size_t i = 0; i < COUNT(free); i++) {
		char text[600];
		snprintf(text, sizeof text, "# T\n\n%s", free[i]);
		cr_expect(eq(sz, check_text(text, found), 0), "%s", found);
	}
	/* What is compared, or was not so before, tells two steps apart. */
	static const char *const expected[] = { "wait_services > 3.5", "ratio(wait_services) > 1.2",
		"wait_services > before.wait_services", "ratio(busy_pct) between 1 and 2" };
	for (size_t i = 0; i < COUNT(expected); i++) {
		char text[600];
		snprintf(text, sizeof text,
			"# T\n\n## A\n\n```sim queueing utilisation=0.75\n```\n\n## It got worse\n\n"
			"```sim queueing utilisation=0.8\nhero: wait_services\nexpect: %s\n```\n",
			expected[i]);
		cr_expect(eq(sz, check_text(text, found), 0), "%s", found);
	}
	/* Names are free, and what is expected. */
	cr_expect(eq(sz,
			  check_text(
				  "# T\n\n## Llama-3-70B on H100 waits 3 services\n\n"
				  "```sim queueing\nexpect: wait_services between 2.9 and 3\n```\n",
				  found),
			  0),
		"%s", found);
}

/* Every simulation has its tour, of five to nine steps, each with something to say and to hold, and
 * no longer than people listen. */
Test(talks, every_simulation_has_its_tour)
{
	for (size_t i = 0; i < n_sims; i++) {
		struct talk talk;
		char err[400];
		cr_assert(zero(int, talk_open(&talk, &facts, sims[i]->id, err, sizeof err)), "%s",
			err);
		const struct tour *t = &talk.tour;
		cr_expect(t->n >= 5 && t->n <= 9, "%s: %zu steps", t->id, t->n);
		cr_expect(t->seconds >= 120 && t->seconds <= 480, "%s: %g s", t->id, t->seconds);
		size_t held = 0, asked = 0;
		for (size_t k = 0; k < t->n; k++) {
			talk_go(&talk, k);
			cr_expect(strlen(talk.caption) <= 150 && *t->steps[k].notes, "%s %zu: %s",
				t->id, k + 1, talk.caption);
			held += t->steps[k].n_expects > 0;
			asked += t->steps[k].n_options > 0;
		}
		cr_expect(held + 1 >= t->n, "%s holds %zu of %zu", t->id, held, t->n);
		cr_expect(asked >= 1, "%s asks nothing", t->id);
		talk_release(&talk);
	}
}

/* Whether a chapter has a link to the talk. */
static bool some_chapter_leads_to(const char *id)
{
	struct page_list list;
	char link[sizeof "](present:)" + TOUR_ID_BYTES];
	bool found = false;
	snprintf(link, sizeof link, "](present:%s)", id);
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n && !found; i++) {
		size_t bytes;
		void *owned = NULL;
		const char *text = content_read(list.pages[i].file, &bytes, &owned);
		found = list.pages[i].chapter >= 0 && text && strstr(text, link);
		free(owned);
	}
	page_list_release(&list);
	return found;
}

/* A talk goes through several simulations, in ten to fifteen minutes, with questions, and with steps to
 * leave out when it is late. One that a chapter leads to may be a short one. */
Test(talks, talks_are_as_long_as_talks)
{
	char ids[64][TOUR_ID_BYTES], err[400];
	size_t n = talk_list(ids, COUNT(ids)), talks = 0, shorts = 0;
	for (size_t i = 0; i < n; i++) {
		struct talk talk;
		if (sim_find(ids[i]))
			continue;
		cr_assert(zero(int, talk_open(&talk, &facts, ids[i], err, sizeof err)), "%s", err);
		const struct tour *t = &talk.tour;
		const size_t parts = t->seconds < 600 ? 1 : 2;
		size_t asked = 0, optional = 0, changes = 0;
		for (size_t k = 0; k < t->n; k++) {
			asked += t->steps[k].n_options > 0;
			optional += t->steps[k].optional;
			changes += k && t->steps[k].is_sim && t->steps[k - 1].is_sim &&
				   strcspn(t->steps[k].target, " ") !=
					   strcspn(t->steps[k - 1].target, " ");
		}
		talks += parts == 2;
		shorts += parts == 1;
		cr_expect(parts == 1 ? t->n >= 4 && t->n <= 8 : t->n >= 12 && t->n <= 20,
			"%s: %zu steps", t->id, t->n);
		cr_expect(t->seconds >= 180 && t->seconds <= 900, "%s: %g s", t->id, t->seconds);
		cr_expect(asked >= parts && optional >= parts && changes >= parts,
			"%s: %zu, %zu, %zu", t->id, asked, optional, changes);
		cr_expect(parts == 2 || some_chapter_leads_to(t->id),
			"%s: a short talk, for nobody", t->id);
		talk_release(&talk);
	}
	cr_expect(talks >= 6 && shorts >= 1);
}

/* Every tour that ridge has is true. */
Test(talks, all_that_are_told_are_true)
{
	char ids[64][TOUR_ID_BYTES], err[400], found[3001];
	size_t n = talk_list(ids, COUNT(ids));
	cr_assert(n > 0 && n <= COUNT(ids));
	for (size_t i = 0; i < n; i++) {
		struct talk talk;
		cr_assert(zero(int, talk_open(&talk, &facts, ids[i], err, sizeof err)), "%s", err);
		found[0] = '\0';
		cr_expect(eq(sz, talk_check(&talk, gather, found), 0), "%s", found);
		talk_release(&talk);
	}
}

/* Nobody can tell the right answer without the question: it stands in each place about as often as
 * in the others, and no answer alone has a number that is computed. */
Test(talks, answers_do_not_give_themselves_away)
{
	char ids[64][TOUR_ID_BYTES], err[400];
	size_t right[TOUR_OPTIONS] = { 0 }, asked = 0;
	size_t n = talk_list(ids, COUNT(ids));
	for (size_t i = 0; i < n; i++) {
		struct talk talk;
		cr_assert(zero(int, talk_open(&talk, &facts, ids[i], err, sizeof err)), "%s", err);
		for (size_t k = 0; k < talk.tour.n; k++) {
			const struct tour_step *s = &talk.tour.steps[k];
			size_t computed = 0;
			for (size_t o = 0; o < s->n_options; o++) {
				right[o] += s->options[o].right;
				computed += strstr(s->options[o].text, "`=") != NULL;
			}
			asked += s->n_options > 0;
			cr_expect(
				computed == 0 || computed == s->n_options, "%s %zu", ids[i], k + 1);
		}
		talk_release(&talk);
	}
	for (size_t o = 0; o < 3; o++)
		cr_expect(5 * right[o] > asked, "%zu of %zu in place %zu", right[o], asked, o + 1);
}

Test(talks, opens_by_name_or_path)
{
	struct talk talk;
	char err[400];
	cr_expect(eq(int, talk_open(&talk, &facts, "queuing", err, sizeof err), -1));
	cr_expect(strstr(err, "did you mean \"queueing\"?") != NULL, "%s", err);
	cr_expect(eq(int, talk_open(&talk, &facts, "/nonexistent/x.md", err, sizeof err), -1));
	cr_expect(strstr(err, "No such file") != NULL, "%s", err);
}

/* --- Given --- */

static size_t question_of(const struct talk *t)
{
	for (size_t i = 0; i < t->tour.n; i++)
		if (t->tour.steps[i].n_options)
			return i;
	return t->tour.n;
}

Test(talks, a_question_hides_the_figure_until_its_answer)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing"));
	const struct talk *t = present_talk(e.app);
	size_t asked = question_of(t);
	cr_assert(asked < t->tour.n);
	present_go(e.app, asked);
	app_settle(e.app);
	const char *axis = "Busy (%)";
	cr_expect(explorer_shows(&e, axis) == false);
	explorer_press(&e, "a b b");
	cr_expect(t->votes[0] == 1 && t->votes[1] == 2);
	/* No knob turns behind a question. */
	explorer_press(&e, "l");
	cr_expect(t->off_script == false && explorer_shows(&e, axis) == false);
	explorer_press(&e, "n");
	cr_expect(t->answered && t->at == asked && explorer_shows(&e, axis));
	explorer_press(&e, "n n"); /* the end of what the answer plays, and on */
	cr_expect(eq(sz, t->at, asked + 1 < t->tour.n ? asked + 1 : asked));
	explorer_end(&e);
}

/* Whatever the speaker turns, n leads back to what the script shows, and forth and back is the same
 * screen. */
Test(talks, off_the_script_and_back)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing"));
	char *first = explorer_text(&e);
	explorer_press(&e, "l l");
	const struct talk *t = present_talk(e.app);
	cr_expect(t->off_script && t->at == 0);
	char *turned = explorer_text(&e);
	cr_expect(ne(str, turned, first));
	explorer_press(&e, "n");
	cr_expect(t->off_script == false && t->at == 0);
	char *again = explorer_text(&e);
	cr_expect(eq(str, again, first));
	free(again);
	explorer_press(&e, "G g");
	again = explorer_text(&e);
	cr_expect(eq(str, again, first));
	free(again);
	free(turned);
	free(first);
	explorer_press(&e, "b");
	cr_expect(explorer_shows(&e, "Busy") == false);
	explorer_press(&e, "n");
	cr_expect(t->at == 0 && explorer_shows(&e, "Busy"));
	explorer_end(&e);
}

/* The screen of a step that was opened by its number. */
static char *opened_at(const char *id, size_t step)
{
	char target[TOUR_ID_BYTES + 40];
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	snprintf(target, sizeof target, "present:%s %zu", id, step + 1);
	cr_assert(explorer_open(&e, target));
	present_go(e.app, step);
	app_settle(e.app);
	char *text = explorer_text(&e);
	explorer_end(&e);
	return text;
}

/* A figure that the talk has is not run again for the next step, and a step shows the same as where
 * nothing was there before: going on, going back, after turns and after a sweep. */
Test(talks, a_step_is_the_same_however_it_is_come_to)
{
	static const char *const ids[] = { "queueing", "memory", "why-is-my-gpu-idle" };
	for (size_t i = 0; i < COUNT(ids); i++) {
		struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
		char target[TOUR_ID_BYTES + 16];
		snprintf(target, sizeof target, "present:%s", ids[i]);
		cr_assert(explorer_open(&e, target));
		const size_t n = present_talk(e.app)->tour.n;
		for (size_t walk = 0; walk < 2 * n; walk++) {
			const size_t step = walk < n ? walk : 2 * n - 1 - walk;
			present_go(e.app, step);
			app_settle(e.app);
			char *walked = explorer_text(&e), *opened = opened_at(ids[i], step);
			cr_expect(eq(str, walked, opened));
			free(walked);
			free(opened);
			/* Every third one is left after a turn, every other after what it plays. */
			if (walk % 3 == 0)
				explorer_press(&e, "l");
			else
				present_play(e.app);
		}
		explorer_end(&e);
	}
}

Test(talks, presents_what_is_on_the_screen)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "sim:roofline gpu=h100"));
	explorer_press(&e, "P");
	cr_expect(
		explorer_shows(&e, "present › Roofline") && explorer_shows(&e, "wait for memory"));
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "Simulations › Roofline") && explorer_shows(&e, "H100"));
	explorer_end(&e);
}

/* Off the script the caption is the figure's own sentence; back on it votes and answer are as they
 * were. One Esc does not leave a talk. */
Test(talks, a_talk_is_not_lost)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing"));
	const struct talk *t = present_talk(e.app);
	present_go(e.app, question_of(t));
	app_settle(e.app);
	explorer_press(&e, "a n l");
	cr_expect(t->off_script && t->answered && t->votes[0] == 1);
	cr_expect(eq(str, (char *)t->caption, (char *)t->live.figure.why));
	explorer_press(&e, "n");
	cr_expect(t->off_script == false && t->answered && t->votes[0] == 1);
	cr_expect(explorer_shows(&e, "A ████████████████ 1") && explorer_shows(&e, "B 0"));
	/* The step after it, and back: the answer stands, with what the room said. */
	while (t->answered)
		explorer_press(&e, "n");
	explorer_press(&e, "p");
	cr_expect(t->answered && t->votes[0] == 1);
	explorer_press(&e, "p");
	cr_expect(t->answered == false && t->votes[0] == 1, "the question keeps its votes");
	explorer_press(&e, "n");
	cr_expect(t->answered && t->votes[0] == 1);
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "Esc again leaves the talk"));
	explorer_press(&e, "p Esc");
	cr_expect(explorer_shows(&e, "Esc again leaves the talk"));
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "› present ›") == false);
	explorer_end(&e);
}

/* With the answer stands what the wrong ones would have come to, as long as it is about this setting. Busy
 * for 90 % in place of 75, "a fifth longer" than 3 services are 3.6. */
Test(talks, a_wrong_belief_is_shown_beside_the_answer)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing"));
	static const char believed[] = "A would be 3.6.";
	present_go(e.app, question_of(present_talk(e.app)));
	app_settle(e.app);
	cr_expect(explorer_shows(&e, believed) == false, "it is still asked");
	explorer_press(&e, "n n");
	cr_expect(explorer_shows(&e, believed));
	explorer_press(&e, "h");
	cr_expect(explorer_shows(&e, believed) == false, "about another setting");
	explorer_end(&e);
}

/* --- Recorded --- */

/* In so many seconds; 0: as the file says. */
static char *cast_in(const char *target, enum cast_form form, double seconds)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	char *text = NULL;
	size_t size;
	cr_assert(explorer_open(&e, target));
	if (seconds > 0)
		present_plan(e.app, seconds);
	FILE *f = open_memstream(&text, &size);
	cr_assert(zero(int, talk_record(e.app, form, BACKGROUND_DARK, f)));
	fclose(f);
	explorer_end(&e);
	return text;
}

static char *cast_of(const char *target, enum cast_form form)
{
	return cast_in(target, form, 0);
}

/* The same talk is the same bytes; a marker for each step, and it lasts as long as its steps. */
Test(talks, recordings_are_deterministic)
{
	char *once = cast_of("present:queueing", CAST_V3),
	     *twice = cast_of("present:queueing", CAST_V3);
	char *second = cast_of("present:queueing", CAST_V2), err[300], last[60];
	struct talk talk;
	double sum = 0;
	cr_assert(zero(int, talk_open(&talk, &facts, "queueing", err, sizeof err)));
	for (size_t i = 0; i < talk.tour.n; i++)
		sum += talk.tour.steps[i].seconds;
	cr_expect(eq(str, once, twice));
	cr_expect(eq(sz, times_in(once, "\"m\""), talk.tour.n));
	cr_expect(
		strncmp(once, "{\"version\": 3, \"term\": {\"cols\": 100, \"rows\": 30}", 48) == 0);
	cr_expect(strncmp(second, "{\"version\": 2, \"width\": 100, \"height\": 30", 40) == 0);
	snprintf(last, sizeof last, "[%.3f, \"o\"", sum);
	cr_expect(strstr(second, last) != NULL, "%s", last);
	cr_expect(strstr(once, "\"x\"") != NULL);
	char *longer = cast_in("present:queueing", CAST_V2, 1200);
	cr_expect(strstr(longer, "[1200.000, \"o\"") != NULL);
	free(longer);
	talk_release(&talk);
	free(once);
	free(twice);
	free(second);
}

/* Behind a look around the talk is still there: q tells, and leaves at the second time. Another key
 * between them begins anew. */
Test(talks, a_look_around_does_not_end_a_talk)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing"));
	explorer_press(&e, "n o");
	cr_expect(explorer_shows(&e, "› present ›") == false);
	cr_expect(app_key(e.app, 'q', e.now_ms));
	cr_expect(explorer_shows(&e, "The talk stands at step 2 of"));
	explorer_press(&e, "l");
	cr_expect(app_key(e.app, 'q', e.now_ms));
	cr_expect(app_key(e.app, 'q', e.now_ms) == false);
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "› present ›"));
	cr_expect(app_key(e.app, 'q', e.now_ms) == false, "the talk itself is left by one key");
	explorer_end(&e);
}

/* The place that is kept says where the same talk was left; another talk's says nothing. */
Test(talks, who_begins_anew_is_told_where_it_was_left)
{
	const struct present_wishes wishes = { .votes = NO_VOTES };
	static const struct {
		const char *place;
		bool told;
	} rows[] = { { "present:queueing 3", true }, { "present:queueing 1", false },
		{ "present:roofline 3", false }, { "present:queueing 99", false },
		{ "sim:queueing", false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
		cr_assert(explorer_open(&e, "present:queueing"));
		strcpy(e.app->progress->place, rows[i].place);
		present_wish(e.app, &wishes);
		cr_expect(eq(int, explorer_shows(&e, "was left at step 3"), rows[i].told),
			"row %zu", i);
		explorer_end(&e);
	}
}

/* While a question stands the notes say so, and which answer is right without a colour. */
Test(talks, notes_of_a_question)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing"));
	const size_t step = question_of(present_talk(e.app));
	cr_assert(explorer_open(&e, "notes:queueing"));
	for (size_t i = 0; i < step; i++)
		explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "On the screen: the question."));
	cr_expect(explorer_shows(&e, "<- right"));
	cr_expect(explorer_shows(&e, "Not yet, with the answer:"));
	cr_expect(explorer_shows(&e, "NEXT  the answer"));
	cr_expect(explorer_shows(&e, "h and l turn") == false);
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "Esc again leaves the notes"));
	cr_expect(explorer_shows(&e, "› notes ›"));
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "› notes ›") == false);
	explorer_end(&e);
}

/* Off the script, over a part that is not the figure's first, it is said what was turned and what the
 * large number is then: the figure's own sentence is about the first. A part of 60 % a thousand times as fast: 1 / (0.4 + 0.0006) is 2.496. */
Test(talks, off_the_script_the_caption_is_of_the_part_that_is_shown)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:why-is-my-gpu-idle"));
	const struct talk *t = present_talk(e.app);
	for (size_t i = 0; i < t->tour.n; i++)
		if (t->tour.steps[i].hero && strcmp(t->tour.steps[i].hero, "part_speedup") == 0)
			present_go(e.app, i);
	cr_assert(eq(str, (char *)t->live.sim->id, "amdahl"));
	app_settle(e.app);
	cr_expect(explorer_shows(&e, "‹ 44 % ›"), "what h and l turn");
	explorer_press(&e, ":");
	explorer_type(&e, "part_pct=60");
	explorer_press(&e, "Enter");
	app_settle(e.app);
	cr_expect(t->off_script);
	cr_expect(eq(str, (char *)t->caption, "Part 44 → 60 %: whole speed-up is 2.5x"));
	explorer_end(&e);
}

/* What the speaker turns is compared with what stood there before the turn, not with the step before; and
 * back on the script the step's own knob is in hand. At 80 % one exponential server makes people wait
 * 4 services, at 90 % 9. */
Test(talks, a_turn_is_compared_with_what_it_changed)
{
	char err[400];
	struct talk t;
	cr_assert(zero(int, talk_open(&t, &facts, "queueing", err, sizeof err)), "%s", err);
	talk_go(&t, 1);
	const int own = t.live.focus;
	cr_assert(t.live.has_pin);
	const double before = t.live.pin.v[own];
	live_set(&t.live, own, 0.8);
	cr_expect(talk_has_left(&t) && t.off_script == false, "the figure has not followed yet");
	live_update(&t.live);
	talk_turned(&t);
	cr_assert(t.off_script && t.live.has_pin);
	cr_expect(eq(dbl, t.live.pin.v[own], t.script.v[own]));
	const struct value *was = figure_find(&t.live.pinned, "wait_services");
	const struct value *now = figure_find(&t.live.figure, "wait_services");
	cr_assert(was && now);
	cr_expect(epsilon_eq(dbl, now->value, 4, 1e-6));
	cr_expect(epsilon_eq(dbl, was->value, t.script.v[own] / (1 - t.script.v[own]), 1e-6));
	/* Another knob, as `:` takes it in hand. */
	cr_expect(talk_take_knob(&t, "servers") && t.live.focus != own);
	cr_expect(talk_take_knob(&t, "no such knob") == false);
	talk_return(&t);
	cr_expect(t.off_script == false && t.live.focus == own);
	cr_expect(eq(dbl, t.live.pin.v[own], before));
	/* Turned back by hand it is the script as well. */
	live_set(&t.live, own, 0.8);
	live_update(&t.live);
	talk_turned(&t);
	live_set(&t.live, own, t.script.v[own]);
	live_update(&t.live);
	talk_turned(&t);
	cr_expect(t.off_script == false);
	cr_expect(eq(dbl, t.live.pin.v[own], before));
	talk_release(&t);
}

/* A step can end its figure at a row, so that it does not tell what a later one is about: on paper, too. */
Test(talks, a_figure_ends_at_the_row_that_the_step_names)
{
	static const struct {
		const char *talk, *until, *after;
	} rows[] = { { "33-milliseconds", "now", "TensorRT" },
		{ "33-milliseconds", "serial", "pipelined" },
		{ "serving-a-70b-model", "slot 14", "continuous" } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct explorer e = explorer_start(40, 120, GLYPHS_BRAILLE);
		char target[80];
		snprintf(target, sizeof target, "present:%s", rows[i].talk);
		cr_assert(explorer_open(&e, target));
		const struct tour *t = &present_talk(e.app)->tour;
		size_t step = 0;
		while (step < t->n &&
			!(t->steps[step].until && strcmp(t->steps[step].until, rows[i].until) == 0))
			step++;
		cr_assert(step < t->n, "row %zu", i);
		present_go(e.app, step);
		app_settle(e.app);
		cr_expect(explorer_shows(&e, rows[i].after) == false, "row %zu", i);
		explorer_end(&e);
	}
}

/* s says what it leaves out, the list of steps opens where the talk is, and who leaves a talk on its way is
 * told how to go on. */
Test(talks, nobody_loses_the_place)
{
	struct explorer e = explorer_start(40, 140, GLYPHS_BRAILLE);
	char left[200];
	cr_assert(explorer_open(&e, "present:why-is-my-gpu-idle"));
	const struct talk *t = present_talk(e.app);
	cr_expect(present_left(e.app, left, sizeof left) == NULL, "nothing was shown yet");
	size_t skipped = 0;
	while (!t->tour.steps[skipped].optional)
		skipped++;
	present_go(e.app, skipped - 1);
	app_settle(e.app);
	explorer_press(&e, "s");
	char said[60], go_on[120];
	snprintf(said, sizeof said, "Step %zu is left out.", skipped + 1);
	cr_expect(t->at == skipped + 1 && explorer_shows(&e, said));
	cr_assert(present_left(e.app, left, sizeof left) != NULL);
	snprintf(go_on, sizeof go_on, "ridge present why-is-my-gpu-idle %zu goes on", t->at + 1);
	cr_expect(strstr(left, go_on) != NULL, "%s", left);
	explorer_press(&e, "'");
	cr_expect(eq(sz, e.app->palette.row, t->at));
	cr_expect(explorer_shows(&e, "1.68x the time"), "with its numbers");
	explorer_press(&e, "Enter");
	cr_expect(eq(sz, present_talk(e.app)->at, skipped + 1));
	explorer_press(&e, "G");
	cr_expect(present_left(e.app, left, sizeof left) == NULL, "it is over");
	explorer_end(&e);
}

/* A talk is as long as its file says, each step with its share of that. */
Test(talks, steps_add_up_to_the_plan)
{
	char err[400];
	struct talk t;
	double sum_s = 0;
	cr_assert(zero(int, talk_open(&t, &facts, "why-is-my-gpu-idle", err, sizeof err)));
	for (size_t i = 0; i < t.tour.n; i++)
		sum_s += t.tour.steps[i].seconds;
	cr_expect(epsilon_eq(dbl, sum_s, 13 * 60, 1e-6));
	talk_drop_notes(&t);
	for (size_t i = 0; i < t.tour.n; i++)
		cr_expect(t.tour.steps[i].notes[0] == '\0');
	talk_release(&t);
}

/* A talk calls what it compares with "before", not what the explorer does with a key; dots say what they
 * are. */
Test(talks, what_was_before_is_called_so)
{
	static const struct {
		const char *place, *said;
	} rows[] = { { "present:serving-a-70b-model 17", "│ before" },
		{ "present:serving-a-70b-model 9", "··· before" } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
		cr_assert(explorer_open(&e, rows[i].place));
		cr_expect(explorer_shows(&e, rows[i].said), "%s", rows[i].place);
		cr_expect(explorer_shows(&e, "pinned") == false);
		explorer_end(&e);
	}
}

/* On a plot whose axis is the knob the point that the knob has reached is marked on the curve. */
Test(talks, the_reached_point_is_marked)
{
	char err[400];
	struct talk t;
	cr_assert(zero(int, talk_open(&t, &facts, "why-is-my-gpu-idle", err, sizeof err)));
	size_t step = 0;
	while (!t.tour.steps[step].show || strcmp(t.tour.steps[step].show, "workers") != 0)
		step++;
	talk_go(&t, step);
	const struct plot *p = &talk_part(&t)->as.plot;
	struct block shown;
	void *owned = talk_shown(&t, talk_part(&t), &shown);
	cr_assert(owned != NULL);
	cr_assert(eq(sz, shown.as.plot.n_series, p->n_series + 1));
	const struct series *mark = &shown.as.plot.series[p->n_series];
	cr_expect(mark->style == SERIES_POINTS && mark->n == 1 && mark->unlisted);
	cr_expect(eq(dbl, mark->points[0].x, t.live.now.v[t.live.focus]), "the workers");
	const struct value *step_ms = figure_find(&t.live.figure, "step_ms");
	cr_expect(
		epsilon_eq(dbl, mark->points[0].y, step_ms->value, 0.5), "the step that they make");
	free(owned);
	talk_release(&t);
}
