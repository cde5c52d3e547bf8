/* Speculative decoding against its closed form, its check values, and what must hold at any
 * setting. */
#include "sims/base/array.h"
#include "sims/formulas/formula.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdlib.h>

static struct tables tables;

static void load(void)
{
	tables = load_tables();
}

static void release(void)
{
	tables_release(&tables);
}

static double value_of(const char *id, const char *const settings[], size_t n)
{
	const struct sim *s = sim_find("speculative");
	double v[MAX_KNOBS];
	char err[200];
	struct figure fig = { 0 };
	sim_defaults(s, &tables, v);
	for (size_t i = 0; i < n; i++)
		cr_assert(zero(int, sim_read_setting(s, &tables, settings[i], v, err, sizeof err)),
			"%s", err);
	s->run(&tables, v, &fig);
	const struct value *found = figure_find(&fig, id);
	cr_assert(found != NULL, "%s", id);
	double value = found->value;
	figure_release(&fig);
	return value;
}
#define VALUE(id, ...)                                                                             \
	value_of(id, (const char *const[]){ __VA_ARGS__ },                                         \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* a = 0.8, k = 5, 2 ms against 30: 3.689 tokens, 2.767 times as fast; k = 7 is best, 2.84. By hand:
 * (1 - 0.8^6) / 0.2 = 3.68928, x 30 / 40. */
Test(speculative, the_textbook_case, .init = load, .fini = release)
{
	cr_expect(epsilon_eq(dbl, VALUE("tokens_per_round", "k=5"), 3.68928, 1e-9));
	cr_expect(epsilon_eq(dbl, VALUE("speedup", "k=5"), 2.76696, 1e-9));
	cr_expect(eq(dbl, VALUE("best_k", "k=5"), 7));
	cr_expect(epsilon_eq(dbl, VALUE("speedup", "k=7"), 2.8366, 1e-3));
	cr_expect(epsilon_eq(dbl, VALUE("itl_ms", "k=5"), 40 / 3.68928, 1e-9));
}

/* Within four standard errors of the mean of 100,000 rounds; the deviation of a round is below
 * 3. */
Test(speculative, the_run_meets_the_law, .init = load, .fini = release)
{
	static const char *const acceptances[] = { "acceptance=0", "acceptance=0.3",
		"acceptance=0.8", "acceptance=1" };
	for (size_t i = 0; i < 4; i++) {
		double law = VALUE("tokens_per_round", acceptances[i], "rounds=100000");
		double run = VALUE("simulated_tokens", acceptances[i], "rounds=100000");
		cr_expect(epsilon_eq(dbl, run, law, 4 * 3 / sqrt(1e5)), "%s", acceptances[i]);
	}
}

Test(speculative, nothing_drafted_is_plain_decoding, .init = load, .fini = release)
{
	cr_expect(epsilon_eq(dbl, VALUE("speedup", "k=0"), 1, 1e-12));
	cr_expect(epsilon_eq(dbl, VALUE("speedup", "k=0", "times=engine"), 1, 1e-12));
	cr_expect(epsilon_eq(dbl, VALUE("tokens_per_round", "acceptance=1", "k=5"), 6, 1e-12));
	cr_expect(lt(dbl, VALUE("speedup", "acceptance=0", "k=5"), 1));
}

/* Verifying 6 tokens of 32 sequences is past the ridge of an A100, 156 tokens: the gain shrinks
 * from batch 1 on, and is gone at some batch, where the found break-even stands. */
Test(speculative, a_large_batch_kills_it, .init = load, .fini = release)
{
#define ON_A100                                                                                    \
	"times=engine", "gpu=a100", "model=llama3-8b", "draft=llama3.2-1b", "tp=1", "context=256"
	double one = VALUE("speedup", ON_A100, "batch=1");
	double some = VALUE("speedup", ON_A100, "batch=32");
	double many = VALUE("speedup", ON_A100, "batch=256");
	cr_expect(lt(dbl, some, one));
	cr_expect(lt(dbl, many, some));
	cr_expect(lt(dbl, many, 1));
	static const char *const drafted[] = { "k=1", "k=5" };
	for (size_t i = 0; i < sizeof drafted / sizeof *drafted; i++) {
		double even = VALUE("break_even_batch", ON_A100, drafted[i]);
		char at[32], below[32];
		snprintf(at, sizeof at, "batch=%.0f", ceil(even * 1.05));
		snprintf(below, sizeof below, "batch=%.0f", floor(even / 1.05));
		cr_expect(lt(dbl, VALUE("speedup", ON_A100, drafted[i], at), 1));
		cr_expect(lt(dbl, 1, VALUE("speedup", ON_A100, drafted[i], below)));
	}
}

/* At batch 1 the five tokens of a check read more of Mixtral's experts than one token does; of a batch nearly all are
 * read anyway. Where drafts pay at the batch in hand, they do not stop paying below it. */
Test(speculative, a_mixture_may_lose_alone_and_win_in_company, .init = load, .fini = release)
{
#define MIXED "times=engine", "model=mixtral-8x7b", "gpu=a100", "tp=4", "context=1024", "k=4"
	cr_expect(lt(dbl, VALUE("speedup", MIXED, "batch=1"), 1));
	cr_expect(lt(dbl, 1, VALUE("speedup", MIXED, "batch=16")));
	const double even = VALUE("break_even_batch", MIXED, "batch=16");
	char at[32], below[32];
	snprintf(at, sizeof at, "batch=%.0f", ceil(even * 1.05));
	snprintf(below, sizeof below, "batch=%.0f", floor(even / 1.05));
	cr_expect(lt(dbl, VALUE("speedup", MIXED, at), 1));
	cr_expect(lt(dbl, 1, VALUE("speedup", MIXED, below)));
}

/* (1 - a^(k+1)) / (1 - a) tokens a round of k drafts and one check, over the time of a token. */
Test(speculative, shown_values_by_hand, .init = load, .fini = release)
{
	static const struct sim_row rows[] = {
		{ "k=5", "round_ms", 5 * 2 + 30, 0 },
		{ "k=5", "tokens_per_round", (1 - 0.262144) / 0.2, 0 },
		{ "k=5", "speedup", 3.68928 * 30 / 40, 0 },
		{ "k=3 acceptance=0.5", "tokens_per_round", 1.875, 0 },
		{ "k=3 acceptance=0.5", "speedup", 1.875 * 30 / 36, 0 },
		{ "k=3 acceptance=0.5", "itl_ms", 36 / 1.875, 0 },
	};
	expect_rows(sim_find("speculative"), &tables, rows, sizeof rows / sizeof *rows);
}

/* The rows of the picture and its kinds have the same names and no other: verification is a second
 * pass, and no row needs a legend. */
Test(speculative, kinds_are_called_as_their_rows, .init = load, .fini = release)
{
	struct figure fig = sim_run(sim_find("speculative"), &tables, "");
	const struct timeline *run = &fig.blocks[0]->as.timeline;
	cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_TIMELINE));
	cr_assert(eq(sz, run->n_kinds, run->n_lanes));
	for (size_t i = 0; i < run->n_spans; i++)
		cr_expect(eq(str, (char *)run->kind_names[run->spans[i].kind],
			(char *)run->lane_names[run->spans[i].lane]));
	cr_expect(eq(int, (int)run->means[2], MEANS_SECOND));
	figure_release(&fig);
}

