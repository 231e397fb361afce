# SPDX-License-Identifier: BSD-3-Clause
"""startune export: what is written, and that the MPI libraries here read it and do what it says."""
import json
import re
import unittest

from command import BUILD, MPIS, CommandTest, each_mpi, main

# 4 ranks: bruck up to 256 bytes (of a block for each pair), ring to 8192, simple above; 8 ranks: the library's own.
MAP = """startune map 1
operation alltoall
point 4 64 grid
winner alltoall:bruck 1e-05 3
slower alltoall:ring 2e-05 3
point 4 1024 grid
winner alltoall:scheduled 1e-05 3
slower alltoall:native 3e-05 3
slower alltoall:ring 2e-05 3
point 4 65536 grid
winner alltoall:simple 1e-05 3
slower alltoall:ring 2e-05 3
point 8 1024 grid
winner alltoall:native 1e-05 3
operation bcast
point 4 65536 grid
winner bcast:chain,segment=8K 1e-05 3
operation scan
point 4 8 grid
winner scan:binomial 1e-05 3
end 6
"""


# Points whose winners UCC and Open MPI have: (operation, ranks, bytes): method, UCC's name, Open MPI's name, segment.
POINTS = {
    ("alltoall", 4, 64): ("bruck", "bruck", "modified_bruck", 0),
    ("alltoall", 4, 4096): ("ring", "pairwise", "pairwise", 0),
    ("alltoall", 16, 64): ("ring", "pairwise", "pairwise", 0),
    ("allgather", 8, 1024): ("neighbor_ring", "ring", "ring", 0),
    ("allgather", 8, 65536): ("neighbor_exchange", "neighbor", "neighbor", 0),
    ("allreduce", 8, 8): ("rdb", "knomial", "recursive_doubling", 0),
    ("allreduce", 8, 65536): ("rab1", "sra_knomial", "rabenseifner", 0),
    ("bcast", 8, 64): ("binomial", "knomial", "binomial", 0),
    ("bcast", 8, 65536): ("scatter_rdb_allgather", "sag_knomial", "scatter_allgather", 0),
    ("reduce", 8, 65536): ("reduce_scatter_gather", "srg", "rabenseifner", 0),
}


def total(operation, ranks, size):
    """What both libraries count: all ranks' blocks together."""
    return ranks * size if operation in ("alltoall", "allgather") else size


class UccReader:
    """Reads UCC_TL_UCP_TUNE as ucc_coll_score.c of UCC 1.9 does: rules between #, fields between : in any order, each known
    by its form, tried in this order; sizes as in ucs_str_to_memunits, ranges half open; names of algorithms as in tl/ucp."""
    ALGORITHMS = {"alltoall": "pairwise bruck onesided", "allgather": "knomial ring neighbor bruck sparbit linear batched",
                  "allreduce": "knomial sra_knomial dbt sliding_window ring", "bcast": "knomial sag_knomial dbt",
                  "reduce": "knomial dbt srg"}

    def __init__(self, text):
        self.rules = [self.rule(words) for words in text.split("#")]

    def size(self, text):
        found = re.fullmatch(r"(\d+)([bkmgt]?)b?", text, re.IGNORECASE)
        return float("inf") if text == "inf" else int(found[1]) << 10 * " kmgt".index(found[2].lower() or " ")

    def rule(self, words):
        rule = {"memory": None, "score": None}
        for word in words.split(":"):
            if "collective" not in rule and word in self.ALGORITHMS:
                rule["collective"] = word
            elif rule["memory"] is None and word in ("host", "cuda", "rocm"):
                rule["memory"] = word
            elif rule["score"] is None and (word == "inf" or word.isdigit()):
                rule["score"] = word
            elif "bytes" not in rule and word.count("-") == 1 and word[0] != "[":
                rule["bytes"] = [self.size(part) for part in word.split("-")]
            elif "ranks" not in rule and word[0] + word[-1] == "[]":
                rule["ranks"] = [int(part) for part in word[1:-1].split("-")]
            elif "algorithm" not in rule and word[0] == "@":
                rule["algorithm"] = word[1:]
            else:
                raise ValueError(f"failed to parse token '{word}' in '{words}'")
        if rule["algorithm"] not in self.ALGORITHMS[rule["collective"]].split() or rule["ranks"][0] > rule["ranks"][1]:
            raise ValueError(words)
        return rule

    def choose(self, operation, ranks, size):
        found = [rule["algorithm"] for rule in self.rules if rule["collective"] == operation
                 and rule["ranks"][0] <= ranks <= rule["ranks"][1] and rule["bytes"][0] <= size < rule["bytes"][1]]
        if len(found) > 1:
            raise ValueError("attempt to add overlapping range")
        return found[0] if found else None


