/* The words that do something are rows of a table; any other line is a question. */
#include "drills/case_talk.h"

#include "drills/answer_said.h"
#include "drills/case_change.h"
#include "drills/case_debrief.h"
#include "drills/case_design_said.h"
#include "drills/case_number.h"
#include "drills/case_plan.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_DESIGN_WORDS = 80, LINE_WORD_SIZE = 16, KNOB_SIZE = 120, EXAMPLE_SIZE = 200 };
#define LINE_BLANKS " \t,.:;!"

/* What a word does with the rest of its line. False: the line is a question after all. */
typedef bool (*act_fn)(struct case_talk *t, const char *rest, int64_t now_ms);

/* On a candidate's side what can be read is kept until the interviewer's word. */
static bool is_held(const struct case_talk *t)
{
	return t->sitting->company == CASE_HELD;
}

/* Keeps the line that is being done as what it was understood as. */
static void hold(struct case_talk *t, struct case_held as)
{
	struct arena *a = &t->said.arena;
	struct case_held *h = arena_alloc(a, sizeof *h);
	if (!h)
		return;
	*h = as;
	h->line = arena_text(a, t->line);
	h->stage = t->sitting->stage;
	h->phase = t->sitting->phase;
	if (t->last_held)
		t->last_held->next = h;
	else
		t->held = h;
	t->last_held = h;
}

const char *case_after_word(const char *line, const char *word)
{
	size_t n = strlen(word);
	if (strncasecmp(line, word, n) != 0 || (line[n] && !isspace((unsigned char)line[n])))
		return NULL;
	return line + n + strspn(line + n, " \t");
}

/* --- Facts --- */

const char *const case_reading_ids[] = { [READ_ANSWER] = "answer",
	[READ_EITHER] = "either",
	[READ_NUMBER] = "number",
	[READ_ESTIMATE] = "estimate",
	[READ_MEANT] = "meant",
	[READ_WHICH] = "which",
	[READ_FACTS] = "facts",
	[READ_ASKED] = "asked",
	[READ_OFFER] = "offer",
	[READ_NOTHING] = "nothing" };

static void tell(struct case_talk *t, size_t fact)
{
	struct case_sitting *s = t->sitting;
	case_sitting_tell(s, fact);
	case_say(&t->said, TONE_FACT, "%s", case_tell(&s->deal, fact, s->stage));
}

/* Asks which fact is meant. */
static void ask_back(struct case_talk *t)
{
	const struct case_fact *facts = t->sitting->deal.of->facts;
	const struct case_match *m = &t->offer;
	for (size_t i = 0; i < m->n; i++)
		t->sitting->asked_back[m->facts[i]] = true;
	if (m->n == 1)
		case_say(&t->said, TONE_HINT, "Do you mean %s? Then say yes.",
			facts[m->facts[0]].name);
	else
		case_say(&t->said, TONE_HINT, "Do you mean %s, or %s? Say 1, 2 or both.",
			facts[m->facts[0]].name, facts[m->facts[1]].name);
}

static bool is_one_of(const char *line, const char *const words[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(line, words[i]) == 0)
			return true;
	return false;
}

/* Reads a line as the answer to what the interviewer asked back; false: it is something else. */
static bool read_back(const struct case_talk *t, const char *line, struct case_heard *h)
{
	static const char *const firsts[] = { "1", "first", "the first" };
	static const char *const seconds[] = { "2", "second", "the second" };
	static const char *const boths[] = { "both", "both of them", "both please", "1 and 2",
		"1, 2" };
	static const char *const neithers[] = { "no", "neither" };
	const struct case_match *m = &t->offer;
	const bool yes = strcasecmp(line, "yes") == 0, two = m->n > 1;
	const bool both = two && is_one_of(line, boths, LENGTH(boths));
	if (m->n == 0)
		return false;
	h->as = yes && two ? READ_WHICH : READ_MEANT;
	if (h->as == READ_WHICH)
		return true;
	if (both || yes || is_one_of(line, firsts, LENGTH(firsts)))
		h->facts[h->n++] = m->facts[0];
	if (both || (two && is_one_of(line, seconds, LENGTH(seconds))))
		h->facts[h->n++] = m->facts[1];
	return h->n || is_one_of(line, neithers, LENGTH(neithers));
}

/* The next word of a line, without the signs around it; *at stands behind it then. Returns word. */
static char *line_word(const char **at, char word[LINE_WORD_SIZE])
{
	*at += strspn(*at, LINE_BLANKS);
	const size_t n = strcspn(*at, LINE_BLANKS);
	snprintf(word, LINE_WORD_SIZE, "%.*s", (int)n, *at);
	*at += n;
	return word;
}

static bool has_part(const char *line, const char *part)
{
	const size_t n = strlen(part);
	for (; *line; line++)
		if (strncasecmp(line, part, n) == 0)
			return true;
	return false;
}

/* Whether a line asks by its form, whatever it is about. */
static bool asks_by_form(const char *line)
{
	static const char *const parts[] = { "?", "like to know", "want to know", "let me ask",
		"i wonder", "tell me" };
	for (size_t i = 0; i < LENGTH(parts); i++)
		if (has_part(line, parts[i]))
			return true;
	return case_begins_question(line);
}

/* Whether a line answers what the interviewer asked; false: it asks. Few end a question in its mark, so a line
 * that is only the words of one fact, "prompt lengths", asks for it. */
static bool is_answer(const struct case_talk *t, const char *line, enum case_reading *as)
{
	static const char *const beginnings[] = { "because", "i", "i'd", "we", "we'd", "they", "it",
		"that", "this", "so", "then", "first", "since", "by", "with", "no", "yes" };
	char word[LINE_WORD_SIZE];
	const char *at = line;
	if (!t->answering || asks_by_form(line))
		return false;
	*as = READ_ANSWER;
	if (is_one_of(line_word(&at, word), beginnings, LENGTH(beginnings)))
		return true;
	*as = READ_EITHER;
	const struct case_match m = case_ask(t->sitting->deal.of, line);
	return m.kind != MATCH_FACT || !m.whole || t->sitting->told[m.facts[0]];
}

static void take_answer(struct case_talk *t, const char *line)
{
	case_sitting_say(t->sitting, t->question, line);
	case_say(&t->said, TONE_HINT, "Noted.");
}

/* A number asks nothing: alone or with its unit anywhere, and where numbers are due, in words too, behind the words
 * with which people say one, and with what they say after it. */
static bool is_number(const struct case_talk *t, const char *line)
{
	const char *number = t->sitting->phase == CASE_CLARIFY ? line : answer_after_hedges(line);
	const bool digit = t->sitting->phase == CASE_ESTIMATE
				   ? case_number_begins(line)
				   : isdigit((unsigned char)number[*number == '.']);
	const char *unit = number + strcspn(number, " \t");
	unit += strspn(unit, " \t");
	const bool alone = !unit[strcspn(unit, " \t")];
	return digit && !strchr(line, '?') &&
	       (alone || (t->sitting->phase != CASE_CLARIFY && !asks_by_form(line)));
}

/* Whether a number does not count yet; where verdicts wait or others type, whether none was given for it. */
static bool is_open(const struct case_talk *t, size_t anchor)
{
	const struct case_estimate *e = &t->sitting->estimates[anchor];
	return is_held(t) || t->typed ? !e->given : e->best < ESTIMATE_COUNTS;
}

/* The first that is open; behind the last: none is. */
static size_t next_anchor(const struct case_talk *t)
{
	size_t i = 0;
	while (i < t->sitting->deal.variant.n_steps && !is_open(t, i))
		i++;
	return i;
}

/* "86 %", "nine tenths" or "6/7", and no other number. */
static bool is_share(const char *line)
{
	char said[CASE_LINE_SIZE];
	if (strpbrk(line, ",;"))
		return false;
	answer_said(line, said, sizeof said);
	const char *sign = strchr(said, '%');
	return sign ? !strpbrk(sign, "0123456789")
		    : strchr(said, '/') && !said[strspn(said, "0123456789/ ")];
}

/* Whether the name of an anchor is among the words of a line. */
static bool names_anchor(const struct case_talk *t, const char *line, size_t anchor)
{
	char name[CASE_NAME_SIZE];
	const size_t n = strlen(case_anchor_name(t->sitting, anchor, name));
	for (const char *at = line; *at; at++)
		if ((at == line || !isalnum((unsigned char)at[-1])) &&
			strncasecmp(at, name, n) == 0 && !isalnum((unsigned char)at[n]))
			return true;
	return false;
}

/* The first that is open and asks for what the line gives, one that the line names before others: bytes are no seconds,
 * and a share is one where it is asked for. */
static size_t anchor_for(const struct case_talk *t, const char *line)
{
	struct grade unused;
	const size_t n = t->sitting->deal.variant.n_steps;
	const bool share = is_share(line);
	for (size_t i = 0; i < n && share; i++)
		if (is_open(t, i) &&
			strcmp(t->sitting->deal.variant.steps[i].question.shown_unit, "%") == 0)
			return i;
	/* "16 GB of weights" are those of the number that has that name. */
	for (int named = 1; named >= 0; named--)
		for (size_t i = 0; i < n; i++)
			if (is_open(t, i) && (!named || names_anchor(t, line, i)) &&
				case_sitting_reads(t->sitting, i, line, &unused))
				return i;
	return next_anchor(t);
}

/* What stands behind "number two", "the second" or "#2"; NULL: the line does not begin so. */
static const char *after_ordinal(const char *line, size_t *of)
{
	static const char *const before[] = { "the ", "number ", "no. ", "no ", "#", "question " };
	static const char *const ordinals[MOST_STEPS][3] = { { "1", "one", "first" },
		{ "2", "two", "second" }, { "3", "three", "third" }, { "4", "four", "fourth" } };
	const char *at = line;
	bool counts = false; /* "two" alone is a number itself, and so is "2" */
	for (size_t i = 0; i < LENGTH(before); i++)
		if (strncasecmp(at, before[i], strlen(before[i])) == 0) {
			at += strlen(before[i]);
			counts |= i > 0;
		}
	for (size_t i = 0; i < LENGTH(ordinals); i++)
		for (size_t k = counts ? 0 : 2; k < LENGTH(ordinals[i]); k++) {
			const char *rest = behind_word(at, ordinals[i][k]);
			if (!rest || (strchr(".,", *rest) && isdigit((unsigned char)rest[1])))
				continue;
			/* "the second one: 12" */
			const char *one = behind_word(rest + strspn(rest, " \t"), "one");
			*of = i;
			return one ? one : rest;
		}
	return NULL;
}

