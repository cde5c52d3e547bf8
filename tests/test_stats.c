/* Statistics of a small history that was counted by hand, and `ridge stats`. */
#include "drills/stats.h"
#include "drills/stats_figure.h"
#include "tests/history.h"
#include "ui/commands/cmd_stats.h"
#include "ui/commands/commands.h"
#include "ui/commands/stats_export.h"
#include "ui/data/history_file.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DAY = 86400, NOW = 100 * DAY + 7200 };

#define BASE(day_, after_s, skill_, topic_, seed_)                                                 \
	.at_s = (day_)*DAY + (after_s), .drill = skill_, .skill = skill_, .topic = topic_,         \
	.seed = seed_, .given = "1", .value = 1, .mode = "study"
/* Skills that there are drills for, in the order of their names. */
#define A "decode"
#define B "numbers"
#define C "queueing"
#define PLAIN .used = true, .cause = ""
#define BITS .used = true, .cause = "bits vs bytes"

/* A problem that took two answers; one right at once; one given up after a wrong answer; one right
 * with a hint; and the first variant once more, wrong and then left. Between them a typo. */
static const struct history_event log_of_ten_days[] = {
	{ BASE(90, 0, A, "t", 1), BITS, .verdict = VERDICT_NAMED, .credit = 0.25, .attempt = 1,
		.took_s = 40, .par_s = 100 },
	{ BASE(90, 40, A, "t", 1), PLAIN, .verdict = VERDICT_CORRECT, .credit = 1, .attempt = 2,
		.took_s = 80, .par_s = 100 },
	{ BASE(92, 100, A, "t", 2), PLAIN, .verdict = VERDICT_CORRECT, .credit = 1, .attempt = 1,
		.took_s = 30, .par_s = 100 },
	{ BASE(92, 200, B, "t", 3), .cause = "", .verdict = VERDICT_INVALID, .used = false,
		.took_s = 5, .par_s = 100 },
	{ BASE(99, 0, B, "t", 3), PLAIN, .verdict = VERDICT_WRONG, .attempt = 1, .took_s = 20,
		.par_s = 100 },
	{ BASE(99, 150, B, "t", 3), PLAIN, .kind = HISTORY_GAVE_UP, .attempt = 1, .hints = 2,
		.took_s = 150, .par_s = 100 },
	{ BASE(100, 3600, C, "u", 4), PLAIN, .verdict = VERDICT_CORRECT, .credit = 1, .attempt = 1,
		.hints = 1, .took_s = 100, .par_s = 200 },
	{ BASE(100, 7000, A, "t", 1), BITS, .verdict = VERDICT_NAMED, .attempt = 1, .took_s = 120,
		.par_s = 100 },
};

static struct history ten_days(void)
{
	return (struct history){ .events = (struct history_event *)log_of_ten_days,
		.n = sizeof log_of_ten_days / sizeof *log_of_ten_days };
}

static struct stats stats_of_ten_days(void)
{
	struct stats s;
	struct history h = ten_days();
	cr_assert(eq(int, stats_init(&s, &h, NOW), 0));
	return s;
}

static const struct stats_group *find(const struct stats_group *groups, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(groups[i].name, name) == 0)
			return &groups[i];
	cr_assert(false, "no group %s", name);
	return NULL;
}

