#include "ui/practice/case_sheet.h"

#include "drills/case_plan.h"
#include "sims/base/minmax.h"
#include "sims/base/utf8.h"
#include "sims/quantity/quantity.h"
#include "ui/files/printed.h"
#include "ui/practice/drill_summary.h"

#include <math.h>
#include <string.h>

enum { DESIGN_SIZE = 600, CHOICES_SIZE = 300 };

/* --- Paper --- */

static void list_knobs(const struct dealt_case *d, FILE *out)
{
	char choices[CHOICES_SIZE];
	for (size_t i = 0; i < d->of->n_knobs; i++) {
		const struct case_knob *k = &d->of->knobs[i];
		fprintf(out, "- `%s`: %s (%s)\n", case_knob_id(d, k), k->ask,
			case_knob_choices(d, k, choices, sizeof choices));
	}
}

static void head(struct case_sitting *s, FILE *out)
{
	struct dealt_case *d = &s->deal;
	fprintf(out,
		"# %s\n\n%s, %s, seed %llu, about %.0f minutes of work on a clock of %u\n\n> %s\n\n",
		d->of->title, d->of->area, case_level_names[d->level], (unsigned long long)d->seed,
		case_minutes(d), s->minutes, case_text(d, d->of->opening));
	/* Printed one after the other they would be of two deals. */
	fprintf(out,
		"Both sides of one interview have one seed and one level: `ridge case %s --seed %llu "
		"--level %s",
		d->of->id, (unsigned long long)d->seed, case_level_names[d->level]);
	if (s->minutes != CASE_MINUTES)
		fprintf(out, " --minutes %u", s->minutes);
	fprintf(out,
		" --sheet` prints the interviewer's, and with `--candidate` the candidate's.\n\n");
}

int case_sheet_candidate(struct case_sitting *s, FILE *out)
{
	struct dealt_case *d = &s->deal;
	head(s, out);
	fprintf(out, "Facts are told to whoever asks for them.\n\n## To estimate\n\n"
		     "Within 5 %% is exact, within a factor of 1.3 counts.\n\n");
	for (size_t i = 0; i < d->variant.n_steps; i++)
		fprintf(out, "%zu. %s\n", i + 1, d->variant.steps[i].asks);
	fprintf(out, "\n## To decide\n\n");
	list_knobs(d, out);
	return printed_end(out) || d->arena.failed ? -1 : 0;
}

static void list_facts(struct dealt_case *d, FILE *out)
{
	for (size_t i = 0; i < d->of->n_facts; i++) {
		const struct case_fact *f = &d->of->facts[i];
		fprintf(out, "- [ ] **%s**%s: %s\n", f->name,
			f->must ? " (a design without it is a guess)" : "", case_tell(d, i, 0));
		fprintf(out, "      Not asked: %s\n", case_text(d, f->why));
	}
}

/* A text in so many columns: whole words, without the sign at their end, and a mark where it was cut. cols: 0: all of it.
 * Returns how many it took. */
static int write_cut(const char *text, int cols, FILE *out)
{
	enum { MARK = 3 };
	const int all = (int)strlen(text);
	const bool cut = cols > 0 && all > cols;
	size_t n = cut ? utf8_whole(text, (size_t)max_int(cols - MARK, 1)) : (size_t)all;
	while (cut && n > 0 && text[n] != ' ')
		n--;
	while (cut && n > 0 && strchr(" .,;:", text[n - 1]))
		n--;
	fprintf(out, "%.*s%s", (int)n, text, cut ? "..." : "");
	return (int)n + (cut ? MARK : 0);
}

/* The facts of a desk, each once: whole, and in a row, which ends in a mark where it was cut, one
 * that was told, or all of them (cols: 0, and none is). why: what it costs not to ask for one that decides. */
static void list_desk_facts(struct dealt_case *d, const bool *told, size_t stage, bool all,
	int cols, bool why, FILE *out)
{
	enum { BOX = 4, LEAST = 11 };
	for (size_t i = 0; i < d->of->n_facts; i++) {
		const struct case_fact *f = &d->of->facts[i];
		const char *text = case_tell(d, i, stage), *bold = f->must ? "**" : "";
		char name[120];
		const int named = snprintf(name, sizeof name, "#%zu %s: ", i + 1, f->name);
		fprintf(out, "- [%c] #%zu %s%s%s: ", told[i] ? 'x' : ' ', i + 1, bold, f->name,
			bold);
		write_cut(text, cols && (told[i] || all) ? max_int(cols - BOX - named, LEAST) : 0,
			out);
		if (why && f->must && !told[i])
			fprintf(out, "  \n  *Not asked:* %s", case_text(d, f->why));
		fprintf(out, "\n");
	}
	fprintf(out, "\n");
}

