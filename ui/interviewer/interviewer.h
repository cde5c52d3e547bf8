/* The interviewer's side of a session: where the talk is, its clock, marks, notes, and what the
 * candidate answered. The candidate's own screens are in ui/screens/drill; both are dealt from one
 * code and show the same problems. Nothing here reads a clock: the caller says what time it is. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_H

#include "drills/bank.h"
#include "drills/history.h"
#include "drills/session.h"
#include "ui/practice/drill_request.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_MARK = 4, NOTE_SIZE = 256, CANDIDATE_SIZE = 64, RECORD_NAME_SIZE = 64 };
extern const char *const mark_words[MOST_MARK + 1]; /* "not marked", "strong no", ... */

struct interviewer_note {
	struct interviewer_note *next;
	int64_t at_ms; /* on the interview's clock */
	char text[NOTE_SIZE];
};

/* An answer that the interviewer heard and typed, graded in private. */
struct interviewer_heard {
	struct interviewer_heard *next;
	int64_t at_ms;
	size_t part; /* which step of the problem it answers */
	char text[NOTE_SIZE];
	struct grade grade;
};

/* What is marked: a phase of talk, a problem, or (the last one) all of it. */
struct interviewer_subject {
	unsigned mark; /* 1 strong no .. 4 strong yes; 0: none */
	struct interviewer_note *notes;
	struct interviewer_heard *heard;
	int64_t spent_ms;    /* without the present stretch, where this is the present stop */
	size_t n_answers;    /* in the history */
	int64_t answered_ms; /* the clock when the last of them was seen */
};

/* An interview stops at each phase of talk and at each problem, in order; the other modes stop at
 * problems only. The stop after the last is the summary, where the clock does not run. */
struct interviewer_stop {
	enum phase phase;
	const struct session_item *item; /* NULL: talk */
};

struct interviewer_case; /* interviewer_case.h */
struct followed;         /* followed.h */

struct interviewer {
	bool open;
	struct interviewer_case *at_case; /* the design case it is about; NULL: it has problems */
	struct drill_request request;     /* completed: its code is what the candidate types */
	struct drill_bank bank;
	struct drill_session session; /* never answered: problems, phase and clock */
	struct interviewer_stop *stops;
	struct interviewer_subject *subjects; /* n_stops, and one for the whole */
	size_t n_stops, at, back;             /* back: where the summary was entered from */
	int64_t since_total_ms;               /* the clock when the present stop began */
	int64_t opened_s;                     /* Unix time; earlier answers belong to others */
	int64_t until_s;                      /* and so do later ones; 0: it goes on */
	/* When the last interview of its code had ended, as it began; 0: there was none. */
	int64_t after_s;
	char candidate[CANDIDATE_SIZE]; /* the name; "": nobody said it */
	int64_t ran_s; /* Unix time of a record's last line, where its clock ran then; 0: it stood */
	bool ended;    /* it was left from its summary; what is done since corrects it */
	struct history history; /* read again whenever it changes */
	bool theirs;            /* the history is of the candidate's own machine */
	uint64_t history_stamp; /* or that of the records of the case */
	struct followed
		*followed; /* what the candidate types at another machine; NULL: at this one */
	/* Bytes that came from there and when the last did; and that it was said that nothing comes. */
	size_t link_bytes;
	int64_t link_ms;
	bool link_lost;
	/* Its record (interviewer_record.h): the file's name, "" before there is one, and the clock
	 * at its last line. */
	char record[RECORD_NAME_SIZE];
	int64_t kept_ms;
	/* What only the screen uses: */
	bool shows_code;    /* large, to be read out */
	bool edits;         /* the line being typed replaces the last note */
	int64_t note_at_ms; /* when its typing began */
	long scroll;
	/* Lines that run a design, once a frame has said so: of the interviewer, and the candidate's
	 * record with such a line in it; NULL: there is none. */
	char *to_run, *their_record;
};

/* A candidate's name for lists: without control characters and blanks around it, as long as there is room. Returns
 * buf. */
char *interviewer_name(char *buf, size_t size, const char *text);

/* Deals the session that is asked for; an interview where the request names no mode. 0; or -1 and
 * one line in err, and then *v is empty. */
int interviewer_begin(struct interviewer *v, const struct drill_request *asked,
	const struct tables *t, int64_t now_s, char *err, size_t err_size);
void interviewer_release(struct interviewer *v);
/* Puts one in the place of another, which is released; what points into it follows, and *from is empty. */
void interviewer_replace(struct interviewer *v, struct interviewer *from);

bool interviewer_in_summary(const struct interviewer *v);
/* Something has happened that ought not to be lost: the clock ran, or there is a mark, a note or an
 * answer. */
bool interviewer_begun(const struct interviewer *v, int64_t now_ms);

/* What an interviewer does, one thing at a time: the only way in which an interview changes, so that
 * doing the same again gives the same interview. */