/* Whether the word that begins there is a unit. */
static bool is_unit(const char *word)
{
	char one[32], err[200];
	struct quantity unused;
	const size_t n = strcspn(word, " \t,;:=");
	if (n == 0 || n >= sizeof one || isdigit((unsigned char)*word))
		return false;
	snprintf(one, sizeof one, "%.*s", (int)n, word);
	return quantity_parse_unit(one, &unused, err, sizeof err) == 0;
}

/* What stands behind the number of an anchor, "2 ", "2: " or "the second", or its name, "at once"; NULL: the line begins
 * with neither. "2.4" and "2,400" are numbers themselves. */
static const char *after_anchor(const struct case_talk *t, const char *line, size_t *of)
{
	const char *ordinal = after_ordinal(line, of);
	ordinal = ordinal ? ordinal + strspn(ordinal, " \t:)=,") : NULL;
	if (ordinal && *of < t->sitting->deal.variant.n_steps && case_number_begins(ordinal))
		return ordinal;
	for (size_t i = 0; i < t->sitting->deal.variant.n_steps; i++) {
		char name[CASE_NAME_SIZE];
		const size_t n = strlen(case_anchor_name(t->sitting, i, name));
		const bool numbered = *line == (char)('1' + (int)i),
			   named = strncasecmp(line, name, n) == 0;
		if (!numbered && !named)
			continue;
		const char *rest = line + (numbered ? 1 : n);
		const bool dot = numbered && *rest == '.' && isblank((unsigned char)rest[1]);
		/* "2 x 70e9 = 140 GB" is a sum, and "3 GB at 273 GB/s" begins with an amount. */
		const char *next = rest + strspn(rest, " \t");
		if (numbered && (strchr("*/+-=", *next) || case_after_word(next, "x") ||
					case_after_word(next, "times") || is_unit(next)))
			continue;
		const size_t gap = dot ? 2 : strspn(rest, numbered ? " \t:)" : " \t:)=");
		if (gap == 0)
			continue;
		*of = i;
		return rest + gap;
	}
	return NULL;
}

/* "57 GB for the logits": the only name that a line ends with. False: it ends with none. */
static bool ends_in_anchor(const struct case_talk *t, const char *line, size_t *of)
{
	for (size_t i = 0; i < t->sitting->deal.variant.n_steps; i++) {
		char name[CASE_NAME_SIZE];
		const size_t n = strlen(case_anchor_name(t->sitting, i, name)), all = strlen(line);
		if (all <= n || strcasecmp(line + all - n, name) != 0 || line[all - n - 1] != ' ')
			continue;
		*of = i;
		return true;
	}
	return false;
}

/* "2 26 GB" or "cache 26 GB": the second number. False: the line begins with the number itself. */
static bool is_of_anchor(
	const struct case_talk *t, const char *line, size_t *anchor, const char **answer)
{
	size_t of = 0;
	const char *said = asks_by_form(line) ? NULL : after_anchor(t, line, &of);
	const char *number = said ? answer_after_hedges(said) : "";
	if (!said && case_number_begins(line) && ends_in_anchor(t, line, anchor)) {
		*answer = line;
		return true;
	}
	/* "weights at one byte: 70 GB" */
	const char *colon = said && !case_number_begins(said) ? strrchr(said, ':') : NULL;
	if (colon && case_number_begins(colon + 1 + strspn(colon + 1, " ")))
		number = said = colon + 1 + strspn(colon + 1, " ");
	else if (said && !case_number_begins(said) && case_number_result(said))
		number = answer_after_hedges(said = case_number_result(said));
	const char *sign = strpbrk(line, ":)");
	/* "2 dozen" is one number, "2: a dozen" are two. */
	const bool apart = !isdigit((unsigned char)*line) || (sign && sign < said);
	const bool digit = isdigit((unsigned char)number[*number == '.']);
	/* "3: half an hour" is of the third, whatever it may be. */
	const bool numbered = isdigit((unsigned char)*line) && sign && said && sign < said;
	if (!said || (!digit && !numbered && !(apart && case_number_begins(said))))
		return false;
	*anchor = of;
	/* Of "a hundred" the "a" stays: alone "hundred" is no number. */
	*answer = digit ? number : said + strspn(said, " \t:=");
	return true;
}

/* Of two that may be meant, the less likely one is hardly asked for again where it was told. Returns how many are
 * left. */
static size_t drop_told(const struct case_talk *t, const size_t facts[], size_t n)
{
	const bool *told = t->sitting->told;
	return n == CASE_OFFERS && told[facts[1]] && !told[facts[0]] ? 1 : n;
}

/* Whether a line has these words, also in the plural: "slo" is none of "slow". */
static bool has_words(const char *line, const char *words)
{
	const size_t n = strlen(words);
	for (const char *at = line; *at; at++) {
		const bool begins = at == line || !isalnum((unsigned char)at[-1]);
		if (!begins || strncasecmp(at, words, n) != 0)
			continue;
		const char *end = at + n + (tolower((unsigned char)at[n]) == 's');
		if (!isalnum((unsigned char)*end))
			return true;
	}
	return false;
}

static bool asks_for_goals(const char *line)
{
	static const char *const words[] = { "goal", "target", "objective", "aim", "aiming",
		"success", "judged", "accept my", "counts as done", "requirement", "slo" };
	for (size_t i = 0; i < LENGTH(words); i++)
		if (has_words(line, words[i]))
			return true;
	return false;
}

static void add_fact(struct case_match *m, int fact)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->facts[i] == (size_t)fact)
			return;
	if (fact >= 0 && m->n < CASE_AT_ONCE)
		m->facts[m->n++] = (size_t)fact;
}

/* The facts that say what must be met: those that a design is held against, and then those of that kind, as a latency is
 * which the requests that are served must keep. Returns how many. */
static size_t goal_facts(const struct design_case *c, int facts[MOST_GOALS + MOST_FACTS])
{
	size_t n = 0;
	for (size_t i = 0; i < c->n_goals; i++)
		if (c->goals[i].fact >= 0)
			facts[n++] = c->goals[i].fact;
	for (size_t i = 0; i < c->n_facts; i++)
		if (c->facts[i].kind == FACT_GOALS)
			facts[n++] = (int)i;
	return n;
}

static bool is_goal(const struct design_case *c, size_t fact)
{
	int facts[MOST_GOALS + MOST_FACTS];
	const size_t n = goal_facts(c, facts);
	for (size_t i = 0; i < n; i++)
		if (facts[i] == (int)fact)
			return true;
	return false;
}

/* Goals asked for by that name. Where it was said which, "latency targets", those; a subject that is none is asked back
 * for. Else all that were not told, or all of them again, as far as one answer holds them. */
static struct case_match goal_of(const struct case_talk *t, struct case_match m)
{
	const struct case_sitting *s = t->sitting;
	struct case_match all = { .kind = MATCH_FACT }, left = all, named = all;
	int facts[MOST_GOALS + MOST_FACTS];
	const size_t n = goal_facts(s->deal.of, facts);
	for (size_t i = 0; i < m.n; i++)
		if (is_goal(s->deal.of, m.facts[i]))
			add_fact(&named, (int)m.facts[i]);
	for (size_t i = 0; i < n; i++) {
		add_fact(&all, facts[i]);
		if (!s->told[facts[i]])
			add_fact(&left, facts[i]);
	}
	return m.kind == MATCH_OFFER ? (named.n ? named : m) : left.n ? left : all.n ? all : m;
}

/* As reading is now. */
static void read_line(const struct case_talk *t, const char *line, struct case_heard *h)
{
	static const enum case_reading readings[] = { [MATCH_NOTHING] = READ_NOTHING,
		[MATCH_FACT] = READ_FACTS,
		[MATCH_OFFER] = READ_OFFER };
	const bool due = t->sitting->phase == CASE_ESTIMATE && is_number(t, line);
	if (read_back(t, line, h) || (!due && is_answer(t, line, &h->as)))
		return;
	if (due || is_number(t, line)) {
		const size_t n = t->sitting->deal.variant.n_steps,
			     anchor = due ? anchor_for(t, line) : n;
		h->as = anchor < n ? READ_ESTIMATE : READ_NUMBER;
		h->anchor = anchor < n ? anchor + 1 : 0;
		return;
	}
	struct case_match m = case_ask_all(t->sitting->deal.of, line);
	if (m.kind != MATCH_FACT && !m.foreign && asks_for_goals(line))
		m = goal_of(t, m);
	h->as = readings[m.kind];
	h->n = m.n;
	h->n_offers = m.n_offers;
	memcpy(h->facts, m.facts, sizeof h->facts);
	memcpy(h->offers, m.offers, sizeof h->offers);
	if (h->as == READ_FACTS && t->typed)
		h->as = READ_ASKED;
	if (h->as == READ_OFFER)
		h->n = drop_told(t, h->facts, h->n);
	h->n_offers = drop_told(t, h->offers, h->n_offers);
}

static struct case_match match_of(const struct case_heard *h)
{
	struct case_match m = { .kind = h->as == READ_FACTS ? MATCH_FACT
					: h->as == READ_OFFER || h->as == READ_ASKED
						? MATCH_OFFER
						: MATCH_NOTHING,
		.n = h->n };
	memcpy(m.facts, h->facts, sizeof m.facts);
	return m;
}

static void tell_all(struct case_talk *t, const struct case_heard *h)
{
	for (size_t i = 0; i < h->n; i++)
		tell(t, h->facts[i]);
}

/* The facts that a line asks for which a candidate typed, for whoever tells them. */
static void show_all(struct case_talk *t, const struct case_heard *h)
{
	const struct case_sitting *s = t->sitting;
	for (size_t i = 0; i < h->n; i++)
		case_say(&t->said, TONE_FACT, "asks for #%zu, %s%s", h->facts[i] + 1,
			s->deal.of->facts[h->facts[i]].name,
			s->told[h->facts[i]] ? ", which was told" : "");
	case_say(&t->said, TONE_HINT, "#%zu ticks it when you have told it.", h->facts[0] + 1);
}

