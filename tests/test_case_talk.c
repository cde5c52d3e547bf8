/* A sitting without a front end: what is said to a line and in which tone, which phase a line belongs
 * to, and how the clock is shared among the phases. */
#include "tests/talking.h"
#include "ui/data/case_list.h"

#include "drills/case_plan.h"
#include "drills/case_talk.h"
#include "sims/base/array.h"

#include <math.h>

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void unload(void)
{
	tables_release(&tables);
}

TestSuite(case_talk, .init = load, .fini = unload);

/* A design of "200-ms-to-50" that meets its goals. */
static const char meets_50_ms[] = "design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
				  "temporal_fusion=off sparse=off pipelined=off";

static void begin(struct talking *t, const char *id, enum case_level level)
{
	talking_begin(t, &tables, id, level);
}

static void end(struct talking *t)
{
	talking_end(t);
}

/* The numbers of this case: 16 cameras, and at 6 m how far the car drives blind (test_cases.c). */
Test(case_talk, says_each_thing_in_its_tone)
{
	static const struct {
		const char *line;
		enum case_tone tone;
		const char *says;
		enum case_phase phase; /* that is reached then */
	} rows[] = {
		{ "How many cameras are there?", TONE_FACT, "16 are mounted", CASE_CLARIFY },
		{ "What about the insurance?", TONE_HINT, "Nothing on that.", CASE_CLARIFY },
		{ "facts", TONE_FACT, "how many cameras there must be: 16", CASE_CLARIFY },
		{ "estimate of the cameras", TONE_FACT, "16 are mounted", CASE_CLARIFY },
		{ "At what speed does the car drive?", TONE_HINT,
			"Do you mean the frame rate and the speed", CASE_CLARIFY },
		{ "yes", TONE_FACT, "Frames come at 10 Hz", CASE_CLARIFY },
		{ "yes", TONE_HINT, "Nothing on that.", CASE_CLARIFY },
		{ "estimate 1 6 m", TONE_GOOD, "6 m: right, 4.1 % off.", CASE_ESTIMATE },
		{ "estimate 2 50 ms", TONE_BAD, "50 ms: off: the latency alone", CASE_ESTIMATE },
		{ "design cameras=99", TONE_HINT, "cameras: expected 6 to 16", CASE_DESIGN },
		{ "design platform=orin", TONE_HINT, "What it does not say stays as it is today.",
			CASE_DESIGN },
		{ "estimate 1 6 m", TONE_GOOD, "6 m", CASE_DESIGN }, /* no way back */
		{ "design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
		  "temporal_fusion=off sparse=off pipelined=off",
			TONE_GOOD, "4 of 4 goals met.", CASE_DESIGN },
		{ "next", TONE_HINT, "Twist: ", CASE_TWIST },
		{ "say TensorRT first", TONE_HINT, "Noted.", CASE_TWIST },
		{ "next", TONE_HINT, "Wrap-up: ", CASE_WRAP_UP },
		{ "next", TONE_HINT, "Wrap-up ends the interview: next again", CASE_WRAP_UP },
		{ "next", TONE_HEADING, "Debrief", CASE_WRAP_UP },
		{ "mark clarify 3", TONE_DEBRIEF, "Clarify: 3, ", CASE_WRAP_UP },
	};
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	cr_expect(eq(int, (int)t.talk.said.list[1].tone, TONE_INTERVIEWER));
	for (size_t i = 0; i < LENGTH(rows); i++) {
		size_t from = t.talk.said.n;
		cr_expect(case_talk_line(&t.talk, rows[i].line, (int64_t)i * 1000));
		cr_assert(lt(sz, from, t.talk.said.n), "%s", rows[i].line);
		const struct case_paragraph *p = &t.talk.said.list[from];
		cr_expect(strstr(p->text, rows[i].says) != NULL, "%s: %s", rows[i].line, p->text);
		cr_expect(eq(int, (int)p->tone, (int)rows[i].tone), "%s", rows[i].line);
		cr_expect(eq(int, (int)t.sitting.phase, (int)rows[i].phase), "%s", rows[i].line);
	}
	cr_expect(t.talk.debriefed && t.talk.has_run && t.talk.run.met);
	cr_expect(not(case_talk_line(&t.talk, "quit", 20000)));
	cr_expect(t.talk.left);
	end(&t);
}

/* Where two facts may be meant both are named, and only what answers that is taken as an answer. */
Test(case_talk, asks_back_which_of_two_is_meant)
{
	static const char question[] = "Could we get a few more GPUs for the peak?";
	static const char both[] =
		"Do you mean how many GPUs there may be, or the load? Say 1, 2 or both.";
	/* One that was told already is not offered beside one that was not. */
	static const char one[] = "Do you mean how many GPUs there may be? Then say yes.";
	static const struct {
		const char *line, *says;
	} rows[] = {
		{ "1", "A number answers one of those" },
		{ question, both },
		{ "yes", both }, /* to which? */
		{ "2", "30 req/s, in the morning" },
		{ "2", "A number answers" }, /* it was answered */
		{ question, one },
		{ "no", "Then there is nothing on that." },
		{ question, one },
		{ "How long are the prompts?", "2,048 tokens on average" },
		{ "1", "12 GPUs at noon" },  /* though another question came in between */
		{ "2", "A number answers" }, /* it was answered */
		{ question, both },
	};
	struct talking t;
	begin(&t, "p99-at-noon", LEVEL_SENIOR);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const size_t from = t.talk.said.n;
		cr_expect(case_talk_line(&t.talk, rows[i].line, (int64_t)i * 1000));
		cr_assert(lt(sz, from, t.talk.said.n), "%zu", i);
		const char *said = t.talk.said.list[from].text;
		cr_expect(strncmp(said, rows[i].says, strlen(rows[i].says)) == 0, "%zu: %s: %s", i,
			rows[i].line, said);
	}
	size_t told = 0;
	for (size_t i = 0; i < t.c.n_facts; i++)
		told += t.sitting.told[i];
	cr_expect(eq(sz, told, 3));
	end(&t);
}

/* How many facts were told; each of them has a paragraph since `from`, which has this in it. */
static size_t facts_told(const struct talking *t)
{
	size_t told = 0;
	for (size_t i = 0; i < t->c.n_facts; i++)
		told += t->sitting.told[i];
	return told;
}

/* Whoever asks for two things in one line, or says "both" where two are offered, is told both. */
Test(case_talk, tells_both_facts_that_a_line_asks_for)
{
	static const char lengths[] = "2,048 tokens on average", load[] = "30 req/s",
			  gpus[] = "12 GPUs at noon";
	static const struct {
		const char *before, *line, *first, *second;
	} rows[] = {
		{ NULL, "How long are the prompts and what is the load?", lengths, load },
		{ NULL, "How long are the prompts? And the load?", lengths, load },
		{ NULL, "how long are the prompts; load", lengths, load },
		{ NULL, "prompts and load", lengths, load },
		{ NULL, "How long are prompts on average and what is the load?", lengths, load },
		{ NULL, "prompts on average and load", lengths, load },
		{ "Could we get a few more GPUs for the peak?", "both", gpus, load },
		{ "Could we get a few more GPUs for the peak?", "Both of them", gpus, load },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct talking t;
		begin(&t, "p99-at-noon", LEVEL_SENIOR);
		if (rows[i].before)
			case_talk_line(&t.talk, rows[i].before, 0);
		const size_t from = t.talk.said.n;
		case_talk_line(&t.talk, rows[i].line, 1000);
		cr_expect(says_since(&t, from, rows[i].first), "%s", rows[i].line);
		cr_expect(says_since(&t, from, rows[i].second), "%s", rows[i].line);
		cr_expect(eq(sz, facts_told(&t), 2), "%s", rows[i].line);
		cr_expect(eq(sz, t.talk.said.n, from + 2), "%s", rows[i].line);
		end(&t);
	}
}

/* Among the estimates a number alone is of the first that does not count yet; elsewhere it is asked which one it
 * is of. The car drives 6 m blind (test_cases.c). */
