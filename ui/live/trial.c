/* Of the sentence, the first part says what to do. A knob is found there by its name, and its value
 * stands behind that ("batch to 128", "leak on", "micro-batches from 8 to 32", "checkpoint every 50
 * min") or, a number, before it ("16,384 GPUs"). */
#include "ui/live/trial.h"

#include "sims/figure/knob.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_TEXT = 256, MOST_VALUE = 64 };

/* The first sentence without its full stop; one in a number has no blank behind it. */
static void first_sentence(const char *text, char buf[MOST_TEXT])
{
	const char *end = strstr(text, ". ");
	size_t n = end ? (size_t)(end - text) : strlen(text);
	snprintf(buf, MOST_TEXT, "%.*s", (int)n, text);
}

/* Where a name stands as words of a text; NULL: nowhere. */
static const char *find_name(const char *text, const char *name)
{
	size_t n = strlen(name), all = strlen(text);
	for (size_t i = 0; n > 0 && i + n <= all; i++) {
		bool begins = i == 0 || text[i - 1] == ' ';
		bool ends = text[i + n] == '\0' || text[i + n] == ' ' || text[i + n] == ',';
		if (begins && ends && strncasecmp(text + i, name, n) == 0)
			return text + i;
	}
	return NULL;
}

/* A sentence names choices as the screen does, "FP16" and not "fp16". Where there is none,
 * knob_read would look for the nearest one, which takes long. */
static bool reads_choice(
	const struct knob *k, const struct tables *t, const char *word, double *value)
{
	const size_t n = knob_choices(k, t);
	char name[MOST_VALUE];
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(word, knob_choice(k, t, i)) == 0 ||
			strcasecmp(word, knob_format(k, t, (double)i, name, sizeof name)) == 0) {
			*value = (double)i;
			return true;
		}
	return false;
}

static bool reads(
	const struct knob *k, const struct tables *t, const char *text, size_t n, double *value)
{
	char word[MOST_VALUE], err[200];
	snprintf(word, sizeof word, "%.*s", (int)n, text);
	return k->kind == KNOB_NUMBER ? knob_read(k, t, word, value, err, sizeof err) == 0
				      : reads_choice(k, t, word, value);
}

/* The longest run of up to three words from here on that the knob reads as a value. Returns what is
 * behind it; NULL: there is none. */
static const char *read_value(
	const struct knob *k, const struct tables *t, const char *text, double *value)
{
	enum { MOST_WORDS = 3 };
	const char *best = NULL, *end = text;
	for (int words = 0; words < MOST_WORDS; words++) {
		end += strcspn(end, " ");
		size_t n = (size_t)(end - text);
		bool comma = n > 0 && text[n - 1] == ',';
		double now;
		if (n > 0 && n < MOST_VALUE && reads(k, t, text, n - comma, &now)) {
			*value = now;
			best = end - comma;
		}
		if (*end == '\0' || comma)
			break;
		end++;
	}
	return best;
}

static const char *behind(const char *text, const char *word)
{
	size_t n = strlen(word);
	return strncmp(text, word, n) == 0 ? text + n : NULL;
}

/* Reads what stands behind the name of a knob: the last value, where one follows the other. */
static bool value_behind(
	const struct knob *k, const struct tables *t, const char *text, double *value)
{
	const char *from = behind(text, " from "), *to = from ? strstr(from, " to ") : NULL;
	text = to ? to : text;
	const char *at = behind(text, " to ");
	at = at ? at : behind(text, " ");
	const char *end = at ? read_value(k, t, at, value) : NULL;
	for (const char *next = end; next;) {
		at = behind(next, ", then to ");
		next = at ? read_value(k, t, at, value) : NULL;
	}
	return end != NULL;
}

/* Reads a number right before the name. */
static bool value_before(const struct knob *k, const struct tables *t, const char *text,
	const char *name, double *value)
{
	const char *from = name - (name > text);
	const char *end = from;
	while (from > text && from[-1] != ' ')
		from--;
	return isdigit((unsigned char)*from) && reads(k, t, from, (size_t)(end - from), value);
}

static bool find_setting(
	const struct knob *k, const struct tables *t, const char *text, double *value)
{
	char id[MOST_VALUE];
	snprintf(id, sizeof id, "%s", k->id);
	for (char *c = id; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	const char *const names[] = { k->label, id };
	for (int i = 0; i < 2; i++) {
		const char *name = find_name(text, names[i]);
		if (name && (value_behind(k, t, name + strlen(names[i]), value) ||
				    value_before(k, t, text, name, value)))
			return true;
	}
	return false;
}

int trial_settings(
	const struct sim *s, const struct tables *t, struct trial_setting found[MOST_TRIALS])
{
	char text[MOST_TEXT];
	int n = 0;
	if (!s->try)
		return 0;
	first_sentence(s->try, text);
	for (size_t i = 0; i < s->n_knobs && n < MOST_TRIALS; i++) {
		double value;
		if (find_setting(&s->knobs[i], t, text, &value))
			found[n++] = (struct trial_setting){ (int)i, value };
	}
	return n;
}

bool trial_done(const struct live *s)
{
	struct trial_setting want[MOST_TRIALS];
	int n = trial_settings(s->sim, s->tables, want);
	for (int i = 0; i < n; i++)
		if (s->now.v[want[i].knob] != want[i].value)
			return false;
	return n > 0;
}

char *trial_words_when(const struct live *s, bool done, char *buf, size_t size)
{
	const char *text = s->sim->try;
	const char *question = text ? strstr(text, ". ") : NULL;
	if (done)
		snprintf(buf, size, "%s%sGo on with :present %s", question ? question + 2 : "",
			question ? " " : "", s->sim->id);
	else
		snprintf(buf, size, "%s", text ? text : "");
	return buf;
}

char *trial_words(const struct live *s, char *buf, size_t size)
{
	return trial_words_when(s, trial_done(s), buf, size);
}