class TunedReader:
    """Reads rules as coll_tuned_dynamic_file.c of Open MPI's main branch does: of communicator sizes, then of message sizes,
    the first that fits; bounds are inclusive; a collective's algorithms by name."""
    ALGORITHMS = {"alltoall": "ignore linear pairwise modified_bruck linear_sync two_proc",
                  "allgather": "ignore linear bruck-k-fanout recursive_doubling ring neighbor two_proc sparbit direct-messaging",
                  "allreduce": "ignore basic_linear nonoverlapping recursive_doubling ring segmented_ring rabenseifner allgather_reduce",
                  "bcast": "ignore basic_linear chain pipeline split_binary_tree binary_tree binomial knomial scatter_allgather "
                           "scatter_allgather_ring",
                  "reduce": "ignore linear chain pipeline binary binomial in-order_binary rabenseifner knomial"}

    def __init__(self, text):
        rules = json.loads(text)
        if rules.keys() != {"rule_file_version", "module", "collectives"} or (rules["rule_file_version"], rules["module"]) != (3, "tuned"):
            raise ValueError(rules.keys())
        self.rules = rules["collectives"]
        for name, communicators in self.rules.items():
            for communicator in communicators:
                self.expect(communicator, {"rules"}, {"comm_size_min", "comm_size_max", "comm_rank_distribution"})
                for rule in communicator["rules"]:
                    self.expect(rule, {"alg"}, {"msg_size_min", "msg_size_max", "seg_size", "faninout", "reqs"})
                    if rule["alg"] not in self.ALGORITHMS[name].split():
                        raise ValueError(rule)

    def expect(self, rule, needed, more):
        numbers = all(isinstance(value, int) for key, value in rule.items() if key not in ("alg", "rules"))
        if not needed <= rule.keys() <= needed | more or not numbers:
            raise ValueError(rule)

    def choose(self, operation, ranks, size):
        for communicator in self.rules[operation]:
            if communicator.get("comm_size_min", 0) <= ranks <= communicator.get("comm_size_max", 2**31 - 1):
                for rule in communicator["rules"]:
                    if rule.get("msg_size_min", 0) <= size <= rule.get("msg_size_max", float("inf")):
                        return rule["alg"], rule.get("seg_size", 0)
                return None
        return None


