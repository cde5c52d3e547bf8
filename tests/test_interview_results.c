/* Kept interviews as statistics have them: records written by hand, those taken and those given, read
 * from their folders, and what `ridge stats` says of them. */
#include "tests/cases.h"
#include "tests/explorer.h"

#include "drills/case_stats_figure.h"
#include "sims/base/array.h"
#include "ui/interviewer/interview_results.h"
#include "ui/practice/case_record.h"
#include "ui/practice/drill_request.h"
#include "ui/screens/case/case_state.h"
#include "ui/screens/interviewer/interviewer_screen.h"
#include "ui/screens/stats/stats_screen.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tables tables;
static char folder[] = "/tmp/ridge-results-XXXXXX";

static void write_record(const char *where, const char *name, const char *text)
{
	char path[200];
	snprintf(path, sizeof path, "%s/ridge", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/ridge/%s", folder, where);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/ridge/%s/%s", folder, where, name);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs(text, f);
	cr_assert(zero(int, fclose(f)));
}

/* Two of the six facts that must be asked for in five minutes, then the debrief, after which everything is known
 * and a question counts for nothing; a mark of one's own. */
static const char taken[] =
	"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"case\":\"200-ms-to-50\",\"seed\":\"7\","
	"\"level\":\"senior\",\"minutes\":45}\n"
	"{\"did\":\"line\",\"ms\":60000,\"text\":\"How many cameras are there?\"}\n"
	"{\"did\":\"line\",\"ms\":120000,\"text\":\"What is the current pipeline?\"}\n"
	"{\"did\":\"line\",\"ms\":300000,\"text\":\"next\"}\n"
	"{\"did\":\"line\",\"ms\":420000,\"text\":\"end\"}\n"
	"{\"did\":\"line\",\"ms\":430000,\"text\":\"What is the frame rate?\"}\n"
	"{\"did\":\"line\",\"ms\":440000,\"text\":\"mark clarify 3\"}\n"
	"{\"did\":\"end\",\"ms\":450000}\n";

/* The same case on an interviewer's desk, with Ada: three facts told, the third by its number, marks for two
 * phases and for the whole. */
static const char given[] =
	"{\"schema\":1,\"did\":\"begin\",\"at\":1767312000,\"code\":\"%s\",\"name\":\"Ada\"}\n"
	"{\"did\":\"clock\",\"at\":1767312000,\"ms\":0,\"n\":1}\n"
	"{\"did\":\"heard\",\"at\":1767312060,\"ms\":60000,\"n\":0,\"text\":\"1\"}\n"
	"{\"did\":\"heard\",\"at\":1767312070,\"ms\":70000,\"n\":0,\"text\":\"2\"}\n"
	"{\"did\":\"heard\",\"at\":1767312080,\"ms\":80000,\"n\":0,\"text\":\"3\"}\n"
	"{\"did\":\"mark\",\"at\":1767312180,\"ms\":180000,\"n\":2}\n"
	"{\"did\":\"go\",\"at\":1767312240,\"ms\":240000,\"n\":1}\n"
	"{\"did\":\"mark\",\"at\":1767312280,\"ms\":280000,\"n\":4}\n"
	"{\"did\":\"go\",\"at\":1767312300,\"ms\":300000,\"n\":5}\n"
	"{\"did\":\"mark\",\"at\":1767312310,\"ms\":300000,\"n\":3}\n"
	"{\"did\":\"end\",\"at\":1767312320,\"ms\":300000,\"n\":3}\n";

/* Nobody told this candidate what it came to. */
static const char held[] =
	"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"case\":\"200-ms-to-50\",\"seed\":\"7\","
	"\"level\":\"senior\",\"minutes\":45,\"with\":\"interviewer\"}\n"
	"{\"did\":\"line\",\"ms\":60000,\"text\":\"estimate 1 5 ms\"}\n";

static void write_all(void)
{
	struct drill_request r = { .options = { .mode = MODE_INTERVIEW, .seed = 7 },
		.seeded = true,
		.levelled = true,
		.level = LEVEL_SENIOR,
		.case_id = "200-ms-to-50" };
	char err[300], text[2000];
	cr_assert(zero(int, drill_request_complete_case(&r, 7, err, sizeof err)), "%s", err);
	snprintf(text, sizeof text, given, r.code);
	write_record("sittings", "20260101-000000-200-ms-to-50.jsonl", taken);
	write_record("sittings", "20260101-000001-200-ms-to-50.jsonl", held);
	write_record("sittings", "20260101-000002-200-ms-to-50.jsonl", "spoilt\n");
	write_record("interviews", "20260102-000000-XXXX.jsonl", text);
}

