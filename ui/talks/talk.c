#include "ui/talks/talk.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"
#include "ui/data/content.h"
#include "ui/files/own_file.h"
#include "ui/live/live_headline.h"
#include "ui/talks/talk_run.h"
#include "ui/views/quantity_show.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOURS = 64, MOST_BYTES = 1 << 20 };

/* --- Where tours are --- */

/* The id in "tours/ID.md", in the arena of a static name: content_files are there for good. */
static bool id_of(const struct content_file *f, char *id, size_t size)
{
	static const char folder[] = "tours/";
	size_t n = strlen(f->name);
	if (strncmp(f->name, folder, strlen(folder)) != 0 || n < 9 ||
		strcmp(f->name + n - 3, ".md") != 0)
		return false;
	snprintf(id, size, "%.*s", (int)(n - strlen(folder) - 3), f->name + strlen(folder));
	return true;
}

size_t talk_list(char ids[][TOUR_ID_BYTES], size_t most)
{
	size_t n = 0;
	char id[TOUR_ID_BYTES];
	for (size_t i = 0; i < n_content_files; i++)
		if (id_of(&content_files[i], id, sizeof id) && n++ < most)
			memcpy(ids[n - 1], id, sizeof id);
	return n;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

size_t talk_list_own(char ids[][TOUR_ID_BYTES], size_t most)
{
	char path[OWN_PATH_SIZE];
	DIR *folder = own_path(OWN_DATA, "tours", path, sizeof path) ? opendir(path) : NULL;
	size_t n = 0;
	for (struct dirent *e; folder && n < most && (e = readdir(folder));) {
		size_t bytes = strlen(e->d_name);
		if (bytes > 3 && bytes - 3 < TOUR_ID_BYTES && e->d_name[0] != '.' &&
			strcmp(e->d_name + bytes - 3, ".md") == 0)
			snprintf(ids[n++], TOUR_ID_BYTES, "%.*s", (int)(bytes - 3), e->d_name);
	}
	if (folder)
		closedir(folder);
	qsort(ids, n, sizeof *ids, by_name);
	return n;
}

static int unknown_tour(const char *name, char *err, size_t err_size)
{
	static const char none[] = " (ridge present lists them)";
	char ids[MOST_TOURS][TOUR_ID_BYTES], hint[HINT_SIZE];
	const char *names[MOST_TOURS];
	size_t n = talk_list(ids, MOST_TOURS);
	n = n < MOST_TOURS ? n : MOST_TOURS;
	n += talk_list_own(ids + n, MOST_TOURS - n);
	for (size_t i = 0; i < n; i++)
		names[i] = ids[i];
	did_you_mean(name, names, n, hint, sizeof hint);
	snprintf(err, err_size, "no tour \"%.60s\"%s", name, *hint ? hint : none);
	return -1;
}

/* A name with a slash or an ending is a file; others are ridge's own tours, then the user's. */
static char *read_file(const char *name, size_t *bytes, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE], own[120];
	bool is_path = strchr(name, '/') || strstr(name, ".md");
	snprintf(own, sizeof own, "tours/%.80s.md", name);
	const char *at = is_path ? name : own_path(OWN_DATA, own, path, sizeof path);
	errno = ENOENT;
	char *text = at ? own_read(at, MOST_BYTES, NULL) : NULL;
	*bytes = text ? strlen(text) : 0;
	if (!text && !is_path && (errno == ENOENT || errno == ENOTDIR))
		unknown_tour(name, err, err_size);
	else if (!text)
		snprintf(err, err_size, "%.200s: %s", is_path ? name : own,
			errno == EINVAL ? "no file: expected a tour in Markdown"
					: own_read_error(MOST_BYTES, path, sizeof path));
	return text;
}

static void begin(struct talk *t)
{
	t->asked = arena_array(&t->arena, t->tour.n, sizeof *t->asked);
	t->captions = arena_array(&t->arena, t->tour.n, sizeof *t->captions);
	/* The file may give the talk another length than its steps add up to: each has its share. */
	talk_plan(t, t->tour.seconds);
	talk_go(t, 0);
}

int talk_open(
	struct talk *t, const struct tables *tables, const char *name, char *err, size_t err_size)
{
	char file[120];
	size_t bytes;
	void *owned = NULL;
	*t = (struct talk){ .tables = tables };
	snprintf(file, sizeof file, "tours/%.80s.md", name);
	const char *text = content_read(file, &bytes, &owned);
	if (!text)
		text = owned = read_file(name, &bytes, err, err_size);
	if (!text)
		return -1;
	char line[300];
	int rc = tour_read(&t->tour, name, text, bytes, &t->arena, line, sizeof line);
	free(owned);
	if (rc) {
		snprintf(err, err_size, "%.100s: %s", name, line);
		arena_release(&t->arena);
		return -1;
	}
	begin(t);
	return 0;
}

