/* What the simulation `memory` says beside its pictures: why, warnings, rules, assumptions. */
#include "sims/formula.h"
#include "sims/memory_draw.h"

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
	struct layer l = memory_layer(s);
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
	const char *where = memory_break_text(fig, f), *name = memory_kind_names[most];
	double need = f->peak_bytes / 1e9, card = f->capacity / 1e9;
	double part = f->ideal.part[most] / 1e9, ideal = f->ideal.bytes / 1e9;
	if (f->caching && ideal <= card)
		figure_why(fig,
			"Fragmentation: %.3g GB would do, yet %.3g GB fail in %s, with %.3g GB "
			"free "
			"in pieces of at most %.3g GB.",
			ideal, (double)r->wanted / 1e9, where, (double)r->cached / 1e9,
			(double)r->largest_free / 1e9);
	else if (f->remedy)
		figure_why(fig,
			"Needs %.3g GB of %.0f, breaks: %s. Most is %s, %.3g GB; "
			"\"%s\" alone brings it to %.3g GB.",
			need, card, where, name, part, f->remedy, f->remedy_bytes / 1e9);
	else
		figure_why(fig,
			"Needs %.3g GB of %.0f, breaks: %s. Most is %s, %.3g GB; no bar below "
			"fits: more GPUs, tensor parallelism or a smaller batch.",
			need, card, where, name, part);
}

void memory_write_explain(struct figure *fig, const struct memory_found *f)
{
	const struct memory_peak *p = &f->ideal;
	if (!f->fits) {
		explain_break(fig, f);
		return;
	}
	double state = p->part[MEMORY_WEIGHTS] + p->part[MEMORY_OPTIMIZER];
	figure_why(fig,
		"Peak %.3g of %.0f GB in %s: activations %.3g, weights and optimizer %.3g, "
		"gradients %.3g, logits %.3g, other %.3g GB.",
		f->peak_bytes / 1e9, f->capacity / 1e9, memory_event_text(fig, &f->trace, p->event),
		p->part[MEMORY_ACTIVATIONS] / 1e9, state / 1e9, p->part[MEMORY_GRADIENTS] / 1e9,
		p->part[MEMORY_LOGITS] / 1e9, p->part[MEMORY_OTHER] / 1e9);
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
			"not "
			"covered: they are spread evenly over the layers.",
			m->name, odd);
	warn_sharding(fig, s);
	if (s->seq > m->context)
		figure_note(fig, ROLE_WARN, "%s was trained for %g tokens; %g are more.", m->name,
			m->context, s->seq);
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
	double rule = CALL(flash_activation_bytes, .layers = m->layers, .seq = s->seq,
		.batch = s->batch, .hidden = m->hidden);
	double logits = CALL(logits_bytes, .batch = s->batch, .seq = s->seq, .vocab = m->vocab,
		.bytes_per_value = 4);
	figure_note(fig, ROLE_PLAIN,
		"The 34-byte rule says %.3g GB of activations: LayerNorm, dropout, GELU and 4 h, "
		"the "
		"GPT layer in 16 bits. %s's own layer saves %.3g B (layer=actual). Each FP32 copy "
		"of "
		"the logits is %.3g GB.",
		rule / s->tp / 1e9, m->name, memory_layer_constant(&own), logits / s->tp / 1e9);
	if (s->checkpointing == CHECKPOINT_SELECTIVE && s->flash && !s->actual)
		figure_note(fig, ROLE_PLAIN,
			"Selective recomputation drops the attention scores, which a flash kernel "
			"never writes: here it changes nothing.");
	if (f->caching && f->replay.flushes > 0)
		figure_note(fig, ROLE_PLAIN,
			"The card filled up and cached segments went back to the driver (%zu "
			"times), "
			"which stalls the GPU. Watch reserved against allocated; "
			"expandable_segments:True is the cure, empty_cache() is not.",
			f->replay.flushes);
}

void memory_write_assume(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	struct state_bytes b = memory_state_bytes(s->precision, s->optimizer);
	figure_assume(fig,
		"GB = 1e9 B; %.4g parameters, counted from the shapes, with %g B of state each",
		s->model->params, b.weight + b.gradient + b.optimizer);
	figure_assume(fig,
		"peak and plot hold %.3g GB for the CUDA context%s; reserved and allocated do not",
		f->outside / 1e9, s->gpus > 1 ? " and NCCL" : "");
	figure_assume(fig,
		"gradients come as backward walks and go after the optimizer; the script holds its "
		"logits until their backward");
	figure_assume(fig,
		"ZeRO-3 gathers one layer ahead; tensor parallelism cuts sequences too; BF16 "
		"weights "
		"have a fused optimizer, the others PyTorch's foreach with its temporaries");
	figure_assume(fig, "bars: ideal memory; time: FLOPs at %.0f %% of the dense peak",
		100 * memory_assumed_mfu);
	figure_leave_out(fig, "pipeline and context parallelism, mixtures of experts, FP8");
	figure_leave_out(fig, "torch.compile, kernel workspaces, other streams, expandable "
			      "segments, communication "
			      "time");
	if (s->actual)
		fig->accuracy = "torchtitan, 5 published peaks, 8B and 70B: reserved within 10 % "
				"(amp_autocast, zero=3, layer=actual)";
}
