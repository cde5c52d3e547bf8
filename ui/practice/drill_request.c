#include "ui/practice/drill_request.h"

#include "drills/case_sitting.h"
#include "sims/base/name_words.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "ui/data/answers.h"
#include "ui/data/page_list.h"
#include "ui/data/case_list.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPRINT_COUNT = 40 };

/* One topic, or several as one set. */
static int take_topics(
	struct drill_request *r, const struct command_line *line, char *err, size_t err_size)
{
	const char *topic = line->values[OPTION_TOPIC].text;
	size_t used = 0;
	if (topic && (strcmp(topic, "interviewer") == 0 || strcmp(topic, "answers") == 0)) {
		snprintf(err, err_size, "%s is no topic: %s=yes opens the interviewer's desk",
			topic, topic);
		return -1;
	}
	for (size_t i = 0; topic && i <= line->n_words; i++) {
		const char *one = i ? line->words[i - 1] : topic;
		if (used + 1 + strlen(one) >= sizeof r->topic) {
			snprintf(err, err_size,
				"no topic, skill, drill, chapter or chain is called \"%.60s...\"",
				one);
			return -1;
		}
		used += (size_t)snprintf(
			r->topic + used, sizeof r->topic - used, "%s%s", i ? "," : "", one);
	}
	return 0;
}

/* Texts that are longer than any topic, code or name are refused. */
static int take_texts(
	struct drill_request *r, const struct command_line *line, char *err, size_t err_size)
{
	const char *code = line->values[OPTION_CODE].text, *name = line->values[OPTION_NAME].text,
		   *id = line->values[OPTION_CASE].text, *follow = line->values[OPTION_FOLLOW].text,
		   *pack = line->values[OPTION_PACK].text;
	if (take_topics(r, line, err, err_size))
		return -1;
	if (code && strlen(code) >= sizeof r->code) {
		snprintf(err, err_size, "code: expected at most %d symbols, found \"%.40s...\"",
			CODE_SIZE - 1, code);
		return -1;
	}
	if (name && strlen(name) >= sizeof r->candidate) {
		snprintf(err, err_size, "name: expected at most %zu bytes, found \"%.40s...\"",
			sizeof r->candidate - 1, name);
		return -1;
	}
	if (id && strlen(id) >= sizeof r->case_id) {
		snprintf(
			err, err_size, "no case is called \"%.60s...\"; ridge case lists them", id);
		return -1;
	}
	if (follow && strlen(follow) >= sizeof r->follow) {
		snprintf(err, err_size, "follow: expected a path of at most %zu bytes",
			sizeof r->follow - 1);
		return -1;
	}
	if (follow)
		strcpy(r->follow, follow);
	if (pack && strlen(pack) >= sizeof r->pack) {
		snprintf(err, err_size, "pack: expected a path of at most %zu bytes",
			sizeof r->pack - 1);
		return -1;
	}
	if (pack)
		strcpy(r->pack, pack);
	if (id)
		strcpy(r->case_id, id);
	r->named = id != NULL;
	if (name)
		strcpy(r->candidate, name);
	if (code)
		strcpy(r->code, code);
	return 0;
}

int drill_request_take(
	struct drill_request *r, const struct command_line *line, char *err, size_t err_size)
{
	assert(line->command == COMMAND_DRILL);
	if (take_texts(r, line, err, err_size))
		return -1;
	if (option_given(line, OPTION_MODE))
		r->options.mode = (enum drill_mode)line->values[OPTION_MODE].number;
	if (option_given(line, OPTION_COUNT))
		r->options.count = (size_t)line->values[OPTION_COUNT].number;
	if (option_given(line, OPTION_SEED))
		r->options.seed = line->values[OPTION_SEED].number;
	if (option_given(line, OPTION_ATTEMPTS))
		r->attempts = (unsigned)line->values[OPTION_ATTEMPTS].number;
	if (option_given(line, OPTION_LEVEL)) {
		r->levelled = true;
		r->level = (enum case_level)line->values[OPTION_LEVEL].number;
	}
	if (option_given(line, OPTION_MINUTES))
		r->minutes = (unsigned)line->values[OPTION_MINUTES].number;
	r->options.no_choice = !option_says_yes(line, OPTION_CHOICE);
	r->seeded = option_given(line, OPTION_SEED);
	r->chosen = r->seeded || option_given(line, OPTION_TOPIC) ||
		    option_given(line, OPTION_MODE) || option_given(line, OPTION_COUNT) ||
		    option_given(line, OPTION_CASE) || r->levelled || r->minutes ||
		    option_given(line, OPTION_CHOICE);
	r->forget = !option_says_yes(line, OPTION_HISTORY);
	r->answers =
		option_says_yes(line, OPTION_ANSWERS) || option_says_yes(line, OPTION_INTERVIEWER);
	if (r->follow[0] && !r->answers) {
		snprintf(err, err_size, "follow is the interviewer's: it goes with answers");
		return -1;
	}
	return 0;
}