/* "[ ] #1 **the model**" in half of so many columns, filled with blanks that are no place to break
 * a line. */
static void write_half(struct dealt_case *d, size_t i, bool told, bool left, int cols, FILE *out)
{
	enum { BEFORE = 8, BETWEEN = 2 };
	const struct case_fact *f = &d->of->facts[i];
	const char *bold = f->must ? "**" : "";
	const int room = cols / 2 - BEFORE - BETWEEN;
	fprintf(out, "[%c] #%-2zu %s", told ? 'x' : ' ', i + 1, bold);
	const int used = write_cut(f->name, max_int(room, 1), out);
	fprintf(out, "%s", bold);
	for (int k = used; left && k < room + BETWEEN; k++)
		fprintf(out, "\u00a0");
}

/* All names at a glance, in two columns. */
static void list_fact_names(struct dealt_case *d, const bool *told, int cols, FILE *out)
{
	const size_t n = d->of->n_facts, half = (n + 1) / 2;
	for (size_t i = 0; i < half; i++) {
		write_half(d, i, told[i], true, cols, out);
		if (half + i < n)
			write_half(d, half + i, told[half + i], false, cols, out);
		fprintf(out, "%s\n", i + 1 < half ? "  " : "\n");
	}
}

static void list_numbers(struct dealt_case *d, FILE *out)
{
	for (size_t i = 0; i < d->variant.n_steps; i++) {
		const struct variant_step *s = &d->variant.steps[i];
		fprintf(out, "%zu. %s\n\n   %s\n\n", i + 1, s->asks, s->working);
		for (size_t k = 0; k < s->question.n_mistakes; k++) {
			char text[64];
			fprintf(out, "   - %s: %s\n",
				quantity_brief(text, sizeof text, s->question.mistakes[k].value,
					s->question.unit),
				s->question.mistakes[k].name);
		}
		fprintf(out, "\n");
	}
}

/* At a desk, where what is asked stands above: what it is, and what a wrong one comes from. */
static void list_keys(struct dealt_case *d, FILE *out)
{
	for (size_t i = 0; i < d->variant.n_steps; i++) {
		const struct variant_step *s = &d->variant.steps[i];
		fprintf(out, "%zu. **%s**", i + 1, s->working);
		for (size_t k = 0; k < s->question.n_mistakes; k++) {
			char text[64];
			fprintf(out, "%s%s: %s", k ? "; " : "  \n   If you hear ",
				quantity_brief(text, sizeof text, s->question.mistakes[k].value,
					s->question.unit),
				s->question.mistakes[k].name);
		}
		fprintf(out, "\n");
	}
	fprintf(out, "\n");
}

static void write_known(
	struct dealt_case *d, const char *name, const struct case_known *k, size_t stage, FILE *out)
{
	struct case_design design = case_known_design(d, k);
	struct case_run r;
	char text[DESIGN_SIZE];
	fprintf(out, "**%s:** `%s`\n\n", name, case_design_write(d, &design, text, sizeof text));
	if (case_run_known(d, k, stage, &r) == 0) {
		for (size_t i = 0; i < r.n_verdicts; i++)
			fprintf(out, "- [%s] %s: %s\n", r.verdicts[i].met ? "x" : " ",
				r.verdicts[i].goal->name, r.verdicts[i].words);
		if (!isnan(r.cost))
			fprintf(out, "- %s: %s\n", d->of->cost_name,
				quantity_brief(
					text, sizeof text, r.cost, r.cost_unit ? r.cost_unit : ""));
		fprintf(out, "- the simulation says: %s\n\n", r.why ? r.why : "nothing more");
	}
	case_run_release(&r);
}

/* "A design that meets the goals: GPU h100, weights fp8". */
static void write_words(
	struct dealt_case *d, const char *name, const struct case_known *k, FILE *out)
{
	struct case_design design = case_known_design(d, k);
	char text[DESIGN_SIZE];
	fprintf(out, "**%s:** %s\n\n", name, case_design_words(d, &design, text, sizeof text));
}

/* The same under a heading of its own, which is found without reading. */
static void write_key(struct dealt_case *d, const char *name, const struct case_known *k, FILE *out)
{
	struct case_design design = case_known_design(d, k);
	char text[DESIGN_SIZE];
	fprintf(out, "### KEY: %s\n\n%s\n\n", name,
		case_design_words(d, &design, text, sizeof text));
}

