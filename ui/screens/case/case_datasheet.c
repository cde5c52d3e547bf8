#include "ui/screens/case/case_datasheet.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "sims/quantity/quantity.h"
#include "ui/term/textwrap.h"

#include <string.h>

enum { TEXT = 32 };

static const char title[] = "Datasheets";

/* A column: what it is, the unit, and how many columns it takes. A wide sheet has all of them. */
struct column {
	const char *title, *unit;
	int cols;
	double (*of)(const struct accelerator *gpu);
};

static double memory_of(const struct accelerator *gpu)
{
	return gpu->memory_bytes;
}

static double bandwidth_of(const struct accelerator *gpu)
{
	return gpu->bandwidth;
}

static double bf16_of(const struct accelerator *gpu)
{
	return gpu->peak_flops[DTYPE_BF16];
}

static double fp8_of(const struct accelerator *gpu)
{
	return gpu->peak_flops[DTYPE_FP8];
}

static double link_of(const struct accelerator *gpu)
{
	return gpu->link_bandwidth;
}

static const struct column columns[] = { { "memory", "B", 7, memory_of },
	{ "bandwidth", "B/s", 10, bandwidth_of }, { "BF16", "FLOP/s", 13, bf16_of },
	{ "FP8", "FLOP/s", 14, fp8_of }, { "to a peer", "B/s", 12, link_of } };

static size_t columns_in(int cols, int names)
{
	size_t n = 0;
	int used = names;
	while (n < LENGTH(columns) && used + columns[n].cols <= cols)
		used += columns[n++].cols;
	return n;
}

static void write_gpu(
	const struct accelerator *gpu, bool chosen, int names, size_t n, struct sheet *s)
{
	const int row = sheet_rows(s, 1);
	const enum style style = chosen ? STYLE_PLAIN : STYLE_DIM;
	int end = names;
	canvas_text(&s->cv, row, 0, names, gpu->name, style, chosen ? ATTR_BOLD : 0);
	for (size_t i = 0; i < n; i++) {
		char text[TEXT];
		const double is = columns[i].of(gpu);
		end += columns[i].cols;
		canvas_text_right(&s->cv, row, end - columns[i].cols, columns[i].cols,
			is > 0 ? quantity_brief(text, sizeof text, is, columns[i].unit) : "none",
			style, 0);
	}
}

/* The knob that chooses a GPU; NULL: the case has none. */
static const struct case_knob *gpu_knob(const struct case_view *v)
{
	for (size_t i = 0; i < v->c.n_knobs; i++)
		if (strcmp(v->c.sim->knobs[v->c.knobs[i].knob].id, "gpu") == 0)
			return &v->c.knobs[i];
	return NULL;
}

/* The i-th GPU to choose from; NULL: there are no more. */
static const struct accelerator *gpu_of(
	const struct case_view *v, const struct case_knob *k, size_t i)
{
	const char *choice = case_knob_choice(&v->sitting.deal, k, i);
	return choice ? gpu_find(v->sitting.deal.tables, choice) : NULL;
}

/* Columns of the names, with a blank behind the longest. */
static int name_cols(const struct case_view *v, const struct case_knob *k)
{
	const struct accelerator *gpu;
	int most = (int)strlen(title);
	for (size_t i = 0; (gpu = gpu_of(v, k, i)); i++)
		most = max_int(most, text_width(gpu->name));
	return most + 1;
}

static void write_titles(int names, size_t n, struct sheet *s)
{
	const int row = sheet_rows(s, 1);
	int end = names;
	canvas_text(&s->cv, row, 0, names, title, STYLE_PLAIN, ATTR_BOLD);
	for (size_t i = 0; i < n; i++) {
		end += columns[i].cols;
		canvas_text_right(&s->cv, row, end - columns[i].cols, columns[i].cols,
			columns[i].title, STYLE_DIM, 0);
	}
}

void case_datasheets_write(const struct case_view *v, struct sheet *s)
{
	enum { LEAST = 2 };
	const struct case_knob *k = gpu_knob(v);
	const struct accelerator *gpu;
	if (!k)
		return;
	const int names = name_cols(v, k);
	const size_t n = columns_in(s->cv.cols, names);
	if (n < LEAST)
		return;
	const double value = v->desk.design.v[k->knob];
	const int chosen = v->desk.design.given[k->knob]
				   ? case_knob_choice_of(&v->sitting.deal, k, value)
				   : -1;
	sheet_gap(s);
	write_titles(names, n, s);
	for (int i = 0; (gpu = gpu_of(v, k, (size_t)i)); i++)
		write_gpu(gpu, i == chosen, names, n, s);
}
