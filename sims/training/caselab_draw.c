#include "sims/training/caselab_draw.h"

#include "sims/base/array.h"
#include "sims/formulas/scaling.h"
#include "sims/measured/overlay.h"

#include <math.h>

static double rate_of(const struct finetuning_step *s, bool tokens)
{
	return tokens ? s->tokens_per_s : s->samples_per_s;
}

/* What a measured row means for the texts of this setting: it was read in rows per second. */
static double measured_rate_of(
	const struct finetuning_measured *m, const struct finetuning *here, bool tokens)
{
	double padding = here->packing ? 0 : fmax(0, 1 - here->text_tokens / m->seq);
	if (tokens)
		return CALL(text_token_rate, .sample_rate = m->samples_per_s, .seq = m->seq,
			.padding = padding);
	return m->samples_per_s * (here->packing ? m->seq / here->text_tokens : 1);
}

/* Rates over the positions of a step: lines of equal sequence, the six measured points, here. */
void draw_rates(const struct finetuning *here, const struct finetuning_step *now, bool tokens,
	struct figure *fig)
{
	static const double lines[] = { 512, 1024 };
	bool collapse = tokens && (here->packing || here->text_tokens >= lines[1]);
	struct plot *p = figure_plot(fig,
		collapse        ? "Text per second: one curve"
		: tokens        ? "Text per second"
		: here->packing ? "Samples per second, packed"
				: "Samples per second: two curves",
		"positions in a step", "token", AXIS_LOG2, tokens ? "tokens/s" : "samples/s", "",
		AXIS_LINEAR);
	if (p)
		p->y.min = 0;
	for (size_t i = 0; i < LENGTH(lines); i++) {
		struct series *s = plot_series(fig, p,
			figure_text(fig, "model, %s", figure_quantity(fig, lines[i], "token")),
			i ? SERIES_LINE : SERIES_DASHED, (unsigned)i);
		struct finetuning f = *here;
		f.seq = lines[i];
		for (f.batch = 1; f.batch <= 16; f.batch *= 2) {
			struct finetuning_step step = finetuning_step(&f);
			if (step.fits)
				series_point(fig, s, step.positions, rate_of(&step, tokens));
		}
	}
	struct series *nf4 = overlay_series(fig, p, "measured, NF4", 2);
	struct series *fp16 = overlay_series(fig, p, "measured, FP16", 3);
	for (int i = 0; i < N_FINETUNING_MEASURED; i++) {
		const struct finetuning_measured *m = &finetuning_measured[i];
		double rate = measured_rate_of(m, here, tokens);
		bool crowd = m->seq == lines[1]; /* four runs in nearly one place */
		series_mark(fig, m->nf4 ? nf4 : fp16, m->seq * m->batch, rate,
			crowd ? NULL : m->name, m->nf4 ? ROLE_PLAIN : ROLE_GOOD);
	}
	struct series *at = plot_series(fig, p, "this setting", SERIES_POINTS, 3);
	if (now->fits)
		series_mark(fig, at, now->positions, rate_of(now, tokens), NULL, ROLE_ACCENT);
}

void draw_log(const struct lab *lab, struct figure *fig)
{
	static const char *const head[] = { "experiment", "cost", "found" };
	struct table *t = figure_table(fig, "The laboratory", head, 3, "010");
	int bought = 0;
	for (int e = 0; e < N_EXPERIMENTS; e++) {
		enum experiment_id id = (enum experiment_id)e;
		bought += lab->bought[e];
		table_row(fig, t,
			(const char *[]){ experiment_names[e],
				figure_quantity(fig, experiment_usd(lab, id), "$"),
				lab->bought[e] ? experiment_finding(lab, id, fig) : "-" });
	}
	if (!bought)
		figure_note(fig, ROLE_DIM,
			"Nothing is bought yet: switch an experiment on and read what it found.");
}

/* What the profile shows, for this setting and for what else was run. Positions without text look
 * like any others in it, until somebody has counted them. */
void draw_profile(const struct lab *lab, struct figure *fig)
{
	struct bars *b = figure_bars(
		fig, "Where a step goes (profile)", "s", part_names, N_FINETUNING_PARTS);
	static const struct {
		const char *label;
		int change;
	} rows[] = { { "here", LOOK_PROFILE }, { "half sequence", RUN_SEQ },
		{ "half, 2x batch", RUN_BATCH }, { "other weights", RUN_WEIGHTS },
		{ "flash", RUN_FLASH } };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		enum experiment_id e = (enum experiment_id)rows[i].change;
		struct finetuning f = experiment_setup(lab, e);
		if (!lab->bought[e])
			continue;
		f.packing |= !lab->bought[LOOK_DATA];
		struct finetuning_step step = finetuning_step(&f);
		struct bar *bar = bars_add(fig, b, rows[i].label, step.part_s);
		if (bar && !step.fits) {
			bar->role = ROLE_BAD;
			bar->note = "out of memory";
		}
	}
}

void draw_memory(const struct finetuning *f, struct figure *fig)
{
	static const char *const holders[N_FINETUNING_MEMORY] = { "weights", "adapters",
		"checkpoints", "layers", "logits", "context" };
	struct bars *b = figure_bars(fig, "Memory", "GB", holders, N_FINETUNING_MEMORY);
	for (int other = 0; other < 2; other++) {
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
					  : "without",
			gb);
		if (bar)
			bar->role = s.fits ? ROLE_PLAIN : ROLE_BAD;
	}
	if (b) {
		b->limit = f->gpu->memory_bytes / 1e9;
		b->limit_label = "A10";
	}
}

/* The six runs of the case beside the model of the case, whatever the knobs are at. */
void draw_measured(const struct finetuning *base, bool tokens, struct figure *fig)
{
	static const char *const head[] = { "run", "measured", "against base", "model", "error" };
	struct table *t = figure_table(fig,
		tokens ? "The six runs, in tokens/s" : "The six runs, in samples/s", head, 5,
		"01111");
	double first = 0, worst = 0;
	for (int i = 0; i < N_FINETUNING_MEASURED; i++) {
		const struct finetuning_measured *m = &finetuning_measured[i];
		struct finetuning f = finetuning_of(base, m);
		struct finetuning_step step = finetuning_step(&f);
		double measured = m->samples_per_s * (tokens ? m->seq : 1);
		double error = rate_of(&step, tokens) / measured - 1;
		first = i ? first : measured;
		worst = fmax(worst, fabs(error));
		table_row(fig, t,
			(const char *[]){ m->name,
				figure_text(fig, tokens ? "%.1f" : "%.2f", measured),
				figure_text(fig, "%.3fx", measured / first),
				figure_text(fig, tokens ? "%.1f" : "%.2f", rate_of(&step, tokens)),
				figure_signed(fig, 100 * error, "%") });
	}
	fig->accuracy = figure_text(fig,
		"within %.1f %% of the six measured runs (two constants fitted on all of them)",
		100 * worst);
}
