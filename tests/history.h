/* An answer as the history keeps it, for tests of the text and of the file. */
#ifndef RIDGE_TESTS_HISTORY_H
#define RIDGE_TESTS_HISTORY_H

#include "drills/history.h"

static inline struct history_event event(uint64_t part)
{
	return (struct history_event){ .at_s = 1767225600,
		.drill = "kv-cache",
		.skill = "kv-cache",
		.topic = "kvcache",
		.seed = 7,
		.part = part,
		.given = "10.7 GB",
		.value = 10.7e9,
		.verdict = VERDICT_CORRECT,
		.used = true,
		.credit = 1,
		.attempt = 1,
		.took_s = 42.5,
		.par_s = 90,
		.mode = "study" };
}

#define LINE(kind, rest)                                                                           \
	"{\"schema\":1,\"at\":5,\"kind\":\"" kind "\",\"drill\":\"d\",\"skill\":\"s\","            \
	"\"topic\":\"t\",\"seed\":1,\"part\":2,\"attempt\":1,\"took_s\":3,\"par_s\":4" rest "}"
#define ANSWER LINE("answer", ",\"verdict\":\"WRONG\"")

#endif
