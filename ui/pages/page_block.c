#include "ui/pages/page_block.h"

#include "sims/base/array.h"
#include "ui/data/markdown.h"
#include "ui/pages/page_anchor.h"
#include "ui/pages/page_code.h"
#include "ui/data/in_depth.h"
#include "ui/pages/page_fold.h"
#include "ui/pages/page_glossary.h"
#include "ui/pages/page_inline.h"
#include "ui/pages/page_lines.h"
#include "ui/pages/page_table.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A figure taller than this is a mistake in its module, not a figure. */
enum { MOST_FIGURE_ROWS = 10000, CODE_INDENT = 2 };

/* The fold that is being laid out, and what the page had before its inside. */
struct open_fold {
	cmark_node *parent; /* of its blocks; NULL: there is no fold */
	size_t index;
	bool framed; /* its blocks stand behind a mark */
	size_t lines, links, computed, terms, headings, figures, wholes;
	struct page_places places;
	int gap_frames;
};

/* A page being laid out. */
struct build {
	struct page *page;
	const struct page_env *env; /* may be NULL */
	struct arena *scratch;
	struct page_lines lines;
	struct page_inlines inlines;
	struct page_marks marks;
	struct pipe_tables tables;
	struct anchor_set anchors;
	struct page_run run; /* of the block at hand */
	struct open_fold fold;
	int bulleted; /* open lists with bullets: their depth chooses the bullet */
};

static void paragraph(struct build *b, cmark_node *node)
{
	run_clear(&b->run);
	inline_collect(&b->inlines, &b->run, node, STYLE_PLAIN, 0);
	terms_mark(&b->marks, &b->run, run_whole(&b->run));
	lines_wrap(&b->lines, &b->run, run_whole(&b->run), 0);
}

/* What other names a heading has, where the paragraph below it says just that, as in "Also: GEMM, matmul.": the
 * names with their full stop. NULL: none. */
static const char *other_names(cmark_node *heading)
{
	static const char also[] = GLOSSARY_ALSO;
	cmark_node *next = cmark_node_next(heading);
	if (!next || cmark_node_get_type(next) != CMARK_NODE_PARAGRAPH)
		return NULL;
	cmark_consolidate_text_nodes(next);
	cmark_node *text = cmark_node_first_child(next);
	if (!text || cmark_node_next(text) || cmark_node_get_type(text) != CMARK_NODE_TEXT)
		return NULL;
	const char *is = cmark_node_get_literal(text);
	return strncmp(is, also, sizeof also - 1) == 0 ? is + sizeof also - 1 : NULL;
}

/* Whether a paragraph has its place in the line of the heading above it. */
static bool names_heading(cmark_node *node)
{
	cmark_node *above = cmark_node_previous(node);
	return above && cmark_node_get_type(above) == CMARK_NODE_HEADING && other_names(above);
}

/* Puts " (also GEMM, matmul)" behind a heading. */
static void put_other_names(struct build *b, const char *names)
{
	const size_t n = strlen(names);
	const struct page_piece look = PLAIN_PIECE(STYLE_DIM);
	run_text(&b->run, " (also ", strlen(" (also "), look);
	run_text(&b->run, names, n && names[n - 1] == '.' ? n - 1 : n, look);
	run_text(&b->run, ")", 1, look);
}

/* Draws a rule from a heading's end to that of the row, where it leaves room for one. */
static void rule_behind(struct build *b, const char *text)
{
	enum { LEAST = 3 };
	const int left = lines_width(&b->lines) - text_cols(text, b->lines.glyphs) - 1;
	if (left < LEAST || b->lines.aloud)
		return;
	run_text(&b->run, " ", 1, PLAIN_PIECE(STYLE_DIM));
	const char *rule = lines_dashes(&b->lines, left);
	run_text(&b->run, rule, strlen(rule), PLAIN_PIECE(STYLE_DIM));
}

