/* The simulation `caselab`: fine-tuning Mistral-7B on one A10, a case that was measured. It shows a
 * laboratory in which every experiment costs, the six measured configurations beside a model of the
 * step, and samples per second against tokens per second. */
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/formulas/measurement.h"
#include "sims/formulas/scaling.h"
#include "sims/figure/sim.h"
#include "sims/published/overlay.h"
#include "sims/training/caselab_lab.h"
#include "sims/training/finetuning.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum {
	SEQ,
	BATCH,
	WEIGHTS,
	CHECKPOINTING,
	ATTENTION,
	OPTIMIZER,
	LORA_RANK,
	WORKERS,
	PREP_MS,
	PADDING,
	PACKING,
	METRIC,
	CULPRIT,
	FIRST_EXPERIMENT,
	BUDGET = FIRST_EXPERIMENT + N_EXPERIMENTS,
	GPU_USD,
	ENGINEER_USD,
	SEED,
	N_KNOBS
};
enum { NF4, FP16 };
enum { SAMPLES, TOKENS };

static const char *const weights[] = { "nf4", "fp16", NULL };
static const char *const weight_names[] = { "NF4", "FP16" };
static const char *const attentions[] = { "eager", "flash", NULL };
static const char *const optimizers[] = { "adamw8bit", "adamw", "sgd", NULL };
static const char *const optimizer_names[] = { "AdamW 8-bit", "AdamW", "SGD" };
static const char *const metrics[] = { "samples", "tokens", NULL };
static const char *const culprits[] = { "none", "loader", "products", "recompute", "dequantise",
	"attention", "pointwise", "adapters", "optimizer", "launches", "padding", NULL };
static const char *const culprit_names[] = { "not yet", "waiting for data", "weight products",
	"recomputing", "dequantising", "attention", "pointwise", "adapters", "optimizer",
	"launch gaps", "padding" };

#define BUY(id, label, why) KNOB_SWITCH(id, label, 0, why, .group = "experiments")

static_assert(LENGTH(weights) == LENGTH(weight_names) + 1, "a name for every choice");
static_assert(LENGTH(culprits) == LENGTH(culprit_names) + 1, "a name for every choice");
static_assert(LENGTH(optimizers) == LENGTH(optimizer_names) + 1, "a name for every choice");

