#include "ui/talks/talk_state.h"

#include "sims/base/array.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 1000 };

static void add_state(cJSON *json, const struct talk_state *s)
{
	cJSON_AddNumberToObject(json, "step", (double)(s->step + 1));
	cJSON_AddBoolToObject(json, "answered", s->answered);
	cJSON_AddBoolToObject(json, "off_script", s->off_script);
	if (s->running)
		cJSON_AddNumberToObject(json, "elapsed_s", round(10 * s->elapsed_s) / 10);
	if (s->plan_s > 0)
		cJSON_AddNumberToObject(json, "plan_s", s->plan_s);
	if (*s->place)
		cJSON_AddStringToObject(json, "place", s->place);
	if (*s->knob)
		cJSON_AddStringToObject(json, "knob", s->knob);
	cJSON *votes = cJSON_AddArrayToObject(json, "votes");
	for (size_t i = 0; votes && i < TOUR_OPTIONS; i++)
		cJSON_AddItemToArray(votes, cJSON_CreateNumber(s->votes[i]));
}

/* The object as one line, which it gives back; an empty one when memory ran out. */
static char *write_line(cJSON *json, char *buf, size_t size)
{
	if (!json || !cJSON_PrintPreallocated(json, buf, (int)size, 0))
		snprintf(buf, size, "{}");
	cJSON_Delete(json);
	return buf;
}

char *talk_state_write(const struct talk_state *s, char *buf, size_t size)
{
	cJSON *json = cJSON_CreateObject();
	add_state(json, s);
	return write_line(json, buf, size);
}

/* A number of the object from 0 to `most`; otherwise `other`. */
static double number_of(const cJSON *json, const char *name, double most, double other)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(json, name);
	return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble <= most ? v->valuedouble
										  : other;
}

static bool is_true(const cJSON *json, const char *name)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, name));
}

static void read_votes(const cJSON *json, struct talk_state *s)
{
	const cJSON *votes = cJSON_GetObjectItemCaseSensitive(json, "votes");
	for (int i = 0; i < TOUR_OPTIONS && i < cJSON_GetArraySize(votes); i++) {
		const cJSON *v = cJSON_GetArrayItem(votes, i);
		s->votes[i] = cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < 1e6
				      ? (unsigned)v->valuedouble
				      : 0;
	}
}

/* What is longer than there is room for is left out: half of it would be something else. */
static void read_text(const cJSON *json, const char *name, char *buf, size_t size)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(json, name);
	if (cJSON_IsString(v) && strlen(v->valuestring) < size)
		strcpy(buf, v->valuestring);
}

static bool read_state(const cJSON *json, struct talk_state *s)
{
	const double longest_s = 1e6;
	double step = number_of(json, "step", MOST_STEPS, 0);
	double elapsed_s = number_of(json, "elapsed_s", longest_s, -1);
	if (step < 1 || step != floor(step))
		return false;
	*s = (struct talk_state){ .step = (size_t)step - 1,
		.answered = is_true(json, "answered"),
		.off_script = is_true(json, "off_script"),
		.running = elapsed_s >= 0,
		.elapsed_s = fmax(0, elapsed_s),
		.plan_s = number_of(json, "plan_s", longest_s, 0) };
	read_text(json, "place", s->place, sizeof s->place);
	read_text(json, "knob", s->knob, sizeof s->knob);
	read_votes(json, s);
	return true;
}

bool talk_state_read(const char *line, struct talk_state *s)
{
	cJSON *json = cJSON_Parse(line);
	bool known = read_state(json, s);
	cJSON_Delete(json);
	return known;
}

bool talk_state_same(const struct talk_state *a, const struct talk_state *b)
{
	return a->step == b->step && a->answered == b->answered && a->off_script == b->off_script &&
	       a->running == b->running && a->plan_s == b->plan_s &&
	       strcmp(a->place, b->place) == 0 && strcmp(a->knob, b->knob) == 0 &&
	       memcmp(a->votes, b->votes, sizeof a->votes) == 0;
}

static const char *const wishes[] = {
	[WISH_NEXT] = "next", [WISH_BACK] = "back", [WISH_RESUME] = "resume", [WISH_TURN] = "turn"
};

char *talk_wish_write(enum talk_wish w, const struct talk_state *at, char *buf, size_t size)
{
	cJSON *json = cJSON_CreateObject();
	if (wishes[w])
		cJSON_AddStringToObject(json, "do", wishes[w]);
	if (at)
		add_state(json, at);
	return write_line(json, buf, size);
}

enum talk_wish talk_wish_read(const char *line, struct talk_state *at)
{
	cJSON *json = cJSON_Parse(line);
	const cJSON *what = cJSON_GetObjectItemCaseSensitive(json, "do");
	enum talk_wish w = WISH_NOTHING;
	for (size_t i = 1; cJSON_IsString(what) && i < LENGTH(wishes); i++)
		if (strcmp(what->valuestring, wishes[i]) == 0)
			w = (enum talk_wish)i;
	if ((w == WISH_RESUME || w == WISH_TURN) && !read_state(json, at))
		w = WISH_NOTHING;
	cJSON_Delete(json);
	return w;
}
