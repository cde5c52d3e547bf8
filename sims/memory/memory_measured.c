/* Published peaks of memory beside the peak of the walk. */
#include "sims/constants.h"
#include "sims/measured/measured.h"
#include "sims/measured/overlay.h"
#include "sims/memory/memory_draw.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 9, BATCH = 0, SEQ, PEAK_GIB, WANT };
/* Each of its rows is a step walked and replayed: so many are worth their time at a knob. */
enum { MOST_PREDICTED = 4 };

/* What the published runs have in common. */
static bool comparable(const struct memory_setup *s)
{
	return s->actual && s->flash && s->zero == 3 && s->precision == MEMORY_AUTOCAST &&
	       s->optimizer == MEMORY_ADAMW && !s->fused && !s->offload;
}

/* Runs of this very shape; a blank length is the model's of 8,192. */
static size_t find_peaks(const struct tables *t, const struct memory_setup *s, const char *suffix,
	double peaks_GiB[MOST])
{
	static const char *const want[WANT] = { "local_batch", "seq_len", "peak_memory_GiB" };
	char plan[48];
	double rows[MOST][WANT];
	const struct measured_condition c[] = { { "model", s->model->id, 0, 0 },
		{ "parallelism", plan, 0, 0 }, { "n_gpus", NULL, s->gpus, s->gpus },
		{ "activation_ckpt",
			s->checkpointing == CHECKPOINT_FULL        ? "full AC"
			: s->checkpointing == CHECKPOINT_SELECTIVE ? "sel AC"
								   : "none",
			0, 0 } };
	size_t found = 0;

	snprintf(plan, sizeof plan, "FSDP%g%s", s->gpus / s->tp, suffix);
	size_t n = measured_points(t, "memory", c, 4, want, WANT, rows[0], MOST);
	for (size_t i = 0; i < n; i++) {
		double seq = isnan(rows[i][SEQ]) ? 8192 : rows[i][SEQ];
		if (rows[i][BATCH] == s->batch && seq == s->seq)
			peaks_GiB[found++] = rows[i][PEAK_GIB];
	}
	return found;
}

static void add_peak(struct figure *fig, const struct tables *t, struct plot *p,
	const struct memory_found *f, const double peaks_GiB[], size_t n)
{
	double low = peaks_GiB[0], high = peaks_GiB[0];

	for (size_t i = 1; i < n; i++) {
		low = fmin(low, peaks_GiB[i]);
		high = fmax(high, peaks_GiB[i]);
	}
	plot_rule(fig, p, true, low * GIB_BYTES / 1e9, "measured", ROLE_GOOD);
	if (high > low)
		plot_rule(fig, p, true, high * GIB_BYTES / 1e9, "measured", ROLE_GOOD);
	overlay_nearest(fig, t, "memory",
		"%zu run%s of this shape on H100 with 96 GB, reserved %.3g to %.3g GB; the walk "
		"says %.3g GB with %.3g GB outside PyTorch",
		n, n > 1 ? "s" : "", low * GIB_BYTES / 1e9, high * GIB_BYTES / 1e9,
		f->peak_bytes / 1e9, f->outside / 1e9);
}

void memory_overlay(
	struct figure *fig, const struct tables *t, const struct memory_found *f, struct plot *p)
{
	char tp[24] = "";
	const struct memory_setup *s = &f->setup;
	double peaks_GiB[MOST];

	if (!comparable(s)) {
		overlay_outside(fig, "peaks were published of FSDP with autocast; layer=actual "
				     "precision=amp_autocast zero=3 compares");
		return;
	}
	if (s->tp > 1)
		snprintf(tp, sizeof tp, " TP%g", s->tp);
	size_t n = find_peaks(t, s, tp, peaks_GiB);
	if (n == 0 && s->tp == 1)
		n = find_peaks(t, s, " CP1", peaks_GiB);
	if (overlay_error(
		    fig, t, "memory", "", MOST_PREDICTED, "reserved peaks of Llama-3 8B and 70B") &&
		n > 0)
		add_peak(fig, t, p, f, peaks_GiB, n);
	else
		figure_assume(fig, "no published peak has this very shape");
}
