/* SPDX-License-Identifier: BSD-3-Clause
 * What is read from the bytes of a program, whole or damaged. The bytes end where an unreadable page begins.
 */
#include "cli/commands/run/program.h"
#include "cli/common/messages.h"
#include "dialect/dialect.h"
#include "expect.h"
#include "util/why.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    unsigned char *bytes; /* this program's */
    size_t length;
    unsigned char *room, *end; /* where the tested bytes lie, and the unreadable page */
} own;

static int load(void **state)
{
    (void)state;
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0)
        return -1;
    own.length = (size_t)status.st_size;
    own.bytes = malloc(own.length);
    for (size_t at = 0; at < own.length;) {
        ssize_t got = read(file, own.bytes + at, own.length - at);
        if (got <= 0)
            return -1;
        at += (size_t)got;
    }
    close(file);
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (own.length + page - 1) / page * page;
    own.room = mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own.room == MAP_FAILED)
        return -1;
    own.end = own.room + pages;
    return mprotect(own.end, page, PROT_NONE);
}

static int unload(void **state)
{
    (void)state;
    free(own.bytes);
    return 0;
}

/* LENGTH bytes that end at the unreadable page. */
static unsigned char *place(const void *bytes, size_t length)
{
    return memcpy(own.end - length, bytes, length);
}

static enum cli_binary read_placed(const void *bytes, size_t length, const char **mpi)
{
    enum cli_binary binary = cli_read_elf(place(bytes, length), length, mpi);
    const char *loader = cli_listing_loader(own.end - length, length);
    assert_true(binary == CLI_SCRIPT || binary == CLI_DYNAMIC || binary == CLI_STATIC);
    assert_true(*mpi == NULL || star_dialect_of_build(*mpi)->build == *mpi);
    assert_true(loader == NULL || (binary == CLI_DYNAMIC && strlen(loader) < length));
    return binary;
}

static void this_program_is_dynamic_and_for_no_mpi(void **state)
{
    (void)state;
    const char *mpi = "mpich";
    assert_int_equal(read_placed(own.bytes, own.length, &mpi), CLI_DYNAMIC);
    assert_null(mpi);
}

/* This program, as if it needed the library NAME instead of cmocka. */
static const char *mpi_when_linked_with(const char *name)
{
    static const char cmocka[] = "libcmocka.so";
    const char *mpi;
    unsigned char *copy = malloc(own.length);
    memcpy(copy, own.bytes, own.length);
    assert_true(strlen(name) <= strlen("libcmocka.so.0"));
    for (unsigned char *at = copy;
         (at = memmem(at, own.length - (size_t)(at - copy), cmocka, strlen(cmocka)));)
        memcpy(at, name, strlen(name) + 1);
    assert_int_equal(read_placed(copy, own.length, &mpi), CLI_DYNAMIC);
    free(copy);
    return mpi;
}

static void the_mpi_is_told_by_the_library_needed(void **state)
{
    (void)state;
    assert_string_equal(mpi_when_linked_with("libmpi.so.40"), "openmpi");
    assert_string_equal(mpi_when_linked_with("libmpich.so.12"), "mpich");
    assert_string_equal(mpi_when_linked_with("libmpi.so.12"), "mpich");
    assert_string_equal(mpi_when_linked_with("libmpi_abi.so"), "abi");
    assert_null(mpi_when_linked_with("libm.so.6"));
    assert_null(mpi_when_linked_with("libmpi"));
    assert_null(mpi_when_linked_with(""));
}

/* This program, as if its loader had the name NAME, of eight letters, in the place of glibc's. */
static const char *loader_when_it_begins_with(const char *name)
{
    static const char glibcs[] = "ld-linux";
    unsigned char *bytes = place(own.bytes, own.length);
    unsigned char *at = memmem(bytes, own.length, glibcs, strlen(glibcs));
    if (at == NULL)
        skip(); /* another processor's */
    memcpy(at, name, strlen(glibcs));
    return cli_listing_loader(bytes, own.length);
}

/* musl's was asked by a variable that it does not know, and so ran the program, before its time. */
static void only_a_loader_that_lists_libraries_is_asked_for_them(void **state)
{
    (void)state;
    const char *loader = loader_when_it_begins_with("ld-linux");
    assert_non_null(loader);
    assert_int_equal(access(loader, X_OK), 0);
    assert_non_null(loader_when_it_begins_with("ld64.so."));
    assert_null(loader_when_it_begins_with("ld-musl-"));
    assert_null(loader_when_it_begins_with("my-linux"));
}

