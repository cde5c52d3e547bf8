#include "drills/choose.h"
#include "drills/deal.h"
#include "drills/grade.h"
#include "sims/quantity_parse.h"
#include "sims/rng.h"
#include "ui/bank_load.h"
#include "ui/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = 2000 };

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

static double bound(const struct variant *v, const char *name)
{
	for (size_t i = 0; i < v->n_bindings; i++)
		if (strcmp(v->bindings[i].name, name) == 0)
			return v->bindings[i].value;
	return NAN;
}

/* The key of a step again, from nothing but the names that the variant knows. */
static double key_again(const struct variant *v, size_t k)
{
	const struct drill_value *key = &v->drill->steps[k].key;
	const struct formula *f = key->formula;
	double args[32];
	for (size_t i = 0; f && i < f->n_params; i++) {
		args[i] = bound(v, f->params[i].name);
		for (size_t n = 0; n < key->n_settings; n++)
			if (strcmp(key->settings[n].name, f->params[i].name) == 0)
				args[i] = key->settings[n].to.name
						  ? bound(v, key->settings[n].to.name)
						  : key->settings[n].to.number;
	}
	return f ? f->call(args) : bound(v, key->field);
}

static bool contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* What a person would type for a value of the question. */
static void type_value(const struct question *q, double value, char *buf, size_t size)
{
	struct unit unit, shown;
	cr_assert(unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown));
	snprintf(buf, size, "%.12g %s", value * unit.factor / shown.factor, q->shown_unit);
}

static void check_number(const struct variant *v, size_t k)
{
	const struct question *q = &v->steps[k].question;
	const char *id = v->drill->id;
	struct grade g;
	double again = key_again(v, k);
	cr_assert(zero(int, memcmp(&again, &q->key, sizeof again)), "%s %zu", id, (size_t)v->seed);
	cr_assert(question_separable(q), "%s %zu", id, (size_t)v->seed);
	bool named = q->unit_policy != UNIT_NAMED || contains(v->steps[k].asks, q->shown_unit);
	cr_assert(named, "%s: %s", id, v->steps[k].asks);
	grade_answer(q, v->steps[k].answer, false, &g);
	cr_assert(eq(int, g.verdict, VERDICT_CORRECT), "%s %zu: %s", id, (size_t)v->seed,
		v->steps[k].answer);
}

/* One option is right, all others have their reasons. */
static void check_choice(const struct variant *v, const struct variant_step *s)
{
	size_t right = 0;
	for (size_t i = 0; i < s->n_options; i++) {
		char typed[8];
		struct grade g;
		snprintf(typed, sizeof typed, "%c", (char)((i % 2 ? '1' : 'a') + (int)i));
		grade_step(s, typed, false, &g);
		cr_assert(eq(int, g.verdict, s->options[i].right ? VERDICT_CORRECT : VERDICT_WRONG),
			"%s", v->drill->id);
		cr_assert(g.attempt_used && *g.remark, "%s", v->drill->id);
		cr_assert(eq(dbl, g.credit, s->options[i].right), "%s", v->drill->id);
		right += s->options[i].right;
	}
	cr_assert(eq(sz, right, 1), "%s", v->drill->id);
}

static void check_variant(const struct variant *v)
{
	cr_assert(not(contains(v->prompt, "{") || contains(v->prompt, "?B")));
	cr_assert(v->sim == NULL || !contains(v->sim, "{"));
	for (size_t k = 0; k < v->n_steps; k++) {
		const struct variant_step *s = &v->steps[k];
		struct grade g;
		cr_assert(contains(s->prompt, s->asks) && contains(s->prompt, v->scene));
		if (s->step->kind == KIND_NUMBER)
			check_number(v, k);
		else if (s->step->kind == KIND_CHOICE)
			check_choice(v, s);
		if (s->step->kind == KIND_CODE)
			continue; /* tests/test_code_run.c */
		grade_step(s, s->answer, false, &g);
		cr_assert(eq(int, g.verdict, VERDICT_CORRECT), "%s: %s", v->drill->id, s->answer);
	}
}