static const struct knob knobs[N_KNOBS] = {
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 128, 2048, 1024,
		"positions of a sample: half of them is half the work, and half of the text where "
		"there was text",
		.group = "setting"),
	[BATCH] = KNOB_DOUBLING("batch", "batch", "", 1, 32, 4,
		"spreads what a step costs whatever it holds, above all dequantising; activations "
		"and logits grow with it",
		.group = "setting"),
	[WEIGHTS] = KNOB_CHOICE_OF("weights", "frozen weights", weights, weight_names, "nf4",
		"NF4 saves memory, never time: products are in 16 bits, so weights are widened "
		"before each of them, in every pass",
		.group = "setting"),
	[CHECKPOINTING] = KNOB_SWITCH("checkpointing", "checkpointing", 1,
		"runs forward again in backward; with frozen weights that is half as much work "
		"again (6 instead of 4 FLOP a weight), a third where all are trained",
		.group = "setting"),
	[ATTENTION] = KNOB_CHOICE_OF("attention", "attention", attentions, NULL, "eager",
		"a fused kernel never writes the scores; it speeds up attention's share and no "
		"more",
		.group = "setting"),
	[OPTIMIZER] = KNOB_CHOICE_OF("optimizer", "optimizer", optimizers, optimizer_names,
		"adamw8bit", "works on the adapters only, 14 million parameters of 7 billion",
		.group = "setting"),
	[LORA_RANK] = KNOB_DOUBLING("lora_rank", "LoRA rank", "", 1, 256, 16,
		"the adapters' products are too thin to matter; their dropout and addition cost "
		"the same at any rank",
		.group = "setting"),
	[WORKERS] = KNOB_WHOLE("workers", "loader workers", "", 0, 32, 4,
		"prepare batches while the GPU works; they gain what it waits for, and nothing "
		"more; 0: prepared in the training process, one after the other",
		.group = "data"),
	[PREP_MS] = KNOB_FACTOR("prep_ms", "preparing", "ms", 0.1, 10000, 3, 1.5,
		"of one sample on one core: tokenising a text takes a few ms", .group = "data"),
	[PADDING] = KNOB_LINEAR("padding", "padding at 1,024", "%", 0, 95, 0, 5,
		"share of 1,024 positions that holds no text: what is cut first when sequences "
		"become shorter",
		.group = "data"),
	[PACKING] = KNOB_SWITCH("packing", "packing", 0,
		"texts fill the rows one after the other: no padding, nothing cut, and samples "
		"and tokens per second say the same",
		.group = "data"),
	[METRIC] = KNOB_CHOICE_OF("metric", "count by", metrics, NULL, "samples",
		"samples change size with the sequence, tokens do not"),
	[CULPRIT] = KNOB_CHOICE_OF("culprit", "verdict", culprits, culprit_names, "none",
		"what takes the largest part of the step? Right, with an experiment that shows "
		"it, scores up to 100, less what was spent"),
	[FIRST_EXPERIMENT + LOOK_PROFILE] = BUY("look_profile", "buy: profile",
		"a trace names every kernel: 20 minutes of reading"),
	[FIRST_EXPERIMENT + LOOK_DATA] = BUY("look_data", "buy: text lengths",
		"counts padding in the data set: no GPU, 10 minutes"),
	[FIRST_EXPERIMENT + RUN_LOADER] =
		BUY("run_loader", "buy: 8 workers", "tells whether the GPU waits for data"),
	[FIRST_EXPERIMENT + RUN_CHECKPOINT] = BUY("run_checkpoint", "buy: checkpoint.",
		"checkpointing the other way round: time, if the memory lets it run"),
	[FIRST_EXPERIMENT + RUN_OPTIMIZER] =
		BUY("run_optimizer", "buy: optimizer", "AdamW in FP32 instead of 8 bits, or back"),
	[FIRST_EXPERIMENT + RUN_RANK] = BUY("run_rank", "buy: half rank", "half the LoRA rank"),
	[FIRST_EXPERIMENT + RUN_SEQ] = BUY(
		"run_seq", "buy: half seq", "half the positions a sample: ask which rate you read"),
	[FIRST_EXPERIMENT + RUN_BATCH] = BUY("run_batch", "buy: half, 2x batch",
		"as many positions a step, in shorter rows: what is left is the quadratic part"),
	[FIRST_EXPERIMENT + RUN_WEIGHTS] = BUY("run_weights", "buy: weights",
		"FP16 instead of NF4, or back: what dequantising costs"),
	[FIRST_EXPERIMENT + RUN_FLASH] = BUY("run_flash", "buy: FlashAttention",
		"a new image first: what unfused attention costs"),
	[BUDGET] = KNOB_LINEAR("budget_usd", "budget", "$", 10, 1000, 60, 10,
		"a verdict that cost more is worth nothing; of what is spent, half is lost",
		.group = "money"),
	[GPU_USD] = KNOB_LINEAR("price_per_gpu_h", "GPU hour", "$/h", 0.1, 20, 0.75, 0.05,
		"the cheap part of an experiment", .group = "money"),
	[ENGINEER_USD] = KNOB_LINEAR("price_per_engineer_h", "engineer's hour", "$/h", 0, 500, 60,
		10, "the dear part: setting up, waiting, reading", .group = "money"),
	[SEED] = KNOB_SEED(1, 1000,
		"another spread between runs, 1.5 % as in the case: differences below it are none",
		.group = "money"),
};

static const double text_at_tokens = 1024; /* where the padding knob counts */

