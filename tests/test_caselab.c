/* The fine-tuning case: the six measured runs, the arithmetic of the report taken apart, and a
 * laboratory in which one cannot cheat. */
#include "sims/base/array.h"
#include "sims/training/caselab_lab.h"
#include "sims/formulas/scaling.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static struct finetuning the_case(const struct tables *t)
{
	return finetuning_case(model_find(t, "mistral-7b"), gpu_find(t, "a10"));
}

/* The published samples per second, typed again, so that no row can be changed to suit the
 * model. */
Test(caselab, six_runs_within_five_per_cent)
{
	static const double published[] = { 0.69, 0.68, 0.67, 1.29, 1.46, 0.78 };
	struct tables t = load_tables();
	struct finetuning base = the_case(&t);
	for (size_t i = 0; i < N_FINETUNING_MEASURED; i++) {
		struct finetuning f = finetuning_of(&base, &finetuning_measured[i]);
		struct finetuning_step s = finetuning_step(&f);
		cr_expect(s.fits, "%s", finetuning_measured[i].name);
		cr_expect(eq(dbl, finetuning_measured[i].samples_per_s, published[i]));
		cr_expect(epsilon_eq(dbl, s.samples_per_s / published[i], 1, 0.05), "%s",
			finetuning_measured[i].name);
	}
	tables_release(&t);
}