Test(case_talk, a_number_alone_answers_the_first_that_is_open)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, "6 m", 0);
	cr_expect(says_since(&t, 0, "estimate 1 6 m"));
	cr_expect(eq(uint, t.sitting.estimates[0].tries, 0));
	case_talk_line(&t.talk, "next", 1000);
	case_talk_line(&t.talk, "60 m", 2000);
	cr_expect(eq(int, (int)t.sitting.estimates[0].best, (int)ESTIMATE_OFF));
	case_talk_line(&t.talk, "6 m", 3000);
	cr_expect(eq(int, (int)t.sitting.estimates[0].best, (int)ESTIMATE_EXACT));
	cr_expect(t.talk.heard && t.talk.heard->as == READ_ESTIMATE);
	case_talk_line(&t.talk, "50 ms", 4000);
	cr_expect(eq(int, (int)t.sitting.estimates[1].best, (int)ESTIMATE_OFF));
	cr_expect(eq(uint, t.sitting.estimates[0].tries, 2));
	end(&t);
}

/* One that names what it is of is of that: the second is the weights, 13 billion x 2 B = 26 GB; the first is bytes, too. */
Test(case_talk, a_number_is_of_what_it_names)
{
	struct talking t;
	begin(&t, "halve-the-bill", LEVEL_STAFF);
	case_talk_line(&t.talk, "next", 1000);
	case_talk_line(&t.talk, "26 GB of weights in all", 2000);
	cr_expect(eq(uint, t.sitting.estimates[0].tries, 0));
	cr_expect(eq(int, (int)t.sitting.estimates[1].best, (int)ESTIMATE_EXACT));
	end(&t);
}

/* Of two questions one may be clear and the other not: the first is answered, and of the other it is asked back
 * what is meant. Commas part questions as well, but no condition from what it is the condition of. */
Test(case_talk, answers_one_and_asks_back_of_the_other)
{
	static const char lengths[] = "2,048 tokens on average", load[] = "30 req/s";
	struct talking t;
	begin(&t, "p99-at-noon", LEVEL_SENIOR);
	case_talk_line(&t.talk,
		"How long are the prompts, and could we get a few more GPUs for the peak?", 0);
	cr_expect(says_since(&t, 2, lengths));
	cr_expect(says_since(&t, 2, "Do you mean how many GPUs there may be, or the load?"));
	cr_expect(eq(sz, facts_told(&t), 1));
	case_talk_line(&t.talk, "2", 1000);
	cr_expect(says_since(&t, 2, load));
	cr_expect(eq(sz, facts_told(&t), 2));
	end(&t);
	begin(&t, "p99-at-noon", LEVEL_SENIOR);
	case_talk_line(&t.talk, "how long are the prompts, what is the load?", 0);
	cr_expect(says_since(&t, 2, lengths) && says_since(&t, 2, load));
	end(&t);
}

/* What the interviewer asked is answered in a sentence; what is no question is not counted as one. */
Test(case_talk, tells_answers_from_questions)
{
	static const struct {
		const char *line, *says;
	} rows[] = {
		{ "Because of lunch.", "Nothing on that." }, /* nobody asked */
		{ "?", "Any other line is a question" },
		{ "50 MB", "A number answers" },
		{ ".5", "A number answers" },
		{ "estimate 1 3 MB", "3 MB: off, too low by more than a factor of 10." },
		{ "follow", "These go deeper than we are" },
		{ "next", "Design:" },
		{ "follow", "Nine for prompts" },
		{ "Because of the cache.", "Noted." },
		{ "We watch tokens that arrive", "Noted." },
		{ "How long are the prompts?", "2,048 tokens on average" },
		{ "end", "Debrief" },
		{ "next", "That was all." },
		{ "follow", "There are no more questions." },
	};
	struct talking t;
	begin(&t, "p99-at-noon", LEVEL_SENIOR);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const size_t from = t.talk.said.n;
		case_talk_line(&t.talk, rows[i].line, (int64_t)i * 1000);
		const char *said = t.talk.said.list[from].text;
		cr_expect(strncmp(said, rows[i].says, strlen(rows[i].says)) == 0, "%zu: %s: %s", i,
			rows[i].line, said);
	}
	/* That about lunch was no question. */
	cr_expect(eq(sz, t.sitting.asked, 1));
	cr_expect(eq(sz, t.sitting.n_said, 2));
	/* A question that goes deeper leads nowhere else. */
	cr_expect(eq(int, (int)t.sitting.said_in[0], CASE_DESIGN));
	end(&t);
}

/* After a question of the interviewer's a sentence is the answer unless it asks by its form, or is nothing but
 * the words of a fact that was not told: nobody needs "say" for that. */
Test(case_talk, takes_a_sentence_as_the_answer_to_a_question)
{
	static const struct {
		const char *line, *says;
		bool answers;
	} rows[] = {
		{ "follow", "Nine for prompts", false },
		{ "More replicas for decoding, since the load of prompts peaks", "Noted.", true },
		{ "The prompts take the GPUs away from decoding", "Noted.", true },
		{ "When the load doubles, the prompts wait longer", "Noted.", true },
		{ "50 ms", "Noted.", true },
		{ "And how long are the prompts", "2,048 tokens on average", false },
		{ "I would like to know how many GPUs there may be", "Do you mean", false },
		{ "the load", "30 req/s, in the morning", false },
		{ "the load", "Noted.", true }, /* it is known by now */
		{ "What is the name of the dog", "Nothing on that.", false },
	};
	struct talking t;
	size_t answers = 0;
	begin(&t, "p99-at-noon", LEVEL_SENIOR);
	case_talk_line(&t.talk, "next", 0);
	case_talk_line(&t.talk, "next", 0); /* to Design, where such questions begin */
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const size_t from = t.talk.said.n;
		case_talk_line(&t.talk, rows[i].line, (int64_t)i * 1000);
		const char *said = t.talk.said.list[from].text;
		answers += rows[i].answers;
		cr_expect(strncmp(said, rows[i].says, strlen(rows[i].says)) == 0, "%s: %s",
			rows[i].line, said);
		cr_expect(eq(sz, t.sitting.n_said, answers), "%s", rows[i].line);
	}
	end(&t);
}

/* A twist waits for a word on it as a question does. */
Test(case_talk, a_twist_may_be_answered)
{
	struct talking t;
	begin(&t, "p99-at-noon", LEVEL_SENIOR);
	case_talk_line(&t.talk, "twist", 1000);
	case_talk_line(&t.talk, "Two more replicas for the prompts", 2000);
	cr_assert(eq(sz, t.sitting.n_said, 1));
	cr_expect(eq(str, (char *)t.sitting.said[0], "Two more replicas for the prompts"));
	cr_expect(eq(int, (int)t.sitting.said_in[0], CASE_TWIST));
	end(&t);
}

/* The paragraph with such a beginning, from one on; NULL: there is none. */
static const char *said_from(const struct talking *t, size_t from, const char *beginning)
{
	for (size_t i = from; i < t->talk.said.n; i++)
		if (strncmp(t->talk.said.list[i].text, beginning, strlen(beginning)) == 0)
			return t->talk.said.list[i].text;
	return NULL;
}

/* Who leaves Twist before all were told hears of it, and in Wrap-up there is a question though all that go deeper were
 * used up: what is said to it is kept. */
