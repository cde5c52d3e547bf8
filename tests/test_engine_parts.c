/* The engine of models that are made of parts: against plain models, and against numbers worked by
 * hand. */
#include "sims/architecture/model_architecture.h"
#include "sims/architecture/model_bytes.h"
#include "sims/gpu/engine_parts.h"
#include "sims/gpu/engine_shape.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* A plain model taken apart is as quick as whole, in decoding and prefill, with and without windows,
 * on one GPU and on four: both are the same kernels. */
Test(engine_parts, a_plain_model_is_as_quick_in_parts)
{
	static const char *const ids[] = { "llama3-8b", "llama2-70b", "mistral-7b", "gemma3-27b" };
	struct tables t = load_tables();
	const struct accelerator *g = gpu_find(&t, "h100");
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		for (int tp = 1; tp <= 4; tp *= 4) {
			const struct model *m = model_find(&t, ids[i]);
			const struct architecture a = architecture_of_model(m);
			const struct engine_layout how = { .tp = tp, .copies = 1, .ep = 1 };
			struct engine_shape whole =
				engine_shape_of(m, g, tp, DTYPE_BF16, DTYPE_BF16);
			struct engine_shape parts =
				engine_shape_laid(&a, g, &how, DTYPE_BF16, DTYPE_BF16, DTYPE_BF16);
			for (double n = 16; n <= 4096; n *= 4) {
				double want = engine_step_s(&whole, n, 1000 * n, 0, 0);
				double got = engine_step_s(&parts, n, 1000 * n, 0, 0);
				cr_expect(epsilon_eq(dbl, got, want, 0.02 * want), "%s %g: %g, %g",
					ids[i], n, got, want);
				want = engine_step_s(&whole, 0, 0, n, 8192);
				got = engine_step_s(&parts, 0, 0, n, 8192);
				cr_expect(epsilon_eq(dbl, got, want, 0.02 * want), "%s %g: %g, %g",
					ids[i], n, got, want);
			}
		}
	tables_release(&t);
}

/* DeepSeek-V3 as published: 671 B parameters in FP8 with their scales; in BF16 it is not widened. A
 * token caches 61 x 576 numbers once for all heads: on 8 GPUs, each holds it whole. gpt-oss-20b: 24
 * layers of 8 KV heads of 64, half of them with a window of 128 tokens. */
Test(engine_parts, bytes_of_published_models)
{
	struct tables t = load_tables();
	const struct model *v3 = any_model_find(&t, "deepseek-v3");
	const struct model *oss = any_model_find(&t, "gpt-oss-20b");
	cr_assert(v3 && oss);
	double fp8 = model_weight_bytes(v3, DTYPE_FP8), bf16 = model_weight_bytes(v3, DTYPE_BF16);
	cr_expect(epsilon_eq(dbl, fp8, 675e9, 15e9), "%g", fp8);
	cr_expect(eq(dbl, fp8, bf16));
	cr_expect(model_weight_bytes(v3, DTYPE_FP4) < 0.6 * fp8);
	cr_expect(eq(dbl, model_cache_bytes(v3, DTYPE_BF16, 1000, 1), 61 * 576 * 2 * 1000.0));
	cr_expect(eq(dbl, model_cache_bytes(v3, DTYPE_BF16, 1000, 8), 8 * 61 * 576 * 2 * 1000.0));
	double kept = 12 * 4096.0 + 12 * 128;
	cr_expect(eq(dbl, model_cache_bytes(oss, DTYPE_BF16, 4096, 1), 2 * 8 * 64 * 2 * kept));
	/* On 16 GPUs each of 8 KV heads lies twice. */
	cr_expect(eq(dbl, model_cache_bytes(oss, DTYPE_BF16, 4096, 16), 2 * 2 * 8 * 64 * 2 * kept));
	tables_release(&t);
}

/* A step of one token of a mixture cannot be quicker than reading what it touches, and is far quicker
 * than reading all: Mixtral's 2 of 8 experts. A batch of 64 reads them all. */
Test(engine_parts, few_tokens_read_few_experts)
{
	struct tables t = load_tables();
	const struct model *m = any_model_find(&t, "mixtral-8x7b");
	const struct accelerator *g = gpu_find(&t, "h100");
	struct engine_shape e = engine_shape_of(m, g, 2, DTYPE_BF16, DTYPE_BF16);
	double all_s = model_weight_bytes(m, DTYPE_BF16) / 2 / g->bandwidth;
	double one_s = engine_step_s(&e, 1, 100, 0, 0), many_s = engine_step_s(&e, 64, 6400, 0, 0);
	cr_expect(one_s > decode_floor_s(m, g, 2, DTYPE_BF16, 1, 100));
	cr_expect(one_s < 0.6 * all_s, "%g, %g", one_s, all_s);
	cr_expect(many_s > all_s, "%g, %g", many_s, all_s);
	tables_release(&t);
}

/* Sixteen copies of attention with an expert group on each GPU decode more tokens a second on as many
 * GPUs than two that cut everything over eight: latent vectors are not repeated, and each GPU reads
 * its own experts alone. Hiding the exchange never costs time where products do not grow with it. */
Test(engine_parts, copies_of_attention_share_experts)
{
	struct tables t = load_tables();
	const struct model *m = any_model_find(&t, "deepseek-v3");
	const struct accelerator *g = gpu_find(&t, "h800");
	const struct network net = network_measured(g->family, 8, g->link_bandwidth, 50e9, 5e-6);
	const struct engine_layout spread = { .tp = 1, .copies = 16, .ep = 16, .net = &net };
	const struct engine_layout cut = { .tp = 8, .copies = 1, .ep = 1 };
	struct engine_shape a =
		engine_shape_laid(m->made_of, g, &spread, DTYPE_FP8, DTYPE_FP8, DTYPE_BF16);
	struct engine_shape b =
		engine_shape_laid(m->made_of, g, &cut, DTYPE_FP8, DTYPE_FP8, DTYPE_BF16);
	double n = 1024, context = 4096;
	double spread_s = engine_step_s(&a, n, n * context, 0, 0);
	double cut_s = engine_step_s(&b, n / 2, n / 2 * context, 0, 0);
	cr_expect(spread_s < cut_s, "%g, %g", spread_s, cut_s);
	struct engine_shape free_net = a;
	free_net.exchange = (struct engine_table){ .s_per_row = 0 };
	cr_expect(engine_step_s(&free_net, n, n * context, 0, 0) < spread_s);
	tables_release(&t);
}

/* Every composed model on every GPU: finite, more work takes no less time. */
Test(engine_parts, iterations_are_monotone)
{
	struct tables t = load_tables();
	cr_assert(t.n_composed > 10);
	for (size_t i = 0; i < t.n_composed; i++) {
		const struct accelerator *g = &t.gpus[i % t.n_gpus];
		const struct model *m = &t.composed[i];
		struct engine_shape e = engine_shape_of(m, g, 4, DTYPE_FP8, DTYPE_BF16);
		double before = 0;
		cr_expect(zero(dbl, engine_step_s(&e, 0, 0, 0, 0)));
		for (double n = 1; n <= 65536; n *= 2) {
			double s = engine_step_s(&e, n, 500 * n, 0, 0);
			cr_expect(isfinite(s) && s > before, "%s on %s: %g sequences", m->id, g->id,
				n);
			cr_expect(engine_step_s(&e, n, 1000 * n, 0, 0) >= s, "%s", m->id);
			cr_expect(engine_step_s(&e, n, 500 * n, 64, 0) > s, "%s", m->id);
			before = s;
		}
	}
	tables_release(&t);
}
