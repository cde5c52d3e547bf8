/* Everything is gathered when it opens. Each letter scores all names anew and sorts them, and then
 * adds the passages in the pages that match. */
#include "ui/shell/palette.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/base/minmax.h"
#include "sims/formulas/formula.h"
#include "sims/formulas/formula_text.h"
#include "sims/quantity/quantity.h"
#include "sims/registry/registry.h"
#include "ui/term/keys.h"
#include "ui/term/overlay.h"
#include "ui/term/pane.h"
#include "ui/data/options.h"
#include "ui/data/own_inputs.h"
#include "ui/live/action.h"
#include "ui/live/setting_words.h"
#include "ui/pages/search.h"
#include "ui/shell/app.h"
#include "ui/shell/bindings.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What stands in the list only as long as nothing is typed: it is in it under its own name as
 * well. */
static const char kind_next[] = "next", kind_recent[] = "recent";

enum { MOST_TOPICS = 32, SPACIOUS = 20 /* rows of the body: a blank one under the line */ };

static struct palette_entry *add_row(struct palette *p, const char *kind, const char *name,
	const char *about, const char *id, enum palette_does does)
{
	if (p->n_entries == p->cap_entries)
		return NULL;
	struct palette_entry *e = &p->entries[p->n_entries++];
	*e = (struct palette_entry){ kind, arena_text(&p->arena, name),
		arena_text(&p->arena, about), arena_text(&p->arena, id), does, { ACT_NONE } };
	return e;
}

void palette_add(struct palette *p, const char *kind, const char *name, const char *about,
	const char *target)
{
	add_row(p, kind, name, about, target, PALETTE_OPENS);
}

/* "chapter 11, 38 min": its id, by which it is found as well, says what its title does. */
static void add_page(struct app *app, struct palette *p, const struct page_info *page)
{
	const int minutes = app_page_minutes(app, page);
	palette_add(p, "page", page->title,
		page->chapter >= 0
			? arena_printf(&p->arena, "chapter %d, %d min", page->chapter, minutes)
		: minutes ? arena_printf(&p->arena, "%d min", minutes)
			  : "to look up",
		arena_printf(&p->arena, "page:%s", page->id));
}

static void add_pages(struct app *app, struct palette *p)
{
	for (size_t i = 0; i < app->pages.n; i++)
		add_page(app, p, &app->pages.pages[i]);
	if (app_screen(app)->list)
		app_screen(app)->list(app, p);
}

/* "page › section", or just the page for a line above its first section. */
static const char *place_of(struct palette *p, const char *page, const char *section)
{
	return section && strcmp(section, page) != 0
		       ? arena_printf(&p->arena, "%s › %s", page, section)
		       : page;
}

static void add_bookmarks(struct app *app, struct palette *p)
{
	for (size_t i = 0; i < app->progress->n_bookmarks; i++) {
		const struct bookmark *b = &app->progress->bookmarks[i];
		const struct page_info *page = page_list_find(&app->pages, b->page);
		char spot[256];
		if (page)
			palette_add(p, "bookmark",
				place_of(p, page->title,
					search_section(&p->arena, page, b->spot.anchor)),
				b->text,
				arena_printf(&p->arena, "page:%s",
					page_spot_write(b->page, &b->spot, spot, sizeof spot)));
	}
}

/* What one can do here first: what the footer has, but for moving about and leaving. */
static bool is_first(const struct app *app, const struct key_binding *b)
{
	const struct screen *s = app_screen(app);
	switch (b->action) {
	case ACT_ENTER:
	case ACT_DOWN:
	case ACT_LEFT:
	case ACT_NEXT:
	case ACT_PALETTE:
	case ACT_BACK:
	case ACT_QUIT:
		return false;
	default:
		return b->footer && (!s->acts || s->acts(app, b->action));
	}
}

static void add_actions(struct app *app, struct palette *p, bool first)
{
	for (size_t i = 0; i < n_key_bindings; i++) {
		const struct key_binding *b = &key_bindings[i];
		char key[16];
		bool known = false;
		for (size_t j = 0; j < i && !known; j++)
			known = key_bindings[j].action == b->action && key_bindings[j].help &&
				(key_bindings[j].screens & (1u << app->screen));
		if (!b->help || known || !(b->screens & (1u << app->screen)) ||
			is_first(app, b) != first)
			continue;
		struct palette_entry *e =
			add_row(p, "key", b->help, key_text(b->key, key, sizeof key),
				b->footer ? b->footer : "", PALETTE_ACTS);
		if (e)
			e->as.action = b->action;
	}
}

static const char *name_of(const struct drill_bank *bank, const char *topic)
{
	for (size_t i = 0; i < bank->n; i++)
		if (strcmp(bank->drills[i].topic, topic) == 0)
			return bank->drills[i].topic_name;
	return topic;
}

/* A chain has its subject, and what it leads up to. */
static void add_chains(struct palette *p, const struct drill_bank *bank)
{
	const char *chains[MOST_CHAINS];
	size_t n = bank_chains(bank, chains, MOST_CHAINS);
	for (size_t i = 0; i < n; i++) {
		const struct drill *drills[MOST_CHAIN];
		size_t links = bank_chain(bank, chains[i], drills);
		palette_add(p, "drill",
			arena_printf(&p->arena, "Chain: %s", chains[i] + strlen("chain-")),
			arena_printf(&p->arena, "%zu problems, the last %s", links,
				drills[links - 1]->title),
			arena_printf(&p->arena, "drill:%s", chains[i]));
	}
}

/* Every case by its title: what it is about is matched too. */
static void add_cases(struct palette *p, const struct case_list *l)
{
	for (size_t i = 0; l && i < l->n; i++)
		palette_add(p, "case", l->cases[i].title,
			arena_printf(&p->arena, "design interview, %s", l->cases[i].area),
			arena_printf(&p->arena, "case:%s", l->cases[i].id));
}

