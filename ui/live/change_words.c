#include "ui/live/change_words.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

char *change_words(const struct value *was, const struct value *now, char *buf, size_t size)
{
	double ratio = was->value > 0 ? now->value / was->value : 0;
	buf[0] = '\0';
	bool same = fabs(ratio - 1) < 0.0005; /* rounding: no digit on the screen differs */
	if (ratio <= 0 || same || !isfinite(ratio) || strcmp(now->unit, "%") == 0 ||
		strcmp(now->unit, "x") == 0)
		return buf;
	if (ratio >= 9.5)
		snprintf(buf, size, "%.0fx", ratio);
	else if (ratio >= 1.5)
		snprintf(buf, size, "%.2gx", ratio);
	else /* "-100 %" would be nothing left */
		snprintf(buf, size, "%+.2g\u00a0%%", fmax((ratio - 1) * 100, -99));
	return buf;
}
