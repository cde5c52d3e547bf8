/* Whatever does not fit the manual of cases is refused, with file, place and what was expected. */
#include "tests/cases.h"

#include "sims/base/array.h"
#include "ui/data/content.h"

#include <cjson/cJSON.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void drop(void)
{
	tables_release(&tables);
}

TestSuite(case_read, .init = load, .fini = drop);

/* The text of a case with one passage in place of another. To be freed. */
static char *changed(const char *id, const char *from, const char *to)
{
	char name[100];
	size_t bytes, size;
	void *owned;
	snprintf(name, sizeof name, "cases/%s.json", id);
	const char *text = content_read(name, &bytes, &owned);
	cr_assert(text != NULL);
	const char *at = strstr(text, from);
	cr_assert(at != NULL, "%s", from);
	char *out = NULL;
	FILE *f = open_memstream(&out, &size);
	fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	fclose(f);
	free(owned);
	return out;
}

/* One passage of the case is changed, and what the refusal then says. */
struct wrong {
	const char *from, *to, *says;
};

/* What can be seen without running anything. */
static const struct wrong in_reading[] = {
	{ "\"schema\": 1", "\"schema\": 2", "schema: expected 1" },
	{ "\"schema\": 1,", "\"schema\": 1", "not JSON, at line 3" },
	{ "\"area\": \"serving\"", "\"area\": \"servings\"",
		"area \"servings\"; did you mean \"serving\"" },
	{ "\"staff\", \"principal\"]", "\"stuff\"]", "level \"stuff\"; did you mean \"staff\"" },
	{ "\"sim\": \"capacity\"", "\"sim\": \"capacities\"", "no simulation \"capacities\"" },
	{ "\"opening\":", "\"open\":",
		"unknown member \"open\" in the file; did you mean \"opening\"" },
	{ "\"debrief\":", "\"summary\":", "unknown member \"summary\"" },
	{ "\"lengths\": \"exponential\"", "\"length\": \"exponential\"",
		"fixed: capacity has no knob \"length\"; did you mean \"lengths\"" },
	{ "\"sets\": {\"model\": \"model\"}", "\"sets\": {\"modell\": \"model\"}",
		"fact \"model\": sets: capacity has no knob \"modell\"; did you mean \"model\"" },
	{ "\"sets\": {\"model\": \"model\"}", "\"sets\": {\"gpu\": \"h100\"}",
		"gpu is the candidate's to set" },
	{ "\"tell\": \"{rate} at", "\"told\": \"{rate} at",
		"fact \"load\": unknown member \"told\" in the fact; did you mean \"tell\"" },
	{ "\"id\": \"load\", \"kind\": \"load\", \"name\": \"the load",
		"\"id\": \"model\", \"kind\": \"load\", \"name\": \"the load",
		"there is another fact of this name" },
	{ "\"must\": true", "\"must\": \"yes\"", "must: expected true or false" },
	{ "\"kind\": \"lengths\"", "\"kind\": \"length\"",
		"kind: there is no kind \"length\"; did you mean \"lengths\"" },
	{ "\"facts\": [\"model\", \"quality\"]", "\"facts\": [\"model\", \"qualitys\"]",
		"anchor \"weights\": facts: there is no fact \"qualitys\"; did you mean \"quality\"" },
	{ "\"formula\": \"quant_bytes\"", "\"formula\": \"quant_byte\"",
		"there is no formula \"quant_byte\"; did you mean \"quant_bytes\"" },
	{ "\"tokens\": \"held\"", "\"tokens\": \"hold\"",
		"set: there is no field \"hold\", and no field fills it; did you mean \"held\"" },
	{ "\"shown_unit\": \"MB\"", "\"shown_unit\": \"s\"", "s does not measure what comes in B" },
	{ "at one byte a parameter? In GB.", "at {rate}? In GB.", "ask: it would tell facts" },
	{ "\"tp\": {\"ask\"", "\"tpp\": {\"ask\"", "knobs: capacity has no knob \"tpp\"" },
	{ "[\"a100\", \"h100\", \"h200\"]", "[\"a100\", \"h1000\"]", "one_of: gpu" },
	{ "\"one_of\": [\"1\", \"2\", \"4\", \"8\"]", "\"from\": 1, \"to\": 80",
		"to: expected a number that tp can have" },
	{ "\"at_least\": \"rate\",", "", "goal \"load\": expected at_most, at_least or one_of" },
	{ "\"at_least\": \"rate\", \"unit\": \"req/s\"",
		"\"at_least\": \"rate\", \"unit\": \"requets\"", "unit: \"requets\" is none" },
	{ "\"fact\": \"load\"", "\"fact\": \"loads\"",
		"goal \"load\": fact: there is no fact \"loads\"" },
	{ "\"tp\": 4, \"fleet\": \"enough\"}", "\"fleet\": \"enough\"}",
		"design: reference: it does not say tp" },
	{ "\"tp\": 4, \"fleet\"", "\"tp\": 4, \"itl_ms\": 5, \"fleet\"",
		"reference: itl_ms is none of the candidate's knobs" },
	{ "\"at_min\": 28", "\"at_min\": 22",
		"twist 2: at_min: expected whole minutes from 23 to 180" },
	{ "\"at_min\": 22,", "\"at_min\": 22, \"level\": \"principal\",",
		"twist 2: level: twists for higher levels come last" },
	{ "\"sets\": {\"itl_ms\": \"quick_gap\"}", "\"sets\": {\"tp\": 1}",
		"twist 2: tp is the candidate's to set" },
	{ "\"wrap_up\": {", "\"wrapup\": {",
		"unknown member \"wrapup\" in the rubric; did you mean \"wrap_up\"" },
	{ "\"No numbers, or numbers without units.\",", "",
		"rubric \"estimate\": levels: expected 4 to 4 texts" },
	{ "\"follow_ups\": [", "\"follow_ups\": [{\"ask\": \"a\", \"good\": \"b\"},",
		"follow_ups: expected 3 to 3 objects" },
	{ "Product adds retrieval", "Product\\u001b[31m adds retrieval", "say: expected a text" },
};