/* "memory, 3 min": its topic and its par, begun minutes as whole ones. */
static void add_problem(struct palette *p, const struct drill *d)
{
	palette_add(p, "problem", d->title,
		arena_printf(&p->arena, "%s, %.0f min", d->topic_name, ceil(d->par_s / 60)),
		arena_printf(&p->arena, "drill:%s", d->id));
}

static void add_drills(
	struct palette *p, const struct drill_bank *bank, const struct case_list *cases)
{
	const char *topics[MOST_TOPICS];
	size_t n = bank_topics(bank, topics, MOST_TOPICS);
	palette_add(p, "drill", "Drill: a mixed set", "drill", "drill");
	palette_add(p, "drill", "Drill: study", "a mixed set without a clock", "drill mode=study");
	palette_add(p, "drill", "Drill: review what is due", "review", "drill mode=review");
	palette_add(p, "drill", "Drill: sprint", "as many as you can against the clock",
		"drill mode=sprint");
	palette_add(p, "drill", "Placement: where to begin",
		"twelve problems, each of another chapter: which to read", "drill mode=placement");
	palette_add(p, "interview", "Interview: take one",
		"practice interview: 45 minutes at a design case", "drill mode=interview");
	palette_add(p, "interview", "Interview: give one", "the interviewer's desk", "interviewer");
	palette_add(p, "case", "Design cases", "interviews that a simulation judges", "case");
	add_cases(p, cases);
	palette_add(p, "calendar", "Calendar: until an interview",
		"what to read, drill and present each day", "calendar");
	palette_add(
		p, "answers", "Your answers: statistics", "what you know, what is due", "stats");
	for (size_t i = 0; i < n; i++)
		palette_add(p, "drill",
			arena_printf(&p->arena, "Drill: %s", name_of(bank, topics[i])),
			"a set on one topic", arena_printf(&p->arena, "drill:%s", topics[i]));
	add_chains(p, bank);
	for (size_t i = 0; i < bank->n; i++)
		add_problem(p, &bank->drills[i]);
}

/* What only a shell does: whoever looks for it here learns that it is there, and its name. */
static void add_commands(struct palette *p)
{
	for (int i = 0; i < N_COMMANDS; i++) {
		struct palette_entry *e = add_row(
			p, "command", commands[i].name, commands[i].summary, "", PALETTE_TELLS);
		if (e)
			e->as.command = i;
	}
}

static void add_tours(struct app *app, struct palette *p)
{
	for (size_t i = 0; i < app->tours.n; i++) {
		const struct tour_info *t = &app->tours.tours[i];
		palette_add(p, t->talk ? "talk" : "tour", t->title,
			t->talk ? arena_printf(&p->arena, "%d min", t->minutes)
				: arena_printf(&p->arena, "%d min, %s", t->minutes,
					  sim_find(t->id)->title),
			arena_printf(&p->arena, "present:%s", t->id));
	}
}

/* The knobs of the simulation in hand, by their names: Enter goes to one. */
static void add_knobs(struct palette *p, const struct live *s)
{
	for (size_t i = 0; s && i < s->sim->n_knobs; i++) {
		const struct knob *k = &s->sim->knobs[i];
		char value[96];
		struct palette_entry *e = add_row(p, "knob", k->label,
			knob_format(k, s->tables, s->now.v[i], value, sizeof value), k->id,
			PALETTE_GOES);
		if (e)
			e->as.knob = (int)i;
	}
}

/* Where one goes from a simulation: to the page that explains it, and through its tour. */
static void add_next(struct app *app, struct palette *p)
{
	const struct live *s = app_live(app);
	const struct page_info *page =
		s && s->sim->page ? page_list_find(&app->pages, s->sim->page) : NULL;
	if (page)
		palette_add(p, kind_next, page->title, "explains this simulation",
			arena_printf(&p->arena, "page:%s", page->id));
	for (size_t i = 0; s && i < app->tours.n; i++)
		if (strcmp(app->tours.tours[i].id, s->sim->id) == 0)
			palette_add(p, kind_next, app->tours.tours[i].title,
				arena_printf(
					&p->arena, "its tour, %d min", app->tours.tours[i].minutes),
				arena_printf(&p->arena, "present:%s", s->sim->id));
}

/* What a target names, without its settings or its spot; NULL: nothing that is here. */
static const char *title_of(const struct app *app, const char *target)
{
	const char *colon = strchr(target, ':'); /* none in "case", the list */
	char id[sizeof app->behind.places->name] = "";
	if (colon)
		snprintf(id, sizeof id, "%.*s", (int)strcspn(colon + 1, " #"), colon + 1);
	if (strncmp(target, "sim:", 4) == 0)
		return sim_find(id) ? sim_find(id)->title : NULL;
	const struct page_info *page = page_list_find(&app->pages, id);
	return page ? page->title : NULL;
}

/* The last simulations and pages that one came by, the newest first. */
static void add_recent(struct app *app, struct palette *p)
{
	enum { MOST_RECENT = 4 };
	const size_t from = p->n_entries;
	for (size_t i = app->behind.n; i-- > 0 && p->n_entries < from + MOST_RECENT;) {
		const struct place *at = &app->behind.places[i];
		const struct screen *screen = app->screens[at->screen];
		char target[sizeof at->name + 8] = "";
		if (screen->target)
			screen->target(at, target, sizeof target);
		const char *title = *target ? title_of(app, target) : NULL;
		bool known = title == NULL;
		for (size_t k = from; k < p->n_entries; k++)
			known |= strcmp(p->entries[k].id, target) == 0;
		const char *setting = strchr(target, ' ');
		if (!known)
			palette_add(p, kind_recent, title, setting ? setting + 1 : "", target);
	}
}

static bool make_room(struct palette *p, size_t n)
{
	p->entries = arena_array(&p->arena, n, sizeof *p->entries);
	p->matches = arena_array(&p->arena, n, sizeof *p->matches);
	p->cap_entries = p->entries && p->matches ? n : 0;
	return p->cap_entries > 0;
}

