/* A sitting: its clock, attempts and hints, which problems it deals, and `ridge drill` by a
 * pipe. */
#include "drills/session.h"
#include "ui/data/bank_load.h"
#include "ui/commands/commands.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tables tables;
static struct drill_bank bank;

static void load(void)
{
	char err[300] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
}

static void release(void)
{
	bank_release(&bank);
	tables_release(&tables);
}

static struct drill_session begin(const char *topic, size_t count, uint64_t seed)
{
	struct drill_session s;
	char err[300] = "";
	struct session_options o = { topic, count, seed };
	cr_assert(zero(int, session_init(&s, &bank, &tables, &o, err, sizeof err)), "%s", err);
	return s;
}

static const char *right_answer(const struct session_item *item)
{
	return item->variant.steps[item->variant.step].answer;
}

Test(session, timer_changes_at_the_exact_moment, .init = load, .fini = release)
{
	struct drill_session s = begin("ridge-point", 2, 1); /* par 30 s */
	static const struct {
		int64_t now_ms;
		enum timer_state state;
	} rows[] = { { 1000, TIMER_OK }, { 30999, TIMER_OK }, { 31000, TIMER_WRAP_UP },
		{ 45999, TIMER_WRAP_UP }, { 46000, TIMER_OVER } };
	session_resume(&s, 1000);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(int, session_timer(&s, rows[i].now_ms), rows[i].state), "row %zu", i);
	session_release(&s);
}

/* How fast the machine is does not decide whether a problem was reached. */
Test(session, shown_for_no_time_is_left, .init = load, .fini = release)
{
	struct drill_session s = begin("ridge-point", 2, 1);
	session_resume(&s, 1000);
	cr_expect(eq(str, (char *)session_item_word(&s, 0), ""));
	session_pause(&s, 1000);
	cr_expect(eq(str, (char *)session_item_word(&s, 0), "left"));
	cr_expect(eq(str, (char *)session_item_word(&s, 1), ""));
	session_release(&s);
}

Test(session, pause_leaves_the_elapsed_time, .init = load, .fini = release)
{
	struct drill_session s = begin("memory", 2, 1);
	cr_expect(s.paused);
	cr_expect(eq(i64, session_spent_ms(&s, 99999), 0));
	session_resume(&s, 1000);
	session_pause(&s, 3000);
	cr_expect(eq(i64, session_spent_ms(&s, 900000), 2000));
	cr_expect(session_answer(&s, "1 GB", 900000) == NULL);
	session_resume(&s, 1000000);
	cr_expect(eq(i64, session_spent_ms(&s, 1000500), 2500));
	session_next(&s, 1001000);
	cr_expect(eq(i64, session_spent_ms(&s, 1001000), 0));
	cr_expect(eq(i64, session_total_ms(&s, 1002000), 4000));
	session_release(&s);
}

Test(session, attempts_and_hints, .init = load, .fini = release)
{
	struct drill_session s = begin("zero1-memory", 3, 4);
	session_resume(&s, 0);
	struct session_item *item = session_current(&s);
	/* what cannot be read leaves attempts and score as they were */
	const struct grade *g = session_answer(&s, "some GB", 1);
	cr_expect(eq(int, g->verdict, VERDICT_INVALID));
	cr_expect(eq(uint, item->attempts, 0));
	g = session_answer(&s, "10 tokens", 2);
	cr_expect(eq(int, g->verdict, VERDICT_WRONG_DIM));
	cr_expect(
		eq(uint, item->attempts, 0)); /* a quantity of another kind is asked again, once */
	g = session_answer(&s, "10 tokens", 2);
	cr_expect(eq(int, g->verdict, VERDICT_WRONG_DIM));
	cr_expect(eq(uint, item->attempts, 1));
	/* What the drill says, the formula, and the formula with the numbers put in. */
	const struct variant_step *step = item->variant.steps;
	const char *first = session_hint(&s), *second = session_hint(&s), *third = session_hint(&s);
	cr_expect(eq(str, (char *)first, (char *)item->variant.drill->hints[0]));
	cr_expect(eq(str, (char *)second, (char *)step->symbols));
	size_t n = strlen(third);
	cr_expect(
		strncmp(step->working, third, n) == 0 && strncmp(step->working + n, " = ", 3) == 0,
		"%s", third);
	cr_expect(session_hint(&s) == NULL);
	g = session_answer(&s, right_answer(item), 3);
	cr_expect(eq(int, g->verdict, VERDICT_CORRECT), "%s", g->remark);
	cr_expect(item->closed);
	cr_expect(epsilon_eq(
		dbl, item->credit, 0.35, 1e-12)); /* second attempt 1/2, three hints 0.7 */
	cr_expect(session_answer(&s, "1", 4) == NULL);
	session_next(&s, 5);
	static const char *const wrong[] = { "1 B", "2 B", "3 B" };
	for (int i = 0; i < 3; i++)
		session_answer(&s, wrong[i], 6);
	cr_expect(session_current(&s)->closed);
	session_next(&s, 7);
	session_give_up(&s, 8);
	cr_expect(not(session_next(&s, 9)));
	struct session_score score = session_score(&s);
	cr_expect(eq(sz, score.closed, 3));
	cr_expect(eq(sz, score.correct, 1));
	cr_expect(epsilon_eq(dbl, score.credit, 0.35, 1e-12));
	session_release(&s);
}

