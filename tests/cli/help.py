# SPDX-License-Identifier: BSD-3-Clause
import json
import re
import shlex
import shutil

from command import MPIS, SOURCE, STARTUNE, SUBCOMMANDS, CommandTest, exchange, main


class Help(CommandTest):
    def test_every_command_explains_itself_with_examples(self):
        for name in SUBCOMMANDS:
            for words in ([name, "--help"], [name, "-h"], ["help", name]):
                with self.subTest(words=words):
                    result = self.startune(*words)
                    self.assertStatus(result)
                    self.assertEqual(result.stderr, "")
                    self.assertRegex(result.stdout, r"^usage: .*startune " + name)
                    self.assertRegex(result.stdout, r"(?s)\nOptions:\n.*\nExamples:\n  .*startune " + name)

    def test_the_overview_lists_every_command(self):
        for words in (["--help"], ["help"], ["-h"], ["help", "help"], ["help", "--help"]):
            result = self.startune(*words)
            self.assertStatus(result)
            self.assertEqual(result.stderr, "")
            for name in SUBCOMMANDS:
                self.assertRegex(result.stdout, rf"(?m)^  {name} ")

    def test_without_a_command_it_shows_the_overview_and_fails(self):
        result = self.startune()
        self.assertStatus(result, 2)
        self.assertIn("usage: startune COMMAND", result.stdout + result.stderr)

    def test_run_shows_first_what_people_need_first(self):
        options = self.startune("run", "--help").stdout.split("\nOptions:\n")[1].split("\nExamples:\n")[0]
        groups = re.findall(r"(?m)^(\S.*):\n((?:  .*\n)+)", options)
        self.assertGreaterEqual(len(groups), 7)
        self.assertEqual(set(re.findall(r"(?m)^  --(\S+)", groups[0][1])), {"off", "force", "map", "report", "log"})

    def test_each_word_of_a_choice_is_explained_or_stands_beside_it(self):
        choices = re.findall(r"(?m)^(\S+) = .*\n    .*; ([a-z-]+(?:\|[a-z-]+)+)$", self.startune("settings").stdout)
        self.assertIn("strategy", dict(choices))
        options = self.startune("run", "--help").stdout
        for name, words in choices:
            shown = re.search(rf"(?m)^  --{name} (\S+)(?: .*)?\n((?:      .*\n)*)", options)
            listed = re.findall(r"(?m)^      (?! )(\S+)", shown[2])
            self.assertEqual(set(listed or shown[1].split("|")) & set(words.split("|")), set(words.split("|")), name)
            self.assertLessEqual(set(listed), set(words.split("|")), name)

    def test_no_line_of_options_is_wider_than_a_terminal(self):
        for name in SUBCOMMANDS:
            options = self.startune(name, "--help").stdout.split("\nOptions:\n")[1].split("\nExamples:\n")[0]
            self.assertLessEqual(max(map(len, options.splitlines())), 80, name)

    def test_the_version(self):
        for word in ("--version", "version"):
            result = self.startune(word)
            self.assertStatus(result)
            self.assertRegex(result.stdout, r"^startune \d+\.\d+\.\d+ \((openmpi|mpich|abi)(\|(mpich|abi))*\)\n$")

    def test_the_examples_without_mpirun_work_as_shown(self):
        shutil.copy(SOURCE / "tests/unit/topologies/slurm.conf", self.home / "topology.conf")
        shutil.copy(SOURCE / "tests/unit/topologies/inside.xml", self.home)
        for path in (SOURCE / "tests/cli/files").iterdir():
            shutil.copy(path, self.home)
        for _ in range(2):  # some are of the last two runs
            self.assertStatus(self.mpirun(MPIS[0], 2, STARTUNE, "run", "--matrix", "--report", "tuning.json", exchange(MPIS[0]), 100))
        for name in SUBCOMMANDS:
            examples = self.startune(name, "--help").stdout.split("\nExamples:\n")[1]
            for line in re.findall(r"(?m)^  (\S.*)$", examples):
                words = shlex.split(line)
                if "mpirun" in words:
                    continue
                with self.subTest(line=line):
                    env = {}
                    while "=" in words[0]:
                        name, value = words.pop(0).split("=")
                        env[name] = value
                    self.assertEqual(words[0], "startune")
                    result = self.startune(*words[1:], env=env, timeout=500)
                    self.assertStatus(result)
                    if "--json" in words:
                        json.loads(result.stdout)


if __name__ == "__main__":
    main()
