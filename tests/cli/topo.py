# SPDX-License-Identifier: BSD-3-Clause
"""startune topo: check, show and draw; what is wrong with a file is one line that names file and line."""
import xml.etree.ElementTree

from command import BUILD, SOURCE, STARTUNE, CommandTest, an_mpi, exchange, main

PAPERS = {  # switches, hosts, depth of the deepest host
    "1x16": (1, 16, 1), "2x16": (2, 32, 2), "4x8-star": (4, 32, 2), "4x8-chain": (4, 32, 4), "2x4": (2, 8, 2),
    "4x2": (4, 8, 4), "1x8": (1, 8, 1), "2x8-slow": (2, 16, 2), "8-of-4": (1, 8, 1)}
SVG = "{http://www.w3.org/2000/svg}"

BAD = [  # what is written into the file, and what the line says
    ("switch a,b,c\nlink a b\nlink b c\nlink c a\nhost n a\n", ["bad.topo:4: ", "closes a cycle"]),
    ("switch a\nhost n a\nhost n a\n", ["bad.topo:3: ", "'n'", "line 2"]),
    ("switch sw0\nhost n sw1\n", ["bad.topo:2: ", "'sw1'", "did you mean 'sw0'?"]),
    ("switch a\nswitch b\nhost n a\nhost m b\n", ["bad.topo:2: ", "not connected"]),
    ("switch a\nhost n a 1e30\n", ["bad.topo:2: ", "1e30"]),
    ("switch a\nhost n a 0\n", ["bad.topo:2: ", "'0'"]),
    ("switch a\nhost n a slots=1000000\n", ["bad.topo:2: ", "slots"]),
    ("switch a\nhost n[0-99999999999] a\n", ["bad.topo:2: ", "too many names"]),
    ("switch a\nhost n[0- a\n", ["bad.topo:2: ", "["]),
    ("switch a\0\n", ["bad.topo:1: ", "0 byte"]),
    ("switch a\n", ["bad.topo: ", "no host"]),
    ("", ["bad.topo: ", "no switch"]),
    ("SwitchName=s Nods=n\n", ["bad.topo:1: ", "'Nods'"]),
    ("vendid=0x1\n[1] x\n", ["bad.topo:2: "]),
    ("<html/>\n", ["bad.topo:2: ", "hwloc"]),
    ("- topology: a\n  tree: [\n", ["bad.topo:"]),
]


