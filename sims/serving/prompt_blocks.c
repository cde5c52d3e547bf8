#include "sims/serving/prompt_blocks.h"

bool prompt_blocks_init(struct prompt_blocks *p, struct arena *a, size_t most, size_t longest)
{
	*p = (struct prompt_blocks){
		.before = arena_array(a, most + 1, sizeof *p->before),
		.latest = arena_array(a, longest + 1, sizeof *p->latest),
		.prompt = arena_array(a, longest + 1, sizeof *p->prompt),
	};
	return p->before && p->latest && p->prompt;
}

void prompt_blocks_next(struct prompt_blocks *p, size_t n, size_t seen)
{
	size_t from = seen < n ? seen : n;

	while (from > 0 && !p->latest[from])
		from--; /* nobody came so far */
	uint32_t id = from ? p->latest[from] : 0;
	for (size_t i = from; i-- > 0; id = p->before[id])
		p->prompt[i] = id;
	for (size_t i = from; i < n; i++) {
		p->before[++p->n_blocks] = i ? p->prompt[i - 1] : 0;
		p->prompt[i] = p->n_blocks;
	}
	for (size_t i = 0; i < n; i++)
		p->latest[i + 1] = p->prompt[i];
}
