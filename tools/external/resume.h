/* resume.h - clsort-external: sorts that are continued after an interruption, from files in a folder
 *
 *   clsort-runs      the store, whose blocks are released once they are in a run of the next pass
 *   clsort-blocks    an entry for each block of a run: its place in the store and its last element
 *   clsort-manifest  manifest.h: what is complete in the other two
 *
 * After each run that has been formed, and after each merge of runs, the first two files are brought to the disk, and
 * a new manifest replaces the old one. The next attempt cuts off the runs, and overwrites the entries, behind
 * its limits. The last merge is always repeated as a whole. */
#ifndef CLSORT_EXTERNAL_RESUME_H
#define CLSORT_EXTERNAL_RESUME_H

#include "external.h"
#include "manifest.h"
#include "runs.h"
#include "store.h"

struct resume {
    const char *name; /* of the folder */
    int folder;       /* -1: it does not exist yet */
    int runs;         /* its file; -1: not open. A lock on it keeps other sorts off the folder. */
    int blocks;       /* its file; -1: not open */
    uint64_t size;    /* of the part of the file of runs that is used */
    bool is_locked;
    bool has_manifest;        /* in the folder */
    bool is_continued;        /* the manifest has runs */
    struct manifest manifest; /* of the interrupted sort, and later of this one */
};

#define RESUME_CLOSED                                                                              \
    {                                                                                              \
        .folder = -1, .runs = -1, .blocks = -1                                                     \
    }

/* Functions that return bool print an error and return false on failure. */

/* Opens the folder if it exists, and reads the manifest if there is one. The caller calls resume_close in either
 * case. */
bool resume_open(struct resume *resume, const char *name);
void resume_close(struct resume *resume);

/* Set the description of the sort, as in manifest.h, which resume_close frees, and the inputs. If a sort is continued,
 * fail unless they are the same. */
bool resume_set_options(struct resume *resume, char *options);
bool resume_set_inputs(struct resume *resume, const struct external_input *inputs, size_t count);

/* Creates the folder and the files if necessary, opens the store, and checks that there is space for the output. If a
 * sort is continued, restores the runs, the checksum, and the number of elements that have been read. */
bool resume_start(struct resume *resume, struct external *external, struct store *store,
                  struct runs *runs);

/* Brings the runs to the disk, all of whose blocks have been written, and then a manifest of them. next: as in
 * external_sequence. Then returns the space of blocks that have been read to the file system. Saves nothing, and prints
 * no error, if the order has failed. */
bool resume_save(struct resume *resume, const struct external *external, struct store *store,
                 struct runs *runs, uint64_t next);

/* Removes the files, once the output is complete, and the folder if clsort created it and nothing else is there. Fails
 * only if files cannot be removed. */
bool resume_remove(struct resume *resume);

#endif
