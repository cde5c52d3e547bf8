/* The file that remembers where the reader was: round trip, damage, places that cannot be
 * written. */
#include "sims/base/rng.h"
#include "ui/shell/progress.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A fresh folder for the state, of which the path is returned; left empty by drop(). */
static char *fresh(void)
{
	char *folder = strdup("/tmp/ridge-state-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_STATE_HOME", folder, 1);
	return folder;
}

/* Files in the folder of the state; removes them as well where `away`. */
static int files(const char *folder, bool away)
{
	char path[1024];
	int n = 0;
	snprintf(path, sizeof path, "%s/ridge", folder);
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		n++;
		snprintf(path, sizeof path, "%s/ridge/%s", folder, entry->d_name);
		if (away)
			unlink(path);
	}
	if (dir)
		closedir(dir);
	return n;
}

static void drop(char *folder)
{
	char path[1024];
	files(folder, true);
	snprintf(path, sizeof path, "%s/ridge", folder);
	rmdir(path);
	rmdir(folder);
	free(folder);
}

static void write_state(const void *bytes, size_t n)
{
	char path[1024];
	struct progress p = { 0 };
	cr_assert(zero(int, progress_save(&p))); /* makes the folders */
	FILE *f = fopen(progress_path(path, sizeof path), "w");
	cr_assert(f != NULL);
	fwrite(bytes, 1, n, f);
	fclose(f);
}

static void expect_empty(const struct progress *p)
{
	cr_expect(p->place[0] == '\0' && p->scroll == 0 && p->n_read == 0);
	cr_expect(p->braille == false);
}

Test(progress, what_is_saved_is_loaded)
{
	char *folder = fresh();
	struct progress p = {
		.place = "sim:memory batch=4 model=\"x\\y\"", .scroll = 123, .braille = true
	};
	progress_seen(&p, "roofline", 0.25);
	progress_seen(&p, "gpu", 1);
	progress_choose_glyphs(&p, "kitty", GLYPHS_LINES);
	progress_choose_glyphs(&p, "xterm-256color", GLYPHS_BRAILLE);
	cr_assert(progress_mark(&p, "gpu",
		&(struct page_spot){ .anchor = "the-ridge", .letters = 120, .rows = 2 },
		"the \"ridge\""));
	cr_assert(progress_mark(&p, "errata", &(struct page_spot){ .anchor = "" }, ""));
	cr_assert(zero(int, progress_save(&p)));
	struct progress q;
	progress_load(&q);
	cr_expect(eq(str, q.place, p.place));
	cr_expect(eq(long, q.scroll, 123));
	cr_expect(q.braille == true, "for earlier versions");
	cr_expect(eq(int, progress_glyphs(&q, "kitty"), GLYPHS_LINES));
	cr_expect(eq(int, progress_glyphs(&q, "xterm-256color"), GLYPHS_BRAILLE));
	cr_expect(eq(int, progress_glyphs(&q, "foot"), -1));
	cr_expect(q.warning[0] == '\0');
	cr_expect(eq(dbl, progress_of(&q, "roofline"), 0.25));
	cr_expect(eq(dbl, progress_of(&q, "gpu"), 1));
	cr_expect(eq(dbl, progress_of(&q, "memory"), 0));
	cr_assert(eq(sz, q.n_bookmarks, 2));
	cr_expect(eq(str, q.bookmarks[0].page, (char *)"gpu"));
	cr_expect(eq(str, q.bookmarks[0].spot.anchor, (char *)"the-ridge"));
	cr_expect(q.bookmarks[0].spot.letters == 120 && q.bookmarks[0].spot.rows == 2);
	cr_expect(eq(str, q.bookmarks[0].text, (char *)"the \"ridge\""));
	cr_expect(eq(str, q.bookmarks[1].page, (char *)"errata"));
	cr_expect(q.unsaved == false);
	cr_assert(zero(int, progress_save(&q)));
	cr_expect(eq(int, files(folder, false), 1), "a temporary file stays behind");
	drop(folder);
}