static struct finetuning setting_of(const struct tables *t, const double v[])
{
	/* Tables of the user's own may be without them: then the case is told of the first rows. */
	const struct model *model = model_find(t, "mistral-7b");
	const struct accelerator *gpu = gpu_find(t, "a10");
	struct finetuning f =
		finetuning_case(model ? model : &t->models[0], gpu ? gpu : &t->gpus[0]);
	f.seq = v[SEQ];
	f.batch = v[BATCH];
	f.rank = v[LORA_RANK];
	f.text_tokens = text_at_tokens * (1 - v[PADDING] / 100);
	f.packing = v[PACKING] > 0;
	f.nf4 = v[WEIGHTS] == NF4;
	f.checkpointing = v[CHECKPOINTING] > 0;
	f.flash = v[ATTENTION] > 0;
	f.optimizer = (enum finetuning_optimizer)v[OPTIMIZER];
	f.workers = v[WORKERS];
	f.prep_s = v[PREP_MS] / 1e3;
	return f;
}

/* --- Pictures --- */

static double rate_of(const struct finetuning_step *s, bool tokens)
{
	return tokens ? s->tokens_per_s : s->samples_per_s;
}

/* A measured rate for the texts of this setting: it was published in rows per second. */
static double measured_rate_of(
	const struct finetuning_measured *m, const struct finetuning *here, bool tokens)
{
	double padding = here->packing ? 0 : fmax(0, 1 - here->text_tokens / m->seq);
	if (tokens)
		return CALL(text_token_rate, .sample_rate = m->samples_per_s, .seq = m->seq,
			.padding = padding);
	return m->samples_per_s * (here->packing ? m->seq / here->text_tokens : 1);
}

/* Rates over the positions of a step: a line for each length of sequence, the measured points, and
 * this setting; of who has not been told of the other runs, only the line of this length. */
static void draw_rates(const struct finetuning *here, const struct finetuning_step *now,
	bool tokens, bool told, struct figure *fig)
{
	static const double lines[] = { 512, 1024 };
	bool collapse = tokens && (here->packing || here->text_tokens >= lines[1]);
	struct plot *p = figure_plot(fig,
		!told           ? "Samples per second: more, with more in a step"
		: collapse      ? "Text per second: the curves nearly meet"
		: tokens        ? "Text per second"
		: here->packing ? "Samples per second, packed"
				: "Samples per second: more, where they are shorter",
		"positions in a step", "token", AXIS_LOG2, tokens ? "tokens/s" : "samples/s", "",
		AXIS_LINEAR);
	figure_tab(fig, "Rates");
	if (p)
		p->y.min = 0;
	for (size_t i = 0; i < LENGTH(lines); i++) {
		if (!told && lines[i] != here->seq)
			continue;
		struct series *s = plot_series(fig, p,
			figure_text(fig, "model, %s", figure_quantity(fig, lines[i], "token")),
			i ? SERIES_LINE : SERIES_DASHED, (enum meaning)(MEANS_KIND + i));
		struct finetuning f = *here;
		f.seq = lines[i];
		for (f.batch = 1; f.batch <= 16; f.batch *= 2) {
			struct finetuning_step step = finetuning_step(&f);
			if (step.fits)
				series_point(fig, s, step.positions, rate_of(&step, tokens));
		}
	}
	struct series *nf4 = told ? overlay_series(fig, p, "measured, NF4", 2) : NULL, *fp16 = NULL;
	for (int i = 0; told && i < N_FINETUNING_MEASURED; i++) {
		const struct finetuning_measured *m = &finetuning_measured[i];
		double rate = measured_rate_of(m, here, tokens);
		bool crowd = m->seq == lines[1]; /* runs in nearly one place */
		if (m->nf4) {
			series_mark(fig, nf4, m->seq * m->batch, rate, crowd ? NULL : m->name,
				ROLE_PLAIN);
		} else {
			fp16 = fp16 ? fp16 : overlay_series(fig, p, "measured, FP16", 3);
			/* Its name would stand on that of this setting. */
			series_mark(fig, fp16, m->seq * m->batch, rate,
				m->seq * m->batch == now->positions ? NULL : m->name, ROLE_GOOD);
		}
	}
	struct series *at = plot_series(fig, p, "this setting", SERIES_POINTS, MEANS_KIND + 3);
	/* Alone on its line it has its name beside it; among measured runs the legend has it. */
	if (now->fits)
		series_mark(fig, at, now->positions, rate_of(now, tokens),
			told ? NULL : "this setting", ROLE_ACCENT);
	if (at)
		at->unlisted = !told;
}

