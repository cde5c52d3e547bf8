/* Your answers: the statistics as a screen. They are one document that scrolls; the rows of its
 * lists can be put in focus, and Enter drills what they name; before that it takes the next step. Interviews are
 * further parts of it, one for each person: there Enter takes a case. */
#include "ui/screens/stats/stats_screen.h"

#include "drills/case_stats_figure.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/registry/registry.h"
#include "ui/term/paragraph.h"
#include "ui/live/action.h"
#include "ui/shell/bindings.h"
#include "ui/shell/layout.h"
#include "ui/screens/screens.h"
#include "ui/screens/stats/stats_document.h"
#include "ui/screens/stats/stats_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MEASURE = 76 };

static void draw_words(struct canvas *cv, struct rect r, const char *const words[], size_t n)
{
	struct rect column = text_column(r, MEASURE);
	int row = 2;
	for (size_t i = 0; i < n && row < r.rows; i++)
		row += 1 +
		       paragraph_draw(cv,
			       (struct rect){ r.row + row, column.col, r.rows - row, column.cols },
			       words[i], i ? STYLE_PLAIN : STYLE_ACCENT, i ? 0 : ATTR_BOLD);
}

static void draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct stats_view *s = stats_seen(app);
	char text[128], size[32];
	if (s->wanted && app->history_bytes) {
		quantity_format(size, sizeof size, (double)app->history_bytes(), "B");
		snprintf(text, sizeof text, "Reading %s of answers ...", size);
		draw_words(cv, r, (const char *const[]){ text }, 1);
	} else if (s->error[0]) {
		draw_words(cv, r, (const char *const[]){ "Your answers cannot be read.", s->error },
			2);
	} else {
		stats_document_draw(app, cv, r);
	}
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	size_t n = stats_seen(app)->answers.stats.n_problems;
	snprintf(trail, trail_size, "ridge › Your answers");
	char count[32];
	if (n)
		snprintf(right, size, "%s problem%s",
			quantity_format(count, sizeof count, (double)n, ""), n == 1 ? "" : "s");
}

/* How many of a topic's drills came up. */
static size_t met_of(const struct stats *s, const char *topic)
{
	enum { MOST = 64 }; /* no topic of a bank has more */
	const char *seen[MOST];
	size_t n = 0;
	for (size_t i = 0; i < s->n_problems && n < MOST; i++) {
		const struct stats_problem *p = &s->problems[i];
		bool known = strcmp(p->topic, topic) != 0;
		for (size_t k = 0; k < n && !known; k++)
			known = strcmp(seen[k], p->drill) == 0;
		if (!known)
			seen[n++] = p->drill;
	}
	return n;
}

static const struct topic_outline *outline_of(const struct app *app, const char *topic)
{
	for (size_t i = 0; i < app->outline.n; i++)
		if (strcmp(app->outline.topics[i].id, topic) == 0)
			return &app->outline.topics[i];
	return NULL;
}

/* What a topic is called: one that the bank has no more may be that of a simulation. */
static const char *topic_name(const struct topic_outline *o, const char *id)
{
	const struct sim *sim = o ? NULL : sim_find(id);
	return o ? o->name : sim ? sim->title : id;
}

static void add_topic(struct stats_view *v, struct stats_topic t)
{
	if (v->n_topics < STATS_TOPICS)
		v->topics[v->n_topics++] = t;
}

static int by_name(const void *a, const void *b)
{
	const struct stats_topic *first = a, *second = b;
	return strcasecmp(first->name, second->name);
}

