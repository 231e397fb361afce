# SPDX-License-Identifier: BSD-3-Clause
"""The archive that cpack makes runs where it is unpacked: for a user without rights, and without the sources, the build, headers and
compilers, which root's test hides from it."""
import os
import shlex
import shutil

from command import BUILD, MPIRUN, SOURCE, CommandTest, each_mpi, exchange, main

ROOT = os.geteuid() == 0
NOBODY = 65534
HIDDEN = [SOURCE, BUILD, "/usr/include", "/usr/lib/gcc"]


class Tarball(CommandTest):
    def setUp(self):
        super().setUp()
        self.home.chmod(0o755)
        made = self.command("cpack", "-G", "TGZ", "--config", BUILD / "CPackConfig.cmake", "-B", self.home / "made", cwd=BUILD)
        self.assertStatus(made)
        [archive] = (self.home / "made").glob("*.tar.gz")
        self.assertRegex(archive.name, r"^startune-\d+\.\d+\.\d+-linux-\w+\.tar\.gz$")
        place = self.home / "anywhere"
        place.mkdir()
        self.assertStatus(self.command("tar", "-xzf", archive, "-C", place))
        [self.prefix] = place.iterdir()
        self.assertEqual(archive.name, self.prefix.name + ".tar.gz")
        shutil.copy(MPIRUN, self.home / "mpirun")
        (self.home / "tests").mkdir()
        shutil.copy(BUILD / "tests/yield.so", self.home / "tests")
        self.user = self.home / "user"
        self.user.mkdir()
        if ROOT:
            os.chown(self.user, NOBODY, NOBODY)

    def as_user(self, *words):
        """Runs them in the user's home."""
        line = shlex.join(str(word) for word in words)
        env = {"HOME": str(self.user), "PATH": f"{self.prefix}/bin:/usr/bin:/bin", "TMPDIR": str(self.user)}
        if ROOT and self.command("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").returncode == 0:
            hide = "; ".join(f"[ ! -d {path} ] || mount -t tmpfs none {path}" for path in HIDDEN)
            words = ["unshare", "-m", "sh", "-ec", f"{hide}; exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups {line}"]
        elif ROOT:
            words = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", *words]
        return self.command(*words, env=env, cwd=self.user)

    def test_it_does_not_say_where_it_was_made(self):
        self.assertEqual(self.command("grep", "-rlF", self.home / "made", self.prefix).stdout, "")

    @each_mpi
    def test_programs_are_tuned(self, mpi):
        program = self.home / exchange(mpi).name
        shutil.copy(exchange(mpi), program)
        result = self.as_user(self.home / "mpirun", self.home, mpi, 2, "startune", "run", "--tune-after", 0, program, 100)
        self.assertStatus(result)
        self.assertIn("another method than native's in", result.stderr)
        self.assertTrue((self.user / ".local/share/startune/wisdom.db").exists(), "the run's helper keeps what it learned")
        self.assertIn("exchange", self.as_user("startune", "report").stdout)
        self.assertStatus(self.as_user(self.home / "mpirun", self.home, mpi, 2, "startune", "bench", "alltoall", "--sizes", 64, "--rounds", 1))


if __name__ == "__main__":
    main()
