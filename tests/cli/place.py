# SPDX-License-Identifier: BSD-3-Clause
"""startune place: which rank should run where. In files/talk.json ranks i and i + 4 of 8 talk most, and the next ones little."""
import collections
import json
import os
import shutil
import socket
import sys

from command import BUILD, MPIS, SOURCE, STARTUNE, CommandTest, each_mpi, main

sys.path.insert(0, str(SOURCE / "lab"))
import placement  # noqa: E402
import topology  # noqa: E402

TALK, TREE = SOURCE / "tests/cli/files/talk.json", SOURCE / "lab/topologies/2x4.topo"  # n0 to n3 on one switch, n4 to n7 on another


class Place(CommandTest):
    def hostfile(self, text):
        path = self.home / "hosts"
        path.write_text(text)
        return path

    def assertPairsTogether(self, hosts, place_of):
        self.assertEqual([place_of(host) for host in hosts[:4]], [place_of(host) for host in hosts[4:]], hosts)

    def test_those_that_talk_are_on_one_switch(self):
        found = self.json_of(self.startune("place", TALK, "--topology", TREE, "--json"))
        self.assertEqual(sorted(found["hosts"]), [f"n{i}" for i in range(8)])
        self.assertPairsTogether(found["hosts"], lambda host: int(host[1]) // 4)
        self.assertEqual((found["compared_with"], found["chosen"]), ("as it ran", "startune's"))
        by_name = {way["name"]: way for way in found["placements"]}
        # As it ran, 4 × 51 MB go over the trunk of 100 Mbit/s one way; placed well, each host's link has 51 MB.
        framed = 8 * 1538 / 1448 / 100e6
        self.assertAlmostEqual(by_name["as it ran"]["network_seconds"], 4 * 51e6 * framed - 3e6 * framed, delta=0.8)
        self.assertLess(by_name["startune's"]["network_seconds"], 51e6 * framed + 0.8)
        self.assertAlmostEqual(found["gain_seconds"], by_name["as it ran"]["network_seconds"] - by_name["startune's"]["network_seconds"], places=5)

    def test_the_whole_run_is_expected_to_take_less_by_so_much(self):
        """In talk.json it took 60 s, of which as it ran the trunk alone takes about 17.6."""
        found = self.json_of(self.startune("place", TALK, "--topology", TREE, "--json"))
        self.assertAlmostEqual(found["expected_seconds"], found["gain_seconds"], places=5)
        self.assertAlmostEqual(found["expected_error_seconds"], 0.6 * found["gain_seconds"] + 0.03 * 60, places=5)
        said = self.startune("place", TALK, "--topology", TREE).stdout
        share, error = (100 * found[key] / 60 for key in ("expected_seconds", "expected_error_seconds"))
        self.assertIn(f"of the whole run: {share:.0f} ± {error:.0f} % less time", said)
        rows = json.loads(TALK.read_text()) | {"seconds": 10}  # less than the links would have taken
        (self.home / "fast.json").write_text(json.dumps(rows))
        hosts = self.hostfile("a:2\nb:2\nc:2\nd:2\n")
        for words in (["fast.json", "--topology", TREE], [TALK, "--hostfile", hosts]):
            self.assertNotIn("expected_seconds", self.json_of(self.startune("place", *words, "--json")))
            self.assertNotIn("of the whole run", self.startune("place", *words).stdout)

    def test_those_that_talk_are_on_one_host(self):
        for text in ("a slots=2\nb slots=2 max_slots=4\nc slots=2\nd slots=2 # the last one\n", "a:2\nb:2\nc:2\nd:2\n", "a\nb\nc\nd\na\nb\nc\nd\n",
                     "a:1\nb:1\nc:1\nd:1\n", "\n# as Open MPI takes them\na slots = 2\nb\tcount=2\n\n  c max_slots=2\nd SLOTS= 2 max-slots=4\n"):
            found = self.json_of(self.startune("place", TALK, "--hostfile", self.hostfile(text), "--json"))
            self.assertPairsTogether(found["hosts"], str)
            self.assertEqual(set(collections.Counter(found["hosts"]).values()), {2})
            self.assertEqual(found["compared_with"], "by slot")
            self.assertFalse(found["links_known"])

    def test_a_list_of_hosts_that_is_no_text_is_refused(self):
        """What stood behind a 0 byte was passed over."""
        self.assertRefused(self.startune("place", TALK, "--hostfile", self.hostfile("a:4\nb:4\0\nc:4\n")), "hosts:2:", "no text")

    def test_uneven_hosts_have_as_many_ranks_as_slots(self):
        found = self.json_of(self.startune("place", TALK, "--hostfile", self.hostfile("big:5\nsmall:1\nmiddle:3\n"), "--json"))
        taken = collections.Counter(found["hosts"])
        self.assertTrue(all(taken[host] <= slots for host, slots in (("big", 5), ("small", 1), ("middle", 3))), taken)

    def test_what_is_good_stays(self):
        rows = json.loads(TALK.read_text())
        for row in rows["matrix"]:
            row["to"] = [[row["rank"] ^ 1, 1000000, 10]]
        (self.home / "good.json").write_text(json.dumps(rows))
        hosts = self.hostfile("a:2\nb:2\nc:2\nd:2\n")
        found = self.json_of(self.startune("place", "good.json", "--hostfile", hosts, "--json"))
        self.assertEqual((found["chosen"], found["gain_seconds"]), ("by slot", 0))
        self.assertEqual(found["hosts"], ["a", "a", "b", "b", "c", "c", "d", "d"])
        self.assertIn("no placement is expected to be better than by slot", self.startune("place", "good.json", "--hostfile", hosts).stdout)

    def test_the_users_topology_counts_where_it_has_all_hosts(self):
        own = self.home / ".config/startune/topology"
        own.parent.mkdir(parents=True)
        own.write_text(TREE.read_text())
        listed = self.hostfile("".join(f"n{i}\n" for i in range(8)))
        self.assertTrue(self.json_of(self.startune("place", TALK, "--hostfile", listed, "--json"))["links_known"])
        listed = self.hostfile("".join(f"m{i}\n" for i in range(8)))
        self.assertFalse(self.json_of(self.startune("place", TALK, "--hostfile", listed, "--json"))["links_known"])

    def keep(self, placement, *seconds, **more):
        """Reports of launches that took so long, as startune run keeps them."""
        folder = self.home / ".local/state/startune/reports"
        folder.mkdir(parents=True, exist_ok=True)
        for each in seconds:
            run = json.loads(TALK.read_text()) | {"seconds": each, "placement": placement} | more
            del run["matrix"]
            (folder / f"2026-11-01T00.00.{len(list(folder.iterdir())):02}.000000-1.json").write_text(json.dumps(run))

    def trials(self, report=TALK):
        found = self.json_of(self.startune("place", report, "--topology", TREE, "--json"))
        said = self.startune("place", report, "--topology", TREE)
        self.assertStatus(said)
        return found, said.stdout

    HAD, OTHER = " ".join(f"n{i}" for i in range(8)), "n1 n0 n3 n2 n5 n4 n7 n6"  # which is the same, by other names

    def test_a_placement_that_did_not_help_is_withdrawn(self):
        placed = " ".join(self.trials()[0]["hosts"])
        self.keep(self.HAD, 60, 61)
        self.keep(self.OTHER, 59)
        self.keep(placed, 60, 61)
        self.assertNotIn("tried", self.trials()[0])  # two are not enough
        self.keep(placed, 62)
        self.keep(placed, 1, program="./app other input")
        self.keep(placed, 1, mpi="another")
        self.keep("elsewhere*8", 1)
        found, said = self.trials()
        self.assertEqual((found["chosen"], found["tried"]["helped"], found["gain_seconds"]), ("as it ran", "no", 0))
        self.assertEqual(found["hosts"], self.HAD.split())
        self.assertEqual([(each["placement"], each["launches"]) for each in found["launches"]], [("as it ran", 3), ("startune's", 3)])
        self.assertRegex(said, r"startune's was tried 3 times, and took 2 % more time than as it ran \(95 %: \d+ % more to \d+ % less\): it did not help; stay with what you had")
        self.assertNotIn("expected:", said)

    def test_a_placement_that_helped_stays(self):
        placed = " ".join(self.trials()[0]["hosts"])
        self.keep(self.HAD, 60, 61, 59, 60)
        self.keep(placed, 50, 51, 49)
        found, said = self.trials()
        self.assertEqual((found["chosen"], found["tried"]["helped"]), ("startune's", "yes"))
        self.assertAlmostEqual(found["tried"]["saved_share"], 1 / 6, places=2)
        self.assertTrue(0.1 < found["tried"]["saved_low_share"] < found["tried"]["saved_high_share"] < 0.25)
        self.assertIn("it helps", said)
        self.keep(placed, 90, 40)
        self.assertEqual(self.trials()[0]["tried"]["helped"], "not clear")

    def test_a_little_other_matrix_is_no_other_trial(self):
        self.keep(self.HAD, 60, 61, 59)
        self.keep(" ".join(self.trials()[0]["hosts"]), 70, 71, 69)
        report = json.loads(TALK.read_text())
        report["matrix"][7]["to"][0][1] += 9
        (self.home / "again.json").write_text(json.dumps(report))
        self.assertEqual(self.trials("again.json")[0]["tried"]["helped"], "no")

    def test_after_a_change_an_earlier_placement_may_be_better(self):
        placed = self.trials()[0]["hosts"]
        report = json.loads(TALK.read_text())
        for row in report["matrix"]:
            row["host"] = placed[row["rank"]]
        (self.home / "placed.json").write_text(json.dumps(report))
        self.keep(self.HAD, 50, 51, 49)
        self.keep(" ".join(placed), 60, 61, 59)
        found, said = self.trials("placed.json")
        self.assertEqual((found["chosen"], found["tried"]["helped"], found["hosts"]), ("earlier", "yes", self.HAD.split()))
        self.assertIn("go back to it", said)

    def test_without_links_hosts_are_told_apart_by_whom_they_hold(self):
        hosts = self.hostfile("a:2\nb:2\nc:2\nd:2\n")
        placed = self.json_of(self.startune("place", TALK, "--hostfile", hosts, "--json"))["hosts"]
        self.keep("0*2 1*2 2*2 3*2", 60, 61, 59)
        self.keep("a*2 b*2 c*2 d*2", 60)
        self.keep(" ".join(map(str, map("dcba".index, placed))), 80, 81, 79)
        found = self.json_of(self.startune("place", TALK, "--hostfile", hosts, "--json"))
        self.assertEqual([each["launches"] for each in found["launches"]], [4, 3])
        self.assertEqual((found["chosen"], found["tried"]["helped"]), ("by slot", "no"))

    def test_placements_that_cannot_be_are_passed_over(self):
        for placement in ("", " ", "n0*", "n0*x", "n0*9", "n0*-1", "n0*8 n1", "n0*7", "*8", "n" * 400):
            self.keep(placement, 1)
        self.assertEqual(self.trials()[0]["launches"], [])

    @each_mpi
    def test_runs_tell_where_they_were(self, mpi):
        program = BUILD / f"tests/cli/pairs-{mpi}"
        for words, placement in ((["--nodes", "cyclic:2", "--topology", "none"], r"1 2 1 2"), (["--nodes", "block:2", "--topology", TREE], r"n0\*2 n1\*2"),
                                 (["--topology", "none"], None)):
            self.assertStatus(self.mpirun(mpi, 4, STARTUNE, "run", "--report", "r.json", *words, program))
            said = json.loads((self.home / "r.json").read_text()).get("placement")
            if placement is None:
                self.assertIsNone(said)
            else:
                self.assertRegex(said, f"^{placement}$")

    def inside(self, *parts):
        """hwloc's XML of a host with packages of so many L3 caches, of so many cores."""
        caches = ("".join('<object type="L3Cache">' + '<object type="Core"><object type="PU"/></object>' * cores + "</object>" for cores in part) for part in parts)
        path = self.home / "inside.xml"
        path.write_text('<topology><object type="Machine">' + "".join(f'<object type="Package">{each}</object>' for each in caches) + "</object></topology>")
        return path

    def cores(self, path, ranks=8):
        hosts = self.hostfile(f"here slots={ranks}\n")
        found = self.json_of(self.startune("place", TALK, "--hostfile", hosts, "--inside", path, "--json"))
        self.assertStatus(self.startune("place", TALK, "--hostfile", hosts, "--inside", path, "--for", "rankfile", "-o", "out"))
        self.assertEqual((self.home / "out").read_text().splitlines(), [f"rank {rank}=here slot={core}" for rank, core in enumerate(found["cores"])])
        return found, found["cores"]

    def test_those_that_talk_share_a_cache(self):
        """Ranks i and i + 4 talk most."""
        found, cores = self.cores(self.inside([2, 2], [2, 2]))
        self.assertEqual(sorted(cores), list(range(8)))
        self.assertPairsTogether([core // 2 for core in cores], int)
        self.assertEqual(found["bytes_between_parts_in_order"], 8 * 50000000 + 2000000)
        self.assertLess(found["bytes_between_parts"], 8000000)
        said = self.startune("place", TALK, "--hostfile", self.home / "hosts", "--inside", "inside.xml").stdout
        self.assertRegex(said, r"inside the hosts, of 8 cores each: \S+ bytes between each package and others instead of")

    def test_packages_get_as_many_ranks_each(self):
        _, cores = self.cores(self.inside([8, 8], [8, 8]))
        self.assertEqual(sum(core < 16 for core in cores), 4)
        self.assertEqual(len(set(cores)), 8)
        self.assertPairsTogether([core // 16 for core in cores], int)
        _, cores = self.cores(self.inside([1], [4], [4]))  # uneven
        self.assertEqual(len(set(cores)), 8)
        _, cores = self.cores(self.inside([1], [1]))  # more ranks than cores
        self.assertEqual(collections.Counter(cores), {0: 4, 1: 4})

    def test_each_host_has_such_an_inside(self):
        hosts = self.hostfile("a:4\nb:4\n")
        found = self.json_of(self.startune("place", TALK, "--hostfile", hosts, "--inside", self.inside([2], [2]), "--json"))
        self.assertEqual(sorted(zip(found["hosts"], found["cores"])), [(host, core) for host in "ab" for core in range(4)])
        self.assertPairsTogether(list(zip(found["hosts"], (core // 2 for core in found["cores"]))), str)

    def test_hwloc_makes_such_files(self):
        if not shutil.which("lstopo-no-graphics"):
            self.skipTest("without hwloc's lstopo")
        made = self.command("lstopo-no-graphics", "--of", "xml", env={"HWLOC_SYNTHETIC": "pack:2 [numa] l3:1 core:4 pu:2"})
        (self.home / "made.xml").write_text(made.stdout)
        _, cores = self.cores(self.home / "made.xml")
        self.assertEqual(sorted(cores), list(range(8)))
        self.assertPairsTogether([core // 4 for core in cores], int)

    def test_one_core_has_no_inside(self):
        self.assertRefused(self.startune("place", TALK, "--hostfile", self.hostfile("a:8\n"), "--inside", self.inside([1])), "inside.xml", "one core")
        self.assertRefused(self.startune("place", TALK, "--hostfile", self.home / "hosts", "--inside", "none.xml"), "none.xml")

    def test_files_for_launchers(self):
        hosts = self.hostfile("a:2\nb:2\nc:2\nd:2\n")
        listed = self.json_of(self.startune("place", TALK, "--hostfile", hosts, "--json"))["hosts"]
        words = {"list": "--map-by seq --hostfile", "slurm": "--distribution=arbitrary --nodelist", "machinefile": "-f", "rankfile": "--rankfile"}
        for form, option in words.items():
            said = self.startune("place", TALK, "--hostfile", hosts, "--for", form, "-o", "out", "--options")
            self.assertStatus(said)
            self.assertEqual(said.stdout, f"-n 8 {option} {'./' if form == 'slurm' else ''}out\n")
            lines = (self.home / "out").read_text().splitlines()
            if form == "machinefile":
                self.assertEqual([host for line in lines for host in [line.split(":")[0]] * int(line.split(":")[1])], listed)
            elif form == "rankfile":
                cores = [f"rank {rank}={host} slot={listed[:rank].count(host)}" for rank, host in enumerate(listed)]
                self.assertEqual(lines, cores)
            else:
                self.assertEqual(lines, listed)
        self.assertEqual(self.startune("place", TALK, "--hostfile", hosts, "--options").stdout, "-n 8 --map-by seq --hostfile startune.hosts\n")
        self.assertRefused(self.startune("place", TALK, "--hostfile", hosts, "--options", "-o", "the hosts"), "'the hosts'", "blanks")

    def test_rankfiles_name_no_more_cores_than_slots(self):
        """Open MPI says nothing of a core that a host lacks, and starts nothing."""
        self.assertStatus(self.startune("place", TALK, "--hostfile", self.hostfile("a:2\nb:2\n"), "--for", "rankfile", "-o", "out"))
        cores = collections.Counter(tuple(line.split("=", 1)[1].split(" slot=")) for line in (self.home / "out").read_text().splitlines())
        self.assertEqual(cores, {(host, core): 2 for host in "ab" for core in "01"})

    def test_open_mpi_takes_rankfiles(self):
        if "openmpi" not in MPIS or (os.cpu_count() or 1) < 2 or " 4." not in self.command("mpirun.openmpi", "--version").stdout:
            self.skipTest("for Open MPI 4 and two cores")
        hosts = self.hostfile(f"{socket.gethostname()} slots = 2 max_slots=8\n")
        said = self.startune("place", TALK, "--hostfile", hosts, "--for", "rankfile", "--options", "-o", "out")
        self.assertStatus(said)
        ran = self.command("mpirun.openmpi", *said.stdout.split(), "sh", "-c", "echo $OMPI_COMM_WORLD_RANK",
                           env={"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
        self.assertStatus(ran)
        self.assertEqual(sorted(map(int, ran.stdout.split())), list(range(8)))

    def test_what_is_missing_is_told(self):
        hosts, report = self.hostfile("a:4\nb:4\n"), json.loads(TALK.read_text())
        self.assertNotIn("lacks", self.startune("place", TALK, "--hostfile", hosts).stderr)
        report["matrix"][1]["complete"] = False
        report["matrix"][2]["left_out_bytes"] = 12345
        del report["matrix"][3]
        (self.home / "cut.json").write_text(json.dumps(report))
        for words in (["place", "cut.json", "--hostfile", hosts], ["place", "cut.json", "--hostfile", hosts, "--options"],
                      ["report", "cut.json", "--matrix"], ["report", "cut.json", "--matrix", "--as", "scotch"]):
            said = self.startune(*words)
            self.assertStatus(said)
            for missing in ("lacks some of what 1 of 8 ranks", "lacks 12345 bytes", "lacks what 1 of 8 ranks"):
                self.assertIn(missing, said.stderr)
            self.assertNotIn("lacks", said.stdout)
        self.assertIs(self.json_of(self.startune("place", "cut.json", "--hostfile", hosts, "--json"))["complete"], False)
        self.assertIs(self.json_of(self.startune("place", TALK, "--hostfile", hosts, "--json"))["complete"], True)

    def test_the_emulated_cluster_takes_the_file(self):
        self.assertStatus(self.startune("place", TALK, "--topology", TREE, "-o", "ranks"))
        tree = topology.read(str(TREE), str(STARTUNE))
        self.assertEqual(placement.place(tree, str(self.home / "ranks")), (self.home / "ranks").read_text().split())
        for text in ("n0\nn9\n", "n0\n"):
            (self.home / "ranks").write_text(text)
            with self.assertRaises(placement.WrongInput):
                placement.place(tree, str(self.home / "ranks"), 2)

    @each_mpi
    def test_from_a_run_to_the_next(self, mpi):
        """The launcher takes what is printed; all hosts are this one."""
        program = BUILD / f"tests/cli/talk-{mpi}"
        self.assertStatus(self.mpirun(mpi, 4, STARTUNE, "run", "--matrix", program))
        self.assertStatus(self.mpirun(mpi, 2, STARTUNE, "run", program))  # without its matrix
        form = {"openmpi": "list", "mpich": "machinefile"}.get(mpi)
        said = self.startune("place", program, "--hostfile", self.hostfile(f"{socket.gethostname()}:4\n"), "--for", form or "slurm", "--options")
        self.assertStatus(said)
        if form is not None:
            words = said.stdout.split()[2:]  # -n is the test's own launcher's
            if form == "list":
                words += ["--bind-to", "none"]
            launcher = ["mpirun." + mpi, "-n", 4, *words, STARTUNE, "run", program]
            again = self.command(*launcher, env={"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
            self.assertStatus(again)
            self.assertEqual(len({line.split()[0] for line in again.stdout.splitlines()}), 4)

    def test_what_is_wrong_is_said(self):
        hosts = self.hostfile("a:2\n")
        self.assertRefused(self.startune("place", "nowhere", "--hostfile", hosts), "nowhere", "startune run --matrix")
        self.assertRefused(self.startune("place", "typo.json", "--hostfile", hosts), "typo.json: no such report", "--report typo.json")
        for name, text in (("empty", ""), ("list", "[1, 2]"), ("cut", '{"ranks": 4, "matrix": ['), ("other", '{"ranks": 4}')):
            (self.home / f"{name}.json").write_text(text)
            self.assertRefused(self.startune("place", f"{name}.json", "--hostfile", hosts), f"{name}.json:")
        self.assertRefused(self.startune("place", TALK, "--hostfile", self.hostfile("a slots\n")), "hosts:1", "'slots'")
        self.hostfile("a:2\n")
        self.assertRefused(self.startune("place", TALK), "--hostfile")
        self.assertRefused(self.startune("place", TALK, "-n", 4, "--hostfile", hosts), "8 ranks")
        self.assertRefused(self.startune("place", TALK, "--hostfile", "missing"), "missing")
        self.assertRefused(self.startune("place", TALK, "--hostfile", self.hostfile("a:x\n")), "hosts:1", "'x'")
        self.assertRefused(self.startune("place", TALK, "--hostfile", self.hostfile("# none\n")), "no host")
        self.assertRefused(self.startune("place", TALK, "--hostfile", self.hostfile("n0\nx\n"), "--topology", TREE), "'x'")
        self.assertRefused(self.startune("place", "--hostfile", hosts), "no program or report")
        report = json.loads(TALK.read_text())
        report["matrix"][3]["to"] = [[99, 1, 1]]
        (self.home / "bad.json").write_text(json.dumps(report))
        self.assertRefused(self.startune("place", "bad.json", "--hostfile", hosts), "bad.json", "row 3")
        del report["matrix"]
        (self.home / "bad.json").write_text(json.dumps(report))
        self.assertRefused(self.startune("place", "bad.json", "--hostfile", hosts), "bad.json", "startune run --matrix")


if __name__ == "__main__":
    main()
