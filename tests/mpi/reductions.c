/* SPDX-License-Identifier: BSD-3-Clause */
#include "reductions.h"

#include <string.h>

/* A prime: numbers below it are multiplied without overflow. */
enum { PRIME = 10007 };

static int abuses;
struct environment reduction_environment;

int reduction_abuses(void)
{
    int found = abuses;
    abuses = 0;
    return found;
}

/* Values. */

static void fill_ints(char *element, uint64_t drawn, int count)
{
    for (int i = 0; i < count; i++) {
        int value = (int)((drawn >> 13 * i) % PRIME);
        memcpy(element + 4 * i, &value, 4);
    }
}

static void fill_byte(char *element, uint64_t drawn)
{
    *element = (char)drawn;
}

static void fill_int(char *element, uint64_t drawn)
{
    fill_ints(element, drawn, 1);
}

static void fill_two(char *element, uint64_t drawn)
{
    fill_ints(element, drawn, 2);
}

static void fill_three(char *element, uint64_t drawn)
{
    fill_ints(element, drawn, 3);
}

static void fill_four(char *element, uint64_t drawn)
{
    fill_ints(element, drawn, 4);
}

static void fill_double(char *element, uint64_t drawn)
{
    double value = (double)(drawn % 2048) / 8 - 100;
    memcpy(element, &value, 8);
}

/* Few values, so that there are ties. */
static void fill_double_int(char *element, uint64_t drawn)
{
    double value = (double)(drawn % 3) - 1;
    int index = (int)(drawn >> 8) % 1000;
    memcpy(element, &value, 8);
    memcpy(element + 8, &index, 4);
}

static void fill_located(char *element, uint64_t drawn)
{
    int pair[2] = {(int)(drawn % 3), (int)(drawn >> 8) % 1000};
    memcpy(element, pair, 8);
}

/* What they do. */

static void sum(const char *left, char *right)
{
    int a, b;
    memcpy(&a, left, 4);
    memcpy(&b, right, 4);
    b += a;
    memcpy(right, &b, 4);
}

static void sum_doubles(const char *left, char *right)
{
    double a, b;
    memcpy(&a, left, 8);
    memcpy(&b, right, 8);
    b += a;
    memcpy(right, &b, 8);
}

static void greater(const char *left, char *right)
{
    double a, b;
    memcpy(&a, left, 8);
    memcpy(&b, right, 8);
    if (a > b)
        memcpy(right, left, 8);
}

static void exclusive_or(const char *left, char *right)
{
    *right = (char)(*right ^ *left);
}

static void least_with_index(const char *left, char *right)
{
    double a, b;
    int i, j;
    memcpy(&a, left, 8);
    memcpy(&b, right, 8);
    memcpy(&i, left + 8, 4);
    memcpy(&j, right + 8, 4);
    if (a < b || (!(b < a) && i < j))
        memcpy(right, left, 12);
}

static void greatest_with_index(const char *left, char *right)
{
    int a[2], b[2];
    memcpy(a, left, 8);
    memcpy(b, right, 8);
    if (a[0] > b[0] || (a[0] == b[0] && a[1] < b[1]))
        memcpy(right, left, 8);
}

static void sum_of_three(const char *left, char *right)
{
    int a[3], b[3];
    memcpy(a, left, 12);
    memcpy(b, right, 12);
    for (int i = 0; i < 3; i++)
        b[i] = (a[i] + b[i]) % PRIME;
    memcpy(right, b, 12);
}

/* Matrices of two rows and columns. */
static void product(const char *left, char *right)
{
    int a[4], b[4], c[4];
    memcpy(a, left, 16);
    memcpy(b, right, 16);
    for (int i = 0; i < 4; i++)
        c[i] = (a[i / 2 * 2] * b[i % 2] + a[i / 2 * 2 + 1] * b[i % 2 + 2]) % PRIME;
    memcpy(right, c, 16);
}

/* Maps x → a x + b, the left one applied last. */
static void after(const char *left, char *right)
{
    int f[2], g[2], h[2];
    memcpy(f, left, 8);
    memcpy(g, right, 8);
    h[0] = f[0] * g[0] % PRIME;
    h[1] = (f[0] * g[1] + f[1]) % PRIME;
    memcpy(right, h, 8);
}

/* The program's own, as MPI calls them: elements lie as their datatype says. */

static struct layout laid[24]; /* of each, as this rank's elements lie */

void reduction_lay(const struct reduction *reduction, const struct layout *layout)
{
    laid[reduction - reductions] = *layout;
}

