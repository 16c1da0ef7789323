/* steps.c - a ladder from a race: which algorithm up to how many elements
 *
 * The cheapest path through the sizes: at each the loss against the fastest there, and a price for each change,
 * so that noise makes no steps. Bellman, "Dynamic programming", 1957. */
#include "steps.h"

#include <math.h>
#include <stddef.h>

enum { MAX_STEPS = 6 }; /* of the library's ladders */

/* In losses: a change has to save this much. */
static const double MIN_PRICE = 0.04;

/* The runner of each size on the cheapest path; returns how many steps that makes. */
static size_t find_path(const struct race *race, double price, size_t *path)
{
    double cost[RACE_RUNNERS] = {0};
    size_t from[RACE_SIZES][RACE_RUNNERS];
    size_t steps = 1;
    for (size_t size = 0; size < race->sizes; size++) {
        const double *seconds = race->seconds[size];
        double fastest = HUGE_VAL;
        size_t cheapest = 0;
        for (size_t i = 0; i < race->runners; i++) {
            fastest = seconds[i] < fastest ? seconds[i] : fastest;
            cheapest = cost[i] < cost[cheapest] ? i : cheapest;
        }
        const double changed = cost[cheapest] + price;
        for (size_t i = 0; i < race->runners; i++) {
            from[size][i] = cost[i] <= changed ? i : cheapest;
            cost[i] = (cost[i] <= changed ? cost[i] : changed) + (seconds[i] / fastest - 1);
        }
    }
    size_t at = 0;
    for (size_t i = 0; i < race->runners; i++)
        at = cost[i] < cost[at] ? i : at;
    for (size_t size = race->sizes; size-- > 0; at = from[size][at]) {
        path[size] = at;
        steps += size > 0 && from[size][at] != at;
    }
    return steps;
}

void steps_print(const struct race *race, FILE *stream)
{
    size_t path[RACE_SIZES];
    double price = MIN_PRICE;
    while (find_path(race, price, path) > MAX_STEPS)
        price *= 2;
    for (size_t size = 0; size < race->sizes; size++) {
        if (size + 1 == race->sizes)
            fputs(race->algorithm[path[size]], stream);
        else if (path[size] != path[size + 1])
            fprintf(stream, "%s %zu; ", race->algorithm[path[size]],
                    (size_t)1 << (RACE_LEAST + size));
    }
}