/* Whoever asks for goals, and is told one, hears that there are others. */
static void tell_of_goals(struct case_talk *t, const struct case_heard *h)
{
	const struct case_sitting *s = t->sitting;
	size_t more = 0;
	if (!asks_for_goals(h->line))
		return;
	for (size_t i = 0; i < s->deal.of->n_facts; i++)
		more += is_goal(s->deal.of, i) && !s->told[i];
	if (more)
		case_say(&t->said, TONE_HINT, "%s",
			more == 1 ? "There is one more: ask for it."
				  : "There are others: ask for each.");
}

/* What is not there is told apart from what was not understood. */
static void say_nothing(struct case_talk *t, const char *line)
{
	const struct case_match m = case_ask(t->sitting->deal.of, line);
	if (has_part(line, "anything else"))
		case_say(&t->said, TONE_HINT,
			"Ask for it by name: what is not asked for is not told.");
	else if (m.foreign)
		case_say(&t->said, TONE_HINT,
			"Nothing on %s here: assume what you need, and say so.", m.foreign);
	else if (t->sitting->company == CASE_LED && !t->debriefed && asks_by_form(line))
		case_say(&t->said, TONE_HINT,
			"Nothing on that: leave it open, or type it in other words.");
	else
		case_say(&t->said, TONE_HINT, "Nothing on that.%s",
			asks_by_form(line) ? " In other words?"
					   : " (say WORDS keeps an answer; help lists all words.)");
}

/* How many words that say something a line has, and a text of them. */
static size_t count_words(const char *line, const char *text, size_t *of_text)
{
	enum { SHORTEST = 4 };
	char word[LINE_WORD_SIZE];
	size_t all = 0;
	*of_text = 0;
	while (*line_word(&line, word)) {
		word[strcspn(word, "?")] = '\0';
		if (strlen(word) < SHORTEST || case_says_nothing(word))
			continue;
		all++;
		*of_text += has_words(text, word);
	}
	return all;
}

/* What was said without being asked for, the last twist or the opening, and has most of a question's words, two at
 * least; NULL: neither has. */
static const char *said_before(struct case_talk *t, const char *line)
{
	enum { LEAST = 2 };
	struct dealt_case *d = &t->sitting->deal;
	const size_t stage = t->sitting->stage;
	const char *texts[] = { stage ? case_text(d, d->of->twists[stage - 1].say) : "",
		case_text(d, d->of->opening) };
	for (size_t i = 0; i < LENGTH(texts); i++) {
		size_t same;
		const size_t all = count_words(line, texts[i], &same);
		if (same >= LEAST && 2 * same > all)
			return texts[i];
	}
	return NULL;
}

/* Does what a question asks for. */
static void answer(struct case_talk *t, const struct case_heard *h)
{
	struct case_match m = match_of(h);
	const char *said =
		m.kind == MATCH_NOTHING && asks_by_form(h->line) ? said_before(t, h->line) : NULL;
	if (said) {
		m.kind = MATCH_OFFER; /* it asks for something that there is */
		case_sitting_asked(t->sitting, &m);
		case_say(&t->said, TONE_INTERVIEWER, "As was said: %s", said);
		return;
	}
	/* A word that is no question is not counted as one that nothing answers. */
	if (m.kind != MATCH_NOTHING || asks_by_form(h->line))
		case_sitting_asked(t->sitting, &m);
	if (h->as == READ_OFFER) {
		t->offer = m;
		ask_back(t);
	} else if (h->as == READ_ASKED && h->n) {
		show_all(t, h);
	} else if (h->as == READ_FACTS) {
		tell_all(t, h);
		tell_of_goals(t, h);
		if (h->n_offers) {
			t->offer = (struct case_match){ .kind = MATCH_OFFER, .n = h->n_offers };
			memcpy(t->offer.facts, h->offers, sizeof h->offers);
			ask_back(t);
		}
	} else {
		say_nothing(t, h->line);
	}
}

static void estimate(struct case_talk *t, size_t anchor, const char *answer);

/* The first of its choices, so that an example says nothing of what is good; of a range where it
 * would stand. */
static double first_value(const struct dealt_case *d, const struct case_knob *k)
{
	const char *choice = case_knob_choice(d, k, 0);
	char unused[200];
	double value;
	if (choice && knob_read(&d->of->sim->knobs[k->knob], d->tables, choice, &value, unused,
			      sizeof unused) == 0)
		return value;
	return case_knob_first(d, k);
}

/* "weights fp8, KV cache fp8": up to so many knobs of the case, as a person may decide them, of all
 * or of those that are open. Returns buf. */
static char *example_of_design(
	const struct case_talk *t, bool open, size_t most, char *buf, size_t size)
{
	const struct case_sitting *s = t->sitting;
	struct case_design example = { .v = { 0 } };
	for (size_t i = 0; i < s->deal.of->n_knobs && most > 0; i++) {
		const struct case_knob *k = &s->deal.of->knobs[i];
		if (open && s->design.given[k->knob])
			continue;
		example.v[k->knob] = first_value(&s->deal, k);
		example.given[k->knob] = true;
		most--;
	}
	return case_design_words(&s->deal, &example, buf, size);
}

/* Of a number that answers nothing. */
static void say_what_numbers_do(struct case_talk *t, const char *line)
{
	const struct dealt_case *d = &t->sitting->deal;
	const size_t open = next_anchor(t);
	char example[EXAMPLE_SIZE];
	size_t anchor = open < d->variant.n_steps ? open : 0;
	const char *number = line;
	is_of_anchor(t, line, &anchor, &number);
	if (t->sitting->phase >= CASE_DESIGN)
		case_say(&t->said, TONE_HINT,
			"A design names its knobs, such as: %s; design alone lists them.",
			example_of_design(t, false, 1, example, sizeof example));
	else
		case_say(&t->said, TONE_HINT,
			"A number answers one of those to estimate: estimate %zu %s", anchor + 1,
			number);
}

/* Nobody said which number it is of; where it could be of others, that is no matter of course. */
static void say_which(struct case_talk *t, size_t anchor, const char *line)
{
	char name[CASE_NAME_SIZE];
	struct grade unused;
	size_t others = 0;
	for (size_t i = 0; i < t->sitting->deal.variant.n_steps; i++)
		others += i != anchor && is_open(t, i) &&
			  case_sitting_reads(t->sitting, i, line, &unused);
	if (others)
		case_say(&t->said, TONE_HINT, "As number %zu, %s:", anchor + 1,
			case_anchor_name(t->sitting, anchor, name));
}

/* Of a line that may have been a change of the design, though no value in it can be read. False: it is none. */
static bool says_change(struct case_talk *t, const char *line)
{
	const struct dealt_case *d = &t->sitting->deal;
	const struct case_knob *k = case_design_change(d, line);
	struct case_design example = { .v = { 0 } };
	char words[EXAMPLE_SIZE];
	if (!k || !case_design_is_due(t->sitting))
		return false;
	example.v[k->knob] = first_value(d, k);
	example.given[k->knob] = true;
	/* A number that comes next is of it. */
	t->number_knob = (size_t)(k - d->of->knobs) + 1;
	case_say(&t->said, TONE_HINT,
		"If that was a change of the design, say to what, such as: %s; nothing is run.",
		case_design_words(d, &example, words, sizeof words));
	return true;
}

static void act_on(struct case_talk *t, const struct case_heard *h)
{
	const size_t anchor = h->anchor ? h->anchor - 1 : next_anchor(t),
		     anchors = t->sitting->deal.variant.n_steps;
	if (h->as == READ_WHICH && t->offer.n > 1) {
		ask_back(t);
		return;
	}
	/* What was asked back may be answered behind other questions, as long as questions are due. */
	if (t->sitting->phase != CASE_CLARIFY || h->as == READ_MEANT)
		t->offer.n = 0;
	switch (h->as) {
	case READ_ANSWER:
	case READ_EITHER:
		take_answer(t, h->line);
		if (says_change(t, h->line))
			break;
		if (h->as == READ_EITHER)
			case_say(&t->said, TONE_HINT,
				"It counts as your answer. A question ends in a question mark%s.",
				case_design_is_due(t->sitting) ? "; design lists what can be turned"
							       : "");
		break;
	case READ_ESTIMATE:
	case READ_NUMBER:
		if (h->as == READ_ESTIMATE && anchor < anchors) {
			say_which(t, anchor, h->line);
			estimate(t, anchor, h->line);
		} else
			say_what_numbers_do(t, h->line);
		break;
	case READ_MEANT:
		tell_all(t, h);
		if (!h->n)
			case_say(&t->said, TONE_HINT, "Then there is nothing on that.");
		break;
	default:
		answer(t, h);
	}
}

/* How a line was read once; NULL: no record says. */
static const struct case_heard *recorded_of(const struct case_talk *t, const char *line)
{
	const struct case_heard *h = t->recorded;
	while (h && strcmp(h->line, line) != 0)
		h = h->next;
	return h;
}

/* Reads a line, or does it as it was read once. */
static void hear(struct case_talk *t, const char *line)
{
	struct arena *a = &t->said.arena;
	const struct case_heard *once = recorded_of(t, line);
	struct case_heard *h = arena_alloc(a, sizeof *h);
	if (!h)
		return;
	*h = (struct case_heard){ .line = arena_text(a, line) };
	if (once) {
		*h = *once;
		h->next = NULL;
		h->line = arena_text(a, line);
		t->recorded = once->next;
	} else {
		read_line(t, line, h);
	}
	if (!h->line)
		return;
	if (t->heard)
		t->last_heard->next = h;
	else
		t->heard = h;
	t->last_heard = h;
	act_on(t, h);
}

static bool do_design(struct case_talk *t, const char *rest, int64_t now_ms);
static bool reads_as_design(const struct case_talk *t, const char *line);
static void reach(struct case_talk *t, enum case_phase phase, int64_t now_ms);

static bool run_proposed(struct case_talk *t, int64_t now_ms)
{
	const char *design = t->proposed;
	t->proposed = NULL;
	return do_design(t, design, now_ms);
}

