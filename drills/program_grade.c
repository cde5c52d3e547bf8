/* Cases are compared one after another; the first that fails gives the reason, and where its
 * numbers are those of a known mistake, that mistake's remark. */
#include "drills/program_grade.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rounding may leave this much of a sum that should come to nothing. */
static const double NOTHING = 1e-12;

static bool is_near(double x, double key, const struct question *q)
{
	return fabs(x - key) <= q->tolerance.amount * fabs(key) + NOTHING;
}

static bool is_within(double x, const struct question *q)
{
	return x <= q->key + q->tolerance.amount * fabs(q->key) + NOTHING;
}

/* With as few digits as tell the two numbers apart. */
static void write_pair(double expected, double got, struct program_result *out)
{
	for (int digits = 6; digits <= 17; digits += 11) {
		snprintf(out->expected, sizeof out->expected, "%.*g", digits, expected);
		snprintf(out->got, sizeof out->got, "%.*g", digits, got);
		if (strcmp(out->expected, out->got) != 0)
			return;
	}
}

static const char *find_mistake(const struct question *q, const double numbers[], size_t n)
{
	for (size_t i = 0; i < q->n_mistakes; i++) {
		bool all = n > 0;
		for (size_t k = 0; k < n; k++)
			all = all && is_near(numbers[k], q->mistakes[i].value, q);
		if (all)
			return q->mistakes[i].name;
	}
	return NULL;
}

/* Every number against the key. */
static bool meets_key(const struct question *q, const struct drill_expectation *e,
	const double numbers[], size_t n, struct program_result *out)
{
	for (size_t i = 0; i < n; i++) {
		if (e->at_most ? is_within(numbers[i], q) : is_near(numbers[i], q->key, q))
			continue;
		write_pair(q->key, numbers[i], out);
		if (e->at_most)
			snprintf(out->expected, sizeof out->expected, "at most %.6g", q->key);
		out->mistake = e->at_most ? NULL : find_mistake(q, numbers, n);
		return false;
	}
	if (n > 0)
		return true;
	snprintf(out->expected, sizeof out->expected, "%.6g", q->key);
	snprintf(out->got, sizeof out->got, "nothing");
	return false;
}

/* Every number against that of the model solution. */
static bool meets_model(const struct question *q, const struct program_answer *model,
	const struct program_answer *given, size_t i, struct program_result *out)
{
	size_t n = model->counts[i];
	if (given->counts[i] != n) {
		snprintf(out->expected, sizeof out->expected, "%zu numbers", n);
		snprintf(out->got, sizeof out->got, "%zu", given->counts[i]);
		return false;
	}
	for (size_t k = 0; k < n; k++) {
		char where[64] = "";
		if (is_near(given->numbers[i][k], model->numbers[i][k], q))
			continue;
		write_pair(model->numbers[i][k], given->numbers[i][k], out);
		if (n > 1)
			snprintf(where, sizeof where, " (number %zu of %zu)", k + 1, n);
		strncat(out->got, where, sizeof out->got - strlen(out->got) - 1);
		return false;
	}
	return true;
}

static bool meets_all(const struct variant *v, size_t k, const struct program_answer *model,
	const struct program_answer *given, struct program_result *out)
{
	const struct drill_program *p = v->drill->program;
	for (size_t i = 0; i < p->n_expectations; i++) {
		const struct drill_expectation *e = &p->expectations[i];
		const struct question *q = &v->program->cases[k].questions[i];
		if (e->computed ? meets_key(q, e, given->numbers[i], given->counts[i], out)
				: meets_model(q, model, given, i, out))
			continue;
		out->item = e->name;
		return false;
	}
	return true;
}

