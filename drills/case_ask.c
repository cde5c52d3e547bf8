/* A question is reduced to the words that say something, endings and spelling aside, and each fact to
 * the words of its phrases. A fact scores by the words of those of its phrases that the question has;
 * what other facts also have says less. It is told only when its words outweigh those that nobody
 * knows, it is clearly nearer than any other, and it knows enough of the question or no other word of
 * it leads elsewhere. Otherwise the nearest two are offered by name, and there single words of a phrase
 * and those of a fact's name count as well: too little to tell a fact by, but enough to ask whether it is
 * meant, as an interviewer would. */
#include "drills/case_ask.h"

#include "sims/base/array.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WORD_SIZE = 24, MOST_WORDS = 60, PHRASE_WORDS = 8, SHORTEST_ROOT = 3, SHORTEST_TYPO = 5 };
enum { MOST_SYNONYMS = 400, PART_SIZE = 1000 };

/* What a further word of a phrase adds: "first token" is about the first token, "token" is not. */
static const double phrase_bonus = 0.3;
/* What a word that no fact knows weighs against those that one knows, and what one of the field does:
 * "network" in a case that says nothing of networks. */
static const double unknown_weight = 0.3, foreign_weight = 1;
/* The share of that weight that must be the fact's own, more than, and of the best fact's score that
 * another one may have at most. */
static const double least_share = 0.5, most_of_best = 0.75;
/* The share of a question's words that a fact must know to be told without asking back. */
static const double sure_share = 0.4;
/* What a fact must score to be told for less than that, a word that no other has, and the share of its lead that any
 * other may have then. */
static const double own_word = 1, most_of_lead = 0.3;
/* What a word counts for an offer that one fact alone has, in its name or in a part of a phrase, and what
 * a fact must come to: a word that at most three facts have. */
static const double lead_weight = 0.6, least_lead = 0.2;
/* What a word counts that says how, or of what: the request of "tokens per request". */
static const double measure_weight = 0.5;

/* Words that say nothing about what is asked. */
static const char *const stop_words[] = { "a", "about", "after", "against", "again", "all",
	"allowed", "already", "also", "am", "an", "and", "any", "anything", "are", "as", "ask",
	"assume", "at", "average", "be", "been", "being", "between", "but", "by", "can", "clarify",
	"could", "did", "do", "does", "each", "else", "exactly", "expect", "expected", "for",
	"from", "get", "getting", "give", "given", "go", "going", "good", "got", "had", "handle",
	"has", "have", "here", "how", "i", "if", "in", "into", "is", "it", "its", "just", "kind",
	"know", "let", "like", "look", "looking", "main", "many", "may", "me", "mean", "might",
	"moment", "much", "must", "my", "need", "needed", "of", "often", "okay", "on", "one",
	"ones", "only", "or", "our", "out", "over", "per", "please", "question", "right", "roughly",
	"s", "say", "see", "shall", "should", "so", "some", "something", "sort", "start", "still",
	"such", "suppose", "talking", "tell", "than", "that", "the", "their", "them", "then",
	"there", "these", "they", "thing", "things", "think", "this", "those", "to", "too",
	"typical", "typically", "understand", "up", "us", "use", "used", "usually", "very", "want",
	"was", "we", "were", "what", "whats", "when", "where", "whether", "which", "while", "who",
	"why", "will", "with", "would", "you", "your" };

/* Subjects of their own: where no fact of a case has one, a question that names it is about nothing there, whatever
 * its other words lead to. The first words of lines of synonyms, by their roots; and how they are called. */
static const struct {
	const char *line, *name;
} subjects[] = { { "cost", "money" }, { "storage", "storage" }, { "fail", "failures" },
	{ "security", "security" }, { "power", "power and cooling" }, { "monitor", "monitoring" },
	{ "vendor", "vendors" } };

/* Words that say how and not what: "how fast is the network" is about the network. */
static const char *const measure_words[] = { "big", "current", "currently", "fast", "faster",
	"hard", "high", "large", "length", "long", "low", "now", "present", "quick", "quickly",
	"rate", "short", "size", "slow", "small", "speed", "today" };

/* Words of the field that mean the same, those of a line; the first stands for all of them. A word that
 * is here and in no fact of a case says that something else is asked for. */
