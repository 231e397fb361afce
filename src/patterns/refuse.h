/* SPDX-License-Identifier: BSD-3-Clause
 * Bad input: one line on standard error, and an error code of the public header. */
#pragma once

#include "functions/object.h"

/* Says what is wrong with a call of the public function CALL, and returns CODE. */
int star_refuse(int code, const char *call, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The object of a handle that was given to CALL as ARGUMENT; NULL: refused, with the kind's code. */
void *star_object_of(enum star_kind kind, const void *handle, const char *call, const char *argument);
/* Makes *HANDLE a handle for OBJECT, whose reference it takes. STAR_SUCCESS, or OBJECT is released. */
int star_object_publish(void *object, void *handle, const char *call);
/* Frees what *HANDLE stands for, and makes it the null handle. */
int star_object_free(enum star_kind kind, void *handle, const char *call, const char *argument);
/* STAR_SUCCESS, or refused: CALL needs MPI, which the program has not begun yet, or ended. */
int star_refuse_without_mpi(const char *call);
/* Of an object that could not be made. */
int star_refuse_memory(const char *call);
/* Of a collective call that another rank has refused. */
int star_refuse_others(const char *call);
