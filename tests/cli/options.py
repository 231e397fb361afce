# SPDX-License-Identifier: BSD-3-Clause
"""The build's options: each combination of their values can be configured, and lacks nothing that it would build. ./check
tries some of them, ./check --long all, and builds them."""
import itertools
import re
import shutil

from command import LONG, MPIS, SOURCE, CommandTest, main

# What may be missing, and how it is made to look so.
PACKAGES = {"yaml": "yaml-0.1", "dw": "libdw", "fftw": "fftw3"}
MISSING = {"simgrid": ["-DSTARTUNE_SIMGRID=off"],
           "fortran": ["-DSTARTUNE_FORTRAN=OFF"],
           "python": ["-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON", "-DSTARTUNE_PYTHON=OFF", "-DPYTHON3=OFF"],
           "valgrind": ["-DSTARTUNE_VALGRIND=OFF", "-DVALGRIND=OFF"]}
ALL = [*PACKAGES, *MISSING]
MPIS_THERE = [MPIS, *([mpi] for mpi in MPIS if len(MPIS) > 1)]

# A pkg-config that finds all but these packages.
PKG_CONFIG = """#!/bin/sh
for word; do
    case " {packages} " in *" $word "*) exit 1 ;; esac
done
exec pkg-config "$@"
"""


def combinations():
    """(options, MPIs, missing): each value of an option with each of the others; the MPIs, and two thirds of what may be
    missing, by turns."""
    options = itertools.product(("ON", "OFF"), ("ON", "OFF", "unit"), ("ON", "OFF"))
    for turn, (examples, tests, lto) in enumerate(options):
        missing = [what for place, what in enumerate(ALL) if (turn + place) % 3]
        yield (["-DSTARTUNE_EXAMPLES=" + examples, "-DSTARTUNE_TESTS=" + tests, "-DSTARTUNE_LTO=" + lto],
               MPIS_THERE[(turn + turn // 3) % len(MPIS_THERE)], missing)


class Options(CommandTest):
    def configure(self, options, mpis, missing):
        """The build folder."""
        build, pkg_config = self.home / "build", self.home / "pkg-config"
        packages = " ".join(name for what, name in PACKAGES.items() if what in missing)
        pkg_config.write_text(PKG_CONFIG.format(packages=packages))
        pkg_config.chmod(0o755)
        words = [word for what in missing for word in MISSING.get(what, [])]
        words += [f"-DSTARTUNE_{mpi.upper()}_CC=OFF" for mpi in ("openmpi", "mpich", "abi") if mpi not in mpis]
        # Without the rules that configure anew, which would be all that a dry run says.
        result = self.command("cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DCMAKE_SUPPRESS_REGENERATION=ON", "-DSTARTUNE_WERROR=ON",
                              f"-DPKG_CONFIG_EXECUTABLE={pkg_config}", *options, *words)
        self.assertStatus(result)
        return build

    def expect_complete(self, build):
        """Nothing that is to be built wants what nothing makes, and no target of ours is taken for a library of the system."""
        self.assertStatus(self.command("cmake", "--build", build, "--", "-n"))
        commands = self.command("ninja", "-C", build, "-t", "commands", "all").stdout
        self.assertEqual(re.findall(r"\s-l\S*(?:startune|-openmpi|-mpich)\S*", commands), [])

    def test_each_combination_can_be_built(self):
        for turn, (options, mpis, missing) in enumerate(combinations()):
            if not LONG and turn % 5 != 1:
                continue
            with self.subTest(options=options, mpis=mpis, missing=missing):
                build = self.configure(options, mpis, missing)
                self.expect_complete(build)
                if LONG:
                    self.assertStatus(self.command("cmake", "--build", build, timeout=3000))
                shutil.rmtree(build)


if __name__ == "__main__":
    main()