/* The question: what the tool reports above what the GPU delivers, and between the two what nobody has
 * explained yet, in grey. Busy is no work: it has a colour of its own. */
static void draw_question(const struct finetuning_step *s, struct figure *fig)
{
	enum { BUSY, IDLE, NEW, AGAIN, LOST, N_PARTS };
	static const char *const parts[N_PARTS] = { "busy", "idle", "new work", "recomputed",
		"where does it go?" };
	static const enum meaning means[N_PARTS] = { MEANS_KIND + 5, MEANS_EMPTY, MEANS_COMPUTE,
		MEANS_SECOND, MEANS_WAITING };
	if (!s->fits)
		return;
	double busy = 100 * s->gpu_s / s->step_s, done = 100 * s->mfu;
	double idle = 100 - busy > 1e-9 ? 100 - busy : 0; /* not what rounding leaves */
	double again = fmax(0, 100 * s->hfu - done);
	struct bars *b =
		figure_bars(fig, "Busy, says the tool. How much is work?", "%", parts, N_PARTS);
	figure_tab(fig, "Question");
	bars_mean(fig, b, means, N_PARTS);
	struct bar *tool = bars_add(fig, b, "GPU busy", (double[]){ busy, idle, 0, 0, 0 });
	if (tool)
		tool->note = figure_quantity(fig, busy, "%");
	struct bar *peak = bars_add(fig, b, "of its peak",
		(double[]){ 0, 0, done, again, fmax(0, 100 - done - again) });
	if (peak)
		peak->note = figure_text(fig, "%3.0f %%", done + again); /* below the other */
	if (b)
		b->shares = true;
}

/* Cents of a price differ for no reason that a reader could see. */
static const char *price_text(struct figure *fig, double usd)
{
	const double cents_below = 3;
	return figure_quantity(fig, usd < cents_below ? usd : round(usd), "$");
}

/* What there is to buy, and what was found. */
static void draw_log(const struct lab *lab, struct figure *fig)
{
	static const char *const head[] = { "experiment", "price", "answers" };
	struct table *t =
		figure_table(fig, "The laboratory: which experiment do you buy?", head, 3, "010");
	figure_tab(fig, "Laboratory");
	table_verb(fig, t, "buy");
	for (int e = 0; e < N_EXPERIMENTS; e++) {
		enum experiment_id id = (enum experiment_id)e;
		table_row(fig, t,
			(const char *[]){ experiment_name(lab, id),
				lab->bought[e] ? "bought"
					       : price_text(fig, experiment_usd(lab, id)),
				lab->bought[e] ? experiment_finding(lab, id, fig)
					       : experiment_question(id) });
		table_turns(fig, t, knobs[FIRST_EXPERIMENT + e].id,
			lab->bought[e] ? ROLE_PLAIN : ROLE_DIM);
	}
}

/* What the profile shows, for this setting and for every other that was run. Positions without text
 * look like all others in it until somebody has counted them. */
