/* ridge frame: the explorer's screen after some keys, without a terminal: same input, same
 * bytes. */
#ifndef RIDGE_UI_COMMANDS_CMD_FRAME_H
#define RIDGE_UI_COMMANDS_CMD_FRAME_H

#include "ui/commands/streams.h"

int cmd_frame(const struct command_line *line, const struct streams *io);

#endif
