# SPDX-License-Identifier: BSD-3-Clause
"""Bad input: one line that names it and the nearest valid one, exit status 2, and the program is not started."""
import os
import shutil

from command import SOURCE, STARTUNE, SUBCOMMANDS, CommandTest, main

METHODS = [
    ("alltoal:ring", ["unknown operation 'alltoal'", "did you mean 'alltoall'"]),
    ("alltoall:rnig", ["unknown method", "'rnig'", "did you mean 'ring'"]),
    ("alltoall:xyzzyx", ["unknown method", "'xyzzyx'", "known: native, simple"]),
    ("alltoall:", ["unknown method", "known: native"]),
    ("alltoall:ring,snc=light", ["unknown knob", "'snc'", "did you mean 'sync'"]),
    ("alltoall:simple,sync=light", ["unknown knob", "'sync'"]),
    ("alltoall:ring,sync=lite", ["'lite'", "sync", "none, light, barrier"]),
    ("alltoall:ring,sync=barriers:0", ["'barriers:0'", "1 <= N"]),
    ("alltoall:bruck,radix=one", ["'one'", "radix"]),
    ("alltoall:ring,sync", ["'sync'", "knob=value"]),
    ("ring", ["'ring'", "operation:method"]),
]

OPTIONS = [
    (["--repot", "x"], ["--repot", "did you mean --report"]),
    (["--REPOT", "x"], ["--REPOT", "did you mean --report"]),
    (["--itr", "5"], ["--itr", "did you mean --iter"]),
    (["--xyzzyxyzzy"], ["--xyzzyxyzzy", "startune run --help"]),
    (["-x"], ["-x"]),
    (["-itr", "5"], ["'-itr'", "did you mean --iter"]),
    (["--iter", "ten"], ["iter", "'ten'", "whole number from 1 to 100000"]),
    (["--iter=0"], ["iter", "'0'", "from 1 to 100000"]),
    (["--iter", "-3"], ["iter", "'-3'", "from 1 to 100000"]),
    (["--iter", "99999999999999999999"], ["iter", "from 1 to 100000"]),
    (["--iter", ""], ["iter", "''"]),
    (["--epsilon", "lots"], ["epsilon", "'lots'", "number or percentage"]),
    (["--memory", "12Q"], ["memory", "'12Q'", "such as 64K"]),
    (["--strategy", "groupd"], ["strategy", "'groupd'", "exhaustive|grouped"]),
    (["--estimator", "mean"], ["estimator", "'mean'", "min-of-mean|max-of-filtered-mean"]),
    (["--sites=maybe"], ["sites", "'maybe'", "on|off"]),
    (["--nodes", "block:0"], ["nodes", "'block:0'", "block:K"]),
    (["--nodes", "cyclic:"], ["nodes", "'cyclic:'", "cyclic:N"]),
    (["--nodes", "some"], ["nodes", "'some'", "auto, none"]),
    (["--nodes", ""], ["nodes", "''"]),
    (["--reproducible", "yes"], ["reproducible", "'yes'", "off|order|native"]),
    (["--named=yess"], ["named", "'yess'", "on|off"]),
    (["--root", "/opt"], ["--root", "startune run --help"]),
    (["--assume", "latncy=1"], ["--assume", "'latncy=1'", "latency"]),
    (["--force", "bcast:chain alltoall:ring bcast:linear"], ["force", "two methods of bcast"]),
    (["--mpi", "lam"], ["mpi", "'lam'", "auto|openmpi|mpich|abi"]),
    (["--no-iter"], ["--no-iter"]),
    (["--settings", "/nonexistent/file"], ["/nonexistent/file", "No such file"]),
]

VARIABLES = [
    ("STARTUNE_ITER", "ten", ["environment", "iter", "'ten'"]),
    ("STARTUNE_NODES", "block:x", ["environment", "nodes", "'block:x'", "block:K"]),
    ("STARTUNE", "maybe", ["environment", "'maybe'", "on|off"]),
    ("STARTUNE_FORCE", "alltoall:rnig", ["environment", "force", "did you mean 'ring'"]),
    ("STARTUNE_SETTINGS", "/nonexistent/file", ["/nonexistent/file", "No such file"]),
]


TAKER = """
import os, socket, subprocess, sys
name, words = sys.argv[1], sys.argv[2:]
taken = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
user = os.geteuid()
os.seteuid(int(os.environ["TAKER"]))
taken.bind(b"\\0startune-%d-%d-" % (user, os.getpid()) + name.encode())
taken.listen()
os.seteuid(user)
sys.exit(subprocess.run(words).returncode)
"""


def fnv(text):
    """As util/hash.h has it."""
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 % (1 << 64)
    return value


