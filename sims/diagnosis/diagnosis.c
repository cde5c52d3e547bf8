/* The simulation `diagnosis`: a patient with a hidden fault. Ask for readings, name the cause and a
 * remedy, and see what the remedy did. */
#include "sims/base/array.h"
#include "sims/knobs.h"
#include "sims/base/stats.h"
#include "sims/quantity/quantity.h"
#include "sims/figure/sim.h"
#include "sims/training/step_draw.h"
#include "sims/diagnosis/patient.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum {
	PATIENT,
	WARD,
	FIRST_READING,
	LAST_READING = FIRST_READING + N_READINGS - 1,
	DIAGNOSIS,
	FIX,
	GUIDE,
	TREE,
	N_KNOBS
};
enum { PATH, SYMPTOMS, WHOLE };
static const char *const trees[] = { "path", "symptoms", "whole", NULL };

/* "unsaid" comes first. */
static const char *const cause_ids[] = { "unsaid",
#define CAUSE(c, id, name, bound, ward, remedy, story) id,
#include "sims/diagnosis/case_rows.def"
#undef CAUSE
	NULL };
static const char *const remedy_ids[] = { "unsaid",
#define REMEDY(r, id, name) id,
#include "sims/diagnosis/case_rows.def"
#undef REMEDY
	NULL };
static const char *const cause_names[] = {
	"not named yet",
#define CAUSE(c, id, name, bound, ward, remedy, story) id,
#include "sims/diagnosis/case_rows.def"
#undef CAUSE
};
static const char *const remedy_names[] = {
	"not named yet",
#define REMEDY(r, id, name) id,
#include "sims/diagnosis/case_rows.def"
#undef REMEDY
};

