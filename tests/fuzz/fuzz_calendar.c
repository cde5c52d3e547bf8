/* Any text as the date of an interview, and any bytes as the tasks until then: the date is refused or
 * reads back, and every task has a day before the interview. */
#include "tests/fuzz/fuzz.h"
#include "ui/practice/calendar.h"
#include "ui/practice/date_words.h"

enum { MOST = 32 };

static void must_be_within(const struct calendar *c, const struct calendar_task *tasks, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		must(tasks[i].day < calendar_days(c) && (!tasks[i].done || tasks[i].day == 0));
		must(!i || tasks[i].done || tasks[i - 1].done || tasks[i - 1].day <= tasks[i].day);
	}
}

/* A task a byte: kind, minutes, whether it is done, and whether it is learnt or practised. */
static void plan(const char *bytes, size_t n, int64_t days)
{
	struct calendar_task learn[MOST] = { 0 }, practise[MOST] = { 0 };
	struct calendar c = { .date = days, .learn = learn, .practise = practise };
	int minutes = 0, planned = 0;
	for (size_t i = 0; i < n && i < MOST; i++) {
		const unsigned b = (unsigned char)bytes[i];
		struct calendar_task *t = b & 1 ? &learn[c.n_learn++] : &practise[c.n_practise++];
		t->kind = b % N_TASKS;
		t->minutes = (int)(b >> 2);
		t->done = b & 2;
		minutes += t->done ? 0 : t->minutes;
	}
	calendar_plan(&c);
	must_be_within(&c, learn, c.n_learn);
	must_be_within(&c, practise, c.n_practise);
	for (size_t day = 0; day < calendar_days(&c); day++)
		planned += calendar_minutes(&c, day);
	must(planned == minutes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), again[CALENDAR_ISO_SIZE];
	char *tasks = strchr(text, '\n');
	int64_t day;
	if (tasks)
		*tasks++ = '\0';
	if (calendar_date_read(text, &day)) {
		must(day >= 0 && strcmp(calendar_date(day, again, sizeof again), text) == 0);
		if (tasks)
			plan(tasks, size - (size_t)(tasks - text), 1 + day % CALENDAR_MOST_DAYS);
	}
	free(text);
	return 0;
}
