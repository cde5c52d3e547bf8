/* All of it is read from the rows of the formula table: the words by ui/data/calc.h, and the
 * symbols, ranges and substitution that are printed. */
#include "ui/commands/cmd_calc.h"

#include "sims/architecture/model_architecture.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/scratch.h"
#include "sims/formulas/formula_text.h"
#include "ui/data/calc.h"
#include "ui/data/calc_cover.h"
#include "ui/data/own_inputs.h"
#include "ui/data/tables_load.h"
#include "ui/files/printed.h"

#include <cjson/cJSON.h>

#include <ctype.h>
#include <langinfo.h>
#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 4096, ERROR_SIZE = 512 };
enum { STATUS_DONE, STATUS_FAILED };

static bool add_word(char *text, size_t size, const char *word)
{
	size_t length = strlen(text), more = strlen(word);

	if (length + 1 + more >= size)
		return false;
	if (length)
		text[length++] = ' ';
	memcpy(text + length, word, more + 1);
	return true;
}

/* The words as calc_evaluate reads them. 0, or -1 when they are too long. */
static int join_words(const struct command_line *line, char text[static CALC_MAX_TEXT])
{
	text[0] = '\0';
	for (size_t i = 0; i < line->n_words; i++)
		if (!add_word(text, CALC_MAX_TEXT, line->words[i]))
			return -1;
	return 0;
}

static bool ascii_only(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

static void print_list(FILE *out)
{
	const char *subject = "";

	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		if (strcmp(calc_subject(f), subject) != 0)
			fprintf(out, "%s%s\n", *subject ? "\n" : "", calc_subject(f));
		subject = calc_subject(f);
		fprintf(out, "  %-32s %-10s %s\n", f->id, f->unit, f->title);
	}
}

static void print_head(const struct formula *f, FILE *out)
{
	char text[TEXT_SIZE];

	fprintf(out, "%s (%s %s)\n", f->title, f->id, f->number);
	fprintf(out, "Source: %s\n\n", f->source);
	fprintf(out, "  %s\n", formula_symbols(f, ascii_only(), text, sizeof text));
}

/* Widths for which columns line up; most names are short, so the longest decides. */
static int widest_name(const struct formula *f)
{
	size_t widest = 0;

	for (size_t i = 0; i < f->n_params; i++) {
		size_t n = strlen(f->params[i].name);
		widest = n > widest ? n : widest;
	}
	return (int)widest;
}

static void print_params(const struct formula *f, FILE *out)
{
	char value[96], range[160];
	int width = widest_name(f);

	fprintf(out, "\n  %-*s  %-8s  %-20s  %s\n", width, "name", "symbol", "example", "range");
	for (size_t i = 0; i < f->n_params; i++) {
		const struct formula_param *p = &f->params[i];
		fprintf(out, "  %-*s  %-8s  %-20s  %s\n", width, p->name, p->symbol,
			quantity_format(value, sizeof value, p->example, p->unit),
			calc_range(p, range, sizeof range));
	}
}

static void origin_text(const struct calc_result *r, size_t i, char *buf, size_t size)
{
	switch (r->origins[i]) {
	case CALC_GIVEN:
		snprintf(buf, size, "given");
		break;
	case CALC_MODEL:
		snprintf(buf, size, "model %s", r->model->id);
		break;
	case CALC_GPU:
		snprintf(buf, size, "gpu %s", r->gpu->id);
		break;
	case CALC_EXAMPLE:
		snprintf(buf, size, "EXAMPLE, not given");
		break;
	}
}

/* What is better asked of a simulation than left at the example. */
static void print_where_found(const struct calc_result *r, FILE *out)
{
	static const struct {
		const char *formula, *param, *found;
	} rows[] = {
		{ "training_time", "utilisation",
			"The MFU of an example is no forecast. `ridge sim parallelism model=... gpu=... "
			"gpus=...`\ngives the one to expect of a layout, `ridge plan train` that of the "
			"quickest." },
	};
	for (size_t k = 0; k < LENGTH(rows); k++)
		for (size_t i = 0; i < r->formula->n_params; i++)
			if (strcmp(rows[k].formula, r->formula->id) == 0 &&
				strcmp(rows[k].param, r->formula->params[i].name) == 0 &&
				r->origins[i] == CALC_EXAMPLE)
				fprintf(out, "%s\n", rows[k].found);
}

