/* What the simulation `memory` says beside its pictures: why, warnings, rules, assumptions. */
#include "sims/constants.h"
#include "sims/formulas/memory.h"
#include "sims/memory/memory_draw.h"

#include <math.h>

const double memory_assumed_mfu = 0.4;

const char *memory_break_text(struct figure *fig, const struct memory_found *f)
{
	const char *where = memory_event_text(fig, &f->trace, f->broke_at);
	if (!f->caching && f->broke_at < f->trace.n_loading)
		return "the state alone, before the step";
	bool first = f->caching && f->replay.first_step && f->broke_at >= f->trace.n_loading;
	return figure_text(fig, "%s%s", first ? "first step, " : "", where);
}

double memory_layer_constant(const struct memory_setup *s)
{
	struct training_layer l = memory_layer(s);
	return layer_saved_bytes(&l) * s->tp / (s->batch * s->seq * s->model->hidden);
}

static int largest_part(const struct memory_peak *p)
{
	int most = 0;
	for (int k = 1; k < N_MEMORY_KINDS; k++)
		if (p->part[k] > p->part[most])
			most = k;
	return most;
}

static void explain_break(struct figure *fig, const struct memory_found *f)
{
	const struct memory_replay *r = &f->replay;
	int most = largest_part(&f->ideal);
	const char *where = memory_break_text(fig, f);
	const char *cause = figure_text(fig, "Most is %s, %s of %s; it breaks on %s at: %s",
		memory_part_names[most], figure_quantity(fig, f->ideal.part[most], "B"),
		figure_quantity(fig, f->peak_bytes, "B"), figure_quantity(fig, f->capacity, "B"),
		where);
	if (f->caching && f->ideal.bytes <= f->capacity)
		figure_why(fig,
			"Fragmentation: %s would do, yet %s fail (%s): %s are free, but in pieces "
			"of at most %s.",
			figure_quantity(fig, f->ideal.bytes, "B"),
			figure_quantity(fig, (double)r->wanted, "B"), where,
			figure_quantity(fig, (double)r->cached, "B"),
			figure_quantity(fig, (double)r->largest_free, "B"));
	else if (f->remedy)
		figure_why(fig, "%s. \"%s\" alone brings it to %s.", cause, f->remedy,
			figure_quantity(fig, f->remedy_bytes, "B"));
	else
		figure_why(fig, "%s. No bar fits: more GPUs or less batch.", cause);
}

/* The largest parts of the peak, then what is left of it. */
enum { SAID = 4 };
struct said {
	const char *name[SAID + 1];
	double gb[SAID + 1];
};

static struct said largest_parts(const struct memory_found *f)
{
	double part[N_MEMORY_PARTS];
	struct said said = { .name = { [SAID] = "the rest" } };
	memory_parts(&f->ideal, f->outside, f->peak_bytes, part);
	for (int i = 0; i < SAID; i++) {
		int most = 0;
		for (int k = 1; k < N_MEMORY_PARTS; k++)
			most = part[k] > part[most] ? k : most;
		said.name[i] = memory_part_names[most];
		said.gb[i] = part[most] / 1e9;
		part[most] = 0;
	}
	for (int k = 0; k < N_MEMORY_PARTS; k++)
		said.gb[SAID] += part[k] / 1e9;
	return said;
}

/* To multiples of unit that add up to the rounded total: those that lose most by rounding down are
 * rounded up. */
static void round_parts(struct said *said, double total, double unit)
{
	double lost[SAID + 1], left = round(total / unit);
	for (int i = 0; i <= SAID; i++) {
		double whole = floor(said->gb[i] / unit);
		lost[i] = said->gb[i] / unit - whole;
		said->gb[i] = whole * unit;
		left -= whole;
	}
	for (; left > 0.5; left--) {
		int most = 0;
		for (int i = 1; i <= SAID; i++)
			most = lost[i] > lost[most] ? i : most;
		said->gb[most] += unit;
		lost[most] = -1;
	}
}

void memory_write_explain(struct figure *fig, const struct memory_found *f)
{
	if (!f->fits) {
		explain_break(fig, f);
		return;
	}
	double peak = f->peak_bytes / 1e9;
	int decimals = 2 - (int)floor(log10(peak));
	struct said said = largest_parts(f);
	round_parts(&said, peak, pow(10, -decimals));
	decimals = decimals < 0 ? 0 : decimals;
	const char *list = "";
	for (int i = 1; i <= SAID; i++)
		if (said.gb[i] > 0)
			list = figure_text(fig, "%s%s %s %.*f", list, i == 1 ? "" : ",",
				said.name[i], decimals, said.gb[i]);
	figure_why(fig, "Most is %s, %.*f GB; with%s, it peaks at %.*f GB (%s).", said.name[0],
		decimals, said.gb[0], list, decimals, peak,
		memory_event_text(fig, &f->trace, f->ideal.event));
}

static bool divides(double t, double n)
{
	return fmod(n, t) == 0;
}

