/* Every kind of file that ridge reads, given to the program: with a byte-order mark before it, which costs
 * nothing, and larger than anybody means, which is refused with the limit and before it is read. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

enum { PRINTED = 1 << 18 };

/* What is read, from which file of the tree (or what prints it), where it lies in the home, and what
 * reads it there; the shell gets it in the home, with $RIDGE as the program. */
static const struct input {
	const char *what, *from, *at, *command;
	const char *limit; /* in the refusal; NULL: it is a stream that is read line by line */
} inputs[] = {
	{ "question", "tests/data/grading-questions.json", "q.json",
		"$RIDGE grade q.json '1 GB' --question kv", "1 MiB" },
	{ "measurements", "content/measured/gemm.csv", "m.csv", "$RIDGE validate gemm m.csv",
		"256 MiB" },
	{ "measurements, piped", "content/measured/gemm.csv", "m.csv",
		"$RIDGE validate gemm - <m.csv", "256 MiB" },
	{ "tour", "content/tours/memory.md", "t.md", "$RIDGE present t.md --check", "1 MiB" },
	{ "pack", "tests/data/pack.json", "p.json", "$RIDGE drill --pack p.json --sheet --seed 1",
		"256 KiB" },
	{ "trace", "content/traces/azure-code.csv", "t.csv", "$RIDGE sim kvcache trace=./t.csv",
		"64 MiB" },
	{ "accelerators", "content/hardware.json", ".config/ridge/hardware.json",
		"$RIDGE sim roofline", "1 MiB" },
	{ "models", "content/models.json", ".config/ridge/models.json", "$RIDGE sim roofline",
		"1 MiB" },
	{ "history", "tests/data/history.jsonl", ".local/share/ridge/history.jsonl",
		"$RIDGE stats --export", "64 MiB" },
	{ "case", "sed 's/\"one-server\"/\"mine\"/' content/cases/one-server.json",
		".local/share/ridge/cases/mine.json", "$RIDGE case mine --seed 1 --sheet",
		"256 KiB" },
	{ "machine", "tests/data/machine.json", ".local/share/ridge/machine.json", "$RIDGE info",
		"256 KiB" },
	{ "answers", NULL, "answers",
		"$RIDGE drill --topic memory --count 1 --seed 1 --no-history --plain <answers",
		NULL },
};

struct place {
	char home[64], tree[512];
};

static void enter(struct place *p)
{
	strcpy(p->home, "/tmp/ridge-inputs-XXXXXX");
	cr_assert(mkdtemp(p->home) != NULL);
	cr_assert(getcwd(p->tree, sizeof p->tree) != NULL);
	setenv("HOME", p->home, 1);
	const char *names[] = { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME" };
	for (size_t i = 0; i < COUNT(names); i++)
		unsetenv(names[i]);
}

static void leave(const struct place *p)
{
	char line[128];
	snprintf(line, sizeof line, "rm -rf %s", p->home);
	cr_expect(zero(int, system(line)));
}

/* Runs it in the home; what it prints, both ways, goes to `out`. Its exit status. */
static int run(const struct place *p, const char *command, char out[PRINTED])
{
	char line[2048];
	const char *path = getenv("RIDGE");
	const char *slash = path && *path == '/' ? "" : "/";
	snprintf(line, sizeof line, "cd %s && RIDGE=%s%s%s && { %s; } 2>&1", p->home,
		*slash ? p->tree : "", slash, path ? path : "build/ridge", command);
	FILE *f = popen(line, "r");
	cr_assert(f != NULL);
	out[fread(out, 1, PRINTED - 1, f)] = '\0';
	int status = pclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Puts the bytes, and then the file of the tree, where the program looks for it. */
static void put(const struct place *p, const struct input *in, const char *before)
{
	char line[2048];
	const char *cat = !in->from ? "echo 1; echo quit" : strchr(in->from, ' ') ? "" : "cat ";
	snprintf(line, sizeof line,
		"mkdir -p %s/.config/ridge %s/.local/share/ridge/cases && { printf '%s'; %s%s; } >%s/%s",
		p->home, p->home, before, cat, in->from ? in->from : "", p->home, in->at);
	cr_assert(zero(int, system(line)), "%s", line);
}

static void take(const struct place *p, const struct input *in)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", p->home, in->at);
	cr_assert(zero(int, unlink(path)));
}

Test(inputs, a_byte_order_mark_costs_nothing, .description = "long")
{
	static char with[PRINTED], without[PRINTED];
	struct place p;
	enter(&p);
	for (size_t i = 0; i < COUNT(inputs); i++) {
		put(&p, &inputs[i], "");
		int status = run(&p, inputs[i].command, without);
		put(&p, &inputs[i], "\\357\\273\\277");
		cr_expect(eq(int, run(&p, inputs[i].command, with), status), "%s: %s",
			inputs[i].what, with);
		cr_expect(le(int, status, 1), "%s: %s", inputs[i].what, without);
		cr_expect(strcmp(with, without) == 0, "%s:\n%.600s\n%.600s", inputs[i].what,
			without, with);
		take(&p, &inputs[i]);
	}
	leave(&p);
}

/* 600 MB that are a hole in the file; what would read them has no room to put them. */
Test(inputs, a_limit_is_named_before_half_a_gigabyte_is_read, .description = "long")
{
	static char out[PRINTED];
	struct place p;
	enter(&p);
	for (size_t i = 0; i < COUNT(inputs); i++) {
		char path[256];
		if (!inputs[i].limit)
			continue;
		put(&p, &inputs[i], "");
		snprintf(path, sizeof path, "%s/%s", p.home, inputs[i].at);
		cr_assert(zero(int, truncate(path, 600 * 1000 * 1000)));
		char command[512];
		snprintf(command, sizeof command, "ulimit -v 500000; %s", inputs[i].command);
		int status = run(&p, command, out);
		cr_expect(le(int, status, 2), "%s", inputs[i].what);
		cr_expect(strstr(out, inputs[i].limit) != NULL, "%s: %.300s", inputs[i].what, out);
		take(&p, &inputs[i]);
	}
	leave(&p);
}
