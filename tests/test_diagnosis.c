/* Patients: every cause comes up, its readings lead to it, its remedy cures it, and no reading
 * shows that was not asked for. */
#include "sims/diagnosis/patient.h"

#include "tests/settings.h"
#include "tests/sim_run.h"
#include "ui/commands/export.h"
#include "ui/data/content.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stddef.h>
#include <math.h>
#include <string.h>

enum { SEEDS = 12 };

extern const struct sim diagnosis_sim;

struct bed {
	struct arena arena;
	struct patient patient;
	struct examination found;
};

static struct bed *admit(const struct tables *t, enum cause cause, uint64_t seed)
{
	struct bed *b = calloc(1, sizeof *b);
	cr_assert(b && patient_with(&b->arena, t, cause, seed, &b->patient, &b->found));
	return b;
}

static void discharge(struct bed *b)
{
	arena_release(&b->arena);
	free(b);
}

static void ask_all(bool asked[N_READINGS])
{
	for (int i = 0; i < N_READINGS; i++)
		asked[i] = true;
}

Test(diagnosis, the_tree_finds_every_cause, .description = "long", .timeout = 100)
{
	struct tables t = load_tables();
	bool all[N_READINGS];
	ask_all(all);
	for (enum cause c = 0; c < N_CAUSES; c++)
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			struct bed *b = admit(&t, c, seed);
			struct walk_result w = patient_walk(&b->found.signs, all);
			cr_expect(w.leaf == c, "%s, seed %d: the tree says %s", causes[c].id,
				(int)seed, causes[w.leaf].id);
			cr_expect(ge(sz, w.readings, 1));
			cr_expect(le(sz, w.readings, 7), "%s needs %zu", causes[c].id, w.readings);
			for (int i = 0; i < N_READINGS; i++)
				cr_expect(b->found.text[i][0] != '\0', "%s says nothing of %s",
					causes[c].id, readings[i].id);
			discharge(b);
		}
	tables_release(&t);
}

/* Readings in words follow from the numbers that the tree divides by: a GPU is up and down where
 * the slowest steps take half as long again as the usual ones, or where it idles a tenth of the
 * time; a loss jumps where an epoch begins when it is 1.3 x as high there. */
Test(diagnosis, words_follow_the_numbers, .timeout = 100)
{
	struct tables t = load_tables();
	size_t alone[2] = { 0 };
	for (enum cause c = 0; c < N_CAUSES; c++)
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			struct bed *b = admit(&t, c, seed);
			const struct signs *s = &b->found.signs;
			const char *gpu = b->found.text[READING_UTILISATION];
			const char *loss = b->found.text[READING_LOSS];
			bool up_and_down = strstr(gpu, ", up and down") != NULL;
			if (up_and_down || strstr(gpu, ", steady")) {
				bool slow = s->p99_over_p50 > 1.5, idle = s->util < 0.9;
				cr_expect(up_and_down == (slow || idle), "%s, seed %d: %s",
					causes[c].id, (int)seed, gpu);
				alone[0] += slow && !idle;
				alone[1] += idle && !slow;
			}
			bool jumps = strstr(loss, "higher where an epoch begins") != NULL;
			if (jumps || strstr(loss, "without jumps"))
				cr_expect(jumps == (s->epoch_jump > 1.3), "%s, seed %d: %s",
					causes[c].id, (int)seed, loss);
			discharge(b);
		}
	cr_expect(alone[0] + alone[1] > 0, "either shows by itself");
	tables_release(&t);
}