static bool do_yes(struct case_talk *t, const char *rest, int64_t now_ms)
{
	if (!*rest && t->proposed)
		return run_proposed(t, now_ms);
	if (*rest || t->offer.n == 0)
		return false;
	hear(t, "yes");
	return true;
}

/* Behind the answer that a line begins with: where the next one begins, in "1: 70 GB, 2: 400 MB" or "1: 70 GB and 2:
 * 400 MB"; NULL: nowhere. "2,400" is one number. */
static const char *next_answer(const struct case_talk *t, const char *line)
{
	const char *rest;
	for (const char *at = line; (at = strpbrk(at, " \t")); at = rest) {
		const bool sign = at > line && strchr(",;", at[-1]);
		rest = at + strspn(at, " \t");
		const char *behind_and = case_after_word(rest, "and"), *next, *number;
		size_t anchor;
		next = behind_and ? behind_and : rest;
		if ((sign || behind_and) && is_of_anchor(t, next, &anchor, &number))
			return next;
	}
	return NULL;
}

/* Each number of a line as if it had been typed alone. */
static void estimate_each(struct case_talk *t, const char *line)
{
	const char *whole = t->line, *next, *number;
	for (; line; line = next) {
		size_t anchor = 0;
		next = next_answer(t, line);
		size_t n = next ? (size_t)(next - line) : strlen(line);
		if (next && n >= 4 && strncasecmp(next - 4, "and ", 4) == 0)
			n -= 4;
		while (n && strchr(" \t,;", line[n - 1]))
			n--;
		const char *part = arena_printf(&t->said.arena, "%.*s", (int)n, line);
		t->line = part;
		if (is_of_anchor(t, part, &anchor, &number))
			estimate(t, anchor, number);
	}
	t->line = whole;
}

/* A line that is kept unread. Where designs are due it may have been meant as one, which would be lost. */
static void say_noted(struct case_talk *t, const char *line)
{
	char example[EXAMPLE_SIZE];
	if (case_design_is_due(t->sitting) && !asks_by_form(line))
		case_say(&t->said, TONE_HINT,
			"Noted, but it is no design: nothing is run. A design names its knobs, such "
			"as: %s; design alone lists them.",
			example_of_design(t, false, 2, example, sizeof example));
	else
		case_say(&t->said, TONE_HINT, "Noted. Ask it aloud: your interviewer answers.");
}

static void ask(struct case_talk *t, const char *question)
{
	size_t anchor = 0;
	const char *number = question;
	const bool due = t->sitting->phase == CASE_ESTIMATE;
	if (due && is_of_anchor(t, question, &anchor, &number)) {
		estimate_each(t, question);
		return;
	}
	if (!is_held(t)) {
		hear(t, question);
		return;
	}
	const bool is = is_number(t, question);
	if (due && is && (anchor = anchor_for(t, question)) < t->sitting->deal.variant.n_steps) {
		estimate(t, anchor, question);
		return;
	}
	hold(t, (struct case_held){ .design = NULL });
	if (is && t->sitting->phase < CASE_DESIGN)
		say_what_numbers_do(t, question);
	else
		say_noted(t, question);
}

static bool do_facts(struct case_talk *t, const char *rest, int64_t now_ms)
{
	struct case_sitting *s = t->sitting;
	bool any = false;
	(void)now_ms;
	if (*rest)
		return false;
	for (size_t i = 0; i < s->deal.of->n_facts; i++)
		if (s->told[i]) {
			any = true;
			case_say_item(&t->said, TONE_FACT, "%s: %s", s->deal.of->facts[i].name,
				case_tell(&s->deal, i, s->stage));
		}
	if (!any)
		case_say(&t->said, TONE_HINT, "You know nothing yet. Ask.");
	return true;
}

/* --- Estimates --- */

/* Behind what is asked; "" of one that nothing was said to. */
static const char *state_words(const struct case_talk *t, size_t anchor)
{
	static const char *const words[] = { [ESTIMATE_NONE] = "",
		[ESTIMATE_OFF] = " (off)",
		[ESTIMATE_COUNTS] = " (counts)",
		[ESTIMATE_EXACT] = " (right)" };
	const struct case_estimate *e = &t->sitting->estimates[anchor];
	return is_held(t) && e->given ? " (noted)" : words[e->best];
}

/* In the units that are asked for: a case has two numbers at least. */
static void say_how_to_answer(struct case_talk *t)
{
	const struct case_sitting *s = t->sitting;
	char first[CASE_NAME_SIZE], other[CASE_NAME_SIZE];
	const size_t n = s->deal.variant.n_steps, open = next_anchor(t) % n, next = (open + 1) % n;
	case_say(&t->said, TONE_HINT,
		"Type 26%s for number %zu, or %zu: 26%s for number %zu. Within a factor of 1.3 "
		"counts.",
		case_anchor_unit(s, open, first), open + 1, next + 1,
		case_anchor_unit(s, next, other), next + 1);
}

static void list_anchors(struct case_talk *t)
{
	const struct case_sitting *s = t->sitting;
	struct arena_buffer names = { .arena = &t->said.arena };
	char name[CASE_NAME_SIZE];
	for (size_t i = 0; i < s->deal.variant.n_steps; i++) {
		arena_append_text(&names, i ? ", " : "");
		arena_append_text(&names, case_anchor_name(s, i, name));
	}
	case_say(&t->said, TONE_INTERVIEWER, "%zu numbers, in any order: %s.",
		s->deal.variant.n_steps, arena_buffer_text(&names));
	for (size_t i = 0; i < s->deal.variant.n_steps; i++) {
		case_say_item(&t->said, TONE_INTERVIEWER, "%zu %s: %s%s", i + 1,
			case_anchor_name(s, i, name), s->deal.variant.steps[i].asks,
			state_words(t, i));
		case_say_named(&t->said);
		case_say_aside(&t->said);
	}
	say_how_to_answer(t);
}

static void say_unread(struct case_talk *t, const struct grade *g)
{
	case_say(&t->said, TONE_HINT, "%s", *g->remark ? g->remark : verdict_words[g->verdict]);
}

/* What cannot be read is told at once, since it would be lost. */
static void hold_estimate(struct case_talk *t, size_t anchor, const char *answer)
{
	struct case_sitting *s = t->sitting;
	struct grade g;
	char name[CASE_NAME_SIZE];
	if (!case_sitting_reads(s, anchor, answer, &g)) {
		say_unread(t, &g);
		return;
	}
	s->estimates[anchor].given = arena_text(&t->said.arena, answer);
	hold(t, (struct case_held){ .anchor = anchor + 1, .answer = s->estimates[anchor].given });
	case_say(&t->said, TONE_HINT,
		"Noted as number %zu, %s. Your interviewer knows what it should be.", anchor + 1,
		case_anchor_name(s, anchor, name));
}

/* How far off an estimate is, without telling the number. */
static void say_distance(struct case_talk *t, const char *understood, double value, double key)
{
	const double off = value / key;
	const double factor = off > 1 ? off : 1 / off;
	if (!(off > 0))
		case_say(&t->said, TONE_BAD, "%s: off.", understood);
	else
		case_say(&t->said, TONE_BAD, "%s: off, too %s by %s.", understood,
			off > 1 ? "high" : "low",
			factor <= 2    ? "a factor of 2 or less"
			: factor <= 10 ? "a factor of 2 to 10"
				       : "more than a factor of 10");
}

/* A remark may end in a question mark of its own. */
static void say_off(struct case_talk *t, const char *understood, const char *remark)
{
	const size_t n = strlen(remark);
	case_say(&t->said, TONE_BAD, "%s: off: %s%s", understood, remark,
		strchr("?.!", remark[n - 1]) ? "" : ".");
}

static void estimate(struct case_talk *t, size_t anchor, const char *answer)
{
	struct case_sitting *s = t->sitting;
	struct grade g;
	char nearness[CASE_NEARNESS_SIZE];
	if (is_held(t)) {
		hold_estimate(t, anchor, answer);
		return;
	}
	enum estimate e = case_sitting_estimate(s, anchor, answer, &g);
	const char *understood = *g.understood ? g.understood : answer;
	if (e == ESTIMATE_NONE)
		say_unread(t, &g);
	else if (e == ESTIMATE_OFF && *g.remark)
		say_off(t, understood, g.remark);
	else if (e == ESTIMATE_OFF)
		say_distance(t, understood, g.value, s->deal.variant.steps[anchor].question.key);
	else {
		const struct variant_step *step = &s->deal.variant.steps[anchor];
		const bool rounds = question_rounded(&step->question, g.value) != g.value;
		case_say(&t->said, TONE_GOOD, "%s: %s.%s%s%s %s", understood,
			case_nearness(s, anchor, g.value, e, nearness), rounds ? " " : "",
			rounds ? g.remark : "", rounds ? "." : "", step->working);
	}
}

/* Whether a line that begins Estimate lists its numbers by that: whoever asks for the list then gets it once. */
static bool lists_anchors_as_it_begins(const struct case_talk *t)
{
	return t->sitting->phase < CASE_ESTIMATE && t->sitting->company != CASE_LED;
}

static bool do_estimate(struct case_talk *t, const char *rest, int64_t now_ms)
{
	char word[CASE_LINE_SIZE];
	size_t n = strcspn(rest, " \t:"), of;
	const char *number;
	(void)now_ms;
	if (!*rest) {
		if (!lists_anchors_as_it_begins(t))
			list_anchors(t);
		return true;
	}
	if (!next_answer(t, rest) && is_of_anchor(t, rest, &of, &number)) {
		estimate(t, of, number);
		return true;
	}
	snprintf(word, sizeof word, "%.*s", (int)n, rest);
	int anchor = case_sitting_anchor(t->sitting, word);
	const char *all = rest;
	rest += n + strspn(rest + n, " \t:");
	if (anchor < 0)
		return false;
	if (next_answer(t, all))
		estimate_each(t, all);
	else if (*rest)
		estimate(t, (size_t)anchor, rest);
	else
		case_say(&t->said, TONE_INTERVIEWER, "%s",
			t->sitting->deal.variant.steps[anchor].asks);
	return true;
}

/* --- The design --- */

