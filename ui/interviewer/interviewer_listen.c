/* Some lines hold for every interview; others are called for by a number that stands in the
 * scene. */
#include "ui/interviewer/interviewer_listen.h"

#include "sims/base/array.h"
#include "ui/practice/drill_sheet.h"
#include "ui/practice/drill_summary.h"
#include "ui/interviewer/interviewer.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const general[N_INTERVIEW_PHASES][MOST_LISTEN] = {
	[PHASE_CLARIFY] = {
		"Asks for the goal as one number: a latency, a throughput, a cost or a deadline, "
		"and which of them gives way.",
		"Says what is assumed and will be used, before using it.",
		"Asks what is given and cannot change: the hardware, the model, the accuracy.",
		"Asks for the typical case and for the worst one.",
	},
	[PHASE_ESTIMATE] = {
		"Names the quantity that governs before any arithmetic.",
		"Carries the units through, and says bits or bytes, dense or sparse, one direction "
		"or both.",
		"Rounds on purpose, and knows in which direction.",
		"Holds the result against something known: a datasheet, a limit, a second way.",
	},
	[PHASE_DESIGN] = {
		"Starts from the numbers: which resource runs out first, and by what factor.",
		"Gives one design from input to output, and why the next simpler one is not "
		"enough.",
		"Names its bottleneck, and what becomes the next one when the load doubles.",
		"Says what to measure first, with which tool, and which result would change the "
		"design.",
		"Says what happens when a part fails or slows down.",
	},
	[PHASE_DRILL] = {
		"Says what bounds it first, then the number.",
		"Notices a wrong number by its size before you do.",
		"Goes on alone after a hint.",
	},
	[PHASE_WRAP_UP] = {
		"Sums up in three sentences: the goal, the design, the number that decides.",
		"Names the weakest assumption and how to check it.",
		"Says what was left out on purpose and what comes next.",
		"Has questions of their own; leave a minute for them.",
	},
};

/* What a candidate has to ask about a number that stands in the scene. The rows that tell most
 * about a candidate come first. */
static const struct {
	const char *field, *line;
} asked[] = {
	{ "mtbf", "Asks what fails, how often at this size, and how long it takes from the "
		  "failure to the first new step." },
	{ "device_mtbf",
		"Asks what one failure stops, and how long it takes from there to the first new "
		"step." },
	{ "fps", "Asks whether the mean or the worst frame counts, and from which sensor to "
		 "which actuator the deadline runs." },
	{ "speed", "Asks from which event to which the distance is counted, and what may be missed "
		   "in between." },
	{ "arrival_rate",
		"Asks how requests arrive, steadily or in bursts, and which percentile counts." },
	{ "users", "Asks how many of the users wait for a token at the same moment, and how much "
		   "each has read." },
	{ "goal", "Asks which percentile the goal is for, and from which event to which it is "
		  "counted." },
	{ "claim", "Asks how the claim was measured: batch, lengths, format, and against what." },
	{ "time_one", "Asks whether both runs did the same work: batch, tokens, convergence." },
	{ "rate_base",
		"Asks whether all runs are counted in the same unit: samples differ in length, "
		"tokens do not." },
	{ "rate_one", "Asks whether both rates are of the same work, padding left out." },
	{ "step_time",
		"Asks how many steps the trace covers, and whether the first ones are left out." },
	{ "price_per_hour",
		"Asks whether hours that are idle or lost to failures are paid as well." },
	{ "context", "Asks how long prompts and answers are, and how many requests are there at "
		     "once." },
	{ "draft_tokens",
		"Asks for the batch, and for the acceptance on this traffic rather than on a "
		"benchmark." },
	{ "link_bandwidth",
		"Asks which link the traffic takes, whether its rate is for one direction, and "
		"who shares it." },
	{ "network",
		"Asks which traffic stays in the node and which goes over the network, and who "
		"shares that." },
	{ "backward_time", "Asks what can run at the same time, and what has to wait." },
	{ "utilisation",
		"Asks where the share of peak comes from: measured on this model, or hoped for." },
	{ "memory_bytes", "Asks what else takes memory: the context, buffers, fragmentation." },
	{ "seq", "Asks for the length of the sequences, and whether they are padded or packed." },
	{ "batch", "Asks whether the batch is that of one GPU or of all." },
	{ "gpus", "Asks how the GPUs are connected, and what else has to fit on them." },
	{ "gpu", "Asks for the dtype, and takes the peak and the bandwidth that belong to it." },
};

static bool names(const char *scene, const char *field)
{
	char filled[64];
	snprintf(filled, sizeof filled, "{%s}", field);
	return strstr(scene, filled) != NULL;
}

size_t interviewer_listen_for(
	enum phase phase, const struct variant *v, const char *lines[MOST_LISTEN])
{
	enum { FIRST = 2, MOST_OF_SCENE = 3 };
	const char *scene = v && phase == PHASE_CLARIFY ? v->drill->prompt : "";
	size_t n = 0, own = 0;
	assert(phase < N_INTERVIEW_PHASES);
	while (n < FIRST)
		lines[n++] = general[phase][own++];
	for (size_t i = 0; i < LENGTH(asked) && n < FIRST + MOST_OF_SCENE; i++)
		if (names(scene, asked[i].field))
			lines[n++] = asked[i].line;
	while (n < MOST_LISTEN && own < MOST_LISTEN && general[phase][own])
		lines[n++] = general[phase][own++];
	return n;
}

void interviewer_print_lists(const struct drill_session *s, FILE *out)
{
	char time[32];
	for (unsigned phase = 0; phase < N_INTERVIEW_PHASES; phase++) {
		const char *lines[MOST_LISTEN];
		const struct variant *first = s->n ? &s->items[0].variant : NULL;
		size_t n = interviewer_listen_for((enum phase)phase, first, lines);
		fprintf(out, "%sPhase %u of %d: %s (%s). Listen for:\n", phase ? "\n" : "",
			phase + 1, (int)N_INTERVIEW_PHASES, interview_phases[phase].name,
			drill_clock_text(
				(int64_t)(1000 * s->limit_s * interview_phases[phase].share + 0.5),
				time, sizeof time));
		for (size_t i = 0; i < n; i++) {
			char line[400];
			snprintf(line, sizeof line, "[ ] %s", lines[i]);
			drill_text(line, 3, out);
		}
	}
}
