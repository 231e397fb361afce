# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages and completion say what --help says."""
import re
import shutil
import subprocess
import unittest

from command import SUBCOMMANDS, CommandTest, main

PAGES = ["startune"] + [f"startune-{name}" for name in SUBCOMMANDS]


class Manual(CommandTest):
    def options(self, name):
        found = re.findall(r"(?m)^  (--?[a-z][a-z-]*)", self.startune(name, "--help").stdout.split("\nOptions:\n")[1])
        self.assertIn("--help", found)
        return found

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_groff_has_nothing_to_say(self):
        for page in PAGES:
            text = self.startune("manual", page).stdout
            checked = subprocess.run(["groff", "-k", "-man", "-Tutf8", "-ww", "-z"], input=text, capture_output=True,
                                     text=True)
            self.assertEqual((checked.returncode, checked.stderr), (0, ""), page)

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_groff_shows_every_option_of_help(self):
        for name in SUBCOMMANDS:
            text = self.startune("manual", f"startune-{name}").stdout
            shown = subprocess.run(["groff", "-k", "-man", "-Tascii", "-P-cbou"], input=text, capture_output=True,
                                   text=True).stdout
            for option in self.options(name):
                self.assertRegex(shown, rf"(?m)^ +{option}( |$)", name)

    def test_the_overview_points_to_each_page_in_a_sentence_of_its_own(self):
        shown = " ".join(self.startune("manual", "startune").stdout.split())
        self.assertIn("tuned. See ", shown)

    def test_pages_have_the_usual_parts(self):
        for page in PAGES:
            text = self.startune("manual", page).stdout
            self.assertRegex(text, rf"^\.TH {page.upper()} 1 ")
            for part in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES"):
                self.assertIn(f".SH {part}\n", text, page)


class Completion(CommandTest):
    def setUp(self):
        super().setUp()
        self.script = self.home / "completion"
        self.script.write_text(self.startune("completion").stdout)

    def complete(self, *words):
        line = " ".join(f"'{word}'" for word in words)
        result = self.command("bash", "-c", f"source {self.script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
                              "_startune; printf '%s\\n' \"${COMPREPLY[@]}\"")
        self.assertStatus(result)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_it_is_good_bash(self):
        result = self.command("bash", "-n", self.script)
        self.assertStatus(result)
        self.assertEqual(result.stderr, "")

    def test_commands(self):
        self.assertEqual(self.complete("startune", "ru"), ["run"])
        self.assertLessEqual(set(SUBCOMMANDS), set(self.complete("startune", "")))

    def test_every_option_of_help(self):
        for name in SUBCOMMANDS:
            self.assertEqual(set(self.complete("startune", name, "-")), set(Manual.options(self, name)), name)
        self.assertEqual(self.complete("startune", "plan", "--fo"), ["--format"])

    def test_programs_to_run(self):
        (self.home / "unlikely-name").touch()
        self.assertIn("unlikely-name", self.complete("startune", "run", "unlikely-"))


if __name__ == "__main__":
    main()
