#include "ui/commands/cmd_read.h"

#include "sims/base/nearest.h"
#include "ui/data/page_list.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, FAILED = 1, MISUSED = 2 };
enum { LEAST_WIDTH = 20, MOST_WIDTH = 1000, USUAL_WIDTH = 80 };

static const char help[] =
	"usage: ridge read                      list the pages\n"
	"       ridge read PAGE [--width N] [--plain | --color]\n"
	"PAGE is an id or a chapter's number. N is 20 to 1000; COLUMNS or 80 unless given.\n"
	"--plain is to be read out: figures in words, tables row by row with their heads, no "
	"lines\n"
	"and bars. --color writes escape sequences; otherwise there are none.\n";

struct options {
	const char *page;
	int width;
	bool color, plain, help;
};

/* A number from LEAST_WIDTH to MOST_WIDTH and nothing else; 0: it is not. */
static int parse_width(const char *text)
{
	char *end;
	long n = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;
	return n >= LEAST_WIDTH && n <= MOST_WIDTH && !*end ? (int)n : 0;
}

static int usual_width(void)
{
	const char *columns = getenv("COLUMNS");
	int n = columns ? parse_width(columns) : 0;
	return n ? n : USUAL_WIDTH;
}

static int unknown_option(const char *arg, FILE *err)
{
	static const char *const names[] = { "--width", "--plain", "--color", "--help" };
	const char *near = nearest_name(arg, names, sizeof names / sizeof *names);
	fprintf(err, "ridge read: unknown option %s; ", arg);
	if (near)
		fprintf(err, "did you mean %s?\n", near);
	else
		fprintf(err, "there are --width N, --plain, --color, --help\n");
	return MISUSED;
}

static int take_width(struct options *o, const char *text, FILE *err)
{
	o->width = text ? parse_width(text) : 0;
	if (o->width)
		return DONE;
	fprintf(err, "ridge read: --width %s; expected a number from %d to %d\n", text ? text : "",
		LEAST_WIDTH, MOST_WIDTH);
	return MISUSED;
}

static int parse(int argc, char **argv, struct options *o, FILE *err)
{
	int rc = DONE;
	for (int i = 1; i < argc && rc == DONE; i++) {
		const char *arg = argv[i];
		if (strcmp(arg, "--help") == 0) {
			o->help = true;
		} else if (strcmp(arg, "--plain") == 0 || strcmp(arg, "--color") == 0) {
			o->color = arg[2] == 'c';
			o->plain = !o->color;
		} else if (strcmp(arg, "--width") == 0) {
			i++;
			rc = take_width(o, i < argc ? argv[i] : NULL, err);
		} else if (strncmp(arg, "--width=", 8) == 0) {
			rc = take_width(o, arg + 8, err);
		} else if (arg[0] == '-') {
			rc = unknown_option(arg, err);
		} else if (o->page) {
			fprintf(err, "ridge read: \"%s\" after \"%s\"; expected one page\n", arg,
				o->page);
			rc = MISUSED;
		} else {
			o->page = arg;
		}
	}
	return rc;
}

static enum glyphs glyphs(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? GLYPHS_LINES : GLYPHS_ASCII;
}

static int list_pages(const struct page_list *list, FILE *out)
{
	enum { ID = 5, MINUTES = 9, COLUMNS = 240 };
	int widest = 0;
	struct canvas cv;
	if (canvas_init(&cv, (int)list->n, COLUMNS, glyphs()))
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
		canvas_printf(
			&cv, row, ID + widest, MINUTES, STYLE_PLAIN, 0, "%4d min", page_minutes(p));
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
	FILE *out, *err;
};

/* Where nobody can draw figures, the setting says which it is. */
static int write_figure(const struct printer *pr, const struct page_figure *f)
{
	const struct rect r = { 0, 0, f->rows, pr->page->width };
	struct canvas cv;
	if (!pr->env->draw_figure) {
		fprintf(pr->out, "[%s]\n", f->setting);
		return DONE;
	}
	int rc = FAILED;
	if (canvas_init(&cv, r.rows, r.cols, glyphs()) == 0 &&
		pr->env->draw_figure(pr->env->context, f->setting, &cv, r) == 0) {
		write_canvas(&cv, pr->color, pr->out);
		rc = DONE;
	}
	canvas_release(&cv);
	if (rc != DONE)
		fprintf(pr->err, "ridge read: the figure \"sim %s\" cannot be drawn\n", f->setting);
	return rc;
}

static int write_page(const struct printer *pr)
{
	const struct page *p = pr->page;
	struct canvas cv;
	int rc = DONE;
	if (canvas_init(&cv, 1, p->width, glyphs())) {
		fprintf(pr->err, "ridge read: out of memory\n");
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
		write_canvas(&cv, pr->color, pr->out);
	}
	canvas_release(&cv);
	return rc;
}

static int read_page(const struct page_info *info, const struct page_env *given,
	const struct options *o, FILE *out, FILE *err)
{
	struct page_env env = given ? *given : (struct page_env){ 0 };
	struct page page;
	size_t bytes = 0;
	void *owned;
	const char *text = content_read(info->file, &bytes, &owned);
	env.ascii = glyphs() == GLYPHS_ASCII;
	env.aloud = o->plain;
	int rc = FAILED;
	if (!text) {
		fprintf(err, "ridge read: %s cannot be read\n", info->file);
	} else if (page_layout(&page, text, bytes, o->width, &env)) {
		fprintf(err, "ridge read: %s: out of memory\n", info->file);
	} else {
		rc = write_page(&(struct printer){ &page, &env, o->color, out, err });
		page_release(&page);
	}
	free(owned);
	return rc;
}

static int find_and_read(const struct page_list *list, const struct page_env *env,
	const struct options *o, FILE *out, FILE *err)
{
	if (!o->page)
		return list_pages(list, out);
	const struct page_info *info = page_list_find(list, o->page);
	if (info)
		return read_page(info, env, o, out, err);
	const char *near = page_list_nearest(list, o->page);
	fprintf(err, "ridge read: no page \"%s\"; ", o->page);
	if (near)
		fprintf(err, "did you mean \"%s\"?\n", near);
	else
		fprintf(err, "\"ridge read\" lists the pages\n");
	return MISUSED;
}

int cmd_read(int argc, char **argv, const struct page_env *env, FILE *out, FILE *err)
{
	struct options o = { .width = usual_width() };
	struct page_list list;
	int rc = parse(argc, argv, &o, err);
	if (rc != DONE)
		return rc;
	if (o.help) {
		fputs(help, out);
		return DONE;
	}
	if (page_list_init(&list)) {
		fprintf(err, "ridge read: out of memory\n");
		return FAILED;
	}
	rc = find_and_read(&list, env, &o, out, err);
	page_list_release(&list);
	if (rc == DONE && (fflush(out) || ferror(out)))
		rc = FAILED;
	return rc;
}
