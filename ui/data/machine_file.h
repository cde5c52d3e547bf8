/* The file in which a measured machine is kept: it holds what ridge measure --json prints. */
#ifndef RIDGE_UI_DATA_MACHINE_FILE_H
#define RIDGE_UI_DATA_MACHINE_FILE_H

#include "sims/tables/tables.h"
#include "ui/machine/measure.h"

/* $XDG_DATA_HOME/ridge/machine.json, or the same in ~/.local/share. Returns buf; NULL when the
 * environment names no home. */
char *machine_path(char *buf, size_t size);
/* Makes folders that are missing. The file is whole at any moment, because a new one is written
 * beside it and renamed. 0, or -1 with errno. */
int machine_save(const struct machine *m, const char *path);
/* 1: *m is the kept measurement of this processor; 0: there is none; -1 and one line in err: it is
 * damaged, or of another processor; or memory is out, and then errno is ENOMEM. */
int machine_load(struct machine *m, char *err, size_t err_size);

/* What the tables hold of it, with texts that m owns. -1: too little was measured (err says
 * what). */
int machine_accelerator(const struct machine *m, struct accelerator *a, char *err, size_t err_size);

#endif
