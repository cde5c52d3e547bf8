/* The files that a confined process may still open. */
#ifndef RIDGE_UI_PROGRAMS_CONFINE_FILES_H
#define RIDGE_UI_PROGRAMS_CONFINE_FILES_H

#include "ui/programs/confine.h"

/* All that it can read, for the user: confine_files.c has the same as a list. */
#define CONFINE_READS                                                                              \
	"the system's programs and libraries (/usr, /bin, /lib), those of its language, and the "  \
	"folder it runs in"

/* For this process and all that it starts, for good: it reads and executes what CONFINE_READS says,
 * `readable` being the part that is not the system's, and a compiler writes in dir. Where the kernel
 * can do that as well it opens no network, and signals and connects to nobody outside. 0; or -1 where
 * the kernel has no such thing (Landlock, Linux 5.13), or refuses it. */
int confine_files(enum confinement c, int dir, const char *const *readable);

#endif
