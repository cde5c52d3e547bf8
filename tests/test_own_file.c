/* The user's own files: where they are, what is read of them, and what a failed write leaves. */
#include "ui/files/own_file.h"
#include "ui/files/own_lines.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static void enter(char dir[static 64])
{
	strcpy(dir, "/tmp/ridge-own-XXXXXX");
	cr_assert(mkdtemp(dir) != NULL && chdir(dir) == 0);
}

static void leave(const char *dir)
{
	cr_expect(chdir("/") == 0 && rmdir(dir) == 0, "%s is not empty", dir);
}

static void put(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	cr_assert(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

Test(own_file, paths)
{
	static const struct {
		const char *set, *home, *path, *shown;
	} rows[] = {
		{ "/set", "/home/ada", "/set/ridge/x", "$XDG_STATE_HOME/ridge" },
		{ "relative", "/home/ada", "/home/ada/.local/state/ridge/x",
			"~/.local/state/ridge" },
		{ "", "/home/ada", "/home/ada/.local/state/ridge/x", "~/.local/state/ridge" },
		{ "", "relative", NULL, "~/.local/state/ridge" },
	};
	char buf[64];
	for (size_t i = 0; i < COUNT(rows); i++) {
		setenv("XDG_STATE_HOME", rows[i].set, 1);
		setenv("HOME", rows[i].home, 1);
		const char *path = own_path(OWN_STATE, "x", buf, sizeof buf);
		cr_expect(rows[i].path ? path && strcmp(path, rows[i].path) == 0 : !path,
			"row %zu: %s", i, path ? path : "none");
		cr_expect(eq(str, (char *)own_folder_shown(OWN_STATE), (char *)rows[i].shown));
	}
	setenv("XDG_STATE_HOME", "/set", 1);
	cr_expect(own_path(OWN_STATE, "x", buf, sizeof "/set/ridge/x") != NULL);
	cr_expect(own_path(OWN_STATE, "x", buf, sizeof "/set/ridge/x" - 1) == NULL);
}

Test(own_file, reads_a_bounded_file_or_says_why_not, .timeout = 10)
{
	static const struct {
		const char *path;
		int error; /* of a text; 0: none */
	} rows[] = { { "four", 0 }, { "five", EFBIG }, { "zero", EILSEQ }, { "none", ENOENT },
		{ "four/none", ENOTDIR }, { "pipe", EINVAL }, { ".", EINVAL } };
	char dir[64];
	size_t bytes = 0;

	enter(dir);
	put("four", "1234", 4);
	put("five", "12345", 5);
	put("zero", "1\0\0", 3);
	cr_assert(zero(int, mkfifo("pipe", 0600))); /* nobody writes */
	for (size_t i = 0; i < COUNT(rows); i++) {
		errno = 0;
		char *text = own_read(rows[i].path, 4, NULL);
		cr_expect(eq(int, text ? 0 : errno, rows[i].error), "%s", rows[i].path);
		cr_expect(text == NULL || strcmp(text, "1234") == 0);
		free(text);
	}
	char *any = own_read("zero", 4, &bytes);
	cr_expect(any && bytes == 3 && memcmp(any, "1\0\0", 4) == 0);
	free(any);
	for (size_t i = 0; i < 3; i++)
		unlink(rows[i].path);
	unlink("pipe");
	leave(dir);
}

static int mode_of(const char *path)
{
	struct stat st;
	return stat(path, &st) ? -1 : (int)(st.st_mode & 07777);
}

/* Whatever the umask is, and however open the file was before. */
Test(own_file, is_its_owners_alone)
{
	static const mode_t masks[] = { 0, 022, 0777 };
	char dir[64];
	enter(dir);
	for (size_t i = 0; i < COUNT(masks); i++) {
		char path[128];
		const mode_t before = umask(0);
		put("x", "old", 3);
		umask(masks[i]);
		cr_expect(zero(int, own_write("x", "new")));
		snprintf(path, sizeof path, "%s/folder/lines", dir);
		cr_expect(zero(int, own_append(path, "line\n", 5)));
		umask(before);
		cr_expect(eq(int, mode_of("x"), 0600), "%03o", (unsigned)masks[i]);
		cr_expect(eq(int, mode_of("folder"), 0700), "%03o", (unsigned)masks[i]);
		cr_expect(eq(int, mode_of("folder/lines"), 0600), "%03o", (unsigned)masks[i]);
		unlink("x");
		unlink("folder/lines");
		rmdir("folder");
	}
	leave(dir);
}

/* A byte-order mark (EF BB BF) before the text is no part of it; anywhere else, or in part, it is. */
Test(own_file, a_byte_order_mark_is_no_text)
{
	static const struct {
		const char *bytes, *text;
	} rows[] = { { "\xef\xbb\xbf{}", "{}" }, { "\xef\xbb\xbf", "" }, { "\xef\xbb", "\xef\xbb" },
		{ "{}\xef\xbb\xbf", "{}\xef\xbb\xbf" }, { "", "" } };
	char dir[64], line[16];
	enter(dir);
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t bytes = 99;
		put("x", rows[i].bytes, strlen(rows[i].bytes));
		FILE *f = fopen("x", "rb");
		cr_assert(f != NULL);
		char *texts[] = { own_read("x", 8, NULL), own_read("x", 8, &bytes),
			own_read_lines("x", 8, &bytes), own_read_stream(f, 8) };
		for (size_t j = 0; j < COUNT(texts); j++) {
			cr_assert(texts[j] != NULL);
			cr_expect(eq(str, texts[j], (char *)rows[i].text), "row %zu, %zu", i, j);
			free(texts[j]);
		}
		cr_expect(eq(sz, bytes, strlen(rows[i].text)));
		rewind(f);
		char *first = own_read_line(line, sizeof line, f);
		cr_expect(first ? strcmp(line, rows[i].text) == 0 : !*rows[i].bytes);
		fclose(f);
	}
	unlink("x");
	leave(dir);
}

Test(own_file, a_stream_is_read_up_to_the_limit_or_not_at_all)
{
	char dir[64], why[64];
	size_t bytes = 0;
	enter(dir);
	put("x", "12345", 5);
	for (size_t most = 4; most <= 5; most++) {
		FILE *f = fopen("x", "rb");
		cr_assert(f != NULL);
		char *text = own_read_bytes(f, most, &bytes);
		cr_expect(eq(int, text != NULL, most == 5));
		cr_expect(most == 5 || (errno == EFBIG && ftell(f) == 0)); /* a file: not a byte */
		free(text);
		fclose(f);
	}
	cr_expect(eq(sz, bytes, 5));
	FILE *endless = fopen("/dev/zero", "rb");
	cr_assert(endless != NULL);
	cr_expect(own_read_bytes(endless, 1 << 20, &bytes) == NULL && errno == EFBIG);
	fclose(endless);
	errno = EFBIG;
	cr_expect(eq(
		str, (char *)own_read_error(64 << 20, why, sizeof why), "expected 64 MiB at most"));
	errno = EFBIG;
	cr_expect(eq(str, (char *)own_read_error(256 << 10, why, sizeof why),
		"expected 256 KiB at most"));
	errno = ENOMEM;
	cr_expect(eq(str, (char *)own_read_error(1, why, sizeof why), "out of memory"));
	unlink("x");
	leave(dir);
}

Test(own_file, writes_all_or_nothing)
{
	char dir[64], path[128], longest[OWN_PATH_SIZE + 1];

	enter(dir);
	snprintf(path, sizeof path, "%s/a/b/file", dir);
	for (int i = 0; i < 2; i++) {
		cr_assert(zero(int, own_write(path, i ? "new" : "old")), "%s", strerror(errno));
		char *text = own_read(path, 100, NULL);
		cr_expect(text && strcmp(text, i ? "new\n" : "old\n") == 0, "%s", text);
		free(text);
	}
	/* A link stays one, and leads to the new file, whether or not there was one. */
	cr_assert(zero(int, symlink("a/b/file", "link") || symlink("./link", "to-it")));
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/to-it", dir);
		cr_assert(zero(int, own_write(path, "linked")), "%s", strerror(errno));
		cr_expect(eq(i64, readlink("to-it", path, sizeof path), 6));
		char *text = own_read("a/b/file", 100, NULL);
		cr_expect(text && strcmp(text, "linked\n") == 0, "%s", text);
		free(text);
		unlink("a/b/file");
	}
	unlink("link");
	unlink("to-it");
	cr_assert(zero(int, symlink("round", "round")));
	cr_expect(eq(int, own_write("round", "text"), -1));
	cr_expect(eq(int, errno, ELOOP));
	unlink("round");
	/* A folder of that name: nothing is left beside it. */
	snprintf(path, sizeof path, "%s/a/b", dir);
	cr_expect(eq(int, own_write(path, "text"), -1));
	cr_expect(eq(int, errno, EISDIR));
	memset(longest, 'x', OWN_PATH_SIZE);
	longest[OWN_PATH_SIZE] = '\0';
	cr_expect(eq(int, own_write(longest, "text"), -1));
	cr_expect(eq(int, errno, ENAMETOOLONG));
	cr_expect(rmdir("a/b") == 0 && rmdir("a") == 0);
	leave(dir);
}