class Export(CommandTest):
    def setUp(self):
        super().setUp()
        self.map = self.home / "a.map"
        self.map.write_text(MAP)

    def export(self, form, *more):
        result = self.startune("export", "--format", form, self.map, *more)
        self.assertStatus(result)
        return result

    def numbers(self, text):
        return [[int(word) for word in line.split("#")[0].split()] for line in text.splitlines()]

    def test_open_mpis_rules_are_by_total_bytes(self):
        written = self.export("ompi")
        self.assertEqual(self.numbers(written.stdout), [
            [2], [3], [2], [1], [3], [0, 3, 0, 0], [4 * 257, 2, 0, 0], [4 * 8193, 1, 0, 0],  # modified bruck, pairwise, linear
            [6], [1], [0, 0, 0, 0],  # from 6 ranks on, 8 are nearer than 4
            [7], [1], [1], [1], [0, 3, 0, 8192]])  # bcast: pipeline
        self.assertIn("alltoall:scheduled is not in Open MPI", written.stderr)
        self.assertIn("100.0 % slower", written.stderr)
        self.assertIn("scan cannot be told", written.stderr)

    def test_what_has_no_size_there_has_one_rule_or_none(self):
        """With 4 ranks both methods are Open MPI's basic_linear; with 8 the method changes with the bytes."""
        self.map.write_text("startune map 1\noperation alltoallv\n"
                            "point 4 1 grid\nwinner alltoallv:simple 1e-05 3\npoint 4 65536 grid\nwinner alltoallv:linear 1e-05 3\n"
                            "point 8 1 grid\nwinner alltoallv:ring 1e-05 3\npoint 8 65536 grid\nwinner alltoallv:linear 1e-05 3\n"
                            "end 4\n")
        left = "1 of 2 numbers of ranks left to the library"
        written = self.export("ompi")
        self.assertEqual(self.numbers(written.stdout), [[1], [4], [2], [1], [1], [0, 1, 0, 0], [6], [1], [0, 0, 0, 0]])
        self.assertIn(left, written.stderr)
        written = self.export("ompi6")
        four, eight = json.loads(written.stdout)["collectives"]["alltoallv"]
        self.assertEqual((four["rules"], eight["rules"]), ([{"msg_size_min": 0, "alg": "basic_linear"}], []))
        self.assertIn(left, written.stderr)
        written = self.export("routine")
        self.assertNotRegex(written.stdout, "star_alltoallv_(simple|linear|ring) =")
        self.assertIn("2 of 2 numbers of ranks left to the MPI library", written.stderr)
        self.map.write_text(self.map.read_text().replace("alltoallv:linear", "alltoallv:simple").replace("alltoallv:ring", "alltoallv:simple"))
        written = self.export("routine")
        self.assertIn("star_alltoallv_simple =", written.stdout)
        self.assertEqual(written.stderr, "")

    def test_no_rule_goes_by_what_ranks_do_not_share(self):
        """Open MPI asks for scatter's rules with the send count, which only the root has, and so for gather's."""
        for operation, number, linear in (("scatter", 15, 3), ("gather", 9, 1)):
            self.map.write_text(f"startune map 1\noperation {operation}\npoint 4 64 grid\nwinner {operation}:knomial 1e-05 3\n"
                                f"point 4 65536 grid\nwinner {operation}:linear 1e-05 3\n"
                                f"point 8 64 grid\nwinner {operation}:linear 1e-05 3\nend 3\n")
            written = self.export("ompi")
            self.assertEqual(self.numbers(written.stdout), [[1], [number], [2], [1], [1], [0, 0, 0, 0], [6], [1], [0, linear, 0, 0]])
            self.assertIn(f"{operation} cannot go by bytes in Open MPI's rules", written.stderr)

    def test_open_mpis_rules_do_not_know_the_bytes_of_allgather_in_place(self):
        """They are taken from arguments that MPI ignores there."""
        points = "startune map 1\noperation allgather\npoint 4 64 grid\nwinner allgather:bruck 1e-05 3\n" \
                 "point 4 65536 grid\nwinner allgather:{} 1e-05 3\nend 2\n"
        for form in ("ompi", "ompi6"):
            self.map.write_text(points.format("neighbor_ring"))
            self.assertIn("allgather in place", self.export(form).stderr)
            self.map.write_text(points.format("bruck"))
            self.assertEqual(self.export(form).stderr, "")

    def test_open_mpi_6_reads_json(self):
        rules = json.loads(self.export("ompi6").stdout)
        self.assertEqual(rules["rule_file_version"], 3)
        four, eight = rules["collectives"]["alltoall"]
        self.assertEqual((four["comm_size_min"], four["comm_size_max"], eight["comm_size_min"], eight["rules"]), (1, 5, 6, []))
        self.assertEqual([(rule["msg_size_min"], rule.get("msg_size_max"), rule["alg"]) for rule in four["rules"]],
                         [(0, 1027, "modified_bruck"), (1028, 32771, "pairwise"), (32772, None, "linear")])
        self.assertEqual(rules["collectives"]["bcast"][0]["rules"][0], {"msg_size_min": 0, "alg": "pipeline", "seg_size": 8192})

    def test_rules_change_where_the_map_does_also_between_others_points(self):
        """Points of other numbers of ranks moved the place: at 5000 bytes it was `map predict`'s method no more."""
        points = [(4, 64, "bruck"), (4, 1048576, "ring")] + [(8, size, "ring") for size in (64, 1024, 16384, 1048576)]
        self.map.write_text("startune map 1\noperation alltoall\n" + "".join(
            f"point {ranks} {size} grid\nwinner alltoall:{method} 1e-05 3\n" for ranks, size, method in points) + "end 6\n")
        reader = TunedReader(self.export("ompi6").stdout)
        for size, method, name in ((8192, "bruck", "modified_bruck"), (8193, "ring", "pairwise")):
            self.assertIn(f"alltoall:{method}\n", self.startune("map", "predict", self.map, "alltoall", 4, size).stdout)
            self.assertEqual(reader.choose("alltoall", 4, 4 * size), (name, 0))

    def test_settings_of_ucc_and_intel(self):
        self.assertEqual(self.export("ucc").stdout, "UCC_TL_UCP_TUNE=alltoall:0-1028:host:[1-5]:inf:@bruck"
                         "#alltoall:1028-inf:host:[1-5]:inf:@pairwise\n")
        self.assertEqual(self.export("intel").stdout,
                         "I_MPI_ADJUST_ALLTOALL=1:0-256@1-5;3:257-8192@1-5;2:8193-2147483647@1-5\n")

    def test_intels_rules_end_where_its_sizes_do(self):
        """From 2 GiB on, a range's end came before its begin."""
        self.map.write_text("startune map 1\noperation bcast\npoint 4 64 grid\nwinner bcast:binomial 1e-05 3\n"
                            f"point 4 {2**50} grid\nwinner bcast:scatter_ring_allgather 1e-05 3\n"
                            f"point 8 {2**50} grid\nwinner bcast:scatter_ring_allgather 1e-05 3\nend 3\n")
        self.assertEqual(self.export("intel").stdout, "I_MPI_ADJUST_BCAST=1:0-268435456@1-5;3:268435457-2147483647@1-5;3:0-2147483647@6-2147483647\n")
        self.map.write_text(self.map.read_text().replace("point 4 64 ", f"point 4 {2**40} "))
        self.assertEqual(self.export("intel").stdout, "I_MPI_ADJUST_BCAST=1:0-2147483647@1-5;3:0-2147483647@6-2147483647\n")

    def write_points(self):
        operations = {}
        for (operation, ranks, size), (method, *_) in POINTS.items():
            operations.setdefault(operation, []).append(f"point {ranks} {size} grid\nwinner {operation}:{method} 1e-05 3\n")
        self.map.write_text("startune map 1\n" + "".join(f"operation {name}\n{''.join(points)}" for name, points in operations.items())
                            + f"end {len(POINTS)}\n")

    def test_uccs_reader_finds_the_maps_methods(self):
        self.write_points()
        written = self.export("ucc")
        self.assertEqual(written.stderr, "")
        name, value = written.stdout.strip().split("=")
        self.assertEqual(name, "UCC_TL_UCP_TUNE")
        reader = UccReader(value)
        for (operation, ranks, size), (_, algorithm, _, _) in POINTS.items():
            self.assertEqual(reader.choose(operation, ranks, total(operation, ranks, size)), algorithm, (operation, ranks, size))
        self.assertEqual(reader.choose("alltoall", 4, 4 * 512), "bruck")  # as near to 64 as to 4096 by their ratio
        self.assertEqual(reader.choose("alltoall", 4, 4 * 513), "pairwise")
        self.assertEqual(reader.choose("reduce", 1000000, 1 << 40), "srg")

    def test_open_mpi_6s_reader_finds_the_maps_methods(self):
        self.write_points()
        reader = TunedReader(self.export("ompi6").stdout)
        for (operation, ranks, size), (_, _, algorithm, segment) in POINTS.items():
            self.assertEqual(reader.choose(operation, ranks, total(operation, ranks, size)), (algorithm, segment), (operation, ranks, size))
        self.assertEqual(reader.choose("alltoall", 4, 4 * 512 + 3), ("modified_bruck", 0))
        self.assertEqual(reader.choose("alltoall", 4, 4 * 513), ("pairwise", 0))
        self.map.write_text(MAP)
        self.assertEqual(TunedReader(self.export("ompi6").stdout).choose("bcast", 4, 65536), ("pipeline", 8192))

    def test_intels_reader_finds_the_maps_methods(self):
        """By the documented form: PRESET:LEAST-MOST@RANKS-RANKS;…, bounds inclusive, sizes those of a block or vector."""
        written = self.export("intel").stdout.strip()
        name, value = written.split("=")
        self.assertEqual(name, "I_MPI_ADJUST_ALLTOALL")
        rules = [[int(number) for number in re.fullmatch(r"(\d+):(\d+)-(\d+)@(\d+)-(\d+)", rule).groups()]
                 for rule in value.split(";")]
        for ranks, size, preset in ((4, 64, 1), (4, 256, 1), (4, 1024, 3), (5, 65536, 2), (8, 1024, None)):
            found = [rule[0] for rule in rules if rule[1] <= size <= rule[2] and rule[3] <= ranks <= rule[4]]
            self.assertEqual(found, [preset] if preset else [])

    def test_native_counts_in_its_own_library_only(self):
        self.map.write_text(MAP.replace("operation alltoall", "mpi MPICH 4.0.2\noperation alltoall"))
        written = self.export("ompi")
        self.assertIn("alltoall:native is not in Open MPI: 3 of 6 cells", written.stderr)

    def test_what_does_not_work_for_the_ranks_takes_no_place(self):
        """In a map, a method that needs a power of two has native's seconds at 6 ranks: nobody measured it there."""
        bruck = "slower alltoall:bruck 4e-05 3\n"
        points = ("startune map 1\nmpi Open MPI 4.1.4\noperation alltoall\n"
                  "point 4 64 grid\nwinner alltoall:{0} 1e-05 3\nslower alltoall:{1} 2e-05 3\nslower alltoall:native 3e-05 3\n"
                  "point 6 64 grid\nwinner alltoall:scheduled 1e-05 3\nslower alltoall:native 2e-05 3\n{2}end 2\n")
        self.map.write_text(points.format("pair", "ring", bruck))
        written = self.export("intel")
        self.assertEqual(written.stdout, "I_MPI_ADJUST_ALLTOALL=3:0-2147483647@1-4;1:0-2147483647@5-2147483647\n")
        self.assertIn("300.0 % slower", written.stderr)
        self.map.write_text(points.format("pair", "ring", ""))
        written = self.export("intel")
        self.assertEqual(written.stdout, "I_MPI_ADJUST_ALLTOALL=3:0-2147483647@1-4\n")
        self.assertIn("alltoall:scheduled is not in Intel: 1 of 2 cells, 1 left to the library", written.stderr)
        self.map.write_text(points.format("pair", "ring", bruck).replace("point 6", "guessed 6").replace("scheduled 1e-05 3", "scheduled - 0"))
        self.assertIn("1 of 2 cells get the fastest that is\n", self.export("intel").stderr)  # nobody knows by how much it is slower
        self.map.write_text(points.format("ring", "pair", bruck))
        self.assertNotIn("{&star_alltoall_pair,", self.export("routine").stdout)

    def test_c_names_the_methods(self):
        code = self.home / "decide.c"
        self.export("c", "-o", code)
        code.write_text(code.read_text() + """
#include <stdio.h>
int main(void)
{
    printf("%s %s %s %s\\n", decide_alltoall(4, 256), decide_alltoall(4, 257), decide_alltoall(100, 0), decide_bcast(2, 1));
    return 0;
}
""")
        self.assertStatus(self.command("cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", code, "-o", self.home / "decide"))
        self.assertEqual(self.command(self.home / "decide").stdout,
                         "alltoall:bruck alltoall:scheduled alltoall:native bcast:chain,segment=8K\n")

    def test_a_routine_has_the_methods_in_use_and_no_others(self):
        written = self.export("routine", "--op", "alltoall")
        for part in ("int STAR_Alltoall_custom(", "star_alltoall_bruck =", "star_alltoall_simple =", "star_alltoall_ring ="):
            self.assertIn(part, written.stdout)
        code = re.sub(r"/\*.*?\*/", "", written.stdout, flags=re.DOTALL)
        for part in ("star_alltoall_scheduled", "star_alltoall_mesh2d", "star_bcast"):
            self.assertNotIn(part, code)
        self.assertIn("alltoall:scheduled cannot be in the routine without --topology: 1 of 6 cells", written.stderr)
        self.assertIn("100.0 % slower", written.stderr)

    def test_without_a_topology_a_routine_has_nothing_that_goes_by_switches(self):
        """Methods by levels of switches were in it, applied to no ranks, and the MPI library's own ran unsaid."""
        for method in ("alltoall:lanes,level=switch", "alltoall:ring,order=dfs"):
            self.map.write_text(MAP.replace("alltoall:scheduled", method))
            written = self.export("routine", "--op", "alltoall")
            self.assertNotIn(f": {method} */", written.stdout)
            self.assertIn(f"{method} cannot be in the routine without --topology: 1 of 6 cells", written.stderr)

    def test_a_routine_says_where_nothing_takes_a_methods_place(self):
        """It said that these cells lost 0.0 %."""
        points = ("startune map 1\noperation alltoall\npoint 4 64 grid\nwinner alltoall:scheduled 1e-05 3\n{}"
                  "point 8 64 grid\nwinner alltoall:scheduled 1e-05 3\nend 2\n")
        cannot = "alltoall:scheduled cannot be in the routine without --topology: 2 of 2 cells"
        self.map.write_text(points.format(""))
        self.assertEqual(self.export("routine").stderr, f"startune export: {cannot}, 2 left to the library\n")
        self.map.write_text(points.format("slower alltoall:ring 1.5e-05 3\n"))
        self.assertEqual(self.export("routine").stderr, f"startune export: {cannot} get the fastest that can, 50.0 % slower "
                         "on average; 1 left to the library\n")

    def test_a_routine_takes_mpis_names_and_a_topology(self):
        topology = self.home / "net.topo"
        topology.write_text("switch s\nhost n[0-7] s 100\n")
        written = self.export("routine", "--name", "MPI_*", "--topology", topology)
        for part in ("int MPI_Alltoall(", "int MPI_Bcast(", "int MPI_Scan(", "star_alltoall_scheduled =", '"n7", '):
            self.assertIn(part, written.stdout)
        self.assertEqual(written.stderr, "")

    def test_mock_ups_are_not_in_routines(self):
        self.map.write_text(MAP.replace("winner alltoall:simple", "winner alltoall:as_alltoallv"))
        written = self.export("routine", "--op", "alltoall")
        self.assertIn("alltoall:as_alltoallv cannot be in the routine: 1 of 6 cells", written.stderr)

    def test_a_routine_that_cannot_be_is_refused(self):
        routine = ("export", "--format", "routine", self.map)
        for name in ("STAR_Alltoall", "STAR_*_*", "1*", "a b*", "*;"):
            self.assertRefused(self.startune(*routine, "--name", name), "names no functions")
        self.assertRefused(self.startune(*routine, "--topology", self.home / "none"), "none")

    def test_star_is_the_map(self):
        self.assertEqual(self.export("star").stdout, MAP)

    def test_all_formats_take_the_operations_that_are_asked_for(self):
        self.assertEqual(self.export("star", "--op", "scan").stdout,
                         "startune map 1\noperation scan\npoint 4 8 grid\nwinner scan:binomial 1e-05 3\nend 1\n")
        written = self.export("ompi", "--op", "bcast")
        self.assertEqual((self.numbers(written.stdout)[:2], written.stderr), ([[1], [7]], ""))
        for form in ("ompi", "routine"):
            self.assertRefused(self.startune("export", "--format", form, self.map, "--op", "gather"), "the map does not know gather")
            self.assertRefused(self.startune("export", "--format", form, self.map, "--op", "alltoall,bcst"), "did you mean", "bcast")

    def test_the_maps_words_stay_in_their_comment(self):
        self.map.write_text(MAP.replace("operation alltoall", "mpi x */ int y; /*/ z\noperation alltoall"))
        code = self.home / "routine.c"
        self.export("routine", "--op", "bcast", "-o", code)
        self.assertIn("of x * / int y; / * / z. Link", code.read_text())

    def test_bad_input_is_refused(self):
        self.assertRefused(self.startune("export", self.map), "no format")
        self.assertRefused(self.startune("export", "--format", "ompi"), "no map")
        self.assertRefused(self.startune("export", "--format", "opmi", self.map), "did you mean 'ompi'?")
        self.assertRefused(self.startune("export", "--format", "mpich", "--base", self.map, self.map), "a.map", "no tree")
        for option, value, form in (("topology", "net.topo", "ompi"), ("name", "MPI_*", "c"), ("base", self.map, "routine")):
            self.assertRefused(self.startune("export", "--format", form, f"--{option}", value, self.map), f"--{option} is not for --format {form}")
        self.assertRefused(self.startune("export", "--format", "mpich", "--commutative", self.map), "--commutative is not for --format mpich")
        self.map.write_text(MAP[:-7])
        self.assertRefused(self.startune("export", "--format", "ompi", self.map), "a.map:")

    REDUCING = {"allreduce": ["ring", "rdb", "rab1", "as_reduce_bcast"],
                "reduce": ["linear", "chain", "binary", "binomial", "in_order_binary", "reduce_scatter_gather"],
                "reduce_scatter": ["halving", "ring", "butterfly"], "reduce_scatter_block": ["halving", "butterfly"]}

    def write_reducing(self):
        """Each method wins at a size of its own: 64 bytes, 256, 1024, …"""
        text, points = "startune map 1\n", 0
        for operation, methods in self.REDUCING.items():
            text += f"operation {operation}\n"
            for method in methods:
                text += f"point 4 {64 << 2 * methods.index(method)} grid\nwinner {operation}:{method} 1e-05 3\n"
                points += 1
        self.map.write_text(text + f"end {points}\n")

    def reduced_rightly(self, mpi, rules, operation):
        """By an operator that is not commutative, by 4 ranks, at all sizes of the map."""
        variable = {"openmpi": "OMPI_MCA_coll_tuned_dynamic_rules_filename", "mpich": "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"}[mpi]
        result = self.mpirun(mpi, 4, BUILD / f"tests/cli/operators-{mpi}", operation, *[64 << 2 * i for i in range(6)],
                             env={variable: str(rules), "OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "MPIR_CVAR_NOLOCAL": "1"})
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return result.returncode == 0

    @each_mpi
    def test_rules_are_right_for_operators_that_are_not_commutative(self, mpi):
        """Open MPI obeys its rules whatever the operator: six of its methods gave wrong results."""
        self.write_reducing()
        rules = self.home / "rules"
        self.export({"openmpi": "ompi", "mpich": "mpich"}[mpi], "-o", rules)
        for operation in self.REDUCING:
            self.assertTrue(self.reduced_rightly(mpi, rules, operation), operation)

    def test_what_needs_commutative_operators_is_written_when_all_are(self):
        self.write_reducing()
        rules = self.home / "rules"
        written = self.export("ompi", "-o", rules)
        for method in ("allreduce:ring", "reduce:chain", "reduce:binary", "reduce:binomial", "reduce_scatter:halving", "reduce_scatter:ring"):
            self.assertIn(f"{method} is not in Open MPI for all operators (--commutative): 1 of ", written.stderr)
        self.assertEqual(written.stderr.count("\n"), 6)
        self.assertEqual(self.export("ompi", "--commutative", "-o", rules).stderr, "")
        reduce = json.loads(self.export("ompi6", "--commutative").stdout)["collectives"]["reduce"]
        self.assertEqual([rule["alg"] for rule in reduce[0]["rules"]],
                         ["linear", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner"])
        if "openmpi" in MPIS:
            for operation in ("allreduce", "reduce", "reduce_scatter"):
                self.assertFalse(self.reduced_rightly("openmpi", rules, operation), operation)

    def traced(self, mpi, sizes, operation="alltoall", **env):
        """What the spy of that MPI saw on rank 0 while each size was exchanged by 4 ranks."""
        spy, program = BUILD / f"tests/cli/spy-{mpi}.so", BUILD / f"tests/cli/sizes-{mpi}"
        result = self.mpirun(mpi, 4, "env", f"LD_PRELOAD={spy}", program, operation, *sizes, env={"MPIR_CVAR_NOLOCAL": "1"} | env)
        self.assertStatus(result)
        return [part.split("\nend")[0] for part in result.stderr.split("size ")[1:]]

    @unittest.skipUnless("openmpi" in MPIS, "no Open MPI")
    def test_open_mpi_does_what_its_rules_say(self):
        rules = self.home / "rules"
        self.export("ompi", "-o", rules)
        env = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(rules)}
        seen = self.traced("openmpi", [64, 256, 257, 8192, 8193], **env)
        self.assertEqual([re.findall("intra_(.*)", part) for part in seen],
                         [["bruck"], ["bruck"], ["pairwise"], ["pairwise"], ["basic_linear"]])
        [seen] = self.traced("openmpi", [65536], "bcast", **env)
        self.assertIn("intra_pipeline", seen)
        self.assertIn("segment 8192", seen)

    @unittest.skipUnless("mpich" in MPIS, "no MPICH")
    def test_mpich_does_what_its_rules_say(self):
        rules = self.home / "rules.json"
        self.export("mpich", "-o", rules)
        seen = self.traced("mpich", [64, 256, 257, 8192, 8193], MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=str(rules))
        # Bruck sends half of the blocks twice; pairwise sends to each other rank; scattered to itself, too.
        self.assertEqual([[int(size) for size in re.findall("sends ([0-9]+)", part)] for part in seen],
                         [[128] * 2, [512] * 2, [257] * 3, [8192] * 3, [8193] * 4])

    @unittest.skipUnless("mpich" in MPIS, "no MPICH")
    def test_mpich_counts_allgathers_bytes_of_all_ranks_together(self):
        """MPICH has no average size of it: it said so on standard error at each call, and took the first rule."""
        self.map.write_text("startune map 1\noperation allgather\npoint 4 64 grid\nwinner allgather:bruck 1e-05 3\n"
                            "point 4 1024 grid\nwinner allgather:neighbor_ring 1e-05 3\nend 2\n")
        rules = self.home / "rules.json"
        self.export("mpich", "-o", rules)
        rows = json.loads(rules.read_text())["collective=allgather"]["comm_type=intra"]["comm_size=any"]
        self.assertEqual(list(rows), [f"total_msg_size<={4 * 257 - 1}", "total_msg_size=any"])
        seen = self.traced("mpich", [256, 257], "allgather", MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=str(rules))
        # Bruck sends what it has, twice as much each time; a ring one block to the next rank, three times.
        self.assertEqual([part.split("\n", 1)[1] for part in seen],
                         ["sends 256\nsends 512", "sends 257\nsends 257\nsends 257"])

    @unittest.skipUnless("mpich" in MPIS, "no MPICH")
    def test_mpichs_own_rules_stay_for_what_the_map_does_not_say(self):
        rules = json.loads(self.export("mpich").stdout)
        alltoall = rules["collective=alltoall"]["comm_type=intra"]
        own = alltoall["is_sendbuf_inplace=yes"]
        self.assertEqual(alltoall["is_sendbuf_inplace=no"]["comm_size=any"], {"avg_msg_size=any": own})
        again = self.home / "rules.json"
        for indent in (None, 4):  # may be the base of another export, however it is written
            again.write_text(json.dumps(rules, indent=indent))
            self.assertStatus(self.startune("export", "--format", "mpich", "--base", again, self.map))


if __name__ == "__main__":
    main()