static void load(void)
{
	cases_load_tables(&tables);
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_DATA_HOME", folder, 1);
	write_all();
}

static void unload(void)
{
	char command[100];
	tables_release(&tables);
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect(zero(int, system(command)));
}

TestSuite(interview_results, .init = load, .fini = unload);

static struct case_stats counted(struct interview_results *r)
{
	struct case_stats s;
	cr_assert(zero(int, interview_results_find(r)));
	while (interview_results_next(r, &tables))
		;
	cr_assert(zero(int, interview_results_count(r, &s)));
	return s;
}

Test(interview_results, are_read_from_both_folders)
{
	struct interview_results r = { .n = 0 };
	struct case_stats s = counted(&r);
	cr_expect(eq(sz, r.n, 4));
	cr_expect(eq(sz, r.unreadable, 1));
	cr_assert(eq(sz, s.n_people, 2));
	const struct case_result *mine = s.people[0].results[0], *ada = s.people[1].results[0];
	cr_expect(eq(str, (char *)s.people[1].name, "Ada"));
	cr_expect(s.people[1].given && !s.people[0].given);
	/* What was asked behind the debrief is not there, the mark is. */
	cr_expect(eq(sz, case_result_asked(mine), 2));
	cr_expect(mine->over && mine->marks[CASE_CLARIFY] == 3 && mine->at_s == 1767225600);
	cr_expect(
		mine->spent_ms[CASE_CLARIFY] == 300000 && mine->spent_ms[CASE_ESTIMATE] == 120000);
	/* It was broken off in the estimate. */
	cr_expect(mine->counts[CASE_ESTIMATE] && !mine->counts[CASE_DESIGN] &&
		  !mine->counts[CASE_TWIST]);
	/* The first three facts must all be asked for. */
	cr_expect(eq(sz, case_result_asked(ada), 3));
	cr_expect(ada->over && ada->mark == 3 && ada->marks[CASE_CLARIFY] == 2 &&
		  ada->marks[CASE_ESTIMATE] == 4 && ada->marks[CASE_DESIGN] == 0);
	cr_expect(ada->spent_ms[CASE_CLARIFY] == 240000 && ada->spent_ms[CASE_ESTIMATE] == 60000);
	case_stats_release(&s);
	interview_results_release(&r);
}

/* One with marks alone counts, one without anything and one at problems do not. */
Test(interview_results, a_desk_counts_by_what_was_heard_or_marked)
{
	static const struct {
		const char *deeds;
		bool is;
	} rows[] = {
		{ "", false },
		{ "{\"did\":\"mark\",\"at\":1767312180,\"ms\":180000,\"n\":2}\n", true },
		{ "{\"did\":\"go\",\"at\":1767312180,\"ms\":180000,\"n\":5}\n"
		  "{\"did\":\"mark\",\"at\":1767312310,\"ms\":300000,\"n\":3}\n",
			true },
		{ "{\"did\":\"heard\",\"at\":1767312060,\"ms\":60000,\"n\":0,\"text\":\"1\"}\n",
			true },
	};
	struct drill_request q = { .options = { .mode = MODE_INTERVIEW, .seed = 7 },
		.seeded = true,
		.levelled = true,
		.level = LEVEL_SENIOR,
		.case_id = "200-ms-to-50" };
	char err[300], text[2000];
	cr_assert(zero(int, drill_request_complete_case(&q, 7, err, sizeof err)), "%s", err);
	const char *const codes[] = { q.code, "810M-15" };
	for (size_t i = 0; i < LENGTH(rows); i++)
		for (size_t k = 0; k < LENGTH(codes); k++) {
			struct case_result r = { .mark = 0 };
			bool readable = false;
			snprintf(text, sizeof text,
				"{\"schema\":1,\"did\":\"begin\",\"at\":1767312000,\"code\":\"%s\"}\n"
				"{\"did\":\"clock\",\"at\":1767312000,\"ms\":0,\"n\":1}\n%s",
				codes[k], rows[i].deeds);
			const bool is = interview_result_given(&tables, text, &r, &readable);
			cr_expect(readable, "%s", text);
			cr_expect(eq(int, is, rows[i].is &&k == 0), "%s", text);
		}
	struct case_result r;
	bool readable = true;
	cr_expect(not(interview_result_given(&tables, "spoilt\n", &r, &readable)));
	cr_expect(not(readable));
}

