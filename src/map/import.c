/* SPDX-License-Identifier: BSD-3-Clause
 * Readers of what other benchmarks print. Both write tables under a line of headings that begins with '#'.
 * Launchers may put a label in front of each line. */
#include "map/import.h"
#include "util/file.h"
#include "util/parse.h"
#include "util/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A benchmark has some dozen rows for each number of ranks; a map with too many takes long to make. */
enum { COLUMNS_MOST = 24, ROWS_MOST = 10000 };

/* Where the columns are. */
struct table {
    int size, seconds, calls; /* −1: not there */
    int validation, defects;  /* what OSU's and Intel's say of the results, if asked to check them */
    int headings;
    int ranks;
    int rows, read;        /* taken; read, those included that say nothing */
    bool intel;            /* the sizes are Intel's */
    bool titled;           /* this part of the file says of what benchmark it is */
    bool skips;            /* this part of the file is of another benchmark */
    char other[40];        /* the first such; empty: there is none */
    struct star_map *seen; /* the file's points */
};

struct row {
    int64_t bytes, calls;
    double microseconds;
};

/* The calls that a file does not tell: one, so that the median counts as measured. */
enum { CALLS_UNKNOWN = 1 };

/* LINE behind "HOST RANK: ", as PALS's mpiexec -l writes; NULL: it does not begin so. */
static char *behind_host(char *line)
{
    char *space = strchr(line, ' ');
    if (line[0] == '#' || line[0] == '[' || isdigit((unsigned char)line[0]) || space == NULL)
        return NULL;
    size_t digits = strspn(space + 1, "0123456789");
    return digits > 0 && strncmp(space + 1 + digits, ": ", 2) == 0 ? space + digits + 2 : NULL;
}

/* LINE behind the label of a launcher: "0: " of srun -l, "[0] " of Hydra's -l; and, with the rank, the host
 * or the time in front of it, "<stdout>:" of Open MPI's mpirun. */
static char *behind_label(char *line)
{
    static const char stream[] = "<stdout>";
    char *labelled = strstr(line, stream), *host = behind_host(line), *end;
    size_t length = strspn(line, "0123456789");
    if (labelled != NULL) {
        line = labelled + strlen(stream);
        line += line[0] == ':';
    } else if (host != NULL) {
        line = host;
    } else if (length > 0 && line[length] == ':') {
        line += length + 1;
    } else if (line[0] == '[' && (end = strchr(line, ']')) != NULL) {
        line = end + 1;
        line += line[0] == ':';
    }
    return line + strspn(line, " \t");
}

static int split(char *line, char **word)
{
    int words = 0;
    while (words < COLUMNS_MOST && (word[words] = star_word(&line)) != NULL)
        words++;
    return words;
}

/* Of OSU's titles, "# OSU MPI Broadcast Persistent Latency Test" as well: is it of another function? */
static bool is_persistent(char **word, int words)
{
    for (int i = 3; i < words; i++)
        if (strcmp(word[i], "Persistent") == 0)
            return true;
    return false;
}

/* The benchmark's name in the line that begins its part of a file: "# Benchmarking Bcast", or "# OSU MPI
 * Broadcast Latency Test". NULL: it is no such line. */
static const char *benchmark_of(char **word, int words)
{
    if (words < 3 || strcmp(word[0], "#") != 0)
        return NULL;
    if (strcmp(word[1], "Benchmarking") == 0)
        return word[2];
    int at = strncmp(word[2], "MPI", strlen("MPI")) == 0 ? 3 : 2; /* "MPI-CUDA", or none in old files */
    if (strcmp(word[1], "OSU") != 0 || at >= words)
        return NULL;
    return is_persistent(word, words) ? "Persistent" : word[at];
}

/* Is it the operation's? OSU writes "All-to-All" and "Broadcast". */
static bool is_of(const char *benchmark, enum star_operation operation)
{
    char name[40];
    size_t length = 0;
    for (; *benchmark && length + 1 < sizeof name; benchmark++)
        if (*benchmark != '-')
            name[length++] = (char)tolower((unsigned char)*benchmark);
    name[length] = 0;
    return strcmp(strcmp(name, "broadcast") == 0 ? "bcast" : name, star_operations[operation].name) == 0;
}

static void begin_part(const char *benchmark, enum star_operation operation, struct table *table)
{
    table->skips = !is_of(benchmark, operation);
    table->titled = true;
    if (table->skips && table->other[0] == 0)
        snprintf(table->other, sizeof table->other, "%s", benchmark);
}

/* Is the word one with that before? OSU writes "Avg Latency(us)", "P50 Tail Lat(us)" and "Latency (us)". */
static bool is_joined(const char *name)
{
    return strncmp(name, "Lat", strlen("Lat")) == 0 || strcmp(name, "Tail") == 0 || strcmp(name, "(us)") == 0;
}

