/* The text of a check: what calls a candidate's program. */
#include "drills/program.h"

#include <math.h>
#include <string.h>

/* What is imported is at hand before the candidate's program runs; the latter may change what it
 * likes in this process, but not what is compared. */
static const char python_end[] =
	"\n"
	"\n"
	"def _ridge(nonce, cases, check):\n"
	"    import os\n"
	"    import types\n"
	"\n"
	"    write = os.write\n"
	"\n"
	"    def say(text):\n"
	"        data = ('\\n' + nonce + ' ' + text + '\\n').encode('utf-8', 'replace')\n"
	"        while data:\n"
	"            data = data[write(1, data):]\n"
	"\n"
	"    def why(error):\n"
	"        line = getattr(error, 'lineno', None)\n"
	"        trace = error.__traceback__\n"
	"        while trace:\n"
	"            if trace.tb_frame.f_code.co_filename == 'solution.py':\n"
	"                line = trace.tb_lineno\n"
	"            trace = trace.tb_next\n"
	"        try:\n"
	"            text = ' '.join(str(error).split())[:120]\n"
	"        except BaseException:\n"
	"            text = ''\n"
	"        return ('! ' + ('line %d: ' % line if line else '') + type(error).__name__ +\n"
	"                (': ' + text if text else ''))\n"
	"\n"
	"    def numbers(item):\n"
	"        item = list(item) if isinstance(item, (list, tuple)) else [item]\n"
	"        return ','.join(repr(float(x)) for x in item)\n"
	"\n"
	"    module = types.ModuleType('solution')\n"
	"    try:\n"
	"        with open('solution.py', encoding='utf-8') as file:\n"
	"            code = compile(file.read(), 'solution.py', 'exec')\n"
	"        exec(code, module.__dict__)\n"
	"    except BaseException as error:\n"
	"        say('load ' + why(error))\n"
	"        return\n"
	"    for k, case in enumerate(cases):\n"
	"        try:\n"
	"            text = ';'.join([numbers(item) for item in check(module, case)])\n"
	"        except BaseException as error:\n"
	"            text = why(error)\n"
	"        say('case %d ' % k + text)\n"
	"\n"
	"\n";

static const char c_begin[] =
	"#include <math.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#include <unistd.h>\n"
	"\n"
	"static char ridge_line[1 << 16];\n"
	"static size_t ridge_used;\n"
	"static int ridge_first;\n"
	"\n"
	"static void put(double x)\n"
	"{\n"
	"\tif (ridge_used + 40 < sizeof ridge_line)\n"
	"\t\tridge_used += (size_t)snprintf(ridge_line + ridge_used, 40, \"%s%.17g\",\n"
	"\t\t\tridge_first ? \"\" : \",\", x);\n"
	"\tridge_first = 0;\n"
	"}\n"
	"\n"
	"static void next(void)\n"
	"{\n"
	"\tif (ridge_used + 2 < sizeof ridge_line)\n"
	"\t\tridge_line[ridge_used++] = ';';\n"
	"\tridge_first = 1;\n"
	"}\n"
	"\n";

static const char c_end[] =
	"\n"
	"int main(void)\n"
	"{\n"
	"\tfor (size_t k = 0; k < sizeof ridge_cases / sizeof *ridge_cases; k++) {\n"
	"\t\tridge_used = (size_t)snprintf(ridge_line, sizeof ridge_line, \"\\n%s case %zu \",\n"
	"\t\t\tridge_nonce, k);\n"
	"\t\tridge_first = 1;\n"
	"\t\tcheck(&ridge_cases[k]);\n"
	"\t\tridge_line[ridge_used++] = '\\n';\n"
	"\t\tif (write(1, ridge_line, ridge_used) != (ssize_t)ridge_used)\n"
	"\t\t\treturn 1;\n"
	"\t}\n"
	"\treturn 0;\n"
	"}\n";

/* Whole numbers as such: they count things. Not finite ones do not occur. */
static const char *literal(double x, bool whole, struct arena *a)
{
	return whole && x == floor(x) && fabs(x) < 1e15 ? arena_printf(a, "%.0f", x)
							: arena_printf(a, "%.17g", x);
}

/* "a, b, c" of the inputs of a case, each by the format of a language. */
static const char *python_case(const struct variant_case *c, struct arena *a)
{
	const char *text = "";
	for (size_t i = 0; i < c->n_inputs; i++)
		text = arena_printf(a, "%s%s\"%s\": %s", text, i ? ", " : "", c->inputs[i].name,
			literal(c->inputs[i].value, true, a));
	return text;
}

static const char *c_case(const struct variant_case *c, struct arena *a)
{
	const char *text = "";
	for (size_t i = 0; i < c->n_inputs; i++)
		text = arena_printf(
			a, "%s%s%s", text, i ? ", " : "", literal(c->inputs[i].value, false, a));
	return text;
}

static const char *python_check(const struct variant_program *p, const char *nonce, struct arena *a)
{
	const char *cases = "";
	for (size_t k = 0; k < p->n_cases; k++)
		cases = arena_printf(a, "%s    {%s},\n", cases, python_case(&p->cases[k], a));
	return arena_printf(
		a, "%s%s_ridge(\"%s\", [\n%s], check)\n", p->checks, python_end, nonce, cases);
}

static const char *c_check(const struct variant_program *p, const char *nonce, struct arena *a)
{
	const char *members = "", *cases = "";
	for (size_t i = 0; i < p->cases[0].n_inputs; i++)
		members = arena_printf(a, "%s\tdouble %s;\n", members, p->cases[0].inputs[i].name);
	for (size_t k = 0; k < p->n_cases; k++)
		cases = arena_printf(a, "%s\t{ %s },\n", cases, c_case(&p->cases[k], a));
	return arena_printf(a,
		"%sstruct ridge_case {\n%s};\nstatic const struct ridge_case ridge_cases[] = "
		"{\n%s};\n"
		"static const char ridge_nonce[] = \"%s\";\n\n%s%s",
		c_begin, members, cases, nonce, p->checks, c_end);
}

const char *program_check_text(const struct variant *v, const char *nonce, struct arena *a)
{
	return v->drill->program->language == LANGUAGE_C ? c_check(v->program, nonce, a)
							 : python_check(v->program, nonce, a);
}