#define ASK(r, id, label, dflt, ...)                                                               \
	[FIRST_READING + READING_##r] =                                                            \
		KNOB_SWITCH(id, label, dflt, __VA_ARGS__, .group = "other readings")

static const struct knob knobs[N_KNOBS] = {
	[PATIENT] = KNOB_WHOLE("patient", "another patient", "", 0, 9999, 1,
		"another number, another system with another fault"),
	[WARD] = KNOB_CHOICE_OF("ward", "kind of fault", ward_ids, NULL, "any",
		"patients of one kind only: slow training, memory, a server, wrong numbers",
		.group = "game"),
	ASK(UTILISATION, "utilisation", "utilisation", 0,
		"the share of time in which any kernel runs, NCCL's too: high is not the same as "
		"working"),
	ASK(POWER, "power", "power, clocks", 0,
		"a busy GPU that draws little does little; clocks tell of heat and caps"),
	ASK(TOP, "cpu", "CPU", 0,
		"workers that compute, workers that read, a main thread that launches, threads "
		"that fight"),
	ASK(STEPS, "steps", "step times", 1,
		"stable or bursty, and in which rhythm: the first question, it costs a log line"),
	ASK(TRACE, "trace", "trace", 0,
		"what the GPU waited for, with its lanes: the instrument that sees most"),
	ASK(NCCL, "nccl", "communication", 0, "how long NCCL runs, and how much of it alone"),
	ASK(RANKS, "ranks", "per rank", 0, "one rank or all: a slow GPU makes the others wait"),
	ASK(KERNELS, "counters", "kernel counters", 0,
		"tensor cores and memory while kernels run: which roof they are under"),
	ASK(BATCH, "throughput", "twice the batch", 0,
		"an experiment: what grows with the batch was hidden by something that does not"),
	ASK(MEMORY, "memory", "memory", 0, "reserved, allocated, and what holds it"),
	ASK(CHANGES, "changes", "what changed", 0, "the day it began: often the shortest way"),
	ASK(LOSS, "loss", "loss", 0, "NaN, jumps, or a curve like others"),
	ASK(TENSORS, "tensors", "tensors", 0,
		"largest values against the format, channel by channel"),
	ASK(LATENCY, "latency", "latency", 0, "first token against next ones, median against tail"),
	ASK(CACHE, "kv_cache", "KV cache", 0, "whose blocks are in it"),
	[DIAGNOSIS] = KNOB_CHOICE_OF("diagnosis", "your cause", cause_ids, cause_names, "unsaid",
		"50 points for the cause, 25 for another one with the same bound"),
	[FIX] = KNOB_CHOICE_OF("fix", "your fix", remedy_ids, remedy_names, "unsaid",
		"30 points for a remedy that works: it is applied, and the system runs again"),
	[GUIDE] = KNOB_SWITCH("guide", "guide", 1,
		"names the next question of the tree; off, you have to know it", .group = "game"),
	[TREE] = KNOB_CHOICE_OF("tree", "tree", trees, NULL, "path",
		"the questions so far; the four symptoms that come before them; or every question "
		"of the ward, with this patient's answers",
		.group = "game"),
};

/* --- The trees as tables that a reader walks --- */

/* What comes after an answer. A cause is not named before the player names it. */
static const char *after(struct figure *fig, const char *answer, const struct tree_exit *to,
	const struct tree_row rows[])
{
	return figure_text(
		fig, "%s: %s", answer, to->row ? rows[to->row - 1].question : "that is the cause");
}

/* The question at hand with both of its branches. */
static void add_branches(
	struct figure *fig, struct table *t, enum ward ward, const struct walk_result *w)
{
	struct tree_row rows[MAX_TREE];
	size_t n = patient_tree(ward, rows), at = 0;
	while (at < n && strcmp(rows[at].question, w->next) != 0)
		at++;
	table_row(fig, t, (const char *[]){ w->next, "?" });
	if (t)
		t->at_hand = t->n_rows;
	if (at == n)
		return;
	table_row(fig, t, (const char *[]){ after(fig, "├ yes", &rows[at].yes, rows), "" });
	table_row(fig, t, (const char *[]){ after(fig, "└ no", &rows[at].no, rows), "" });
}

/* The way through the tree so far. Its title says what to ask for next, so that a question has its whole line. */
static void draw_path(struct figure *fig, const struct patient *p, const struct walk_result *w,
	bool guided, const char *found)
{
	static const char *const head[] = { "question", "answer" };
	const bool open = guided && w->leaf == N_CAUSES;
	const char *title = w->n > 0 ? "Where the readings lead" : "Where to begin";
	if (open)
		title = figure_text(fig, "%s: ask for %s", title, readings[w->missing].name);
	struct table *t = figure_table(fig, title, head, 2, "00");
	figure_tab(fig, "Tree");
	for (size_t i = 0; i < w->n; i++)
		table_row(fig, t,
			(const char *[]){ w->steps[i].question, w->steps[i].yes ? "yes" : "no" });
	if (w->leaf != N_CAUSES)
		table_row(fig, t, (const char *[]){ "so the cause is", found });
	else if (guided)
		add_branches(fig, t, causes[p->cause].ward, w);
	else
		table_row(fig, t, (const char *[]){ "the next question", "yours to choose" });
}

static const char *answer_here(const char *question, const struct walk_result *w, bool guided)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->steps[i].question, question) == 0)
			return w->steps[i].yes ? "yes" : "no";
	return guided && w->leaf == N_CAUSES && strcmp(w->next, question) == 0 ? "?" : "";
}

static const char *exit_text(struct figure *fig, const struct tree_exit *to)
{
	return to->row ? figure_text(fig, "to %zu", to->row) : causes[to->leaf].id;
}

/* What the patients of a ward have, for the reader. */
static const char *const complaint_kinds[N_WARDS] = { [WARD_SPEED] = "slow steps",
	[WARD_MEMORY] = "full memory",
	[WARD_SERVING] = "a slow server",
	[WARD_NUMBERS] = "wrong numbers" };

static void draw_key(struct figure *fig, enum ward ward, const struct walk_result *w, bool guided)
{
	static const char *const head[] = { "", "question", "answered by", "yes", "no", "here" };
	struct tree_row rows[MAX_TREE];
	size_t n = patient_tree(ward, rows);
	struct table *t = figure_table(
		fig, figure_text(fig, "The tree of %s", complaint_kinds[ward]), head, 6, "100000");
	figure_tab(fig, "Tree");
	for (size_t i = 0; i < n; i++)
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "%zu", i + 1), rows[i].question,
				readings[rows[i].from].name, exit_text(fig, &rows[i].yes),
				exit_text(fig, &rows[i].no),
				answer_here(rows[i].question, w, guided) });
}

