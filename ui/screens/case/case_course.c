#include "ui/screens/case/case_course.h"

#include "drills/case_plan.h"
#include "ui/practice/drill_summary.h"
#include "ui/screens/case/case_desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The record --- */

/* Keeps a line, which is freed. What is not kept is told of, each time. */
static bool keep_line(struct app *app, char *line)
{
	char err[300] = "what you type is not kept: out of memory";
	bool kept = line && app->keep_case(case_of(app)->record, line, err, sizeof err) == 0;
	if (!kept)
		app_say(app, "%s", err);
	free(line);
	return kept;
}

/* The file is made with the first line. */
static void keep(struct app *app, char *line, int64_t clock_ms)
{
	struct case_view *v = case_of(app);
	if (!app->keep_case) {
		free(line);
		return;
	}
	if (!v->record[0]) {
		case_file_name(v->c.id, app_now_s(app), v->record);
		if (!keep_line(app, case_begin_line(&v->sitting, app_now_s(app)))) {
			v->record[0] = '\0';
			free(line);
			return;
		}
	}
	if (keep_line(app, line))
		v->kept_ms = clock_ms;
}

/* A sitting in which nothing was typed leaves no record. */
static void keep_clock(struct app *app)
{
	struct case_view *v = case_of(app);
	const int64_t clock_ms = case_clock_ms(v, app->now_ms);
	if (v->record[0] && clock_ms > v->kept_ms)
		keep(app, case_clock_line(clock_ms), clock_ms);
}

/* --- Lines --- */

void case_put_line_away(struct app *app)
{
	struct case_view *v = case_of(app);
	if (app->entry.kind != ENTRY_TALK)
		return;
	v->line = app->entry;
	app->entry = (struct entry){ 0 };
}

void case_take_line_up(struct app *app)
{
	struct case_view *v = case_of(app);
	if (case_where(v) != CASE_TALKING)
		return;
	if (v->line.kind != ENTRY_TALK)
		entry_begin(&v->line, ENTRY_TALK, 0);
	app->entry = v->line;
}

/* What was told, as it stands after the last twist. */
static void know(struct case_view *v)
{
	for (size_t i = 0; i < v->c.n_facts; i++)
		if (v->sitting.told[i] && (!v->tells[i] || v->tells_stage != v->sitting.stage))
			v->tells[i] = case_tell(&v->sitting.deal, i, v->sitting.stage);
	v->tells_stage = v->sitting.stage;
	for (size_t i = 0; v->talk.debriefed && i < v->c.n_facts; i++)
		if (!v->sitting.told[i] && !v->untold[i])
			v->untold[i] = case_tell(&v->sitting.deal, i, v->sitting.stage);
}

/* What is typed after the debrief is typed at its time. */
static void stop_clock(struct app *app, int64_t clock_ms)
{
	struct case_view *v = case_of(app);
	v->stood_ms = clock_ms;
	v->over = true;
	keep(app, case_end_line(clock_ms), clock_ms);
}

/* Says how far a run is. It goes on whatever is typed: nothing could be made of half a run. */
static bool tell_progress(void *context, double share)
{
	struct app *app = context;
	app->go_on(app->go_on_context, share);
	return true;
}

/* Does a line whose echo was said. */
static void do_line(struct app *app, const char *line, int64_t clock_ms)
{
	struct case_view *v = case_of(app);
	const enum case_phase was = v->sitting.phase;
	v->sitting.means = case_desk_means(v);
	if (app->go_on && app->at_work) {
		v->sitting.means.go_on = tell_progress;
		v->sitting.means.context = app;
	}
	case_talk_line(&v->talk, line, clock_ms);
	v->sitting.means = (struct case_means){ .figure = NULL };
	if (v->sitting.phase != was)
		v->begun = v->newest;
	if (v->talk.heard)
		keep(app, case_heard_line(&v->talk, clock_ms), clock_ms);
	if (v->talk.debriefed) /* each time, so that the record ends in it */
		stop_clock(app, clock_ms);
	case_desk_follow(v);
	know(v);
	app->failed |= v->talk.said.arena.failed;
}

void case_type(struct app *app, const char *line)
{
	struct case_view *v = case_of(app);
	const int64_t clock_ms = case_clock_ms(v, app->now_ms);
	line += strspn(line, " ");
	if (!*line || v->to_run)
		return;
	keep(app, case_typed_line(line, clock_ms), clock_ms);
	v->newest = v->talk.said.n;
	v->up = 0;
	v->recalled = 0;
	case_talk_line(&v->talk, "", clock_ms);
	case_talk_echo(&v->talk, line);
	if (app->go_on && case_talk_runs(&v->talk, line) && !case_desk_says(v, line))
		v->to_run = strdup(line);
	v->to_run_ms = clock_ms;
	if (!v->to_run)
		do_line(app, line, clock_ms);
}

