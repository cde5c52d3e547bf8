/* ridge validate on the command line: text, JSON by its contract, files that are not tables. */
#include "sims/comparisons/comparisons.h"
#include "tests/said.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

/* The words, with a file on the input, which "-" reads. */
static struct said say(const char *line, const char *file)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	return said_at(0, line, file);
}

static cJSON *json_of(const char *line, const char *file)
{
	struct said s = say(line, file);
	cr_assert(zero(int, s.status), "%s: %s", line, s.err);
	cJSON *obj = cJSON_ParseWithOpts(s.out, NULL, true);
	cr_assert(ne(ptr, obj, NULL), "%s", s.out);
	forget(&s);
	return obj;
}

static double number(const cJSON *obj, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(obj, name);
	cr_assert(item != NULL, "%s", name);
	return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* Errors 0 and -0.2 (tests/test_validate.c): median 0.1, P90 0.18, bias -0.1. */
#define SWEEP "num_workers,avg_time\n0,10\n1,8\n2,5\n4,x\n"

Test(validate_command, json_contract)
{
	cJSON *obj = json_of("validate loader - --json", SWEEP "4,2\n");
	cr_expect(eq(dbl, number(obj, "schema"), 1));
	cr_expect(eq(str, cJSON_GetObjectItemCaseSensitive(obj, "model")->valuestring,
		(char *)"loader"));
	cr_expect(eq(dbl, number(obj, "rows"), 3));
	cr_expect(eq(dbl, number(obj, "skipped"), 2));
	cr_expect(eq(dbl, number(obj, "read"), 5));
	/* 0, -0.2, 0 */
	cr_expect(epsilon_eq(dbl, number(obj, "median_error"), 0, 1e-12));
	cr_expect(epsilon_eq(dbl, number(obj, "p90_error"), 0.16, 1e-12));
	cr_expect(epsilon_eq(dbl, number(obj, "bias"), 0, 1e-12));
	const cJSON *left = cJSON_GetObjectItemCaseSensitive(obj, "left_out");
	cr_assert(eq(int, cJSON_GetArraySize(left), 2));
	cr_expect(eq(str,
		cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(left, 0), "reason")
			->valuestring,
		(char *)"avg_time: expected a number, found \"x\""));
	cr_expect(eq(dbl, number(cJSON_GetArrayItem(left, 0), "first_line"), 5));
	cr_expect(cJSON_GetObjectItemCaseSensitive(obj, "blocks") == NULL);
	cJSON_Delete(obj);
}

Test(validate_command, nothing_compared_is_null)
{
	cJSON *obj = json_of("validate gemm - --json", "gpu,dtype,m,n,k,time_us\nx,y,1,1,1,1\n");
	cr_expect(eq(dbl, number(obj, "rows"), 0));
	cr_expect(eq(dbl, number(obj, "skipped"), 1));
	static const char *const errors[] = { "median_error", "p90_error", "bias" };
	for (size_t i = 0; i < COUNT(errors); i++)
		cr_expect(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(obj, errors[i])));
	cJSON_Delete(obj);
}

/* Two GPUs stand in a row of this table of the user's own; a cell may be empty. */
Test(validate_command, peaks_of_long_sequences_are_read)
{
	cJSON *obj = json_of("validate memory - --json",
		"seq_len,h200_peak_GiB,b200_peak_GiB\n8192,16.3,16.3\n16384,,17\n32768,,\n");
	cr_expect(eq(dbl, number(obj, "read"), 3));
	cr_expect(eq(dbl, number(obj, "rows"), 2));
	cr_expect(isfinite(number(obj, "median_error")));
	cJSON_Delete(obj);
}

Test(validate_command, plot_is_a_block_and_a_picture)
{
	cJSON *obj = json_of("validate loader - --json --plot", SWEEP);
	const cJSON *blocks = cJSON_GetObjectItemCaseSensitive(obj, "blocks");
	const cJSON *first = cJSON_GetArrayItem(blocks, 0);
	cr_expect(eq(
		str, cJSON_GetObjectItemCaseSensitive(first, "kind")->valuestring, (char *)"plot"));
	cJSON_Delete(obj);
	struct said s = say("validate loader - --plot --size 80x0", SWEEP);
	cr_expect(eq(int, s.status, 2));
	forget(&s);
	s = say("validate loader - --plot", SWEEP);
	cr_expect(strstr(s.out, "Predicted against measured") != NULL);
	cr_expect(strstr(s.out, "median error") != NULL);
	cr_expect(strchr(s.out, '\033') == NULL);
	forget(&s);
}

