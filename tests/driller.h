/* Somebody at the drill screen: opens, answers, and the history is looked at. */
#ifndef RIDGE_TESTS_DRILLER_H
#define RIDGE_TESTS_DRILLER_H

#include "tests/explorer.h"
#include "ui/screens/drill/drill_state.h"

#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

/* The words of `ridge open drill`: "mode=sprint topic=roofline seed=3". */
static inline struct explorer driller_start(
	int rows, int cols, enum glyphs glyphs, const char *words)
{
	struct explorer e = explorer_start(rows, cols, glyphs);
	char target[256];
	snprintf(target, sizeof target, "drill %s", words);
	e.now_ms = 1000000; /* no clock begins at 0 */
	explorer_press(&e, "j");
	if (!explorer_open(&e, target))
		abort();
	return e;
}

static inline const struct session_item *item_of(const struct explorer *e)
{
	return &drill_of(e->app)->session.items[drill_of(e->app)->session.current];
}

static inline double key_shown(const struct question *q)
{
	struct unit unit, shown;
	if (!unit_parse(q->unit, &unit) || !unit_parse(q->shown_unit, &shown))
		abort();
	return q->key * unit.factor / shown.factor;
}

static inline void submit(struct explorer *e, const char *text)
{
	explorer_press(e, "End"); /* what was typed before stays, to be mended */
	for (size_t i = strlen(e->app->entry.text); i > 0; i--)
		explorer_press(e, "BS");
	explorer_type(e, text);
	explorer_press(e, "Enter");
}

/* Answers every step rightly. */
static inline void answer_right(struct explorer *e)
{
	for (int i = 0; i < 20 && !item_of(e)->closed; i++) {
		const struct variant *v = &item_of(e)->variant;
		submit(e, v->steps[v->step].answer);
	}
	if (!item_of(e)->closed)
		abort();
}

/* Of a choice, from 1: another one at each attempt, since the last one once more costs nothing. */
static inline size_t wrong_option(const struct variant_step *s, unsigned attempts)
{
	size_t wrong = 0;
	unsigned left = attempts % 2 + 1;
	for (size_t i = 0; i < s->n_options && left; i++)
		if (!s->options[i].right) {
			wrong = i + 1;
			left--;
		}
	return wrong;
}

/* A number far off, an option or an order that is not right. */
static inline void answer_step_wrong(struct explorer *e)
{
	char text[96] = "", wrong[2 * MOST_OPTIONS + 1] = "";
	const struct variant *v = &item_of(e)->variant;
	const struct variant_step *s = &v->steps[v->step];
	if (s->step->kind == KIND_NUMBER)
		snprintf(text, sizeof text, "%.12g %s",
			key_shown(&s->question) * (37.7 + item_of(e)->attempts),
			s->question.shown_unit);
	else if (s->step->kind == KIND_CHOICE)
		snprintf(text, sizeof text, "%zu", wrong_option(s, item_of(e)->attempts));
	for (size_t i = 0, n = strlen(s->answer); i <= n && n < sizeof wrong; i++)
		wrong[i < n ? n - 1 - i : n] = s->answer[i];
	if (item_of(e)->attempts % 2 && strlen(wrong) > 2) { /* and another order each time */
		const char first = wrong[0];
		wrong[0] = wrong[2];
		wrong[2] = first;
	}
	submit(e, s->step->kind == KIND_ORDER ? wrong : text);
}

/* Uses up every attempt of every step, or gives up where there is no other wrong answer. */
static inline void answer_wrong(struct explorer *e)
{
	for (int i = 0; i < 60 && !item_of(e)->closed; i++) {
		const unsigned before = item_of(e)->attempts;
		const size_t step = item_of(e)->variant.step;
		answer_step_wrong(e);
		if (!item_of(e)->closed && item_of(e)->attempts == before &&
			item_of(e)->variant.step == step)
			explorer_press(e, "Ctrl-G");
	}
	if (!item_of(e)->closed)
		abort();
}

#endif
