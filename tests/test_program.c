/* Programs as answers, without running any: banks, cases, what a check prints and what it is worth.
 * tests/test_code_run.c runs them. */
#include "drills/bank_read.h"
#include "drills/program_grade.h"
#include "drills/session.h"
#include "sims/formulas/formula.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
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

/* Twice a number in one case of three: a ring of 2, 3 or 4 sends 2 (n - 1) / n x 60 bytes, which is
 * 60, 80 or 90. */
static const char good[] =
	"{\"schema\": 1, \"topic\": \"t\", \"drills\": [{\"id\": \"p\", \"kind\": \"code\", "
	"\"skill\": \"s\", \"title\": \"t\", \"par_s\": 60, \"hints\": [\"a\", \"b\"], \"prompt\": "
	"\"of {extra}\", \"fields\": {\"extra\": {\"choices\": [7]}}, \"language\": \"python\", "
	"\"stub\": [\"x = @extra@ @ @none\"], \"solution\": [\"s\"], \"checks\": [\"c\"], "
	"\"cases\": {\"count\": 3, \"fields\": {\"gpus\": {\"choices\": [2, 3, 4]}, \"bytes\": "
	"60}, \"shown\": \"ring of {gpus}\"}, \"expect\": [{\"name\": \"sent\", \"formula\": "
	"\"ring_allreduce_bytes\", \"mistakes\": [{\"name\": \"half\", \"over\": 2}]}, {\"name\": "
	"\"sum\", \"from\": \"solution\"}, {\"name\": \"limit\", \"formula\": "
	"\"reduce_scatter_bytes\", \"at_most\": true}], \"check_list\": [\"one\", \"two\", "
	"\"three\"]}]}";

static void deal_good(struct drill_bank *b, struct variant *v, uint64_t seed)
{
	char err[300] = "";
	*b = (struct drill_bank){ 0 };
	cr_assert(zero(int, bank_add(b, &tables, good, "x.json", err, sizeof err)), "%s", err);
	cr_assert(zero(int, deal(&b->drills[0], &tables, seed, 0, v, err, sizeof err)), "%s", err);
}

