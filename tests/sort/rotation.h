/* rotation.h - walks through the dimensions of the matrix that have no loop of their own
 *
 * Each dimension is a deck of cards: drawn in random order, shuffled again when it is empty. So
 * every value comes equally often, values of two dimensions meet by chance, and a run is always the
 * same. */
#ifndef CLSORT_TESTS_ROTATION_H
#define CLSORT_TESTS_ROTATION_H

#include "sort_case.h"

enum { ROTATION_DECKS = 8, ROTATION_CARDS = 64 };

struct rotation {
    uint64_t random;
    struct {
        size_t left;
        unsigned char cards[ROTATION_CARDS];
    } decks[ROTATION_DECKS];
};

void rotation_start(struct rotation *rotation, uint64_t seed);

/* Draws count, distribution, window, places and seed of a case; keeps algorithm, type, flags and
 * value size. */
void rotation_next(struct rotation *rotation, struct sort_case *sort);

/* The index-th of the windows that are drawn, for keys of width bits; false past the last. */
bool rotation_window(size_t index, uint32_t width, uint32_t *begin, uint32_t *end);

#endif
