/* Drills of the user's own: read like the shipped ones, and left out with a reason where they are
 * not like them. */
#include "tests/explorer.h"
#include "ui/data/bank_kept.h"
#include "ui/commands/commands.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tables tables;
static char base[64], folder[128];

static void begin(void)
{
	char err[300] = "", path[128];
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	strcpy(base, "/tmp/ridge-own-XXXXXX");
	cr_assert(mkdtemp(base) != NULL);
	snprintf(path, sizeof path, "%s/ridge", base);
	snprintf(folder, sizeof folder, "%s/ridge/drills", base);
	cr_assert(mkdir(path, 0700) == 0 && mkdir(folder, 0700) == 0);
	setenv("XDG_DATA_HOME", base, 1);
}

static void end(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", base);
	cr_expect(zero(int, system(command)));
	tables_release(&tables);
}

static void put_bytes(const char *name, const char *text, size_t n)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	cr_assert(f && fwrite(text, 1, n, f) == n && fclose(f) == 0, "%s", path);
}

static void put(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

static void put_bank(const char *name, const char *topic, const char *id)
{
	char json[1000];
	snprintf(json, sizeof json,
		"{\"schema\": 1, \"topic\": \"%s\", \"drills\": [{\"id\": \"%s\", \"kind\": "
		"\"choice\", \"skill\": \"%s\", \"title\": \"T\", \"prompt\": \"Which?\", "
		"\"options\": [{\"text\": \"This\", \"right\": true, \"reason\": \"r\"}, "
		"{\"text\": \"That\", \"reason\": \"s\"}], \"par_s\": 20, \"hints\": [\"a\", "
		"\"b\"]}]}",
		topic, id, id);
	put(name, json);
}

static struct drill_bank load(struct own_drills *own)
{
	struct drill_bank b = { 0 };
	char err[400] = "";
	cr_assert(zero(int, bank_load_telling(&b, &tables, own, err, sizeof err)), "%s", err);
	return b;
}

Test(own_drills, come_by_name_after_the_shipped_ones, .init = begin, .fini = end)
{
	struct own_drills own;
	struct drill_bank shipped = load(&own);
	cr_expect(zero(sz, own.n_drills + own.n_files + own.n_refused));
	cr_expect(eq(str, (char *)own.folder, "$XDG_DATA_HOME/ridge/drills"));
	put_bank("b.json", "mine", "second");
	put_bank("a.json", "mine", "first");
	put_bank("c.txt", "mine", "third");
	put_bank(".hidden.json", "mine", "fourth");
	struct drill_bank b = load(&own);
	cr_expect(zero(sz, own.n_refused));
	cr_expect(eq(sz, own.n_drills, 2));
	cr_expect(eq(sz, own.n_files, 2));
	cr_assert(eq(sz, b.n, shipped.n + 2));
	cr_expect(eq(str, (char *)b.drills[b.n - 2].id, "first"));
	cr_expect(eq(str, (char *)b.drills[b.n - 1].id, "second"));
	cr_expect(zero(sz, bank_edition(&b, "first")));
	bank_release(&b);
	bank_release(&shipped);
}

static struct kept_bank *take(struct kept_bank **shelf)
{
	char err[400] = "";
	struct kept_bank *k = kept_bank_take(shelf, &tables, err, sizeof err);
	cr_assert(k != NULL, "%s", err);
	return k;
}

/* A file that comes, changes, cannot be read, or goes. Who took the bank before has what it took. */
Test(own_drills, are_read_anew_only_when_they_change, .init = begin, .fini = end)
{
	struct kept_bank *shelf = NULL, *before = take(&shelf), *again = take(&shelf);
	cr_expect(eq(ptr, before, again));
	cr_expect(eq(sz, before->users, 3));
	kept_bank_give_back(again);
	put_bank("a.json", "mine", "first");
	struct kept_bank *with = take(&shelf);
	cr_expect(ne(ptr, with, before));
	cr_expect(eq(sz, before->users, 1));
	cr_expect(bank_find(&with->bank, "first") && !bank_find(&before->bank, "first"));
	cr_expect(eq(sz, with->bank.n, before->bank.n + 1));
	cr_expect(eq(str, (char *)before->bank.drills[0].id, (char *)with->bank.drills[0].id));
	kept_bank_give_back(before);
	put_bank("a.json", "mine", "another");
	struct kept_bank *changed = take(&shelf);
	cr_expect(bank_find(&changed->bank, "another") && !bank_find(&changed->bank, "first"));
	kept_bank_give_back(with);
	put("a.json", "{");
	struct kept_bank *refused = take(&shelf);
	cr_expect(eq(sz, refused->own.n_refused, 1));
	cr_expect(bank_find(&refused->bank, "another") == NULL);
	kept_bank_give_back(changed);
	kept_bank_give_back(refused);
	char path[256];
	snprintf(path, sizeof path, "%s/a.json", folder);
	cr_assert(zero(int, unlink(path)));
	struct kept_bank *without = take(&shelf);
	cr_expect(zero(sz, without->own.n_refused));
	kept_bank_give_back(without);
	kept_bank_give_back(shelf);
}

/* The session goes on with the bank that it was dealt from. */
Test(own_drills, are_found_while_a_session_is_open, .init = begin, .fini = end)
{
	struct explorer e = explorer_start(24, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "drill"));
	const struct drill_view *d = drill_of(e.app);
	const struct drill *dealt = d->session.items[0].variant.drill;
	put_bank("a.json", "mine", "of-my-own");
	explorer_press(&e, ":");
	explorer_type(&e, "of-my-own");
	const struct palette *p = &e.app->palette;
	cr_assert(lt(sz, 0, p->n_matches));
	cr_expect(eq(str, (char *)p->entries[p->matches[0]].id, "drill:of-my-own"));
	explorer_press(&e, "Esc");
	cr_expect(eq(ptr, (void *)bank_find(&d->bank, dealt->id), (void *)dealt));
	cr_expect(explorer_open(&e, "drill:of-my-own"));
	cr_expect(eq(str, (char *)d->session.items[0].variant.drill->id, "of-my-own"));
	explorer_end(&e);
}