static void draw_symptoms(struct figure *fig, const struct signs *s, const bool asked[N_READINGS])
{
	static const char *const head[] = { "symptom", "read from", "here", "points at" };
	struct symptom symptoms[N_SYMPTOMS];
	struct table *t = figure_table(fig, "Four symptoms", head, 4, "0000");
	figure_tab(fig, "Symptoms");
	patient_symptoms(s, symptoms);
	for (int i = 0; i < N_SYMPTOMS; i++) {
		const struct symptom *one = &symptoms[i];
		bool complaint = one->from == N_READINGS;
		bool known = complaint || asked[one->from];
		table_row(fig, t,
			(const char *[]){ one->name,
				complaint ? "the complaint" : readings[one->from].name,
				!known      ? "?"
				: one->here ? "yes"
					    : "no",
				one->points_at });
	}
}

/* --- The simulation --- */

enum { MOST_COLUMNS = 60, STEPS_IN_A_GROUP = 5 };

struct scene {
	const double *v;
	struct patient patient;
	struct examination *found;
	bool asked[N_READINGS];
	enum cause said;    /* N_CAUSES: nothing yet */
	enum remedy remedy; /* N_REMEDIES: nothing yet */
	struct walk_result walk;
	struct patient_score score;
};

static bool is_over(const struct scene *s)
{
	return s->said != N_CAUSES;
}

/* Before the answer: what there still is to win. */
static double possible(const struct patient_score *score)
{
	return fmax(0, 100 - score->spent);
}

/* Of the readings that were asked of a training loop, the shares that its tree goes by. */
static void add_shares(struct figure *fig, const struct scene *s)
{
	const struct signs *signs = &s->found->signs;
	const struct {
		enum patient_reading from;
		const char *id, *label;
		double share;
	} shares[] = {
		{ READING_UTILISATION, "util_pct", "nvidia-smi says", signs->util },
		{ READING_TRACE, "data_wait_pct", "wait for a batch", signs->idle[IDLE_DATA] },
		{ READING_TOP, "reading_pct", "time reading", signs->worker_read },
		{ READING_TOP, "decoding_pct", "time computing", signs->worker_cpu },
	};
	if (causes[s->patient.cause].ward != WARD_SPEED)
		return;
	for (size_t i = 0; i < LENGTH(shares); i++)
		if (s->asked[shares[i].from])
			figure_value(fig, shares[i].id, shares[i].label, 100 * shares[i].share, "%",
				ROLE_DIM);
}

static void add_values(struct figure *fig, const struct scene *s)
{
	const struct patient_score *score = &s->score;
	bool over = is_over(s);
	double points = over ? score->points : possible(score);
	value_note(figure_value(fig, "score", over ? "score" : "points to win", points, "",
			   !over                                           ? ROLE_ACCENT
			   : s->remedy == N_REMEDIES && score->cause_right ? ROLE_PLAIN
			   : points >= 80                                  ? ROLE_GOOD
			   : points >= 40                                  ? ROLE_WARN
									   : ROLE_BAD),
		over ? figure_text(fig, "of 100; by the tree %g", 100 - score->par_spent)
		     : "of 100");
	if (over && s->remedy != N_REMEDIES)
		value_note(figure_value(fig, "treated", "with the fix", score->after, "x",
				   score->remedy_right ? ROLE_GOOD : ROLE_BAD),
			"1 is healthy");
	value_note(
		figure_value(fig, "asked", "readings asked", (double)score->asked, "", ROLE_PLAIN),
		figure_text(fig, "for %g point%s", score->spent, score->spent == 1 ? "" : "s"));
	bool slow = causes[s->patient.cause].ward == WARD_SPEED;
	figure_value(fig, "badness", slow ? "slower vs healthy" : "worse than healthy",
		s->score.before, "x", ROLE_DIM);
	figure_value(fig, "answered", "questions answered", (double)s->walk.n, "", ROLE_DIM);
	add_shares(fig, s);
}

/* A curve of more points than a window has columns: of so many neighbours the median, and the slowest. */
static void draw_steps(
	struct figure *fig, struct plot *p, const struct examination *x, size_t group)
{
	struct series *slowest = plot_series(
		fig, p, figure_text(fig, "slowest of %zu", group), SERIES_DASHED, MEANS_WAITING);
	struct series *middle = plot_series(
		fig, p, figure_text(fig, "median of %zu", group), SERIES_LINE, MEANS_KIND);
	for (size_t i = 0; i + group <= x->n_curve; i += group) {
		double sorted[STEPS_IN_A_GROUP], at = (double)i + 0.5 * (double)(group + 1);
		memcpy(sorted, x->curve + i, group * sizeof *sorted);
		sort_ascending(sorted, group);
		series_point(fig, middle, at, quantile_sorted(sorted, group, 0.5));
		series_point(fig, slowest, at, sorted[group - 1]);
	}
}

