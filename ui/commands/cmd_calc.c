#include "ui/commands/cmd_calc.h"

#include "sims/base/nearest.h"
#include "sims/quantity/quantity.h"
#include "ui/data/calc.h"
#include "ui/data/tables_load.h"

#include <cjson/cJSON.h>

#include <langinfo.h>
#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 4096, ERROR_SIZE = 512 };
enum { STATUS_DONE, STATUS_FAILED, STATUS_USAGE };

static const char usage[] =
	"usage: ridge calc                                       the formulas\n"
	"       ridge calc FORMULA [name=value ...] [model=ID] [gpu=ID] [--json]\n"
	"       ridge calc FORMULA --help                        its parameters\n"
	"\n"
	"A name is a parameter's name or symbol; a value takes units. model= and gpu= fill the\n"
	"parameters that they know; what nobody gives stays at the example, and is marked.\n"
	"\n"
	"  ridge calc kv_cache_bytes model=llama3-70b tokens=8192\n"
	"  ridge calc ring_allreduce_time bytes=14GB gpus=8 link_bandwidth=300GB/s latency=5us\n"
	"  ridge calc spec_decode_speedup a=0.8 k=5 draft_time=2ms target_time=30ms\n"
	"\n"
	"--json   "
	"{\"schema\":1,\"formula\":..,\"value\":..,\"unit\":..,\"symbols\":..,\"working\":..}\n"
	"         in base units (B, s, FLOP); value is null where it is infinite\n";

struct options {
	bool json, help;
	char text[CALC_MAX_TEXT]; /* the words that are no options, as calc_evaluate reads them */
};

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

static int read_options(int argc, char **argv, struct options *o, FILE *err)
{
	static const char *const names[] = { "--json", "--help" };

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0) {
			o->json = true;
		} else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			o->help = true;
		} else if (argv[i][0] == '-') {
			const char *near = nearest_name(argv[i], names, 2);
			fprintf(err, "ridge calc: unknown option \"%s\": %s%s%s\n", argv[i],
				near ? "did you mean " : "expected --json or --help",
				near ? near : "", near ? "?" : "");
			return -1;
		} else if (!add_word(o->text, sizeof o->text, argv[i])) {
			fprintf(err, "ridge calc: the calculation is too long: at most %d bytes\n",
				CALC_MAX_TEXT - 1);
			return -1;
		}
	}
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
}

/* The result at human scale and, where that hides digits, in the base unit. */
static void print_value(const struct calc_result *r, FILE *out)
{
	char scaled[96], plain[64];

	quantity_format(scaled, sizeof scaled, r->value, r->formula->unit);
	number_format(plain, sizeof plain, r->value);
	fprintf(out, "\n  %s", scaled);
	if (isfinite(r->value) && strncmp(scaled, plain, strlen(plain)) != 0 && *r->formula->unit &&
		*r->formula->unit != '$')
		fprintf(out, "  (%s %s)", plain, r->formula->unit);
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

static int evaluate(const struct options *o, FILE *out, FILE *err)
{
	bool needs_tables = strstr(o->text, "model=") || strstr(o->text, "gpu=");
	struct tables t = { 0 };
	struct calc_result r;
	char why[ERROR_SIZE];
	int status = STATUS_DONE;

	/* A slip in the user's own tables is told and does not keep the others from use. */
	if (needs_tables && tables_load(&t, why, sizeof why))
		fprintf(err, "ridge calc: %s\n", why);
	if (calc_evaluate(&t, o->text, &r, why, sizeof why)) {
		fprintf(err, "ridge calc: %s\n", why);
		status = STATUS_USAGE;
	} else if (!o->json) {
		print_result(&r, out);
	} else if (result_json(&r, out)) {
		status = STATUS_FAILED;
	}
	tables_release(&t);
	return status;
}

/* The formula that "ridge calc FORMULA --help" is about, without settings. */
static int explain(const char *text, FILE *out, FILE *err)
{
	char id[CALC_MAX_TEXT], why[ERROR_SIZE];
	const struct formula *f;

	snprintf(id, sizeof id, "%.*s", (int)strcspn(text, " \t"), text);
	if (!*id) {
		fputs(usage, out);
		return STATUS_DONE;
	}
	f = calc_formula(id, why, sizeof why);
	if (!f) {
		fprintf(err, "ridge calc: %s\n", why);
		return STATUS_USAGE;
	}
	print_head(f, out);
	print_params(f, out);
	return STATUS_DONE;
}

int cmd_calc(int argc, char **argv, FILE *out, FILE *err)
{
	struct options o = { 0 };
	int status = STATUS_DONE;

	if (read_options(argc, argv, &o, err))
		return STATUS_USAGE;
	if (o.help)
		status = explain(o.text, out, err);
	else if (*o.text)
		status = evaluate(&o, out, err);
	else if (!o.json)
		print_list(out);
	else if (list_json(out))
		status = STATUS_FAILED;
	if (status == STATUS_DONE && (fflush(out) || ferror(out)))
		status = STATUS_FAILED;
	return status;
}
