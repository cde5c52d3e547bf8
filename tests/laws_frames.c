/* What a candidate can see of every drill before it is graded: no key, no working, no reason, with
 * the hints, the pause, the help and the palette as well. LAWS_FRAMES seeds a drill, or 2. */
#include "tests/explorer.h"
#include "ui/screens/drill/drill_state.h"
#include "tests/laws.h"

#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>

enum { SEEDS = 2, DIGITS = 3, SHARES = 4 };

static const struct session_item *item_of(const struct explorer *e)
{
	return &drill_of(e->app)->session.items[drill_of(e->app)->session.current];
}

/* The number in the text, not as a part of a longer one, nor as the digits of another power of ten. */
static bool has_number(const char *text, const char *number)
{
	size_t n = strlen(number);
	for (const char *p = text; (p = strstr(p, number)); p++) {
		const char *end = p + n + (p[n] && strchr(".,e", p[n]));
		end += end > p + n && p[n] == 'e' && *end && strchr("+-", *end);
		bool before = p > text && (isdigit((unsigned char)p[-1]) || strchr(".,", p[-1]));
		bool after = isdigit((unsigned char)*end) != 0;
		if (!before && !after)
			return true;
	}
	return false;
}

/* Fewer digits may stand anywhere by chance: 8 GPUs, 80 layers. */
static bool is_telling(const char *number)
{
	size_t n = 0;
	for (const char *p = number; *p && *p != 'e'; p++)
		n += isdigit((unsigned char)*p) != 0;
	return n >= DIGITS;
}

/* The ways in which a key may be printed, as bare numbers. */
enum { FORMS = 3, FORM_SIZE = 64 };
static void key_forms(const struct variant_step *s, char forms[FORMS][FORM_SIZE])
{
	const struct question *q = &s->question;
	struct unit unit, shown;
	cr_assert(unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown));
	double x = q->key * unit.factor / shown.factor;
	number_format(forms[0], FORM_SIZE, x);
	quantity_format(forms[1], FORM_SIZE, x, q->shown_unit);
	snprintf(forms[2], FORM_SIZE, "%s", s->answer);
	for (size_t i = 0; i < FORMS; i++) {
		char *number = forms[i] + strcspn(forms[i], "0123456789");
		number[strspn(number, "0123456789.,e-")] = '\0';
		memmove(forms[i], number, strlen(number) + 1);
	}
}

/* By the problem itself, or as the key of an earlier step; what an earlier one was worked out by, which is shown, and
 * the example of the tolerance may meet the key of a later one, by chance. */
static bool is_given(const struct variant *v, const struct variant_step *s, const char *number)
{
	char before[FORMS][FORM_SIZE];
	for (size_t k = 0; k < v->step; k++) {
		if (v->steps[k].step->kind != KIND_NUMBER)
			continue;
		if (has_number(v->steps[k].whiteboard, number))
			return true;
		key_forms(&v->steps[k], before);
		for (size_t i = 0; i < FORMS; i++)
			if (strcmp(before[i], number) == 0)
				return true;
	}
	if (s != &v->steps[v->step] && has_number(v->tolerance, number))
		return true;
	return has_number(v->prompt, number) || has_number(v->assumes, number) ||
	       has_number(v->drill->title, number);
}

static void squeeze(char *text)
{
	char *out = text;
	for (char *p = text; *p; p++)
		if (!isspace((unsigned char)*p))
			*out++ = *p;
	*out = '\0';
}

/* Whether the frame has the beginning of a text, however it is wrapped. */
static bool has_text(const char *squeezed, const char *text)
{
	char *copy = strdup(text);
	cr_assert(copy != NULL);
	squeeze(copy);
	size_t n = strlen(copy);
	copy[n < 40 ? n : 40] = '\0';
	bool found = n >= 12 && strstr(squeezed, copy);
	free(copy);
	return found;
}

/* Whether the working of a step before, which may be shown, begins as this one's. */
static bool is_worked_alike(const struct variant *v, const struct variant_step *s)
{
	enum { COMPARED = 40 };
	for (const struct variant_step *before = v->steps; before < s; before++)
		if (strncmp(before->working, s->working, COMPARED) == 0)
			return true;
	return false;
}

