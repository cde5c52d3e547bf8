/* The programs as somebody at a terminal sees them: time to the picture, time and bytes of a key,
 * rest, memory. */
#define _GNU_SOURCE
#include "sims/registry/registry.h"
#include "tests/bench/bench.h"
#include "tests/pty.h"
#include "ui/data/page_list.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vterm.h>

enum { STARTS = 15, FEW_STARTS = 7, KEYS = 32, FIRST_MS = 300, QUIET_MS = 12 };

/* What a series of keys cost, one element for each that changed something. */
struct cost {
	double ms[KEYS], bytes[KEYS], writes[KEYS], bytes_per_cell[KEYS];
	size_t n, all_bytes, all_cells;
	double resident_mib;
};

/* The number behind `field` in /proc/PID/file, or 0. */
static double process_number(const struct pty *p, const char *file, const char *field)
{
	char path[64], line[256];
	double value = 0;
	snprintf(path, sizeof path, "/proc/%d/%s", (int)p->program, file);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, field, strlen(field)) == 0)
			value = strtod(line + strlen(field), NULL);
	if (f)
		fclose(f);
	return value;
}

static void snapshot(const struct pty *p, VTermScreenCell *cells)
{
	VTermScreen *screen = vterm_obtain_screen(p->vt);
	for (int row = 0; row < p->rows; row++)
		for (int col = 0; col < p->cols; col++)
			vterm_screen_get_cell(
				screen, (VTermPos){ row, col }, &cells[row * p->cols + col]);
}

static bool same(const VTermScreenCell *a, const VTermScreenCell *b)
{
	return memcmp(a->chars, b->chars, sizeof a->chars) == 0 && a->attrs.bold == b->attrs.bold &&
	       a->attrs.reverse == b->attrs.reverse && a->attrs.underline == b->attrs.underline &&
	       a->attrs.italic == b->attrs.italic && vterm_color_is_equal(&a->fg, &b->fg) &&
	       vterm_color_is_equal(&a->bg, &b->bg);
}

static void press(
	struct pty *p, char key, VTermScreenCell *before, VTermScreenCell *after, struct cost *c)
{
	size_t bytes = p->bytes, changed = 0;
	snapshot(p, before);
	double writes = process_number(p, "io", "syscw:"), began = now_ms();
	if (write(p->master, &key, 1) != 1)
		abort();
	pty_read(p, FIRST_MS, QUIET_MS);
	if (p->bytes == bytes)
		return;
	snapshot(p, after);
	for (int i = 0; i < p->rows * p->cols; i++)
		changed += !same(&before[i], &after[i]);
	c->ms[c->n] = p->read_ms - began;
	c->bytes[c->n] = (double)(p->bytes - bytes);
	c->writes[c->n] = process_number(p, "io", "syscw:") - writes;
	c->bytes_per_cell[c->n] = changed ? c->bytes[c->n] / (double)changed : c->bytes[c->n];
	c->all_bytes += p->bytes - bytes;
	c->all_cells += changed;
	c->n++;
}

/* To the right and to the left on one knob, then on the next. */
static struct cost turn_knobs(int rows, int cols, const char *const words[])
{
	struct cost c = { .n = 0 }, moves = { .n = 0 };
	struct pty p;
	size_t cells = (size_t)rows * (size_t)cols;
	VTermScreenCell *before = calloc(cells, sizeof *before),
			*after = calloc(cells, sizeof *after);
	if (!before || !after)
		abort();
	pty_start_quick(&p, rows, cols, words);
	pty_read(&p, FIRST_MS, 10 * QUIET_MS);
	for (int i = 0; i < KEYS; i++) {
		press(&p, "lhlh"[i % 4], before, after, &c);
		if (i % 4 == 3) {
			moves.n = 0;
			press(&p, 'j', before, after, &moves);
		}
	}
	c.resident_mib = process_number(&p, "status", "VmHWM:") / 1024;
	pty_send(&p, "q");
	pty_wait(&p);
	pty_free(&p);
	free(before);
	free(after);
	return c;
}

