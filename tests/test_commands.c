/* The command line: exit statuses, one line for each error with what was expected, help for each
 * command, and output that is the same each time. */
#include "sims/registry/registry.h"
#include "tests/said.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Runs "sim roofline batch=2"; "l~l" is one word with a blank. Released by forget(). */
static struct said say(const char *line, const char *input)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("XDG_STATE_HOME", "/nonexistent", 1);
	return said_at(0, line, input);
}

static int lines_of(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static const struct {
	const char *line;
	int status;
	const char *err; /* holds this */
} refused[] = {
	{ "sim rooflin", 2, "did you mean \"roofline\"?" },
	{ "sim zzzzzzz", 2, "ridge sim lists them" },
	{ "sim roofline bacth=2", 2, "did you mean \"batch\"?" },
	{ "sim roofline gpu=h10", 2, "did you mean \"h100\"?" },
	{ "sim roofline batch=1e9", 2, "outside 1 to" },
	{ "sim roofline batch=1.5", 2, "whole number" },
	{ "sim roofline batch", 2, "knob=value" },
	{ "sim roofline --size 5", 2, "COLSxROWS" },
	{ "sim roofline --size", 2, "COLSxROWS" },
	{ "sim roofline --size 0x5", 2, "COLSxROWS" },
	{ "sim roofline --size 80x24x3", 2, "COLSxROWS" },
	{ "sim roofline --size 99999x24", 2, "COLSxROWS" },
	{ "sim roofline --at soon", 2, "a time" },
	{ "sim roofline --at", 2, "a time" },
	{ "sim roofline --jsn", 2, "did you mean \"--json\"?" },
	{ "frame rooflin", 2, "did you mean \"roofline\"?" },
	{ "frame page:kernals", 2, "no page \"kernals\"; did you mean \"kernels\"?" },
	{ "frame roofline batch=0", 2, "outside 1 to" },
	{ "frame --size 80", 2, "COLSxROWS" },
	{ "frame --size -80x24", 2, "COLSxROWS" },
	{ "frame --keys", 2, "names of keys" },
	{ "frame --keys Tba", 2, "no key \"Tba\"" },
	{ "frame --background grey", 2, "expected dark or light" },
	{ "frame --colr", 2, "did you mean \"--color\"?" },
	{ "frame drill --keys nonsense", 2, "no key \"nonsense\"" },
	{ "search", 2, "words" },
	{ "search qqzzqqzz", 1, "nothing matches \"qqzzqqzz\"" },
	{ "read no-such-page-at-all", 2, "no page" },
	{ "read kv", 2, "no page \"kv\"; did you mean \"glossary\", which has it?" },
	{ "drill memory comunication --sheet", 2,
		"\"comunication\"; did you mean \"communication\"?" },
	{ "read --width 5", 2, "20 to 1000" },
	{ "grade", 2, "QUESTION.json" },
	{ "grade /nonexistent/question.json 5", 1, "No such file" },
	{ "drill --count 0", 2, "--count" },
	{ "drill --topic rooflin --seed 1", 2, "roofline" },
	{ "calc kv_cache_byte", 2, "kv_cache_bytes" },
};

Test(commands, refuse_in_one_line_that_helps)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct said s = say(refused[i].line, NULL);
		cr_expect(eq(int, s.status, refused[i].status), "ridge %s", refused[i].line);
		cr_expect(strstr(s.err, refused[i].err) != NULL, "ridge %s: %s", refused[i].line,
			s.err);
		cr_expect(eq(int, lines_of(s.err), 1), "ridge %s: %s", refused[i].line, s.err);
		cr_expect(strncmp(s.err, "ridge ", 6) == 0, "ridge %s: %s", refused[i].line, s.err);
		cr_expect(eq(str, s.out, (char *)""), "ridge %s", refused[i].line);
		forget(&s);
	}
}

static const struct {
	const char *line, *out;
} done[] = {
	{ "sim", "roofline" },
	{ "sim roofline gpu=h100 batch=8", "ridge sim roofline gpu=h100 batch=8" },
	{ "sim roofline --csv", "block,series,label,x,y,unit\n" },
	{ "sim stacking --size 60x40 --color", "\033[" },
	{ "calc", "kv_cache_bytes" },
	{ "read", "min" },
	{ "search memory", "memory" },
	{ "search ZeRO-3 sharded", "mistake" },
	{ "drill --sheet --count 3 --seed 7", "3 problems" },
	{ "frame", "ridge" },
	{ "frame roofline batch=8 --size 100x30 --keys l~Tab~l", "Roofline" },
	{ "frame --size 1x1", "" },
	{ "frame roofline --svg --size 100x30", "fill=\"#0b0d10\"/>" },
	{ "frame roofline --svg --background light", "fill=\"#ffffff\"/>" },
	{ "frame --color --background light", "\033[0;38;5;242m──" },
	{ "frame --keys ?", "Keys on the home screen" },
	{ "frame --keys=", "Start here" },
	{ "frame scaling --keys text:64", "64" },
	{ "frame drill --keys Tab", "Hint:" },
	{ "info", "position" },
};