Test(progress, a_missing_file_is_an_empty_progress)
{
	char *folder = fresh();
	struct progress p = { .place = "x", .scroll = 9, .n_read = 3 };
	progress_load(&p);
	expect_empty(&p);
	cr_expect(p.warning[0] == '\0');
	cr_expect(zero(int, files(folder, false)), "loading writes nothing");
	drop(folder);
}

Test(progress, a_damaged_file_is_moved_aside_and_told)
{
	static const char *const damaged[] = { "", "{", "[]", "null", "{\"place\":\"page:gpu\"",
		"garbage", "{} {}", "{\"place\":\"\xff" };
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		char *folder = fresh(), path[1024], aside[1100], kept[64] = "";
		struct progress p;
		write_state(damaged[i], strlen(damaged[i]));
		progress_load(&p);
		expect_empty(&p);
		progress_path(path, sizeof path);
		snprintf(aside, sizeof aside, "%s.damaged", path);
		cr_expect(
			strstr(p.warning, "damaged") != NULL, "\"%s\": %s", damaged[i], p.warning);
		cr_expect(access(path, F_OK) != 0, "\"%s\" is still there", damaged[i]);
		FILE *f = fopen(aside, "r");
		cr_assert(f != NULL, "\"%s\" is lost", damaged[i]);
		kept[fread(kept, 1, sizeof kept - 1, f)] = '\0';
		fclose(f);
		cr_expect(eq(str, kept, (char *)damaged[i]));
		/* And it goes on as if there had been none. */
		progress_seen(&p, "gpu", 0.5);
		cr_assert(zero(int, progress_save(&p)));
		progress_load(&p);
		cr_expect(p.warning[0] == '\0' && progress_of(&p, "gpu") == 0.5, "\"%s\"",
			damaged[i]);
		drop(folder);
	}
}

/* What is read of a file in part, is; the whole is beside it, and told. */
static void expect_set_aside(const struct progress *p, const char *state)
{
	char path[1024], aside[1100], kept[600] = "";
	progress_path(path, sizeof path);
	snprintf(aside, sizeof aside, "%s.damaged", path);
	FILE *f = fopen(aside, "r");
	cr_assert(f != NULL, "\"%s\" is lost", state);
	kept[fread(kept, 1, sizeof kept - 1, f)] = '\0';
	fclose(f);
	cr_expect(eq(str, kept, (char *)state));
	cr_expect(strstr(p->warning, "A part of the saved position") != NULL, "%s", p->warning);
	cr_expect(strstr(p->warning, "ridge/state.json.damaged") != NULL, "%s", p->warning);
	cr_expect(zero(int, access(path, F_OK)), "what was read of it is kept");
}

Test(progress, members_of_another_kind_are_ignored_and_kept)
{
	static const char state[] =
		"{\"schema\":1,\"place\":5,\"scroll\":-1,\"braille\":\"yes\","
		"\"glyphs\":{\"a\":1,\"b\":\"blocks\"},\"more\":[],\"read\":{\"a\":2,\"b\":\"z\",\"c\":-0.5,\"d\":0.5,\"e\":null}}";
	char *folder = fresh();
	struct progress p;
	write_state(state, sizeof state - 1);
	progress_load(&p);
	cr_expect(p.place[0] == '\0' && p.scroll == 0 && p.braille == false);
	cr_expect(zero(sz, p.n_chosen));
	cr_expect(eq(sz, p.n_read, 1));
	cr_expect(eq(dbl, progress_of(&p, "d"), 0.5));
	expect_set_aside(&p, state);
	/* The next start finds a good file, with what could be read. */
	progress_load(&p);
	cr_expect(zero(int, p.warning[0]));
	cr_expect(eq(dbl, progress_of(&p, "d"), 0.5));
	drop(folder);
}

