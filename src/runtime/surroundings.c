/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/surroundings.h"
#include "dialect/launcher.h"
#include "runtime/leave.h"
#include "runtime/maps.h"
#include "runtime/nodes.h"
#include "runtime/places.h"
#include "runtime/session.h"
#include "runtime/wisdom.h"
#include "util/numerals.h"
#include "util/text.h"

#include <unistd.h>

/* What rank 0 reads for all, in the order in which it is found: the machine that all but the topology is for
 * is known by its nodes and its network. Of why the program is left alone the others need the length. */
enum { TOPOLOGY, LEAVE, MAP, WISDOM };
static const struct {
    void (*read)(struct star_text *text);
    bool (*find)(struct star_text *text, int64_t length);
} kinds[STAR_HANDED] = {[TOPOLOGY] = {star_places_read, star_places_find},
                        [LEAVE] = {star_leave_read, NULL},
                        [MAP] = {star_maps_read, star_maps_find},
                        [WISDOM] = {star_wisdom_read, star_wisdom_find}};
static struct star_text texts[STAR_HANDED]; /* rank 0's, until they are handed out */

/* Numbers in files are the same whatever language the program chose. Without memory for it, there is none. */
static int64_t read_one(int kind)
{
    locale_t own = star_numerals_plain();
    kinds[kind].read(&texts[kind]);
    star_numerals_restore(own);
    if (texts[kind].failed)
        star_text_free(&texts[kind]);
    return (int64_t)texts[kind].length;
}

/* Nothing more for a program that is left alone. */
static void read_behind_topology(int64_t *lengths)
{
    for (int kind = TOPOLOGY + 1; kind < STAR_HANDED; kind++)
        lengths[kind] = kind > LEAVE && lengths[LEAVE] > 0 ? 0 : read_one(kind);
}

static bool exceeds_processors(int ranks)
{
    return ranks > sysconf(_SC_NPROCESSORS_ONLN);
}

static bool is_crowded(void)
{
    enum star_crowded told = (enum star_crowded)star_runtime.settings.crowded;
    return told == STAR_CROWDED_AUTO ? exceeds_processors(star_launched_here()) : told == STAR_CROWDED_YES;
}

bool star_surroundings_begin(struct star_greeting *greeting, bool reads)
{
    bool made = star_nodes_begin(&greeting->host, &greeting->known);
    greeting->crowded = is_crowded();
    greeting->cramped = star_launched_here() == 0 || exceeds_processors(star_launched_here());
    for (int kind = 0; kind < STAR_HANDED; kind++)
        greeting->handed[kind] = -1;
    if (!reads || !made || star_runtime.world_rank != 0)
        return made;
    greeting->handed[TOPOLOGY] = read_one(TOPOLOGY);
    if (greeting->known && greeting->handed[TOPOLOGY] == 0)
        read_behind_topology(greeting->handed);
    return made;
}

/* False: an MPI error, or no memory. */
static bool hand_out(int kind, int64_t length)
{
    bool shared = star_agree_text(&texts[kind], length);
    locale_t own = star_numerals_plain();
    bool found = kinds[kind].find(&texts[kind], length);
    star_numerals_restore(own);
    return shared && found;
}

/* What rank 0 could not read before. */
static bool find_lengths(int64_t *lengths)
{
    if (lengths[MAP] >= 0)
        return true;
    if (star_runtime.world_rank == 0)
        read_behind_topology(lengths);
    return star_agree_lengths(lengths, STAR_HANDED);
}

bool star_surroundings_leave(const struct star_greeting *greeting)
{
    return greeting->handed[LEAVE] > 0;
}

bool star_surroundings_find(struct star_greeting *greeting)
{
    int64_t *lengths = greeting->handed;
    bool together = greeting->known || !greeting->apart, made = star_nodes_find(greeting->host, together),
         same;
    made = hand_out(TOPOLOGY, lengths[TOPOLOGY]) && made;
    if (find_lengths(lengths) && lengths[LEAVE] <= 0) {
        made = hand_out(MAP, lengths[MAP]) && made;
        made = hand_out(WISDOM, lengths[WISDOM]) && made;
    } else
        made = false;
    /* What a rank alone can be short of memory for. */
    if (!together || lengths[TOPOLOGY] > 0 || lengths[MAP] > 0)
        made = star_agree(star_all(), made, 0, &same);
    if (!made)
        star_surroundings_forget();
    return made;
}

void star_surroundings_forget(void)
{
    star_nodes_forget();
    star_places_forget();
    star_maps_forget();
    for (int kind = 0; kind < STAR_HANDED; kind++)
        star_text_free(&texts[kind]);
}
