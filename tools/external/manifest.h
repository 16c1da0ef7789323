/* manifest.h - clsort-external: what an interrupted sort has done, as text
 *
 * The text is divided into lines, each of which is a word and decimal numbers:
 *
 *   clsort-manifest VERSION
 *   created       1 if clsort has created the folder
 *   option ...    describes the sort, in the caller's words; several lines
 *   input ...     an input; several lines
 *   plan ...      the sizes on which the runs depend
 *   progress ...  how far the sort has come
 *   run ...       a run; several lines
 *   end HASH      that of all lines before, in hexadecimal digits
 *
 * The members of the structures below have the order of the numbers. There is one text for each manifest. */
#ifndef CLSORT_EXTERNAL_MANIFEST_H
#define CLSORT_EXTERNAL_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An input, so that a change of it is noticed. The number of its device is left out, because some file systems get
 * another one whenever they are mounted. */
struct manifest_input {
    uint64_t inode, size, seconds, nanoseconds; /* when it was modified */
    uint64_t offset, count;                     /* of its elements */
};

/* A run: blocks of the store, or a part of an input. */
struct manifest_run {
    uint64_t is_input;
    uint64_t input; /* if is_input, else 0 */
    uint64_t first; /* block, or element of the input */
    uint64_t count; /* elements */
    uint64_t entry; /* resume.h: that of its first block */
    uint64_t hash;  /* of its entries */
};

struct manifest_plan {
    uint64_t memory; /* from which the plan was made */
    uint64_t element_size, block_elements, run_elements;
    uint64_t compression; /* enum codec_method */
};

struct manifest_progress {
    uint64_t count, checksum; /* of the elements that have been read */
    uint64_t proof;           /* as in external.h */
    uint64_t blocks, end;     /* of the store: their number, and the bytes of its file */
    uint64_t entries;
    uint64_t next; /* the first run that the next merge of this pass may merge */
};

struct manifest {
    bool is_created;
    char *options; /* lines of printable characters; each ends with \n */
    size_t input_count;
    struct manifest_input *inputs;
    struct manifest_plan plan;
    struct manifest_progress progress;
    size_t run_count;
    struct manifest_run *runs;
};

enum { MANIFEST_REASON_SIZE = 128 };

/* Parses a text. Returns false, with the reason, if it is malformed, if numbers contradict each other, or if memory
 * runs out. The caller calls manifest_free in either case. */
bool manifest_parse(struct manifest *manifest, const char *text, size_t size,
                    char reason[MANIFEST_REASON_SIZE]);
void manifest_free(struct manifest *manifest);

/* Returns the text, which the caller frees, and its size; NULL if memory runs out. */
char *manifest_format(const struct manifest *manifest, size_t *size);

/* Continues a hash; the first one is 0. */
uint64_t manifest_hash(uint64_t hash, const void *data, size_t size);

/* Returns the number of blocks of a run. */
uint64_t manifest_blocks(const struct manifest_plan *plan, uint64_t count);

#endif
