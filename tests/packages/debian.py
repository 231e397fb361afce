# SPDX-License-Identifier: BSD-3-Clause
"""Debian's packages, made of what is committed: all that they are built with is named, lintian has nothing to say, and they run where dpkg
installs them, in a folder, with the packages of this machine. Minutes."""
import shutil
import sys

from command import BUILD, MPIRUN, MPIS, SOURCE, CommandTest, exchange, main
from config import expect_a_project_finds_it

TOOLS = ["git", "dpkg-buildpackage", "dh", "lintian", "fakeroot"]
BINARIES = [*(["libstartune-abi0"] if "abi" in MPIS else []), "libstartune-dev", "libstartune-mpich0", "libstartune-openmpi0", "startune", "startune-doc"]


class Debian(CommandTest):
    def build(self, *words, **env):
        """Returns the packages' files by name."""
        sources = self.home / "work/sources"
        sources.mkdir(parents=True)
        self.assertStatus(self.command("sh", "-c", f"git -C {SOURCE} archive HEAD | tar -x -C {sources}"))
        self.assertStatus(self.command("dpkg-buildpackage", "-us", "-uc", "-b", *words, cwd=sources, env=env, timeout=1700))
        return {path.name.partition("_")[0]: path for path in sources.parent.glob("*.deb") if "dbgsym" not in path.name}

    def install(self, *files):
        """As if on this machine, but into a folder; triggers would be of the machine itself."""
        root, database = self.home / "root", self.home / "database"
        if not database.exists():
            shutil.copytree("/var/lib/dpkg", database, symlinks=True, ignore=shutil.ignore_patterns("lock*", "*-old"))
            root.mkdir()
        return self.command("fakeroot", "dpkg", f"--instdir={root}", f"--admindir={database}", "--no-triggers", "-i", *files,
                            env={"PATH": self.env["PATH"] + ":/usr/sbin:/sbin"})

    def expect_programs_run(self, mpi):
        startune = self.home / "root/usr/bin/startune"
        result = self.command(MPIRUN, BUILD, mpi, 2, startune, "run", exchange(mpi), 100)
        self.assertStatus(result)
        self.assertIn("another method than native's in", result.stderr)
        self.assertStatus(self.command(MPIRUN, BUILD, mpi, 2, startune, "bench", "alltoall", "--sizes", 64, "--rounds", 1))

    def test_packages_are_right_and_run(self):
        packages = self.build()
        self.assertEqual(sorted(packages), BINARIES)
        [changes] = (self.home / "work").glob("*.changes")
        self.assertEqual(self.command("lintian", "--allow-root", changes).stdout, "")

        # What serves the standard's ABI does so over either MPI library; projects find startune only with all that its files name.
        if "abi" in MPIS:
            depends = {name: self.command("dpkg-deb", "-f", packages[name], "Depends").stdout for name in ("libstartune-abi0", "libstartune-dev")}
            self.assertNotRegex(depends["libstartune-abi0"], "openmpi|mpich")
            self.assertIn("libstartune-abi0", depends["libstartune-dev"])

        # The command asks for one of the MPI libraries, and has enough with it; then come the others.
        self.assertNotEqual(self.install(packages["startune"]).returncode, 0)
        self.assertStatus(self.install(packages["startune"], packages[f"libstartune-{MPIS[0]}0"]))
        self.expect_programs_run(MPIS[0])
        self.assertStatus(self.install(*packages.values()))
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                self.expect_programs_run(mpi)
        expect_a_project_finds_it(self, self.home / "root/usr")

    def test_they_are_made_without_tests(self):
        self.assertEqual(sorted(self.build("-Pnocheck", DEB_BUILD_OPTIONS="nocheck")), BINARIES)
        self.assertFalse(list((self.home / "work").rglob("*cmocka*")), "no test was built")


if __name__ == "__main__":
    if not all(shutil.which(tool) for tool in TOOLS) or not (SOURCE / ".git").exists():
        sys.exit(77)
    main()
