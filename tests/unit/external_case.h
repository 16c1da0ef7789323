/* external_case.h - one case of an external sort, compared with a sort in memory */
#ifndef CLSORT_TESTS_EXTERNAL_CASE_H
#define CLSORT_TESTS_EXTERNAL_CASE_H

#include "external.h"

enum { MEMORY = 160 << 10 /* bytes */ };

enum form { RANDOM, FEW, EQUAL, SORTED, REVERSED, STRETCHES, SORTED_FIRST, FORM_COUNT };

/* How the engine gets the elements. */
enum source { ONE_FILE, SEVERAL_FILES, MERGED_FILES, STREAM, SOURCE_COUNT };

struct variant {
    enum source source;
    size_t header_size;
    bool is_piped;
    bool is_unique;
    size_t folder_count;
    uint64_t memory;
    enum codec_method compression;
    bool is_sampled;
    unsigned change_at; /* the sort in memory during which the input is overwritten; 0: none */
    bool is_unverified;
    struct external_selection selection;
    size_t row_elements;
    bool
        is_interrupted; /* attempts fail during later and later sorts in memory, and the next one continues */
    bool is_indexed; /* the inputs have only numbers, and the output has the indexes of 4 bytes */
};

extern const struct variant plain;

/* Sets the size of an element, and that of the number at its beginning, by which it is ordered. */
void use(size_t key, size_t element);

/* Sorts elements externally and in memory, and compares every byte; only the sizes if the input changes meanwhile,
 * after which the sort may also fail (is_refused). Returns the plan. */
struct external_plan sorts(enum form form, size_t count, const struct variant *variant);

/* Results of the last case: bytes that have been read and written, the number of phases, and whether it has failed. */
extern uint64_t bytes_moved;
extern size_t phases_begun;
extern bool is_refused;

/* Of the last case that was interrupted: the number of attempts, and the elements that all of them sorted in their
 * first pass. */
extern unsigned attempts;
extern size_t formed_elements;

#endif