/* The same wrong number once more costs nothing, in whatever unit it is written; another one does, and then
 * the first one again. */
Test(session, a_wrong_answer_given_twice_costs_one_attempt, .init = load, .fini = release)
{
	static const struct {
		const char *text;
		unsigned attempts;
		bool repeated;
	} rows[] = {
		{ "1 GB", 1, false },
		{ "1 GB", 1, true },
		{ "1000 MB", 1, true },
		{ "2 GB", 2, false },
		{ "2 GB", 2, true },
		{ "1 GB", 3, false },
	};
	struct drill_session s = begin("zero1-memory", 3, 4);
	session_resume(&s, 0);
	struct session_item *item = session_current(&s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct grade *g = session_answer(&s, rows[i].text, 1);
		const char *said = strstr(g->remark, "that was your last answer too");
		cr_expect(eq(uint, item->attempts, rows[i].attempts), "row %zu", i);
		const bool says = said != NULL;
		cr_expect(says == rows[i].repeated, "row %zu: %s", i, g->remark);
		cr_expect(g->attempt_used == !rows[i].repeated, "row %zu", i);
		cr_expect(said == NULL || strstr(said + 1, "that was your") == NULL, "row %zu", i);
	}
	cr_expect(item->closed);
	session_release(&s);
}

/* A hint is paid for: what the scene says already is none. */
Test(session, a_hint_says_something_new, .init = load, .fini = release)
{
	struct drill_session s = begin("where-scaling-peaks", 1, 4);
	session_resume(&s, 0);
	struct session_item *item = session_current(&s);
	session_answer(&s, right_answer(item), 1);
	cr_assert(eq(sz, item->variant.step, 1));
	const char *hint = session_hint(&s);
	cr_assert(hint != NULL);
	cr_expect(strncmp(hint, "It depends on ", 14) != 0, "%s", hint);
	session_release(&s);
}

/* What an interview's end left unshown was not given up, and no skill was missed by it. */
Test(session, what_was_not_shown_was_not_given_up, .init = load, .fini = release)
{
	struct drill_session s;
	struct session_miss missed[8];
	char err[300] = "";
	struct session_options o = { "", 3, 4, MODE_INTERVIEW, 0, NULL, 0, 0 };
	cr_assert(zero(int, session_init(&s, &bank, &tables, &o, err, sizeof err)), "%s", err);
	session_resume(&s, 0);
	for (int64_t minute = 1; !session_done(&s); minute++)
		session_next_phase(&s, 60000 * minute);
	static const char *const words[] = { "gave up", "gave up", "unasked", "unasked" };
	size_t closed = 0;
	cr_assert(eq(sz, s.n, 4));
	for (size_t i = 0; i < s.n; i++)
		cr_expect(eq(str, (char *)session_item_word(&s, i), (char *)words[i]), "%zu", i);
	for (size_t n = session_missed(&s, missed, 8); n-- > 0;)
		closed += missed[n].closed;
	cr_expect(eq(sz, closed, 2));
	session_release(&s);
}

