#include "ui/data/bank_load.h"

#include "drills/bank_read.h"
#include "ui/data/content.h"

#include <stdlib.h>
#include <string.h>

static int load_shipped(struct drill_bank *b, const struct tables *t, char *err, size_t err_size)
{
	static const char folder[] = "drills/";
	for (size_t i = 0; i < n_content_files; i++) {
		const char *name = content_files[i].name;
		size_t bytes;
		void *owned;
		if (strncmp(name, folder, sizeof folder - 1) != 0)
			continue;
		const char *json = content_read(name, &bytes, &owned);
		if (!json)
			snprintf(err, err_size, "%s: cannot be read", name);
		int rc = json ? bank_add(b, t, json, name, err, err_size) : -1;
		free(owned);
		if (rc)
			return -1;
	}
	return 0;
}

int bank_load_telling(struct drill_bank *b, const struct tables *t, struct own_drills *own,
	char *err, size_t err_size)
{
	*own = (struct own_drills){ .folder = "" };
	if (load_shipped(b, t, err, err_size))
		return -1;
	bank_load_own(b, t, own);
	return 0;
}

int bank_load(struct drill_bank *b, const struct tables *t, char *err, size_t err_size)
{
	struct own_drills own;
	return bank_load_telling(b, t, &own, err, err_size);
}

int bank_load_for(struct drill_bank *b, const struct tables *t, const char *command, FILE *err)
{
	char why[400];
	struct own_drills own;
	int rc = bank_load_telling(b, t, &own, why, sizeof why);
	if (rc)
		fprintf(err, "%s: %s\n", command, why);
	for (size_t i = 0; i < own.n_refused; i++)
		fprintf(err, "%s: %s\n", command, own.refused[i]);
	return rc;
}
