/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/names.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

/* Where TEXT, of that HASH, is or would be: by the hash, then the next free place. There is always one. */
static struct star_name *place_of(const struct star_names *names, const char *text, uint64_t hash)
{
    size_t at = (size_t)(hash ^ hash >> 32) & (names->places - 1);
    while (names->place[at].text != NULL &&
           (names->place[at].hash != hash || strcmp(names->place[at].text, text) != 0))
        at = (at + 1) & (names->places - 1);
    return &names->place[at];
}

int star_names_get(const struct star_names *names, const char *text)
{
    if (names->count == 0)
        return -1;
    const struct star_name *found = place_of(names, text, star_hash_text(star_hash_empty, text));
    return found->text ? found->number : -1;
}

static bool grow(struct star_names *names)
{
    struct star_names greater = {.places = names->places ? 2 * names->places : 64};
    greater.place = calloc(greater.places, sizeof *greater.place);
    if (greater.place == NULL)
        return false;
    for (size_t i = 0; i < names->places; i++)
        if (names->place[i].text != NULL)
            *place_of(&greater, names->place[i].text, names->place[i].hash) = names->place[i];
    greater.count = names->count;
    free(names->place);
    *names = greater;
    return true;
}

bool star_names_put(struct star_names *names, const char *text, int number)
{
    if (2 * names->count >= names->places && !grow(names))
        return false;
    uint64_t hash = star_hash_text(star_hash_empty, text);
    *place_of(names, text, hash) = (struct star_name){text, hash, number};
    names->count++;
    return true;
}

void star_names_free(struct star_names *names)
{
    free(names->place);
    *names = (struct star_names){0};
}
