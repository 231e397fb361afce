# SPDX-License-Identifier: BSD-3-Clause
"""The report's page: what it shows is what the JSON holds."""
import json
import math
import re
import statistics
from html.parser import HTMLParser

from command import BUILD, MPIS, STARTUNE, CommandTest, exchange, main

UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
VOID = {"meta", "br", "link"}


class Element:
    def __init__(self, name, attributes, above):
        self.name, self.attributes, self.above, self.below, self.words = name, dict(attributes), above, [], []

    def text(self):
        return "".join(word if isinstance(word, str) else word.text() for word in self.words)

    def all(self, name=None, **attributes):
        """Elements below, in their order, of this name and with these data- attributes (None: any value)."""
        for element in self.below:
            mine = {key: element.attributes.get("data-" + key) for key in attributes}
            if (name in (None, element.name) and all(mine[k] is not None and v in (None, mine[k]) for k, v in attributes.items())):
                yield element
            yield from element.all(name, **attributes)

    def within(self, identifier):
        return next(e for e in self.all() if e.attributes.get("id") == identifier)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.root = self.now = Element("page", [], None)
        self.feed(text)

    def handle_starttag(self, name, attributes):
        element = Element(name, attributes, self.now)
        self.now.below.append(element)
        self.now.words.append(element)
        self.now = self.now if name in VOID else element

    def handle_endtag(self, name):
        while self.now.above and self.now.name != name:
            self.now = self.now.above
        self.now = self.now.above or self.now

    def handle_data(self, text):
        self.now.words.append(text)


def seconds(text):
    number, unit = text.split()
    return float(number) * UNITS[unit]


def shares(holder, key):
    """What the page may show. Confidence is never rounded up there; in the JSON, of nine digits, it may have been."""
    if holder[key] is None:
        return ["?"]
    if key != "confidence":
        return [f"{100 * holder[key]:.1f} %"]
    return [f"{math.floor(1000 * value) / 10:.1f} %" for value in (holder[key], holder[key] - 1e-8)]