/* Three rounds of 40 ms; plain decoding takes 30 ms for each token that they bring. */
Test(speculative, lanes_say_how_long_they_take, .init = load, .fini = release)
{
	struct figure fig = sim_run(sim_find("speculative"), &tables, "");
	const struct timeline *run = &fig.blocks[0]->as.timeline;
	char want[32];
	int tokens = 0;
	for (size_t i = 0; i < run->n_spans; i++)
		tokens += *run->spans[i].label == '+' ? atoi(run->spans[i].label + 1) : 0;
	snprintf(want, sizeof want, "%d ms", 30 * tokens);
	cr_expect(eq(str, (char *)run->lane_notes[0], want));
	cr_expect(eq(str, (char *)run->lane_notes[2], "120 ms"));
	figure_release(&fig);
}

/* The rounds of the lanes, token by token: of k + 1 places as many are counted as the lane says, the last
 * of them is the target's own, and the numbers go on from row to row. Before a round is over its row is
 * blank. */
Test(speculative, drafts_are_counted_as_the_lanes_say, .init = load, .fini = release)
{
	static const char *const settings[] = { "", "acceptance=0", "acceptance=1 k=3", "k=16" };
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct figure fig = sim_run(sim_find("speculative"), &tables, settings[i]);
		const struct timeline *run = &fig.blocks[0]->as.timeline;
		cr_assert(eq(int, (int)fig.blocks[1]->kind, BLOCK_GRID));
		const struct grid *g = &fig.blocks[1]->as.grid;
		const size_t last = (g->n_frames - 1) * g->rows * g->cols;
		int tokens = 0;
		size_t row = 0;
		for (size_t s = 0; s < run->n_spans; s++) {
			if (*run->spans[s].label != '+')
				continue;
			size_t made = (size_t)atoi(run->spans[s].label + 1);
			for (size_t col = 0; col < g->cols; col++) {
				size_t at = last + row * g->cols + col;
				int number = col < made ? ++tokens : 0;
				int kind = col >= made ? 3 : col + 1 == made ? 2 : 1;
				cr_expect(eq(int, g->cells[at], kind), "%s", settings[i]);
				cr_expect(
					eq(int, g->notes[at].number, number > 0 ? number + 1 : 0));
				cr_expect(eq(int, g->cells[row * g->cols + col], 0));
			}
			row++;
		}
		cr_expect(eq(sz, row, g->rows));
		figure_release(&fig);
	}
}

