/* Lines of a page: the blank line that is due, the prefixes of quotes and lists, spans. */
#include "ui/pages/page_build.h"

#include <string.h>

/* Containers take no room that would leave text fewer columns than this. */
enum { LEAST_TEXT = 8 };

static const struct piece dim = { 0, STYLE_DIM, 0, -1, -1, 0 };

int block_width(const struct build *b)
{
	return b->page->width - b->columns;
}

bool build_aloud(const struct build *b)
{
	return b->env && b->env->aloud;
}

static void push_span(struct build *b, const char *text, struct piece look)
{
	struct page_span s = { text, look.style, look.attr, look.link, look.computed, look.term };
	PAGE_PUSH(&b->scratch, b, spans, n_spans, cap_spans, s);
}

void line_blanks(struct build *b, int columns)
{
	static const char blanks[] =
		"                                                                ";
	const int most = (int)sizeof blanks - 1;
	if (!b->n_spans) {
		b->indent += columns;
		return;
	}
	for (; columns > 0; columns -= most)
		push_span(b, blanks + (columns < most ? most - columns : 0),
			(struct piece){ 0, STYLE_PLAIN, 0, -1, -1, 0 });
}

void line_span(struct build *b, const char *text, size_t bytes, struct piece look)
{
	struct page *p = b->page;
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
	push_span(b, copy, look);
}

void line_range(struct build *b, const struct run *run, struct range r)
{
	for (size_t i = run_piece(run, r.begin); i < run->n_pieces; i++) {
		size_t begin = run->pieces[i].begin;
		size_t end = i + 1 < run->n_pieces ? run->pieces[i + 1].begin : run->n;
		if (begin >= r.end)
			break;
		begin = begin < r.begin ? r.begin : begin;
		end = end > r.end ? r.end : end;
		line_span(b, run->text + begin, end - begin, run->pieces[i]);
	}
}

static void prefix(struct build *b, int n_frames)
{
	for (int i = 0; i < n_frames; i++) {
		struct frame *f = &b->frames[i];
		if (!f->columns)
			continue;
		if (f->bar && !build_aloud(b))
			push_span(b, PAGE_BAR, dim);
		else if (f->marker_due)
			line_span(b, f->marker, strlen(f->marker), dim);
		else
			line_blanks(b, f->columns);
		f->marker_due = false;
	}
}

void line_end(struct build *b)
{
	struct page *p = b->page;
	struct page_span *spans = arena_array(&p->arena, b->n_spans, sizeof *spans);
	if (!spans)
		return;
	if (b->n_spans)
		memcpy(spans, b->spans, b->n_spans * sizeof *spans);
	struct page_line line = { spans, b->n_spans, b->n_spans ? b->indent : 0, -1, 0 };
	PAGE_PUSH(&p->arena, p, lines, n_lines, cap_lines, line);
	b->n_spans = 0;
	b->indent = 0;
}

size_t line_gap(struct build *b)
{
	if (b->gap && b->page->n_lines) {
		int bars = b->gap_frames;
		while (bars && (!b->frames[bars - 1].bar || !b->frames[bars - 1].columns))
			bars--;
		prefix(b, bars);
		line_end(b);
	}
	b->gap = b->gap_fixed = false;
	return b->page->n_lines;
}

void line_begin(struct build *b)
{
	line_gap(b);
	prefix(b, b->n_frames);
}

void frame_push(struct build *b, bool bar, const char *marker)
{
	int columns = glyphs_width(b->run.ascii, bar ? PAGE_BAR : marker);
	bool fits = b->n_frames < MAX_FRAMES && block_width(b) - columns >= LEAST_TEXT;
	if (b->n_frames == MAX_FRAMES) {
		b->deeper++;
	} else {
		struct frame f = {
			.columns = fits ? columns : 0, .bar = bar, .marker_due = !bar && fits
		};
		strncat(f.marker, marker, sizeof f.marker - 1);
		b->frames[b->n_frames++] = f;
		b->columns += f.columns;
	}
	if (bar || fits)
		return;
	/* No room to stand beside its text: the marker gets a line. */
	run_clear(&b->run);
	run_text(&b->run, marker, strlen(marker), dim);
	block_wrap(b, &b->run, (struct range){ 0, b->run.n }, 0);
}

void frame_pop(struct build *b)
{
	if (b->deeper) {
		b->deeper--;
		return;
	}
	const struct frame *f = &b->frames[b->n_frames - 1];
	if (f->marker_due) { /* an item without anything in it */
		line_begin(b);
		line_end(b);
		b->gap = true;
	}
	b->columns -= f->columns;
	b->n_frames--;
	if (b->gap_frames > b->n_frames)
		b->gap_frames = b->n_frames;
}

void block_wrap(struct build *b, const struct run *run, struct range r, int hang)
{
	struct wrap w = wrap_begin(run, r, block_width(b));
	struct range line;
	int columns;
	for (int n = 0; wrap_next(&w, &line, &columns); n++) {
		line_begin(b);
		if (n)
			line_blanks(b, hang);
		line_range(b, run, line);
		line_end(b);
		w.width = block_width(b) - hang;
	}
}

void block_rule(struct build *b, int columns)
{
	static const char dash[] = "─";
	const size_t bytes = sizeof dash - 1;
	char *text = arena_alloc(&b->scratch, (size_t)columns * bytes + 1);
	if (!text || build_aloud(b))
		return;
	for (int i = 0; i < columns; i++)
		memcpy(text + (size_t)i * bytes, dash, bytes);
	line_begin(b);
	line_span(b, text, (size_t)columns * bytes, dim);
	line_end(b);
}
