/* An object for the session, in it one for each problem, and in that one for each of its parts. */
#include "ui/practice/drill_json.h"

#include <cjson/cJSON.h>

static void add_mistakes(cJSON *to, const struct question *q)
{
	cJSON *list = cJSON_AddArrayToObject(to, "mistakes");
	for (size_t i = 0; i < q->n_mistakes; i++) {
		cJSON *one = cJSON_CreateObject();
		cJSON_AddStringToObject(one, "name", q->mistakes[i].name);
		cJSON_AddNumberToObject(one, "value", q->mistakes[i].value);
		cJSON_AddNumberToObject(one, "credit", q->mistakes[i].credit);
		cJSON_AddItemToArray(list, one);
	}
}

static void add_options(cJSON *to, const struct variant_step *s, bool answers)
{
	cJSON *list = cJSON_AddArrayToObject(to, "options");
	for (size_t i = 0; i < s->n_options; i++) {
		cJSON *one = cJSON_CreateObject();
		cJSON_AddStringToObject(one, "text", s->options[i].text);
		if (answers)
			cJSON_AddStringToObject(one, "reason", s->options[i].reason);
		cJSON_AddItemToArray(list, one);
	}
}

static void add_hints(cJSON *to, const struct variant_step *s)
{
	cJSON *hints = cJSON_AddArrayToObject(to, "hints");
	for (size_t i = 0; i < s->n_hints; i++)
		cJSON_AddItemToArray(hints, cJSON_CreateString(s->hints[i]));
}

static cJSON *step_json(const struct variant_step *s, bool answers)
{
	cJSON *to = cJSON_CreateObject();
	bool number = s->step->kind == KIND_NUMBER;
	cJSON_AddStringToObject(to, "kind", kind_names[s->step->kind]);
	cJSON_AddStringToObject(to, "prompt", s->asks);
	cJSON_AddStringToObject(to, "tolerance", s->tolerance);
	if (number)
		cJSON_AddStringToObject(to, "shown_unit", s->question.shown_unit);
	else if (s->step->kind != KIND_CODE)
		add_options(to, s, answers);
	if (!answers)
		return to;
	cJSON_AddStringToObject(to, "answer", s->answer);
	cJSON_AddStringToObject(to, "symbols", s->symbols);
	cJSON_AddStringToObject(to, "working", s->working);
	cJSON_AddStringToObject(to, "whiteboard", s->whiteboard);
	add_hints(to, s);
	if (number) {
		cJSON_AddNumberToObject(to, "key", s->question.key);
		cJSON_AddStringToObject(to, "unit", s->question.unit);
		add_mistakes(to, &s->question);
	}
	return to;
}

static void add_help(cJSON *to, const struct variant *v)
{
	add_hints(to, &v->steps[0]);
	cJSON_AddStringToObject(to, "follow_up", v->follow_up);
	if (v->sim)
		cJSON_AddStringToObject(to, "sim", v->sim);
	if (v->page)
		cJSON_AddStringToObject(to, "page", v->page);
}

static void add_program(cJSON *to, const struct variant *v, bool answers)
{
	const struct drill_program *p = v->program->program;
	cJSON_AddStringToObject(to, "language", language_names[p->language]);
	cJSON_AddStringToObject(to, "stub", v->program->stub);
	if (!answers)
		return;
	cJSON_AddStringToObject(to, "solution", v->program->solution);
	cJSON *list = cJSON_AddArrayToObject(to, "check_list");
	for (size_t i = 0; i < p->n_check_list; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(p->check_list[i]));
}

static cJSON *problem_json(const struct variant *v, bool answers)
{
	cJSON *to = cJSON_CreateObject();
	cJSON_AddStringToObject(to, "id", v->drill->id);
	cJSON_AddStringToObject(to, "kind", kind_names[v->drill->kind]);
	cJSON_AddStringToObject(to, "topic", v->drill->topic);
	cJSON_AddStringToObject(to, "rung", rung_names[v->drill->rung]);
	cJSON_AddStringToObject(to, "skill", v->drill->skill);
	cJSON_AddStringToObject(to, "title", v->drill->title);
	cJSON_AddStringToObject(to, "scene", v->scene);
	cJSON_AddStringToObject(to, "assumes", v->assumes);
	cJSON_AddNumberToObject(to, "par_s", v->drill->par_s);
	cJSON *steps = cJSON_AddArrayToObject(to, "steps");
	for (size_t i = 0; i < v->n_steps; i++)
		cJSON_AddItemToArray(steps, step_json(&v->steps[i], answers));
	if (v->program)
		add_program(to, v, answers);
	if (answers)
		add_help(to, v);
	return to;
}

int drill_json(const struct drill_session *s, const char *code, bool answers, FILE *out)
{
	cJSON *root = cJSON_CreateObject();
	cJSON_AddNumberToObject(root, "schema", 1);
	cJSON_AddStringToObject(root, "mode", mode_names[s->mode]);
	if (*code)
		cJSON_AddStringToObject(root, "code", code);
	cJSON_AddNumberToObject(root, "seed", (double)s->seed);
	cJSON *problems = cJSON_AddArrayToObject(root, "problems");
	for (size_t i = 0; i < s->n; i++)
		cJSON_AddItemToArray(problems, problem_json(&s->items[i].variant, answers));
	char *text = cJSON_Print(root);
	bool failed = !text || fprintf(out, "%s\n", text) < 0 || fflush(out);
	cJSON_free(text);
	cJSON_Delete(root);
	return failed ? 1 : 0;
}
