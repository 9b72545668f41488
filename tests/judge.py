#!/usr/bin/env python3
"""What can happen to `tessera judge`: programs that mean harm, lines that are none, a generator that waits, a reader
that does not read or has gone, an interrupt, a sandbox or none. All but the tests of the latter run in the sandbox, where
the build and the system have one.

    tests/judge.py [--tessera build/tessera] [NAME…]

The last line is `N passed, N failed`.
"""
import json
import os
import random
import re
import resource
import select
import signal
import subprocess
import threading
import time

from harness import LONG, ROOT, SANITIZER, check, main, processor_time, wait_for_work

MEMORY = 512 << 20      # address space of the judge where programs mean harm
TASK = "turn_by_frame"
GOOD = "def solve(I):\n    x1 = compress(I)\n    return x1\n"
# Pipes of the system hold 64 KiB each; the judge a piece and its answers for each thread, and what it has read.
MOST_UNDER_WAY = 8 << 20
MOST_RESIDENT = 100 << 10   # KiB


def line(program, ident=None, task=TASK, **more):
    return json.dumps({"id": ident, "task": task, "program": program, **more})


def lines_of(name, n):
    return [f"    x{k} = {name.format(k - 1)}" for k in range(1, n + 1)]


def program(*lines):
    return "\n".join(["def solve(I):", *(text if text.startswith("    ") else "    " + text for text in lines)]) + "\n"


def doubling(call, n=200, first="x0 = I"):
    """Lines that each make twice as much of the one before."""
    return program(first, *lines_of(call, n), f"return x{n}")


