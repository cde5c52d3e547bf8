/* What is not known is left out of the JSON and is an empty field in the CSV, so that no number is
 * made up. */
#include "ui/commands/stats_export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_RANKED = 20 };

static void add_number(cJSON *obj, const char *name, double x)
{
	if (isfinite(x))
		cJSON_AddNumberToObject(obj, name, x);
}

static cJSON *group_json(const struct stats_group *g, const char *kind)
{
	cJSON *obj = cJSON_CreateObject();
	if (kind)
		cJSON_AddStringToObject(obj, kind, g->name);
	if (g->topic)
		cJSON_AddStringToObject(obj, "topic", g->topic);
	add_number(obj, "problems", (double)g->problems);
	add_number(obj, "answers", (double)g->answers);
	add_number(obj, "correct", (double)g->correct);
	add_number(obj, "credit", g->credit);
	add_number(obj, "median_time_over_par", g->time_ratio);
	add_number(obj, "best_s", g->best_s);
	if (!isnan(g->best_s))
		add_number(obj, "best_at", (double)g->best_at_s);
	if (g->card.memory.stability_days > 0) {
		add_number(obj, "stability_days", g->card.memory.stability_days);
		add_number(obj, "difficulty", g->card.memory.difficulty);
		add_number(obj, "recall", g->recall);
		add_number(obj, "due_at", (double)g->card.due_s);
	}
	if (g->retired)
		cJSON_AddTrueToObject(obj, "retired");
	return obj;
}

static cJSON *groups_json(const struct stats_group *groups, size_t n, const char *kind)
{
	cJSON *list = cJSON_CreateArray();
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(list, group_json(&groups[i], kind));
	return list;
}

static cJSON *causes_json(const struct stats *s)
{
	cJSON *list = cJSON_CreateArray();
	for (size_t i = 0; i < s->n_causes; i++) {
		const struct stats_cause *c = &s->causes[i];
		cJSON *obj = cJSON_CreateObject(), *weeks = cJSON_CreateArray();
		cJSON_AddStringToObject(obj, "cause", c->name);
		add_number(obj, "times", (double)c->n);
		add_number(obj, "last_at", (double)c->last_s);
		for (size_t k = 0; k < STATS_WEEKS; k++)
			cJSON_AddItemToArray(weeks, cJSON_CreateNumber((double)c->weeks[k]));
		cJSON_AddItemToObject(obj, "weeks", weeks);
		cJSON_AddItemToArray(list, obj);
	}
	return list;
}

static cJSON *days_json(const struct stats *s)
{
	cJSON *list = cJSON_CreateArray();
	for (size_t i = 0; i < s->n_days; i++) {
		cJSON *obj = cJSON_CreateObject();
		add_number(obj, "at", (double)(s->days[i].day * CALENDAR_DAY_S));
		add_number(obj, "problems", (double)s->days[i].problems);
		add_number(obj, "correct", (double)s->days[i].correct);
		cJSON_AddItemToArray(list, obj);
	}
	return list;
}

static cJSON *ranking_json(const struct stats *s, enum stats_order order)
{
	const struct stats_group *first[MOST_RANKED];
	size_t n = stats_rank(s, order, first, MOST_RANKED);
	cJSON *list = cJSON_CreateArray();
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(first[i]->name));
	return list;
}

cJSON *stats_json(const struct stats *s, const struct history *h)
{
	cJSON *obj = cJSON_CreateObject(), *total = group_json(&s->total, NULL);
	add_number(obj, "schema", 1);
	add_number(obj, "at", (double)s->now_s);
	add_number(obj, "lines", (double)h->n_lines);
	add_number(obj, "unreadable", (double)h->n_unreadable);
	if (h->n_unreadable)
		add_number(obj, "first_unreadable", (double)h->first_bad);
	add_number(total, "longest_run", (double)s->longest_run);
	add_number(total, "run", (double)s->run);
	add_number(total, "sprints", (double)s->n_sprints);
	if (s->n_sprints) {
		add_number(total, "best_sprint", (double)s->best_sprint);
		add_number(total, "best_sprint_at", (double)s->best_sprint_at_s);
	}
	cJSON_AddItemToObject(obj, "total", total);
	cJSON_AddItemToObject(obj, "topics", groups_json(s->topics, s->n_topics, "topic"));
	cJSON_AddItemToObject(obj, "rungs", groups_json(s->rungs, s->n_rungs, "rung"));
	cJSON_AddItemToObject(obj, "skills", groups_json(s->skills, s->n_skills, "skill"));
	cJSON_AddItemToObject(obj, "mistakes", causes_json(s));
	cJSON_AddItemToObject(obj, "days", days_json(s));
	add_number(obj, "n_due", (double)s->n_due);
	cJSON_AddItemToObject(obj, "due", ranking_json(s, STATS_DUE));
	if (stats_next(s))
		cJSON_AddStringToObject(obj, "next", stats_next(s)->name);
	cJSON_AddItemToObject(obj, "most_missed", ranking_json(s, STATS_MISSED));
	cJSON_AddItemToObject(obj, "slowest", ranking_json(s, STATS_SLOWEST));
	return obj;
}