class Topo(CommandTest):
    def file(self, text):
        path = self.home / "bad.topo"
        path.write_text(text)
        return path

    def depth(self, topology):
        parent = {switch["name"]: switch["parent"] for switch in topology["switches"]}

        def above(name):
            return 0 if name is None else 1 + above(parent[name])
        return max(above(host["switch"]) for host in topology["hosts"])

    def test_the_papers_topologies(self):
        found = sorted(path.stem for path in (SOURCE / "lab/topologies").glob("*.topo"))
        self.assertEqual(found, sorted(PAPERS))
        for name, (switches, hosts, depth) in PAPERS.items():
            with self.subTest(name=name):
                shown = self.json_of(self.startune("topo", "show", SOURCE / f"lab/topologies/{name}.topo", "--json"))
                self.assertEqual((len(shown["switches"]), len(shown["hosts"]), self.depth(shown)),
                                 (switches, hosts, depth))
                self.assertEqual({host["name"] for host in shown["hosts"]}, {f"n{i}" for i in range(hosts)})
                links = shown["hosts"] + shown["switches"][1:]
                self.assertEqual({link["mbps"] for link in links}, {100, 25} if "slow" in name else {100})
                self.assertEqual(shown["spare_links"], 0)

    def test_a_link_planted_where_it_writes_is_not_followed(self):
        """Its process writes beside the file at first; the name of that was known beforehand: FILE.PID.new."""
        (self.home / "victim").write_text("precious\n")
        plant = 'ln -s victim out.topo.$$.new; exec "$0" topo show "$1" -o out.topo'
        self.assertStatus(self.command("sh", "-c", plant, STARTUNE, SOURCE / "lab/topologies/2x4.topo"))
        self.assertEqual((self.home / "victim").read_text(), "precious\n")
        self.assertIn("switch", (self.home / "out.topo").read_text())
        self.assertFalse((self.home / "out.topo").is_symlink())

    def test_check_says_in_one_line_what_is_there(self):
        result = self.startune("topo", "check", SOURCE / "lab/topologies/4x8-star.topo")
        self.assertStatus(result)
        self.assertEqual(result.stdout, "good: 4 switches, 32 hosts, 32 slots, links of 100 Mbit/s\n")
        self.assertEqual(result.stderr, "")

    def test_ibnetdiscover_may_complain_first(self):
        """Of nodes that do not answer, on standard error, which is often kept in the same file."""
        file = SOURCE / "tests/unit/topologies/fabric.ibnet"
        (self.home / "both").write_text("src/query_smp.c:196; umad (DR path slid 0; dlid 0; 0,1,17 Attr 0xff90:1) bad status 110; "
                                        "Connection timed out\n" + file.read_text())
        self.assertEqual(self.startune("topo", "show", "both").stdout, self.startune("topo", "show", file).stdout)

    def test_what_is_shown_is_read_again(self):
        for path in sorted((SOURCE / "tests/unit/topologies").iterdir()):
            with self.subTest(file=path.name):
                shown = self.startune("topo", "show", path, "-o", "again.topo")
                self.assertStatus(shown)
                self.assertEqual(shown.stdout, "")
                first = self.json_of(self.startune("topo", "show", path, "--json"))
                again = self.json_of(self.startune("topo", "show", "again.topo", "--json"))
                self.assertEqual((first["switches"], first["hosts"]), (again["switches"], again["hosts"]))

    def test_standard_input(self):
        result = self.command("bash", "-c", f"echo 'switch s' | cat - <(echo 'host n s') | {BUILD}/bin/startune topo show -")
        self.assertStatus(result)
        self.assertEqual(result.stdout, "switch s\nhost n s\n")

    def test_the_terminal_shows_every_switch(self):
        result = self.startune("topo", "draw", SOURCE / "lab/topologies/4x2.topo")
        self.assertStatus(result)
        self.assertEqual(result.stdout.splitlines()[0], "s0")
        for name in ("s1", "s2", "s3", "n0 n1", "n6 n7"):
            self.assertIn(f"─ {name}  100 Mb/s\n", result.stdout)

    def test_a_picture_is_well_formed_and_nothing_overlaps(self):
        self.assertStatus(self.startune("topo", "draw", SOURCE / "lab/topologies/4x8-chain.topo", "--svg", "-o", "a.svg"))
        picture = xml.etree.ElementTree.parse(self.home / "a.svg").getroot()
        width, height = (float(picture.get(side)) for side in ("width", "height"))
        boxes = [tuple(float(box.get(side)) for side in ("x", "y", "width", "height"))
                 for box in picture.iter(SVG + "rect") if box.get("class")]
        self.assertEqual(len(boxes), 36)
        for i, (x, y, wide, high) in enumerate(boxes):
            self.assertTrue(0 <= x and x + wide <= width and 0 <= y and y + high <= height)
            for other_x, other_y, other_wide, other_high in boxes[:i]:
                self.assertTrue(x >= other_x + other_wide or other_x >= x + wide or y >= other_y + other_high
                                or other_y >= y + high)

    def test_bad_files(self):
        for text, names in BAD:
            for action in ("check", "show", "draw"):
                with self.subTest(text=text, action=action):
                    self.assertRefused(self.startune("topo", action, self.file(text).name), *names)

    def test_parts_that_nothing_connects(self):
        result = self.startune("topo", "check", SOURCE / "tests/unit/topologies/slurm-islands.conf")
        self.assertStatus(result)
        self.assertEqual(result.stdout, "good: 2 parts that nothing connects, 5 switches, 9 hosts, 9 slots, links of 100 to 1000 Mbit/s, "
                         "2 spare links\n")
        result = self.startune("topo", "bound", SOURCE / "tests/unit/topologies/slurm-islands.conf", "alltoall", "1K")
        self.assertRefused(result, "2 parts of the network that nothing connects")
        self.assertStatus(self.startune("topo", "bound", SOURCE / "tests/unit/topologies/slurm-islands.conf", "alltoall", "1K", "-n", 5))

    @an_mpi
    def test_a_job_lies_within_one_part(self, mpi):
        path = self.file("islands\nswitch a,b,c\nlink a b\nhost m1 a\nhost m2 b\nhost n c\n")
        for ranks, place, apart in ((4, "block:2", None), (3, "block:1", 2), (4, "cyclic:3", 2)):
            result = self.mpirun(mpi, ranks, STARTUNE, "run", "--nodes", place, "--topology", path, exchange(mpi), 50)
            self.assertStatus(result)
            self.assertEqual(result.stdout, f"50 calls on {ranks} ranks, 0 wrong\n")
            said = f"startune: warning: nothing in the topology connects the hosts of rank 0 and rank {apart}; going on without a topology\n"
            self.assertEqual(result.stderr.count("warning"), apart is not None)
            self.assertEqual(said in result.stderr, apart is not None, result.stderr)

    def test_hosts_of_one_name_are_told_apart(self):
        result = self.startune("topo", "check", SOURCE / "tests/unit/topologies/fabric-hosts.ibnet")
        self.assertStatus(result)
        self.assertRegex(result.stdout, r"^good: 1 switch, 15 hosts, .*; hosts with an id for a name: 6, since .*\n$")

    def test_what_is_too_large_for_a_picture_is_refused(self):
        path = self.file("switch s\nhost n[0-999999] s\n")
        self.assertRefused(self.startune("topo", "draw", path, "--svg"), "1000001 rows: at most 20000 are drawn", "topo show")
        result = self.startune("topo", "draw", path)
        self.assertEqual(result.stdout, "s\n└─ n0 n1 n2 … n999999 (1000000)\n")

    def test_a_switch_that_is_none_of_a_million(self):
        path = self.file("switch sw[0-999999]\nhost n1 sw1000000\n")
        self.assertRefused(self.startune("topo", "check", path, timeout=60), "bad.topo:2: unknown switch 'sw1000000': did you mean 'sw100000'?")

    def test_a_huge_file_is_refused_early(self):
        with open(self.home / "huge.topo", "wb") as file:
            file.truncate(1 << 40)
        self.assertRefused(self.startune("topo", "check", "huge.topo", timeout=30), "huge.topo: more than 256 MiB")

    def test_bad_command_lines(self):
        good = SOURCE / "lab/topologies/2x4.topo"
        self.assertRefused(self.startune("topo"), "no action")
        self.assertRefused(self.startune("topo", "chekc", good), "'chekc'", "did you mean 'check'")
        self.assertRefused(self.startune("topo", "show"), "needs more words")
        self.assertRefused(self.startune("topo", "show", good, "more"), "fewer words")
        self.assertRefused(self.startune("topo", "show", good, "--svg"), "--svg", "topo show")
        self.assertRefused(self.startune("topo", "draw", good, "--json"), "--json", "topo draw")
        self.assertRefused(self.startune("topo", "check", "/nonexistent/file"), "/nonexistent/file", "No such file")
        self.assertRefused(self.startune("topo", "check", "/"), "directory")
        self.assertRefused(self.startune("topo", "discover", "--keep", "-o", "x"), "--keep", "-o")
        self.assertRefused(self.startune("topo", "discover", "--keep", "--json"), "--keep", "--json")

    def test_options_of_other_actions_are_refused(self):
        good = SOURCE / "lab/topologies/2x4.topo"
        for words in (["calibrate", "-o", "x"], ["calibrate", "--svg"], ["calibrate", "--trips", 3], ["calibrate", "--framing"],
                      ["show", good, "--mpi", "mpich"], ["check", good, "--confirm", "off"], ["discover", "--map", "block"]):
            with self.subTest(words=words):
                option = next(word for word in words if str(word).startswith("-"))
                self.assertRefused(self.startune("topo", *words), option, f"topo {words[0]}")
        self.assertEqual(list(self.home.iterdir()), [])

    def test_a_calibration_that_cannot_begin(self):
        self.assertRefused(self.startune("topo", "calibrate"), "mpirun")
        self.assertRefused(self.startune("topo", "calibrate", "/nonexistent/file"), "/nonexistent/file", "No such file")
        self.assertRefused(self.startune("topo", "calibrate", "one", "two"), "fewer words")

    @an_mpi
    def test_what_calibrate_prints_is_what_plan_assumes(self, mpi):
        result = self.mpirun(mpi, 3, STARTUNE, "topo", "calibrate")
        self.assertStatus(result)
        assumed = result.stdout.strip()
        plan = self.json_of(self.startune("plan", "alltoall:ring", "-n", 3, "--cost", "--assume", assumed, "--json"))
        self.assertEqual(plan["assumed"], assumed)
        for _ in range(5):  # on a busy machine every message may seem to wait
            found = self.json_of(self.mpirun(mpi, 2, STARTUNE, "topo", "calibrate", "--json"))
            if found["eager"] > 0:
                break
        self.assertEqual(list(found), [word.split("=")[0] for word in assumed.split(",")])
        for name in ("copy", "reduce", "host", "eager"):
            self.assertGreater(found[name], 0, name)
        for name in ("latency", "hop", "overhead"):
            self.assertGreaterEqual(found[name], 0, name)
            self.assertLess(found[name], 1, name)
        self.assertEqual((found["contention"], round(found["framing"], 3)), (0, 1.062))

    @an_mpi
    def test_one_rank_has_nobody_to_calibrate_with(self, mpi):
        result = self.mpirun(mpi, 1, STARTUNE, "topo", "calibrate")
        self.assertStatus(result, 1)
        self.assertIn("startune topo: error: calibrate: one rank", result.stderr)

    @an_mpi
    def test_what_is_found_is_not_measured_where_it_cannot_be_written(self, mpi):
        result = self.mpirun(mpi, 2, STARTUNE, "topo", "discover", "-o", self.home)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"startune topo: error: discover: {self.home}: Is a directory", result.stderr)
        self.assertNotIn("round trips", result.stderr)  # of which it complains next, on one host

    @an_mpi
    def test_what_is_to_be_kept_needs_a_home(self, mpi):
        (self.home / "file").write_text("no folder")
        result = self.mpirun(mpi, 2, "env", f"XDG_CONFIG_HOME={self.home}/file", STARTUNE, "topo", "discover", "--keep")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"startune topo: error: discover: {self.home}/file", result.stderr)
        self.assertNotIn("round trips", result.stderr)

    def test_output_that_cannot_be_written(self):
        good = SOURCE / "lab/topologies/2x4.topo"
        self.assertRefused(self.startune("topo", "show", good, "-o", "/nonexistent/file"), "/nonexistent/file", status=1)
        self.assertRefused(self.startune("topo", "show", good, "-o", "/dev/full"), "/dev/full", "No space", status=1)


if __name__ == "__main__":
    main()
