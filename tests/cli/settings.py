# SPDX-License-Identifier: BSD-3-Clause
"""Where settings come from: options before the environment before files."""
import os

from command import BUILD, STARTUNE, CommandTest, each_mpi, exchange, main


class Settings(CommandTest):
    def shown(self, *words, env=None):
        listed = self.json_of(self.startune("settings", "--json", *words, env=env))
        return {setting["name"]: setting for setting in listed}

    def file(self, name, text):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def test_defaults(self):
        for name, setting in self.shown().items():
            self.assertEqual(setting["value"], setting["default"], name)
            self.assertEqual(setting["origin"], "default", name)
            self.assertTrue(setting["meaning"])
            self.assertTrue(setting["taken"])
            self.assertRegex(setting["variable"], r"^STARTUNE(_[A-Z_]+)?$")

    def test_the_text_says_the_same_as_the_json(self):
        text = self.startune("settings", "--iter", 6).stdout
        for name, setting in self.shown("--iter", 6).items():
            self.assertIn(f"{name} = {setting['value']}\n", text)
            self.assertIn(f"from: {setting['origin']}; variable {setting['variable']}\n", text)

    def test_an_option_counts_more_than_the_environment_and_that_more_than_a_file(self):
        path = self.file("s.conf", "iter = 4\nwarmup = 4\ndelta = 4\n")
        env = {"STARTUNE_SETTINGS": path, "STARTUNE_ITER": "5", "STARTUNE_WARMUP": "5"}
        shown = self.shown("--iter", 6, env=env)
        self.assertEqual((shown["iter"]["value"], shown["iter"]["origin"]), ("6", "option"))
        self.assertEqual((shown["warmup"]["value"], shown["warmup"]["origin"]), ("5", "environment"))
        self.assertEqual((shown["delta"]["value"], shown["delta"]["origin"]), ("4", f"file {path}:3"))

    def test_the_users_own_file(self):
        path = self.file(".config/startune.conf", "# mine\n\n  iter =  7  # calls\n")
        self.assertEqual(self.shown()["iter"]["origin"], f"file {path}:3")
        self.assertEqual(self.shown()["iter"]["value"], "7")
        self.file("config/startune.conf", "iter = 8\n")
        env = {"XDG_CONFIG_HOME": str(self.home / "config")}
        self.assertEqual(self.shown(env=env)["iter"]["value"], "8")

    def test_a_pipe_in_its_place_is_not_waited_for(self):
        (self.home / ".config").mkdir()
        os.mkfifo(self.home / ".config/startune.conf")
        self.assertEqual(self.shown()["iter"]["origin"], "default")

    def test_a_named_file_counts_instead_of_the_users_own(self):
        self.file(".config/startune.conf", "iter = 7\nwarmup = 7\n")
        env = {"STARTUNE_SETTINGS": self.file("s.conf", "iter = 8\n")}
        self.assertEqual(self.shown(env=env)["iter"]["value"], "8")
        self.assertEqual(self.shown(env=env)["warmup"]["origin"], "default")

    def run_iter(self, *words, env=None):
        result = self.startune("run", *words, "sh", "-c", "echo $STARTUNE_ITER", env=env)
        self.assertStatus(result)
        return result.stdout.strip()

    def test_the_option_that_names_a_file(self):
        first, second = self.file("1.conf", "iter = 8\n"), self.file("2.conf", "iter = 9\n")
        self.assertEqual(self.run_iter("--settings", first), "8")
        self.assertEqual(self.run_iter("--settings", first, env={"STARTUNE_SETTINGS": second}), "8")
        self.assertEqual(self.run_iter("--settings", first, env={"STARTUNE_ITER": "3"}), "3")
        for words in (["--settings", first, "--iter", 2], ["--iter", 2, "--settings", first]):
            self.assertEqual(self.run_iter(*words), "2")

    def test_every_option_of_run_may_be_given_to_settings(self):
        path = self.file("s.conf", "iter = 8\n")
        self.assertEqual(self.shown("--settings", path)["iter"]["origin"], f"file {path}:1")
        self.assertEqual(self.shown("--off")["on"]["value"], "off")
        self.assertEqual(self.shown("--no-summary")["summary"]["value"], "off")

    def test_off_in_the_environment(self):
        self.assertEqual(self.shown(env={"STARTUNE": "off"})["on"]["origin"], "environment")

    def test_forms_of_numbers(self):
        shown = self.shown("--epsilon", "0.05", "--memory", "65536")
        self.assertEqual(shown["epsilon"]["value"], "5%")
        self.assertEqual(shown["memory"]["value"], "64K")
        self.assertEqual(self.shown("--memory", "64KB")["memory"]["value"], "64K")

    def test_an_error_in_a_file_names_its_line(self):
        for line, names in (("iter = ten", ["iter", "'ten'"]), ("sites = 2", ["sites", "'2'", "on|off"]),
                            ("iter 5", ["'iter 5'", "name = value"]), ("nodes = block", ["nodes", "'block'", "block:K"]), ("= 5", ["name = value"]),
                            ("assume = latncy=1", ["assume", "'latncy=1'"]), ("predict = yes", ["predict", "off|order|prune"]),
                            ("predict-most = 0.5", ["predict-most", "'0.5'"]),
                            ("force = alltoall:rnig", ["force", "did you mean 'ring'"])):
            with self.subTest(line=line):
                path = self.file("bad.conf", f"# a comment\nwarmup = 2\n{line}\n")
                result = self.startune("run", "--settings", path, "touch", "started")
                self.assertRefused(result, f"{path}:3", *names)
                self.assertFalse((self.home / "started").exists())

    def assertWarned(self, result, *warnings):
        """It ran, and said these lines and nothing else."""
        self.assertStatus(result)
        self.assertEqual(result.stderr, "".join(f"startune: warning: {warning}\n" for warning in warnings))

    def unknown(self, names):
        return f"unknown settings are ignored: {names}; `startune settings` lists the known ones"

    def test_an_unknown_name_is_a_warning_and_the_program_runs(self):
        """Module files set STARTUNE_ROOT, and no program ran."""
        module = {f"STARTUNE_{name}": "x" for name in ("ROOT", "DIR", "HOME", "VERSION")}
        result = self.startune("run", "sh", "-c", "echo $STARTUNE_ITER $STARTUNE_ROOT", env=module | {"STARTUNE_ITER": "7"})
        self.assertStatus(result)
        self.assertEqual(result.stdout, "7 x\n")
        self.assertEqual(result.stderr.count("\n"), 1)
        for name in module:
            self.assertIn(name, result.stderr)
        path = self.file("s.conf", "itr = 5\nwarmup = 3\n")
        result = self.startune("run", "--settings", path, "sh", "-c", "echo $STARTUNE_ITER $STARTUNE_WARMUP", env={"STARTUNE_TOPOLGY": "x"})
        self.assertEqual(result.stdout, "10 3\n")
        self.assertWarned(result, self.unknown(f"itr in {path}:1 (did you mean iter?), STARTUNE_TOPOLGY (did you mean STARTUNE_TOPOLOGY?)"))

    def test_a_warning_is_said_by_rank_0_alone(self):
        for rank, warnings in (("0", [self.unknown("STARTUNE_ROOT")]), ("1", [])):
            self.assertWarned(self.startune("run", "true", env={"PMI_RANK": rank, "STARTUNE_ROOT": "x"}), *warnings)

    @each_mpi
    def test_a_warning_of_all_ranks_is_said_once(self, mpi):
        result = self.mpirun(mpi, 3, STARTUNE, "run", "--no-summary", exchange(mpi), 10, env={"STARTUNE_ROOT": "x"})
        self.assertStatus(result)
        self.assertEqual(result.stderr.count("unknown settings"), 1, result.stderr)

    @each_mpi
    def test_the_library_warns_where_nobody_used_the_command(self, mpi):
        def run(**env):
            preload = [str(BUILD / f"lib/libstartune-{mpi}.so")] + [str(BUILD / "tests/yield.so")] * (mpi == "mpich")
            words = [f"{name}={value}" for name, value in (env | {"LD_PRELOAD": ":".join(preload), "STARTUNE_SUMMARY": "off"}).items()]
            return self.mpirun(mpi, 2, "env", *words, exchange(mpi), 10, env={"STARTUNE_ROOT": "x"})
        self.assertEqual(run(STARTUNE="yes").stderr, "startune: warning: unknown settings are ignored: STARTUNE_ROOT\n")
        self.assertEqual(run(STARTUNE="0", STARTUNE_ITER="ten").stderr, "")
        self.assertIn("'ten' is not a whole number", run(STARTUNE="1", STARTUNE_ITER="ten").stderr)

    def test_nothing_is_an_error_where_startune_is_off(self):
        said = "{}; this is no error, as startune is off"
        ten = "setting iter: 'ten' is not a whole number from 1 to 100000"
        for off in (["--off"], {"STARTUNE": "off"}), (["--off"], {}), ([], {"STARTUNE": "0"}), ([], {"STARTUNE": "No"}):
            words, env = off
            result = self.startune("run", *words, "true", env=env | {"STARTUNE_ITER": "ten"})
            self.assertWarned(result, said.format("environment: " + ten))
            result = self.startune("run", *words, "true", env=env | {"STARTUNE_SETTINGS": "/nonexistent"})
            self.assertWarned(result, said.format("/nonexistent: No such file or directory"))
            path = self.file("s.conf", "iter = ten\nmethods = alltoall:rnig\n")
            result = self.startune("run", *words, "--settings", path, "true", env=env)
            self.assertWarned(result, said.format(f"{path}:1: {ten}"))
        self.assertWarned(self.startune("run", "true", env={"STARTUNE": "off", "STARTUNE_ROOT": "x"}), self.unknown("STARTUNE_ROOT"))
        for words, named in ((["--iter", "ten"], "'ten'"), (["--itr", "5"], "--itr"), (["--settings", "/nonexistent"], "/nonexistent")):
            self.assertRefused(self.startune("run", *words, "true", env={"STARTUNE": "off"}), named)  # but on the command line
        self.assertRefused(self.startune("run", "true", env={"STARTUNE": "maybe"}), "'maybe'")

    def test_switches_have_many_words(self):
        for on, off in (("1", "0"), ("yes", "no"), ("True", "FALSE"), ("ON", "Off")):
            shown = self.shown(f"--sites={on}", f"--confirm={off}", "--wisdom", off, "--predict", off, env={"STARTUNE": on, "STARTUNE_VERIFY": on})
            self.assertEqual([shown[name]["value"] for name in ("on", "sites", "verify", "confirm", "wisdom", "predict")],
                             ["on", "on", "on", "off", "off", "off"])

    def test_what_is_no_setting_is_shown(self):
        path = self.file("s.conf", "itr = 5\n")
        env = {"STARTUNE_SETTINGS": path, "STARTUNE_ROOT": "/opt/x"}
        shown = self.shown(env=env)
        self.assertEqual([name for name, setting in shown.items() if not setting["taken"]], ["itr", "STARTUNE_ROOT"])
        self.assertEqual((shown["itr"]["value"], shown["itr"]["origin"]), ("5", f"{path}:1"))
        self.assertEqual((shown["STARTUNE_ROOT"]["value"], shown["STARTUNE_ROOT"]["origin"]), ("/opt/x", "environment"))
        text = self.startune("settings", env=env).stdout
        self.assertIn(f"unknown: itr = 5\n    from: {path}:1: unknown setting 'itr': did you mean 'iter'?\n", text)
        self.assertIn("unknown: STARTUNE_ROOT = /opt/x\n    from: environment: unknown variable", text)

    def test_check_refuses_each_line_that_is_no_setting(self):
        path = self.file("s.conf", "itr = 5\niter = 7\n# fine\nsites = perhaps\nforce = alltoall:rnig\nforce = alltoall:ring\nfoo\n"
                         "assume = latncy=1\n")
        result = self.startune("settings", "--check", path, env={"STARTUNE_ROOT": "x", "STARTUNE_ITER": "ten"})
        self.assertStatus(result, 2)
        self.assertEqual(result.stdout, "")
        self.assertEqual([line.split(": ")[2] for line in result.stderr.splitlines()], [f"{path}:{line}" for line in (1, 4, 5, 7, 8)])
        for word in ("did you mean 'iter'", "on|off", "did you mean 'ring'", "name = value", "latency"):
            self.assertIn(word, result.stderr)

    def test_check_is_silent_about_a_good_file(self):
        path = self.file("s.conf", "iter = 7\nsites = YES\nforce = alltoall:ring\n")
        result = self.startune("settings", "--check", path, env={"STARTUNE_ITER": "ten"})
        self.assertStatus(result)
        self.assertEqual(result.stdout + result.stderr, "")
        self.assertRefused(self.startune("settings", "--check", "/nonexistent"), "/nonexistent", "No such file")
        self.assertRefused(self.startune("settings", "--check", path, "more"), "'more'")

    def test_a_file_that_is_no_text(self):
        path = self.home / "binary"
        path.write_bytes(b"iter = 5\n\0\1\2\n")
        self.assertRefused(self.startune("settings", env={"STARTUNE_SETTINGS": str(path)}), f"{path}:2")
        path.write_bytes(b"x" * (2 << 20))
        self.assertRefused(self.startune("settings", env={"STARTUNE_SETTINGS": str(path)}), str(path))
        self.assertRefused(self.startune("settings", env={"STARTUNE_SETTINGS": str(self.home)}), str(self.home))


if __name__ == "__main__":
    main()
