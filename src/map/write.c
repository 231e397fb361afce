/* SPDX-License-Identifier: BSD-3-Clause
 * A map as text. The machine's known facts come first, then each operation's points and what was measured
 * there: startune map 1 mpi Open MPI 4.1.4 operation alltoall point 8 1024 grid winner alltoall:ring 1.25e-05
 * 3 1.2e-05 1.25e-05 1.3e-05 slower alltoall:native 2e-05 40 end 1 */
#include "map/write.h"
#include "map/words.h"
#include "util/file_write.h"

#include <math.h>

static void write_machine(const struct star_map_machine *machine, struct star_text *text)
{
    for (int i = 0; i < star_map_fact_count; i++) {
        const struct star_map_fact *fact = &star_map_facts[i];
        const char *at = (const char *)machine + fact->offset;
        int number = fact->is_text ? 0 : *(const int *)(const void *)at;
        if (fact->is_text && at[0] != 0)
            star_text_add(text, "%s %s\n", fact->word, at);
        if (number > 0)
            star_text_add(text, "%s %d\n", fact->word, number);
    }
}

static void write_timing(const struct star_map_timing *timing, const char *role,
                         const struct star_method *method, struct star_text *text)
{
    char spelling[STAR_METHOD_TEXT];
    star_text_add(text, "%s %s ", role, star_method_format(method, spelling, sizeof spelling));
    if (isnan(timing->median))
        star_text_add(text, "-");
    else
        star_text_number(text, timing->median);
    star_text_add(text, " %d", timing->count);
    for (int i = 0; timing->samples && i < timing->count; i++) {
        star_text_append(text, " ", 1);
        star_text_number(text, timing->samples[i]);
    }
    star_text_add(text, "\n");
}

static void write_point(const struct star_map_operation *of, const struct star_map_point *point,
                        struct star_text *text)
{
    star_text_add(text, "%s %d %lld %s\n", point->guessed ? "guessed" : "point", point->ranks,
                  (long long)point->bytes, star_map_origins[point->searched]);
    for (int i = 0; i < point->timings; i++) {
        const struct star_map_timing *timing = &point->timing[i];
        enum star_map_role role = i == point->winner ? STAR_MAP_WINNER
                                  : timing->tied     ? STAR_MAP_TIED
                                                     : STAR_MAP_SLOWER;
        write_timing(timing, star_map_roles[role], &of->method[timing->method], text);
    }
}

void star_map_write(const struct star_map *map, struct star_text *text)
{
    int points = 0;
    star_text_add(text, "startune map %d\n", STAR_MAP_VERSION);
    write_machine(&map->machine, text);
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        const struct star_map_operation *of = &map->of[i];
        if (of->points > 0)
            star_text_add(text, "operation %s\n", star_operations[i].name);
        for (int j = 0; j < of->points; j++)
            write_point(of, &of->point[j], text);
        points += of->points;
    }
    star_text_add(text, "end %d\n", points);
}

int star_map_save(const struct star_map *map, const char *path, struct star_why *why)
{
    struct star_text text = {0};
    star_map_write(map, &text);
    int error = text.failed ? star_because(why, STAR_EMEMORY, "out of memory for %.300s", path)
                            : star_file_write(path, text.bytes, text.length, why);
    star_text_free(&text);
    return error;
}