static void list_knobs(struct case_talk *t)
{
	const struct case_sitting *s = t->sitting;
	const struct dealt_case *d = &s->deal;
	for (size_t i = 0; i < d->of->n_knobs; i++) {
		const struct case_knob *k = &d->of->knobs[i];
		char choices[300], now[64] = "";
		case_knob_choices(d, k, choices, sizeof choices);
		if (s->design.given[k->knob])
			case_knob_write(d, k, s->design.v[k->knob], now, sizeof now);
		case_say_item(&t->said, TONE_INTERVIEWER, "%s%s%s: %s (%s)", case_knob_name(d, k),
			*now ? " " : "", now, k->ask, choices);
		case_say_named(&t->said);
	}
	char example[EXAMPLE_SIZE];
	case_say(&t->said, TONE_HINT,
		"Example: %s. It is run once all are decided; then say what changes.",
		example_of_design(t, false, 2, example, sizeof example));
}

static void say_verdicts(struct case_talk *t)
{
	struct dealt_case *d = &t->sitting->deal;
	for (size_t i = 0; i < t->run.n_verdicts; i++) {
		const struct case_verdict *v = &t->run.verdicts[i];
		const struct case_goal *g = v->goal;
		/* To an interviewer it was asked aloud, which nothing here can know. */
		bool unasked = t->sitting->company == CASE_ALONE && g->fact >= 0 &&
			       !t->sitting->told[g->fact] && !case_opening_states(d, v->amount);
		case_say_box(&t->said, v->met ? BOX_MET : BOX_MISSED, 0, "%s: %s%s", g->name,
			v->words, unasked ? " (nobody asked for it)" : "");
	}
}

/* Whether something was said to a question. */
static bool is_answered(const struct case_sitting *s, const char *question)
{
	for (size_t i = 0; i < s->n_said; i++)
		if (s->said_to[i] && strcmp(s->said_to[i], question) == 0)
			return true;
	return false;
}

/* What a run leaves to ask. One that was answered is not asked again: the next goes deeper. */
static void say_question(struct case_talk *t, const char *ask)
{
	const bool answered = is_answered(t->sitting, ask);
	const struct case_question *deeper = answered && t->sitting->company == CASE_ALONE
						     ? case_sitting_follow_up(t->sitting)
						     : NULL;
	const char *next = deeper ? case_text(&t->sitting->deal, deeper->ask) : ask;
	t->answering = !answered || deeper;
	if (answered && !deeper)
		case_say(&t->said, TONE_INTERVIEWER,
			"You have answered what the interviewer asks about this.");
	else if (t->asked && strcmp(t->asked, next) == 0)
		case_say(&t->said, TONE_INTERVIEWER, "The interviewer's question stays.");
	else
		case_say(&t->said, TONE_INTERVIEWER, "The interviewer asks: %s", next);
	case_say_named(&t->said);
	t->asked = t->question = t->answering ? arena_text(&t->said.arena, next) : NULL;
}

static void say_run(struct case_talk *t)
{
	const struct case_run *r = &t->run;
	char cost[64];
	case_say(&t->said, r->met ? TONE_GOOD : TONE_BAD, "%zu of %zu goals met.", r->n_met,
		r->n_verdicts);
	say_verdicts(t);
	if (r->why)
		case_say(&t->said, TONE_SIMULATION, "The simulation says: %s", r->why);
	if (r->met && !isnan(r->cost))
		case_say(&t->said, TONE_SIMULATION, "%s: %s.", t->sitting->deal.of->cost_name,
			quantity_brief(
				cost, sizeof cost, r->cost, r->cost_unit ? r->cost_unit : ""));
	say_question(t, r->ask);
}

/* All that is not decided, by its names: what each decides was said in the list. */
static void say_open(struct case_talk *t)
{
	const struct case_sitting *s = t->sitting;
	struct arena_buffer b = { .arena = &t->said.arena };
	char example[EXAMPLE_SIZE];
	for (size_t i = 0; i < s->deal.of->n_knobs; i++) {
		const struct case_knob *k = &s->deal.of->knobs[i];
		if (s->design.given[k->knob])
			continue;
		arena_append_text(&b, b.text ? ", " : "");
		arena_append_text(&b, case_knob_name(&s->deal, k));
	}
	case_say(&t->said, TONE_HINT, "Noted. Still open: %s. Example: %s.", arena_buffer_text(&b),
		example_of_design(t, true, 2, example, sizeof example));
}

static void run(struct case_talk *t)
{
	struct case_sitting *s = t->sitting;
	if (case_design_as_today(&s->deal, &s->design) > 0)
		case_say(&t->said, TONE_HINT, "What it does not say stays as it is today.");
	if (case_design_lacks(&s->deal, &s->design)) {
		say_open(t);
		return;
	}
	if (is_held(t)) {
		const bool early = s->phase == CASE_TWIST && s->stage == 0;
		case_say(&t->said, TONE_HINT, "Noted. Your interviewer sees what it comes to.%s",
			early ? " It is judged as before a twist: where one was told, type twist, "
				"then the design."
			      : "");
		return;
	}
	/* Whoever looks while it runs finds none, not the last one. */
	case_run_release(&t->run);
	t->has_run = false;
	t->has_run = case_sitting_run(s, &t->run) == 0;
	t->run_stage = s->stage;
	if (t->has_run)
		say_run(t);
	else
		case_say(&t->said, TONE_HINT, "Out of memory.");
}

/* Cuts a copy of the text into words. Returns how many. */
static size_t cut_words(char *text, const char *words[MOST_DESIGN_WORDS])
{
	size_t n = 0;
	char *rest = NULL;
	for (char *w = strtok_r(text, " \t,;", &rest); w && n < MOST_DESIGN_WORDS;
		w = strtok_r(NULL, " \t,;", &rest))
		words[n++] = w;
	return n;
}

/* Takes the knob that words begin with, "tensor parallel" or "tp", into id. Returns how many words it has; 0: they
 * begin with none. */
static size_t take_knob(
	const struct case_talk *t, const char *const words[], size_t n, char id[KNOB_SIZE])
{
	enum { MOST = 5 };
	for (size_t k = n < MOST ? n : MOST; k > 0; k--) {
		size_t used = 0;
		for (size_t i = 0; i < k && used < KNOB_SIZE; i++)
			used += (size_t)snprintf(
				id + used, KNOB_SIZE - used, "%s%s", i ? "_" : "", words[i]);
		char *sign = id + strcspn(id, "=:");
		const bool last = sign[0] && !sign[1]; /* "weights:" */
		if (last)
			*sign = '\0';
		if (case_design_has(&t->sitting->deal, id))
			return k;
	}
	return 0;
}

/* "tensor parallel 4, weights: fp8, tp=2" as "tensor_parallel=4 weights=fp8 tp=2 ". False: it is no list of knobs
 * and values. */
static bool join_pairs(const struct case_talk *t, const char *rest, char *joined, size_t size)
{
	char copy[CASE_LINE_SIZE], id[KNOB_SIZE];
	const char *words[MOST_DESIGN_WORDS];
	size_t used = 0;
	snprintf(copy, sizeof copy, "%s", rest);
	const size_t n = cut_words(copy, words);
	joined[0] = '\0';
	for (size_t i = 0; i < n && used < size;) {
		const char *equals = strchr(words[i], '=');
		if (equals && equals > words[i] && equals[1]) {
			used += (size_t)snprintf(joined + used, size - used, "%s ", words[i++]);
			continue;
		}
		const size_t k = take_knob(t, words + i, n - i, id);
		i += k;
		/* "gpu = h100" */
		i += k && i < n && (strcmp(words[i], "=") == 0 || strcmp(words[i], ":") == 0);
		if (k == 0 || i == n)
			return false;
		used += (size_t)snprintf(joined + used, size - used, "%s=%s ", id, words[i++]);
	}
	return n > 0 && used < size;
}

/* What stands behind the words that propose, "what about"; NULL: a line begins with none of them. */
static const char *after_proposal(const char *line)
{
	static const char *const words[] = { "what about", "how about", "what if", "why not",
		"shall we", "should we", "could we", "can we" };
	for (size_t i = 0; i < LENGTH(words); i++) {
		const char *rest = case_after_word(line, words[i]);
		if (rest)
			return rest;
	}
	return NULL;
}

/* "Try 28", "28": the number whose change the last design was; or the only one that can be so much. False: it is no
 * number, or nothing says of what. */
static bool join_number(const struct case_talk *t, const char *rest, char *joined, size_t size)
{
	static const char *const before[] = { "try", "and", "then", "now", "with", "rather",
		"maybe", "say", "make", "it", "go", "to", "let's", "lets", "use", "take", "just" };
	const struct dealt_case *d = &t->sitting->deal;
	char word[LINE_WORD_SIZE], err[300];
	const char *number = rest;
	size_t n = 0;
	for (const char *at = rest; is_one_of(line_word(&at, word), before, LENGTH(before));)
		number = at;
	number += strspn(number, LINE_BLANKS);
	if (!isdigit((unsigned char)*number) || number[strcspn(number, " \t")])
		return false;
	for (size_t i = 0; i < d->of->n_knobs; i++) {
		char pair[KNOB_SIZE];
		const char *words[] = { pair };
		struct case_design said = { .v = { 0 } };
		snprintf(pair, sizeof pair, "%s=%s", case_knob_id(d, &d->of->knobs[i]), number);
		if (case_design_read(d, &said, words, 1, err, sizeof err))
			continue;
		if (t->number_knob == i + 1) {
			snprintf(joined, size, "%s", pair);
			return true;
		}
		if (n++ == 0)
			snprintf(joined, size, "%s", pair);
	}
	return n == 1;
}

/* "Double the batch", against what the design is; before takes what it was. False: nothing is said so. */
static bool read_change(const struct case_talk *t, const char *line,
	char changed[2 * CASE_LINE_SIZE], char before[CASE_LINE_SIZE])
{
	const struct case_sitting *s = t->sitting;
	const struct case_knob *last =
		t->number_knob ? &s->deal.of->knobs[t->number_knob - 1] : NULL;
	return case_change_read(&s->deal, &s->design, last, line, changed, 2 * CASE_LINE_SIZE,
		before, CASE_LINE_SIZE);
}