Test(program, banks_are_refused_with_reasons, .init = load, .fini = release)
{
	static const struct {
		const char *from, *to, *reason;
	} rows[] = {
		{ "\"python\"", "\"pyton\"", "did you mean \"python\"" },
		{ "\"python\"", "\"fortran\"", "expected python or c" },
		{ "[\"s\"]", "\"s\"", "never typed" },
		{ "[\"s\"]", "[]", "1 to 200 lines" },
		{ "[\"s\"]", "[1]", "array of lines" },
		{ "[\"s\"]", "[\"a\\u001b[2J\"]", "control character" },
		{ "@extra@", "@extras@", "did you mean \"extra\"?" },
		{ "\"checks\": [\"c\"], ", "", "checks" },
		{ "\"count\": 3", "\"count\": 0", "1 to 20 cases" },
		{ "\"count\": 3", "\"count\": 2.5", "1 to 20 cases" },
		{ "\"count\": 3, ", "", "1 to 20 cases" },
		{ "\"gpus\": {", "\"extra\": {", "there already" },
		{ "\"bytes\": 60", "\"bytes\": 60, \"Big\": 1", "fields such as" },
		{ "[2, 3, 4]", "[0]", "outside" },
		{ "ring of {gpus}", "ring of {gpu}", "did you mean \"gpus\"?" },
		{ "\"shown\"", "\"show\"", "did you mean \"shown\"" },
		{ "ring_allreduce_bytes", "ring_bytes", "no formula" },
		{ "\"from\": \"solution\"", "\"from\": \"me\"", "expected a formula, or" },
		{ "\"from\": \"solution\"", "\"at_most\": true", "at_most" },
		{ "\"over\": 2}]", "\"over\": 2}], \"mode\": {\"rel\": 2}", "between 0 and 1" },
		{ "\"over\": 2}]", "\"over\": 2}], \"mode\": {\"abs\": 2}", "between 0 and 1" },
		{ "{\"name\": \"half\", \"over\": 2}", "{\"name\": \"half\"}", "changes nothing" },
		{ "\"sum\", \"from\": \"solution\"}, {", "\"sum\", \"from\": \"solution\"}, {}, {",
			"name" },
		{ "\"three\"]", "\"three\", 4]", "check_list" },
		{ ", \"two\", \"three\"", "", "3 to 6 lines" },
		{ "\"kind\": \"code\"", "\"kind\": \"number\"", "unknown member" },
		{ "\"check_list\"", "\"check_lists\"", "did you mean \"check_list" },
		{ "[\"x = @extra@ @ @none\"]", "3", "stub: expected an array of 1 to" },
		{ "[\"x = @extra@ @ @none\"]", "[]", "stub: expected an array of 1 to" },
		{ "[\"x = @extra@ @ @none\"]", "[3]", "stub: expected an array of lines" },
		{ "[\"s\"]", "[\"@nothing@\"]", "nothing" },
		{ "[\"c\"]", "[\"@nothing@\"]", "nothing" },
		{ "\"count\": 3", "\"count\": 1e9", "count: expected 1 to" },
		{ "\"count\": 3", "\"count\": \"3\"", "count: expected 1 to" },
		{ "\"count\": 3", "\"number\": 3", "number" },
		{ "\"gpus\": {\"choices\": [2, 3, 4]}", "\"Gpus\": {\"choices\": [2]}",
			"no field" },
		{ "\"bytes\": 60", "\"Bytes\": 60, \"bytes\": 60", "such as \"layers\"" },
		{ "\"bytes\": 60", "\"_b\": 60, \"bytes\": 60", "such as \"layers\"" },
		{ "\"bytes\": 60", "\"a-b\": 60, \"bytes\": 60", "such as \"layers\"" },
		{ "\"bytes\": 60",
			"\"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee\": 60, \"bytes\": 60",
			"such as \"layers\"" },
		{ "[\"one\", \"two\", \"three\"]", "[\"one\"]", "check_list: expected" },
		{ "[\"one\", \"two\", \"three\"]", "3", "check_list: expected" },
		{ "[\"one\", \"two\", \"three\"]", "[\"one\", 2, \"three\"]",
			"check_list: expected an array" },
		{ "{\"name\": \"sum\", \"from\": \"solution\"}", "3", "expect: expected objects" },
		{ "\"from\": \"solution\"", "\"from\": \"nowhere\"", "\"from\": \"solution\"" },
		{ "\"from\": \"solution\"", "\"from\": 3", "\"from\": \"solution\"" },
		{ "\"from\": \"solution\"", "\"from\": \"solution\", \"mode\": \"exact\"",
			"mode: expected" },
		{ "\"from\": \"solution\"", "\"from\": \"solution\", \"mode\": {\"abs\": 1}",
			"mode: expected" },
		{ "\"from\": \"solution\"", "\"from\": \"solution\", \"mode\": {\"rel\": 0}",
			"mode: expected" },
		{ "\"from\": \"solution\"", "\"from\": \"solution\", \"mode\": {\"rel\": 1}",
			"mode: expected" },
		{ "\"from\": \"solution\"", "\"from\": \"solution\", \"mode\": 3",
			"mode: expected" },
		{ "\"at_most\": true", "\"at_most\": 1", "at_most: expected true or false" },
		{ "\"at_most\": true", "\"times\": \"nothing\"", "nothing" },
		{ "\"at_most\": true", "\"over\": \"nothing\"", "nothing" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char json[4096], err[300] = "";
		struct drill_bank b = { 0 };
		const char *p = strstr(good, rows[i].from);
		cr_assert(p != NULL, "%s", rows[i].from);
		snprintf(json, sizeof json, "%.*s%s%s", (int)(p - good), good, rows[i].to,
			p + strlen(rows[i].from));
		cr_expect(eq(int, bank_add(&b, &tables, json, "x.json", err, sizeof err), -1),
			"row %zu", i);
		cr_expect(strstr(err, rows[i].reason) != NULL, "row %zu: %s", i, err);
		bank_release(&b);
	}
}

Test(program, limits_alone_are_no_check, .init = load, .fini = release)
{
	char json[4096], err[300] = "";
	struct drill_bank b = { 0 };
	const char *from = strstr(good, "{\"name\": \"sent\""),
		   *to = strstr(good, "{\"name\": \"limit");
	snprintf(json, sizeof json, "%.*s%s", (int)(from - good), good, to);
	cr_expect(eq(int, bank_add(&b, &tables, json, "x.json", err, sizeof err), -1));
	cr_expect(strstr(err, "more than limits") != NULL, "%s", err);
	bank_release(&b);
}

/* Three cases of three choices: each comes up once, and the keys are those worked above. */
Test(program, cases_take_every_choice, .init = load, .fini = release)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct drill_bank b;
		struct variant v;
		unsigned seen = 0;
		deal_good(&b, &v, seed);
		cr_assert(eq(sz, v.program->n_cases, 3));
		for (size_t k = 0; k < 3; k++) {
			const struct variant_case *c = &v.program->cases[k];
			double n = c->inputs[0].value;
			char shown[40];
			snprintf(shown, sizeof shown, "ring of %.0f GPUs", n);
			seen |= 1u << (int)n;
			cr_expect(eq(sz, c->n_inputs, 2));
			cr_expect(eq(str, (char *)c->shown, shown));
			cr_expect(epsilon_eq(dbl, c->questions[0].key,
				n == 2   ? 60
				: n == 3 ? 80
					 : 90,
				1e-9));
			cr_expect(isnan(c->questions[1].key));
			cr_expect(epsilon_eq(dbl, c->questions[2].key,
				n == 2   ? 30
				: n == 3 ? 40
					 : 45,
				1e-9));
		}
		cr_expect(eq(uint, seen, 1u << 2 | 1u << 3 | 1u << 4));
		cr_expect(eq(str, (char *)v.program->stub, (char *)"x = 7 @ @none\n"));
		variant_release(&v);
		bank_release(&b);
	}
}

