/* SPDX-License-Identifier: BSD-3-Clause
 * Decision maps: accepted ones survive writing and reading. */
#include "map/map.h"
#include "algorithms/operations.h"
#include "map/choose.h"
#include "map/read.h"
#include "map/write.h"
#include "maps.h"
#include "targets.h"
#include "util/text.h"
#include "util/why.h"

static void accept(const struct star_map *map)
{
    struct star_text first = {0}, second = {0};
    star_map_write(map, &first);
    struct star_map *again = map_parsed(first.bytes);
    star_map_write(again, &second);
    assert_string_equal(first.bytes, second.bytes);
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        assert_int_equal(map->of[i].points, again->of[i].points);
        assert_true((star_map_choose(map, (enum star_operation)i, 5, 2000) != NULL) ==
                    (map->of[i].points > 0));
    }
    star_map_free(again);
    star_text_free(&first);
    star_text_free(&second);
}

int fuzz_map(const char *text, size_t length, struct star_why *why)
{
    struct star_map *map = NULL;
    int error = star_map_parse(text, length, "fuzz", &map, why);
    if (error)
        assert_null(map);
    else
        accept(map);
    star_map_free(map);
    return error;
}
