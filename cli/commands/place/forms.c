/* SPDX-License-Identifier: BSD-3-Clause */
#include "forms.h"

#include <string.h>

const struct cli_line cli_place_forms[] = {
    {"list", "a host a line, for Open MPI: mpirun --map-by seq --hostfile FILE"},
    {"rankfile", "Open MPI's rank file, which binds each rank to a core: mpirun --rankfile FILE"},
    {"machinefile", "host:ranks a line: MPICH's mpiexec -f FILE"},
    {"slurm", "a host a line: SLURM_HOSTFILE=FILE srun --distribution=arbitrary"},
    {.name = NULL},
};

static void write_list(const struct cli_places *places, struct star_text *text)
{
    for (int r = 0; r < places->ranks; r++)
        star_text_add(text, "%s\n", places->host[r]);
}

static void write_rankfile(const struct cli_places *places, struct star_text *text)
{
    for (int r = 0; r < places->ranks; r++)
        star_text_add(text, "rank %d=%s slot=%d\n", r, places->host[r], places->core[r]);
}

static void write_machines(const struct cli_places *places, struct star_text *text)
{
    const char **host = places->host;
    for (int r = 0, next; r < places->ranks; r = next) {
        for (next = r + 1; next < places->ranks && strcmp(host[next], host[r]) == 0; next++)
            ;
        star_text_add(text, "%s:%d\n", host[r], next - r);
    }
}

void cli_place_write(const char *form, const struct cli_places *places, struct star_text *text)
{
    if (strcmp(form, "rankfile") == 0)
        write_rankfile(places, text);
    else if (strcmp(form, "machinefile") == 0)
        write_machines(places, text);
    else
        write_list(places, text);
}

void cli_place_options(const char *form, const char *path, int ranks, struct star_text *text)
{
    const char *words = strcmp(form, "rankfile") == 0      ? "--rankfile"
                        : strcmp(form, "machinefile") == 0 ? "-f"
                        : strcmp(form, "slurm") == 0       ? "--distribution=arbitrary --nodelist"
                                                           : "--map-by seq --hostfile";
    /* Without a slash srun would take it for a host. */
    bool bare = strcmp(form, "slurm") == 0 && strchr(path, '/') == NULL;
    star_text_add(text, "-n %d %s %s%s\n", ranks, words, bare ? "./" : "", path);
}
