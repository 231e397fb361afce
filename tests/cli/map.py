# SPDX-License-Identifier: BSD-3-Clause
"""startune map: show, encode, predict, diff, merge, import; what is wrong with a file is one line."""
import csv
import json
import math
import os
import pty
import subprocess
import xml.etree.ElementTree

from command import BUILD, MPIS, STARTUNE, CommandTest, an_mpi, exchange, main

HEAD = "startune map 1\nmpi Open MPI 4.1.4\nnodes 2\n"
OSU = ("# OSU MPI All-to-All Personalized Exchange Latency Test v5.9\n# Size       Avg Latency(us)\n"
       "1                       {0}.50\n1024                   12.00\n")
OSU_FULL = ("# OSU MPI Barrier Latency Test\n# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
            "             5.25              5.00              6.00         1000\n")
IMB = """# Benchmarking Alltoall
# #processes = 2
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.00         0.00         0.00
         1024         1000         1.00         3.00         2.00
# #processes = 4
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1024          500         1.00         8.00         6.00
"""
# Rows that did not run, or not to their end; and 0 bytes, for which nothing is sent, take some time here.
IMB_FAILED = """#----------------------------------------------------------------
# Benchmarking Allreduce
# #processes = 2
# ( 6 additional processes waiting in MPI_Barrier)
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.04         0.05         0.05
            4         1000         1.04         1.25         1.15
            8          640         3.04         3.25         3.15      time-out; Total time=10.5 sec
           16 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use "-time X" or SECS_PER_SAMPLE=X
    536870912 int-overflow.; The production rank*size caused int overflow for given sample
   1073741824 out-of-mem.; needed X=   1.234 GB; use flag "-mem X" or MAX_MEM_USAGE>=X (IMB_mem_info.h)
"""
# More columns than OSU's benchmarks had, some of whose headings have three words.
OSU_TAIL = """# OSU MPI All-to-All Personalized Exchange Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations     P50 Tail Lat(us)     P90 Tail Lat(us)
4                       2.24              0.42              2.94        5000                 2.20                 2.50
"""


def point(ranks, size, order, origin="grid"):
    """A point where the methods of ORDER take 1 s, 2 s, …"""
    lines = [f"point {ranks} {size} {origin}"]
    for i, name in enumerate(order):
        lines.append(f"{'slower' if i else 'winner'} alltoall:{name} {i + 1} 3")
    return "\n".join(lines) + "\n"


def map_of(*points):
    return HEAD + "operation alltoall\n" + "".join(points) + f"end {len(points)}\n"


SMALL = map_of(point(4, 64, ["native", "ring"]), point(4, 1024, ["ring", "native"]), point(8, 64, ["native", "ring"]),
               point(8, 65, ["ring", "native"], "search"))