static void draw_curve(struct figure *fig, const struct scene *s)
{
	const struct examination *x = s->found;
	struct plot *p = figure_plot(fig, x->curve_title, x->curve_x, "", AXIS_LINEAR,
		x->curve_name, x->curve_unit, AXIS_LINEAR);
	figure_tab(fig, "Curve");
	bool steps = causes[s->patient.cause].ward == WARD_SPEED;
	if (steps && x->n_curve >= 2 * MOST_COLUMNS)
		draw_steps(fig, p, x, STEPS_IN_A_GROUP);
	else {
		struct series *line = plot_series(fig, p, x->curve_name, SERIES_LINE, MEANS_KIND);
		for (size_t i = 0; i < x->n_curve; i++)
			series_point(fig, line, (double)i + 1, x->curve[i]);
	}
	double *sorted = arena_array(&fig->arena, x->n_curve, sizeof *sorted);
	if (!p || !sorted)
		return;
	if (!steps) {
		p->y.min = 0;
		return;
	}
	/* What the question asks: does a step reach this line? And how far are all of them from what would
	 * be healthy? The axis has what steps span, and both lines. */
	memcpy(sorted, x->curve, x->n_curve * sizeof *sorted);
	sort_ascending(sorted, x->n_curve);
	double slow = SLOW_STEP_RATIO * quantile_sorted(sorted, x->n_curve, 0.5);
	double least = fmin(sorted[0], x->healthy_ms),
	       span = fmax(sorted[x->n_curve - 1], slow) - least,
	       place = pow(10, floor(log10(span)));
	p->y.min = place * floor(least / place);
	plot_rule(fig, p, true, slow,
		figure_text(fig, "%gx the median: much slower", SLOW_STEP_RATIO), ROLE_PLAIN);
	plot_rule(fig, p, true, x->healthy_ms, "a healthy step", ROLE_GOOD);
}

static const char *price_text(struct figure *fig, enum patient_reading r)
{
	return figure_text(fig, "%g pt%s", readings[r].price, readings[r].price == 1 ? "" : "s");
}

/* What a reading says, once it was asked for, or what it is good for, and whether the tree wants it
 * next: for which question stands in the sentence and in the tree. */
static const char *reading_text(
	struct figure *fig, const struct scene *s, enum patient_reading r, enum role *role)
{
	bool next = s->walk.leaf == N_CAUSES && s->walk.missing == r && s->v[GUIDE] > 0;
	*role = s->asked[r] || (next && !is_over(s)) ? ROLE_PLAIN : ROLE_DIM;
	return s->asked[r]           ? s->found->text[r]
	       : next && !is_over(s) ? figure_text(fig, "next: %s", readings[r].asks)
				     : readings[r].asks;
}

/* The list to ask from, with prices and answers: first what tells something in this ward; the others
 * wait among the knobs until they are asked for. */
static void draw_readings(struct figure *fig, const struct scene *s)
{
	static const char *const head[] = { "reading", "price", "asks, or answers" };
	unsigned ward = 1u << causes[s->patient.cause].ward;
	struct table *t = figure_table(
		fig, "Ask: each reading takes its price off the points", head, 3, "010");
	figure_tab(fig, "Readings");
	table_verb(fig, t, "ask");
	for (int i = 0; i < N_READINGS; i++) {
		enum patient_reading r = (enum patient_reading)i;
		enum role role;
		if (!s->asked[r] && !(readings[r].wards & ward))
			continue;
		const char *says = reading_text(fig, s, r, &role);
		table_row(fig, t,
			(const char *[]){ readings[r].name,
				s->asked[r] ? "asked" : price_text(fig, r), says });
		table_turns(fig, t, readings[r].id, role);
	}
}