# Each is (program, whether it can be read). What can be read may fail or give anything, but has to end.
HARM = {
    # Growth without bounds.
    "hconcat": (doubling("hconcat(x{0}, x{0})"), True),
    "vconcat": (doubling("vconcat(x{0}, x{0})"), True),
    "upscale": (doubling("upscale(x{0}, 10)"), True),
    "hupscale": (doubling("hupscale(x{0}, 9)"), True),
    "combine": (doubling("combine(x{0}, x{0})"), True),
    "pairs": (doubling("astuple(x{0}, x{0})"), True),
    "product": (doubling("product(x{0}, x{0})", 20, "x0 = asindices(I)"), True),
    "pair of sets": (doubling("insert(x{0}, initset(x{0}))", 300), True),
    "merge": (program("x1 = apply(rbind(repeat, 1000000), I)", "x2 = merge(x1)", "return merge(x2)"), True),
    "repeat": (program("x1 = repeat(I, 1000000000000)", "return x1"), True),
    "canvas": (program("x1 = canvas(0, (1000000000, 1000000000))", "return x1"), True),
    "interval": (program("x1 = interval(0, 9223372036854775807, 1)", "return x1"), True),
    "interval downwards": (program("x1 = interval(0, -9223372036854775807, -1)", "return x1"), True),
    # Values that are heavy and equal but not the same: what compares them has to go through all of them.
    "heavy equals": (program("x1 = power(rbind(repeat, 2), 24)", "x2 = power(fork(astuple, identity, identity), 24)",
                             "x3 = compose(mostcommon, rbind(astuple, x1(1)))", "return power(x3, 5000)(x2(1))"), True),
    "wide rows": (program("x1 = canvas(0, (1, 100000))", "x2 = vconcat(x1, x1)",
                          "x3 = power(compose(maximum, lbind(repeat, x2)), 5000)", "return x3(2)"), True),
    "numbers": (doubling("multiply(x{0}, x{0})", 100, "x0 = 9223372036854775807"), True),
    "connect": (program("x1 = connect((0, 0), (1000000000, 1000000000))", "return x1"), True),
    "shoot": (program("x1 = shoot((0, 0), (1, 1))", "x2 = product(x1, x1)", "return product(x2, x2)"), True),
    "backdrop": (program("x1 = insert((9000000000, 9000000000), asindices(I))", "return backdrop(x1)"), True),
    "occurrences": (program("x1 = upscale(I, 60)", "x2 = asobject(I)", "return occurrences(x1, x2)"), True),
    "objects": (program("x1 = upscale(I, 60)", "return objects(x1, F, T, F)"), True),
    # Calls without end.
    "power": (program("x1 = power(rot90, 9223372036854775807)", "return x1(I)"), True),
    "power of power": (program("x1 = power(power(power(rot90, 99999), 99999), 99999)", "return x1(I)"), True),
    "power of itself": (program("x1 = fork(hconcat, identity, identity)", *[f"    x{k} = power(x{k - 1}, 9)"
                                                                            for k in range(2, 60)], "return x59(I)"), True),
    "compose of itself": (program("x0 = rot90", *lines_of("compose(x{0}, x{0})", 200), "return x200(I)"), True),
    "chain of itself": (program("x0 = rot90", *lines_of("chain(x{0}, x{0}, x{0})", 200), "return x200(I)"), True),
    "fork of itself": (program("x0 = rot90", *lines_of("fork(vconcat, x{0}, x{0})", 100), "return x100(I)"), True),
    "apply of itself": (program("x1 = rbind(apply, I)", "x2 = compose(x1, x1)", "return x2(x2)"), True),
    "gravitate": (program("return gravitate({(0, 0)}, {(900000000, 900000000)})"), True),
    "many lines": (program(*lines_of("rot90(x{0})", 25000)).replace("x0", "I") + "    return x25000\n", True),
    "many lines, all needed": (program("x0 = 1", *[f"    x{k} = add(x{k - 1}, {k})" for k in range(1, 20000)],
                                       "return x19999"), True),
    "no indices": (program("return crop(I, (-99999999999, 5), (99999999999, 7))"), True),
    "unicode name": ("def löse(I):\n    größe = shape(I)\n    return canvas(0, größe)\n", None),
    # Texts of a size or depth that nobody writes.
    "nested calls": ("def f(I): return " + "rot90(" * 50000 + "I" + ")" * 50000, False),
    "nested tuples": ("def f(I): return " + "(" * 100000, False),
    "nested sets": ("def f(I): return " + "{" * 90000 + "0" + "}" * 90000, False),
    "nested pairs": ("def f(I): return " + "(0, " * 50000 + "0" + ")" * 50000, False),
    "long number": ("def f(I): return canvas(" + "9" * 500000 + ", (1, 1))", False),
    "long name": ("def f(I):\n    " + "x" * 400000 + " = rot90(I)\n    return " + "x" * 400000, None),
    "long tuple": ("def f(I): return (" + "(0, 1, 2), " * 60000 + ")", True),
    "long set": ("def f(I): return {" + ", ".join(f"({k}, {k * 7919 % 99991})" for k in range(40000)) + "}", True),
    "blank lines": ("\n" * 500000 + "def f(I): return I\n" + "\n" * 200, True),
    "comments": ("# x\n" * 200000 + "def f(I): return I", True),
    "spaces": ("def f(I): return " + " " * 900000 + "I", True),
    "many programs": ("def f(I): return I\n" * 40000, False),
    "many bad programs": ("def f(I): return\n" * 40000, False),
    "one line": ("def f(I): " + "; ".join(f"x{k} = rot90(I)" for k in range(40000)) + "; return x5", True),
    # What Python would do.
    "import": ("def f(I): return __import__('os').system('touch harmed')", False),
    "import above": ("import os\nimport subprocess\ndef f(I): return os.system('touch harmed')", False),
    "open": ("def f(I): return open('/etc/passwd')", False),
    "open as a value": ("def f(I):\n    x1 = compose(open, identity)\n    return x1('/etc/passwd')", False),
    "attributes": ("def f(I): return I.__class__.__bases__", False),
    "attribute of a primitive": ("def f(I): return rot90.__globals__", False),
    "eval": ("def f(I): return eval('1')", False),
    "exec above": ("exec('x')\ndef f(I): return I", False),
    "comprehension": ("def f(I): return tuple(x for x in I)", True),
    "list comprehension": ("def f(I): return [x for x in I]", True),
    "comprehension of commands": ("def f(I): return tuple(exec('x') for x in I)", False),
    "comprehension in itself": ("def f(I): return " + "tuple(" * 60 + "x" + " for x in I)" * 60, None),
    "lambda": ("def f(I): return apply(lambda x: x, I)", True),
    "lambda of itself": ("def f(I):\n    g = lambda x: g(x)\n    return g(I)", False),
    "decorator": ("@exit\ndef f(I): return I", False),
    "f-string": ("def f(I): return f'{I}'", False),
    "default argument": ("def f(I=exit()): return I", False),
    "annotation": ("def f(I: exit()) -> exit(): return I", None),
    "string": ("def f(I): return 'text'", False),
    "while": ("def f(I):\n    while True: pass\n    return I", False),
    "recursion": ("def f(I): return f(I)", False),
    "nested def": ("def f(I):\n    def g(I): return I\n    return g(I)", True),
    "nested recursion": ("def f(I):\n    def g(I): return g(I)\n    return g(I)", False),
    "class": ("class f: pass", False),
    "global": ("def f(I):\n    global rot90\n    rot90 = I\n    return I", False),
    "shadowed": ("def f(I):\n    rot90 = vmirror\n    return rot90(I)", None),
    "star": ("def f(*I): return I", False),
    "walrus": ("def f(I): return (x := I)", False),
    "index": ("def f(I): return I[0]", True),
    "index beyond numbers": ("def f(I): return I[99999999999999999999]", False),
    "slice": ("def f(I): return I[0:999999999]", True),
    "shift": ("def f(I): return canvas(1 << 60, (1, 1))", False),
    "power operator": ("def f(I): return canvas(9 ** 9 ** 9, (1, 1))", False),
    "zero byte": ("def f(I): return \0I", False),
    "zero byte at the start": ("\0def f(I): return I", False),
    "zero byte in a name": ("def f\0(I): return I", False),
    "control characters": ("def f(I): return \x01\x02\x7fI", False),
    "other line ends": ("def f(I):\u2028    return I", False),
    "bidirectional": ("def f(I): return \u202eI", False),
    "byte order mark": ("\ufeffdef f(I): return I", None),
    "beyond the plane": ("def f(I): return \U0001f600", False),
    "tabs": ("def f(I):\n\treturn I", True),
    "old line ends": ("def f(I):\r    return I\r", None),
    "half a program": ("def f(I", False),
    "nothing": ("", False),
}