/* Forgets all libraries that BYTES name as needed, but for one. Returns how many there were. */
static int keep_one_library(unsigned char *bytes, int one)
{
    Elf64_Ehdr head;
    Elf64_Phdr segment = {0};
    Elf64_Dyn entry;
    int libraries = 0;
    memcpy(&head, bytes, sizeof head);
    for (int i = 0; i < head.e_phnum && segment.p_type != PT_DYNAMIC; i++)
        memcpy(&segment, bytes + head.e_phoff + (size_t)i * sizeof segment, sizeof segment);
    for (size_t at = 0; at + sizeof entry <= segment.p_filesz; at += sizeof entry) {
        memcpy(&entry, bytes + segment.p_offset + at, sizeof entry);
        if (entry.d_tag != DT_NEEDED || libraries++ == one)
            continue;
        entry.d_tag = DT_DEBUG;
        memcpy(bytes + segment.p_offset + at, &entry, sizeof entry);
    }
    return libraries;
}

/* This program needs C's library and cmocka; only the latter may need others. */
static void no_loader_is_asked_where_cs_library_is_all_that_is_needed(void **state)
{
    (void)state;
    int asked = 0, count = 1;
    for (int i = 0; i < count; i++) {
        unsigned char *bytes = place(own.bytes, own.length);
        count = keep_one_library(bytes, i);
        asked += cli_listing_loader(bytes, own.length) != NULL;
    }
    assert_in_range(asked, 1, count - 1);
}

static void scripts_and_other_files_are_no_binaries(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
    } files[] = {
        {"", 0},
        {"#", 1},
        {"#!/bin/sh\nexec a.out\n", 21},
        {"\177ELF", 4},
        {"\177ELF\2\1\1", 7},
        {"\177ELF\1\1\1                                                                        ", 70},
        {"not an ELF file at all, but one that is as long as the header of one would have to be", 85},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *mpi = "mpich";
        assert_int_equal(read_placed(files[i].bytes, files[i].length, &mpi), CLI_SCRIPT);
        assert_null(mpi);
    }
}

static void without_an_interpreter_a_binary_is_static(void **state)
{
    (void)state;
    const char *mpi;
    Elf64_Ehdr head = {.e_phentsize = sizeof(Elf64_Phdr), .e_phoff = sizeof head};
    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    assert_int_equal(read_placed(&head, sizeof head, &mpi), CLI_STATIC);
    assert_null(mpi);
}

static void a_truncated_program_is_read_within_its_bounds(void **state)
{
    (void)state;
    const char *mpi;
    for (size_t length = 0; length < own.length; length += length < 2048 ? 1 : 997)
        read_placed(own.bytes, length, &mpi);
}

/* The file offset and size of the dynamic section, which says where everything else is. */
static void find_dynamic(size_t *begin, size_t *length)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)own.bytes;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(own.bytes + head->e_phoff);
    *begin = *length = 0;
    for (int i = 0; i < head->e_phnum; i++)
        if (segments[i].p_type == PT_DYNAMIC) {
            *begin = segments[i].p_offset;
            *length = segments[i].p_filesz;
        }
    assert_true(*length > 0);
}

static void a_mutated_program_is_read_within_its_bounds(void **state)
{
    (void)state;
    static const uint64_t odd[] = {0, 1, UINT64_MAX, INT64_MAX, UINT32_MAX, 0x8000, 64, UINT64_MAX - 15};
    uint64_t seed = 77;
    size_t dynamic, dynamic_length, top = 64 + 14 * sizeof(Elf64_Phdr);
    const char *mpi;
    find_dynamic(&dynamic, &dynamic_length);
    unsigned char *bytes = place(own.bytes, own.length);
    alarm(120); /* a hang ends the test */
    for (int i = 0; i < 20000; i++) {
        size_t touched[4];
        for (int m = 0; m < 4; m++) {
            bool in_top = random_below(&seed, 2);
            touched[m] =
                in_top ? random_below(&seed, top - 8) : dynamic + random_below(&seed, dynamic_length - 8);
            if (in_top && touched[m] < 5)
                touched[m] = 16;
            if (random_below(&seed, 2))
                bytes[touched[m]] = (unsigned char)random_below(&seed, 256);
            else
                memcpy(bytes + (touched[m] & ~(size_t)7), &odd[random_below(&seed, 8)], 8);
        }
        memcpy(bytes, own.bytes, 5); /* else it is no ELF file, and nothing is tested */
        enum cli_binary binary = cli_read_elf(bytes, own.length, &mpi);
        cli_listing_loader(bytes, own.length);
        assert_true(binary == CLI_SCRIPT || binary == CLI_DYNAMIC || binary == CLI_STATIC);
        for (int m = 0; m < 4; m++)
            memcpy(bytes + (touched[m] & ~(size_t)7), own.bytes + (touched[m] & ~(size_t)7), 8);
    }
    alarm(0);
    assert_memory_equal(bytes, own.bytes, own.length);
}

