/* The banks of drills, and the manual of their files: whoever writes a drill needs this comment
 * only. A bank is JSON in content/drills/NAME.json (or in a folder of the user's own). No key is
 * ever typed: a drill names a formula of the sheet (`ridge calc` lists them), what its parameters
 * are drawn from, and mistakes as the same formula with one assumption changed. drills/deal.h draws
 * variants of it. What does not fit this manual is refused with a message that names the file, the
 * drill and the key.
 *
 * THE FILE, an object
 *
 *   key        type             default  meaning
 *   schema     number           -        always 1
 *   topic      text             -        for `--topic` and the history: "kvcache"
 *   name       text             topic    the topic as people read it: "KV cache"
 *   drills     array            -        objects, as below
 *
 * A text has 1 to 2000 bytes. "-" means that the key must be there. Keys that are not named here
 * are refused. An example of a whole file:
 *
 *   {"schema": 1, "topic": "kvcache", "name": "KV cache", "drills": [{
 *     "id": "kv-cache", "kind": "number", "skill": "kv-cache", "title": "KV cache of a batch",
 *     "prompt": "How large is the KV cache of {model} for {batch} of {context}? In GB.",
 *     "formula": "kv_cache_bytes", "set": {"tokens": "cached"},
 *     "fields": {
 *       "model": {"models": ["llama3-8b", "llama3-70b"]},
 *       "batch": {"choices": [8, 16], "unit": "sequence"},
 *       "context": {"choices": [2048, 8192], "unit": "token"},
 *       "cached": {"product": ["batch", "context"]},
 *       "bytes_per_value": 2
 *     },
 *     "shown_unit": "GB", "between": [0.5, 500], "tags": ["info", "kv"],
 *     "assumes": "decimal GB, 16 bits a value",
 *     "mistakes": [
 *       {"name": "keys without values", "times": 0.5},
 *       {"name": "used query heads, not KV heads", "set": {"kv_heads": "heads"}},
 *       {"name": "one layer", "drop": "layers"}
 *     ],
 *     "par_s": 60, "hints": ["What does one token cost?"],
 *     "page": "chapters/08-inference.md#kv-cache", "sim": "kvcache model={model} batch={batch}"}]}
 *
 * A DRILL, the keys of every kind
 *
 *   key        type             default  meaning
 *   id         text             -        its name for commands and history: one word of its own
 *   kind       text             -        "number", "recall", "choice", "order", "estimate", "code"
 *   rung       text             by kind  how much it asks for: "recall", "apply", "combine", "judge".
 *                                        Without it a recall is "recall", a number "apply", an estimate and
 *                                        a program "combine", a choice and an order "judge"
 *   chain      object           none     the subject that it climbs with others, {"name": "cache",
 *                                        "place": 3}: a word, and 1 to 9. The set chain-cache is dealt
 *                                        by place, so no rung may be lower than one before it
 *   skill      text             -        what it trains; the review schedule is kept by skill
 *   title      text             -        in lists
 *   prompt     text             -        what is asked; of several steps, the scene that they share
 *   fields     object           {}       what is drawn, as below, 1 to 32 of them; a number, a
 *                                        recall and an estimate must have some
 *   assumes    text             ""       what the answer takes for granted: "decimal GB"; the tags
 *                                        info, peak, link and flops need it
 *   par_s      number           -        the time it should take, 5 to 3600 seconds
 *   hints      array            -        a text, or two, the second saying more, without a formula; where
 *                                        one is the key, its form and the numbers put in follow by
 *                                        themselves, and one text is enough. Of several steps they are of
 *                                        the first, and say nothing of the others
 *   page       text             none     where it is explained: "chapters/08-inference.md#kv-cache"
 *   sim        text             none     a simulation to play with: "kvcache model={model}"
 *   follow_up  text             ""       what an interviewer asks next; after "A good answer" in it
 *                                        comes what the answer should have
 *   covers     array            []       1 to 16 ids of rows of the inventory and of errata: "R4"
 *
 * In prompt, assumes, hints, sim and follow_up (and in what kinds add) {name} is a field, or what a
 * model or GPU among the fields fills; in sim it is written as commands read it ("llama3-70b",
 * "8192"), elsewhere as people do ("Llama 3 70B", "8,192 tokens").
 *
 * FIELDS, an object from names to one of these; they are drawn in order
 *
 *   2                                 always this number
 *   {"choices": [8, 16]}              one of 1 to 64 numbers. With it may come "names", a text for
 *                                     each as people read it, and "ids", as commands do
 *   {"models": ["llama3-8b"]}         one of these models. It fills params, layers, hidden, heads,
 *                                     kv_heads, head_dim, ffn and vocab
 *   {"gpus": ["h100"]}                one of these accelerators. It fills peak_flops, bandwidth,
 *                                     memory_bytes, link_bandwidth, fp32_flops, tf32_flops,
 *                                     shared_bytes, sm_count, clock and power
 *   {"product": ["batch", "context"]} computed, from names above it and numbers
 *   {"sum": ["batch", 1]}             the same
 *
 * A drill has at most one field with models and one with gpus. Each object may have "unit"; without
 * it a field has the unit of the formula's parameter of its name, and else none. Numbers go to the
 * formula as they stand, in its base units: 200e9 B, which people read as "200 GB", and 0.6, which
 * they read as "60 %" where "names" says so.
 *
 * A NUMBER: a drill of this kind, or a step of an estimate
 *
 *   key          type    default        meaning
 *   formula      text    -              whose value is the key; each of its parameters must be a
 *                                       field, filled by one, or set
 *   set          object  {}             parameters given otherwise, at most 8: from their names to
 *                                       the name of a field or a number: {"tokens": "cached"}
 *   shown_unit   text    -              the unit that the prompt asks for, of the dimension of the
 *                                       formula's: "GB"; "" for a plain number
 *   unit_policy  text    "named"        "named": the prompt has shown_unit as a word, and a bare
 *                                       number is in it. "required": the unit is part of the
 *                                       answer. "none": the answer has none
 *   mode         object  {"rel": 0.05}  what counts as right: {"rel": t}, within the fraction t;
 *                                       {"abs": t}, within t of shown_unit; {"geo": f}, within the
 *                                       factor f; {"sigfig": n}, to n digits; or "exact", a text
 *   dual         bool    false          a bare 0.42 answers 42 % as well as 42 does
 *   tags         array   []             ratios of a wrong answer that mean something here: "info"
 *                                       (bits, bytes, powers of 1024), "kv", "flops", "peak",
 *                                       "link", "dtype", "train", "time"
 *   between      array   above 0        [least, most] of the key in shown_unit: other draws are not
 *                                       dealt
 *   factors      object  {}             at most 16 fields that somebody may forget or count twice,
 *                                       and what people call them: {"layers": "layers"}
 *   mistakes     array   -              1 to 16 known wrong answers, as below
 *
 * MISTAKES, objects. Each must change something: with at least one of set, drop, formula, field,
 * times and over. A draw in which one is too near to the key to be told from it is drawn again.
 *
 *   key      type    default   meaning
 *   name     text    -         what one is told: "used query heads, not KV heads"
 *   set      object  {}        as above, on top of what the key sets
 *   drop     text    none      a parameter that counts as 1
 *   formula  text    the same  another formula, of the same fields
 *   field    text    none      a field as it is, and no formula: neither set nor drop then
 *   times    any     1         a field's name or a number: what the value is multiplied by,
 *   over     any     1         and what it is divided by
 *   credit   number  0.25      what the answer earns, 0 to below 1
 *   link     text    none      where the mistake is explained, as "page" has it
 *
 * A RECALL is a number that one should know by heart. In place of a formula it may have
 *
 *   fact     text    -         what a model or GPU among its fields fills: "bandwidth"
 *
 * A CHOICE
 *
 *   options  array   -         2 to 9 objects, of which the right one and up to three others are
 *                              shown, shuffled:
 *     text   text    -         the option
 *     reason text    -         why it is right, or wrong: shown after the answer
 *     right  bool    false     of exactly one of them; or instead, in each of them,
 *     less   array   none      two names, ["intensity", "ridge"]: right when the first is clearly
 *                              below the second, so that what is computed decides. In a step the
 *                              names may be those of earlier steps
 *   steps  array   -           in place of options: as in an estimate (the cause, then the fix)
 *
 * The reason is for why; an option is as long as the others, whether it is right or not, and each
 * wrong one is what somebody would really do (tests/test_choices.c holds the bank to it).
 *
 * AN ORDER
 *
 *   items    array   -         3 to 9 objects {"text": ..., "reason": ...}, in the right order. An
 *                              item that is an array holds items that may come in any order
 *
 * AN ESTIMATE
 *
 *   steps    array   -         2 to 4 objects, each with the keys of a number or "options", and
 *     prompt text    -         what this step asks
 *     hint   text    none      a sentence that helps with this step, behind the first one, whose
 *                              hints are those of the drill
 *     name   text    - or ""   of its value, which a number must have: a later formula's parameter
 *                              of this name gets it, and later reasons may say {name}
 *
 * A later number whose formula rounds to a whole one (with whole, ceil or floor) must be right as
 * well when an earlier answer that it takes is 1 % off, since people go on from rounded numbers: a
 * draw in which it is not is drawn again. Earlier counts are taken as they are.
 *
 * CODE, a program to write. Its texts of programs are arrays of 1 to 200 lines, of LONGEST_PROGRAM
 * bytes in all; in them @name@ is a field, since braces mean something there.
 *
 *   language    text    -      "python" or "c"
 *   stub        lines   -      what the candidate begins with
 *   solution    lines   -      the model solution: it is run, like the candidate's
 *   checks      lines   -      what calls the program. Python: def check(m, c), where m is the
 *                              candidate's module and c a dict of the case's fields, returns for
 *                              each of "expect" a number or a list of them. C: void check(const
 *                              struct ridge_case *c), with the fields as c->name, calls put(x) for
 *                              each number and next() between two of "expect", and declares what it
 *                              calls
 *   check_list  array   -      3 to 6 lines to judge oneself by where nothing can be run
 *   cases       object  -      what the program is run with:
 *     count     number  -      how many cases, 1 to 20
 *     fields    object  -      as above, but drawn for each case anew, from a stream of their own,
 *                              so that every choice comes up before one comes up again. Names are
 *                              of small letters, digits and _
 *     shown     text    -      a case for people, with the drill's fields too: "f of {x}"
 *   expect      array   -      1 to 8 objects: what is compared, by ridge and never in the
 *                              candidate's process; not all of them limits
 *     name      text    -      "bytes sent"
 *     formula   text    -      every number must be its value; with "set", "times", "over" and
 *                              "mistakes" as above, here all optional; or instead
 *     from      text    -      "solution": the numbers must be those of the model solution
 *     mode      object  1e-9   {"rel": t}, and no other
 *     at_most   bool    false  the value of the formula is a limit
 *
 * EDITIONS. content/drills/editions.json numbers what the bank had at a time, each edition an array
 * of the ids that came with it: {"schema": 1, "editions": [["kv-cache", ...], ...]}. Session codes
 * name an edition (drills/code.h), and a drill that is in none, or in a later one, is in no set of
 * theirs. `make editions` writes a new edition of all drills that are in none; there can be 31, so
 * do it once for all that you add.
 *
 * A PACK is a file of drills like any, which two people both have: `--pack FILE`. Its drills are dealt
 * whole and in the order of the file, and its codes name the file by a hash of its text. */
