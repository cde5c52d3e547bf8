/* The page is laid out as in the explorer and written line by line from a canvas of one row; each
 * figure has a canvas of its own. */
#include "ui/commands/cmd_read.h"

#include "sims/base/match.h"
#include "sims/base/utf8.h"
#include "ui/data/page_list.h"
#include "ui/data/tables_load.h"
#include "ui/files/printed.h"
#include "ui/pages/first_reading.h"
#include "ui/pages/page_draw.h"
#include "ui/pages/page_env.h"
#include "ui/pages/search.h"
#include "ui/term/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, FAILED = 1 };
enum { USUAL_WIDTH = 80 };

/* What --width says, else $COLUMNS if --width would accept it, else the usual width. */
static int width_asked(const struct command_line *line)
{
	const struct option_value *asked = &line->values[OPTION_WIDTH];
	const char *columns = getenv("COLUMNS"), *const words[] = { "--width", columns };
	struct command_line env;
	char err[160];
	if (asked->at)
		return (int)asked->number;
	if (columns && command_line_read(&env, COMMAND_READ, words, 2, err, sizeof err) == 0 &&
		env.values[OPTION_WIDTH].at) /* COLUMNS=--help is read as well, but has no width */
		return (int)env.values[OPTION_WIDTH].number;
	return USUAL_WIDTH;
}

static int list_pages(const struct page_list *list, bool first, FILE *out)
{
	enum { ID = 5, MINUTES = 9, COLUMNS = 240 };
	int widest = 0;
	struct canvas cv;
	if (canvas_init(&cv, (int)list->n, COLUMNS, environment_glyphs()))
		return FAILED;
	for (size_t i = 0; i < list->n; i++) {
		int width = text_width(list->pages[i].id);
		widest = width > widest ? width : widest;
	}
	for (size_t i = 0; i < list->n; i++) {
		const struct page_info *p = &list->pages[i];
		const int row = (int)i;
		if (p->chapter >= 0)
			canvas_printf(&cv, row, 0, ID, STYLE_PLAIN, 0, "%3d", p->chapter);
		canvas_text(&cv, row, ID, widest, p->id, STYLE_PLAIN, 0);
		if (page_minutes(p, first))
			canvas_printf(&cv, row, ID + widest, MINUTES, STYLE_PLAIN, 0, "%4d min",
				page_minutes(p, first));
		canvas_text(&cv, row, ID + widest + MINUTES + 1, -1, p->title, STYLE_PLAIN, 0);
	}
	canvas_write_text(&cv, out);
	canvas_release(&cv);
	return DONE;
}

static const char *sgr_of(enum style s)
{
	static const char *const codes[N_STYLES] = { [STYLE_DIM] = ";2",
		[STYLE_GOOD] = ";32",
		[STYLE_WARN] = ";33",
		[STYLE_BAD] = ";31",
		[STYLE_ACCENT] = ";36",
		[STYLE_SERIES] = ";34",
		[STYLE_SERIES + 1] = ";33",
		[STYLE_SERIES + 2] = ";32",
		[STYLE_SERIES + 3] = ";31",
		[STYLE_SERIES + 4] = ";35",
		[STYLE_SERIES + 5] = ";36",
		[STYLE_SERIES + 6] = ";94",
		[STYLE_SERIES + 7] = ";93",
		[STYLE_CODE] = ";36",
		[STYLE_LINK] = ";34" };
	return codes[s] ? codes[s] : "";
}

static void write_sgr(const struct cell *c, FILE *out)
{
	fprintf(out, "\x1b[0%s%s%s%s%sm", sgr_of(c->style), c->attr & ATTR_BOLD ? ";1" : "",
		c->attr & ATTR_ITALIC ? ";3" : "", c->attr & ATTR_UNDERLINE ? ";4" : "",
		c->attr & ATTR_REVERSE ? ";7" : "");
}

static void write_row_in_color(const struct canvas *cv, int row, FILE *out)
{
	const struct cell *cells = &cv->cells[row * cv->cols], *last = NULL;
	int end = cv->cols;
	while (end > 0 && cells[end - 1].code == ' ' && !cells[end - 1].attr)
		end--;
	for (int i = 0; i < end; i++) {
		char text[5];
		if (!cells[i].code)
			continue;
		if (!last || last->style != cells[i].style || last->attr != cells[i].attr)
			write_sgr(&cells[i], out);
		last = &cells[i];
		utf8_write(text, cells[i].code);
		fputs(text, out);
	}
	fputs(last ? "\x1b[0m\n" : "\n", out);
}

static bool row_is_blank(const struct canvas *cv, int row)
{
	for (int col = 0; col < cv->cols; col++) {
		const struct cell *c = &cv->cells[row * cv->cols + col];
		if (c->code && (c->code != ' ' || c->attr))
			return false;
	}
	return true;
}

/* Moves up what stands below blank rows, so that one is left of several: a picture may need less than it
 * had asked for. */
static void close_up(struct canvas *cv)
{
	const size_t bytes = sizeof *cv->cells * (size_t)cv->cols;
	int kept = 0;
	for (int row = 0; row < cv->rows; row++) {
		const bool again = kept > 0 && row_is_blank(cv, row) && row_is_blank(cv, kept - 1);
		if (!again && kept != row)
			memcpy(&cv->cells[kept * cv->cols], &cv->cells[row * cv->cols], bytes);
		kept += !again;
	}
	cv->rows = kept;
}

