/* Programs are run: right ones, and those with the slips that people make. */
#include "tests/runs.h"
#include "ui/commands/commands.h"

/* Every model solution passes at several seeds: what it gives is what the formulas give. */
static void check_solutions(enum program_language language, uint64_t seeds)
{
	for (size_t i = 0; i < bank.n; i++)
		for (uint64_t seed = 1;
			bank.drills[i].program && bank.drills[i].program->language == language &&
			seed <= seeds;
			seed++) {
			struct variant v = deal_drill(bank.drills[i].id, seed);
			struct code_result r = run(&v, v.program->solution);
			cr_expect(eq(int, r.grade.verdict, VERDICT_CORRECT), "%s: %s", v.drill->id,
				r.grade.remark);
			cr_expect(r.grade.credit == 1 && r.result.passed == r.result.n);
			cr_expect(eq(str, r.said, (char *)""));
			variant_release(&v);
		}
}

Test(code_run, solutions_in_python, .description = "long", .init = load, .fini = release,
	.timeout = 120)
{
	need("python3");
	check_solutions(LANGUAGE_PYTHON, 6);
}

Test(code_run, solutions_in_c, .description = "long", .init = load, .fini = release, .timeout = 120)
{
	need("cc");
	check_solutions(LANGUAGE_C, 3);
}

/* What people get wrong, each told from the others. */
static const struct {
	const char *drill, *from, *to, *item, *remark; /* item: "": it stops; NULL: any */
	enum verdict verdict;
} slips[] = {
	{ "code-training-memory", "(2 + 2 +", "(2 +", "state", "gradients are missing",
		VERDICT_NAMED },
	{ "code-training-memory", "34 *", "24 *", "activations, attention not fused", "expected",
		VERDICT_WRONG },
	{ "code-training-memory", "if not flash", "if flash", "activations, attention not fused",
		"pair of tokens is missing", VERDICT_NAMED },
	{ "code-training-memory", "model[\"heads\"] *", "", "activations, attention not fused",
		"not for each head", VERDICT_NAMED },
	{ "code-training-memory", ", model[\"layers\"] * layer", ", layer",
		"activations, attention not fused", "one layer", VERDICT_NAMED },
	{ "code-checkpoint", "if i % self.segment == 0:", "if True:", "indices and inputs kept",
		"got", VERDICT_WRONG },
	{ "code-checkpoint", "self.kept[i] = x\n", "self.kept[i] = x\n            self.last = x\n",
		"values alive after the forward pass", "expected", VERDICT_WRONG },
	{ "code-checkpoint", "reverse=True", "reverse=False", "gradient of the input", "expected",
		VERDICT_WRONG },
	{ "code-checkpoint", "reversed(layers)", "layers", "gradient of the input", "expected",
		VERDICT_WRONG },
	{ "code-checkpoint", "for layer in layers[:-1]:",
		"for layer in layers + layers:\n"
		"                layer.forward(self.kept[first])\n"
		"            for layer in layers[:-1]:",
		"compute, over that without checkpoints", "at most 1.33333", VERDICT_WRONG },
	{ "code-ring",
		"for step in range(ranks - 1):\n        got = ring.exchange([data[r][chunk(r + 1",
		"for step in range(0):\n        got = ring.exchange([data[r][chunk(r + 1",
		"sum on every rank", "expected", VERDICT_WRONG },
	{ "code-ring", "return data", "ring.exchange([[] for _ in range(ranks)])\n    return data",
		"steps", "expected", VERDICT_WRONG },
	{ "code-ring", "return data",
		"for b in buffers[1:]:\n        ring.exchange(data)\n"
		"    return data",
		"steps", "expected", VERDICT_WRONG },
	{ "code-quantise", "- 1) - 1", "- 1)", "scale of the first row", "expected",
		VERDICT_WRONG },
	{ "code-quantise", "** (", "** (1 + ", "scale of the first row", "below it",
		VERDICT_NAMED },
	{ "code-quantise", "abs(weight)", "weight", "scale of the first row", "expected",
		VERDICT_WRONG },
	{ "code-quantise", "for weight in row)",
		"for all_of_them in rows for weight in all_of_them)", "scale of the first row",
		"one scale for all rows", VERDICT_NAMED },
	{ "code-quantise", "round(", "int(", NULL, "expected", VERDICT_WRONG },
	{ "code-quantise", "round(weight / scale)", "weight / scale", "", "not float",
		VERDICT_WRONG },
	{ "code-quantise", " if largest > 0 else 1.0", "", "", "ZeroDivisionError", VERDICT_WRONG },
	{ "code-quantise", "else 1.0", "else 0.5", "scales", "expected 1, got 0.5", VERDICT_WRONG },
};