#ifndef RIDGE_BANK_H
#define RIDGE_BANK_H

#include "drills/question.h"
#include "sims/formulas/formula.h"
#include "sims/tables/tables.h"

enum drill_kind {
	KIND_NUMBER,
	KIND_CHOICE,
	KIND_ORDER,
	KIND_RECALL,
	KIND_ESTIMATE,
	KIND_CODE,
	N_KINDS
};
extern const char *const kind_names[N_KINDS + 1]; /* NULL-terminated */

/* A ladder: what one knows by heart, one formula, several in a row, and what to make of them. The fifth
 * rung, a design, is a case (drills/case.h). */
enum drill_rung { RUNG_RECALL, RUNG_APPLY, RUNG_COMBINE, RUNG_JUDGE, N_RUNGS };
extern const char *const rung_names[N_RUNGS + 1]; /* NULL-terminated */

enum { MOST_STEPS = 4, MOST_OPTIONS = 9, MOST_COVERS = 16, MOST_CHAIN = 9, MOST_CHAINS = 32 };
enum { MOST_FIELDS = 32, MOST_VALUES = 64, MOST_MISTAKES = 16 }; /* values: of one field */
enum { MOST_ARGS = 32 };                                         /* of a formula */
enum { MOST_EDITIONS = 31 }; /* a session code says which, in one symbol */
enum { LONGEST_PROGRAM = 6000, MOST_CASES = 20, MOST_EXPECTATIONS = 8, MOST_CHECK_LINES = 6 };