/* A later version knows more, and this one would not write it again. */
Test(progress, a_later_version_is_kept)
{
	static const char *const states[] = { "{\"schema\":2,\"place\":\"page:gpu\"}",
		"{\"schema\":1,\"place\":\"page:gpu\",\"songs\":[]}" };
	for (size_t i = 0; i < 2; i++) {
		char *folder = fresh();
		struct progress p;
		write_state(states[i], strlen(states[i]));
		progress_load(&p);
		cr_expect(eq(str, p.place, (char *)"page:gpu"));
		expect_set_aside(&p, states[i]);
		drop(folder);
	}
}

/* What cannot be read for another reason is moved as well, else the next save would write over it. */
Test(progress, what_is_no_file_is_moved_aside)
{
	for (int i = 0; i < 3; i++) {
		char *folder = fresh(), path[1024], aside[1100];
		struct progress p;
		struct stat st;
		write_state("", 0);
		progress_path(path, sizeof path);
		unlink(path);
		cr_assert(zero(int, i == 0   ? mkdir(path, 0700)
				    : i == 1 ? mkfifo(path, 0600)
					     : symlink("state.json", path)));
		progress_load(&p);
		cr_expect(strstr(p.warning, "it was moved to") != NULL, "%s", p.warning);
		snprintf(aside, sizeof aside, "%s.damaged", path);
		cr_expect(zero(int, lstat(aside, &st)));
		cr_assert(zero(int, progress_save(&p)));
		cr_assert(zero(int, stat(path, &st)));
		cr_expect(eq(uint, st.st_mode & S_IFMT, S_IFREG));
		if (i == 0)
			rmdir(aside);
		drop(folder);
	}
}

Test(progress, a_second_damage_takes_nothing_from_the_first)
{
	char *folder = fresh();
	struct progress p;
	for (int i = 0; i < 3; i++) {
		write_state("x", 1);
		progress_load(&p);
	}
	cr_expect(strstr(p.warning, "state.json.damaged.3") != NULL, "%s", p.warning);
	cr_expect(eq(int, files(folder, false), 3));
	drop(folder);
}

/* What is chosen last is kept last, and the oldest makes room. */
Test(progress, choices_of_glyphs_have_an_end)
{
	struct progress p = { 0 };
	char name[16];
	for (int i = 0; i < MAX_CHOSEN + 1; i++) {
		snprintf(name, sizeof name, "t%d", i);
		progress_choose_glyphs(&p, name, GLYPHS_LINES);
	}
	cr_expect(eq(sz, p.n_chosen, MAX_CHOSEN));
	cr_expect(eq(int, progress_glyphs(&p, "t0"), -1));
	cr_expect(eq(int, progress_glyphs(&p, "t1"), GLYPHS_LINES));
	progress_choose_glyphs(&p, "t1", GLYPHS_OCTANTS);
	cr_expect(eq(sz, p.n_chosen, MAX_CHOSEN));
	cr_expect(eq(int, progress_glyphs(&p, "t1"), GLYPHS_OCTANTS));
	cr_expect(progress_is_new(&(struct progress){ 0 }) && !progress_is_new(&p));
}

/* Any bytes, and any damage to a good file: read, or moved aside and told. */
Test(progress, any_bytes_are_read_or_moved_aside, .description = "long")
{
	static const char good[] =
		"{\"schema\":1,\"place\":\"page:gpu\",\"scroll\":7,\"braille\":true,"
		"\"read\":{\"gpu\":0.5,\"memory\":1}}";
	struct rng r = rng_stream(8, "state", 0);
	char *folder = fresh();
	for (int n = 0; n < 400; n++) {
		char bytes[200];
		size_t size = sizeof good - 1;
		struct progress p;
		memcpy(bytes, good, size);
		for (uint64_t i = rng_below(&r, 4); i > 0; i--)
			bytes[rng_below(&r, size)] = (char)rng_below(&r, 256);
		write_state(bytes, n % 3 ? size : rng_below(&r, size));
		progress_load(&p);
		cr_assert(p.n_read <= MAX_READ && p.scroll >= 0);
		cr_assert(memchr(p.place, '\0', sizeof p.place) != NULL);
		const int there = files(folder, true);
		cr_assert(eq(int, there, strstr(p.warning, "A part") ? 2 : 1),
			"the file is there, or beside");
	}
	drop(folder);
}

