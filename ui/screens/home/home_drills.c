/* What an interview is prepared with, kinds of sets, then the topics of the bank's outline. The history is read after the first
 * frame, so that the screen never waits for it. */
#include "ui/screens/home/home_drills.h"

#include "drills/code.h"
#include "drills/fsrs.h"
#include "drills/session_again.h"
#include "sims/base/capital.h"
#include "ui/data/case_list.h"
#include "ui/interviewer/interviewer_record.h"
#include "ui/practice/case_record.h"
#include "ui/practice/drill_request.h"
#include "ui/practice/drill_summary.h"
#include "ui/screens/home/home_calendar.h"
#include "ui/term/pane.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_SIZE = 80 };
enum {
	CALENDAR,
	CASES,
	INTERVIEW,
	GIVE,
	MIXED,
	STUDY,
	REVIEW,
	SPRINT,
	PLACEMENT,
	ANSWERS,
	N_FIXED
};

/* Entries above the list of topics: first what an interview is prepared with, then sets of problems. */
static const struct {
	const char *title, *target, *about;
	/* What it takes, at the right end: the unit alone where there is no number. NULL: what is known of it. */
	int n;
	const char *unit;
} fixed[N_FIXED] = {
	[CALENDAR] = { "Calendar", "calendar",
		"what to read, drill and present on each day until an interview", 0, NULL },
	[CASES] = { "Design cases", "case",
		"an interview whose design a simulation runs: ask, estimate, design, twists",
		CASE_MINUTES, "min" },
	[INTERVIEW] = { "Practice interview", "drill mode=interview",
		"45 minutes at a design case, dealt: clarify, estimate, design, twists, wrap up",
		CASE_MINUTES, "min" },
	[GIVE] = { "Give an interview", "interviewer",
		"the interviewer's desk for a case: a code to read out, facts, clock, marks, notes",
		CASE_MINUTES, "min" },
	[MIXED] = { "A mixed set", "drill",
		"five problems with fresh numbers, a clock, and a way to the simulation behind "
		"each",
		DEFAULT_COUNT, "problems" },
	[STUDY] = { "Study", "drill mode=study", "five problems with fresh numbers and no clock", 0,
		"no clock" },
	[REVIEW] = { "Review", "drill mode=review",
		"the skills you are about to forget, each with fresh numbers", 0, NULL },
	[SPRINT] = { "Sprint", "drill mode=sprint",
		"short problems, as many as you can in two minutes", 2, "min" },
	[PLACEMENT] = { "Where to begin", "drill mode=placement",
		"twelve problems, each of another chapter: which to read, and which you know",
		PLACEMENT_COUNT, "problems" },
	[ANSWERS] = { "Your answers", "stats",
		"what you know, what is slow, which mistakes come back, what is due", 0, NULL },
};
static_assert(CASE_MINUTES == 45 && DEFAULT_COUNT == 5 && PLACEMENT_COUNT == 12,
	"the sentences above say so in words");

int home_drills(const struct app *app)
{
	return N_FIXED + (int)app->outline.n;
}

int home_drills_fixed(void)
{
	return N_FIXED;
}

const char *home_drills_heading(int entry)
{
	return entry == MIXED ? "Drill" : entry == N_FIXED ? "One topic" : NULL;
}

/* What was answered in a topic. */
static size_t problems_of(const struct app *app, int topic)
{
	return topic < HOME_TOPICS ? home_seen(app)->answers.topics[topic].problems : 0;
}

static unsigned percent_right(const struct app *app, int topic)
{
	size_t n = problems_of(app, topic), right = home_seen(app)->answers.topics[topic].correct;
	return (unsigned)((100 * right + n / 2) / n);
}

/* Text for the right end of a line in a long and a short form; the longer one that fits is used. */
struct words {
	char full[WORDS_SIZE], brief[WORDS_SIZE];
};

static void review_words(const struct app *app, struct words *w)
{
	const struct home_answers *a = &home_seen(app)->answers;
	char when[48];
	if (a->n_due) {
		snprintf(w->brief, WORDS_SIZE, "%zu due", a->n_due);
		snprintf(
			w->full, WORDS_SIZE, "%zu skill%s due", a->n_due, a->n_due == 1 ? "" : "s");
	} else if (a->next_s) {
		stats_when(a->next_s, app_now_s(app), when, sizeof when);
		snprintf(w->brief, WORDS_SIZE, "%s", when);
		snprintf(w->full, WORDS_SIZE, "nothing due, next %s", when);
	} else if (a->known) {
		snprintf(w->brief, WORDS_SIZE, "nothing yet");
	}
}

/* How many problems a topic has, which the heading above says, or how many of them were right. */
static void topic_words(const struct app *app, int topic, struct words *w)
{
	snprintf(w->brief, WORDS_SIZE, "%zu", app->outline.topics[topic].drills);
	if (problems_of(app, topic))
		snprintf(w->full, WORDS_SIZE, "%u %% right", percent_right(app, topic));
}

