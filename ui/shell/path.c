#include "ui/shell/path.h"

#include "drills/case_sitting.h"
#include "drills/fsrs.h"
#include "ui/data/calendar_file.h"
#include "ui/practice/case_record.h"
#include "ui/practice/date_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EVERY = 4 };

static int64_t day_of(int64_t at_s)
{
	return at_s / CALENDAR_DAY_S;
}

/* Adds it unless it was done before today. */
static void add(struct calendar_task *tasks, size_t *n, const struct calendar_task *task,
	int64_t done_day, int64_t today)
{
	if (done_day >= 0 && done_day < today)
		return;
	tasks[*n] = *task;
	tasks[(*n)++].done = done_day >= today;
}

/* --- What is learnt --- */

/* Whether a placement found the chapter known, with a problem on it, and no later one was missed: one quick
 * problem is little to judge a chapter by, so that its set of problems, which stays, may bring it back. */
static bool is_known(const struct path_sources *from, const struct page_info *page)
{
	char set[32];
	const struct history_event *later = NULL;
	snprintf(set, sizeof set, "chapter-%d", page->chapter);
	for (size_t i = from->history->n; i-- > 0;) {
		const struct history_event *e = &from->history->events[i];
		const bool ended = later && later->seed == e->seed && later->part == e->part &&
				   strcmp(later->drill, e->drill) == 0;
		later = e;
		const struct drill *d = e->used && !ended ? bank_find(from->bank, e->drill) : NULL;
		if (!d || !drill_is_of(d, set))
			continue;
		const bool right = e->kind == HISTORY_ANSWER && e->verdict == VERDICT_CORRECT;
		if (!right || strcmp(e->mode, mode_names[MODE_PLACEMENT]) == 0)
			return right;
	}
	return false;
}

static void add_chapter(struct calendar *c, const struct path_sources *from,
	const struct page_info *page, int64_t today)
{
	const double share = progress_of(from->progress, page->id);
	const bool read = progress_is_read(from->progress, page->id);
	struct calendar_task t = { .kind = TASK_READ, .chapter = page->chapter };
	if (!read && is_known(from, page))
		return;
	t.minutes = read ? page_minutes(page, from->progress->first)
			 : (int)ceil((1 - share) * page_minutes(page, from->progress->first));
	snprintf(t.what, sizeof t.what, "chapter %d, %s", page->chapter, page->title);
	snprintf(t.opens, sizeof t.opens, "ridge open %d", page->chapter);
	snprintf(t.target, sizeof t.target, "page:%.80s", page->id);
	add(c->learn, &c->n_learn, &t, read ? progress_day(from->progress, page->id) : -1, today);
}

/* The day on which the last of so many problems of a set was done; -1: fewer were. */
static int64_t set_day(const struct path_sources *from, const char *set)
{
	size_t n = 0;
	const char *last = "";
	uint64_t seed = 0;
	for (size_t i = 0; i < from->history->n; i++) {
		const struct history_event *e = &from->history->events[i];
		const struct drill *d = bank_find(from->bank, e->drill);
		const bool same = seed == e->seed && strcmp(last, e->drill) == 0;
		if (!d || same || !drill_is_of(d, set))
			continue;
		last = e->drill;
		seed = e->seed;
		if (++n == PATH_SET)
			return day_of(e->at_s);
	}
	return -1;
}

/* Of the times of a set's problems the longest. */
static void keep_longest(double longest_s[PATH_SET], double par_s)
{
	size_t least = 0;
	for (size_t i = 1; i < PATH_SET; i++)
		if (longest_s[i] < longest_s[least])
			least = i;
	longest_s[least] = fmax(longest_s[least], par_s);
}

static double sum_of(const double longest_s[PATH_SET])
{
	double sum = 0;
	for (size_t i = 0; i < PATH_SET; i++)
		sum += longest_s[i];
	return sum;
}

/* The minutes are those of a usual set. A program that is dealt among the five takes as long as all the others, and
 * which are dealt is the seed's. */
static void add_set(struct calendar *c, const struct path_sources *from,
	const struct page_info *page, int64_t today)
{
	char set[32], up_to[40] = "";
	double par_s = 0, longest_s[PATH_SET] = { 0 };
	size_t n = 0;
	bool programs = false;
	snprintf(set, sizeof set, "chapter-%d", page->chapter);
	for (size_t i = 0; i < from->bank->n; i++) {
		const struct drill *d = &from->bank->drills[i];
		if (!drill_is_of(d, set))
			continue;
		par_s += d->par_s;
		programs |= d->kind == KIND_CODE;
		keep_longest(longest_s, d->par_s);
		n++;
	}
	if (n == 0)
		return;
	struct calendar_task t = { .kind = TASK_DRILL, .chapter = page->chapter };
	t.minutes = (int)ceil(PATH_SET * par_s / (double)n / 60);
	if (programs)
		snprintf(up_to, sizeof up_to, " (up to %.0f min)", ceil(sum_of(longest_s) / 60));
	snprintf(t.what, sizeof t.what, "five problems on chapter %d%s", page->chapter, up_to);
	snprintf(t.opens, sizeof t.opens, "ridge drill %s", set);
	snprintf(t.target, sizeof t.target, "drill %s", set);
	add(c->learn, &c->n_learn, &t, set_day(from, set), today);
}

/* --- What is practised --- */

