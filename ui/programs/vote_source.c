#include "ui/programs/vote_source.h"

#include <ctype.h>

int votes_open(struct vote_source *v, const char *path, char *err, size_t err_size)
{
	*v = NO_VOTES;
	return inflow_open(&v->from, "--votes", path, err, err_size);
}

void votes_close(struct vote_source *v)
{
	inflow_close(&v->from);
	*v = NO_VOTES;
}

/* The last word of the line as the number of an option; -1: it is none. */
static int option_of(const char *line, size_t bytes)
{
	while (bytes && isspace((unsigned char)line[bytes - 1]))
		bytes--;
	if (!bytes || (bytes > 1 && !isspace((unsigned char)line[bytes - 2])))
		return -1;
	int letter = tolower((unsigned char)line[bytes - 1]);
	return letter >= 'a' && letter <= 'z' ? letter - 'a' : -1;
}

/* Counts the line that is whole. What is longer than a line may be is none. */
static size_t count_line(struct vote_source *v, unsigned counts[], size_t n)
{
	int option = v->n < sizeof v->line ? option_of(v->line, v->n) : -1;
	v->n = 0;
	if (option < 0 || (size_t)option >= n)
		return 0;
	counts[option]++;
	return 1;
}

size_t votes_read(struct vote_source *v, unsigned counts[], size_t n)
{
	char text[4096];
	size_t votes = 0, got;
	while ((got = inflow_read(&v->from, text, sizeof text)) > 0)
		for (size_t i = 0; i < got; i++)
			if (text[i] == '\n')
				votes += count_line(v, counts, n);
			else if (v->n < sizeof v->line)
				v->line[v->n++] = text[i];
	return votes;
}
