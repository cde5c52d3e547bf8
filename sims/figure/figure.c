/* What a simulation keeps a pointer to must not move while others are added: so each block is an
 * allocation of its own, and the series of a plot are reserved in one go; points, spans and rows,
 * which nobody points at for long, grow and move. A constructor returns NULL once the arena is
 * full, and everything that takes one accepts it. */
#include "sims/figure/figure.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/spoken.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

void figure_release(struct figure *fig)
{
	arena_release(&fig->arena);
	*fig = (struct figure){ 0 };
}

#define PUSH(fig, owner, array, count, room) ARRAY_PUSH(&(fig)->arena, owner, array, count, room)

/* Every text that a simulation formats comes through here, so that no number in it looks like
 * printf's. */
static const char *spoken(struct figure *fig, const char *fmt, va_list ap)
{
	return numbers_spoken(&fig->arena, arena_vprintf(&fig->arena, fmt, ap));
}

const char *figure_text(struct figure *fig, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *text = spoken(fig, fmt, ap);
	va_end(ap);
	return text;
}

const char *figure_quantity(struct figure *fig, double value, const char *unit)
{
	char text[64];
	return arena_text(&fig->arena, quantity_brief(text, sizeof text, value, unit));
}

const char *figure_about(struct figure *fig, double value, const char *unit)
{
	double size = fabs(value);
	double last = isfinite(value) && size > 0 ? pow(10, floor(log10(size)) - 2) : 0;
	return figure_quantity(fig, last > 0 ? round(value / last) * last : value, unit);
}

const char *figure_signed(struct figure *fig, double value, const char *unit)
{
	return figure_text(fig, "%+.1f %s", round(10 * value) / 10 + 0.0, unit);
}

struct value *figure_value(struct figure *fig, const char *id, const char *label, double value,
	const char *unit, enum role role)
{
	struct value *v = PUSH(fig, fig, values, n_values, cap_values);
	if (v)
		*v = (struct value){ arena_text(&fig->arena, id), arena_text(&fig->arena, label),
			arena_text(&fig->arena, unit), value, role, NULL };
	return v;
}

void value_note(struct value *v, const char *text)
{
	if (v)
		v->note = text;
}

const struct value *figure_find(const struct figure *fig, const char *id)
{
	for (size_t i = 0; i < fig->n_values; i++)
		if (strcmp(fig->values[i].id, id) == 0)
			return &fig->values[i];
	return NULL;
}

#define FORMATTED(text)                                                                            \
	va_list ap;                                                                                \
	va_start(ap, fmt);                                                                         \
	text = spoken(fig, fmt, ap);                                                               \
	va_end(ap)

void figure_subtitle(struct figure *fig, const char *fmt, ...)
{
	FORMATTED(fig->subtitle);
}

void figure_why(struct figure *fig, const char *fmt, ...)
{
	FORMATTED(fig->why);
}

void figure_assume(struct figure *fig, const char *fmt, ...)
{
	const char **slot = PUSH(fig, fig, assumptions, n_assumptions, cap_assumptions);
	if (!slot)
		return;
	FORMATTED(*slot);
}

void figure_leave_out(struct figure *fig, const char *fmt, ...)
{
	const char **slot = PUSH(fig, fig, leaves_out, n_leaves_out, cap_leaves_out);
	if (!slot)
		return;
	FORMATTED(*slot);
}

void figure_moment(struct figure *fig, double at_s, const char *fmt, ...)
{
	struct moment *m = PUSH(fig, fig, moments, n_moments, cap_moments);
	if (!m)
		return;
	m->at_s = at_s;
	FORMATTED(m->text);
}

void figure_landmark(struct figure *fig, double at_s, const char *fmt, ...)
{
	if (!fig || !(at_s >= 0 && at_s <= fig->duration_s))
		return;
	struct landmark *l = PUSH(fig, fig, landmarks, n_landmarks, cap_landmarks);
	if (!l)
		return;
	l->at_s = at_s;
	FORMATTED(l->name);
}

