/* The modes of a drill session by the keys, against a clock that the test turns. */
#include "tests/driller.h"
#include "tests/whole_bank.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/shell/bindings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>

/* --- what is kept ----------------------------------------------------------------------- */

static struct kept {
	enum history_kind kind;
	double took_s;
	bool scratch;
	char given[64];
} kept[200];
static size_t n_kept;

static int keep(const struct history_event *e, char *err, size_t err_size)
{
	(void)err;
	(void)err_size;
	struct kept *k = &kept[n_kept < 199 ? n_kept++ : 199];
	*k = (struct kept){ e->kind, e->took_s, e->scratch, "" };
	snprintf(k->given, sizeof k->given, "%s", e->given);
	return 0;
}

static struct explorer begin(const char *words)
{
	struct explorer e = driller_start(24, 80, GLYPHS_LINES, words);
	e.app->record = keep;
	n_kept = 0;
	return e;
}

static void at(struct explorer *e, int64_t start_ms, int64_t ms)
{
	e->now_ms = start_ms + ms;
	app_tick(e->app, e->now_ms);
}

/* The beginning of a prompt, of one line. */
static bool shows_problem(const struct explorer *e, size_t i)
{
	const struct variant *v = &drill_of(e->app)->session.items[i].variant;
	char beginning[20];
	snprintf(beginning, sizeof beginning, "%s", *v->scene ? v->scene : v->prompt);
	return explorer_shows(e, beginning);
}

/* --- before the clock ------------------------------------------------------------------- */

Test(app_modes, against_the_clock_nothing_begins_before_enter)
{
	static const char *const modes[] = { "sprint", "interview" };
	for (size_t m = 0; m < 2; m++) {
		char words[64], code[64], titled[64];
		snprintf(words, sizeof words, "mode=%s count=5 seed=7", modes[m]);
		struct explorer e = begin(words);
		const struct drill_session *s = &drill_of(e.app)->session;
		snprintf(code, sizeof code, "ridge drill --code %s", drill_of(e.app)->request.code);
		/* The sheet has the code to be read out and to be typed, and the title says no more. */
		snprintf(titled, sizeof titled, " code %s", drill_of(e.app)->request.code);
		e.now_ms += 500000;
		cr_expect(eq(int, app_tick(e.app, e.now_ms), -1), "%s", words);
		cr_expect(explorer_shows(&e, "Enter starts") == true, "%s", words);
		cr_expect(explorer_shows(&e, code) && explorer_shows(&e, "With --answers"), "%s",
			code);
		cr_expect(explorer_shows(&e, titled) == false, "%s", words);
		cr_expect(shows_problem(&e, 0) == false, "%s", words);
		cr_expect(eq(long, (long)session_total_ms(s, e.now_ms), 0), "%s", words);
		/* Keys of other states do nothing. */
		explorer_press(&e, "n g s p Tab Ctrl-S Ctrl-Y Ctrl-G Ctrl-N Ctrl-P PgDn Up");
		cr_expect(explorer_shows(&e, "Enter starts") && s->paused, "%s", words);
		explorer_press(&e, "Enter");
		cr_expect(shows_problem(&e, 0) == true, "%s", words);
		e.now_ms += 3000;
		cr_expect(eq(long, (long)session_total_ms(s, e.now_ms), 3000), "%s", words);
		explorer_end(&e);
	}
}

Test(app_modes, a_set_and_study_begin_at_once)
{
	static const char *const modes[] = { "set", "study" };
	for (size_t m = 0; m < 2; m++) {
		char words[64], code[64];
		snprintf(words, sizeof words, "mode=%s seed=7", modes[m]);
		struct explorer e = begin(words);
		snprintf(code, sizeof code, "code %s", drill_of(e.app)->request.code);
		cr_expect(shows_problem(&e, 0) && explorer_shows(&e, code), "%s", words);
		cr_expect(eq(int, e.app->entry.kind, ENTRY_ANSWER));
		explorer_end(&e);
	}
}

