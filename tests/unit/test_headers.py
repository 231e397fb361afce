#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A header declares functions of one file, its own: src/ROOM/NAME.h those that src/ROOM/NAME.c defines.
test_headers.py SOURCES"""
import pathlib
import re
import sys

# Their headers tell of several files still.
LATER = {"interpose", "patterns", "routine", "runtime"}


def bare(path):
    """Its text without comments, strings, characters and directives."""
    text = re.sub(r""" /\*.*?\*/ | "(\\.|[^"\\])*" | '(\\.|[^'\\])+' """, "", path.read_text(encoding="utf-8"),
                  flags=re.S | re.X)
    return re.sub(r"^ *#(.*\\\n)*.*$", "", text, flags=re.M)


def outermost(text):
    """Its statements outside of braces; a body in braces ends one, and stands in it as {}."""
    depth, out = 0, ""
    for character in text:
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            out += "{};" if depth == 0 else ""
        elif depth == 0:
            out += character
    return out.split(";")


def functions(path, body):
    """Names of functions that PATH declares, or, with a BODY, defines for others."""
    names = set()
    for statement in outermost(bare(path)):
        statement = statement.strip()
        if statement.startswith(("static", "typedef", "extern const")) or statement.endswith("{}") != body:
            continue
        found = re.match(r"[^=()]*?\b(star_\w+)\s*\(", statement)
        if found:
            names.add(found[1])
    return names


def main():
    source = pathlib.Path(sys.argv[1]) / "src"
    wrong, seen = [], 0
    for header in sorted(source.rglob("*.h")):
        if header.relative_to(source).parts[0] in LATER:
            continue
        declared, file = functions(header, False), header.with_suffix(".c")
        seen += len(declared)
        for name in sorted(declared - (functions(file, True) if file.exists() else set())):
            wrong.append(f"{header.relative_to(source)} declares {name}, which its own file does not define")
    if seen < 300:
        wrong.append(f"only {seen} functions are declared in {source}: are they found?")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