void figure_left_open(struct figure *fig, const char *knob, double value)
{
	struct left_open *l = fig ? PUSH(fig, fig, left_open, n_left_open, cap_left_open) : NULL;
	if (l)
		*l = (struct left_open){ knob, value };
}

static struct block *add_block(struct figure *fig, enum block_kind kind)
{
	struct block **slot = PUSH(fig, fig, blocks, n_blocks, cap_blocks);
	if (!slot)
		return NULL;
	*slot = arena_alloc(&fig->arena, sizeof **slot);
	if (!*slot) {
		fig->n_blocks--;
		return NULL;
	}
	(*slot)->kind = kind;
	return *slot;
}

void figure_note(struct figure *fig, enum role role, const char *fmt, ...)
{
	struct block *b = add_block(fig, BLOCK_NOTE);
	if (!b)
		return;
	b->as.note.role = role;
	FORMATTED(b->as.note.text);
}

void figure_tab(struct figure *fig, const char *name)
{
	if (fig->n_blocks)
		fig->blocks[fig->n_blocks - 1]->tab = arena_text(&fig->arena, name);
}

const char *block_name(const struct block *b)
{
	const char *title = b->kind == BLOCK_PLOT       ? b->as.plot.title
			    : b->kind == BLOCK_BARS     ? b->as.bars.title
			    : b->kind == BLOCK_TIMELINE ? b->as.timeline.title
			    : b->kind == BLOCK_GRID     ? b->as.grid.title
			    : b->kind == BLOCK_TABLE    ? b->as.table.title
							: NULL;
	return b->tab ? b->tab : title ? title : "";
}

struct block block_with_name(const struct block *b)
{
	struct block named = *b;
	if (b->kind == BLOCK_BARS && !*b->as.bars.title)
		named.as.bars.title = block_name(b);
	return named;
}

static const char *const *copy_names(struct figure *fig, const char *const names[], size_t n)
{
	const char **copy = arena_array(&fig->arena, n, sizeof *copy);
	for (size_t i = 0; copy && i < n; i++)
		copy[i] = arena_text(&fig->arena, names[i]);
	return copy;
}

static const enum meaning *copy_means(struct figure *fig, const enum meaning means[], size_t n)
{
	enum meaning *copy = arena_array(&fig->arena, n, sizeof *copy);
	for (size_t i = 0; copy && i < n; i++) {
		assert((unsigned)means[i] < N_MEANINGS);
		copy[i] = means[i];
	}
	return copy;
}

/* Kinds 0, 1, 2, ..., after `empty` kinds that are empty. */
static const enum meaning *plain_means(struct figure *fig, size_t n, size_t empty)
{
	enum meaning *means = arena_array(&fig->arena, n, sizeof *means);
	for (size_t i = 0; means && i < n; i++)
		means[i] = i < empty ? MEANS_EMPTY : MEANS_KIND + (enum meaning)((i - empty) % 8);
	return means;
}

struct plot *figure_plot(struct figure *fig, const char *title, const char *x_title,
	const char *x_unit, enum axis_scale x_scale, const char *y_title, const char *y_unit,
	enum axis_scale y_scale)
{
	struct block *b = add_block(fig, BLOCK_PLOT);
	if (!b)
		return NULL;
	struct arena *a = &fig->arena;
	b->as.plot = (struct plot){
		.title = arena_text(a, title),
		.x = { arena_text(a, x_title), arena_text(a, x_unit), x_scale, NAN, NAN, NAN, NAN,
			false, false, NULL, NAN },
		.y = { arena_text(a, y_title), arena_text(a, y_unit), y_scale, NAN, NAN, NAN, NAN,
			false, false, NULL, NAN },
	};
	return &b->as.plot;
}

/* Series are handed out by pointer and must not move when another one is added, so that a
 * simulation can fill several side by side: they are reserved in one go. */
enum { MAX_SERIES = 24 };

