/* Wrong numbers: a small regression that is really trained (its gradients in FP16 or BF16, its
 * samples in an order), and a matrix that is really quantised. */
#include "sims/diagnosis/ward_numbers.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 8, SAMPLES = 256, BATCH = 16, STEPS = 240, ROWS = 64, COLS = 128 };

void numbers_draw(struct patient *p, const struct tables *t, struct rng *r)
{
	p->model = &t->models[0];
	p->gpu = &t->gpus[0];
	p->numbers = (struct numbers_plan){
		.shuffled = true, .learning_rate = 0.05, .scale = 1024, .outlier = 1
	};
	switch (p->cause) {
	case CAUSE_OVERFLOW:
		p->numbers.fp16 = true;
		p->numbers.scale = GRAD_SCALER_START * (1 + (double)rng_below(r, 4));
		break;
	case CAUSE_LEARNING_RATE:
		p->numbers.learning_rate = 0.8 + rng_uniform(r);
		break;
	case CAUSE_DATA_ORDER:
		p->numbers.shuffled = false;
		break;
	default:
		p->numbers.quantised = true;
		p->numbers.outlier = 30 + 40 * rng_uniform(r);
	}
}

/* --- a training run -------------------------------------------------------------------------- */

struct patient_sample {
	double x[WIDTH], y;
};

/* Two halves of the samples want different offsets: whoever sees one half after the other forgets
 * the first. */
static void make_samples(struct patient_sample s[SAMPLES], struct rng *r)
{
	double truth[WIDTH];
	for (int k = 0; k < WIDTH; k++)
		truth[k] = rng_normal(r);
	for (int i = 0; i < SAMPLES; i++) {
		s[i].x[0] = 1;
		s[i].y = truth[0] + 0.1 * rng_normal(r) + (i < SAMPLES / 2 ? 2 : -2);
		for (int k = 1; k < WIDTH; k++) {
			s[i].x[k] = rng_normal(r);
			s[i].y += truth[k] * s[i].x[k];
		}
	}
}

/* The gradient as it is stored between backward and optimizer. */
static double stored(const struct numbers_plan *plan, double scaled)
{
	if (!plan->fp16)
		return scaled;
	return fabs(scaled) > FP16_MAX ? copysign(INFINITY, scaled) : scaled;
}

static void train(const struct patient *p, struct examination *x)
{
	const struct numbers_plan *plan = &p->numbers;
	struct rng r = rng_stream(p->seed, "a small training run", 0);
	struct patient_sample samples[SAMPLES];
	size_t order[SAMPLES], per_epoch = SAMPLES / BATCH;
	double w[WIDTH] = { 0 }, before = 0, jump = 0, first = 0, jumps = 0;
	make_samples(samples, &r);
	for (size_t i = 0; i < SAMPLES; i++)
		order[i] = i;
	for (size_t step = 0; step < STEPS; step++) {
		double g[WIDTH] = { 0 }, loss = 0;
		if (step % per_epoch == 0 && plan->shuffled)
			rng_shuffle(&r, order, SAMPLES, sizeof *order);
		for (size_t i = 0; i < BATCH; i++) {
			const struct patient_sample *s =
				&samples[order[step % per_epoch * BATCH + i]];
			double error = -s->y;
			for (int k = 0; k < WIDTH; k++)
				error += w[k] * s->x[k];
			loss += error * error / BATCH;
			for (int k = 0; k < WIDTH; k++)
				g[k] += 2 * error * s->x[k] / BATCH;
		}
		first = step == 0 ? loss : first;
		for (int k = 0; k < WIDTH; k++) {
			double scaled = plan->scale * g[k];
			/* Only while the run is sound, for afterwards everything grows. */
			if (step == 0 || loss < 2 * first)
				x->signs.largest_gradient =
					fmax(x->signs.largest_gradient, fabs(scaled));
			w[k] -= plan->learning_rate * stored(plan, scaled) / plan->scale;
		}
		bool lost = !isfinite(loss) || loss > 1e30;
		x->signs.nan |= lost;
		/* The first loss of an epoch over the last losses of the one before. */
		if (step % per_epoch == 0 && step >= 4 * per_epoch && before > 0) {
			jump += loss / before;
			jumps++;
		}
		before = step % per_epoch == 0 ? loss : before + (loss - before) / 3;
		if (!lost && x->n_curve < MAX_CURVE)
			x->curve[x->n_curve++] = fmin(loss, 1e6);
	}
	x->signs.epoch_jump = jumps > 0 && !x->signs.nan ? jump / jumps : 1;
	x->badness = x->signs.nan ? 1000 : x->signs.epoch_jump;
	snprintf(x->complaint_number, sizeof x->complaint_number, "%s",
		x->signs.nan     ? "NaN"
		: plan->shuffled ? "a smooth loss"
				 : "a loss with spikes");
}

