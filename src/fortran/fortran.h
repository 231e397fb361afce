/* SPDX-License-Identifier: BSD-3-Clause
 * Requests from Fortran. Its integers hold handles, arguments come by reference, IERROR may be left out
 * (NULL), and arrays have Fortran's order. Each function here stands for a subroutine of the module
 * `startune` (startune.f90.in, by its _f08 name) and for ADCL's of the same arguments (ADCL.inc, by the names
 * that compilers give to external subroutines). What the arguments mean, startune_patterns.h says. */
#pragma once

#include "patterns/above.h"
#include "startune_patterns.h"

#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN(bugprone-macro-parentheses): NAME is declared */
#define STAR_FORTRAN_NAME(function, name)                                                                    \
    STAR_EXPORT __typeof__(function) name __attribute__((alias(#function)));
/* NOLINTEND(bugprone-macro-parentheses) */

/* The subroutine STAR_NAME of the module. */
#define STAR_FORTRAN_MODULE(function, name) STAR_FORTRAN_NAME(function, STAR_##name##_f08)
/* ADCL's subroutine, which is LOWER or UPPER in the linker's eyes. */
#define STAR_FORTRAN_ADCL(function, lower, upper)                                                            \
    STAR_FORTRAN_NAME(function, adcl_##lower)                                                                \
    STAR_FORTRAN_NAME(function, adcl_##lower##_)                                                             \
    STAR_FORTRAN_NAME(function, adcl_##lower##__)                                                            \
    STAR_FORTRAN_NAME(function, ADCL_##upper)
/* Both, of a function that is named as ADCL's. */
#define STAR_FORTRAN(lower, name, upper)                                                                     \
    STAR_FORTRAN_MODULE(lower, name)                                                                         \
    STAR_FORTRAN_ADCL(lower, lower, upper)

/* The function LOWER with Fortran's PARAMETERS, which calls STAR_NAME with the arguments that follow. */
#define STAR_FORTRAN_CALL(lower, parameters, name, ...)                                                      \
    static void lower parameters                                                                             \
    {                                                                                                        \
        star_fortran_say(ierror, STAR_##name(__VA_ARGS__));                                                  \
    }
/* NOLINTBEGIN(bugprone-macro-parentheses): TYPE is declared */
/* The same where STAR_NAME makes an object of TYPE, whose HANDLE it is: the last argument is &made. */
#define STAR_FORTRAN_MAKE(lower, type, parameters, handle, name, ...)                                        \
    static void lower parameters                                                                             \
    {                                                                                                        \
        type made = NULL;                                                                                    \
        int error = STAR_##name(__VA_ARGS__);                                                                \
        star_fortran_made(ierror, error, handle, made);                                                      \
    }
/* Such a function that frees an object of TYPE by its handle. */
#define STAR_FORTRAN_FREE(lower, type, name, upper)                                                          \
    static void lower(int *handle, int *ierror)                                                              \
    {                                                                                                        \
        type object = star_fortran_handle(*handle);                                                          \
        int error = STAR_##name(&object);                                                                    \
        star_fortran_made(ierror, error, handle, object);                                                    \
    }                                                                                                        \
    STAR_FORTRAN(lower, name, upper)
/* NOLINTEND(bugprone-macro-parentheses) */

/* How a compiler of Fortran 2018 hands over texts, and arrays of any type and rank: what lies behind these
 * first three members is different in each (18.5.3, CFI_cdesc_t). */
struct star_fortran_argument {
    void *data;
    size_t bytes; /* of an element; of a text, all of it */
    int version;
};

/* Does the array lie in one piece? True too where the compiler is another one than startune's. */
bool star_fortran_is_whole(const struct star_fortran_argument *array);

/* TEXT of LENGTH characters without the blanks at its end, cut to the room. */
void star_fortran_name(char name[STAR_MAX_NAME], const char *text, size_t length);
/* NAME, cut to the LENGTH of TEXT or filled with blanks. */
void star_fortran_text(char *text, size_t length, const char *name);

/* A handle of any kind that is no handle of C's is refused as one that was never made. */
static inline void *star_fortran_handle(int handle)
{
    return (void *)(intptr_t)handle; /* NOLINT(performance-no-int-to-ptr): handles are numbers */
}

/* A program's functions, which set *ERROR, 0 before; ADCL's do not know of it. */
typedef void star_fortran_work(const int *request, int *error);
struct star_work star_fortran_works(star_fortran_work *init, star_fortran_work *wait);

/* COUNT handles, to be freed; NULL when out of memory or without any. */
void *star_fortran_handles(int count, const int *handles);

static inline void star_fortran_say(int *ierror, int error)
{
    if (ierror != NULL)
        *ierror = error;
}

/* MADE is the new value of *HANDLE, unless there is an ERROR. */
static inline void star_fortran_made(int *ierror, int error, int *handle, const void *made)
{
    if (error == STAR_SUCCESS)
        *handle = (int)(intptr_t)made;
    star_fortran_say(ierror, error);
}

/* MPI's handles as integers: the standard's own mpi.h, which has nothing of Fortran, names these functions
 * otherwise. */
#ifdef MPI_H_ABI
#define STAR_FROM_INT(type, number) PMPI_##type##_fromint(number)
#define STAR_TO_INT(type, handle)   PMPI_##type##_toint(handle)
#else
#define STAR_FROM_INT(type, number) PMPI_##type##_f2c(number)
#define STAR_TO_INT(type, handle)   PMPI_##type##_c2f(handle)
#endif

/* Of MPI's handles, those of no object are null handles. */
MPI_Comm star_fortran_comm(int comm);
MPI_Datatype star_fortran_datatype(int datatype);
MPI_Op star_fortran_op(int op);