/* The example of docs/using.md, as it stands there. */
Test(own_drills, example_of_the_docs, .init = begin, .fini = end)
{
	char text[1 << 16];
	struct own_drills own;
	FILE *f = fopen("docs/using.md", "r");
	cr_assert(f != NULL, "run the tests in the project's folder");
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	char *json = strstr(text, "```json\n"), *close = json ? strstr(json, "\n```\n") : NULL;
	cr_assert(json && close);
	put_bytes("mine.json", json + 8, (size_t)(close - json - 8));
	struct drill_bank b = load(&own);
	cr_expect(zero(sz, own.n_refused), "%s", own.n_refused ? own.refused[0] : "");
	cr_expect(eq(sz, own.n_drills, 1));
	bank_release(&b);
}

/* A bad file is one line that says where and what, and takes no other file with it. */
Test(own_drills, refused_with_reasons, .init = begin, .fini = end)
{
#define DRILL(id, more)                                                                            \
	"{\"schema\": 1, \"topic\": \"mine\", \"drills\": [{\"id\": \"" id "\", \"kind\": "        \
	"\"number\", \"skill\": \"s\", \"title\": \"t\", \"prompt\": \"{tokens} tokens, in GB?\"," \
	" \"formula\": \"kv_cache_bytes\", \"fields\": {\"layers\": 32, \"kv_heads\": 8, "         \
	"\"head_dim\": 128, \"tokens\": {\"choices\": [8192, 65536]}, \"bytes_per_value\": 2}, "   \
	"\"shown_unit\": \"GB\", \"par_s\": 60, \"hints\": [\"a\", \"b\"], \"mistakes\": "         \
	"[{\"name\": \"one layer\", \"drop\": \"layers\"}]" more "}]}"
	static const struct {
		const char *json, *says[3];
	} rows[] = {
		{ "", { "not JSON", "line 1" } },
		{ "{\"schema\": 1,\n\"topic\": }", { "not JSON", "line 2" } },
		{ "[]", { "expected an object" } },
		{ "{\"schema\": 2, \"drills\": []}", { "schema", "expected 1" } },
		{ DRILL("d", ", \"answer\": 4"), { ": d: ", "answer", "never typed" } },
		{ DRILL("d", ", \"tag\": []"), { ": d: ", "\"tag\"", "did you mean \"tags\"" } },
		{ DRILL("d", ", \"tags\": [\"info\"]"), { ": d: ", "assumes" } },
		{ DRILL("d", ", \"between\": [1e9, 2e9]"), { ": d: ", "none of 500 draws" } },
		{ DRILL("kv-cache", ""), { ": kv-cache: ", "another drill of this name" } },
		{ DRILL("two words", ""), { ": two words: ", "id", "no blanks" } },
		{ DRILL("a\\nb", ""), { ": a?b: ", "no blanks" } },
		{ DRILL("d", ", \"follow_up\": \"\\u001b[2J\""), { "line 1", "control" } },
		{ DRILL("d", ", \"follow_up\": \"\x1b[2J\""), { "line 1", "control" } },
		{ DRILL("d", ", \"follow_up\": \"\\u009b2J\""), { "line 1", "control" } },
		{ DRILL("d", ",\n \"follow_up\": \"\xc2\x9b\""), { "line 2", "control" } },
		{ DRILL("d", ",\n \"follow_up\": \"caf\xe9\""), { "line 2", "UTF-8" } },
		{ "{\"schema\": 1, \"editions\": [[\"kv-cache\"]]}", { "editions" } },
	};
	put_bank("zz.json", "mine", "good");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct own_drills own;
		put("bad.json", rows[i].json);
		struct drill_bank b = load(&own);
		cr_assert(eq(sz, own.n_refused, 1), "row %zu", i);
		const char *line = own.refused[0];
		cr_expect(strncmp(line, "$XDG_DATA_HOME/ridge/drills/bad.json: ", 38) == 0, "%s",
			line);
		cr_expect(strpbrk(line, "\n\x1b") == NULL, "row %zu", i);
		for (size_t k = 0; k < 3 && rows[i].says[k]; k++)
			cr_expect(strstr(line, rows[i].says[k]) != NULL, "row %zu: %s", i, line);
		cr_expect(eq(sz, own.n_drills, 1));
		cr_expect(bank_find(&b, "good") != NULL, "row %zu", i);
		bank_release(&b);
	}
	struct own_drills own;
	put("bad.json", DRILL("d", ", \"follow_up\": \"a\\\\u001b, a\\nb, \\u00e9\""));
	struct drill_bank b = load(&own);
	cr_expect(zero(sz, own.n_refused), "what only looks like an escape is none");
	bank_release(&b);
}

