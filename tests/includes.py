#!/usr/bin/env python3
"""The order of the house: who includes whom, and what is called how.

    tests/includes.py [--objects build/obj]

Holds src/ against the table of layers in docs/ARCHITECTURE.md: a folder may include those above its own row, so there is
no ring; what the files of a folder share has a name that begins as its row says. Each header compiles alone, and all of
them in one unit, in both orders: a name of a type, a macro or an include guard is used once. No two files have one name,
and a file that a comment names is there. The last line is `N passed, N failed`.
"""
import argparse
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import ROOT, check, run_tests

SOURCES = ROOT / "src"
FLAGS = ["-std=c17", "-Iinclude", "-Isrc", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
         "-Wno-missing-field-initializers", "-fsyntax-only"]
HOUSE = ["ts_", "op_", "engine_"]  # what is public, primitives, engines: they are registered by name
ROW = re.compile(r"^\| `src/(\w+)/` \| (.*?) \| ", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def layers(text):
    """The rows of the table: [(folder, [how its names begin])]."""
    return [(folder, re.findall(r"`(\w+)`", names)) for folder, names in ROW.findall(text)]


def ways_up(rows, includes):
    """Which of {(from, to): place} go to the same height or up; a folder may include itself."""
    height = {folder: k for k, (folder, _) in enumerate(rows)}
    return [f"{place}: {a} includes {b}, which is not above it in the table of layers"
            for (a, b), place in sorted(includes.items()) if a != b and not height.get(b, 99) < height.get(a, -1)]


def misnamed(rows, symbols):
    """Which of [(folder, symbol)] do not begin as the row of their folder says: `x_` is a beginning, `x` a whole name."""
    begins = dict(rows)
    return [f"{folder} shares {symbol}, which does not begin with {' '.join(begins.get(folder, []))}"
            for folder, symbol in symbols
            if not any(symbol.startswith(b) if b.endswith("_") else symbol == b for b in begins.get(folder, []) + HOUSE)]


def files(*endings):
    return sorted(path for path in SOURCES.glob("*/*") if path.suffix in endings)


def includes_of_folders():
    found = {}
    for path in files(".c", ".h", ".def"):
        for name in INCLUDE.findall(path.read_text()):
            if "/" in name:
                found.setdefault((path.parent.name, name.split("/")[0]), f"{path.relative_to(ROOT)} ({name})")
            elif name != "tessera.h":
                check((path.parent / name).exists(), f"{path}: {name} is named without its folder")
    return found


def shared_symbols(objects):
    found = []
    for path in files(".c"):
        object_file = objects / path.parent.name / f"{path.stem}.o"
        check(object_file.exists(), f"{object_file} is not there: make all")
        nm = subprocess.run(["nm", "-g", "--defined-only", object_file], capture_output=True, text=True, check=True)
        found += [(path.parent.name, line.split()[2]) for line in nm.stdout.splitlines() if len(line.split()) == 3]
    return [pair for pair in found if not pair[1].startswith("__")]  # of the sanitizers


def compiles(headers):
    text = "".join(f'#include "{header.relative_to(SOURCES)}"\n' for header in headers) + "int unit;\n"
    run = subprocess.run([os.environ.get("CC", "gcc"), *FLAGS, "-xc", "-"], input=text, capture_output=True, text=True, cwd=ROOT)
    return run.stderr if run.returncode else ""


class Tests:
    def __init__(self, options, _folder):
        self.objects = ROOT / options.objects
        self.rows = layers((ROOT / "docs/ARCHITECTURE.md").read_text())
        self.headers = files(".h")

    def test_table_has_all_folders(self):
        folders = sorted(path.name for path in SOURCES.iterdir() if path.is_dir())
        named = sorted(folder for folder, _ in self.rows)
        check(folders == named, f"folders {sorted(set(folders) ^ set(named))} are only in src/ or only in the table")

    def test_includes_go_up_the_table(self):
        found = ways_up(self.rows, includes_of_folders())
        check(not found, "\n".join(found))

    def test_the_command_line_is_thin(self):
        used = {name for path in files(".c", ".h") if path.parent.name == "cli" for name in INCLUDE.findall(path.read_text())}
        inner = {name for name in used if not name.startswith(("cli/", "base/"))} - {"tessera.h", "profile/table.h"}
        check(not inner, f"src/cli/ includes {sorted(inner)}")

    def test_a_way_up_is_found(self):
        rows = [("low", []), ("high", [])]
        check(not ways_up(rows, {("high", "low"): "", ("low", "low"): ""}), "what is right is found wrong")
        check(ways_up(rows, {("low", "high"): ""}) and ways_up(rows, {("low", "none"): ""}), "a way up is not found")

    def test_names_begin_as_the_table_says(self):
        found = misnamed(self.rows, shared_symbols(self.objects))
        check(not found, "\n".join(found))

    def test_a_wrong_name_is_found(self):
        rows = [("room", ["room_", "door"])]
        good, bad = ["room_wall", "door", "ts_new", "op_fill"], ["roomy", "door_bell", "wall"]
        check(not misnamed(rows, [("room", name) for name in good]), "what is right is found wrong")
        check(len(misnamed(rows, [("room", name) for name in bad])) == len(bad), "a wrong name is not found")

    def test_beginnings_differ(self):
        owner = {}
        for folder, begins in self.rows:
            for begin in begins:
                check(owner.setdefault(begin, folder) == folder, f"{begin} is for {owner[begin]} and for {folder}")

    def test_headers_compile_alone(self):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            errors = list(filter(None, pool.map(lambda header: compiles([header, header]), self.headers)))
        check(not errors, "\n".join(errors))

    def test_headers_compile_together(self):
        errors = compiles(self.headers) or compiles(self.headers[::-1])
        check(not errors, errors)

    def test_files_have_names_of_their_own(self):
        seen = {}
        for path in files(".c", ".h", ".def", ".py"):
            check(seen.setdefault(path.name, path) == path, f"{path} and {seen[path.name]}")

    def test_guards_are_named_for_their_file(self):
        for header in self.headers:
            guard = f"TESSERA_{header.parent.name}_{header.stem}_H".upper()
            text = header.read_text()
            check(f"#ifndef {guard}\n#define {guard}\n" in text, f"{header.relative_to(ROOT)}: the guard is not {guard}")

    def test_asserts_hold_the_borders(self):
        """Modules whose indices come from elsewhere assert them; the release has none of it."""
        having = {path.parent.name for path in files(".c", ".h") if re.search(r"(?<!_)assert\(", path.read_text())}
        wanted = {"base", "value", "program", "battery", "search", "mutate", "parts", "draw", "move", "cutout", "assemble", "key", "tree", "view",
                  "patterns", "bank", "lines", "walk"}
        check(wanted <= having, f"nothing is asserted in {sorted(wanted - having)}")
        for path in files(".c"):
            nm = subprocess.run(["nm", "-u", self.objects / path.parent.name / f"{path.stem}.o"], capture_output=True, text=True)
            check("__assert_fail" not in nm.stdout, f"{path.relative_to(ROOT)}: asserts are on in {self.objects.relative_to(ROOT)}")

    def test_threads_share_nothing_volatile(self):
        for path in [*files(".c", ".h"), ROOT / "include/tessera.h"]:
            check(not re.search(r"\bvolatile\b", path.read_text()), f"{path.relative_to(ROOT)}: volatile is not atomic; see ts_stop")

    def test_files_that_comments_name_are_there(self):
        known = {path.name for path in [*SOURCES.glob("*/*"), *ROOT.glob("*/*.[ch]")]}
        texts = [(path, "\n".join(re.findall(r"//.*", path.read_text()))) for path in files(".c", ".h", ".def")]
        texts += [(path, path.read_text()) for path in ROOT.glob("docs/*.md")]
        for path, text in texts:
            examples = re.findall(r"^// (\w+\.c)", text, re.MULTILINE) if path.suffix == ".md" else []
            for name in re.findall(r"(?<![\w/.*<])((?:src/)?(?:\w+/)?\w{2,}\.(?:c|h|def))\b", text):
                if "NAME" in name or name in examples: continue
                place = name.removeprefix("src/")
                there = (SOURCES / place).exists() or (ROOT / name).exists() if "/" in place else place in known
                check(there, f"{path.relative_to(ROOT)} names {name}, which is not there")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="tests, else all")
    parser.add_argument("--objects", default="build/obj", type=Path)
    parser.set_defaults(seed=0)
    run_tests(Tests, parser.parse_args())