static void calendar_words_of(const struct home_answers *a, struct words *w)
{
	if (a->days > 0)
		snprintf(w->brief, WORDS_SIZE, "in %d day%s", a->days, a->days == 1 ? "" : "s");
	else if (a->known)
		snprintf(w->brief, WORDS_SIZE, "no date yet");
}

static struct words words_of(const struct app *app, int entry)
{
	struct words w = { "", "" };
	const struct home_answers *a = &home_seen(app)->answers;
	if (entry >= N_FIXED)
		topic_words(app, entry - N_FIXED, &w);
	else if (entry == REVIEW)
		review_words(app, &w);
	else if (entry == CALENDAR)
		calendar_words_of(a, &w);
	else if (entry == ANSWERS && a->known && a->problems == 0)
		snprintf(w.brief, WORDS_SIZE, "none yet");
	else if (entry == ANSWERS && a->problems)
		snprintf(w.brief, WORDS_SIZE, "%zu answered", a->problems);
	else if (fixed[entry].n)
		snprintf(w.brief, WORDS_SIZE, "%d %s", fixed[entry].n, fixed[entry].unit);
	else if (fixed[entry].unit)
		snprintf(w.brief, WORDS_SIZE, "%s", fixed[entry].unit);
	if (!*w.full)
		memcpy(w.full, w.brief, WORDS_SIZE);
	return w;
}

/* The name of a topic as in the bank, with a capital letter. */
static void title_of(const struct app *app, int entry, char *text, size_t size)
{
	const char *title =
		entry < N_FIXED ? fixed[entry].title : app->outline.topics[entry - N_FIXED].name;
	snprintf(text, size, "%s", title);
	capital_first(text);
}

void home_drill_draw(
	const struct app *app, struct canvas *cv, struct rect line, int entry, bool focused)
{
	struct pane p = pane_of(cv, line);
	struct words w = words_of(app, entry);
	char title[64];
	title_of(app, entry, title, sizeof title);
	int room = line.cols - 4 - text_width(title);
	const char *words = text_width(w.full) <= room    ? w.full
			    : text_width(w.brief) <= room ? w.brief
							  : "";
	bool due = entry == REVIEW && home_seen(app)->answers.n_due > 0;
	pane_fit(&p, 0, 2, line.cols - 2, title, focused ? STYLE_ACCENT : STYLE_PLAIN,
		focused ? ATTR_BOLD : 0);
	pane_fit_right(
		&p, 0, 0, line.cols, words, due ? STYLE_WARN : STYLE_DIM, due ? ATTR_BOLD : 0);
}

void home_drill_target(const struct app *app, int entry, char *target, size_t size)
{
	if (entry < N_FIXED)
		snprintf(target, size, "%s", fixed[entry].target);
	else
		snprintf(target, size, "drill topic=%s", app->outline.topics[entry - N_FIXED].id);
}

static void about_review(const struct app *app, char *text, size_t size)
{
	const struct home_answers *a = &home_seen(app)->answers;
	char when[48];
	if (!a->known || a->n_due)
		snprintf(text, size, "%s", fixed[REVIEW].about);
	else if (a->next_s)
		snprintf(text, size, "Nothing due. Next review %s.",
			stats_when(a->next_s, app_now_s(app), when, sizeof when));
	else
		snprintf(text, size, "Nothing to review yet: what you answer comes back here.");
}

void home_drill_about(const struct app *app, int entry, char *text, size_t size)
{
	int topic = entry - N_FIXED;
	if (entry == REVIEW)
		about_review(app, text, size);
	else if (topic < 0)
		snprintf(text, size, "%s", fixed[entry].about);
	else if (problems_of(app, topic))
		snprintf(text, size, "five of its %zu problems; so far %zu of %zu right",
			app->outline.topics[topic].drills,
			home_seen(app)->answers.topics[topic].correct, problems_of(app, topic));
	else
		snprintf(text, size, "five of its %zu problems, with fresh numbers and a clock",
			app->outline.topics[topic].drills);
}

static void count_topics(const struct app *app, const struct stats *s, struct home_answers *out)
{
	for (size_t i = 0; i < app->outline.n && i < HOME_TOPICS; i++)
		for (size_t k = 0; k < s->n_topics; k++)
			if (strcmp(app->outline.topics[i].id, s->topics[k].name) == 0) {
				out->topics[i].problems = s->topics[k].problems;
				out->topics[i].correct = s->topics[k].correct;
			}
}

/* Something that was left: what it is, what opens it, and where its clock stands. */
static void leave(struct home_answers *out, int64_t begun_s, const char *what, const char *target,
	const char *at)
{
	if (begun_s < out->left.begun_s)
		return;
	snprintf(out->left.what, sizeof out->left.what, "%s", what);
	snprintf(out->left.target, sizeof out->left.target, "%s", target);
	snprintf(out->left.at, sizeof out->left.at, "%s", at);
	out->left.begun_s = begun_s;
}