static void gather_all(struct app *app, struct palette *p)
{
	enum { FIXED_LISTED_AND_HITS = 1024 }; /* a page has some fifty sections */
	static const struct drill_bank none = { 0 };
	const struct case_list *cases = app_cases(app);
	char err[256];
	const struct drill_bank *bank = app_tables(app) ? app_bank(app, err, sizeof err) : &none;
	if (!bank) {
		app_say(app, "%s", err);
		bank = &none;
	}
	if (!make_room(p, FIXED_LISTED_AND_HITS + bank->n + app->pages.n + n_sims + n_formulas +
				  app->tours.n + n_key_bindings + N_COMMANDS +
				  app->progress->n_bookmarks + (cases ? cases->n : 0)))
		return;
	add_next(app, p);
	add_recent(app, p);
	add_knobs(p, app_live(app));
	/* Simulations come before pages: where a page and a simulation share a name, the bare name means
	 * the simulation, as it does everywhere. */
	for (size_t i = 0; i < n_sims; i++)
		palette_add(p, "simulation", sims[i]->title, sim_briefs[i],
			arena_printf(&p->arena, "sim:%s", sims[i]->id));
	add_pages(app, p);
	add_bookmarks(app, p);
	add_drills(p, bank, cases);
	add_tours(app, p);
	for (size_t i = 0; i < n_formulas; i++)
		palette_add(p, "formula", formulas[i].title, formulas[i].id,
			arena_printf(&p->arena, "formula:%s", formulas[i].id));
	add_actions(app, p, true);
	add_actions(app, p, false);
	add_commands(p);
}

static bool chooses(const struct palette *p)
{
	return p->n_names > 0 && p->entries[0].does == PALETTE_CHOOSES;
}

static void gather_choices(const struct live *s, struct palette *p)
{
	const struct knob *k = &s->sim->knobs[s->focus];
	size_t n = knob_choices(k, s->tables);
	p->prompt = arena_printf(&p->arena, "%s = ", k->label);
	if (own_file_of(k))
		p->nothing = arena_printf(
			&p->arena, "no such name; Enter reads %s of that path", own_file_of(k));
	if (!make_room(p, n))
		return;
	for (size_t i = 0; i < n; i++) {
		const char *id = knob_choice(k, s->tables, i);
		char name[96];
		knob_format(k, s->tables, (double)i, name, sizeof name);
		struct palette_entry *e = add_row(
			p, "", name, strcasecmp(name, id) == 0 ? "" : id, id, PALETTE_CHOOSES);
		if (e)
			e->as.choice = (int)i;
	}
}

/* In a talk a number alone is a step. */
static bool is_step(const char *typed, const struct palette_entry *e)
{
	static const char step[] = "step ";
	size_t n = strspn(typed, "0123456789");
	return n > 0 && !typed[n] && strcmp(e->kind, "step") == 0 &&
	       strncmp(e->about, step, sizeof step - 1) == 0 &&
	       strncmp(e->about + sizeof step - 1, typed, n) == 0 &&
	       e->about[sizeof step - 1 + n] == ' ';
}

/* "Drill" is the whole name of "Drill: study", as of each that begins so, and what begins it begins a short
 * name: "place" is the placement sooner than places for copies. */
static int name_score(const char *typed, const char *name)
{
	char head[64];
	const char *colon = strstr(name, ": ");
	const int score = match_letters(typed, name);
	if (!colon || (size_t)(colon - name) >= sizeof head)
		return score;
	snprintf(head, sizeof head, "%.*s", (int)(colon - name), name);
	const bool begins = *typed && strncasecmp(typed, head, strlen(typed)) == 0;
	return begins ? match_letters(typed, head) : score;
}

/* A match in the title or the id counts in full ("sim:memory" is told from "page:memory" by its
 * prefix); a match in the description counts half. */
static int entry_score(const char *typed, const struct palette_entry *e)
{
	enum { THE_STEP = 1000 };
	const char *colon = strchr(typed, ':') ? NULL : strchr(e->id, ':');
	if (is_step(typed, e))
		return THE_STEP;
	int score = name_score(typed, e->name), about = match_letters(typed, e->about) / 2;
	int id = *e->id ? match_letters(typed, colon ? colon + 1 : e->id) : 0;
	score = about > score ? about : score;
	return id > score ? id : score;
}

/* What one of several words is worth, wherever it is found; 0: nowhere, or only letter by letter. */
static int part_score(const char *word, const struct palette_entry *e)
{
	enum { BY_LETTERS = 16 };
	const int score = entry_score(word, e);
	return score > BY_LETTERS ? score : 0;
}

/* Several words of which a name has some and what is behind it the others: "checkpoint interval" is the formula
 * young_interval, the best time between checkpoints. Of three and more, most are enough where `most`. */
static int parts_score(const struct query *q, const struct palette_entry *e, bool most)
{
	int total = 0;
	size_t found = 0;
	for (size_t i = 0; i < q->n; i++) {
		char word[64];
		snprintf(word, sizeof word, "%.*s", (int)q->words[i].n, q->words[i].text);
		const int score = part_score(word, e);
		if (!score && !most)
			return 0;
		total += score;
		found += score > 0;
	}
	const size_t enough = most ? q->n - q->n / QUERY_MOST : q->n;
	return q->n > 1 && found >= enough ? total : 0;
}

/* A heading of the open page may already be listed because its name matched. */
static bool is_listed(const struct palette *p, const char *target)
{
	for (size_t i = 0; i < p->n_matches; i++)
		if (strcmp(p->entries[p->matches[i]].id, target) == 0)
			return true;
	return false;
}

/* Passages in the pages' text that match, listed after the names: where one stands comes before what it says,
 * "Inference › The KV cache". */
