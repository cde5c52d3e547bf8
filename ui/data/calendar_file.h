/* The date of the interview that somebody prepares for, which is all that is kept of a calendar:
 * $XDG_DATA_HOME/ridge/calendar.json. */
#ifndef RIDGE_UI_DATA_CALENDAR_FILE_H
#define RIDGE_UI_DATA_CALENDAR_FILE_H

#include <stddef.h>

enum { CALENDAR_ISO_SIZE = 16 };

/* "2026-12-14" into date, of CALENDAR_ISO_SIZE bytes; "" where there is none. 0; -1 and one line in err:
 * it cannot be read. */
int calendar_file_read(char *date, char *err, size_t err_size);
/* NULL takes it away. 0; -1 and one line in err. */
int calendar_file_write(const char *date, char *err, size_t err_size);

#endif