Test(stats, totals_and_groups)
{
	struct stats s = stats_of_ten_days();
	static const struct {
		const char *name;
		size_t problems, answers, correct;
		double credit, time_ratio, best_s;
	} rows[] = {
		/* credits 0.5 (second attempt), 1, 0, 0.9 (a hint), 0; times 0.8 0.3 1.5 0.5 1.2 */
		{ "all", 5, 6, 3, 2.4 / 5, 0.8, 30 },
		{ "t", 4, 5, 2, 1.5 / 4, 1.0 /* between 0.8 and 1.2 */, 30 },
		{ "u", 1, 1, 1, 0.9, 0.5, NAN },
		{ A, 3, 4, 2, 1.5 / 3, 0.8, 30 },
		{ B, 1, 1, 0, 0, 1.5, NAN },
		{ C, 1, 1, 1, 0.9, 0.5, NAN },
	};
	cr_assert(eq(sz, s.n_topics, 2));
	cr_assert(eq(sz, s.n_skills, 3));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct stats_group *g = i == 0  ? &s.total
					      : i < 3 ? find(s.topics, 2, rows[i].name)
						      : find(s.skills, 3, rows[i].name);
		cr_expect(eq(sz, g->problems, rows[i].problems), "%s", rows[i].name);
		cr_expect(eq(sz, g->answers, rows[i].answers), "%s", rows[i].name);
		cr_expect(eq(sz, g->correct, rows[i].correct), "%s", rows[i].name);
		cr_expect(epsilon_eq(dbl, g->credit, rows[i].credit, 1e-12), "%s", rows[i].name);
		cr_expect(epsilon_eq(dbl, g->time_ratio, rows[i].time_ratio, 1e-12), "%s",
			rows[i].name);
		cr_expect(isnan(rows[i].best_s) ? isnan(g->best_s) : g->best_s == rows[i].best_s,
			"%s", rows[i].name);
	}
	cr_expect(eq(sz, s.longest_run, 2));
	cr_expect(eq(sz, s.run, 0));
	cr_expect(eq(i64, s.total.best_at_s, 92 * DAY + 100));
	stats_release(&s);
}

/* "decode" is on the second rung here, "queueing" on the fourth, and "numbers" in no bank any more. */
static enum drill_rung rung_by_hand(const void *bank, const char *drill)
{
	(void)bank;
	return strcmp(drill, A) == 0 ? RUNG_APPLY : strcmp(drill, C) == 0 ? RUNG_JUDGE : N_RUNGS;
}

/* Of the second rung three problems, of which two are right; times over par 0.8, 0.3 and 1.2. */
Test(stats, rungs)
{
	struct stats s = stats_of_ten_days();
	cr_assert(zero(int, stats_rungs(&s, rung_by_hand, NULL)));
	cr_assert(eq(sz, s.n_rungs, 2));
	const struct stats_group *apply = &s.rungs[0], *judge = &s.rungs[1];
	cr_expect(strcmp(apply->name, "apply") == 0 && strcmp(judge->name, "judge") == 0);
	cr_expect(eq(sz, apply->problems, 3));
	cr_expect(eq(sz, apply->correct, 2));
	cr_expect(epsilon_eq(dbl, apply->time_ratio, 0.8, 1e-9));
	cr_expect(eq(dbl, apply->best_s, 30));
	cr_expect(eq(sz, judge->problems, 1));
	cr_expect(isnan(judge->best_s), "right with a hint is no best time");
	/* Two were right ten and eight days ago, one was not today. */
	for (size_t i = 0; i < STATS_WEEKS; i++) {
		cr_expect(eq(sz, apply->weeks[i], i == 10 ? 2 : i == 11), "week %zu", i);
		cr_expect(eq(sz, apply->weeks_right[i], i == 10 ? 2 : 0), "week %zu", i);
	}
	cr_expect(eq(sz, judge->weeks_right[STATS_WEEKS - 1], 1));
	struct figure fig = { 0 };
	const struct table *t = NULL;
	stats_figure(&s, &fig);
	for (size_t i = 0; i < fig.n_blocks; i++)
		if (fig.blocks[i]->kind == BLOCK_TABLE &&
			strncmp(fig.blocks[i]->as.table.title, "By rung", 7) == 0)
			t = &fig.blocks[i]->as.table;
	cr_assert(t != NULL);
	cr_expect(eq(str, (char *)t->rows[0][5], (char *)"··········█▁"));
	cr_expect(eq(str, (char *)t->rows[1][5], (char *)"···········█"));
	figure_release(&fig);
	stats_release(&s);
}

