/* npy.c - clsort-tool-common: headers of NumPy's .npy files */
#include "npy.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RECORD = 1 << 30 /* bytes, as in clsort.h */ };
enum { NATIVE_ORDER = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>' };

static const char magic[NPY_MAGIC_SIZE] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

bool npy_is_magic(const void *start, size_t size)
{
    return size >= NPY_MAGIC_SIZE && memcmp(start, magic, NPY_MAGIC_SIZE) == 0;
}

/* Returns the size of the bytes before the dictionary. They end with its length, which has 2 bytes
 * in version 1 and 4 bytes in later versions. */
static size_t prefix_size(const unsigned char *prefix)
{
    return prefix[NPY_MAGIC_SIZE] == 1 ? NPY_MAGIC_SIZE + 4 : NPY_MAGIC_SIZE + 6;
}

size_t npy_header_size(const void *prefix)
{
    const unsigned char *bytes = prefix;
    size_t dictionary = 0;

    if (bytes[NPY_MAGIC_SIZE] < 1 || bytes[NPY_MAGIC_SIZE] > 3 || bytes[NPY_MAGIC_SIZE + 1] != 0)
        return 0;
    for (size_t i = prefix_size(bytes); i-- > NPY_MAGIC_SIZE + 2;)
        dictionary = dictionary << 8 | bytes[i];
    return prefix_size(bytes) + dictionary;
}

/* -- literals ---------------------------------------------------------------------------------- */

struct scanner {
    const char *p, *end;
    char *reason;                /* NPY_REASON_SIZE bytes */
    struct npy_records *records; /* NULL: elements must be numbers */
};

/* Formats the reason and returns false. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct scanner *s, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(s->reason, NPY_REASON_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

static bool malformed(struct scanner *s, const char *what)
{
    return refuse(s, ".npy header is malformed: %s", what);
}

static int peek(struct scanner *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n'))
        s->p++;
    return s->p < s->end ? (unsigned char)*s->p : -1;
}

static bool accept(struct scanner *s, int c)
{
    if (peek(s) != c)
        return false;
    s->p++;
    return true;
}

struct word {
    const char *start;
    size_t length;
};

static bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.start, text, word.length) == 0;
}

/* A word in printable characters. */
struct printable {
    char text[48];
};

static struct printable printable(struct word word)
{
    struct printable result = {""};
    const size_t max = sizeof result.text - sizeof "...";
    const size_t length = word.length <= max ? word.length : max;

    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)word.start[i];

        result.text[i] = (char)(c >= ' ' && c <= '~' ? c : '?');
    }
    if (length < word.length)
        strcat(result.text, "...");
    return result;
}

/* Parses 'text' or "text". Escapes are not interpreted, since supported dictionaries contain
 * none. */
static bool quoted(struct scanner *s, struct word *word)
{
    int quote = peek(s);
    const char *close;

    if (quote != '\'' && quote != '"')
        return false;
    word->start = s->p + 1;
    close = memchr(word->start, quote, (size_t)(s->end - word->start));
    if (close == NULL)
        return false;
    word->length = (size_t)(close - word->start);
    s->p = close + 1;
    return true;
}

static bool boolean(struct scanner *s, bool *value)
{
    static const char *const names[] = {"False", "True"};

    peek(s);
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(names[i]);

        if ((size_t)(s->end - s->p) >= length && memcmp(s->p, names[i], length) == 0) {
            s->p += length;
            *value = i == 1;
            return true;
        }
    }
    return false;
}

static bool number(struct scanner *s, uint64_t *value)
{
    int digit = peek(s);

    if (digit < '0' || digit > '9')
        return false;
    for (*value = 0; digit >= '0' && digit <= '9'; digit = s->p < s->end ? *s->p : -1) {
        const uint64_t unit = (uint64_t)(digit - '0');

        if (*value > (UINT64_MAX - unit) / 10)
            return false;
        *value = *value * 10 + unit;
        s->p++;
    }
    accept(s, 'L'); /* suffix of long integers in Python 2 */
    return true;
}

/* -- element types ----------------------------------------------------------------------------- */

static bool refuse_dtype(struct scanner *s, struct word dtype, const char *why)
{
    return refuse(s,
                  ".npy dtype %s is not supported: %s; supported are bool, integers of 1, 2, 4 and "
                  "8 bytes, floats of 2, 4 and 8 bytes, datetime64 and timedelta64",
                  printable(dtype).text, why);
}

/* Returns what elements of an unsupported kind are. */
static const char *unsupported_kind(char kind)
{
    switch (kind) {
    case 'c':
        return "the elements are complex numbers";
    case 'O':
        return "the elements are Python objects";
    case 'S':
    case 'a':
        return "the elements are byte strings";
    case 'U':
        return "the elements are Unicode strings";
    case 'V':
        return "the elements are raw bytes";
    default:
        return "it is not known";
    }
}

