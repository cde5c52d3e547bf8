#include "ui/data/markdown.h"

#include "ui/term/tty.h"

#include <stdio.h>
#include <stdlib.h>

static void *or_end(void *memory)
{
	if (!memory) {
		tty_leave();
		fputs("ridge: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}

static void *zeroed(size_t n, size_t size)
{
	return or_end(calloc(n, size));
}

static void *resized(void *memory, size_t bytes)
{
	return or_end(realloc(memory, bytes));
}

cmark_node *markdown_parse(const char *text, size_t bytes)
{
	static cmark_mem memory = { zeroed, resized, free }; /* cmark's tree points to it */
	cmark_parser *parser = cmark_parser_new_with_mem(CMARK_OPT_VALIDATE_UTF8, &memory);
	cmark_parser_feed(parser, text, bytes);
	cmark_node *document = cmark_parser_finish(parser);
	cmark_parser_free(parser);
	return document;
}
