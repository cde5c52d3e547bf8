/* sheet DIR JOBS: draws every screen, at four sizes and on both grounds, as SVG files in DIR with one
 * page, DIR/index.html, that shows them (`make sheet`). Each process draws every JOBS-th screen and
 * leaves its sections in files of their own, which become the page. */
#include "tests/sheet/sheet.h"

#include "sims/registry/registry.h"
#include "tests/explorer.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/term/svg.h"

#include <sys/wait.h>
#include <unistd.h>

const struct sheet_size sheet_sizes[] = { { 80, 24 }, { 100, 32 }, { 160, 48 }, { 200, 60 } };
const size_t n_sheet_sizes = sizeof sheet_sizes / sizeof *sheet_sizes;

/* A simulation as it opens, with a pinned setting beside the present one, in the middle of its run,
 * and with each further part of its figure. */
const char *const sheet_kinds[] = { "opened", "compared", "playing", "part", "screen", NULL };
enum { MOST_PARTS = 8 };

struct sheet {
	const char *dir;
	FILE *out; /* sections of the screen that is drawn now */
	bool failed;
};

/* --- To the screen --- */

static void wait_for(struct explorer *e, long ms)
{
	enum { TICK_MS = 50 };
	for (long passed = 0; passed < ms; passed += TICK_MS) {
		e->now_ms += TICK_MS;
		app_tick(e->app, e->now_ms);
		app_settle(e->app);
	}
}

static void answer_rightly(struct explorer *e)
{
	const struct session_item *item = drill_view_item(drill_seen(e->app));
	if (item)
		explorer_type(e, item->variant.steps[item->variant.step].answer);
	explorer_press(e, "Enter");
}

static void press(struct explorer *e, const char *word)
{
	enum { MOST_TABS = 200 };
	char name[64];
	int times = 1;
	snprintf(name, sizeof name, "%s", word);
	char *star = strlen(name) > 1 ? strchr(name + 1, '*') : NULL;
	if (strncmp(word, "text:", 5) == 0) {
		explorer_type(e, word + 5);
	} else if (strncmp(word, "wait:", 5) == 0) {
		wait_for(e, atol(word + 5));
	} else if (strcmp(word, "right") == 0) {
		answer_rightly(e);
	} else if (strcmp(word, "figure") == 0) {
		do
			explorer_press(e, "Tab");
		while (!app_live(e->app) && times++ < MOST_TABS);
	} else {
		if (star) {
			times = atoi(star + 1);
			*star = '\0';
		}
		for (int i = 0; i < times; i++)
			explorer_press(e, name);
	}
}