/* Refuses elements of an unsupported kind or size. */
static bool refuse_kind(struct scanner *s, struct word dtype)
{
    const char kind = dtype.start[1], *const size = dtype.start + 2;
    const size_t length = dtype.length - 2;
    bool is_number = (kind == 'u' || kind == 'i' || kind == 'f') && length > 0;
    char why[NPY_DESCR_SIZE + 40];

    for (size_t i = 0; i < length; i++)
        is_number = is_number && isdigit((unsigned char)size[i]);
    if (!is_number)
        return refuse_dtype(s, dtype, unsupported_kind(kind));
    snprintf(why, sizeof why, "the elements are %s of %.*s bytes",
             kind == 'f' ? "floats" : "integers", (int)length, size);
    return refuse_dtype(s, dtype, why);
}

/* Returns whether the text is a unit of time, such as [ns] or [25us], or empty. */
static bool is_time_unit(const char *text, size_t length)
{
    if (length == 0)
        return true;
    if (length < 3 || text[0] != '[' || text[length - 1] != ']')
        return false;
    for (size_t i = 1; i < length - 1; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '/')
            return false;
    return true;
}

/* Returns the type as which elements are sorted, given their kind and the size behind it; NULL if
 * they are not supported. */
static const struct data_type *sorted_type(const char *kind, size_t length, bool *is_time)
{
    const struct data_type *type;

    *is_time = (kind[0] == 'M' || kind[0] == 'm') && length >= 2 && kind[1] == '8' &&
               is_time_unit(kind + 2, length - 2);
    if (*is_time)
        return data_type_of(CLSORT_I64);
    if (length != 2)
        return NULL;
    if (kind[0] == 'b')
        return kind[1] == '1' ? data_type_of(CLSORT_U8) : NULL;
    for (size_t i = 0; (type = data_type_at(i)) != NULL; i++)
        if (type->name[0] == kind[0] && type->size == (size_t)(kind[1] - '0'))
            break;
    return type;
}

/* Returns the size of elements of any kind, up to MAX_RECORD; 0 if they are larger or have none. */
static uint64_t element_size(struct word descr)
{
    const char kind = descr.length > 2 ? descr.start[1] : '\0';
    const char *end = descr.start + descr.length;
    uint64_t size = 0;

    if (kind == 'M' || kind == 'm')
        return descr.start[2] == '8' ? 8 : 0;
    if (kind == '\0' || strchr("uifcbSaUV", kind) == NULL)
        return 0;
    for (const char *p = descr.start + 2; p < end; p++) {
        if (!isdigit((unsigned char)*p) || size > MAX_RECORD)
            return 0;
        size = 10 * size + (uint64_t)(*p - '0');
    }
    size *= kind == 'U' ? 4 : 1;
    return size <= MAX_RECORD ? size : 0;
}

/* Parses the optional shape of a field, and multiplies its size by the number of its elements. */
static bool parse_field_shape(struct scanner *s, struct npy_field *field)
{
    uint64_t length;

    if (!accept(s, ',') || peek(s) == ')')
        return true;
    if (!accept(s, '('))
        return malformed(s, "the shape of a field is not a tuple");
    while (peek(s) != ')') {
        if (!number(s, &length) || length == 0 || length > MAX_RECORD / field->size ||
            (!accept(s, ',') && peek(s) != ')'))
            return malformed(s, "the shape of a field is not supported");
        field->size *= (size_t)length;
    }
    field->type = NULL;
    field->is_string = false;
    s->p++;
    return true;
}

/* Parses a field, such as ('depth', '<f4') or ('position', '<f4', (3,)). */
static bool parse_field(struct scanner *s, struct npy_field *field)
{
    struct word name, descr;

    if (!accept(s, '(') || !quoted(s, &name) || !accept(s, ','))
        return malformed(s, "a field is not a tuple of a name and a dtype");
    if (!quoted(s, &descr))
        return refuse(s, ".npy field '%s' is not supported: it consists of fields",
                      printable(name).text);
    const uint64_t size = element_size(descr);
    if (size == 0)
        return refuse_dtype(s, descr, "it is a field without a size, or too large");
    const char order = descr.start[0];
    *field =
        (struct npy_field){name.start, name.length, 0, (size_t)size, NULL, false, false, false};
    field->type = sorted_type(descr.start + 1, descr.length - 1, &field->is_time);
    field->is_string = descr.start[1] == 'S' || descr.start[1] == 'a';
    field->is_swapped = (order == '<' || order == '>') && order != NATIVE_ORDER && size > 1;
    return parse_field_shape(s, field) &&
           (accept(s, ')') || malformed(s, "a field does not end with )"));
}

