/* The clock of the measurements. It is passed to whatever times something, so that tests can set
 * it. */
#ifndef RIDGE_UI_MACHINE_STOPWATCH_H
#define RIDGE_UI_MACHINE_STOPWATCH_H

struct stopwatch {
	double (*now_s)(void *state); /* never goes back; its zero means nothing */
	void *state;
};

/* The machine's own. */
struct stopwatch stopwatch_real(void);
double stopwatch_now_s(const struct stopwatch *w);

#endif
