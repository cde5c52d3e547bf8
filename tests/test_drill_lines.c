/* Whole sittings line by line, against a clock that the script turns: what the sheet at the end
 * says, and what is kept in the history. */
#define _GNU_SOURCE /* fopencookie: a stream that turns the clock */
#include "sims/base/name_words.h"
#include "drills/history.h"
#include "tests/data_home.h"
#include "ui/data/bank_load.h"
#include "ui/practice/drill_lines.h"
#include "ui/practice/drill_sheet.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { BEGAN_S = 1767225600, MOST_EVENTS = 64, DAY = 86400 };

static struct tables tables;
static struct drill_bank bank;
static struct drill_session session;

static void load(void)
{
	char err[300] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
}

static void release(void)
{
	session_release(&session);
	bank_release(&bank);
	tables_release(&tables);
}

/* Who answers: after so many seconds, that. "=" is the right answer to the step that is asked; NULL
 * ends the input. */
struct turn {
	int64_t wait_s;
	const char *text;
};

static struct {
	const struct turn *turn;
	char line[200];
	size_t at, n;
	int64_t now_ms;
	struct history_event events[MOST_EVENTS];
	size_t n_events;
	const char *refusal; /* why nothing can be kept */
} desk;

static int64_t clock_ms(void)
{
	return desk.now_ms;
}

static ssize_t type(void *cookie, char *buf, size_t size)
{
	(void)cookie;
	if (desk.at == desk.n) {
		const struct turn *t = desk.turn++;
		const struct session_item *item = session_current(&session);
		if (!t->text)
			return 0;
		bool right = strcmp(t->text, "=") == 0;
		desk.now_ms += 1000 * t->wait_s;
		desk.n = (size_t)snprintf(desk.line, sizeof desk.line, "%s\n",
			right ? item->variant.steps[item->variant.step].answer : t->text);
		desk.at = 0;
	}
	size_t n = desk.n - desk.at < size ? desk.n - desk.at : size;
	memcpy(buf, desk.line + desk.at, n);
	desk.at += n;
	return (ssize_t)n;
}

static int record(const struct history_event *e, char *err, size_t err_size)
{
	if (desk.refusal) {
		snprintf(err, err_size, "%s", desk.refusal);
		return -1;
	}
	cr_assert(lt(sz, desk.n_events, MOST_EVENTS));
	desk.events[desk.n_events++] = *e;
	return 0;
}

/* Yesterday: a ridge point in 40 s, and one right in a sprint. */
static int yesterday(struct history *h, char *err, size_t err_size)
{
	static const char text[] =
		"{\"schema\":1,\"at\":1767139200,\"kind\":\"answer\",\"drill\":\"ridge-point\","
		"\"skill\":\"roofline\",\"topic\":\"roofline\",\"seed\":9,\"part\":0,"
		"\"verdict\":\"CORRECT\",\"credit\":1,\"attempt\":1,\"took_s\":40,\"par_s\":30,"
		"\"mode\":\"sprint\"}\n";
	(void)err;
	(void)err_size;
	return history_parse(h, strdup(text), sizeof text - 1);
}

/* What it prints, to be freed; *complaints too, where it is not NULL. */
static char *sit(const struct session_options *o, const struct turn *script, char **complaints)
{
	char err[300] = "", *out = NULL, *told = NULL;
	size_t n_out, n_told;
	memset(&desk, 0, sizeof desk - sizeof desk.refusal);
	desk.turn = script;
	cr_assert(zero(int, session_init(&session, &bank, &tables, o, err, sizeof err)), "%s", err);
	FILE *in = fopencookie(NULL, "r", (cookie_io_functions_t){ .read = type });
	setvbuf(in, NULL, _IONBF, 0);
	struct drill_lines l = { in, open_memstream(&out, &n_out), open_memstream(&told, &n_told),
		clock_ms, BEGAN_S, record, yesterday };
	cr_expect(zero(int, drill_lines_run(&session, &l)));
	fclose(in);
	fclose(l.out);
	fclose(l.err);
	cr_expect(eq(ptr, strchr(out, '\x1b'), NULL));
	if (complaints) {
		*complaints = told;
	} else {
		cr_expect(eq(str, told, (char *)""));
		free(told);
	}
	return out;
}