static void random_bytes_behind_an_elf_magic_are_read_within_bounds(void **state)
{
    (void)state;
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    uint64_t seed = 5;
    const char *mpi;
    alarm(120);
    for (int i = 0; i < 20000; i++) {
        unsigned char bytes[600];
        size_t length = 64 + random_below(&seed, sizeof bytes - 64);
        for (size_t b = 0; b < length; b++)
            bytes[b] = random_below(&seed, 3) ? 0 : (unsigned char)random_below(&seed, 256);
        memcpy(bytes, magic, sizeof magic);
        ((Elf64_Ehdr *)bytes)->e_phentsize = sizeof(Elf64_Phdr);
        ((Elf64_Ehdr *)bytes)->e_phoff = random_below(&seed, length);
        ((Elf64_Ehdr *)bytes)->e_phnum = (uint16_t)random_below(&seed, 10);
        read_placed(bytes, length, &mpi);
    }
    alarm(0);
}

static void programs_are_looked_up_as_a_shell_does(void **state)
{
    (void)state;
    struct cli_program program;
    struct star_why why = {{0}};
    assert_int_equal(cli_find_program("sh", &program, &why), CLI_OK);
    assert_int_equal(program.binary, CLI_DYNAMIC);
    assert_null(program.mpi);
    assert_int_equal(program.path[0], '/');
    assert_int_equal(cli_find_program("/proc/self/exe", &program, &why), CLI_OK);
    assert_int_equal(program.binary, CLI_DYNAMIC);
    assert_int_equal(cli_find_program("no-such-program-here", &program, &why), CLI_NOT_FOUND);
    expect_reason(&why, "no-such-program-here");
    assert_int_equal(cli_find_program("./no/such/program", &program, &why), CLI_NOT_FOUND);
    expect_reason(&why, "./no/such/program");
    assert_int_equal(cli_find_program("/tmp", &program, &why), CLI_CANNOT_RUN);
    expect_reason(&why, "/tmp");
    assert_int_equal(cli_find_program("/proc/self/maps", &program, &why), CLI_CANNOT_RUN);
    expect_reason(&why, "/proc/self/maps");
    assert_int_not_equal(cli_find_program("", &program, &why), CLI_OK);
    expect_one_line(why.text);
}

static void a_script_is_no_binary(void **state)
{
    (void)state;
    char path[] = "/tmp/startune-script-XXXXXX";
    int file = mkstemp(path);
    struct cli_program program;
    assert_true(file >= 0);
    assert_int_equal(write(file, "#!/bin/sh\n", 10), 10);
    fchmod(file, 0700);
    close(file);
    assert_int_equal(cli_find_program(path, &program, NULL), CLI_OK);
    assert_int_equal(program.binary, CLI_SCRIPT);
    assert_null(program.mpi);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_program_is_dynamic_and_for_no_mpi),
        cmocka_unit_test(the_mpi_is_told_by_the_library_needed),
        cmocka_unit_test(only_a_loader_that_lists_libraries_is_asked_for_them),
        cmocka_unit_test(no_loader_is_asked_where_cs_library_is_all_that_is_needed),
        cmocka_unit_test(scripts_and_other_files_are_no_binaries),
        cmocka_unit_test(without_an_interpreter_a_binary_is_static),
        cmocka_unit_test(a_truncated_program_is_read_within_its_bounds),
        cmocka_unit_test(a_mutated_program_is_read_within_its_bounds),
        cmocka_unit_test(random_bytes_behind_an_elf_magic_are_read_within_bounds),
        cmocka_unit_test(programs_are_looked_up_as_a_shell_does),
        cmocka_unit_test(a_script_is_no_binary),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
