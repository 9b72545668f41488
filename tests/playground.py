#!/usr/bin/python3
"""The playground in a real browser: that its engine gives what the native one gives, and what the page does.

    tests/playground.py [--tessera build/tessera] [NAME…]

Needs Debian's chromium, chromium-driver and python3-selenium, and build/playground.html beside the command (`make playground`).
The last line is `N passed, N failed`.
"""

import base64
import json
import re
import subprocess
import zlib
from urllib.parse import quote

from browser import TROUBLE, Browser, Keys
from harness import LONG, ROOT, check, main, wait_until

TASKS = ROOT / "tasks"
GOLDEN = ROOT / "tests/golden"
DATA = ROOT / "tests/data/tasks"
MOST_BYTES = 3_000_000
PHONE = 360
MOST_KEY = 10_000  # milliseconds; some 10 where the machine is idle, and this fails only where a key hangs the page
SCRIPT = "<img src=x onerror='window.hit = 1'><script>window.hit = 1</script>"
OPENING = "demo 1 input"


def colors():
    """ARC's colours, as the pictures have them."""
    found = re.findall(r"\{0x(..), 0x(..), 0x(..)\}", (ROOT / "src/show/show.h").read_text())
    return [tuple(int(part, 16) for part in color) for color in found[:10]]


