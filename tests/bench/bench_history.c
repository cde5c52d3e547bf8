/* A history of 100 MB, as twenty years of daily drills would leave it, with garbage in it: how long
 * until it is read, and until the statistics are made of it. */
#include "drills/stats.h"
#include "tests/bench/bench.h"
#include "ui/data/history_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 100 * 1000 * 1000, GARBAGE_EVERY = 1000, RUNS = 5, SKILLS = 100 };

/* Answers to problems of many skills, one a minute; of each thousandth only a half. */
static int write_history(const char *path)
{
	FILE *f = fopen(path, "w");
	char line[HISTORY_LINE_SIZE], skill[32];
	int rc = f ? 0 : -1;
	for (size_t i = 0, n = 0; rc == 0 && n < BYTES; i++) {
		snprintf(skill, sizeof skill, "skill-%zu", i % SKILLS);
		struct history_event e = { .at_s = 1767225600 + 60 * (int64_t)i,
			.drill = skill,
			.skill = skill,
			.topic = "topic",
			.seed = i,
			.given = "10.7 GB",
			.value = 10.7e9 * (double)i / 7,
			.verdict = i % 3 ? VERDICT_CORRECT : VERDICT_WRONG,
			.used = true,
			.credit = i % 3 ? 1 : 0,
			.cause = i % 3 ? "" : "bits vs bytes",
			.attempt = 1,
			.took_s = 42.5,
			.par_s = 90,
			.mode = "study" };
		size_t bytes = history_line(&e, line, sizeof line);
		bytes = i % GARBAGE_EVERY ? bytes : bytes / 2;
		rc = fwrite(line, 1, bytes, f) == bytes ? 0 : -1;
		n += bytes;
	}
	return f && fclose(f) ? -1 : rc;
}

static int read_history(const char *path, double *load_ms, double *stats_ms, size_t *lines)
{
	struct history h;
	struct stats s;
	char err[300];
	double began = cpu_ms();
	int rc = history_load(&h, path, err, sizeof err);
	*load_ms = cpu_ms() - began;
	*lines = h.n_lines;
	began = cpu_ms();
	rc = rc || h.n_unreadable == 0 || stats_init(&s, &h, 1767225600 + 60 * (int64_t)h.n);
	*stats_ms = cpu_ms() - began;
	if (!rc)
		stats_release(&s);
	history_release(&h);
	return rc;
}

void bench_history(void)
{
	char path[] = "/tmp/ridge-bench-XXXXXX", name[96];
	double load[RUNS], stats[RUNS];
	size_t n = 0, lines = 0;
	int fd = mkstemp(path);
	heading("a history of 100 MB, computing time");
	if (fd < 0 || close(fd) || write_history(path)) {
		printf("%s: cannot be written\n", path);
	} else {
		while (n < RUNS && read_history(path, &load[n], &stats[n], &lines) == 0)
			n++;
		snprintf(name, sizeof name, "%zu lines, some of them garbage: load", lines);
		row(name, load, n, "ms", "1000");
		row("statistics of it", stats, n, "ms", "");
	}
	unlink(path);
}
