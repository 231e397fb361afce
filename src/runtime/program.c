/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/program.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each ends with a zero. Returns how long they are together. */
static size_t read_words(char *words, size_t room)
{
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, words, room) : 0;
    if (file >= 0)
        close(file);
    words[length > 0 ? length - 1 : 0] = 0;
    return length > 0 ? (size_t)length : 0;
}

/* One line, whatever is in the words. */
static char plain(char c)
{
    return (char)(iscntrl((unsigned char)c) ? '?' : c);
}

void star_program_words(char *line, size_t room)
{
    size_t length = read_words(line, room);
    for (size_t i = 0; i + 1 < length; i++)
        line[i] = line[i] == 0 ? ' ' : plain(line[i]);
}

static bool is_file(const char *word)
{
    struct stat status;
    return word[0] != '-' && stat(word, &status) == 0 && S_ISREG(status.st_mode);
}

void star_program_name(char *name, size_t room)
{
    enum { WORDS_MOST = 16, BYTES_MOST = 4096 };
    char words[BYTES_MOST];
    size_t length = read_words(words, sizeof words);
    const char *word = words, *file = "";
    for (int i = 0; i < WORDS_MOST && file[0] == 0; i++) {
        word += strlen(word) + 1;
        if (word >= words + length)
            break;
        file = is_file(word) ? basename(word) : "";
    }
    snprintf(name, room, "%s%s%s", basename(words), file[0] ? " " : "", file);
    for (char *c = name; *c != 0; c++)
        *c = plain(*c);
}