static void draw_profile(const struct lab *lab, struct figure *fig)
{
	struct bars *b = figure_bars(
		fig, "Where a step goes (profile)", "s", part_names, N_FINETUNING_PARTS);
	static const enum meaning means[N_FINETUNING_PARTS] = { [PART_WAIT] = MEANS_WAITING,
		[PART_PRODUCTS] = MEANS_COMPUTE,
		[PART_RECOMPUTE] = MEANS_SECOND,
		[PART_DEQUANTISE] = MEANS_TRAFFIC,
		[PART_ATTENTION] = MEANS_KIND + 2,
		[PART_POINTWISE] = MEANS_KIND + 6,
		[PART_ADAPTERS] = MEANS_KIND + 3,
		[PART_OPTIMIZER] = MEANS_FIXED,
		[PART_LAUNCH] = MEANS_HELD,
		[PART_PADDING] = MEANS_FREE };
	figure_tab(fig, "Profile");
	bars_mean(fig, b, means, N_FINETUNING_PARTS);
	static const struct {
		const char *label;
		int change;
	} rows[] = { { "here", LOOK_PROFILE }, { "half length", RUN_SEQ },
		{ "half, 2x batch", RUN_BATCH }, { NULL, RUN_WEIGHTS }, { NULL, RUN_FLASH } };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		enum experiment_id e = (enum experiment_id)rows[i].change;
		struct finetuning f = experiment_setup(lab, e);
		if (!lab->bought[e])
			continue;
		f.packing |= !lab->bought[LOOK_DATA];
		struct finetuning_step step = finetuning_step(&f);
		const char *label = rows[i].label ? rows[i].label : experiment_name(lab, e);
		struct bar *bar = bars_add(fig, b, label, step.part_s);
		if (bar && !step.fits) {
			bar->role = ROLE_BAD;
			bar->note = "out of memory";
		}
	}
}

/* What this setting holds, and with checkpointing the other way round where that is known. */
static void draw_memory(const struct finetuning *f, bool both, struct figure *fig)
{
	static const char *const holders[N_FINETUNING_MEMORY] = { "weights", "adapters",
		"checkpoints", "layers", "logits", "context" };
	struct bars *b = figure_bars(fig, "Memory", "GB", holders, N_FINETUNING_MEMORY);
	static const enum meaning means[N_FINETUNING_MEMORY] = { MEANS_WEIGHTS, MEANS_OPTIMIZER,
		MEANS_KIND + 7, MEANS_ACTIVATIONS, MEANS_LOGITS, MEANS_HELD };
	figure_tab(fig, "Memory");
	bars_mean(fig, b, means, N_FINETUNING_MEMORY);
	for (int other = 0; other < 1 + both; other++) {
		struct finetuning g = *f;
		if (other)
			g.checkpointing = !g.checkpointing;
		struct finetuning_step s = finetuning_step(&g);
		double gb[N_FINETUNING_MEMORY];
		for (int i = 0; i < N_FINETUNING_MEMORY; i++)
			gb[i] = s.memory[i] / 1e9;
		struct bar *bar = bars_add(fig, b,
			!other            ? "here"
			: g.checkpointing ? "checkpointing"
					  : "all kept",
			gb);
		if (bar)
			bar->role = s.fits ? ROLE_PLAIN : ROLE_BAD;
	}
	if (b) {
		b->limit = f->gpu->memory_bytes / 1e9;
		b->limit_label = "A10";
	}
}

/* How far the model of the case is from a run of it, in samples as in tokens. */
static double error_of(const struct finetuning *base, const struct finetuning_measured *m)
{
	struct finetuning f = finetuning_of(base, m);
	struct finetuning_step step = finetuning_step(&f);
	return step.samples_per_s / m->samples_per_s - 1;
}

/* The six runs of the case, each with how far the model of the case is from it, whatever the knobs are
 * at: few per cent, less than a column. */
static void draw_measured(const struct finetuning *base, bool tokens, struct figure *fig)
{
	/* Rates, and no work of a step: blue is that in the pictures beside. */
	static const enum meaning means[] = { MEANS_KIND + 5 };
	struct bars *b = figure_bars(fig,
		tokens ? "Six measured runs, tokens/s; the model's error"
		       : "Six measured runs, samples/s; the model's error",
		"", (const char *[]){ "measured" }, 1);
	figure_tab(fig, "Six runs");
	bars_mean(fig, b, means, LENGTH(means));
	for (int i = 0; i < N_FINETUNING_MEASURED; i++) {
		const struct finetuning_measured *m = &finetuning_measured[i];
		double measured = m->samples_per_s * (tokens ? m->seq : 1);
		double error = error_of(base, m);
		struct bar *bar = bars_add(fig, b, m->name, &measured);
		if (bar)
			bar->note = figure_signed(fig, 100 * error, "%");
	}
	if (b)
		b->close = true;
}

