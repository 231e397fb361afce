/* SPDX-License-Identifier: BSD-3-Clause
 * As talk.c, by the calls that are rarer: with MPI_PROC_NULL, one-sided ones that give something back, all
 * neighbourhood operations, and those of MPI-4. talk_each [session]: begins by a session, not by MPI_Init,
 * and its ranks have another order in their communicator than in the session. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { RANKS_MOST = 64, ROOM = 4096 };

static int rank, size, right, left; /* in EVERYBODY */
static MPI_Comm everybody;
static int world[RANKS_MOST]; /* of the ranks of EVERYBODY */
static long long bytes_to[RANKS_MOST], messages_to[RANKS_MOST], bytes_from[RANKS_MOST],
    messages_from[RANKS_MOST];
static char out[ROOM], in[ROOM];

static void note(int to, long long bytes)
{
    if (to == MPI_PROC_NULL)
        return;
    bytes_to[world[to]] += bytes;
    messages_to[world[to]]++;
}

static void note_from(int from, long long bytes)
{
    bytes_from[world[from]] += bytes;
    messages_from[world[from]]++;
}

/* Along a line that is not closed. */
static void go_along(void)
{
    int next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv_replace(out, 11, MPI_CHAR, next, 0, before, 0, everybody, MPI_STATUS_IGNORE);
    note(next, 11);
    MPI_Sendrecv_replace(out, 0, MPI_CHAR, right, 0, left, 0, everybody, MPI_STATUS_IGNORE);
    note(right, 0);
    MPI_Sendrecv(out, 13, MPI_CHAR, next, 0, in, 13, MPI_CHAR, before, 0, everybody, MPI_STATUS_IGNORE);
    note(next, 13);
}

static void finish(MPI_Request *requests, int count)
{
    MPI_Status statuses[16];
    MPI_Waitall(count, requests, statuses);
}

static void go_to_windows(void)
{
    MPI_Win window;
    MPI_Request requests[4];
    static int exposed[ROOM], one = 1, two = 2, got[ROOM];
    MPI_Win_create(exposed, sizeof exposed, sizeof(int), MPI_INFO_NULL, everybody, &window);
    MPI_Win_lock_all(0, window);
    MPI_Accumulate(&one, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_SUM, window);
    note(right, sizeof(int));
    MPI_Get_accumulate(out, 3, MPI_INT, got, 3, MPI_INT, right, 8, 3, MPI_INT, MPI_SUM, window);
    note(right, 3 * sizeof(int));
    note_from(right, 3 * sizeof(int));
    MPI_Get_accumulate(NULL, 0, MPI_INT, got + 8, 5, MPI_INT, right, 16, 5, MPI_INT, MPI_NO_OP, window);
    note_from(right, 5 * sizeof(int));
    MPI_Fetch_and_op(&one, got + 16, MPI_INT, right, 24, MPI_SUM, window);
    note(right, sizeof(int));
    note_from(right, sizeof(int));
    MPI_Compare_and_swap(&one, &two, got + 17, MPI_INT, right, 25, window);
    note(right, 2 * sizeof(int));
    note_from(right, sizeof(int));
    MPI_Rput(out, 7, MPI_INT, right, 32, 7, MPI_INT, window, &requests[0]);
    note(right, 7 * sizeof(int));
    MPI_Rget(got + 24, 9, MPI_INT, right, 48, 9, MPI_INT, window, &requests[1]);
    note_from(right, 9 * sizeof(int));
    MPI_Raccumulate(&one, 1, MPI_INT, right, 64, 1, MPI_INT, MPI_SUM, window, &requests[2]);
    note(right, sizeof(int));
    MPI_Rget_accumulate(out, 2, MPI_INT, got + 40, 2, MPI_INT, right, 72, 2, MPI_INT, MPI_SUM, window,
                        &requests[3]);
    note(right, 2 * sizeof(int));
    note_from(right, 2 * sizeof(int));
    finish(requests, 4);
    MPI_Put(out, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
#if MPI_VERSION >= 4
    MPI_Win_fence(0, window);
    MPI_Put_c(out, 4, MPI_INT, right, 80, 4, MPI_INT, window);
    note(right, 4 * sizeof(int));
    MPI_Get_c(got + 48, 5, MPI_INT, right, 96, 5, MPI_INT, window);
    note_from(right, 5 * sizeof(int));
    MPI_Win_fence(0, window);
#endif
    MPI_Win_free(&window);
}

/* By all operations of a line that is not closed: to the left I + 1 bytes, to the right as many more, or the
 * same to both. */
static void go_near(void)
{
    MPI_Comm line;
    MPI_Request requests[5];
    const int periods = 0, counts[2] = {2, 3}, places[2] = {0, 8};
    const MPI_Aint far[2] = {0, 8};
    const MPI_Datatype types[2] = {MPI_CHAR, MPI_CHAR};
    static char into[10][ROOM];
    MPI_Cart_create(everybody, 1, &size, &periods, 0, &line);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, into[0], 1, MPI_INT, line);
    MPI_Neighbor_allgatherv(out, 2, MPI_CHAR, into[1], (const int[]){2, 2}, places, MPI_CHAR, line);
    MPI_Neighbor_alltoallv(out, counts, places, MPI_CHAR, into[2], (const int[]){3, 2}, places, MPI_CHAR,
                           line);
    MPI_Neighbor_alltoallw(out, counts, far, types, into[3], (const int[]){3, 2}, far, types, line);
    MPI_Ineighbor_allgather(out, 5, MPI_CHAR, into[4], 5, MPI_CHAR, line, &requests[0]);
    MPI_Ineighbor_alltoall(out, 6, MPI_CHAR, into[5], 6, MPI_CHAR, line, &requests[1]);
    MPI_Ineighbor_allgatherv(out, 2, MPI_CHAR, into[6], (const int[]){2, 2}, places, MPI_CHAR, line,
                             &requests[2]);
    MPI_Ineighbor_alltoallv(out, counts, places, MPI_CHAR, into[7], (const int[]){3, 2}, places, MPI_CHAR,
                            line, &requests[3]);
    MPI_Ineighbor_alltoallw(out, counts, far, types, into[8], (const int[]){3, 2}, far, types, line,
                            &requests[4]);
    finish(requests, 5);
    const int same[] = {4, 2, 5, 6, 2};
    for (int side = 0; side < 2; side++) {
        int to = side == 0 ? rank - 1 : rank + 1;
        if (to < 0 || to >= size)
            continue;
        for (int i = 0; i < 5; i++)
            note(to, same[i]);
        for (int i = 0; i < 4; i++)
            note(to, counts[side]);
    }
#if MPI_VERSION >= 4
    const MPI_Count large[2] = {2, 3}, turned[2] = {3, 2};
    MPI_Neighbor_alltoallv_c(out, large, far, MPI_CHAR, into[9], turned, far, MPI_CHAR, line);
    if (rank > 0)
        note(rank - 1, 2);
    if (rank + 1 < size)
        note(rank + 1, 3);
#endif
    MPI_Comm_free(&line);
}

