/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session.h"

struct star_runtime star_runtime = {
    .session_world = MPI_COMM_NULL, .self = MPI_COMM_NULL, .messages = MPI_COMM_NULL};
bool star_active;
star_ending *star_before_end;
atomic_bool star_active_by_name;

int64_t star_memory_most(void)
{
    return star_runtime.settings.memory;
}

MPI_Comm star_alone(void)
{
    return star_runtime.self != MPI_COMM_NULL ? star_runtime.self : MPI_COMM_SELF;
}

const char *star_setting_now(const char *name, char *buffer, size_t room)
{
    return star_setting_format(&star_runtime.settings, star_setting_find(name), buffer, room);
}
