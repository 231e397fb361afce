/* SPDX-License-Identifier: BSD-3-Clause */
#include "dialect/dialect.h"
#include "dialect/handles.h"
#include "dialect/launcher.h"
#include "expect.h"

#include <stdlib.h>
#include <string.h>

/* What MPI_Get_library_version says. */
static const struct {
    const char *version, *title;
    const struct star_dialect *dialect;
} known[] = {
    {"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022",
     "Open MPI 4.1.4", &star_open_mpi},
    {"Open MPI v6.0.0rc2, package: Open MPI, ident: 6.0.0rc2", "Open MPI 6.0.0rc2", &star_open_mpi},
    {"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\nMPICH Device:\tch4:ucx\n",
     "MPICH 4.0.2", &star_mpich},
    {"MPICH Version:      4.2.1\nMPICH Release date: Wed Apr 17 15:30:02 CDT 2024\n", "MPICH 4.2.1",
     &star_mpich},
    {"MPICH Version:      5.0.0\nMPICH Release date: unreleased\nMPICH ABI:          17:0:5\n", "MPICH 5.0.0",
     &star_mpich},
    {"SMPI Version 3.32. Copyright The SimGrid Team 2007-2022", "SMPI 3.32.", &star_simgrid},
    {"Another MPI 1.0\nof a second line", "Another MPI 1.0", NULL},
    {"", "", NULL},
};

static void a_library_is_known_by_what_it_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char title[64], little[8];
        star_dialect_title(known[i].version, title, sizeof title);
        star_dialect_title(known[i].version, little, sizeof little);
        assert_string_equal(title, known[i].title);
        assert_memory_equal(title, little, strlen(little));
        assert_ptr_equal(star_dialect_of(known[i].version), known[i].dialect);
    }
}

/* MPICH 4.0.2, 4.2.1 and 5.0.2 end no MPI_Waitall with an inactive persistent collective. */
static void every_release_of_mpich_persists_wrongly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].dialect == &star_mpich)
            assert_non_null(strstr(known[i].version, star_mpich.persists_wrongly));
    assert_null(star_open_mpi.persists_wrongly);
}

static void a_program_is_known_by_what_it_is_linked_with(void **state)
{
    (void)state;
    assert_ptr_equal(star_dialect_linked("libmpi.so.40"), &star_open_mpi);
    assert_ptr_equal(star_dialect_linked("libmpi.so.40.30.4"), &star_open_mpi);
    assert_ptr_equal(star_dialect_linked("libmpich.so.12"), &star_mpich);
    assert_ptr_equal(star_dialect_linked("libmpi.so.12"), &star_mpich);
    assert_ptr_equal(star_dialect_linked("libmpi_abi.so.1"), &star_abi);
    assert_ptr_equal(star_dialect_linked("libmpi.so"), NULL); /* anyone's */
    assert_ptr_equal(star_dialect_linked("libm.so.6"), NULL);
    assert_ptr_equal(star_dialect_linked(""), NULL);
}

static void fortrans_bindings_call_for_the_program(void **state)
{
    (void)state;
    assert_true(star_dialect_is_inner("libmpi.so.40.30.4"));
    assert_true(star_dialect_is_inner("mca_io_ompio.so"));
    assert_true(star_dialect_is_inner("libmpich.so.12"));
    assert_true(star_dialect_is_inner("libopen_mpi.so.40"));
    assert_true(star_dialect_is_inner("libmpi_abi.so.1"));
    assert_false(star_dialect_is_inner("libmpi_mpifh.so.40"));
    assert_false(star_dialect_is_inner("libmpichfort.so.12"));
    assert_false(star_dialect_is_inner("libmpifort.so.12"));
}

/* No two of them have one mpi.h, nor say the same of themselves; and none lacks what messages say. */
static void dialects_can_be_told_apart(void **state)
{
    (void)state;
    const struct star_dialect *one, *other;
    for (size_t i = 0; (one = star_dialect_at(i)) != NULL; i++) {
        assert_true(one->name != NULL && one->build != NULL);
        assert_true((one->loses_one_sided.sign == NULL) == (one->loses_one_sided.name == NULL));
        for (size_t k = 0; (other = star_dialect_at(k)) != NULL && k < i; k++) {
            assert_false(one->macro && other->macro && strcmp(one->macro, other->macro) == 0);
            assert_false(one->sign && other->sign && strcmp(one->sign, other->sign) == 0);
        }
        if (one->macro != NULL)
            assert_ptr_equal(star_dialect_of_build(one->build), one);
    }
    assert_ptr_equal(star_dialect_of_build("lam"), &star_standard);
}

