/* The tests are nobody's: no drills of whoever runs them. (What else is one's own each test sets.)
 */
#include <stdlib.h>

__attribute__((constructor)) static void be_nobody(void)
{
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
}
