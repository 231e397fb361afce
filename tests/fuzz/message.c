/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of wisdom: the facts of accepted ones are known, and written into a message. */
#include "wisdom/message.h"
#include "expect.h"
#include "targets.h"
#include "util/text.h"
#include "util/why.h"
#include "wisdom/fact.h"
#include "wisdom/known.h"

static int add(const struct star_fact *fact, void *message)
{
    star_message_fact(message, fact);
    return 0;
}

int fuzz_message(const char *text, size_t length, struct star_why *why)
{
    struct star_text message = {0};
    struct star_why detail = {{0}};
    struct star_known known = {0};
    char note[STAR_MESSAGE_NOTE];
    star_message_begin(&message, "fuzz");
    int checked = star_message_check(text, length, note, &detail);
    int error = star_message_read(text, length, add, &message, note, &detail);
    assert_true(error != 0 ||
                checked == 0); /* what is whole may have a bad fact, but not the other way round */
    if (!error) {
        star_message_end(&message);
        assert_int_equal(
            star_message_read(message.bytes, message.length, star_known_add, &known, note, &detail), 0);
    }
    star_known_free(&known);
    star_text_free(&message);
    return error ? star_because(why, error, "fuzz: %.300s", detail.text) : 0;
}
