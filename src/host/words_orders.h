/* words_orders.h - permutations that partition vectors of 8 words, for words_avx2.c and words_avx512.c */
#ifndef CLSORT_HOST_WORDS_ORDERS_H
#define CLSORT_HOST_WORDS_ORDERS_H

#include <stdint.h>

/* The order of 8 lanes that moves the words selected by a mask to the front and keeps the
 * others behind them: 4 bits per lane, the first lane in the lowest bits. Bit i of the mask selects
 * word i. The macros prepend word i of a vector to the selected ones, s, which occupy n bits, or to
 * the others, o; thus they begin with the last word. */
#define ORDER(s, n, o) (uint32_t)((s) | (uint64_t)(o) << (n))
#define LANE_0(s, n, o) ORDER(s, n, (o) << 4), ORDER((s) << 4, (n) + 4, o)
#define LANE_1(s, n, o) LANE_0(s, n, (o) << 4 | 1u), LANE_0((s) << 4 | 1u, (n) + 4, o)
#define LANE_2(s, n, o) LANE_1(s, n, (o) << 4 | 2u), LANE_1((s) << 4 | 2u, (n) + 4, o)
#define LANE_3(s, n, o) LANE_2(s, n, (o) << 4 | 3u), LANE_2((s) << 4 | 3u, (n) + 4, o)
#define LANE_4(s, n, o) LANE_3(s, n, (o) << 4 | 4u), LANE_3((s) << 4 | 4u, (n) + 4, o)
#define LANE_5(s, n, o) LANE_4(s, n, (o) << 4 | 5u), LANE_4((s) << 4 | 5u, (n) + 4, o)
#define LANE_6(s, n, o) LANE_5(s, n, (o) << 4 | 6u), LANE_5((s) << 4 | 6u, (n) + 4, o)
#define LANE_7(s, n, o) LANE_6(s, n, (o) << 4 | 7u), LANE_6((s) << 4 | 7u, (n) + 4, o)

static const uint32_t ORDERS_8[1 << 8] = {LANE_7(0u, 0, 0u)};

#endif