static void print_settings(const struct calc_result *r, FILE *out)
{
	const struct formula *f = r->formula;
	char value[96], origin[96], range[160];
	int width = widest_name(f);

	fprintf(out, "\n  %-*s  %-8s  %-20s  %-20s  %s\n", width, "name", "symbol", "value", "from",
		"range");
	for (size_t i = 0; i < f->n_params; i++) {
		const struct formula_param *p = &f->params[i];
		origin_text(r, i, origin, sizeof origin);
		fprintf(out, "  %-*s  %-8s  %-20s  %-20s  %s\n", width, p->name, p->symbol,
			quantity_format(value, sizeof value, r->args[i], p->unit), origin,
			calc_range(p, range, sizeof range));
	}
	size_t n = calc_n_examples(r);
	if (n)
		fprintf(out, "\n%zu of %zu parameters %s not given and stayed at the example.\n", n,
			f->n_params, n == 1 ? "was" : "were");
	print_where_found(r, out);
}

/* The result at human scale and, where that hides digits, in the base unit. */
static void print_value(const struct calc_result *r, FILE *out)
{
	char scaled[96], plain[64], text[TEXT_SIZE];

	quantity_format(scaled, sizeof scaled, r->value, r->formula->unit);
	number_format(plain, sizeof plain, r->value);
	fprintf(out, "\n  %s", scaled);
	if (isfinite(r->value) && strncmp(scaled, plain, strlen(plain)) != 0 && *r->formula->unit &&
		*r->formula->unit != '$')
		fprintf(out, "  (%s %s)", plain, r->formula->unit);
	if (*calc_uncovered(r, text, sizeof text))
		fprintf(out, "  %s", text);
	fprintf(out, "\n");
}

static void print_result(const struct calc_result *r, FILE *out)
{
	char text[TEXT_SIZE];

	print_head(r->formula, out);
	fprintf(out, "  %s\n",
		formula_working(r->formula, r->args, ascii_only(), text, sizeof text));
	print_value(r, out);
	print_settings(r, out);
}

static int print_json(cJSON *root, FILE *out)
{
	char *text = root ? cJSON_PrintUnformatted(root) : NULL;
	int rc = text && fprintf(out, "%s\n", text) > 0 ? 0 : -1;

	cJSON_free(text);
	cJSON_Delete(root);
	return rc;
}

static cJSON *param_json(const struct formula_param *p)
{
	cJSON *obj = cJSON_CreateObject();

	cJSON_AddStringToObject(obj, "name", p->name);
	cJSON_AddStringToObject(obj, "symbol", p->symbol);
	cJSON_AddStringToObject(obj, "unit", p->unit);
	cJSON_AddNumberToObject(obj, "min", p->min);
	cJSON_AddNumberToObject(obj, "max", p->max);
	cJSON_AddNumberToObject(obj, "example", p->example);
	return obj;
}

static cJSON *formula_json(const struct formula *f)
{
	cJSON *obj = cJSON_CreateObject(), *list;
	char text[TEXT_SIZE];

	cJSON_AddStringToObject(obj, "formula", f->id);
	cJSON_AddStringToObject(obj, "title", f->title);
	cJSON_AddStringToObject(obj, "unit", f->unit);
	cJSON_AddStringToObject(obj, "number", f->number);
	cJSON_AddStringToObject(obj, "subject", calc_subject(f));
	cJSON_AddStringToObject(obj, "source", f->source);
	cJSON_AddStringToObject(obj, "symbols", formula_symbols(f, false, text, sizeof text));
	list = cJSON_AddArrayToObject(obj, "parameters");
	for (size_t i = 0; i < f->n_params; i++)
		cJSON_AddItemToArray(list, param_json(&f->params[i]));
	return obj;
}

static int list_json(FILE *out)
{
	cJSON *root = cJSON_CreateObject(), *list;

	cJSON_AddNumberToObject(root, "schema", 1);
	list = cJSON_AddArrayToObject(root, "formulas");
	for (size_t i = 0; i < n_formulas; i++)
		cJSON_AddItemToArray(list, formula_json(&formulas[i]));
	return print_json(root, out);
}

static int result_json(const struct calc_result *r, FILE *out)
{
	const struct formula *f = r->formula;
	cJSON *root = cJSON_CreateObject(), *params, *examples;
	char text[TEXT_SIZE];

	cJSON_AddNumberToObject(root, "schema", 1);
	cJSON_AddStringToObject(root, "formula", f->id);
	/* JSON has no infinity. */
	if (isfinite(r->value)) {
		cJSON_AddNumberToObject(root, "value", r->value);
	} else {
		cJSON_AddNullToObject(root, "value");
		cJSON_AddStringToObject(root, "note", number_format(text, sizeof text, r->value));
	}
	if (*calc_uncovered(r, text, sizeof text))
		cJSON_AddStringToObject(root, "warning", text);
	cJSON_AddStringToObject(root, "unit", f->unit);
	cJSON_AddStringToObject(root, "symbols", formula_symbols(f, false, text, sizeof text));
	formula_working(f, r->args, false, text, sizeof text);
	cJSON_AddStringToObject(root, "working", text);
	cJSON_AddStringToObject(root, "title", f->title);
	cJSON_AddStringToObject(root, "source", f->source);
	params = cJSON_AddObjectToObject(root, "parameters");
	examples = cJSON_AddArrayToObject(root, "examples");
	for (size_t i = 0; i < f->n_params; i++) {
		cJSON_AddNumberToObject(params, f->params[i].name, r->args[i]);
		if (r->origins[i] == CALC_EXAMPLE)
			cJSON_AddItemToArray(examples, cJSON_CreateString(f->params[i].name));
	}
	return print_json(root, out);
}