static void add_text_hits(struct palette *p, const struct page_list *pages)
{
	enum { HITS = 10, LEAST_LETTERS = 3 };
	struct search_result r;
	if (p->line.bytes < LEAST_LETTERS || search_texts(&r, pages, p->line.text, HITS))
		return;
	for (size_t i = 0; i < r.n && p->n_matches < p->cap_entries; i++) {
		const struct search_hit *hit = &r.hits[i];
		size_t before = p->n_entries;
		if (is_listed(p, hit->target))
			continue;
		if (strcmp(hit->kind, "text") == 0)
			palette_add(p, hit->kind, place_of(p, hit->name, hit->section), hit->line,
				hit->target);
		else
			palette_add(p, hit->kind, hit->line, hit->name, hit->target);
		if (p->n_entries > before)
			p->matches[p->n_matches++] = before;
	}
	search_release(&r);
}

/* Keeps the best first, of equal ones those that come first in the lists. */
static void insert(struct palette *p, int scores[], size_t entry, int score)
{
	size_t at = p->n_matches++;
	while (at > 0 && scores[at - 1] < score) {
		scores[at] = scores[at - 1];
		p->matches[at] = p->matches[at - 1];
		at--;
	}
	scores[at] = score;
	p->matches[at] = entry;
}

/* --- "present" and "notes" --- */

/* The verb that is typed, and what follows it in *name. */
static enum palette_verb verb_of(const char *typed, const char **name)
{
	static const char *const verbs[] = { [VERB_PRESENT] = "present", [VERB_NOTES] = "notes" };
	for (int v = VERB_PRESENT; v <= VERB_NOTES; v++) {
		size_t n = strlen(verbs[v]);
		if (strncasecmp(typed, verbs[v], n) == 0 && (!typed[n] || typed[n] == ' ')) {
			*name = typed + n + strspn(typed + n, " ");
			return (enum palette_verb)v;
		}
	}
	return VERB_NONE;
}

/* What is presented just now, by the place that would be kept: "queueing 2", "@roofline batch=8". False:
 * nothing is. */
static bool is_presented(const struct app *app, char *what, size_t size)
{
	static const char prefix[] = "present:";
	char target[sizeof app->progress->place] = "";
	long scroll;
	if (app_screen(app)->kept)
		app_screen(app)->kept(app, target, sizeof target, &scroll);
	bool presented = strncmp(target, prefix, strlen(prefix)) == 0;
	snprintf(what, size, "%s", presented ? target + strlen(prefix) : "");
	return presented;
}

/* The id of the talk that is given, or of the simulation in hand, whose tour has the same; "": there is
 * neither. */
static void id_here(const struct app *app, char *id, size_t size)
{
	const struct live *s = app_live(app);
	if (is_presented(app, id, size) && *id != '@')
		id[strcspn(id, " ")] = '\0';
	else
		snprintf(id, size, "%s", s ? s->sim->id : "");
}

static const char *tour_id(const struct palette_entry *e)
{
	bool tour = strcmp(e->kind, "talk") == 0 || strcmp(e->kind, "tour") == 0;
	return tour ? strchr(e->id, ':') + 1 : NULL;
}

/* What is on the screen, or what to do where nothing is. Returns the entry, if
 * there was room for it; else as many as there are. */
static size_t add_shown(struct app *app)
{
	struct palette *p = &app->palette;
	const struct live *s = app_live(app);
	size_t at = p->n_entries;
	const char *name = s ? arena_printf(&p->arena, "What is on the screen: %s", s->sim->title)
			     : "No simulation is on this screen: open one, or choose a talk";
	return add_row(p, "present", name, s ? "as the key P does" : "", "", PALETTE_PRESENTS)
		       ? at
		       : p->n_entries;
}

/* Talks and tours alone; without a name what is on the screen and the tour of that come first. */
static void match_tours(struct app *app, const char *name)
{
	enum { LISTED = 1, OF_HERE, SHOWN };
	struct palette *p = &app->palette;
	int scores[PALETTE_MOST_MATCHED] = { 0 };
	char here[sizeof app->progress->place];
	if (p->verb == VERB_PRESENT && !*name && !is_presented(app, here, sizeof here)) {
		size_t shown = add_shown(app);
		if (shown < p->n_entries)
			insert(p, scores, shown, SHOWN);
	}
	id_here(app, here, sizeof here);
	for (size_t i = 0; i < p->n_names && p->n_matches < PALETTE_MOST_MATCHED; i++) {
		const struct palette_entry *e = &p->entries[i];
		const char *id = tour_id(e);
		if (!id)
			continue;
		int score = max_int(match_letters(name, e->name), match_letters(name, id));
		if (!*name)
			score = strcmp(id, here) == 0 ? OF_HERE : LISTED;
		if (score > 0)
			insert(p, scores, i, score);
	}
}

/* --- "batch=128 gpu=h100" --- */

/* How many letters and digits of a known name begin as those of a typed one do, of which there are n bytes: blanks and
 * signs between do not count, nor do capitals. -1: the typed name goes on differently. left: how many more it has. */
static int same_letters(const char *typed, size_t n, const char *known, int *left)
{
	int same = 0;
	*left = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isalnum((unsigned char)typed[i]))
			continue;
		while (*known && !isalnum((unsigned char)*known))
			known++;
		if (tolower((unsigned char)typed[i]) != tolower((unsigned char)*known))
			return -1;
		known++;
		same++;
	}
	for (; *known; known++)
		*left += isalnum((unsigned char)*known) != 0;
	return same;
}

/* Whether a label ends in these words: "max batch" is a batch, and "batch timeout" is a timeout. What is counted of each,
 * "batches a worker", is not it. */
static bool ends_in(const char *label, const char *typed, size_t n)
{
	int left;
	if (strstr(label, " a ") || strstr(label, " per "))
		return false;
	for (const char *word = strchr(label, ' '); word; word = strchr(word + 1, ' '))
		if (same_letters(typed, n, word + 1, &left) > 1 && left == 0)
			return true;
	return false;
}