/* A311: 706.6, 660.5, 747.5, 798.7 tokens/s; A318: 6 P FLOP a token, 30.7 TFLOP/s. */
Test(caselab, what_the_report_counted)
{
	static const struct {
		double rate, seq, tokens_per_s;
	} rows[] = { { 0.69, 1024, 706.6 }, { 1.29, 512, 660.5 }, { 1.46, 512, 747.5 },
		{ 0.78, 1024, 798.7 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(epsilon_eq(dbl,
			CALL(text_token_rate, .sample_rate = rows[i].rate, .seq = rows[i].seq,
				.padding = 0),
			rows[i].tokens_per_s, 0.05));
	double flops = CALL(frozen_flops_per_token, .params = 7.24e9, .recomputed = 1);
	cr_expect(epsilon_eq(dbl, 706.56 * flops, 30.7e12, 0.05e12));
}

/* Half the sequence and twice the batch are as many positions: only attention shrinks, since its
 * scores are halved. Measured 5.80 and 5.48 s: at most 5.5 % come from the length of the sequence
 * (A319). */
Test(caselab, sequence_explains_little)
{
	struct tables t = load_tables();
	struct finetuning f = the_case(&t);
	struct finetuning_step base = finetuning_step(&f);
	f.seq = 512;
	f.batch = 8;
	struct finetuning_step halved = finetuning_step(&f);
	cr_expect(epsilon_eq(dbl, 1 - halved.step_s / base.step_s, 0.055, 0.015));
	cr_expect(epsilon_eq(
		dbl, halved.part_s[PART_ATTENTION] / base.part_s[PART_ATTENTION], 0.5, 0.01));
	cr_expect(epsilon_eq(dbl, halved.part_s[PART_PRODUCTS], base.part_s[PART_PRODUCTS], 1e-9));
	tables_release(&t);
}

/* The parts add up to all of the time at any setting, and no part is negative. */
Test(caselab, parts_add_up)
{
	struct tables t = load_tables();
	for (int i = 0; i < 256; i++) {
		struct finetuning f = the_case(&t);
		f.checkpointing = i & 1;
		f.nf4 = i & 2;
		f.flash = i & 4;
		f.packing = i & 8;
		f.batch = i & 16 ? 1 : 8;
		f.seq = i & 32 ? 128 : 1024;
		f.text_tokens = i & 64 ? 100 : 1024;
		f.prep_s = i & 128 ? 10 : 0.003;
		struct finetuning_step s = finetuning_step(&f);
		double sum = 0;
		for (int p = 0; p < N_FINETUNING_PARTS; p++) {
			cr_expect(le(dbl, 0, s.part_s[p]), "%s at %d", part_ids[p], i);
			sum += s.part_s[p];
		}
		cr_expect(epsilon_eq(dbl, sum, s.step_s, 1e-9 * s.step_s), "%d", i);
	}
	tables_release(&t);
}

/* 4 samples of 10 s on 4 workers take 10 s a step; in the training process itself they add 40 s. */
Test(caselab, loader_by_hand)
{
	struct tables t = load_tables();
	struct finetuning f = the_case(&t);
	double gpu_s = finetuning_step(&f).step_s;
	f.prep_s = 10;
	cr_expect(epsilon_eq(dbl, finetuning_step(&f).step_s, 10, 1e-9));
	f.workers = 0;
	cr_expect(epsilon_eq(dbl, finetuning_step(&f).step_s, gpu_s + 40, 1e-9));
	f.prep_s = 0.003;
	f.workers = 4;
	cr_expect(zero(dbl, finetuning_step(&f).part_s[PART_WAIT]));
	tables_release(&t);
}

/* The case runs out of memory without checkpointing, and 16-bit weights just fit. NF4: 6.98e9
 * weights of 4.127 bits and 0.26e9 values of 4 B are 3.60 and 1.05 GB. */
Test(caselab, memory)
{
	struct tables t = load_tables();
	struct finetuning f = the_case(&t);
	struct finetuning_step s = finetuning_step(&f);
	cr_expect(s.fits);
	cr_expect(epsilon_eq(dbl, s.memory[HOLDS_WEIGHTS], 4.65e9, 0.01e9));
	/* 32 layers x 4,096 positions x 4,096 values of 2 B; 4,096 x 32,000 logits of 14 B. */
	cr_expect(eq(dbl, s.memory[HOLDS_CHECKPOINTS], 1073741824));
	cr_expect(eq(dbl, s.memory[HOLDS_LOGITS], 4096. * 32000 * 14));
	f.checkpointing = false;
	cr_expect(not(finetuning_step(&f).fits));
	f.checkpointing = true;
	f.nf4 = false;
	s = finetuning_step(&f);
	cr_expect(s.fits);
	cr_expect(epsilon_eq(dbl, s.memory[HOLDS_WEIGHTS], 14.48e9, 0.01e9));
	tables_release(&t);
}

/* Half of each sample is padding. Cutting it loses no text, so that the gain in samples is a gain
 * in tokens, while without padding the first halving only cuts text. Packed samples hardly depend
 * on the length. */
Test(caselab, padding_makes_the_story_true)
{
	struct tables t = load_tables();
	for (int padded = 0; padded < 2; padded++) {
		struct finetuning f = the_case(&t), g;
		f.text_tokens = padded ? 512 : 1024;
		g = f;
		g.seq = 512;
		struct finetuning_step a = finetuning_step(&f), b = finetuning_step(&g);
		double samples = b.samples_per_s / a.samples_per_s;
		double tokens = b.tokens_per_s / a.tokens_per_s;
		cr_expect(epsilon_eq(dbl, samples, 1.87, 0.03));
		cr_expect(epsilon_eq(dbl, tokens, padded ? samples : samples / 2, 1e-9));
		cr_expect(epsilon_eq(dbl, a.padding, padded ? 0.5 : 0, 1e-12));
		cr_expect(epsilon_eq(dbl, b.cut, padded ? 0 : 0.5, 1e-12));
		f.packing = true;
		a = finetuning_step(&f);
		cr_expect(epsilon_eq(dbl, a.tokens_per_s / a.samples_per_s, f.text_tokens, 1e-9));
		cr_expect(zero(dbl, a.part_s[PART_PADDING]));
	}
	tables_release(&t);
}

/* Kernels of a step of Mistral-7B, a layer: products with q, k, v, o, gate, up and down, 7; two
 * for each of these to widen NF4; two thin ones for each of four adapters; attention's 6 that
 * move scores and 2 products; 14 of norms, 2 residuals, 10 of rotary, 2 that repeat heads, 1 that
 * joins them, 2 of SiLU, 4 of dropout and 8 of adapters' scale and sum: 7 + 14 + 8 + 8 + 43 = 80.
 * Backward has two more products for each adapter and in attention: 90. All forward again: 250 x
 * 32 layers = 8000. Vocabulary and loss take 12, AdamW in 8 bits one for each of 2 x 4 x 32 = 256
 * tensors; in lists 0.05 x 256 = 12.8 are 13, and 0.02 x 256 = 5.12 are 6. FlashAttention is one
 * kernel where the others are 8 and 10. */
Test(caselab, kernels_by_hand)
{
	struct tables t = load_tables();
	struct finetuning f = the_case(&t);
	cr_expect(eq(dbl, finetuning_step(&f).kernels, 8000 + 12 + 256));
	f.optimizer = OPTIMIZER_ADAMW;
	cr_expect(eq(dbl, finetuning_step(&f).kernels, 8000 + 12 + 13));
	f.optimizer = OPTIMIZER_SGD;
	cr_expect(eq(dbl, finetuning_step(&f).kernels, 8000 + 12 + 6));
	f = the_case(&t);
	f.nf4 = false;
	cr_expect(eq(dbl, finetuning_step(&f).kernels, 32 * (250 - 3 * 14) + 12 + 256));
	f = the_case(&t);
	f.flash = true;
	cr_expect(eq(dbl, finetuning_step(&f).kernels, 32 * (250 - 7 - 9 - 7) + 12 + 256));
	f = the_case(&t);
	f.checkpointing = false;
	cr_expect(eq(dbl, finetuning_step(&f).kernels, 32 * 170 + 12 + 256));
	tables_release(&t);
}

/* Of a layer 2 x 4096 x 4096 + 2 x 4096 x 1024 + 3 x 4096 x 14,336 = 218,103,808 weights are
 * widened forward and backward, 31e9 a second, whatever the batch holds; forward again counts as
 * recomputed. */
Test(caselab, widening_by_hand)
{
	const double once_s = 32 * 218103808. / 31e9;
	struct tables t = load_tables();
	struct finetuning f = the_case(&t);
	cr_expect(epsilon_eq(dbl, finetuning_step(&f).part_s[PART_DEQUANTISE], 2 * once_s, 1e-9));
	f.batch = 8;
	f.text_tokens = 512;
	struct finetuning_step s = finetuning_step(&f);
	cr_expect(epsilon_eq(dbl, s.part_s[PART_DEQUANTISE], 2 * once_s, 1e-9));
	/* half of the positions have no text, and half of what grows with them is padding */
	cr_expect(epsilon_eq(dbl, s.padding, 0.5, 1e-12));
	cr_expect(epsilon_eq(dbl,
		s.part_s[PART_PRODUCTS] + s.part_s[PART_RECOMPUTE] + s.part_s[PART_ATTENTION] +
			s.part_s[PART_POINTWISE] + s.part_s[PART_ADAPTERS],
		s.part_s[PART_PADDING] + once_s, 1e-9));
	f.text_tokens = 2048;
	s = finetuning_step(&f);
	cr_expect(zero(dbl, s.padding));
	cr_expect(zero(dbl, s.part_s[PART_PADDING]));
	cr_expect(epsilon_eq(dbl, s.cut, 0.5, 1e-12));
	f.nf4 = false;
	cr_expect(zero(dbl, finetuning_step(&f).part_s[PART_DEQUANTISE]));
	tables_release(&t);
}

static struct lab lab_of(const struct finetuning *base, const bool bought[])
{
	return (struct lab){ .base = *base,
		.bought = bought,
		.gpu_usd_per_hour = 0.75,
		.engineer_usd_per_hour = 60,
		.budget_usd = 60,
		.seed = 1 };
}

Test(caselab, prices)
{
	bool bought[N_EXPERIMENTS] = { false };
	struct tables t = load_tables();
	struct finetuning base = the_case(&t);
	struct lab lab = lab_of(&base, bought);
	cr_expect(zero(dbl, lab_spent_usd(&lab)));
	/* Ten minutes of a person and none of a GPU; and five, with a process that only loads
	 * data. */
	cr_expect(eq(dbl, experiment_usd(&lab, LOOK_DATA), 10));
	cr_expect(epsilon_eq(
		dbl, experiment_usd(&lab, RUN_CHECKPOINT), 5 + 180. / 3600 * 0.75, 1e-9));
	bought[LOOK_DATA] = bought[RUN_CHECKPOINT] = true;
	cr_expect(epsilon_eq(dbl, lab_spent_usd(&lab), 15.0375, 1e-9));
	tables_release(&t);
}

Test(caselab, verdicts)
{
	bool bought[N_EXPERIMENTS] = { false };
	struct tables t = load_tables();
	struct finetuning base = the_case(&t);
	struct lab lab = lab_of(&base, bought);
	cr_expect(eq(int, lab_culprit(&lab), PART_PRODUCTS));
	cr_expect(zero(dbl, lab_score(&lab, -1)));
	cr_expect(eq(dbl, lab_score(&lab, PART_PRODUCTS), 25), "a guess");
	cr_expect(zero(dbl, lab_score(&lab, PART_ATTENTION)));
	bought[RUN_RANK] = true;
	cr_expect(eq(dbl, lab_score(&lab, PART_PRODUCTS), 25), "the rank shows no product");
	bought[RUN_RANK] = false;
	bought[LOOK_PROFILE] = true;
	cr_expect(epsilon_eq(
		dbl, lab_score(&lab, PART_PRODUCTS), 100 - 50 * lab_spent_usd(&lab) / 60, 1e-9));
	lab.budget_usd = 10;
	cr_expect(zero(dbl, lab_score(&lab, PART_PRODUCTS)), "over budget");
	tables_release(&t);
}

/* Other settings have other causes, and a profile cannot show padding. */
Test(caselab, culprits)
{
	bool bought[N_EXPERIMENTS] = { [LOOK_PROFILE] = true };
	struct tables t = load_tables();
	struct finetuning base = the_case(&t);
	struct lab lab = lab_of(&base, bought);
	lab.base.text_tokens = 400;
	cr_expect(eq(int, lab_culprit(&lab), PART_PADDING));
	cr_expect(eq(dbl, lab_score(&lab, PART_PADDING), 25));
	bought[LOOK_DATA] = true;
	cr_expect(lt(dbl, 50, lab_score(&lab, PART_PADDING)));
	lab.base = base;
	lab.base.prep_s = 10;
	cr_expect(eq(int, lab_culprit(&lab), PART_WAIT));
	cr_expect(lt(dbl, 0, lab_score(&lab, PART_WAIT)));
	lab.base = base;
	lab.base.seq = 128;
	lab.base.batch = 1;
	lab.base.checkpointing = false;
	cr_expect(eq(int, lab_culprit(&lab), PART_DEQUANTISE));
	tables_release(&t);
}

/* A run that dies has no rate. The spread between runs is 1.5 %, so that a quotient of two which is
 * off by 10 % would be four to five deviations away. */
Test(caselab, experiments)
{
	bool bought[N_EXPERIMENTS] = { false };
	struct tables t = load_tables();
	struct finetuning base = the_case(&t);
	struct lab lab = lab_of(&base, bought);
	cr_expect(zero(dbl, experiment_ratio(&lab, RUN_CHECKPOINT)));
	for (lab.seed = 1; lab.seed <= 50; lab.seed++) {
		cr_expect(epsilon_eq(dbl, experiment_ratio(&lab, RUN_RANK), 1, 0.1));
		cr_expect(epsilon_eq(dbl, experiment_ratio(&lab, RUN_SEQ), 1.87, 0.19));
		lab.tokens = true;
		cr_expect(epsilon_eq(dbl, experiment_ratio(&lab, RUN_SEQ), 0.935, 0.1));
		lab.tokens = false;
	}
	tables_release(&t);
}

/* A step takes longer when there is more of anything to compute. */
Test(caselab, monotone)
{
	struct tables t = load_tables();
	double last_s = 0, last_bytes = 0;
	for (double batch = 1; batch <= 32; batch *= 2) {
		struct finetuning f = the_case(&t);
		f.batch = batch;
		struct finetuning_step s = finetuning_step(&f);
		cr_expect(lt(dbl, last_s, s.step_s));
		cr_expect(lt(dbl, last_bytes, s.memory_bytes));
		last_s = s.step_s;
		last_bytes = s.memory_bytes;
	}
	tables_release(&t);
}

/* The verdict's choices are the parts, in their order, after "none". */
Test(caselab, verdict_knob_names_the_parts)
{
	const struct sim *s = sim_find("caselab");
	const struct knob *k = &s->knobs[sim_knob_index(s, "culprit")];
	cr_expect(eq(sz, knob_choices(k, NULL), N_FINETUNING_PARTS + 1));
	for (size_t i = 0; i < N_FINETUNING_PARTS; i++)
		cr_expect(eq(str, (char *)k->choices[i + 1], (char *)part_ids[i]));
}

/* At any setting CUDA's context and libraries take 0.75 GB of the card. Each of 32 layers has
 * 218,103,808 weights in NF4, at 4.126953 bits; the 262,410,240 others are in FP32. Adapters of
 * rank 16 have 13,631,488, with gradients in FP32 and two states of a byte each. */
Test(caselab, memory_by_hand)
{
	struct tables t = load_tables();
	struct finetuning f = the_case(&t);
	struct finetuning_step s = finetuning_step(&f);
	cr_expect(eq(dbl, s.memory[HOLDS_CONTEXT], 0.75e9));
	cr_expect(eq(dbl, s.memory[HOLDS_WEIGHTS], 3600416768 + 1049640960.));
	cr_expect(eq(dbl, s.memory[HOLDS_ADAPTERS], 136314880));
	f.optimizer = OPTIMIZER_ADAMW;
	cr_expect(eq(dbl, finetuning_step(&f).memory[HOLDS_ADAPTERS], 13631488. * 16));
	f.optimizer = OPTIMIZER_SGD;
	cr_expect(eq(dbl, finetuning_step(&f).memory[HOLDS_ADAPTERS], 13631488. * 8));
	tables_release(&t);
}

/* With texts of 1,024 tokens, the tokens are the samples times 1,024. Useful work is 4 FLOP for
 * each weight and token, out of 125 TFLOP/s. An engineer's hour costs $60, so ten minutes of
 * looking at the lengths of the texts cost $10. */
Test(caselab, shown_values_by_hand)
{
	struct tables t = load_tables();
	const struct sim *caselab = sim_find("caselab");
	double samples = sim_number(caselab, &t, "", "samples_per_s");
	const struct sim_row rows[] = {
		{ "", "step_s", 4 / samples, 0 },
		{ "", "tokens_per_s", 1024 * samples, 0 },
		{ "", "mfu_pct", 100 * 4 * 7241732096. * 1024 * samples / 125e12, 0 },
		{ "", "spent_usd", 0, 0 },
		{ "look_data=on", "spent_usd", 10, 0 },
		{ "look_data=on price_per_engineer_h=90", "spent_usd", 15, 0 },
		/* half of the text of a row is padding: as many samples, half of the tokens */
		{ "padding=50", "tokens_per_s", 512 * samples, 0 },
	};
	expect_rows(caselab, &t, rows, sizeof rows / sizeof *rows);
	tables_release(&t);
}

/* The case opens on its question, what there is to buy, and the money left; what is bought is gone from it. */
Test(caselab, opens_on_the_question)
{
	struct tables t = load_tables();
	const struct sim *s = sim_find("caselab");
	struct figure fig = sim_run(s, &t, "");
	cr_expect(eq(str, (char *)block_name(fig.blocks[0]), "Laboratory"));
	cr_expect(eq(str, (char *)block_name(fig.blocks[1]), "Question"));
	const struct bars *asked = &fig.blocks[1]->as.bars;
	cr_assert(eq(str, (char *)asked->part_names[0], "busy"));
	cr_expect(asked->means[0] != MEANS_COMPUTE, "busy is no work");
	for (size_t i = 1; i < asked->n_parts; i++)
		cr_expect(asked->means[0] != asked->means[i], "nor what nobody explained");
	/* One number in one form: the sentence and the bar have the same share of the peak. */
	cr_expect(strstr(fig.why, asked->bars[1].note) != NULL, "%s", fig.why);
	cr_expect(strstr(fig.why, "where does the time go?") != NULL, "%s", fig.why);
	cr_expect(eq(str, (char *)fig.values[0].id, "left_usd"));
	figure_release(&fig);
	fig = sim_run(s, &t, "run_loader=on");
	cr_expect(epsilon_eq(
		dbl, figure_number(&fig, "left_usd"), 60 - figure_number(&fig, "spent_usd"), 1e-9));
	figure_release(&fig);
	fig = sim_run(s, &t, "look_profile=on");
	cr_expect(eq(str, (char *)block_name(fig.blocks[1]), "Profile"));
	figure_release(&fig);
	fig = sim_run(s, &t, "seq=512");
	cr_expect(eq(str, (char *)block_name(fig.blocks[0]), "Rates"), "what was turned");
	figure_release(&fig);
	tables_release(&t);
}

static bool has_tab(const struct figure *fig, const char *name)
{
	for (size_t i = 0; i < fig->n_blocks; i++)
		if (strcmp(block_name(fig->blocks[i]), name) == 0)
			return true;
	return false;
}

/* Nothing beside the laboratory shows for nothing what is for sale there: no other run, and no memory with
 * checkpointing off. A verdict opens them, and checkpointing is also open to who paid for it. */
Test(caselab, gives_away_nothing_that_it_sells)
{
	static const struct {
		const char *settings;
		bool runs;
		size_t memories;
	} rows[] = { { "", false, 1 }, { "look_profile=on", false, 1 },
		{ "run_checkpoint=on", false, 2 }, { "culprit=optimizer", true, 2 },
		{ "seq=512", true, 2 } };
	struct tables t = load_tables();
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct figure fig = sim_run(sim_find("caselab"), &t, rows[i].settings);
		cr_expect(eq(int, has_tab(&fig, "Six runs"), rows[i].runs), "row %zu", i);
		const struct bars *held = &figure_block(&fig, BLOCK_BARS, "Memory")->as.bars;
		cr_expect(eq(sz, held->n_bars, rows[i].memories), "row %zu", i);
		const struct plot *rates = &figure_block(&fig, BLOCK_PLOT, "Rates")->as.plot;
		cr_expect(eq(int, rates->n_series > 2, rows[i].runs), "row %zu", i);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* What an experiment costs stands at its row to the dollar, and is gone from what is left once it is bought. */
Test(caselab, a_price_is_what_is_paid)
{
	struct tables t = load_tables();
	const struct sim *s = sim_find("caselab");
	struct figure before = sim_run(s, &t, ""), after = sim_run(s, &t, "look_profile=on");
	const struct table *lab = &before.blocks[0]->as.table;
	const double paid = atof(lab->rows[LOOK_PROFILE][1] + 1);
	cr_expect(epsilon_eq(dbl, figure_number(&after, "spent_usd"), paid, 0.5));
	cr_expect(epsilon_eq(dbl, figure_number(&after, "left_usd"), 60 - paid, 0.5));
	figure_release(&before);
	figure_release(&after);
	tables_release(&t);
}

/* The laboratory says what each experiment answers until it is bought, and then what it found: the
 * GPU of the case never waits, so more workers change nothing; there is no padding in it. */
Test(caselab, the_laboratory_says_what_there_is_to_buy)
{
	struct tables t = load_tables();
	const struct sim *s = sim_find("caselab");
	struct figure fig = sim_run(s, &t, "");
	cr_assert(eq(str, (char *)block_name(fig.blocks[0]), "Laboratory"));
	const struct table *lab = &fig.blocks[0]->as.table;
	cr_assert(eq(sz, lab->n_rows, N_EXPERIMENTS));
	for (size_t i = 0; i < lab->n_rows; i++) {
		const char *asks = lab->rows[i][2];
		cr_expect(table_knob(lab, i) && sim_knob_index(s, table_knob(lab, i)) >= 0);
		cr_expect(lab->rows[i][1][0] == '$', "%s", lab->rows[i][1]);
		cr_expect(asks[strlen(asks) - 1] == '?', "%s", asks);
	}
	figure_release(&fig);
	fig = sim_run(s, &t, "run_loader=on look_data=on");
	/* It stays where the cursor is. */
	cr_assert(eq(str, (char *)block_name(fig.blocks[0]), "Laboratory"));
	lab = &fig.blocks[0]->as.table;
	cr_expect(eq(str, (char *)lab->rows[LOOK_DATA][2], (char *)"no padding, nothing cut"));
	cr_expect(strstr(lab->rows[RUN_LOADER][2], "within the spread") != NULL, "%s",
		lab->rows[RUN_LOADER][2]);
	cr_expect(strstr(fig.why, "Found by 8 loader workers: ") == fig.why, "%s", fig.why);
	cr_expect(strchr(lab->rows[RUN_FLASH][2], '?') != NULL);
	figure_release(&fig);
	tables_release(&t);
}

/* Half of the money's share is lost: of a budget of 60 and a profile for 20 and a GPU's five cents, a
 * sixth of 100. Experiments are called by what they change to. */
Test(caselab, what_is_to_win_stands_before_a_verdict)
{
	struct tables t = load_tables();
	const struct sim *s = sim_find("caselab");
	cr_expect(eq(dbl, sim_number(s, &t, "", "to_win"), 100));
	struct figure fig = sim_run(s, &t, "look_profile=on");
	double spent = figure_number(&fig, "spent_usd");
	cr_expect(epsilon_eq(dbl, figure_number(&fig, "to_win"), 100 - 50 * spent / 60, 1e-9));
	figure_release(&fig);
	cr_expect(zero(dbl, sim_number(s, &t, "look_profile=on budget_usd=20", "to_win")));
	fig = sim_run(s, &t, "checkpointing=off weights=fp16 optimizer=adamw");
	const struct table *lab = &figure_block(&fig, BLOCK_TABLE, "Laboratory")->as.table;
	cr_expect(eq(str, (char *)lab->rows[RUN_CHECKPOINT][0], "checkpointing on"));
	cr_expect(eq(str, (char *)lab->rows[RUN_OPTIMIZER][0], "AdamW in 8 bits"));
	cr_expect(eq(str, (char *)lab->rows[RUN_WEIGHTS][0], "NF4 weights"));
	figure_release(&fig);
	fig = sim_run(s, &t, "look_profile=on culprit=products");
	cr_expect(figure_find(&fig, "to_win") == NULL);
	figure_release(&fig);
	tables_release(&t);
}
