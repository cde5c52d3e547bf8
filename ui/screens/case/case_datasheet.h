/* Of a case that asks for a GPU: what the datasheets of those that may be chosen say. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_DATASHEET_H
#define RIDGE_UI_SCREENS_CASE_CASE_DATASHEET_H

#include "ui/practice/sheet.h"
#include "ui/screens/case/case_state.h"

/* A row for each of them; nothing in a case without such a knob, or without room for its columns. */
void case_datasheets_write(const struct case_view *v, struct sheet *s);

#endif
