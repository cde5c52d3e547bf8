/* Laws of every knob of every simulation: what its row promises, reading and writing, steps. */
#include "sims/quantity/quantity.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "ui/term/canvas.h"
#include "ui/data/page_list.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

enum { LABEL_COLUMNS = 20, DRAWS = 100 };

/* The same test of every knob, with a stream of random numbers of its own. */
typedef void knob_law(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r);

static void for_every_knob(knob_law *law)
{
	struct tables t = load_tables_and_machine();
	for (size_t i = 0; i < n_sims; i++)
		for (size_t j = 0; j < sims[i]->n_knobs; j++) {
			struct rng r = rng_stream(1, sims[i]->id, j);
			law(sims[i], &sims[i]->knobs[j], &t, &r);
		}
	tables_release(&t);
}

Test(knobs, every_simulation_says_what_it_is)
{
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	for (size_t i = 0; i < n_sims; i++) {
		const struct sim *s = sims[i];
		cr_expect(s->title[0] && s->summary[0] && s->run, "%s", s->id);
		cr_expect(strpbrk(s->id, " :=#/") == NULL, "%s: links could not name it", s->id);
		cr_expect(page_list_find(&pages, s->page) != NULL, "%s: no page \"%s\"", s->id,
			s->page);
		cr_expect(s->n_knobs > 0 && s->n_knobs <= MAX_KNOBS, "%s", s->id);
		cr_expect(sim_find(s->id) == s, "%s is called twice", s->id);
	}
	page_list_release(&pages);
}

static void row_is_whole(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	(void)r;
	double dflt = knob_default(k, t);
	char why[64];
	snprintf(why, sizeof why, "%s %s", s->id, k->id);
	cr_expect(sim_knob_index(s, k->id) == k - s->knobs, "%s: the id is there twice", why);
	cr_expect(k->id[strcspn(k->id, " =:#")] == '\0', "%s: an id in one word", why);
	cr_expect(le(int, text_width(k->label), LABEL_COLUMNS), "%s: \"%s\"", why, k->label);
	cr_expect(k->label[0] != '\0', "%s: no label", why);
	cr_expect(k->help && strlen(k->help) > 10, "%s: no help", why);
	cr_expect(k->help && k->help[strlen(k->help) - 1] != '.', "%s: a clause, no sentence", why);
	if (k->kind != KNOB_NUMBER) {
		cr_expect(lt(sz, 1, knob_choices(k, t)), "%s: nothing to choose", why);
		cr_expect(k->dflt_choice == NULL ||
				  strcmp(knob_choice(k, t, (size_t)dflt), k->dflt_choice) == 0,
			"%s: no choice \"%s\"", why, k->dflt_choice);
		cr_expect(dflt >= 0 && dflt < (double)knob_choices(k, t), "%s", why);
		return;
	}
	cr_expect(k->min < k->max && dflt >= k->min && dflt <= k->max, "%s: range", why);
	cr_expect(k->geometric ? k->step > 1 : k->step > 0, "%s: step", why);
	cr_expect(k->min >= 0 || k->min == -k->max || !k->geometric, "%s: not mirrored", why);
	cr_expect(k->integer == false || (k->min == floor(k->min) && k->max == floor(k->max) &&
						 dflt == floor(dflt)),
		"%s: whole numbers", why);
}

Test(knobs, every_row_is_whole)
{
	for_every_knob(row_is_whole);
}

/* "label value" between the marks of the focus, on the narrowest panel there is. */
static void fits(const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	enum { PANEL = 33, MARKS = 4 };
	char text[64];
	for (int i = 0; i < DRAWS; i++) {
		double value = random_value(k, t, r);
		knob_format(k, t, value, text, sizeof text);
		cr_expect(le(int, text_width(k->label) + 1 + text_width(text), PANEL - MARKS),
			"%s: %s %s", s->id, k->label, text);
		cr_expect(lt(int, 0, text_width(text)), "%s: %s has an empty value", s->id, k->id);
		if (text_width(k->label) + 1 + text_width(text) > PANEL - MARKS)
			break;
	}
}