/* The pairs of a changed line alone, where one of them cannot be had: it is told of that one. */
static bool join_refused(const struct case_talk *t, const char *changed, char *joined, size_t size)
{
	char copy[2 * CASE_LINE_SIZE], err[300];
	const char *words[MOST_DESIGN_WORDS];
	struct case_design said = { .v = { 0 } };
	size_t used = 0;
	bool refused = false;
	snprintf(copy, sizeof copy, "%s", changed);
	const size_t n = cut_words(copy, words);
	for (size_t i = 0; i < n && used < size; i++)
		if (strchr(words[i], '=')) {
			refused |= case_design_read(&t->sitting->deal, &said, words + i, 1, err,
					   sizeof err) != 0;
			used += (size_t)snprintf(joined + used, size - used, "%s ", words[i]);
		}
	return refused;
}

/* What is proposed without what proposes it: "TP 8" of "what about TP 8?". False: the line asks, or has its own signs. */
static bool cut_proposal(const char *rest, char copy[CASE_LINE_SIZE])
{
	const char *proposed = after_proposal(rest);
	snprintf(copy, CASE_LINE_SIZE, "%s", proposed ? proposed : rest);
	size_t n = strlen(copy);
	while (n && strchr(" \t?", copy[n - 1]))
		copy[--n] = '\0';
	return !strchr(rest, '=') && !case_begins_question(copy);
}

/* The same of a design as people say it, "12 H100s, FP8 weights", "what about TP 8?" or "double the batch"; what else asks
 * is none. before takes what a change changed. */
static bool read_said(const struct case_talk *t, const char *rest, struct case_design *said,
	char *joined, size_t size, char before[CASE_LINE_SIZE])
{
	char copy[CASE_LINE_SIZE], changed[2 * CASE_LINE_SIZE];
	*said = (struct case_design){ .v = { 0 } };
	before[0] = '\0';
	if (!cut_proposal(rest, copy))
		return false;
	const bool changes = read_change(t, copy, changed, before);
	if (!case_design_said(&t->sitting->deal, changes ? changed : copy, said))
		return changes ? join_refused(t, changed, joined, size)
			       : join_number(t, copy, joined, size);
	case_design_write(&t->sitting->deal, said, joined, size);
	return true;
}

static bool join_said(const struct case_talk *t, const char *rest, char *joined, size_t size)
{
	struct case_design unused;
	char before[CASE_LINE_SIZE];
	return read_said(t, rest, &unused, joined, size, before);
}

/* What was understood of it, by the names of its knobs, and of changes what they were before. */
static void say_understood(struct case_talk *t, const char *joined, const char *before)
{
	char copy[2 * CASE_LINE_SIZE], names[2 * CASE_LINE_SIZE], unused[500];
	const char *words[MOST_DESIGN_WORDS];
	struct case_design said = { .v = { 0 } };
	snprintf(copy, sizeof copy, "%s", joined);
	const size_t n = cut_words(copy, words);
	if (case_design_read(&t->sitting->deal, &said, words, n, unused, sizeof unused) == 0)
		case_say(&t->said, TONE_HINT, "Understood as: %s.%s%s%s",
			case_design_words(&t->sitting->deal, &said, names, sizeof names),
			*before ? " Before: " : "", before, *before ? "." : "");
}

/* Of counts that were said in parts, what they are now. */
static void say_rounded(struct case_talk *t, const struct case_design *typed)
{
	const struct dealt_case *d = &t->sitting->deal;
	char part[40], whole[40];
	for (size_t i = 0; i < d->of->n_knobs; i++) {
		const struct case_knob *k = &d->of->knobs[i];
		if (typed->given[k->knob] && typed->part[k->knob] > 0)
			case_say(&t->said, TONE_HINT, "%s: %s rounds up to %s, a whole number.",
				case_knob_name(d, k),
				number_write(part, sizeof part, typed->part[k->knob], 4),
				number_write(whole, sizeof whole, ceil(typed->part[k->knob]), 15));
	}
	memset(t->sitting->design.part, 0, sizeof t->sitting->design.part);
}

/* Of which number a number alone is from now on: the only one that the last design changed. A design that changed nothing
 * leaves that as it was. */
static void note_number(struct case_talk *t, const struct case_design *before)
{
	const struct case_sitting *s = t->sitting;
	size_t n = 0;
	for (size_t i = 0; i < s->deal.of->n_knobs; i++) {
		const struct case_knob *k = &s->deal.of->knobs[i];
		const bool same = before->given[k->knob] == s->design.given[k->knob] &&
				  before->v[k->knob] == s->design.v[k->knob];
		if (same)
			continue;
		if (n == 0)
			t->number_knob = 0;
		if (s->deal.of->sim->knobs[k->knob].kind == KNOB_NUMBER)
			t->number_knob = ++n == 1 ? i + 1 : 0;
	}
}

static bool do_design(struct case_talk *t, const char *rest, int64_t now_ms)
{
	char copy[2 * CASE_LINE_SIZE], joined[2 * CASE_LINE_SIZE], was[CASE_LINE_SIZE] = "",
								   why[500], example[EXAMPLE_SIZE];
	const char *words[MOST_DESIGN_WORDS];
	(void)now_ms;
	if (!*rest) {
		list_knobs(t);
		return true;
	}
	struct case_design typed = { .v = { 0 } };
	const bool listed = join_pairs(t, rest, joined, sizeof joined),
		   pairs = listed || read_said(t, rest, &typed, joined, sizeof joined, was);
	if (!pairs && !strchr(rest, '=')) {
		if (asks_by_form(rest))
			return false;
		case_say(&t->said, TONE_HINT,
			"A design is knobs and values, such as: %s; design alone lists them.",
			example_of_design(t, false, 1, example, sizeof example));
		return true;
	}
	snprintf(copy, sizeof copy, "%s", pairs ? joined : rest);
	size_t n = cut_words(copy, words);
	const struct case_design before = t->sitting->design;
	if (case_design_read(&t->sitting->deal, &t->sitting->design, words, n, why, sizeof why)) {
		case_say(&t->said, TONE_HINT, "%s", why);
		return true;
	}
	note_number(t, &before);
	if (pairs && !listed)
		say_understood(t, joined, was);
	say_rounded(t, listed || !pairs ? &t->sitting->design : &typed);
	if (is_held(t))
		hold(t, (struct case_held){
				.design = arena_text(&t->said.arena, pairs ? joined : rest) });
	run(t);
	return true;
}

/* "run it", "run the design again": nothing but the word. */
static bool says_only_run(const char *rest)
{
	static const char *const words[] = { "it", "that", "this", "the", "my", "design", "again",
		"now", "once", "more", "please" };
	char word[LINE_WORD_SIZE];
	while (*line_word(&rest, word))
		if (!is_one_of(word, words, LENGTH(words)))
			return false;
	return true;
}

/* Whether what is decided has run, and against the goals of now. */
static bool has_run_so(const struct case_talk *t)
{
	const struct case_sitting *s = t->sitting;
	bool so = t->has_run && t->run_stage == s->stage;
	for (size_t i = 0; i < s->deal.of->n_knobs && so; i++) {
		const size_t knob = s->deal.of->knobs[i].knob;
		so = s->design.given[knob] && s->design.v[knob] == t->run.v[knob];
	}
	return so;
}

/* A design runs as soon as all is decided, so the word does something where a twist has changed the goals since. */
static bool do_run(struct case_talk *t, const char *rest, int64_t now_ms)
{
	struct case_sitting *s = t->sitting;
	char example[EXAMPLE_SIZE];
	if (!says_only_run(rest)) {
		if (!reads_as_design(t, rest))
			return false;
		reach(t, CASE_DESIGN, now_ms);
		return do_design(t, rest, now_ms);
	}
	if (t->proposed)
		return run_proposed(t, now_ms);
	if (!case_design_begun(&s->deal, &s->design))
		case_say(&t->said, TONE_HINT,
			"Nothing is decided yet. A design names its knobs, such as: %s; design alone "
			"lists them.",
			example_of_design(t, false, 2, example, sizeof example));
	else if (!has_run_so(t)) {
		/* The verdict that waits is that of this stage. */
		if (is_held(t))
			hold(t, (struct case_held){ .design = NULL });
		run(t);
	} else
		case_say(&t->said, TONE_HINT,
			"That has run: what it came to stands above. Say what changes, and it runs "
			"with that.");
	return true;
}

/* --- Twists and the rest --- */

static void tell_twist(struct case_talk *t, const struct case_twist *w, int64_t now_ms)
{
	case_sitting_reach(t->sitting, CASE_TWIST, now_ms);
	case_say(&t->said, TONE_INTERVIEWER, "Twist %zu: %s", t->sitting->stage,
		case_text(&t->sitting->deal, w->say));
	case_say_named(&t->said);
	t->question = case_text(&t->sitting->deal, w->say);
	t->answering = true; /* what changed waits for a word on it */
}

static bool do_twist(struct case_talk *t, const char *rest, int64_t now_ms)
{
	if (*rest)
		return false;
	const struct case_twist *w = case_sitting_twist(t->sitting, -1);
	if (w)
		tell_twist(t, w, now_ms);
	else
		case_say(&t->said, TONE_HINT, "There are no more twists.");
	return true;
}

/* Asks it, or nothing: NULL. */
static void put_question(struct case_talk *t, const char *text)
{
	t->question = text;
	t->answering = text != NULL;
	if (text)
		case_say(&t->said, TONE_INTERVIEWER, "%s", text);
}

static bool do_follow(struct case_talk *t, const char *rest, int64_t now_ms)
{
	(void)now_ms;
	if (*rest)
		return false;
	/* They say what a good design has. A person may ask them when they like. */
	if (t->sitting->company == CASE_ALONE && t->sitting->phase < CASE_DESIGN) {
		case_say(
			&t->said, TONE_HINT, "These go deeper than we are: they come with Design.");
		return true;
	}
	const struct case_question *q = t->debriefed ? NULL : case_sitting_follow_up(t->sitting);
	put_question(t, q ? case_text(&t->sitting->deal, q->ask) : NULL);
	if (!q)
		case_say(&t->said, TONE_HINT, "There are no more questions.");
	return true;
}

static bool do_say(struct case_talk *t, const char *rest, int64_t now_ms)
{
	(void)now_ms;
	if (!*rest)
		return false;
	take_answer(t, rest);
	return true;
}

