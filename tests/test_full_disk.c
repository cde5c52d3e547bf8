/* A disk that is full: one message, the session goes on, and nothing that was there is harmed. On a
 * small file system of its own where this process may mount one, else with a limit on file
 * sizes. */
#define _GNU_SOURCE
#include "tests/pty.h"
#include "ui/data/history_file.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[96], filler[96];

static void write_to(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);
	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		perror(file);
	close(fd);
}

/* Mounts of this process are its own from now on: it is root, or becomes root of a namespace. */
static bool may_mount(void)
{
	char map[64];
	uid_t uid = getuid();
	gid_t gid = getgid();
	if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return false;
	if (uid) {
		snprintf(map, sizeof map, "0 %u 1", (unsigned)uid);
		write_to("/proc/self/uid_map", map);
		write_to("/proc/self/setgroups", "deny");
		snprintf(map, sizeof map, "0 %u 1", (unsigned)gid);
		write_to("/proc/self/gid_map", map);
	}
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* A folder, on a disk of 64 KiB if that can be. */
static bool begin(void)
{
	strcpy(folder, "/tmp/ridge-disk-XXXXXX");
	cr_assert(ne(ptr, mkdtemp(folder), NULL));
	bool small = may_mount() && mount("ridge", folder, "tmpfs", 0, "size=64k") == 0;
	snprintf(path, sizeof path, "%s/ridge", folder);
	cr_assert(zero(int, mkdir(path, 0700)));
	snprintf(path, sizeof path, "%s/ridge/history.jsonl", folder);
	snprintf(filler, sizeof filler, "%s/filler", folder);
	signal(SIGXFSZ, SIG_IGN);
	return small;
}

static void end(void)
{
	char command[256];
	snprintf(command, sizeof command, "rm -rf %s/*; umount %s 2>/dev/null; rmdir %s", folder,
		folder, folder);
	cr_expect(zero(int, system(command)));
}

static off_t history_size(void)
{
	struct stat st;
	cr_assert(zero(int, stat(path, &st)));
	return st.st_size;
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;
	cr_assert(zero(int, getrlimit(RLIMIT_FSIZE, &limit)));
	limit.rlim_cur = bytes;
	cr_assert(zero(int, setrlimit(RLIMIT_FSIZE, &limit)));
}

/* No room for another line: another file takes all that is left of the small disk. (The last block
 * of the history has room for a few lines more.) */
static void fill(bool small)
{
	static const char block[1024];
	if (!small) {
		limit_files((rlim_t)history_size() + 1000);
		return;
	}
	int fd = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0600);
	cr_assert(le(int, 0, fd));
	while (write(fd, block, sizeof block) > 0)
		;
	cr_assert(eq(int, errno, ENOSPC));
	close(fd);
}

static void make_room(bool small)
{
	if (small)
		unlink(filler);
	else
		limit_files(RLIM_INFINITY);
}

static int append(uint64_t part, char *err, size_t size)
{
	struct history_event e = { .at_s = 1767225600,
		.drill = "kv-cache",
		.skill = "kv-cache",
		.topic = "kvcache",
		.part = part,
		.given = "10.7 GB",
		.value = 10.7e9,
		.verdict = VERDICT_CORRECT,
		.used = true,
		.credit = 1,
		.attempt = 1,
		.took_s = 42.5,
		.par_s = 90,
		.mode = "study" };
	return history_append(path, &e, err, size);
}

Test(full_disk, costs_the_answers_that_do_not_fit)
{
	enum { BEFORE = 20, TRIES = 30 };
	bool small = begin();
	char err[300] = "";
	uint64_t kept = 0;
	while (kept < BEFORE)
		cr_assert(zero(int, append(kept++, err, sizeof err)), "%s", err);
	fill(small);
	size_t refused = 0;
	for (int i = 0; i < TRIES; i++) {
		off_t before = history_size();
		if (append(kept, err, sizeof err) == 0) {
			kept++;
			continue;
		}
		cr_expect(eq(i64, history_size(), before), "a part of a line stays");
		cr_expect(
			strncmp(err, "the answer is not kept, cannot write ", 37) == 0, "%s", err);
		refused++;
	}
	cr_expect(lt(sz, TRIES / 2, refused), "the disk was not full");
	make_room(small);
	cr_assert(zero(int, append(kept++, err, sizeof err)), "%s", err);
	struct history h;
	cr_assert(zero(int, history_load(&h, path, err, sizeof err)), "%s", err);
	cr_expect(eq(sz, h.n, (size_t)kept));
	cr_expect(zero(sz, h.n_unreadable));
	for (size_t i = 0; i < h.n; i++)
		cr_assert(eq(u64, h.events[i].part, (uint64_t)i), "nothing earlier is damaged");
	history_release(&h);
	end();
}

/* On lines: told once, however many answers are lost, and the sitting goes on to its score. */
Test(full_disk, is_told_once_on_lines)
{
	bool small = begin();
	char command[512], said[8192], err[300] = "";
	const char *program = getenv("RIDGE");
	cr_assert(zero(int, append(0, err, sizeof err)), "%s", err);
	fill(small);
	for (int i = 0; i < 30 && append(1, err, sizeof err) == 0; i++)
		;
	off_t before = history_size();
	if (!small)
		limit_files((rlim_t)before);
	snprintf(command, sizeof command,
		"printf '1 GB\\nskip\\n1 GB\\nskip\\n' | XDG_DATA_HOME=%s %s drill --plain --topic "
		"ring-volume --count 2 --seed 3 2>&1",
		folder, program ? program : "build/ridge");
	FILE *f = popen(command, "r");
	cr_assert(ne(ptr, f, NULL));
	said[fread(said, 1, sizeof said - 1, f)] = '\0';
	cr_expect(zero(int, pclose(f)));
	char *told = strstr(said, "the answer is not kept");
	cr_assert(ne(ptr, told, NULL), "%s", said);
	cr_expect(strstr(told + 1, "the answer is not kept") == NULL, "%s", said);
	cr_expect(strstr(told, "0 of 2 right") != NULL, "%s", said);
	cr_expect(eq(i64, history_size(), before));
	make_room(small);
	end();
}

/* The explorer says so, takes the answer all the same, and goes on. */
Test(full_disk, is_told_and_borne_by_a_session, .description = "long")
{
	bool small = begin();
	char setting[96], err[300] = "";
	struct pty p;
	snprintf(setting, sizeof setting, "XDG_DATA_HOME=%s", folder);
	const char *environment[] = { setting, NULL };
	const char *words[] = { "drill", "--topic", "roofline", "--seed", "3", NULL };
	cr_assert(zero(int, append(0, err, sizeof err)), "%s", err);
	fill(small);
	for (int i = 0; i < 30 && append(1, err, sizeof err) == 0; i++)
		;
	off_t before = history_size();
	if (!small)
		limit_files((rlim_t)before);
	pty_start(&p, 24, 80, words, environment);
	pty_send(&p, "1 ms\r");
	cr_expect(pty_shows(&p, "the answer is not kept"));
	cr_expect(pty_shows(&p, "1 of 5"));
	pty_send(&p, "\x07");
	pty_send(&p, "\r");
	cr_expect(pty_shows(&p, "2 of 5"), "the session goes on");
	pty_send(&p, "1 ms\r");
	cr_expect(eq(i64, history_size(), before));
	pty_send(&p, "\x03");
	cr_expect(ne(int, pty_wait(&p), -1));
	cr_expect(pty_restored(&p));
	pty_free(&p);
	make_room(small);
	cr_expect(zero(int, append(2, err, sizeof err)), "%s", err);
	end();
}