Test(knobs, label_and_value_fit_beside_each_other)
{
	for_every_knob(fits);
}

static void reads_back(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	for (int i = 0; i < DRAWS; i++) {
		double x = random_value(k, t, r), back = -1;
		char text[64], err[320] = "";
		knob_write(k, t, x, text, sizeof text);
		cr_expect(zero(int, knob_read(k, t, text, &back, err, sizeof err)), "%s: %s", s->id,
			err);
		cr_expect(back == x, "%s %s=%s: %.17g came back as %.17g", s->id, k->id, text, x,
			back);
		if (back != x)
			break;
	}
}

Test(knobs, what_is_written_reads_back)
{
	for_every_knob(reads_back);
}

static void takes_its_unit(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	if (k->kind != KNOB_NUMBER)
		return;
	double x = random_value(k, t, r), back = -1;
	char number[64], text[96], err[320] = "";
	knob_write(k, t, x, number, sizeof number);
	snprintf(text, sizeof text, "%s %s", number, k->unit);
	cr_expect(zero(int, knob_read(k, t, text, &back, err, sizeof err)), "%s: %s", s->id, err);
	cr_expect(back == x, "%s %s=%s was read as %g", s->id, k->id, text, back);
}

Test(knobs, a_value_may_be_typed_with_its_unit)
{
	for_every_knob(takes_its_unit);
}

/* Where 0 is no amount, its word is shown, and read. */
static void zero_has_its_word(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	(void)r;
	char text[64], err[320] = "";
	double value = -7;
	if (!k->zero)
		return;
	cr_expect(k->kind == KNOB_NUMBER && k->min == 0, "%s %s", s->id, k->id);
	cr_expect(eq(str, knob_format(k, t, 0, text, sizeof text), (char *)k->zero));
	cr_expect(zero(int, knob_read(k, t, k->zero, &value, err, sizeof err)), "%s", err);
	cr_expect(eq(dbl, value, 0), "%s %s", s->id, k->id);
	cr_expect(zero(int, knob_read(k, t, "auto", &value, err, sizeof err)), "%s", err);
}

Test(knobs, zero_may_be_typed_as_it_is_shown)
{
	for_every_knob(zero_has_its_word);
}

static void has_a_name_for_each_choice(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	(void)r;
	for (size_t i = 0; k->choice_names && i < knob_choices(k, t); i++)
		cr_expect(k->choice_names[i] && *k->choice_names[i], "%s %s", s->id, k->id);
}

Test(knobs, every_choice_has_a_name)
{
	for_every_knob(has_a_name_for_each_choice);
}

static void steps_stay(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	double last = (double)knob_choices(k, t) - 1;
	double min = k->kind == KNOB_NUMBER ? k->min : 0,
	       max = k->kind == KNOB_NUMBER ? k->max : last;
	for (int i = 0; i < DRAWS; i++) {
		double x = random_value(k, t, r), at = knob_position(k, t, x);
		cr_expect(
			at >= 0 && at <= 1 + 1e-12, "%s %s: %g stands at %g", s->id, k->id, x, at);
		for (int n = -1; n <= 1; n += 2)
			for (int big = 0; big < 2; big++) {
				double y = knob_step(k, t, x, n, big);
				cr_expect(y >= min && y <= max, "%s %s: %g%+d is %g", s->id, k->id,
					x, n, y);
				bool end = n < 0 ? x == min : x == max;
				cr_expect(end ? y == x : (y - x) * n > 0,
					"%s %s: %.17g%+d stays at %.17g", s->id, k->id, x, n, y);
				cr_expect(k->integer == false || y == floor(y), "%s %s: %g", s->id,
					k->id, y);
			}
	}
}

Test(knobs, steps_move_and_stay_in_range)
{
	for_every_knob(steps_stay);
}

