#include "ui/live/setting_words.h"

#include "sims/base/array.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

int setting_words(struct setting_words *w, const char *text, char *err, size_t err_size)
{
	assert(w && text && err);
	char *rest = NULL;
	w->n = 0;
	if (strlen(text) >= sizeof w->copy) {
		snprintf(err, err_size, "\"%.30s...\" is too long: at most %zu bytes", text,
			sizeof w->copy - 1);
		return -1;
	}
	strcpy(w->copy, text);
	for (char *at = strtok_r(w->copy, " \t", &rest); at; at = strtok_r(NULL, " \t", &rest)) {
		if (w->n == LENGTH(w->words)) {
			snprintf(err, err_size, "more settings than %.40s has knobs", w->words[0]);
			return -1;
		}
		w->words[w->n++] = at;
	}
	return 0;
}
