#include "ui/practice/case_record.h"

#include "ui/data/calendar_file.h"
#include "ui/files/own_file.h"
#include "ui/files/own_lines.h"
#include "ui/practice/date_words.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCHEMA = 1 };
static const double latest_s = 1e11, longest_ms = 1e9;

/* A sitting of 45 minutes has some hundred lines. */
static const size_t largest_record = (size_t)16 << 20;

/* --- Writing --- */

/* Deletes o. */
static char *line_of(cJSON *o)
{
	char *text = o ? cJSON_PrintUnformatted(o) : NULL,
	     *line = text ? realloc(text, strlen(text) + 2) : NULL;
	if (line)
		strcat(line, "\n");
	else
		free(text);
	cJSON_Delete(o);
	return line;
}

char *case_begin_line(const struct case_sitting *s, int64_t now_s)
{
	const struct dealt_case *d = &s->deal;
	cJSON *o = cJSON_CreateObject();
	char seed[24];
	snprintf(seed, sizeof seed, "%llu", (unsigned long long)d->seed);
	cJSON_AddNumberToObject(o, "schema", SCHEMA);
	cJSON_AddStringToObject(o, "did", "begin");
	cJSON_AddNumberToObject(o, "at", (double)now_s);
	cJSON_AddStringToObject(o, "case", d->of->id);
	cJSON_AddStringToObject(o, "seed", seed); /* more digits than a number of JSON keeps */
	cJSON_AddStringToObject(o, "level", case_level_names[d->level]);
	cJSON_AddNumberToObject(o, "minutes", s->minutes);
	if (s->company == CASE_HELD)
		cJSON_AddStringToObject(o, "with", "interviewer");
	return line_of(o);
}

static cJSON *deed(const char *did, int64_t at_ms)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "did", did);
	cJSON_AddNumberToObject(o, "ms", (double)at_ms);
	return o;
}

char *case_typed_line(const char *text, int64_t at_ms)
{
	cJSON *o = deed("line", at_ms);
	cJSON_AddStringToObject(o, "text", text);
	return line_of(o);
}

char *case_clock_line(int64_t at_ms)
{
	return line_of(deed("clock", at_ms));
}

char *case_again_line(int64_t at_ms, int64_t now_s)
{
	cJSON *o = deed("again", at_ms);
	cJSON_AddNumberToObject(o, "at", (double)now_s);
	return line_of(o);
}

char *case_end_line(int64_t at_ms)
{
	return line_of(deed("end", at_ms));
}

/* --- How lines were read --- */

static void add_facts(
	cJSON *o, const char *name, const struct design_case *c, const size_t facts[], size_t n)
{
	cJSON *ids = n ? cJSON_AddArrayToObject(o, name) : NULL;
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(ids, cJSON_CreateString(c->facts[facts[i]].id));
}

cJSON *case_heard_json(const struct case_talk *t)
{
	const struct design_case *c = t->sitting->deal.of;
	cJSON *all = cJSON_CreateArray();
	for (const struct case_heard *h = t->heard; h; h = h->next) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddStringToObject(o, "text", h->line);
		cJSON_AddStringToObject(o, "as", case_reading_ids[h->as]);
		add_facts(o, "facts", c, h->facts, h->n);
		add_facts(o, "offers", c, h->offers, h->n_offers);
		if (h->anchor)
			cJSON_AddNumberToObject(o, "anchor", (double)h->anchor);
		cJSON_AddItemToArray(all, o);
	}
	return all;
}