/* The sick system is worse than a healthy one, and the remedy takes away most of the difference. */
Test(diagnosis, the_remedy_treats, .timeout = 100)
{
	struct tables t = load_tables();
	bool all[N_READINGS];
	ask_all(all);
	for (enum cause c = 0; c < N_CAUSES; c++) {
		struct bed *b = admit(&t, c, 3);
		struct patient_score s;
		cr_assert(patient_score_of(
			&b->arena, &b->patient, &b->found, c, causes[c].remedy, all, &s));
		cr_expect(s.cause_right && s.bound_right && s.remedy_right, "%s", causes[c].id);
		if (c == CAUSE_GPU_BOUND) {
			cr_expect(lt(dbl, s.before, 1.1));
		} else {
			cr_expect(lt(dbl, 1.04, s.before), "%s: %g", causes[c].id, s.before);
			cr_expect(lt(dbl, s.after - 1, 0.5 * (s.before - 1)), "%s: %g to %g",
				causes[c].id, s.before, s.after);
		}
		discharge(b);
	}
	tables_release(&t);
}

/* Points by hand: 50 for the cause and 20, 30 for the remedy, less the prices of the readings; 25 and
 * 20 for the bound alone. This patient has too few workers, and some steps are much slower than
 * others: step times, trace and CPU lead to the cause, so par is 3, for 1 + 5 + 2 points. All 15 cost
 * 1 + 1 + 2 + 1 + 5 + 5 + 8 + 4 + 6 + 2 + 1 + 1 + 4 + 1 + 2 = 44. */
Test(diagnosis, points)
{
	struct tables t = load_tables();
	struct bed *b = admit(&t, CAUSE_FEW_WORKERS, 1);
	bool all[N_READINGS], none[N_READINGS] = { false };
	struct patient_score s;
	ask_all(all);
	cr_assert(patient_score_of(
		&b->arena, &b->patient, &b->found, CAUSE_FEW_WORKERS, REMEDY_WORKERS, all, &s));
	cr_expect(eq(sz, s.par, 3));
	cr_expect(eq(dbl, s.par_spent, 8));
	cr_expect(eq(dbl, s.points, 100 - 44));
	cr_assert(patient_score_of(
		&b->arena, &b->patient, &b->found, CAUSE_FEW_WORKERS, REMEDY_WORKERS, none, &s));
	cr_expect(epsilon_eq(dbl, s.points, 100, 0));
	/* Slow storage binds the data too, but faster storage does nothing for workers that
	 * compute. */
	cr_assert(patient_score_of(
		&b->arena, &b->patient, &b->found, CAUSE_STORAGE, REMEDY_LOCAL_DATA, none, &s));
	cr_expect(epsilon_eq(dbl, s.points, 25 + 20, 0));
	cr_expect(epsilon_eq(dbl, s.after, s.before, 0));
	cr_assert(patient_score_of(
		&b->arena, &b->patient, &b->found, CAUSE_SLOW_LINK, N_REMEDIES, none, &s));
	cr_expect(epsilon_eq(dbl, s.points, 0, 0));
	discharge(b);
	tables_release(&t);
}

/* The walk stops at the first question whose instrument was not read. */
Test(diagnosis, the_walk_stops_where_a_reading_is_missing)
{
	struct tables t = load_tables();
	struct bed *b = admit(&t, CAUSE_NO_OVERLAP, 2);
	bool asked[N_READINGS] = { false };
	static const enum patient_reading way[] = { READING_STEPS, READING_UTILISATION,
		READING_NCCL, READING_RANKS };
	for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
		struct walk_result w = patient_walk(&b->found.signs, asked);
		cr_expect(eq(int, w.missing, way[i]), "step %zu", i);
		cr_expect(w.leaf == N_CAUSES && w.next != NULL);
		asked[way[i]] = true;
	}
	cr_expect(eq(int, patient_walk(&b->found.signs, asked).leaf, CAUSE_NO_OVERLAP));
	discharge(b);
	tables_release(&t);
}

