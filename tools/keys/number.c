/* number.c - clsort-keys: strict parsers of the numbers on command lines */
#include "number.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

static bool fail(int error)
{
    errno = error;
    return false;
}

/* Parses the digits at the start of the text; there must be at least one. */
static bool parse_digits(const char *text, const char **end, uint64_t *number)
{
    const size_t length = strspn(text, digits);

    *number = 0;
    *end = text + length;
    for (const char *p = text; p < *end; p++) {
        const uint64_t digit = (uint64_t)(*p - '0');

        if (*number > (UINT64_MAX - digit) / 10)
            return fail(ERANGE);
        *number = *number * 10 + digit;
    }
    return length > 0 || fail(EINVAL);
}

bool number_parse(const char *text, uint64_t *number)
{
    const char *end;

    return parse_digits(text, &end, number) && *end == '\0';
}

bool number_parse_count(const char *text, const char **end, uint64_t *count)
{
    static const char suffixes[] = "KMGT";
    uint64_t shift = 0;

    if (!parse_digits(text, end, count))
        return false;
    if (**end == '^' && *count == 2) {
        *count = 1;
        if (!parse_digits(*end + 1, end, &shift))
            return false;
    } else if (**end != '\0' && strchr(suffixes, **end) != NULL) {
        shift = 10 * (uint64_t)(strchr(suffixes, **end) - suffixes + 1);
        ++*end;
    }
    if (shift >= 64 || *count > UINT64_MAX >> shift)
        return fail(ERANGE);
    *count <<= shift;
    return true;
}

bool number_parse_decimal(const char *text, double *number)
{
    const size_t whole = strspn(text, digits);
    const size_t fraction = text[whole] == '.' ? 1 + strspn(text + whole + 1, digits) : 0;

    if (whole == 0 || text[whole + fraction] != '\0')
        return false;
    *number = strtod(text, NULL);
    return *number <= DBL_MAX; /* not infinite */
}