/* --- a set ------------------------------------------------------------------------------ */

Test(app_modes, a_set_is_timed_against_par_in_words)
{
	struct explorer e = begin("topic=ridge-point count=2 seed=3"); /* par 30 s */
	int64_t t0 = e.now_ms;
	at(&e, t0, 29999);
	cr_expect(explorer_shows(&e, "0:29 of 0:30") && !explorer_shows(&e, "WRAP UP"));
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 1));
	at(&e, t0, 30000);
	cr_expect(explorer_shows(&e, "WRAP UP  0:30 of 0:30") == true);
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 1000));
	at(&e, t0, 44999);
	cr_expect(explorer_shows(&e, "WRAP UP") && !explorer_shows(&e, "OVER"));
	at(&e, t0, 45000);
	cr_expect(explorer_shows(&e, "OVER  0:45 of 0:30") == true);
	answer_right(&e);
	cr_expect(explorer_shows(&e, "0:45, par 0:30") == true);
	cr_expect(eq(int, app_tick(e.app, e.now_ms), -1), "the clock stands");
	at(&e, t0, 90000); /* with the solution */
	explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "2 of 2") && explorer_shows(&e, "0:00 of 0:30"));
	answer_right(&e);
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "Done") == true);
	cr_expect(eq(sz, n_kept, 2));
	cr_expect(epsilon_eq(dbl, kept[0].took_s, 45, 1e-9));
	cr_expect(epsilon_eq(dbl, kept[1].took_s, 0, 1e-9));
	explorer_end(&e);
}

Test(app_modes, an_answer_may_be_mended_and_the_attempts_are_counted)
{
	struct explorer e = begin("topic=ridge-point count=1 seed=3");
	answer_step_wrong(&e);
	cr_expect(explorer_shows(&e, "attempt 2 of 3") && !item_of(&e)->closed);
	explorer_press(&e, "Enter"); /* the same again */
	cr_expect(explorer_shows(&e, "That was your last answer too, and costs nothing"));
	cr_expect(explorer_shows(&e, "attempt 2 of 3") == true);
	answer_step_wrong(&e); /* and another one */
	cr_expect(explorer_shows(&e, "attempt 3 of 3") == true);
	answer_right(&e);
	cr_expect(explorer_shows(&e, "✓ Correct") && explorer_shows(&e, "Credit 0.25 of 1"));
	explorer_end(&e);
}

/* --- study ------------------------------------------------------------------------------ */

Test(app_modes, study_shows_no_clock_and_waits_for_nobody)
{
	struct explorer e = begin("mode=study topic=ridge-point count=2 seed=3");
	e.now_ms += 100000;
	cr_expect(eq(int, app_tick(e.app, e.now_ms), -1));
	cr_expect(explorer_shows(&e, "0:30") == false);
	explorer_press(&e, "4 2 ?");
	cr_expect(eq(int, e.app->screen, SCREEN_HELP));
	explorer_press(&e, "Esc");
	cr_expect(shows_problem(&e, 0) && e.app->entry.kind == ENTRY_ANSWER);
	cr_assert(explorer_open(&e, "roofline"));
	explorer_press(&e, "Esc");
	cr_expect(shows_problem(&e, 0) == true);
	cr_expect(eq(str, e.app->entry.text, (char *)"42"), "what was typed is kept");
	answer_right(&e);
	cr_expect(explorer_shows(&e, ", par") == false);
	explorer_press(&e, "n");
	answer_right(&e);
	explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "Done") == true);
	explorer_end(&e);
}

/* --- a sprint --------------------------------------------------------------------------- */

