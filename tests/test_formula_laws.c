/* Laws that hold for every row of the formula sheet, and the text that people read. */
#include "sims/formulas/formula.h"
#include "sims/formulas/formula_text.h"
#include "sims/quantity/quantity.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = 16, TEXT_SIZE = 4096 };

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* cr_expect pastes its first token, which therefore has to be a name. */
#define LAW(condition, ...)                                                                        \
	do {                                                                                       \
		bool holds = (condition);                                                          \
		cr_expect(holds, __VA_ARGS__);                                                     \
	} while (0)

static void examples(const struct formula *f, double args[])
{
	for (size_t i = 0; i < f->n_params; i++)
		args[i] = f->params[i].example;
}

/* "name=value name=value" into args; false where the row has no such name or the value is outside
 * of its domain. */
static bool apply(const struct formula *f, const char *settings, double args[])
{
	while (*settings) {
		char name[64];
		size_t n = strcspn(settings, "=");
		char *end;
		snprintf(name, sizeof name, "%.*s", (int)n, settings);
		int i = formula_param_index(f, name);
		if (i < 0)
			return false;
		args[i] = strtod(settings + n + 1, &end);
		if (!(args[i] >= f->params[i].min && args[i] <= f->params[i].max))
			return false;
		settings = end + strspn(end, " ");
	}
	return true;
}

Test(formulas, ids_are_unique_and_fields_are_filled)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		LAW(formula_find(f->id) == f, "%s is there twice", f->id);
		LAW(*f->title && *f->source && *f->expression, "%s", f->id);
		LAW(f->number[0] == 'F' && isdigit((unsigned char)f->number[1]), "%s", f->id);
		LAW(f->n_params > 0 && f->n_params <= MAX_PARAMS, "%s", f->id);
		if (i)
			LAW(atoi(f->number + 1) >= atoi(f[-1].number + 1), "%s is out of order",
				f->id);
	}
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = text; (s = strstr(s, word)); s++) {
		bool begins = s == text || (!isalnum((unsigned char)s[-1]) && s[-1] != '_');
		bool ends = !isalnum((unsigned char)s[n]) && s[n] != '_';
		if (begins && ends)
			return true;
	}
	return false;
}

Test(formulas, parameters_are_used_and_told_apart)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		for (size_t j = 0; j < f->n_params; j++) {
			const struct formula_param *p = &f->params[j];
			LAW(has_word(f->expression, p->name), "%s: %s", f->id, p->name);
			LAW(*p->symbol, "%s: %s", f->id, p->name);
			for (size_t k = 0; k < f->n_params; k++) {
				const struct formula_param *q = &f->params[k];
				LAW(k == j || (strcmp(p->symbol, q->symbol) != 0 &&
						      strcmp(p->symbol, q->name) != 0 &&
						      strcmp(p->name, q->name) != 0),
					"%s: %s", f->id, p->symbol);
			}
		}
	}
}

Test(formulas, units_can_be_read)
{
	struct unit u;

	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		LAW(!*f->unit || unit_parse(f->unit, &u), "%s: %s", f->id, f->unit);
		for (size_t j = 0; j < f->n_params; j++)
			LAW(!*f->params[j].unit || unit_parse(f->params[j].unit, &u), "%s: %s",
				f->id, f->params[j].unit);
	}
}

Test(formulas, examples_are_in_the_domain_and_finite)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		double args[MAX_PARAMS];
		examples(f, args);
		for (size_t j = 0; j < f->n_params; j++) {
			const struct formula_param *p = &f->params[j];
			LAW(p->min < p->max && p->example >= p->min && p->example <= p->max,
				"%s: %s", f->id, p->name);
		}
		LAW(isfinite(f->call(args)), "%s", f->id);
	}
}

/* A number or infinity wherever any two parameters are at an end of their domains, and at all. */
Test(formulas, the_ends_of_every_domain_give_a_number)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		double args[MAX_PARAMS];
		for (size_t j = 0; j < f->n_params; j++)
			for (size_t k = 0; k < f->n_params; k++)
				for (int ends = 0; ends < 4; ends++) {
					examples(f, args);
					args[j] = ends & 1 ? f->params[j].max : f->params[j].min;
					args[k] = ends & 2 ? f->params[k].max : f->params[k].min;
					LAW(!isnan(f->call(args)), "%s: %s=%g %s=%g", f->id,
						f->params[j].name, args[j], f->params[k].name,
						args[k]);
				}
		for (size_t j = 0; j < f->n_params; j++)
			args[j] = f->params[j].min;
		LAW(!isnan(f->call(args)), "%s at all minima", f->id);
		for (size_t j = 0; j < f->n_params; j++)
			args[j] = f->params[j].max;
		LAW(!isnan(f->call(args)), "%s at all maxima", f->id);
	}
}

