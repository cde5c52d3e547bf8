/* Choices, orders, chains: small banks whose answers are worked by hand. */
#include "drills/bank_read.h"
#include "drills/choose.h"
#include "drills/session.h"
#include "sims/base/array.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

static struct tables tables;

#define COMMON "\"skill\": \"s\", \"title\": \"t\", \"par_s\": 60, \"hints\": [\"a\", \"b\"], "
#define BANK(drill) "{\"schema\": 1, \"topic\": \"t\", \"drills\": [{" drill "}]}"

static const char choice[] =
	BANK("\"id\": \"c\", \"kind\": \"choice\", " COMMON
	     "\"prompt\": \"p\", \"options\": [{\"text\": \"yes\", \"right\": true, \"reason\": "
	     "\"ry\"}, {\"text\": \"no\", \"reason\": \"rn\"}, {\"text\": \"maybe\", \"reason\": "
	     "\"rm\"}]");
static const char order[] = BANK(
	"\"id\": \"o\", \"kind\": \"order\", " COMMON
	"\"prompt\": \"p\", \"items\": [{\"text\": \"one\", \"reason\": \"r\"}, [{\"text\": "
	"\"two\", \"reason\": \"r\"}, {\"text\": \"also two\", \"reason\": \"r\"}], {\"text\": "
	"\"three\", \"reason\": \"r\"}]");
/* 1,000 B over 1 GPU, reduced over 2: 1,000 B; then read at 1,000 B/s: 1 s. */
static const char chain[] = BANK(
	"\"id\": \"e\", \"kind\": \"estimate\", " COMMON
	"\"prompt\": \"scene\", \"assumes\": \"decimal\", \"fields\": {\"bytes\": 1000, \"gpus\": "
	"2, \"link_bandwidth\": 1000}, \"steps\": [{\"name\": \"sent\", \"prompt\": \"Sent? In "
	"B.\", \"formula\": \"ring_allreduce_bytes\", \"shown_unit\": \"B\", \"mistakes\": "
	"[{\"name\": \"half\", \"over\": 2}]}, {\"name\": \"time\", \"prompt\": \"Time? In s.\", "
	"\"formula\": \"broadcast_time\", \"set\": {\"bytes\": \"sent\"}, \"shown_unit\": \"s\", "
	"\"mistakes\": [{\"name\": \"tenfold\", \"times\": 10}]}, {\"name\": \"which\", "
	"\"prompt\": \"Which?\", \"options\": [{\"text\": \"less\", \"less\": [\"sent\", "
	"\"gpus\"], \"reason\": \"r\"}, {\"text\": \"more\", \"less\": [\"gpus\", \"sent\"], "
	"\"reason\": \"r\"}]}]");

static struct drill_session begin(struct drill_bank *b, const char *json, unsigned attempts)
{
	struct drill_session s;
	char err[300] = "";
	struct session_options o = { "", 1, 1, MODE_SET, 0, NULL, 0, 0 };
	*b = (struct drill_bank){ 0 };
	cr_assert(zero(int, bank_add(b, &tables, json, "x", err, sizeof err)), "%s", err);
	cr_assert(zero(int, session_init(&s, b, &tables, &o, err, sizeof err)), "%s", err);
	s.max_attempts = attempts;
	session_resume(&s, 0);
	return s;
}

/* The number under which a text is shown. */
static char shown_at(const struct variant_step *s, const char *text)
{
	for (size_t i = 0; i < s->n_options; i++)
		if (strcmp(s->options[i].text, text) == 0)
			return (char)('1' + (int)i);
	return '?';
}

Test(kinds, a_choice_by_number_or_letter)
{
	struct drill_bank b;
	struct drill_session s = begin(&b, choice, 3);
	const struct variant_step *step = &s.items[0].variant.steps[0];
	char typed[8];
	struct grade g;
	static const char *const unread[] = { "", "0", "4", "d", "1 2", "yes", "-1", "12" };
	for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
		grade_step(step, unread[i], false, &g);
		cr_expect(g.verdict == VERDICT_INVALID && !g.attempt_used, "\"%s\"", unread[i]);
	}
	snprintf(typed, sizeof typed, "%c)", shown_at(step, "yes"));
	grade_step(step, typed, false, &g);
	cr_expect(g.verdict == VERDICT_CORRECT && g.credit == 1, "%s", typed);
	snprintf(typed, sizeof typed, "%c. Yes", shown_at(step, "yes"));
	grade_step(step, typed, false, &g);
	cr_expect(g.verdict == VERDICT_CORRECT, "its number, and its own words behind it");
	snprintf(typed, sizeof typed, "%c. no", shown_at(step, "yes"));
	grade_step(step, typed, false, &g);
	cr_expect(g.verdict == VERDICT_INVALID && !g.attempt_used, "%s", typed);
	snprintf(typed, sizeof typed, " %c ", 'A' + shown_at(step, "no") - '1');
	grade_step(step, typed, false, &g);
	cr_expect(g.verdict == VERDICT_WRONG && g.credit == 0, "%s", typed);
	cr_expect(eq(str, g.remark, (char *)"rn"));
	cr_expect(eq(str, g.understood, (char *)"no"));
	session_release(&s);
	bank_release(&b);
}