int talk_open_place(
	struct talk *t, const struct tables *tables, const char *place, char *err, size_t err_size)
{
	struct live live;
	char text[1400], id[1100];
	if (live_open_text(&live, tables, place, err, err_size))
		return -1;
	int n = snprintf(
		text, sizeof text, "# %s\n\n## `=why`\n\n```sim %s\n```\n", live.sim->title, place);
	live_release(&live);
	*t = (struct talk){ .tables = tables };
	snprintf(id, sizeof id, "@%s", place);
	if (n < 0 || (size_t)n >= sizeof text ||
		tour_read(&t->tour, id, text, (size_t)n, &t->arena, err, err_size)) {
		arena_release(&t->arena);
		return -1;
	}
	begin(t);
	return 0;
}

void talk_let_go(struct talk *t)
{
	if (t->live.sim)
		live_release(&t->live);
	t->live = (struct live){ .sim = NULL };
}

void talk_release(struct talk *t)
{
	talk_let_go(t);
	arena_release(&t->arena);
	*t = (struct talk){ .tables = NULL };
}

/* --- Steps --- */

const struct tour_step *talk_step(const struct talk *t)
{
	return &t->tour.steps[t->at];
}

struct tour_scene talk_scene(const struct talk *t)
{
	return (struct tour_scene){ .tables = t->tables,
		.now = t->live.sim ? &t->live.figure : NULL,
		.before = t->live.sim && t->live.has_pin ? &t->live.pinned : NULL };
}

bool talk_has_left(const struct talk *t)
{
	if (t->moves == TALK_SWEEPS)
		return false;
	for (size_t i = 0; t->live.sim && i < t->live.sim->n_knobs; i++)
		if (t->live.now.v[i] != t->script.v[i])
			return true;
	return false;
}

/* --- What is compared --- */

static void unpin(struct live *s)
{
	if (s->has_pin)
		figure_release(&s->pinned);
	s->has_pin = false;
}

static void pin_place(struct talk *t, const char *place, struct handed_on *ran)
{
	struct live was;
	char err[300];
	if (live_open_ran(&was, t->tables, place, ran, err, sizeof err))
		return;
	if (was.sim == t->live.sim) {
		t->live.has_pin = true;
		t->live.pin = was.now;
		t->live.pinned = was.figure;
		was.figure = (struct figure){ .subtitle = NULL };
	}
	live_release(&was);
}

/* On the script the step before, where it shows the same simulation; off it what the speaker has
 * turned away from. */
static void pin(struct talk *t, struct handed_on *ran)
{
	const struct tour_step *before = t->at ? &t->tour.steps[t->at - 1] : NULL;
	unpin(&t->live);
	if (t->off_script)
		pin_place(t, talk_step(t)->target, ran);
	else if (before && before->is_sim && !talk_step(t)->begins_anew)
		pin_place(t, before->target, ran);
}

bool talk_take_knob(struct talk *t, const char *id)
{
	struct live *s = &t->live;
	for (size_t i = 0; s->sim && i < s->sim->n_knobs; i++)
		if (strcmp(s->sim->knobs[i].id, id) == 0) {
			s->focus = (int)i;
			return true;
		}
	return false;
}

/* The knob that the step names is the one in hand, or the first that it moves. */
static void take_own_knob(struct talk *t)
{
	struct live *s = &t->live;
	const char *named = talk_step(t)->knob;
	s->focus = t->first_knob;
	for (size_t i = s->sim->n_knobs; i-- > 0;)
		if (s->has_pin && s->now.v[i] != s->pin.v[i])
			s->focus = (int)i;
	if (named)
		talk_take_knob(t, named);
	t->own_knob = s->focus;
}

/* --- Captions --- */

/* Whether a word of a label is one of those after which a number stands as it is: "a step takes 5 ms",
 * "with the fix 1.2x". */
static bool leads_to_number(const char *label)
{
	static const char *const words[] = { "takes", "says", "waits", "computes", "pays", "needs",
		"become", "ran", "found", "served", "sent", "kept", "paid", "spent", "held", "late",
		"needed", "reserved", "allocated", "with", "after", "at", "off", "to", "faster",
		"slower", "smaller", "less", "more" };
	for (const char *at = label; *at; at += strspn(at, " ,")) {
		size_t n = strcspn(at, " ,");
		for (size_t i = 0; i < LENGTH(words); i++)
			if (strlen(words[i]) == n && strncmp(at, words[i], n) == 0)
				return true;
		at += n;
	}
	return false;
}