/* Parses the list of the fields of records. */
static bool parse_list(struct scanner *s, struct npy_array *array)
{
    struct npy_records *records = s->records;
    const char *start = s->p++;

    array->type = &records->type;
    array->list = start;
    array->is_swapped = array->is_time = false;
    memset(array->descr, 0, sizeof array->descr);
    records->type = (struct data_type){"records", CLSORT_BYTES, 0};
    records->count = 0;
    while (peek(s) != ']') {
        struct npy_field *field = &records->field[records->count];

        if (records->count++ == NPY_MAX_FIELDS)
            return refuse(s, ".npy records have more than %d fields", NPY_MAX_FIELDS);
        if (!parse_field(s, field))
            return false;
        field->offset = records->type.size;
        records->type.size += field->size;
        if (records->type.size > MAX_RECORD)
            return refuse(s, ".npy records have more than 2^30 bytes");
        if (!accept(s, ',') && peek(s) != ']')
            return malformed(s, "a field is not followed by a comma or ]");
    }
    s->p++;
    array->list_length = (size_t)(s->p - start);
    if (records->type.size == 0 || array->list_length > NPY_MAX_LIST)
        return refuse(s, ".npy records have no fields, or their list is too long");
    return true;
}

/* Parses a "descr", which consists of byte order, kind and size, such as '<u4'; that of records is
 * a list. */
static bool parse_descr(struct scanner *s, struct npy_array *array)
{
    struct word descr;
    char order;

    if (peek(s) == '[' && s->records != NULL)
        return parse_list(s, array);
    array->list = NULL;
    if (peek(s) == '[' || peek(s) == '(')
        return refuse_dtype(s, (struct word){s->p, (size_t)(s->end - s->p)},
                            "the elements are records");
    if (!quoted(s, &descr))
        return malformed(s, "'descr' is not a string");
    if (descr.length < 2 || descr.length >= NPY_DESCR_SIZE)
        return refuse_dtype(s, descr, "it is not known");
    order = descr.start[0];
    if (order != '<' && order != '>' && order != '=' && order != '|')
        return refuse_dtype(s, descr, "it does not begin with a byte order, one of < > = |");
    array->type = sorted_type(descr.start + 1, descr.length - 1, &array->is_time);
    if (array->type == NULL)
        return refuse_kind(s, descr);
    if (order == '|' && array->type->size > 1)
        return refuse_dtype(s, descr, "| states no byte order");
    array->is_swapped = order != '=' && order != NATIVE_ORDER && array->type->size > 1;
    memset(array->descr, 0, sizeof array->descr);
    memcpy(array->descr, descr.start, descr.length);
    return true;
}

/* -- the dictionary ---------------------------------------------------------------------------- */

/* Parses a tuple of dimensions, such as (5,) or (2, 3). */
static bool parse_shape(struct scanner *s, struct npy_array *array)
{
    static const char reason[] = "'shape' is not a tuple of unsigned integers of 64 bits";
    bool comma = true;

    array->dimensions = 0;
    if (!accept(s, '('))
        return malformed(s, reason);
    while (peek(s) != ')') {
        if (array->dimensions == NPY_MAX_DIMENSIONS)
            return refuse(s, ".npy array has more than %d dimensions", NPY_MAX_DIMENSIONS);
        if (!comma || !number(s, &array->shape[array->dimensions++]))
            return malformed(s, reason);
        comma = accept(s, ',');
    }
    if (array->dimensions == 1 && !comma) /* (5) is an integer in Python */
        return malformed(s, reason);
    s->p++;
    return true;
}

/* Computes the number of elements. An array with a dimension of 0 is empty, however large the other
 * dimensions are. */
static bool count_elements(struct scanner *s, struct npy_array *array)
{
    const uint64_t max = INT64_MAX / array->type->size;
    bool fits = true;

    array->count = 1;
    for (unsigned d = 0; d < array->dimensions; d++)
        if (array->shape[d] == 0)
            array->count = 0;
    for (unsigned d = 0; d < array->dimensions && array->count > 0 && fits; d++) {
        fits = array->shape[d] <= max / array->count;
        array->count *= array->shape[d];
    }
    return fits || refuse(s, ".npy header is wrong: an array of this shape has 2^63 bytes or more");
}

enum { DESCR, FORTRAN_ORDER, SHAPE, KEY_COUNT };

static bool parse_value(struct scanner *s, int key, struct npy_array *array)
{
    switch (key) {
    case DESCR:
        return parse_descr(s, array);
    case SHAPE:
        return parse_shape(s, array);
    default:
        return boolean(s, &array->is_fortran) ||
               malformed(s, "'fortran_order' is neither True nor False");
    }
}

