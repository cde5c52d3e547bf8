/* Drills as they are dealt, and banks as they are refused. What holds of all of them at any seed is
 * in tests/laws_drills.c. */
#include "drills/bank_read.h"
#include "drills/deal.h"
#include "sims/base/array.h"
#include "sims/formulas/formula_text.h"
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

static double bound(const struct variant *v, const char *name)
{
	for (size_t i = 0; i < v->n_bindings; i++)
		if (strcmp(v->bindings[i].name, name) == 0)
			return v->bindings[i].value;
	return NAN;
}

static bool contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

Test(drills, same_seed_same_variant, .description = "long", .init = load, .fini = release)
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
	"\"skill\": \"s\", \"title\": \"t\", \"prompt\": \"{layers} layers, in GB?\", \"formula\": "
	"\"kv_cache_bytes\", \"fields\": {\"layers\": {\"choices\": [32, 80]}, \"kv_heads\": 8, "
	"\"head_dim\": 128, \"tokens\": 8192, \"bytes_per_value\": 2}, \"shown_unit\": \"GB\", "
	"\"tags\": [\"info\"], \"assumes\": \"decimal\", \"par_s\": 60, \"hints\": [\"a\", \"b\"], "
	"\"factors\": {\"layers\": \"layers\"}, \"mistakes\": [{\"name\": \"one layer\", \"drop\": "
	"\"layers\"}], \"page\": \"p.md\", \"sim\": \"kvcache\"}]}";

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
		{ "\"skill\"", "\"skil\"", "did you mean \"skill\"" },
		{ "kv_cache_bytes", "kv_cash_bytes", "kv_cash_bytes" },
		{ "\"kv_heads\": 8, ", "", "nothing gives kv_heads" },
		{ "[32, 80]", "[32, -1]", "outside" },
		{ "[32, 80]", "[]", "choices" },
		{ "{\"choices\": [32, 80]}", "[32, 80]", "expected an object" },
		{ "[32, 80]", "[32, \"x\"]", "numbers" },
		{ "[32, 80]", "[32, 80], \"unit\": \"%\"", "go to the formula as a plain number" },
		{ "_value\": 2", "_value\": {\"choices\": [2], \"unit\": \"GB\"}",
			"bytes_per_value: its unit is GB, but its numbers go to the formula as bytes" },
		{ "{\"choices\": [32, 80]}", "{\"models\": [\"llama9\"]}", "llama9" },
		{ "{layers} layers", "{layer} layers", "did you mean \"layers\"?" },
		{ "{layers} layers", "{layers", "}" },
		{ "in GB?", "how much?", "name the unit" },
		{ "\"GB\"", "\"ms\"", "does not measure" },
		{ "\"GB\"", "\"furlong\"", "shown_unit" },
		{ ", \"assumes\": \"decimal\"", "", "assumes" },
		{ "\"par_s\": 60", "\"par_s\": 0", "par_s" },
		{ "[\"a\", \"b\"]", "[\"a\", \"b\", \"c\"]", "hints" },
		{ "[\"a\", \"b\"]", "[]", "hints" },
		{ "\"drop\": \"layers\"", "\"drop\": \"layer\"", "no parameter" },
		{ "\"drop\": \"layers\"", "\"credit\": 0.5", "changes nothing" },
		{ "\"drop\": \"layers\"", "\"set\": {\"kv_heads\": \"heads\"}", "no field" },
		{ "\"drop\": \"layers\"", "\"formula\": \"ridge_point\"", "nothing gives" },
		{ "\"drop\": \"layers\"", "\"formula\": \"ridge_point\", \"field\": \"layers\"",
			"not both" },
		{ "{\"layers\": \"layers\"}", "{\"rows\": \"rows\"}", "rows" },
		{ "\"schema\": 1", "\"schema\": 2", "schema" },
		{ "}]}", "}]", "not JSON" },
		{ "\"tags\": [\"info\"]", "\"tags\": [\"infos\"]", "tags" },
		{ "\"tags\": [\"info\"]", "\"mode\": {\"rel\": \"x\"}", "mode" },
		{ "[32, 80]", "[32, 1e999]", "numbers" },
		{ "{\"choices\": [32, 80]}", "{\"models\": []}", "layers: expected 1 to" },
		{ "{\"choices\": [32, 80]}", "{\"gpus\": 3}", "layers: expected 1 to" },
		{ "{\"choices\": [32, 80]}", "{\"gpus\": [\"h9000\"]}",
			"no accelerator \"h9000\"" },
		{ "{\"choices\": [32, 80]}", "{\"product\": []}", "fields and numbers" },
		{ "{\"choices\": [32, 80]}", "{\"sum\": 3}", "fields and numbers" },
		{ "\"kv_heads\": 8, ",
			"\"m\": {\"models\": [\"llama3-8b\"]}, \"n\": {\"models\": [\"llama3-8b\"]}, ",
			"is given already" },
		{ "\"kv_heads\": 8, ",
			"\"g\": {\"gpus\": [\"h100\"]}, \"h\": {\"gpus\": [\"a100\"]}, \"kv_heads\": 8, ",
			"is given already" },
		{ "\"kv_heads\": 8, ", "\"kv_heads\": 8, \"kv_heads\": 8, ", "is there already" },
		{ "\"drop\": \"layers\"", "\"drop\": \"layers\", \"credit\": 1", "0 to below 1" },
		{ "\"drop\": \"layers\"", "\"drop\": \"layers\", \"credit\": -0.1",
			"0 to below 1" },
		{ "\"drop\": \"layers\"", "\"drop\": \"layers\", \"credit\": \"x\"",
			"0 to below 1" },
		{ "\"drop\": \"layers\"", "\"set\": [1]", "set: expected an object" },
		{ "\"par_s\": 60", "\"par_s\": 60, \"dual\": 1", "dual: expected true or false" },
		{ "\"shown_unit\": \"GB\"", "\"shown_unit\": 3", "shown_unit: expected a unit" },
		{ "\"par_s\": 60", "\"par_s\": 60, \"between\": [2, 1]", "[least, most]" },
		{ "\"par_s\": 60", "\"par_s\": 60, \"between\": [2]", "[least, most]" },
		{ "\"par_s\": 60", "\"par_s\": 60, \"between\": [\"1\", 2]", "[least, most]" },
		{ "\"par_s\": 60", "\"par_s\": 60, \"between\": [1, \"2\"]", "[least, most]" },
		{ "\"par_s\": 60", "\"par_s\": 60, \"between\": 3", "[least, most]" },
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