static void heading(struct build *b, cmark_node *node)
{
	static const struct {
		enum style style;
		unsigned attr;
	} looks[] = { { STYLE_ACCENT, ATTR_BOLD }, { STYLE_ACCENT, ATTR_BOLD },
		{ STYLE_PLAIN, ATTR_BOLD }, { STYLE_DIM, 0 }, { STYLE_DIM, 0 }, { STYLE_DIM, 0 } };
	struct page *p = b->page;
	int level = cmark_node_get_heading_level(node);
	assert(level >= 1 && (size_t)level <= LENGTH(looks));
	run_clear(&b->run);
	inline_collect(&b->inlines, &b->run, node, looks[level - 1].style, looks[level - 1].attr);
	if (!b->run.text.n)
		return;
	struct page_heading h = { .level = level, .line = line_gap(&b->lines) };
	h.text = run_string(&b->run, run_whole(&b->run), &p->arena);
	h.anchor = anchor_make(&b->anchors, b->scratch, &p->arena, h.text);
	if (!p->n_headings)
		p->title = h.text;
	ARRAY_APPEND(&p->arena, p, headings, n_headings, cap_headings, h);
	const char *names = other_names(node);
	if (names)
		put_other_names(b, names);
	else if (b->env && b->env->ruled)
		rule_behind(b, h.text);
	lines_wrap(&b->lines, &b->run, run_whole(&b->run), 0);
}

/* Puts code on the page. It keeps its line breaks; a line too long for the page is continued
 * behind a mark. */
static void code_lines(struct build *b)
{
	const char *mark = b->lines.aloud ? "  " : "↳ ";
	const int room = lines_width(&b->lines) - CODE_INDENT;
	const int mark_columns = text_cols(mark, b->lines.glyphs);
	const size_t first = b->page->n_lines;
	struct page_wrap w = wrap_begin(&b->run, run_whole(&b->run), room);
	struct page_range line;
	int columns;
	for (;;) {
		bool goes_on = w.left.at > 0 && b->run.text.text[w.left.at - 1] != '\n';
		w.left.width = goes_on ? room - mark_columns : room;
		if (!wrap_code_next(&w, &line, &columns))
			break;
		line_begin(&b->lines);
		line_blanks(&b->lines, CODE_INDENT);
		if (goes_on)
			line_span(&b->lines, mark, strlen(mark), PLAIN_PIECE(STYLE_DIM));
		line_range(&b->lines, &b->run, line);
		line_end(&b->lines);
	}
	lines_whole(&b->lines, first);
}

/* The text inside the fence of a figure is what one sees in it, wrapped as one paragraph. */
static void caption(struct build *b, const char *text)
{
	run_clear(&b->run);
	for (const char *end; *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		if (b->run.text.n && end > text)
			run_text(&b->run, " ", 1, PLAIN_PIECE(STYLE_DIM));
		run_text(&b->run, text, (size_t)(end - text), PLAIN_PIECE(STYLE_DIM));
	}
	if (b->run.text.n)
		lines_wrap(&b->lines, &b->run, run_whole(&b->run), 0);
}

static bool leads_to(const struct page *p, const char *target)
{
	for (size_t i = 0; i < p->n_links; i++)
		if (strcmp(p->links[i].target, target) == 0)
			return true;
	return false;
}

/* A link of its own line right below a figure, the first time that the page would have it. It is
 * quieter than those in the text, which are the author's. */
static void link_below(struct build *b, const char *setting)
{
	struct page *p = b->page;
	const char *target = NULL, *text = NULL;
	if (b->env && b->env->below_figure)
		text = b->env->below_figure(b->env->context, setting, &target, &p->arena);
	if (!text || !target || leads_to(p, target))
		return;
	struct page_link l = { target, text, SIZE_MAX };
	struct page_piece look = { 0, STYLE_DIM, ATTR_UNDERLINE, (int)p->n_links, -1, 0 };
	ARRAY_APPEND(&p->arena, p, links, n_links, cap_links, l);
	if (p->arena.failed)
		return;
	/* Printed, it would read as a line of the figure. */
	b->lines.gap |= b->env->draw_figure != NULL;
	run_clear(&b->run);
	run_text(&b->run, text, strlen(text), look);
	lines_wrap(&b->lines, &b->run, run_whole(&b->run), 0);
}

/* Keeps rows for a live figure, under its caption. */
static void figure_lines(struct build *b, const char *setting, const char *text, int rows)
{
	struct page *p = b->page;
	caption(b, text);
	struct page_figure f = { arena_text(&p->arena, setting), line_gap(&b->lines), rows, rows };
	for (int i = 0; i < rows; i++) {
		struct page_line line = { .figure = (int)p->n_figures, .figure_row = i };
		place_line(&b->lines.places, p, line);
	}
	ARRAY_APPEND(&p->arena, p, figures, n_figures, cap_figures, f);
}