class ReportPage(CommandTest):
    def assertSeconds(self, text, value, what):
        self.assertAlmostEqual(seconds(text), value, delta=0.006 * abs(value) + 1e-12, msg=what)

    def assertTimes(self, row, holder, *keys):
        """The cells of these columns hold the times to the last digit that is shown, in the unit that the column's head names."""
        heads = {cell.attributes["data-key"]: head for cell, head in zip(row.all("td"), row.above.all("th"))}
        for key in keys:
            cell, value = next(row.all("td", key=key)), holder.get(key)
            shown = cell.text().rstrip("*")
            if value is None:
                self.assertEqual((shown, cell.attributes.get("data-value")), ("?", None), key)
                continue
            self.assertAlmostEqual(float(cell.attributes["data-value"]), value, delta=1e-8 * abs(value), msg=key)
            digits = len(shown.partition(".")[2])
            unit = UNITS[heads[key].text().split(", ")[1]] if value or ", " in heads[key].text() else 1
            self.assertAlmostEqual(float(shown), value / unit, delta=0.51 * 10 ** -digits, msg=key)

    def compare_contexts(self, page, report):
        rows = list(page.within("contexts").all("tr", context=None))
        self.assertEqual(len(rows), len(report["contexts"]))
        order = [report["contexts"][int(row.attributes["data-context"])]["seconds"] for row in rows]
        self.assertEqual(order, sorted(order, reverse=True))
        for row in rows:
            context = report["contexts"][int(row.attributes["data-context"])]
            cell = {e.attributes["data-key"]: e.text() for e in row.all("td", key=None)}
            self.assertEqual((cell["operation"], int(cell["ranks"]), int(cell["calls"]), cell["method"], cell["where"]),
                             tuple(context[key] for key in ("operation", "ranks", "calls", "method", "where")))
            self.assertTimes(row, context, "seconds_per_call", "native_seconds_per_call", "saved_seconds", "saved_low_seconds",
                             "saved_high_seconds", "tuning_seconds")
            self.assertEqual(cell["native_seconds_per_call"].endswith("*"), context.get("native_once", False))
            for key in ("share", "confidence"):
                self.assertIn(cell[key], shares(context, key), key)

    def compare_requests(self, page, report):
        rows = list(page.within("requests").all("tr", request=None))
        self.assertEqual(len(rows), len(report["requests"]))
        for row in rows:
            request = report["requests"][int(row.attributes["data-request"])]
            cell = {e.attributes["data-key"]: e.text() for e in row.all("td", key=None)}
            self.assertEqual((cell["function_set"], int(cell["ranks"]), int(cell["requests"]), int(cell["calls"]), cell["function"], cell["problem"]),
                             tuple(request[key] for key in ("function_set", "ranks", "requests", "calls", "function")) + (request.get("problem", ""),))
            self.assertEqual(cell["attributes"], ", ".join(f"{name} {value}" for name, value in request["attributes"].items()))
            self.assertTimes(row, request, "seconds_per_call", "first_seconds_per_call", "saved_seconds", "saved_low_seconds",
                             "saved_high_seconds", "tuning_seconds")
            self.assertEqual(cell["first_seconds_per_call"].endswith("*"), request.get("first_once", False))
            for key in ("share", "confidence"):
                self.assertIn(cell[key], shares(request, key), key)
            told = f"{request.get('remembered_function', 'no favourite')}, {100 * request.get('remembered_confidence', 0):.1f} %"
            self.assertEqual(cell["remembered"], told if "remembered_functions" in request else "")

    def as_context(self, request):
        """A request in the shape in which the page draws it: of several functions of one name, each with its attributes."""
        names = [function["function"] for function in request["functions"]]
        def name(function):
            attributes = ", ".join(f"{key} {value}" for key, value in function["attributes"].items())
            return f"{function['function']} ({attributes})" if names.count(function["function"]) > 1 else function["function"]
        return request | {"method": name(request), "methods": [function | {"method": name(function)} for function in request["functions"]],
                          "history": [decision | {"method": decision["function"]} for decision in request["history"]]}

    def compare_methods(self, details, context):
        boxes = {e.attributes["data-method"]: e for e in details.all("g", method=None)}
        self.assertEqual(set(boxes), {m["method"] for m in context["methods"] if m["samples"]})
        known = [m for m in context["methods"] if m["samples"] or m["calls"] or m["estimate_seconds"] is not None]
        self.assertEqual(len(list(details.all("tr", of=None))), len(known))
        for method in known:
            row, = details.all("tr", of=str(context["methods"].index(method)))
            cell = {e.attributes["data-key"]: e.text() for e in row.all("td", key=None)}
            self.assertEqual((cell["method"], int(cell["calls"]), int(cell["samples"])), (method["method"], method["calls"], len(method["samples"])))
            self.assertTimes(row, method, "mean_seconds", "estimate_seconds")
            if method["samples"]:
                box = boxes[method["method"]]
                self.assertEqual(int(box.attributes["data-samples"]), len(method["samples"]))
                for key, of in (("median", statistics.median), ("least", min), ("most", max)):
                    value = of(method["samples"])
                    self.assertAlmostEqual(float(box.attributes["data-" + key]), value, delta=1e-8 * value, msg=key)

    def compare_decisions(self, page, details, shown, **which):
        rows = list(details.all("tr", decision=None))
        self.assertEqual(len(rows), len(shown["history"]))
        for row, decision in zip(rows, shown["history"]):
            cell = {e.attributes["data-key"]: e.text() for e in row.all("td", key=None)}
            self.assertEqual((int(cell["call"]), cell["method"], cell["stage"], cell["reason"]),
                             tuple(decision[key] for key in ("call", "method", "stage", "reason")))
            self.assertTimes(row, decision, "at_seconds", "mean_seconds")
        lanes = list(page.within("timeline").all("g", **which))
        self.assertEqual(len(lanes), 1 if shown["history"] else 0)
        drawn = [float(box.attributes["data-at"]) for lane in lanes for box in lane.all("g", at=None)]
        self.assertEqual(len(drawn), len(shown["history"]))
        for at, decision in zip(drawn, shown["history"]):
            self.assertAlmostEqual(at, decision["at_seconds"], places=6)
        if lanes:  # the method that ran last is named, and so is the lane
            words = [e.text() for e in lanes[0].all("text")]
            self.assertEqual(words[-1], shown["method"])

    def compare_bars(self, page, report):
        calls = sum(context["calls"] for context in report["contexts"])
        for section, others in (("sizes", 0), ("ranks", sum(other["calls"] for other in report["others"]))):
            shown = [int(e.attributes["data-value"]) for e in page.within(section).all("g", bar=None)]
            self.assertEqual(sum(shown), calls + others, section)

    def compare_answer(self, page, report):
        """Did it help? One number with its interval, and a bar of native beside the chosen one's for each context."""
        low, high = report["saved_low_seconds"], report["saved_high_seconds"]
        told = page.within("help").text()
        self.assertAlmostEqual(float(page.within("saved").attributes["data-value"]), report["saved_seconds"], places=8)
        self.assertSeconds(page.within("saved").text(), abs(report["saved_seconds"]), "saved_seconds")
        answer = "Not clear" if low is None or low <= 0 <= high else "Yes" if low > 0 else "No"
        self.assertIn(answer + ": ", told)
        self.assertEqual("No interval" in page.within("interval").text(), low is None)
        pairs = [item for item in report["contexts"] if item.get("native_seconds_per_call") and item["seconds_per_call"] is not None]
        pairs += [item for item in report["requests"] if item.get("first_seconds_per_call") and item["seconds_per_call"] is not None]
        self.assertEqual(len(list(page.within("help").all("g", pair=None))), len(pairs))

    def compare_places(self, page, report):
        """Each strip says what was called, and where; no words stand outside of their picture."""
        for section in ("help", "timeline"):
            words = [e.text() for e in page.within(section).all("text")]
            for item in report["contexts"] if "Nothing was decided." not in page.within("timeline").text() else []:
                if item.get("where") and (item["history"] if section == "timeline" else item.get("native_seconds_per_call")):
                    self.assertIn("at " + item["where"], words, section)
        for picture in page.all("svg"):
            for words in picture.all("text"):
                x, wide = float(words.attributes["x"]), 6.3 * len(words.text())
                if "transform" in words.attributes:
                    continue
                x -= {"start": 0, "middle": wide / 2, "end": wide}[words.attributes["text-anchor"]]
                small = "font-size" in words.attributes
                self.assertGreaterEqual(x, -0.2 * wide if small else 0, words.text())
                self.assertLessEqual(x + wide, float(picture.attributes["width"]) + (0.2 * wide if small else 0), words.text())

    def compare(self, page, report):
        self.compare_places(page, report)
        self.assertEqual(len(list(page.all("script"))), 1)  # the report's JSON alone
        self.compare_answer(page, report)
        self.assertEqual(json.loads(page.within("report").text()), report)
        self.assertEqual(page.within("program").text(), report["program"])
        self.assertSeconds(page.within("seconds").text(), report["seconds"], "seconds")
        self.compare_contexts(page, report)
        self.compare_requests(page, report)
        self.compare_bars(page, report)
        told = [e.text() for e in page.within("attention").all("li")]
        reasons = [reason for item in report["contexts"] + report["requests"] for reason in item["attention"]]
        self.assertEqual(len(told), len(reasons))
        known = [e.attributes["data-context"] for e in page.within("waits").all("tr", context=None)]
        self.assertEqual(set(known), {str(i) for i, c in enumerate(report["contexts"]) if "ranks_seconds_per_call" in c})
        for details in page.within("methods").all("details", context=None):
            index = int(details.attributes["data-context"])
            self.compare_methods(details, report["contexts"][index])
            self.compare_decisions(page, details, report["contexts"][index], context=str(index))
        for details in page.within("methods").all("details", request=None):
            request = self.as_context(report["requests"][int(details.attributes["data-request"])])
            self.compare_methods(details, request)
            self.compare_decisions(page, details, request, request=details.attributes["data-request"])

    def page_of(self, *words):
        self.assertStatus(self.startune("report", *words, "--html", "-o", "page.html"))
        text = (self.home / "page.html").read_text()
        for word in ("http:", "https:", "src=", "href"):  # it needs no network
            self.assertNotIn(word, text.replace('xmlns="http://www.w3.org/2000/svg"', ""))
        return Page(text).root, self.json_of(self.startune("report", *words, "--json"))

    def test_the_page_shows_what_the_json_holds(self):
        result = self.mpirun(MPIS[0], 3, STARTUNE, "run", "--strategy", "exhaustive", "--iter", 6, exchange(MPIS[0]), 3000)
        self.assertStatus(result)
        page, report = self.page_of()
        self.compare(page, report)

    def test_other_contexts_and_odd_words(self):
        result = self.mpirun(MPIS[0], 2, STARTUNE, "run", "--report", "run.json", "--iter", 3, exchange(MPIS[0]), 900)
        self.assertStatus(result)
        report = json.loads((self.home / "run.json").read_text())
        first = report["contexts"][0]
        spread = {"mean": 1e-3, "most": 2e-3, "least": 1e-4, "calls": 5}
        report["program"] = "</script><b>\u2028 \"&amp;"
        report["others"] = [{"operation": "bcast", "ranks": 5, "calls": 77}]
        report["contexts"] = [first | {"ranks_seconds_per_call": spread}, first | {"bytes": 70000, "seconds": 9.5, "caller": "<i>+0x1", "native_once": True},
                              {k: v for k, v in first.items() if k not in ("bytes", "native_seconds_per_call", "saved_seconds", "tuning_seconds")}]
        (self.home / "run.json").write_text(json.dumps(report))
        page, explained = self.page_of("run.json")
        self.compare(page, explained)
        self.assertEqual(sorted(e.attributes["data-bar"] for e in page.within("sizes").all("g", bar=None)), ["4 bytes and more", "64K bytes and more", "varies"])

    def test_requests_and_functions_of_one_name(self):
        heat = BUILD / f"examples/heat-{MPIS[0]}"
        result = self.mpirun(MPIS[0], 2, STARTUNE, "run", "--report", "run.json", "--strategy", "exhaustive", "--iter", 3, heat, "--size", 16, "--steps", 400)
        self.assertStatus(result)
        report = json.loads((self.home / "run.json").read_text())
        [first] = report["requests"]
        first["saved_seconds"] = 0.0  # so short a run cost more
        functions = [function | {"function": "exchange"} for function in first["functions"][:3]]
        own = {key: value for key, value in first.items() if key not in ("bytes", "problem", "first_seconds_per_call", "first_once")}
        own |= {"function_set": "<b>mine", "functions": functions, "function": "exchange", "attributes": functions[1]["attributes"],
                "history": [first["history"][0] | {"function": "exchange"}], "saved_seconds": -report["seconds"] / 2, "seconds": 9.5}
        report["requests"] += [own, first | {"first_once": True, "remembered_functions": 3, "remembered_function": "isend_irecv", "remembered_confidence": 0.91},
                               first | {"remembered_functions": 1, "remembered_confidence": 0.0}]
        (self.home / "run.json").write_text(json.dumps(report))
        page, explained = self.page_of("run.json")
        self.compare(page, explained)
        self.assertEqual(sum(len(request["attention"]) for request in explained["requests"]), 1)
        self.assertEqual([row.attributes["data-request"] for row in page.within("requests").all("tr", request=None)][0], "1")

    def test_a_run_that_tuned_nothing(self):
        self.assertStatus(self.mpirun(MPIS[0], 2, STARTUNE, "run", exchange(MPIS[0]), 1))
        self.compare(*self.page_of())


if __name__ == "__main__":
    main()