Test(app_modes, a_sprint_ends_by_itself_at_its_second)
{
	struct explorer e = begin("mode=sprint seed=7");
	explorer_press(&e, "Enter");
	int64_t t0 = e.now_ms;
	cr_expect(explorer_shows(&e, "2:00 left of 2:00") == true);
	at(&e, t0, 1);
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 999));
	at(&e, t0, 10000);
	answer_right(&e);
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 1000), "it runs on over the solution");
	explorer_press(&e, "n");
	at(&e, t0, 89999);
	cr_expect(explorer_shows(&e, "0:31 left of 2:00") && !explorer_shows(&e, "WRAP UP"));
	at(&e, t0, 90000);
	cr_expect(explorer_shows(&e, "WRAP UP  0:30 left of 2:00") == true);
	explorer_press(&e, "1 2"); /* the answer line is open */
	at(&e, t0, 119999);
	cr_expect(explorer_shows(&e, "0:01 left") && !explorer_shows(&e, "Done"));
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 1));
	cr_expect(eq(sz, n_kept, 1));
	at(&e, t0, 120000);
	cr_expect(explorer_shows(&e, "Done") == true);
	cr_expect(eq(int, e.app->entry.kind, ENTRY_NONE));
	cr_assert(eq(sz, n_kept, 2));
	cr_expect(eq(int, kept[1].kind, HISTORY_TIMED_OUT));
	cr_expect(epsilon_eq(dbl, kept[1].took_s, 110, 1e-9));
	at(&e, t0, 200000);
	cr_expect(eq(sz, n_kept, 2), "once");
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

/* The Enter that comes too late ends it as well; over a solution nothing is left open. */
/* Who leaves a sprint sees what it came to: the first Esc pauses, the second ends it, the third leaves. */
Test(app_modes, a_sprint_that_is_left_shows_its_result)
{
	struct explorer e = begin("mode=sprint seed=7");
	explorer_press(&e, "Enter Esc");
	cr_expect(explorer_shows(&e, "Enter goes on. Esc leaves.") == true, "there is none yet");
	explorer_press(&e, "Enter");
	answer_right(&e);
	explorer_press(&e, "n Esc");
	cr_expect(explorer_shows(&e, "Esc ends it and shows the result.") == true);
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "Done") && explorer_shows(&e, "1 of 2 right"));
	cr_expect(eq(sz, n_kept, 1));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

Test(app_modes, a_sprint_takes_no_answer_after_its_end)
{
	struct explorer e = begin("mode=sprint seed=7");
	explorer_press(&e, "Enter 1");
	e.now_ms += 120000;
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "Done") == true);
	cr_assert(eq(sz, n_kept, 1));
	cr_expect(eq(int, kept[0].kind, HISTORY_TIMED_OUT));
	explorer_end(&e);
	e = begin("mode=sprint seed=7");
	explorer_press(&e, "Enter");
	answer_right(&e);
	e.now_ms += 120000;
	explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "Done") == true);
	cr_expect(eq(sz, n_kept, 1));
	explorer_end(&e);
}

/* --- an interview ----------------------------------------------------------------------- */

