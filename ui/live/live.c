#include "ui/live/live.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/base/minmax.h"
#include "sims/quantity/quantity.h"
#include "sims/registry/registry.h"
#include "sims/registry/sim_run_into.h"
#include "ui/live/kept_axes.h"
#include "ui/live/knob_list.h"
#include "ui/live/live_run.h"
#include "ui/live/setting_words.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Finds the switches that tables of the present figure turn, in their order. */
static void find_rows(struct live *s)
{
	s->n_rows = 0;
	for (size_t i = 0; s->has_rows && i < s->figure.n_blocks; i++) {
		const struct block *b = s->figure.blocks[i];
		for (size_t k = 0; b->kind == BLOCK_TABLE && k < b->as.table.n_turns; k++) {
			const char *id = table_knob(&b->as.table, k);
			int knob = id ? sim_knob_index(s->sim, id) : -1;
			if (knob >= 0 && !memchr(s->rows, knob, (size_t)s->n_rows))
				s->rows[s->n_rows++] = (unsigned char)knob;
		}
	}
}

/* Runs the simulation with a setting, into a figure that is replaced. */
static void run(const struct live *s, const struct setting *at, struct figure *fig)
{
	figure_release(fig);
	sim_run_into(s->sim, s->tables, at->v, fig);
}

/* A first look, which leaves out what takes long. */
static void look(struct live *s)
{
	figure_release(&s->figure);
	s->figure.hurried = true;
	sim_run_into(s->sim, s->tables, s->now.v, &s->figure);
	s->unfinished = s->figure.unfinished;
}

/* The present setting into an empty figure, asking whether to go on. False: it was told not to, and
 * there is no figure. */
static bool run_patiently(const struct live *s, struct figure *fig)
{
	*fig = (struct figure){ .go_on = s->go_on, .go_on_context = s->go_on_context };
	sim_run_into(s->sim, s->tables, s->now.v, fig);
	if (!fig->unfinished)
		return true;
	figure_release(fig);
	return false;
}

static int refuse_name(const char *name, char *err, size_t err_size)
{
	const char *ids[64];
	char hint[HINT_SIZE];
	assert(n_sims <= LENGTH(ids));
	for (size_t i = 0; i < n_sims; i++)
		ids[i] = sims[i]->id;
	did_you_mean(name, ids, n_sims, hint, sizeof hint);
	snprintf(err, err_size, "no simulation \"%.40s\"%s", name,
		*hint ? hint : " (ridge sim lists them)");
	return -1;
}

struct knob_story live_story(const struct live *s)
{
	return (struct knob_story){ s->sim, s->shown, s->n_shown, s->rows, s->n_rows };
}

