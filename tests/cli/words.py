# SPDX-License-Identifier: BSD-3-Clause
"""Whether the documents can be read: how many words they are, how long sentences and lines get, and how sentences begin.
The generated reference and the change log count for nothing here, and neither do blocks of code in sentences."""
import re
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
WORDS_MOST = 20_000      # of all pages
SENTENCE_MOST = 40       # words of each sentence
SENTENCE_USUAL = 25      # words of nine sentences in ten
LINE_MOST = 160          # characters of a line that is no row of a table
RIDDLES = {"What", "That", "Of", "Whose"}  # as the first word of a statement
FENCE = re.compile(r"^```.*?^```[^\n]*$", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s+", re.MULTILINE)
END = re.compile(r"(?<=[.!?:;])\**\s+(?=[A-Z\[(*`])")


def pages():
    found = [path for path in SOURCE.glob("*.md") if path.name != "CHANGELOG.md"]
    found += [path for path in (SOURCE / "docs").rglob("*.md") if "reference" not in path.parts[len(SOURCE.parts):]]
    return sorted(found)


def is_prose(line):
    return not line.lstrip().startswith(("|", "#", "<", "!["))


def sentences(text):
    """Each sentence of TEXT as a list of words. Code counts as one word, and a link as what is shown of it."""
    text = FENCE.sub("\n\n", text)
    text = "\n".join(line if is_prose(line) else "" for line in text.splitlines())
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for block in re.split(r"\n\s*\n", ITEM.sub("\n\n", text)):
        for sentence in END.split(block):
            words = sentence.replace("*", "").split()
            if words:
                yield words


class Words(unittest.TestCase):
    def setUp(self):
        self.texts = {path.relative_to(SOURCE): path.read_text(encoding="utf-8") for path in pages()}
        self.sentences = [(path, words) for path, text in self.texts.items() for words in sentences(text)]

    def test_there_are_not_too_many_words(self):
        lengths = {path: len(text.split()) for path, text in self.texts.items()}
        total = sum(lengths.values())
        longest = ", ".join(f"{path} {lengths[path]}" for path in sorted(lengths, key=lengths.get)[-3:])
        self.assertLessEqual(total, WORDS_MOST, f"the longest pages: {longest}")

    def test_no_sentence_is_a_paragraph(self):
        for path, words in self.sentences:
            if len(words) > SENTENCE_MOST:
                with self.subTest(page=path):
                    self.fail(f"{len(words)} words: {' '.join(words)[:100]}")

    def test_most_sentences_are_short(self):
        lengths = sorted(len(words) for _, words in self.sentences)
        self.assertLessEqual(lengths[len(lengths) * 9 // 10], SENTENCE_USUAL)

    def test_no_statement_begins_with_a_riddle(self):
        for path, words in self.sentences:
            if words[0] in RIDDLES and not words[-1].endswith(("?", "**")):
                with self.subTest(page=path):
                    self.fail(" ".join(words)[:100])

    def test_lines_fit_a_screen(self):
        for path, text in self.texts.items():
            for number, line in enumerate(text.splitlines(), 1):
                if len(line) > LINE_MOST and not line.lstrip().startswith("|"):
                    with self.subTest(page=path, line=number):
                        self.fail(f"{len(line)} characters")

    def test_sentences_are_found(self):
        found = list(sentences("# A title\n\nOne `a b c` two. Three\n[four five](x.md)!\n\n- six\n- seven: Eight\n\n```sh\nnine\n```\n| ten |\n"))
        self.assertEqual(found, [["One", "code", "two."], ["Three", "four", "five!"], ["six"], ["seven:"], ["Eight"]])


if __name__ == "__main__":
    unittest.main()