/* Text for people. */

Test(formulas, symbols_and_working)
{
	static const struct {
		const char *id, *settings, *symbols, *working;
	} rows[] = {
		{ "kv_cache_bytes", "",
			"2 × layers × kv_heads × head_dim × tokens × bytes_per_value",
			"2 × 32 layers × 32 KV heads × 128 head dim × 8,192 tokens × 2 B = 4.29 "
			"GB" },
		{ "mm1_sojourn_mean", "",
			"if utilisation < 1: service_time / (1 - utilisation), else infinite",
			"1 s / (1 - 0.75) = 4 s" },
		{ "mm1_sojourn_mean", "utilisation=1",
			"if utilisation < 1: service_time / (1 - utilisation), else infinite",
			"since utilisation is not below 1: infinite" },
		{ "young_interval", "", "√(2 × checkpoint_time × mtbf)",
			"√(2 × 60 s × 24 h) = 3,220 s" },
		{ "workers_needed", "", "⌈prep_time / step_time⌉", "⌈400 ms / 100 ms⌉ = 4" },
		{ "attainable_flops", "intensity=100", "min(peak_flops, intensity × bandwidth)",
			"min(312 TFLOP/s, 100 FLOP/B × 2 TB/s) = 200 TFLOP/s" },
		{ "quant_scale", "", "max_abs / (2^(bits - 1) - 1)",
			"3.8 / (2^(8 - 1) - 1) = 0.02992" },
		{ "awq_scale", "", "mean_activation^exponent", "16^0.5 = 4" },
		{ "gptq_update", "", "weight - column_error × coefficient",
			"0.3 - (-0.2) × 0.1 = 0.32" },
		{ "spec_decode_tokens", "acceptance=1",
			"if acceptance < 1: (1 - acceptance^(draft_tokens + 1)) / (1 - "
			"acceptance), else draft_tokens + 1",
			"5 tokens + 1 = 6 tokens" },
		/* What is nothing here is not said, and a single number needs no brackets. */
		{ "mm1_sojourn_mean", "utilisation=0",
			"if utilisation < 1: service_time / (1 - utilisation), else infinite",
			"1 s / 1 = 1 s" },
		{ "time_to_first_token", "",
			"queue_time + (2 × params × seq + 2 × seq × (seq + 2 × cached_tokens) × "
			"layers × heads × head_dim) / (peak_flops × utilisation)",
			"(2 × 7 billion params × 2,048 tokens + 2 × 2,048 tokens × 2,048 tokens × "
			"32 layers × 32 heads × 128 head dim) / (312 TFLOP/s × 0.5) = 191 ms" },
		{ "time_to_first_token", "cached_tokens=1000 queue_time=1",
			"queue_time + (2 × params × seq + 2 × seq × (seq + 2 × cached_tokens) × "
			"layers × heads × head_dim) / (peak_flops × utilisation)",
			"1 s + (2 × 7 billion params × 2,048 tokens + 2 × 2,048 tokens × (2,048 "
			"tokens + 2 × 1,000 tokens) × 32 layers × 32 heads × 128 head dim) / (312 "
			"TFLOP/s × 0.5) = 1.2 s" },
		{ "hierarchical_allreduce_time", "nodes=1 nics=1",
			"2 × (gpus_per_node - 1) × (latency + bytes / (gpus_per_node × "
			"link_bandwidth)) + 2 × (nodes - 1) × (nic_latency + bytes / (nodes × nics "
			"× nic_bandwidth))",
			"2 × (8 GPUs - 1) × (5 us + 14 GB / (8 GPUs × 232 GB/s)) + 2 × (1 node - "
			"1) × (5 us + 14 GB / (1 node × 1 nic × 25 GB/s)) = 106 ms" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct formula *f = formula_find(rows[i].id);
		double args[MAX_PARAMS];
		char text[TEXT_SIZE];
		examples(f, args);
		LAW(apply(f, rows[i].settings, args), "%s", rows[i].settings);
		cr_expect_str_eq(formula_symbols(f, false, text, sizeof text), rows[i].symbols);
		cr_expect_str_eq(
			formula_working(f, args, false, text, sizeof text), rows[i].working);
	}
}

Test(formulas, ascii_text)
{
	char text[TEXT_SIZE];
	const struct formula *f = formula_find("capacity_gpus");
	double args[MAX_PARAMS];

	cr_expect_str_eq(formula_symbols(formula_find("young_interval"), true, text, sizeof text),
		"sqrt(2 x checkpoint_time x mtbf)");
	examples(f, args);
	cr_expect_str_eq(formula_working(f, args, true, text, sizeof text),
		"ceil((7 billion params x 0.5 B + 1,000 users x 1,000 tokens x 2 x 32 layers x 32 "
		"KV heads x 128 head dim x 2 B x (1 + 0.04)) / (80 GB x 0.8)) = 9 GPUs");
	for (size_t i = 0; i < n_formulas; i++) {
		examples(&formulas[i], args);
		formula_working(&formulas[i], args, true, text, sizeof text);
		for (const char *s = text; *s; s++)
			LAW(isprint((unsigned char)*s), "%s: %s", formulas[i].id, text);
	}
}

/* Nothing of C is left over: names are substituted, conditions decided, brackets closed, and the
 * last words are the value. */
Test(formulas, every_working_is_complete)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		char symbols[TEXT_SIZE], working[TEXT_SIZE], value[96];
		double args[MAX_PARAMS];
		int depth = 0;
		examples(f, args);
		formula_symbols(f, false, symbols, sizeof symbols);
		formula_working(f, args, false, working, sizeof working);
		if (*f->unit)
			quantity_format(value, sizeof value, f->call(args), f->unit);
		else
			number_format(value, sizeof value, f->call(args));
		size_t n = strlen(working), m = strlen(value);
		LAW(*symbols && n > m + 3, "%s", f->id);
		cr_expect_str_eq(working + n - m, value);
		LAW(strncmp(working + n - m - 3, " = ", 3) == 0, "%s: %s", f->id, working);
		LAW(!strpbrk(symbols, "?*") && !strpbrk(working, "?*_"), "%s: %s", f->id, working);
		LAW(!has_word(working, "if") && !has_word(working, "pow"), "%s", f->id);
		LAW(!has_word(symbols, "fmax") && !has_word(symbols, "INFINITY"), "%s", f->id);
		for (const char *s = working; *s; s++)
			LAW((depth += (*s == '(') - (*s == ')')) >= 0, "%s", f->id);
		LAW(depth == 0, "%s: %s", f->id, working);
	}
}