/* The goals of a design for a desk: its numbers at a glance. */
static void write_goals(struct dealt_case *d, const struct case_known *k, size_t stage, FILE *out)
{
	struct case_run r;
	if (case_run_known(d, k, stage, &r) == 0) {
		fprintf(out, "| goal | asked for | this design |\n| --- | --- | --- |\n");
		for (size_t i = 0; i < r.n_verdicts; i++) {
			const struct case_verdict *v = &r.verdicts[i];
			fprintf(out, "| %s | %s | %s %s |\n", v->goal->name, v->limit,
				v->met ? "✓" : "✗", v->now);
		}
		fprintf(out, "\n");
	}
	case_run_release(&r);
}

/* Where rows are few, a row for each goal. */
static void write_goals_in_rows(
	struct dealt_case *d, const struct case_known *k, size_t stage, int cols, FILE *out)
{
	enum { MARK = 2 };
	struct case_run r;
	char row[400];
	if (case_run_known(d, k, stage, &r) == 0)
		for (size_t i = 0; i < r.n_verdicts; i++) {
			const struct case_verdict *v = &r.verdicts[i];
			snprintf(row, sizeof row, "%s, asked for %s: %s", v->now, v->limit,
				v->goal->name);
			fprintf(out, "%s ", v->met ? "✓" : "✗");
			write_cut(row, max_int(cols - MARK, 1), out);
			fprintf(out, "%s\n", i + 1 < r.n_verdicts ? "  " : "\n");
		}
	case_run_release(&r);
}

static void list_questions(struct dealt_case *d, FILE *out)
{
	fprintf(out, "**If they miss a goal, ask:**\n\n");
	for (size_t i = 0; i < d->of->n_goals; i++)
		fprintf(out, "- **%s:** %s  \n  *A good answer:* %s\n", d->of->goals[i].name,
			case_text(d, d->of->goals[i].ask), case_text(d, d->of->goals[i].good));
	fprintf(out, "- **all are met:** %s  \n  *A good answer:* %s\n",
		case_text(d, d->of->met.ask), case_text(d, d->of->met.good));
}

static void list_designs(struct dealt_case *d, FILE *out)
{
	write_known(d, "A design that meets the goals", &d->reference[0], 0, out);
	write_known(d, "One that does not", &d->naive, 0, out);
	list_questions(d, out);
}

static void list_desk_designs(struct dealt_case *d, FILE *out)
{
	write_words(d, "A design that meets the goals", &d->reference[0], out);
	write_goals(d, &d->reference[0], 0, out);
	write_words(d, "One that does not", &d->naive, out);
	write_goals(d, &d->naive, 0, out);
	list_questions(d, out);
}

/* What it changes, and what a good answer has. */
static void write_twist(struct dealt_case *d, size_t i, FILE *out)
{
	const struct case_twist *w = &d->of->twists[i];
	fprintf(out, "**A strong candidate:** %s\n\n", case_text(d, w->good));
	for (size_t k = 0; k < d->of->n_facts; k++)
		if (w->tells[k])
			fprintf(out, "- from now on, %s: %s\n", d->of->facts[k].name,
				case_text(d, w->tells[k]));
	for (size_t k = 0; k < w->n_goals; k++)
		fprintf(out, "- **If they miss %s, ask:** %s  \n  *A good answer:* %s\n",
			w->goals[k].name, case_text(d, w->goals[k].ask),
			case_text(d, w->goals[k].good));
	fprintf(out, "\n");
}

static const char then_meets[] = "A design that meets the goals then";

static void list_twists(struct case_sitting *s, FILE *out)
{
	struct dealt_case *d = &s->deal;
	for (size_t i = 0; i < d->n_twists; i++) {
		fprintf(out, "### Twist %zu, at %ld minutes\n\nSay: %s\n\n", i + 1,
			case_plan_minute(case_twist_ms(s, i)), case_text(d, d->of->twists[i].say));
		write_twist(d, i, out);
		write_known(d, then_meets, &d->reference[i + 1], i + 1, out);
	}
}

