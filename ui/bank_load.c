#include "ui/bank_load.h"

#include "ui/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bank_load(struct drill_bank *b, const struct tables *t, char *err, size_t err_size)
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