struct series *plot_series(struct figure *fig, struct plot *p, const char *name,
	enum series_style style, enum meaning meaning)
{
	assert((unsigned)meaning < N_MEANINGS);
	if (!p || p->n_series == MAX_SERIES)
		return NULL;
	if (!p->series && !(p->series = arena_array(&fig->arena, MAX_SERIES, sizeof *p->series)))
		return NULL;
	struct series *s = &p->series[p->n_series++];
	*s = (struct series){
		.name = arena_text(&fig->arena, name), .style = style, .meaning = meaning
	};
	return s;
}

void plot_slider(struct figure *fig, struct plot *p, const char *knob, double at)
{
	if (!p)
		return;
	p->x.knob = arena_text(&fig->arena, knob);
	p->x.knob_at = at;
}

void series_mark(
	struct figure *fig, struct series *s, double x, double y, const char *name, enum role role)
{
	if (!s)
		return;
	struct point *p = PUSH(fig, s, points, n, cap);
	if (p)
		*p = (struct point){ x, y, name ? arena_text(&fig->arena, name) : NULL, role, y,
			y };
}

void series_point(struct figure *fig, struct series *s, double x, double y)
{
	series_mark(fig, s, x, y, NULL, ROLE_PLAIN);
}

void series_range(struct series *s, double low, double high)
{
	if (!s || s->n == 0)
		return;
	s->points[s->n - 1].low = low;
	s->points[s->n - 1].high = high;
}

void plot_rule(struct figure *fig, struct plot *p, bool horizontal, double at, const char *label,
	enum role role)
{
	if (!p)
		return;
	struct rule *r = PUSH(fig, p, rules, n_rules, cap_rules);
	if (r)
		*r = (struct rule){ horizontal, at, arena_text(&fig->arena, label), role };
}

struct bars *figure_bars(struct figure *fig, const char *title, const char *unit,
	const char *const part_names[], size_t n_parts)
{
	struct block *b = add_block(fig, BLOCK_BARS);
	if (!b)
		return NULL;
	b->as.bars = (struct bars){
		.title = arena_text(&fig->arena, title),
		.unit = arena_text(&fig->arena, unit),
		.part_names = copy_names(fig, part_names, n_parts),
		.means = plain_means(fig, n_parts, 0),
		.n_parts = n_parts,
		.limit = NAN,
	};
	return &b->as.bars;
}

void bars_mean(struct figure *fig, struct bars *b, const enum meaning means[], size_t n)
{
	if (!b)
		return;
	assert(n == b->n_parts);
	b->means = copy_means(fig, means, n);
}

struct bar *bars_add(struct figure *fig, struct bars *b, const char *label, const double parts[])
{
	if (!b)
		return NULL;
	double *copy = arena_array(&fig->arena, b->n_parts, sizeof *copy);
	struct bar *bar = copy ? PUSH(fig, b, bars, n_bars, cap_bars) : NULL;
	if (!bar)
		return NULL;
	memcpy(copy, parts, b->n_parts * sizeof *copy);
	*bar = (struct bar){ .label = arena_text(&fig->arena, label), .parts = copy };
	return bar;
}

struct timeline *figure_timeline(struct figure *fig, const char *title,
	const char *const lane_names[], size_t n_lanes, const char *const kind_names[],
	size_t n_kinds)
{
	struct block *b = add_block(fig, BLOCK_TIMELINE);
	if (!b)
		return NULL;
	b->as.timeline = (struct timeline){
		.title = arena_text(&fig->arena, title),
		.lane_names = copy_names(fig, lane_names, n_lanes),
		.n_lanes = n_lanes,
		.kind_names = copy_names(fig, kind_names, n_kinds),
		.means = plain_means(fig, n_kinds, 0),
		.n_kinds = n_kinds,
	};
	return &b->as.timeline;
}

void timeline_mean(struct figure *fig, struct timeline *t, const enum meaning means[], size_t n)
{
	if (!t)
		return;
	assert(n == t->n_kinds);
	t->means = copy_means(fig, means, n);
}

static void add_span(struct figure *fig, struct timeline *t, struct span span)
{
	struct span *s = t ? PUSH(fig, t, spans, n_spans, cap_spans) : NULL;
	if (s)
		*s = span;
}