int drill_request_words(
	struct drill_request *r, const char *const words[], size_t n, char *err, size_t err_size)
{
	static const enum option_id printing[] = { OPTION_SHEET, OPTION_JSON, OPTION_PLAIN,
		OPTION_STREAM };
	struct command_line line;
	if (command_line_read(&line, COMMAND_DRILL, words, n, err, err_size))
		return -1;
	for (size_t i = 0; i < LENGTH(printing); i++)
		if (option_says_yes(&line, printing[i])) {
			snprintf(err, err_size,
				"\"%s\" prints: it goes with ridge drill in a shell",
				words[line.values[printing[i]].at - 1]);
			return -1;
		}
	return drill_request_take(r, &line, err, err_size);
}

/* --- An interview at a case --- */

bool drill_request_at_case(const struct drill_request *r)
{
	if (r->code[0])
		return code_is_of_case(r->code);
	return r->options.mode == MODE_INTERVIEW && !r->topic[0] && !r->options.count &&
	       !r->pack[0];
}

static int refuse_case(const struct drill_request *r, struct case_list *l,
	const struct case_info *info, char *err, size_t err_size)
{
	if (info)
		snprintf(err, err_size, "%s is not for %s: ridge case lists the levels of each",
			info->id, case_level_names[r->level]);
	else if (r->case_id[0])
		case_list_refuse(l, r->case_id, err, err_size);
	else
		snprintf(err, err_size, "no case is for %s", case_level_names[r->level]);
	return -1;
}

/* The case that was asked for; or one of those for the level, by the seed. */
static int choose_case(struct drill_request *r, struct case_list *l, char *err, size_t err_size)
{
	const struct case_info *chosen = NULL, *named = NULL;
	struct rng rng = rng_stream(r->options.seed, "the case of an interview", 0);
	unsigned n = 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct case_info *info = &l->cases[i];
		const bool is = strcmp(info->id, r->case_id) == 0;
		named = is ? info : named;
		if ((!r->case_id[0] && info->own) || (r->case_id[0] && !is) ||
			(r->levelled && !(info->levels >> r->level & 1)))
			continue;
		/* Each is kept with one chance in as many as there were so far. */
		n++;
		chosen = rng_below(&rng, n) == 0 ? info : chosen;
	}
	if (!chosen)
		return refuse_case(r, l, named, err, err_size);
	snprintf(r->case_id, sizeof r->case_id, "%s", chosen->id);
	if (r->levelled)
		return 0;
	/* Staff where the case has it: at that level each has work for most of its 45 minutes. */
	r->level = LEVEL_STAFF;
	while (!(chosen->levels >> r->level & 1))
		r->level = r->level == LEVEL_STAFF ? 0 : r->level + 1;
	return 0;
}

static int read_case_code(struct drill_request *r, struct case_list *l, char *err, size_t err_size)
{
	struct case_code c;
	const char *const *ids = case_list_ids(l);
	if (!ids) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	if (case_code_read(ids, l->n, r->code, &c, err, err_size))
		return -1;
	snprintf(r->case_id, sizeof r->case_id, "%s", c.id);
	r->named = r->levelled = true;
	r->level = c.level;
	r->minutes = c.minutes;
	r->options.seed = c.seed;
	return 0;
}

