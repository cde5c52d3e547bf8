#include "ui/pages/page_env.h"

#include "sims/quantity/quantity.h"
#include "sims/registry/registry.h"
#include "sims/formulas/formula.h"
#include "sims/formulas/formula_text.h"
#include "ui/views/figure_view.h"
#include "ui/views/quantity_show.h"
#include "ui/data/bank_load.h"
#include "ui/data/calc.h"
#include "ui/data/known_numbers.h"
#include "ui/data/tour_list.h"
#include "ui/live/live.h"
#include "ui/live/live_values.h"
#include "ui/pages/formula_sheet.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_SPAN = 4096 };

struct number {
	double value;
	char unit[24];
};

static struct number number_of(double value, const char *unit)
{
	struct number n = { .value = value };
	snprintf(n.unit, sizeof n.unit, "%s", unit);
	return n;
}

/* Computes "roofline gpu=a100 ceiling=datasheet : ridge": a headline value of a simulation. */
static int compute_from_sim(const struct tables *t, const char *source, const char *colon,
	struct number *out, char *buf, size_t size)
{
	char setting[512];
	struct live view;
	const char *id = colon + 1 + strspn(colon + 1, " ");
	snprintf(setting, sizeof setting, "%.*s", (int)(colon - source), source);
	if (live_open_text(&view, t, setting, buf, size))
		return -1;
	const struct value *v = figure_find(&view.figure, id);
	if (v)
		*out = number_of(v->value, v->unit);
	else
		snprintf(buf, size, "%s has no value \"%.40s\"", view.sim->id, id);
	live_release(&view);
	return v ? 0 : -1;
}

/* Converts a number to the unit that the page asks for. */
static int convert(struct number *n, const char *unit, char *buf, size_t size)
{
	struct unit from, to;
	if (!unit_parse(n->unit, &from) || !unit_parse(unit, &to) ||
		!unit_same_dimension(&from, &to)) {
		snprintf(buf, size, "\"%s\" cannot be shown in \"%.20s\"", n->unit, unit);
		return -1;
	}
	*n = number_of(n->value * from.factor / to.factor, unit);
	return 0;
}

/* Cuts " in UNIT" off the source of a number and gives the unit. NULL: there is none. */
static char *cut_unit(char *source)
{
	char *unit = NULL;
	for (char *at = source; (at = strstr(at, " in ")); at++)
		unit = at;
	if (!unit)
		return NULL;
	*unit = '\0';
	return unit + 4;
}

/* What a text without brackets comes to. */
static int compute_plain(
	const struct tables *t, const char *text, struct number *out, char *buf, size_t size)
{
	const char *colon = strstr(text, " : ");
	struct calc_result r;
	if (colon)
		return compute_from_sim(t, text, colon + 1, out, buf, size);
	if (calc_evaluate(t, text, &r, buf, size))
		return -1;
	*out = number_of(r.value, r.formula->unit);
	return 0;
}

/* The innermost brackets of a text; NULL: it has none. */
static char *innermost(char *text, char **close)
{
	char *open = NULL;
	*close = NULL;
	for (char *p = text; *p && !*close; p++) {
		if (*p == '[')
			open = p;
		else if (*p == ']')
			*close = p;
	}
	return *close ? open : NULL;
}

/* A figure's value as formulas take it: 95 % is 0.95, 40 GB are 40e9. Bytes are counted in bytes there,
 * and prices stay what they are by the hour. */
static double in_base_units(const struct number *n)
{
	struct unit unit;
	if (!unit_parse(n->unit, &unit) || unit.dim[DIM_DOLLAR])
		return n->value;
	return n->value * unit.factor / pow(8, unit.dim[DIM_INFORMATION]);
}

/* Puts what each text in brackets comes to in its place, without a unit. Formulas speak base units
 * already. */
static int resolve(const struct tables *t, char text[static LONGEST_SPAN], char *buf, size_t size)
{
	char *close, *open;
	while ((open = innermost(text, &close))) {
		struct number n;
		char rest[LONGEST_SPAN];
		snprintf(rest, sizeof rest, "%s", close + 1);
		*close = '\0';
		if (compute_plain(t, open + 1, &n, buf, size))
			return -1;
		double value = strstr(open, " : ") ? in_base_units(&n) : n.value;
		size_t room = (size_t)(text + LONGEST_SPAN - open);
		if ((size_t)snprintf(open, room, "%.17g%s", value, rest) >= room) {
			snprintf(buf, size, "too long");
			return -1;
		}
	}
	return 0;
}

