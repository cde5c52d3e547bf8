/* A case that was left comes first, then reviews, because they wait for nobody; then what a plan begins with, or the
 * first chapter that is not read to its end. */
#include "ui/screens/home/home_lead.h"

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

/* "Next: chapter 2, PyTorch as it runs, 18 min"; without the title where that is too long. */
static void chapter_text(
	const struct app *app, const struct page_info *p, const char *key, int cols, char *text)
{
	const char *word = app->progress->n_read == 0 ? "Start here" : "Next";
	char time[64];
	time_text(app, p, time, sizeof time);
	snprintf(text, HOME_LEAD_SIZE, "%s: chapter %d, %s, %s%s", word, p->chapter, p->title, time,
		key);
	if (text_width(text) > cols)
		snprintf(text, HOME_LEAD_SIZE, "%s: chapter %d, %s%s", word, p->chapter, time, key);
}

static void due_text(const struct home_answers *a, char *text)
{
	char brief[64];
	snprintf(text, HOME_LEAD_SIZE, "%s: d",
		stats_due_brief(a->n_due, a->due_s, brief, sizeof brief));
}

void home_lead(const struct app *app, int cols, char *line, char *under)
{
	const struct home_answers *a = &home_seen(app)->answers;
	const struct page_info *next = next_chapter(app);
	char when[48];
	*under = '\0';
	if (*a->left.target)
		snprintf(line, HOME_LEAD_SIZE, "Go on with %s, at %s: Enter", a->left.what,
			a->left.at);
	else if (a->n_due)
		due_text(a, line);
	else if (*a->first.what)
		snprintf(line, HOME_LEAD_SIZE, "%s: %s, %d min: Enter",
			app->progress->n_read == 0 ? "Start here" : "Next", a->first.what,
			a->first.minutes);
	else if (next)
		chapter_text(app, next, ": Enter", cols, line);
	else
		snprintf(
			line, HOME_LEAD_SIZE, "Every chapter is read. A mixed set keeps it: Enter");
	if (app->progress->warning[0])
		snprintf(under, HOME_LEAD_SIZE, "%s", app->progress->warning);
	else if (*a->left.target && a->n_due)
		due_text(a, under);
	else if (*a->today)
		snprintf(under, HOME_LEAD_SIZE, "%s", a->today);
	else if (a->n_due && next)
		chapter_text(app, next, "", cols, under);
	else if (a->next_s)
		snprintf(under, HOME_LEAD_SIZE, "Nothing is due; the next review comes %s.",
			stats_when(a->next_s, app_now_s(app), when, sizeof when));
	else if (app->progress->n_read == 0)
		snprintf(under, HOME_LEAD_SIZE,
			"Pages have live figures: i goes to the next one, h and l turn its knobs.");
}

void home_lead_target(const struct app *app, char *target, size_t size)
{
	const struct page_info *next = next_chapter(app);
	if (*home_seen(app)->answers.left.target)
		snprintf(target, size, "%s", home_seen(app)->answers.left.target);
	else if (home_seen(app)->answers.n_due)
		snprintf(target, size, "drill mode=review");
	else if (*home_seen(app)->answers.first.target)
		snprintf(target, size, "%s", home_seen(app)->answers.first.target);
	else if (next)
		snprintf(target, size, "page:%s", next->id);
	else
		snprintf(target, size, "drill");
}
