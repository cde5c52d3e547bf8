/* Beside the debrief: the numbers as they were said and as they are, and the facts that nobody asked for. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_AFTER_H
#define RIDGE_UI_SCREENS_CASE_CASE_AFTER_H

#include "ui/practice/sheet.h"
#include "ui/screens/case/case_state.h"

void case_numbers_write_after(const struct case_view *v, struct sheet *s);
/* Nothing where all facts were told, or where a person told them aloud. */
void case_untold_write(const struct case_view *v, struct sheet *s);

#endif
