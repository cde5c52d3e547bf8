#include "ui/interviewer/interviewer_record.h"

#include "sims/base/array.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/practice/case_record.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1 };

static const char *const dids[] = { [DID_GO] = "go",
	[DID_CLOCK] = "clock",
	[DID_MARK] = "mark",
	[DID_NOTE] = "note",
	[DID_DROP] = "drop",
	[DID_HEAR] = "heard",
	[DID_SEE] = "seen",
	[DID_TICK] = "tick",
	[DID_END] = "end",
	[DID_UNTELL] = "untold",
	[DID_UNHEAR] = "unheard",
	[DID_NAME] = "named" };
static_assert(LENGTH(dids) == N_DIDS, "a word for all that is done");

/* --- Writing --- */

/* Deletes o. */
static char *line_of(cJSON *o)
{
	char *text = o ? cJSON_PrintUnformatted(o) : NULL, *line = NULL;
	if (text)
		line = realloc(text, strlen(text) + 2);
	if (line)
		strcat(line, "\n");
	else
		free(text);
	cJSON_Delete(o);
	return line;
}

/* A seed has more digits than a number of JSON keeps. */
static void add_seed(cJSON *o, uint64_t seed)
{
	char text[24];
	snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
	cJSON_AddStringToObject(o, "seed", text);
}

/* From wherever it is opened again. */
static void add_pack(cJSON *o, const char *path)
{
	char *whole = realpath(path, NULL);
	cJSON_AddStringToObject(o, "pack", whole ? whole : path);
	free(whole);
}

char *interviewer_begin_line(const struct interviewer *v)
{
	const struct session_options *options = &v->request.options;
	cJSON *o = cJSON_CreateObject();
	cJSON_AddNumberToObject(o, "schema", SCHEMA);
	cJSON_AddStringToObject(o, "did", "begin");
	cJSON_AddNumberToObject(o, "at", (double)v->opened_s);
	if (v->request.pack[0])
		add_pack(o, v->request.pack);
	if (v->request.code[0]) {
		cJSON_AddStringToObject(o, "code", v->request.code);
	} else {
		cJSON_AddStringToObject(o, "mode", mode_names[options->mode]);
		cJSON_AddNumberToObject(o, "count", (double)options->count);
		add_seed(o, options->seed);
		cJSON_AddStringToObject(o, "topic", options->topic ? options->topic : "");
	}
	if (v->request.attempts)
		cJSON_AddNumberToObject(o, "attempts", v->request.attempts);
	if (v->candidate[0])
		cJSON_AddStringToObject(o, "name", v->candidate);
	if (v->after_s)
		cJSON_AddNumberToObject(o, "after", (double)v->after_s);
	return line_of(o);
}

char *interviewer_deed_line(const struct interviewer_deed *d, int64_t now_s)
{
	assert(d->did < N_DIDS);
	bool counts = d->did == DID_GO || d->did == DID_CLOCK || d->did == DID_MARK ||
		      d->did == DID_HEAR || d->did == DID_SEE || d->did == DID_END ||
		      d->did == DID_UNTELL;
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "did", dids[d->did]);
	cJSON_AddNumberToObject(o, "at", (double)now_s);
	cJSON_AddNumberToObject(o, "ms", (double)d->clock_ms);
	if (d->did == DID_SEE)
		cJSON_AddNumberToObject(o, "stop", (double)d->stop);
	if (counts)
		cJSON_AddNumberToObject(o, "n", (double)d->n);
	if (d->did == DID_NOTE)
		cJSON_AddNumberToObject(o, "began_ms", (double)d->begun_ms);
	if (d->text)
		cJSON_AddStringToObject(o, "text", d->text);
	if (d->heard_by && d->heard_by->heard)
		cJSON_AddItemToObject(o, "readings", case_heard_json(d->heard_by));
	return line_of(o);
}

/* --- Reading --- */

/* The object of the next line, *at behind it; NULL where the line is none. */
static cJSON *next_object(const char **at)
{
	size_t n = strcspn(*at, "\n");
	cJSON *o = cJSON_ParseWithLength(*at, n);
	*at += n + ((*at)[n] == '\n');
	if (cJSON_IsObject(o))
		return o;
	cJSON_Delete(o);
	return NULL;
}

static const char *text_of(const cJSON *o, const char *name)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, name));
	return text ? text : "";
}

/* A whole number from 0 to `most`; -1: there is none. */
static int64_t number_of(const cJSON *o, const char *name, double most)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
	double x = cJSON_IsNumber(item) ? item->valuedouble : -1;
	return x >= 0 && x <= most && x == floor(x) ? (int64_t)x : -1;
}

enum { MOST_COUNTED = 1 << 20 };
static const double latest_s = 1e11, longest_ms = 1e9;

static bool is_beginning(const cJSON *o)
{
	return o && strcmp(text_of(o, "did"), "begin") == 0 && number_of(o, "at", latest_s) >= 0 &&
	       number_of(o, "schema", SCHEMA) == SCHEMA;
}

/* What a line adds; one that cannot be read nothing. */
static void read_on(struct interviewer_head *h, const cJSON *o)
{
	int64_t clock_ms = number_of(o, "ms", longest_ms), mark = number_of(o, "n", MOST_MARK);
	if (clock_ms < h->clock_ms)
		return;
	h->clock_ms = clock_ms;
	if (strcmp(text_of(o, "did"), dids[DID_NAME]) == 0)
		interviewer_name(h->candidate, sizeof h->candidate, text_of(o, "text"));
	if (strcmp(text_of(o, "did"), dids[DID_END]) != 0)
		return;
	h->ended = true;
	h->ended_s = number_of(o, "at", latest_s);
	h->mark = mark > 0 ? (unsigned)mark : 0;
}