static void add_talk(struct calendar *c, const struct path_sources *from,
	const struct tour_info *tour, int64_t today)
{
	struct calendar_task t = { .kind = TASK_PRESENT, .minutes = tour->minutes };
	char id[64];
	snprintf(id, sizeof id, "talk:%.50s", tour->id);
	snprintf(t.what, sizeof t.what, "the talk \"%.100s\"", tour->title);
	snprintf(t.opens, sizeof t.opens, "ridge present %.60s", tour->id);
	snprintf(t.target, sizeof t.target, "present:%.60s", tour->id);
	add(c->practise, &c->n_practise, &t,
		progress_is_read(from->progress, id) ? progress_day(from->progress, id) : -1,
		today);
}

static void add_case(struct calendar *c, const struct case_info *info, int64_t today)
{
	struct calendar_task t = { .kind = TASK_CASE, .minutes = CASE_MINUTES };
	snprintf(t.what, sizeof t.what, "the case \"%.100s\"", info->title);
	snprintf(t.opens, sizeof t.opens, "ridge case %.60s", info->id);
	snprintf(t.target, sizeof t.target, "case:%.60s", info->id);
	add(c->practise, &c->n_practise, &t, case_file_day(info->id), today);
}

static void add_interview(struct calendar *c, const struct history *h, int64_t today)
{
	struct calendar_task t = { .kind = TASK_INTERVIEW, .minutes = CASE_MINUTES };
	bool now = false;
	snprintf(t.what, sizeof t.what, "a practice interview");
	snprintf(t.opens, sizeof t.opens, "ridge drill --mode interview");
	snprintf(t.target, sizeof t.target, "drill mode=interview");
	for (size_t i = h->n; i-- > 0 && day_of(h->events[i].at_s) >= today;)
		now |= strcmp(h->events[i].mode, mode_names[MODE_INTERVIEW]) == 0;
	for (size_t i = 0; i < c->n_practise; i++)
		now &= c->practise[i].kind != TASK_INTERVIEW; /* the first of them */
	add(c->practise, &c->n_practise, &t, now ? today : -1, today);
}

static size_t area_of(const struct case_info *info)
{
	size_t area = 0;
	while (case_area_names[area] && strcmp(case_area_names[area], info->area) != 0)
		area++;
	return area;
}

/* Of each area one case before a second of any. */
static size_t next_case(const struct case_list *l, bool taken[], size_t counts[])
{
	size_t best = l->n;
	for (size_t i = 0; i < l->n; i++)
		if (!taken[i] && (best == l->n || counts[area_of(&l->cases[i])] <
							  counts[area_of(&l->cases[best])]))
			best = i;
	if (best < l->n) {
		counts[area_of(&l->cases[best])]++;
		taken[best] = true;
	}
	return best;
}

/* Cases and talks in turn, and every fourth time a whole interview, until there are enough. */
static void add_practice(struct calendar *c, const struct path_sources *from, size_t most,
	int64_t today, bool taken[])
{
	size_t talk = 0, counts[32] = { 0 };
	for (size_t turn = 0; c->n_practise < most && turn < 4 * most; turn++) {
		if (turn % EVERY == EVERY - 1) {
			add_interview(c, from->history, today);
		} else if (turn % 2 == 1 && talk < from->tours->n_talks) {
			add_talk(c, from, &from->tours->tours[talk++], today);
		} else {
			const size_t i = next_case(from->cases, taken, counts);
			if (i < from->cases->n)
				add_case(c, &from->cases->cases[i], today);
		}
	}
}

/* A sitting today that is of no case that is planned is the interview. */
static void tick_interview(struct calendar *c, int64_t today)
{
	struct calendar_task *interview = NULL;
	size_t cases = 0;
	for (size_t i = 0; i < c->n_practise; i++) {
		struct calendar_task *t = &c->practise[i];
		cases += t->kind == TASK_CASE && t->done;
		if (t->kind == TASK_INTERVIEW && !interview)
			interview = t;
	}
	if (interview && !interview->done)
		interview->done = case_files_on(today) > cases;
}

int path_calendar(struct calendar *c, const struct path_sources *from, int64_t today, int64_t date,
	struct arena *a)
{
	const size_t most = calendar_practice(date - today);
	bool *taken = arena_array(a, from->cases->n + 1, sizeof *taken);
	*c = (struct calendar){ .today = today, .date = date };
	c->learn = arena_array(a, 2 * from->pages->n + 1, sizeof *c->learn);
	c->practise = arena_array(a, most + 1, sizeof *c->practise);
	if (!taken || !c->learn || !c->practise)
		return -1;
	for (size_t i = 0; i < from->pages->n; i++)
		if (from->pages->pages[i].chapter >= 0) {
			add_chapter(c, from, &from->pages->pages[i], today);
			add_set(c, from, &from->pages->pages[i], today);
		}
	add_practice(c, from, most, today, taken);
	tick_interview(c, today);
	calendar_plan(c);
	return 0;
}

int path_date(int64_t today, char *kept, int64_t *date, char *err, size_t err_size)
{
	*date = 0;
	if (calendar_file_read(kept, err, err_size))
		return -1;
	if (!*kept || (calendar_date_read(kept, date) && *date - today <= CALENDAR_MOST_DAYS))
		return 0;
	*date = 0;
	snprintf(err, err_size,
		"calendar.json: expected a date of the next two years, found \"%s\"; ridge calendar "
		"DATE writes a new one",
		kept);
	return -1;
}