/* What only a formula has. "90 %", "samples/s" and "3:1" are words. */
static const char *sign_of_a_formula(const char *text)
{
	static const char *const signs[] = { "=", "*", "^", "²", " / ", ")/", " + ", " - ", " x ",
		"(1 ", "sqrt", "ln(", "min(", "max(" };
	for (size_t i = 0; i < LENGTH(signs); i++)
		if (contains(text, signs[i]))
			return signs[i];
	return NULL;
}

static void expect_words(const struct drill *d, const char *hint)
{
	const char *sign = hint ? sign_of_a_formula(hint) : NULL;
	cr_expect(sign == NULL, "%s: \"%s\" in a hint: %s", d->id, sign ? sign : "", hint);
}

/* A formula that is typed as a hint can be another one than the key's, or a later part's: hints are
 * sentences, and formulas are computed. */
Test(drills, formulas_are_not_typed_as_hints, .init = load, .fini = release)
{
	for (size_t i = 0; i < bank.n; i++) {
		const struct drill *d = &bank.drills[i];
		bool several = d->n_steps > 1;
		for (size_t k = 0; k < LENGTH(d->hints); k++)
			expect_words(d, d->hints[k]);
		for (size_t k = 0; k < d->n_steps; k++)
			expect_words(d, d->steps[k].hint);
		if (d->steps[0].kind == KIND_NUMBER && d->steps[0].key.formula)
			cr_expect(eq(ptr, (void *)d->hints[1], NULL), "%s", d->id);
		cr_expect(ne(ptr, (void *)d->hints[0], NULL), "%s", d->id);
		cr_expect(several || !d->steps[0].hint, "%s", d->id);
	}
}

