/* A case that was left comes first, then reviews, because they wait for nobody; then what a plan begins with, or the
 * first chapter that is not read to its end. */
#include "ui/screens/home/home_lead.h"

#include "sims/registry/registry.h"

#include <math.h>
#include <stdio.h>

int home_chapters(const struct app *app)
{
	int n = 0;
	while ((size_t)n < app->pages.n && app->pages.pages[n].chapter >= 0)
		n++;
	return n;
}

/* The chapter to read next: the first that is not read to its end. NULL: all are. */
static const struct page_info *next_chapter(const struct app *app)
{
	for (int i = 0; i < home_chapters(app); i++)
		if (!progress_is_read(app->progress, app->pages.pages[i].id))
			return &app->pages.pages[i];
	return NULL;
}

/* "18 min", or "about 7 of 18 min left". */
static void time_text(const struct app *app, const struct page_info *p, char *text, size_t size)
{
	const double share = progress_of(app->progress, p->id);
	const int minutes = app_page_minutes(app, p);
	if (share <= 0)
		snprintf(text, size, "%d min", minutes);
	else
		snprintf(text, size, "%.0f of %d min left", ceil((1 - share) * minutes), minutes);
}

/* Somebody who has answered problems has started, whatever was read. */
static const char *begins(const struct app *app)
{
	return app->progress->n_read || home_seen(app)->answers.problems ? "Next" : "Start here";
}

/* "Next: chapter 2, PyTorch as it runs, 18 min"; without the title where that is too long. */
static void chapter_text(
	const struct app *app, const struct page_info *p, const char *key, int cols, char *text)
{
	char time[64];
	time_text(app, p, time, sizeof time);
	snprintf(text, HOME_LEAD_SIZE, "%s: chapter %d, %s, %s%s", begins(app), p->chapter,
		p->title, time, key);
	if (text_width(text) > cols)
		snprintf(text, HOME_LEAD_SIZE, "%s: chapter %d, %s%s", begins(app), p->chapter,
			time, key);
}

static void due_text(const struct home_answers *a, char *text)
{
	char brief[64];
	snprintf(text, HOME_LEAD_SIZE, "%s: d",
		stats_due_brief(a->n_due, a->due_s, brief, sizeof brief));
}

/* What there is, to whoever sees it for the first time; in a wide window also how a figure is turned. */
static void welcome(const struct app *app, int cols, char *text)
{
	static const char turn[] = " In a page i goes to its live figure, h and l turn a knob.";
	size_t problems = 0;
	for (size_t i = 0; i < app->outline.n; i++)
		problems += app->outline.topics[i].drills;
	const int used = snprintf(text, HOME_LEAD_SIZE,
		"%d chapters to read, %zu simulations to run, %zu problems to drill.",
		home_chapters(app), n_sims, problems);
	if (used + text_width(turn) <= cols)
		snprintf(text + used, HOME_LEAD_SIZE - (size_t)used, "%s", turn);
}

/* What the line is about, the first of these that there is. */
enum lead { LEAD_LEFT, LEAD_DUE, LEAD_TASK, LEAD_CHAPTER, LEAD_SET };

static enum lead leads(const struct app *app)
{
	const struct home_answers *a = &home_seen(app)->answers;
	return *a->left.target     ? LEAD_LEFT
	       : a->n_due          ? LEAD_DUE
	       : *a->first.what    ? LEAD_TASK
	       : next_chapter(app) ? LEAD_CHAPTER
				   : LEAD_SET;
}

/* Enter opens it only where the cursor is on it. */
static void write_lead(const struct app *app, int cols, char *line)
{
	const struct home_answers *a = &home_seen(app)->answers;
	const char *key = home_seen(app)->column == HOME_LEAD ? ": Enter" : "";
	switch (leads(app)) {
	case LEAD_LEFT:
		snprintf(line, HOME_LEAD_SIZE, "Go on with %s, at %s%s", a->left.what, a->left.at,
			key);
		break;
	case LEAD_DUE:
		due_text(a, line);
		break;
	case LEAD_TASK:
		snprintf(line, HOME_LEAD_SIZE, "%s: %s, %d min%s", begins(app), a->first.what,
			a->first.minutes, key);
		break;
	case LEAD_CHAPTER:
		chapter_text(app, next_chapter(app), key, cols, line);
		break;
	case LEAD_SET:
		snprintf(line, HOME_LEAD_SIZE, "Every chapter is read. A mixed set keeps it%s",
			*key ? key : ".");
		break;
	}
}

void home_lead(const struct app *app, int cols, char *line, char *under)
{
	const struct home_answers *a = &home_seen(app)->answers;
	const enum lead lead = leads(app);
	char when[48];
	*under = '\0';
	write_lead(app, cols, line);
	if (app->progress->warning[0])
		snprintf(under, HOME_LEAD_SIZE, "%s", app->progress->warning);
	else if (lead == LEAD_LEFT && a->n_due)
		due_text(a, under);
	else if (*a->today)
		snprintf(under, HOME_LEAD_SIZE, "%s", a->today);
	else if (lead == LEAD_DUE && next_chapter(app))
		chapter_text(app, next_chapter(app), "", cols, under);
	else if (a->next_s)
		snprintf(under, HOME_LEAD_SIZE, "Nothing is due; the next review comes %s.",
			stats_when(a->next_s, app_now_s(app), when, sizeof when));
	else if (app->progress->n_read == 0)
		welcome(app, cols, under);
}

void home_lead_target(const struct app *app, char *target, size_t size)
{
	const struct home_answers *a = &home_seen(app)->answers;
	switch (leads(app)) {
	case LEAD_LEFT:
		snprintf(target, size, "%s", a->left.target);
		break;
	case LEAD_DUE:
		snprintf(target, size, "drill mode=review");
		break;
	case LEAD_TASK:
		snprintf(target, size, "%s", a->first.target);
		break;
	case LEAD_CHAPTER:
		snprintf(target, size, "page:%s", next_chapter(app)->id);
		break;
	case LEAD_SET:
		snprintf(target, size, "drill");
		break;
	}
}
