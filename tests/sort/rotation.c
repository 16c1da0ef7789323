/* rotation.c - draws the properties of sort cases that the matrix does not enumerate */
#include "rotation.h"

#include <string.h>

/* Counts around the sizes of tiles, work-groups and digits. From 2^15 and 2^16 on, sorts take several launches. */
static const size_t counts[] = {
    0,      1,      2,      3,      4,      5,     7,     8,     15,     16,     17,
    31,     33,     63,     65,     100,    127,   129,   200,   255,    256,    257,
    511,    513,    777,    1000,   1023,   1024,  1025,  1535,  2047,   2049,   3000,
    4095,   4096,   4097,   5000,   6144,   8191,  8193,  10007, 16385,  32769,  40000,
    65535,  65537,  66000,  70001,  73728,  80000, 98303, 98305, 100000, 120000, 131071,
    131073, 150001, 196609, 200003, 262143, 262145};

/* In elements. All but 0 leave at least 64 bytes for canaries before the data. */
static const size_t offsets[] = {0, 64, 65, 67, 100};

static const size_t spares[] = {0, 1, 1000, 100000};

/* A bound is a number of quarters of the width, plus a number of bits. */
static const struct {
    unsigned char begin_quarter, begin_bits, end_quarter, end_bits;
} bit_ranges[] = {
    {0, 0, 0, 0}, /* the whole key */
    {0, 0, 4, 0}, {0, 0, 2, 0}, {2, 0, 4, 0}, {3, 1, 4, 0}, {0, 0, 0, 1}, {0, 3, 3, 1},
    {0, 1, 4, 0}, {0, 0, 3, 1}, {1, 0, 1, 1}, {0, 2, 2, 1}, {2, 0, 2, 0}, {4, 0, 4, 0},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Generating more bytes of values would take longer than sorting them. */
static const size_t max_value_bytes = (size_t)80 << 20;

static uint64_t next_random(struct rotation *rotation)
{
    uint64_t x = rotation->random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Draws a card from 0 to size - 1. The size of a deck must not change. */
static size_t draw(struct rotation *rotation, size_t deck, size_t size)
{
    unsigned char *cards = rotation->decks[deck].cards;
    size_t *left = &rotation->decks[deck].left;
    if (*left == 0) {
        for (; *left < size; ++*left)
            cards[*left] = (unsigned char)*left;
    }
    size_t pick = next_random(rotation) % *left;
    unsigned char card = cards[pick];
    cards[pick] = cards[--*left];
    return card;
}

void rotation_start(struct rotation *rotation, uint64_t seed)
{
    memset(rotation, 0, sizeof *rotation);
    rotation->random = seed;
}

static void draw_bits(struct rotation *rotation, uint32_t width, struct sort_case *sort)
{
    const size_t index = draw(rotation, 2, LENGTH(bit_ranges));
    sort->begin_bit = bit_ranges[index].begin_quarter * width / 4 + bit_ranges[index].begin_bits;
    sort->end_bit = bit_ranges[index].end_quarter * width / 4 + bit_ranges[index].end_bits;
}

void rotation_next(struct rotation *rotation, struct sort_case *sort)
{
    do
        sort->count = counts[draw(rotation, 0, LENGTH(counts))];
    while (sort->count * sort->value_size > max_value_bytes);
    sort->dist = (enum data_dist)draw(rotation, 1, DATA_DIST_COUNT);
    draw_bits(rotation, (uint32_t)sort->type->size * 8, sort);
    sort_case_set_place(sort, (enum sort_place)draw(rotation, 3, SORT_PLACE_COUNT));
    size_t switches = draw(rotation, 4, 4);
    sort->own_scratch = switches & 1;
    sort->out_of_order = switches & 2;
    sort->memory = (enum guarded_memory)draw(rotation, 5, GUARDED_MEMORY_COUNT);
    sort->offset = offsets[draw(rotation, 6, LENGTH(offsets))];
    sort->spare = spares[draw(rotation, 7, LENGTH(spares))];
    sort->seed = next_random(rotation) % 1000000;
}
