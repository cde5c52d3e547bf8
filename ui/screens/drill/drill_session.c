/* A key or a line changes the session first and then the desk; what happened to a problem goes to
 * the history through a sitting (ui/practice/sitting.h). */
#include "ui/screens/drill/drill_picture.h"
#include "ui/screens/drill/drill_session.h"

#include "sims/base/utf8.h"
#include "drills/program_grade.h"
#include "drills/session_again.h"
#include "ui/programs/consent.h"
#include "ui/data/bank_kept.h"
#include "ui/practice/sitting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lines: answer, notes, scratch pad -------------------------------------------------------- */

/* While the keys go elsewhere the typed line is kept on the desk... */
static void put_line_away(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	if (app->entry.kind == ENTRY_SCRATCH)
		desk->pad_line = app->entry;
	else if (app->entry.kind >= ENTRY_ANSWER)
		desk->line = app->entry;
	app->entry = (struct entry){ 0 };
}

/* ...and afterwards it is put back. */
static void take_line_up(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	enum drill_state state = drill_state(drill_of(app));
	bool pad = desk->in_pad && (state == DRILL_OPEN || state == DRILL_TALK);
	enum entry_kind kind = pad ? ENTRY_SCRATCH : drill_line_kind(drill_of(app));
	struct entry *kept = pad ? &desk->pad_line : &desk->line;
	app->entry = (struct entry){ 0 };
	if (kind == ENTRY_NONE)
		return;
	if (kept->kind != kind)
		entry_begin(kept, kind, 0);
	app->entry = *kept;
}

void drill_to_pad(struct app *app, bool in_pad)
{
	put_line_away(app);
	drill_of(app)->desk.in_pad = in_pad;
	take_line_up(app);
}

/* Once the keys are settled, the sheet scrolls to what has just come. */
static void show_newest(struct app *app)
{
	drill_of(app)->to_newest = true;
}

void drill_view_note(struct app *app, const char *text)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	if (!text[strspn(text, " ")]) {
		drill_next_phase(app);
		return;
	}
	if (desk->n_notes == MOST_NOTES) {
		snprintf(app->entry.error, sizeof app->entry.error, "at most %d notes", MOST_NOTES);
		return;
	}
	snprintf(desk->notes[desk->n_notes++], sizeof desk->notes[0], "%s", text);
	entry_begin(&app->entry, ENTRY_TALK, 0);
	show_newest(app);
}

void drill_view_work(struct app *app, const char *text)
{
	struct drill_view *d = drill_of(app);
	struct entry *e = &app->entry;
	if (drill_run_out(app))
		return;
	if (!text[strspn(text, " ")]) {
		drill_to_pad(app, false);
		return;
	}
	if (scratch_add(&d->desk.pad, text, e->error, sizeof e->error))
		return;
	struct session_item *item = session_current(&d->session);
	if (item)
		item->scratch = true;
	entry_begin(e, ENTRY_SCRATCH, 0);
}

/* Takes the previous note or pad line back into the entry, so that it can be corrected. */
bool drill_take_back(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	struct entry *e = &app->entry;
	if (e->bytes)
		return false;
	if (e->kind == ENTRY_TALK && desk->n_notes > 0)
		entry_set(e, desk->notes[--desk->n_notes]);
	else if (e->kind == ENTRY_SCRATCH && desk->pad.n > 0)
		entry_set(e, desk->pad.lines[--desk->pad.n].text);
	else
		return false;
	return true;
}

void drill_copy_result(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	char text[128];
	if (drill_line_kind(drill_of(app)) == ENTRY_NONE)
		return;
	if (desk->pad.n == 0) {
		app_say(app, "The scratch pad has no result yet; Ctrl-S opens it.");
		return;
	}
	scratch_write(
		&desk->pad.lines[desk->pad.n - 1].value, SCRATCH_ALL_DIGITS, text, sizeof text);
	drill_to_pad(app, false);
	entry_set(&app->entry, text);
}

