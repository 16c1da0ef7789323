/* includes.c - whether the texts of a custom order include files */
#include "device/includes.h"

/* Returns the length of the line continuation at the start of the text: a backslash or its
 * trigraph, blanks, which compilers accept with a warning, and a line end. Otherwise 0. */
static size_t continuation(const char *text)
{
    const size_t slash = *text == '\\' ? 1 : strncmp(text, "?\?/", 3) == 0 ? 3 : 0;
    if (slash == 0)
        return 0;
    const size_t end = slash + strspn(text + slash, " \t\v\f\r");
    return text[end] == '\n' ? end + 1 : text[end - 1] == '\r' ? end : 0;
}

static bool begins_with(const char *text, const char *word)
{
    while (*word) {
        const size_t skipped = continuation(text);
        if (skipped == 0 && *text++ != *word++)
            return false;
        text += skipped;
    }
    return true;
}

static bool has_directive(const char *text)
{
    for (; *text; text++)
        if (begins_with(text, "include") || begins_with(text, "import"))
            return true;
    return false;
}

bool cls_may_include(const struct cls_custom *custom)
{
    return has_directive(custom->prelude) || has_directive(custom->key_type) ||
           has_directive(custom->less);
}
