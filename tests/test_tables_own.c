/* Traces, and what a user adds. */
#include "ui/data/tables_load.h"
#include "sims/tables/trace.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char own_hardware[] =
	"{\"sources\": {\"me\": {\"title\": \"t\", \"address\": \"a\"}}, \"accelerators\": "
	"[{\"id\": \"a100\", \"name\": \"Mine\", \"family\": \"ampere\", \"bf16\": [280, "
	"\"TFLOP/s\", \"me\"], \"memory\": [80, \"GiB\", \"me\"], \"bandwidth\": [1.5, \"TB/s\", "
	"\"me\"], \"link\": [200, \"Gb/s\", \"me\"], \"achieved\": {\"compute\": [50, \"%\", "
	"\"me\"], \"memory\": [0.5, \"\", \"me\"], \"launch\": [7000, \"ns\", \"me\"], "
	"\"measured\": true}},{\"id\": \"new\", \"name\": \"New\", \"family\": \"ampere\", "
	"\"fp16\": [1, \"TFLOP/s\", \"me\"], \"memory\": [1, \"GB\", \"me\"], \"bandwidth\": [1, "
	"\"GB/s\", \"me\"]}]}";

/* A folder for $XDG_CONFIG_HOME that lasts as long as the test's process. */
static void config(char dir[static 64], const char *name, const char *text)
{
	char path[128];

	unsetenv("RIDGE_CONTENT");
	snprintf(dir, 64, "/tmp/ridge-test-XXXXXX");
	cr_assert(mkdtemp(dir) != NULL);
	setenv("XDG_CONFIG_HOME", dir, 1);
	snprintf(path, sizeof path, "%s/ridge", dir);
	cr_assert(zero(int, mkdir(path, 0700)));
	snprintf(path, sizeof path, "%s/ridge/%s", dir, name);
	FILE *f = fopen(path, "w");
	cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void config_remove(const char *dir, const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s/ridge/%s", dir, name);
	remove(path);
	snprintf(path, sizeof path, "%s/ridge", dir);
	rmdir(path);
	rmdir(dir);
}

Test(tables_own, replaces_and_adds)
{
	struct tables t, before;
	char dir[64], err[512] = "";

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&before, err, sizeof err)), "%s", err);
	config(dir, "hardware.json", own_hardware);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	cr_expect(eq(sz, t.n_gpus, before.n_gpus + 1));
	cr_expect(
		t.own && !before.own, "numbers that the build knew hold for its own tables alone");

	const struct accelerator *a = gpu_find(&t, "a100"), *n = gpu_find(&t, "new");
	cr_expect(eq(sz, (size_t)(a - t.gpus), (size_t)(gpu_find(&before, "a100") - before.gpus)));
	cr_expect(eq(str, (char *)a->name, "Mine"));
	cr_expect(eq(dbl, a->memory_bytes, 85899345920)); /* 80 x 2^30 */
	cr_expect(eq(dbl, a->bandwidth, 1.5e12));
	cr_expect(eq(dbl, a->link_bandwidth, 25e9));     /* 200 Gb/s */
	cr_expect(zero(dbl, a->peak_flops[DTYPE_INT8])); /* nothing of the old entry stays */
	cr_expect(eq(dbl, a->achieved.compute, 0.5));
	cr_expect(epsilon_eq(dbl, a->achieved.launch_s, 7e-6, 1e-18));
	cr_expect(eq(int, a->achieved.measured, 1));

	/* It was not measured, so it gets the figures of the first of its family, and says that
	 * they are not measurements. */
	cr_assert(n == &t.gpus[t.n_gpus - 1]);
	const struct accelerator *family = gpu_find(&t, "a10");
	cr_expect(eq(dbl, n->achieved.compute, family->achieved.compute));
	cr_expect(zero(int, n->achieved.measured));
	config_remove(dir, "hardware.json");
	tables_release(&t);
	tables_release(&before);
}

