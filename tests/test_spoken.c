/* Numbers that printf wrote with an exponent, as people say them. */
#include "sims/quantity/spoken.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

TestSuite(spoken);

Test(spoken, exponents_are_written_out)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
		{ "off by 1.5e+02 %", "off by 150 %" },
		{ "1e+06 users, 1.23457e+06 tokens", "1,000,000 users, 1,234,570 tokens" },
		{ "-2e+03", "-2,000" },
		{ "2.5e-05 s", "0.000025 s" },
		{ "1e-06", "0.000001" },
		{ "5.96e-08 is the least", "5.96 x 10^-8 is the least" },
		{ "3.4e+38", "3.4e38" }, /* a number has no more digits than people read */
		/* what is no number stays */
		{ "tie-12", "tie-12" },
		{ "0x1e+05", "0x1e+05" },
		{ "1e5 and 1e-5", "1e5 and 1e-5" },
		{ "", "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = { 0 };
		const char *said = numbers_spoken(&a, rows[i].text);
		cr_expect(eq(str, (char *)said, (char *)rows[i].said), "%s", rows[i].text);
		arena_release(&a);
	}
}

/* Nothing is copied where nothing is to be said otherwise. */
Test(spoken, a_text_without_exponents_is_returned)
{
	static const char text[] = "16 GPUs serve 106 requests/s";
	struct arena a = { 0 };
	cr_expect(eq(ptr, (void *)numbers_spoken(&a, text), (void *)text));
	arena_release(&a);
}
