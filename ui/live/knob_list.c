/* The groups are the rows of a table, the story, and the headings in the order in which the knobs'
 * rows first name them. */
#include "ui/live/knob_list.h"

#include "sims/base/minmax.h"

#include <assert.h>
#include <string.h>

static const char other_knobs[] = "more";

static const char *heading_of(const struct knob_story *s, int knob)
{
	return s->sim->knobs[knob].group ? s->sim->knobs[knob].group : other_knobs;
}

/* Whether a knob stands in a table, and not in the list. */
static bool is_row(const struct knob_story *s, int knob)
{
	return s->n_rows > 0 && memchr(s->rows, knob, (size_t)s->n_rows) != NULL;
}

static int story_of(const struct knob_story *s, int order[MAX_KNOBS])
{
	const unsigned char *first = s->n ? s->first : s->sim->story;
	int given = s->n ? s->n : s->sim->n_story, n = 0;
	int most = given ? given : min_int((int)s->sim->n_knobs, MOST_STORY);
	for (int i = 0; i < most; i++) {
		order[n] = given ? first[i] : i;
		n += !is_row(s, order[n]);
	}
	return n;
}

/* Those that stand under no heading: in a table or in the story. Asked of each knob by itself, the story
 * would be put together hundreds of times for a list. */
struct unheaded {
	bool knob[MAX_KNOBS];
};

static struct unheaded unheaded_of(const struct knob_story *s)
{
	struct unheaded u = { { false } };
	int story[MAX_KNOBS], n = story_of(s, story);
	for (int i = 0; i < n; i++)
		u.knob[story[i]] = true;
	for (int i = 0; i < s->n_rows; i++)
		u.knob[s->rows[i]] = true;
	return u;
}

/* Whether both stand under the same heading. */
static bool is_beside(const struct knob_story *s, const struct unheaded *u, int one, int other)
{
	return !u->knob[one] && !u->knob[other] &&
	       strcmp(heading_of(s, one), heading_of(s, other)) == 0;
}

/* Whether no knob before this one stands under the same heading. */
static bool opens_group(const struct knob_story *s, const struct unheaded *u, int knob)
{
	for (int i = 0; i < knob; i++)
		if (is_beside(s, u, i, knob))
			return false;
	return !u->knob[knob];
}

/* The first knobs of the groups after the story. */
static int groups_of(const struct knob_story *s, const struct unheaded *u, int first[MAX_KNOBS])
{
	int n = 0;
	for (int i = 0; i < (int)s->sim->n_knobs; i++)
		if (opens_group(s, u, i))
			first[n++] = i;
	return n;
}

/* The knobs of a group, which begins with `first`. */
static int members_of(
	const struct knob_story *s, const struct unheaded *u, int first, int members[MAX_KNOBS])
{
	int n = 0;
	for (int i = first; i < (int)s->sim->n_knobs; i++)
		if (is_beside(s, u, i, first))
			members[n++] = i;
	return n;
}

int knob_order(const struct knob_story *s, int order[MAX_KNOBS])
{
	const struct unheaded u = unheaded_of(s);
	int first[MAX_KNOBS], n = 0, groups = groups_of(s, &u, first);
	while (n < s->n_rows) {
		order[n] = s->rows[n];
		n++;
	}
	n += story_of(s, order + n);
	for (int g = 0; g < groups; g++)
		n += members_of(s, &u, first[g], order + n);
	assert(n == (int)s->sim->n_knobs);
	return n;
}

/* Whether a group is open for a focus. */
static bool is_open(const struct knob_story *s, const struct unheaded *u, int first, int focus)
{
	return focus == ALL_OPEN || is_beside(s, u, first, focus);
}

int knob_lines_within(const int folded[], int n, int lines, int rows)
{
	for (int i = 0; i < n; i++)
		lines += lines + folded[i] <= rows ? folded[i] : 0;
	return lines;
}

int knob_list_within(
	const struct knob_story *s, int focus, int rows, struct knob_line lines[MOST_KNOB_LINES])
{
	const struct unheaded u = unheaded_of(s);
	int first[MAX_KNOBS], knobs[MAX_KNOBS], n = 0, story = story_of(s, knobs);
	assert(focus >= ALL_OPEN && focus < (int)s->sim->n_knobs);
	for (int i = 0; i < story; i++)
		lines[n++] = (struct knob_line){ .knob = knobs[i] };
	int groups = groups_of(s, &u, first), least = story + groups;
	for (int g = 0; g < groups; g++)
		least += is_open(s, &u, first[g], focus) ? members_of(s, &u, first[g], knobs) : 0;
	for (int g = 0; g < groups; g++) {
		int count = members_of(s, &u, first[g], knobs);
		bool open = is_open(s, &u, first[g], focus), more = !open && least + count <= rows;
		least += more ? count : 0;
		open = open || more;
		lines[n++] = (struct knob_line){ -1, heading_of(s, first[g]), count, open };
		for (int i = 0; open && i < count; i++)
			lines[n++] = (struct knob_line){ .knob = knobs[i] };
	}
	return n;
}

int knob_list(const struct knob_story *s, int focus, struct knob_line lines[MOST_KNOB_LINES])
{
	return knob_list_within(s, focus, 0, lines);
}

int knob_group_beside(const struct knob_story *s, int knob, int way)
{
	const struct unheaded u = unheaded_of(s);
	int first[MAX_KNOBS + 2], story[MAX_KNOBS], n = 0, at = 0;
	int told = story_of(s, story);
	if (s->n_rows > 0)
		first[n++] = s->rows[0];
	if (told > 0)
		first[n++] = story[0];
	int headed = n;
	n += groups_of(s, &u, first + n);
	if (told > 0 && !is_row(s, knob))
		at = headed - 1;
	for (int g = headed; g < n; g++)
		if (is_beside(s, &u, first[g], knob))
			at = g;
	assert(n > 0);
	return first[(at + way + n) % n];
}