static void tell_accuracy(const struct finetuning *base, struct figure *fig)
{
	double worst = 0;
	for (int i = 0; i < N_FINETUNING_MEASURED; i++)
		worst = fmax(worst, fabs(error_of(base, &finetuning_measured[i])));
	fig->accuracy = figure_text(fig,
		"within %.1f %% of the six measured runs (two constants fitted on all of them)",
		100 * worst);
}

/* --- The simulation --- */

static void say_out_of_memory(const struct finetuning_step *s, struct figure *fig)
{
	static const char *const holders[] = { "the weights", "the adapters", "the checkpoints",
		"what the layers keep", "the logits", "the context" };
	size_t most = largest_of(s->memory, N_FINETUNING_MEMORY);
	figure_why(fig, "Out of memory: %.3g GB on a 24 GB card, %.3g of them %s.",
		s->memory_bytes / 1e9, s->memory[most] / 1e9, holders[most]);
}

static void say_verdict(const struct lab *lab, int verdict, struct figure *fig)
{
	struct finetuning_step step = finetuning_step(&lab->base);
	enum finetuning_part truth = lab_culprit(lab);
	double spent = lab_spent_usd(lab);
	if (verdict != (int)truth)
		figure_why(fig, "Not %s: that is %.0f %% of the step, and something else is more.",
			part_names[verdict], 100 * step.part_s[verdict] / step.step_s);
	else if (spent > lab->budget_usd)
		figure_why(fig, "Right, but it cost %s of a budget of %s.",
			figure_quantity(fig, spent, "$"),
			figure_quantity(fig, lab->budget_usd, "$"));
	else
		figure_why(fig, "Right: %s, %.0f %% of the step. %s", part_names[truth],
			100 * step.part_s[truth] / step.step_s,
			lab_has_evidence(lab, truth)
				? figure_text(fig, "It cost %s to know.",
					  figure_quantity(fig, spent, "$"))
				: "But nothing that you bought shows it: a guess.");
}

/* What was bought tells: the profile most, else the experiment that changed the rate most. */
static enum experiment_id best_witness(const struct lab *lab)
{
	enum experiment_id best = N_EXPERIMENTS;
	double most = -1;
	for (int e = 0; e < N_EXPERIMENTS; e++) {
		if (!lab->bought[e])
			continue;
		double ratio = experiment_ratio(lab, (enum experiment_id)e);
		double tells = e == LOOK_PROFILE ? INFINITY
			       : e == LOOK_DATA  ? 0
			       : ratio > 0       ? fabs(log(ratio))
						 : 0;
		if (tells > most) {
			most = tells;
			best = (enum experiment_id)e;
		}
	}
	return best;
}

static const char *busy_text(const struct finetuning_step *s, struct figure *fig)
{
	double busy = 100 * s->gpu_s / s->step_s;
	return busy > 99.5 ? "The GPU is always busy"
			   : figure_text(fig, "The GPU is busy %.0f %% of the time", busy);
}

