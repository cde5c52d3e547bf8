/* Arrays of structs without pointers, and back. */
#include "sims/base/image.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "ui/data/composed_models.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

struct thing {
	const char *name;
	double x[5];
	const char *about;
	uint64_t last;
};
static const struct image_layout layout = { sizeof(struct thing), 2,
	{ offsetof(struct thing, name), offsetof(struct thing, about) } };

/* Two things of eight words. Texts begin at places 1 and 3; nothing is 0. By hand: of the first 1, 1.0
 * and 3 are kept with the zeros between them, where a run of more than one begins a new one. */
Test(image, by_hand)
{
	struct arena a = { 0 };
	const struct thing things[] = { { "a", { 0, 0, 0, 0, 0 }, "bc", 7 },
		{ NULL, { 0, 0, 0, 0, 0 }, NULL, 0 } };
	const struct image i = image_of(things, 2, &layout, &a);
	const uint64_t want[] = { (uint64_t)1 << 32 | 5, 1, (uint64_t)2 << 32 | 8, 3, 7 };
	cr_assert(eq(sz, i.n_words, LENGTH(want)));
	cr_expect(zero(int, memcmp(i.words, want, sizeof want)));
	cr_assert(eq(sz, i.text_bytes, 5));
	cr_expect(zero(int, memcmp(i.texts, "a\0bc", 5)));
	arena_release(&a);
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whatever is zero in them, and whether texts are there, they come back. */
Test(image, comes_back)
{
	struct rng r = rng_stream(5, "image", 0);
	for (int round = 0; round < 200; round++) {
		static const char *const texts[] = { NULL, "", "one", "another text" };
		struct arena a = { 0 };
		struct thing things[9];
		size_t n = 1 + (size_t)rng_below(&r, LENGTH(things));
		for (size_t i = 0; i < n; i++) {
			things[i] = (struct thing){ texts[rng_below(&r, 4)], { 0 },
				texts[rng_below(&r, 4)], rng_below(&r, 3) };
			for (size_t k = 0; k < LENGTH(things[i].x); k++)
				things[i].x[k] = rng_below(&r, 2) ? rng_normal(&r) : 0;
		}
		const struct image image = image_of(things, n, &layout, &a);
		const struct thing *back = image_open(&image, &layout, &a);
		cr_assert(back && image.n == n);
		for (size_t i = 0; i < n; i++) {
			cr_expect(zero(int, memcmp(things[i].x, back[i].x, sizeof back[i].x)));
			cr_expect(eq(u64, things[i].last, back[i].last));
			cr_expect(same(things[i].name, back[i].name));
			cr_expect(same(things[i].about, back[i].about));
		}
		arena_release(&a);
	}
}

/* What the build compiles in of models that are made of parts is the same from any reading: nothing in
 * it depends on where things lay. */
Test(image, of_composed_models_is_the_same_each_time)
{
	struct tables t = { 0 }, again = { 0 };
	struct arena a = { 0 };
	char err[300];
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	cr_assert(zero(int, tables_load(&again, err, sizeof err)), "%s", err);
	struct image x = composed_models_image(&t, &a), y = composed_models_image(&again, &a);
	cr_assert(x.n == t.n_composed && x.n_words == y.n_words && x.text_bytes == y.text_bytes);
	cr_expect(zero(int, memcmp(x.words, y.words, x.n_words * sizeof *x.words)));
	cr_expect(zero(int, memcmp(x.texts, y.texts, x.text_bytes)));
	arena_release(&a);
	tables_release(&again);
	tables_release(&t);
}

static char *printed_with(const char *environment, const char *model)
{
	char command[400], *text = calloc(1, 1 << 18);
	snprintf(command, sizeof command,
		"%s XDG_CONFIG_HOME=/nonexistent %s sim kvcache model=%s gpus=8 gpu=h200 --json",
		environment, getenv("RIDGE"), model);
	FILE *f = popen(command, "r");
	cr_assert(f && text);
	cr_expect(fread(text, 1, (1 << 18) - 1, f) > 0, "%s", command);
	pclose(f);
	return text;
}

/* The program says of compiled models what it says of those that it reads from a folder. */
Test(image, says_what_the_file_says, .description = "long")
{
	static const char *const models[] = { "deepseek-v3", "gpt-oss-120b", "qwen3-next-80b-a3b",
		"nemotron3-nano", "llama4-scout", "gemma3-27b" };
	for (size_t i = 0; i < LENGTH(models); i++) {
		char *compiled = printed_with("", models[i]);
		char *read = printed_with("RIDGE_CONTENT=content", models[i]);
		cr_expect(zero(int, strcmp(compiled, read)), "%s", models[i]);
		free(compiled);
		free(read);
	}
}

/* Three things of half a word each fill two words, of which the last half is 0. */
Test(image, fills_the_last_word)
{
	static const struct image_layout halves = { sizeof(uint32_t), 0, { 0 } };
	struct arena a = { 0 };
	const uint32_t things[] = { 5, 0, 6 };
	uint64_t first = 0;
	memcpy(&first, things, sizeof first);
	const struct image i = image_of(things, LENGTH(things), &halves, &a);
	uint64_t last = 0;
	memcpy(&last, &things[2], sizeof things[2]);
	const uint64_t want[] = { (uint64_t)2 << 32, first, last };
	cr_assert(eq(sz, i.n_words, LENGTH(want)));
	cr_expect(zero(int, memcmp(i.words, want, sizeof want)));
	const uint32_t *back = image_open(&i, &halves, &a);
	cr_assert(back && memcmp(things, back, sizeof things) == 0);
	arena_release(&a);
}
