#include "ui/talks/talk_run.h"

#include "sims/quantity/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRAME_MS = 50 };

/* From one pause to the next: as long for a short stretch as for a long one, so that it can be
 * followed. */
static const double stretch_s = 3;

/* --- Pauses --- */

/* The moment of which the words between the quotes are said. */
static int find_moment(
	const struct talk *t, const char *quoted, double *at_s, char *err, size_t err_size)
{
	const struct figure *fig = &t->live.figure;
	char words[120];
	snprintf(words, sizeof words, "%s", quoted + 1);
	words[strcspn(words, "\"")] = '\0';
	for (size_t i = 0; i < fig->n_moments; i++)
		if (strstr(fig->moments[i].text, words)) {
			*at_s = fig->moments[i].at_s;
			return 0;
		}
	snprintf(err, err_size, "pause: nothing says \"%.80s\" in the run%s%.80s%s", words,
		fig->n_moments ? "; its first moment says \"" : "",
		fig->n_moments ? fig->moments[0].text : "", fig->n_moments ? "\"" : "");
	return -1;
}

int talk_pause(const struct talk *t, size_t i, double *at_s, char *err, size_t err_size)
{
	const char *text = talk_step(t)->pauses[i];
	const double end_s = t->live.sim ? t->live.figure.duration_s : 0;
	char why[200];
	if (!(end_s > 0)) {
		snprintf(err, err_size, "pause: %.40s: the figure has no run", text);
		return -1;
	}
	if (*text == '"')
		return find_moment(t, text, at_s, err, err_size);
	if (strcmp(text, "end") == 0) {
		*at_s = end_s;
		return 0;
	}
	if (quantity_read(text, "s", at_s, why, sizeof why)) {
		snprintf(err, err_size, "pause: %s", why);
		return -1;
	}
	if (*at_s > 0 && *at_s <= end_s)
		return 0;
	snprintf(err, err_size, "pause: %.40s is outside the run of %.4g s", text, end_s);
	return -1;
}

static double pause_s(const struct talk *t, size_t i)
{
	char err[300];
	double at_s;
	return talk_pause(t, i, &at_s, err, sizeof err) ? t->live.figure.duration_s : at_s;
}

double talk_halt_s(const struct tour_step *s)
{
	double moves_s = stretch_s * (double)s->n_pauses;
	if (s->sweep.n)
		moves_s += s->sweep.each_s * (double)(s->sweep.n - 1);
	double halts = s->n_pauses ? (double)s->n_pauses : 1;
	return fmax(1, (s->seconds - moves_s) / halts);
}

double talk_share(const struct talk *t)
{
	const double asked = 0.4;
	return !talk_step(t)->n_options ? 1 : t->answered ? 1 - asked : asked;
}

/* --- The sweep --- */

static int swept_knob(const struct talk *t)
{
	const struct live *s = &t->live;
	const char *knob = talk_step(t)->sweep.knob;
	for (size_t i = 0; s->sim && knob && i < s->sim->n_knobs; i++)
		if (strcmp(s->sim->knobs[i].id, knob) == 0)
			return (int)i;
	return -1;
}

static void show_swept(struct talk *t, size_t value)
{
	char err[200];
	if (live_type(&t->live, swept_knob(t), talk_step(t)->sweep.values[value], err, sizeof err))
		snprintf(t->trouble, sizeof t->trouble, "sweep: %s", err);
	t->live.stale = true;
}

/* --- Moving --- */

void talk_rest(struct talk *t)
{
	const struct tour_step *s = talk_step(t);
	t->moves = TALK_STILL;
	t->beat = s->n_pauses;
	if (t->live.sim && s->n_pauses)
		t->live.playhead_s = pause_s(t, s->n_pauses - 1);
}

static void run_to(struct talk *t, size_t pause)
{
	t->from_s = pause ? pause_s(t, pause - 1) : 0;
	t->to_s = pause_s(t, pause);
	t->beat = pause + 1;
	t->live.playhead_s = t->from_s;
	t->live.playing = false;
	t->moves = TALK_RUNS;
	t->since_ms = 0;
}

void talk_begin(struct talk *t)
{
	if (!t->live.sim)
		return;
	if (talk_step(t)->sweep.n && swept_knob(t) >= 0) {
		t->moves = TALK_SWEEPS;
		t->beat = 0;
		t->since_ms = 0;
		t->live.focus = swept_knob(t);
		show_swept(t, 0);
	} else if (talk_step(t)->n_pauses) {
		run_to(t, 0);
	}
}

bool talk_play_on(struct talk *t)
{
	if (!t->live.sim || t->beat >= talk_step(t)->n_pauses)
		return false;
	run_to(t, t->beat);
	return true;
}

bool talk_hurry(struct talk *t)
{
	if (t->moves == TALK_STILL)
		return false;
	if (t->moves == TALK_SWEEPS)
		show_swept(t, talk_step(t)->sweep.n - 1);
	else
		t->live.playhead_s = t->to_s;
	t->moves = TALK_STILL;
	return true;
}

void talk_stop(struct talk *t)
{
	t->moves = TALK_STILL;
}

static int sweep_on(struct talk *t, int64_t now_ms)
{
	const struct tour_sweep *w = &talk_step(t)->sweep;
	const int64_t each_ms = llround(1000 * w->each_s);
	while (now_ms - t->since_ms >= each_ms) {
		t->since_ms += each_ms;
		show_swept(t, ++t->beat);
		if (t->beat + 1 == w->n) {
			t->moves = TALK_STILL;
			return -1;
		}
	}
	return (int)(each_ms - (now_ms - t->since_ms));
}

static int run_on(struct talk *t, int64_t now_ms)
{
	double share = (double)(now_ms - t->since_ms) / (1000 * stretch_s);
	t->live.playhead_s = t->from_s + fmin(share, 1) * (t->to_s - t->from_s);
	if (share < 1)
		return FRAME_MS;
	t->moves = TALK_STILL;
	return -1;
}

int talk_tick(struct talk *t, int64_t now_ms)
{
	if (!t->live.sim)
		return -1;
	if (t->moves == TALK_STILL)
		return live_tick(&t->live, now_ms);
	if (!t->since_ms)
		t->since_ms = now_ms;
	return t->moves == TALK_SWEEPS ? sweep_on(t, now_ms) : run_on(t, now_ms);
}
