#include "ui/machine/levels.h"

#include "sims/base/stats.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const double flat_ratio = 7.0 / 6, level_ratio = 5.0 / 6;
/* How far a working set may lie over a cache that still gives most of it. */
static const double overlap = 1.45;

static bool is_flat(double a, double b)
{
	return b < a * flat_ratio && a < b * flat_ratio;
}

static double middle(const double y[], const struct flat *f)
{
	double part[MOST_POINTS];
	size_t n = 0;

	for (size_t i = f->first; i <= f->last && n < MOST_POINTS; i++)
		part[n++] = y[i];
	return quantile_select(part, n, 0.5);
}

/* A flat part that is not lower than the one before belongs to it; the curve only had a dent. */
static size_t add_flat(const double y[], struct flat f, struct flat out[], size_t n, size_t most)
{
	if (n && middle(y, &f) > level_ratio * middle(y, &out[n - 1])) {
		out[n - 1].last = f.last;
		return n;
	}
	if (n == most)
		n--;
	out[n] = f;
	return n + 1;
}

size_t flats_find(const double y[], size_t n, struct flat out[], size_t most)
{
	size_t found = 0;

	for (size_t i = 0, last; i < n && most; i = last + 1) {
		last = i;
		while (last + 1 < n && is_flat(y[last], y[last + 1]))
			last++;
		/* A single point is part of a slope, except at the end, where the curve may go on
		 * flat. */
		if (last > i || last + 1 == n)
			found = add_flat(y, (struct flat){ i, last }, out, found, most);
	}
	return found;
}

/* --- Names --- */

enum { MEMORY = MOST_MACHINE_LEVELS - 1, NO_RANK = -1 };

/* Which level a flat part belongs to, judged by its last working set: the index of the cache that
 * holds this much; or, when the system tells of no caches, its number from the left. The last part
 * is MEMORY, although the caches may still serve some of it (machine_memory_begins). */
static int rank_of(
	const struct machine *m, enum crew_kind crew, double bytes, size_t number, bool is_last)
{
	size_t n = m->n_caches;

	if (!n)
		return is_last ? MEMORY : number < MEMORY ? (int)number : NO_RANK;
	for (size_t i = 0; i < n; i++)
		if (bytes <= overlap * machine_cache_bytes(m, &m->caches[i], crew))
			return (int)i;
	return is_last ? MEMORY : NO_RANK;
}

static void name_level(const struct machine *m, struct machine_level *l, int rank)
{
	if (rank == MEMORY) {
		snprintf(l->name, sizeof l->name, "memory");
	} else if (m->n_caches) {
		snprintf(l->name, sizeof l->name, "L%d", m->caches[rank].level);
		l->bytes = m->caches[rank].bytes;
	} else {
		snprintf(l->name, sizeof l->name, "level %d", rank + 1);
		l->bytes = l->seen_bytes;
	}
}

/* The points that were measured with a crew. It takes their best samples, because medians also show
 * what other programs did. */
struct curve {
	size_t at[MOST_POINTS], n;
	double read[MOST_POINTS];
};

static struct curve curve_of(const struct machine *m, enum crew_kind crew)
{
	struct curve c = { .n = 0 };

	for (size_t i = 0; i < m->n_points; i++) {
		const struct spread *read = &m->points[i].rate[crew][KERNEL_READ];
		if (!read->n)
			continue;
		c.at[c.n] = i;
		c.read[c.n++] = read->best;
	}
	return c;
}

static double rate_of(const struct machine *m, const struct curve *c, const struct flat *f,
	enum crew_kind crew, enum memory_kernel k)
{
	double medians[MOST_POINTS];
	size_t n = 0;

	for (size_t i = f->first; i <= f->last; i++) {
		const struct spread *s = &m->points[c->at[i]].rate[crew][k];
		if (s->n)
			medians[n++] = s->median;
	}
	return n ? quantile_select(medians, n, 0.5) : 0;
}

static void add_crew(const struct machine *m, enum crew_kind crew, struct machine_level levels[])
{
	struct curve c = curve_of(m, crew);
	struct flat flats[MOST_MACHINE_LEVELS];
	size_t n = flats_find(c.read, c.n, flats, MOST_MACHINE_LEVELS);

	for (size_t i = 0; i < n; i++) {
		double bytes = m->points[c.at[flats[i].last]].bytes;
		int rank = rank_of(m, crew, bytes, i, i + 1 == n);
		if (rank == NO_RANK || levels[rank].rate[crew][KERNEL_READ] > 0)
			continue;
		struct machine_level *l = &levels[rank];
		if (crew == ONE_THREAD)
			l->seen_bytes = bytes;
		name_level(m, l, rank);
		for (int k = 0; k < N_MEMORY_KERNELS; k++)
			l->rate[crew][k] = rate_of(m, &c, &flats[i], crew, (enum memory_kernel)k);
	}
}

size_t machine_levels(const struct machine *m, struct machine_level out[static MOST_MACHINE_LEVELS])
{
	assert(m->n_points <= MOST_POINTS && m->n_caches <= MOST_CACHES);
	size_t n = 0;

	memset(out, 0, MOST_MACHINE_LEVELS * sizeof *out);
	for (int crew = 0; crew < N_CREWS; crew++)
		add_crew(m, (enum crew_kind)crew, out);
	for (size_t i = 0; i < MOST_MACHINE_LEVELS; i++)
		if (out[i].name[0])
			out[n++] = out[i];
	return n;
}
