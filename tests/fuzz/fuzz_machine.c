/* Any bytes as a kept measurement: refused in one line, or its levels, its figure and what the
 * tables take from it are made of numbers. */
#include "ui/machine/levels.h"
#include "ui/data/machine_file.h"
#include "ui/machine/machine_json.h"
#include "ui/machine/measure_figure.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void check(const struct machine *m)
{
	struct machine_level levels[MOST_MACHINE_LEVELS];
	struct figure fig = { 0 };
	struct accelerator a;
	char err[200] = "";
	must(machine_levels(m, levels) <= MOST_MACHINE_LEVELS);
	machine_figure(m, &fig);
	must(!fig.arena.failed);
	figure_release(&fig);
	if (machine_accelerator(m, &a, err, sizeof err)) {
		must(*err && !strchr(err, '\n'));
		return;
	}
	must(a.bandwidth > 0 && a.peak_flops[DTYPE_FP32] > 0 && a.n_levels <= MOST_LEVELS);
	must(a.achieved.compute > 0 && a.achieved.compute <= 1);
	must(a.achieved.memory >= 0 && a.achieved.memory <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine m;
	char err[200] = "", *text = malloc(size + 1);
	must(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (machine_read(&m, text, err, sizeof err))
		must(*err && !strchr(err, '\n'));
	else
		check(&m);
	free(text);
	return 0;
}
