# SPDX-License-Identifier: BSD-3-Clause
"""What brings up bare Debian systems says how it is used, and refuses what it does not know. That it does so takes hours:
./check --distributions."""
from command import SOURCE, CommandTest, main

SCRIPT = SOURCE / "scripts/distributions"


class Distributions(CommandTest):
    def test_it_says_how_it_is_used(self):
        for words in [(SCRIPT, "--help"), (SOURCE / "check", "--distributions", "--help")]:
            result = self.command(*words)
            self.assertStatus(result)
            self.assertIn("usage: scripts/distributions", result.stdout)

    def test_what_it_does_not_know_is_refused_in_one_line(self):
        for words, names in [(["--part", "none"], "'none'"), (["--part"], "--part"), (["--keep"], "--keep"), (["--other"], "'--other'"),
                             (["../etc"], "'../etc'")]:
            with self.subTest(words=words):
                result = self.command(SCRIPT, *words)
                self.assertStatus(result, 2)
                self.assertRegex(result.stderr, r"^distributions: error: [^\n]+\n$")
                self.assertIn(names, result.stderr)


if __name__ == "__main__":
    main()
