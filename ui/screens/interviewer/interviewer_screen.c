/* The interviewer's screen as the shell calls it: what its keys do, its clock, following the
 * candidate. */
#include "ui/screens/interviewer/interviewer_screen.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "sims/base/utf8.h"
#include "ui/live/action.h"
#include "ui/practice/drill_summary.h"
#include "ui/shell/bindings.h"
#include "ui/shell/layout.h"
#include "ui/screens/screens.h"
#include "ui/interviewer/followed.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/interviewer/interviewer_files.h"
#include "ui/practice/case_record.h"
#include "ui/practice/date_words.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The record --- */

static int64_t clock_of(const struct app *app)
{
	return session_total_ms(&interviewer_seen(app)->session, app->now_ms);
}

static bool keep_line(struct app *app, char *line)
{
	char err[300] = "The interview is not kept: out of memory.";
	bool kept = line &&
		    app->keep_interview(interviewer_of(app)->record, line, err, sizeof err) == 0;
	if (!kept)
		app_say(app, "%s", err);
	free(line);
	return kept;
}

/* Pages that were turned before anything else was done leave no record; where they led stands behind its first
 * line. */
static bool begin_record(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	const size_t stops[] = { v->back, v->at };
	interviewer_file_name(v, v->record, sizeof v->record);
	if (!keep_line(app, interviewer_begin_line(v))) {
		v->record[0] = '\0';
		return false;
	}
	for (size_t i = !interviewer_in_summary(v); i < LENGTH(stops); i++)
		if (stops[i])
			keep_line(app,
				interviewer_deed_line(
					&(struct interviewer_deed){ .did = DID_GO, .n = stops[i] },
					app_now_s(app)));
	return true;
}

/* The file is made with the first thing that is done. A record that could not be written to is told of
 * at each deed, since each is lost. */
static void keep(struct app *app, const struct interviewer_deed *d)
{
	struct interviewer *v = interviewer_of(app);
	if (!app->keep_interview || v->request.forget)
		return;
	/* A name that was given before stands in its first line. */
	if (!v->record[0] && (d->did == DID_GO || d->did == DID_TICK || d->did == DID_NAME))
		return;
	if (!v->record[0] && !begin_record(app))
		return;
	if (keep_line(app, interviewer_deed_line(d, app_now_s(app))))
		v->kept_ms = d->clock_ms;
}

/* Does it, and keeps that it was done. */
static bool perform(struct app *app, struct interviewer_deed d)
{
	d.clock_ms = clock_of(app);
	struct interviewer_case *k = interviewer_of(app)->at_case;
	bool done = interviewer_do(interviewer_of(app), &d, app->now_ms);
	if (d.did == DID_HEAR && k)
		d.heard_by = &k->talk;
	if (done)
		keep(app, &d);
	return done;
}

static void go(struct app *app, size_t stop)
{
	perform(app, (struct interviewer_deed){ .did = DID_GO, .n = stop });
}

/* --- Opening --- */

/* The time since a desk was cut off whose clock ran; 0: it stood, or that is longer than any interview. */
static int64_t missed_ms(const struct app *app)
{
	const struct interviewer *v = interviewer_seen(app);
	const int64_t ms = v->ran_s ? 1000 * (app_now_s(app) - v->ran_s) : 0;
	return ms > 0 && ms < (int64_t)(1000 * v->session.limit_s) ? ms : 0;
}

/* An interview of that code that was cut off, as it was; its clock stands. */
static bool go_on(struct app *app, const struct tables *t, const char *code)
{
	struct interviewer *v = interviewer_of(app), before;
	char name[RECORD_NAME_SIZE], at[32], err[300];
	size_t unreadable;
	char *text = app->load_interview ? app->load_interview(code, app_now_s(app), name) : NULL;
	bool goes = text && interviewer_replay(&before, t, text, &unreadable, err, sizeof err) == 0;
	free(text);
	if (!goes)
		return false;
	char candidate[CANDIDATE_SIZE];
	snprintf(candidate, sizeof candidate, "%s", v->candidate);
	interviewer_replace(v, &before);
	v->until_s = 0;
	snprintf(v->record, sizeof v->record, "%s", name);
	interviewer_file_follow(v, name, err, sizeof err);
	if (candidate[0])
		snprintf(v->candidate, sizeof v->candidate, "%s", candidate);
	char run_on[96] = "";
	if (missed_ms(app))
		snprintf(run_on, sizeof run_on, " w starts it at %s, as if it had run on.",
			drill_clock_text(clock_of(app) + missed_ms(app), at, sizeof at));
	app_say(app, "The interview goes on where it was, at %s. Its clock stands: Space.%s%s%s%s",
		drill_clock_text(clock_of(app), at, sizeof at), run_on, *err ? " (" : "", err,
		*err ? ")" : "");
	return true;
}

