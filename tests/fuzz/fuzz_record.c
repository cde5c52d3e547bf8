/* Any bytes as the record of a sitting at a case or, where the first byte is 'i', of an interview: its
 * head is read or there is none, and what it says is done once more, line by line. The case is one whose
 * simulation is quick; still its deal takes longer than all lines, and the last deals are kept. */
#include "tests/fuzz/fuzz.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"
#include "ui/interviewer/interviewer.h"
#include "ui/interviewer/interviewer_record.h"
#include "ui/practice/case_record.h"

enum { DEALS_KEPT = 32 };

static struct tables tables;
static struct design_case design;
static struct case_sitting begun[DEALS_KEPT]; /* by seed and level; nothing is said in them */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[500];
	(void)argc;
	(void)argv;
	must(tables_load(&tables, err, sizeof err) == 0);
	must(case_load(&design, &tables, "gradients-over-ethernet", err, sizeof err) == 0);
	return 0;
}

/* Lines that are typed once more, each no earlier than the record says. */
static void check_lines(const char *text)
{
	int64_t ms;
	for (char *line; (line = case_record_line(&text, &ms)); free(line))
		must(ms >= 0);
}

static size_t count_rows(const char *text)
{
	size_t n = 1;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* The sitting that begins with this deal, or NULL where it cannot be dealt. */
static const struct case_sitting *begin(uint64_t seed, enum case_level level)
{
	struct case_sitting *s = &begun[(seed * N_CASE_LEVELS + level) % DEALS_KEPT];
	char err[500] = "";
	if (s->deal.of && s->deal.seed == seed && s->deal.level == level)
		return s;
	if (s->deal.of)
		case_sitting_release(s);
	if (case_sitting_begin(s, &design, &tables, seed, level, err, sizeof err) == 0)
		return s;
	must(fuzz_is_line(err));
	case_sitting_release(s);
	return NULL;
}

/* What is said lies in memory of its own, and the deal stays as it was. */
static void sit(const struct case_head *h, const char *text)
{
	const struct case_sitting *from = begin(h->seed, h->level);
	struct case_talk talk;
	size_t unreadable;
	if (!from)
		return;
	struct case_sitting s = *from;
	s.deal.arena = (struct arena){ 0 };
	s.minutes = h->minutes;
	s.company = h->held ? CASE_HELD : CASE_ALONE;
	case_talk_begin(&talk, &s);
	must(case_replay(&talk, text, &unreadable) >= 0);
	must(case_facts_told(&s) <= design.n_facts && s.n_said <= MOST_SAID);
	case_talk_release(&talk);
	arena_release(&s.deal.arena);
}

static void check_sitting(const char *text)
{
	struct case_head h;
	if (!case_head_read(text, &h))
		return;
	must(h.level < N_CASE_LEVELS && h.at_s >= 0 && h.clock_ms >= 0);
	must(h.minutes >= LEAST_CASE_MINUTES && h.minutes <= MOST_CASE_MINUTES);
	/* Of those that cannot be typed once more, too: they are told, and so their sitting goes on. */
	must(h.typed <= count_rows(text));
	check_lines(text);
	must(!case_goes_on(&h) || !h.ended);
	sit(&h, text);
}

static void check_interview(const char *text)
{
	struct interviewer_head h;
	struct interviewer v;
	char err[300] = "";
	size_t unreadable;
	if (!interviewer_head_read(text, &h))
		return;
	must(h.at_s >= 0 && h.clock_ms >= 0 && (h.ended || !h.mark));
	must(!*h.candidate || fuzz_is_line(h.candidate));
	/* Those of problems begin with reading all drills, which takes as long as a hundred inputs. */
	if (!code_is_of_case(h.code))
		return;
	if (interviewer_replay(&v, &tables, text, &unreadable, err, sizeof err))
		must(fuzz_is_line(err));
	else
		must(v.at <= v.n_stops && v.kept_ms >= 0);
	interviewer_release(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	char *text = fuzz_text(data + 1, size - 1);
	if (data[0] == 'i')
		check_interview(text);
	else
		check_sitting(text);
	free(text);
	return 0;
}
