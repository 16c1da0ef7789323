/* fields.c - the options --record and -k of clsort: fields by which records are ordered */
#include "fields.h"

#include "number.h"
#include "print.h"

#include <string.h>

enum { MAX_RECORD_SIZE = 1 << 30 /* as in clsort.h */ };

static const clsort_key NO_TYPE = (clsort_key)0;

/* -- parsing ----------------------------------------------------------------------------------- */

bool fields_parse_record(const struct command_line *line, const char *text, struct fields *fields)
{
    uint64_t size;

    if (!number_parse(text, &size) || size == 0 || size > MAX_RECORD_SIZE)
        return command_line_error(
            line, "--record=%s: the size of records must be a number of bytes from 1 to 2^30",
            text);
    fields->record_size = (size_t)size;
    fields->type = (struct data_type){"records", CLSORT_BYTES, (size_t)size};
    return true;
}

/* Returns whether the text begins with a part, which ends before a colon or at the end of the text. */
static bool is_part(const char *text, const char *part)
{
    return strcspn(text, ":") == strlen(part) && strncmp(text, part, strlen(part)) == 0;
}

/* Parses the type at the start of the text. */
static bool parse_type(const struct command_line *line, const char *text, const char *whole,
                       clsort_column *column)
{
    static const char bytes[] = "bytes";
    const size_t prefix = sizeof bytes - 1, length = strcspn(text, ":");
    char name[16] = ""; /* longer than the name of any type */
    uint64_t size = 0;

    if (length < sizeof name)
        memcpy(name, text, length);
    const struct data_type *type = data_type_find(name);
    if (type != NULL) {
        column->key = type->key;
        return true;
    }
    if (strncmp(name, bytes, prefix) != 0 || !number_parse(name + prefix, &size) || size == 0 ||
        size > CLSORT_MAX_BYTES)
        return command_line_error(line,
                                  "--key=%s: '%.*s' is no type; the types are those of --type, and "
                                  "bytes1 to bytes%d",
                                  whole, (int)length, text, CLSORT_MAX_BYTES);
    column->key = CLSORT_BYTES;
    column->key_size = (size_t)size;
    return true;
}

/* Parses the parts behind the offset, each of which follows a colon. */
static bool parse_parts(const struct command_line *line, const char *text, const char *whole,
                        const struct fields *fields, clsort_column *column)
{
    for (bool is_first = !fields->has_names; *text == ':'; is_first = false) {
        const char *part = text + 1;
        const uint32_t flag = is_part(part, "r")    ? CLSORT_DESCENDING
                              : is_part(part, "be") ? CLSORT_BIG_ENDIAN
                              : is_part(part, "n")  ? CLSORT_FLOAT_NUMERIC
                                                    : 0;

        text = part + strcspn(part, ":");
        if (flag == 0 && !is_first)
            return command_line_error(
                line,
                "--key=%s: '%.*s' is not r (descending), be (big-endian) or n "
                "(numeric)",
                whole, (int)(text - part), part);
        if (flag & column->flags)
            return command_line_error(line, "--key=%s: '%.*s' is given twice", whole,
                                      (int)(text - part), part);
        column->flags |= flag;
        if (flag == 0 && !parse_type(line, part, whole, column))
            return false;
    }
    return true;
}

bool fields_parse(const struct command_line *line, const char *text, struct fields *fields)
{
    clsort_column *column = &fields->column[fields->count];
    char number[24] = ""; /* longer than any number of 64 bits */
    const size_t length = strcspn(text, ":");
    uint64_t offset;

    if (fields->count == CLSORT_MAX_COLUMNS)
        return command_line_error(line, "--key can be given at most %d times", CLSORT_MAX_COLUMNS);
    if (length < sizeof number)
        memcpy(number, text, length);
    const bool is_name = !number_parse(number, &offset) || offset > SIZE_MAX;
    if (length == 0)
        return command_line_error(line,
                                  "--key=%s: begins with no offset in bytes, as 8 in 8:f32:r does, "
                                  "and no name of a field",
                                  text);
    if (fields->count > 0 && is_name != fields->has_names)
        return command_line_error(line,
                                  "--key=%s: names of fields and offsets cannot be combined; names "
                                  "are for .npy files, and offsets for --record",
                                  text);
    fields->has_names = is_name;
    *column = (clsort_column){.key = NO_TYPE, .offset = is_name ? 0 : (size_t)offset};
    fields->text[fields->count++] = text;
    return parse_parts(line, text + length, text, fields, column);
}

/* -- checks ------------------------------------------------------------------------------------ */

static size_t size_of(const clsort_column *column)
{
    return column->key == CLSORT_BYTES ? column->key_size : data_type_of(column->key)->size;
}

/* Checks a field with a type. */
static bool check(const struct command_line *line, const char *text, const clsort_column *column,
                  size_t record_size)
{
    const bool is_number = column->key != CLSORT_BYTES;

    if (column->flags & CLSORT_FLOAT_NUMERIC &&
        !(is_number && data_type_is_float(data_type_of(column->key))))
        return command_line_error(line, "--key=%s: n is for floats only", text);
    if (column->flags & CLSORT_BIG_ENDIAN && !is_number)
        return command_line_error(line, "--key=%s: be is for numbers only", text);
    if (column->offset <= record_size && size_of(column) <= record_size - column->offset)
        return true;
    return command_line_error(line,
                              "--key=%s: %zu bytes at offset %zu are outside of the record of %zu "
                              "bytes",
                              text, size_of(column), column->offset, record_size);
}