/* How many of the mistakes are named when they are typed. */
static size_t named_mistakes(const struct question *q)
{
	size_t named = 0;
	for (size_t i = 0; i < q->n_mistakes; i++) {
		char typed[80];
		struct grade g;
		type_value(q, q->mistakes[i].value, typed, sizeof typed);
		grade_answer(q, typed, false, &g);
		named += g.verdict == VERDICT_NAMED && contains(g.remark, q->mistakes[i].name);
	}
	return named;
}

Test(drills, every_drill_at_many_seeds, .init = load, .fini = release, .timeout = 120)
{
	cr_assert(ge(sz, bank.n, 10));
	for (size_t i = 0; i < bank.n; i++) {
		size_t mistakes = 0, named = 0, most = 0, numbers = 0;
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			struct variant v;
			char err[200] = "";
			cr_assert(zero(int, deal(&bank.drills[i], &tables, seed, 0, &v, err,
						    sizeof err)),
				"%s", err);
			check_variant(&v);
			most = v.draws > most ? v.draws : most;
			for (size_t k = 0; k < v.n_steps && seed < 200; k++) {
				numbers += v.steps[k].step->kind == KIND_NUMBER;
				mistakes += v.steps[k].question.n_mistakes;
				named += named_mistakes(&v.steps[k].question);
			}
			variant_release(&v);
		}
		cr_expect(ge(dbl, (double)named, 0.95 * (double)mistakes), "%s: %zu of %zu",
			bank.drills[i].id, named, mistakes);
		cr_expect(mistakes > 0 || numbers == 0, "%s", bank.drills[i].id);
		cr_expect(lt(sz, most, MOST_DRAWS / 4), "%s: %zu draws", bank.drills[i].id, most);
	}
}

Test(drills, same_seed_same_variant, .init = load, .fini = release)
{
	for (size_t i = 0; i < bank.n; i++) {
		size_t differ = 0;
		for (uint64_t seed = 0; seed < 50; seed++) {
			struct variant a, b, c;
			char err[200];
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 1, &a, err, sizeof err)));
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 1, &b, err, sizeof err)));
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 2, &c, err, sizeof err)));
			cr_assert(eq(str, (char *)a.prompt, (char *)b.prompt));
			cr_assert(eq(str, (char *)a.working, (char *)b.working));
			cr_assert(zero(
				int, memcmp(&a.question.key, &b.question.key, sizeof(double))));
			differ += strcmp(a.prompt, c.prompt) != 0;
			variant_release(&a);
			variant_release(&b);
			variant_release(&c);
		}
		/* There are fewer numbers to know than seeds. */
		size_t least = bank.drills[i].kind == KIND_RECALL ? 0 : 25;
		cr_expect(ge(sz, differ, least), "%s: %zu", bank.drills[i].id, differ);
	}
}

/* Numbers in the text of the tolerance: none answers the question, or one of its mistakes. */
static void expect_no_answer_in(const struct question *q, const char *text)
{
	struct unit unit, shown;
	cr_assert(unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown));
	if (q->tolerance.mode == TOLERANCE_EXACT)
		return; /* "exactly": no example */
	const char *p = strstr(text, ": for ");
	cr_assert(p != NULL, "%s", text);
	while (*p) {
		size_t n = strspn(p, "0123456789,.");
		char number[40], err[100];
		double value;
		snprintf(number, sizeof number, "%.*s", (int)n, p);
		p += n ? n : 1;
		if (!n || quantity_read(number, "", &value, err, sizeof err))
			continue;
		value *= shown.factor / unit.factor;
		cr_assert(not(question_accepts(q, value)), "%s", text);
		for (size_t i = 0; i < q->n_mistakes; i++)
			cr_assert(fabs(value / q->mistakes[i].value - 1) > q->tolerance.amount,
				"%s", text);
	}
}