static void draw_tree(struct figure *fig, const struct scene *s)
{
	bool guided = s->v[GUIDE] > 0;
	enum cause leaf = s->walk.leaf;
	const char *found = leaf != N_CAUSES && is_over(s) ? causes[leaf].name : "yours to say";
	if (s->v[TREE] == SYMPTOMS)
		draw_symptoms(fig, &s->found->signs, s->asked);
	else if (s->v[TREE] == WHOLE)
		draw_key(fig, causes[s->patient.cause].ward, &s->walk, guided);
	else
		draw_path(fig, &s->patient, &s->walk, guided, found);
}

/* In the unit of what a healthy one has. */
static void add_badness(
	struct figure *fig, struct bars *b, const char *label, double badness, double healthy)
{
	double sound = fmin(badness, 1);
	bars_add(fig, b, label, (double[]){ healthy * sound, healthy * (badness - sound) });
}

/* How much there is to find: of steps in their time, of all else in what a healthy one has. */
static void draw_badness(struct figure *fig, const struct scene *s, const char *tab)
{
	static const char *const parts[] = { "healthy", "the fault" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_FOCUS };
	const bool steps = s->found->healthy_ms > 0;
	const double healthy = steps ? s->found->healthy_ms : 1;
	struct bars *b = figure_bars(fig,
		steps ? "One step, and what the fault adds to it" : "How bad it is: healthy is 1",
		steps ? "ms" : "x", parts, 2);
	figure_tab(fig, tab);
	bars_mean(fig, b, means, 2);
	add_badness(fig, b, "a healthy run", 1, healthy);
	add_badness(fig, b, "as it came", s->score.before, healthy);
	if (is_over(s) && s->remedy != N_REMEDIES)
		add_badness(fig, b, "with the fix", s->score.after, healthy);
}

static void draw_truth(struct figure *fig, const struct scene *s)
{
	static const char *const head[] = { "", "you", "it is" };
	const struct cause_row *truth = &causes[s->patient.cause];
	draw_badness(fig, s, "Treated");
	struct table *t = figure_table(fig, "The truth", head, 3, "000");
	figure_tab(fig, "Truth");
	table_row(fig, t, (const char *[]){ "cause", causes[s->said].name, truth->name });
	table_row(fig, t, (const char *[]){ "bound", causes[s->said].bound, truth->bound });
	table_row(fig, t,
		(const char *[]){ "fix",
			s->remedy == N_REMEDIES ? "none yet" : remedies[s->remedy].name,
			remedies[truth->remedy].name });
}

static void draw(struct figure *fig, const struct scene *s)
{
	enum ward ward = causes[s->patient.cause].ward;
	static const enum patient_reading curve_of[N_WARDS] = { [WARD_SPEED] = READING_STEPS,
		[WARD_MEMORY] = READING_MEMORY,
		[WARD_SERVING] = READING_LATENCY,
		[WARD_NUMBERS] = READING_LOSS };
	if (is_over(s))
		draw_truth(fig, s);
	/* Who turns the tree wants to see it. */
	bool turned = s->v[TREE] != PATH;
	if (turned)
		draw_tree(fig, s);
	draw_readings(fig, s);
	if (!is_over(s))
		draw_badness(fig, s, "The fault");
	if (!turned)
		draw_tree(fig, s);
	if (ward == WARD_SPEED && s->asked[READING_TRACE]) {
		step_draw_lanes(fig, &s->patient.machine, &s->found->run, "", false);
		figure_tab(fig, "Trace");
		fig->duration_s =
			0; /* a picture to read: its rows are worth more than a playhead */
	}
	if (s->found->n_curve > 1 && s->asked[curve_of[ward]])
		draw_curve(fig, s);
}

/* "Step times: 302 ms, P99 378 ms, stable." The question that this answered is in the tree. */
static const char *last_answer(struct figure *fig, const struct scene *s)
{
	enum patient_reading from = s->walk.steps[s->walk.n - 1].from;
	const char *name = readings[from].name;
	return figure_text(
		fig, "%c%s: %s.", toupper((unsigned char)name[0]), name + 1, s->found->text[from]);
}

/* The readings that were asked for: the sentence is about the last of them. */
static const char *asked_ids(struct figure *fig, const struct scene *s)
{
	const char *ids = "";
	for (int i = 0; i < N_READINGS; i++)
		if (s->asked[i])
			ids = figure_text(fig, "%s %s", ids, readings[i].id);
	return ids;
}

