/* A talk as pictures and as one page of HTML: every picture says in words what it shows, and a question
 * comes before its answer. (What the page does under its keys, a browser has to say: make players.) */
#define _GNU_SOURCE /* mkstemps */
#include "tests/explorer.h"
#include "tests/times_in.h"
#include "ui/commands/commands.h"
#include "ui/commands/talk_paper.h"
#include "ui/commands/talk_svg.h"
#include "ui/screens/present/present_screen.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *page_of_talk(const char *id)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	char place[100], *text = NULL;
	size_t size;
	snprintf(place, sizeof place, "present:%s", id);
	cr_assert(explorer_open(&e, place));
	FILE *out = open_memstream(&text, &size);
	cr_assert(zero(int, talk_html(e.app, BACKGROUND_LIGHT, out)));
	fclose(out);
	explorer_end(&e);
	return text;
}

static void expect_balanced(const char *page, const char *element)
{
	char open[20], attributes[20], close[20];
	snprintf(open, sizeof open, "<%s>", element);
	snprintf(attributes, sizeof attributes, "<%s ", element);
	snprintf(close, sizeof close, "</%s>", element);
	cr_expect(eq(sz, times_in(page, open) + times_in(page, attributes), times_in(page, close)),
		"%s", element);
}

Test(talk_paper, the_page_has_each_step_and_each_question_in_words)
{
	static const char *const elements[] = { "section", "figure", "svg", "g", "text", "p", "h2",
		"style", "script" };
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	for (size_t i = 0; i < e.app->tours.n; i++) {
		const char *id = e.app->tours.tours[i].id;
		char place[100], *page = page_of_talk(id);
		size_t questions = 0;
		snprintf(place, sizeof place, "present:%s", id);
		cr_assert(explorer_open(&e, place));
		const struct tour *t = &present_talk(e.app)->tour;
		for (size_t k = 0; k < t->n; k++)
			questions += t->steps[k].n_options > 0;
		cr_expect(eq(sz, times_in(page, "<section"), t->n + questions), "%s", id);
		cr_expect(eq(sz, times_in(page, "<section class=\"asks\""), questions), "%s", id);
		cr_expect(eq(sz, times_in(page, "role=\"img\""), t->n + questions), "%s", id);
		cr_expect(eq(sz, times_in(page, "<desc>"), t->n + questions), "%s", id);
		/* That of the page, and one of each picture. */
		cr_expect(eq(sz, times_in(page, "<title>"), t->n + questions + 1), "%s", id);
		for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
			expect_balanced(page, elements[k]);
		/* Nothing is fetched: the one address is the name of the language. */
		cr_expect(eq(
			sz, times_in(page, "://"), times_in(page, "http://www.w3.org/2000/svg")));
		cr_expect(strstr(page, "src=") == NULL);
		free(page);
	}
	explorer_end(&e);
}

static char *picture(struct explorer *e, bool cropped)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	cr_assert(zero(int, talk_svg(e->app, BACKGROUND_DARK, cropped, out)));
	fclose(out);
	return text;
}

/* The question tells its answers, and not which is right; the answer tells what the figure says. */
Test(talk_paper, a_question_is_told_before_its_answer)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing 2"));
	char *asked = picture(&e, false), why[200];
	const char *title = "<title>From 75 to 90 % busy, how much longer is the wait?</title>";
	cr_expect(strstr(asked, title) != NULL);
	cr_expect(
		strstr(asked, "<desc>A: a fifth longer, as the load is. B: three times as long. C: "
			      "it explodes: 75 % was the knee.</desc>") != NULL);
	present_show_answer(e.app);
	app_settle(e.app);
	char *answered = picture(&e, false);
	cr_expect(strstr(answered, title) != NULL);
	snprintf(why, sizeof why, "<desc>%.40s", present_talk(e.app)->live.figure.why);
	cr_expect(strstr(answered, why) != NULL, "%s", why);
	free(asked);
	free(answered);
	explorer_end(&e);
}

static int height_of(const char *svg)
{
	int rows = 0;
	sscanf(strstr(svg, "height=\""), "height=\"%d\"", &rows);
	return rows;
}

/* What is empty at the end of a screen is left out of a page; nothing else is. */
Test(talk_paper, pictures_are_cropped_to_what_they_show)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:why-is-my-gpu-idle"));
	e.app->quiet = true;
	char *whole = picture(&e, false), *cropped = picture(&e, true);
	/* A caption and three lines of text under the title: less than half of thirty rows. */
	cr_expect(height_of(cropped) < height_of(whole) / 2, "%d of %d", height_of(cropped),
		height_of(whole));
	cr_expect(eq(sz, times_in(cropped, "<text"), times_in(whole, "<text")));
	cr_expect(strstr(cropped, "<desc>A team asks for faster GPUs") != NULL);
	free(whole);
	free(cropped);
	explorer_end(&e);
}

static char *frame(char *place)
{
	char *text = NULL, *argv[] = { (char[]){ "frame" }, place, (char[]){ "--svg" }, NULL };
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct streams io = { stdin, out, stderr };
	cr_assert(zero(int, command_run(3, argv, &io)));
	fclose(out);
	return text;
}

/* Other pictures too: a simulation by what its figure says, a page by its title, as its text can be
 * read. */
