/* SPDX-License-Identifier: BSD-3-Clause
 * The watchdog: whoever waits for other ranks where startune alone waits says so once, as a hang that nobody
 * explains is the worst that can happen to a program. */
#pragma once

#include <mpi.h>

/* This thread is in the MPI function FUNCTION ("MPI_Bcast") on COMM, for what is said. */
void star_watch_enter(const char *function, MPI_Comm comm);
/* Waits for the request to complete, which gets an error code; after the seconds of the setting `watchdog`
 * one line on standard error tells who waits, where, and what to do. */
int star_watch_wait(MPI_Request *request);
