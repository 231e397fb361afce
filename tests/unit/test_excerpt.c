/* SPDX-License-Identifier: BSD-3-Clause */
#include "excerpt/excerpt.h"
#include "excerpt/sources.h"
#include "excerpt/words.h"
#include "expect.h"
#include "util/text.h"
#include "util/why.h"

#include <string.h>

/* The excerpt of a bundle that OWN, a file of one's own, needs. */
static struct star_text written;

static const char *excerpt(const char *bundle, const char *own, const char *prefer,
                           const char *const *dropped)
{
    struct star_sources sources = {0};
    struct star_span all = {bundle, strlen(bundle)};
    star_text_free(&written);
    assert_int_equal(star_excerpt_add_all(&sources, all, dropped, NULL), 0);
    assert_int_equal(star_excerpt_add_own(&sources, "own.c", own, NULL), 0);
    if (prefer)
        star_excerpt_prefer(&sources, prefer);
    star_excerpt_write(&sources, "my_", &written);
    star_sources_free(&sources);
    assert_false(written.failed);
    return written.bytes;
}

static int free_written(void **state)
{
    (void)state;
    star_text_free(&written);
    return 0;
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in: %s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("'%s' is in: %s", part, text);
}

static int times(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

static void what_is_needed_comes_along_and_nothing_else(void **state)
{
    (void)state;
    const char *text = excerpt("\fa.c\n"
                               "/* Twice. */\nint star_twice(int x)\n{\n    return star_sum(x, x);\n}\n\n"
                               "int star_thrice(int x)\n{\n    return 3 * x;\n}\n"
                               "\fb.c\n"
                               "static int add(int x, int y)\n{\n    return x + y;\n}\n\n"
                               "int star_sum(int x, int y)\n{\n    return add(x, y);\n}\n",
                               "int six(void)\n{\n    return star_twice(3);\n}\n", NULL, NULL);
    assert_has(text, "/* Twice. */\nint star_twice(int x)\n");
    assert_has(text, "int star_sum(");
    assert_has(text, "static int add(");
    assert_lacks(text, "star_thrice");
}

static void words_in_comments_strings_and_members_need_nothing(void **state)
{
    (void)state;
    const char *text = excerpt("\fa.c\nint star_a;\nint star_b;\nint star_c;\nint star_d;\n",
                               "/* star_a */\nconst char *own(struct s *p)\n{\n"
                               "    p->star_c = p->q.star_d;\n    return \"star_b \\\" star_a\";\n}\n",
                               NULL, NULL);
    assert_lacks(text, "int star_");
}

static void names_of_two_files_do_not_meet(void **state)
{
    (void)state;
    const char *text = excerpt("\fx/a.c\nstatic int one(void)\n{\n    return 1;\n}\n\n"
                               "static int alone(void)\n{\n    return one();\n}\n\n"
                               "int star_a(void)\n{\n    return alone();\n}\n"
                               "\fx/b.c\n#define one 2\n\nint star_b(void)\n{\n    return one;\n}\n",
                               "int own(void)\n{\n    return star_a() + star_b();\n}\n", NULL, NULL);
    assert_has(text, "static int x_a_one(void)");
    assert_has(text, "return x_a_one();");
    assert_has(text, "#define x_b_one 2");
    assert_has(text, "return x_b_one;");
    assert_has(text, "static int alone(void)");
}

static void a_tag_is_no_function(void **state)
{
    (void)state;
    const char *text = excerpt("\fa.h\nstruct star_place {\n    int at;\n};\n"
                               "\fb.c\nint star_place(void)\n{\n    return 1;\n}\n",
                               "static struct star_place own;\n", NULL, NULL);
    assert_has(text, "struct star_place {");
    assert_lacks(text, "int star_place(void)");
    assert_lacks(text, "#define star_place");
}

static void enumerators_and_macros_are_names(void **state)
{
    (void)state;
    const char *text =
        excerpt("\fa.h\nenum star_kind { STAR_A, STAR_B = 4 };\nenum { STAR_C };\n"
                "#define STAR_PAIR(x) \\\n    (x) + \\\n    STAR_C\nstruct star_unused {\n    int a;\n};\n",
                "int own = STAR_B + STAR_PAIR(1);\n", NULL, NULL);
    assert_has(text, "enum star_kind { STAR_A, STAR_B = 4 };");
    assert_has(text, "enum { STAR_C };");
    assert_has(text, "#define STAR_PAIR(x) \\\n    (x) + \\\n    STAR_C\n");
    assert_lacks(text, "star_unused");
}

static void headers_come_first_each_behind_those_it_includes(void **state)
{
    (void)state;
    const char *text =
        excerpt("\fa.c\n#include \"b.h\"\n\nint star_a(struct star_b *b)\n{\n    return b->a.x;\n}\n"
                "\fb.h\n#ifndef B_H\n#define B_H\n\n#include \"c.h\"\n#include <stdio.h>\n\n"
                "struct star_b {\n    struct star_c a;\n};\nint star_a(struct star_b *b);\n\n#endif\n"
                "\fc.h\n#ifndef C_H\n#define C_H\n\n#include <stdio.h>\n\nstruct star_c {\n    int x;\n};\n\n"
                "#endif\n",
                "#include <stdlib.h>\nint own(void)\n{\n    return star_a(NULL);\n}\n", NULL, NULL);
    const char *c = strstr(text, "struct star_c {"), *b = strstr(text, "struct star_b {");
    const char *a = strstr(text, "return b->a.x;"), *own = strstr(text, "int own(");
    assert_true(c && b && a && own && c < b && b < a && a < own);
    assert_int_equal(times(text, "#include <stdio.h>\n"), 1);
    assert_int_equal(times(text, "#include <stdlib.h>\n"), 1);
    assert_lacks(text, "_H\n");
    assert_lacks(text, "#endif");
}

static void ones_own_definitions_stand_in_for_others(void **state)
{
    (void)state;
    const char *bundle = "\fa.h\nint star_a(void);\n"
                         "\fa.c\nint star_a(void)\n{\n    return star_far();\n}\n"
                         "\fnear/b.c\nint star_a(void)\n{\n    return 4;\n}\n"
                         "\fc.c\nint star_far(void)\n{\n    return 5;\n}\n";
    const char *text = excerpt(bundle, "int own(void)\n{\n    return star_a();\n}\n", "near/", NULL);
    assert_has(text, "return 4;");
    assert_lacks(text, "star_far");
    text = excerpt(bundle, "int star_a(void)\n{\n    return 6;\n}\n", NULL, NULL);
    assert_has(text, "int star_a(void);");
    assert_has(text, "return 6;");
    assert_lacks(text, "star_far");
}

static void dropped_rows_of_tables_need_nothing(void **state)
{
    (void)state;
    const char *const dropped[] = {"STAR_B", NULL};
    const char *text =
        excerpt("\fa.c\nint star_x, star_y;\n\nconst int *star_table[] = {\n    [STAR_A] = &star_x,\n"
                "    [STAR_B] =\n        &star_y,\n    [STAR_BC] = &star_x,\n};\n",
                "const int **own = star_table;\n", NULL, dropped);
    assert_has(text, "    [STAR_A] = &star_x,\n    [STAR_BC] = &star_x,\n};");
    assert_lacks(text, "&star_y");
}

static void a_conditional_block_stays_whole(void **state)
{
    (void)state;
    const char *text =
        excerpt("\fa.c\n#ifdef STAR_X\nstatic int one(int a)\n{\n    return a;\n}\n#else\n"
                "#define one(a) star_one(a)\n#endif\n\nint star_one(int a)\n{\n    return a;\n}\n\n"
                "int star_a(void)\n{\n    return one(1);\n}\n",
                "int own(void)\n{\n    return star_a();\n}\n", NULL, NULL);
    assert_has(text, "#ifdef STAR_X\nstatic int one(int a)\n{\n    return a;\n}\n#else\n"
                     "#define one(a) star_one(a)\n#endif\n");
    assert_has(text, "int star_one(int a)\n{");
}

static void the_linker_sees_other_names(void **state)
{
    (void)state;
    const char *text = excerpt("\fa.c\nint star_a(void)\n{\n    return 1;\n}\n",
                               "int own(void)\n{\n    return star_a();\n}\n", NULL, NULL);
    assert_has(text, "#define star_a my_a\n");
    assert_lacks(text, "#define own");
}

static void a_bundle_without_paths_is_refused(void **state)
{
    (void)state;
    struct star_sources sources = {0};
    struct star_why why;
    const char text[] = "int a;\n";
    assert_int_equal(star_excerpt_add_all(&sources, (struct star_span){text, sizeof text - 1}, NULL, &why),
                     STAR_EINPUT);
    assert_non_null(strstr(why.text, "path"));
    assert_int_equal(star_excerpt_add_own(&sources, "a.c", "int a;\n/* no end", &why), STAR_EINPUT);
    assert_non_null(strstr(why.text, "a.c: a comment does not end"));
    star_sources_free(&sources);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_needed_comes_along_and_nothing_else),
        cmocka_unit_test(words_in_comments_strings_and_members_need_nothing),
        cmocka_unit_test(names_of_two_files_do_not_meet),
        cmocka_unit_test(a_tag_is_no_function),
        cmocka_unit_test(enumerators_and_macros_are_names),
        cmocka_unit_test(headers_come_first_each_behind_those_it_includes),
        cmocka_unit_test(ones_own_definitions_stand_in_for_others),
        cmocka_unit_test(dropped_rows_of_tables_need_nothing),
        cmocka_unit_test(a_conditional_block_stays_whole),
        cmocka_unit_test(the_linker_sees_other_names),
        cmocka_unit_test(a_bundle_without_paths_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, free_written);
}
