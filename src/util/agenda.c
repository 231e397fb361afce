/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/agenda.h"

#include <math.h>
#include <stdlib.h>

static bool before(const struct star_entry *a, const struct star_entry *b)
{
    return a->time < b->time || (a->time <= b->time && a->number < b->number);
}

bool star_agenda_add(struct star_agenda *agenda, double time, int kind, int subject)
{
    if (agenda->count == agenda->room) {
        int64_t room = agenda->room ? 2 * agenda->room : 64;
        struct star_entry *at = realloc(agenda->at, (size_t)room * sizeof *at);
        if (at == NULL)
            return false;
        agenda->at = at;
        agenda->room = room;
    }
    struct star_entry entry = {time, agenda->numbers++, kind, subject};
    int64_t place = agenda->count++;
    for (; place > 0 && before(&entry, &agenda->at[(place - 1) / 2]); place = (place - 1) / 2)
        agenda->at[place] = agenda->at[(place - 1) / 2];
    agenda->at[place] = entry;
    return true;
}

double star_agenda_next(const struct star_agenda *agenda)
{
    return agenda->count ? agenda->at[0].time : INFINITY;
}

struct star_entry star_agenda_take(struct star_agenda *agenda)
{
    struct star_entry first = agenda->at[0], last = agenda->at[--agenda->count];
    int64_t place = 0;
    for (;;) {
        int64_t below = 2 * place + 1;
        if (below + 1 < agenda->count && before(&agenda->at[below + 1], &agenda->at[below]))
            below++;
        if (below >= agenda->count || !before(&agenda->at[below], &last))
            break;
        agenda->at[place] = agenda->at[below];
        place = below;
    }
    agenda->at[place] = last;
    return first;
}

void star_agenda_free(struct star_agenda *agenda)
{
    free(agenda->at);
    *agenda = (struct star_agenda){0};
}
