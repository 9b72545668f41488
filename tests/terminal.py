#!/usr/bin/env python3
"""What people see on a terminal: bars that renew themselves on one line, whatever the width.

    tests/terminal.py [TEST…] [--tessera build/tessera]

Commands run on a terminal of their own, of which a small emulator keeps the lines: what is written beyond the last column
goes on in the next line, as terminals do it, and is counted. The last line is `N passed, N failed`.
"""
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import unicodedata

from harness import ROOT, check, main

ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")
# What may be cut in two by the end of a reading: an escape, a character of several bytes.
CUT = re.compile(rb"(\x1b(\[[0-9;?]*)?|[\xc2-\xf4][\x80-\xbf]{0,2})?$")
WIDTHS = (20, 40, 80, 100, 200)


def width_of(character):
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Screen:
    """The lines of a terminal, and which of them were gone on with in the next one because they were full."""

    def __init__(self, columns):
        self.columns, self.row, self.column = columns, 0, 0
        self.lines, self.wrapped, self.bars, self.raw = [[]], [], [], ""

    def put(self, character):
        width = width_of(character)
        if self.column + width > self.columns:
            self.wrapped.append("".join(self.lines[self.row]))
            self.feed("\n")
            self.column = 0
        line = self.lines[self.row]
        line += [" "] * (self.column + width - len(line))
        line[self.column:self.column + width] = [character] + [""] * (width - 1)
        self.column += width

    def feed(self, text):
        at = 0
        while at < len(text):
            escape = ESCAPE.match(text, at)
            if escape:
                at = escape.end()
                check(escape[2] in "Km", f"the emulator does not know {escape[0]!r}")
                if escape[2] == "K":
                    del self.lines[self.row][self.column:]
                    self.bars.append("".join(self.lines[self.row]))
                continue
            check(text[at] != "\x1b", f"a broken escape: {text[at:at + 10]!r}")
            if text[at] == "\r":
                self.column = 0
            elif text[at] == "\n":
                self.row += 1
                if self.row == len(self.lines):
                    self.lines.append([])
            else:
                self.put(text[at])
            at += 1

    def text(self):
        return ["".join(line).rstrip() for line in self.lines]


def set_columns(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))


def run(command, columns, environment=None, stdout=None, resize=None, stop=None):
    """A command on a terminal, of which stdout may go elsewhere. resize(screen) gives another width once, or None; once
    stop(screen) is true, it is interrupted."""
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            os.read(0, 1)  # the width is set now
            if stdout:
                os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
            env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM", "COLUMNS")}
            env |= {"TERM": "xterm"} | (environment or {})
            os.execvpe(command[0], [str(word) for word in command], env)
        finally:
            os._exit(127)
    set_columns(terminal, columns)
    attributes = termios.tcgetattr(terminal)
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)
    os.write(terminal, b"\n")
    screen, data = Screen(columns), b""
    try:
        while more := os.read(terminal, 65536):
            data += more
            end = len(data) - len(CUT.search(data)[0])
            whole, data = data[:end].decode(errors="replace"), data[end:]
            screen.raw += whole
            screen.feed(whole)
            if resize and (other := resize(screen)):
                set_columns(terminal, other)
                resize, screen.columns = None, other
            if stop and stop(screen):
                os.kill(pid, signal.SIGINT)
                stop = None
    except OSError:  # the other side is closed
        pass
    _, status = os.waitpid(pid, 0)
    screen.code = os.waitstatus_to_exitcode(status)
    return screen