static void read_for_the_reader(const struct lab *lab, const struct finetuning_step *now,
	const struct finetuning_step *base, int verdict, struct figure *fig)
{
	double samples = now->samples_per_s / base->samples_per_s;
	double tokens = now->tokens_per_s / base->tokens_per_s;
	bool changed = fabs(samples - 1) > 0.005;
	double left = lab->budget_usd - lab_spent_usd(lab);
	fig->tells = now->fits && verdict >= 0 ? "culprit" : NULL;
	if (!now->fits)
		say_out_of_memory(now, fig);
	else if (verdict >= 0)
		say_verdict(lab, verdict, fig);
	else if (changed && fabs(samples / tokens - 1) > 0.005)
		figure_why(fig,
			"%.2fx the samples per second of the case, but a sample holds %.2gx the "
			"text: %.3gx the tokens per second.",
			samples, tokens / samples, tokens);
	else if (changed)
		figure_why(fig,
			"%.2fx the case, in samples as in tokens: the samples hold the same text.",
			samples);
	else {
		enum experiment_id e = best_witness(lab);
		const char *over =
			left < 0 ? figure_text(fig, " %s too much spent.", price_text(fig, -left))
				 : "";
		if (e == N_EXPERIMENTS)
			figure_why(fig,
				"%s and reaches %.0f %% of its peak: where does the time go?%s",
				busy_text(now, fig), 100 * now->hfu, over);
		else
			figure_why(fig, "Found by %s: %s. What takes most of a step?%s",
				experiment_name(lab, e), experiment_finding(lab, e, fig), over);
	}
}

static void add_values(
	const struct lab *lab, const struct finetuning_step *s, int verdict, struct figure *fig)
{
	double idle = CALL(gpu_idle_share, .compute_time = s->gpu_s, .step_time = s->step_s,
		.comm_time = 0, .overlap_time = 0);
	double left = lab->budget_usd - lab_spent_usd(lab);
	double score = s->fits ? lab_score(lab, verdict) : 0;
	if (verdict >= 0)
		value_note(figure_value(fig, "score", "score", score, "",
				   score > 0 ? ROLE_GOOD : ROLE_BAD),
			"of 100");
	value_note(figure_value(fig, "left_usd", "left to spend", left, "$",
			   left < 0       ? ROLE_BAD
			   : verdict >= 0 ? ROLE_PLAIN
					  : ROLE_ACCENT),
		left < 0 ? "over the budget" : NULL);
	if (verdict < 0)
		value_note(figure_value(fig, "to_win", "points to win",
				   s->fits ? lab_prize(lab) : 0, "", ROLE_PLAIN),
			"of 100");
	value_note(figure_value(fig, "samples_per_s", "samples a second",
			   s->fits ? s->samples_per_s : 0, "", ROLE_PLAIN),
		s->fits ? NULL : "out of memory");
	value_note(figure_value(fig, "tokens_per_s", "tokens of text",
			   s->fits ? s->tokens_per_s : 0, "token/s", ROLE_PLAIN),
		s->padding > 0
			? figure_text(fig, "%.0f %% of positions are padding", 100 * s->padding)
		: s->cut > 0 ? figure_text(fig, "%.0f %% of the text is cut away", 100 * s->cut)
			     : NULL);
	value_note(figure_value(fig, "step_s", "step", s->step_s, "s", ROLE_DIM),
		s->fits ? NULL : "if it fitted");
	figure_value(fig, "memory_GB", "memory", s->memory_bytes / 1e9, "GB",
		s->fits ? ROLE_DIM : ROLE_BAD);
	value_note(figure_value(fig, "gpu_util_pct", "utilisation", s->fits ? 100 * (1 - idle) : 0,
			   "%", ROLE_DIM),
		"as NVML counts");
	figure_value(fig, "spent_usd", "spent", lab_spent_usd(lab), "$",
		lab_spent_usd(lab) > lab->budget_usd ? ROLE_BAD : ROLE_DIM);
	value_note(figure_value(fig, "mfu_pct", "MFU, new work", s->fits ? 100 * s->mfu : 0, "%",
			   ROLE_DIM),
		figure_text(fig, "%.1f %% in all", s->fits ? 100 * s->hfu : 0));
	if (verdict < 0)
		value_note(
			figure_value(fig, "score", "score", score, "", ROLE_DIM), "no verdict yet");
}