/* From the default over the whole track, both ways: each step is undone by the opposite one. */
static void steps_come_back(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	(void)r;
	for (int n = -1; n <= 1; n += 2) {
		double x = knob_default(k, t);
		for (int i = 0; i < 200; i++) {
			double y = knob_step(k, t, x, n, false);
			if (y == x)
				break;
			double back = knob_step(k, t, y, -n, false);
			cr_expect(back == x, "%s %s: %.17g, %.17g, and back to %.17g", s->id, k->id,
				x, y, back);
			if (back != x)
				break;
			x = y;
		}
	}
}

Test(knobs, a_step_back_undoes_a_step)
{
	for_every_knob(steps_come_back);
}

/* 1.25 to the powers 1 to 6 are 1.25, 1.5625, 1.95, 2.44, 3.05 and 3.81, and to the 30th 807.8: the next number of
 * fewest digits within 3.6 %, a seventh of a step. A doubling rounds nothing. */
Test(knobs, steps_lead_to_round_numbers)
{
	static const double ups[] = { 1.25, 1.6, 2, 2.4, 3, 3.8 };
	struct knob rate = { .id = "rate",
		.kind = KNOB_NUMBER,
		.min = 0.01,
		.max = 1000,
		.dflt = 1,
		.step = 1.25,
		.geometric = true };
	double x = 1;
	for (size_t i = 0; i < sizeof ups / sizeof *ups; i++) {
		x = knob_step(&rate, NULL, x, 1, false);
		cr_expect(eq(dbl, x, ups[i]));
	}
	cr_expect(eq(dbl, knob_step(&rate, NULL, 1, 30, false), 800));
	/* What was typed beside a point goes to the next one, also where that was rounded past it. */
	cr_expect(eq(dbl, knob_step(&rate, NULL, 1.58, 1, false), 1.6));
	cr_expect(eq(dbl, knob_step(&rate, NULL, 1.58, -1, false), 1.25));
	cr_expect(eq(dbl, knob_step(&rate, NULL, 2.42, -1, false), 2.4));
	cr_expect(eq(dbl, knob_step(&rate, NULL, 2.42, 1, false), 3));
	rate.step = 2;
	cr_expect(eq(dbl, knob_step(&rate, NULL, 1, 9, false), 512));
}

static void number_is_refused(const struct sim *s, const struct knob *k, const struct tables *t)
{
	char lo[48], hi[48], text[64], err[320] = "";
	double value = -7;
	quantity_format(lo, sizeof lo, k->min, k->unit);
	quantity_format(hi, sizeof hi, k->max, k->unit);
	double below = k->min < 0 ? 2 * k->min : k->min - 1;
	const double outside[] = { k->max * 2 + 1, below, -1e300, 1e300 };
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		snprintf(text, sizeof text, "%.17g", outside[i]);
		cr_expect(eq(int, knob_read(k, t, text, &value, err, sizeof err), -1), "%s %s=%s",
			s->id, k->id, text);
		cr_expect(strstr(err, lo) && strstr(err, hi) && strstr(err, k->id), "%s %s: %s",
			s->id, k->id, err);
	}
	static const char *const nonsense[] = { "", "x", "1 2", "nan", "inf", "1 furlong", "--1" };
	for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
		err[0] = '\0';
		cr_expect(eq(int, knob_read(k, t, nonsense[i], &value, err, sizeof err), -1),
			"%s %s=%s", s->id, k->id, nonsense[i]);
		cr_expect(strstr(err, k->id) && !strchr(err, '\n'), "%s: %s", s->id, err);
	}
	cr_expect(value == -7, "%s %s: refused, and yet taken", s->id, k->id);
}

static void choice_is_refused(const struct sim *s, const struct knob *k, const struct tables *t)
{
	for (size_t i = 0; i < knob_choices(k, t); i++) {
		char text[80], err[320] = "";
		double value = -7;
		snprintf(text, sizeof text, "%sq", knob_choice(k, t, i));
		cr_expect(eq(int, knob_read(k, t, text, &value, err, sizeof err), -1), "%s %s=%s",
			s->id, k->id, text);
		cr_expect(strstr(err, knob_choice(k, t, i)) && strstr(err, "did you mean"),
			"%s %s: %s", s->id, k->id, err);
		cr_expect(value == -7 && !strchr(err, '\n'), "%s %s", s->id, k->id);
	}
}

