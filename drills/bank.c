/* A bank as a collection: what drills are called, found by and put into editions. Reading one is
 * drills/bank_read.c. */
#include "drills/bank.h"

#include "sims/base/array.h"

#include <assert.h>
#include <string.h>

const char *const rung_names[N_RUNGS + 1] = { "recall", "apply", "combine", "judge" };
const char *const kind_names[N_KINDS + 1] = {
	[KIND_NUMBER] = "number",
	[KIND_CHOICE] = "choice",
	[KIND_ORDER] = "order",
	[KIND_RECALL] = "recall",
	[KIND_ESTIMATE] = "estimate",
	[KIND_CODE] = "code",
};

const char *const model_fills[] = { "params", "layers", "hidden", "heads", "kv_heads", "head_dim",
	"ffn", "vocab", NULL };
const char *const gpu_fills[] = { "peak_flops", "bandwidth", "memory_bytes", "link_bandwidth",
	"fp32_flops", "tf32_flops", "shared_bytes", "sm_count", "clock", "power", NULL };

const char *filled_unit(const char *name)
{
	static const struct {
		const char *name, *unit;
	} units[] = { { "params", "param" }, { "peak_flops", "FLOP/s" }, { "bandwidth", "B/s" },
		{ "memory_bytes", "B" }, { "link_bandwidth", "B/s" }, { "fp32_flops", "FLOP/s" },
		{ "tf32_flops", "FLOP/s" }, { "shared_bytes", "B" }, { "clock", "Hz" },
		{ "power", "W" } };
	for (size_t i = 0; i < LENGTH(units); i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].unit;
	return "";
}

const char *const language_names[N_LANGUAGES + 1] = {
	[LANGUAGE_PYTHON] = "python",
	[LANGUAGE_C] = "c",
};
const char *const language_titles[N_LANGUAGES + 1] = {
	[LANGUAGE_PYTHON] = "Python",
	[LANGUAGE_C] = "C",
};

size_t program_field(const char *at, char *name, size_t size)
{
	size_t n = *at == '@' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;
	if (n == 0 || n >= size || at[1 + n] != '@')
		return 0;
	memcpy(name, at + 1, n);
	name[n] = '\0';
	return n + 2;
}

void bank_release(struct drill_bank *b)
{
	arena_release(&b->arena);
	*b = (struct drill_bank){ 0 };
}

const struct drill *bank_find(const struct drill_bank *b, const char *id)
{
	assert(b && id);
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->drills[i].id, id) == 0)
			return &b->drills[i];
	return NULL;
}

static bool is_called(const struct drill *d, const char *set, size_t bytes)
{
	const char *const names[] = { d->topic, d->skill, d->id, rung_names[d->rung], d->chapter,
		d->chain };
	for (size_t i = 0; i < LENGTH(names); i++)
		if (names[i] && strncmp(names[i], set, bytes) == 0 && !names[i][bytes])
			return true;
	return false;
}

bool drill_is_of(const struct drill *d, const char *set)
{
	assert(d && set);
	for (;;) {
		const size_t bytes = strcspn(set, ",");
		if (is_called(d, set, bytes))
			return true;
		if (!set[bytes])
			return false;
		set += bytes + 1;
	}
}

size_t bank_pack_place(const struct drill_bank *b, const char *id)
{
	size_t i = 0;
	while (i < b->pack.n && strcmp(b->pack.ids[i], id) != 0)
		i++;
	return i;
}

size_t bank_edition(const struct drill_bank *b, const char *id)
{
	for (size_t i = 0; i < b->n_editions; i++)
		for (size_t k = 0; k < b->editions[i].n; k++)
			if (strcmp(b->editions[i].ids[k], id) == 0)
				return i + 1;
	return 0;
}

size_t bank_topics(const struct drill_bank *b, const char *topics[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n && n < most; i++) {
		bool known = false;
		for (size_t k = 0; k < n; k++)
			known |= strcmp(topics[k], b->drills[i].topic) == 0;
		if (!known)
			topics[n++] = b->drills[i].topic;
	}
	return n;
}

size_t bank_chain(
	const struct drill_bank *b, const char *chain, const struct drill *drills[MOST_CHAIN])
{
	size_t n = 0;
	for (unsigned place = 1; place <= MOST_CHAIN; place++)
		for (size_t i = 0; i < b->n; i++) {
			const struct drill *d = &b->drills[i];
			if (d->chain_place == place && strcmp(d->chain, chain) == 0)
				drills[n++] = d;
		}
	return n;
}

size_t bank_chains(const struct drill_bank *b, const char *chains[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n && n < most; i++) {
		bool known = !b->drills[i].chain;
		for (size_t k = 0; k < n && !known; k++)
			known = strcmp(chains[k], b->drills[i].chain) == 0;
		if (!known)
			chains[n++] = b->drills[i].chain;
	}
	return n;
}