/* "# Size Latency (us)" has no "Avg" in OSU's old collective benchmarks, and in those of two ranks: a title
 * says which. */
static bool is_old_latency(char **word, int at, int words, const struct table *table)
{
    return table->titled && at > 0 && at + 1 < words && strcmp(word[at], "Latency") == 0 &&
           strcmp(word[at + 1], "(us)") == 0;
}

/* Headings are words; of several, the first names the column. */
static bool take_headings(char **word, int words, struct table *table)
{
    int column = 0;
    struct table found = *table;
    found.size = found.seconds = found.calls = found.validation = found.defects = -1;
    found.intel = false;
    for (int i = 0; i < words; i++) {
        const char *name = word[i] + (i == 0 && word[i][0] == '#');
        if (i == 0 && name[0] == 0)
            continue;
        bool intel = strcmp(name, "bytes") == 0 || strcmp(name, "#bytes") == 0;
        if (intel || strcmp(name, "Size") == 0)
            found.size = column;
        found.intel = found.intel || intel;
        if (strcmp(name, "Avg") == 0 || strcmp(name, "t_avg[usec]") == 0)
            found.seconds = column;
        if (strcmp(name, "#repetitions") == 0 || strcmp(name, "repetitions") == 0 ||
            strcmp(name, "Iterations") == 0)
            found.calls = column;
        if (strcmp(name, "Validation") == 0)
            found.validation = column;
        if (strcmp(name, "defects") == 0)
            found.defects = column;
        bool old = is_old_latency(word, i, words, table);
        if (old)
            found.seconds = column;
        column += old || !is_joined(name);
    }
    if (found.seconds < 0)
        return false;
    found.headings = column;
    *table = found;
    return true;
}

/* Intel's "# #processes = 4". */
static int take_ranks(const struct star_source *source, char **word, int words, struct table *table)
{
    int64_t ranks;
    for (int i = 0; i + 2 < words; i++)
        if (strcmp(word[i], "#processes") == 0 && strcmp(word[i + 1], "=") == 0) {
            if (!star_parse_integer(word[i + 2], &ranks) || ranks < 1 || ranks > STAR_MAP_RANKS_MOST)
                return star_source_wrong(source, "'%.60s' processes", word[i + 2]);
            table->ranks = (int)ranks;
        }
    return 0;
}

/* Intel's benchmarks say so in a row: it did not run, or not to its end. */
static bool is_failed(char **word, int words)
{
    static const char *const begins[] = {"out-of-mem", "time-out", "int-overflow"};
    for (int i = 1; i < words; i++)
        for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
            if (strncmp(word[i], begins[k], strlen(begins[k])) == 0)
                return true;
    return false;
}

/* The benchmark checked the results, and they are wrong: the time says nothing of the method. */
static bool is_wrong(char **word, int words, const struct table *table)
{
    double defects;
    if (table->validation >= 0 && table->validation < words && strcmp(word[table->validation], "Fail") == 0)
        return true;
    return table->defects >= 0 && table->defects < words &&
           star_parse_number(word[table->defects], &defects) && defects != 0;
}

/* A message that begins with a number, such as Open MPI's "3 more processes have sent help message …", whose
 * label is another's: it has words where rows have figures, and more than rows have. */
static bool is_prose(char **word, int words, const struct table *table)
{
    return words > 2 && words > table->headings && isalpha((unsigned char)word[1][0]) &&
           isalpha((unsigned char)word[2][0]);
}

static int read_row(const struct star_source *source, char **word, int words, const struct table *table,
                    struct row *row)
{
    *row = (struct row){.calls = CALLS_UNKNOWN};
    if (table->seconds < 0)
        return star_source_wrong(source, "figures before a line of headings with 'Avg' or 't_avg[usec]'");
    if (table->ranks < 1)
        return star_source_wrong(source, "the file does not say how many ranks: -n P does");
    if (words <= table->seconds || words <= table->size || words <= table->calls)
        return star_source_wrong(source, "a row of %d columns, fewer than its headings", words);
    if (table->size >= 0 && (!star_parse_integer(word[table->size], &row->bytes) || row->bytes < 0))
        return star_source_wrong(source, "'%.60s' bytes", word[table->size]);
    if (!star_parse_number(word[table->seconds], &row->microseconds) || !(row->microseconds >= 0))
        return star_source_wrong(source, "'%.60s' microseconds", word[table->seconds]);
    if (table->calls >= 0 &&
        (!star_parse_integer(word[table->calls], &row->calls) || row->calls < 1 || row->calls > INT32_MAX))
        return star_source_wrong(source, "'%.60s' repetitions", word[table->calls]);
    return 0;
}

