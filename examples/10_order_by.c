/* 10_order_by.c - order a table by several columns, each in a buffer of its own, as ORDER BY does in SQL
 *
 *     SELECT department, salary, hired, number FROM staff ORDER BY department, salary DESC, hired
 *
 * An argsort of the columns yields the order of the rows; then each column is gathered in this order. */
#include "need.h"

#include <stdint.h>

enum { ROWS = 100000, COLUMNS = 4, ORDERED = 3, DEPARTMENTS = 20 };

static uint8_t department[ROWS];
static double salary[ROWS];
static uint32_t hired[ROWS], number[ROWS];

/* The columns of the table. The first ones, ORDERED, order the rows, the most significant first. */
static const struct {
    clsort_column by;
    void *values;
    size_t size; /* of a value */
} table[COLUMNS] = {
    {{.key = CLSORT_U8}, department, sizeof *department},
    {{.key = CLSORT_F64, .flags = CLSORT_DESCENDING}, salary, sizeof *salary},
    {{.key = CLSORT_U32}, hired, sizeof *hired},
    {{.key = CLSORT_U32}, number, sizeof *number},
};

/* Makes the row of a person, which depends on the number only. */
static void fill_row(size_t i, uint32_t person)
{
    const uint32_t random = person * 2654435761u;
    number[i] = person;
    department[i] = (uint8_t)((random >> 8) % DEPARTMENTS);
    salary[i] = 2000 + 100 * ((random >> 16) % 80);
    hired[i] = 2000 + (random >> 24) % 25;
}

/* Returns whether row i is still that of one person. */
static int is_whole(size_t i)
{
    const uint8_t own_department = department[i];
    const double own_salary = salary[i];
    const uint32_t own_hired = hired[i];
    fill_row(i, number[i]);
    return own_department == department[i] && own_salary == salary[i] && own_hired == hired[i];
}

/* Returns whether row i precedes row i + 1. Rows that are equal in the order keep that of the table. */
static int is_in_order(size_t i)
{
    if (department[i] != department[i + 1])
        return department[i] < department[i + 1];
    if (salary[i] != salary[i + 1])
        return salary[i] > salary[i + 1];
    return hired[i] < hired[i + 1] || (hired[i] == hired[i + 1] && number[i] < number[i + 1]);
}

/* Sorts the columns, and writes the order of the rows to `order`: 32-bit indexes. */
static void find_order(clsort_engine *engine, cl_command_queue queue, const clsort_buffer *columns,
                       cl_mem order)
{
    clsort_column by[ORDERED];
    clsort_plan *plan;
    clsort_desc desc = CLSORT_DESC_INIT;
    for (size_t c = 0; c < ORDERED; c++)
        by[c] = table[c].by;
    desc.operation = CLSORT_ARGSORT;
    desc.columns = by;
    desc.column_count = ORDERED;
    desc.max_count = ROWS;
    need(clsort_plan_create(engine, &desc, &plan), "clsort_plan_create");

    clsort_io io = CLSORT_IO_INIT;
    io.count = ROWS;
    io.columns = columns;
    io.index_out.mem = order;
    need(clsort_enqueue(plan, queue, &io, 0, NULL, NULL), "clsort_enqueue");
    clsort_plan_destroy(plan);
}

/* Reads a column in the order of the rows. */
static void read_column(clsort_engine *engine, cl_command_queue queue, cl_mem order, cl_mem column,
                        void *values, size_t size)
{
    clsort_plan *plan;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = CLSORT_GATHER;
    desc.value_size = size;
    desc.max_count = ROWS;
    need(clsort_plan_create(engine, &desc, &plan), "clsort_plan_create");

    cl_context context;
    cl_int status;
    need(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL),
         "clGetCommandQueueInfo");
    clsort_io io = CLSORT_IO_INIT;
    io.count = io.source_count = ROWS;
    io.index.mem = order;
    io.values.mem = column;
    io.values_out.mem = clCreateBuffer(context, CL_MEM_READ_WRITE, ROWS * size, NULL, &status);
    need(status, "clCreateBuffer");
    need(clsort_enqueue(plan, queue, &io, 0, NULL, NULL), "clsort_enqueue");
    need(clEnqueueReadBuffer(queue, io.values_out.mem, CL_TRUE, 0, ROWS * size, values, 0, NULL,
                             NULL),
         "clEnqueueReadBuffer");
    clReleaseMemObject(io.values_out.mem);
    clsort_plan_destroy(plan);
}

int main(void)
{
    cl_device_id device;
    cl_int status;
    clsort_engine *engine;
    for (uint32_t i = 0; i < ROWS; i++)
        fill_row(i, i);
    need(clsort_find_device(getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    need(status, "clCreateContext");
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    need(status, "clCreateCommandQueue");
    need(clsort_engine_create(context, device, NULL, &engine), "clsort_engine_create");

    clsort_buffer columns[COLUMNS] = {{NULL, 0}};
    for (size_t c = 0; c < COLUMNS; c++) {
        columns[c].mem = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                        ROWS * table[c].size, table[c].values, &status);
        need(status, "clCreateBuffer");
    }
    const cl_mem order =
        clCreateBuffer(context, CL_MEM_READ_WRITE, ROWS * sizeof(uint32_t), NULL, &status);
    need(status, "clCreateBuffer");
    find_order(engine, queue, columns, order);
    for (size_t c = 0; c < COLUMNS; c++)
        read_column(engine, queue, order, columns[c].mem, table[c].values, table[c].size);

    int right = is_whole(ROWS - 1);
    for (size_t i = 0; i + 1 < ROWS; i++)
        right &= is_whole(i) && is_in_order(i);
    printf("%d rows in %d departments: %s\n", ROWS, DEPARTMENTS, right ? "ordered" : "NOT ordered");

    for (size_t c = 0; c < COLUMNS; c++)
        clReleaseMemObject(columns[c].mem);
    clReleaseMemObject(order);
    clsort_engine_destroy(engine);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
