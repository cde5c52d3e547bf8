#include "ui/shell/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A file that was not there before: an older recording is never written over. */
static FILE *new_file(char *path, size_t size, time_t now)
{
	struct tm local;
	char stamp[32];
	if (!localtime_r(&now, &local) || !strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", &local))
		return NULL;
	snprintf(path, size, "ridge-%s.cast", stamp);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static double at_s(const struct recorder *r, int64_t now_ms)
{
	return (double)(now_ms - r->begun_ms) / 1000;
}

static void begin(struct recorder *r, struct app *app, enum background background, int64_t now_ms)
{
	r->file = new_file(r->path, sizeof r->path, (time_t)app_now_s(app));
	r->begun_ms = now_ms;
	if (r->file && !cast_begin(&r->cast, r->file, CAST_V2, background, "ridge", app->rows,
			       app->cols)) {
		app_say(app, "Recording to %s; R ends it.", r->path);
		return;
	}
	app_say(app, "%s: %s", *r->path ? r->path : "a recording", strerror(errno));
	if (r->file)
		fclose(r->file);
	r->file = NULL;
	app->records = false;
}

/* 0; or -1: not all of it is on the disk. */
static int end(struct recorder *r, int64_t now_ms)
{
	int rc = cast_end(&r->cast, at_s(r, now_ms));
	rc = ferror(r->file) || rc ? -1 : 0;
	rc = fclose(r->file) || rc ? -1 : 0;
	r->file = NULL;
	return rc;
}

static char *ended(struct recorder *r, int64_t now_ms, char *buf, size_t size)
{
	int64_t s = (now_ms - r->begun_ms) / 1000;
	if (end(r, now_ms))
		snprintf(buf, size, "%s could not be written: %s", r->path, strerror(errno));
	else
		snprintf(buf, size, "%s has %lld:%02lld; asciinema play %s shows it.", r->path,
			(long long)s / 60, (long long)s % 60, r->path);
	return buf;
}

void recorder_switch(
	struct recorder *r, struct app *app, enum background background, int64_t now_ms)
{
	char said[200];
	if (app->records && !r->file)
		begin(r, app, background, now_ms);
	else if (!app->records && r->file)
		app_say(app, "%s", ended(r, now_ms, said, sizeof said));
}

void recorder_frame(struct recorder *r, struct app *app, const struct canvas *cv, int64_t now_ms)
{
	char said[200];
	if (!r->file)
		return;
	bool lost = *app->marked && cast_mark(&r->cast, app->marked, at_s(r, now_ms));
	app->marked[0] = '\0';
	lost |= cast_frame(&r->cast, cv, at_s(r, now_ms)) != 0;
	/* What cannot be written is told at once, and the talk goes on. */
	if (lost || ferror(r->file)) {
		app->records = false;
		app_say(app, "The recording ends: %s", ended(r, now_ms, said, sizeof said));
	}
}

void recorder_end(struct recorder *r, FILE *say, int64_t now_ms)
{
	char said[200];
	if (r->file)
		fprintf(say, "%s\n", ended(r, now_ms, said, sizeof said));
}
