/* A change is a factor or a difference and the knob that it is of, in either order: "twice the batch", "cut the batch in
 * half". What it comes to is written as a number of the knob's unit; whether that is whole, and may be had, is said by who
 * reads designs. */
#include "drills/case_change.h"

#include "drills/answer_said.h"
#include "drills/case_design_said.h"
#include "drills/case_knob_names.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_WORDS = 40, LINE_SIZE = 1000, AMOUNT_SIZE = 80, NOW_SIZE = 64 };

struct phrase {
	const struct dealt_case *d;
	const struct case_design *now;
	const struct case_knob *last;
	const char *words[MOST_WORDS];
	bool ends[MOST_WORDS]; /* a sign stood behind it, which ends the clause */
	size_t n;
};

/* By how much: the value times `times`, and then `plus` of what is counted more, in the knob's unit or as it is said. */
struct amount {
	double times;
	const char *sign;       /* "+" or "-" of what follows; "": nothing does */
	char plus[AMOUNT_SIZE]; /* "2", "10 ms" */
};

/* Of what: a knob, or replicas, each of which is `each` of the knob. */
struct target {
	const struct case_knob *knob;
	double each;
	bool follows; /* what follows from the knob is meant: how busy workers are */
};

static bool is_one(const struct phrase *p, size_t at, const char *const list[], size_t n)
{
	for (size_t i = 0; at < p->n && i < n; i++)
		if (strcasecmp(p->words[at], list[i]) == 0)
			return true;
	return false;
}
#define IS_ONE(p, at, list) is_one(p, at, list, LENGTH(list))

static const char *const more[] = { "more", "higher", "larger", "bigger", "longer", "extra",
	"additional", "further" };
static const char *const less[] = { "less", "fewer", "lower", "smaller", "shorter" };

/* --- How much --- */

/* Words from one on, with blanks between. */
static char *join(const struct phrase *p, size_t at, size_t n, char buf[AMOUNT_SIZE])
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < n && used < AMOUNT_SIZE; i++)
		used += (size_t)snprintf(
			buf + used, AMOUNT_SIZE - used, "%s%s", i ? " " : "", p->words[at + i]);
	return buf;
}

/* A number in digits or in words, and a unit where one stands behind it: "10 %", "two", "a third". The name of a knob is
 * none: "4 GPUs" are 4. Returns how many words it is; 0: there is none. */
static size_t read_quantity(const struct phrase *p, size_t at, char text[AMOUNT_SIZE])
{
	enum { MOST = 4 };
	struct quantity q;
	char said[AMOUNT_SIZE], err[200];
	for (size_t n = p->n - at < MOST ? p->n - at : MOST; n > 0; n--) {
		size_t unused;
		if (strcasecmp(p->words[at + n - 1], "a") == 0 ||
			(n > 1 && case_design_named(p->d, p->words + at + n - 1, 1, &unused)))
			continue;
		answer_said(join(p, at, n, text), said, sizeof said);
		if (!*said || quantity_parse(said, &q, err, sizeof err))
			continue;
		snprintf(text, AMOUNT_SIZE, "%s", said);
		return n;
	}
	return 0;
}

/* A share of the value: "10 %", "a third", "half". */
static bool is_share(const char *text, double *share)
{
	struct quantity q;
	char err[200];
	const bool part = strchr(text, '/') != NULL || strcmp(text, "0.5") == 0;
	if (quantity_parse(text, &q, err, sizeof err))
		return false;
	const bool percent = q.n_terms == 1 && q.terms[0].readings[0].unit.factor == 0.01;
	*share = percent ? q.number / 100 : q.number;
	return percent || (part && q.n_terms == 0);
}

/* A share or a difference, added or taken away. */
static void take_difference(const char *text, bool adds, struct amount *out)
{
	double share;
	*out = (struct amount){ .times = 1, .sign = "" };
	if (is_share(text, &share)) {
		out->times = adds ? 1 + share : 1 - share;
		return;
	}
	out->sign = adds ? "+" : "-";
	snprintf(out->plus, sizeof out->plus, "%s", text);
}

/* "Twice", "half", "3x", "four times". Returns how many words it is. */
static size_t read_times(const struct phrase *p, size_t at, struct amount *out)
{
	static const struct {
		const char *words[3];
		double times;
	} factors[] = { { { "double", "doubling", "twice" }, 2 },
		{ { "halve", "halving", "half" }, 0.5 }, { { "triple", "tripling", "thrice" }, 3 },
		{ { "quadruple", "quadrupling" }, 4 }, { { "quarter" }, 0.25 } };
	static const char *const times[] = { "times" };
	char number[AMOUNT_SIZE], *end;
	double value;
	*out = (struct amount){ .times = 1, .sign = "" };
	for (size_t i = 0; i < LENGTH(factors); i++)
		for (size_t k = 0; k < LENGTH(factors[i].words) && factors[i].words[k]; k++)
			if (strcasecmp(p->words[at], factors[i].words[k]) == 0) {
				out->times = factors[i].times;
				return 1;
			}
	out->times = strtod(p->words[at], &end);
	if (end > p->words[at] && strcasecmp(end, "x") == 0)
		return 1;
	if (at + 1 < p->n && IS_ONE(p, at + 1, times)) {
		const char *rest = answer_words(join(p, at, 1, number), &value);
		out->times = rest && !*rest ? value : strtod(number, &end);
		return out->times > 0 ? 2 : 0;
	}
	return 0;
}

