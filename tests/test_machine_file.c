/* The measured machine that is kept: its file, damaged ones, what tables and commands make of
 * it. */
#include "ui/machine/machine_json.h"
#include "tests/made_machine.h"
#include "tests/said.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

/* --- The file --- */

static char folder[] = "/tmp/ridge-measure-XXXXXX";

static void own_folder(void)
{
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_DATA_HOME", folder, 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	unsetenv("RIDGE_CONTENT");
}

static void remove_folder(void)
{
	char path[128];
	snprintf(path, sizeof path, "%s/ridge/machine.json", folder);
	unlink(path);
	snprintf(path, sizeof path, "%s/ridge", folder);
	rmdir(path);
	cr_expect(zero(int, rmdir(folder)), "%s: something was left there", folder);
}

static void save(const struct machine *m)
{
	char path[128];
	cr_assert(machine_path(path, sizeof path) != NULL);
	cr_assert(zero(int, machine_save(m, path)));
}

static void put(const char *text, size_t n)
{
	char path[128];
	cr_assert(machine_path(path, sizeof path) != NULL);
	FILE *f = fopen(path, "w");
	cr_assert(f && fwrite(text, 1, n, f) == n && fclose(f) == 0);
}

static char *text_of(const struct machine *m)
{
	cJSON *obj = machine_json(m);
	char *text = cJSON_Print(obj);
	cJSON_Delete(obj);
	return text;
}

Test(machine_file, file_round_trip, .init = own_folder, .fini = remove_folder)
{
	struct machine m = made_machine(), back;
	char err[400] = "";
	cr_expect(zero(int, machine_load(&back, err, sizeof err))); /* none yet */
	save(&m);
	cr_assert(eq(int, machine_load(&back, err, sizeof err), 1), "%s", err);
	char *was = text_of(&m), *is = text_of(&back);
	cr_expect(eq(str, is, was));
	cr_expect(eq(dbl, back.points[3].rate[ONE_THREAD][KERNEL_WRITE].p10, 180e9));
	cr_expect(eq(sz, back.points[0].rate[ALL_THREADS][KERNEL_READ].n, 0));
	cJSON_free(was);
	cJSON_free(is);
}

Test(machine_file, damaged_files_are_told_and_not_used, .init = own_folder, .fini = remove_folder)
{
	static const struct {
		const char *from, *to, *said;
	} rows[] = {
		{ "\"schema\":\t1", "\"schema\":\t2", "\"schema\"" },
		{ "\"threads\":\t4", "\"threads\":\t-4", "\"threads\"" },
		{ "\"bytes\":\t8192", "\"bytes\":\t4096", "\"bytes\"" }, /* not ascending */
		{ "\"median\":\t380000000000", "\"median\":\t\"x\"", "\"median\"" },
		{ "\"bandwidth\":", "\"bandwith\":", "\"bandwidth\"" },
		{ "\"date\":\t\"2026", "\"date\":\t\"\\u001b", "\"date\"" },
	};
	struct machine m = made_machine();
	char *text = text_of(&m), err[400];
	save(&m);
	for (size_t cut = 0; cut + 2 < strlen(text); cut += 97) {
		put(text, cut);
		cr_expect(eq(int, machine_load(&m, err, sizeof err), -1), "cut at %zu", cut);
		cr_expect(strstr(err, "damaged") && !strchr(err, '\n'), "%s", err);
	}
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *at = strstr(text, rows[i].from), changed[1 << 16];
		cr_assert(at != NULL, "%s", rows[i].from);
		snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, rows[i].to,
			at + strlen(rows[i].from));
		put(changed, strlen(changed));
		cr_expect(eq(int, machine_load(&m, err, sizeof err), -1), "row %zu", i);
		cr_expect(strstr(err, rows[i].said) && strstr(err, "damaged"), "%s", err);
	}
	cJSON_free(text);
}

/* --- What the tables and the commands make of it --- */

static struct said say(const char *line)
{
	return said_at(1795219200, line, NULL); /* 2026-11-21 00:00 UTC */
}

static double value_of(const char *json, const char *id)
{
	cJSON *obj = cJSON_Parse(json);
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(
		cJSON_GetObjectItemCaseSensitive(obj, "values"), id);
	double x = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(v, "value"));
	cJSON_Delete(obj);
	return x;
}

Test(machine_file, roofline_offers_this_machine, .init = own_folder, .fini = remove_folder)
{
	struct machine m = made_machine();
	struct said s = say("sim roofline gpu=this-machine");
	cr_expect(eq(int, s.status, 2)); /* not measured yet */
	forget(&s);
	save(&m);
	s = say("sim roofline gpu=this-machine --json");
	cr_assert(zero(int, s.status), "%s", s.err);
	/* 400 GFLOP/s over 40 GB/s. */
	cr_expect(epsilon_eq(dbl, value_of(s.out, "ridge"), 10, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of(s.out, "peak_tflops"), 0.4, 1e-9));
	cr_expect(strstr(s.out, "Memory hierarchy") && strstr(s.out, "\"L3\""));
	cr_expect(eq(str, s.err, (char *)""));
	forget(&s);
	/* Sustained: 380 GFLOP/s, and a triad of 0.75 x 38 GB/s. */
	s = say("sim roofline gpu=this-machine ceiling=achieved --json");
	cr_expect(epsilon_eq(dbl, value_of(s.out, "ridge"), 380 / 28.5, 1e-9));
	forget(&s);
}

