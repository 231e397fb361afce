/* SPDX-License-Identifier: BSD-3-Clause
 * Writes generated_lookups.h for lookups.c: a decision function of each encoder, and a table of them. */
#include "encoders/rivals.h"
#include "algorithms/operations.h"
#include "map/grid.h"
#include "map/map.h"
#include "noisy.h"
#include "util/text.h"

#include <stdlib.h>

int main(void)
{
    const struct star_looseness exact = {.accuracy = 1};
    struct star_map *map = noisy_map(28, 48, 0.05, 1);
    struct star_grid grid;
    struct star_text text = {0};
    if (map == NULL || star_grid_make(map, STAR_BCAST, &grid, NULL))
        return EXIT_FAILURE;
    for (int i = 0; i < bench_encoder_count; i++) {
        struct star_encoding encoding;
        char name[40];
        if (star_encoding_make(bench_encoders[i], &grid, &exact, &encoding, NULL))
            return EXIT_FAILURE;
        snprintf(name, sizeof name, "decide_%s", bench_encoders[i]->name);
        star_encoding_generate(&encoding, name, &text);
        star_encoding_free(&encoding);
    }
    star_text_add(&text, "static int (*const decisions[])(long long, long long) = {");
    for (int i = 0; i < bench_encoder_count; i++)
        star_text_add(&text, "%sdecide_%s", i ? ", " : "", bench_encoders[i]->name);
    star_text_add(&text, "};\n");
    bool good = !text.failed && fwrite(text.bytes, 1, text.length, stdout) == text.length;
    star_text_free(&text);
    star_grid_free(&grid);
    star_map_free(map);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
