/* A record is typed once more, which says again what was said. */
#include "ui/commands/interviews_taken.h"

#include "ui/commands/export.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"
#include "ui/practice/case_lines.h"
#include "ui/practice/case_record.h"
#include "ui/practice/date_words.h"
#include "ui/practice/drill_summary.h"
#include "ui/practice/plain_text.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* --- The list --- */

/* Those in which something was typed, the latest first. */
struct taken {
	struct taken_record {
		char name[CASE_RECORD_NAME_SIZE];
		struct case_head head;
	} * list; /* from malloc */
	size_t n;
};

static int find(struct taken *t, FILE *err)
{
	size_t n;
	char(*names)[CASE_RECORD_NAME_SIZE] = case_files_all(&n);
	*t = (struct taken){ .list = calloc(n + 1, sizeof *t->list) };
	for (size_t i = 0; i < n && t->list; i++) {
		struct taken_record *r = &t->list[t->n];
		char *text = case_file_text(names[i]);
		const bool is = text && case_head_read(text, &r->head);
		if (!is)
			fprintf(err,
				"ridge interviews: sittings/%s: it does not begin as a record\n",
				names[i]);
		memcpy(r->name, names[i], sizeof r->name);
		t->n += is && r->head.typed;
		free(text);
	}
	free(names);
	if (!t->list)
		fprintf(err, "ridge interviews: out of memory\n");
	return t->list ? 0 : -1;
}

static cJSON *head_json(const struct case_head *h)
{
	cJSON *o = cJSON_CreateObject();
	char seed[24];
	snprintf(seed, sizeof seed, "%llu", (unsigned long long)h->seed);
	cJSON_AddStringToObject(o, "case", h->id);
	cJSON_AddStringToObject(o, "level", case_level_names[h->level]);
	cJSON_AddStringToObject(o, "seed", seed);
	cJSON_AddNumberToObject(o, "minutes", h->minutes);
	cJSON_AddNumberToObject(o, "at", (double)h->at_s);
	cJSON_AddNumberToObject(o, "clock_s", (double)h->clock_ms / 1000);
	cJSON_AddBoolToObject(o, "ended", h->ended);
	cJSON_AddBoolToObject(o, "with_interviewer", h->held);
	return o;
}

static int list_json(const struct taken *t, FILE *out)
{
	cJSON *root = cJSON_CreateObject();
	cJSON_AddNumberToObject(root, "schema", 1);
	cJSON *all = cJSON_AddArrayToObject(root, "taken");
	for (size_t i = 0; i < t->n; i++) {
		cJSON *o = head_json(&t->list[i].head);
		cJSON_AddNumberToObject(o, "number", (double)(i + 1));
		cJSON_AddItemToArray(all, o);
	}
	return json_print(root, out);
}

static int list(const struct taken *t, FILE *out)
{
	if (!t->n)
		fprintf(out, "No interviews taken yet: ridge drill --mode interview deals one, "
			     "ridge case lists them.\n");
	else
		fprintf(out, "     %-16s  %-26s %-10s %7s\n", "begun (UTC)", "case", "level",
			"clock");
	for (size_t i = 0; i < t->n; i++) {
		const struct case_head *h = &t->list[i].head;
		char date[32], at[32];
		fprintf(out, "%3zu  %-16s  %-26s %-10s %7s  %s\n", i + 1,
			moment_text(h->at_s, date, sizeof date), h->id, case_level_names[h->level],
			drill_clock_text(h->clock_ms, at, sizeof at),
			h->ended  ? "to its end"
			: h->held ? "with an interviewer"
				  : "left before its end");
	}
	return 0;
}

/* --- One of them --- */

static const char *const tone_names[] = { [TONE_YOU] = "you",
	[TONE_INTERVIEWER] = "interviewer",
	[TONE_FACT] = "fact",
	[TONE_GOOD] = "good",
	[TONE_BAD] = "bad",
	[TONE_SIMULATION] = "simulation",
	[TONE_HINT] = "hint",
	[TONE_HEADING] = "heading",
	[TONE_OUTCOME] = "outcome",
	[TONE_DEBRIEF] = "debrief" };

static int said_json(const struct case_head *h, const struct case_said *said, FILE *out)
{
	cJSON *root = head_json(h);
	cJSON_AddNumberToObject(root, "schema", 1);
	cJSON *all = cJSON_AddArrayToObject(root, "said");
	for (size_t i = 0; i < said->n; i++) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddStringToObject(o, "tone", tone_names[said->list[i].tone]);
		cJSON_AddStringToObject(o, "text", said->list[i].text);
		cJSON_AddItemToArray(all, o);
	}
	return json_print(root, out);
}

static int said_markdown(const struct case_said *said, FILE *out)
{
	for (size_t i = 0; i < said->n; i++) {
		const struct case_paragraph *p = &said->list[i];
		const bool you = p->tone == TONE_YOU, bold = you || p->tone == TONE_OUTCOME;
		fprintf(out, "%s%s", i ? "\n" : "",
			!i                        ? "# "
			: p->tone == TONE_HEADING ? "## "
			: bold                    ? "**"
						  : "");
		markdown_escape(you ? p->text + strspn(p->text, "> ") : p->text, out);
		fprintf(out, "%s\n", bold ? "**" : "");
	}
	return 0;
}

static int print(const struct taken_wish *w, const struct case_head *h,
	const struct case_said *said, FILE *out)
{
	if (w->json)
		return said_json(h, said, out);
	if (w->markdown)
		return said_markdown(said, out);
	case_lines_print(said, 0, out);
	return 0;
}

/* Deals the case of a record, and says again what was said. */
static int say_again(
	const struct taken_wish *w, const struct taken_record *r, const struct streams *io)
{
	struct tables t = { 0 };
	struct design_case c = { .id = NULL };
	struct case_sitting s = { .stage = 0 };
	char why[700] = "its record cannot be read", *text = case_file_text(r->name);
	size_t unreadable = 0;
	int rc = tables_load_for(&t, "ridge interviews", io->err);
	if (rc == 0 && text && case_load(&c, &t, r->head.id, why, sizeof why) == 0 &&
		case_sitting_begin(&s, &c, &t, r->head.seed, r->head.level, why, sizeof why) == 0) {
		struct case_talk talk;
		s.minutes = r->head.minutes;
		s.company = r->head.held ? CASE_HELD : CASE_ALONE;
		case_talk_begin(&talk, &s);
		case_replay(&talk, text, &unreadable);
		rc = print(w, &r->head, &talk.said, io->out);
		case_talk_release(&talk);
	} else if (rc == 0) {
		fprintf(io->err, "ridge interviews: sittings/%s: %s\n", r->name, why);
		rc = 1;
	}
	if (unreadable)
		fprintf(io->err, "ridge interviews: sittings/%s: %zu line%s cannot be read\n",
			r->name, unreadable, unreadable == 1 ? "" : "s");
	case_sitting_release(&s);
	case_release(&c);
	tables_release(&t);
	free(text);
	return rc ? 1 : 0;
}

int interviews_taken(const struct taken_wish *w, const struct streams *io)
{
	struct taken t;
	int rc;
	if (find(&t, io->err)) {
		rc = 1;
	} else if (!w->number) {
		rc = (w->json ? list_json : list)(&t, io->out) ? 1 : 0;
	} else if (w->number > t.n) {
		fprintf(io->err,
			"ridge interviews: there is no interview %zu that you took: %zu %s kept\n",
			w->number, t.n, t.n == 1 ? "is" : "are");
		rc = 2;
	} else {
		rc = say_again(w, &t.list[w->number - 1], io);
	}
	free(t.list);
	return rc;
}