static void is_refused(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	(void)r;
	if (k->kind == KNOB_NUMBER)
		number_is_refused(s, k, t);
	else
		choice_is_refused(s, k, t);
	/* The knob's own name, misspelt. */
	double v[MAX_KNOBS];
	char text[80], err[320] = "";
	snprintf(text, sizeof text, "%sq=1", k->id);
	cr_expect(eq(int, sim_read_setting(s, t, text, v, err, sizeof err), -1), "%s", text);
	cr_expect(strstr(err, "did you mean") != NULL, "%s: %s", s->id, err);
}

Test(knobs, refusals_name_the_range_or_the_nearest)
{
	for_every_knob(is_refused);
}

Test(knobs, settings_without_shape_are_refused)
{
	static const char *const settings[] = { "", "=", "=1", "gpus", "gpus:8",
		"an_id_that_is_longer_than_any_knob_in_any_simulation_there_could_be_one=1" };
	struct tables t = load_tables_and_machine();
	for (size_t i = 0; i < n_sims; i++)
		for (size_t j = 0; j < sizeof settings / sizeof *settings; j++) {
			double v[MAX_KNOBS];
			char err[320] = "";
			cr_expect(eq(int,
					  sim_read_setting(
						  sims[i], &t, settings[j], v, err, sizeof err),
					  -1),
				"%s %s", sims[i]->id, settings[j]);
			cr_expect(strstr(err, "knob=value") && !strchr(err, '\n'), "%s", err);
		}
	tables_release(&t);
}

/* Every condition names another knob of the simulation, and values that it can have. */
static void conditions_are_possible(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	size_t n = 0;
	(void)r;
	while (n < KNOB_CONDITIONS && k->when[n].values)
		n++;
	for (size_t c = n; c < KNOB_CONDITIONS; c++)
		cr_expect(zero(u32, k->when[c].values), "%s %s: a gap", s->id, k->id);
	for (size_t c = 0; c < n; c++) {
		size_t other = k->when[c].knob;
		cr_assert(lt(sz, other, s->n_knobs), "%s %s", s->id, k->id);
		const struct knob *o = &s->knobs[other];
		cr_expect(o != k, "%s %s depends on itself", s->id, k->id);
		double most = o->kind == KNOB_NUMBER ? o->max : (double)knob_choices(o, t) - 1;
		for (unsigned bit = 0; bit < 32; bit++)
			if (k->when[c].values >> bit & 1)
				cr_expect(bit >= o->min && bit <= most, "%s %s: no %s=%u", s->id,
					k->id, o->id, bit);
	}
}

Test(knobs, conditions_name_real_knobs_and_choices)
{
	for_every_knob(conditions_are_possible);
}

/* A condition in words: "view=line data=constant|updates". */
static const char *condition_text(
	const struct sim *s, const struct knob *k, const struct tables *t, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (size_t c = 0; c < KNOB_CONDITIONS && k->when[c].values; c++) {
		const struct knob *o = &s->knobs[k->when[c].knob];
		char value[64], sep = '=';
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "", o->id);
		for (unsigned bit = 0; bit < 32; bit++) {
			if (!(k->when[c].values >> bit & 1))
				continue;
			knob_write(o, t, bit, value, sizeof value);
			used += (size_t)snprintf(text + used, size - used, "%c%s", sep, value);
			sep = '|';
		}
	}
	return text;
}