/* The knob that so many bytes name, by its id, or else as the screen has it, "Micro batches" for micro_batches; or the
 * only one whose label ends so; or the only one whose name begins so. NULL: none, or several. */
static const struct knob *knob_named(const struct live *s, const char *typed, size_t n)
{
	const struct knob *begins = NULL, *ends = NULL, *labelled = NULL;
	size_t n_begin = 0, n_end = 0;
	for (size_t k = 0; k < s->sim->n_knobs; k++) {
		const struct knob *knob = &s->sim->knobs[k];
		int of_id, of_label;
		const int id = same_letters(typed, n, knob->id, &of_id),
			  label = same_letters(typed, n, knob->label, &of_label);
		if (id > 0 && of_id == 0)
			return knob;
		if (label > 0 && of_label == 0)
			labelled = knob;
		if (id > 1 || label > 1) {
			begins = knob;
			n_begin++;
		}
		if (ends_in(knob->label, typed, n)) {
			ends = knob;
			n_end++;
		}
	}
	return labelled ? labelled : n_end == 1 ? ends : n_begin == 1 ? begins : NULL;
}

/* The simulation in hand whose knobs are named; NULL: a place with its settings, as on the command
 * line. */
static struct live *turned_by(struct app *app, const char *text)
{
	struct live *s = app_live(app);
	const size_t first = strcspn(text, " "), name = strcspn(text, "=");
	return s && text[name] && (name < first || knob_named(s, text, name)) ? s : NULL;
}

/* What the knobs would be. A knob is named by its id or, first in the line, as the screen has it: "loader
 * workers=4". 0; or -1 and what cannot be read. */
static int read_setting(
	const struct live *s, const char *text, double v[MAX_KNOBS], char *err, size_t err_size)
{
	struct setting_words w;
	char by_id[600];
	const size_t name = strcspn(text, "=");
	const struct knob *knob = text[name] ? knob_named(s, text, name) : NULL;
	snprintf(by_id, sizeof by_id, "%s%s", knob ? knob->id : "", text + (knob ? name : 0));
	memcpy(v, s->now.v, sizeof s->now.v);
	if (setting_words(&w, by_id, err, err_size))
		return -1;
	for (size_t i = 0; i < w.n; i++)
		if (sim_read_setting(s->sim, s->tables, w.words[i], v, err, err_size))
			return -1;
	return 0;
}

/* All of them, or none where one cannot be read: then false. */
static bool set_knobs(struct live *s, const char *text)
{
	double v[MAX_KNOBS];
	char err[300];
	if (read_setting(s, text, v, err, sizeof err))
		return false;
	for (size_t k = 0; k < s->sim->n_knobs; k++)
		if (v[k] != s->now.v[k]) {
			live_set(s, (int)k, v[k]);
			s->focus = (int)k;
		}
	return true;
}

/* "loader workers 2 -> 8, GPU A100-80 SXM -> B200 HGX". */
static const char *turns_text(struct palette *p, const struct live *s, const double v[])
{
	const char *all = "";
	for (size_t k = 0; k < s->sim->n_knobs; k++) {
		const struct knob *knob = &s->sim->knobs[k];
		char from[64], to[64];
		if (v[k] == s->now.v[k])
			continue;
		knob_format(knob, s->tables, s->now.v[k], from, sizeof from);
		knob_format(knob, s->tables, v[k], to, sizeof to);
		all = arena_printf(
			&p->arena, "%s%s%s %s → %s", all, *all ? ", " : "", knob->label, from, to);
	}
	return *all ? all : "nothing: it is so already";
}

/* What Enter would do, in the only row: the line is no search, but, as on the command line, a place with
 * its settings, "drill topic=kv-cache", or, without a place, settings of the simulation in hand. */
static void match_setting(struct app *app)
{
	struct palette *p = &app->palette;
	const struct live *s = turned_by(app, p->line.text);
	const char *name = p->line.text, *kind = "open";
	double v[MAX_KNOBS];
	char err[300];
	if (s && read_setting(s, p->line.text, v, err, sizeof err)) {
		kind = "";
		name = err;
	} else if (s) {
		kind = "set";
		name = turns_text(p, s, v);
	}
	size_t at = p->n_entries;
	if (add_row(p, kind, name, "", p->line.text, s ? PALETTE_SETS : PALETTE_OPENS))
		p->matches[p->n_matches++] = at;
}

/* "gpu h100": a knob and what it may be, without a sign between, is a setting before it is a search. */
static void match_knob_and_value(struct app *app)
{
	struct palette *p = &app->palette;
	const struct live *s = app_live(app);
	double v[MAX_KNOBS];
	char setting[600], err[300];
	for (size_t n = strlen(p->line.text); s && n-- > 1;) {
		const char *value = p->line.text + n + 1;
		const struct knob *knob =
			p->line.text[n] == ' ' && *value ? knob_named(s, p->line.text, n) : NULL;
		if (!knob)
			continue;
		snprintf(setting, sizeof setting, "%s=%s", knob->id, value);
		if (read_setting(s, setting, v, err, sizeof err))
			continue;
		const size_t at = p->n_entries;
		if (p->n_matches < p->cap_entries &&
			add_row(p, "set", turns_text(p, s, v), "",
				arena_printf(&p->arena, "%s", setting), PALETTE_SETS)) {
			memmove(p->matches + 1, p->matches, p->n_matches * sizeof *p->matches);
			p->matches[0] = at;
			p->n_matches++;
		}
		return;
	}
}

/* --- All --- */

/* How an entry is matched: by what is typed as it stands, by words that are found apart, by most of
 * them. */
enum how_matched { BY_TEXT, BY_PARTS, BY_MOST_PARTS };

static int score_of(const struct palette *p, const struct query *q, size_t i, enum how_matched how)
{
	const struct palette_entry *e = &p->entries[i];
	const bool again = e->kind == kind_next || e->kind == kind_recent;
	if (!p->line.text[0])
		return how == BY_TEXT;
	return again            ? 0
	       : how == BY_TEXT ? entry_score(p->line.text, e)
				: parts_score(q, e, how == BY_MOST_PARTS);
}