/* At a desk, where the words and the goals of one stand above already. */
static void list_desk_twists(struct case_sitting *s, size_t above, FILE *out)
{
	struct dealt_case *d = &s->deal;
	const struct sitting_plan plan = case_plan_of(s, s->entered_ms[s->phase]);
	for (size_t i = 0; i < d->n_twists; i++) {
		char due[32];
		if (i < s->stage)
			fprintf(out, "### Twist %zu, told\n\n", i + 1);
		else
			fprintf(out, "### Twist %zu, due at %s\n\n", i + 1,
				drill_clock_text(case_plan_twist_ms(s, &plan, i), due, sizeof due));
		if (i != above) {
			fprintf(out, i < s->stage ? "*Told:* %s\n\n" : "> Say: **%s**\n\n",
				case_text(d, d->of->twists[i].say));
			write_words(d, then_meets, &d->reference[i + 1], out);
			write_goals(d, &d->reference[i + 1], i + 1, out);
		}
		write_twist(d, i, out);
	}
}

/* The level that was marked stands out; 0: none was. cols: of a row that each is cut to; 0: it is
 * not. */
static void write_levels(
	struct dealt_case *d, enum case_phase phase, unsigned mark, int cols, FILE *out)
{
	enum { NUMBER = 3 };
	for (size_t k = 0; k < CASE_MARKS; k++) {
		const char *bold = mark == k + 1 ? "**" : "";
		fprintf(out, "%zu. %s", k + 1, bold);
		write_cut(case_text(d, d->of->rubric[phase].levels[k]), cols ? cols - NUMBER : 0,
			out);
		fprintf(out, "%s\n", bold);
	}
	fprintf(out, "\n");
}

static void write_examples(struct dealt_case *d, enum case_phase phase, FILE *out)
{
	const struct case_rubric *r = &d->of->rubric[phase];
	fprintf(out, "- **weak** %s\n- **strong** %s\n\n", case_text(d, r->weak),
		case_text(d, r->strong));
}

static void list_rubric(struct dealt_case *d, FILE *out)
{
	fprintf(out, "## Rubric\n\n");
	for (unsigned i = 0; i < N_CASE_PHASES; i++) {
		fprintf(out, "### %s\n\n", case_phase_names[i]);
		write_levels(d, (enum case_phase)i, 0, 0, out);
		write_examples(d, (enum case_phase)i, out);
	}
}

/* skip: the one that stands above already; CASE_FOLLOW_UPS: none does. */
static void list_deeper(struct dealt_case *d, size_t skip, FILE *out)
{
	for (size_t i = 0; i < CASE_FOLLOW_UPS; i++)
		if (d->of->follow_ups[i].level <= d->level && i != skip)
			fprintf(out, "- **%s**  \n  *A good answer:* %s\n",
				case_text(d, d->of->follow_ups[i].ask),
				case_text(d, d->of->follow_ups[i].good));
	fprintf(out, "\n");
}

int case_sheet_interviewer(struct case_sitting *s, FILE *out)
{
	struct dealt_case *d = &s->deal;
	head(s, out);
	fprintf(out, "## Facts, for whoever asks\n\n");
	list_facts(d, out);
	fprintf(out, "\n## Numbers\n\nWithin 5 %% is exact, within a factor of 1.3 counts.\n\n");
	list_numbers(d, out);
	fprintf(out, "## Design\n\n");
	list_knobs(d, out);
	fprintf(out, "\n");
	list_designs(d, out);
	fprintf(out, "\n## Twists\n\n");
	list_twists(s, out);
	fprintf(out, "## Deeper\n\n");
	list_deeper(d, CASE_FOLLOW_UPS, out);
	list_rubric(d, out);
	fprintf(out, "## Debrief\n\n%s\n", case_text(d, d->of->debrief));
	return printed_end(out) || d->arena.failed ? -1 : 0;
}

/* Of the twists one stands on top: the one that was told last, or the first as long as none was. */
static size_t top_twist(const struct case_sitting *s)
{
	return s->stage ? s->stage - 1 : 0;
}

/* The question that goes deeper next; CASE_FOLLOW_UPS: all were asked. */
static size_t next_deeper(const struct case_sitting *s)
{
	size_t i = s->follow_ups;
	while (i < CASE_FOLLOW_UPS && s->deal.of->follow_ups[i].level > s->deal.level)
		i++;
	return i;
}

/* What is read out stands behind a bar, so that it is found without reading. */
static void write_spoken(const char *heading, const char *text, FILE *out)
{
	fprintf(out, "%s\n\n> **%s**\n\n", heading, text);
}

/* The twist that was told last, or the first. */
static void write_top_twist(struct case_sitting *s, FILE *out)
{
	struct dealt_case *d = &s->deal;
	const char *text = d->n_twists ? case_text(d, d->of->twists[top_twist(s)].say) : "";
	if (s->stage)
		fprintf(out, "### TOLD\n\n> %s\n\n", text);
	else if (d->n_twists)
		write_spoken("# SAY", text, out);
	if (s->stage == d->n_twists)
		fprintf(out, "All twists were told.\n\n");
}

