/* The lines between a talk and its notes. */
#include "ui/talks/talk_state.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

static const struct talk_state example = { .step = 5,
	.off_script = true,
	.running = true,
	.elapsed_s = 531.2,
	.plan_s = 1200,
	.votes = { 1, 2 },
	.place = "queueing servers=2",
	.knob = "servers" };

Test(talk_state, a_line_says_where_the_talk_is)
{
	char line[600];
	cr_expect(eq(str, talk_state_write(&example, line, sizeof line),
		"{\"step\":6,\"answered\":false,\"off_script\":true,\"elapsed_s\":531.2,"
		"\"plan_s\":1200,\"place\":\"queueing servers=2\",\"knob\":\"servers\",\"votes\":[1,2,0,0,0]}"));
	struct talk_state again;
	cr_assert(talk_state_read(line, &again));
	cr_expect(talk_state_same(&again, &example) && again.elapsed_s == 531.2);
	again.place[0] = 'Q';
	cr_expect(talk_state_same(&again, &example) == false);
	again = example;
	again.knob[0] = 'S';
	cr_expect(talk_state_same(&again, &example) == false);
}

Test(talk_state, what_is_no_state_is_not_read)
{
	static const char *const lines[] = { "", "{}", "[1]", "{\"step\":0}", "{\"step\":1.5}",
		"{\"step\":1e9}", "{\"step\":\"1\"}", "step 1" };
	struct talk_state s = example;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		cr_expect(talk_state_read(lines[i], &s) == false, "%s", lines[i]);
	cr_expect(talk_state_same(&s, &example));
	/* A place that is too long is not cut: it is another one then. */
	char line[2000], place[900];
	memset(place, 'x', sizeof place - 1);
	place[sizeof place - 1] = '\0';
	snprintf(line, sizeof line, "{\"step\":2,\"place\":\"%s\"}", place);
	cr_expect(talk_state_read(line, &s) && s.place[0] == '\0' && s.step == 1);
}

Test(talk_state, notes_wish)
{
	char line[600];
	struct talk_state at = { .step = 0 };
	cr_expect(
		eq(str, talk_wish_write(WISH_NEXT, NULL, line, sizeof line), "{\"do\":\"next\"}"));
	cr_expect(talk_wish_read(line, &at) == WISH_NEXT);
	cr_expect(talk_wish_read("{\"do\":\"back\"}", &at) == WISH_BACK);
	talk_wish_write(WISH_RESUME, &example, line, sizeof line);
	cr_expect(talk_wish_read(line, &at) == WISH_RESUME && talk_state_same(&at, &example));
	talk_wish_write(WISH_TURN, &example, line, sizeof line);
	cr_expect(talk_wish_read(line, &at) == WISH_TURN && talk_state_same(&at, &example));
	cr_expect(talk_wish_read("{\"do\":\"resume\"}", &at) == WISH_NOTHING);
	cr_expect(talk_wish_read("{\"do\":\"dance\"}", &at) == WISH_NOTHING);
	cr_expect(talk_wish_read("nonsense", &at) == WISH_NOTHING);
}
