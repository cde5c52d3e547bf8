/* Bytes from a terminal into keys: whole, split anywhere, unknown, and at random. */
#include "sims/base/rng.h"
#include "ui/term/input.h"
#include "ui/term/keys.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

enum { MOST = 16 };
#define UNKNOWN KEY_NONE_

/* The bytes of each key as ECMA-48, xterm, rxvt and the Linux console have them. */
static const struct {
	const char *bytes;
	uint32_t keys[MOST]; /* 0 ends */
} rows[] = {
	{ "jk", { 'j', 'k' } },
	{ "\r\n\t", { KEY_ENTER_, KEY_ENTER_, KEY_TAB } },
	{ "\177", { KEY_BACKSPACE_ } },
	{ "\303\251\342\202\254\360\237\230\200", { 0xe9, 0x20ac, 0x1f600 } },
	{ "\033", { KEY_ESC } },
	{ "\033\033", { KEY_ESC, KEY_ESC } },
	{ "\033[A\033[B\033[C\033[D", { KEY_UP_, KEY_DOWN_, KEY_RIGHT_, KEY_LEFT_ } },
	{ "\033OA\033OB\033OC\033OD", { KEY_UP_, KEY_DOWN_, KEY_RIGHT_, KEY_LEFT_ } },
	{ "\033[H\033[F\033OH\033OF", { KEY_HOME_, KEY_END_, KEY_HOME_, KEY_END_ } },
	{ "\033[1~\033[4~\033[7~\033[8~", { KEY_HOME_, KEY_END_, KEY_HOME_, KEY_END_ } },
	{ "\033[3~\033[5~\033[6~\033[Z", { KEY_DELETE_, KEY_PGUP_, KEY_PGDN_, KEY_BACKTAB_ } },
	{ "\033Oq\033On\033OuM\033OM", { '1', '.', '5', 'M', KEY_ENTER_ } }, /* the keypad */
	/* unknown keys are one key, without the text of their bytes */
	{ "\033OP\033[15~\033[[Aj", { UNKNOWN, UNKNOWN, UNKNOWN, 'j' } },
	{ "\033[1;5Aj", { UNKNOWN, 'j' } },
	{ "\033[99~j", { UNKNOWN, 'j' } },
	/* Alt and a key is not Esc and that key */
	{ "\033qj", { UNKNOWN, 'j' } },
	{ "\033\303\251j", { UNKNOWN, 'j' } },
	{ "\033\rj", { UNKNOWN, 'j' } },
	{ "\033[", { UNKNOWN } },
	{ "\033O", { UNKNOWN } },
	/* Esc before a key that begins with it */
	{ "\033\033[A", { KEY_ESC, KEY_UP_ } },
	/* what nobody typed: focus, answers, strings, a broken sequence, no UTF-8 */
	{ "\033[Ij\033[Oj\033[?1;2cj\033[24;80Rj", { 'j', 'j', 'j', 'j' } },
	{ "\033]11;rgb:0000/0000/0000\007j\033P1+r\033\\j", { 'j', 'j' } },
	{ "\033[200~ab\033[201~", { 'a', 'b' } },
	{ "\033[12\033[A", { KEY_UP_ } },
	{ "\377\300\200j\355\240\200j\302\205", { 'j', 'j' } },
	{ "\303j", { 'j' } },
};

static size_t all_keys(struct input *in, bool silent, uint32_t keys[], size_t n, size_t room)
{
	struct input_event e;
	while (input_next(in, silent, &e) == INPUT_EVENT)
		if (n < room && e.key != KEY_REPLY)
			keys[n++] = e.key;
	return n;
}

static void expect_keys(size_t row, const uint32_t keys[], size_t n, size_t split)
{
	size_t want = 0;
	while (want < MOST && rows[row].keys[want])
		want++;
	cr_expect(eq(sz, n, want), "row %zu split at %zu", row, split);
	for (size_t i = 0; i < n && i < want; i++)
		cr_expect(eq(u32, keys[i], rows[row].keys[i]), "row %zu key %zu split at %zu", row,
			i, split);
}

Test(input, sequences_in_one_read_or_split_anywhere)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t bytes = strlen(rows[i].bytes);
		for (size_t split = 0; split <= bytes; split++) {
			struct input in = { 0 };
			uint32_t keys[MOST];
			input_add(&in, rows[i].bytes, split);
			size_t n = all_keys(&in, false, keys, 0, MOST);
			input_add(&in, rows[i].bytes + split, bytes - split);
			n = all_keys(&in, false, keys, n, MOST);
			n = all_keys(&in, true, keys, n, MOST);
			expect_keys(i, keys, n, split);
			cr_expect(eq(sz, in.n, 0));
		}
	}
}