/* Four items have six pairs. One of them may stand either way, so five count. */
Test(kinds, an_order_by_inversions)
{
	static const struct {
		const char *order[4];
		double credit;
	} rows[] = {
		{ { "one", "two", "also two", "three" }, 1 },
		{ { "one", "also two", "two", "three" }, 1 },
		{ { "two", "one", "also two", "three" }, 0.6 }, /* 1 of 5: 1 - 2/5 */
		{ { "one", "three", "two", "also two" }, 0.2 }, /* 2 of 5 */
		{ { "three", "two", "also two", "one" }, 0 },   /* all 5 */
		{ { "three", "one", "two", "also two" }, 0 },   /* 3 of 5: below chance */
	};
	struct drill_bank b;
	struct drill_session s = begin(&b, order, 3);
	const struct variant_step *step = &s.items[0].variant.steps[0];
	struct grade g;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char typed[16], packed[8] = "";
		for (size_t k = 0; k < 4; k++) {
			typed[2 * k] = packed[k] = shown_at(step, rows[i].order[k]);
			typed[2 * k + 1] = k < 3 ? ' ' : '\0';
		}
		grade_step(step, typed, false, &g);
		cr_expect(epsilon_eq(dbl, g.credit, rows[i].credit, 1e-12), "row %zu", i);
		cr_expect(
			eq(int, g.verdict, rows[i].credit == 1 ? VERDICT_CORRECT : VERDICT_WRONG));
		grade_step(step, packed, false, &g);
		cr_expect(epsilon_eq(dbl, g.credit, rows[i].credit, 1e-12), "row %zu", i);
	}
	static const char *const unread[] = { "", "1 2 3", "1 2 3 3", "1 2 3 5", "first" };
	for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
		grade_step(step, unread[i], false, &g);
		cr_expect(g.verdict == VERDICT_INVALID && !g.attempt_used && *g.remark, "\"%s\"",
			unread[i]);
	}
	session_release(&s);
	bank_release(&b);
}

/* A wrong first part is shown the exact value; the second from the wrong one earns 0.75. */
Test(kinds, a_chain_follows_through)
{
	struct drill_bank b;
	struct drill_session s = begin(&b, chain, 1);
	struct session_item *item = &s.items[0];
	cr_expect(strstr(item->variant.prompt, "1,000 B") == NULL, "%s", item->variant.prompt);
	const struct grade *g = session_answer(&s, "400 B", 1);
	cr_assert(g != NULL);
	cr_expect(not(item->closed));
	cr_expect(eq(sz, item->variant.step, 1));
	cr_expect(strstr(item->variant.prompt, "= 1 kB") != NULL, "%s", item->variant.prompt);
	g = session_answer(&s, "0.4 s", 2);
	cr_expect(eq(int, g->verdict, VERDICT_NAMED));
	cr_expect(strstr(g->remark, "follow-through") != NULL, "%s", g->remark);
	cr_expect(epsilon_eq(dbl, item->credit, 0.25, 1e-12)); /* 0.75 of one part in three */
	char typed[2] = { shown_at(&item->variant.steps[2], "more"), '\0' };
	g = session_answer(&s, typed, 3);
	cr_expect(eq(int, g->verdict, VERDICT_CORRECT));
	cr_expect(item->closed);
	cr_expect(epsilon_eq(dbl, item->credit, (0.75 + 1) / 3, 1e-12));
	cr_expect(zero(sz, session_score(&s).correct), "one part was wrong");
	cr_expect(eq(str, s.causes[0].text, (char *)"carried on an earlier error"));
	session_release(&s);
	bank_release(&b);
	s = begin(&b, chain, 1);
	session_answer(&s, "1000 B", 1);
	g = session_answer(&s, "0.4 s", 2); /* nothing to follow from */
	cr_expect(eq(int, g->verdict, VERDICT_WRONG));
	session_give_up(&s, 3);
	cr_expect(epsilon_eq(dbl, s.items[0].credit, 1.0 / 3, 1e-12));
	session_release(&s);
	bank_release(&b);
}

