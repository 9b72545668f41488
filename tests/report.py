#!/usr/bin/python3
"""The pages of `tessera report`, and those that live while the work goes on, in a real browser: what they count, show, and do.

    tests/report.py [--tessera build/tessera] [NAME…]

Needs Debian's chromium, chromium-driver and python3-selenium. Works on reports about the bundled tasks, about tasks with
odd ids, and about 1,000 large ones. The last line is `N passed, N failed`.
"""

import contextlib
import html
import json
import random
import re
import resource
import shutil
import signal
import subprocess
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from browser import TROUBLE, Browser, Keys
from harness import LONG, ROOT, SANITIZER, check, main, wait_until

TASKS = ROOT / "tasks"
LARGE = 1000
MOST_BYTES = 3_000_000  # of the first page with so many tasks
MOST_MS = 60_000  # to open it; some 300 where the machine is idle, and this fails only where the page hangs
PHONE = 360
UNITS = {"": 1, " thousand": 1e3, " million": 1e6}
PAGES = ("butterfly", "seesaw", "wallpaper")  # of which the pixels are looked at

ODD_IDS = ["<b>&\"'", "<b>&\"'.json", "two words", "ünï_cödé_✓_任务", "</title><script>alert(1)</script>", "'><img src=x onerror=alert(1)>",
           "../../outside", "/etc/outside", "..", ".", "index", "INDEX", "a", "A", "con", "%41", "x#y?z=1&amp;", "-->", "long" * 50, " ",
           "\u202eright to left", "__proto__", "javascript:alert(1)", "{{7*7}}"]


def colors():
    """ARC's colours, as the pictures have them."""
    found = re.findall(r"\{0x(..), 0x(..), 0x(..)\}", (ROOT / "src/show/show.h").read_text())
    return [tuple(int(part, 16) for part in color) for color in found[:10]]


def is_near(a, b):
    return all(abs(x - y) <= 3 for x, y in zip(a, b))


def luminance(color):
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