/* The sentences that a part has of its own; those of the drill are of the first. */
static size_t own_hints(const struct variant *v, size_t k)
{
	const struct drill *d = v->drill;
	size_t n = d->steps[k].hint != NULL;
	for (size_t i = 0; k == 0 && i < LENGTH(d->hints); i++)
		n += d->hints[i] != NULL;
	return n;
}

/* The last two hints of a formula: its form, and what the working begins with. That the numbers come to the
 * key is a law of tests/laws_drills.c. */
static void expect_formula(const struct variant *v, const struct variant_step *s)
{
	const char *form = s->hints[s->n_hints - 2], *numbers = s->hints[s->n_hints - 1];
	char symbols[1024];
	size_t n = strlen(numbers);
	formula_symbols(s->step->key.formula, true, symbols, sizeof symbols);
	cr_expect(eq(str, (char *)form, symbols), "%s", v->drill->id);
	cr_expect(strncmp(s->working, numbers, n) == 0 && contains(s->working + n, " = "), "%s: %s",
		v->drill->id, numbers);
}

/* A part's hints are its own sentences, what its own formula depends on, and that formula: a later part's
 * are nowhere among them. */
Test(drills, hints_are_of_their_part, .init = load, .fini = release)
{
	size_t seen = 0;
	for (size_t i = 0; i < bank.n; i++) {
		struct variant v;
		char err[200];
		cr_assert(zero(int, deal(&bank.drills[i], &tables, 3, 0, &v, err, sizeof err)));
		for (size_t k = 0; k < v.n_steps; k++) {
			const struct variant_step *s = &v.steps[k];
			size_t own = own_hints(&v, k), more = s->args ? s->n_hints - own : 0;
			if (!s->args) {
				cr_expect(eq(sz, s->n_hints, own), "%s, part %zu", v.drill->id,
					k + 1);
				continue;
			}
			cr_assert(le(sz, FORMULA_HINTS, more));
			cr_expect(le(sz, more, FORMULA_HINTS + (v.n_steps > 1)));
			if (more > FORMULA_HINTS)
				cr_expect(contains(s->hints[own], "It depends on "), "%s",
					s->hints[own]);
			expect_formula(&v, s);
			seen++;
		}
		variant_release(&v);
	}
	cr_expect(lt(sz, 300, seen), "%zu", seen);
}

/* One prefill of prefill-pool waits for nobody and finds nothing cached: neither is in its hints, though
 * both are in the formula. */
Test(drills, hints_leave_out_what_a_problem_has_not, .init = load, .fini = release)
{
	struct variant v;
	char err[200];
	cr_assert(zero(
		int, deal(bank_find(&bank, "prefill-pool"), &tables, 1, 0, &v, err, sizeof err)));
	const char *depends = v.steps[0].hints[1], *form = v.steps[0].hints[2];
	cr_expect(contains(form, "cached_tokens") && contains(form, "queue_time"), "%s", form);
	cr_expect(eq(str, (char *)depends,
		(char *)"It depends on params, seq, layers, heads, head dim, peak flops and "
			"utilisation."));
	variant_release(&v);
}

/* What an interviewer asks next has its answer beside it. */
Test(drills, every_follow_up_is_answered, .init = load, .fini = release)
{
	const size_t shortest = 20;
	for (size_t i = 0; i < bank.n; i++) {
		struct variant v;
		char err[200];
		cr_assert(zero(int, deal(&bank.drills[i], &tables, 1, 0, &v, err, sizeof err)));
		if (v.follow_up && *v.follow_up)
			cr_expect(
				ge(sz, strlen(v.follow_up + variant_follow_up_asks(&v)), shortest),
				"%s: %s", bank.drills[i].id, v.follow_up);
		variant_release(&v);
	}
}