/* What is to be decided, so that it can be asked for. */
static void ask_for_design(struct dealt_case *d, FILE *out)
{
	fprintf(out, "# SAY\n\n> **What would you build?** Decide");
	for (size_t i = 0; i < d->of->n_knobs; i++)
		fprintf(out, "%s %s", i ? ";" : "", d->of->knobs[i].ask);
	fprintf(out, ".\n\n");
}

/* Each number with what was said to it; the first that nothing was said to is the next to ask. */
static void ask_for_numbers(const struct case_sitting *s, FILE *out)
{
	bool next = true;
	fprintf(out, "# SAY, one after the other\n\n");
	for (size_t i = 0; i < s->deal.variant.n_steps; i++) {
		const struct case_estimate *e = &s->estimates[i];
		const char *bold = next && !e->given ? "**" : "";
		char name[CASE_NAME_SIZE];
		next = next && e->given;
		if (e->given)
			fprintf(out, "> %zu %s. **Heard: %s, %s.**", i + 1,
				case_anchor_name(s, i, name), e->given, estimate_words[e->best]);
		else
			fprintf(out, "> %zu %s%s%s", i + 1, bold, s->deal.variant.steps[i].asks,
				bold);
		fprintf(out, "%s\n", i + 1 < s->deal.variant.n_steps ? "  " : "\n");
	}
}

/* The phase is marked by how it is summed up; the question that goes deeper comes behind that, with
 * its answer where the rubric is not right below. */
static void ask_deeper(struct case_sitting *s, bool answer, FILE *out)
{
	struct dealt_case *d = &s->deal;
	const size_t i = next_deeper(s);
	fprintf(out, "# SAY\n\n> **Sum it up: what would you build, and what would you measure "
		     "first?**");
	if (i < CASE_FOLLOW_UPS)
		fprintf(out, "  \n> Then: **%s**", case_text(d, d->of->follow_ups[i].ask));
	fprintf(out, "\n\n");
	if (i < CASE_FOLLOW_UPS && answer)
		fprintf(out, "*A good answer then:* %s\n\n",
			case_text(d, d->of->follow_ups[i].good));
}

/* What was said calls for nothing any more: where there is little room, a row has its beginning. */
static void write_said(const char *text, struct case_room room, FILE *out)
{
	enum { SAID = 6 };
	const bool row = room.rows && !room.aside;
	fputs(row ? "*Said:* " : "### SAID\n\n> ", out);
	write_cut(text, row ? max_int(room.cols - SAID, 1) : 0, out);
	fprintf(out, "\n\n");
}

/* What is said first in the phase, or to the design that was run last. */
static void write_say(
	struct case_sitting *s, enum case_phase phase, struct case_room room, FILE *out)
{
	struct dealt_case *d = &s->deal;
	if (room.ask)
		write_spoken("# ASK", room.ask, out);
	switch (phase) {
	case CASE_CLARIFY:
		if (s->asked || case_facts_told(s))
			write_said(case_text(d, d->of->opening), room, out);
		else
			write_spoken("# SAY", case_text(d, d->of->opening), out);
		break;
	case CASE_ESTIMATE:
		ask_for_numbers(s, out);
		break;
	case CASE_DESIGN:
		if (!room.ask)
			ask_for_design(d, out);
		break;
	case CASE_TWIST:
		write_top_twist(s, out);
		break;
	default:
		ask_deeper(s, room.aside, out);
	}
}

static void name_knobs(const struct dealt_case *d, FILE *out)
{
	fprintf(out, "Press **a** then `%s=...`: runs the design that you hear. Knobs:",
		case_knob_id(d, &d->of->knobs[0]));
	for (size_t i = 0; i < d->of->n_knobs; i++)
		fprintf(out, "%s `%s`", i ? "," : "", case_knob_id(d, &d->of->knobs[i]));
	fprintf(out, ".\n\n");
}

/* Who asks late is told as well. */
static void list_all_facts(struct case_sitting *s, FILE *out)
{
	struct dealt_case *d = &s->deal;
	for (size_t i = 0; i < d->of->n_facts; i++)
		fprintf(out, "- [%s] %s: %s\n", s->told[i] ? "x" : " ", d->of->facts[i].name,
			case_tell(d, i, s->stage));
	fprintf(out, "\n");
}