int drill_request_complete_case(
	struct drill_request *r, uint64_t fresh_seed, char *err, size_t err_size)
{
	struct case_list l = { .n = 0 };
	assert(drill_request_at_case(r));
	int rc = case_list_load(&l, NULL);
	if (rc) {
		snprintf(err, err_size, "out of memory");
	} else if (r->code[0] && r->chosen) {
		snprintf(err, err_size,
			"a code says case, level, minutes and seed: give it without them");
		rc = -1;
	} else if (r->code[0]) {
		rc = read_case_code(r, &l, err, err_size);
	} else {
		if (!r->seeded)
			r->options.seed = fresh_seed;
		rc = choose_case(r, &l, err, err_size);
	}
	case_list_release(&l);
	if (rc)
		return -1;
	r->options.mode = MODE_INTERVIEW;
	if (!r->minutes)
		r->minutes = CASE_MINUTES;
	case_code_write(
		&(struct case_code){ r->case_id, r->level, r->minutes, r->options.seed }, r->code);
	return 0;
}

/* --- Problems --- */

int drill_request_bank(const struct drill_request *r, struct drill_bank *b, const struct tables *t,
	struct own_drills *own, char *err, size_t err_size)
{
	if (bank_load_telling(b, t, own, err, err_size))
		return -1;
	return r->pack[0] ? bank_load_pack(b, t, r->pack, err, err_size) : 0;
}

struct drill_request drill_request_anew(const struct drill_request *r, uint64_t seed)
{
	const bool at_case = drill_request_at_case(r);
	struct drill_request anew = *r;
	anew.options = (struct session_options){ .mode = r->options.mode,
		.count = at_case ? 0 : r->options.count,
		.seed = seed,
		.no_choice = r->options.no_choice };
	anew.seeded = anew.chosen = true;
	anew.nothing_due = false;
	anew.code[0] = '\0';
	if (!r->named)
		anew.case_id[0] = '\0';
	if (!at_case)
		snprintf(anew.topic, sizeof anew.topic, "%s",
			r->options.topic ? r->options.topic : "");
	return anew;
}

static bool is_rung(const char *set)
{
	for (size_t i = 0; i < N_RUNGS; i++)
		if (strcmp(rung_names[i], set) == 0)
			return true;
	return false;
}

/* "memory, kv-cache and chapter-8" of several sets. */
static void several_text(const char *sets, char *buf, size_t size)
{
	size_t used = 0;
	for (const char *at = sets; used < size; at += strcspn(at, ",") + 1) {
		const size_t n = strcspn(at, ",");
		const bool last = !at[n];
		used += (size_t)snprintf(buf + used, size - used, "%s%.*s",
			at == sets ? ""
			: last     ? " and "
				   : ", ",
			(int)n, at);
		if (last)
			return;
	}
}

char *drill_request_subject(const struct drill_request *r, char *buf, size_t size)
{
	static const char chain[] = "chain-";
	const char *set = r->options.topic ? r->options.topic : "";
	char said[96];
	if (r->pack[0])
		snprintf(buf, size, "questions of your own");
	else if (r->options.mode == MODE_REVIEW)
		snprintf(buf, size, "%s%s",
			r->skills[0][0] ? name_words(r->skills[0], said, sizeof said)
					: "what is due",
			r->skills[1][0] ? " and others" : "");
	else if (r->options.mode == MODE_PLACEMENT)
		snprintf(buf, size, "where to begin");
	else if (!*set)
		snprintf(buf, size, "mixed");
	else if (strchr(set, ','))
		several_text(set, buf, size);
	else if (chapter_named(set) >= 0)
		snprintf(buf, size, "chapter %d", chapter_named(set));
	else if (strncmp(set, chain, strlen(chain)) == 0)
		snprintf(buf, size, "the chain %s upwards", set + strlen(chain));
	else
		snprintf(buf, size, "%s%s", is_rung(set) ? "to " : "", set);
	return buf;
}

