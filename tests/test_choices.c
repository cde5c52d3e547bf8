/* A choice measures what one knows: who reads the options and not the question does no better than
 * who throws dice. Scripts that go by length, place, numbers or words answer all choices of the bank, at
 * 20 seeds; each must stay within ten points of chance. */
#include "drills/deal.h"
#include "sims/base/array.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

enum { SEEDS = 20 };

/* --- The scripts: each says how much it likes an option; the best one is answered --------- */

static double longer(const struct variant_step *s, size_t i)
{
	return (double)strlen(s->options[i].text);
}

static double shorter(const struct variant_step *s, size_t i)
{
	return -longer(s, i);
}

/* Neither the longest nor the shortest: as near as can be to the middle of the lengths. */
static double middling(const struct variant_step *s, size_t i)
{
	double low = INFINITY, high = 0;
	for (size_t k = 0; k < s->n_options; k++) {
		low = fmin(low, longer(s, k));
		high = fmax(high, longer(s, k));
	}
	return -fabs(longer(s, i) - (low + high) / 2);
}

static double second_longest(const struct variant_step *s, size_t i)
{
	size_t above = 0;
	for (size_t k = 0; k < s->n_options; k++)
		above += longer(s, k) > longer(s, i);
	return above == 1;
}

static double second_shortest(const struct variant_step *s, size_t i)
{
	size_t below = 0;
	for (size_t k = 0; k < s->n_options; k++)
		below += longer(s, k) < longer(s, i);
	return below == 1;
}

static double first(const struct variant_step *s, size_t i)
{
	(void)s;
	return -(double)i;
}

static double second(const struct variant_step *s, size_t i)
{
	(void)s;
	return i == 1;
}

static double third(const struct variant_step *s, size_t i)
{
	(void)s;
	return i == 2;
}

static double last(const struct variant_step *s, size_t i)
{
	(void)s;
	return (double)i;
}

static double signs(const struct variant_step *s, size_t i)
{
	double n = 0;
	for (const char *c = s->options[i].text; *c; c++)
		n += *c == ',' || *c == ':' || *c == ';';
	return n;
}

static double digits(const struct variant_step *s, size_t i)
{
	double n = 0;
	for (const char *c = s->options[i].text; *c; c++)
		n += isdigit((unsigned char)*c) != 0;
	return n;
}

/* How many of the words stand in the text, as whole words. */
static double has_words(const char *text, const char *const words[])
{
	double n = 0;
	for (; *words; words++)
		for (const char *at = text; (at = strstr(at, *words)); at++) {
			unsigned char before = at > text ? (unsigned char)at[-1] : ' ',
				      after = (unsigned char)at[strlen(*words)];
			n += !isalpha(before) && !isalpha(after);
		}
	return n;
}

/* Whoever writes options says "only" and "always" in wrong ones. */
static double few_absolutes(const struct variant_step *s, size_t i)
{
	static const char *const words[] = { "all", "always", "both", "every", "never", "none",
		"nothing", "only", "whatever", NULL };
	return -has_words(s->options[i].text, words);
}

static double hedges(const struct variant_step *s, size_t i)
{
	static const char *const words[] = { "as", "at", "but", "first", "if", "most", "or", "than",
		"that", "then", "though", "unless", "usually", "while", NULL };
	return has_words(s->options[i].text, words);
}

/* The option that shares most letters with what is asked. */
static double echoes(const struct variant_step *s, size_t i)
{
	char word[64];
	double n = 0;
	for (const char *at = s->options[i].text; *at;) {
		size_t length = strcspn(at, " ,:;.");
		if (length > 4 && length < sizeof word) {
			snprintf(word, sizeof word, "%.*s", (int)length, at);
			n += strstr(s->asks, word) != NULL;
		}
		at += length;
		at += strspn(at, " ,:;.");
	}
	return n;
}

static const struct {
	const char *name;
	double (*likes)(const struct variant_step *s, size_t option);
} scripts[] = { { "the longest", longer }, { "the shortest", shorter }, { "the middle", middling },
	{ "the second longest", second_longest }, { "the second shortest", second_shortest },
	{ "the first", first }, { "the second", second }, { "the third", third },
	{ "the last", last }, { "the most commas", signs }, { "the most digits", digits },
	{ "no absolute word", few_absolutes }, { "hedging words", hedges },
	{ "words of the question", echoes } };

