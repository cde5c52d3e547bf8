/* Talkers: sittings at a case of which every line is drawn from what people say, in any order, at any time, and
 * typed by a candidate who is alone, beside an interviewer, or by the interviewer. Done once more from its
 * record, each sitting says the same, word for word. */
#include "tests/cases.h"

#include "drills/case_talk.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "ui/practice/case_record.h"

#include <stdio.h>

enum { SITTINGS = 12, LINES = 90, MOST_PARTS = 3, LONGEST_STEP_MS = 50000 };

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void unload(void)
{
	tables_release(&tables);
}

TestSuite(case_talker, .init = load, .fini = unload);

/* Whole lines and parts of lines. "%f" is a word that a fact is asked for by, "%k" a knob, "%a" an anchor, "%n" a
 * number, "%v" a value. */
static const char *const parts[] = {
	"How many %f are there?",
	"What about the %f",
	"and the %f?",
	"Is it %f or %f?",
	"which %f",
	"%n",
	"%n s",
	"%n GB",
	"1 %n s",
	"1) %n GB, 2) %n ms",
	"%n %",
	"estimate",
	"estimate %n %n s",
	"estimate %a %n B",
	"%a %n",
	"%a is about %n s",
	"%a = %n GB / %n GB/s = %n s",
	"estimate 9 %n",
	"%n to %n s",
	"around %ne3",
	"-%n",
	"2",
	"two",
	"%k=%v",
	"%k = %v",
	"%k: %v",
	"design %k=%v",
	"design",
	"design %k %v",
	"set %k to %v",
	"%v %k",
	"no %k",
	"design %k=nan %k=%v",
	"release",
	"release %k=%v",
	"run",
	"run it",
	"yes",
	"no",
	"both",
	"1",
	"yes please",
	"facts",
	"twist",
	"follow",
	"next",
	"next one",
	"say %f, because %n",
	"say",
	"unsay",
	"because %f",
	"since it is %n",
	"mark clarify 3",
	"mark clarify",
	"mark design 5",
	"mark numbers 2",
	"mark x 1",
	"mark wrap-up 4",
	"help",
	"?",
	"hint",
	"again",
	"end",
	"I would use %k=%v because of %f",
	"",
	"   ",
	",;,",
	"\xc3\xa9t\xc3\xa9 \xf0\x9f\x99\x82",
};
static const char *const values[] = { "ring", "tree", "auto", "on", "off", "8", "25", "fp8", "8 MB",
	"1e9", "x" };

static void draw_part(FILE *out, const struct design_case *c, struct rng *r)
{
	for (const char *p = parts[rng_below(r, LENGTH(parts))]; *p; p++) {
		const char what = *p == '%' ? p[1] : '\0';
		if (what == 'f') {
			const struct case_fact *f = &c->facts[rng_below(r, c->n_facts)];
			fputs(f->asks[rng_below(r, f->n_asks)], out);
		} else if (what == 'k') {
			fputs(c->sim->knobs[c->knobs[rng_below(r, c->n_knobs)].knob].id, out);
		} else if (what == 'a') {
			fputs(c->drill.steps[rng_below(r, c->drill.n_steps)].name, out);
		} else if (what == 'n') {
			fprintf(out, "%g", (double)rng_below(r, 400) / 8);
		} else if (what == 'v') {
			fputs(values[rng_below(r, LENGTH(values))], out);
		} else {
			fputc(*p, out);
			continue;
		}
		p++;
	}
}

static char *draw_line(const struct design_case *c, struct rng *r)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	for (uint64_t n = 1 + (rng_below(r, 4) == 0) * rng_below(r, MOST_PARTS); n > 0; n--) {
		draw_part(f, c, r);
		if (n > 1)
			fputs(rng_below(r, 2) ? " " : ". ", f);
	}
	fclose(f);
	return text;
}

/* Draws the lines and does them; their record, to be freed. */
static char *sit(struct case_talk *t, struct rng *r)
{
	char *record = NULL;
	size_t size;
	int64_t ms = 0;
	FILE *f = open_memstream(&record, &size);
	char *line = case_begin_line(t->sitting, 1767225600);
	fputs(line, f);
	free(line);
	for (size_t i = 0; i < LINES; i++) {
		char *typed = draw_line(t->sitting->deal.of, r);
		ms += (int64_t)rng_below(r, LONGEST_STEP_MS);
		case_talk_line(t, "", ms);
		case_talk_echo(t, typed);
		cr_assert(case_talk_line(t, typed, ms), "%s", typed);
		line = case_typed_line(typed, ms);
		fputs(line, f);
		free(line);
		free(typed);
	}
	fclose(f);
	return record;
}

static void check_said(const struct case_talk *t, const struct case_talk *again, const char *record)
{
	cr_assert(t->said.arena.failed == false && again->said.arena.failed == false);
	cr_assert(lt(sz, LINES, t->said.n));
	cr_assert(eq(sz, again->said.n, t->said.n), "%s", record);
	for (size_t i = 0; i < t->said.n; i++)
		cr_assert(strcmp(again->said.list[i].text, t->said.list[i].text) == 0 &&
				  again->said.list[i].tone == t->said.list[i].tone,
			"paragraph %zu\n%s\n%s\n%s", i, t->said.list[i].text,
			again->said.list[i].text, record);
	cr_assert(eq(sz, case_facts_told(again->sitting), case_facts_told(t->sitting)));
	cr_assert(le(sz, case_facts_told(t->sitting), t->sitting->deal.of->n_facts));
	cr_assert(eq(int, (int)again->sitting->phase, (int)t->sitting->phase));
	cr_assert(eq(sz, again->sitting->n_said, t->sitting->n_said));
}

static void talk(const struct design_case *c, enum case_company company, uint64_t seed)
{
	const enum case_level level = (enum case_level)(seed % N_CASE_LEVELS);
	struct case_sitting one, two;
	struct case_talk first, again;
	struct rng r = rng_stream(seed, "talker", company);
	char err[500];
	size_t unreadable;
	if (!(c->levels >> level & 1))
		return;
	cr_assert(zero(int, case_sitting_begin(&one, c, &tables, seed, level, err, sizeof err)));
	cr_assert(zero(int, case_sitting_begin(&two, c, &tables, seed, level, err, sizeof err)));
	one.company = two.company = company;
	case_talk_begin(&first, &one);
	case_talk_begin(&again, &two);
	char *record = sit(&first, &r);
	cr_assert(le(i64, 0, case_replay(&again, record, &unreadable)));
	cr_assert(zero(sz, unreadable));
	check_said(&first, &again, record);
	free(record);
	case_talk_release(&first);
	case_talk_release(&again);
	case_sitting_release(&one);
	case_sitting_release(&two);
}

static void talk_of(const char *id)
{
	struct design_case c;
	cases_open(&c, &tables, id);
	for (uint64_t seed = 0; seed < SITTINGS; seed++)
		for (int company = CASE_ALONE; company <= CASE_LED; company++)
			talk(&c, (enum case_company)company, seed);
	case_release(&c);
}

Test(case_talker, says_the_same_once_more, .timeout = 120)
{
	talk_of("gradients-over-ethernet");
}

Test(case_talker, says_the_same_of_perception, .timeout = 120)
{
	talk_of("perception-budget");
}
