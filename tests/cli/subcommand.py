# SPDX-License-Identifier: BSD-3-Clause
"""A new subcommand is a file and a line in main.c: help, the manual page and completion follow from them."""
import json
import shlex

from command import BUILD, SOURCE, CommandTest, main

LINKED = "libexec/startune/startune-command"
HELLO = r"""
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/take.h"
#include <stdio.h>

static const char *whom = "world";

static int run(const struct cli_command *command, int argc, char **argv)
{
    if (cli_operands(command, argc, argv) != 0)
        return CLI_USAGE;
    printf("hello, %s\n", whom);
    return CLI_OK;
}

static const struct cli_option options[] = {{"whom", "world|moon", "is greeted", cli_take_word, .at = &whom}, {.name = NULL}};
static const struct cli_line examples[] = {{"startune hello", "greets"}, {.name = NULL}};
const struct cli_command cli_hello = {
    .name = "hello", .synopsis = "startune hello [OPTIONS]", .summary = "greet", .description = "Greets.", .options = options,
    .examples = examples, .run = run};
"""


class Subcommand(CommandTest):
    def build(self, *words):
        result = self.command(*words, cwd=BUILD)
        self.assertStatus(result)
        return result.stdout

    def compile(self, source):
        """With the flags of main.c."""
        entries = json.loads((BUILD / "compile_commands.json").read_text())
        [words] = [shlex.split(entry["command"]) for entry in entries if (BUILD / entry["file"]).resolve() == SOURCE / "cli/main.c"]
        words[words.index("-o") + 1] = source.with_suffix(".o")
        words[words.index("-c") + 1] = source
        self.build(*words, "-iquote", SOURCE / "cli")

    def link(self):
        """As startune is, by the build system's own command."""
        script = BUILD / "CMakeFiles/startune-command.dir/link.txt"
        line = script.read_text() if script.exists() else self.build("ninja", "-t", "commands", LINKED).splitlines()[-1]
        line = line.replace("CMakeFiles/startune-command.dir/cli/main.c.o", f"{self.home}/main.o {self.home}/hello.o")
        (self.home / "bin").mkdir()
        self.build("sh", "-c", line.replace(f"-o {LINKED}", f"-o {self.home}/bin/startune"))

    def test_it_is_a_file_and_a_line(self):
        before = (SOURCE / "cli/main.c").read_text()
        (self.home / "main.c").write_text(before.replace("    ONE(run) ", "    ONE(hello) \\\n    ONE(run) "))
        (self.home / "hello.c").write_text(HELLO)
        for name in ("main.c", "hello.c"):
            self.compile(self.home / name)
        self.link()
        def there(*words):
            return self.command(self.home / "bin/startune", *words)
        self.assertEqual(there("hello", "--whom", "moon").stdout, "hello, moon\n")
        self.assertRefused(there("hello", "--whom", "mars"), "startune hello", "world|moon")
        self.assertRegex(there("--help").stdout, r"(?m)^  hello +greet$")
        self.assertIn("  --whom world|moon       is greeted\n", there("hello", "--help").stdout)
        self.assertIn(".TH STARTUNE-HELLO 1 ", there("manual", "startune-hello").stdout)
        self.assertEqual(there("complete", "hello", "--whom", "m").stdout, "moon\n")


if __name__ == "__main__":
    main()