/* What asks for links, SMs or device memory does not offer it, and no formula fills from it. */
Test(machine_file, nothing_else_offers_it, .init = own_folder, .fini = remove_folder)
{
	static const char *const lines[] = { "sim memory gpu=this-machine",
		"sim batching gpu=this-machine", "sim allreduce gpu=this-machine",
		"sim capacity gpu=this-machine", "sim compile gpu=this-machine",
		"calc ridge_point gpu=this-machine" };
	struct machine m = made_machine();
	save(&m);
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct said s = say(lines[i]);
		cr_expect(eq(int, s.status, 2), "%s", lines[i]);
		cr_expect(strstr(s.err, "this-machine") != NULL, "%s: %s", lines[i], s.err);
		forget(&s);
	}
}

Test(machine_file, other_processors_are_told_and_not_used, .init = own_folder,
	.fini = remove_folder)
{
	struct machine m = made_machine();
	snprintf(m.cpu, sizeof m.cpu, "Z80");
	save(&m);
	struct said s = say("sim roofline gpu=a100 --json");
	cr_expect(zero(int, s.status));
	cr_expect(strstr(s.err, "measured on Z80") != NULL, "%s", s.err);
	forget(&s);
	s = say("sim roofline gpu=this-machine");
	cr_expect(eq(int, s.status, 2));
	forget(&s);
}

static const cJSON *member(const cJSON *obj, const char *name)
{
	const cJSON *j = cJSON_GetObjectItemCaseSensitive(obj, name);
	cr_assert(j != NULL, "%s", name);
	return j;
}

/* A null: on a busy machine there was no time for it. What must have been measured is asked for
 * below. */
static void check_spread(const cJSON *s)
{
	if (cJSON_IsNull(s))
		return;
	double p10 = member(s, "p10")->valuedouble, median = member(s, "median")->valuedouble,
	       p90 = member(s, "p90")->valuedouble, best = member(s, "best")->valuedouble;
	cr_expect(lt(dbl, 0, p10));
	cr_expect(p10 <= median && median <= p90 && p90 <= best);
	cr_expect(lt(dbl, 0, member(s, "n")->valuedouble));
}

/* This machine, really: the contract of its JSON, the file, and what the roofline says then. */
Test(machine_file, json_contract, .description = "long", .init = own_folder, .fini = remove_folder)
{
	struct said s = say("measure --quick --json");
	if (strstr(s.err, "too busy")) {
		cr_expect(eq(int, s.status, 1));
		forget(&s);
		s = say("measure --json");
	}
	if (strstr(s.err, "too busy"))
		cr_skip_test("other programs have the processors");
	cr_assert(zero(int, s.status), "%s", s.err);
	cr_expect(eq(str, s.err, (char *)"")); /* no terminal: no bar */
	cJSON *obj = cJSON_ParseWithOpts(s.out, NULL, true);
	cr_assert(obj != NULL, "%s", s.out);
	cr_expect(eq(dbl, member(obj, "schema")->valuedouble, 1));
	cr_expect(eq(str, member(obj, "date")->valuestring, (char *)"2026-11-21"));
	cr_expect(eq(dbl, member(obj, "threads")->valuedouble, host_threads()));
	const cJSON *first = cJSON_GetArrayItem(member(obj, "bandwidth"), 0);
	cr_expect(eq(dbl, member(first, "bytes")->valuedouble, 4096));
	for (int k = 0; k < N_MEMORY_KERNELS; k++)
		check_spread(member(member(first, "one_thread"), memory_kernel_ids[k]));
	const cJSON *flops;
	cJSON_ArrayForEach(flops, member(obj, "flops"))
	{
		check_spread(member(member(flops, "one_thread"), "double"));
		check_spread(member(member(flops, "all_threads"), "single"));
	}
	cr_expect(lt(int, 0, cJSON_GetArraySize(member(obj, "levels"))));
	const cJSON *level = cJSON_GetArrayItem(member(obj, "levels"), 0);
	cr_expect(lt(dbl, 1e8, member(member(level, "one_thread"), "read")->valuedouble));
	double triad =
		member(member(member(obj, "memory_best"), "all_threads"), "triad")->valuedouble;
	cr_expect(lt(dbl, 1e8, triad));
	cJSON_Delete(obj);
	struct machine kept;
	char err[400] = "";
	cr_assert(eq(int, machine_load(&kept, err, sizeof err), 1), "%s", err);
	cr_expect(epsilon_eq(dbl, machine_memory_best(&kept, ALL_THREADS, KERNEL_TRIAD), triad, 1));
	forget(&s);
	s = say("sim roofline gpu=this-machine --json");
	cr_expect(zero(int, s.status), "%s", s.err);
	forget(&s);
}

