/* The line that is typed into: readline's keys, and an answer that was judged. */
#include "ui/term/entry.h"
#include "ui/term/keys.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static void type(struct entry *e, const char *text)
{
	for (; *text; text++)
		cr_assert(entry_edit(e, (uint32_t)*text));
}

Test(entry, readline_keys)
{
	struct entry e;
	entry_begin(&e, ENTRY_ANSWER, 0);
	type(&e, "12 x 3 GB");
	cr_expect(entry_edit(&e, KEY_CTRL_W));
	cr_expect(eq(str, e.text, (char *)"12 x 3 "));
	cr_expect(entry_edit(&e, KEY_CTRL_W));
	cr_expect(eq(str, e.text, (char *)"12 x "));
	cr_expect(entry_edit(&e, KEY_CTRL_A));
	type(&e, "4");
	cr_expect(eq(str, e.text, (char *)"412 x "));
	cr_expect(entry_edit(&e, KEY_CTRL_K));
	cr_expect(eq(str, e.text, (char *)"4"));
	cr_expect(eq(sz, e.bytes, 1));
	type(&e, "0 ");
	cr_expect(entry_edit(&e, 0xb5)); /* a sign of two bytes */
	type(&e, "s");
	cr_expect(entry_edit(&e, KEY_LEFT_));
	cr_expect(entry_edit(&e, KEY_CTRL_U));
	cr_expect(eq(str, e.text, (char *)"s"));
	cr_expect(entry_edit(&e, KEY_CTRL_E));
	type(&e, "!");
	cr_expect(eq(str, e.text, (char *)"s!"));
	/* An empty line has nothing to delete. */
	entry_set(&e, "");
	cr_expect(entry_edit(&e, KEY_CTRL_W) && entry_edit(&e, KEY_CTRL_U) &&
		  entry_edit(&e, KEY_CTRL_K));
	cr_expect(eq(sz, e.bytes, 0));
	cr_expect(not(entry_edit(&e, KEY_CTRL_P)));
}

/* After a miss a digit is another answer; a key that moves or deletes corrects this one. */
Test(entry, what_was_judged_is_replaced_or_corrected)
{
	struct entry e;
	entry_begin(&e, ENTRY_ANSWER, 0);
	type(&e, "1GB");
	e.judged = true;
	type(&e, "2GB");
	cr_expect(eq(str, e.text, (char *)"2GB"));
	e.judged = true;
	cr_expect(not(entry_edit(&e, KEY_CTRL_P)));
	cr_expect(e.judged);
	cr_expect(entry_edit(&e, KEY_BACKSPACE_));
	type(&e, "iB");
	cr_expect(eq(str, e.text, (char *)"2GiB"));
}
