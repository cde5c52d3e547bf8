/* What an interviewer does is on the disk at once, and an interview that was cut off goes on. */
#include "tests/data_home.h"
#include "tests/interviewer.h"
#include "tests/pty.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/interviewer/interviewer_files.h"
#include "ui/interviewer/interviewer_record.h"
#include "ui/commands/commands.h"
#include "ui/data/tables_load.h"
#include "sims/base/rng.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static struct tables tables;

static void load_tables(void)
{
	char err[300];
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
}

static void drop_tables(void)
{
	tables_release(&tables);
}

TestSuite(interviewer_record, .init = load_tables, .fini = drop_tables);

/* --- by hand ----------------------------------------------------------------------------- */

static const char *const by_hand =
	"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"mode\":\"set\",\"count\":3,\"seed\":\"7\","
	"\"topic\":\"kv-cache\",\"name\":\"Ada\\u001b[31m\"}\n"
	"{\"did\":\"clock\",\"at\":1767225610,\"ms\":0,\"n\":1}\n"
	"{\"did\":\"note\",\"at\":1767225620,\"ms\":9000,\"began_ms\":7500,\"text\":\"asks first\"}\n"
	"{\"did\":\"mark\",\"at\":1767225630,\"ms\":20000,\"n\":4}\n"
	"this is no line\n"
	"{\"did\":\"go\",\"at\":1767225671,\"ms\":61000,\"n\":1}\n"
	"{\"did\":\"mark\",\"at\":1767225680,\"ms\":70000,\"n\":9}\n"
	"{\"did\":\"note\",\"at\":1767225690,\"ms\":75000,\"began_ms\":74000,\"text\":\"wrong\"}\n"
	"{\"did\":\"drop\",\"at\":1767225691,\"ms\":75500}\n"
	"{\"did\":\"mark\",\"at\":1767225691,\"ms\":60000,\"n\":2}\n"
	"{\"did\":\"tick\",\"at\":1767225700,\"ms\":90000}\n"
	"{\"did\":\"no";

/* Two ticks, the second taken back: what cannot be taken back is no line that can be done. */
Test(interviewer_record, a_tick_that_was_taken_back_stays_so)
{
	static const char *const lines[] = {
		"{\"did\":\"heard\",\"ms\":1000,\"n\":0,\"text\":\"1\"}\n",
		"{\"did\":\"heard\",\"ms\":2000,\"n\":0,\"text\":\"3\"}\n",
		"{\"did\":\"untold\",\"ms\":3000,\"n\":3}\n",
		"{\"did\":\"untold\",\"ms\":4000,\"n\":3}\n"
	};
	struct explorer e =
		interviewer_on("case=serve-70b level=senior seed=5", 24, 80, GLYPHS_LINES);
	char *text = interviewer_begin_line(interviewer_of(e.app)), whole[1200], err[300];
	struct interviewer v;
	size_t unreadable;
	snprintf(whole, sizeof whole, "%s%s%s%s%s", text, lines[0], lines[1], lines[2], lines[3]);
	free(text);
	cr_assert(zero(int, interviewer_replay(&v, &tables, whole, &unreadable, err, sizeof err)),
		"%s", err);
	cr_expect(eq(sz, unreadable, 1));
	cr_expect(v.at_case->sitting.told[0] && !v.at_case->sitting.told[2]);
	const struct interviewer_deed untold = { .did = DID_UNTELL, .clock_ms = 3000, .n = 3 };
	text = interviewer_deed_line(&untold, START_S);
	cr_expect(eq(str, text, "{\"did\":\"untold\",\"at\":1767225600,\"ms\":3000,\"n\":3}\n"));
	free(text);
	interviewer_release(&v);
	explorer_end(&e);
}

/* A question that the desk heard keeps what it was read as: serve-70b's budget, though nobody would read it so
 * today, nor a line of two facts, which is two ticks by now. What is heard now is kept with its reading. */