static void warn_sharding(struct figure *fig, const struct memory_setup *s)
{
	const struct model *m = s->model;
	if (!divides(s->tp, m->heads) || !divides(s->tp, m->ffn))
		figure_note(fig, ROLE_WARN,
			"%g heads do not divide over %g GPUs: no framework cuts the layer so, the "
			"figure divides all the same.",
			m->heads, s->tp);
	else if (!divides(s->tp, m->kv_heads) && s->actual)
		figure_note(fig, ROLE_WARN,
			"%g key-value heads do not divide over %g GPUs: real systems copy them, "
			"the figure divides.",
			m->kv_heads, s->tp);
	if (!divides(s->tp, s->gpus))
		figure_note(fig, ROLE_WARN,
			"%g GPUs are no whole number of groups of %g: state is sharded over %g.",
			s->gpus, s->tp, memory_shards(s));
	if (s->zero > 0 && memory_shards(s) <= 1)
		figure_note(fig, ROLE_WARN,
			"ZeRO-%d has nothing to shard over: one group of GPUs only.", s->zero);
}

void memory_write_warnings(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct model *m = s->model;
	double odd = f->trace.odd_params_ratio;
	if (fabs(odd - 1) > 0.02)
		figure_note(fig, ROLE_WARN,
			"%s has %.3g times the parameters of its shapes. A mixture of experts is "
			"not covered: they are spread evenly over the layers.",
			m->name, odd);
	warn_sharding(fig, s);
	if (s->seq > m->context)
		figure_note(fig, ROLE_WARN, "%s was trained for %s; %s are more.", m->name,
			figure_quantity(fig, m->context, "token"),
			figure_quantity(fig, s->seq, ""));
	if (s->checkpointing == CHECKPOINT_EVERY_K && s->k >= m->layers)
		figure_note(fig, ROLE_WARN,
			"A segment of %d holds all %g layers: all is computed twice, nothing "
			"saved.",
			s->k, m->layers);
	if (s->precision != MEMORY_FP32 && !(f->gpu->peak_flops[DTYPE_BF16] > 0))
		figure_note(fig, ROLE_WARN,
			"%s has no BF16 units: FP16 with loss scaling takes the same memory.",
			f->gpu->name);
}

void memory_write_rules(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct model *m = s->model;
	struct memory_setup own = *s;
	own.actual = own.flash = true;
	double here = memory_layer_constant(s);
	double rule = CALL(flash_activation_bytes, .layers = m->layers, .seq = s->seq,
		.batch = s->batch, .hidden = m->hidden);
	double logits = CALL(logits_bytes, .batch = s->batch, .seq = s->seq, .vocab = m->vocab,
		.bytes_per_value = 4);
	figure_note(fig, ROLE_PLAIN,
		"The 34-byte rule says %.3g GB of activations: LayerNorm, dropout, GELU and 4 h, "
		"the GPT layer in 16 bits. %s's own layer saves %.3g B (layer=actual). Each FP32 "
		"copy of the logits is %.3g GB.%s",
		rule / s->tp / 1e9, m->name, memory_layer_constant(&own), logits / s->tp / 1e9,
		fabs(here - 34) < 0.05 ? ""
				       : figure_text(fig,
						 " This setting's layer (%s, %s attention) makes "
						 "%.3g B.",
						 s->precision == MEMORY_FP32 ? "FP32" : "16 bits",
						 s->flash ? "flash" : "unfused", here));
	if (s->checkpointing == CHECKPOINT_SELECTIVE && s->flash && !s->actual)
		figure_note(fig, ROLE_PLAIN,
			"Selective recomputation drops the attention scores, which a flash kernel "
			"never writes: here it changes nothing.");
	if (f->caching && f->replay.flushes > 0)
		figure_note(fig, ROLE_PLAIN,
			"The card filled up and cached segments went back to the driver (%zu "
			"times), which stalls the GPU. Watch reserved against allocated; "
			"expandable_segments:True is the cure, empty_cache() is not.",
			f->replay.flushes);
}

void memory_write_assume(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	struct state_bytes b = memory_state_bytes(s->precision, s->optimizer);
	figure_assume(fig, "GB = 1e9 B; %s, counted from the shapes, with %g B of state each",
		figure_quantity(fig, s->model->params, "parameter"),
		b.weight + b.gradient + b.optimizer);
	figure_assume(fig,
		"peak, plot and bars hold %.3g GB for the CUDA context%s; allocated and reserved, "
		"as PyTorch counts them, do not",
		f->outside / 1e9, s->gpus > 1 ? " and NCCL" : "");
	figure_assume(fig,
		"gradients come as backward walks and go after the optimizer; the script holds its "
		"logits until their backward");
	figure_assume(fig,
		"ZeRO-3 gathers one layer ahead; tensor parallelism cuts sequences too; BF16 "
		"weights have a fused optimizer, the others PyTorch's foreach with its "
		"temporaries");
	figure_assume(fig,
		"bars: the allocator that is set; time: FLOPs at %.0f %% of the dense peak",
		100 * memory_assumed_mfu);
	if (s->offload)
		figure_assume(fig,
			"offload: gradients down and weights up over PCIe at %.0f GB/s, Adam at "
			"%.0f GB/s of host memory per GPU, one after the other: %.2g s of the step",
			PCIE_BYTES_PER_S / 1e9, memory_host_bandwidth / 1e9, memory_offload_s(s));
	figure_leave_out(fig, "pipeline and context parallelism, mixtures of experts, FP8");
	figure_leave_out(fig, "torch.compile, kernel workspaces, other streams, expandable "
			      "segments, communication time");
}
