/* SPDX-License-Identifier: BSD-3-Clause
 * startune run: puts the right library in front of the program's MPI, and becomes the program. */
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/settings.h"
#include "program.h"
#include "watch.h"
#include "dialect/dialect.h"
#include "dialect/launcher.h"
#include "util/settings.h"
#include "util/settings_read.h"
#include "util/version.h"
#include "util/why.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Length of the first word of LD_PRELOAD's value; words end at colons and spaces. */
static size_t word_length(const char *words)
{
    return strcspn(words, ": ");
}

static bool is_mpi_library(const char *word, size_t length)
{
    char name[256];
    const char *last = word;
    for (const char *c = word; c < word + length; c++)
        if (*c == '/')
            last = c + 1;
    snprintf(name, sizeof name, "%.*s", (int)(word + length - last), last);
    return star_dialect_linked(name) != NULL || star_dialect_is_inner(name);
}

/* Behind what is preloaded already: a tool there sees the program's calls first, and hands them to startune
 * by their PMPI names. But in front of an MPI library, and once only. */
static void preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "", *rest = others;
    for (size_t length; *rest != 0; rest += length + (rest[length] != 0)) {
        length = word_length(rest);
        if (length == strlen(library) && strncmp(rest, library, length) == 0)
            return;
        if (is_mpi_library(rest, length))
            break;
    }
    size_t room = strlen(library) + strlen(others) + 3;
    char *all = malloc(room);
    if (all == NULL)
        return;
    bool ends = rest == others || strchr(": ", rest[-1]) != NULL;
    snprintf(all, room, "%.*s%s%s%s%s", (int)(rest - others), others, ends ? "" : ":", library,
             *rest ? ":" : "", rest);
    setenv("LD_PRELOAD", all, 1);
    free(all);
}

/* Puts the library in place whose file's name begins so, or says why the program cannot run. */
static int put_in_front(const char *mpi, const char *begins)
{
    char path[4096];
    int status = cli_file_of_mpi(mpi, "the program uses", begins, STAR_LIBRARY_END, path, sizeof path);
    if (status != CLI_OK)
        return status;
    if (strpbrk(path, ": ") != NULL) {
        cli_error("the library's path %s has a space or colon, which LD_PRELOAD cannot hold", path);
        return CLI_FAILED;
    }
    preload(path);
    return CLI_OK;
}

/* AddressSanitizer ends programs in which another library comes before its own: this one, and what it starts,
 * which is preloaded, too. It wants to be the first that defines malloc and the like; startune does not. */
static void let_asan_follow(void)
{
    static const char follow[] = "verify_asan_link_order=0";
    const char *options = getenv("ASAN_OPTIONS") ? getenv("ASAN_OPTIONS") : "";
    size_t room = sizeof follow + strlen(options) + 1;
    char *all = malloc(room);
    if (all == NULL)
        return;
    snprintf(all, room, "%s%s%s", follow, *options ? ":" : "", options); /* the user's own hold */
    setenv("ASAN_OPTIONS", all, 1);
    free(all);
}

/* Puts the library in place, and behind it the one that counts messages, where that is asked for. */
static int prepare(const struct cli_program *program)
{
    const char *mpi = cli_mpi_chosen(program->mpi);
    if (mpi == NULL)
        return CLI_OK; /* no MPI program, and no launcher */
    if (program->binary == CLI_STATIC || program->privilege != NULL) {
        cli_warn("%s %s: it runs untuned", program->path,
                 program->privilege != NULL ? program->privilege : "is statically linked");
        return CLI_OK;
    }
    let_asan_follow();
    int status = put_in_front(mpi, STARTUNE_TO_LIBRARIES "/libstartune-");
    if (status == CLI_OK && cli_settings_now.matrix && cli_settings_now.on)
        status = put_in_front(mpi, STARTUNE_TO_LIBRARIES "/libstartune-matrix-");
    return status;
}

/* The file that SETTING names: the program may be in another folder when it comes to it. */
static int make_absolute(const char *setting, char *file)
{
    char path[STAR_SETTING_TEXT], *folder = NULL;
    if (file[0] == 0 || file[0] == '/' || (folder = getcwd(NULL, 0)) == NULL)
        return CLI_OK;
    int length = snprintf(path, sizeof path, "%s/%s", folder, file);
    free(folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return cli_error("--%s: the path of %.200s has %d characters; %d at most", setting, file, length,
                         STAR_SETTING_TEXT - 1);
    memcpy(file, path, (size_t)length + 1);
    return CLI_OK;
}

/* All settings that name files, but for the words that stand there instead. */
static int make_all_absolute(void)
{
    const struct {
        const char *setting;
        char *file;
        const char *words[2];
    } files[] = {{"report", cli_settings_now.report, {"", ""}},
                 {"wisdom", cli_settings_now.wisdom, {"on", "off"}},
                 {"map", cli_settings_now.map, {"none", ""}},
                 {"topology", cli_settings_now.topology, {"auto", "none"}}};
    int error = CLI_OK;
    for (size_t i = 0; !error && i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].file, files[i].words[0]) != 0 && strcmp(files[i].file, files[i].words[1]) != 0)
            error = make_absolute(files[i].setting, files[i].file);
    return error;
}