/* `model=./config.json` becomes a row of the tables, under that name. */
static int read_own_model(
	struct tables *t, const struct command_line *line, char *err, size_t err_size)
{
	static const char setting[] = "model=";
	const size_t n = sizeof setting - 1;
	for (size_t i = 0; i < line->n_words; i++) {
		const char *value = line->words[i] + n;
		if (strncmp(line->words[i], setting, n) == 0 && !any_model_find(t, value) &&
			own_config_is_path(value) && own_model_read(t, value, err, err_size))
			return -1;
	}
	return 0;
}

static int evaluate(
	const char *text, const struct command_line *line, bool json, const struct streams *io)
{
	bool needs_tables = strstr(text, "model=") || strstr(text, "gpu=");
	struct tables t = { 0 };
	struct calc_result r;
	char why[ERROR_SIZE];
	int status = STATUS_DONE;

	/* A mistake in the user's own tables is reported, and the others are used all the same. */
	if (needs_tables && tables_load(&t, why, sizeof why))
		fprintf(io->err, "ridge calc: %s\n", why);
	if (read_own_model(&t, line, why, sizeof why) ||
		calc_evaluate(&t, text, &r, why, sizeof why)) {
		status = usage_error(io, COMMAND_CALC, "%s", why);
	} else if (!json) {
		print_result(&r, io->out);
	} else if (result_json(&r, io->out)) {
		status = STATUS_FAILED;
	}
	tables_release(&t);
	return status;
}

/* --- Arithmetic, as on the scratch pad --- */

/* "80 GB / 3.35 TB/s", "sqrt(16)", and no name of a formula: of a word only a function has a parenthesis. */
static bool is_arithmetic(const char *text)
{
	const char *behind = text;
	while (*behind && isalpha((unsigned char)*behind))
		behind++;
	return *text && (behind == text || behind[strspn(behind, " \t")] == '(');
}

/* typed: it may end with a sign that asks for the result. */
static int print_sum(const char *typed, bool json, const struct streams *io)
{
	char text[CALC_MAX_TEXT];
	size_t n = strlen(typed);
	while (n && strchr("= \t", typed[n - 1]))
		n--;
	snprintf(text, sizeof text, "%.*s", (int)n, typed);
	struct scratch_value v;
	char why[ERROR_SIZE], shown[128];
	if (scratch_read(NULL, text, NULL, &v, why, sizeof why))
		return usage_error(io, COMMAND_CALC, "%s", why);
	scratch_write(&v, SCRATCH_DIGITS, shown, sizeof shown);
	if (json) {
		cJSON *root = cJSON_CreateObject();
		cJSON_AddNumberToObject(root, "schema", 1);
		cJSON_AddStringToObject(root, "arithmetic", text);
		cJSON_AddStringToObject(root, "result", shown);
		return print_json(root, io->out) ? STATUS_FAILED : STATUS_DONE;
	}
	fprintf(io->out, "%s = %s%s%s%s\n", text, shown, *scratch_note(&v) ? " (" : "",
		scratch_note(&v), *scratch_note(&v) ? ")" : "");
	return STATUS_DONE;
}

int cmd_calc_explain(const char *formula, const struct streams *io)
{
	char id[CALC_MAX_TEXT], why[ERROR_SIZE];
	/* A word in quotes may hold settings as well. */
	snprintf(id, sizeof id, "%.*s", (int)strcspn(formula, " \t"), formula);
	const struct formula *f = calc_formula(id, why, sizeof why);
	if (!f)
		return usage_error(io, COMMAND_CALC, "%s", why);
	print_head(f, io->out);
	print_params(f, io->out);
	return printed_end(io->out) ? STATUS_FAILED : STATUS_DONE;
}

int cmd_calc(const struct command_line *line, const struct streams *io)
{
	bool json = option_says_yes(line, OPTION_JSON);
	char text[CALC_MAX_TEXT];
	int status = STATUS_DONE;

	if (join_words(line, text))
		return usage_error(io, line->command,
			"the calculation is too long: expected at most %d bytes",
			CALC_MAX_TEXT - 1);
	if (is_arithmetic(text))
		status = print_sum(text, json, io);
	else if (*text)
		status = evaluate(text, line, json, io);
	else if (!json)
		print_list(io->out);
	else if (list_json(io->out))
		status = STATUS_FAILED;
	if (status == STATUS_DONE && printed_end(io->out))
		status = STATUS_FAILED;
	return status;
}