/* From its own file: one that was written while ridge runs is in no list yet. */
static void leave_case(struct app *app, const struct case_head *head, struct home_answers *out)
{
	char what[sizeof out->left.what], target[sizeof out->left.target], at[32], err[400];
	const struct tables *t = app_tables(app);
	struct design_case c;
	if (!t)
		return;
	if (case_load(&c, t, head->id, err, sizeof err) == 0) {
		snprintf(what, sizeof what, "the case \"%s\"", c.title);
		snprintf(target, sizeof target, "case:%.80s", head->id);
		leave(out, head->at_s, what, target,
			drill_clock_text(head->clock_ms, at, sizeof at));
	}
	case_release(&c);
}

/* The sitting that was begun last, where that was within a day and it goes on. */
static void look_at_case(struct app *app, struct home_answers *out)
{
	struct case_head head;
	size_t n = 0;
	char(*names)[CASE_RECORD_NAME_SIZE] = app->load_case ? case_files_all(&n) : NULL;
	char *text = n ? case_file_text(names[0]) : NULL;
	if (text && case_head_read(text, &head) && case_goes_on(&head) && !head.held &&
		app_now_s(app) - head.at_s < CALENDAR_DAY_S)
		leave_case(app, &head, out);
	free(text);
	free(names);
}

/* A desk that was left open: its candidate waits. */
static void look_at_desk(const struct app *app, struct home_answers *out)
{
	struct interviewer_head head;
	char name[RECORD_NAME_SIZE];
	char *text = app->load_interview ? app->load_interview("", app_now_s(app), name) : NULL;
	if (text && interviewer_head_read(text, &head) && head.code[0]) {
		char what[sizeof out->left.what], target[sizeof out->left.target], at[32];
		snprintf(what, sizeof what, "the interview that you give%s%s",
			head.candidate[0] ? " to " : "", head.candidate);
		snprintf(target, sizeof target, "interviewer code=%s", head.code);
		leave(out, head.at_s, what, target, drill_clock_text(head.clock_ms, at, sizeof at));
	}
	free(text);
}

/* A placement or a set of problems that was left within a day. */
static void look_at_session(const struct app *app, const struct history *h, enum drill_mode mode,
	struct home_answers *out)
{
	static const char chapter[] = "chapter-";
	struct session_left left;
	char at[40], what[sizeof out->left.what], target[sizeof out->left.target];
	if (!session_left(h, mode, app_now_s(app) - CALENDAR_DAY_S, &left))
		return;
	const bool placement = mode == MODE_PLACEMENT,
		   on_chapter = strncmp(left.set, chapter, sizeof chapter - 1) == 0;
	const size_t n = placement    ? PLACEMENT_COUNT
			 : on_chapter ? DEFAULT_COUNT
				      : code_count(left.set);
	if (left.at >= n)
		return;
	snprintf(at, sizeof at, "problem %zu of %zu", left.at + 1, n);
	snprintf(what, sizeof what,
		placement    ? "the placement"
		: on_chapter ? "the problems on chapter %s"
			     : "the set %s",
		on_chapter ? left.set + sizeof chapter - 1 : left.set);
	snprintf(target, sizeof target,
		placement    ? "drill mode=placement"
		: on_chapter ? "drill topic=%s"
			     : "drill code=%s",
		left.set);
	leave(out, left.begun_s, what, target, at);
}

/* A history that cannot be read is not reported here: the statistics screen, which is asked for it,
 * does. */
static void look_at_answers(struct app *app)
{
	struct home_answers *out = &home_of(app)->answers;
	struct answers a = { 0 };
	char err[256];
	*out = (struct home_answers){ .known = true };
	look_at_case(app, out);
	look_at_desk(app, out);
	if (app_answers(app, &a, err, sizeof err) == 0) {
		const struct stats_group *next = stats_next(&a.stats);
		out->problems = a.stats.n_problems;
		out->n_due = a.stats.n_due;
		out->due_s = stats_due_s(&a.stats, &a.history);
		out->next_s = next ? next->card.due_s : 0;
		count_topics(app, &a.stats, out);
		look_at_session(app, &a.history, MODE_PLACEMENT, out);
		look_at_session(app, &a.history, MODE_SET, out);
		home_calendar(app, &a.history, out);
	}
	answers_release(&a);
}

int home_drills_tick(struct app *app, int64_t now_ms)
{
	struct home_answers *a = &home_of(app)->answers;
	(void)now_ms;
	if (!app->load_history || app_answers_are_many(app))
		return -1;
	int64_t left_s = a->next_s - app_now_s(app);
	if (!a->known && !a->wanted) {
		a->wanted = true;
		return 0;
	}
	if (!a->known || (a->next_s && left_s <= 0)) {
		look_at_answers(app);
		return 0;
	}
	return a->next_s && left_s < CALENDAR_DAY_S ? (int)(left_s * 1000) : -1;
}
