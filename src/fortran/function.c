/* SPDX-License-Identifier: BSD-3-Clause
 * Attributes, functions and function-sets. Names come by a descriptor from the module, and from ADCL's
 * programs as an address, and a length behind all other arguments. */
#include "fortran/fortran.h"

#include <stdlib.h>

STAR_FORTRAN_MAKE(attribute_create, STAR_Attribute,
                  (const int *count, const int *values, int *attribute, int *ierror), attribute,
                  Attribute_create, *count, values, NULL, NULL, &made)
STAR_FORTRAN_ADCL(attribute_create, attribute_create, ATTRIBUTE_CREATE)

static void attribute_named(const int *count, const int *values, const struct star_fortran_argument *name,
                            int *attribute, int *ierror)
{
    char text[STAR_MAX_NAME];
    STAR_Attribute made = STAR_ATTRIBUTE_NULL;
    star_fortran_name(text, name->data, name->bytes);
    int error = STAR_Attribute_create(*count, values, NULL, text, &made);
    star_fortran_made(ierror, error, attribute, made);
}
STAR_FORTRAN_MODULE(attribute_named, Attribute_create)

STAR_FORTRAN_FREE(attribute_free, STAR_Attribute, Attribute_free, ATTRIBUTE_FREE)

static void attrset_create(const int *count, const int *attributes, int *attrset, int *ierror)
{
    STAR_Attrset made = STAR_ATTRSET_NULL;
    STAR_Attribute *all = star_fortran_handles(*count, attributes);
    int error = STAR_Attrset_create(*count, all, &made);
    free((void *)all);
    star_fortran_made(ierror, error, attrset, made);
}
STAR_FORTRAN(attrset_create, Attrset_create, ATTRSET_CREATE)

STAR_FORTRAN_FREE(attrset_free, STAR_Attrset, Attrset_free, ATTRSET_FREE)

static void make(const struct star_work *work, const int *attrset, const int *values, const char *name,
                 size_t length, int *function, int *ierror, const char *call)
{
    char text[STAR_MAX_NAME];
    STAR_Function made = STAR_FUNCTION_NULL;
    star_fortran_name(text, name, length);
    int error = star_function_make(work, star_fortran_handle(*attrset), values, text, &made, call);
    star_fortran_made(ierror, error, function, made);
}

static void function_create(star_fortran_work *work, const int *attrset, const int *values, const char *name,
                            int *function, int *ierror, size_t length)
{
    struct star_work all = star_fortran_works(work, NULL);
    make(&all, attrset, values, name, length, function, ierror, "ADCL_Function_create");
}
STAR_FORTRAN_ADCL(function_create, function_create, FUNCTION_CREATE)

static void function_named(star_fortran_work *work, const int *attrset, const int *values,
                           const struct star_fortran_argument *name, int *function, int *ierror)
{
    struct star_work all = star_fortran_works(work, NULL);
    make(&all, attrset, values, name->data, name->bytes, function, ierror, "STAR_Function_create");
}
STAR_FORTRAN_MODULE(function_named, Function_create)

static void function_create_async(star_fortran_work *init, star_fortran_work *wait, const int *attrset,
                                  const int *values, const char *name, int *function, int *ierror,
                                  size_t length)
{
    struct star_work halves = star_fortran_works(init, wait);
    make(&halves, attrset, values, name, length, function, ierror, "ADCL_Function_create_async");
}
STAR_FORTRAN_ADCL(function_create_async, function_create_async, FUNCTION_CREATE_ASYNC)

static void function_named_async(star_fortran_work *init, star_fortran_work *wait, const int *attrset,
                                 const int *values, const struct star_fortran_argument *name, int *function,
                                 int *ierror)
{
    struct star_work halves = star_fortran_works(init, wait);
    make(&halves, attrset, values, name->data, name->bytes, function, ierror, "STAR_Function_create_async");
}
STAR_FORTRAN_MODULE(function_named_async, Function_create_async)

STAR_FORTRAN_FREE(function_free, STAR_Function, Function_free, FUNCTION_FREE)

static void fnctset_create(const int *count, const int *functions, const char *name, int *fnctset,
                           int *ierror, size_t length)
{
    char text[STAR_MAX_NAME];
    STAR_Fnctset made = STAR_FNCTSET_NULL;
    STAR_Function *all = star_fortran_handles(*count, functions);
    star_fortran_name(text, name, length);
    int error = STAR_Fnctset_create(*count, all, text, &made);
    free((void *)all);
    star_fortran_made(ierror, error, fnctset, made);
}
STAR_FORTRAN_ADCL(fnctset_create, fnctset_create, FNCTSET_CREATE)

static void fnctset_named(const int *count, const int *functions, const struct star_fortran_argument *name,
                          int *fnctset, int *ierror)
{
    fnctset_create(count, functions, name->data, fnctset, ierror, name->bytes);
}
STAR_FORTRAN_MODULE(fnctset_named, Fnctset_create)

/* The columns of WITHOUT have a value for each attribute each. */
static void fnctset_create_single(star_fortran_work *init, star_fortran_work *wait, const int *attrset,
                                  const char *name, int *without, const int *count_without, int *fnctset,
                                  int *ierror, size_t length)
{
    char text[STAR_MAX_NAME];
    STAR_Fnctset made = STAR_FNCTSET_NULL;
    struct star_work work = star_fortran_works(init, wait);
    star_fortran_name(text, name, length);
    const struct star_without left_out = {.count = *count_without, .piece = without};
    int error = star_fnctset_make_single(&work, star_fortran_handle(*attrset), text, &left_out, &made,
                                         "STAR_Fnctset_create_single");
    star_fortran_made(ierror, error, fnctset, made);
}
STAR_FORTRAN_ADCL(fnctset_create_single, fnctset_create_single, FNCTSET_CREATE_SINGLE)

static void fnctset_named_single(star_fortran_work *init, star_fortran_work *wait, const int *attrset,
                                 const struct star_fortran_argument *name, int *without,
                                 const int *count_without, int *fnctset, int *ierror)
{
    fnctset_create_single(init, wait, attrset, name->data, without, count_without, fnctset, ierror,
                          name->bytes);
}
STAR_FORTRAN_MODULE(fnctset_named_single, Fnctset_create_single)

STAR_FORTRAN_FREE(fnctset_free, STAR_Fnctset, Fnctset_free, FNCTSET_FREE)