Test(case_talk, wrap_up_leaves_nothing_out_in_silence)
{
	static const char *const lines[] = { "next", "next", "follow", "follow", "follow", "next",
		"next" };
	struct talking t;
	begin(&t, "p99-at-noon", LEVEL_SENIOR);
	cr_assert(eq(sz, t.sitting.deal.n_twists, 2));
	size_t from = 0;
	for (size_t i = 0; i < LENGTH(lines); i++) {
		from = t.talk.said.n;
		case_talk_line(&t.talk, lines[i], 1000);
	}
	cr_assert(eq(int, (int)t.sitting.phase, CASE_WRAP_UP));
	cr_expect(eq(sz, t.sitting.stage, 1));
	cr_expect(said_from(&t, from, "Twist 2 was not told yet") != NULL);
	cr_expect(said_from(&t, from, "What would you build") != NULL);
	cr_expect(said_from(&t, from, "There are no more questions") == NULL);
	case_talk_line(&t.talk, "Two replicas, watched by their queue", 2000);
	case_talk_line(&t.talk, "The alarm is at the 99th percentile", 2000);
	cr_expect(eq(sz, t.sitting.n_said, 2));
	case_talk_line(&t.talk, "twist", 2000);
	cr_expect(eq(sz, t.sitting.stage, 2));
	end(&t);
}

/* "run" runs what is decided, once; what has run it says so. A twist brings other goals, so it runs against those. It is
 * never kept as an answer to what the interviewer asks about a run. */
Test(case_talk, runs_what_is_decided_at_its_word)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	cr_expect(not(case_talk_runs(&t.talk, "run")));
	case_talk_line(&t.talk, "run", 1000);
	cr_expect(said_from(&t, 0, "Nothing is decided yet.") != NULL);
	cr_expect(eq(int, (int)t.sitting.phase, CASE_CLARIFY));
	cr_expect(case_talk_runs(&t.talk, "run platform=orin cameras=11"));
	case_talk_line(&t.talk, meets_50_ms, 2000);
	cr_expect(eq(sz, t.sitting.runs[0], 1));
	cr_expect(not(case_talk_runs(&t.talk, "run it")));
	size_t from = t.talk.said.n;
	case_talk_line(&t.talk, "run it", 3000);
	cr_expect(said_from(&t, from, "That has run") != NULL);
	cr_expect(eq(sz, t.talk.said.n, from + 1));
	case_talk_line(&t.talk, "twist", 4000);
	cr_expect(case_talk_runs(&t.talk, "Run"));
	case_talk_line(&t.talk, "Run", 5000);
	cr_expect(eq(sz, t.sitting.runs[0], 1));
	cr_expect(eq(sz, t.sitting.runs[1], 1));
	cr_expect(eq(sz, t.sitting.n_said, 0));
	cr_expect(eq(sz, t.sitting.asked, 0));
	end(&t);
}

/* A design that was read in part runs at "run" as at "yes"; "run" and knobs is a design. */
Test(case_talk, runs_what_was_read_of_a_design)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, "design", 1000);
	case_talk_line(&t.talk, "10 cameras, TensorRT and a smaller head", 2000);
	cr_assert(t.talk.proposed != NULL);
	cr_expect(case_talk_runs(&t.talk, "run"));
	case_talk_line(&t.talk, "run", 3000);
	cr_expect(t.talk.proposed == NULL);
	cr_expect(eq(sz, t.sitting.runs[0], 1));
	case_talk_line(&t.talk, "run cameras=11", 4000);
	cr_expect(eq(sz, t.sitting.runs[0], 2));
	end(&t);
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, "run cameras=11", 1000);
	cr_expect(eq(int, (int)t.sitting.phase, CASE_DESIGN));
	cr_expect(eq(sz, t.sitting.runs[0], 1));
	end(&t);
}

/* On a candidate's side a word that is the interviewer's changes nothing, at whatever phase, and the last
 * phase does not end in the answers. */
Test(case_talk, a_refused_word_changes_nothing)
{
	static const char *const refused[] = { "end", "follow", "facts", "yes", "mark" };
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	t.sitting.company = CASE_HELD;
	for (size_t i = 0; i < LENGTH(refused); i++) {
		const size_t from = t.talk.said.n;
		case_talk_line(&t.talk, refused[i], 1000);
		cr_expect(said_from(&t, from, "Your interviewer does that.") != NULL, "%s",
			refused[i]);
		cr_expect(eq(sz, t.talk.said.n, from + 1));
		cr_expect(eq(int, (int)t.sitting.phase, CASE_CLARIFY), "%s", refused[i]);
	}
	for (int i = 0; i < N_CASE_PHASES + 2; i++)
		case_talk_line(&t.talk, "next", 2000);
	cr_expect(eq(int, (int)t.sitting.phase, CASE_WRAP_UP));
	cr_expect(not(t.talk.debriefed));
	cr_expect(said_from(&t, 0, "Debrief") == NULL);
	end(&t);
}

/* Whoever estimates before Estimate was begun is told so, with the questions; the second time nothing is. */
Test(case_talk, says_that_a_line_begins_a_phase)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, "estimate 1 6 m", 1000);
	cr_expect(said_from(&t, 0, "With that Clarify is over, and Estimate has begun.") != NULL);
	cr_expect(said_from(&t, 0, "1 blind: How far") != NULL);
	cr_expect(said_from(&t, 0, "3 stream: ") != NULL);
	size_t from = t.talk.said.n;
	case_talk_line(&t.talk, "estimate 2 50 ms", 2000);
	cr_expect(said_from(&t, from, "With that") == NULL);
	case_talk_line(&t.talk, "design platform=orin", 3000);
	cr_expect(said_from(&t, from, "With that Estimate is over, and Design has begun.") != NULL);
	end(&t);
}

/* How often a paragraph with such a beginning was said, from one on. */
static size_t times_said(const struct talking *t, size_t from, const char *beginning)
{
	size_t n = 0;
	for (size_t i = from; i < t->talk.said.n; i++)
		n += strncmp(t->talk.said.list[i].text, beginning, strlen(beginning)) == 0;
	return n;
}

/* Whoever asks for the numbers to estimate is told them once, whether that begins Estimate or not, and in whatever
 * company. */
Test(case_talk, lists_the_numbers_to_estimate_once)
{
	static const enum case_company companies[] = { CASE_ALONE, CASE_HELD, CASE_LED };
	for (size_t i = 0; i < LENGTH(companies); i++) {
		struct talking t;
		begin(&t, "200-ms-to-50", LEVEL_SENIOR);
		t.sitting.company = companies[i];
		for (int again = 0; again < 2; again++) {
			const size_t from = t.talk.said.n;
			case_talk_line(&t.talk, "estimate", 1000);
			cr_expect(eq(sz, times_said(&t, from, "1 blind: How far"), 1));
			cr_expect(eq(sz, times_said(&t, from, "3 numbers, in any order"), 1));
		}
		cr_expect(eq(int, (int)t.sitting.phase, CASE_ESTIMATE));
		end(&t);
	}
}

/* What it came to stands first: of three numbers one counted; a design that meets the goals before the twist and none
 * after it. */
Test(case_talk, the_debrief_begins_with_the_result)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, "How many cameras are there?", 0);
	case_talk_line(&t.talk, "estimate 1 6 m", 0);
	case_talk_line(&t.talk, "estimate 2 50 ms", 0);
	case_talk_line(&t.talk,
		"design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
		"temporal_fusion=off sparse=off pipelined=off",
		0);
	case_talk_line(&t.talk, "twist", 0);
	const size_t from = t.talk.said.n;
	case_talk_line(&t.talk, "end", 0);
	const struct case_paragraph *list = &t.talk.said.list[from];
	cr_expect(eq(str, (char *)list[0].text, "Debrief"));
	size_t left = 0, must = 0, named = 0;
	for (size_t i = 0; i < t.c.n_facts; i++) {
		must += t.c.facts[i].must;
		if (t.c.facts[i].must && !t.sitting.told[i]) {
			left++;
			named += strstr(list[2].text, t.c.facts[i].name) != NULL;
		}
	}
	char sentence[200];
	snprintf(sentence, sizeof sentence,
		"All goals were met before the twist, not after it; 1 of 3 numbers was right; %zu of "
		"the %zu facts that decide %s asked for.",
		must - left, must, must - left == 1 ? "was" : "were");
	cr_expect(eq(str, (char *)list[1].text, sentence));
	cr_expect(eq(int, list[1].tone, TONE_OUTCOME));
	/* A row for each phase: a part of it is neither won nor lost. */
	cr_expect(strstr(list[2].text, "] Clarify: ") != NULL);
	cr_expect(lt(sz, 0, left));
	cr_expect(eq(sz, named, left), "%s", list[2].text);
	cr_expect(strncmp(list[3].text, "[~] Estimate: 1 of 3 right. Right: blind.", 41) == 0, "%s",
		list[3].text);
	cr_expect(eq(int, list[3].tone, TONE_DEBRIEF));
	cr_expect(eq(str, (char *)list[4].text, "[x] Design: 4 of 4 met."));
	cr_expect(eq(str, (char *)list[5].text, "[ ] Twist: after twist 1 no design was run."));
	cr_expect(eq(str, (char *)list[6].text, "[ ] Wrap-up: passed over."));
	/* Three weeks for shared backbones and four for TensorRT, as the case's own design has. */
	cr_expect(eq(
		str, (char *)list[7].text, "[x] Weeks: 7, as in the design that the case knows."));
	end(&t);
}