/* Tables of one's own may hold cards that are smaller than the weights alone. */
Test(diagnosis, a_server_on_too_small_a_card)
{
	struct tables t = load_tables();
	struct accelerator *small = calloc(t.n_gpus, sizeof *small);
	cr_assert(ne(ptr, small, NULL));
	for (size_t i = 0; i < t.n_gpus; i++) {
		small[i] = t.gpus[i];
		small[i].memory_bytes = 1e9;
	}
	struct tables own = t;
	own.gpus = small;
	for (enum cause c = 0; c < N_CAUSES; c++) {
		if (causes[c].ward != WARD_SERVING)
			continue;
		struct bed *b = admit(&own, c, 1);
		double orphaned = b->found.signs.cache_orphaned;
		cr_expect(orphaned >= 0 && orphaned <= 1, "%s: %g", causes[c].id, orphaned);
		cr_expect(isfinite(b->found.badness) != 0, "%s", causes[c].id);
		discharge(b);
	}
	free(small);
	tables_release(&t);
}

/* Every cause comes up in some patient, each ward has its own, and a seed always means the same
 * patient. */
Test(diagnosis, seeds, .description = "long", .timeout = 100)
{
	struct tables t = load_tables();
	size_t seen[N_CAUSES] = { 0 }, n = 0;
	for (uint64_t seed = 0; seed < 400; seed++) {
		enum ward ward = (enum ward)(seed % (N_WARDS + 1));
		struct bed *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
		cr_assert(one && two);
		cr_assert(patient_make(&one->arena, &t, ward, seed, &one->patient, &one->found));
		seen[one->patient.cause]++;
		if (ward != N_WARDS)
			cr_expect(eq(int, causes[one->patient.cause].ward, ward));
		if (seed < 20) {
			cr_assert(patient_make(
				&two->arena, &t, ward, seed, &two->patient, &two->found));
			cr_expect(eq(int, one->patient.cause, two->patient.cause));
			cr_expect(zero(int,
				memcmp(one->found.text, two->found.text, sizeof one->found.text)));
		}
		discharge(one);
		discharge(two);
	}
	for (int c = 0; c < N_CAUSES; c++)
		n += seen[c] > 0;
	cr_expect(eq(sz, n, N_CAUSES));
	tables_release(&t);
}

/* The key of a ward names each of its causes and no other. Following it with a patient's answers
 * leads to where the walk leads. */
Test(diagnosis, the_key_leads_where_the_walk_does, .timeout = 100)
{
	struct tables t = load_tables();
	bool all[N_READINGS];
	ask_all(all);
	for (enum cause c = 0; c < N_CAUSES; c++) {
		struct tree_row rows[MAX_TREE];
		size_t n = patient_tree(causes[c].ward, rows), row = 1;
		struct bed *b = admit(&t, c, 5);
		struct walk_result w = patient_walk(&b->found.signs, all);
		struct tree_exit to = { 1, N_CAUSES };
		for (size_t i = 0; i < w.n; i++) {
			cr_assert(le(sz, to.row, n));
			cr_assert(ge(sz, to.row, 1), "%s: the key ends early", causes[c].id);
			row = to.row;
			cr_expect(eq(
				str, (char *)rows[row - 1].question, (char *)w.steps[i].question));
			cr_expect(eq(int, rows[row - 1].from, w.steps[i].from));
			to = w.steps[i].yes ? rows[row - 1].yes : rows[row - 1].no;
		}
		cr_expect(to.row == 0 && to.leaf == c, "%s", causes[c].id);
		for (size_t i = 0; i < n; i++) {
			cr_expect(
				rows[i].yes.row || causes[rows[i].yes.leaf].ward == causes[c].ward);
			cr_expect(rows[i].no.row || causes[rows[i].no.leaf].ward == causes[c].ward);
		}
		discharge(b);
	}
	tables_release(&t);
}

/* A question of the tree that a chapter prints, NULL: the line asks none. reading: what stands behind it. */
static const struct tree_row *asked_in(
	const char *line, const struct tree_row rows[], size_t n, const char **reading)
{
	const char *mark = strchr(line, '?');
	if (!mark)
		return NULL;
	*reading = mark + 1 + strspn(mark + 1, " ");
	for (size_t i = 0; i < n; i++) {
		const size_t length = strlen(rows[i].question);
		if ((size_t)(mark + 1 - line) >= length &&
			strncmp(mark + 1 - length, rows[i].question, length) == 0)
			return &rows[i];
	}
	cr_expect(false, "no question of the tree: %s", line);
	return NULL;
}

