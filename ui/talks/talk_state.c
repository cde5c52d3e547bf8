#include "ui/talks/talk_state.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 1000 };

char *talk_state_write(const struct talk_state *s, char *buf, size_t size)
{
	char elapsed[40] = "";
	if (s->running)
		snprintf(elapsed, sizeof elapsed, ",\"elapsed_s\":%.1f", s->elapsed_s);
	int used = snprintf(buf, size,
		"{\"step\":%zu,\"answered\":%s,\"off_script\":%s%s,\"votes\":[", s->step + 1,
		s->answered ? "true" : "false", s->off_script ? "true" : "false", elapsed);
	for (size_t i = 0; i < TOUR_OPTIONS && used > 0 && (size_t)used < size; i++)
		used += snprintf(
			buf + used, size - (size_t)used, "%s%u", i ? "," : "", s->votes[i]);
	if (used > 0 && (size_t)used < size)
		snprintf(buf + used, size - (size_t)used, "]}");
	return buf;
}

bool talk_state_read(const char *line, struct talk_state *s)
{
	cJSON *json = cJSON_Parse(line);
	const cJSON *step = cJSON_GetObjectItemCaseSensitive(json, "step");
	const cJSON *elapsed = cJSON_GetObjectItemCaseSensitive(json, "elapsed_s");
	const cJSON *votes = cJSON_GetObjectItemCaseSensitive(json, "votes");
	bool known = cJSON_IsNumber(step) && step->valuedouble >= 1 &&
		     step->valuedouble <= MOST_STEPS &&
		     step->valuedouble == floor(step->valuedouble);
	if (known) {
		*s = (struct talk_state){ .step = (size_t)step->valuedouble - 1,
			.answered =
				cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "answered")),
			.off_script =
				cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "off_script")),
			.running = cJSON_IsNumber(elapsed) && elapsed->valuedouble >= 0,
			.elapsed_s = cJSON_IsNumber(elapsed) ? elapsed->valuedouble : 0 };
		for (int i = 0; i < TOUR_OPTIONS && i < cJSON_GetArraySize(votes); i++) {
			const cJSON *v = cJSON_GetArrayItem(votes, i);
			s->votes[i] =
				cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < 1e6
					? (unsigned)v->valuedouble
					: 0;
		}
	}
	cJSON_Delete(json);
	return known;
}

bool talk_state_same(const struct talk_state *a, const struct talk_state *b)
{
	return a->step == b->step && a->answered == b->answered && a->off_script == b->off_script &&
	       a->running == b->running && memcmp(a->votes, b->votes, sizeof a->votes) == 0;
}

static const char *const wishes[] = {
	[WISH_NOTHING] = "{}", [WISH_NEXT] = "{\"do\":\"next\"}", [WISH_BACK] = "{\"do\":\"back\"}"
};

const char *talk_wish_text(enum talk_wish w)
{
	return wishes[w];
}

enum talk_wish talk_wish_read(const char *line)
{
	cJSON *json = cJSON_Parse(line);
	const cJSON *what = cJSON_GetObjectItemCaseSensitive(json, "do");
	enum talk_wish w = WISH_NOTHING;
	if (cJSON_IsString(what) && strcmp(what->valuestring, "next") == 0)
		w = WISH_NEXT;
	else if (cJSON_IsString(what) && strcmp(what->valuestring, "back") == 0)
		w = WISH_BACK;
	cJSON_Delete(json);
	return w;
}