static const char *const synonyms[] = {
	"gpu card accelerator chip hardware device silicon",
	"cost budget money dollar spend price expensive afford bill pay finance usd cheap",
	"user customer people client subscriber audience",
	"load traffic request req reqs qps rps demand volume",
	"prompt input",
	"answer output completion generation generated reply response",
	"ttft first",
	"itl tpot gap intertoken cadence streaming",
	"latency slo sla delay responsive wait",
	"percentile p99 p95 p50 tail worst",
	"precision dtype format bits quantize quant fp8 fp16 bf16 int8 int4 fp4 numerics",
	"quality accuracy accurate evals evaluation degrade regress",
	"network interconnect ethernet infiniband nic fabric link connect",
	"bandwidth gbps",
	"storage disk filesystem ssd",
	"dataset data corpus loader sample",
	"batch minibatch batchsize",
	"train training pretrain finetune",
	"fail failure fault outage crash broken die availability redundancy failover",
	"camera sensor lidar",
	"fps framerate frame hz",
	"jitter variance noise noisy vary variation spread straggler fluctuate",
	"region compliance privacy gdpr legal residency country",
	"team engineer headcount staff effort",
	"weeks month calendar",
	"overlap hide async bucket",
	"converge convergence learning",
	"cache prefix reuse",
	"context window",
	"mfu",
	"lora",
	"vendor cloud provider aws",
	"framework library software stack pytorch vllm tensorrt",
	"language multilingual english",
	"security auth authenticate login encryption",
	"monitor observability logging metric",
	"trace profile profiler profiling timeline nsight",
	"parameter param",
	"today now current currently present existing",
	"memory ram vram hbm",
	"power energy watt cooling carbon",
};

static const char *const endings[] = { "izations", "isations", "ization", "isation", "ations",
	"ation", "izing", "ising", "ized", "ised", "izes", "ises", "ions", "ion", "ings", "ing",
	"ies", "ied", "ers", "est", "ed", "es", "er", "ly", "ize", "ise", "s", "e", "y", "al" };

/* What a budget may be of that is no money: "time budget" is no budget of its own. */
static const char *const budget_of[] = { "battery", "compute", "energy", "error", "flop", "flops",
	"frame", "frametime", "latency", "memory", "power", "response", "step", "time", "token",
	"tokens", "ttft", "vram", "watt" };

/* Words whose roots would be those of others: an engineer is no engine, a billion no bill. */
static const char *const whole_words[] = { "engineer", "billion" };

struct words {
	char word[MOST_WORDS][WORD_SIZE]; /* their roots */
	double weight[MOST_WORDS];
	size_t n;
	unsigned cues;
};
struct phrase {
	char word[PHRASE_WORDS][WORD_SIZE];
	size_t n;
	unsigned cues; /* of a phrase that has one word left */
};

/* The roots of the words above, and for each the first of its line. */
struct synonym_roots {
	char word[MOST_SYNONYMS][WORD_SIZE], first[MOST_SYNONYMS][WORD_SIZE];
	size_t n;
};

/* All that a question is held against. */
struct vocabulary {
	struct synonym_roots roots;
	struct phrase asks[MOST_FACTS][MOST_ASKS], names[MOST_FACTS];
	size_t n_asks[MOST_FACTS], n_facts;
};

/* Words that say how a thing is asked for. They do not matter beside two words that say something; but
 * "how many requests" is not about all that has to do with requests. */
static const char *const cue_words[] = { "many", "much", "often", "where", "who", "when", "why",
	"out", "up", "one", "all", "have" };

/* --- Words --- */

/* Lists are gone through for each word, and few of their words begin alike. */
static bool same_word(const char *a, const char *b)
{
	return *a == *b && strcmp(a, b) == 0;
}

/* Cuts one ending off, the longest that leaves a root. */
static bool cut_ending(char *word)
{
	size_t n = strlen(word);
	for (size_t i = 0; i < LENGTH(endings); i++) {
		size_t tail = strlen(endings[i]);
		if (n >= tail + SHORTEST_ROOT && strcmp(word + n - tail, endings[i]) == 0) {
			word[n - tail] = '\0';
			return true;
		}
	}
	return false;
}

/* Two endings at most: "speeds" is "speed" is "spe", as "speed" itself is. */
static void to_root(char *word)
{
	for (size_t i = 0; i < LENGTH(whole_words); i++)
		if (strncmp(word, whole_words[i], strlen(whole_words[i])) == 0) {
			word[strlen(whole_words[i])] = '\0';
			return;
		}
	if (cut_ending(word))
		cut_ending(word);
}

