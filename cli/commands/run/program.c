/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"
#include "cli/common/messages.h"
#include "dialect/dialect.h"
#include "util/why.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *mpi_of_library(const char *name)
{
    const struct star_dialect *dialect = star_dialect_linked(name);
    return dialect ? dialect->build : NULL;
}

struct bytes {
    const unsigned char *at;
    size_t length;
};

/* COUNT records of SIZE bytes at OFFSET, or NULL where they are not all inside. */
static const void *inside(struct bytes file, uint64_t offset, uint64_t count, uint64_t size)
{
    uint64_t total;
    if (__builtin_mul_overflow(count, size, &total) || offset > file.length || total > file.length - offset)
        return NULL;
    return file.at + offset;
}

/* Is FILE one of ELF with 64 bits, whose segments are all named inside? */
static bool read_head(struct bytes file, Elf64_Ehdr *head)
{
    if (file.length < sizeof *head || memcmp(file.at, ELFMAG, SELFMAG) || file.at[EI_CLASS] != ELFCLASS64)
        return false;
    memcpy(head, file.at, sizeof *head);
    return head->e_phentsize == sizeof(Elf64_Phdr) &&
           inside(file, head->e_phoff, head->e_phnum, sizeof(Elf64_Phdr)) != NULL;
}

static Elf64_Phdr segment_at(struct bytes file, const Elf64_Ehdr *head, int i)
{
    Elf64_Phdr segment;
    memcpy(&segment, file.at + head->e_phoff + (size_t)i * sizeof segment, sizeof segment);
    return segment;
}

/* The offset in the file of what is loaded at ADDRESS. */
static bool offset_of(struct bytes file, const Elf64_Ehdr *head, uint64_t address, uint64_t *offset,
                      uint64_t *room)
{
    for (int i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr segment = segment_at(file, head, i);
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz &&
            !__builtin_add_overflow(segment.p_offset, address - segment.p_vaddr, offset) &&
            *offset < file.length) {
            *room = file.length - *offset;
            return true;
        }
    }
    return false;
}

/* The names of libraries in a dynamic segment. */
struct needed {
    const unsigned char *entries;
    size_t count, at;
    const char *names;
    uint64_t room; /* behind NAMES */
};

static struct needed needed_of(struct bytes file, const Elf64_Ehdr *head, const Elf64_Phdr *segment)
{
    struct needed needed = {.count = segment->p_filesz / sizeof(Elf64_Dyn)};
    uint64_t strings = 0;
    Elf64_Dyn entry;
    needed.entries = inside(file, segment->p_offset, needed.count, sizeof entry);
    for (size_t i = 0; needed.entries && i < needed.count; i++) {
        memcpy(&entry, needed.entries + i * sizeof entry, sizeof entry);
        if (entry.d_tag == DT_STRTAB && offset_of(file, head, entry.d_un.d_val, &strings, &needed.room))
            needed.names = (const char *)file.at + strings;
    }
    return needed;
}

/* NULL after the last one. */
static const char *next_needed(struct needed *needed)
{
    Elf64_Dyn entry;
    while (needed->names && needed->at < needed->count) {
        memcpy(&entry, needed->entries + needed->at++ * sizeof entry, sizeof entry);
        uint64_t at = entry.d_un.d_val;
        if (entry.d_tag == DT_NEEDED && at < needed->room &&
            memchr(needed->names + at, 0, needed->room - at) != NULL)
            return needed->names + at;
    }
    return NULL;
}

static const char *mpi_of_dynamic(struct bytes file, const Elf64_Ehdr *head, const Elf64_Phdr *segment)
{
    struct needed needed = needed_of(file, head, segment);
    const char *name, *mpi = NULL;
    while (mpi == NULL && (name = next_needed(&needed)) != NULL)
        mpi = mpi_of_library(name);
    return mpi;
}

/* Is each library that is needed one of C's, which need no others? Most programs that are not linked with MPI
 * are like that: shells, env, taskset. */
static bool needs_only_c(struct bytes file, const Elf64_Ehdr *head, const Elf64_Phdr *segment)
{
    static const char *const cs[] = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0"};
    struct needed needed = needed_of(file, head, segment);
    const char *name = next_needed(&needed);
    bool only = name != NULL;
    for (; only && name != NULL; name = next_needed(&needed)) {
        size_t i = 0;
        while (i < sizeof cs / sizeof *cs && strcmp(name, cs[i]) != 0)
            i++;
        only = i < sizeof cs / sizeof *cs;
    }
    return only;
}

enum cli_binary cli_read_elf(const unsigned char *bytes, size_t length, const char **mpi)
{
    struct bytes file = {bytes, length};
    Elf64_Ehdr head;
    *mpi = NULL;
    if (!read_head(file, &head))
        return CLI_SCRIPT;
    enum cli_binary binary = CLI_STATIC;
    for (int i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr segment = segment_at(file, &head, i);
        if (segment.p_type == PT_INTERP)
            binary = CLI_DYNAMIC;
        if (segment.p_type == PT_DYNAMIC && *mpi == NULL)
            *mpi = mpi_of_dynamic(file, &head, &segment);
    }
    return binary;
}

