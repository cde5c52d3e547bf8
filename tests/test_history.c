/* The history as text: what is written is read, and what is not ours is left out and counted. */
#include "drills/json_line.h"
#include "sims/base/rng.h"
#include "tests/history.h"
#include "ui/data/history_file.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A history of text that stands in the test. */
static struct history parse(const char *text)
{
	struct history h;
	size_t n = strlen(text);
	char *copy = malloc(n + 1);
	cr_assert(ne(ptr, copy, NULL));
	memcpy(copy, text, n);
	cr_assert(eq(int, history_parse(&h, copy, n), 0));
	return h;
}

/* The line that the header shows. */
Test(history, line_as_documented)
{
	static const char want[] =
		"{\"schema\":1,\"at\":1767225600,\"kind\":\"answer\",\"drill\":\"kv-cache\","
		"\"skill\":\"kv-cache\",\"topic\":\"kvcache\",\"seed\":7,\"part\":0,"
		"\"given\":\"10.7 GB\",\"value\":10700000000,\"verdict\":\"CORRECT\","
		"\"used\":true,\"credit\":1,\"cause\":\"\",\"hints\":0,\"attempt\":1,"
		"\"scratch\":false,\"took_s\":42.5,\"par_s\":90,\"mode\":\"study\"}\n";
	char line[HISTORY_LINE_SIZE];
	struct history_event e = event(0);
	cr_expect(eq(sz, history_line(&e, line, sizeof line), sizeof want - 1));
	cr_expect(eq(str, line, (char *)want));
}

/* Everything comes back as it was: quotes, control bytes, the largest seed, numbers to the last
 * bit. */
Test(history, what_is_written_is_read)
{
	struct history_event e = event(UINT64_MAX - 1);
	e.seed = UINT64_MAX;
	e.given = "\"3\\4\"\t\x1b[31m \xc2\xb5 \xf0\x9f\x98\x80 / \x7f";
	e.value = 0.1 + 0.2;
	e.verdict = VERDICT_NAMED;
	e.used = false;
	e.credit = 1.0 / 3;
	e.cause = "bits vs bytes";
	e.hints = 2;
	e.attempt = 3;
	e.scratch = true;
	e.took_s = 1e-7;
	char line[HISTORY_LINE_SIZE];
	cr_assert(lt(sz, 0, history_line(&e, line, sizeof line)));
	cr_expect(eq(ptr, strchr(line, 0x1b), NULL), "no control byte in the file");
	struct history h = parse(line);
	cr_assert(eq(sz, h.n, 1), "%s", h.why);
	const struct history_event *r = &h.events[0];
	cr_expect(eq(i64, r->at_s, 1767225600));
	cr_expect(eq(u64, r->seed, UINT64_MAX));
	cr_expect(eq(u64, r->part, UINT64_MAX - 1));
	cr_expect(eq(str, (char *)r->given, (char *)e.given));
	cr_expect(eq(dbl, r->value, e.value));
	cr_expect(eq(dbl, r->credit, e.credit));
	cr_expect(eq(int, r->verdict, VERDICT_NAMED));
	cr_expect(r->scratch && !r->used);
	cr_expect(eq(str, (char *)r->cause, "bits vs bytes"));
	cr_expect(eq(uint, r->hints, 2));
	cr_expect(eq(uint, r->attempt, 3));
	cr_expect(eq(dbl, r->took_s, 1e-7));
	cr_expect(eq(dbl, r->par_s, 90));
	cr_expect(eq(str, (char *)r->mode, "study"));
	history_release(&h);
}

/* Typed in Latin-1: the file stays UTF-8. A line that does not fit is refused, not cut. */
Test(history, texts_that_cannot_be_kept)
{
	struct history_event e = event(0);
	char line[HISTORY_LINE_SIZE], long_text[HISTORY_LINE_SIZE], err[300] = "";
	e.given = "caf\xe9";
	cr_assert(lt(sz, 0, history_line(&e, line, sizeof line)));
	cr_expect(ne(ptr, strstr(line, "caf\xef\xbf\xbd\""), NULL));
	memset(long_text, 'x', sizeof long_text - 1);
	long_text[sizeof long_text - 1] = '\0';
	e.given = long_text;
	cr_expect(eq(sz, history_line(&e, line, sizeof line), 0));
	cr_expect(eq(int, history_append("/nowhere", &e, err, sizeof err), -1));
	cr_expect(eq(str, err, "the answer is too long to be kept: expected at most 8192 bytes"));
}