/* The next word of a text in lower case, without apostrophes; false at its end. *number: it is one. */
static bool next_word(const char **at, char word[WORD_SIZE], bool *number)
{
	size_t n = 0;
	while (**at && !isalnum((unsigned char)**at))
		++*at;
	*number = isdigit((unsigned char)**at);
	for (; isalnum((unsigned char)**at) || **at == '\''; ++*at)
		if (**at != '\'' && n + 1 < WORD_SIZE)
			word[n++] = (char)tolower((unsigned char)**at);
	word[n] = '\0';
	return n > 0;
}

/* Whether two roots are one slip apart: a letter more, less, another one, or two swapped. */
static bool is_slip(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), same = 0;
	if (n < m)
		return is_slip(b, a);
	if (n < SHORTEST_TYPO || n - m > 1)
		return false;
	while (same < m && a[same] == b[same])
		same++;
	if (n > m)
		return strcmp(a + same + 1, b + same) == 0;
	return strcmp(a + same + 1, b + same + 1) == 0 ||
	       (a[same] == b[same + 1] && a[same + 1] == b[same] &&
		       strcmp(a + same + 2, b + same + 2) == 0);
}

static void read_synonyms(struct synonym_roots *out)
{
	out->n = 0;
	for (size_t i = 0; i < LENGTH(synonyms); i++) {
		const char *at = synonyms[i];
		size_t first = out->n;
		bool number;
		while (out->n < MOST_SYNONYMS && next_word(&at, out->word[out->n], &number)) {
			to_root(out->word[out->n]);
			strcpy(out->first[out->n], out->word[first]);
			out->n++;
		}
	}
}

/* The word that stands for its line of synonyms, or the root itself; NULL: it is no word of the field. */
static const char *concept_of(const struct synonym_roots *roots, const char *word)
{
	for (size_t i = 0; i < roots->n; i++)
		if (same_word(roots->word[i], word))
			return roots->first[i];
	return NULL;
}

static bool is_listed(char list[][WORD_SIZE], size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (same_word(list[i], word))
			return true;
	return false;
}

