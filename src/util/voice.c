/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/voice.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Another way to the same file, away from the numbers that a program's own files get. */
enum { AWAY = 60 };

static struct {
    bool known;  /* there was something */
    int another; /* or -1 */
    dev_t device;
    ino_t file;
    FILE *stream;
} voice;

static bool leads_there(int descriptor)
{
    struct stat status;
    return voice.known && descriptor >= 0 && fstat(descriptor, &status) == 0 &&
           status.st_dev == voice.device && status.st_ino == voice.file;
}

/* A program may have closed any descriptor, and its own files may have the number since. */
static ssize_t say(void *cookie, const char *bytes, size_t length)
{
    int descriptor = leads_there(STDERR_FILENO)   ? STDERR_FILENO
                     : leads_there(voice.another) ? voice.another
                                                  : -1;
    (void)cookie;
    for (size_t done = 0; descriptor >= 0 && done < length;) {
        ssize_t more = write(descriptor, bytes + done, length - done);
        if (more < 0 && errno != EINTR)
            break;
        done += more > 0 ? (size_t)more : 0;
    }
    return (ssize_t)length; /* nobody would hear that it failed */
}

/* A child that goes on without the program's standard error lets go of it. */
static void forget_in_child(void)
{
    if (leads_there(voice.another))
        close(voice.another);
    voice.another = -1;
}

void star_voice_keep(void)
{
    struct stat status = {0};
    if (voice.stream != NULL)
        return;
    static char line[512];
    voice.stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = say});
    if (voice.stream == NULL)
        return;
    setvbuf(voice.stream, line, _IOLBF, sizeof line);
    voice.known = fstat(STDERR_FILENO, &status) == 0;
    voice.another = voice.known ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, AWAY) : -1;
    pthread_atfork(NULL, NULL, forget_in_child);
    voice.device = status.st_dev;
    voice.file = status.st_ino;
}

FILE *star_voice(void)
{
    return voice.stream != NULL ? voice.stream : stderr;
}
