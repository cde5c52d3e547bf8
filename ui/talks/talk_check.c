#include "ui/talks/talk_check.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"
#include "ui/talks/talk_run.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { TOKEN = 48 };

struct checker {
	struct talk *talk;
	void (*tell)(void *context, const char *line);
	void *context;
	size_t found;
	char told[4096]; /* of this step, a line each: what is wrong in two ways is told once */
};

static void say(struct checker *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct checker *c, const char *fmt, ...)
{
	char text[700], line[800];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(line, sizeof line, "%s:%d: step %zu: %s", c->talk->tour.id,
		talk_step(c->talk)->line, c->talk->at + 1, text);
	const size_t used = strlen(c->told);
	const int whole = snprintf(c->told + used, sizeof c->told - used, "%s\n", line);
	if (strstr(c->told, c->told + used) != c->told + used) {
		c->told[used] = '\0';
		return;
	}
	if ((size_t)whole >= sizeof c->told - used)
		c->told[used] = '\0'; /* no room to know it again */
	c->tell(c->context, line);
	c->found++;
}

/* --- Numbers that were typed --- */

static bool has_word(const char *text, const char *word, size_t n)
{
	for (const char *at = text; *at; at++)
		if (strncasecmp(at, word, n) == 0)
			return true;
	return false;
}

/* "70B" is part of a name, "3" is in many and of none. */
static bool in_a_name(const struct tables *t, const char *word, size_t n)
{
	if (n < 2 || !isalpha((unsigned char)word[n - 1]))
		return false;
	for (size_t i = 0; i < t->n_models; i++)
		if (has_word(t->models[i].name, word, n) || has_word(t->models[i].id, word, n))
			return true;
	for (size_t i = 0; i < t->n_gpus; i++)
		if (has_word(t->gpus[i].name, word, n) || has_word(t->gpus[i].id, word, n))
			return true;
	return false;
}

/* A number as it stands in a text, not inside a longer one; commas are not counted. */
static bool has_number(const char *text, const char *number)
{
	size_t n = strlen(number);
	for (const char *at = text; (at = strstr(at, number)); at++) {
		bool begins = at == text || !(isdigit((unsigned char)at[-1]) || at[-1] == '.');
		bool ends = !(isdigit((unsigned char)at[n]) ||
			      (at[n] == '.' && isdigit((unsigned char)at[n + 1])));
		if (begins && ends)
			return true;
	}
	return false;
}

/* What a knob that the step names or moves stands at, or stood at; as per cent of one, too. */
static bool is_setting(const struct talk *t, double value)
{
	const struct live *s = &t->live;
	for (size_t i = 0; s->sim && i < s->sim->n_knobs; i++) {
		char word[TOKEN + 4];
		double now = s->now.v[i], was = s->has_pin ? s->pin.v[i] : now;
		snprintf(word, sizeof word, " %.40s=", s->sim->knobs[i].id);
		if (now == was && !strstr(talk_step(t)->target, word))
			continue;
		if (value == now || value == was || value == 100 * now || value == 100 * was)
			return true;
	}
	return false;
}

/* Settings, and what is expected, may be typed. */
static bool may_be_typed(const struct checker *c, const char *number)
{
	const struct tour_step *s = talk_step(c->talk);
	double value = 0;
	if (sscanf(number, "%lf", &value) == 1 && is_setting(c->talk, value))
		return true;
	if (has_number(s->target, number) || has_number(c->talk->tour.title, number))
		return true;
	for (size_t i = 0; i < s->n_expects; i++)
		if (has_number(s->expects[i], number))
			return true;
	return false;
}

static void check_token(struct checker *c, const char *token, size_t n)
{
	char number[TOKEN];
	size_t used = 0;
	if (!isdigit((unsigned char)*token) || in_a_name(c->talk->tables, token, n))
		return;
	for (size_t i = 0; i < n && used + 1 < sizeof number; i++)
		if (isdigit((unsigned char)token[i]) || token[i] == '.')
			number[used++] = token[i];
		else if (token[i] != ',')
			break;
	while (used && number[used - 1] == '.')
		used--;
	number[used] = '\0';
	if (!may_be_typed(c, number))
		say(c, "the caption has the number %s typed: compute it (`=...`), or expect it",
			number);
}

static void check_typed(struct checker *c, const char *caption)
{
	for (const char *at = caption; *at;) {
		size_t n = 0;
		if (*at == '`') {
			const char *end = strchr(at + 1, '`');
			at = end ? end + 1 : at + 1;
			continue;
		}
		while (isalnum((unsigned char)at[n]) ||
			(n && strchr(".,-", at[n]) && at[n] && isalnum((unsigned char)at[n + 1])))
			n++;
		if (n)
			check_token(c, at, n);
		at += n ? n : 1;
	}
}