/* "10 % less", "two more", "another". Returns how many words it is; 0: it is none. */
static size_t read_more(const struct phrase *p, size_t at, struct amount *out)
{
	static const char *const another[] = { "another" }, *const adds[] = { "add", "adding" },
				 *const takes[] = { "remove", "removing" };
	char text[AMOUNT_SIZE];
	const bool verb = IS_ONE(p, at, adds) || IS_ONE(p, at, takes) || IS_ONE(p, at, another);
	if (verb && at + 1 < p->n) {
		const size_t n = read_quantity(p, at + 1, text);
		if (n == 0 && !IS_ONE(p, at, another))
			return 0;
		take_difference(n ? text : "1", !IS_ONE(p, at, takes), out);
		return 1 + n + (IS_ONE(p, at + 1 + n, more));
	}
	/* "One more" is a number, and so is "a quarter less". */
	const size_t n = read_quantity(p, at, text);
	if (n == 0 || !(IS_ONE(p, at + n, more) || IS_ONE(p, at + n, less)))
		return 0;
	take_difference(text, IS_ONE(p, at + n, more), out);
	return n + 1;
}

/* --- Of what --- */

/* The knob of the simulation that a target is. */
static const struct knob *own_knob(const struct phrase *p, const struct target *of)
{
	return &p->d->of->sim->knobs[of->knob->knob];
}

/* What is decided in its place where that is meant. */
static const struct knob *knob_meant(const struct phrase *p, const struct target *of)
{
	return of->knob->is && !of->follows ? &of->knob->as : own_knob(p, of);
}

static double value_now(const struct phrase *p, const struct target *of, char now[NOW_SIZE])
{
	const size_t knob = of->knob->knob;
	const bool given = p->now->given[knob], today = !given && p->d->of->has_today;
	const double value = today ? p->d->today.v[knob] : p->now->v[knob];
	char *end;
	now[0] = '\0';
	if (!given && !today)
		return NAN;
	if (of->follows)
		knob_write(own_knob(p, of), p->d->tables, value, now, NOW_SIZE);
	else
		case_knob_write(p->d, of->knob, value, now, NOW_SIZE);
	const double number = strtod(now, &end);
	/* A 0 that stands for something, such as "auto", is no amount. */
	const bool is = end > now && !*end && !(knob_meant(p, of)->zero && number == 0);
	if (of->follows) /* it is no number that somebody typed */
		knob_format(own_knob(p, of), p->d->tables, value, now, NOW_SIZE);
	return is ? number : NAN;
}

/* Where replicas are no knob, each is as many of all GPUs as share its layers. */
static bool find_replicas(const struct phrase *p, struct target *out)
{
	char unused[NOW_SIZE];
	const struct case_knob *all = case_knob_of_id(p->d, "fleet"),
			       *width = case_knob_of_id(p->d, "tp");
	if (!all || !width)
		return false;
	*out = (struct target){ .knob = all,
		.each = value_now(p, &(struct target){ .knob = width }, unused) };
	return out->each > 0;
}

/* Whether words name the number that is decided in a knob's place, and not the knob itself. */
static bool names_decided(const struct phrase *p, const struct case_knob *k, size_t at, size_t n)
{
	const char *id = case_knob_id(p->d, k);
	return case_words_are(id, p->words + at, n) ||
	       case_words_are(case_knob_name(p->d, k), p->words + at, n) ||
	       case_knob_named(id, p->words + at, n);
}

static bool ends_clause(const struct phrase *p, size_t at)
{
	static const char *const next[] = { "and", "then", "but", "with", "instead", "please",
		"now", "again" };
	return at >= p->n || (at > 0 && p->ends[at - 1]) || IS_ONE(p, at, next);
}