/* All of them, as people would say them: a name that moves in an enum shows here. */
Test(knobs, conditions_in_words)
{
	static const struct {
		const char *sim, *knob, *when;
	} rows[] = {
		{ "scaling", "global_batch", "mode=strong" },
		{ "scaling", "gpu_batch", "mode=weak" },
		{ "amdahl", "core_GBps", "law=bandwidth" },
		{ "amdahl", "memory_GBps", "law=bandwidth" },
		{ "memory", "act_dtype", "precision=bf16" },
		{ "memory", "k", "checkpointing=every_k" },
		{ "compile", "graph_breaks", "mode=default|reduce-overhead|max-autotune" },
		{ "compile", "dynamic", "mode=default|reduce-overhead|max-autotune" },
		{ "compile", "recompile_limit", "mode=default|reduce-overhead|max-autotune" },
		{ "compile", "compile_s", "mode=default|reduce-overhead|max-autotune" },
		{ "timeline", "syncs", "sync_every_step=on" },
		{ "timeline", "readers", "io_bound=on" },
		{ "measurement", "statistic", "sync=none|each|events" },
		{ "measurement", "boost_pct", "clocks=boost" },
		{ "formats", "value", "view=line data=constant|updates" },
		{ "formats", "centre", "view=line" },
		{ "formats", "zoom", "view=line" },
		{ "formats", "beside", "view=line" },
		{ "formats", "rounding", "view=line|sum" },
		{ "formats", "saturate", "view=line" },
		{ "formats", "block_max", "format=mxfp4|nvfp4|int8" },
		{ "formats", "n", "view=sum|gradients" },
		{ "formats", "order", "view=sum" },
		{ "formats", "data", "view=sum" },
		{ "formats", "scale", "view=gradients" },
		{ "formats", "loss", "view=gradients" },
		{ "formats", "gradient", "view=gradients" },
		{ "formats", "spread", "view=gradients" },
		{ "formats", "growth_interval", "view=gradients" },
		{ "formats", "spikes_pct", "view=gradients" },
		{ "allreduce", "chunks", "algorithm=tree|in_network|auto" },
		{ "parallelism", "tp", "strategy=3d" },
		{ "parallelism", "pp", "strategy=3d" },
		{ "parallelism", "zero", "strategy=3d" },
		{ "parallelism", "cp", "strategy=3d" },
		{ "parallelism", "shard", "strategy=zero3|3d" },
		{ "parallelism", "schedule", "strategy=pp|3d" },
		{ "parallelism", "virtual_stages", "schedule=interleaved" },
		{ "parallelism", "sequence_parallel", "strategy=tp|3d" },
		{ "parallelism", "transfers", "strategy=pp|3d" },
		{ "compression", "group", "granularity=group" },
		{ "compression", "alpha", "smoothing=smoothquant|awq" },
		{ "compression", "sparsity", "pattern=unstructured|structured" },
		{ "inference", "seq", "network=bert_large" },
		{ "inference", "model", "network=decoder" },
		{ "inference", "context", "network=decoder" },
		{ "inference", "tp", "network=decoder" },
		{ "inference", "fusion", "network=resnet50|bert_large" },
		{ "inference", "launch_us", "graph=off" },
		{ "kvcache", "trace", "lengths=trace" },
		{ "kvcache", "prompt_tokens", "lengths=lognormal" },
		{ "kvcache", "output_tokens", "lengths=lognormal" },
		{ "kvcache", "length_cv", "lengths=lognormal" },
		{ "kvcache", "prefix_tokens", "lengths=lognormal" },
		{ "kvcache", "groups", "sharing=on" },
		{ "speculative", "draft_ms", "times=typed" },
		{ "speculative", "target_ms", "times=typed" },
		{ "batching", "rate_per_s", "arrivals=poisson|gamma|trace" },
		{ "batching", "output_tokens", "lengths=fixed|exponential|uniform|lognormal" },
		{ "batching", "prompt_tokens", "lengths=fixed|exponential|uniform|lognormal" },
		{ "batching", "length_cv", "lengths=lognormal" },
		{ "batching", "cv", "arrivals=gamma" },
		{ "batching", "concurrency", "arrivals=closed" },
		{ "batching", "trace", "arrivals=trace lengths=trace" },
		{ "batching", "timeout_ms", "policy=dynamic" },
		{ "batching", "chunk_tokens", "policy=continuous" },
		{ "batching", "block_tokens", "paging=on" },
		{ "batching", "max_len", "paging=off" },
		{ "batching", "step_ms", "step=fixed" },
		{ "queueing", "arrival_cv", "arrivals=gamma" },
		{ "queueing", "trace", "arrivals=trace" },
		{ "queueing", "service_cv", "service=gamma|lognormal" },
		{ "capacity", "tp", "layout=replicated" },
		{ "capacity", "attn_dp", "layout=replicated" },
		{ "capacity", "ep", "layout=replicated" },
		{ "capacity", "overlap", "layout=replicated" },
		{ "disaggregation", "prompt_tokens",
			"lengths=fixed|exponential|uniform|lognormal" },
		{ "disaggregation", "output_tokens",
			"lengths=fixed|exponential|uniform|lognormal" },
		{ "disaggregation", "host_GB", "offload=on" },
		{ "disaggregation", "host_GBps", "offload=on" },
		{ "disaggregation", "cv", "arrivals=gamma" },
		{ "disaggregation", "length_cv", "lengths=lognormal" },
		{ "disaggregation", "trace", "arrivals=trace lengths=trace" },
		{ "stacking", "workers", "loader=on" },
		{ "stacking", "m_loader", "loader=on" },
		{ "stacking", "m_amp", "amp=on" },
		{ "stacking", "m_compile", "compile=on" },
		{ "stacking", "m_fused", "fused_optimizer=on" },
		{ "stacking", "m_overlap", "overlap=on" },
		{ "goodput", "snapshot_s", "async=on" },
		{ "goodput", "storage_GBps", "checkpoint_s=0" },
		{ "tiles", "split_k", "schedule=blocks|persistent" },
	};
	struct tables t = load_tables_and_machine();
	size_t n = 0;
	for (size_t i = 0; i < n_sims; i++)
		for (size_t k = 0; k < sims[i]->n_knobs; k++)
			n += sims[i]->knobs[k].when[0].values != 0;
	cr_expect(eq(sz, n, sizeof rows / sizeof *rows));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct sim *s = sim_find(rows[i].sim);
		int k = s ? sim_knob_index(s, rows[i].knob) : -1;
		char text[160];
		cr_assert(ge(int, k, 0), "%s %s", rows[i].sim, rows[i].knob);
		cr_expect(eq(str, (char *)condition_text(s, &s->knobs[k], &t, text, sizeof text),
				  (char *)rows[i].when),
			"%s %s", rows[i].sim, rows[i].knob);
	}
	tables_release(&t);
}

