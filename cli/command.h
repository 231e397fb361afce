/* SPDX-License-Identifier: BSD-3-Clause
 * The startune command: a table of subcommands, each with a table of options. Parsing, --help, the manual
 * pages and the shell's completion all read these tables. */
#ifndef STAR_CLI_COMMAND_H
#define STAR_CLI_COMMAND_H

#include "util/settings.h"
#include "util/settings_read.h"
#include "util/why.h"

#include <stdbool.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_CANNOT_RUN = 126, CLI_NOT_FOUND = 127 };

struct cli_option {
    const char *name;     /* "sizes" for --sizes, "n" for -n */
    const char *argument; /* NULL: a switch */
    const char *help;
};

struct cli_example {
    const char *line, *says;
};

struct cli_command {
    const char *name, *synopsis, *summary;
    const char *description;            /* paragraphs, parted by empty lines */
    const struct cli_option *options;   /* until a NULL name */
    bool takes_settings;                /* and every setting as an option */
    const struct cli_example *examples; /* until a NULL line */
    int (*run)(int argc, char **argv);  /* what follows the name; returns the exit status */
    bool (*take)(const struct cli_option *option, const char *value, struct star_why *why);
};
extern const struct cli_command *const cli_commands[]; /* until NULL */

extern const struct cli_command cli_run, cli_list, cli_settings, cli_check, cli_plan, cli_bench, cli_topo,
    cli_map, cli_export, cli_tune, cli_wisdom, cli_report, cli_replay;

/* Settings of this call of the command: files, then the environment, then options. */
extern struct star_settings cli_settings_now;
extern struct star_origins cli_settings_origins;
/* Where the setting NAME has its value from; NULL: it is the preset one. */
const char *cli_setting_origin(const char *name);
/* Is told of what files and the environment say that is no setting, when the settings are loaded; or NULL. */
extern void (*cli_settings_doubt)(const struct star_setting_doubt *doubt, void *context);
/* Says what is wrong with a value whose kind the table of settings does not know: of methods and costs. */
int cli_check_value(const char *name, const char *value, struct star_why *why);

/* Takes the options at the front of ARGV for COMMAND (its settings too) and returns the index of the first
 * word that is none, or −1 after saying on standard error what is wrong. `--` ends them. --help prints and
 * exits. */
int cli_options(const struct cli_command *command, int argc, char **argv);
/* Takes options wherever they stand in front of `--`, moves the other words to the front of ARGV and returns
 * how many they are, or −1. */
int cli_operands(const struct cli_command *command, int argc, char **argv);
/* Was OPTION, of its command's table, taken? */
bool cli_was_given(const struct cli_option *option);
/* Reads the files of settings and the environment: false after saying what is wrong. Unknown names are a
 * warning, and so is everything where startune is off. */
bool cli_load_settings(void);
/* Loads the settings and takes the options, as cli_options. Options count more than the file that one of them
 * may name, by cli_take_file: so they are taken twice, before and after it is read. */
int cli_load_with_options(const struct cli_command *command, int argc, char **argv);
bool cli_take_file(const char *path);
/* Gives the settings to the programs that are started, as environment variables. */
void cli_export_settings(void);

/* "startune COMMAND: error: …" on standard error, of the ranks of a machine that come to it at once from one
 * of them; returns CLI_USAGE. */
int cli_error(const struct cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "startune: warning: …" on standard error, of all ranks of a job from the first. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* said.c: does another process of this one's launcher say LINE just now, on this machine? Else the others
 * learn that this one does, while it waits for them a little. */
bool cli_is_said(const char *line);
void cli_let_others_come(void);

/* What the command exits with where it did what STATUS says: CLI_FAILED where that was good and standard
 * output cannot be written, after saying so. */
int cli_end(int status);

void cli_print_help(const struct cli_command *command);
void cli_print_overview(void);
int cli_print_manual(const char *page);
void cli_print_completion(void);

/* program.c: which MPI a program is for. */
enum cli_mpi { CLI_MPI_NONE, CLI_MPI_OPENMPI, CLI_MPI_MPICH };
extern const char *const cli_mpi_names[];
enum cli_binary { CLI_SCRIPT, CLI_DYNAMIC, CLI_STATIC };
struct cli_program {
    char path[4096];
    enum cli_binary binary;
    enum cli_mpi mpi; /* by what the program is linked with */
    bool privileged;  /* it runs as another user or group, and so nothing is preloaded */
};
/* Looks PROGRAM up as a shell does. CLI_OK, CLI_NOT_FOUND or CLI_CANNOT_RUN with the reason. */
int cli_find_program(const char *name, struct cli_program *program, struct star_why *why);
/* By what the launcher (mpirun, srun) left in the environment. */
enum cli_mpi cli_mpi_of_launcher(void);
bool cli_mpi_is_built(enum cli_mpi mpi);
/* What the bytes of an ELF file name as needed: the kind of binary and the MPI. Never reads beyond LENGTH. */
enum cli_binary cli_read_elf(const unsigned char *bytes, size_t length, enum cli_mpi *mpi);
/* The path of the dynamic loader that the bytes name, where it is one that lists a program's libraries when
 * it is asked to; else NULL. Never reads beyond LENGTH. */
const char *cli_listing_loader(const unsigned char *bytes, size_t length);
/* The path of FILE in the folder BESIDE, relative to the command's own place. */
bool cli_path_beside(const char *beside, const char *file, char *path, size_t room);

/* Becomes startune-PROGRAM of the launcher's MPI library, or of the one that the setting `mpi` names, with
 * the arguments ARGV. Returns only when that cannot be: the exit status, after saying why. */
int cli_become(const struct cli_command *command, const char *program, int argc, char **argv);

#endif