static bool leads_to(const struct tree_row rows[], const struct tree_exit *from, size_t row)
{
	if (!from->row || from->row == row)
		return from->row == row;
	const struct tree_row *at = &rows[from->row - 1];
	return leads_to(rows, &at->yes, row) || leads_to(rows, &at->no, row);
}

/* The tree of chapter 3 is this one with its branches cut short: the same questions, answered by the same readings, and
 * each below the answer that leads to it. */
Test(diagnosis, the_chapter_prints_this_tree)
{
	enum { INDENT = 2, DEEPEST = 8 };
	char line[200];
	void *owned;
	size_t bytes;
	const char *text = content_read("chapters/03-profiling.md", &bytes, &owned);
	const char *at = text ? strstr(text, "```text\nare single steps") : NULL;
	cr_assert(at != NULL);
	struct tree_row rows[MAX_TREE];
	const size_t n = patient_tree(WARD_SPEED, rows);
	const struct tree_row *above[DEEPEST] = { NULL };
	size_t asked = 0;
	for (at = strchr(at, '\n') + 1; strncmp(at, "```", 3) != 0; at = strchr(at, '\n') + 1) {
		const char *reading;
		snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
		const struct tree_row *row = asked_in(line, rows, n, &reading);
		if (!row)
			continue;
		const size_t blank = strspn(line, " "), depth = blank / INDENT;
		cr_assert(lt(sz, depth, DEEPEST));
		cr_expect(eq(str, (char *)reading, (char *)readings[row->from].name));
		if (depth > 0) {
			const struct tree_row *over = above[depth - 1];
			const bool yes = strncmp(line + blank, "yes:", 4) == 0;
			cr_expect(leads_to(rows, yes ? &over->yes : &over->no,
					  (size_t)(row - rows) + 1),
				"%s", line);
		}
		above[depth] = row;
		asked++;
	}
	cr_expect(eq(sz, asked, 9));
	free(owned);
}

/* The four symptoms of S1: a patient of each branch shows its own and no other branch's, except
 * that a loader that is too slow can make every Nth step slow. */
Test(diagnosis, symptoms)
{
	static const struct {
		enum cause cause;
		int symptom;
	} rows[] = { { CAUSE_FEW_WORKERS, 0 }, { CAUSE_COPY, 0 }, { CAUSE_NO_OVERLAP, 1 },
		{ CAUSE_SLOW_LINK, 1 }, { CAUSE_STRAGGLER, 1 }, { CAUSE_CHECKPOINT, 2 },
		{ CAUSE_ACTIVATIONS, 3 }, { CAUSE_STATE, 3 }, { CAUSE_FRAGMENTATION, 3 } };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct symptom s[N_SYMPTOMS];
		struct bed *b = admit(&t, rows[i].cause, 4);
		patient_symptoms(&b->found.signs, s);
		for (int j = 0; j < N_SYMPTOMS; j++)
			cr_expect(s[j].here == (j == rows[i].symptom) ||
					  (rows[i].cause == CAUSE_FEW_WORKERS && j == 2),
				"%s: %s", causes[rows[i].cause].id, s[j].name);
		discharge(b);
	}
	tables_release(&t);
}

static char *text_of(const struct tables *t, const double v[])
{
	struct figure fig = { 0 };
	diagnosis_sim.run(t, v, &fig);
	cJSON *json = figure_json(&diagnosis_sim, t, v, &fig);
	char *text = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(json, "blocks"));
	cJSON_Delete(json);
	figure_release(&fig);
	return text;
}