Test(interviewer_record, what_a_question_was_read_as_stays_so)
{
	static const char heard[] =
		"{\"did\":\"heard\",\"ms\":1000,\"n\":0,\"text\":\"How about it?\",\"readings\":"
		"[{\"text\":\"How about it?\",\"as\":\"facts\",\"facts\":[\"budget\"]}]}\n"
		"{\"did\":\"heard\",\"ms\":1500,\"n\":0,\"text\":\"#1 #2\",\"readings\":"
		"[{\"text\":\"#1 #2\",\"as\":\"facts\",\"facts\":[\"budget\"]}]}\n";
	struct explorer e =
		interviewer_on("case=serve-70b level=senior seed=5", 24, 80, GLYPHS_LINES);
	char *text = interviewer_begin_line(interviewer_of(e.app)), whole[1200], err[300];
	struct interviewer v;
	size_t unreadable;
	snprintf(whole, sizeof whole, "%s%s", text, heard);
	free(text);
	cr_assert(zero(int, interviewer_replay(&v, &tables, whole, &unreadable, err, sizeof err)),
		"%s", err);
	const struct interviewer_case *k = v.at_case;
	for (size_t i = 0; i < k->c.n_facts; i++)
		cr_expect(eq(int, k->sitting.told[i], strcmp(k->c.facts[i].id, "budget") == 0),
			"%s", k->c.facts[i].id);
	struct interviewer_deed deed = {
		.did = DID_HEAR, .clock_ms = 2000, .text = "What is the load?"
	};
	cr_assert(interviewer_do(&v, &deed, 2000));
	deed.heard_by = &k->talk;
	text = interviewer_deed_line(&deed, START_S);
	cr_expect(strstr(text, "\"as\":\"facts\",\"facts\":[\"load\"]") != NULL, "%s", text);
	free(text);
	interviewer_release(&v);
	explorer_end(&e);
}

/* 61 s at the first problem, 29 s at the second; the line cut short, the one that is none, a mark of 9
 * and a clock that went backwards count as unreadable. */
Test(interviewer_record, is_done_again_line_by_line)
{
	struct interviewer v;
	size_t unreadable;
	char err[300];
	cr_assert(zero(int, interviewer_replay(&v, &tables, by_hand, &unreadable, err, sizeof err)),
		"%s", err);
	cr_expect(eq(sz, unreadable, 4));
	cr_expect(eq(sz, v.session.n, 3));
	cr_expect(eq(i64, interviewer_spent_ms(&v, 0, v.kept_ms), 61000));
	cr_expect(eq(i64, interviewer_spent_ms(&v, 1, v.kept_ms), 29000));
	cr_expect(eq(i64, session_total_ms(&v.session, 12345678), 90000));
	cr_expect(v.session.paused);
	cr_expect(eq(uint, v.subjects[0].mark, 4));
	cr_expect(eq(uint, v.subjects[1].mark, 0));
	cr_assert(v.subjects[0].notes != NULL);
	cr_expect(eq(str, v.subjects[0].notes->text, (char *)"asks first"));
	cr_expect(eq(i64, v.subjects[0].notes->at_ms, 7500));
	cr_expect(v.subjects[1].notes == NULL);
	cr_expect(eq(str, v.candidate, (char *)"Ada [31m"));
	cr_expect(not(v.ended));
	cr_expect(eq(i64, v.until_s, 1767225700));
	interviewer_release(&v);
}

Test(interviewer_record, a_head_says_when_and_whether_it_ended)
{
	struct interviewer_head h;
	cr_expect(interviewer_head_read(by_hand, &h));
	cr_expect(eq(i64, h.at_s, 1767225600));
	cr_expect(not(h.ended));
	cr_expect(interviewer_head_read(
		"{\"schema\":1,\"did\":\"begin\",\"at\":5,\"code\":\"B20M-7K\"}\n"
		"{\"did\":\"end\",\"at\":9,\"ms\":7000,\"n\":3}\n",
		&h));
	cr_expect(h.ended);
	cr_expect(eq(i64, h.clock_ms, 7000));
	cr_expect(eq(uint, h.mark, 3));
	cr_expect(eq(str, h.code, (char *)"B20M-7K"));
	cr_expect(not(interviewer_head_read("", &h)));
	cr_expect(not(interviewer_head_read("{\"did\":\"begin\"}\n", &h)));
	cr_expect(not(interviewer_head_read("[1]\n{}", &h)));
}

