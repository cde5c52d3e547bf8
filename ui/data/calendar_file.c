#include "ui/data/calendar_file.h"

#include "sims/base/json_text.h"
#include "ui/files/own_file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 12 };

int calendar_file_read(char *date, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE];
	date[0] = '\0';
	if (!own_path(OWN_DATA, "calendar.json", path, sizeof path))
		return 0;
	char *text = own_read(path, LARGEST, NULL);
	if (!text && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!text) {
		char why[100];
		snprintf(err, err_size, "%s/calendar.json: %s", own_folder_shown(OWN_DATA),
			own_read_error(LARGEST, why, sizeof why));
		return -1;
	}
	cJSON *obj = json_text_parse(text, NULL);
	const bool no_memory = !obj && errno == ENOMEM;
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(obj, "date");
	const int rc =
		cJSON_IsString(item) && strlen(item->valuestring) < CALENDAR_ISO_SIZE ? 0 : -1;
	if (rc == 0)
		strcpy(date, item->valuestring);
	else if (no_memory)
		snprintf(err, err_size, "%s/calendar.json: out of memory",
			own_folder_shown(OWN_DATA));
	else
		snprintf(err, err_size,
			"%s/calendar.json: expected {\"date\": \"2026-12-14\"}; ridge calendar DATE "
			"writes a new one",
			own_folder_shown(OWN_DATA));
	cJSON_Delete(obj);
	free(text);
	return rc;
}

int calendar_file_write(const char *date, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE], text[64];
	int rc = -1;
	if (!own_path(OWN_DATA, "calendar.json", path, sizeof path)) {
		snprintf(
			err, err_size, "expected HOME or XDG_DATA_HOME to be a folder's full path");
		return -1;
	}
	if (date) {
		snprintf(text, sizeof text, "{\"schema\": 1, \"date\": \"%.10s\"}", date);
		rc = own_write(path, text);
	} else {
		rc = remove(path) == 0 || errno == ENOENT ? 0 : -1;
	}
	if (rc)
		snprintf(err, err_size, "%s/calendar.json: %s", own_folder_shown(OWN_DATA),
			strerror(errno));
	return rc;
}