static bool is_among(const char *word, const char *const list[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (same_word(list[i], word))
			return true;
	return false;
}

bool case_says_nothing(const char *word)
{
	for (size_t i = 0; i < LENGTH(stop_words); i++)
		if (strcasecmp(stop_words[i], word) == 0)
			return true;
	return false;
}

/* Whether an author asks for that very number: "what does 50 ms mean". */
static bool is_asked_number(const struct vocabulary *v, const char *number)
{
	for (size_t f = 0; f < v->n_facts; f++)
		for (size_t i = 0; i < v->n_asks[f]; i++)
			for (size_t k = 0; k < v->asks[f][i].n; k++)
				if (same_word(v->asks[f][i].word[k], number))
					return true;
	return false;
}

/* Whether a word says who wants a thing, and not which: the people of "the speed that people expect". `behind` is the
 * text behind it. */
static bool says_who(const char *word, const char *behind)
{
	static const char *const people[] = { "people", "user", "users", "customer", "customers",
		"client", "clients", "subscribers", "audience" };
	static const char *const wants[] = { "expect", "expects", "want", "wants", "need", "needs",
		"accept", "accepts", "tolerate", "tolerates", "notice", "feel", "like", "prefer",
		"demand", "would", "will", "may", "can", "should" };
	char next[WORD_SIZE];
	bool number;
	return is_among(word, people, LENGTH(people)) && next_word(&behind, next, &number) &&
	       is_among(next, wants, LENGTH(wants));
}

/* As words_of; by_whom: words that say who wants a thing are left out. */
static size_t read_words(const struct vocabulary *v, const char *text, char list[][WORD_SIZE],
	double weight[], size_t most, bool by_whom)
{
	char word[WORD_SIZE];
	size_t n = 0;
	bool number, of_what = false, no_money = false; /* the word before was "per" or "each", or
							 * what a budget is of */
	while (next_word(&text, word, &number) && n < most) {
		if (no_money && (strcmp(word, "budget") == 0 || strcmp(word, "budgets") == 0))
			strcpy(word, "allowance");
		no_money = is_among(word, budget_of, LENGTH(budget_of));
		const bool measures = is_among(word, measure_words, LENGTH(measure_words));
		const bool qualifies = of_what;
		of_what = strcmp(word, "per") == 0 || strcmp(word, "each") == 0;
		if (number ? weight && !is_asked_number(v, word)
			   : is_among(word, stop_words, LENGTH(stop_words)) ||
					(by_whom && says_who(word, text)))
			continue;
		if (!number)
			to_root(word);
		const char *concept = concept_of(&v->roots, word);
		if (is_listed(list, n, concept ? concept : word))
			continue;
		if (weight)
			weight[n] = measures || qualifies ? measure_weight : 1;
		strcpy(list[n++], concept ? concept : word);
	}
	return n;
}

/* The words of a text that say something, each once, at most `most`, and what each counts (NULL: nobody
 * asks, and an author's numbers are words too). Returns how many. */
static size_t words_of(const struct vocabulary *v, const char *text, char list[][WORD_SIZE],
	double weight[], size_t most)
{
	const size_t n = weight ? read_words(v, text, list, weight, most, true) : 0;
	return n ? n : read_words(v, text, list, weight, most, false);
}

/* Bit i: the text has the cue i. */
static unsigned cues_of(const char *text)
{
	char word[WORD_SIZE];
	bool number;
	unsigned cues = 0;
	while (next_word(&text, word, &number))
		for (size_t i = 0; i < LENGTH(cue_words); i++)
			if (strcmp(word, cue_words[i]) == 0)
				cues |= 1u << i;
	return cues;
}

static int find_word(char const list[][WORD_SIZE], size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (same_word(list[i], word))
			return (int)i;
	for (size_t i = 0; i < n; i++)
		if (is_slip(list[i], word))
			return (int)i;
	return -1;
}

/* --- Facts --- */

static void read_vocabulary(const struct design_case *c, struct vocabulary *out)
{
	read_synonyms(&out->roots);
	out->n_facts = c->n_facts;
	for (size_t f = 0; f < c->n_facts; f++) {
		out->n_asks[f] = c->facts[f].n_asks;
		out->names[f].n =
			words_of(out, c->facts[f].name, out->names[f].word, NULL, PHRASE_WORDS);
		for (size_t i = 0; i < c->facts[f].n_asks; i++) {
			struct phrase *p = &out->asks[f][i];
			p->n = words_of(out, c->facts[f].asks[i], p->word, NULL, PHRASE_WORDS);
			p->cues = p->n == 1 ? cues_of(c->facts[f].asks[i]) : 0;
		}
	}
}

static bool has_word(const struct phrase *p, const char *word)
{
	return find_word(p->word, p->n, word) >= 0;
}

/* Whether a fact has a word in one of its phrases. */
static bool knows(const struct vocabulary *v, size_t fact, const char *word)
{
	for (size_t i = 0; i < v->n_asks[fact]; i++)
		if (has_word(&v->asks[fact][i], word))
			return true;
	return false;
}

/* A word says less the more facts have it in one of their phrases; 0: none has. */
static double weight_of(const struct vocabulary *v, const char *word)
{
	size_t n = 0;
	for (size_t f = 0; f < v->n_facts; f++)
		n += knows(v, f, word);
	return n ? 1.0 / (double)n : 0;
}

/* The same, in its name or in one of its phrases. */
static bool leads_to(const struct vocabulary *v, size_t fact, const char *word)
{
	return knows(v, fact, word) || has_word(&v->names[fact], word);
}

/* What the words of a question, one by one, say for a fact. */
static double lead_of(const struct vocabulary *v, size_t fact, const struct words *question)
{
	double lead = 0;
	for (size_t i = 0; i < question->n; i++) {
		size_t n = 0;
		if (!leads_to(v, fact, question->word[i]))
			continue;
		for (size_t f = 0; f < v->n_facts; f++)
			n += leads_to(v, f, question->word[i]);
		lead += lead_weight * question->weight[i] / (double)n;
	}
	return lead;
}

struct nearness {
	double score;
	size_t matched; /* words of the question */
	bool of_it[MOST_WORDS];
};

/* Adds the words of a phrase that the question has whole. */
static void match_phrase(
	const struct words *question, const struct phrase *phrase, struct nearness *out)
{
	int at[PHRASE_WORDS];
	bool fresh = false;
	if (phrase->cues & ~question->cues)
		return;
	for (size_t i = 0; i < phrase->n; i++)
		if ((at[i] = find_word(question->word, question->n, phrase->word[i])) < 0)
			return;
	for (size_t i = 0; i < phrase->n; i++) {
		fresh |= !out->of_it[at[i]];
		out->of_it[at[i]] = true;
	}
	if (fresh && phrase->n > 1)
		out->score += phrase_bonus * (double)(phrase->n - 1);
}

/* Whether the question has a word that says that another thing is asked for. */
static bool is_denied(
	const struct vocabulary *v, const struct case_fact *f, const struct words *question)
{
	char no[PHRASE_WORDS][WORD_SIZE];
	for (size_t i = 0; i < f->n_nots; i++) {
		size_t n = words_of(v, f->nots[i], no, NULL, PHRASE_WORDS);
		for (size_t k = 0; k < n; k++)
			if (find_word(question->word, question->n, no[k]) >= 0)
				return true;
	}
	return false;
}

static struct nearness near_fact(const struct vocabulary *v, const struct design_case *c,
	size_t fact, const struct words *question)
{
	struct nearness out = { .score = 0 };
	if (is_denied(v, &c->facts[fact], question))
		return out;
	for (size_t i = 0; i < v->n_asks[fact]; i++)
		match_phrase(question, &v->asks[fact][i], &out);
	for (size_t i = 0; i < question->n; i++)
		if (out.of_it[i]) {
			out.score += question->weight[i] * weight_of(v, question->word[i]);
			out.matched++;
		}
	return out;
}

/* --- The question --- */

/* Whether the words that the fact knows outweigh those that none knows. */
static bool outweighs(
	const struct vocabulary *v, const struct words *question, const struct nearness *best)
{
	double against = 0;
	for (size_t i = 0; i < question->n; i++)
		if (!best->of_it[i] && weight_of(v, question->word[i]) <= 0)
			against += concept_of(&v->roots, question->word[i]) ? foreign_weight
									    : unknown_weight;
	return (double)best->matched > least_share * ((double)best->matched + against);
}

/* Whether the fact knows so much of the question that it is told without asking back. */
static bool is_sure(const struct words *question, const struct nearness *best)
{
	double known = 0, all = 0;
	for (size_t i = 0; i < question->n; i++) {
		known += best->of_it[i] ? question->weight[i] : 0;
		all += question->weight[i];
	}
	return known >= sure_share * all;
}

static bool is_whole(const struct words *question, const struct nearness *best)
{
	for (size_t i = 0; i < question->n; i++)
		if (!best->of_it[i])
			return false;
	return true;
}

static bool find_exactly(const struct words *question, const char *word)
{
	for (size_t i = 0; i < question->n; i++)
		if (same_word(question->word[i], word))
			return true;
	return false;
}

/* The place of the highest score beside `but`. */
static size_t nearest(const struct nearness near[], size_t n, size_t but)
{
	size_t best = but == 0 ? 1 : 0;
	for (size_t i = 0; i < n; i++)
		if (i != but && near[i].score > near[best].score)
			best = i;
	return best;
}

/* How far words lead to each fact. */
static void lead_to_facts(double lead[MOST_FACTS], const struct vocabulary *v,
	const struct design_case *c, const struct words *question, const struct nearness near[])
{
	for (size_t f = 0; f < c->n_facts; f++)
		lead[f] = is_denied(v, &c->facts[f], question)
				  ? 0
				  : near[f].score + lead_of(v, f, question);
}

/* Whether the fact has a word of the question for itself, and none of its other words leads elsewhere: of a long
 * question it need not know more. */
static bool is_ahead(
	const double lead[MOST_FACTS], size_t n, const struct nearness near[], size_t fact)
{
	if (near[fact].score < own_word)
		return false;
	for (size_t f = 0; f < n; f++)
		if (f != fact && lead[f] > most_of_lead * lead[fact])
			return false;
	return true;
}

/* Adds the facts to which words lead, the likeliest first, until two are offered. */
static void offer(struct case_match *m, const struct design_case *c, double lead[MOST_FACTS])
{
	for (size_t i = 0; i < m->n; i++)
		lead[m->facts[i]] = 0;
	while (m->n < CASE_OFFERS) {
		size_t best = 0;
		for (size_t f = 1; f < c->n_facts; f++)
			if (lead[f] > lead[best])
				best = f;
		if (lead[best] < least_lead)
			break;
		lead[best] = 0;
		m->facts[m->n++] = best;
	}
	m->kind = m->n > 0 ? MATCH_OFFER : MATCH_NOTHING;
}

/* Whether both have the same letters and digits, whatever stands between and behind them. */
static bool reads_alike(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a && !isalnum((unsigned char)*a))
			a++;
		while (*b && !isalnum((unsigned char)*b))
			b++;
		if (!*a || !*b)
			return *a == *b;
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
	}
}

