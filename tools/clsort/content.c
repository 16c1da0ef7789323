/* content.c - recognizes files that are not raw arrays of numbers */
#include "content.h"

#include <stdbool.h>
#include <string.h>

/* -- formats ----------------------------------------------------------------------------------- */

#define UNPACK "; unpack it first, or give --force to sort its bytes"
#define CONVERT "; save its array as raw numbers or .npy first, or give --force to sort its bytes"
#define NOT_NUMBERS "; give --force to sort its bytes"

/* A file format and the bytes at an offset by which it is recognized. At least 3 bytes, so that
 * few arrays of numbers have them by chance. */
struct format {
    const char *magic;
    size_t length;
    size_t offset;
    const char *refusal;
};

#define FORMAT(magic, offset, refusal)                                                             \
    {                                                                                              \
        magic, sizeof(magic) - 1, offset, refusal                                                  \
    }

static const struct format formats[] = {
    FORMAT("PK\3\4", 0, "is a zip archive (an .npz file is one, too)" UNPACK),
    FORMAT("PK\5\6", 0, "is an empty zip archive" NOT_NUMBERS),
    FORMAT("\x1f\x8b\x08", 0, "is compressed by gzip" UNPACK),
    FORMAT("\x31\x41\x59\x26\x53\x59", 4, "is compressed by bzip2" UNPACK), /* after "BZh9" */
    FORMAT("\xfd"
           "7zXZ\0",
           0, "is compressed by xz" UNPACK),
    FORMAT("\x28\xb5\x2f\xfd", 0, "is compressed by zstd" UNPACK),
    FORMAT("\x04\x22\x4d\x18", 0, "is compressed by lz4" UNPACK),
    FORMAT("7z\xbc\xaf\x27\x1c", 0, "is a 7z archive" UNPACK),
    FORMAT("ustar", 257, "is a tar archive" UNPACK),
    FORMAT("\x89HDF\r\n\x1a\n", 0, "is an HDF5 file" CONVERT),
    FORMAT("PAR1", 0, "is a Parquet file" CONVERT),
    FORMAT("ARROW1", 0, "is an Arrow file" CONVERT),
    FORMAT("FEA1", 0, "is a Feather file" CONVERT),
    FORMAT("SQLite format 3", 0, "is an SQLite database" CONVERT),
    FORMAT("%PDF-", 0, "is a PDF document" NOT_NUMBERS),
    FORMAT("\x89PNG\r\n\x1a\n", 0, "is a PNG image" NOT_NUMBERS),
    FORMAT("\xff\xd8\xff\xe0", 0, "is a JPEG image" NOT_NUMBERS),
    FORMAT("\xff\xd8\xff\xe1", 0, "is a JPEG image" NOT_NUMBERS),
    FORMAT("\xff\xd8\xff\xdb", 0, "is a JPEG image" NOT_NUMBERS),
    FORMAT("\x7f"
           "ELF",
           0, "is an ELF program or library" NOT_NUMBERS),
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

/* -- text -------------------------------------------------------------------------------------- */

enum { MIN_TEXT = 16 };

/* Returns the number of bytes of the UTF-8 sequence at p that are among the left bytes of the block;
 * 0 if it is invalid. A sequence that the end of the block cuts off is valid. Overlong forms and surrogates are not
 * detected, which does not matter here. */
static size_t sequence_length(const unsigned char *p, size_t left)
{
    const size_t length = *p < 0x80                  ? 1
                          : *p >= 0xc2 && *p <= 0xdf ? 2
                          : *p >= 0xe0 && *p <= 0xef ? 3
                          : *p >= 0xf0 && *p <= 0xf4 ? 4
                                                     : 0;

    for (size_t i = 1; i < length && i < left; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return length > left ? left : length;
}

static bool is_text(const unsigned char *block, size_t size)
{
    size_t length;

    if (size < MIN_TEXT || memchr(block, '\n', size) == NULL)
        return false;
    for (size_t i = 0; i < size; i += length) {
        const unsigned char c = block[i];

        length = sequence_length(block + i, size - i);
        if (length == 0 || c == 0x7f || (c < ' ' && strchr("\t\n\f\r", c) == NULL) || c == '\0')
            return false;
    }
    return true;
}

const char *content_refusal(const unsigned char *block, size_t size)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const struct format *format = &formats[i];

        if (size >= format->offset + format->length &&
            memcmp(block + format->offset, format->magic, format->length) == 0)
            return format->refusal;
    }
    return is_text(block, size)
               ? "is text, and clsort sorts binary numbers; GNU sort sorts text (give --force to "
                 "sort its bytes)"
               : NULL;
}