static void an_unknown_library_is_judged_by_its_handles(void **state)
{
    (void)state;
    assert_ptr_equal(STAR_DIALECT_UNKNOWN(int), &star_mpich);
    assert_ptr_equal(STAR_DIALECT_UNKNOWN(struct made_up *), &star_standard);
    assert_true(STAR_IS_BUILTIN(0x4c000405));  /* MPICH's MPI_INT */
    assert_false(STAR_IS_BUILTIN(0x0c000000)); /* MPI_DATATYPE_NULL */
    assert_false(STAR_IS_BUILTIN(0x8c000000)); /* made by pairs */
}

static void forget(const char *variable)
{
    if (variable != NULL)
        unsetenv(variable);
}

static int forget_launchers(void **state)
{
    (void)state;
    const struct star_launcher *launcher;
    for (size_t i = 0; (launcher = star_launcher_at(i)) != NULL; i++) {
        forget(launcher->rank);
        forget(launcher->here);
        forget(launcher->job);
        forget(launcher->programs);
        forget(launcher->command);
        forget(launcher->words);
        for (const char *const *sign = launcher->signs; *sign != NULL; sign++)
            forget(*sign);
    }
    return 0;
}

static void a_launcher_is_known_by_its_variables(void **state)
{
    (void)state;
    assert_null(star_launched_rank());
    assert_null(star_launched_mpi());
    assert_int_equal(star_launched_here(), 0);
    setenv("SLURM_PROCID", "7", 1);
    assert_string_equal(star_launched_rank(), "7");
    assert_null(star_launched_mpi()); /* it starts any */
    setenv("PMIX_RANK", "6", 1);
    assert_ptr_equal(star_launched_mpi(), &star_open_mpi);
    setenv("PMI_RANK", "5", 1);
    setenv("MPI_LOCALNRANKS", "3", 1);
    assert_string_equal(star_launched_rank(), "5");
    assert_ptr_equal(star_launched_mpi(), &star_mpich);
    assert_int_equal(star_launched_here(), 3);
    setenv("OMPI_COMM_WORLD_SIZE", "9", 1);
    assert_ptr_equal(star_launched_mpi(), &star_open_mpi);
}

static const char *alike(const char *programs, const char *command, const char *words)
{
    static char *const argv[] = {"/opt/bin/startune", "run", "--off", "a b", "c", NULL};
    setenv("OMPI_NUM_APP_CTX", programs, 1);
    setenv("OMPI_COMMAND", command, 1);
    setenv("OMPI_ARGV", words, 1);
    return star_launched_alike(argv);
}

static void ranks_are_started_alike_where_the_job_has_one_program_with_the_words_of_this_one(void **state)
{
    (void)state;
    const char *words = "run --off a b c";
    assert_null(alike("1", "startune", words)); /* of no job */
    setenv("PMIX_NAMESPACE", "7", 1);
    assert_string_equal(alike("1", "startune", words), "7");
    assert_string_equal(alike("1", "/usr/bin/startune", words), "7");
    assert_null(alike("2", "startune", words));
    assert_null(alike("1", "sh", words));
    assert_null(alike("1", "startune", "run --off a b"));
    assert_null(alike("1", "startune", "run --off a b c d"));
    assert_null(alike("1", "startune", "run --off a b cd"));
    assert_null(alike("1", "startune", ""));
    assert_true(star_launched_in("7"));
    assert_false(star_launched_in("8"));
    assert_false(star_launched_in(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_is_known_by_what_it_says),
        cmocka_unit_test(every_release_of_mpich_persists_wrongly),
        cmocka_unit_test(a_program_is_known_by_what_it_is_linked_with),
        cmocka_unit_test(fortrans_bindings_call_for_the_program),
        cmocka_unit_test(dialects_can_be_told_apart),
        cmocka_unit_test(an_unknown_library_is_judged_by_its_handles),
        cmocka_unit_test_setup(
            ranks_are_started_alike_where_the_job_has_one_program_with_the_words_of_this_one,
            forget_launchers),
        cmocka_unit_test_setup(a_launcher_is_known_by_its_variables, forget_launchers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
