/* clsort_adapter.h - functions that the adapters of clsort share */
#ifndef CLSORT_BENCH_PEERS_CLSORT_ADAPTER_H
#define CLSORT_BENCH_PEERS_CLSORT_ADAPTER_H

#include "peers.h"

/* Returns the descriptor of a job, with algorithm as its algorithm. */
clsort_desc clsort_peer_describe(const struct job *job, const char *algorithm);

/* Returns whether the segments of the job are rows of equal length. */
bool clsort_peer_has_rows(const struct job *job);

/* Returns whether the status is CLSORT_OK; otherwise prints an error. */
bool clsort_peer_check(const struct job *job, const char *doing, clsort_status status);

/* Truncates a description to its first word, the name of the algorithm. */
bool clsort_peer_keep_first_word(const struct job *job, clsort_status status, char *text);

#endif
