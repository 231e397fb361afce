/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI functions that startune takes over: straight into the runtime, or straight to the MPI library.
 *
 * Each is defined under both of its names. A program in C calls MPI_X; Fortran bindings call MPI_X or PMPI_X,
 * each MPI library its own way, with handles and sentinels that are C's already; and a profiling tool calls
 * PMPI_X, whether it stands in front of startune or behind it, where MPI_X hands calls on to it (tool.h).
 * Whichever it is, it comes here once: startune itself, and what the MPI library calls inside, go to the
 * library (exec/native.h). */
#include "exec/native.h"
#include "functions/forced.h"
#include "interpose/serve.h"
#include "interpose/tool.h"
#include "runtime/beginning.h"
#include "runtime/communicator.h"
#include "runtime/lent.h"
#include "runtime/pause.h"
#include "runtime/session.h"
#include "runtime/sessions.h"
#include "runtime/site.h"
#include "runtime/start.h"
#include "runtime/topologies.h"
#include "util/export.h"

#include <stdarg.h>

#define STAR_FUNCTION(name, parameters, arguments, which, ...)                                               \
    STAR_BOTH_SEEING(                                                                                        \
        name, parameters, arguments,                                                                         \
        STAR_SERVE(star_active, !star_is_internal(caller), name, arguments, which, __VA_ARGS__))
#include "plan/functions.def"
#undef STAR_FUNCTION

/* Functions that may be the first of all. */
static void find(void)
{
    star_native_find();
    star_tool_find();
}

#define STAR_FIRST(name, parameters, arguments, body)                                                        \
    STAR_EXPORT int PMPI_##name parameters                                                                   \
    {                                                                                                        \
        find();                                                                                              \
        return body arguments;                                                                               \
    }                                                                                                        \
    STAR_EXPORT int MPI_##name parameters                                                                    \
    {                                                                                                        \
        find();                                                                                              \
        if (star_tool.name != NULL)                                                                          \
            return star_tool.name arguments;                                                                 \
        return body arguments;                                                                               \
    }

static int init(int *argc, char ***argv)
{
    star_prepare();
    int error = star_native.Init(argc, argv);
    if (error == MPI_SUCCESS)
        star_start(star_forced_split);
    return error;
}
STAR_FIRST(Init, (int *argc, char ***argv), (argc, argv), init)

static int init_thread(int *argc, char ***argv, int required, int *provided)
{
    star_prepare();
    int error = star_native.Init_thread(argc, argv, required, provided);
    if (error == MPI_SUCCESS)
        star_start(star_forced_split);
    return error;
}
STAR_FIRST(Init_thread, (int *argc, char ***argv, int required, int *provided),
           (argc, argv, required, provided), init_thread)

static int finalize(void)
{
    star_sessions_before_finalize();
    return star_native.Finalize();
}
STAR_BOTH_NAMES(Finalize, (void), (), finalize)

static int comm_free(MPI_Comm *comm)
{
    return star_communicator_free(comm, star_native.Comm_free);
}
STAR_BOTH_NAMES(Comm_free, (MPI_Comm * comm), (comm), comm_free)

/* What calls need that are put off lives on. */
static int op_free(MPI_Op *op)
{
    if (!star_backlog_holds() || op == NULL || !star_lent_keeps_op(*op))
        return star_native.Op_free(op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
STAR_BOTH_NAMES(Op_free, (MPI_Op * op), (op), op_free)

static int type_free(MPI_Datatype *type)
{
    if (!star_backlog_holds() || type == NULL || !star_lent_keeps_type(*type))
        return star_native.Type_free(type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}
STAR_BOTH_NAMES(Type_free, (MPI_Datatype * type), (type), type_free)

static int comm_disconnect(MPI_Comm *comm)
{
    return star_communicator_free(comm, star_native.Comm_disconnect);
}
STAR_BOTH_NAMES(Comm_disconnect, (MPI_Comm * comm), (comm), comm_disconnect)

/* Whoever makes a communicator agrees on its number (runtime/ids.h), all ranks of COMM together but in
 * MPI_Comm_create_group. Those that are made in the background (MPI_Comm_idup), or of ranks of several
 * worlds, have none. */
#define STAR_MAKER(name, parameters, arguments, together)                                                    \
    STAR_MAKER_BY(star_native.name, name, parameters, arguments, together)
#define STAR_MAKER_BY(make, name, parameters, arguments, together)                                           \
    static int made_by_##name parameters                                                                     \
    {                                                                                                        \
        if (together)                                                                                        \
            star_settle_on(comm);                                                                            \
        int error = make arguments;                                                                          \
        if (error == MPI_SUCCESS)                                                                            \
            star_communicator_made("MPI_" #name, comm, *made, together);                                     \
        return error;                                                                                        \
    }                                                                                                        \
    STAR_BOTH_NAMES(name, parameters, arguments, made_by_##name)

STAR_MAKER(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), true)
STAR_MAKER(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made), true)
STAR_MAKER(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made), true)
STAR_MAKER(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
           (comm, group, tag, made), false)
STAR_MAKER(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made), true)
STAR_MAKER(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
           (comm, type, key, info, made), true)
STAR_MAKER_BY(star_cart_create, Cart_create,
              (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *made),
              (comm, ndims, dims, periods, reorder, made), true)
STAR_MAKER(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), (comm, remain, made), true)
STAR_MAKER_BY(star_graph_create, Graph_create,
              (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made),
              (comm, nodes, index, edges, reorder, made), true)