/* A case of n ranks that says these numbers. */
static const struct {
	const char *output;
	const char *got[3]; /* of rank 2, 3, 4; NULL: passed */
	const char *item[3], *mistake[3];
	size_t passed;
} outputs[] = {
	/* Right ones, whatever stands around them. */
	{ "noise\nN case 2 60;1,2;30\nN case 3 80;1,2;1e1\n\nN case 4 90.0;1,2;45\nmore", { 0 },
		{ 0 }, { 0 }, 3 },
	/* Half of it is a known mistake. */
	{ "N case 2 30;1,2;30\nN case 3 80;1,2;40\nN case 4 45;1,2;45\n", { "30", NULL, "45" },
		{ "sent", NULL, "sent" }, { "half", NULL, "half" }, 1 },
	/* Other numbers; too many; none; above a limit; not a number. */
	{ "N case 2 60;1,3;30\nN case 3 80;1,2,3;40\nN case 4 90;;45\n",
		{ "3 (number 2 of 2)", "3", "0" }, { "sum", "sum", "sum" }, { 0 }, 0 },
	{ "N case 2 60;1,2;30.1\nN case 3 ;1,2;40\nN case 4 nan;1,2;45\n",
		{ "30.1", "nothing", "nan" }, { "limit", "sent", "sent" }, { 0 }, 0 },
	/* Only lines of the check are read, and only whole ones. */
	{ "N case 2 60;1,2\nM case 3 80;1,2;40\nN case 4 90;1,2;45",
		{ "what it returned cannot be read", "it ended before this case",
			"it ended before this case" },
		{ 0 }, { 0 }, 0 },
	{ " N case 2 60;1,2;30\nN case 3 80;1,2;40 \nNcase 4 90;1,2;45\n",
		{ "it ended before this case", "what it returned cannot be read",
			"it ended before this case" },
		{ 0 }, { 0 }, 0 },
	/* A second answer takes away the first. */
	{ "N case 2 60;1,2;30\nN case 2 60;1,2;30\nN case 3 80;1,2;40\nN case 4 90;1,2;45\n",
		{ "it was answered twice", NULL, NULL }, { 0 }, { 0 }, 2 },
	/* Reasons are shown, but cannot move the cursor. */
	{ "N case 2 ! line 3: \x1b[2JBad: x\xff\nN case 3 0x50;1,2;40\nN case 4 1e999;1,2;45\n",
		{ "line 3: ?[2JBad: x?", "what it returned cannot be read", "inf" },
		{ NULL, NULL, "sent" }, { 0 }, 0 },
};

/* Writes "N case K" for the rank that a line names, since the seed orders the cases. */
static void place_cases(const struct variant *v, const char *output, char *out, size_t size)
{
	size_t n = 0;
	for (const char *p = output; *p && n + 2 < size; p++) {
		bool rank = p - output >= 5 && strncmp(p - 5, "case ", 5) == 0;
		for (size_t k = 0; rank && k < 3; k++)
			if (v->program->cases[k].inputs[0].value == *p - '0')
				out[n] = (char)('0' + k);
		n += 1;
		if (!rank)
			out[n - 1] = *p;
	}
	out[n] = '\0';
}

static void read_output(const struct variant *v, const char *output, struct program_answers *out)
{
	char placed[600];
	place_cases(v, output, placed, sizeof placed);
	program_read(v, "N", placed, strlen(placed), out);
}