static void tell_limits(struct figure *fig)
{
	figure_assume(fig,
		"products at %.0f %% of 125 TFLOP/s, NF4 widened at %.0f G weights/s: both fitted to "
		"this case, on its GPU, and no forecast for another",
		100 * finetuning_products_ratio, finetuning_nf4_weights_per_s / 1e9);
	figure_assume(fig, "frozen weights: 4 FLOP a weight and token, 6 with checkpointing; "
			   "adapters on q, k, v, o");
	figure_assume(fig, "a layer's products, attention and eager kernels as in any training "
			   "step (parallelism, PyTorch of 2023)");
	figure_assume(fig, "NVML's utilisation: the share of time in which any kernel runs");
	figure_leave_out(fig, "what the caching allocator reserves beyond what is allocated");
	figure_leave_out(fig, "how well the model learns from shorter, packed or cut texts");
	figure_leave_out(fig, "evaluation, saving, the first steps' warm-up");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	bool bought[N_EXPERIMENTS], tokens = v[METRIC] == TOKENS;
	for (int e = 0; e < N_EXPERIMENTS; e++)
		bought[e] = v[FIRST_EXPERIMENT + e] > 0;
	struct arena scratch = { 0 };
	struct lab lab = { .base = setting_of(t, v),
		.bought = bought,
		.tokens = tokens,
		.gpu_usd_per_hour = v[GPU_USD],
		.engineer_usd_per_hour = v[ENGINEER_USD],
		.budget_usd = v[BUDGET],
		.seed = (uint64_t)v[SEED] };
	lab.base.known = finetuning_known_new(&scratch);
	struct finetuning the_case = finetuning_case(lab.base.model, lab.base.gpu);
	the_case.known = lab.base.known;
	struct finetuning padded_case = the_case;
	padded_case.text_tokens = lab.base.text_tokens;
	struct finetuning_step now = finetuning_step(&lab.base);
	struct finetuning_step base = finetuning_step(&padded_case);
	int verdict = (int)v[CULPRIT] - 1;

	figure_subtitle(fig, "Mistral-7B on an A10 · %s · %g x %s",
		weight_names[(size_t)v[WEIGHTS]], v[BATCH], figure_quantity(fig, v[SEQ], "token"));
	add_values(&lab, &now, verdict, fig);
	/* The headline asks the question, the laboratory sells what may answer it, and under it stands what
	 * was asked about, or the profile. How fast a changed setting is stands above all: that is what the
	 * last turn was about. */
	bool changed = tokens || now.samples_per_s != base.samples_per_s;
	bool profiled = bought[LOOK_PROFILE];
	/* What the laboratory sells is on no shelf beside it: the runs of the report are shown to who has given a
	 * verdict, or turns the setting. */
	bool told = changed || verdict >= 0;
	if (changed)
		draw_rates(&lab.base, &now, tokens, told, fig);
	draw_log(&lab, fig);
	if (profiled)
		draw_profile(&lab, fig);
	else
		draw_question(&now, fig);
	draw_memory(&lab.base, told || bought[RUN_CHECKPOINT], fig);
	if (told)
		draw_measured(&the_case, tokens, fig);
	if (!changed)
		draw_rates(&lab.base, &now, tokens, told, fig);
	read_for_the_reader(&lab, &now, &base, verdict, fig);
	if (lab.base.seq > text_at_tokens && !lab.base.packing)
		figure_note(fig, ROLE_WARN,
			"The texts end at %s: positions beyond that are padding.",
			figure_quantity(fig, lab.base.text_tokens, "token"));
	tell_accuracy(&the_case, fig);
	tell_limits(fig);
	arena_release(&scratch);
}

const struct sim caselab_sim = {
	.id = "caselab",
	.title = "Fine-tuning case",
	.summary = "QLoRA on an A10 as a laboratory: buy experiments, name the bottleneck, mind "
		   "the metric",
	.page = "interview",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(FIRST_EXPERIMENT + LOOK_PROFILE, FIRST_EXPERIMENT + RUN_LOADER,
		FIRST_EXPERIMENT + RUN_BATCH, FIRST_EXPERIMENT + RUN_WEIGHTS,
		FIRST_EXPERIMENT + RUN_FLASH, CULPRIT, METRIC),
	.try = "Buy the profile (Enter). What takes most of a step? Give the verdict.",
	.run = run,
};