/* What was not asked for is not shown, and the cause is not shown before the answer. */
Test(diagnosis, tells_only_what_was_asked)
{
	struct tables t = load_tables();
	double v[MAX_KNOBS];
	sim_defaults(&diagnosis_sim, &t, v);
	for (int patient = 0; patient < 20; patient++) {
		v[0] = patient;
		char *text = text_of(&t, v);
		cr_expect(strstr(text, "The truth") == NULL);
		/* A question of the tree may have the name of a cause among its words. */
		for (int c = 0; c < N_CAUSES; c++) {
			char cell[128];
			snprintf(cell, sizeof cell, "\"%s\"", causes[c].name);
			cr_expect(strstr(text, cell) == NULL, "patient %d: %s", patient, cell);
		}
		cr_expect(strstr(text, readings[READING_TOP].instrument) == NULL);
		cr_expect(strstr(text, readings[READING_NCCL].instrument) == NULL);
		cJSON_free(text);
	}
	v[sim_knob_index(&diagnosis_sim, "diagnosis")] = 1;
	char *text = text_of(&t, v);
	cr_expect(strstr(text, "The truth") != NULL);
	cJSON_free(text);
	/* A symptom is not told before its reading is asked for: patient 8 copies from pageable
	 * memory. */
	sim_defaults(&diagnosis_sim, &t, v);
	v[0] = 8;
	v[sim_knob_index(&diagnosis_sim, "ward")] = 1 + WARD_SPEED;
	v[sim_knob_index(&diagnosis_sim, "tree")] = 1;
	static const char idle[] = "[\"the GPU is idle before the first kernels\",\"trace\",\"%s\"";
	for (int asked = 0; asked < 2; asked++) {
		char row[96];
		snprintf(row, sizeof row, idle, asked ? "yes" : "?");
		v[sim_knob_index(&diagnosis_sim, "trace")] = asked;
		text = text_of(&t, v);
		cr_expect(strstr(text, row) != NULL, "%s", text);
		cJSON_free(text);
	}
	tables_release(&t);
}

/* Patient 1 has slow storage, which the tree finds with 4 readings: step times for a point,
 * utilisation for 1, the trace for 5 and CPU for 2. A verdict gives 50 points for the cause (25 where
 * it binds the same part of the system) and 20, and 30 for the remedy, less those prices. A cause
 * that binds another part gives nothing at all. Before a verdict the score is what the right one
 * would give. */
Test(diagnosis, shown_values_by_hand)
{
	struct tables t = load_tables();
	static const struct sim_row rows[] = {
		{ "", "score", 100 - 1, 0 },
		{ "steps=off", "score", 100, 0 },
		{ "", "asked", 1, 0 },
		{ "utilisation=on trace=on cpu=on", "answered", 5, 0 },
		{ "utilisation=on trace=on cpu=on", "score", 100 - 1 - 1 - 5 - 2, 0 },
		{ "utilisation=on trace=on cpu=on power=on", "score", 100 - 9 - 1, 0 },
		{ "diagnosis=storage fix=local-data", "score", 50 + 20 + 30 - 1, 0 },
		{ "diagnosis=storage", "score", 50 + 20 - 1, 0 },
		{ "diagnosis=few-workers fix=workers", "score", 25 + 20 - 1, 0 },
		{ "utilisation=on trace=on cpu=on power=on memory=on diagnosis=few-workers",
			"score", 25 + 20 - 9 - 1 - 2, 0 },
		{ "diagnosis=slow-link", "score", 0, 0 },
		{ "utilisation=on power=on", "asked", 3, 0 },
		{ "steps=off", "asked", 0, 0 },
		{ "steps=off", "answered", 0, 0 },
		{ "", "answered", 1, 0 },
	};
	expect_rows(&diagnosis_sim, &t, rows, sizeof rows / sizeof *rows);
	tables_release(&t);
}

/* What was asked for stands in the sentence at once, and its answer in the list of readings; the tree
 * has both ways on. */
