/* libcmark's parser. cmark cannot report that memory ran out and aborts; here the program ends with
 * a message instead. */
#ifndef RIDGE_UI_DATA_MARKDOWN_H
#define RIDGE_UI_DATA_MARKDOWN_H

#include <cmark.h>

#include <stddef.h>

/* The tree of a text, to be released by cmark_node_free. Never NULL: without memory the terminal is
 * given back, one line on stderr says so, and the process ends with status 1. */
cmark_node *markdown_parse(const char *text, size_t bytes);

#endif