STAR_MAKER_BY(star_dist_graph_create, Dist_graph_create,
              (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
               const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
              (comm, n, sources, degrees, destinations, weights, info, reorder, made), true)
STAR_MAKER_BY(star_dist_graph_create_adjacent, Dist_graph_create_adjacent,
              (MPI_Comm comm, int indegree, const int sources[], const int in_weights[], int outdegree,
               const int destinations[], const int out_weights[], MPI_Info info, int reorder, MPI_Comm *made),
              (comm, indegree, sources, in_weights, outdegree, destinations, out_weights, info, reorder,
               made),
              true)

#ifndef STAR_SIMULATED
/* For these the MPI library calls collectives on COMM. */
#define STAR_SETTLING(name, parameters, arguments)                                                           \
    static int settled_##name parameters                                                                     \
    {                                                                                                        \
        star_settle_on(comm);                                                                                \
        return star_native.name arguments;                                                                   \
    }                                                                                                        \
    STAR_BOTH_NAMES(name, parameters, arguments, settled_##name)

STAR_SETTLING(Win_create,
              (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
              (base, size, unit, info, comm, window))
STAR_SETTLING(Win_allocate,
              (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
              (size, unit, info, comm, base, window))
STAR_SETTLING(Win_allocate_shared,
              (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
              (size, unit, info, comm, base, window))
STAR_SETTLING(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *window), (info, comm, window))
STAR_SETTLING(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
              (comm, name, mode, info, file))
STAR_SETTLING(Intercomm_create,
              (MPI_Comm comm, int leader, MPI_Comm peers, int other, int tag, MPI_Comm *made),
              (comm, leader, peers, other, tag, made))
STAR_SETTLING(Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
              (port, info, root, comm, made))
STAR_SETTLING(Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
              (port, info, root, comm, made))
STAR_SETTLING(Comm_spawn,
              (const char *command, char *argv[], int most, MPI_Info info, int root, MPI_Comm comm,
               MPI_Comm *made, int errors[]),
              (command, argv, most, info, root, comm, made, errors))
STAR_SETTLING(Comm_spawn_multiple,
              (int count, char *commands[], char **argvs[], const int most[], const MPI_Info infos[],
               int root, MPI_Comm comm, MPI_Comm *made, int errors[]),
              (count, commands, argvs, most, infos, root, comm, made, errors))
#if MPI_VERSION >= 4
STAR_SETTLING(Win_create_c,
              (void *base, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
              (base, size, unit, info, comm, window))
STAR_SETTLING(Win_allocate_c,
              (MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
              (size, unit, info, comm, base, window))
STAR_SETTLING(Win_allocate_shared_c,
              (MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
              (size, unit, info, comm, base, window))
#endif

/* *ERROR: how that went. */
static bool is_put_off(MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request, int *error)
{
    struct star_communicator *state = star_backlog_holds() ? star_served(comm) : NULL;
    const struct star_call call = {
        .operation = (enum star_operation)STAR_ERRAND_IDUP, .recvbuf = made, .comm = comm, .info = info};
    return state != NULL && made != NULL && star_beginning_joins(&call, state, request, error);
}

static int comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
    int error;
    if (!is_put_off(comm, MPI_INFO_NULL, made, request, &error))
        error = star_native.Comm_idup(comm, made, request);
    if (error == MPI_SUCCESS)
        star_communicator_idup(comm);
    return error;
}
STAR_BOTH_NAMES(Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request), (comm, made, request),
                comm_idup)
#if MPI_VERSION >= 4
static int comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request)
{
    int error;
    MPI_Info kept = MPI_INFO_NULL;
    if (star_backlog_holds() && info != MPI_INFO_NULL)
        PMPI_Info_dup(info, &kept);
    if (!is_put_off(comm, kept, made, request, &error)) {
        error = star_native.Comm_idup_with_info(comm, info, made, request);
        if (kept != MPI_INFO_NULL)
            PMPI_Info_free(&kept);
    }
    if (error == MPI_SUCCESS)
        star_communicator_idup(comm);
    return error;
}
STAR_BOTH_NAMES(Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request),
                (comm, info, made, request), comm_idup_with_info)
#endif
#endif

#if MPI_VERSION >= 4
static int session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
    int error = star_native.Session_init(info, handler, session);
    if (error == MPI_SUCCESS)
        star_sessions_begin(*session);
    return error;
}
STAR_FIRST(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session),
           (info, handler, session), session_init)

static int session_finalize(MPI_Session *session)
{
    if (session != NULL && !star_sessions_end(*session)) {
        *session = MPI_SESSION_NULL;
        return MPI_SUCCESS;
    }
    return star_native.Session_finalize(session);
}
STAR_BOTH_NAMES(Session_finalize, (MPI_Session * session), (session), session_finalize)

static int comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler,
                                  MPI_Comm *made)
{
    int error = star_native.Comm_create_from_group(group, tag, info, handler, made);
    if (error == MPI_SUCCESS)
        star_sessions_made(star_forced_split, *made);
    return error;
}
STAR_BOTH_NAMES(Comm_create_from_group,
                (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *made),
                (group, tag, info, handler, made), comm_create_from_group)
#endif

STAR_EXPORT int PMPI_Pcontrol(const int level, ...)
{
    find();
    star_pause(level == 0);
    return star_native.Pcontrol(level);
}

/* MPI libraries do not look at what follows the level. Tools do, and the level tells them how much there is:
 * labels and numbers, which are words; a function cannot hand on what it does not know. */
STAR_EXPORT int MPI_Pcontrol(const int level, ...)
{
    enum { WORDS = 4 };
    void *word[WORDS];
    va_list more;
    find();
    star_pause(level == 0);
    if (star_tool.Pcontrol == NULL)
        return star_native.Pcontrol(level);
    va_start(more, level);
    for (int i = 0; i < WORDS; i++)
        word[i] = va_arg(more, void *);
    va_end(more);
    return star_tool.Pcontrol(level, word[0], word[1], word[2], word[3]);
}