/* So does an option, and an order; "2" and "b" are the same one. */
Test(session, a_wrong_choice_given_twice_costs_one_attempt, .init = load, .fini = release)
{
	struct drill_session s = begin("length-or-padding", 3, 4);
	session_resume(&s, 0);
	struct session_item *item = session_current(&s);
	const struct variant_step *step = &item->variant.steps[0];
	char text[2][24] = { "", "" };
	size_t n = 0;
	cr_assert(eq(int, step->step->kind, KIND_CHOICE));
	for (size_t i = 0; i < step->n_options && n < 2; i++)
		if (!step->options[i].right)
			snprintf(text[n++], sizeof text[0], "%zu", i + 1);
	cr_assert(eq(sz, n, 2));
	const char letter[] = { (char)(text[0][0] - '1' + 'b' - 1), '\0' };
	const struct {
		const char *text;
		unsigned attempts;
	} rows[] = { { text[0], 1 }, { text[0], 1 }, { letter, 1 }, { text[1], 2 },
		{ text[1], 2 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const unsigned before = item->attempts;
		const struct grade *g = session_answer(&s, rows[i].text, 1);
		cr_expect(eq(uint, item->attempts, rows[i].attempts), "row %zu", i);
		cr_expect(g->attempt_used == (rows[i].attempts > before), "row %zu", i);
	}
	cr_expect(eq(uint, s.causes[0].n, 1));
	cr_expect(eq(uint, s.causes[1].n, 1));
	session_release(&s);
}

Test(session, a_wrong_order_given_twice_costs_one_attempt, .init = load, .fini = release)
{
	struct drill_session s = begin("memory-ladder", 3, 4);
	session_resume(&s, 0);
	struct session_item *item = session_current(&s);
	const struct variant_step *step = &item->variant.steps[0];
	char wrong[64] = "";
	cr_assert(eq(int, step->step->kind, KIND_ORDER));
	for (size_t i = 0, n = strlen(step->answer); i < n; i++)
		wrong[i] = step->answer[n - 1 - i];
	cr_expect(session_answer(&s, wrong, 1)->attempt_used);
	cr_expect(not(session_answer(&s, wrong, 2)->attempt_used));
	cr_expect(not(session_answer(&s, wrong, 3)->attempt_used));
	cr_expect(eq(uint, item->attempts, 1));
	session_release(&s);
}

/* A part has hints of its own, and costs only those. */
Test(session, hints_of_a_part, .init = load, .fini = release)
{
	struct drill_session s = begin("goodput-of-a-cluster", 3, 4);
	session_resume(&s, 0);
	struct session_item *item = session_current(&s);
	cr_assert(lt(sz, 1, item->variant.n_steps));
	cr_expect(session_hint(&s) && session_hint(&s));
	session_answer(&s, right_answer(item), 1);
	cr_expect(epsilon_eq(dbl, item->step_credit[0], 0.8, 1e-12));
	const char *hint = session_hint(&s);
	cr_assert(hint != NULL);
	cr_expect(strncmp(hint, "It depends on ", 14) == 0, "%s", hint);
	session_answer(&s, right_answer(item), 2);
	cr_expect(epsilon_eq(dbl, item->step_credit[1], 0.9, 1e-12));
	cr_expect(eq(uint, item->hints, 3));
	session_release(&s);
}

/* A drill more moves nobody's numbers, and every drill comes before any comes twice. */
Test(session, sets, .init = load, .fini = release)
{
	const size_t all = bank.n;
	bank.n = 180;      /* a sitting has at most 200 */
	size_t n = bank.n; /* but for programs, which come only when asked for */
	for (size_t i = 0; i < bank.n; i++)
		n -= bank.drills[i].kind == KIND_CODE;
	struct drill_session s = begin("", n, 11);
	for (size_t i = 0; i < s.n; i++)
		for (size_t k = 0; k < i; k++)
			cr_expect(s.items[i].variant.drill != s.items[k].variant.drill);
	struct drill_bank fewer = bank;
	fewer.n--;
	struct drill_session t;
	char err[300];
	struct session_options o = { NULL, n - 1, 11 };
	cr_assert(zero(int, session_init(&t, &fewer, &tables, &o, err, sizeof err)));
	size_t k = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (s.items[i].variant.drill == &bank.drills[bank.n - 1])
			continue;
		cr_expect(eq(str, (char *)s.items[i].variant.prompt,
			(char *)t.items[k++].variant.prompt));
	}
	session_release(&s);
	session_release(&t);
	bank.n = all;
	o.topic = "memroy";
	cr_expect(eq(int, session_init(&t, &bank, &tables, &o, err, sizeof err), -1));
	cr_expect(strstr(err, "did you mean \"memory\"") != NULL, "%s", err);
	session_release(&t);
	o = (struct session_options){ NULL, 0, 1 };
	cr_expect(eq(int, session_init(&t, &bank, &tables, &o, err, sizeof err), -1));
	session_release(&t);
}