static void write_canvas(const struct canvas *cv, bool color, FILE *out)
{
	if (!color)
		canvas_write_text(cv, out);
	for (int row = 0; color && row < cv->rows; row++)
		write_row_in_color(cv, row, out);
}

struct printer {
	const struct page *page;
	const struct page_env *env;
	bool color;
	const struct streams *io;
};

static int write_figure(const struct printer *pr, const struct page_figure *f)
{
	const struct rect r = { 0, 0, f->rows, pr->page->width };
	struct canvas cv;
	int rc = FAILED;
	if (canvas_init(&cv, r.rows, r.cols, environment_glyphs()) == 0 &&
		pr->env->draw_figure(pr->env->context, f->setting, &cv, r) == 0 && !cv.starved) {
		close_up(&cv);
		write_canvas(&cv, pr->color, pr->io->out);
		rc = DONE;
	}
	const bool no_memory = errno == ENOMEM || cv.starved;
	canvas_release(&cv);
	if (rc != DONE)
		fprintf(pr->io->err, "ridge read: the figure \"sim %s\" cannot be drawn%s\n",
			f->setting, no_memory ? ": out of memory" : "");
	return rc;
}

static int write_page(const struct printer *pr)
{
	const struct page *p = pr->page;
	struct canvas cv;
	int rc = DONE;
	if (canvas_init(&cv, 1, p->width, environment_glyphs())) {
		fprintf(pr->io->err, "ridge read: out of memory\n");
		return FAILED;
	}
	for (size_t i = 0; i < p->n_lines && rc == DONE; i++) {
		const struct page_line *line = &p->lines[i];
		if (line->figure >= 0) {
			if (line->figure_row == 0)
				rc = write_figure(pr, &p->figures[line->figure]);
			continue;
		}
		canvas_clear(&cv);
		page_draw(&cv, (struct rect){ 0, 0, 1, p->width }, p, i, NULL, -1, -1);
		write_canvas(&cv, pr->color, pr->io->out);
	}
	canvas_release(&cv);
	return rc;
}

static int read_page(const struct page_info *info, const struct tables *t,
	const struct command_line *line, const struct streams *io)
{
	/* The later one of --plain and --color counts, as what is read out has no colours. */
	const struct option_value *plain = &line->values[OPTION_PLAIN];
	const bool color = option_wants_colour(line) && line->values[OPTION_COLOR].at > plain->at;
	struct page_env env = page_env_printing(t);
	struct page page;
	size_t bytes = 0;
	void *owned;
	const char *text = content_read(info->file, &bytes, &owned);
	env.ascii = environment_glyphs() == GLYPHS_ASCII;
	env.aloud = option_says_yes(line, OPTION_PLAIN) && !color;
	env.folded = option_says_yes(line, OPTION_FOLDED);
	struct arena shortened = { 0 };
	if (text && option_says_yes(line, OPTION_FIRST))
		text = first_reading(text, &bytes, "", &shortened);
	int rc = FAILED;
	if (!text) {
		fprintf(io->err, "ridge read: %s cannot be read\n", info->file);
	} else if (page_layout(&page, text, bytes, width_asked(line), &env)) {
		fprintf(io->err, "ridge read: %s: out of memory\n", info->file);
	} else {
		rc = write_page(&(struct printer){ &page, &env, color, io });
		page_release(&page);
	}
	arena_release(&shortened);
	free(owned);
	return rc;
}

/* Where no page is called so: the page that says most about it, as `ridge search` has it first. "" where none
 * says anything. */
static void hint_by_text(const struct page_list *list, const char *words, char *buf, size_t size)
{
	enum { HITS = 40 };
	static const char prefix[] = "page:";
	const size_t n = sizeof prefix - 1;
	struct search_result r;
	*buf = '\0';
	if (search_run(&r, list, words, HITS) == 0)
		for (size_t i = 0; i < r.n && !*buf; i++) {
			const char *id = r.hits[i].target + n;
			if (strncmp(r.hits[i].target, prefix, n) == 0)
				snprintf(buf, size, "; did you mean \"%.*s\", which has it?",
					(int)strcspn(id, "#"), id);
		}
	search_release(&r);
}

static int find_and_read(const struct page_list *list, const struct tables *t,
	const struct command_line *line, const struct streams *io)
{
	const char *name = line->words[0];
	if (!line->n_words)
		return list_pages(list, option_says_yes(line, OPTION_FIRST), io->out);
	const struct page_info *info = page_list_find(list, name);
	if (info)
		return read_page(info, t, line, io);
	char hint[HINT_SIZE];
	if (!*page_list_hint(list, name, hint, sizeof hint))
		hint_by_text(list, name, hint, sizeof hint);
	return usage_error(io, line->command, "no page \"%s\"%s", name,
		*hint ? hint : " (ridge read lists them)");
}

int read_with_tables(
	const struct tables *t, const struct command_line *line, const struct streams *io)
{
	struct page_list list;
	if (page_list_init(&list)) {
		fprintf(io->err, "ridge read: out of memory\n");
		return FAILED;
	}
	int rc = find_and_read(&list, t, line, io);
	page_list_release(&list);
	return rc == DONE && printed_end(io->out) ? FAILED : rc;
}

int cmd_read(const struct command_line *line, const struct streams *io)
{
	struct tables t = { 0 };
	if (tables_load_for(&t, "ridge read", io->err))
		return FAILED;
	int rc = read_with_tables(&t, line, io);
	tables_release(&t);
	return rc;
}