/* (1 - 0.8^8) / 0.2 tokens in 44 ms are 2.837x; 6 and 8 drafts give 2.822x and 2.823x. */
Test(speculative, the_best_number_of_drafts_is_marked, .init = load, .fini = release)
{
	static const struct {
		const char *settings, *name;
	} rows[] = { { "", "best: draft 7, 2.84x" }, { "k=7", "here, the best: 2.84x" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("speculative"), &tables, rows[i].settings);
		const struct plot *p = &fig.blocks[2]->as.plot;
		cr_assert(eq(int, (int)fig.blocks[2]->kind, BLOCK_PLOT));
		const struct series *last = &p->series[p->n_series - 1];
		cr_assert(eq(sz, last->n, 1));
		cr_expect(eq(str, (char *)last->points[0].name, (char *)rows[i].name));
		cr_expect(epsilon_eq(dbl, last->points[0].x, 7, 1e-12));
		cr_expect(epsilon_eq(dbl, last->points[0].y, 2.837, 1e-3));
		figure_release(&fig);
	}
}

/* 405.9, 70.6 and 174.6 thousand million parameters of 2 B on one card of 16, 80 and 16 GB: whoever
 * times such a model says first that it would not start. On enough cards nobody says it. */
Test(speculative, models_larger_than_the_memory_are_told)
{
	static const struct {
		const char *sim, *set;
		bool fits;
	} rows[] = { { "system", "gpu=t4 model=llama3-405b component=serving", false },
		{ "system", "component=serving", true },
		{ "compile", "gpu=h100 model=llama3-70b", false }, { "compile", "", true },
		{ "speculative", "times=engine gpu=h100 model=llama3-70b tp=1", false },
		{ "speculative", "times=engine gpu=t4 model=gpt3-175b tp=1", false },
		{ "speculative", "times=engine gpu=h100 model=llama3-70b tp=4", true },
		/* What `weights` was called before, and FP8: 70.6 GB and a draft on 2 x 72 GB. */
		{ "speculative", "times=engine gpu=h100 model=llama3-70b tp=2 weights=fp8",
			true } };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find(rows[i].sim), &t, rows[i].set);
		bool told = strstr(fig.why, "does not fit") != NULL, warned = false;
		for (size_t k = 0; k < fig.n_blocks; k++)
			warned |= fig.blocks[k]->kind == BLOCK_NOTE &&
				  strstr(fig.blocks[k]->as.note.text, "does not fit");
		cr_expect(eq(int, told, !rows[i].fits), "%s %s: %s", rows[i].sim, rows[i].set,
			fig.why);
		cr_expect(eq(int, warned, !rows[i].fits));
		figure_release(&fig);
	}
	tables_release(&t);
}

/* 2 ms drafts for a 30 ms step. Of 5 drafts that are right four times in five a round of 40 ms brings
 * (1 - 0.8^6) / 0.2 = 3.689 tokens, 2.767x, and three of them 11; 7 bring 4.161 in 44 ms, 2.837x; of 16 all are kept in 0.8^16 =
 * 2.8 %, and 4.887 in 62 ms are 2.365x. Right in one of five, 1.25 tokens in 40 ms are 0.937x, and it is not
 * verification that costs. */
