/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot/svg.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 17, KEY = 16 };

const char *star_colour(int number)
{
    static const char *const colours[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7",
                                          "#332288", "#999933", "#882255", "#f0e442", "#44aa99", "#ddcc77",
                                          "#99c7e0", "#7f5700", "#99d8c7", "#eebf99", "#2f6380", "#70435c",
                                          "#ada7cf", "#d6d6ad", "#cfa7bb", "#847d24", "#b4ddd6", "#7a7041"};
    enum { COLOURS = sizeof colours / sizeof *colours };
    return number > 0 ? colours[(number - 1) % COLOURS] : "#a3a8ae";
}

void star_text_escaped(struct star_text *text, const char *words)
{
    static const char special[] = "<&>\"", none[] = "\xef\xbf\xbd";
    static const char *const escaped[] = {"&lt;", "&amp;", "&gt;", "&quot;"};
    size_t bytes;
    for (const char *c = words; *c; c += bytes ? bytes : 1) {
        const char *found = strchr(special, *c);
        bytes = star_character_bytes(c);
        if (found != NULL)
            star_text_add(text, "%s", escaped[found - special]);
        else if (bytes == 0 || (iscntrl((unsigned char)*c) && *c != '\n' && *c != '\t'))
            star_text_append(text, none, strlen(none));
        else
            star_text_append(text, c, bytes);
    }
}

double star_svg_width(const char *words)
{
    return 6.3 * star_letters(words, strlen(words));
}

void star_svg_open(struct star_text *text, double width, double height, const char *says)
{
    star_text_add(text,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "viewBox=\"0 0 %.0f %.0f\" role=\"img\" font-family=\"system-ui, sans-serif\" "
                  "font-size=\"11\" fill=\"" STAR_INK "\">\n<title>",
                  width, height, width, height);
    star_text_escaped(text, says);
    star_text_add(text, "</title>\n<defs><pattern id=\"hatched\" width=\"5\" height=\"5\" "
                        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                        "<rect width=\"2\" height=\"5\" fill=\"#fff\" opacity=\"0.55\"/></pattern></defs>\n"
                        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
}

void star_svg_close(struct star_text *text)
{
    star_text_add(text, "</svg>\n");
}

void star_svg_words(struct star_text *text, double x, double y, enum star_anchor anchor, const char *words)
{
    star_svg_styled(text, x, y, anchor, "", words);
}

void star_svg_styled(struct star_text *text, double x, double y, enum star_anchor anchor, const char *style,
                     const char *words)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    star_text_add(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchors[anchor], style);
    star_text_escaped(text, words);
    star_text_add(text, "</text>\n");
}

void star_svg_title(struct star_text *text, double x, double y, const char *words)
{
    star_svg_styled(text, x, y, STAR_BEGIN, "font-size=\"13\" font-weight=\"bold\"", words);
}

double star_svg_title_width(const char *words)
{
    return 1.35 * star_svg_width(words);
}

void star_svg_line(struct star_text *text, double x1, double y1, double x2, double y2, const char *style)
{
    star_text_add(text, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2,
                  style);
}

static void end_shape(struct star_text *text, const char *shape, const char *title)
{
    if (title == NULL) {
        star_text_add(text, "/>\n");
        return;
    }
    star_text_add(text, "><title>");
    star_text_escaped(text, title);
    star_text_add(text, "</title></%s>\n", shape);
}

void star_svg_box(struct star_text *text, double x, double y, double width, double height, const char *style,
                  const char *title)
{
    star_text_add(text, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s", x, y, width, height,
                  style);
    end_shape(text, "rect", title);
}

void star_svg_dot(struct star_text *text, double x, double y, double radius, const char *style,
                  const char *title)
{
    star_text_add(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s", x, y, radius, style);
    end_shape(text, "circle", title);
}

void star_svg_path(struct star_text *text, const struct star_svg_point *at, int count, const char *style)
{
    star_text_add(text, "<path fill=\"none\" %s d=\"", style);
    for (int i = 0; i < count; i++)
        star_text_add(text, "%c%.1f %.1f", i == 0 ? 'M' : 'L', at[i].x, at[i].y);
    star_text_add(text, "\"/>\n");
}

void star_svg_group_end(struct star_text *text)
{
    star_text_add(text, "</g>\n");
}

void star_svg_key(struct star_text *text, double x, double y, const char *style, const char *words)
{
    star_svg_box(text, x, y - 9, 10, 10, style, NULL);
    star_svg_words(text, x + KEY, y, STAR_BEGIN, words);
}

void star_svg_legend(struct star_text *text, double width, const char *says, const char *const *names,
                     int count)
{
    double column = 0;
    char style[40];
    for (int i = 0; i < count; i++)
        column = fmax(column, KEY + star_svg_width(names[i]) + KEY);
    int columns = (int)fmax(1, floor(width / column)), lines = (count + columns - 1) / columns;
    star_svg_open(text, width, LINE * lines + 8, says);
    for (int i = 0; i < count; i++) {
        snprintf(style, sizeof style, "fill=\"%s\"", star_colour(i));
        int at = i / lines, down = LINE * (i % lines) + 14;
        star_svg_key(text, at * column, down, style, names[i]);
    }
    star_svg_close(text);
}