/* Each way takes what those before it have left: it is worth less than they are, and the last counts only where
 * they found nothing. */
static void match_all(struct app *app)
{
	enum { A_WAY = 1 << 20 };
	struct palette *p = &app->palette;
	const struct query q = query_of(p->line.text);
	int scores[PALETTE_MOST_MATCHED];
	bool taken[PALETTE_MOST_MATCHED] = { false };
	for (enum how_matched how = BY_TEXT; how <= BY_MOST_PARTS; how++) {
		if (how > BY_TEXT && (!p->searches || q.n < 2 || strchr(p->line.text, ':')))
			break; /* "sim:kvcache" is one name */
		if (how == BY_MOST_PARTS && (p->n_matches || q.n < QUERY_MOST))
			break;
		for (size_t i = 0; i < p->n_entries && i < PALETTE_MOST_MATCHED; i++) {
			const int score = taken[i] ? 0 : score_of(p, &q, i, how);
			taken[i] |= score > 0;
			if (score > 0)
				insert(p, scores, i, score + (int)(BY_MOST_PARTS - how) * A_WAY);
		}
	}
	if (p->searches)
		add_text_hits(p, &app->pages);
}

static void match(struct app *app)
{
	struct palette *p = &app->palette;
	const char *name = "";
	p->n_matches = 0;
	p->row = 0;
	p->n_entries = p->n_names; /* drop the rows made for an earlier text */
	p->verb = p->searches ? verb_of(p->line.text, &name) : VERB_NONE;
	if (p->verb != VERB_NONE)
		match_tours(app, name);
	else if (p->searches && strchr(p->line.text, '='))
		match_setting(app);
	else {
		match_all(app);
		if (p->searches)
			match_knob_and_value(app);
	}
}

static struct palette *begin(struct app *app, const char *prompt)
{
	palette_close(&app->palette);
	app->palette.open = true;
	app->palette.prompt = prompt;
	return &app->palette;
}

static void list_all(struct app *app)
{
	app->palette.n_names = app->palette.n_entries;
	match(app);
}

void palette_open(struct app *app)
{
	struct palette *p = begin(app, ": ");
	p->searches = true;
	gather_all(app, p);
	list_all(app);
}

void palette_open_bookmarks(struct app *app)
{
	if (!app->progress->n_bookmarks) {
		app_say(app, "No bookmarks yet: on a page, B sets one.");
		return;
	}
	struct palette *p = begin(app, "bookmarks: ");
	if (make_room(p, app->progress->n_bookmarks))
		add_bookmarks(app, p);
	list_all(app);
}

void palette_open_here(struct app *app, const char *prompt, size_t most)
{
	struct palette *p = begin(app, prompt);
	if (make_room(p, most) && app_screen(app)->list)
		app_screen(app)->list(app, p);
	list_all(app);
}

void palette_open_choices(struct app *app)
{
	const struct live *s = app_live(app);
	assert(s);
	gather_choices(s, begin(app, ""));
	list_all(app);
	app->palette.row = (size_t)s->now.v[s->focus];
}

void palette_close(struct palette *p)
{
	arena_release(&p->arena);
	*p = (struct palette){ 0 };
}

/* As the key P does on a simulation; a figure of a page can be presented as well. */
static void present_shown(struct app *app)
{
	const struct live *s = app_live(app);
	char setting[900], target[960];
	if (!s) {
		app_say(app,
			"No simulation is on this screen. Open one and press P, or name a tour or "
			"a talk: :present queueing.");
		return;
	}
	snprintf(target, sizeof target, "present:@%s", live_setting(s, setting, sizeof setting));
	app_go_to(app, target);
}

static void tell_command(struct app *app, int command)
{
	const struct command *c = &commands[command];
	app_say(app, "In a shell: ridge %s%s%s. ridge %s --help says more.", c->name,
		*c->words ? " " : "", c->words, c->name);
}

/* "present roofline gpu=h100" is a setting to be presented; "present mine" may be a talk of one's own,
 * which no list has. False: it is neither. */
static bool do_as_typed(struct app *app)
{
	struct palette *p = &app->palette;
	const char *name = "";
	char target[600];
	const enum palette_verb verb = p->searches ? verb_of(p->line.text, &name) : VERB_NONE;
	const bool setting = verb == VERB_PRESENT && strchr(name, '=');
	const bool own = verb != VERB_NONE && *name && !p->n_matches && !strchr(name, ' ');
	if (!setting && !own)
		return false;
	snprintf(target, sizeof target, "%s:%s%s", verb == VERB_NOTES ? "notes" : "present",
		setting ? "@" : "", name);
	palette_close(p);
	app_go_to(app, target);
	return true;
}

/* A path that is no choice of the knob in focus: the simulation is opened anew with that file, so
 * that whatever counts on rows of the tables is as after a start. False: the knob takes none, or
 * the line says nothing. */
static bool open_with_file(struct app *app)
{
	const struct palette *p = &app->palette;
	const struct live *s = app_live(app);
	char setting[480], target[800];
	if (!s || !chooses(p) || p->row < p->n_matches || !*p->line.text)
		return false;
	const struct sim *sim = s->sim;
	const int focus = s->focus;
	const struct knob *k = &sim->knobs[focus];
	if (!own_file_of(k) || !own_config_is_path(p->line.text))
		return false;
	snprintf(target, sizeof target, "%s %s=%s", live_setting(s, setting, sizeof setting), k->id,
		p->line.text);
	palette_close(&app->palette);
	app_go_to(app, target);
	struct live *opened = app_live(app);
	if (opened && opened->sim == sim)
		opened->focus = focus;
	return true;
}