/* Who gives the code of an interview that was ended may mean that one. What its candidate typed is none of this one's. */
static void tell_over(struct app *app, const char *code)
{
	char date[64];
	int64_t ended_s = -1;
	const size_t number = app->load_interview ? interviewer_file_ended(code, &ended_s) : 0;
	if (number && ended_s > 0)
		interviewer_of(app)->after_s = ended_s;
	if (number)
		app_say(app,
			"The interview with this code ended on %s%s: ridge interviews %zu shows it, "
			"and --edit behind that corrects it. This is a new one.",
			ended_s < 0 ? "a day that is not known"
				    : moment_text(ended_s, date, sizeof date),
			ended_s < 0 ? "" : " UTC", number);
}

/* An interview that was given, once more, in its summary. */
static enum opened open_record(
	struct app *app, const struct tables *t, const char *name, char *err, size_t err_size)
{
	struct interviewer v;
	char why[300];
	size_t unreadable;
	char *text = strchr(name, '/') ? NULL : interviewer_file_read(name, err, err_size);
	if (strchr(name, '/'))
		snprintf(err, err_size, "record: expected the name of a file without folders");
	if (!text)
		return OPEN_FAILED;
	const int rc = interviewer_replay(&v, t, text, &unreadable, why, sizeof why);
	free(text);
	if (rc) {
		snprintf(err, err_size, "%s: %s", name, why);
		return OPEN_FAILED;
	}
	interviewer_replace(interviewer_of(app), &v);
	struct interviewer *opened = interviewer_of(app);
	snprintf(opened->record, sizeof opened->record, "%s", name);
	interviewer_file_follow(opened, name, why, sizeof why);
	app_show(app, SCREEN_INTERVIEWER);
	app->entry = (struct entry){ 0 };
	if (!interviewer_in_summary(opened))
		go(app, opened->n_stops);
	app_say(app, "%s",
		*why ? why
		     : "Opened again: marks and notes can be changed, p leads to the phases, q ends "
		       "it.");
	return OPENED;
}

/* Of an interview that was cut off today, whoever opens another is told. */
static void tell_unfinished(struct app *app)
{
	char name[RECORD_NAME_SIZE], at[32];
	char *text = app->load_interview ? app->load_interview("", app_now_s(app), name) : NULL;
	struct interviewer_head head;
	if (text && interviewer_head_read(text, &head) && head.code[0])
		app_say(app,
			"An interview was not ended, at %s: home goes on with it, and so does "
			"ridge drill --answers --code %s.",
			drill_clock_text(head.clock_ms, at, sizeof at), head.code);
	free(text);
}

static enum opened open_interview(struct app *app, const char *name, const char *const words[],
	size_t n, char *err, size_t err_size)
{
	struct drill_request request = { .options.mode = MODE_INTERVIEW };
	if (strcmp(name, "interviewer") != 0)
		return OPEN_NOT_MINE;
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return OPEN_FAILED;
	}
	static const char record[] = "record=";
	if (n == 1 && strncmp(words[0], record, strlen(record)) == 0)
		return open_record(app, t, words[0] + strlen(record), err, err_size);
	if (drill_request_words(&request, words, n, err, err_size))
		return OPEN_FAILED;
	struct followed *followed =
		request.follow[0] ? followed_open(request.follow, err, err_size) : NULL;
	if (request.follow[0] && !followed)
		return OPEN_FAILED;
	interviewer_release(interviewer_of(app));
	if (interviewer_begin(interviewer_of(app), &request, t, app_now_s(app), err, err_size)) {
		followed_release(followed);
		return OPEN_FAILED;
	}
	app_show(app, SCREEN_INTERVIEWER);
	app->entry = (struct entry){ 0 };
	struct interviewer *v = interviewer_of(app);
	/* What was answered while nobody looked is read at the first tick. */
	const bool goes_on = request.code[0] && !request.forget && go_on(app, t, v->request.code);
	if (!goes_on)
		v->history_stamp = !v->at_case && app->history_stamp ? app->history_stamp() : 0;
	if (request.forget)
		app_say(app, "Nothing of this interview is kept: --no-history.");
	else if (!request.code[0])
		tell_unfinished(app);
	else if (!goes_on)
		tell_over(app, v->request.code);
	v->followed = followed;
	return OPENED;
}

static void close_interview(struct app *app)
{
	interviewer_release(interviewer_of(app));
}

/* --- Keys --- */

static void scroll_by(struct app *app, long by)
{
	struct interviewer *v = interviewer_of(app);
	struct rect body = frame_layout(app->rows, app->cols).body;
	struct rect r = interviewer_guide_rect(v, body);
	struct page p;
	interviewer_page(&p, v, interviewer_guide_part(body), app->now_ms,
		interviewer_room(v, body), app->glyphs == GLYPHS_ASCII);
	long last = (long)p.n_lines - r.rows, to = v->scroll + by;
	page_release(&p);
	to = to > last ? last : to;
	v->scroll = to > 0 ? to : 0;
}

static void begin_note(struct app *app, bool edits)
{
	struct interviewer *v = interviewer_of(app);
	const struct interviewer_note *last = interviewer_last_note(v);
	if (edits && !last) {
		app_say(app, "There is no note here yet; e begins one.");
		return;
	}
	v->edits = edits;
	v->note_at_ms = edits ? last->at_ms : session_total_ms(&v->session, app->now_ms);
	entry_begin(&app->entry, ENTRY_NOTE, 0);
	if (edits)
		entry_set(&app->entry, last->text);
}