static bool do_unsay(struct case_talk *t, const char *rest, int64_t now_ms)
{
	struct case_sitting *s = t->sitting;
	(void)now_ms;
	if (*rest)
		return false;
	if (s->n_said)
		case_say(&t->said, TONE_HINT, "Taken back: %s", s->said[--s->n_said]);
	else
		case_say(&t->said, TONE_HINT, "Nothing was said yet.");
	return true;
}

/* What follows the name of a phase, however it is written: "wrap_up", "wrap-up", "Wrap up"; NULL: it is another. */
static const char *after_phase(const char *text, const char *id)
{
	for (; *id; id++, text++) {
		const bool gap = *id == '_' && *text && strchr("_- ", *text);
		if (!gap && tolower((unsigned char)*text) != *id)
			return NULL;
	}
	return text + strspn(text, " \t");
}

static bool do_mark(struct case_talk *t, const char *rest, int64_t now_ms)
{
	struct case_sitting *s = t->sitting;
	(void)now_ms;
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		const char *mark = after_phase(rest, case_phase_ids[i]);
		if (!mark)
			continue;
		if (mark[0] < '1' || mark[0] > '0' + CASE_MARKS || mark[1])
			break;
		s->marks[i] = (unsigned)(mark[0] - '0');
		case_say(&t->said, TONE_DEBRIEF, "%s: %u, %s", case_phase_names[i], s->marks[i],
			case_text(&s->deal, s->deal.of->rubric[i].levels[s->marks[i] - 1]));
		return true;
	}
	case_say(&t->said, TONE_HINT,
		"Expected a phase and a mark from 1 to %d, such as: mark clarify 3. Phases are "
		"clarify, estimate, design, twist and wrap_up.",
		CASE_MARKS);
	return true;
}

static bool do_end(struct case_talk *t, const char *rest, int64_t now_ms)
{
	(void)now_ms;
	if (*rest)
		return false;
	case_debrief(t->sitting, &t->said);
	t->debriefed = true;
	return true;
}

/* A word that is an interviewer's, where there is one. */
static bool refuse(struct case_talk *t)
{
	case_say(&t->said, TONE_HINT,
		"Your interviewer does that. release and the word that they say shows what "
		"everything came to.");
	return true;
}

/* Twists that nobody told are told of, and where runs have led to all follow-ups, there is still a word to say. */
static void begin_wrap_up(struct case_talk *t)
{
	static const char closing[] =
		"What would you build, and what would you watch once it runs?";
	struct case_sitting *s = t->sitting;
	if (s->company == CASE_ALONE && s->stage < s->deal.n_twists)
		case_say(&t->said, TONE_HINT,
			"Twist %zu was not told yet: twist tells it all the same, and design with its "
			"knobs runs a design for it.",
			s->stage + 1);
	const struct case_question *deeper = case_sitting_follow_up(s);
	put_question(t, deeper ? case_text(&s->deal, deeper->ask) : closing);
}

/* The phase after this one, with what it begins with. The last one ends in the debrief, which has all
 * answers: one key too many must not show them. */
static bool do_next(struct case_talk *t, const char *rest, int64_t now_ms)
{
	struct case_sitting *s = t->sitting;
	if (strcasecmp(rest, "twist") == 0)
		return do_twist(t, "", now_ms);
	if (*rest)
		return false;
	enum case_phase to = s->phase + 1;
	if (to == CASE_TWIST && s->deal.n_twists == 0)
		to = CASE_WRAP_UP;
	if (t->debriefed) {
		case_say(&t->said, TONE_HINT,
			"That was all. end shows the debrief again, mark sets a mark, quit leaves.");
		return true;
	}
	if (s->phase == CASE_WRAP_UP) {
		if (is_held(t))
			return refuse(t);
		if (t->warned)
			return do_end(t, rest, now_ms);
		t->warned = true;
		case_say(&t->said, TONE_HINT,
			"Wrap-up ends the interview: next again, or end, shows the debrief.");
		return true;
	}
	case_sitting_reach(s, to, now_ms);
	t->answering = false;
	const struct sitting_plan plan = case_plan_of(s, now_ms);
	const long minutes = case_plan_minutes(&plan, to);
	case_say(&t->said, TONE_HINT, "%s: %ld minute%s for it.", case_phase_names[to], minutes,
		minutes == 1 ? "" : "s");
	if (to == CASE_ESTIMATE)
		list_anchors(t);
	else if (to == CASE_DESIGN)
		list_knobs(t);
	else if (is_held(t) && to == CASE_TWIST && s->stage == 0)
		case_say(&t->said, TONE_HINT,
			"When your interviewer has told a twist, type twist: designs are judged by "
			"it from then on.");
	else if (is_held(t))
		return true;
	else if (to == CASE_TWIST)
		do_twist(t, rest, now_ms);
	else
		begin_wrap_up(t);
	return true;
}

/* --- Verdicts that wait --- */

/* A line as it was understood when it was typed: what it would be by now is no matter. */
static void release_line(struct case_talk *t, const struct case_held *h, int64_t now_ms)
{
	struct case_sitting *s = t->sitting;
	s->stage = h->stage;
	s->phase = h->phase;
	t->line = h->line;
	case_talk_echo(t, h->line);
	/* What a record says of its reading stays. */
	if (recorded_of(t, h->line) || (!h->anchor && !h->design))
		case_talk_line(t, h->line, now_ms);
	else if (h->design)
		do_design(t, h->design, now_ms);
	else
		estimate(t, h->anchor - 1, h->answer);
}

/* All that was noted is answered now, each at the stage of the case and in the phase in which it was typed. */
static void release(struct case_talk *t, int64_t now_ms)
{
	struct case_sitting *s = t->sitting;
	const size_t stage = s->stage;
	const enum case_phase phase = s->phase;
	int64_t entered_ms[N_CASE_PHASES];
	memcpy(entered_ms, s->entered_ms, sizeof entered_ms);
	s->company = CASE_LED;
	s->design = (struct case_design){ .v = { 0 } };
	case_say(&t->said, TONE_HEADING, "What it came to");
	for (const struct case_held *h = t->held; h; h = h->next)
		release_line(t, h, now_ms);
	s->stage = stage;
	s->phase = phase;
	memcpy(s->entered_ms, entered_ms, sizeof entered_ms);
	case_say(&t->said, TONE_HINT, "From now on you are told at once; end shows the debrief.");
	case_say_apart(&t->said);
}

static bool do_release(struct case_talk *t, const char *rest, int64_t now_ms)
{
	char word[CASE_WORD_SIZE];
	const struct dealt_case *d = &t->sitting->deal;
	if (!is_held(t))
		return false;
	if (strcasecmp(rest, case_release_word(d->of->id, d->seed, d->level, word)) == 0)
		release(t, now_ms);
	else
		case_say(&t->said, TONE_HINT,
			"release and the word that your interviewer says when you may see what it "
			"came to.");
	return true;
}

static bool do_help(struct case_talk *t, const char *rest, int64_t now_ms);

enum { STAYS = -1 };
static const struct word_act {
	const char *word, *help;
	int phase; /* that its work belongs to; STAYS: any */
	act_fn act;
	bool theirs; /* an interviewer's, where there is one */
} acts[] = {
	{ "facts", "what you were told so far", STAYS, do_facts, true },
	{ "estimate", "lists the numbers to estimate; estimate 1 140 GB answers one", CASE_ESTIMATE,
		do_estimate, false },
	{ "design", "lists your knobs; design knob=value ... runs a design", CASE_DESIGN, do_design,
		false },
	{ "run", "runs what is decided; after a twist, against its goals", STAYS, do_run, false },
	{ "twist", "the next twist, before its time", STAYS, do_twist, false },
	{ "yes",
		"that is what you mean, when the interviewer asks back; of two 1, 2 or both, or no",
		STAYS, do_yes, true },
	{ "follow", "the next question that goes deeper", STAYS, do_follow, true },
	{ "say", "say WORDS keeps what you answer aloud, beside the rubric", STAYS, do_say, false },
	{ "unsay", "takes the last answer back that was kept", STAYS, do_unsay, false },
	{ "next", "ends this phase and begins the next one", STAYS, do_next, false },
	{ "end", "debrief, and the rubric beside what you did", CASE_WRAP_UP, do_end, true },
	{ "mark", "mark clarify 3 sets a mark of your own, from 1 to 4", STAYS, do_mark, true },
	{ "release", "release and your interviewer's word: what everything came to", STAYS,
		do_release, false },
	{ "help", "this list", STAYS, do_help, false },
};

static bool is_offered(const struct case_talk *t, const struct word_act *a)
{
	return is_held(t) ? !a->theirs : a->act != do_release;
}

bool case_talk_deals_anew(const struct case_talk *t)
{
	return t->deals_anew && t->debriefed;
}

static bool do_help(struct case_talk *t, const char *rest, int64_t now_ms)
{
	(void)now_ms;
	if (*rest)
		return false;
	case_say(&t->said, TONE_HINT,
		is_held(t) ? "Any other line is noted."
			   : "Any other line is a question to the interviewer, or the answer to "
			     "theirs.");
	for (size_t i = 0; i < LENGTH(acts); i++)
		if (is_offered(t, &acts[i]))
			case_say_item(&t->said, TONE_HINT, "%s: %s", acts[i].word, acts[i].help);
	if (case_talk_deals_anew(t))
		case_say_item(&t->said, TONE_HINT, "again: the same case with other numbers");
	case_say(&t->said, TONE_HINT, "quit: leaves");
	return true;
}

size_t case_talk_words(struct case_word out[], size_t most)
{
	size_t n = 0;
	for (; n < LENGTH(acts) && n < most; n++)
		out[n] = (struct case_word){ acts[n].word, acts[n].help };
	return n;
}

/* --- Lines --- */

/* False: the line is a question after all. */
static bool do_word(struct case_talk *t, const struct word_act *a, const char *rest, int64_t now_ms)
{
	if (!is_held(t) || !a->theirs)
		return a->act(t, rest, now_ms);
	return *rest ? false : refuse(t);
}

/* A line that belongs to a later phase begins that one, and says so: what the phases between have is
 * passed over with it. */