/* Damaged in one byte or cut anywhere, a record is refused or read, and never worse. */
Test(interviewer_record, of_damaged_text_says_something, .timeout = 120)
{
	struct rng r = rng_stream(11, "damage", 0);
	size_t n = strlen(by_hand), refused = 0;
	for (int i = 0; i < 60; i++) {
		char text[2048], err[300] = "";
		struct interviewer v;
		size_t unreadable;
		size_t cut = (size_t)rng_below(&r, (uint32_t)n) + 1;
		snprintf(text, sizeof text, "%.*s", (int)cut, by_hand);
		text[rng_below(&r, (uint32_t)cut)] = (char)(1 + rng_below(&r, 255));
		if (interviewer_replay(&v, &tables, text, &unreadable, err, sizeof err)) {
			cr_expect(err[0] != 0);
			refused++;
		}
		interviewer_release(&v);
	}
	cr_expect(lt(sz, 0, refused));
}

/* --- cut off at any instant -------------------------------------------------------------- */

static char *load_record(const char *code, int64_t now_s, char *name)
{
	struct interviewer_head h;
	(void)code, (void)now_s;
	if (!interviewer_head_read(record, &h) || h.ended)
		return NULL;
	strcpy(name, "kept.jsonl");
	return strdup(record);
}

/* At the home screen, with records kept in memory. */
static struct explorer at_home(void)
{
	struct explorer e = start(30, 100, GLYPHS_LINES);
	e.app->keep_interview = keep_record;
	e.app->load_interview = load_record;
	return e;
}

static struct explorer desk(const char *words)
{
	struct explorer e = at_home();
	char target[160];
	snprintf(target, sizeof target, "interviewer %s", words);
	cr_assert(explorer_open(&e, target), "%s", target);
	return e;
}

/* Whoever left a desk finds the way back on the home screen, under the cursor. */
Test(interviewer_record, home_leads_back_to_a_desk_that_was_left)
{
	record[0] = '\0';
	struct explorer e = desk("case=serve-70b level=senior seed=5 name=Ada");
	explorer_press(&e, "Space");
	pass(&e, 60000);
	explorer_end(&e);
	e = at_home();
	for (int i = 0; i < 4; i++)
		pass(&e, 1);
	cr_expect(explorer_shows(
		&e, "▸ Go on with the interview that you give to Ada, at 1:00: Enter"));
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "The interview goes on where it was, at 1:00."));
	explorer_end(&e);
}

/* A desk that was killed at 1:00 and taken up 90 s later is at 2:30 where it catches up, as the candidate is; Space goes
 * on at 1:00. What was done is in the record. */
Test(interviewer_record, a_desk_that_was_cut_off_catches_up)
{
	for (int catches_up = 0; catches_up < 2; catches_up++) {
		record[0] = '\0';
		struct explorer e = desk("case=serve-70b level=senior seed=5");
		char target[80];
		snprintf(target, sizeof target, "interviewer code=%s",
			interviewer_of(e.app)->request.code);
		explorer_press(&e, "Space");
		pass(&e, MINUTE_MS);
		explorer_end(&e);
		e = at_home();
		pass(&e, MINUTE_MS + 90000);
		cr_assert(explorer_open(&e, target));
		cr_expect(explorer_shows(&e, "w starts it at 2:30"));
		explorer_press(&e, catches_up ? "w" : "Space");
		struct interviewer *v = interviewer_of(e.app);
		const int64_t expected_ms = catches_up ? MINUTE_MS + 90000 : MINUTE_MS;
		cr_expect(eq(i64, session_total_ms(&v->session, e.app->now_ms), expected_ms));
		cr_expect(not(v->session.paused));
		pass(&e, 10000);
		explorer_press(&e, "w");
		cr_expect(explorer_shows(&e, "The clock missed nothing"));
		cr_expect(
			eq(i64, session_total_ms(&v->session, e.app->now_ms), expected_ms + 10000));
		explorer_end(&e);
		e = at_home();
		cr_assert(explorer_open(&e, target));
		v = interviewer_of(e.app);
		cr_expect(
			eq(i64, session_total_ms(&v->session, e.app->now_ms), expected_ms + 10000));
		explorer_end(&e);
	}
}

