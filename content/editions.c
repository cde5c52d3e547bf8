/* Writes content/drills/editions.json anew, with one edition more: the drills that are in none.
 *
 *   editions content/drills/editions.json content/drills/NAME.json ... > new
 *
 * Session codes name an edition (drills/code.h), so what is there already keeps every byte: the new
 * edition is put in before the two brackets that end the file. Without new drills the file comes
 * out as it was. `make editions` runs it. */
#include "drills/bank.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 20, MOST_NEW = 1000, INDENT = 24, COLUMNS = 88 };
static const char END[] = "\n\t]\n}\n";

static void fail(const char *file, const char *why, const char *what)
{
	fprintf(stderr, "editions: %s: %s%s\n", file, why, what);
	exit(1);
}

static char *read_file(const char *name)
{
	char *text = malloc(LARGEST_FILE);
	FILE *f = fopen(name, "r");
	size_t n = text && f ? fread(text, 1, LARGEST_FILE, f) : 0;
	if (n == 0 || n == LARGEST_FILE)
		fail(name, "cannot be read", "");
	fclose(f);
	text[n] = '\0';
	return text;
}

/* The array of this name in a file of JSON. The root stays until the end of the program. */
static const cJSON *read_list(const char *file, const char *text, const char *name)
{
	const cJSON *list =
		cJSON_GetObjectItemCaseSensitive(cJSON_ParseWithOpts(text, NULL, true), name);
	if (!cJSON_IsArray(list))
		fail(file, "expected JSON, an object with an array ", name);
	return list;
}

static bool is_in_edition(const cJSON *editions, const char *id)
{
	const cJSON *edition, *one;
	cJSON_ArrayForEach(edition, editions)
	{
		cJSON_ArrayForEach(one, edition)
		{
			if (cJSON_IsString(one) && strcmp(one->valuestring, id) == 0)
				return true;
		}
	}
	return false;
}

/* Appends the drills of a file that are in no edition. Returns how many there are then. */
static size_t add_new(const char *file, const cJSON *editions, const char *ids[], size_t n)
{
	const cJSON *drill;
	cJSON_ArrayForEach(drill, read_list(file, read_file(file), "drills"))
	{
		const cJSON *id = cJSON_GetObjectItemCaseSensitive(drill, "id");
		if (!cJSON_IsString(id))
			fail(file, "a drill without an id", "");
		if (is_in_edition(editions, id->valuestring))
			continue;
		if (n == MOST_NEW)
			fail(file, "too many new drills", "");
		ids[n++] = id->valuestring;
	}
	return n;
}

static void write_edition(const char *const ids[], size_t n)
{
	size_t column = 0;
	printf(",\n\t\t[\n");
	for (size_t i = 0; i < n; i++) {
		size_t width = strlen(ids[i]) + 3; /* quotes and a comma */
		bool begins = i == 0 || column + 1 + width > COLUMNS;
		printf("%s\"%s\"%s", begins ? i ? "\n\t\t\t" : "\t\t\t" : " ", ids[i],
			i + 1 < n ? "," : "");
		column = begins ? INDENT + width : column + 1 + width;
	}
	printf("\n\t\t]%s", END);
}

int main(int argc, char **argv)
{
	const char *ids[MOST_NEW], *file = argc > 1 ? argv[1] : "content/drills/editions.json";
	char *text = read_file(file);
	const cJSON *editions = read_list(file, text, "editions");
	size_t n = 0, bytes = strlen(text), end = strlen(END);
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], file) != 0)
			n = add_new(argv[i], editions, ids, n);
	if (n == 0) {
		fprintf(stderr, "editions: every drill is in one\n");
		return fputs(text, stdout) < 0;
	}
	if (cJSON_GetArraySize(editions) >= MOST_EDITIONS)
		fail(file, "session codes have no room for another edition", "");
	if (bytes < end || strcmp(text + bytes - end, END) != 0)
		fail(file, "expected the end that this program writes", "");
	fprintf(stderr, "editions: edition %d has %zu drill%s\n", cJSON_GetArraySize(editions) + 1,
		n, n == 1 ? "" : "s");
	fwrite(text, 1, bytes - end, stdout);
	write_edition(ids, n);
	return fflush(stdout) != 0;
}
