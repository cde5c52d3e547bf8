/* The tests are nobody's: what a program would keep or read in the home of whoever runs them goes
 * to a folder for each test, and away with the last. (What else is one's own each test sets.) */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char base[] = "/tmp/ridge-nobody-XXXXXX";
static pid_t runner;

static void remove_all(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", base);
	if (getpid() == runner && system(command))
		fprintf(stderr, "%s: left behind\n", base);
}

/* In the runner, and in the process of each test, which inherits the name of the base. */
__attribute__((constructor)) static void be_nobody(void)
{
	char data[64];
	const char *given = getenv("RIDGE_NOBODY");
	if (!given) {
		given = mkdtemp(base);
		runner = getpid();
		if (!given || setenv("RIDGE_NOBODY", given, 1) || atexit(remove_all))
			abort();
	}
	snprintf(data, sizeof data, "%.40s/%d", given, (int)getpid());
	setenv("XDG_DATA_HOME", data, 1);
}