bool npy_parse_records(const void *header, size_t size, struct npy_array *array,
                       struct npy_records *records, char reason[NPY_REASON_SIZE])
{
    static const char *const keys[KEY_COUNT] = {"descr", "fortran_order", "shape"};
    struct scanner s = {(const char *)header + prefix_size(header), (const char *)header + size,
                        reason, records};
    bool found[KEY_COUNT] = {false};
    struct word word;

    if (!accept(&s, '{'))
        return malformed(&s, "it is not a dictionary");
    while (peek(&s) != '}') {
        int key = 0;

        if (!quoted(&s, &word) || !accept(&s, ':'))
            return malformed(&s, "it has no quoted key with a colon where one is expected");
        while (key < KEY_COUNT && !word_is(word, keys[key]))
            key++;
        if (key == KEY_COUNT)
            return refuse(&s, ".npy header has an unknown key: '%s'", printable(word).text);
        if (found[key])
            return refuse(&s, ".npy header has the key '%s' twice", keys[key]);
        found[key] = true;
        if (!parse_value(&s, key, array))
            return false;
        if (!accept(&s, ',') && peek(&s) != '}')
            return malformed(&s, "a value is not followed by a comma or }");
    }
    s.p++;
    for (int key = 0; key < KEY_COUNT; key++)
        if (!found[key])
            return refuse(&s, ".npy header lacks the key '%s'", keys[key]);
    if (peek(&s) != -1)
        return refuse(&s, ".npy header has extra text after its dictionary");
    return count_elements(&s, array);
}

bool npy_parse(const void *header, size_t size, struct npy_array *array,
               char reason[NPY_REASON_SIZE])
{
    return npy_parse_records(header, size, array, NULL, reason);
}

/* -- new arrays -------------------------------------------------------------------------------- */

void npy_set_type(struct npy_array *array, const struct data_type *type)
{
    array->type = type;
    array->is_swapped = array->is_time = false;
    array->list = NULL;
    memset(array->descr, 0, sizeof array->descr);
    snprintf(array->descr, sizeof array->descr, "%c%c%zu", type->size == 1 ? '|' : NATIVE_ORDER,
             type->name[0], type->size);
}

struct npy_array npy_array_of(const struct data_type *type, uint64_t count)
{
    struct npy_array array = {.dimensions = 1, .shape = {count}, .count = count};

    npy_set_type(&array, type);
    return array;
}

bool npy_is_c_order(const struct npy_array *array)
{
    unsigned long_dimensions = 0;

    for (unsigned d = 0; d < array->dimensions; d++)
        long_dimensions += array->shape[d] > 1;
    return !array->is_fortran || long_dimensions <= 1;
}

void npy_flatten(struct npy_array *array)
{
    array->dimensions = 1;
    array->shape[0] = array->count;
    array->is_fortran = false;
}

bool npy_divide(struct npy_array *array, uint64_t length)
{
    if (array->count % length != 0)
        return false;
    npy_flatten(array);
    array->dimensions = 2;
    array->shape[0] = array->count / length;
    array->shape[1] = length;
    return true;
}

size_t npy_format(char header[NPY_MAX_HEADER_SIZE], const struct npy_array *array)
{
    enum { PREFIX = NPY_MAGIC_SIZE + 4, MIN_SIZE = 128, ALIGNMENT = 64, MAX_DIGITS = 20 };
    char *end = header + PREFIX;

    end += sprintf(end, "{'descr': ");
    if (array->list != NULL) { /* in which names may have zero bytes */
        memcpy(end, array->list, array->list_length);
        end += array->list_length;
    } else {
        end += sprintf(end, "'%s'", array->descr);
    }
    end += sprintf(end, ", 'fortran_order': %s, 'shape': (", array->is_fortran ? "True" : "False");
    for (unsigned d = 0; d < array->dimensions; d++)
        end += sprintf(end, "%s%llu", d == 0 ? "" : ", ", (unsigned long long)array->shape[d]);
    end += sprintf(end, "%s), }", array->dimensions == 1 ? "," : "");
    size_t used = (size_t)(end - header) + 1; /* with a line feed */
    if (array->dimensions ==
        1) { /* as in NumPy, the size does not depend on the number of elements */
        char digits[MAX_DIGITS + 1];

        used += MAX_DIGITS - (size_t)sprintf(digits, "%llu", (unsigned long long)array->shape[0]);
    }
    const size_t rounded = (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t size = rounded < MIN_SIZE ? MIN_SIZE : rounded;
    memset(end, ' ', size - (size_t)(end - header));
    header[size - 1] = '\n';
    memcpy(header, magic, NPY_MAGIC_SIZE);
    memcpy(header + NPY_MAGIC_SIZE, "\1\0", 2);
    header[NPY_MAGIC_SIZE + 2] = (char)((size - PREFIX) % 256);
    header[NPY_MAGIC_SIZE + 3] = (char)((size - PREFIX) / 256);
    return size;
}
