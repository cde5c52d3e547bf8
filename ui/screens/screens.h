/* Every screen of the explorer. */
#ifndef RIDGE_UI_SCREENS_SCREENS_H
#define RIDGE_UI_SCREENS_SCREENS_H

#include "ui/shell/bindings.h"
#include "ui/shell/screen.h"

extern const struct screen *const screens[N_SCREENS]; /* by enum screen_id, for app_init */

extern const struct screen home_screen, page_screen, sim_screen, drill_screen, stats_screen,
	case_screen, calendar_screen, interviewer_screen, present_screen, notes_screen, help_screen;

#endif