/* Paths that are not files, cannot be read, are too large, or end too early. */
Test(own_drills, files_that_are_none, .init = begin, .fini = end)
{
	char path[256];
	struct own_drills own;
	char *large = malloc(LARGEST_OWN_FILE + 1);
	cr_assert(large != NULL);
	memset(large, ' ', LARGEST_OWN_FILE + 1);
	put_bytes("large.json", large, LARGEST_OWN_FILE + 1);
	put_bytes("nul.json", "{\"schema\": 1\0}", 14);
	snprintf(path, sizeof path, "%s/folder.json", folder);
	cr_assert(zero(int, mkdir(path, 0700)));
	snprintf(path, sizeof path, "%s/pipe.json", folder);
	cr_assert(zero(int, mkfifo(path, 0600)));
	snprintf(path, sizeof path, "%s/gone.json", folder);
	cr_assert(zero(int, symlink("/nonexistent", path)));
	put_bank("odd\x1b[31m.json", "mine", "odd");
	struct drill_bank b = load(&own);
	cr_assert(eq(sz, own.n_refused, 5));
	cr_expect(eq(sz, own.n_drills, 1));
	for (size_t i = 0; i < own.n_refused; i++)
		cr_expect(
			strstr(own.refused[i], "expected a readable text file of 256 KiB") != NULL,
			"%s", own.refused[i]);
	bank_release(&b);
	put("odd\x1b[31m.json", "{");
	b = load(&own);
	cr_expect(strchr(own.refused[own.n_refused - 1], '\x1b') == NULL);
	bank_release(&b);
	free(large);
}

