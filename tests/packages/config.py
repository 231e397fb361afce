# SPDX-License-Identifier: BSD-3-Clause
"""A project of its own finds an installed startune by find_package, is built with it and runs."""
from pathlib import Path

from command import BUILD, MPIRUN, MPIS, CommandTest, main
from recipes import VERSION

PROJECT = Path(__file__).resolve().parent / "project"


def expect_a_project_finds_it(test, prefix):
    build = test.home / "project"
    # The module is gfortran's.
    fortran = all((BUILD / "fortran" / mpi / "startune.mod").exists() for mpi in MPIS)
    words = ["-DFORTRAN=Fortran", "-DCMAKE_Fortran_COMPILER=gfortran"] if fortran else []
    test.assertStatus(test.command("cmake", "-S", PROJECT, "-B", build, f"-DMPIS={';'.join(MPIS)}", f"-DCMAKE_PREFIX_PATH={prefix}", *words))
    test.assertStatus(test.command("cmake", "--build", build, "-j2"))
    for mpi in MPIS:
        with test.subTest(mpi=mpi):
            result = test.command(MPIRUN, BUILD, mpi, 2, build / f"program-{mpi}")
            test.assertStatus(result)
            test.assertEqual(result.stdout, f"{VERSION} 2\n")
            if fortran:
                test.assertEqual(test.command(MPIRUN, BUILD, mpi, 1, build / f"module-{mpi}").stdout.split(), ["T"])


class Config(CommandTest):
    def test_a_project_finds_it(self):
        # Where it is installed says nothing: it is moved there.
        self.assertStatus(self.command("cmake", "--install", BUILD, "--prefix", self.home / "before"))
        (self.home / "before").rename(self.home / "prefix")
        expect_a_project_finds_it(self, self.home / "prefix")


if __name__ == "__main__":
    main()
