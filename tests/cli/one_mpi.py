# SPDX-License-Identifier: BSD-3-Clause
"""A startune that was built for one MPI only says so to a program of the other."""
from command import MPIS, SOURCE, CommandTest, exchange, main


class OneMpi(CommandTest):
    def test_the_other_mpis_program_is_refused_by_name(self):
        if len(MPIS) < 2:
            self.skipTest("needs both MPI libraries")
        build = self.home / "build"
        self.assertStatus(self.command("cmake", "-S", SOURCE, "-B", build, "-DSTARTUNE_MPICH_CC=/nonexistent", "-DSTARTUNE_ABI_CC=OFF",
                                       "-DSTARTUNE_TESTS=OFF", "-DSTARTUNE_EXAMPLES=OFF", "-DCMAKE_BUILD_TYPE=None"))
        self.assertStatus(self.command("cmake", "--build", build, "-j", 2, "--target", "startune"))
        startune = build / "bin/startune"
        self.assertIn("(openmpi)", self.command(startune, "--version").stdout)
        self.assertRefused(self.command(startune, "run", exchange("mpich")), "mpich", "openmpi")
        self.assertRefused(self.command(startune, "run", "touch", "x", env={"PMI_RANK": "0"}), "mpich", "openmpi")
        self.assertRefused(self.command(startune, "bench", "alltoall", env={"PMI_RANK": "0"}), "mpich", "openmpi")


if __name__ == "__main__":
    main()