/* --- the clock, and what the history hears ---------------------------------------------------- */

void drill_pause(struct app *app)
{
	put_line_away(app);
	if (!drill_of(app)->desk.ready)
		session_pause(&drill_of(app)->session, app->now_ms);
}

/* A program that was left before it passed is there again. */
static void take_program_up(struct app *app);

void drill_resume(struct app *app)
{
	session_resume(&drill_of(app)->session, app->now_ms);
	take_program_up(app);
	take_line_up(app);
}

static struct sitting sitting_of(struct app *app)
{
	struct drill_view *d = drill_of(app);
	return (struct sitting){
		.session = &d->session,
		.keep = d->request.forget ? NULL : app->record,
		.set = d->set,
		.began_s = (int64_t)app->epoch_s,
		.began_ms = app->started_ms,
	};
}

/* When the history cannot be written there is a message, and the session goes on. */
static void tell_if_lost(struct app *app, const struct sitting *t)
{
	if (*t->error)
		app_say(app, "%s", t->error);
}

static void record(
	struct app *app, const struct session_item *item, enum history_kind kind, const char *given)
{
	struct sitting t = sitting_of(app);
	sitting_record(&t, item, kind, given, app->now_ms);
	tell_if_lost(app, &t);
}

/* An answer that was graded elsewhere: a program. given: for the history. */
static void take_grade(struct app *app, const struct grade *g, const char *given)
{
	struct sitting t = sitting_of(app);
	sitting_grade(&t, g, given, app->now_ms);
	tell_if_lost(app, &t);
}

/* --- programs as answers: edited in the user's editor, run between two frames ----------------- */

static void release_program(struct program_draft *p)
{
	free(p->text);
	*p = (struct program_draft){ 0 };
}

static bool keeps_programs(const struct app *app)
{
	return app->keep_program && !drill_seen(app)->request.forget;
}

/* text: NULL where it has passed, and nothing is left to be done. */
static void keep_program(struct app *app, const char *text)
{
	char err[400];
	if (keeps_programs(app) &&
		app->keep_program(&drill_view_item(drill_of(app))->variant, text, err, sizeof err))
		app_say(app, "Your program is not kept: %s.", err);
}

static void take_program_up(struct app *app)
{
	struct drill_view *d = drill_of(app);
	if (d->program.looked || !drill_program_open(d))
		return;
	int64_t saved_s = 0;
	d->program.looked = true;
	if (keeps_programs(app) && app->load_program)
		d->program.text = app->load_program(&drill_view_item(d)->variant, &saved_s);
	d->program.left_s = d->program.text ? saved_s : 0;
}

void drill_program_as_given(struct app *app)
{
	struct program_draft *p = &drill_of(app)->program;
	p->as_given = !p->as_given;
}

static void edit(struct app *app)
{
	struct drill_view *d = drill_of(app);
	char err[400], *text = strdup(drill_program_text(d));
	if (!text || !app->edit_program) {
		app_say(app, text ? "A program is edited in a terminal." : "Out of memory.");
		free(text);
		return;
	}
	const bool failed = app->edit_program(
		&drill_view_item(d)->variant, keeps_programs(app), &text, err, sizeof err);
	if (failed)
		app_say(app, "%s", err);
	const bool same = strcmp(text, drill_program_text(d)) == 0;
	/* The editor's file is the one that is kept: meanwhile it had the program as it was given. */
	if (same && d->program.as_given)
		keep_program(app, d->program.text);
	if (same && (failed || d->program.as_given)) {
		free(text);
		return;
	}
	free(d->program.text);
	d->program.text = text;
	d->program.mended = true;
	d->program.as_given = false;
	d->program.left_s = 0;
	keep_program(app, text);
	show_newest(app);
}