/* A screen that opens again reads only what was added. */
Test(interview_results, are_read_once)
{
	struct interview_results r = { .n = 0 };
	struct case_stats s = counted(&r);
	case_stats_release(&s);
	write_record("sittings", "20260103-000000-200-ms-to-50.jsonl", taken);
	cr_assert(zero(int, interview_results_find(&r)));
	cr_expect(r.n == 5 && r.at == 4);
	cr_expect(interview_results_next(&r, &tables));
	cr_assert(zero(int, interview_results_count(&r, &s)));
	cr_expect(eq(sz, s.people[0].n, 2));
	cr_expect(eq(sz, s.people[0].n_last, 1));
	case_stats_release(&s);
	interview_results_release(&r);
}

Test(interview_results, the_command_says_them)
{
	static const struct {
		const char *file, *has;
	} rows[] = { { "text", "Your interviews" }, { "text", "Interviews given: Ada" },
		{ "text", "1 record of interviews cannot be read" },
		{ "text", "Clarify .* 2 of 6 " }, { "text", "Next: " },
		{ "json", "\"candidate\":\"Ada\"" }, { "json", "\"facts\":6,\"asked\":3" },
		{ "json", "\"marks\":{\"clarify\":2,\"estimate\":4}" },
		{ "json", "\"next\":{\"case\":" } };
	char command[400];
	snprintf(command, sizeof command,
		"export XDG_DATA_HOME=%s; $RIDGE stats >%s/text && $RIDGE stats --json | "
		"tr -d '[:space:]' >%s/json",
		folder, folder, folder);
	cr_assert(zero(int, system(command)));
	for (size_t i = 0; i < LENGTH(rows); i++) {
		snprintf(command, sizeof command, "grep -q '%s' %s/%s", rows[i].has, folder,
			rows[i].file);
		cr_expect(zero(int, system(command)), "%s", rows[i].has);
	}
}

/* The sentence over a person's interviews has what is known, and nothing of what is not. */
Test(interview_results, the_sentence_says_what_is_known)
{
	char text[CASE_SENTENCE];
	struct interview_results r = { .n = 0 };
	struct case_stats s = counted(&r);
	cr_expect(eq(str, case_person_headline(&s.people[0], text, sizeof text),
		"1 interview taken: 33 % of the facts asked for, 0 % of the numbers within a factor of "
		"1.3."));
	cr_expect(eq(str, case_ago(1767225600, 1767225600 + 86399, text, sizeof text), "today"));
	cr_expect(eq(str, case_ago(1767225599, 1767225600, text, sizeof text), "yesterday"));
	cr_expect(eq(str, case_ago(0, 3 * 86400, text, sizeof text), "3 days ago"));
	case_stats_release(&s);
	interview_results_release(&r);
}

/* --- the screen ------------------------------------------------------------------------- */

static int load_nothing(struct history *h, char *err, size_t err_size)
{
	(void)err;
	(void)err_size;
	return history_parse(h, calloc(1, 1), 0);
}

/* The statistics with all records read. */
static struct explorer opened(int rows, int cols)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_LINES);
	e.app->epoch_s = 1767312000 + 86400;
	e.app->load_history = load_nothing;
	e.app->load_case = case_file_read;
	cr_assert(explorer_open(&e, "stats"));
	const struct interview_results *r = &stats_seen(e.app)->interviews;
	cr_expect(eq(sz, r->n, 4));
	while (r->at < r->n)
		app_tick(e.app, e.now_ms);
	return e;
}

static void expect_all(struct explorer *e, const char *const texts[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *screen = explorer_text(e);
		cr_expect(strstr(screen, texts[i]) != NULL, "\"%s\" is not in:\n%s", texts[i],
			screen);
		free(screen);
	}
}

