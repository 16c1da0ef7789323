/* orders.c - orders of keys, callers' own in OpenCL C and once more in C: keys for them, and a sort by them */
#include "orders.h"

#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- structs and vectors --------------------------------------------------------------------------- */

struct particle {
    float x;
    uint32_t y;
};

static bool particle_before(const void *a, const void *b)
{
    struct particle p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return p.x < q.x || (p.x == q.x && p.y > q.y);
}

/* -0 equals +0, which shows in the bits whether the sort is stable. */
static void particle_set(uint64_t random, void *key)
{
    const float x = (float)(random % 30) / 4 - 3;
    const struct particle particle = {x == 0 && random & 1u << 9 ? -x : x, random >> 16 & 7};
    memcpy(key, &particle, sizeof particle);
}

/* More alignment than the arrays have. */
static bool quad_before(const void *a, const void *b)
{
    int32_t p[4], q[4];
    memcpy(p, a, sizeof p);
    memcpy(q, b, sizeof q);
    return p[3] < q[3] || (p[3] == q[3] && p[0] < q[0]);
}

static void quad_set(uint64_t random, void *key)
{
    const int32_t w = (int32_t)(random % 20) - 10;
    memcpy((char *)key + 12, &w, sizeof w);
    ((char *)key)[0] = (char)(random >> 20 & 1);
    memset((char *)key + 1, 0, 3);
}

struct date {
    uint32_t id;
    uint16_t year;
    uint8_t month, day;
    int32_t second;
};

static bool date_before(const void *a, const void *b)
{
    struct date p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    const long left[] = {p.year, p.month, p.day, p.second},
               right[] = {q.year, q.month, q.day, q.second};
    size_t i = 0;
    while (i < 3 && left[i] == right[i])
        i++;
    return left[i] < right[i];
}

static void date_set(uint64_t random, void *key)
{
    struct date date;
    memcpy(&date, key, sizeof date);
    date.year = (uint16_t)(2000 + random % 3);
    date.month = (uint8_t)(1 + random / 3 % 12);
    date.second = (int32_t)(random >> 32 & 3) - 2;
    date.day = 1;
    memcpy(key, &date, sizeof date);
}

static bool packed_before(const void *a, const void *b)
{
    uint32_t p, q;
    memcpy(&p, (const char *)a + 1, sizeof p);
    memcpy(&q, (const char *)b + 1, sizeof q);
    return p < q;
}

static void packed_set(uint64_t random, void *key)
{
    const uint32_t number = (uint32_t)(random % 100) << 10;
    memcpy((char *)key + 1, &number, sizeof number);
}

struct record {
    int64_t rank;
    int8_t name[32];
};

static bool record_before(const void *a, const void *b)
{
    struct record p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return p.rank > q.rank || (p.rank == q.rank && p.name[31] < q.name[31]);
}

static void record_set(uint64_t random, void *key)
{
    struct record record;
    memcpy(&record, key, sizeof record);
    record.rank = (int64_t)(random % 100) - 50;
    memcpy(key, &record, sizeof record);
}

static bool row_before(const void *a, const void *b)
{
    uint32_t p[50], q[50];
    memcpy(p, a, sizeof p);
    memcpy(q, b, sizeof q);
    return p[49] < q[49] || (p[49] == q[49] && p[0] < q[0]);
}

static void row_set(uint64_t random, void *key)
{
    const uint32_t last = (uint32_t)(random % 500);
    memcpy((char *)key + 196, &last, sizeof last);
}

/* -- bytes ------------------------------------------------------------------------------------------ */

static bool nibble_before(const void *a, const void *b)
{
    return (*(const uint8_t *)a & 15) < (*(const uint8_t *)b & 15);
}

static unsigned light_of(const void *key)
{
    const uint8_t *colour = key;
    return 2u * colour[0] + 7u * colour[1] + colour[2];
}

static bool colour_before(const void *a, const void *b)
{
    return light_of(a) < light_of(b);
}

static bool text_before(const void *a, const void *b)
{
    return strncmp(a, b, 16) < 0;
}

/* Texts of few letters; some fill the key, and behind others there is more that does not count. */
static void text_set(uint64_t random, void *key)
{
    char *text = key;
    const size_t length = random % 17;
    for (size_t i = 0; i < length; i++)
        text[i] = (char)(i < 8 ? 'a' : 'a' + (int)(random >> (8 + i) & 1));
    if (length < 16)
        text[length] = '\0';
}

static bool never(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return false;
}

static void leave(uint64_t random, void *key)
{
    (void)random;
    (void)key;
}

#define CUSTOM(name, size) name, CLSORT_CUSTOM, 0, size

