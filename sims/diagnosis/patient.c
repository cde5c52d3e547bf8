/* A patient is made by its ward, examined by its ward, and treated by its ward. What is common to
 * all stands here: the decision tree, and what an answer is worth.
 *
 * The tree is a table of questions; each looks at the signs that an examination measured, says
 * which instrument shows them, and leads to another question or to a cause. Since the same table is
 * walked for the reader, printed as a key and used to check that a drawn patient can be told by its
 * readings, the three cannot disagree. */
#include "sims/diagnosis/patient.h"

#include "sims/constants.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"
#include "sims/diagnosis/ward_memory.h"
#include "sims/diagnosis/ward_numbers.h"
#include "sims/diagnosis/ward_serving.h"
#include "sims/diagnosis/ward_speed.h"

#include <assert.h>
#include <math.h>

/* --- The decision tree --- */

enum branch {
	ASK_WARD_MEMORY,
	ASK_WARD_SERVING,
	ASK_WARD_NUMBERS,
	ASK_BURSTY,
	ASK_SLOW_STEP_DATA,
	ASK_RHYTHM,
	ASK_READING,
	ASK_READ_FULL,
	ASK_WORKERS_FULL,
	ASK_BUSY,
	ASK_NCCL,
	ASK_LATE_RANK,
	ASK_HIDDEN,
	ASK_CLOCKS,
	ASK_TENSOR,
	ASK_DRAM,
	ASK_GAPS,
	ASK_THREADS,
	ASK_RECOMPUTE,
	ASK_DATA,
	ASK_COPY,
	ASK_SYNC,
	ASK_RESERVED,
	ASK_ACTIVATIONS,
	ASK_ORPHANS,
	ASK_FIRST_TOKEN,
	ASK_GROWING,
	ASK_NAN,
	ASK_OVERFLOW,
	ASK_EPOCH_JUMP,
	ASK_CHANNELS,
	N_BRANCHES
};

static enum idle_cause worst_idle(const struct signs *s)
{
	return (enum idle_cause)largest_of(s->idle, N_IDLE_CAUSES);
}

static bool yes(enum branch b, const struct signs *s)
{
	switch (b) {
	case ASK_WARD_MEMORY:
		return s->ward == WARD_MEMORY;
	case ASK_WARD_SERVING:
		return s->ward == WARD_SERVING;
	case ASK_WARD_NUMBERS:
		return s->ward == WARD_NUMBERS;
	case ASK_BURSTY:
		return s->p99_over_p50 > SLOW_STEP_RATIO;
	case ASK_SLOW_STEP_DATA:
	case ASK_DATA:
		return worst_idle(s) == IDLE_DATA && s->idle[IDLE_DATA] > 0.03;
	case ASK_RHYTHM:
		return s->period > 2 * s->workers + 2;
	case ASK_READING:
		return s->worker_read > s->worker_cpu;
	case ASK_READ_FULL:
		return s->worker_read > 0.85;
	case ASK_WORKERS_FULL:
		return s->worker_cpu > 0.85;
	case ASK_BUSY:
		return s->util > 0.9;
	case ASK_NCCL:
		return s->nccl_alone > 0.1;
	case ASK_LATE_RANK:
		return s->rank_late > 0.05;
	case ASK_HIDDEN:
		return s->comm_hidden > 0.1;
	case ASK_CLOCKS:
		return s->clock < 0.9;
	case ASK_TENSOR:
		return s->tensor < 0.02;
	case ASK_DRAM:
		return s->pointwise > 0.2;
	case ASK_GAPS:
		return s->idle[IDLE_LAUNCH] > 0.1;
	case ASK_THREADS:
		return s->threads_per_core > 1.5;
	case ASK_RECOMPUTE:
		return s->recomputes;
	case ASK_COPY:
		return worst_idle(s) == IDLE_COPY;
	case ASK_SYNC:
		return worst_idle(s) == IDLE_SYNC;
	case ASK_RESERVED:
		return s->reserved_over_allocated > 1.08;
	case ASK_ACTIVATIONS:
		return s->activation_share > 0.5;
	case ASK_ORPHANS:
		return s->cache_orphaned > 0.05;
	case ASK_FIRST_TOKEN:
		return s->itl_over_median < 4;
	case ASK_GROWING:
		return s->wait_growth > 2;
	case ASK_NAN:
		return s->nan;
	case ASK_OVERFLOW:
		return s->largest_gradient > FP16_MAX;
	case ASK_EPOCH_JUMP:
		return s->epoch_jump > 1.3;
	case ASK_CHANNELS:
		return s->channel_spread > 8;
	case N_BRANCHES:
		break;
	}
	return false;
}

