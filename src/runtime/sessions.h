/* SPDX-License-Identifier: BSD-3-Clause
 * MPI-4's sessions. A program without MPI_Init begins with the first communicator that it makes of all
 * processes, and ends with the session that this is of: what sessions make must not be mixed, and ends with
 * them. */
#pragma once

#include "runtime/start.h"

#include <mpi.h>
#include <stdbool.h>

#if MPI_VERSION >= 4
/* After MPI_Session_init. Local. */
void star_sessions_begin(MPI_Session session);
/* MADE is of a group, not of another communicator. Collective over it. */
void star_sessions_made(star_force_split *split, MPI_Comm made);
/* Before MPI_Session_finalize. False: SESSION is the one that startune's communicators are of, and the
 * program goes on: it stays open until the program's last one ends. Collective over the world then. */
bool star_sessions_end(MPI_Session session);
#endif
/* Before MPI_Finalize. Collective over the world, unless the program goes on with sessions. */
void star_sessions_before_finalize(void);
