/* The system calls that a confined process may still make. Everything else is refused, whatever it
 * is called and however new it is. */
#ifndef RIDGE_UI_PROGRAMS_CONFINE_CALLS_H
#define RIDGE_UI_PROGRAMS_CONFINE_CALLS_H

#include "ui/programs/confine.h"

/* Installs the list for this process and all that it starts, for good. 0; or -1 where the system has
 * no such filter, or refuses it. */
int confine_calls(enum confinement c);

#endif