/* One that stood has missed nothing. */
Test(interviewer_record, a_desk_that_stood_missed_nothing)
{
	record[0] = '\0';
	struct explorer e = desk("case=serve-70b level=senior seed=5");
	char target[80];
	snprintf(target, sizeof target, "interviewer code=%s", interviewer_of(e.app)->request.code);
	explorer_press(&e, "Space");
	pass(&e, MINUTE_MS);
	explorer_press(&e, "Space");
	explorer_end(&e);
	e = at_home();
	pass(&e, MINUTE_MS + 90000);
	cr_assert(explorer_open(&e, target));
	cr_expect(not(explorer_shows(&e, "w starts it")));
	explorer_end(&e);
}

static char *summary_of(const struct explorer *e)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	interviewer_write_summary(interviewer_seen(e->app), e->app->now_ms, f);
	fclose(f);
	return text;
}

/* After each of 50 random keys the process is gone: what is opened then says what the desk said, to the
 * ten seconds of the clock that may be lost. */
Test(interviewer_record, loses_nothing_that_was_done, .timeout = 120)
{
	static const char *const keys[] = { "Space", "n", "p", "1", "2", "3", "4", "]", "[",
		"e g o o d Enter", "e Esc", "E Backspace Enter", "a 2 7 Space G B Enter",
		"a b ) 4 0 Enter", "j", "c" };
	struct rng r = rng_stream(3, "desk", 0);
	struct explorer e = desk("count=5 seed=12");
	char code[CODE_SIZE], words[64];
	snprintf(code, sizeof code, "%s", interviewer_of(e.app)->request.code);
	snprintf(words, sizeof words, "code=%s", code);
	explorer_press(&e, "Space Space");
	for (int i = 0; i < 50; i++) {
		explorer_press(&e, keys[rng_below(&r, sizeof keys / sizeof *keys)]);
		for (int s = (int)rng_below(&r, 30); s > 0; s--)
			pass(&e, 1000);
		if (!record[0])
			continue;
		struct interviewer *v = interviewer_of(e.app);
		int64_t clock = session_total_ms(&v->session, e.app->now_ms);
		cr_assert(le(i64, clock - v->kept_ms, 10999), "%d", i);
		/* The times are compared at a moment that was kept. */
		interviewer_do(v, &(struct interviewer_deed){ .did = DID_TICK }, e.app->now_ms);
		struct interviewer_deed tick = { .did = DID_TICK, .clock_ms = clock };
		char *line = interviewer_deed_line(&tick, START_S), err[100];
		cr_assert(zero(int, keep_record("", line, err, sizeof err)));
		v->kept_ms = clock;
		free(line);
		struct explorer again = desk(words);
		char *was = summary_of(&e), *is = summary_of(&again);
		cr_assert(eq(str, is, was), "after %d keys", i + 1);
		free(was);
		free(is);
		explorer_end(&again);
	}
	explorer_end(&e);
}

Test(interviewer_record, an_ended_interview_is_not_gone_on_with)
{
	struct explorer e = desk("seed=12");
	char words[64];
	snprintf(words, sizeof words, "code=%s", interviewer_of(e.app)->request.code);
	explorer_press(&e, "n Space 4 q");
	expect_shown(&e, "Summary");
	struct explorer again = desk(words);
	cr_expect(eq(uint, interviewer_of(again.app)->subjects[0].mark, 4));
	expect_shown(&again, "goes on where it was");
	explorer_end(&again);
	explorer_press(&e, "q");
	cr_expect(e.over);
	again = desk(words);
	cr_expect(eq(uint, interviewer_of(again.app)->subjects[0].mark, 0));
	explorer_end(&again);
	explorer_end(&e);
}

/* The simulation of a problem, with its numbers, and q. */
Test(interviewer_record, q_behind_a_simulation_asks)
{
	struct explorer e = desk("mode=set topic=kv-cache count=1 seed=4");
	explorer_press(&e, "n Space");
	pass(&e, 5000);
	explorer_press(&e, "s");
	cr_expect(app_screen(e.app) == e.app->screens[SCREEN_SIM]);
	explorer_press(&e, "q");
	cr_expect(not(e.over));
	expect_shown(&e, "The interview goes on, at 0:05: Esc leads back to it.");
	explorer_press(&e, "Esc");
	cr_expect(app_screen(e.app) == e.app->screens[SCREEN_INTERVIEWER]);
	explorer_end(&e);
}

/* --- answers that are heard -------------------------------------------------------------- */

/* The key typed as heard is right; a known mistake is named; the first part that is not right yet is
 * meant, or the one that is named. */