/* What only a deal can tell. */
static const struct wrong in_dealing[] = {
	{ "\"is\": \"p99_ms\"", "\"is\": \"p99ms\"",
		"goal \"latency\": is: there is no field, value or knob \"p99ms\"; did you mean \"p99_ms\"" },
	{ "\"at_most\": \"limit\"", "\"at_most\": \"limits\"",
		"at_most: there is no field, value or knob \"limits\"; did you mean \"limit\"" },
	{ "\"at_most\": \"limit\"", "\"at_most\": \"limit\", \"unit\": \"GB\"",
		"goal \"latency\": p99_ms in ms, held against limit in GB" },
	{ "\"cost\": \"3 * backbone_sharing", "\"cost\": \"3 * back_bone_sharing",
		"cost: there is no field, value or knob \"back_bone_sharing\"; did you mean" },
	{ "\"speed_mph\": \"speed_mph\"}", "\"speed_mph\": \"limit\"}",
		"speed_mph: limit is in ms, and speed_mph takes mph" },
	{ "\"orin\", \"cameras\": \"needed\"", "\"orin\", \"cameras\": \"lots\"",
		"reference: cameras: there is no field, value or knob \"lots\"" },
	{ "\"orin\", \"cameras\": \"needed\"", "\"orin\", \"cameras\": 400",
		"reference: cameras: " },
	{ "{fps}, at", "{fqs}, at",
		"fact \"rate\": there is no field, value or knob \"fqs\"; did you mean \"fps\"" },
	{ "{fps}, at", "{fps, at", "fact \"rate\": " },
	{ "{fps}, at", "{blind}, at", "fact \"rate\": {blind} is what is asked" },
	{ "{fps}, at", "{fps in GB}, at", "fps is in Hz, not GB" },
	{ "{naive.p99_ms} at P99, many", "{naive.p98_ms} at P99, many",
		"debrief: there is no field, value or knob \"p98_ms\"; did you mean \"p99_ms\"" },
	{ "{naive.p99_ms} at P99, many", "{tomorrow.p99_ms} at P99, many",
		"tomorrow.p99_ms: expected a design that is run before this" },
	{ "{naive.p99_ms} at P99, many", "{naive.p99_ms * } at P99, many", "debrief: " },
	{ "\"fields\": {", "\"fields\": {\"total_ms\": {\"choices\": [1]},",
		"fields: \"total_ms\" is a value of latency already" },
};