/* --- Interviews --- */

static cJSON *phase_json(const struct case_phase_sum *p, enum case_phase phase)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "phase", case_phase_ids[phase]);
	add_number(o, "interviews", (double)p->n);
	add_number(o, "of", (double)p->of);
	add_number(o, "done", (double)p->done);
	if (phase == CASE_ESTIMATE)
		add_number(o, "within_5_percent", (double)p->better);
	add_number(o, "spent_s", (double)p->spent_ms / 1000);
	add_number(o, "planned_s", (double)p->planned_ms / 1000);
	add_number(o, "mean_mark", case_phase_mark(p));
	return o;
}

static cJSON *forgotten_json(const struct case_person *p)
{
	enum fact_kind kinds[N_FACT_KINDS];
	const size_t n = case_forgotten(p, kinds);
	cJSON *list = cJSON_CreateArray();
	for (size_t i = 0; i < n; i++) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddStringToObject(
			o, "kind", kinds[i] == FACT_OTHER ? "other" : fact_kind_ids[kinds[i]]);
		add_number(o, "must", (double)p->must[kinds[i]]);
		add_number(o, "forgotten", (double)(p->must[kinds[i]] - p->asked[kinds[i]]));
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

/* Nothing where a phase does not count or is not known. */
static void add_tally(cJSON *o, const struct case_result *r, enum case_phase phase, const char *of,
	const char *done)
{
	const struct case_tally t = case_tally_of(r, phase);
	if (!case_result_counts(r, phase))
		return;
	add_number(o, of, (double)t.of);
	add_number(o, done, (double)t.done);
}

static cJSON *result_json(const struct case_result *r)
{
	cJSON *o = cJSON_CreateObject(), *marks, *spent, *planned;
	cJSON_AddStringToObject(o, "case", r->id);
	cJSON_AddStringToObject(o, "level", case_level_names[r->level]);
	add_number(o, "at", (double)r->at_s);
	cJSON_AddBoolToObject(o, "over", r->over);
	add_tally(o, r, CASE_CLARIFY, "facts", "asked");
	add_tally(o, r, CASE_ESTIMATE, "numbers", "near");
	if (r->counts[CASE_ESTIMATE])
		add_number(o, "exact", (double)r->exact);
	add_number(o, "designs", (double)r->designs);
	add_tally(o, r, CASE_DESIGN, "goals", "goals_met");
	add_tally(o, r, CASE_TWIST, "twists", "twists_met");
	if (r->mark)
		add_number(o, "mark", r->mark);
	marks = cJSON_AddObjectToObject(o, "marks");
	spent = cJSON_AddObjectToObject(o, "spent_s");
	planned = cJSON_AddObjectToObject(o, "planned_s");
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		if (r->marks[i])
			add_number(marks, case_phase_ids[i], r->marks[i]);
		add_number(spent, case_phase_ids[i], (double)r->spent_ms[i] / 1000);
		add_number(planned, case_phase_ids[i], (double)r->planned_ms[i] / 1000);
	}
	return o;
}

static cJSON *person_json(const struct case_person *p, const struct interview_results *r)
{
	cJSON *o = cJSON_CreateObject(), *phases, *results, *next;
	char why[400];
	cJSON_AddStringToObject(o, "candidate", p->name);
	cJSON_AddBoolToObject(o, "given", p->given);
	add_number(o, "interviews", (double)p->n);
	add_number(o, "over", (double)p->n_over);
	phases = cJSON_AddArrayToObject(o, "phases");
	for (size_t i = 0; i < N_CASE_PHASES; i++)
		cJSON_AddItemToArray(phases, phase_json(&p->phases[i], (enum case_phase)i));
	cJSON_AddItemToObject(o, "forgotten", forgotten_json(p));
	results = cJSON_AddArrayToObject(o, "results");
	for (size_t i = 0; i < p->n; i++)
		cJSON_AddItemToArray(results, result_json(p->results[i]));
	const struct case_offer *offer = case_next(p, r->offers, r->n_offers, why, sizeof why);
	if (offer) {
		next = cJSON_AddObjectToObject(o, "next");
		cJSON_AddStringToObject(next, "case", offer->id);
		cJSON_AddStringToObject(next, "why", why);
	}
	return o;
}