static void check_output(const struct variant *v, size_t i)
{
	struct program_answers model, given;
	struct program_result r;
	struct grade g;
	read_output(v, "N case 2 60;1,2;0\nN case 3 80;1,2;0\nN case 4 90;1,2;0\n", &model);
	read_output(v, outputs[i].output, &given);
	program_compare(v, &model, &given, &r);
	cr_expect(eq(sz, r.passed, outputs[i].passed), "row %zu", i);
	if (r.failed < r.n) {
		size_t rank = (size_t)v->program->cases[r.failed].inputs[0].value - 2;
		const char *got = outputs[i].got[rank], *item = outputs[i].item[rank];
		const char *mistake = outputs[i].mistake[rank];
		cr_expect(got && strstr(r.got, got) != NULL, "row %zu: %s", i, r.got);
		cr_expect(eq(str, (char *)(r.item ? r.item : ""), (char *)(item ? item : "")),
			"row %zu", i);
		cr_expect(eq(str, (char *)(r.mistake ? r.mistake : ""),
				  (char *)(mistake ? mistake : "")),
			"row %zu", i);
	}
	program_grade(&r, &g);
	cr_expect(g.attempt_used);
	cr_expect(epsilon_eq(dbl, g.credit, (double)outputs[i].passed / 3, 1e-12), "row %zu", i);
	cr_expect(eq(int, g.verdict == VERDICT_CORRECT, outputs[i].passed == 3), "row %zu", i);
	cr_expect(eq(int, g.verdict == VERDICT_NAMED, r.mistake != NULL), "row %zu", i);
	program_answers_release(&model);
	program_answers_release(&given);
}

Test(program, what_is_printed_is_read_and_judged, .init = load, .fini = release)
{
	for (uint64_t seed = 0; seed < 6; seed++) {
		struct drill_bank b;
		struct variant v;
		deal_good(&b, &v, seed);
		for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
			check_output(&v, i);
		variant_release(&v);
		bank_release(&b);
	}
}

Test(program, what_does_not_load_costs_nothing, .init = load, .fini = release)
{
	struct drill_bank b;
	struct variant v;
	struct program_answers model, given;
	struct program_result r;
	struct grade g;
	static const char text[] = "N load ! line 7: SyntaxError: bad\nN case 0 1;2;3\n";
	char summary[40];
	deal_good(&b, &v, 1);
	read_output(&v, "", &model);
	program_read(&v, "N", text, sizeof text - 1, &given);
	program_compare(&v, &model, &given, &r);
	program_grade(&r, &g);
	cr_expect(g.verdict == VERDICT_INVALID && !g.attempt_used);
	cr_expect(strstr(g.remark, "line 7: SyntaxError: bad") != NULL, "%s", g.remark);
	cr_expect(eq(str, program_summary(&r, summary, sizeof summary), (char *)"does not load"));
	program_answers_release(&model);
	program_answers_release(&given);
	variant_release(&v);
	bank_release(&b);
}

Test(program, one_s_own_judgement, .init = load, .fini = release)
{
	static const struct {
		const char *marks;
		enum verdict verdict;
		double credit;
	} rows[] = { { "yyy", VERDICT_CORRECT, 1 }, { " Y, y; y ", VERDICT_CORRECT, 1 },
		{ "y n y", VERDICT_WRONG, 2. / 3 }, { "nnn", VERDICT_WRONG, 0 },
		{ "", VERDICT_INVALID, 0 }, { "yy", VERDICT_INVALID, 0 },
		{ "yyyy", VERDICT_INVALID, 0 }, { "yes", VERDICT_INVALID, 0 } };
	struct drill_bank b;
	struct variant v;
	deal_good(&b, &v, 1);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct grade g;
		program_assess(&v, rows[i].marks, &g);
		cr_expect(eq(int, g.verdict, rows[i].verdict), "%s", rows[i].marks);
		cr_expect(epsilon_eq(dbl, g.credit, rows[i].credit, 1e-12), "%s", rows[i].marks);
		cr_expect(eq(int, g.attempt_used, g.verdict != VERDICT_INVALID));
	}
	variant_release(&v);
	bank_release(&b);
}

/* The candidate's side of the fence shows no key of the bank. Numbers below a thousand may stand
 * there for other reasons. */
