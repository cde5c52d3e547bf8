/* A pack: questions of one's own that two people both have. tests/data/pack.json has three, "my-cache",
 * "my-second" and "a-third" in this order. */
#include "tests/interviewer.h"
#include "drills/code.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"
#include "ui/interviewer/interviewer_record.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PACK "tests/data/pack.json"

/* A copy of the pack in which these words are others, as long. */
static void change_pack(char *path, const char *from, const char *to)
{
	char text[8192];
	FILE *in = fopen(PACK, "r");
	cr_assert(in != NULL);
	text[fread(text, 1, sizeof text - 1, in)] = '\0';
	fclose(in);
	char *word = strstr(text, from);
	cr_assert(word != NULL && strlen(from) == strlen(to));
	memcpy(word, to, strlen(to));
	strcpy(path, "/tmp/ridge-pack-XXXXXX");
	FILE *out = fdopen(mkstemp(path), "w");
	cr_assert(out != NULL && fputs(text, out) >= 0);
	fclose(out);
}

struct dealt {
	struct tables tables;
	struct drill_bank bank;
	struct drill_request request;
	struct drill_session session;
	char err[400];
	int rc;
};

static struct dealt *deal_words(const char *const words[])
{
	struct dealt *d = calloc(1, sizeof *d);
	struct own_drills own;
	size_t n = 0;
	while (words[n])
		n++;
	cr_assert(zero(int, tables_load(&d->tables, d->err, sizeof d->err)));
	d->rc = drill_request_words(&d->request, words, n, d->err, sizeof d->err) ||
		drill_request_bank(
			&d->request, &d->bank, &d->tables, &own, d->err, sizeof d->err) ||
		drill_request_complete(&d->request, &d->bank, NULL, 5, d->err, sizeof d->err) ||
		session_init(&d->session, &d->bank, &d->tables, &d->request.options, d->err,
			sizeof d->err);
	return d;
}
#define DEALT(...) deal_words((const char *const[]){ __VA_ARGS__, NULL })

static void release(struct dealt *d)
{
	session_release(&d->session);
	bank_release(&d->bank);
	tables_release(&d->tables);
	free(d);
}

static void expect_ids(const struct dealt *d, const char *const ids[], size_t n)
{
	cr_expect(zero(int, d->rc), "%s", d->err);
	cr_assert(eq(sz, d->session.n, n));
	for (size_t i = 0; i < n; i++)
		cr_expect(eq(str, (char *)d->session.items[i].variant.drill->id, (char *)ids[i]));
}

static const char *const in_order[] = { "my-cache", "my-second", "a-third" };

Test(pack, is_dealt_whole_and_in_its_order_at_any_seed)
{
	static const char *const modes[] = { "mode=set", "mode=study", "mode=interview" };
	for (size_t i = 0; i < 3; i++)
		for (unsigned seed = 0; seed < 10; seed++) {
			char word[32];
			snprintf(word, sizeof word, "seed=%u", seed);
			struct dealt *d = DEALT("pack=" PACK, modes[i], word);
			expect_ids(d, in_order, 3);
			release(d);
		}
}

Test(pack, goes_round_where_more_is_asked_for)
{
	static const char *const ids[] = { "my-cache", "my-second", "a-third", "my-cache" };
	struct dealt *d = DEALT("pack=" PACK, "count=4");
	expect_ids(d, ids, 4);
	release(d);
}

Test(pack, code_deals_the_same_numbers_to_who_has_the_file)
{
	struct dealt *a = DEALT("pack=" PACK, "seed=12"), *b;
	char code[64];
	snprintf(code, sizeof code, "code=%s", a->request.code);
	cr_assert(not(zero(int, a->request.code[0])));
	b = DEALT("pack=" PACK, code);
	expect_ids(b, in_order, 3);
	for (size_t i = 0; i < 3; i++)
		cr_expect(eq(str, (char *)a->session.items[i].variant.prompt,
			(char *)b->session.items[i].variant.prompt));
	release(a);
	release(b);
}

