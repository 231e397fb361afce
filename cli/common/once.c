/* SPDX-License-Identifier: BSD-3-Clause */
#include "once.h"
#include "dialect/launcher.h"
#include "util/hash.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* So long others may come to say it, too. */
static const struct timespec while_others_come = {0, 300000000};

/* A name in the abstract, not in a folder. */
struct name {
    struct sockaddr_un address;
    socklen_t size;
};

static struct name name_of(const char *line)
{
    struct name name = {.address = {.sun_family = AF_UNIX}};
    char *text = name.address.sun_path + 1;
    int length = snprintf(text, sizeof name.address.sun_path - 1, "startune-%ld-%ld-%llx", (long)getuid(),
                          (long)getppid(), (unsigned long long)star_hash_text(star_hash_empty, line));
    name.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    return name;
}

/* Has this user taken the name? Another one may have, who can see it, so that nobody would say anything. Who
 * has taken it may be about to listen. */
static bool is_taken_by_us(const struct name *name)
{
    enum { TRIES = 50 };
    static const struct timespec while_it_begins = {0, 1000000};
    struct ucred owner = {.uid = (uid_t)-1};
    socklen_t size = sizeof owner;
    int other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool found = false;
    for (int i = 0; i < TRIES && other >= 0 && !found; i++) {
        found = connect(other, (const struct sockaddr *)&name->address, name->size) == 0;
        if (!found)
            nanosleep(&while_it_begins, NULL);
    }
    found = found && getsockopt(other, SOL_SOCKET, SO_PEERCRED, &owner, &size) == 0;
    if (other >= 0)
        close(other);
    return found && owner.uid == geteuid();
}

/* A name is taken once on a machine, and leaves nothing behind when its process ends. */
bool cli_is_said(const char *line)
{
    enum { RANKS_MOST = 4096 };
    if (star_launched_rank() == NULL)
        return false;
    struct name name = name_of(line);
    int taken = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (taken >= 0 && bind(taken, (const struct sockaddr *)&name.address, name.size) != 0)
        return errno == EADDRINUSE && is_taken_by_us(&name);
    if (taken >= 0)
        listen(taken, RANKS_MOST);
    return false;
}

void cli_let_others_come(void)
{
    if (star_launched_rank() != NULL)
        nanosleep(&while_others_come, NULL);
}