Test(stats, mistakes_over_time)
{
	struct stats s = stats_of_ten_days();
	cr_assert(eq(sz, s.n_causes, 1));
	cr_expect(eq(str, (char *)s.causes[0].name, "bits vs bytes"));
	cr_expect(eq(sz, s.causes[0].n, 2));
	cr_expect(eq(i64, s.causes[0].last_s, 100 * DAY + 7000));
	for (size_t i = 0; i < STATS_WEEKS; i++) /* ten days ago, and today */
		cr_expect(eq(sz, s.causes[0].weeks[i], i >= 10 ? 1 : 0), "week %zu", i);
	stats_release(&s);
}

Test(stats, days)
{
	static const struct stats_day rows[] = { { 90, 1, 1 }, { 92, 1, 1 }, { 99, 1, 0 },
		{ 100, 2, 1 } };
	struct stats s = stats_of_ten_days();
	cr_assert(eq(sz, s.n_days, 4));
	for (size_t i = 0; i < 4; i++) {
		cr_expect(eq(i64, s.days[i].day, rows[i].day));
		cr_expect(eq(sz, s.days[i].problems, rows[i].problems));
		cr_expect(eq(sz, s.days[i].correct, rows[i].correct));
	}
	stats_release(&s);
}

/* a: Hard, two days later Easy, eight days later Again, whose step of ten minutes is not over.
 * b: Again yesterday. c: Hard an hour ago, which comes again after 330 s. */
Test(stats, schedule_is_a_replay)
{
	struct stats s = stats_of_ten_days();
	const double *w = fsrs_defaults.w;
	struct fsrs_memory m = fsrs_remember(w, (struct fsrs_memory){ 0 }, 0, FSRS_HARD);
	m = fsrs_remember(w, fsrs_remember(w, m, 2, FSRS_EASY), 8, FSRS_AGAIN);
	const struct stats_group *a = find(s.skills, 3, A), *b = find(s.skills, 3, B),
				 *c = find(s.skills, 3, C);
	cr_expect(eq(dbl, a->card.memory.stability_days, m.stability_days));
	cr_expect(eq(dbl, a->card.memory.difficulty, m.difficulty));
	cr_expect(eq(int, a->card.state, FSRS_RELEARNING));
	cr_expect(eq(i64, a->card.due_s, 100 * DAY + 7600));
	cr_expect(eq(i64, b->card.due_s, 99 * DAY + 150 + 60));
	cr_expect(eq(i64, c->card.due_s, 100 * DAY + 3600 + 330));
	cr_expect(epsilon_eq(dbl, b->recall, fsrs_recall(w, 1, 0.212), 1e-12));
	cr_expect(b->due && c->due && !a->due);
	cr_expect(eq(sz, s.n_due, 2));
	stats_release(&s);
}

/* Whoever has just failed at something would know it now by the curve; and has never known it. */
Test(stats, what_was_never_right_is_weakest)
{
	struct stats_group skills[] = {
		{ .name = "faded", .problems = 3, .correct = 2, .recall = 0.5 },
		{ .name = "never", .problems = 2, .correct = 0, .recall = 0.99 },
		{ .name = "stays", .problems = 2, .correct = 2, .recall = 1 }
	};
	const struct stats s = { .skills = skills, .n_skills = 3 };
	const struct stats_group *out[3];
	cr_assert(eq(sz, stats_rank(&s, STATS_WEAKEST, out, 3), 3));
	cr_expect(eq(str, (char *)out[0]->name, "never"));
	cr_expect(eq(str, (char *)out[1]->name, "faded"));
	cr_expect(eq(str, (char *)out[2]->name, "stays"));
}