/* Who does nothing is not judged, and who does all of it hears what was best. */
Test(case_talk, the_debrief_says_what_to_do_next)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, "end", 0);
	cr_expect(says_since(&t, 0, "there is nothing to judge."));
	cr_expect(says_since(&t, 0, "Next time: ask for what decides: "));
	cr_expect(not(says_since(&t, 0, "[ ] Design")));
	end(&t);
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	for (size_t i = 0; i < t.c.n_facts; i++)
		t.sitting.told[i] = true;
	case_talk_line(&t.talk, "estimate 1 6 m", 0);
	case_talk_line(&t.talk, "end", 0);
	cr_expect(says_since(&t, 0,
		"No design was run; 1 of 3 numbers was right; all that decides "
		"was asked for."));
	cr_expect(says_since(&t, 0, "Best: the questions."));
	cr_expect(says_since(&t, 0, "Next time: run a design early"));
	end(&t);
	/* The case's own design takes 7 weeks. */
	static const struct {
		double weeks;
		const char *says;
	} rows[] = { { 14, "[ ] Weeks: 14, more than the 7 of" },
		{ 3.5, "[x] Weeks: 3.5, less than" },
		{ 3.5, "Best: you found a design that is better" } };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		begin(&t, "200-ms-to-50", LEVEL_SENIOR);
		case_talk_line(&t.talk,
			"design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
			"temporal_fusion=off sparse=off pipelined=off",
			0);
		cr_expect(eq(dbl, t.sitting.cost[0], 7));
		t.sitting.cost[0] = rows[i].weeks;
		case_talk_line(&t.talk, "end", 0);
		cr_expect(says_since(&t, 0, rows[i].says), "%s", rows[i].says);
		end(&t);
	}
}

/* A design that was begun is not nothing, nor is a question that found nothing; what is kept of another phase
 * sums nothing up. */
Test(case_talk, the_debrief_says_what_was_not_done)
{
	static const char nothing
		[] = "there is nothing to judge.",
	 most_designs[] =
		 "design platform=orin cameras=11 tensorrt=on backbone_sharing=on temporal_fusion=off sparse=off pipelined=off";
	static const struct {
		const char *line, *says;
		bool judged;
	} rows[] = { { "help", nothing, false },
		{ "gpu=h100", "[ ] Design: no design was run.", true },
		{ "What about the insurance?", "0 of 3 numbers were right", true } };
	struct talking t;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		begin(&t, "serve-70b", LEVEL_SENIOR);
		case_talk_line(&t.talk, rows[i].line, 0);
		case_talk_line(&t.talk, "end", 0);
		cr_expect(says_since(&t, 0, rows[i].says), "%s", rows[i].line);
		cr_expect(ne(int, says_since(&t, 0, nothing), rows[i].judged), "%s", rows[i].line);
		end(&t);
	}
	/* Met before the twist alone. */
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	for (size_t i = 0; i < t.c.n_facts; i++)
		t.sitting.told[i] = true;
	for (size_t i = 0; i < t.sitting.deal.variant.n_steps; i++)
		t.sitting.estimates[i].best = i ? ESTIMATE_EXACT : ESTIMATE_COUNTS;
	case_talk_line(&t.talk, most_designs, 0);
	case_talk_line(&t.talk, "twist", 0);
	case_talk_line(&t.talk, "end", 0);
	cr_expect(says_since(
		&t, 0, "Next time: run a design after each twist. You ran none after twist 1."));
	end(&t);
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, most_designs, 0);
	case_talk_line(&t.talk, "twist", 0);
	case_talk_line(&t.talk, "end", 0);
	cr_expect(says_since(&t, 0, "Best: the design before the twist, which met all goals."));
	end(&t);
	/* All that there is to do, with a word before the end or at the end. */
	for (int at_the_end = 0; at_the_end < 2; at_the_end++) {
		begin(&t, "200-ms-to-50", LEVEL_SENIOR);
		for (size_t i = 0; i < t.c.n_facts; i++)
			t.sitting.told[i] = true;
		for (size_t i = 0; i < t.sitting.deal.variant.n_steps; i++)
			t.sitting.estimates[i].best = ESTIMATE_EXACT;
		t.sitting.stage = t.sitting.deal.n_twists;
		for (size_t i = 0; i <= t.sitting.stage; i++)
			t.sitting.runs[i] = t.sitting.met[i] = true;
		t.sitting.phase = at_the_end ? CASE_WRAP_UP : CASE_TWIST;
		case_talk_line(&t.talk, "say the backbone binds", 0);
		case_talk_line(&t.talk, "end", 0);
		cr_expect(
			ne(int, says_since(&t, 0, "Next time: say aloud at the end"), at_the_end));
		cr_expect(eq(int, says_since(&t, 0, "Next time: take a higher level"), at_the_end));
		t.sitting.deal.level = LEVEL_PRINCIPAL;
		const size_t from = t.talk.said.n;
		case_talk_line(&t.talk, "end", 0);
		cr_expect(eq(int, says_since(&t, from, "This is the highest level."), at_the_end));
		end(&t);
	}
}

/* A target of what the case does not know is none of its goals. */
Test(case_talk, tells_no_goal_for_a_foreign_target)
{
	struct talking t;
	begin(&t, "serve-70b", LEVEL_SENIOR);
	case_talk_line(&t.talk, "What's the availability target?", 0);
	cr_expect(zero(sz, case_facts_told(&t.sitting)));
	cr_expect(says_since(&t, 0, "Nothing on failures here"));
	end(&t);
}

/* What was asked for after a run decided nothing in it: the debrief says which facts these are. */
Test(case_talk, credits_what_was_asked_in_time)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_PRINCIPAL);
	case_talk_line(&t.talk, "How many cameras are there?", 0);
	case_talk_line(&t.talk, meets_50_ms, 1000);
	case_talk_line(&t.talk, "How many weeks do we have?", 2000);
	cr_expect(eq(sz, case_facts_told(&t.sitting), 2));
	cr_expect(eq(sz, case_facts_in_time(&t.sitting), 1));
	case_talk_line(&t.talk, "cameras 16", 3000); /* meets less */
	case_talk_line(&t.talk, "end", 4000);
	cr_expect(says_since(&t, 0,
		"Clarify: 1 of the 6 facts that decide. Only after a design was run: how long there "
		"is, and what each change takes."));
	cr_expect(says_since(&t, 0, "(1 only after a design was run)"));
	cr_expect(says_since(&t, 0, "by the best design, not by the last one"));
	cr_expect(says_since(&t, 0, "Design: 4 of 4 met by the best, 3 by the last one."));
	end(&t);
}