Test(pack, code_is_refused_without_the_file_or_with_another)
{
	struct dealt *a = DEALT("pack=" PACK, "seed=12"), *d;
	char code[64], path[32], word[48];
	snprintf(code, sizeof code, "code=%s", a->request.code);
	release(a);
	d = DEALT(code);
	cr_expect(eq(
		str, d->err, "code: it is of a pack of questions: give its file with pack=FILE"));
	release(d);
	change_pack(path, "The same again", "Quite the same");
	snprintf(word, sizeof word, "pack=%s", path);
	d = DEALT(word, code);
	cr_expect(eq(str, d->err,
		"code: the pack is not the one that it was made with: both sides need the same "
		"file"));
	release(d);
	d = DEALT("pack=" PACK, "code=1500-4K2Q-7");
	cr_expect(not(zero(int, d->rc)));
	release(d);
	unlink(path);
}

Test(pack, is_refused_in_one_line_whatever_its_ids_hold)
{
	char path[32], word[48];
	change_pack(path, "\"id\": \"my-cache\"", "\"id\": \"m\\n\\nche\"");
	snprintf(word, sizeof word, "pack=%s", path);
	struct dealt *d = DEALT(word);
	cr_expect(not(zero(int, d->rc)));
	cr_expect(strstr(d->err, "m??che: id, topic and skill: expected") != NULL, "%s", d->err);
	cr_expect(strchr(d->err, '\n') == NULL);
	release(d);
	unlink(path);
	/* And where something else of that drill is refused first. */
	change_pack(path, "\"id\": \"my-cache\",\n   \"kind\": \"number\"",
		"\"id\": \"m\\n\\nche\",\n   \"kind\": \"n\\nber\"");
	snprintf(word, sizeof word, "pack=%s", path);
	d = DEALT(word);
	cr_expect(not(zero(int, d->rc)));
	cr_expect(strstr(d->err, "m??che: kind: ") != NULL, "%s", d->err);
	cr_expect(strchr(d->err, '\n') == NULL);
	release(d);
	unlink(path);
}

Test(pack, says_what_does_not_go_with_it)
{
	static const struct {
		const char *word, *says;
	} rows[] = {
		{ "topic=serving", "a pack is dealt whole" },
		{ "mode=review", "a pack is dealt whole" },
		{ "mode=placement", "a pack is dealt whole" },
		{ "pack=/nonexistent", "pack /nonexistent: expected a readable text file" },
		{ "pack=README.md", "README.md: " },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct dealt *d = strncmp(rows[i].word, "pack", 4) == 0
					  ? DEALT(rows[i].word)
					  : DEALT("pack=" PACK, rows[i].word);
		cr_expect(not(zero(int, d->rc)), "%s", rows[i].word);
		cr_expect(strncmp(d->err, rows[i].says, strlen(rows[i].says)) == 0, "%s: %s",
			rows[i].word, d->err);
		release(d);
	}
}

/* Both sides of an interview, and its record, which knows the file from wherever it is read. */
Test(pack, is_asked_at_a_desk_and_goes_on_from_its_record)
{
	struct explorer e =
		interviewer_on("pack=" PACK " seed=4 mode=interview", 32, 100, GLYPHS_LINES);
	struct interviewer *v = interviewer_of(e.app), again;
	char command[200], err[300];
	size_t unreadable;
	expect_shown(&e, "ridge drill --pack pack.json --code ");
	drill_request_command(&v->request, command, sizeof command);
	char *line = interviewer_begin_line(v), *at = strstr(line, "\"pack\":\"/");
	cr_expect(at != NULL, "%s", line);
	cr_assert(zero(int, interviewer_replay(
				    &again, app_tables(e.app), line, &unreadable, err, sizeof err)),
		"%s", err);
	cr_expect(eq(str, again.request.code, v->request.code));
	cr_expect(eq(sz, again.n_stops, v->n_stops));
	interviewer_release(&again);
	free(line);
	explorer_end(&e);
}
