/* Design cases, and the manual of their files: whoever writes a case needs this comment only. A case
 * is what a design interview is made of: a sentence to begin with, facts that are told only to who asks
 * for them, numbers to estimate, a design whose knobs a simulation runs, twists, and what weak and
 * strong answers sound like. It is JSON in content/cases/ID.json (or in a folder of the user's own),
 * one case a file. No number is typed that can be computed. drills/case_deal.h deals a case by a seed,
 * drills/case_ask.h finds the fact that a question asks for, drills/case_run.h runs a design.
 *
 * What does not fit this manual is refused with a message that names file, place and the nearest
 * name. `ridge case ID --sheet` shows the whole of a case or says what is wrong with it.
 *
 * THE FILE, an object
 *
 *   key         type    default  meaning
 *   schema      number  -        always 1
 *   id          text    -        its name for commands, and that of the file
 *   title       text    -        in lists: "Serve a 70B assistant"
 *   levels      array   -        whom it is for: "senior", "staff", "principal"
 *   area        text    -        "serving", "training", "memory", "cost", "incidents", "driving"
 *   sim         text    -        the simulation that runs the design (`ridge sim` lists them)
 *   opening     text    -        what the interviewer says first: one sentence, and no facts
 *   fields      object  -        what is drawn, as drills/bank.h has it
 *   assumes     text    ""       what the anchors take for granted: "decimal GB"
 *   fixed       object  {}       knobs that are nobody's: {"checked": 500}, as settings below
 *   facts       array   -        4 to 16 facts
 *   anchors     array   -        2 to 4 numbers to estimate
 *   design      object  -        the candidate's knobs, the goals, and three designs
 *   twists      array   -        1 to 4 of them, in the order of their minutes
 *   follow_ups  array   -        three questions that go deeper, each {"ask", "good", "level"}
 *   rubric      object  -        for each of the phases clarify, estimate, design, twist, wrap_up
 *   debrief     text    -        what the case is about, for afterwards
 *
 * TEXTS are as in drills, {name} being a field or what one fills, written as people read it. Besides,
 * there may be arithmetic of numbers that the simulation gives, and a unit for the result:
 *
 *   {today.usd_per_mtok}                        a value of the design "today" (also reference, naive)
 *   {today.usd_per_mtok / reference.usd_per_mtok in x}
 *   {twist1.fleet in GPU}                       of the reference after the first twist, and a knob
 *   {weights}                                   an anchor (not in opening, tell and say)
 *
 * SETTINGS, objects from knobs of the simulation to what they are set to: a number or a choice as
 * `ridge sim` takes it; the name of a field, whose unit is converted; or arithmetic of fields and of
 * numbers of the designs above, in the knob's unit.
 *
 * A FACT
 *
 *   id     text    -      for goals and twists
 *   name   text    -      what it is about, without what it is: "the load at the peak"
 *   asks   array   -      1 to 24 words and phrases that people ask with: "requests per second". A
 *                         phrase is found when all its words are there in any order; endings do not
 *                         matter, nor do words such as "the". What has one word left without
 *                         them is that word: "what runs" is found by "runs", though "how many
 *                         requests" needs "many" as well
 *   not    array   []     up to 16 words that say that something else is asked for
 *   tell   text    -      what is told
 *   sets   object  {}     the knobs that the fact fixes, whether it was asked for or not
 *   must   bool    false  a design without it is a guess
 *   kind   text    none   what kind of fact it is, for statistics of what is never asked for: "subject" (what
 *                         it is about), "load", "lengths", "hardware", "today", "goals", "limits" (what may
 *                         change) or "money" (and time)
 *   why    text    -      what one who never asks does not know: shown at the end
 *
 * AN ANCHOR is a number of a drill's step (drills/bank.h): name, formula, set, shown_unit, unit_policy,
 * dual, between, tags, factors and mistakes are the same; in place of prompt it has
 *
 *   ask    text    -      the question: "How large are the weights? In GB."
 *   facts  array   []     ids of the facts that it needs
 *
 * Within 5 % of the key is exact, within a factor of 1.3 counts, and there nothing is a mistake.
 *
 * THE DESIGN
 *
 *   knobs      object  -     the candidate's: from a knob to {"ask": what it decides} and, where not
 *                            all of the knob is to be had, "one_of" (an array of choices) or "from" and
 *                            "to"; "said", an object from words to the value that they mean in this
 *                            case; and "as", where it is decided by a whole number that follows from the
 *                            knob alone: {"id", "name", "is": arithmetic with it, "from", "to"}
 *   goals      array   -     1 to 8 goals
 *   reference  object  -     settings of all those knobs that meet all goals, at every seed
 *   naive      object  -     settings that one might try first, which miss a goal or cost more
 *   today      object  none  settings (of any knobs) of what runs today; the candidate's are unlike it
 *   cost       text    -     arithmetic of values: of designs that meet all goals, less is better
 *   cost_name  text    -     what that is: "a million tokens"
 *   met        object  -     {"ask", "good"}: asked when a design meets all goals
 *
 * A GOAL
 *
 *   id        text   -        for twists
 *   name      text   -        "first token, P99"
 *   is        text   -        what is held against it: a value of the simulation by its id, a knob, or
 *                             arithmetic of these and of fields: "fleet * price"
 *   at_most   any    one of   a number, a field (converted), or arithmetic of fields and designs:
 *   at_least  any    these    "0.5 * today.usd_per_mtok"
 *   one_of    array           of a knob of choices: those that will do
 *   unit      text   the      of both, where is or the number has none of its own: "$/h"
 *                    value's
 *   fact      text   none     the fact that tells it, so that a goal nobody asked for is named as that
 *   ask       text   -        what the interviewer asks when it is missed
 *   good      text   -        what a good answer to that has
 *
 * A TWIST changes what holds from a minute on
 *
 *   at_min     number  -      when it is told, 1 to 180 minutes after the beginning
 *   level      text    all    the least level that gets it: "staff"; higher ones come last
 *   say        text    -      what is told
 *   sets       object  {}     knobs that change
 *   facts      object  {}     from ids of facts to what they tell from then on
 *   goals      array   []     goals: one with the id of an earlier goal takes its place
 *   reference  object  -      settings that change the last reference, so that all goals are met again;
 *                             the reference before no longer meets them
 *   good       text    -      what a strong candidate does with it
 *
 * A PHASE OF THE RUBRIC
 *
 *   levels  array  -  four texts, from strong no to strong yes: what was seen
 *   weak    text   -  a weak answer, in the candidate's words
 *   strong  text   -  a strong one
 *
 * tests/laws_cases.c holds every case to this at many seeds: the reference meets all goals before and
 * after each twist, the naive design misses one or costs more, each twist breaks what met the goals
 * before it, and every fact is found by its own words. */
