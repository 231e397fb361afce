# SPDX-License-Identifier: BSD-3-Clause
"""Places to touch: in a copy of the sources an algorithm and a format of exports are a file and a line each, and a strategy
is a file and two lines, and the command that is built of it knows all three."""
import json
import shutil
import subprocess

from command import SOURCE, CommandTest, main

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

    def test_an_algorithm_a_strategy_and_a_format(self):
        folder = "src/algorithms/alltoall"
        self.derive(f"{folder}/bruck.c", f"{folder}/added.c", ('"bruck"', '"added"'), ("_bruck = ", "_added = "))
        self.change("src/algorithms/repository.def", "STAR_ALGORITHM(alltoall_simple)",
                    "STAR_ALGORITHM(alltoall_simple)\nSTAR_ALGORITHM(alltoall_added)")
        folder = "src/tuner/strategies"
        self.derive(f"{folder}/exhaustive.c", f"{folder}/added.c", ("star_exhaustive", "star_added"))
        self.change("src/util/strategies.def", "STAR_STRATEGY(HALVING", 'STAR_STRATEGY(ADDED, added, "as the first")\nSTAR_STRATEGY(HALVING')
        self.change("src/tuner/tuning.h", "    STAR_HALVING,", "    STAR_ADDED,\n    STAR_HALVING,")
        (self.copy / "src/map/export/added.c").write_text(FORMAT)
        self.change("src/map/export/formats.def", "STAR_EXPORT(c,", 'STAR_EXPORT(added, "a word")\nSTAR_EXPORT(c,')
        build = self.home / "build"
        flags = ["-DSTARTUNE_TESTS=OFF", "-DSTARTUNE_EXAMPLES=OFF", "-DSTARTUNE_LTO=OFF", "-DCMAKE_C_FLAGS=-O0 -Wno-unused-const-variable"]
        self.assertStatus(self.command("cmake", "-S", self.copy, "-B", build, "-G", "Ninja", *flags))
        self.assertStatus(self.command("cmake", "--build", build, "--target", "startune", timeout=1500))
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


if __name__ == "__main__":
    main()