/* One of one missed counts as 2 of 3, one of three as 2 of 5. */
Test(stats, rankings)
{
	static const struct {
		enum stats_order order;
		const char *names; /* their first letters */
	} rows[] = { { STATS_DUE, "nq" }, { STATS_MISSED, "nd" }, { STATS_SLOWEST, "n" },
		{ STATS_WEAKEST, "ndq" } };
	struct stats s = stats_of_ten_days();
	const struct stats_group *out[3];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char names[4] = "";
		size_t n = stats_rank(&s, rows[i].order, out, 3);
		for (size_t k = 0; k < n; k++)
			names[k] = *out[k]->name;
		cr_expect(eq(str, names, (char *)rows[i].names), "row %zu", i);
		cr_expect(eq(sz, stats_rank(&s, rows[i].order, out, 1), 1));
		cr_expect(eq(chr, *out[0]->name, *rows[i].names));
	}
	cr_expect(eq(sz, stats_rank(&s, STATS_DUE, out, 0), 0));
	stats_release(&s);
}

/* Answers of two programs come in any order among each other. */
Test(stats, two_sessions_interleaved)
{
	const struct history_event events[] = {
		{ BASE(1, 0, A, "t", 1), PLAIN, .verdict = VERDICT_WRONG, .attempt = 1,
			.par_s = 1 },
		{ BASE(1, 1, A, "t", 9), PLAIN, .verdict = VERDICT_WRONG, .attempt = 1,
			.par_s = 1 },
		{ BASE(1, 2, A, "t", 1), PLAIN, .verdict = VERDICT_CORRECT, .attempt = 2,
			.par_s = 1 },
		{ BASE(1, 3, A, "t", 9), PLAIN, .verdict = VERDICT_CORRECT, .attempt = 2,
			.par_s = 1 },
	};
	struct history h = { .events = (struct history_event *)events, .n = 4 };
	struct stats s;
	cr_assert(eq(int, stats_init(&s, &h, NOW), 0));
	cr_expect(eq(sz, s.total.problems, 2));
	cr_expect(eq(sz, s.total.correct, 2));
	cr_expect(eq(sz, s.total.answers, 4));
	stats_release(&s);
}

/* Wilson's interval by hand: of 3 with 1 right, (1/3 + 3.8415 / 6) / (1 + 3.8415 / 3) = 0.427, and
 * 1.96 / 2.2805 * sqrt(2 / 27 + 3.8415 / 36) = 0.3654 to either side. Of all n right, the lower end is
 * n / (n + 3.8415). */
