/* Names as they are said. */
#include "sims/base/name_words.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

Test(name_words, are_what_people_say)
{
	static const struct {
		const char *name, *said;
	} rows[] = { { "kv_heads", "KV heads" }, { "bytes_per_value", "bytes per value" },
		{ "gpus", "GPUs" }, { "peak_flops", "peak FLOPS" }, { "kv-cache", "KV cache" },
		{ "time_2", "time 2" }, { "skv", "skv" }, { "fp8", "FP8" }, { "", "" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char said[64];
		cr_expect(
			eq(str, name_words(rows[i].name, said, sizeof said), (char *)rows[i].said));
	}
}

Test(name_words, end_where_the_room_does)
{
	char said[6];
	cr_expect(eq(str, name_words("kv_heads", said, sizeof said), "KV he"));
}