static void expect_apart(const struct drill *d, const struct question *q)
{
	for (size_t a = 0; a < q->n_mistakes; a++)
		for (size_t b = 0; b < a; b++) {
			const struct mistake *x = &q->mistakes[a], *y = &q->mistakes[b];
			cr_expect(lt(dbl, 0.0199 * fabs(y->value), fabs(x->value - y->value)),
				"%s: %s; %s", d->id, x->name, y->name);
		}
}

/* Of two mistakes within 2 % of each other nobody can say which was made. */
Test(drills, no_two_mistakes_are_one, .init = load, .fini = release, .timeout = 60)
{
	for (size_t i = 0; i < bank.n; i++)
		for (uint64_t seed = 0; seed < 50; seed++) {
			struct variant v;
			char err[200];
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 0, &v, err, sizeof err)));
			for (size_t k = 0; k < v.n_steps; k++)
				expect_apart(&bank.drills[i], &v.steps[k].question);
			variant_release(&v);
		}
}

/* A row that cannot even say its name is found by its number. */
Test(drills, a_drill_without_an_id_is_named_by_its_number, .init = load, .fini = release)
{
	static const char json[] = "{\"schema\": 1, \"topic\": \"t\", \"drills\": [{}]}";
	char err[300] = "";
	cr_expect(eq(int, bank_add(&bank, &tables, json, "x.json", err, sizeof err), -1));
	cr_expect(contains(err, "x.json: drill 1 of the file: id: "), "%s", err);
}

/* The example of the manual, as it stands in the opening comment of drills/bank.h. */
static void read_manual(char *out, size_t size)
{
	FILE *f = fopen("drills/bank.h", "r");
	char line[200];
	size_t n = 0;
	bool inside = false;
	cr_assert(ne(ptr, f, NULL), "run the tests in the project's folder");
	while (fgets(line, sizeof line, f) && !contains(line, "A DRILL")) {
		inside = inside || contains(line, "{\"schema\": 1, \"topic\"");
		if (inside && n < size)
			n += (size_t)snprintf(out + n, size - n, "%s", line + 2);
	}
	fclose(f);
	cr_assert(lt(sz, 0, n));
	cr_assert(lt(sz, n, size));
}

