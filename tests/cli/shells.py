# SPDX-License-Identifier: BSD-3-Clause
"""Completion in zsh and fish, as far as they are installed: the shells themselves are asked. Of what `startune complete` offers, the
tests of bash's completion say more."""
import os
import pty
import select
import shutil
import subprocess
import sys
import time
import unittest

from command import STARTUNE, SUBCOMMANDS, CommandTest, main

# A tab notes what is offered, and ^G the line as it is then.
ZSH = """
compadd() {{ local -a found; builtin compadd -O found "$@"; print -rl -- $found >> {home}/offered; builtin compadd "$@" }}
note() {{ print -r -- $BUFFER > {home}/line.new; mv {home}/line.new {home}/line }}
zle -N note; bindkey '^G' note; bindkey '^I' expand-or-complete
PS1='ready> '
"""


class Shell(CommandTest):
    def setUp(self):
        super().setUp()
        if not shutil.which(self.shell):
            self.skipTest(f"no {self.shell}")
        self.env |= {"TERM": "dumb", "PATH": f"{STARTUNE.parent}:{os.environ['PATH']}"}
        self.script = self.home / ".script"
        self.script.write_text(self.startune("completion", self.shell).stdout)


class OfBoth:
    """Questions to either shell: self.of(LINE) has the candidates."""

    def test_the_script_is_good(self):
        result = self.command(self.shell, "-n", self.script)
        self.assertStatus(result)
        self.assertEqual(result.stderr, "")

    def test_commands(self):
        self.assertEqual(self.of("startune ru"), ["run"])
        self.assertLessEqual(set(SUBCOMMANDS), set(self.of("startune ")))

    def test_options_and_values(self):
        self.assertEqual(self.of("startune plan --fo"), ["--format"])
        self.assertEqual(self.of("startune plan --format ph"), ["phases"])
        self.assertEqual(set(self.of("startune run --mpi ")), {"auto", "openmpi", "mpich", "abi"})
        self.assertEqual(self.of("startune run --strategy=hy"), ["--strategy=hypothesis"])
        self.assertEqual(self.of("startune replay --strategy race,wi"), ["race,wisdom"])
        self.assertEqual(self.of("startune plan alltoal"), ["alltoall:", "alltoallv:", "alltoallw:"])
        self.assertEqual(self.of("startune plan alltoall:ri"), ["alltoall:ring"])

    def test_files_and_programs(self):
        (self.home / "cluster.topo").touch()
        self.assertEqual(self.of("startune run --topology cl"), ["cluster.topo"])
        (self.home / "unlikely-name").touch(mode=0o755)
        self.assertIn("unlikely-name", self.of("startune run ./app unlikely-"))
        self.assertIn("unlikely-name", " ".join(self.of("startune run ./unlikely-")))
        self.assertIn("startune", self.of("startune run --iter 5 startun"))

    def test_behind_a_launcher(self):
        self.assertEqual(self.of("mpirun -n 4 startune run --str"), ["--strategy"])
        self.assertEqual(self.of(f"mpiexec -n 4 {STARTUNE} run --str"), ["--strategy"])
        (self.home / "unlikely-name").touch()
        self.assertEqual(self.of("mpirun -n 4 unlikely-"), ["unlikely-name"])


class Zsh(OfBoth, Shell):
    shell = "zsh"
    terminal, read_first = None, False

    def start(self):
        """A shell that people type to. Completion is found where it is installed, or read by hand."""
        functions = self.home / ".functions"
        functions.mkdir(exist_ok=True)
        if not self.read_first:
            shutil.copy(self.script, functions / "_startune")
        (self.home / ".zshrc").write_text(
            f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D\n"
            + (f"source {self.script}\n" if self.read_first else "") + ZSH.format(home=self.home))
        ours, theirs = pty.openpty()
        shell = subprocess.Popen(["zsh", "-d", "-i"], env=self.env | {"ZDOTDIR": str(self.home)}, cwd=self.home,
                                 stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(shell.wait)
        self.addCleanup(shell.kill)
        self.terminal = ours
        self.expect(lambda text: b"ready> " in text)

    def expect(self, there):
        """Reads what the shell shows until THERE(text)."""
        text, until = b"", time.monotonic() + 60
        while not there(text):
            self.assertLess(time.monotonic(), until, text)
            if select.select([self.terminal], [], [], 0.02)[0]:
                text += os.read(self.terminal, 4096)
        return text

    def type(self, line):
        for name in ("offered", "line"):
            (self.home / name).unlink(missing_ok=True)
        if self.terminal is None:
            self.start()
        os.write(self.terminal, f"\x15{line}\t\a".encode())  # instead of the line before
        self.expect(lambda _: (self.home / "line").exists())

    def of(self, line):
        self.type(line)
        offered = (self.home / "offered").read_text().split("\n") if (self.home / "offered").exists() else []
        return sorted({word for word in offered if word})

    def test_one_candidate_is_put_in(self):
        for typed, line in (("startune ru", "startune run "), ("startune run --nodes b", "startune run --nodes block:"),
                            ("startune run --topology=cl", "startune run --topology=cluster.topo ")):
            (self.home / "cluster.topo").touch()
            self.type(typed)
            self.assertEqual((self.home / "line").read_text(), line + "\n")

    def test_read_by_hand(self):
        """As from ~/.zshrc."""
        self.read_first = True
        self.assertEqual(self.of("mpirun -n 4 startune run --str"), ["--strategy"])
        self.assertEqual(self.of("startune ru"), ["run"])


class Fish(OfBoth, Shell):
    shell = "fish"

    def offered(self, line):
        result = self.command("fish", "--no-config", "-c", f"source {self.script}; source {self.script}; complete -C '{line}'")
        self.assertStatus(result)
        self.assertEqual(result.stderr, "")
        return result.stdout.splitlines()

    def of(self, line):
        return sorted(found.split("\t")[0] for found in self.offered(line))

    def test_it_says_what_candidates_mean(self):
        self.assertEqual(self.offered("startune ru"), ["run\trun an MPI program, with its communication tuned"])

    def test_a_file_behind_an_equals_sign(self):
        (self.home / "cluster.topo").touch()
        self.assertEqual(self.of("startune run --topology=cl"), ["--topology=cluster.topo"])


if __name__ == "__main__":
    if not (shutil.which("zsh") or shutil.which("fish")):
        sys.exit(77)
    main()
