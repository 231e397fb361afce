# SPDX-License-Identifier: BSD-3-Clause
"""A project of its own finds an installed startune by find_package, is built with it and runs."""
import re
from pathlib import Path

from command import BUILD, MPIRUN, SOURCE, CommandTest, each_mpi, main

PROJECT = Path(__file__).resolve().parent / "project"


class Config(CommandTest):
    def setUp(self):
        super().setUp()
        # Where it is installed says nothing: it is moved there.
        self.assertStatus(self.command("cmake", "--install", BUILD, "--prefix", self.home / "before"))
        self.prefix = self.home / "prefix"
        (self.home / "before").rename(self.prefix)

    @each_mpi
    def test_a_project_finds_it(self, mpi):
        build = self.home / mpi
        self.assertStatus(self.command("cmake", "-S", PROJECT, "-B", build, f"-DMPI={mpi}", f"-DCMAKE_PREFIX_PATH={self.prefix}"))
        self.assertStatus(self.command("cmake", "--build", build))
        result = self.command(MPIRUN, BUILD, mpi, 2, build / "program")
        self.assertStatus(result)
        numbers = re.findall(r"define STARTUNE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (SOURCE / "include/startune.h").read_text())
        self.assertEqual(result.stdout, ".".join(numbers) + " 2\n")
        if (BUILD / "fortran" / mpi / "startune.mod").exists():
            self.assertEqual(self.command(MPIRUN, BUILD, mpi, 1, build / "module").stdout.split(), ["T"])


if __name__ == "__main__":
    main()