/* Who answered no drill sees interviews first; Tab goes from person to person and back to the answers. */
Test(interview_results, a_person_is_a_part_of_the_statistics)
{
	static const int sizes[][2] = { { 24, 80 }, { 32, 100 }, { 48, 160 } };
	static const char *const mine[] = { "Your interviews", "2/3  Tab", "1 interview taken",
		"▸ Next: ", "2 of 6", "33 %", "5 of ", "3.0", "Never asked for" };
	static const char *const ada[] = { "3/3  Tab", "1 interview given", "3 of 6", "50 %",
		"4 of " };
	static const char *const none[] = { "1/3  Tab", "No answers yet." };
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct explorer e = opened(sizes[i][0], sizes[i][1]);
		expect_all(&e, mine, LENGTH(mine));
		explorer_press(&e, "Tab");
		expect_all(&e, ada, LENGTH(ada));
		explorer_press(&e, "Tab");
		expect_all(&e, none, LENGTH(none));
		explorer_end(&e);
	}
}

static void expect_row(struct explorer *e, const char *text)
{
	expect_all(e, (const char *const[]){ text }, 1);
}

/* Enter on a row reads what was said there, up to the debrief, and changes nothing in the record; "a" leads to the
 * first page of that case with other numbers. */
Test(interview_results, enter_reads_a_record)
{
	struct explorer e = opened(24, 80);
	explorer_press(&e, "Down");
	expect_row(&e, "read it");
	explorer_press(&e, "Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_CASE));
	const struct case_view *v = case_of(e.app);
	cr_assert(eq(int, (int)case_where(v), CASE_READING));
	cr_expect(eq(u64, v->sitting.deal.seed, 7));
	expect_row(&e, "Our cars plan on pictures"); /* from the beginning */
	expect_row(&e, "> How many cameras are there?");
	explorer_press(&e, "Down Down PgDn g");
	expect_row(&e, "Our cars plan on pictures");
	explorer_press(&e, "Down Up");
	expect_row(&e, "Our cars plan on pictures");
	explorer_press(&e, "G");
	expect_row(&e, "> mark clarify 3");
	expect_row(&e, "A record of what was said. Nothing is added to it.");
	/* It cannot be added to: keys are no line here, and the clock stands. */
	explorer_type(&e, "xyz");
	explorer_press(&e, "Enter");
	app_tick(e.app, e.now_ms + 600000);
	cr_expect(eq(i64, case_clock_ms(v, e.now_ms + 600000), 450000));
	char *record = case_file_text("20260101-000000-200-ms-to-50.jsonl");
	cr_expect(eq(str, record, (char *)taken));
	free(record);
	explorer_press(&e, "a");
	cr_expect(eq(int, (int)case_where(v), CASE_READY));
	cr_expect(ne(u64, v->sitting.deal.seed, 7));
	explorer_end(&e);
}

/* What is no record in the folder of records is refused in a line. */
Test(interview_results, a_record_that_is_not_there_is_refused)
{
	static const char *const names[] = { "case:record=none.jsonl",
		"case:record=../interviews/x.jsonl",
		"case:record=20260101-000002-200-ms-to-50.jsonl" };
	struct explorer e = opened(24, 80);
	for (size_t i = 0; i < LENGTH(names); i++) {
		char err[400] = "";
		cr_expect(ne(int, app_open_target(e.app, names[i], err, sizeof err), 0), "%s",
			names[i]);
		cr_expect(strstr(err, "there is no record") != NULL, "%s", names[i]);
	}
	explorer_end(&e);
}

/* Enter takes the case that is next; on a row its record is read; of a candidate it is given to them. */
Test(interview_results, enter_takes_or_gives_a_case)
{
	struct explorer e = opened(24, 80);
	explorer_press(&e, "Down");
	expect_all(&e, (const char *const[]){ "▸ 200 ms must become 50", "2 days ago" }, 2);
	explorer_press(&e, "Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_CASE));
	cr_expect(eq(str, (char *)case_of(e.app)->wish.id, "200-ms-to-50"));
	explorer_press(&e, "Esc");
	cr_assert(eq(int, e.app->screen, SCREEN_STATS));
	cr_expect(eq(sz, stats_seen(e.app)->part, 1));
	explorer_press(&e, "Tab Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_INTERVIEWER));
	cr_expect(eq(str, (char *)interviewer_of(e.app)->candidate, "Ada"));
	cr_expect(interviewer_of(e.app)->at_case != NULL);
	explorer_end(&e);
}