class Tests:
    def __init__(self, options, folder):
        self.tessera = str(options.tessera)
        self.sanitized = "sanitize" in self.tessera
        self.folder = folder
        self.random = random.Random(options.seed)

    def limits(self):
        if not self.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def start(self, *words, **more):
        return subprocess.Popen([self.tessera, "judge", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd=self.folder, **more)

    def judge(self, text, *words, limited=False):
        """The answers to a text, as bytes of one line each."""
        if isinstance(text, list):
            text = "".join(t + "\n" for t in text)
        if isinstance(text, str):
            text = text.encode("utf-8", "surrogatepass")
        if limited and "--threads" not in words:
            words += ("--threads", "2")  # each takes address space
        run = subprocess.run([self.tessera, "judge", *words], input=text, capture_output=True, timeout=LONG,
                             cwd=self.folder, preexec_fn=self.limits if limited else None)
        errors = run.stderr.decode(errors="replace")
        check(run.returncode == 0, f"exit code {run.returncode}: {errors[-2000:]}")
        check(not any(s in errors for s in SANITIZER), errors[-4000:])
        check(not run.stdout or run.stdout.endswith(b"\n"), "the last line is cut off")
        answers = run.stdout.split(b"\n")[:-1]
        for answer in answers:
            json.loads(answer)  # UTF-8, and JSON
        return answers

    # ---- Right answers ----

    def test_agrees_with_run(self):
        """Every bundled program on its own task and on two others."""
        texts = ["def " + text for text in (ROOT / "tasks/solvers.py").read_text().split("def ")[1:]]
        tasks = [text[len("def solve_"):text.index("(")] for text in texts]
        kinds = set()
        for shift in range(3):
            pairs = [(text, tasks[(k + shift) % len(tasks)]) for k, text in enumerate(texts)]
            programs = self.folder / "programs.py"
            programs.write_text("\n".join(f"def solve_{task}{text[text.index('('):]}" for text, task in pairs))
            run = subprocess.run([self.tessera, "run", programs, "--json", "--units", "250000"], capture_output=True,
                                 check=True, timeout=LONG)
            wanted = {t["id"]: t["samples"] for t in json.loads(run.stdout)["tasks"]}
            starts = {task: run_start(programs, task) for task in tasks}
            answers = self.judge([line(text, k, task) for k, (text, task) in enumerate(pairs)], "--tests")
            for (text, task), answer in zip(pairs, map(json.loads, answers)):
                check(answer["right"] == [s["outcome"] == "right" for s in wanted[task] if s["kind"] == "demo"],
                      f"{task}: {answer}, run says {wanted[task]}")
                check(answer["tests_right"] == [s["outcome"] == "right" for s in wanted[task] if s["kind"] == "test"],
                      f"{task}: {answer}, run says {wanted[task]}")
                check(shift or (all(answer["right"]) and answer["score"] == 1000 * len(answer["right"])), f"{answer}")
                demos = len(answer["right"])
                failures = {f["demo"] - 1 if "demo" in f else demos + f["test"] - 1: (f["kind"], f["line"])
                            for f in answer["failures"]}
                failed = {k: (s["failure"], s["line"] - starts[task] + 1) for k, s in enumerate(wanted[task])
                          if s["outcome"] == "failed"}
                check(failures == failed, f"{task}: {failures}, run says {failed}")
                kinds |= {kind for kind, _ in failures.values()}
        check(kinds, "no program failed anywhere, so nothing is known of failures")

    def mixed_lines(self, n):
        """Good and bad lines in any order; each but the blank ones gives an answer."""
        texts, names = [], list(HARM)
        calls = ["rot90(I)", "compress(I)", "first(())", "upscale(I, 3)", "fill(I, 5, asindices(I))", "objcts(I)"]
        for k in range(n):
            kind = self.random.randrange(12)
            if kind == 0:
                texts.append(self.random.choice(['{"id": ', "null", "x" * 50000, '{"id": %d, "task": "none"}' % k, "{}"]))
            elif kind == 1:
                text = HARM[self.random.choice(names)][0]
                texts.append(line(text if len(text) < 2000 else "def f(", k))
            else:
                call = self.random.choice(calls)
                texts.append(line(f"def solve(I):\n    x1 = {call}\n    return x1\n", k, outputs=kind == 2))
        return texts

    def test_threads_keep_the_order(self):
        texts = self.mixed_lines(4000)
        answers = self.judge(texts, "--threads", "1")
        check(len(answers) == len(texts), f"{len(answers)} answers to {len(texts)} lines")
        for k, answer in enumerate(map(json.loads, answers)):
            check(answer.get("id", k) == k and answer.get("line", k + 1) == k + 1, f"answer {k} is {answer}")
        for threads in ("2", "7"):
            check(self.judge(texts, "--threads", threads) == answers, f"other answers on {threads} threads")

    # ---- Harm ----

    def test_harm(self):
        """Each gives one answer, in time and memory, and its neighbours' stay what they are."""
        texts, names = [line(GOOD, "good")], []
        for name, (text, _) in HARM.items():
            check(len(line(text, name)) < 1 << 20, f"{name} is no line")
            texts += [line(text, name), line(GOOD, "good")]
            names += [name]
        good = self.judge([line(GOOD, "good")])[0]
        answers = self.judge(texts, limited=True)
        check(len(answers) == len(texts), f"{len(answers)} answers to {len(texts)} lines")
        for k, answer in enumerate(answers):
            check(k % 2 or answer == good, f"the neighbour of '{names[min(k // 2, len(names) - 1)]}' has {answer}")
        for name, answer in zip(names, map(json.loads, answers[1::2])):
            readable = HARM[name][1]
            check(answer["id"] == name, f"{answer} for {name}")
            check(readable is None or ("error" not in answer) == readable, f"{name}: {answer}")
        check(not (self.folder / "harmed").exists(), "a program has run a command")
        # The same with all that may be spent, one at a time: none takes long.
        for name, (text, _) in HARM.items():
            with processor_time(60 if self.sanitized else 10, name):
                self.judge([line(text, name)], "--threads", "1", limited=True)

    def test_corpus(self):
        """The fuzzers' corpus, as programs and as lines."""
        good = self.judge([line(GOOD, "good")])[0]
        files = sorted((ROOT / "tests/fuzz/corpus").glob("*/*"))
        check(len(files) > 30, "the corpus is missing")
        texts = []
        for path in files:
            texts += [line(path.read_bytes().decode("latin-1"), path.name), line(GOOD, "good")]
            texts += [line(path.read_bytes().decode(errors="replace"), path.name), line(GOOD, "good")]
        answers = self.judge(texts, limited=True)
        check(len(answers) == len(texts), f"{len(answers)} answers to {len(texts)} lines")
        check(all(answer == good for answer in answers[1::2]), "a neighbour has changed")
        raw = b""
        wanted = 0
        for path in files:
            data = path.read_bytes()
            raw += data + b"\n" + line(GOOD, "good").encode() + b"\n"
            wanted += sum(1 for text in (data + b"\n").split(b"\n")[:-1] if text.strip(b" \t\r")) + 1
        answers = self.judge(raw, limited=True)
        check(len(answers) == wanted, f"{len(answers)} answers to {wanted} lines that are not blank")
        check(answers.count(good) >= len(files), "a neighbour has changed")

    def test_bytes(self):
        """Lines with some bytes changed: an answer each, and the same for the line after."""
        good = self.judge([line(GOOD, "good")])[0]
        base = line(GOOD, "x\u20ac", outputs=False).encode() + '{"id": "\u20ac\u00e9\U0001f600"'.encode()
        raw = b""
        count = 1500
        for _ in range(count):
            text = bytearray(base[:self.random.randrange(20, len(base))])
            for _ in range(self.random.randrange(1, 4)):
                text[self.random.randrange(len(text))] = self.random.choice([b for b in range(256) if b != 10])
            raw += bytes(text) + b"\n" + line(GOOD, "good").encode() + b"\n"
        answers = self.judge(raw, limited=True)
        check(len(answers) == 2 * count, f"{len(answers)} answers to {2 * count} lines")
        check(all(answer == good for answer in answers[1::2]), "a neighbour has changed")

    # ---- A stream ----

    def ask(self, process, text):
        """Writes a line and waits for its answer while the pipe stays open."""
        process.stdin.write(text.encode() + b"\n")
        process.stdin.flush()
        check(select.select([process.stdout], [], [], LONG)[0], "no answer")
        return json.loads(process.stdout.readline())

    def test_answers_at_once(self):
        for threads in ("1", "2"):
            with self.start("--threads", threads) as process:
                for k in range(100):
                    check(self.ask(process, line(GOOD, k))["id"] == k, "another answer")
                # Half a line waits for the other half; blank lines are no lines.
                whole = line(GOOD, "half")
                process.stdin.write(b"\n \n" + whole[:40].encode())
                process.stdin.flush()
                check(not select.select([process.stdout], [], [], 0.2)[0], "an answer to half a line")
                check(self.ask(process, whole[40:])["id"] == "half", "another answer")
                # The last one without an end of line.
                process.stdin.write(line(GOOD, "last").encode())
                process.stdin.close()
                check(json.loads(process.stdout.readline())["id"] == "last", "another answer")
                check(process.stdout.read() == b"" and process.wait(LONG) == 0, "no end at the end of the input")

    def resident(self, process):
        """Peak of its memory in KiB."""
        status = open(f"/proc/{process.pid}/status").read()
        return int(status.split("VmHWM:")[1].split()[0]) if "VmHWM:" in status else 0  # it has ended

    def test_back_pressure(self):
        """A reader that sleeps stops the reading; nothing is lost."""
        text = (line(GOOD, 1, outputs=True) + "\n").encode() * 500
        sent, stop = [0], threading.Event()

        def feed(process):
            while not stop.is_set():
                process.stdin.write(text)
                sent[0] += len(text)
            process.stdin.close()

        with self.start("--threads", "2") as process:
            feeder = threading.Thread(target=feed, args=[process])
            feeder.start()
            before = -1
            while before != sent[0] and sent[0] < MOST_UNDER_WAY:
                before = sent[0]
                time.sleep(0.5)
            check(sent[0] < MOST_UNDER_WAY, f"it has read {sent[0]} bytes and nobody reads the answers")
            check(self.sanitized or self.resident(process) < MOST_RESIDENT, f"{self.resident(process)} KiB")
            stop.set()
            answers = process.stdout.read().split(b"\n")[:-1]
            feeder.join(LONG)
            check(process.wait(LONG) == 0, f"exit code {process.returncode}")
        check(len(answers) == sent[0] // len(text) * 500 and len(set(answers)) == 1,
              f"{len(answers)} answers to {sent[0] // len(text) * 500} lines")

    def test_endless_line(self):
        """A line without an end is not stored."""
        with self.start("--threads", "2") as process:
            block = b"x" * (1 << 20)
            for _ in range(300):
                process.stdin.write(block)
            process.stdin.flush()
            check(self.sanitized or self.resident(process) < MOST_RESIDENT, f"{self.resident(process)} KiB")
            process.stdin.write(b"\n" + line(GOOD, "after").encode() + b"\n")
            process.stdin.close()
            answers = [json.loads(a) for a in process.stdout.read().split(b"\n")[:-1]]
            check(process.wait(LONG) == 0, f"exit code {process.returncode}")
        check(len(answers) == 2 and answers[0]["line"] == 1 and "1 MiB" in answers[0]["error"]["message"]
              and answers[1]["id"] == "after", f"{answers}")

    def test_many_grids(self):
        """Grids that are all different do not fill the memory."""
        with self.start("--threads", "1") as process:
            def feed():
                for k in range(60000 if not self.sanitized else 6000):
                    cells = ", ".join(f"({k >> bit & 1}, {bit})" for bit in range(16))
                    text = line(f"def f(I): return fill(canvas({k % 10}, (30, 30)), {k // 10 % 10}, {{{cells}}})", k)
                    process.stdin.write(text.encode() + b"\n")
                process.stdin.close()
            feeder = threading.Thread(target=feed)
            feeder.start()
            count = peak = 0
            while process.stdout.readline():
                count += 1
                if count % 1000 == 0:
                    peak = max(peak, self.resident(process))
            feeder.join(LONG)
            check(process.wait(LONG) == 0, f"exit code {process.returncode}")
        check(count == (60000 if not self.sanitized else 6000), f"{count} answers")
        check(self.sanitized or peak < MOST_RESIDENT, f"{peak} KiB")

    # ---- Ends ----

    def ended(self, process, code=0):
        """Waits for the end; what it says on stderr."""
        check(process.wait(LONG) == code, f"exit code {process.returncode}")
        return process.stderr.read().decode()

    def test_closed_output(self):
        for threads in ("1", "2"):
            # While the input waits, and while it does not.
            with self.start("--threads", threads) as process:
                self.ask(process, line(GOOD, 1))
                process.stdout.close()
                check(self.ended(process) == "", "it says something about a closed output")
                process.stdin.close()
            with self.start("--threads", threads) as process:
                self.ask(process, line(GOOD, 1))
                process.stdout.close()
                try:
                    for _ in range(2000):
                        process.stdin.write((line(GOOD, 1) + "\n").encode() * 50)
                except BrokenPipeError:
                    pass
                check(self.ended(process) == "", "it says something about a closed output")
                try:
                    process.stdin.close()
                except BrokenPipeError:
                    pass

    def test_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.start() as process:  # while it waits
                for k in range(5):
                    self.ask(process, line(GOOD, k))
                process.send_signal(number)
                check("5 judged" in self.ended(process), "no sum after an interrupt")
                check(process.stdout.read() == b"", "more answers than lines")
                process.stdin.close()
        with self.start("--threads", "2") as process:  # in the middle of the work
            def feed():
                try:
                    for k in range(200000):
                        process.stdin.write((line(GOOD, k) + "\n").encode())
                except BrokenPipeError:
                    pass
            feeder = threading.Thread(target=feed)
            feeder.start()
            got = process.stdout.read(100000)
            process.send_signal(signal.SIGINT)
            got += process.stdout.read()
            message = self.ended(process)
            feeder.join(LONG)
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
        answers = got.split(b"\n")
        check(answers.pop() == b"", "the last answer is cut off")
        check([json.loads(a)["id"] for a in answers] == list(range(len(answers))), "answers are missing")
        check(f"{len(answers)} judged" in message, message)
        check(len(answers) < 200000, "the interrupt came too late to show anything")

    def test_interrupt_in_a_program(self):
        """One that would run for hours is given up; the lines before it have their answers, it and those after have none."""
        endless = program("x1 = power(identity, 9223372036854775807)", "return x1(I)")
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.start("--threads", "2", "--units", "1000000000000") as process:
                self.ask(process, line(GOOD, 0))
                texts = [line(GOOD, 1), line(GOOD, 2), line(endless, 3), line(GOOD, 4)]
                process.stdin.write("".join(text + "\n" for text in texts).encode())
                process.stdin.flush()
                wait_for_work(process)
                process.send_signal(number)
                try:
                    check(process.wait(LONG) == 0, f"exit code {process.returncode}")
                finally:
                    process.kill()
                got = [json.loads(text)["id"] for text in process.stdout]
                check(got == [1, 2], f"not the answers up to there: {got}")
                check("3 judged" in process.stderr.read().decode(), "another sum")
                process.stdin.close()

    def test_no_memory(self):
        """Where memory is short it says so and ends."""
        if self.sanitized:
            return
        run = subprocess.run(["sh", "-c", f'ulimit -v 60000; exec "{self.tessera}" judge --threads 1 --units 100000000'],
                             input=(line(doubling("combine(x{0}, x{0})"), 1) + "\n").encode(), capture_output=True,
                             timeout=LONG)
        check(run.returncode == 4 and b"memory" in run.stderr, f"exit code {run.returncode}: {run.stderr} {run.stdout[:200]}")

    # ---- The sandbox; what it forbids is tested in sandbox.c ----

    def asked(self, *words, before=(), **more):
        """A judge that has answered a line and waits for the next."""
        process = subprocess.Popen([*before, self.tessera, "judge", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.folder, **more)
        self.ask(process, line(GOOD, 1))
        return process

    def test_sandbox(self):
        if subprocess.run([self.tessera, "judge", "--sandbox"], stdin=subprocess.DEVNULL, capture_output=True).returncode:
            print("the sandbox is not tested: there is none")
            return
        inherited = open("/dev/null")
        for words, sandboxed in ((), True), (("--sandbox",), True), (("--no-sandbox",), False):
            with self.asked(*words, pass_fds=[inherited.fileno()]) as process:
                of = f"/proc/{process.pid}"
                files = [os.readlink(f"{of}/fd/{fd}") for fd in os.listdir(f"{of}/fd")]
                status = dict(text.split(":\t", 1) for text in open(f"{of}/status").read().split("\n") if ":\t" in text)
                process.stdin.close()
                says = self.ended(process)
            check(("/dev/null" in files) != sandboxed, f"{words}: {files}")
            check(not sandboxed or len(files) == 5, f"{words}: {files}")  # the three, and the pipe that wakes it up
            check(not sandboxed or (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1"), f"{words}: {status}")
            check(("in a sandbox" in says) == sandboxed, f"{words}: {says}")

    def test_no_sandbox(self):
        """A system that has none: nothing is said of it unless it is asked for."""
        without = (ROOT / "build" / ("sanitize" if self.sanitized else "obj") / "tests/sandbox", "--without")
        with self.asked(before=without) as process:
            process.stdin.close()
            check(re.fullmatch(r"1 judged, 0 could not be read; \d+ lines a second\n", self.ended(process)), "other words")
        run = subprocess.run([*without, self.tessera, "judge", "--sandbox"], input=line(GOOD, 1).encode(), capture_output=True)
        check(run.returncode == 4 and b"no sandbox" in run.stderr and not run.stdout, f"exit code {run.returncode}: {run}")


def run_start(path, task):
    """The line of a file at which the program for a task begins."""
    return next(k for k, text in enumerate(path.read_text().split("\n"), 1) if text.startswith(f"def solve_{task}("))


if __name__ == "__main__":
    main(Tests, __doc__)
