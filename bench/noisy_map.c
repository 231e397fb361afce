/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a synthetic map: noisy_map [ROWS COLUMNS NOISE SEED]; 28 × 48 by default, as the published one, with
 * times that vary by five percent. */
#include "map/map.h"
#include "map/write.h"
#include "noisy.h"
#include "util/text.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 28, columns = argc > 2 ? atoi(argv[2]) : 48;
    double noise = argc > 3 ? atof(argv[3]) : 0.05;
    struct star_map *map = noisy_map(rows, columns, noise, argc > 4 ? strtoull(argv[4], NULL, 10) : 1);
    struct star_text text = {0};
    if (map == NULL)
        return EXIT_FAILURE;
    star_map_write(map, &text);
    bool good = !text.failed && fwrite(text.bytes, 1, text.length, stdout) == text.length;
    star_text_free(&text);
    star_map_free(map);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
