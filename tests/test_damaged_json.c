/* What users write as JSON (drills, cases, tables, a model's config, questions) and what ridge wrote and
 * somebody changed, each member of it damaged in each way: it is refused with one line that names the
 * file, and leaves nothing behind, or it is read and then does what every other one does. */
#include "tests/json_damage.h"

#include "drills/bank_read.h"
#include "drills/case.h"
#include "drills/case_ask.h"
#include "drills/deal.h"
#include "drills/history.h"
#include "drills/stats.h"
#include "sims/architecture/config.h"
#include "sims/architecture/model_architecture.h"
#include "ui/data/tables_load.h"
#include "ui/data/machine_file.h"
#include "ui/interviewer/interviewer_record.h"
#include "ui/machine/machine_json.h"
#include "ui/practice/case_record.h"

#include <math.h>

static struct tables tables;

static void load(void)
{
	char err[300] = "";
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
}

static void release(void)
{
	tables_release(&tables);
}

TestSuite(damaged_json, .init = load, .fini = release);

/* To be freed. */
static char *text_of(const char *path)
{
	enum { MOST = 1 << 18 };
	char *text = malloc(MOST);
	FILE *f = fopen(path, "r");
	cr_assert(text && f, "%s: run the tests in the project's folder", path);
	text[fread(text, 1, MOST - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* A refusal is one line that somebody can act on; what is no refusal says nothing. */
static void check_line(int rc, const char *err, const char *begins, const char *what)
{
	cr_assert(eq(int, rc != 0, *err != '\0'), "%s: %d \"%s\"", what, rc, err);
	if (rc)
		cr_assert(strncmp(err, begins, strlen(begins)) == 0 && !strpbrk(err, "\n\x1b"),
			"%s: %s", what, err);
}

/* --- Drills --- */

static bool bank_refuses(const char *json, const char *what)
{
	struct drill_bank b = { 0 };
	char err[400] = "";
	const int rc = bank_add(&b, &tables, json, "x.json", err, sizeof err);
	check_line(rc, err, "x.json: ", what);
	cr_assert(rc == 0 || b.n == 0, "%s", what);
	for (size_t i = 0; i < b.n; i++) {
		struct variant v;
		if (deal(&b.drills[i], &tables, 1, 0, &v, err, sizeof err) == 0)
			cr_assert(question_separable(&v.question) && *v.prompt, "%s", what);
		else
			cr_assert(ne(str, err, ""), "%s", what);
		variant_release(&v);
	}
	bank_release(&b);
	return rc != 0;
}

/* One drill of a shipped file, as a file of one's own. */
static void damage_drill(const char *file, const char *id)
{
	char path[100];
	size_t refused;
	snprintf(path, sizeof path, "content/drills/%s.json", file);
	char *text = text_of(path);
	cJSON *all = cJSON_Parse(text), *one;
	cJSON *drills = cJSON_DetachItemFromObject(all, "drills");
	cJSON *kept = cJSON_AddArrayToObject(all, "drills");
	cJSON_ArrayForEach(one, drills)
	{
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(one, "id"));
		if (name && strcmp(name, id) == 0)
			cJSON_AddItemToArray(kept, cJSON_Duplicate(one, true));
	}
	cr_assert(eq(int, cJSON_GetArraySize(kept), 1), "%s", id);
	char *json = cJSON_PrintUnformatted(all);
	cr_assert(zero(int, bank_refuses(json, id)), "%s", id);
	const size_t tried = damage_each(json, bank_refuses, &refused);
	/* Most of it matters: what may be anything is text, and numbers that stay in their range. */
	cr_expect(lt(sz, tried / 2, refused), "%s: %zu of %zu", id, refused, tried);
	cJSON_Delete(drills);
	cJSON_Delete(all);
	free(json);
	free(text);
}

Test(damaged_json, a_drill_that_asks_for_a_number)
{
	damage_drill("inference", "kv-per-token");
	damage_drill("communication", "ring-volume");
	damage_drill("numbers", "recall-bandwidth");
}

Test(damaged_json, a_drill_with_options_or_an_order)
{
	damage_drill("facts", "chunked-protects");
	damage_drill("priorities", "inference-levers");
}

Test(damaged_json, a_drill_in_steps)
{
	damage_drill("estimates", "serve-one");
	damage_drill("training", "can-fp8-give-that");
}

Test(damaged_json, a_program_to_write)
{
	damage_drill("coding", "code-training-memory");
	damage_drill("coding", "code-quantise");
}

/* A list of editions that is damaged is refused, or it is one of fewer or other drills; the shipped one has
 * dozens of drills, of which two suffice. */
Test(damaged_json, a_list_of_editions)
{
	static const char editions[] =
		"{\"schema\": 1, \"editions\": [[\"kv-per-token\"], [\"ring-volume\"]]}";
	size_t refused;
	cr_expect(lt(sz, 20, damage_each(editions, bank_refuses, &refused)));
	cr_expect(lt(sz, 10, refused), "%zu", refused);
}

/* Most of it matters: what may be anything is text, and numbers that stay in their range. */
static void expect_most_refused(
	const char *json, bool (*refuses)(const char *json, const char *what))
{
	size_t refused;
	cr_assert(zero(int, refuses(json, "as it is")));
	const size_t tried = damage_each(json, refuses, &refused);
	cr_expect(lt(sz, tried / 2, refused), "%zu of %zu", refused, tried);
}

/* --- Cases --- */

static bool case_refuses(const char *json, const char *what)
{
	struct design_case c;
	char err[600] = "";
	const int rc = case_read(&c, &tables, json, "x.json", err, sizeof err);
	check_line(rc, err, "x.json", what);
	if (rc == 0) {
		const struct case_match m = case_ask(&c, "how many requests a second?");
		for (size_t i = 0; i < m.n; i++)
			cr_assert(lt(sz, m.facts[i], c.n_facts), "%s", what);
	}
	case_release(&c);
	return rc != 0;
}

Test(damaged_json, a_case, .description = "long")
{
	char *text = text_of("content/cases/one-server.json");
	expect_most_refused(text, case_refuses);
	free(text);
}

/* --- Tables --- */

static bool hardware_refuses(const char *json, const char *what)
{
	struct tables t = { 0 };
	char err[300] = "";
	const int rc = tables_add_hardware(&t, json, "x.json", err, sizeof err);
	check_line(rc, err, "x.json", what);
	for (size_t i = 0; i < t.n_gpus; i++) {
		const struct accelerator *a = &t.gpus[i];
		cr_assert(gpu_find(&t, a->id) == a, "%s", what);
		cr_assert(a->bandwidth > 0 && a->memory_bytes > 0 && a->achieved.compute > 0 &&
				  a->achieved.compute <= 1,
			"%s", what);
	}
	tables_release(&t);
	return rc != 0;
}

static bool models_refuse(const char *json, const char *what)
{
	struct tables t = { 0 };
	char err[300] = "";
	const int rc = tables_add_models(&t, json, "x.json", err, sizeof err);
	check_line(rc, err, "x.json", what);
	for (size_t i = 0; i < t.n_models; i++) {
		const struct model *m = &t.models[i];
		cr_assert(model_find(&t, m->id) == m && m->heads >= m->kv_heads, "%s", what);
	}
	tables_release(&t);
	return rc != 0;
}

/* The file with its first entries only. To be freed. */
static char *first_entries(const char *path, const char *list, int n)
{
	char *text = text_of(path);
	cJSON *all = cJSON_Parse(text), *entries = cJSON_GetObjectItem(all, list);
	cr_assert(lt(int, n, cJSON_GetArraySize(entries)));
	while (cJSON_GetArraySize(entries) > n)
		cJSON_DeleteItemFromArray(entries, n);
	free(text);
	text = cJSON_PrintUnformatted(all);
	cJSON_Delete(all);
	return text;
}

Test(damaged_json, accelerators_and_models_of_ones_own)
{
	size_t refused;
	char *text = first_entries("content/hardware.json", "accelerators", 1);
	cr_assert(zero(int, hardware_refuses(text, "as it is")));
	cr_expect(lt(sz, 0, damage_each(text, hardware_refuses, &refused)));
	cr_expect(lt(sz, 100, refused));
	free(text);
	text = first_entries("content/models.json", "models", 1);
	cr_assert(zero(int, models_refuse(text, "as it is")));
	cr_expect(lt(sz, 0, damage_each(text, models_refuse, &refused)));
	cr_expect(lt(sz, 50, refused));
	free(text);
}

/* --- A model's config.json --- */

static bool config_refuses(const char *json, const char *what)
{
	static struct architecture a; /* some 100 KB */
	char err[300] = "";
	const int rc = architecture_read(&a, json, err, sizeof err);
	check_line(rc, err, "", what);
	if (rc == 0) {
		const struct parameter_count c = architecture_parameters(&a);
		cr_assert(c.total > 0 && c.active <= c.total, "%s", what);
		cr_assert(isfinite(architecture_cache_elements(&a, 4096)) != 0, "%s", what);
	}
	return rc != 0;
}

Test(damaged_json, the_config_of_a_model)
{
	char *text = text_of("content/architectures.json");
	cJSON *all = cJSON_Parse(text), *one;
	size_t refused, tried = 0, sum = 0;
	cJSON_ArrayForEach(one, cJSON_GetObjectItem(all, "architectures"))
	{
		const cJSON *config = cJSON_GetObjectItem(one, "config");
		char *json = cJSON_PrintUnformatted(config);
		cr_assert(config && json);
		cr_assert(zero(int, config_refuses(json, "as it is")));
		tried += damage_each(json, config_refuses, &refused);
		sum += refused;
		free(json);
	}
	cr_expect(lt(sz, 1000, tried));
	cr_expect(lt(sz, tried / 10, sum), "%zu of %zu", sum, tried);
	cJSON_Delete(all);
	free(text);
}

/* --- Questions to grade, and the machine that was measured --- */

static bool question_refuses(const char *json, const char *what)
{
	static const char *const names[] = { "kv", "bw", "mfu" };
	bool any = false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct arena a = { 0 };
		struct question q;
		char err[300] = "";
		const int rc = question_read(json, names[i], &a, &q, err, sizeof err);
		check_line(rc, err, "", what);
		if (rc == 0)
			cr_assert(question_accepts(&q, q.key) != 0, "%s", what);
		any |= rc != 0;
		arena_release(&a);
	}
	return any;
}

Test(damaged_json, a_question)
{
	size_t refused;
	char *text = text_of("tests/data/grading-questions.json");
	cr_assert(zero(int, question_refuses(text, "as it is")));
	cr_expect(lt(sz, 0, damage_each(text, question_refuses, &refused)));
	cr_expect(lt(sz, 50, refused));
	free(text);
}

static bool machine_refuses(const char *json, const char *what)
{
	struct machine m;
	struct accelerator a;
	char err[300] = "", why[300] = "";
	const int rc = machine_read(&m, json, err, sizeof err);
	check_line(rc, err, "", what);
	if (rc == 0 && machine_accelerator(&m, &a, why, sizeof why) == 0)
		cr_assert(a.bandwidth > 0 && a.achieved.compute > 0 && a.achieved.compute <= 1,
			"%s", what);
	return rc != 0;
}

Test(damaged_json, the_machine_that_was_measured, .description = "long")
{
	char *text = text_of("tests/data/machine.json");
	expect_most_refused(text, machine_refuses);
	free(text);
}

/* --- What ridge itself appends: a damaged line costs that line --- */

static const char answer[] =
	"{\"schema\":1,\"at\":1767225600,\"kind\":\"answer\",\"drill\":\"kv-cache\",\"skill\":"
	"\"kv-cache\",\"topic\":\"kvcache\",\"seed\":7,\"part\":0,\"given\":\"10.7 GB\",\"value\":"
	"10700000000,\"verdict\":\"CORRECT\",\"used\":true,\"credit\":1,\"cause\":\"\",\"hints\":1,"
	"\"attempt\":2,\"scratch\":true,\"took_s\":48.75,\"par_s\":90,\"mode\":\"study\"}";

static bool history_refuses(const char *json, const char *what)
{
	char *text = NULL;
	size_t size;
	struct history h;
	struct stats s;
	FILE *f = open_memstream(&text, &size);
	fprintf(f, "%s\n%s\n%s\n", answer, json, answer);
	fclose(f);
	cr_assert(zero(int, history_parse(&h, text, size)), "%s", what);
	cr_assert(eq(sz, h.n_lines, 3), "%s", what);
	cr_assert(eq(sz, h.n + h.n_other + h.n_unreadable, 3), "%s", what);
	cr_assert(le(sz, 2, h.n), "%s: it took another line with it", what);
	cr_assert(eq(int, h.n_unreadable > 0, h.first_bad == 2), "%s", what);
	const bool refused = h.n < 3;
	cr_assert(zero(int, stats_init(&s, &h, 1767312000)), "%s", what);
	for (size_t i = 0; i < s.n_skills; i++)
		cr_assert(s.skills[i].credit >= 0 && s.skills[i].credit <= 1 &&
				  s.skills[i].recall >= 0 && s.skills[i].recall <= 1,
			"%s", what);
	stats_release(&s);
	history_release(&h);
	return refused;
}

Test(damaged_json, an_answer_in_the_history)
{
	expect_most_refused(answer, history_refuses);
}

/* The beginning of a record, damaged: another beginning that holds, or no record. */
static bool sitting_refuses(const char *json, const char *what)
{
	char text[2000];
	struct case_head h;
	snprintf(text, sizeof text,
		"%.900s\n{\"did\":\"line\",\"ms\":17400,\"text\":\"load?\"}\n{\"did\":\"clock\",\"ms\":61250}\n",
		json);
	if (!case_head_read(text, &h))
		return true;
	cr_assert(h.id[0] != '\0' && h.minutes > 0 && h.level < N_CASE_LEVELS, "%s", what);
	cr_assert(eq(i64, h.clock_ms, 61250), "%s", what);
	cr_assert(case_goes_on(&h) && h.typed == 1, "%s", what);
	return false;
}

Test(damaged_json, the_beginning_of_a_sitting)
{
	static const char begin[] =
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"case\":"
		"\"serve-70b\",\"seed\":\"7\",\"level\":\"staff\",\"minutes\":45}";
	size_t refused;
	cr_assert(zero(int, sitting_refuses(begin, "as it is")));
	cr_expect(lt(sz, 0, damage_each(begin, sitting_refuses, &refused)));
	cr_expect(lt(sz, 20, refused), "%zu", refused);
}

static bool deed_refuses(const char *json, const char *what)
{
	char text[2000];
	struct case_head h;
	snprintf(text, sizeof text,
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"case\":\"serve-70b\",\"seed\":\"7\","
		"\"level\":\"staff\",\"minutes\":45}\n%.900s\n{\"did\":\"clock\",\"ms\":61250}\n",
		json);
	cr_assert(case_head_read(text, &h) != 0, "%s: one line takes the record with it", what);
	cr_assert(eq(str, h.id, "serve-70b"), "%s", what);
	cr_assert(le(i64, 0, h.clock_ms), "%s", what);
	return h.typed == 0;
}

Test(damaged_json, a_line_of_a_sitting)
{
	static const char line[] = "{\"did\":\"line\",\"ms\":17400,\"text\":\"What is the load?\"}";
	size_t refused;
	cr_assert(zero(int, deed_refuses(line, "as it is")));
	cr_expect(lt(sz, 0, damage_each(line, deed_refuses, &refused)));
	cr_expect(lt(sz, 8, refused), "%zu", refused);
}

static bool interview_refuses(const char *json, const char *what)
{
	char text[2000], err[300] = "";
	struct interviewer_head h;
	struct interviewer v;
	size_t unreadable = 0;
	snprintf(text, sizeof text,
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"code\":\"810M-15\",\"name\":\"Ada\"}\n"
		"{\"did\":\"clock\",\"ms\":0,\"n\":1}\n%.900s\n{\"did\":\"go\",\"ms\":90000,\"n\":1}\n",
		json);
	cr_assert(interviewer_head_read(text, &h) != 0, "%s", what);
	cr_assert(eq(str, h.candidate, "Ada"), "%s", what);
	const int rc = interviewer_replay(&v, &tables, text, &unreadable, err, sizeof err);
	cr_assert(zero(int, rc), "%s: %s", what, err);
	cr_assert(le(sz, unreadable, 1), "%s: %zu lines", what, unreadable);
	interviewer_release(&v);
	return unreadable > 0;
}

Test(damaged_json, a_deed_of_an_interviewer, .description = "long")
{
	static const char *const deeds[] = {
		"{\"did\":\"note\",\"ms\":17400,\"began_ms\":15100,\"text\":\"asks first\"}",
		"{\"did\":\"mark\",\"ms\":61250,\"n\":3}"
	};
	for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
		size_t refused;
		cr_assert(zero(int, interview_refuses(deeds[i], "as it is")), "%s", deeds[i]);
		const size_t tried = damage_each(deeds[i], interview_refuses, &refused);
		cr_expect(lt(sz, tried / 4, refused), "%s: %zu of %zu", deeds[i], refused, tried);
	}
}
