/* A tour is anybody's Markdown file, and a line between a talk and its notes anybody's bytes: read, or
 * refused in one line. The first byte says which. What was read is whole: each step has a caption, its
 * target opens or says why not, and words are computed or refused. */
#include "sims/figure/figure.h"
#include "tests/settings.h"
#include "ui/talks/talk_state.h"
#include "ui/talks/tour.h"
#include "ui/talks/tour_words.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tables facts; /* read once: it takes longer than a tour */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	facts = load_tables();
	return 0;
}

static void require(int holds)
{
	if (!holds)
		abort();
}

static bool is_line(const char *err, size_t size)
{
	const char *end = memchr(err, '\0', size);
	return end && end > err && !memchr(err, '\n', (size_t)(end - err));
}

/* Words in front of a figure with two values, and of none. Without tables other simulations cannot be
 * asked, which takes as long as they like. */
static void check_words(const struct tables *t, const char *text)
{
	struct figure now = { .why = "Because." };
	char said[600], err[300] = "";
	double found;
	bool holds;
	figure_value(&now, "wait_services", "wait", 3, "", ROLE_PLAIN);
	figure_value(&now, "step_ms", "step", 0.2, "s", ROLE_PLAIN);
	const struct tour_scene scenes[] = { { t, &now, &now }, { NULL, NULL, NULL } };
	for (size_t i = 0; i < 2; i++) {
		if (tour_caption(&scenes[i], text, said, sizeof said, err, sizeof err))
			require(is_line(err, sizeof err));
		require(memchr(said, '\0', sizeof said) != NULL);
		if (tour_expect(&scenes[i], text, &holds, &found, err, sizeof err))
			require(is_line(err, sizeof err));
		if (tour_number(&scenes[i], text, &found, err, sizeof err))
			require(is_line(err, sizeof err));
	}
	figure_release(&now);
}

static void check_step(const struct tour_step *s)
{
	require(s->line > 0 && *s->caption && s->target && s->notes && s->handout);
	require(s->seconds > 0 && s->seconds <= 3600);
	require(s->n_options <= TOUR_OPTIONS && s->n_pauses <= TOUR_PAUSES);
	require(!s->sweep.n || (s->sweep.n >= 2 && s->sweep.knob && s->sweep.each_s > 0));
	require(!s->sweep.n || !s->n_pauses);
	check_words(NULL, s->caption);
	for (size_t i = 0; i < s->n_expects; i++)
		check_words(NULL, s->expects[i]);
	for (size_t i = 0; i < s->n_options; i++)
		check_words(NULL, s->options[i].text);
}

static void check_tour(const char *text, size_t size)
{
	struct arena a = { 0 };
	struct tour tour;
	char err[300] = "";
	if (tour_read(&tour, "mine", text, size, &a, err, sizeof err)) {
		require(is_line(err, sizeof err));
	} else {
		require(tour.n > 0 && tour.title && tour.seconds > 0);
		for (size_t i = 0; i < tour.n; i++)
			check_step(&tour.steps[i]);
	}
	arena_release(&a);
}

/* What was read is written, and reads as the same. */
static void check_line(const char *line)
{
	struct talk_state s, again;
	char text[1024];
	talk_wish_read(line, &s);
	if (!talk_state_read(line, &s))
		return;
	require(isfinite(s.elapsed_s) && s.elapsed_s >= 0 && strlen(s.place) < TALK_PLACE);
	talk_state_write(&s, text, sizeof text);
	/* A place whose characters must be escaped may have no room in a line. */
	if (strcmp(text, "{}") != 0)
		require(talk_state_read(text, &again) && talk_state_same(&s, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	char *text = malloc(size);
	require(text != NULL);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (data[0] == '1') {
		check_line(text);
	} else if (data[0] == '2') {
		/* A line, as tours are read. */
		text[strcspn(text, "\n\r")] = '\0';
		check_words(&facts, text);
	} else {
		check_tour(text, size - 1);
	}
	free(text);
	return 0;
}
