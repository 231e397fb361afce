/* SPDX-License-Identifier: BSD-3-Clause
 * What several processes of one launcher would say alike, one of them says: which mistakes a command line has
 * is found before MPI begins, by each rank. */
#include "command.h"
#include "util/hash.h"
#include "util/launcher.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* So long others may come to say it, too. */
static const struct timespec while_others_come = {0, 300000000};

/* An abstract socket's name is taken once on a machine, and leaves nothing behind when its process ends. 0,
 * or why it cannot be taken. */
static int take_name(const char *line)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int taken = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0),
        length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "startune-%ld-%ld-%llx",
                          (long)getuid(), (long)getppid(),
                          (unsigned long long)star_hash_text(star_hash_empty, line));
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    return taken < 0 || bind(taken, (const struct sockaddr *)&address, size) == 0 ? 0 : errno;
}

bool cli_is_said(const char *line)
{
    return star_launched_rank() != NULL && take_name(line) == EADDRINUSE;
}

void cli_let_others_come(void)
{
    if (star_launched_rank() != NULL)
        nanosleep(&while_others_come, NULL);
}
