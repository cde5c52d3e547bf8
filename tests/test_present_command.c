/* `ridge present` without a terminal: the list, a talk as text, what it writes to files, and what it says
 * where it cannot. */
#include "tests/data_home.h"
#include "tests/said.h"
#include "ui/commands/cmd_present.h"
#include "ui/programs/talk_wire.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <sys/stat.h>
#include <unistd.h>

static struct data_home home;

static void put(const char *name, const char *text)
{
	data_home_put(&home, name, text);
}

static void begin(void)
{
	data_home_begin(&home, "tours");
	setenv("XDG_RUNTIME_DIR", home.path, 1);
}

static void end(void)
{
	data_home_end(&home);
}

TestSuite(present_command, .init = begin, .fini = end);

static struct said say(const char *line)
{
	return said_at(1767398400, line, NULL);
}

/* ridge present WORDS, where FILE is a file of the home; the words of a file that was written go to text. */
static struct said write_file(const char *words, const char *file, char *text, size_t size)
{
	char line[300], path[200];
	snprintf(path, sizeof path, "%s/%s", home.path, file);
	snprintf(line, sizeof line, "present %s %s", words, path);
	struct said s = say(line);
	FILE *f = fopen(path, "r");
	text[f ? fread(text, 1, size - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
	return s;
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* A line of the list is whole in the narrowest window. */
static void expect_lines_fit(const char *text)
{
	enum { COLS = 80 };
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		cr_expect(le(long, end - text, COLS), "%.*s", (int)(end - text), text);
}

static size_t lines_of(const char *text)
{
	size_t n = 0;
	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

/* Tours stand in the groups of the simulations; talks and how to start one are last, at the prompt, and all of it
 * fits the smallest window with that. */
Test(present_command, lists_tours_by_group_and_talks_at_the_end)
{
	struct said s = say("present");
	cr_expect(zero(int, s.status), "%s", s.err);
	const char *tours = strstr(s.out, "Tours of one simulation, 5 to 8 min each\n"),
		   *talks = strstr(s.out, "\nTalks\n");
	cr_assert(tours == s.out && talks, "%s", s.out);
	/* why-is-my-gpu-idle is about several simulations; queueing is the name of one. */
	const char *idle = strstr(s.out, "  13 min  why-is-my-gpu-idle\n"),
		   *title = strstr(s.out, "\n  Why is my GPU idle?  "),
		   *queueing = strstr(s.out, " queueing,"),
		   *gpu = strstr(s.out, "\n  a GPU           roofline, "),
		   *serving = strstr(s.out, "\n  serving         inference, "),
		   *whole = strstr(s.out, "\n  whole runs      system, "),
		   *start = strstr(s.out, "\nStart one by its name: ridge present roofline\n");
	cr_assert(idle && title && queueing && gpu && serving && whole && start, "%s", s.out);
	cr_expect(gpu < serving && serving < queueing && queueing < whole, "%s", s.out);
	cr_expect(whole < talks && talks < title && title < idle && idle < start, "%s", s.out);
	cr_expect(has(s.out, "Your own") == false, "there are none");
	cr_expect(lt(sz, lines_of(s.out), 24));
	expect_lines_fit(s.out);
	forget(&s);
}

/* One that cannot be read does not hide the others. */
Test(present_command, lists_ones_own)
{
	put("mine.md", "# Of mine\n\n2 min\n\n## A\n\n[a page](page:tips)\n");
	put("broken.md", "no title\n");
	struct said s = say("present");
	cr_expect(zero(int, s.status), "%s", s.err);
	const char *own = strstr(s.out, "\nYour own, in $XDG_DATA_HOME/ridge/tours\n");
	cr_assert(own != NULL, "%s", s.out);
	cr_expect(has(own, "\n  broken: line 1: no title"), "%s", own);
	cr_expect(has(own, "  Of mine   2 min  mine\n"), "%s", own);
	cr_expect(own > strstr(s.out, "\nTalks\n"), "%s", s.out);
	forget(&s);
}

/* 75 and 90 % busy: 0.75/0.25 = 3 and 0.9/0.1 = 9 services. */
Test(present_command, prints_a_talk_or_one_step_of_it)
{
	struct said all = say("present queueing"), one = say("present queueing 2"),
		    bare = say("present queueing 2 --no-notes");
	cr_expect(zero(int, all.status || one.status || bare.status));
	cr_expect(has(all.out, "\n1. ") && has(all.out, "\n8. "), "%s", all.out);
	cr_expect(has(one.out, "\n2. ") && !has(one.out, "\n1. ") && !has(one.out, "\n3. "), "%s",
		one.out);
	cr_expect(has(one.out, "  [ ] a fifth longer") && has(one.out, "  [x] three times"), "%s",
		one.out);
	cr_expect(has(one.out, "  mean wait: 9, was 3\n"), "%s", one.out);
	cr_expect(has(one.out, "  ridge open queueing utilisation=0.9\n"), "%s", one.out);
	cr_expect(has(one.out, "\n  | ") && !has(bare.out, "\n  | "), "%s", bare.out);
	forget(&all);
	forget(&one);
	forget(&bare);
}

/* A step without a figure says the page that it shows, and what the handout says. */
Test(present_command, prints_a_step_that_shows_a_page)
{
	put("mine.md", "# Of mine\n\n## A\n\n[a page](page:tips)\n\nFor the handout.\n");
	struct said s = say("present mine");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(has(s.out, "For the handout.\n"), "%s", s.out);
	cr_expect(has(s.out, "  ridge open page:tips\n"), "%s", s.out);
	forget(&s);
}

Test(present_command, records_in_two_forms)
{
	char text[400];
	struct said s = write_file("queueing --record", "a.cast", text, sizeof text);
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(has(text, "{\"version\": 3") && has(text, "\"cols\": 100, \"rows\": 30"), "%s",
		text);
	forget(&s);
	s = write_file("queueing --v2 --size 80x24 --record", "b.cast", text, sizeof text);
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(has(text, "{\"version\": 2, \"width\": 80, \"height\": 24"), "%s", text);
	forget(&s);
}

/* A page is light, as paper is, unless it is to be dark. */
Test(present_command, writes_a_page_with_notes_or_without)
{
	enum { ROOM = 1 << 20 };
	char *text = malloc(ROOM);
	const char *note = "Lines are theory, marks are a simulated queue";
	cr_assert(text != NULL);
	struct said s = write_file("queueing --html", "a.html", text, ROOM);
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(has(text, "#ffffff") && !has(text, "#0b0d10") && has(text, note));
	forget(&s);
	s = write_file("queueing --background dark --no-notes --html", "b.html", text, ROOM);
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(has(text, "#0b0d10") && !has(text, note));
	forget(&s);
	free(text);
}

Test(present_command, prints_markdown)
{
	struct said s = say("present queueing --md");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(eq(int, strncmp(s.out, "# A queue has no knee", 21), 0), "%s", s.out);
	cr_expect(has(s.out, "\n## From 75 to 90 % busy"), "%s", s.out);
	forget(&s);
}

/* One picture a step, in a folder that is made or is there; one that cannot be written is told. */
Test(present_command, draws_a_picture_of_each_step)
{
	char line[200], path[200];
	snprintf(line, sizeof line, "present queueing --svg %s/pictures", home.path);
	for (int again = 0; again < 2; again++) {
		struct said s = say(line);
		cr_expect(zero(int, s.status), "%s", s.err);
		forget(&s);
	}
	snprintf(path, sizeof path, "%s/pictures/08.svg", home.path);
	cr_expect(zero(int, access(path, R_OK)), "%s", path);
	snprintf(path, sizeof path, "%s/pictures/09.svg", home.path);
	cr_expect(eq(int, access(path, R_OK), -1), "it has eight steps");
	snprintf(path, sizeof path, "%s/pictures/02.svg", home.path);
	cr_assert(zero(int, remove(path) || mkdir(path, 0700)));
	struct said s = say(line);
	cr_expect(eq(int, s.status, 1));
	cr_expect(has(s.err, "/pictures: Is a directory\n"), "%s", s.err);
	forget(&s);
}

/* Another length is that of the recording: two minutes for eight steps, each with its share. */
Test(present_command, plans_another_length)
{
	enum { ROOM = 1 << 22 };
	char *text = malloc(ROOM);
	const char *const lengths[] = { "2m", "20m" };
	double last_s[2] = { 0 };
	cr_assert(text != NULL);
	for (size_t i = 0; i < 2; i++) {
		char words[100], name[20];
		snprintf(words, sizeof words, "queueing --v2 --size 40x12 --time %s --record",
			lengths[i]);
		snprintf(name, sizeof name, "%zu.cast", i);
		struct said s = write_file(words, name, text, ROOM);
		cr_expect(zero(int, s.status), "%s", s.err);
		for (const char *at = text; (at = strstr(at, "\n[")); at += 2)
			last_s[i] = strtod(at + 2, NULL);
		forget(&s);
	}
	cr_expect(le(dbl, last_s[0], 120), "%g s", last_s[0]);
	cr_expect(lt(dbl, 5 * last_s[0], last_s[1]), "%g and %g s", last_s[0], last_s[1]);
	cr_expect(le(dbl, last_s[1], 1200), "%g s", last_s[1]);
	free(text);
}

static const struct {
	const char *line;
	int status;
	const char *says;
} refused[] = {
	{ "present queueing --record /nonexistent/x", 1,
		"/nonexistent/x: No such file or directory" },
	{ "present queueing --html /nonexistent/x", 1,
		"/nonexistent/x: No such file or directory" },
	{ "present queueing --record /dev/full", 1, "/dev/full: No space left on device" },
	{ "present queueing --html /dev/full", 1, "/dev/full: No space left on device" },
	{ "present queueing --svg /nonexistent/x/y", 1, "/nonexistent/x/y: No such file" },
	{ "present queueing --svg /dev/null", 1, "/dev/null: Not a directory" },
	{ "present queueing --votes /nonexistent/v", 1, "--votes /nonexistent/v: No such file" },
	{ "present queueing --votes /nonexistent/v --check", 1,
		"--votes /nonexistent/v: No such file" },
	{ "present --new /nonexistent/x.md", 1, "/nonexistent/x.md: No such file or directory" },
	{ "present --new .md", 2, "expected a name that ends in .md, found \".md\"" },
	{ "present --new mine.txt", 2, "expected a name that ends in .md, found \"mine.txt\"" },
	{ "present --notes", 2, "--notes: expected the name of the talk" },
	{ "present --svg /nonexistent", 2, "expected the name of the talk" },
	{ "present --md", 2, "expected the name of the talk" },
	{ "present queueingg --md", 1, "did you mean \"queueing\"?" },
	{ "present queueingg --check", 2, "did you mean \"queueing\"?" },
	{ "present queueing --md --size 39x12", 2,
		"--size: expected 40x12 or more, found \"39x12\"" },
	{ "present queueing --md --size 40x11", 2,
		"--size: expected 40x12 or more, found \"40x11\"" },
};

Test(present_command, refuses_in_one_line)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct said s = say(refused[i].line);
		cr_expect(eq(int, s.status, refused[i].status), "%s", refused[i].line);
		cr_expect(has(s.err, refused[i].says), "%s: %s", refused[i].line, s.err);
		cr_expect(eq(int, strncmp(s.err, "ridge present: ", 15), 0), "%s", s.err);
		cr_expect(eq(ptr, strchr(s.err, '\n'), s.err + strlen(s.err) - 1), "%s", s.err);
		cr_expect(eq(str, s.out, (char *)""), "%s: %s", refused[i].line, s.out);
		forget(&s);
	}
}

/* Votes that can be read are no hindrance on paper, where nobody votes. */
Test(present_command, votes_do_not_keep_it_from_paper)
{
	put("votes", "a\n");
	char line[200];
	snprintf(line, sizeof line, "present queueing 1 --votes %s/ridge/tours/votes", home.path);
	struct said file = say(line), input = say("present queueing 1 --votes -");
	cr_expect(zero(int, file.status || input.status), "%s%s", file.err, input.err);
	cr_expect(has(file.out, "\n1. ") && strcmp(file.out, input.out) == 0, "%s", file.out);
	forget(&file);
	forget(&input);
}

/* Notes without a name are of the one talk that is given; of several one is to be named. */
Test(present_command, notes_find_the_talk_that_is_given)
{
	struct wire first = NO_WIRE, second = NO_WIRE;
	char name[WIRE_NAME], err[400];
	cr_expect(eq(int, present_running(name, sizeof name, err, sizeof err), -1));
	cr_expect(has(err, "no talk is given just now"), "%s", err);
	cr_assert(zero(int, wire_serve(&first, "queueing")));
	cr_expect(zero(int, present_running(name, sizeof name, err, sizeof err)), "%s", err);
	cr_expect(eq(str, name, (char *)"queueing"));
	cr_assert(zero(int, wire_serve(&second, "memory")));
	cr_expect(eq(int, present_running(name, sizeof name, err, sizeof err), -1));
	cr_expect(has(err, "several talks are given, name one:") && has(err, " queueing") &&
			  has(err, " memory"),
		"%s", err);
	wire_close(&first);
	cr_expect(zero(int, present_running(name, sizeof name, err, sizeof err)), "%s", err);
	cr_expect(eq(str, name, (char *)"memory"));
	wire_close(&second);
}

/* Which words want paper, and which the screen. */
Test(present_command, knows_what_wants_no_screen)
{
	static const struct {
		const char *words[4];
		bool prints;
	} rows[] = { { { NULL }, true }, { { "queueing" }, false }, { { "--notes" }, false },
		{ { "--help" }, true }, { { "queueing", "--check" }, true },
		{ { "queueing", "--text" }, true }, { { "queueing", "--md" }, true },
		{ { "queueing", "--svg", "x" }, true }, { { "queueing", "--html", "x" }, true },
		{ { "queueing", "--record", "x" }, true }, { { "--new", "x.md" }, true },
		{ { "queueing", "--auto", "--big" }, false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct command_line line;
		char err[300] = "";
		size_t n = 0;
		while (n < 4 && rows[i].words[n])
			n++;
		cr_assert(zero(int, command_line_read(&line, COMMAND_PRESENT, rows[i].words, n, err,
					    sizeof err)),
			"row %zu: %s", i, err);
		cr_expect(eq(int, present_prints(&line), rows[i].prints), "row %zu", i);
	}
}
