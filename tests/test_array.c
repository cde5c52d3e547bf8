/* Arrays that grow in an arena: what is in them, and where they lie. */
#include "sims/base/array.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdint.h>

struct numbers {
	uint32_t *at;
	size_t n, room;
};

/* Two arrays in turns, so that neither is at the end of what the other has: through chunks that are shared
 * and through chunks of their own. */
Test(array, keeps_what_is_in_it_while_it_grows)
{
	enum { MANY = 100000 };
	struct arena a = { 0 };
	struct numbers up = { 0 }, down = { 0 };
	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t *one = ARRAY_PUSH(&a, &up, at, n, room);
		cr_assert(one != NULL && *one == 0);
		*one = i;
		one = ARRAY_PUSH(&a, &down, at, n, room);
		cr_assert(one != NULL && *one == 0);
		*one = MANY - i;
	}
	cr_assert(up.n == MANY && down.n == MANY);
	for (uint32_t i = 0; i < MANY; i++)
		cr_assert(up.at[i] == i && down.at[i] == MANY - i);
	arena_release(&a);
}

/* Alone in its chunk, an allocation grows there, and its neighbours are not moved. */
Test(array, grows_in_a_chunk_of_its_own)
{
	struct arena a = { 0 };
	const char *neighbour = arena_text(&a, "a neighbour");
	unsigned char *p = arena_alloc(&a, 20000);
	cr_assert(p != NULL);
	p[0] = 1;
	p[19999] = 2;
	p = arena_regrow(&a, p, 20000, 5000000);
	cr_assert(p != NULL && p[0] == 1 && p[19999] == 2 && p[20000] == 0 && p[4999999] == 0);
	cr_expect_str_eq(neighbour, "a neighbour");
	arena_release(&a);
}

/* At the end of a chunk that has room, it grows where it is. */
Test(array, grows_in_place_at_the_end)
{
	struct arena a = { 0 };
	unsigned char *p = arena_alloc(&a, 100);
	cr_assert(p != NULL);
	p[99] = 7;
	unsigned char *bigger = arena_regrow(&a, p, 100, 1000);
	cr_expect(bigger == p && p[99] == 7 && p[999] == 0);
	const char *next = arena_text(&a, "next");
	cr_expect(next >= (const char *)p + 1000);
	arena_release(&a);
}

Test(array, refuses_more_than_there_is)
{
	struct arena a = { 0 };
	void *p = arena_alloc(&a, 20000);
	cr_assert(p != NULL);
	cr_expect(arena_regrow(&a, p, 20000, SIZE_MAX / 2 + 1) == NULL);
	cr_expect(a.failed);
	arena_release(&a);
}
