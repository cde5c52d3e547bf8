/* Names for what computed spans of a page have in common. A comment gives one,
 *
 *   <!-- let run = parallelism model=llama3-70b gpus=2048 -->
 *
 * and `={run} : mfu_pct` then stands for `=parallelism model=llama3-70b gpus=2048 : mfu_pct`, as in
 * `=goodput step_s=[{run} : step_ms] : goodput_pct`: what stands in brackets is computed first
 * (ui/pages/page_env.h). So a chapter that carries one system through all of its sections says once
 * what the system is. A text may use names that were given before it; other braces stay. */
#ifndef RIDGE_UI_PAGES_PAGE_NAMES_H
#define RIDGE_UI_PAGES_PAGE_NAMES_H

#include "sims/base/arena.h"

#include <stddef.h>

/* The Markdown with names in computed spans replaced, in an arena, and its length in *bytes. Where it
 * gives no names, it is returned as it was. It is terminated or not. NULL: out of memory. */
const char *page_names_expand(const char *markdown, size_t *bytes, struct arena *a);

#endif