void timeline_span(struct figure *fig, struct timeline *t, unsigned lane, unsigned kind,
	double start_s, double end_s, const char *label)
{
	add_span(fig, t,
		(struct span){ start_s, end_s, lane, kind,
			label ? arena_text(&fig->arena, label) : NULL, 0 });
}

void timeline_count(struct figure *fig, struct timeline *t, unsigned lane, unsigned kind,
	double start_s, double end_s, unsigned count, const char *word)
{
	add_span(fig, t, (struct span){ start_s, end_s, lane, kind, word, count });
}

void timeline_rank(struct figure *fig, struct timeline *t, const unsigned char ranks[], size_t n)
{
	if (!t)
		return;
	assert(n == t->n_lanes);
	unsigned char *copy = arena_array(&fig->arena, n, 1);
	if (copy)
		memcpy(copy, ranks, n);
	t->lane_ranks = copy;
}

void timeline_note(struct figure *fig, struct timeline *t, unsigned lane, const char *text)
{
	if (!t)
		return;
	assert(lane < t->n_lanes);
	if (!t->lane_notes)
		t->lane_notes = arena_array(&fig->arena, t->n_lanes, sizeof *t->lane_notes);
	if (t->lane_notes)
		t->lane_notes[lane] = arena_text(&fig->arena, text);
}

void timeline_rule(
	struct figure *fig, struct timeline *t, double at_s, const char *label, enum role role)
{
	if (!t)
		return;
	struct rule *r = PUSH(fig, t, rules, n_rules, cap_rules);
	if (r)
		*r = (struct rule){ false, at_s, arena_text(&fig->arena, label), role };
}

struct grid *figure_grid(struct figure *fig, const char *title, const char *const kind_names[],
	size_t n_kinds, const char *const row_names[], size_t rows, size_t cols,
	const double frame_times[], size_t n_frames)
{
	struct block *b = add_block(fig, BLOCK_GRID);
	if (!b)
		return NULL;
	struct grid *g = &b->as.grid;
	*g = (struct grid){
		.title = arena_text(&fig->arena, title),
		.kind_names = copy_names(fig, kind_names, n_kinds),
		.means = plain_means(fig, n_kinds, 1),
		.n_kinds = n_kinds,
		.row_names = row_names ? copy_names(fig, row_names, rows) : NULL,
		.frame_times = arena_array(&fig->arena, n_frames, sizeof *g->frame_times),
		.cells = arena_array(&fig->arena, n_frames, rows * cols),
	};
	if (!g->cells || !g->frame_times)
		return NULL; /* stays a grid of no cells, which every view can draw */
	g->rows = rows;
	g->cols = cols;
	g->n_frames = n_frames;
	g->used[0] = true;
	if (frame_times)
		memcpy(g->frame_times, frame_times, n_frames * sizeof *frame_times);
	return g;
}

void grid_mean(struct figure *fig, struct grid *g, const enum meaning means[], size_t n)
{
	if (!g)
		return;
	assert(n == g->n_kinds);
	g->means = copy_means(fig, means, n);
}

void grid_set(struct grid *g, size_t frame, size_t row, size_t col, unsigned kind)
{
	if (g && frame < g->n_frames && row < g->rows && col < g->cols) {
		g->cells[(frame * g->rows + row) * g->cols + col] = (unsigned char)kind;
		g->used[(unsigned char)kind] = true;
	}
}

void grid_write(struct figure *fig, struct grid *g, size_t frame, size_t row, size_t col,
	unsigned number, int moves)
{
	if (!g || frame >= g->n_frames || row >= g->rows || col >= g->cols)
		return;
	assert(number < 255 && moves >= SCHAR_MIN && moves <= SCHAR_MAX);
	if (!g->notes)
		g->notes =
			arena_array(&fig->arena, g->n_frames * g->rows * g->cols, sizeof *g->notes);
	int cols = (number > 99) + (number > 9) + 1 + (moves != 0);
	g->note_cols = cols > g->note_cols ? cols : g->note_cols;
	if (g->notes)
		g->notes[(frame * g->rows + row) * g->cols + col] =
			(struct cell_note){ .number = (unsigned char)(number + 1),
				.moves = (signed char)moves };
}

