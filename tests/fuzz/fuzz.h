/* fuzz.h - a fuzz target: what libFuzzer, or replay.c in its place, calls with every input */
#ifndef CLSORT_TESTS_FUZZ_H
#define CLSORT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program when something is not as it must be. */
#define require(condition) ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))

static inline void fuzz_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

#endif