/* What stands from a word on. *n: how many words it is, none where nothing is named. False: it is something else. */
static bool read_target(const struct phrase *p, size_t at, size_t *n, struct target *out)
{
	static const char *const before[] = { "the", "my", "our", "its", "of", "as", "many", "much",
		"number", "for" };
	static const char *const pronouns[] = { "it", "that", "this", "them", "those", "these" };
	const size_t from = at;
	size_t words = 0;
	*out = (struct target){ .knob = p->last, .each = 1 };
	while (!ends_clause(p, at) && IS_ONE(p, at, before))
		at++;
	*n = at - from;
	if (ends_clause(p, at))
		return p->last != NULL;
	*n += 1;
	if (IS_ONE(p, at, pronouns))
		return p->last != NULL;
	out->knob = case_design_named(p->d, p->words + at, p->n - at, &words);
	*n += words > 1 ? words - 1 : 0;
	out->follows = out->knob && out->knob->is && !names_decided(p, out->knob, at, words);
	return out->knob || (case_word_is_replica(p->words[at]) && find_replicas(p, out));
}

/* --- A change --- */

struct change {
	struct target of;
	struct amount by;
};

/* "Double the batch", "two more replicas", "10 % less". */
static size_t read_before(const struct phrase *p, size_t at, struct change *out)
{
	size_t n, of;
	if ((n = read_more(p, at, &out->by)) == 0 && (n = read_times(p, at, &out->by)) == 0)
		return 0;
	return read_target(p, at + n, &of, &out->of) ? n + of : 0;
}

/* "2 fps more", "4 GPUs less". */
static size_t read_around(const struct phrase *p, size_t at, struct change *out)
{
	char text[AMOUNT_SIZE];
	const size_t n = read_quantity(p, at, text);
	size_t of;
	if (n == 0 || ends_clause(p, at + n) || !read_target(p, at + n, &of, &out->of) ||
		!(IS_ONE(p, at + n + of, more) || IS_ONE(p, at + n + of, less)))
		return 0;
	take_difference(text, IS_ONE(p, at + n + of, more), &out->by);
	return n + of + 1;
}

/* The words of a knob's name that may stand behind its number: "by 5 fps". */
static size_t words_of_name(const struct phrase *p, size_t at, const struct case_knob *k)
{
	size_t used;
	const bool is = !ends_clause(p, at) &&
			case_design_named(p->d, p->words + at, p->n - at, &used) == k;
	return is ? used : 0;
}

/* "Increase the batch by 10 %", "cut it in half", "the batch down by 2". */
static size_t read_behind(const struct phrase *p, size_t at, struct change *out)
{
	static const char *const up[] = { "increase", "raise", "grow", "bump", "up" },
				 *const down[] = { "decrease", "reduce", "lower", "cut", "drop",
					 "shrink", "down" },
				 *const ways[] = { "up", "down" }, *const in[] = { "in", "to" },
				 *const half[] = { "half" }, *const by[] = { "by" };
	char text[AMOUNT_SIZE];
	size_t n;
	const bool rises = IS_ONE(p, at, up);
	if ((!rises && !IS_ONE(p, at, down)) || at + 1 >= p->n)
		return 0;
	const size_t of = at + 1;
	if (IS_ONE(p, of, by)) /* "up by 2" */
		out->of = (struct target){ .knob = p->last, .each = 1 }, n = 0;
	else if (!read_target(p, of, &n, &out->of))
		return 0;
	size_t behind = of + n;
	behind += IS_ONE(p, behind, ways);
	if (!rises && IS_ONE(p, behind, in) && IS_ONE(p, behind + 1, half)) {
		out->by = (struct amount){ .times = 0.5, .sign = "" };
		return behind + 2 - at;
	}
	if (!out->of.knob || !IS_ONE(p, behind, by) || behind + 1 >= p->n ||
		(n = read_quantity(p, behind + 1, text)) == 0)
		return 0;
	take_difference(text, rises, &out->by);
	return behind + 1 + n + words_of_name(p, behind + 1 + n, out->of.knob) - at;
}

/* "The batch down by 10 %", which only a knob that is named begins. */
static size_t read_named(const struct phrase *p, size_t at, struct change *out)
{
	static const char *const up[] = { "up", "higher" }, *const down[] = { "down", "lower" },
				 *const by[] = { "by" };
	char text[AMOUNT_SIZE];
	size_t words = 0, n;
	if (!case_design_named(p->d, p->words + at, p->n - at, &words) ||
		!read_target(p, at, &n, &out->of))
		return 0;
	const size_t way = at + n;
	if ((!IS_ONE(p, way, up) && !IS_ONE(p, way, down)) || !IS_ONE(p, way + 1, by) ||
		way + 2 >= p->n || (n = read_quantity(p, way + 2, text)) == 0)
		return 0;
	take_difference(text, IS_ONE(p, way, up), &out->by);
	return way + 2 + n + words_of_name(p, way + 2 + n, out->of.knob) - at;
}