static void note(struct app *app, const char *text)
{
	struct interviewer *v = interviewer_of(app);
	const struct interviewer_deed noted = {
		.did = DID_NOTE, .text = text, .begun_ms = v->note_at_ms
	};
	bool empty = !text[strspn(text, " ")];
	char at[32];
	if (!empty)
		app_say(app, "Noted at %s.", drill_clock_text(v->note_at_ms, at, sizeof at));
	else if (v->edits)
		app_say(app, "The note is gone.");
	if (v->edits)
		perform(app, (struct interviewer_deed){ .did = DID_DROP });
	if (!empty && !perform(app, noted))
		app_say(app, "Out of memory: the note is lost.");
}

static void begin_heard(struct app *app)
{
	const struct interviewer *v = interviewer_seen(app);
	if (interviewer_in_summary(v) || (!v->at_case && !v->stops[v->at].item))
		app_say(app, "No number is asked for here: e begins a note.");
	else
		entry_begin(&app->entry, ENTRY_HEARD, 0);
}

/* Its sign would untick a fact that was told: that is no advice. */
static void say_of_number(struct app *app, const char *line)
{
	const struct interviewer_case *k = interviewer_seen(app)->at_case;
	const unsigned long n = strtoul(line, NULL, 10);
	if (n >= 1 && n <= k->c.n_facts && k->sitting.told[n - 1])
		app_say(app,
			"\"%.20s\" alone does nothing: fact %.20s is told, and #%.20s takes it back.",
			line, line, line);
	else
		app_say(app, "\"%.20s\" alone ticks nothing: #%.20s is fact %.20s.", line, line,
			line);
}

/* What the desk knows without hearing it: it leaves nothing in the record. True: it was that. */
static bool is_for_the_desk(struct app *app, const char *text, char line[CASE_LINE_SIZE])
{
	const struct interviewer *v = interviewer_seen(app);
	const enum phase phase = v->stops[v->at].phase;
	char help[200];
	switch (interviewer_case_reads(v->at_case, phase, text, line)) {
	case DESK_HELP:
		app_say(app, "%s", interviewer_case_help(v->at_case, phase, help, sizeof help));
		return true;
	case DESK_NUMBER:
		say_of_number(app, line);
		return true;
	default:
		return false;
	}
}

/* "#7 #9": what was told is unticked, and the others are ticked as one line, to be read out and taken back together. */
static bool hear_facts(struct app *app, const char *text)
{
	const struct interviewer *v = interviewer_seen(app);
	size_t facts[MOST_FACTS];
	const size_t n = interviewer_case_facts(v->at_case, v->stops[v->at].phase, text, facts);
	char line[CASE_LINE_SIZE] = "";
	for (size_t i = 0, used = 0; i < n; i++)
		if (v->at_case->sitting.told[facts[i] - 1])
			perform(app, (struct interviewer_deed){ .did = DID_UNTELL, .n = facts[i] });
		else
			used += (size_t)snprintf(line + used, sizeof line - used, "%s#%zu",
				used ? " " : "", facts[i]);
	if (*line)
		perform(app, (struct interviewer_deed){ .did = DID_HEAR, .text = line });
	return n > 0;
}

/* A line is heard. False: it is none of the candidate's. By which goals designs are judged is said where that is not
 * plain. */
static bool hear_line(struct app *app, struct interviewer_deed heard)
{
	const struct interviewer_case *k = interviewer_seen(app)->at_case;
	const size_t stage = k->sitting.stage, n_lines = k->n_lines;
	heard.did = DID_HEAR;
	if (!perform(app, heard))
		return false;
	if (heard.n == 0 && k->sitting.stage > stage)
		app_say(app,
			"Twist %zu is told. If the candidate uses ridge, they type twist as well.",
			k->sitting.stage);
	else if (k->n_lines > n_lines && interviewer_case_is_early(k))
		app_say(app, "Judged by the goals of before: no twist is told yet. t once it is.");
	return true;
}

static void hear_at_case(struct app *app, const char *text)
{
	struct interviewer *v = interviewer_of(app);
	char line[CASE_LINE_SIZE];
	if (hear_facts(app, text) || is_for_the_desk(app, text, line))
		return;
	if (!hear_line(app, (struct interviewer_deed){ .text = line })) {
		app_say(app, "That word is the candidate's: n goes on, 1 to 4 mark, q sums up.");
		return;
	}
	/* What stands on top of the page is seen; a fact that was ticked stays in sight. */
	if (interviewer_case_shows_last(v->at_case, v->stops[v->at].phase))
		v->scroll = 0;
}

/* A design runs for seconds. A frame says so before it begins, and what is typed meanwhile is dropped: it
 * would act on what nobody has seen yet. Without a loop (app->go_on) nothing is drawn in between. */