/* The sheet: from the line of the first problem on. */
static void expect_sheet(const char *out, const char *sheet)
{
	const char *first = strstr(out, "\n  1  ");
	cr_assert(first != NULL, "%s", out);
	cr_expect(eq(str, (char *)first + 1, (char *)sheet));
}

/* Par is 30 s. The first is right in 15 s after a hint, which costs a tenth; the second is right at
 * the second try, after 20 s and 16 s, and its typo costs nothing; the third is given up after 5 s.
 * The ratios are 0.5 and 1.2, since what was never answered has none: the median is 0.85. There is
 * no best time, as neither was right at once without a hint; the run of one from yesterday grows to
 * three. */
Test(drill_lines, a_set, .init = load, .fini = release)
{
	static const struct turn script[] = { { 5, "?" }, { 10, "=" }, { 20, "1e-3 FLOP/B" },
		{ 6, "a lot" }, { 10, "=" }, { 5, "skip" } };
	struct session_options o = { .topic = "ridge-point", .count = 3, .seed = 3, .edition = 1 };
	char *out = sit(&o, script, NULL);
	expect_sheet(out,
		"  1  right   0.90   0:15 of 0:30   The ridge point\n"
		"  2  right   0.50   0:36 of 0:30   The ridge point\n"
		"  3  gave up 0.00   0:05 of 0:30   The ridge point\n"
		"2 of 3 right, 1 of them within par; credit 1.40 of 3; 1 hint; 0:56\n"
		"time: answers took 85 % of par in the median; slowest: The ridge point, 0:36 of 0:30\n"
		"most missed: roofline, 1 of 3\n"
		"best: 3 right in a row, before 1\n");
	static const struct {
		enum history_kind kind;
		enum verdict verdict;
		unsigned attempt, hints;
		double took_s;
		int64_t after_s;
		bool used;
	} kept[] = {
		{ HISTORY_ANSWER, VERDICT_CORRECT, 1, 1, 15, 15, true },
		{ HISTORY_ANSWER, VERDICT_WRONG, 1, 0, 20, 35, true },
		{ HISTORY_ANSWER, VERDICT_INVALID, 1, 0, 26, 41, false },
		{ HISTORY_ANSWER, VERDICT_CORRECT, 2, 0, 36, 51, true },
		{ HISTORY_GAVE_UP, 0, 0, 0, 5, 56, true },
	};
	cr_assert(eq(sz, desk.n_events, sizeof kept / sizeof *kept));
	for (size_t i = 0; i < desk.n_events; i++) {
		const struct history_event *e = &desk.events[i];
		cr_expect(eq(int, e->kind, kept[i].kind), "event %zu", i);
		if (e->kind == HISTORY_ANSWER)
			cr_expect(eq(int, e->verdict, kept[i].verdict), "event %zu", i);
		cr_expect(eq(uint, e->attempt, kept[i].attempt), "event %zu", i);
		cr_expect(eq(uint, e->hints, kept[i].hints), "event %zu", i);
		cr_expect(eq(dbl, e->took_s, kept[i].took_s), "event %zu", i);
		cr_expect(eq(i64, e->at_s, BEGAN_S + kept[i].after_s), "event %zu", i);
		cr_expect(eq(int, e->used, kept[i].used), "event %zu", i);
		cr_expect(eq(str, (char *)e->mode, (char *)"set"), "event %zu", i);
	}
	free(out);
}

/* Without a clock: no times, however long it took. */
Test(drill_lines, study, .init = load, .fini = release)
{
	static const struct turn script[] = { { 500, "=" }, { 0, "quit" } };
	struct session_options o = {
		.topic = "ridge-point", .count = 2, .seed = 3, .mode = MODE_STUDY, .edition = 1
	};
	char *out = sit(&o, script, NULL);
	expect_sheet(out, "  1  right   1.00  The ridge point\n"
			  "  2  left    0.00  The ridge point\n"
			  "1 of 2 right; credit 1.00 of 2\n"
			  "best: 2 right in a row, before 1\n");
	free(out);
}

/* Right after 20 s, wrong after 50 more, right after 40 more, and the last answer comes 20 s later:
 * 130 s are over. The pause costs nothing. */