/* The topics that were answered, then those of the bank that wait, either by the name that is shown. */
static void list_topics(struct app *app)
{
	struct stats_view *v = stats_of(app);
	const struct stats *s = &v->answers.stats;
	v->n_topics = 0;
	for (size_t i = 0; i < s->n_topics; i++) {
		const struct topic_outline *o = outline_of(app, s->topics[i].name);
		const size_t seen = met_of(s, s->topics[i].name);
		add_topic(v,
			(struct stats_topic){ s->topics[i].name, topic_name(o, s->topics[i].name),
				o && o->drills > seen ? o->drills : seen, seen, &s->topics[i] });
	}
	const size_t met = v->n_topics;
	for (size_t i = 0; i < app->outline.n; i++) {
		const struct topic_outline *o = &app->outline.topics[i];
		bool answered = false;
		for (size_t k = 0; k < s->n_topics && !answered; k++)
			answered = strcmp(s->topics[k].name, o->id) == 0;
		if (!answered)
			add_topic(v, (struct stats_topic){ o->id, o->name, o->drills, 0, NULL });
	}
	qsort(v->topics, met, sizeof *v->topics, by_name);
	qsort(v->topics + met, v->n_topics - met, sizeof *v->topics, by_name);
}

static void read_answers(struct app *app)
{
	struct stats_view *s = stats_of(app);
	char complaint[300];
	s->wanted = false;
	if (app_answers(app, &s->answers, s->error, sizeof s->error))
		return;
	stats_figure(&s->answers.stats, &s->figure);
	list_topics(app);
	if (*history_complaint(&s->answers.history, complaint, sizeof complaint))
		figure_note(&s->figure, ROLE_WARN, "%s", complaint);
}

/* -- Interviews --------------------------------------------------------------------------- */

/* The person whose interviews are shown; NULL: answers are. */
static const struct case_person *person_of(const struct stats_view *v)
{
	return v->part > 0 && v->part <= v->people.n_people ? &v->people.people[v->part - 1] : NULL;
}

static void show_part(struct stats_view *v, size_t part)
{
	v->part = part <= v->people.n_people ? part : 0;
	v->focus = -1;
	v->scroll = 0;
	figure_release(&v->marks);
	v->marks = (struct figure){ 0 };
	if (person_of(v))
		case_stats_marks(person_of(v), &v->marks);
}

/* Finds the records. Where there is nobody's file to read, there are none. */
static void find_interviews(struct app *app)
{
	struct stats_view *v = stats_of(app);
	if (app->load_case && interview_results_find(&v->interviews))
		app_say(app, "Out of memory: not all interviews are counted.");
}

static bool reads_on(const struct stats_view *v)
{
	return v->interviews.at < v->interviews.n;
}

/* The person who was shown is shown still, wherever they stand now. */
static void count_interviews(struct app *app)
{
	struct stats_view *v = stats_of(app);
	const struct case_person *was = person_of(v);
	struct case_stats now;
	size_t part = 0;
	if (interview_results_count(&v->interviews, &now))
		app_say(app, "Out of memory: not all interviews are counted.");
	for (size_t i = 0; was && i < now.n_people; i++)
		if (now.people[i].given == was->given && strcmp(now.people[i].name, was->name) == 0)
			part = i + 1;
	/* Who answered no drill opens what there is. */
	const bool first = !v->people.n_people && now.n_people && !v->answers.stats.n_problems;
	case_stats_release(&v->people);
	v->people = now;
	if (was || first)
		show_part(v, first ? 1 : part);
}

/* One record at a time, so that keys are not kept waiting. */
static void read_interview(struct app *app)
{
	struct stats_view *v = stats_of(app);
	const struct tables *t = app_tables(app);
	if (!t) {
		v->interviews.at = v->interviews.n;
		return;
	}
	interview_results_next(&v->interviews, t);
	if (reads_on(v))
		return;
	interview_results_offer(&v->interviews, t);
	count_interviews(app);
}

static void open_case(struct app *app, const char *id, bool given, const char *name)
{
	char err[300], of[CASE_ID_SIZE + 8], who[CASE_WHO_SIZE + 8];
	const char *const taken[] = { id }, *const gives[] = { of, who };
	snprintf(of, sizeof of, "case=%s", id);
	snprintf(who, sizeof who, "name=%s", name);
	if (app_open(app, given ? "interviewer" : "case", given ? gives : taken,
		    given && *name ? 2 : 1, err, sizeof err))
		app_say(app, "%s", err);
}

static void read_record(struct app *app, const char *file)
{
	char target[CASE_FILE_SIZE + 32];
	snprintf(target, sizeof target, "case:record=%s", file);
	app_go_to(app, target);
}