char *drill_request_command(const struct drill_request *r, char *buf, size_t size)
{
	const struct session_options *o = &r->options;
	const char *topic = o->topic ? o->topic : "";
	/* Where the file is is everybody's own affair. */
	const char *slash = strrchr(r->pack, '/'), *name = slash ? slash + 1 : r->pack;
	const char *with = *name ? " --pack " : "";
	if (r->code[0])
		snprintf(buf, size, "ridge drill%s%s --code %s", with, name, r->code);
	else
		snprintf(buf, size, "ridge drill%s%s --mode %s --count %zu --seed %" PRIu64 "%s%s",
			with, name, mode_names[o->mode], o->count, o->seed,
			*topic ? " --topic " : "", topic);
	return buf;
}

static bool in_bank(const struct drill_bank *b, const char *skill)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->drills[i].skill, skill) == 0)
			return true;
	return false;
}

/* Names the skill that comes next. */
static void say_nothing_due(struct drill_request *r, const struct drill_bank *b,
	const struct stats *s, char *err, size_t err_size)
{
	const struct stats_group *next = NULL;
	char when[64], said[65];
	for (size_t i = 0; s && i < s->n_skills; i++)
		if (in_bank(b, s->skills[i].name) &&
			(!next || s->skills[i].card.due_s < next->card.due_s))
			next = &s->skills[i];
	r->nothing_due = true;
	r->next_s = next ? next->card.due_s : 0;
	snprintf(r->next_skill, sizeof r->next_skill, "%.60s", next ? next->name : "");
	if (!next)
		snprintf(err, err_size,
			"nothing to review yet: what you answer in any other mode comes back");
	else
		snprintf(err, err_size, "nothing due; next review %s: %s",
			stats_when(next->card.due_s, s->now_s, when, sizeof when),
			name_words(next->name, said, sizeof said));
}

/* Makes the options of a review from the skills that are chosen already. */
static void take_skills(struct drill_request *r)
{
	struct session_options *o = &r->options;
	for (o->n_skills = 0; o->n_skills < MOST_REVIEWED && *r->skills[o->n_skills]; o->n_skills++)
		r->skill_list[o->n_skills] = r->skills[o->n_skills];
	o->skills = r->skill_list;
	o->count = o->n_skills;
}

/* The skills that are due, as many as were asked for or as fit. */
static int choose_skills(struct drill_request *r, const struct drill_bank *b, const struct stats *s,
	char *err, size_t err_size)
{
	const struct stats_group *due[MOST_REVIEWED * 4];
	size_t most = r->options.count && r->options.count < MOST_REVIEWED ? r->options.count
									   : MOST_REVIEWED;
	size_t n = s ? stats_rank(s, STATS_DUE, due, LENGTH(due)) : 0;
	r->options.n_skills = 0;
	r->n_due = s ? s->n_due : 0;
	for (size_t i = 0; i < n && r->options.n_skills < most; i++) {
		size_t k = r->options.n_skills;
		if (!in_bank(b, due[i]->name) || strlen(due[i]->name) >= MOST_SKILL)
			continue;
		strcpy(r->skills[k], due[i]->name);
		r->recall[k] = due[i]->card.state == FSRS_REVIEW ? due[i]->recall : NAN;
		r->options.n_skills++;
	}
	if (r->options.n_skills == 0) {
		say_nothing_due(r, b, s, err, err_size);
		return -1;
	}
	return 0;
}

/* Of one problem without numbers of its own there is one. A chain is dealt whole: as many problems as
 * the code, which has an edition, or none, can deal. */
static size_t default_count(const struct drill_bank *b, const struct session_options *o)
{
	const struct drill *drills[MOST_CHAIN];
	if (o->pack) /* an interview has one more, the estimate */
		return b->pack.n - (o->mode == MODE_INTERVIEW && b->pack.n > 1);
	size_t n = bank_chain(b, o->topic, drills), known = 0;
	for (size_t i = 0; i < n; i++)
		known += bank_edition(b, drills[i]->id) > 0;
	const struct drill *alone = bank_find(b, o->topic);
	if (o->mode == MODE_SPRINT)
		return SPRINT_COUNT;
	if (o->mode == MODE_PLACEMENT)
		return PLACEMENT_COUNT;
	if (alone && alone->n_fields == 0)
		return 1; /* it would be the same each time */
	return known ? known : n ? n : DEFAULT_COUNT;
}

