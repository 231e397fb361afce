# SPDX-License-Identifier: BSD-3-Clause
"""Where settings come from: options before the environment before files."""
from command import CommandTest, main


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
        for line, names in (("itr = 5", ["'itr'", "did you mean 'iter'"]), ("iter = ten", ["iter", "'ten'"]),
                            ("iter 5", ["'iter 5'", "name = value"]), ("nodes = block", ["nodes", "'block'", "block:K"]), ("= 5", ["''"]),
                            ("assume = latncy=1", ["assume", "'latncy=1'"]), ("predict = yes", ["predict", "off|order|prune"]),
                            ("predict-most = 0.5", ["predict-most", "'0.5'"]),
                            ("force = alltoall:rnig", ["force", "did you mean 'ring'"])):
            with self.subTest(line=line):
                path = self.file("bad.conf", f"# a comment\nwarmup = 2\n{line}\n")
                result = self.startune("run", "--settings", path, "touch", "started")
                self.assertRefused(result, f"{path}:3", *names)
                self.assertFalse((self.home / "started").exists())

    def test_a_file_that_is_no_text(self):
        path = self.home / "binary"
        path.write_bytes(b"iter = 5\n\0\1\2\n")
        self.assertRefused(self.startune("settings", env={"STARTUNE_SETTINGS": str(path)}), f"{path}:2")
        path.write_bytes(b"x" * (2 << 20))
        self.assertRefused(self.startune("settings", env={"STARTUNE_SETTINGS": str(path)}), str(path))
        self.assertRefused(self.startune("settings", env={"STARTUNE_SETTINGS": str(self.home)}), str(self.home))


if __name__ == "__main__":
    main()