static void run(struct app *app)
{
	struct drill_view *d = drill_of(app);
	const struct session_item *item = drill_view_item(d);
	struct code_result r = { 0 };
	char err[600];
	if (!app->run_program) {
		app_say(app, "A program is run in a terminal.");
		return;
	}
	if (app->run_program(&item->variant, drill_program_text(d), &r, err, sizeof err)) {
		app_say(app, "%s", err);
		return;
	}
	d->program.mended = false;
	snprintf(d->program.said, sizeof d->program.said, "%s", r.said);
	snprintf(d->program.tool, sizeof d->program.tool, "%s", r.tool);
	snprintf(d->program.why, sizeof d->program.why, "%s",
		r.state == CODE_NOT_CONFINED ? r.why : "");
	if (r.state != CODE_RAN) {
		d->program.assessing = r.state == CODE_NO_TOOL;
		take_line_up(app);
	} else {
		take_grade(app, &r.grade, r.summary);
		if (r.grade.verdict == VERDICT_CORRECT)
			keep_program(app, NULL);
		if (*r.why)
			app_say(app, "It ran unconfined, as you allowed: %s.", r.why);
	}
	/* Of a program as it was given nothing comes on the sheet: the statement stays where it is. */
	if (d->program.text || *d->program.said || r.state != CODE_RAN || item->closed)
		show_newest(app);
}

void drill_program_work(struct app *app)
{
	const enum program_asks asks = drill_seen(app)->program.asks;
	drill_of(app)->program.asks = PROGRAM_RESTS;
	if (!drill_program_open(drill_of(app)))
		return;
	app->message[0] = '\0';
	if (asks == PROGRAM_EDIT)
		edit(app);
	else if (asks == PROGRAM_RUN)
		run(app);
}

/* The answer to the question whether to run it where it cannot be confined. */
static void take_consent(struct app *app, const char *line)
{
	struct drill_view *d = drill_of(app);
	bool given = strcmp(line, CONSENT_WORDS) == 0;
	char err[300];
	if (!given && line[strspn(line, " ")]) {
		snprintf(app->entry.error, sizeof app->entry.error,
			"expected \"%s\", or nothing for the check list", CONSENT_WORDS);
		return;
	}
	if (given && consent_keep(err, sizeof err)) {
		snprintf(app->entry.error, sizeof app->entry.error, "%.200s", err);
		return;
	}
	d->program.why[0] = '\0';
	d->program.assessing = !given;
	app->entry = d->desk.line = (struct entry){ 0 };
	if (given) {
		d->program.asks = PROGRAM_RUN;
		app->works = true;
		app_say(app, "Running ...");
	} else {
		take_line_up(app);
	}
	show_newest(app);
}

/* The candidate's own judgement, a letter for each line of the check list. */
static void assess(struct app *app, const char *marks)
{
	struct drill_view *d = drill_of(app);
	struct grade g;
	program_assess(&drill_view_item(d)->variant, marks, &g);
	if (!g.attempt_used) {
		snprintf(app->entry.error, sizeof app->entry.error, "%.200s",
			*g.remark ? g.remark : g.understood);
		return;
	}
	d->program.assessing = false;
	take_grade(app, &g, g.understood);
	if (g.verdict == VERDICT_CORRECT)
		keep_program(app, NULL);
	/* The model solution has been shown, so the problem cannot stay open. */
	if (!drill_view_item(d)->closed)
		session_give_up(&d->session, app->now_ms);
	app->entry = (struct entry){ 0 };
	show_newest(app);
}

/* --- the course: answers, problems, phases --------------------------------------------------- */

/* When the time of a sprint is up, the open problem ends with it. */
bool drill_run_out(struct app *app)
{
	struct drill_view *d = drill_of(app);
	const struct session_item *item = drill_view_item(d);
	if (!d->open || d->session.mode != MODE_SPRINT || session_done(&d->session) ||
		!session_tick(&d->session, app->now_ms))
		return false;
	if (item && !item->closed)
		record(app, item, HISTORY_TIMED_OUT, "");
	app->entry = (struct entry){ 0 };
	app_say(app, "Time is up.");
	return true;
}