enum drill_field_kind { DRILL_CHOICES, DRILL_MODELS, DRILL_GPUS, DRILL_PRODUCT, DRILL_SUM };

/* A field by its name, or a number. */
struct operand {
	const char *name; /* NULL: the number */
	double number;
};

struct drill_field {
	const char *name, *unit;
	enum drill_field_kind kind;
	size_t n;
	const double *values;           /* of choices */
	const char *const *names;       /* for people, or NULL */
	const char *const *ids;         /* for programs, or NULL; of models and GPUs: their ids */
	const struct operand *operands; /* of a product or sum */
};

struct drill_setting {
	const char *name; /* of a parameter of the formula */
	struct operand to;
};

/* What a formula gives with the fields as its arguments, except for those that settings replace; or
 * the value of one field. */
struct drill_value {
	const struct formula *formula;
	const char *field; /* NULL, or the field whose value it is; then there is no formula */
	const struct drill_setting *settings;
	size_t n_settings;
	struct operand times, over;
};

struct drill_mistake {
	const char *name, *link; /* link may be NULL */
	double credit;
	struct drill_value value;
};

struct drill_factor {
	const char *field, *name;
};

struct drill_option {
	const char *text;
	const char *reason; /* why it is right, or wrong; of an item of an order: why there */
	bool right;
	const char *less[2]; /* right when the first is below the second; NULL: see right */
	size_t place;        /* of an item: items of one place may come in any order */
};

