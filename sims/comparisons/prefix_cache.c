/* The comparison `prefix_cache`: prompts that begin as earlier ones did, in a cache without limits
 * (sims/serving/block_cache.h).
 *
 * Blocks are given identities, the real cache is asked for them, and what it finds is the
 * prediction. It falls short where no earlier prompt was long enough, and where a prompt has other
 * blocks than its tokens need. */
#include "sims/published/validation.h"
#include "sims/serving/block_cache.h"

#include <math.h>
#include <stdio.h>

enum { PROMPT, BLOCKS, SEEN, N_COLUMNS };
enum { BLOCK_TOKENS = 512, LONGEST = 100000, MOST_BLOCKS = 1 << 24 };
static const struct csv_column columns[N_COLUMNS] = {
	[PROMPT] = { .name = "prompt_tokens",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = (double)LONGEST * BLOCK_TOKENS,
		.whole = true },
	[BLOCKS] = { .name = "blocks_512",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = LONGEST,
		.whole = true },
	[SEEN] = { .name = "leading_blocks_seen_before",
		.kind = CSV_NUMBER,
		.min = 0,
		.max = LONGEST,
		.whole = true },
};

struct replay {
	struct block_cache cache;
	struct prompt_blocks blocks;
	uint32_t *held;                /* blocks of the present prompt */
	double found, asked, seen, of; /* sums: predicted and measured */
};

/* The most blocks that the trace can make. */
static size_t new_blocks(const struct csv *c)
{
	double n = 1;

	for (size_t row = 0; row < c->n_rows; row++)
		n += ceil(csv_number(c, row, PROMPT) / BLOCK_TOKENS);
	return (size_t)fmin(n, MOST_BLOCKS);
}

static struct replay *replay_new(struct arena *a, const struct csv *c)
{
	size_t most = new_blocks(c);
	struct replay *r = arena_alloc(a, sizeof *r);

	if (!r)
		return NULL;
	r->held = arena_array(a, LONGEST + 1, sizeof *r->held);
	bool ready = prompt_blocks_init(&r->blocks, a, most, LONGEST) &&
		     block_cache_init(&r->cache, a, most);
	return ready && r->held ? r : NULL;
}

/* How many leading blocks the cache has; afterwards it has all of them. */
static size_t serve(struct replay *r, size_t n)
{
	size_t hits = 0;

	for (size_t i = 0; i < n; i++) {
		r->held[i] = block_cache_find(&r->cache, r->blocks.prompt[i]);
		if (r->held[i] == NO_BLOCK_ID)
			r->held[i] = block_cache_new(&r->cache, r->blocks.prompt[i]);
		else
			hits += hits == i;
	}
	for (size_t i = 0; i < n; i++)
		block_cache_release(&r->cache, r->held[i]);
	return hits;
}

static void predict_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	struct replay *r = v->notes[file];
	double n = ceil(csv_number(c, row, PROMPT) / BLOCK_TOKENS);
	double of = csv_number(c, row, BLOCKS), seen = csv_number(c, row, SEEN);

	if (seen > of) {
		validation_skip(v, file, row,
			"leading_blocks_seen_before: expected %g at most, the blocks, found %g", of,
			seen);
		return;
	}
	if (r->blocks.n_blocks + n > MOST_BLOCKS) {
		validation_skip(v, file, row, "over %d blocks in all", MOST_BLOCKS);
		return;
	}
	prompt_blocks_next(&r->blocks, (size_t)n, (size_t)seen);
	double hits = (double)serve(r, (size_t)n);
	r->found += hits;
	r->asked += n;
	r->seen += seen;
	r->of += of;
	validation_add(v, file, row, validation_group(v, true, "hits"), hits / n, seen / of);
}

static void predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];

	v->notes[file] = replay_new(&v->arena, c);
	for (size_t row = 0; v->notes[file] && row < c->n_rows; row++)
		predict_row(v, file, row);
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];

	snprintf(w->what, sizeof w->what, "prompt of %g tokens", csv_number(c, p->row, PROMPT));
	snprintf(w->thought, sizeof w->thought, "%g blocks, %.0f found",
		ceil(csv_number(c, p->row, PROMPT) / BLOCK_TOKENS),
		p->predicted * ceil(csv_number(c, p->row, PROMPT) / BLOCK_TOKENS));
}

static void finish(struct validation *v)
{
	const struct replay *r = v->notes[0];

	if (!r || !v->n)
		return;
	double predicted = r->found / r->asked, measured = r->seen / r->of;
	validation_value(v, "predicted_hits", "blocks that hit, predicted", 100 * predicted, "%");
	validation_value(v, "measured_hits", "blocks that hit, measured", 100 * measured, "%");
	validation_verdict(
		v, "share of all blocks within 2 points", true, fabs(predicted - measured) <= 0.02);
}

static const struct measured_source sources[] = {
	{ .files = { "prefix_cache.csv" },
		.from = "Mooncake, FAST 2025",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.predict = predict,
		.describe = describe },
};

static void assume(struct figure *fig)
{
	figure_assume(fig,
		"which earlier prompt a request goes on from is not published: it is taken to be "
		"the latest that is long enough, so this tries the cache's bookkeeping and not the "
		"traffic");
}

const struct measured_model measured_prefix_cache = {
	.id = "prefix_cache",
	.title = "Shared prefixes",
	.predicts = "the share of a prompt's blocks that an unlimited cache has",
	.assume = assume,
	.quantity = "share of blocks",
	.unit = "",
	.points = true,
	.sources = sources,
	.n_sources = 1,
	.together = true,
	.finish = finish,
};