Test(stats, range_of_a_share)
{
	static const struct {
		size_t right, n;
		double lo, hi;
	} rows[] = { { 0, 0, 0, 1 }, { 1, 3, 0.0615, 0.7923 }, { 1, 1, 1 / 4.8415, 1 },
		{ 10, 10, 10 / 13.8415, 1 }, { 0, 10, 0, 3.8415 / 13.8415 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double lo, hi;
		stats_share_range(rows[i].right, rows[i].n, &lo, &hi);
		cr_expect(epsilon_eq(dbl, lo, rows[i].lo, 1e-4), "%zu of %zu", rows[i].right,
			rows[i].n);
		cr_expect(epsilon_eq(dbl, hi, rows[i].hi, 1e-4), "%zu of %zu", rows[i].right,
			rows[i].n);
	}
}

Test(stats, empty_history)
{
	struct history h = { 0 };
	struct stats s;
	struct figure fig = { 0 };
	cr_assert(eq(int, stats_init(&s, &h, NOW), 0));
	cr_expect(eq(
		sz, s.n_problems + s.n_topics + s.n_skills + s.n_causes + s.n_days + s.n_due, 0));
	stats_figure(&s, &fig);
	cr_assert(eq(sz, fig.n_blocks, 1));
	cr_expect(eq(str, (char *)fig.blocks[0]->as.note.text, "No answers yet."));
	figure_release(&fig);
	stats_release(&s);
}

Test(stats, figure_says_it)
{
	struct stats s = stats_of_ten_days();
	struct figure fig = { 0 };
	stats_figure(&s, &fig);
	cr_assert(not(fig.arena.failed));
	cr_expect(epsilon_eq(dbl, figure_find(&fig, "right")->value, 60, 1e-12));
	cr_expect(eq(dbl, figure_find(&fig, "due")->value, 2));
	cr_expect(eq(str, (char *)fig.blocks[0]->as.note.text,
		(char *)"2 skills due: numbers, queueing."));
	cr_assert(eq(int, fig.blocks[1]->kind, BLOCK_PLOT));
	const struct series *days = &fig.blocks[1]->as.plot.series[0];
	const struct series *weeks = &fig.blocks[1]->as.plot.series[1];
	const struct table *skills = &fig.blocks[2]->as.table;
	cr_expect(eq(str, (char *)skills->title, (char *)stats_skills_title));
	cr_assert(eq(sz, skills->n_rows, 3));
	cr_expect(eq(str, (char *)skills->rows[0][0], B), "the lowest recall comes first");
	cr_assert(eq(sz, days->n, 4));
	cr_expect(eq(dbl, days->points[0].x, -10));
	cr_expect(eq(dbl, days->points[3].y, 50));
	cr_expect(epsilon_eq(dbl, weeks->points[1].y, 100, 1e-12));       /* days 90 and 92 */
	cr_expect(epsilon_eq(dbl, weeks->points[3].y, 100.0 / 3, 1e-12)); /* 99 and 100: 1 of 3 */
	/* One datum is no recall: it was wrong or first right minutes ago. */
	cr_expect(eq(str, (char *)skills->rows[0][1], (char *)"first seen"));
	cr_expect(eq(str, (char *)skills->rows[1][1], (char *)"learning"));
	cr_expect(eq(str, (char *)skills->rows[0][3], ""), "never right: no time");
	/* Right in 0.8, 0.3 and 0.5 of par: one and one more within half of it, one within it. No
	 * curve comes before: what is still being learnt has none. */
	cr_assert(eq(int, fig.blocks[3]->kind, BLOCK_BARS));
	static const double times[] = { 2, 1, 0, 0 };
	for (size_t i = 0; i < 4; i++)
		cr_expect(eq(dbl, fig.blocks[3]->as.bars.bars[i].parts[0], times[i]), "%zu", i);
	const char *slowest = fig.blocks[fig.n_blocks - 2]->as.note.text;
	const char *bests = fig.blocks[fig.n_blocks - 1]->as.note.text;
	cr_expect(eq(str, (char *)slowest, (char *)"Slowest: numbers (1.5 times par)."));
	cr_expect(eq(str, (char *)bests,
		(char *)"Personal bests: 2 right in a row; the latest fastest times: decode 30 "
			"s."));
	figure_release(&fig);
	stats_release(&s);
}

Test(stats, a_figure_without_memory_is_none)
{
	struct stats s = stats_of_ten_days();
	struct figure fig = { .arena = { .failed = true } };
	stats_figure(&s, &fig);
	cr_expect(zero(sz, fig.n_blocks));
	figure_release(&fig);
	stats_release(&s);
}

/* Three skills that were easy at once are known, and fade from today on. */
Test(stats, recall_fades)
{
	static const char *const skills[] = { "a", "b", "c" };
	struct history_event events[3];
	for (size_t i = 0; i < 3; i++) {
		events[i] = event(i);
		events[i].skill = skills[i];
		events[i].at_s = NOW - 10 * (int64_t)CALENDAR_DAY_S;
		events[i].took_s = 0.4 * events[i].par_s;
	}
	const struct history h = { .events = events, .n = 3 };
	struct stats s;
	struct figure fig = { 0 };
	cr_assert(eq(int, stats_init(&s, &h, NOW), 0));
	stats_figure(&s, &fig);
	const struct plot *recall = NULL;
	for (size_t i = 0; i < fig.n_blocks; i++)
		if (fig.blocks[i]->kind == BLOCK_PLOT)
			recall = &fig.blocks[i]->as.plot;
	cr_assert(ne(ptr, (void *)recall, NULL));
	const struct series *mean = &recall->series[0];
	cr_assert(eq(sz, mean->n, 31));
	for (size_t i = 1; i < mean->n; i++)
		cr_expect(lt(dbl, mean->points[i].y, mean->points[i - 1].y));
	cr_expect(le(dbl, recall->y.min, mean->points[30].y));
	figure_release(&fig);
	stats_release(&s);
}

/* The command, over a data folder of its own. */
static char base[64], file[128];

static void make_home(void)
{
	strcpy(base, "/tmp/ridge-stats-XXXXXX");
	cr_assert(ne(ptr, mkdtemp(base), NULL));
	setenv("XDG_DATA_HOME", base, 1);
	cr_assert(ne(ptr, history_path(file, sizeof file), NULL));
	setlocale(LC_CTYPE, "C.UTF-8");
}

static void remove_home(void)
{
	char folder[80];
	snprintf(folder, sizeof folder, "%s/ridge", base);
	unlink(file);
	rmdir(folder);
	rmdir(base);
}

static void keep_ten_days(void)
{
	char err[300];
	for (size_t i = 0; i < sizeof log_of_ten_days / sizeof *log_of_ten_days; i++)
		cr_assert(eq(int, history_append(file, &log_of_ten_days[i], err, sizeof err), 0),
			"%s", err);
}

/* What it prints, to be freed; err may be NULL where nothing is expected there. */
static char *printed(const char *options, int want, char **err)
{
	char words[64], *argv[8] = { NULL }, *out_text = NULL, *err_text = NULL;
	int argc = 0;
	size_t n_out, n_err;
	snprintf(words, sizeof words, "stats %s", options);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	struct streams io = { stdin, open_memstream(&out_text, &n_out),
		open_memstream(&err_text, &n_err), NOW };
	cr_expect(eq(int, command_run(argc, argv, &io), want), "%s", options);
	fclose(io.out);
	fclose(io.err);
	if (err) {
		*err = err_text;
	} else {
		cr_expect(eq(str, err_text, ""));
		free(err_text);
	}
	return out_text;
}

static void expect_in(const char *text, const char *part)
{
	cr_expect(ne(ptr, strstr(text, part), NULL), "no \"%s\" in\n%s", part, text);
}

Test(stats_command, says_what_to_do_first, .init = make_home, .fini = remove_home)
{
	char *text = printed("", 0, NULL);
	expect_in(text, "No answers yet.");
	expect_in(text, "ridge drill");
	expect_in(text, file);
	free(text);
	free(printed("--json", 0, NULL));
	free(printed("--csv", 0, NULL));
	text = printed("--export", 0, NULL);
	cr_expect(eq(str, text, ""));
	free(text);
}

Test(stats_command, report, .init = make_home, .fini = remove_home)
{
	keep_ten_days();
	FILE *f = fopen(file, "a");
	fputs("{\"torn", f);
	fclose(f);
	char *text = printed("", 0, NULL);
	expect_in(text, "60 %  (3 of 5)");
	expect_in(text, "bits vs bytes       2x  ..........11");
	expect_in(text, "! 2 skills due: numbers, queueing.\n");
	expect_in(text,
		"1 of 9 lines of the history cannot be read (line 9: not an object in JSON); it is "
		"kept.");
	free(text);
}

Test(stats_command, json_and_csv, .init = make_home, .fini = remove_home)
{
	keep_ten_days();
	char *text = printed("--json", 0, NULL);
	cJSON *obj = cJSON_ParseWithOpts(text, NULL, true);
	cr_assert(ne(ptr, obj, NULL));
	const cJSON *total = cJSON_GetObjectItemCaseSensitive(obj, "total");
	const cJSON *right = cJSON_GetObjectItemCaseSensitive(total, "correct");
	const cJSON *due = cJSON_GetObjectItemCaseSensitive(obj, "due");
	cr_assert(cJSON_IsNumber(right) && cJSON_IsArray(due));
	cr_expect(eq(dbl, right->valuedouble, 3));
	cr_expect(eq(str, cJSON_GetArrayItem(due, 0)->valuestring, B));
	cJSON_Delete(obj);
	free(text);
	text = printed("--csv", 0, NULL);
	expect_in(text, "\nall,,,5,6,3,0.48,0.8,30,,\n");
	expect_in(text, "\ntopic,t,,4,5,2,0.375,1,30,,\n");
	expect_in(text, "\nskill,u,queueing,1,1,1,0.9,0.5,,1,8643930\n");
	free(text);
	text = printed("--export --csv", 0, NULL);
	expect_in(text, "\n1,7776000,answer,decode,decode,t,1,0,1,1,NAMED,true,0.25,bits vs "
			"bytes,0,1,false,40,100,study,0,1\n");
	free(text);
}

/* The export is a history again: the same statistics come of it. */
Test(stats_command, export_comes_back, .init = make_home, .fini = remove_home)
{
	const struct history_event steps[] = {
		{ BASE(99, 1, A, "t", 8), PLAIN, .verdict = VERDICT_CORRECT, .credit = 1,
			.attempt = 1, .took_s = 20, .par_s = 100, .steps = 2 },
		{ BASE(99, 2, A, "t", 8), PLAIN, .kind = HISTORY_TIMED_OUT, .took_s = 40,
			.par_s = 100, .step = 1, .steps = 2 },
	};
	char err[300];
	keep_ten_days();
	for (size_t i = 0; i < 2; i++)
		cr_assert(eq(int, history_append(file, &steps[i], err, sizeof err), 0), "%s", err);
	char *events = printed("--export", 0, NULL), *before = printed("--json", 0, NULL);
	FILE *f = fopen(file, "w");
	fputs(events, f);
	fclose(f);
	char *after = printed("--json", 0, NULL);
	cr_expect(eq(str, before, after));
	free(events);
	free(before);
	free(after);
}

/* A file from somewhere else cannot talk to the terminal. */
Test(stats_command, no_control_bytes, .init = make_home, .fini = remove_home)
{
	static const char *const options[] = { "", "--json", "--csv", "--export",
		"--export --csv" };
	struct history_event e = log_of_ten_days[0];
	char err[300];
	e.skill = e.drill = e.topic = e.given = e.cause = e.mode = "\x1b]0;x\x07\r,\"";
	cr_assert(eq(int, history_append(file, &e, err, sizeof err), 0));
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		char *text = printed(options[i], 0, NULL);
		for (const char *p = text; *p; p++)
			cr_assert(strchr("\n\t", *p) || !iscntrl((unsigned char)*p), "%s: %d",
				options[i], *p);
		free(text);
	}
}

Test(stats_command, refuses_in_one_line, .init = make_home, .fini = remove_home)
{
	static const struct {
		const char *options, *says;
	} rows[] = {
		{ "--jsn", "ridge stats: there is no option --jsn; did you mean \"--json\"? "
			   "(ridge stats --help lists them)\n" },
		{ "kv", "ridge stats: expected only options, found \"kv\"\n" },
		{ "--json --csv", "ridge stats: --json and --csv: expected one of them\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *err, *text = printed(rows[i].options, 2, &err);
		cr_expect(eq(str, err, (char *)rows[i].says));
		free(err);
		free(text);
	}
	mkdir(base, 0700);
	char *err, folder[80], *text;
	snprintf(folder, sizeof folder, "%s/ridge", base);
	mkdir(folder, 0700);
	mkdir(file, 0700);
	text = printed("", 1, &err);
	expect_in(err, "ridge stats: cannot read the history /tmp/");
	free(err);
	free(text);
	rmdir(file);
}
