# SPDX-License-Identifier: BSD-3-Clause
"""Functions of MPI 4.1 that startune stands in front of: those of MPICH 4.2, which is Debian 13's, lack the standard's const, so
startune was not compiled there. A header of MPI 4.0 gets both kinds here; one of MPI 4.1 is what the build takes."""
import json
import shlex

from command import BUILD, CommandTest, each_mpi, main

HEADER = """#include_next <mpi.h>
#if MPI_VERSION == 4 && MPI_SUBVERSION == 0
#undef MPI_VERSION
#undef MPI_SUBVERSION
#define MPI_VERSION 4
#define MPI_SUBVERSION 1
#define BOTH(name, ...) int MPI_##name(__VA_ARGS__); int PMPI_##name(__VA_ARGS__)
BOTH(Request_get_status_all, int, CONST MPI_Request[], int *, MPI_Status *);
BOTH(Request_get_status_any, int, CONST MPI_Request[], int *, int *, MPI_Status *);
BOTH(Request_get_status_some, int, CONST MPI_Request[], int *, int[], MPI_Status *);
#endif
"""


class Headers(CommandTest):
    def compile(self, mpi, source, header):
        """SOURCE as the build does, but for HEADER, which is found before MPI's."""
        (self.home / "mpi.h").write_text(header)
        commands = json.loads((BUILD / "compile_commands.json").read_text())
        words = next(shlex.split(entry["command"]) for entry in commands
                     if entry["file"].endswith(source) and f"startune-{mpi}.dir" in entry["command"])
        options = next(place for place, word in enumerate(words) if word.startswith("-"))
        return self.command(*words[:options], "-isystem", self.home, *words[options:words.index("-o")], "-fsyntax-only", "-Werror", words[-1])

    @each_mpi
    def test_requests_that_are_asked_about_are_const_or_not(self, mpi):
        for word in "", "const":
            with self.subTest(word=word):
                self.assertStatus(self.compile(mpi, "src/interpose/nonblocking.c", HEADER.replace("CONST", word)))


if __name__ == "__main__":
    main()