/* --- a quantised matrix ---------------------------------------------------------------------- */

/* Relative error of y = W x after W went through 8 bits, with one scale for all or one for each
 * row. */
static void quantise(const struct patient *p, struct examination *x)
{
	const struct numbers_plan *plan = &p->numbers;
	struct rng r = rng_stream(p->seed, "a quantised matrix", 0);
	static const double most = 127;
	double w[ROWS][COLS], widest = 0, usual = 0, error = 0, power = 0;
	for (int i = 0; i < ROWS; i++) {
		double wide = 0;
		for (int k = 0; k < COLS; k++) {
			w[i][k] = rng_normal(&r) * (i % 32 == 5 ? plan->outlier : 1);
			wide = fmax(wide, fabs(w[i][k]));
		}
		widest = fmax(widest, wide);
		usual += wide / ROWS;
	}
	for (int i = 0; i < ROWS; i++) {
		double wide = 0, of_row = 0, signal = 0;
		for (int k = 0; k < COLS; k++)
			wide = fmax(wide, fabs(w[i][k]));
		double scale = (plan->per_channel ? wide : widest) / most;
		for (int k = 0; k < COLS; k++) {
			double d = w[i][k] - scale * rint(w[i][k] / scale);
			of_row += d * d;
			signal += w[i][k] * w[i][k];
		}
		error += of_row / signal;
		power += 1;
	}
	x->signs.quantised = 1;
	x->signs.channel_spread = widest / usual;
	double relative = sqrt(error / power);
	x->badness = relative / 0.02;
	snprintf(x->complaint_number, sizeof x->complaint_number, "outputs off by %.1f %%",
		100 * relative);
}

static void say_loss(const struct patient *p, struct examination *x)
{
	if (p->numbers.quantised)
		reading_say(x, READING_LOSS, "%s after quantising; in FP16 as it was",
			x->complaint_number);
	else if (x->signs.nan)
		reading_say(x, READING_LOSS, "NaN from step %zu on", x->n_curve + 1);
	else if (x->signs.epoch_jump > 1.3)
		reading_say(x, READING_LOSS, "%.1f x higher where an epoch begins, every %d steps",
			x->signs.epoch_jump, SAMPLES / BATCH);
	else
		reading_say(x, READING_LOSS, "falls, without jumps");
}

bool numbers_examine(struct arena *a, const struct patient *p, struct examination *x)
{
	(void)a;
	x->curve_title = "The loss";
	x->curve_name = "loss";
	x->curve_unit = "";
	x->curve_x = "Step";
	if (p->numbers.quantised) {
		quantise(p, x);
		reading_say(x, READING_TENSORS, "weights: widest channel %.0f x the mean one, %s",
			x->signs.channel_spread,
			p->numbers.per_channel ? "a scale each" : "one scale for all");
	} else {
		char largest[48], scale[48];
		train(p, x);
		reading_say(x, READING_TENSORS,
			"largest scaled gradient of sound steps %s, stored in %s (scale %s)",
			number_write(largest, sizeof largest, x->signs.largest_gradient, 3),
			p->numbers.fp16 ? "FP16" : "BF16",
			number_write(scale, sizeof scale, p->numbers.scale, 3));
	}
	say_loss(p, x);
	static const struct {
		enum patient_reading r;
		const char *text;
	} usual[] = { { READING_UTILISATION, "steady: speed is no complaint" },
		{ READING_POWER, "as in good runs" }, { READING_TOP, "as in good runs" },
		{ READING_STEPS, "as in good runs" }, { READING_TRACE, "as in good runs" },
		{ READING_NCCL, "as in good runs" }, { READING_RANKS, "all ranks alike" },
		{ READING_KERNELS, "as in good runs" }, { READING_BATCH, "as in good runs" },
		{ READING_MEMORY, "as in good runs" }, { READING_LATENCY, "speed is no complaint" },
		{ READING_CACHE, "speed is no complaint" } };
	for (size_t i = 0; i < LENGTH(usual); i++)
		reading_say(x, usual[i].r, "%s", usual[i].text);
	reading_say(x, READING_CHANGES, "%s",
		p->numbers.quantised ? "INT8 weights since the release"
		: p->numbers.fp16    ? "FP16 with a fixed loss scale"
				     : "a new configuration, a new data set");
	return true;
}

bool numbers_treat(struct patient *p, enum remedy remedy)
{
	switch (remedy) {
	case REMEDY_BF16:
		p->numbers.fp16 = false;
		return true;
	case REMEDY_LOWER_RATE:
		p->numbers.learning_rate = 0.05;
		return true;
	case REMEDY_SHUFFLE:
		p->numbers.shuffled = true;
		return true;
	case REMEDY_PER_CHANNEL:
		p->numbers.per_channel = true;
		return true;
	default:
		return false;
	}
}