/* A question that was answered is not asked again, and in Wrap-up no design is an answer. */
Test(case_talk, asks_no_question_twice)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, meets_50_ms, 0);
	const char *first = t.talk.question;
	case_talk_line(&t.talk, meets_50_ms, 1000);
	cr_expect(says_since(&t, 0, "The interviewer's question stays."));
	case_talk_line(&t.talk, "I would measure the backbone", 2000);
	case_talk_line(&t.talk, meets_50_ms, 3000);
	cr_expect(t.talk.answering && strcmp(t.talk.question, first) != 0);
	case_talk_line(&t.talk, "next twist", 4000);
	cr_expect(eq(sz, t.sitting.stage, 1));
	case_talk_line(&t.talk, "next", 5000);
	case_talk_line(&t.talk, "next", 6000);
	cr_assert(eq(int, (int)t.sitting.phase, CASE_WRAP_UP));
	const size_t kept = t.sitting.n_said;
	case_talk_line(&t.talk, "cameras 11, tensorrt on", 7000);
	cr_expect(eq(sz, t.sitting.n_said, kept));
	cr_expect(says_since(&t, 0, "Designing is over: this is not run"));
	case_talk_line(&t.talk, "I would watch late frames", 8000);
	case_talk_line(&t.talk, "end", 9000);
	cr_expect(says_since(&t, 0, "Wrap-up: 1 answer kept, for you to judge."));
	end(&t);
}

/* A number without a unit is asked for without one: the first of is-it-faster. */
Test(case_talk, a_number_without_a_unit_has_no_blank_for_it)
{
	struct talking t;
	begin(&t, "is-it-faster", LEVEL_SENIOR);
	case_talk_line(&t.talk, "estimate", 0);
	cr_expect(says_since(&t, 0, "Type 26 for number 1, or 2: 26 ms for number 2."));
	end(&t);
}

/* 217 ms where 50 are allowed, 0 weeks of 8; 64 tokens where 12 will do. */
Test(case_talk, says_far_misses_as_multiples)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk,
		"design platform=sa8650p cameras=16 tensorrt=off backbone_sharing=off "
		"temporal_fusion=off sparse=off pipelined=off",
		0);
	cr_expect(says_since(&t, 0, "217 ms, at most 50 ms: 4.3 times too much"));
	cr_expect(says_since(&t, 0, "0, at most 8: met, 100 % to spare"));
	end(&t);
	begin(&t, "drive-on-thor", LEVEL_SENIOR);
	case_talk_line(&t.talk,
		"design weight_dtype=bf16 output_tokens=64 prompt_tokens=512 graphs=off", 0);
	cr_expect(says_since(&t, 0, "64 tokens, at least 12 tokens: met 5.3 times over"));
	end(&t);
}

/* The opening says 30 days: a goal of 30 is not one that nobody asked for. To an interviewer all may have
 * been asked aloud. */
Test(case_talk, knows_what_the_opening_states)
{
	struct talking t;
	begin(&t, "train-in-30-days", LEVEL_SENIOR);
	cr_expect(case_opening_states(&t.sitting.deal, 30));
	cr_expect(case_opening_states(&t.sitting.deal, 70));
	cr_expect(not(case_opening_states(&t.sitting.deal, 3)));
	cr_expect(not(case_opening_states(&t.sitting.deal, 31)));
	end(&t);
	for (int company = CASE_ALONE; company <= CASE_LED; company++) {
		begin(&t, "200-ms-to-50", LEVEL_SENIOR);
		t.sitting.company = (enum case_company)company;
		case_talk_line(&t.talk, meets_50_ms, 0);
		bool unasked = false;
		for (size_t i = 0; i < t.talk.said.n; i++)
			unasked |= strstr(t.talk.said.list[i].text, "nobody asked for it") != NULL;
		cr_expect(eq(int, unasked, company == CASE_ALONE));
		end(&t);
	}
}

/* What the interviewer said without being asked is said again, and counts as no question about nothing. */
Test(case_talk, says_again_what_a_twist_said)
{
	struct talking t;
	begin(&t, "train-in-30-days", LEVEL_SENIOR);
	case_talk_line(&t.talk, "twist", 0);
	const size_t from = t.talk.said.n;
	case_talk_line(&t.talk, "Which uplinks are gone?", 1000);
	cr_expect(said_from(&t, from, "As was said: Three quarters of the uplinks") != NULL);
	cr_expect(eq(sz, t.sitting.asked, 1));
	cr_expect(zero(sz, t.sitting.unanswered));
	end(&t);
}

/* The rest of a design that was read in part goes with what was read; what was asked back is not "never asked" alone. */
Test(case_talk, keeps_what_was_pending)
{
	struct talking t;
	begin(&t, "serve-70b", LEVEL_SENIOR);
	case_talk_line(&t.talk, "What is the memory limit?", 0);
	case_talk_line(&t.talk, "next", 0);
	case_talk_line(&t.talk, "next", 0);
	case_talk_line(&t.talk, "8 machines, h100, tp 4, fp8 weights", 1000);
	cr_assert(t.talk.proposed != NULL);
	case_talk_line(&t.talk, "fp8 cache, 8 GPUs", 2000);
	cr_expect(says_since(&t, 0, "With what was read before: GPU h100, weights fp8"));
	cr_expect(eq(sz, t.sitting.runs[0], 1));
	case_talk_line(&t.talk, "end", 3000);
	cr_expect(says_since(&t, 0, "the budget (asked for so that it was not clear)"));
	end(&t);
}

/* At 65 mph, 29.0576 m/s, for 81.5 ms 2.368 m are allowed: 2.37 m, which miss it by a thousandth, do not read as met. */
Test(case_talk, shows_a_near_miss_as_one)
{
	struct talking t;
	begin(&t, "perception-budget", LEVEL_STAFF);
	case_talk_line(&t.talk, "fps=22 backbone_sharing=on sparse=on", 0);
	cr_expect(not(says_since(&t, 0, "2.37 m, at most 2.37 m: misses")));
	cr_expect(says_since(&t, 0, "2.37 m, at most 2.368 m: misses"));
	end(&t);
}

/* A number that is off does not take the place of one that counted. */
Test(case_talk, keeps_the_best_estimate)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, "estimate 1 6 m", 0);
	case_talk_line(&t.talk, "estimate 1 600 m", 1000);
	cr_expect(eq(str, (char *)t.sitting.estimates[0].given, "6 m"));
	cr_expect(eq(int, (int)t.sitting.estimates[0].best, ESTIMATE_EXACT));
	cr_expect(eq(int, (int)t.sitting.estimates[0].tries, 2));
	end(&t);
}

/* A twist is told once its minute has come, by whatever line comes then, and begins its phase. */
Test(case_talk, tells_twists_by_the_clock)
{
	struct talking t;
	begin(&t, "200-ms-to-50", LEVEL_SENIOR);
	case_talk_line(&t.talk, "", 22 * CASE_MINUTE_MS - 1);
	cr_expect(zero(sz, t.sitting.stage));
	/* By then the time for asking is over, which is told once. */
	cr_expect(says_since(&t, 2, "That was the time for Clarify"));
	size_t from = t.talk.said.n;
	case_talk_line(&t.talk, "", 22 * CASE_MINUTE_MS - 1);
	cr_expect(eq(sz, t.talk.said.n, from));
	case_talk_line(&t.talk, "", 22 * CASE_MINUTE_MS);
	cr_assert(eq(sz, t.talk.said.n, from + 1));
	cr_expect(strncmp(t.talk.said.list[from].text, "Twist 1: Safety review", 22) == 0);
	cr_expect(eq(int, (int)t.sitting.phase, CASE_TWIST));
	cr_expect(eq(i64, t.sitting.entered_ms[CASE_TWIST], 22 * CASE_MINUTE_MS));
	end(&t);
}

