/* The key table: no key means two things, every action is explained, names read back. */
#include "ui/term/keys.h"
#include "ui/shell/bindings.h"
#include "ui/live/action.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

Test(keys, no_key_means_two_things)
{
	for (size_t i = 0; i < n_key_bindings; i++)
		for (size_t j = 0; j < i; j++)
			cr_expect(key_bindings[i].key != key_bindings[j].key ||
					  !(key_bindings[i].screens & key_bindings[j].screens),
				"rows %zu and %zu share a key", i, j);
}

Test(keys, every_action_has_a_key_and_help)
{
	for (int a = ACT_NONE + 1; a < N_ACTIONS; a++) {
		int keys = 0, helps = 0;
		for (size_t i = 0; i < n_key_bindings; i++) {
			keys += key_bindings[i].action == (enum action)a;
			helps += key_bindings[i].action == (enum action)a && key_bindings[i].help;
		}
		cr_expect(keys > 0, "action %d has no key", a);
		cr_expect(helps > 0, "action %d has no help", a);
	}
}

Test(keys, names_read_back)
{
	for (size_t i = 0; i < n_key_bindings; i++) {
		char name[16];
		key_text(key_bindings[i].key, name, sizeof name);
		cr_expect(eq(u32, key_from_name(name), key_bindings[i].key), "%s", name);
	}
	cr_expect(eq(u32, key_from_name("nonsense"), KEY_NONE_));
}

/* Both ways to write a key with Ctrl, and what is like one and none. */
Test(keys, ctrl_is_written_in_two_ways)
{
	static const struct {
		const char *name;
		uint32_t key;
	} rows[] = {
		{ "C-a", 1 },
		{ "C-z", 26 },
		{ "Ctrl-@", 0 },
		{ "Ctrl-_", 31 },
		{ "C-A", KEY_NONE_ },
		{ "C-{", KEY_NONE_ },
		{ "C-", KEY_NONE_ },
		{ "C-ab", KEY_NONE_ },
		{ "Ctrl-a", KEY_NONE_ },
		{ "Ctrl-?", KEY_NONE_ },
		{ "Ctrl-AB", KEY_NONE_ },
		{ "", KEY_NONE_ },
		{ "C", 'C' },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(
			eq(u32, key_from_name(rows[i].name), rows[i].key), "\"%s\"", rows[i].name);
}

Test(keys, nothing_needs_alt_or_function_keys)
{
	for (size_t i = 0; i < n_key_bindings; i++)
		cr_expect(key_bindings[i].key < KEY_NONE_);
}

Test(keys, every_screen_has_a_footer)
{
	for (int screen = 0; screen < N_SCREENS; screen++) {
		int words = 0;
		for (size_t i = 0; i < n_key_bindings; i++)
			words += key_bindings[i].footer &&
				 (key_bindings[i].screens & (1u << screen));
		cr_expect(ge(int, words, 2), "screen %d", screen);
	}
}