/* "GPUs", "tiles a head", "weights and state", but not "goodness". */
static bool is_plural(const char *label)
{
	static const char *const ends[] = { " of ", " a ", " per ", " in ", " and ", " for ", "," };
	size_t n = strlen(label);
	for (size_t i = 0; i < LENGTH(ends); i++) {
		const char *end = strstr(label, ends[i]);
		n = end && (size_t)(end - label) < n ? (size_t)(end - label) : n;
	}
	return n > 1 && label[n - 1] == 's' && label[n - 2] != 's';
}

/* What stands between a label and its number. */
static const char *verb_of(const struct value *v)
{
	struct unit unit, s;
	const bool time =
		unit_parse(v->unit, &unit) && unit_parse("s", &s) && unit_same_dimension(&unit, &s);
	if (leads_to_number(v->label))
		return " ";
	return !is_plural(v->label) ? " is " : time ? " take " : " are ";
}

/* "GPU H100 SXM → B200 HGX: a step takes 50.5 ms". */
static void say_of_turn(struct talk *t)
{
	const struct value *hero = talk_hero(t);
	char turns[300], number[64];
	live_differences(&t->live, turns, sizeof turns);
	snprintf(t->caption, sizeof t->caption, "%s: %s%s%s", turns, hero->label, verb_of(hero),
		quantity_show(number, sizeof number, hero->value, hero->unit));
}

/* The words of the script are about its own setting: of another one the figure speaks. Its sentence is
 * about its first part, and may be silent about this turn; then it is said what was turned, and what
 * the number is that stands large. */
static void say_of_figure(struct talk *t)
{
	const struct live *s = &t->live;
	const char *was = s->has_pin ? s->pinned.why : NULL;
	const bool news =
		talk_part(t) == s->figure.blocks[0] && !(was && strcmp(was, s->figure.why) == 0);
	if (news || !talk_hero(t) || !s->has_pin)
		snprintf(t->caption, sizeof t->caption, "%s", s->figure.why);
	else
		say_of_turn(t);
}

void talk_turned(struct talk *t)
{
	const bool was_off = t->off_script;
	t->off_script = talk_has_left(t);
	if (t->off_script != was_off)
		pin(t, NULL);
	if (t->off_script && t->live.figure.why) {
		say_of_figure(t);
		return;
	}
	struct tour_scene s = talk_scene(t);
	char err[sizeof t->trouble] = "";
	if (tour_caption(&s, talk_step(t)->caption, t->caption, sizeof t->caption, err, sizeof err))
		snprintf(t->trouble, sizeof t->trouble, "%s", err);
}

static void keep_asked(struct talk *t)
{
	if (!t->asked)
		return;
	t->asked[t->at].answered = t->answered;
	memcpy(t->asked[t->at].votes, t->votes, sizeof t->votes);
}

void talk_back(struct talk *t)
{
	talk_go(t, t->at ? t->at - 1 : 0);
	if (!t->asked)
		return;
	t->answered = t->asked[t->at].answered;
	memcpy(t->votes, t->asked[t->at].votes, sizeof t->votes);
}

void talk_ask_again(struct talk *t)
{
	unsigned votes[TOUR_OPTIONS];
	memcpy(votes, t->votes, sizeof votes);
	talk_go(t, t->at);
	memcpy(t->votes, votes, sizeof votes);
}

/* The figure of the step and that of the one before: going on, the latter is what is on the screen now. */
static void open_step(struct talk *t)
{
	const struct tour_step *s = talk_step(t);
	struct handed_on ran;
	live_hand_on(&t->live, &ran);
	talk_let_go(t);
	if (s->is_sim &&
		live_open_ran(&t->live, t->tables, s->target, &ran, t->trouble, sizeof t->trouble))
		t->live = (struct live){ .sim = NULL };
	if (t->live.sim) {
		t->script = t->live.now;
		t->first_knob = t->live.focus;
		pin(t, &ran);
		take_own_knob(t);
		talk_rest(t);
	}
	handed_on_release(&ran);
}

void talk_go(struct talk *t, size_t step)
{
	assert(t->tour.n > 0);
	keep_asked(t);
	t->at = step < t->tour.n ? step : t->tour.n - 1;
	t->off_script = t->answered = t->guessed = false;
	t->moves = TALK_STILL;
	t->beat = 0;
	memset(t->votes, 0, sizeof t->votes);
	t->trouble[0] = '\0';
	open_step(t);
	talk_turned(t);
	if (t->captions)
		memcpy(t->captions[t->at], t->caption, sizeof t->caption);
}

