/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/cache.h"
#include "util/file_write.h"
#include "util/hash.h"
#include "util/home.h"
#include "wisdom/message.h"
#include "wisdom/where.h"

#include <stdio.h>
#include <string.h>

/* Of one store; "" is none. */
static bool add_store(const char *path, struct star_text *head, bool *some)
{
    size_t begin = head->length;
    if (path == NULL || path[0] == 0)
        return true;
    star_text_add(head, "store ");
    if (!star_wisdom_state(path, head) || head->failed)
        return false;
    *some = *some || strcmp(head->bytes + begin, "store none") != 0;
    star_text_add(head, "\n");
    return true;
}

bool star_cache_head(const struct star_cache_question *question, struct star_text *head, bool *some)
{
    enum { DAY = 86400 };
    *some = false;
    star_text_add(head, "startune-cache 1\nmachine %s\nday %lld\n", question->machine,
                  (long long)(question->now / DAY));
    return add_store(question->site, head, some) && add_store(question->store, head, some) && !head->failed;
}

static bool name_file(const struct star_cache_question *question, char *path, size_t room)
{
    unsigned place = (unsigned)(star_hash_text(star_hash_empty, question->machine) % STAR_CACHE_FILES);
    int length = snprintf(path, room, "%s.cache/%02u", question->store, place);
    return length > 0 && (size_t)length < room && star_wisdom_is_private(question->store);
}

bool star_cache_read(const struct star_cache_question *question, const struct star_text *head,
                     struct star_text *answer)
{
    char path[STAR_WISDOM_PATH], note[STAR_MESSAGE_NOTE];
    struct star_text file = {0};
    bool good = name_file(question, path, sizeof path) &&
                star_wisdom_read_own(path, STAR_CACHE_BYTES_MOST, &file) && file.length > head->length &&
                memcmp(file.bytes, head->bytes, head->length) == 0 &&
                star_message_check(file.bytes + head->length, file.length - head->length, note, NULL) == 0;
    if (good)
        star_text_append(answer, file.bytes + head->length, file.length - head->length);
    star_text_free(&file);
    return good && !answer->failed;
}

void star_cache_write(const struct star_cache_question *question, const struct star_text *head,
                      const struct star_text *answer)
{
    char path[STAR_WISDOM_PATH];
    struct star_text file = {0};
    if (!name_file(question, path, sizeof path) || head->length + answer->length > STAR_CACHE_BYTES_MOST ||
        star_home_make(path, NULL) != 0)
        return;
    star_text_append(&file, head->bytes, head->length);
    star_text_append(&file, answer->bytes, answer->length);
    if (!file.failed)
        star_file_write_soon(path, file.bytes, file.length, NULL);
    star_text_free(&file);
}
