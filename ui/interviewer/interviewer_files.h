/* The files of interviews: $XDG_DATA_HOME/ridge/interviews/DATE-CODE.jsonl, one each
 * (ui/interviewer/interviewer_record.h). Their names sort by time. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_FILES_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_FILES_H

#include "sims/base/arena.h"
#include "ui/interviewer/interviewer_record.h"

/* "20261124-185130-B20M7K.jsonl" for an interview that has no record yet. Returns buf. */
char *interviewer_file_name(const struct interviewer *v, char *buf, size_t size);

/* Adds a line. 0; or -1 and one line in err that says what is not kept and why. */
int interviewer_file_keep(const char *name, const char *line, char *err, size_t err_size);

/* What came in from the candidate's machine during the interview of a record (followed.h) stands beside it, in
 * DATE-CODE.answers. 0; or -1 and one line in err. */
int interviewer_file_keep_theirs(const char *record, char *lines, char *err, size_t err_size);
/* Gives them to the interview. False: there are none, or they cannot be read. What cannot be read of them is
 * said in one line in err, which is "" otherwise. */
bool interviewer_file_follow(struct interviewer *v, const char *record, char *err, size_t err_size);

/* The text of a record; the caller frees. NULL and one line in err. */
char *interviewer_file_read(const char *name, char *err, size_t err_size);

/* All records, the newest first. */
struct interviewer_files {
	struct arena arena;
	struct interviewer_file {
		char name[RECORD_NAME_SIZE];
	} * files;
	size_t n, room;
};
/* 0; or -1 and one line in err: the folder cannot be read, memory is out. A folder that is not there
 * holds none. Release it either way. */
int interviewer_files_list(struct interviewer_files *f, char *err, size_t err_size);
void interviewer_files_release(struct interviewer_files *f);

/* The newest record that was not ended, of that code ("": of any, which began within a day of now_s):
 * its text, which the caller frees, and its name in RECORD_NAME_SIZE bytes. NULL: there is none, or it cannot be read. */
char *interviewer_file_unfinished(const char *code, int64_t now_s, char *name);

/* The number in that list, from 1, of the newest record of a code, where that was ended, and when (-1: not known).
 * 0: there is none, or it goes on. */
size_t interviewer_file_ended(const char *code, int64_t *ended_s);

/* Removes a record, and what came in during it. 0; or -1 and one line in err. */
int interviewer_file_drop(const char *name, char *err, size_t err_size);

#endif