/* A leaf is written as a negative number. */
#define LEAF(cause) (-1 - (int)(cause))
static const struct {
	const char *question; /* NULL where the complaint answers it */
	enum patient_reading from;
	int yes, no;
} branches[N_BRANCHES] = {
	[ASK_WARD_MEMORY] = { NULL, 0, ASK_RESERVED, ASK_WARD_SERVING },
	[ASK_WARD_SERVING] = { NULL, 0, ASK_ORPHANS, ASK_WARD_NUMBERS },
	[ASK_WARD_NUMBERS] = { NULL, 0, ASK_NAN, ASK_BURSTY },

	[ASK_BURSTY] = { "are single steps much slower than the median?", READING_STEPS,
		ASK_SLOW_STEP_DATA, ASK_BUSY },
	[ASK_SLOW_STEP_DATA] = { "do slow steps wait for a batch?", READING_TRACE, ASK_RHYTHM,
		LEAF(CAUSE_CHECKPOINT) },
	[ASK_RHYTHM] = { "do they come regularly, and rarer than every round of workers?",
		READING_STEPS, LEAF(CAUSE_EPOCH), ASK_READING },
	[ASK_READING] = { "do workers read rather than compute?", READING_TOP, ASK_READ_FULL,
		ASK_WORKERS_FULL },
	[ASK_READ_FULL] = { "do they read without a pause?", READING_TOP, LEAF(CAUSE_STORAGE),
		LEAF(CAUSE_NEIGHBOUR) },
	[ASK_WORKERS_FULL] = { "are they busy without a pause?", READING_TOP,
		LEAF(CAUSE_FEW_WORKERS), LEAF(CAUSE_SHALLOW_QUEUE) },

	[ASK_BUSY] = { "does nvidia-smi call the GPU busy?", READING_UTILISATION, ASK_NCCL,
		ASK_DATA },
	[ASK_NCCL] = { "does NCCL run with nothing beside it?", READING_NCCL, ASK_LATE_RANK,
		ASK_CLOCKS },
	[ASK_LATE_RANK] = { "does one rank come late?", READING_RANKS, LEAF(CAUSE_STRAGGLER),
		ASK_HIDDEN },
	[ASK_HIDDEN] = { "does any of it run beside backward?", READING_NCCL, LEAF(CAUSE_SLOW_LINK),
		LEAF(CAUSE_NO_OVERLAP) },
	[ASK_CLOCKS] = { "are the clocks down?", READING_POWER, LEAF(CAUSE_THROTTLE), ASK_GAPS },
	[ASK_TENSOR] = { "are the tensor cores idle?", READING_KERNELS, LEAF(CAUSE_FP32),
		ASK_DRAM },
	[ASK_GAPS] = { "many short gaps, main thread always busy?", READING_TRACE, ASK_THREADS,
		ASK_TENSOR },
	[ASK_DRAM] = { "do pointwise kernels take over a fifth of the time?", READING_KERNELS,
		LEAF(CAUSE_MEMORY_BOUND), ASK_RECOMPUTE },
	[ASK_THREADS] = { "are more threads running than there are cores?", READING_TOP,
		LEAF(CAUSE_THREADS), LEAF(CAUSE_LAUNCH) },
	[ASK_RECOMPUTE] = { "did it begin with a change that saves memory?", READING_CHANGES,
		LEAF(CAUSE_RECOMPUTE), LEAF(CAUSE_GPU_BOUND) },
	[ASK_DATA] = { "is it idle while a batch is prepared?", READING_TRACE, ASK_READING,
		ASK_COPY },
	[ASK_COPY] = { "does forward wait for the copy?", READING_TRACE, LEAF(CAUSE_COPY),
		ASK_SYNC },
	[ASK_SYNC] = { "do gaps follow a synchronisation?", READING_TRACE, LEAF(CAUSE_SYNC),
		ASK_THREADS },

	[ASK_RESERVED] = { "is much more reserved than allocated?", READING_MEMORY,
		LEAF(CAUSE_FRAGMENTATION), ASK_ACTIVATIONS },
	[ASK_ACTIVATIONS] = { "are activations more than half of it?", READING_MEMORY,
		LEAF(CAUSE_ACTIVATIONS), LEAF(CAUSE_STATE) },

	[ASK_ORPHANS] = { "does the cache hold blocks of nobody?", READING_CACHE,
		LEAF(CAUSE_CACHE_LEAK), ASK_FIRST_TOKEN },
	[ASK_FIRST_TOKEN] = { "is only the first token late, the rest steady?", READING_LATENCY,
		ASK_GROWING, LEAF(CAUSE_LONG_PREFILL) },
	[ASK_GROWING] = { "does the wait grow as long as it runs?", READING_LATENCY,
		LEAF(CAUSE_OVERLOAD), LEAF(CAUSE_STATIC_BATCH) },

	[ASK_NAN] = { "does the loss become NaN?", READING_LOSS, ASK_OVERFLOW, ASK_EPOCH_JUMP },
	[ASK_OVERFLOW] = { "do gradients pass 65,504, where FP16 ends?", READING_TENSORS,
		LEAF(CAUSE_OVERFLOW), LEAF(CAUSE_LEARNING_RATE) },
	[ASK_EPOCH_JUMP] = { "does the loss jump where an epoch begins?", READING_LOSS,
		LEAF(CAUSE_DATA_ORDER), ASK_CHANNELS },
	[ASK_CHANNELS] = { "are a few channels far wider than the rest?", READING_TENSORS,
		LEAF(CAUSE_OUTLIERS), LEAF(CAUSE_LEARNING_RATE) },
};

