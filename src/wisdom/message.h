/* SPDX-License-Identifier: BSD-3-Clause
 * What a run and the command tell each other of wisdom: facts of one machine as text, a line each. Numbers
 * are whole ones, which are read and written fast, and alike in every language that a program may have
 * chosen: times are in picoseconds, counts in thousandths. The last line says that it is whole. */
#pragma once

#include "util/text.h"
#include "wisdom/fact.h"

enum { STAR_MESSAGE_NOTE = 400 };

void star_message_begin(struct star_text *text, const char *machine);
/* Nothing, where so little is left of it that its weight is 0. */
void star_message_fact(struct star_text *text, const struct star_fact *fact);
/* What is left of it at NOW; nothing where it is impossible: readers take nothing of such a message. */
void star_message_fact_now(struct star_text *text, const struct star_fact *fact, int64_t now);
/* The file NAME of the spool (spool.h) is among the facts already. */
void star_message_added(struct star_text *text, const char *name);
bool star_message_has_added(const struct star_text *text, const char *name);
/* One line for the user; line ends in it become spaces. */
void star_message_note(struct star_text *text, const char *note);
void star_message_end(struct star_text *text);

/* Calls VISIT for each fact until it returns other than 0, which is returned. NOTE gets the note, or "".
 * STAR_EINPUT: it is no message, or not whole; then VISIT may have been called all the same. */
int star_message_read(const char *bytes, size_t length,
                      int (*visit)(const struct star_fact *fact, void *context), void *context,
                      char note[STAR_MESSAGE_NOTE], struct star_why *why);
/* Without its facts, which take long to read: the note. STAR_EINPUT: it is no message, or not whole. */
int star_message_check(const char *bytes, size_t length, char note[STAR_MESSAGE_NOTE], struct star_why *why);
/* Is there a fact in it? */
bool star_message_tells(const struct star_text *text);
/* Takes the end away, so that more can be added. */
void star_message_reopen(struct star_text *text);