/* In 30 minutes the twist of minute 22 comes at 14:40, and all phases are as much shorter. */
Test(case_talk, is_as_long_as_is_asked_for)
{
	struct talking t;
	begin(&t, "scale-to-64", LEVEL_SENIOR);
	const struct sitting_plan usual = case_plan_of(&t.sitting, 0);
	t.sitting.minutes = 30;
	const struct sitting_plan p = case_plan_of(&t.sitting, 0);
	cr_expect(eq(i64, p.limit_ms, 30 * CASE_MINUTE_MS));
	cr_expect(eq(i64, p.to_ms[CASE_DESIGN], 14 * CASE_MINUTE_MS + 40000));
	for (int i = 0; i < N_CASE_PHASES; i++)
		cr_expect(epsilon_eq(dbl, (double)p.to_ms[i] * 1.5, (double)usual.to_ms[i], 3));
	case_talk_line(&t.talk, "", p.to_ms[CASE_DESIGN] - 1);
	cr_expect(eq(sz, t.sitting.stage, 0));
	case_talk_line(&t.talk, "", p.to_ms[CASE_DESIGN]);
	cr_expect(eq(sz, t.sitting.stage, 1));
	end(&t);
}

static double minutes(int64_t ms)
{
	return (double)ms / CASE_MINUTE_MS;
}

static void expect_ends(const struct sitting_plan *p, const double ends_min[N_CASE_PHASES], int row)
{
	for (int i = 0; i < N_CASE_PHASES; i++) {
		cr_expect(epsilon_eq(dbl, minutes(p->to_ms[i]), ends_min[i], 1e-3), "row %d: %s",
			row, case_phase_names[i]);
		if (i)
			cr_expect(eq(i64, p->from_ms[i], p->to_ms[i - 1]), "row %d", row);
	}
}

/* 9 facts, 2 numbers, 4 knobs, two twists, the first at 22 minutes, three questions: 6.75, 5, 6, 10 and
 * 2 + 6 minutes of work (test_cases.c). So the first three share 22 minutes as 6.75 : 5 : 6, which are
 * 17.75, and the last two 23 minutes as 10 : 8. */
Test(case_talk, shares_the_clock_among_the_phases)
{
	static const struct {
		double now_min, entered_min; /* of the phase */
		enum case_phase phase;
		double ends_min[N_CASE_PHASES], over_min;
	} rows[] = {
		{ 0, 0, CASE_CLARIFY,
			{ 22 * 6.75 / 17.75, 22 * 11.75 / 17.75, 22, 22 + 23.0 * 10 / 18, 45 }, 0 },
		/* too long in the first: the others share what is left up to the twist */
		{ 11, 0, CASE_CLARIFY, { 11, 11 + 11.0 * 5 / 11, 22, 22 + 23.0 * 10 / 18, 45 },
			11 - 22 * 6.75 / 17.75 },
		/* soon done: so do they */
		{ 6, 5.5, CASE_ESTIMATE, { 5.5, 5.5 + 16.5 * 5 / 11, 22, 22 + 23.0 * 10 / 18, 45 },
			0 },
		/* straight to the design, which then has all of the time up to the twist */
		{ 6, 5, CASE_DESIGN, { 5, 5, 22, 22 + 23.0 * 10 / 18, 45 }, 0 },
		/* the twist was asked for early */
		{ 12, 12, CASE_TWIST, { 12, 12, 12, 12 + 33.0 * 10 / 18, 45 }, 0 },
		{ 36, 23, CASE_TWIST, { 23, 23, 23, 36, 45 }, 36 - (23 + 22.0 * 10 / 18) },
		{ 50, 40, CASE_WRAP_UP, { 40, 40, 40, 40, 50 }, 5 },
	};
	struct talking t;
	begin(&t, "scale-to-64", LEVEL_SENIOR);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		t.sitting.phase = CASE_CLARIFY;
		case_sitting_reach(
			&t.sitting, rows[i].phase, (int64_t)(rows[i].entered_min * CASE_MINUTE_MS));
		struct sitting_plan p =
			case_plan_of(&t.sitting, (int64_t)(rows[i].now_min * CASE_MINUTE_MS));
		expect_ends(&p, rows[i].ends_min, (int)i);
		cr_expect(
			epsilon_eq(dbl, minutes(p.over_ms), rows[i].over_min, 1e-3), "row %zu", i);
		cr_expect(eq(i64, p.limit_ms, 45 * CASE_MINUTE_MS));
	}
	/* Ends of 8.4, 14.6, 22, 34.8 (34:47) and 45 minutes are 8, 15, 22, 35 and 45 in whole ones. */
	static const long whole[N_CASE_PHASES] = { 8, 7, 7, 13, 10 };
	t.sitting.phase = CASE_CLARIFY;
	const struct sitting_plan first = case_plan_of(&t.sitting, 0);
	for (int i = 0; i < N_CASE_PHASES; i++)
		cr_expect(eq(long, case_plan_minutes(&first, (enum case_phase)i), whole[i]), "%s",
			case_phase_names[i]);
	/* Without a twist all share all of the time: 6.75 + 5 + 6 + 8 = 25.75. */
	static const double ends[N_CASE_PHASES] = { 45 * 6.75 / 25.75, 45 * 11.75 / 25.75,
		45 * 17.75 / 25.75, 45 * 17.75 / 25.75, 45 };
	t.sitting.phase = CASE_CLARIFY;
	t.sitting.deal.n_twists = 0;
	struct sitting_plan p = case_plan_of(&t.sitting, 0);
	expect_ends(&p, ends, -1);
	end(&t);
}

/* The letter that leaves other screens asks and answers nothing. */
Test(case_talk, a_letter_says_how_to_leave)
{
	struct talking t;
	begin(&t, "serve-70b", LEVEL_SENIOR);
	cr_expect(case_talk_line(&t.talk, "q", 0));
	cr_expect(strstr(t.talk.said.list[t.talk.said.n - 1].text, "quit leaves") != NULL);
	cr_expect(zero(sz, t.sitting.asked));
	cr_expect(not(case_talk_line(&t.talk, "quit", 1000)));
	end(&t);
}

/* Several numbers in a line are as many answers. 70.6 GB are the weights; of serve-70b 377 MB is the cache at some
 * lengths. "2,400" is one number, and what is said after a number belongs to it. */
Test(case_talk, takes_each_number_of_a_line)
{
	static const struct {
		const char *line, *given[3];
	} rows[] = {
		{ "1: 70 GB, 2: 400 MB, 3: 280", { "70 GB", "400 MB", "280" } },
		{ "estimate 1 70 GB, 2 400 MB", { "70 GB", "400 MB", NULL } },
		{ "weights are 70GB", { "70GB", NULL, NULL } },
		{ "weights 70 GB; at once is 280", { "70 GB", NULL, "280" } },
		{ "1: 70 GB, and 2: 400 MB", { "70 GB", "400 MB", NULL } },
		{ "1: 70 GB and 2: 400 MB", { "70 GB", "400 MB", NULL } },
		{ "weights 70 GB and at once 280", { "70 GB", NULL, "280" } },
		{ "2: 2,400 MB", { NULL, "2,400 MB", NULL } },
		{ "3: a hundred", { NULL, NULL, "a hundred" } },
		{ "number one is about 70 gigs", { "70 gigs", NULL, NULL } },
		{ "the second: 400 MB", { NULL, "400 MB", NULL } },
		{ "#3 280", { NULL, NULL, "280" } },
		{ "1. 70 GB", { "70 GB", NULL, NULL } },
		{ "weights = 70 GB", { "70 GB", NULL, NULL } },
		{ "weights at one byte: 70 GB", { "70 GB", NULL, NULL } },
		{ "400 MB for the cache", { NULL, "400 MB for the cache", NULL } },
		{ "2 x 35e9 = 70 GB", { "2 x 35e9 = 70 GB", NULL, NULL } },
		{ "1 70 GB, 2 more for the rest", { "70 GB, 2 more for the rest", NULL, NULL } },
	};
	for (size_t i = 0; i < LENGTH(rows) * 2; i++) {
		struct talking t;
		begin(&t, "serve-70b", LEVEL_SENIOR);
		t.sitting.company = i % 2 ? CASE_HELD : CASE_LED;
		case_talk_line(&t.talk, "next", 0);
		case_talk_line(&t.talk, rows[i / 2].line, 1000);
		for (size_t k = 0; k < 3; k++) {
			const char *given = t.sitting.estimates[k].given,
				   *expected = rows[i / 2].given[k];
			cr_expect(eq(str, (char *)(given ? given : ""),
					  (char *)(expected ? expected : "")),
				"%s: %zu", rows[i / 2].line, k + 1);
		}
		end(&t);
	}
}

