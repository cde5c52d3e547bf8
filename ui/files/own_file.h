/* The user's own files: where they are, how they are read (whole, up to a limit) and written (so
 * that there is always the old file or the new one, never half of one). */
#ifndef RIDGE_UI_FILES_OWN_FILE_H
#define RIDGE_UI_FILES_OWN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { OWN_PATH_SIZE = 4096 };

/* Folders by the XDG base directory standard, which says to ignore a relative one. */
enum own_folder { OWN_CONFIG, OWN_DATA, OWN_STATE, N_OWN_FOLDERS };
/* The path of ridge/NAME in such a folder. Returns buf; NULL where the environment names no home,
 * or the path has no room. */
char *own_path(enum own_folder folder, const char *name, char *buf, size_t size);
/* How messages call that folder, whatever bytes its path has: "$XDG_DATA_HOME/ridge", or
 * "~/.local/share/ridge". */
const char *own_folder_shown(enum own_folder folder);

/* A regular file of at most `most` bytes, without a byte-order mark before them, terminated; the caller
 * frees. NULL with errno: EINVAL
 * where it is no regular file, EFBIG, ENOMEM, or why it was not opened or read. Where bytes is NULL
 * it has to be text: EILSEQ where there is a zero byte. Never waits for the writer of a pipe. */
char *own_read(const char *path, size_t most, size_t *bytes);
/* The same of an open file. */
char *own_read_fd(int fd, size_t most, size_t *bytes);
/* The text of a stream to its end, a pipe's as well, for which it waits; as own_read otherwise. */
char *own_read_stream(FILE *in, size_t most);
/* The same of an open stream, which may hold any bytes; where it is a file, it is not read when it is too
 * large. */
char *own_read_bytes(FILE *in, size_t most, size_t *bytes);
/* Why one of these returned NULL, from errno: "expected 64 MiB at most". Returns buf. */
const char *own_read_error(size_t most, char *buf, size_t size);
/* fgets, without a byte-order mark before the line. */
char *own_read_line(char *line, int size, FILE *in);
/* Whether lines ended because one could not be read; it is said on err, of the program `name`. */
bool own_lines_broke(FILE *in, const char *name, FILE *err);

/* Every folder on the way to the file. Errors are left to whoever then opens it. */
void own_make_folders(const char *path);
/* Replaces the file by the text and a newline, when that is on the disk; makes folders that are
 * missing. Of a link, the file that it leads to. Nobody else can read it, whatever the umask is. 0, or -1
 * with errno. */
int own_write(const char *path, const char *text);

#endif