static void figure_in_text(struct build *b, const char *setting, const char *text, int rows)
{
	for (int i = 0; i < b->lines.n_frames; i++)
		if (b->lines.frames[i].marker_due) {
			line_begin(&b->lines);
			line_end(&b->lines);
		}
	b->lines.gap = true;
	figure_lines(b, setting, text, rows);
	link_below(b, setting);
	b->lines.gap_fixed = true;
}

static void figure_beside(struct build *b, const char *setting, const char *text, int rows)
{
	lines_aside(&b->lines);
	figure_lines(b, setting, text, rows);
	link_below(b, setting);
	lines_back(&b->lines);
}

/* A live figure. False: there is no such simulation. */
static bool figure(struct build *b, const char *setting, const char *text)
{
	const struct page *p = b->page;
	if (!b->env || !b->env->figure_rows)
		return false;
	const bool beside = p->beside.cols > 0;
	const int width = beside ? p->beside.cols : p->width;
	const int rows = b->env->figure_rows(b->env->context, setting, width);
	if (rows <= 0 || rows > MOST_FIGURE_ROWS)
		return false;
	if (beside)
		figure_beside(b, setting, text, rows);
	else
		figure_in_text(b, setting, text, rows);
	return true;
}

/* Writes a figure in words, each on a line of its own. False: it cannot be described. */
static bool described(struct build *b, const char *setting, const char *seen)
{
	if (!b->env || !b->lines.aloud || !b->env->describe)
		return false;
	const char *text = b->env->describe(b->env->context, setting, b->scratch);
	if (!text)
		return false;
	caption(b, seen);
	run_clear(&b->run);
	for (const char *end; *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		run_text(&b->run, text, (size_t)(end - text), PLAIN_PIECE(STYLE_PLAIN));
		run_break(&b->run);
	}
	lines_wrap(&b->lines, &b->run, run_whole(&b->run), 0);
	return true;
}

static void code_block(struct build *b, cmark_node *node)
{
	const char *info = cmark_node_get_fence_info(node);
	bool sim = strncmp(info, "sim", 3) == 0 && (info[3] == ' ' || info[3] == '\t');
	const char *text = cmark_node_get_literal(node);
	const char *setting = sim ? info + 3 + strspn(info + 3, " \t") : "";
	if (sim && described(b, setting, text)) {
		link_below(b, setting);
		return;
	}
	if (sim && figure(b, setting, text))
		return;
	run_clear(&b->run);
	if (sim) {
		run_code(&b->run, info, strlen(info), PLAIN_PIECE(STYLE_CODE));
		run_break(&b->run);
	}
	code_collect(&b->run, cmark_node_get_literal(node), info);
	code_lines(b);
}

static void html_lines(struct page_run *run, const char *text, const char *end)
{
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;
		size_t before = run->text.n;
		run_text(run, text, (size_t)(stop - text), PLAIN_PIECE(STYLE_DIM));
		if (newline && run->text.n > before)
			run_break(run);
		text = newline ? newline + 1 : end;
	}
}

static void drop_gap(struct build *b)
{
	b->lines.gap = b->lines.gap_fixed;
}

/* Comments are for authors and left out, but for the one that marks a section in depth; other HTML is
 * shown as it stands in the source. */
static void html_block(struct build *b, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node), *open, *close;
	run_clear(&b->run);
	if (in_depth_marks(text)) {
		drop_gap(b); /* it belongs to its heading */
		run_text(&b->run, "In depth", strlen("In depth"), PLAIN_PIECE(STYLE_DIM));
	}
	while ((open = strstr(text, "<!--")) && (close = strstr(open + 4, "-->"))) {
		html_lines(&b->run, text, open);
		text = close + 3;
	}
	html_lines(&b->run, text, text + strlen(text));
	lines_wrap(&b->lines, &b->run, run_whole(&b->run), 0);
}

/* What a list remembers from item to item. */
struct block_list {
	long next; /* number of the next item */
	int digits;
	const char *bullet; /* NULL: numbers */
	char delimiter;
};

static bool in_tight_item(cmark_node *node)
{
	cmark_node *parent = cmark_node_parent(node);
	return parent && cmark_node_get_type(parent) == CMARK_NODE_ITEM &&
	       cmark_node_get_list_tight(cmark_node_parent(parent));
}

