# SPDX-License-Identifier: BSD-3-Clause
# awk -v folder=src -f carry.awk CORE.c… -- ALGORITHM.c…: the sources that customised routines carry, as one text that
# compiles as one file: all their headers, the core, and behind a form feed each algorithm's file. Functions and
# variables become static. Names that several files keep to themselves get the file's path in front. The MPI library's
# own functions are called by their names.

# The name that a line in the first column declares or defines; empty: none, or a type.
function declared(line) {
    sub(/^__attribute__\(\([a-z_]*\)\) /, "", line)
    if (line ~ /^(struct|union|enum) star_[a-z_]+( \{|;)/ || line !~ /^[A-Za-z}]/)
        return ""
    sub(/ ?[[(=;{,].*/, "", line)
    return match(line, /[A-Za-z0-9_]+$/) ? substr(line, RSTART) : ""
}

function macro(line) {
    match(line, /^#define [A-Za-z0-9_]+/)
    return substr(line, length("#define ") + 1, RLENGTH - length("#define "))
}

# PATH keeps NAME to itself.
function add_local(path, name) {
    if (name !~ /^(STAR_.*|star_.*|struct|union|enum)?$/ && !((path, name) in kept)) {
        kept[path, name] = 1
        keepers[name]++
    }
}

function add_enumerators(path, line) {
    gsub(/= [^,}]*/, "", line)
    while (match(line, /[A-Z][A-Z0-9_]+/)) {
        add_local(path, substr(line, RSTART, RLENGTH))
        line = substr(line, RSTART + RLENGTH)
    }
}

# Finds what PATH, a .c, defines: for all files, or for itself.
function look_through(path,    line, name, enumerates, lines) {
    while ((getline line < (folder "/" path)) > 0) {
        lines++
        name = declared(line)
        if (line ~ /^#define /)
            add_local(path, macro(line))
        else if (name ~ /^star_/ && line !~ /^(static|extern|typedef)/)
            defined[name] = 1
        else
            add_local(path, name)
        enumerates = enumerates || line ~ /^enum.*\{/
        if (enumerates)
            add_enumerators(path, line)
        enumerates = enumerates && line !~ /}/
    }
    close(folder "/" path)
    if (!lines) {
        print "carry.awk: there is no " folder "/" path > "/dev/stderr"
        exit 1
    }
}

# LINE of PATH with those names told apart that other files have, too. Members, strings and comments stay.
function told_apart(path, line,    prefix, word, done) {
    prefix = path
    gsub(/\//, "_", prefix)
    sub(/\.c$/, "_", prefix)
    if (line ~ /^ *(\/\*|\* )/)
        return line
    while (match(line, /"([^"\\]|\\.)*"|[.>]?[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(line, RSTART, RLENGTH)
        done = done substr(line, 1, RSTART - 1) ((path, word) in kept && keepers[word] > 1 ? prefix : "") word
        line = substr(line, RSTART + RLENGTH)
    }
    return done line
}

# LINE with what it defines static, and functions inline: compilers leave out those that nobody calls. An array without
# its size cannot be declared static; its definition comes before its use.
function kept_inside(line,    name) {
    if (line ~ /^extern .*[A-Z]\(/) { # a macro declares several
        sub(/^extern/, "static", line)
        return line
    }
    name = declared(line)
    if (name == "" || line ~ /^(typedef|})/ || !(line ~ /^static/ || name in defined))
        return line
    if (line ~ /^extern.*\[\]/)
        return ""
    sub(/^(static|extern) (inline )?/, "", line)
    return (line ~ "^[^=(]*" name "\\(" ? "static inline " : "static ") line
}

function write_headers(path,    line, part) {
    if (path in written)
        return
    written[path] = 1
    while ((getline line < (folder "/" path)) > 0)
        if (line ~ /^#include "/ && line !~ /exec\/native.h/) {
            split(line, part, "\"")
            write_headers(part[2])
        }
    close(folder "/" path)
    if (path ~ /\.h$/)
        write(path)
}

function write(path,    line, part) {
    while ((getline line < (folder "/" path)) > 0) {
        sub(/SPDX-License-Identifier: BSD-3-Clause/, path, line)
        gsub(/star_native\.name/, "PMPI_##name", line)
        gsub(/star_native\./, "PMPI_", line)
        if (line ~ /^#include ".*\.def"/) {
            split(line, part, "\"")
            write(part[2]) # a table, where it is asked for
        } else if (line !~ /^#include "/ && line !~ /^#pragma once/)
            print kept_inside(told_apart(path, line))
    }
    close(folder "/" path)
    print ""
}

BEGIN {
    for (i = 1; i < ARGC; i++)
        if (ARGV[i] != "--")
            look_through(ARGV[i])
    for (i = 1; i < ARGC; i++)
        if (ARGV[i] != "--")
            write_headers(ARGV[i])
    for (i = 1; i < ARGC; i++)
        if (ARGV[i] == "--")
            apart = 1
        else {
            printf apart ? "\f" : ""
            write(ARGV[i])
        }
}
