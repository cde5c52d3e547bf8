#include "ui/commands/cmd_grade.h"

#include "drills/grade.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 20 };

static const char usage[] = "usage: ridge grade QUESTION.json ANSWER [--question NAME] [--json]\n";

static const char help[] =
	"Grades one answer to one question: what was understood, the verdict, a remark.\n"
	"\n"
	"  QUESTION.json    one question object, or a file with \"questions\" by name\n"
	"  ANSWER           as typed in a drill: \"10.7 GB\", 2.9k, 3x10^9, \"2 x 80 x 8\"\n"
	"  --question NAME  which one of the file's questions\n"
	"  --json           one JSON object instead of text\n"
	"  --               what follows is no option (an answer may begin with a minus sign\n"
	"                   in any case)\n";

struct wanted {
	const char *file, *answer, *name;
	bool json, help;
};

static int misuse(FILE *err, const char *what, const char *arg)
{
	fprintf(err, "ridge grade: %s%s; %s", what, arg, usage);
	return 2;
}

static int read_arguments(int argc, char **argv, struct wanted *r, FILE *err)
{
	bool options = true;
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];
		if (options && strcmp(arg, "--") == 0)
			options = false;
		else if (options && strcmp(arg, "--json") == 0)
			r->json = true;
		else if (options && strcmp(arg, "--help") == 0)
			r->help = true;
		else if (options && strcmp(arg, "--question") == 0 && i + 1 < argc)
			r->name = argv[++i];
		else if (options && strncmp(arg, "--", 2) == 0)
			return misuse(err, "unknown option, or one without its value: ", arg);
		else if (!r->file)
			r->file = arg;
		else if (!r->answer)
			r->answer = arg;
		else
			return misuse(err, "one answer expected, and a second found: ", arg);
	}
	if (!r->help && !r->answer)
		return misuse(err, r->file ? "no ANSWER given" : "no QUESTION.json given", "");
	return 0;
}

/* The whole file, terminated; NULL with errno set (EFBIG above the limit). */
static char *read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	char *text = malloc(LARGEST_FILE + 1);
	size_t n = text ? fread(text, 1, LARGEST_FILE + 1, f) : 0;
	int reason = !text ? ENOMEM : ferror(f) ? EIO : n > LARGEST_FILE ? EFBIG : 0;
	fclose(f);
	if (reason) {
		free(text);
		errno = reason;
		return NULL;
	}
	text[n] = '\0';
	return text;
}

static void print_text(const struct grade *g, FILE *out)
{
	fprintf(out, "%s: %s\n", verdict_names[g->verdict], verdict_words[g->verdict]);
	if (*g->understood)
		fprintf(out, "read as %s\n", g->understood);
	if (*g->remark)
		fprintf(out, "%s\n", g->remark);
	fprintf(out, "credit %g, %s\n", g->credit,
		g->attempt_used ? "attempt used" : "no attempt used");
}

static int print_json(const struct grade *g, FILE *out)
{
	cJSON *object = cJSON_CreateObject();
	char *line = NULL;
	bool built = cJSON_AddNumberToObject(object, "schema", 1) &&
		     cJSON_AddStringToObject(object, "verdict", verdict_names[g->verdict]) &&
		     cJSON_AddStringToObject(object, "understood", g->understood) &&
		     cJSON_AddStringToObject(object, "remark", g->remark) &&
		     cJSON_AddNumberToObject(object, "credit", g->credit) &&
		     cJSON_AddBoolToObject(object, "attempt_used", g->attempt_used);
	if (built)
		line = cJSON_PrintUnformatted(object);
	int rc = line && fprintf(out, "%s\n", line) > 0 ? 0 : -1;
	cJSON_free(line);
	cJSON_Delete(object);
	return rc;
}

int cmd_grade(int argc, char **argv, FILE *out, FILE *err)
{
	struct wanted r = { 0 };
	struct arena arena = { 0 };
	struct question question;
	struct grade grade;
	char why[256];
	int rc = read_arguments(argc, argv, &r, err);
	if (rc)
		return rc;
	if (r.help) {
		fprintf(out, "%s\n%s", usage, help);
		return fflush(out) ? 1 : 0;
	}
	char *json = read_file(r.file);
	if (!json) {
		fprintf(err, "ridge grade: %s: %s\n", r.file, strerror(errno));
		return 1;
	}
	if (question_read(json, r.name, &arena, &question, why, sizeof why)) {
		fprintf(err, "ridge grade: %s: %s\n", r.file, why);
		rc = 1;
	} else {
		grade_answer(&question, r.answer, false, &grade);
		if (r.json)
			rc = print_json(&grade, out) ? 1 : 0;
		else
			print_text(&grade, out);
		if (fflush(out))
			rc = 1;
	}
	arena_release(&arena);
	free(json);
	return rc;
}
