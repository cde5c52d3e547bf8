/* A directory for a moment: private, and gone whatever was left in it. */
#include "ui/programs/private_dir.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool exists(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

static struct private_dir make(void)
{
	struct private_dir d;
	char err[300] = "";
	cr_assert(zero(int, private_dir_make(&d, err, sizeof err)), "%s", err);
	return d;
}

Test(private_dir, is_nobody_else_s_and_goes)
{
	struct private_dir d = make();
	struct stat st;
	char err[300] = "", *text;
	cr_assert(zero(int, stat(d.path, &st)));
	cr_expect(eq(uint, st.st_mode & 0777, 0700));
	cr_expect(zero(int, private_dir_put(&d, "a", "hello", err, sizeof err)), "%s", err);
	cr_expect(eq(int, private_dir_put(&d, "a", "again", err, sizeof err), -1));
	cr_expect(strstr(err, "cannot write a") != NULL, "%s", err);
	text = private_dir_get(&d, "a", 5, err, sizeof err);
	cr_expect(text && strcmp(text, "hello") == 0);
	free(text);
	cr_expect(private_dir_get(&d, "a", 4, err, sizeof err) == NULL, "too long");
	cr_expect(private_dir_get(&d, "b", 4, err, sizeof err) == NULL, "not there");
	cr_assert(zero(int, mkfifoat(d.fd, "pipe", 0600)));
	cr_expect(private_dir_get(&d, "pipe", 4, err, sizeof err) == NULL, "waits for nobody");
	cr_expect(strstr(err, "regular file") != NULL, "%s", err);
	private_dir_remove(&d);
	cr_expect(not(exists(d.path)));
	private_dir_remove(&d); /* nothing left to do */
}

/* Links are removed, not followed: what they lead to stays, and is not read. */
Test(private_dir, links_lead_nowhere)
{
	struct private_dir d = make(), other = make();
	char err[300] = "", target[1100], *text;
	cr_assert(zero(int, private_dir_put(&other, "mine", "x", err, sizeof err)));
	snprintf(target, sizeof target, "%s/mine", other.path);
	cr_assert(zero(int, symlinkat(target, d.fd, "file")));
	cr_assert(zero(int, symlinkat(other.path, d.fd, "folder")));
	cr_assert(zero(int, symlinkat("..", d.fd, "up")));
	cr_assert(zero(int, symlinkat("nowhere", d.fd, "broken")));
	cr_expect(private_dir_get(&d, "file", 10, err, sizeof err) == NULL);
	cr_expect(eq(int, private_dir_put(&d, "file", "y", err, sizeof err), -1));
	private_dir_remove(&d);
	cr_expect(not(exists(d.path)));
	text = private_dir_get(&other, "mine", 10, err, sizeof err);
	cr_expect(text && strcmp(text, "x") == 0, "%s", err);
	free(text);
	private_dir_remove(&other);
	cr_expect(not(exists(other.path)));
}

/* Deeper than a path can be long, and with modes that keep others out. */
Test(private_dir, depth_and_modes_do_not_matter, .description = "long")
{
	enum { DEPTH = 3000 };
	struct private_dir d = make();
	char err[300];
	int at = dup(d.fd);
	for (int i = 0; i < DEPTH; i++) {
		cr_assert(zero(int, mkdirat(at, "deep", 0700)));
		int next = openat(at, "deep", O_RDONLY | O_DIRECTORY);
		cr_assert(ge(int, next, 0));
		close(at);
		at = next;
	}
	close(at);
	cr_assert(zero(int, mkdirat(d.fd, "ridge-0", 0700))); /* a name that it would use */
	cr_assert(zero(int, mkdirat(d.fd, "ridge-0/in", 0700)));
	cr_assert(zero(int, mkdirat(d.fd, "closed", 0700)));
	cr_assert(zero(int, mkdirat(d.fd, "closed/in", 0700)));
	cr_assert(zero(int, private_dir_put(&d, "closed/in/file", "x", err, sizeof err)));
	cr_assert(zero(int, fchmodat(d.fd, "closed/in", 0, 0)));
	cr_assert(zero(int, fchmodat(d.fd, "closed", 0, 0)));
	cr_assert(zero(int, fchmod(d.fd, 0500)));
	private_dir_remove(&d);
	cr_expect(not(exists(d.path)));
}

Test(private_dir, says_where_it_cannot_be)
{
	struct private_dir d;
	char err[300] = "";
	setenv("TMPDIR", "/nonexistent/place", 1);
	cr_expect(eq(int, private_dir_make(&d, err, sizeof err), -1));
	cr_expect(strstr(err, "/nonexistent/place") != NULL, "%s", err);
	private_dir_remove(&d);
	setenv("TMPDIR", "relative", 1);
	d = make();
	cr_expect(zero(int, strncmp(d.path, "/tmp/", 5)), "%s", d.path);
	private_dir_remove(&d);
}

/* A folder that a process made which then died, as it does by kill -9; one whose maker lives; and
 * folders of the user's that look like them. */
Test(private_dir, what_the_dead_left_is_removed)
{
	char base[] = "/tmp/ridge-sweep-XXXXXX", left[200], own[200], err[300] = "",
	     name[1100] = "";
	int to_parent[2];
	cr_assert(mkdtemp(base) != NULL);
	setenv("TMPDIR", base, 1);
	snprintf(own, sizeof own, "%s/ridge-run-abcdef", base);
	snprintf(left, sizeof left, "%s/ridge-run-ghijkl", base);
	cr_assert(zero(int, mkdir(own, 0700) || mkdir(left, 01700) || pipe(to_parent)));
	struct private_dir lives = make();
	cr_assert(zero(int, private_dir_put(&lives, "file", "x", err, sizeof err)));
	pid_t pid = fork();
	if (pid == 0) {
		struct private_dir d = make();
		private_dir_put(&d, "file", "x", err, sizeof err);
		_exit(write(to_parent[1], d.path, sizeof d.path) > 0 ? 0 : 1);
	}
	cr_assert(lt(i64, 0, read(to_parent[0], name, sizeof name - 1)));
	cr_assert(eq(int, waitpid(pid, NULL, 0), pid));
	cr_assert(exists(name), "%s", name);
	private_dir_sweep();
	cr_expect(not(exists(name)), "%s", name);
	cr_expect(exists(lives.path) && exists(own));
	cr_expect(not(exists(left)), "six letters, our mark, and nobody holds it");
	char *text = private_dir_get(&lives, "file", 5, err, sizeof err);
	cr_expect(text != NULL, "%s", err);
	free(text);
	private_dir_remove(&lives);
	cr_expect(zero(int, rmdir(own) || rmdir(base)));
}