Test(interviewer_record, grades_what_was_heard)
{
	struct explorer e = desk("mode=set topic=serve-one count=1 seed=4");
	struct interviewer *v = interviewer_of(e.app);
	const struct variant *x = &v->stops[0].item->variant;
	cr_assert(lt(sz, 1, x->n_steps));
	for (size_t i = 0; i < x->n_steps; i++) {
		const char *answer = x->steps[i].answer;
		cr_expect(eq(sz, interviewer_heard_part(v, &answer), i));
		cr_assert(interviewer_do(v,
			&(struct interviewer_deed){
				.did = DID_HEAR, .n = i, .text = x->steps[i].answer },
			0));
		cr_expect(eq(int, interviewer_last_heard(v, 0)->grade.verdict, VERDICT_CORRECT));
		cr_expect(eq(sz, interviewer_right_parts(v, 0), i + 1));
	}
	const char *named = "b)  12";
	cr_expect(eq(sz, interviewer_heard_part(v, &named), 1));
	cr_expect(eq(str, (char *)named, (char *)"12"));
	named = "d) 12";
	cr_expect(eq(sz, interviewer_heard_part(v, &named), x->n_steps < 4 ? x->n_steps : 3));
	explorer_end(&e);
}

Test(interviewer_record, shows_the_verdict_and_keeps_it)
{
	struct explorer e = desk("mode=set topic=kv-cache count=1 seed=4");
	struct interviewer *v = interviewer_of(e.app);
	const struct question *q = &v->stops[0].item->variant.steps[0].question;
	char line[64];
	cr_assert(lt(sz, 0, q->n_mistakes));
	explorer_press(&e, "n a 1 Space T B Enter");
	expect_shown(&e, "1 TB: WRONG");
	cr_assert(v->subjects[0].heard != NULL);
	struct interviewer again;
	size_t unreadable;
	cr_assert(zero(
		int, interviewer_replay(&again, &tables, record, &unreadable, line, sizeof line)));
	cr_assert(again.subjects[0].heard != NULL);
	cr_expect(eq(str, again.subjects[0].heard->text, (char *)"1 TB"));
	cr_expect(eq(
		int, again.subjects[0].heard->grade.verdict, v->subjects[0].heard->grade.verdict));
	interviewer_release(&again);
	explorer_end(&e);
}

/* --- the real program -------------------------------------------------------------------- */

static char *printed_by(const char *home, const char *line)
{
	char command[400];
	size_t room = 1 << 16, n;
	char *text = malloc(room);
	snprintf(command, sizeof command, "HOME=%s XDG_DATA_HOME= LC_ALL=C.UTF-8 %s %s 2>&1", home,
		getenv("RIDGE"), line);
	FILE *f = popen(command, "r");
	cr_assert(f && text);
	n = fread(text, 1, room - 1, f);
	text[n] = '\0';
	pclose(f);
	return text;
}

/* Killed with a note just typed, and gone on with in another process. */
Test(interviewer_record, survives_a_kill, .description = "long")
{
	static const char *const words[] = { "drill", "--answers", "--seed", "12", "--name", "Ada",
		NULL };
	struct pty p;
	pty_start(&p, 30, 100, words, NULL);
	pty_read(&p, 5000, 200);
	pty_send(&p, "n ");
	pty_send(&p, "ea very important note\r");
	cr_expect(pty_shows(&p, "Noted at"));
	pty_send(&p, "3");
	cr_expect(pty_shows(&p, "3 yes"));
	kill(p.program, SIGKILL);
	pty_wait(&p);
	char *list = printed_by(p.home, "interviews");
	cr_expect(strstr(list, "Ada") && strstr(list, "ridge drill --answers --code"), "%s", list);
	free(list);
	char *one = printed_by(p.home, "interviews 1");
	cr_expect(strstr(one, "a very important note") && strstr(one, "yes (3)"), "%s", one);
	free(one);
	char *json = printed_by(p.home, "interviews 1 --json");
	cr_expect(strstr(json, "\"a very important note\"") != NULL, "%s", json);
	free(json);
	pty_free(&p);
}

/* --- ended, and corrected ---------------------------------------------------------------- */