bool drill_has_result(const struct drill_view *d)
{
	const struct drill_session *s = &d->session;
	bool some = false;
	for (size_t i = 0; i < s->n; i++)
		some |= s->items[i].answered;
	return some && s->mode == MODE_SPRINT && drill_state(d) == DRILL_HIDDEN;
}

bool drill_stop(struct app *app)
{
	struct drill_view *d = drill_of(app);
	if (!drill_has_result(d))
		return false;
	session_stop(&d->session, app->now_ms);
	app->entry = d->desk.line = (struct entry){ 0 };
	return true;
}

/* Clears what belonged to the previous problem. In an interview the pad stays until the design
 * phase is over, because the estimate that was worked out on it is needed there. */
static void clear_desk(struct app *app)
{
	struct drill_view *d = drill_of(app);
	struct drill_desk *desk = &d->desk;
	app->entry = desk->line = desk->pad_line = (struct entry){ 0 };
	memset(desk->own, 0, sizeof desk->own);
	release_program(&d->program);
	desk->gave_up = desk->in_pad = desk->hint_offered = false;
	desk->gave_up_step = 0;
	if (d->session.mode != MODE_INTERVIEW || d->session.phase >= PHASE_DRILL) {
		desk->pad.n = 0;
		desk->pad_open = false;
	}
	d->scroll = 0;
	d->to_newest = false;
}

void drill_next(struct app *app)
{
	struct drill_session *s = &drill_of(app)->session;
	session_next(s, app->now_ms);
	clear_desk(app);
	if (!session_done(s))
		drill_resume(app);
}

/* Only the open problem is recorded: problems that were never shown leave nothing in the
 * history. */
void drill_next_phase(struct app *app)
{
	struct drill_session *s = &drill_of(app)->session;
	const struct session_item *item = drill_view_item(drill_of(app));
	bool open = item && !item->closed;
	size_t before = s->current;
	session_next_phase(s, app->now_ms);
	if (open)
		record(app, item, HISTORY_GAVE_UP, "");
	clear_desk(app);
	if (!session_done(s))
		drill_resume(app);
	size_t left = s->current - before - (item && !open);
	if (left)
		app_say(app, "%zu problem%s left unanswered.", left, left == 1 ? "" : "s");
}

void drill_start(struct app *app)
{
	drill_of(app)->desk.ready = false;
	drill_resume(app);
}

/* Keeps what was answered to a part, so that it stays visible beside its solution. */
static void keep_own(
	struct app *app, const struct session_item *item, size_t step, const char *text)
{
	struct own_answer *own = &drill_of(app)->desk.own[step];
	if (!item->grade.attempt_used)
		return;
	snprintf(own->text, sizeof own->text, "%.*s", (int)utf8_whole(text, 60), text);
	own->verdict = item->grade.verdict;
	own->follow_through = item->grade.follow_through;
}

void drill_view_answer(struct app *app, const char *text)
{
	struct drill_view *d = drill_of(app);
	const struct session_item *item = drill_view_item(d);
	if (drill_run_out(app) || drill_state(d) != DRILL_OPEN)
		return;
	if (item->variant.program && *d->program.why) {
		take_consent(app, text);
		return;
	}
	if (!text[strspn(text, " ")]) {
		snprintf(app->entry.error, sizeof app->entry.error,
			"type an answer; Tab gives a hint, Ctrl-G gives up");
		return;
	}
	if (item->variant.program) {
		assess(app, text);
		return;
	}
	size_t step = item->variant.step;
	struct sitting t = sitting_of(app);
	sitting_answer(&t, text, app->now_ms);
	tell_if_lost(app, &t);
	keep_own(app, item, step, text);
	if (item->closed || item->variant.step > step) {
		d->desk.line = (struct entry){ 0 };
		take_line_up(app);
		show_newest(app);
	} else {
		/* The answer stays in the line and can be corrected; what lacks a unit goes on with it. */
		app->entry.cursor = app->entry.bytes;
		app->entry.judged = item->grade.verdict != VERDICT_INVALID &&
				    item->grade.verdict != VERDICT_NEED_UNIT;
		/* The verdict takes room: what there is to choose from stays in sight. */
		if (item->variant.steps[step].n_options)
			show_newest(app);
	}
}

