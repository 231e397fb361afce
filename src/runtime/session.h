/* SPDX-License-Identifier: BSD-3-Clause
 * What the whole run has once: settings, the world, and what all communicators share. */
#pragma once

#include "algorithms/methods.h"
#include "plan/cost.h"
#include "runtime/presence.h"
#include "runtime/price.h"
#include "util/clock.h"
#include "util/settings.h"

#include <mpi.h>
#include <stdatomic.h>

struct star_runtime {
    atomic_bool started;
    bool by_name; /* begun by a call of STAR_X, without startune's environment */
    struct star_settings settings;
    struct star_methods force, only;
    struct star_cost_parameters assumed; /* by the cost model */
    int world_rank, world_size;
    int keyval;
    int64_t before;         /* nanoseconds that startune run took, in front of the program */
    int64_t began;          /* star_now, so much earlier */
    MPI_Comm session_world; /* without MPI_Init, of a session: star_all */
#if MPI_VERSION >= 4
    MPI_Session session; /* which is this one, should it be the only one */
    bool session_kept;   /* the program has ended it */
#endif
    atomic_int sessions; /* of the program, that are open */
    struct {             /* which ranks of this node have startune: counted once */
        bool counted;
        struct star_presence found;
    } presence;
    MPI_Comm self;     /* star_alone */
    MPI_Comm messages; /* of all communicators; MPI_COMM_NULL: each has its own duplicate */
    bool crowded;      /* some node has more ranks than processors: what is measured there is noise */
    struct {           /* what agreements reduce: a tuner's figure, and its operator; a sum of MPI_DOUBLE */
        MPI_Datatype figure;
        MPI_Op figures, sums;
        bool blocking; /* all ranks are here, and each has a processor: nothing is to be watched */
    } agreed;
    bool threads; /* several may communicate at once on some rank (MPI_THREAD_MULTIPLE) */
    atomic_int tuned_communicators;
    atomic_int left; /* private communicators that are left to MPI_Finalize */
    /* Nanoseconds that this rank has given to startune outside of what subjects count: the beginning, setting
     * up communicators, the end. */
    atomic_int_least64_t spent;
    int64_t reading; /* nanoseconds that it takes to read the clock a thousand times */
    struct star_price price;
    const struct star_algorithm *_Atomic natives[STAR_OPERATIONS]; /* that were met: NULL before */
};
extern struct star_runtime star_runtime;

/* All processes: MPI_COMM_WORLD, or what stands for it where there is none. */
static inline MPI_Comm star_all(void)
{
    return star_runtime.session_world != MPI_COMM_NULL ? star_runtime.session_world : MPI_COMM_WORLD;
}
/* Its duplicate, once it is made: what an erroneous call of the program left under way, or its error handler,
 * is no matter there. */
static inline MPI_Comm star_world(void)
{
    return star_runtime.messages != MPI_COMM_NULL ? star_runtime.messages : star_all();
}

/* What was done since BEGIN is no part of what the program does natively. */
static inline void star_spent(int64_t begin)
{
    atomic_fetch_add_explicit(&star_runtime.spent, star_since(begin), memory_order_relaxed);
}

/* Read at every call of the program: kept apart, so that it costs one load. */
extern bool star_active;                /* calls of MPI_X are tuned */
extern atomic_bool star_active_by_name; /* calls of STAR_X are */

/* What is to be told before the summary and the report are written; NULL: nothing more. */
typedef void star_ending(void);
extern star_ending *star_before_end;
/* What a method may take beside the program's buffers, in bytes. */
int64_t star_memory_most(void);
/* A communicator of this process alone: where a handle is tried, with MPI_ERRORS_RETURN. Without a session,
 * which tests can do without, MPI_COMM_SELF. */
MPI_Comm star_alone(void);

/* The value in force of the setting NAME. */
const char *star_setting_now(const char *name, char *buffer, size_t room);