/* By the names that glibc's has on one machine or another. Loaders of other C libraries, such as musl's, take
 * no such question, or not as it is asked here. */
static bool is_glibcs(const char *loader)
{
    static const char *const names[] = {"ld-linux", "ld64.so.", "ld.so."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(basename(loader), names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

const char *cli_listing_loader(const unsigned char *bytes, size_t length)
{
    struct bytes file = {bytes, length};
    Elf64_Ehdr head;
    if (!read_head(file, &head))
        return NULL;
    const char *found = NULL;
    for (int i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr segment = segment_at(file, &head, i);
        const char *loader =
            segment.p_type == PT_INTERP ? inside(file, segment.p_offset, segment.p_filesz, 1) : NULL;
        if (segment.p_type == PT_DYNAMIC && needs_only_c(file, &head, &segment))
            return NULL;
        if (found == NULL && loader != NULL && memchr(loader, 0, segment.p_filesz) != NULL)
            found = loader;
    }
    return found != NULL && is_glibcs(found) ? found : NULL;
}

/* Asks LOADER for all libraries, also those that libraries need. It is the loader that runs, not the program
 * with a variable that asks it for them: one that did not know that would start the program. */
static const char *mpi_by_loader(const char *loader, const char *path)
{
    int ends[2];
    if (pipe(ends) != 0)
        return NULL;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]); /* first: it has standard output's number where that was closed */
        dup2(ends[1], STDOUT_FILENO);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        unsetenv("LD_PRELOAD");
        execl(loader, loader, "--list", path, (char *)NULL);
        _exit(CLI_CANNOT_RUN);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    const char *mpi = NULL;
    char line[4096];
    while (lines != NULL && fgets(line, sizeof line, lines))
        if (mpi == NULL)
            mpi = mpi_of_library(line + strspn(line, " \t"));
    if (lines != NULL)
        fclose(lines);
    if (child > 0)
        waitpid(child, NULL, 0);
    return mpi;
}

/* The loader puts nothing in front of a program that gets capabilities; root's are none that it gets. */
static bool gets_capabilities(int file, bool gains)
{
    struct vfs_ns_cap_data capabilities = {0};
    if (getuid() == 0 ||
        fgetxattr(file, "security.capability", &capabilities, sizeof capabilities) < (ssize_t)XATTR_CAPS_SZ_1)
        return false;
    return (le32toh(capabilities.magic_etc) & VFS_CAP_FLAGS_EFFECTIVE) != 0 ||
           (gains && (capabilities.data[0].permitted | capabilities.data[1].permitted) != 0);
}

/* Why the system runs FILE with other rights than ours; NULL: it does not. */
static const char *privilege_of(int file, const struct stat *status)
{
    struct statvfs system;
    bool user = status->st_mode & S_ISUID && status->st_uid != geteuid(),
         group = status->st_mode & S_ISGID && status->st_mode & S_IXGRP && status->st_gid != getegid(),
         gains = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1; /* as containers may forbid */
    if (fstatvfs(file, &system) == 0 && system.f_flag & ST_NOSUID)
        return NULL;
    return gains && (user || group)         ? "is set-user-ID or set-group-ID"
           : gets_capabilities(file, gains) ? "has file capabilities"
                                            : NULL;
}

static void inspect(struct cli_program *program)
{
    program->binary = CLI_SCRIPT;
    program->mpi = NULL;
    program->privilege = NULL;
    int file = open(program->path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0)
        return;
    void *bytes = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED)
        program->privilege = privilege_of(file, &status);
    close(file);
    if (bytes == MAP_FAILED)
        return;
    program->binary = cli_read_elf(bytes, (size_t)status.st_size, &program->mpi);
    const char *loader = cli_listing_loader(bytes, (size_t)status.st_size);
    if (loader != NULL && program->mpi == NULL)
        program->mpi = mpi_by_loader(loader, program->path);
    munmap(bytes, (size_t)status.st_size);
    if (program->binary == CLI_SCRIPT)
        program->privilege = NULL;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool look_up(const char *name, char *path, size_t room)
{
    const char *folders = getenv("PATH");
    if (folders == NULL)
        folders = "/usr/local/bin:/usr/bin:/bin";
    while (*folders) {
        size_t length = strcspn(folders, ":");
        snprintf(path, room, "%.*s/%s", length ? (int)length : 1, length ? folders : ".", name);
        if (is_file(path) && access(path, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

int cli_find_program(const char *name, struct cli_program *program, struct star_why *why)
{
    if (strchr(name, '/') == NULL) {
        if (!look_up(name, program->path, sizeof program->path))
            return star_because(why, CLI_NOT_FOUND, "%.200s: no such program in PATH", name);
    } else {
        snprintf(program->path, sizeof program->path, "%s", name);
        struct stat status;
        if (stat(name, &status) != 0)
            return star_because(why, CLI_NOT_FOUND, "%.200s: %s", name, strerror(errno));
        if (!S_ISREG(status.st_mode))
            return star_because(why, CLI_CANNOT_RUN, "%.200s: not a file", name);
        if (access(name, X_OK) != 0)
            return star_because(why, CLI_CANNOT_RUN, "%.200s: %s", name, strerror(errno));
    }
    inspect(program);
    return CLI_OK;
}