/* The record of the case in focus; or that case where it was given, or the one that is next. */
static void open_interview_case(struct app *app)
{
	const struct stats_view *v = stats_of(app);
	const struct case_person *p = person_of(v);
	char why[CASE_SENTENCE];
	const struct case_offer *o =
		case_next(p, v->interviews.offers, v->interviews.n_offers, why, sizeof why);
	if (v->focus >= 0 && v->focus < (int)p->n_last && !p->given)
		read_record(app, p->last[v->focus]->file);
	else if (v->focus >= 0 && v->focus < (int)p->n_last)
		open_case(app, p->last[v->focus]->id, p->given, p->name);
	else if (o)
		open_case(app, o->id, p->given, p->name);
}

/* -- The screen --------------------------------------------------------------------------- */

static void release(struct app *app)
{
	struct stats_view *s = stats_of(app);
	figure_release(&s->figure);
	answers_release(&s->answers);
	figure_release(&s->marks);
	case_stats_release(&s->people);
	/* What records came to stays: they are only ever added to. */
	*s = (struct stats_view){ .focus = -1, .interviews = s->interviews };
}

static void close_stats(struct app *app)
{
	release(app);
	interview_results_release(&stats_of(app)->interviews);
}

static void show(struct app *app)
{
	release(app);
	app_show(app, SCREEN_STATS);
	stats_of(app)->wanted = app_answers_are_many(app);
	if (!stats_of(app)->wanted)
		read_answers(app);
	find_interviews(app);
	if (!reads_on(stats_of(app)))
		count_interviews(app);
}

static enum opened open_stats(struct app *app, const char *name, const char *const words[],
	size_t n, char *err, size_t err_size)
{
	(void)words;
	(void)n;
	(void)err;
	(void)err_size;
	if (strcmp(name, "stats") != 0)
		return OPEN_NOT_MINE;
	show(app);
	return OPENED;
}

static void open_drill(struct app *app, const char *setting)
{
	char err[256];
	if (app_open(app, "drill", &setting, setting ? 1 : 0, err, sizeof err))
		app_say(app, "%s", err);
}

static void open_focus(struct app *app)
{
	if (person_of(stats_of(app))) {
		open_interview_case(app);
		return;
	}
	struct stats_document d = stats_document(app, frame_layout(app->rows, app->cols).body);
	char setting[128];
	if (stats_of(app)->focus >= 0 && stats_of(app)->focus < d.n_spots) {
		snprintf(setting, sizeof setting, "topic=%s", d.spots[stats_of(app)->focus].name);
		open_drill(app, setting);
	} else {
		open_drill(app, stats_next_setting(&stats_of(app)->answers.stats));
	}
}

static void review(struct app *app)
{
	char text[512];
	if (stats_of(app)->answers.stats.n_due > 0)
		open_drill(app, "mode=review");
	else
		app_say(app, "%s",
			stats_due_text(&stats_of(app)->answers.stats, text, sizeof text));
}

static void scroll_to(
	struct stats_view *s, const struct stats_document *d, struct rect body, long to)
{
	const long last = stats_last_scroll(d->rows, body.rows);
	s->scroll = to > last ? last : to < 0 ? 0 : to;
}

/* Moves the focus and scrolls the document along; at either end of the rows only the document
 * scrolls. */
static void move(struct app *app, int by)
{
	struct stats_view *s = stats_of(app);
	struct rect body = frame_layout(app->rows, app->cols).body;
	struct stats_document d = stats_document(app, body);
	int to = s->focus + by;
	if (to < 0 || to >= d.n_spots) {
		s->focus = to < 0 ? -1 : s->focus;
		scroll_to(s, &d, body, to < 0 ? 0 : s->scroll + by);
		return;
	}
	s->focus = to;
	const struct stats_spot *at = &d.spots[to];
	if (at->row < s->scroll + 2) /* the row over the first is the head of the table */
		scroll_to(s, &d, body, at->row - 3); /* with the head of the table */
	else if (at->row + at->lines > s->scroll + body.rows - 1)
		scroll_to(s, &d, body, at->row + at->lines - body.rows + 2);
}

