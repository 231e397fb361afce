/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated topology files: each is refused with a reason, or accepted and survives writing and reading.
 * STARTUNE_FUZZ: rounds (2000); STARTUNE_FUZZ_SEED: where the numbers start. */
#include "expect.h"
#include "mutate.h"
#include "topology/topology.h"

#include <stdio.h>

enum { FILE_MOST = 16384 };
static uint64_t seed = 1;
static long rounds = 2000;

static const char *const pieces[] = {
    "switch ",
    "link ",
    "host ",
    "spanning-tree\n",
    "slots=",
    " 1G",
    "[0-3]",
    "[0-99]x[0-9]",
    "[",
    "]",
    ",",
    "-",
    "\n",
    "#",
    "=",
    "SwitchName=s Nodes=n\n",
    "Nodes=",
    "s0",
    "s1",
    "n0",
    "children: ",
    "- ",
    "*a",
    "&a ",
    "\"",
    "\"S-1\"",
    "[1]",
    "4xHDR",
    "<object type=",
    "/>",
    "\\\n",
    "99999999999999999999",
    "\xff",
    " ",
    "nan",
    "0",
    "1e308",
    "'",
    "|",
    "{",
};

/* The same as test_topology_files.c reads, and some in our own format. */
static const char *const files[] = {"slurm.conf", "slurm.yaml", "fabric.ibnet", "fabric-old.ibnet",
                                    "inside.xml"};
static const char *const texts[] = {
    "switch hub\nswitch s[0-2]\nlink hub s[0-2] 1G\nhost a[0-2] s0 100\nhost b[0-2] s1 100 slots=4\n"
    "host c[00-02] s2 # comment\n",
    "spanning-tree\nswitch d,c,b,a\nlink a b 100\nlink a c 100\nlink b d 10\nlink c d 2.5G\nhost n[0-1] d\n"
    "host m b\n",
    "switch s\nhost n s\n"};

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* TEXT in lines, which are sorted but for the first; without a comment. */
static char **sorted_lines(char *text, size_t *count)
{
    size_t lines = 0, room = 1;
    for (const char *c = text; *c; c++)
        room += *c == '\n';
    char **line = malloc(room * sizeof *line);
    assert_non_null(line);
    for (char *one; (one = strsep(&text, "\n")) != NULL;)
        if (one[0] != '#')
            line[lines++] = one;
    qsort(line + 1, lines - 1, sizeof *line, compare_lines);
    *count = lines;
    return line;
}

/* Writing and reading may change the order of what hangs on a switch, and nothing else. */
static void expect_same_tree(const struct star_topology *topology, const struct star_topology *again)
{
    struct star_text first = {0}, second = {0};
    size_t first_count, second_count;
    assert_int_equal(topology->machines, again->machines);
    assert_int_equal(topology->has_speeds, again->has_speeds);
    star_topology_write(topology, &first);
    star_topology_write(again, &second);
    char **a = sorted_lines(first.bytes, &first_count), **b = sorted_lines(second.bytes, &second_count);
    assert_int_equal(first_count, second_count);
    for (size_t i = 0; i < first_count; i++)
        assert_string_equal(a[i], b[i]);
    free(a);
    free(b);
    star_text_free(&first);
    star_text_free(&second);
}

static void expect_tree(const struct star_topology *topology)
{
    assert_true(topology->machines >= 1 && topology->root == 0 && topology->node[0].parent == -1);
    for (int i = 0; i < topology->nodes; i++) {
        const struct star_node *node = &topology->node[i];
        assert_true(i == 0 || (node->parent >= 0 && node->parent < i && node->mbps > 0));
        assert_true(i == 0 || !topology->node[node->parent].machine);
        assert_true(node->machine || (i + 1 < topology->nodes && topology->node[i + 1].parent == i));
        assert_true(!node->machine || star_topology_machine(topology, node->name) == i);
    }
}

static void accept(const struct star_topology *topology)
{
    struct star_topology *again = NULL;
    struct star_text text = {0}, picture = {0};
    struct star_why why = {{0}};
    expect_tree(topology);
    star_topology_write(topology, &text);
    if (star_topology_parse(text.bytes, text.length, "again", &again, &why))
        fail_msg("%s\n%s", why.text, text.bytes);
    expect_same_tree(topology, again);
    star_topology_draw(topology, &picture);
    star_topology_svg(topology, &picture);
    star_topology_json(topology, &picture);
    assert_false(picture.failed);
    star_topology_free(again);
    star_text_free(&text);
    star_text_free(&picture);
}

/* Reads LENGTH bytes in room of their very size, so that a sanitizer sees each read beyond them. */
static bool try(const char *text, size_t length)
{
    struct star_topology *topology = NULL;
    struct star_why why = {{0}};
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    int error = star_topology_parse(exact, length, "fuzz", &topology, &why);
    free(exact);
    if (error) {
        assert_int_equal(error, STAR_EINPUT);
        assert_null(topology);
        expect_one_line(why.text);
        assert_int_equal(strncmp(why.text, "fuzz:", 5), 0);
        return false;
    }
    accept(topology);
    star_topology_free(topology);
    return true;
}

static void fuzz(const char *begin, size_t length, long times)
{
    char *text = malloc(FILE_MOST);
    assert_non_null(text);
    long good = 0;
    for (long i = 0; i < times; i++) {
        memcpy(text, begin, length);
        size_t changed = mutate(&seed, text, length, FILE_MOST, pieces, sizeof pieces / sizeof *pieces);
        good += try(text, changed);
        good += try(text, random_below(&seed, changed + 1)); /* and cut off somewhere */
    }
    assert_true(times < 100 || (good > 0 && good < 2 * times)); /* some of both kinds */
    free(text);
}

static void text_is_read_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fuzz(texts[i], strlen(texts[i]), rounds);
}

static void fuzz_file(const char *name, long times)
{
    char path[4096], text[FILE_MOST];
    snprintf(path, sizeof path, TOPOLOGIES "/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    fuzz(text, length, times);
}

static void files_of_others_are_read_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        fuzz_file(files[i], rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read_or_refused),
        cmocka_unit_test(files_of_others_are_read_or_refused),
    };
    if (getenv("STARTUNE_FUZZ") != NULL)
        rounds = strtol(getenv("STARTUNE_FUZZ"), NULL, 10);
    if (getenv("STARTUNE_FUZZ_SEED") != NULL)
        seed = strtoull(getenv("STARTUNE_FUZZ_SEED"), NULL, 10) | 1;
    print_message("seed %llu, %ld rounds\n", (unsigned long long)seed, rounds);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