/* Whether a set has so many problems that a code deals and an interviewer asks after the estimate. */
static bool is_enough(const struct drill_bank *b, const char *set, size_t count)
{
	size_t known = 0;
	for (size_t i = 0; i < b->n; i++) {
		const struct drill *d = &b->drills[i];
		known += drill_is_of(d, set) && bank_edition(b, d->id) > 0 &&
			 d->kind != KIND_ESTIMATE && d->kind != KIND_CODE;
	}
	return known >= count;
}

/* An interview around problems that names no subject has one by the seed: a chain, which climbs it; where so many
 * problems are asked for that few chains are long enough, also what a chapter explains. Its code says which. Where no
 * set has enough they are mixed. */
static void choose_subject(struct drill_request *r, const struct drill_bank *b)
{
	enum { CHAPTERS = 64, SET_SIZE = 64, FEW = 4 };
	const char *chains[MOST_CHAINS];
	char fit[MOST_CHAINS + CHAPTERS][SET_SIZE];
	const size_t n = bank_chains(b, chains, LENGTH(chains));
	size_t n_fit = 0;
	for (size_t i = 0; i < n; i++) {
		snprintf(fit[n_fit], SET_SIZE, "%s", chains[i]);
		n_fit += is_enough(b, fit[n_fit], r->options.count);
	}
	const bool few = n_fit < FEW;
	for (int i = 0; i < CHAPTERS && few; i++) {
		snprintf(fit[n_fit], SET_SIZE, "chapter-%d", i);
		n_fit += is_enough(b, fit[n_fit], r->options.count);
	}
	struct rng rng = rng_stream(r->options.seed, "subject of an interview", 0);
	if (n_fit)
		snprintf(r->topic, sizeof r->topic, "%s", fit[rng_below(&rng, n_fit)]);
}

int drill_request_complete(struct drill_request *r, const struct drill_bank *b,
	const struct stats *stats, uint64_t fresh_seed, char *err, size_t err_size)
{
	struct session_options *o = &r->options;
	if (r->case_id[0] || r->levelled || r->minutes) {
		snprintf(err, err_size,
			"case, level and minutes are of an interview at a case: mode=interview, "
			"without topic and count");
		return -1;
	}
	if (r->code[0] && r->chosen) {
		snprintf(err, err_size,
			"a code says topic, mode, count and seed: give it without them");
		return -1;
	}
	if (r->pack[0] && (r->topic[0] || o->mode == MODE_REVIEW || o->mode == MODE_PLACEMENT)) {
		snprintf(err, err_size,
			"a pack is dealt whole and in its order: without topic, in the modes set, "
			"study, sprint and interview");
		return -1;
	}
	o->topic = r->topic;
	o->pack = r->pack[0] != '\0';
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
		o->count = default_count(b, o);
	if (o->mode == MODE_INTERVIEW && !r->code[0] && !o->pack && !o->no_choice && !*r->topic)
		choose_subject(r, b);
	if (!r->code[0] && !o->pack)
		o->edition = b->n_editions;
	if (!code_write(b, o, r->code)) {
		o->edition = 0; /* a user's own drills are in none */
		r->code[0] = '\0';
	}
	return 0;
}

int drill_request_complete_from(struct drill_request *r, const struct drill_bank *b,
	int (*load)(struct history *h, char *err, size_t err_size), int64_t now_s,
	uint64_t fresh_seed, char *err, size_t err_size)
{
	struct answers a = { 0 };
	int rc = 0;
	if (r->options.mode == MODE_REVIEW)
		rc = (load && load(&a.history, err, err_size)) ||
		     answers_count(&a, now_s, err, err_size);
	if (rc == 0)
		rc = drill_request_complete(r, b, &a.stats, fresh_seed, err, err_size);
	answers_release(&a);
	return rc ? -1 : 0;
}
