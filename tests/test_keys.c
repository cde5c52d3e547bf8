/* The key table: no key means two things, every action is explained, names read back. */
#include "ui/keys.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

Test(keys, no_key_means_two_things)
{
	for (size_t i = 0; i < n_bindings; i++)
		for (size_t j = 0; j < i; j++)
			cr_expect(bindings[i].key != bindings[j].key ||
					!(bindings[i].screens & bindings[j].screens),
				"rows %zu and %zu share a key", i, j);
}

Test(keys, every_action_has_a_key_and_help)
{
	for (int a = ACT_NONE + 1; a < N_ACTIONS; a++) {
		int keys = 0, helps = 0;
		for (size_t i = 0; i < n_bindings; i++) {
			keys += bindings[i].action == (enum action)a;
			helps += bindings[i].action == (enum action)a && bindings[i].help;
		}
		cr_expect(keys > 0, "action %d has no key", a);
		cr_expect(helps > 0, "action %d has no help", a);
	}
}

Test(keys, names_read_back)
{
	for (size_t i = 0; i < n_bindings; i++) {
		char name[16];
		key_text(bindings[i].key, name, sizeof name);
		cr_expect(eq(u32, key_from_name(name), bindings[i].key), "%s", name);
	}
	cr_expect(eq(u32, key_from_name("nonsense"), KEY_NONE_));
}

Test(keys, nothing_needs_alt_or_function_keys)
{
	for (size_t i = 0; i < n_bindings; i++)
		cr_expect(bindings[i].key < KEY_NONE_);
}

Test(keys, footers_fit_eighty_columns)
{
	for (int s = 0; s < N_SCREENS; s++) {
		size_t width = 0, words = 0;
		for (size_t i = 0; i < n_bindings; i++)
			if (bindings[i].footer && (bindings[i].screens & (1u << s))) {
				char name[16];
				width += strlen(key_text(bindings[i].key, name, sizeof name)) +
					strlen(bindings[i].footer) + 4;
				words++;
			}
		cr_expect(words > 0, "screen %d has no footer", s);
	}
}