/* What is asked at once. kind is KIND_NUMBER, KIND_CHOICE, KIND_ORDER or KIND_CODE. */
struct drill_step {
	enum drill_kind kind;
	const char *name;   /* of its value, for later steps; "" where there are none */
	const char *prompt; /* NULL where the drill's own is all */
	const char
		*hint; /* NULL where there is none, as in the first, whose hints are the drill's */
	/* A number: */
	struct drill_value key;
	const char *unit, *shown_unit; /* of the key, and of the answer */
	enum unit_policy unit_policy;
	struct tolerance tolerance;
	bool dual;
	unsigned tags;
	double least, most; /* of the key, in shown units */
	const struct drill_factor *factors;
	size_t n_factors;
	const struct drill_mistake *mistakes;
	size_t n_mistakes;
	/* A choice or an order: */
	const struct drill_option *options;
	size_t n_options;
};

enum program_language { LANGUAGE_PYTHON, LANGUAGE_C, N_LANGUAGES };
extern const char *const language_names[N_LANGUAGES + 1];  /* "python"; NULL-terminated */
extern const char *const language_titles[N_LANGUAGES + 1]; /* "Python" */

/* What one run of a program is compared with, in each case. Of its step only the key, the
 * tolerance and the mistakes are used. */
struct drill_expectation {
	const char *name;
	bool computed; /* by step->key; else what the model solution gives */
	bool at_most;  /* the key is a limit */
	const struct drill_step *step;
};