/* With the pad open Tab has been the way back from it: one too many is not charged for. */
static bool may_be_slip(const struct drill_desk *desk, const struct session_item *item)
{
	return desk->pad_open && !desk->hint_offered && item && session_has_hint(item);
}

void drill_hint(struct app *app)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	if (may_be_slip(desk, drill_view_item(drill_of(app)))) {
		desk->hint_offered = true;
		app_say(app, "A hint costs a tenth of the credit: Tab once more takes it.");
		return;
	}
	if (!session_hint(&drill_of(app)->session))
		app_say(app, "There is no further hint.");
	show_newest(app);
}

void drill_give_up(struct app *app)
{
	struct sitting t = sitting_of(app);
	const struct session_item *item = drill_view_item(drill_of(app));
	drill_of(app)->desk.gave_up_step = item ? item->variant.step : 0;
	sitting_give_up(&t, app->now_ms);
	tell_if_lost(app, &t);
	drill_of(app)->desk.gave_up = true;
	drill_of(app)->desk.in_pad = false;
	app->entry = (struct entry){ 0 };
	show_newest(app);
}

/* --- beginning and ending --------------------------------------------------------------------- */

void drill_view_release(struct drill_view *d)
{
	release_program(&d->program);
	drill_picture_release(&d->picture);
	if (d->open) {
		session_release(&d->session);
		if (!d->kept)
			bank_release(&d->bank);
		kept_bank_give_back(d->kept);
	}
	*d = (struct drill_view){ 0 };
}

/* What d->request is dealt from: the bank that the explorer keeps, or with a pack one of its own. */
static int find_bank(
	struct app *app, const struct tables *t, struct own_drills *own, char *err, size_t err_size)
{
	struct drill_view *d = drill_of(app);
	if (d->request.pack[0])
		return drill_request_bank(&d->request, &d->bank, t, own, err, err_size);
	d->kept = kept_bank_take(&app->bank, t, err, err_size);
	if (!d->kept)
		return -1;
	d->bank = d->kept->bank;
	*own = d->kept->own;
	return 0;
}

/* The five problems on a chapter, as a plan asks for them. */
static bool is_on_chapter(const struct drill_request *asked, enum drill_mode mode)
{
	const char *chapter = "chapter-";
	return mode == MODE_SET && !asked->code[0] && !asked->options.count && !asked->seeded &&
	       strncmp(asked->topic, chapter, strlen(chapter)) == 0;
}

/* A session that is a piece of a plan goes on where it was left: a placement, and the problems on a chapter. So do
 * problems that are asked for by their code. Any other deals fresh numbers, which is what it is for. */
static bool may_go_on(const struct drill_request *asked, enum drill_mode mode)
{
	if (asked->forget || asked->seeded || asked->pack[0])
		return false;
	return mode == MODE_PLACEMENT || (mode == MODE_SET && asked->code[0]) ||
	       is_on_chapter(asked, mode);
}

/* What was asked for, with all that was left open, from a seed. */
static int complete(struct app *app, const struct drill_request *asked, uint64_t seed, char *err,
	size_t err_size)
{
	struct drill_view *d = drill_of(app);
	d->request = *asked;
	return drill_request_complete_from(
		&d->request, &d->bank, app->load_history, app_now_s(app), seed, err, err_size);
}

/* A placement whose seed was chosen begins at its first problem. Another one that was left is named, which would be lost
 * sight of. */
