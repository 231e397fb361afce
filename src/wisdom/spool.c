/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/spool.h"
#include "util/file_write.h"
#include "util/grow.h"
#include "util/home.h"
#include "wisdom/fact.h"
#include "wisdom/message.h"
#include "wisdom/where.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* When it was written, and something random, as two hosts may write at once. */
static const char name_begin[] = "learned-", letters[] = "0123456789abcdef-";
enum { NAME_LENGTH = sizeof name_begin - 1 + 16 + 1 + 16 };

static bool name_path(const char *store, const char *name, char path[STAR_WISDOM_PATH])
{
    int length = snprintf(path, STAR_WISDOM_PATH, "%s.spool/%s", store, name);
    return length > 0 && length < STAR_WISDOM_PATH;
}

static bool is_name(const char *name)
{
    const size_t begin = sizeof name_begin - 1;
    return strlen(name) == NAME_LENGTH && strncmp(name, name_begin, begin) == 0 &&
           strspn(name + begin, letters) == NAME_LENGTH - begin;
}

static int by_name(const void *a, const void *b)
{
    const struct star_spool_file *one = a, *other = b;
    return strcmp(one->name, other->name);
}

static bool add_name(struct star_spool *spool, const char *name)
{
    struct star_spool_file *files = star_grown(spool->at, spool->count, sizeof *files);
    if (files == NULL)
        return false;
    spool->at = files;
    files += spool->count++;
    files->added = false;
    snprintf(files->name, sizeof files->name, "%.*s", NAME_LENGTH, name);
    return true;
}

bool star_spool_list(const char *store, struct star_spool *spool)
{
    char path[STAR_WISDOM_PATH];
    DIR *files = name_path(store, "", path) ? opendir(path) : NULL;
    bool good = true;
    *spool = (struct star_spool){0};
    for (struct dirent *file = files ? readdir(files) : NULL; good && file; file = readdir(files))
        good = !is_name(file->d_name) || add_name(spool, file->d_name);
    if (files != NULL)
        closedir(files);
    if (spool->count > 0)
        qsort(spool->at, spool->count, sizeof *spool->at, by_name);
    if (!good)
        star_spool_free(spool);
    return good;
}

void star_spool_free(struct star_spool *spool)
{
    free(spool->at);
    *spool = (struct star_spool){0};
}

bool star_spool_read(const char *store, const char *name, struct star_text *message)
{
    char path[STAR_WISDOM_PATH];
    return name_path(store, name, path) && star_wisdom_read_own(path, STAR_SPOOL_BYTES_MOST, message);
}

/* Without random bits, the process and the time tell it from others of this host. */
static void name_now(char name[STAR_SPOOL_NAME])
{
    struct timespec now;
    uint64_t random;
    clock_gettime(CLOCK_REALTIME, &now);
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = (uint64_t)getpid();
    snprintf(name, STAR_SPOOL_NAME, "%s%016" PRIx64 "-%016" PRIx64, name_begin,
             (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec, random);
}

int star_spool_put(const char *store, const struct star_text *message, size_t *count, struct star_why *why)
{
    char path[STAR_WISDOM_PATH], name[STAR_SPOOL_NAME];
    struct star_spool spool;
    if (!star_wisdom_is_private(store) || message->length > STAR_SPOOL_BYTES_MOST ||
        !star_spool_list(store, &spool))
        return star_because(why, STAR_ENEEDS, "%.200s is to have none", store);
    *count = spool.count + 1;
    star_spool_free(&spool);
    name_now(name);
    if (*count > STAR_SPOOL_MOST || !name_path(store, name, path))
        return star_because(why, STAR_ENEEDS, "%.200s has no room for more", store);
    int error = star_home_make(path, why);
    return error ? error : star_file_write_soon(path, message->bytes, message->length, why);
}

void star_spool_remove(const char *store, const char *name)
{
    char path[STAR_WISDOM_PATH];
    if (name_path(store, name, path))
        unlink(path);
    if (name_path(store, "", path))
        star_file_remove_halves(path);
}

struct adding {
    const char *machine;
    int64_t now;
    struct star_text *answer;
};

static int add(const struct star_fact *fact, void *context)
{
    const struct adding *adding = context;
    if (strcmp(fact->machine, adding->machine) == 0)
        star_message_fact_now(adding->answer, fact, adding->now);
    return 0;
}

void star_spool_add_to(const char *store, const char *machine, int64_t now, struct star_text *answer)
{
    struct star_spool spool;
    struct adding adding = {machine, now, answer};
    if (!star_spool_list(store, &spool) || spool.count == 0)
        return;
    star_message_reopen(answer);
    for (size_t i = 0; i < spool.count; i++) {
        struct star_text message = {0};
        char note[STAR_MESSAGE_NOTE];
        if (!star_message_has_added(answer, spool.at[i].name) &&
            star_spool_read(store, spool.at[i].name, &message))
            star_message_read(message.bytes ? message.bytes : "", message.length, add, &adding, note, NULL);
        star_text_free(&message);
    }
    star_message_end(answer);
    star_spool_free(&spool);
}