Test(knobs, what_has_no_effect_is_known)
{
	static const struct {
		const char *sim, *setting, *knob;
		bool matters;
	} rows[] = {
		{ "memory", "checkpointing=full", "k", false },
		{ "memory", "checkpointing=every_k", "k", true },
		{ "batching", "arrivals=poisson", "cv", false },
		{ "batching", "arrivals=gamma", "cv", true },
		{ "batching", "arrivals=gamma", "rate_per_s", true },
		{ "batching", "arrivals=closed", "rate_per_s", false },
		{ "batching", "arrivals=closed", "trace", false },
		{ "batching", "arrivals=trace", "trace", true },
		{ "batching", "lengths=trace", "trace", true },
		{ "batching", "lengths=trace", "output_tokens", false },
	};
	struct tables t = load_tables_and_machine();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct sim *s = sim_find(rows[i].sim);
		double v[MAX_KNOBS];
		char err[256];
		sim_defaults(s, &t, v);
		cr_assert(zero(int, sim_read_setting(s, &t, rows[i].setting, v, err, sizeof err)));
		size_t k = (size_t)sim_knob_index(s, rows[i].knob);
		cr_expect(knob_matters(s, v, k) == rows[i].matters, "%s: %s", rows[i].setting,
			rows[i].knob);
	}
	tables_release(&t);
}

/* What a row says of itself is true: a knob that does not matter moves no value. */
static void moves_nothing(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	double v[MAX_KNOBS];
	size_t i = (size_t)(k - s->knobs);
	sim_defaults(s, t, v);
	if (knob_matters(s, v, i))
		return;
	struct figure was = { 0 }, now = { 0 };
	s->run(t, v, &was);
	v[i] = random_value(k, t, r);
	s->run(t, v, &now);
	for (size_t j = 0; j < was.n_values && j < now.n_values; j++)
		cr_expect(was.values[j].value == now.values[j].value, "%s: %s moves %s", s->id,
			k->id, was.values[j].id);
	cr_expect(eq(sz, was.n_values, now.n_values));
	figure_release(&was);
	figure_release(&now);
}

