/* The pages and data that travel with ridge: embedded in the binary, or read from the folder
 * RIDGE_CONTENT where that is set (authors see a changed page at the next key). */
#ifndef RIDGE_UI_DATA_CONTENT_H
#define RIDGE_UI_DATA_CONTENT_H

#include "ui/data/content_facts.h"

#include <stddef.h>
#include <stdint.h>

struct content_file {
	const char *name; /* "chapters/01-roofline.md" */
	const char *text; /* terminated, beside its length */
	size_t bytes;
	struct content_facts facts;
};
extern const struct content_file content_files[]; /* sorted by name */
extern const size_t n_content_files;

/* The text of a file; NULL when there is none or it cannot be read. *owned is what to free()
 * afterwards (NULL for an embedded one). */
const char *content_read(const char *name, size_t *bytes, void **owned);

/* The same with the file's facts, which are counted now when it comes from the folder. The text is
 * NULL when there is no such file. */
struct content_file content_look(const char *name, void **owned);

/* The value of RIDGE_CONTENT when it is not a folder; everything then comes from the binary. NULL
 * when it is a folder, or not set. */
const char *content_folder_missing(void);

/* A number that changes when the file does (0 for embedded files): for live reload. */
uint64_t content_stamp(const char *name);

#endif
