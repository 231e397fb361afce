/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "exec/native.h"
#include "runtime/backlog.h"
#include "runtime/brief.h"
#include "runtime/call.h"
#include "runtime/communicator.h"
#include "runtime/dispatch.h"
#include "runtime/repeat.h"
#include "runtime/seen.h"
#include "runtime/settle.h"
#include "runtime/state.h"
#include "util/export.h"

/* Initializers of a struct star_call. */
#define STAR_CALL_OF(which, ...) .operation = (which), .site = caller, __VA_ARGS__

/* The body of a function that stands for the MPI library's NAME: startune's way where it is TUNED and the
 * communicator has a state, and the call is EXTERNAL to the library, else straight to the library. */
#define STAR_SERVE(tuned, external, name, arguments, which, ...)                                             \
    {                                                                                                        \
        const void *caller = __builtin_return_address(0);                                                    \
        if (!(tuned))                                                                                        \
            return star_native.name arguments;                                                               \
        struct star_communicator *state = star_communicator_seen(comm);                                      \
        if (state == NULL && star_brief_passes(comm, caller))                                                \
            return star_native.name arguments;                                                               \
        int error = state == NULL ? star_communicator_of(comm, &state) : MPI_SUCCESS;                        \
        if (error != MPI_SUCCESS)                                                                            \
            return error;                                                                                    \
        if (state == NULL || star_is_natives(state))                                                         \
            return star_native.name arguments;                                                               \
        if (star_backlog_holds() && star_operation_awaits_all(which))                                        \
            star_backlog_settle(state);                                                                      \
        const struct star_repeat *known =                                                                    \
            star_repeat_find(state, (struct star_call){STAR_CALL_OF(which, __VA_ARGS__)});                   \
        if (known != NULL ? star_repeat_is_natives(state, known) : !(external))                              \
            return star_native.name arguments;                                                               \
        const struct star_call call = {STAR_CALL_OF(which, __VA_ARGS__)};                                    \
        return known != NULL ? star_dispatch_again(&call, state, known) : star_dispatch(&call, state);       \
    }
