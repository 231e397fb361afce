/* SPDX-License-Identifier: BSD-3-Clause */
#include "discover.h"
#include "ask.h"
#include "cli/common/become.h"
#include "cli/common/messages.h"
#include "cli/common/settings.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "util/settings.h"
#include "util/why.h"

#include <stdio.h>

static bool load_settings(void)
{
    if (!cli_load_settings())
        return false;
    if (cli_topo_ask.mpi) /* counts more than what was loaded */
        star_settings_set(&cli_settings_now, "mpi", cli_topo_ask.mpi, NULL);
    return true;
}

int cli_discover(int count, char **words)
{
    const struct cli_topo_ask *ask = &cli_topo_ask;
    const char *file = ask->keep ? "" : ask->output ? ask->output : "-";
    char trips[32];
    (void)count, (void)words;
    if (ask->keep && (ask->output != NULL || ask->json))
        return cli_error("--keep names the file and its format: without %s", ask->json ? "--json" : "-o");
    if (!load_settings())
        return CLI_USAGE;
    snprintf(trips, sizeof trips, "%lld", (long long)ask->trips);
    char *arguments[] = {(char *)file, trips, (char *)ask->confirm, (char *)ask->together,
                         ask->json ? "json" : "text"};
    return cli_become("discover", (int)(sizeof arguments / sizeof *arguments), arguments);
}

int cli_calibrate(int count, char **words)
{
    struct star_why why;
    struct star_topology *read;
    if (!load_settings())
        return CLI_USAGE;
    if (count > 0 && star_topology_read(words[0], &read, &why))
        return cli_error("%s", why.text);
    if (count > 0)
        star_topology_free(read);
    char *arguments[] = {count > 0 ? words[0] : "auto", cli_topo_ask.json ? "json" : "text"};
    return cli_become("calibrate", (int)(sizeof arguments / sizeof *arguments), arguments);
}
