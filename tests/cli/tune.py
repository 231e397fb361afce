# SPDX-License-Identifier: BSD-3-Clause
"""startune tune: small searches under each MPI, what interrupts them, what goes on, and bad options."""
import os
import signal
import subprocess
import time

from command import BUILD, MPIRUN, STARTUNE, CommandTest, an_mpi, interrupt, main

QUICK = ["--op", "alltoall", "--sizes", "64,1K", "--np", "4", "--crossovers", "off", "--samples", 6,
         "--methods", "alltoall:ring alltoall:linear"]


def read(path):
    """A map's points: {(operation, ranks, bytes): (origin, {method: (role, samples)})}; and the facts before them."""
    facts, points, operation, here = {}, {}, None, None
    lines = path.read_text().splitlines()
    assert lines[0] == "startune map 1" and lines[-1].startswith("end "), (lines[0], lines[-1])
    for line in lines[1:-1]:
        word, *rest = line.split()
        if word == "operation":
            operation = rest[0]
        elif word == "point":
            here = points.setdefault((operation, int(rest[0]), int(rest[1])), (rest[2], {}))[1]
        elif word in ("winner", "tied", "slower"):
            here[rest[0]] = (word, [float(sample) for sample in rest[3:]])
        else:
            facts[word] = " ".join(rest)
    return points, facts