Test(validate_command, all_models_in_one_object)
{
	cJSON *obj = json_of("validate --json", "\n");
	const cJSON *models = cJSON_GetObjectItemCaseSensitive(obj, "models"), *m;
	int n = 0;
	cJSON_ArrayForEach(m, models)
	{
		n++;
		cr_expect(isfinite(number(m, "median_error")));
		cr_expect(isfinite(number(m, "p90_error")));
		cr_expect(isfinite(number(m, "bias")));
	}
	/* All but that of the loader, whose table may not travel with ridge. */
	cr_expect(eq(int, n, (int)n_measured_models - 1));
	cJSON_Delete(obj);
}

/* What a table must have, and may have, is read off the command itself. */
Test(validate_command, a_model_lists_its_columns)
{
	struct said s = say("validate memory --help", "\n");
	cr_expect(zero(int, s.status));
	cr_expect(strstr(s.out, "  model n_gpus gbs mbs seq tp pp [vp] [cp] [fsdp] [recompute] "
				"peak_memory_GiB\n") != NULL,
		"%s", s.out);
	cr_expect(strstr(s.out, "activation_ckpt [mbs] [vp]\n") != NULL);
	forget(&s);
	s = say("validate memry --help", "\n");
	cr_expect(eq(int, s.status, 2));
	cr_expect(strstr(s.err, "did you mean \"memory\"?") != NULL, "%s", s.err);
	forget(&s);
}

Test(validate_command, refuses_in_one_line)
{
	static const struct {
		const char *line, *file;
		int status;
		const char *err;
	} rows[] = {
		{ "validate gem", "\n", 2, "did you mean \"gemm\"?" },
		{ "validate qqqqqqqq", "\n", 2, "ridge validate lists them" },
		{ "validate gemm - x", "\n", 2, "one word more" },
		{ "validate --jsn", "\n", 2, "did you mean \"--json\"?" },
		{ "validate loader", "\n", 2, "give a FILE.csv" },
		{ "validate gemm /nonexistent/f.csv", "\n", 1, "No such file" },
		{ "validate gemm /", "\n", 1, "directory" },
		{ "validate gemm -", "\n", 1, "expected the names of columns" },
		{ "validate gemm -", "gpu,dtype,m,n,k,time_ms\n", 1,
			"expected a column time_us, found \"time_ms\"" },
		{ "validate gemm -", "gpu,dtype,m,n,k,time_us\n", 1, "expected rows" },
		{ "validate memory -", "seq_len,h200_peak_GiB,b200_peak_GB\n1,1,1\n", 1,
			"expected a column b200_peak_GiB, found \"b200_peak_GB\"" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct said s = say(rows[i].line, rows[i].file);
		cr_expect(eq(int, s.status, rows[i].status), "%s", rows[i].line);
		cr_expect(strstr(s.err, rows[i].err) != NULL, "%s: %s", rows[i].line, s.err);
		cr_expect(strncmp(s.err, "ridge validate: ", 16) == 0, "%s", s.err);
		cr_expect(eq(sz, strcspn(s.err, "\n") + 1, strlen(s.err)), "%s", s.err);
		cr_expect(eq(str, s.out, (char *)""));
		forget(&s);
	}
}

/* One notice for each folder of data and for the libraries. */
Test(validate_command, notices_are_printed)
{
	static const char *const holds[] = { "MIT licence, Copyright (c) 2026 The ridge authors",
		"measured\n", "traces\n", "digits\n", "libraries\n", "aiconfigurator", "torchtitan",
		"ISCA 2024", "cJSON", "ncurses", "libcmark" };
	struct said s = say("info --licences", "\n");
	cr_expect(zero(int, s.status));
	for (size_t i = 0; i < COUNT(holds); i++)
		cr_expect(strstr(s.out, holds[i]) != NULL, "%s", holds[i]);
	forget(&s);
}