struct walk_result patient_walk(const struct signs *s, const bool asked[N_READINGS])
{
	struct walk_result w = { .leaf = N_CAUSES, .missing = N_READINGS };
	bool used[N_READINGS] = { false };
	int at = ASK_WARD_MEMORY;
	while (at >= 0) {
		enum patient_reading from = branches[at].from;
		bool answer = yes((enum branch)at, s);
		if (branches[at].question && !asked[from]) {
			w.missing = from;
			w.next = branches[at].question;
			return w;
		}
		if (branches[at].question && w.n < MAX_WALK) {
			w.steps[w.n++] =
				(struct step_of_walk){ branches[at].question, from, answer };
			w.readings += !used[from];
			used[from] = true;
		}
		at = answer ? branches[at].yes : branches[at].no;
	}
	w.leaf = (enum cause)(-1 - at);
	return w;
}

struct numbering {
	size_t row[N_BRANCHES]; /* 0: it has no number yet */
	int at[N_BRANCHES];
	size_t n;
};

static void number_from(int at, struct numbering *to)
{
	assert(at < N_BRANCHES);
	if (at < 0 || to->row[at])
		return;
	to->at[to->n++] = at;
	to->row[at] = to->n;
	number_from(branches[at].yes, to);
	number_from(branches[at].no, to);
}

static struct tree_exit exit_to(int at, const struct numbering *rows)
{
	return at < 0 ? (struct tree_exit){ 0, (enum cause)(-1 - at) }
		      : (struct tree_exit){ rows->row[at], N_CAUSES };
}

size_t patient_tree(enum ward ward, struct tree_row rows[static MAX_TREE])
{
	assert(ward < N_WARDS);
	static_assert((int)N_BRANCHES <= (int)MAX_TREE, "every question has a row");
	const struct signs complaint = { .ward = ward };
	struct numbering found = { 0 };
	int at = ASK_WARD_MEMORY;
	while (!branches[at].question)
		at = yes((enum branch)at, &complaint) ? branches[at].yes : branches[at].no;
	number_from(at, &found);
	for (size_t i = 0; i < found.n; i++) {
		int b = found.at[i];
		rows[i] = (struct tree_row){ branches[b].question, branches[b].from,
			exit_to(branches[b].yes, &found), exit_to(branches[b].no, &found) };
	}
	return found.n;
}

void patient_symptoms(const struct signs *s, struct symptom symptoms[static N_SYMPTOMS])
{
	symptoms[0] = (struct symptom){ "the GPU is idle before the first kernels", READING_TRACE,
		s->idle[IDLE_DATA] > 0.03 || s->idle[IDLE_COPY] > 0.03,
		"the input: workers, storage, the copy to the device" };
	symptoms[1] = (struct symptom){ "backward has a long tail", READING_NCCL, yes(ASK_NCCL, s),
		"the all-reduce, its buckets, the links, a late rank" };
	symptoms[2] = (struct symptom){ "single steps are slow", READING_STEPS, yes(ASK_BURSTY, s),
		"checkpoints, storage, a neighbour" };
	symptoms[3] = (struct symptom){ "out of memory after scaling", N_READINGS,
		s->ward == WARD_MEMORY, "activations, optimizer state, fragmentation" };
}

/* --- Patients --- */

static const struct ward_row {
	void (*draw)(struct patient *p, const struct tables *t, struct rng *r);
	bool (*examine)(struct arena *a, const struct patient *p, struct examination *x);
	bool (*treat)(struct patient *p, enum remedy remedy);
} wards[N_WARDS] = {
	[WARD_SPEED] = { speed_draw, speed_examine, speed_treat },
	[WARD_MEMORY] = { memory_draw_patient, memory_examine, memory_treat },
	[WARD_SERVING] = { serving_draw, serving_examine, serving_treat },
	[WARD_NUMBERS] = { numbers_draw, numbers_examine, numbers_treat },
};