static void scroll(struct app *app, enum action a)
{
	struct stats_view *s = stats_of(app);
	struct rect body = frame_layout(app->rows, app->cols).body;
	struct stats_document d = stats_document(app, body);
	int page = body.rows - 2;
	if (a == ACT_TOP)
		s->focus = -1;
	scroll_to(s, &d, body,
		a == ACT_TOP       ? 0
		: a == ACT_BOTTOM  ? d.rows
		: a == ACT_PAGE_UP ? s->scroll - page
				   : s->scroll + page);
}

static void turn_part(struct app *app, int by)
{
	struct stats_view *v = stats_of(app);
	const int parts = (int)v->people.n_people + 1;
	show_part(v, (size_t)(((int)v->part + by + parts) % parts));
}

static bool act(struct app *app, enum action a)
{
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		move(app, a == ACT_UP ? -1 : 1);
		return true;
	case ACT_TOP:
	case ACT_BOTTOM:
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		scroll(app, a);
		return true;
	case ACT_ENTER:
		open_focus(app);
		return true;
	case ACT_REVIEW:
		review(app);
		return true;
	case ACT_NEXT:
	case ACT_PREVIOUS:
		turn_part(app, a == ACT_NEXT ? 1 : -1);
		return true;
	default:
		return false;
	}
}

static bool acts(const struct app *app, enum action a)
{
	const struct stats *s = &stats_seen(app)->answers.stats;
	if (a == ACT_NEXT)
		return stats_seen(app)->people.n_people > 0;
	if (a == ACT_REVIEW && person_of(stats_seen(app)))
		return false;
	/* Enter reviews as well, until a row is chosen. */
	return a != ACT_REVIEW || (s->n_due > 0 && stats_seen(app)->focus >= 0);
}

static const char *calls(const struct app *app, enum action a)
{
	const struct stats_view *v = stats_seen(app);
	const struct case_person *p = person_of(v);
	if (p && a == ACT_ENTER)
		return p->given ? "give this case" : v->focus >= 0 ? "read it" : "take it";
	if (a == ACT_NEXT)
		return v->part == v->people.n_people ? "answers" : "interviews";
	return a != ACT_ENTER || v->focus >= 0 ? NULL
	       : v->answers.stats.n_due        ? "review"
					       : "five problems";
}

static int tick(struct app *app, int64_t now_ms)
{
	struct stats_view *s = stats_of(app);
	(void)now_ms;
	if (s->wanted) {
		if (s->announced)
			read_answers(app);
		s->announced = true;
		return 0;
	}
	if (!reads_on(s))
		return -1;
	read_interview(app);
	return 0;
}

/* Answers given elsewhere change the statistics, so they are read again on return. */
static void leave(struct app *app)
{
	release(app);
}

static void remember(const struct app *app, struct place *p)
{
	p->scroll = stats_seen(app)->scroll;
	p->focus = stats_seen(app)->focus;
	snprintf(p->name, sizeof p->name, "%zu", stats_seen(app)->part);
}

static bool restore(struct app *app, const struct place *p)
{
	show(app);
	show_part(stats_of(app), strtoul(p->name, NULL, 10));
	stats_of(app)->scroll = p->scroll;
	stats_of(app)->focus = p->focus;
	return true;
}

static void click(struct app *app, struct rect body, int row, int col)
{
	struct stats_document d = stats_document(app, body);
	long at = row - body.row + stats_of(app)->scroll;
	col -= body.col;
	for (int i = 0; i < d.n_spots; i++) {
		const struct stats_spot *s = &d.spots[i];
		if (at < s->row || at >= s->row + s->lines || col < s->col - SPOT_MARK ||
			col >= s->col + s->cols)
			continue;
		if (stats_of(app)->focus == i)
			open_focus(app);
		else
			stats_of(app)->focus = i;
		return;
	}
}

const struct screen stats_screen = {
	.name = "your answers",
	.word = "answers",
	.state_size = sizeof(struct stats_view),
	.open = open_stats,
	.close = close_stats,
	.title = title,
	.draw = draw,
	.act = act,
	.acts = acts,
	.calls = calls,
	.click = click,
	.tick = tick,
	.leave = leave,
	.remember = remember,
	.restore = restore,
};