static double all_bytes_per_cell(const struct cost *c)
{
	return c->all_cells ? (double)c->all_bytes / (double)c->all_cells : 0;
}

static void print_cost(const char *name, struct cost *c, bool promised)
{
	char text[96];
	double all = all_bytes_per_cell(c);
	snprintf(text, sizeof text, "%s: key to last byte", name);
	row(text, c->ms, c->n, "ms", promised ? turn_promised(name) : "");
	snprintf(text, sizeof text, "%s: bytes", name);
	row(text, c->bytes, c->n, "B", "");
	snprintf(text, sizeof text, "%s: bytes per changed cell", name);
	row(text, c->bytes_per_cell, c->n, "B", "");
	snprintf(text, sizeof text, "%s: the same, all keys together", name);
	row(text, &all, 1, "B", "");
	snprintf(text, sizeof text, "%s: write calls", name);
	row(text, c->writes, c->n, "", promised ? "1" : "");
}

/* first: the first bytes; painted: the first frame; last: all, with what takes long. */
struct start {
	double first_ms[STARTS], painted_ms[STARTS], last_ms[STARTS];
};

/* words: what the program is told to open; NULL: nothing. */
static struct start start(
	const char *program, int rows, int cols, const char *const words[], int starts)
{
	struct start s;
	setenv("RIDGE", program, 1);
	for (int i = 0; i < starts; i++) {
		struct pty p;
		double began = now_ms();
		pty_start_quick(&p, rows, cols, words);
		s.first_ms[i] = p.read_ms - began;
		pty_read(&p, 4 * QUIET_MS, 4 * QUIET_MS);
		s.last_ms[i] = p.read_ms - began;
		s.painted_ms[i] = p.painted_ms > 0 ? p.painted_ms - began : s.last_ms[i];
		pty_send(&p, "q");
		pty_wait(&p);
		pty_free(&p);
	}
	return s;
}

static double median(double x[], size_t n)
{
	return n ? x[n / 2] : 0; /* row() sorted it */
}

static void ratio(const char *name, double ours, double theirs)
{
	if (theirs > 0)
		printf("%-44s %19.2f\n", name, ours / theirs);
}

static void bench_start(const char *ridge, const char *peer, int rows, int cols)
{
	char title[96];
	struct start ours = start(ridge, rows, cols, NULL, STARTS),
		     theirs = start(peer, rows, cols, NULL, STARTS);
	snprintf(title, sizeof title, "start, %dx%d", cols, rows);
	heading(title);
	row("ridge: first byte", ours.first_ms, STARTS, "ms", "");
	row("ridge: whole frame", ours.last_ms, STARTS, "ms", "6");
	row("ncurses: first byte", theirs.first_ms, STARTS, "ms", "");
	row("ncurses: whole frame", theirs.last_ms, STARTS, "ms", "");
	ratio("ratio of the frames", median(ours.last_ms, STARTS), median(theirs.last_ms, STARTS));
}

/* The first frame of a place; and where what takes long follows in another, how long all of it took. */
static void bench_place(const char *ridge, const char *target)
{
	char text[96];
	const char *words[] = { "open", target, NULL };
	struct start s = start(ridge, 24, 80, words, FEW_STARTS);
	bool follows = true;
	for (int i = 0; i < FEW_STARTS; i++)
		follows &= s.last_ms[i] > s.painted_ms[i];
	row(target, s.painted_ms, FEW_STARTS, "ms", "8");
	snprintf(text, sizeof text, "%s: with what takes long", target);
	if (follows)
		row(text, s.last_ms, FEW_STARTS, "ms", "");
}

static void bench_places(const char *ridge)
{
	struct page_list pages;
	heading("first frame of a simulation, 80x24");
	for (size_t i = 0; i < n_sims; i++)
		bench_place(ridge, sims[i]->id);
	if (page_list_init(&pages))
		abort();
	heading("first frame of a page, 80x24");
	for (size_t i = 0; i < pages.n; i++)
		bench_place(ridge, pages.pages[i].id);
	page_list_release(&pages);
}