static void reach(struct case_talk *t, enum case_phase phase, int64_t now_ms)
{
	struct case_sitting *s = t->sitting;
	const enum case_phase was = s->phase;
	case_sitting_reach(s, phase, now_ms);
	t->answering &= s->phase == was || phase >= CASE_DESIGN;
	if (s->phase == was || s->company == CASE_LED || phase == CASE_WRAP_UP)
		return;
	case_say(&t->said, TONE_HINT, "With that %s is over, and %s has begun.",
		case_phase_names[was], case_phase_names[phase]);
	if (phase == CASE_ESTIMATE)
		list_anchors(t);
}

/* Alone nobody else looks at the clock: a phase that is over its time, and the end of all, are told once. */
static void tell_time(struct case_talk *t, int64_t now_ms)
{
	const struct case_sitting *s = t->sitting;
	if (s->company != CASE_ALONE || t->debriefed || now_ms < 0)
		return;
	const struct sitting_plan plan = case_plan_of(s, now_ms);
	if (now_ms >= plan.limit_ms && !t->told_end) {
		t->told_end = true;
		case_say(&t->said, TONE_INTERVIEWER,
			"That is our time. end shows the debrief; what you still say is kept.");
	} else if (plan.over_ms > 0 && !t->told_time[s->phase] && s->phase < CASE_WRAP_UP) {
		t->told_time[s->phase] = true;
		case_say(&t->said, TONE_INTERVIEWER,
			"That was the time for %s: let us go on when you are ready.",
			case_phase_names[s->phase]);
	}
}

/* Says what was read of a line that is a design in part, and what was not: it is run at a "yes". False: it is rather a
 * sentence, whose words are mostly of no design. An answer names knobs, too, so where one is awaited three of four words
 * must be the design's. */
static bool propose(struct case_talk *t, const char *line)
{
	struct case_design_part part;
	char names[2 * CASE_LINE_SIZE], design[2 * CASE_LINE_SIZE];
	char changed[2 * CASE_LINE_SIZE], unused[CASE_LINE_SIZE];
	if (!case_design_is_due(t->sitting) || t->sitting->company != CASE_ALONE ||
		asks_by_form(line) || case_after_word(line, "because") ||
		case_after_word(line, "since") ||
		!case_design_said_partly(&t->sitting->deal,
			read_change(t, line, changed, unused) ? changed : line, &part) ||
		!part.n_left)
		return false;
	/* An answer that names one knob is an answer. */
	size_t knobs = 0;
	for (size_t i = 0; i < MAX_KNOBS; i++)
		knobs += part.design.given[i];
	const size_t words_to_one_left = t->answering && knobs < 2 ? 4 : 2;
	if (words_to_one_left * part.n_left > part.n)
		return false;
	t->offer.n = 0;
	t->proposed = arena_text(&t->said.arena,
		case_design_write(&t->sitting->deal, &part.design, design, sizeof design));
	case_say(&t->said, TONE_HINT,
		"Read: %s. Not read: %s. yes runs what was read; say and your words keeps them as an "
		"answer.",
		case_design_words(&t->sitting->deal, &part.design, names, sizeof names), part.left);
	return true;
}

/* Whether a line is nothing but the words of a fact that was not told. */
static bool asks_for_fact(const struct case_talk *t, const char *line)
{
	const struct case_match m = case_ask(t->sitting->deal.of, line);
	return m.kind == MATCH_FACT && m.whole && !t->sitting->told[m.facts[0]];
}

/* A line of nothing but knobs and values, in whatever form it is proposed. */
static bool reads_as_design(const struct case_talk *t, const char *line)
{
	char joined[2 * CASE_LINE_SIZE];
	return (!strchr(line, '?') && join_pairs(t, line, joined, sizeof joined)) ||
	       join_said(t, line, joined, sizeof joined);
}

/* A number alone, which answers where the interviewer waits for an answer. */
static bool is_bare_answer(const struct case_talk *t, const char *line)
{
	return t->answering && isdigit((unsigned char)*line) && !line[strcspn(line, " \t")];
}

/* "tp=4 pp=8", or where designs are due "tensor parallel 4" or "4 GPUs": a design without its word. */
static bool is_design(const struct case_talk *t, const char *line)
{
	char joined[2 * CASE_LINE_SIZE];
	if (case_design_is_due(t->sitting))
		return !is_bare_answer(t, line) && reads_as_design(t, line);
	return strchr(line, '=') && !strchr(line, '?') &&
	       join_pairs(t, line, joined, sizeof joined);
}

/* Who says the rest of a design that was read in part means all of it. */
static void keep_proposed(struct case_talk *t)
{
	char copy[2 * CASE_LINE_SIZE], names[2 * CASE_LINE_SIZE], unused[300];
	const char *words[MOST_DESIGN_WORDS];
	struct case_design said = { .v = { 0 } };
	const struct dealt_case *d = &t->sitting->deal;
	snprintf(copy, sizeof copy, "%s", t->proposed);
	const size_t n = cut_words(copy, words);
	if (case_design_read(d, &said, words, n, unused, sizeof unused) ||
		case_design_read(d, &t->sitting->design, words, n, unused, sizeof unused))
		return;
	case_say(&t->said, TONE_HINT, "With what was read before: %s.",
		case_design_words(d, &said, names, sizeof names));
}

bool case_talk_asks_anew(const struct case_talk *t, const char *line)
{
	const char *rest = case_after_word(line + strspn(line, " \t"), "again");
	return case_talk_deals_anew(t) && rest && !*rest;
}

bool case_talk_runs(const struct case_talk *t, const char *line)
{
	const char *ran = case_after_word(line, "run");
	if (ran && says_only_run(ran))
		return t->proposed ||
		       (!is_held(t) && !has_run_so(t) &&
			       case_design_begun(&t->sitting->deal, &t->sitting->design));
	if (t->proposed && strcasecmp(line, "yes") == 0)
		return true;
	if (ran && reads_as_design(t, ran))
		return !is_held(t);
	const char *rest = case_after_word(line, is_held(t) ? "release" : "design");
	return rest ? *rest != '\0' : !is_held(t) && is_design(t, line);
}

/* A line with no blanks before it. */
static bool do_line(struct case_talk *t, const char *line, int64_t now_ms)
{
	const struct case_twist *w;
	const char *rest;
	while ((w = case_sitting_twist(t->sitting, now_ms)) != NULL)
		tell_twist(t, w, now_ms);
	tell_time(t, now_ms);
	if (!*line)
		return true;
	if ((rest = case_after_word(line, "quit")) && !*rest) {
		t->left = true;
		return false;
	}
	if (strcmp(line, "?") == 0 || strcmp(line, "hint") == 0)
		line = "help";
	t->line = line;
	const bool runs = (rest = case_after_word(line, "run")) && says_only_run(rest);
	if (strcasecmp(line, "yes") != 0 && !runs && t->proposed) {
		const char *body = case_after_word(line, "design");
		body = body ? body : case_after_word(line, "run");
		if (is_design(t, body && *body ? body : line))
			keep_proposed(t);
		t->proposed = NULL;
		if (strcasecmp(line, "no") == 0) {
			case_say(&t->said, TONE_HINT, "Then it is not run.");
			return true;
		}
	}
	/* A word that has been added since was a question then. */
	if (recorded_of(t, line)) {
		hear(t, line);
		return true;
	}
	/* The key that leaves elsewhere is a letter of the line here. */
	if (strcmp(line, "q") == 0) {
		case_say(&t->said, TONE_HINT, "quit leaves; what was typed is kept.");
		return true;
	}
	for (size_t i = 0; i < LENGTH(acts); i++)
		if ((rest = case_after_word(line, acts[i].word))) {
			const bool refused = is_held(t) && acts[i].theirs;
			if (!do_word(t, &acts[i], rest, now_ms))
				continue;
			if (acts[i].phase != STAYS && !refused)
				reach(t, (enum case_phase)acts[i].phase, now_ms);
			return true;
		}
	if (is_design(t, line)) {
		reach(t, CASE_DESIGN, now_ms);
		return do_design(t, line, now_ms);
	}
	if (propose(t, line))
		return true;
	if (!t->answering && t->sitting->company == CASE_ALONE && !asks_by_form(line) &&
		!asks_for_fact(t, line) && says_change(t, line))
		return true;
	/* It would be kept as an answer, and the sitting judged by the design before it. */
	if (t->sitting->phase == CASE_WRAP_UP && t->sitting->company == CASE_ALONE &&
		reads_as_design(t, line)) {
		case_say(&t->said, TONE_HINT,
			"Designing is over: this is not run, and not kept. design and these words run "
			"it all the same, say and these words keep them as an answer.");
		return true;
	}
	ask(t, line);
	return true;
}

bool case_talk_line(struct case_talk *t, const char *line, int64_t now_ms)
{
	if (t->depth++ == 0)
		t->heard = t->last_heard = NULL;
	const bool more = do_line(t, line + strspn(line, " \t"), now_ms);
	if (--t->depth == 0)
		t->recorded = NULL;
	return more;
}

void case_talk_echo(struct case_talk *t, const char *line)
{
	case_say_at(&t->said, TONE_YOU, 0, 2, "> %s", line);
	case_say_apart(&t->said);
}

void case_talk_begin(struct case_talk *t, struct case_sitting *s)
{
	const struct dealt_case *d = &s->deal;
	*t = (struct case_talk){ .sitting = s };
	case_say(&t->said, TONE_HEADING, "%s, %s, seed %llu", d->of->title,
		case_level_names[d->level], (unsigned long long)d->seed);
	case_say(&t->said, TONE_INTERVIEWER, "%s", case_text(&s->deal, d->of->opening));
	case_say_apart(&t->said);
	case_say(&t->said, TONE_HINT, "%s",
		s->company == CASE_ALONE
			? "Ask what you need to know: the rest comes only when asked for. help "
			  "lists the words that do more."
			: "Ask your interviewer aloud what you need to know. Numbers and designs are "
			  "typed here: next goes to the phase where they belong, help lists the "
			  "words.");
	case_say_apart(&t->said);
}

void case_talk_release(struct case_talk *t)
{
	case_run_release(&t->run);
	case_said_release(&t->said);
	*t = (struct case_talk){ .sitting = NULL };
}
