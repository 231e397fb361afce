/* SPDX-License-Identifier: BSD-3-Clause
 * Attributes, and names. */
#pragma once

#include "patterns/patterns.h"

/* Copies NAME, cut to the room, or, where it is NULL, WORD and NUMBER. */
void star_name_copy(char to[STAR_MAX_NAME], const char *name, const char *word, int number);

/* The place of VALUE among those of the attribute; −1: it is none of them. */
int star_attribute_place(const struct star_attribute *attribute, int value);
