/* `ridge --plain`, as somebody uses it whose screen is read out or who has only lines: menu, pages,
 * simulations, drills, cases and statistics in one session, each with what the command of its name
 * prints, and nothing that a line cannot hold. */
#include "sims/registry/registry.h"
#include "tests/printed.h"
#include "tests/said.h"
#include "tests/times_in.h"
#include "ui/commands/plain.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static void be_alone(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("XDG_STATE_HOME", "/nonexistent", 1);
}

/* A session from this first word (NULL: from the menu) with these lines typed. Released by forget(). */
static struct said session(const char *first, const char *typed)
{
	struct said s = { 0 };
	size_t size;
	be_alone();
	FILE *in = fmemopen((void *)typed, strlen(typed), "r");
	FILE *out = open_memstream(&s.out, &size), *err = open_memstream(&s.err, &size);
	s.status = plain_explore(&first, first ? 1 : 0, &(struct streams){ in, out, err });
	fclose(in);
	fclose(out);
	fclose(err);
	return s;
}

/* What a command prints, to compare a session with. */
static struct said command(const char *line)
{
	be_alone();
	return said_at(0, line, NULL);
}

static bool has(const struct said *s, const char *text)
{
	return strstr(s->out, text) != NULL;
}

/* How often it is printed. */
static size_t times(const struct said *s, const char *text)
{
	return times_in(s->out, text);
}

/* The number that the menu has before an entry: the whole line is "NUMBER  TEXT". */
static int number_of(const struct said *menu, const char *entry)
{
	const char *at = strstr(menu->out, entry);
	cr_assert(at != NULL, "%s", entry);
	while (at > menu->out && at[-1] != '\n')
		at--;
	return atoi(at);
}

Test(plain, the_menu_has_every_simulation_and_a_number_opens_it)
{
	struct said menu = session(NULL, "quit\n");
	int before = 0;
	cr_expect(zero(int, menu.status));
	for (size_t i = 0; i < n_sims; i++) {
		char entry[64], typed[32];
		snprintf(entry, sizeof entry, "  %s: ", sims[i]->id);
		const int number = number_of(&menu, entry);
		cr_expect(lt(int, before, number), "%s", sims[i]->id);
		before = number;
		if (i > 0 &&
			i + 1 < n_sims) /* the first and the last are where a number goes wrong */
			continue;
		snprintf(typed, sizeof typed, "%d\n", number);
		struct said by_number = session(NULL, typed), by_name = session(sims[i]->id, "");
		cr_expect(has(&by_number, by_name.out), "%s", sims[i]->id);
		forget(&by_number);
		forget(&by_name);
	}
	forget(&menu);
}

Test(plain, a_page_is_what_read_prints)
{
	static const char *const pages[] = { "gpu", "glossary", "formulas" };
	for (size_t i = 0; i < COUNT(pages); i++) {
		char words[64];
		snprintf(words, sizeof words, "read %s --plain", pages[i]);
		struct said page = command(words);
		struct said s = session(NULL, pages[i]), opened = session(pages[i], "quit\n");
		cr_expect(has(&s, page.out), "%s", pages[i]);
		cr_expect(has(&opened, page.out), "%s", pages[i]);
		forget(&s);
		forget(&opened);
		forget(&page);
	}
}

Test(plain, a_number_below_the_simulations_is_a_page)
{
	struct said menu = session(NULL, "q\n"), page = command("read gpu --plain");
	char typed[32], title[128];
	snprintf(title, sizeof title, "  %.*s\n", (int)strcspn(page.out, "\n"), page.out);
	snprintf(typed, sizeof typed, "%d\n", number_of(&menu, title));
	struct said s = session(NULL, typed);
	cr_expect(has(&s, page.out));
	forget(&s);
	forget(&menu);
	forget(&page);
}

/* A knob, undo and reset: each report is that of `ridge sim` with the same setting. */
Test(plain, a_knob_turns_and_turns_back)
{
	struct said first = session("roofline", "");
	struct said more = command("sim roofline batch=16");
	struct said s = session("roofline", "batch=16\nundo\nbatch=16\nseq=1024\nreset\n");
	struct said found = command("sim roofline");
	cr_expect(eq(sz, times(&first, found.out), 1));
	cr_expect(eq(sz, times(&s, more.out), 2));
	cr_expect(eq(sz, times(&s, found.out), 3)); /* at first, after undo, after reset */
	cr_expect(has(&s, "Batch 4 → 16"));         /* the sentence about what it did */
	forget(&first);
	forget(&more);
	forget(&s);
	forget(&found);
}

