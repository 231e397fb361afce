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
#include "runtime/rounding.h"
#include "runtime/operations.h"
#include "runtime/operators.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

static fenv_t make_default(void)
{
    fenv_t program;
    fegetenv(&program);
    fesetenv(FE_DFL_ENV);
    return program;
}

static void restore(const fenv_t *program)
{
    fesetenv(program);
}

/* As STAR_FPENV_DEFAULT, for what uses long double. */
#define DEFAULT_ENVIRONMENT const fenv_t program __attribute__((unused, cleanup(restore))) = make_default()

/* The floating-point numbers of an element. */
struct form {
    int parts;             /* 2: complex */
    int64_t width;         /* of a part, in bytes */
    double epsilon, least; /* LEAST: the least normal number; 0 of long double, which is never flushed */
    double exponent;       /* of the largest and the least normal number, with some room */
};

static double epsilon_of(int64_t width)
{
    return width == sizeof(float)    ? (double)FLT_EPSILON
           : width == sizeof(double) ? DBL_EPSILON
                                     : (double)LDBL_EPSILON;
}

static bool is_number(int64_t width)
{
    return width == sizeof(float) || width == sizeof(double) || width == sizeof(long double);
}

static struct form form_of(MPI_Datatype type)
{
    struct form form = {.parts = star_numbers_of(type) == STAR_NUMBERS_COMPLEX ? 2 : 1};
    form.width = star_bytes_of(1, type) / form.parts;
    form.epsilon = epsilon_of(form.width);
    form.least = form.width == sizeof(float) ? (double)FLT_MIN : form.width == sizeof(double) ? DBL_MIN : 0;
    form.exponent = form.width == sizeof(float) ? 120 : form.width == sizeof(double) ? 1000 : 16000;
    return form;
}

enum star_comparison star_comparison_of(const struct star_call *call)
{
    int number;
    enum star_numbers numbers = star_numbers_of(call->recvtype);
    if (star_operator_name(call->op, &number) == NULL)
        return STAR_BY_NUMBERS;
    bool rounds = numbers == STAR_NUMBERS_FLOATING || numbers == STAR_NUMBERS_COMPLEX;
    if (!rounds)
        return STAR_BITWISE;
    return is_number(form_of(call->recvtype).width) ? STAR_WITHIN_BOUND : STAR_NOT_COMPARED;
}

static long double number_at(const char *at, int64_t width)
{
    float single;
    double twice;
    long double extended;
    if (width == sizeof single)
        return memcpy(&single, at, sizeof single), single;
    if (width == sizeof twice)
        return memcpy(&twice, at, sizeof twice), twice;
    return memcpy(&extended, at, sizeof extended), extended;
}

/* Number I; numbers lie one behind the other, in elements of named types. */
static long double value(const struct form *form, const char *numbers, int64_t i)
{
    return number_at(numbers + i * form->width, form->width);
}

static long double magnitude(const struct form *form, const char *numbers, int64_t element)
{
    if (form->parts == 1)
        return fabsl(value(form, numbers, element));
    return hypotl(value(form, numbers, 2 * element), value(form, numbers, 2 * element + 1));
}

void star_rounding_weights(const struct star_call *call, const char *input, int64_t count, double *weights)
{
    DEFAULT_ENVIRONMENT;
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

int64_t star_rounding_compare(const struct star_call *call, const char *result, const char *native,
                              int64_t count, const double *weights, int ranks)
{
    DEFAULT_ENVIRONMENT;
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

void star_numbers_weights(const struct star_signature *signature, const char *input, int64_t elements,
                          double *weights)
{
    DEFAULT_ENVIRONMENT;
    for (int64_t k = 0; k < elements; k++)
        for (int r = 0; r < signature->runs; r++) {
            const struct star_numbers_run *run = &signature->run[r];
            for (int64_t i = 0; run->floating && i < run->count; i++)
                *weights++ = (double)fabsl(number_at(input + i * run->width, run->width));
            input += run->count * run->width;
        }
}

/* The largest number of an element; infinite where a rank's was none. */
static double scale_of(const struct star_signature *signature, const char *element, const double *weights)
{
    double scale = 0, own;
    for (int r = 0; r < signature->runs; r++) {
        const struct star_numbers_run *run = &signature->run[r];
        for (int64_t i = 0; run->floating && i < run->count; i++, weights++) {
            own = (double)fabsl(number_at(element + i * run->width, run->width));
            scale =
                isfinite(*weights) ? fmax(scale, isfinite(own) ? fmax(own, *weights) : *weights) : INFINITY;
            if (isinf(scale))
                return scale;
        }
        element += run->count * run->width;
    }
    return scale;
}

/* EXACT: the same bits; but those of a long double are fewer than its bytes. */
static bool is_same_run(const struct star_numbers_run *run, const char *result, const char *native,
                        double bound, bool exact)
{
    if (!run->floating || (exact && run->width <= (int)sizeof(double)))
        return memcmp(result, native, (size_t)(run->count * run->width)) == 0;
    for (int64_t i = 0; i < run->count; i++) {
        long double a = number_at(result + i * run->width, run->width),
                    b = number_at(native + i * run->width, run->width);
        if (isfinite(b) && !(fabsl(a - b) <= bound))
            return false;
    }
    return true;
}

static bool is_same_element(const struct star_signature *signature, const char *result, const char *native,
                            double scale, bool exact)
{
    bool same = true;
    for (int r = 0; same && r < signature->runs; r++) {
        const struct star_numbers_run *run = &signature->run[r];
        double bound = run->floating ? sqrt(epsilon_of(run->width)) * scale : 0;
        same = !isfinite(bound) || is_same_run(run, result, native, bound, exact);
        result += run->count * run->width;
        native += run->count * run->width;
    }
    return same;
}

int64_t star_numbers_compare(const struct star_signature *signature, const char *result, const char *native,
                             int64_t elements, const double *weights, bool exact)
{
    DEFAULT_ENVIRONMENT;
    for (int64_t k = 0; k < elements; k++) {
        int64_t at = k * signature->bytes;
        double scale = exact ? 0 : scale_of(signature, native + at, weights + k * signature->numbers);
        if (!is_same_element(signature, result + at, native + at, scale, exact))
            return k;
    }
    return -1;
}