/* The hundred that come first, in any order of the folder. */
Test(own_drills, too_many_files, .init = begin, .fini = end)
{
	struct own_drills own;
	for (int i = 0; i < 103; i++) {
		char name[32], id[32];
		snprintf(name, sizeof name, "%03d.json", i * 37 % 103);
		snprintf(id, sizeof id, "own-%03d", i * 37 % 103);
		put_bank(name, "mine", id);
	}
	struct drill_bank b = load(&own);
	cr_expect(eq(sz, own.n_drills, MOST_OWN_FILES));
	cr_assert(eq(sz, own.n_refused, 1));
	cr_expect(strstr(own.refused[0], "more than 100 files: 100.json") != NULL, "%s",
		own.refused[0]);
	cr_expect(bank_find(&b, "own-099") && !bank_find(&b, "own-100"));
	bank_release(&b);
}

Test(own_drills, no_home_and_no_folder, .init = begin, .fini = end)
{
	struct own_drills own;
	setenv("XDG_DATA_HOME", "relative", 1);
	setenv("HOME", "/nonexistent", 1);
	struct drill_bank b = load(&own);
	cr_expect(eq(str, (char *)own.folder, "~/.local/share/ridge/drills"));
	cr_expect(zero(sz, own.n_refused + own.n_drills));
	bank_release(&b);
	unsetenv("HOME");
	b = load(&own);
	cr_expect(eq(str, (char *)own.folder, ""));
	cr_expect(lt(sz, 0, b.n));
	bank_release(&b);
	setenv("XDG_DATA_HOME", base, 1);
}

/* What `ridge drill` prints; in *said what it complains of. Both to be freed. */
static char *run(const char *topic, char **said)
{
	char *printed = NULL;
	size_t n, m;
	char *argv[] = { "drill", "--sheet", "--count", "2", "--seed", "3", "--topic",
		(char *)topic, NULL };
	FILE *out = open_memstream(&printed, &n), *err = open_memstream(said, &m);
	command_run(8, argv, &(struct streams){ stdin, out, err });
	fclose(out);
	fclose(err);
	return printed;
}

/* The command deals them, says that there is no code for them, and tells what it left out. */
Test(own_drills, dealt_by_the_command, .init = begin, .fini = end)
{
	char *said = NULL;
	put_bank("mine.json", "mine", "my-drill");
	put("bad.json", "{");
	char *printed = run("mine", &said);
	cr_expect(strstr(printed, "Which?") != NULL, "%s", printed);
	cr_expect(strstr(printed, "no code: there are drills of your own") != NULL, "%s", printed);
	cr_expect(eq(str, said,
		"ridge drill: $XDG_DATA_HOME/ridge/drills/bad.json: not JSON, at line 1\n"));
	free(printed);
	free(said);
	printed = run("roofline", &said);
	cr_expect(strstr(printed, ", code 8") != NULL, "%s", printed);
	free(printed);
	free(said);
}

/* And the explorer has them, on the drill screen and in the palette. */
Test(own_drills, are_in_the_explorer, .init = begin, .fini = end)
{
	char err[300] = "";
	put_bank("mine.json", "mine", "my-drill");
	put("bad.json", "{");
	struct explorer e = explorer_start(40, 100, GLYPHS_LINES);
	const char *words[] = { "topic=mine", "count=1" };
	cr_assert(zero(int, app_open(e.app, "drill", words, 2, err, sizeof err)), "%s", err);
	cr_expect(explorer_shows(&e, "Which?"));
	cr_expect(explorer_shows(&e, "left out: ") && explorer_shows(&e, "bad.json"));
	explorer_press(&e, ":");
	explorer_type(&e, "mine");
	cr_expect(explorer_shows(&e, "Drill: mine"));
	explorer_end(&e);
}