/* A copy of the source with brackets computed. */
static int read_span(const struct tables *t, const char *source, char text[static LONGEST_SPAN],
	char *buf, size_t size)
{
	if (!t || strlen(source) >= LONGEST_SPAN) {
		snprintf(buf, size, "%s", t ? "too long" : "the tables cannot be read");
		return -1;
	}
	snprintf(text, LONGEST_SPAN, "%s", source);
	return resolve(t, text, buf, size);
}

int page_env_compute(const struct tables *t, const char *source, char *buf, size_t size)
{
	char text[LONGEST_SPAN];
	struct number n;
	const char *known = known_number(t, source);
	if (known) {
		snprintf(buf, size, "%s", known);
		return 0;
	}
	if (read_span(t, source, text, buf, size))
		return -1;
	const char *unit = cut_unit(text);
	if (compute_plain(t, text, &n, buf, size) || (unit && convert(&n, unit, buf, size)))
		return -1;
	quantity_show(buf, size, n.value, n.unit);
	return 0;
}

char *page_env_working(
	const struct tables *t, const char *source, bool ascii, char *buf, size_t size)
{
	struct calc_result r;
	char text[LONGEST_SPAN], symbols[512], working[768], err[256];
	bool read = read_span(t, source, text, err, sizeof err) == 0;
	if (read)
		cut_unit(text);
	if (!read || calc_evaluate(t, text, &r, err, sizeof err)) {
		snprintf(buf, size, "From the simulation: ridge sim %.*s",
			(int)strcspn(read ? text : source, ":"), read ? text : source);
		return buf;
	}
	snprintf(buf, size, "%s (%s). %s: %s", r.formula->title, r.formula->source,
		formula_symbols(r.formula, ascii, symbols, sizeof symbols),
		formula_working(r.formula, r.args, ascii, working, sizeof working));
	return micro_sign(buf, size);
}

static int compute(const void *context, const char *source, char *buf, size_t size)
{
	return page_env_compute(context, source, buf, size);
}

static const char *expand(
	const void *context, const char *markdown, size_t *bytes, bool ascii, struct arena *a)
{
	struct drill_bank bank = { 0 };
	char err[256];
	if (!formula_sheet_wanted(markdown, *bytes))
		return markdown;
	if (context && bank_load(&bank, context, err, sizeof err))
		bank_release(&bank); /* the sheet then names no drills */
	const char *text = formula_sheet_expand(markdown, bytes, &bank, ascii, a);
	bank_release(&bank);
	return text;
}

/* The rows that a figure takes on paper, if its first picture does not take more. */
enum { VALUES_SHOWN = 4, PRINTED_ROWS = 24 };

static int values_shown(const struct figure *fig)
{
	return fig->n_values < VALUES_SHOWN ? (int)fig->n_values : VALUES_SHOWN;
}

/* The figure as it is printed: up to its first picture, and further parts while they have room. It borrows
 * from fig. */
static struct figure printed_parts(const struct figure *fig, int width)
{
	struct figure part = *fig;
	size_t n = 0;
	while (n < fig->n_blocks && fig->blocks[n]->kind == BLOCK_NOTE)
		n++;
	for (n += n < fig->n_blocks; n < fig->n_blocks; n++) {
		part.n_blocks = n + 1;
		if (figure_rows(&part, width) > PRINTED_ROWS)
			break;
	}
	part.n_blocks = n;
	return part;
}

/* "+ 4 more: ridge sim timeline gpus=64", where the other parts are; "" where there are none. To be freed;
 * NULL: no memory. */
static char *where_the_rest_is(const struct figure *fig, size_t printed, const char *setting)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	if (printed < fig->n_blocks)
		fprintf(out, "+ %zu more: ridge sim", fig->n_blocks - printed);
	for (const char *w = setting; *w && printed < fig->n_blocks; w += strcspn(w, " ")) {
		w += strspn(w, " ");
		if (*w && strncmp(w, "knobs=", 6) != 0 && strncmp(w, "at=", 3) != 0)
			fprintf(out, " %.*s", (int)strcspn(w, " "), w);
	}
	fclose(out);
	return text;
}

