/* The two sides of what is said between ridge and the process that runs a program: the text of the
 * check that goes in, and what comes out, read back. */
#include "drills/program.h"

#include "sims/base/utf8.h"
#include "drills/json_line.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The check. */

/* All that is imported is at hand before the candidate's program runs. That program may change what
 * it likes in this process: what is compared is elsewhere. */
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

/* A finite number as Python and C read it. Where `whole` is set, a whole number gets no point or
 * exponent, so that Python takes it for an int: it counts things. */
static const char *literal(double x, bool whole, struct arena *a)
{
	return whole && x == floor(x) && fabs(x) < 1e15 ? arena_printf(a, "%.0f", x)
							: arena_printf(a, "%.17g", x);
}

/* The inputs of a case as the language wants them: "name": value, ... for a dict of Python, and the
 * values alone for a struct of C. */
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
	assert(v->program && strlen(nonce) < NONCE_SIZE);
	return v->drill->program->language == LANGUAGE_C ? c_check(v->program, nonce, a)
							 : python_check(v->program, nonce, a);
}

/* ---- What it printed. */

/* What is left of a line that is being read; it need not be terminated. */
struct output_reader {
	const char *at, *end;
};

char *program_printable(const char *text, size_t bytes, bool lines, char *buf, size_t size)
{
	size_t n = 0;
	for (size_t i = 0; i < bytes && n + 5 <= size;) {
		char character[5] = "";
		memcpy(character, text + i, bytes - i < 4 ? bytes - i : 4);
		int length = utf8_char_bytes(character);
		unsigned char c = (unsigned char)text[i];
		/* U+0080 to U+009F are controls too. */
		bool control = length == 0 || c < 0x20 || c == 0x7f ||
			       (length == 2 && c == 0xc2 && (unsigned char)text[i + 1] < 0xa0);
		size_t step = length > 0 ? (size_t)length : 1;
		if (!control) {
			memcpy(buf + n, text + i, step);
			n += step;
		} else if (lines && c == '\n') {
			buf[n++] = '\n';
		} else {
			buf[n++] = c == '\t' || c == '\n' ? ' ' : '?';
		}
		i += step;
	}
	buf[n] = '\0';
	return buf;
}

static bool take(struct output_reader *r, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
		return false;
	r->at += n;
	return true;
}

/* "3" of "case 3 ", below n. */
static bool take_index(struct output_reader *r, size_t n, size_t *out)
{
	const char *from = r->at;
	*out = 0;
	for (; r->at < r->end && isdigit((unsigned char)*r->at) && r->at - from < 4; r->at++)
		*out = 10 * *out + (size_t)(*r->at - '0');
	return r->at > from && *out < n;
}

/* As repr() and %.17g write it; "nan" and "inf" too. */
static bool take_number(struct output_reader *r, double *out)
{
	char text[40], *end;
	size_t n = 0;
	while (r->at + n < r->end && n < sizeof text - 1 && !strchr(",; ", r->at[n]))
		n++;
	memcpy(text, r->at, n);
	text[n] = '\0';
	*out = strtod(text, &end);
	r->at += n;
	return n > 0 && !*end && strspn(text, "+-.0123456789eEnaif") == n;
}

static size_t count_numbers(const struct output_reader *r)
{
	size_t n = r->at < r->end && *r->at != ';';
	for (const char *p = r->at; p < r->end && *p != ';'; p++)
		n += *p == ',';
	return n;
}

/* The numbers of all expectations. False: this is not a line of a check. */
static bool take_numbers(
	struct output_reader *r, size_t n_expectations, struct arena *a, struct program_answer *out)
{
	for (size_t i = 0; i < n_expectations; i++) {
		if (i > 0 && !take(r, ";"))
			return false;
		size_t n = count_numbers(r);
		double *numbers = n <= MOST_NUMBERS ? arena_array(a, n, sizeof *numbers) : NULL;
		if (!numbers)
			return false;
		for (size_t k = 0; k < n; k++)
			if ((k > 0 && !take(r, ",")) || !take_number(r, &numbers[k]))
				return false;
		out->numbers[i] = numbers;
		out->counts[i] = n;
	}
	return r->at == r->end;
}

static void read_case(const struct variant *v, struct output_reader *r, struct program_answers *out)
{
	size_t k;
	if (!take_index(r, v->program->n_cases, &k) || !take(r, " "))
		return;
	struct program_answer *c = &out->cases[k];
	if (c->answered) {
		*c = (struct program_answer){ .answered = true };
		snprintf(c->reason, sizeof c->reason, "it was answered twice");
		return;
	}
	c->answered = true;
	if (take(r, "! "))
		program_printable(
			r->at, (size_t)(r->end - r->at), false, c->reason, sizeof c->reason);
	else if (!take_numbers(r, v->drill->program->n_expectations, &out->arena, c))
		snprintf(c->reason, sizeof c->reason, "what it returned cannot be read");
}

static void read_line(const struct variant *v, struct output_reader *r, struct program_answers *out)
{
	if (take(r, " case "))
		read_case(v, r, out);
	else if (take(r, " load ! "))
		program_printable(r->at, (size_t)(r->end - r->at), false, out->load_reason,
			sizeof out->load_reason);
}

void program_read(const struct variant *v, const char *nonce, const char *output, size_t bytes,
	struct program_answers *out)
{
	assert(v->program && v->program->n_cases <= MOST_CASES);
	*out = (struct program_answers){ 0 };
	for (const char *p = output, *end = output + bytes; p < end;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		struct output_reader r = { p, newline ? newline : end };
		/* A line without its end was cut. */
		if (newline && take(&r, nonce))
			read_line(v, &r, out);
		p = newline ? newline + 1 : end;
	}
}

void program_answers_release(struct program_answers *a)
{
	arena_release(&a->arena);
	*a = (struct program_answers){ 0 };
}