Test(tables_own, slip_keeps_the_rest)
{
	static const struct {
		const char *name, *text, *words;
	} rows[] = { { "hardware.json", "{", "$XDG_CONFIG_HOME/ridge/hardware.json: line 1" },
		{ "models.json", "[]", "$XDG_CONFIG_HOME/ridge/models.json: expected an object" } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tables t;
		char dir[64], err[512] = "";
		config(dir, rows[i].name, rows[i].text);
		cr_expect(eq(int, tables_load(&t, err, sizeof err), -1));
		cr_expect(strstr(err, rows[i].words) == err, "%s", err);
		cr_expect(gpu_find(&t, "a100") && model_find(&t, "gpt2") &&
			  trace_find(&t, "mooncake"));
		config_remove(dir, rows[i].name);
		tables_release(&t);
	}
}

Test(tables_own, no_regular_file)
{
	struct tables t;
	char dir[64], path[128], err[512] = "";

	config(dir, "models.json", "{}");
	snprintf(path, sizeof path, "%s/ridge/models.json", dir);
	cr_assert(zero(int, remove(path)));
	cr_assert(zero(int, mkfifo(path, 0600))); /* opening it would wait for ever */
	cr_expect(eq(int, tables_load(&t, err, sizeof err), -1));
	cr_expect(
		strstr(err, "ridge/models.json: expected a readable text file") != NULL, "%s", err);
	config_remove(dir, "models.json");
	tables_release(&t);
}

Test(tables_own, home_without_xdg)
{
	struct tables t;
	char dir[64], err[512] = "", path[128], moved[128];

	config(dir, "hardware.json", own_hardware);
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", dir, 1);
	snprintf(path, sizeof path, "%s/.config", dir);
	cr_assert(zero(int, mkdir(path, 0700)));
	snprintf(path, sizeof path, "%s/ridge", dir);
	snprintf(moved, sizeof moved, "%s/.config/ridge", dir);
	cr_assert(zero(int, rename(path, moved)));
	cr_expect(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	cr_expect(gpu_find(&t, "new") != NULL);
	tables_release(&t);
	cr_assert(zero(int, rename(moved, path)));
	snprintf(path, sizeof path, "%s/.config", dir);
	rmdir(path);
	config_remove(dir, "hardware.json");
}

/* First and last lines of the files, read by eye. */
Test(traces, shipped)
{
	static const struct {
		const char *id;
		struct request second;
		double last_s;
	} rows[] = { { "azure-conv", { 4.3146, 396, 109 }, 424.2595 },
		{ "azure-code", { 0.052, 3180, 8 }, 853.0793 },
		{ "mooncake", { 0, 7322, 490 }, 669 } };
	struct tables t;
	char err[512] = "";

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct trace *trace = trace_find(&t, rows[i].id);
		cr_assert(trace && trace->n == 2000, "%s", rows[i].id);
		cr_expect(zero(dbl, trace->requests[0].arrival_s));
		cr_expect(eq(dbl, trace->requests[1].arrival_s, rows[i].second.arrival_s));
		cr_expect(eq(dbl, trace->requests[1].prompt_tokens, rows[i].second.prompt_tokens));
		cr_expect(eq(dbl, trace->requests[1].output_tokens, rows[i].second.output_tokens));
		cr_expect(eq(dbl, trace->requests[1999].arrival_s, rows[i].last_s));
	}
	tables_release(&t);
}

#define HEAD "arrival_s,prompt_tokens,output_tokens\n"

Test(traces, reads)
{
	static const struct {
		const char *csv;
		size_t n;
		struct request last;
	} rows[] = { { HEAD "0,1,2", 1, { 0, 1, 2 } },
		{ HEAD "0,1,2\n1.5,3,4\n", 2, { 1.5, 3, 4 } },
		{ HEAD "\n0,1,2\n\n", 1, { 0, 1, 2 } },
		{ "output_tokens,note,arrival_s,prompt_tokens\r\n"
		  "7,\"a, \"\"b\"\"\",2.5e-1,9\r\n8,,1e1,10\r\n",
			2, { 10, 10, 8 } },
		{ "\"arrival_s\",\"prompt_tokens\",\"output_tokens\"\n\"3\",\"4\",\"0\"\n", 1,
			{ 3, 4, 0 } } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tables t = { 0 };
		char err[256] = "";
		cr_assert(zero(int, tables_add_trace(
					    &t, "x", "X", rows[i].csv, "x.csv", err, sizeof err)),
			"row %zu: %s", i, err);
		cr_assert(eq(sz, t.traces[0].n, rows[i].n), "row %zu", i);
		const struct request *q = &t.traces[0].requests[rows[i].n - 1];
		cr_expect(eq(dbl, q->arrival_s, rows[i].last.arrival_s), "row %zu", i);
		cr_expect(eq(dbl, q->prompt_tokens, rows[i].last.prompt_tokens), "row %zu", i);
		cr_expect(eq(dbl, q->output_tokens, rows[i].last.output_tokens), "row %zu", i);
		tables_release(&t);
	}
}

