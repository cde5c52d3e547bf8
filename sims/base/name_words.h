/* The words of a name as people say them: "kv_heads" is "KV heads". */
#ifndef RIDGE_NAME_WORDS_H
#define RIDGE_NAME_WORDS_H

#include <stddef.h>

/* Bytes of the first part of a name, its letters up to a '_' or '-' or to its end, and at *said (if not
 * NULL) how that part is said, or NULL where it is said as it is written. */
size_t name_part(const char *name, const char **said);

/* The whole name, a blank between its parts, in buf, which is returned; what has no room is left out. */
char *name_words(const char *name, char *buf, size_t size);

#endif