static bool is_bulleted(cmark_node *list)
{
	return cmark_node_get_list_type(list) == CMARK_BULLET_LIST;
}

static void enter_list(struct build *b, cmark_node *node)
{
	static const char *const bullets[] = { "• ", "– ", "· " };
	struct block_list *list = arena_alloc(b->scratch, sizeof *list);
	if (!list)
		return;
	list->next = cmark_node_get_list_start(node);
	list->delimiter = cmark_node_get_list_delim(node) == CMARK_PAREN_DELIM ? ')' : '.';
	if (is_bulleted(node)) {
		list->bullet = bullets[b->bulleted < 2 ? b->bulleted : 2];
		b->bulleted++;
	}
	long last = list->next - 1;
	for (cmark_node *item = cmark_node_first_child(node); item; item = cmark_node_next(item))
		last++;
	list->digits = snprintf(NULL, 0, "%ld", last);
	cmark_node_set_user_data(node, list);
}

/* The box of an item of a list to be ticked stands in the place of its bullet: takes it out of the text. NULL:
 * it is no such item. */
static const char *take_box(cmark_node *item)
{
	enum { BOX = 4 };
	static const char *const boxes[] = { "[ ] ", "[x] " };
	cmark_node *first = cmark_node_first_child(item), *text;
	if (!first || cmark_node_get_type(first) != CMARK_NODE_PARAGRAPH)
		return NULL;
	cmark_consolidate_text_nodes(first);
	text = cmark_node_first_child(first);
	const char *is = text ? cmark_node_get_literal(text) : NULL;
	for (size_t i = 0; is && i < sizeof boxes / sizeof *boxes; i++)
		if (strncmp(is, boxes[i], BOX) == 0) {
			char *rest = strdup(is + BOX);
			const bool took = rest && cmark_node_set_literal(text, rest);
			free(rest);
			return took ? boxes[i] : NULL;
		}
	return NULL;
}

static void enter_item(struct build *b, cmark_node *node)
{
	cmark_node *parent = cmark_node_parent(node);
	struct block_list *list = cmark_node_get_user_data(parent);
	char marker[24];
	if (!list)
		return;
	if (cmark_node_previous(node) && cmark_node_get_list_tight(parent))
		drop_gap(b);
	const char *box = list->bullet ? take_box(node) : NULL;
	if (list->bullet)
		snprintf(marker, sizeof marker, "%s", box ? box : list->bullet);
	else
		snprintf(marker, sizeof marker, "%*ld%c ", list->digits, list->next++,
			list->delimiter);
	frame_push(&b->lines, false, marker);
}

static void container(struct build *b, cmark_node *node, bool entering)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_BLOCK_QUOTE:
		if (entering)
			frame_push(&b->lines, true, "");
		else
			frame_pop(&b->lines);
		break;
	case CMARK_NODE_LIST:
		if (entering)
			enter_list(b, node);
		else if (is_bulleted(node))
			b->bulleted--;
		break;
	case CMARK_NODE_ITEM:
		if (entering)
			enter_item(b, node);
		else
			frame_pop(&b->lines);
		break;
	default:
		break;
	}
}

static void table_block(struct build *b, const struct pipe_table *table)
{
	const struct table_layout on = { &b->tables, &b->inlines, &b->marks, &b->lines };
	pipe_table_layout(&on, table);
}

/* -- Folds --------------------------------------------------------------------------------- */

/* The mark of a fold is a link to it; without a link, where the page is printed, it is text. */
static struct page_piece fold_look(struct build *b, size_t fold, const char *label)
{
	struct page *p = b->page;
	struct page_piece look = PLAIN_PIECE(STYLE_DIM);
	if (!b->env || !b->env->is_open)
		return look;
	struct page_link l = { fold_target(fold, &p->arena), label, SIZE_MAX };
	size_t n = p->n_links;
	ARRAY_APPEND(&p->arena, p, links, n_links, cap_links, l);
	look.link = p->n_links > n ? (int)n : -1;
	if (look.link >= 0) { /* where Enter opens it, it is a link */
		look.style = STYLE_LINK;
		look.attr |= ATTR_UNDERLINE;
	}
	return look;
}

