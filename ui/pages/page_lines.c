#include "ui/pages/page_lines.h"

#include "sims/base/array.h"

#include <assert.h>
#include <string.h>

/* A container whose prefix would leave fewer columns for text goes without its prefix. */
enum { LEAST_TEXT = 8 };

int lines_width(const struct page_lines *l)
{
	return l->width - l->columns;
}

struct page_lines lines_of(struct page *p, struct arena *scratch, enum glyphs glyphs, bool aloud)
{
	struct page_lines l = {
		.page = p, .scratch = scratch, .glyphs = glyphs, .aloud = aloud, .width = p->width
	};
	l.places.beside = p->beside;
	return l;
}

static bool gap_is_due(const struct page_lines *l)
{
	return l->gap && (l->places.aside || l->places.next);
}

void lines_aside(struct page_lines *l)
{
	l->text = (struct page_margin){ l->n_frames, l->columns, l->gap_frames, l->gap };
	place_begin_aside(&l->places, gap_is_due(l));
	l->n_frames = l->columns = l->gap_frames = 0;
	l->gap = false;
	l->width = l->places.beside.cols;
}

void lines_back(struct page_lines *l)
{
	place_end_aside(&l->places);
	l->n_frames = l->text.n_frames;
	l->columns = l->text.columns;
	l->gap_frames = l->text.gap_frames;
	l->gap = l->text.gap;
	l->width = l->page->width;
}

void lines_whole(struct page_lines *l, size_t first)
{
	struct page *p = l->page;
	while (first < p->n_lines && !p->lines[first].n_spans)
		first++;
	const struct page_whole whole = { first, p->n_lines - first };
	if (whole.n)
		ARRAY_APPEND(&p->arena, p, wholes, n_wholes, cap_wholes, whole);
}

static void push_span(struct page_lines *l, const char *text, struct page_piece look)
{
	struct page_span s = { text, look.style, look.attr, look.link, look.computed, look.term };
	ARRAY_APPEND(l->scratch, l, spans, n_spans, cap_spans, s);
}

void line_blanks(struct page_lines *l, int columns)
{
	static const char blanks[] =
		"                                                                ";
	const int most = (int)sizeof blanks - 1;
	if (!l->n_spans) {
		l->indent += columns;
		return;
	}
	for (; columns > 0; columns -= most)
		push_span(l, blanks + (columns < most ? most - columns : 0),
			PLAIN_PIECE(STYLE_PLAIN));
}

void line_span(struct page_lines *l, const char *text, size_t bytes, struct page_piece look)
{
	struct page *p = l->page;
	char *copy = arena_alloc(&p->arena, bytes + 1);
	if (!copy)
		return;
	memcpy(copy, text, bytes);
	if (look.link >= 0 && p->links[look.link].line == SIZE_MAX)
		p->links[look.link].line = p->n_lines;
	if (look.computed >= 0 && p->computed[look.computed].line == SIZE_MAX)
		p->computed[look.computed].line = p->n_lines;
	if (look.term && p->terms[look.term - 1].line == SIZE_MAX)
		p->terms[look.term - 1].line = p->n_lines;
	push_span(l, copy, look);
}

void line_range(struct page_lines *l, const struct page_run *run, struct page_range r)
{
	for (size_t i = run_piece(run, r.begin); i < run->n_pieces; i++) {
		size_t begin = run->pieces[i].begin;
		size_t end = i + 1 < run->n_pieces ? run->pieces[i + 1].begin : run->text.n;
		if (begin >= r.end)
			break;
		begin = begin < r.begin ? r.begin : begin;
		end = end > r.end ? r.end : end;
		line_span(l, run->text.text + begin, end - begin, run->pieces[i]);
	}
}

static void prefix(struct page_lines *l, int n_frames)
{
	for (int i = 0; i < n_frames; i++) {
		struct page_frame *f = &l->frames[i];
		if (!f->columns)
			continue;
		if (f->bar && !l->aloud)
			push_span(l, PAGE_BAR, PLAIN_PIECE(STYLE_DIM));
		else if (f->marker_due)
			line_span(l, f->marker, strlen(f->marker), f->look);
		else
			line_blanks(l, f->columns);
		f->marker_due = false;
	}
}