/* The knobs of "knobs=zero,gpus". */
static int read_shown(struct live *s, const char *text, char *err, size_t err_size)
{
	char names[256], *rest = NULL;
	snprintf(names, sizeof names, "%s", text);
	for (char *w = strtok_r(names, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
		int knob = sim_knob_index(s->sim, w);
		if (knob < 0) {
			snprintf(err, err_size, "knobs: %s has no knob \"%.40s\"", s->sim->id, w);
			return -1;
		}
		if (memchr(s->shown, knob, (size_t)s->n_shown)) {
			snprintf(err, err_size, "knobs: \"%.40s\" stands there twice", w);
			return -1;
		}
		if (s->n_shown == MOST_STORY) {
			snprintf(err, err_size,
				"knobs: at most %d knobs, and \"%.40s\" is one more", MOST_STORY,
				w);
			return -1;
		}
		s->shown[s->n_shown++] = (unsigned char)knob;
	}
	return 0;
}

static bool same_setting(const struct live *s, const struct setting *a, const struct setting *b)
{
	for (size_t i = 0; i < s->sim->n_knobs; i++)
		if (a->v[i] != b->v[i])
			return false;
	return true;
}

/* --- Figures that are handed on --- */

void live_hand_on(struct live *s, struct handed_on *h)
{
	*h = (struct handed_on){ .n = 0 };
	/* Behind a turn the axes are those of the figures before it (keep_axes). */
	if (!s->sim || s->stale || s->unfinished || s->n_undo || s->previous.n_values)
		return;
	h->figures[h->n++] = (struct ran){ s->sim, s->now, s->figure };
	if (s->has_pin)
		h->figures[h->n++] = (struct ran){ s->sim, s->pin, s->pinned };
	s->figure = s->pinned = (struct figure){ 0 };
	s->has_pin = false;
}

void handed_on_release(struct handed_on *h)
{
	while (h->n)
		figure_release(&h->figures[--h->n].figure);
}

/* Whether one of them is of the setting in s, whose figure it is from now on. */
static bool take_over(struct live *s, struct handed_on *h)
{
	for (size_t i = 0; h && i < h->n; i++) {
		struct ran *r = &h->figures[i];
		if (r->sim != s->sim || !same_setting(s, &r->at, &s->now))
			continue;
		s->figure = r->figure;
		*r = h->figures[--h->n];
		return true;
	}
	return false;
}

/* How a simulation is opened: with a first look only, or with figures that were handed on. */
struct opening {
	bool hurried;
	struct handed_on *ran;
};

static int open_with(struct live *s, const struct tables *t, const char *name,
	const char *const settings[], size_t n, struct opening how, char *err, size_t err_size)
{
	const struct sim *sim = sim_find(name);
	if (!sim)
		return refuse_name(name, err, err_size);
	struct setting v = { { 0 } };
	const char *at = NULL, *shown = NULL;
	sim_defaults(sim, t, v.v);
	for (size_t i = 0; i < n; i++)
		if (strncmp(settings[i], "at=", 3) == 0)
			at = settings[i] + 3;
		else if (strncmp(settings[i], "knobs=", 6) == 0)
			shown = settings[i] + 6;
		else if (sim_read_setting(sim, t, settings[i], v.v, err, err_size))
			return -1;
	*s = (struct live){
		.sim = sim, .tables = t, .now = v, .before = v, .changed = -1, .playhead_s = NAN
	};
	if (shown && read_shown(s, shown, err, err_size))
		return -1;
	int order[MAX_KNOBS];
	struct knob_story story = live_story(s);
	knob_order(&story, order);
	s->focus = order[0];
	if (how.hurried)
		look(s);
	else if (!take_over(s, how.ran))
		run(s, &s->now, &s->figure);
	if (!at || run_read_time(s, at, err, err_size) == 0)
		return 0;
	live_release(s);
	return -1;
}

int live_open(struct live *s, const struct tables *t, const char *name,
	const char *const settings[], size_t n, char *err, size_t err_size)
{
	return open_with(s, t, name, settings, n, (struct opening){ .ran = NULL }, err, err_size);
}

int live_open_hurried(struct live *s, const struct tables *t, const char *name,
	const char *const settings[], size_t n, char *err, size_t err_size)
{
	return open_with(
		s, t, name, settings, n, (struct opening){ .hurried = true }, err, err_size);
}

int live_open_text(
	struct live *s, const struct tables *t, const char *text, char *err, size_t err_size)
{
	return live_open_ran(s, t, text, NULL, err, err_size);
}

int live_open_ran(struct live *s, const struct tables *t, const char *text, struct handed_on *ran,
	char *err, size_t err_size)
{
	struct setting_words w;
	if (setting_words(&w, text, err, err_size))
		return -1;
	if (w.n == 0) {
		snprintf(err, err_size, "expected the name of a simulation");
		return -1;
	}
	return open_with(s, t, w.words[0], w.words + 1, w.n - 1, (struct opening){ .ran = ran },
		err, err_size);
}

void live_take_rows(struct live *s)
{
	int order[MAX_KNOBS];
	s->has_rows = true;
	find_rows(s);
	struct knob_story story = live_story(s);
	knob_order(&story, order);
	s->focus = order[0];
	/* Who opens a setting of somebody's wants to see what that shows. */
	struct setting usual = { { 0 } };
	sim_defaults(s->sim, s->tables, usual.v);
	s->rows_unseen = same_setting(s, &s->now, &usual);
}

const struct table *live_table_of(const struct live *s, int knob, size_t *block)
{
	const char *id = s->sim->knobs[knob].id;
	for (size_t i = 0; s->has_rows && i < s->figure.n_blocks; i++) {
		const struct block *b = s->figure.blocks[i];
		for (size_t k = 0; b->kind == BLOCK_TABLE && k < b->as.table.n_turns; k++) {
			const char *turned = table_knob(&b->as.table, k);
			if (!turned || strcmp(turned, id) != 0)
				continue;
			if (block)
				*block = i;
			return &b->as.table;
		}
	}
	return NULL;
}

void live_release(struct live *s)
{
	figure_release(&s->figure);
	figure_release(&s->previous);
	figure_release(&s->pinned);
	*s = (struct live){ 0 };
}

/* A playhead beyond the end of another run stands nowhere; but where a run plays as its length is turned, it goes on
 * from its moment, or if the new one has that no more, from the same share of it. A run that was seen to its end is
 * at the end of the new one, where its caption is the last one's too. */
static void keep_playhead(struct live *s, double was_s)
{
	if (s->unfinished && !(s->figure.duration_s > 0))
		return; /* there is a run only when it is whole */
	if (!s->playing && was_s > 0 && s->playhead_s == was_s)
		s->playhead_s = s->figure.duration_s;
	if (s->playing && was_s != s->figure.duration_s) {
		if (s->playhead_s > s->figure.duration_s)
			s->playhead_s *= s->figure.duration_s / was_s;
		s->played_ms = 0; /* the next tick begins from here */
	}
	if (!(s->playhead_s <= s->figure.duration_s) || !(s->figure.duration_s > 0))
		s->playhead_s = NAN;
	run_keep_stop(s);
}

static void remember(struct live *s, int knob)
{
	if (s->n_undo == UNDO_STEPS) {
		memmove(s->undo, s->undo + 1, sizeof s->undo - sizeof *s->undo);
		s->n_undo--;
	}
	s->undo[s->n_undo++] = (struct undo_step){ .now = s->now };
	s->before = s->now;
	s->changed = knob;
	s->continued = false;
	s->stale = true;
}

static const struct knob *knob_of(const struct live *s, int knob)
{
	assert(knob >= 0 && (size_t)knob < s->sim->n_knobs);
	return &s->sim->knobs[knob];
}

void live_set(struct live *s, int knob, double value)
{
	assert(knob >= 0 && (size_t)knob < s->sim->n_knobs);
	if (s->now.v[knob] == value)
		return;
	remember(s, knob);
	s->now.v[knob] = value;
}

double live_stands_for(const struct live *s, int knob)
{
	const struct knob *k = knob_of(s, knob);
	if (!k->zero || s->now.v[knob] != 0 || !knob_matters(s->sim, s->now.v, (size_t)knob))
		return NAN;
	for (size_t i = 0; i < s->figure.n_left_open; i++)
		if (strcmp(s->figure.left_open[i].knob, k->id) == 0)
			return s->figure.left_open[i].value;
	const struct value *v = k->stands_for ? figure_find(&s->figure, k->stands_for) : NULL;
	return v && v->value > 0 ? v->value : NAN;
}

static void step(struct live *s, int n, bool big)
{
	const struct knob *k = knob_of(s, s->focus);
	double value = s->now.v[s->focus], own;
	if (k->zero)
		live_update(s); /* what it comes to is in the figure */
	own = live_stands_for(s, s->focus);
	value = isnan(own) ? value : own;
	/* Two ways to turn are one way to switch: a toggle goes round. */
	if (k->kind == KNOB_TOGGLE)
		live_set(s, s->focus, value > 0 ? 0 : 1);
	else
		live_set(s, s->focus, knob_step(k, s->tables, value, n, big));
}

/* The pinned setting and the present one change places, and so do their figures. */
static void exchange(struct live *s)
{
	struct setting pin = s->pin;
	struct figure pinned = s->pinned;
	live_update(s);
	const double was_s = s->figure.duration_s;
	s->pin = s->now;
	s->pinned = s->figure;
	s->before = s->now;
	s->now = pin;
	s->figure = pinned;
	find_rows(s);
	s->changed = -1;
	keep_playhead(s, was_s);
}

static void swap(struct live *s)
{
	if (!s->has_pin)
		return;
	live_update(s);
	remember(s, -1);
	s->stale = false; /* the pinned setting has its figure */
	s->undo[s->n_undo - 1].swapped = true;
	exchange(s);
}

static void undo(struct live *s)
{
	if (s->n_undo == 0)
		return;
	const struct undo_step *to = &s->undo[--s->n_undo];
	/* A swap is taken back as a swap, unless another setting was pinned since. */
	if (to->swapped && s->has_pin && same_setting(s, &s->pin, &to->now)) {
		exchange(s);
		return;
	}
	s->before = s->now;
	s->now = to->now;
	s->changed = -1;
	for (size_t i = 0; i < s->sim->n_knobs; i++)
		if (s->before.v[i] != s->now.v[i])
			s->changed = (int)i;
	s->stale = true;
}

static void all_defaults(struct live *s)
{
	struct setting v = { { 0 } };
	sim_defaults(s->sim, s->tables, v.v);
	remember(s, -1);
	s->now = v;
}

static void pin(struct live *s)
{
	s->has_pin = !s->has_pin;
	if (s->has_pin) {
		s->pin = s->now;
		run(s, &s->pin, &s->pinned);
	}
}

/* All knobs in the order of the list, and in *at the place of the one in focus. */
static int list_order(const struct live *s, int order[MAX_KNOBS], int *at)
{
	struct knob_story story = live_story(s);
	int n = knob_order(&story, order);
	for (*at = 0; order[*at] != s->focus;)
		++*at;
	return n;
}

/* To the knob so many lines further down the list; the headings of groups are passed. */
static void move_focus(struct live *s, int n)
{
	int order[MAX_KNOBS], at, last = list_order(s, order, &at) - 1;
	s->focus = order[max_int(0, min_int(at + n, last))];
}

/* To the next group of knobs, or the one before; where there is one group only, to the next knob. */
static void move_group(struct live *s, int way)
{
	struct knob_story story = live_story(s);
	int order[MAX_KNOBS], at, n = list_order(s, order, &at);
	int first = knob_group_beside(&story, s->focus, way);
	s->focus =
		knob_group_beside(&story, first, way) != first ? first : order[(at + way + n) % n];
}

bool live_act(struct live *s, enum action a)
{
	if (s->notes && (a == ACT_UP || a == ACT_DOWN || a == ACT_PAGE_DOWN || a == ACT_PAGE_UP)) {
		long by = a == ACT_UP ? -1 : a == ACT_DOWN ? 1 : a == ACT_PAGE_UP ? -10 : 10;
		s->notes_scroll = s->notes_scroll + by < 0 ? 0 : s->notes_scroll + by;
		return true;
	}
	switch (a) {
	case ACT_UP:
		move_focus(s, -1);
		break;
	case ACT_DOWN:
		move_focus(s, 1);
		break;
	case ACT_PREVIOUS:
		move_group(s, -1);
		break;
	case ACT_NEXT:
		move_group(s, 1);
		break;
	case ACT_TOP:
		move_focus(s, -MAX_KNOBS);
		break;
	case ACT_BOTTOM:
		move_focus(s, MAX_KNOBS);
		break;
	case ACT_PAGE_UP:
		s->first_block -= s->first_block > 0;
		break;
	case ACT_PAGE_DOWN:
		s->first_block += s->first_block + 1 < s->figure.n_blocks;
		break;
	case ACT_LEFT:
		step(s, -1, false);
		break;
	case ACT_RIGHT:
		step(s, 1, false);
		break;
	case ACT_FAR_LEFT:
		step(s, -1, true);
		break;
	case ACT_FAR_RIGHT:
		step(s, 1, true);
		break;
	case ACT_DEFAULT:
		live_set(s, s->focus, knob_default(knob_of(s, s->focus), s->tables));
		break;
	case ACT_DEFAULT_ALL:
		all_defaults(s);
		break;
	case ACT_UNDO:
		undo(s);
		break;
	case ACT_COMPARE:
		pin(s);
		break;
	case ACT_SWAP:
		swap(s);
		break;
	case ACT_ZOOM:
		s->zoomed = !s->zoomed;
		break;
	case ACT_VALUES:
		s->all_values = !s->all_values;
		break;
	case ACT_NOTES:
		s->notes = !s->notes;
		s->notes_scroll = 0;
		break;
	default:
		return run_act(s, a);
	}
	return true;
}

/* What the next sentence compares of a figure that is replaced, its values: the rest may be half a megabyte. Where
 * memory is out the figure stays as it is. */
static struct figure values_alone(struct figure *whole)
{
	struct figure few = { 0 };
	for (size_t i = 0; i < whole->n_values; i++) {
		const struct value *v = &whole->values[i];
		struct value *copy =
			figure_value(&few, v->id, v->label, v->value, v->unit, v->role);
		if (v->note)
			value_note(copy, arena_text(&few.arena, v->note));
	}
	struct figure kept = few.arena.failed ? *whole : few;
	figure_release(few.arena.failed ? &few : whole);
	return kept;
}

void live_update(struct live *s)
{
	if (!s->stale)
		return;
	struct figure last = s->figure;
	const double was_s = last.duration_s;
	s->figure = (struct figure){ 0 };
	s->unfinished = !run_patiently(s, &s->figure);
	if (s->unfinished)
		look(s);
	find_rows(s);
	keep_axes(&s->figure, &last);
	/* What a drag began with stays the figure that it is compared with. */
	if (s->continued) {
		figure_release(&last);
	} else {
		figure_release(&s->previous);
		s->previous = values_alone(&last);
	}
	s->continued = false;
	s->stale = false;
	keep_playhead(s, was_s);
}

void live_finish(struct live *s)
{
	struct figure whole;
	if (!s->unfinished || !run_patiently(s, &whole))
		return;
	const double was_s = s->figure.duration_s;
	keep_axes(&whole, &s->figure);
	figure_release(&s->figure);
	s->figure = whole;
	find_rows(s);
	s->unfinished = false;
	keep_playhead(s, was_s);
}

int live_type(struct live *s, int knob, const char *text, char *err, size_t err_size)
{
	double value;
	if (knob_read(knob_of(s, knob), s->tables, text, &value, err, err_size))
		return -1;
	live_set(s, knob, value);
	return 0;
}

static char *write_setting(const struct live *s, const struct setting *at, char *buf, size_t size)
{
	int used = snprintf(buf, size, "%s", s->sim->id);
	for (size_t i = 0; i < s->sim->n_knobs && used > 0 && (size_t)used < size; i++) {
		const struct knob *k = &s->sim->knobs[i];
		char value[256]; /* a trace's may be a path */
		if (at->v[i] != knob_default(k, s->tables))
			used += snprintf(buf + used, size - (size_t)used, " %s=%s", k->id,
				knob_write(k, s->tables, at->v[i], value, sizeof value));
	}
	return buf;
}

char *live_setting(const struct live *s, char *buf, size_t size)
{
	return write_setting(s, &s->now, buf, size);
}

char *live_place(const struct live *s, char *buf, size_t size)
{
	char at[48];
	live_setting(s, buf, size);
	size_t used = strlen(buf);
	if (isnan(s->playhead_s))
		return buf;
	run_write_time(s, at, sizeof at);
	snprintf(buf + used, size - used, " at=%s", at);
	return buf;
}

char *live_pinned_setting(const struct live *s, char *buf, size_t size)
{
	assert(s->has_pin);
	return write_setting(s, &s->pin, buf, size);
}