/* A line about a fold, such as "▸ Answer: Enter opens it". */
static void fold_line(struct build *b, const char *mark, const char *label, const char *then,
	struct page_piece look)
{
	struct page_piece sign = look; /* of the same colour, and nothing to underline */
	sign.style = look.style == STYLE_LINK ? STYLE_ACCENT : look.style;
	sign.attr &= ~(unsigned)ATTR_UNDERLINE;
	run_clear(&b->run);
	if (!b->lines.aloud)
		run_text(&b->run, mark, strlen(mark), sign);
	run_text(&b->run, label, strlen(label), look);
	run_text(&b->run, then, strlen(then), look);
	lines_wrap(&b->lines, &b->run, run_whole(&b->run), b->lines.aloud ? 0 : 2);
	line_gap_after(&b->lines);
}

/* The line that stands for a closed fold. How to open it is said to the first of several. */
static void stand_for(struct build *b, const char *label, bool first)
{
	struct page *p = b->page;
	const bool live = b->env && b->env->is_open;
	const struct page_piece look = fold_look(b, b->fold.index, label);
	fold_line(b, "▸ ", label, !live ? ": left out" : first ? ": Enter opens it" : "", look);
	for (size_t i = p->folds[b->fold.index].line; i < p->n_lines; i++)
		p->lines[i].stands_for = (int)b->fold.index + 1;
}

static void fold_begin(struct build *b, cmark_node *mark, bool first)
{
	struct page *p = b->page;
	const struct page_env *env = b->env;
	const size_t index = p->n_folds;
	struct page_fold f = { .label = "" };
	bool led;
	const char *label = fold_label(mark, &led, &p->arena);
	f.label = label ? label : "";
	f.open = !env || (env->is_open ? env->is_open(env->context, index) : !env->folded);
	if (!first && !f.open && !p->folds[index - 1].open)
		b->lines.gap = false; /* closed ones stand together, as a list does */
	f.line = line_gap(&b->lines);
	ARRAY_APPEND(&p->arena, p, folds, n_folds, cap_folds, f);
	if (p->n_folds == index)
		return;
	b->fold = (struct open_fold){ .parent = cmark_node_parent(mark), .index = index };
	if (!f.open) {
		stand_for(b, f.label, first);
	} else if (env && env->is_open) {
		b->fold.framed = true;
		frame_push_look(&b->lines, false, "▾ ", fold_look(b, index, f.label));
	} else if (!led) {
		fold_line(b, "", f.label, ":", PLAIN_PIECE(STYLE_DIM));
		b->lines.gap = false; /* it belongs to what follows */
	}
	b->fold.lines = p->n_lines;
	b->fold.places = b->lines.places;
	b->fold.links = p->n_links;
	b->fold.computed = p->n_computed;
	b->fold.terms = p->n_terms;
	b->fold.headings = p->n_headings;
	b->fold.figures = p->n_figures;
	b->fold.wholes = p->n_wholes;
	b->fold.gap_frames = b->lines.gap_frames;
}

/* Takes what is inside of a closed fold off the page again. It had to be laid out, since searches
 * read it, and since headings and figures are counted through the whole page. */
static void hide(struct build *b, struct page_fold *f)
{
	struct page *p = b->page;
	const struct open_fold *from = &b->fold;
	const size_t n = p->n_lines - from->lines;
	struct page_line *hidden = n ? arena_array(&p->arena, n, sizeof *hidden) : NULL;
	if (hidden) {
		memcpy(hidden, p->lines + from->lines, n * sizeof *hidden);
		f->hidden = hidden;
		f->n_hidden = n;
	}
	for (size_t i = from->headings; i < p->n_headings; i++) {
		p->headings[i].line = f->line;
		p->headings[i].fold = (int)from->index + 1;
	}
	for (size_t i = from->figures; i < p->n_figures; i++) {
		p->figures[i].line = f->line;
		p->figures[i].rows = p->figures[i].shown = 0;
	}
	p->n_lines = from->lines;
	places_restore(&b->lines.places, p, &from->places);
	p->n_links = from->links;
	p->n_computed = from->computed;
	p->n_terms = from->terms;
	p->n_wholes = from->wholes;
	b->lines.gap = true;
	b->lines.gap_fixed = false;
	b->lines.gap_frames = from->gap_frames;
}