Test(drill_lines, a_sprint, .init = load, .fini = release)
{
	static const struct turn script[] = { { 20, "=" }, { 5, "pause" }, { 1000, "" },
		{ 45, "1 GB" }, { 40, "=" }, { 20, "=" }, { 0, NULL } };
	struct session_options o = {
		.topic = "ridge-point", .count = 40, .seed = 3, .mode = MODE_SPRINT, .edition = 1
	};
	char *out = sit(&o, script, NULL);
	expect_sheet(out,
		"  1  right   1.00   0:20 of 0:30   The ridge point\n"
		"  2  wrong   0.00   0:50 of 0:30   The ridge point: wrong kind of quantity\n"
		"  3  right   1.00   0:40 of 0:30   The ridge point\n"
		"  4  no time 0.00   0:10 of 0:30   The ridge point\n"
		"2 of 4 right in 2:00; credit 2.00 of 4\n"
		"time: answers took 133 % of par in the median; slowest: The ridge point, 0:50 of 0:30\n"
		"most missed: roofline, 1 of 3\n"
		"mistakes: wrong kind of quantity 1x\n"
		"best: roofline in 0:20, before 0:40; 2 right in a row, before 1; 2 right in a "
		"sprint, before 1\n");
	cr_assert(eq(sz, desk.n_events, 4));
	cr_expect(eq(int, desk.events[3].kind, HISTORY_TIMED_OUT));
	cr_expect(eq(dbl, desk.events[3].took_s, 10));
	free(out);
}

/* Phases of 5, 10, 15, 10 and 5 minutes. Clarified in 4, the estimate given up after 11; design in
 * 15, in two lines; the problem in 20 s, so that the drill phase is short; summed up in 6. */
Test(drill_lines, an_interview, .init = load, .fini = release)
{
	static const struct turn script[] = { { 240, "" }, { 660, "skip" },
		{ 300, "two replicas, one spare" }, { 600, "" }, { 20, "=" }, { 360, "" } };
	struct session_options o = {
		.topic = "ridge-point", .count = 1, .seed = 3, .mode = MODE_INTERVIEW, .edition = 1
	};
	char *out = sit(&o, script, NULL);
	const struct drill *estimate = session.items[0].variant.drill;
	char sheet[800], par[16], said[64];
	snprintf(par, sizeof par, "%d:%02d", (int)estimate->par_s / 60, (int)estimate->par_s % 60);
	snprintf(sheet, sizeof sheet,
		"  1  gave up 0.00  11:00 of %-5s  %s\n"
		"  2  right   1.00   0:20 of 0:30   The ridge point\n"
		"1 of 2 right, 1 of them within par; credit 1.00 of 2; 36:20\n"
		"time: slowest: The ridge point, 0:20 of 0:30\n"
		"phases: clarify 4:00 of 5:00, estimate 11:00 of 10:00, design 15:00 of 15:00, "
		"drill 0:20 of 10:00, wrap up 6:00 of 5:00\n"
		"most missed: %s, 1 of 1\n"
		"best: roofline in 0:20, before 0:40\n",
		par, estimate->title, name_words(estimate->skill, said, sizeof said));
	expect_sheet(out, sheet);
	cr_expect(ne(ptr, strstr(out, "pacing: OVER"), NULL));
	free(out);
}

Test(drill_lines, a_review, .init = load, .fini = release)
{
	static const char *const skills[] = { "decode", "kv-cache" };
	static const struct turn script[] = { { 1, "skip" }, { 1, "skip" } };
	struct session_options o = {
		.seed = 3, .mode = MODE_REVIEW, .skills = skills, .n_skills = 2
	};
	char *out = sit(&o, script, NULL);
	cr_expect(ne(ptr, strstr(out, "most missed: decode, 1 of 1; KV cache, 1 of 1\n"), NULL),
		"%s", out);
	cr_assert(eq(sz, desk.n_events, 2));
	cr_expect(eq(str, (char *)desk.events[0].skill, (char *)"decode"));
	cr_expect(eq(str, (char *)desk.events[1].mode, (char *)"review"));
	free(out);
}

