/* What the system reports about the machine, without measuring. */
#ifndef RIDGE_UI_MACHINE_HOST_H
#define RIDGE_UI_MACHINE_HOST_H

#include "ui/machine/measure.h"

/* The processor's name in printable ASCII, "unknown processor" where nobody knows. Returns buf. */
char *host_cpu(char *buf, size_t size);
/* Processors that this program may use: online, in its affinity mask. At least 1. */
unsigned host_threads(void);
/* The data caches of the first processor, from /sys or sysconf. Returns their number. */
size_t host_caches(struct cache out[static MOST_CACHES]);
/* All memory, and what programs can still get, in B; 0 when unknown. */
double host_memory_bytes(void);
double host_free_bytes(void);

#endif