static void say_left(struct app *app, int64_t since_s)
{
	struct history h = { 0 };
	char unused[300];
	const bool read = app->load_history(&h, unused, sizeof unused) == 0;
	const size_t at = read ? session_placement_left(&h, since_s) : 0;
	if (at > 0)
		app_say(app,
			"One was left at problem %zu of %d: drill mode=placement, without a seed, goes "
			"on with it.",
			at, PLACEMENT_COUNT);
	history_release(&h);
}

/* Deals what was asked for: as it was left within a day, if it is such a session, else anew. 0; or -1 and one line
 * in err: it cannot be dealt. */
static int begin(struct app *app, const struct tables *t, const struct drill_request *asked,
	uint64_t fresh_seed, char *err, size_t err_size)
{
	struct drill_view *d = drill_of(app);
	struct drill_session *s = &d->session;
	struct history h = { 0 };
	const int64_t since_s = app_now_s(app) - CALENDAR_DAY_S;
	uint64_t seed = fresh_seed;
	if (complete(app, asked, fresh_seed, err, err_size))
		return -1;
	const enum drill_mode mode = d->request.options.mode;
	snprintf(d->set, sizeof d->set, "%.*s", (int)sizeof d->set - 1,
		mode != MODE_SET || asked->pack[0] ? ""
		: is_on_chapter(asked, mode)       ? asked->topic
						   : d->request.code);
	if (app->load_history && mode == MODE_PLACEMENT && asked->seeded && !asked->forget)
		say_left(app, since_s);
	const bool left = may_go_on(asked, mode) && app->load_history &&
			  app->load_history(&h, err, err_size) == 0 &&
			  session_left_seed(&h, mode, d->set, since_s, &seed);
	int rc = left ? complete(app, asked, seed, err, err_size) : 0;
	if (rc == 0)
		rc = session_init(s, &d->bank, t, &d->request.options, err, err_size);
	if (rc == 0 && left) {
		const bool some = session_go_on(s, &h, since_s) || s->items[0].answered;
		if (some && !session_done(s)) {
			app_say(app, "You left this one at problem %zu of %zu: it goes on there.",
				s->current + 1, s->n);
		} else {
			session_release(s);
			rc = complete(app, asked, fresh_seed, err, err_size);
			if (rc == 0)
				rc = session_init(
					s, &d->bank, t, &d->request.options, err, err_size);
		}
	}
	history_release(&h);
	return rc;
}

int drill_view_begin(struct app *app, const struct drill_request *r, char *err, size_t err_size)
{
	struct drill_view *d = drill_of(app);
	struct drill_request request = *r; /* r may lie in the session that is released below */
	request.nothing_due = false;
	uint64_t fresh_seed = drill_fresh_seed(app);
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return -1;
	}
	drill_view_release(d);
	d->open = true;
	d->request = request;
	d->began_s = app_now_s(app);
	struct own_drills own;
	bool begun = find_bank(app, t, &own, err, err_size) == 0 &&
		     begin(app, t, &request, fresh_seed, err, err_size) == 0;
	if (d->request.nothing_due) {
		d->session.mode = MODE_REVIEW;
		app->entry = (struct entry){ 0 };
		app_show(app, SCREEN_DRILL);
		return 0;
	}
	if (!begun) {
		drill_view_release(d);
		return -1;
	}
	/* A bank of the user's own that was refused does not stop the session, but it is
	 * reported. */
	if (own.n_refused)
		app_say(app, "left out: %s", own.refused[0]);
	if (d->request.attempts)
		d->session.max_attempts = d->request.attempts;
	app_show(app, SCREEN_DRILL);
	app->entry = (struct entry){ 0 };
	d->desk.ready = d->session.limit_s > 0 || d->session.mode == MODE_REVIEW ||
			d->session.mode == MODE_PLACEMENT;
	if (!d->desk.ready)
		drill_resume(app);
	return 0;
}