struct drill_program {
	enum program_language language;
	const char *stub, *solution, *checks;
	const char *shown;                /* of a case, for people: "f of {x}" */
	const struct drill_field *fields; /* of a case */
	size_t n_fields, n_cases;
	const struct drill_expectation *expectations;
	size_t n_expectations;
	const char *const *check_list;
	size_t n_check_list;
};

struct drill {
	const char *id, *topic, *skill, *title;
	const char *topic_name; /* for people; the topic where the file gives it no "name" */
	enum drill_kind kind;
	enum drill_rung rung;
	const char *prompt, *assumes, *hints[2];
	const char *page, *sim, *follow_up; /* page and sim: NULL where nothing fits */
	const char *chapter; /* "chapter-8": that of its page; NULL where it has none */
	const char
		*chain; /* "chain-cache": what it climbs with others; NULL where it stands alone */
	unsigned chain_place; /* 1..MOST_CHAIN, of no other drill of the chain */
	const struct drill_field *fields;
	size_t n_fields;
	double par_s;
	const struct drill_step *steps;
	size_t n_steps;
	const char *const *covers; /* "R4", "E1": what of the field it asks for */
	size_t n_covers;
	const struct drill_program *program; /* of KIND_CODE, else NULL */
};

struct drill_edition {
	const char *const *ids;
	size_t n;
};

struct drill_bank {
	struct arena arena;
	struct drill *drills;
	size_t n;
	const struct drill_edition *editions;
	size_t n_editions;
	/* The pack that came last into it, with its ids in the order of its file; n 0: there is none. */
	struct drill_edition pack;
	unsigned pack_hash; /* of its text (code_hash) */
};

/* A zeroed struct drill_bank is an empty one; drills/bank_read.h fills it. */
void bank_release(struct drill_bank *b);

const struct drill *bank_find(const struct drill_bank *b, const char *id); /* NULL if none */

/* Whether it belongs to the set that is called so: a topic, a skill, a chapter ("chapter-8": what is
 * explained there), a rung, a chain ("chain-cache"), or the drill itself; or to one of several, with commas
 * between them: "memory,communication". */
bool drill_is_of(const struct drill *d, const char *set);

/* The edition that a drill came with, from 1; 0 where it is in none. */
size_t bank_edition(const struct drill_bank *b, const char *id);

/* The place of a drill in the pack, from 0; the pack's n where it is not in it. */
size_t bank_pack_place(const struct drill_bank *b, const char *id);

/* The topics in order of appearance, at most `most`; returns how many. */
size_t bank_topics(const struct drill_bank *b, const char *topics[], size_t most);

/* The drills of a chain ("chain-cache") from the lowest to the highest, MOST_CHAIN at most; 0 where
 * there is none of this name. */
size_t bank_chain(
	const struct drill_bank *b, const char *chain, const struct drill *drills[MOST_CHAIN]);

/* The chains in order of appearance, at most `most`; returns how many. */
size_t bank_chains(const struct drill_bank *b, const char *chains[], size_t most);

/* Reads @name@ where a program's text has it at `at`. Its bytes, with both signs, and the name; 0
 * where there is none. */
size_t program_field(const char *at, char *name, size_t size);

/* The names that a field with models or GPUs fills; NULL-terminated. */
extern const char *const model_fills[], *const gpu_fills[];

/* The unit of such a name, where no formula says it; "" where it has none. */
const char *filled_unit(const char *name);

#endif
