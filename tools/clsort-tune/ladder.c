/* ladder.c - the ladder of a kind of sort: which algorithm is used up to which count
 *
 * Dynamic programming (Bellman 1957) finds the cheapest sequence of algorithms, one for each count.
 * The cost is the sum of relative losses against the fastest algorithm at each count, plus a
 * penalty for each change of the algorithm, so that measurement noise does not create steps. */
#include "ladder.h"

#include <math.h>
#include <stddef.h>

enum { MAX_STEPS = 12 }; /* that the library reads */

/* The relative loss that a change of the algorithm must save. */
static const double MIN_PENALTY = 0.04;

/* Finds the algorithm of each count on the cheapest path. Returns the number of steps of the
 * ladder. */
static size_t find_path(const struct measurement *measurement, double penalty, size_t *path)
{
    double cost[MAX_ALGORITHMS] = {0};
    size_t from[MAX_COUNTS][MAX_ALGORITHMS];
    size_t steps = 1;
    for (size_t count = 0; count < measurement->count_count; count++) {
        const double *seconds = measurement->seconds[count];
        double fastest = HUGE_VAL;
        size_t cheapest = 0;
        for (size_t i = 0; i < measurement->algorithm_count; i++) {
            fastest = seconds[i] < fastest ? seconds[i] : fastest;
            cheapest = cost[i] < cost[cheapest] ? i : cheapest;
        }
        const double changed = cost[cheapest] + penalty;
        for (size_t i = 0; i < measurement->algorithm_count; i++) {
            from[count][i] = cost[i] <= changed ? i : cheapest;
            cost[i] = (cost[i] <= changed ? cost[i] : changed) + (seconds[i] / fastest - 1);
        }
    }
    size_t last = 0;
    for (size_t i = 0; i < measurement->algorithm_count; i++)
        last = cost[i] < cost[last] ? i : last;
    for (size_t count = measurement->count_count; count-- > 0; last = from[count][last]) {
        path[count] = last;
        steps += count > 0 && from[count][last] != last;
    }
    return steps;
}

void ladder_print(const struct measurement *measurement, FILE *stream)
{
    size_t path[MAX_COUNTS];
    double penalty = MIN_PENALTY;
    while (find_path(measurement, penalty, path) > MAX_STEPS)
        penalty *= 2;
    for (size_t count = 0; count < measurement->count_count; count++) {
        if (count + 1 == measurement->count_count)
            fputs(measurement->algorithms[path[count]], stream);
        else if (path[count] != path[count + 1])
            fprintf(stream, "%s %zu; ", measurement->algorithms[path[count]],
                    (size_t)1 << (MIN_POWER + count));
    }
}