class Refusals(CommandTest):
    def run_touch(self, *options, env=None):
        """startune run OPTIONS touch started"""
        result = self.startune("run", *options, "touch", "started", env=env)
        self.assertFalse((self.home / "started").exists(), "the program was started")
        return result

    def test_unknown_command(self):
        self.assertRefused(self.startune("rnu"), "'rnu'", "did you mean 'run'")
        self.assertRefused(self.startune("lst", "--json"), "'lst'", "did you mean 'list'")
        self.assertRefused(self.startune("xyzzyxyzzy"), "'xyzzyxyzzy'", "startune --help")
        self.assertRefused(self.startune("help", "chekc"), "'chekc'", "did you mean 'check'")
        self.assertRefused(self.startune("--frobnicate"), "'--frobnicate'")
        self.assertRefused(self.startune("manual", "startune-rnu"), "'startune-rnu'")

    def test_unknown_option_of_every_command(self):
        for name in SUBCOMMANDS:
            with self.subTest(name=name):
                self.assertRefused(self.startune(name, "--hepl"), "--hepl", "did you mean --help")

    def test_options_of_run(self):
        for words, names in OPTIONS:
            with self.subTest(words=words):
                self.assertRefused(self.run_touch(*words), *names)

    def test_an_option_without_its_value(self):
        self.assertRefused(self.startune("run", "--iter"), "--iter", "needs a value")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n"), "-n", "needs a value")
        self.assertRefused(self.startune("list", "--json=yes"), "--json", "takes no value")

    def test_methods_wherever_they_are_named(self):
        for text, names in METHODS:
            with self.subTest(text=text):
                self.assertRefused(self.run_touch("--force", text), *names)
                self.assertRefused(self.run_touch("--methods", "alltoall:ring " + text), *names)
                self.assertRefused(self.startune("plan", text, "-n", 4), *names)
                self.assertRefused(self.startune("check", text), *names)
                if ":" in text.split(",")[0]:  # else it is a name alone, and of the operation
                    self.assertRefused(self.startune("bench", "alltoall", "--methods", text), *names)

    def test_variables_of_the_environment(self):
        for name, value, names in VARIABLES:
            with self.subTest(name=name, value=value):
                self.assertRefused(self.run_touch(env={name: value}), *names)

    def test_operations(self):
        self.assertRefused(self.startune("list", "altoall"), "'altoall'", "did you mean 'alltoall'")
        self.assertRefused(self.startune("bench", "altoall"), "'altoall'", "did you mean 'alltoall'")
        self.assertRefused(self.startune("bench"), "no operation")

    def test_arguments_too_many(self):
        self.assertRefused(self.startune("list", "alltoall", "again"), "'again'")
        self.assertRefused(self.startune("settings", "again"), "'again'")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "again"), "'again'")
        self.assertRefused(self.startune("bench", "alltoall", "again"), "'again'")

    def test_no_word_behind_two_dashes_is_an_option(self):
        self.assertRefused(self.startune("list", "--", "alltoall", "--json"), "'--json'")
        self.assertRefused(self.startune("check", "-n", 2, "--", "alltoall:ring", "-n", 4), "'-n'", "operation:method")
        for name in ("-a", "-b"):
            shutil.copy(SOURCE / "tests/cli/files/cluster.map", self.home / name)
        self.assertStatus(self.startune("map", "diff", "--", "-a", "-b"))
        self.assertStatus(self.startune("map", "--", "diff", "-a", "-b"))

    def test_run_without_a_program(self):
        self.assertRefused(self.startune("run"), "no program")
        self.assertRefused(self.startune("run", "--iter", 5), "no program")

    def test_ranks_say_it_once_but_no_other_user_says_it_for_them(self):
        """Another user could take the name by which ranks know that it was said, and nobody said anything."""
        result = self.startune("run")
        self.assertRefused(result, "no program")
        line = result.stderr.split("error: ", 1)[1].rstrip("\n")
        if os.geteuid() != 0:
            self.skipTest("only root can be somebody else")
        for user, said in ("0", False), ("1234", True):
            result = self.command("python3", "-c", TAKER, f"{fnv(line):x}", STARTUNE, "run", env={"TAKER": user, "OMPI_COMM_WORLD_RANK": "0"})
            self.assertStatus(result, 2)
            self.assertEqual(line in result.stderr, said, user)

    def test_output_that_cannot_be_written_is_a_failure(self):
        plan, check = ["plan", "alltoall:ring", "-n", 4], ["check", "-n", "1:2", "barrier"]
        for words in (["list"], ["list", "--json"], ["settings"], ["settings", "--json"], plan, [*plan, "--json"], check,
                      [*check, "--json"], ["manual", "startune-run"], ["completion"], ["help"], ["run", "--help"],
                      ["help", "run"], ["version"], ["topo", "show", SOURCE / "lab/topologies/2x4.topo"]):
            with self.subTest(words=words):
                result = self.command("sh", "-c", 'exec "$0" "$@" > /dev/full', STARTUNE, *words)
                self.assertRefused(result, "standard output", status=1)

    def test_a_long_word_is_still_one_line(self):
        self.assertRefused(self.startune("x" * 5000))
        self.assertRefused(self.startune("run", "--" + "x" * 5000, "true"))
        self.assertRefused(self.startune("run", "--force", "x" * 5000, "true"))
        self.assertRefused(self.startune("run", "--report", "x" * 5000, "true"), "report", "5000 characters")

    def test_a_line_feed_in_a_word_is_still_one_line(self):
        self.assertRefused(self.startune("run\nrun"))
        self.assertRefused(self.startune("run", "--iter", "1\n2", "true"), "iter")


if __name__ == "__main__":
    main()