/* --- The command, with what it says while it measures and when it cannot keep what it measured --- */

/* Runs "measure --quick WORD" (NULL: no word) with a bar. */
static struct said measure(const char *word, char **bar)
{
	struct said s = { 0 };
	char words[3][32] = { "measure", "--quick", "" };
	char *argv[] = { words[0], words[1], word ? words[2] : NULL, NULL };
	size_t size;
	snprintf(words[2], sizeof words[2], "%s", word ? word : "");
	FILE *out = open_memstream(&s.out, &size), *err = open_memstream(&s.err, &size),
	     *to_bar = open_memstream(bar, &size);
	s.status = command_run(
		word ? 3 : 2, argv, &(struct streams){ stdin, out, err, 1795219200, NULL, to_bar });
	fclose(out);
	fclose(err);
	fclose(to_bar);
	return s;
}

static void skip_if_busy(const struct said *s)
{
	if (strstr(s->err, "too busy"))
		cr_skip_test("other programs have the processors");
}

/* What a terminal of one line shows of these bytes in the end: after '\r' what follows lies over it. */
static void last_line(const char *bytes, char cells[128])
{
	size_t at = 0;
	memset(cells, ' ', 127);
	cells[127] = '\0';
	for (; *bytes; bytes++)
		if (*bytes == '\r')
			at = 0;
		else if (at < 127)
			cells[at++] = *bytes;
}

/* The bar grows, stays on its line, and leaves nothing behind. */
Test(machine_file, the_bar_grows_and_goes, .description = "long", .init = own_folder,
	.fini = remove_folder)
{
	char *bar, cells[128];
	int before = -1, n = 0;
	setenv("TERM", "xterm", 1);
	struct said s = measure(NULL, &bar);
	for (const char *at = bar; (at = strchr(at, '%')); at++, n++) {
		const int percent = atoi(at - 4);
		cr_expect(before < percent && percent <= 100, "%d after %d", percent, before);
		before = percent;
	}
	cr_expect(lt(int, 5, n), "%s", bar);
	cr_expect(strchr(bar, '\n') == NULL);
	last_line(bar, cells);
	cr_expect(zero(sz, strspn(cells, " ") - 127), "%s", cells);
	free(bar);
	skip_if_busy(&s);
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(strstr(s.out, "This machine: ") && strstr(s.out, "\nMeasured in "), "%s", s.out);
	cr_expect(strstr(s.out, folder) != NULL); /* where it is kept */
	forget(&s);
}

/* No bar where it would be read out or could not be overwritten; no folder to keep it in costs what
 * was measured nothing: it is printed, and the status says it. */
Test(machine_file, what_cannot_be_kept_is_told_and_printed, .description = "long",
	.init = own_folder, .fini = remove_folder)
{
	char *bar;
	char in_the_way[64];
	snprintf(in_the_way, sizeof in_the_way, "%s/ridge", folder);
	FILE *f = fopen(in_the_way, "w"); /* a file where the folder would be */
	cr_assert(f && fclose(f) == 0);
	struct said s = measure("--plain", &bar);
	unlink(in_the_way);
	cr_expect(eq(str, bar, ""));
	free(bar);
	skip_if_busy(&s);
	cr_expect(eq(int, s.status, 1));
	cr_expect(strstr(s.err, "ridge measure: not kept: ") && strstr(s.err, "machine.json: "),
		"%s", s.err);
	cr_expect(strstr(s.out, "This machine: ") && !strstr(s.out, "kept in "), "%s", s.out);
	forget(&s);
}

Test(machine_file, without_a_home_it_is_printed_and_told, .description = "long", .init = own_folder,
	.fini = remove_folder)
{
	char *bar;
	setenv("TERM", "dumb", 1);
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	struct said s = measure(NULL, &bar);
	cr_expect(eq(str, bar, ""));
	free(bar);
	skip_if_busy(&s);
	cr_expect(zero(int, s.status));
	cr_expect(strstr(s.err, "expected HOME or XDG_DATA_HOME") != NULL, "%s", s.err);
	cr_expect(strstr(s.out, "This machine: ") && !strstr(s.out, "kept in "));
	forget(&s);
}

Test(machine_file, wrong_usage_is_told)
{
	struct said s = say("measure --jsn");
	cr_expect(eq(int, s.status, 2));
	cr_expect(strstr(s.err, "did you mean \"--json\"?") != NULL, "%s", s.err);
	forget(&s);
	s = say("measure everything");
	cr_expect(eq(int, s.status, 2));
	forget(&s);
}
