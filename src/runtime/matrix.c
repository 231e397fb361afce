/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrix.h"
#include "exec/execute.h"
#include "exec/own.h"
#include "place/tally.h"
#include "runtime/session.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

void star_matrix_find(void)
{
    *(void **)&star_own_leave_out = dlsym(RTLD_DEFAULT, STAR_MATRIX_LEAVE_OUT);
}

void star_matrix_begin(void)
{
    star_execute_fetched = NULL;
    if (star_runtime.settings.matrix)
        *(void **)&star_execute_fetched = dlsym(RTLD_DEFAULT, STAR_MATRIX_FETCHED);
}

void star_matrix_tell(struct star_text *text)
{
    enum { HOST_MOST = 256 };
    char host[HOST_MOST] = "";
    star_matrix_take *take;
    if (!star_runtime.settings.matrix)
        return;
    *(void **)&take = dlsym(RTLD_DEFAULT, STAR_MATRIX_TAKE);
    gethostname(host, sizeof host - 1);
    if (take != NULL)
        take(star_runtime.world_size, host, text);
}