/* The subject that a question names and no fact has; NULL: there is none. */
static const char *foreign_subject(const struct vocabulary *v, const struct words *question)
{
	for (size_t s = 0; s < LENGTH(subjects); s++) {
		char root[WORD_SIZE];
		snprintf(root, sizeof root, "%s", subjects[s].line);
		to_root(root);
		bool led = false;
		for (size_t f = 0; f < v->n_facts; f++)
			led |= leads_to(v, f, root);
		if (!led && find_exactly(question, root))
			return subjects[s].name;
	}
	return NULL;
}

/* The only fact whose name has just the words of the question, two at least: "how long may the benchmark take" is "how
 * long a benchmark may take". n_facts: there is none. */
static size_t fact_named(const struct vocabulary *v, const struct words *question)
{
	size_t found = v->n_facts;
	for (size_t f = 0; f < v->n_facts; f++) {
		size_t same = 0;
		for (size_t i = 0; i < v->names[f].n; i++)
			same += find_exactly(question, v->names[f].word[i]);
		if (question->n < 2 || same != question->n || same != v->names[f].n)
			continue;
		if (found < v->n_facts)
			return v->n_facts;
		found = f;
	}
	return found;
}

struct case_match case_ask(const struct design_case *c, const char *question)
{
	/* Its very name is asked back by nobody. */
	for (size_t i = 0; i < c->n_facts; i++)
		if (reads_alike(c->facts[i].name, question))
			return (struct case_match){
				.kind = MATCH_FACT, .facts = { i }, .n = 1, .whole = true
			};
	struct vocabulary v;
	struct words words;
	struct nearness near[MOST_FACTS] = { { .score = 0 } };
	double lead[MOST_FACTS] = { 0 };
	struct case_match m = { .kind = MATCH_NOTHING };
	read_vocabulary(c, &v);
	words.n = words_of(&v, question, words.word, words.weight, MOST_WORDS);
	words.cues = cues_of(question);
	const size_t named = fact_named(&v, &words);
	if (named < c->n_facts)
		return (struct case_match){
			.kind = MATCH_FACT, .facts = { named }, .n = 1, .whole = true
		};
	for (size_t i = 0; i < c->n_facts; i++)
		near[i] = near_fact(&v, c, i, &words);
	const size_t first = nearest(near, c->n_facts, c->n_facts);
	const size_t second = nearest(near, c->n_facts, first);
	const struct nearness *best = &near[first];
	m.foreign = foreign_subject(&v, &words);
	if (m.foreign && !is_whole(&words, best))
		return m;
	m.foreign = NULL;
	lead_to_facts(lead, &v, c, &words, near);
	if (best->score > 0 && outweighs(&v, &words, best)) {
		const bool alone = near[second].score <= most_of_best * best->score;
		m.facts[m.n++] = first;
		if (alone && (is_sure(&words, best) || is_ahead(lead, c->n_facts, near, first))) {
			m.kind = MATCH_FACT;
			m.whole = is_whole(&words, best);
			return m;
		}
		if (!alone)
			m.facts[m.n++] = second;
	}
	offer(&m, c, lead);
	return m;
}