Test(diagnosis, the_reading_stands_in_the_sentence)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&diagnosis_sim, &t, "patient=1");
	const struct table *tree = &figure_block(&fig, BLOCK_TABLE, "Tree")->as.table;
	cr_assert(eq(sz, tree->n_rows, 4));
	cr_expect(eq(str, (char *)tree->rows[0][1], (char *)"no"));
	cr_expect(eq(str, (char *)tree->rows[1][1], (char *)"?"));
	cr_expect(eq(sz, tree->at_hand, 2));
	cr_expect(strstr(tree->title, ": ask for GPU utilisation") != NULL, "%s", tree->title);
	cr_expect(eq(str, (char *)tree->rows[2][0],
		(char *)"├ yes: does NCCL run with nothing beside it?"));
	cr_expect(eq(str, (char *)tree->rows[3][0],
		(char *)"└ no: is it idle while a batch is prepared?"));
	cr_expect(eq(str, (char *)fig.why,
		(char *)"Steps are 1.68x as long. Next, for 1 point: does nvidia-smi call the GPU busy?"));
	figure_release(&fig);
	fig = sim_run(&diagnosis_sim, &t, "patient=1 utilisation=on");
	cr_expect(strncmp(fig.why,
			  "GPU utilisation: 60 %, up and down. Next, for 5 points: ", 56) == 0,
		"%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* The list is first. Each row turns its reading, and says what it costs, then what it found; the one
 * that the tree wants next says so, but not without the guide. */
Test(diagnosis, readings_have_prices_and_answers)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&diagnosis_sim, &t, "patient=1");
	cr_expect(eq(str, (char *)block_name(fig.blocks[0]), (char *)"Readings"));
	const struct table *list = &figure_block(&fig, BLOCK_TABLE, "Readings")->as.table;
	for (size_t i = 0; i < list->n_rows; i++)
		cr_expect(table_knob(list, i) != NULL, "row %zu", i);
	cr_expect(eq(str, (char *)table_knob(list, 0), (char *)"utilisation"));
	cr_expect(eq(str, (char *)list->rows[0][1], (char *)"1 pt"));
	cr_expect(strncmp(list->rows[0][2], "next: ", 6) == 0, "%s", list->rows[0][2]);
	cr_expect(eq(str, (char *)list->rows[3][1], (char *)"asked"));
	cr_expect(strstr(list->rows[3][2], ", stable") != NULL, "%s", list->rows[3][2]);
	cr_expect(eq(str, (char *)list->rows[4][1], (char *)"5 pts"));
	size_t offered = list->n_rows;
	figure_release(&fig);
	/* A reading of another ward comes to the list when it is asked for. */
	fig = sim_run(&diagnosis_sim, &t, "patient=1 guide=off latency=on");
	list = &figure_block(&fig, BLOCK_TABLE, "Readings")->as.table;
	cr_expect(eq(sz, list->n_rows, offered + 1));
	cr_expect(strstr(list->rows[0][2], "next") == NULL, "%s", list->rows[0][2]);
	figure_release(&fig);
	tables_release(&t);
}

/* Of 100 points there is left what readings did not take: step times, asked from the first, cost 1, and a trace 5. */
Test(diagnosis, the_points_lose_what_is_spent)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&diagnosis_sim, &t, "patient=1 trace=on");
	cr_expect(eq(dbl, figure_number(&fig, "score"), 94));
	figure_release(&fig);
	tables_release(&t);
}

/* Utilisation is the first thing to ask for, and the patient the last to change; the curve of step
 * times begins near the shortest step and not at 0. */