void line_end(struct page_lines *l)
{
	struct page *p = l->page;
	struct page_span *spans = arena_array(&p->arena, l->n_spans, sizeof *spans);
	if (!spans)
		return;
	if (l->n_spans)
		memcpy(spans, l->spans, l->n_spans * sizeof *spans);
	struct page_line line = { .spans = spans,
		.n_spans = l->n_spans,
		.indent = l->n_spans ? l->indent : 0,
		.figure = -1 };
	place_line(&l->places, p, line);
	l->n_spans = 0;
	l->indent = 0;
}

size_t line_gap(struct page_lines *l)
{
	if (gap_is_due(l)) {
		int bars = l->gap_frames;
		while (bars && (!l->frames[bars - 1].bar || !l->frames[bars - 1].columns))
			bars--;
		prefix(l, bars);
		line_end(l);
	}
	l->gap = l->gap_fixed = false;
	return l->page->n_lines;
}

void line_begin(struct page_lines *l)
{
	line_gap(l);
	prefix(l, l->n_frames);
}

void line_gap_after(struct page_lines *l)
{
	l->gap = true;
	l->gap_frames = l->n_frames;
}

void frame_push(struct page_lines *l, bool bar, const char *marker)
{
	frame_push_look(l, bar, marker, PLAIN_PIECE(STYLE_DIM));
}

void frame_push_look(struct page_lines *l, bool bar, const char *marker, struct page_piece look)
{
	int columns = text_cols(bar ? PAGE_BAR : marker, l->glyphs);
	bool fits = l->n_frames < MAX_FRAMES && lines_width(l) - columns >= LEAST_TEXT;
	if (l->n_frames == MAX_FRAMES) {
		l->deeper++;
	} else {
		struct page_frame f = {
			.columns = fits ? columns : 0,
			.bar = bar,
			.marker_due = !bar && fits,
			.look = look,
		};
		strncat(f.marker, marker, sizeof f.marker - 1);
		l->frames[l->n_frames++] = f;
		l->columns += f.columns;
	}
	if (bar || fits)
		return;
	/* There is no room beside the text: the marker gets a line of its own. */
	struct page_run run = run_in(l->scratch, l->glyphs);
	run_text(&run, marker, strlen(marker), look);
	lines_wrap(l, &run, run_whole(&run), 0);
}

void frame_pop(struct page_lines *l)
{
	if (l->deeper) {
		l->deeper--;
		return;
	}
	assert(l->n_frames > 0);
	const struct page_frame *f = &l->frames[l->n_frames - 1];
	if (f->marker_due) { /* an item without anything in it */
		line_begin(l);
		line_end(l);
		l->gap = true;
	}
	l->columns -= f->columns;
	l->n_frames--;
	if (l->gap_frames > l->n_frames)
		l->gap_frames = l->n_frames;
}

void lines_wrap(struct page_lines *l, const struct page_run *run, struct page_range r, int hang)
{
	struct page_wrap w = wrap_begin(run, r, lines_width(l));
	struct page_range line;
	int columns;
	for (int n = 0; wrap_next(&w, &line, &columns); n++) {
		line_begin(l);
		if (n)
			line_blanks(l, hang);
		line_range(l, run, line);
		line_end(l);
		w.left.width = lines_width(l) - hang;
	}
}

const char *lines_dashes(const struct page_lines *l, int columns)
{
	static const char dash[] = "─";
	const size_t bytes = sizeof dash - 1;
	char *text = columns > 0 ? arena_alloc(l->scratch, (size_t)columns * bytes + 1) : NULL;
	for (int i = 0; text && i < columns; i++)
		memcpy(text + (size_t)i * bytes, dash, bytes + 1);
	return text ? text : "";
}

void lines_rule(struct page_lines *l, int columns)
{
	const char *text = lines_dashes(l, columns);
	if (!*text || l->aloud)
		return;
	line_begin(l);
	line_span(l, text, strlen(text), PLAIN_PIECE(STYLE_DIM));
	line_end(l);
}