bool fields_complete(const struct command_line *line, const struct data_type *type,
                     struct fields *fields)
{
    if (fields->has_names && (fields->record_size > 0 || type != NULL))
        return command_line_error(line,
                                  "--key=%s: names are those of the fields of a .npy file, which "
                                  "--record and --type do not describe",
                                  fields->text[0]);
    if (fields->has_names)
        return true;
    if (fields->record_size == 0)
        return command_line_error(line,
                                  "--key requires --record, which gives the size of the records");
    if (fields->count == 0)
        return command_line_error(line,
                                  "--record requires --key, which gives the fields that order the "
                                  "records, for example --key=0:u32");
    for (size_t i = 0; i < fields->count; i++) {
        clsort_column *column = &fields->column[i];

        if (column->key == NO_TYPE && type == NULL)
            return command_line_error(line,
                                      "--key=%s: the type is missing; give it there, as in 0:u32, "
                                      "or by --type for all fields without one",
                                      fields->text[i]);
        if (column->key == NO_TYPE)
            column->key = type->key;
        if (!check(line, fields->text[i], column, fields->record_size))
            return false;
    }
    return true;
}

/* -- names of fields --------------------------------------------------------------------------- */

/* Returns the field whose name the text begins with, or NULL if no field has such a name. */
static const struct npy_field *find(const struct npy_records *records, const char *text)
{
    const size_t length = strcspn(text, ":");

    for (size_t i = 0; i < records->count; i++)
        if (records->field[i].name_length == length &&
            memcmp(records->field[i].name, text, length) == 0)
            return &records->field[i];
    return NULL;
}

/* Returns why records cannot be sorted by a field; NULL if they can. */
static const char *refusal(const struct npy_field *field, uint32_t flags)
{
    const bool is_float = field->type != NULL && data_type_is_float(field->type);

    if (field->is_time)
        return "the field has dates or times, and NaT would not be last";
    if (field->is_string && field->size > CLSORT_MAX_BYTES)
        return "the byte strings of the field have more than 256 bytes";
    if (field->type == NULL && !field->is_string)
        return "the field has neither numbers nor byte strings (S)";
    if (flags & CLSORT_BIG_ENDIAN)
        return "be is not for .npy files, which state their byte order";
    if (field->is_swapped && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return "little-endian fields are not supported on this machine";
    return flags & CLSORT_FLOAT_NUMERIC && !is_float ? "n is for floats only" : NULL;
}

bool fields_find(const char *name, const struct npy_records *records, struct fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct npy_field *field = find(records, fields->text[i]);
        clsort_column *column = &fields->column[i];
        const char *why =
            field == NULL ? "the file has no field with this name" : refusal(field, column->flags);

        if (why != NULL) {
            print_error(name, "--key=%s: %s", fields->text[i], why);
            return false;
        }
        column->key = field->is_string ? CLSORT_BYTES : field->type->key;
        column->key_size = field->is_string ? field->size : 0;
        column->offset = field->offset;
        column->flags |= field->is_swapped ? CLSORT_BIG_ENDIAN : 0;
    }
    fields->record_size = records->type.size;
    return true;
}

/* -- comparison -------------------------------------------------------------------------------- */

/* Returns a number that has the order of the field. */
static uint64_t order_of(const clsort_column *column, const unsigned char *record)
{
    const struct data_type *type = data_type_of(column->key);
    const uint16_t one = 1;
    const bool is_little_endian = *(const unsigned char *)&one == 1;
    unsigned char key[sizeof(uint64_t)];

    for (size_t i = 0; i < type->size; i++) {
        const bool is_swapped = column->flags & CLSORT_BIG_ENDIAN && is_little_endian;

        key[i] = record[column->offset + (is_swapped ? type->size - 1 - i : i)];
    }
    return data_order(type, column->flags & ~CLSORT_BIG_ENDIAN, key);
}

int fields_compare(const struct fields *fields, const unsigned char *a, const unsigned char *b)
{
    int order = 0;

    for (size_t i = 0; i < fields->count && order == 0; i++) {
        const clsort_column *column = &fields->column[i];

        if (column->key != CLSORT_BYTES) {
            const uint64_t x = order_of(column, a), y = order_of(column, b);

            order = (x > y) - (x < y);
        } else if (column->flags & CLSORT_DESCENDING) {
            order = memcmp(b + column->offset, a + column->offset, column->key_size);
        } else {
            order = memcmp(a + column->offset, b + column->offset, column->key_size);
        }
    }
    return order;
}

size_t fields_unique(const struct fields *fields, unsigned char *records, size_t count)
{
    const size_t size = fields->record_size;
    size_t kept = count > 0;

    for (size_t i = 1; i < count; i++) {
        const unsigned char *record = records + i * size;

        if (fields_compare(fields, records + (kept - 1) * size, record) != 0)
            memmove(records + kept++ * size, record, size);
    }
    return kept;
}

size_t fields_disorder(const struct fields *fields, const unsigned char *records, size_t count)
{
    const size_t size = fields->record_size;

    for (size_t i = 1; i < count; i++)
        if (fields_compare(fields, records + (i - 1) * size, records + i * size) > 0)
            return i;
    return count;
}