static int run_drill(char **argv, const char *input, char **output, char **errors)
{
	size_t n_out, n_err;
	int argc = 0;
	FILE *in = fmemopen((char *)input, strlen(input) + !*input, "r");
	FILE *out = open_memstream(output, &n_out), *err = open_memstream(errors, &n_err);
	while (argv[argc])
		argc++;
	if (!*input)
		getc(in);
	int rc = command_run(argc, argv, &(struct streams){ in, out, err });
	fclose(in);
	fclose(out);
	fclose(err);
	return rc;
}

Test(session, a_whole_sitting_by_pipe, .init = load, .fini = release)
{
	struct drill_session s = begin("roofline", 2, 5);
	char input[400], *out, *err;
	snprintf(input, sizeof input, "?\nsome\n%s\n1 %s\n", right_answer(&s.items[0]),
		s.items[1].variant.question.shown_unit);
	char *argv[] = { "drill", "--topic", "roofline", "--count", "2", "--seed", "5",
		"--attempts", "1", "--no-history", NULL };
	cr_expect(zero(int, run_drill(argv, input, &out, &err)));
	static const char *const said[] = { "Problem 1 of 2", "Problem 2 of 2", "INVALID",
		"CORRECT", "credit 0.90", "turn the knobs: ridge sim roofline", "read as",
		"1 of 2 right" };
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		cr_expect(strstr(out, said[i]) != NULL, "%s is not in:\n%s", said[i], out);
	cr_expect(strchr(out, '\x1b') == NULL);
	cr_expect(eq(str, err, ""));
	free(out);
	free(err);
	session_release(&s);
}

Test(session, end_of_input_ends_cleanly)
{
	char *argv[] = { "drill", "--seed", "1", "--count", "3", "--no-history", NULL }, *out, *err;
	cr_expect(zero(int, run_drill(argv, "", &out, &err)));
	cr_expect(strstr(out, "0 of 3 right") != NULL, "%s", out);
	free(out);
	free(err);
}

/* An interview has an estimate besides the problems that are asked for. */
Test(session, the_head_of_a_sheet_says_what_was_asked_for)
{
	char *argv[] = { "drill", "--sheet", "--mode", "interview", "--seed", "1", "--count", "3",
		NULL };
	char *out, *err;
	cr_expect(zero(int, run_drill(argv, "", &out, &err)));
	cr_expect(strncmp(out, "an estimate and 3 problems, interview, ", 39) == 0, "%.60s", out);
	cr_expect(strstr(out, "\n4. ") != NULL, "%s", out);
	free(out);
	free(err);
}

Test(session, sheet)
{
	char *argv[] = { "drill", "--sheet", "--seed", "1", "--count", "16", NULL, NULL };
	char *out, *err;
	cr_expect(zero(int, run_drill(argv, "", &out, &err)));
	cr_expect(strstr(out, "Key:") == NULL && strstr(out, "Working") == NULL);
	free(out);
	free(err);
	argv[6] = "--answers";
	cr_expect(zero(int, run_drill(argv, "", &out, &err)));
	cr_expect(strstr(out, "Key:") != NULL && strstr(out, "Likely mistakes") != NULL);
	for (const char *line = out; *line;) {
		size_t n = strcspn(line, "\n");
		cr_expect(le(sz, n, 130), "%.*s", (int)n, line);
		line += n + (line[n] != '\0');
	}
	free(out);
	free(err);
}

Test(session, usage)
{
	static const struct {
		char *argv[6];
		int rc;
		const char *said;
	} rows[] = {
		{ { "drill", "--count", "0", NULL }, 2, "--count" },
		{ { "drill", "--count", NULL }, 2, "--count" },
		{ { "drill", "--seed", "x", NULL }, 2, "--seed" },
		{ { "drill", "--json", NULL }, 2, "--sheet" },
		{ { "drill", "--frobnicate", NULL }, 2, "--frobnicate" },
		{ { "drill", "--topic", "memroy", NULL }, 2, "did you mean \"memory\"" },
		{ { "drill", "design", NULL }, 2, "cases, which `ridge case` lists" },
		{ { "drill", "memory", "cases", NULL }, 2, "cases, which `ridge case` lists" },
		{ { "drill", "--help", NULL }, 0, "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *out, *err;
		cr_expect(eq(int, run_drill((char **)rows[i].argv, "", &out, &err), rows[i].rc),
			"row %zu", i);
		cr_expect(strstr(err, rows[i].said) != NULL, "row %zu: %s", i, err);
		free(out);
		free(err);
	}
}