/* Beside an interviewer twists come when they are told, so what a phase took too long is shared by all that are left, by
 * their times in the first plan: of 23 minutes 10/18 are 12.78 for the twists, and 22 x 5/17.75 and 22 x 6/17.75 are
 * 6.20 and 7.44 for the two before them. At 20 minutes 25 are left, of 36.63. */
Test(case_talk, a_led_plan_shares_a_loss_among_all)
{
	static const double twist_min = 23.0 * 10 / 18, wrap_min = 23.0 * 8 / 18,
			    estimate_min = 22 * 5 / 17.75, design_min = 22 * 6 / 17.75;
	static const double left = 25 / (twist_min + wrap_min + estimate_min + design_min);
	static const double first[N_CASE_PHASES] = { 22 * 6.75 / 17.75, 22 * 11.75 / 17.75, 22,
		22 + twist_min, 45 };
	static const double late[N_CASE_PHASES] = { 20, 20 + left * estimate_min,
		20 + left * (estimate_min + design_min),
		20 + left * (estimate_min + design_min + twist_min), 45 };
	struct talking t;
	begin(&t, "scale-to-64", LEVEL_SENIOR);
	for (t.sitting.company = CASE_HELD; t.sitting.company <= CASE_LED; t.sitting.company++) {
		t.sitting.phase = CASE_CLARIFY;
		struct sitting_plan p = case_plan_of(&t.sitting, 0);
		expect_ends(&p, first, 0);
		p = case_plan_of(&t.sitting, 20 * CASE_MINUTE_MS);
		expect_ends(&p, late, 1);
		/* The twist, at 22 minutes of 45, begins its phase. */
		cr_expect(eq(i64, case_plan_twist_ms(&t.sitting, &p, 0), p.from_ms[CASE_TWIST]));
		case_sitting_reach(&t.sitting, CASE_TWIST, 2 * CASE_MINUTE_MS);
		p = case_plan_of(&t.sitting, 3 * CASE_MINUTE_MS);
		cr_expect(eq(i64, case_plan_twist_ms(&t.sitting, &p, 0), 2 * CASE_MINUTE_MS));
	}
	end(&t);
	/* The second of serve-70b, at 28 minutes, is 6 minutes into the phase of the twists. */
	begin(&t, "serve-70b", LEVEL_STAFF);
	t.sitting.company = CASE_LED;
	const struct sitting_plan was = case_plan_of(&t.sitting, 0);
	cr_expect(eq(i64, case_plan_twist_ms(&t.sitting, &was, 1), 28 * CASE_MINUTE_MS));
	case_sitting_reach(&t.sitting, CASE_TWIST, 0);
	const struct sitting_plan is = case_plan_of(&t.sitting, 0);
	const double part =
		6.0 * CASE_MINUTE_MS / (double)(was.to_ms[CASE_TWIST] - was.from_ms[CASE_TWIST]);
	cr_expect(epsilon_eq(dbl, (double)case_plan_twist_ms(&t.sitting, &is, 1),
		part * (double)is.to_ms[CASE_TWIST], 2));
	cr_expect(lt(i64, case_plan_twist_ms(&t.sitting, &is, 1), is.to_ms[CASE_TWIST]));
	end(&t);
}

/* Among the estimates numbers are said as people say them: behind a few words or a sum, before others, with the
 * number that they are of; what is of another kind is not taken. The model has 70.6e9 parameters. */
Test(case_talk, takes_numbers_as_people_say_them)
{
	static const struct {
		const char *line;
		size_t anchor;
		enum estimate best;
	} rows[] = {
		{ "about 70.6 GB", 0, ESTIMATE_EXACT },
		{ "~71 GB", 0, ESTIMATE_EXACT },
		{ "it's 70.6e9 bytes", 0, ESTIMATE_EXACT },
		{ "70.6e9 * 1 B = 70.6 GB", 0, ESTIMATE_EXACT },
		{ "1 70.6 GB", 0, ESTIMATE_EXACT },
		{ "estimate 1 roughly 70 GB for the weights", 0, ESTIMATE_EXACT },
		{ "12 ms", 0, ESTIMATE_NONE },
		{ "3 5000", 2, ESTIMATE_OFF },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct talking t;
		begin(&t, "serve-70b", LEVEL_SENIOR);
		case_talk_line(&t.talk, "next", 0);
		case_talk_line(&t.talk, rows[i].line, 1000);
		cr_expect(eq(int, (int)t.sitting.estimates[rows[i].anchor].best, (int)rows[i].best),
			"%s: %s", rows[i].line, t.talk.said.list[t.talk.said.n - 1].text);
		cr_expect(zero(sz, t.sitting.asked), "%s", rows[i].line);
		end(&t);
	}
}

/* Goals have a name of their own in each case, and are asked for by the word all the same, one after the
 * other. A subject that no fact has is told apart from what was not understood. */
Test(case_talk, tells_goals_and_what_is_not_there)
{
	struct talking t;
	begin(&t, "serve-70b", LEVEL_SENIOR);
	size_t goals = 0, told = 0;
	for (size_t i = 0; i < t.c.n_goals; i++)
		goals += t.c.goals[i].fact >= 0;
	cr_assert(lt(sz, 1, goals));
	for (size_t i = 0; i < goals; i++)
		case_talk_line(&t.talk, "What are the goals?", (int64_t)i * 1000);
	for (size_t i = 0; i < t.c.n_goals; i++)
		told += t.c.goals[i].fact >= 0 && t.sitting.told[t.c.goals[i].fact];
	cr_expect(eq(sz, told, goals));
	const size_t from = t.talk.said.n;
	/* That it is slow asks for no SLO. */
	case_talk_line(&t.talk, "Why are the workers slow?", 8000);
	cr_expect(not(says_since(&t, from, "req/s") || says_since(&t, from, " ms")));
	case_talk_line(&t.talk, "Anything else I should know?", 9000);
	cr_expect(says_since(&t, from, "what is not asked for is not told"));
	end(&t);
	begin(&t, "how-many-workers", LEVEL_SENIOR);
	case_talk_line(&t.talk, "How fast is the storage for checkpoints?", 0);
	cr_expect(says_since(&t, 2, "Nothing on storage here"));
	end(&t);
}

/* Whoever says which goals is told those and no others: of serve-70b the latencies, which are two. */
Test(case_talk, tells_the_goals_that_are_named)
{
	static const char *const lines[] = { "What are the latency SLOs?", "latency requirements",
		"TTFT and ITL targets?", "What's the P99 target for TTFT and TPOT?" };
	struct talking t;
	for (size_t i = 0; i < LENGTH(lines); i++) {
		begin(&t, "serve-70b", LEVEL_SENIOR);
		case_talk_line(&t.talk, lines[i], 0);
		for (size_t f = 0; f < t.c.n_facts; f++) {
			const bool latency = strcmp(t.c.facts[f].id, "ttft") == 0 ||
					     strcmp(t.c.facts[f].id, "gap") == 0;
			cr_expect(eq(int, t.sitting.told[f], latency), "%s: %s", lines[i],
				t.c.facts[f].id);
		}
		end(&t);
	}
}