Test(speculative, the_sentence_says_what_is_best_and_what_costs)
{
	static const char *const rows[][2] = {
		{ "", "11 tokens take 120 ms with drafts, 330 ms without: 2.77x as fast on "
		      "average." },
		{ "k=16", "2.36x faster on average, but too far: all 16 drafts are kept 2.8 % of "
			  "the time. Draft 7 for 2.84x." },
		{ "acceptance=0.2", "Slower than plain decoding, 0.937x: 10 ms of a round of 40 ms "
				    "go into drafts, of which 0.25 of 5 are kept." },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct figure fig = sim_run(sim_find("speculative"), &t, rows[i][0]);
		cr_expect(eq(str, (char *)fig.why, (char *)rows[i][1]));
		figure_release(&fig);
	}
	tables_release(&t);
}

/* Rounds bring whole tokens: three of them 11, near to 3 x 3.689 = 11.07, so that the two times of the lanes
 * divide to 2.75, near to the 2.77 of the sentence. With 1.05 tokens a round no few of them come so near, and
 * the title says so; and the curve over the batch names whose it is, where the times are typed. */
Test(speculative, what_is_drawn_says_where_it_differs)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("speculative"), &t, "");
	cr_expect(eq(
		str, (char *)fig.blocks[0]->as.timeline.title, "11 tokens, plain and in 3 rounds"));
	cr_expect(eq(str, (char *)fig.blocks[3]->as.plot.title,
		"With the models' own times a large batch kills it"));
	figure_release(&fig);
	fig = sim_run(sim_find("speculative"), &t, "acceptance=0.05 k=1");
	cr_expect(eq(str, (char *)fig.blocks[0]->as.timeline.title,
		"3 tokens, plain and in 3 rounds (3.15 on average)"));
	figure_release(&fig);
	fig = sim_run(sim_find("speculative"), &t, "times=engine");
	cr_expect(eq(str, (char *)fig.blocks[3]->as.plot.title, "A large batch kills it"));
	figure_release(&fig);
	tables_release(&t);
}

/* Two guesses at each of three places, each right half of the time: a place is passed with 3/4, a round
 * brings 1 + 0.75 + 0.5625 + 0.421875. The run draws the same. */
Test(speculative, trees_pass_where_one_guess_is_right, .init = load, .fini = release)
{
	cr_expect(epsilon_eq(dbl, VALUE("tokens_per_round", "acceptance=0.5", "k=3", "branches=2"),
		2.734375, 1e-9));
	double run =
		VALUE("simulated_tokens", "acceptance=0.5", "k=3", "branches=2", "rounds=100000");
	cr_expect(epsilon_eq(dbl, run, 2.734375, 4 * 2 / sqrt(1e5)));
	/* Fifteen tokens verified instead of four are not free at a batch of 64. */
	cr_expect(VALUE("round_ms", "times=engine", "batch=64", "k=3", "branches=2") >
		  1.2 * VALUE("round_ms", "times=engine", "batch=64", "k=3"));
}

/* DeepSeek-V3 drafts one token with its own layer: 85 to 90 % are kept, for 1.8 times the tokens a second
 * (DeepSeek-AI, DeepSeek-V3 Technical Report, 2024, section 5.4.3). A model without such a layer is
 * told. */
Test(speculative, a_layer_of_its_own_drafts, .init = load, .fini = release)
{
	double got = VALUE("speedup", "times=engine", "drafter=mtp", "model=deepseek-v3",
		"gpu=h200", "tp=8", "weight_dtype=fp8", "k=1", "acceptance=0.875");
	cr_expect(epsilon_eq(dbl, got, 1.8, 0.18), "%g", got);
	static const char *const models[] = { "deepseek-v3", "llama3-70b" };
	for (size_t i = 0; i < LENGTH(models); i++) {
		char set[100];
		bool told = false;
		snprintf(set, sizeof set, "times=engine drafter=mtp model=%s", models[i]);
		struct figure fig = sim_run(sim_find("speculative"), &tables, set);
		for (size_t b = 0; b < fig.n_blocks; b++)
			told |= fig.blocks[b]->kind == BLOCK_NOTE &&
				strstr(fig.blocks[b]->as.note.text, "stands in") != NULL;
		cr_expect(eq(int, told, i == 1), "%s", models[i]);
		figure_release(&fig);
	}
}