Test(drills, tolerance_gives_nothing_away, .init = load, .fini = release)
{
	for (size_t i = 0; i < bank.n; i++)
		for (uint64_t seed = 0; seed < 700; seed++) {
			struct variant v;
			char err[200];
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 3, &v, err, sizeof err)));
			for (size_t k = 0; k < v.n_steps; k++)
				if (v.steps[k].step->kind == KIND_NUMBER)
					expect_no_answer_in(
						&v.steps[k].question, v.steps[k].tolerance);
			variant_release(&v);
		}
}

/* A reason that is shown is rarely chance: wrong answers spread evenly over six decades. */
Test(drills, random_answers_are_rarely_diagnosed, .init = load, .fini = release, .timeout = 60)
{
	struct rng r = rng_stream(3, "random answers", 0);
	size_t diagnosed = 0, n = 0;
	for (size_t i = 0; i < bank.n; i++) {
		size_t here = 0, last = bank.drills[i].n_steps - 1;
		if (bank.drills[i].steps[last].kind != KIND_NUMBER)
			continue;
		for (uint64_t seed = 0; seed < 500; seed++) {
			struct variant v;
			struct grade g;
			char err[200], typed[80];
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 4, &v, err, sizeof err)));
			double away = pow(10, 6 * rng_uniform(&r) - 3);
			const struct question *q = &v.steps[last].question;
			type_value(q, q->key * away, typed, sizeof typed);
			grade_answer(q, typed, false, &g);
			here += g.verdict == VERDICT_RATIO || g.verdict == VERDICT_NAMED;
			variant_release(&v);
		}
		cr_expect(le(sz, here, 500 * 9 / 100), "%s: %zu of 500", bank.drills[i].id, here);
		diagnosed += here;
		n += 500;
	}
	cr_expect(le(dbl, (double)diagnosed, 0.05 * (double)n), "%zu of %zu", diagnosed, n);
}

/* The KV cache of Llama 3 70B by hand: 2 x 80 x 8 x 128 x 2 B = 327,680 B per token. */
Test(drills, a_key_worked_by_hand, .init = load, .fini = release)
{
	const struct drill *d = bank_find(&bank, "kv-cache");
	cr_assert(d != NULL);
	size_t seen = 0;
	for (uint64_t seed = 0; seed < 500; seed++) {
		struct variant v;
		char err[200];
		cr_assert(zero(int, deal(d, &tables, seed, 0, &v, err, sizeof err)));
		if (contains(v.sim, "llama3-70b") && bound(&v, "bytes_per_value") == 2) {
			double tokens = bound(&v, "batch") * bound(&v, "context");
			cr_expect(epsilon_eq(dbl, v.question.key, 327680 * tokens, 1));
			seen++;
		}
		variant_release(&v);
	}
	cr_expect(lt(sz, 0, seen));
}

static const char good[] =
	"{\"schema\": 1, \"topic\": \"t\", \"drills\": [{\"id\": \"d\", \"kind\": \"number\", "
	"\"skill\": \"s\", \"title\": \"t\", \"prompt\": \"{layers} layers, in GB?\", "
	"\"formula\": \"kv_cache_bytes\", \"fields\": {\"layers\": {\"choices\": [32, 80]}, "
	"\"kv_heads\": 8, \"head_dim\": 128, \"tokens\": 8192, \"bytes_per_value\": 2}, "
	"\"shown_unit\": \"GB\", \"tags\": [\"info\"], \"assumes\": \"decimal\", \"par_s\": 60, "
	"\"hints\": [\"a\", \"b\"], \"factors\": {\"layers\": \"layers\"}, "
	"\"mistakes\": [{\"name\": \"one layer\", \"drop\": \"layers\"}], "
	"\"page\": \"p.md\", \"sim\": \"kvcache\"}]}";

/* The good drill with one text put for another, at its first place. */
static void change(const char *from, const char *to, char *out, size_t size)
{
	const char *p = strstr(good, from);
	cr_assert(p != NULL, "%s", from);
	snprintf(out, size, "%.*s%s%s", (int)(p - good), good, to, p + strlen(from));
}