static bool is_run(const struct app *app, const char *text)
{
	return app->go_on &&
	       case_talk_runs(&interviewer_seen(app)->at_case->talk, text + strspn(text, " \t"));
}

static bool awaits_run(const struct interviewer *v)
{
	return v->to_run || v->their_record;
}

static void announce_run(struct app *app)
{
	app->works = app->deaf = true;
	app_say(app, "Running the design ...");
}

static void heard_at_case(struct app *app, const char *text)
{
	struct interviewer *v = interviewer_of(app);
	if (!text[strspn(text, " ")])
		return;
	if (is_run(app, text) && !v->to_run)
		v->to_run = strdup(text);
	if (v->to_run)
		announce_run(app);
	else
		hear_at_case(app, text);
}

/* "b) 27 GB" names the part; the first that was not right yet is meant without it. */
static void heard(struct app *app, const char *text)
{
	struct interviewer *v = interviewer_of(app);
	if (v->at_case) {
		heard_at_case(app, text);
		return;
	}
	size_t part = interviewer_heard_part(v, &text);
	char verdict[160], name[8] = "";
	if (!*text)
		return;
	if (!perform(app, (struct interviewer_deed){ .did = DID_HEAR, .n = part, .text = text })) {
		app_say(app, "This problem has no such part: a) to %c).",
			'a' + (int)v->stops[v->at].item->variant.n_steps - 1);
		return;
	}
	if (v->stops[v->at].item->variant.n_steps > 1)
		snprintf(name, sizeof name, "%c) ", 'a' + (int)part);
	const struct interviewer_heard *h = interviewer_last_heard(v, v->at);
	app_say(app, "%s%s: %s%s%s", name, h->text,
		interviewer_heard_verdict(h, verdict, sizeof verdict), *h->grade.remark ? ". " : "",
		h->grade.remark);
}

static void unhear(struct app *app)
{
	const struct interviewer *v = interviewer_seen(app);
	const bool typed = v->at_case && interviewer_case_last_typed(v->at_case);
	if (perform(app, (struct interviewer_deed){ .did = DID_UNHEAR }))
		app_say(app, "Taken back: the line that was heard last, and what came of it.");
	else
		app_say(app, "%s",
			typed ? "The last line is the candidate's own: it stays."
			      : "There is no line to take back.");
}

/* Whether a twist is due at the desk and left to be told. */
static bool has_twist(const struct interviewer *v)
{
	return v->at_case && !interviewer_in_summary(v) && v->stops[v->at].phase == PHASE_DRILL &&
	       interviewer_case_has_twist(v->at_case);
}

static void tell_twist(struct app *app)
{
	if (has_twist(interviewer_seen(app)))
		hear_at_case(app, "twist");
	else
		app_say(app, "No twist is to be told here.");
}

static void begin_name(struct app *app)
{
	entry_begin(&app->entry, ENTRY_NAME, 0);
	entry_set(&app->entry, interviewer_seen(app)->candidate);
}

static void name(struct app *app, const char *text)
{
	text += strspn(text, " ");
	if (strcmp(text, interviewer_seen(app)->candidate) == 0)
		return;
	perform(app, (struct interviewer_deed){ .did = DID_NAME, .text = text });
	if (*text)
		app_say(app, "This is the interview with %s.", interviewer_seen(app)->candidate);
	else
		app_say(app, "The name is gone.");
}

static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	assert(kind == ENTRY_NOTE || kind == ENTRY_HEARD || kind == ENTRY_NAME);
	if (kind == ENTRY_NAME)
		name(app, text);
	else if (kind == ENTRY_NOTE)
		note(app, text);
	else
		heard(app, text);
	return true;
}

static void toggle_clock(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	bool was_code = v->shows_code, runs = v->session.paused;
	v->shows_code = false;
	if (v->ended)
		app_say(app, "It was ended: its clock stands. Marks and notes can be changed.");
	else if (interviewer_in_summary(v))
		app_say(app, "The clock stands while the summary is shown; p goes back.");
	else if (runs || !was_code)
		perform(app, (struct interviewer_deed){ .did = DID_CLOCK, .n = runs });
	v->ran_s = 0;
}

/* The candidate's clock ran on while the desk was away. */
static void catch_up(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	const int64_t ms = missed_ms(app);
	if (!v->ended && interviewer_in_summary(v)) {
		app_say(app, "The clock stands while the summary is shown; p goes back.");
		return;
	}
	v->ran_s = 0;
	if (!ms || !v->session.paused || v->ended) {
		app_say(app, "The clock missed nothing: Space starts and stops it.");
		return;
	}
	perform(app, (struct interviewer_deed){ .did = DID_CLOCK, .n = 1 });
	v->session.since_ms -= ms;
	perform(app, (struct interviewer_deed){ .did = DID_TICK });
}

static void move(struct app *app, enum action a)
{
	struct interviewer *v = interviewer_of(app);
	size_t to = v->at;
	if (v->shows_code) { /* any of these keys leads from the code back to the guide */
		v->shows_code = false;
		return;
	}
	if (a == ACT_LATER || a == ACT_EARLIER)
		to = interviewer_phase_stop(v, a == ACT_LATER ? 1 : -1);
	else if (a == ACT_NEXT)
		to = v->at + 1;
	else if (v->at > 0)
		to = interviewer_in_summary(v) ? v->back : v->at - 1;
	if (to != v->at)
		go(app, to);
}