static void choose(struct app *app)
{
	struct palette *p = &app->palette;
	struct live *s = app_live(app);
	char target[600];
	if (do_as_typed(app))
		return;
	if (open_with_file(app))
		return;
	if (p->row >= p->n_matches)
		return; /* nothing matches: what was typed stays and can be corrected */
	const struct palette_entry e = p->entries[p->matches[p->row]];
	const char *colon = strchr(e.id, ':');
	if (p->verb == VERB_NOTES && colon)
		snprintf(target, sizeof target, "notes%s", colon);
	else
		snprintf(target, sizeof target, "%s", e.id);
	if (e.does == PALETTE_SETS && !(s && set_knobs(s, target)))
		return; /* the row says what is wrong, and the line can be corrected */
	palette_close(p);
	switch (e.does) {
	case PALETTE_OPENS:
		app_go_to(app, target);
		break;
	case PALETTE_ACTS:
		app_do(app, e.as.action);
		break;
	case PALETTE_CHOOSES:
		if (s)
			live_set(s, s->focus, e.as.choice);
		break;
	case PALETTE_GOES:
		if (s)
			s->focus = e.as.knob;
		break;
	case PALETTE_PRESENTS:
		present_shown(app);
		break;
	case PALETTE_SETS: /* is done */
		break;
	case PALETTE_TELLS:
		tell_command(app, e.as.command);
		break;
	}
}

void palette_key(struct app *app, uint32_t key)
{
	struct palette *p = &app->palette;
	switch (key) {
	case KEY_ESC:
		palette_close(p);
		return;
	case KEY_ENTER_:
		choose(app);
		return;
	case KEY_UP_:
	case KEY_BACKTAB_:
	case KEY_CTRL_P:
		p->row -= p->row > 0;
		return;
	case KEY_DOWN_:
	case KEY_TAB:
		p->row += p->row + 1 < p->n_matches;
		return;
	default:
		break;
	}
	const size_t bytes = p->line.bytes;
	entry_edit(&p->line, key);
	if (p->line.bytes != bytes) /* a cursor that moves leaves the row in focus */
		match(app);
}

/* Where what is said of the entries begins: behind the longest name, as far as names are short. */
static int about_col(const struct palette *p, size_t first, int shown, int cols)
{
	int widest = 0;
	for (int i = 0; i < shown && first + (size_t)i < p->n_matches; i++) {
		const struct palette_entry *e = &p->entries[p->matches[first + (size_t)i]];
		int width = text_width(e->name);
		if (e->does != PALETTE_ACTS && width <= cols * 2 / 5)
			widest = max_int(widest, width);
	}
	return widest;
}

/* What is said of an entry, in its column and cut there; behind a name that reaches into the column, and where
 * the column is too narrow, right behind the name, as a passage always is. A formula is shown in its symbols.
 * (It is not found by them: "tokens" is in most of them.) */
static void draw_about(
	const struct pane *line, int column, int behind, const struct palette_entry *e)
{
	enum { LEAST = 16 };
	char symbols[512] = "= ";
	const struct formula *f =
		strcmp(e->kind, "formula") == 0 ? formula_find(strchr(e->id, ':') + 1) : NULL;
	const char *text = f ? symbols : e->about;
	if (f)
		formula_symbols(
			f, line->cv->glyphs == GLYPHS_ASCII, symbols + 2, sizeof symbols - 2);
	const int cols = text_cols(text, line->cv->glyphs), room = line->r.cols - column;
	const bool runs = strcmp(e->kind, "text") == 0;
	const int at = runs || room < min_int(cols, LEAST) ? behind : column;
	if (line->r.cols - at >= min_int(cols, LEAST))
		pane_words(line, 0, at, -1, text, STYLE_DIM, 0);
}

/* What of a name was typed, in bold: each word, wherever it stands in it. */
static void draw_typed(const struct pane *line, int col, const char *name, const char *typed)
{
	enum { LEAST = 2 };
	for (const char *word = typed; *word;) {
		const size_t n = strcspn(word, " ");
		for (const char *at = name; n >= LEAST && *at; at++) {
			char before[256], piece[64];
			if (strncasecmp(at, word, n) != 0)
				continue;
			snprintf(before, sizeof before, "%.*s", (int)(at - name), name);
			snprintf(piece, sizeof piece, "%.*s", (int)n, at);
			pane_text(line, 0, col + text_width(before), -1, piece, STYLE_PLAIN,
				ATTR_BOLD);
		}
		word += n + (word[n] == ' ');
	}
}

/* kind: what the entry is, "" where that stands above it already, NULL where all are the same. What is said of an entry stands in
 * a column of its own, or right behind the name where there is no room for it there; a key stands at
 * the right end. */
static void draw_entry(const struct pane *line, const struct palette_entry *e, const char *kind,
	int about, const char *typed, bool here)
{
	enum { KIND = 2, NAME = 14, BETWEEN = 2 };
	const enum style style = here ? STYLE_ACCENT : STYLE_PLAIN;
	const unsigned attr = here ? ATTR_BOLD : 0;
	const int name = kind && *e->kind ? NAME : KIND;
	pane_text(line, 0, 0, 2, here ? "▸" : " ", STYLE_ACCENT, ATTR_BOLD);
	if (kind)
		pane_text(line, 0, KIND, NAME - KIND, kind, STYLE_DIM, 0);
	if (e->does == PALETTE_ACTS) {
		const int key = text_width(e->about);
		pane_words(
			line, 0, name, line->r.cols - name - key - BETWEEN, e->name, style, attr);
		pane_fit_right(
			line, 0, name, line->r.cols - name, e->about, STYLE_PLAIN, ATTR_BOLD);
		return;
	}
	const int used = pane_words(line, 0, name, -1, e->name, style, attr);
	/* A name that was cut shows other letters at its end. */
	if (!here && used == text_width(e->name))
		draw_typed(line, name, e->name, typed);
	/* Of entries that are all of a kind their places say nothing more. */
	if (kind || e->does == PALETTE_CHOOSES)
		draw_about(line, name + max_int(used, about) + BETWEEN, name + used + BETWEEN, e);
}