static void expect_refusal(const char *err, const struct wrong *w)
{
	cr_expect(strstr(err, w->says) != NULL, "%s -> %s:\n%s", w->from, w->to, err);
	cr_expect(strncmp(err, "changed.json: ", 14) == 0, "%s", err);
	cr_expect(strchr(err, '\n') == NULL, "%s", err);
}

Test(case_read, refuses_what_does_not_fit_the_manual)
{
	for (size_t i = 0; i < LENGTH(in_reading); i++) {
		struct design_case c;
		char err[700] = "";
		char *json = changed("serve-70b", in_reading[i].from, in_reading[i].to);
		cr_expect(
			eq(int, case_read(&c, &tables, json, "changed.json", err, sizeof err), -1),
			"%s", in_reading[i].to);
		expect_refusal(err, &in_reading[i]);
		case_release(&c);
		free(json);
	}
}

Test(case_read, refuses_at_the_first_deal_what_only_a_figure_knows, .timeout = 60)
{
	for (size_t i = 0; i < LENGTH(in_dealing); i++) {
		struct design_case c;
		struct dealt_case d;
		char err[900] = "";
		char *json = changed("200-ms-to-50", in_dealing[i].from, in_dealing[i].to);
		cr_assert(zero(int, case_read(&c, &tables, json, "changed.json", err, sizeof err)),
			"%s", err);
		cr_expect(eq(int, case_deal(&d, &c, &tables, 1, LEVEL_SENIOR, err, sizeof err), -1),
			"%s", in_dealing[i].to);
		expect_refusal(err, &in_dealing[i]);
		case_deal_release(&d);
		case_release(&c);
		free(json);
	}
}

/* A text that people read, wherever it stands: by the name of its member, or of the list that it is in. */
static bool is_said(const cJSON *item, const cJSON *list)
{
	static const char *const names[] = { "opening", "debrief", "tell", "why", "ask", "good",
		"say", "weak", "strong" };
	for (size_t i = 0; item->string && i < LENGTH(names); i++)
		if (strcmp(item->string, names[i]) == 0)
			return true;
	return list->string && (strcmp(list->string, "tells") == 0 ||
				       (strcmp(list->string, "levels") == 0 && !item->string));
}

/* One text after another has a name in it that nothing has. How many there were. */
static size_t refuse_each_text(const cJSON *root, cJSON *list)
{
	size_t n = 0;
	for (cJSON *item = list->child; item; item = item->next) {
		char wrong[] = "It takes {no_such_name}.", err[900] = "", *kept = item->valuestring;
		struct design_case c;
		struct dealt_case d = { .of = NULL };
		/* What a knob is called is no text with names in it. */
		if (item->string && strcmp(item->string, "knobs") == 0)
			continue;
		if (!cJSON_IsString(item)) {
			n += refuse_each_text(root, item);
			continue;
		}
		if (!is_said(item, list))
			continue;
		item->valuestring = wrong;
		char *json = cJSON_PrintUnformatted(root);
		item->valuestring = kept;
		const bool is_read =
			case_read(&c, &tables, json, "changed.json", err, sizeof err) == 0;
		const int rc =
			is_read ? case_deal(&d, &c, &tables, 1, LEVEL_PRINCIPAL, err, sizeof err)
				: -1;
		cr_expect(eq(int, rc, -1), "%s: %s", item->string ? item->string : list->string,
			kept);
		/* What is asked of an anchor may name no number at all; the list of levels that it is for has words. */
		cr_expect(strstr(err, "no_such_name") || strstr(err, "it would tell facts") ||
				  strstr(err, "no level"),
			"%s: %s", item->string ? item->string : list->string, err);
		case_deal_release(&d);
		case_release(&c);
		free(json);
		n++;
	}
	return n;
}