/* Returns the highest resident size of ridge, in MiB. */
static double bench_keys(const char *ridge, const char *peer, int rows, int cols)
{
	char name[96];
	double most_mib = 0;
	size_t bytes = 0, cells = 0;
	snprintf(name, sizeof name, "a knob step, %dx%d", cols, rows);
	heading(name);
	setenv("RIDGE", peer, 1);
	struct cost theirs = turn_knobs(rows, cols, NULL);
	print_cost("ncurses", &theirs, false);
	setenv("RIDGE", ridge, 1);
	for (size_t i = 0; i < n_sims; i++) {
		const char *words[] = { "open", sims[i]->id, NULL };
		struct cost ours = turn_knobs(rows, cols, words);
		print_cost(sims[i]->id, &ours, true);
		ratio("ratio of the times", median(ours.ms, ours.n), median(theirs.ms, theirs.n));
		ratio("ratio of the bytes per cell", all_bytes_per_cell(&ours),
			all_bytes_per_cell(&theirs));
		most_mib = ours.resident_mib > most_mib ? ours.resident_mib : most_mib;
		bytes += ours.all_bytes;
		cells += ours.all_cells;
	}
	double all = cells ? (double)bytes / (double)cells : 0;
	row("all simulations: bytes per changed cell", &all, 1, "B", "2.2");
	return most_mib;
}

static void bench_rest(const char *name, const char *program, bool promised)
{
	char text[96];
	struct pty p;
	setenv("RIDGE", program, 1);
	pty_start(&p, 24, 80, NULL, NULL);
	usleep(800000); /* the place of the reader is kept after a while */
	double bytes = (double)p.bytes;
	double wakes = process_number(&p, "status", "voluntary_ctxt_switches:");
	usleep(1000000);
	pty_read(&p, 0, 0);
	bytes = (double)p.bytes - bytes;
	wakes = process_number(&p, "status", "voluntary_ctxt_switches:") - wakes;
	double resident_mib = process_number(&p, "status", "VmHWM:") / 1024;
	pty_send(&p, "q");
	pty_wait(&p);
	pty_free(&p);
	snprintf(text, sizeof text, "%s: bytes in a second of rest", name);
	row(text, &bytes, 1, "B", promised ? "0" : "");
	snprintf(text, sizeof text, "%s: wake-ups in a second of rest", name);
	row(text, &wakes, 1, "", promised ? "0" : "");
	snprintf(text, sizeof text, "%s: resident, first screen", name);
	row(text, &resident_mib, 1, "MiB", promised ? "8" : "");
}

/* What of the file is loaded: without what only a debugger reads. */
static void bench_size(const char *program)
{
	struct stat st;
	Elf64_Ehdr head;
	Elf64_Phdr part;
	double loaded_mib = 0, mib = stat(program, &st) ? 0 : (double)st.st_size / 1048576;
	FILE *f = fopen(program, "rb");
	if (f && fread(&head, sizeof head, 1, f) == 1 && head.e_phentsize == sizeof part &&
		fseek(f, (long)head.e_phoff, SEEK_SET) == 0)
		for (int i = 0; i < head.e_phnum && fread(&part, sizeof part, 1, f) == 1; i++)
			if (part.p_type == PT_LOAD)
				loaded_mib += (double)part.p_filesz / 1048576;
	if (f)
		fclose(f);
	row("ridge: binary, with what a debugger reads", &mib, 1, "MiB", "");
	row("ridge: binary, what is loaded of it", &loaded_mib, 1, "MiB", "4");
}

void bench_programs(const char *ridge, const char *peer)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 24, 80 }, { 60, 200 } };
	double most_mib = 0;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		bench_start(ridge, peer, sizes[i].rows, sizes[i].cols);
	bench_places(ridge);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		double mib = bench_keys(ridge, peer, sizes[i].rows, sizes[i].cols);
		most_mib = mib > most_mib ? mib : most_mib;
	}
	heading("rest and size");
	bench_rest("ridge", ridge, true);
	row("ridge: resident, hungriest simulation", &most_mib, 1, "MiB", "8");
	bench_rest("ncurses", peer, false);
	bench_size(ridge);
}
