/* A fuzz target without a fuzzer: once over each file that is named, in order. For builds that libFuzzer does
 * not go into (make coverage). */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

/* Not every target has it. */
#pragma weak LLVMFuzzerInitialize

enum { LARGEST = 1 << 20 };

int main(int argc, char **argv)
{
	static uint8_t input[LARGEST];
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		must(f != NULL);
		const size_t n = fread(input, 1, sizeof input, f);
		must(feof(f) != 0);
		fclose(f);
		LLVMFuzzerTestOneInput(input, n);
	}
	return 0;
}
