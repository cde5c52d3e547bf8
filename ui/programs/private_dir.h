/* A temporary directory that nobody else can look into. It is removed afterwards with everything
 * that was left in it. Links are never followed. */
#ifndef RIDGE_UI_PROGRAMS_PRIVATE_DIR_H
#define RIDGE_UI_PROGRAMS_PRIVATE_DIR_H

#include <stddef.h>

struct private_dir {
	int fd; /* -1: there is none */
	char path[1024];
};

/* A fresh one, mode 0700, in $TMPDIR where that is an absolute path, else in /tmp. 0; or -1 and one
 * line in err. */
int private_dir_make(struct private_dir *d, char *err, size_t err_size);

/* A new file of that name. 0; or -1 and one line in err. */
int private_dir_put(const struct private_dir *d, const char *name, const char *text, char *err,
	size_t err_size);

/* A regular file of at most `most` bytes as text, from malloc; NULL and one line in err. */
char *private_dir_get(
	const struct private_dir *d, const char *name, size_t most, char *err, size_t err_size);

/* Removes it and everything in it, however deep and whatever the modes. No process may write there
 * any more. Does nothing when d->fd is -1. */
void private_dir_remove(struct private_dir *d);

/* Removes those of this user that a ridge left behind which was killed. One whose maker lives stays. */
void private_dir_sweep(void);

#endif