Test(drills, example_of_the_manual, .init = load, .fini = release)
{
	char json[4096], err[300] = "";
	struct drill_bank alone = { 0 };
	struct variant v;
	read_manual(json, sizeof json);
	cr_assert(zero(int, bank_add(&alone, &tables, json, "bank.h", err, sizeof err)), "%s", err);
	cr_assert(eq(sz, alone.n, 1));
	cr_expect(zero(int, deal(&alone.drills[0], &tables, 1, 0, &v, err, sizeof err)), "%s", err);
	variant_release(&v);
	bank_release(&alone);
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

/* 1,600 tokens of 8 nodes, of which a copy of the model takes 128 GPUs: the 8 in "128 GPUs" is none of the nodes. */
Test(drills, what_is_counted_keeps_its_own_name, .init = load, .fini = release)
{
	static const char json[] =
		"{\"schema\": 1, \"topic\": \"t\", \"drills\": [{\"id\": \"d\", \"kind\": "
		"\"number\", \"skill\": \"s\", \"title\": \"t\", \"prompt\": \"How many tokens?\", "
		"\"formula\": \"replica_tokens\", \"fields\": {\"batch_tokens\": 1600, \"nodes\": "
		"{\"choices\": [8], \"unit\": \"node\"}, \"model_gpus\": 128}, \"set\": {\"gpus\": \"nodes\"}, \"shown_unit\": "
		"\"token\", \"unit_policy\": \"none\", \"assumes\": \"decimal\", \"par_s\": 60, "
		"\"hints\": [\"a\", \"b\"], \"mistakes\": [{\"name\": \"m\", \"times\": 3}]}]}";
	struct drill_bank b = { 0 };
	struct variant v;
	char err[300] = "";
	cr_assert(zero(int, bank_add(&b, &tables, json, "x.json", err, sizeof err)), "%s", err);
	cr_assert(zero(int, deal(b.drills, &tables, 1, 0, &v, err, sizeof err)), "%s", err);
	cr_expect(contains(v.working, "128 GPUs / 8 nodes"), "%s", v.working);
	variant_release(&v);
	bank_release(&b);
}

/* 1,000 B over 10 kB/s are 0.1 s. 35 requests a second of that keep 3.5 GPUs busy: 4, and 4 from 0.099 and
 * 0.101 s as well. 30 a second keep 3, but 3.03 from 0.101 s, which would be 4: never dealt. Of 64
 * sequences the 4 GPUs take 16 each, and a count of 4 is not 3.96. */
static const char fleet[] =
	"{\"schema\": 1, \"topic\": \"t\", \"drills\": [{\"id\": \"f\", \"kind\": \"estimate\", "
	"\"skill\": \"s\", \"title\": \"t\", \"par_s\": 60, \"hints\": [\"a\", \"b\"], \"prompt\": "
	"\"scene\", \"assumes\": \"decimal\", \"fields\": {\"arrival_rate\": {\"choices\": %s}, "
	"\"bytes\": 1000, \"link_bandwidth\": 10000, \"utilisation\": 1, \"global_batch\": 64, "
	"\"batch\": 1}, \"steps\": [{\"name\": \"gpu_time\", \"prompt\": \"In ms?\", \"formula\": "
	"\"broadcast_time\", \"shown_unit\": \"ms\", \"mistakes\": [{\"name\": \"m\", \"times\": 8}]}, "
	"{\"name\": \"gpus\", \"prompt\": \"GPUs?\", \"formula\": \"fleet_gpus\", \"shown_unit\": "
	"\"GPU\", \"unit_policy\": \"none\", \"mistakes\": [{\"name\": \"m\", \"times\": 8}]}, "
	"{\"name\": \"each\", \"prompt\": \"Each?\", \"formula\": \"accumulation_steps\", "
	"\"shown_unit\": \"\", \"unit_policy\": \"none\", \"mode\": \"exact\", \"mistakes\": "
	"[{\"name\": \"m\", \"times\": 8}]}]}]}";

/* The bank with these rates. */
static struct drill_bank fleet_bank(const char *rates)
{
	struct drill_bank b = { 0 };
	char json[4096], err[300] = "";
	snprintf(json, sizeof json, fleet, rates);
	cr_assert(zero(int, bank_add(&b, &tables, json, "x.json", err, sizeof err)), "%s", err);
	return b;
}

Test(drills, no_count_turns_on_rounding, .init = load, .fini = release)
{
	struct drill_bank both = fleet_bank("[30, 35]"), near = fleet_bank("[30]");
	struct variant v;
	char err[300] = "";
	unsigned most_draws = 0;
	for (uint64_t seed = 0; seed < 50; seed++) {
		cr_assert(zero(int, deal(both.drills, &tables, seed, 0, &v, err, sizeof err)), "%s",
			err);
		cr_expect(eq(dbl, bound(&v, "arrival_rate"), 35));
		cr_expect(eq(dbl, bound(&v, "gpus"), 4));
		cr_expect(eq(dbl, bound(&v, "each"), 16));
		most_draws = v.draws > most_draws ? v.draws : most_draws;
		variant_release(&v);
	}
	cr_expect(lt(uint, 1, most_draws));
	cr_expect(eq(int, deal(near.drills, &tables, 1, 0, &v, err, sizeof err), -1));
	cr_expect(contains(err, "a count that turns"), "%s", err);
	variant_release(&v);
	bank_release(&both);
	bank_release(&near);
}