/* Measures a patient as it is. False when memory is out. */
static bool patient_examine(struct arena *a, const struct patient *p, struct examination *x)
{
	assert(p->cause < N_CAUSES);
	*x = (struct examination){ .signs = { .ward = causes[p->cause].ward } };
	return wards[causes[p->cause].ward].examine(a, p, x) && !a->failed;
}

/* Applies a remedy; false where it has nothing to act on. */
static bool patient_treat(struct patient *p, enum remedy remedy)
{
	assert(p->cause < N_CAUSES && remedy < N_REMEDIES);
	return wards[causes[p->cause].ward].treat(p, remedy);
}

/* Chance may hide a fault behind something else: such a patient is drawn again. */
bool patient_with(struct arena *a, const struct tables *t, enum cause cause, uint64_t seed,
	struct patient *p, struct examination *x)
{
	assert(cause < N_CAUSES);
	enum { ATTEMPTS = 6 };
	bool all[N_READINGS];
	for (int i = 0; i < N_READINGS; i++)
		all[i] = true;
	for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
		struct rng r = rng_stream(seed, "patient", attempt);
		*p = (struct patient){ .cause = cause, .seed = seed };
		wards[causes[cause].ward].draw(p, t, &r);
		if (!patient_examine(a, p, x))
			return false;
		if (patient_walk(&x->signs, all).leaf == cause)
			return true;
	}
	return true;
}

bool patient_make(struct arena *a, const struct tables *t, enum ward ward, uint64_t seed,
	struct patient *p, struct examination *x)
{
	assert(ward <= N_WARDS);
	struct rng r = rng_stream(seed, "who comes", (uint64_t)ward);
	enum cause cause;
	do
		cause = (enum cause)rng_below(&r, N_CAUSES);
	while (ward != N_WARDS && causes[cause].ward != ward);
	return patient_with(a, t, cause, seed, p, x);
}

const char *patient_complaint(const struct patient *p)
{
	switch (causes[p->cause].ward) {
	case WARD_SPEED:
		return p->cause == CAUSE_GPU_BOUND ? "Could this training run be faster?"
						   : "Training is slower than it should be.";
	case WARD_MEMORY:
		return "Training stops in its first step: out of memory.";
	case WARD_SERVING:
		return "Answers take too long, some of them far too long.";
	case WARD_NUMBERS:
	default:
		return p->numbers.quantised ? "The INT8 model answers worse than the model it was "
					      "made of."
					    : "It is fast, but the loss is not right.";
	}
}

/* --- the score ------------------------------------------------------------------------------- */

/* How bad it is with a remedy; as before where the remedy has nothing to act on. */
static bool with_remedy(struct arena *a, const struct patient *p, enum remedy remedy, double before,
	double *badness)
{
	struct patient treated = *p;
	struct examination *x = arena_alloc(a, sizeof *x);
	*badness = before;
	if (!x)
		return false;
	if (!patient_treat(&treated, remedy))
		return true;
	treated.machine.watch_n = 0;
	if (!patient_examine(a, &treated, x))
		return false;
	*badness = x->badness;
	return true;
}

static bool is_used(const struct walk_result *w, enum patient_reading r)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->steps[i].from == r)
			return true;
	return false;
}

bool patient_score_of(struct arena *a, const struct patient *p, const struct examination *x,
	enum cause said, enum remedy chosen, const bool asked[N_READINGS],
	struct patient_score *score)
{
	assert(said <= N_CAUSES && chosen <= N_REMEDIES);
	bool all[N_READINGS];
	double best = x->badness;
	*score = (struct patient_score){ .before = x->badness, .after = x->badness };
	for (int i = 0; i < N_READINGS; i++) {
		all[i] = true;
		score->asked += asked[i];
		score->spent += asked[i] ? readings[i].price : 0;
	}
	struct walk_result way = patient_walk(&x->signs, all);
	score->par = way.readings;
	for (int i = 0; i < N_READINGS; i++)
		score->par_spent += is_used(&way, (enum patient_reading)i) ? readings[i].price : 0;
	score->cause_right = said == p->cause;
	score->bound_right = said != N_CAUSES && causes[said].bound == causes[p->cause].bound;
	enum remedy right = causes[p->cause].remedy;
	if (chosen != N_REMEDIES && !with_remedy(a, p, chosen, x->badness, &score->after))
		return false;
	if (chosen != N_REMEDIES && chosen != right && !with_remedy(a, p, right, x->badness, &best))
		return false;
	/* Another remedy counts where it takes away nearly as much. */
	double gained = x->badness - score->after, possible = x->badness - best;
	score->remedy_right = chosen == right ||
			      (chosen != N_REMEDIES && possible > 0.02 && gained > 0.9 * possible);
	double won = score->cause_right ? 50 + 20 : score->bound_right ? 25 + 20 : 0;
	score->points = fmax(0, won + (score->remedy_right ? 30 : 0) - score->spent);
	return true;
}
