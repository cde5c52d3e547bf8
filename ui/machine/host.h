/* What the system tells of the machine without measuring. */
#ifndef RIDGE_UI_MACHINE_HOST_H
#define RIDGE_UI_MACHINE_HOST_H

#include "ui/machine/measure.h"

/* The processor's name in printable ASCII, "unknown processor" where nobody knows. Returns buf. */
char *host_cpu(char *buf, size_t size);
/* Processors that this program may use: online, in its affinity mask. At least 1. */
unsigned host_threads(void);
/* Data caches of the first processor, from /sys or sysconf; the number of them. */
size_t host_caches(struct cache out[static MOST_CACHES]);
/* All memory, and what is free for the asking; 0 unknown. */
double host_memory_bytes(void);
double host_free_bytes(void);

#endif