/* What to open with a problem or a design. Returns buf; NULL: there is nothing. */
static const char *subject_of(const struct interviewer *v, char *buf, size_t size)
{
	const bool problem = !interviewer_in_summary(v) && v->stops[v->at].item;
	if (v->at_case)
		return interviewer_case_target(v->at_case, buf, size) ? buf : NULL;
	if (!problem || !v->stops[v->at].item->variant.sim)
		return NULL;
	snprintf(buf, size, "%s", v->stops[v->at].item->variant.sim);
	return buf;
}

/* The clock goes on meanwhile, as it does for the candidate. */
static void open_subject(struct app *app)
{
	char text[1000], target[1024];
	const char *sim = subject_of(interviewer_seen(app), text, sizeof text);
	if (!sim) {
		app_say(app, "No simulation is about this.");
		return;
	}
	snprintf(target, sizeof target, "sim:%s", sim);
	app_go_to(app, target);
}

/* One key too many must not end an interview, so the first q leads to the summary, which can be
 * left again. */
static bool quit(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	bool begun = interviewer_begun(v, app->now_ms);
	if (begun && interviewer_in_summary(v))
		perform(app, (struct interviewer_deed){
				     .did = DID_END, .n = v->subjects[v->n_stops].mark });
	if (interviewer_in_summary(v) || !begun)
		return false;
	v->shows_code = false;
	go(app, v->n_stops);
	return true;
}

/* Behind a simulation that was opened to show something, the interview goes on. */
static const char *unfinished(const struct app *app, char *buf, size_t size)
{
	const struct interviewer *v = interviewer_seen(app);
	char at[32];
	if (!v->open || v->ended || !interviewer_begun(v, app->now_ms))
		return NULL;
	snprintf(buf, size, "The interview goes on, at %s: Esc leads back to it.",
		drill_clock_text(clock_of(app), at, sizeof at));
	return buf;
}

/* While a simulation is shown the talk goes on: how long, in a corner of it. */
static const char *clock_elsewhere(const struct app *app, char *buf, size_t size)
{
	const struct interviewer *v = interviewer_seen(app);
	char time[32];
	if (!v->open || v->ended || v->session.paused || interviewer_in_summary(v))
		return NULL;
	const int64_t left_ms = interviewer_times(v, app->now_ms).left_ms;
	if (v->session.mode != MODE_INTERVIEW)
		snprintf(buf, size, "interview %s",
			drill_clock_text(clock_of(app), time, sizeof time));
	else if (left_ms >= 0)
		snprintf(buf, size, "interview %s left",
			drill_clock_text(left_ms + 999, time, sizeof time));
	else
		snprintf(buf, size, "interview over by %s",
			drill_clock_text(-left_ms, time, sizeof time));
	return buf;
}

static bool back(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	if (v->shows_code && interviewer_begun(v, app->now_ms)) {
		v->shows_code = false;
		return true;
	}
	if (interviewer_in_summary(v)) {
		go(app, v->back);
		return true;
	}
	if (!interviewer_begun(v, app->now_ms))
		return false;
	app_say(app, "The interview goes on; q sums it up.");
	return true;
}

/* Others in place of these, as long as nothing was done: who has typed the code then types the new one. */
static void deal_anew(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	const struct tables *t = app_tables(app);
	struct interviewer next;
	char err[400];
	if (interviewer_begun(v, app->now_ms)) {
		app_say(app, "It has begun: what was dealt stays.");
		return;
	}
	const struct drill_request r =
		drill_request_anew(&v->request, v->request.options.seed % CASE_SEEDS + 1);
	if (!t || interviewer_begin(&next, &r, t, app_now_s(app), err, sizeof err)) {
		app_say(app, "%s", t ? err : app->message);
		return;
	}
	next.followed = v->followed;
	next.history_stamp = v->history_stamp;
	v->followed = NULL;
	interviewer_replace(v, &next);
	app_say(app, "Dealt anew: the code is another one now.");
}

/* The same mark again takes it away. */
static void mark(struct app *app, size_t mark)
{
	const struct interviewer *v = interviewer_seen(app);
	bool again = v->subjects[v->at].mark == mark;
	perform(app, (struct interviewer_deed){ .did = DID_MARK, .n = again ? 0 : mark });
}

static bool act_scroll(struct app *app, enum action a)
{
	int page =
		interviewer_guide_rect(interviewer_of(app), frame_layout(app->rows, app->cols).body)
			.rows;
	enum { FAR = 1 << 20 };
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		scroll_by(app, a == ACT_UP ? -1 : 1);
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		scroll_by(app, a == ACT_PAGE_UP ? 1 - page : page - 1);
		return true;
	case ACT_TOP:
	case ACT_BOTTOM:
		scroll_by(app, a == ACT_TOP ? -FAR : FAR);
		return true;
	default:
		return false;
	}
}