static bool is_short(struct case_room room)
{
	enum { FEW = 26 };
	return !room.aside && room.rows && room.rows < FEW;
}

/* Where all of them have no room, first their names, and how they are ticked behind that. */
static void write_facts(struct case_sitting *s, struct case_room room, FILE *out)
{
	enum { WHYS = 40 };
	const bool rows = !room.aside && room.rows && !is_short(room);
	const bool why = room.aside && room.rows >= WHYS;
	static const char how[] =
		"Press **a** then the question: ticks it. **a** then `#3 #7`: ticks or "
		"unticks. Bold ones decide.\n\n";
	fprintf(out, "### DO: tell what is asked for, and no more\n\n");
	if (is_short(room)) {
		list_fact_names(&s->deal, s->told, room.cols, out);
		fprintf(out, "%s### LISTEN FOR, in full\n\n", how);
		write_levels(&s->deal, CASE_CLARIFY, room.mark, 0, out);
		fprintf(out, "### TELL\n\n");
	} else {
		fprintf(out, "%s", how);
	}
	list_desk_facts(&s->deal, s->told, s->stage, rows, room.cols, why, out);
	if (rows) {
		fprintf(out, "### TELL, in full\n\n");
		list_desk_facts(&s->deal, s->told, s->stage, false, 0, false, out);
	}
}

static void do_twist(struct case_sitting *s, FILE *out)
{
	const struct dealt_case *d = &s->deal;
	const char *knob = case_knob_id(d, &d->of->knobs[0]);
	const struct sitting_plan plan = case_plan_of(s, s->entered_ms[s->phase]);
	char due[32];
	if (!s->stage)
		fprintf(out,
			"### DO: tell the twist, run what they mend\n\n"
			"Press **t** once you have told it. **a** then `%s=...`: "
			"runs the mended design.\n\n",
			knob);
	else if (s->stage < d->n_twists)
		fprintf(out,
			"### DO: listen, run what they mend, twist %zu is due at %s\n\n"
			"Press **a** then `%s=...`: runs the mended design. **t**: you have told "
			"the next.\n\n",
			s->stage + 1,
			drill_clock_text(case_plan_twist_ms(s, &plan, s->stage), due, sizeof due),
			knob);
	else
		fprintf(out,
			"### DO: listen, then run what they mend\n\n"
			"Press **a** then `%s=...`: runs the mended design.\n\n",
			knob);
	list_desk_twists(s, top_twist(s), out);
}

static void write_work(
	struct case_sitting *s, enum case_phase phase, struct case_room room, FILE *out)
{
	struct dealt_case *d = &s->deal;
	char unit[CASE_NAME_SIZE];
	switch (phase) {
	case CASE_CLARIFY:
		write_facts(s, room, out);
		break;
	case CASE_ESTIMATE:
		fprintf(out,
			"### DO: hear the numbers\n\n"
			"Press **a** then `2 26%s`: the second number. It counts within a factor "
			"of 1.3.\n\n",
			case_anchor_unit(s, 1, unit));
		list_keys(d, out);
		fprintf(out, "### TELL, if it is asked now\n\n");
		list_all_facts(s, out);
		break;
	case CASE_DESIGN:
		fprintf(out, "### DO: run what they design\n\n");
		name_knobs(d, out);
		list_desk_designs(d, out);
		fprintf(out, "\nTheir knobs:\n\n");
		list_knobs(d, out);
		break;
	case CASE_TWIST:
		do_twist(s, out);
		break;
	default:
		fprintf(out, "### DO: go deeper, then q sums up\n\n"
			     "Press **a** then `follow`: next question. **a** then `say ...`: note "
			     "what was said.\n\n");
		list_deeper(d, next_deeper(s), out);
		fprintf(out, "### KEY: what it is about\n\n%s\n", case_text(d, d->of->debrief));
	}
}

/* Facts have the room of their ends, which stand further down then. */
static bool cuts_levels(enum case_phase phase, struct case_room room)
{
	return phase == CASE_CLARIFY && is_short(room);
}

void case_sheet_rubric(
	struct case_sitting *s, enum case_phase phase, struct case_room room, FILE *out)
{
	fprintf(out, "### LISTEN FOR: 1 strong no to 4 strong yes\n\n");
	write_levels(&s->deal, phase, room.mark, cuts_levels(phase, room) ? room.cols : 0, out);
	const size_t deeper =
		phase == CASE_WRAP_UP && !room.aside ? next_deeper(s) : CASE_FOLLOW_UPS;
	const char *good = deeper < CASE_FOLLOW_UPS
				   ? case_text(&s->deal, s->deal.of->follow_ups[deeper].good)
				   : room.good;
	if (good)
		fprintf(out, "**A good answer%s:** %s\n\n", deeper < CASE_FOLLOW_UPS ? " then" : "",
			good);
	if (room.tall)
		write_examples(&s->deal, phase, out);
}

