/* fields.h - the options --record and -k of clsort: fields by which records are ordered */
#ifndef CLSORT_TOOLS_FIELDS_H
#define CLSORT_TOOLS_FIELDS_H

#include "command_line.h"
#include "npy.h"

struct fields {
    size_t record_size;    /* 0: --record is not given */
    struct data_type type; /* that of the elements of the file: records */
    size_t count;
    clsort_column column[CLSORT_MAX_COLUMNS];
    const char *text[CLSORT_MAX_COLUMNS]; /* the arguments of -k */
    bool
        has_names; /* the arguments are names of fields of a .npy file, whose offsets and types are not known yet */
};

/* Parse the arguments of --record and -k. All functions that return bool print an error and return false on
 * failure. */
bool fields_parse_record(const struct command_line *line, const char *text, struct fields *fields);
bool fields_parse(const struct command_line *line, const char *text, struct fields *fields);

/* Gives fields without a type that of --type, which may be NULL, and checks that all are in the record. Names are
 * only checked for what they are combined with. */
bool fields_complete(const struct command_line *line, const struct data_type *type,
                     struct fields *fields);

/* Finds the fields with these names in a .npy file. name: the file. */
bool fields_find(const char *name, const struct npy_records *records, struct fields *fields);

/* Returns a number below, equal to or above 0 if a record precedes another one, is equal to it in all
 * fields, or follows it. */
int fields_compare(const struct fields *fields, const unsigned char *a, const unsigned char *b);

/* Moves the first record of each run of records that are equal in all fields to the front, and returns the
 * number of these. */
size_t fields_unique(const struct fields *fields, unsigned char *records, size_t count);

/* Returns the index of the first record that precedes the one before it, or count. */
size_t fields_disorder(const struct fields *fields, const unsigned char *records, size_t count);

#endif
