/* `ridge drill --sheet --json`, for programs that deal ridge's problems: what a candidate gets, what an
 * interviewer gets, and that the first holds nothing of the second. */
#include "ui/commands/commands.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

/* A session of ridge drill with these words; its problems, to be deleted. */
static cJSON *deal(const char *words, bool answers)
{
	char copy[256], *argv[24], *rest = NULL, *out, *err;
	int argc = 0;
	size_t size;
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	snprintf(
		copy, sizeof copy, "drill --sheet --json %s%s", words, answers ? " --answers" : "");
	for (char *w = strtok_r(copy, " ", &rest); w && argc < 23; w = strtok_r(NULL, " ", &rest))
		argv[argc++] = w;
	argv[argc] = NULL;
	FILE *in = fmemopen("\n", 1, "r");
	FILE *to = open_memstream(&out, &size), *to_err = open_memstream(&err, &size);
	const int status = command_run(argc, argv, &(struct streams){ in, to, to_err });
	fclose(in);
	fclose(to);
	fclose(to_err);
	cr_assert(zero(int, status), "%s: %s", words, err);
	cJSON *root = cJSON_ParseWithOpts(out, NULL, true);
	cr_assert(cJSON_IsObject(root) != 0, "%s: %.200s", words, out);
	free(out);
	free(err);
	return root;
}

static const cJSON *member(const cJSON *of, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(of, name);
}

static const char *text(const cJSON *of, const char *name)
{
	const char *s = cJSON_GetStringValue(member(of, name));
	return s ? s : "";
}

static bool says(const cJSON *of, const char *name)
{
	return text(of, name)[0] != '\0';
}

static const cJSON *problem(const cJSON *root, int i)
{
	const cJSON *p = cJSON_GetArrayItem(member(root, "problems"), i);
	cr_assert(p != NULL, "problem %d", i);
	return p;
}

static const cJSON *step(const cJSON *root, int i)
{
	const cJSON *s = cJSON_GetArrayItem(member(problem(root, i), "steps"), 0);
	cr_assert(s != NULL, "problem %d", i);
	return s;
}

/* The golden code 810M-15: its problems and keys are those of tests/data/codes.tsv. */
Test(drill_json, an_interviewer_gets_the_golden_keys)
{
	cJSON *root = deal("--code 810M-15", true);
	cr_expect(eq(str, (char *)text(root, "code"), "810M-15"));
	cr_expect(eq(str, (char *)text(problem(root, 0), "id"), "chunked-protects"));
	cr_expect(eq(str, (char *)text(step(root, 0), "answer"), "2"));
	cr_expect(eq(str, (char *)text(problem(root, 1), "id"), "kv-per-token"));
	/* 2 x 80 layers x 8 heads x 128 x 2 B = 327,680 B. */
	cr_expect(eq(str, (char *)text(step(root, 1), "answer"), "327.68 kB/token"));
	cr_expect(eq(dbl, cJSON_GetNumberValue(member(step(root, 1), "key")), 327680));
	cr_expect(eq(str, (char *)text(problem(root, 2), "id"), "inference-levers"));
	cr_expect(eq(str, (char *)text(step(root, 2), "answer"), "3 2 6 1 5 4"));
	cJSON_Delete(root);
}

/* 64 query heads taken for 8 KV heads: eight times the key. */
Test(drill_json, a_likely_mistake_has_its_number)
{
	cJSON *root = deal("--code 810M-15", true);
	const cJSON *one, *mistakes = member(step(root, 1), "mistakes");
	bool found = false;
	cJSON_ArrayForEach(one, mistakes)
	{
		const double value = cJSON_GetNumberValue(member(one, "value"));
		const double credit = cJSON_GetNumberValue(member(one, "credit"));
		found |= value == 8 * 327680.0;
		cr_expect(says(one, "name") && value != 327680 && credit >= 0 && credit < 1, "%s",
			text(one, "name"));
	}
	cr_expect(found);
	cJSON_Delete(root);
}

/* Whatever the kind, the candidate's copy has no member that only the interviewer's may have. */
static void check_tells_nothing(const cJSON *item)
{
	static const char *const secret[] = { "answer", "key", "unit", "mistakes", "working",
		"symbols", "whiteboard", "hints", "follow_up", "reason", "solution", "check_list" };
	const cJSON *child;
	cJSON_ArrayForEach(child, item)
	{
		for (size_t i = 0; child->string && i < COUNT(secret); i++)
			cr_expect(ne(str, child->string, (char *)secret[i]));
		check_tells_nothing(child);
	}
}

Test(drill_json, a_candidate_gets_the_same_problems_without_their_keys)
{
	static const char *const sessions[] = { "--code 810M-15", "--code 810M-C1S0",
		"--topic code-ring --seed 1 --count 1", "--mode sprint --seed 2" };
	for (size_t i = 0; i < COUNT(sessions); i++) {
		cJSON *theirs = deal(sessions[i], false), *ours = deal(sessions[i], true);
		const int n = cJSON_GetArraySize(member(theirs, "problems"));
		cr_expect(lt(int, 0, n));
		cr_expect(eq(int, cJSON_GetArraySize(member(ours, "problems")), n));
		check_tells_nothing(theirs);
		for (int j = 0; j < n; j++) {
			cr_expect(eq(str, (char *)text(problem(theirs, j), "id"),
				(char *)text(problem(ours, j), "id")));
			cr_expect(eq(str, (char *)text(step(theirs, j), "prompt"),
				(char *)text(step(ours, j), "prompt")));
			cr_expect(says(step(theirs, j), "prompt"), "%s: %d", sessions[i], j);
			cr_expect(says(step(ours, j), "answer") ||
				  member(problem(ours, j), "solution"));
		}
		cJSON_Delete(theirs);
		cJSON_Delete(ours);
	}
}

/* A program to write has its beginning for everybody, and a solution and what to look for for one. */
Test(drill_json, a_program_has_a_beginning_and_for_the_interviewer_an_end)
{
	cJSON *theirs = deal("--topic code-training-memory --count 1 --seed 1", false);
	cJSON *ours = deal("--topic code-training-memory --count 1 --seed 1", true);
	const cJSON *p = problem(ours, 0);
	cr_expect(eq(str, (char *)text(p, "kind"), "code"));
	cr_expect(says(problem(theirs, 0), "stub") && says(problem(theirs, 0), "language"));
	cr_expect(eq(str, (char *)text(p, "stub"), (char *)text(problem(theirs, 0), "stub")));
	cr_expect(says(p, "solution") && strcmp(text(p, "solution"), text(p, "stub")) != 0);
	cr_expect(lt(int, 0, cJSON_GetArraySize(member(p, "check_list"))));
	cJSON_Delete(theirs);
	cJSON_Delete(ours);
}

/* Choices come with the reason for each, which only the interviewer sees. */
Test(drill_json, options_have_reasons)
{
	cJSON *root = deal("--code 810M-15", true);
	const cJSON *option, *options = member(step(root, 0), "options");
	cr_expect(eq(int, cJSON_GetArraySize(options), 4));
	cJSON_ArrayForEach(option, options) cr_expect(
		says(option, "text") && says(option, "reason"), "%s", text(option, "text"));
	cJSON_Delete(root);
}
