#include "ui/practice/drill_request.h"

#include "sims/base/nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_COUNT = 5, SPRINT_COUNT = 40, MOST_COUNT = 200, MOST_ATTEMPTS = 9 };

static int read_number(const char *name, const char *text, uint64_t least, uint64_t most,
	uint64_t *out, char *err, size_t err_size)
{
	bool digits = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 20;
	*out = digits ? strtoull(text, NULL, 10) : 0;
	if (digits && *out >= least && *out <= most)
		return 0;
	snprintf(err, err_size, "%s=%.40s: expected a whole number from %" PRIu64 " to %" PRIu64,
		name, text, least, most);
	return -1;
}

static int read_mode(const char *text, enum drill_mode *out, char *err, size_t err_size)
{
	for (unsigned i = 0; i < N_MODES; i++)
		if (strcmp(mode_names[i], text) == 0) {
			*out = (enum drill_mode)i;
			return 0;
		}
	const char *near = nearest_name(text, mode_names, N_MODES);
	snprintf(err, err_size,
		"mode=%.40s: expected set, study, sprint, interview or review%s%s%s", text,
		near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	return -1;
}

static int refuse_name(const char *name, char *err, size_t err_size)
{
	static const char *const names[] = { "topic", "mode", "count", "seed", "code", "attempts",
		"history" };
	const char *near = nearest_name(name, names, sizeof names / sizeof *names);
	snprintf(err, err_size,
		"drill: there is no \"%.40s\"%s%s%s: expected topic, mode, count, seed, code, "
		"attempts or history",
		name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"" : "");
	return -1;
}

int drill_request_set(
	struct drill_request *r, const char *name, const char *value, char *err, size_t err_size)
{
	uint64_t n = 0;
	if (strcmp(name, "attempts") == 0) {
		int rc = read_number(name, value, 1, MOST_ATTEMPTS, &n, err, err_size);
		r->attempts = (unsigned)n;
		return rc;
	}
	if (strcmp(name, "code") == 0) {
		if (strlen(value) >= sizeof r->code) {
			snprintf(err, err_size, "code=%.40s...: expected at most %d symbols", value,
				CODE_SIZE - 1);
			return -1;
		}
		strcpy(r->code, value);
		return 0;
	}
	if (strcmp(name, "history") == 0) {
		r->forget = strcmp(value, "no") == 0;
		if (r->forget || strcmp(value, "yes") == 0)
			return 0;
		snprintf(err, err_size, "history=%.40s: expected yes or no", value);
		return -1;
	}
	r->chosen = true;
	if (strcmp(name, "topic") == 0) {
		if (strlen(value) >= sizeof r->topic) {
			snprintf(err, err_size, "no topic, skill or drill is called \"%.60s...\"",
				value);
			return -1;
		}
		strcpy(r->topic, value);
		return 0;
	}
	if (strcmp(name, "mode") == 0)
		return read_mode(value, &r->options.mode, err, err_size);
	if (strcmp(name, "count") == 0) {
		int rc = read_number(name, value, 1, MOST_COUNT, &n, err, err_size);
		r->options.count = (size_t)n;
		return rc;
	}
	if (strcmp(name, "seed") == 0) {
		r->seeded = true;
		return read_number(name, value, 0, UINT64_MAX, &r->options.seed, err, err_size);
	}
	return refuse_name(name, err, err_size);
}

int drill_request_words(
	struct drill_request *r, const char *const words[], size_t n, char *err, size_t err_size)
{
	for (size_t i = 0; i < n; i++) {
		char name[32];
		const char *equals = strchr(words[i], '=');
		snprintf(
			name, sizeof name, "%.*s", equals ? (int)(equals - words[i]) : 0, words[i]);
		if (drill_request_set(r, equals ? name : "topic", equals ? equals + 1 : words[i],
			    err, err_size))
			return -1;
	}
	return 0;
}

static bool in_bank(const struct drill_bank *b, const char *skill)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->drills[i].skill, skill) == 0)
			return true;
	return false;
}

/* Names the skill that comes next. */
static void say_nothing_due(
	const struct drill_bank *b, const struct stats *s, char *err, size_t err_size)
{
	const struct stats_group *next = NULL;
	char when[64];
	for (size_t i = 0; s && i < s->n_skills; i++)
		if (in_bank(b, s->skills[i].name) &&
			(!next || s->skills[i].card.due_s < next->card.due_s))
			next = &s->skills[i];
	if (!next)
		snprintf(err, err_size,
			"nothing to review yet: what you answer in any other mode comes back");
	else
		snprintf(err, err_size, "nothing due; next review %s: %s",
			stats_when(next->card.due_s, s->now_s, when, sizeof when), next->name);
}

/* The skills that stand there already. */
static void take_skills(struct drill_request *r)
{
	struct session_options *o = &r->options;
	for (o->n_skills = 0; o->n_skills < MOST_REVIEWED && *r->skills[o->n_skills]; o->n_skills++)
		r->skill_list[o->n_skills] = r->skills[o->n_skills];
	o->skills = r->skill_list;
	o->count = o->n_skills;
}

/* Of the count asked for, or as many as there are. */
static int choose_skills(struct drill_request *r, const struct drill_bank *b, const struct stats *s,
	char *err, size_t err_size)
{
	const struct stats_group *due[MOST_REVIEWED * 4];
	size_t most = r->options.count && r->options.count < MOST_REVIEWED ? r->options.count
									   : MOST_REVIEWED;
	size_t n = s ? stats_rank(s, STATS_DUE, due, sizeof due / sizeof *due) : 0;
	r->options.n_skills = 0;
	for (size_t i = 0; i < n && r->options.n_skills < most; i++) {
		size_t k = r->options.n_skills;
		if (!in_bank(b, due[i]->name) || strlen(due[i]->name) >= MOST_SKILL)
			continue;
		strcpy(r->skills[k], due[i]->name);
		r->options.n_skills++;
	}
	if (r->options.n_skills == 0) {
		say_nothing_due(b, s, err, err_size);
		return -1;
	}
	return 0;
}

int drill_request_complete(struct drill_request *r, const struct drill_bank *b,
	const struct stats *stats, uint64_t fresh_seed, char *err, size_t err_size)
{
	struct session_options *o = &r->options;
	if (r->code[0] && r->chosen) {
		snprintf(err, err_size,
			"a code says topic, mode, count and seed: give it without them");
		return -1;
	}
	o->topic = r->topic;
	if (r->code[0]) {
		struct session_options read = { 0 };
		if (code_read(b, r->code, &read, err, err_size))
			return -1;
		*o = read;
	}
	if (!r->code[0] && !r->seeded)
		o->seed = fresh_seed;
	if (o->mode == MODE_REVIEW && !*r->skills[0] && choose_skills(r, b, stats, err, err_size))
		return -1;
	if (o->mode == MODE_REVIEW)
		take_skills(r);
	if (!o->count)
		o->count = o->mode == MODE_SPRINT ? SPRINT_COUNT : DEFAULT_COUNT;
	if (!r->code[0])
		o->edition = b->n_editions;
	if (!code_write(b, o, r->code)) {
		o->edition = 0; /* a user's own drills are in none */
		r->code[0] = '\0';
	}
	return 0;
}