/* What to hold their design against once the twist on top is told. */
static void write_twist_key(struct dealt_case *d, size_t stage, struct case_room room, FILE *out)
{
	const struct case_known *k = &d->reference[stage];
	write_key(d, "a design that meets the goals then", k, out);
	if (is_short(room))
		write_goals_in_rows(d, k, stage, room.cols, out);
	else
		write_goals(d, k, stage, out);
}

/* What decides the mark stands before what is looked up. */
int case_sheet_phase(
	struct case_sitting *s, enum case_phase phase, struct case_room room, FILE *out)
{
	struct dealt_case *d = &s->deal;
	write_say(s, phase, room, out);
	if (!room.aside)
		case_sheet_rubric(s, phase, room, out);
	if (phase == CASE_TWIST && d->n_twists)
		write_twist_key(d, top_twist(s) + 1, room, out);
	write_work(s, phase, room, out);
	if (!room.tall) {
		fprintf(out, "\n### AS IT SOUNDS\n\n");
		write_examples(d, phase, out);
	}
	return ferror(out) || d->arena.failed ? -1 : 0;
}

/* --- For programs --- */

static void add_number(cJSON *o, const char *name, double x)
{
	if (isfinite(x))
		cJSON_AddNumberToObject(o, name, x);
	else
		cJSON_AddNullToObject(o, name);
}

static cJSON *fact_json(struct dealt_case *d, size_t i)
{
	const struct case_fact *f = &d->of->facts[i];
	cJSON *o = cJSON_CreateObject(), *asks = cJSON_AddArrayToObject(o, "asks");
	cJSON_AddStringToObject(o, "id", f->id);
	cJSON_AddStringToObject(o, "name", f->name);
	cJSON_AddStringToObject(o, "tell", case_tell(d, i, 0));
	cJSON_AddBoolToObject(o, "must", f->must);
	for (size_t k = 0; k < f->n_asks; k++)
		cJSON_AddItemToArray(asks, cJSON_CreateString(f->asks[k]));
	return o;
}

static cJSON *anchor_json(const struct dealt_case *d, size_t i, bool interviewer)
{
	const struct variant_step *s = &d->variant.steps[i];
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "name", d->of->drill.steps[i].name);
	cJSON_AddStringToObject(o, "ask", s->asks);
	cJSON_AddStringToObject(o, "shown_unit", s->question.shown_unit);
	if (!interviewer)
		return o;
	add_number(o, "key", s->question.key);
	cJSON_AddStringToObject(o, "unit", s->question.unit);
	cJSON_AddStringToObject(o, "working", s->working);
	return o;
}

static cJSON *knob_json(const struct dealt_case *d, const struct case_knob *k)
{
	char choices[CHOICES_SIZE];
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "knob", case_knob_id(d, k));
	cJSON_AddStringToObject(o, "ask", k->ask);
	cJSON_AddStringToObject(o, "choices", case_knob_choices(d, k, choices, sizeof choices));
	return o;
}

static cJSON *known_json(struct dealt_case *d, const struct case_known *k, size_t stage)
{
	struct case_design design = case_known_design(d, k);
	struct case_run r;
	char text[DESIGN_SIZE];
	cJSON *o = cJSON_CreateObject(), *goals = cJSON_AddArrayToObject(o, "goals");
	cJSON_AddStringToObject(o, "design", case_design_write(d, &design, text, sizeof text));
	if (case_run_known(d, k, stage, &r) == 0) {
		for (size_t i = 0; i < r.n_verdicts; i++) {
			const struct case_verdict *v = &r.verdicts[i];
			cJSON *goal = cJSON_CreateObject();
			cJSON_AddStringToObject(goal, "id", v->goal->id);
			cJSON_AddBoolToObject(goal, "met", v->met);
			add_number(goal, "value", v->value);
			add_number(goal, "amount", v->amount);
			cJSON_AddStringToObject(goal, "words", v->words);
			cJSON_AddItemToArray(goals, goal);
		}
		cJSON_AddBoolToObject(o, "met", r.met);
		add_number(o, "cost", r.cost);
		cJSON_AddStringToObject(o, "why", r.why ? r.why : "");
	}
	case_run_release(&r);
	return o;
}