bool interviewer_head_read(const char *text, struct interviewer_head *h)
{
	const char *at = text;
	cJSON *o = next_object(&at);
	bool is = is_beginning(o);
	*h = (struct interviewer_head){ .at_s = number_of(o, "at", latest_s) };
	snprintf(h->code, sizeof h->code, "%s", text_of(o, "code"));
	interviewer_name(h->candidate, sizeof h->candidate, text_of(o, "name"));
	cJSON_Delete(o);
	while (is && *at) {
		o = next_object(&at);
		read_on(h, o);
		cJSON_Delete(o);
	}
	return is;
}

/* The words that the interviewer gave. */
static int request_of(struct drill_request *r, const cJSON *o, char *err, size_t err_size)
{
	*r = (struct drill_request){ .options.mode = MODE_INTERVIEW };
	int64_t attempts = number_of(o, "attempts", 9),
		count = number_of(o, "count", MOST_PROBLEMS);
	interviewer_name(r->candidate, sizeof r->candidate, text_of(o, "name"));
	r->attempts = attempts > 0 ? (unsigned)attempts : 0;
	snprintf(r->pack, sizeof r->pack, "%s", text_of(o, "pack"));
	if (*text_of(o, "code")) {
		snprintf(r->code, sizeof r->code, "%s", text_of(o, "code"));
		return 0;
	}
	int mode = 0;
	while (mode < N_MODES && strcmp(mode_names[mode], text_of(o, "mode")) != 0)
		mode++;
	if (mode == N_MODES || count < 1) {
		snprintf(err, err_size, "its first line names neither a code nor mode and count");
		return -1;
	}
	r->options.mode = (enum drill_mode)mode;
	r->options.count = (size_t)count;
	r->options.seed = strtoull(text_of(o, "seed"), NULL, 10);
	r->seeded = r->chosen = true;
	snprintf(r->topic, sizeof r->topic, "%s", text_of(o, "topic"));
	return 0;
}

/* False: no deed. Its text is o's. */
static bool deed_of(const cJSON *o, struct interviewer_deed *d)
{
	const char *did = text_of(o, "did");
	int64_t n = number_of(o, "n", MOST_COUNTED), stop = number_of(o, "stop", MOST_COUNTED),
		began = number_of(o, "began_ms", longest_ms);
	*d = (struct interviewer_deed){ .did = N_DIDS, .clock_ms = number_of(o, "ms", longest_ms) };
	for (size_t i = 0; i < N_DIDS; i++)
		if (strcmp(dids[i], did) == 0)
			d->did = (enum interviewer_did)i;
	d->n = n > 0 ? (size_t)n : 0;
	d->stop = stop > 0 ? (size_t)stop : 0;
	d->begun_ms = began > 0 ? began : 0;
	d->text = text_of(o, "text");
	d->read = cJSON_GetObjectItemCaseSensitive(o, "readings");
	return o && d->did < N_DIDS && d->clock_ms >= 0;
}

/* The clock that deeds are done at is the interview's own: time between its stretches counts for
 * nothing. It never goes backwards. */
static bool replay_line(struct interviewer *v, const cJSON *o)
{
	struct interviewer_deed d;
	if (!deed_of(o, &d) || d.clock_ms < v->kept_ms)
		return false;
	v->kept_ms = d.clock_ms;
	/* Who corrects it makes no room for what a candidate answered since. */
	if (!v->ended && number_of(o, "at", latest_s) > v->until_s)
		v->until_s = number_of(o, "at", latest_s);
	return interviewer_do(v, &d, d.clock_ms);
}

int interviewer_replay(struct interviewer *v, const struct tables *t, const char *text,
	size_t *unreadable, char *err, size_t err_size)
{
	struct drill_request request;
	const char *at = text;
	/* JSON says by the allocator's errno alone that it is memory that a line lacks. */
	errno = 0;
	cJSON *o = next_object(&at);
	int64_t at_s = number_of(o, "at", latest_s), after_s = number_of(o, "after", latest_s);
	int rc = -1;
	*v = (struct interviewer){ 0 };
	*unreadable = 0;
	if (!o && errno == ENOMEM)
		snprintf(err, err_size, "out of memory");
	else if (!is_beginning(o))
		snprintf(err, err_size, "its first line is not the beginning of an interview");
	else if (request_of(&request, o, err, err_size) == 0)
		rc = interviewer_begin(v, &request, t, at_s, err, err_size);
	cJSON_Delete(o);
	if (rc)
		return -1;
	v->until_s = at_s;
	v->after_s = after_s > 0 ? after_s : 0;
	errno = 0;
	while (*at && errno != ENOMEM) {
		o = next_object(&at);
		*unreadable += !replay_line(v, o);
		cJSON_Delete(o);
	}
	if (errno == ENOMEM || v->session.arena.failed) {
		interviewer_release(v);
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	bool ended = v->ended;
	if (!ended && !v->session.paused && !interviewer_in_summary(v))
		v->ran_s = v->until_s;
	struct interviewer_deed stops = { .did = DID_CLOCK, .clock_ms = v->kept_ms };
	interviewer_do(v, &stops, v->kept_ms);
	v->ended = ended;
	v->shows_code = false;
	return 0;
}
