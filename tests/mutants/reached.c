/* Linked into a build of the tests with -finstrument-functions: each test leaves a file that lists
 * the functions that it entered, as distances from the start of the program. `mutants` reads them
 * to know which tests can see a function. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))

enum { SLOTS = 1 << 14 };
static uintptr_t entered[SLOTS]; /* a hash table; threads may lose an entry to each other */
static char test[256];           /* "suite.name"; Criterion forgets it before the process ends */
extern const char __executable_start[];

void __cyg_profile_func_enter(void *function, void *caller) UNSEEN;
void __cyg_profile_func_exit(void *function, void *caller) UNSEEN;

void __cyg_profile_func_enter(void *function, void *caller)
{
	(void)caller;
	if (!*test && criterion_current_test)
		snprintf(test, sizeof test, "%s.%s", criterion_current_test->category,
			criterion_current_test->name);
	uintptr_t at = (uintptr_t)function;
	size_t slot = (at >> 2) * 2654435761u % SLOTS;
	for (size_t n = 0; entered[slot] != at && n < SLOTS; n++) {
		if (entered[slot] == 0)
			entered[slot] = at;
		else
			slot = (slot + 1) % SLOTS;
	}
}

void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)function;
	(void)caller;
}

static void leave(void) __attribute__((destructor)) UNSEEN;
static void leave(void)
{
	const char *folder = getenv("RIDGE_REACHED");
	char path[1024];
	if (!folder || !*test)
		return;
	snprintf(path, sizeof path, "%s/%s.%ld", folder, test, (long)getpid());
	FILE *f = fopen(path, "w");
	if (!f)
		return;
	for (size_t i = 0; i < SLOTS; i++)
		if (entered[i])
			fprintf(f, "%lx\n",
				(unsigned long)(entered[i] - (uintptr_t)__executable_start));
	fclose(f);
}