Test(diagnosis, readings_come_before_another_patient)
{
	struct tables t = load_tables();
	const struct sim *s = &diagnosis_sim;
	cr_assert(lt(int, 2, (int)s->n_story));
	cr_expect(eq(str, (char *)s->knobs[s->story[0]].id, "utilisation"));
	cr_expect(eq(str, (char *)s->knobs[s->story[s->n_story - 1]].id, "patient"));
	struct figure fig = sim_run(s, &t, "");
	const struct plot *p = &figure_block(&fig, BLOCK_PLOT, NULL)->as.plot;
	/* One line is what the tree asks for, the other what would be healthy: all steps took 1.68 times as
	 * long on average, as a value says, and each is above it. */
	cr_assert(eq(sz, p->n_rules, 2));
	const double healthy = p->rules[1].at;
	double least = INFINITY, most = 0;
	for (size_t k = 0; k < p->n_series; k++)
		for (size_t i = 0; i < p->series[k].n; i++) {
			least = fmin(least, p->series[k].points[i].y);
			most = fmax(most, p->series[k].points[i].y);
		}
	cr_expect(lt(dbl, healthy, least));
	cr_expect(le(dbl, p->y.min, healthy));
	cr_expect(le(dbl, healthy - p->y.min, most - healthy));
	const struct bars *runs = &figure_block(&fig, BLOCK_BARS, "The fault")->as.bars;
	const double *sound = runs->bars[0].parts, *came = runs->bars[1].parts;
	cr_expect(epsilon_eq(dbl, sound[0], healthy, 1e-9));
	cr_expect(zero(dbl, sound[1]));
	cr_expect(epsilon_eq(
		dbl, (came[0] + came[1]) / healthy, figure_number(&fig, "badness"), 1e-9));
	/* Steps of patient 1 are stable: at most one in a hundred is beyond what the tree asks for. */
	size_t beyond = 0, slowest = 0;
	for (size_t k = 0; k < p->n_series; k++)
		slowest = strncmp(p->series[k].name, "slowest", 7) == 0 ? k : slowest;
	for (size_t i = 0; i < p->series[slowest].n; i++)
		beyond += p->series[slowest].points[i].y > p->rules[0].at;
	cr_expect(le(sz, beyond, 2));
	figure_release(&fig);
	tables_release(&t);
}

