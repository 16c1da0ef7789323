/* point.c - fault injection: counts calls and makes the N-th fail, alone or with all later ones */
#include "point.h"

#include <stdio.h>
#include <stdlib.h>

bool fault_due(struct fault_point *point, const char *call)
{
    if (!atomic_load(&point->armed))
        return false;
    const long n = atomic_fetch_add(&point->calls, 1), at = atomic_load(&point->at);
    if (n < at || (n > at && !atomic_load(&point->lasting)))
        return false;
    const char *none = NULL;
    atomic_compare_exchange_strong(&point->reached, &none, call);
    return true;
}

void fault_arm(struct fault_point *point, long at, bool lasting)
{
    atomic_store(&point->calls, 0);
    atomic_store(&point->reached, NULL);
    atomic_store(&point->at, at);
    atomic_store(&point->lasting, lasting);
    atomic_store(&point->armed, true);
}

bool fault_disarm(struct fault_point *point)
{
    atomic_store(&point->armed, false);
    return atomic_load(&point->reached) != NULL;
}

void fault_arm_by_environment(struct fault_point *point, const char *variable)
{
    const char *text = getenv(variable);
    if (!text)
        return;
    char *end;
    const long at = strtol(text, &end, 10);
    fault_arm(point, at, *end == '+');
}

void fault_report(const struct fault_point *point, long left)
{
    const char *path = getenv("CLSORT_FAULT_REPORT"), *reached = atomic_load(&point->reached);
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s %s %ld left, %ld calls\n", point->name, reached ? reached : "-", left,
            atomic_load(&point->calls));
    fclose(file);
}