class Links(HTMLParser):
    """Everything in a page that could load something."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href", "srcset", "data", "action", "poster", "xlink:href", "background"):
                self.found.append((tag, value or ""))


class Tests:
    troubles = (TROUBLE,)

    def __init__(self, options, folder):
        self.folder, self.tessera = folder, options.tessera
        self.tasks = {path.stem: json.loads(path.read_text()) for path in sorted(TASKS.glob("*.json"))}
        self.colors = colors()
        self.submission, self.found, self.profile = (folder / name for name in ("s.json", "found.jsonl", "where.json"))
        self.run("solve", "--tasks", TASKS, "--per-task", "50ms", "--out", self.submission, "--candidates", self.found,
                 "--profile", self.profile, "--quiet")
        # All there is; only what the search found; answers alone.
        self.full = self.report("full", TASKS, "--pool", TASKS / "solvers.py", *self.searched())
        self.search = self.report("search", TASKS, *self.searched())
        self.bare = self.report("bare", TASKS, "--submission", self.submission)
        self.made = {}
        self.browser = Browser(folder)

    def close(self):
        self.browser.close()

    # ---- Tools ----

    def run(self, *arguments):
        done = subprocess.run([self.tessera, *map(str, arguments)], capture_output=True, text=True, timeout=LONG)
        words = f"{' '.join(map(str, arguments))}: exit code {done.returncode}, says '{done.stderr.strip()[:2000]}'"
        check(done.returncode == 0 and not any(mark in done.stderr for mark in SANITIZER), words)
        return done.stdout

    def searched(self):
        return "--submission", self.submission, "--candidates", self.found, "--profile", self.profile

    def report(self, name, tasks, *arguments):
        self.run("report", "--tasks", tasks, *arguments, "--out", self.folder / name)
        return self.folder / name

    def odd(self):
        """A report on tasks with odd ids."""
        if "odd" not in self.made:
            task = self.tasks["seesaw"]
            (self.folder / "odd.json").write_text(json.dumps({id: task for id in ODD_IDS}))
            self.made["odd"] = self.report("odd", self.folder / "odd.json", "--pool", TASKS / "solvers.py")
        return self.made["odd"]

    def large(self):
        """A report on many tasks with grids as large as can be, each cell as it falls."""
        if "large" not in self.made:
            rng = random.Random(1)

            def grid():
                return [rng.choices(range(10), k=30) for _ in range(30)]

            tasks = {f"{k:08x}": {"train": [{"input": grid(), "output": grid()}], "test": [{"input": grid()}]}
                     for k in rng.sample(range(16 ** 8), LARGE)}
            answers = {id: [{"attempt_1": [[0]], "attempt_2": [[1]]}] for id in tasks}
            (self.folder / "large.json").write_text(json.dumps(tasks))
            (self.folder / "large_answers.json").write_text(json.dumps(answers))
            self.made["large"] = self.report("large", self.folder / "large.json", "--submission", self.folder / "large_answers.json")
        return self.made["large"]

    def right_outputs(self, id):
        """Of the tests of a task those that one of the submission's first two attempts is right for."""
        answers = json.loads(self.submission.read_text())[id]
        return [test["output"] in answer.values() for test, answer in zip(self.tasks[id]["test"], answers)]

    def statuses(self):
        """What the page on the search should say of each task."""
        near = {json.loads(line)["task"] for line in self.found.read_text().splitlines() if json.loads(line)["demos_right"]}
        right = {id: self.right_outputs(id) for id in self.tasks}
        return {id: "solved" if all(right[id]) else "partly" if any(right[id]) or id in near else "not" for id in self.tasks}

    def check_grid(self, svg, grid, what, at=0.5):
        """Every cell has its colour at this place, in width and height."""
        picture = self.browser.picture(svg)
        high, wide = picture.height / len(grid), picture.width / len(grid[0])
        check(high >= 3 and wide >= 3, f"{what}: a cell is {wide:.1f} by {high:.1f} pixels")
        for i, row in enumerate(grid):
            for j, cell in enumerate(row):
                pixel = picture.at((j + at) * wide, (i + at) * high)
                check(is_near(pixel, self.colors[cell]), f"{what}: cell {i}, {j} is {pixel}, expected {self.colors[cell]}, "
                      f"the colour {cell}")

    def shown(self, tiles, expected, what):
        check(tiles == expected, f"{what}: shows {tiles}, expected {expected}")
        said = self.browser.one("#shown").text
        check(said == f"{len(expected)} of {len(self.tasks)} shown", f"{what}: says '{said}' for {len(expected)}")
        check(self.browser.one("#none").is_displayed() == (not expected), f"{what}: #none")

    def wait_for_page(self, id):
        """A key or a click leads to another page some time later."""
        self.browser.soon("return document.readyState === 'complete' && document.querySelector('h1').textContent === arguments[0]", f"the page of {id}", id)

    def type_search(self, text):
        field = self.browser.one("#search")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text or Keys.DELETE)

    # ---- The first page ----

    def test_tiles(self):
        b, wanted = self.browser, self.statuses()
        b.open(self.search / "index.html")
        tiles = b.js("return [...document.querySelectorAll('.tile')].map(e => [e.dataset.id, e.dataset.status, e.textContent])")
        check({id: status for id, status, _ in tiles} == wanted and len(tiles) == len(wanted), f"{tiles}, expected {wanted}")
        check(all(id in text for id, _, text in tiles), "a tile does not say its id")
        solved = sum(status == "solved" for status in wanted.values())
        check(0 < solved < len(wanted), f"{solved} solved: there is nothing to tell apart")
        check(b.one("#solved-count").text == str(solved), f"{b.one('#solved-count').text} solved, expected {solved}")
        right = sum(sum(self.right_outputs(id)) for id in self.tasks)
        outputs = sum(len(task["test"]) for task in self.tasks.values())
        check(f"{right} of {outputs} " in b.one("#output-count").text, b.one("#output-count").text)
        check(f"{right} of {outputs} " in self.run("score", self.submission, "--tasks", TASKS), "tessera score says another")

    def test_tile_pictures(self):
        """Each tile shows the first demo: the input at its left, the output at its right."""
        b = self.browser
        b.open(self.search / "index.html")
        for image in b.all(".tile img"):
            id = b.js("return arguments[0].closest('.tile').dataset.id", image)
            demo = self.tasks[id]["train"][0]
            widths, tallest = [len(demo[k][0]) for k in ("input", "output")], max(len(demo["input"]), len(demo["output"]))
            natural, high, opacity = b.js("const i = arguments[0]; i.scrollIntoView(); const drawn = f => requestAnimationFrame(() => "
                                          "requestAnimationFrame(f)); return i.decode().then(() => new Promise(drawn)).then(() => "
                                          "[i.naturalWidth, i.naturalHeight, +getComputedStyle(i).opacity])", image)  # pale: not solved
            scale = min(natural // sum(widths), high // tallest)  # pixels of a cell; between the grids is room for an arrow
            check(scale > 0 and natural > sum(widths) * scale, f"{id}: {natural} by {high}")
            picture = b.picture(image)
            zoom = min(picture.height / high, picture.width / natural)  # as large as its place allows, in the middle of it
            right, down = (picture.width - natural * zoom) / 2, (picture.height - high * zoom) / 2
            for side, left in (("input", 0), ("output", natural - widths[1] * scale)):
                top = (high - len(demo[side]) * scale) // 2
                for i, row in enumerate(demo[side]):
                    for j, cell in enumerate(row):
                        x, y = left + (j + 0.5) * scale, top + (i + 0.5) * scale
                        pixel = picture.at(right + x * zoom, down + y * zoom)
                        expected = [part * opacity + 255 * (1 - opacity) for part in self.colors[cell]]
                        check(is_near(pixel, expected), f"{id}, {side}: cell {i}, {j} is {pixel}, expected {expected}")

    def test_filters(self):
        b, wanted = self.browser, self.statuses()
        check(len(set(wanted.values())) == 3, f"there is nothing to filter: {wanted}")
        b.open(self.search / "index.html")
        self.shown(b.seen(".tile"), list(wanted), "at first")
        for name in ("solved", "partly", "not", "all"):
            b.one(f"label[for=filter-{name}]").click()
            expected = [id for id, status in wanted.items() if name in ("all", status)]
            self.shown(b.seen(".tile"), expected, f"filter {name}")
            said = b.one(f"label[for=filter-{name}] span").text
            check(said == str(len(expected)), f"filter {name} says {said} for {len(expected)}")
        b.one("#filter-all").send_keys(Keys.ARROW_RIGHT)
        self.shown(b.seen(".tile"), [id for id, status in wanted.items() if status == "solved"], "the arrow key")
        self.type_search(next(id for id, status in wanted.items() if status != "solved"))
        self.shown(b.seen(".tile"), [], "an id that is not solved among the solved")

    def test_source_and_order(self):
        b, wanted = self.browser, self.statuses()
        b.open(self.search / "index.html")
        sources = dict(b.js("return [...document.querySelectorAll('.tile')].map(e => [e.dataset.id, e.dataset.source])"))
        options = b.js("return [...document.querySelectorAll('#source option')].map(e => [e.value, e.textContent])")
        check({value for value, _ in options[1:]} == set(sources.values()) - {"none"}, f"{options} for {sources}")
        for value, _ in options:
            b.choose("#source", value)
            self.shown(b.seen(".tile"), [id for id in sources if value in ("", sources[id])], f"found by {value}")
        b.choose("#source", "")
        order = ["solved", "partly", "not"]
        for value, key in (("solved", lambda id: order.index(wanted[id])), ("not", lambda id: -order.index(wanted[id])),
                           ("id", lambda id: id), ("", lambda id: 0)):
            b.choose("#sort", value)
            tiles = b.seen(".tile")
            check([key(id) for id in tiles] == sorted(map(key, tiles)) and set(tiles) == set(wanted), f"order {value}: {tiles}")

    def test_search(self):
        b, ids = self.browser, list(self.tasks)
        b.open(self.search / "index.html")
        for text in ("see", "SEE", "a", "_", ids[3], "nothing is called so", ".*", ""):
            self.type_search(text)
            self.shown(b.seen(".tile"), [id for id in ids if text.lower() in id], f"search '{text}'")
        b.one("h1").click()
        b.keys("/")
        check(b.js("return document.activeElement.id") == "search", "the key / does not lead to the search")

    def test_state_is_in_the_address(self):
        b, wanted = self.browser, self.statuses()
        b.open(self.search / "index.html")
        b.one("label[for=filter-solved]").click()
        self.type_search("a")
        expected = [id for id, status in wanted.items() if status == "solved" and "a" in id]
        self.shown(b.seen(".tile"), expected, "filter and search")
        b.driver.refresh()
        self.shown(b.seen(".tile"), expected, "loaded again")
        check(b.one("#search").get_property("value") == "a" and b.one("#filter-solved").is_selected(), "the form forgot it")
        b.open(self.search / "index.html", "#status=%zz&find=%3Cb%3E&sort=nosuch&source=nosuch")
        check(len(b.all(".tile")) == len(wanted), "an odd address")
        check(b.console() == [], "an odd address leads to a message")

    def test_profile(self):
        """The curve, the rate, and the bars are those of the profile."""
        b, data = self.browser, json.loads(self.profile.read_text())
        b.open(self.search / "index.html")
        seconds, solved, programs = data["curve"][-1]
        check(f"{solved} tasks" in b.one("#curve svg").get_attribute("aria-label"), "the label of the curve")
        said = [float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+)( thousand| million|)\b", b.one("#rate").text)]
        wanted = [programs / data["wall_ms"] * 1000, programs / seconds, programs]
        check(len(said) == 3 and all(abs(a / b - 1) < 0.01 for a, b in zip(said, wanted)), f"rates {said}, expected {wanted}")
        for part, selector in (("stages", ".stage"), ("categories", ".category")):
            wanted = [p["name"] for p in data[part] if p["ms"] * 1000 >= data["core_ms"]]  # less is not to be seen
            names = [e.text for e in b.all(f"{selector} .name")]
            check([name for name in names if name in wanted] == wanted, f"{part}: {names}, expected {wanted}")
            longest = max(data[part], key=lambda p: p["ms"])["name"]
            bars = b.js("return [...document.querySelectorAll(arguments[0])].map(e => [e.querySelector('.name').textContent, "
                        "e.querySelector('.track > *').getBoundingClientRect().width])", selector)
            check(max(bars, key=lambda bar: bar[1])[0] == longest, f"{part}: {bars}, the longest should be {longest}")
        engines = next(c for c in data["categories"] if c["name"] == "engines")
        category = next(c for c in b.all(".category") if c.find_element("css selector", ".name").text == "engines")
        category.find_element("css selector", "summary").send_keys(Keys.ENTER)
        rows = [row.text.split()[0] for row in category.find_elements("css selector", "tbody tr")]
        check(rows == [f["name"] for f in engines["functions"]], f"{rows}")
        b.open(self.bare / "index.html")
        check(not b.all("#curve") and "profile" in b.one("#time").text.lower(), "without a profile nothing is said of it")

    # ---- A page of a task ----

    def test_colors_of_samples(self):
        b = self.browser
        for id in PAGES:
            b.open(self.full / f"{id}.html")
            samples = self.tasks[id]["train"] + self.tasks[id]["test"]
            found = b.all(".sample")
            check([e.get_attribute("data-sample") for e in found] == [str(k) for k in range(len(samples))], f"{id}: samples")
            for k, (element, sample) in enumerate(zip(found, samples)):
                grids = element.find_elements("css selector", "svg.grid")
                check(len(grids) == 2, f"{id}, sample {k}: {len(grids)} grids")
                for svg, side in zip(grids, ("input", "output")):
                    self.check_grid(svg, sample[side], f"{id}, sample {k}, {side}")

    def test_colors_of_attempts(self):
        b, answers = self.browser, json.loads(self.submission.read_text())
        statuses = self.statuses()
        for id in [next(id for id, s in statuses.items() if s == "solved"), next(id for id, s in statuses.items() if s != "solved")]:
            b.open(self.full / f"{id}.html")
            for test, (answer, sample) in enumerate(zip(answers[id], self.tasks[id]["test"]), 1):
                for attempt in (1, 2):
                    element = b.one(f".attempt[data-test='{test}'][data-attempt='{attempt}']")
                    grid = answer[f"attempt_{attempt}"]
                    right = "yes" if grid == sample["output"] else "no"
                    check(element.get_attribute("data-right") == right, f"{id}, test {test}, attempt {attempt}: not {right}")
                    # What differs has a mark in the middle of the cell.
                    self.check_grid(element.find_element("css selector", "svg.grid"), grid, f"{id}, attempt {attempt}", at=0.2)

    def values(self):
        """For each line that is shown the samples whose value is seen."""
        return self.browser.js("return [...document.querySelectorAll('.line')].map(l => [...l.querySelectorAll('.value')]"
                               ".filter(v => v.checkVisibility() && v.getClientRects().length).map(v => +v.dataset.sample))")

    def test_demo_is_chosen_with_keys_alone(self):
        b = self.browser
        for id in PAGES[:2]:
            b.open(self.full / f"{id}.html")
            samples = self.tasks[id]["train"] + self.tasks[id]["test"]
            check(b.tab_to("e.name === 'sample'"), f"{id}: Tab never comes to the choice of a sample")
            for k, sample in enumerate(samples):
                values = self.values()
                check(values and all(v == [k] for v in values), f"{id}: sample {k} is chosen, but shown is {values}")
                last = b.all(f".line:last-child .value[data-sample='{k}'] svg.grid")
                check(len(last) == 1, f"{id}: the last line has {len(last)} grids for sample {k}")
                self.check_grid(last[0], sample["output"], f"{id}: the last line on sample {k}")
                if k + 1 < len(samples):
                    b.keys(Keys.ARROW_RIGHT)

    def test_lines_of_the_program(self):
        """The lines are those of the program, and what they give is drawn beside them."""
        b = self.browser
        b.open(self.full / "seesaw.html")
        text = b.js("return document.querySelector('#program').closest('section').querySelector('pre').textContent")
        lines = [line.strip() for line in text.splitlines()[1:] if not line.strip().startswith("return")]
        shown = [e.text for e in b.all(".line .step")]
        check(shown == lines and lines, f"{shown}, expected {lines}")
        grids = b.js("return document.querySelectorAll('.line .value svg').length")
        check(grids >= len(self.tasks["seesaw"]["train"]), f"{grids} pictures beside lines")

    def test_programs(self):
        """A program of the pool that is right is on the page of its task, whatever was submitted; others agree or fail."""
        texts = {id: html.unescape((self.full / f"{id}.html").read_text()) for id in self.tasks}
        for id, text in texts.items():
            program = self.run("print", TASKS / "solvers.py", "--name", f"solve_{id}").strip()
            check(program in text, f"{id}: the right program is not there")
        for kind in ("agree", "near", "passed-over"):
            check(any(f'class="{kind}"' in text for text in texts.values()), f"no program of the kind {kind}")

    def test_ways_between_pages(self):
        b, ids = self.browser, list(self.tasks)
        b.open(self.full / "index.html")
        b.one(f".tile[data-id='{ids[0]}'] a").click()
        self.wait_for_page(ids[0])
        check(not b.all("a[rel=prev]"), "there is something before the first")
        for id in ids[1:3]:
            b.one("a[rel=next]").click()
            self.wait_for_page(id)
        b.keys(Keys.ARROW_LEFT)
        self.wait_for_page(ids[1])
        b.one("a[rel=prev]").click()
        self.wait_for_page(ids[0])
        b.open(self.full / f"{ids[-1]}.html")
        check(not b.all("a[rel=next]") and b.all("a[rel=prev]"), "the ways from the last page")
        b.one("a[href^='index.html']").click()
        b.soon("return document.readyState === 'complete' && document.querySelectorAll('.tile').length === arguments[0]", "the first page", len(ids))

    # ---- How it looks ----

    def text_contrasts(self):
        """Each text that is seen with its colour and that of the ground below it."""
        return self.browser.js("""
            for (const e of document.querySelectorAll('details')) e.open = true;
            const seen = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const rgba = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
                                    return [...canvas.getImageData(0, 0, 1, 1).data]; };
            for (let n; (n = walk.nextNode());) {
                const e = n.parentElement, r = e.getBoundingClientRect(), s = getComputedStyle(e);
                if (!n.textContent.trim() || !e.checkVisibility({opacityProperty: true}) || r.width < 2 || r.height < 2) continue;
                let ground = e, color = [0, 0, 0, 0];
                while (ground && color[3] < 255) { color = rgba(getComputedStyle(ground).backgroundColor); ground = ground.parentElement; }
                if (color[3] < 255) color = rgba(getComputedStyle(document.documentElement).backgroundColor);
                seen.push([n.textContent.trim().slice(0, 40), rgba(e.closest('svg') ? s.fill : s.color), color]);
            }
            return seen;""")

    def check_theme(self, dark, what):
        b = self.browser
        texts = self.text_contrasts()
        check(len(texts) > 20, f"{what}: {len(texts)} texts")
        ground = Counter(tuple(color) for _, _, color in texts).most_common(1)[0][0]
        check((luminance(ground) < 0.2) == dark, f"{what}: the ground is {ground}")
        for text, color, below in texts:
            check(contrast(color, below) >= 4.5, f"{what}: '{text}' is {color} on {below}: {contrast(color, below):.2f}")
        check(b.js("return getComputedStyle(document.documentElement).colorScheme") != "normal" or not dark,
              f"{what}: form fields do not know of it")

    def forgets_theme(self):
        """Opens the page anew without what was stored. Another process of the browser may have that a moment longer."""
        self.browser.js("localStorage.clear()")
        self.browser.driver.refresh()
        return self.browser.js("return localStorage.length === 0")

    def test_light_and_dark(self):
        b = self.browser
        for page in ("index", PAGES[0]):
            for dark in (False, True):
                name = "dark" if dark else "light"
                with b.looks(scheme=name):
                    b.open(self.full / f"{page}.html")
                    wait_until(self.forgets_theme, "a page that knows of no choice made before")
                    self.check_theme(dark, f"{page} for those who prefer {name}")
                    b.one("#theme").click()
                    self.check_theme(not dark, f"{page} for those who prefer {name}, switched over")
                    b.one("#theme").click()
                    self.check_theme(dark, f"{page} for those who prefer {name}, switched back")
            if page != "index":
                with b.looks(scheme="dark"):
                    b.open(self.full / f"{page}.html")
                    self.check_grid(b.one(".sample svg.grid"), self.tasks[page]["train"][0]["input"], f"{page}, dark")
        b.js("localStorage.clear()")

    def test_phone(self):
        b = self.browser
        with b.looks(width=PHONE):
            long = max(self.odd().glob("*.html"), key=lambda page: len(page.name))
            pages = [self.full / f"{name}.html" for name in ("index", *self.tasks)] + [self.odd() / "index.html", long]
            for page in pages:
                b.open(page)
                b.js("for (const e of document.querySelectorAll('details')) e.open = true")
                inner, wide = b.js("return [innerWidth, document.documentElement.scrollWidth]")
                culprit = b.js("""
                    const over = [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > arguments[0]);
                    return over.slice(0, 3).map(e => e.outerHTML.slice(0, 120))""", PHONE) if wide > PHONE else ""
                check(inner == PHONE and wide <= PHONE, f"{page.name}: {wide} pixels wide in {inner}: {culprit}")
            b.open(self.full / f"{PAGES[1]}.html")
            self.check_grid(b.one(".sample svg.grid"), self.tasks[PAGES[1]]["train"][0]["input"], "on a phone")

    def test_wide_screen(self):
        """Two large samples share a row, as do programs that failed; values stand in one column, close to their lines."""
        b = self.browser
        failed = next(id for id in self.tasks if (self.full / f"{id}.html").read_text().count('class="near"') > 1)
        for id, selector in ((failed, ".near"), (PAGES[0], ".sample")):
            b.open(self.full / f"{id}.html")
            first, second = (e.rect for e in b.all(selector)[:2])
            check(first["y"] == second["y"] and first["x"] + first["width"] <= second["x"], f"{selector}: {first}, {second}")
        steps, values = b.all(".line .step"), b.all(".line .value[data-sample='0']")
        lefts = {e.rect["x"] for e in values}
        widest = max(b.js("const r = document.createRange(); r.selectNodeContents(arguments[0]); return r.getBoundingClientRect().right", e)
                     for e in steps)
        check(len(lefts) == 1 and 0 < min(lefts) - widest < 100, f"values at {lefts}, lines end at {widest}")

    def test_paper(self):
        """What is printed is light, whatever was chosen for the screen."""
        b = self.browser
        b.open(self.full / "index.html")
        b.js("document.documentElement.dataset.theme = 'dark'")
        b.tool("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        try:
            self.check_theme(False, "on paper")
            check(not b.one(".filters").is_displayed() and b.one(".tile").is_displayed(), "what is on paper")
        finally:
            b.tool("Emulation.setEmulatedMedia", media="", features=[])

    # ---- For everybody ----

    def check_structure(self, page):
        b = self.browser
        wrong = b.js("""
            const all = s => [...document.querySelectorAll(s)], wrong = [];
            const say = (what, e) => wrong.push(what + ': ' + e.outerHTML.slice(0, 160));
            for (const e of all('img')) if (!(e.alt || '').trim()) say('a picture without words', e);
            for (const e of all('svg')) {
                const hidden = e.closest('[aria-hidden=true]'), name = e.getAttribute('aria-label') || '';
                if (!hidden && (e.getAttribute('role') !== 'img' || !name.trim())) say('a drawing without a label', e);
            }
            const ids = new Set();
            for (const e of all('[id]')) { if (ids.has(e.id)) say('an id twice', e); ids.add(e.id); }
            let level = 0;
            for (const e of all('h1, h2, h3, h4, h5, h6')) {
                const next = +e.tagName[1];
                if (next > level + 1) say('a heading after one of level ' + level, e);
                level = next;
            }
            if (all('h1').length !== 1) wrong.push(all('h1').length + ' headings h1');
            if (all('main').length !== 1) wrong.push(all('main').length + ' main');
            if (!document.documentElement.lang) wrong.push('no language');
            if (!document.title.trim()) wrong.push('no title');
            for (const e of all('[aria-labelledby], label[for]'))
                for (const id of (e.getAttribute('aria-labelledby') || e.htmlFor).split(' '))
                    if (!document.getElementById(id)) say('a label of nothing', e);
            return wrong;""")
        check(not wrong, f"{page}: {wrong[:3]}")
        nameless = [role for role, name in b.named() if not name]
        check(not nameless, f"{page}: without a name can have the focus: {nameless}")

    def test_structure(self):
        b = self.browser
        for folder, names in ((self.full, ("index", *PAGES)), (self.search, ("index", *PAGES)), (self.bare, ("index", PAGES[0]))):
            for name in names:
                b.open(folder / f"{name}.html")
                b.js("for (const e of document.querySelectorAll('details')) e.open = true")
                self.check_structure(f"{folder.name}/{name}")

    def test_keyboard(self):
        """Everything on the first page can be reached, with the focus in sight."""
        b = self.browser
        b.open(self.full / "index.html")
        b.keys(Keys.TAB)
        check(b.js("return document.activeElement.matches('a[href=\\'#wall\\']')"), "the first thing is not the way to the tasks")
        reached, ids = set(), {"theme", "filter-all", "search", "source", "sort"}
        for _ in range(len(self.tasks) + 60):
            b.keys(Keys.TAB)
            name, seen = b.js("""
                const e = document.activeElement, r = e.getBoundingClientRect(), tile = e.closest('.tile'), s = getComputedStyle(e);
                const label = e.id && document.querySelector(`label[for="${e.id}"]`), l = label && getComputedStyle(label);
                const ring = s => s && (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none');
                return [tile ? tile.dataset.id : e.id, e === document.body || ring(s) || ring(l) || tile && ring(getComputedStyle(tile))]""")
            check(seen, f"'{name}' has the focus, and nobody can see it")
            reached.add(name)
        check(reached >= ids | set(self.tasks), f"Tab never comes to {(ids | set(self.tasks)) - reached}")
        b.one(".tile a").send_keys(Keys.ENTER)
        self.wait_for_page(next(iter(self.tasks)))

    def test_without_scripts(self):
        b, id = self.browser, PAGES[1]
        with b.looks(script=False):
            b.open(self.full / "index.html")
            check(len(b.seen(".tile")) == len(self.tasks), "the tiles")
            b.open(self.full / f"{id}.html")
            samples = self.tasks[id]["train"] + self.tasks[id]["test"]
            check(len(b.all(".sample svg.grid")) == 2 * len(samples), "the samples")
            self.check_grid(b.one(".sample svg.grid"), samples[0]["input"], f"{id} without scripts")
            values = self.values()
            check(values and all(v == [0] for v in values), f"the values: {values}")
            b.tab_to("e.name === 'sample'")
            b.keys(Keys.ARROW_RIGHT)
            check(all(v == [1] for v in self.values()), f"another demo: {self.values()}")

    # ---- Harm ----

    def test_nothing_is_loaded(self):
        b = self.browser
        b.driver.get_log("performance")
        b.console()
        for page in [*sorted(self.full.glob("*.html"))[:5], self.full / "index.html", self.odd() / "index.html"]:
            b.open(page)
            for entry in b.js("return performance.getEntriesByType('resource').map(e => e.name)"):
                check(entry.startswith("data:"), f"{page.name} loads {entry}")
        for entry in b.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.requestWillBeSent" and event["params"]["documentURL"].startswith("file:"):
                url = event["params"]["request"]["url"]
                check(url.startswith(("file:", "data:")), f"asks for {url}")
        check(b.console() == [], "the browser has something to say")
        for folder in (self.full, self.search, self.bare, self.odd()):
            for page in folder.glob("*.html"):
                text = page.read_text()
                for tag, value in Links(text).found:
                    local = value.startswith(("#", "data:image/png;")) or (folder / unquote(urlsplit(value).path)).is_file()
                    check(local and not urlsplit(value).netloc, f"{page}: <{tag}> leads to '{value[:80]}'")
                check(not re.search(r"@import|url\((?!data:)", text), f"{page}: a style that loads something")

    def test_odd_ids(self):
        b, folder = self.browser, self.odd()
        files = {path.name for path in folder.iterdir()}
        check(len(files) == len(ODD_IDS) + 1 == len({name.lower() for name in files}), f"{len(files)} files: {sorted(files)}")
        check(not list(self.folder.parent.glob("outside*")) and not list(self.folder.glob("outside*")), "a file outside")
        b.console()
        b.open(folder / "index.html")
        tiles = b.js("return [...document.querySelectorAll('.tile')].map(e => [e.dataset.id, e.querySelector('a').href, "
                     "e.querySelector('.id').childNodes[1].textContent])")
        check([id for id, _, _ in tiles] == [text for _, _, text in tiles] == ODD_IDS, f"{tiles}")
        for id, href, _ in tiles:
            check((folder / unquote(urlsplit(href).path).rsplit("/", 1)[1]).is_file(), f"{id} leads to {href}")
        for text in ("<b>", "任务", "&", "'><", "%41", "__proto__"):
            self.type_search(text)
            found = b.seen(".tile")
            check(found == [id for id, _, _ in tiles if text.lower() in id.lower()], f"search '{text}': {found}")
        for id, href, _ in tiles:
            b.driver.get(href)
            check(b.js("return document.querySelector('h1').textContent") == id, f"the page of '{id}' has another heading")
            check(not b.all("b script, h1 *, img[src=x]"), f"the page of '{id}' has elements of its own")
        check(b.console() == [], "the browser has something to say")

    def test_large_first_page(self):
        b, page = self.browser, self.large() / "index.html"
        size = page.stat().st_size
        check(size < MOST_BYTES, f"{size} bytes")
        b.open(page)
        opening = b.js("return performance.getEntriesByType('navigation')[0].loadEventEnd")
        check(len(b.all(".tile")) == LARGE, f"{len(b.all('.tile'))} tiles")
        check(0 < opening < MOST_MS, f"opens in {opening} ms")
        id = b.js("return document.querySelectorAll('.tile')[700].dataset.id")
        self.type_search(id)
        check(b.seen(".tile") == [id], "search among many")
        took = b.js("""
            const start = performance.now(), field = document.querySelector('#search');
            field.value = ''; field.dispatchEvent(new Event('input', {bubbles: true})); document.body.offsetHeight;
            return performance.now() - start""")
        check(len(b.seen(".tile")) == LARGE and took < MOST_MS, f"a filter takes {took} ms")
        print(f"{LARGE} tasks: {size} bytes, opens in {opening:.0f} ms, a filter takes {took:.0f} ms")

    def test_same_pages_on_any_thread(self):
        for threads in (1, 3):
            folder = self.report(f"threads{threads}", TASKS, "--pool", TASKS / "solvers.py", *self.searched(), "--threads", threads)
            pages = {path.name: path.read_bytes() for path in folder.iterdir()}
            check(pages == {path.name: path.read_bytes() for path in self.full.iterdir()}, f"{threads} threads give other pages")

    # ---- A page that lives ----

    @contextlib.contextmanager
    def working(self, name, *arguments):
        """A command that works until it is told to end, on tasks of which one cannot be solved: its process, and its page."""
        rng = random.Random(2)
        grids = [[rng.choices(range(10), k=12) for _ in range(12)] for _ in range(5)]
        hard = {"train": [{"input": grids[0], "output": grids[1]}, {"input": grids[2], "output": grids[3]}], "test": [{"input": grids[4]}]}
        tasks = self.folder / "with_hard.json"
        tasks.write_text(json.dumps({**self.tasks, "hard": hard}))
        page = self.folder / name / "index.html"
        process = subprocess.Popen([self.tessera, *map(str, arguments), "--tasks", tasks, "--threads", "1", "--pages",
                                    page.parent], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            wait_until(page.exists, "a page", process)
            yield process, page
        finally:
            process.kill()
            process.communicate()

    def end(self, process):
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=LONG)[1]
        check(not any(mark in said for mark in SANITIZER), said)
        return said

    def whole(self, page):
        text = page.read_text()
        check(text.lower().startswith("<!doctype html>") and text.rstrip().endswith("</html>"), f"a page of {len(text)} characters is not whole")
        return text

    def test_live_solve(self):
        """It reloads by itself, whole at every moment, and keeps the filters; the last one is at rest."""
        b = self.browser
        with self.working("live", "solve", "--budget", "15m", "--out", self.folder / "live.json") as (process, page):
            wait_until(lambda: 'class="fresh"' in self.whole(page), "a program", process)
            b.open(page, "#status=solved")
            left, label, words, shown, _, began = self.look_at_live()
            check(re.search(r"\ds left,", left.replace("\N{NO-BREAK SPACE}", "")), left)
            check("tasks solved" in label, f"the label of the curve is '{label}'")
            check(words and all(pictures >= 2 and text for pictures, text in words), f"the newest: {words}")
            check(shown and "hard" not in shown, f"solved: {shown}")
            wait_until(lambda: self.look_at_live()[-1] != began, "the page to load again", process)
            _, _, _, now, is_chosen, _ = self.look_at_live()
            check(is_chosen and set(now) >= set(shown), "the filter is forgotten")
            self.end(process)
            check(process.returncode == 0, f"exit code {process.returncode}")
            check("data-live" not in self.whole(page) and [p.name for p in page.parent.iterdir()] == ["index.html"], "the last page")
            wait_until(lambda: "Ended after" in self.look_at_live()[0], "the last page in the browser")
        check(len(json.loads((self.folder / "live.json").read_text())) == len(self.tasks) + 1, "the submission")
        check(b.console() == [], "the page says something to the console")

    def look(self, *expressions):
        """What these give on a page that may load again at any moment: all of them in one look, at a page that is whole."""
        return self.browser.soon(f"return document.readyState === 'complete' ? [{', '.join(expressions)}] : null", "a page that is whole")

    def look_at_live(self):
        """What is left, the label of the curve, the newest with pictures and words, the tiles that are seen, whether the filter is
        chosen, and when the page began."""
        return self.look("document.querySelector('#left').textContent", "document.querySelector('#curve svg').getAttribute('aria-label')",
                         "[...document.querySelectorAll('.fresh')].map((e) => [e.querySelectorAll('svg').length, e.querySelector('.words').textContent])",
                         "[...document.querySelectorAll('.tile')].filter((e) => e.checkVisibility()).map((e) => e.dataset.id)",
                         "document.querySelector('#filter-solved').checked", "performance.timeOrigin")

    def test_live_place(self):
        """What stands at the top of the window stays there when the page loads again, though programs have come in above it."""
        b, first = self.browser, min(self.tasks)
        with self.working("place", "solve", "--budget", "15m", "--out", self.folder / "place.json") as (process, page):
            wait_until(lambda: 'class="fresh"' in self.whole(page), "a program", process)
            after = page.read_text()
            self.end(process)
        before = re.sub(r'<li class="fresh".*?</li>', "", after, flags=re.S)
        page.write_text(before)
        top = f"""document.querySelector('.tile[data-id="{first}"]').getBoundingClientRect().top"""
        with b.looks(width=PHONE, height=300):
            b.open(page)
            _, at, y = self.look(f"scrollTo(0, scrollY + {top} + 7)", top, "scrollY")
            check(abs(at + 7) <= 1, f"the first tile is at {at}, not at the top")
            page.with_name("next").write_text(after)
            page.with_name("next").rename(page)
            wait_until(lambda: self.look("!!document.querySelector('.fresh')")[0], "the next page")
            wait_until(lambda: abs(self.look(top)[0] - at) <= 2, "the place where the reader was")
            check(self.look("scrollY")[0] > y + 50, "nothing has come in above")

    def test_live_iterate(self):
        pool = self.folder / "live.db"
        with self.working("grows", "iterate", "--seconds", 900, "--pool", pool) as (process, page):
            wait_until(lambda: 'class="fresh"' in self.whole(page), "a program", process)
            check('<p class="words">' in page.read_text() and "</b> left" in page.read_text(), "words and the time left")
            self.end(process)
        check("data-live" not in self.whole(page), "the last page lives")

    def test_live_page_that_fails(self):
        """A page that can no longer be written is said once, and the work is not lost; one that never can ends it at once."""
        out = self.folder / "unseen.json"
        with self.working("unseen", "solve", "--budget", "15m", "--out", out) as (process, page):
            shutil.rmtree(page.parent)
            said = process.stderr.readline()
            while said and "the work goes on without that page" not in said:
                said = process.stderr.readline()
            check(str(page) in said, f"says '{said}'")
            said = self.end(process)
            check(process.returncode == 0 and "without that page" not in said, f"exit code {process.returncode}, says '{said}'")
        check(len(json.loads(out.read_text())) == len(self.tasks) + 1, "the submission is lost")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write fails, as on a disk that is full
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        done = subprocess.run([self.tessera, "solve", "--tasks", TASKS, "--per-task", "1ms", "--pages", self.folder / "full_disk", "--out",
                               self.folder / "never.json"], capture_output=True, text=True, timeout=LONG, preexec_fn=limit)
        check(done.returncode == 4 and "full_disk" in done.stderr, f"exit code {done.returncode}, says '{done.stderr}'")
        check(not any((self.folder / "full_disk").iterdir()), "a part of a page is left")

    # ---- Two files of answers ----

    def test_compare(self):
        b, first = self.browser, json.loads(self.submission.read_text())
        right = {id: all(self.right_outputs(id)) for id in self.tasks}
        lost = next(id for id in right if right[id])
        second = {id: [{"attempt_1": test["output"], "attempt_2": [[0]]} for test in task["test"]] for id, task in self.tasks.items()}
        second[lost] = [{"attempt_1": [[0]], "attempt_2": [[0]]} for _ in first[lost]]
        after = self.folder / "after.json"
        after.write_text(json.dumps(second))
        self.run("report", "--tasks", TASKS, "--compare", self.submission, after, "--out", self.folder / "compared")
        wanted = {id: "lost" if id == lost else "both" if right[id] else "won" for id in right}
        for scheme in ("light", "dark"):
            with b.looks(scheme=scheme):
                b.open(self.folder / "compared" / "index.html")
                wait_until(self.forgets_theme, "a page that knows of no choice made before")
                self.check_theme(scheme == "dark", f"the comparison, {scheme}")
        with b.looks(width=PHONE):
            b.open(self.folder / "compared" / "index.html")
            check(b.js("return document.documentElement.scrollWidth") <= PHONE, "the comparison scrolls sideways")
        b.open(self.folder / "compared" / "index.html")
        for selector, key in ((".tile", "status"), ("tr[data-id]", "change")):
            said = dict(b.js(f"return [...document.querySelectorAll('{selector}')].map(e => [e.dataset.id, e.dataset.{key}])"))
            check(said == wanted, f"{selector}: {said}, expected {wanted}")
        for name in ("won", "lost", "both", "neither", "changed"):
            b.one(f"label[for=filter-{name}]").click()
            self.shown(b.seen(".tile"), [id for id in wanted if wanted[id] == name], f"filter {name}")
        b.one("label[for=filter-lost]").click()
        b.one(f".tile[data-id='{lost}'] a").click()
        check(b.js("return document.activeElement.dataset.id") == lost and b.one("#filter-lost").is_selected(), "a tile does not lead to its row")
        grid = next(answer for answer in first[lost][0].values() if answer == self.tasks[lost]["test"][0]["output"])
        column = list(first[lost][0].values()).index(grid)
        self.check_grid(b.all("tr:focus td:nth-child(3) svg")[column], grid, f"{lost}, the right attempt of A", 0.5)
        check(b.console() == [], "the page says something to the console")


if __name__ == "__main__":
    main(Tests, __doc__)
