/* `ridge measure`: what it prints, and that it keeps what it measured, or says why not. How fast this machine
 * is and whether others use it, nobody knows here. */
#include "tests/said.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <unistd.h>

static char home[] = "/tmp/ridge-measure-XXXXXX";

static void begin(void)
{
	cr_assert(mkdtemp(home) != NULL);
	setenv("XDG_DATA_HOME", home, 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

static void end(void)
{
	char command[100];
	snprintf(command, sizeof command, "rm -rf %s", home);
	cr_expect(zero(int, system(command)));
}

TestSuite(measure_command, .init = begin, .fini = end);

static bool is_kept(void)
{
	char path[100];
	snprintf(path, sizeof path, "%s/ridge/machine.json", home);
	return access(path, R_OK) == 0;
}

/* 2026-01-03 in UTC. */
Test(measure_command, keeps_what_it_measured_or_says_why_not, .description = "long")
{
	struct said s = said_at(1767398400, "measure --quick --json", NULL);
	cJSON *root = cJSON_ParseWithOpts(s.out, NULL, true);
	cr_assert(cJSON_IsObject(root) != 0, "%s", s.out);
	cr_expect(strstr(s.out, "2026-01-03") != NULL, "%s", s.out);
	cr_expect(eq(int, s.status == 0, is_kept()), "%d: %s", s.status, s.err);
	cr_expect(eq(int, s.status == 0, *s.err == '\0'), "%d: %s", s.status, s.err);
	cr_expect(s.status == 0 || strstr(s.err, "ridge measure: not kept: ") != NULL, "%s", s.err);
	cJSON_Delete(root);
	forget(&s);
}

/* Where nothing can be kept, it is printed all the same. */
Test(measure_command, prints_what_cannot_be_kept, .description = "long")
{
	setenv("XDG_DATA_HOME", "/dev/null", 1);
	struct said s = said_at(1767398400, "measure --quick --plain", NULL);
	cr_expect(eq(int, s.status, 1));
	cr_expect(strncmp(s.out, "This machine: ", 14) == 0, "%s", s.out);
	cr_expect(strstr(s.out, "kept in") == NULL, "%s", s.out);
	cr_expect(strstr(s.err, "ridge measure: not kept: ") != NULL, "%s", s.err);
	forget(&s);
}