/* What the matter is, with its number. */
static const char *complaint_text(struct figure *fig, const struct scene *s)
{
	if (causes[s->patient.cause].ward == WARD_SPEED)
		return figure_text(fig, "Steps are %.3gx as long.", s->score.before);
	return figure_text(
		fig, "%s Now: %s.", patient_complaint(&s->patient), s->found->complaint_number);
}

static const char *next_text(struct figure *fig, const struct walk_result *w)
{
	const double price = readings[w->missing].price;
	return figure_text(fig, "Next, for %g point%s: %s", price, price == 1 ? "" : "s", w->next);
}

static void explain(struct figure *fig, const struct scene *s)
{
	const struct cause_row *truth = &causes[s->patient.cause];
	const struct patient_score *score = &s->score;
	fig->tells = is_over(s) ? "diagnosis fix" : asked_ids(fig, s);
	if (!is_over(s)) {
		const struct walk_result *w = &s->walk;
		const char *said = "";
		if (w->n == 0)
			said = score->asked <= 1 ? complaint_text(fig, s) : "";
		else if (score->asked == 1)
			/* Somebody has to hear what the matter is; what was asked is in the list. */
			said = complaint_text(fig, s);
		else
			said = last_answer(fig, s);
		figure_why(fig, "%s%s%s", said, *said ? " " : "",
			w->leaf != N_CAUSES ? "The readings lead to one cause: name it."
			: s->v[GUIDE] > 0   ? next_text(fig, w)
					    : "Ask for a reading, or name the cause.");
		return;
	}
	const char *treated = s->remedy == N_REMEDIES ? " Now say the fix: it is applied at once."
			      : score->remedy_right   ? " The fix works."
						      : " That fix does not treat it.";
	const char *verdict = score->cause_right   ? "Right"
			      : score->bound_right ? "The right bound, another cause"
						   : "No";
	figure_why(fig, "%s: %s, %s.%s", verdict, truth->name, truth->story, treated);
}

static void small_print(struct figure *fig, const struct scene *s)
{
	if (s->remedy != N_REMEDIES && !is_over(s))
		figure_note(
			fig, ROLE_WARN, "A fix without a diagnosis is a guess: name the cause.");
	figure_assume(fig,
		"readings are measured on the simulated system with its fault: training loop, "
		"memory, server, a small real training run");
	figure_assume(
		fig, "a fix counts when it takes away nine tenths of what the right one would");
	figure_assume(fig,
		"score: 50 for the cause (25 for its bound) and 20, 30 for the fix, less the "
		"prices of the readings");
	figure_leave_out(fig, "two faults at once");
	figure_leave_out(fig, "readings that lie: stale logs, a profiler that slows the run");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct scene s = { .v = v,
		.said = N_CAUSES,
		.remedy = N_REMEDIES,
		.found = arena_alloc(&fig->arena, sizeof *s.found) };
	struct arena *a = &fig->arena;
	enum ward ward = v[WARD] > 0 ? (enum ward)((int)v[WARD] - 1) : N_WARDS;
	if (v[DIAGNOSIS] > 0)
		s.said = (enum cause)((int)v[DIAGNOSIS] - 1);
	if (v[FIX] > 0)
		s.remedy = (enum remedy)((int)v[FIX] - 1);
	for (int i = 0; i < N_READINGS; i++)
		s.asked[i] = v[FIRST_READING + i] > 0;
	if (!s.found || !patient_make(a, t, ward, (uint64_t)v[PATIENT], &s.patient, s.found))
		return;
	s.walk = patient_walk(&s.found->signs, s.asked);
	enum remedy treat = is_over(&s) ? s.remedy : N_REMEDIES;
	if (!patient_score_of(a, &s.patient, s.found, s.said, treat, s.asked, &s.score))
		return;
	figure_subtitle(
		fig, "patient %g · %s", v[PATIENT], complaint_kinds[causes[s.patient.cause].ward]);
	add_values(fig, &s);
	draw(fig, &s);
	explain(fig, &s);
	small_print(fig, &s);
}

const struct sim diagnosis_sim = {
	.id = "diagnosis",
	.title = "Triage",
	.summary = "A slow or broken system with a hidden fault: ask for readings, name the cause, "
		   "treat it",
	.page = "profiling",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(FIRST_READING + READING_UTILISATION, FIRST_READING + READING_STEPS, DIAGNOSIS, FIX,
		PATIENT),
	.try = "Ask for utilisation, then trace. What is the cause, and what treats it?",
	.run = run,
};
