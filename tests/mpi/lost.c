/* lost.c - a rank ends without a word while the others sort */
#include "fixture.h"

#include <signal.h>

int main(int argc, char **argv)
{
    struct ranks ranks;
    ranks_open(&ranks, argc, argv);
    struct whole whole = whole_of_keys(CLSORT_U32, 0, DATA_UNIFORM, 100000, 0);
    whole_sort(&whole);
    if (ranks.rank == ranks.size - 1)
        raise(SIGKILL);
    sort_divided(&ranks, &whole, EVENLY, EVENLY, "without a rank");
    whole_free(&whole);
    return ranks_close(&ranks);
}