/* Ada's, of five problems, ended with a yes at 1:30. */
static const char ended[] =
	"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"code\":\"810M-15\",\"name\":\"Ada\"}\n"
	"{\"did\":\"clock\",\"at\":1767225600,\"ms\":0,\"n\":1}\n"
	"{\"did\":\"mark\",\"at\":1767225621,\"ms\":21000,\"n\":4}\n"
	"{\"did\":\"go\",\"at\":1767225690,\"ms\":90000,\"n\":5}\n"
	"{\"did\":\"end\",\"at\":1767225700,\"ms\":90000,\"n\":3}\n";
static const char ended_name[] = "20260101-000000-810M15.jsonl";

static struct data_home home;

static struct explorer desk_on_disk(const char *target)
{
	struct explorer e = start(30, 100, GLYPHS_LINES);
	e.app->keep_interview = interviewer_file_keep;
	e.app->load_interview = interviewer_file_unfinished;
	cr_assert(explorer_open(&e, target), "%s", target);
	return e;
}

/* Whoever gives its code again is told at once, and has a new one. */
Test(interviewer_record, the_code_of_an_ended_interview_says_so)
{
	data_home_begin(&home, "interviews");
	data_home_put(&home, "20260105-000000-B20M7K.jsonl", "{}\n");
	data_home_put(&home, ended_name, ended);
	struct explorer e = desk_on_disk("interviewer code=810M-15");
	expect_shown(&e,
		"The interview with this code ended on 2026-01-01 00:01 UTC: ridge interviews 2");
	cr_expect(zero(uint, interviewer_of(e.app)->subjects[0].mark));
	explorer_end(&e);
	e = desk_on_disk("interviewer count=2 seed=9");
	cr_expect(not(explorer_shows(&e, "ended on")));
	explorer_end(&e);
	data_home_end(&home);
}

/* Also where it was cut off and goes on: what the first one's candidate typed is none of the second's. */
Test(interviewer_record, goes_on_after_the_one_before_it)
{
	data_home_begin(&home, "interviews");
	data_home_put(&home, "20251231-230000-810M15.jsonl", ended);
	struct explorer e = desk_on_disk("interviewer code=810M-15");
	const int64_t after_s = interviewer_of(e.app)->after_s;
	cr_expect(lt(i64, 0, after_s));
	explorer_press(&e, "Space 4");
	explorer_end(&e);
	e = desk_on_disk("interviewer code=810M-15");
	expect_shown(&e, "goes on where it was");
	cr_expect(eq(i64, interviewer_of(e.app)->after_s, after_s));
	explorer_end(&e);
	data_home_end(&home);
}

/* It opens in its summary; its clock does not start, and q ends it again in its own file. What is behind the first
 * end makes no room for later answers. */
Test(interviewer_record, an_ended_interview_can_be_corrected)
{
	struct interviewer_head h;
	struct interviewer v;
	size_t unreadable;
	char err[300], target[100];
	data_home_begin(&home, "interviews");
	data_home_put(&home, ended_name, ended);
	snprintf(target, sizeof target, "interviewer record=%s", ended_name);
	struct explorer e = desk_on_disk(target);
	cr_expect(explorer_shows(&e, "Summary") && explorer_shows(&e, "Opened again"));
	explorer_press(&e, "2 p Space");
	expect_shown(&e, "It was ended: its clock stands.");
	pass(&e, 60000);
	explorer_press(&e, "3 e");
	explorer_type(&e, "late");
	explorer_press(&e, "Enter q");
	cr_expect(not(e.over));
	explorer_press(&e, "q");
	cr_expect(e.over);
	explorer_end(&e);
	char *text = interviewer_file_read(ended_name, err, sizeof err);
	cr_assert(text && strncmp(text, ended, strlen(ended)) == 0, "%s", text ? text : err);
	cr_expect(interviewer_head_read(text, &h) && h.ended && h.mark == 2 && h.clock_ms == 90000);
	cr_assert(zero(int, interviewer_replay(&v, &tables, text, &unreadable, err, sizeof err)));
	cr_expect(zero(sz, unreadable));
	cr_expect(eq(i64, v.until_s, 1767225700));
	cr_expect(eq(uint, v.subjects[5].mark, 2));
	cr_expect(eq(uint, v.subjects[0].mark, 3));
	cr_assert(v.subjects[0].notes != NULL);
	cr_expect(eq(str, v.subjects[0].notes->text, (char *)"late"));
	interviewer_release(&v);
	free(text);
	struct explorer other = start(30, 100, GLYPHS_LINES);
	cr_expect(not(explorer_open(&other, "interviewer record=../x.jsonl")));
	cr_expect(not(explorer_open(&other, "interviewer record=none.jsonl")));
	explorer_end(&other);
	data_home_end(&home);
}

