/* The file is read whole, drills/grade.h makes the question of it and judges the answer. */
#include "ui/commands/cmd_grade.h"

#include "drills/grade.h"
#include "ui/files/own_file.h"

#include <cjson/cJSON.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 20 };

/* The whole file, terminated; NULL with errno set. It may be a pipe. */
static char *read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	char *text = own_read_stream(f, LARGEST_FILE);
	int reason = errno;
	fclose(f);
	errno = reason;
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

int cmd_grade(const struct command_line *line, const struct streams *io)
{
	const char *file = line->words[0], *answer = line->words[1];
	struct arena arena = { 0 };
	struct question question;
	struct grade grade;
	char why[256];
	int rc = 0;
	if (line->n_words < 2)
		return usage_error(io, line->command, "expected QUESTION.json ANSWER, found no %s",
			line->n_words ? "ANSWER" : "QUESTION.json");
	char *json = read_file(file);
	if (!json) {
		fprintf(io->err, "ridge grade: %s: %s\n", file,
			own_read_error(LARGEST_FILE, why, sizeof why));
		return 1;
	}
	if (question_read(
		    json, line->values[OPTION_QUESTION].text, &arena, &question, why, sizeof why)) {
		fprintf(io->err, "ridge grade: %s: %s\n", file, why);
		rc = 1;
	} else {
		grade_answer(&question, answer, false, &grade);
		if (option_says_yes(line, OPTION_JSON))
			rc = print_json(&grade, io->out) ? 1 : 0;
		else
			print_text(&grade, io->out);
		if (fflush(io->out))
			rc = 1;
	}
	arena_release(&arena);
	free(json);
	return rc;
}