static int rows_of(const void *context, const char *setting, int width)
{
	struct live view;
	char err[256];
	if (live_open_text(&view, context, setting, err, sizeof err))
		return -1;
	const struct figure part = printed_parts(&view.figure, width);
	char *rest = where_the_rest_is(&view.figure, part.n_blocks, setting);
	const int below = rest ? text_lines(rest, width, GLYPHS_ASCII) : 0;
	const int rows = figure_rows(&part, width) + values_shown(&part) + 1 + below + (below > 0);
	free(rest);
	live_release(&view);
	return rows;
}

static int draw(const void *context, const char *setting, struct canvas *cv, struct rect r)
{
	struct live view;
	char err[256];
	if (live_open_text(&view, context, setting, err, sizeof err))
		return -1;
	const struct figure_state state = { .playhead_s = view.playhead_s };
	const struct figure part = printed_parts(&view.figure, r.cols);
	const int values = values_shown(&part), rows = figure_rows(&part, r.cols);
	char *rest = where_the_rest_is(&view.figure, part.n_blocks, setting);
	live_draw_value_list(cv, (struct rect){ r.row, r.col, values, r.cols }, &view);
	figure_draw(cv, (struct rect){ r.row + values + 1, r.col, rows, r.cols }, &part, &state);
	const int below = values + 1 + rows + 1;
	if (rest && *rest)
		paragraph_draw(cv, (struct rect){ r.row + below, r.col, r.rows - below, r.cols },
			rest, STYLE_DIM, 0);
	free(rest);
	live_release(&view);
	return 0;
}

/* Writes ", with gpu=a100 batch=8", without the knobs that a screen would show first. */
static void write_setting(FILE *out, const char *setting)
{
	const char *before = ", with";
	for (const char *w = setting + strcspn(setting, " "); *w; w += strcspn(w, " ")) {
		w += strspn(w, " ");
		if (!*w || strncmp(w, "knobs=", 6) == 0)
			continue;
		fprintf(out, "%s %.*s", before, (int)strcspn(w, " "), w);
		before = "";
	}
}

/* Writes "Figure: Roofline, with gpu=a100. Ridge: 153 FLOP/B. ..." and why it is so. */
static const char *describe(const void *context, const char *setting, struct arena *a)
{
	struct live view;
	char err[256], number[64], *text = NULL;
	size_t size;
	if (live_open_text(&view, context, setting, err, sizeof err))
		return NULL;
	FILE *out = open_memstream(&text, &size);
	if (out) {
		fprintf(out, "Figure: %s", view.sim->title);
		write_setting(out, setting);
		fputs(".\n", out);
		for (size_t i = 0; i < view.figure.n_values; i++) {
			const struct value *v = &view.figure.values[i];
			fprintf(out, "%s: %s%s%s.\n", v->label,
				quantity_show(number, sizeof number, v->value, v->unit),
				v->note ? ", " : "", v->note ? v->note : "");
		}
		if (view.figure.why)
			fprintf(out, "%s\n", view.figure.why);
		fclose(out);
	}
	const char *copy = text ? arena_text(a, text) : NULL;
	free(text);
	live_release(&view);
	return copy;
}

/* The tour of the simulation that a setting begins with, and where it leads. */
static bool find_tour(
	const char *setting, struct tour_info *tour, const char **target, struct arena *a)
{
	char id[64];
	size_t n = strcspn(setting, " \t");
	if (n >= sizeof id)
		return false;
	memcpy(id, setting, n);
	id[n] = '\0';
	if (!sim_find(id) || !tour_info_read(id, a, tour))
		return false;
	*target = arena_printf(a, "present:%s", id);
	return *target != NULL;
}

const char *page_env_tour(
	const void *context, const char *setting, const char **target, struct arena *a)
{
	struct tour_info tour;
	(void)context;
	if (!find_tour(setting, &tour, target, a))
		return NULL;
	return arena_printf(a, "%d min tour: %s", tour.minutes, tour.title);
}

/* On paper nothing can be followed, so the command stands there. */
static const char *tour_command(
	const void *context, const char *setting, const char **target, struct arena *a)
{
	struct tour_info tour;
	(void)context;
	if (!find_tour(setting, &tour, target, a))
		return NULL;
	return arena_printf(a, "%d min tour: ridge present %s", tour.minutes, tour.id);
}

struct page_env page_env_printing(const struct tables *t)
{
	return (struct page_env){ .context = t,
		.compute = compute,
		.expand = expand,
		.figure_rows = rows_of,
		.draw_figure = draw,
		.below_figure = tour_command,
		.describe = describe };
}