Test(program, no_check_holds_an_expected_value, .init = load, .fini = release)
{
	size_t looked_for = 0;
	for (size_t i = 0; i < bank.n; i++)
		for (uint64_t seed = 0; bank.drills[i].program && seed < 30; seed++) {
			struct arena arena = { 0 };
			struct variant v;
			char err[200], key[40];
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 0, &v, err, sizeof err)));
			const char *text = program_check_text(&v, "0123456789abcdef", &arena);
			cr_assert(strstr(text, "0123456789abcdef") && !arena.failed);
			for (size_t k = 0; k < v.program->n_cases; k++)
				for (size_t e = 0; e < v.drill->program->n_expectations; e++) {
					double x = v.program->cases[k].questions[e].key;
					snprintf(key, sizeof key, "%.10g", x);
					bool telling = x > 1000 || (x > 0 && x != floor(x));
					/* A third is a factor of the formulas, too. */
					telling = telling && x < 1e15 && strlen(key) > 4;
					looked_for += telling;
					bool found = telling && strstr(text, key);
					cr_expect(not(found), "%s: %s", v.drill->id, key);
				}
			arena_release(&arena);
			variant_release(&v);
		}
	cr_expect(lt(sz, 500, looked_for));
}

static int try_session(const char *topic, enum drill_mode mode, struct drill_session *s, char *err)
{
	struct session_options o = { topic, 40, 5, mode, 0, NULL, 0, 0 };
	return session_init(s, &bank, &tables, &o, err, 300);
}

static size_t count_programs(const struct drill_session *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++)
		n += s->items[i].variant.program != NULL;
	return n;
}

Test(program, programs_come_where_they_are_asked_for, .init = load, .fini = release)
{
	static const struct {
		const char *topic;
		enum drill_mode mode;
		size_t programs; /* of 40 */
		const char *refused;
	} rows[] = {
		{ "", MODE_SET, 0, NULL },
		{ NULL, MODE_STUDY, 0, NULL },
		{ "", MODE_SPRINT, 0, NULL },
		{ "coding", MODE_SET, 40, NULL },
		{ "code-ring", MODE_STUDY, 40, NULL },
		{ "coding", MODE_SPRINT, 0, "too long for this mode" },
		{ "code-ring", MODE_INTERVIEW, 0, "too long for this mode" },
		{ "codin", MODE_SPRINT, 0, "did you mean \"coding" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct drill_session s;
		char err[300] = "";
		int rc = try_session(rows[i].topic, rows[i].mode, &s, err);
		cr_expect(eq(int, rc, rows[i].refused ? -1 : 0), "row %zu: %s", i, err);
		if (rows[i].refused)
			cr_expect(strstr(err, rows[i].refused) != NULL, "row %zu: %s", i, err);
		else
			cr_expect(eq(sz, count_programs(&s), rows[i].programs), "row %zu", i);
		session_release(&s);
	}
}

/* A grade from elsewhere counts as an answer that was typed would. */
Test(program, a_grade_becomes_an_answer, .init = load, .fini = release)
{
	struct drill_session s;
	char err[300];
	struct grade half = {
		.verdict = VERDICT_WRONG, .attempt_used = true, .credit = 0.5, .cause = "steps"
	};
	struct grade none = { .verdict = VERDICT_INVALID };
	struct grade all = { .verdict = VERDICT_CORRECT, .attempt_used = true, .credit = 1 };
	cr_assert(zero(int, try_session("code-ring", MODE_SET, &s, err)), "%s", err);
	struct session_item *item = &s.items[0];
	cr_expect(session_answer_graded(&s, &all, 0) == NULL, "paused");
	session_resume(&s, 0);
	const struct grade *g = session_answer(&s, "42", 1000);
	cr_expect(g && g->verdict == VERDICT_INVALID && !item->attempts);
	session_answer_graded(&s, &none, 2000);
	cr_expect(eq(uint, item->attempts, 0));
	session_answer_graded(&s, &half, 3000);
	cr_expect(item->attempts == 1 && !item->closed);
	cr_expect(epsilon_eq(dbl, item->credit, 0.5, 1e-12));
	session_answer_graded(&s, &all, 4000);
	/* Half of it at the second attempt: no more than before. */
	cr_expect(item->closed && session_item_right(item));
	cr_expect(epsilon_eq(dbl, item->credit, 0.5, 1e-12));
	cr_expect(eq(str, s.causes[0].text, (char *)"steps"));
	cr_expect(eq(i64, item->spent_ms, 4000));
	cr_expect(session_answer_graded(&s, &all, 5000) == NULL, "closed");
	session_release(&s);
}