static void fold_end(struct build *b)
{
	struct page *p = b->page;
	struct page_fold *f = &p->folds[b->fold.index];
	if (!f->open)
		hide(b, f);
	if (b->fold.framed)
		frame_pop(&b->lines);
	f->n_lines = p->n_lines - f->line;
	for (size_t i = f->line; f->open && i < p->n_lines; i++)
		p->lines[i].fold = (int)b->fold.index + 1;
	b->fold = (struct open_fold){ .parent = NULL };
}

/* A heading, unless it is a table whose second line made one of it. */
static bool is_heading(cmark_node *node)
{
	return cmark_node_get_type(node) == CMARK_NODE_HEADING && !cmark_node_get_user_data(node);
}

/* Whether what a heading is of stands right below it. */
static bool is_tight(const struct build *b, cmark_node *node)
{
	const int from = b->env ? b->env->tight : 0;
	return from > 0 && is_heading(node) && cmark_node_get_heading_level(node) >= from;
}

/* Begins and ends folds where a node is entered or left. True: the node was a mark, and nothing
 * else. */
static bool fold_at(struct build *b, cmark_node *node, bool entering)
{
	const bool inside = b->fold.parent != NULL;
	if (!entering) {
		if (inside && node == b->fold.parent)
			fold_end(b);
		return false;
	}
	const bool beside = inside && cmark_node_parent(node) == b->fold.parent;
	const enum fold_mark mark = inside && !beside ? MARK_NONE : fold_mark_of(node);
	if (beside && (mark != MARK_NONE || is_heading(node)))
		fold_end(b);
	if (mark == MARK_FOLD)
		fold_begin(b, node, !inside);
	return mark != MARK_NONE;
}

/* Lays out a block that holds text; false for the others. */
static bool leaf(struct build *b, cmark_node *node)
{
	const struct pipe_table *table = NULL;
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_PARAGRAPH:
	case CMARK_NODE_HEADING:
		table = cmark_node_get_user_data(node);
		if (table)
			table_block(b, table);
		else if (cmark_node_get_type(node) == CMARK_NODE_HEADING)
			heading(b, node);
		else if (!names_heading(node))
			paragraph(b, node);
		return true;
	case CMARK_NODE_CODE_BLOCK:
		code_block(b, node);
		return true;
	case CMARK_NODE_HTML_BLOCK:
		html_block(b, node);
		return true;
	case CMARK_NODE_THEMATIC_BREAK:
		lines_rule(&b->lines, lines_width(&b->lines));
		return true;
	default:
		return false;
	}
}

static void blocks(struct build *b, cmark_node *document)
{
	cmark_iter *iter = cmark_iter_new(document);
	for (cmark_event_type ev; (ev = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
		cmark_node *node = cmark_iter_get_node(iter);
		if (b->page->arena.failed || b->scratch->failed)
			break;
		if (ev == CMARK_EVENT_ENTER && cmark_node_previous(node) && in_tight_item(node))
			drop_gap(b);
		if (fold_at(b, node, ev == CMARK_EVENT_ENTER))
			continue;
		const size_t lines = b->page->n_lines;
		if (ev == CMARK_EVENT_EXIT || !leaf(b, node)) {
			container(b, node, ev == CMARK_EVENT_ENTER);
			continue;
		}
		if (b->page->n_lines > lines && !is_tight(b, node))
			line_gap_after(&b->lines);
		if (cmark_node_first_child(node))
			cmark_iter_reset(iter, node, CMARK_EVENT_EXIT);
	}
	cmark_iter_free(iter);
}

void page_blocks(struct page *p, const char *source, size_t bytes, const struct page_env *env,
	struct arena *scratch)
{
	const enum glyphs glyphs = env && env->ascii ? GLYPHS_ASCII : GLYPHS_LINES;
	struct build b = { .page = p, .env = env, .scratch = scratch };
	b.lines = lines_of(p, scratch, glyphs, env && env->aloud);
	b.inlines = (struct page_inlines){ p, env, scratch };
	b.marks = (struct page_marks){
		.page = p, .terms = env ? env->terms : NULL, .scratch = scratch
	};
	b.run = run_in(scratch, glyphs);
	cmark_node *document = markdown_parse(source, bytes);
	b.tables = pipe_tables_find(document, source, bytes, scratch);
	blocks(&b, document);
	pipe_tables_release(&b.tables);
	cmark_node_free(document);
}