/* What waited for a frame that says it. */
static void run_line(struct app *app)
{
	struct case_view *v = case_of(app);
	char *line = v->to_run;
	if (!line)
		return;
	app->message[0] = '\0';
	do_line(app, line, v->to_run_ms);
	v->to_run = NULL;
	free(line);
}

/* The paragraph of the nth line from the newest, from 1; NULL: there were not so many. */
static const char *nth_line(const struct case_view *v, size_t n)
{
	for (size_t i = v->talk.said.n; i-- > 0;)
		if (v->talk.said.list[i].tone == TONE_YOU && --n == 0)
			return v->talk.said.list[i].text + strlen("> ");
	return NULL;
}

void case_recall(struct app *app, int way)
{
	struct case_view *v = case_of(app);
	const size_t to = way > 0 ? v->recalled + 1 : v->recalled ? v->recalled - 1 : 0;
	const char *line = to ? nth_line(v, to) : "";
	if (!line || to == v->recalled)
		return;
	v->recalled = to;
	entry_set(&app->entry, line);
}

/* --- The clock --- */

void case_pause(struct app *app)
{
	struct case_view *v = case_of(app);
	case_put_line_away(app);
	if (!v->sits || v->paused || v->over)
		return;
	v->stood_ms = case_clock_ms(v, app->now_ms);
	v->paused = true;
	keep_clock(app);
}

void case_resume(struct app *app)
{
	struct case_view *v = case_of(app);
	if (!v->sits || !v->paused || v->ready)
		return;
	v->since_ms = app->now_ms;
	v->paused = false;
	case_take_line_up(app);
}

void case_to_desk(struct app *app, bool open)
{
	case_put_line_away(app);
	case_of(app)->desk.open = open;
	case_take_line_up(app);
}

int case_course_tick(struct app *app)
{
	enum { SECOND_MS = 1000 };
	struct case_view *v = case_of(app);
	if (!v->sits || v->paused || v->over)
		return -1;
	const int64_t clock_ms = case_clock_ms(v, app->now_ms);
	if (v->to_run) /* was typed before what is to be told now */
		return SECOND_MS;
	const size_t said = v->talk.said.n;
	case_talk_line(&v->talk, "", clock_ms);
	if (v->talk.said.n > said) {
		v->newest = said;
		v->up = 0;
		know(v);
		if (v->desk.open) /* elsewhere it stands in sight */
			app_say(app, "The interviewer says something: Tab leads to it.");
	}
	if (clock_ms - v->kept_ms >= CASE_MINUTE_MS)
		keep_clock(app);
	return (int)(SECOND_MS - clock_ms % SECOND_MS);
}

/* --- Beginning and ending --- */

void case_end(struct case_view *v)
{
	v->deals = false;
	if (!v->sits)
		return;
	case_desk_release(&v->desk);
	case_talk_release(&v->talk);
	case_sitting_release(&v->sitting);
	case_release(&v->c);
	v->sits = v->paused = v->ready = v->reads = v->over = false;
	v->record[0] = '\0';
	v->stood_ms = v->kept_ms = 0;
	free(v->to_run);
	v->to_run = NULL;
	v->line = (struct entry){ 0 };
	v->recalled = v->newest = v->begun = 0;
	memset(v->tells, 0, sizeof v->tells);
	memset(v->untold, 0, sizeof v->untold);
	v->up = 0;
}

/* The last sitting of a case, where it is what is wished for: its record, and in w how it was dealt. */
static char *find_record(const struct app *app, struct case_wish *w, char *name)
{
	char *record = !w->anew && app->load_case
			       ? case_file_find(app->load_case, w->id, &w->how, name)
			       : NULL;
	if (record && case_dealing_fits(&w->how, record))
		return record;
	free(record);
	return NULL;
}

/* All that was said, from its beginning; nothing is added to it. */
static void read_again(struct app *app, char *record)
{
	struct case_view *v = case_of(app);
	size_t unreadable = 0;
	v->stood_ms = case_replay(&v->talk, record, &unreadable);
	v->newest = 0;
	if (unreadable)
		app_say(app, "A part of this record cannot be read.");
	v->reads = v->over = v->paused = true;
	free(record);
	case_desk_follow(v);
	know(v);
}

/* Goes on with a record, which is freed; NULL: from the beginning. */
static void go_on(struct app *app, char *record, const char *name)
{
	struct case_view *v = case_of(app);
	char time[32];
	size_t unreadable = 0;
	if (record) {
		v->stood_ms = v->kept_ms = case_replay(&v->talk, record, &unreadable);
		snprintf(v->record, sizeof v->record, "%s", name);
		v->newest = v->talk.said.n;
		case_say(&v->talk.said, TONE_HINT,
			"This sitting was left at %s and goes on there.%s",
			drill_clock_text(v->stood_ms, time, sizeof time),
			unreadable ? " A part of its record cannot be read." : "");
		case_say_apart(&v->talk.said);
		if (v->sitting.company == CASE_HELD)
			keep(app, case_again_line(v->stood_ms, app_now_s(app)), v->stood_ms);
	}
	free(record);
	case_desk_follow(v);
	know(v);
}