Test(code_run, slips_are_named, .description = "long", .init = load, .fini = release,
	.timeout = 200)
{
	need("python3");
	for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
		struct variant v = deal_drill(slips[i].drill, 3);
		char program[8192];
		change(&v, slips[i].from, slips[i].to, program, sizeof program);
		struct code_result r = run(&v, program);
		const char *item = r.result.item ? r.result.item : "";
		cr_expect(eq(str, (char *)item, (char *)(slips[i].item ? slips[i].item : item)),
			"row %zu: %s", i, r.grade.remark);
		cr_expect(eq(int, r.grade.verdict, slips[i].verdict), "row %zu: %s", i,
			r.grade.remark);
		cr_expect(strstr(r.grade.remark, slips[i].remark) != NULL, "row %zu: %s", i,
			r.grade.remark);
		cr_expect(strstr(r.grade.remark, r.result.input) != NULL, "row %zu: %s", i,
			r.grade.remark);
		cr_expect(epsilon_eq(
			dbl, r.grade.credit, (double)r.result.passed / (double)r.result.n, 1e-12));
		variant_release(&v);
	}
}

/* Half of the cases: half of the credit. */
Test(code_run, credit_is_the_share_of_the_cases, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-ring", 4);
	char program[8192];
	change(&v, "    ranks = len(buffers)\n",
		"    ranks = len(buffers)\n    if ranks > 3:\n        raise ValueError('no')\n",
		program, sizeof program);
	struct code_result r = run(&v, program);
	cr_expect(eq(sz, r.result.passed, 3), "1, 2 and 3 of 1, 2, 3, 4, 5 and 8 ranks");
	cr_expect(epsilon_eq(dbl, r.grade.credit, 0.5, 1e-12));
	cr_expect(eq(str, r.summary, (char *)"3 of 6 cases"));
	cr_expect(strstr(r.grade.remark, "line 4: ValueError: no") != NULL, "%s", r.grade.remark);
	variant_release(&v);
}

Test(code_run, slips_in_c, .description = "long", .init = load, .fini = release, .timeout = 120)
{
	static const struct {
		const char *from, *to, *remark;
		enum verdict verdict;
	} rows[] = {
		{ "lrintf(", "(", "", VERDICT_WRONG },
		{ "- 1)) - 1", "- 1))", "scale of the first row", VERDICT_WRONG },
		{ "fabsf(row[i])", "row[i]", "scale of the first row", VERDICT_WRONG },
		{ "scales[r] =", "scales[0] =", "one scale for all rows", VERDICT_NAMED },
		{ "largest > 0", "largest >", "solution.c:", VERDICT_INVALID },
		{ "void quantise", "void quantize", "undefined", VERDICT_INVALID },
		{ "float largest = 0;", "float largest = *(volatile float *)0;", "signal 11",
			VERDICT_WRONG },
		{ "float largest = 0;", "float largest = 0; for (volatile int k = 0; ; k++);",
			"did not come to an end", VERDICT_WRONG },
	};
	need("cc");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct variant v = deal_drill("code-quantise-c", 2);
		char program[8192];
		change(&v, rows[i].from, rows[i].to, program, sizeof program);
		struct code_result r = run(&v, program);
		cr_expect(eq(int, r.grade.verdict, rows[i].verdict), "row %zu: %s", i,
			r.grade.remark);
		cr_expect(strstr(r.grade.remark, rows[i].remark) != NULL, "row %zu: %s", i,
			r.grade.remark);
		variant_release(&v);
	}
}