static bool act(struct app *app, enum action a)
{
	struct interviewer *v = interviewer_of(app);
	if (awaits_run(v))
		return true;
	switch (a) {
	case ACT_PLAY:
		toggle_clock(app);
		return true;
	case ACT_NEXT:
	case ACT_PREVIOUS:
	case ACT_LATER:
	case ACT_EARLIER:
		move(app, a);
		return true;
	case ACT_MARK_1:
	case ACT_MARK_2:
	case ACT_MARK_3:
	case ACT_MARK_4:
		if (!v->shows_code)
			mark(app, (size_t)(a - ACT_MARK_1) + 1);
		return true;
	case ACT_NOTE:
	case ACT_EDIT_NOTE:
		begin_note(app, a == ACT_EDIT_NOTE);
		return true;
	case ACT_HEARD:
		begin_heard(app);
		return true;
	case ACT_TOLD:
		tell_twist(app);
		return true;
	case ACT_CLOCK:
		catch_up(app);
		return true;
	case ACT_NAME:
		begin_name(app);
		return true;
	case ACT_UNDO:
		unhear(app);
		return true;
	case ACT_SUBJECT:
		open_subject(app);
		return true;
	case ACT_CODE:
		v->shows_code = !v->shows_code;
		return true;
	case ACT_REROLL:
		deal_anew(app);
		return true;
	case ACT_QUIT:
		return quit(app);
	case ACT_BACK:
		return back(app);
	default:
		return act_scroll(app, a);
	}
}

static bool acts(const struct app *app, enum action a)
{
	const struct interviewer *v = interviewer_seen(app);
	bool summary = interviewer_in_summary(v) && !v->shows_code;
	char text[1000];
	switch (a) {
	case ACT_NEXT:
		return !summary;
	case ACT_PLAY:
		return !summary && !v->ended;
	case ACT_LATER: /* at a case n does the same */
		return !summary && !v->shows_code && !v->at_case &&
		       v->session.mode == MODE_INTERVIEW;
	case ACT_CODE:
		return !v->shows_code && v->request.code[0];
	case ACT_REROLL:
		return !interviewer_begun(v, app->now_ms);
	case ACT_NAME: /* offered as long as nobody has one */
		return !v->candidate[0] && (v->shows_code || summary);
	case ACT_PREVIOUS:
		return summary;
	case ACT_MARK_1:
	case ACT_NOTE:
		return !v->shows_code;
	case ACT_HEARD:
		return !v->shows_code && !interviewer_in_summary(v) &&
		       (v->at_case || v->stops[v->at].item);
	case ACT_TOLD:
		return !v->shows_code && has_twist(v);
	case ACT_CLOCK:
		return v->session.paused && !v->ended && !interviewer_in_summary(v) &&
		       missed_ms(app) > 0;
	case ACT_SUBJECT:
		return !v->shows_code && subject_of(v, text, sizeof text) &&
		       (!v->at_case || interviewer_case_has_design(v->at_case));
	case ACT_BACK:
		return !interviewer_begun(v, app->now_ms);
	default:
		return true;
	}
}

/* The last phase of a case ends in the summary: the key that leads there has the place of one that
 * nobody needs then. */
static const char *calls(const struct app *app, enum action a)
{
	const struct interviewer *v = interviewer_seen(app);
	const bool last = v->at_case && !v->shows_code && !interviewer_in_summary(v) &&
			  v->stops[v->at].phase == PHASE_WRAP_UP;
	if (a == ACT_BACK) /* what ends an interview is q */
		return "";
	if (!last)
		return NULL;
	return a == ACT_CODE || a == ACT_REROLL ? "" : a == ACT_QUIT ? "sum up" : NULL;
}

/* In a wider window the guide has fewer lines, and the scroll may be beyond its end. */
static void settle(struct app *app)
{
	if (!too_small(app->rows, app->cols) && interviewer_of(app)->scroll > 0)
		scroll_by(app, 0);
	if (awaits_run(interviewer_seen(app)))
		announce_run(app);
}

/* The record of the candidate on the other side, where that is at this machine. */
static char *candidates_record(const struct app *app)
{
	const struct interviewer *v = interviewer_seen(app);
	const struct case_dealing deal = { .seed = v->request.options.seed,
		.level = v->request.level,
		.minutes = v->request.minutes };
	char name[CASE_RECORD_NAME_SIZE];
	return case_file_candidate(
		app->load_case, v->request.case_id, deal, v->opened_s, v->after_s, name);
}

/* What came in from another machine; NULL: nothing since. */
static char *followed_text(const struct interviewer *v, size_t *bytes)
{
	return followed_take(v->followed) ? followed_lines(v->followed, bytes) : NULL;
}

static void tell_ended(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	if (!v->followed || !followed_ended(v->followed))
		return;
	followed_release(v->followed);
	v->followed = NULL;
	app_say(app, "What the candidate types comes in no more: the other end was closed. a takes "
		     "what you hear.");
}