/* A good bank with one text put for another. */
static void expect_refused(const char *good, const char *from, const char *to, const char *reason)
{
	char json[3000], err[300] = "";
	struct drill_bank b = { 0 };
	const char *p = strstr(good, from);
	cr_assert(p != NULL, "%s", from);
	snprintf(json, sizeof json, "%.*s%s%s", (int)(p - good), good, to, p + strlen(from));
	cr_expect(eq(int, bank_add(&b, &tables, json, "x.json", err, sizeof err), -1), "%s", to);
	cr_expect(strstr(err, reason) != NULL, "%s: %s", to, err);
	bank_release(&b);
}

#define MORE "{\"text\": \"more\", \"less\": [\"gpus\", \"sent\"], \"reason\": \"r\"}"
#define TIMES(text, from_to)                                                                       \
	"{\"text\": \"" text "\", \"less\": [\"gpus\", \"sent\"], \"times\": [" from_to            \
	"], \"reason\": \"r\"}"

Test(kinds, banks_are_refused_with_reasons)
{
	static const struct {
		const char *bank, *from, *to, *reason;
	} rows[] = {
		{ choice, ", \"right\": true", "", "one right one" },
		{ choice, "\"text\": \"no\"", "\"text\": \"no\", \"right\": true",
			"one right one" },
		{ choice, "\"reason\": \"rn\"", "\"raison\": \"rn\"", "raison" },
		{ choice, ", \"reason\": \"rn\"", "", "reason" },
		{ choice, "\"options\"", "\"items\"", "items" },
		{ choice, "\"prompt\": \"p\"", "\"prompt\": \"p\", \"answer\": 2", "never typed" },
		{ choice, "\"text\": \"no\"", "\"text\": \"no {x}\"", "no field \"x\"" },
		{ order, "\"items\"", "\"item\"", "did you mean \"items\"" },
		{ order, "{\"text\": \"one\", \"reason\": \"r\"}", "1", "an item" },
		{ chain, "\"name\": \"time\"", "\"name\": \"sent\"", "sent" },
		{ chain, "\"set\": {\"bytes\": \"sent\"}", "\"set\": {\"bytes\": \"later\"}",
			"later" },
		{ chain, "Time? In s.", "Time of {sent}? In s.", "no field \"sent\"" },
		{ chain, "\"less\": [\"gpus\", \"sent\"]", "\"less\": [\"gpus\"]", "two names" },
		{ chain, MORE, TIMES("some", "1, 9"), "all from 1 to null" },
		{ chain, MORE, TIMES("some", "1, 9") ", " TIMES("many", "10, null"), "each once" },
		{ chain, MORE, TIMES("some", "1, 9") ", " TIMES("many", "1, null"), "each once" },
		{ chain, MORE, MORE ", " MORE, "each once" },
		{ chain, MORE, TIMES("some", "9, 1"), "then more" },
		{ chain, MORE, TIMES("some", "1"), "[1, 2] or [2, null]" },
		{ choice, "\"right\": true", "\"right\": true, \"times\": [1, null]", "beside" },
		{ chain, "\"steps\"", "\"step\"", "did you mean \"steps\"" },
		{ chain, "\"kind\": \"estimate\"", "\"kind\": \"estimated\"",
			"did you mean \"estimate\"" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_refused(rows[i].bank, rows[i].from, rows[i].to, rows[i].reason);
}

/* 1,000 bytes are 500 times 2: the right one of a pair is the one whose limits that is between. At
 * 505 times, which is 1 % away, nothing is dealt. */
Test(kinds, options_of_a_pair_are_told_by_how_many_times)
{
	static const struct {
		const char *to, *right;
	} rows[] = { { TIMES("few", "1, 400") ", " TIMES("many", "400, null"), "many" },
		{ TIMES("few", "1, 600") ", " TIMES("many", "600, null"), "few" },
		{ TIMES("few", "1, 3") ", " TIMES("some", "3, 600") ", " TIMES("many", "600, null"),
			"some" },
		{ TIMES("few", "1, 505") ", " TIMES("many", "505, null"), "" } };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char json[3000], err[300] = "";
		struct drill_bank b = { 0 };
		struct variant v;
		const char *p = strstr(chain, MORE);
		cr_assert(p != NULL);
		snprintf(json, sizeof json, "%.*s%s%s", (int)(p - chain), chain, rows[i].to,
			p + strlen(MORE));
		cr_assert(zero(int, bank_add(&b, &tables, json, "x", err, sizeof err)), "%s", err);
		const int rc = deal(&b.drills[0], &tables, 1, 0, &v, err, sizeof err);
		cr_expect(eq(int, rc, *rows[i].right ? 0 : -1), "row %zu: %s", i, err);
		for (size_t k = 0; rc == 0 && k < v.steps[2].n_options; k++)
			cr_expect(eq(int, v.steps[2].options[k].right,
					  strcmp(v.steps[2].options[k].text, rows[i].right) == 0),
				"row %zu: %s", i, v.steps[2].options[k].text);
		variant_release(&v);
		bank_release(&b);
	}
}

static struct grade grade_number(
	const struct question *q, const char *asks, const char *typed, bool unit_was_asked)
{
	static const struct drill_step number = { .kind = KIND_NUMBER };
	const struct variant_step step = { .step = &number, .question = *q, .asks = asks };
	struct grade g;
	grade_step(&step, typed, unit_was_asked, &g);
	return g;
}

/* 4.2 GB are 4.2e9 B, 3.1 ms are 0.0031 s. What is no right number in the base unit either is graded as it
 * stands: asking back would say that it is near. */
Test(kinds, a_right_number_in_the_base_unit_is_asked_back_once)
{
	const struct question size = { .key = 4.2e9,
		.unit = "B",
		.shown_unit = "GB",
		.tolerance = { TOLERANCE_RELATIVE, 0.05 } },
			      time = { .key = 0.0031,
				      .unit = "s",
				      .shown_unit = "ms",
				      .tolerance = { TOLERANCE_RELATIVE, 0.05 } };
	static const struct {
		bool time;
		const char *typed;
		bool asked;
		enum verdict verdict;
	} rows[] = {
		{ false, "4.2", false, VERDICT_CORRECT },
		{ false, "4.2e9", false, VERDICT_NEED_UNIT },
		{ false, "4.2 x 10^9", false, VERDICT_NEED_UNIT },
		{ false, "4.2e9", true, VERDICT_RATIO },
		{ false, "4.2e9 B", false, VERDICT_CORRECT },
		{ false, "4.2e9 GB", false, VERDICT_RATIO }, /* it says its unit */
		{ false, "4.7e9", false, VERDICT_WRONG },    /* 12 % off */
		{ true, "0.0031", false, VERDICT_NEED_UNIT },
		{ true, "0.0031 s", false, VERDICT_CORRECT },
		{ true, "0.0041", false, VERDICT_WRONG },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct grade g = grade_number(
			rows[i].time ? &time : &size, "How much?", rows[i].typed, rows[i].asked);
		cr_expect(eq(int, g.verdict, rows[i].verdict), "%s: %s", rows[i].typed,
			verdict_names[g.verdict]);
		cr_expect(eq(int, g.attempt_used, rows[i].verdict != VERDICT_NEED_UNIT), "%s",
			rows[i].typed);
		if (g.verdict == VERDICT_NEED_UNIT)
			cr_expect(strstr(g.remark, rows[i].time ? "in s? then say so"
								: "in B? then say so") != NULL,
				"%s", g.remark);
	}
}

Test(kinds, the_words_of_the_question_may_stand_behind_a_count)
{
	static const char asks[] = "How many workers keep the GPU fed? A sample takes 8 ms.";
	const struct question count = {
		.key = 12, .unit = "", .shown_unit = "", .tolerance = { TOLERANCE_EXACT, 0 }
	};
	static const struct {
		const char *typed;
		enum verdict verdict;
	} rows[] = {
		{ "12 workers", VERDICT_CORRECT }, { "12 Workers", VERDICT_CORRECT },
		{ "12 worker", VERDICT_CORRECT }, { "13 workers", VERDICT_WRONG },
		{ "12 bananas", VERDICT_INVALID }, { "12 work", VERDICT_INVALID },
		{ "workers", VERDICT_INVALID },
		{ "12 ms", VERDICT_WRONG_DIM }, /* a unit, though the question has it */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(int, grade_number(&count, asks, rows[i].typed, false).verdict,
				  rows[i].verdict),
			"%s", rows[i].typed);
}