static cJSON *twist_json(struct case_sitting *s, size_t i)
{
	struct dealt_case *d = &s->deal;
	const struct case_twist *w = &d->of->twists[i];
	cJSON *o = cJSON_CreateObject();
	cJSON_AddNumberToObject(o, "at_min", (double)case_plan_minute(case_twist_ms(s, i)));
	cJSON_AddStringToObject(o, "say", case_text(d, w->say));
	cJSON_AddStringToObject(o, "good", case_text(d, w->good));
	cJSON_AddItemToObject(o, "reference", known_json(d, &d->reference[i + 1], i + 1));
	return o;
}

static cJSON *question_json(struct dealt_case *d, const struct case_question *q)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "ask", case_text(d, q->ask));
	cJSON_AddStringToObject(o, "good", case_text(d, q->good));
	return o;
}

static cJSON *rubric_json(struct dealt_case *d, const struct case_rubric *r)
{
	cJSON *o = cJSON_CreateObject(), *levels = cJSON_AddArrayToObject(o, "levels");
	for (size_t k = 0; k < CASE_MARKS; k++)
		cJSON_AddItemToArray(levels, cJSON_CreateString(case_text(d, r->levels[k])));
	cJSON_AddStringToObject(o, "weak", case_text(d, r->weak));
	cJSON_AddStringToObject(o, "strong", case_text(d, r->strong));
	return o;
}

static void add_interviewer(struct case_sitting *s, cJSON *o)
{
	struct dealt_case *d = &s->deal;
	cJSON *facts = cJSON_AddArrayToObject(o, "facts"), *twists, *deeper, *rubric;
	for (size_t i = 0; i < d->of->n_facts; i++)
		cJSON_AddItemToArray(facts, fact_json(d, i));
	cJSON_AddItemToObject(o, "reference", known_json(d, &d->reference[0], 0));
	cJSON_AddItemToObject(o, "naive", known_json(d, &d->naive, 0));
	twists = cJSON_AddArrayToObject(o, "twists");
	for (size_t i = 0; i < d->n_twists; i++)
		cJSON_AddItemToArray(twists, twist_json(s, i));
	deeper = cJSON_AddArrayToObject(o, "follow_ups");
	for (size_t i = 0; i < CASE_FOLLOW_UPS; i++)
		if (d->of->follow_ups[i].level <= d->level)
			cJSON_AddItemToArray(deeper, question_json(d, &d->of->follow_ups[i]));
	rubric = cJSON_AddObjectToObject(o, "rubric");
	for (size_t i = 0; i < N_CASE_PHASES; i++)
		cJSON_AddItemToObject(rubric, case_phase_ids[i], rubric_json(d, &d->of->rubric[i]));
	cJSON_AddStringToObject(o, "debrief", case_text(d, d->of->debrief));
}

cJSON *case_sheet_json(struct case_sitting *s, bool interviewer)
{
	struct dealt_case *d = &s->deal;
	cJSON *o = cJSON_CreateObject(), *anchors, *knobs;
	char seed[24];
	snprintf(seed, sizeof seed, "%llu", (unsigned long long)d->seed);
	cJSON_AddNumberToObject(o, "schema", 1);
	cJSON_AddStringToObject(o, "case", d->of->id);
	cJSON_AddStringToObject(o, "title", d->of->title);
	cJSON_AddStringToObject(o, "area", d->of->area);
	if (interviewer || !case_hides_sim(d->of->area))
		cJSON_AddStringToObject(o, "sim", d->of->sim->id);
	cJSON_AddStringToObject(o, "level", case_level_names[d->level]);
	cJSON_AddStringToObject(o, "seed", seed); /* more digits than a number of JSON keeps */
	cJSON_AddNumberToObject(o, "minutes", case_minutes(d));
	cJSON_AddNumberToObject(o, "clock_minutes", s->minutes);
	cJSON_AddStringToObject(o, "opening", case_text(d, d->of->opening));
	anchors = cJSON_AddArrayToObject(o, "estimates");
	for (size_t i = 0; i < d->variant.n_steps; i++)
		cJSON_AddItemToArray(anchors, anchor_json(d, i, interviewer));
	knobs = cJSON_AddArrayToObject(o, "knobs");
	for (size_t i = 0; i < d->of->n_knobs; i++)
		cJSON_AddItemToArray(knobs, knob_json(d, &d->of->knobs[i]));
	if (interviewer)
		add_interviewer(s, o);
	return o;
}
