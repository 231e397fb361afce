/* SPDX-License-Identifier: BSD-3-Clause */
#include "topo_discover.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "util/parse.h"

#include <string.h>

enum { TRIPS_MOST = 1000000 };

static struct {
    const char *trips, *confirm, *together, *mpi;
    bool keep; /* where runs of this user look */
} ask = {.trips = "100", .confirm = "confirm", .together = "auto"};

bool cli_discover_take(const struct cli_option *option, const char *value, struct star_why *why)
{
    int64_t trips;
    if (strcmp(option->name, "keep") == 0)
        return ask.keep = true;
    bool on = false, good = star_parse_switch(value, &on);
    if (strcmp(option->name, "mpi") == 0)
        return star_settings_set(&cli_settings_now, "mpi", ask.mpi = value, why) == 0;
    if (strcmp(option->name, "trips") == 0) {
        good = star_parse_integer(value, &trips) && trips >= 1 && trips <= TRIPS_MOST;
        ask.trips = value;
    } else if (strcmp(option->name, "confirm") == 0) {
        ask.confirm = on ? "confirm" : "trust";
    } else {
        bool automatic = strcmp(value, "auto") == 0;
        good = good || automatic;
        ask.together = automatic ? value : on ? "together" : "alone";
    }
    if (!good)
        star_because(why, STAR_EINPUT, "'%.80s' is not %s", value, option->argument);
    return good;
}

static bool load_settings(void)
{
    if (!cli_load_settings())
        return false;
    if (ask.mpi) /* counts more than what was loaded */
        star_settings_set(&cli_settings_now, "mpi", ask.mpi, NULL);
    return true;
}

int cli_discover(const char *output, bool json)
{
    const char *file = ask.keep ? "" : output ? output : "-";
    if (ask.keep && (output != NULL || json))
        return cli_error(&cli_topo, "--keep names the file and its format: without %s",
                         json ? "--json" : "-o");
    if (!load_settings())
        return CLI_USAGE;
    char *words[] = {(char *)file, (char *)ask.trips, (char *)ask.confirm, (char *)ask.together,
                     json ? "json" : "text"};
    return cli_become(&cli_topo, "discover", (int)(sizeof words / sizeof *words), words);
}

int cli_calibrate(const char *topology, bool json)
{
    struct star_why why;
    struct star_topology *read;
    if (!load_settings())
        return CLI_USAGE;
    if (topology != NULL && star_topology_read(topology, &read, &why))
        return cli_error(&cli_topo, "%s", why.text);
    if (topology != NULL)
        star_topology_free(read);
    char *words[] = {(char *)(topology ? topology : "auto"), json ? "json" : "text"};
    return cli_become(&cli_topo, "calibrate", (int)(sizeof words / sizeof *words), words);
}