/* The same minute deals the same case, but not the one that was just sat. */
static uint64_t fresh_seed(const struct app *app)
{
	const struct case_view *v = case_seen(app);
	const uint64_t seed = (uint64_t)app_now_s(app) % CASE_SEEDS;
	return v->sits && v->sitting.deal.seed == seed ? (seed + 1) % CASE_SEEDS : seed;
}

/* A record says itself which case it is of, and how that was dealt. 0; or -1 and one line in err. */
static int take_head(struct case_wish *w, char *err, size_t err_size)
{
	struct case_head h;
	char *text = strchr(w->record, '/') ? NULL : case_file_text(w->record);
	const bool is = text && case_head_read(text, &h);
	free(text);
	if (!is) {
		snprintf(err, err_size, "there is no record \"%.80s\" that can be read", w->record);
		return -1;
	}
	snprintf(w->id, sizeof w->id, "%s", h.id);
	w->how = (struct case_dealing){ .seeded = true,
		.levelled = true,
		.timed = true,
		.held = h.held,
		.seed = h.seed,
		.level = h.level,
		.minutes = h.minutes };
	return 0;
}

/* Reads what the wish leaves open from the case itself. 0; or -1 and one line in err. */
static int complete(
	struct app *app, const struct tables *t, struct case_wish *w, char *err, size_t err_size)
{
	struct design_case c;
	if (*w->record && take_head(w, err, err_size))
		return -1;
	int rc = case_load(&c, t, w->id, err, err_size);
	if (!w->how.timed)
		w->how.minutes = CASE_MINUTES;
	if (!w->how.seeded)
		w->how.seed = fresh_seed(app);
	if (rc == 0)
		snprintf(w->title, sizeof w->title, "%s", c.title);
	if (rc == 0 && !w->how.levelled)
		w->how.level = case_least_level(&c);
	if (rc == 0 && !(c.levels >> w->how.level & 1)) {
		snprintf(err, err_size, "%s is not for %s: its level is %s", w->id,
			case_level_names[w->how.level], case_level_names[case_least_level(&c)]);
		rc = -1;
	}
	case_release(&c);
	return rc;
}

static int deal_wish(struct app *app, char *err, size_t err_size)
{
	struct case_view *v = case_of(app);
	struct case_wish *w = &v->wish;
	char name[CASE_RECORD_NAME_SIZE];
	char *record = *w->record ? case_file_text(w->record) : find_record(app, w, name);
	v->deals = false;
	if (case_load(&v->c, &app->tables, w->id, err, err_size) ||
		case_sitting_begin(&v->sitting, &v->c, &app->tables, w->how.seed, w->how.level, err,
			err_size)) {
		case_sitting_release(&v->sitting);
		case_release(&v->c);
		free(record);
		return -1;
	}
	v->sits = true;
	v->sitting.minutes = w->how.minutes;
	v->sitting.company = w->how.held ? CASE_HELD : CASE_ALONE;
	/* Nobody's clock begins before they said so; two of them at a word that is said aloud. */
	v->paused = true;
	v->ready = !*w->record;
	case_talk_begin(&v->talk, &v->sitting);
	v->talk.deals_anew = !w->how.held; /* two people have one deal */
	v->earlier = case_earlier_of(record ? NULL : app->load_case, w->id);
	if (*w->record && record)
		read_again(app, record);
	else
		go_on(app, record, name);
	v->since_ms = app->now_ms;
	return 0;
}

int case_begin(struct app *app, const struct case_wish *wish, char *err, size_t err_size)
{
	struct case_view *v = case_of(app);
	struct case_wish w = *wish;
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return -1;
	}
	/* A sitting that goes on says itself how it was dealt. */
	char name[CASE_RECORD_NAME_SIZE], *record = *w.record ? NULL : find_record(app, &w, name);
	if (record)
		w.how.seeded = w.how.levelled = w.how.timed = true;
	free(record);
	if (complete(app, t, &w, err, err_size))
		return -1;
	case_end(v);
	v->wish = w;
	v->deals = true;
	if (!app->go_on)
		return deal_wish(app, err, err_size);
	app->works = true;
	return 0;
}

void case_start(struct app *app)
{
	case_of(app)->ready = false;
	case_resume(app);
}

void case_deal_anew(struct app *app)
{
	struct case_wish w = case_seen(app)->wish;
	char err[700];
	w.anew = true;
	w.record[0] = '\0';
	w.how.seeded = w.how.held = false;
	if (case_begin(app, &w, err, sizeof err))
		app_say(app, "%s", err);
}

void case_course_work(struct app *app)
{
	char err[700];
	run_line(app);
	if (!case_seen(app)->deals)
		return;
	if (deal_wish(app, err, sizeof err) == 0)
		case_take_line_up(app);
	else
		app_say(app, "%s", err);
}