int reduction_size(const struct reduction *reduction)
{
    static int known[sizeof laid / sizeof *laid];
    int *size = &known[reduction - reductions];
    if (*size == 0) {
        struct layout layout;
        reduction->layout[0](&layout, 0);
        layout_free(&layout);
        *size = layout.size;
    }
    return *size;
}

static void apply(const struct reduction *reduction, const char *in, char *inout, int count,
                  MPI_Datatype type)
{
    const struct layout *layout = &laid[reduction - reductions];
    char left[LAYOUT_SIZE_MAX], right[LAYOUT_SIZE_MAX];
    MPI_Aint lower, extent;
    int size, integers, addresses, types, combiner;
    /* What operators of real programs ask. */
    PMPI_Type_get_extent(type, &lower, &extent);
    PMPI_Type_size(type, &size);
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    abuses += !environment_is(&reduction_environment);
    abuses += extent != layout->extent || size != layout->size || count < 0 || (in == inout && count > 0);
    for (int64_t k = 0; k < count; k++) {
        for (int i = 0; i < layout->size; i++) {
            left[i] = in[k * layout->extent + layout->map[i]];
            right[i] = inout[k * layout->extent + layout->map[i]];
        }
        reduction->combine(left, right);
        for (int i = 0; i < layout->size; i++)
            inout[k * layout->extent + layout->map[i]] = right[i];
    }
}

enum { THREES = 6, MATRICES, MAPS, WOVEN, WOVEN_MAPS, DIFFERENT, DOWNWARDS };

#define OWN(name, which)                                                                                     \
    static void name(void *in, void *inout, int *count, MPI_Datatype *type)                                  \
    {                                                                                                        \
        apply(&reductions[which], in, inout, *count, *type);                                                 \
    }
OWN(apply_threes, THREES)
OWN(apply_matrices, MATRICES)
OWN(apply_maps, MAPS)
OWN(apply_woven, WOVEN)
OWN(apply_woven_maps, WOVEN_MAPS)
OWN(apply_different, DIFFERENT)
OWN(apply_downwards, DOWNWARDS)

#define BOTH(layout)                                                                                         \
    {                                                                                                        \
        layout, layout                                                                                       \
    }
const struct reduction reductions[] = {
    {"sum", BOTH(layout_int), true, MPI_SUM, NULL, fill_int, sum},
    {"sum-doubles", BOTH(layout_double), true, MPI_SUM, NULL, fill_double, sum_doubles},
    {"max", BOTH(layout_double), true, MPI_MAX, NULL, fill_double, greater},
    {"bxor", BOTH(layout_byte), true, MPI_BXOR, NULL, fill_byte, exclusive_or},
    {"minloc", BOTH(layout_double_int), true, MPI_MINLOC, NULL, fill_double_int, least_with_index},
    {"maxloc", BOTH(layout_two_ints), true, MPI_MAXLOC, NULL, fill_located, greatest_with_index},
    [THREES] = {"threes", BOTH(layout_vector), true, MPI_OP_NULL, apply_threes, fill_three, sum_of_three},
    [MATRICES] = {"matrices", BOTH(layout_four_ints), false, MPI_OP_NULL, apply_matrices, fill_four, product},
    [MAPS] = {"maps", BOTH(layout_lower_bound), false, MPI_OP_NULL, apply_maps, fill_two, after},
    [WOVEN] = {"woven", BOTH(layout_woven), true, MPI_OP_NULL, apply_woven, fill_three, sum_of_three},
    [WOVEN_MAPS] = {"woven-maps",
                    {layout_woven_two, layout_skipping},
                    false,
                    MPI_OP_NULL,
                    apply_woven_maps,
                    fill_two,
                    after},
    [DIFFERENT] = {"different",
                   {layout_vector, layout_woven},
                   true,
                   MPI_OP_NULL,
                   apply_different,
                   fill_three,
                   sum_of_three},
    [DOWNWARDS] = {"downwards",
                   {layout_woven_backwards, layout_downwards},
                   true,
                   MPI_OP_NULL,
                   apply_downwards,
                   fill_three,
                   sum_of_three},
};
const int reduction_count = sizeof reductions / sizeof *reductions;

const struct reduction *reduction_named(const char *name)
{
    for (int i = 0; i < reduction_count; i++)
        if (strcmp(reductions[i].name, name) == 0)
            return &reductions[i];
    return NULL;
}

MPI_Op reduction_make(const struct reduction *reduction)
{
    MPI_Op op = reduction->predefined;
    if (reduction->function != NULL)
        PMPI_Op_create(reduction->function, reduction->commutative, &op);
    return op;
}

void reduction_release(const struct reduction *reduction, MPI_Op *op)
{
    if (reduction->function != NULL)
        PMPI_Op_free(op);
}
