# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import re
import shutil
import signal
import struct
from pathlib import Path

from command import BUILD, MPIS, STARTUNE, CommandTest, an_mpi, each_mpi, exchange, main


class Run(CommandTest):
    def variables(self, result):
        self.assertStatus(result)
        return dict(line.split("=", 1) for line in result.stdout.splitlines() if "=" in line)

    def test_the_programs_status_is_passed_on(self):
        for status in (0, 1, 2, 3, 126, 127, 255):
            self.assertStatus(self.startune("run", "sh", "-c", f"exit {status}"), status)

    def test_a_signal_is_passed_on(self):
        result = self.startune("run", "sh", "-c", "kill -TERM $$")
        self.assertEqual(result.returncode, -signal.SIGTERM)

    def test_a_program_that_is_not_there(self):
        self.assertRefused(self.startune("run", "no-such-program"), "no-such-program", status=127)
        self.assertRefused(self.startune("run", "./no-such-program"), "./no-such-program", status=127)
        self.assertRefused(self.startune("run", "/no/such/program"), "/no/such/program", status=127)
        self.assertRefused(self.startune("run", "ls", env={"PATH": "/nonexistent"}), "ls", status=127)
        self.assertRefused(self.startune("run", ""), status=127)

    @each_mpi
    def test_a_mistake_of_all_ranks_is_said_once(self, mpi):
        for words, reason in [(["--no-such-option"], "no-such-option"), (["./no-such-program"], "no-such-program")]:
            result = self.mpirun(mpi, 4, STARTUNE, "run", *words)
            self.assertNotEqual(result.returncode, 0)
            self.assertEqual(len(re.findall(rf"(?m)^startune run: error: .*{reason}", result.stderr)), 1, result.stderr)

    def test_mistakes_of_one_launcher_that_differ_are_all_said(self):
        self.assertRefused(self.startune("run", "--no-such-option", env={"PMI_RANK": "1"}), "no-such-option")
        both = self.command("sh", "-c", f"'{STARTUNE}' run --mine & '{STARTUNE}' run --yours & '{STARTUNE}' run --mine; wait", env={"PMI_RANK": "1"})
        self.assertEqual(sorted(re.findall("--(mine|yours)", both.stderr)), ["mine", "yours"])

    def test_a_program_that_cannot_be_run(self):
        (self.home / "data").write_text("no program")
        self.assertRefused(self.startune("run", "./data"), "./data", status=126)
        self.assertRefused(self.startune("run", "/tmp"), "/tmp", status=126)
        script = self.home / "script"
        script.write_text("#!/nonexistent/interpreter\n")
        script.chmod(0o755)
        self.assertRefused(self.startune("run", "./script"), "./script", status=126)

    def test_a_program_without_mpi_runs_untouched(self):
        self.assertNotIn("LD_PRELOAD", self.variables(self.startune("run", "env")))

    def test_what_was_preloaded_stays(self):
        yielding = str(BUILD / "tests/yield.so")
        variables = self.variables(self.startune("run", "env", env={"LD_PRELOAD": yielding}))
        self.assertEqual(variables["LD_PRELOAD"], yielding)
        variables = self.variables(self.startune("run", "--mpi", MPIS[0], "env", env={"LD_PRELOAD": yielding}))
        other, library = variables["LD_PRELOAD"].split(":") # behind tools that are there already
        self.assertTrue(os.path.samefile(library, BUILD / f"lib/libstartune-{MPIS[0]}.so"), library)
        self.assertEqual(other, yielding)
        before = {"LD_PRELOAD": f"{library} /there/libmpi.so.40 {yielding}"} # but in front of an MPI library, and once
        variables = self.variables(self.startune("run", "--mpi", MPIS[0], "env", env=before))
        self.assertEqual(variables["LD_PRELOAD"], before["LD_PRELOAD"])
        before = {"LD_PRELOAD": f"{yielding} /there/libmpich.so.12"}
        variables = self.variables(self.startune("run", "--mpi", MPIS[0], "env", env=before))
        self.assertEqual(variables["LD_PRELOAD"], f"{yielding} {library}:/there/libmpich.so.12")

    def test_the_launcher_tells_the_mpi_of_a_script(self):
        launchers = {"openmpi": {"OMPI_COMM_WORLD_SIZE": "2"}, "mpich": {"PMI_RANK": "0"}}
        for mpi in launchers.keys() & set(MPIS):
            preload = self.variables(self.startune("run", "env", env=launchers[mpi]))["LD_PRELOAD"]
            self.assertIn(f"/libstartune-{mpi}.so", preload)

    def test_a_program_of_the_standard_abi_gets_that_build(self):
        """Whatever the launcher; without that build, a line says so. The ABI's library has nothing here."""
        (self.home / "abi.c").write_text("int nothing;\n")
        (self.home / "app.c").write_text("extern int nothing; int main(void) { return nothing; }\n")
        self.assertStatus(self.command("cc", "-shared", "-fPIC", "abi.c", "-Wl,-soname,libmpi_abi.so.1", "-o", "libmpi_abi.so.1"))
        self.assertStatus(self.command("cc", "app.c", "./libmpi_abi.so.1", "-Wl,-rpath,$ORIGIN", "-o", "app"))
        self.assertStatus(self.command("./app"))
        for launcher in ({}, {"OMPI_COMM_WORLD_SIZE": "2"}, {"PMI_RANK": "0"}):
            result = self.startune("run", "./app", env=launcher)
            if "abi" in MPIS: # which finds none of MPI's functions
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("libstartune-abi.so", result.stderr)
            else:
                self.assertRefused(result, "the program uses abi", "|".join(MPIS))

    def test_arguments_arrive_as_they_were_given(self):
        words = ["a b", "", "*", "--help", "--iter", "$HOME", "'", "\\", "line\nfeed", "--"]
        result = self.startune("run", "--iter", 5, "printf", "[%s]", *words)
        self.assertStatus(result)
        self.assertEqual(result.stdout, "".join(f"[{word}]" for word in words))

    def test_two_dashes_end_the_options(self):
        result = self.startune("run", "--", "echo", "--iter")
        self.assertStatus(result)
        self.assertEqual(result.stdout, "--iter\n")

    def test_standard_input_reaches_the_program(self):
        result = self.command("sh", "-c", f"echo words | {BUILD}/bin/startune run cat")
        self.assertEqual(result.stdout, "words\n")

    def test_a_script_without_an_interpreter_runs_as_in_the_shell(self):
        script = self.home / "a script"
        script.write_text("echo \"$0 $1\"\n")
        script.chmod(0o755)
        result = self.startune("run", "./a script", "b c")
        self.assertStatus(result)
        self.assertEqual(result.stdout, "./a script b c\n")

    def test_a_program_of_another_machine_is_no_script(self):
        """It was given to the shell, which said odd things of its bytes."""
        program = bytearray(Path("/bin/sh").read_bytes())
        program[18:20] = b"\xff\xff"  # e_machine
        for name, content in (("elsewhere", program), ("other", b"MZ\0\n"), ("short", b"\x7fELF\n")):
            (self.home / name).write_bytes(content)
            (self.home / name).chmod(0o755)
            self.assertRefused(self.startune("run", f"./{name}"), f"./{name}", "Exec format error", status=126)

    def test_the_program_gets_its_own_name(self):
        result = self.startune("run", "sh", "-c", "tr '\\0' ' ' </proc/$$/cmdline")
        self.assertTrue(result.stdout.startswith("sh -c "), result.stdout)

    def test_the_settings_reach_the_program_as_variables(self):
        variables = self.variables(self.startune("run", "--iter=7", "--no-summary", "--delta-most", 64, "env"))
        self.assertEqual(variables["STARTUNE"], "on")
        self.assertEqual(variables["STARTUNE_ITER"], "7")
        self.assertEqual(variables["STARTUNE_SUMMARY"], "off")
        self.assertEqual(variables["STARTUNE_DELTA_MOST"], "64")

    def test_files_are_found_from_another_folder(self):
        """A program that changed its folder before MPI_Init had no map, and no topology."""
        files = {name: f"files/{name}" for name in ("map", "topology", "report", "wisdom")}
        words = [word for name, file in files.items() for word in (f"--{name}", file)]
        (self.home / "mine.conf").write_text("iter = 7\n")
        variables = self.variables(self.startune("run", "--settings", "mine.conf", *words, "env"))
        for name, file in files.items():
            self.assertEqual(variables[f"STARTUNE_{name.upper()}"], str(self.home.resolve() / file))
        self.assertEqual(variables["STARTUNE_ITER"], "7")
        self.assertNotIn("STARTUNE_SETTINGS", variables)
        variables = self.variables(self.startune("run", "--map", "none", "--topology", "none", "--wisdom", "off", "env"))
        for name, word in (("MAP", "none"), ("TOPOLOGY", "none"), ("WISDOM", "off"), ("REPORT", "")):
            self.assertEqual(variables[f"STARTUNE_{name}"], word)
        self.assertRefused(self.startune("run", "--map", "x" * 1020, "touch", "x"), "--map", "1023")

    def test_off_by_option_and_by_environment(self):
        for words, env in ((["--off"], {}), ([], {"STARTUNE": "off"})):
            self.assertEqual(self.variables(self.startune("run", *words, "env", env=env))["STARTUNE"], "off")

    @an_mpi
    def test_a_program_is_tuned_and_says_so_on_standard_error_only(self, mpi):
        result = self.mpirun(mpi, 3, BUILD / "bin/startune", "run", exchange(mpi), 200)
        self.assertStatus(result)
        self.assertEqual(result.stdout, "200 calls on 3 ranks, 0 wrong\n")
        self.assertRegex(result.stderr, r"^startune: (lost|saved|not clear: from).* in [01] of 1 context; startune report tells more\n$")
        full = self.mpirun(mpi, 3, BUILD / "bin/startune", "run", "--summary", "full", exchange(mpi), 200)
        self.assertRegex(full.stderr, r"(?m)^startune: alltoall +4 +3 +\d+ +alltoall:")

    @an_mpi
    def test_calls_that_do_not_promise_to_pay_stay_native(self, mpi):
        sizes = BUILD / f"tests/cli/sizes-{mpi}"
        words = ("run", "--report", "run.json", sizes, "alltoall", *[64] * 40)
        said = self.mpirun(mpi, 3, BUILD / "bin/startune", *words, env={"STARTUNE_TUNE_AFTER": "auto"})
        self.assertNotIn("startune", said.stderr)
        full = self.mpirun(mpi, 3, BUILD / "bin/startune", "run", "--summary", "full", *words[1:], env={"STARTUNE_TUNE_AFTER": "auto"})
        self.assertRegex(full.stderr, r"(?m)^startune: alltoall +64 +3 +40 +alltoall:native")
        self.assertIn("startune: nothing to tune: what calls took does not promise to pay", full.stderr)
        self.assertNotRegex(full.stderr, "lost|saved .* of a run")
        self.mpirun(mpi, 3, BUILD / "bin/startune", *words, *[1 << 18] * 4000, env={"STARTUNE_TUNE_AFTER": "auto"})
        contexts = {c.get("bytes", c["operation"]): c for c in json.loads((self.home / "run.json").read_text())["contexts"]}
        self.assertEqual((contexts[64]["tuned"], contexts[64]["calls"], contexts[64]["method"]), (False, 40, "alltoall:native"))
        self.assertEqual((contexts[1 << 18]["tuned"], contexts[1 << 18]["calls"]), (True, 4000))

    @each_mpi
    def test_all_ranks_ask_at_the_same_call(self, mpi):
        """Ranks counted only those calls that they timed, of which each draws its own, and asked at different ones."""
        result = self.mpirun(mpi, 2, STARTUNE, "run", exchange(mpi), 20000, env={"STARTUNE_TUNE_AFTER": "auto"}, timeout=200)
        self.assertStatus(result)
        self.assertNotIn("has waited", result.stderr)

    @an_mpi
    def test_what_took_less_than_a_hundredth_is_told_together(self, mpi):
        few, communicators, sizes, rounds = 32, 20, 10, 2
        contexts = [BUILD / f"tests/cli/contexts-{mpi}", communicators, sizes, rounds]
        self.mpirun(mpi, 3, STARTUNE, "run", "--report", "run.json", *contexts, env={"STARTUNE_TUNE_AFTER": "auto"})
        report = json.loads((self.home / "run.json").read_text())
        self.assertTrue(few <= len(report["contexts"]) <= few + 100, len(report["contexts"]))
        rows = [one for one in [*report["contexts"], *report["others"]] if one["operation"] == "alltoall"]
        calls = communicators * sizes * rounds  # of which a communicator's first few are not looked at
        self.assertTrue(calls / 2 <= sum(one["calls"] for one in rows) <= calls)
        self.assertTrue(all(0 < one["seconds"] < report["seconds"] for one in report["others"]), report["others"])

    @an_mpi
    def test_calls_past_the_bound_of_sizes_are_counted(self, mpi):
        sizes = range(8, 808, 8)
        self.mpirun(mpi, 3, STARTUNE, "run", "--report", "run.json", BUILD / f"tests/cli/sizes-{mpi}", "alltoall", *sizes,
                    env={"STARTUNE_TUNE_AFTER": "auto"})
        report = json.loads((self.home / "run.json").read_text())
        rows = [one for one in [*report["contexts"], *report["others"]] if one["operation"] == "alltoall"]
        self.assertEqual(sum(one["calls"] for one in rows), len(sizes))
        self.assertIn("not told one by one", self.startune("report", "run.json", "--all").stdout)

    def calls_of_sizes(self, mpi, operation, sizes):
        """Calls of each size that has a context."""
        self.assertStatus(self.mpirun(mpi, 3, STARTUNE, "run", "--report", "run.json", BUILD / f"tests/cli/sizes-{mpi}", operation, *sizes,
                                      env={"STARTUNE_TUNE_AFTER": "auto"}))
        report = json.loads((self.home / "run.json").read_text())
        return {row["bytes"]: row["calls"] for row in report["contexts"] if row["operation"] == operation}

    @an_mpi
    def test_sizes_that_are_called_no_longer_make_room_for_others(self, mpi):
        """Sixteen sizes that a program called once at its beginning were looked at for ever, and no others."""
        for operation, first, later in ("alltoall", range(8, 136, 8), [1024, 40960]), ("bcast", range(20000, 36000, 1000), [40960, 1 << 17]):
            counted = self.calls_of_sizes(mpi, operation, [*first, *later * 100])
            self.assertEqual([size for size in later if counted.get(size, 0) < 50], [], counted)

    @an_mpi
    def test_sizes_that_come_again_and_again_keep_their_places(self, mpi):
        counted = self.calls_of_sizes(mpi, "alltoall", [*range(8, 480, 8), "x100"])
        self.assertEqual(sum(calls > 50 for calls in counted.values()), 16, counted)

    @an_mpi
    def test_where_nothing_was_to_be_tuned_nothing_is_said_unless_asked(self, mpi):
        for how, says in (("on", ""), ("off", ""), ("full", "startune: nothing to tune")):
            result = self.mpirun(mpi, 1, BUILD / "bin/startune", "run", "--summary", how, exchange(mpi), 20)
            self.assertStatus(result)
            self.assertTrue(result.stderr.startswith(says) and bool(result.stderr) == bool(says), result.stderr)

    @an_mpi
    def test_off_leaves_the_program_alone(self, mpi):
        for words, env in ((["--off"], {}), ([], {"STARTUNE": "off"})):
            result = self.mpirun(mpi, 2, BUILD / "bin/startune", "run", *words, exchange(mpi), 200, env=env)
            self.assertStatus(result)
            self.assertEqual(result.stdout, "200 calls on 2 ranks, 0 wrong\n")
            self.assertNotIn("startune", result.stderr)

    @an_mpi
    def test_a_program_that_runs_as_another_user_is_not_tuned_and_says_so(self, mpi):
        program = self.home / f"app-{mpi}"
        shutil.copy(exchange(mpi), program)
        if os.geteuid() != 0 or os.statvfs(self.home).f_flag & os.ST_NOSUID:
            self.skipTest("needs root, and a file system with set-user-ID programs")
        os.chown(program, 65534, -1)
        self.home.chmod(0o755)
        program.chmod(0o4755)
        env = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        result = self.startune("run", program, 10, env=env)
        self.assertIn(f"startune: warning: {program} is set-user-ID", result.stderr)
        program.chmod(0o755)
        self.assertNotIn("set-user-ID", self.startune("run", program, 10, env=env).stderr)

    @an_mpi
    def test_a_program_that_gets_capabilities_is_not_tuned_and_says_so(self, mpi):
        """The loader leaves startune out: it ran untuned without a word. Where no program gets more rights, none is warned of."""
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        program = self.home / f"app-{mpi}"
        shutil.copy(exchange(mpi), program)
        self.home.chmod(0o755)
        effective, net_raw = 0x02000001, 1 << 13
        try:
            os.setxattr(program, "security.capability", struct.pack("<5I", effective, net_raw, 0, 0, 0))
        except OSError:
            self.skipTest("needs root, and a file system with capabilities")
        if self.command(*nobody, STARTUNE, "run", "true").returncode:
            self.skipTest("needs root, and a build that others may run")
        result = self.command(*nobody, STARTUNE, "run", program, 10)
        self.assertIn(f"startune: warning: {program} has file capabilities: it runs untuned\n", result.stderr)
        os.removexattr(program, "security.capability")
        program.chmod(0o4755)
        self.assertIn("is set-user-ID", self.command(*nobody, STARTUNE, "run", program, 10).stderr)
        self.assertNotIn("set-user-ID", self.command(*nobody, "--no-new-privs", STARTUNE, "run", program, 10).stderr)

    @an_mpi
    def test_a_system_without_proc_is_named(self, mpi):
        hidden = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if self.command(*hidden, "true").returncode:
            self.skipTest("needs root, and namespaces of its own")
        self.assertRefused(self.command(*hidden, STARTUNE, "run", exchange(mpi), 10), "is /proc mounted?", status=1)

    @an_mpi
    def test_an_mpi_programs_status_is_passed_on(self, mpi):
        self.assertStatus(self.mpirun(mpi, 2, BUILD / "bin/startune", "run", exchange(mpi), 10, 3), 3)

    @an_mpi
    def test_a_program_alone_is_found_without_a_launcher(self, mpi):
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        result = self.startune("run", exchange(mpi), 10, env=root)
        self.assertStatus(result)
        self.assertEqual(result.stdout, "10 calls on 1 ranks, 0 wrong\n")

    @an_mpi
    def test_the_mpi_may_be_that_of_a_library_that_the_program_needs(self, mpi):
        compiler = os.environ.get(f"STARTUNE_CC_{mpi}")
        if not compiler:
            self.skipTest("no compiler of the MPI library is known")
        (self.home / "solver.c").write_text("#include <mpi.h>\nint solve(void) { int is; return MPI_Initialized(&is); }\n")
        (self.home / "app.c").write_text("#include <stdio.h>\n#include <stdlib.h>\nint solve(void);\n"
                                         "int main(void) { fputs(getenv(\"LD_PRELOAD\"), stderr); return solve(); }\n")
        self.assertStatus(self.command(compiler, "-shared", "-fPIC", "solver.c", "-o", "libsolver.so"))
        self.assertStatus(self.command("cc", "app.c", "-o", "app", "-L.", "-lsolver", "-Wl,-rpath,$ORIGIN", "-Wl,--allow-shlib-undefined"))
        for how in ("", ">&-", ">&- <&-", "2>&1 >&-"):  # the loader, which is asked, needs a pipe
            result = self.command("sh", "-c", f"exec '{STARTUNE}' run ./app {how}")
            self.assertStatus(result)
            self.assertIn(f"/libstartune-{mpi}.so", result.stdout + result.stderr, how)

    @an_mpi
    def test_a_forced_method_that_does_not_apply_is_native_with_one_warning(self, mpi):
        result = self.mpirun(mpi, 3, BUILD / "bin/startune", "run", "--force", "alltoall:pair", exchange(mpi), 50)
        self.assertStatus(result)
        self.assertEqual(result.stderr.count("warning"), 1, result.stderr)
        self.assertIn("power of two", result.stderr)

    @an_mpi
    def test_a_refusal_reaches_the_user_before_the_program_starts(self, mpi):
        result = self.mpirun(mpi, 2, BUILD / "bin/startune", "run", "--itr", 5, exchange(mpi))
        self.assertNotEqual(result.returncode, 0)
        self.assertNotIn("calls on", result.stdout)
        self.assertIn("did you mean --iter", result.stderr)


if __name__ == "__main__":
    main()
