/* SPDX-License-Identifier: BSD-3-Clause
 * What stands behind the library that asks. */
#pragma once

/* A tool's function NAME, MPI_X, behind this library; NULL: there is none. The MPI library has OTHER_NAME,
 * PMPI_X, in the same module, and so have libraries that stand for it. A tool has MPI_X alone. */
void *star_tool_behind(const char *name, const char *other_name);
