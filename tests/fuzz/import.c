/* SPDX-License-Identifier: BSD-3-Clause
 * What other benchmarks print: the map of it can be written. */
#include "map/import.h"
#include "algorithms/method.h"
#include "expect.h"
#include "map/combine.h"
#include "map/map.h"
#include "map/read.h"
#include "map/write.h"
#include "targets.h"
#include "util/text.h"
#include "util/why.h"

/* Of one method of each benchmark that the inputs are of. */
static int import(const char *name, const char *text, size_t length, struct star_why *why)
{
    struct star_method method;
    struct star_text written = {0};
    struct star_map *map = star_map_new(), *again = NULL;
    assert_non_null(map);
    assert_int_equal(star_method_parse(name, &method, NULL), 0);
    int error = star_map_import(map, &method, 4, text, length, "fuzz", why);
    if (!error) {
        star_map_write(map, &written);
        assert_int_equal(star_map_parse(written.bytes, written.length, "again", &again, NULL), 0);
        assert_true(again->of[method.algorithm->operation].points > 0);
    }
    star_text_free(&written);
    star_map_free(map);
    star_map_free(again);
    return error;
}

int fuzz_import(const char *text, size_t length, struct star_why *why)
{
    static const char *const names[] = {"allreduce:native", "alltoall:ring", "barrier:native",
                                        "allgatherv:native"};
    int error = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        error = import(names[i], text, length, why);
        if (!error)
            return 0;
    }
    return error;
}
