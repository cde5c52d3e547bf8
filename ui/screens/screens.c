#include "ui/screens/screens.h"

const struct screen *const screens[N_SCREENS] = {
	[SCREEN_HOME] = &home_screen,
	[SCREEN_PAGE] = &page_screen,
	[SCREEN_SIM] = &sim_screen,
	[SCREEN_DRILL] = &drill_screen,
	[SCREEN_STATS] = &stats_screen,
	[SCREEN_CASE] = &case_screen,
	[SCREEN_CALENDAR] = &calendar_screen,
	[SCREEN_INTERVIEWER] = &interviewer_screen,
	[SCREEN_PRESENT] = &present_screen,
	[SCREEN_NOTES] = &notes_screen,
	[SCREEN_HELP] = &help_screen,
};