/* Why a case has no numbers. */
static void write_reason(const struct program_answers *a, size_t k, struct program_result *out)
{
	const char *reason = a->cases[k].reason;
	if (a->cases[k].answered)
		snprintf(out->got, sizeof out->got, "%s", reason);
	else if (a->end == PROGRAM_OVERTIME)
		snprintf(out->got, sizeof out->got, "it did not come to an end in time");
	else if (a->end == PROGRAM_FLOODED)
		snprintf(out->got, sizeof out->got, "it printed more than is read");
	else if (a->end == PROGRAM_KILLED)
		snprintf(out->got, sizeof out->got, "it crashed (signal %d)", a->signal);
	else
		snprintf(out->got, sizeof out->got, "it ended before this case");
}

void program_compare(const struct variant *v, const struct program_answers *model,
	const struct program_answers *given, struct program_result *out)
{
	size_t n = v->program->n_cases;
	*out = (struct program_result){ .n = n, .failed = n, .loaded = !*given->load_reason };
	snprintf(out->load_reason, sizeof out->load_reason, "%s", given->load_reason);
	for (size_t k = 0; k < n && out->loaded; k++) {
		struct program_result here = { 0 };
		const struct program_answer *a = &given->cases[k];
		bool has_numbers = a->answered && !*a->reason;
		if (has_numbers && meets_all(v, k, &model->cases[k], a, &here)) {
			out->passed++;
			continue;
		}
		if (!has_numbers)
			write_reason(given, k, &here);
		if (out->failed < n)
			continue;
		here.passed = out->passed;
		here.n = n;
		here.loaded = true;
		here.failed = k;
		here.input = v->program->cases[k].shown;
		*out = here;
	}
}

char *program_summary(const struct program_result *r, char *buf, size_t size)
{
	if (r->loaded)
		snprintf(buf, size, "%zu of %zu cases", r->passed, r->n);
	else
		snprintf(buf, size, "does not load");
	return buf;
}

static void write_failure(const struct program_result *r, struct grade *g)
{
	if (r->item)
		snprintf(g->remark, sizeof g->remark, "%.90s: %.60s: expected %s, got %.70s%s%.90s",
			r->input, r->item, r->expected, r->got, r->mistake ? ": " : "",
			r->mistake ? r->mistake : "");
	else
		snprintf(g->remark, sizeof g->remark, "%.90s: %s", r->input, r->got);
	snprintf(g->cause, sizeof g->cause, "%.90s",
		r->mistake ? r->mistake
		: r->item  ? r->item
			   : "the program stops in a case");
}

void program_grade(const struct program_result *r, struct grade *out)
{
	*out = (struct grade){ .verdict = VERDICT_INVALID };
	if (!r->loaded) {
		snprintf(out->remark, sizeof out->remark, "it does not load: %s", r->load_reason);
		return;
	}
	out->attempt_used = true;
	out->credit = (double)r->passed / (double)r->n;
	program_summary(r, out->understood, sizeof out->understood);
	out->verdict = r->failed == r->n ? VERDICT_CORRECT
		       : r->mistake      ? VERDICT_NAMED
					 : VERDICT_WRONG;
	if (r->failed < r->n)
		write_failure(r, out);
}

void program_assess(const struct variant *v, const char *marks, struct grade *out)
{
	size_t lines = v->drill->program->n_check_list, n = 0, right = 0;
	*out = (struct grade){ .verdict = VERDICT_INVALID };
	for (const char *p = marks; *(p += strspn(p, " ,;\t")); p++, n++) {
		if (!strchr("yYnN", *p)) {
			n = lines + 1;
			break;
		}
		right += *p == 'y' || *p == 'Y';
	}
	if (n != lines) {
		snprintf(out->remark, sizeof out->remark,
			"expected y or n for each of the %zu lines: \"y n y ...\"", lines);
		return;
	}
	out->attempt_used = true;
	out->credit = (double)right / (double)lines;
	out->verdict = right == lines ? VERDICT_CORRECT : VERDICT_WRONG;
	snprintf(out->understood, sizeof out->understood, "%zu of %zu lines, by your own judgement",
		right, lines);
	if (right < lines)
		snprintf(out->cause, sizeof out->cause, "the check list");
}
