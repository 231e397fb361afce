/* SPDX-License-Identifier: BSD-3-Clause
 * The generated functions are compiled, and must answer as the encodings do that they were generated from. */
#include "encoders/rivals.h"
#include "algorithms/operations.h"
#include "expect.h"
#include "map/grid.h"
#include "map/map.h"
#include "noisy.h"
#include "util/text.h"
#include "util/why.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/startune-generated-XXXXXX";

/* CODE with the compiler of this build, warnings being errors. */
static void *compiled(const struct star_text *code)
{
    char command[600], path[100];
    snprintf(path, sizeof path, "%s/decide.c", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(code->bytes, 1, code->length, file), code->length);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command,
             STARTUNE_CC " -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -o %s/decide.so %s", folder, path);
    assert_int_equal(system(command), 0); /* NOLINT(bugprone-command-processor): it is ours */
    snprintf(path, sizeof path, "%s/decide.so", folder);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail_msg("%s", dlerror());
    assert_int_equal(unlink(path), 0); /* the next one must not be taken for this one */
    return library;
}

static void expect_same(const struct star_encoding *encoding)
{
    struct star_text code = {0};
    uint64_t seed = 11;
    int (*decide)(long long, long long);
    star_encoding_generate(encoding, "decide_here", &code);
    star_text_add(
        &code, "int decide(long long ranks, long long bytes);\n"
               "int decide(long long ranks, long long bytes)\n{\n    return decide_here(ranks, bytes);\n}\n");
    assert_false(code.failed);
    void *library = compiled(&code);
    *(void **)&decide = dlsym(library, "decide");
    assert_non_null(decide);
    for (int i = 0; i < 50000; i++) {
        int ranks = 1 + (int)random_below(&seed, 40);
        int64_t bytes = (int64_t)(random_next(&seed) >> (1 + random_below(&seed, 63)));
        if (decide(ranks, bytes) != star_encoding_choose(encoding, ranks, bytes))
            fail_msg("%s: %d ranks, %lld bytes: generated %d, in memory %d", encoding->encoder->name, ranks,
                     (long long)bytes, decide(ranks, bytes), star_encoding_choose(encoding, ranks, bytes));
    }
    dlclose(library);
    star_text_free(&code);
}

static void generated_code_answers_as_its_encoding(void **state)
{
    (void)state;
    static const struct star_looseness looseness[] = {{.accuracy = 1},
                                                      {.accuracy = 0.5, .max_depth = 3, .penalty = 0.05}};
    static const int columns[] = {48, 2};
    for (int i = 0; i < 2; i++) {
        struct star_map *map = noisy_map(i ? 1 : 27, columns[i], 0.05, 1);
        struct star_grid grid;
        struct star_why why = {{0}};
        assert_int_equal(star_grid_make(map, STAR_BCAST, &grid, &why), 0);
        for (int j = 0; j < 2 * bench_encoder_count; j += trials(1, 2)) {
            struct star_encoding encoding;
            if (star_encoding_make(bench_encoders[j / 2], &grid, &looseness[j % 2], &encoding, &why))
                fail_msg("%s", why.text);
            expect_same(&encoding);
            star_encoding_free(&encoding);
        }
        star_grid_free(&grid);
        star_map_free(map);
    }
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char path[100];
    (void)state;
    snprintf(path, sizeof path, "%s/decide.c", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(generated_code_answers_as_its_encoding)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