#ifndef RIDGE_CASE_H
#define RIDGE_CASE_H

#include "drills/bank.h"
#include "sims/figure/sim.h"

#include <stdbool.h>
#include <stddef.h>

enum case_level { LEVEL_SENIOR, LEVEL_STAFF, LEVEL_PRINCIPAL, N_CASE_LEVELS };
extern const char *const case_level_names[N_CASE_LEVELS + 1]; /* NULL-terminated */
extern const char *const case_area_names[];                   /* NULL-terminated */
extern const char *const case_area_subjects[]; /* what each is about: "it does not fit" */

enum case_phase {
	CASE_CLARIFY,
	CASE_ESTIMATE,
	CASE_DESIGN,
	CASE_TWIST,
	CASE_WRAP_UP,
	N_CASE_PHASES
};
extern const char *const case_phase_ids[N_CASE_PHASES + 1];   /* "wrap_up"; NULL-terminated */
extern const char *const case_phase_names[N_CASE_PHASES + 1]; /* "Wrap-up" */

enum fact_kind {
	FACT_SUBJECT,
	FACT_LOAD,
	FACT_LENGTHS,
	FACT_HARDWARE,
	FACT_TODAY,
	FACT_GOALS,
	FACT_LIMITS,
	FACT_MONEY,
	FACT_OTHER, /* its case says nothing of it */
	N_FACT_KINDS
};
extern const char *const fact_kind_ids[]; /* "lengths"; NULL-terminated, without FACT_OTHER */
extern const char *const fact_kind_names[N_FACT_KINDS]; /* "lengths and sizes" */