Test(drills, banks_are_refused_with_reasons, .init = load, .fini = release)
{
	static const struct {
		const char *from, *to, *reason;
	} rows[] = {
		{ "\"kind\": \"number\"", "\"kind\": \"essay\"", "essay" },
		{ "\"kind\": \"number\"", "\"kind\": \"number\", \"key\": 42", "never typed" },
		{ "\"kind\": \"number\"", "\"kind\": \"number\", \"answer\": 42", "never typed" },
		{ "\"skill\"", "\"skil\"", "did you mean skill" },
		{ "kv_cache_bytes", "kv_cash_bytes", "kv_cash_bytes" },
		{ "\"kv_heads\": 8, ", "", "nothing gives kv_heads" },
		{ "[32, 80]", "[32, -1]", "outside" },
		{ "[32, 80]", "[]", "choices" },
		{ "{\"choices\": [32, 80]}", "[32, 80]", "expected an object" },
		{ "[32, 80]", "[32, \"x\"]", "numbers" },
		{ "{\"choices\": [32, 80]}", "{\"models\": [\"llama9\"]}", "llama9" },
		{ "{layers} layers", "{layer} layers", "{layer}" },
		{ "{layers} layers", "{layers", "}" },
		{ "in GB?", "how much?", "name the unit" },
		{ "\"GB\"", "\"ms\"", "no unit for" },
		{ "\"GB\"", "\"furlong\"", "shown_unit" },
		{ ", \"assumes\": \"decimal\"", "", "assumes" },
		{ "\"par_s\": 60", "\"par_s\": 0", "par_s" },
		{ "[\"a\", \"b\"]", "[\"a\"]", "hints" },
		{ "\"drop\": \"layers\"", "\"drop\": \"layer\"", "no parameter" },
		{ "\"drop\": \"layers\"", "\"credit\": 0.5", "changes nothing" },
		{ "\"drop\": \"layers\"", "\"set\": {\"kv_heads\": \"heads\"}", "no field" },
		{ "\"drop\": \"layers\"", "\"formula\": \"ridge_point\"", "nothing gives" },
		{ "{\"layers\": \"layers\"}", "{\"rows\": \"rows\"}", "rows" },
		{ "\"schema\": 1", "\"schema\": 2", "schema" },
		{ "}]}", "}]", "not JSON" },
		{ "\"tags\": [\"info\"]", "\"tags\": [\"infos\"]", "tags" },
		{ "\"tags\": [\"info\"]", "\"mode\": {\"rel\": \"x\"}", "mode" },
	};
	char json[4096], err[300] = "";
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t before = bank.n;
		change(rows[i].from, rows[i].to, json, sizeof json);
		cr_expect(eq(int, bank_add(&bank, &tables, json, "x.json", err, sizeof err), -1),
			"row %zu", i);
		cr_expect(contains(err, rows[i].reason) && contains(err, "x.json"), "row %zu: %s",
			i, err);
		cr_expect(eq(sz, bank.n, before));
	}
	cr_expect(zero(int, bank_add(&bank, &tables, good, "x.json", err, sizeof err)), "%s", err);
	cr_expect(eq(int, bank_add(&bank, &tables, good, "x.json", err, sizeof err), -1));
	cr_expect(contains(err, "another drill"), "%s", err);
}

/* 80 layers that differ from 79 by less than the tolerance cannot be told apart. */
Test(drills, inseparable_drills_fail_loudly, .init = load, .fini = release)
{
	char json[4096], err[300] = "";
	struct variant v;
	change("\"drop\": \"layers\"", "\"times\": 1.02", json, sizeof json);
	cr_assert(zero(int, bank_add(&bank, &tables, json, "x.json", err, sizeof err)), "%s", err);
	cr_expect(eq(int, deal(bank_find(&bank, "d"), &tables, 1, 0, &v, err, sizeof err), -1));
	cr_expect(contains(err, "none of 500 draws"), "%s", err);
	variant_release(&v);
}
