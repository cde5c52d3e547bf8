/* A simulation in a test's hands: settings as people type them, "knob=value knob=value", over the
 * defaults, and the numbers that come of them. What cannot be read, or is not there, fails the
 * test. */
#ifndef RIDGE_TESTS_SIM_RUN_H
#define RIDGE_TESTS_SIM_RUN_H

#include "sims/figure/sim.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static inline void sim_set(
	const struct sim *s, const struct tables *t, const char *settings, double v[MAX_KNOBS])
{
	char text[512], err[256] = "", *rest = NULL;
	sim_defaults(s, t, v);
	int length = snprintf(text, sizeof text, "%s", settings);
	cr_assert(lt(sz, (size_t)length, sizeof text));
	for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		cr_assert(zero(int, sim_read_setting(s, t, w, v, err, sizeof err)), "%s", err);
}

/* Release the figure. */
static inline struct figure sim_run(
	const struct sim *s, const struct tables *t, const char *settings)
{
	struct figure fig = { 0 };
	double v[MAX_KNOBS];
	sim_set(s, t, settings, v);
	fig.memo = t->memo;
	s->run(t, v, &fig);
	cr_assert(fig.arena.failed == false);
	return fig;
}

/* Its first part of that kind, and of that name among the tabs; NULL: of any name. */
static inline const struct block *figure_block(
	const struct figure *fig, enum block_kind kind, const char *name)
{
	size_t i = 0;
	while (i < fig->n_blocks &&
		(fig->blocks[i]->kind != kind ||
			(name && strcmp(block_name(fig->blocks[i]), name) != 0)))
		i++;
	cr_assert(lt(sz, i, fig->n_blocks), "no part %s", name ? name : "of that kind");
	return fig->blocks[i];
}

/* Whether one of its notes has these words in it. */
static inline bool figure_has_note(const struct figure *fig, const char *words)
{
	for (size_t i = 0; i < fig->n_blocks; i++)
		if (fig->blocks[i]->kind == BLOCK_NOTE &&
			strstr(fig->blocks[i]->as.note.text, words))
			return true;
	return false;
}

static inline double figure_number(const struct figure *fig, const char *id)
{
	const struct value *found = figure_find(fig, id);
	cr_assert(found != NULL, "no value %s", id);
	return found->value;
}

static inline double sim_number(
	const struct sim *s, const struct tables *t, const char *settings, const char *id)
{
	struct figure fig = sim_run(s, t, settings);
	double number = figure_number(&fig, id);
	figure_release(&fig);
	return number;
}

/* What a reader sees who types these settings: the value of that id, worked by hand. A row that is
 * exact but for rounding has a tolerance of 0. */
struct sim_row {
	const char *settings, *id;
	double want, tolerance;
};

static inline void expect_rows(
	const struct sim *s, const struct tables *t, const struct sim_row rows[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double got = sim_number(s, t, rows[i].settings, rows[i].id);
		double allowed = fmax(rows[i].tolerance, 1e-9 * fabs(rows[i].want));
		cr_expect(got == rows[i].want || fabs(got - rows[i].want) <= allowed,
			"ridge sim %s %s: %s is %.9g, by hand %.9g", s->id, rows[i].settings,
			rows[i].id, got, rows[i].want);
	}
}

#endif
