# SPDX-License-Identifier: BSD-3-Clause
"""startune export: what is written, and that the MPI libraries here read it and do what it says."""
import json
import re
import unittest

from command import BUILD, MPIS, CommandTest, main

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

    def test_open_mpi_6_reads_json(self):
        rules = json.loads(self.export("ompi6").stdout)
        self.assertEqual(rules["rule_file_version"], 3)
        four, eight = rules["collectives"]["alltoall"]
        self.assertEqual((four["comm_size_min"], four["comm_size_max"], eight["comm_size_min"], eight["rules"]), (1, 5, 6, []))
        self.assertEqual([(rule["msg_size_min"], rule.get("msg_size_max"), rule["alg"]) for rule in four["rules"]],
                         [(0, 1027, "modified_bruck"), (1028, 32771, "pairwise"), (32772, None, "linear")])
        self.assertEqual(rules["collectives"]["bcast"][0]["rules"][0], {"msg_size_min": 0, "alg": "pipeline", "seg_size": 8192})

    def test_settings_of_ucc_and_intel(self):
        self.assertEqual(self.export("ucc").stdout, "UCC_TL_UCP_TUNE=alltoall:0-257:host:[1-5]:inf:@bruck"
                         "#alltoall:257-inf:host:[1-5]:inf:@pairwise\n")
        self.assertEqual(self.export("intel").stdout,
                         "I_MPI_ADJUST_ALLTOALL=1:0-256@1-5;3:257-8192@1-5;2:8193-2147483647@1-5\n")

    def test_native_counts_in_its_own_library_only(self):
        self.map.write_text(MAP.replace("operation alltoall", "mpi MPICH 4.0.2\noperation alltoall"))
        written = self.export("ompi")
        self.assertIn("alltoall:native is not in Open MPI: 3 of 6 cells", written.stderr)

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
        for part in ("star_alltoall_scheduled", "star_bcast", "bcast_native", "star_tuner_"):
            self.assertNotIn(part, written.stdout)
        self.assertIn("alltoall:scheduled cannot be in the routine without --topology: 1 of 6 cells", written.stderr)
        self.assertIn("100.0 % slower", written.stderr)

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
        self.assertNotIn("alltoallv_native", written.stdout)

    def test_a_routine_that_cannot_be_is_refused(self):
        routine = ("export", "--format", "routine", self.map)
        for name in ("STAR_Alltoall", "STAR_*_*", "1*", "a b*", "*;"):
            self.assertRefused(self.startune(*routine, "--name", name), "names no functions")
        self.assertRefused(self.startune(*routine, "--op", "gather"), "the map does not know gather")
        self.assertRefused(self.startune(*routine, "--op", "alltoall,bcst"), "did you mean", "bcast")
        self.assertRefused(self.startune(*routine, "--topology", self.home / "none"), "none")

    def test_star_is_the_map(self):
        self.assertEqual(self.export("star").stdout, MAP)

    def test_bad_input_is_refused(self):
        self.assertRefused(self.startune("export", self.map), "no format")
        self.assertRefused(self.startune("export", "--format", "ompi"), "no map")
        self.assertRefused(self.startune("export", "--format", "opmi", self.map), "did you mean 'ompi'?")
        self.assertRefused(self.startune("export", "--format", "mpich", "--base", self.map, self.map), "a.map", "no tree")
        self.map.write_text(MAP[:-7])
        self.assertRefused(self.startune("export", "--format", "ompi", self.map), "a.map:")

    def traced(self, mpi, sizes, operation="alltoall", **env):
        """What the spy of that MPI saw on rank 0 while each size was exchanged by 4 ranks."""
        spy, program = BUILD / f"tests/cli/spy-{mpi}.so", BUILD / f"tests/cli/sizes-{mpi}"
        words = ["mpirun.openmpi", "-n", 4, "-x", f"LD_PRELOAD={spy}"] if mpi == "openmpi" else [
            "mpirun.mpich", "-n", 4, "-genv", "LD_PRELOAD", spy]
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
                "OMPI_MCA_btl_base_warn_component_unused": "0", "UCX_LOG_LEVEL": "error", "MPIR_CVAR_NOLOCAL": "1"}
        result = self.command(*words, program, operation, *sizes, env=root | env)
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
    def test_mpichs_own_rules_stay_for_what_the_map_does_not_say(self):
        rules = json.loads(self.export("mpich").stdout)
        alltoall = rules["collective=alltoall"]["comm_type=intra"]
        own = alltoall["is_sendbuf_inplace=yes"]
        self.assertEqual(alltoall["is_sendbuf_inplace=no"]["comm_size=any"], {"avg_msg_size=any": own})
        again = self.home / "rules.json"
        again.write_text(json.dumps(rules))  # may be the base of another export
        self.assertStatus(self.startune("export", "--format", "mpich", "--base", again, self.map))


if __name__ == "__main__":
    main()
