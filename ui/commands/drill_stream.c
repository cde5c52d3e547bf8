#include "ui/commands/drill_stream.h"

#include "ui/data/answers.h"
#include "ui/data/bank_load.h"
#include "ui/files/printed.h"
#include "ui/practice/case_record.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Who begins to stream has perhaps begun to answer before. */
enum { EARLIER_S = 3600 };

/* An empty line now and then: only who writes notices that nobody reads any more. */
enum { LOOK_MS = 250, BEAT_EACH = 20 };

struct stream {
	const struct drill_request *request;
	const struct drill_session *session; /* NULL: at a case */
	int64_t began_s;
	uint64_t stamp;
	size_t printed; /* events of the session, or bytes of the record */
	char record[CASE_RECORD_NAME_SIZE];
};

static bool is_of(const struct stream *s, const struct history_event *e)
{
	for (size_t i = 0; e->at_s >= s->began_s - EARLIER_S && i < s->session->n; i++)
		if (history_is_of(e, &s->session->items[i].variant))
			return true;
	return false;
}

static void print_events(struct stream *s, FILE *out)
{
	struct history h = { 0 };
	char err[256], line[HISTORY_LINE_SIZE];
	size_t n = 0;
	const uint64_t stamp = answers_stamp();
	if (stamp == s->stamp)
		return;
	if (answers_load(&h, err, sizeof err) == 0) {
		s->stamp = stamp;
		for (size_t i = 0; i < h.n; i++)
			if (is_of(s, &h.events[i]) && n++ >= s->printed &&
				history_line(&h.events[i], line, sizeof line))
				fputs(line, out);
		s->printed = n;
	}
	history_release(&h);
}

static void print_record(struct stream *s, FILE *out)
{
	char name[CASE_RECORD_NAME_SIZE];
	const uint64_t stamp = case_file_stamp(s->request->case_id);
	if (stamp == s->stamp)
		return;
	s->stamp = stamp;
	const struct case_dealing deal = { .seed = s->request->options.seed,
		.level = s->request->level,
		.minutes = s->request->minutes };
	char *text =
		case_file_candidate(case_file_read, s->request->case_id, deal, s->began_s, 0, name);
	/* Another sitting is told from its beginning. */
	if (text && strcmp(name, s->record) != 0) {
		strcpy(s->record, name);
		s->printed = 0;
	}
	const char *last = text ? strrchr(text, '\n') : NULL;
	const size_t whole = last ? (size_t)(last + 1 - text) : 0;
	if (whole > s->printed) {
		fwrite(text + s->printed, 1, whole - s->printed, out);
		s->printed = whole;
	}
	free(text);
}

static int go_on(struct stream *s, const struct streams *io)
{
	const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000L };
	for (unsigned i = 0;; i++) {
		/* The first ends a line that an earlier stream was cut off in. */
		if (i % BEAT_EACH == 0)
			fputc('\n', io->out);
		if (s->session)
			print_events(s, io->out);
		else
			print_record(s, io->out);
		if (printed_end(io->out))
			return 1;
		nanosleep(&pause, NULL);
	}
}

int drill_stream(struct drill_request *r, const struct tables *t, const struct streams *io)
{
	struct drill_bank b = { 0 };
	struct drill_session session = { 0 };
	struct stream s = { .request = r, .began_s = io->now_s };
	char why[700];
	int rc = 2;
	if (drill_request_at_case(r)) {
		if (drill_request_complete_case(r, 0, why, sizeof why))
			return usage_error(io, COMMAND_DRILL, "%s", why);
		return go_on(&s, io);
	}
	struct own_drills own;
	if (drill_request_bank(r, &b, t, &own, why, sizeof why) ||
		drill_request_complete(r, &b, NULL, 0, why, sizeof why) ||
		session_init(&session, &b, t, &r->options, why, sizeof why)) {
		usage_error(io, COMMAND_DRILL, "%s", why);
	} else {
		s.session = &session;
		rc = go_on(&s, io);
	}
	session_release(&session);
	bank_release(&b);
	return rc;
}
