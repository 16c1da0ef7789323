/* rotation.h - draws the properties of sort cases that the matrix does not enumerate
 *
 * Each property has a deck of cards, one per value. Cards are drawn in random order, and the deck is refilled when
 * it is empty. Every value is thus used equally often, values of different properties are combined at random, and
 * the same seed gives the same cases. */
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

/* Draws everything but the algorithm, type, flags and value size, which it keeps. */
void rotation_next(struct rotation *rotation, struct sort_case *sort);

#endif