static void expect_nothing_of(const struct variant *v, const struct variant_step *s, char *frame,
	const char *after, size_t *searched)
{
	const char *id = v->drill->id;
	char forms[FORMS][FORM_SIZE];
	if (s->step->kind == KIND_NUMBER) {
		key_forms(s, forms);
		for (size_t i = 0; i < FORMS; i++) {
			if (!is_telling(forms[i]) || is_given(v, s, forms[i]))
				continue;
			cr_expect(not(has_number(frame, forms[i])),
				"%s seed %llu: %s after %s:\n%s", id, (unsigned long long)v->seed,
				forms[i], after, frame);
			++*searched;
		}
	}
	squeeze(frame);
	if (!is_worked_alike(v, s))
		cr_expect(not(has_text(frame, s->working)), "%s: the working after %s", id, after);
	for (size_t i = 0; i < s->n_options; i++)
		cr_expect(not(has_text(frame, s->options[i].reason)), "%s: a reason after %s", id,
			after);
}

/* Everything that a candidate can bring on the screen; nothing of this step and the later ones. */
static void look_around(struct explorer *e, size_t *searched)
{
	static const char *const keys[] = { "Down", "Tab", "Tab", "Ctrl-P", "Ctrl-P", "?", "Esc",
		": d r i", "Esc", "PgDn", "PgUp" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct variant *v = &item_of(e)->variant;
		explorer_press(e, keys[i]);
		for (size_t k = v->step; k < v->n_steps; k++) {
			char *frame = explorer_text(e);
			expect_nothing_of(v, &v->steps[k], frame, keys[i], searched);
			free(frame);
		}
	}
}

static void look_at(const char *id, size_t seed, size_t *searched)
{
	char topic[96], text[32], err[300] = "";
	struct explorer e = explorer_start(40, 100, seed % 2 ? GLYPHS_LINES : GLYPHS_ASCII);
	snprintf(topic, sizeof topic, "topic=%s", id);
	snprintf(text, sizeof text, "seed=%zu", seed);
	const char *words[] = { topic, "count=1", text };
	cr_assert(zero(int, app_open(e.app, "drill", words, 3, err, sizeof err)), "%s", err);
	while (!item_of(&e)->closed) {
		const struct variant *v = &item_of(&e)->variant;
		size_t step = v->step;
		look_around(&e, searched);
		if (v->steps[step].step->kind == KIND_CODE) /* not typed on a line */
			break;
		explorer_press(&e, "End"); /* of what was answered to the step before */
		for (size_t i = strlen(e.app->entry.text); i > 0; i--)
			explorer_press(&e, "BS");
		explorer_type(&e, v->steps[step].answer);
		explorer_press(&e, "Enter");
		cr_assert(item_of(&e)->closed || v->step > step, "%s: %s is not right", id,
			v->steps[step].answer);
	}
	explorer_end(&e);
}

/* The ids of the bank: the explorer's own, from a set of it. */
static void look_at_share(size_t share)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_ASCII);
	size_t searched = 0, seeds = laws_count("LAWS_FRAMES", SEEDS);
	cr_assert(explorer_open(&e, "drill"));
	const struct drill_bank *b = &drill_of(e.app)->bank;
	for (size_t i = share; i < b->n; i += SHARES)
		for (size_t seed = 1; seed <= seeds; seed++)
			look_at(b->drills[i].id, seed, &searched);
	cr_expect(
		lt(sz, b->n / SHARES, searched), "few keys have digits enough to be searched for");
	explorer_end(&e);
}

#define LOOK_AT_SHARE(n)                                                                           \
	Test(laws_frames, show_no_key_before_grading_##n, .description = "long", .timeout = 7200)  \
	{                                                                                          \
		look_at_share(n);                                                                  \
	}
LOOK_AT_SHARE(0)
LOOK_AT_SHARE(1)
LOOK_AT_SHARE(2)
LOOK_AT_SHARE(3)