/* The record of the case that comes in. A candidate who typed another code is told of. */
static char *followed_case(struct app *app)
{
	const struct drill_request *r = &interviewer_seen(app)->request;
	struct case_head head;
	size_t bytes;
	char *record = followed_text(interviewer_seen(app), &bytes);
	if (!record || !case_head_read(record, &head))
		return record;
	if (strcmp(head.id, r->case_id) == 0 && head.seed == r->options.seed)
		return record;
	app_say(app, "What comes in is of another case: %s, seed %llu.", head.id,
		(unsigned long long)head.seed);
	free(record);
	return NULL;
}

/* The record of a candidate at the same machine, where it has changed. */
static char *changed_record(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	const uint64_t stamp = app->case_stamp ? app->case_stamp(v->request.case_id) : 0;
	if (!app->load_case || stamp == v->history_stamp)
		return NULL;
	v->history_stamp = stamp;
	return candidates_record(app);
}

/* Whether a line that was not heard yet runs a design. */
static bool has_run(const struct app *app, const char *record)
{
	bool runs = false;
	int64_t ms;
	char *line;
	for (size_t i = 0; (line = case_record_line(&record, &ms)); i++) {
		runs |= i >= interviewer_seen(app)->at_case->n_typed && is_run(app, line);
		free(line);
	}
	return runs;
}

/* What the candidate typed is heard. */
static void hear_record(struct app *app, const char *record)
{
	const struct interviewer *v = interviewer_seen(app);
	int64_t ms;
	char *line;
	for (size_t i = 0; (line = case_record_line(&record, &ms)); i++) {
		if (i >= v->at_case->n_typed)
			hear_line(app, (struct interviewer_deed){ .n = 1, .text = line });
		free(line);
	}
}

static void follow_case(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	if (interviewer_in_summary(v))
		return;
	char *record = v->followed ? followed_case(app) : changed_record(app);
	if (record && has_run(app, record)) {
		free(v->their_record);
		v->their_record = record;
		announce_run(app);
		return;
	}
	if (record)
		hear_record(app, record);
	free(record);
}

/* Says how far a run is. It goes on whatever is typed: nothing could be made of half a run. */
static bool tell_progress(void *context, double share)
{
	struct app *app = context;
	app->go_on(app->go_on_context, share);
	return true;
}

/* What waited for a frame that says it. */
static void work(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	const bool tells = app->go_on && v->at_case;
	char *record = v->their_record, *line = v->to_run;
	v->their_record = v->to_run = NULL;
	if (record || line)
		app->message[0] = '\0';
	if (tells)
		v->at_case->sitting.means =
			(struct case_means){ .go_on = tell_progress, .context = app };
	if (record)
		hear_record(app, record);
	if (line)
		hear_at_case(app, line);
	if (tells)
		v->at_case->sitting.means = (struct case_means){ .figure = NULL };
	free(record);
	free(line);
}

/* The history that came in. */
static bool followed_history(struct app *app, struct history *h)
{
	struct interviewer *v = interviewer_of(app);
	size_t bytes;
	char *lines = followed_text(v, &bytes);
	if (!lines)
		return false;
	v->theirs = true;
	if (history_parse(h, lines, bytes) == 0)
		return true;
	history_release(h);
	app_say(app, "out of memory");
	return false;
}

/* It is in no history of this machine, so it is kept beside the interview's record. */
static void keep_theirs(struct app *app)
{
	const struct interviewer *v = interviewer_seen(app);
	char err[300] = "out of memory";
	size_t bytes;
	if (!v->record[0] || !app->keep_interview)
		return;
	char *lines = followed_lines(v->followed, &bytes);
	if (!lines || interviewer_file_keep_theirs(v->record, lines, err, sizeof err))
		app_say(app, "%s", err);
	free(lines);
}

/* When the history file has changed, it is read again. */
static bool changed_history(struct app *app, struct history *h)
{
	struct interviewer *v = interviewer_of(app);
	uint64_t stamp = app->history_stamp ? app->history_stamp() : 0;
	char err[256];
	if (stamp == v->history_stamp || v->theirs)
		return false;
	v->history_stamp = stamp;
	if (app_history(app, h, err, sizeof err) == 0)
		return true;
	history_release(h);
	app_say(app, "%s", err);
	return false;
}

/* Called once a second. */
static void follow(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	struct history h;
	if (!(v->followed ? followed_history(app, &h) : changed_history(app, &h)))
		return;
	interviewer_follow(v, h);
	for (size_t i = 0; i < v->n_stops; i++) {
		size_t n = interviewer_seen_at(v, i);
		if (n > v->subjects[i].n_answers)
			perform(app,
				(struct interviewer_deed){ .did = DID_SEE, .stop = i, .n = n });
	}
	if (v->followed)
		keep_theirs(app);
}