cJSON *interviews_json(const struct case_stats *s, const struct interview_results *r)
{
	cJSON *o = cJSON_CreateObject();
	add_number(o, "unreadable", (double)r->unreadable);
	cJSON *people = cJSON_AddArrayToObject(o, "people");
	for (size_t i = 0; i < s->n_people; i++)
		cJSON_AddItemToArray(people, person_json(&s->people[i], r));
	return o;
}

/* Quoted where CSV asks for it. Control bytes, which a terminal might obey, become U+FFFD. */
static void put_field(const char *text, FILE *out)
{
	bool quoted = strpbrk(text, ",\"\r\n") != NULL;
	if (quoted)
		fputc('"', out);
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (c == '"')
			fputs("\"\"", out);
		else if ((c < 0x20 && c != '\n') || c == 0x7f)
			fputs("\xef\xbf\xbd", out);
		else
			fputc(c, out);
	}
	if (quoted)
		fputc('"', out);
}

/* An empty field for what is not known. */
static void put_number(double x, FILE *out)
{
	fputc(',', out);
	if (isfinite(x))
		fprintf(out, "%.15g", x);
}

static void group_csv(const struct stats_group *g, const char *kind, FILE *out)
{
	bool skill = strcmp(kind, "skill") == 0;
	fprintf(out, "%s,", kind);
	/* The column of topics has the names of other groups too: the first says which. */
	put_field(skill ? g->topic : strcmp(kind, "all") == 0 ? "" : g->name, out);
	fputc(',', out);
	put_field(skill ? g->name : "", out);
	fprintf(out, ",%zu,%zu,%zu", g->problems, g->answers, g->correct);
	put_number(g->credit, out);
	put_number(g->time_ratio, out);
	put_number(g->best_s, out);
	put_number(skill ? g->recall : NAN, out);
	put_number(skill ? (double)g->card.due_s : NAN, out);
	fputc('\n', out);
}

void stats_csv(const struct stats *s, FILE *out)
{
	fprintf(out, "group,topic,skill,problems,answers,correct,credit,median_time_over_par,"
		     "best_s,recall,due_at\n");
	group_csv(&s->total, "all", out);
	for (size_t i = 0; i < s->n_topics; i++)
		group_csv(&s->topics[i], "topic", out);
	for (size_t i = 0; i < s->n_rungs; i++)
		group_csv(&s->rungs[i], "rung", out);
	for (size_t i = 0; i < s->n_skills; i++)
		group_csv(&s->skills[i], "skill", out);
}

static void event_csv(const struct history_event *e, FILE *out)
{
	const char *texts[] = { e->drill, e->skill, e->topic };
	fprintf(out, "1,%" PRId64 ",%s", e->at_s, history_kind_names[e->kind]);
	for (size_t i = 0; i < 3; i++) {
		fputc(',', out);
		put_field(texts[i], out);
	}
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",", e->seed, e->part);
	put_field(e->given, out);
	put_number(e->value, out);
	fprintf(out, ",%s,%s", e->kind == HISTORY_ANSWER ? verdict_names[e->verdict] : "",
		e->used ? "true" : "false");
	put_number(e->credit, out);
	fputc(',', out);
	put_field(e->cause, out);
	fprintf(out, ",%u,%u,%s", e->hints, e->attempt, e->scratch ? "true" : "false");
	put_number(e->took_s, out);
	put_number(e->par_s, out);
	fputc(',', out);
	put_field(e->mode, out);
	fprintf(out, ",%u,%u\n", e->step, e->steps > 1 ? e->steps : 1);
}

void history_csv(const struct history *h, FILE *out)
{
	fprintf(out, "schema,at,kind,drill,skill,topic,seed,part,given,value,verdict,used,credit,"
		     "cause,hints,attempt,scratch,took_s,par_s,mode,step,steps\n");
	for (size_t i = 0; i < h->n; i++)
		event_csv(&h->events[i], out);
}

int history_export(const struct history *h, FILE *out)
{
	char line[HISTORY_LINE_SIZE];
	for (size_t i = 0; i < h->n; i++) {
		size_t n = history_line(&h->events[i], line, sizeof line);
		if (n == 0)
			return -1;
		fwrite(line, 1, n, out);
	}
	return 0;
}