class Tests:
    def __init__(self, options, folder):
        self.tessera, self.folder = options.tessera, folder

    def solve(self, *more, columns, **others):
        return run([self.tessera, "solve", "--out", self.folder / "o.json", "--fresh", *more], columns, **others)

    def check_bars(self, screen, columns, begin):
        bars = [bar for bar in screen.bars if bar.startswith(begin)]
        check(bars, f"no bar at {columns} columns: {screen.text()}")
        check(not screen.wrapped, f"wrapped at {columns} columns: {screen.wrapped[:3]}")
        check(all(sum(map(width_of, bar)) < columns for bar in bars), f"too wide for {columns}: {max(bars, key=len)}")
        left = [line for line in screen.text() if line.startswith(begin + " ")]
        check(not left, f"left on the terminal: {left}")
        check(screen.code == 0, f"exit code {screen.code}: {screen.text()[-3:]}")
        return bars

    def test_solve(self):
        """One line at every width; the wider, the more it says."""
        said = []
        for columns in WIDTHS:
            screen = self.solve("--per-task", "20ms", "--pool", "none", "--json", columns=columns,
                                stdout=self.folder / "summary")
            bars = [bar for bar in screen.bars if "tasks" in bar]
            check(bars and all(len(bar) < columns for bar in bars), f"{columns}: {bars[:2]}")
            check(not [line for line in screen.wrapped if "tasks" in line], f"{columns}: {screen.wrapped[:2]}")
            check(not [line for line in screen.text() if "tasks" in line], f"left over: {screen.text()}")
            said.append(bars[-1].count(", "))
            check(("[" in bars[-1]) == (columns >= 40), f"{columns}: {bars[-1]}")
            if columns >= 80:
                check(re.search(r"\d+/\d+ tasks, \d+s left, \d+ solved on demos", bars[-1]), bars[-1])
        check(said == sorted(said) and said[0] < said[-1], f"pieces by width: {said}")

    def test_battery(self):
        for columns in WIDTHS:
            screen = run([self.tessera, "battery", "--full", "--json"], columns, stdout=self.folder / "battery")
            for bar in self.check_bars(screen, columns, "battery"):
                check(re.search(r"\d+/\d+", bar), bar)

    def test_iterate(self):
        for columns in WIDTHS:
            pool = self.folder / f"pool{columns}.db"
            screen = run([self.tessera, "iterate", "--pool", pool, "--rounds", 3, "--json"], columns,
                         stdout=self.folder / "iterate")
            bars = self.check_bars(screen, columns, "iterate")
            if columns >= 80:
                check(re.search(r"\d/3 rounds, (\d+s left, )?\d+ of \d+ tasks solved", bars[-1]), bars[-1])

    def test_judge(self):
        line = json.dumps({"task": "seesaw", "program": "def f(I):\n    return vmirror(I)\n"})
        (self.folder / "in.jsonl").write_text((line + "\n") * 2000)
        without = subprocess.run([self.tessera, "judge", "--sandbox"], stdin=subprocess.DEVNULL, capture_output=True).returncode
        for columns in WIDTHS:
            for sandbox in ("--no-sandbox",) if without else ("--sandbox", "--no-sandbox"):
                screen = run(["sh", "-c", f"exec {self.tessera} judge {sandbox} <{self.folder}/in.jsonl"], columns,
                             stdout=self.folder / "answers")
                bars = [bar for bar in screen.bars if bar.startswith("judge")]
                check(bars and all(len(bar) < columns for bar in bars), f"{columns} {sandbox}: {bars[:2]}")

    def test_report(self):
        for columns in WIDTHS:
            screen = run([self.tessera, "report", "--pool", ROOT / "tasks/solvers.py", "--out", self.folder / "pages"],
                         columns, stdout=self.folder / "report")
            self.check_bars(screen, columns, "report")

    def test_resized(self):
        """A terminal that becomes narrower: what is drawn after that fits."""
        drawn = []

        def narrower(screen):
            bars = [bar for bar in screen.bars if bar.startswith("iterate")]
            drawn.append(len(bars))
            return 40 if bars else None

        def is_enough(screen):
            return drawn and drawn[-1] and len([bar for bar in screen.bars if bar.startswith("iterate")]) > drawn[-1] + 5
        screen = run([self.tessera, "iterate", "--pool", self.folder / "r.db", "--seconds", "3600", "--json"], 100,
                     stdout=self.folder / "x", resize=narrower, stop=is_enough)
        bars = [bar for bar in screen.bars if bar.startswith("iterate")]
        check(len(bars[0]) > 40, f"the first bar is not wide: {bars[0]}")
        # One may be under way while the width changes.
        late = bars[drawn[-1] + 2:]
        check(late and all(len(bar) < 40 for bar in late), f"after the change: {late[:3]}")

    def test_wide_characters(self):
        """A name in characters of two columns: the bar stays a line, a line that stays is shown whole."""
        task = json.loads((ROOT / "tasks/seesaw.json").read_text())
        (self.folder / "wide.json").write_text(json.dumps({"漢字" * 4: task, "é" * 8: task, "a\u0301" * 8: task}))
        for columns in (40, 80):
            screen = self.solve("--tasks", self.folder / "wide.json", "--pool", ROOT / "tasks/solvers.py", "--per-task",
                                "1ms", "--json", columns=columns, stdout=self.folder / "summary")
            check(not [line for line in screen.text() if "tasks" in line], f"left over: {screen.text()}")
            picture = run([self.tessera, "show", "漢字" * 4, "--tasks", self.folder / "wide.json"], columns,
                          environment={"NO_COLOR": "1"})
            check(not picture.wrapped, f"a picture wraps: {picture.wrapped[:2]}")

    def test_no_terminal(self):
        """No bar in a file, on a dumb terminal, or with --quiet."""
        for environment, more in (({"TERM": "dumb"}, []), ({}, ["--quiet"])):
            screen = self.solve("--per-task", "1ms", *more, columns=80, environment=environment)
            check(not screen.bars, f"{environment} {more}: {screen.bars[:1]}")

    def test_colours(self):
        """Right is green and wrong is red on a terminal, but for who wants no colours."""
        (self.folder / "two.py").write_text("def solve_seesaw(I):\n    return I\n\ndef solve_butterfly(I):\n"
                                            "    return first(I)\n")
        self.solve("--per-task", "1ms", columns=80)
        cases = [("run", "\x1b[32mright \x1b[0m solve_"), ("run two.py", "\x1b[31mwrong \x1b[0m solve_seesaw"),
                 ("battery --top 1", "\x1b[32msolved\x1b[0m"), ("score o.json", "outputs right\x1b[0m"),
                 ("explain seesaw --pool two.py", None), ("explain seesaw --pool solvers.py", ", \x1b[32mright\x1b[0m")]
        (self.folder / "solvers.py").write_text((ROOT / "tasks/solvers.py").read_text())
        for command, wanted in cases:
            words = [self.folder / w if w.endswith((".py", ".json")) else w for w in command.split()]
            colored, plain = (run([self.tessera, *words], 100, env) for env in ({}, {"NO_COLOR": "1"}))
            check(not wanted or wanted in colored.raw, f"`{command}` has no {wanted!r}: {colored.raw[:300]!r}")
            check("\x1b" not in plain.raw.replace("\x1b[K", ""), f"`{command}` with NO_COLOR: {plain.raw[:300]!r}")
            run([self.tessera, *words], 100, stdout=self.folder / "plain")
            check("\x1b" not in (self.folder / "plain").read_text(), f"`{command}` into a file has colours")

    def test_commands_fit(self):
        """What the commands print for people has no line that wraps at 80 and 100 columns."""
        pool, profile = self.folder / "fit.db", self.folder / "profile.json"
        solvers = ROOT / "tasks/solvers.py"
        commands = ["run", "run --near", "battery", "battery --top 2", "bench --seconds 0", f"pool import {solvers} --pool {pool}",
                    f"iterate --pool {pool} --rounds 2", f"pool list --pool {pool}", f"pool stats --pool {pool}",
                    f"solve --per-task 20ms --out {self.folder}/fit.json --profile {profile}", f"profile {profile}",
                    f"score {self.folder}/fit.json", "show seesaw", "ops", "ops objects", "ops --words", "--help",
                    "solve --help", "battery --help", "card --help", f"card {solvers} -c 4"]
        for columns in (80, 100):
            for command in commands:
                if command.startswith("solve --per-task"):  # what it finds there it would keep, and say so
                    (self.folder / "fit.json").unlink(missing_ok=True)
                screen = run([self.tessera, *command.split()], columns)
                check(not screen.wrapped, f"`{command}` wraps at {columns} columns: {screen.wrapped[:3]}")
                check(screen.code in (0, 1), f"`{command}`: {screen.code} {screen.text()[-5:]}")


if __name__ == "__main__":
    main(Tests, __doc__)