/* "Move one GPU from decode to prefill": two changes. */
static size_t read_move(const struct phrase *p, size_t at, struct change *from, struct change *to)
{
	static const char *const
		verbs[] = { "move", "shift", "take", "give", "transfer", "reassign", "switch" },
		*const froms[] = { "from" }, *const tos[] = { "to", "into", "over" };
	char text[AMOUNT_SIZE];
	size_t n, of, i = at + 1;
	if (!IS_ONE(p, at, verbs) || i >= p->n || (n = read_quantity(p, i, text)) == 0)
		return 0;
	for (i += n; i < p->n && !p->ends[i - 1] && !IS_ONE(p, i, froms);)
		i++; /* what is moved */
	if (!IS_ONE(p, i, froms) || !read_target(p, i + 1, &of, &from->of))
		return 0;
	for (i += 1 + of; i < p->n && IS_ONE(p, i, tos);)
		i++;
	if (!IS_ONE(p, i - 1, tos) || !read_target(p, i, &of, &to->of) ||
		from->of.knob == to->of.knob)
		return 0;
	take_difference(text, false, &from->by);
	take_difference(text, true, &to->by);
	return i + of - at;
}

/* What the knob comes to. NAN: it has no value that is a number, or what is added is of another kind. */
static double value_after(const struct phrase *p, const struct change *c, char now[NOW_SIZE])
{
	const char *unit = knob_meant(p, &c->of)->unit;
	char err[200];
	double plus = 0;
	const double value = value_now(p, &c->of, now);
	if (value == 0 && !*c->by.sign) /* so many times nothing is no change */
		return NAN;
	if (*c->by.sign && quantity_read(c->by.plus, unit ? unit : "", &plus, err, sizeof err))
		return NAN;
	return value * c->by.times + (*c->by.sign == '-' ? -plus : plus) * c->of.each;
}

/* False: there are more than are read at all. */
static bool cut_words(struct phrase *p, char *copy)
{
	char *rest = NULL;
	for (char *w = strtok_r(copy, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest)) {
		if (p->n == MOST_WORDS)
			return false;
		const size_t n = strlen(w), bare = strcspn(w, ",;!");
		const bool sign = bare < n && bare + 1 == n;
		const bool point = n > 1 && w[n - 1] == '.';
		p->ends[p->n] = sign || point;
		if (sign || point)
			w[n - 1] = '\0';
		p->words[p->n++] = w;
	}
	return true;
}

/* Adds text, with a sign before it where it is not the first. */
static void add(char *buf, size_t size, const char *sign, const char *text)
{
	const size_t used = strlen(buf);
	snprintf(buf + used, size - used, "%s%s", used ? sign : "", text);
}

struct change_text {
	char *out, *before;
	size_t size, before_size;
};

/* Writes what a change comes to, and what it was. False: it comes to no number. */
static bool write_change(struct phrase *p, const struct change *c, const struct change_text *w)
{
	char text[2 * AMOUNT_SIZE], was[NOW_SIZE];
	const double value = value_after(p, c, was);
	if (isnan(value))
		return false;
	snprintf(text, sizeof text, "%s=%.10g", knob_meant(p, &c->of)->id, value);
	add(w->out, w->size, " ", text);
	snprintf(text, sizeof text, "%s %s", knob_meant(p, &c->of)->label, was);
	add(w->before, w->before_size, ", ", text);
	p->last = c->of.knob;
	return true;
}

/* From a word on one change or two. Returns how many words they are; 0: there is none. */
static size_t write_next(struct phrase *p, size_t at, const struct change_text *w)
{
	struct change c = { .by = { .sign = "" } }, to = c;
	char unused[NOW_SIZE];
	size_t n = read_move(p, at, &c, &to);
	if (n > 0)
		return !isnan(value_after(p, &c, unused)) && !isnan(value_after(p, &to, unused)) &&
				       write_change(p, &c, w) && write_change(p, &to, w)
			       ? n
			       : 0;
	if ((n = read_before(p, at, &c)) == 0 && (n = read_behind(p, at, &c)) == 0 &&
		(n = read_named(p, at, &c)) == 0 && (n = read_around(p, at, &c)) == 0)
		return 0;
	return write_change(p, &c, w) ? n : 0;
}

bool case_change_read(const struct dealt_case *d, const struct case_design *now,
	const struct case_knob *last, const char *line, char *out, size_t size, char *before,
	size_t before_size)
{
	char copy[LINE_SIZE];
	struct phrase p = { .d = d, .now = now, .last = last };
	const struct change_text w = { out, before, size, before_size };
	bool any = false;
	out[0] = before[0] = '\0';
	snprintf(copy, sizeof copy, "%s", line);
	if (!cut_words(&p, copy))
		return false;
	for (size_t i = 0, n; i < p.n; i += n) {
		n = write_next(&p, i, &w);
		any |= n > 0;
		if (n == 0) {
			add(out, size, " ", p.words[i]);
			n = 1;
		}
		if (p.ends[i + n - 1])
			add(out, size, "", ",");
	}
	return any;
}
