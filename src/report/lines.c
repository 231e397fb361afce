/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef STARTUNE_HAS_DW
#include <elfutils/libdwfl.h>

/* One module's file at a time: a report's contexts mostly have one. */
struct star_lines {
    Dwfl_Callbacks callbacks;
    Dwfl *files;
    Dwfl_Module *module;
    char *no_folder; /* for debug information: the usual ones */
    char path[4096];
};

struct star_lines *star_lines_new(void)
{
    unsetenv("DEBUGINFOD_URLS"); /* else debug information would be looked for in the network */
    struct star_lines *lines = calloc(1, sizeof *lines);
    if (lines != NULL)
        lines->callbacks = (Dwfl_Callbacks){.find_elf = dwfl_build_id_find_elf,
                                            .find_debuginfo = dwfl_standard_find_debuginfo,
                                            .section_address = dwfl_offline_section_address,
                                            .debuginfo_path = &lines->no_folder};
    return lines;
}

static void forget(struct star_lines *lines)
{
    if (lines->files != NULL)
        dwfl_end(lines->files);
    lines->files = NULL;
    lines->module = NULL;
}

void star_lines_free(struct star_lines *lines)
{
    if (lines == NULL)
        return;
    forget(lines);
    free(lines);
}

static void open_module(struct star_lines *lines, const char *path)
{
    if (strcmp(lines->path, path) == 0)
        return;
    forget(lines);
    snprintf(lines->path, sizeof lines->path, "%s", path);
    lines->files = dwfl_begin(&lines->callbacks);
    if (lines->files == NULL)
        return;
    lines->module = dwfl_report_offline(lines->files, "", path, -1);
    dwfl_report_end(lines->files, NULL, NULL);
}

static void find_line(Dwfl_Module *module, GElf_Addr address, struct star_line *line)
{
    Dwfl_Line *found = dwfl_module_getsrc(module, address);
    const char *file = found ? dwfl_lineinfo(found, NULL, &line->line, NULL, NULL, NULL) : NULL;
    if (file == NULL)
        line->line = 0;
    snprintf(line->file, sizeof line->file, "%s", file ? file : "");
}

bool star_lines_find(struct star_lines *lines, const char *module, uint64_t offset, int64_t date,
                     struct star_line *line)
{
    struct stat status;
    GElf_Addr bias;
    *line = (struct star_line){.line = 0};
    if (lines == NULL || offset == 0 || stat(module, &status) != 0 || status.st_mtime > date)
        return false;
    if (!S_ISREG(status.st_mode)) /* a pipe's first byte might never come */
        return false;
    open_module(lines, module);
    if (lines->module == NULL || dwfl_module_getelf(lines->module, &bias) == NULL)
        return false;
    GElf_Addr call = bias + offset - 1; /* the offset is where the call returns to */
    const char *function = dwfl_module_addrname(lines->module, call);
    find_line(lines->module, call, line);
    snprintf(line->function, sizeof line->function, "%s", function ? function : "");
    return function != NULL || line->line > 0;
}
#else
struct star_lines *star_lines_new(void)
{
    return NULL;
}

void star_lines_free(struct star_lines *lines)
{
    (void)lines;
}

bool star_lines_find(struct star_lines *lines, const char *module, uint64_t offset, int64_t date,
                     struct star_line *line)
{
    (void)lines, (void)module, (void)offset, (void)date, (void)line;
    return false;
}
#endif