static struct rect box_of(const struct palette *p, struct rect r, int spared)
{
	enum { MOST_COLS = 120, FULL = 98, CHOICES_COLS = 56, LINE_AND_EDGES = 3, CRUMBS = 8 };
	enum { LEAST = 3 };
	const int room = max_int(PALETTE_SHOWN, r.rows / 2);
	const int whole = r.rows - LINE_AND_EDGES - (r.rows >= SPACIOUS), hits = (int)p->n_matches;
	/* As high as what was found, where the window has all of it. */
	const int shown = chooses(p) || !p->searches       ? min_int((int)p->n_names, room)
			  : p->line.bytes && hits <= whole ? max_int(hits, LEAST)
							   : room;
	const int most = chooses(p) ? CHOICES_COLS : MOST_COLS;
	/* Crumbs of what is behind at its sides would only disturb. A wider window has no narrower list. */
	const int full = min_int(most, FULL);
	const int cols =
		r.cols <= full ? r.cols : min_int(most, max_int(full, r.cols - 2 * CRUMBS));
	return overlay_place(r, shown + LINE_AND_EDGES + (r.rows >= SPACIOUS), cols, spared);
}

/* What is typed, and at the right end how much of all it matches. */
static void draw_line(const struct palette *p, struct canvas *cv, struct rect r)
{
	static const char ask[] = "a few letters: page, formula, problem, key";
	char found[64], all[24], some[24];
	number_write(all, sizeof all, (double)max_int((int)p->n_names, (int)p->n_matches), 4);
	number_write(some, sizeof some, (double)p->n_matches, 4);
	if (p->line.bytes)
		snprintf(found, sizeof found, "%s of %s", some, all);
	else
		snprintf(found, sizeof found, "%s in all", all);
	int used = canvas_text(cv, r.row, r.col, r.cols, p->prompt, STYLE_ACCENT, ATTR_BOLD);
	int room = r.cols - used - text_width(found) - 2;
	const bool counted = room >= r.cols / 2;
	entry_draw(&p->line, cv, r.row, r.col + used, counted ? room : r.cols - used, ATTR_BOLD);
	if (counted)
		canvas_text_right(cv, r.row, r.col, r.cols, found, STYLE_DIM, 0);
	if (p->searches && !p->line.bytes && text_width(ask) + 2 <= room)
		canvas_text(cv, r.row, r.col + used + 2, -1, ask, STYLE_DIM, 0);
}

/* In the lower edge, how many rows come after those in sight. */
static void draw_more(const struct palette *p, struct canvas *cv, struct rect edge, size_t seen)
{
	char text[48], n[24];
	if (seen >= p->n_matches)
		return;
	snprintf(text, sizeof text, " ↓ %s more ",
		number_write(n, sizeof n, (double)(p->n_matches - seen), 4));
	canvas_text_right(cv, edge.row, edge.col, edge.cols, text, STYLE_ACCENT, 0);
}

void palette_draw(const struct palette *p, struct canvas *cv, struct rect r)
{
	/* The list of a knob's choices spares the knob. */
	const int spared = chooses(p) ? overlay_spot(cv, r) : -1;
	overlay_dim(cv, r, spared);
	const struct rect box = box_of(p, r, spared);
	/* Beside it there are only the ends of rows. */
	if (p->searches)
		canvas_fill(
			cv, (struct rect){ box.row, r.col, box.rows, r.cols }, ' ', STYLE_PLAIN, 0);
	const struct rect in = overlay_box(cv, box, p->searches ? "Go to anything" : "");
	const int top = r.rows >= SPACIOUS && in.rows > 3 ? 2 : 1, shown = in.rows - top;
	draw_line(p, cv, in);
	if (p->n_matches == 0)
		canvas_text(cv, in.row + top, in.col + 2, in.cols - 2,
			p->nothing ? p->nothing : "nothing matches: fewer letters, or another word",
			STYLE_DIM, 0);
	size_t first = p->row >= (size_t)shown ? p->row - (size_t)shown + 1 : 0;
	const int about = about_col(p, first, shown, in.cols);
	const char *group = "";
	for (int i = 0; i < shown && first + (size_t)i < p->n_matches; i++) {
		const struct palette_entry *e = &p->entries[p->matches[first + (size_t)i]];
		const char *kind = !p->searches ? NULL : strcmp(e->kind, group) == 0 ? "" : e->kind;
		group = e->kind;
		bool here = first + (size_t)i == p->row;
		struct pane line =
			pane_of(cv, (struct rect){ in.row + top + i, in.col, 1, in.cols });
		draw_entry(&line, e, kind, about, p->line.text, here);
	}
	draw_more(p, cv, (struct rect){ box.row + box.rows - 1, in.col, 1, in.cols },
		first + (size_t)shown);
}

static bool sets(const struct palette *p)
{
	return p->row < p->n_matches && p->entries[p->matches[p->row]].does == PALETTE_SETS;
}

/* The only row says what cannot be read, which Enter would not change. */
static bool is_wrong(const struct palette *p)
{
	return sets(p) && !*p->entries[p->matches[p->row]].kind;
}

void palette_draw_keys(const struct palette *p, struct canvas *cv, struct rect r)
{
	static const char *const keys[][2] = { { "Enter", "open" }, { "Up Down", "move" },
		{ "Esc", "close" } };
	int col = r.col;
	for (size_t i = is_wrong(p) ? 1 : 0; i < LENGTH(keys); i++) {
		const char *does = i == 0 && chooses(p) ? "choose"
				   : i == 0 && sets(p)  ? "set"
							: keys[i][1];
		col += canvas_text(cv, r.row, col, -1, keys[i][0], STYLE_PLAIN, ATTR_BOLD) + 1;
		col += canvas_text(cv, r.row, col, -1, does, STYLE_DIM, 0) + 3;
	}
}
