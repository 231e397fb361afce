# SPDX-License-Identifier: BSD-3-Clause
"""Places to touch: in a copy of the sources an algorithm, a format of exports and an MPI library are a file and a line
each, a strategy is a file and two lines, and a setting a row. What is built of it knows all of them."""
import json
import shutil
import subprocess

from command import MPIS, SOURCE, CommandTest, main

FORMAT = """/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/export/export.h"

static int write_added(const struct star_export_request *request, struct star_text *text, struct star_text *remarks,
                       struct star_why *why)
{
    (void)request, (void)remarks, (void)why;
    star_text_add(text, "added\\n");
    return 0;
}

const struct star_export star_export_added = {write_added};
"""


class Places(CommandTest):
    def setUp(self):
        super().setUp()
        self.copy = self.home / "startune"
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=SOURCE, capture_output=True, text=True,
                                check=True)
        for name in listed.stdout.splitlines():
            if (SOURCE / name).is_file():
                (self.copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / name, self.copy / name)

    def change(self, name, before, after):
        text = (self.copy / name).read_text()
        self.assertIn(before, text)
        (self.copy / name).write_text(text.replace(before, after, 1))

    def derive(self, source, target, *changes):
        text = (self.copy / source).read_text()
        for before, after in changes:
            self.assertIn(before, text)
            text = text.replace(before, after)
        (self.copy / target).write_text(text)

    def program_of(self, library):
        """A program that is linked with a library of this name, which has nothing in it."""
        (self.home / "empty.c").write_text("int nothing;\n")
        (self.home / "main.c").write_text("extern int nothing;\nint main(void) { return nothing; }\n")
        for words in (["-shared", "-fPIC", f"-Wl,-soname,{library}", "-o", library, "empty.c"],
                      ["-o", "program", "main.c", f"./{library}"]):
            self.assertStatus(self.command("cc", *words, cwd=self.home))
        return self.home / "program"

    def add_an_algorithm(self):
        folder = "src/algorithms/alltoall"
        self.derive(f"{folder}/bruck.c", f"{folder}/added.c", ('"bruck"', '"added"'), ("_bruck = ", "_added = "))
        self.change("src/algorithms/repository.def", "STAR_ALGORITHM(alltoall_simple)",
                    "STAR_ALGORITHM(alltoall_simple)\nSTAR_ALGORITHM(alltoall_added)")

    def add_a_strategy(self):
        folder = "src/tuner/strategies"
        self.derive(f"{folder}/exhaustive.c", f"{folder}/added.c", ("star_exhaustive", "star_added"))
        self.change("src/util/strategies.def", "STAR_STRATEGY(HALVING", 'STAR_STRATEGY(ADDED, added, "as the first")\nSTAR_STRATEGY(HALVING')
        self.change("src/tuner/tuning.h", "    STAR_HALVING,", "    STAR_ADDED,\n    STAR_HALVING,")

    def add_a_format(self):
        (self.copy / "src/map/export/added.c").write_text(FORMAT)
        self.change("src/map/export/formats.def", "STAR_EXPORT(c,", 'STAR_EXPORT(added, "a word")\nSTAR_EXPORT(c,')

    def add_an_mpi_library(self):
        self.derive("src/dialect/open_mpi.c", "src/dialect/made_up.c", ("star_open_mpi", "star_made_up"), ('"openmpi"', '"madeup"'),
                    ('"OPEN_MPI"', '"MADE_UP_MPI"'), ('"Open MPI', '"Made-up MPI'), ('"libmpi', '"libmadeup'))
        self.change("src/dialect/dialect.h", "    X(star_open_mpi)", "    X(star_made_up) \\\n    X(star_open_mpi)")

    def add_a_setting(self):
        self.change("src/util/settings.def", 'STAR_SETTING("sites"',
                    'STAR_SETTING("added", COUNT, added, "7", 1, 9, NULL, "N", "a setting for its own sake")\nSTAR_SETTING("sites"')

    def test_one_of_each(self):
        self.add_an_algorithm()
        self.add_a_strategy()
        self.add_an_mpi_library()
        self.add_a_setting()
        self.add_a_format()
        build = self.home / "build"
        flags = ["-DSTARTUNE_TESTS=OFF", "-DSTARTUNE_EXAMPLES=OFF", "-DSTARTUNE_LTO=OFF", "-DCMAKE_C_FLAGS=-O0 -Wno-unused-const-variable"]
        self.assertStatus(self.command("cmake", "-S", self.copy, "-B", build, *flags))
        self.assertStatus(self.command("cmake", "--build", build, "--target", "startune", f"startune-{MPIS[0]}", timeout=1500))
        startune = build / "bin/startune"
        listed = json.loads(self.command(startune, "list", "alltoall", "--json").stdout)
        self.assertIn("added", [algorithm["name"] for algorithm in listed])
        self.assertStatus(self.command(startune, "check", "alltoall:added", "-n", "1:8"))
        self.assertIn("as the first", self.command(startune, "run", "--help").stdout)
        self.assertIn("a word", self.command(startune, "export", "--help").stdout)
        exported = self.command(startune, "export", "--format", "added", SOURCE / "tests/cli/files/cluster.map")
        self.assertEqual(exported.stdout, "added\n")
        trace = self.copy / "bench/data/cluster-alltoall-openmpi.trace"
        traces = [trace] if trace.exists() else sorted((self.copy / "bench/data").glob("*.trace"))[:1]
        self.assertStatus(self.command(startune, "replay", *traces, "--strategy", "added", "--calls", "100", timeout=300))
        self.assertIn("--mpi auto|madeup|", self.command(startune, "run", "--help").stdout)
        self.assertRegex(self.command(startune, "settings", "--added", "8").stdout, r"(?m)^added = 8$")
        self.assertRefused(self.command(startune, "run", "--added", "10", "true"), "added", "'10'", "from 1 to 9")
        self.assertRefused(self.command(startune, "run", self.program_of("libmadeup.so.40")), "the program uses madeup", MPIS[0])


if __name__ == "__main__":
    main()