Test(plain, knobs_are_listed_with_their_values)
{
	struct said s = session("stacking", "knobs\n");
	const struct sim *sim = sim_find("stacking");
	for (size_t i = 0; i < sim->n_knobs; i++) {
		char begin[64];
		snprintf(begin, sizeof begin, "%s = ", sim->knobs[i].id);
		cr_expect(has(&s, begin), "%s", sim->knobs[i].id);
		cr_expect(has(&s, sim->knobs[i].label), "%s", sim->knobs[i].label);
	}
	forget(&s);
	s = session("roofline", "batch=16\nknobs\n");
	cr_expect(has(&s, "batch = 16  (batch)"));
	forget(&s);
}

/* What was mistyped is answered with what was expected, changes nothing, and ends nothing. */
Test(plain, what_is_mistyped_is_told_and_the_session_goes_on)
{
	static const struct {
		const char *first, *typed, *says;
	} rows[] = {
		{ NULL, "rofline\n", "nothing is called \"rofline\"; did you mean \"roofline\"?" },
		{ NULL, "stat\n", "did you mean \"stats\"?" },
		{ NULL, "0\n", "there is no entry 0: expected 1 to " },
		{ NULL, "9999\n", "there is no entry 9999: expected 1 to " },
		{ NULL, "roofline btch=2\n", "did you mean \"batch\"?" },
		{ NULL, "batching arrivals=trace trace=/nonexistent/t.csv\n",
			"trace: /nonexistent/t.csv: No such file or directory" },
		{ "roofline", "btch=2\n",
			"roofline has no knob \"btch\"; did you mean \"batch\"?" },
		{ "roofline", "batch=0\n", "batch: 0 is outside 1 to 4,096" },
		{ "roofline", "batch\n", "batch" },
		{ "qqqqqqqqqqqq", "\n",
			"nothing is called \"qqqqqqqqqqqq\"; menu lists everything" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char typed[128];
		snprintf(typed, sizeof typed, "%shelp\n", rows[i].typed);
		struct said s = session(rows[i].first, typed);
		const char *told = strstr(s.out, rows[i].says);
		cr_assert(told != NULL, "%zu: %s", i, s.out);
		cr_expect(strstr(told, "; quit") != NULL, "%zu: %s", i, told); /* help, after it */
		cr_expect(zero(int, s.status), "%zu", i);
		forget(&s);
	}
}

/* Which prompt it is says where one is: back leaves a simulation, and a number is an entry again. */
Test(plain, back_leads_to_the_menu)
{
	struct said s = session("roofline", "back\nhome\nmenu\n\n\r\nstacking\nq\nroofline\n");
	cr_expect(eq(sz, times(&s, "roofline> "), 1));
	cr_expect(eq(sz, times(&s, "Type a number or a name"), 3));
	cr_expect(eq(sz, times(&s, "ridge> "), 5));    /* a blank line asks again */
	cr_expect(eq(sz, times(&s, "stacking> "), 1)); /* and what stands after q is not read */
	cr_expect(zero(int, s.status));
	forget(&s);
}

/* Drills in the middle of a session: the same lines as `ridge drill`, and then the menu's prompt. */
Test(plain, a_drill_is_asked_graded_and_left)
{
	struct said s = session(NULL,
		"drill --topic ring-volume --count 1 --seed 1 --no-history\n1 furlong\nskip\nhelp\n");
	cr_expect(has(&s, "answer> "));
	cr_expect(has(&s, "0 of 1 right"));
	const char *end = strstr(s.out, "0 of 1 right");
	cr_expect(end && strstr(end, "ridge> ") && strstr(end, "a number or a name opens it"));
	forget(&s);
	s = session(NULL, "drill --help\n");
	cr_expect(has(&s, "--topic") && has(&s, "--count N"));
	forget(&s);
	s = session(NULL, "drill --count none\nhelp\n");
	cr_expect(strstr(s.err, "--count") != NULL, "%s", s.err);
	cr_expect(has(&s, "a number or a name opens it"));
	forget(&s);
}

/* The menu's last three are drill, case and stats, by number as by name. */
Test(plain, cases_and_answers_are_there_by_number_and_name)
{
	struct said menu = session(NULL, "q\n"), list = command("case");
	struct said stats = command("stats");
	const int first = number_of(&menu, "  drill\n");
	char typed[64];
	cr_expect(lt(sz, 0, strlen(list.out)));
	snprintf(typed, sizeof typed, "%d\n", first);
	struct said s = session(NULL, typed); /* the end of the input ends the drill, too */
	cr_expect(has(&s, "0 of 5 right"), "%s", strstr(s.out, "Type a number"));
	forget(&s);
	snprintf(typed, sizeof typed, "%d\n%d\ncase\nstats\n", first + 1, first + 2);
	s = session(NULL, typed);
	cr_expect(eq(sz, times(&s, list.out), 2));
	cr_expect(eq(sz, times(&s, stats.out), 2));
	forget(&s);
	snprintf(typed, sizeof typed, "%d\ncalendar\n", first + 3);
	s = session(NULL, typed);
	cr_expect(eq(sz, times(&s, "No interview is in the calendar"), 2));
	forget(&s);
	snprintf(typed, sizeof typed, "%d\n", first + 4);
	s = session(NULL, typed);
	cr_expect(has(&s, "there is no entry"));
	forget(&s);
	s = session("case", "");
	cr_expect(has(&s, list.out)); /* as `ridge open` says that it can be named */
	forget(&s);
	forget(&menu);
	forget(&list);
	forget(&stats);
}

/* No escape byte, no character beyond ASCII where the locale has none, in any kind of answer. */
Test(plain, nothing_is_written_that_a_line_cannot_hold)
{
	static const char typed[] = "gpu\nroofline\nknobs\nbatch=16\nundo\nback\nstacking\nback\n"
				    "case\nstats\ndrill --help\nq\n";
	setenv("RIDGE_GLYPHS", "ascii", 1);
	struct said s = session(NULL, typed);
	size_t odd = 0;
	for (const char *p = s.out; *p; p++)
		odd += *p != '\n' && *p != '\t' && (*p < ' ' || *p > '~');
	cr_expect(zero(sz, odd));
	cr_expect(lt(sz, 5000, strlen(s.out)));
	forget(&s);
}

/* A table of one's own that cannot be read is told, and the session goes on without it. */
Test(plain, an_unreadable_table_is_told_and_borne)
{
	char folder[] = "/tmp/ridge-plain-XXXXXX", sub[64], path[128];
	const char *path_of_ridge = getenv("RIDGE");
	char line[512], out[1 << 16];
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(sub, sizeof sub, "%s/ridge", folder);
	snprintf(path, sizeof path, "%s/hardware.json", sub);
	cr_assert(zero(int, mkdir(sub, 0700)));
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs("{", f);
	fclose(f);
	snprintf(line, sizeof line,
		"printf 'roofline\\nknobs\\nq\\n' | XDG_CONFIG_HOME=%s %s --plain 2>&1", folder,
		path_of_ridge ? path_of_ridge : "build/ridge");
	f = popen(line, "r");
	cr_assert(f != NULL);
	out[fread(out, 1, sizeof out - 1, f)] = '\0';
	cr_expect(zero(int, pclose(f)));
	cr_expect(
		strstr(out, "$XDG_CONFIG_HOME/ridge/hardware.json: line 1: expected JSON") != NULL);
	cr_expect(strstr(out, "roofline> gpu = a100") != NULL);
	unlink(path);
	rmdir(sub);
	rmdir(folder);
}

/* The program itself: asked for with --plain, before and after `open`, or because nobody sits there. */
Test(plain, the_program_takes_lines_where_it_is_told_to_or_has_no_terminal)
{
	static const char *const calls[] = { "--plain open roofline", "open roofline --plain",
		"open roofline" };
	const char *path = getenv("RIDGE");
	char first[1 << 16] = "";
	be_alone();
	for (size_t i = 0; i < COUNT(calls); i++) {
		char line[512], out[1 << 16];
		snprintf(line, sizeof line, "printf 'batch=16\\nundo\\nquit\\n' | %s %s",
			path ? path : "build/ridge", calls[i]);
		FILE *f = popen(line, "r");
		cr_assert(f != NULL);
		const size_t n = fread(out, 1, sizeof out - 1, f);
		out[n] = '\0';
		cr_expect(zero(int, pclose(f)), "%s", calls[i]);
		cr_expect(strstr(out, "roofline> ") && strstr(out, "Batch 4 → 16"), "%s", calls[i]);
		if (i == 0)
			strcpy(first, out);
		else
			cr_expect(eq(str, out, first), "%s", calls[i]);
	}
}

/* What cannot be read to its end is no end of what was typed. */
Test(plain, input_that_breaks_is_told)
{
	static const char *const rows[][2] = { { "--plain", "ridge" },
		{ "drill topic=memory", "ridge drill" },
		{ "case 200-ms-to-50 --seed 1", "ridge case" } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		char expected[100];
		char *text = printed("C", rows[i][0], "</ 2>&1 >/dev/null; echo $?");
		snprintf(expected, sizeof expected,
			"%s: the input could not be read to its end\n1\n", rows[i][1]);
		cr_expect(eq(str, text, expected));
		free(text);
	}
}