class Tune(CommandTest):
    def setUp(self):
        super().setUp()
        self.map = self.home / "found.map"

    def tune(self, mpi, *words, ranks=4, status=0, **more):
        result = self.mpirun(mpi, ranks, STARTUNE, "tune", "-o", self.map, *words, **more)
        self.assertStatus(result, status)
        return result

    @an_mpi
    def test_a_small_search_writes_a_map(self, mpi):
        result = self.tune(mpi, *QUICK, "--search", "exhaustive")  # pruned may leave one out
        points, facts = read(self.map)
        self.assertEqual(set(points), {("alltoall", 4, 64), ("alltoall", 4, 1024)})
        for origin, methods in points.values():
            self.assertEqual(origin, "grid")
            self.assertEqual(set(methods), {"alltoall:native", "alltoall:ring", "alltoall:linear"})
            self.assertEqual([role for role, _ in methods.values()].count("winner"), 1)
            for _, samples in methods.values():
                self.assertTrue(samples and all(0 < sample < 10 for sample in samples))
        self.assertTrue(facts["mpi"].startswith({"openmpi": "Open MPI ", "mpich": "MPICH "}[mpi]), facts)
        self.assertEqual((facts["nodes"], facts["ranks-per-node"]), ("1", "4"))
        self.assertIn("alltoall: 2 points", result.stdout)
        self.assertEqual([path.name for path in self.home.iterdir()], [self.map.name])

    @an_mpi
    def test_the_summary_as_json_is_what_the_map_says(self, mpi):
        said = self.json_of(self.tune(mpi, "--op", "alltoall,bcast", "--sizes", "64,4K", "--np", "3,4", "--samples", 6,
                                      "--methods", "alltoall:ring bcast:chain", "--json"))
        points, facts = read(self.map)
        self.assertEqual((said["map"], said["complete"], said["machine"]["mpi"], said["machine"]["nodes"]),
                         (str(self.map), True, facts["mpi"], 1))
        self.assertGreater(said["seconds"], 0)
        found = {(of["operation"], point["ranks"], point["bytes"]): point for of in said["operations"] for point in of["points"]}
        self.assertEqual(set(found), set(points))
        changes = 0
        for key, (origin, methods) in points.items():
            point, roles = found[key], {name: role for name, (role, _) in methods.items()}
            self.assertEqual(point["origin"], origin)
            self.assertEqual(roles[point["winner"]], "winner")
            self.assertEqual(set(point["tied"]), {name for name, role in roles.items() if role == "tied"})
            self.assertEqual(point["samples"], sum(len(samples) for _, samples in methods.values()))
            before = max((other for other in points if other[:2] == key[:2] and other < key), default=key)
            changes += found[before]["winner"] != point["winner"]
        crossovers = [crossover for of in said["operations"] for crossover in of["crossovers"]]
        self.assertEqual(len(crossovers), changes)
        for violation in said["violations"]:
            self.assertGreater(violation["native_seconds"], violation["seconds"])
            self.assertEqual(len({"as", "for_bytes"} & set(violation)), 1)

    @an_mpi
    def test_every_start_and_late_ranks(self, mpi):
        for words in (["--start", "window"], ["--start", "barrier"], ["--start", "mpptest"], ["--arrival", "random:2"]):
            with self.subTest(words=words):
                self.tune(mpi, *QUICK, *words)
                self.assertEqual(len(read(self.map)[0]), 2)

    @an_mpi
    def test_every_operation_at_all_its_methods(self, mpi):
        self.tune(mpi, "--op", "all", "--sizes", "64,4K", "--np", "4", "--samples", 3, "--crossovers", "off", "--point", "10s")
        points, _ = read(self.map)
        self.assertEqual(len({operation for operation, _, _ in points}), 17)
        self.assertEqual(len(points), 2 * 16 + 1)
        for (operation, _, _), (_, methods) in points.items():
            self.assertIn(f"{operation}:native", methods)
            self.assertGreater(len(methods), 1)

    @an_mpi
    def test_two_dashes_end_the_options(self, mpi):
        self.tune(mpi, *QUICK, "--")
        self.assertEqual(len(read(self.map)[0]), 2)
        self.assertRefused(self.startune("tune", "-o", self.map, "--", "--resume"), "'--resume'")

    @an_mpi
    def test_communicators_are_the_first_ranks(self, mpi):
        self.tune(mpi, *QUICK[:4], "--np", "2:", *QUICK[6:], ranks=5)
        self.assertEqual({ranks for _, ranks, _ in read(self.map)[0]}, {2, 4, 5})
        self.tune(mpi, *QUICK[:4], "--np", "3,5", *QUICK[6:], ranks=6)
        self.assertEqual({ranks for _, ranks, _ in read(self.map)[0]}, {3, 5})

    @an_mpi
    def test_an_exhaustive_search_measures_each_method_often(self, mpi):
        self.tune(mpi, *QUICK, "--search", "exhaustive")
        for _, methods in read(self.map)[0].values():
            for method, (_, samples) in methods.items():
                self.assertGreaterEqual(len(samples), 6, method)

    @an_mpi
    def test_crossovers_lie_between_sizes_with_different_winners(self, mpi):
        self.tune(mpi, "--op", "bcast", "--sizes", "64,64K", "--np", "4", "--samples", 6,
                  "--methods", "bcast:binomial bcast:scatter_ring_allgather")
        points, _ = read(self.map)
        for (_, _, size), (origin, methods) in points.items():
            self.assertEqual(origin, "grid" if size in (64, 65536) else "search")
            self.assertTrue(64 <= size <= 65536)
            self.assertTrue(origin == "grid" or len(methods) == 2)

    @an_mpi
    def test_reductions_have_whole_elements(self, mpi):
        self.tune(mpi, "--op", "allreduce", "--sizes", "1,12,64", "--np", "3", "--samples", 6, "--crossovers", "off",
                  "--methods", "allreduce:ring", ranks=3)
        self.assertEqual({size for _, _, size in read(self.map)[0]}, {8, 16, 64})

    @an_mpi
    def test_the_time_limit_leaves_a_map_that_resume_completes(self, mpi):
        words = ["--sizes", "1,64,1K,64K,256K", "--np", "2:4", "--crossovers", "off"]
        self.map.unlink(missing_ok=True)
        slowly = ["--search", "exhaustive", "--samples", 100, "--precision", 0.001]
        for seconds in (2, 8, 32):  # on a busy machine a short time is over before anything was measured
            result = self.mpirun(mpi, 4, STARTUNE, "tune", "-o", self.map, *words, *slowly, "--time", seconds)
            if result.returncode == 0:
                break
            self.assertIn("before anything was measured", result.stderr)
            self.assertFalse(self.map.exists())
        self.assertStatus(result)
        self.assertIn("--resume goes on", result.stdout)
        before, _ = read(self.map)
        self.assertLess(len(before), 50)
        self.tune(mpi, *words, "--samples", 6, "--resume")
        after, _ = read(self.map)
        self.assertEqual(len(after), 50)
        for point, measured in before.items():
            self.assertEqual({method: samples for method, (_, samples) in after[point][1].items()},
                             {method: samples for method, (_, samples) in measured[1].items()})

    @an_mpi
    def test_what_cannot_be_measured_is_said_and_not_complete(self, mpi):
        words = ["--op", "gatherv", "--np", "4", "--crossovers", "off", "--samples", 6]
        result = self.tune(mpi, *words, "--sizes", "64,1G", "--json")
        self.assertIn("startune tune: warning: gatherv, 4 ranks, 1G cannot be measured: 4294967296 elements", result.stderr)
        self.assertFalse(self.json_of(result)["complete"])
        self.assertEqual(set(read(self.map)[0]), {("gatherv", 4, 64)})
        self.assertIn("1 points cannot be measured. ", self.tune(mpi, *words, "--sizes", "64,1G").stdout)
        result = self.mpirun(mpi, 4, STARTUNE, "tune", "-o", self.home / "none.map", *words, "--sizes", "1G")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("nothing of it can be measured", result.stderr)

    @an_mpi
    def test_a_pipe_gets_one_map(self, mpi):
        """One came every few seconds, each behind the other."""
        words = ["--search", "exhaustive", "--samples", 10000, "--precision", 0.001, "--point", "1s"]
        result = self.mpirun(mpi, 4, STARTUNE, "tune", *QUICK, *words, "-o", "/dev/stdout")
        self.assertStatus(result)
        self.assertEqual(result.stdout.count("startune map 1\n"), 1)
        self.assertIn("alltoall: 2 points", result.stdout)

    @an_mpi
    def test_ctrl_c_leaves_a_map(self, mpi):
        self.map.unlink(missing_ok=True)
        words = [MPIRUN, BUILD, mpi, 4, STARTUNE, "tune", "-o", self.map, "--np", "4", "--search", "exhaustive", "--samples",
                 200, "--precision", 0.001]
        job = subprocess.Popen([str(word) for word in words], env=self.env, cwd=self.home, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            for _ in range(3000):
                if self.map.exists():
                    break
                time.sleep(0.1)
            interrupt(self, job)
        finally:
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGKILL)
        points, _ = read(self.map)
        self.assertGreater(len(points), 0)
        self.assertEqual([path.name for path in self.home.iterdir()], [self.map.name])

    @an_mpi
    def test_a_map_from_elsewhere_is_not_gone_on_with(self, mpi):
        self.tune(mpi, *QUICK)
        text = self.map.read_text()
        for old, new, names in (("mpi ", "mpi Other 1.0\n# ", ["Other 1.0"]), ("ranks-per-node 4", "ranks-per-node 7", ["7"])):
            with self.subTest(new=new):
                changed = text.replace(old, new.split("\n")[0], 1) if "\n" not in new else "\n".join(
                    "mpi Other 1.0" if line.startswith("mpi ") else line for line in text.split("\n"))
                self.map.write_text(changed)
                result = self.mpirun(mpi, 4, STARTUNE, "tune", "-o", self.map, *QUICK, "--resume")
                self.assertNotEqual(result.returncode, 0)
                for name in names:
                    self.assertIn(name, result.stderr)
                self.assertEqual(self.map.read_text(), changed)

    @an_mpi
    def test_a_damaged_map_is_refused_and_kept(self, mpi):
        self.map.write_text("startune map 1\npoint 4 x grid\n")
        result = self.mpirun(mpi, 4, STARTUNE, "tune", "-o", self.map, "--resume", *QUICK)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"startune tune: error: .*found\.map:2: ")
        self.assertEqual(self.map.read_text(), "startune map 1\npoint 4 x grid\n")

    @an_mpi
    def test_more_ranks_than_there_are(self, mpi):
        result = self.mpirun(mpi, 2, STARTUNE, "tune", "-o", self.map, "--np", "4")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("4 ranks were asked for, and 2 were started", result.stderr)
        self.assertEqual(result.stderr.count("startune tune: error"), 1)
        self.assertFalse(self.map.exists())

    def test_without_a_launcher(self):
        self.assertRefused(self.startune("tune", "-o", self.map), "mpirun", "--mpi")

    def test_refusals(self):
        for words, names in ((["--op", "alltoal"], ["'alltoal'", "did you mean 'alltoall'"]), (["--op", ","], ["operation"]),
                             (["--sizes", "64,x"], ["'x'", "64K"]), (["--sizes", "0"], ["'0'"]),
                             (["--sizes", "64K:1"], ["64K", "after"]), (["--sizes", "1:x"], ["'x'"]),
                             (["--np", "4,2"], ["ascend"]), (["--np", "x"], ["'x'"]), (["--np", "0:4"], ["'0'"]),
                             (["--np", "2:4:8"], ["2:4:8"]), (["--np", ","], ["','"]),
                             (["--methods", "alltoall:rnig"], ["'rnig'", "did you mean 'ring'"]),
                             (["--methods", "scan:chain"], ["--methods", "scan:chain", "--op"]),
                             (["--time", "ten"], ["'ten'", "10m"]), (["--time", "0"], ["'0'"]), (["--time", "5%"], ["'5%'"]),
                             (["--point", "-1s"], ["'-1s'"]), (["--search", "quick"], ["'quick'", "pruned|exhaustive"]),
                             (["--start", "now"], ["'now'", "window"]), (["--arrival", "random:0"], ["'random:0'", "random:K"]),
                             (["--arrival", "random:2", "--start", "barrier"], ["--arrival", "window"]),
                             (["--samples", "0"], ["'0'", "10000"]), (["--precision", "2"], ["'2'"]),
                             (["--crossovers", "maybe"], ["'maybe'", "on|off"]), (["--type", "char"], ["'char'"]),
                             (["--root", "-1"], ["'-1'"]), (["--nodes", "cyclic:0"], ["'cyclic:0'"]),
                             (["--mpi", "lam"], ["'lam'"]), (["--reusme"], ["--reusme", "did you mean --resume"]),
                             (["more"], ["'more'"])):
            with self.subTest(words=words):
                self.assertRefused(self.startune("tune", "-o", self.map, *words), *names)
                self.assertFalse(self.map.exists())

    def test_a_file_is_asked_for(self):
        self.assertRefused(self.startune("tune"), "-o")

    @an_mpi
    def test_a_file_that_cannot_be_written_is_refused_before_measuring(self, mpi):
        for file, why in (("/nonexistent/x.map", "No such file"), (self.home, "Is a directory"), ("", "empty")):
            with self.subTest(file=file):
                result = self.mpirun(mpi, 2, STARTUNE, "tune", "-o", file, *QUICK[:4])
                self.assertNotEqual(result.returncode, 0)
                self.assertRegex(result.stderr, rf"(?m)^startune tune: error: .*{why}")
                self.assertEqual(result.stderr.count("startune tune: error"), 1, result.stderr)
                self.assertNotIn("alltoall", result.stdout + result.stderr)

    @an_mpi
    def test_only_rank_0_needs_a_folder_for_the_file(self, mpi):
        for rank in range(4):
            (self.home / str(rank)).mkdir(exist_ok=True)
        (self.home / "0/results").mkdir(exist_ok=True)
        own = ["sh", "-c", 'cd "$HOME/${OMPI_COMM_WORLD_RANK-$PMI_RANK}" && exec "$0" "$@"']
        self.assertStatus(self.mpirun(mpi, 4, *own, STARTUNE, "tune", "-o", "results/x.map", *QUICK))
        self.assertEqual(len(read(self.home / "0/results/x.map")[0]), 2)


if __name__ == "__main__":
    main()
