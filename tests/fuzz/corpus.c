/* SPDX-License-Identifier: BSD-3-Clause
 * Gives each file of the folder that is named to the target FUZZ_TARGET: corpus FOLDER. They are what fuzzing
 * begins with, and what once went wrong. */
#include "fuzz.h"
#include "targets.h"
#include "util/file.h"
#include "util/text.h"

#include <dirent.h>
#include <stdio.h>

static const char *folder;

/* How many files there are, and are good. */
struct tally {
    int files, good;
};

static void read_one(const char *name, struct tally *tally)
{
    char path[4096];
    struct star_text text = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(star_file_read(path, &text, NULL), 0);
    bool good = fuzz_read(FUZZ_TARGET, text.bytes ? text.bytes : "", text.length);
    print_message("%s: %s\n", name, good ? "good" : "refused");
    tally->files++;
    tally->good += good;
    star_text_free(&text);
}

static void every_file_is_read_or_refused(void **state)
{
    (void)state;
    struct tally tally = {0, 0};
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open)) != NULL;)
        if (entry->d_name[0] != '.')
            read_one(entry->d_name, &tally);
    closedir(open);
    assert_true(tally.good > 0); /* else there is nothing for mutations to begin with */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_file_is_read_or_refused)};
    if (argc != 2)
        return 2;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
