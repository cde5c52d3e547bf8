#include "ui/files/printed.h"

int printed_end(FILE *out)
{
	return fflush(out) || ferror(out) ? -1 : 0;
}
