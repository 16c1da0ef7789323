/*
 * consumer.c - a C99 program that links clsort: sorts one array with clsort_array
 */
#include <clsort.h>

#include <stdio.h>
#include <string.h>

#define COUNT 100000

static uint32_t keys[COUNT];

int main(void)
{
    uint32_t state = 1;
    size_t i;
    clsort_status status;

    if (strcmp(clsort_version(), CLSORT_VERSION_STRING) != 0) {
        fprintf(stderr, "header %s, library %s\n", CLSORT_VERSION_STRING, clsort_version());
        return 1;
    }
    for (i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u;
        keys[i] = state;
    }
    status = clsort_array(CLSORT_U32, keys, COUNT);
    if (status != CLSORT_OK) {
        fprintf(stderr, "clsort_array: %s\n", clsort_status_string(status));
        return 1;
    }
    for (i = 1; i < COUNT; i++) {
        if (keys[i - 1] > keys[i]) {
            fprintf(stderr, "out of order at %lu\n", (unsigned long)i);
            return 1;
        }
    }
    return 0;
}
