#include "ui/programs/consent.h"

#include "ui/files/own_file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SETTINGS = 4096 };
static const char file_name[] = "programs.json", key[] = "run_unconfined";

bool consent_given(void)
{
	char path[OWN_PATH_SIZE];
	char *text = own_path(OWN_CONFIG, file_name, path, sizeof path)
			     ? own_read(path, LARGEST_SETTINGS, NULL)
			     : NULL;
	cJSON *all = text ? cJSON_ParseWithOpts(text, NULL, true) : NULL;
	bool given = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(all, key));
	cJSON_Delete(all);
	free(text);
	return given;
}

int consent_keep(char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE], text[64];
	snprintf(text, sizeof text, "{ \"%s\": true }", key);
	if (own_path(OWN_CONFIG, file_name, path, sizeof path) && own_write(path, text) == 0)
		return 0;
	snprintf(err, err_size, "%s/%s could not be written: %s", own_folder_shown(OWN_CONFIG),
		file_name, strerror(errno));
	return -1;
}

char *consent_text(const char *why, char *buf, size_t size)
{
	snprintf(buf, size,
		"Nothing was run: this system cannot confine programs, because %s. A program, and "
		"what its author copied into it, could read, change and remove every file of "
		"yours, send them elsewhere, and start and end other programs, as you can "
		"yourself. Type \"%s\" to run programs all the same, now and from now on (%s/%s "
		"keeps it; remove that file to take it back), or Enter to judge yours by a check "
		"list, without running it.",
		why, CONSENT_WORDS, own_folder_shown(OWN_CONFIG), file_name);
	return buf;
}