/* As shells tell a script from a program of another machine: its first line is text. */
static bool is_script(const char *path)
{
    char bytes[256];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, bytes, sizeof bytes);
    if (file >= 0)
        close(file);
    errno = ENOEXEC;
    if (length < 0 || (length >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0))
        return false;
    const char *end = memchr(bytes, '\n', (size_t)length);
    return memchr(bytes, 0, end ? (size_t)(end - bytes) : (size_t)length) == NULL;
}

/* What this process has worked until now, its loading too: the program's account of what startune took begins
 * with it. */
static void tell_spent(void)
{
    struct timespec spent;
    char text[32];
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent) != 0)
        return;
    snprintf(text, sizeof text, "%lld", (long long)spent.tv_sec * 1000000000 + spent.tv_nsec);
    setenv(STAR_VARIABLE_SPENT, text, 1);
}

/* Becomes the program; returns only where that cannot be, with errno. */
static void become(char *path, int argc, char **argv)
{
    tell_spent();
    execv(path, argv);
    if (errno == ENOEXEC && is_script(path)) { /* one without #!, as the shell runs it */
        argv[0] = path;
        char **words = calloc((size_t)argc + 2, sizeof *words);
        if (words != NULL) {
            words[0] = "sh";
            memcpy(words + 1, argv, (size_t)argc * sizeof *words);
            execv("/bin/sh", words);
            free(words);
        }
    }
}

/* A program that is linked with MPI keeps the library that was put in front of it. What starts others may
 * lose it: beside rank 0, that is watched. */
static int become_watched(struct cli_program *program, int argc, char **argv)
{
    const char *rank = star_launched_rank();
    if (program->binary == CLI_SCRIPT && cli_settings_now.on && getenv("LD_PRELOAD") != NULL &&
        rank != NULL && strcmp(rank, "0") == 0)
        cli_watch();
    become(program->path, argc, argv);
    cli_error("%s: %s", program->path, strerror(errno));
    return CLI_CANNOT_RUN;
}

/* Is startune off by the words with which the launcher started all ranks, WORDS of this process or of one
 * above it? Then nobody has to be asked, whatever scripts do. */
static bool is_off_for_all(char *const *words)
{
    const char *origin = cli_setting_origin("on"), *job;
    if (star_launched_in(getenv(STAR_VARIABLE_OFF_JOB)))
        return true;
    if (cli_settings_now.on || origin == NULL || strcmp(origin, "option") != 0 ||
        (job = star_launched_alike(words)) == NULL)
        return false;
    setenv(STAR_VARIABLE_OFF_JOB, job, 1);
    return true;
}

/* ARGV: behind the words `startune run`. */
static int run(const struct cli_command *command, int argc, char **argv)
{
    struct cli_program program;
    struct star_why why;
    int first = cli_load_with_options(command, argc, argv);
    if (first < 0)
        return CLI_USAGE;
    if (cli_setting_origin("on") == NULL)
        cli_settings_now.on = true;
    if (first == argc)
        return cli_error("no program; usage: %s", command->synopsis);
    int status = cli_find_program(argv[first], &program, &why);
    if (status != CLI_OK) {
        cli_error("%s", why.text);
        return status;
    }
    if (is_off_for_all(argv - 2))
        cli_settings_now.on = false;
    else
        status = prepare(&program);
    if (status != CLI_OK)
        return status;
    status = make_all_absolute();
    if (status != CLI_OK)
        return status;
    cli_export_settings();
    unsetenv(STAR_VARIABLE_SETTINGS); /* its values are all there, and it may name a file from here */
    return become_watched(&program, argc - first, argv + first);
}

static const struct cli_option options[] = {
    {"settings", "FILE", "read settings from FILE, lines of the form name = value", cli_take_file,
     .at = NULL},
    {.name = NULL},
};

static const struct cli_line examples[] = {
    {"mpirun -n 16 startune run ./app input", "run app, tuned; rank 0 says at the end what was chosen"},
    {"mpirun -n 16 startune run --report tuning.json ./app", "and keep all that was measured"},
    {"mpirun -n 16 startune run --force alltoall:pair,sync=light ./app",
     "always this method, without tuning"},
    {"mpirun -n 4 startune run python3 script.py", "scripts work as well"},
    {.name = NULL},
};

const struct cli_command cli_run = {
    .name = "run",
    .synopsis = "mpirun … startune run [OPTIONS] PROGRAM [ARGUMENTS]",
    .summary = "run an MPI program, with its communication tuned",
    .description =
        "Runs PROGRAM in each process that the launcher starts. PROGRAM needs no change. startune measures "
        "its collective operations with several methods, the MPI library's own first. Each context "
        "(communicator, operation and bytes) then runs the fastest method, and startune keeps watching it. "
        "Programs without MPI run as they are.\n\n"
        "Put startune in front of every program of the job, because all ranks have to agree on methods.\n\n"
        "Every option is a setting. It can also stand in the environment (STARTUNE_ITER=5 for --iter 5), "
        "or as a line iter = 5 in " STAR_ETC
        "/startune.conf or ~/.config/startune.conf; STARTUNE_SETTINGS names "
        "another file. Options override the environment, and the environment overrides files. The settings "
        "of rank 0 hold for all ranks.",
    .options = options,
    .takes_settings = true,
    .examples = examples,
    .uses = "settings topology wisdom reports",
    .run = run,
};
