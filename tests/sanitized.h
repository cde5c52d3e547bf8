/* Whether the tests and the program run under sanitizers, which bring an allocator and calls of their own that no
 * library loaded before them can replace. */
#ifndef RIDGE_TESTS_SANITIZED_H
#define RIDGE_TESTS_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__ /* gcc's name for it */
#define SANITIZED 1
#elif defined __has_feature
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

#endif
