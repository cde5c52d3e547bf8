/* What comes through the gate that everything printed passes, byte by byte and in whatever pieces. */
#include "ui/commands/text_gate.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* To be freed. */
static char *through(struct gate_rules rules, const char *const parts[], size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size), *gate = text_gate(to, rules);
	cr_assert(gate != NULL);
	for (size_t i = 0; i < n; i++) {
		fputs(parts[i], gate);
		fflush(gate);
	}
	fclose(gate);
	fclose(to);
	return text;
}

#define SHOWN "\357\277\275" /* U+FFFD */
static const struct row {
	struct gate_rules rules;
	const char *parts[3], *text;
} rows[] = {
	/* Plain text, lines and tabs pass. */
	{ { GATE_TEXT, 0, 0 }, { "a\tb\n", "2 \303\227 3", "" }, "a\tb\n2 \303\227 3" },
	/* A character in two writes is one; half of one is none. */
	{ { GATE_TEXT, 0, 0 }, { "\303", "\227", "" }, "\303\227" },
	{ { GATE_TEXT, 0, 0 }, { "\303", "(", "" }, SHOWN "(" },
	{ { GATE_TEXT, 0, 0 }, { "\342\206", "", "" }, SHOWN SHOWN },
	{ { GATE_TEXT, 0, 0 }, { "\342\206", "\303\227", "" }, SHOWN SHOWN "\303\227" },
	/* Longer than it need be (a slash), half of a pair, beyond the last one, no first byte. */
	{ { GATE_TEXT, 0, 0 }, { "\300\257", "", "" }, SHOWN SHOWN },
	{ { GATE_TEXT, 0, 0 }, { "\355\240\200", "", "" }, SHOWN SHOWN SHOWN },
	{ { GATE_TEXT, 0, 0 }, { "\364\220\200\200", "", "" }, SHOWN SHOWN SHOWN SHOWN },
	{ { GATE_TEXT, 0, 0 }, { "\377x\200", "", "" }, SHOWN "x" SHOWN },
	/* What steers: escape, bell, backspace, return, delete; U+009B, U+202E, U+2066, a tag. */
	{ { GATE_TEXT, 0, 0 }, { "\033[5mx", "", "" }, SHOWN "[5mx" },
	{ { GATE_TEXT, 0, 0 }, { "\033]52;c;eA==\a", "", "" }, SHOWN "]52;c;eA==" SHOWN },
	{ { GATE_TEXT, 0, 0 }, { "a\bb\rc\177", "", "" }, "a" SHOWN "b" SHOWN "c" SHOWN },
	{ { GATE_TEXT, 0, 0 },
		{ "\302\233"
		  "5m",
			"", "" },
		SHOWN "5m" },
	{ { GATE_TEXT, 0, 0 }, { "\342\200\256", "\342\201\246", "" }, SHOWN SHOWN },
	{ { GATE_TEXT, 0, 0 }, { "\363\240\201\201", "", "" }, SHOWN },
	/* Styles of our own, where they are asked for; nothing that is like them. */
	{ { GATE_TEXT, 0, 1 }, { "\033[0;1;38;5;7mx\033[0m", "", "" }, "\033[0;1;38;5;7mx\033[0m" },
	{ { GATE_TEXT, 0, 1 }, { "\033", "[0;4:", "4mx" }, "\033[0;4:4mx" },
	{ { GATE_TEXT, 0, 1 }, { "\033[5mx", "", "" }, SHOWN "[5mx" },
	{ { GATE_TEXT, 0, 1 }, { "\033[0;1Hx", "", "" }, SHOWN "[0;1Hx" },
	{ { GATE_TEXT, 0, 1 }, { "\033[0\033[0m", "", "" }, SHOWN "[0\033[0m" },
	{ { GATE_TEXT, 0, 1 }, { "\033", "", "" }, SHOWN },
	{ { GATE_TEXT, 0, 0 }, { "\033[0m", "", "" }, SHOWN "[0m" },
	/* JSON keeps what it means. */
	{ { GATE_JSON, 0, 0 }, { "\"\303\227\"", "", "" }, "\"\303\227\"" },
	{ { GATE_JSON, 0, 0 }, { "\"\342\200\256\302\233\177\"", "", "" },
		"\"\\u202e\\u009b\\u007f\"" },
	{ { GATE_JSON, 0, 0 }, { "\363\240\201\201", "", "" }, "\\udb40\\udc41" },
	/* ASCII. */
	{ { GATE_TEXT, 1, 0 }, { "2 \303\227 3 \342\206\222 6", "", "" }, "2 x 3 -> 6" },
	{ { GATE_TEXT, 1, 0 }, { "2 \303", "\227 3", "\n" }, "2 x 3\n" },
	{ { GATE_TEXT, 1, 0 }, { "\303", "(", "\033[5m" }, "?(?[5m" },
	{ { GATE_CSV, 1, 0 }, { "\342\200\234", "a", "\342\200\235" }, "'a'" },
	{ { GATE_JSON, 1, 0 }, { "\"\303\227\"", "", "" }, "\"\\u00d7\"" },
	{ { GATE_JSON, 1, 0 }, { "\360\237", "\230\200", "" }, "\\ud83d\\ude00" },
};

Test(text_gate, shows_what_steers_and_lets_the_rest_pass)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = through(rows[i].rules, rows[i].parts, 3);
		cr_expect(eq(str, text, (char *)rows[i].text), "row %zu", i);
		free(text);
	}
}

/* However the bytes come in, the same go out. */
Test(text_gate, does_not_depend_on_the_pieces)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char all[200] = "";
		char bytes[200][2] = { "" };
		const char *pieces[200];
		for (size_t k = 0; k < 3; k++)
			strcat(all, rows[i].parts[k]);
		const size_t n = strlen(all);
		for (size_t k = 0; k < n; k++) {
			bytes[k][0] = all[k];
			pieces[k] = bytes[k];
		}
		char *text = through(rows[i].rules, pieces, n);
		cr_expect(eq(str, text, (char *)rows[i].text), "row %zu", i);
		free(text);
	}
}

/* A style that never ends is none, and nothing of it is lost. */
Test(text_gate, gives_up_a_style_that_is_too_long)
{
	char longest[300] = "\033[0";
	memset(longest + 3, ';', 200);
	const char *const parts[] = { longest };
	char *text = through((struct gate_rules){ .styles = true }, parts, 1);
	cr_expect(strncmp(text, SHOWN "[0;;", 7) == 0);
	cr_expect(eq(sz, strlen(text), 3 + 2 + 200));
	free(text);
}

/* What cannot be written is an error of the gate as well. */
Test(text_gate, says_that_nothing_can_be_written)
{
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		cr_skip_test("there is no /dev/full");
	FILE *gate = text_gate(full, (struct gate_rules){ .ascii = false });
	cr_assert(gate != NULL);
	fputs("x", gate);
	cr_expect(fflush(gate) != 0 && ferror(gate));
	fclose(gate);
	fclose(full);
}
