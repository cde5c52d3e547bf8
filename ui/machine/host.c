#define _GNU_SOURCE /* sched_getaffinity, _SC_NPROCESSORS_ONLN */
#include "ui/machine/host.h"

#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

/* Replaces what is not printable by blanks and leaves one blank between words. */
static char *tidy(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		char c = (char)(isprint((unsigned char)*p) ? *p : ' ');
		if (c != ' ' || (to > text && to[-1] != ' '))
			*to++ = c;
	}
	while (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
	return text;
}

#if defined __x86_64__ || defined __i386__
static void brand(char *buf, size_t size)
{
	unsigned words[12] = { 0 };
	char text[sizeof words + 1] = "";

	for (unsigned i = 0; i < 3; i++) {
		unsigned *w = words + 4 * i;
		if (!__get_cpuid(0x80000002u + i, w, w + 1, w + 2, w + 3))
			return;
	}
	memcpy(text, words, sizeof words);
	snprintf(buf, size, "%s", tidy(text));
}
#else
/* The kind of machine and the number of its processor, where the system shows that. */
static void brand(char *buf, size_t size)
{
	static const char midr[] = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";
	struct utsname names;
	char text[64] = "";
	FILE *f = fopen(midr, "r");

	if (f && !fgets(text, sizeof text, f))
		text[0] = '\0';
	if (f)
		fclose(f);
	if (uname(&names) == 0)
		snprintf(buf, size, "%s %s", names.machine, tidy(text));
	tidy(buf);
}
#endif

char *host_cpu(char *buf, size_t size)
{
	buf[0] = '\0';
	brand(buf, size);
	if (!buf[0])
		snprintf(buf, size, "unknown processor");
	return buf;
}

unsigned host_threads(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

#ifdef __linux__
	cpu_set_t mine;
	if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 0)
		n = CPU_COUNT(&mine);
#endif
	return n < 1 ? 1 : (unsigned)n;
}

/* --- Caches --- */

static bool sys_line(unsigned index, const char *name, char *buf, int size)
{
	char path[128];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, name);
	FILE *f = fopen(path, "r");
	bool got = f && fgets(buf, size, f);

	if (f)
		fclose(f);
	if (got)
		buf[strcspn(buf, "\n")] = '\0';
	return got;
}

/* "48K" in bytes; 0: no size. */
static double size_of(const char *text)
{
	char *end;
	double n = (double)strtoul(text, &end, 10);

	return *end == 'K' ? n * 1024 : *end == 'M' ? n * 1048576 : n;
}

/* How many processors a list such as "0-3,8" names; at least 1. */
static unsigned count_of(const char *list)
{
	unsigned n = 0;

	for (const char *p = list; isdigit((unsigned char)*p);) {
		char *end;
		unsigned long from = strtoul(p, &end, 10), to = from;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		n += to >= from && to - from < 4096 ? (unsigned)(to - from + 1) : 1;
		p = *end == ',' ? end + 1 : end;
	}
	return n ? n : 1;
}

static size_t caches_of_sys(struct cache out[static MOST_CACHES])
{
	char level[16], type[32], size[32], shared[4096];
	size_t n = 0;

	for (unsigned i = 0; n < MOST_CACHES && sys_line(i, "type", type, sizeof type); i++) {
		if (strcmp(type, "Instruction") == 0 ||
			!sys_line(i, "level", level, sizeof level) ||
			!sys_line(i, "size", size, sizeof size) || size_of(size) <= 0)
			continue;
		bool known = sys_line(i, "shared_cpu_list", shared, sizeof shared);
		out[n++] = (struct cache){ (int)strtol(level, NULL, 10), size_of(size),
			known ? count_of(shared) : 1 };
	}
	return n;
}

static size_t caches_of_sysconf(struct cache out[static MOST_CACHES])
{
	size_t n = 0;

#ifdef _SC_LEVEL1_DCACHE_SIZE
	static const int names[] = { _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
		_SC_LEVEL3_CACHE_SIZE };
	for (int i = 0; i < 3; i++) {
		long bytes = sysconf(names[i]);
		if (bytes > 0)
			out[n++] =
				(struct cache){ i + 1, (double)bytes, i == 2 ? host_threads() : 1 };
	}
#else
	(void)out;
#endif
	return n;
}

size_t host_caches(struct cache out[static MOST_CACHES])
{
	size_t n = caches_of_sys(out);

	return n ? n : caches_of_sysconf(out);
}

/* --- Memory --- */

static double pages(int name)
{
	long n = sysconf(name), bytes = sysconf(_SC_PAGESIZE);

	return n > 0 && bytes > 0 ? (double)n * (double)bytes : 0;
}

double host_memory_bytes(void)
{
	return pages(_SC_PHYS_PAGES);
}

double host_free_bytes(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	double kib = 0;

	while (f && kib <= 0 && fgets(line, sizeof line, f))
		if (strncmp(line, "MemAvailable:", 13) == 0)
			kib = (double)strtoull(line + 13, NULL, 10);
	if (f)
		fclose(f);
#ifdef _SC_AVPHYS_PAGES
	return kib > 0 ? 1024 * kib : pages(_SC_AVPHYS_PAGES);
#else
	return 1024 * kib;
#endif
}
