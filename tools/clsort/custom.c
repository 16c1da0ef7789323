/* custom.c - the options --less and --key-size of clsort: elements in the order of an expression in OpenCL C */
#include "custom.h"

#include "number.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_KEY_SIZE = 1 << 20 /* as in clsort.h */ };

bool custom_parse_size(const struct command_line *line, const char *text, struct custom *custom)
{
    uint64_t size;

    if (!number_parse(text, &size) || size == 0 || size > MAX_KEY_SIZE)
        return command_line_error(
            line, "--key-size=%s: the size of elements must be a number of bytes from 1 to 2^20",
            text);
    custom->type = (struct data_type){"elements", CLSORT_CUSTOM, (size_t)size};
    return true;
}

/* The members of the union. The preprocessor leaves out those whose extension the device lacks. */
static const struct member {
    const char *type, *name;
    size_t size;
    const char *extension; /* that the type needs; NULL: none */
} members[] = {
    {"uchar", "u8", 1, NULL},
    {"char", "i8", 1, NULL},
    {"ushort", "u16", 2, NULL},
    {"short", "i16", 2, NULL},
    {"half", "f16", 2, "cl_khr_fp16"},
    {"uint", "u32", 4, NULL},
    {"int", "i32", 4, NULL},
    {"float", "f32", 4, NULL},
    {"ulong", "u64", 8, NULL},
    {"long", "i64", 8, NULL},
    {"double", "f64", 8, "cl_khr_fp64"},
};

/* Appends to the text of this length, and returns the new length. The text has space for all members. */
__attribute__((format(printf, 3, 4))) static size_t add(char *text, size_t length,
                                                        const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int added = vsnprintf(text + length, CUSTOM_PRELUDE_SIZE - length, format, arguments);
    va_end(arguments);
    return length + (size_t)added;
}

void custom_describe(const struct custom *custom, char prelude[CUSTOM_PRELUDE_SIZE],
                     clsort_desc *desc)
{
    const size_t size = custom->type.size;
    size_t length = add(prelude, 0, "union tool_element {\n");

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const struct member *member = &members[i];

        if (size % member->size != 0)
            continue;
        if (member->extension != NULL)
            length = add(prelude, length, "#ifdef %s\n", member->extension);
        length =
            add(prelude, length, "%s %s[%zu];\n", member->type, member->name, size / member->size);
        if (member->extension != NULL)
            length = add(prelude, length, "#endif\n");
    }
    add(prelude, length, "};");
    desc->key_size = size;
    desc->key_type = "union tool_element";
    desc->less = custom->less;
    desc->prelude = prelude;
}