/* A value has its unit: "`=ttft_ms` ms" would be "42 ms ms". */
static void check_units(struct checker *c, const char *caption)
{
	char before[32] = "", word[32];
	for (const char *at = caption; *at;) {
		struct unit unit;
		const size_t blank = strspn(at, " "), n = strcspn(at + blank, " ,;:.?!");
		snprintf(word, sizeof word, "%.*s", (int)n, at + blank);
		if (n && strcmp(word, before) == 0 && unit_parse(word, &unit))
			say(c, "the unit stands twice: \"%s %s\", for a computed value has its own",
				word, word);
		snprintf(before, sizeof before, "%s", word);
		at += blank + n;
		if (strchr(",;:.?!", *at) && *at) {
			*before = '\0';
			at++;
		}
	}
}

/* --- Steps --- */

static void check_part(struct checker *c)
{
	const struct talk *t = c->talk;
	const char *names[32];
	char ids[32][64], hint[HINT_SIZE];
	size_t n = 0;
	if (talk_part(t)) {
		if (talk_step(t)->until && talk_rows_shown(t, talk_part(t)) == 0)
			say(c, "until: the part has no row \"%s\"", talk_step(t)->until);
		return;
	}
	for (; n < t->live.figure.n_blocks && n < LENGTH(names); n++)
		names[n] = tour_part_id(t->live.figure.blocks[n], ids[n], sizeof ids[n]);
	did_you_mean(talk_step(t)->show, names, n, hint, sizeof hint);
	say(c, "the figure has no part \"%s\"%s", talk_step(t)->show, hint);
}

static void say_no_value(struct checker *c, const char *id, const char *directive)
{
	char err[300];
	tour_no_value(&c->talk->live.figure, id, err, sizeof err);
	say(c, "%s: %s", directive, err);
}

static void check_values(struct checker *c)
{
	const struct tour_step *s = talk_step(c->talk);
	if (!talk_hero(c->talk))
		say_no_value(c, s->hero ? s->hero : "", "hero");
	for (size_t i = 0; i < s->n_also; i++)
		if (!figure_find(&c->talk->live.figure, s->also[i]))
			say_no_value(c, s->also[i], "also");
}

static void check_expects(struct checker *c)
{
	const struct tour_step *s = talk_step(c->talk);
	struct tour_scene scene = talk_scene(c->talk);
	for (size_t i = 0; i < s->n_expects; i++) {
		bool holds = false;
		double found = 0;
		char err[300];
		if (tour_expect(&scene, s->expects[i], &holds, &found, err, sizeof err))
			say(c, "expect: %s: %s", s->expects[i], err);
		else if (!holds)
			say(c, "expected %s, found %.4g", s->expects[i], found);
	}
}

static bool moved(const struct talk *t, const char *id)
{
	const struct value *now = figure_find(&t->live.figure, id);
	const struct value *was = figure_find(&t->live.pinned, id);
	return now && was && now->value != was->value;
}

/* The first value of the figure that is not what it was; NULL: all are. */
static const struct value *first_moved(const struct talk *t)
{
	for (size_t i = 0; i < t->live.figure.n_values; i++)
		if (moved(t, t->live.figure.values[i].id))
			return &t->live.figure.values[i];
	return NULL;
}

/* A step that turns something shows that it did: the hero, or what stands beside it, moves. */
static void check_moves(struct checker *c)
{
	const struct talk *t = c->talk;
	const struct tour_step *s = talk_step(t);
	const struct value *hero = talk_hero(t);
	/* A value that the figure before has not is news by itself. */
	if (!t->live.has_pin || !*s->moves || !hero || !figure_find(&t->live.pinned, hero->id) ||
		moved(t, hero->id))
		return;
	for (size_t i = 0; i < s->n_also; i++)
		if (moved(t, s->also[i]))
			return;
	const struct value *other = first_moved(t);
	say(c, "%s changes nothing that is shown: neither %s nor what stands beside it%s%s%s",
		s->moves, hero->id, other ? "; it changes " : "", other ? other->id : "",
		other ? ", which `hero:` or `also:` would show" : "");
}

/* Whether something that the step expects was not so before: it says in which way they differ, or is false
 * there. "ratio(step_ms) about 1" says that nothing changed, and has compared it. */
static bool tells_apart(const struct talk *t)
{
	const struct tour_step *s = talk_step(t);
	const struct tour_scene then = { .tables = t->tables, .now = &t->live.pinned };
	for (size_t i = 0; i < s->n_expects; i++) {
		bool held = false;
		double found;
		char err[300];
		if (tour_expect(&then, s->expects[i], &held, &found, err, sizeof err) || !held)
			return true;
	}
	return false;
}

