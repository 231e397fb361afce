/* SPDX-License-Identifier: BSD-3-Clause
 * A program whose own file gets the number of standard error: closing 2|all|fork. With all, what leads to
 * standard error under another number is closed, too, and the program's files have those numbers. With fork a
 * child closes descriptor 2, as daemons do: then it keeps nobody waiting who reads what is written there. */
#include "program.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 256 };

/* Every way to what descriptor 2 was leads to FILE now. */
static void close_all(const struct stat *was, int file)
{
    struct stat now;
    for (int i = 3; i < MOST; i++)
        if (i != file && fstat(i, &now) == 0 && now.st_dev == was->st_dev && now.st_ino == was->st_ino)
            dup2(file, i);
}

/* Does a child of this process keep what is closed in it? */
static bool child_keeps(const struct stat *was)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct stat now;
        close(STDERR_FILENO);
        for (int i = 3; i < MOST; i++)
            if (fstat(i, &now) == 0 && now.st_dev == was->st_dev && now.st_ino == was->st_ino)
                _exit(1);
        _exit(0);
    }
    return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

int main(int argc, char **argv)
{
    int rank;
    char name[] = "/tmp/closing-XXXXXX", text[64] = "";
    struct stat was = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (fstat(STDERR_FILENO, &was) != 0)
        return 1;
    if (rank == 0 && argc > 1 && strcmp(argv[1], "fork") == 0 && child_keeps(&was))
        printf("rank %d's child keeps standard error open\n", rank);
    int another = mkstemp(name), file = dup2(another, STDERR_FILENO);
    close(another);
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        close_all(&was, file);
    for (int round = 0; round < 25; round++)
        exchange("with its own descriptor 2", MPI_COMM_WORLD, 4, 0, round);
    if (write(file, "mine", 4) != 4)
        return 1;
    int status = finish();
    bool mine = pread(file, text, sizeof text - 1, 0) == 4 && strcmp(text, "mine") == 0;
    if (!mine)
        printf("rank %d's file has: %s\n", rank, text);
    unlink(name);
    return status || !mine;
}
