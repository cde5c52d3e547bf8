/* ridge's triad beside an independent one, turn and turn about, and beside stream or mbw where
 * somebody installed them. */
#define _GNU_SOURCE
#include "tests/bench/bench.h"
#include "tests/stream_loop.h"
#include "ui/machine/host.h"
#include "ui/machine/measure.h"
#include "ui/machine/memory_bench.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 60 };

static void beside_stream(unsigned threads)
{
	static const double bytes = 256 << 20;
	struct stopwatch watch = stopwatch_real();
	struct memory_bench *b = memory_bench_new(bytes, threads, &watch);
	struct stream s;
	double ours[ROUNDS], theirs[ROUNDS], ratio[ROUNDS], moved;
	char name[64];
	if (!b || !stream_new(&s, bytes, threads)) {
		memory_bench_free(b);
		return;
	}
	for (int i = 0; i < ROUNDS; i++) {
		double took_s = memory_bench_run(b, KERNEL_TRIAD, bytes, threads, 1, &moved);
		ours[i] = moved / took_s / 1e9;
		theirs[i] = stream_once(&s) / 1e9;
		ratio[i] = ours[i] / theirs[i];
	}
	snprintf(name, sizeof name, "triad, %u thread%s", threads, threads == 1 ? "" : "s");
	row(name, ours, ROUNDS, "GB/s", "");
	row("  an independent loop", theirs, ROUNDS, "GB/s", "");
	row("  each over the other", ratio, ROUNDS, "x", "1, within a tenth");
	printf("%-44s %29.3f x     1, within a tenth\n", "  the best over the other's best",
		ours[ROUNDS - 1] / theirs[ROUNDS - 1]);
	free(s.a);
	memory_bench_free(b);
}

/* mbw counts a byte that is copied once, STREAM and ridge what is read and what is written. The
 * lines of a known tool that have a word in them. */
static void beside_tool(const char *tool, const char *command, const char *word)
{
	char line[256];
	bool said = false;
	FILE *p = popen(command, "r");
	while (p && fgets(line, sizeof line, p))
		if (strstr(line, word)) {
			printf("%s: %s", tool, line);
			said = true;
		}
	if (p)
		pclose(p);
	if (!said)
		printf("%s: not installed, not compared\n", tool);
}

void bench_measure(void)
{
	unsigned all = host_threads();
	heading("Memory bandwidth (ridge measure)");
	beside_stream(1);
	if (all > 1 && all <= STREAM_THREADS)
		beside_stream(all);
	fflush(stdout);
	beside_tool("stream", "command -v stream >/dev/null && stream 2>/dev/null", "Triad");
	beside_tool("mbw (a copied byte counts once)",
		"command -v mbw >/dev/null && mbw -q -n 20 128 2>/dev/null", "AVG");
}
