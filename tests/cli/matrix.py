# SPDX-License-Identifier: BSD-3-Clause
"""Who talks to whom: counted by startune run --matrix, and shown."""
import collections
import json
import re
import subprocess
import sys
import xml.etree.ElementTree

from command import BUILD, MPIS, SOURCE, STARTUNE, CommandTest, each_mpi, main

RANKS = 4
BLOCKS = (2 * (RANKS - 1) * sum(range(1, RANKS + 1)), 2 * RANKS * (RANKS - 1))  # of talk_each's two alltoallw


def talk(mpi):
    """The program of talk.c: talk [ALLREDUCES]. It prints what it sent."""
    return BUILD / f"tests/cli/talk-{mpi}"


def talk_each(mpi):
    """The program of talk_each.c: talk_each [session]. It prints what it sent, too."""
    return BUILD / f"tests/cli/talk_each-{mpi}"


def library_of(program):
    """The file of the MPI library that the program needs."""
    lines = subprocess.run(["ldd", program], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout.splitlines()
    return next(line.split()[2] for line in lines if re.match(r"\s*lib(mpi|mpich)\.so", line))


def add_up(triples):
    """Bytes and messages of each (from, to)."""
    all_of = collections.defaultdict(lambda: (0, 0))
    for pair, bytes_sent, messages in triples:
        before = all_of[pair]
        all_of[pair] = (before[0] + bytes_sent, before[1] + messages)
    return dict(all_of)


def counted(report):
    rows = report["matrix"]
    return add_up([((row["rank"], peer), *rest) for row in rows for peer, *rest in row["to"]] +
                  [((peer, row["rank"]), *rest) for row in rows for peer, *rest in row["from"]])


class Matrix(CommandTest):
    def run_counted(self, mpi, *words, allreduces=0, program=None, **more):
        program = program or [talk(mpi), allreduces]
        result = self.mpirun(mpi, RANKS, STARTUNE, "run", "--matrix", "--report", "r.json", *words, *program, **more)
        self.assertStatus(result)
        sent = [tuple(map(int, line.split())) for line in result.stdout.splitlines()]
        return add_up([((a, b), *rest) for a, b, *rest in sent]), json.loads((self.home / "r.json").read_text())

    def assertCounted(self, sent, report, blocks=(0, 0)):
        """The program's own calls to the byte; what is estimated comes on top, but for BLOCKS of collectives, of which that is exact."""
        got = counted(report)
        sums = {kind: (sum(row[kind]["bytes"] for row in report["matrix"]), sum(row[kind]["messages"] for row in report["matrix"]))
                for kind in ("program", "methods", "estimated")}
        self.assertEqual(tuple(map(sum, zip(*sent.values()))), tuple(map(sum, zip(sums["program"], blocks))))
        self.assertEqual(tuple(map(sum, zip(*got.values()))), tuple(map(sum, zip(*sums.values()))))
        for pair, (bytes_sent, messages) in sent.items():
            self.assertGreaterEqual(got[pair][0], bytes_sent)
            self.assertGreaterEqual(got[pair][1], messages)
        self.assertEqual(sorted(row["rank"] for row in report["matrix"]), list(range(RANKS)))
        self.assertTrue(all(row["complete"] and row["host"] and row["left_out_bytes"] == 0 for row in report["matrix"]))
        return sums

    @each_mpi
    def test_each_kind_of_call_is_counted(self, mpi):
        sums = self.assertCounted(*self.run_counted(mpi))
        self.assertEqual(sums["methods"], (0, 0))

    @each_mpi
    def test_rarer_calls_are_counted_and_nothing_else(self, mpi):
        """MPI_PROC_NULL, what one-sided calls give back, neighbours, MPI-4. On what ranks agree at the beginning is no traffic."""
        sent, report = self.run_counted(mpi, program=[talk_each(mpi)])
        sums = self.assertCounted(sent, report, BLOCKS)
        self.assertEqual(counted(report), sent)
        self.assertEqual((sums["methods"], sums["estimated"]), ((0, 0), BLOCKS))

    @each_mpi
    def test_sessions_are_counted(self, mpi):
        """Ranks are those of the session's processes: the program's communicator has them the other way round."""
        sent, report = self.run_counted(mpi, program=[talk_each(mpi), "session"])
        self.assertCounted(sent, report, BLOCKS)
        self.assertEqual(counted(report), sent)

    @each_mpi
    def test_programs_that_open_the_mpi_library_are_counted(self, mpi):
        library = library_of(talk(mpi))
        if not re.search(r"lib(mpi\.so\.40|mpich\.so)", library):
            self.skipTest("opened.py knows the handles of Open MPI and of MPICH")
        for how in ("global", "local"):
            result = self.mpirun(mpi, 2, STARTUNE, "run", "--matrix", "--report", "r.json", sys.executable, SOURCE / "tests/mpi/opened.py", library, how, 3, 1000)
            self.assertStatus(result)
            rows = json.loads((self.home / "r.json").read_text())["matrix"]
            self.assertEqual([row["program"] for row in rows], [{"bytes": 4000, "messages": 1}, {"bytes": 0, "messages": 0}])

    @each_mpi
    def test_collective_operations_are_estimated_where_they_are_the_mpi_librarys(self, mpi):
        few = self.assertCounted(*self.run_counted(mpi, "--force", "allreduce:native", allreduces=0))
        many = self.assertCounted(*self.run_counted(mpi, "--force", "allreduce:native", allreduces=1000))
        bytes_more = many["estimated"][0] - few["estimated"][0]  # by doubling: two messages of 8 bytes a rank and call
        self.assertEqual(bytes_more, 1000 * RANKS * 2 * 8)  # and on what startune's ranks agree is left out
        self.assertEqual(many["methods"], (0, 0))

    @each_mpi
    def test_methods_are_counted_as_they_send(self, mpi):
        sums = self.assertCounted(*self.run_counted(mpi, "--force", "allreduce:rdb", allreduces=1000))
        self.assertEqual(sums["methods"], (1000 * RANKS * 2 * 8, 1000 * RANKS * 2))

    @each_mpi
    def test_hand_overs_by_shared_memory_are_counted_as_each_rank_fetches(self, mpi):
        sums = self.assertCounted(*self.run_counted(mpi, "--force", "allreduce:shared", allreduces=1000))
        each = 1000 * RANKS * (RANKS - 1)  # one level: each rank fetches from all others
        self.assertEqual(sums["methods"], (each * 8, each))

    @each_mpi
    def test_a_tool_sees_each_call_once_and_so_does_the_matrix(self, mpi):
        sent, report = self.run_counted(mpi, env={"LD_PRELOAD": str(BUILD / f"tests/cli/listener-{mpi}.so"), "LISTENER": "heard"})
        self.assertCounted(sent, report)
        heard = [int((self.home / f"heard.{rank}").read_text()) for rank in range(RANKS)]
        self.assertEqual(heard, [2] * RANKS)  # MPI_Isend of talk.c

    @each_mpi
    def test_without_it_there_is_no_such_library(self, mpi):
        for words, there in [([], False), (["--no-matrix"], False), (["--matrix"], True), (["--off", "--matrix"], False)]:
            result = self.mpirun(mpi, 1, STARTUNE, "run", *words, "sh", "-c", "echo $LD_PRELOAD")
            self.assertStatus(result)
            self.assertEqual(f"libstartune-matrix-{mpi}" in result.stdout, there, result.stdout)

    def test_it_is_shown(self):
        self.run_counted(MPIS[0])
        shown = self.startune("report", "r.json", "--matrix")
        self.assertStatus(shown)
        self.assertIn("4 ranks on 1 host sent", shown.stdout)
        self.assertEqual(re.findall(r"(?m)^ *(\d+) \|.{4}\|", shown.stdout), [str(rank) for rank in range(RANKS)])
        self.assertEqual(self.json_of(self.startune("report", "r.json", "--matrix", "--json")),
                         json.loads((self.home / "r.json").read_text())["matrix"])
        svg = self.startune("report", "r.json", "--matrix", "--as", "svg")
        self.assertTrue(xml.etree.ElementTree.fromstring(svg.stdout).tag.endswith("svg"))
        self.assertIn("Who talks to whom", self.startune("report", "r.json", "--html").stdout)
        for words in (["--as", "svg"], ["--matrix", "--as", "svgs"], ["--matrix", "--html"]):
            self.assertRefused(self.startune("report", "r.json", *words))

    def test_names_of_hosts_do_not_speak_to_the_terminal(self):
        report = json.loads((SOURCE / "tests/cli/files/talk.json").read_text())
        report["matrix"][0]["host"] = "n0\x1b[31m<b>&"
        (self.home / "r.json").write_text(json.dumps(report))
        for words in ([], ["--as", "svg"], ["--as", "scotch"]):
            shown = self.startune("report", "r.json", "--matrix", *words)
            self.assertStatus(shown)
            self.assertNotIn("\x1b", shown.stdout)
        self.assertIn("| n0?[31m<b>&\n", self.startune("report", "r.json", "--matrix").stdout)
        self.assertIn("<b>&", "".join(xml.etree.ElementTree.fromstring(
            self.startune("report", "r.json", "--matrix", "--as", "svg").stdout).itertext()))

    def test_other_mappers_can_read_it(self):
        self.run_counted(MPIS[0])
        pairs = {tuple(sorted(pair)) for pair in counted(json.loads((self.home / "r.json").read_text()))}
        metis = [line.split() for line in self.startune("report", "r.json", "--matrix", "--as", "metis").stdout.splitlines()]
        self.assertEqual(metis[0], [str(RANKS), str(len(pairs)), "001"])
        self.assertEqual({tuple(sorted((rank, int(peer) - 1))) for rank, line in enumerate(metis[1:]) for peer in line[::2]}, pairs)
        scotch = [line.split() for line in self.startune("report", "r.json", "--matrix", "--as", "scotch").stdout.splitlines()]
        self.assertEqual(scotch[:3], [["0"], [str(RANKS), str(2 * len(pairs))], ["0", "010"]])
        for line, other in zip(scotch[3:], metis[1:]):
            self.assertEqual(int(line[0]), len(line[1:]) // 2)
            self.assertEqual(line[1::2], other[1::2])  # the weights
            self.assertEqual([int(peer) + 1 for peer in line[2::2]], [int(peer) for peer in other[::2]])

    def advice(self, mpi, *words, pairs=(2000, 10000, 1000)):
        result = self.mpirun(mpi, RANKS, STARTUNE, "run", "--matrix", *words, BUILD / f"tests/cli/pairs-{mpi}", *pairs)
        self.assertStatus(result)
        said = [line for line in result.stderr.splitlines() if "placed otherwise" in line]
        return said[0] if said else None

    @each_mpi
    def test_the_summary_says_where_ranks_placed_otherwise_are_expected_to_gain(self, mpi):
        """Pairs send 20 MB each, in 0.18 s at 1,000 Mbit/s and 2 ranks a host; the run takes a second more."""
        for speed in (1000, 200, 40, 8):
            (self.home / f"{speed}.topo").write_text(f"switch s\nhost a s {speed}\nhost b s {speed}\n")
        (self.home / "slow.topo").write_text("switch s\nhost a s 1\nhost b s 1\n")
        (self.home / "unknown.topo").write_text("switch s\nhost a s\nhost b s\n")
        apart, few = ("--nodes", "cyclic:2"), (2000, 10000, 0)
        said = (self.advice(mpi, *apart, "--topology", f"{speed}.topo") for speed in (1000, 200, 40, 8))  # a busy machine takes longer
        self.assertRegex(next(filter(None, said), ""), r"placed otherwise: \d+ ± \d+ % less time expected; startune place")
        for words in (("--topology", "none"), ("--topology", "unknown.topo")):
            self.assertIn("placed otherwise: 100 % fewer bytes between hosts", self.advice(mpi, *apart, *words))
        self.assertIsNone(self.advice(mpi, *apart, "--topology", "slow.topo", pairs=few))  # it took less than the links would have
        self.assertIsNone(self.advice(mpi, *apart, "--topology", "1000.topo", pairs=(20, 10000, 0)))
        for words in (("--no-advice", *apart, "--topology", "none"), ("--no-summary", *apart, "--topology", "none"), ("--topology", "none"),
                      ("--nodes", "block:2", "--topology", "none"), ("--nodes", "block:2", "--topology", "1000.topo"), ("--nodes", "none", "--topology", "none")):
            self.assertIsNone(self.advice(mpi, *words), words)

    @each_mpi
    def test_a_pattern_that_changes_with_time_is_told(self, mpi):
        """In the second half each rank sends to another one; and so do the MPI library's operations come on top."""
        for words, low, high, said in ((["turn"], 0.9, 1, "go to other ranks"), ([], 0, 0.01, "go to the same ranks")):
            self.assertStatus(self.mpirun(mpi, RANKS, STARTUNE, "run", "--matrix", "--report", "r.json", BUILD / f"tests/cli/pairs-{mpi}", 2000, 100, 0, *words))
            rows = json.loads((self.home / "r.json").read_text())["matrix"]
            for row in rows:
                self.assertEqual(len(row["to"]), len(row["to_early"]))
                self.assertTrue(0.3 < sum(row["to_early"]) / row["program"]["bytes"] < 0.75, row)
            self.assertIn(said, self.startune("report", "r.json", "--matrix").stdout)
            (self.home / "hosts").write_text("a:2\nb:2\n")
            placed = self.json_of(self.startune("place", "r.json", "--hostfile", "hosts", "--json"))
            self.assertTrue(low <= placed["change_with_time"] <= high, placed["change_with_time"])
            self.assertEqual("changes with time" in self.startune("place", "r.json", "--hostfile", "hosts").stdout, bool(words))
        self.run_counted(mpi, "--force", "allreduce:native", allreduces=1000)
        self.assertIn("go to the same ranks", self.startune("report", "r.json", "--matrix").stdout)

    def test_of_few_messages_nobody_knows_whether_they_change(self):
        self.assertStatus(self.mpirun(MPIS[0], RANKS, STARTUNE, "run", "--matrix", "--report", "r.json", BUILD / f"tests/cli/pairs-{MPIS[0]}", 3, 100))
        self.assertNotIn("to_early", (self.home / "r.json").read_text())
        self.assertNotIn("first half", self.startune("report", "r.json", "--matrix").stdout)

    def test_a_report_without_it(self):
        self.assertStatus(self.mpirun(MPIS[0], 2, STARTUNE, "run", "--report", "r.json", talk(MPIS[0])))
        self.assertRefused(self.startune("report", "r.json", "--matrix"), "startune run --matrix")


if __name__ == "__main__":
    main()