/* --stream says something each five seconds, though it be nothing. A named pipe says of nobody that they left. */
static void watch_link(struct app *app)
{
	enum { SILENT_MS = 20000 };
	struct interviewer *v = interviewer_of(app);
	const size_t came = v->followed ? followed_came(v->followed) : 0;
	/* Nothing is read meanwhile. */
	if (v->ended || interviewer_in_summary(v)) {
		v->link_ms = app->now_ms;
		return;
	}
	if (came > v->link_bytes) {
		if (v->link_lost)
			app_say(app, "The candidate's side is linked again.");
		v->link_bytes = came;
		v->link_ms = app->now_ms;
		v->link_lost = false;
	} else if (came && !v->link_lost && app->now_ms - v->link_ms >= SILENT_MS) {
		v->link_lost = true;
		app_say(app,
			"Nothing has come from the candidate's side for %d s: does --stream "
			"still run there? a takes what you hear.",
			SILENT_MS / 1000);
	}
}

/* "candidate linked, 0:03 ago", in the top row; "" where nobody is followed. */
static char *link_text(const struct app *app, char *buf, size_t size)
{
	const struct interviewer *v = interviewer_seen(app);
	char ago[32];
	*buf = '\0';
	if (v->followed && v->link_bytes)
		snprintf(buf, size, "candidate %s, %s ago", v->link_lost ? "silent" : "linked",
			drill_clock_text(app->now_ms - v->link_ms, ago, sizeof ago));
	else if (v->followed)
		snprintf(buf, size, "candidate not linked yet");
	return buf;
}

/* Whoever cuts the power loses no more than this of the clock. */
static void keep_time(struct app *app)
{
	enum { KEPT_EACH_MS = 10000 };
	if (clock_of(app) - interviewer_seen(app)->kept_ms >= KEPT_EACH_MS)
		perform(app, (struct interviewer_deed){ .did = DID_TICK });
}

/* The clocks show whole seconds, so it is enough to wake at the next full second. */
static int tick(struct app *app, int64_t now_ms)
{
	const struct interviewer *v = interviewer_of(app);
	if (v->at_case && !v->ended)
		follow_case(app);
	else if (!v->at_case)
		follow(app);
	watch_link(app);
	tell_ended(app);
	keep_time(app);
	if (v->session.paused || interviewer_in_summary(v))
		return v->followed || (v->at_case ? app->case_stamp != NULL
						  : app->history_stamp != NULL)
			       ? 1000
			       : -1;
	return (int)(1000 - session_total_ms(&v->session, now_ms) % 1000);
}

/* The name, or its beginning with an ellipsis where it is longer than so many columns. */
static char *name_within(const struct app *app, int cols, char *buf, size_t size)
{
	const char *name = interviewer_seen(app)->candidate, *end = name, *next = name;
	if (text_cols(name, app->glyphs) <= cols) {
		snprintf(buf, size, "%s", name);
		return buf;
	}
	for (int used = 1; *next && used <= cols; end = used <= cols ? next : end)
		used += glyph_cols(utf8_next(&next), app->glyphs);
	snprintf(buf, size, "%.*s%s", (int)(end - name), name,
		app->glyphs == GLYPHS_ASCII ? "~" : "…");
	return buf;
}

/* The code has room beside a name in a narrow window too. */
static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	enum { LEAST_NAME = 8, BETWEEN = 3, RECORDS = 8 };
	static const char before[] = "ridge › Interview of ", behind[] = ": do not share";
	const struct interviewer *v = interviewer_seen(app);
	const struct drill_request *r = &v->request;
	char word[CASE_WORD_SIZE], name[CANDIDATE_SIZE + 4], link[64];
	snprintf(right, size, "%s%s%s%s", *r->code && !*v->candidate ? "code " : "", r->code,
		v->at_case ? " · release " : "",
		v->at_case ? case_release_word(r->case_id, r->options.seed, r->level, word) : "");
	const int room = frame_layout(app->rows, app->cols).title.cols - text_width(before) -
			 text_width(behind) - text_width(right) - BETWEEN -
			 (app->records ? RECORDS : 0);
	if (*v->candidate)
		snprintf(trail, trail_size, "%s%s%s", before,
			name_within(app, max_int(room, LEAST_NAME), name, sizeof name), behind);
	else
		snprintf(trail, trail_size, "ridge › Interviewer: do not share this");
	/* What has no room is left out from its end, and the code is needed first. */
	const size_t used = strlen(right);
	if (*link_text(app, link, sizeof link))
		snprintf(right + used, size - used, " · %s", link);
}

static bool restore(struct app *app, const struct place *p)
{
	(void)p;
	if (!interviewer_of(app)->open)
		return false;
	app_show(app, SCREEN_INTERVIEWER);
	return true;
}

/* It has no `leave`: going elsewhere does not stop the clock, for the candidate goes on. */
const struct screen interviewer_screen = {
	.name = "the interviewer's screen",
	.word = "interviewer",
	.state_size = sizeof(struct interviewer),
	.open = open_interview,
	.close = close_interview,
	.title = title,
	.draw = interviewer_view_draw,
	.act = act,
	.acts = acts,
	.calls = calls,
	.hints = 7,
	.typed = typed,
	.tick = tick,
	.settle = settle,
	.work = work,
	.restore = restore,
	.unfinished = unfinished,
	.elsewhere = clock_elsewhere,
};
