/* fuzz.h - the interface of a fuzz target, which libFuzzer or replay.c calls with each input */
#ifndef CLSORT_TESTS_FUZZ_H
#define CLSORT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts the program if the condition is false. */
#define require(condition) ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))

static inline void fuzz_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: false: %s\n", file, line, condition);
    abort();
}

#endif