/* --- Several questions in a line --- */

bool case_begins_question(const char *text)
{
	static const char *const fillers[] = { "and", "also", "but", "now", "ok", "okay", "please",
		"so", "sorry", "then", "well" };
	static const char *const words[] = { "any", "are", "can", "clarify", "could", "did", "do",
		"does", "has", "have", "how", "hows", "is", "may", "might", "must", "remind",
		"shall", "should", "tell", "was", "were", "what", "whats", "where", "wheres",
		"which", "who", "whose", "why", "will", "would" };
	/* "At what resolution"; "at the peak it waits" does not ask. */
	static const char *const before[] = { "at", "by", "for", "from", "in", "of", "on", "to",
		"with" },
				 *const of[] = { "how", "what", "which", "whose" };
	char word[WORD_SIZE];
	bool number, is_word;
	while ((is_word = next_word(&text, word, &number)) &&
		is_among(word, fillers, LENGTH(fillers)))
		;
	if (is_word && is_among(word, before, LENGTH(before)))
		return next_word(&text, word, &number) && is_among(word, of, LENGTH(of));
	if (is_word && strcmp(word, "when") == 0)
		return !strchr(text, ',');
	return is_word && is_among(word, words, LENGTH(words));
}

static bool has_words(const char *text)
{
	char word[WORD_SIZE];
	bool number;
	return next_word(&text, word, &number);
}