struct score {
	double right[LENGTH(scripts)]; /* a tie of n counts as 1/n, as dice would have it */
	double chance;
	size_t asked;
};

static double share_right(const struct variant_step *s, size_t script)
{
	double best = -INFINITY;
	size_t n = 0, right = 0;
	for (size_t i = 0; i < s->n_options; i++) {
		double likes = scripts[script].likes(s, i);
		if (likes > best) {
			best = likes;
			n = right = 0;
		}
		n += likes == best;
		right += likes == best && s->options[i].right;
	}
	return (double)right / (double)n;
}

static void answer(const struct variant *v, struct score *score)
{
	for (size_t k = 0; k < v->n_steps; k++) {
		const struct variant_step *s = &v->steps[k];
		if (s->step->kind != KIND_CHOICE)
			continue;
		cr_expect(eq(sz, s->n_options, MOST_SHOWN_OPTIONS), "%s", v->drill->id);
		score->asked++;
		score->chance += 1.0 / (double)s->n_options;
		for (size_t i = 0; i < LENGTH(scripts); i++)
			score->right[i] += share_right(s, i);
	}
}

enum { MOST_TOPICS = 64, FEW = 6 };

struct topic {
	const char *name;
	size_t items; /* steps that are choices, however often they are dealt */
	double asked, longest;
};

static struct topic *topic_of(struct topic list[MOST_TOPICS], const char *name)
{
	size_t i = 0;
	while (list[i].name && strcmp(list[i].name, name) != 0)
		i++;
	cr_assert(lt(sz, i + 1, MOST_TOPICS));
	list[i].name = name;
	return &list[i];
}

static void answer_by_length(const struct variant *v, bool first_time, struct topic *t)
{
	for (size_t k = 0; k < v->n_steps; k++) {
		if (v->steps[k].step->kind != KIND_CHOICE)
			continue;
		t->items += first_time;
		t->asked++;
		t->longest += share_right(&v->steps[k], 0);
	}
}

/* Nor in one topic, where somebody may practise for an evening. */
Test(choices, are_not_the_longest_in_a_topic, .timeout = 60)
{
	struct tables t = { 0 };
	struct drill_bank b = { 0 };
	struct topic topics[MOST_TOPICS] = { 0 };
	char err[300];
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&b, &t, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < b.n; i++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct variant v;
			cr_assert(zero(int, deal(&b.drills[i], &t, seed, 0, &v, err, sizeof err)));
			answer_by_length(&v, seed == 1, topic_of(topics, b.drills[i].topic));
			variant_release(&v);
		}
	for (size_t i = 0; topics[i].name; i++)
		if (topics[i].items >= FEW)
			cr_expect(le(dbl, topics[i].longest / topics[i].asked, 0.35),
				"%s: of %zu choices the longest is right in %.0f %%",
				topics[i].name, topics[i].items,
				100 * topics[i].longest / topics[i].asked);
	bank_release(&b);
	tables_release(&t);
}

Test(choices, are_not_guessed_from_their_words, .timeout = 60)
{
	struct tables t = { 0 };
	struct drill_bank b = { 0 };
	struct score score = { 0 };
	char err[300];
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&b, &t, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < b.n; i++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct variant v;
			cr_assert(zero(int, deal(&b.drills[i], &t, seed, 0, &v, err, sizeof err)));
			answer(&v, &score);
			variant_release(&v);
		}
	double n = (double)score.asked, chance = score.chance / n;
	cr_assert(ge(dbl, n, 70 * SEEDS), "%g", n);
	for (size_t i = 0; i < LENGTH(scripts); i++) {
		double got = score.right[i] / n;
		cr_expect(le(dbl, fabs(got - chance), 0.10), "%s: %.1f %%, by chance %.1f %%",
			scripts[i].name, 100 * got, 100 * chance);
	}
	cr_expect(le(dbl, score.right[0] / n, 0.35));
	bank_release(&b);
	tables_release(&t);
}