Test(history, unreadable_lines)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "{", "not an object in JSON" },
		{ "[1]", "not an object in JSON" },
		{ ANSWER "x", "not an object in JSON" },
		{ ANSWER ANSWER, "not an object in JSON" },
		{ "{\"a\":1,}", "not an object in JSON" },
		{ "{,\"a\":1}", "not an object in JSON" },
		{ "{\"a\" 1}", "not an object in JSON" },
		{ "{\"a\":01}", "not an object in JSON" },
		{ "{\"a\":1.}", "not an object in JSON" },
		{ "{\"a\":+1}", "not an object in JSON" },
		{ "{\"a\":1e999}", "not an object in JSON" },
		{ "{\"a\":nan}", "not an object in JSON" },
		{ "{\"a\":\"\\x\"}", "not an object in JSON" },
		{ "{\"a\":\"\\u0000\"}", "not an object in JSON" },
		{ "{\"a\":\"\\ud800\"}", "not an object in JSON" },
		{ "{\"a\":\"\xff\"}", "not an object in JSON" },
		{ "{\"a\":\"\xc0\xaf\"}", "not an object in JSON" },
		{ "{\"a\":\"tab\there\"}", "not an object in JSON" },
		{ "{\"a\":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}", "not an object in JSON" },
		{ "{}", "the schema is not 1" },
		{ "{\"schema\":2,\"at\":1,\"kind\":\"answer\"}", "the schema is not 1" },
		{ "{\"schema\":1,\"kind\":\"answer\"}", "\"at\" is not a time" },
		{ "{\"schema\":1,\"at\":-1,\"kind\":\"answer\"}", "\"at\" is not a time" },
		{ LINE("answer", ""), "the verdict is unknown" },
		{ LINE("answer", ",\"verdict\":\"FINE\""), "the verdict is unknown" },
		{ LINE("answer", ",\"verdict\":\"WRONG\",\"credit\":1.5"),
			"the credit is not 0 to 1" },
		{ LINE("answer", ",\"verdict\":\"WRONG\",\"seed\":2"), "a member is there twice" },
		{ LINE("answer", ",\"verdict\":\"WRONG\",\"used\":1"),
			"\"used\" is not true or false" },
		{ LINE("answer", ",\"verdict\":\"WRONG\",\"hints\":2.5"),
			"\"hints\" is not a count" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct history h = parse(rows[i].line);
		cr_expect(eq(sz, h.n, 0), "row %zu", i);
		cr_assert(eq(sz, h.n_unreadable, 1), "row %zu: %s", i, rows[i].line);
		cr_expect(eq(str, (char *)h.why, (char *)rows[i].why), "row %zu", i);
		history_release(&h);
	}
}

/* What a later version may add does no harm, blank lines do not count, and the last newline may be
 * missing. */
Test(history, lines_that_are_fine)
{
	struct history h = parse(
		"\n \r\n" ANSWER "\r\n"
		"  {\"more\" : {\"a\": [1, {\"b\": null}, \"]\"]}, \"schema\": 1, \"at\": 5,\n"
		"{\"schema\":1,\"at\":6,\"kind\":\"note\",\"seed\":\"x\"}\n" LINE(
			"gave_up", ",\"x\":[]"));
	cr_expect(eq(sz, h.n, 2));
	cr_expect(eq(sz, h.n_other, 1));
	cr_expect(eq(sz, h.n_unreadable, 1)); /* the one that goes on in the next line */
	cr_expect(eq(sz, h.first_bad, 4));
	cr_expect(eq(sz, h.n_lines, 4));
	cr_expect(eq(int, h.events[1].kind, HISTORY_GAVE_UP));
	cr_expect(isnan(h.events[0].value) && h.events[0].used);
	char text[200];
	cr_expect(eq(str, history_complaint(&h, text, sizeof text),
		"1 of 4 lines of the history cannot be read (line 4: not an object in JSON); it is "
		"kept."));
	history_release(&h);
	h = parse("");
	cr_expect(eq(str, history_complaint(&h, text, sizeof text), ""));
	history_release(&h);
}

/* Numbers by the short way and by strtod: the same as the compiler reads them. */
Test(history, numbers_to_the_last_bit)
{
	static const struct {
		const char *text;
		double want;
	} rows[] = { { "0", 0 }, { "-0.5", -0.5 }, { "9007199254740993", 9007199254740993.0 },
		{ "1e22", 1e22 }, { "1e23", 1e23 }, { "0.1", 0.1 },
		{ "123456789012345678", 123456789012345678.0 }, { "5e-324", 5e-324 },
		{ "1.7976931348623157e308", 1.7976931348623157e308 },
		{ "3.0000000000000004", 3.0000000000000004 }, { "1E+2", 100 },
		{ "0.000000000000000000000000000001", 1e-30 }, { "1e-400", 0 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[64];
		snprintf(text, sizeof text, "{\"a\":%s}", rows[i].text);
		struct json_line l = { .at = text };
		struct json_value v;
		const char *name;
		cr_assert(eq(int, json_member(&l, &name, &v), 1), "%s", rows[i].text);
		cr_expect(eq(dbl, v.number, rows[i].want), "%s", rows[i].text);
		cr_expect(eq(int, json_member(&l, &name, &v), 0));
	}
}
