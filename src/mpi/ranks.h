/* ranks.h - the ranks of a communicator, and agreement on errors
 *
 * A rank that has failed goes on taking part in all communication until the next agreement, so that no other rank waits
 * for it. An error of an MPI function is treated in the same way. */
#ifndef CLSORT_MPI_RANKS_H
#define CLSORT_MPI_RANKS_H

#include <clsort.h>
#include <mpi.h>
#include <stdbool.h>

struct cls_ranks {
    MPI_Comm comm; /* that no one else uses, and whose errors are returned */
    int rank, size;
    size_t max_message_bytes;
    bool is_broken; /* an MPI function has failed */
};

/* Returns CLSORT_OK if `code`, which an MPI function has returned, is MPI_SUCCESS. Otherwise sets the sentence, and
 * ranks->is_broken. */
clsort_status cls_ranks_called(struct cls_ranks *ranks, const char *function, int code);

/* Returns the status of the first rank that has failed, with its sentence on all ranks; CLSORT_OK if none has. A rank
 * has also failed if an MPI function has. Collective. */
clsort_status cls_ranks_agree(struct cls_ranks *ranks, clsort_status status);

/* Does the same if it is known that a rank has failed, and which is the first one. */
clsort_status cls_ranks_share_failure(struct cls_ranks *ranks, int first, clsort_status status);

/* The same as cls_ranks_agree at the end of a function: if the agreement itself fails, it returns CLSORT_E_MPI, which
 * the other ranks may not know. */
clsort_status cls_ranks_conclude(struct cls_ranks *ranks, clsort_status status);

#endif