static size_t records(void)
{
	struct interviewer_files f;
	char err[300];
	cr_assert(zero(int, interviewer_files_list(&f, err, sizeof err)), "%s", err);
	const size_t n = f.n;
	interviewer_files_release(&f);
	return n;
}

/* Turned pages are no interview. Once something is done, where they led is in the record. */
Test(interviewer_record, a_desk_that_was_looked_at_leaves_no_record)
{
	data_home_begin(&home, "interviews");
	struct explorer e = desk_on_disk("interviewer case=serve-70b level=senior seed=5");
	explorer_press(&e, "n n n n p [");
	pass(&e, 60000);
	explorer_press(&e, "q");
	cr_expect(zero(sz, records()));
	explorer_end(&e);
	e = desk_on_disk("interviewer case=serve-70b level=senior seed=5");
	cr_expect(not(explorer_shows(&e, "was not ended")));
	explorer_press(&e, "n n n 3");
	cr_assert(eq(sz, records(), 1));
	struct interviewer_files f;
	struct interviewer v;
	size_t unreadable;
	char err[300];
	cr_assert(zero(int, interviewer_files_list(&f, err, sizeof err)));
	char *text = interviewer_file_read(f.files[0].name, err, sizeof err);
	cr_assert(zero(int, interviewer_replay(&v, &tables, text, &unreadable, err, sizeof err)));
	cr_expect(eq(sz, v.at, interviewer_of(e.app)->at));
	cr_expect(v.at == 2 && v.subjects[2].mark == 3, "one n leads from the code to the guide");
	interviewer_release(&v);
	free(text);
	interviewer_files_release(&f);
	explorer_end(&e);
	data_home_end(&home);
}

/* Of a problem the last answer that was heard is taken back. */
Test(interviewer_record, an_answer_that_was_heard_can_be_taken_back)
{
	struct explorer e = desk("mode=set topic=kv-cache count=1 seed=4");
	const struct interviewer *v = interviewer_of(e.app);
	explorer_press(&e, "n a 2 7 Enter a 2 8 Enter u");
	cr_assert(v->subjects[0].heard != NULL);
	cr_expect(eq(str, v->subjects[0].heard->text, (char *)"27"));
	cr_expect(v->subjects[0].heard->next == NULL);
	char *was = summary_of(&e), words[64];
	snprintf(words, sizeof words, "code=%s", v->request.code);
	struct explorer again = desk(words);
	char *is = summary_of(&again);
	cr_expect(eq(str, is, was));
	free(was);
	free(is);
	explorer_end(&again);
	explorer_press(&e, "u u");
	expect_shown(&e, "There is no line to take back.");
	explorer_end(&e);
}

/* From the shell: the mark of the whole, and q, which prints it and leaves it ended. */
Test(interviewer_record, the_command_opens_one_again, .description = "long")
{
	static const char *const words[] = { "interviews", "1", "--edit", NULL };
	char data[100], err[300] = "";
	struct interviewer_head h;
	struct pty p;
	data_home_begin(&home, "interviews");
	data_home_put(&home, ended_name, ended);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s", home.path);
	pty_start(&p, 30, 100, words, (const char *const[]){ data, NULL });
	cr_expect(pty_shows(&p, "Opened again"));
	pty_send(&p, "1");
	cr_expect(pty_shows(&p, "mark 1 strong no"));
	pty_send(&p, "q");
	cr_expect(zero(int, pty_wait(&p)));
	cr_expect(pty_shows(&p, "Overall: strong no (1)."));
	pty_free(&p);
	char *text = interviewer_file_read(ended_name, err, sizeof err);
	cr_assert(text && interviewer_head_read(text, &h), "%s", err);
	cr_expect(h.ended && h.mark == 1 && strcmp(h.candidate, "Ada") == 0);
	free(text);
	data_home_end(&home);
}
