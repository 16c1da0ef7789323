/* next.h - the functions that a test program or a preloaded library replaces */
#ifndef CLSORT_TEST_NEXT_H
#define CLSORT_TEST_NEXT_H

/* Stores the address of the replaced function in the pointer to a function at *function. */
void next_function(const char *name, void *function);

#endif