/* 0; or -1 and a line that says why there is no such screen. */
static int reach(struct explorer *e, const struct shot *s, char *err, size_t err_size)
{
	char keys[256], *rest = NULL;
	e->app->epoch_s = SHEET_NOW_S;
	e->app->load_history = s->answers;
	if (*s->target ? app_open_target(e->app, s->target, err, err_size)
		       : app_open(e->app, "", NULL, 0, err, err_size))
		return -1;
	app_settle(e->app);
	snprintf(keys, sizeof keys, "%s", s->keys);
	for (char *w = strtok_r(keys, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		press(e, w);
	return 0;
}

/* --- Pictures --- */

static void draw(struct explorer *e, struct canvas *cv)
{
	if (canvas_init(cv, e->app->rows, e->app->cols, e->app->glyphs))
		abort();
	cv->fills = theme_fills(DEPTH_RGB);
	app_draw(e->app, cv);
}

static void write_picture(struct sheet *sheet, const struct canvas *cv, const char *id,
	const struct sheet_size *size, enum background on)
{
	char file[128], path[4096];
	snprintf(file, sizeof file, "%s-%dx%d-%s.svg", id, size->cols, size->rows,
		on == BACKGROUND_LIGHT ? "light" : "dark");
	snprintf(path, sizeof path, "%s/%s", sheet->dir, file);
	FILE *f = fopen(path, "w");
	if (!f || canvas_write_svg(cv, on, f) || fclose(f))
		sheet->failed = true;
	sheet_picture(sheet->out, size, on, file, svg_width(size->cols), svg_height(size->rows));
}

static void write_pictures(
	struct sheet *sheet, const struct canvas *cv, const char *id, const struct sheet_size *size)
{
	for (int on = 0; on < N_BACKGROUNDS; on++)
		write_picture(sheet, cv, id, size, (enum background)on);
}

/* A screen as it is reached, at every size. */
static void add_screen(struct sheet *sheet, const struct shot *s, const char *id)
{
	char err[320] = "";
	sheet_section_begin(sheet->out, s, id);
	for (size_t i = 0; i < n_sheet_sizes; i++) {
		const struct sheet_size *size = &sheet_sizes[i];
		struct explorer e = explorer_start(size->rows, size->cols, GLYPHS_BRAILLE);
		struct canvas cv;
		if (reach(&e, s, err, sizeof err)) {
			if (i == 0)
				sheet_refusal(sheet->out, err);
		} else {
			draw(&e, &cv);
			write_pictures(sheet, &cv, id, size);
			canvas_release(&cv);
		}
		explorer_end(&e);
	}
	sheet_section_end(sheet->out);
}

static bool same_screen(const struct canvas *a, const struct canvas *b)
{
	size_t n = (size_t)a->rows * (size_t)a->cols;
	return memcmp(a->cells, b->cells, n * sizeof *a->cells) == 0;
}

/* The k-th further part of a figure, at the sizes at which there is one. */
static bool add_part(struct sheet *sheet, const struct sim *sim, int k)
{
	char id[64], name[128], keys[32], err[320];
	struct shot before = { "part", "Simulations", name, sim->id, keys, NULL };
	bool found = false;
	snprintf(id, sizeof id, "%s-part-%d", sim->id, k + 1);
	snprintf(name, sizeof name, "%s, part %d", sim->title, k + 1);
	for (size_t i = 0; i < n_sheet_sizes; i++) {
		const struct sheet_size *size = &sheet_sizes[i];
		struct explorer e = explorer_start(size->rows, size->cols, GLYPHS_BRAILLE);
		struct canvas last, cv;
		snprintf(keys, sizeof keys, "PgDn*%d", k - 1);
		if (reach(&e, &before, err, sizeof err))
			abort();
		draw(&e, &last);
		explorer_press(&e, "PgDn");
		draw(&e, &cv);
		snprintf(keys, sizeof keys, "PgDn*%d", k);
		if (!same_screen(&last, &cv)) {
			if (!found)
				sheet_section_begin(sheet->out, &before, id);
			found = true;
			write_pictures(sheet, &cv, id, size);
		}
		canvas_release(&last);
		canvas_release(&cv);
		explorer_end(&e);
	}
	if (found)
		sheet_section_end(sheet->out);
	return found;
}

static void add_simulation(struct sheet *sheet, const struct sim *sim)
{
	char id[64], name[128], err[320];
	struct shot s = { "opened", "Simulations", sim->title, sim->id, "", NULL };
	add_screen(sheet, &s, sim->id);

	struct explorer e = explorer_start(24, 80, GLYPHS_BRAILLE);
	bool runs = reach(&e, &s, err, sizeof err) == 0 && app_live(e.app) &&
		    app_live(e.app)->figure.duration_s > 0;
	explorer_end(&e);
	if (runs) {
		snprintf(id, sizeof id, "%s-playing", sim->id);
		snprintf(name, sizeof name, "%s, playing", sim->title);
		s = (struct shot){ "playing", "Simulations", name, sim->id, "Space wait:5000",
			NULL };
		add_screen(sheet, &s, id);
	}
	for (int k = 1; k < MOST_PARTS && add_part(sheet, sim, k); k++)
		;
	snprintf(id, sizeof id, "%s-compared", sim->id);
	snprintf(name, sizeof name, "%s, compared", sim->title);
	s = (struct shot){ "compared", "Simulations", name, sim->id, "c l l", NULL };
	add_screen(sheet, &s, id);
}

/* --- The page --- */

/* The file that keeps the sections of the i-th screen until the page is written. */
static FILE *open_part(const struct sheet *sheet, size_t i, const char *mode, char path[4096])
{
	snprintf(path, 4096, "%s/%03zu.part", sheet->dir, i);
	return fopen(path, mode);
}

static void add_all(struct sheet *sheet, size_t first, size_t step)
{
	for (size_t i = first; i < n_sims + n_sheet_screens; i += step) {
		char path[4096], id[32];
		sheet->out = open_part(sheet, i, "w", path);
		if (!sheet->out) {
			sheet->failed = true;
			return;
		}
		snprintf(id, sizeof id, "screen-%zu", i - n_sims + 1);
		if (i < n_sims)
			add_simulation(sheet, sims[i]);
		else
			add_screen(sheet, &sheet_screens[i - n_sims], id);
		sheet->failed |= fclose(sheet->out) != 0;
	}
}

static const char *group_of(size_t i)
{
	return i < n_sims ? "Simulations" : sheet_screens[i - n_sims].group;
}

static int write_page(const struct sheet *sheet)
{
	char path[4096], bytes[4096];
	size_t n;
	snprintf(path, sizeof path, "%s/index.html", sheet->dir);
	FILE *out = fopen(path, "w");
	if (!out)
		return -1;
	sheet_begin(out);
	for (size_t i = 0; i < n_sims + n_sheet_screens; i++) {
		const char *name = group_of(i);
		if (i == 0 || strcmp(group_of(i - 1), name) != 0)
			sheet_group(out, name, i == 0);
		FILE *part = open_part(sheet, i, "r", path);
		while (part && (n = fread(bytes, 1, sizeof bytes, part)) > 0)
			fwrite(bytes, 1, n, out);
		if (part)
			fclose(part);
		unlink(path);
	}
	sheet_end(out);
	return fclose(out);
}

int main(int argc, char **argv)
{
	int jobs = argc == 3 ? atoi(argv[2]) : 0, status, rc = 0;
	if (jobs < 1) {
		fprintf(stderr, "usage: sheet DIR JOBS\n");
		return 2;
	}
	struct sheet sheet = { .dir = argv[1] };
	for (int i = 0; i < jobs; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			add_all(&sheet, (size_t)i, (size_t)jobs);
			return sheet.failed;
		}
		rc |= pid < 0;
	}
	while (wait(&status) > 0)
		rc |= status != 0;
	rc |= write_page(&sheet) != 0;
	if (rc)
		fprintf(stderr, "sheet: not all could be written to %s\n", sheet.dir);
	else
		printf("%s/index.html\n", sheet.dir);
	return rc;
}