/* A row's bytes as the map counts them; −1: too many. Both benchmarks count a rank's of allgatherv, where the
 * map has those of all ranks, and OSU's all ranks' of reduce_scatter_block, where it has a rank's. */
static int64_t bytes_of(const struct row *row, enum star_operation operation, const struct table *table)
{
    if (operation == STAR_ALLGATHERV)
        return row->bytes > INT64_MAX / table->ranks ? -1 : row->bytes * table->ranks;
    return operation == STAR_REDUCE_SCATTER_BLOCK && !table->intel ? row->bytes / table->ranks : row->bytes;
}

/* Files that two runs wrote into hold two times of one point: which of them counts, nobody said. */
static int see(const struct star_source *source, enum star_operation operation, const struct row *row,
               int64_t bytes, const struct table *table)
{
    if (star_map_find(table->seen, operation, table->ranks, bytes) != NULL)
        return star_source_wrong(source, "%lld bytes of %d ranks are there twice", (long long)row->bytes,
                                 table->ranks);
    return star_map_point(table->seen, operation, table->ranks, bytes) ? 0 : STAR_EMEMORY;
}

static int take_row(const struct star_source *source, char **word, int words, struct table *table,
                    struct star_map *map, const struct star_method *method)
{
    struct row row;
    if (is_prose(word, words, table))
        return 0;
    if (++table->read > ROWS_MOST)
        return star_source_wrong(source, "more than %d rows", ROWS_MOST);
    if (is_failed(word, words) || is_wrong(word, words, table))
        return 0;
    int error = read_row(source, word, words, table, &row);
    if (error)
        return error;
    enum star_operation operation = method->algorithm->operation;
    int64_t bytes = bytes_of(&row, operation, table);
    if (bytes < 0)
        return star_source_wrong(source, "%lld bytes of each rank are too many", (long long)row.bytes);
    if (!(row.microseconds > 0) || (bytes == 0 && table->size >= 0))
        return 0; /* nothing is sent: Intel's benchmarks begin so, and OSU's reduce nothing where ranks are
                     more */
    error = see(source, operation, &row, bytes, table);
    if (error == STAR_EINPUT)
        return error;
    int number = error ? error : star_map_method(map, method);
    struct star_map_point *point = star_map_point(map, operation, table->ranks, bytes);
    struct star_map_timing *timing = number < 0 || point == NULL ? NULL : star_map_timing(point, number);
    if (timing == NULL)
        return star_because(source->why, STAR_EMEMORY, "out of memory for %.200s", source->name);
    free(timing->samples);
    timing->samples = NULL;
    timing->median = row.microseconds / 1e6;
    timing->count = (int)row.calls;
    star_map_crown(point);
    table->rows++;
    return 0;
}

static int take_lines(struct star_source *source, struct table *table, struct star_map *map,
                      const struct star_method *method)
{
    int error = 0;
    for (char *line; !error && (line = star_source_line(source)) != NULL;) {
        char *word[COLUMNS_MOST];
        double number;
        line = behind_label(line);
        bool comment = line[0] == '#';
        int words = split(line, word);
        const char *benchmark = benchmark_of(word, words);
        if (benchmark != NULL)
            begin_part(benchmark, method->algorithm->operation, table);
        if (table->skips || take_headings(word, words, table))
            continue;
        if (comment)
            error = take_ranks(source, word, words, table);
        else if (words > 0 && star_parse_number(word[0], &number))
            error = take_row(source, word, words, table, map, method);
    }
    return error;
}

static int refuse_empty(const struct star_source *source, const struct table *table,
                        enum star_operation operation)
{
    if (table->other[0] != 0)
        return star_because(source->why, STAR_EINPUT, "%.200s: no times of %s, but of '%s'", source->name,
                            star_operations[operation].name, table->other);
    return star_because(source->why, STAR_EINPUT,
                        "%.200s: no times: a table of the OSU or Intel MPI benchmarks is expected",
                        source->name);
}

int star_map_import(struct star_map *map, const struct star_method *method, int ranks, const char *bytes,
                    size_t length, const char *name, struct star_why *why)
{
    struct star_why because = {{0}};
    struct star_source source = {.name = name, .bytes = bytes, .length = length, .why = why ? why : &because};
    struct table table = {.size = -1,
                          .seconds = -1,
                          .calls = -1,
                          .validation = -1,
                          .defects = -1,
                          .ranks = ranks,
                          .seen = star_map_new()};
    int error = star_file_is_text(bytes, length, name, why);
    if (!error && table.seen == NULL)
        error = star_because(why, STAR_EMEMORY, "out of memory for %.200s", name);
    if (!error)
        error = star_source_end(&source, take_lines(&source, &table, map, method));
    if (!error && table.rows == 0)
        error = refuse_empty(&source, &table, method->algorithm->operation);
    star_map_free(table.seen);
    return error;
}