/* Whatever the size, what is written is a beginning of the whole text, ended, and no more. */
static void expect_bounded(const struct formula *f, const double args[], const char *full)
{
	enum { GUARD = 0x5a };
	char small[TEXT_SIZE + 1];

	for (size_t size = 0; size <= strlen(full) + 1; size++) {
		memset(small, GUARD, sizeof small);
		if (args)
			formula_working(f, args, false, small, size);
		else
			formula_symbols(f, false, small, size);
		LAW(small[size] == GUARD, "%s: size %zu", f->id, size);
		if (!size)
			continue;
		size_t n = strlen(small);
		LAW(n < size && strncmp(small, full, n) == 0, "%s: size %zu", f->id, size);
		LAW(((unsigned char)full[n] & 0xc0) != 0x80, "%s: cut a character at %zu", f->id,
			size);
	}
}

Test(formulas, small_buffers)
{
	static const char *const ids[] = { "kv_cache_bytes", "workers_needed", "young_interval",
		"spec_decode_speedup" };

	for (size_t i = 0; i < COUNT(ids); i++) {
		const struct formula *f = formula_find(ids[i]);
		char full[TEXT_SIZE];
		double args[MAX_PARAMS];
		examples(f, args);
		formula_symbols(f, false, full, sizeof full);
		expect_bounded(f, NULL, full);
		formula_working(f, args, false, full, sizeof full);
		expect_bounded(f, args, full);
	}
}