void grid_captions(struct figure *fig, struct grid *g, const char *const captions[], size_t n)
{
	if (!g)
		return;
	g->captions = copy_names(fig, captions, n);
	g->n_captions = g->captions ? n : 0;
}

void grid_receive(struct grid *g, size_t frame, size_t row, size_t col, unsigned number, bool adds)
{
	if (!g || !g->notes || frame >= g->n_frames || row >= g->rows || col >= g->cols)
		return;
	assert(number < 255);
	struct cell_note *note = &g->notes[(frame * g->rows + row) * g->cols + col];
	note->gets = (unsigned char)(number + 1);
	note->adds = adds;
}

void grid_axes(struct figure *fig, struct grid *g, const char *column, const char *frame)
{
	if (!g)
		return;
	g->col_title = column ? arena_text(&fig->arena, column) : NULL;
	g->frame_title = frame ? arena_text(&fig->arena, frame) : NULL;
}

void grid_steps(struct figure *fig, struct grid *g, const size_t done[], size_t n, size_t stand_for)
{
	if (!g)
		return;
	size_t *kept = arena_array(&fig->arena, g->n_frames, sizeof *kept);
	if (fig->arena.failed)
		return;
	memcpy(kept, done, g->n_frames * sizeof *kept);
	g->frame_steps = kept;
	g->n_steps = n;
	g->stand_for = stand_for;
}

void grid_number_lines(struct figure *fig, struct grid *g, double lo, double hi, size_t focus,
	const char *const row_notes[])
{
	if (!g)
		return;
	assert(hi > lo);
	g->lo = lo;
	g->hi = hi;
	g->focus = focus;
	grid_row_notes(fig, g, row_notes);
}

void grid_row_notes(struct figure *fig, struct grid *g, const char *const notes[])
{
	if (g)
		g->row_notes = notes ? copy_names(fig, notes, g->rows) : NULL;
}

void grid_wanted(struct figure *fig, struct grid *g, double wanted, const char *wanted_text,
	const char *kept_text)
{
	if (!g)
		return;
	g->wanted = wanted;
	g->wanted_text = arena_text(&fig->arena, wanted_text);
	g->kept_text = arena_text(&fig->arena, kept_text);
}

struct table *figure_table(struct figure *fig, const char *title, const char *const head[],
	size_t cols, const char *numeric)
{
	struct block *b = add_block(fig, BLOCK_TABLE);
	if (!b)
		return NULL;
	b->as.table = (struct table){
		.title = arena_text(&fig->arena, title),
		.head = copy_names(fig, head, cols),
		.cols = cols,
		.numeric = arena_text(&fig->arena, numeric),
	};
	return &b->as.table;
}

void table_row(struct figure *fig, struct table *t, const char *const cells[])
{
	if (!t)
		return;
	const char *const *copy = copy_names(fig, cells, t->cols);
	const char *const **slot = copy ? PUSH(fig, t, rows, n_rows, cap_rows) : NULL;
	if (slot)
		*slot = copy;
}

void table_turns(struct figure *fig, struct table *t, const char *knob, enum role role)
{
	while (t && t->n_turns < t->n_rows) {
		struct row_turn *turn = PUSH(fig, t, turns, n_turns, cap_turns);
		if (!turn)
			return;
		bool last = t->n_turns == t->n_rows;
		*turn = (struct row_turn){ last ? arena_text(&fig->arena, knob) : NULL,
			last ? role : ROLE_PLAIN };
	}
}

void table_verb(struct figure *fig, struct table *t, const char *verb)
{
	if (t)
		t->verb = arena_text(&fig->arena, verb);
}

const char *table_knob(const struct table *t, size_t row)
{
	return row < t->n_turns ? t->turns[row].knob : NULL;
}