/* R + 1 bytes to each rank R, in the background too. */
static void go_to_all(void)
{
    int counts[RANKS_MOST], own[RANKS_MOST], places[RANKS_MOST];
    MPI_Datatype types[RANKS_MOST];
    MPI_Request request;
    for (int r = 0; r < size; r++) {
        counts[r] = r + 1;
        own[r] = rank + 1;
        places[r] = RANKS_MOST * r;
        types[r] = MPI_CHAR;
    }
    MPI_Alltoallw(out, counts, places, types, in, own, places, types, everybody);
    MPI_Ialltoallw(out, counts, places, types, in, own, places, types, everybody, &request);
    finish(&request, 1);
    for (int r = 0; r < size; r++)
        for (int i = 0; r != rank && i < 2; i++)
            note(r, r + 1);
}

#if MPI_VERSION >= 4
static void go_by_new_calls(void)
{
    MPI_Request requests[2];
    MPI_Send_c(out, 1, MPI_CHAR, MPI_PROC_NULL, 0, everybody);
    MPI_Isendrecv(out, 21, MPI_CHAR, right, 4, in, 21, MPI_CHAR, left, 4, everybody, &requests[0]);
    note(right, 21);
    MPI_Isendrecv_replace(out, 22, MPI_CHAR, right, 5, left, 5, everybody, &requests[1]);
    note(right, 22);
    finish(requests, 2);
    MPI_Sendrecv_replace_c(out, 23, MPI_CHAR, right, 0, left, 0, everybody, MPI_STATUS_IGNORE);
    note(right, 23);
    MPI_Psend_init(out, 3, 4, MPI_INT, right, 6, everybody, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 3, 4, MPI_INT, left, 6, everybody, MPI_INFO_NULL, &requests[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Pready_range(0, 2, requests[0]);
        note(right, 12 * sizeof(int));
        finish(requests, 2);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static MPI_Session session;

/* The ranks the other way round. */
static void begin_session(void)
{
    MPI_Group all, turned;
    int ranks[RANKS_MOST];
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_size(all, &size);
    for (int r = 0; r < size; r++)
        ranks[r] = world[r] = size - 1 - r;
    MPI_Group_incl(all, size, ranks, &turned);
    MPI_Comm_create_from_group(turned, "talk", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &everybody);
    MPI_Group_free(&turned);
    MPI_Group_free(&all);
}
#endif

static void begin(int argc, char **argv)
{
#if MPI_VERSION >= 4
    if (argc > 1 && strcmp(argv[1], "session") == 0)
        begin_session();
#endif
    if (everybody == 0) {
        MPI_Init(&argc, &argv);
        everybody = MPI_COMM_WORLD;
        for (int r = 0; r < RANKS_MOST; r++)
            world[r] = r;
    }
    MPI_Comm_rank(everybody, &rank);
    MPI_Comm_size(everybody, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
}

static void end(void)
{
#if MPI_VERSION >= 4
    if (everybody != MPI_COMM_WORLD) {
        MPI_Comm_free(&everybody);
        MPI_Session_finalize(&session);
        return;
    }
#endif
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    go_along();
    go_to_windows();
    go_near();
    go_to_all();
#if MPI_VERSION >= 4
    go_by_new_calls();
#endif
    for (int r = 0; r < size; r++) {
        if (messages_to[r] > 0)
            printf("%d %d %lld %lld\n", world[rank], r, bytes_to[r], messages_to[r]);
        if (messages_from[r] > 0)
            printf("%d %d %lld %lld\n", r, world[rank], bytes_from[r], messages_from[r]);
    }
    end();
    return 0;
}
