/* SPDX-License-Identifier: BSD-3-Clause
 * SVG: the one way in which pictures are drawn here. Startune depends on no plotting program, and a page that
 * it writes needs no script and no network. Lengths are pixels; words are escaped. */
#pragma once

#include "util/text.h"

enum star_anchor { STAR_BEGIN, STAR_MIDDLE, STAR_END };

/* A fill that hatches what lies below it, and the colours of lines and quiet words. */
#define STAR_HATCHED "url(#hatched)"
#define STAR_FAINT   "#dde1e6"
#define STAR_QUIET   "#5b6570"
#define STAR_INK     "#1b1f24"

/* Colour 0 is grey, that of native. From 1 on there are twelve that colour-blind people tell apart (Okabe and
 * Ito's, then Tol's), and twelve lighter or darker ones of these; again and again. */
const char *star_colour(int number);

/* Appends WORDS as HTML and SVG want them. */
void star_text_escaped(struct star_text *text, const char *words);
/* How wide WORDS are about. */
double star_svg_width(const char *words);

/* Opens a picture on white; SAYS is its title, for those who cannot see it. */
void star_svg_open(struct star_text *text, double width, double height, const char *says);
void star_svg_close(struct star_text *text);
void star_svg_words(struct star_text *text, double x, double y, enum star_anchor anchor, const char *words);
/* The same in STYLE (SVG's attributes). */
void star_svg_styled(struct star_text *text, double x, double y, enum star_anchor anchor, const char *style,
                     const char *words);
/* Bold, as titles are; and how wide that is about. */
void star_svg_title(struct star_text *text, double x, double y, const char *words);
double star_svg_title_width(const char *words);
/* A straight line in STYLE. */
void star_svg_line(struct star_text *text, double x1, double y1, double x2, double y2, const char *style);
/* A rectangle in STYLE; TITLE is shown beside the pointer, and may be NULL. */
void star_svg_box(struct star_text *text, double x, double y, double width, double height, const char *style,
                  const char *title);
/* A disc in STYLE; TITLE as above. */
void star_svg_dot(struct star_text *text, double x, double y, double radius, const char *style,
                  const char *title);
/* A line through COUNT places in STYLE. */
struct star_svg_point {
    double x, y;
};
void star_svg_path(struct star_text *text, const struct star_svg_point *at, int count, const char *style);
/* What is drawn until the end belongs together; programs find it by its attributes: a format and what it
 * takes, escaped. */
#define star_svg_group(text, ...)                                                                            \
    (star_text_add(text, "<g "), star_text_add(text, __VA_ARGS__), star_text_add(text, ">\n"))
void star_svg_group_end(struct star_text *text);
/* A line of a legend: a square in STYLE, and WORDS. */
void star_svg_key(struct star_text *text, double x, double y, const char *style, const char *words);
/* A picture that is a legend, in columns: what the first COUNT colours are. */
void star_svg_legend(struct star_text *text, double width, const char *says, const char *const *names,
                     int count);