Test(commands, done_is_zero_and_errors_are_silent)
{
	for (size_t i = 0; i < sizeof done / sizeof *done; i++) {
		struct said s = say(done[i].line, NULL);
		cr_expect(zero(int, s.status), "ridge %s: %s", done[i].line, s.err);
		cr_expect(eq(str, s.err, (char *)""), "ridge %s", done[i].line);
		cr_expect(strstr(s.out, done[i].out) != NULL, "ridge %s:\n%s", done[i].line, s.out);
		forget(&s);
	}
}

Test(commands, each_has_its_help)
{
	char line[64];
	struct said all = { 0 };
	size_t size;
	FILE *f = open_memstream(&all.out, &size);
	cr_expect(zero(int, commands_help(f)));
	fclose(f);
	for (size_t i = 0; i < N_COMMANDS; i++) {
		const struct command *c = &commands[i];
		enum command_id found;
		cr_expect(command_find(c->name, &found) && found == i, "%s", c->name);
		snprintf(line, sizeof line, "ridge %s", c->name);
		cr_expect(strstr(all.out, line) && strstr(all.out, c->summary),
			"%s is not in the help", c->name);
		for (int j = 0; j < 2; j++) {
			snprintf(line, sizeof line, "%s %s", c->name, j ? "-h" : "--help");
			struct said s = say(line, NULL);
			cr_expect(zero(int, s.status), "%s", line);
			cr_expect(eq(str, s.err, (char *)""), "%s", line);
			snprintf(line, sizeof line, "usage: ridge %s", c->name);
			cr_expect(
				strncmp(s.out, line, strlen(line)) == 0, "%s: %s", c->name, s.out);
			forget(&s);
		}
	}
	forget(&all);
}

Test(commands, an_unknown_one_is_refused_with_the_nearest)
{
	for (size_t i = 0; i < N_COMMANDS; i++) {
		char typed[64], hint[64], *err = NULL;
		size_t size;
		FILE *f = open_memstream(&err, &size);
		snprintf(typed, sizeof typed, "%sx", commands[i].name);
		cr_expect(eq(int, commands_unknown(typed, f), 2));
		fclose(f);
		snprintf(hint, sizeof hint, "did you mean \"%s\"?\n", commands[i].name);
		cr_expect(strstr(err, hint) != NULL, "%s", err);
		free(err);
	}
	enum command_id none;
	cr_expect(command_find("", &none) == false && command_find("x", &none) == false);
}

/* The contract of scripts: each simulation, each format. */
Test(commands, every_simulation_is_printed_in_every_format)
{
	for (size_t i = 0; i < n_sims; i++) {
		char line[128];
		snprintf(line, sizeof line, "sim %s --json", sims[i]->id);
		struct said json = say(line, NULL);
		cJSON *obj = cJSON_ParseWithOpts(json.out, NULL, true);
		cr_expect(cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(obj, "values")) != 0,
			"%s", line);
		cJSON_Delete(obj);
		snprintf(line, sizeof line, "sim %s --size 80x50", sims[i]->id);
		struct said text = say(line, NULL);
		cr_expect(zero(int, text.status), "%s", line);
		cr_expect(strchr(text.out, '\033') == NULL, "%s: escapes where none were asked for",
			line);
		cr_expect(
			strstr(text.out, "assumes: ") && strstr(text.out, "without: "), "%s", line);
		forget(&json);
		forget(&text);
	}
}

/* A picture is the same in a locale without UTF-8, and all its bytes are ASCII. */
Test(commands, pictures_need_no_locale)
{
	char *argv[] = { "frame", "scaling", "--svg", NULL }, *ascii = NULL;
	size_t size;
	struct said here = say("frame scaling --svg", NULL);
	cr_assert(ne(ptr, setlocale(LC_CTYPE, "C"), NULL));
	FILE *out = open_memstream(&ascii, &size);
	cr_expect(zero(int, command_run(3, argv, &(struct streams){ stdin, out, stderr })));
	fclose(out);
	cr_expect(eq(str, ascii, here.out));
	for (const char *p = ascii; *p; p++)
		cr_assert(p[0] == '\n' || (p[0] >= ' ' && p[0] < 0x7f), "byte %d", p[0]);
	free(ascii);
	forget(&here);
}