const char *talk_caption(struct talk *t, size_t step)
{
	assert(step < t->tour.n);
	const char *typed = t->tour.steps[step].caption;
	if (t->captions && *t->captions[step])
		return t->captions[step];
	if (!strchr(typed, '`'))
		return typed;
	talk_go(t, step);
	return t->caption;
}

void talk_return(struct talk *t)
{
	if (!t->live.sim)
		return;
	if (t->off_script || talk_has_left(t)) {
		t->live.now = t->script;
		t->live.stale = true;
		t->live.playing = false;
		t->moves = TALK_STILL;
		live_update(&t->live);
		talk_turned(t);
	}
	take_own_knob(t);
}

void talk_follow(struct talk *t, const char *place)
{
	struct live other;
	char err[300];
	if (!*place || !t->live.sim) {
		talk_return(t);
		return;
	}
	if (live_open_text(&other, t->tables, place, err, sizeof err))
		return;
	if (other.sim == t->live.sim) {
		t->live.now = other.now;
		t->live.stale = true;
		live_update(&t->live);
		talk_turned(t);
	}
	live_release(&other);
}

void talk_plan(struct talk *t, double seconds)
{
	double sum_s = 0;
	for (size_t i = 0; i < t->tour.n; i++)
		sum_s += t->tour.steps[i].seconds;
	for (size_t i = 0; i < t->tour.n; i++)
		t->tour.steps[i].seconds *= seconds / sum_s;
	t->tour.seconds = seconds;
}

void talk_drop_notes(struct talk *t)
{
	for (size_t i = 0; i < t->tour.n; i++)
		t->tour.steps[i].notes = "";
}

bool talk_asks(const struct talk *t)
{
	return talk_step(t)->n_options > 0 && !t->answered;
}

bool talk_answer(struct talk *t)
{
	if (!talk_step(t)->n_options || t->answered)
		return false;
	t->answered = true;
	return true;
}

int talk_guess(struct talk *t, const char *text, char *err, size_t err_size)
{
	const struct value *hero = talk_hero(t);
	if (!hero) {
		snprintf(err, err_size, "This question is about no number.");
		return -1;
	}
	if (quantity_read(text, hero->unit, &t->guess, err, err_size))
		return -1;
	t->guessed = true;
	talk_answer(t);
	return 0;
}

/* How far a guess is off: in times, where a quotient says anything. */
static void miss(double guess, double is, char *buf, size_t size)
{
	const double close = 0.05;
	buf[0] = '\0';
	if (guess == is || (is != 0 && fabs(guess / is - 1) <= close))
		snprintf(buf, size, ", as you said");
	else if (guess > 0 && is > guess)
		snprintf(buf, size, ", %.3g times as much", is / guess);
	else if (guess > 0 && is > 0)
		snprintf(buf, size, ", and you said %.3g times as much", guess / is);
}

char *talk_guessed(const struct talk *t, char *buf, size_t size)
{
	const struct value *hero = talk_hero(t);
	char guess[64], is[64], off[64];
	buf[0] = '\0';
	if (!t->guessed || !t->answered || !hero || t->off_script || t->moves == TALK_SWEEPS)
		return buf;
	miss(t->guess, hero->value, off, sizeof off);
	snprintf(buf, size, "You said %s. On the screen: %s %s%s.",
		quantity_show(guess, sizeof guess, t->guess, hero->unit), hero->label,
		quantity_show(is, sizeof is, hero->value, hero->unit), off);
	return buf;
}

char *talk_believed(const struct talk *t, char *buf, size_t size)
{
	const struct value *hero = talk_hero(t);
	const struct tour_step *s = talk_step(t);
	const struct tour_scene scene = talk_scene(t);
	size_t used = 0;
	buf[0] = '\0';
	if (!t->answered || !hero || t->off_script || t->moves == TALK_SWEEPS)
		return buf;
	for (size_t i = 0; i < s->n_options && used < size; i++) {
		char number[64], err[300];
		double value;
		if (!s->beliefs[i] || tour_number(&scene, s->beliefs[i], &value, err, sizeof err))
			continue;
		used += (size_t)snprintf(buf + used, size - used, "%s%c%s %s", used ? ", " : "",
			(char)('A' + i), used ? "" : " would be",
			quantity_show(number, sizeof number, value, hero->unit));
	}
	if (used > 0 && used + 1 < size)
		strcpy(buf + used, ".");
	return buf;
}