char *case_heard_line(const struct case_talk *t, int64_t at_ms)
{
	cJSON *o = deed("read", at_ms);
	cJSON_AddItemToObject(o, "readings", case_heard_json(t));
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

static bool did(const cJSON *o, const char *what)
{
	return strcmp(text_of(o, "did"), what) == 0;
}

/* A whole number in a text; false: it is none. */
static bool read_seed(const char *text, uint64_t *seed)
{
	char *end;
	errno = 0;
	*seed = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

static bool read_beginning(const cJSON *o, struct case_head *h)
{
	const char *level = text_of(o, "level");
	*h = (struct case_head){ .at_s = number_of(o, "at", latest_s) };
	int64_t minutes = number_of(o, "minutes", MOST_CASE_MINUTES);
	h->minutes = minutes >= LEAST_CASE_MINUTES ? (unsigned)minutes : CASE_MINUTES;
	h->held = strcmp(text_of(o, "with"), "interviewer") == 0;
	snprintf(h->id, sizeof h->id, "%s", text_of(o, "case"));
	while (h->level < N_CASE_LEVELS && strcmp(case_level_names[h->level], level) != 0)
		h->level++;
	return *h->id && did(o, "begin") && number_of(o, "schema", SCHEMA) == SCHEMA &&
	       h->at_s >= 0 && h->level < N_CASE_LEVELS && read_seed(text_of(o, "seed"), &h->seed);
}

/* Whether a typed line is that word and nothing else. */
static bool is_word(const char *line, const char *word)
{
	size_t n = strlen(word);
	line += strspn(line, " \t");
	return strncmp(line, word, n) == 0 && !line[n + strspn(line + n, " \t")];
}

bool case_head_read(const char *text, struct case_head *h)
{
	const char *at = text;
	cJSON *o = next_object(&at);
	bool is = read_beginning(o, h);
	cJSON_Delete(o);
	h->since_s = h->at_s;
	while (is && *at) {
		o = next_object(&at);
		const char *line = did(o, "line") ? text_of(o, "text") : "";
		int64_t ms = number_of(o, "ms", longest_ms);
		h->clock_ms = ms > h->clock_ms ? ms : h->clock_ms;
		if (did(o, "again") && number_of(o, "at", latest_s) >= 0) {
			h->since_s = number_of(o, "at", latest_s);
			h->since_ms = h->clock_ms;
		}
		h->typed += *line && !is_word(line, "quit");
		h->said += *line && !is_word(line, "quit") && !is_word(line, "next") &&
			   !is_word(line, "end");
		/* Who had the debrief and then left is done. */
		h->debriefed |= is_word(line, "end") || did(o, "end");
		h->ended = did(o, "end") || (h->debriefed && is_word(line, "quit"));
		cJSON_Delete(o);
	}
	return is;
}

char *case_record_line(const char **at, int64_t *ms)
{
	char *line = NULL;
	while (!line && **at) {
		cJSON *o = next_object(at);
		*ms = number_of(o, "ms", longest_ms);
		if (did(o, "line") && *ms >= 0)
			line = strdup(text_of(o, "text"));
		cJSON_Delete(o);
	}
	return line;
}

/* At most so many. A fact that the case has no more is left out. Returns how many. */
static size_t read_facts(const struct design_case *c, const cJSON *ids, size_t facts[], size_t most)
{
	const cJSON *id;
	size_t n = 0;
	cJSON_ArrayForEach(id, ids)
	{
		const char *text = cJSON_GetStringValue(id);
		for (size_t i = 0; text && i < c->n_facts && n < most; i++)
			if (strcmp(c->facts[i].id, text) == 0)
				facts[n++] = i;
	}
	return n;
}

/* False: it is no reading. */
static bool read_heard(const struct case_talk *t, const cJSON *o, struct case_heard *h)
{
	const char *as = text_of(o, "as");
	h->as = 0;
	while (h->as < N_CASE_READINGS && strcmp(case_reading_ids[h->as], as) != 0)
		h->as++;
	h->n = read_facts(t->sitting->deal.of, cJSON_GetObjectItemCaseSensitive(o, "facts"),
		h->facts, CASE_AT_ONCE);
	h->n_offers = read_facts(t->sitting->deal.of, cJSON_GetObjectItemCaseSensitive(o, "offers"),
		h->offers, CASE_OFFERS);
	const cJSON *anchor = cJSON_GetObjectItemCaseSensitive(o, "anchor");
	h->anchor = 0;
	for (size_t i = 1; cJSON_IsNumber(anchor) && i <= t->sitting->deal.variant.n_steps; i++)
		if (anchor->valuedouble == (double)i)
			h->anchor = i;
	/* Two are offered at most, and of one that is offered there is something to name. */
	const bool offers = h->as == READ_OFFER && (h->n == 0 || h->n > CASE_OFFERS);
	return h->as < N_CASE_READINGS && *text_of(o, "text") && !offers;
}

void case_heard_take(struct case_talk *t, const cJSON *lines)
{
	struct arena *a = &t->said.arena;
	struct case_heard *last = NULL;
	const cJSON *o;
	t->recorded = NULL;
	cJSON_ArrayForEach(o, lines)
	{
		struct case_heard *h = arena_alloc(a, sizeof *h);
		if (!h || !read_heard(t, o, h))
			continue;
		h->next = NULL;
		h->line = arena_text(a, text_of(o, "text"));
		if (!h->line)
			continue;
		if (last)
			last->next = h;
		else
			t->recorded = h;
		last = h;
	}
}

void case_record_reading(struct case_talk *t, const char *at)
{
	cJSON *o = next_object(&at);
	if (did(o, "read"))
		case_heard_take(t, cJSON_GetObjectItemCaseSensitive(o, "readings"));
	cJSON_Delete(o);
}

bool case_goes_on(const struct case_head *h)
{
	return h->typed > 0 && !h->ended;
}

static bool is_as_asked(const struct case_head *h, const struct case_dealing *d)
{
	return h->held == d->held && (!d->seeded || h->seed == d->seed) &&
	       (!d->levelled || h->level == d->level) && (!d->timed || h->minutes == d->minutes);
}

bool case_dealing_fits(struct case_dealing *d, const char *record)
{
	struct case_head head;
	if (!case_head_read(record, &head) || !case_goes_on(&head) || !is_as_asked(&head, d))
		return false;
	d->seed = head.seed;
	d->level = head.level;
	d->minutes = head.minutes;
	return true;
}

/* Does what a line says, never earlier than the one before, which `rest` comes after. False: it says
 * nothing. */
static bool replay_line(struct case_talk *t, const cJSON *o, const char *rest, int64_t *clock_ms)
{
	int64_t ms = number_of(o, "ms", longest_ms);
	const char *line = text_of(o, "text");
	if (ms < *clock_ms)
		return false;
	*clock_ms = ms;
	if (!did(o, "line"))
		return did(o, "clock") || did(o, "end") || did(o, "read") || did(o, "again");
	/* It was left here, and is not any more. */
	if (is_word(line, "quit"))
		return true;
	case_talk_line(t, "", ms);
	case_talk_echo(t, line);
	case_record_reading(t, rest);
	case_talk_line(t, line, ms);
	return true;
}

int64_t case_replay(struct case_talk *t, const char *text, size_t *unreadable)
{
	const char *at = text;
	int64_t clock_ms = 0;
	cJSON_Delete(next_object(&at));
	*unreadable = 0;
	while (*at) {
		cJSON *o = next_object(&at);
		*unreadable += !replay_line(t, o, at, &clock_ms);
		cJSON_Delete(o);
	}
	return clock_ms;
}

/* --- Files --- */

static char *path_of(const char *name, char *buf, size_t size)
{
	char file[CASE_RECORD_NAME_SIZE + 16];
	snprintf(file, sizeof file, "sittings/%s", name);
	return own_path(OWN_DATA, file, buf, size);
}

char *case_file_name(const char *id, int64_t now_s, char *buf)
{
	enum { LONGEST_ID = 200, MOST_A_SECOND = 100 };
	char date[32], path[OWN_PATH_SIZE];
	moment_stamp(now_s, date, sizeof date);
	snprintf(buf, CASE_RECORD_NAME_SIZE, "%s-%.*s.jsonl", date, LONGEST_ID, id);
	/* Two sittings that begin in the same second are two records. */
	for (int i = 1;
		i < MOST_A_SECOND && path_of(buf, path, sizeof path) && access(path, F_OK) == 0;
		i++)
		snprintf(buf, CASE_RECORD_NAME_SIZE, "%s.%02d-%.*s.jsonl", date, i, LONGEST_ID, id);
	return buf;
}

int case_file_keep(const char *name, const char *line, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE];
	if (!path_of(name, path, sizeof path)) {
		snprintf(err, err_size, "what you type is not kept: no HOME says where");
		return -1;
	}
	if (own_append(path, line, strlen(line)) == 0)
		return 0;
	snprintf(err, err_size, "what you type is not kept: %s/sittings: %s",
		own_folder_shown(OWN_DATA), strerror(errno));
	return -1;
}

/* The id in a record's name: a date, perhaps a number, the id. Its length; 0: it is no such name. */
static size_t id_in(const char *name, const char **id)
{
	static const char end[] = ".jsonl";
	const size_t date = strlen("20260101-000000"), n = strlen(name);
	if (n <= date || n >= CASE_RECORD_NAME_SIZE)
		return 0;
	const char *rest = name + date + (name[date] == '.' ? strlen(".01") : 0);
	const size_t left = strlen(rest);
	if (rest[0] != '-' || left <= sizeof end ||
		strcmp(rest + left - (sizeof end - 1), end) != 0)
		return 0;
	*id = rest + 1;
	return left - sizeof end;
}

static bool is_of(const char *name, const char *id)
{
	const char *at;
	const size_t n = id_in(name, &at);
	return n > 0 && n == strlen(id) && strncmp(at, id, n) == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(b, a);
}

/* The names of a case's records (NULL: of all cases), the newest first; the caller frees. *n: how many. */
static char (*names_of(const char *id, size_t *n))[CASE_RECORD_NAME_SIZE]
{
	char path[OWN_PATH_SIZE], (*names)[CASE_RECORD_NAME_SIZE] = NULL;
	size_t room = 0;
	struct dirent *e;
	DIR *folder = path_of("", path, sizeof path) ? opendir(path) : NULL;
	*n = 0;
	while (folder && (e = readdir(folder))) {
		const char *of;
		if (id ? !is_of(e->d_name, id) : !id_in(e->d_name, &of))
			continue;
		if (*n == room) {
			room = 2 * room + 8;
			void *more = realloc(names, room * sizeof *names);
			if (!more)
				break;
			names = more;
		}
		strcpy(names[(*n)++], e->d_name);
	}
	if (folder)
		closedir(folder);
	if (*n > 1)
		qsort(names, *n, sizeof *names, by_name);
	return names;
}

char (*case_files_all(size_t *n))[CASE_RECORD_NAME_SIZE]
{
	return names_of(NULL, n);
}

char *case_file_text(const char *name)
{
	char path[OWN_PATH_SIZE], *text = NULL;
	size_t bytes = 0;
	if (path_of(name, path, sizeof path))
		text = own_read_lines(path, largest_record, &bytes);
	if (text && strlen(text) != bytes)
		*text = '\0';
	return text;
}

char *case_file_read(const char *id, size_t newer, char *name)
{
	size_t n;
	char(*names)[CASE_RECORD_NAME_SIZE] = names_of(id, &n), *text = NULL;
	const bool there = newer < n;
	snprintf(name, CASE_RECORD_NAME_SIZE, "%s", there ? names[newer] : "");
	free(names);
	if (there)
		text = case_file_text(name);
	return text || !there ? text : strdup("");
}

char *case_file_find(char *(*read)(const char *id, size_t newer, char *name), const char *id,
	const struct case_dealing *d, char *name)
{
	struct case_head head;
	char *record;
	for (size_t newer = 0; (record = read(id, newer, name)); newer++) {
		if (case_head_read(record, &head) && head.held == d->held &&
			(!d->held || is_as_asked(&head, d)))
			return record;
		free(record);
	}
	return NULL;
}

/* Each of its lines can be read. */
static bool is_whole(const char *record)
{
	bool all = true;
	while (all && *record) {
		cJSON *o = next_object(&record);
		all = o != NULL;
		cJSON_Delete(o);
	}
	return all;
}

bool case_file_damaged(const char *id, char *err, size_t err_size)
{
	struct case_head head;
	char name[CASE_RECORD_NAME_SIZE];
	char *record = case_file_read(id, 0, name);
	const char *why = NULL;
	if (record && !case_head_read(record, &head))
		why = "it does not begin as a record";
	else if (record && !is_whole(record))
		why = "a part of it cannot be read";
	if (why)
		snprintf(err, err_size, "%s/sittings/%.200s: %s", own_folder_shown(OWN_DATA), name,
			why);
	free(record);
	return why != NULL;
}

/* Whether an interview since began_s is that of a candidate's sitting. */
static bool is_of_interview(const struct case_head *h, int64_t began_s, int64_t after_s)
{
	enum { EARLIER_S = 3600 };
	const int64_t over_s = h->since_s + (h->clock_ms - h->since_ms) / 1000;
	const bool was_over = h->ended && over_s < began_s;
	return h->since_s >= began_s - EARLIER_S && h->since_s >= after_s && !was_over;
}

char *case_file_candidate(char *(*read)(const char *id, size_t newer, char *name), const char *id,
	struct case_dealing d, int64_t began_s, int64_t after_s, char *name)
{
	struct case_head head;
	d.seeded = d.levelled = d.timed = d.held = true;
	char *record = case_file_find(read, id, &d, name);
	if (record && case_head_read(record, &head) && is_of_interview(&head, began_s, after_s))
		return record;
	free(record);
	return NULL;
}

uint64_t case_file_stamp(const char *id)
{
	char path[OWN_PATH_SIZE];
	struct stat st;
	size_t n;
	uint64_t stamp = 0;
	char(*names)[CASE_RECORD_NAME_SIZE] = names_of(id, &n);
	for (size_t i = 0; i < n; i++)
		if (path_of(names[i], path, sizeof path) && stat(path, &st) == 0)
			stamp += (uint64_t)st.st_size + 1;
	free(names);
	return stamp;
}

/* The day that a name begins with; -1: it is that of no record. */
static int64_t day_of(const char *name)
{
	char date[CALENDAR_ISO_SIZE];
	const char *id;
	int64_t day;
	if (!id_in(name, &id))
		return -1;
	snprintf(date, sizeof date, "%.4s-%.2s-%.2s", name, name + 4, name + 6);
	return calendar_date_read(date, &day) ? day : -1;
}

/* Whether a sitting was worked on: a quarter of its time ran, or whoever is quick came to its end and said
 * something for each phase. Whoever only looks on is done sooner. */
static bool was_worked_on(const char *name)
{
	enum { QUARTERS = 4 };
	struct case_head h;
	char *text = case_file_text(name);
	const bool is = text && case_head_read(text, &h) &&
			(QUARTERS * h.clock_ms >= (int64_t)h.minutes * CASE_MINUTE_MS ||
				(h.debriefed && h.said >= N_CASE_PHASES));
	free(text);
	return is;
}

int64_t case_file_day(const char *id)
{
	size_t n;
	char(*names)[CASE_RECORD_NAME_SIZE] = names_of(id, &n);
	size_t i = 0;
	while (i < n && !was_worked_on(names[i]))
		i++;
	const int64_t day = i < n ? day_of(names[i]) : -1;
	free(names);
	return day;
}

size_t case_files_on(int64_t day)
{
	char path[OWN_PATH_SIZE];
	struct dirent *e;
	size_t n = 0;
	DIR *folder = path_of("", path, sizeof path) ? opendir(path) : NULL;
	while (folder && (e = readdir(folder)))
		n += day_of(e->d_name) == day && was_worked_on(e->d_name);
	if (folder)
		closedir(folder);
	return n;
}