/* What is drawn again is the same, byte by byte, and has the rows it was asked for. */
Test(commands, frames_are_the_same_each_time)
{
	static const char *const frames[] = { "frame",
		"frame roofline --keys l~l~Tab~c~L --size 120x40",
		"frame scaling --keys Space~.~.~. --size 80x24", "frame --keys : --size 40x12",
		"frame drill --keys text:42~Enter --size 100x30", "frame --color --size 61x20",
		"frame latency --glyphs braille --size 200x60",
		"frame --keys Enter~Down*3~t --size 80x24" };
	for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
		struct said one = say(frames[i], NULL), two = say(frames[i], NULL);
		int cols = 80, rows = 24;
		const char *size = strstr(frames[i], "--size ");
		cr_expect(zero(int, one.status), "ridge %s: %s", frames[i], one.err);
		cr_expect(strcmp(one.out, two.out) == 0, "ridge %s differs", frames[i]);
		if (size) {
			char word[32];
			snprintf(word, sizeof word, "%.*s", (int)strcspn(size + 7, " "), size + 7);
			cr_assert(zero(int, size_read(word, &cols, &rows)));
		}
		cr_expect(eq(int, lines_of(one.out), rows), "ridge %s", frames[i]);
		forget(&one);
		forget(&two);
	}
}

Test(commands, sizes_are_read_whole_or_not_at_all)
{
	static const struct {
		const char *text;
		int rc, cols, rows;
	} rows[] = { { "100x30", 0, 100, 30 }, { "1x1", 0, 1, 1 }, { "1000x1000", 0, 1000, 1000 },
		{ "", -1, 0, 0 }, { "x", -1, 0, 0 }, { "80x", -1, 0, 0 }, { "x24", -1, 0, 0 },
		{ "80X24", -1, 0, 0 }, { "80x24 ", -1, 0, 0 }, { "80 x 24", -1, 0, 0 },
		{ "1001x5", -1, 0, 0 }, { "99999999999999999999x5", -1, 0, 0 },
		{ "5x-5", -1, 0, 0 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int cols = 0, lines = 0;
		cr_expect(eq(int, size_read(rows[i].text, &cols, &lines), rows[i].rc), "\"%s\"",
			rows[i].text);
		cr_expect(cols == rows[i].cols && lines == rows[i].rows, "\"%s\"", rows[i].text);
	}
}

/* That nothing is due is no mistake: one line, which names the command. */
Test(commands, a_review_with_nothing_due_is_one_clear_line)
{
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	struct said s = say("drill --mode review", NULL);
	cr_expect(zero(int, s.status));
	cr_expect(eq(str, s.err, (char *)""));
	cr_expect(eq(int, lines_of(s.out), 1));
	cr_expect(
		eq(int, strncmp(s.out, "ridge drill: nothing to review yet", 34), 0), "%s", s.out);
	forget(&s);
}

/* Without what steers colours. */
static void strip(char *text)
{
	char *to = text;
	for (const char *from = text; *from;)
		if (*from == '\033')
			from += strcspn(from, "m") + 1;
		else
			*to++ = *from++;
	*to = '\0';
}

static int widest(const char *text)
{
	int most = 0, n = 0;
	for (; *text; text++) {
		n = *text == '\n' ? 0 : n + ((*text & 0xc0) != 0x80);
		most = n > most ? n : most;
	}
	return most;
}

/* Colours change no word, and a heading has its own. */
Test(commands, a_page_in_colour_says_the_same)
{
	struct said plain = say("read tips", NULL), colour = say("read tips --color=always", NULL);
	cr_expect(zero(int, plain.status || colour.status), "%s%s", plain.err, colour.err);
	cr_expect(strchr(plain.out, '\033') == NULL);
	cr_expect(strncmp(colour.out, "\033[0;36;1m", strlen("\033[0;36;1m")) == 0, "%.40s",
		colour.out);
	strip(colour.out);
	cr_expect(strcmp(plain.out, colour.out) == 0);
	forget(&plain);
	forget(&colour);
}

/* The columns are those that are asked for, else those of the terminal, where they are a number in range. */
Test(commands, a_page_is_as_wide_as_the_terminal)
{
	static const struct {
		const char *columns, *line;
		int least, most;
	} rows[] = { { "50", "read tips", 40, 50 }, { "50", "read tips --width 70", 55, 70 },
		{ "5", "read tips", 60, 80 }, { "--help", "read tips", 60, 80 },
		{ "x", "read tips", 60, 80 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		setenv("COLUMNS", rows[i].columns, 1);
		struct said s = say(rows[i].line, NULL);
		cr_expect(zero(int, s.status), "row %zu: %s", i, s.err);
		const int wide = widest(s.out);
		cr_expect(rows[i].least <= wide && wide <= rows[i].most, "row %zu: %d columns", i,
			wide);
		forget(&s);
	}
	unsetenv("COLUMNS");
}

/* A first reading leaves things out, and answers stay folded where that is asked for; neither is longer. */
Test(commands, a_page_is_read_in_part)
{
	struct said whole = say("read kernels", NULL);
	static const char *const lines[] = { "read kernels --first", "read kernels --folded" };
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct said part = say(lines[i], NULL);
		cr_expect(zero(int, part.status), "%s", part.err);
		cr_expect(lt(sz, strlen(part.out), strlen(whole.out)), "%s", lines[i]);
		cr_expect(lt(sz, 500, strlen(part.out)), "%s", lines[i]);
		forget(&part);
	}
	forget(&whole);
}
