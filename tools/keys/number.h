/* number.h - clsort-keys: strict parsers of the numbers on command lines
 *
 * They accept digits only: unlike strtoull and strtod they refuse leading blanks, signs, hexadecimal
 * digits and names such as "inf". All return false, and leave the result undefined, if the text is
 * not such a number or if the number is too large. */
#ifndef CLSORT_TOOLS_NUMBER_H
#define CLSORT_TOOLS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Parses an unsigned decimal integer. */
bool number_parse(const char *text, uint64_t *number);

/* Parses a count at the start of the text: "1000", "64K" (K, M, G and T multiply by 2^10, 2^20,
 * 2^30 and 2^40) or "2^20". *end is the rest of the text. On failure errno is ERANGE if the count is too
 * large, else EINVAL. */
bool number_parse_count(const char *text, const char **end, uint64_t *count);

/* Parses an unsigned decimal number with an optional fraction, such as "0.5". */
bool number_parse_decimal(const char *text, double *number);

#endif
