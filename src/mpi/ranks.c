/* ranks.c - the ranks of a communicator, and agreement on errors */
#include "mpi/ranks.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

clsort_status cls_ranks_called(struct cls_ranks *ranks, const char *function, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;
    if (code == MPI_SUCCESS)
        return CLSORT_OK;
    ranks->is_broken = true;
    MPI_Error_string(code, text, &length);
    return cls_fail(CLSORT_E_MPI, "%s failed: %s", function, text);
}

/* What the first rank that has failed sends to the others. */
struct failure {
    clsort_status status;
    char text[CLS_ERROR_BYTES];
};

clsort_status cls_ranks_share_failure(struct cls_ranks *ranks, int first, clsort_status status)
{
    struct failure failure = {CLSORT_OK, ""};
    if (ranks->rank == first) {
        struct cls_text text = CLS_TEXT(failure.text);
        failure.status = status;
        cls_text_add(&text, "rank %d: %s", first, cls_error_text(status));
    }
    const clsort_status called = cls_ranks_called(
        ranks, "MPI_Bcast", MPI_Bcast(&failure, sizeof failure, MPI_BYTE, first, ranks->comm));
    if (failure.status == CLSORT_OK) /* it has not arrived */
        return called;
    if (failure.status == CLSORT_E_MPI)
        ranks->is_broken = true;
    failure.text[sizeof failure.text - 1] = '\0';
    return cls_fail(failure.status, "%s", failure.text);
}

clsort_status cls_ranks_agree(struct cls_ranks *ranks, clsort_status status)
{
    if (status == CLSORT_OK && ranks->is_broken)
        status = CLSORT_E_MPI;
    const int failed = status == CLSORT_OK ? ranks->size : ranks->rank;
    int first = failed;
    cls_ranks_called(ranks, "MPI_Allreduce",
                     MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, ranks->comm));
    return first < ranks->size ? cls_ranks_share_failure(ranks, first, status) : CLSORT_OK;
}

clsort_status cls_ranks_conclude(struct cls_ranks *ranks, clsort_status status)
{
    status = cls_ranks_agree(ranks, status);
    return status == CLSORT_OK && ranks->is_broken ? CLSORT_E_MPI : status;
}
