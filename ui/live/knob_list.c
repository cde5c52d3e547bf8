/* A knob's group is a number: 0 is the story, and the headings follow in the order in which the
 * knobs' rows first name them. */
#include "ui/live/knob_list.h"

#include "sims/base/minmax.h"

#include <assert.h>
#include <string.h>

static const char other_knobs[] = "more";

static const char *heading_of(const struct knob_story *s, int knob)
{
	return s->sim->knobs[knob].group ? s->sim->knobs[knob].group : other_knobs;
}

static int story_of(const struct knob_story *s, int order[MAX_KNOBS])
{
	const unsigned char *first = s->n ? s->first : s->sim->story;
	int given = s->n ? s->n : s->sim->n_story;
	int n = given ? given : min_int((int)s->sim->n_knobs, MOST_STORY);
	for (int i = 0; i < n; i++)
		order[i] = given ? first[i] : i;
	return n;
}

static bool in_story(const struct knob_story *s, int knob)
{
	int story[MAX_KNOBS], n = story_of(s, story);
	for (int i = 0; i < n; i++)
		if (story[i] == knob)
			return true;
	return false;
}

/* Whether no knob before this one, outside the story, stands under the same heading. */
static bool opens_group(const struct knob_story *s, int knob)
{
	for (int i = 0; i < knob; i++)
		if (!in_story(s, i) && strcmp(heading_of(s, i), heading_of(s, knob)) == 0)
			return false;
	return !in_story(s, knob);
}

/* The first knobs of the groups after the story. */
static int groups_of(const struct knob_story *s, int first[MAX_KNOBS])
{
	int n = 0;
	for (int i = 0; i < (int)s->sim->n_knobs; i++)
		if (opens_group(s, i))
			first[n++] = i;
	return n;
}

/* The knobs of a group, which begins with `first`. */
static int members_of(const struct knob_story *s, int first, int members[MAX_KNOBS])
{
	int n = 0;
	for (int i = first; i < (int)s->sim->n_knobs; i++)
		if (!in_story(s, i) && strcmp(heading_of(s, i), heading_of(s, first)) == 0)
			members[n++] = i;
	return n;
}

int knob_order(const struct knob_story *s, int order[MAX_KNOBS])
{
	int first[MAX_KNOBS], n = story_of(s, order), groups = groups_of(s, first);
	for (int g = 0; g < groups; g++)
		n += members_of(s, first[g], order + n);
	assert(n == (int)s->sim->n_knobs);
	return n;
}

int knob_list(const struct knob_story *s, int focus, struct knob_line lines[MOST_KNOB_LINES])
{
	int first[MAX_KNOBS], knobs[MAX_KNOBS], n = 0, story = story_of(s, knobs);
	assert(focus >= ALL_OPEN && focus < (int)s->sim->n_knobs);
	for (int i = 0; i < story; i++)
		lines[n++] = (struct knob_line){ .knob = knobs[i] };
	int groups = groups_of(s, first);
	for (int g = 0; g < groups; g++) {
		int count = members_of(s, first[g], knobs);
		bool open = focus == ALL_OPEN ||
			    (!in_story(s, focus) &&
				    strcmp(heading_of(s, first[g]), heading_of(s, focus)) == 0);
		lines[n++] = (struct knob_line){ -1, heading_of(s, first[g]), count, open };
		for (int i = 0; open && i < count; i++)
			lines[n++] = (struct knob_line){ .knob = knobs[i] };
	}
	return n;
}

int knob_group_beside(const struct knob_story *s, int knob, int way)
{
	int first[MAX_KNOBS + 1] = { 0 }, story[MAX_KNOBS] = { 0 },
			      groups = groups_of(s, first + 1), at = 0;
	story_of(s, story);
	first[0] = story[0];
	for (int g = 1; g <= groups && !in_story(s, knob); g++)
		if (strcmp(heading_of(s, first[g]), heading_of(s, knob)) == 0)
			at = g;
	return first[(at + way + groups + 1) % (groups + 1)];
}