const struct order orders_custom[] = {
    {CUSTOM("particle", 8), "typedef struct {\n    float x;\n    uint y;\n} particle;\n",
     "particle", "a.x < b.x || (a.x == b.x && a.y > b.y)", particle_before, particle_set},
    {CUSTOM("text", 16),
     "typedef struct {\n"
     "    uchar at[16];\n"
     "} text;\n"
     "bool before(const text *a, const text *b)\n"
     "{\n"
     "    int i = 0;\n"
     "    while (i < 15 && a->at[i] == b->at[i] && a->at[i] != 0)\n"
     "        i++;\n"
     "    return a->at[i] < b->at[i];\n"
     "}",
     "text", "before(&a, &b)", text_before, text_set},
    {CUSTOM("nibble", 1), NULL, "uchar", "(a & 15) < (b & 15)", nibble_before, leave},
    {CUSTOM("colour", 3),
     "struct colour { uchar r, g, b; };\n"
     "#define LIGHT(c) (2u * c.r + 7u * c.g + c.b)",
     "struct colour", "LIGHT(a) < LIGHT(b) // the darker one", colour_before, leave},
    {CUSTOM("date", 12), "typedef struct { uint id; ushort year; uchar month, day; int s; } date;",
     "date",
     "a.year != b.year ? a.year < b.year : a.month != b.month ? a.month < b.month\n"
     ": a.day != b.day ? a.day < b.day : a.s < b.s",
     date_before, date_set},
    {CUSTOM("packed", 8),
     "struct __attribute__((packed)) bits { uchar kind; uint number; uchar rest[3]; };",
     "struct bits", "a.number < b.number", packed_before, packed_set},
    {CUSTOM("quad", 16), "", "int4", "a.w < b.w || (a.w == b.w && a.x < b.x)", quad_before,
     quad_set},
    {CUSTOM("record", 40), "struct record { long rank; char name[32]; };", "struct record",
     "a.rank > b.rank || (a.rank == b.rank && a.name[31] < b.name[31])", record_before, record_set},
    {CUSTOM("row", 200), "typedef struct { uint at[50]; } row;", "row",
     "a.at[49] < b.at[49] || (a.at[49] == b.at[49] && a.at[0] < b.at[0])", row_before, row_set},
    {CUSTOM("equal", 4), NULL, "uint", "0", never, leave},
    {NULL, CLSORT_CUSTOM, 0, 0, NULL, NULL, NULL, NULL, NULL},
};

/* -- no orders --------------------------------------------------------------------------------------- */

/* One program for several of them: keys say which. */
enum { NOT_STRICT, RANDOM, CYCLIC, WITH_NANS };
static const char WRONG[] =
    "struct pair { uint which, y; };\n"
    "bool before(const struct pair a, const struct pair b)\n"
    "{\n"
    "    switch (a.which) {\n"
    "    case 0:\n"
    "        return a.y <= b.y;\n"
    "    case 1:\n"
    "        return (a.y * 0x9e3779b1u ^ b.y * 0x85ebca6bu) >> 13 & 1;\n"
    "    case 2:\n"
    "        return (a.y % 3 + 1) % 3 == b.y % 3;\n"
    "    default:\n"
    "        return as_float(a.y) < as_float(b.y);\n"
    "    }\n"
    "}\n";

static void wrong_set(uint32_t which, uint32_t y, void *key)
{
    const uint32_t pair[] = {which, y};
    memcpy(key, pair, sizeof pair);
}

static void not_strict_set(uint64_t random, void *key)
{
    wrong_set(NOT_STRICT, (uint32_t)(random % 1000), key);
}

static void random_set(uint64_t random, void *key)
{
    wrong_set(RANDOM, (uint32_t)random, key);
}

static void cyclic_set(uint64_t random, void *key)
{
    wrong_set(CYCLIC, (uint32_t)(random % 3000), key);
}

static void with_nans_set(uint64_t random, void *key)
{
    const float number = random % 5 == 0 ? NAN : (float)(random % 1000);
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    wrong_set(WITH_NANS, bits, key);
}

#define NO_ORDER(name) CUSTOM(name, 8), WRONG, "struct pair", "before(a, b)", NULL

const struct order orders_wrong[] = {
    {CUSTOM("always", 8), NULL, "ulong", "1", NULL, leave},
    {NO_ORDER("not strict"), not_strict_set},
    {NO_ORDER("random"), random_set},
    {NO_ORDER("cyclic"), cyclic_set},
    {NO_ORDER("with NaNs"), with_nans_set},
    {NULL, CLSORT_CUSTOM, 0, 0, NULL, NULL, NULL, NULL, NULL},
};

/* -- keys, and sorting them --------------------------------------------------------------------------- */

struct order order_of(clsort_key key, uint32_t flags)
{
    const struct data_type *type = data_type_of(key);
    return (struct order){.name = type->name, .key = key, .flags = flags, .key_size = type->size};
}

bool order_fill(const struct order *order, uint64_t seed, void *keys, size_t count)
{
    if (order->key != CLSORT_CUSTOM)
        return data_fill(data_type_of(order->key), seed % 2 ? DATA_FEW : DATA_SPECIAL, seed, keys,
                         count);
    for (size_t i = 0; i < count; i++) {
        uint64_t random;
        char *key = (char *)keys + i * order->key_size;
        reference_value(seed << 32 ^ i, sizeof random, &random);
        reference_value(random, order->key_size, key);
        order->set(random, key);
    }
    return true;
}

/* For qsort, which has no place for it. */
static bool (*before)(const void *a, const void *b);

/* Equal keys in the order of their places: so that the sort is stable. */
static int compare(const void *a, const void *b)
{
    const char *const *p = a, *const *q = b;
    if (before(*p, *q))
        return -1;
    if (before(*q, *p))
        return 1;
    return *p < *q ? -1 : 1;
}

bool order_sort(const struct order *order, const void *keys, size_t count, size_t *places)
{
    if (order->key != CLSORT_CUSTOM) {
        const struct reference reference = {data_type_of(order->key), order->flags, 0, 0};
        return reference_order(&reference, keys, count, places);
    }
    const char **sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (const char *)keys + i * order->key_size;
    before = order->before;
    qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 0; i < count; i++)
        places[i] = (size_t)(sorted[i] - (const char *)keys) / order->key_size;
    free(sorted);
    return true;
}