/* The first value of the figure that the spans of the caption name and that is what it was; NULL: one of
 * them is news, or they name none. */
static const struct value *stale_name(const struct talk *t)
{
	const struct value *first = NULL;
	const char *caption = talk_step(t)->caption;
	for (size_t i = 0; i < t->live.figure.n_values; i++) {
		const struct value *v = &t->live.figure.values[i];
		if (!tour_caption_names(caption, v->id))
			continue;
		if (!figure_find(&t->live.pinned, v->id) || moved(t, v->id))
			return NULL;
		first = first ? first : v;
	}
	return first;
}

/* What the step is about is on its side: before it, it was not so. */
static void check_changes(struct checker *c)
{
	const struct talk *t = c->talk;
	const struct tour_step *s = talk_step(t);
	if (!t->live.has_pin || !*s->moves || tells_apart(t))
		return;
	const struct value *v = stale_name(t);
	if (s->n_expects)
		say(c, "all that it expects is so in the step before, too: expect what %s changes",
			s->moves);
	else if (v)
		say(c, "the caption speaks of %s, which %s does not change", v->id, s->moves);
}

static void check_knob(struct checker *c, const char *what, const char *knob)
{
	const struct sim *sim = c->talk->live.sim;
	const char *names[MAX_KNOBS];
	char hint[HINT_SIZE];
	for (size_t i = 0; i < sim->n_knobs; i++) {
		names[i] = sim->knobs[i].id;
		if (strcmp(names[i], knob) == 0)
			return;
	}
	say(c, "%s: no knob \"%s\"%s", what, knob,
		did_you_mean(knob, names, sim->n_knobs, hint, sizeof hint));
}

/* What the step plays can be played: every value of its sweep, and pauses one after another. */
static void check_played(struct checker *c)
{
	struct talk *t = c->talk;
	const struct tour_step *s = talk_step(t);
	double last_s = 0;
	if (s->knob)
		check_knob(c, "knob", s->knob);
	for (size_t i = 0; i < s->n_pauses; i++) {
		char err[300];
		double at_s = 0;
		if (talk_pause(t, i, &at_s, err, sizeof err))
			say(c, "%s", err);
		else if (!(at_s > last_s))
			say(c, "pause: %s does not come after the one before it", s->pauses[i]);
		last_s = at_s;
	}
	talk_begin(t);
	while (t->moves == TALK_SWEEPS && !*t->trouble) {
		t->since_ms = 0;
		talk_tick(t, 1);
		talk_tick(t, 1 + llround(1000 * s->sweep.each_s));
	}
	if (*t->trouble)
		say(c, "%s", t->trouble);
}

/* What a wrong answer would come to is a number, and another one than is found. */
static void check_beliefs(struct checker *c)
{
	const struct tour_scene scene = talk_scene(c->talk);
	const struct value *hero = talk_hero(c->talk);
	const double close = 0.05;
	for (size_t i = 0; hero && i < TOUR_OPTIONS; i++) {
		const char *belief = talk_step(c->talk)->beliefs[i];
		double value;
		char err[300];
		if (!belief)
			continue;
		if (tour_number(&scene, belief, &value, err, sizeof err))
			say(c, "belief: %s: %s", belief, err);
		else if (fabs(value - hero->value) <= close * fabs(hero->value))
			say(c, "belief: %c comes to %.4g, and %s is %.4g: as good as right",
				(char)('A' + i), value, hero->id, hero->value);
	}
}

static void check_step(struct checker *c)
{
	struct talk *t = c->talk;
	const struct tour_step *s = talk_step(t);
	if (*t->trouble)
		say(c, "%s", t->trouble);
	check_typed(c, s->caption);
	check_units(c, talk_caption(t, t->at));
	if (strstr(s->caption, "{="))
		say(c, "\"{=\" is shown as it is typed: compute a value between backticks, `=...`");
	if (!t->live.sim)
		return;
	check_part(c);
	check_values(c);
	check_expects(c);
	check_moves(c);
	check_changes(c);
	check_beliefs(c);
	check_played(c);
}

size_t talk_check(struct talk *t, void (*tell)(void *context, const char *line), void *context)
{
	struct checker c = { .talk = t, .tell = tell, .context = context };
	bool shows = false;
	for (size_t i = 0; i < t->tour.n; i++)
		shows |= *t->tour.steps[i].target != '\0';
	if (!shows)
		say(&c, "no step shows anything: expected a ```sim under a caption, or a link");
	for (size_t i = 0; i < t->tour.n; i++) {
		talk_go(t, i);
		c.told[0] = '\0';
		if (t->live.figure.arena.failed || t->live.pinned.arena.failed)
			return TALK_UNCHECKED;
		check_step(&c);
	}
	return c.found;
}