Test(app_modes, an_interview_goes_through_its_five_phases)
{
	struct explorer e = begin("mode=interview seed=7 count=2");
	const struct drill_session *s = &drill_of(e.app)->session;
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "[clarify]") && explorer_shows(&e, "Phase 1 of 5"));
	cr_expect(explorer_shows(&e, "write down what you would ask") == true);
	cr_expect(eq(int, e.app->entry.kind, ENTRY_TALK));
	explorer_type(&e, "What load? At peak: 3 req/s");
	explorer_press(&e, "Enter");
	explorer_type(&e, "no deadline");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "- What load? At peak: 3 req/s") == true);
	explorer_press(&e, "BS");
	cr_expect(eq(str, e.app->entry.text, (char *)"no deadline"), "the last line, to be mended");
	explorer_press(&e, "Enter Enter");
	cr_expect(eq(int, s->phase, PHASE_ESTIMATE));
	cr_expect(explorer_shows(&e, "[estimate]") && explorer_shows(&e, "problem 1 of 1"));
	explorer_press(&e, "PgDn PgDn");
	cr_expect(explorer_shows(&e, "- no deadline") == true, "notes are at hand");
	answer_right(&e);
	explorer_press(&e, "n");
	cr_expect(eq(int, s->phase, PHASE_DESIGN));
	char follow_up[24];
	snprintf(follow_up, sizeof follow_up, "%s", s->items[0].variant.follow_up);
	cr_expect(explorer_shows(&e, follow_up) == true);
	explorer_type(&e, "shard it");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "- no deadline") && explorer_shows(&e, "- shard it"));
	explorer_press(&e, "Enter");
	cr_expect(eq(int, s->phase, PHASE_DRILL));
	cr_expect(explorer_shows(&e, "problem 1 of 2") == true);
	answer_wrong(&e);
	explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "problem 2 of 2") == true);
	explorer_press(&e, "Ctrl-N"); /* leaves one open */
	cr_expect(explorer_shows(&e, "1 problem left unanswered.") == true);
	cr_expect(eq(int, kept[n_kept - 1].kind, HISTORY_GAVE_UP));
	cr_expect(eq(int, s->phase, PHASE_WRAP_UP));
	cr_expect(explorer_shows(&e, "Sum up") && explorer_shows(&e, "1 of 3 are right"));
	explorer_press(&e, "Ctrl-N");
	cr_expect(explorer_shows(&e, "Done") && session_done(s));
	explorer_end(&e);
}

/* A phase that ends early leaves problems that nobody saw, and nothing of them in the history. */
Test(app_modes, what_was_never_seen_is_not_kept)
{
	struct explorer e = begin("mode=interview seed=7 count=4");
	explorer_press(&e, "Enter Ctrl-N Ctrl-N Ctrl-N");
	cr_expect(eq(int, drill_of(e.app)->session.phase, PHASE_DRILL));
	cr_assert(eq(sz, n_kept, 1)); /* the estimate */
	explorer_press(&e, "Ctrl-N");
	cr_expect(eq(sz, n_kept, 2));
	cr_expect(explorer_shows(&e, "4 problems left unanswered.") == true);
	explorer_end(&e);
}

/* 5, 10, 15, 10 and 5 minutes; nobody is stopped, but told. */
Test(app_modes, an_interview_says_how_it_stands_with_the_plan)
{
	struct explorer e = begin("mode=interview seed=7 count=2");
	explorer_press(&e, "Enter");
	int64_t t0 = e.now_ms;
	at(&e, t0, 1000);
	cr_expect(explorer_shows(&e, "4:59 left in this phase") == true);
	cr_expect(explorer_shows(&e, "44:59 left in all") == true);
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 1000));
	at(&e, t0, 239999);
	cr_expect(explorer_shows(&e, "WRAP UP") == false);
	at(&e, t0, 240000);
	cr_expect(explorer_shows(&e, "WRAP UP  1:00 left in this phase") == true);
	at(&e, t0, 299999);
	cr_expect(explorer_shows(&e, "WRAP UP  0:01 left") && !explorer_shows(&e, "OVER"));
	at(&e, t0, 300000);
	cr_expect(explorer_shows(&e, "OVER  0:00 behind the plan") == true);
	at(&e, t0, 365000);
	cr_expect(explorer_shows(&e, "OVER  1:05 behind the plan") == true);
	explorer_press(&e, "Ctrl-N");
	/* 38:55 are left for the 40 minutes that were planned for the rest: a quarter of them is 9:43.75 */
	cr_expect(explorer_shows(&e, "9:44 left in this phase") && !explorer_shows(&e, "OVER"));
	at(&e, t0, 2700000 + 61000);
	cr_expect(explorer_shows(&e, "1:01 over the time") == true);
	explorer_end(&e);
}