/* Where a text falls into two: between questions, or at an "and" between two things that one question
 * asks for. *rest is what comes after it. NULL: nowhere. */
static const char *seam(const char *text, bool questions, const char **rest)
{
	enum { AND = 4, AT_WHAT = 9, SLASH = 3 };
	for (; *text; text++) {
		if (questions && (*text == '?' || *text == ';') && has_words(text + 1)) {
			*rest = text + 1;
			return text;
		}
		if (questions && strncmp(text, " / ", SLASH) == 0 &&
			case_begins_question(text + SLASH)) {
			*rest = text + SLASH;
			return text;
		}
		/* "... and at what price" asks of the same thing. */
		if (strncasecmp(text, " and ", AND + 1) == 0 &&
			strncasecmp(text + AND, " at what ", AT_WHAT) != 0 &&
			case_begins_question(text + AND) == questions) {
			*rest = text + AND;
			return text;
		}
	}
	return NULL;
}

/* Behind a question another one after a comma: "how long are prompts, what is the load?", but not "if it doubles,
 * is it slower?" */
static const char *comma_seam(const char *text, const char **rest)
{
	if (!case_begins_question(text))
		return NULL;
	for (; (text = strchr(text, ',')); text++)
		if (case_begins_question(text + 1)) {
			*rest = text + 1;
			return text;
		}
	return NULL;
}

static struct case_match ask_part(const struct design_case *c, const char *from, const char *to)
{
	char part[PART_SIZE];
	snprintf(part, sizeof part, "%.*s", (int)(to - from), from);
	return case_ask(c, part);
}

static void add_fact(struct case_match *m, size_t fact)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->facts[i] == fact)
			return;
	if (m->n < CASE_AT_ONCE)
		m->facts[m->n++] = fact;
}

static void offer_beside(struct case_match *m, const struct case_match *offer)
{
	for (size_t i = 0; i < offer->n && i < CASE_OFFERS; i++)
		m->offers[m->n_offers++] = offer->facts[i];
}

/* Nothing is offered beside that is told. */
static void drop_told(struct case_match *m)
{
	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; k < m->n_offers; k++)
			if (m->offers[k] == m->facts[i])
				m->n_offers = 0;
}

/* "Prompt and answer lengths": two facts, where both halves are nothing but their words. Behind a comma more often
 * than not the same is asked in other words. */
static bool add_both(
	struct case_match *m, const struct design_case *c, const char *from, const char *to)
{
	const char *rest, *at = seam(from, false, &rest);
	if (!at || at >= to)
		at = comma_seam(from, &rest);
	if (!at || at >= to)
		return false;
	const struct case_match a = ask_part(c, from, at), b = ask_part(c, rest, to);
	if (a.kind != MATCH_FACT || b.kind != MATCH_FACT || !a.whole || !b.whole)
		return false;
	add_fact(m, a.facts[0]);
	add_fact(m, b.facts[0]);
	return true;
}

/* Three questions between commas are a list; of two, the second is often the first in other words. */
static bool is_list(const char *line)
{
	const char *rest;
	return comma_seam(line, &rest) && comma_seam(rest, &rest);
}

struct case_match case_ask_all(const struct design_case *c, const char *line)
{
	struct case_match all = { .kind = MATCH_FACT };
	const char *from = line, *to, *rest = line;
	const bool lists = is_list(line);
	do {
		const char *behind, *comma = comma_seam(from, &behind);
		to = seam(from, true, &rest);
		if (lists && comma && (!to || comma < to)) {
			to = comma;
			rest = behind;
		}
		const char *end = to ? to : from + strlen(from);
		if (!add_both(&all, c, from, end)) {
			const struct case_match m = ask_part(c, from, end);
			if (m.kind == MATCH_FACT)
				add_fact(&all, m.facts[0]);
			else if (m.kind == MATCH_OFFER && !all.n_offers)
				offer_beside(&all, &m);
		}
		from = rest;
	} while (to);
	drop_told(&all);
	return all.n > 1 || (all.n && all.n_offers) ? all : case_ask(c, line);
}