Test(traces, refused)
{
	static const struct {
		const char *csv, *words;
	} rows[] = { { "", "line 1: expected the names of columns, found nothing" },
		{ "arrival_s,prompt_tokens\n", "line 1: expected a column output_tokens" },
		{ "arrival_s,arrival_s\n", "line 1: expected the column arrival_s once" },
		{ HEAD, "line 2: expected rows below the head, found none" },
		{ HEAD "0,1,2\n0,1\n", "line 3: expected 3 cells, found 2" },
		{ HEAD "0,1,2,3\n", "line 2: expected 3 cells, found 4" },
		{ HEAD "0,,2\n", "line 2: prompt_tokens: expected a number, found a blank cell" },
		{ HEAD "0,1x,2\n", "line 2: prompt_tokens: expected a number, found \"1x\"" },
		{ HEAD "0,\x1b[2J,2\n",
			"line 2: prompt_tokens: expected a number, found \"?[2J\"" },
		{ HEAD "-1,1,2\n", "line 2: arrival_s: expected 0 to 1e+09, found \"-1\"" },
		{ HEAD "nan,1,2\n", "line 2: arrival_s: expected a number, found \"nan\"" },
		{ HEAD "1e999,1,2\n", "line 2: arrival_s: expected 0 to 1e+09, found \"1e999\"" },
		{ HEAD "0,0,2\n", "line 2: prompt_tokens: expected 1 to 1e+09, found \"0\"" },
		{ HEAD "0,1.5,2\n",
			"line 2: prompt_tokens: expected a whole number, found \"1.5\"" },
		{ HEAD "5,1,2\n4,1,2\n", "line 3: arrival_s: expected 5 or later, found 4" },
		{ HEAD "0,\"1,2\n", "line 2: a quote opens here and never closes" },
		{ HEAD "0,\"1\"x,2\n",
			"line 2: prompt_tokens: expected a comma after the closing quote, found "
			"\"x\"" },
		{ "arrival_s,prompt_tokens,output_tokens,blocks_512,blocks_512\n",
			"line 1: expected the column blocks_512 once" } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tables t = { 0 };
		char err[256] = "";
		cr_expect(eq(int,
				  tables_add_trace(
					  &t, "x", "X", rows[i].csv, "x.csv", err, sizeof err),
				  -1),
			"row %zu", i);
		cr_expect(strncmp(err, "x.csv: ", 7) == 0 && strcmp(err + 7, rows[i].words) == 0,
			"%s", err);
		cr_expect(zero(sz, t.n_traces), "row %zu", i);
		tables_release(&t);
	}
}

Test(traces, same_id_replaces)
{
	struct tables t = { 0 };
	char err[256] = "";

	for (int i = 0; i < 2; i++) {
		cr_assert(zero(
			int, tables_add_trace(&t, "x", "X", i ? HEAD "0,1,2\n" : HEAD "0,9,9\n",
				     "x.csv", err, sizeof err)));
		cr_assert(zero(int,
			tables_add_trace(&t, "y", "Y", HEAD "0,3,4\n", "y.csv", err, sizeof err)));
	}
	cr_expect(eq(sz, t.n_traces, 2));
	cr_expect(eq(dbl, trace_find(&t, "x")->requests[0].prompt_tokens, 1));
	tables_release(&t);
}