Test(progress, a_file_larger_than_any_of_ours_is_moved_aside)
{
	char *folder = fresh();
	size_t size = 1 << 20;
	char *big = malloc(size);
	struct progress p;
	memset(big, '[', size);
	write_state(big, size);
	progress_load(&p);
	expect_empty(&p);
	cr_expect(p.warning[0] != '\0');
	free(big);
	drop(folder);
}

/* A file of an older version has no bookmarks; entries that are not bookmarks are left out, and the
 * rest is kept. */
Test(progress, bookmarks_that_are_none_are_left_out)
{
	static const struct {
		const char *state;
		size_t n;
	} rows[] = {
		{ "{\"schema\":1,\"place\":\"page:gpu\",\"scroll\":3,\"read\":{}}", 0 },
		{ "{\"bookmarks\":{\"at\":\"gpu\",\"text\":\"\"}}", 0 },
		{ "{\"bookmarks\":7}", 0 },
		{ "{\"bookmarks\":[1,null,[],{},{\"at\":1,\"text\":\"\"},{\"at\":\"gpu\"}]}", 0 },
		{ "{\"bookmarks\":[{\"at\":\"#x\",\"text\":\"a\"},"
		  "{\"at\":\"gpu#a@1.2\",\"text\":\"b\"}]}",
			1 },
		{ "{\"bookmarks\":[{\"at\":\"gpu#a@-1.2\",\"text\":\"b\"}]}", 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *folder = fresh();
		struct progress p;
		write_state(rows[i].state, strlen(rows[i].state));
		progress_load(&p);
		cr_expect(eq(sz, p.n_bookmarks, rows[i].n), "%s", rows[i].state);
		if (i > 0)
			expect_set_aside(&p, rows[i].state);
		else
			cr_expect(p.warning[0] == '\0', "%s", p.warning);
		drop(folder);
	}
}

Test(progress, bookmarks_are_bounded_and_cut_between_characters)
{
	struct progress p = { 0 };
	char text[200] = "";
	for (int i = 0; i < 60; i++)
		strcat(text, "→"); /* three bytes each, and 95 is not a multiple */
	for (int i = 0; i < MAX_BOOKMARKS; i++)
		cr_assert(progress_mark(&p, "gpu", &(struct page_spot){ .letters = i }, text));
	cr_expect(not(progress_mark(&p, "gpu", &(struct page_spot){ .letters = 0 }, "one more")));
	cr_expect(eq(sz, strlen(p.bookmarks[0].text), 93));
	progress_unmark(&p, 3);
	cr_expect(eq(sz, p.n_bookmarks, MAX_BOOKMARKS - 1));
	cr_expect(p.bookmarks[2].spot.letters == 2 && p.bookmarks[3].spot.letters == 4);
	progress_unmark(&p, MAX_BOOKMARKS - 2);
	cr_expect(eq(sz, p.n_bookmarks, MAX_BOOKMARKS - 2));
	memset(text, 'x', 100);
	text[100] = '\0';
	cr_expect(not(progress_mark(&p, text, &(struct page_spot){ .letters = 0 }, "")));
}

Test(progress, shares_only_grow_and_stay_shares)
{
	static const char *const pages[] = { "a", "b", "c" };
	struct progress p = { 0 };
	struct rng r = rng_stream(9, "shares", 0);
	for (int n = 0; n < 2000; n++) {
		const char *page = pages[rng_below(&r, 3)];
		double before = progress_of(&p, page), share = 2 * rng_uniform(&r) - 0.5;
		progress_seen(&p, page, n % 50 ? share : n % 100 ? NAN : INFINITY);
		double after = progress_of(&p, page);
		cr_assert(after >= before && after >= 0 && after <= 1, "%g, %g, %g", before, share,
			after);
	}
	cr_expect(eq(sz, p.n_read, 3));
}

/* The end was read and the beginning was not: a share alone could not say that. */
Test(progress, parts_in_any_order_are_kept)
{
	char *folder = fresh();
	struct progress p = { .place = "" }, q;
	progress_read(&p, "gpu", 0);
	progress_read(&p, "gpu", 63);
	progress_read(&p, "gpu", 63);
	cr_expect(eq(dbl, progress_of(&p, "gpu"), 2 / 64.0));
	cr_expect(not(progress_has(&p, "memory", 3)));
	cr_assert(zero(int, progress_save(&p)));
	progress_load(&q);
	cr_expect(progress_has(&q, "gpu", 0) && progress_has(&q, "gpu", 63));
	cr_expect(not(progress_has(&q, "gpu", 1)));
	cr_expect(not(progress_has(&q, "gpu", 62)));
	for (unsigned i = 1; i < 63; i++) {
		cr_expect(eq(int, progress_is_read(&q, "gpu"), i == 62), "after %u", i);
		progress_read(&q, "gpu", i);
	}
	drop(folder);
}

/* A file of a version that knew how far, and no parts. */
Test(progress, a_share_of_an_earlier_version_is_read_from_the_beginning)
{
	static const char old[] = "{\"schema\": 1, \"place\": \"\", \"read\": {\"gpu\": 0.5}}";
	char *folder = fresh();
	struct progress p;
	write_state(old, strlen(old));
	progress_load(&p);
	cr_expect(eq(dbl, progress_of(&p, "gpu"), 0.5));
	cr_expect(progress_has(&p, "gpu", 31) && !progress_has(&p, "gpu", 32));
	drop(folder);
}

Test(progress, more_pages_than_it_remembers_are_no_harm)
{
	struct progress p = { 0 };
	char name[200];
	for (int i = 0; i < 3 * MAX_READ; i++) {
		snprintf(name, sizeof name, "page-%d", i);
		progress_seen(&p, name, 0.5);
	}
	cr_expect(eq(sz, p.n_read, MAX_READ));
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	p.n_read = 0;
	progress_seen(&p, name, 0.5);
	cr_expect(eq(dbl, progress_of(&p, name), 0), "no name of that length is kept");
}

Test(progress, the_place_of_the_file_follows_xdg)
{
	char path[256];
	setenv("XDG_STATE_HOME", "/state", 1);
	setenv("HOME", "/home/x", 1);
	cr_expect(eq(str, progress_path(path, sizeof path), (char *)"/state/ridge/state.json"));
	setenv("XDG_STATE_HOME", "relative", 1); /* to be ignored, says its standard */
	cr_expect(eq(str, progress_path(path, sizeof path),
		(char *)"/home/x/.local/state/ridge/state.json"));
	unsetenv("XDG_STATE_HOME");
	cr_expect(eq(str, progress_path(path, sizeof path),
		(char *)"/home/x/.local/state/ridge/state.json"));
	cr_expect(progress_path(path, 10) == NULL, "no room");
	unsetenv("HOME");
	cr_expect(progress_path(path, sizeof path) == NULL);
	struct progress p;
	progress_load(&p);
	expect_empty(&p);
	cr_expect(eq(int, progress_save(&p), -1));
}

Test(progress, what_cannot_be_written_is_an_error_not_an_end)
{
	struct progress p = { 0 };
	setenv("XDG_STATE_HOME", "/dev/null/below", 1);
	errno = 0;
	cr_expect(eq(int, progress_save(&p), -1));
	cr_expect(lt(int, 0, errno));
	progress_load(&p);
	expect_empty(&p);
}