/* The tree's own numbers: each question is answered no at its limit and yes a hundredth beyond. */
static const struct {
	struct signs at;
	double limit;
	size_t sign; /* where in the signs it stands */
	bool below;  /* yes lies below the limit */
	enum cause no, yes;
} limits[] = {
#define SIGN(name) offsetof(struct signs, name)
	{ { .ward = WARD_MEMORY }, 1.08, SIGN(reserved_over_allocated), false, CAUSE_STATE,
		CAUSE_FRAGMENTATION },
	{ { .ward = WARD_MEMORY }, 0.5, SIGN(activation_share), false, CAUSE_STATE,
		CAUSE_ACTIVATIONS },
	{ { .ward = WARD_SERVING, .itl_over_median = 9 }, 0.05, SIGN(cache_orphaned), false,
		CAUSE_LONG_PREFILL, CAUSE_CACHE_LEAK },
	{ { .ward = WARD_SERVING }, 4, SIGN(itl_over_median), true, CAUSE_LONG_PREFILL,
		CAUSE_STATIC_BATCH },
	{ { .ward = WARD_SERVING }, 2, SIGN(wait_growth), false, CAUSE_STATIC_BATCH,
		CAUSE_OVERLOAD },
	{ { .ward = WARD_NUMBERS, .nan = true }, 65504, SIGN(largest_gradient), false,
		CAUSE_LEARNING_RATE, CAUSE_OVERFLOW },
	{ { .ward = WARD_NUMBERS }, 1.3, SIGN(epoch_jump), false, CAUSE_LEARNING_RATE,
		CAUSE_DATA_ORDER },
	{ { .ward = WARD_NUMBERS }, 8, SIGN(channel_spread), false, CAUSE_LEARNING_RATE,
		CAUSE_OUTLIERS },
	{ { .ward = WARD_SPEED, .util = 1, .clock = 1, .tensor = 1 }, 1.5, SIGN(p99_over_p50),
		false, CAUSE_GPU_BOUND, CAUSE_CHECKPOINT },
	{ { .ward = WARD_SPEED, .p99_over_p50 = 2, .worker_read = 1, .period = 9 }, 0.03,
		SIGN(idle[IDLE_DATA]), false, CAUSE_CHECKPOINT, CAUSE_EPOCH },
	/* two rounds of four workers, and two steps */
	{ { .ward = WARD_SPEED,
		  .p99_over_p50 = 2,
		  .idle = { [IDLE_DATA] = 1 },
		  .worker_read = 1,
		  .workers = 4 },
		10, SIGN(period), false, CAUSE_STORAGE, CAUSE_EPOCH },
	{ { .ward = WARD_SPEED, .idle = { [IDLE_DATA] = 1 } }, 0.85, SIGN(worker_read), false,
		CAUSE_NEIGHBOUR, CAUSE_STORAGE },
	{ { .ward = WARD_SPEED, .idle = { [IDLE_DATA] = 1 } }, 0.85, SIGN(worker_cpu), false,
		CAUSE_SHALLOW_QUEUE, CAUSE_FEW_WORKERS },
	{ { .ward = WARD_SPEED, .clock = 1, .tensor = 1, .idle = { [IDLE_COPY] = 1 } }, 0.9,
		SIGN(util), false, CAUSE_COPY, CAUSE_GPU_BOUND },
	{ { .ward = WARD_SPEED, .util = 1, .clock = 1, .tensor = 1 }, 0.1, SIGN(nccl_alone), false,
		CAUSE_GPU_BOUND, CAUSE_NO_OVERLAP },
	{ { .ward = WARD_SPEED, .util = 1, .nccl_alone = 1 }, 0.05, SIGN(rank_late), false,
		CAUSE_NO_OVERLAP, CAUSE_STRAGGLER },
	{ { .ward = WARD_SPEED, .util = 1, .nccl_alone = 1 }, 0.1, SIGN(comm_hidden), false,
		CAUSE_NO_OVERLAP, CAUSE_SLOW_LINK },
	{ { .ward = WARD_SPEED, .util = 1, .tensor = 1 }, 0.9, SIGN(clock), true, CAUSE_GPU_BOUND,
		CAUSE_THROTTLE },
	{ { .ward = WARD_SPEED, .util = 1, .clock = 1, .tensor = 1 }, 0.1, SIGN(idle[IDLE_LAUNCH]),
		false, CAUSE_GPU_BOUND, CAUSE_LAUNCH },
	{ { .ward = WARD_SPEED, .util = 1, .clock = 1, .idle = { [IDLE_LAUNCH] = 1 } }, 1.5,
		SIGN(threads_per_core), false, CAUSE_LAUNCH, CAUSE_THREADS },
	{ { .ward = WARD_SPEED, .util = 1, .clock = 1 }, 0.02, SIGN(tensor), true, CAUSE_GPU_BOUND,
		CAUSE_FP32 },
	{ { .ward = WARD_SPEED, .util = 1, .clock = 1, .tensor = 1 }, 0.2, SIGN(pointwise), false,
		CAUSE_GPU_BOUND, CAUSE_MEMORY_BOUND },
#undef SIGN
};

static enum cause found_with(size_t row, double value)
{
	bool all[N_READINGS];
	struct signs s = limits[row].at;
	ask_all(all);
	memcpy((char *)&s + limits[row].sign, &value, sizeof value);
	return patient_walk(&s, all).leaf;
}

Test(diagnosis, the_tree_divides_where_it_says)
{
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		double beyond = limits[i].limit * (limits[i].below ? 0.99 : 1.01);
		cr_expect(eq(int, (int)found_with(i, limits[i].limit), (int)limits[i].no),
			"row %zu, at %g", i, limits[i].limit);
		cr_expect(eq(int, (int)found_with(i, beyond), (int)limits[i].yes), "row %zu, at %g",
			i, beyond);
	}
}