/* A choice is answered by the number of its option; the wrong one is told why. */
Test(drill_lines, options_have_numbers, .init = load, .fini = release)
{
	static const struct turn script[] = { { 1, "9" }, { 1, "=" }, { 0, NULL } };
	const struct drill *choice = NULL;
	for (size_t i = 0; i < bank.n && !choice; i++)
		if (bank.drills[i].kind == KIND_CHOICE && bank.drills[i].n_steps == 1)
			choice = &bank.drills[i];
	cr_assert(choice != NULL);
	struct session_options o = { .topic = choice->id, .count = 1, .seed = 3 };
	char *out = sit(&o, script, NULL);
	cr_expect(strstr(out, "\n1. ") && strstr(out, "\n2. "), "%s", out);
	cr_expect(strstr(out, "INVALID") && strstr(out, "1 of 1 right"), "%s", out);
	cr_expect(eq(sz, desk.n_events, 2));
	free(out);
}

/* A full disk is told once, and the sitting goes on. */
Test(drill_lines, an_answer_that_cannot_be_kept, .init = load, .fini = release)
{
	static const struct turn script[] = { { 1, "=" }, { 1, "=" } };
	struct session_options o = { .topic = "ridge-point", .count = 2, .seed = 3, .edition = 1 };
	char *told;
	desk.refusal = "the answer is not kept, cannot write history: No space left on device";
	char *out = sit(&o, script, &told);
	cr_expect(eq(str, told,
		(char *)"ridge drill: the answer is not kept, cannot write history: No space left "
			"on device; the sitting goes on\n"));
	cr_expect(ne(ptr, strstr(out, "2 of 2 right"), NULL), "%s", out);
	free(out);
	free(told);
}

/* A program that was left is there again, and "run" runs it; there is none at first. */
Test(drill_lines, a_program_that_was_left, .init = load, .fini = release)
{
	static const struct turn nothing[] = { { 5, "run" }, { 5, "quit" } },
				 left[] = { { 5, "quit" } };
	struct session_options o = { .topic = "code-ring", .count = 1, .seed = 3 };
	struct data_home home;
	data_home_begin(&home, "programs");
	char *out = sit(&o, nothing, NULL);
	cr_expect(strstr(out, "there is no program yet") != NULL, "%s", out);
	cr_expect(strstr(out, "You left a program") == NULL, "%s", out);
	free(out);
	session_release(&session);
	data_home_put(&home, "code-ring.py", "def all_reduce(ring, buffers):\n    return 7\n");
	out = sit(&o, left, NULL);
	cr_expect(strstr(out, "You left a program here on ") != NULL, "%s", out);
	free(out);
	data_home_end(&home);
}

#define TEN_WIDE "漢漢漢漢漢漢漢漢漢漢" /* 20 columns */
#define TEN_X "xxxxxxxxxx"

/* 78 columns, whatever bytes or code points they are; marks of emphasis count and are left out. */
Test(drill_lines, paper_is_78_columns_wide)
{
	static const struct {
		const char *text;
		int indent;
		const char *lines;
	} rows[] = {
		{ TEN_WIDE TEN_WIDE " " TEN_WIDE "漢漢漢漢漢漢漢漢", 0, /* 40 + 1 + 36 */
			TEN_WIDE TEN_WIDE " " TEN_WIDE "漢漢漢漢漢漢漢漢\n" },
		{ TEN_WIDE TEN_WIDE " " TEN_WIDE "漢漢漢漢漢漢漢漢漢", 0, /* 40 + 1 + 38 */
			TEN_WIDE TEN_WIDE "\n" TEN_WIDE "漢漢漢漢漢漢漢漢漢\n" },
		{ "a **b**  `c`", 2, "  a b c\n" },
		{ TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X " `" TEN_X "`", 0, /* 70 + 1 + 12 */
			TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X "\n" TEN_X "\n" },
		{ "a " TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X, 3, /* a word stays whole */
			"   a\n   " TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X "\n" },
		{ "", 4, "\n" },
		{ "a\n\n\nb\n", 1, " a\n\n b\n\n" },
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got = NULL;
		size_t bytes;
		FILE *out = open_memstream(&got, &bytes);
		drill_text(rows[i].text, rows[i].indent, out);
		fclose(out);
		cr_expect(eq(str, got, (char *)rows[i].lines), "row %zu", i);
		free(got);
	}
}