def fragment(given):
    """A link as the page makes it."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packed.compress(given if isinstance(given, bytes) else json.dumps(given).encode()) + packed.flush()
    return "#p=" + base64.urlsafe_b64encode(data).decode().rstrip("=")


class Tests:
    troubles = (TROUBLE,)

    def __init__(self, options, folder):
        self.folder, self.tessera = folder, options.tessera
        self.page = self.tessera.parent / "playground.html"
        check(self.page.exists(), f"there is no {self.page}: make playground")
        self.tasks = {path.stem: json.loads(path.read_text()) for path in sorted(TASKS.glob("*.json"))}
        self.colors = colors()
        self.browser = Browser(folder)

    def close(self):
        self.browser.close()

    # ---- Tools ----

    def open(self, fragment="", kept=False, page=None):
        """The page as somebody sees it who was never there; or the one that is open loaded again, with what the browser has kept."""
        b = self.browser
        if kept:
            b.js("history.replaceState(null, '', location.href.split('#')[0] + arguments[0])", fragment)
            b.driver.refresh()
        else:  # to clear what is kept may take a while until other processes of the browser know of it
            with b.before_page("Storage.prototype.getItem = () => null"):
                b.open(page or self.page, fragment)
        self.ready()

    def ready(self):
        self.browser.soon("return document.body?.dataset.ready", "the page is ready")
        self.settle()

    def settle(self):
        """Waits for what the engine says of the program as it stands."""
        wait_until(lambda: self.browser.js("return !isAsking && [taskNow(), null].includes(toldTask) && "
                                           "asked === JSON.stringify([state.at, state.sample, programNow()])"), "an answer")

    def call(self, name, *given):
        """What the page's engine gives, as text."""
        return self.browser.js("return new Promise((done) => writing.ask(arguments[0], arguments[1], (_, text) => done(text)))",
                               name, list(given))

    def text(self, selector):
        return self.browser.js("return document.querySelector(arguments[0]).textContent", selector)

    def program(self):
        return self.browser.one("#program").get_property("value")

    def type(self, text):
        field = self.browser.one("#program")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        for line in text.split("\n"):  # the page indents by itself, and offers names
            field.send_keys(line.strip(), Keys.ESCAPE, Keys.ENTER)
        self.settle()

    def choose_task(self, id):
        b = self.browser
        b.choose("#tasks", str(b.js("return state.tasks.findIndex((t) => t.id === arguments[0])", id)))
        self.settle()

    def canvas(self, label):
        found = self.browser.js("return [...document.querySelectorAll('canvas')].find((c) => !c.hidden && "
                                "(c.getAttribute('aria-label') ?? '').startsWith(arguments[0])) ?? null", label)
        check(found, f"there is no picture '{label}'")
        return found

    def check_grid(self, canvas, grid, what, at=0.7):
        """Every cell has its colour at this place, in width and height: where no mark is."""
        picture = self.browser.picture(canvas)
        high, wide = picture.height / len(grid), picture.width / len(grid[0])
        for i, row in enumerate(grid):
            for j, cell in enumerate(row):
                pixel = picture.at((j + at) * wide, (i + at) * high)
                check(all(abs(a - b) <= 3 for a, b in zip(pixel, self.colors[cell])),
                      f"{what}: cell {i}, {j} is {pixel}, expected {self.colors[cell]}, the colour {cell}")

    def grid(self, sample, side):
        return self.browser.js("return grids.rows(samplesOf(taskNow())[arguments[0]][arguments[1]])", sample, side)

    def said(self):
        return self.text("#said")

    def wait_said(self, words):
        wait_until(lambda: words in self.said(), f"'{words}' is said")

    def drop(self, *paths):
        self.browser.js("const data = new DataTransfer();"
                        "for (const [name, text] of arguments[0]) data.items.add(new File([text], name));"
                        "document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))",
                        [[path.name, path.read_text()] for path in paths])

    def paste(self, text):
        b = self.browser
        b.js("document.getElementById('pasting').hidden = false; document.getElementById('pasted').value = arguments[0]", text)
        b.one("#pasting button").click()

    # ---- The same results ----

    def test_golden(self):
        self.open()
        files = [GOLDEN / f"{name}.txt" for name in ("primitives", "odd", "dialect")] + sorted((GOLDEN / "ours").glob("*.txt"))
        for path in files:
            told = json.loads(self.call("check", path.read_text(), ""))
            check(told["good"] and told["passed"] and not told["failed"], f"{path.name}: {str(told)[:2000]}")
        told = json.loads(self.call("check", (GOLDEN / "programs.txt").read_text(), (GOLDEN / "programs.py").read_text()))
        check(told["good"] and told["passed"] > 1000 and not told["failed"], f"programs: {str(told)[:2000]}")

    def test_signature(self):
        native = subprocess.run([self.tessera, "bench", "--seconds", "0"], capture_output=True, text=True, timeout=LONG).stdout
        self.open()
        told = json.loads(self.call("bench", 0))
        check(native.split("\n")[0] == f"signature {told['signature']}", f"native {native[:60]}, here {told}")

    def test_submission(self):
        out = self.folder / "native.json"
        subprocess.run([self.tessera, "solve", "--per-task", "300ms", "--out", out, "--quiet"], check=True, capture_output=True,
                       timeout=LONG)
        self.open()
        check(self.call("solve", "", 0.3) == out.read_text(), "another submission than the native one")

    def test_reading(self):
        """The page has a reader of JSON of its own: it takes and refuses what the native one does, at the same place."""
        self.open()
        for path in sorted([*DATA.glob("*.json"), *DATA.glob("good/*.json")]):
            try:
                text = path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue  # a browser has made letters of it before
            if "\0" in text or not text.strip() or "solutions" in path.name or path.stem.endswith("challenges"):
                continue
            told = json.loads(self.call("read", path.stem, text, ""))
            native = subprocess.run([self.tessera, "solve", "--tasks", path, "--per-task", "1ms", "--engine", "repair", "--out",
                                     self.folder / "r.json", "--fresh", "--quiet"], capture_output=True, text=True, timeout=LONG)
            check(("error" in told) == (native.returncode != 0), f"{path.name}: {str(told)[:300]}, native '{native.stderr[:300]}'")
            if "error" not in told:
                continue
            place = re.search(r":(\d+):(\d+): ", native.stderr)
            ends = [0, *(k + 1 for k, letter in enumerate(text) if letter == "\n")]
            here = ends[told["error"]["line"] - 1] + told["error"]["column"]
            there = here if not place else ends[int(place.group(1)) - 1] + int(place.group(2))
            # Of a letter that is no JSON yajl names the one before, at times.
            check(abs(here - there) <= 1, f"{path.name}: {told['error']}, native '{native.stderr[:300]}'")

    # ---- One file, from disk ----

    def test_offline(self):
        b = self.browser
        check(self.page.stat().st_size <= MOST_BYTES, f"the page has {self.page.stat().st_size} bytes")
        b.tool("Network.enable")
        b.tool("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        b.driver.get_log("performance")
        self.open()
        self.type("def solve(I):\nO = vmirror(I)\nreturn O")
        asked = [json.loads(entry["message"])["message"] for entry in b.driver.get_log("performance")]
        urls = [m["params"]["request"]["url"] for m in asked if m["method"] == "Network.requestWillBeSent"]
        check(urls and all(re.match(r"file:|blob:|data:|about:", url) for url in urls), f"it asks for {urls}")
        check("of 3 demos right" in self.text("#score"), self.text("#score"))
        check(not b.console(), f"the console has {b.console()}")
        b.tool("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def test_no_engine(self):
        """Until there is an engine nothing can be pressed, and where there is none the page says why."""
        b = self.browser
        for missing, words in (("WebAssembly.compile = () => new Promise(() => {})", "The engine starts"), ("delete window.WebAssembly", "cannot start here"),
                               ("delete window.DecompressionStream", "cannot start here"), ("window.Worker = class { constructor() { throw new Error('none'); } }", "cannot start here: none"),
                               ("WebAssembly.compile = async () => ({})", "cannot start here")):
            b.driver.get("about:blank")
            b.console()
            with b.before_page(missing):
                b.open(self.page)
            self.wait_said(words)
            check(not b.tab_to("e.closest('main') && e.tagName !== 'MAIN'", most=12), f"{missing}: Tab leads into the page")
            b.one("body").send_keys(Keys.CONTROL, Keys.ENTER)
            b.keys(Keys.ARROW_RIGHT)
            self.drop(TASKS / "seesaw.json")
            b.js("location.hash = '#p=x'; dispatchEvent(new Event('resize'))")
            b.js("return new Promise((done) => setTimeout(done, 50))")
            check(words in self.said() and not b.console(), f"{missing}: says '{self.said()}', the console has something")

    # ---- Seeing ----

    def test_tasks(self):
        b = self.browser
        self.open()
        names = b.js("return [...document.querySelectorAll('#tasks option')].map((o) => o.textContent)")
        check(names == list(self.tasks), f"it has {names}")
        for _ in range(2):
            b.one("#after").click()
        b.one("#before").click()
        self.settle()
        id = names[1]
        check(self.text("#task-title") == id, self.text("#task-title"))
        self.check_grid(self.canvas("demo 1 input"), self.tasks[id]["train"][0]["input"], "input")
        self.check_grid(self.canvas("test 1 output"), self.tasks[id]["test"][0]["output"], "output")
        b.js("document.activeElement.blur()")
        b.keys(Keys.ARROW_RIGHT)
        check(self.text("#task-title") == names[2], "the arrow key does not step on")

    def test_kaggle(self):
        """Challenges with their solutions, opened as files; a single task, pasted; what is none."""
        b = self.browser
        self.open()
        name = DATA / "good/arc-agi_training_challenges.json"
        solutions = name.with_name(name.name.replace("challenges", "solutions"))
        b.one("#files").send_keys(f"{name}\n{solutions}")
        self.wait_said("2 tasks are open")
        known = json.loads(solutions.read_text())
        check(b.js("return state.tasks.map((t) => [t.id, t.test.map((s) => grids.rows(s.output))])") == [[id, known[id]] for id in
              json.loads(name.read_text())], "other tasks, or other solutions")
        self.paste(json.dumps(self.tasks["seesaw"]))
        self.wait_said("pasted is open")
        self.settle()
        self.check_grid(self.canvas("demo 2 output"), self.tasks["seesaw"]["train"][1]["output"], "pasted")
        self.drop(TASKS / "seesaw.json", TASKS / "butterfly.json")
        self.wait_said("2 tasks are open")
        check(b.js("return state.tasks.map((t) => [t.id, plainTask(t)])") == [[id, self.tasks[id]] for id in ("seesaw", "butterfly")],
              "other tasks than were dropped")
        self.paste("file:///x/playground.html#j=" + quote(json.dumps({"id": "pasted", "task": self.tasks["seesaw"]}), safe="[]:,"))
        self.wait_said("pasted is open")
        self.paste('{"train": [\n  {"input": [[1]], "output": [[10]]}], "test": []}')
        self.wait_said("pasted:2:")
        check(self.text("#task-title") == "pasted", "what is wrong takes the place of what is there")

    def test_files(self):
        b = self.browser
        self.open()
        paths = [self.folder / folder / "twice.json" for folder in ("a", "b")]
        for path, id in zip(paths, ("seesaw", "butterfly")):
            path.parent.mkdir()
            path.write_text(json.dumps(self.tasks[id]))
        self.drop(*paths)
        self.wait_said("2 tasks are open")
        check(b.js("return state.tasks.map((t) => t.id)") == ["twice", "twice_2"], "two tasks of one name would have one program")
        for wide in (2, 3):  # the same file, written anew meanwhile
            paths[0].write_text(json.dumps({"train": [{"input": [[1] * wide], "output": [[1]]}], "test": [{"input": [[1]]}]}))
            b.one("#files").send_keys(str(paths[0]))
            wait_until(lambda: self.grid(0, "input") == [[1] * wide], "the file is open as it is now")

        b.js("const file = new File([], 'gone.json'); file.text = () => Promise.reject(new Error('it has gone'));"
             "return openFiles([file])")
        self.wait_said("cannot be read: it has gone")

    def test_pasted(self):
        """Two tasks without a name do not share a program; the field closes when its text was read."""
        b = self.browser
        self.open()
        self.paste(json.dumps(self.tasks["seesaw"]))
        self.wait_said("pasted is open")
        self.type("def solve(I):\nO = rot90(I)\nreturn O")
        self.paste(json.dumps(self.tasks["butterfly"]))
        self.wait_said("pasted_2 is open")
        wait_until(lambda: not b.one("#pasting").is_displayed() and not b.one("#pasted").get_property("value"), "the field is closed")
        check("identity" in self.program(), self.program())
        b.js("const data = new DataTransfer(); data.setData('text', arguments[0]);"
             "document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))",
             json.dumps({"by_key": self.tasks["seesaw"]}))
        self.wait_said("by_key is open")
        self.paste("[")
        self.wait_said("pasted:1:2")
        check(b.one("#pasted").get_property("value") == "[", "what cannot be read is gone")

    # ---- Writing ----

    def test_write(self):
        b = self.browser
        self.open()
        self.choose_task("seesaw")
        self.type("def solve(I):\nx1 = objects(I, T, F, T)\nx2 = fill(I, TWO, ORIGIN)\nx3 = size(x1)\nO = vmirror(I)\nreturn O")
        check(self.program().startswith("def solve(I):\n    x1 = objects(I, T, F, T)\n    x2"), f"it has {self.program()!r}")
        first = self.tasks["seesaw"]["train"][0]["input"]
        mirrored = [row[::-1] for row in first]
        lines = b.js("return [...document.querySelectorAll('#lines li')].map((e) => [e.dataset.line, e.textContent])")
        check([line for line, _ in lines] == ["2", "3", "4", "5"], f"lines {lines}")
        check("a set of" in lines[0][1] and re.search(r": \d+$", lines[2][1]), f"values {lines}")
        self.check_grid(self.canvas("line 5"), mirrored, "the value of a line")
        self.check_grid(self.canvas("line 2"), first, "objects in their place")
        self.check_grid(self.canvas("demo 1, what the program gives"), mirrored, "the result")
        self.check_marks(mirrored)
        check("0 of 4 demos right" in self.text("#score") and "irror" in self.text("#words"), f"{self.text('#score')} {self.text('#words')}")
        b.one("#sample-1").click()
        self.settle()
        self.check_grid(self.canvas("line 5"), [row[::-1] for row in self.tasks["seesaw"]["train"][1]["input"]], "another sample")

    def check_marks(self, given):
        """The upper left corner of a cell says whether it is as wanted."""
        wanted = self.tasks["seesaw"]["train"][0]["output"]
        picture = self.browser.picture(self.canvas("demo 1, what the program gives"))
        high, wide = picture.height / len(given), picture.width / len(given[0])
        for i, row in enumerate(given):
            for j, cell in enumerate(row):
                is_marked = picture.at(j * wide + 3, i * high + 3) == (0xB3, 0x26, 0x1E)
                check(is_marked == (cell != wanted[i][j]), f"cell {i}, {j} is {'' if is_marked else 'not '}marked")

    def test_problems(self):
        b = self.browser
        self.open()
        self.type("def solve(I):\nx1 = hmirror(I)\nO = vmirror(x2)\nreturn O")
        told = self.text("#problems")
        check("line 3" in told and "x2" in told, f"it says '{told}'")
        check(self.text("#colored .wrong") == "x2", f"'{self.text('#colored .wrong')}' is underlined")
        check(self.text("#lines li").startswith("x1 = hmirror(I)"), "the line before has no value")
        self.type("def solve(I):\nx1 = hmir\nx2 = rot90(x1)\nx3 = vmirror(x2)\nx4 = size(I)\nreturn x3")
        lines = b.js("return [...document.querySelectorAll('#lines li code')].map((e) => e.textContent)")
        check(lines == ["x4 = size(I)"], f"below a line that is half written stand {lines}")
        self.type("def solve(I):\nx1 = hmirror(I)\nO = vmirror(x2)\nreturn O")
        b.one("#problems button").click()
        check(b.js("const f = document.activeElement; return f.value.slice(f.selectionStart, f.selectionStart + 2)") == "x2", "not there")
        b.keys(Keys.DELETE, Keys.DELETE, "x1")
        self.settle()
        check(not self.text("#problems") and "demos right" in self.text("#score"), "it is right and something is said")

    def test_completion(self):
        b = self.browser
        self.open()
        self.type("def solve(I):\nx1 = lefthalf(I)")
        field = b.one("#program")
        field.send_keys("O = vmirr")
        wait_until(lambda: b.one("#offers").is_displayed(), "names are offered")
        about = self.text("#about")
        check("vmirror(piece: Piece) → Piece" in about and "left and right" in about and "=>" in about, f"of vmirror it says '{about}'")
        check(b.js("const side = (id) => document.querySelector(id).getBoundingClientRect(), offers = side('#offers'), editor = side('.editor');"
                   "return offers.left >= editor.left && offers.right <= editor.right"), "the offers are wider than the editor")
        field.send_keys(Keys.TAB, "(x1)", Keys.ENTER, "x2 = left", Keys.ENTER, "return O")  # the first has an offer, which is not taken
        self.settle()
        check(self.program() == "def solve(I):\n    x1 = lefthalf(I)\n    O = vmirror(x1)\n    x2 = left\n    return O", repr(self.program()))
        colored = b.js("return [...document.querySelectorAll('#colored span')].map((e) => [e.textContent, e.className])")
        check(["vmirror", "op"] in colored and ["def", "keyword"] in colored, f"colours {colored}")
        check(b.js("const c = document.querySelector('#colored').cloneNode(true); c.querySelectorAll('.lens').forEach((e) => e.remove());"
                   "return c.textContent.trimEnd()") == self.program(), "the text behind is another")

    # ---- Searching ----

    def test_search(self):
        b = self.browser
        self.open()
        self.choose_task("seesaw")
        b.choose("#seconds", "1")
        b.one("#search").click()
        wait_until(lambda: not b.js("return document.getElementById('search').disabled"), "the search is over")
        check("candidate" in self.text("#progress"), self.text("#progress"))
        first = self.text("#found li")
        check("% sure" in first and "4 of 4 demos right" in first and len(first.split()) > 12, f"the first is '{first}'")
        b.one("#found .take").click()
        self.settle()
        check("4 of 4 demos right" in self.text("#score") and self.text("#found pre") == self.program(), self.text("#score"))
        test = self.tasks["seesaw"]["test"][0]["output"]
        self.check_grid(self.canvas("test 1, what the program gives"), test, "the answer")
        b.one("#undo").click()
        self.settle()
        check("identity" in self.program(), f"undone it is {self.program()!r}")
        check("for seesaw" in self.text("#progress"), self.text("#progress"))
        for id, seen in (("butterfly", False), ("seesaw", True)):
            self.choose_task(id)
            check(b.one("#found").is_displayed() == seen, f"what was found for seesaw beside {id}")

    def test_other_tasks(self):
        """What a program gave on one task is not shown beside another, whose tests may have no output to hold it against."""
        b = self.browser
        self.open()
        b.console()
        pair = {"input": [[1, 2]], "output": [[2, 1]]}
        self.paste(json.dumps({"long": {"train": [pair] * 3, "test": [pair]}, "short": {"train": [pair], "test": [{"input": [[3]]}]}}))
        self.wait_said("2 tasks are open")
        self.settle()
        check("2 of 2 cells off" in self.text("[data-sample='1'] .mark"), self.text("[data-sample='1'] .mark"))
        given = b.js("goTo(1); return [results, document.getElementById('score').textContent, document.querySelectorAll('#lines li').length]")
        check(given == [None, "", 0], f"before anything is known of the next task it shows {given}")
        self.settle()
        check("0 of 1 demos right" in self.text("#score") and not self.text(".test .mark"), f"{self.text('#score')} {self.text('.test .mark')}")
        b.one("#before").click()
        self.settle()
        b.one("#paint").click()
        b.one("[aria-label='No output, test 1']").click()
        self.settle()
        check(self.text("#score") and not self.text(".test .mark") and b.console() == [], "an output that is taken away")
        self.type("def solve(I):\nO = vmirror(I)\nreturn O")
        b.one("#fresh").click()
        self.settle()
        check(self.text("#task-title") == "new_1" and "identity" in self.program(), self.program())

    def test_slow(self):
        """What the engine takes long for is pale meanwhile; what it said when it was ended goes when it works again."""
        b = self.browser
        self.open()
        pale = "return Number(getComputedStyle(document.getElementById('score')).opacity) < 1"
        b.js("writing.ask('bench', [1000000000], () => {}); setProgram('def solve(I):\\n    return I\\n', 'test')")
        wait_until(lambda: b.js(pale), "what does not hold any more is pale")
        b.js("writing.end()")
        self.settle()
        check("was ended" in self.said() and not b.js(pale), f"it says '{self.said()}'")
        self.type("def solve(I):\nO = vmirror(I)\nreturn O")
        check("demos right" in self.text("#score") and self.said() == "", f"it says '{self.said()}'")

    def test_step_back(self):
        """The caret goes where the step back changed something."""
        b = self.browser
        self.open()
        text = "def solve(I):\n    x1 = hmirror(I)\n    O = vmirror(x1)\n    return O\n"
        b.js("setProgram(arguments[0], 'test')", text)
        at = text.index("(I)\n    O")
        b.js("const f = document.getElementById('program'); f.focus(); f.setSelectionRange(arguments[0], arguments[0])", at)
        b.keys("zz", Keys.ESCAPE)
        check("hmirrorzz(I)" in self.program(), self.program())
        b.driver.switch_to.active_element.send_keys(Keys.CONTROL, "z")
        check(self.program() == text and b.js("return document.activeElement.selectionStart") == at, "it is somewhere else")
        self.settle()

    def test_stop(self):
        b = self.browser
        self.open()
        self.choose_task("ray_guns")
        b.choose("#seconds", "60")
        for _ in range(2):
            b.one("#search").click()
            wait_until(lambda: "so far" in self.text("#progress"), "the search is under way")
            b.one("#stop").click()
            check(b.js("return searching.worker === null") and self.text("#progress") == "stopped", "it goes on")
            check(not b.one("#stop").is_enabled() and b.one("#search").is_enabled(), "it cannot be begun again")

    # ---- Painting ----

    def mouse(self, kind, label, i, j, button="left"):
        b, canvas = self.browser, self.canvas(label)
        b.js("arguments[0].scrollIntoView({block: 'center'})", canvas)
        size = b.js("const g = samplesOf(taskNow())[0].input; return [g.h, g.w]")
        box = b.js("const r = arguments[0].getBoundingClientRect(); return [r.x, r.y, r.width, r.height]", canvas)
        x, y = box[0] + (j + 0.5) * box[2] / size[1], box[1] + (i + 0.5) * box[3] / size[0]
        b.tool("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=int(kind != "mouseMoved"))

    def dab(self, label, i, j):
        """A click on a cell."""
        self.mouse("mousePressed", label, i, j)
        self.mouse("mouseReleased", label, i, j)
        self.settle()

    def test_paint(self):
        b = self.browser
        self.open()
        self.choose_task("seesaw")
        self.type("def solve(I):\nO = vmirror(I)\nreturn O")
        b.one("#paint").click()
        b.js("document.getElementById('color-4').click()")
        wanted = self.grid(0, "input")
        wanted[1][2] = 4
        self.dab("demo 1 input", 1, 2)
        check(self.grid(0, "input") == wanted, "the cell is not painted")
        self.check_grid(self.canvas("demo 1, what the program gives"), [row[::-1] for row in wanted], "the result after a cell")
        b.keys(Keys.ARROW_RIGHT, "7")
        self.settle()
        wanted[1][3] = 7
        check(self.grid(0, "input") == wanted, "a key does not paint")
        b.driver.switch_to.active_element.send_keys(Keys.CONTROL, "z")
        self.settle()
        wanted[1][3] = self.tasks["seesaw"]["train"][0]["input"][1][3]
        check(self.grid(0, "input") == wanted, "a step back does not undo it")

    def test_strokes(self):
        """A stroke is one step back, however slow it is; another button paints nothing."""
        b = self.browser
        self.open()
        b.one("#fresh").click()
        for cells in (((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0))):  # the second begins on a cell that has the colour
            for k, (i, j) in enumerate(cells):
                self.mouse("mouseMoved" if k else "mousePressed", OPENING, i, j)
                b.js("lastTime -= 1e6")
            self.mouse("mouseReleased", OPENING, *cells[-1])
        plain = [[0] * 5 for _ in range(5)]
        both = [[1, 1, 1, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], *plain[3:]]
        check(self.grid(0, "input") == both, f"painted it is {self.grid(0, 'input')}")
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, OPENING, 4, 4, "right")
        check(self.grid(0, "input") == both, "the right button paints")
        for wanted in ([both[0], *plain[1:]], plain):
            b.driver.switch_to.active_element.send_keys(Keys.CONTROL, "z")
            check(self.grid(0, "input") == wanted, f"a step back it is {self.grid(0, 'input')}")
        self.settle()

    def test_smaller_grid(self):
        """The cursor stays in the grid, which may be another and smaller one by now."""
        b = self.browser
        self.open()
        large, small = ([[0] * size for _ in range(size)] for size in (9, 2))
        self.paste(json.dumps({name: {"train": [{"input": grid, "output": grid}], "test": [{"input": grid}]}
                               for name, grid in (("large", large), ("small", small))}))
        self.wait_said("2 tasks are open")
        b.one("#paint").click()
        self.dab(OPENING, 8, 8)
        b.one("#after").click()
        self.canvas(OPENING).send_keys("7")
        check(b.js("return taskNow().train[0].input") == {"h": 2, "w": 2, "cells": "0007"}, f"painted it is {b.js('return taskNow().train[0].input')}")
        self.settle()

    def test_fresh_task(self):
        """A task from nothing: size, colours, filling, copying, a demo more; shared as a link, and opened from it."""
        b = self.browser
        self.open()
        b.one("#fresh").click()
        self.settle()
        self.dab(OPENING, 0, 0)
        for field, value in (("#rows", 2), ("#columns", 3)):
            b.js("const f = document.querySelector(arguments[0]); f.value = arguments[1]; f.dispatchEvent(new Event('change'))", field, value)
        check(self.grid(0, "input") == [[1, 0, 0], [0, 0, 0]], f"resized it is {self.grid(0, 'input')}")
        b.js("document.getElementById('color-2').click()")
        b.one("#flood").click()
        self.dab(OPENING, 1, 1)
        check(self.grid(0, "input") == [[1, 2, 2], [2, 2, 2]], f"filled it is {self.grid(0, 'input')}")
        b.one("[aria-label='Output from input, demo 1']").click()
        b.one("#add-demo").click()
        self.type("def solve(I):\nreturn I")
        check(self.grid(0, "output") == [[1, 2, 2], [2, 2, 2]] and "2 of 2 demos right" in self.text("#score"), self.text("#score"))
        task = b.js("return plainTask(taskNow())")
        b.one("#share").click()
        wait_until(lambda: b.one("#address").get_property("value"), "there is a link")
        link = b.one("#address").get_property("value")
        b.tool("Page.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder))
        b.one("#save").click()
        saved = self.folder / "new_1.json"
        wait_until(lambda: saved.exists() and saved.read_text().endswith("\n"), "the task is saved")
        check(json.loads(saved.read_text()) == task, "another task is saved")
        self.open("#" + link.partition("#")[2])
        check(b.js("return plainTask(taskNow())") == task and self.program().startswith("def solve(I):\n    return I"), "another task")
        check("#" not in b.driver.current_url, "the link stays in the address")
        check("2 of 2 demos right" in self.text("#score"), self.text("#score"))

    def test_reload(self):
        b = self.browser
        self.open()
        self.choose_task("wallpaper")
        self.type("def solve(I):\nO = rot90(I)\nreturn O")
        text = self.program()
        self.open(kept=True)
        check(self.text("#task-title") == "wallpaper" and self.program() == text, f"{self.text('#task-title')}, {self.program()!r}")
        b.js("localStorage.setItem('tessera-playground', '{\"tasks\": [{\"id\": 5}], \"at\": \"x\", \"programs\": 3}'); state.tasks = []")
        self.open(kept=True)
        check(b.js("return state.tasks.length") == len(self.tasks), "what was kept is damaged, and the page is not there")
        self.paste(json.dumps({id: self.tasks["seesaw"] for id in ("b", "22168020", "__proto__", "7")}))
        self.wait_said("4 tasks are open")
        b.js("goTo(2)")
        self.settle()
        self.open(fragment({"id": "given", "task": self.tasks["butterfly"], "program": "def solve(I):\r\n    return I\r\n"}), kept=True)
        check(b.js("return state.tasks.map((t) => t.id)") == ["given"] and self.program() == b.js("return programNow()"), "the link is not open as it is")
        b.one("#undo").click()
        self.settle()
        check(b.js("return [state.tasks.map((t) => t.id), state.at]") == [["b", "22168020", "__proto__", "7"], 2], "a link takes away what was there")
        b.js("save()")
        self.open(kept=True)
        check(b.js("return [state.tasks.map((t) => t.id), state.at]") == [["b", "22168020", "__proto__", "7"], 2], "other tasks, or in another order")

    def test_damaged(self):
        """What the browser kept may be anything."""
        b = self.browser
        self.open()
        grid = {"h": 1, "w": 1, "cells": "1"}
        for wrong, count in (({"h": 1e9, "w": 1e9}, len(self.tasks)), ({"h": -1, "w": -1}, len(self.tasks)), ({"h": 0.5, "w": 2}, len(self.tasks)),
                             ({"cells": [1]}, len(self.tasks)), ({"h": "1"}, len(self.tasks)), ({}, 1)):
            task = {"id": "kept", "train": [{"input": {**grid, **wrong}, "output": grid}], "test": [{"input": grid}]}
            kept = {"tasks": [task], "at": -3, "programs": [["kept", "x"], ["a", 5], ["a"]], "sample": -7, "given": "null"}
            b.js("localStorage.setItem('tessera-playground', arguments[0]); state.tasks = []", json.dumps(kept))
            self.open(kept=True)
            check(b.js("return [state.tasks.length, state.sample]") == [count, 0], f"{wrong}: another state")
        check(self.program() == "x", "the program is lost")

    def test_no_room(self):
        """A browser that keeps nothing is told of."""
        b = self.browser
        self.open()
        b.js("Storage.prototype.setItem = () => { throw new Error('no room'); }")
        self.type("def solve(I):\nO = rot90(I)\nreturn O")
        b.js("save()")
        check("a reload will lose it" in self.said(), f"it says '{self.said()}'")

    # ---- Strangers ----

    def test_no_script(self):
        """Nothing that a task, a link or a program says is run, and no other script than the page's own."""
        b = self.browser
        task = self.tasks["seesaw"]
        program = f"def solve(I):  # {SCRIPT}\n    O = vmirror({SCRIPT!r})\n    return O\n"
        for link in (fragment({"id": SCRIPT, "task": task, "program": program}), fragment({"id": "__proto__", "task": task, "program": SCRIPT}),
                     "#j=%7B%22id%22:%22" + SCRIPT.replace("'", "%27").replace(" ", "%20").replace("<", "%3C").replace(">", "%3E") + "%22%7D"):
            self.open(link)
            self.settle()
            check(not b.js("return window.hit"), f"{link[:40]}: a script has run")
        self.paste(json.dumps({SCRIPT: task, "</script><script>window.hit = 1</script>": task}))
        self.wait_said("2 tasks are open")
        b.js("const s = document.createElement('script'); s.textContent = 'window.hit = 1'; document.body.append(s);"
             "document.body.insertAdjacentHTML('beforeend', arguments[0])", SCRIPT)
        b.js("return new Promise((done) => setTimeout(done, 100))")
        check(not b.js("return window.hit"), "the policy of the page lets a script run")
        b.console()

    def test_bad_links(self):
        bomb = json.dumps({"id": "x" * 50_000_000}).encode()
        for link, words in ((fragment(bomb), "too much"), ("#p=!!!", "cannot be read"), ("#p=AAAA", "cannot be read"), ("#j=%7B", "cannot be read"),
                            (fragment({"task": [1, 2]}), "holds no task"), (fragment({"id": 7}), "holds no task"),
                            (fragment({"task": {"train": [{"input": [[1]], "output": [[77]]}], "test": []}}), "holds no task")):
            self.open(link)
            check(words in self.said(), f"{link[:20]}: says '{self.said()}'")
            check(self.browser.js("return state.tasks.length") == len(self.tasks), "the tasks are gone")

    def test_squares(self):
        """Texts for which looking through them could take time with the square of their length: hours."""
        b = self.browser
        self.open()
        for text in ("x" * 1_000_000 + " ", "f" + "(f" * 500_000 + ")", "\n" * 1_000_000 + " ", " " * 1_000_000 + "x"):
            b.js("const f = document.getElementById('program'); f.value = arguments[0]; f.focus(); f.setSelectionRange(f.value.length, f.value.length);"
                 "document.dispatchEvent(new Event('selectionchange')); f.dispatchEvent(new Event('input'));"
                 "f.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', ctrlKey: true}))", text)
            self.settle()
        b.js("setProgram('', 'test')")
        self.settle()
        b.js("return read(arguments[0], 'pasted')", "#p=" * 600_000 + " x")
        check("pasted:1:1" in self.said(), f"it says '{self.said()}'")

    def test_endless(self):
        """Programs that would never end, or take all memory, end by their units; the page answers meanwhile and after."""
        b = self.browser
        self.open()
        grow = "".join(f"    x{k + 1} = hconcat(x{k}, x{k})\n    y{k} = vconcat(x{k + 1}, x{k + 1})\n" for k in range(1, 60))
        nest = f"    O = {'power(' * 40}identity{', 9)' * 40}\n    return O(I)\n"
        for program in (f"def solve(I):\n    x1 = identity(I)\n{grow}    return x60\n", f"def solve(I):\n{nest}",
                        "def solve(I):\n    x1 = power(vmirror, 999999999)\n    O = x1(I)\n    return O\n",
                        f"def solve(I):\n    O = {'(' * 3000}I{')' * 3000}\n    return O\n", "x" * 300_000, "\n" * 5000 + "def solve(I):\n    return I\n"):
            b.js("setProgram(arguments[0], 'test')", program)
            self.settle()
            check(b.js("return 1 + 1") == 2, "the page hangs")
        self.type("def solve(I):\nO = vmirror(I)\nreturn O")
        check("demos right" in self.text("#score"), f"it has broken: {self.said()}")
        told = b.js("return Promise.all([writing.call('bench', [1000000000], 1), writing.call('language', [])])")
        check("in time" in told[0]["error"]["message"] and "ended" in told[1]["error"]["message"], f"what takes long is not ended: {told}")
        self.type("def solve(I):\nO = hmirror(I)\nreturn O")
        check("demos right" in self.text("#score"), f"after that it has broken: {self.said()}")
        # The engine's memory has an end.
        got = b.js("""return engineModule.then(async (module) => {
            const given = {};
            for (const { module: from, name } of WebAssembly.Module.imports(module)) (given[from] ??= {})[name] = () => -1;
            const { exports } = await WebAssembly.instantiate(module, given);
            return [exports.page_alloc(1.5e9), exports.page_alloc(1e6) !== 0];
        })""")
        check(got == [0, True], f"memory for 1.5 GB and for a MB: {got}")

    def test_large_files(self):
        self.open()
        for text, words in (("[" * 1_000_000, "nested too deeply"), ("{" + '"a": 1, ' * 100_000, ""), ("7" * 1_000_000, "")):
            self.browser.js("read(arguments[0], 'large')", text)
            wait_until(lambda: "bad" in self.browser.one("#said").get_attribute("class") and words in self.said(), "it is refused")
            self.browser.js("say('')")
        check(self.browser.js("return new Promise((done) => engineModule.then((m) => done(WebAssembly.Module.exports(m).length > 0)))"), "no engine")

    def test_too_much(self):
        """What no page could show, be it short: refused, and what is there stays."""
        b = self.browser
        self.open()
        pair = {"input": [[1]], "output": [[2]]}
        wide = {"input": [[1] * 127] * 127, "output": [[2] * 127] * 127}
        one = {"train": [pair], "test": [pair]}
        for given, words in (({str(k): one for k in range(10001)}, "these are 10001 tasks"), ({"train": [pair] * 200, "test": [pair]}, "has 201 samples"),
                             ({"train": [wide] * 40, "test": [pair]}, "1290322 cells")):
            b.js("return read(arguments[0], 'much')", json.dumps(given))
            check(words in self.said() and b.js("return state.tasks.length") == len(self.tasks), f"it says '{self.said()}'")
        self.open(fragment({"task": {"train": [pair] * 70_000, "test": [pair]}}))
        check("has 70001 samples" in self.said(), f"it says '{self.said()}'")
        b.js("return read(arguments[0], 'wide')", json.dumps({"train": [wide] * 10, "test": [wide]}))
        self.settle()
        check(b.js("return document.documentElement.scrollWidth <= innerWidth"), "large grids are wider than the page")
        b.one("#paint").click()
        b.js("document.getElementById('color-4').click()")
        self.dab("demo 1 input", 126, 126)
        check(self.grid(0, "input")[126][125:] == [1, 4], "the last cell of a large grid is not painted")
        b.js("const f = document.querySelector('#rows'); f.value = 126; f.dispatchEvent(new Event('change'))")
        check(b.js("const g = taskNow().train[0].input; return [g.h, g.w]") == [126, 127], "a large grid does not stay as wide as it is")
        b.js("state = {...state, programs: new Map([['wide', '#'.repeat(5e6)]]), sample: 0}; return share()")
        check("too much for a link" in self.said() and not b.one("#link").is_displayed(), f"it says '{self.said()}'")
        b.js("setProgram('', 'test')")
        self.settle()

    # ---- Sizes ----

    def large(self):
        """Ten demos of 30 by 30."""
        def grid(seed):
            return [[(i * i + seed * j + i * j) % 10 for j in range(30)] for i in range(30)]
        samples = [{"input": grid(k), "output": [row[::-1] for row in grid(k)]} for k in range(11)]
        return {"train": samples[:10], "test": samples[10:]}

    def test_large_task(self):
        """A key takes one question to the engine at most, and draws again what has changed and no more."""
        b = self.browser
        self.open(fragment({"id": "large", "task": self.large()}))
        self.type("def solve(I):\nx1 = hmirror(I)\nO = rot90(I)\nreturn O")
        b.js("window.drawn = 0; const old = CanvasRenderingContext2D.prototype.drawImage;"
             "CanvasRenderingContext2D.prototype.drawImage = function (...a) { window.drawn++; old.apply(this, a); };"
             "window.sent = 0; const post = Worker.prototype.postMessage;"
             "Worker.prototype.postMessage = function (...a) { window.sent++; post.apply(this, a); }")
        b.one("#program").send_keys(" ")
        self.settle()
        drawn, sent, ms = b.js("return [window.drawn, window.sent, Number(document.body.dataset.ms)]")
        check(sent == 1 and drawn == 0, f"{sent} questions, {drawn} grids drawn")
        check(ms < MOST_KEY, f"a key takes {ms} ms")
        check(b.js("return writing.waiting.size") == 0, "answers are kept after they were given")
        b.js("setProgram('def solve(I):\\n    O = vmirror(I)\\n    return O\\n', 'test')")
        self.settle()
        check("10 of 10 demos right" in self.text("#score"), self.text("#score"))
        print(f"30 by 30, ten demos: {ms} ms a key, {b.js('return document.body.dataset.ms')} ms for another program")

    def test_phone(self):
        b = self.browser
        with b.looks(width=PHONE):
            for link in ("", fragment({"id": "W" * 180, "task": self.large(), "program": "def solve(I):\n    O = vmirror(I)  # " + "x" * 300 + "\n    return O\n"})):
                self.open(link)
                for press in ("", "#paint", "#paste", "#share"):
                    if press:
                        b.one(press).click()
                    wide = b.js("return [document.documentElement.scrollWidth, innerWidth]")
                    check(wide[0] <= PHONE, f"after {press or 'opening'} it is {wide[0]} wide, shown on {wide[1]}")

    def test_light_and_dark(self):
        b = self.browser
        for scheme, name in (("light", "Dark"), ("dark", "Light")):
            with b.looks(scheme=scheme):
                self.open()
                ground = b.js("return getComputedStyle(document.body).backgroundColor")
                check((sum(map(int, re.findall(r"\d+", ground))) < 300) == (scheme == "dark"), f"{scheme}: {ground}")
                check(self.text("#theme") == name, f"{scheme}: the button says {self.text('#theme')}")
        self.open()
        before = b.js("return isDark()")
        b.one("#theme").click()
        self.open(kept=True)
        check(b.js("return isDark()") != before, "what was chosen is forgotten")
        b.one("#theme").click()

    def test_labels(self):
        """Everything that Tab leads to has a name, and all can be reached."""
        b = self.browser
        self.open()
        b.one("#paint").click()
        nameless = [role for role, name in b.named() if not name]
        check(not nameless, f"without a name: {nameless}")
        check(b.js("return [...document.querySelectorAll('canvas')].every((c) => c.getAttribute('aria-label'))"), "a picture without a label")
        levels = b.js("return [...document.querySelectorAll('h1, h2, h3, h4')].map((e) => Number(e.tagName[1]))")
        check(levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), f"headings of the levels {levels}")
        check(b.tab_to("e.matches('canvas[role=application]')"), "Tab does not lead to a grid that is painted")
        b.one("#paint").click()
        check(not b.all("canvas[tabindex]"), "Tab leads to pictures in which no key does anything")
        b.js("document.getElementById('main').focus()")
        for id in ("tasks", "open", "fresh", "paint", "program", "seconds", "search"):
            check(b.tab_to(f"e.id === '{id}'"), f"Tab does not lead to #{id}")

    # ---- The command, and the report ----

    def run(self, *arguments):
        done = subprocess.run([self.tessera, *map(str, arguments)], capture_output=True, text=True, timeout=LONG)
        check(done.returncode == 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def test_command(self):
        program, odd = self.folder / "mine.py", self.folder / "two words.json"
        program.write_text("def solve(I):\n    O = rot180(I)  # </script><b>\n    return O\n")
        odd.write_text(json.dumps(self.tasks["butterfly"]))
        address = self.run("playground", odd, "--program", program, "--out", self.folder / "my page.html").strip()
        check(address == (self.folder / "my page.html").resolve().as_uri(), f"it prints {address}")
        self.open(page=self.folder / "my page.html")
        check(self.text("#task-title") == "two words" and self.program() == program.read_text(), self.program())
        check(self.browser.js("return plainTask(taskNow())") == self.tasks["butterfly"], "another task")

    def test_report(self):
        b, pages = self.browser, self.folder / "pages"
        self.run("report", "--pool", TASKS / "solvers.py", "--tasks", TASKS, "--out", pages, "--playground", "-i", "butterfly")
        self.open()
        b.open(pages / "butterfly.html")
        b.one("a.playground").click()
        self.ready()
        check(self.text("#task-title") == "butterfly" and "solve_butterfly" in self.program(), self.program())
        demos = len(self.tasks["butterfly"]["train"])
        check(f"{demos} of {demos} demos right" in self.text("#score"), self.text("#score"))
        self.run("report", "--pool", TASKS / "solvers.py", "--tasks", TASKS, "--out", self.folder / "without", "-i", "butterfly")
        check("playground" not in (self.folder / "without/butterfly.html").read_text(), "a link to a page that is not there")


if __name__ == "__main__":
    main(Tests, __doc__)