Test(case_read, a_name_that_is_none_is_refused_in_every_text, .timeout = 120)
{
	char *json = changed("gradients-over-ethernet", "\"schema\"", "\"schema\"");
	cJSON *root = cJSON_Parse(json);
	cr_assert(root != NULL);
	cr_expect(lt(sz, 60, refuse_each_text(root, root)));
	cJSON_Delete(root);
	free(json);
}

/* Half a file is refused wherever it ends, and never more than that. */
Test(case_read, takes_no_half_file)
{
	char *json = changed("200-ms-to-50", "\"schema\"", "\"schema\"");
	for (size_t n = strlen(json) - 3; n > 40; n -= n / 23) {
		struct design_case c;
		char err[500];
		json[n] = '\0';
		cr_expect(eq(int, case_read(&c, &tables, json, "half.json", err, sizeof err), -1));
		case_release(&c);
	}
	free(json);
}

Test(case_read, lists_each_case_once)
{
	struct case_list l;
	char *said = NULL;
	size_t size;
	FILE *err = open_memstream(&said, &size);
	cr_assert(zero(int, case_list_load(&l, err)));
	fclose(err);
	cr_expect(eq(str, said, ""));
	for (size_t i = 0; i < LENGTH(case_ids); i++) {
		size_t n = 0;
		for (size_t k = 0; k < l.n; k++)
			n += strcmp(l.cases[k].id, case_ids[i]) == 0;
		cr_expect(eq(sz, n, 1), "%s", case_ids[i]);
	}
	cr_expect(eq(sz, l.n, LENGTH(case_ids)), "tests/cases.h names every case");
	case_list_release(&l);
	free(said);
}

/* A case of the user's own that is there and gives no text is told, by the list and to who asks for it;
 * one that is not there is just none. */
Test(case_read, an_unreadable_case_is_told)
{
	char home[] = "/tmp/ridge-cases-XXXXXX", path[100], err[300], *said = NULL;
	size_t size;
	struct case_list l;
	struct design_case c;
	cr_assert(mkdtemp(home) != NULL);
	setenv("XDG_DATA_HOME", home, 1);
	for (const char *const *p = (const char *const[]){ "", "/cases", "/cases/mine.json", NULL };
		*p; p++) {
		snprintf(path, sizeof path, "%s/ridge%s", home, *p);
		cr_assert(zero(int, mkdir(path, 0700)));
	}
	FILE *err_stream = open_memstream(&said, &size);
	cr_expect(zero(int, case_list_load(&l, err_stream)));
	fclose(err_stream);
	cr_expect(eq(str, said, (char *)"cases/mine.json: expected a file\n"));
	case_list_release(&l);
	free(said);
	cr_expect(eq(int, case_load(&c, &tables, "mine", err, sizeof err), -1));
	cr_expect(strstr(err, "cases/mine.json: expected a file") != NULL, "%s", err);
	cr_expect(eq(int, case_load(&c, &tables, "yours", err, sizeof err), -1));
	cr_expect(strstr(err, "there is no case \"yours\"") != NULL, "%s", err);
	while (strlen(path) > strlen(home)) {
		rmdir(path);
		*strrchr(path, '/') = '\0';
	}
	rmdir(home);
}