const struct value *talk_hero(const struct talk *t)
{
	const struct figure *fig = &t->live.figure;
	const char *id = talk_step(t)->hero;
	if (!t->live.sim || !fig->n_values)
		return NULL;
	if (id)
		return figure_find(fig, id);
	for (size_t i = 0; t->live.has_pin && i < fig->n_values; i++) {
		const struct value *was = figure_find(&t->live.pinned, fig->values[i].id);
		if (was && was->value != fig->values[i].value)
			return &fig->values[i];
	}
	return &fig->values[0];
}

const struct block *talk_part(const struct talk *t)
{
	const struct figure *fig = &t->live.figure;
	const char *show = talk_step(t)->show;
	char id[64];
	for (size_t i = 0; t->live.sim && i < fig->n_blocks; i++)
		if (!show || strcmp(tour_part_id(fig->blocks[i], id, sizeof id), show) == 0)
			return fig->blocks[i];
	return NULL;
}

static size_t rows_of(const struct block *part)
{
	return part->kind == BLOCK_BARS       ? part->as.bars.n_bars
	       : part->kind == BLOCK_TIMELINE ? part->as.timeline.n_lanes
	       : part->kind == BLOCK_PLOT     ? part->as.plot.n_series
					      : 0;
}

static const char *row_name(const struct block *part, size_t i)
{
	const char *name = part->kind == BLOCK_BARS       ? part->as.bars.bars[i].label
			   : part->kind == BLOCK_TIMELINE ? part->as.timeline.lane_names[i]
							  : part->as.plot.series[i].name;
	return name ? name : "";
}

size_t talk_rows_shown(const struct talk *t, const struct block *part)
{
	const char *until = talk_step(t)->until;
	const size_t n = rows_of(part);
	for (size_t i = 0; until && i < n; i++)
		if (strcmp(until, row_name(part, i)) == 0)
			return i + 1;
	return until ? 0 : n;
}

/* The spans of the lanes that are left. */
static void *keep_spans(struct timeline *lanes)
{
	struct span *spans = malloc((lanes->n_spans + 1) * sizeof *spans);
	size_t n = 0;
	for (size_t i = 0; spans && i < lanes->n_spans; i++)
		if (lanes->spans[i].lane < lanes->n_lanes)
			spans[n++] = lanes->spans[i];
	lanes->spans = spans;
	lanes->n_spans = n;
	return spans;
}

static bool is_curve(const struct series *s)
{
	return s->style == SERIES_LINE || s->style == SERIES_STEP || s->style == SERIES_AREA;
}

/* The point of the only curve where the knob stands that moves along the axis; NULL: the plot marks points
 * of its own, has several curves, or no point there. */
static const struct point *reached(const struct plot *p)
{
	const struct point *at = NULL;
	size_t curves = 0;
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];
		curves += is_curve(s);
		if (s->style == SERIES_POINTS || curves > 1)
			return NULL;
		for (size_t k = 0; !at && is_curve(s) && k < s->n; k++)
			if (s->points[k].x == p->x.knob_at && isfinite(s->points[k].y))
				at = &s->points[k];
	}
	return p->x.knob ? at : NULL;
}

/* Marks it, so that nobody has to look up from the axis. */
static void *mark_reached(struct plot *p)
{
	const struct point *at = reached(p);
	struct marked {
		struct point point;
		struct series series[];
	} *m = at ? malloc(sizeof *m + (p->n_series + 1) * sizeof *m->series) : NULL;
	if (!m)
		return NULL;
	m->point = (struct point){ .x = at->x, .y = at->y };
	memcpy(m->series, p->series, p->n_series * sizeof *m->series);
	m->series[p->n_series] = (struct series){ .style = SERIES_POINTS,
		.meaning = MEANS_FOCUS,
		.unlisted = true,
		.points = &m->point,
		.n = 1,
		.cap = 1 };
	p->series = m->series;
	p->n_series++;
	return m;
}

void *talk_shown(const struct talk *t, const struct block *part, struct block *out)
{
	const size_t n = talk_rows_shown(t, part);
	const bool ends = talk_step(t)->until && n > 0;
	*out = block_with_name(part);
	if (part->kind == BLOCK_BARS && ends)
		out->as.bars.n_bars = n;
	if (part->kind == BLOCK_PLOT && ends)
		out->as.plot.n_series = n;
	if (part->kind == BLOCK_TIMELINE && ends) {
		out->as.timeline.n_lanes = n;
		out->as.timeline.without = 0; /* those of lanes that are not shown are among them */
	}
	return part->kind == BLOCK_PLOT               ? mark_reached(&out->as.plot)
	       : part->kind == BLOCK_TIMELINE && ends ? keep_spans(&out->as.timeline)
						      : NULL;
}