Test(talk_paper, frames_are_told_in_words)
{
	char *sim = frame((char[]){ "queueing" }), *page = frame((char[]){ "page:gpu" });
	cr_expect(strstr(sim, "<title>ridge &#8250; Simulations &#8250; Queues</title>") != NULL);
	cr_expect(strstr(sim, "<desc>75 % busy, a request waits 3 service times") != NULL);
	cr_expect(eq(sz, times_in(sim, "role=\"img\""), 1));
	cr_expect(strstr(page, "<title>ridge &#8250; The GPU and the roofline</title>") != NULL);
	cr_expect(eq(sz, times_in(page, "role=\"img\"") + times_in(page, "<desc>"), 0));
	free(sim);
	free(page);
}

/* What cannot be done is said, and nothing is printed or written in its place. */
Test(talk_paper, refuses_what_it_cannot_do)
{
	const struct {
		char *words[5];
		const char *says;
	} rows[] = {
		{ { "gpu-idle" }, "did you mean \"why-is-my-gpu-idle\"?" },
		{ { "queueing", "99" }, "expected the number of a step, 1 to " },
		{ { "queueing", "0" }, "found \"0\"" },
		{ { "queueing", "2x" }, "found \"2x\"" },
		{ { "/" }, "no file: expected a tour in Markdown" },
		{ { "--record", "/nonexistent/x.cast" }, "expected the name of the talk" },
		{ { "queueing", "--size", "20x5", "--record", "/nonexistent/x.cast" },
			"expected 40x12 or more, found \"20x5\"" },
		{ { "--new", "mine" }, "expected a name that ends in .md, found \"mine\"" },
		{ { "queueing", "--time", "16s" }, "expected a length from 1m to 24h" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *argv[7] = { "present" }, *printed, *said;
		int n = 1;
		size_t size;
		for (size_t k = 0; k < 5 && rows[i].words[k]; k++)
			argv[n++] = rows[i].words[k];
		FILE *out = open_memstream(&printed, &size), *err = open_memstream(&said, &size);
		cr_expect(eq(int, command_run(n, argv, &(struct streams){ stdin, out, err, 0 }), 2),
			"row %zu", i);
		fclose(out);
		fclose(err);
		cr_expect(strncmp(said, "ridge present: ", 15) == 0 &&
				  strstr(said, rows[i].says) != NULL,
			"row %zu: %s", i, said);
		cr_expect(eq(str, printed, ""), "row %zu", i);
		free(printed);
		free(said);
	}
}

/* What `ridge present` with these words prints; *rc is its status. To be freed. */
static char *printed_by(char *first, char *second, int *rc)
{
	char *argv[] = { "present", first, second, NULL }, *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	*rc = command_run(3, argv, &(struct streams){ stdin, out, out, 0 });
	fclose(out);
	return text;
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* --check says what is wrong with a talk that somebody writes, and what would mend it. */
Test(talk_paper, a_talk_of_ones_own_is_checked)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "# T\n\n## A\n\nNothing is shown.\n", "no step shows anything" },
		{ "# T\n\n## A\n\n[a page](page:nowhere)\n",
			":3: step 1: there is no page \"nowhere\"" },
		{ "# T\n\n## A\n\n[a page](page:tips)\n", "1 steps, all true" },
		{ "# T\n\n## {=wait_services}\n\n```sim queueing\n```\n",
			"compute a value between" },
		/* Longer contexts leave pages as they are, and reserve room for fewer. */
		{ "# T\n\n## A\n\n```sim kvcache\n```\n\n## B\n\n```sim kvcache context=32768\n"
		  "hero: paged_users\n```\n",
			"it changes contiguous_users, which `hero:` or `also:` would show" },
		{ "# T\n\n## A\n\n```sim kvcache\n```\n\n## B\n\n```sim kvcache context=32768\n```\n",
			"2 steps, all true" },
	};
	char path[] = "/tmp/ridge-talk-XXXXXX.md";
	int fd = mkstemps(path, 3), rc;
	cr_assert(fd >= 0 && close(fd) == 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_text(path, rows[i].text);
		char *said = printed_by(path, "--check", &rc);
		cr_expect(strstr(said, rows[i].says) != NULL, "row %zu: %s", i, said);
		cr_expect(eq(int, rc, strstr(rows[i].says, "all true") ? 0 : 1), "row %zu", i);
		free(said);
	}
	remove(path);
}

/* The talk that one begins with is true, asks, sweeps, and is never written over another file. */
Test(talk_paper, a_new_talk_is_one)
{
	char path[] = "/tmp/ridge-talk-XXXXXX.md";
	int fd = mkstemps(path, 3), rc;
	cr_assert(fd >= 0 && close(fd) == 0);
	char *said = printed_by("--new", path, &rc);
	cr_expect(rc == 1 && strstr(said, "File exists") != NULL, "%s", said);
	free(said);
	remove(path);
	said = printed_by("--new", path, &rc);
	cr_expect(zero(int, rc), "%s", said);
	free(said);
	said = printed_by(path, "--check", &rc);
	cr_expect(rc == 0 && strstr(said, "4 steps, all true") != NULL, "%s", said);
	free(said);
	remove(path);
}