class Map(CommandTest):
    def file(self, text, name="a.map"):
        path = self.home / name
        path.write_text(text)
        return path

    def test_what_a_map_says_of_its_machine_does_not_speak_to_the_terminal(self):
        for byte in ("\x1b", "\x07", "\x7f"):
            file = self.file(SMALL.replace("mpi Open MPI", f"mpi {byte}[31mOpen MPI"))
            self.assertRefused(self.startune("map", "show", file), "a.map:2:", "'mpi' has one text", "control characters")

    def on_a_terminal(self, *words, **more):
        """What it shows there."""
        ours, theirs = pty.openpty()
        try:
            self.assertEqual(subprocess.run([STARTUNE, *words], env=self.env | more, cwd=self.home, stdout=theirs, check=False).returncode, 0)
            return os.read(ours, 1 << 16).decode()
        finally:
            os.close(ours)
            os.close(theirs)

    def test_colours_are_for_terminals_that_have_them(self):
        for more, there in (({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
            self.assertEqual("\x1b[" in self.on_a_terminal("map", "show", self.file(SMALL), **more), there, more)

    def test_a_map_is_drawn_with_its_legend(self):
        shown = self.startune("map", "show", self.file(SMALL))
        self.assertStatus(shown)
        rows = [line.split("|")[1] for line in shown.stdout.splitlines() if line.strip().startswith(("4 |", "8 |"))]
        self.assertEqual(rows, ["A  A? B  ", "A  B  B? "])
        self.assertIn(" ranks |64 65 1K\n-------++--+--+--\n", shown.stdout)
        many = "".join(f"point 4 {1 << i} grid\nwinner alltoall:native 2e-05 3\n" for i in range(40))
        wide = self.startune("map", "show", self.file(f"startune map 1\noperation alltoall\n{many}end 40\n", "wide.map"))
        self.assertIn(" ranks |1 2 4 8 16  64  256 1K  4K ", wide.stdout)  # at those columns that have room
        self.assertRegex(shown.stdout, r"A  alltoall:native +2\n")
        self.assertRegex(shown.stdout, r"B  alltoall:ring +2\n")
        self.assertIn("4 points; 2 crossovers, 1 of them exact", shown.stdout)
        self.assertIn("mpi Open MPI 4.1.4; nodes 2", shown.stdout)
        self.assertNotIn("\033", shown.stdout)

    def test_json_has_points_and_crossovers(self):
        shown = self.json_of(self.startune("map", "show", self.file(SMALL), "alltoall", "--json"))
        self.assertEqual(shown["machine"], {"mpi": "Open MPI 4.1.4", "nodes": "2"})
        [operation] = shown["operations"]
        self.assertEqual([(p["ranks"], p["bytes"], p["winner"], p["searched"]) for p in operation["points"]],
                         [(4, 64, "alltoall:native", False), (4, 1024, "alltoall:ring", False),
                          (8, 64, "alltoall:native", False), (8, 65, "alltoall:ring", True)])
        self.assertEqual([(c["ranks"], c["from"], c["to"], c["exact"]) for c in operation["crossovers"]],
                         [(4, 64, 1024, False), (8, 64, 65, True)])

    def test_pictures_are_well_formed_and_alone(self):
        pictures = self.home / "a.svg", self.home / "a.html"
        self.assertStatus(self.startune("map", "show", self.file(SMALL), "--svg", pictures[0], "--html", pictures[1]))
        svg = xml.etree.ElementTree.parse(pictures[0])
        cells = [cell for cell in svg.iter("{http://www.w3.org/2000/svg}rect") if cell.get("class") == "cell"]
        self.assertEqual(len(cells), 2 * 3)
        self.assertEqual(len({cell.get("fill") for cell in cells}), 2)
        grey, = {cell.get("fill") for cell in cells if "alltoall:native" in next(iter(cell)).text}
        self.assertEqual(grey, "#a3a8ae")
        left = {next(iter(cell)).text.split(": ")[0]: float(cell.get("x")) for cell in cells}
        octaves = (math.log2(math.sqrt(64 * 65) / 64), math.log2(math.sqrt(65 * 1024) / math.sqrt(64 * 65)))
        sides = (left["8 ranks, 65"] - left["8 ranks, 64"], left["8 ranks, 1K"] - left["8 ranks, 65"])
        self.assertAlmostEqual(sides[0] / sides[1], (octaves[0] + 0.5) / octaves[1], delta=0.01)  # a true logarithmic axis
        words = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
        for word in ("alltoall:native, 3 cells", "alltoall:ring, 3 cells", "bytes", "ranks", "64", "1 KB", "4", "8", "measured"):
            self.assertIn(word, words)
        self.assertEqual(len([c for c in svg.iter("{http://www.w3.org/2000/svg}circle") if c.get("cx")]), 4 + 1)  # points, and the legend's
        page = pictures[1].read_text()
        self.assertNotIn("href", page)
        self.assertNotIn("src=", page)
        self.assertIn("Quadtree of at most 2 levels", page)

    def test_a_file_that_cannot_be_drawn_leaves_the_picture_alone(self):
        picture = self.file("old", "a.svg")
        self.assertRefused(self.startune("map", "show", self.file(SMALL[:-6]), "--svg", picture), "a.map:", "end")
        self.assertEqual(picture.read_text(), "old")

    def test_encode_draws_what_quadtrees_cost(self):
        """The figures' points are the rows of the CSV."""
        picture = self.home / "figures.svg"
        self.assertStatus(self.startune("map", "encode", self.file(SMALL), "--svg", picture))
        drawn = {}
        for title in xml.etree.ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}title"):
            name, found, place = title.text.partition(": ")
            if not found:  # the picture's own
                continue
            drawn.setdefault(name, []).append(tuple(float(number) for number in place.split(", ")))
        lines = self.startune("map", "encode", self.file(SMALL), "--csv").stdout.splitlines()
        quadtrees = [row for row in csv.DictReader(line for line in lines if not line.startswith("#")) if row["encoder"] == "quadtree"]
        accurate = [row for row in quadtrees if row["max_depth"] == "0"]
        deep = [row for row in quadtrees if row["max_depth"] != "0"]
        for name, rows, x in (("alltoall", accurate, lambda row: 100 * float(row["accuracy"])),
                              ("alltoall, by accuracy", accurate, lambda row: float(row["depth_mean"])),
                              ("alltoall, by maximum depth", deep, lambda row: float(row["depth_mean"]))):
            self.assertEqual(len(drawn[name]), len(rows))
            for point, row in zip(drawn[name], rows):
                self.assertAlmostEqual(point[0], x(row), delta=0.01)
                self.assertAlmostEqual(point[1], 100 * float(row["penalty_mean"]), delta=0.01)
        self.assertEqual(len(drawn), 3)
        self.assertRefused(self.startune("map", "encode", self.file(SMALL), "--svg", self.home / "no" / "a.svg"), "a.svg", status=1)

    def test_encode_prints_every_encoder(self):
        table = self.startune("map", "encode", self.file(SMALL))
        self.assertStatus(table)
        for name in ["quadtree, depth 1", "quadtree, depth 2", "runs", "table"]:
            self.assertIn(f"\n{name} ", table.stdout)
        rows = self.json_of(self.startune("map", "encode", self.file(SMALL), "--json"))["alltoall"]
        exact = {row["encoder"]: row for row in rows}
        self.assertEqual(exact["runs"]["leaves"], 4)
        for row in exact.values():
            self.assertEqual(row["penalty_most"], 0, row)
        self.assertEqual(rows[0]["max_depth"], 1)

    def test_a_loose_tree_costs_what_it_says(self):
        one = point(4, 64, ["native", "ring"]), point(4, 128, ["native", "ring"]), point(4, 256, ["ring", "native"])
        [tree] = [row for row in self.json_of(self.startune(
            "map", "encode", self.file(map_of(*one)), "--json", "--accuracy", "0.5"))["alltoall"] if row["encoder"] == "quadtree"]
        self.assertEqual((tree["leaves"], tree["penalty_most"]), (1, 1))
        self.assertAlmostEqual(tree["penalty_mean"], 1 / 3)
        weights = self.file("alltoall 4 256 10 # often\nbcast 4 1 5\n", "weights")
        [tree] = [row for row in self.json_of(self.startune(
            "map", "encode", self.file(map_of(*one)), "--json", "--accuracy", "0.5", "--weights", weights))["alltoall"]
            if row["encoder"] == "quadtree"]
        self.assertAlmostEqual(tree["penalty_mean"], 2 / 13)  # ring for all: two cells of weight 1, one of 11

    def test_csv_has_depths_and_accuracies(self):
        lines = self.startune("map", "encode", self.file(SMALL), "--csv").stdout.splitlines()
        columns = lines[0].split(",")
        rows = [dict(zip(columns, line.split(","))) for line in lines[1:] if not line.startswith("#")]
        self.assertEqual({row["accuracy"] for row in rows if row["encoder"] == "quadtree" and row["max_depth"] == "0"},
                         {f"{i / 20:g}" for i in range(1, 21)})

    def test_predict_names_the_nearest_point(self):
        path = self.file(SMALL)
        near = self.json_of(self.startune("map", "predict", path, "alltoall", 5, "2K", "--json"))
        self.assertEqual(near, {"method": "alltoall:ring", "measured": False, "ranks": 4, "bytes": 1024, "seconds": 1})
        self.assertIn("at this very point: 1.00 s", self.startune("map", "predict", path, "alltoall", 8, 65).stdout)
        self.assertRefused(self.startune("map", "predict", path, "bcast", 5, 64), "no points of bcast")
        self.assertRefused(self.startune("map", "predict", path, "alltoall", 0, 64), "'0' ranks")
        self.assertRefused(self.startune("map", "predict", path, "alltoall", 4, "x"), "'x'")

    def test_diff_tells_where_and_how_much(self):
        a = self.file(SMALL)
        self.assertEqual(self.startune("map", "diff", a, a).stdout, "")
        b = self.file(map_of(point(4, 64, ["ring"])).replace("4.1.4", "5.0"), "b.map")
        differ = self.startune("map", "diff", a, b)
        self.assertStatus(differ, 1)
        self.assertEqual(differ.stdout, "mpi: Open MPI 4.1.4, Open MPI 5.0\n"
                         "alltoall, 4 ranks, 64: alltoall:native, alltoall:ring (by the first map 100.0 % slower)\n"
                         "alltoall, 8 ranks, 64: alltoall:native, alltoall:ring (by the first map 100.0 % slower)\n")

    def test_merge_takes_methods_and_points_of_both(self):
        a, b = self.file(SMALL), self.file(map_of(point(4, 64, ["pair"]).replace(" 1 3", " 0.5 7"), point(16, 64, ["ring"])), "b.map")
        merged = self.home / "c.map"
        self.assertStatus(self.startune("map", "merge", a, b, "-o", merged))
        text = merged.read_text()
        self.assertIn("point 4 64 grid\nslower alltoall:native 1 3\nslower alltoall:ring 2 3\nwinner alltoall:pair 0.5 7\n", text)
        self.assertIn("point 16 64 grid\nwinner alltoall:ring 1 3\nend 5\n", text)
        self.assertEqual(self.startune("map", "merge", a, b, "-o", "-").stdout, text)
        again = self.home / "d.map"
        self.assertStatus(self.startune("map", "merge", merged, b, "-o", again))
        self.assertEqual(again.read_text(), text)

    def test_merge_refuses_a_map_of_another_machine(self):
        """All was labelled with the first one's machine, and `run --map` believed it."""
        a, b = self.file(SMALL), self.file(SMALL.replace("Open MPI 4.1.4", "MPICH 4.0.2"), "b.map")
        self.assertRefused(self.startune("map", "merge", a, b), "b.map: of another machine: mpi MPICH 4.0.2, not Open MPI 4.1.4")
        self.assertRefused(self.startune("map", "merge", a, self.file(SMALL.replace("nodes 2", "nodes 4"), "b.map")), "nodes 4, not 2")
        merged = self.startune("map", "merge", self.file(SMALL.replace("nodes 2\n", "")), self.file(SMALL, "b.map"))
        self.assertEqual(merged.stdout, SMALL)

    def test_import_reads_osu_and_intel_benchmarks(self):
        native, ring, intel = self.file(OSU.format(3), "n"), self.file(OSU.format(2), "r"), self.file(IMB, "i")
        made = self.startune("map", "import", "-n", 4, "alltoall:native", native, "alltoall:ring", ring)
        self.assertStatus(made)
        self.assertEqual(made.stdout.split("operation alltoall\n")[1],
                         "point 4 1 grid\nslower alltoall:native 3.5e-06 1\nwinner alltoall:ring 2.5e-06 1\n"
                         "point 4 1024 grid\nwinner alltoall:native 1.2e-05 1\nslower alltoall:ring 1.2e-05 1\nend 2\n")
        made = self.startune("map", "import", "alltoall:pair", intel)
        self.assertEqual(made.stdout.split("operation alltoall\n")[1],
                         "point 2 1024 grid\nwinner alltoall:pair 2e-06 1000\n"
                         "point 4 1024 grid\nwinner alltoall:pair 6e-06 500\nend 2\n")
        made = self.startune("map", "import", "-n", 4, "barrier:native", self.file(OSU_FULL, "b"))
        self.assertIn("point 4 0 grid\nwinner barrier:native 5.25e-06 1000\n", made.stdout)

    def test_import_leaves_out_rows_that_did_not_run(self):
        made = self.startune("map", "import", "allreduce:native", self.file(IMB_FAILED, "x"))
        self.assertStatus(made)
        self.assertEqual(made.stdout, "startune map 1\noperation allreduce\npoint 2 4 grid\nwinner allreduce:native 1.15e-06 1000\nend 1\n")
        nothing = "".join(line for line in IMB_FAILED.splitlines(True) if not line.startswith("            4"))
        self.assertRefused(self.startune("map", "import", "allreduce:native", self.file(nothing, "x")), "x: no times")
        broken = IMB_FAILED.replace("            8          640", "            8        error")
        self.assertStatus(self.startune("map", "import", "allreduce:native", self.file(broken, "x")))
        self.assertRefused(self.startune("map", "import", "allreduce:native", self.file(broken.replace("time-out; ", ""), "x")),
                           "x:9:", "'error' repetitions")

    def test_import_takes_rows_with_more_columns(self):
        made = self.startune("map", "import", "-n", 8, "alltoall:native", self.file(OSU_TAIL, "x"))
        self.assertIn("point 8 4 grid\nwinner alltoall:native 2.24e-06 5000\nend 1\n", made.stdout)

    def test_import_leaves_out_results_that_were_found_wrong(self):
        """OSU's -c and Intel's CHECK say it in a column of its own: such a method's time counted as any."""
        osu = OSU_TAIL.replace("Lat(us)\n", "Lat(us)  Validation\n").replace("2.50\n", "2.50  Pass\n") + "8 1 1 1 1000 1 1 Fail\n"
        intel = IMB.replace("t_avg[usec]", "t_avg[usec]  defects").replace("2.00", "2.00  0.00").replace("6.00", "6.00  3.00")
        made = self.startune("map", "import", "-n", 8, "alltoall:native", self.file(osu, "x"))
        self.assertIn("point 8 4 grid\nwinner alltoall:native 2.24e-06 5000\nend 1\n", made.stdout)
        made = self.startune("map", "import", "alltoall:pair", self.file(intel, "x"))
        self.assertIn("point 2 1024 grid\nwinner alltoall:pair 2e-06 1000\nend 1\n", made.stdout)

    def test_import_reads_tables_of_old_benchmarks(self):
        old = "# OSU MPI Broadcast Latency Test v3.1.1\n# Size          Latency (us)\n1                        1.50\n"
        self.assertIn("winner bcast:native 1.5e-06 1\n", self.startune("map", "import", "-n", 4, "bcast:native", self.file(old, "x")).stdout)
        pairs = self.file(old.replace("Broadcast ", ""), "x")  # of two ranks, a message there or back
        self.assertRefused(self.startune("map", "import", "-n", 4, "bcast:native", pairs), "x: no times of bcast, but of 'Latency'")
        untitled = self.file(old.split("\n", 1)[1], "x")
        self.assertRefused(self.startune("map", "import", "-n", 4, "bcast:native", untitled), "x:2:", "headings")

    def test_import_does_not_take_persistent_calls_for_others(self):
        osu = self.file(OSU.format(1).replace(" Latency Test", " Persistent Latency Test"), "x")
        self.assertRefused(self.startune("map", "import", "-n", 4, "alltoall:native", osu), "x: no times of alltoall, but of 'Persistent'")

    def test_import_passes_over_messages_among_the_rows(self):
        """Open MPI's begin with a number behind their label."""
        plain = self.startune("map", "import", "-n", 4, "alltoall:native", self.file(OSU.format(1), "x")).stdout
        messages = ("[n1:04321] 3 more processes have sent help message help-mpi-btl-openib.txt / error in device init\n"
                    "3 total processes killed (some possibly by mpirun during cleanup)\n")
        text = OSU.format(1).replace("\n1024", "\n" + messages + "1024") + messages
        self.assertEqual(self.startune("map", "import", "-n", 4, "alltoall:native", self.file(text, "x")).stdout, plain)

    def test_import_passes_over_the_labels_of_launchers(self):
        for label in ("0: ", " 0: ", "00: ", "0:\t", "[0] ", "[1,0]<stdout>:", "[1,0]<stdout>: ", "[prterun-n1-4711@1,0]<stdout>: ",
                      "[prterun-n1-4711@1,0][n1:4711]<stdout>: ", "Mon Mar  6 12:00:00 2023<stdout>:", "x3004c0s1b0n0 0: "):
            for text, method in ((OSU_TAIL, "alltoall:native"), (OSU_FULL, "barrier:native"), (IMB_FAILED, "allreduce:native")):
                with self.subTest(label=label, method=method):
                    plain = self.startune("map", "import", "-n", 8, method, self.file(text, "x"))
                    labelled = "".join(label + line for line in text.splitlines(True)) + label + "\n"
                    made = self.startune("map", "import", "-n", 8, method, self.file(labelled.replace("\n", "\r\n"), "x"))
                    self.assertStatus(made)
                    self.assertEqual(made.stdout, plain.stdout)

    def test_a_file_of_very_many_rows_is_refused(self):
        text = OSU_TAIL + "".join(f"{size} 1 1 1 9 1 1\n" for size in range(100000, 10, -1))
        self.assertRefused(self.startune("map", "import", "-n", 8, "alltoall:native", self.file(text, "x")), "x:10004:", "more than 10000 rows")

    def test_a_map_of_very_many_methods_is_refused(self):
        text = "startune map 1\noperation alltoall\npoint 4 1 grid\nwinner alltoall:native 1 1\n"
        text += "".join(f"slower alltoall:ring,window={window} 1 1\n" for window in range(2, 2000)) + "end 1\n"
        self.assertRefused(self.startune("map", "show", self.file(text)), "a.map:1028:", "more than 1024 methods of alltoall")

    def test_import_counts_bytes_as_the_map_does(self):
        """Of allgatherv both benchmarks print a rank's bytes; of reduce_scatter_block, OSU's print all ranks'."""
        osu = ("# OSU MPI {} Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
               "2                       1.00\n1024                   12.00\n")
        for operation, by_osu, by_intel in (("allgatherv", 4096, 4096), ("reduce_scatter_block", 256, 1024),
                                            ("reduce_scatter", 1024, 1024), ("gatherv", 1024, 1024)):
            title = operation.capitalize()
            for text, size in ((osu.replace("{}", title), by_osu), (IMB.replace("Alltoall", title), by_intel)):
                made = self.startune("map", "import", "-n", 4, f"{operation}:native", self.file(text, "x"))
                self.assertStatus(made)
                self.assertIn(f"point 4 {size} grid", made.stdout)
        self.assertNotIn("point 4 0 ", self.startune("map", "import", "-n", 4, "reduce_scatter_block:native", self.file(
            osu.replace("{}", "Reduce_scatter_block"), "x")).stdout)  # of 2 bytes, a rank's are none
        self.assertRefused(self.startune("map", "import", "-n", 4, "allgatherv:native", self.file(
            osu.replace("{}", "Allgatherv").replace("1024", str(2**62)), "x")), "x:5:", "too many")

    def test_import_takes_only_the_operations_part_of_a_file(self):
        """Of a file of several benchmarks the last one's times counted, whatever it measured."""
        bcast = IMB.replace("Alltoall", "Bcast").replace("6.00", "9.00")
        several = self.file(IMB.replace("Alltoall", "PingPong") + IMB + bcast, "several")
        made = self.startune("map", "import", "alltoall:pair", several)
        self.assertStatus(made)
        self.assertIn("point 4 1024 grid\nwinner alltoall:pair 6e-06 500\nend 2\n", made.stdout)
        made = self.startune("map", "import", "bcast:chain", several)
        self.assertIn("point 4 1024 grid\nwinner bcast:chain 9e-06 500\nend 2\n", made.stdout)
        osu = self.file(OSU.format(1) + OSU.format(7).replace("All-to-All Personalized Exchange", "Broadcast"), "osu")
        for method, seconds in (("alltoall:native", "1.5e-06"), ("bcast:native", "7.5e-06")):
            self.assertIn(f"winner {method} {seconds} 1\n", self.startune("map", "import", "-n", 4, method, osu).stdout)
        self.assertRefused(self.startune("map", "import", "gather:native", several), "several: no times of gather, but of 'PingPong'")
        self.assertRefused(self.startune("map", "import", "-n", 4, "alltoallv:native", osu), "osu: no times of alltoallv, but of 'All-to-All'")

    def test_import_refuses_a_file_that_says_two_things(self):
        self.assertRefused(self.startune("map", "import", "alltoall:pair", self.file(IMB + IMB, "x")), "x:13:", "1024 bytes of 2 ranks", "twice")
        self.assertRefused(self.startune("map", "import", "-n", 4, "alltoall:pair", self.file(OSU.format(1) + OSU.format(2), "x")),
                           "x:7:", "1 bytes of 4 ranks", "twice")
        file = self.file(OSU.format(1), "x")
        self.assertStatus(self.startune("map", "import", "-n", 4, "alltoall:pair", file, "alltoall:ring", file, "alltoall:pair", file))

    def test_import_refuses_what_it_does_not_know(self):
        osu = self.file(OSU.format(1), "osu")
        self.assertRefused(self.startune("map", "import", "alltoall:native", osu), "osu:3:", "-n P")
        self.assertRefused(self.startune("map", "import", "alltoall:nativ", osu), "native")
        self.assertRefused(self.startune("map", "import", "alltoall:native", self.file("hello\n", "x")), "x: no times")
        self.assertRefused(self.startune("map", "import", "alltoall:native", self.file("1 2\n", "x")), "x:1:", "headings")
        self.assertRefused(self.startune("map", "import", "alltoall:native"), "needs more words")

    def run_with(self, mpi, ranks, text, *options):
        """The report's only context, and standard error, of a program that exchanges 4 bytes."""
        report = self.home / "report.json"
        run = self.mpirun(mpi, ranks, STARTUNE, "run", "--map", self.file(text, "run.map"), "--report", report, *options,
                          exchange(mpi), 30)
        self.assertStatus(run)
        self.assertIn(f"30 calls on {ranks} ranks, 0 wrong", run.stdout)
        [context] = json.loads(report.read_text())["contexts"]
        return context, run.stderr

    @an_mpi
    def test_a_program_runs_what_its_map_says_from_the_first_call(self, mpi):
        context, _ = self.run_with(mpi, 4, map_of(point(4, 4, ["bruck", "ring"])).replace("mpi Open MPI 4.1.4\n", ""))
        self.assertEqual((context["method"], context["tuned"], context["agreements"]), ("alltoall:bruck", False, 0))
        self.assertEqual(context["calls"], 30)
        self.assertEqual([method["method"] for method in context["methods"]], ["alltoall:bruck"])

    @an_mpi
    def test_what_does_not_work_there_gives_way_to_the_next(self, mpi):
        text = map_of(point(4, 4, ["pair", "ring", "bruck"])).replace("mpi Open MPI 4.1.4\n", "")
        self.assertEqual(self.run_with(mpi, 4, text)[0]["method"], "alltoall:pair")
        self.assertEqual(self.run_with(mpi, 3, text)[0]["method"], "alltoall:ring")  # 3 is no power of two

    @an_mpi
    def test_a_map_of_another_machine_is_used_only_when_that_is_forced(self, mpi):
        text = map_of(point(4, 4, ["bruck"])).replace("Open MPI 4.1.4", "Another MPI 1")
        context, said = self.run_with(mpi, 2, text)
        self.assertTrue(context["tuned"])
        self.assertIn("measured with Another MPI 1, and this is ", said)
        context, said = self.run_with(mpi, 2, text, "--force-machine")
        self.assertEqual(context["method"], "alltoall:bruck")
        self.assertNotIn("warning", said)

    @an_mpi
    def test_where_no_rank_knows_the_bytes_a_map_that_goes_by_them_says_nothing(self, mpi):
        report = self.home / "report.json"
        for last, method, tuned in (("ring", "alltoallv:ring", False), ("linear", None, True)):
            text = ("startune map 1\noperation alltoallv\npoint 4 1 grid\nwinner alltoallv:ring 1 3\n"
                    f"point 4 65536 grid\nwinner alltoallv:{last} 1 3\nend 2\n")
            run = self.mpirun(mpi, 4, STARTUNE, "run", "--map", self.file(text, "run.map"), "--report", report, "--tune-after", 0,
                              BUILD / f"tests/cli/sizes-{mpi}", "alltoallv", *[65536] * 8)
            self.assertStatus(run)
            [context] = [found for found in json.loads(report.read_text())["contexts"] if found["operation"] == "alltoallv"]
            self.assertEqual((context["tuned"], context["method"] if method else None), (tuned, method))

    def test_a_damaged_map_is_told_and_left_out(self):
        context, said = self.run_with(MPIS[0], 2, SMALL[:-6])
        self.assertTrue(context["tuned"])
        self.assertRegex(said, "run.map:[0-9]+: .*going on without a map")

    def test_words_and_options_are_checked(self):
        path = self.file(SMALL)
        self.assertRefused(self.startune("map"), "no action")
        self.assertRefused(self.startune("map", "shwo", path), "did you mean 'show'?")
        self.assertRefused(self.startune("map", "show"), "needs more words")
        self.assertRefused(self.startune("map", "show", path, "alltoall", "x"), "fewer words")
        self.assertRefused(self.startune("map", "show", path, "alltoal"), "alltoall")
        self.assertRefused(self.startune("map", "show", self.home / "no.map"), "no.map")
        self.assertRefused(self.startune("map", "diff", path, path, "--svg", "x"), "--svg is not for map diff")
        self.assertRefused(self.startune("map", "encode", path, "--accuracy", "2"), "accuracy", "'2'")
        self.assertRefused(self.startune("map", "encode", path, "--max-depth", "0"), "max-depth", "'0'")
        weights = self.file("alltoall 4 64 1 2\n", "weights")
        self.assertRefused(self.startune("map", "encode", path, "--weights", weights), "weights:1:", "COUNT")
        weights = self.file("alltoall 4 64\n", "weights")
        self.assertRefused(self.startune("map", "encode", path, "--weights", weights), "weights:1:", "COUNT")


if __name__ == "__main__":
    main()
