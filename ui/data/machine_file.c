#include "ui/data/machine_file.h"

#include "ui/files/own_file.h"
#include "ui/machine/host.h"
#include "ui/machine/levels.h"
#include "ui/machine/machine_json.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 18 };

char *machine_path(char *buf, size_t size)
{
	return own_path(OWN_DATA, "machine.json", buf, size);
}

int machine_save(const struct machine *m, const char *path)
{
	cJSON *obj = machine_json(m);
	char *text = obj ? cJSON_Print(obj) : NULL;
	int rc = -1;

	cJSON_Delete(obj);
	if (text)
		rc = own_write(path, text);
	else
		errno = ENOMEM;
	cJSON_free(text);
	return rc;
}

int machine_load(struct machine *m, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE], why[200], cpu[sizeof m->cpu];
	size_t bytes;

	if (!machine_path(path, sizeof path))
		return 0;
	char *text = own_read(path, LARGEST, &bytes);
	if (!text && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!text && errno == ENOMEM) {
		snprintf(err, err_size, "machine.json: out of memory");
		return -1;
	}
	if (!text) {
		snprintf(err, err_size,
			"machine.json: expected a readable text file of %d KiB at most",
			LARGEST >> 10);
		return -1;
	}
	int rc = machine_read(m, text, why, sizeof why);
	const bool no_memory = rc && errno == ENOMEM;
	free(text);
	if (no_memory) {
		snprintf(err, err_size, "machine.json: out of memory");
		errno = ENOMEM;
		return -1;
	}
	errno = 0;
	if (rc) {
		snprintf(err, err_size,
			"machine.json is damaged and not used (%s); ridge measure writes a new one",
			why);
		return -1;
	}
	if (strcmp(m->cpu, host_cpu(cpu, sizeof cpu)) != 0) {
		snprintf(err, err_size,
			"machine.json was measured on %s, this is %s: not used; ridge measure "
			"writes a new one",
			m->cpu, cpu);
		return -1;
	}
	return 1;
}

/* --- For the tables --- */

/* The best sample of any kind of traffic with main memory: no kernel can do better. */
static double best_bandwidth(const struct machine *m)
{
	double best = 0;

	for (int k = 0; k < N_MEMORY_KERNELS; k++)
		best = fmax(best, machine_memory_best(m, ALL_THREADS, (enum memory_kernel)k));
	return best;
}

static void add_levels(const struct machine *m, struct accelerator *a)
{
	struct machine_level levels[MOST_MACHINE_LEVELS];
	size_t n = machine_levels(m, levels);

	for (size_t i = 0; i < n && a->n_levels < MOST_LEVELS; i++) {
		const double *rate = levels[i].rate[ALL_THREADS];
		if (rate[KERNEL_READ] <= 0)
			continue;
		struct memory_level *l = &a->levels[a->n_levels++];
		snprintf(l->name, sizeof l->name, "%.15s", levels[i].name);
		l->bytes = levels[i].bytes;
		l->read = rate[KERNEL_READ];
		l->write = rate[KERNEL_WRITE];
		l->triad = rate[KERNEL_TRIAD];
	}
}

int machine_accelerator(const struct machine *m, struct accelerator *a, char *err, size_t err_size)
{
	const struct spread *peak = machine_peak(m, ALL_THREADS, PRECISION_SINGLE);
	double bandwidth = best_bandwidth(m);

	*a = (struct accelerator){ .id = "this-machine", .name = "this machine", .family = "cpu" };
	if (!peak || bandwidth <= 0) {
		snprintf(err, err_size,
			"machine.json holds no %s of all threads and is not used; ridge measure "
			"writes a new one",
			peak ? "bandwidth" : "peak");
		return -1;
	}
	a->peak_flops[DTYPE_FP32] = peak->best;
	a->bandwidth = bandwidth;
	a->memory_bytes = m->memory_bytes;
	a->measured_on = m->date;
	a->processor = m->cpu;
	a->threads = m->threads;
	add_levels(m, a);
	double triad = a->n_levels ? a->levels[a->n_levels - 1].triad : 0;
	a->achieved = (struct efficiency){ .compute = peak->median / peak->best,
		.memory = triad > 0 ? fmin(1, triad / bandwidth) : 0,
		.launch_s = m->start_s };
	return 0;
}