enum { CASE_MARKS = 4, CASE_FOLLOW_UPS = 3 };
enum { MOST_FACTS = 16, FEWEST_FACTS = 4, MOST_ASKS = 32, MOST_NOTS = 16 };
enum { MOST_GOALS = 8, MOST_TWISTS = 4, MOST_CASE_CHOICES = 16 };

struct case_setting {
	size_t knob;    /* its index in the simulation */
	const char *to; /* as written; a number as "16" */
};
struct case_settings {
	const struct case_setting *list;
	size_t n;
};

struct case_fact {
	const char *id, *name, *tell, *why;
	const char *const *asks, *const *nots;
	size_t n_asks, n_nots;
	struct case_settings sets;
	enum fact_kind kind;
	bool must;
};

struct case_anchor {
	unsigned facts; /* bit i: it needs fact i */
};

enum case_goal_kind { GOAL_AT_MOST, GOAL_AT_LEAST, GOAL_ONE_OF };
struct case_goal {
	const char *id, *name, *is, *ask, *good;
	enum case_goal_kind kind;
	const char *amount;         /* of at most and at least */
	const char *const *choices; /* of one of */
	size_t n_choices, knob;     /* knob: whose choices they are */
	const char *unit;           /* NULL: that of the value */
	int fact;                   /* -1: none */
};

struct case_question {
	const char *ask, *good;
	enum case_level level; /* the least that gets it */
};

/* What a value is called in this case: "BF16" of the message that it makes. */
struct case_saying {
	const char *words, *value;
};

struct case_knob {
	size_t knob;
	const char *ask;
	const char *const *one_of;
	size_t n_one_of;
	double from, to; /* NAN: not limited */
	const struct case_saying *said;
	size_t n_said;
	/* What the candidate decides in its place, a whole number that follows from it; is: NULL, it is the knob itself. */
	struct knob as;
	const char *is;
};

struct case_twist {
	unsigned at_min;
	enum case_level level;
	const char *say, *good;
	struct case_settings sets, reference;
	const char *tells[MOST_FACTS]; /* NULL: as before */
	const struct case_goal *goals;
	size_t n_goals;
};

struct case_rubric {
	const char *levels[CASE_MARKS], *weak, *strong;
};

struct design_case {
	struct arena arena;
	const char *file; /* for messages */
	const char *id, *title, *area, *opening, *debrief;
	unsigned levels; /* bit i: enum case_level i */
	const struct sim *sim;
	struct drill drill; /* fields, and the anchors as its steps */
	struct case_settings fixed;
	struct case_fact facts[MOST_FACTS];
	size_t n_facts;
	struct case_anchor anchors[MOST_STEPS]; /* beside drill.steps */
	struct case_knob knobs[MAX_KNOBS];
	size_t n_knobs;
	const struct case_goal *goals;
	size_t n_goals;
	struct case_settings reference, naive, today;
	bool has_today;
	const char *cost, *cost_name;
	struct case_question met;
	struct case_twist twists[MOST_TWISTS];
	size_t n_twists;
	struct case_question follow_ups[CASE_FOLLOW_UPS];
	struct case_rubric rubric[N_CASE_PHASES];
};

/* Reads one file; `name` is what messages call it. 0; or -1 and one line in err that names file, place
 * and what was expected. Release it either way. The tables must outlive the case. */
int case_read(struct design_case *c, const struct tables *t, const char *json, const char *name,
	char *err, size_t err_size);
void case_release(struct design_case *c);

/* Only what a list shows: id, title, area and levels. 0; or -1 and one line in err. */
int case_read_head(
	struct design_case *c, const char *json, const char *name, char *err, size_t err_size);

/* Whether the name of its simulation would tell a candidate what is to be found out, as that of an incident does. */
bool case_hides_sim(const char *area);

/* The least level of a case. */
enum case_level case_least_level(const struct design_case *c);

#endif