Test(input, an_unfinished_sequence_waits)
{
	struct input in = { 0 };
	struct input_event e;
	input_add(&in, "\033", 1);
	cr_expect(eq(int, input_next(&in, false, &e), INPUT_UNFINISHED));
	input_add(&in, "[5", 2);
	cr_expect(eq(int, input_next(&in, false, &e), INPUT_UNFINISHED));
	input_add(&in, "~", 1);
	cr_expect(eq(int, input_next(&in, false, &e), INPUT_EVENT));
	cr_expect(eq(u32, e.key, KEY_PGUP_));
	cr_expect(eq(int, input_next(&in, false, &e), INPUT_EMPTY));
}

Test(input, keys_that_terminfo_names)
{
	static const char bytes[] =
		"\033A\bx\033[11^"; /* a VT52's Up, its Backspace, rxvt's Ctrl-F1 */
	static const uint32_t want[] = { KEY_UP_, KEY_BACKSPACE_, 'x', KEY_END_ };
	struct input in = { 0 };
	uint32_t keys[MOST];
	input_name_key(&in, "\033A", KEY_UP_);
	input_name_key(&in, "\b", KEY_BACKSPACE_);
	input_name_key(&in, "\033[11^", KEY_END_);
	input_name_key(&in, "", KEY_HOME_);
	for (size_t i = 0; i < sizeof bytes - 1; i++)
		input_add(&in, bytes + i, 1);
	size_t n = all_keys(&in, false, keys, 0, MOST);
	cr_assert(eq(sz, n, 4));
	for (size_t i = 0; i < n; i++)
		cr_expect(eq(u32, keys[i], want[i]), "key %zu", i);
}

Test(input, mouse_reports)
{
	static const struct {
		const char *bytes;
		uint32_t key; /* 0: none */
		int row, col;
	} reports[] = {
		{ "\033[<0;5;3M", KEY_MOUSE_CLICK, 2, 4 },
		{ "\033[<0;5;3m", 0, 0, 0 },               /* let go */
		{ "\033[<2;5;3M", 0, 0, 0 },               /* the right button */
		{ "\033[<32;5;3M", KEY_MOUSE_DRAG, 2, 4 }, /* moved with the button down */
		{ "\033[<35;5;3M", 0, 0, 0 },              /* with none */
		{ "\033[<34;5;3M", 0, 0, 0 },              /* with the right one */
		{ "\033[<64;300;100M", KEY_WHEEL_UP, 99, 299 },
		{ "\033[<65;1;1M", KEY_WHEEL_DOWN, 0, 0 },
		{ "\033[<0;0;0M", 0, 0, 0 },
		{ "\033[<0;99999999999999999999;1M", KEY_MOUSE_CLICK, 0, 999998 },
		{ "\033[M !!", KEY_MOUSE_CLICK, 0, 0 }, /* the old way: 32 and 33, 33 */
		{ "\033[M#!!", 0, 0, 0 },
		{ "\033[M@!!", KEY_MOUSE_DRAG, 0, 0 },
		{ "\033[M`!\"", KEY_WHEEL_UP, 1, 0 },
	};
	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
		struct input in = { 0 };
		struct input_event e = { 0 };
		input_add(&in, reports[i].bytes, strlen(reports[i].bytes));
		enum input_state state = input_next(&in, false, &e);
		cr_expect(eq(int, state, reports[i].key ? INPUT_EVENT : INPUT_EMPTY), "row %zu", i);
		cr_expect(eq(u32, e.key, reports[i].key), "row %zu", i);
		cr_expect(eq(int, e.row, reports[i].row), "row %zu", i);
		cr_expect(eq(int, e.col, reports[i].col), "row %zu", i);
	}
}

/* Whatever comes: every byte is consumed, no key is beyond the table, a full buffer gets empty. */
Test(input, random_bytes)
{
	static const char often[] = "\033\033[O]P<;0123456789mMA~\007\\";
	struct rng r = rng_stream(17, "input", 0);
	struct input in = { 0 };
	for (int round = 0; round < 20000; round++) {
		char bytes[64];
		struct input_event e;
		size_t n = rng_below(&r, sizeof bytes);
		for (size_t i = 0; i < n; i++)
			bytes[i] = rng_below(&r, 2) ? often[rng_below(&r, sizeof often - 1)]
						    : (char)rng_below(&r, 256);
		cr_assert(ge(sz, input_room(&in), 1));
		input_add(&in, bytes, n);
		while (input_next(&in, rng_below(&r, 50) == 0, &e) == INPUT_EVENT)
			cr_assert(le(u32, e.key, KEY_NONE_));
	}
	struct input_event e;
	while (input_next(&in, true, &e) == INPUT_EVENT)
		;
	cr_expect(eq(sz, in.n, 0));
}
