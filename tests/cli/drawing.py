# SPDX-License-Identifier: BSD-3-Clause
"""bench/draw: a picture of what bench/networks measured."""
import json
import shutil
import unittest
import xml.etree.ElementTree

from command import SOURCE, CommandTest, main

SVG = "{http://www.w3.org/2000/svg}"


def found(operation, mpi, native, tuned):
    return {"operation": operation, "bytes": 65536, "cluster": "2x4", "placement": "cyclic", "mpi": mpi, "limit": 0.01,
            "native": [native] * 5, "tuned": [tuned] * 5}


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Drawing(CommandTest):
    def draw(self, *texts):
        paths = [self.home / f"{i}.json" for i in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text)
        return self.command(SOURCE / "bench/draw", *paths, "-o", "out.svg")

    def test_every_run_is_in_the_picture(self):
        runs = [found("allgather", "mpich", 0.08, 0.011), found("bcast", "openmpi", 0.02, 0.02)]
        result = self.draw(json.dumps(runs[:1]), json.dumps(runs[1:]))
        self.assertStatus(result)
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        picture = xml.etree.ElementTree.parse(self.home / "out.svg").getroot()
        texts = {" ".join("".join(text.itertext()).split()) for text in picture.iter(SVG + "text")}
        self.assertLessEqual({"allgather", "mpich", "bcast", "openmpi", "64 KB", "startune", "MPI library", "limit"}, texts)
        self.assertEqual({path.name for path in self.home.iterdir()}, {"0.json", "1.json", "out.svg"})

    def test_what_cannot_be_drawn_leaves_no_picture(self):
        for text in ("", "[]", "[1]", '[{"operation": "bcast"}]', "{"):
            with self.subTest(text=text):
                result = self.draw(text)
                self.assertStatus(result, 2)
                self.assertRegex(result.stderr, r"^bench/draw: error: [^\n]*0\.json: [^\n]+\n$")
                self.assertFalse((self.home / "out.svg").exists())


if __name__ == "__main__":
    main()