/* A budget of time is no money. */
Test(case_talk, a_time_budget_is_a_goal)
{
	static const struct {
		const char *id, *line, *fact;
	} rows[] = { { "scale-to-64", "what's the time budget / goal", "goal" },
		{ "scale-to-64", "What is the time budget?", "goal" },
		{ "scale-to-64", "What is the budget?", "money" },
		{ "serve-70b", "What is the budget?", "budget" },
		{ "200-ms-to-50", "What is the latency budget?", "meaning" } };
	struct talking t;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		begin(&t, rows[i].id, LEVEL_SENIOR);
		case_talk_line(&t.talk, rows[i].line, 0);
		for (size_t f = 0; f < t.c.n_facts; f++)
			cr_expect(eq(int, t.sitting.told[f],
					  strcmp(t.c.facts[f].id, rows[i].fact) == 0),
				"%s: %s", rows[i].line, t.c.facts[f].id);
		end(&t);
	}
	begin(&t, "serve-70b", LEVEL_SENIOR);
	case_talk_line(&t.talk, "What is the latency budget?", 0);
	for (size_t f = 0; f < t.c.n_facts; f++)
		cr_expect(not(t.sitting.told[f] && strcmp(t.c.facts[f].id, "budget") == 0));
	end(&t);
}

/* A design is known without its word, with the names that the screen has for knobs, and with "=" left out; what was
 * said can be taken back, and stands below what it answers. */
Test(case_talk, knows_a_design_and_takes_back_what_was_said)
{
	struct talking t;
	begin(&t, "serve-70b", LEVEL_SENIOR);
	case_talk_line(&t.talk, "tp=4", 0);
	case_talk_line(&t.talk, "Design weights fp8, fleet 16", 1000);
	case_talk_line(&t.talk, "design kv_cache=fp8", 2000);
	char text[200];
	case_design_write(&t.sitting.deal, &t.sitting.design, text, sizeof text);
	cr_expect(strstr(text, "tp=4") && strstr(text, "weight_dtype=fp8") &&
			  strstr(text, "fleet=16") && strstr(text, "kv_dtype=fp8"),
		"%s", text);
	cr_expect(eq(int, (int)t.sitting.phase, CASE_DESIGN));
	case_talk_line(&t.talk, "follow", 3000);
	cr_expect(eq(int, (int)t.sitting.phase, CASE_DESIGN));
	case_talk_line(&t.talk, "say caches grow with the context", 4000);
	case_talk_line(&t.talk, "say nonsense", 5000);
	case_talk_line(&t.talk, "unsay", 6000);
	cr_assert(eq(sz, t.sitting.n_said, 1));
	cr_expect(t.sitting.said_to[0] != NULL);
	case_talk_line(&t.talk, "mark wrap-up 3", 7000);
	cr_expect(eq(uint, t.sitting.marks[CASE_WRAP_UP], 3));
	end(&t);
}

/* What a candidate types beside a desk asks aloud: the desk names the fact, and whoever tells it ticks it. A number
 * of theirs is of the first that they gave none for, and with its own number of that. */
Test(case_talk, tells_nothing_for_what_is_typed_beside_a_desk)
{
	struct talking t;
	begin(&t, "p99-at-noon", LEVEL_SENIOR);
	t.sitting.company = CASE_LED;
	t.talk.typed = true;
	case_talk_line(&t.talk, "How long are the prompts?", 0);
	cr_expect(says_since(&t, 2, "asks for #"));
	cr_expect(zero(sz, facts_told(&t)));
	cr_expect(t.talk.heard && t.talk.heard->as == READ_ASKED);
	cr_expect(eq(sz, t.sitting.asked, 1));
	cr_expect(zero(sz, t.sitting.unanswered));
	end(&t);
	begin(&t, "serve-70b", LEVEL_SENIOR);
	t.sitting.company = CASE_HELD;
	case_talk_line(&t.talk, "next", 0);
	case_talk_line(&t.talk, "140 GB", 1000);
	case_talk_line(&t.talk, "3 about 280", 2000);
	cr_expect(eq(str, (char *)t.sitting.estimates[0].given, "140 GB"));
	cr_expect(eq(str, (char *)t.sitting.estimates[2].given, "280"));
	end(&t);
}

/* A number is never cut into the number of an anchor and the rest; names of anchors lead to them, and what interrupts
 * them, a question of the interviewer's, takes no number and no design for an answer. */
Test(case_talk, cuts_no_number_and_takes_none_for_an_answer)
{
	static const struct {
		const char *line;
		size_t anchor;
		const char *given;
	} rows[] = {
		{ "2.4 GB", 0, "2.4 GB" },
		{ "1,400 GB", 0, "1,400 GB" },
		{ "2: 400 MB", 1, "400 MB" },
		{ "cache 400 MB", 1, "400 MB" },
		{ "at once 2400", 2, "2400" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct talking t;
		begin(&t, "serve-70b", LEVEL_SENIOR);
		case_talk_line(&t.talk, "next", 0);
		t.talk.answering = true;
		case_talk_line(&t.talk, rows[i].line, 1000);
		const char *given = t.sitting.estimates[rows[i].anchor].given;
		cr_expect(given && strcmp(given, rows[i].given) == 0, "%s: %s", rows[i].line,
			given ? given : "nothing");
		cr_expect(zero(sz, t.sitting.n_said), "%s", rows[i].line);
		end(&t);
	}
}

/* Designs in the words of the screen, with or without the sign between, and whatever the case of a value. */
Test(case_talk, takes_a_design_in_the_words_of_the_screen)
{
	static const char *const lines[] = {
		"design GPU H100, weights FP8, KV cache fp8, tensor parallel 4, GPUs you have 16",
		"gpu = h100, weights: fp8, kv cache fp8, tensor parallel 4, fleet=16",
	};
	for (size_t i = 0; i < LENGTH(lines); i++) {
		struct talking t;
		char text[200];
		begin(&t, "serve-70b", LEVEL_SENIOR);
		case_talk_line(&t.talk, "next", 0);
		case_talk_line(&t.talk, "next", 0);
		case_talk_line(&t.talk, "follow", 500);
		case_talk_line(&t.talk, lines[i], 1000);
		cr_expect(eq(str,
				  case_design_write(
					  &t.sitting.deal, &t.sitting.design, text, sizeof text),
				  "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=16"),
			"%s", lines[i]);
		cr_expect(eq(sz, t.sitting.runs[0], 1), "%s", lines[i]);
		end(&t);
	}
}

/* Three questions in a line are three. */
Test(case_talk, answers_a_list_of_questions)
{
	struct talking t;
	begin(&t, "serve-70b", LEVEL_SENIOR);
	case_talk_line(&t.talk, "which gpus can I have, what precision, whats my budget", 0);
	cr_expect(eq(sz, facts_told(&t), 3));
	static const char *const asked[] = { "hardware", "quality", "budget" };
	for (size_t i = 0; i < LENGTH(asked); i++) {
		size_t f = 0;
		while (f < t.c.n_facts && strcmp(t.c.facts[f].id, asked[i]) != 0)
			f++;
		cr_expect(f < t.c.n_facts && t.sitting.told[f], "%s", asked[i]);
	}
	end(&t);
}

/* What a case writes as words is a design that it reads: of each case, and all its knobs. */
Test(case_talk, reads_designs_in_the_words_that_it_writes)
{
	struct case_list l;
	cr_assert(zero(int, case_list_load(&l, stderr)));
	for (size_t i = 0; i < l.n; i++) {
		struct talking t;
		char words[CASE_LINE_SIZE];
		begin(&t, l.cases[i].id, l.cases[i].levels & 1 ? LEVEL_SENIOR : LEVEL_STAFF);
		struct case_sitting *s = &t.sitting;
		const struct case_design known = case_known_design(&s->deal, &s->deal.naive);
		case_design_words(&s->deal, &known, words, sizeof words);
		s->company = CASE_HELD; /* it is read, and not run */
		case_sitting_reach(s, CASE_DESIGN, 0);
		case_talk_line(&t.talk, words, 0);
		for (size_t k = 0; k < s->deal.of->n_knobs; k++) {
			const size_t knob = s->deal.of->knobs[k].knob;
			cr_expect(s->design.given[knob], "%s: %s", l.cases[i].id, words);
			cr_expect(fabs(s->design.v[knob] - known.v[knob]) <=
					  1e-12 * fabs(known.v[knob]),
				"%s: %s", l.cases[i].id, words);
		}
		end(&t);
	}
	case_list_release(&l);
}