Test(code_run, what_it_prints_is_shown, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-training-memory", 1);
	char program[8192];
	change(&v, "    state =", "    print('batch', batch)\n    state =", program,
		sizeof program);
	struct code_result r = run(&v, program);
	cr_expect(eq(int, r.grade.verdict, VERDICT_CORRECT), "%s", r.grade.remark);
	size_t lines = 0;
	for (const char *p = r.said; (p = strstr(p, "batch ")); p++)
		lines++;
	cr_expect(eq(sz, lines, 12), "twice in each of six cases: %s", r.said);
	snprintf(program, sizeof program, "for k in range(2000): print('line', k)\n%s",
		v.program->solution);
	r = run(&v, program);
	cr_expect(zero(int, strncmp(r.said, "line ", 5)), "%s", r.said);
	cr_expect(strstr(r.said, "line 1999\n") != NULL && strlen(r.said) > 1900, "the last ones");
	variant_release(&v);
}

Test(code_run, nothing_written_and_nothing_there, .init = load, .fini = release, .timeout = 60)
{
	struct variant v = deal_drill("code-ring", 1);
	struct code_result r = run(&v, v.program->stub);
	cr_expect(r.grade.verdict == VERDICT_INVALID && !r.grade.attempt_used);
	cr_expect(strstr(r.grade.remark, "nothing was written") != NULL, "%s", r.grade.remark);
	setenv("PATH", "/nonexistent:relative", 1);
	r = run(&v, v.program->solution);
	cr_expect(eq(int, r.state, CODE_NO_TOOL));
	cr_expect(eq(str, r.tool, (char *)"python3"));
	variant_release(&v);
}

/* ridge drill, line by line. Freed by the caller. */
static char *drill(const char *topic, const char *input)
{
	char *argv[] = { "drill", "--topic", (char *)topic, "--count", "1", "--seed", "3",
		"--attempts", "3", NULL };
	char *out_text, *err_text;
	size_t size;
	FILE *in = fmemopen((void *)input, strlen(input), "r");
	FILE *out = open_memstream(&out_text, &size), *err = open_memstream(&err_text, &size);
	cr_expect(zero(int, command_run(9, argv, &(struct streams){ in, out, err })));
	fclose(in);
	fclose(out);
	fclose(err);
	cr_expect(eq(str, err_text, (char *)""));
	free(err_text);
	return out_text;
}

Test(code_run, line_by_line, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-ring", 3);
	char input[12000], path[64];
	/* Nonsense, a program that was typed, a file, and one that is not there. */
	snprintf(path, sizeof path, "%s/mine.py", place);
	FILE *f = fopen(path, "w");
	fputs(v.program->solution, f);
	fclose(f);
	snprintf(input, sizeof input,
		"run /dev/null/none\nedit\n?\nx = (\n.\ndef all_reduce(ring, buffers):\n\n    return "
		"buffers\n.\nrun %s\n",
		path);
	char *out = drill("code-ring", input);
	static const char *const parts[] = { "    def all_reduce(ring, buffers):\n",
		"Not a directory", "not a terminal", "Follow one chunk", "INVALID: no attempt used",
		"line 1: SyntaxError", "sum on every rank: expected", "attempt 1 of 3 used",
		"CORRECT: right, 6 of 6 cases", "A solution:", "1 of 1 right" };
	const char *p = out;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *next = strstr(p, parts[i]);
		cr_expect(next != NULL, "%s is not in\n%s", parts[i], p);
		p = next ? next : p;
	}
	free(out);
	remove(path);
	variant_release(&v);
}

Test(code_run, by_the_check_list_where_nothing_runs, .init = load, .fini = release)
{
	setenv("PATH", "/nonexistent", 1);
	char *out = drill("code-ring", "x = 1\n.\nmaybe\ny y n y y\n");
	cr_expect(strstr(out, "There is no python3 here") != NULL, "%s", out);
	cr_expect(strstr(out, "expected y or n for each of the 5 lines") != NULL, "%s", out);
	cr_expect(strstr(out, "4 of 5 lines, by your own judgement") != NULL, "%s", out);
	cr_expect(strstr(out, "credit 0.80") != NULL, "%s", out);
	free(out);
}