Test(app_modes, one_escape_too_many_does_not_end_an_interview)
{
	struct explorer e = begin("mode=interview seed=7 count=2");
	explorer_press(&e, "Enter x Esc Esc");
	cr_expect(explorer_shows(&e, "Paused") && e.app->screen == SCREEN_DRILL);
	explorer_press(&e, "Enter");
	cr_expect(shows_problem(&e, 0) == true);
	explorer_press(&e, "Esc Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

/* --- a review --------------------------------------------------------------------------- */

/* Two skills that were answered long ago. */
static int long_ago(struct history *h, char *err, size_t err_size)
{
	static const char lines[] =
		"{\"schema\":1,\"at\":1000,\"kind\":\"answer\",\"drill\":\"ridge-point\","
		"\"skill\":\"roofline\",\"topic\":\"roofline\",\"seed\":1,\"part\":0,"
		"\"given\":\"1\",\"value\":1,\"verdict\":\"CORRECT\",\"used\":true,\"credit\":1,"
		"\"cause\":\"\",\"hints\":0,\"attempt\":1,\"scratch\":false,\"took_s\":20,"
		"\"par_s\":30,\"mode\":\"set\"}\n"
		"{\"schema\":1,\"at\":2000,\"kind\":\"answer\",\"drill\":\"kv-cache\","
		"\"skill\":\"kv-cache\",\"topic\":\"inference\",\"seed\":1,\"part\":0,"
		"\"given\":\"1\",\"value\":1,\"verdict\":\"WRONG\",\"used\":true,\"credit\":0,"
		"\"cause\":\"\",\"hints\":0,\"attempt\":1,\"scratch\":false,\"took_s\":20,"
		"\"par_s\":30,\"mode\":\"set\"}\n";
	char *text = malloc(sizeof lines);
	(void)err;
	(void)err_size;
	memcpy(text, lines, sizeof lines);
	return history_parse(h, text, sizeof lines - 1);
}

Test(app_modes, a_review_deals_what_is_due)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	e.app->epoch_s = 1000000000;
	e.app->record = keep;
	n_kept = 0;
	cr_assert(explorer_open(&e, "drill mode=review") == true);
	cr_expect(explorer_shows(&e, "Nothing to review yet") == true);
	e.app->load_history = long_ago;
	cr_assert(explorer_open(&e, "drill mode=review") == true);
	cr_expect(explorer_shows(&e, "2 problems") && explorer_shows(&e, "Enter starts"));
	cr_expect(shows_problem(&e, 0) == false);
	cr_expect(explorer_shows(&e, "--code") == false, "one's own skills have no code");
	explorer_press(&e, "Enter");
	for (int i = 0; i < 2; i++) {
		cr_expect(shows_problem(&e, (size_t)i) == true);
		answer_right(&e);
		explorer_press(&e, "Enter");
	}
	cr_expect(explorer_shows(&e, "Done") == true);
	cr_expect(lt(sz, 1, n_kept));
	explorer_end(&e);
}

/* --- pauses ----------------------------------------------------------------------------- */

static void away(struct explorer *e, int way)
{
	switch (way) {
	case 0:
		explorer_press(e, "Ctrl-P");
		break;
	case 1: /* Ctrl-Z, as the loop does */
		explorer_press(e, "Ctrl-Z");
		e->app->suspend = false;
		app_pause(e->app);
		break;
	case 2:
		explorer_press(e, "?");
		break;
	default:
		app_tick(e->app, e->now_ms);
		cr_assert(explorer_open(e, "roofline"));
		break;
	}
}

Test(app_modes, a_pause_of_any_kind_costs_no_time_and_hides_the_problem)
{
	static const char *const modes[] = { "mode=set", "mode=sprint", "mode=interview count=5" };
	for (size_t m = 0; m < 3; m++)
		for (int way = 0; way < 4; way++) {
			char words[64];
			snprintf(words, sizeof words, "%s seed=7", modes[m]);
			struct explorer e = begin(words);
			const struct drill_session *s = &drill_of(e.app)->session;
			if (m > 0)
				explorer_press(&e, "Enter");
			e.now_ms += 10000;
			away(&e, way);
			cr_expect(eq(int, e.app->screen == SCREEN_DRILL, way < 2), "%s", words);
			cr_expect(shows_problem(&e, 0) == false, "%s, way %d", words, way);
			e.now_ms += 500000;
			app_tick(e.app, e.now_ms);
			if (way >= 2)
				explorer_press(&e, "Esc");
			bool waits = way != 2; /* after a look at the keys it goes on by itself */
			cr_expect(eq(int, explorer_shows(&e, "PAUSED"), waits), "%s, way %d", words,
				way);
			cr_expect(eq(int, shows_problem(&e, 0), !waits), "%s, way %d", words, way);
			cr_expect(eq(int, app_tick(e.app, e.now_ms) < 0, waits), "%s", words);
			cr_expect(eq(long, (long)session_total_ms(s, e.now_ms), 10000),
				"%s, way %d", words, way);
			if (waits)
				explorer_press(&e, way % 2 ? "Enter" : "Ctrl-P");
			cr_expect(shows_problem(&e, 0) == true, "%s, way %d", words, way);
			e.now_ms += 1000;
			cr_expect(
				eq(long, (long)session_total_ms(s, e.now_ms), 11000), "%s", words);
			explorer_end(&e);
		}
}

/* The help does not undo a pause. */
Test(app_modes, what_was_paused_before_the_help_is_paused_after_it)
{
	struct explorer e = begin("mode=set seed=7");
	explorer_press(&e, "Ctrl-P ? Esc");
	cr_expect(explorer_shows(&e, "PAUSED") && !shows_problem(&e, 0));
	explorer_end(&e);
}

Test(app_modes, study_can_be_hidden)
{
	struct explorer e = begin("mode=study seed=7");
	explorer_press(&e, "4 Ctrl-P");
	cr_expect(explorer_shows(&e, "PAUSED") && !shows_problem(&e, 0));
	explorer_press(&e, "5 Ctrl-P");
	cr_expect(shows_problem(&e, 0) == true);
	cr_expect(eq(str, e.app->entry.text, (char *)"4"), "nothing is typed unseen");
	explorer_end(&e);
}

/* --- a table and what to choose from -------------------------------------------------------- */

static void expect_options(const struct explorer *e, const char *id, const char *when)
{
	const struct variant *v = &item_of(e)->variant;
	for (size_t i = 0; i < v->steps[v->step].n_options; i++) {
		char row[48];
		snprintf(row, sizeof row, "%zu. %.16s", i + 1, v->steps[v->step].options[i].text);
		char sentence[48]; /* a plain word begins as a sentence does */
		snprintf(sentence, sizeof sentence, "%s", row);
		sentence[3] = (char)toupper((unsigned char)row[3]);
		cr_expect(explorer_shows(e, row) || explorer_shows(e, sentence), "%s: \"%s\" %s",
			id, row, when);
	}
}

/* Also in the least usual window all of what one chooses from is in sight, at first and after a miss; what
 * scrolls is the table. */
Test(app_modes, options_are_in_sight_below_a_table, .timeout = 60)
{
	struct whole_bank w;
	size_t n = 0;
	whole_bank_load(&w);
	for (size_t i = 0; i < w.bank.n; i++) {
		const struct drill *d = &w.bank.drills[i];
		char words[128];
		if (d->kind != KIND_CHOICE || !strstr(d->prompt, "```"))
			continue;
		snprintf(words, sizeof words, "topic=%s seed=3", d->id);
		struct explorer e = driller_start(24, 80, GLYPHS_LINES, words);
		expect_options(&e, d->id, "at first");
		answer_step_wrong(&e);
		expect_options(&e, d->id, "after a miss");
		explorer_end(&e);
		n++;
	}
	cr_expect(lt(sz, 15, n), "%zu problems with a table", n);
	whole_bank_release(&w);
}