Test(knobs, one_that_does_not_matter_moves_nothing)
{
	for_every_knob(moves_nothing);
}

/* What the mouse sets: a point of the lattice or an end of the range, near the place on the track,
 * and the same place again from where it stands. */
static void held_bead(
	const struct sim *s, const struct knob *k, const struct tables *t, struct rng *r)
{
	for (int i = 0; i <= DRAWS; i++) {
		double at = i == 0 ? 0 : i == 1 ? 1 : rng_uniform(r);
		double value = knob_at(k, t, at), on = knob_position(k, t, value);
		double up = knob_step(k, t, value, 1, false);
		double down = knob_step(k, t, value, -1, false);
		double room = fmax(knob_position(k, t, up) - on, on - knob_position(k, t, down));
		cr_expect(fabs(on - at) <= room + 1e-9, "%s %s: %g at %g", s->id, k->id, value, at);
		/* Zero and the least amount beside it may stand at one place. */
		double again = knob_position(k, t, knob_at(k, t, fmin(fmax(on, 0), 1)));
		cr_expect(fabs(again - on) < 1e-9, "%s %s: %g", s->id, k->id, value);
		if (k->kind == KNOB_NUMBER)
			cr_expect(value >= k->min && value <= k->max, "%s %s: %g", s->id, k->id,
				value);
	}
}

Test(knobs, a_held_bead_goes_where_it_is_led)
{
	for_every_knob(held_bead);
}

/* One type has one meaning under whatever name a simulation knows it, and what is typed is written
 * back in the simulation's own spelling. */
Test(knobs, types_are_spelled_alike)
{
	static const struct {
		const char *sim, *typed, *written;
	} rows[] = { { "batching", "weight_dtype=int4", "weight_dtype=int4" },
		{ "batching", "quant_bits=8", "weight_dtype=fp8" },
		{ "batching", "weight_dtype=awq", "weight_dtype=int4" },
		{ "batching", "kv_dtype=e4m3", "kv_dtype=fp8" },
		{ "capacity", "quant_bits=8", "weight_dtype=fp8" },
		{ "capacity", "quant_bits=any", "weight_dtype=any" },
		{ "capacity", "weight_dtype=awq", "weight_dtype=int4" },
		{ "capacity", "kv_dtype=e4m3", "kv_dtype=fp8" },
		{ "kvcache", "weights=fp8", "weight_dtype=fp8" },
		{ "kvcache", "kv_dtype=nvfp4", "kv_dtype=fp4" },
		{ "speculative", "weights=int8", "weight_dtype=int8" },
		{ "roofline", "weight_dtype=int4", "dtype=fp4" },
		{ "roofline", "act_dtype=fp8", "dtype=fp8" },
		{ "roofline", "dtype=fp16", "dtype=fp16" },
		{ "flashattention", "act_dtype=e4m3", "dtype=fp8" },
		{ "inference", "act_dtype=bf16", "precision=fp16" } };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct sim *s = sim_find(rows[i].sim);
		double v[MAX_KNOBS];
		char err[256], value[64], written[128], id[32];
		sim_defaults(s, &t, v);
		cr_assert(zero(int, sim_read_setting(s, &t, rows[i].typed, v, err, sizeof err)),
			"%s: %s", rows[i].sim, err);
		snprintf(
			id, sizeof id, "%.*s", (int)strcspn(rows[i].written, "="), rows[i].written);
		int k = sim_knob_index(s, id);
		cr_assert(k >= 0, "%s %s", rows[i].sim, id);
		snprintf(written, sizeof written, "%s=%s", id,
			knob_write(&s->knobs[k], &t, v[k], value, sizeof value));
		cr_expect(eq(str, written, (char *)rows[i].written));
	}
	tables_release(&t);
}
