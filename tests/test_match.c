/* Names and characters as people type them: what is near, what is a whole character. */
#include "sims/base/arena.h"
#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/base/utf8.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

/* A slip is one letter more, less or other, or two that changed places. */
Test(match, the_nearest_name)
{
	static const char *const names[] = { "roofline", "memory", "batching", "latency",
		"kvcache" };
	static const struct {
		const char *typed, *near;
	} rows[] = { { "roofline", "roofline" }, { "rofline", "roofline" },
		{ "rooflinee", "roofline" }, { "roofkine", "roofline" }, { "roolfine", "roofline" },
		{ "ROOFLINE", "roofline" }, { "roof", "roofline" }, { "lat", "latency" },
		{ "zzzzzzzz", NULL }, { "x", NULL },
		/* However long: the slips that count are those of what is compared. */
		{ "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
		  "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
			NULL } };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *near = nearest_name(rows[i].typed, names, LENGTH(names));
		cr_expect(rows[i].near ? near && strcmp(near, rows[i].near) == 0 : !near, "%s: %s",
			rows[i].typed, near ? near : "(none)");
	}
}

Test(match, the_hint_ends_a_refusal)
{
	static const char *const names[] = { "json", "csv" };
	char hint[HINT_SIZE];
	cr_expect(eq(
		str, did_you_mean("jsn", names, 2, hint, sizeof hint), "; did you mean \"json\"?"));
	cr_expect(eq(str, did_you_mean("plot", names, 2, hint, sizeof hint), ""));
}

/* "a", U+00B5 in two bytes, U+20AC in three, U+1F600 in four: 10 bytes. */
Test(utf8, a_cut_keeps_whole_characters)
{
	static const char text[] = "a\u00b5\u20ac\U0001f600";
	static const size_t whole[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10 };
	for (size_t most = 0; most < LENGTH(whole); most++)
		cr_expect(eq(sz, utf8_whole(text, most), whole[most]), "%zu", most);
}

/* From the table of well-formed sequences in the Unicode Standard, chapter 3 (table 3-7). */
Test(utf8, characters_are_told_from_other_bytes)
{
	static const struct {
		const char *text;
		int bytes;
	} rows[] = { { "", 0 }, { "a", 1 }, { "\xc2\x80", 2 }, { "\xc1\xbf", 0 },
		{ "\xe0\xa0\x80", 3 }, { "\xe0\x80\x80", 0 }, { "\xed\x9f\xbf", 3 },
		{ "\xed\xa0\x80", 0 }, { "\xef\xbf\xbd", 3 }, { "\xf0\x90\x80\x80", 4 },
		{ "\xf0\x80\x80\x80", 0 }, { "\xf4\x8f\xbf\xbf", 4 }, { "\xf4\x90\x80\x80", 0 },
		{ "\x80", 0 }, { "\xe2\x82", 0 } };
	for (size_t i = 0; i < LENGTH(rows); i++)
		cr_expect(eq(int, utf8_char_bytes(rows[i].text), rows[i].bytes), "row %zu", i);
}

Test(utf8, small_letters)
{
	cr_expect(eq(u32, utf8_lower('A'), 'a'));
	cr_expect(eq(u32, utf8_lower(0xc4), 0xe4));   /* A with diaeresis */
	cr_expect(eq(u32, utf8_lower(0xd7), 0xd7));   /* the multiplication sign is not a letter */
	cr_expect(eq(u32, utf8_lower(0x3a9), 0x3c9)); /* omega */
	cr_expect(eq(u32, utf8_lower(0x416), 0x436)); /* zhe */
}

/* The ends of each block of letters, where large and small ones take turns or lie apart; and what has no other
 * form, or one elsewhere. */
Test(utf8, small_letters_of_every_block)
{
	static const uint32_t rows[][2] = { { 0xc0, 0xe0 }, { 0xde, 0xfe }, { 0xd7, 0xd7 },
		{ 0xdf, 0xdf }, { 0x100, 0x101 }, { 0x101, 0x101 }, { 0x12e, 0x12f },
		{ 0x130, 0x130 }, { 0x132, 0x133 }, { 0x136, 0x137 }, { 0x138, 0x138 },
		{ 0x139, 0x13a }, { 0x13a, 0x13a }, { 0x147, 0x148 }, { 0x149, 0x149 },
		{ 0x14a, 0x14b }, { 0x176, 0x177 }, { 0x178, 0x178 }, { 0x179, 0x17a },
		{ 0x17d, 0x17e }, { 0x17f, 0x17f }, { 0x390, 0x390 }, { 0x391, 0x3b1 },
		{ 0x3ab, 0x3cb }, { 0x3ac, 0x3ac }, { 0x400, 0x450 }, { 0x40f, 0x45f },
		{ 0x410, 0x430 }, { 0x42f, 0x44f }, { 0x430, 0x430 }, { 0x460, 0x461 },
		{ 0x480, 0x481 }, { 0x482, 0x482 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(u32, utf8_lower(rows[i][0]), rows[i][1]), "%#x", (unsigned)rows[i][0]);
}

/* Sixteen, then twice as many: 40 numbers move the array twice, and none is lost. */
Test(array, grows_and_keeps_what_it_has)
{
	struct arena a = { 0 };
	struct {
		int *of;
		size_t n, room;
	} list = { 0 };
	for (int i = 0; i < 40; i++) {
		int *added = ARRAY_PUSH(&a, &list, of, n, room);
		cr_assert(added && *added == 0);
		*added = i;
	}
	cr_expect(eq(sz, list.n, 40));
	cr_expect(eq(sz, list.room, 64));
	for (int i = 0; i < 40; i++)
		cr_expect(eq(int, list.of[i], i));
	arena_release(&a);
}
