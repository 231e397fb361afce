/* SPDX-License-Identifier: BSD-3-Clause
 * Reductions of floating-point numbers: another order of the same operations gives other bits, so that two
 * results are compared within what rounding can do.
 *
 * SUM: each order of P numbers errs by at most (P − 1) u Σ|x|, where u is half of epsilon, or epsilon if the
 * program does not round to nearest; two orders differ by less than 4 P epsilon Σ|x|, and by P least normal
 * numbers where the program flushes what is less to zero. PROD: 4 P epsilon of the product, where no partial
 * product can leave the range of normal numbers: where Σ|log2 |x|| is small enough. MIN and MAX: the same
 * value, unless there is a NaN, for which order matters. A bound that is not finite compares nothing.
 *
 * Results are calculated in the program's floating-point environment, and compared in the default one: in all
 * of it, as long double is used (util/fpenv.h). */
#include "runtime/verify.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* The floating-point numbers of an element. */
struct form {
    int parts;             /* 2: complex */
    int64_t width;         /* of a part, in bytes */
    double epsilon, least; /* LEAST: the least normal number; 0 of long double, which is never flushed */
    double exponent;       /* of the largest and the least normal number, with some room */
};

static struct form form_of(MPI_Datatype type)
{
    struct form form = {.parts = star_numbers_of(type) == STAR_NUMBERS_COMPLEX ? 2 : 1};
    form.width = star_bytes_of(1, type) / form.parts;
    form.epsilon = form.width == sizeof(float)    ? (double)FLT_EPSILON
                   : form.width == sizeof(double) ? DBL_EPSILON
                                                  : (double)LDBL_EPSILON;
    form.least = form.width == sizeof(float) ? (double)FLT_MIN : form.width == sizeof(double) ? DBL_MIN : 0;
    form.exponent = form.width == sizeof(float) ? 120 : form.width == sizeof(double) ? 1000 : 16000;
    return form;
}

enum star_comparison star_comparison_of(const struct star_call *call)
{
    int number;
    enum star_numbers numbers = star_numbers_of(call->recvtype);
    if (star_operator_name(call->op, &number) == NULL) /* the program's own */
        return numbers == STAR_NUMBERS_EXACT ? STAR_BITWISE : STAR_NOT_COMPARED;
    bool rounds = numbers == STAR_NUMBERS_FLOATING || numbers == STAR_NUMBERS_COMPLEX;
    int64_t width = form_of(call->recvtype).width;
    if (!rounds)
        return STAR_BITWISE;
    bool known = width == sizeof(float) || width == sizeof(double) || width == sizeof(long double);
    return known ? STAR_WITHIN_BOUND : STAR_NOT_COMPARED;
}

/* Number I; numbers lie one behind the other, in elements of named types. */
static long double value(const struct form *form, const char *numbers, int64_t i)
{
    float single;
    double twice;
    long double extended;
    const char *at = numbers + i * form->width;
    if (form->width == sizeof single)
        return memcpy(&single, at, sizeof single), single;
    if (form->width == sizeof twice)
        return memcpy(&twice, at, sizeof twice), twice;
    return memcpy(&extended, at, sizeof extended), extended;
}

static long double magnitude(const struct form *form, const char *numbers, int64_t element)
{
    if (form->parts == 1)
        return fabsl(value(form, numbers, element));
    return hypotl(value(form, numbers, 2 * element), value(form, numbers, 2 * element + 1));
}

static void weigh(const struct star_call *call, const char *input, int64_t count, double *weights)
{
    struct form form = form_of(call->recvtype);
    for (int64_t i = 0; i < count; i++) {
        long double x = magnitude(&form, input, i);
        if (call->op == MPI_PROD)
            weights[i] = x == 0 ? 0 : (double)fabsl(log2l(x));
        else if (call->op == MPI_SUM)
            weights[i] = (double)x;
        else
            weights[i] = isnan(x) ? NAN : 0;
    }
}

void star_rounding_weights(const struct star_call *call, const char *input, int64_t count, double *weights)
{
    fenv_t program;
    fegetenv(&program);
    fesetenv(FE_DFL_ENV);
    weigh(call, input, count, weights);
    fesetenv(&program);
}

/* How far apart two results of element I may be; not finite: any distance. */
static long double bound_of(const struct star_call *call, const struct form *form, const char *native,
                            int64_t i, double weight, int ranks)
{
    double unit = 4 * ranks * form->epsilon;
    if (!isfinite(weight))
        return INFINITY;
    if (call->op == MPI_SUM)
        return unit * (long double)weight + ranks * form->least;
    if (call->op == MPI_PROD)
        return weight > form->exponent ? INFINITY : unit * form->parts * magnitude(form, native, i);
    return 0;
}

static int64_t compare(const struct star_call *call, const char *result, const char *native, int64_t count,
                       const double *weights, int ranks)
{
    struct form form = form_of(call->recvtype);
    for (int64_t i = 0; i < count; i++) {
        long double bound = bound_of(call, &form, native, i, weights[i], ranks);
        if (!isfinite(bound))
            continue;
        for (int part = 0; part < form.parts; part++) {
            int64_t k = i * form.parts + part;
            long double distance = fabsl(value(&form, result, k) - value(&form, native, k));
            if (!(distance <= bound)) /* also where one of them is a NaN */
                return i;
        }
    }
    return -1;
}

int64_t star_rounding_compare(const struct star_call *call, const char *result, const char *native,
                              int64_t count, const double *weights, int ranks)
{
    fenv_t program;
    fegetenv(&program);
    fesetenv(FE_DFL_ENV);
    int64_t where = compare(call, result, native, count, weights, ranks);
    fesetenv(&program);
    return where;
}
