/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/signature.h"
#include "exec/side.h"
#include "runtime/operations.h"
#include "runtime/operators.h"

#include <stdlib.h>

/* A type made of itself so many times is none that a program makes by hand. */
enum { DEPTH_MOST = 32 };

static bool append(struct star_signature *signature, const struct star_numbers_run *run)
{
    struct star_numbers_run *last = signature->runs > 0 ? &signature->run[signature->runs - 1] : NULL;
    if (run->count == 0)
        return true;
    if (last != NULL && last->width == run->width && last->floating == run->floating) {
        last->count += run->count;
        return true;
    }
    if (signature->runs == STAR_SIGNATURE_MOST)
        return false;
    signature->run[signature->runs++] = *run;
    return true;
}

static bool append_bytes(struct star_signature *signature, int64_t bytes)
{
    return append(signature, &(struct star_numbers_run){.count = bytes, .width = 1});
}

/* COUNT floating-point numbers of so many BYTES together. */
static bool append_numbers(struct star_signature *signature, int64_t count, int64_t bytes)
{
    int64_t width = bytes / count;
    bool known = width == sizeof(float) || width == sizeof(double) || width == sizeof(long double);
    return known && append(signature, &(struct star_numbers_run){count, (int32_t)width, true});
}

static bool append_named(struct star_signature *signature, MPI_Datatype type)
{
    int64_t bytes = star_bytes_of(1, type);
    switch (star_numbers_of(type)) {
    case STAR_NUMBERS_EXACT:
    case STAR_NUMBERS_BYTES:
        return append_bytes(signature, bytes);
    case STAR_NUMBERS_FLOATING:
        return append_numbers(signature, 1, bytes);
    case STAR_NUMBERS_COMPLEX:
    case STAR_NUMBERS_TWO:
        return append_numbers(signature, 2, bytes);
    case STAR_NUMBERS_LOCATED:
        return append_numbers(signature, 1, bytes - (int64_t)sizeof(int)) &&
               append_bytes(signature, sizeof(int));
    case STAR_NUMBERS_OTHER:
        break;
    }
    return false;
}

static bool append_times(struct star_signature *signature, const struct star_signature *inner, int64_t times)
{
    bool fits = true;
    if (inner->runs == 1) {
        struct star_numbers_run run = inner->run[0];
        run.count *= times;
        return append(signature, &run);
    }
    for (int64_t i = 0; fits && inner->runs > 0 && i < times; i++)
        for (int k = 0; fits && k < inner->runs; k++)
            fits = append(signature, &inner->run[k]);
    return fits;
}

/* What MPI tells of how a type was made; of a struct, integers or, of one with large counts, counts tell how
 * many there are of each type. */
struct contents {
    int combiner;
    MPI_Count integers, addresses, counts, types;
    int *integer;
    MPI_Aint *address;
    MPI_Count *count;
    MPI_Datatype *type;
};

#if MPI_VERSION >= 4
static int envelope_of(MPI_Datatype type, struct contents *c)
{
    return PMPI_Type_get_envelope_c(type, &c->integers, &c->addresses, &c->counts, &c->types, &c->combiner);
}

static int contents_of(MPI_Datatype type, struct contents *c)
{
    return PMPI_Type_get_contents_c(type, c->integers, c->addresses, c->counts, c->types, c->integer,
                                    c->address, c->count, c->type);
}
#else
static int envelope_of(MPI_Datatype type, struct contents *c)
{
    int integers = 0, addresses = 0, types = 0;
    int error = PMPI_Type_get_envelope(type, &integers, &addresses, &types, &c->combiner);
    c->integers = integers;
    c->addresses = addresses;
    c->types = types;
    return error;
}

static int contents_of(MPI_Datatype type, struct contents *c)
{
    return PMPI_Type_get_contents(type, (int)c->integers, (int)c->addresses, (int)c->types, c->integer,
                                  c->address, c->type);
}
#endif

/* How often part I of the type, of INNER bytes, comes in one of SIZE bytes. */
static int64_t times_of(const struct contents *c, MPI_Count i, int64_t size, int64_t inner)
{
    if (c->types > 1 || c->combiner == MPI_COMBINER_STRUCT)
        return c->counts > 0 ? c->count[i + 1] : c->integer[i + 1];
    return inner > 0 ? size / inner : 0;
}

static bool describe(MPI_Datatype type, int depth, struct star_signature *signature);

static bool append_parts(struct star_signature *signature, const struct contents *c, int64_t size, int depth)
{
    struct star_signature *inner = malloc(sizeof *inner);
    bool known = inner != NULL;
    for (MPI_Count i = 0; known && i < c->types; i++) {
        inner->runs = 0;
        known = describe(c->type[i], depth - 1, inner) &&
                append_times(signature, inner, times_of(c, i, size, star_bytes_of(1, c->type[i])));
    }
    free(inner);
    return known;
}

static bool append_made(struct star_signature *signature, MPI_Datatype type, struct contents *c, int depth)
{
    c->integer = calloc((size_t)c->integers + 1, sizeof *c->integer);
    c->address = calloc((size_t)c->addresses + 1, sizeof *c->address);
    c->count = calloc((size_t)c->counts + 1, sizeof *c->count);
    c->type = calloc((size_t)c->types + 1, sizeof *c->type);
    bool known = c->integer && c->address && c->count && c->type && contents_of(type, c) == MPI_SUCCESS;
    if (known) {
        known = append_parts(signature, c, star_bytes_of(1, type), depth);
        for (MPI_Count i = 0; i < c->types; i++)
            star_inner_free(&c->type[i]);
    }
    free(c->integer);
    free(c->address);
    free(c->count);
    free(c->type);
    return known;
}

static bool describe(MPI_Datatype type, int depth, struct star_signature *signature)
{
    struct contents contents = {0};
    if (depth == 0 || envelope_of(type, &contents) != MPI_SUCCESS)
        return false;
    switch (contents.combiner) {
    case MPI_COMBINER_NAMED:
        return append_named(signature, type);
    case MPI_COMBINER_F90_REAL:
        return append_numbers(signature, 1, star_bytes_of(1, type));
    case MPI_COMBINER_F90_COMPLEX:
        return append_numbers(signature, 2, star_bytes_of(1, type));
    case MPI_COMBINER_F90_INTEGER:
        return append_bytes(signature, star_bytes_of(1, type));
    default:
        return append_made(signature, type, &contents, depth);
    }
}

bool star_signature_of(MPI_Datatype type, struct star_signature *signature)
{
    *signature = (struct star_signature){0};
    if (!describe(type, DEPTH_MOST, signature)) {
        *signature = (struct star_signature){0};
        return false;
    }
    for (int k = 0; k < signature->runs; k++) {
        const struct star_numbers_run *run = &signature->run[k];
        signature->bytes += run->count * run->width;
        signature->numbers += run->floating ? run->count : 0;
    }
    return true;
}
