#include "ui/screens/case/case_state.h"

enum case_where case_where(const struct case_view *v)
{
	return v->deals       ? CASE_DEALING
	       : !v->sits     ? CASE_CHOOSING
	       : v->reads     ? CASE_READING
	       : v->ready     ? CASE_READY
	       : v->paused    ? CASE_STANDS
	       : v->desk.open ? CASE_AT_DESK
			      : CASE_TALKING;
}

int64_t case_clock_ms(const struct case_view *v, int64_t now_ms)
{
	return v->stood_ms + (v->paused || v->over ? 0 : now_ms - v->since_ms);
}

/* The nearest one below what is wished, or else above. */
enum case_level case_choice_level(const struct case_view *v, size_t row)
{
	const unsigned levels = v->list.cases[row].levels;
	int level = (int)v->level;
	while (level > 0 && !(levels >> level & 1))
		level--;
	while (level + 1 < N_CASE_LEVELS && !(levels >> level & 1))
		level++;
	return (enum case_level)level;
}