enum interviewer_did {
	DID_GO, /* to the stop `n` (n_stops: the summary); time from now on counts as spent there */
	DID_CLOCK, /* n: 1 runs, 0 stands */
	DID_MARK,  /* the mark n of the present stop; 0: none */
	DID_NOTE,  /* text, whose typing began at begun_ms */
	DID_DROP,  /* takes the last note of the present stop away */
	/* text, an answer to part n of the present stop's problem. At a case: a line of its talk, n being
	 * 1 where the candidate typed it and 0 where it was heard. */
	DID_HEAR,
	DID_SEE,  /* the candidate's answers to the problem of the stop `stop` are n now */
	DID_TICK, /* nothing but time */
	DID_END,  /* the interview is over; n: the mark of the whole, for lists */
	/* At a case: the n-th fact, counted from 1, was ticked by mistake, and is not told. */
	DID_UNTELL,
	DID_UNHEAR, /* takes the last answer of the present stop's problem back; at a case, the last line */
	DID_NAME, /* text, who is interviewed; "": nobody says it any more */
	N_DIDS
};
struct case_talk;
struct cJSON;
struct interviewer_deed {
	enum interviewer_did did;
	int64_t clock_ms; /* the interview's clock when it was done */
	size_t n, stop;
	int64_t begun_ms;
	const char *text;
	/* Of a line at a case: the talk that heard it, of whose reading a record is made; and how a record says
	 * it was read (ui/practice/case_record.h). NULL: nothing is said of that. */
	const struct case_talk *heard_by;
	const struct cJSON *read;
};
/* Does it. False: it cannot be done (there is no such stop, mark, part or problem; no note to take
 * away; out of memory), and nothing has changed. */
bool interviewer_do(struct interviewer *v, const struct interviewer_deed *d, int64_t now_ms);

/* The part of the present stop's problem that an answer is to: the one that a text such as
 * "b) 27 GB" names, with *text set behind the name, else the first that was not right yet.
 * n_steps: there is no such part, or no problem. */
size_t interviewer_heard_part(const struct interviewer *v, const char **text);
/* The last answer heard at a stop; NULL: none. */
const struct interviewer_heard *interviewer_last_heard(const struct interviewer *v, size_t stop);
/* The first stop of the phase after or before the present one; where there are no phases, the
 * summary or the first problem. */
size_t interviewer_phase_stop(const struct interviewer *v, int by);

int64_t interviewer_spent_ms(const struct interviewer *v, size_t stop, int64_t now_ms);
/* The time spent at all stops of a phase. */
int64_t interviewer_phase_ms(const struct interviewer *v, enum phase phase, int64_t now_ms);

/* The plan of an interview as it stands: who stays long at a case has less for what follows, by the rule
 * of the candidate's own clock. Of phases that are over, what was planned at first. */
struct interviewer_times {
	int64_t planned_ms[N_INTERVIEW_PHASES];
	/* The same in whole minutes, which add up to the whole; at a case those of what is past as it was. */
	long minutes[N_INTERVIEW_PHASES];
	int64_t left_ms; /* of the present phase; below 0: it is over by that */
	enum timer_state state;
};
struct interviewer_times interviewer_times(const struct interviewer *v, int64_t now_ms);
/* What is planned, to the nearest ten seconds: phases share what is left, and nobody plans an interview finer.
 * Returns buf. */
char *interviewer_planned_text(int64_t ms, char *buf, size_t size);

/* The last note of the present stop; NULL: none. */
struct interviewer_note *interviewer_last_note(const struct interviewer *v);

/* Takes over a history that was read anew, and releases it in time. How many of its events are of the
 * problem of a stop says interviewer_seen_at; DID_SEE says that somebody saw them. */
void interviewer_follow(struct interviewer *v, struct history h);
size_t interviewer_seen_at(const struct interviewer *v, size_t stop);
/* The candidate's next event on the problem of a stop, at *from or later in the history (begin with
 * 0); *from then stands behind it. NULL: there are no more. */
const struct history_event *interviewer_event(
	const struct interviewer *v, size_t stop, size_t *from);
/* The last event on a stop's problem; NULL: none. */
const struct history_event *interviewer_last_event(const struct interviewer *v, size_t stop);
/* "b) " for an event on the second part of a problem; "" where a problem has one part. Returns
 * buf. */
char *interviewer_part(const struct interviewer *v, size_t stop, const struct history_event *e,
	char *buf, size_t size);
/* The stop that the latest event belongs to; n_stops: there is no event. */
size_t interviewer_candidate_at(const struct interviewer *v);
/* The candidate is done with the problem of this stop. */
bool interviewer_closed(const struct interviewer *v, size_t stop);
/* "CORRECT", "WRONG: bits vs bytes", "gave up". Returns buf. */
char *interviewer_verdict(const struct history_event *e, char *buf, size_t size);
char *interviewer_heard_verdict(const struct interviewer_heard *h, char *buf, size_t size);

#endif
